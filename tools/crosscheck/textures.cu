/* textures.cu - what textures and surfaces give on this machine's GPU: a line for each fetch, with the
 * texture, the coordinates and what came, all in hex. tests/measured/h200/ptx/textures.txt
 * is a part of what it wrote.
 *
 *     2d f32x1 rough linear wrap normal element 40200000 3f000000 00000000 0 : 3f800000 0 0 3f800000
 *
 * Textures are 13 wide, 7 high, 5 deep (or have 5 layers), filled as fill() has it.
 */
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

enum { WIDTH = 13, HEIGHT = 7, DEPTH = 5 };
enum geometry { G_1D, G_2D, G_3D, G_A1D, G_A2D, G_CUBE, G_FETCH, G_GATHER, G_PITCH, GEOMETRIES };
static const char *const geometry_name[] = {"1d",   "2d",    "3d",     "a1d",  "a2d",
                                            "cube", "fetch", "gather", "pitch"};
enum fill { RAMP, UNIT, ROUGH };
static const char *const fill_name[] = {"ramp", "unit", "rough"};
static const char *const mode_name[] = {"wrap", "clamp", "mirror", "border"};

struct format {
    const char *name;
    cudaChannelFormatKind kind;
    int bits, n;
};
static const format formats[] = {
    {"f32x1", cudaChannelFormatKindFloat, 32, 1},    {"f32x4", cudaChannelFormatKindFloat, 32, 4},
    {"f16x2", cudaChannelFormatKindFloat, 16, 2},    {"u8x1", cudaChannelFormatKindUnsigned, 8, 1},
    {"u8x4", cudaChannelFormatKindUnsigned, 8, 4},   {"s8x2", cudaChannelFormatKindSigned, 8, 2},
    {"u16x1", cudaChannelFormatKindUnsigned, 16, 1}, {"s16x4", cudaChannelFormatKindSigned, 16, 4},
    {"u32x2", cudaChannelFormatKindUnsigned, 32, 2}, {"s32x1", cudaChannelFormatKindSigned, 32, 1},
};

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "textures: %s: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
}

/* Channel c of element i, whose first is 0: a ramp is i; a unit is 1 (of bytes and the like the largest)
 * at element 3 + 3 * 13 + 2 * 13 * 7, or at what a smaller texture has of it, else 0; rough is a mix. */
static uint32_t fill(const format *f, enum fill how, uint32_t i, uint32_t unit, int c)
{
    uint32_t h = (i * 4 + c + 1) * 2654435761u;
    h ^= h >> 15;
    if (f->kind == cudaChannelFormatKindFloat && f->bits == 32) {
        float value = how == RAMP ? (float)i : how == UNIT ? i == unit : (int32_t)h * 0x1p-28f;
        uint32_t bits;
        memcpy(&bits, &value, 4);
        return bits;
    }
    if (f->kind == cudaChannelFormatKindFloat) { /* 1.0 is 3c00, 1 + m / 1024 */
        return how == RAMP   ? 0x3c00 + i
               : how == UNIT ? (i == unit ? 0x3c00 : 0)
                             : 0x3000 + h % 0x2000;
    }
    uint32_t most = f->kind == cudaChannelFormatKindSigned ? (1u << (f->bits - 1)) - 1
                    : f->bits == 32                        ? UINT32_MAX
                                                           : (1u << f->bits) - 1;
    return how == RAMP ? i : how == UNIT ? (i == unit ? most : 0) : h;
}

