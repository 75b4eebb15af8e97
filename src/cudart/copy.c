/* copy.c - copies and fills. What would leave its array is refused, as on a GPU, and told on standard error;
 * nothing is then written. tests/cuda/codes.cu has what an H200 answers.
 */
#include "cudart/graph.h"
#include "cudart/state.h"

#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* cudaMemcpyKind. Where it names the host, the address alone says whose memory it is. */
enum kind { TO_DEVICE = 1, TO_HOST = 2, WITHIN_DEVICE = 3, BY_ADDRESS = 4 };

/* Rows of `width` bytes. */
struct copy {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    int kind;
};

int bsim_cuda_wrong_direction(const char *call, int kind)
{
    fflush(stdout);
    fprintf(stderr, "banksim: %s: %d is no direction of this copy\n", call, kind);
    return bsim_cuda_return(BSIM_CUDA_INVALID_DIRECTION);
}

int bsim_cuda_wrong_pitch(const char *call, size_t width, size_t pitch, int error)
{
    fflush(stdout);
    fprintf(stderr, "banksim: %s: rows of %zu bytes at a pitch of %zu\n", call, width, pitch);
    return bsim_cuda_return(error);
}

static int check(const char *call, const struct copy *c)
{
    size_t to = bsim_cuda_span(c->width, c->height, 1, c->to_pitch, 0);
    size_t from = bsim_cuda_span(c->width, c->height, 1, c->from_pitch, 0);
    size_t pitch = c->to_pitch < c->from_pitch ? c->to_pitch : c->from_pitch;
    if (c->kind < 0 || c->kind > BY_ADDRESS) {
        return bsim_cuda_wrong_direction(call, c->kind);
    }
    if (to == 0) {
        return BSIM_CUDA_SUCCESS;
    }
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (c->width > pitch) {
        return bsim_cuda_wrong_pitch(call, c->width, pitch, BSIM_CUDA_INVALID_PITCH);
    }
    bool is_to_device = c->kind == TO_DEVICE || c->kind == WITHIN_DEVICE;
    bool is_from_device = c->kind == TO_HOST || c->kind == WITHIN_DEVICE;
    return bsim_cuda_return(bsim_cuda_may_use(call, c->to, to, is_to_device) &&
                                    bsim_cuda_may_use(call, c->from, from, is_from_device)
                                ? BSIM_CUDA_SUCCESS
                                : BSIM_CUDA_INVALID_VALUE);
}

static int copy(const char *call, const struct copy *c)
{
    int error = check(call, c);
    if (error != BSIM_CUDA_SUCCESS || c->width == 0) {
        return error;
    }
    char *to = bsim_cuda_host_address(c->to);
    const char *from = bsim_cuda_host_address(c->from);
    for (size_t y = 0; y < c->height; y++) {
        memmove(to + y * c->to_pitch, from + y * c->from_pitch, c->width);
        bsim_cuda_wrote((const char *)c->to + y * c->to_pitch, c->width);
    }
    return BSIM_CUDA_SUCCESS;
}

/* The same in a stream. */
static int copy_in(void *stream, const char *call, const struct copy *c)
{
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error != BSIM_CUDA_SUCCESS || graph == NULL) {
        return error != BSIM_CUDA_SUCCESS ? error : copy(call, c);
    }
    error = check(call, c);
    return error != BSIM_CUDA_SUCCESS ? error
                                      : bsim_cuda_graph_copy(graph, c->to, c->to_pitch, c->from,
                                                             c->from_pitch, c->width, c->height);
}

EXPORT int cudaMemcpy(void *to, const void *from, size_t size, int kind)
{
    return copy_in(NULL, "cudaMemcpy", &(struct copy){to, from, size, size, size, 1, kind});
}

EXPORT int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream)
{
    return copy_in(stream, "cudaMemcpyAsync", &(struct copy){to, from, size, size, size, 1, kind});
}

EXPORT int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                        size_t width, size_t height, int kind)
{
    return copy_in(NULL, "cudaMemcpy2D",
                   &(struct copy){to, from, to_pitch, from_pitch, width, height, kind});
}

int bsim_cuda_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height)
{
    return copy("cudaMemcpy2D",
                &(struct copy){to, from, to_pitch, from_pitch, width, height, BY_ADDRESS});
}

EXPORT int cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                             size_t width, size_t height, int kind, void *stream)
{
    return copy_in(stream, "cudaMemcpy2DAsync",
                   &(struct copy){to, from, to_pitch, from_pitch, width, height, kind});
}

/* There is one device. */
EXPORT int cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                               size_t size, void *stream)
{
    return to_device != 0 || from_device != 0
               ? bsim_cuda_return(BSIM_CUDA_INVALID_DEVICE)
               : copy_in(stream, "cudaMemcpyPeer",
                         &(struct copy){to, from, size, size, size, 1, BY_ADDRESS});
}

EXPORT int cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size)
{
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, size, NULL);
}

/* ---- fills ----------------------------------------------------------------------------------- */

