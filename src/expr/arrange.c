/* arrange.c - the layout that the declaration of a shared array asks for: where its elements lie.
 *
 *     arrangement = step*
 *     step        = "pad" P ["every" E]                     behind every E elements P unused ones;
 *                                                           without E, behind each row
 *                 | N "more" "behind"                       unused ones at the array's end
 *                 | ("swizzle" | "Swizzle") "<" B "," M "," S ">"     CuTe's
 *                 | ("swizzle" | "tma") ("32B" | "64B" | "128B")      TMA's modes
 *                 | "xor" BIT ":" FLIPS ("," BIT ":" FLIPS)*
 *                 | "row" "-" "xor" B "," M "," S           in row r: x ^ (r >> S & 2^B - 1) << M
 *
 *                 | "rotate" T ["of" C] ["every" R]         in row r: (x + r / R * T) % row, R being 1
 *                                                           without it; rows of C, or as declared
 *
 * All count elements but TMA's modes, which count bytes. A step takes the place that the step
 * before it gave an element: `pad 8 every 64 swizzle<3,3,3>` swizzles what is padded already.
 * Indices stay what they were; no two elements have one place, and none lies outside of the bytes
 * that the array takes. Those are the bytes of the declaration that `advise` has for such a layout.
 *
 * CuTe (include/cute/swizzle.hpp): Swizzle<B,M,S> flips bits M to M+B-1 of i by the bits S above
 * them; of a negative S, the bits -S above those by them. TMA (CUDA's cuTensorMapEncodeTiled) flips
 * the number of the 16-byte chunk in a row of 128 bytes by the row's number: 128B is Swizzle<3,4,3>
 * of the byte, 64B Swizzle<2,4,3>, 32B Swizzle<1,4,3>. Each row of a box takes as many bytes as the
 * mode is called by, what is behind a shorter one being unused (seen on an H200). The address is
 * swizzled, not the place in the array, so that the array begins where the pattern does.
 */
#include "expr/check.h"

#include "base/bits.h"
#include "base/nearest.h"
#include "layout/place.h"

#include <inttypes.h>
#include <stdio.h>

enum { MAX_STEPS = 8, MAX_SHIFT = 31, CHUNK_LOG2 = 4, TMA_SHIFT = 3, TMA_ROW = 128 };

/* Reading one declarator's. */
struct arrangement {
    struct bsim_parse *parse;
    struct bsim_check_array *array;
    struct bsim_layout step[MAX_STEPS];
    size_t n;
    size_t at;                 /* of the step at hand */
    struct bsim_extent extent; /* elements that the array takes so far; of an extern one 0 */
};

/* ---- sizes ----------------------------------------------------------------------------------- */

static uint32_t columns_of(const struct bsim_check_array *array)
{
    return array->dimension[array->n_dimensions - 1];
}

/* The step moves elements within such groups, each onto itself. */
static uint32_t group_of(const struct bsim_layout *step)
{
    return UINT32_C(1) << (step->base + step->bits);
}

static bool append(struct arrangement *made, const struct bsim_layout *step)
{
    struct bsim_extent extent = bsim_extent_with(made->array, step, &made->extent);
    if (made->n == MAX_STEPS) {
        return bsim_parse_fail(made->parse, made->at, "a layout has at most %d steps", MAX_STEPS);
    }
    if (extent.whole * made->array->element_bytes > BSIM_CHECK_MAX_SHARED_BYTES) {
        return bsim_parse_fail(made->parse, made->at,
                               "%s takes %" PRIu64
                               " bytes with this: a block has at most %d bytes of shared memory",
                               made->array->name, extent.whole * made->array->element_bytes,
                               BSIM_CHECK_MAX_SHARED_BYTES);
    }
    made->step[made->n++] = *step;
    made->extent = extent;
    return true;
}

