/* again.c - launches that need not be run, since they would do what an earlier one did.
 *
 * Programs that time a kernel launch it a hundred times with the same arguments. Where memory is,
 * byte for byte, what it was when such a launch began, and that one left it as it was, running it
 * once more changes nothing and makes the same events:
 *
 *     a<<<...>>>(out, in);    run: out is written
 *     a<<<...>>>(out, in);    run; memory is kept before it, and is the same behind it
 *     a<<<...>>>(out, in);    memory is the same as what was kept: nothing is run
 *
 * All memory that kernels can reach is compared, with one copy of it: that is exact, and costs little
 * beside a launch. It is not done for launches that take hardly longer than the comparison. Kernels
 * that print, allocate, read clocks or textures are always run (struct bsim_ptx_program).
 */
#include "cudart/again.h"

#include "base/memory.h"

#include <string.h>

enum { N_LAUNCHES = 64 }; /* that differ, and are remembered: those in a loop */
#define MOST_BYTES (UINT64_C(1) << 31)

/* Bytes that are compared or copied in a second, and how often longer than that a launch must take;
 * assumed, and of no weight: results are the same whatever they are. */
static const double bytes_per_second = 2e9, times = 8;

struct known {
    struct bsim_ptx_launch launch; /* its parameters are this one's own */
    uint64_t number;
    uint64_t kept; /* which copy of memory it left as it was; 0: none */
    double seconds;
};

static struct {
    struct known known[N_LAUNCHES];
    uint64_t n_known; /* ever */
    struct bsim_ptx_copy copy;
    uint64_t n_copies;
    bool is_compared; /* the launch that runs now began with memory as it was copied */
} state;

static bool is_same(const struct bsim_ptx_launch *a, const struct bsim_ptx_launch *b)
{
    return a->kernel == b->kernel && bsim_dim3_same(a->grid, b->grid) &&
           bsim_dim3_same(a->block, b->block) && bsim_dim3_same(a->cluster, b->cluster) &&
           a->dynamic_bytes == b->dynamic_bytes && a->stack_bytes == b->stack_bytes &&
           memcmp(a->parameters, b->parameters, a->kernel->parameter_bytes) == 0;
}

static struct known *find(const struct bsim_ptx_launch *launch)
{
    for (size_t i = 0; i < N_LAUNCHES && i < state.n_known; i++) {
        if (is_same(&state.known[i].launch, launch)) {
            return &state.known[i];
        }
    }
    return NULL;
}

/* Takes the place of the oldest. NULL when memory is short. */
static struct known *remember(const struct bsim_ptx_launch *launch)
{
    unsigned char *parameters = bsim_mem_resize(NULL, launch->kernel->parameter_bytes + 1, 1);
    if (parameters == NULL) {
        return NULL;
    }
    struct known *known = &state.known[state.n_known++ % N_LAUNCHES];
    bsim_mem_free((void *)known->launch.parameters);
    memcpy(parameters, launch->parameters, launch->kernel->parameter_bytes);
    *known = (struct known){.launch = *launch};
    known->launch.parameters = parameters;
    return known;
}

static bool is_worth_it(const struct known *known)
{
    uint64_t bytes = bsim_ptx_memory_bytes(known->launch.memory);
    return bytes <= MOST_BYTES && known->seconds * bytes_per_second > times * (double)bytes;
}

uint32_t bsim_cuda_again(const struct bsim_ptx_launch *launch, uint64_t number)
{
    struct known *known = find(launch);
    state.is_compared = false;
    if (known == NULL || !is_worth_it(known)) {
        return 0;
    }
    bool is_as_copied = bsim_ptx_memory_is(launch->memory, &state.copy);
    uint64_t back = number - known->number;
    if (is_as_copied && known->kept == state.n_copies && back <= BSIM_AGAIN_MOST) {
        known->number = number;
        return (uint32_t)back;
    }
    state.is_compared = is_as_copied || bsim_ptx_memory_copy(launch->memory, &state.copy);
    state.n_copies += !is_as_copied;
    return 0;
}

void bsim_cuda_ran(const struct bsim_ptx_launch *launch, uint64_t number, double seconds)
{
    struct known *known = find(launch);
    known = known != NULL ? known : remember(launch);
    if (known != NULL) {
        bool is_kept = state.is_compared && bsim_ptx_memory_is(launch->memory, &state.copy);
        known->number = number;
        known->seconds = seconds;
        known->kept = is_kept ? state.n_copies : 0;
    }
}
