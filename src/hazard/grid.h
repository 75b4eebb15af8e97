/* grid.h - what the blocks of a kernel do to each other in global memory: nothing orders them
 * before the kernel ends. */
#ifndef BSIM_HAZARD_GRID_H
#define BSIM_HAZARD_GRID_H

#include "base/table.h"
#include "hazard/findings.h"
#include "hazard/steps.h"

struct bsim_grid_page;
struct bsim_grid_access;

/* Zeroes: empty. */
struct bsim_grid {
    struct bsim_grid_page *pages;
    struct bsim_table table; /* of their numbers */
    struct bsim_grid_access *accesses;
    size_t n_accesses;
    size_t n_cells;     /* of all pages */
    uint64_t n_steps;   /* of the stream */
    uint64_t last_cell; /* that the step at hand was found to race on; UINT64_MAX: none */
    bool is_full;       /* it knows as much as it may: memory that is new is not looked at */
};

/* A new kernel: all that was before it is done. */
void bsim_grid_start(struct bsim_grid *grid);

/* The block at `place` executes a step, an access to global memory. Adds its races with blocks
 * that came before. False when memory is short. */
bool bsim_grid_step(struct bsim_grid *grid, const struct bsim_step *step, struct bsim_dim3 place,
                    struct bsim_findings *findings);

void bsim_grid_free(struct bsim_grid *grid);

#endif
