/* type.c - the table of scalar types, and what is made of them; see type.h.
 *
 * Sizes are those of CUDA on 64-bit Linux: long has 8 bytes, char is signed. Vectors align as the
 * table of built-in vector types in the CUDA C++ Programming Guide says: those of three as their
 * element, the others as their size but to 16 bytes at most.
 */
#include "expr/type.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ALIGNMENT = 16 };

static const struct bsim_type scalars[BSIM_N_SCALARS] = {
    {BSIM_TYPE_BOOL, "bool", 1, 1, 'u', 0, NULL, NULL, false},
    {BSIM_TYPE_CHAR, "char", 1, 1, 's', 0, NULL, NULL, false},
    {BSIM_TYPE_UCHAR, "unsigned char", 1, 1, 'u', 0, NULL, NULL, false},
    {BSIM_TYPE_SHORT, "short", 2, 2, 's', 0, NULL, NULL, false},
    {BSIM_TYPE_USHORT, "unsigned short", 2, 2, 'u', 0, NULL, NULL, false},
    {BSIM_TYPE_INT, "int", 4, 4, 's', 0, NULL, NULL, false},
    {BSIM_TYPE_UINT, "unsigned int", 4, 4, 'u', 0, NULL, NULL, false},
    {BSIM_TYPE_LONG, "long long", 8, 8, 's', 0, NULL, NULL, false},
    {BSIM_TYPE_ULONG, "unsigned long long", 8, 8, 'u', 0, NULL, NULL, false},
    {BSIM_TYPE_FP8, "__nv_fp8_e4m3", 1, 1, 'b', 0, NULL, NULL, false},
    {BSIM_TYPE_HALF, "__half", 2, 2, 'b', 0, NULL, NULL, false},
    {BSIM_TYPE_BFLOAT16, "__nv_bfloat16", 2, 2, 'b', 0, NULL, NULL, false},
    {BSIM_TYPE_FLOAT, "float", 4, 4, 'f', 0, NULL, NULL, false},
    {BSIM_TYPE_DOUBLE, "double", 8, 8, 'f', 0, NULL, NULL, false},
};

const struct bsim_type *bsim_type_scalar(enum bsim_type_kind kind)
{
    return &scalars[kind];
}

const struct bsim_type *bsim_type_void(void)
{
    static const struct bsim_type nothing = {BSIM_TYPE_VOID, "void", 0, 1, 0, 0, NULL, NULL, false};
    return &nothing;
}

const struct bsim_type *bsim_type_shared_address(void)
{
    static const struct bsim_type address = {
        BSIM_TYPE_POINTER, "shared address", 8, 8, 0, 0, &scalars[BSIM_TYPE_UCHAR], NULL, false};
    return &address;
}

/* ---- names ----------------------------------------------------------------------------------- */

struct type_word {
    const char *word;
    enum bsim_type_kind kind;
    uint32_t count; /* 0: the scalar itself */
};

static const struct type_word words[] = {
    {"int8_t", BSIM_TYPE_CHAR, 0},
    {"uint8_t", BSIM_TYPE_UCHAR, 0},
    {"int16_t", BSIM_TYPE_SHORT, 0},
    {"uint16_t", BSIM_TYPE_USHORT, 0},
    {"int32_t", BSIM_TYPE_INT, 0},
    {"uint32_t", BSIM_TYPE_UINT, 0},
    {"int64_t", BSIM_TYPE_LONG, 0},
    {"uint64_t", BSIM_TYPE_ULONG, 0},
    {"size_t", BSIM_TYPE_ULONG, 0},
    {"ptrdiff_t", BSIM_TYPE_LONG, 0},
    {"uchar", BSIM_TYPE_UCHAR, 0},
    {"ushort", BSIM_TYPE_USHORT, 0},
    {"uint", BSIM_TYPE_UINT, 0},
    {"ulong", BSIM_TYPE_ULONG, 0},
    {"half", BSIM_TYPE_HALF, 0},
    {"__half", BSIM_TYPE_HALF, 0},
    {"half2", BSIM_TYPE_HALF, 2},
    {"__half2", BSIM_TYPE_HALF, 2},
    {"nv_bfloat16", BSIM_TYPE_BFLOAT16, 0},
    {"__nv_bfloat16", BSIM_TYPE_BFLOAT16, 0},
    {"nv_bfloat162", BSIM_TYPE_BFLOAT16, 2},
    {"__nv_bfloat162", BSIM_TYPE_BFLOAT16, 2},
    {"__nv_fp8_e4m3", BSIM_TYPE_FP8, 0},
    {"__nv_fp8_e5m2", BSIM_TYPE_FP8, 0},
    {"cuComplex", BSIM_TYPE_FLOAT, 2},
    {"cuFloatComplex", BSIM_TYPE_FLOAT, 2},
    {"cuDoubleComplex", BSIM_TYPE_DOUBLE, 2},
};

