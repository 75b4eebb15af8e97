/* test_arrange.c - layouts in declarations: where each element of random arrays lies, against an
 * oracle that is made of the definitions alone, and what is refused.
 *
 * The oracle: CuTe's Swizzle as include/cute/swizzle.hpp of CUTLASS defines it, by two masks and a
 * shift, of either sign; TMA's modes as CUDA's driver documents them, a chunk's number of 16 bytes
 * within 128 exclusive or the number of the 128 bytes modulo 8, 4 or 2; a padding by walking through
 * the elements and leaving room behind every so many; a rotation by moving rows on, one by one. An
 * array with rows ends where the declaration would that puts elements there: as
 * [rows][columns + padding], or where no rows do that, with the last element's step of the first
 * dimension; one of a single dimension with its last element. The last group of elements that a swizzle
 * moves it in is whole, and so is the step of the first dimension that this ends in.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/expr.h>

#include "sealed.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 13, N_RANDOM = 4000, TEXT = 512 };

/* ---- the oracle ------------------------------------------------------------------------------ */

struct oracle {
    uint32_t each;        /* bytes of an element */
    uint32_t columns;     /* 0: one dimension */
    uint32_t first;       /* elements of a step in the first dimension */
    uint32_t row, plane;  /* as they are by now; 0: no declaration has them */
    uint32_t n, extent;   /* elements: of the array, and that it takes */
    uint32_t end;         /* behind the last of them, or of what is moved */
    int64_t place[MOST];  /* of each element */
    bool must_be_refused; /* two in one place, or one outside */
};

/* rows: 0 of one dimension. With several planes, rows of each. */
static void begin(struct oracle *oracle, uint32_t each, uint32_t planes, uint32_t rows,
                  uint32_t columns)
{
    uint32_t n = planes * (rows > 0 ? rows : 1) * columns;
    *oracle = (struct oracle){.each = each, .n = n, .extent = n, .end = n, .first = 1};
    if (rows > 0) {
        oracle->columns = oracle->row = columns;
        oracle->plane = planes > 1 ? rows * columns : 0;
        oracle->first = planes > 1 ? rows * columns : columns;
    }
    for (uint32_t i = 0; i < n; i++) {
        oracle->place[i] = i;
    }
}

/* new_place: of each old one. */
static void move_all(struct oracle *oracle, const int64_t *new_place)
{
    static uint8_t taken[MOST];
    memset(taken, 0, sizeof taken);
    for (uint32_t i = 0; i < oracle->n; i++) {
        int64_t place = new_place[oracle->place[i]];
        bool is_outside = place < 0 || place >= oracle->extent;
        oracle->must_be_refused = oracle->must_be_refused || is_outside || taken[place] != 0;
        if (oracle->must_be_refused) {
            return;
        }
        taken[place] = 1;
        oracle->place[i] = place;
    }
}

static void pad(struct oracle *oracle, uint32_t p, uint32_t every)
{
    static int64_t moved[MOST];
    bool is_row = oracle->row > 0 && oracle->row % every == 0;
    bool is_plane = !is_row && oracle->row > 0 && every == oracle->plane && p % oracle->row == 0;
    int64_t next = 0;
    for (uint32_t i = 0; i < oracle->extent; i++) {
        moved[i] = next++;
        next += (i + 1) % every == 0 ? p : 0;
    }
    oracle->end = (uint32_t)moved[oracle->end - 1] + 1;
    if (is_row || is_plane) {
        oracle->plane = oracle->plane / every * (every + p);
        oracle->row = is_row ? oracle->row / every * (every + p) : oracle->row;
    } else {
        oracle->row = 0;
        next = (oracle->end + oracle->first - 1) / oracle->first * oracle->first;
    }
    oracle->extent = (uint32_t)next;
    move_all(oracle, moved);
}

static int64_t cute(int64_t i, int bits, int base, int shift)
{
    int64_t mask = (INT64_C(1) << bits) - 1;
    int64_t yyy = mask << (base + (shift > 0 ? shift : 0));
    return shift >= 0 ? i ^ ((i & yyy) >> shift) : i ^ ((i & yyy) << -shift);
}