__global__ void fetch(cudaTextureObject_t t, int geometry, int kind, const float4 *at, uint4 *to,
                      int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    float4 p = at[i];
    int layer = (int)p.w;
    unsigned r[4] = {0, 0, 0, 0};
#define FETCH(T, ...)      \
    do {                   \
        T v = __VA_ARGS__; \
        memcpy(r, &v, 16); \
    } while (0)
#define BY_GEOMETRY(T)                                 \
    switch (geometry) {                                \
    case G_1D:                                         \
        FETCH(T, tex1D<T>(t, p.x));                    \
        break;                                         \
    case G_2D:                                         \
    case G_PITCH:                                      \
        FETCH(T, tex2D<T>(t, p.x, p.y));               \
        break;                                         \
    case G_3D:                                         \
        FETCH(T, tex3D<T>(t, p.x, p.y, p.z));          \
        break;                                         \
    case G_A1D:                                        \
        FETCH(T, tex1DLayered<T>(t, p.x, layer));      \
        break;                                         \
    case G_A2D:                                        \
        FETCH(T, tex2DLayered<T>(t, p.x, p.y, layer)); \
        break;                                         \
    case G_CUBE:                                       \
        FETCH(T, texCubemap<T>(t, p.x, p.y, p.z));     \
        break;                                         \
    case G_FETCH:                                      \
        FETCH(T, tex1Dfetch<T>(t, (int)p.x));          \
        break;                                         \
    case G_GATHER:                                     \
        if (layer == 0)                                \
            FETCH(T, tex2Dgather<T>(t, p.x, p.y, 0));  \
        else if (layer == 1)                           \
            FETCH(T, tex2Dgather<T>(t, p.x, p.y, 1));  \
        else if (layer == 2)                           \
            FETCH(T, tex2Dgather<T>(t, p.x, p.y, 2));  \
        else                                           \
            FETCH(T, tex2Dgather<T>(t, p.x, p.y, 3));  \
        break;                                         \
    }
    if (kind == 0) {
        BY_GEOMETRY(float4)
    } else if (kind == 1) {
        BY_GEOMETRY(uint4)
    } else {
        BY_GEOMETRY(int4)
    }
    to[i] = make_uint4(r[0], r[1], r[2], r[3]);
}

struct texture {
    geometry g;
    const format *f;
    enum fill how;
    bool is_linear, is_normalised, reads_float;
    cudaTextureAddressMode mode;
};

static uint32_t seed = 1;
static uint32_t next()
{
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}
static float random_at(float size)
{
    return -1.5f * size + 4.0f * size * (float)(next() * 0x1p-24);
}

static std::vector<unsigned char> contents(const texture &t, uint32_t n, uint32_t unit)
{
    std::vector<unsigned char> data;
    for (uint32_t i = 0; i < n; i++) {
        for (int c = 0; c < t.f->n; c++) {
            uint32_t v = fill(t.f, t.how, i, unit, c);
            for (int b = 0; b < t.f->bits; b += 8) {
                data.push_back((unsigned char)(v >> b));
            }
        }
    }
    return data;
}

