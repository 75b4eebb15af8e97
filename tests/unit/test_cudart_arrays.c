/* test_cudart_arrays.c - arrays, textures and surfaces as compiled programs use them: the runtime's calls,
 * and kernels in PTX that read and write through the objects. */
#define _XOPEN_SOURCE 700 /* setenv, fork */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what CUDA's headers declare ------------------------------------------------------------- */

struct dim3 {
    unsigned x, y, z;
};
struct format {
    int bits[4], kind;
};
struct extent {
    size_t width, height, depth;
};
struct pitched {
    void *p;
    size_t pitch, width, height;
};
struct copy {
    void *from_array;
    size_t from_at[3];
    struct pitched from;
    void *to_array;
    size_t to_at[3];
    struct pitched to;
    struct extent extent;
    int kind;
};
struct resource {
    int type;
    union {
        void *array;
        struct {
            void *p;
            struct format format;
            size_t size, height, pitch;
        } memory;
        int reserved[32];
    } of;
    unsigned flags;
};
struct sampler {
    int edge[3], is_filtered, reads_fractions, is_srgb;
    float border[4];
    int is_normalised;
    int rest[8];
};

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *warp);
int cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t bytes, void *stream);
int cudaDeviceSynchronize(void);
int cudaMalloc(void **p, size_t size);
int cudaFree(void *p);
struct format cudaCreateChannelDesc(int x, int y, int z, int w, int kind);
int cudaMallocArray(void **array, const struct format *format, size_t width, size_t height,
                    unsigned flags);
int cudaMalloc3DArray(void **array, const struct format *format, struct extent extent,
                      unsigned flags);
int cudaFreeArray(void *array);
int cudaArrayGetInfo(struct format *format, struct extent *extent, unsigned *flags, void *array);
int cudaMemcpyToArray(void *to, size_t x, size_t y, const void *from, size_t size, int kind);
int cudaMemcpy2DToArray(void *to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                        size_t height, int kind);
int cudaMemcpy2DFromArray(void *to, size_t pitch, const void *from, size_t x, size_t y,
                          size_t width, size_t height, int kind);
int cudaMemcpy3D(const struct copy *what);
int cudaCreateTextureObject(uint64_t *object, const struct resource *resource,
                            const struct sampler *sampler, const void *view);
int cudaCreateSurfaceObject(uint64_t *object, const struct resource *resource);
int cudaDestroyTextureObject(uint64_t object);
int cudaDestroySurfaceObject(uint64_t object);
int cudaGetLastError(void);

/* ---- kernels --------------------------------------------------------------------------------- */

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"
/* NAME(p, object): %rd0 is p + 4 thread, %rd2 the object, %r0 the thread. */
#define BEGIN(name)                                                                        \
    ".visible .entry " name "(.param .u64 p, .param .u64 q) {\n"                           \
    " .reg .b16 %h<4>;\n .reg .b32 %r<16>;\n .reg .b64 %rd<4>;\n .reg .f32 %f<8>;\n"       \
    " ld.param.u64 %rd1, [p];\n ld.param.u64 %rd2, [q];\n mov.u32 %r0, %tid.x;\n"          \
    " mul.wide.u32 %rd3, %r0, 4;\n add.s64 %rd0, %rd1, %rd3;\n cvt.rn.f32.u32 %f0, %r0;\n" \
    " and.b32 %r1, %r0, 7;\n shr.u32 %r2, %r0, 3;\n shl.b32 %r3, %r1, 2;\n"
#define END " ret;\n}\n"

/* clang-format off */
static const char text[] = HEAD
    /* p[t] = texture at (t % 8 + 0.25, t / 8 + 0.5) */
    BEGIN("plane") " cvt.rn.f32.u32 %f1, %r1;\n add.f32 %f1, %f1, 0f3E800000;\n"
    " cvt.rn.f32.u32 %f2, %r2;\n add.f32 %f2, %f2, 0f3F000000;\n"
    " tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f1, %f2}];\n"
    " st.global.f32 [%rd0], %f3;\n" END
    /* p[t] = element t - 2 of linear memory */
    BEGIN("line") " sub.s32 %r4, %r0, 2;\n"
    " tex.1d.v4.u32.s32 {%r5, %r6, %r7, %r8}, [%rd2, {%r4}];\n st.global.u32 [%rd0], %r5;\n" END
    /* the surface at (t % 8, t / 8) gets t, and 100 more is read back; beyond the edges nothing is */
    BEGIN("surface") " sust.b.2d.b32.zero [%rd2, {%r3, %r2}], {%r0};\n"
    " suld.b.2d.b32.zero {%r5}, [%rd2, {%r3, %r2}];\n add.u32 %r5, %r5, 100;\n"
    " st.global.u32 [%rd0], %r5;\n" END
    /* p[t] = the surface at (t % 8 - 2, t / 8 - 1), or what is nearest */
    BEGIN("clamped") " sub.s32 %r3, %r3, 8;\n sub.s32 %r2, %r2, 1;\n"
    " suld.b.2d.b32.clamp {%r5}, [%rd2, {%r3, %r2}];\n st.global.u32 [%rd0], %r5;\n" END
    /* p[t] = layer 1 at element t % 8 */
    BEGIN("layer") " cvt.rn.f32.u32 %f1, %r1;\n mov.u32 %r4, 1;\n"
    " tex.a1d.v4.u32.f32 {%r5, %r6, %r7, %r8}, [%rd2, {%r4, %f1}];\n"
    " st.global.u32 [%rd0], %r5;\n" END
    BEGIN("trapped") " sust.b.2d.b32.trap [%rd2, {%r3, %r2}], {%r0};\n" END;
