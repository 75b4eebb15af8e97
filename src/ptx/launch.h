/* launch.h - a kernel of a PTX module over its grid. */
#ifndef BSIM_PTX_LAUNCH_H
#define BSIM_PTX_LAUNCH_H

#include "ptx/machine.h"
#include "ptx/memory.h"
#include "ptx/read.h"

#define BSIM_PTX_HEAP_BYTES (UINT64_C(8) << 20) /* of kernels, if the program sets no other */

enum { BSIM_PTX_CLUSTER_MOST = 16 }; /* blocks; more than 8 where the program asks for it */

struct bsim_ptx_printer;
struct bsim_ptx_findings;

struct bsim_ptx_launch {
    struct bsim_ptx_module *module;         /* keeps what is made of the kernel */
    const struct bsim_ptx_function *kernel; /* an entry of the module */
    struct bsim_dim3 grid, block;
    uint32_t dynamic_bytes;          /* of shared memory, beside the static */
    uint32_t stack_bytes; /* of a thread's memory, for functions that call themselves */
    uint64_t heap_bytes;  /* of what kernels have allocated and not freed, at most */
    const unsigned char *parameters; /* kernel->parameter_bytes of them, as it lays them out */
    bool is_bare;                    /* without what ptxas merges */
    bool is_by_clang;                /* clang made the module of a source that nvcc would have compiled */
    const struct bsim_ptx_printer *printer; /* of printf's text; NULL: nobody */
    bool *has_begun;                  /* set when its stream begins; or NULL */
    enum bsim_ptx_wrong *wrong;       /* gets the kind of a fault that ends it; or NULL */
    bool *has_effects;                /* set by a run: as the program's; or NULL */
    struct bsim_ptx_findings *findings; /* gets what is found and lets the launch go on; or NULL */
    bool has_work; /* events for cycles: what stands between accesses, and what they wait for */
    uint32_t jobs;                   /* threads that run blocks, at most; 0: one */
    uint64_t n_sample;               /* blocks that are run, spread over the grid; 0: all */
    uint64_t most_of_warp;           /* instructions of a block for each of its warps; 0: any number */
    uint64_t most_steps;             /* of warps, about, behind which it ends with BSIM_E_USAGE; 0: it goes on */
    uint32_t again; /* not 0: nothing is run, it does what that many launches before it one did */
    struct bsim_ptx_memory *memory;  /* the module's variables are in it */
    struct bsim_dim3 cluster;        /* blocks of one, of a launch that says so; zeros: the kernel's */
    uint64_t meeting; /* cooperative: the address of BSIM_PTX_MEETING_BYTES zeros by which the whole grid meets; 0: blocks
                         run one after the other */
};

/* Adds the module's global and constant variables to the memory, from *address on, which is moved
 * behind them, and gives them their addresses. Fails with BSIM_E_MEMORY, and BSIM_E_INPUT for an
 * initialiser that names what is not there. */
enum bsim_status bsim_ptx_load(struct bsim_ptx_module *module, struct bsim_ptx_memory *memory,
                               uint64_t *address, struct bsim_error *err) BSIM_MUST_USE;

/* The variables of a module that was loaded hold again what they held at first. */
enum bsim_status bsim_ptx_reset(const struct bsim_ptx_module *module,
                                struct bsim_ptx_memory *memory,
                                struct bsim_error *err) BSIM_MUST_USE;

/* Whether a GPU runs the grid and block of the launch's kernel. Fails with BSIM_E_USAGE. */
enum bsim_status bsim_ptx_launch_check(const struct bsim_ptx_launch *launch,
                                       struct bsim_error *err) BSIM_MUST_USE;

/* Runs every block, or the sample, in order and pushes KERNEL, sites, blocks and events, but not END.
 * Fails with
 * BSIM_E_USAGE for a shape that no GPU runs, BSIM_E_INPUT for an instruction that is not known
 * (when it is executed), BSIM_E_KERNEL for what the kernel does wrong, BSIM_E_MEMORY, and with what
 * the sink answers. Memory is then as the kernel left it. */
enum bsim_status bsim_ptx_launch_run(const struct bsim_ptx_launch *launch,
                                     const struct bsim_sink *sink,
                                     struct bsim_error *err) BSIM_MUST_USE;

#endif
