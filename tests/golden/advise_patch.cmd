# Plans written into the source. Each diff is taken by patch, and what it makes of the file is run: it leaves the
# same bytes as the file did, with the wavefronts that were told.
cp tests/golden/kernels/*.cu "$TMP"
cd "$TMP"
counts() { banksim launch "$@" --cycles never --format csv 2>/dev/null | tail -n +2 | cut -d, -f2-4; }
try() { # FILE LAUNCH OUTPUT [LAUNCH BEHIND]
    echo "== $1: $2"
    cp "$1" before.cu
    counts "$1" "$2" --dump "$3=before"
    banksim advise "$1" "$2" >advice
    sed -n '/^   \(not written \)\{0,1\}in\(to\)\{0,1\} the file:/p; /^\(Plan [0-9]* was w\|No plan\)/,$p' advice
    if grep -q '^--- ' advice; then
        patch -s -p0 <advice && counts "$1" "${4-$2}" --dump "$3=after" && cmp before after && echo 'same bytes'
    fi
    cp before.cu "$1"
}
try transpose.cu 'transpose<<<dim3(4, 4), dim3(32, 8)>>>(float[16384], float[16384] = iota, 128, 128)' 0
try transpose.cu 'turn<<<1, dim3(32, 16)>>>(int[512], int[512] = iota)' 0
try reduce.cu 'sum<<<1, 256>>>(int[256] = iota, int[1])' 1
try product.cu 'product<<<dim3(4, 4), dim3(16, 16)>>>(float[4096] = iota, float[4096] = iota, float[4096], 64, 0.5f)' 2
try scan.cu 'scan<<<1, 256>>>(int[512], int[512] = iota)' 0
try histogram.cu 'histogram<<<1, 64>>>(uchar[4096] = iota, uint[4096], 64)' 1
# Columns of 32 words: alone without more memory, by a swizzle of the subscripts.
cat >full.cu <<'K'
__global__ void full(int *out)
{
    __shared__ int room[11264];
    __shared__ int t[32][32]; // with room, 48 KiB: a row more does not fit
    int x = threadIdx.x, y = threadIdx.y;
    room[y * 32 + x] = x;
    t[x][y] = x + 32 * y;
    __syncthreads();
    out[y * 32 + x] = t[y][x] + room[x] + t[(y + 1) % 32][x];
}
K
try full.cu 'full<<<1, dim3(32, 32)>>>(int[1024])' 0
# Vectors and atomics take an address where they stand.
cat >vector.cu <<'K'
__global__ void vector(int *out)
{
    __shared__ __align__(16) int t[32][32];
    int x = threadIdx.x;
    *(int4 *)&t[x][0] = make_int4(x, x + 1, x + 2, x + 3);
    atomicAdd(&t[x][1], 1);
    __syncthreads();
    out[x] = t[x][1] + t[x][2];
}
K
try vector.cu 'vector<<<1, 32>>>(int[32])' 0
# A dynamic array is as large as the launch says: with a padding the host has to give more.
cat >dynamic.cu <<'K'
__global__ void dynamic(int *p, int turns)
{
    extern __shared__ int s[];
    s[threadIdx.x * 32 + threadIdx.y] = threadIdx.x + 32 * threadIdx.y;
    __syncthreads();
    for (int i = 0; i < turns; i++)
        p[threadIdx.y * 32 + threadIdx.x + 1024 * i] = s[threadIdx.y * 32 + (threadIdx.x + i) % 32];
}
K
try dynamic.cu 'dynamic<<<1, dim3(32, 32), 4096>>>(int[8192], 8)' 0 \
    'dynamic<<<1, dim3(32, 32), 4220>>>(int[8192], 8)'
# With a swizzle it takes no more: with room 48 KiB.
sed 's/extern/__shared__ int room[11264]; extern/; s/^}/    p[0] += room[turns];\n}/; s/__sync/room[threadIdx.x] = turns;\n    &/' \
    dynamic.cu >swizzled.cu
try swizzled.cu 'dynamic<<<1, dim3(32, 32), 4096>>>(int[8192], 8)' 0
# An address that is looked at where it stands: through a cast, as vectors that a subscript counts, by a variable, a
# macro, asm, and functions that hand it on.
cat >steps.cu <<'K'
__device__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
#define LOAD2(a, b, at) asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at))
__global__ void steps(int *out, const int *in)
{
    __shared__ __align__(16) int t[32][32], f[1024];
    int x = threadIdx.x % 8, y = threadIdx.x / 8;
    reinterpret_cast<int4 *>(&t[y][0])[x] = reinterpret_cast<const int4 *>(in)[y * 8 + x];
    reinterpret_cast<int4 *>(f)[y + 32 * x] = *reinterpret_cast<const int4 *>(&in[4 * threadIdx.x]);
    __syncthreads();
    int a, b, sum = 0;
    int *p = &f[32 * (threadIdx.x % 32)];
    for (int i = 0; i < 8; i++) {
        int4 v = *(int4 *)&t[threadIdx.x % 32][4 * i];
        unsigned at = shared_address(&f[32 * (threadIdx.x % 32) + 4 * i]);
        LOAD2(a, b, at);
        sum = 3 * sum + v.x + 5 * v.w + 7 * a + 11 * b + *p;
    }
    out[threadIdx.x] = sum;
}
K
try steps.cu 'steps<<<1, 256>>>(int[256], int[1024] = iota)' 0
# Tiles for ldmatrix: rows keep 16 bytes together.
cat >matrix.cu <<'K'
template <int N> __device__ __forceinline__ void load(unsigned (&r)[N], const half *p)
{
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(p));
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(at));
}
__global__ void matrix(unsigned *out, const half *in)
{
    __shared__ int room[11264];
    __shared__ __align__(16) half t[32][64]; // with room, 48 KiB: a row more does not fit
    for (int i = threadIdx.x; i < 256; i += 32)
        *(uint4 *)&t[i / 8][i % 8 * 8] = *(const uint4 *)&in[8 * i];
    room[threadIdx.x] = 0;
    __syncthreads();
    unsigned r[4], sum[4] = {};
    for (int k = 0; k < 16; k++) {
        load<4>(r, &t[k / 4 % 2 * 16 + threadIdx.x % 16][k % 4 * 16 + threadIdx.x / 16 * 8]);
        for (int i = 0; i < 4; i++)
            sum[i] = 3 * sum[i] + r[i];
    }
    for (int i = 0; i < 4; i++)
        out[i * 32 + threadIdx.x] = sum[i] + room[threadIdx.x];
}
K
try matrix.cu 'matrix<<<1, 32>>>(uint[128], half[2048] = iota)' 0
# A macro says where the element is: the layout goes into it.
cat >macro.cu <<'K'
#define AT(r, c) t[(r) * 32 + (c)]
#define ROOM room[x]
__global__ void macro(int *out)
{
    __shared__ int room[11264];
    __shared__ int t[32 * 32]; // with room, 48 KiB: a row more does not fit
    int x = threadIdx.x, y = threadIdx.y;
    ROOM = x;
    AT(x, y) = x + 32 * y;
    __syncthreads();
    out[y * 32 + x] = AT(y, x) + ROOM + AT((y + 1) % 32, x);
}
K
try macro.cu 'macro<<<1, dim3(32, 32)>>>(int[1024])' 0
