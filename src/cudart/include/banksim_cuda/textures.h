/* textures.h - arrays, textures and surfaces: the runtime's types and calls, and the instructions that
 * kernels read and write them with. */
#ifndef BANKSIM_CUDA_TEXTURES_H
#define BANKSIM_CUDA_TEXTURES_H

/* ---- the runtime's types, laid out as CUDA 13 does ------------------------------------------- */

enum cudaChannelFormatKind {
    cudaChannelFormatKindSigned,
    cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat,
    cudaChannelFormatKindNone,
};
enum cudaResourceType {
    cudaResourceTypeArray,
    cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear,
    cudaResourceTypePitch2D,
};
enum cudaTextureAddressMode {
    cudaAddressModeWrap,
    cudaAddressModeClamp,
    cudaAddressModeMirror,
    cudaAddressModeBorder,
};
enum cudaTextureFilterMode {
    cudaFilterModePoint,
    cudaFilterModeLinear,
};
enum cudaTextureReadMode {
    cudaReadModeElementType,
    cudaReadModeNormalizedFloat,
};
enum cudaSurfaceBoundaryMode {
    cudaBoundaryModeZero,
    cudaBoundaryModeClamp,
    cudaBoundaryModeTrap,
};

#define cudaArrayDefault 0
#define cudaArrayLayered 1
#define cudaArraySurfaceLoadStore 2
#define cudaArrayCubemap 4
#define cudaArrayTextureGather 8

typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

struct cudaChannelFormatDesc {
    int x, y, z, w; /* bits */
    cudaChannelFormatKind f;
};
struct cudaExtent {
    size_t width, height, depth;
};
struct cudaPos {
    size_t x, y, z;
};
struct cudaPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct cudaMemcpy3DParms {
    cudaArray_t srcArray;
    cudaPos srcPos;
    cudaPitchedPtr srcPtr;
    cudaArray_t dstArray;
    cudaPos dstPos;
    cudaPitchedPtr dstPtr;
    cudaExtent extent;
    cudaMemcpyKind kind;
};
struct cudaResourceDesc {
    cudaResourceType resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
        struct {
            int reserved[32];
        } reserved;
    } res;
    unsigned flags;
};
struct cudaTextureDesc {
    cudaTextureAddressMode addressMode[3];
    cudaTextureFilterMode filterMode;
    cudaTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};
struct cudaResourceViewDesc {
    int format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer, reserved[16];
};

static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    return {width, height, depth};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    return {x, y, z};
}
static inline cudaPitchedPtr make_cudaPitchedPtr(void *p, size_t pitch, size_t width, size_t height)
{
    return {p, pitch, width, height};
}

/* ---- its calls ------------------------------------------------------------------------------- */

extern "C" {
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind);
cudaError_t cudaMallocArray(cudaArray_t *array, const cudaChannelFormatDesc *format, size_t width,
                            size_t height = 0, unsigned flags = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t *array, const cudaChannelFormatDesc *format,
                              cudaExtent extent, unsigned flags = 0);
cudaError_t cudaFreeArray(cudaArray_t array);
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags,
                             cudaArray_t array);
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t array);
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                              cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t stream = 0);
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                  size_t y, size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                       size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                       cudaStream_t stream = 0);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                     cudaArray_const_t from, size_t x, size_t y, size_t width,
                                     size_t height, cudaMemcpyKind kind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *what);
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *what, cudaStream_t stream = 0);
cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent);
cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent);
cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                              cudaStream_t stream = 0);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *texture,
                                    const cudaResourceViewDesc *view);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object);
}

/* ---- elements: of one to four channels ------------------------------------------------------- */

/* A channel's type and how many there are; kind is what a texture reads them as. */
template <typename T> struct __banksim_element;

#define __BANKSIM_CHANNELS(vector, channel, many, letter) \
    template <> struct __banksim_element<vector> {        \
        typedef channel type;                             \
        static constexpr int n = many;                    \
        static constexpr char kind = letter;              \
    };