static uint32_t round_up(uint32_t n, uint32_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* To whole groups of what is moved, if there is one at least, and then to whole steps of the first
 * dimension. */
static void grow(struct oracle *oracle, uint32_t group)
{
    uint32_t step = oracle->row == 0    ? oracle->first
                    : oracle->plane > 0 ? oracle->plane
                                        : oracle->row;
    if (group <= oracle->extent) {
        oracle->extent = round_up(oracle->extent, group);
    }
    oracle->end = oracle->extent;
    oracle->extent = round_up(oracle->extent, step);
}

/* Of rows of so many, each so many of them move on by t once more. */
static void rotate(struct oracle *oracle, uint32_t t, uint32_t columns, uint32_t every)
{
    static int64_t moved[MOST];
    uint32_t by = 0;
    grow(oracle, columns);
    for (uint32_t row = 0; row * columns < oracle->extent; row++) {
        by += row > 0 && row % every == 0 ? t : 0;
        for (uint32_t x = 0; x < columns && row * columns + x < MOST; x++) {
            moved[row * columns + x] = row * columns + (x + by) % columns;
        }
    }
    move_all(oracle, moved);
}

static void swizzle(struct oracle *oracle, int bits, int base, int shift)
{
    static int64_t moved[MOST];
    grow(oracle, 1u << (bits + base + (shift < 0 ? -shift : 0)));
    for (uint32_t i = 0; i < oracle->extent; i++) {
        moved[i] = cute(i, bits, base, shift);
    }
    move_all(oracle, moved);
}

static void tma(struct oracle *oracle, uint32_t span)
{
    static int64_t moved[MOST];
    grow(oracle, 1);
    if (oracle->columns > 0 && oracle->columns * oracle->each < span) {
        pad(oracle, span / oracle->each - oracle->columns, oracle->columns);
        grow(oracle, 1); /* what is moved lies also behind the last of them */
    }
    for (uint32_t i = 0; i < oracle->extent; i++) {
        uint32_t byte = i * oracle->each;
        uint32_t line = byte / 128;
        uint32_t chunk = byte % 128 / 16 ^ line % (span / 16);
        moved[i] = (line * 128 + chunk * 16 + byte % 16) / oracle->each;
    }
    move_all(oracle, moved);
}

static void flip(struct oracle *oracle, const uint32_t *flips, int n_bits)
{
    static int64_t moved[MOST];
    uint32_t group = 1;
    for (int bit = 0; bit < n_bits; bit++) {
        while (group <= flips[bit]) {
            group *= 2;
        }
    }
    grow(oracle, group);
    for (uint32_t i = 0; i < oracle->extent; i++) {
        moved[i] = i;
        for (int bit = 0; bit < n_bits; bit++) {
            moved[i] ^= (i >> bit & 1) * flips[bit];
        }
    }
    move_all(oracle, moved);
}

static void behind(struct oracle *oracle, uint32_t n)
{
    oracle->row = 0;
    oracle->extent += n;
    oracle->end = oracle->extent;
}

static void row_xor(struct oracle *oracle, int bits, int base, int shift)
{
    static int64_t moved[MOST];
    grow(oracle, 1);
    for (uint32_t y = 0; y < oracle->n / oracle->columns; y++) {
        for (uint32_t x = 0; x < oracle->columns; x++) {
            uint32_t to = x ^ (y / (1u << shift) % (1u << bits) * (1u << base));
            bool stays = to < oracle->columns;
            moved[y * oracle->columns + x] = stays ? (int64_t)y * oracle->columns + to : -1;
        }
    }
    move_all(oracle, moved);
}

/* ---- against the check ----------------------------------------------------------------------- */

static enum bsim_status compare(void *context, const struct bsim_check_request *request,
                                struct bsim_error *err)
{
    const struct oracle *oracle = context;
    (void)err;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            uint32_t i = request->offset[lane] / oracle->each;
            assert_int_equal(request->offset[lane] % oracle->each, 0);
            assert_int_equal(request->address[lane], oracle->place[i] * oracle->each);
            assert_int_equal(request->address[lane] % request->opcode.bytes, 0);
            for (uint32_t k = 1; k < request->opcode.bytes / oracle->each; k++) {
                assert_int_equal(oracle->place[i + k], oracle->place[i] + k);
            }
        }
    }
    return BSIM_OK;
}

