/* seal.c - from statements to a check that can be played: constants first, then the launch and the
 * arrays, wherever they stand; then the body, in its order (sketch.c).
 *
 *     define NAME [=] CONSTANT               block, grid, blockidx X[,Y[,Z]] or XxYxZ  warp W
 */
#include "expr/check.h"
#include "base/memory.h"
#include "expr/eval.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_BRACES = 64 };

/* ---- defines --------------------------------------------------------------------------------- */

/* The name that a define begins with, as a token. */
static bool name_of(struct bsim_parse *parse, const struct bsim_statement *statement,
                    const struct cu_token **name)
{
    parse->source = &statement->source;
    parse->raw = true;
    bool read = bsim_parse_start(parse, statement->at, statement->end);
    parse->raw = false;
    *name = parse->token;
    return read;
}

/* Of what follows a statement's word, without the blanks that end it. */
static size_t length_of(const struct bsim_statement *statement)
{
    size_t end = statement->end;
    while (end > statement->at && statement->source.text[end - 1] <= ' ') {
        end--;
    }
    return end - statement->at;
}

/* C's own defines hold from where they stand, all others from the start: two different ones of one
 * name in one text would be read otherwise than by a compiler. */
static bool check_again(struct bsim_parse *parse, const struct bsim_statement *before,
                        const struct bsim_statement *again, size_t at)
{
    size_t length = length_of(again);
    bool is_same =
        length_of(before) == length &&
        memcmp(before->source.text + before->at, again->source.text + again->at, length) == 0;
    return is_same || !before->is_text || !again->is_text || before->unit != again->unit ||
           bsim_parse_fail(parse, at, "another #define of this name stands before this one");
}

/* Notes at the first define of each name which one is the last. `names` has the first ones so
 * far. */
