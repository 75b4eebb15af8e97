/* read.c - the directives of a PTX module: functions, variables, registers, scopes, places.
 *
 *     module    = { ".version" … | ".target" … | ".file" … | ".section" … | variable | function }
 *     function  = (".entry" | ".func" [list]) name list { ".maxntid" … } ("{" body "}" | ";")
 *     body      = { ".reg" … | ".loc" … | variable | label | "{" body "}" | instruction }
 *     variable  = space { ".align" n | ".v2" } type name { "[" n "]" } [ "=" initial ] ";"
 *
 * Names go out of sight with the braces that they are declared in, as those of inline assembly do.
 */
#include "ptx/read.h"

#include "base/memory.h"
#include "ptx/reader.h"

#include <stdio.h>
#include <string.h>

static const char *take_name(struct bsim_ptx_reader *reader, const char *what)
{
    if (reader->scan.token.kind != BSIM_PTX_WORD) {
        bsim_ptx_scan_fail(&reader->scan, "%s is missing here", what);
        return "";
    }
    const char *name = bsim_ptx_token_text(reader);
    bsim_ptx_scan_next(&reader->scan);
    return name;
}

/* Behind the next ';' or a '{ … }' that comes first. */
static void skip_statement(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    uint32_t depth = 0;
    while (scan->token.kind != BSIM_PTX_END) {
        bool opens = bsim_ptx_is(scan, '{'), closes = bsim_ptx_is(scan, '}');
        bool ends = bsim_ptx_is(scan, ';') && depth == 0;
        depth = opens ? depth + 1 : closes && depth > 0 ? depth - 1 : depth;
        bsim_ptx_scan_next(scan);
        if (ends || (closes && depth == 0)) {
            return;
        }
    }
}

/* ---- variables ------------------------------------------------------------------------------- */

static enum bsim_ptx_space space_of(const struct bsim_ptx_scanner *scan)
{
    static const struct {
        const char *name;
        enum bsim_ptx_space space;
    } spaces[] = {{"global", BSIM_PTX_GLOBAL},
                  {"const", BSIM_PTX_CONST},
                  {"shared", BSIM_PTX_SHARED},
                  {"local", BSIM_PTX_LOCAL},
                  {"param", BSIM_PTX_PARAM}};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        if (bsim_ptx_is_dot(scan, spaces[i].name)) {
            return spaces[i].space;
        }
    }
    return BSIM_PTX_NO_SPACE;
}

/* What stands between the space and the name: alignment, vector, type. Returns the elements of a
 * vector. */
static uint32_t read_shape(struct bsim_ptx_reader *reader, struct bsim_ptx_symbol *symbol)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    uint32_t n = 1;
    while (scan->token.kind == BSIM_PTX_DOT) {
        const struct bsim_ptx_token *token = &scan->token;
        uint32_t type = bsim_ptx_type_find(token->text, token->length);
        if (type != BSIM_PTX_NO_TYPE) {
            symbol->type = (enum bsim_ptx_type)type;
        } else if (bsim_ptx_is_dot(scan, "v2") || bsim_ptx_is_dot(scan, "v4")) {
            n = (uint32_t)(token->text[1] - '0');
        } else if (bsim_ptx_accept_dot(scan, "align")) {
            symbol->alignment = (uint32_t)bsim_ptx_expect_number(scan, "the alignment");
            continue;
        } else if (bsim_ptx_accept_dot(scan, "ptr")) {
            /* Of what a parameter points to: its space and alignment say nothing about itself. */
            if (space_of(scan) != BSIM_PTX_NO_SPACE) {
                bsim_ptx_scan_next(scan);
            }
            if (bsim_ptx_accept_dot(scan, "align")) {
                bsim_ptx_expect_number(scan, "the alignment");
            }
            continue;
        } else if (bsim_ptx_accept_dot(scan, "attribute")) {
            while (!bsim_ptx_accept(scan, ')') && scan->token.kind != BSIM_PTX_END) {
                bsim_ptx_scan_next(scan);
            }
            continue;
        } else if (bsim_ptx_is_dot(scan, "texref") || bsim_ptx_is_dot(scan, "surfref") ||
                   bsim_ptx_is_dot(scan, "samplerref")) {
            symbol->type = BSIM_PTX_B64;
        } else {
            bsim_ptx_scan_fail(scan, ".%s is not known in a declaration",
                               bsim_ptx_token_text(reader));
            return n;
        }
        bsim_ptx_scan_next(scan);
    }
    return n;
}