static enum bsim_status run(const char *text, struct oracle *oracle, struct bsim_error *err)
{
    struct bsim_check *check = bsim_check_new();
    enum bsim_status status = bsim_check_add_text(check, "t", text, strlen(text), err);
    if (status == BSIM_OK) {
        status = bsim_check_seal(check, err);
    }
    if (status == BSIM_OK) {
        const struct bsim_check_array *array = bsim_check_contents(check)->array;
        assert_int_equal(array->laid_bytes, oracle->extent * oracle->each);
        assert_int_equal(array->size_bytes, oracle->n * oracle->each);
        assert_int_equal(bsim_check_contents(check)->kernel->shared_bytes, array->laid_bytes);
        status = bsim_check_each(
            check, &(struct bsim_check_visitor){.shared = compare, .context = oracle}, err);
    }
    bsim_check_free(check);
    return status;
}

static uint32_t draw(uint32_t from, uint32_t to)
{
    return from + (uint32_t)rand() % (to - from + 1); /* NOLINT: the same in each run */
}

/* Appends a random step to the text, and takes it. */
static void add_step(struct oracle *oracle, bool is_first, char *text)
{
    char *end = text + strlen(text);
    size_t room = TEXT - strlen(text);
    int bits = (int)draw(1, 4);
    int base = (int)draw(0, 4);
    int shift = bits + (int)draw(0, 3);
    uint32_t flips[8] = {0};
    uint32_t step = draw(0, is_first ? 7 : 5);
    switch (!is_first && step == 5 ? 6 : step) {
    case 0: {
        uint32_t p = draw(1, 9);
        uint32_t every = draw(0, 1) ? 1u << draw(2, 7) : draw(3, 100);
        bool by_rows = oracle->columns > 0 && draw(0, 1);
        every = by_rows ? oracle->columns : every;
        (void)snprintf(end, room, by_rows ? " pad %u" : " pad %u every %u", p, every);
        pad(oracle, p, every);
        break;
    }
    case 1:
        (void)snprintf(end, room, " swizzle<%d,%d,%d>", bits, base, shift);
        swizzle(oracle, bits, base, shift);
        break;
    case 2:
        (void)snprintf(end, room, " Swizzle<%d, %d, -%d>", bits, base, shift);
        swizzle(oracle, bits, base, -shift);
        break;
    case 3: {
        uint32_t one = draw(0, 7), other = draw(0, 7);
        flips[one] = draw(1, 255);
        flips[other] = draw(1, 255);
        (void)snprintf(end, room, one == other ? " xor %u:%u" : " xor %u:%u,%u:%u", one, flips[one],
                       other, flips[other]);
        flip(oracle, flips, 8);
        break;
    }
    case 4:
        (void)snprintf(end, room, " %u more behind", flips[0] = draw(1, 20));
        behind(oracle, flips[0]);
        break;
    case 5:
        if (oracle->columns == 0) {
            return;
        }
        shift = (int)draw(0, 2);
        (void)snprintf(end, room, " row-xor %d,%d,%d", bits, base, shift);
        row_xor(oracle, bits, base, shift);
        break;
    case 6: {
        uint32_t every = draw(1, 5);
        uint32_t most = oracle->extent < 64 ? oracle->extent : 64;
        uint32_t of = (!is_first || draw(0, 1)) && most > 1 ? draw(2, most) : 0;
        uint32_t columns = of > 0 ? of : oracle->columns;
        if (columns < 2 || (of == 0 && !is_first)) {
            return;
        }
        uint32_t t = draw(1, columns - 1);
        end += snprintf(end, room, of > 0 ? " rotate %u of %u" : " rotate %u", t, of);
        (void)snprintf(end, room / 2, every > 1 ? " every %u" : "", every);
        rotate(oracle, t, columns, every);
        break;
    }
    default: {
        uint32_t span = 16u << draw(1, 3);
        uint32_t row = oracle->columns * oracle->each;
        (void)snprintf(end, room, " swizzle %uB", span);
        if (row > span || row % 16 != 0 || oracle->extent * oracle->each % 16 != 0) {
            oracle->must_be_refused = true;
        } else {
            tma(oracle, span);
        }
    }
    }
}

