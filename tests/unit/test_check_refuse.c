/* test_check_refuse.c - what a check refuses: how the message begins, and the line and column that
 * it names. Columns count from 1. */
#include "status_name.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/expr.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static enum bsim_status ignore(void *context, const struct bsim_check_request *request,
                               struct bsim_error *err)
{
    (void)context;
    (void)request;
    (void)err;
    return BSIM_OK;
}

/* Builds and evaluates; what failed first, in *err. */
static enum bsim_status run(const char *text, struct bsim_error *err)
{
    struct bsim_check *check = bsim_check_new();
    assert_non_null(check);
    enum bsim_status status = bsim_check_add_text(check, "t", text, strlen(text), err);
    if (status == BSIM_OK) {
        status = bsim_check_seal(check, err);
    }
    if (status == BSIM_OK) {
        status = bsim_check_each(check, &(struct bsim_check_visitor){.shared = ignore}, err);
    }
    bsim_check_free(check);
    return status;
}

struct refusal {
    const char *line;    /* the statement at fault */
    uint32_t column;     /* 0: the message has no place */
    const char *message; /* how it begins */
};

/* Every case's line is the last of a text that begins with these. */
static const char before[] = "block 32,2\n"
                             "shared float a[4][32]\n"
                             "shared char pad\n"
                             "shared float b[64]\n"
                             "shared float4 c[2]\n"
                             "define N=32\n"
                             "define OF(r, c) = ((r) * 4 + (c))\n"
                             "define BAD(x) (x + y)\n"
                             "define DEEP(x) OF(x, z)\n"
                             "define SELF(x) (OTHER(x) + 1)\n"
                             "define OTHER(x) SELF(x)\n"
                             "define FOUR(x) (x + x + x + x)\n"
                             "define ONE() 1\n"
                             "let int row = threadIdx.x / 8\n"
                             "for i=0:2\n";
enum { LINES_BEFORE = 15 };

static void compare(const struct refusal *refusal, const char *head, uint64_t line)
{
    char text[1024];
    struct bsim_error err = {.status = BSIM_OK};
    (void)snprintf(text, sizeof text, "%s%s", head, refusal->line);
    enum bsim_status status = run(text, &err);
    bool placed = err.column == refusal->column && err.line == (refusal->column > 0 ? line : 0);
    if (status != BSIM_E_INPUT || !placed ||
        strncmp(err.message, refusal->message, strlen(refusal->message)) != 0) {
        fail_msg("%s\nis answered by %s %" PRIu64 ":%" PRIu32 ": %s", refusal->line,
                 status_name(status), err.line, err.column, err.message);
    }
}

/* ---- expressions ----------------------------------------------------------------------------- */

