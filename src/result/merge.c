/* merge.c - results put together: merging, appending, and the cycles that a timer adds to counts.
 *
 * Two results merge if they are parts of the same launches. Sites are matched by number, those
 * without one by opcode; the order of sites does not depend on which part came first.
 */
#include "base/memory.h"
#include "base/sums.h"
#include "model/device.h"
#include "result/cycles.h"
#include "result/result.h"

#include <string.h>

/* A walk through the sites of two kernels together. */
struct walk {
    const struct bsim_site_result *next[2], *end[2];
    const struct bsim_site_result
        *site[2]; /* the same one of both, or NULL of the one that has it not */
    const struct bsim_site_result *either; /* of them, one that is there */
};

/* Before the first site of either. */
static struct walk walk_of(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b)
{
    static const struct bsim_site_result none[1];
    struct walk walk = {.next = {none, none}, .end = {none, none}};
    const struct bsim_kernel_result *const of[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        if (of[i]->n_sites > 0) {
            walk.next[i] = of[i]->sites;
            walk.end[i] = of[i]->sites + of[i]->n_sites;
        }
    }
    return walk;
}

/* To the next site that either has; false when there are no more. */
static bool next_site(struct walk *walk)
{
    bool has_a = walk->next[0] != walk->end[0];
    bool has_b = walk->next[1] != walk->end[1];
    if (!has_a && !has_b) {
        return false;
    }
    int order = !has_a ? 1 : !has_b ? -1 : bsim_site_order(walk->next[0], walk->next[1]);
    walk->site[0] = order <= 0 ? walk->next[0]++ : NULL;
    walk->site[1] = order >= 0 ? walk->next[1]++ : NULL;
    walk->either = order <= 0 ? walk->site[0] : walk->site[1];
    return true;
}

/* ---- whether they agree ---------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

bool bsim_kernel_same_launch(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b)
{
    return strcmp(a->name, b->name) == 0 && bsim_dim3_same(a->grid, b->grid) &&
           bsim_dim3_same(a->block, b->block) && a->shared_bytes == b->shared_bytes &&
           a->registers == b->registers && bsim_device_same(&a->device, &b->device);
}

static bool same_launch(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b)
{
    return bsim_kernel_same_launch(a, b) && same_text(a->extras, b->extras);
}

static bool same_source(const struct bsim_site_result *a, const struct bsim_site_result *b)
{
    return same_text(a->file, b->file) && a->line == b->line && same_text(a->text, b->text);
}

/* A number stands for the same instruction in both, or is missing in one: two sites of one number
 * would follow each other. */
static enum bsim_status check_sites(const struct bsim_kernel_result *a,
                                    const struct bsim_kernel_result *b, struct bsim_error *err)
{
    uint32_t last = 0;
    struct walk walk = walk_of(a, b);
    while (next_site(&walk)) {
        const struct bsim_site_result *ours = walk.site[0], *theirs = walk.site[1];
        uint32_t number = walk.either->number;
        bool agrees =
            number != last && (ours == NULL || theirs == NULL || same_source(ours, theirs));
        if (number > 0 && !agrees) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "cannot merge: site %u of kernel %s differs between the parts",
                                  (unsigned)number, a->name);
        }
        last = number;
    }
    return BSIM_OK;
}

/* The number-th kernel of both. */
static enum bsim_status check_kernel(size_t number, const struct bsim_kernel_result *a,
                                     const struct bsim_kernel_result *b, struct bsim_error *err)
{
    if (!same_launch(a, b) || !bsim_cycles_same_question(a, b)) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "cannot merge: kernel %zu is %s in one part and %s in the other, or "
                              "its launch, its device or what was asked for differs",
                              number, a->name, b->name);
    }
    return check_sites(a, b, err);
}

static enum bsim_status check(const struct bsim_result *a, const struct bsim_result *b,
                              struct bsim_error *err)
{
    if (a->n_kernels != b->n_kernels) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "cannot merge: one part has %zu kernels, the other %zu", a->n_kernels,
                              b->n_kernels);
    }
    enum bsim_status status = BSIM_OK;
    for (size_t k = 0; k < a->n_kernels && status == BSIM_OK; k++) {
        status = check_kernel(k + 1, &a->kernels[k], &b->kernels[k], err);
    }
    return status;
}

/* ---- cycles for counts ----------------------------------------------------------------------- */

static bool has_sites_of(const struct bsim_kernel_result *kernel,
                         const struct bsim_kernel_result *timed)
{
    struct walk walk = walk_of(kernel, timed);
    bool has = true;
    while (next_site(&walk)) {
        has = has && walk.site[0] != NULL;
    }
    return has;
}

