/* cub.cu - what of CUB banksim reads itself, std::is_same and its kin, and shuffles of structs; above each kernel
 * a launch. Accesses of CUB's headers belong to the lines that call it.
 *
 *     nvcc 13.0.88: nvcc -arch=compute_90 -lineinfo -ptx -o cub.ptx cub.cu
 */
#include <cooperative_groups.h>
#include <cub/cub.cuh>
#include <limits>
#include <type_traits>

/* blocks<<<2, 128>>>(float[256] = random, float[2], float[2]) */
__global__ void blocks(const float *p, float *sums, float *most)
{
    typedef cub::BlockReduce<float, 128> BlockReduce;
    __shared__ typename BlockReduce::TempStorage temp;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = BlockReduce(temp).Sum(p[i]);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = x;
    __syncthreads();
    x = BlockReduce(temp).Reduce(p[i], [](float a, float b) { return a > b ? a : b; });
    if (threadIdx.x == 0)
        most[blockIdx.x] = x;
}
/* some<<<1, dim3(16, 12)>>>(int[192] = iota, int[1], 150) */
__global__ void some(const int *p, int *out, int n)
{
    using Reduce = cub::BlockReduce<int, 16, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 12>;
    __shared__ Reduce::TempStorage temp;
    int i = threadIdx.y * 16 + threadIdx.x, x = Reduce(temp).Sum(i < n ? p[i] : 0);
    if (i == 0)
        out[0] = x;
}
constexpr int limit = std::numeric_limits<int>::max();
/* warps<<<1, 96>>>(double[96] = random, double[96]) */
__global__ void warps(const double *p, double *out)
{
    typedef cub::WarpReduce<double> Reduce;
    __shared__ Reduce::TempStorage temp[3];
    double x = Reduce(temp[threadIdx.x / 32]).Sum(p[threadIdx.x]);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = x;
    out[3 + threadIdx.x % 8] = std::is_same<double, float>::value ? 1 : limit;
}
struct Most {
    float most, least;
    double sum;
};
/* pairs<<<1, 64>>>(float[64] = random, float[64], double[64]) */
__global__ void pairs(const float *p, float *most, double *sum)
{
    auto tile = cooperative_groups::tiled_partition<16>(cooperative_groups::this_thread_block());
    Most x = {p[threadIdx.x], p[threadIdx.x], p[threadIdx.x] * 2.0};
    for (int d = 8; d > 0; d /= 2) {
        Most y = tile.shfl_xor(x, d);
        x.most = x.most > y.most ? x.most : y.most;
        x.least = x.least < y.least ? x.least : y.least;
        x.sum += y.sum;
    }
    most[threadIdx.x] = x.most - x.least;
    sum[threadIdx.x] = x.sum;
}
/* Called from CUB, with the accesses where CUB is called. */
struct Greater {
    template <typename T, typename U>
    __device__ typename std::common_type<T, U>::type operator()(T &&a, U &&b) const
    {
        return a > b ? a : b;
    }
};
__device__ double2 operator+(const double2 &a, const double2 &b)
{
    return make_double2(a.x + b.x, a.y + b.y);
}
/* own<<<1, 128>>>(float[128] = random, float[1], double2[1]) */
__global__ void own(const float *p, float *most, double2 *sums)
{
    typedef cub::BlockReduce<float, 128> Floats;
    typedef cub::BlockReduce<double2, 128> Pairs;
    __shared__ typename Floats::TempStorage temp;
    __shared__ typename Pairs::TempStorage more;
    typename std::conditional<sizeof(float) == 4, float, double>::type x =
        Floats(temp).Reduce(p[threadIdx.x], Greater());
    double2 sum = make_double2(x, p[threadIdx.x]);
    sum = Pairs(more).Sum(sum);
    if (threadIdx.x == 0) {
        most[0] = x;
        sums[0] = sum;
    }
}
/* A function of CUB's name beside it, and a name of two namespaces. */
namespace first {
constexpr int factor = 3;
}
namespace second {
constexpr int factor = 5;
}
template <typename T, int X, int Y> __device__ T BlockReduce(T x)
{
    using BlockReduce = cub::BlockReduce<T, X, cub::BLOCK_REDUCE_WARP_REDUCTIONS, Y>;
    __shared__ typename BlockReduce::TempStorage temp;
    return BlockReduce(temp).Sum(x);
}
/* named<<<1, dim3(32, 4)>>>(int[128] = iota, int[1]) */
__global__ void named(const int *p, int *out)
{
    int x = BlockReduce<int, 32, 4>(p[threadIdx.y * 32 + threadIdx.x]);
    if (threadIdx.x + threadIdx.y == 0)
        out[0] = x * first::factor;
}