static const struct refusal expressions[] = {
    {"load a[theadIdx.x][0]", 8, "unknown name 'theadIdx': did you mean 'threadIdx'?"},
    {"load a[rw][0]", 8, "unknown name 'rw': did you mean 'row'?"},
    {"load tile[0]", 6, "unknown name 'tile': declare it by shared, define, let or for"},
    {"load a[0][threadIdx]", 20, "']' stands where '.' should be"},
    {"load a[0][threadIdx.w]", 21, "'w' stands where x, y or z should be"},
    {"load a[0][1.0f]", 11, "the constant '1.0f' is floating-point"},
    {"load a[0][.5]", 11, "the constant '.5' is floating-point"},
    {"load a[0][1e3]", 11, "the constant '1e3' is floating-point"},
    {"load a[0][08]", 11, "the constant '08' is no integer of C"},
    {"load a[0][0x]", 11, "the constant '0x' has no digits"},
    {"load a[0][1lul]", 11, "the constant '1lul' is no integer of C"},
    {"load a[0][2z]", 11, "the constant '2z' is no integer of C"},
    {"load a[0][18446744073709551616]", 11, "the constant '18446744073709551616' passes 64 bits"},
    {"load a[0][9223372036854775808]", 6,
     "thread (0,0,0), i = 0: index 9223372036854775808 is outside"}, /* unsigned, as gcc warns */
    {"load a[0][\"x\"]", 11, "a text is no value here"},
    {"load a[0]['xy']", 11, "the constant ''xy'' is no character of C"},
    {"load a[0]['x]", 11, "this ' is not closed on its line"},
    {"load a[0][1 @ 2]", 13, "'@' is no part of C"},
    {"load a[0][1 \\ 2]", 13, "'\\' is no part of C"},
    {"load a[0][1\x01]", 12, "byte 0x01 is no part of C"},
    {"load a[0][\xc3\xa4]", 11, "byte 0xc3 is no part of C"},
    {"load a[0][1 /* open ]", 13, "this comment is not closed"},
    {"load a[0][1", 12, "it ends here, and ']' is missing"},
    {"load a[0][(1]", 13, "']' stands where ')' should be"},
    {"load a[0][1 +]", 14, "']' stands where an operand should be"},
    {"load", 5, "it ends here, and an operand is missing"},
    {"load a[0][]", 11, "']' stands where an operand should be"},
    {"load a[0][1 ? 2]", 16, "']' stands where ':' should be"},
    {"load a[0][1] = 3", 6, "this loads nothing in shared memory"},
    {"load a[0][i++]", 12, "'++' stands where ']' should be"},
    {"load a[0][--i]", 11, "'--' changes something"},
    {"load a[0][1], a[0][2]", 13, "',' should not stand here"},
    {"load a[0][1] a", 14, "'a' should not stand here"},
    {"load a[0][a[0][0]]", 11, "what memory holds here is not known"},
    {"store a[0][0] + a[0][1]", 7, "what memory holds here is not known"},
    {"store i < 1 ? a[0][0] : 0", 15, "what memory holds here is not known"},
    {"store -a[0][0]", 8, "what memory holds here is not known"},
    {"load b[(int)b[0]]", 13, "what memory holds here is not known"},
    {"load *b[0]", 7, "what memory holds here is not known"},
    {"load a[0][(float)row]", 11, "a cast to 'float'"},
    {"load a[0][(float4)row]", 11, "a cast to 'float4'"},
    {"load a[0][sqrt(4)]", 11, "unknown name 'sqrt'"},
    {"load a[0][f(4)]", 11, "unknown name 'f'"},
    {"load a[0][min(4)]", 16, "')' stands where ',' should be"},
    {"load a[0][abs(4, 5)]", 16, "',' stands where ')' should be"},
    {"load a[0].x", 11, "there is no member 'x' here"},
    {"load a[0][0].x", 14, "there is no member 'x' here"},
    {"load (*(float2 *)&a[0][0]).z", 28, "there is no member 'z' here"},
    {"load row.x", 10, "there is no member 'x' here"},
    {"load ((thrust::complex<float> *)b)[0].x", 39, "there is no member 'x' here"},
    {"load ((thrust::complex<float> *)b)[0].real", 43, "it ends here, and '(' is missing"},
    {"load ((thrust::complex<float> *)b)[0].real(1)", 44, "'1' stands where ')' should be"},
    {"load ((cuComplex *)b)[0].real()", 26, "there is no member 'real' here"},
    {"load ((thrust::pair<float> *)b)[0]", 16, "'pair' stands where 'complex' should be"},
    {"load ((cuda::complex<float> *)b)[0]", 14, "'complex' stands where 'std' should be"},
    {"load ((thrust::complex<half> *)b)[0]", 24, "'half' stands where 'float' should be"},
    {"load *(struct P *)b", 15, "no struct 'P' is defined before this"},
    {"load *(struct { float x; } *)b", 15, "a type is defined by a statement of its own"},
    {"load b[sizeof(union Q { int i; })]", 21, "a type is defined by a statement of its own"},
    {"load row[0]", 6, "this has no elements"},
    {"load 3[b]", 6, "this has no elements"},
    {"load *row", 6, "only an address can be followed or indexed"},
    {"load *(void *)b", 6, "a void pointer must be cast"},
    {"load &3", 6, "& needs something that lies in shared memory"},
    {"load *(float *)0", 7, "a number cannot become an address"},
    {"load *(float *)(size_t)b", 16, "an address cannot become a number"},
    {"load __cvta_generic_to_shared(b)", 6, "this is an address: index it, or put a * before it"},
    {"load *__cvta_generic_to_shared(b)", 6, "a shared address is a number: cast it to a pointer"},
    {"load __cvta_generic_to_shared(b)[1]", 6, "a shared address is a number"},
    {"load __cvta_generic_to_shared(row)", 6, "__cvta_generic_to_shared takes a pointer"},
    {"load __cvta_generic_to_shared(b[0])", 31, "what memory holds here is not known"},
    {"load __cvta_generic_to_shared", 30, "it ends here, and '(' is missing"},
    {"ldmatrix x1 __cvta_generic_to_shared(b) ^ 16", 41,
     "an address takes only + and - of an offset in bytes"},
    {"ldmatrix x1 (short)__cvta_generic_to_shared(b)", 13, "an address cannot become a number"},
    {"ldmatrix x1 __cvta_generic_to_shared(a) + 8 * lane", 41,
     "thread (1,0,0), i = 0: a matrix row needs an address that is a multiple of 16"},
    {"load b[b]", 6, "this operator takes integers, and one side is an address"},
    {"load b[&b[3] - &b[0]]", 14, "this operator takes integers, and one side is an address"},
    {"load *(b * 2)", 10, "this operator takes integers, and one side is an address"},
    {"load b[!b]", 9, "an integer is needed here, and this is an address"},
    {"load b[b ? 1 : 2]", 8, "an integer is needed here, and this is an address"},
    {"load *(row ? b : a)", 12, "the two sides of ?: have different types"},
    {"load *(row ? b : 0)", 12, "the two sides of ?: have different types"},
    {"load *((void *)b + 1)", 18, "the size of what this points to is not known"},
    {"load b[sizeof(void)]", 8, "the size of this is not known"},
    {"load *(float **)b", 15, "pointers that lie in memory are not followed"},
    {"load *(unsigned float *)b", 8, "a type should stand here that is known"},
    {"load *(short long *)b", 8, "a type should stand here that is known"},
    {"load *(float *[2])b", 15, "'[' stands where ')' should be"},
    {"load reinterpret_cast<float4>(b)", 6, "a cast to 'float4'"},
    {"load reinterpret_cast<float4 &>(row)", 6, "a reference needs something"},
    {"load static_cast(row)", 17, "'(' stands where '<' should be"},
    {"load b[int]", 11, "']' stands where '(' should be"},
    /* macros */
    {"load b[OF(1)]", 8, "the macro OF takes 2 arguments, and 1 stands here"},
    {"load b[OF()]", 8, "the macro OF takes 2 arguments, and 1 stands here"},
    {"load b[OF(1, 2, 3)]", 8, "the macro OF takes 2 arguments, and 3 stand here"},
    {"load b[OF(a[1, 2], 3)]", 8, "the macro OF takes 2 arguments, and 3 stand here"},
    {"load b[ONE(1)]", 8, "the macro ONE takes 0 arguments, and 1 stands here"},
    {"load b[ONE]", 8, "the macro ONE needs its arguments in ( )"},
    {"load b[OF(1, 2]", 16, "it ends here, and ')' is missing"},
    {"load b[OF(1, rw)]", 14, "unknown name 'rw': did you mean 'row'?"},
    {"load b[OF(1, )]", 8, "in OF: ')' stands where an operand should be"},
    {"load b[1 + BAD(2)]", 12, "in BAD: unknown name 'y'"},
    {"load b[OF(1, BAD(2))]", 14, "in BAD: unknown name 'y'"},
    {"load b[DEEP(rw)]", 13, "unknown name 'rw'"},
    {"load b[DEEP(1)]", 8, "in DEEP: unknown name 'z'"},
    {"load b[SELF(1)]", 8, "in OTHER: the macro SELF stands for itself"},
    {"load b[FO(1)]", 8, "unknown name 'FO': did you mean 'OF'?"},
    {"load b[OF(2147483647, 2)]", 8, "thread (0,0,0), i = 0: signed overflow (2147483647 and 4)"},
    {"load b[FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(1))))))))]", 43,
     "in FOUR: macros make more than 20000 tokens of this"},
    {"load OF", 6, "the macro OF needs its arguments in ( )"},
    {"let OF = 3", 5, "the macro OF needs its arguments in ( )"},
    /* forms of access */
    {"load a", 6, "this is an array as a whole: index it"},
    {"load a[0]", 6, "this is an array as a whole: index it"},
    {"load &a[0][0]", 6, "this is an address: index it, or put a * before it"},
    {"load row", 6, "this is a number, not an element"},
    {"store 1 + 2", 9, "this is a number, not an element"},
    {"atomic a[0][0]", 8, "an atomic is one of add, min"},
    {"atomic sum a[0][0]", 8, "an atomic is one of add, min"},
    {"atomic max a[0][0]", 12, "there is no such atomic on 'float'"},
    {"atomic add pad", 12, "there is no such atomic on 'char'"},
    {"atomic add a", 12, "there is no such atomic on 'an array'"},
    {"atomic add 3", 12, "there is no such atomic on 'a number'"},
    {"atomic inc *(long long *)a", 12, "there is no such atomic on 'long long'"},
    {"atomic max *(half2 *)a", 12, "there is no such atomic on 'half2'"},
    {"atomic add *(half *)a", 12, "there is no such atomic on '__half'"},
    {"atomic add *(short2 *)a", 12, "there is no such atomic on 'short2'"},
    {"atomic atomicAdd(a, 1)", 18, "there is no such atomic on 'an array'"},
    {"atomic popc.inc a[0][0]", 8, "an atomic is one of add, min"},
    {"atomic old = add a[0][0]", 8, "an atomic is one of add, min"},
    {"atomic add a[0][0], 1, 2", 12, "add has at most 1 value behind its place, not 2"},
    {"atomic cas a[0][0], 1, 2, 3", 12, "cas has at most 2 values behind its place, not 3"},
    {"atomic add a[0][0],", 20, "a value is missing here"},
    {"atomic add , 1", 12, "it ends here, and an operand is missing"},
    {"atomic add a[0][0]) + 1", 19, "')' should not stand here"},
    {"atomic add a[0][0], b[1]", 21, "the value is an access of its own to b"},
    {"atomic add b[i] = a[0][0]", 12, "where the result goes is an access of its own to b"},
    {"atomic atomicAdd", 17, "it ends here, and '(' is missing"},
    {"atomic atomicAdd(&a[0][0])", 18, "add has 1 value behind its place, not 0"},
    {"atomic atomicCAS(&a[0][0], 1)", 18, "cas has 2 values behind its place, not 1"},
    {"atomic atomicAdd(&a[0][0], 1", 29, "it ends here, and ')' is missing"},
    {"atomic atomicAdd(&a[0][0], 1) + 1", 31, "'+' should not stand here"},
    {"atomic atomicAdd(&q[0], 1)", 19, "unknown name 'q'"},
    {"cp_async a[0][0]", 10, "before its expression cp_async has ca or cg, and perhaps :4, :8"},
    {"cp_async cg:8 a[0][0]", 15, "cp.async.cg copies 16 bytes: leave out how many"},
    {"cp_async ca a[0][0], a[1][0]", 22, "cp.async copies from global memory: this is no element"},
    {"cp_async ca a[0][0], 3", 22, "cp.async copies from global memory: this is no element"},
    {"cp_async ca 3", 13, "this is a number, not what a copy is stored to"},
    {"cp_async ca pad", 13, "cp.async copies 4, 8 or 16 bytes, and this has another size"},
    {"cp_async ca a", 13, "cp.async copies 4, 8 or 16 bytes, and this has another size"},
    {"cp_async ca:12 a[0][0]", 16, "cp.async copies 4, 8 or 16 bytes, and this has another size"},
    {"cp_async ca:32 a[0][0]", 13, "cp.async copies 4, 8 or 16 bytes"},
    {"cp_async ca:16 a[0][1]", 16,
     "thread (0,0,0), i = 0: cp.async needs an address that is a multiple of 16"},
    {"ldmatrix &a[0][0]", 10, "before its expression a matrix form has x1, x2 or x4"},
    {"ldmatrix x3 &a[0][0]", 10, "before its expression a matrix form has x1, x2 or x4"},
    {"ldmatrix x4.row a", 13, "'row' stands where 'trans' should be"},
    {"ldmatrix x4 lane", 13, "this is a number, not the address of a row"},
};

