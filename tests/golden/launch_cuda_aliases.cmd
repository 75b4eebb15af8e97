# Other names of types with parameters: rows of 33 floats lie 33 words apart, so that a column of 32 takes 1 wavefront;
# thread t leaves 4 * t + 1: s[t][0] is t, twice in[t] is 2 * t.
cat >"$TMP/k.cu" <<'K'
template <typename T, int N> struct Row { T v[N]; __device__ T &operator[](int i) { return v[i]; } };
template <typename T> using Padded = Row<T, 33>;
template <class T> using In = const T *;
template <class T> __device__ T twice(In<T> p, int i) { return p[i] * 2; }
__global__ void k(In<float> in, float *out)
{
    __shared__ Padded<float> s[32];
    for (int i = 0; i < 32; i++) s[i][threadIdx.x] = in[threadIdx.x] * 2 + i;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x][0] + twice<float>(in, threadIdx.x) + (threadIdx.x + 1) - threadIdx.x + threadIdx.x;
}
K
banksim check "$TMP/k.cu" 'k<<<1, 32>>>(float[32] = iota, float[32])' --format csv | cut -d, -f1,3,5,6
banksim launch "$TMP/k.cu" 'k<<<1, 32>>>(float[32] = iota, float[32])' --dump "1=$TMP/out" >/dev/null && od -A d -t f4 "$TMP/out"