static bool find_last(struct bsim_check *check, struct bsim_parse *parse, struct bsim_scope *names)
{
    for (struct bsim_statement *s = check->first; s != NULL; s = s->next) {
        const struct cu_token *name;
        if (s->word != BSIM_WORD_DEFINE) {
            continue;
        }
        if (!name_of(parse, s, &name)) {
            return false;
        }
        const struct bsim_symbol *known = bsim_scope_find(names, name->text, name->length);
        struct bsim_statement *first = known != NULL ? known->define : s;
        if (known != NULL && !check_again(parse, first->last, s, parse->at)) {
            return false;
        }
        first->last = s;
        struct bsim_symbol symbol = {.name = bsim_cu_spelled(parse->file, name), .define = s};
        if (known == NULL && !bsim_scope_add(names, &symbol)) {
            return bsim_parse_no_memory(parse);
        }
    }
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

/* A macro if `of_macros`, else a number; the other kind is passed over. */
static bool read_definition(struct bsim_check *check, struct bsim_parse *parse,
                            const struct bsim_statement *define, bool of_macros)
{
    parse->source = &define->source;
    parse->raw = true;
    bool read = bsim_parse_start(parse, define->at, define->end);
    bool is_macro = read && (define->is_text || bsim_parse_begins_macro(parse));
    bool done = read && (!of_macros || !is_macro || bsim_parse_macro(parse, define->is_text));
    parse->raw = false;
    return of_macros || is_macro || !done
               ? done
               : bsim_parse_start(parse, define->at, define->end) && read_define(check, parse);
}

/* NAME "=" CONSTANT, of the type. Outside of braces, what is defined by that name already holds, so
 * that a command line can change it. */
static bool read_constant(struct bsim_check *check, struct bsim_parse *parse,
                          const struct cu_type *type, bool in_braces)
{
    const struct bsim_symbol *known =
        bsim_scope_find(&check->scope, parse->token->text, parse->token->length);
    struct bsim_symbol symbol = {.kind = BSIM_NODE_NUMBER, .type = type};
    struct bsim_eval eval = {.err = parse->err};
    struct bsim_lanes lanes;
    bool is_known = known != NULL && known->kind == BSIM_NODE_NUMBER && !in_braces;
    symbol.name = is_known ? known->name : bsim_parse_new_name(parse);
    if (symbol.name == NULL || (is_known && !bsim_parse_advance(parse)) ||
        !bsim_parse_expect(parse, "=")) {
        return false;
    }
    const struct bsim_node *node = bsim_build_integer(parse, bsim_parse_expression(parse));
    node = bsim_build_convert(parse, type, node, parse->at);
    if (node == NULL || bsim_eval(&eval, node, 1, &lanes) != BSIM_OK) {
        return false;
    }
    symbol.number = lanes.value[0];
    return is_known || bsim_scope_add(&check->scope, &symbol) || bsim_parse_no_memory(parse);
}

/* `const int N = 16, M = 2 * N;`, if all of it is constant; else it stays a statement. */
static bool read_constants(struct bsim_check *check, struct bsim_parse *parse, bool in_braces)
{
    while (bsim_parse_take(parse, "static") || bsim_parse_take(parse, "constexpr")) {
    }
    const struct cu_type *type = bsim_parse_sees_type(parse) ? bsim_parse_base_type(parse) : NULL;
    if (type == NULL || !bsim_cu_is_integer(type) || bsim_parse_sees(parse, "*")) {
        return false;
    }
    do {
        if (!read_constant(check, parse, type, in_braces)) {
            return false;
        }
    } while (bsim_parse_take(parse, ","));
    return bsim_parse_end(parse);
}

/* One that is not constant after all leaves nothing behind. False when memory is short. */
static bool try_constants(struct bsim_check *check, struct bsim_parse *parse,
                          const struct bsim_statement *s, bool *done)
{
    struct bsim_error *err = parse->err;
    struct bsim_error ignored = {.status = BSIM_OK};
    size_t n = check->scope.n;
    parse->source = &s->source;
    parse->err = &ignored;
    parse->constant = true;
    *done = bsim_parse_start(parse, s->at, s->end) && read_constants(check, parse, s->depth > 0);
    bool is_short = parse->status == BSIM_E_MEMORY;
    parse->constant = false;
    parse->err = err;
    parse->status = BSIM_OK;
    if (!*done) {
        bsim_scope_forget(&check->scope, n);
    }
    return !is_short || bsim_parse_no_memory(parse);
}

static bool find_constants(struct bsim_check *check, struct bsim_parse *parse)
{
    for (struct bsim_statement *s = check->first; s != NULL; s = s->next) {
        bool done = false;
        if (s->word != BSIM_WORD_CODE || !s->may_be_constant || s->depth > 0) {
            continue;
        }
        if (!try_constants(check, parse, s, &done)) {
            return false;
        }
        if (done) {
            s->word = BSIM_WORD_DEFINE; /* it has been read */
        }
    }
    return true;
}

/* A name that is defined again has its last value from the start, so that a command line can change
 * what a file defines. */
static bool read_defines(struct bsim_check *check, struct bsim_parse *parse)
{
    struct bsim_scope names = {.symbol = NULL};
    bool done = find_last(check, parse, &names);
    bsim_scope_free(&names);
    for (int of_macros = 1; of_macros >= 0; of_macros--) {
        for (const struct bsim_statement *s = check->first; s != NULL && done; s = s->next) {
            if (s->word == BSIM_WORD_DEFINE && s->last != NULL) {
                done = read_definition(check, parse, s->last, of_macros != 0);
            }
        }
    }
    return done;
}

/* ---- the launch ------------------------------------------------------------------------------ */

/* "," or the x of 32x8, which begins the name at hand. */
static bool take_times(struct bsim_parse *parse)
{
    bool is_x = parse->token->kind == CU_NAME && parse->token->text[0] == 'x';
    return is_x ? bsim_parse_start(parse, parse->at + 1, parse->end) : bsim_parse_take(parse, ",");
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
    size_t at = parse->at;
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

/* What the trace calls it: no blank and no =, as there. */
static bool read_kernel(struct bsim_check *check, struct bsim_parse *parse)
{
    size_t at = parse->at;
    const char *name = bsim_check_copy(check, parse->source, at, parse->end);
    if (name == NULL) {
        return bsim_parse_no_memory(parse);
    }
    if (name[0] == '\0' || strpbrk(name, " \t=") != NULL) {
        return bsim_parse_fail(parse, at, "a kernel's name has no blank and no '='");
    }
    check->kernel.name = name;
    return true;
}

uint32_t bsim_check_n_warps(const struct bsim_check *check)
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
    if (check->warp != BSIM_ALL_WARPS && check->warp >= bsim_check_n_warps(check)) {
        return bsim_error_set(
            err, BSIM_E_INPUT,
            "warp %" PRIu32 " is outside of the block, which has %" PRIu32 " warp%s (from 0)",
            check->warp, bsim_check_n_warps(check), bsim_check_n_warps(check) == 1 ? "" : "s");
    }
    return BSIM_OK;
}

/* ---- all statements -------------------------------------------------------------------------- */

static bool read_launch(struct bsim_check *check, struct bsim_parse *parse,
                        enum bsim_check_word word)
{
    switch (word) {
    case BSIM_WORD_BLOCK:
        return read_block(check, parse);
    case BSIM_WORD_GRID:
        return read_dimensions(parse, "a grid's extent", 1, INT32_MAX, &check->kernel.grid);
    case BSIM_WORD_BLOCKIDX:
        return read_dimensions(parse, "a block's place", 0, INT32_MAX - 1, &check->block);
    case BSIM_WORD_WARP:
        return read_warp(check, parse);
    case BSIM_WORD_KERNEL:
        return read_kernel(check, parse);
    case BSIM_WORD_INDEX:
        return bsim_check_read_index(check, parse);
    case BSIM_WORD_STRUCT:
    case BSIM_WORD_UNION:
        return bsim_parse_struct_statement(parse, word == BSIM_WORD_UNION);
    case BSIM_WORD_GLOBAL:
    case BSIM_WORD_CONST:
        return bsim_check_declare_other(check, parse,
                                        word == BSIM_WORD_GLOBAL ? BSIM_GLOBAL : BSIM_CONST);
    default:
        return bsim_parse_typedef(parse);
    }
}

/* The statements from one word to another, which hold for the whole check. */
static bool read_words(struct bsim_check *check, struct bsim_parse *parse,
                       enum bsim_check_word first, enum bsim_check_word last)
{
    for (const struct bsim_statement *s = check->first; s != NULL; s = s->next) {
        parse->source = &s->source;
        if (s->word >= first && s->word <= last &&
            !(bsim_parse_start(parse, s->at, s->end) && read_launch(check, parse, s->word))) {
            return false;
        }
    }
    return true;
}

/* Constants that were declared in braces end with them; arrays stay. */
static void end_constants(struct bsim_scope *scope, size_t from)
{
    for (size_t i = from; i < scope->n; i++) {
        scope->symbol[i].has_ended =
            scope->symbol[i].has_ended || scope->symbol[i].kind == BSIM_NODE_NUMBER;
    }
}

/* `{ const int N = 32; __shared__ float t[N][N]; }`: the constants of the braces around an array
 * hold for its size, and shadow what has their name outside. */
static bool read_arrays(struct bsim_check *check, struct bsim_parse *parse)
{
    size_t outer[MAX_BRACES + 1];
    struct bsim_scope *scope = &check->scope;
    bool done = true;
    for (const struct bsim_statement *s = check->first; s != NULL && done; s = s->next) {
        size_t depth = s->depth < MAX_BRACES ? s->depth : MAX_BRACES; /* sketch.c refuses more */
        if (s->word == BSIM_WORD_OPEN) {
            outer[depth] = scope->n;
        } else if (s->word == BSIM_WORD_CLOSE) {
            end_constants(scope, outer[depth]);
        } else if (s->word == BSIM_WORD_CODE && s->may_be_constant && depth > 0) {
            scope->inner = outer[depth];
            done = try_constants(check, parse, s, &(bool){false});
            scope->inner = 0;
        } else if (s->word == BSIM_WORD_SHARED || s->word == BSIM_WORD_MBARRIER) {
            parse->source = &s->source;
            done = bsim_parse_start(parse, s->at, s->end) &&
                   (s->word == BSIM_WORD_SHARED ? bsim_check_declare(check, parse)
                                                : bsim_check_declare_mbarriers(check, parse));
        }
    }
    return done;
}

static bool has(const struct bsim_check *check, enum bsim_check_word word)
{
    const struct bsim_statement *s = check->first;
    while (s != NULL && s->word != word) {
        s = s->next;
    }
    return s != NULL;
}

/* Declarations may stand in any order, so each kind is read in its turn. */
static bool read_all(struct bsim_check *check, struct bsim_parse *parse)
{
    return read_defines(check, parse) && find_constants(check, parse) &&
           read_words(check, parse, BSIM_WORD_BLOCK, BSIM_WORD_KERNEL) &&
           read_words(check, parse, BSIM_WORD_INDEX, BSIM_WORD_TYPEDEF) &&
           read_arrays(check, parse) && bsim_check_settle(check, parse) &&
           read_words(check, parse, BSIM_WORD_GLOBAL, BSIM_WORD_CONST) &&
           bsim_check_read_sketch(check, parse);
}

/* What is declared and not used decides nothing. */
static void count_indices(struct bsim_check *check)
{
    for (size_t i = 0; i < check->scope.n; i++) {
        const struct bsim_index *index = check->scope.symbol[i].index;
        bool is_used = index != NULL && index->is_used;
        check->n_deciding += is_used;
        check->n_drawn += is_used && index->table == NULL;
    }
}

static enum bsim_status seal(struct bsim_check *check, struct bsim_error *err)
{
    struct bsim_parse parse = {
        .file = &check->file, .macros = &check->macros, .scope = &check->scope, .err = err};
    check->file.err = err;
    bsim_parse_begin_macros(&check->macros, &check->file);
    check->kernel = (struct bsim_kernel){
        .name = "check", .grid = {1, 1, 1}, .block = {BSIM_WARP_LANES, 1, 1}, .extras = ""};
    check->warp = BSIM_ALL_WARPS;
    if (check->recording != NULL && bsim_check_only_declares(check, err) != BSIM_OK) {
        return err->status;
    }
    if (!read_all(check, &parse)) {
        return parse.status;
    }
    count_indices(check);
    if (check->repeated != NULL && check->n_drawn > 0) {
        return bsim_cu_error(check->repeated->source, check->repeated->at, err,
                             "an index that is drawn has a new value in each turn: 'times' "
                             "counts turns that are all alike, use a for");
    }
    if (check->met != NULL && check->warp != BSIM_ALL_WARPS) {
        return bsim_cu_error(check->met->source, check->met->at, err,
                             "here warps wait for each other: leave out 'warp', which looks at one alone");
    }
    enum bsim_status status = check->recording != NULL
                                  ? bsim_check_read_recording(check, err)
                                  : check_launch(check, has(check, BSIM_WORD_GRID), err);
    if (status == BSIM_OK && check->n_accesses == 0 && check->recording == NULL) {
        status = bsim_error_set(err, BSIM_E_INPUT,
                                "nothing to check: no load, store, atomic, ldmatrix, stmatrix, tma or wgmma%s",
                                check->n_shuffles > 0 ? "; 'banksim show --shfl idx 3' draws a "
                                                        "shuffle, and who gives to whom"
                                                      : "");
    }
    return status == BSIM_OK && (!bsim_check_show(check) || bsim_cu_failed(&check->file))
               ? bsim_mem_short(err)
               : status;
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