/* The array grows by what its last group lacks, be it whole rows of it. */
static bool append_xor(struct arrangement *made, const struct bsim_layout *step)
{
    uint32_t group = group_of(step);
    if (made->extent.whole % group != 0 && made->extent.whole < group) {
        return bsim_parse_fail(made->parse, made->at,
                               "this moves elements within groups of %" PRIu32
                               ", and %s has %" PRIu64 ": declare a multiple of %" PRIu32,
                               group, made->array->name, made->extent.whole, group);
    }
    return append(made, step);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A number or a defined name, perhaps with a minus: an expression would take in the > behind it. */
static bool read_number(struct bsim_parse *parse, const char *what, int64_t least, int64_t most,
                        int64_t *value)
{
    size_t at = parse->at;
    bool is_negative = bsim_parse_take(parse, "-");
    const struct bsim_symbol *symbol =
        parse->token->kind == CU_NAME
            ? bsim_scope_find(parse->scope, parse->token->text, parse->token->length)
            : NULL;
    bool is_defined = symbol != NULL && symbol->kind == BSIM_NODE_NUMBER;
    if (parse->token->kind != CU_NUMBER && !is_defined) {
        return bsim_parse_wants(parse, "a number");
    }
    uint64_t number = is_defined ? symbol->number : parse->number;
    *value = number > INT32_MAX ? INT64_MAX : is_negative ? -(int64_t)number : (int64_t)number;
    return *value < least || *value > most
               ? bsim_parse_fail(parse, at, "%s is a number from %" PRId64 " to %" PRId64, what,
                                 least, most)
               : bsim_parse_advance(parse);
}

/* B "," M "," S: B + M below the bits of an index. */
static bool read_three(struct arrangement *made, int64_t least, int64_t *bits, int64_t *base,
                       int64_t *shift)
{
    struct bsim_parse *parse = made->parse;
    return read_number(parse, "the number of bits", 1, BSIM_LAYOUT_MAX_BITS, bits) &&
           bsim_parse_expect(parse, ",") &&
           read_number(parse, "the lowest bit", 0, BSIM_LAYOUT_MAX_BITS - *bits, base) &&
           bsim_parse_expect(parse, ",") &&
           read_number(parse, "the shift", least, MAX_SHIFT, shift);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool append_pad(struct arrangement *made, int64_t pad, int64_t every)
{
    struct bsim_layout step = {
        .kind = BSIM_LAYOUT_PAD, .pad = (uint32_t)pad, .row = (uint32_t)every};
    return append(made, &step);
}

/* P ["every" E] */
static bool read_pad(struct arrangement *made)
{
    struct bsim_parse *parse = made->parse;
    int64_t pad;
    int64_t every = made->array->n_dimensions > 1 ? columns_of(made->array) : 0;
    if (!bsim_parse_constant(parse, "a padding", 1, BSIM_CHECK_MAX_SHARED_BYTES, &pad)) {
        return false;
    }
    if (bsim_parse_take(parse, "every")) {
        return bsim_parse_constant(parse, "what is padded", 1, BSIM_CHECK_MAX_SHARED_BYTES,
                                   &every) &&
               append_pad(made, pad, every);
    }
    return every > 0 ? parse->status == BSIM_OK && append_pad(made, pad, every)
                     : bsim_parse_wants(parse, "'every' and a number of elements");
}

/* N "more" "behind" */
static bool read_behind(struct arrangement *made)
{
    struct bsim_parse *parse = made->parse;
    struct bsim_layout step = bsim_layout_plain();
    int64_t behind;
    if (!read_number(parse, "what lies behind", 1, BSIM_CHECK_MAX_SHARED_BYTES, &behind) ||
        !bsim_parse_expect(parse, "more") || !bsim_parse_expect(parse, "behind")) {
        return false;
    }
    step.behind = (uint32_t)behind;
    return append(made, &step);
}

/* One that flips bits -S above those that it looks at. */
static struct bsim_layout downward(int64_t bits, int64_t base, int64_t distance)
{
    struct bsim_layout step = {
        .kind = BSIM_LAYOUT_XOR, .bits = (uint32_t)(bits + distance), .base = (uint32_t)base};
    for (int64_t bit = base; bit < base + bits; bit++) {
        step.flip[bit] = UINT32_C(1) << (bit + distance);
    }
    return step;
}

/* "<" B "," M "," S ">" */
static bool read_swizzle(struct arrangement *made)
{
    struct bsim_parse *parse = made->parse;
    int64_t bits, base, shift;
    if (!bsim_parse_expect(parse, "<") || !read_three(made, -MAX_SHIFT, &bits, &base, &shift) ||
        !bsim_parse_expect(parse, ">")) {
        return false;
    }
    int64_t distance = shift < 0 ? -shift : shift;
    if (distance < bits) {
        return bsim_parse_fail(parse, made->at,
                               "CuTe has no Swizzle whose shift is less than its number of bits");
    }
    if (shift < 0 && bits + base + distance > BSIM_LAYOUT_MAX_BITS) {
        return bsim_parse_fail(parse, made->at, "this flips bits that no index has");
    }
    struct bsim_layout step = {.kind = BSIM_LAYOUT_SWIZZLE,
                               .bits = (uint32_t)bits,
                               .base = (uint32_t)base,
                               .shift = (uint32_t)distance};
    if (shift < 0) {
        step = downward(bits, base, distance);
    }
    return append_xor(made, &step);
}

/* B "," M "," S, of rows as they are declared. */
static bool read_row_xor(struct arrangement *made)
{
    struct bsim_parse *parse = made->parse;
    int64_t bits, base, shift;
    if (!bsim_parse_expect(parse, "-") || !bsim_parse_expect(parse, "xor") ||
        !read_three(made, 0, &bits, &base, &shift)) {
        return false;
    }
    if (made->array->n_dimensions < 2 || made->n > 0) {
        return bsim_parse_fail(parse, made->at,
                               made->n > 0 ? "row-xor goes by the rows as they are declared: it "
                                             "stands before other steps"
                                           : "row-xor is of an array with rows: declare its "
                                             "columns, or use a swizzle");
    }
    struct bsim_layout step = {.kind = BSIM_LAYOUT_ROW_XOR,
                               .row = columns_of(made->array),
                               .bits = (uint32_t)bits,
                               .base = (uint32_t)base,
                               .shift = (uint32_t)shift};
    if (step.row % group_of(&step) != 0) {
        return bsim_parse_fail(parse, made->at,
                               "this moves elements within groups of %" PRIu32
                               ", and a row of %s has %" PRIu32,
                               group_of(&step), made->array->name, step.row);
    }
    return append(made, &step);
}

/* ---- any bits ---------------------------------------------------------------------------------- */

/* The elements that stay together, and how far a flip goes. */
static void measure(struct bsim_layout *step)
{
    uint32_t flipped = 0, flipping = 0;
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        flipped |= step->flip[bit];
        flipping |= (uint32_t)(step->flip[bit] != 0) << bit;
    }
    step->base = bsim_bits_lowest(flipped | flipping);
    step->bits = bsim_bits_highest(flipped) + 1 - step->base;
}

/* Whether different indices go to different places: the flipped bits have full rank (by Gauss). */
static bool is_invertible(const struct bsim_layout *step)
{
    uint32_t row[BSIM_LAYOUT_MAX_BITS];
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        row[bit] = step->flip[bit] ^ UINT32_C(1) << bit;
    }
    for (uint32_t bit = 0; bit < BSIM_LAYOUT_MAX_BITS; bit++) {
        uint32_t pivot = bit;
        while (pivot < BSIM_LAYOUT_MAX_BITS && (row[pivot] >> bit & 1) == 0) {
            pivot++;
        }
        if (pivot == BSIM_LAYOUT_MAX_BITS) {
            return false;
        }
        uint32_t found = row[pivot];
        row[pivot] = row[bit];
        row[bit] = found;
        for (uint32_t other = bit + 1; other < BSIM_LAYOUT_MAX_BITS; other++) {
            row[other] ^= (row[other] >> bit & 1) != 0 ? found : 0;
        }
    }
    return true;
}

