/* ptx_calls.cu - functions that call themselves, by whatever way, and branches by a table: what an H200's
 * lanes get of them, to hold banksim's to (tests/measured/h200/ptx/calls.txt).
 *
 *     nvcc -O3 -arch=sm_90 -std=c++17 -o ptx_calls ptx_calls.cu && ./ptx_calls
 *     nvcc -O3 -arch=sm_90 -std=c++17 -ptx -o calls.ptx ptx_calls.cu
 */
#include <cstdio>
#include <cstdlib>

#define TID threadIdx.x
#define KERNEL(name) extern "C" __global__ void name(unsigned *out)

typedef unsigned u32;

/* ---- functions that call themselves ---------------------------------------------------------- */

__device__ __noinline__ u32 fib(u32 n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

KERNEL(fibonacci)
{
    out[TID] = fib(TID % 12);
}

__device__ __noinline__ u32 ackermann(u32 m, u32 n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

KERNEL(ackermanns)
{
    out[TID] = ackermann(TID % 3, TID / 3 % 4);
}

__device__ u32 odd(u32 n);

__device__ __noinline__ u32 even(u32 n)
{
    return n == 0 ? 1 : odd(n - 1) * 3 + n;
}

__device__ __noinline__ u32 odd(u32 n)
{
    return n == 0 ? 0 : even(n - 1) * 5 + 2 * n;
}

KERNEL(even_and_odd)
{
    out[TID] = TID % 2 ? even(TID % 11) : odd(TID % 7) ^ TID;
}

/* Each call has a node of its own; the innermost walks back over all of them. */
struct node {
    const node *before;
    u32 n;
};

__device__ __noinline__ u32 list(u32 n, const node *before)
{
    const node own = {before, n * 7 + 1};
    u32 sum = 0;
    if (n > 0) {
        return list(n - 1, &own) * 2 + own.n;
    }
    for (const node *at = &own; at; at = at->before) {
        sum = sum * 3 + at->n;
    }
    return sum;
}

KERNEL(lists)
{
    out[TID] = list(TID % 9, nullptr);
}

/* Quicksort in shared memory, a piece of it for each thread. */
__device__ __noinline__ void sort(int *a, int n)
{
    if (n < 2) {
        return;
    }
    int pivot = a[n / 2], i = 0, k = n - 1;
    while (i <= k) {
        while (a[i] < pivot) {
            i++;
        }
        while (a[k] > pivot) {
            k--;
        }
        if (i <= k) {
            int t = a[i];
            a[i++] = a[k];
            a[k--] = t;
        }
    }
    sort(a, k + 1);
    sort(a + i, n - i);
}

KERNEL(quicksort)
{
    enum { N = 20 };
    __shared__ int a[64 * N];
    u32 seed = TID * 2654435761u + 1, sum = 0;
    for (int i = 0; i < N; i++) {
        seed = seed * 1664525 + 1013904223;
        a[TID * N + i] = (int)(seed >> 8) % 1000 - 500;
    }
    sort(a + TID * N, N);
    for (int i = 0; i < N; i++) {
        sum = sum * 31 + (u32)a[TID * N + i];
    }
    out[TID] = sum;
}

typedef u32 function(u32 n, u32 w);
__device__ u32 up(u32 n, u32 w);
__device__ u32 down(u32 n, u32 w);
__device__ u32 across(u32 n, u32 w);
__device__ function *functions[4] = {up, down, across, down};

__device__ u32 up(u32 n, u32 w)
{
    return n == 0 ? w : functions[(w + n) & 3](n - 1, w + 1) * 2 + 1;
}

__device__ u32 down(u32 n, u32 w)
{
    return n == 0 ? ~w : functions[w & 3](n - 1, w - 1) * 3 - 1;
}

__device__ u32 across(u32 n, u32 w)
{
    return n < 2 ? w ^ n : functions[n & 1](n - 1, w * 5) + functions[w >> 1 & 3](n - 2, w + n);
}

KERNEL(by_address)
{
    out[TID] = functions[TID & 3](TID % 7, TID);
}

/* ---- branches by a table --------------------------------------------------------------------- */

/* Targets inside a loop, inside a branch, one of them with a table of its own. */
KERNEL(tables)
{
    u32 r = TID;
    for (u32 i = 0; i < 6; i++) {
        if (TID >> i & 1) {
            u32 k = (TID + i) % 5, m = TID % 3;
            asm volatile("{\n\t"
                         "outer: .branchtargets ZERO, ONE, TWO, THREE, JOIN;\n\t"
                         "inner: .branchtargets A, B, C;\n\t"
                         "brx.idx %1, outer;\n"
                         "ZERO: mad.lo.u32 %0, %0, 3, 1; bra JOIN;\n"
                         "ONE: xor.b32 %0, %0, %3;\n"
                         "TWO: add.u32 %0, %0, 7; bra JOIN;\n"
                         "THREE: brx.idx %2, inner;\n"
                         "A: add.u32 %0, %0, 100; bra JOIN;\n"
                         "B: mul.lo.u32 %0, %0, 5; bra JOIN;\n"
                         "C: xor.b32 %0, %0, 9;\n"
                         "JOIN:\n\t}"
                         : "+r"(r)
                         : "r"(k), "r"(m), "r"(TID));
        } else {
            r -= i;
        }
        r += 1000;
    }
    out[TID] = r;
}

/* ---- the whole ------------------------------------------------------------------------------- */

enum { THREADS = 64 };

static void check(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        std::fprintf(stderr, "ptx_calls: %s: %s\n", what, cudaGetErrorString(error));
        std::exit(1);
    }
}

int main()
{
    static const struct {
        const char *name;
        void (*kernel)(unsigned *);
    } kernels[] = {
        {"fibonacci", fibonacci}, {"ackermanns", ackermanns}, {"even_and_odd", even_and_odd},
        {"lists", lists},         {"quicksort", quicksort},   {"by_address", by_address},
        {"tables", tables}};
    unsigned *out, host[THREADS];
    check(cudaDeviceSetLimit(cudaLimitStackSize, 8192), "stack");
    check(cudaMalloc(&out, sizeof host), "memory");
    for (auto &k : kernels) {
        check(cudaMemset(out, 0, sizeof host), "memory");
        k.kernel<<<1, THREADS>>>(out);
        check(cudaDeviceSynchronize(), k.name);
        check(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost), "copy");
        std::printf("%s", k.name);
        for (unsigned x : host) {
            std::printf(" %x", x);
        }
        std::printf("\n");
    }
    return 0;
}
