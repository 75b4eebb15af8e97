/* seal.c - from statements to a check that can be evaluated: constants first, then the launch, the
 * arrays, the loops, what depends on them, and the accesses.
 *
 *     define NAME [=] CONSTANT               block, grid, blockidx X[,Y[,Z]] or XxYxZ  warp W
 *     for [TYPE] NAME = START : END [: STEP]          (END is not reached)
 *     for [TYPE] NAME = VALUE [, VALUE ...]
 *     let [TYPE] NAME = EXPR                 if EXPR
 */
#include "expr/check.h"
#include "expr/eval.h"
#include "expr/macro.h"

#include <inttypes.h>
#include <string.h>

static const int64_t far = INT64_C(1) << 62;

/* ---- defines --------------------------------------------------------------------------------- */

/* The name that a define begins with, as a token. */
static bool name_of(struct bsim_parse *parse, const struct bsim_statement *statement,
                    struct bsim_token *name)
{
    parse->source = &statement->source;
    parse->raw = true;
    bool read = bsim_parse_start(parse, statement->at, statement->source.length);
    parse->raw = false;
    *name = parse->token;
    return read;
}

/* The last define of the same name, in *last; *is_first: no earlier one has it. */
static bool find_last(const struct bsim_check *check, struct bsim_parse *parse,
                      const struct bsim_statement *define, const struct bsim_statement **last,
                      bool *is_first)
{
    struct bsim_token name;
    struct bsim_token other;
    bool is_behind = false;
    *last = define;
    *is_first = true;
    if (!name_of(parse, define, &name)) {
        return false;
    }
    for (const struct bsim_statement *s = check->first; s != NULL; s = s->next) {
        if (s->word != BSIM_WORD_DEFINE || s == define) {
            is_behind = is_behind || s == define;
            continue;
        }
        if (!name_of(parse, s, &other)) {
            return false;
        }
        if (other.length == name.length &&
            memcmp(s->source.text + other.at, define->source.text + name.at, name.length) == 0) {
            *is_first = *is_first && is_behind;
            *last = s;
        }
    }
    /* The define at hand is the last one itself if all others stand before it. */
    *last = *is_first ? *last : define;
    return true;
}

static bool read_define(struct bsim_check *check, struct bsim_parse *parse)
{
    struct bsim_symbol symbol = {.kind = BSIM_NODE_NUMBER};
    symbol.name = bsim_parse_new_name(parse);
    if (symbol.name == NULL) {
        return false;
    }
    (void)bsim_parse_take(parse, "=");
    parse->constant = true;
    const struct bsim_node *node = bsim_build_integer(parse, bsim_parse_expression(parse));
    parse->constant = false;
    if (node == NULL || !bsim_parse_end(parse)) {
        return false;
    }
    struct bsim_eval eval = {.err = parse->err};
    struct bsim_lanes lanes;
    parse->status = bsim_eval(&eval, node, 1, &lanes);
    if (parse->status != BSIM_OK) {
        return false;
    }
    symbol.type = node->type;
    symbol.number = lanes.value[0];
    return bsim_scope_add(&check->scope, &symbol) || bsim_parse_no_memory(parse);
}

/* A macro, or a number. */
static bool read_definition(struct bsim_check *check, struct bsim_parse *parse,
                            const struct bsim_statement *define)
{
    parse->raw = true;
    bool is_macro =
        bsim_parse_start(parse, define->at, define->source.length) && bsim_macro_begins(parse);
    bool done = is_macro && bsim_macro_define(parse, true);
    parse->raw = false;
    return is_macro ? done
                    : bsim_parse_start(parse, define->at, define->source.length) &&
                          read_define(check, parse);
}

/* A name that is defined again has its last value from the start, so that a command line can change
 * what a file defines. */
static bool seal_define(struct bsim_check *check, struct bsim_parse *parse,
                        const struct bsim_statement *statement)
{
    const struct bsim_statement *last;
    bool is_first;
    if (!find_last(check, parse, statement, &last, &is_first)) {
        return false;
    }
    if (!is_first) {
        return true;
    }
    parse->source = &last->source;
    return read_definition(check, parse, last);
}

/* ---- the launch ------------------------------------------------------------------------------ */

/* "," or the x of 32x8, which begins the name at hand. */
static bool take_times(struct bsim_parse *parse)
{
    bool is_x = parse->token.kind == BSIM_TOKEN_NAME && bsim_parse_text(parse)[0] == 'x';
    return is_x ? bsim_parse_start(parse, parse->token.at + 1, parse->end)
                : bsim_parse_take(parse, ",");
}