/* A declaration with one to three steps, and every element loaded, or several at a time. */
static void draw_case(struct oracle *oracle, bool is_vector, char text[TEXT])
{
    static const char *const type[] = {"char", "half", "float", "double"};
    static const char *const vector[] = {"char4", "float2", "float4"};
    char dimensions[64];
    char layout[TEXT] = "";
    uint32_t log2 = draw(0, 3);
    uint32_t columns = draw(0, 1) ? 1u << draw(3, 6) : draw(5, 70);
    uint32_t rows = draw(0, 1) ? 1u << draw(0, 4) : draw(1, 20);
    switch (draw(0, 2)) {
    case 0:
        begin(oracle, 1u << log2, 1, 0, rows * columns);
        (void)snprintf(dimensions, sizeof dimensions, "[%u]", rows * columns);
        break;
    case 1:
        begin(oracle, 1u << log2, 1, rows, columns);
        (void)snprintf(dimensions, sizeof dimensions, "[%u][%u]", rows, columns);
        break;
    default:
        begin(oracle, 1u << log2, 2, rows, columns);
        (void)snprintf(dimensions, sizeof dimensions, "[2][%u][%u]", rows, columns);
    }
    uint32_t n_steps = draw(1, 3);
    for (uint32_t i = 0; i < n_steps && !oracle->must_be_refused && oracle->extent < MOST / 2;
         i++) {
        add_step(oracle, layout[0] == '\0', layout);
    }
    uint32_t wide = draw(0, 3);
    bool is_three = wide == 3 && oracle->each == 4; /* three requests */
    uint32_t bytes = is_three ? 12 : 4u << wide % 3;
    bytes = is_vector && bytes > oracle->each ? bytes : oracle->each;
    uint32_t n = oracle->n * oracle->each / bytes;
    const char *as = bytes == oracle->each ? type[log2] : is_three ? "float3" : vector[wide % 3];
    (void)snprintf(text, TEXT,
                   "shared __align__(16) %s a%s%s\nfor k=0:%u\nif k * 32 + lane < %u\n"
                   "load ((%s *)a)[k * 32 + lane]",
                   type[log2], dimensions, layout, n / 32 + 1, n, as);
}

/* How many were accepted. */
static uint32_t try_random(bool is_vector)
{
    static struct oracle oracle;
    uint32_t n_accepted = 0;
    srand(17);
    for (int i = 0; i < N_RANDOM; i++) {
        struct bsim_error err = {.status = BSIM_OK};
        char text[TEXT];
        draw_case(&oracle, is_vector, text);
        enum bsim_status status = run(text, &oracle, &err);
        if (status == BSIM_OK ? oracle.must_be_refused : status != BSIM_E_INPUT) {
            fail_msg("%s\n%s", text, err.message);
        }
        n_accepted += status == BSIM_OK;
    }
    return n_accepted;
}

/* Where elements would share a place or leave the array, it is refused; else each lies where the
 * definition has it. */
static void random_arrays(void **state)
{
    (void)state;
    assert_in_range(try_random(false), N_RANDOM / 4, N_RANDOM);
}

/* Of an access of several elements, all lie behind one another, or it is refused. */
static void random_vectors(void **state)
{
    (void)state;
    assert_in_range(try_random(true), N_RANDOM / 8, N_RANDOM / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_arrays),
        cmocka_unit_test(random_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