/* clang-format on */

static char plane, line, surface, clamped, layer, trapped;

static void start(void)
{
    static struct {
        int magic, version;
        const void *image;
        void *names;
    } wrapper = {0x466243b1, 1, text, NULL};
    static const struct {
        char *host;
        const char *name;
    } kernels[] = {{&plane, "plane"},     {&line, "line"},   {&surface, "surface"},
                   {&clamped, "clamped"}, {&layer, "layer"}, {&trapped, "trapped"}};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        __cudaRegisterFunction(handle, kernels[i].host, kernels[i].host, kernels[i].name, -1, NULL,
                               NULL, NULL, NULL, NULL);
    }
}

static int launch(const char *kernel, void *p, uint64_t object)
{
    void *arguments[] = {&p, &object};
    return cudaLaunchKernel(kernel, (struct dim3){1, 1, 1}, (struct dim3){32, 1, 1}, arguments, 0,
                            NULL);
}

/* Runs what in a process of its own; returns its exit code. */
static int run_apart(int (*what)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        setenv("BANKSIM_OUTPUT", "/dev/null", 1);
        start();
        exit(what());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WEXITSTATUS(status);
}

#define EXPECT(what)               \
    do {                           \
        if (!(what)) {             \
            return __LINE__ % 256; \
        }                          \
    } while (0)

static uint64_t make_texture(const struct resource *resource, const struct sampler *sampler)
{
    uint64_t object = 0;
    return cudaCreateTextureObject(&object, resource, sampler, NULL) == 0 ? object : 0;
}

/* ---- textures -------------------------------------------------------------------------------- */

/* An array of 8 by 4 floats, 10 times their number; a column to the right the mean is 2.5 less. */
static int filtered(void)
{
    float h[32], *p;
    static void *array; /* kept until the process ends, as in the tests below */
    struct format format = cudaCreateChannelDesc(32, 0, 0, 0, 2);
    for (int i = 0; i < 32; i++) {
        h[i] = 10.0f * (float)i;
    }
    EXPECT(cudaMallocArray(&array, &format, 8, 4, 0) == 0);
    EXPECT(cudaMemcpy2DToArray(array, 0, 0, h, 32, 32, 4, 1) == 0);
    EXPECT(cudaMemcpy2DToArray(array, 4, 0, h, 32, 32, 4, 1) == 1 && cudaGetLastError() == 1);
    EXPECT(cudaMalloc((void **)&p, sizeof h) == 0);
    struct resource resource = {.type = 0, .of.array = array};
    struct sampler sampler = {.edge = {1, 1, 1}, .is_filtered = 1};
    uint64_t object = make_texture(&resource, &sampler);
    EXPECT(object != 0 && launch(&plane, p, object) == 0);
    for (int i = 0; i < 32; i++) {
        EXPECT(p[i] == (i % 8 == 0 ? h[i] : h[i] - 2.5f));
    }
    EXPECT(cudaDestroyTextureObject(object) == 0 && cudaDestroyTextureObject(object) == 1);
    return launch(&plane, p, object) == 0 && cudaDeviceSynchronize() == 700 ? 0 : 1; /* it is gone */
}

static void planes_are_filtered(void **state)
{
    (void)state;
    assert_int_equal(run_apart(filtered), 0);
}

static int linear(void)
{
    uint16_t *memory;
    uint32_t *p;
    EXPECT(cudaMalloc((void **)&memory, 20) == 0 && cudaMalloc((void **)&p, 128) == 0);
    for (uint16_t i = 0; i < 10; i++) {
        memory[i] = (uint16_t)(65000 + i);
    }
    struct resource resource = {
        .type = 2, .of.memory = {.p = memory, .format = {{16, 0, 0, 0}, 1}, .size = 20}};
    struct sampler sampler = {.edge = {1, 1, 1}};
    uint64_t object = make_texture(&resource, &sampler);
    EXPECT(object != 0 && launch(&line, p, object) == 0);
    for (uint32_t i = 0; i < 32; i++) {
        EXPECT(p[i] == (i >= 2 && i < 12 ? 64998 + i : 0));
    }
    EXPECT(cudaFree(memory) == 0);
    return launch(&line, p, object) == 0 && cudaDeviceSynchronize() == 700 ? 0 : 1;
}