static void store_bytes(unsigned char *at, uint64_t value, uint32_t n_bytes)
{
    for (uint32_t i = 0; i < n_bytes; i++) {
        at[i] = (unsigned char)(value >> 8 * i);
    }
}

static uint64_t element_bits(const struct bsim_ptx_operand *value, uint32_t type)
{
    double d;
    float f;
    memcpy(&d, &value->bits, sizeof d);
    uint64_t bits = value->bits;
    if (value->kind == BSIM_PTX_FLOAT && type == BSIM_PTX_F32) {
        f = (float)d;
        bits = 0;
        memcpy(&bits, &f, sizeof f);
    } else if (value->kind == BSIM_PTX_INTEGER && type == BSIM_PTX_F64) {
        d = (double)(int64_t)value->bits;
        memcpy(&bits, &d, sizeof d);
    } else if (value->kind == BSIM_PTX_INTEGER && type == BSIM_PTX_F32) {
        f = (float)(int64_t)value->bits;
        bits = 0;
        memcpy(&bits, &f, sizeof f);
    }
    return bits;
}

static void add_pointer(struct bsim_ptx_reader *reader, struct bsim_ptx_symbol *symbol,
                        uint64_t offset, const struct bsim_ptx_operand *value)
{
    struct bsim_ptx_pointer *pointer = bsim_ptx_make(reader, sizeof *pointer);
    if (pointer != NULL) {
        *pointer = (struct bsim_ptx_pointer){.offset = offset,
                                             .name = value->name,
                                             .addend = (int64_t)value->bits,
                                             .next = symbol->pointers};
        symbol->pointers = pointer;
    }
}

/* One element, or a list of them in braces, at *offset. generic(x) is x, generic(x)+4 is x+4. */
static void read_initial(struct bsim_ptx_reader *reader, struct bsim_ptx_symbol *symbol,
                         unsigned char *bytes, uint64_t *offset)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    uint32_t size = bsim_ptx_type_bits(symbol->type) / 8;
    if (bsim_ptx_accept(scan, '{')) {
        while (!bsim_ptx_accept(scan, '}') && scan->status == BSIM_OK) {
            read_initial(reader, symbol, bytes, offset);
            if (!bsim_ptx_is(scan, '}')) {
                bsim_ptx_expect(scan, ',');
            }
        }
        return;
    }
    struct bsim_ptx_operand value;
    bsim_ptx_read_operand(reader, &value);
    if (value.kind == BSIM_PTX_NAME && strcmp(value.name, "generic") == 0) {
        bsim_ptx_read_operand(reader, &value);
        value = value.n == 1 ? value.member[0] : value;
        bsim_ptx_read_addend(reader, &value);
    }
    if (*offset + size > symbol->size_bytes) {
        bsim_ptx_scan_fail(scan, "more values than %s has room for", symbol->name);
        return;
    }
    if (value.kind == BSIM_PTX_NAME || value.kind == BSIM_PTX_SYMBOL) {
        add_pointer(reader, symbol, *offset, &value);
    } else {
        store_bytes(bytes + *offset, element_bits(&value, symbol->type), size);
    }
    *offset += size;
}

