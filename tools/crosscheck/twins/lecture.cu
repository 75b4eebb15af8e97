/* lecture.cu - twins of src/emulators/lecture.c: strides, irregular accesses, byte frequencies, and
 * the choice between non-coalesced loads and conflicting stores. */
#include "twin.cuh"

enum { N_LANES = 32, MOST_STRIDE = 256, MOST_PAD = 32 };

/* ---- strides -------------------------------------------------------------------------------- */

__global__ void stride_shared(unsigned *out, unsigned stride)
{
    __shared__ unsigned s[MOST_STRIDE * N_LANES];

    for (unsigned i = 0; i < stride * blockDim.x; i += blockDim.x) {
        s[i + threadIdx.x] = i + threadIdx.x;
    }
    __syncthreads();
    out[threadIdx.x] = s[stride * threadIdx.x];
}

__global__ void stride_padded(unsigned *out, unsigned pad)
{
    __shared__ unsigned s[32 * (32 + MOST_PAD)];

    for (unsigned row = 0; row < 32; row++) {
        s[(32 + pad) * row + threadIdx.x] = 32 * row + threadIdx.x;
    }
    __syncthreads();
    out[threadIdx.x] = s[(32 + pad) * threadIdx.x];
}

/* ---- irregular accesses --------------------------------------------------------------------- */

static __device__ __forceinline__ void irregular(unsigned *out, unsigned word)
{
    __shared__ unsigned s[32];

    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[word];
}

__global__ void irregular_permutation(unsigned *out)
{
    unsigned lane = threadIdx.x;
    irregular(out, (11 + 3 * lane + 6 * lane * lane) % 32);
}

__global__ void irregular_one_shared(unsigned *out)
{
    unsigned lane = threadIdx.x;
    bool shares = lane == 3 || lane == 4 || lane == 6 || lane == 7 || lane == 9;
    irregular(out, shares ? 5 : lane == 5 ? 9 : lane);
}

__global__ void irregular_two_shared(unsigned *out)
{
    irregular(out, threadIdx.x < 16 ? 12 : 20);
}

/* ---- byte frequencies ----------------------------------------------------------------------- */

enum { N_BYTES = 256 };

__global__ void histogram_global(const unsigned char *in, unsigned *out, unsigned n)
{
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned char byte = in[i];
        atomicAdd(&out[byte], 1);
    }
}

/* The compiler makes ATOMS.POPC.INC of the increment: red.shared.popc.inc.u32. */
__global__ void histogram_shared(const unsigned char *in, unsigned *out, unsigned n)
{
    __shared__ unsigned count[N_BYTES];

    count[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned char byte = in[i];
        atomicAdd(&count[byte], 1);
    }
    __syncthreads();
    out[threadIdx.x] = count[threadIdx.x];
}

/* ---- load from global, store into shared, quadratic computation ----------------------------- */

enum { N_POINTS = 32, N_COORDINATES = 32, IPAD = 1 };

template <unsigned pad>
static __device__ __forceinline__ void square_distances(unsigned (*out)[N_POINTS],
                                                        unsigned (*s)[N_POINTS + pad])
{
    unsigned sum = 0;

    for (unsigned k = 0; k < N_COORDINATES; k++) {
        unsigned one = s[k][threadIdx.x];
        unsigned other = s[k][threadIdx.y];
        sum += (one - other) * (one - other);
    }
    out[threadIdx.y][threadIdx.x] = sum;
}

__global__ void quadratic_uncoalesced_loads(const unsigned (*in)[N_COORDINATES],
                                            unsigned (*out)[N_POINTS])
{
    __shared__ unsigned s[N_COORDINATES][N_POINTS];

    s[threadIdx.y][threadIdx.x] = in[threadIdx.x][threadIdx.y];
    __syncthreads();
    square_distances<0>(out, s);
}

template <unsigned pad>
static __device__ void conflicting_stores(const unsigned (*in)[N_COORDINATES],
                                          unsigned (*out)[N_POINTS])
{
    __shared__ unsigned s[N_COORDINATES][N_POINTS + pad];

    s[threadIdx.x][threadIdx.y] = in[threadIdx.y][threadIdx.x];
    __syncthreads();
    square_distances<pad>(out, s);
}

__global__ void quadratic_conflicting_stores(const unsigned (*in)[N_COORDINATES],
                                             unsigned (*out)[N_POINTS])
{
    conflicting_stores<0>(in, out);
}

__global__ void quadratic_padded(const unsigned (*in)[N_COORDINATES], unsigned (*out)[N_POINTS])
{
    conflicting_stores<IPAD>(in, out);
}

/* ---- registers ------------------------------------------------------------------------------ */

/* What is volatile stays in local memory. */
__global__ void coordinate_addition(unsigned *out, unsigned registers)
{
    volatile unsigned x[2], y[2], spilled;

    for (unsigned i = 0; i < 2; i++) {
        x[i] = 10 * threadIdx.x + i;
        y[i] = 1000 * (i + 1);
    }
    unsigned x0 = x[0], y0 = y[0], x1 = x[1];
    if (registers < 4) {
        spilled = x1;
    }
    unsigned y1 = y[1];
    out[threadIdx.x] = x0 + y0;
    if (registers < 4) {
        x1 = spilled;
    }
    out[blockDim.x + threadIdx.x] = x1 + y1;
}

/* ---- the table ------------------------------------------------------------------------------ */

#define OUT c.array<unsigned>(0)
#define BYTES c.array<const unsigned char>(0), c.array<unsigned>(1), c.setting("n")
#define POINTS                                                                                     \
    c.array<const unsigned[N_COORDINATES]>(0), c.array<unsigned[N_POINTS]>(1)

const struct twin lecture_twins[] = {
    TWIN(stride_shared, OUT, c.setting("stride")),
    TWIN(stride_padded, OUT, c.setting("pad")),
    TWIN(irregular_permutation, OUT),
    TWIN(irregular_one_shared, OUT),
    TWIN(irregular_two_shared, OUT),
    TWIN(histogram_global, BYTES),
    TWIN(histogram_shared, BYTES),
    TWIN(quadratic_uncoalesced_loads, POINTS),
    TWIN(quadratic_conflicting_stores, POINTS),
    TWIN(quadratic_padded, POINTS),
    TWIN(coordinate_addition, OUT, c.setting("registers")),
    {NULL, NULL},
};