static void lines_of_memory_end_in_zeros(void **state)
{
    (void)state;
    assert_int_equal(run_apart(linear), 0);
}

/* 8 elements by 3 layers; rows are handed over with a gap behind each. */
static int layered(void)
{
    uint32_t h[3][10] = {{0}}, *p, flags;
    static void *array;
    struct format format = cudaCreateChannelDesc(32, 0, 0, 0, 1);
    struct extent extent = {8, 0, 3}, told;
    for (uint32_t i = 0; i < 24; i++) {
        h[i / 8][i % 8] = i;
    }
    EXPECT(cudaMalloc3DArray(&array, &format, extent, 1) == 0);
    EXPECT(cudaArrayGetInfo(&format, &told, &flags, array) == 0);
    EXPECT(memcmp(&told, &extent, sizeof told) == 0 && flags == 1 && format.bits[0] == 32);
    struct copy copy = {.from = {h, 40, 8, 1}, .to_array = array, .extent = {8, 1, 3}, .kind = 1};
    EXPECT(cudaMemcpy3D(&copy) == 0 && cudaMalloc((void **)&p, 128) == 0);
    struct resource resource = {.type = 0, .of.array = array};
    struct sampler sampler = {.edge = {1, 1, 1}};
    EXPECT(launch(&layer, p, make_texture(&resource, &sampler)) == 0);
    for (uint32_t i = 0; i < 32; i++) {
        EXPECT(p[i] == 8 + i % 8);
    }
    copy.extent.depth = 4;
    return cudaMemcpy3D(&copy) == 1 ? 0 : 1;
}

static void layers_are_apart(void **state)
{
    (void)state;
    assert_int_equal(run_apart(layered), 0);
}

/* ---- surfaces -------------------------------------------------------------------------------- */

/* 6 by 3 elements are written and read by 8 by 4 threads. */
static int surfaces(void)
{
    uint32_t *p, h[18];
    uint64_t object = 0;
    static void *array;
    struct format format = cudaCreateChannelDesc(32, 0, 0, 0, 1);
    EXPECT(cudaMallocArray(&array, &format, 6, 3, 2) == 0 && cudaMalloc((void **)&p, 128) == 0);
    struct resource resource = {.type = 0, .of.array = array};
    EXPECT(cudaCreateSurfaceObject(&object, &resource) == 0);
    EXPECT(launch(&surface, p, object) == 0);
    EXPECT(cudaMemcpy2DFromArray(h, 24, array, 0, 0, 24, 3, 2) == 0);
    for (uint32_t i = 0; i < 32; i++) {
        bool is_there = i % 8 < 6 && i / 8 < 3;
        EXPECT(p[i] == (is_there ? 100 + i : 100));
        EXPECT(!is_there || h[i / 8 * 6 + i % 8] == i);
    }
    EXPECT(launch(&clamped, p, object) == 0);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t x = i % 8 < 2 ? 0 : i % 8 - 2, y = i / 8 < 1 ? 0 : i / 8 - 1;
        EXPECT(p[i] == 8 * (y > 2 ? 2 : y) + (x > 5 ? 5 : x));
    }
    EXPECT(launch(&plane, p, object) == 0 && cudaDeviceSynchronize() == 700); /* no texture */
    EXPECT(cudaDestroySurfaceObject(object) == 0);
    return 0;
}

static void surfaces_end_at_their_edges(void **state)
{
    (void)state;
    assert_int_equal(run_apart(surfaces), 0);
}

static int beyond(void)
{
    uint64_t object = 0;
    static void *array;
    struct format format = cudaCreateChannelDesc(32, 0, 0, 0, 1);
    EXPECT(cudaMallocArray(&array, &format, 6, 4, 2) == 0);
    struct resource resource = {.type = 0, .of.array = array};
    EXPECT(cudaCreateSurfaceObject(&object, &resource) == 0);
    return launch(&trapped, NULL, object) == 0 && cudaDeviceSynchronize() == 700 ? 0 : 1;
}

static void beyond_the_edges_is_a_trap(void **state)
{
    (void)state;
    assert_int_equal(run_apart(beyond), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_filtered),
        cmocka_unit_test(lines_of_memory_end_in_zeros),
        cmocka_unit_test(layers_are_apart),
        cmocka_unit_test(surfaces_end_at_their_edges),
        cmocka_unit_test(beyond_the_edges_is_a_trap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