/* [n][m], [] for an open size; returns the number of elements, 0 for an open one. */
static uint64_t read_dimensions(struct bsim_ptx_reader *reader, struct bsim_ptx_symbol *symbol)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    uint64_t n = 1;
    while (bsim_ptx_accept(scan, '[')) {
        uint64_t count =
            bsim_ptx_is(scan, ']') ? 0 : bsim_ptx_expect_number(scan, "the number of elements");
        n *= count;
        if (symbol->n_dimensions < BSIM_PTX_DIMENSIONS) {
            symbol->dimension[symbol->n_dimensions++] = count;
        }
        if (n > UINT64_C(1) << 40) {
            bsim_ptx_scan_fail(scan, "an array of over 2^40 elements");
        }
        bsim_ptx_expect(scan, ']');
    }
    return n;
}

static bool is_power_of_two(uint32_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

/* The name and what comes behind it; the rest of the declaration has been read into *shape. */
static struct bsim_ptx_symbol *read_declared(struct bsim_ptx_reader *reader,
                                             const struct bsim_ptx_symbol *shape, uint32_t n_vector)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    struct bsim_ptx_symbol *symbol = bsim_ptx_make(reader, sizeof *symbol);
    if (symbol == NULL) {
        return NULL;
    }
    *symbol = *shape;
    symbol->name = take_name(reader, "the variable's name");
    uint32_t each = bsim_ptx_type_bits(shape->type) / 8 * n_vector;
    symbol->n_vector = n_vector;
    symbol->size_bytes = each * read_dimensions(reader, symbol);
    symbol->alignment = shape->alignment != 0 ? shape->alignment : each;
    if (!is_power_of_two(symbol->alignment)) {
        bsim_ptx_scan_fail(scan, "%s has neither a size nor an alignment that memory can have",
                           symbol->name);
    }
    if (bsim_ptx_accept(scan, '=') && scan->status == BSIM_OK) {
        uint64_t offset = 0;
        unsigned char *bytes = bsim_ptx_make(reader, (size_t)symbol->size_bytes);
        if (bytes != NULL) {
            read_initial(reader, symbol, bytes, &offset);
            symbol->initial = bytes;
        }
    }
    return scan->status == BSIM_OK ? symbol : NULL;
}

/* Puts a variable in sight and at the end of a list. */
static void keep_symbol(struct bsim_ptx_reader *reader, struct bsim_ptx_symbol **list,
                        struct bsim_ptx_symbol *symbol)
{
    if (symbol == NULL ||
        !bsim_ptx_grow(reader, &reader->symbol, reader->n_symbols, sizeof(struct bsim_ptx_symbol *))) {
        return;
    }
    reader->symbol[reader->n_symbols++] = symbol;
    while (*list != NULL) {
        list = &(*list)->next;
    }
    *list = symbol;
}

/* A declaration, from its space to behind its semicolon. */
static void read_variable(struct bsim_ptx_reader *reader, bool is_extern)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    struct bsim_ptx_symbol shape = {.space = space_of(scan), .is_extern = is_extern};
    bsim_ptx_scan_next(scan);
    uint32_t n_vector = read_shape(reader, &shape);
    shape.element = shape.type == BSIM_PTX_B8 && n_vector == 1 ? reader->element : NULL;
    reader->element = NULL;
    bool is_module =
        reader->function == NULL || shape.space == BSIM_PTX_GLOBAL || shape.space == BSIM_PTX_CONST;
    do {
        struct bsim_ptx_symbol *symbol = read_declared(reader, &shape, n_vector);
        keep_symbol(reader, is_module ? &reader->module->symbols : &reader->function->variables,
                    symbol);
    } while (bsim_ptx_accept(scan, ','));
    bsim_ptx_expect(scan, ';');
}

/* ---- the body of a function ------------------------------------------------------------------ */

static uint32_t add_registers(struct bsim_ptx_reader *reader, enum bsim_ptx_type type, uint32_t n)
{
    uint32_t first = reader->n_reg;
    for (uint32_t i = 0; i < n; i++) {
        if (!bsim_ptx_grow(reader, &reader->reg, reader->n_reg, sizeof *reader->reg)) {
            return first;
        }
        reader->reg[reader->n_reg++].type = type;
    }
    return first;
}

