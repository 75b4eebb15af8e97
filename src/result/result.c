/* result.c - results: building, merging, appending, freeing.
 *
 * Two results merge if they are parts of the same launches. Sites are matched by number, those
 * without one by opcode; the order of sites does not depend on which part came first.
 */
#include "result/result.h"

#include "base/memory.h"
#include "base/sums.h"
#include "result/cycles.h"
#include "result/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

BSIM_IS_SITE(struct bsim_site_result);

static void free_site(struct bsim_site_result *site)
{
    bsim_mem_free(site->file);
    bsim_mem_free(site->text);
}

static void free_kernel(struct bsim_kernel_result *kernel)
{
    for (size_t i = 0; i < kernel->n_sites; i++) {
        free_site(&kernel->sites[i]);
    }
    bsim_mem_free(kernel->sites);
    bsim_mem_free(kernel->name);
    bsim_cycles_free_kernel(&kernel->timed);
    memset(kernel, 0, sizeof *kernel);
}

void bsim_result_free(struct bsim_result *result)
{
    for (size_t i = 0; i < result->n_kernels; i++) {
        free_kernel(&result->kernels[i]);
    }
    bsim_mem_free(result->kernels);
    memset(result, 0, sizeof *result);
}

struct bsim_kernel_result *bsim_result_add_kernel(struct bsim_result *result,
                                                  const struct bsim_kernel *kernel,
                                                  const struct bsim_device *device)
{
    char *name = bsim_mem_string(kernel->name);
    struct bsim_kernel_result *kernels =
        bsim_mem_grow(result->kernels, result->n_kernels, sizeof *result->kernels);
    if (kernels != NULL) {
        result->kernels = kernels;
    }
    if (name == NULL || kernels == NULL) {
        bsim_mem_free(name);
        return NULL;
    }
    struct bsim_kernel_result *added = &kernels[result->n_kernels++];
    *added = (struct bsim_kernel_result){
        .name = name,
        .grid = kernel->grid,
        .block = kernel->block,
        .shared_bytes = kernel->shared_bytes,
        .device = *device,
    };
    return added;
}

/* Copies text, which may be NULL, to *copy; false when memory is short. */
static bool copy_text(const char *text, char **copy)
{
    *copy = text == NULL ? NULL : bsim_mem_string(text);
    return text == NULL || *copy != NULL;
}

struct bsim_site_result *bsim_kernel_add_site(struct bsim_kernel_result *kernel, uint32_t number,
                                              const struct bsim_opcode *opcode, const char *file,
                                              uint32_t line, const char *text)
{
    struct bsim_site_result *sites =
        bsim_mem_grow(kernel->sites, kernel->n_sites, sizeof *kernel->sites);
    if (sites == NULL) {
        return NULL;
    }
    kernel->sites = sites;
    struct bsim_site_result site = {.number = number, .opcode = *opcode, .line = line};
    if (!copy_text(file, &site.file) || !copy_text(text, &site.text)) {
        free_site(&site);
        return NULL;
    }
    sites[kernel->n_sites] = site;
    return &sites[kernel->n_sites++];
}

void bsim_kernel_sort_sites(struct bsim_kernel_result *kernel)
{
    if (kernel->n_sites > 1) {
        qsort(kernel->sites, kernel->n_sites, sizeof *kernel->sites, bsim_site_order);
    }
}

void bsim_kernel_reads_constants(struct bsim_kernel_result *kernel, uint64_t first, uint64_t end)
{
    bool is_first = kernel->constant_end == 0;
    if (is_first || first < kernel->constant_first) {
        kernel->constant_first = first;
    }
    if (is_first || end > kernel->constant_end) {
        kernel->constant_end = end;
    }
}

