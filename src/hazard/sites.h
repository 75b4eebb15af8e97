/* sites.h - the sites of the running kernel. They are copied, because the last block and the
 * findings of a kernel are looked at when its source may have gone. */
#ifndef BSIM_HAZARD_SITES_H
#define BSIM_HAZARD_SITES_H

#include <banksim/event.h>

/* Zeroes: empty. */
struct bsim_hazard_sites {
    struct bsim_site **list; /* by index */
    size_t n;
};

/* Adds a copy, whose index is the next. False when memory is short. */
bool bsim_hazard_sites_add(struct bsim_hazard_sites *sites, const struct bsim_site *site);

/* Empties the table; the copies are gone. */
void bsim_hazard_sites_clear(struct bsim_hazard_sites *sites);

void bsim_hazard_sites_free(struct bsim_hazard_sites *sites);

#endif
