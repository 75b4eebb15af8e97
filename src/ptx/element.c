/* element.c - numbers, types of elements and what fills arrays, as a launch by hand writes them. */
#include "ptx/element.h"

#include "base/bits.h"
#include "ptx/half.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------------------- */

/* What C lets stand behind a number: 1.f, 2., 3f, 1u, 1ll. */
static void read_suffix(struct bsim_ptx_scanner *scan, struct bsim_ptx_number *number)
{
    static const char *const wide[] = {"l", "ll", "ul", "ull", "L", "LL", "UL", "ULL"};
    if (bsim_ptx_accept_word(scan, "f") || bsim_ptx_accept_word(scan, "F") ||
        bsim_ptx_accept_dot(scan, "f") || bsim_ptx_accept_dot(scan, "F")) {
        number->is_float = number->is_single = true;
    } else if (!number->is_float && bsim_ptx_accept(scan, '.')) {
        number->is_float = true;
    } else if (!number->is_float && bsim_ptx_accept_word(scan, "u")) {
        number->bytes = 4;
    }
    for (size_t i = 0; i < sizeof wide / sizeof *wide && !number->is_float; i++) {
        if (bsim_ptx_accept_word(scan, wide[i])) {
            number->bytes = 8;
        }
    }
}

struct bsim_ptx_number bsim_ptx_read_number(struct bsim_ptx_scanner *scan)
{
    struct bsim_ptx_number number = {.from = scan->token};
    number.is_negative = bsim_ptx_accept(scan, '-');
    if (scan->token.kind == BSIM_PTX_DECIMAL) {
        number.is_float = true;
        memcpy(&number.real, &scan->token.value, sizeof number.real);
    } else if (scan->token.kind == BSIM_PTX_NUMBER) {
        number.whole = scan->token.value;
        number.real = (double)number.whole;
    } else {
        bsim_ptx_scan_fail(
            scan,
            "a number, an array or a struct is missing here, such as 128, float[128] = iota or "
            "{float[128], long 128}");
        return number;
    }
    bsim_ptx_scan_next(scan);
    read_suffix(scan, &number);
    if (number.is_negative) {
        number.real = -number.real;
        number.whole = 0 - number.whole;
    }
    return number;
}

static const struct bsim_ptx_element types[] = {
    {"char", 'i', 1, false, false},         {"short", 'i', 2, false, false}, {"int", 'i', 4, false, false},
    {"long", 'i', 8, false, false},         {"half", 'f', 2, false, false},  {"float", 'f', 4, false, false},
    {"double", 'f', 8, false, false},       {"bool", 'i', 1, false, true},   {"uchar", 'i', 1, false, true},
    {"ushort", 'i', 2, false, true},        {"uint", 'i', 4, false, true},   {"ulong", 'i', 8, false, true},
    {"__nv_bfloat16", 'f', 2, true, false}, {"__half", 'f', 2, false, false},
};

/* Whether an element of the type can be the number: a whole one if it has no fraction and fits, with a
 * sign or without one; -1 is 255, too. One with a point always can. */
static bool can_be(const struct bsim_ptx_element *type, const struct bsim_ptx_number *number)
{
    uint64_t most = type->bytes < 8 ? (UINT64_C(1) << 8 * type->bytes) - 1 : UINT64_MAX;
    if (type->kind == 'f') {
        return true;
    }
    return !number->is_float &&
           (number->is_negative ? 0 - number->whole <= most / 2 + 1 : number->whole <= most);
}

void bsim_ptx_check_number(struct bsim_ptx_scanner *scan, const struct bsim_ptx_element *type,
                           const struct bsim_ptx_number *number)
{
    if (!can_be(type, number) && scan->status == BSIM_OK) {
        scan->token = number->from;
        bsim_ptx_scan_fail(scan, "a whole number of %" PRIu32 " bits is due here", 8 * type->bytes);
    }
}

