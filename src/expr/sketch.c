/* sketch.c - what happens, in its order: statements to a tree of steps.
 *
 *     statement = "for" head body | "while" "(" EXPR ")" body | "if" EXPR body ["else" body]
 *               | "times" COUNT body            played once, counted so often
 *               | "{" statement* "}" | let | access | sync | work | expect | code
 *     body      = statement                   in a text
 *               | statement* ["end"]          on a command line, where nothing has braces
 *     head      = [TYPE] NAME "=" START ":" END [":" STEP]       END is not reached
 *               | [TYPE] NAME "=" VALUE ("," VALUE)*
 *               | "(" code ";" [EXPR] ";" code ")"               as C has it
 *     let       = "let" [TYPE] NAME "=" EXPR
 *     sync      = "sync" | "__syncthreads();" | "syncwarp" | "__syncwarp(" [constant] ");"
 *     fence     = "fence" "proxy.async" [".shared::cta" | ".shared::cluster" | ".global"]
 *     work      = "work" COUNT [":" CYCLES] [CLASS]   other instructions, as in a trace
 */
#include "expr/check.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_NESTING = 64 };

static const int64_t far = INT64_C(1) << 62;

static bool read_statement(struct bsim_sketch *sketch);

/* ---- what a loop or an if holds for ---------------------------------------------------------- */

/* The next statement that happens: declarations hold wherever they stand. */
static void skip_declarations(struct bsim_sketch *sketch)
{
    while (sketch->statement != NULL && sketch->statement->word <= BSIM_WORD_SHARED) {
        sketch->statement = sketch->statement->next;
    }
}

static void advance(struct bsim_sketch *sketch)
{
    sketch->statement = sketch->statement->next;
    skip_declarations(sketch);
}

static bool sees(const struct bsim_sketch *sketch, enum bsim_check_word word)
{
    return sketch->statement != NULL && sketch->statement->word == word;
}

static bool fail_at(struct bsim_sketch *sketch, const struct bsim_statement *statement,
                    const char *message)
{
    struct bsim_parse *parse = sketch->parse;
    parse->source = &statement->source;
    parse->status = BSIM_OK;
    parse->end = statement->end;
    return bsim_parse_fail(parse, statement->from, "%s", message);
}

/* Statements up to what ends them, which is left at hand. */
static bool read_statements(struct bsim_sketch *sketch)
{
    while (sketch->statement != NULL && !sees(sketch, BSIM_WORD_CLOSE) &&
           !sees(sketch, BSIM_WORD_END) && !sees(sketch, BSIM_WORD_ELSE)) {
        if (!read_statement(sketch)) {
            return false;
        }
    }
    return true;
}

/* "{" statement* "}" */
static bool read_braces(struct bsim_sketch *sketch)
{
    size_t outer = bsim_scope_open(&sketch->check->scope);
    advance(sketch);
    if (!read_statements(sketch)) {
        return false;
    }
    bsim_scope_close(&sketch->check->scope, outer);
    if (!sees(sketch, BSIM_WORD_CLOSE)) { /* braces are balanced: split.c */
        return fail_at(sketch, sketch->statement, "this else belongs to no if");
    }
    advance(sketch);
    return true;
}

/* Braces by themselves. */
static bool read_block(struct bsim_sketch *sketch)
{
    if (sketch->nesting == MAX_NESTING) {
        return fail_at(sketch, sketch->statement, "braces are nested too deep");
    }
    sketch->nesting++;
    bool done = read_braces(sketch);
    sketch->nesting--;
    return done;
}

static size_t column_of(const struct bsim_statement *statement)
{
    return statement->from - bsim_cu_line_begin(&statement->source, statement->from);
}

static uint64_t line_of(const struct bsim_statement *statement)
{
    return bsim_cu_line(&statement->source, statement->from);
}

/* A body without braces is one statement. What stands below it as if it belonged to it, too, would
 * be read otherwise than it was meant. */
static bool check_indentation(struct bsim_sketch *sketch, const struct bsim_statement *head,
                              const struct bsim_statement *only)
{
    const struct bsim_statement *next = sketch->statement;
    bool is_suspect = next != NULL && next->unit == head->unit && !next->is_option &&
                      line_of(only) > line_of(head) && line_of(next) > line_of(only) &&
                      next->word != BSIM_WORD_CLOSE && column_of(next) > column_of(head);
    return !is_suspect ||
           fail_at(sketch, next,
                   "without braces a for, while, if or else holds for one statement, "
                   "and this is the second: put { } around them, or this further "
                   "left");
}

