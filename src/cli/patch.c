/* patch.c - the plans of advice as edits of a kernel's source: each is tried (trial.c), and the best that computes
 * the same is printed as a unified diff. */
#include "base/memory.h"
#include "cli/trial.h"

#include <inttypes.h>
#include <string.h>

enum { CONTEXT = 3 };

struct patch {
    struct trial trial;
    struct bsim_advice *advice;
    struct version best;
    size_t best_plan; /* n_plans: none */
    struct bsim_buffer *out;
};

/* ---- choosing -------------------------------------------------------------------------------- */

static bool is_better(const struct version *a, const struct version *b)
{
    bool timed = a->cycles > 0 && b->cycles > 0;
    return timed && a->cycles != b->cycles ? a->cycles < b->cycles : a->wavefronts < b->wavefronts;
}

/* "in the file: wavefronts 640 (now 2176), cycles 4267 (now 4437)", and where the plan's own figures cannot be had,
 * why: "; ptxas merges fewer accesses with such indices: 1088 requests, not 192". */
static void say_figures(struct patch *patch, size_t p, const struct version *version)
{
    const struct version *before = &patch->trial.before;
    struct bsim_advice_plan *plan = &patch->advice->plan[p];
    struct bsim_buffer *out = &plan->written;
    bsim_buffer_printf(out, "in the file: %swavefronts %" PRIu64 " (now %" PRIu64 ")",
                       is_better(version, before) ? "" : "no gain, ", version->wavefronts,
                       before->wavefronts);
    if (before->cycles > 0 && version->cycles > 0) {
        bsim_buffer_printf(out, ", cycles %" PRIu64 " (now %" PRIu64 ")", version->cycles,
                           before->cycles);
    }
    if (version->requests > before->requests) {
        bsim_buffer_printf(out,
                           "; ptxas merges fewer accesses with such indices: %" PRIu64
                           " requests, not %" PRIu64,
                           version->requests, before->requests);
    }
    plan->written_wavefronts = version->wavefronts;
    plan->written_cycles = before->cycles > 0 ? version->cycles : 0;
}

/* Fails for want of memory alone: a plan that cannot be written, or computes something else, is told. */
static enum bsim_status try_plan(struct patch *patch, size_t p, struct bsim_error *err)
{
    struct version version = {.wavefronts = 0};
    struct bsim_advice_plan *plan = &patch->advice->plan[p];
    enum bsim_status status = bsim_cli_trial_of(&patch->trial, plan, &version, err);
    if (status == BSIM_OK) {
        say_figures(patch, p, &version);
        if (is_better(&version, &patch->best)) {
            struct version worse = patch->best;
            patch->best = version;
            patch->best_plan = p;
            version = worse;
        }
    } else if (status != BSIM_E_MEMORY) {
        bsim_buffer_text(&plan->written, "not written into the file: ");
        bsim_cli_trial_why(err, &plan->written);
    }
    bsim_cli_version_free(&version);
    return status == BSIM_E_MEMORY ? status : BSIM_OK;
}

/* ---- the diff -------------------------------------------------------------------------------- */

/* The text's line, without its end; moves *at behind it. False at the text's end. */
static bool take_line(const char **at, const char **line, size_t *length)
{
    if (**at == '\0') {
        return false;
    }
    *line = *at;
    *length = strcspn(*at, "\n");
    *at += *length + ((*at)[*length] == '\n');
    return true;
}

/* A line of a diff; the file's last one may have no end. */
static void add_line(char mark, const char *line, size_t length, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%c%.*s\n", mark, (int)length, line);
    if (line[length] == '\0') {
        bsim_buffer_text(out, "\\ No newline at end of file\n");
    }
}

/* Lines of both texts, of which there are as many. */
struct pair {
    const char *text[2];
    size_t length[2];
    bool differs;
};

static size_t split(const char *before, const char *after, struct pair *pair)
{
    size_t n = 0;
    const char *a = before, *b = after;
    struct pair one;
    while (take_line(&a, &one.text[0], &one.length[0]) &&
           take_line(&b, &one.text[1], &one.length[1])) {
        one.differs =
            one.length[0] != one.length[1] || memcmp(one.text[0], one.text[1], one.length[0]) != 0;
        if (pair != NULL) {
            pair[n] = one;
        }
        n++;
    }
    return n;
}

/* Lines that differ in a row: those before, and those now. */
static size_t add_change(const struct pair *pair, size_t i, size_t end, struct bsim_buffer *out)
{
    size_t behind = i;
    while (behind < end && pair[behind].differs) {
        behind++;
    }
    for (int of = 0; of < 2; of++) {
        for (size_t k = i; k < behind; k++) {
            add_line(of == 0 ? '-' : '+', pair[k].text[of], pair[k].length[of], out);
        }
    }
    return behind;
}