/* X[,Y[,Z]] or XxYxZ, each from least to most; what is left out is `least`. */
static bool read_dimensions(struct bsim_parse *parse, const char *what, uint32_t least,
                            uint32_t most, struct bsim_dim3 *out)
{
    int64_t value[3] = {least, least, least};
    size_t n = 0;
    do {
        if (!bsim_parse_constant(parse, what, least, most, &value[n])) {
            return false;
        }
        n++;
    } while (n < 3 && take_times(parse));
    *out = (struct bsim_dim3){(uint32_t)value[0], (uint32_t)value[1], (uint32_t)value[2]};
    return bsim_parse_end(parse);
}

static bool read_block(struct bsim_check *check, struct bsim_parse *parse)
{
    struct bsim_dim3 *block = &check->kernel.block;
    size_t at = parse->token.at;
    if (!read_dimensions(parse, "a block's extent", 1, BSIM_BLOCK_MAX_THREADS, block)) {
        return false;
    }
    if ((uint64_t)block->x * block->y * block->z > BSIM_BLOCK_MAX_THREADS) {
        return bsim_parse_fail(parse, at, "a block has at most %d threads, not %" PRIu64,
                               BSIM_BLOCK_MAX_THREADS, (uint64_t)block->x * block->y * block->z);
    }
    return true;
}

static bool read_warp(struct bsim_check *check, struct bsim_parse *parse)
{
    int64_t warp = 0;
    if (!bsim_parse_constant(parse, "a warp's number", 0, BSIM_BLOCK_MAX_WARPS - 1, &warp)) {
        return false;
    }
    check->warp = (uint32_t)warp;
    return bsim_parse_end(parse);
}

static uint32_t n_warps(const struct bsim_check *check)
{
    const struct bsim_dim3 *block = &check->kernel.block;
    return (block->x * block->y * block->z + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
}

/* What the launch's statements say together. `grid_given`: the grid is not to grow. */
static enum bsim_status check_launch(struct bsim_check *check, bool grid_given,
                                     struct bsim_error *err)
{
    struct bsim_dim3 *grid = &check->kernel.grid;
    const struct bsim_dim3 *at = &check->block;
    if (!grid_given) {
        *grid = (struct bsim_dim3){at->x + 1, at->y + 1, at->z + 1};
    }
    if (at->x >= grid->x || at->y >= grid->y || at->z >= grid->z) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "blockidx %" PRIu32 ",%" PRIu32 ",%" PRIu32
                              " is outside of grid %" PRIu32 ",%" PRIu32 ",%" PRIu32,
                              at->x, at->y, at->z, grid->x, grid->y, grid->z);
    }
    if (check->warp != BSIM_ALL_WARPS && check->warp >= n_warps(check)) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "warp %" PRIu32 " is outside of the block, which has %" PRIu32
                              " warp%s (from 0)",
                              check->warp, n_warps(check), n_warps(check) == 1 ? "" : "s");
    }
    return BSIM_OK;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* [TYPE]: an integer type, int if there is none. */
static const struct bsim_type *read_loop_type(struct bsim_parse *parse)
{
    if (!bsim_parse_sees_type(parse)) {
        return bsim_type_scalar(BSIM_TYPE_INT);
    }
    size_t at = parse->token.at;
    const struct bsim_type *type = bsim_parse_base_type(parse);
    if (type != NULL && !bsim_type_is_integer(type)) {
        (void)bsim_parse_fail(parse, at, "a loop's variable is an integer");
        return NULL;
    }
    return type;
}

static bool read_bound(struct bsim_parse *parse, const struct bsim_type *type, int64_t *value)
{
    int64_t most = type->size >= 8 ? far : (int64_t)((UINT64_C(1) << (8 * type->size)) - 1);
    int64_t least = 0;
    if (bsim_type_is_signed(type)) {
        most = type->size >= 8 ? far : most / 2;
        least = type->size >= 8 ? -far : -most - 1;
    }
    return bsim_parse_constant(parse, "a loop's value", least, most, value);
}

/* START ":" END [":" STEP], behind START */
static bool read_range(struct bsim_parse *parse, const struct bsim_type *type, size_t at,
                       struct bsim_loop *loop)
{
    int64_t end = 0;
    loop->step = 1;
    if (!read_bound(parse, type, &end)) {
        return false;
    }
    if (bsim_parse_take(parse, ":") &&
        !bsim_parse_constant(parse, "a loop's step", -far, far, &loop->step)) {
        return false;
    }
    if (loop->step == 0) {
        return bsim_parse_fail(parse, at, "a loop with a step of 0 does not end");
    }
    bool up = loop->step > 0;
    if (up ? loop->start >= end : loop->start <= end) {
        return bsim_parse_fail(parse, at, "this loop has no turn");
    }
    uint64_t distance = (uint64_t)(up ? end - loop->start : loop->start - end);
    uint64_t step = (uint64_t)(up ? loop->step : -loop->step);
    loop->n = (distance - 1) / step + 1;
    return true;
}

