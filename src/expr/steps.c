/* steps.c - the tree of what happens while it grows: a step, a variable, a value for it; and the
 * barriers, which a sketch and C spell alike. */
#include "expr/check.h"

struct bsim_step *bsim_sketch_add(struct bsim_sketch *sketch, enum bsim_step_kind kind,
                                  const struct cu_source *source, size_t at)
{
    struct bsim_step *step = bsim_cu_take(sketch->parse->file, sizeof *step);
    sketch->check->has_between = sketch->check->has_between || kind >= BSIM_STEP_SYNC;
    step->kind = kind;
    step->source = source;
    step->at = at;
    step->loop = BSIM_NO_LOOP;
    *sketch->tail = step;
    sketch->tail = &step->next;
    return step;
}

bool bsim_sketch_declare(struct bsim_sketch *sketch, const char *name, const struct cu_type *type,
                         size_t *number)
{
    struct bsim_symbol symbol = {.name = name, .kind = BSIM_NODE_VARIABLE, .type = type};
    if (!bsim_check_add_variable(sketch->check, number)) {
        return bsim_parse_no_memory(sketch->parse);
    }
    symbol.number = *number;
    return bsim_scope_add(&sketch->check->scope, &symbol) || bsim_parse_no_memory(sketch->parse);
}

bool bsim_sketch_set(struct bsim_sketch *sketch, const char *name, size_t number,
                     const struct bsim_node *node)
{
    struct bsim_step *step = bsim_sketch_add(sketch, BSIM_STEP_SET, node->source, node->at);
    step->variable = number;
    step->node = node;
    struct bsim_variable_known *known = &sketch->check->variable[number];
    if (known->space == BSIM_NO_SPACE) {
        known->space = bsim_check_space(sketch->check, node);
    }
    known->is_read_only = known->is_read_only || bsim_check_is_read_only(sketch->check, node);
    known->varies = known->varies || bsim_check_varies(sketch->check, node);
    sketch->set_name = name;
    sketch->set_variable = number;
    return true;
}

/* "sync", perhaps with the parentheses of a call */
bool bsim_sketch_read_sync(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    if (bsim_parse_take(parse, "(") && !bsim_parse_expect(parse, ")")) {
        return false;
    }
    return bsim_parse_end(parse) &&
           bsim_sketch_add(sketch, BSIM_STEP_SYNC, &statement->source, statement->from) != NULL;
}

/* "syncwarp", perhaps with parentheses and the lanes in them */
bool bsim_sketch_read_syncwarp(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    int64_t lanes = 0;
    if (bsim_parse_take(parse, "(") && !bsim_parse_take(parse, ")") &&
        (!bsim_parse_constant(parse, "a mask of lanes", 1, UINT32_MAX, &lanes) ||
         !bsim_parse_expect(parse, ")"))) {
        return false;
    }
    if (!bsim_parse_end(parse)) {
        return false;
    }
    struct bsim_step *step =
        bsim_sketch_add(sketch, BSIM_STEP_SYNCWARP, &statement->source, statement->from);
    step->lanes = (uint32_t)lanes;
    return true;
}

/* "fence" "proxy" "." "async" ["." ("shared" "::" ("cta" | "cluster") | "global")] */
bool bsim_sketch_read_fence(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    enum bsim_fence_scope scope = BSIM_NO_SCOPE;
    if (!bsim_parse_take(parse, "proxy") || !bsim_parse_take(parse, ".") || !bsim_parse_take(parse, "async")) {
        return bsim_parse_wants(parse, "proxy.async, which may have .shared::cta, .shared::cluster or .global behind it,");
    }
    if (bsim_parse_take(parse, ".")) {
        scope = BSIM_VIEW_GLOBAL;
        if (!bsim_parse_take(parse, "global")) {
            bool is_shared = bsim_parse_take(parse, "shared") && bsim_parse_take(parse, "::");
            scope = is_shared && bsim_parse_take(parse, "cta") ? BSIM_VIEW_SHARED : BSIM_VIEW_CLUSTER;
            if (!is_shared || (scope == BSIM_VIEW_CLUSTER && !bsim_parse_take(parse, "cluster"))) {
                return bsim_parse_wants(parse, "shared::cta, shared::cluster or global");
            }
        }
    }
    if (!bsim_parse_end(parse)) {
        return false;
    }
    struct bsim_step *step = bsim_sketch_add(sketch, BSIM_STEP_FENCE, &statement->source, statement->from);
    step->scope = scope;
    step->is_proxy = true;
    return true;
}
