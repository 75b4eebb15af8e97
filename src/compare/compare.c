/* compare.c - launches beside the kernels of their name, metric by metric. */
#include "base/mangled.h"
#include "base/memory.h"
#include "compare/compare.h"
#include "compare/number.h"

#include <banksim/report.h>
#include <banksim/emulator.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_NAME = 80 };

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
    if (name[0] == '\0' || strstr(launched, name) == NULL) {
        return launched[0] == '\0' && name[0] == '\0';
    }
    return strcmp(launched, name) == 0 || matches_demangled(launched, name) ||
           matches_mangled(launched, name);
}

/* A function's name without return type, parameters and blanks; "" for one that is too long. */
struct spelling {
    char text[BSIM_MANGLED_BYTES];
    bool is_base; /* neither a template's arguments nor parameters: ncu may have left both out */
};

/* The length of an argument that the reader of mangled names writes in another way; *is is how. */
static size_t other_argument(const char *at, const char **is)
{
    static const char *const words[][2] = {
        {"true", "1"}, {"false", "0"}, {"unsigned int", "unsigned"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i][0]);
        if (strncmp(at, words[i][0], n) == 0 && (at[n] == ',' || at[n] == '>')) {
            *is = words[i][1];
            return n;
        }
    }
    *is = "";
    return 0;
}

/* Behind what stands before an argument's value, as "(int)" does, and behind the argument if it is
 * one of those above. */
static const char *begin_argument(const char *at, const char **is)
{
    at += strspn(at, " ");
    const char *end = *at == '(' ? strchr(at, ')') : NULL;
    at = end != NULL ? end + 1 : at;
    return at + other_argument(at, is);
}

static struct spelling spell(const char *name)
{
    struct spelling spelling = {.is_base = true};
    const char *at = name + (strncmp(name, "void ", 5) == 0 ? 5 : 0);
    size_t used = 0;
    for (int depth = 0; *at != '\0' && (depth > 0 || *at != '(');) {
        const char *is = "";
        char c = *at++;
        depth += (c == '<') - (c == '>');
        at = c == '<' || c == ',' ? begin_argument(at, &is) : at;
        if (used + 1 + strlen(is) >= sizeof spelling.text) {
            return (struct spelling){.is_base = false};
        }
        if (c != ' ') {
            spelling.text[used++] = c;
        }
        memcpy(spelling.text + used, is, strlen(is));
        used += strlen(is);
    }
    spelling.is_base = *at == '\0' && strchr(spelling.text, '<') == NULL;
    return spelling;
}

/* True if the report's name is the kernel's, which is as its source has it or mangled. */
static bool is_spelled(const struct spelling *launched, const char *kernel)
{
    char plain[BSIM_MANGLED_BYTES];
    struct spelling name = spell(bsim_mangled_name(kernel, plain, sizeof plain) ? plain : kernel);
    if (launched->is_base) {
        name.text[strcspn(name.text, "<")] = '\0';
    }
    return name.text[0] != '\0' && strcmp(launched->text, name.text) == 0;
}

/* Behind blanks, "const" and the int of "unsigned int", which reports write in another way. */
static const char *skip_spelling(const char *start, const char *at)
{
    static const char unsigned_[] = "unsigned ";
    const ptrdiff_t n = sizeof unsigned_ - 1;
    for (;;) {
        bool begins = at == start || !is_word(at[-1]);
        if (*at == ' ') {
            at++;
        } else if (begins && strncmp(at, "const", 5) == 0 && !is_word(at[5])) {
            at += 5;
        } else if (at - start >= n && memcmp(at - n, unsigned_, (size_t)n) == 0 &&
                   strncmp(at, "int", 3) == 0 && !is_word(at[3])) {
            at += 3;
        } else {
            return at;
        }
    }
}

/* What stands between the last brackets, if the name ends with them; else "". */
static const char *parameters_of(const char *name)
{
    size_t n = strlen(name);
    int depth = 0;
    while (n > 0 && (depth > 0 || name[n - 1] == ')')) {
        n--;
        depth += (name[n] == ')') - (name[n] == '(');
        if (depth == 0) {
            return name + n;
        }
    }
    return "";
}

/* True if the report's name has the parameters of the kernel, which is mangled. */
static bool has_parameters(const char *launched, const char *kernel)
{
    char signature[BSIM_MANGLED_BYTES];
    if (!bsim_mangled_signature(kernel, signature, sizeof signature)) {
        return false;
    }
    const char *a = parameters_of(launched), *b = parameters_of(signature);
    const char *start_a = a, *start_b = b;
    bool is = *a != '\0';
    while (is && *a != '\0') {
        a = skip_spelling(start_a, a);
        b = skip_spelling(start_b, b);
        is = *a == *b;
        a += *a != '\0';
        b += *b != '\0';
    }
    return is;
}

