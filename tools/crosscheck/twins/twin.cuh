/* twin.cuh - what the families of twins share: a twin is an emulator's kernel in CUDA.
 *
 * Every kernel is written to read like its emulator in src/emulators, is a plain function of the
 * emulator's name and touches memory as the emulator does. Launch shape, arrays and settings are
 * the emulator's own: twins.cu runs the emulator, takes the launch from it, and compares the
 * arrays afterwards. Static shared memory has the emulator's initial sizes, fixed as in the
 * documents; what takes its sizes when it is launched can be run with others.
 */
#ifndef CROSSCHECK_TWIN_CUH
#define CROSSCHECK_TWIN_CUH

#include <stddef.h>
#include <stdint.h>

/* One launch. */
struct twin_call {
    dim3 grid, block;
    size_t shared_bytes;
    void *arrays[8];      /* on the GPU, those of global memory; in the emulator's order */
    void *allocations[8]; /* that they lie in */
    size_t sizes_bytes[8];
    const void *constants; /* on the host: the array of constant memory, or NULL */
    size_t constants_bytes;
    uint32_t (*setting)(const char *key); /* the value of an emulator's parameter */

    template <class T> T *array(size_t i) const { return (T *)arrays[i]; }
};

/* A row of a family's table; name NULL ends it. */
struct twin {
    const char *name;
    void (*launch)(const struct twin_call &call);
};

extern const struct twin square_twins[], rect_twins[], reduce_twins[], transpose_twins[];
extern const struct twin lecture_twins[], coalescing_twins[], loads_twins[], shuffle_twins[];
extern const struct twin constant_twins[], figure_twins[];

/* The row of a kernel and its arguments, told by the call c. */
#define TWIN(NAME, ...)                                                                            \
    {                                                                                              \
        #NAME, [](const struct twin_call &c) {                                                     \
            NAME<<<c.grid, c.block, c.shared_bytes>>>(__VA_ARGS__);                                \
        }                                                                                          \
    }

#endif
