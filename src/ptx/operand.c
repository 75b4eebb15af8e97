/* operand.c - one instruction: its guard, the words behind its dots, its operands.
 *
 *     @!%p1 ld.global.v2.f32 {%f1, %f2}, [%rd4+8];
 *
 * What an instruction must look like is not asked here: any mnemonic with any words and operands is
 * taken, and the machine says what it does not know.
 */
#include "ptx/reader.h"

#include <stdlib.h>
#include <string.h>

static bool find_register(const struct bsim_ptx_reader *reader, const char *text, size_t length,
                          uint32_t *number)
{
    for (uint32_t i = reader->n_ranges; i-- > 0;) {
        const struct bsim_ptx_range *range = &reader->range[i];
        if (length < range->length || memcmp(text, range->prefix, range->length) != 0) {
            continue;
        }
        const char *digit = text + range->length;
        size_t n_digits = length - range->length;
        if (range->count == 0) {
            if (n_digits != 0) {
                continue;
            }
            *number = range->first;
            return true;
        }
        uint32_t value = 0;
        size_t n = 0;
        while (n < n_digits && n < 9 && digit[n] >= '0' && digit[n] <= '9') {
            value = 10 * value + (uint32_t)(digit[n++] - '0');
        }
        if (n == n_digits && n > 0 && value < range->count) {
            *number = range->first + value;
            return true;
        }
    }
    return false;
}

/* A special register's name goes on behind a dot: %tid.x. */
static bool read_special(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    const char *text = scan->token.text;
    size_t length = scan->token.length;
    if (scan->at[0] == '.') {
        size_t with_dot = length + 2;
        if (bsim_ptx_special_find(text, with_dot) != BSIM_PTX_NO_SPECIAL) {
            length = with_dot;
        }
    }
    operand->number = bsim_ptx_special_find(text, length);
    if (operand->number == BSIM_PTX_NO_SPECIAL) {
        return false;
    }
    operand->kind = BSIM_PTX_SPECIAL;
    bsim_ptx_scan_next(scan);
    if (length > 2 && bsim_ptx_is_dot(scan, (char[]){text[length - 1], '\0'})) {
        bsim_ptx_scan_next(scan);
    }
    return true;
}

/* A name: a register, a special register, a variable, or one that is looked up when it is executed:
 * a function, a label, a special register that nobody here knows. */
static void read_name(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    const struct bsim_ptx_token *token = &scan->token;
    if (token->length == 1 && *token->text == '_') {
        operand->kind = BSIM_PTX_NOTHING;
        bsim_ptx_scan_next(scan);
        return;
    }
    if (find_register(reader, token->text, token->length, &operand->number)) {
        operand->kind = BSIM_PTX_REGISTER;
        bsim_ptx_scan_next(scan);
        return;
    }
    if (read_special(reader, operand)) {
        return;
    }
    operand->symbol = bsim_ptx_find_symbol(reader, token->text, token->length);
    operand->kind = operand->symbol != NULL ? BSIM_PTX_SYMBOL : BSIM_PTX_NAME;
    operand->name = bsim_ptx_token_text(reader);
    bsim_ptx_scan_next(scan);
}

static void read_number(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    bool is_negative = bsim_ptx_accept(scan, '-');
    uint64_t value = scan->token.value;
    switch (scan->token.kind) {
    case BSIM_PTX_NUMBER:
        operand->kind = BSIM_PTX_INTEGER;
        operand->bits = is_negative ? 0 - value : value;
        break;
    case BSIM_PTX_DECIMAL:
        operand->kind = BSIM_PTX_FLOAT;
        operand->bits = is_negative ? value ^ UINT64_C(1) << 63 : value;
        break;
    case BSIM_PTX_BITS:
        operand->kind = BSIM_PTX_SINGLE;
        operand->bits = is_negative ? value ^ UINT64_C(1) << 31 : value;
        break;
    default:
        bsim_ptx_scan_fail(scan, "an operand is missing here");
        return;
    }
    bsim_ptx_scan_next(scan);
}