static enum bsim_ptx_type read_register_type(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_symbol shape = {.alignment = 1};
    if (read_shape(reader, &shape) != 1) {
        bsim_ptx_scan_fail(&reader->scan, "vector registers are not known here");
    }
    return shape.type;
}

/* %r<38>, or %x. */
static void read_register(struct bsim_ptx_reader *reader, enum bsim_ptx_type type)
{
    enum { MOST = 1 << 20 };
    struct bsim_ptx_scanner *scan = &reader->scan;
    struct bsim_ptx_range range = {.prefix = take_name(reader, "the register's name")};
    range.length = strlen(range.prefix);
    if (bsim_ptx_accept(scan, '<')) {
        uint64_t count = bsim_ptx_expect_number(scan, "the number of registers");
        range.count = count < MOST ? (uint32_t)count : MOST;
        bsim_ptx_expect(scan, '>');
    }
    if (range.count == MOST) {
        bsim_ptx_scan_fail(scan, "more than %d registers", MOST);
    }
    if (scan->status == BSIM_OK &&
        bsim_ptx_grow(reader, &reader->range, reader->n_ranges, sizeof range)) {
        range.first = add_registers(reader, type, range.count == 0 ? 1 : range.count);
        reader->range[reader->n_ranges++] = range;
    }
}

/* .reg .b32 %r<38>, %x; */
static void read_registers(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    bsim_ptx_scan_next(scan);
    enum bsim_ptx_type type = read_register_type(reader);
    do {
        read_register(reader, type);
    } while (bsim_ptx_accept(scan, ','));
    bsim_ptx_expect(scan, ';');
}

static void add_instruction(struct bsim_ptx_reader *reader)
{
    if (bsim_ptx_grow(reader, &reader->code, reader->n_code, sizeof *reader->code)) {
        struct bsim_ptx_instruction *instruction = &reader->code[reader->n_code];
        bsim_ptx_read_instruction(reader, instruction);
        instruction->is_marked = reader->is_marked;
        reader->is_marked = false;
        instruction->issues = reader->issues;
        reader->issues = NULL;
        reader->n_code++;
        if (reader->scan.status == BSIM_OK && bsim_ptx_is_a(instruction, "brx")) {
            bsim_ptx_add_branches(reader);
        }
    }
}

/* A name: of a label if a colon follows. */
static void read_label_or_instruction(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    const char *behind = scan->at;
    while (behind < scan->end && (*behind == ' ' || *behind == '\t')) {
        behind++;
    }
    if (scan->token.kind != BSIM_PTX_WORD || *behind != ':') {
        add_instruction(reader);
        return;
    }
    const char *name = bsim_ptx_token_text(reader);
    bsim_ptx_scan_next(scan);
    bsim_ptx_expect(scan, ':');
    if (bsim_ptx_accept_dot(scan, "branchtargets")) {
        bsim_ptx_read_targets(reader, name);
        return;
    }
    if (bsim_ptx_is_dot(scan, "calltargets") || bsim_ptx_is_dot(scan, "callprototype")) {
        skip_statement(reader);
        return;
    }
    bsim_ptx_add_label(reader, name);
}

static bool begins(const struct bsim_ptx_token *token, const char *word)
{
    return token->length >= strlen(word) && memcmp(token->text, word, strlen(word)) == 0;
}

/* The number behind the word, 0: the text does not begin with it. */
static uint32_t number_behind(const struct bsim_ptx_token *token, const char *word)
{
    uint32_t number = 0;
    const char *at = token->text + strlen(word), *end = token->text + token->length;
    for (; begins(token, word) && at < end && *at >= '0' && *at <= '9' && number < UINT32_MAX / 20;
         at++) {
        number = 10 * number + (uint32_t)(*at - '0');
    }
    return number;
}