#define __BANKSIM_ELEMENT(channel, name, letter)    \
    __BANKSIM_CHANNELS(channel, channel, 1, letter) \
    __BANKSIM_CHANNELS(name##1, channel, 1, letter) \
    __BANKSIM_CHANNELS(name##2, channel, 2, letter) \
    __BANKSIM_CHANNELS(name##4, channel, 4, letter)

__BANKSIM_ELEMENT(signed char, char, 's')
__BANKSIM_ELEMENT(unsigned char, uchar, 'u')
__BANKSIM_ELEMENT(short, short, 's')
__BANKSIM_ELEMENT(unsigned short, ushort, 'u')
__BANKSIM_ELEMENT(int, int, 's')
__BANKSIM_ELEMENT(unsigned, uint, 'u')
__BANKSIM_ELEMENT(float, float, 'f')
__BANKSIM_CHANNELS(char, char, 1, 's')

template <typename T> static inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    typedef __banksim_element<T> element;
    constexpr int bits = 8 * sizeof(typename element::type), n = element::n;
    return {bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 2 ? bits : 0,
            element::kind == 'f'   ? cudaChannelFormatKindFloat
            : element::kind == 's' ? cudaChannelFormatKindSigned
                                   : cudaChannelFormatKindUnsigned};
}

#ifdef __CUDA__
__BANKSIM_CALLERS_LINES

template <typename T> __BANKSIM_DEVICE T __banksim_texel(const unsigned (&word)[4])
{
    typedef typename __banksim_element<T>::type channel;
    channel values[4];
    for (int i = 0; i < 4; i++) {
        if constexpr (__banksim_element<T>::kind == 'f') {
            values[i] = __nvvm_bitcast_i2f((int)word[i]);
        } else {
            values[i] = (channel)word[i];
        }
    }
    T texel;
    __builtin_memcpy(&texel, values, sizeof texel);
    return texel;
}

/* ---- reading textures ------------------------------------------------------------------------ */

#define __BANKSIM_LIST(...) __VA_ARGS__

#define __BANKSIM_TEX_AS(type, instruction, by, place, ...)                    \
    asm(instruction ".v4." type by " {%0, %1, %2, %3}, [%[object], " place ";" \
        : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])           \
        : [object] "l"(object), __VA_ARGS__)

/* name(object, ...), and name(&result, object, ...). by: the type of the coordinates; place: the
 * operands' text behind the object's, whose names are those of the last arguments. */
#define __BANKSIM_TEXTURE(name, instruction, by, place, parameters, arguments, ...)       \
    template <typename T> __BANKSIM_DEVICE T name(cudaTextureObject_t object, parameters) \
    {                                                                                     \
        unsigned word[4];                                                                 \
        if constexpr (__banksim_element<T>::kind == 'f') {                                \
            __BANKSIM_TEX_AS("f32", instruction, by, place, __VA_ARGS__);                 \
        } else if constexpr (__banksim_element<T>::kind == 's') {                         \
            __BANKSIM_TEX_AS("s32", instruction, by, place, __VA_ARGS__);                 \
        } else {                                                                          \
            __BANKSIM_TEX_AS("u32", instruction, by, place, __VA_ARGS__);                 \
        }                                                                                 \
        return __banksim_texel<T>(word);                                                  \
    }                                                                                     \
    template <typename T>                                                                 \
    __BANKSIM_DEVICE void name(T *result, cudaTextureObject_t object, parameters)         \
    {                                                                                     \
        *result = name<T>(object, arguments);                                             \
    }

__BANKSIM_TEXTURE(tex1Dfetch, "tex.1d", ".s32", "{%[x]}]", int x, x, [x] "r"(x))
__BANKSIM_TEXTURE(tex1D, "tex.1d", ".f32", "{%[x]}]", float x, x, [x] "f"(x))
__BANKSIM_TEXTURE(tex2D, "tex.2d", ".f32", "{%[x], %[y]}]", __BANKSIM_LIST(float x, float y),
                  __BANKSIM_LIST(x, y), [x] "f"(x), [y] "f"(y))
__BANKSIM_TEXTURE(tex3D, "tex.3d", ".f32", "{%[x], %[y], %[z], %[z]}]",
                  __BANKSIM_LIST(float x, float y, float z),
                  __BANKSIM_LIST(x, y, z), [x] "f"(x), [y] "f"(y), [z] "f"(z))
__BANKSIM_TEXTURE(tex1DLayered, "tex.a1d", ".f32", "{%[layer], %[x]}]",
                  __BANKSIM_LIST(float x, int layer),
                  __BANKSIM_LIST(x, layer), [x] "f"(x), [layer] "r"(layer))