static void refused_expressions(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(expressions); k++) {
        compare(&expressions[k], before, LINES_BEFORE + 1);
    }
}

/* ---- threads --------------------------------------------------------------------------------- */

static const struct refusal threads[] = {
    {"load b[threadIdx.x + 32 * threadIdx.y + 1]", 6,
     "thread (31,1,0), i = 0: element 64 is outside of b, which has 64 elements"},
    {"load b[(int)threadIdx.x - 1]", 6, "thread (0,0,0), i = 0: element -1 is outside of b"},
    {"load b[threadIdx.x - 1]", 6, "thread (0,0,0), i = 0: element 4294967295 is outside of b"},
    {"load a[i * 4][0]", 6, "thread (0,0,0), i = 1: element 128 is outside of a"},
    {"load b[1ull << 50]", 6,
     "thread (0,0,0), i = 0: index 1125899906842624 is outside of any array"},
    {"load b[-(1ll << 50)]", 6,
     "thread (0,0,0), i = 0: index -1125899906842624 is outside of any array"},
    {"load *(float *)((char *)b + 253 + row)", 6,
     "thread (0,0,0), i = 0: byte 253 is outside of b, which has 256 bytes"},
    {"load *(float *)((char *)b + row)", 6,
     "thread (8,0,0), i = 0: float needs an address that is a multiple of 4, and this is byte 1 of "
     "b"},
    {"load *(float4 *)&b[4 * i]", 6,
     "thread (0,0,0), i = 0: float4 needs an address that is a multiple of 16, and this is byte 0 "
     "of b, which does not begin at one: declare it __align__(16)"},
    {"load *(float4 *)&a[0][62 * 2 + i]", 6,
     "thread (0,0,0), i = 1: element 125 is outside of a, which has 128 elements"},
    {"load *(float2 *)&a[0][1]", 6, "thread (0,0,0), i = 0: float2 needs an address that is"},
    {"load b[8 / (i - 1) + 8]", 10, "thread (0,0,0), i = 1: division by zero (8 and 0)"},
    {"load b[1 << (threadIdx.x + 1)]", 10, "thread (31,0,0), i = 0: shift by the width"},
    {"load b[row * 2147483647]", 12, "thread (16,0,0), i = 0: signed overflow (2 and 2147483647)"},
    {"ldmatrix x4 &a[0][4 * lane + 1]", 13,
     "thread (0,0,0), i = 0: a matrix row needs an address that is a multiple of 16"},
    {"ldmatrix x2 &a[0][8 * lane + 8]", 13, "thread (15,0,0), i = 0: element 128 is outside of a"},
};

