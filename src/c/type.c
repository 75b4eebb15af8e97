/* type.c - the table of scalar types, and what is made of them; see type.h.
 *
 * Sizes are those of CUDA on 64-bit Linux: long has 8 bytes, char is signed. CUDA's vectors align as
 * the CUDA C++ Programming Guide's table of built-in vector types says: those of three as their
 * element, the others as their size but to 16 bytes at most. Codes are the Itanium C++ ABI's.
 */
#include "c/type.h"

enum { MOST_VECTOR_ALIGNMENT = 16 };

#define SCALAR(kind_, name_, code_, size_)                                              \
    {                                                                                   \
        .kind = kind_, .name = name_, .code = code_, .size = size_, .alignment = size_, \
        .is_complete = true                                                             \
    }

static const struct cu_type scalars[] = {
    [CU_BOOL] = SCALAR(CU_BOOL, "bool", "b", 1),
    [CU_CHAR] = SCALAR(CU_CHAR, "char", "c", 1),
    [CU_UCHAR] = SCALAR(CU_UCHAR, "unsigned char", "h", 1),
    [CU_SHORT] = SCALAR(CU_SHORT, "short", "s", 2),
    [CU_USHORT] = SCALAR(CU_USHORT, "unsigned short", "t", 2),
    [CU_INT] = SCALAR(CU_INT, "int", "i", 4),
    [CU_UINT] = SCALAR(CU_UINT, "unsigned int", "j", 4),
    [CU_LONG] = SCALAR(CU_LONG, "long", "l", 8),
    [CU_ULONG] = SCALAR(CU_ULONG, "unsigned long", "m", 8),
    [CU_FLOAT] = SCALAR(CU_FLOAT, "float", "f", 4),
    [CU_DOUBLE] = SCALAR(CU_DOUBLE, "double", "d", 8),
    [CU_VOID] = SCALAR(CU_VOID, "void", "v", 1),
    [CU_FP8] = SCALAR(CU_FP8, "__nv_fp8_e4m3", "", 1),
    [CU_HALF] = SCALAR(CU_HALF, "__half", "", 2),
    [CU_BFLOAT16] = SCALAR(CU_BFLOAT16, "__nv_bfloat16", "", 2),
};

/* The same but in their names. */
static const struct cu_type signed_char = SCALAR(CU_CHAR, "signed char", "a", 1);
static const struct cu_type long_long = SCALAR(CU_LONG, "long long", "x", 8);
static const struct cu_type unsigned_long_long = SCALAR(CU_ULONG, "unsigned long long", "y", 8);

const struct cu_type *bsim_cu_scalar(enum cu_kind kind)
{
    return &scalars[kind];
}

const char *bsim_cu_word(const struct cu_type *type)
{
    static const char *const words[] = {"u8",  "s8",  "u8",  "s16", "u16", "u32",
                                        "u32", "u64", "u64", "f32", "f64"};
    return type->kind <= CU_DOUBLE ? words[type->kind] : "u64";
}

bool bsim_cu_count_word(struct cu_type_words *words, const struct cu_token *token)
{
    const struct {
        const char *word;
        uint32_t *count, n;
    } counted[] = {
        {"void", &words->n_void, 1},     {"bool", &words->n_bool, 1},
        {"_Bool", &words->n_bool, 1},    {"char", &words->n_char, 1},
        {"short", &words->n_short, 1},   {"int", &words->n_int, 1},
        {"long", &words->n_long, 1},     {"__int64", &words->n_long, 2},
        {"float", &words->n_float, 1},   {"double", &words->n_double, 1},
        {"signed", &words->n_signed, 1}, {"unsigned", &words->n_unsigned, 1},
    };
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        if (bsim_cu_is(token, counted[i].word)) {
            *counted[i].count += counted[i].n;
            words->n++;
            return true;
        }
    }
    return false;
}

bool bsim_cu_is_type_word(const struct cu_token *token)
{
    struct cu_type_words words = {0};
    return bsim_cu_count_word(&words, token);
}

