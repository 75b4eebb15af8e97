/* advise.c - which padding or swizzle rids the accesses of a check of their conflicts.
 *
 *     pattern.c      the check's requests, each different one once
 *     bound.c        what no layout undercuts while vectors stay whole
 *     candidates.c   the layouts that are tried for an array
 *     layout.c       how large layouts make the arrays, and where these lie
 *     cost.c         what a pattern costs then
 *     regular.c      which accesses no layout is fitted to, since they follow no formula
 *     linear.c       the best of all layouts that are linear over GF(2), fit.c for an array
 *     terms.c        such a one as few operations
 *     shortest.c     one that costs as little, and is written with the fewest operations
 *     cute.c         such a one as swizzles of CuTe
 *     trial.c        one layout tried
 *     quick.c        which of them need not be counted
 *     climb.c        layouts that are found step by step
 *     pads.c         paddings of two levels, the finer within rows
 *     sweep.c        rotations that are looked through, with bits that flip others
 *     search.c       the best of each kind for each array
 *     plan.c         the best few combinations over all arrays, and for single accesses
 *     cycles.c       how long the block takes with each
 *     prove.c        whether a plan does what it says
 *     written.c      which accesses do not go by the dimensions of their array
 *     narrow.c       arrays without columns that no access comes to
 *     twin.c         which accesses look like another one after a remedy
 *     remedy.c       a hint as a sentence
 *     structs.c      and what an array of structs would cost if its members lay otherwise
 *     spell.c        what to write in CUDA
 *     name.c         a layout in a few words
 */
#include "advise/bound.h"
#include "advise/narrow.h"
#include "advise/plan.h"
#include "advise/regular.h"
#include "advise/remedy.h"
#include "advise/twin.h"
#include "advise/written.h"

#include "base/memory.h"

enum {
    USUAL_PLANS = 3,
    TILE_ALIGNMENT = 1024, /* the period of TMA's and wgmma's widest swizzle */
};

/* ---- what is asked of each array ----------------------------------------------------------- */

static void note_accesses(const struct bsim_patterns *patterns, struct bsim_subject *subjects)
{
    for (size_t i = 0; i < patterns->n; i++) {
        const struct bsim_pattern *pattern = &patterns->item[i];
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            if ((pattern->lanes >> lane & 1) == 0) {
                continue;
            }
            struct bsim_subject *subject = &subjects[pattern->array[lane]];
            uint32_t bytes = pattern->opcode.bytes;
            uint32_t last = (pattern->offset[lane] + bytes - 1) / subject->array->element_bytes;
            subject->widest = bytes > subject->widest ? bytes : subject->widest;
            if (subject->array->is_extern && last >= subject->n_elements) {
                subject->n_elements = last + 1;
            }
        }
    }
}

/* An array that begins where its widest access may begin has to go on doing so. */
static void shape(struct bsim_subject *subject)
{
    const struct bsim_check_array *array = subject->array;
    uint32_t n = array->n_dimensions;
    subject->has_rows = n >= 2;
    subject->columns = n >= 2 ? array->dimension[n - 1] : subject->n_elements;
    subject->rows =
        subject->columns > 0 ? (subject->n_elements + subject->columns - 1) / subject->columns : 0;
    if (subject->widest > subject->alignment && array->offset_bytes % subject->widest == 0) {
        subject->alignment = subject->widest;
    }
    for (uint32_t bytes = TILE_ALIGNMENT; array->is_tile && bytes > subject->alignment; bytes /= 2) {
        subject->alignment = array->offset_bytes % bytes == 0 ? bytes : subject->alignment;
    }
}

static struct bsim_subject *make_subjects(const struct bsim_check *check,
                                          const struct bsim_patterns *patterns)
{
    size_t n = bsim_check_contents(check)->n_arrays;
    struct bsim_subject *subjects = bsim_mem_zeroed(n + 1, sizeof *subjects);
    if (subjects == NULL) {
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        const struct bsim_check_array *array = &bsim_check_contents(check)->array[i];
        subjects[i].array = array;
        subjects[i].alignment = array->alignment;
        subjects[i].n_elements = array->size_bytes / array->element_bytes;
    }
    note_accesses(patterns, subjects);
    for (size_t i = 0; i < n; i++) {
        shape(&subjects[i]);
    }
    return subjects;
}

/* ---- what no layout changes ---------------------------------------------------------------- */

static void add_load(struct bsim_advice_load *load, const struct bsim_pattern *pattern)
{
    load->requests += pattern->times;
    load->ideal += pattern->times * pattern->ideal;
    load->least += pattern->times * pattern->least;
}

