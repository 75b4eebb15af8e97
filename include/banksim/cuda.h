/* cuda.h - kernels in CUDA C, made PTX without a compiler.
 *
 *     struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
 *     if (bsim_cuda_ptx("k.cu", text, length, "scale", &ptx, &err) == BSIM_OK &&
 *         bsim_ptx_call_new("k.cu", ptx.data, ptx.size_bytes, "scale<<<4, 128>>>(...)", &call, &err) == ...
 *
 * What part of CUDA C is read stands in src/cuda/README.md. What is not in it is refused where it
 * stands; it is never read as something else.
 */
#ifndef BANKSIM_CUDA_H
#define BANKSIM_CUDA_H

#include <banksim/status.h>

#include <stdint.h>

/* Where the headers come from that a file names in quotes, #include "tile.h". read appends the text of the
 * one that the file `from` names so, and its own path, which is `from` of those that it names; false: there
 * is none. Borrowed; `from` is the name that the file was given, or such a path. */
struct bsim_cuda_headers {
    bool (*read)(void *context, const char *from, const char *name, struct bsim_buffer *path,
                 struct bsim_buffer *text);
    void *context;
};

/* Appends the text of a PTX module to *ptx: the kernel of text[0..length) that has this name, as the
 * source has it, or all of them if it is NULL. name is the text's file's, for messages and for the
 * module's source lines. headers may be NULL: then there are none. What is named in angles, and what is
 * not there, is passed over: who misses its declarations is told so. Of the file, declarations and what the kernel calls are read, and host code is
 * passed over. The text is what a compiler would make of it as far as memory is concerned: loops are
 * unrolled, functions inlined, values kept in registers.
 *
 * Fails with BSIM_E_INPUT, at its place, for what is no CUDA C or is not read here, and for a kernel
 * that is not there (of the names that are, the closest is proposed), and with BSIM_E_MEMORY; *ptx is
 * then as before. The caller frees *ptx. Nothing is shared between calls. */
BSIM_API enum bsim_status bsim_cuda_ptx(const char *name, const char *text, size_t length,
                                        const struct bsim_cuda_headers *headers, const char *kernel,
                                        struct bsim_buffer *ptx,
                                        struct bsim_error *err) BSIM_MUST_USE;

/* Who hears of the launches of a file: "transpose<<<dim3(4, 4), dim3(32, 8)>>>(float[16384], 128)", as
 * bsim_ptx_call_new takes them, and what of it was chosen, as the file does not say it: "grid, sizes of
 * arrays", or "". Borrowed until it returns. */
struct bsim_cuda_listener {
    void (*tell)(void *context, const char *launch, const char *chosen);
    /* Of a kernel that bsim_cuda_ptx does not read, once for each list of a template's arguments, and why; NULL:
     * nobody asks that, and its launches are told. */
    void (*refuse)(void *context, const char *launch, const char *chosen,
                   const struct bsim_error *why);
    /* Whether a launch of which something was chosen begins well, of the kernel whose PTX text[0..length) is: any status
     * but BSIM_E_KERNEL. Of one that does not, and of what else may be chosen there, the first is told that does; refuse
     * hears of it where none does. NULL: nobody tries; without refuse it is not asked. */
    enum bsim_status (*run)(void *context, const char *launch, const char *text, size_t length,
                            struct bsim_error *why);
    void *context;
};

/* Tells the launches of each kernel that the text and its headers (NULL: none) define, in their order, each once
 * and eight of a kernel at most, those first of which most is known: with what its host code launches it,
 * as far as that is made of constants, dim3s and sizes that cudaMalloc is given, and arrays by the types of
 * the kernel's parameters, those that it only reads as iota. What the kernel does is not read for that: whether it
 * can be run bsim_cuda_ptx is asked where listener->refuse is there, of long files of the first kernels alone. Fails with BSIM_E_INPUT for directives that are wrong, and with
 * BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_cuda_propose(const char *name, const char *text, size_t length,
                                            const struct bsim_cuda_headers *headers,
                                            const struct bsim_cuda_listener *listener,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* A shared array laid out anew: its dimensions before and after, and the index of the element that was at
 * [z][y][x], or [i] of one dimension, behind its name, "tile[y][x ^ y]"; NULL: as it is. */
struct bsim_cuda_relaid {
    const char *name;
    uint32_t n_dimensions;
    const uint32_t *from, *to;
    const char *index;
};

/* Appends the text with the array laid out anew that the kernel declares: its declaration's dimensions, and
 * with an index the subscripts of all its uses in the kernel. No line is added or taken away. Fails with
 * BSIM_E_INPUT, at its place, where that cannot be written: an array that the kernel does not declare itself, a
 * use without all its subscripts, or one whose subscript has an effect; and with BSIM_E_MEMORY; *out is then as
 * before. That the kernel still computes the same is for its next run to show. */
BSIM_API enum bsim_status bsim_cuda_relay(const char *name, const char *text, size_t length,
                                          const char *kernel,
                                          const struct bsim_cuda_relaid *array,
                                          struct bsim_buffer *out,
                                          struct bsim_error *err) BSIM_MUST_USE;

#endif
