# What `run` says of the launch, of a grid and with other memory; of one block of shared memory alone nothing.
ask() {
    banksim check "$@" | grep '^launch\|^held' | tee "$TMP/check"
    banksim check "$@" --emit-trace "$TMP/t.trace" >/dev/null
    banksim run "$TMP/t.trace" | grep '^launch\|^held' | tail -n "$(wc -l <"$TMP/check")" | cmp "$TMP/check" -
}
read='tile[threadIdx.x][threadIdx.y]'
ask --block 32,32 --grid 64,64 --shared 'float tile[32][32]' --load "$read"
ask --block 32,32 --shared 'float tile[32][32]' --global 'float *in' --code "$read = in[threadIdx.x];"
banksim check --block 32,32 --shared 'float tile[32][32]' --load "$read" | grep -c '^launch\|^held' || :
# A ring of one buffer waits for each copy in full; its loads of shared memory hardly at all.
cat >"$TMP/k.cu" <<'K'
#include <cuda_pipeline.h>
__global__ void one_buffer(const float4 *in, float *out, int turns)
{
    __shared__ float4 s[256];
    float a = 0;
    int t = threadIdx.x;
    for (int i = 0; i < turns; i++) {
        __pipeline_memcpy_async(&s[t], &in[i * 256 + t], 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        a += ((float *)s)[t];
        __syncthreads();
    }
    out[t] = a;
}
K
banksim check "$TMP/k.cu" 'one_buffer<<<1, 256>>>(float4[16384] = 1, float[256], 64)' | grep ^held
