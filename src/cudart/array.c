/* array.c - arrays, which kernels see through textures and surfaces alone, and copies in three
 * dimensions.
 *
 * An array's elements lie row by row, as its owner thinks of them: a GPU has an order of its own, which
 * nobody sees. What traffic textures make is not counted anywhere here.
 */
#include "cudart/graph.h"
#include "cudart/state.h"

#include "base/memory.h"
#include "ptx/texture.h"

#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* cudaChannelFormatDesc: bits of each channel, and their kind. */
struct format {
    int bits[4];
    int kind; /* 0 signed, 1 unsigned, 2 float */
};

struct extent {
    size_t width, height, depth;
};

struct position {
    size_t x, y, z;
};

struct pitched {
    void *p;
    size_t pitch, width, height;
};

/* cudaMemcpy3DParms. */
struct copy {
    struct array *from_array;
    struct position from_at;
    struct pitched from;
    struct array *to_array;
    struct position to_at;
    struct pitched to;
    struct extent extent;
    int kind;
};

_Static_assert(sizeof(struct copy) == 8 * BSIM_CUDA_COPY_WORDS, "a graph keeps it as words");

/* cudaResourceDesc. */
struct resource {
    int type;
    union {
        struct array *array;
        struct {
            void *p;
            struct format format;
            size_t size, height, pitch; /* linear: bytes; pitched: elements of a row */
        } memory;
        int reserved[32];
    } of;
    unsigned flags;
};

enum { RESOURCE_ARRAY = 0, RESOURCE_LINEAR = 2, RESOURCE_PITCHED = 3 };

/* cudaTextureDesc, as far as it is heeded: there are no levels of detail. */
struct sampler {
    int edge[3], is_filtered, reads_fractions, is_srgb;
    float border[4];
    int is_normalised;
};

enum { LAYERED = 1, CUBE = 4 };

/* cudaArray_t. */
struct array {
    struct format format;
    struct extent extent; /* as it was asked for: what the array has not is 0 */
    unsigned flags;
    size_t element_bytes, rows, slices;
    unsigned char *data;
};

static size_t at_least_1(size_t n)
{
    return n > 0 ? n : 1;
}

/* ---- formats --------------------------------------------------------------------------------- */

/* Channels are 1, 2 or 4, all of as many bits. Returns how many, or 0. */
static int channels(const struct format *format)
{
    int n = 0, bits = format->bits[0];
    while (n < 4 && format->bits[n] != 0) {
        if (format->bits[n++] != bits) {
            return 0;
        }
    }
    bool is_size = bits == 16 || bits == 32 || (bits == 8 && format->kind != 2);
    return is_size && n != 3 && format->kind >= 0 && format->kind <= 2 ? n : 0;
}

static size_t element_bytes(const struct format *format)
{
    return (size_t)channels(format) * (size_t)format->bits[0] / 8;
}

EXPORT struct format cudaCreateChannelDesc(int x, int y, int z, int w, int kind)
{
    return (struct format){{x, y, z, w}, kind};
}

/* ---- arrays ---------------------------------------------------------------------------------- */