/* True if the launch has one of the words as its name. */
static bool matches_any(const char *launched, const char *words)
{
    enum { NAME_SIZE = 80 };
    char name[NAME_SIZE];
    for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (n < sizeof name) {
            memcpy(name, at, n);
            name[n] = '\0';
            if (bsim_ncu_name_matches(launched, name)) {
                return true;
            }
        }
        at += n;
    }
    return false;
}

/* The original names of the emulator of that name; "" if there is none. */
static const char *originals_of(const char *name)
{
    const struct bsim_emulator *emulator;
    for (size_t i = 0; (emulator = bsim_emulator_at(i)) != NULL; i++) {
        if (strcmp(emulator->name, name) == 0) {
            return emulator->original;
        }
    }
    return "";
}

/* ---- partners -------------------------------------------------------------------------------- */

/* The kernels of one name. */
struct group {
    const char *name;
    const char *originals; /* other names of it, with blanks between */
    const size_t *kernel;  /* in the result's order */
    size_t n_kernels;
    size_t n_launches;
    size_t n_given; /* launches that have got their kernel */
};

/* All of them, by their first kernels: names are looked at once for each launch, whatever the
 * number of kernels that share one. */
struct groups {
    struct group *group;
    size_t n;
    size_t *kernel; /* of all groups */
};

struct named {
    const char *name;
    size_t kernel;
};

static int compare_names(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : a->kernel < b->kernel ? -1 : 1;
}

static int compare_groups(const void *left, const void *right)
{
    const struct group *a = left, *b = right;
    return a->kernel[0] < b->kernel[0] ? -1 : 1;
}

static void free_groups(struct groups *groups)
{
    bsim_mem_free(groups->group);
    bsim_mem_free(groups->kernel);
}

/* False when memory is short; to be freed in either case. */
static bool make_groups(const struct bsim_result *result, struct groups *groups)
{
    size_t n = result->n_kernels;
    struct named *named = bsim_mem_zeroed(n + 1, sizeof *named);
    *groups = (struct groups){bsim_mem_zeroed(n + 1, sizeof *groups->group), 0,
                              bsim_mem_zeroed(n + 1, sizeof *groups->kernel)};
    if (named == NULL || groups->group == NULL || groups->kernel == NULL) {
        bsim_mem_free(named);
        return false;
    }
    for (size_t k = 0; k < n; k++) {
        named[k] = (struct named){result->kernels[k].name, k};
    }
    qsort(named, n, sizeof *named, compare_names);
    for (size_t i = 0; i < n; i++) {
        groups->kernel[i] = named[i].kernel;
        if (i == 0 || strcmp(named[i].name, named[i - 1].name) != 0) {
            groups->group[groups->n++] = (struct group){.name = named[i].name,
                                                        .originals = originals_of(named[i].name),
                                                        .kernel = &groups->kernel[i]};
        }
        groups->group[groups->n - 1].n_kernels++;
    }
    qsort(groups->group, groups->n, sizeof *groups->group, compare_groups);
    bsim_mem_free(named);
    return true;
}