/* "banksim elements half2": the variable that comes next is an array of these. */
static void note_elements(struct bsim_ptx_reader *reader)
{
    static const char word[] = "banksim elements ";
    enum { LENGTH = sizeof word - 1 };
    const struct bsim_ptx_token *token = &reader->scan.token;
    bool is_name = begins(token, word);
    for (size_t i = LENGTH; i < token->length && is_name; i++) {
        char c = token->text[i];
        is_name = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    }
    reader->element = is_name ? bsim_arena_text(&reader->module->arena, token->text + LENGTH,
                                                token->length - LENGTH)
                              : NULL;
    if (is_name && reader->element == NULL) {
        bsim_ptx_scan_no_memory(&reader->scan);
    }
}

/* "banksim issue 2 0 7 1 ...": of an instruction of machine code, in the order of struct bsim_ptx_issue. */
static void note_issue(struct bsim_ptx_reader *reader)
{
    static const char word[] = "banksim issue ";
    enum { LENGTH = sizeof word - 1, NUMBERS = 9, BRANCH = 1, MEETING = 2 };
    const struct bsim_ptx_token *token = &reader->scan.token;
    uint16_t number[NUMBERS] = {0};
    if (!begins(token, word)) {
        return;
    }
    const char *why = memchr(token->text, ':', token->length), *end = token->text + token->length;
    for (size_t i = LENGTH, n = 0; i < token->length && n < NUMBERS && token->text + i != why; i++) {
        char c = token->text[i];
        n += c == ' ';
        if (c >= '0' && c <= '9' && n < NUMBERS) {
            number[n] = (uint16_t)(10 * number[n] + (c - '0'));
        }
    }
    struct bsim_ptx_issue *issues = bsim_ptx_make(reader, sizeof *issues);
    if (issues != NULL) {
        *issues = (struct bsim_ptx_issue){number[0], number[1], number[2], number[3], number[4], number[5], number[6],
                                          number[7], number[8] == BRANCH, number[8] == MEETING,
                                          why != NULL && end - why > 2 ? bsim_arena_text(&reader->module->arena, why + 2, (size_t)(end - why - 2)) : NULL};
    }
    reader->issues = issues;
}

/* .pragma "used_bytes_mask 61680"; is nvcc's, "banksim ..." are those of cuda/print.c. */
static void read_pragma(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    if (bsim_ptx_accept_dot(scan, "pragma")) {
        note_elements(reader);
        note_issue(reader);
        reader->is_marked = begins(&scan->token, "used_bytes_mask ");
        if (reader->function != NULL) {
            reader->function->is_machine_code |= begins(&scan->token, "banksim machine code");
            reader->function->is_of_source |= begins(&scan->token, "banksim source");
            reader->function->has_mathematics |= begins(&scan->token, "banksim mathematics");
            reader->function->registers |= number_behind(&scan->token, "banksim registers ");
            reader->function->trials |= number_behind(&scan->token, "banksim trials ");
            reader->function->turns |= number_behind(&scan->token, "banksim turns ");
            reader->function->ways |= number_behind(&scan->token, "banksim ways ");
        }
    }
    skip_statement(reader);
}

static void read_scope(struct bsim_ptx_reader *reader);

static void read_statement(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    if (bsim_ptx_accept(scan, '{')) {
        read_scope(reader);
    } else if (bsim_ptx_is_dot(scan, "reg")) {
        read_registers(reader);
    } else if (bsim_ptx_is_dot(scan, "loc")) {
        bsim_ptx_read_loc(reader);
    } else if (space_of(scan) != BSIM_PTX_NO_SPACE) {
        read_variable(reader, false);
    } else if (scan->token.kind == BSIM_PTX_DOT) {
        read_pragma(reader); /* .branchtargets and others: nothing that counts depends on them */
    } else if (!bsim_ptx_accept(scan, ';')) {
        read_label_or_instruction(reader);
    }
}

