/* sites.h - the sites of the kernel at hand, found by number. */
#ifndef BSIM_TRACE_SITES_H
#define BSIM_TRACE_SITES_H

#include <banksim/event.h>

#include "base/table.h"

/* Each site is one piece of memory, its strings included, and stays where it is until the clear.
 * All zeroes is an empty one. */
struct bsim_sites {
    struct bsim_table table; /* of their numbers */
    struct bsim_site **list; /* in the order of their indices */
};

/* The site of that number, or NULL. */
const struct bsim_site *bsim_sites_find(const struct bsim_sites *sites, uint32_t number);

/* Adds site, gives it the next index, and owns it from then on. Its number must be new. False, and
 * nothing changed, when memory is short. */
bool bsim_sites_add(struct bsim_sites *sites, struct bsim_site *site);

/* Frees all sites and the table. */
void bsim_sites_clear(struct bsim_sites *sites);

#endif