static bool same_size(struct bsim_dim3 a, struct bsim_dim3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_as_large(const struct bsim_kernel_result *kernel,
                        const struct bsim_ncu_launch *launch)
{
    return same_size(kernel->grid, launch->grid) && same_size(kernel->block, launch->block);
}

/* One of the group's kernels is as large as the launch. */
static bool has_size_of(const struct bsim_result *result, const struct group *group,
                        const struct bsim_ncu_launch *launch)
{
    for (size_t i = 0; i < group->n_kernels; i++) {
        if (is_as_large(&result->kernels[group->kernel[i]], launch)) {
            return true;
        }
    }
    return false;
}

/* Groups that have the launch's name as an original one; `sized`: and its size. */
struct originals {
    struct group *first, *second; /* or NULL */
    size_t n;
};

static struct originals find_originals(const struct bsim_result *result,
                                       const struct groups *groups,
                                       const struct bsim_ncu_launch *launch, bool sized)
{
    struct originals found = {NULL, NULL, 0};
    for (size_t i = 0; i < groups->n; i++) {
        struct group *group = &groups->group[i];
        if (matches_any(launch->kernel, group->originals) &&
            (!sized || has_size_of(result, group, launch))) {
            found.second = found.n == 1 ? group : found.second;
            found.first = found.n == 0 ? group : found.first;
            found.n++;
        }
    }
    return found;
}

/* Of the groups that the launch's name spells the one that has its parameters, too, if it is one. */
static struct group *find_overload(const struct groups *groups,
                                   const struct bsim_ncu_launch *launch)
{
    struct spelling launched = spell(launch->kernel);
    struct group *found = NULL;
    size_t n = 0;
    for (size_t i = 0; i < groups->n; i++) {
        struct group *group = &groups->group[i];
        if (is_spelled(&launched, group->name) && has_parameters(launch->kernel, group->name)) {
            found = group;
            n++;
        }
    }
    return n == 1 ? found : NULL;
}

/* The one group that the launch's name spells, or NULL. */
static enum bsim_status find_spelled(const struct groups *groups,
                                     const struct bsim_ncu_launch *launch, struct group **group,
                                     struct bsim_error *err)
{
    struct spelling launched = spell(launch->kernel);
    struct group *overload = find_overload(groups, launch);
    *group = overload;
    for (size_t i = 0; i < groups->n && overload == NULL; i++) {
        if (!is_spelled(&launched, groups->group[i].name)) {
            continue;
        }
        if (*group != NULL) {
            return bsim_error_set(
                err, BSIM_E_INPUT,
                "launch %llu, '%.*s', may be %.*s or %.*s: give the traces of one "
                "of them, or a report of ncu --print-kernel-base mangled",
                (unsigned long long)launch->id, SHOWN_NAME, launch->kernel, SHOWN_NAME,
                (*group)->name, SHOWN_NAME, groups->group[i].name);
        }
        *group = &groups->group[i];
    }
    return BSIM_OK;
}

/* The launch's group, NULL if it has none: the first of its name, or else the one mangled kernel
 * that it spells, or else the one emulator of that original name, by its size if there are several.
 */
static enum bsim_status find_group(const struct bsim_result *result, const struct groups *groups,
                                   const struct bsim_ncu_launch *launch, struct group **group,
                                   struct bsim_error *err)
{
    for (size_t i = 0; i < groups->n; i++) {
        if (bsim_ncu_name_matches(launch->kernel, groups->group[i].name)) {
            *group = &groups->group[i];
            return BSIM_OK;
        }
    }
    enum bsim_status status = find_spelled(groups, launch, group, err);
    if (status != BSIM_OK || *group != NULL) {
        return status;
    }
    struct originals all = find_originals(result, groups, launch, false);
    struct originals sized = find_originals(result, groups, launch, true);
    *group = all.n > 1 && sized.n == 1 ? sized.first : all.first;
    if (all.n < 2 || sized.n == 1) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "launch %llu, '%.*s', may be %s, %s%s: give the traces of one of them",
                          (unsigned long long)launch->id, SHOWN_NAME, launch->kernel,
                          all.first->name, all.second->name, all.n > 2 ? " or others" : "");
}

/* A launch's kernel: the next one of its name if there are as many as launches, else the first that
 * is as large, or just the first. */
static size_t choose(const struct bsim_result *result, const struct bsim_ncu_launch *launch,
                     struct group *group)
{
    if (group->n_launches == group->n_kernels) {
        return group->kernel[group->n_given++];
    }
    for (size_t i = 0; i < group->n_kernels; i++) {
        if (is_as_large(&result->kernels[group->kernel[i]], launch)) {
            return group->kernel[i];
        }
    }
    return group->kernel[0];
}

/* Fills kernel_of and is_launched; `of` is for each launch's group. */
static enum bsim_status pair(struct bsim_comparison *comparison, const struct bsim_result *result,
                             const struct bsim_ncu_report *report, const struct groups *groups,
                             struct group **of, struct bsim_error *err)
{
    for (size_t l = 0; l < report->n_launches; l++) {
        enum bsim_status status = find_group(result, groups, &report->launches[l], &of[l], err);
        if (status != BSIM_OK) {
            return status;
        }
        if (of[l] != NULL) {
            of[l]->n_launches++;
        }
    }
    for (size_t l = 0; l < report->n_launches; l++) {
        comparison->kernel_of[l] = BSIM_NO_PARTNER;
        if (of[l] != NULL) {
            size_t kernel = choose(result, &report->launches[l], of[l]);
            comparison->kernel_of[l] = (ptrdiff_t)kernel;
            comparison->n_matched += !comparison->is_launched[kernel];
            comparison->is_launched[kernel] = true;
        }
    }
    return BSIM_OK;
}