enum { N_WORDS = sizeof words / sizeof words[0] };

/* What the names of vectors begin with. */
static const struct type_word vectors[] = {
    {"char", BSIM_TYPE_CHAR, 0},     {"uchar", BSIM_TYPE_UCHAR, 0},
    {"short", BSIM_TYPE_SHORT, 0},   {"ushort", BSIM_TYPE_USHORT, 0},
    {"int", BSIM_TYPE_INT, 0},       {"uint", BSIM_TYPE_UINT, 0},
    {"long", BSIM_TYPE_LONG, 0},     {"ulong", BSIM_TYPE_ULONG, 0},
    {"longlong", BSIM_TYPE_LONG, 0}, {"ulonglong", BSIM_TYPE_ULONG, 0},
    {"float", BSIM_TYPE_FLOAT, 0},   {"double", BSIM_TYPE_DOUBLE, 0},
};

enum { N_VECTORS = sizeof vectors / sizeof vectors[0] };

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

bool bsim_type_named(struct bsim_arena *arena, const char *text, size_t length,
                     const struct bsim_type **type)
{
    for (size_t i = 0; i < N_WORDS; i++) {
        if (is_word(words[i].word, text, length)) {
            *type = &scalars[words[i].kind];
            if (words[i].count > 0) {
                *type = bsim_type_vector(arena, *type, words[i].count, text, length);
            }
            return true;
        }
    }
    uint32_t count = length > 0 ? (uint32_t)(unsigned char)text[length - 1] - '0' : 0;
    for (size_t i = 0; i < N_VECTORS && count >= 1 && count <= 4; i++) {
        if (is_word(vectors[i].word, text, length - 1)) {
            *type = bsim_type_vector(arena, &scalars[vectors[i].kind], count, text, length);
            return true;
        }
    }
    return false;
}

/* ---- derived types --------------------------------------------------------------------------- */

static struct bsim_type *new_type(struct bsim_arena *arena, enum bsim_type_kind kind,
                                  const struct bsim_type *of)
{
    struct bsim_type *type = bsim_arena_take(arena, sizeof *type);
    if (type != NULL) {
        type->kind = kind;
        type->name = "";
        type->of = of;
    }
    return type;
}

const struct bsim_type *bsim_type_vector(struct bsim_arena *arena, const struct bsim_type *of,
                                         uint32_t count, const char *name, size_t length)
{
    struct bsim_type *type = new_type(arena, BSIM_TYPE_VECTOR, of);
    char *copy = bsim_arena_text(arena, name, length);
    if (type == NULL || copy == NULL) {
        return NULL;
    }
    uint32_t size = count * (uint32_t)of->size;
    type->name = copy;
    type->count = count;
    type->size = size;
    type->alignment = count == 3              ? of->alignment
                      : size > MOST_ALIGNMENT ? (uint32_t)MOST_ALIGNMENT
                                              : size;
    return type;
}

const struct bsim_type *bsim_type_complex(struct bsim_arena *arena, const struct bsim_type *of,
                                          const char *name, size_t length)
{
    const struct bsim_type *vector = bsim_type_vector(arena, of, 2, name, length);
    struct bsim_type *type = bsim_arena_take(arena, sizeof *type);
    struct bsim_member *part = bsim_arena_take(arena, 2 * sizeof *part);
    if (vector == NULL || type == NULL || part == NULL) {
        return NULL;
    }
    part[0] = (struct bsim_member){"real", of, 0, true, &part[1]};
    part[1] = (struct bsim_member){"imag", of, of->size, true, NULL};
    *type = *vector;
    type->member = part;
    return type;
}

const struct bsim_type *bsim_type_array(struct bsim_arena *arena, const struct bsim_type *of,
                                        uint64_t count)
{
    struct bsim_type *type = new_type(arena, BSIM_TYPE_ARRAY, of);
    if (type != NULL) {
        type->count = count;
        type->size = count * of->size;
        type->alignment = of->alignment;
    }
    return type;
}