/* Keeps the bound that makes the most of all wavefronts. */
static void note_bound(const struct bsim_pattern *pattern, uint64_t *most,
                       struct bsim_advice *advice)
{
    uint64_t more = pattern->times * (pattern->least - pattern->ideal);
    if (pattern->bound.bytes > 0 && pattern->least > pattern->ideal && more > *most) {
        *most = more;
        advice->bound = pattern->bound;
    }
}

static void note_loads(const struct bsim_patterns *patterns, struct bsim_advice *advice)
{
    uint64_t most = 0;
    advice->n_patterns = patterns->n;
    for (size_t i = 0; i < patterns->n; i++) {
        const struct bsim_pattern *pattern = &patterns->item[i];
        add_load(&advice->access[pattern->access], pattern);
        add_load(&advice->total, pattern);
        note_bound(pattern, &most, advice);
        advice->rules |= pattern->rules;
        advice->is_joint = advice->is_joint || bsim_pattern_is_mixed(pattern);
        for (size_t array = 0; array < advice->n_arrays; array++) {
            advice->touches[pattern->access * advice->n_arrays + array] |=
                bsim_pattern_touches(pattern, (uint32_t)array);
        }
    }
}

/* ---- what accesses look like --------------------------------------------------------------- */

/* Irregular is an access of which most requests are. None of its patterns has a weight if it is to
 * be left out. irregular: by access, 0. */
static void note_shapes(struct bsim_patterns *patterns, const struct bsim_subject *subjects,
                        struct bsim_advice *advice, bool leaves_out, uint64_t *irregular)
{
    for (size_t i = 0; i < patterns->n; i++) {
        const struct bsim_pattern *pattern = &patterns->item[i];
        irregular[pattern->access] +=
            bsim_pattern_is_regular(pattern, subjects) ? 0 : pattern->times;
    }
    for (size_t i = 0; i < advice->n_accesses; i++) {
        advice->shape[i].twin = BSIM_ADVISE_NO_TWIN;
        advice->shape[i].is_irregular = irregular[i] > advice->access[i].requests / 2;
    }
    for (size_t i = 0; i < patterns->n; i++) {
        struct bsim_pattern *pattern = &patterns->item[i];
        bool is_left_out = leaves_out && advice->shape[pattern->access].is_irregular;
        pattern->weight = is_left_out ? 0 : pattern->times;
    }
}

static bool find_shapes(struct bsim_patterns *patterns, const struct bsim_subject *subjects,
                        struct bsim_advice *advice, bool leaves_out)
{
    uint64_t *irregular = bsim_mem_zeroed(advice->n_accesses + 1, sizeof *irregular);
    if (irregular != NULL) {
        note_shapes(patterns, subjects, advice, leaves_out, irregular);
    }
    bsim_mem_free(irregular);
    return irregular != NULL;
}

/* Arrays of which the plans have to tell two indices. */
static void find_flat(const struct bsim_check *check, const struct bsim_patterns *patterns,
                      struct bsim_advice *advice, struct bsim_subject *subjects)
{
    for (size_t array = 0; array < advice->n_arrays; array++) {
        advice->flat[array] = BSIM_ADVISE_NO_FLAT;
        for (size_t access = advice->n_accesses; access-- > 0;) {
            if (advice->touches[access * advice->n_arrays + array] &&
                !bsim_access_is_written(check, patterns, access, (uint32_t)array)) {
                advice->shape[access].is_flat = true;
                advice->flat[array] = access;
                subjects[array].is_flat = true;
            }
        }
    }
}

/* ---- the advice ---------------------------------------------------------------------------- */

static void free_plans(size_t n, struct bsim_advice_plan *plan)
{
    for (size_t i = 0; i < n; i++) {
        bsim_plan_free(&plan[i]);
    }
    bsim_mem_free(plan);
}

void bsim_advice_free(struct bsim_advice *advice)
{
    if (advice == NULL) {
        return;
    }
    free_plans(advice->n_plans, advice->plan);
    for (size_t i = 0; advice->hint != NULL && i < advice->n_accesses; i++) {
        free_plans(advice->hint[i].n_plans, advice->hint[i].plan);
        bsim_buffer_free(&advice->hint[i].remedy);
    }
    bsim_plan_free(&advice->before);
    bsim_mem_free(advice->hint);
    bsim_mem_free(advice->shape);
    bsim_mem_free(advice->flat);
    bsim_mem_free(advice->tried);
    bsim_mem_free(advice->candidate);
    bsim_mem_free(advice->access);
    bsim_mem_free(advice->touches);
    bsim_mem_free(advice);
}

