# A launch in the place of statements: its accesses by line, elements by name, exit codes as check has them.
cd tests/golden/kernels
# 512 requests to the tile by 16 blocks of 8 warps, four times each; a column of 32 words is 32 times bank 0.
transpose='transpose<<<dim3(4, 4), dim3(32, 8)>>>(float[16384], float[16384] = iota, 128, 128)'
banksim check transpose.cu "$transpose"
echo '== expectations'
banksim check transpose.cu "$transpose" --expect 'conflicts == 0' --format csv 2>&1 >/dev/null; echo "exit code $?"
banksim check transpose.cu "$transpose" --expect 'shared_bytes == 4096 && requests == 512' >/dev/null; echo "exit code $?"
echo '== as the trace of the launch has it'
banksim launch transpose.cu "$transpose" -o "$TMP/k.trace"
banksim check transpose.cu "$transpose" --emit-trace - | cmp - "$TMP/k.trace" && echo same
banksim advise transpose.cu "$transpose" --format csv >"$TMP/a"; banksim advise "$TMP/k.trace" --format csv | cmp - "$TMP/a" && echo same
banksim show transpose.cu "$transpose" | sed 's/, line [0-9]*//' >"$TMP/a"
banksim show "$TMP/k.trace" | sed 's/, line [0-9]*//' | cmp - "$TMP/a" && echo same
echo '== PTX; a sample; accesses as they stand; a device'
banksim check ../../ptx/tile.ptx "$transpose" --format csv | cut -d, -f2-6
banksim check transpose.cu "$transpose" --blocks 2 --format csv | cut -d, -f2-6
banksim check reduce.cu 'sum<<<1, 256>>>(int[256], int[1])' --merge none --device k40 --format csv | cut -d, -f2-6
echo '== no conflicts; no shared memory; what a GPU lets pass'
banksim check product.cu 'product<<<1, dim3(16, 16)>>>(float[256], float[256], float[256], 16, 1.0)' --device generic --banks 64 | tail -3
cat >"$TMP/k.cu" <<'K'
__global__ void none(int *p) { p[threadIdx.x] = 1; }
__global__ void unset(int *p) { __shared__ int s[32]; p[threadIdx.x] = s[threadIdx.x]; }
__global__ void below(int *p) { __shared__ int s[32]; s[threadIdx.x & 31] = 1; p[threadIdx.x] = s[31 - threadIdx.x]; }
__global__ void open(int *p) { extern __shared__ int d[]; d[threadIdx.x] = p[threadIdx.x]; }
K
banksim check "$TMP/k.cu" 'open<<<1, 64>>>(int[64])' 2>&1 | sed "s,$TMP/,,g"
banksim check "$TMP/k.cu" 'open<<1, 64>>(int[64])' 2>&1 | sed "s,$TMP/,,g"
banksim check "$TMP/k.cu" 'below<<<1, 64>>>(int[64])' 2>&1 | sed "s,$TMP/,,g"
banksim check "$TMP/k.cu" 'none<<<1, 32>>>(int[32])' | sed "s,$TMP/,,"
banksim check "$TMP/k.cu" 'none<<<1, 32>>>(int[32])' --expect 'conflicts == 0' 2>&1 | sed "s,$TMP/,,"
banksim check "$TMP/k.cu" 'unset<<<1, 32>>>(int[32])' --format csv 2>&1 >/dev/null | sed "s,$TMP/,,"