/* Operands up to `close`, which is taken, as members. */
static void read_members(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand,
                         char close)
{
    enum { MOST = 128, MOST_DEPTH = 4 }; /* wgmma has vectors of 128 */
    struct bsim_ptx_operand member[MOST];
    struct bsim_ptx_scanner *scan = &reader->scan;
    uint32_t n = 0;
    if (reader->n_lists == MOST_DEPTH) {
        bsim_ptx_scan_fail(scan, "lists of operands more than %d deep", MOST_DEPTH);
        return;
    }
    reader->n_lists++;
    while (!bsim_ptx_accept(scan, close) && scan->status == BSIM_OK) {
        if (n == MOST) {
            bsim_ptx_scan_fail(scan, "more than %d operands in one list", MOST);
            return;
        }
        bsim_ptx_read_operand(reader, &member[n++]);
        if (!bsim_ptx_is(scan, close)) {
            bsim_ptx_expect(scan, ',');
        }
    }
    reader->n_lists--;
    operand->n = n;
    operand->member = bsim_ptx_make(reader, n * sizeof *member);
    if (operand->member != NULL) {
        memcpy(operand->member, member, n * sizeof *member);
    }
}

/* %r1.b0, %r1.h1, %r1.b7610 of video instructions: not known here, but no reason to refuse the module. */
static void read_part(struct bsim_ptx_reader *reader, const struct bsim_ptx_operand *operand)
{
    if (operand->kind == BSIM_PTX_REGISTER && reader->scan.token.kind == BSIM_PTX_DOT) {
        reader->part = reader->part != NULL ? reader->part : bsim_ptx_token_text(reader);
        bsim_ptx_scan_next(&reader->scan);
    }
}

void bsim_ptx_read_addend(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    while (bsim_ptx_is(scan, '+') || bsim_ptx_is(scan, '-')) {
        bool is_negative = bsim_ptx_accept(scan, '-');
        if (!is_negative) {
            bsim_ptx_scan_next(scan);
            is_negative = bsim_ptx_accept(scan, '-');
        }
        uint64_t value = bsim_ptx_expect_number(scan, "the number of bytes");
        operand->bits += is_negative ? 0 - value : value;
    }
}

/* [base+bytes], [texture, {x, y}]. */
static void read_address(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand)
{
    read_members(reader, operand, ']');
    operand->kind = BSIM_PTX_ADDRESS;
    if (operand->member != NULL && operand->n > 0) {
        operand->bits = operand->member[0].bits;
        if (operand->member[0].kind != BSIM_PTX_INTEGER) {
            operand->member[0].bits = 0;
        } else {
            operand->bits = 0;
        }
    }
}

void bsim_ptx_read_operand(struct bsim_ptx_reader *reader, struct bsim_ptx_operand *operand)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    *operand = (struct bsim_ptx_operand){.kind = BSIM_PTX_NOTHING};
    if (bsim_ptx_accept(scan, '{')) {
        read_members(reader, operand, '}');
        operand->kind = BSIM_PTX_VECTOR;
    } else if (bsim_ptx_accept(scan, '(')) {
        read_members(reader, operand, ')');
        operand->kind = BSIM_PTX_VECTOR;
    } else if (bsim_ptx_accept(scan, '[')) {
        read_address(reader, operand);
    } else {
        bool is_negated = bsim_ptx_accept(scan, '!');
        if (scan->token.kind == BSIM_PTX_WORD) {
            read_name(reader, operand);
            read_part(reader, operand);
            bsim_ptx_read_addend(reader, operand);
        } else {
            read_number(reader, operand);
        }
        operand->is_negated = is_negated;
    }
    if (bsim_ptx_accept(scan, '|')) {
        struct bsim_ptx_operand *member = bsim_ptx_make(reader, 2 * sizeof *member);
        if (member != NULL) {
            member[0] = *operand;
            bsim_ptx_read_operand(reader, &member[1]);
            *operand = (struct bsim_ptx_operand){.kind = BSIM_PTX_PAIR, .member = member, .n = 2};
        }
    }
}