static void show(const texture &t, const std::vector<float4> &at)
{
    uint32_t h = t.g == G_1D || t.g == G_A1D || t.g == G_FETCH ? 1 : t.g == G_CUBE ? WIDTH : HEIGHT;
    uint32_t d = t.g == G_3D || t.g == G_A1D || t.g == G_A2D ? DEPTH : t.g == G_CUBE ? 6 : 1;
    uint32_t n = WIDTH * h * d, unit = 3 + (h > 1 ? 3 * WIDTH : 0) + (d > 1 ? 2 * WIDTH * h : 0);
    std::vector<unsigned char> data = contents(t, n, unit);
    size_t element = t.f->bits / 8 * t.f->n;
    int bits[4] = {0};
    for (int c = 0; c < t.f->n; c++) {
        bits[c] = t.f->bits;
    }
    cudaChannelFormatDesc desc =
        cudaCreateChannelDesc(bits[0], bits[1], bits[2], bits[3], t.f->kind);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    if (t.g == G_FETCH) {
        void *p;
        check(cudaMalloc(&p, data.size()), "memory");
        check(cudaMemcpy(p, data.data(), data.size(), cudaMemcpyHostToDevice), "copy");
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = p;
        resource.res.linear.desc = desc;
        resource.res.linear.sizeInBytes = data.size();
    } else if (t.g == G_PITCH) {
        void *p;
        size_t pitch;
        check(cudaMallocPitch(&p, &pitch, WIDTH * element, h), "memory");
        check(cudaMemcpy2D(p, pitch, data.data(), WIDTH * element, WIDTH * element, h,
                           cudaMemcpyHostToDevice),
              "copy");
        resource.resType = cudaResourceTypePitch2D;
        resource.res.pitch2D.devPtr = p;
        resource.res.pitch2D.desc = desc;
        resource.res.pitch2D.width = WIDTH;
        resource.res.pitch2D.height = h;
        resource.res.pitch2D.pitchInBytes = pitch;
    } else {
        cudaArray_t array;
        unsigned flags = t.g == G_A1D || t.g == G_A2D ? cudaArrayLayered
                         : t.g == G_CUBE              ? cudaArrayCubemap
                         : t.g == G_GATHER            ? cudaArrayTextureGather
                                                      : 0;
        bool is_flat = t.g == G_1D || t.g == G_A1D;
        check(cudaMalloc3DArray(&array, &desc,
                                make_cudaExtent(WIDTH, is_flat ? 0 : h, d > 1 ? d : 0), flags),
              "array");
        cudaMemcpy3DParms copy;
        memset(&copy, 0, sizeof copy);
        copy.srcPtr = make_cudaPitchedPtr(data.data(), WIDTH * element, WIDTH, h);
        copy.dstArray = array;
        copy.extent = make_cudaExtent(WIDTH, h, d);
        copy.kind = cudaMemcpyHostToDevice;
        check(cudaMemcpy3D(&copy), "copy");
        resource.resType = cudaResourceTypeArray;
        resource.res.array.array = array;
    }
    cudaTextureDesc how;
    memset(&how, 0, sizeof how);
    how.addressMode[0] = how.addressMode[1] = how.addressMode[2] = t.mode;
    how.filterMode = t.is_linear ? cudaFilterModeLinear : cudaFilterModePoint;
    how.readMode = t.reads_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
    how.normalizedCoords = t.is_normalised;
    how.borderColor[0] = 0.25f;
    how.borderColor[1] = 2;
    how.borderColor[2] = -3;
    how.borderColor[3] = 0.5f;
    cudaTextureObject_t object;
    check(cudaCreateTextureObject(&object, &resource, &how, NULL), "texture");
    float4 *from;
    uint4 *to;
    std::vector<uint4> got(at.size());
    check(cudaMalloc(&from, at.size() * 16), "memory");
    check(cudaMalloc(&to, at.size() * 16), "memory");
    check(cudaMemcpy(from, at.data(), at.size() * 16, cudaMemcpyHostToDevice), "copy");
    bool is_float = t.reads_float || t.f->kind == cudaChannelFormatKindFloat;
    int kind = is_float ? 0 : t.f->kind == cudaChannelFormatKindUnsigned ? 1 : 2;
    fetch<<<(int)(at.size() + 31) / 32, 32>>>(object, t.g, kind, from, to, (int)at.size());
    check(cudaDeviceSynchronize(), "kernel");
    check(cudaMemcpy(got.data(), to, at.size() * 16, cudaMemcpyDeviceToHost), "copy");
    for (size_t i = 0; i < at.size(); i++) {
        uint32_t p[4];
        memcpy(p, &at[i], 16);
        std::printf("%s %s %s %s %s %s %s %08x %08x %08x %d : %x %x %x %x\n", geometry_name[t.g],
                    t.f->name, fill_name[t.how], t.is_linear ? "linear" : "point",
                    mode_name[t.mode], t.is_normalised ? "normal" : "plain",
                    t.reads_float ? "float" : "element", p[0], p[1], p[2], (int)at[i].w, got[i].x,
                    got[i].y, got[i].z, got[i].w);
    }
}

static std::vector<float4> points(const texture &t, int n)
{
    std::vector<float4> at;
    for (int i = 0; i < n; i++) {
        float4 p = {random_at(WIDTH), random_at(t.g == G_CUBE ? WIDTH : HEIGHT), random_at(DEPTH),
                    0};
        if (t.is_normalised && t.g != G_CUBE) {
            p.x /= WIDTH, p.y /= HEIGHT, p.z /= DEPTH;
        }
        if (t.g == G_FETCH) {
            p.x = (float)((int)(next() % (WIDTH + 6)) - 3);
        }
        if (t.g == G_A1D || t.g == G_A2D) {
            p.w = (float)((int)(next() % 9) - 2);
        }
        if (t.g == G_GATHER) {
            p.w = (float)(next() % 4);
        }
        if (i % 4 == 3 && t.g != G_FETCH) { /* whole and half coordinates, and just beside them */
            float step = t.is_normalised ? 0.25f / WIDTH : 0.25f;
            p.x = (float)((int)(next() % 60) - 4) * step;
            p.y = t.is_normalised ? 0.5f : 2.5f;
            p.z = t.is_normalised ? 0.5f : 2.5f;
        }
        at.push_back(p);
    }
    return at;
}

