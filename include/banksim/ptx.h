/* ptx.h - kernels as nvcc, clang, Triton or Numba emit them: PTX, run on the CPU.
 *
 *     struct bsim_ptx_call *call = NULL;
 *     struct bsim_error err;
 *     if (bsim_ptx_call_new("k.ptx", text, length, "scale<<<4, 128>>>(float[512] = iota, 2.0f)", &call,
 *                           &err) == BSIM_OK &&
 *         bsim_ptx_call_run(call, &sink, &err) == BSIM_OK) { ... }
 *     bsim_ptx_call_free(call);
 *
 * A call is used by one thread at a time; nothing is shared between calls.
 */
#ifndef BANKSIM_PTX_H
#define BANKSIM_PTX_H

#include <banksim/event.h>

struct bsim_ptx_call; /* a module, and a launch of one of its kernels */

/* Reads the PTX module text[0..length) (name: its file's, for messages) and what is to be launched:
 *
 *     KERNEL<<<GRID, BLOCK[, BYTES]>>>(ARGUMENT, ...)
 *
 * KERNEL is the entry's name, mangled or as its source has it; GRID and BLOCK are a number or
 * dim3(x, y, z), BYTES the dynamic shared memory. An argument is a number for a parameter that is
 * passed by value, an array that the launch makes, or a struct: {ARGUMENT, ...}. Arrays are TYPE[COUNT],
 * which is zeros, or
 *
 *     float[1024] = iota      0, 1, 2, ...                float[1024] = random, random(7)
 *     float[1024] = 2.5       each element                float[1024] = "a.bin"  the bytes of a file
 *
 * and a pointer into one: float[1032] + 4 = iota is that of its fifth element.
 *
 * TYPE is char, short, int, long, float, double, half, unsigned and signed of them, or one of these
 * with 2, 3 or 4 behind it (float4). Members of a struct lie one behind the other, each at a multiple of
 * its size, as C has them; a number is an int or double there, or of the type that stands before it or
 * before the braces: {float[64], long 64}, long {1, 2}, float4 {0, 0, 0, 1}.
 * A tensor map, as cuTensorMapEncodeTiled makes it of sides from the innermost on, is of an array that the
 * launch makes, or of an earlier argument (`of 0` in place of `= FILL`):
 *
 *     tensormap half 1024x512 box=64x128 swizzle=128B [pitch=BYTES] = iota
 *
 * Random numbers are the same for the same seed everywhere: floats from 0 to 1, whole numbers from 0
 * to 2^31 - 1, cut to the type. Array i, counted from 0 among the arrays, is at byte address (i + 1)
 * << 32 of the trace.
 *
 * On success *call is the caller's to free. Fails with BSIM_E_INPUT for a module that is no PTX,
 * BSIM_E_USAGE for a launch that does not fit it, BSIM_E_IO for a file that cannot be read,
 * BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_ptx_call_new(const char *name, const char *text, size_t length,
                                            const char *launch, struct bsim_ptx_call **call,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* Frees it; NULL is fine. */
BSIM_API void bsim_ptx_call_free(struct bsim_ptx_call *call);

/* What the kernel prints goes to print from here on, piece by piece (text is not terminated); at first,
 * and with NULL, to nobody. */
BSIM_API void bsim_ptx_call_print(struct bsim_ptx_call *call,
                                  void (*print)(void *context, const char *text, size_t length),
                                  void *context);

/* Lines of the file of this name are these of text, a terminated one, from now on; where that is not said, they are
 * read from the file. Both are borrowed until the call is freed. */
BSIM_API void bsim_ptx_call_source(struct bsim_ptx_call *call, const char *name, const char *text);

/* More than a warp of kernels takes that people wait for: some seconds where it is alone. */
#define BSIM_PTX_MOST_OF_WARP UINT64_C(256000000)

struct bsim_ptx_options {
    bool is_bare;      /* accesses as they stand in the PTX, without what ptxas merges */
    bool has_work;     /* events for cycles: work between accesses, and which results it waits for */
    uint32_t jobs;     /* threads that run blocks, at most; 0: one. What comes of it is the same */
    uint64_t n_blocks; /* a sample of so many blocks, spread over the grid; 0: all of them */
    uint64_t most_of_warp; /* instructions that a block may take for each of its warps, behind which a run fails with
                              BSIM_E_KERNEL: a loop never ends, or late; 0: any number */
    uint64_t most_steps; /* instructions of warps, about, behind which a run ends with BSIM_E_USAGE; 0: it goes on */
};

/* How it is to run from now on; before that, as zeros say. */
BSIM_API void bsim_ptx_call_set(struct bsim_ptx_call *call, const struct bsim_ptx_options *options);

/* Runs every block in order and pushes the whole stream, with END. What its counts rest on is in the
 * kernel's x-ptx= key, which reports put into words (bsim_rests_add). Arrays are then as the kernel
 * left them: a second run goes on with them. Fails with BSIM_E_INPUT for an instruction that is not
 * known, when it is executed; BSIM_E_KERNEL for what the kernel does wrong: an address out of
 * bounds, misaligned, a barrier that some threads never reach; BSIM_E_MEMORY; and with what the
 * sink answers. */
BSIM_API enum bsim_status bsim_ptx_call_run(struct bsim_ptx_call *call,
                                            const struct bsim_sink *sink,
                                            struct bsim_error *err) BSIM_MUST_USE;

/* Behind a run: what the kernel did that a GPU lets pass, a line for each place in the code: reads of
 * shared memory that nobody wrote, barriers that only a part of a warp's lanes came to. "" if there is
 * nothing, or bsim_ptx_call_set was not called before. Borrowed from the call until the next run. */
BSIM_API const char *bsim_ptx_call_findings(struct bsim_ptx_call *call);

/* The bytes of the array that is argument "1", or member "1.0" of one, counted from 0; NULL if there is
 * none. Borrowed from the call. */
BSIM_API const void *bsim_ptx_call_array(const struct bsim_ptx_call *call, const char *path,
                                         size_t *size_bytes);

#endif