const struct bsim_type *bsim_type_pointer(struct bsim_arena *arena, const struct bsim_type *to)
{
    struct bsim_type *type = new_type(arena, BSIM_TYPE_POINTER, to);
    if (type != NULL) {
        type->name = "pointer";
        type->size = type->alignment = sizeof(uint64_t);
    }
    return type;
}

static const char *volatile_name(struct bsim_arena *arena, const char *name)
{
    size_t size = sizeof "volatile " + strlen(name);
    char *text = bsim_arena_take(arena, size);
    if (text != NULL) {
        (void)snprintf(text, size, "volatile %s", name);
    }
    return text;
}

const struct bsim_type *bsim_type_volatile(struct bsim_arena *arena, const struct bsim_type *type)
{
    if (type->is_volatile) {
        return type;
    }
    struct bsim_type *copy = bsim_arena_take(arena, sizeof *copy);
    const struct bsim_type *of =
        type->kind == BSIM_TYPE_ARRAY ? bsim_type_volatile(arena, type->of) : type->of;
    if (copy == NULL || (of == NULL && type->of != NULL)) {
        return NULL;
    }
    *copy = *type;
    copy->of = of;
    copy->is_volatile = true;
    if (type->name[0] != '\0' && strcmp(type->name, BSIM_TYPE_NAMELESS) != 0) {
        copy->name = volatile_name(arena, type->name);
    }
    return copy->name != NULL ? copy : NULL;
}

/* ---- members --------------------------------------------------------------------------------- */

/* x, y, z, w: elements 0 to 3 of a vector. */
static bool vector_member(const struct bsim_type *type, const char *text, size_t length,
                          struct bsim_member *member)
{
    static const char *const names[] = {"x", "y", "z", "w"};
    for (size_t i = 0; i < type->count; i++) {
        if (is_word(names[i], text, length)) {
            *member = (struct bsim_member){names[i], type->of, i * type->of->size, false, NULL};
            return true;
        }
    }
    return false;
}

bool bsim_type_member(const struct bsim_type *type, const char *text, size_t length,
                      struct bsim_member *member)
{
    if (type->kind == BSIM_TYPE_VECTOR && type->member == NULL) {
        return vector_member(type, text, length, member);
    }
    for (const struct bsim_member *m = type->member; m != NULL; m = m->next) {
        if (is_word(m->name, text, length)) {
            *member = *m;
            return true;
        }
        if (m->name[0] == '\0' && bsim_type_member(m->type, text, length, member)) {
            member->offset += m->offset;
            return true;
        }
    }
    return false;
}

/* ---- integers -------------------------------------------------------------------------------- */

bool bsim_type_is_integer(const struct bsim_type *type)
{
    return type->kind <= BSIM_TYPE_ULONG;
}

bool bsim_type_is_signed(const struct bsim_type *type)
{
    return type->letter == 's';
}

bool bsim_type_same(const struct bsim_type *a, const struct bsim_type *b)
{
    while (a->kind == b->kind && a->count == b->count && a->of != NULL && b->of != NULL) {
        a = a->of;
        b = b->of;
    }
    return a->kind == b->kind && a->count == b->count && a->of == b->of && a->member == b->member;
}

const struct bsim_type *bsim_type_promoted(const struct bsim_type *type)
{
    return type->kind < BSIM_TYPE_INT ? &scalars[BSIM_TYPE_INT] : type;
}

/* After promotion there are four types left, each of which holds what is common with the ones
 * before it: int, unsigned int, long long, unsigned long long. */
const struct bsim_type *bsim_type_common(const struct bsim_type *a, const struct bsim_type *b)
{
    const struct bsim_type *left = bsim_type_promoted(a);
    const struct bsim_type *right = bsim_type_promoted(b);
    return left->kind > right->kind ? left : right;
}

uint64_t bsim_type_wrap(const struct bsim_type *type, uint64_t value)
{
    if (type->kind == BSIM_TYPE_BOOL) {
        return value != 0;
    }
    if (type->size == sizeof value) {
        return value;
    }
    uint64_t sign = UINT64_C(1) << (8 * type->size - 1);
    value &= 2 * sign - 1;
    return bsim_type_is_signed(type) ? (value ^ sign) - sign : value;
}