/* With loads and costs as things are. hints: for these. NULL when memory is short. */
static struct bsim_advice *make_advice(const struct bsim_check *check,
                                       const struct bsim_device *device,
                                       struct bsim_patterns *patterns,
                                       const struct bsim_subject *subjects, bool hints)
{
    struct bsim_advice *advice = bsim_mem_zeroed(1, sizeof *advice);
    if (advice == NULL) {
        return NULL;
    }
    advice->device = *device;
    advice->n_arrays = bsim_check_contents(check)->n_arrays;
    advice->n_accesses = bsim_check_contents(check)->n_accesses;
    advice->access = bsim_mem_zeroed(advice->n_accesses + 1, sizeof *advice->access);
    advice->touches =
        bsim_mem_zeroed(advice->n_accesses * advice->n_arrays + 1, sizeof *advice->touches);
    advice->shape = bsim_mem_zeroed(advice->n_accesses + 1, sizeof *advice->shape);
    advice->tried = bsim_mem_zeroed(advice->n_arrays + 1, sizeof *advice->tried);
    advice->flat = bsim_mem_zeroed(advice->n_arrays + 1, sizeof *advice->flat);
    if (advice->flat == NULL || !bsim_plan_begin(advice, &advice->before) ||
        advice->access == NULL || advice->touches == NULL || advice->shape == NULL ||
        advice->tried == NULL) {
        bsim_advice_free(advice);
        return NULL;
    }
    note_loads(patterns, advice);
    for (size_t i = 0; i < advice->n_accesses; i++) {
        advice->is_sample = advice->is_sample || bsim_check_contents(check)->access[i].one_in > 1;
    }
    /* of a check all requests there are were written down: what is found for them is no sample */
    if (!find_shapes(patterns, subjects, advice,
                     hints || bsim_check_contents(check)->recorded != NULL)) {
        bsim_advice_free(advice);
        return NULL;
    }
    return advice;
}

/* What is told can be pasted: a declaration does not outgrow the limit of those that are not
 * extern. */
static uint32_t most_bytes(const struct bsim_device *device, uint32_t shared_bytes)
{
    return shared_bytes <= BSIM_STATIC_SHARED_BYTES &&
                   device->shared_per_block_bytes > BSIM_STATIC_SHARED_BYTES
               ? BSIM_STATIC_SHARED_BYTES
               : device->shared_per_block_bytes;
}

/* Whether the best plan is what the single arrays add up to, each with a layout that no linear one
 * beats. */
static bool is_best_linear(const struct bsim_search *search)
{
    const struct bsim_advice *advice = search->advice;
    uint64_t sum = advice->before.total.wavefronts;
    uint64_t found = advice->n_plans > 0 ? advice->plan[0].total.wavefronts : sum;
    for (size_t i = 0; i < search->n_arrays; i++) {
        if (search->subjects[i].widest > 0 && !search->is_best[i]) {
            return false;
        }
        sum -= search->gain[i];
    }
    for (size_t i = 0; i < search->patterns->n; i++) {
        if (search->patterns->item[i].weight == 0) {
            return false;
        }
    }
    return !advice->is_joint && found <= sum;
}

/* Whether the best plan of narrower arrays leaves wavefronts, or takes as many bytes as there are: then all
 * columns may stay. */
static bool leaves_something(const struct bsim_advice *advice)
{
    const struct bsim_advice_plan *plan = bsim_advice_least(advice);
    return plan->total.wavefronts > advice->total.least ||
           plan->shared_bytes >= advice->before.shared_bytes;
}

/* Plans of narrower arrays and, if they leave something, of the arrays as they are. False when memory is
 * short. */
static bool find_plans(struct bsim_search *search, struct bsim_patterns *patterns,
                       struct bsim_subject *subjects)
{
    struct bsim_advice *advice = search->advice;
    struct bsim_narrowing narrowing = {.is_narrower = false};
    bool fine =
        advice->is_sample || bsim_narrow_begin(&narrowing, patterns, subjects, search->n_arrays);
    if (narrowing.is_narrower) {
        fine = fine && bsim_search_run(search) && bsim_plans_make(search);
    }
    bsim_narrow_end(&narrowing, patterns, subjects);
    if (fine && (!narrowing.is_narrower || leaves_something(advice))) {
        fine = bsim_search_run(search) && bsim_plans_make(search);
        advice->is_best_linear = fine && !advice->is_sample && is_best_linear(search);
    }
    return fine;
}