static void add_hunk(const struct pair *pair, size_t begin, size_t end, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", begin + 1, end - begin, begin + 1,
                       end - begin);
    for (size_t i = begin; i < end;) {
        if (pair[i].differs) {
            i = add_change(pair, i, end, out);
        } else {
            add_line(' ', pair[i].text[0], pair[i].length[0], out);
            i++;
        }
    }
}

/* Hunks whose lines in common would touch are one. */
static void add_hunks(const struct pair *pair, size_t n, struct bsim_buffer *out)
{
    for (size_t i = 0; i < n; i++) {
        if (!pair[i].differs) {
            continue;
        }
        size_t begin = i > CONTEXT ? i - CONTEXT : 0, last = i;
        for (size_t k = i; k < n && k <= last + 2 * CONTEXT + 1; k++) {
            last = pair[k].differs ? k : last;
        }
        size_t end = last + CONTEXT + 1 < n ? last + CONTEXT + 1 : n;
        add_hunk(pair, begin, end, out);
        i = end - 1 > last ? end - 1 : last;
    }
}

static enum bsim_status add_diff(const struct patch *patch, struct bsim_error *err)
{
    const char *path = patch->trial.options->launch_file;
    size_t n = split(patch->trial.before.text.data, patch->best.text.data, NULL);
    struct pair *pair = bsim_mem_zeroed(n + 1, sizeof *pair);
    if (pair == NULL) {
        return bsim_mem_short(err);
    }
    (void)split(patch->trial.before.text.data, patch->best.text.data, pair);
    bsim_buffer_printf(patch->out, "--- %s\n+++ %s\n", path, path);
    add_hunks(pair, n, patch->out);
    bsim_mem_free(pair);
    return BSIM_OK;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* Each plan has its own reason above; here is what they have in common. */
static void tell_none(const struct patch *patch)
{
    const struct bsim_advice *advice = patch->advice;
    size_t n_run = 0, n_slower = 0;
    for (size_t p = 0; p < advice->n_plans; p++) {
        n_run += advice->plan[p].written_wavefronts > 0;
        n_slower += advice->cycles_now > 0 && advice->plan[p].written_cycles >= advice->cycles_now;
    }
    if (advice->n_plans > 0) {
        bsim_buffer_printf(patch->out, "No plan was written into the file: %s.\n",
                           n_run == 0                  ? "what stands in the way is said of each"
                           : n_slower < n_run          ? "none gains there"
                           : n_run == advice->n_plans  ? "with each the block takes as many cycles as it does now, or more"
                                                       : "with those that can be written the block takes as many cycles as it "
                                                         "does now, or more");
    }
}

static enum bsim_status tell(struct patch *patch, struct bsim_error *err)
{
    if (patch->best_plan == patch->advice->n_plans) {
        tell_none(patch);
        return BSIM_OK;
    }
    bsim_buffer_printf(
        patch->out,
        "Plan %zu was written into the file, and the kernel run again: its arrays are the "
        "same, byte for byte, and so are the addresses of all other accesses.",
        patch->best_plan + 1);
    if (patch->best.dynamic_bytes > 0) {
        bsim_buffer_printf(patch->out,
                           "\n   launched with %" PRIu64 " bytes of dynamic shared memory, which "
                           "the host has to give as well",
                           patch->best.dynamic_bytes);
    }
    bsim_buffer_text(patch->out, "\n'patch -p0' takes it:\n");
    return add_diff(patch, err);
}

enum bsim_status bsim_cli_patch(const struct options *options, const struct bsim_check *check,
                                struct bsim_advice *advice, struct bsim_buffer *out,
                                struct bsim_error *err)
{
    struct patch patch = {.advice = advice, .best_plan = advice->n_plans, .out = out};
    enum bsim_status status = bsim_cli_trial_begin(options, check, advice, &patch.trial, err);
    patch.best.wavefronts = patch.trial.before.wavefronts;
    patch.best.cycles = patch.trial.before.cycles;
    advice->cycles_now = patch.trial.before.cycles;
    bsim_buffer_text(out, "\n");
    for (size_t p = 0; p < advice->n_plans && status == BSIM_OK; p++) {
        status = try_plan(&patch, p, err);
    }
    status = status == BSIM_OK ? tell(&patch, err) : status;
    bsim_cli_trial_end(&patch.trial);
    bsim_cli_version_free(&patch.best);
    return status;
}