static bool read_one(struct bsim_sketch *sketch, const struct bsim_statement *head)
{
    const struct bsim_statement *only = sketch->statement;
    size_t outer = bsim_scope_open(&sketch->check->scope);
    if (only == NULL || only->word == BSIM_WORD_CLOSE || only->word == BSIM_WORD_ELSE ||
        only->word == BSIM_WORD_EXPECT || only->is_option) {
        return fail_at(sketch, head, "this holds for the statement behind it, and there is none");
    }
    if (!read_statement(sketch)) {
        return false;
    }
    bsim_scope_close(&sketch->check->scope, outer);
    return check_indentation(sketch, head, only);
}

/* On a command line: all that follows, up to `end` or `else`, which are left at hand. */
static bool read_open(struct bsim_sketch *sketch, const struct bsim_statement *head)
{
    const struct bsim_statement *first = sketch->statement;
    size_t outer = bsim_scope_open(&sketch->check->scope);
    if (!read_statements(sketch)) {
        return false;
    }
    bsim_scope_close(&sketch->check->scope, outer);
    return sketch->statement != first ||
           fail_at(sketch, head,
                   "this holds for what follows it, and nothing does: it must stand "
                   "before the accesses");
}

static bool read_inner(struct bsim_sketch *sketch, const struct bsim_statement *head,
                       struct bsim_step **into)
{
    struct bsim_step **tail = sketch->tail;
    if (sketch->nesting == MAX_NESTING) {
        return fail_at(sketch, head, "loops and ifs are nested too deep");
    }
    sketch->nesting++;
    sketch->tail = into;
    bool done = head->is_option                ? read_open(sketch, head)
                : sees(sketch, BSIM_WORD_OPEN) ? read_braces(sketch)
                                               : read_one(sketch, head);
    sketch->tail = tail;
    sketch->nesting--;
    return done;
}

