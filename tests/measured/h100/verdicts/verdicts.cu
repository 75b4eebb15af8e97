/* verdicts.cu - times kernels that come in pairs, with bank conflicts and without: those of this folder, or with
 * -DSECOND those of second/, with -DTHIRD those of ../../h200/verdicts, with -DFOURTH, -DFIFTH and -DSIXTH those of fourth/, fifth/ and sixth/ there, one block of each, of some several blocks on each SM, too. Prints a row for each: clocks from
 * the first warp's beginning to the last one's end on an SM, the median of the SMs, of five runs the median.
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -DTIMED -o verdicts tests/measured/h100/verdicts/verdicts.cu && ./verdicts */
#ifdef SECOND
#include "second/pictures.cu"
#include "second/strings.cu"
#include "second/sorting.cu"
#include "second/matrices.cu"
#include "second/signals.cu"
#include "second/structures.cu"
#define LAUNCHES "second/launches.inc"
#elif defined THIRD
#include "../../h200/verdicts/physics.cu"
#include "../../h200/verdicts/linear.cu"
#include "../../h200/verdicts/coding.cu"
#include "../../h200/verdicts/vision.cu"
#include "../../h200/verdicts/dynamic.cu"
#include "../../h200/verdicts/models.cu"
#define LAUNCHES "../../h200/verdicts/launches.inc"
#elif defined FOURTH
#include "../../h200/verdicts/fourth/geometry.cu"
#include "../../h200/verdicts/fourth/filters.cu"
#include "../../h200/verdicts/fourth/bits.cu"
#include "../../h200/verdicts/fourth/search.cu"
#include "../../h200/verdicts/fourth/numerics.cu"
#include "../../h200/verdicts/fourth/nets.cu"
#define LAUNCHES "../../h200/verdicts/fourth/launches.inc"
#elif defined FIFTH
#include "../../h200/verdicts/fifth/dense.cu"
#include "../../h200/verdicts/fifth/sparse.cu"
#include "../../h200/verdicts/fifth/signal.cu"
#include "../../h200/verdicts/fifth/images.cu"
#include "../../h200/verdicts/fifth/keys.cu"
#include "../../h200/verdicts/fifth/physics.cu"
#include "../../h200/verdicts/fifth/nets.cu"
#define LAUNCHES "../../h200/verdicts/fifth/launches.inc"
#elif defined SIXTH
#include "../../h200/verdicts/sixth/markets.cu"
#include "../../h200/verdicts/sixth/matter.cu"
#include "../../h200/verdicts/sixth/coders.cu"
#include "../../h200/verdicts/sixth/media.cu"
#include "../../h200/verdicts/sixth/records.cu"
#include "../../h200/verdicts/sixth/shapes.cu"
#include "../../h200/verdicts/sixth/nets.cu"
#define LAUNCHES "../../h200/verdicts/sixth/launches.inc"
#else
#include "transposes.cu"
#include "sums.cu"
#include "histograms.cu"
#include "products.cu"
#include "stencils.cu"
#include "transforms.cu"
#include "solvers.cu"
#include "tables.cu"
#define LAUNCHES "launches.inc"
#endif

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { printf("%s at line %d\n", cudaGetErrorString(e), __LINE__); exit(1); } } while (0)

enum { RUNS = 5 };

static long long median(std::vector<long long> v)
{
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
}

static long long once(void (*kernel)(float *, int), int blocks, dim3 threads, int rounds, int dynamic, float *out)
{
    static times all[16384];
    int warps = (threads.x * threads.y * threads.z + 31) / 32;
    kernel<<<blocks, threads, dynamic>>>(out, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpyFromSymbol(all, all_times, sizeof(times) * blocks * warps));
    std::map<int, times> sms;
    for (int i = 0; i < blocks * warps; i++) {
        times &sm = sms.emplace(all[i].sm, all[i]).first->second;
        sm.began = std::min(sm.began, all[i].began);
        sm.ended = std::max(sm.ended, all[i].ended);
    }
    std::vector<long long> took;
    for (auto &sm : sms) took.push_back(sm.second.ended - sm.second.began);
    return median(took);
}

static void time(const char *name, void (*kernel)(float *, int), int per_sm, dim3 threads, int rounds, int dynamic, float *out)
{
    std::vector<long long> took;
    int fit = 0, sms = 0;
    cudaFuncAttributes is;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, threads.x * threads.y * threads.z, dynamic));
    CHECK(cudaFuncGetAttributes(&is, kernel));
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    for (int i = 0; i <= RUNS; i++) {
        long long t = once(kernel, per_sm > 0 ? per_sm * sms : 1, threads, rounds, dynamic, out);
        if (i > 0) took.push_back(t);
    }
    printf("%s,%d,%u,%u,%u,%d,%d,%lld,%lld,%lld,%d,%d,%d\n", name, per_sm, threads.x, threads.y, threads.z, rounds, dynamic, median(took),
           *std::min_element(took.begin(), took.end()), *std::max_element(took.begin(), took.end()), fit, is.numRegs, (int)is.localSizeBytes);
}

int main()
{
    float *out;
    cudaDeviceProp is;
    int driver, runtime;
    CHECK(cudaGetDeviceProperties(&is, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaMalloc(&out, 4 << 20));
    printf("# %s, driver %d, runtime %d\n", is.name, driver, runtime);
    printf("kernel,per_sm,x,y,z,rounds,dynamic,clocks,least,most,fit,registers,local\n");
#define L(name, x, y, z, rounds, dynamic_c, dynamic_f, per_sm)                                   \
    time(#name "_c", name##_c, 0, dim3(x, y, z), rounds, dynamic_c, out);                         \
    time(#name "_f", name##_f, 0, dim3(x, y, z), rounds, dynamic_f, out);                         \
    if (per_sm > 0) {                                                                             \
        time(#name "_c", name##_c, per_sm, dim3(x, y, z), rounds, dynamic_c, out);                \
        time(#name "_f", name##_f, per_sm, dim3(x, y, z), rounds, dynamic_f, out);                \
    }
#include LAUNCHES
    return 0;
}