/* How a fraction is cut to 8 bits, and what two and four elements are weighed by. */
static void show_weights()
{
    for (int normalised = 0; normalised < 2; normalised++) {
        texture t = {G_1D, &formats[0], RAMP, true, normalised != 0, false, cudaAddressModeClamp};
        std::vector<float4> at;
        for (int k = 0; k < 96; k++) {
            float x =
                2.5f + (float)(next() % 4096) / 2048.0f + (k % 3 == 0) * (float)next() * 0x1p-30f;
            at.push_back(make_float4(normalised ? x / WIDTH : x, 0, 0, 0));
        }
        show(t, at);
    }
    for (int g = G_1D; g <= G_3D; g++) {
        for (int f : {0, 4, 6, 2}) {
            texture t = {(geometry)g,
                         &formats[f],
                         UNIT,
                         true,
                         false,
                         formats[f].kind != cudaChannelFormatKindFloat,
                         cudaAddressModeClamp};
            std::vector<float4> at;
            for (int k = 0; k < 48; k++) {
                at.push_back(make_float4(2.5f + 2 * (next() * 0x1p-24f),
                                         2.5f + 2 * (next() * 0x1p-24f),
                                         1.5f + 2 * (next() * 0x1p-24f), 0));
            }
            show(t, at);
        }
    }
}

__global__ void surfaces(cudaSurfaceObject_t s, int n, uint32_t *to)
{
    int i = threadIdx.x;
    int x = i % 8 * 8 - 16, y = i / 8 * 3 - 3;
    to[2 * i] = surf2Dread<uint32_t>(s, x, y, cudaBoundaryModeZero);
    to[2 * i + 1] = surf2Dread<uint32_t>(s, x, y, cudaBoundaryModeClamp);
}

static void show_surface()
{
    texture t = {G_2D, &formats[0], RAMP, false, false, false, cudaAddressModeClamp};
    std::vector<unsigned char> data = contents(t, WIDTH * HEIGHT, 0);
    cudaChannelFormatDesc desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t array;
    uint32_t *to, got[64];
    check(cudaMallocArray(&array, &desc, WIDTH, HEIGHT, cudaArraySurfaceLoadStore), "array");
    check(cudaMemcpy2DToArray(array, 0, 0, data.data(), WIDTH * 4, WIDTH * 4, HEIGHT,
                              cudaMemcpyHostToDevice),
          "copy");
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaSurfaceObject_t object;
    check(cudaCreateSurfaceObject(&object, &resource), "surface");
    check(cudaMalloc(&to, sizeof got), "memory");
    surfaces<<<1, 32>>>(object, 32, to);
    check(cudaDeviceSynchronize(), "kernel");
    check(cudaMemcpy(got, to, sizeof got, cudaMemcpyDeviceToHost), "copy");
    for (int i = 0; i < 32; i++) {
        std::printf("surface f32x1 ramp zero clamp %d %d : %x %x\n", i % 8 * 8 - 16, i / 8 * 3 - 3,
                    got[2 * i], got[2 * i + 1]);
    }
}

int main()
{
    show_weights();
    show_surface();
    for (int g = 0; g < GEOMETRIES; g++) {
        for (const format &f : formats) {
            bool is_float = f.kind == cudaChannelFormatKindFloat;
            for (int how = 0; how < 8; how++) {
                bool reads_float = how & 1 && !is_float && f.bits < 32;
                bool is_linear = how & 2 && (is_float || reads_float);
                bool is_normalised = (how & 4) != 0;
                if (g == G_FETCH && (is_linear || is_normalised))
                    continue;
                if (g == G_CUBE && !is_normalised)
                    continue;
                if (g == G_GATHER && (is_linear || reads_float))
                    continue;
                if ((how & 1 && !reads_float) || (how & 2 && !is_linear))
                    continue;
                for (int mode = 0; mode < 4; mode++) {
                    if (!is_normalised &&
                        (mode == cudaAddressModeWrap || mode == cudaAddressModeMirror))
                        continue;
                    if (g == G_FETCH && mode != cudaAddressModeClamp)
                        continue;
                    if (g == G_CUBE && mode != cudaAddressModeClamp)
                        continue;
                    texture t = {(geometry)g,
                                 &f,
                                 ROUGH,
                                 is_linear,
                                 is_normalised,
                                 reads_float,
                                 (cudaTextureAddressMode)mode};
                    show(t, points(t, f.n == 1 ? 16 : 8));
                }
            }
        }
    }
    return 0;
}