/* BIT ":" FLIPS */
static bool read_flip(struct arrangement *made, struct bsim_layout *step)
{
    struct bsim_parse *parse = made->parse;
    int64_t bit, flips;
    size_t at = parse->at;
    if (!read_number(parse, "a bit of the index", 0, BSIM_LAYOUT_MAX_BITS - 1, &bit) ||
        !bsim_parse_expect(parse, ":") ||
        !read_number(parse, "what it flips", 1, (1 << BSIM_LAYOUT_MAX_BITS) - 1, &flips)) {
        return false;
    }
    if (step->flip[bit] != 0) {
        return bsim_parse_fail(parse, at, "bit %" PRId64 " stands here twice", bit);
    }
    step->flip[bit] = (uint32_t)flips;
    return true;
}

/* Behind a comma may stand the next array. */
static bool takes_another(struct bsim_parse *parse)
{
    struct bsim_parse before = *parse;
    if (!bsim_parse_take(parse, ",")) {
        return false;
    }
    bool is_flip = parse->token->kind == CU_NUMBER;
    if (!is_flip && parse->status == BSIM_OK) {
        *parse = before;
    }
    return is_flip;
}

static bool read_xor(struct arrangement *made)
{
    struct bsim_layout step = {.kind = BSIM_LAYOUT_XOR};
    do {
        if (!read_flip(made, &step)) {
            return false;
        }
    } while (takes_another(made->parse));
    measure(&step);
    if (!is_invertible(&step)) {
        return bsim_parse_fail(made->parse, made->at,
                               "this puts several elements into one place: what the bits flip must "
                               "leave indices apart");
    }
    return append_xor(made, &step);
}