/* From behind '{' to behind '}'. */
static void read_scope(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    uint32_t n_ranges = reader->n_ranges, n_symbols = reader->n_symbols, first = reader->n_code;
    reader->depth++;
    while (!bsim_ptx_is(scan, '}') && scan->token.kind != BSIM_PTX_END) {
        read_statement(reader);
    }
    if (scan->status == BSIM_OK && !bsim_ptx_is(scan, '}')) {
        bsim_ptx_scan_fail(scan, "the text ends within a function: '}' is missing");
    }
    bsim_ptx_close_labels(reader, first);
    reader->depth--;
    reader->n_ranges = n_ranges;
    reader->n_symbols = n_symbols;
    bsim_ptx_accept(scan, '}');
}

/* ---- functions ------------------------------------------------------------------------------- */

/* A parameter behind `size` bytes of others; returns where it ends. */
static uint64_t read_parameter(struct bsim_ptx_reader *reader, struct bsim_ptx_symbol **list,
                               uint64_t size)
{
    struct bsim_ptx_symbol shape = {.space = BSIM_PTX_PARAM};
    bsim_ptx_accept_dot(&reader->scan, "param");
    uint32_t n_vector = read_shape(reader, &shape);
    struct bsim_ptx_symbol *symbol = read_declared(reader, &shape, n_vector);
    if (symbol == NULL) {
        return size;
    }
    symbol->address = (size + symbol->alignment - 1) / symbol->alignment * symbol->alignment;
    symbol->is_parameter = true;
    keep_symbol(reader, list, symbol);
    return symbol->address + symbol->size_bytes;
}

/* (.param .u64 a, .param .b32 b): parameters one behind the other, each aligned. Those of a function may
 * be registers, as before PTX 2.0: then it is refused where it is called. */
static uint32_t read_parameters(struct bsim_ptx_reader *reader, struct bsim_ptx_function *function,
                                struct bsim_ptx_symbol **list)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    uint64_t size = 0;
    while (!bsim_ptx_accept(scan, ')') && scan->status == BSIM_OK) {
        if (!function->is_entry && bsim_ptx_accept_dot(scan, "reg")) {
            function->has_registers = true;
            read_register(reader, read_register_type(reader));
        } else {
            size = read_parameter(reader, list, size);
        }
        if (!bsim_ptx_is(scan, ')')) {
            bsim_ptx_expect(scan, ',');
        }
    }
    return (uint32_t)size;
}

/* .maxntid 256, 1, 1 and what else may stand between the parameters and the body. */
static void read_bounds(struct bsim_ptx_reader *reader, struct bsim_ptx_function *function)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    while (scan->token.kind == BSIM_PTX_DOT) {
        bool is_threads = bsim_ptx_is_dot(scan, "maxntid") || bsim_ptx_is_dot(scan, "reqntid");
        uint32_t *list = is_threads                                    ? function->max_threads
                         : bsim_ptx_is_dot(scan, "reqnctapercluster") ? function->cluster
                                                                      : NULL;
        function->needs_threads = function->needs_threads || bsim_ptx_is_dot(scan, "reqntid");
        bsim_ptx_scan_next(scan);
        for (uint32_t i = 0; scan->token.kind == BSIM_PTX_NUMBER; i++) {
            if (list != NULL && i < 3) {
                list[i] = (uint32_t)scan->token.value;
            }
            bsim_ptx_scan_next(scan);
            bsim_ptx_accept(scan, ',');
        }
        if (scan->token.kind == BSIM_PTX_STRING) {
            bsim_ptx_scan_next(scan); /* .pragma "nounroll"; */
            bsim_ptx_accept(scan, ';');
        }
    }
}

/* A copy of array in the module's arena; array is freed. */
static void *keep(struct bsim_ptx_reader *reader, void *array, size_t size)
{
    void *kept = bsim_ptx_make(reader, size);
    if (kept != NULL && size > 0) {
        memcpy(kept, array, size);
    }
    bsim_mem_free(array);
    return kept;
}