/* m64n128k16: a shape of wgmma, of which there are too many to be words. */
static bool read_shape(const struct bsim_ptx_token *token,
                       struct bsim_ptx_instruction *instruction)
{
    static const char head[] = "m64n";
    unsigned long shape[2] = {0, 0};
    const char *at = token->text + sizeof head - 1;
    if (token->length < sizeof head || memcmp(token->text, head, sizeof head - 1) != 0 ||
        !bsim_ptx_is_a(instruction, "wgmma")) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        char *end;
        shape[i] = strtoul(at, &end, 10);
        at = i == 0 && *end == 'k' ? end + 1 : end;
    }
    instruction->columns = (uint16_t)(shape[0] <= UINT16_MAX ? shape[0] : 0);
    instruction->inner = (uint16_t)(shape[1] <= UINT16_MAX ? shape[1] : 0);
    return at == token->text + token->length;
}

/* The words behind the mnemonic's dots. */
static void read_words(struct bsim_ptx_reader *reader, struct bsim_ptx_instruction *instruction)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    for (; scan->token.kind == BSIM_PTX_DOT; bsim_ptx_scan_next(scan)) {
        const struct bsim_ptx_token *token = &scan->token;
        uint32_t type = bsim_ptx_type_find(token->text, token->length);
        uint32_t word = bsim_ptx_word_find(token->text, token->length);
        if (type != BSIM_PTX_NO_TYPE && instruction->n_types < BSIM_PTX_MAX_TYPES) {
            instruction->type[instruction->n_types++] = (uint8_t)type;
        } else if (word != BSIM_PTX_NO_WORD && instruction->n_words < BSIM_PTX_MAX_WORDS) {
            instruction->word[instruction->n_words++] = (uint8_t)word;
        } else if (!read_shape(token, instruction) && instruction->unknown == NULL) {
            instruction->unknown = bsim_ptx_token_text(reader);
        }
    }
}

static void read_guard(struct bsim_ptx_reader *reader, struct bsim_ptx_instruction *instruction)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    if (!bsim_ptx_accept(scan, '@')) {
        return;
    }
    instruction->has_guard = true;
    instruction->guard_negated = bsim_ptx_accept(scan, '!');
    if (scan->token.kind != BSIM_PTX_WORD ||
        !find_register(reader, scan->token.text, scan->token.length, &instruction->guard)) {
        bsim_ptx_scan_fail(scan, "a predicate register is missing behind '@'");
        return;
    }
    bsim_ptx_scan_next(scan);
}

void bsim_ptx_read_instruction(struct bsim_ptx_reader *reader,
                               struct bsim_ptx_instruction *instruction)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    *instruction = (struct bsim_ptx_instruction){.text = scan->token.text,
                                                 .line = scan->token.line,
                                                 .place = reader->place,
                                                 .target = UINT32_MAX};
    reader->part = NULL;
    reader->n_lists = 0;
    read_guard(reader, instruction);
    if (scan->token.kind != BSIM_PTX_WORD) {
        bsim_ptx_scan_fail(scan, "an instruction is missing here");
        return;
    }
    instruction->mnemonic = bsim_ptx_token_text(reader);
    bsim_ptx_scan_next(scan);
    read_words(reader, instruction);
    while (!bsim_ptx_is(scan, ';') && scan->status == BSIM_OK) {
        if (instruction->n_operands == BSIM_PTX_MAX_OPERANDS) {
            bsim_ptx_scan_fail(scan, "an instruction with more than %d operands",
                               BSIM_PTX_MAX_OPERANDS);
            return;
        }
        bsim_ptx_read_operand(reader, &instruction->operand[instruction->n_operands++]);
        if (!bsim_ptx_is(scan, ';')) {
            bsim_ptx_expect(scan, ',');
        }
    }
    instruction->unknown = instruction->unknown != NULL ? instruction->unknown : reader->part;
    instruction->text_length = (uint32_t)(scan->token.text - instruction->text);
    bsim_ptx_expect(scan, ';');
}
