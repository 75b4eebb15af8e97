/* test_cudart_tensors.c - maps of tensors that programs have encoded: what kernels read of them, and what is
 * refused. The numbers of CUDA's enumerations are those of its headers, CUDA 13.0.
 */
#include "ptx/tensormap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { UINT16 = 1, FLOAT16 = 6, BFLOAT16 = 9, TFLOAT32 = 11, TYPE_16U4 = 13, SWIZZLE_128B = 3, INVALID_VALUE = 1, SYMBOL_NOT_FOUND = 1 };

typedef int encode_function(unsigned char *bytes, uint32_t type, uint32_t rank, void *address,
                            const uint64_t *side, const uint64_t *stride, const uint32_t *box,
                            const uint32_t *element_strides, int interleave, uint32_t swizzle,
                            int promotion, int fill);

encode_function cuTensorMapEncodeTiled;
int cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags, int *result);
int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                     unsigned long long flags, int *result);

/* What is asked for. */
struct asked {
    uint32_t type, rank, swizzle, step;
    int interleave, fill;
    uint64_t address, row_bytes;
};

static const struct asked usual = {.type = FLOAT16,
                                   .rank = 3,
                                   .swizzle = SWIZZLE_128B,
                                   .step = 1,
                                   .address = 0x10000,
                                   .row_bytes = 512};

static int encode(const struct asked *asked, unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES])
{
    const uint64_t side[] = {200, 30, 5, 1, 1, 1};
    const uint64_t stride[] = {asked->row_bytes, 30 * asked->row_bytes, 1 << 20, 1 << 20, 1 << 20};
    const uint32_t box[] = {64, 8, 2, 1, 1, 1}, step[] = {1, asked->step, 1, 1, 1, 1};
    return cuTensorMapEncodeTiled(bytes, asked->type, asked->rank, (void *)(uintptr_t)asked->address,
                                  side, stride, box, step, asked->interleave, asked->swizzle, 2,
                                  asked->fill);
}

static void a_map_is_what_was_asked_for(void **state)
{
    (void)state;
    unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES];
    struct bsim_ptx_tensormap map;
    assert_int_equal(encode(&usual, bytes), 0);
    assert_true(bsim_ptx_tensormap_get(bytes, &map));
    assert_int_equal(map.address, 0x10000);
    assert_int_equal(map.n_dims, 3);
    assert_int_equal(map.type, BSIM_PTX_F16);
    assert_int_equal(map.swizzle, BSIM_TMA_128B);
    assert_true(map.side[0] == 200 && map.side[1] == 30 && map.side[2] == 5);
    assert_true(map.stride[0] == 2 && map.stride[1] == 512 && map.stride[2] == 15360);
    assert_true(map.box[0] == 64 && map.box[1] == 8 && map.box[2] == 2);
    struct asked other = usual;
    other.type = BFLOAT16;
    assert_int_equal(encode(&other, bytes), 0);
    assert_true(bsim_ptx_tensormap_get(bytes, &map) && map.type == BSIM_PTX_BF16);
    bytes[0] ^= 1;
    assert_false(bsim_ptx_tensormap_get(bytes, &map));
}

/* What an H200 (driver 580.159.04, CUDA 13.0, 2026-11-23) loads by a map of TFLOAT32; others stay. */
static void loads_of_tf32_are_rounded(void **state)
{
    (void)state;
    static const uint32_t word[][2] = {
        {0xc4080400, 0xc4080000}, {0x45013400, 0x45014000}, {0x44a0b000, 0x44a0c000}, {0x480e5000, 0x480e4000}, {0x803b5fff, 0x803b6000},
        {0x00276fff, 0x00276000}, {0x00754000, 0x00754000}, {0x7f7fffff, 0x7f800000}, {0x7fe30000, 0x7fffe000},
        {0xff907000, 0x7fffe000}, {0xfffcffff, 0x7fffe000},
    };
    enum { N = sizeof word / sizeof *word };
    for (uint32_t type = BFLOAT16; type <= TFLOAT32; type += TFLOAT32 - BFLOAT16) {
        unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES];
        uint32_t x[N];
        struct bsim_ptx_tensormap map;
        struct asked asked = usual;
        asked.type = type;
        asked.swizzle = 0;
        asked.row_bytes = 1024;
        assert_int_equal(encode(&asked, bytes), 0);
        assert_true(bsim_ptx_tensormap_get(bytes, &map));
        for (int i = 0; i < N; i++) {
            x[i] = word[i][0];
        }
        bsim_ptx_tensormap_round(&map, (unsigned char *)x, sizeof x);
        for (int i = 0; i < N; i++) {
            assert_int_equal(x[i], word[i][type == TFLOAT32]);
        }
    }
}

/* 7ff7 for every two bytes, of an H200's seven types that are no whole numbers (2026-11-23), or zeros. */
static void what_is_outside_is_filled(void **state)
{
    (void)state;
    for (int fill = 0; fill < 2; fill++) {
        unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES];
        uint32_t x[2] = {1, 1};
        struct bsim_ptx_tensormap map;
        struct asked asked = usual;
        asked.fill = fill;
        assert_int_equal(encode(&asked, bytes), 0);
        assert_true(bsim_ptx_tensormap_get(bytes, &map));
        bsim_ptx_tensormap_fill(&map, (unsigned char *)x, sizeof x);
        assert_true(x[0] == (fill ? 0x7ff77ff7 : 0) && x[1] == x[0]);
    }
}

static void maps_that_are_not_modelled_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES];
    struct asked asked[10];
    for (int i = 0; i < 10; i++) {
        asked[i] = usual;
    }
    asked[0].type = TYPE_16U4;
    asked[1].rank = 0;
    asked[2].rank = 6;
    asked[3].swizzle = SWIZZLE_128B + 1;
    asked[4].step = 2;
    asked[5].interleave = 1;
    asked[6].fill = 2;
    asked[7].address = 0x10008;
    asked[8].row_bytes = 504;
    asked[9].fill = 1;
    asked[9].type = UINT16;
    for (int i = 0; i < 10; i++) {
        assert_int_equal(encode(&asked[i], bytes), INVALID_VALUE);
    }
}

static void programs_find_the_function(void **state)
{
    (void)state;
    encode_function *usual_way = cuTensorMapEncodeTiled;
    void *function = NULL;
    int result = 7;
    assert_int_equal(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, 0, &result), 0);
    assert_int_equal(result, 0);
    assert_memory_equal(&function, &usual_way, sizeof function);
    assert_int_equal(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeIm2col", &function, 12000, 0, &result), 0);
    assert_null(function);
    assert_int_equal(result, SYMBOL_NOT_FOUND);
    assert_int_equal(cudaGetDriverEntryPoint(NULL, &function, 0, &result), INVALID_VALUE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_what_was_asked_for),
        cmocka_unit_test(loads_of_tf32_are_rounded),
        cmocka_unit_test(what_is_outside_is_filled),
        cmocka_unit_test(maps_that_are_not_modelled_are_refused),
        cmocka_unit_test(programs_find_the_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
