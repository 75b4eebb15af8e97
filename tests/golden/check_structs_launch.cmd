# Structs of a kernel, of which its trace has the bytes alone: 8 words apart, four lanes of a warp hit a bank each eight
# times, 256 wavefronts for 32 requests; an array per member has 32, and so have structs of 9 words. Where an access takes
# two words no member is one, and no figure is told.
cd "$TMP"
try() {
    banksim check k.cu 'k<<<1, 256>>>(float[256])' | grep '^    [a-z] has structs'
    banksim advise k.cu 'k<<<1, 256>>>(float[256])' | grep -e '^None' -e 'has structs'
}
cat >k.cu <<'K'
struct P { float x, y, z, w; int id; float m[3]; };
__global__ void k(float *out)
{
    __shared__ P p[256];
    int t = threadIdx.x;
    p[t].x = t, p[t].id = t;
    __syncthreads();
    out[t] = p[255 - t].x + p[t ^ 1].id;
}
K
try
cat >k.cu <<'K'
struct Q { double x, y; float z; };
__global__ void k(float *out)
{
    __shared__ Q p[256];
    int t = threadIdx.x;
    p[t].x = t, p[t].z = t;
    __syncthreads();
    out[t] = p[255 - t].x + p[t ^ 1].z;
}
K
try
