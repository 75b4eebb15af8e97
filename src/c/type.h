/* type.h - types and their layout in memory, as CUDA has it on 64-bit systems. */
#ifndef BSIM_C_TYPE_H
#define BSIM_C_TYPE_H

#include "c/token.h"

/* The integers come first, narrow to wide, a signed one before its unsigned one. */
enum cu_kind {
    CU_BOOL,
    CU_CHAR,
    CU_UCHAR,
    CU_SHORT,
    CU_USHORT,
    CU_INT,
    CU_UINT,
    CU_LONG,
    CU_ULONG,
    CU_FLOAT,
    CU_DOUBLE,
    CU_VOID,
    CU_FP8, /* these three in sketches: kernels have structs, which compute */
    CU_HALF,
    CU_BFLOAT16,
    CU_POINTER,
    CU_REFERENCE, /* to `of`; only variables, parameters and results have it */
    CU_ARRAY,     /* count 0: of unknown size */
    CU_STRUCT,    /* unions and CUDA's vectors too */
};

struct cu_type;
struct cu_scope;
struct cu_template;

/* What stands for a template's parameter: a type, or a number of that type. */
struct cu_argument {
    const struct cu_type *type; /* NULL: not known */
    bool is_number;
    uint64_t number;
};

struct cu_member {
    const char *name; /* "": its own members are meant, as of an anonymous union */
    const struct cu_type *type;
    uint64_t offset;              /* bytes */
    bool is_call;                 /* spelled with (), as real() of a complex number */
    bool is_reference;            /* its type is a pointer, which is followed by itself */
    const struct cu_token *value; /* what it is at first; NULL: nothing is said */
    struct cu_member *next;
};

struct cu_type {
    enum cu_kind kind;
    const char *name; /* as C++ spells it, of a struct its own; "" else */
    const char *code; /* as names are mangled with it, of a scalar or a function */
    uint64_t size;    /* bytes */
    uint32_t alignment;
    bool is_const, is_volatile, is_restrict;
    bool is_vector; /* float4 and its kin: loaded and stored in one */
    bool is_union;
    bool is_function; /* a pointer to one, or what that is as a value */
    bool is_complete; /* of a struct: its members are known */
    bool is_closed;   /* of a struct: C has no such, as data in it is not public, or it has a destructor */
    uint64_t count;   /* of an array, or of a vector's parts */
    const struct cu_type *of;
    struct cu_member *members;
    const struct cu_type *plain; /* what this is a qualified copy of; NULL: of nothing */
    struct cu_type *copies;      /* of a struct that is not complete: its qualified copies */
    struct cu_scope *scope;      /* of a struct or enum: names in it */
    const struct cu_type *base;  /* the struct that this one begins with, and is one of; NULL: none */
    uint64_t tail;               /* of a struct: where members of one that has it as base begin; UINT64_MAX: not known */
    bool has_constructor,
        has_values;                 /* one that is declared; members that are something at first */
    const struct cu_template *from; /* what it was made of, with these arguments */
    const struct cu_argument *argument;
    uint32_t n_arguments;
    uint32_t parameter; /* from 1 on: it is what stands for a template's parameter */
};

const struct cu_type *bsim_cu_scalar(enum cu_kind kind);

/* What PTX calls it, of a scalar or a pointer: "u32". */
const char *bsim_cu_word(const struct cu_type *type);

/* The scalar that the words of C make, counted: "unsigned long long"; NULL if that is none. */
struct cu_type_words {
    uint32_t n; /* of all of them */
    uint32_t n_void, n_bool, n_char, n_short, n_int, n_long, n_float, n_double, n_signed,
        n_unsigned;
};
const struct cu_type *bsim_cu_type_of_words(const struct cu_type_words *words);
/* Counts the token, if it is one of them; whether it is. */
bool bsim_cu_count_word(struct cu_type_words *words, const struct cu_token *token);
bool bsim_cu_is_type_word(const struct cu_token *token);