/* The end of a loop that was opened on a command line: its `end`, or that of everything. */
static bool read_end(struct bsim_sketch *sketch, const struct bsim_statement *head)
{
    if (!head->is_option || sketch->statement == NULL) {
        return true;
    }
    if (sees(sketch, BSIM_WORD_ELSE)) {
        return fail_at(sketch, sketch->statement, "this else stands in a loop: end that first");
    }
    advance(sketch);
    return true;
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* [TYPE]: an integer type, int if there is none. */
static const struct cu_type *read_loop_type(struct bsim_parse *parse)
{
    if (!bsim_parse_sees_type(parse)) {
        return bsim_cu_scalar(CU_INT);
    }
    size_t at = parse->at;
    const struct cu_type *type = bsim_parse_base_type(parse);
    if (type != NULL && !bsim_cu_is_integer(type)) {
        (void)bsim_parse_fail(parse, at, "a loop's variable is an integer");
        return NULL;
    }
    return type;
}

static bool read_bound(struct bsim_parse *parse, const struct cu_type *type, int64_t *value)
{
    int64_t most = type->size >= 8 ? far : (int64_t)((UINT64_C(1) << (8 * type->size)) - 1);
    int64_t least = 0;
    if (bsim_cu_is_signed(type)) {
        most = type->size >= 8 ? far : most / 2;
        least = type->size >= 8 ? -far : -most - 1;
    }
    return bsim_parse_constant(parse, "a loop's value", least, most, value);
}

/* START ":" END [":" STEP], behind START */
static bool read_range(struct bsim_parse *parse, const struct cu_type *type, size_t at,
                       struct bsim_range *range)
{
    int64_t end = 0;
    range->step = 1;
    if (!read_bound(parse, type, &end)) {
        return false;
    }
    if (bsim_parse_take(parse, ":") &&
        !bsim_parse_constant(parse, "a loop's step", -far, far, &range->step)) {
        return false;
    }
    if (range->step == 0) {
        return bsim_parse_fail(parse, at, "a loop with a step of 0 does not end");
    }
    bool up = range->step > 0;
    if (up ? range->start >= end : range->start <= end) {
        return bsim_parse_fail(parse, at, "this loop has no turns");
    }
    uint64_t distance = (uint64_t)(up ? end - range->start : range->start - end);
    uint64_t step = (uint64_t)(up ? range->step : -range->step);
    range->n = (distance - 1) / step + 1;
    return true;
}

/* ("," VALUE)*, behind the first */
static bool read_list(struct bsim_parse *parse, const struct cu_type *type, int64_t first,
                      struct bsim_range *range)
{
    int64_t *value = bsim_arena_take(&parse->file->arena, (parse->end + 1) * sizeof *value);
    if (value == NULL) {
        return bsim_parse_no_memory(parse);
    }
    value[range->n++] = first;
    while (bsim_parse_take(parse, ",")) {
        if (!read_bound(parse, type, &value[range->n++])) {
            return false;
        }
    }
    range->value = value;
    return true;
}

/* The head of a loop over values; its variable is declared. */
static bool read_values(struct bsim_sketch *sketch, struct bsim_step *step, const char **name)
{
    struct bsim_parse *parse = sketch->parse;
    const struct cu_type *type = read_loop_type(parse);
    *name = type == NULL ? NULL : bsim_parse_new_name(parse);
    size_t at = parse->at;
    struct bsim_range *range = &step->range;
    if (*name == NULL || !bsim_parse_expect(parse, "=") ||
        !read_bound(parse, type, &range->start)) {
        return false;
    }
    bool read = bsim_parse_take(parse, ":") ? read_range(parse, type, at, range)
                                            : read_list(parse, type, range->start, range);
    if (!read || !bsim_parse_end(parse)) {
        return false;
    }
    if (range->n > BSIM_CHECK_MAX_REQUESTS) {
        return bsim_parse_fail(parse, at,
                               "this loop has %" PRIu64 " turns: at most %d are looked at",
                               range->n, BSIM_CHECK_MAX_REQUESTS);
    }
    return bsim_sketch_declare(sketch, *name, type, &step->variable);
}

/* A loop whose turns messages and reports tell by the value of a variable. */
static bool name_loop(struct bsim_sketch *sketch, struct bsim_step *step, const char *name,
                      size_t variable)
{
    struct bsim_check *check = sketch->check;
    if (!bsim_check_grow((void **)&check->loop, check->n_loops, sizeof *check->loop)) {
        return bsim_parse_no_memory(sketch->parse);
    }
    check->loop[check->n_loops] = (struct bsim_loop){name, variable, sketch->loop};
    step->loop = check->n_loops++;
    sketch->loop = step->loop;
    return true;
}

static uint64_t times(uint64_t turns, uint64_t n)
{
    uint64_t most = UINT64_C(1) << 40;
    return turns > most / n ? most : turns * n;
}

/* "for" head body: over values */
static bool read_for_values(struct bsim_sketch *sketch, const struct bsim_statement *head,
                            size_t at, size_t end)
{
    const char *name;
    size_t outer_loop = sketch->loop;
    uint64_t outer_turns = sketch->turns;
    struct bsim_step *step = bsim_sketch_add(sketch, BSIM_STEP_RANGE, &head->source, head->from);
    if (!bsim_parse_start(sketch->parse, at, end) || !read_values(sketch, step, &name) ||
        !name_loop(sketch, step, name, step->variable)) {
        return false;
    }
    sketch->turns = times(sketch->turns, step->range.n);
    bool done = read_inner(sketch, head, &step->body);
    sketch->loop = outer_loop;
    sketch->turns = outer_turns;
    return done && read_end(sketch, head);
}

/* The first ; in [at .. end), or `end`. */
static size_t find_semicolon(const struct cu_source *source, size_t at, size_t end)
{
    const char *found = memchr(source->text + at, ';', end - at);
    return found != NULL ? (size_t)(found - source->text) : end;
}

/* The condition of a loop of C, which is known: it does not depend on memory. */
static bool read_condition(struct bsim_sketch *sketch, struct bsim_step *step, size_t at,
                           size_t end)
{
    struct bsim_parse *parse = sketch->parse;
    if (!bsim_parse_start(parse, at, end)) {
        return false;
    }
    if (parse->token->kind == CU_END) {
        return bsim_parse_fail(parse, at, "a loop without a condition does not end");
    }
    step->node = bsim_build_integer(parse, bsim_parse_expression(parse));
    return step->node != NULL && bsim_parse_end(parse);
}

/* "for" "(" code ";" EXPR ";" code ")" body, without the parentheses */
static bool read_for_code(struct bsim_sketch *sketch, const struct bsim_statement *head, size_t at,
                          size_t end)
{
    size_t first = find_semicolon(&head->source, at, end);
    size_t second = first < end ? find_semicolon(&head->source, first + 1, end) : end;
    size_t outer_loop = sketch->loop;
    sketch->set_name = NULL;
    if (second == end) {
        return bsim_parse_start(sketch->parse, end, end) &&
               bsim_parse_fail(sketch->parse, end, "a for of C has two ;, and one is missing");
    }
    if (!bsim_sketch_read_code(sketch, head, at, first)) {
        return false;
    }
    struct bsim_step *step = bsim_sketch_add(sketch, BSIM_STEP_LOOP, &head->source, head->from);
    if (sketch->set_name != NULL &&
        !name_loop(sketch, step, sketch->set_name, sketch->set_variable)) {
        return false;
    }
    if (!read_condition(sketch, step, first + 1, second)) {
        return false;
    }
    struct bsim_step **tail = sketch->tail;
    sketch->tail = &step->other;
    bool done = bsim_sketch_read_code(sketch, head, second + 1, end);
    sketch->tail = tail;
    done = done && read_inner(sketch, head, &step->body);
    sketch->loop = outer_loop;
    return done && read_end(sketch, head);
}

/* Leaves out parentheses around all of source.text[*at .. *end). */
static void strip(const struct cu_source *source, size_t *at, size_t *end)
{
    const char *text = source->text;
    size_t from = *at;
    size_t to = *end;
    int depth = 0;
    while (from < to && (text[from] == ' ' || (text[from] >= '\t' && text[from] <= '\r'))) {
        from++;
    }
    while (to > from && (text[to - 1] == ' ' || (text[to - 1] >= '\t' && text[to - 1] <= '\r'))) {
        to--;
    }
    for (size_t i = from; i < to; i++) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) {
            if (i + 1 == to && i > from) {
                *at = from + 1;
                *end = to - 1;
            }
            return;
        }
    }
}

