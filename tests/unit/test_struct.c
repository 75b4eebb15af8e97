/* test_struct.c - structs and unions, held against what the host's C compiler makes of the same
 * text: sizes, alignments, and where each member lies. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/expr.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---- CUDA's types, as the host's compiler sees them ------------------------------------------ */

#define __align__(n) __attribute__((aligned(n)))
#define VECTOR(name, alignment, type, ...) \
    typedef struct {                       \
        type __VA_ARGS__;                  \
    } __align__(alignment) name

VECTOR(int1, 4, int, x);
VECTOR(char4, 4, char, x, y, z, w);
VECTOR(uchar3, 1, unsigned char, x, y, z);
VECTOR(uchar4, 4, unsigned char, x, y, z, w);
VECTOR(short2, 4, short, x, y);
VECTOR(ushort4, 8, unsigned short, x, y, z, w);
VECTOR(int2, 8, int, x, y);
VECTOR(int4, 16, int, x, y, z, w);
VECTOR(longlong2, 16, long long, x, y);
VECTOR(float2, 8, float, x, y);
VECTOR(float3, 4, float, x, y, z);
VECTOR(float4, 16, float, x, y, z, w);
VECTOR(double2, 16, double, x, y);
VECTOR(double3, 8, double, x, y, z);
VECTOR(double4, 16, double, x, y, z, w);
typedef double2 cuDoubleComplex;
typedef float2 cuComplex;

#define T(kind, ...) kind __VA_ARGS__;
#define M(type, member)
#include "struct_cases.inc"
#undef T
#undef M

static const struct {
    const char *definition; /* of what the next ones lie in; else NULL */
    const char *type, *member;
    size_t size, alignment, offset, member_size;
} cases[] = {
#define T(kind, ...) {#kind " " #__VA_ARGS__, NULL, NULL, 0, 0, 0, 0},
#define M(type, member)      \
    {NULL,                   \
     #type,                  \
     #member,                \
     sizeof(type),           \
     _Alignof(type),         \
     offsetof(type, member), \
     sizeof(((type *)NULL)->member)},
#include "struct_cases.inc"
};

/* ---- as banksim sees them -------------------------------------------------------------------- */

static enum bsim_status keep_first(void *context, const struct bsim_check_request *request,
                                   struct bsim_error *err)
{
    (void)err;
    if (request->part == 0) {
        *(uint32_t *)context = request->offset[0];
    }
    return BSIM_OK;
}

static void compare(const char *definition, size_t i)
{
    char text[1024];
    struct bsim_error err;
    uint32_t offset = 0;
    struct bsim_check *check = bsim_check_new();
    assert_non_null(check);
    (void)snprintf(text, sizeof text, "%s\nshared %s v[3]\nload v[1].%s\n", definition,
                   cases[i].type, cases[i].member);
    if (bsim_check_add_text(check, "t", text, strlen(text), &err) != BSIM_OK ||
        bsim_check_seal(check, &err) != BSIM_OK ||
        bsim_check_each(check,
                        &(struct bsim_check_visitor){.shared = keep_first, .context = &offset},
                        &err) != BSIM_OK) {
        fail_msg("%s%" PRIu32 ": %s", text, err.column, err.message);
    }
    const struct bsim_check_array *array = &bsim_check_contents(check)->array[0];
    if (array->element_bytes != cases[i].size || array->element_alignment != cases[i].alignment ||
        offset != cases[i].size + cases[i].offset ||
        bsim_check_contents(check)->access[0].bytes != cases[i].member_size) {
        fail_msg("%ssize %" PRIu32 ", alignment %" PRIu32 ", member at %" PRIu32 " of %" PRIu32
                 "; C says %zu, %zu, %zu, %zu",
                 text, array->element_bytes, array->element_alignment,
                 offset - array->element_bytes, bsim_check_contents(check)->access[0].bytes,
                 cases[i].size, cases[i].alignment, cases[i].offset, cases[i].member_size);
    }
    bsim_check_free(check);
}

static void laid_out_as_by_the_compiler(void **state)
{
    const char *definition = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].definition != NULL) {
            definition = cases[i].definition;
        } else {
            compare(definition, i);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laid_out_as_by_the_compiler),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