static void refused_threads(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(threads); k++) {
        compare(&threads[k], before, LINES_BEFORE + 1);
    }
}

/* ---- other statements ------------------------------------------------------------------------ */

static const struct refusal statements[] = {
    {"lod a[0]", 1, "unknown word 'lod': did you mean 'load'?"},
    {"xyzzy", 1, "unknown word 'xyzzy': a line begins with shared, load, store, ..."},
    {"shared float t[0]", 16, "an array's size is a number from 1 to 2147483647, not 0"},
    {"shared float t[-3]", 16, "an array's size is a number from 1 to 2147483647, not -3"},
    {"shared float t[threadIdx.x]", 16, "this depends on the launch, and a constant is needed"},
    {"shared float t[M]", 16, "unknown name 'M'"},
    {"shared float t[]", 16, "']' stands where an operand should be"},
    {"shared float t[1][1][1][1][1][1][1][1][1]", 15, "an array has at most 8 dimensions"},
    {"shared float t[100000]", 14, "t ends at byte 400032: a block has at most 232448 bytes"},
    {"shared float t[2000000000][2000000000]", 15, "no memory holds an array of this size"},
    {"shared float *t[4]", 8, "elements are numbers, vectors of numbers or structs"},
    {"shared void t[4]", 8, "elements are numbers, vectors of numbers or structs"},
    {"shared flaot t[4]", 8, "a type should stand here that is known"},
    {"shared struct Q t[4]", 15, "no struct 'Q' is defined before this"},
    {"shared struct { float x } t[4]", 25, "'}' stands where ';' should be"},
    {"shared struct { float x; t[4]", 26, "a type should stand here that is known"},
    {"shared struct { } t[4]", 15, "a struct without members has nothing to access"},
    {"struct", 7, "a struct's name should stand here"},
    {"struct Q", 8, "no struct 'Q' is defined before this"},
    {"struct Q { float x; } q[4];", 23, "this statement names a type alone"},
    {"struct Q { float x; }, R", 22, "',' should not stand here"},
    {"struct float4 { float x; };", 8, "'float4' already has a meaning"},
    {"struct Q { float x, x; };", 21, "a member 'x' is there already"},
    {"struct Q { float x; union { int y, x; }; };", 21, "a member 'x' is there already"},
    {"struct Q { union { int x; }; float x; };", 36, "a member 'x' is there already"},
    {"struct Q { struct { int x; } x; struct { int x; }; };", 33, "a member 'x' is there already"},
    {"struct Q { float x[-1]; };", 20, "an array's size is a number from 1 to 2147483647, not -1"},
    {"struct Q { float x[]; };", 20, "']' stands where an operand should be"},
    {"struct Q { float x[2000000000]; };", 19, "no memory holds an array of this size"},
    {"struct Q { char x[2000000000], y[2000000000]; };", 32,
     "no memory holds a struct of this size"},
    {"struct Q { float x : 3; };", 20, "bit-fields have no address of their own"},
    {"struct Q { float f() { return 0; } };", 18, "a function takes no room: leave it out"},
    {"struct Q { static int n; };", 12, "this lies outside of the struct"},
    {"struct Q { float x = 1; };", 20, "'=' stands where ';' should be"},
    {"struct Q { int4 int; };", 17, "a member's name should stand here"},
    {"struct Q { float; };", 17, "a member's name should stand here"},
    {"struct Q { void x; };", 17, "the size of this member is not known here"},
    {"struct Q { Q in; };", 14, "the size of this member is not known here"},
    {"struct Q { float **p; };", 19, "pointers that lie in memory are not followed"},
    {"struct Q { public: float x; };", 12, "a type should stand here that is known"},
    {"struct Q : R { float x; };", 8, "no struct 'Q' is defined before this"},
    {"struct __align__(3) Q { float x; };", 8, "an alignment is a power of two"},
    {"union Q { float x; } q;", 22, "this statement names a type alone"},
    {"typedef float", 14, "a name should stand here"},
    {"typedef float int2;", 15, "'int2' already has a meaning"},
    {"typedef flaot t;", 9, "a type should stand here that is known"},
    {"typedef __align__(16) float t;", 9, "a typedef aligns nothing: write it behind struct"},
    {"typedef float t = 3;", 17, "'=' changes something"},
    {"shared float4 float2[3]", 15, "'float2' already has a meaning"},
    {"shared float", 13, "a name should stand here"},
    {"shared float 4", 14, "a name should stand here"},
    {"shared float a[1]; float a[2]", 26, "'a' is declared twice"},
    {"shared float t[2] = {0}", 19, "'=' changes something"},
    {"shared __align__(3) float t", 8, "an alignment is a power of two"},
    {"shared __align__(4096) float t", 18, "an alignment is a number from 1 to 1024"},
    {"shared extern float t[4]", 21, "an extern array has the size that the launch gives it"},
    {"shared extern float t", 21, "an extern array has the size that the launch gives it"},
    {"shared extern float t[], u[]", 26, "all extern arrays are the same memory"},
    {"shared float t pad 1 every 4", 16, "only an array has a layout"},
    {"shared float t[64] pad 1", 25,
     "it ends here, and 'every' and a number of elements is missing"},
    {"shared float t[64] pad 0 every 4", 24, "a padding is a number from 1 to 232448, not 0"},
    {"shared float t[64] pad 1 every 0", 32, "what is padded is a number from 1 to 232448, not 0"},
    {"shared float t[64] pad 2000 every 1", 20, "t takes 504256 bytes with this: a block has"},
    {"shared float t[6][10] swizzle<3,3,3>", 23,
     "this moves elements within groups of 64, and t has 60: declare a multiple of 64"},
    {"shared float t[5][12] swizzle<1,2,-3>", 23,
     "this moves elements within groups of 64, and t has"},
    {"shared float t[40] swizzle<3,3,3>", 20,
     "this moves elements within groups of 64, and t has 40: declare a multiple of 64"},
    {"shared float t[64] swizle 128B", 20,
     "'swizle' is no layout (did you mean 'swizzle'?): there are pad P, pad P every E, "
     "swizzle<B,M,S>, swizzle or tma 32B, 64B and 128B, row-xor B,M,S, xor BIT:FLIPS, rotate T, "
     "rotate T of C, rotate T every R and N more behind"},
    {"shared float t[64][64] rotat 3", 24, "'rotat' is no layout (did you mean 'rotate'?)"},
    {"shared float t[8][8] pad 1 evry 32", 28,
     "'evry' is no layout (did you mean 'every'?): there"},
    {"shared float t[64][64] rowxor 5,0,0", 24, "'rowxor' is no layout (did you mean 'row-xor'?)"},
    {"shared float t[64] tiled", 20, "'tiled' is no layout: there are pad P, pad P every E"},
    {"shared float t[64] 16 behind", 23, "'behind' stands where 'more' should be"},
    {"shared float t[64] swizzle<3,3,2>", 20, "CuTe has no Swizzle whose shift is less than"},
    {"shared float t[64] swizzle<0,3,3>", 28, "the number of bits is a number from 1 to 18"},
    {"shared float t[64] swizzle<3,16,3>", 30, "the lowest bit is a number from 0 to 15"},
    {"shared float t[64] swizzle<1,2,-16>", 20, "this flips bits that no index has"},
    {"shared float t[64] swizzle<3,3>", 31, "'>' stands where ',' should be"},
    {"shared float t[64] swizzle<3,lane,3>", 30, "'lane' stands where a number should be"},
    {"shared float t[64] swizzle 96B", 28, "'96' stands where <B,M,S>, 32B, 64B or 128B should be"},
    {"shared float t[64] swizzle 128", 31, "it ends here, and 'B' is missing"},
    {"shared float t[64] tma 96B", 24, "'96' stands where 32B, 64B or 128B should be"},
    {"shared float t[64] tma<3,3,3>", 23, "'<' stands where 32B, 64B or 128B should be"},
    {"shared float t[8][64] swizzle 128B", 23, "in this mode TMA writes rows of 16 to 128 bytes"},
    {"shared char t[8][24] swizzle 32B", 22, "in this mode TMA writes rows of 16 to 32 bytes"},
    {"shared float t[33] swizzle 128B", 20, "t does not consist of rows of 128 bytes"},
    {"shared float3 t[8][8] swizzle 128B", 23,
     "TMA moves chunks of 16 bytes, which elements of 12"},
    {"shared float t[32][32] pad 1 swizzle 128B", 30,
     "TMA writes rows of its own: its mode stands"},
    {"shared float t[64] rotate 1", 20, "rows of an array are rotated: declare them, or say"},
    {"shared float t[64] rotate 5 of 5", 27, "what rows are rotated by is a number from 1 to 4"},
    {"shared float t[64] rotate 5 of 128", 32, "what a row has is a number from 2 to 64, not 128"},
    {"shared float t[8][6] rotate 6", 29, "what rows are rotated by is a number from 1 to 5"},
    {"shared float t[8][6] pad 1 rotate 1", 28, "rotate goes by the rows as they are declared"},
    {"shared float t[64] row-xor 1,0,0", 20, "row-xor is of an array with rows"},
    {"shared float t[8][6] row-xor 2,0,0", 22,
     "this moves elements within groups of 4, and a row of"},
    {"shared float t[8][8] pad 8 row-xor 2,0,0", 28,
     "row-xor goes by the rows as they are declared"},
    {"shared float t[64] xor 5:32", 20, "this puts several elements into one place"},
    {"shared float t[64] xor 4:8,3:16", 20, "this puts several elements into one place"},
    {"shared float t[64] xor 4:8,4:4", 28, "bit 4 stands here twice"},
    {"shared float t[64] xor 4:262144", 26, "what it flips is a number from 1 to 262143"},
    {"shared float t[64] xor 4:64", 20, "this moves elements within groups of 128, and t has 64"},
    {"shared float t[64] xor 4:1,", 28, "a name should stand here"},
    {"shared float t[8] pad 1 every 8 pad 1 every 8 pad 1 every 8 pad 1 every 8 pad 1 every 8 "
     "pad 1 every 8 pad 1 every 8 pad 1 every 8 pad 1 every 8",
     131, "a layout has at most 8 steps"},
    {"define", 7, "a name should stand here"},
    {"define 3=4", 8, "a name should stand here"},
    {"define N", 9, "it ends here, and an operand is missing"},
    {"define F(", 10, "a parameter's name should stand here"},
    {"define F(1) 2", 10, "a parameter's name should stand here"},
    {"define F(x x) x", 12, "'x' stands where ',' should be"},
    {"define F(x, x) x", 13, "this is a parameter already"},
    {"define F(..., x) x", 13, "',' stands where ')' should be"},
    {"define min(x, y) x", 8, "'min' already has a meaning"},
    {"define N=lane", 10, "this depends on the launch"},
    {"define N=1/0", 11, "division by zero (1 and 0)"},
    {"define N=1.5", 10, "the constant '1.5' is floating-point"},
    {"define threadIdx=4", 8, "'threadIdx' already has a meaning"},
    {"#define", 8, "a name should stand here"},
    {"#define 3 4", 9, "a name should stand here"},
    {"#define min(x, y) x", 9, "'min' already has a meaning"},
    {"#ifdef N", 1, "of C's directives only #define is read"},
    {"#undef N", 1, "of C's directives only #define is read"},
    {"  #pragma pack(push, 1)", 3, "of C's directives only #define is read"},
    {"index", 6, "a name should stand here"},
    {"index h", 8, "it ends here, and ':' is missing"},
    {"index h: gauss(3)", 10, "an index is random(N), zipf(S, N) or table(V, V, ...)"},
    {"index h: random(0)", 17, "the number of an index's values is a number from 1 to 2147483647"},
    {"index h: random(threadIdx.x)", 17, "this depends on the launch"},
    {"index h: zipf(x, 4)", 15, "a zipf's exponent is a number from 0 to 16"},
    {"index h: zipf(1.1.1, 4)", 15, "a zipf's exponent is a number from 0 to 16"},
    {"index h: zipf(1e3, 4)", 15, "a zipf's exponent is a number from 0 to 16"},
    {"index h: zipf(16.5, 4)", 15, "a zipf's exponent is a number from 0 to 16"},
    {"index h: zipf(1.1)", 18, "')' stands where ',' should be"},
    {"index h: zipf(1, 1000000)", 18,
     "the number of an index's values is a number from 1 to 262144"},
    {"index h: table()", 16, "')' stands where an operand should be"},
    {"index h: table(1, 1ll << 31)", 19, "an index is a number from -2147483648 to 2147483647"},
    {"index h: random(4) + 1", 20, "'+' should not stand here"},
    {"block 0", 7, "a block's extent is a number from 1 to 1024, not 0"},
    {"block 32,33", 7, "a block has at most 1024 threads, not 1056"},
    {"block 1,1,1,1", 12, "',' should not stand here"},
    {"block 32 32", 10, "'32' should not stand here"},
    {"block 32x33", 7, "a block has at most 1024 threads, not 1056"},
    {"block 32x", 10, "it ends here, and an operand is missing"},
    {"block 32x08", 10, "the constant '08' is no integer of C"},
    {"block 1x1x1x1", 12, "'x1' should not stand here"},
    {"load s[3x2]", 9, "'x2' stands where ']' should be"},
    {"warp 1", 0, "warp 1 is outside of the block, which has 1 warp (from 0)"},
    {"warp -1", 6, "a warp's number is a number from 0 to 31, not -1"},
    {"for i", 6, "it ends here, and '=' is missing"},
    {"for i=0:4:0", 6, "a loop with a step of 0 does not end"},
    {"for i=4:0", 6, "this loop has no turns"},
    {"for i=0:4:-1", 6, "this loop has no turns"},
    {"for i=0:3000000000", 9, "a loop's value is a number from"},
    {"for char i=0:200", 14, "a loop's value is a number from -128 to 127, not 200"},
    {"for i=0:20000000", 6, "this loop has 20000000 turns: at most 16777216 are looked at"},
    {"for float i=0:2", 5, "a loop's variable is an integer"},
    {"for i=lane:2", 7, "this depends on the launch"},
    {"for i=0:2:1:1", 12, "':' should not stand here"},
    {"times 0\nload s[0]", 7, "a number of turns is a number from 1 to 4294967295, not 0"},
    {"times lane\nload s[0]", 7, "this depends on the launch, and a constant is needed"},
    {"times 2 {", 9, "this { is not closed"},
    {"times 2", 1, "this holds for the statement behind it, and there is none"},
    {"let x 3", 7, "'3' stands where '=' should be"},
    {"let float x = 3", 5, "a cast to 'float'"},
    {"let x = y", 9, "unknown name 'y'"},
    {"if s[0]", 4, "what memory holds here is not known"},
    {"if s", 4, "an integer is needed here, and this is an address"},
    {"expect conflicts = 0", 18, "'=' changes something"},
    {"expect conflict == 0", 8, "unknown name 'conflict': did you mean 'conflicts'?"},
    {"expect 1", 7, "an expectation is about requests"},
    {"expect conflicts == lane", 21, "this depends on the launch"},
    {"expect conflicts == s[0]", 21, "unknown name 's'"},
};