/* Whether the head has a ; with something behind it, as C's has. */
static bool is_of_c(const struct cu_source *source, size_t at, size_t end)
{
    size_t i = find_semicolon(source, at, end) + 1;
    while (i < end && (source->text[i] == ' ' || source->text[i] == '\t')) {
        i++;
    }
    return i < end;
}

static bool read_for(struct bsim_sketch *sketch)
{
    const struct bsim_statement *head = sketch->statement;
    size_t at = head->at;
    size_t end = head->end;
    size_t outer = bsim_scope_open(&sketch->check->scope);
    strip(&head->source, &at, &end);
    advance(sketch);
    bool done = is_of_c(&head->source, at, end) ? read_for_code(sketch, head, at, end)
                                                : read_for_values(sketch, head, at, end);
    bsim_scope_close(&sketch->check->scope, outer);
    return done;
}

/* "while" "(" EXPR ")" body */
static bool read_while(struct bsim_sketch *sketch)
{
    const struct bsim_statement *head = sketch->statement;
    struct bsim_step *step = bsim_sketch_add(sketch, BSIM_STEP_LOOP, &head->source, head->from);
    advance(sketch);
    return read_condition(sketch, step, head->at, head->end) &&
           read_inner(sketch, head, &step->body);
}

/* What makes a turn of the body other than the first one: it changes a variable from before it, of
 * which there were n, or ends a thread. NULL: nothing does. */
static const struct bsim_step *find_lasting(const struct bsim_step *step, size_t n)
{
    const struct bsim_step *found = NULL;
    for (; step != NULL && found == NULL; step = step->next) {
        bool lasts =
            step->kind == BSIM_STEP_RETURN || (step->kind == BSIM_STEP_SET && step->variable < n);
        found = lasts ? step : find_lasting(step->body, n);
        found = found == NULL ? find_lasting(step->other, n) : found;
    }
    return found;
}

static bool refuse_lasting(struct bsim_sketch *sketch, const struct bsim_step *lasting)
{
    struct bsim_parse *parse = sketch->parse;
    parse->source = lasting->source;
    return bsim_parse_fail(parse, lasting->at,
                           lasting->kind == BSIM_STEP_RETURN
                               ? "a thread that returns has no further turn: 'times' counts turns "
                                 "that are all alike, use a for"
                               : "this makes each turn another: 'times' counts turns that are all "
                                 "alike, use a for");
}

static bool read_count(struct bsim_sketch *sketch, const struct bsim_statement *head,
                       uint32_t *times)
{
    struct bsim_parse *parse = sketch->parse;
    int64_t count = 0;
    if (!bsim_parse_start(parse, head->at, head->end) ||
        !bsim_parse_constant(parse, "a number of turns", 1, UINT32_MAX, &count) ||
        !bsim_parse_end(parse)) {
        return false;
    }
    if ((uint64_t)count > UINT32_MAX / sketch->times || sketch->n_times == BSIM_REPEAT_MAX_DEPTH) {
        return bsim_parse_fail(parse, head->at,
                               "'times' nest %d deep and multiply to %" PRIu32 " turns at most",
                               BSIM_REPEAT_MAX_DEPTH, UINT32_MAX);
    }
    *times = (uint32_t)count;
    return true;
}

