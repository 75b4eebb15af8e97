/* drain.cu - when a block whose last accesses are posted stores has ended, and makes room for the
 * next one.
 *
 * Blocks that fill an SM alone (or with `residents` - 1 others) come one after another. Each notes the
 * clock as it begins, lets what it did for that settle, meets at a barrier and issues its requests.
 * What is printed is the median of the clocks from the beginning of one to that of the next on the
 * same SM, in the fastest of several launches; for more residents the mean. What a request with
 * conflicts adds to that is what the block's end has waited for.
 *
 *      nvcc -arch=sm_90 -O3 -std=c++17 -o drain drain.cu
 *      ./drain         op,warps,requests,ways,residents,clocks
 *      ./drain once    launches for a profiler: no notes, a block per SM, 32 warps with 1 request
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

enum { BLOCKS = 41, LAUNCHES = 5, SETTLE = 4000, SHARED_KB = 208 };
enum op { NONE, ST, ST_BAR, RED, LD };

static const char *const op_name[] = {"none", "st", "st bar", "red", "ld"};

extern __shared__ __align__(1024) uint32_t window[];

struct note {
    uint64_t clock;
    uint32_t sm;
};

template <int OP>
__global__ void requests(uint32_t ways, uint32_t n, uint32_t settle, struct note *note)
{
    uint32_t lane = threadIdx.x % 32, lanes = 32 / ways, x = 0;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(window) + (lane % lanes + lane / lanes * 32) * 4;
    uint64_t begin = clock64();
    if (settle > 0 && threadIdx.x == 0) {
        uint32_t sm;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
        note[blockIdx.x] = {begin, sm};
    }
    while (clock64() - begin < settle) {
    }
    __syncthreads();
    __syncthreads();
#pragma unroll 1
    for (uint32_t i = 0; i < n; i++) {
        if (OP == ST || OP == ST_BAR) {
            asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(0) : "memory");
        } else if (OP == RED) {
            asm volatile("red.shared.or.b32 [%0], %1;" ::"r"(at), "r"(lane) : "memory");
        } else if (OP == LD) {
            uint32_t y;
            asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(y) : "r"(at) : "memory");
            x += y;
        }
    }
    if (OP == ST_BAR) {
        __syncthreads();
    }
    if (OP == LD) {
        asm volatile("{.reg .pred p; setp.eq.u32 p, %1, 0x5bd1e995; @p st.global.u32 [%0], %1;}" ::"l"(note),
                     "r"(x)
                     : "memory");
    }
}

static void check(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "drain: %s\n", cudaGetErrorString(error));
        exit(4);
    }
}

typedef void (*kernel_t)(uint32_t, uint32_t, uint32_t, struct note *);
static const kernel_t kernels[] = {requests<NONE>, requests<ST>, requests<ST_BAR>, requests<RED>,
                                   requests<LD>};

static double period(const std::vector<note> &notes, uint32_t residents)
{
    std::vector<note> sorted(notes);
    std::vector<uint64_t> gaps;
    double sum = 0;
    size_t n = 0;
    std::sort(sorted.begin(), sorted.end(), [](const note &a, const note &b) {
        return a.sm != b.sm ? a.sm < b.sm : a.clock < b.clock;
    });
    for (size_t first = 0, i = 1; i <= sorted.size(); i++) {
        if (i < sorted.size() && sorted[i].sm == sorted[first].sm) {
            if (i > first + 2 * residents) {
                gaps.push_back(sorted[i].clock - sorted[i - 1].clock);
                sum += (double)gaps.back();
                n++;
            }
        } else {
            first = i;
        }
    }
    std::sort(gaps.begin(), gaps.end());
    return residents > 1 ? sum / (double)n : (double)gaps[gaps.size() / 2];
}

static void run(int op, uint32_t warps, uint32_t n, uint32_t ways, uint32_t residents, int n_sms,
                struct note *device)
{
    std::vector<note> notes((size_t)n_sms * BLOCKS * residents);
    size_t shared = SHARED_KB / residents * 1024;
    double best = 1e30;
    check(cudaFuncSetAttribute(kernels[op], cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)shared));
    for (int i = 0; i < LAUNCHES; i++) {
        kernels[op]<<<(unsigned)notes.size(), warps * 32, shared>>>(ways, n, SETTLE, device);
        check(cudaGetLastError());
        check(cudaMemcpy(notes.data(), device, notes.size() * sizeof(note),
                         cudaMemcpyDeviceToHost));
        best = std::min(best, period(notes, residents));
    }
    printf("%s,%u,%u,%u,%u,%.1f\n", op_name[op], warps, n, ways, residents, best);
}

static void once(int op, uint32_t ways, int n_sms, struct note *device)
{
    check(cudaFuncSetAttribute(kernels[op], cudaFuncAttributeMaxDynamicSharedMemorySize,
                               SHARED_KB * 1024));
    kernels[op]<<<n_sms, 1024, SHARED_KB * 1024>>>(ways, 1, 0, device);
    check(cudaDeviceSynchronize());
}

int main(int argc, char **)
{
    int n_sms;
    struct note *device;
    check(cudaDeviceGetAttribute(&n_sms, cudaDevAttrMultiProcessorCount, 0));
    check(cudaMalloc(&device, (size_t)n_sms * BLOCKS * 8 * sizeof *device));
    for (int op = NONE; op <= LD; op++) {
        for (uint32_t ways = 1; ways <= 32; ways *= 2) {
            for (uint32_t warps = 1; warps <= 32 && argc == 1; warps *= 2) {
                run(op, warps, 1, ways, 1, n_sms, device);
                run(op, warps, 4, ways, 1, n_sms, device);
            }
            if (argc == 1) {
                run(op, 8, 16, ways, 8, n_sms, device);
            } else {
                once(op, ways, n_sms, device);
            }
        }
    }
    return 0;
}