static void refused_statements(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(statements); k++) {
        compare(&statements[k], "shared int s[8]\nload s[0]\n", 3);
    }
}

/* Mistakes that several statements make together. */
static const struct {
    const char *text, *message;
} whole[] = {
    {"", "nothing to check"},
    {"shared int a[4]\n", "nothing to check"},
    {"grid 2\nblockidx 2\nshared int a[1]\nload a[0]\n", "blockidx 2,0,0 is outside of grid 2,1,1"},
    {"for i=0:5000 {\nfor j=0:5000\nshared int a[1]\nload a[0]\n}\n",
     "the loops make more than 16777216 requests"},
    {"shared int a[4]\nfor (int i = 0; i < 10; i *= 2)\nstore a[lane % 4]\n",
     "this loop never ends: no variable changes in a turn"},
    {"shared int a[4]\nint i = 0;\nwhile (i < 10) {\ni = 1 - i;\na[i] = 0;\n}\n",
     "this loop never ends: after 2 turns all variables are what they were"},
    {"shared int a[4]\nint i = 0;\nwhile (i < 10)\ni = (i + 1) % 5;\nload a[0]\n",
     "this loop never ends: after 5 turns all variables are what they were"},
    /* only lane 7's */
    {"shared int a[4]\nfor (int i = lane; i < 300; i += lane != 7)\nload a[i % 4]\n",
     "this loop never ends: no variable changes in a turn"},
    {"typedef float row[2][2][2][2][2]\nshared row a[1][1][1][1]\nload a\n",
     "an array has at most 8 dimensions"},
    {"struct P { float x; }\nunion P { int i; }\nshared P a\nload a\n",
     "'P' already has a meaning"},
    {"struct P { float x; }\nshared P P\nload P.x\n", "'P' already has a meaning"},
    {"struct P { float x, y; }\nshared P a[2]\nload a[0].z\n", "there is no member 'z' here"},
    {"struct P { float x[2]; }\nshared P a[2]\nload a[0].x\n",
     "this is an array as a whole: index it"},
    {"struct P { P *next; int n; }\nshared P a[2]\nload a[0].next->n\n",
     "what memory holds here is not known"},
    {"struct P { int n; }\nshared P a[2]\nload (P)3\n", "a cast to 'P'"},
    {"struct P { int n; }\nshared P a[2]\natomic add a[0]\n", "there is no such atomic on 'P'"},
    {"struct P { int *n; }\nshared P a[2]\natomic add a[0].n\n",
     "there is no such atomic on 'int *'"},
    {"struct __align__(16) P { float x, y; }\nshared float a[64]\nload *(P *)&a[threadIdx.x]\n",
     "thread (1,0,0): P needs an address that is a multiple of 16"},
    {"#define N 4\n#define N 5\nshared int a[N]\nload a[0]\n",
     "another #define of this name stands before this one"},
    {"#define N \"a\"\nshared int a[N]\nload a[0]\n", "in N: a text is no value here"},
    {"#define F(x, ...) x\nshared int a[F()]\nload a[0]\n",
     "']' stands where an operand should be"},
    {"#define F(x) a##x\nshared int a[F(+)]\nload a[0]\n", "in F: ## makes no token of this: a+"},
    {"#define F(x) x \\\n + y\nshared int a[4]\nload a[F(1)]\n", "in F: unknown name 'y'"},
    {"define a(x) x\nshared int a[4]\nload a[0]\n", "the macro a needs its arguments in ( )"},
    {"index h: random(4)\nshared int a[h]\nload a[0]\n", "'h' is not a constant"},
    {"index h: random(4)\nshared int a[3]\nload a[h]\n", "thread ("},
    {"index h: zipf(1, 200000)\nindex i: zipf(1, 200000)\nshared int a[3]\nload a[h]\n",
     "all zipfs together have at most 262144 values"},
    {"let x=1\nlet x=2\nshared int a[1]\nload a[x]\n", "'x' is declared twice"},
    {"block 40\nshared half a[64][8]\nldmatrix x1 a[lane]\n",
     "ldmatrix x1 is executed by all 32 lanes of a warp, and warp 1 has 8 threads"},
    {"if lane != 5\nshared half a[64][8]\nldmatrix x1 a[lane]\n",
     "thread (5,0,0): ldmatrix x1 is executed by all 32 lanes of a warp or none, and an if leaves "
     "out lane 5"},
    {"shared extern float s[]\nload s[threadIdx.x * 4096]\n",
     "thread (15,0,0): element 61440 is outside of s, which has 58112 elements"},
    {"shared extern float s[]\nload s[0 - (int)threadIdx.x]\n",
     "thread (1,0,0): element -1 is outside of s"},
    /* The layout keeps 4 halves together, a row of a matrix has 8; 2 bytes more put it off 16. */
    {"shared half s[32][64] swizzle<3,2,3>\nldmatrix x4 &s[lane][0]\n",
     "thread (0,0,0): a matrix row needs its 16 bytes in one piece, and the layout of s takes "
     "those "
     "at byte 0 apart: swizzle<3,2,3>"},
    {"shared half s[32][64] pad 1\nldmatrix x4 &s[lane][0]\n",
     "thread (1,0,0): a matrix row needs an address that is a multiple of 16, and this is byte 130 "
     "of s, where the layout puts it: pad 1"},
    {"shared float s[256] pad 4 every 6\nstore *(float4 *)&s[4 * lane]\n",
     "thread (1,0,0): float4 needs its 16 bytes in one piece, and the layout of s takes those at "
     "byte 16 apart: pad 4 every 6"},
    {"shared float s[256] swizzle<1,1,1>\ncp_async ca:16 s[4 * lane]\n",
     "thread (0,0,0): cp.async needs its 16 bytes in one piece, and the layout of s takes those at "
     "byte 0 apart: swizzle<1,1,1>"},
    /* Of a window of 58,112 floats the 29,057th lies behind the end. */
    {"shared extern float s[] pad 1 every 1\nload s[threadIdx.x * 2000]\n",
     "thread (15,0,0): element 30000 is outside of s"},
};