/* "times" COUNT body */
static bool read_times(struct bsim_sketch *sketch)
{
    const struct bsim_statement *head = sketch->statement;
    size_t n_variables = sketch->check->n_variables;
    uint64_t outer = sketch->times;
    struct bsim_step *step = bsim_sketch_add(sketch, BSIM_STEP_TIMES, &head->source, head->from);
    if (!read_count(sketch, head, &step->times)) {
        return false;
    }
    sketch->check->repeated = step;
    sketch->times *= step->times;
    sketch->n_times++;
    advance(sketch);
    bool done = read_inner(sketch, head, &step->body) && read_end(sketch, head);
    sketch->times = outer;
    sketch->n_times--;
    const struct bsim_step *lasting = done ? find_lasting(step->body, n_variables) : NULL;
    return lasting == NULL ? done : refuse_lasting(sketch, lasting);
}

/* ---- if -------------------------------------------------------------------------------------- */

/* ["else" body], behind the first; on a command line `end` closes both. */
static bool read_else(struct bsim_sketch *sketch, const struct bsim_statement *head,
                      struct bsim_step *step)
{
    const struct bsim_statement *other = sketch->statement;
    if (sees(sketch, BSIM_WORD_ELSE) && other->is_option == head->is_option) {
        advance(sketch);
        if (!read_inner(sketch, other, &step->other)) {
            return false;
        }
        if (head->is_option && sees(sketch, BSIM_WORD_ELSE)) {
            return fail_at(sketch, sketch->statement, "this if has an else already");
        }
    }
    if (head->is_option && sketch->statement != NULL) {
        advance(sketch);
    }
    return true;
}

/* "if" EXPR body ["else" body] */
static bool read_if(struct bsim_sketch *sketch)
{
    const struct bsim_statement *head = sketch->statement;
    struct bsim_parse *parse = sketch->parse;
    struct bsim_step *step = bsim_sketch_add(sketch, BSIM_STEP_IF, &head->source, head->from);
    if (!bsim_parse_start(parse, head->at, head->end)) {
        return false;
    }
    step->node = bsim_build_integer(parse, bsim_parse_expression(parse));
    if (step->node == NULL || !bsim_parse_end(parse)) {
        return false;
    }
    advance(sketch);
    return read_inner(sketch, head, &step->body) && read_else(sketch, head, step);
}

/* ---- the rest -------------------------------------------------------------------------------- */

static bool read_let(struct bsim_sketch *sketch)
{
    struct bsim_parse *parse = sketch->parse;
    const struct cu_type *type = NULL;
    size_t number;
    size_t at = parse->at;
    bool is_auto = bsim_parse_take(parse, "auto");
    if (!is_auto && bsim_parse_sees_type(parse)) {
        type = bsim_parse_type_name(parse);
        if (type == NULL) {
            return false;
        }
    }
    const char *name = bsim_parse_new_name(parse);
    if (name == NULL || !bsim_parse_expect(parse, "=")) {
        return false;
    }
    const struct bsim_node *node = bsim_build_operand(parse, bsim_parse_expression(parse));
    if (node != NULL && type != NULL) {
        node = bsim_build_cast(parse, type, node, at);
    }
    return node != NULL && bsim_parse_end(parse) &&
           bsim_sketch_declare(sketch, name, node->type, &number) &&
           bsim_sketch_set(sketch, name, number, node);
}

/* "fp32", "int", ...: a word of letters and digits; or nothing, for work of any. */
static bool read_class(struct bsim_parse *parse, uint32_t *work_class)
{
    const char *word = parse->token->text;
    size_t length = (size_t)bsim_cu_shown(parse->token);
    *work_class = BSIM_WORK_ANY;
    if (length == 0 || bsim_parse_sees(parse, ";")) {
        return true;
    }
    *work_class = bsim_work_class_find(word, length);
    return *work_class < BSIM_N_WORK_CLASSES
               ? bsim_parse_advance(parse)
               : bsim_parse_wants(parse, "fp32, int, imad, half, fp64, xu, tensor or lsu");
}