const struct cu_type *bsim_cu_type_of_words(const struct cu_type_words *w)
{
    bool is_unsigned = w->n_unsigned > 0;
    uint32_t n_signs = w->n_signed + w->n_unsigned;
    uint32_t n = w->n_void + w->n_bool + w->n_char + w->n_float + w->n_double;
    bool is_good = n <= 1 && n_signs <= 1 && w->n_short <= 1 && w->n_long <= 2 && w->n_int <= 1 &&
                   !(w->n_short > 0 && w->n_long > 0) &&
                   !(n == 1 && w->n_int + w->n_short + w->n_long > 0) &&
                   !(n == 1 && n_signs > 0 && w->n_char == 0);
    if (!is_good || n + n_signs + w->n_short + w->n_long + w->n_int == 0) {
        return NULL;
    }
    if (w->n_char > 0) {
        return is_unsigned       ? &scalars[CU_UCHAR]
               : w->n_signed > 0 ? &signed_char
                                 : &scalars[CU_CHAR];
    }
    if (w->n_long == 2) {
        return is_unsigned ? &unsigned_long_long : &long_long;
    }
    enum cu_kind kind = w->n_void > 0     ? CU_VOID
                        : w->n_bool > 0   ? CU_BOOL
                        : w->n_float > 0  ? CU_FLOAT
                        : w->n_double > 0 ? CU_DOUBLE
                        : w->n_short > 0  ? CU_SHORT
                        : w->n_long > 0   ? CU_LONG
                                          : CU_INT;
    return &scalars[kind <= CU_LONG && kind >= CU_SHORT && is_unsigned ? kind + 1 : kind];
}

/* ---- names ----------------------------------------------------------------------------------- */

static const struct {
    const char *word;
    const struct cu_type *type;
} words[] = {
    {"int8_t", &signed_char},        {"uint8_t", &scalars[CU_UCHAR]},
    {"int16_t", &scalars[CU_SHORT]}, {"uint16_t", &scalars[CU_USHORT]},
    {"int32_t", &scalars[CU_INT]},   {"uint32_t", &scalars[CU_UINT]},
    {"int64_t", &scalars[CU_LONG]},  {"uint64_t", &scalars[CU_ULONG]},
    {"size_t", &scalars[CU_ULONG]},  {"ptrdiff_t", &scalars[CU_LONG]},
    {"intptr_t", &scalars[CU_LONG]}, {"uintptr_t", &scalars[CU_ULONG]},
    {"uchar", &scalars[CU_UCHAR]},   {"ushort", &scalars[CU_USHORT]},
    {"uint", &scalars[CU_UINT]},     {"ulong", &scalars[CU_ULONG]},
    {"clock_t", &scalars[CU_LONG]},
};

/* What the names of vectors begin with. */
static const struct {
    const char *word;
    const struct cu_type *of;
} vectors[] = {
    {"char", &signed_char},        {"uchar", &scalars[CU_UCHAR]},
    {"short", &scalars[CU_SHORT]}, {"ushort", &scalars[CU_USHORT]},
    {"int", &scalars[CU_INT]},     {"uint", &scalars[CU_UINT]},
    {"long", &scalars[CU_LONG]},   {"ulong", &scalars[CU_ULONG]},
    {"longlong", &long_long},      {"ulonglong", &unsigned_long_long},
    {"float", &scalars[CU_FLOAT]}, {"double", &scalars[CU_DOUBLE]},
};

enum { N_WORDS = sizeof words / sizeof *words, N_VECTORS = sizeof vectors / sizeof *vectors };

static const struct cu_type *make_vector(struct cu_file *file, const struct cu_type *of,
                                         uint32_t count, const char *name)
{
    static const char *const parts[] = {"x", "y", "z", "w"};
    struct cu_type *type = bsim_cu_struct(file, name, false);
    uint32_t size = count * (uint32_t)of->size;
    for (uint32_t i = 0; i < count; i++) {
        bsim_cu_add_member(file, type, parts[i], of, 0);
    }
    type->is_vector = true;
    type->of = of;
    type->count = count;
    bsim_cu_end_struct(type, count == 3                     ? 0
                             : size > MOST_VECTOR_ALIGNMENT ? (uint32_t)MOST_VECTOR_ALIGNMENT
                                                            : size);
    return type;
}

const struct cu_type *bsim_cu_complex(struct cu_file *file, const struct cu_type *of,
                                      const char *name)
{
    const struct cu_type *type = make_vector(file, of, 2, name);
    static const char *const parts[] = {"real", "imag"};
    struct cu_member *member = type->members;
    for (uint32_t i = 0; i < 2 && member != NULL; i++, member = member->next) {
        member->name = parts[i];
        member->is_call = true;
    }
    return type;
}

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

const struct cu_type *bsim_cu_type_named(struct cu_file *file, const struct cu_token *name)
{
    for (size_t i = 0; i < N_WORDS; i++) {
        if (is_word(words[i].word, name->text, name->length)) {
            return words[i].type;
        }
    }
    if (bsim_cu_is(name, "dim3")) {
        return make_vector(file, &scalars[CU_UINT], 3, "dim3");
    }
    size_t length = name->length > 0 ? name->length - 1 : 0;
    uint32_t count = length > 0 ? (uint32_t)(unsigned char)name->text[length] - '0' : 0;
    for (size_t i = 0; i < N_VECTORS && count >= 1 && count <= 4; i++) {
        if (is_word(vectors[i].word, name->text, length)) {
            return make_vector(file, vectors[i].of, count,
                               bsim_cu_text(file, "%.*s", (int)name->length, name->text));
        }
    }
    return NULL;
}