EXPORT int cudaMalloc3DArray(struct array **array, const struct format *format,
                             struct extent extent, unsigned flags)
{
    size_t element = element_bytes(format), rows = at_least_1(extent.height);
    size_t slices = at_least_1(extent.depth), n;
    int error = bsim_cuda_unsafe();
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    if (element == 0 || extent.width == 0) {
        return bsim_cuda_return(element == 0 ? BSIM_CUDA_INVALID_CHANNELS
                                             : BSIM_CUDA_INVALID_VALUE);
    }
    if (__builtin_mul_overflow(extent.width, element, &n) || __builtin_mul_overflow(n, rows, &n)) {
        return bsim_cuda_return(BSIM_CUDA_MEMORY);
    }
    unsigned char *data = bsim_mem_zeroed(slices, n);
    *array = bsim_mem_zeroed(1, sizeof **array);
    if (*array == NULL || data == NULL) {
        bsim_mem_free(data);
        bsim_mem_free(*array);
        return bsim_cuda_return(BSIM_CUDA_MEMORY);
    }
    **array = (struct array){.format = *format,
                             .extent = extent,
                             .flags = flags,
                             .element_bytes = element,
                             .rows = rows,
                             .slices = slices,
                             .data = data};
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaMallocArray(struct array **array, const struct format *format, size_t width,
                           size_t height, unsigned flags)
{
    return cudaMalloc3DArray(array, format, (struct extent){width, height, 0}, flags);
}

EXPORT int cudaFreeArray(struct array *array)
{
    int error = bsim_cuda_unsafe();
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    if (array != NULL) {
        bsim_cuda_drop_textures(array->data);
        bsim_mem_free(array->data);
        bsim_mem_free(array);
    }
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaArrayGetInfo(struct format *format, struct extent *extent, unsigned *flags,
                            const struct array *array)
{
    if (format != NULL) {
        *format = array->format;
    }
    if (extent != NULL) {
        *extent = array->extent;
    }
    if (flags != NULL) {
        *flags = array->flags;
    }
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGetChannelDesc(struct format *format, const struct array *array)
{
    return cudaArrayGetInfo(format, NULL, NULL, array);
}

/* ---- copies ---------------------------------------------------------------------------------- */

/* One end of a copy, as bytes: rows of a pitch in slices of a size. */
struct end {
    unsigned char *p;
    size_t pitch, slice;
    size_t row_bytes, rows, slices; /* that are there from p on; of memory: SIZE_MAX, */
    const unsigned char *address;   /* as what is allocated there knows; else NULL */
};

static struct end end_of_memory(const void *p, size_t pitch, size_t slice)
{
    return (struct end){bsim_cuda_hand_out(p), pitch, slice, SIZE_MAX, SIZE_MAX, SIZE_MAX, p};
}

/* The array from byte x of row y of slice z on; with nothing there if that is beyond it. */
static struct end end_of_array(const struct array *a, size_t x, size_t y, size_t z)
{
    size_t row = a->extent.width * a->element_bytes, slice = row * a->rows;
    if (x > row || y > a->rows || z > a->slices) {
        return (struct end){0};
    }
    return (struct end){
        a->data + z * slice + y * row + x, row, slice, row - x, a->rows - y, a->slices - z, NULL};
}

static bool is_memory(const struct end *end)
{
    return end->row_bytes == SIZE_MAX;
}

static int check(const char *call, const struct end *end, size_t row_bytes, size_t rows,
                 size_t slices)
{
    if (is_memory(end)) {
        size_t span = bsim_cuda_span(row_bytes, rows, slices, end->pitch, end->slice);
        return span > 0 && row_bytes > end->pitch
                   ? bsim_cuda_wrong_pitch(call, row_bytes, end->pitch, BSIM_CUDA_INVALID_PITCH)
               : span > 0 && slices > 1 && rows > end->slice / end->pitch
                   ? bsim_cuda_return(BSIM_CUDA_INVALID_PITCH)
               : bsim_cuda_may_use(call, end->address, span, false)
                   ? BSIM_CUDA_SUCCESS
                   : bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    if (row_bytes <= end->row_bytes && rows <= end->rows && slices <= end->slices) {
        return BSIM_CUDA_SUCCESS;
    }
    fflush(stdout);
    fprintf(stderr,
            "banksim: %s: %zu slices of %zu rows of %zu bytes, where a CUDA array has %zu of %zu "
            "of %zu left\n",
            call, slices, rows, row_bytes, end->slices, end->rows, end->row_bytes);
    return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
}

static int copy(const char *call, const struct end *to, const struct end *from, size_t row_bytes,
                size_t rows, size_t slices)
{
    int error = check(call, to, row_bytes, rows, slices);
    error = error != BSIM_CUDA_SUCCESS ? error : check(call, from, row_bytes, rows, slices);
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    for (size_t z = 0; z < slices; z++) {
        for (size_t y = 0; y < rows && row_bytes > 0; y++) {
            memmove(to->p + z * to->slice + y * to->pitch,
                    from->p + z * from->slice + y * from->pitch, row_bytes);
        }
    }
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaMemcpy2DToArray(struct array *to, size_t x, size_t y, const void *from, size_t pitch,
                               size_t width, size_t height, int kind)
{
    (void)kind;
    struct end target = end_of_array(to, x, y, 0);
    struct end source = end_of_memory(from, pitch, 0);
    return copy("cudaMemcpy2DToArray", &target, &source, width, height, 1);
}

EXPORT int cudaMemcpy2DToArrayAsync(struct array *to, size_t x, size_t y, const void *from,
                                    size_t pitch, size_t width, size_t height, int kind,
                                    void *stream)
{
    (void)stream;
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}

EXPORT int cudaMemcpy2DFromArray(void *to, size_t pitch, const struct array *from, size_t x,
                                 size_t y, size_t width, size_t height, int kind)
{
    (void)kind;
    struct end target = end_of_memory(to, pitch, 0), source = end_of_array(from, x, y, 0);
    return copy("cudaMemcpy2DFromArray", &target, &source, width, height, 1);
}

EXPORT int cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, const struct array *from, size_t x,
                                      size_t y, size_t width, size_t height, int kind, void *stream)
{
    (void)stream;
    return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}

EXPORT int cudaMemcpy2DArrayToArray(struct array *to, size_t to_x, size_t to_y,
                                    const struct array *from, size_t x, size_t y, size_t width,
                                    size_t height, int kind)
{
    (void)kind;
    struct end target = end_of_array(to, to_x, to_y, 0), source = end_of_array(from, x, y, 0);
    return copy("cudaMemcpy2DArrayToArray", &target, &source, width, height, 1);
}

/* How many bytes of the array there are from byte x of row y on. */
static bool has_bytes(const struct array *a, size_t x, size_t y, size_t size)
{
    size_t row = a->extent.width * a->element_bytes, whole = row * a->rows;
    return y < a->rows && x <= row && size <= whole - (y * row + x);
}

/* Row after row, as one stretch. */
EXPORT int cudaMemcpyToArray(struct array *to, size_t x, size_t y, const void *from, size_t size,
                             int kind)
{
    (void)kind;
    if (!has_bytes(to, x, y, size) || !bsim_cuda_may_use("cudaMemcpyToArray", from, size, false)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    memmove(end_of_array(to, x, y, 0).p, bsim_cuda_hand_out(from), size);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaMemcpyFromArray(void *to, const struct array *from, size_t x, size_t y, size_t size,
                               int kind)
{
    (void)kind;
    if (!has_bytes(from, x, y, size) ||
        !bsim_cuda_may_use("cudaMemcpyFromArray", to, size, false)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    memmove(bsim_cuda_hand_out(to), end_of_array(from, x, y, 0).p, size);
    return BSIM_CUDA_SUCCESS;
}

/* Positions in arrays are in elements, in memory in bytes. */
static struct end end_of(const struct array *array, const struct pitched *memory,
                         const struct position *at)
{
    if (array != NULL) {
        return end_of_array(array, at->x * array->element_bytes, at->y, at->z);
    }
    size_t slice = memory->pitch * memory->height;
    struct end end = end_of_memory(memory->p, memory->pitch, slice);
    size_t first = at->z * slice + at->y * memory->pitch + at->x;
    end.p += first;
    end.address += first;
    return end;
}

static int copy_3d(const struct copy *what)
{
    struct end to = end_of(what->to_array, &what->to, &what->to_at);
    struct end from = end_of(what->from_array, &what->from, &what->from_at);
    size_t element = what->to_array != NULL     ? what->to_array->element_bytes
                     : what->from_array != NULL ? what->from_array->element_bytes
                                                : 1;
    return copy("cudaMemcpy3D", &to, &from, what->extent.width * element, what->extent.height,
                what->extent.depth);
}

int bsim_cuda_copy_3d(const uint64_t words[BSIM_CUDA_COPY_WORDS])
{
    struct copy what;
    memcpy(&what, words, sizeof what);
    return copy_3d(&what);
}

EXPORT int cudaMemcpy3DAsync(const struct copy *what, void *stream)
{
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_find_capture(stream, &graph);
    uint64_t words[BSIM_CUDA_COPY_WORDS];
    memcpy(words, what, sizeof words);
    return error != BSIM_CUDA_SUCCESS ? error
           : graph != NULL            ? bsim_cuda_graph_copy_3d(graph, words)
                                      : copy_3d(what);
}

EXPORT int cudaMemcpy3D(const struct copy *what)
{
    return cudaMemcpy3DAsync(what, NULL);
}

/* ---- pitched memory in three dimensions ------------------------------------------------------ */

int cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height);

EXPORT int cudaMalloc3D(struct pitched *memory, struct extent extent)
{
    *memory = (struct pitched){.width = extent.width, .height = extent.height};
    return cudaMallocPitch(&memory->p, &memory->pitch, extent.width, extent.height * extent.depth);
}

EXPORT int cudaMemset3D(struct pitched memory, int value, struct extent extent)
{
    size_t slice = memory.pitch * memory.height;
    size_t span = bsim_cuda_span(extent.width, extent.height, extent.depth, memory.pitch, slice);
    bool is_shape =
        extent.width <= memory.pitch && (extent.depth <= 1 || extent.height <= memory.height);
    if (span > 0 && (!is_shape || !bsim_cuda_may_use("cudaMemset3D", memory.p, span, true))) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    unsigned char *p = bsim_cuda_hand_out(memory.p);
    for (size_t y = 0; y < extent.height * extent.depth; y++) {
        size_t row = y / extent.height * memory.height + y % extent.height;
        memset(p + row * memory.pitch, value, extent.width);
    }
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaMemset3DAsync(struct pitched memory, int value, struct extent extent, void *stream)
{
    (void)stream;
    return cudaMemset3D(memory, value, extent);
}

/* ---- textures and surfaces ------------------------------------------------------------------- */

static void set_format(struct bsim_ptx_texture *texture, const struct format *format)
{
    texture->type = "suf"[format->kind];
    texture->bits = (uint8_t)format->bits[0];
    texture->n = (uint8_t)channels(format);
}

/* False if nothing of that kind can be seen as a texture here. */
static bool describe(const struct resource *resource, struct bsim_ptx_texture *texture)
{
    if (resource->type == RESOURCE_ARRAY) {
        const struct array *a = resource->of.array;
        set_format(texture, &a->format);
        texture->data = a->data;
        texture->extent[0] = (uint32_t)a->extent.width;
        texture->extent[1] = (uint32_t)a->rows;
        texture->extent[2] = (uint32_t)a->slices;
        texture->row_bytes = a->extent.width * a->element_bytes;
        texture->slice_bytes = texture->row_bytes * a->rows;
        return true;
    }
    const struct format *format = &resource->of.memory.format;
    size_t element = element_bytes(format), size = resource->of.memory.size;
    bool is_linear = resource->type == RESOURCE_LINEAR;
    if ((!is_linear && resource->type != RESOURCE_PITCHED) || element == 0) {
        return false;
    }
    set_format(texture, format);
    texture->data = bsim_cuda_hand_out(resource->of.memory.p);
    texture->address = (uint64_t)(uintptr_t)resource->of.memory.p;
    texture->is_linear = is_linear;
    texture->extent[0] = (uint32_t)(is_linear ? size / element : size);
    texture->extent[1] = is_linear ? 1 : (uint32_t)resource->of.memory.height;
    texture->extent[2] = 1;
    texture->row_bytes = is_linear ? size : resource->of.memory.pitch;
    return true;
}

static int add(const struct bsim_ptx_texture *texture, uint64_t *object)
{
    static bool is_told;
    if (!is_told) {
        is_told = true;
        fflush(stdout);
        fputs("banksim: what kernels read and write through textures and surfaces is not counted\n",
              stderr);
    }
    *object = bsim_cuda_add_texture(texture);
    return bsim_cuda_return(*object != 0 ? BSIM_CUDA_SUCCESS : BSIM_CUDA_MEMORY);
}

EXPORT int cudaCreateTextureObject(uint64_t *object, const struct resource *resource,
                                   const struct sampler *sampler, const void *view)
{
    struct bsim_ptx_texture texture = {.is_filtered = sampler->is_filtered != 0,
                                       .is_normalised = sampler->is_normalised != 0};
    (void)view;
    if (!describe(resource, &texture) || sampler->is_srgb) {
        return bsim_cuda_return(BSIM_CUDA_NOT_SUPPORTED);
    }
    texture.reads_fractions = sampler->reads_fractions && texture.type != 'f' && texture.bits < 32;
    for (int d = 0; d < 3; d++) {
        texture.edge[d] = (uint8_t)(sampler->edge[d] & 3);
    }
    memcpy(texture.border, sampler->border, sizeof texture.border);
    return add(&texture, object);
}

EXPORT int cudaCreateSurfaceObject(uint64_t *object, const struct resource *resource)
{
    struct bsim_ptx_texture surface = {.is_surface = true};
    if (resource->type != RESOURCE_ARRAY || !describe(resource, &surface)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    return add(&surface, object);
}

EXPORT int cudaDestroyTextureObject(uint64_t object)
{
    return bsim_cuda_return(object == 0 || bsim_cuda_drop_texture(object)
                                ? BSIM_CUDA_SUCCESS
                                : BSIM_CUDA_INVALID_VALUE);
}

EXPORT int cudaDestroySurfaceObject(uint64_t object)
{
    return cudaDestroyTextureObject(object);
}
