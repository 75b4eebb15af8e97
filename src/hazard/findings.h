/* findings.h - the races and barrier faults of the running kernel, each pair of static accesses
 * once. Sites are borrowed until the kernel has been reported. */
#ifndef BSIM_HAZARD_FINDINGS_H
#define BSIM_HAZARD_FINDINGS_H

#include <banksim/hazard.h>

struct bsim_finding;

struct bsim_findings {
    struct bsim_hazard_options options;
    struct bsim_hazard_counts counts;
    size_t n_kernels; /* so far; the running one is the last */
    char *kernel;     /* its name, or NULL */
    struct bsim_finding *list;
    size_t n;
    size_t hint; /* where the next look-up starts */
    bool is_cut; /* there are more than options.max_races; the search is over */
    bool has_fault;
    struct bsim_barrier_fault fault;
};

/* Are two accesses, given by site, opcode and line, one static access? The order puts those of no
 * site first, by line; else it goes by the site's number. */
int bsim_static_order(const struct bsim_site *a_site, const struct bsim_opcode *a_opcode,
                      uint64_t a_line, const struct bsim_site *b_site,
                      const struct bsim_opcode *b_opcode, uint64_t b_line);

/* Reports the kernel that was running, if any, and forgets it. */
void bsim_findings_report(struct bsim_findings *findings);

/* A new kernel is running; report the last one first. False when memory is short. */
bool bsim_findings_start(struct bsim_findings *findings, const char *kernel);

/* Counts race->address for its pair; a pair that is new is kept with this place. interval tells the
 * stream's intervals apart: one address of one interval counts once. Addresses of an interval come
 * in ascending order. False when memory is short. */
bool bsim_findings_add_race(struct bsim_findings *findings, const struct bsim_race *race,
                            uint64_t interval);

/* Counts a block at fault; the kernel's first is kept. */
void bsim_findings_add_fault(struct bsim_findings *findings,
                             const struct bsim_barrier_fault *fault);

void bsim_findings_free(struct bsim_findings *findings);

#endif