/* A site that the timer has not makes no request to shared memory: the kernel takes as long without
 * its conflicts. */
static void add_cycles(struct bsim_kernel_result *kernel, const struct bsim_kernel_result *timed)
{
    struct walk walk = walk_of(kernel, timed);
    kernel->timed = timed->timed;
    for (size_t i = 0; i < kernel->n_sites && next_site(&walk); i++) {
        const struct bsim_site_result *its = walk.site[1];
        kernel->sites[i].timed = (struct bsim_site_cycles){.requests = 0};
        (void)bsim_cycles_add_site(&kernel->sites[i].timed, &timed->timed,
                                   its != NULL ? &its->timed : NULL);
    }
}

enum bsim_status bsim_result_add_cycles(struct bsim_result *result, struct bsim_result *timed,
                                        struct bsim_error *err)
{
    bool agrees = result->n_kernels == timed->n_kernels;
    for (size_t k = 0; k < result->n_kernels && agrees; k++) {
        const struct bsim_kernel_result *ours = &result->kernels[k], *theirs = &timed->kernels[k];
        agrees = same_launch(ours, theirs) && has_sites_of(ours, theirs);
    }
    if (!agrees) {
        return bsim_error_set(err, BSIM_E_USAGE, "these are cycles of another stream");
    }
    for (size_t k = 0; k < result->n_kernels; k++) {
        add_cycles(&result->kernels[k], &timed->kernels[k]);
    }
    bsim_result_free(timed);
    return BSIM_OK;
}

/* ---- merging --------------------------------------------------------------------------------- */

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

/* Gives a site of sum, whose cycles are not left out, those that a and b have of it. False: a sum
 * passes 64 bits. */
static bool time_site(struct bsim_site_result *site, const struct bsim_kernel_result *a,
                      const struct bsim_kernel_result *b, const struct walk *walk)
{
    const struct bsim_site_result *const *its = walk->site;
    struct bsim_site_cycles *timed = &site->timed;
    bool fits = bsim_cycles_add_site(timed, &a->timed, its[0] != NULL ? &its[0]->timed : NULL) &&
                bsim_cycles_add_site(timed, &b->timed, its[1] != NULL ? &its[1]->timed : NULL);
    timed->cycles_ideal = timed->left_out ? 0 : timed->cycles_ideal;
    return fits;
}

/* Gives sum the sites of a and b. */
static enum bsim_status join_sites(struct bsim_kernel_result *sum,
                                   const struct bsim_kernel_result *a,
                                   const struct bsim_kernel_result *b, struct bsim_error *err)
{
    struct walk walk = walk_of(a, b);
    while (next_site(&walk)) {
        const struct bsim_site_result *like = walk.either;
        struct bsim_site_result *site = bsim_kernel_add_site(sum, like->number, &like->opcode,
                                                             like->file, like->line, like->text);
        if (site == NULL) {
            return no_memory(err);
        }
        if (!add_site(site, walk.site[0]) || !add_site(site, walk.site[1])) {
            return too_much(err);
        }
        if (!sum->timed.left_out && !time_site(site, a, b, &walk)) {
            return bsim_cycles_too_many(sum, err);
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
    struct bsim_kernel launch = {.name = b->name,
                                 .grid = b->grid,
                                 .block = b->block,
                                 .shared_bytes = b->shared_bytes,
                                 .registers = b->registers,
                                 .extras = b->extras,
                                 .again = b->again};
    struct bsim_kernel_result *kernel = bsim_result_add_kernel(sum, &launch, &b->device);
    if (kernel == NULL) {
        return no_memory(err);
    }
    kernel->trace_line = b->trace_line;
    if (!add_kernel(kernel, a) || !add_kernel(kernel, b)) {
        return too_much(err);
    }
    if (!bsim_cycles_join(&kernel->timed, &a->timed, &b->timed)) {
        return bsim_cycles_too_many(kernel, err);
    }
    if (kernel->timed.is_timed) {
        bsim_cycles_launch(kernel);
    }
    return join_sites(kernel, a, b, err);
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
        status = check(into, part, err);
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
    struct bsim_result sum = {0};
    enum bsim_status status = check_kernel(1, into, part, err);
    if (status == BSIM_OK) {
        status = join_kernels(&sum, into, part, err);
    }
    if (status != BSIM_OK) {
        bsim_result_free(&sum);
        return status;
    }
    bsim_kernel_free(into);
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
        bsim_kernel_free(&part->kernels[k]);
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
