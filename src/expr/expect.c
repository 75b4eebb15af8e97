/* expect.c - what is asserted of an access's counts: a C expression over their names. */
#include "expr/check.h"
#include "expr/eval.h"

#include <string.h>

static const char *const names[BSIM_CHECK_N_VALUES] = {
    "requests", "wavefronts", "ideal", "excessive", "conflicts",   "ways_min",
    "ways_max", "sectors",    "lines", "passes",    "shared_bytes"};

const char *bsim_check_value(const struct bsim_kernel_result *kernel, size_t access, uint32_t v,
                             uint64_t *value)
{
    const struct bsim_site_result *site = &kernel->sites[access];
    const struct bsim_tally *tally = &site->tally;
    const uint64_t values[BSIM_CHECK_N_VALUES] = {site->requests,
                                                  tally->wavefronts,
                                                  tally->ideal,
                                                  bsim_tally_excessive(tally),
                                                  bsim_tally_excessive(tally),
                                                  tally->ways_min,
                                                  tally->ways_max,
                                                  site->global.sectors,
                                                  site->global.lines,
                                                  site->constant_passes,
                                                  kernel->shared_bytes};
    *value = values[v];
    return names[v];
}

/* The counts' names, and before them nothing but constants and macros. */
static bool fill_scope(const struct bsim_check *check, struct bsim_scope *scope)
{
    for (uint32_t v = 0; v < BSIM_CHECK_N_VALUES; v++) {
        struct bsim_symbol symbol = {.name = names[v],
                                     .kind = BSIM_NODE_VALUE,
                                     .type = bsim_cu_scalar(CU_LONG),
                                     .number = v};
        if (!bsim_scope_add(scope, &symbol)) {
            return false;
        }
    }
    for (size_t i = 0; i < check->scope.n; i++) {
        enum bsim_node_kind kind = check->scope.symbol[i].kind;
        if ((kind == BSIM_NODE_NUMBER || kind == BSIM_NODE_MACRO) &&
            !check->scope.symbol[i].has_ended && !bsim_scope_add(scope, &check->scope.symbol[i])) {
            return false;
        }
    }
    return true;
}

static uint32_t uses_of(const struct bsim_node *node)
{
    if (node == NULL) {
        return 0;
    }
    uint32_t own = node->kind == BSIM_NODE_VALUE ? UINT32_C(1) << node->number : 0;
    return own | uses_of(node->a) | uses_of(node->b) | uses_of(node->c);
}

/* It is about all accesses since the expectation before it, so that one at the end leaves none out;
 * of two in a row both are about the same. */
static void choose_accesses(struct bsim_sketch *sketch, struct bsim_check_expectation *shown)
{
    size_t n = sketch->check->n_accesses;
    if (n > sketch->expect_from) {
        sketch->expect_first = sketch->expect_from;
        sketch->expect_n = n - sketch->expect_from;
        sketch->expect_from = n;
    }
    shown->first_access = sketch->expect_n > 0 ? sketch->expect_first : 0;
    shown->n_accesses = sketch->expect_n;
}

static bool read_one(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    struct bsim_check *check = sketch->check;
    struct bsim_expectation_plan plan = {.node = NULL};
    choose_accesses(sketch, &plan.shown);
    plan.node = bsim_build_integer(parse, bsim_parse_expression(parse));
    if (plan.node == NULL || !bsim_parse_end(parse)) {
        return false;
    }
    plan.shown.uses = uses_of(plan.node);
    if (plan.shown.uses == 0) {
        return bsim_parse_fail(
            parse, statement->at,
            "an expectation is about requests, wavefronts, ideal, excessive, "
            "conflicts, ways_min or ways_max; sectors or lines of global memory; "
            "passes of constant memory; shared_bytes of the block");
    }
    plan.shown.text = bsim_check_copy(check, &statement->source, statement->at, statement->end);
    if (plan.shown.text == NULL ||
        !bsim_check_grow((void **)&check->expectation, check->n_expectations,
                         sizeof *check->expectation)) {
        return bsim_parse_no_memory(parse);
    }
    if (statement->unit > 0) {
        plan.shown.file = statement->source.name;
        plan.shown.line = (uint32_t)bsim_cu_line(&statement->source, statement->from);
    }
    check->expectation[check->n_expectations++] = plan;
    return true;
}

bool bsim_sketch_read_expectation(struct bsim_sketch *sketch,
                                  const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    struct bsim_scope scope = {.symbol = NULL};
    parse->constant = true;
    parse->scope = &scope;
    bool done = fill_scope(sketch->check, &scope) ? read_one(sketch, statement)
                                                  : bsim_parse_no_memory(parse);
    parse->scope = &sketch->check->scope;
    parse->constant = false;
    bsim_scope_free(&scope);
    return done;
}

/* BSIM_E_INPUT if it is about sectors or lines that are not known. */
static enum bsim_status check_known(const struct bsim_check *check, size_t index,
                                    const struct bsim_kernel_result *kernel, size_t access, struct bsim_error *err)
{
    const struct bsim_check_access *shown = &bsim_check_contents(check)->access[access];
    const struct bsim_site_result *site = &kernel->sites[access];
    const struct bsim_check_expectation *expectation = &check->expectation[index].shown;
    bool is_known = site->requests == 0 || bsim_site_knows_sectors(site);
    for (uint32_t v = 0; v < BSIM_CHECK_N_VALUES && !is_known; v++) {
        bool is_of_sectors = strcmp(names[v], "sectors") == 0 || strcmp(names[v], "lines") == 0;
        if (is_of_sectors && (expectation->uses >> v & 1) != 0) {
            bool bypasses = shown->opcode.path == BSIM_BYPASS;
            return bsim_error_set(err, BSIM_E_INPUT, "%s %s: '%s' cannot be told, as its %s are not known: %s", shown->op,
                                  shown->text, expectation->text, names[v],
                                  bypasses ? "say behind a comma where it is from, as in a[i], g[i]"
                                           : "those of cp.async.cg are, cp.async.ca fetches through L1");
        }
    }
    return BSIM_OK;
}

enum bsim_status bsim_check_expect(const struct bsim_check *check, size_t index,
                                   const struct bsim_kernel_result *kernel, size_t access,
                                   bool *holds, struct bsim_error *err)
{
    uint64_t values[BSIM_CHECK_N_VALUES];
    for (uint32_t v = 0; v < BSIM_CHECK_N_VALUES; v++) {
        (void)bsim_check_value(kernel, access, v, &values[v]);
    }
    struct bsim_eval eval = {.values = values, .err = err};
    uint32_t truth = 0;
    enum bsim_status status = check_known(check, index, kernel, access, err);
    status = status == BSIM_OK ? bsim_eval_truth(&eval, check->expectation[index].node, 1, &truth) : status;
    if (status == BSIM_OK) {
        *holds = truth != 0;
    }
    return status;
}