__BANKSIM_TEXTURE(tex2DLayered, "tex.a2d", ".f32", "{%[layer], %[x], %[y], %[y]}]",
                  __BANKSIM_LIST(float x, float y, int layer),
                  __BANKSIM_LIST(x, y, layer), [x] "f"(x), [y] "f"(y), [layer] "r"(layer))
__BANKSIM_TEXTURE(texCubemap, "tex.cube", ".f32", "{%[x], %[y], %[z], %[z]}]",
                  __BANKSIM_LIST(float x, float y, float z),
                  __BANKSIM_LIST(x, y, z), [x] "f"(x), [y] "f"(y), [z] "f"(z))
__BANKSIM_TEXTURE(tex2DLod, "tex.level.2d", ".f32", "{%[x], %[y]}], %[level]",
                  __BANKSIM_LIST(float x, float y, float level),
                  __BANKSIM_LIST(x, y, level), [x] "f"(x), [y] "f"(y), [level] "f"(level))

/* The channel's letter is in the instruction. */
#define __BANKSIM_GATHER(letter)                                                                 \
    __BANKSIM_TEXTURE(__banksim_gather_##letter, "tld4." #letter ".2d", ".f32", "{%[x], %[y]}]", \
                      __BANKSIM_LIST(float x, float y),                                          \
                      __BANKSIM_LIST(x, y), [x] "f"(x), [y] "f"(y))
__BANKSIM_GATHER(r)
__BANKSIM_GATHER(g)
__BANKSIM_GATHER(b)
__BANKSIM_GATHER(a)
template <typename T>
__BANKSIM_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int channel = 0)
{
    return channel == 1   ? __banksim_gather_g<T>(object, x, y)
           : channel == 2 ? __banksim_gather_b<T>(object, x, y)
           : channel == 3 ? __banksim_gather_a<T>(object, x, y)
                          : __banksim_gather_r<T>(object, x, y);
}

/* ---- reading and writing surfaces: elements of 1, 2, 4, 8 or 16 bytes, x in bytes ------------ */

#define __BANKSIM_SULD_AS(form, edge, target, outputs, place, ...)              \
    asm volatile("suld.b." form "." edge " " target ", [%[object], " place "];" \
                 : outputs                                                      \
                 : [object] "l"(object), __VA_ARGS__                            \
                 : "memory")