/* The same, with the memory for it. */
static enum bsim_status pair_up(struct bsim_comparison *comparison,
                                const struct bsim_result *result,
                                const struct bsim_ncu_report *report, struct bsim_error *err)
{
    struct groups groups;
    struct group **of = bsim_mem_zeroed(report->n_launches + 1, sizeof *of);
    comparison->kernel_of = bsim_mem_zeroed(report->n_launches + 1, sizeof *comparison->kernel_of);
    comparison->is_launched =
        bsim_mem_zeroed(result->n_kernels + 1, sizeof *comparison->is_launched);
    bool has_room = make_groups(result, &groups) && of != NULL && comparison->kernel_of != NULL &&
                    comparison->is_launched != NULL;
    enum bsim_status status =
        has_room ? pair(comparison, result, report, &groups, of, err) : bsim_mem_short(err);
    free_groups(&groups);
    bsim_mem_free(of);
    return status;
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

/* Its place, or n. */
static size_t metric_named(const struct bsim_ncu_metric *metric, size_t n, const char *name)
{
    size_t m = 0;
    while (m < n && strcmp(metric[m].name, name) != 0) {
        m++;
    }
    return m;
}

static struct bsim_ncu_value value_named(const struct bsim_ncu_launch *launch,
                                         const struct bsim_ncu_metric *metric, size_t n,
                                         const char *name)
{
    size_t m = metric_named(metric, n, name);
    return m < n ? launch->value[m] : (struct bsim_ncu_value){false, 0};
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

/* True if all that it is more may be what the counter counts on top: the exact one is equal. */
static bool is_explained(const struct bsim_compared *row, const struct bsim_ncu_launch *launch,
                         const struct bsim_ncu_metric *metric, size_t n)
{
    if (row->metric.exact == NULL || !(row->measured > (double)row->metric.value)) {
        return false;
    }
    size_t m = metric_named(metric, n, row->metric.exact);
    return m < n && metric[m].apart == NULL && launch->value[m].is_known &&
           !(fabs(launch->value[m].number - (double)metric[m].value) > 0);
}

static enum bsim_status add_row(struct bsim_comparison *comparison, struct bsim_compared *row,
                                struct bsim_error *err)
{
    void *more = bsim_mem_grow(comparison->row, comparison->n_rows, sizeof *row);
    if (more == NULL) {
        return bsim_mem_short(err);
    }
    comparison->row = more;
    row->outcome = judge(row, comparison->options.tolerance);
    row->decides = comparison->options.all || row->metric.is_shared;
    size_t *n_of = row->decides ? comparison->n_of : comparison->n_aside;
    n_of[row->outcome]++;
    comparison->row[comparison->n_rows++] = *row;
    return BSIM_OK;
}

static enum bsim_status add_rows(struct bsim_comparison *comparison,
                                 const struct bsim_result *result,
                                 const struct bsim_ncu_report *report, size_t l,
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
        if (row.metric.apart == NULL && is_explained(&row, &report->launches[l], metric, n)) {
            row.metric.apart = row.metric.also;
        }
        if (value.is_known) {
            status = add_row(comparison, &row, err);
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

/* Something is to be decided, and there is something to decide by. */
static enum bsim_status check_rows(const struct bsim_comparison *comparison, struct bsim_error *err)
{
    const size_t *n_of = comparison->n_of;
    if (n_of[BSIM_EQUAL] + n_of[BSIM_WITHIN] + n_of[BSIM_DIFFERS] > 0) {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "the report has no comparable metric of these kernels%s; ask ncu for "
                          "them with --metrics, by the names that `banksim run --metrics ncu` "
                          "prints",
                          comparison->options.all ? "" : "' shared memory");
}

static enum bsim_status fill(struct bsim_comparison *comparison, const struct bsim_result *result,
                             const struct bsim_ncu_report *report, struct bsim_error *err)
{
    enum bsim_status status = pair_up(comparison, result, report, err);
    if (status != BSIM_OK) {
        return status;
    }
    if (comparison->n_matched == 0) {
        return nothing_matches(result, report, err);
    }
    for (size_t l = 0; l < report->n_launches && status == BSIM_OK; l++) {
        if (comparison->kernel_of[l] != BSIM_NO_PARTNER) {
            status = add_rows(comparison, result, report, l, err);
        }
    }
    return status == BSIM_OK ? check_rows(comparison, err) : status;
}

enum bsim_status bsim_compare(const struct bsim_result *result,
                              const struct bsim_ncu_report *report,
                              const struct bsim_compare_options *options,
                              struct bsim_comparison **comparison, struct bsim_error *err)
{
    struct bsim_comparison *made = bsim_mem_zeroed(1, sizeof *made);
    if (made == NULL) {
        return bsim_mem_short(err);
    }
    made->options = *options;
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
