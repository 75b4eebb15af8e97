/* prove.c - check's hints, tried on the kernel in its file before they are told.
 *
 * A hint counts an access as it was recorded. nvcc may merge other accesses once an index changes, and the index itself
 * takes instructions: a layout is advised where all of the kernel takes fewer wavefronts with it and no more cycles.
 * Kernels whose cycles are left out, as they would take long, would take long here: of those it is said that the
 * layout was not tried, and what tries it.
 */
#include "cli/trial.h"

#include <inttypes.h>
#include <string.h>

enum {
    MOST_TRIED = 6, /* different plans, each a run of the launch */
    MOST_OF_ACCESS = 3,
    MOST_REQUESTS = 1 << 16, /* of the launch */
};

/* A plan that was tried. */
struct tried {
    struct bsim_buffer changes; /* as words, by which the same plan for another access is known */
    struct bsim_buffer why;     /* it gave nothing; empty: it was run */
    uint64_t requests, wavefronts, cycles, dynamic_bytes;
};

struct proof {
    const struct options *options;
    const struct bsim_check *check;
    struct bsim_advice *advice;
    struct trial trial;
    struct tried tried[MOST_TRIED];
    size_t n_tried;
};

/* ---- trying ---------------------------------------------------------------------------------- */

static void spell(const struct proof *proof, const struct bsim_advice_plan *plan, bool begins,
                  struct bsim_buffer *out)
{
    bsim_advice_changes(proof->check, proof->advice, plan, begins, out);
}

static struct tried *find(struct proof *proof, const struct bsim_buffer *changes)
{
    for (size_t i = 0; i < proof->n_tried && changes->data != NULL; i++) {
        if (strcmp(proof->tried[i].changes.data, changes->data) == 0) {
            return &proof->tried[i];
        }
    }
    return NULL;
}

/* *tried: what it gave, NULL where enough was tried. Fails for want of memory alone. */
static enum bsim_status try_plan(struct proof *proof, const struct bsim_advice_plan *plan,
                                 struct tried **tried, struct bsim_error *err)
{
    struct bsim_buffer changes = BSIM_BUFFER_EMPTY;
    struct version version = {.wavefronts = 0};
    spell(proof, plan, true, &changes);
    *tried = find(proof, &changes);
    if (*tried != NULL || proof->n_tried == MOST_TRIED || changes.data == NULL) {
        enum bsim_status status = bsim_buffer_status(&changes, err);
        bsim_buffer_free(&changes);
        return status;
    }
    *tried = &proof->tried[proof->n_tried++];
    (*tried)->changes = changes;
    enum bsim_status status = bsim_cli_trial_of(&proof->trial, plan, &version, err);
    if (status == BSIM_OK) {
        (*tried)->requests = version.requests;
        (*tried)->wavefronts = version.wavefronts;
        (*tried)->cycles = version.cycles;
        (*tried)->dynamic_bytes = version.dynamic_bytes;
    } else if (status != BSIM_E_MEMORY) {
        bsim_cli_trial_why(err, &(*tried)->why);
        status = bsim_buffer_status(&(*tried)->why, err);
    }
    bsim_cli_version_free(&version);
    return status == BSIM_OK ? bsim_buffer_status(&(*tried)->changes, err) : status;
}

/* Fewer wavefronts, and no more cycles where these are known. */
static bool helps(const struct proof *proof, const struct tried *tried)
{
    const struct version *before = &proof->trial.before;
    bool is_timed = before->cycles > 0 && tried->cycles > 0;
    return tried->wavefronts < before->wavefronts && (!is_timed || tried->cycles <= before->cycles);
}

/* Whether a plan that was run is better than the best so far; NULL: none was. */
static bool is_better(const struct proof *proof, const struct tried *a, const struct tried *b)
{
    if (b == NULL || helps(proof, a) != helps(proof, b)) {
        return b == NULL || helps(proof, a);
    }
    return a->cycles != b->cycles ? a->cycles < b->cycles : a->wavefronts < b->wavefronts;
}

/* ---- telling --------------------------------------------------------------------------------- */

/* "64 wavefronts instead of 288, 381 cycles instead of 768" */
static void add_figures(const struct proof *proof, const struct tried *tried, struct bsim_buffer *out)
{
    const struct version *before = &proof->trial.before;
    const char *unit = proof->advice->device.replays ? "passes" : "wavefronts";
    bsim_buffer_printf(out, "%" PRIu64 " %s instead of %" PRIu64, tried->wavefronts, unit, before->wavefronts);
    if (before->cycles > 0 && tried->cycles > 0) {
        bsim_buffer_printf(out, ", %" PRIu64 " cycles instead of %" PRIu64, tried->cycles, before->cycles);
    }
}

static void tell_gain(const struct proof *proof, const struct tried *tried, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%s: tried in the file, the whole kernel takes ", tried->changes.data);
    add_figures(proof, tried, out);
    if (tried->dynamic_bytes > 0) {
        bsim_buffer_printf(out, ", launched with %" PRIu64 " bytes of dynamic shared memory", tried->dynamic_bytes);
    }
}

