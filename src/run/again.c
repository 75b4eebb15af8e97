/* again.c - launches that do what one before them did: their counts are its.
 *
 *     kernel a ...             counted: blocks follow
 *     kernel b ...             counted
 *     kernel a ... again=2     a's counts
 *     kernel b ... again=2     b's
 *     kernel a ... again=2     those of the launch two before, which has a's already
 */
#include "run/again.h"

#include "result/result.h"

#include <inttypes.h>
#include <string.h>

/* Warp instructions of the kernel, as far as it counts them. */
static uint64_t executed_by(const struct bsim_kernel_result *kernel)
{
    uint64_t n = kernel->other_requests + kernel->barriers + kernel->warp_barriers +
                 kernel->fences + kernel->shuffles;
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        n += kernel->tally[c].requests;
    }
    return n;
}

/* The launch, an empty one until now, becomes a copy of `first`. */
static enum bsim_status copy(struct bsim_kernel_result *kernel,
                             const struct bsim_kernel_result *first, struct bsim_error *err)
{
    struct bsim_kernel_result one = *first;
    struct bsim_result part = {.n_kernels = 1, .kernels = &one}, made = {0};
    enum bsim_status status = bsim_result_merge(&made, &part, err);
    if (status == BSIM_OK) {
        made.kernels[0].again = kernel->again;
        bsim_kernel_free(kernel);
        *kernel = made.kernels[0];
        made.n_kernels = 0;
    }
    bsim_result_free(&made);
    return status;
}

/* The launch that stands `again` before the k-th of the kernels, or NULL. */
static const struct bsim_kernel_result *find(const struct bsim_launches *before,
                                             const struct bsim_kernel_result *kernels, size_t k)
{
    uint32_t again = kernels[k].again;
    if (again <= k) {
        return &kernels[k - again];
    }
    uint64_t back = again - k;
    bool is_there = before != NULL && back <= before->n && back <= BSIM_AGAIN_MOST;
    return is_there ? &before->kernel[(before->n - back) % BSIM_AGAIN_MOST] : NULL;
}

/* How a launch differs from the one that it says it repeats, as far as their names do not say it. */
static const char *difference(const struct bsim_kernel_result *kernel,
                              const struct bsim_kernel_result *first)
{
    bool has_its_sizes = bsim_dim3_same(kernel->grid, first->grid) &&
                         bsim_dim3_same(kernel->block, first->block) &&
                         kernel->shared_bytes == first->shared_bytes;
    return strcmp(kernel->name, first->name) != 0   ? ""
           : !has_its_sizes                         ? " of other sizes"
           : kernel->registers != first->registers ? " with other registers"
                                                    : " on another device";
}

static enum bsim_status refuse(const struct bsim_kernel_result *kernel,
                               const struct bsim_kernel_result *first, struct bsim_error *err)
{
    if (first == NULL) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "a launch of %.200s has again=%" PRIu32
                              ", and fewer launches stand before it",
                              kernel->name, kernel->again);
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "a launch of %.200s has again=%" PRIu32
                          ", and that is a launch of %.200s%s",
                          kernel->name, kernel->again, first->name, difference(kernel, first));
}

static enum bsim_status fill(const struct bsim_kernel_result *first,
                             struct bsim_kernel_result *kernel, uint64_t *executed,
                             struct bsim_error *err)
{
    if (first == NULL || !bsim_kernel_same_launch(kernel, first)) {
        return refuse(kernel, first, err);
    }
    uint64_t more = executed_by(first);
    if (more > BSIM_MAX_EXECUTED - *executed) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "with the launches that are repeated there are more than 2^47 warp "
                              "instructions");
    }
    *executed += more;
    return copy(kernel, first, err);
}

enum bsim_status bsim_again_fill(const struct bsim_launches *before,
                                 struct bsim_kernel_result *kernels, size_t n, const char *name,
                                 uint64_t *executed, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    for (size_t k = 0; k < n && status == BSIM_OK; k++) {
        if (kernels[k].again > 0) {
            status = fill(find(before, kernels, k), &kernels[k], executed, err);
        }
        if (status == BSIM_E_INPUT) {
            bsim_error_place(err, name, kernels[k].trace_line, 0, NULL, 0);
        }
    }
    return status;
}

void bsim_again_keep(struct bsim_launches *launches, struct bsim_kernel_result *kernel)
{
    struct bsim_kernel_result *place = &launches->kernel[launches->n++ % BSIM_AGAIN_MOST];
    bsim_kernel_free(place);
    *place = *kernel;
    *kernel = (struct bsim_kernel_result){.n_sites = 0};
}

void bsim_again_free(struct bsim_launches *launches)
{
    for (size_t i = 0; launches != NULL && i < BSIM_AGAIN_MOST; i++) {
        bsim_kernel_free(&launches->kernel[i]);
    }
}