static void refused_wholes(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_OF(whole); k++) {
        struct bsim_error err = {.status = BSIM_OK};
        enum bsim_status status = run(whole[k].text, &err);
        if (status != BSIM_E_INPUT ||
            strncmp(err.message, whole[k].message, strlen(whole[k].message)) != 0) {
            fail_msg("%s: %s", whole[k].text, status == BSIM_OK ? "taken" : err.message);
        }
    }
}

/* Loops that go on for long are none that never end: lanes leave one by one, values come back. */
static void long_loops_end(void **state)
{
    static const char *const texts[] = {
        "shared int a[4]\nfor (int i = 0; i < 5000; i++)\nload a[i % 4]\n",
        "shared int a[4]\nfor (int i = 0; i < 300 * lane; i++)\nload a[0]\n",
        "shared int a[4]\nint n = 0;\nfor (int i = 0; n < 3; i = (i + 1) % 1000) {\n"
        "if (i == 0)\nn++;\na[1] = 0;\n}\n",
        "index h: random(2000)\nshared int a[4]\nwhile (h > 0)\nload a[0]\n",
    };
    (void)state;
    for (size_t k = 0; k < N_OF(texts); k++) {
        struct bsim_error err = {.status = BSIM_OK};
        if (run(texts[k], &err) != BSIM_OK) {
            fail_msg("%s: %s", texts[k], err.message);
        }
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

/* A text of n times `open`, `core`, n times `close`. */
static enum bsim_status run_nested(const char *open, const char *core, const char *close, size_t n,
                                   struct bsim_error *err)
{
    static char text[40000];
    size_t used = (size_t)snprintf(text, sizeof text, "shared int a[4]\nload a[");
    for (size_t i = 0; i < n; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", open);
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s", core);
    for (size_t i = 0; i < n; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s", close);
    }
    (void)snprintf(text + used, sizeof text - used, "]\n");
    return run(text, err);
}

static void deep_and_long(void **state)
{
    static const struct {
        const char *open, *core, *close;
        size_t fits, too_many;
        const char *message;
    } cases[] = {
        {"(", "1", ")", 60, 5000, "this is nested too deep"},
        {"- ", "1", "", 60, 5000, "this is nested too deep"},
        {"sizeof ", "1", "/8", 40, 1500, "this is nested too deep"},
        {"1?", "1", ":0", 60, 3000, "this is nested too deep"},
        {"0?0:", "1", "", 60, 3000, "this is nested too deep"},
        {"", "1", "*1", 200, 5000, "this expression is too long"},
        {"0", "1", "", 1, 20000, "a statement has at most 16384 bytes"},
        {"sizeof((float(*)[", "1", "])a)/8", 10, 400, "this is nested too deep"},
    };
    (void)state;
    for (size_t k = 0; k < N_OF(cases); k++) {
        struct bsim_error err = {.status = BSIM_OK};
        if (run_nested(cases[k].open, cases[k].core, cases[k].close, cases[k].fits, &err) !=
            BSIM_OK) {
            fail_msg("%s %zu times: %s", cases[k].open, cases[k].fits, err.message);
        }
        if (run_nested(cases[k].open, cases[k].core, cases[k].close, cases[k].too_many, &err) !=
                BSIM_E_INPUT ||
            strstr(err.message, cases[k].message) == NULL) {
            fail_msg("%s %zu times: %s", cases[k].open, cases[k].too_many, err.message);
        }
    }
}

/* Lets may build on one another as deep as one likes: each is evaluated once. */
static void deep_lets(void **state)
{
    static char text[20000];
    size_t used = (size_t)snprintf(text, sizeof text, "shared int a[4]\nlet x0 = 0\n");
    struct bsim_error err;
    (void)state;
    for (int i = 1; i < 400; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "let x%d = x%d + 0\n", i, i - 1);
    }
    (void)snprintf(text + used, sizeof text - used, "load a[x399]\n");
    assert_int_equal(run(text, &err), BSIM_OK);
}

/* A statement that was given apart names where it came from and the column, no line. */
static void places_without_a_file(void **state)
{
    struct bsim_error err;
    char out[1024];
    struct bsim_check *check = bsim_check_new();
    (void)state;
    assert_int_equal(bsim_check_add(check, "load", "a[x]", "--load", &err), BSIM_OK);
    assert_int_equal(bsim_check_seal(check, &err), BSIM_E_INPUT);
    assert_string_equal(bsim_error_text(&err, out, sizeof out),
                        "--load, column 1: unknown name 'a': declare it by shared, define, let or "
                        "for\n    a[x]\n    ^\n");
    bsim_check_free(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_expressions), cmocka_unit_test(refused_threads),
        cmocka_unit_test(refused_statements),  cmocka_unit_test(refused_wholes),
        cmocka_unit_test(long_loops_end),      cmocka_unit_test(deep_and_long),
        cmocka_unit_test(deep_lets),           cmocka_unit_test(places_without_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