static void keep_body(struct bsim_ptx_reader *reader, struct bsim_ptx_function *function)
{
    function->n_instructions = reader->n_code;
    function->n_registers = reader->n_reg;
    function->code = keep(reader, reader->code, reader->n_code * sizeof *reader->code);
    function->reg = keep(reader, reader->reg, reader->n_reg * sizeof *reader->reg);
    reader->code = NULL;
    reader->reg = NULL;
}

static void read_body(struct bsim_ptx_reader *reader, struct bsim_ptx_function *function)
{
    reader->n_code = reader->n_labels = reader->n_targets = 0;
    bsim_ptx_forget_places(reader);
    function->is_defined = true;
    reader->function = function;
    read_scope(reader);
    reader->function = NULL;
    if (reader->scan.status == BSIM_OK) {
        keep_body(reader, function);
    }
    if (reader->scan.status == BSIM_OK) {
        bsim_ptx_check_branches(reader, function);
    }
}

static void add_function(struct bsim_ptx_module *module, struct bsim_ptx_function *function)
{
    struct bsim_ptx_function **list = &module->functions;
    while (*list != NULL) {
        list = &(*list)->next;
    }
    *list = function;
}

/* From .entry or .func on. A function may be declared before it is defined: both stay, and who
 * looks for it finds the definition. */
static void read_function(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    struct bsim_ptx_function *function = bsim_ptx_make(reader, sizeof *function);
    uint32_t n_symbols = reader->n_symbols, n_ranges = reader->n_ranges;
    if (function == NULL) {
        return;
    }
    reader->n_reg = 0;
    function->is_entry = bsim_ptx_is_dot(scan, "entry");
    function->line = scan->token.line;
    bsim_ptx_scan_next(scan);
    if (bsim_ptx_accept(scan, '(')) {
        read_parameters(reader, function, &function->results);
    }
    function->name = take_name(reader, "the function's name");
    if (bsim_ptx_accept(scan, '(')) {
        function->parameter_bytes = read_parameters(reader, function, &function->parameters);
    }
    read_bounds(reader, function);
    if (bsim_ptx_accept(scan, '{')) {
        read_body(reader, function);
    } else {
        bsim_ptx_expect(scan, ';');
    }
    reader->n_symbols = n_symbols;
    reader->n_ranges = n_ranges;
    add_function(reader->module, function);
}

/* ---- the module ------------------------------------------------------------------------------ */

/* .file 1 "name" [, time, size] */
static void read_file(struct bsim_ptx_reader *reader)
{
    enum { MOST = 1 << 16 };
    struct bsim_ptx_scanner *scan = &reader->scan;
    struct bsim_ptx_module *module = reader->module;
    bsim_ptx_scan_next(scan);
    uint64_t number = bsim_ptx_expect_number(scan, "the file's number");
    if (scan->token.kind != BSIM_PTX_STRING || number >= MOST) {
        bsim_ptx_scan_fail(scan, "the file's name is missing here, or its number is over %d",
                           MOST - 1);
        return;
    }
    if (number >= module->n_files) {
        const char **file = bsim_ptx_make(reader, (number + 1) * sizeof *file);
        if (file == NULL) {
            return;
        }
        if (module->n_files > 0) {
            memcpy(file, module->file, module->n_files * sizeof *file);
        }
        module->file = file;
        module->n_files = (uint32_t)number + 1;
    }
    module->file[number] = bsim_ptx_token_text(reader);
    bsim_ptx_scan_next(scan);
    while (bsim_ptx_accept(scan, ',')) {
        bsim_ptx_expect_number(scan, "a number");
    }
}

/* .target sm_90a, texmode_independent */
static void read_target(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    bsim_ptx_scan_next(scan);
    do {
        unsigned number = 0;
        if (sscanf(scan->token.text, "sm_%3u", &number) == 1) {
            reader->module->target = number;
        }
        take_name(reader, "the target");
    } while (bsim_ptx_accept(scan, ','));
}