static int check_fill(const char *call, const struct bsim_cuda_fill *f)
{
    size_t width, pitch = f->height > 1 ? f->pitch : SIZE_MAX;
    width = __builtin_mul_overflow(f->width, f->element_bytes, &width) ? SIZE_MAX : width;
    size_t size = bsim_cuda_span(width, f->height, 1, f->pitch, 0);
    if (size > 0 && bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (size > 0 && width > pitch) {
        return bsim_cuda_wrong_pitch(call, width, pitch, BSIM_CUDA_INVALID_VALUE);
    }
    return bsim_cuda_return(bsim_cuda_may_use(call, f->p, size, true) ? BSIM_CUDA_SUCCESS
                                                                      : BSIM_CUDA_INVALID_VALUE);
}

int bsim_cuda_fill(const char *call, const struct bsim_cuda_fill *f)
{
    int error = check_fill(call, f);
    if (error != BSIM_CUDA_SUCCESS || f->width == 0) {
        return error;
    }
    unsigned char *row = bsim_cuda_host_address(f->p);
    for (size_t y = 0; y < f->height; y++, row += f->pitch) {
        bsim_cuda_wrote((const char *)f->p + y * f->pitch, f->width * f->element_bytes);
        if (f->element_bytes == 1) {
            memset(row, (int)f->value, f->width);
            continue;
        }
        for (size_t x = 0; x < f->width; x++) {
            memcpy(row + x * f->element_bytes, &f->value, f->element_bytes);
        }
    }
    return BSIM_CUDA_SUCCESS;
}

/* The same in a stream. */
static int fill_in(void *stream, const char *call, const struct bsim_cuda_fill *f)
{
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error != BSIM_CUDA_SUCCESS || graph == NULL) {
        return error != BSIM_CUDA_SUCCESS ? error : bsim_cuda_fill(call, f);
    }
    error = check_fill(call, f);
    return error != BSIM_CUDA_SUCCESS ? error : bsim_cuda_graph_fill(graph, f);
}

EXPORT int cudaMemset(void *p, int value, size_t size)
{
    return fill_in(NULL, "cudaMemset",
                   &(struct bsim_cuda_fill){p, size, (unsigned)value, 1, size, 1});
}

EXPORT int cudaMemsetAsync(void *p, int value, size_t size, void *stream)
{
    return fill_in(stream, "cudaMemsetAsync",
                   &(struct bsim_cuda_fill){p, size, (unsigned)value, 1, size, 1});
}

EXPORT int cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height)
{
    return fill_in(NULL, "cudaMemset2D",
                   &(struct bsim_cuda_fill){p, pitch, (unsigned)value, 1, width, height});
}

EXPORT int cudaMemset2DAsync(void *p, size_t pitch, int value, size_t width, size_t height,
                             void *stream)
{
    return fill_in(stream, "cudaMemset2DAsync",
                   &(struct bsim_cuda_fill){p, pitch, (unsigned)value, 1, width, height});
}

/* ---- variables ------------------------------------------------------------------------------- */

/* Part of a variable, which is `size` bytes from `offset` on; NULL after having set the error. */
static char *find_part(const char *call, const void *symbol, size_t size, size_t offset, int *error)
{
    size_t have = 0;
    char *p = bsim_cuda_find_variable(symbol, &have);
    bool is_within = offset <= have && size <= have - offset;
    if (p != NULL && !is_within) {
        fflush(stdout);
        size_t room = offset < have ? have - offset : 0;
        fprintf(stderr,
                "banksim: %s: %zu bytes at byte %zu of a variable, which has %zu: %zu too many\n",
                call, size, offset, have, size - room);
    }
    *error = bsim_cuda_return(p == NULL    ? BSIM_CUDA_INVALID_SYMBOL
                              : !is_within ? BSIM_CUDA_INVALID_VALUE
                                           : BSIM_CUDA_SUCCESS);
    return *error == BSIM_CUDA_SUCCESS ? p + offset : NULL;
}

static int copy_to(const char *call, const void *symbol, const struct copy *what, size_t offset,
                   void *stream)
{
    int error;
    struct copy c = *what;
    if (c.kind != TO_DEVICE && c.kind != WITHIN_DEVICE && c.kind != BY_ADDRESS) {
        return bsim_cuda_wrong_direction(call, c.kind);
    }
    c.to = find_part(call, symbol, c.width, offset, &error);
    return c.to != NULL ? copy_in(stream, call, &c) : error;
}

static int copy_from(const char *call, const void *symbol, const struct copy *what, size_t offset,
                     void *stream)
{
    int error;
    struct copy c = *what;
    if (c.kind != TO_HOST && c.kind != WITHIN_DEVICE && c.kind != BY_ADDRESS) {
        return bsim_cuda_wrong_direction(call, c.kind);
    }
    c.from = find_part(call, symbol, c.width, offset, &error);
    return c.from != NULL ? copy_in(stream, call, &c) : error;
}

EXPORT int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                              int kind)
{
    struct copy c = {NULL, from, size, size, size, 1, kind};
    return copy_to("cudaMemcpyToSymbol", symbol, &c, offset, NULL);
}

EXPORT int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind)
{
    struct copy c = {to, NULL, size, size, size, 1, kind};
    return copy_from("cudaMemcpyFromSymbol", symbol, &c, offset, NULL);
}

EXPORT int cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                   int kind, void *stream)
{
    struct copy c = {NULL, from, size, size, size, 1, kind};
    return copy_to("cudaMemcpyToSymbolAsync", symbol, &c, offset, stream);
}

EXPORT int cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                     int kind, void *stream)
{
    struct copy c = {to, NULL, size, size, size, 1, kind};
    return copy_from("cudaMemcpyFromSymbolAsync", symbol, &c, offset, stream);
}

EXPORT int cudaGetSymbolAddress(void **p, const void *symbol)
{
    int error;
    *p = find_part("cudaGetSymbolAddress", symbol, 0, 0, &error);
    return error;
}

EXPORT int cudaGetSymbolSize(size_t *size, const void *symbol)
{
    return bsim_cuda_return(bsim_cuda_find_variable(symbol, size) != NULL
                                ? BSIM_CUDA_SUCCESS
                                : BSIM_CUDA_INVALID_SYMBOL);
}
