/* tensormap.h - what cuTensorMapEncodeTiled makes, and kernels get: where a tensor lies, and which box of it a
 * copy takes.
 */
#ifndef BSIM_PTX_TENSORMAP_H
#define BSIM_PTX_TENSORMAP_H

#include "ptx/word.h"

#include <banksim/tma.h>

enum { BSIM_PTX_TENSORMAP_BYTES = 128, BSIM_PTX_TENSORMAP_ALIGNMENT = 64 };

/* Dimensions from the innermost on. */
struct bsim_ptx_tensormap {
    uint64_t address;
    uint64_t side[BSIM_TMA_MAX_DIMS];   /* elements */
    uint64_t stride[BSIM_TMA_MAX_DIMS]; /* bytes from one to the next; [0] an element's */
    uint32_t box[BSIM_TMA_MAX_DIMS];
    uint32_t n_dims;
    enum bsim_ptx_type type; /* of the elements: what sums are of */
    enum bsim_tma_swizzle swizzle;
    bool fills_nan; /* what is outside is no number instead of 0 */
};

/* Bytes from the address to the end of the tensor. */
uint64_t bsim_ptx_tensormap_reach(const struct bsim_ptx_tensormap *map);

/* Whether cuTensorMapEncodeTiled makes such a map. BSIM_E_INPUT says why not, without a place. */
enum bsim_status bsim_ptx_tensormap_check(const struct bsim_ptx_tensormap *map,
                                          struct bsim_error *err);

/* The map as the bytes that a kernel gets, and back; false if they are none. A GPU's are others, and not
 * published. */
void bsim_ptx_tensormap_put(const struct bsim_ptx_tensormap *map,
                            unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES]);
bool bsim_ptx_tensormap_get(const unsigned char bytes[BSIM_PTX_TENSORMAP_BYTES],
                            struct bsim_ptx_tensormap *map);

/* What a load puts there for what is outside of the tensor: `bytes`, an even number of them. */
void bsim_ptx_tensormap_fill(const struct bsim_ptx_tensormap *map, unsigned char *p, uint32_t bytes);

/* What a load makes of elements of the map: of tf32 the nearest numbers, the even one of two, as an H200 does;
 * what is no number becomes 7fffe000. Others stay. */
void bsim_ptx_tensormap_round(const struct bsim_ptx_tensormap *map, unsigned char *p, uint32_t bytes);

/* Reads what stands behind a type in "half 64x128 box=64x64 swizzle=128B pitch=256 of 0", up to a comma, `=`
 * that stands alone, or closing bracket, into *map, whose type is there, with no address; of[0..size) is the
 * array that it is of, "" if none was named. *behind is what comes next. BSIM_E_INPUT, without a place. */
enum bsim_status bsim_ptx_tensormap_parse(const char *text, struct bsim_ptx_tensormap *map, char *of,
                                          size_t size, const char **behind,
                                          struct bsim_error *err);

#endif