/* ("," VALUE)*, behind the first */
static bool read_list(struct bsim_parse *parse, const struct bsim_type *type, int64_t first,
                      struct bsim_loop *loop)
{
    int64_t *value = bsim_arena_take(parse->arena, (parse->end + 1) * sizeof *value);
    if (value == NULL) {
        return bsim_parse_no_memory(parse);
    }
    value[loop->n++] = first;
    while (bsim_parse_take(parse, ",")) {
        if (!read_bound(parse, type, &value[loop->n++])) {
            return false;
        }
    }
    loop->value = value;
    return true;
}

static bool read_loop(struct bsim_check *check, struct bsim_parse *parse)
{
    struct bsim_loop loop = {NULL, 0, 0, 0};
    const struct bsim_type *type = read_loop_type(parse);
    const char *name = type == NULL ? NULL : bsim_parse_new_name(parse);
    size_t at = parse->token.at;
    if (name == NULL || !bsim_parse_expect(parse, "=") || !read_bound(parse, type, &loop.start)) {
        return false;
    }
    bool read = bsim_parse_take(parse, ":") ? read_range(parse, type, at, &loop)
                                            : read_list(parse, type, loop.start, &loop);
    if (!read || !bsim_parse_end(parse)) {
        return false;
    }
    if (loop.n > BSIM_CHECK_MAX_REQUESTS) {
        return bsim_parse_fail(parse, at,
                               "this loop has %" PRIu64 " turns: at most %d are looked at", loop.n,
                               BSIM_CHECK_MAX_REQUESTS);
    }
    struct bsim_symbol symbol = {
        .name = name, .kind = BSIM_NODE_LOOP, .type = type, .number = check->n_loops};
    check->loop_name[check->n_loops] = name;
    check->loop[check->n_loops++] = loop;
    return bsim_scope_add(&check->scope, &symbol) || bsim_parse_no_memory(parse);
}

/* ---- lets and conditions --------------------------------------------------------------------- */

static bool read_let(struct bsim_check *check, struct bsim_parse *parse)
{
    struct bsim_symbol symbol = {.kind = BSIM_NODE_LET, .number = check->n_lets};
    const struct bsim_type *type = NULL;
    size_t at = parse->token.at;
    bool is_auto = bsim_parse_take(parse, "auto");
    if (!is_auto && bsim_parse_sees_type(parse)) {
        type = bsim_parse_type_name(parse);
        if (type == NULL) {
            return false;
        }
    }
    symbol.name = bsim_parse_new_name(parse);
    if (symbol.name == NULL || !bsim_parse_expect(parse, "=")) {
        return false;
    }
    const struct bsim_node *node = bsim_build_operand(parse, bsim_parse_expression(parse));
    if (node != NULL && type != NULL) {
        node = bsim_build_cast(parse, type, node, at);
    }
    if (node == NULL || !bsim_parse_end(parse)) {
        return false;
    }
    symbol.node = node;
    symbol.type = node->type;
    check->n_lets++;
    return bsim_scope_add(&check->scope, &symbol) || bsim_parse_no_memory(parse);
}

static bool read_condition(struct bsim_check *check, struct bsim_parse *parse)
{
    const struct bsim_node *node = bsim_build_integer(parse, bsim_parse_expression(parse));
    if (node == NULL || !bsim_parse_end(parse)) {
        return false;
    }
    check->condition[check->n_conditions++] = node;
    return true;
}

/* ---- all statements -------------------------------------------------------------------------- */

static bool read_statement(struct bsim_check *check, struct bsim_parse *parse,
                           const struct bsim_statement *statement)
{
    if (statement->word == BSIM_WORD_DEFINE) {
        return seal_define(check, parse, statement);
    }
    parse->source = &statement->source;
    if (!bsim_parse_start(parse, statement->at, statement->source.length)) {
        return false;
    }
    switch (statement->word) {
    case BSIM_WORD_BLOCK:
        return read_block(check, parse);
    case BSIM_WORD_GRID:
        return read_dimensions(parse, "a grid's extent", 1, INT32_MAX, &check->kernel.grid);
    case BSIM_WORD_BLOCKIDX:
        return read_dimensions(parse, "a block's place", 0, INT32_MAX - 1, &check->block);
    case BSIM_WORD_WARP:
        return read_warp(check, parse);
    case BSIM_WORD_STRUCT:
    case BSIM_WORD_UNION:
        return bsim_parse_struct_statement(parse, statement->word == BSIM_WORD_UNION);
    case BSIM_WORD_TYPEDEF:
        return bsim_parse_typedef(parse);
    case BSIM_WORD_SHARED:
        return bsim_check_declare(check, parse);
    case BSIM_WORD_FOR:
        return read_loop(check, parse);
    case BSIM_WORD_LET:
        return read_let(check, parse);
    case BSIM_WORD_IF:
        return read_condition(check, parse);
    case BSIM_WORD_EXPECT:
        return bsim_check_read_expectation(check, parse, statement);
    default:
        return bsim_check_read_access(check, parse, statement);
    }
}