enum bsim_status bsim_result_check_constants(const struct bsim_result *result,
                                             struct bsim_error *err)
{
    for (size_t k = 0; k < result->n_kernels; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        uint64_t bytes = kernel->constant_end - kernel->constant_first;
        if (bytes > BSIM_CONSTANT_BYTES) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "%s reads constants from byte %" PRIu64 " to %" PRIu64
                                  ", and constant memory has %d bytes: what is larger belongs into "
                                  "global memory, for ld.global.nc",
                                  kernel->name, kernel->constant_first, kernel->constant_end - 1,
                                  BSIM_CONSTANT_BYTES);
        }
    }
    return BSIM_OK;
}

/* A kernel's tallies are sums over its sites, and reports add up all kernels'. */
bool bsim_result_fits(const struct bsim_result *result)
{
    struct bsim_tally tally = {0};
    struct bsim_global_tally global = {0};
    bool fits = true;
    for (size_t k = 0; k < result->n_kernels; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        for (int c = 0; c < BSIM_N_CLASSES; c++) {
            fits &= bsim_tally_add(&tally, &kernel->tally[c]);
            fits &= bsim_global_tally_add(&global, &kernel->global[c]);
        }
    }
    return fits;
}

enum bsim_status bsim_result_add_cycles(struct bsim_result *result, struct bsim_cycles *cycles,
                                        struct bsim_error *err)
{
    if (cycles->n_kernels != result->n_kernels) {
        return bsim_error_set(err, BSIM_E_USAGE, "cycles of %zu kernels for a result of %zu",
                              cycles->n_kernels, result->n_kernels);
    }
    for (size_t k = 0; k < result->n_kernels; k++) {
        bsim_cycles_free_kernel(&result->kernels[k].timed);
        result->kernels[k].timed = cycles->kernels[k];
    }
    cycles->n_kernels = 0;
    bsim_cycles_free(cycles);
    return BSIM_OK;
}

/* ---- merging ------------------------------------------------------------------------------- */

static struct bsim_merge_launch launch_of(const void *result, size_t k)
{
    const struct bsim_kernel_result *kernel = &((const struct bsim_result *)result)->kernels[k];
    return (struct bsim_merge_launch){kernel->name,         kernel->grid,    kernel->block,
                                      kernel->shared_bytes, &kernel->device, kernel->sites,
                                      kernel->n_sites};
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool same_source(const void *a, const void *b)
{
    const struct bsim_site_result *ours = a, *theirs = b;
    return same_text(ours->file, theirs->file) && ours->line == theirs->line &&
           same_text(ours->text, theirs->text);
}

static bool same_question(const void *ours, const void *theirs, size_t k)
{
    return bsim_cycles_same_question(&((const struct bsim_result *)ours)->kernels[k].timed,
                                     &((const struct bsim_result *)theirs)->kernels[k].timed);
}

static const struct bsim_merge_kind kind = {
    .site_bytes = sizeof(struct bsim_site_result),
    .launch = launch_of,
    .is_same = same_question,
    .is_same_site = same_source,
    .or_else = "its launch, its device or what was asked for",
};

/* What can go wrong while results are joined. */
static enum bsim_status no_memory(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while putting results together");
}

static enum bsim_status too_much(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_INPUT, "more than 2^47 warp instructions in all");
}

/* Whether the sum is within 64 bits. more NULL: the part has not got the site. */
static bool add_site(struct bsim_site_result *sum, const struct bsim_site_result *more)
{
    if (more == NULL) {
        return true;
    }
    bool fits = bsim_sum_add(&sum->requests, more->requests);
    fits &= bsim_tally_add(&sum->tally, &more->tally);
    fits &= bsim_global_tally_add(&sum->global, &more->global);
    fits &= bsim_sum_add(&sum->constant_passes, more->constant_passes);
    return fits;
}