static enum bsim_status search_all(struct bsim_search *search, struct bsim_patterns *patterns,
                                   struct bsim_subject *subjects, size_t n_plans,
                                   struct bsim_error *err)
{
    struct bsim_advice *advice = search->advice;
    advice->most_bytes = UINT32_MAX; /* as things are, they are as large as they are */
    bool fine = bsim_search_begin(search) && bsim_plan_fill(search, &advice->before);
    enum bsim_status status =
        fine ? bsim_device_check_shared(search->device, advice->before.shared_bytes, err) : BSIM_OK;
    if (status != BSIM_OK) {
        return status;
    }
    if (fine && advice->before.occupancy.by_registers == 0) {
        return bsim_error_set(
            err, BSIM_E_USAGE,
            "%u registers per thread: no such block can run on %s, where a thread "
            "has at most %u and a block %u",
            (unsigned)search->registers, search->device->name,
            (unsigned)search->device->registers_per_thread,
            (unsigned)search->device->registers_per_block);
    }
    advice->most_bytes = most_bytes(search->device, advice->before.shared_bytes);
    fine = fine && bsim_twins_find(search) &&
           (search->careful ? bsim_search_run(search) && bsim_hints_make(search)
                            : find_plans(search, patterns, subjects));
    status = !fine ? bsim_mem_short(err) : search->careful ? BSIM_OK : bsim_plans_time(search, err);
    bsim_plans_keep(advice, n_plans); /* a slower one may have fewer wavefronts */
    return status;
}

static uint32_t n_threads(const struct bsim_check *check)
{
    const struct bsim_dim3 *block = &bsim_check_contents(check)->kernel->block;
    return block->x * block->y * block->z;
}

/* Those that were asked for, or that what was recorded says. */
static uint32_t registers_of(const struct bsim_check *check, const struct bsim_advise_options *options)
{
    const struct bsim_recorded *recorded = bsim_check_contents(check)->recorded;
    uint32_t asked = options != NULL ? options->registers : 0;
    return asked > 0 || recorded == NULL ? asked : recorded->kernel->registers;
}

static size_t wanted_plans(const struct bsim_advise_options *options)
{
    size_t n = options != NULL && options->n_plans > 0 ? options->n_plans : USUAL_PLANS;
    return n < BSIM_ADVISE_MAX_PLANS ? n : BSIM_ADVISE_MAX_PLANS;
}

static enum bsim_status advise_on(const struct bsim_check *check, struct bsim_patterns *patterns,
                                  const struct bsim_advise_options *options,
                                  struct bsim_advice **advice, struct bsim_error *err)
{
    struct bsim_subject *subjects = make_subjects(check, patterns);
    size_t n_arrays = bsim_check_contents(check)->n_arrays;
    struct bsim_advice *made = subjects != NULL && bsim_bounds_raise(patterns, subjects, n_arrays)
                                   ? make_advice(check, patterns->device, patterns, subjects,
                                                 options != NULL && options->hints)
                                   : NULL;
    struct bsim_search search = {.check = check,
                                 .device = patterns->device,
                                 .patterns = patterns,
                                 .subjects = subjects,
                                 .n_arrays = n_arrays,
                                 .n_threads = n_threads(check),
                                 .registers = registers_of(check, options),
                                 .all = options != NULL && options->all,
                                 .careful = options != NULL && options->hints,
                                 .cost = {.device = patterns->device, .subjects = subjects},
                                 .advice = made};
    if (subjects != NULL && made != NULL) {
        find_flat(check, patterns, made, subjects);
    }
    enum bsim_status status =
        subjects != NULL && made != NULL
            ? search_all(&search, patterns, subjects, wanted_plans(options), err)
            : bsim_mem_short(err);
    if (status == BSIM_OK && search.careful) {
        status = bsim_remedies_write(check, made, err);
    }
    bsim_search_end(&search);
    bsim_mem_free(subjects);
    if (status != BSIM_OK) {
        bsim_advice_free(made);
        return status;
    }
    *advice = made;
    return BSIM_OK;
}

enum bsim_status bsim_advise(const struct bsim_check *check, const struct bsim_device *device,
                             const struct bsim_advise_options *options, struct bsim_advice **advice,
                             struct bsim_error *err)
{
    struct bsim_patterns patterns = {.device = device, .most = BSIM_ADVISE_MAX_PATTERNS};
    if (bsim_check_contents(check)->n_indices > 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "no layout is fitted to indices that data decide: leave out the "
                              "accesses that have them");
    }
    enum bsim_status status = bsim_patterns_collect(&patterns, check, err);
    if (status == BSIM_OK) {
        status = advise_on(check, &patterns, options, advice, err);
    }
    bsim_patterns_free(&patterns);
    return status;
}