/* ---- TMA -------------------------------------------------------------------------------------- */

/* 0: not a mode that there is. */
static uint32_t mode_bits(int64_t bytes)
{
    return bytes == 32 ? 1 : bytes == 64 ? 2 : bytes == 128 ? 3 : 0;
}

/* A row of the box is not longer than the mode says, and takes so much if it is shorter. */
static bool fill_rows(struct arrangement *made, uint32_t span)
{
    const struct bsim_check_array *array = made->array;
    uint64_t inner = (uint64_t)columns_of(array) * array->element_bytes;
    if (array->n_dimensions < 2) {
        return made->extent.whole * array->element_bytes % span == 0 ||
               bsim_parse_fail(made->parse, made->at,
                               "%s does not consist of rows of %" PRIu32 " bytes: declare them",
                               array->name, span);
    }
    if (inner > span || inner % (1 << CHUNK_LOG2) != 0) {
        return bsim_parse_fail(
            made->parse, made->at,
            "in this mode TMA writes rows of 16 to %" PRIu32
            " bytes, in steps of 16, and those of %s have %" PRIu64 "%s",
            span, array->name, inner,
            inner > span ? ": declare one box behind the other, as [boxes][rows][columns]" : "");
    }
    return inner == span ||
           append_pad(made, (int64_t)(span - inner) / array->element_bytes, columns_of(array));
}

/* ("32" | "64" | "128") "B" */
static bool read_mode(struct arrangement *made, bool is_tma)
{
    struct bsim_parse *parse = made->parse;
    uint32_t each = made->array->element_bytes;
    uint32_t bits = parse->token->kind == CU_NUMBER && parse->number <= TMA_ROW
                        ? mode_bits((int64_t)parse->number)
                        : 0;
    if (bits == 0) {
        return bsim_parse_wants(parse, is_tma ? "32B, 64B or 128B" : "<B,M,S>, 32B, 64B or 128B");
    }
    if (!bsim_parse_advance(parse) || !bsim_parse_expect(parse, "B")) {
        return false;
    }
    if ((1 << CHUNK_LOG2) % each != 0) {
        return bsim_parse_fail(
            parse, made->at,
            "TMA moves chunks of 16 bytes, which elements of %" PRIu32 " do not fill", each);
    }
    if (made->n > 0) {
        return bsim_parse_fail(parse, made->at,
                               "TMA writes rows of its own: its mode stands first");
    }
    struct bsim_layout step = {.kind = BSIM_LAYOUT_TMA, .bits = bits, .shift = TMA_SHIFT};
    while (each << step.base < 1 << CHUNK_LOG2) {
        step.base++;
    }
    return fill_rows(made, UINT32_C(1) << (CHUNK_LOG2 + bits)) && append_xor(made, &step);
}

/* The rows that are declared, before other steps have moved them. */
static bool has_rows(const struct arrangement *made)
{
    if (made->array->n_dimensions < 2 || columns_of(made->array) < 2) {
        return bsim_parse_fail(made->parse, made->at,
                               "rows of an array are rotated: declare them, or say of how many "
                               "elements: rotate T of C");
    }
    return made->n == 0 || made->step[made->n - 1].kind == BSIM_LAYOUT_ROTATE ||
           bsim_parse_fail(made->parse, made->at,
                           "rotate goes by the rows as they are declared: it stands before "
                           "other steps");
}

/* "of" C: of any rows that fit. */
static bool read_rows(struct arrangement *made, uint32_t *columns)
{
    struct bsim_parse *parse = made->parse;
    uint64_t whole = made->extent.whole;
    int64_t most = whole > 0 && whole < BSIM_CHECK_MAX_SHARED_BYTES ? (int64_t)whole
                                                                    : BSIM_CHECK_MAX_SHARED_BYTES;
    int64_t given;
    if (!bsim_parse_take(parse, "of")) {
        *columns = has_rows(made) ? columns_of(made->array) : 0;
        return *columns > 0;
    }
    bool fine = bsim_parse_constant(parse, "what a row has", 2, most, &given);
    *columns = fine ? (uint32_t)given : 0;
    return fine;
}