static size_t count(const struct bsim_check *check, enum bsim_check_word first,
                    enum bsim_check_word last)
{
    size_t n = 0;
    for (const struct bsim_statement *s = check->first; s != NULL; s = s->next) {
        n += s->word >= first && s->word <= last;
    }
    return n;
}

/* Room for what each kind of statement adds; never a size of 0. */
static bool take_room(struct bsim_check *check)
{
    size_t n_loops = count(check, BSIM_WORD_FOR, BSIM_WORD_FOR) + 1;
    size_t n_conditions = count(check, BSIM_WORD_IF, BSIM_WORD_IF) + 1;
    size_t n_accesses = count(check, BSIM_WORD_LOAD, BSIM_WORD_STMATRIX) + 1;
    size_t n_expectations = count(check, BSIM_WORD_EXPECT, BSIM_WORD_EXPECT) + 1;
    struct bsim_arena *arena = &check->arena;
    check->loop = bsim_arena_take(arena, n_loops * sizeof *check->loop);
    check->loop_name = bsim_arena_take(arena, n_loops * sizeof *check->loop_name);
    check->condition = bsim_arena_take(arena, n_conditions * sizeof(struct bsim_node *));
    check->access = bsim_arena_take(arena, n_accesses * sizeof *check->access);
    check->expectation = bsim_arena_take(arena, n_expectations * sizeof *check->expectation);
    return check->loop != NULL && check->loop_name != NULL && check->condition != NULL &&
           check->access != NULL && check->expectation != NULL;
}

/* Declarations may stand in any order: each kind of statement is read in its turn. */
static bool read_all(struct bsim_check *check, struct bsim_parse *parse)
{
    static const enum bsim_check_word turn[][2] = {
        {BSIM_WORD_DEFINE, BSIM_WORD_DEFINE},  {BSIM_WORD_BLOCK, BSIM_WORD_WARP},
        {BSIM_WORD_STRUCT, BSIM_WORD_TYPEDEF}, {BSIM_WORD_SHARED, BSIM_WORD_SHARED},
        {BSIM_WORD_FOR, BSIM_WORD_FOR},        {BSIM_WORD_LET, BSIM_WORD_LET},
        {BSIM_WORD_IF, BSIM_WORD_IF},          {BSIM_WORD_LOAD, BSIM_WORD_STMATRIX},
        {BSIM_WORD_EXPECT, BSIM_WORD_EXPECT},
    };
    for (size_t i = 0; i < sizeof turn / sizeof turn[0]; i++) {
        for (const struct bsim_statement *s = check->first; s != NULL; s = s->next) {
            if (s->word >= turn[i][0] && s->word <= turn[i][1] &&
                !read_statement(check, parse, s)) {
                return false;
            }
        }
        if (turn[i][0] == BSIM_WORD_SHARED && !bsim_check_settle(check, parse)) {
            return false;
        }
    }
    return true;
}

static enum bsim_status seal(struct bsim_check *check, struct bsim_error *err)
{
    struct bsim_parse parse = {.arena = &check->arena, .scope = &check->scope, .err = err};
    check->kernel = (struct bsim_kernel){
        .name = "check", .grid = {1, 1, 1}, .block = {BSIM_WARP_LANES, 1, 1}, .extras = ""};
    check->warp = BSIM_ALL_WARPS;
    if (!take_room(check)) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    if (!read_all(check, &parse)) {
        return parse.status;
    }
    enum bsim_status status =
        check_launch(check, count(check, BSIM_WORD_GRID, BSIM_WORD_GRID) > 0, err);
    if (status == BSIM_OK && check->n_accesses == 0) {
        status = bsim_error_set(err, BSIM_E_INPUT,
                                "nothing to check: no load, store, atomic, ldmatrix or stmatrix");
    }
    return status;
}

enum bsim_status bsim_check_seal(struct bsim_check *check, struct bsim_error *err)
{
    if (check->sealed || check->broken) {
        return bsim_error_set(err, BSIM_E_USAGE, "a check is sealed once");
    }
    enum bsim_status status = seal(check, err);
    check->sealed = status == BSIM_OK;
    check->broken = status != BSIM_OK;
    return status;
}