const struct cu_type *bsim_cu_half_named(struct cu_file *file, const struct cu_token *name)
{
    static const struct {
        const char *word;
        enum cu_kind kind;
        uint32_t count; /* 0: the scalar itself */
    } halves[] = {
        {"half", CU_HALF, 0},
        {"__half", CU_HALF, 0},
        {"half2", CU_HALF, 2},
        {"__half2", CU_HALF, 2},
        {"nv_bfloat16", CU_BFLOAT16, 0},
        {"__nv_bfloat16", CU_BFLOAT16, 0},
        {"nv_bfloat162", CU_BFLOAT16, 2},
        {"__nv_bfloat162", CU_BFLOAT16, 2},
        {"__nv_fp8_e4m3", CU_FP8, 0},
        {"__nv_fp8_e5m2", CU_FP8, 0},
        {"cuComplex", CU_FLOAT, 2},
        {"cuFloatComplex", CU_FLOAT, 2},
        {"cuDoubleComplex", CU_DOUBLE, 2},
    };
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        const struct cu_type *of = &scalars[halves[i].kind];
        if (bsim_cu_is(name, halves[i].word)) {
            return halves[i].count == 0 ? of
                                        : make_vector(file, of, halves[i].count, halves[i].word);
        }
    }
    return NULL;
}

/* ---- derived types --------------------------------------------------------------------------- */

static struct cu_type *derived(struct cu_file *file, enum cu_kind kind, const struct cu_type *of)
{
    struct cu_type *type = bsim_cu_take(file, sizeof *type);
    *type = (struct cu_type){.kind = kind, .name = "", .code = "", .of = of, .is_complete = true};
    type->size = type->alignment = sizeof(uint64_t);
    return type;
}

const struct cu_type *bsim_cu_pointer(struct cu_file *file, const struct cu_type *to)
{
    return derived(file, CU_POINTER, to);
}

const struct cu_type *bsim_cu_reference(struct cu_file *file, const struct cu_type *to)
{
    return derived(file, CU_REFERENCE, to);
}

const struct cu_type *bsim_cu_array(struct cu_file *file, const struct cu_type *of, uint64_t count)
{
    struct cu_type *type = derived(file, CU_ARRAY, of);
    type->count = count;
    type->size = count * of->size;
    type->alignment = of->alignment;
    return type;
}

void bsim_cu_follow(struct cu_type *copy)
{
    struct cu_type *plain = (struct cu_type *)(uintptr_t)copy->plain;
    if (plain != NULL && copy->kind == CU_STRUCT && !copy->is_complete) {
        copy->copies = plain->copies;
        plain->copies = copy;
    }
}

const struct cu_type *bsim_cu_qualified(struct cu_file *file, const struct cu_type *type,
                                        bool is_const, bool is_volatile)
{
    if ((type->is_const || !is_const) && (type->is_volatile || !is_volatile)) {
        return type;
    }
    struct cu_type *copy = bsim_cu_take(file, sizeof *copy);
    *copy = *type;
    copy->plain = bsim_cu_plain(type);
    bsim_cu_follow(copy);
    copy->is_const = type->is_const || is_const;
    copy->is_volatile = type->is_volatile || is_volatile;
    if (type->kind == CU_ARRAY) {
        copy->of = bsim_cu_qualified(file, type->of, is_const, is_volatile);
    }
    return copy;
}

/* ---- structs ---------------------------------------------------------------------------------
 *
 * Every member begins at the next multiple of its alignment, a union's at 0; a struct aligns as the
 * strictest of them, or more strictly if it says so, and its size is a multiple of that. CUDA's
 * compilers lay out as the host's do for these types.
 */

struct cu_type *bsim_cu_struct(struct cu_file *file, const char *name, bool is_union)
{
    struct cu_type *type = bsim_cu_take(file, sizeof *type);
    *type = (struct cu_type){
        .kind = CU_STRUCT, .name = name, .code = "", .alignment = 1, .is_union = is_union};
    return type;
}

static uint64_t round_up(uint64_t value, uint64_t to)
{
    return (value + to - 1) / to * to;
}