/* Gives sum the sites of a and b. */
static enum bsim_status join_sites(struct bsim_kernel_result *sum,
                                   const struct bsim_kernel_result *a,
                                   const struct bsim_kernel_result *b, struct bsim_error *err)
{
    struct bsim_site_walk walk =
        bsim_site_walk(a->sites, a->n_sites, b->sites, b->n_sites, sizeof *a->sites);
    while (bsim_site_next(&walk)) {
        const struct bsim_site_result *like = walk.either;
        struct bsim_site_result *site = bsim_kernel_add_site(sum, like->number, &like->opcode,
                                                             like->file, like->line, like->text);
        if (site == NULL) {
            return no_memory(err);
        }
        if (!add_site(site, walk.site[0]) || !add_site(site, walk.site[1])) {
            return too_much(err);
        }
    }
    return BSIM_OK;
}

/* Whether the sum is within 64 bits. */
static bool add_kernel(struct bsim_kernel_result *sum, const struct bsim_kernel_result *more)
{
    bool fits = bsim_sum_add(&sum->blocks, more->blocks);
    fits &= bsim_sum_add(&sum->barriers, more->barriers);
    fits &= bsim_sum_add(&sum->warp_barriers, more->warp_barriers);
    fits &= bsim_sum_add(&sum->fences, more->fences);
    fits &= bsim_sum_add(&sum->shuffles, more->shuffles);
    fits &= bsim_sum_add(&sum->other_requests, more->other_requests);
    fits &= bsim_sum_add(&sum->constant_requests, more->constant_requests);
    fits &= bsim_sum_add(&sum->constant_passes, more->constant_passes);
    if (more->constant_end > 0) {
        bsim_kernel_reads_constants(sum, more->constant_first, more->constant_end);
    }
    sum->rules |= more->rules;
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        fits &= bsim_tally_add(&sum->tally[c], &more->tally[c]);
        fits &= bsim_global_tally_add(&sum->global[c], &more->global[c]);
    }
    return fits;
}

/* Adds a kernel to sum: a and b together, of the same launch. */
static enum bsim_status join_kernels(struct bsim_result *sum, const struct bsim_kernel_result *a,
                                     const struct bsim_kernel_result *b, struct bsim_error *err)
{
    struct bsim_kernel launch = {
        .name = b->name, .grid = b->grid, .block = b->block, .shared_bytes = b->shared_bytes};
    struct bsim_kernel_result *kernel = bsim_result_add_kernel(sum, &launch, &b->device);
    if (kernel == NULL) {
        return no_memory(err);
    }
    bool fits = add_kernel(kernel, a) && add_kernel(kernel, b);
    enum bsim_status status = fits ? join_sites(kernel, a, b, err) : too_much(err);
    return status == BSIM_OK && b->timed.is_timed
               ? bsim_cycles_join(&kernel->timed, &a->timed, &b->timed, err)
               : status;
}

/* Adds what is not of a kernel. False: it is too much. */
static bool add_rest(struct bsim_result *sum, const struct bsim_result *more)
{
    bool fits = bsim_sum_add(&sum->expectations, more->expectations);
    fits &= bsim_sum_add(&sum->expectations_failed, more->expectations_failed);
    fits &= bsim_sum_add(&sum->executed, more->executed);
    return fits && sum->executed <= BSIM_MAX_EXECUTED;
}

/* Makes sum, which is empty, a and b together; a may have no kernels yet. */
static enum bsim_status join(struct bsim_result *sum, const struct bsim_result *a,
                             const struct bsim_result *b, struct bsim_error *err)
{
    static const struct bsim_kernel_result nothing = {.n_sites = 0};
    enum bsim_status status = add_rest(sum, a) && add_rest(sum, b) ? BSIM_OK : too_much(err);
    for (size_t k = 0; k < b->n_kernels && status == BSIM_OK; k++) {
        const struct bsim_kernel_result *ours = a->n_kernels > 0 ? &a->kernels[k] : &nothing;
        status = join_kernels(sum, ours, &b->kernels[k], err);
    }
    return status == BSIM_OK && !bsim_result_fits(sum) ? too_much(err) : status;
}