/* "work" COUNT [":" CYCLES] [CLASS] */
static bool read_work(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    struct bsim_parse *parse = sketch->parse;
    int64_t count = 0;
    int64_t cycles = 0;
    uint32_t work_class;
    if (!bsim_parse_constant(parse, "a number of instructions", 1, UINT32_MAX, &count) ||
        (bsim_parse_take(parse, ":") &&
         !bsim_parse_constant(parse, "a latency in cycles", 0, UINT32_MAX, &cycles)) ||
        !read_class(parse, &work_class) || !bsim_parse_end(parse)) {
        return false;
    }
    struct bsim_step *step =
        bsim_sketch_add(sketch, BSIM_STEP_WORK, &statement->source, statement->from);
    step->work_count = (uint32_t)count;
    step->work_cycles = (uint32_t)cycles;
    step->work_class = work_class;
    return true;
}

/* One that is neither a loop, an if nor braces, from its first token on. */
static bool read_simple(struct bsim_sketch *sketch, const struct bsim_statement *statement)
{
    switch (statement->word) {
    case BSIM_WORD_LET:
        return read_let(sketch);
    case BSIM_WORD_SYNC:
        return bsim_sketch_read_sync(sketch, statement);
    case BSIM_WORD_SYNCWARP:
        return bsim_sketch_read_syncwarp(sketch, statement);
    case BSIM_WORD_FENCE:
        return bsim_sketch_read_fence(sketch, statement);
    case BSIM_WORD_WORK:
        return read_work(sketch, statement);
    case BSIM_WORD_CODE:
        return bsim_sketch_read_code(sketch, statement, statement->at, statement->end);
    case BSIM_WORD_EXPECT:
        return bsim_sketch_read_expectation(sketch, statement);
    case BSIM_WORD_LOAD:
    case BSIM_WORD_STORE:
        return bsim_sketch_read_object(sketch, statement);
    case BSIM_WORD_TMA:
    case BSIM_WORD_WGMMA:
        return bsim_sketch_read_async(sketch, statement);
    case BSIM_WORD_ARRIVE:
    case BSIM_WORD_WAIT:
        return bsim_sketch_read_mbarrier(sketch, statement);
    default:
        return statement->word == BSIM_WORD_CP_ASYNC && bsim_parse_take(sketch->parse, "arrive")
                   ? bsim_sketch_read_copies_arrive(sketch, statement)
                   : bsim_sketch_read_access(sketch, statement);
    }
}

/* An expectation is about accesses of its own text, or of the command line. */
static void enter_unit(struct bsim_sketch *sketch, uint32_t unit)
{
    if (sketch->unit != unit) {
        sketch->unit = unit;
        sketch->expect_from = sketch->check->n_accesses;
        sketch->expect_n = 0;
    }
}

static bool read_and_advance(struct bsim_sketch *sketch)
{
    const struct bsim_statement *statement = sketch->statement;
    enter_unit(sketch, statement->unit);
    if (!bsim_parse_start(sketch->parse, statement->at, statement->end) ||
        !read_simple(sketch, statement)) {
        return false;
    }
    advance(sketch);
    return true;
}

static bool read_statement(struct bsim_sketch *sketch)
{
    sketch->parse->source = &sketch->statement->source;
    switch (sketch->statement->word) {
    case BSIM_WORD_FOR:
        return read_for(sketch);
    case BSIM_WORD_WHILE:
        return read_while(sketch);
    case BSIM_WORD_TIMES:
        return read_times(sketch);
    case BSIM_WORD_IF:
        return read_if(sketch);
    case BSIM_WORD_OPEN:
        return read_block(sketch);
    default:
        return read_and_advance(sketch);
    }
}

bool bsim_check_read_sketch(struct bsim_check *check, struct bsim_parse *parse)
{
    struct bsim_sketch sketch = {.check = check,
                                 .parse = parse,
                                 .statement = check->first,
                                 .tail = &check->body,
                                 .loop = BSIM_NO_LOOP,
                                 .turns = 1,
                                 .times = 1};
    skip_declarations(&sketch);
    if (!read_statements(&sketch)) {
        return false;
    }
    if (sketch.statement != NULL) {
        return fail_at(&sketch, sketch.statement,
                       sees(&sketch, BSIM_WORD_END) ? "this ends no for and no if: none is open"
                                                    : "this else belongs to no if");
    }
    for (size_t i = 0; i < check->n_expectations; i++) {
        struct bsim_check_expectation *shown = &check->expectation[i].shown;
        shown->n_accesses = shown->n_accesses == 0 ? check->n_accesses : shown->n_accesses;
    }
    return true;
}
