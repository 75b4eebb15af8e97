/* compare.c - launches beside the kernels of their name, metric by metric. */
#include "base/memory.h"
#include "compare/number.h"

#include <banksim/compare.h>

#include <math.h>
#include <string.h>

enum { FIRST_ROWS = 64, SHOWN_NAME = 80 };

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return c == '_' || c == '$' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z');
}

/* The name as a word of its own outside all brackets, before arguments or at the end. */
static bool matches_demangled(const char *launched, const char *name)
{
    size_t n = strlen(name);
    int depth = 0;
    for (const char *at = launched; *at != '\0'; at++) {
        if (depth == 0 && strncmp(at, name, n) == 0 && (at == launched || !is_word(at[-1])) &&
            (at[n] == '\0' || at[n] == '(' || at[n] == '<')) {
            return true;
        }
        depth += (strchr("(<[{", *at) != NULL) - (strchr(")>]}", *at) != NULL);
    }
    return false;
}

/* Behind the word that a mangled name has at `at`, with its length before it; *word is where it
 * begins, or NULL if there is none. A template's literal, "Li32E", is passed over whole. */
static const char *next_mangled(const char *at, const char **word, size_t *length)
{
    uint64_t n;
    *word = NULL;
    if (at[0] == 'L' && at[1] >= 'a' && at[1] <= 'z' && strchr(at, 'E') != NULL) {
        return strchr(at, 'E');
    }
    if (!bsim_ncu_count(&at, &n)) {
        return at + 1;
    }
    if (n > strlen(at)) {
        return at;
    }
    *word = at;
    *length = (size_t)n;
    return at + n;
}

/* "_Z", and behind it the name among the words. */
static bool matches_mangled(const char *launched, const char *name)
{
    if (strncmp(launched, "_Z", 2) != 0) {
        return false;
    }
    const char *at = launched + 2;
    while (*at != '\0') {
        const char *word;
        size_t length = 0;
        at = next_mangled(at, &word, &length);
        if (word != NULL && length == strlen(name) && memcmp(word, name, length) == 0) {
            return true;
        }
    }
    return false;
}

bool bsim_ncu_name_matches(const char *launched, const char *name)
{
    return strcmp(launched, name) == 0 || (name[0] != '\0' && (matches_demangled(launched, name) ||
                                                               matches_mangled(launched, name)));
}

/* ---- partners -------------------------------------------------------------------------------- */

/* How many launches a name has; kept at the first kernel of that name. */
struct group {
    size_t n_launches;
    size_t n_given; /* launches that have got their kernel */
};

static bool same_name(const struct bsim_result *result, size_t a, size_t b)
{
    return strcmp(result->kernels[a].name, result->kernels[b].name) == 0;
}

static ptrdiff_t first_of_name(const struct bsim_result *result, const char *launched)
{
    for (size_t k = 0; k < result->n_kernels; k++) {
        if (bsim_ncu_name_matches(launched, result->kernels[k].name)) {
            return (ptrdiff_t)k;
        }
    }
    return BSIM_NO_PARTNER;
}

static size_t count_of_name(const struct bsim_result *result, size_t first)
{
    size_t n = 0;
    for (size_t k = first; k < result->n_kernels; k++) {
        n += same_name(result, first, k);
    }
    return n;
}

static bool same_size(struct bsim_dim3 a, struct bsim_dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* The kernel of a launch whose name's first kernel is `first`; `turn`: which launch of that name it
 * is, if there are as many as kernels, else SIZE_MAX. */
static size_t choose(const struct bsim_result *result, const struct bsim_ncu_launch *launch,
                     size_t first, size_t turn)
{
    for (size_t k = first; k < result->n_kernels; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        if (!same_name(result, first, k)) {
            continue;
        }
        if (turn == 0 || (turn == SIZE_MAX && same_size(kernel->grid, launch->grid) &&
                          same_size(kernel->block, launch->block))) {
            return k;
        }
        turn -= turn != SIZE_MAX;
    }
    return first;
}

/* Fills kernel_of and is_launched. */
static void pair(struct bsim_comparison *comparison, const struct bsim_result *result,
                 const struct bsim_ncu_report *report, struct group *group)
{
    ptrdiff_t *kernel_of = comparison->kernel_of;
    for (size_t l = 0; l < report->n_launches; l++) {
        kernel_of[l] = first_of_name(result, report->launches[l].kernel);
        if (kernel_of[l] != BSIM_NO_PARTNER) {
            group[kernel_of[l]].n_launches++;
        }
    }
    for (size_t l = 0; l < report->n_launches; l++) {
        if (kernel_of[l] == BSIM_NO_PARTNER) {
            continue;
        }
        size_t first = (size_t)kernel_of[l];
        struct group *mine = &group[first];
        bool in_order = mine->n_launches == count_of_name(result, first);
        size_t turn = in_order ? mine->n_given++ : SIZE_MAX;
        size_t kernel = choose(result, &report->launches[l], first, turn);
        kernel_of[l] = (ptrdiff_t)kernel;
        comparison->n_matched += !comparison->is_launched[kernel];
        comparison->is_launched[kernel] = true;
    }
}

/* ---- rows ------------------------------------------------------------------------------------ */

static enum bsim_outcome judge(const struct bsim_compared *row, double tolerance)
{
    double difference = fabs(row->measured - (double)row->metric.value);
    if (row->metric.apart != NULL) {
        return BSIM_APART;
    }
    if (!(difference > 0)) {
        return BSIM_EQUAL;
    }
    return difference <= tolerance / 100 * fabs(row->measured) ? BSIM_WITHIN : BSIM_DIFFERS;
}

static struct bsim_ncu_value value_named(const struct bsim_ncu_launch *launch,
                                         const struct bsim_ncu_metric *metric, size_t n,
                                         const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(metric[i].name, name) == 0) {
            return launch->value[i];
        }
    }
    return (struct bsim_ncu_value){false, 0};
}