/* T ["of" C] ["every" R] */
static bool read_rotation(struct arrangement *made)
{
    struct bsim_parse *parse = made->parse;
    size_t at = parse->at;
    int64_t turn;
    int64_t rows = 1;
    uint32_t columns;
    if (!bsim_parse_constant(parse, "what rows are rotated by", 1, BSIM_CHECK_MAX_SHARED_BYTES,
                             &turn) ||
        !read_rows(made, &columns)) {
        return false;
    }
    if (turn >= columns) {
        return bsim_parse_fail(parse, at, "what rows are rotated by is a number from 1 to %" PRIu32,
                               columns - 1);
    }
    if (bsim_parse_take(parse, "every") &&
        !bsim_parse_constant(parse, "the rows that turn together", 1, BSIM_CHECK_MAX_SHARED_BYTES,
                             &rows)) {
        return false;
    }
    struct bsim_layout step = {.kind = BSIM_LAYOUT_ROTATE,
                               .row = columns,
                               .block_rows = (uint32_t)rows,
                               .block_turn = (uint32_t)turn};
    return parse->status == BSIM_OK && append(made, &step);
}

/* ---- all of it --------------------------------------------------------------------------------- */

static bool read_step(struct arrangement *made)
{
    struct bsim_parse *parse = made->parse;
    made->at = parse->at;
    if (parse->token->kind == CU_NUMBER) {
        return read_behind(made);
    }
    if (bsim_parse_take(parse, "pad")) {
        return read_pad(made);
    }
    if (bsim_parse_take(parse, "xor")) {
        return read_xor(made);
    }
    if (bsim_parse_take(parse, "row")) {
        return read_row_xor(made);
    }
    if (bsim_parse_take(parse, "rotate")) {
        return read_rotation(made);
    }
    bool is_mode = bsim_parse_sees(parse, "tma");
    (void)bsim_parse_advance(parse);
    return !is_mode && bsim_parse_sees(parse, "<") ? read_swizzle(made) : read_mode(made, is_mode);
}

static bool sees_step(const struct bsim_parse *parse)
{
    return bsim_parse_sees_any(parse, "pad swizzle Swizzle tma xor row rotate") ||
           parse->token->kind == CU_NUMBER;
}

/* Any other word behind an array, by what it comes close to. */
static bool refuse_word(struct bsim_parse *parse)
{
    static const char *const known[] = {"pad",    "every", "swizzle", "tma",
                                        "row-xor", "rotate", "xor",    "more behind"};
    char word[CU_SHOWN + 1];
    (void)snprintf(word, sizeof word, "%.*s", bsim_cu_shown(parse->token), parse->token->text);
    struct bsim_nearest nearest = bsim_nearest_start(word);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        bsim_nearest_try(&nearest, known[i]);
    }
    return bsim_parse_fail(
        parse, parse->at,
        "'%s' is no layout%s%s%s: there are pad P, pad P every E, "
        "swizzle<B,M,S>, swizzle or tma 32B, 64B and 128B, row-xor B,M,S, xor BIT:FLIPS, "
        "rotate T, rotate T of C, rotate T every R and N more behind",
        word, nearest.best != NULL ? " (did you mean '" : "",
        nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?)" : "");
}

/* Copies what was read to where it stays. */
static bool keep(struct bsim_check *check, const struct arrangement *made, size_t from)
{
    struct bsim_check_array *array = made->array;
    struct bsim_layout *layout = bsim_arena_take(&check->file.arena, made->n * sizeof *layout);
    if (layout == NULL) {
        return bsim_parse_no_memory(made->parse);
    }
    for (size_t i = 0; i < made->n; i++) {
        layout[i] = made->step[i];
        if (layout[i].kind == BSIM_LAYOUT_TMA) {
            uint32_t period = TMA_ROW << layout[i].bits;
            array->alignment = period > array->alignment ? period : array->alignment;
        }
    }
    array->layout = layout;
    array->n_layouts = made->n;
    array->layout_text = bsim_check_copy(check, made->parse->source, from, made->parse->behind);
    return array->layout_text != NULL || bsim_parse_no_memory(made->parse);
}

bool bsim_check_read_layout(struct bsim_check *check, struct bsim_parse *parse,
                            struct bsim_check_array *array)
{
    struct arrangement made = {.parse = parse,
                               .array = array,
                               .extent =
                                   bsim_extent_of(array, array->size_bytes / array->element_bytes)};
    size_t from = parse->at;
    if (!sees_step(parse)) {
        return parse->token->kind == CU_NAME ? refuse_word(parse) : parse->status == BSIM_OK;
    }
    if (array->n_dimensions == 0) {
        return bsim_parse_fail(parse, from, "only an array has a layout");
    }
    while (sees_step(parse)) {
        if (!read_step(&made)) {
            return false;
        }
    }
    if (parse->token->kind == CU_NAME) {
        return refuse_word(parse);
    }
    array->laid_bytes = (uint32_t)made.extent.whole * array->element_bytes;
    return keep(check, &made, from);
}
