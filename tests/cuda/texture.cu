/* Textures and surfaces: elements, between elements, beyond the edges, of memory and of arrays, layers,
 * four channels, gathers; what comes is whole or halves, so that it is exact. */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

enum { WIDTH = 8, HEIGHT = 4, COUNT = 24 };

__global__ void ask(float *out, cudaTextureObject_t plane, cudaTextureObject_t line,
                    cudaTextureObject_t colours, cudaTextureObject_t layers,
                    cudaTextureObject_t bytes)
{
    int i = 0;
    out[i++] = tex2D<float>(plane, 2.5f, 1.5f);   /* the element (2, 1) */
    out[i++] = tex2D<float>(plane, 3.0f, 1.5f);   /* between (2, 1) and (3, 1) */
    out[i++] = tex2D<float>(plane, 2.5f, 2.0f);   /* between (2, 1) and (2, 2) */
    out[i++] = tex2D<float>(plane, -3.0f, -9.0f); /* the corner */
    out[i++] = (float)tex1Dfetch<int>(line, 5);
    out[i++] = (float)tex1Dfetch<int>(line, 99); /* beyond memory: 0 */
    uchar4 colour = tex2D<uchar4>(colours, 1.5f, 0.5f);
    out[i++] = colour.x + 256.0f * colour.y + 65536.0f * colour.z;
    out[i++] = colour.w;
    out[i++] = tex2DLayered<float>(layers, 1.5f, 1.5f, 0);
    out[i++] = tex2DLayered<float>(layers, 1.5f, 1.5f, 1);
    out[i++] = tex1D<float>(bytes, 0.5f); /* 255 of 255 */
    out[i++] = tex1D<float>(bytes, 1.5f);
    float4 around = tex2Dgather<float4>(plane, 3.0f, 2.0f, 0);
    out[i++] = around.x + around.y + around.z + around.w;
    float again;
    tex2D(&again, plane, 7.5f, 3.5f);
    out[i++] = again;
}

__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x, y = threadIdx.y;
    float2 pair = surf2Dread<float2>(from, x * 8, y);
    surf2Dwrite(make_float2(pair.y, pair.x), to, (WIDTH - 1 - x) * 8, y);
    float2 beyond;
    surf2Dread(&beyond, from, -8, y, cudaBoundaryModeZero);
    if (beyond.x != 0) {
        surf2Dwrite(beyond, to, 0, 0);
    }
}

static cudaTextureObject_t texture_of(cudaResourceDesc resource, cudaTextureFilterMode filter,
                                      cudaTextureReadMode read)
{
    cudaTextureObject_t object = 0;
    cudaTextureDesc texture;
    memset(&texture, 0, sizeof texture);
    texture.addressMode[0] = texture.addressMode[1] = cudaAddressModeClamp;
    texture.filterMode = filter;
    texture.readMode = read;
    cudaCreateTextureObject(&object, &resource, &texture, NULL);
    return object;
}

static cudaResourceDesc resource_of(cudaArray_t array)
{
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof resource);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    return resource;
}

template <typename T>
static cudaArray_t array_of(const T *elements, int width, int height, int flags)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    cudaMallocArray(&array, &format, width, height, flags);
    cudaMemcpy2DToArray(array, 0, 0, elements, width * sizeof(T), width * sizeof(T),
                        height > 0 ? height : 1, cudaMemcpyHostToDevice);
    return array;
}

static cudaTextureObject_t layers_of(float *elements)
{
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 2), cudaArrayLayered);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(elements, 4 * sizeof(float), 4, 4);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(4, 4, 2);
    copy.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&copy);
    return texture_of(resource_of(array), cudaFilterModePoint, cudaReadModeElementType);
}

int main()
{
    float numbers[WIDTH * HEIGHT], *out, result[COUNT];
    int whole[WIDTH], *on;
    uchar4 colours[4] = {{1, 2, 3, 4}, {5, 6, 7, 200}, {}, {}};
    unsigned char bytes[4] = {255, 0, 0, 0};
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        numbers[i] = i;
        whole[i % WIDTH] = -i;
    }
    cudaMalloc(&out, sizeof result);
    cudaMalloc(&on, sizeof whole);
    cudaMemcpy(on, whole, sizeof whole, cudaMemcpyHostToDevice);
    cudaResourceDesc line;
    memset(&line, 0, sizeof line);
    line.resType = cudaResourceTypeLinear;
    line.res.linear.devPtr = on;
    line.res.linear.desc = cudaCreateChannelDesc<int>();
    line.res.linear.sizeInBytes = sizeof whole;
    cudaArray_t plane = array_of(numbers, WIDTH, HEIGHT, cudaArrayTextureGather);
    ask<<<1, 1>>>(out,
                  texture_of(resource_of(plane), cudaFilterModeLinear, cudaReadModeElementType),
                  texture_of(line, cudaFilterModePoint, cudaReadModeElementType),
                  texture_of(resource_of(array_of(colours, 2, 2, 0)), cudaFilterModePoint,
                             cudaReadModeElementType),
                  layers_of(numbers),
                  texture_of(resource_of(array_of(bytes, 4, 0, 0)), cudaFilterModePoint,
                             cudaReadModeNormalizedFloat));
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 14; i++) {
        printf("%g ", result[i]);
    }
    float2 pairs[WIDTH * HEIGHT / 2], turned[WIDTH * HEIGHT / 2];
    memcpy(pairs, numbers, sizeof pairs);
    cudaArray_t arrays[2] = {array_of(pairs, WIDTH, HEIGHT / 2, cudaArraySurfaceLoadStore),
                             array_of(pairs, WIDTH, HEIGHT / 2, cudaArraySurfaceLoadStore)};
    cudaSurfaceObject_t surfaces[2];
    for (int i = 0; i < 2; i++) {
        cudaResourceDesc resource = resource_of(arrays[i]);
        cudaCreateSurfaceObject(&surfaces[i], &resource);
    }
    turn<<<1, dim3(WIDTH, HEIGHT / 2)>>>(surfaces[0], surfaces[1]);
    cudaMemcpy2DFromArray(turned, WIDTH * 8, arrays[1], 0, 0, WIDTH * 8, HEIGHT / 2,
                          cudaMemcpyDeviceToHost);
    printf("\n%g %g %g %g\n", turned[0].x, turned[0].y, turned[WIDTH].x, turned[2 * WIDTH - 1].y);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