#define __BANKSIM_SULD(geometry, edge, place, ...)                                             \
    if constexpr (sizeof(T) == 1) {                                                            \
        __BANKSIM_SULD_AS(geometry ".b8", edge, "%0", "=h"(narrow), place, __VA_ARGS__);       \
    } else if constexpr (sizeof(T) == 2) {                                                     \
        __BANKSIM_SULD_AS(geometry ".b16", edge, "%0", "=h"(narrow), place, __VA_ARGS__);      \
    } else if constexpr (sizeof(T) == 4) {                                                     \
        __BANKSIM_SULD_AS(geometry ".b32", edge, "%0", "=r"(word[0]), place, __VA_ARGS__);     \
    } else if constexpr (sizeof(T) == 8) {                                                     \
        __BANKSIM_SULD_AS(geometry ".v2.b32", edge, "{%0, %1}",                                \
                          __BANKSIM_LIST("=r"(word[0]), "=r"(word[1])), place, __VA_ARGS__);   \
    } else {                                                                                   \
        __BANKSIM_SULD_AS(                                                                     \
            geometry ".v4.b32", edge, "{%0, %1, %2, %3}",                                      \
            __BANKSIM_LIST("=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3])), place, \
            __VA_ARGS__);                                                                      \
    }

#define __BANKSIM_SUST_AS(form, edge, source, inputs, place, ...)               \
    asm volatile("sust.b." form "." edge " [%[object], " place "], " source ";" \
                 :                                                              \
                 : inputs, [object] "l"(object), __VA_ARGS__                    \
                 : "memory")
#define __BANKSIM_SUST(geometry, edge, place, ...)                                                \
    if constexpr (sizeof(T) == 1) {                                                               \
        __BANKSIM_SUST_AS(geometry ".b8", edge, "%0", "h"(narrow), place, __VA_ARGS__);           \
    } else if constexpr (sizeof(T) == 2) {                                                        \
        __BANKSIM_SUST_AS(geometry ".b16", edge, "%0", "h"(narrow), place, __VA_ARGS__);          \
    } else if constexpr (sizeof(T) == 4) {                                                        \
        __BANKSIM_SUST_AS(geometry ".b32", edge, "%0", "r"(word[0]), place, __VA_ARGS__);         \
    } else if constexpr (sizeof(T) == 8) {                                                        \
        __BANKSIM_SUST_AS(geometry ".v2.b32", edge, "{%0, %1}",                                   \
                          __BANKSIM_LIST("r"(word[0]), "r"(word[1])), place, __VA_ARGS__);        \
    } else {                                                                                      \
        __BANKSIM_SUST_AS(geometry ".v4.b32", edge, "{%0, %1, %2, %3}",                           \
                          __BANKSIM_LIST("r"(word[0]), "r"(word[1]), "r"(word[2]), "r"(word[3])), \
                          place, __VA_ARGS__);                                                    \
    }

#define __BANKSIM_BY_EDGE(what, geometry, place, ...) \
    if (edge == cudaBoundaryModeZero) {               \
        what(geometry, "zero", place, __VA_ARGS__)    \
    } else if (edge == cudaBoundaryModeClamp) {       \
        what(geometry, "clamp", place, __VA_ARGS__)   \
    } else {                                          \
        what(geometry, "trap", place, __VA_ARGS__)    \
    }

#define __BANKSIM_SURFACE(name, geometry, place, parameters, arguments, ...)                \
    template <typename T>                                                                   \
    __BANKSIM_DEVICE T name##read(cudaSurfaceObject_t object, parameters,                   \
                                  cudaSurfaceBoundaryMode edge = cudaBoundaryModeTrap)      \
    {                                                                                       \
        unsigned short narrow = 0;                                                          \
        unsigned word[4] = {};                                                              \
        T value;                                                                            \
        __BANKSIM_BY_EDGE(__BANKSIM_SULD, geometry, place, __VA_ARGS__)                     \
        __builtin_memcpy(&value, sizeof value <= 2 ? (void *)&narrow : word, sizeof value); \
        return value;                                                                       \
    }                                                                                       \
    template <typename T>                                                                   \
    __BANKSIM_DEVICE void name##read(T *value, cudaSurfaceObject_t object, parameters,      \
                                     cudaSurfaceBoundaryMode edge = cudaBoundaryModeTrap)   \
    {                                                                                       \
        *value = name##read<T>(object, arguments, edge);                                    \
    }                                                                                       \
    template <typename T>                                                                   \
    __BANKSIM_DEVICE void name##write(T value, cudaSurfaceObject_t object, parameters,      \
                                      cudaSurfaceBoundaryMode edge = cudaBoundaryModeTrap)  \
    {                                                                                       \
        unsigned short narrow = 0;                                                          \
        unsigned word[4] = {};                                                              \
        __builtin_memcpy(sizeof value <= 2 ? (void *)&narrow : word, &value, sizeof value); \
        __BANKSIM_BY_EDGE(__BANKSIM_SUST, geometry, place, __VA_ARGS__)                     \
    }

__BANKSIM_SURFACE(surf1D, "1d", "{%[x]}", int x, x, [x] "r"(x))
__BANKSIM_SURFACE(surf2D, "2d", "{%[x], %[y]}", __BANKSIM_LIST(int x, int y),
                  __BANKSIM_LIST(x, y), [x] "r"(x), [y] "r"(y))
__BANKSIM_SURFACE(surf3D, "3d", "{%[x], %[y], %[z], %[z]}", __BANKSIM_LIST(int x, int y, int z),
                  __BANKSIM_LIST(x, y, z), [x] "r"(x), [y] "r"(y), [z] "r"(z))
__BANKSIM_SURFACE(surf1DLayered, "a1d", "{%[layer], %[x]}", __BANKSIM_LIST(int x, int layer),
                  __BANKSIM_LIST(x, layer), [x] "r"(x), [layer] "r"(layer))
__BANKSIM_SURFACE(surf2DLayered, "a2d", "{%[layer], %[x], %[y], %[y]}",
                  __BANKSIM_LIST(int x, int y, int layer),
                  __BANKSIM_LIST(x, y, layer), [x] "r"(x), [y] "r"(y), [layer] "r"(layer))

__BANKSIM_OWN_LINES
#endif
#endif