/* What the launch has for metric m. */
static struct bsim_ncu_value value_of(const struct bsim_ncu_launch *launch,
                                      const struct bsim_ncu_metric *metric, size_t n, size_t m)
{
    if (metric[m].minus[0] == NULL) {
        return launch->value[m];
    }
    struct bsim_ncu_value from = value_named(launch, metric, n, metric[m].minus[0]);
    struct bsim_ncu_value less = value_named(launch, metric, n, metric[m].minus[1]);
    return (struct bsim_ncu_value){from.is_known && less.is_known, from.number - less.number};
}

static enum bsim_status add_row(struct bsim_comparison *comparison, size_t *capacity,
                                struct bsim_compared *row, struct bsim_error *err)
{
    if (comparison->n_rows == *capacity) {
        size_t more = *capacity == 0 ? FIRST_ROWS : 2 * *capacity;
        void *bigger = bsim_mem_resize(comparison->row, more, sizeof *row);
        if (bigger == NULL) {
            return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
        }
        comparison->row = bigger;
        *capacity = more;
    }
    row->outcome = judge(row, comparison->tolerance);
    comparison->n_of[row->outcome]++;
    comparison->row[comparison->n_rows++] = *row;
    return BSIM_OK;
}

static enum bsim_status add_rows(struct bsim_comparison *comparison,
                                 const struct bsim_result *result,
                                 const struct bsim_ncu_report *report, size_t *capacity, size_t l,
                                 struct bsim_error *err)
{
    struct bsim_ncu_metric metric[BSIM_NCU_MAX_METRICS];
    size_t k = (size_t)comparison->kernel_of[l];
    size_t n = bsim_ncu_metrics(&result->kernels[k], metric);
    enum bsim_status status = BSIM_OK;
    for (size_t m = 0; m < n && status == BSIM_OK; m++) {
        struct bsim_ncu_value value = value_of(&report->launches[l], metric, n, m);
        struct bsim_compared row = {
            .kernel = k, .launch = l, .metric = metric[m], .measured = value.number};
        if (value.is_known) {
            status = add_row(comparison, capacity, &row, err);
        }
    }
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static enum bsim_status nothing_matches(const struct bsim_result *result,
                                        const struct bsim_ncu_report *report,
                                        struct bsim_error *err)
{
    if (result->n_kernels == 0 || report->n_launches == 0) {
        return bsim_error_set(err, BSIM_E_INPUT, "there is no kernel to compare");
    }
    return bsim_error_set(
        err, BSIM_E_INPUT,
        "no launch of the report is of a kernel in the traces: the report's first "
        "is '%.*s', the traces' first is '%.*s'; the name in a trace's kernel "
        "record is the function's",
        SHOWN_NAME, report->launches[0].kernel, SHOWN_NAME, result->kernels[0].name);
}

static enum bsim_status fill(struct bsim_comparison *comparison, const struct bsim_result *result,
                             const struct bsim_ncu_report *report, struct bsim_error *err)
{
    size_t capacity = 0;
    struct group *group = bsim_mem_zeroed(result->n_kernels + 1, sizeof *group);
    comparison->kernel_of = bsim_mem_zeroed(report->n_launches + 1, sizeof *comparison->kernel_of);
    comparison->is_launched =
        bsim_mem_zeroed(result->n_kernels + 1, sizeof *comparison->is_launched);
    if (group == NULL || comparison->kernel_of == NULL || comparison->is_launched == NULL) {
        bsim_mem_free(group);
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    pair(comparison, result, report, group);
    bsim_mem_free(group);
    if (comparison->n_matched == 0) {
        return nothing_matches(result, report, err);
    }
    enum bsim_status status = BSIM_OK;
    for (size_t l = 0; l < report->n_launches && status == BSIM_OK; l++) {
        if (comparison->kernel_of[l] != BSIM_NO_PARTNER) {
            status = add_rows(comparison, result, report, &capacity, l, err);
        }
    }
    if (status == BSIM_OK && comparison->n_rows == comparison->n_of[BSIM_APART]) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "the report has no comparable metric of these kernels; ask ncu for "
                              "them with --metrics, by the names that `banksim run --metrics ncu` "
                              "prints");
    }
    return status;
}

enum bsim_status bsim_compare(const struct bsim_result *result,
                              const struct bsim_ncu_report *report, double tolerance,
                              struct bsim_comparison **comparison, struct bsim_error *err)
{
    struct bsim_comparison *made = bsim_mem_zeroed(1, sizeof *made);
    if (made == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    made->tolerance = tolerance;
    made->n_launches = report->n_launches;
    made->n_kernels = result->n_kernels;
    enum bsim_status status = fill(made, result, report, err);
    if (status == BSIM_OK) {
        *comparison = made;
    } else {
        bsim_comparison_free(made);
    }
    return status;
}

void bsim_comparison_free(struct bsim_comparison *comparison)
{
    if (comparison != NULL) {
        bsim_mem_free(comparison->kernel_of);
        bsim_mem_free(comparison->is_launched);
        bsim_mem_free(comparison->row);
        bsim_mem_free(comparison);
    }
}
