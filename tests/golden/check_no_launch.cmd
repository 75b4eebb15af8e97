# What stands where a launch is due, and is none; an option that another command has; a block with too much shared
# memory, which has its kernel's name; a barrier that is missing.
# Program alone: a page has no command line.
cat >"$TMP/k.cu" <<'K'
__global__ void k(float *out)
{
    extern __shared__ float s[];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
int main()
{
    float *out;
    cudaMalloc(&out, 64 * sizeof(float));
    k<<<1, 64, 256>>>(out);
}
K
cd "$TMP"
for command in check advise; do
    banksim $command k.cu 'k(float[64])' 2>&1; echo exit $?
done
banksim check k.cu '' 2>&1; echo exit $?
banksim check k.cu 'k<<<1, 64, 256>>>(float[64])' --hazards 2>&1; echo exit $?
banksim check k.cu --colums 3 2>&1; echo exit $?
for command in check show advise launch; do
    banksim $command k.cu 'k<<<1, 64, 300000>>>(float[64])' 2>&1; echo exit $?
done
banksim check k.cu 'k<<<1, 64, 256>>>(float[64])' 2>&1 >/dev/null; echo exit $?
banksim launch k.cu 'k<<<1, 64, 256>>>(float[64])' --hazards 2>&1 >/dev/null; echo exit $?
sed 's/s\[threadIdx.x\] = threadIdx.x;/((char *)s)[threadIdx.x] = ((char *)s)[300 + threadIdx.x];/' k.cu >bytes.cu
banksim launch bytes.cu 'k<<<1, 64, 304>>>(float[64])' 2>&1 >/dev/null; echo exit $?