/* The type of one word that is no keyword ("uint8_t", "float4", "dim3"), or NULL. */
const struct cu_type *bsim_cu_type_named(struct cu_file *file, const struct cu_token *name);

/* The same of "half", "__nv_bfloat162", "cuComplex": those that kernels have as structs of the prelude. */
const struct cu_type *bsim_cu_half_named(struct cu_file *file, const struct cu_token *name);

/* thrust's and cuda::std's complex number of two `of`, named so; it aligns as its size. */
const struct cu_type *bsim_cu_complex(struct cu_file *file, const struct cu_type *of,
                                      const char *name);

const struct cu_type *bsim_cu_pointer(struct cu_file *file, const struct cu_type *to);
const struct cu_type *bsim_cu_reference(struct cu_file *file, const struct cu_type *to);
const struct cu_type *bsim_cu_array(struct cu_file *file, const struct cu_type *of, uint64_t count);
const struct cu_type *bsim_cu_qualified(struct cu_file *file, const struct cu_type *type,
                                        bool is_const, bool is_volatile);

/* Of a struct that is not complete: the copy of its plain type becomes so with it. */
void bsim_cu_follow(struct cu_type *copy);

/* A struct without members, to be filled by bsim_cu_add_member and bsim_cu_end_struct. */
struct cu_type *bsim_cu_struct(struct cu_file *file, const char *name, bool is_union);
struct cu_member *bsim_cu_add_member(struct cu_file *file, struct cu_type *type, const char *name,
                                     const struct cu_type *of, uint32_t alignment);
void bsim_cu_end_struct(struct cu_type *type, uint32_t alignment);

/* The member, with its offset from the type's begin; false: there is none. */
bool bsim_cu_member(const struct cu_type *type, const struct cu_token *name,
                    struct cu_member *member);

/* Whether a base of the struct, or one of that base's, is the other one. */
bool bsim_cu_derives(const struct cu_type *type, const struct cu_type *base);

bool bsim_cu_same_type(const struct cu_type *a, const struct cu_type *b); /* but for qualifiers */

/* The type as if no template's parameter had ever stood for it. */
const struct cu_type *bsim_cu_bare(struct cu_file *file, const struct cu_type *type);

/* "const float *", for messages. */
const char *bsim_cu_type_text(struct cu_file *file, const struct cu_type *type);

static inline bool bsim_cu_is_integer(const struct cu_type *type)
{
    return type->kind <= CU_ULONG;
}

static inline bool bsim_cu_is_floating(const struct cu_type *type)
{
    return type->kind == CU_FLOAT || type->kind == CU_DOUBLE;
}

static inline bool bsim_cu_is_arithmetic(const struct cu_type *type)
{
    return type->kind <= CU_DOUBLE;
}

static inline bool bsim_cu_is_signed(const struct cu_type *type)
{
    return type->kind == CU_CHAR || type->kind == CU_SHORT || type->kind == CU_INT ||
           type->kind == CU_LONG;
}

/* Without qualifiers. */
static inline const struct cu_type *bsim_cu_plain(const struct cu_type *type)
{
    return type->plain != NULL ? type->plain : type;
}

/* What an integer becomes before it takes part in arithmetic. */
const struct cu_type *bsim_cu_promoted(const struct cu_type *type);

/* What two arithmetic types have in common, after promotion. */
const struct cu_type *bsim_cu_common(const struct cu_type *a, const struct cu_type *b);

/* The integer that a number or character is, and its type; answers what is wrong with it, or NULL:
 * "has no digits". */
const char *bsim_cu_read_integer(const struct cu_token *token, uint64_t *value,
                                 const struct cu_type **type);

/* The value of an integer type that is congruent to `value`, extended to 64 bits. */
uint64_t bsim_cu_wrap(const struct cu_type *type, uint64_t value);

#endif
