/* tensor.c - maps of tensors for copies by TMA: cuTensorMapEncodeTiled, and how programs get at it.
 *
 * It is the driver's, so that programs ask the runtime where it is (cudaGetDriverEntryPoint), or link libcuda. A
 * map is what kernels read here (ptx/tensormap.h), not a GPU's bytes. Interleave and strides of elements
 * are not modelled: such a map is refused, and the program told why.
 */
#include "cudart/state.h"
#include "ptx/tensormap.h"

#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* CUtensorMapDataType, by its numbers: the 13 of CUDA 12. FLOAT32_FTZ and TFLOAT32_FTZ are loaded as those
 * without: an H200 keeps small numbers of either. */
static const enum bsim_ptx_type types[] = {
    BSIM_PTX_U8,  BSIM_PTX_U16, BSIM_PTX_U32,  BSIM_PTX_S32, BSIM_PTX_U64, BSIM_PTX_S64, BSIM_PTX_F16,
    BSIM_PTX_F32, BSIM_PTX_F64, BSIM_PTX_BF16, BSIM_PTX_F32, BSIM_PTX_TF32, BSIM_PTX_TF32,
};

enum { FLOAT16 = 6 }; /* the first that is no whole number */

static int refuse(const char *why)
{
    fflush(stdout);
    fprintf(stderr, "banksim: cuTensorMapEncodeTiled: %s\n", why);
    return BSIM_CUDA_INVALID_VALUE;
}

/* Why a map with these is none here, or NULL. */
static const char *find_reason(uint32_t type, uint32_t rank, const uint32_t *element_strides,
                               int interleave, uint32_t swizzle, int fill)
{
    for (uint32_t d = 0; d < rank && rank <= BSIM_TMA_MAX_DIMS; d++) {
        if (element_strides[d] != 1) {
            return "strides of elements other than 1 are not modelled";
        }
    }
    return rank == 0 || rank > BSIM_TMA_MAX_DIMS         ? "a tensor has 1 to 5 dimensions"
           : type >= sizeof types / sizeof *types         ? "this type of elements is not modelled"
           : interleave != 0                              ? "interleave is not modelled"
           : swizzle > BSIM_TMA_128B                      ? "this swizzle is not modelled"
           : fill < 0 || fill > 1                         ? "this fill is not modelled"
           : fill == 1 && type < FLOAT16                  ? "whole numbers are filled with zeros alone"
                                                          : NULL;
}

EXPORT int cuTensorMapEncodeTiled(unsigned char *bytes, uint32_t type, uint32_t rank, void *address,
                                  const uint64_t *side, const uint64_t *stride, const uint32_t *box,
                                  const uint32_t *element_strides, int interleave, uint32_t swizzle,
                                  int promotion, int fill);

EXPORT int cuTensorMapEncodeTiled(unsigned char *bytes, uint32_t type, uint32_t rank, void *address,
                                  const uint64_t *side, const uint64_t *stride, const uint32_t *box,
                                  const uint32_t *element_strides, int interleave, uint32_t swizzle,
                                  int promotion, int fill)
{
    struct bsim_error err;
    const char *reason =
        find_reason(type, rank, element_strides, interleave, swizzle, fill);
    (void)promotion;
    if (reason != NULL) {
        return refuse(reason);
    }
    struct bsim_ptx_tensormap map = {.address = (uint64_t)(uintptr_t)address,
                                     .n_dims = rank,
                                     .type = types[type],
                                     .swizzle = (enum bsim_tma_swizzle)swizzle,
                                     .fills_nan = fill == 1};
    for (uint32_t d = 0; d < rank; d++) {
        map.side[d] = side[d];
        map.stride[d] = d > 0 ? stride[d - 1] : bsim_ptx_type_bits(map.type) / 8;
        map.box[d] = box[d];
    }
    if (bsim_ptx_tensormap_check(&map, &err) != BSIM_OK) {
        return refuse(err.message);
    }
    bsim_ptx_tensormap_put(&map, bytes);
    return BSIM_CUDA_SUCCESS;
}

/* enum cudaDriverEntryPointQueryResult */
enum { FOUND = 0, NOT_FOUND = 1 };

static int find_entry(const char *symbol, void **function, int *result)
{
    int (*encode)(unsigned char *, uint32_t, uint32_t, void *, const uint64_t *, const uint64_t *,
                  const uint32_t *, const uint32_t *, int, uint32_t, int, int) =
        cuTensorMapEncodeTiled;
    bool is_known = symbol != NULL && strcmp(symbol, "cuTensorMapEncodeTiled") == 0;
    if (symbol == NULL || function == NULL) {
        return BSIM_CUDA_INVALID_VALUE;
    }
    *function = NULL;
    if (is_known) {
        memcpy(function, &encode, sizeof encode);
    }
    if (result != NULL) {
        *result = is_known ? FOUND : NOT_FOUND;
    }
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                   int *result);
EXPORT int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                            unsigned long long flags, int *result);

EXPORT int cudaGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                   int *result)
{
    (void)flags;
    return find_entry(symbol, function, result);
}

EXPORT int cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                            unsigned long long flags, int *result)
{
    (void)version;
    (void)flags;
    return find_entry(symbol, function, result);
}