static void tell_loss(const struct proof *proof, const struct bsim_advice_plan *plan,
                      const struct tried *tried, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "No layout that was tried in the file helps the whole kernel: to ");
    spell(proof, plan, false, out);
    bsim_buffer_text(out, " gives it ");
    add_figures(proof, tried, out);
    if (tried->requests > proof->trial.before.requests) {
        bsim_buffer_printf(out, ", as fewer accesses are merged then (%" PRIu64 " requests, not %" PRIu64 ")",
                           tried->requests, proof->trial.before.requests);
    }
}

/* "...; not tried in the kernel", and what tries it or why that cannot be. */
static void tell_untried(const struct proof *proof, const struct tried *tried, struct bsim_buffer *out)
{
    if (tried != NULL && tried->why.size_bytes > 0) {
        bsim_buffer_printf(out, ": %s", tried->why.data);
        return;
    }
    bsim_buffer_text(out, ", as that would take long: ");
    bsim_cli_call_line("advise", proof->options->launch_file, proof->options->launch, out);
    bsim_buffer_text(out, " does it");
}

/* Where a line about structs begins behind the hint. */
static size_t hint_length(const struct bsim_buffer *remedy)
{
    const char *structs = strstr(remedy->data, ".\n");
    return structs != NULL ? (size_t)(structs - remedy->data) : remedy->size_bytes;
}

/* The hint's words become what was found. */
static void replace(struct bsim_buffer *remedy, struct bsim_buffer *words)
{
    size_t length = hint_length(remedy);
    bsim_buffer_add(words, remedy->data + length, remedy->size_bytes - length);
    bsim_buffer_free(remedy);
    *remedy = *words;
    *words = (struct bsim_buffer)BSIM_BUFFER_EMPTY;
}

/* ---- each access ----------------------------------------------------------------------------- */

static enum bsim_status prove(struct proof *proof, struct bsim_advice_hint *hint, bool may_try,
                              struct bsim_error *err)
{
    struct tried *best = NULL, *last = NULL;
    const struct bsim_advice_plan *of_best = NULL;
    enum bsim_status status = BSIM_OK;
    for (size_t p = 0; p < hint->n_plans && p < MOST_OF_ACCESS && status == BSIM_OK && may_try; p++) {
        struct tried *tried;
        status = try_plan(proof, &hint->plan[p], &tried, err);
        if (status == BSIM_OK && tried != NULL && tried->why.size_bytes == 0 && is_better(proof, tried, best)) {
            best = tried;
            of_best = &hint->plan[p];
        }
        last = tried != NULL ? tried : last;
    }
    struct bsim_buffer words = BSIM_BUFFER_EMPTY;
    if (best != NULL && helps(proof, best)) {
        tell_gain(proof, best, &words);
    } else if (best != NULL) {
        tell_loss(proof, of_best, best, &words);
    } else {
        bsim_buffer_add(&words, hint->remedy.data, hint_length(&hint->remedy));
        tell_untried(proof, last, &words);
    }
    replace(&hint->remedy, &words);
    bsim_buffer_free(&words);
    return status == BSIM_OK ? bsim_buffer_status(&hint->remedy, err) : status;
}

/* What of the kernel's cycles the fastest layout takes that helps; 1: none does; 0: none was timed. */
static double share_of(const struct proof *proof)
{
    uint64_t now = proof->trial.before.cycles, least = now;
    bool is_tried = false;
    for (size_t i = 0; i < proof->n_tried && now > 0; i++) {
        const struct tried *tried = &proof->tried[i];
        is_tried = is_tried || tried->cycles > 0;
        least = tried->cycles > 0 && tried->cycles < least && helps(proof, tried) ? tried->cycles : least;
    }
    return is_tried ? (double)least / (double)now : 0;
}

static bool has_hints(const struct bsim_advice *advice)
{
    size_t i = 0;
    while (i < advice->n_accesses && advice->hint[i].n_plans == 0) {
        i++;
    }
    return i < advice->n_accesses;
}

enum bsim_status bsim_cli_prove(void *context, const struct bsim_check *check,
                                const struct bsim_kernel_result *kernel, struct bsim_advice *advice,
                                struct bsim_error *err)
{
    struct proof proof = {.options = context, .check = check, .advice = advice};
    struct bsim_error fault;
    bool may_try = bsim_kernel_total(kernel).requests <= MOST_REQUESTS && !kernel->timed.left_out;
    if (!has_hints(advice)) {
        return BSIM_OK;
    }
    may_try = may_try && bsim_cli_trial_begin(proof.options, check, advice, &proof.trial, &fault) == BSIM_OK;
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < advice->n_accesses && status == BSIM_OK; i++) {
        if (advice->hint[i].n_plans > 0 && advice->hint[i].remedy.size_bytes > 0) {
            status = prove(&proof, &advice->hint[i], may_try, err);
        }
    }
    advice->tried_share = share_of(&proof);
    for (size_t i = 0; i < proof.n_tried; i++) {
        bsim_buffer_free(&proof.tried[i].changes);
        bsim_buffer_free(&proof.tried[i].why);
    }
    bsim_cli_trial_end(&proof.trial);
    return status;
}
