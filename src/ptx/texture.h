/* texture.h - memory as texture and surface instructions see it: elements of one to four channels, with
 * what happens between them and beyond the edges.
 */
#ifndef BSIM_PTX_TEXTURE_H
#define BSIM_PTX_TEXTURE_H

#include "ptx/machine.h"
#include "ptx/memory.h"

/* Beyond the edges; the numbers are CUDA's. */
enum bsim_ptx_edge {
    BSIM_PTX_EDGE_WRAP,
    BSIM_PTX_EDGE_CLAMP,
    BSIM_PTX_EDGE_MIRROR,
    BSIM_PTX_EDGE_BORDER
};

struct bsim_ptx_texture {
    unsigned char *data; /* borrowed */
    uint64_t address;    /* of data in the device's memory; 0: an array, which has none */
    uint32_t
        extent[3]; /* elements; what it has not is 1. The last: depth, layers or a cube's faces */
    uint64_t row_bytes, slice_bytes;
    char type;            /* of a channel: 'u', 's', 'f' */
    uint8_t bits, n;      /* of a channel: 8, 16, 32; channels of an element: 1, 2, 4 */
    uint8_t edge[3];      /* enum bsim_ptx_edge */
    bool is_linear;       /* memory, without a height: beyond its edges are zeros */
    bool is_filtered;     /* between elements; else the nearest */
    bool is_normalised;   /* coordinates from 0 to 1 */
    bool reads_fractions; /* whole numbers are read as from 0 or -1 to 1 */
    bool is_surface;
    float border[4];
};

/* What an instruction asks of a texture. */
enum bsim_ptx_geometry {
    BSIM_PTX_LINE,
    BSIM_PTX_PLANE,
    BSIM_PTX_VOLUME,
    BSIM_PTX_LINES,
    BSIM_PTX_PLANES,
    BSIM_PTX_CUBE
};

/* A place in it: as floats, or whole numbers that are neither normalised nor filtered. */
struct bsim_ptx_texture_place {
    enum bsim_ptx_geometry geometry;
    bool is_whole;
    float at[3];
    int32_t whole[3];
    int32_t layer;
};

/* The four channels, as a register of 32 bits has each. False: this is not known here, a cube's face
 * filtered across its edge. */
bool bsim_ptx_texture_read(const struct bsim_ptx_texture *texture,
                           const struct bsim_ptx_texture_place *place, uint32_t result[4]);

/* Channel c of the four elements around the place, counterclockwise from the lower left. */
void bsim_ptx_texture_gather(const struct bsim_ptx_texture *texture,
                             const struct bsim_ptx_texture_place *place, uint32_t c,
                             uint32_t result[4]);

/* A texture or surface that kernels name by the handle that comes back, which is valid as long as the
 * memory, or until it is dropped; 0 when memory is short. */
uint64_t bsim_ptx_texture_add(struct bsim_ptx_memory *memory,
                              const struct bsim_ptx_texture *texture);

/* False if there is none of that handle. */
bool bsim_ptx_texture_drop(struct bsim_ptx_memory *memory, uint64_t handle);

/* All that see the data, which goes. */
void bsim_ptx_texture_drop_all(struct bsim_ptx_memory *memory, const unsigned char *data);

/* NULL if there is none. */
const struct bsim_ptx_texture *bsim_ptx_texture_at(const struct bsim_ptx_memory *memory,
                                                   uint64_t handle);

/* The service of tex, tld4, suld and sust, or NULL. */
const struct bsim_ptx_service *bsim_ptx_find_texture(
    const struct bsim_ptx_instruction *instruction);

#endif