enum bsim_status bsim_result_merge(struct bsim_result *into, const struct bsim_result *part,
                                   struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    if (into->n_kernels > 0) {
        status = bsim_merge_check(&kind, into, into->n_kernels, part, part->n_kernels, err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_result sum = {0};
    status = join(&sum, into, part, err);
    if (status != BSIM_OK) {
        bsim_result_free(&sum);
        return status;
    }
    bsim_result_free(into);
    *into = sum;
    return BSIM_OK;
}

/* Makes a kernel the sum of itself and another one. */
static enum bsim_status add_to_kernel(struct bsim_kernel_result *into,
                                      const struct bsim_kernel_result *part, struct bsim_error *err)
{
    struct bsim_result ours = {.n_kernels = 1, .kernels = into}, sum = {0};
    struct bsim_result theirs = ours;
    theirs.kernels = (struct bsim_kernel_result *)(uintptr_t)part;
    enum bsim_status status = bsim_merge_check(&kind, &ours, 1, &theirs, 1, err);
    if (status == BSIM_OK) {
        status = join_kernels(&sum, into, part, err);
    }
    if (status != BSIM_OK) {
        bsim_result_free(&sum);
        return status;
    }
    free_kernel(into);
    *into = sum.kernels[0];
    bsim_mem_free(sum.kernels);
    return BSIM_OK;
}

enum bsim_status bsim_result_append(struct bsim_result *into, struct bsim_result *more,
                                    struct bsim_error *err)
{
    struct bsim_result rest = {0};
    if (!add_rest(&rest, into) || !add_rest(&rest, more)) {
        return too_much(err);
    }
    if (more->n_kernels > 0) {
        void *kernels = bsim_mem_grow_by(into->kernels, into->n_kernels, more->n_kernels,
                                         sizeof *into->kernels);
        if (kernels == NULL) {
            return no_memory(err);
        }
        into->kernels = kernels;
        memcpy(&into->kernels[into->n_kernels], more->kernels,
               more->n_kernels * sizeof *more->kernels);
        into->n_kernels += more->n_kernels;
    }
    into->expectations = rest.expectations;
    into->expectations_failed = rest.expectations_failed;
    into->executed = rest.executed;
    bsim_mem_free(more->kernels);
    memset(more, 0, sizeof *more);
    return BSIM_OK;
}

/* Drops the first n kernels, which have been freed or moved. */
static void drop_kernels(struct bsim_result *result, size_t n)
{
    result->n_kernels -= n;
    if (result->n_kernels > 0) {
        memmove(result->kernels, &result->kernels[n], result->n_kernels * sizeof *result->kernels);
    }
}

enum bsim_status bsim_result_collect(struct bsim_result *into, size_t first,
                                     struct bsim_result *part, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    size_t k = 0;
    for (; k < part->n_kernels && first + k < into->n_kernels && status == BSIM_OK; k++) {
        const struct bsim_kernel_result *its = &part->kernels[k];
        bool adds = its->blocks > 0 || its->timed.left_out;
        status = adds ? add_to_kernel(&into->kernels[first + k], its, err) : BSIM_OK;
        free_kernel(&part->kernels[k]);
    }
    drop_kernels(part, k);
    return status == BSIM_OK ? bsim_result_append(into, part, err) : status;
}

enum bsim_status bsim_result_take(struct bsim_result *from, size_t n, struct bsim_result *first,
                                  struct bsim_error *err)
{
    struct bsim_kernel_result *kernels =
        n > 0 ? bsim_mem_grow_by(NULL, 0, n, sizeof *kernels) : NULL;
    if (n > 0 && kernels == NULL) {
        return no_memory(err);
    }
    if (n > 0) {
        memcpy(kernels, from->kernels, n * sizeof *kernels);
        drop_kernels(from, n);
    }
    *first = (struct bsim_result){.n_kernels = n, .kernels = kernels};
    return BSIM_OK;
}
