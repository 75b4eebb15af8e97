/* type.h - types and their layout in memory, as CUDA has it on 64-bit systems. */
#ifndef BSIM_EXPR_TYPE_H
#define BSIM_EXPR_TYPE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* The integers come first, narrow to wide; long and long long are one. */
enum bsim_type_kind {
    BSIM_TYPE_BOOL,
    BSIM_TYPE_CHAR,
    BSIM_TYPE_UCHAR,
    BSIM_TYPE_SHORT,
    BSIM_TYPE_USHORT,
    BSIM_TYPE_INT,
    BSIM_TYPE_UINT,
    BSIM_TYPE_LONG,
    BSIM_TYPE_ULONG,
    BSIM_TYPE_FP8,
    BSIM_TYPE_HALF,
    BSIM_TYPE_BFLOAT16,
    BSIM_TYPE_FLOAT,
    BSIM_TYPE_DOUBLE,
    BSIM_N_SCALARS,
    BSIM_TYPE_VECTOR = BSIM_N_SCALARS, /* int2, float4, __half2: `count` of `of` */
    BSIM_TYPE_ARRAY,                   /* count 0: of unknown size */
    BSIM_TYPE_POINTER,
    BSIM_TYPE_VOID,   /* what a pointer may point to */
    BSIM_TYPE_STRUCT, /* a union too */
};

/* The name of a struct or union that has none. */
#define BSIM_TYPE_NAMELESS "struct"

struct bsim_type;

/* A named part of a type: of a struct, or of a complex number. */
struct bsim_member {
    const char *name; /* "": its own members are meant, as of an anonymous union */
    const struct bsim_type *type;
    uint64_t offset; /* bytes */
    bool is_call;    /* spelled with (), as real() */
    const struct bsim_member *next;
};

struct bsim_type {
    enum bsim_type_kind kind;
    const char *name;   /* as CUDA spells it; "" for arrays, "pointer" */
    uint64_t size;      /* bytes */
    uint32_t alignment; /* bytes */
    char letter;        /* of the opcode's element: 'b', 'u', 's', 'f'; 0 where it has none */
    uint64_t count;     /* of a vector or an array */
    const struct bsim_type *of;
    const struct bsim_member *member; /* the first; NULL: none, or a vector's x, y, z, w */
    bool is_volatile; /* of an object: each use of it is an access, in the order of the text */
};

/* A scalar type; void. Static. */
const struct bsim_type *bsim_type_scalar(enum bsim_type_kind kind);
const struct bsim_type *bsim_type_void(void);

/* What __cvta_generic_to_shared gives: in C a number, here a pointer that steps by bytes.
 * Static. */
const struct bsim_type *bsim_type_shared_address(void);

/* The type named text[0..length) by one word that is no keyword ("uint8_t", "half", "float4"), in
 * *type. False if there is none; *type is NULL if there is and memory is short. */
bool bsim_type_named(struct bsim_arena *arena, const char *text, size_t length,
                     const struct bsim_type **type);

/* Derived types; NULL when memory is short. */
const struct bsim_type *bsim_type_vector(struct bsim_arena *arena, const struct bsim_type *of,
                                         uint32_t count, const char *name, size_t length);
const struct bsim_type *bsim_type_array(struct bsim_arena *arena, const struct bsim_type *of,
                                        uint64_t count);
const struct bsim_type *bsim_type_pointer(struct bsim_arena *arena, const struct bsim_type *to);

/* The same type, volatile; of an array its elements are. */
const struct bsim_type *bsim_type_volatile(struct bsim_arena *arena, const struct bsim_type *type);

/* thrust's and cuda::std's complex number of two `of`, named so; it aligns as its size. */
const struct bsim_type *bsim_type_complex(struct bsim_arena *arena, const struct bsim_type *of,
                                          const char *name, size_t length);

/* The member text[0..length) of a struct, a vector or a complex number, in *member, its offset from
 * the beginning of the type. False if there is none. */
bool bsim_type_member(const struct bsim_type *type, const char *text, size_t length,
                      struct bsim_member *member);

bool bsim_type_is_integer(const struct bsim_type *type);
bool bsim_type_is_signed(const struct bsim_type *type); /* of an integer */
bool bsim_type_same(const struct bsim_type *a, const struct bsim_type *b);

/* What an integer becomes before it takes part in arithmetic, and two of them together. */
const struct bsim_type *bsim_type_promoted(const struct bsim_type *type);
const struct bsim_type *bsim_type_common(const struct bsim_type *a, const struct bsim_type *b);

/* The value of an integer type that is congruent to `value` modulo 2^width, sign- or zero-extended
 * to 64 bits; bool: 0 or 1. */
uint64_t bsim_type_wrap(const struct bsim_type *type, uint64_t value);

#endif