static void read_directive(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    bool is_extern = false;
    while (bsim_ptx_is_dot(scan, "visible") || bsim_ptx_is_dot(scan, "extern") ||
           bsim_ptx_is_dot(scan, "weak") || bsim_ptx_is_dot(scan, "common")) {
        is_extern = is_extern || bsim_ptx_is_dot(scan, "extern");
        bsim_ptx_scan_next(scan);
    }
    if (bsim_ptx_is_dot(scan, "entry") || bsim_ptx_is_dot(scan, "func")) {
        read_function(reader);
    } else if (space_of(scan) != BSIM_PTX_NO_SPACE) {
        read_variable(reader, is_extern);
    } else if (bsim_ptx_is_dot(scan, "file")) {
        read_file(reader);
    } else if (bsim_ptx_is_dot(scan, "target")) {
        read_target(reader);
    } else if (bsim_ptx_is_dot(scan, "loc")) {
        bsim_ptx_read_loc(reader);
    } else if (bsim_ptx_is_dot(scan, "version") || bsim_ptx_is_dot(scan, "address_size")) {
        bsim_ptx_scan_next(scan);
        bsim_ptx_scan_next(scan);
    } else if (bsim_ptx_is_dot(scan, "pragma")) {
        read_pragma(reader);
    } else if (bsim_ptx_is_dot(scan, "section") || bsim_ptx_is_dot(scan, "alias")) {
        skip_statement(reader);
    } else if (!bsim_ptx_accept(scan, ';')) {
        bsim_ptx_scan_fail(scan, "a directive of PTX is missing here, such as .entry");
    }
}

static void read_module(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    if (!bsim_ptx_is_dot(scan, "version")) {
        bsim_ptx_scan_fail(scan, "this is no PTX: its text begins with .version");
    }
    while (scan->token.kind != BSIM_PTX_END) {
        read_directive(reader);
    }
}

static struct bsim_ptx_module *new_module(const char *name, const char *text, size_t length)
{
    struct bsim_arena arena = {0};
    struct bsim_ptx_module *module = bsim_arena_take(&arena, sizeof *module);
    char *copy = bsim_arena_text(&arena, text, length);
    char *file = bsim_arena_text(&arena, name, strlen(name));
    if (module == NULL || copy == NULL || file == NULL) {
        bsim_arena_free(&arena);
        return NULL;
    }
    *module =
        (struct bsim_ptx_module){.arena = arena, .name = file, .text = copy, .length = length};
    return module;
}

enum bsim_status bsim_ptx_read(const char *name, const char *text, size_t length,
                               struct bsim_ptx_module **module, struct bsim_error *err)
{
    struct bsim_ptx_reader reader = {.module = new_module(name, text, length)};
    if (reader.module == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    bsim_ptx_scan_start(&reader.scan, reader.module->name, reader.module->text, length, 1, err);
    read_module(&reader);
    bsim_mem_free(reader.code);
    bsim_mem_free(reader.reg);
    bsim_mem_free(reader.range);
    bsim_mem_free(reader.symbol);
    bsim_mem_free(reader.label);
    bsim_mem_free(reader.target);
    bsim_mem_free(reader.last_place);
    bsim_table_clear(&reader.places);
    if (reader.scan.status != BSIM_OK) {
        bsim_ptx_module_free(reader.module);
        return reader.scan.status;
    }
    *module = reader.module;
    return BSIM_OK;
}

void bsim_ptx_module_free(struct bsim_ptx_module *module)
{
    if (module != NULL) {
        bsim_ptx_programs_free(module);
        struct bsim_arena arena = module->arena; /* the module is in it */
        bsim_arena_free(&arena);
    }
}

struct bsim_ptx_function *bsim_ptx_find_function(const struct bsim_ptx_module *module,
                                                 const char *name)
{
    struct bsim_ptx_function *declared = NULL;
    for (struct bsim_ptx_function *f = module->functions; f != NULL; f = f->next) {
        if (strcmp(f->name, name) == 0) {
            declared = f;
            if (f->is_defined) {
                return f;
            }
        }
    }
    return declared;
}