struct cu_member *bsim_cu_add_member(struct cu_file *file, struct cu_type *type, const char *name,
                                     const struct cu_type *of, uint32_t alignment)
{
    struct cu_member *member = bsim_cu_take(file, sizeof *member);
    struct cu_member **end = &type->members;
    uint32_t aligned = alignment > of->alignment ? alignment : of->alignment;
    uint64_t offset = type->is_union ? 0 : round_up(type->size, aligned);
    *member = (struct cu_member){.name = name, .type = of, .offset = offset};
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = member;
    type->size = type->size > offset + of->size ? type->size : offset + of->size;
    type->alignment = type->alignment > aligned ? type->alignment : aligned;
    return member;
}

void bsim_cu_end_struct(struct cu_type *type, uint32_t alignment)
{
    type->alignment = alignment > type->alignment ? alignment : type->alignment;
    type->size = round_up(type->size > 0 ? type->size : 1, type->alignment);
    type->tail = type->size;
    type->is_complete = true;
    for (struct cu_type *copy = type->copies; copy != NULL; copy = copy->copies) {
        copy->size = type->size;
        copy->alignment = type->alignment;
        copy->members = type->members;
        copy->scope = type->scope;
        copy->base = type->base;
        copy->has_constructor = type->has_constructor;
        copy->has_values = type->has_values;
        copy->is_complete = true;
    }
}

bool bsim_cu_member(const struct cu_type *type, const struct cu_token *name,
                    struct cu_member *member)
{
    for (const struct cu_member *m = type->members; m != NULL; m = m->next) {
        if (is_word(m->name, name->text, name->length)) {
            *member = *m;
            return true;
        }
        if (m->name[0] == '\0' && bsim_cu_member(m->type, name, member)) {
            member->offset += m->offset;
            return true;
        }
    }
    return false;
}

/* ---- relations ------------------------------------------------------------------------------- */

bool bsim_cu_same_type(const struct cu_type *a, const struct cu_type *b)
{
    while (a->kind == b->kind && a->kind >= CU_POINTER && a->kind != CU_STRUCT &&
           a->count == b->count) {
        a = a->of;
        b = b->of;
    }
    if (a->kind != b->kind || a->kind != CU_STRUCT) {
        return a->kind == b->kind && a->count == b->count;
    }
    /* Each use of a vector's name makes it anew. */
    a = bsim_cu_plain(a);
    b = bsim_cu_plain(b);
    return a == b || (a->members == b->members && a->scope == b->scope && a->members != NULL) ||
           (a->is_vector && strcmp(a->name, b->name) == 0);
}

bool bsim_cu_derives(const struct cu_type *type, const struct cu_type *base)
{
    type = type->kind == CU_STRUCT ? type->base : NULL;
    while (type != NULL && !bsim_cu_same_type(type, base)) {
        type = type->base;
    }
    return type != NULL;
}

const struct cu_type *bsim_cu_bare(struct cu_file *file, const struct cu_type *type)
{
    const struct cu_type *of = type->of != NULL ? bsim_cu_bare(file, type->of) : NULL;
    if (type->parameter == 0 && of == type->of) {
        return type;
    }
    struct cu_type *copy = bsim_cu_take(file, sizeof *copy);
    *copy = *type;
    copy->of = of;
    copy->parameter = 0;
    bsim_cu_follow(copy);
    return copy;
}

const struct cu_type *bsim_cu_promoted(const struct cu_type *type)
{
    return type->kind < CU_INT ? &scalars[CU_INT] : bsim_cu_plain(type);
}

const struct cu_type *bsim_cu_common(const struct cu_type *a, const struct cu_type *b)
{
    return bsim_cu_promoted(a->kind > b->kind ? a : b);
}

uint64_t bsim_cu_wrap(const struct cu_type *type, uint64_t value)
{
    if (type->kind == CU_BOOL) {
        return value != 0;
    }
    if (type->size >= sizeof value) {
        return value;
    }
    uint64_t sign = UINT64_C(1) << (8 * type->size - 1);
    value &= 2 * sign - 1;
    return bsim_cu_is_signed(type) ? (value ^ sign) - sign : value;
}

const char *bsim_cu_type_text(struct cu_file *file, const struct cu_type *type)
{
    const char *qualifier = type->is_const ? "const " : type->is_volatile ? "volatile " : "";
    switch (type->kind) {
    case CU_POINTER:
        return bsim_cu_text(file, "%s *", bsim_cu_type_text(file, type->of));
    case CU_REFERENCE:
        return bsim_cu_text(file, "%s &", bsim_cu_type_text(file, type->of));
    case CU_ARRAY:
        return bsim_cu_text(file, "%s[%llu]", bsim_cu_type_text(file, type->of),
                            (unsigned long long)type->count);
    default:
        return bsim_cu_text(file, "%s%s", qualifier, type->name[0] != '\0' ? type->name : "struct");
    }
}