void bsim_ptx_put_number(unsigned char *at, const struct bsim_ptx_element *type,
                         const struct bsim_ptx_number *number)
{
    float f = (float)number->real;
    uint16_t h = type->is_bfloat ? bsim_bfloat_from_float(f) : bsim_half_from_float(f);
    if (type->kind == 'i') {
        memcpy(at, &number->whole, type->bytes);
    } else if (type->bytes == 8) {
        memcpy(at, &number->real, sizeof number->real);
    } else if (type->bytes == 4) {
        memcpy(at, &f, sizeof f);
    } else {
        memcpy(at, &h, sizeof h);
    }
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* splitmix64. */
static uint64_t next_random(uint64_t *state)
{
    return bsim_bits_mix(*state += BSIM_BITS_GOLDEN);
}

static void fill_random(struct bsim_ptx_array *array, const struct bsim_ptx_element *type,
                        uint64_t seed)
{
    for (size_t i = 0; i + type->bytes <= array->size_bytes; i += type->bytes) {
        uint64_t bits = next_random(&seed);
        struct bsim_ptx_number number = {.is_float = type->kind == 'f',
                                         .real = (double)(bits >> 40) / (double)(1 << 24),
                                         .whole = bits >> 33};
        bsim_ptx_put_number(array->data + i, type, &number);
    }
}

static void fill_steps(struct bsim_ptx_array *array, const struct bsim_ptx_element *type,
                       struct bsim_ptx_number first, bool counts)
{
    for (size_t i = 0; i + type->bytes <= array->size_bytes; i += type->bytes) {
        bsim_ptx_put_number(array->data + i, type, &first);
        first.real += counts;
        first.whole += counts;
    }
}

/* The file must have as many bytes as the array. */
static void fill_from_file(struct bsim_ptx_scanner *scan, struct bsim_ptx_array *array)
{
    char name[1024];
    snprintf(name, sizeof name, "%.*s", (int)scan->token.length, scan->token.text);
    FILE *file = fopen(name, "rb");
    if (file == NULL) {
        bsim_ptx_scan_fail(scan, "%s: %s", name, strerror(errno));
        return;
    }
    size_t n = fread(array->data, 1, array->size_bytes, file);
    bool is_longer = n == array->size_bytes && fgetc(file) != EOF;
    fclose(file);
    if (n < array->size_bytes || is_longer) {
        bsim_ptx_scan_fail(scan, "%s has %s bytes than the %zu of the array", name,
                           is_longer ? "more" : "fewer", array->size_bytes);
        return;
    }
    bsim_ptx_scan_next(scan);
}

void bsim_ptx_read_fill(struct bsim_ptx_scanner *scan, struct bsim_ptx_array *array,
                        const struct bsim_ptx_element *type)
{
    if (bsim_ptx_accept_word(scan, "zero")) {
        return;
    }
    if (bsim_ptx_accept_word(scan, "iota")) {
        fill_steps(array, type, (struct bsim_ptx_number){0}, true);
    } else if (bsim_ptx_accept_word(scan, "random")) {
        uint64_t seed = 0;
        if (bsim_ptx_accept(scan, '(')) {
            seed = bsim_ptx_expect_number(scan, "the seed");
            bsim_ptx_expect(scan, ')');
        }
        fill_random(array, type, seed);
    } else if (scan->token.kind == BSIM_PTX_STRING) {
        fill_from_file(scan, array);
    } else if (scan->token.kind == BSIM_PTX_WORD) {
        bsim_ptx_scan_fail(
            scan,
            "arrays are filled with zero, iota, random, random(SEED), a number or \"a file\"");
    } else {
        struct bsim_ptx_number number = bsim_ptx_read_number(scan);
        bsim_ptx_check_number(scan, type, &number);
        fill_steps(array, type, number, false);
    }
}

/* A type's name, with the number of elements of a vector behind it; NULL if it is none. */
static const struct bsim_ptx_element *find_type(const struct bsim_ptx_token *token,
                                                uint32_t *n_vector)
{
    for (size_t i = 0; i < sizeof types / sizeof *types && token->kind == BSIM_PTX_WORD; i++) {
        size_t length = strlen(types[i].name);
        if (token->length < length || strncmp(token->text, types[i].name, length) != 0) {
            continue;
        }
        char last = token->text[length];
        *n_vector =
            token->length == length + 1 && last >= '2' && last <= '4' ? (uint32_t)(last - '0') : 1;
        if (token->length == length + (*n_vector > 1)) {
            return &types[i];
        }
    }
    return NULL;
}

/* The same without a sign: int's is uint. */
static const struct bsim_ptx_element *without_sign(const struct bsim_ptx_element *type)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (types[i].name[0] == 'u' && strcmp(types[i].name + 1, type->name) == 0) {
            return &types[i];
        }
    }
    return type;
}

const struct bsim_ptx_element *bsim_ptx_read_element(struct bsim_ptx_scanner *scan,
                                                     uint32_t *n_vector)
{
    bool is_unsigned = bsim_ptx_accept_word(scan, "unsigned");
    bool has_sign = is_unsigned || bsim_ptx_accept_word(scan, "signed");
    const struct bsim_ptx_element *type = find_type(&scan->token, n_vector);
    if (type != NULL) {
        bsim_ptx_scan_next(scan);
        if (strcmp(type->name, "long") == 0) {
            bsim_ptx_accept_word(scan, "long");
        }
        return is_unsigned ? without_sign(type) : type;
    }
    if (has_sign) {
        *n_vector = 1;
        return is_unsigned ? without_sign(&types[2]) : &types[2];
    }
    bsim_ptx_scan_fail(
        scan, "no type of elements known here: char, short, int, long, half, __nv_bfloat16, float, "
              "double, or a vector of them such as float4");
    return NULL;
}
