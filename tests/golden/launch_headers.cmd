mkdir "$TMP/lib"
printf '%s\n' '#pragma once' '#include "lib/tile.cuh"' 'const float half = 1.0f / 2;' '#define SIDE (1 << LOG_SIDE)' >"$TMP/common.h"
printf '%s\n' '#ifndef TILE' '#define TILE' '#include "../common.h"' '#define LOG_SIDE 5' '__device__ float turned(float (*t)[SIDE])' '{' '    return t[threadIdx.x][threadIdx.y];' '}' '#endif' >"$TMP/lib/tile.cuh"
cat >"$TMP/k.cu" <<'EOF'
#include <cassert>
#include "common.h"
#include "common.h"
__global__ void turn(float *p)
{
    __shared__ float t[SIDE][SIDE];
    int i = threadIdx.y * SIDE + threadIdx.x;
    t[threadIdx.y][threadIdx.x] = p[i];
    __syncthreads();
    assert(p[0] >= 0 && "none is negative");
    if (i == 34)
        printf("%d has %.1f, %s\n", i, turned(t), "as p[65]");
    p[i] = half * turned(t);
}
void host(float *p) { turn<<<1, dim3(SIDE, SIDE)>>>(p); }
EOF
banksim launch "$TMP/k.cu" 'turn<<<1, dim3(32, 32)>>>(float[1024] = iota)' --per site --cycles never | sed -n "s,$TMP/,,;1p;/^line/,/^$/p;/^.*site/,/^$/p"
banksim check "$TMP/k.cu" 2>&1 | sed "s,$TMP/,,"
banksim launch "$TMP/k.cu" 'turn<<<1, dim3(32, 32)>>>(float[1024] = -1.0)' 2>&1 | grep -o 'trap.*'
printf '%s\n' '#include "k.cu"' '#include "none.h"' '__global__ void other(float *p) { p[0] = N; }' >"$TMP/o.cu"
banksim launch "$TMP/o.cu" 'other<<<1, 1>>>(float[1])' 2>&1 | sed "s,$TMP/,,"
printf '%s\n' '__device__ float f(int i) { return i + ; }' >"$TMP/none.h"
sed -i 's/p\[0\] = N/p[0] = f(1)/' "$TMP/o.cu"
banksim launch "$TMP/o.cu" 'other<<<1, 1>>>(float[1])' 2>&1 | sed "s,$TMP/,,"
printf '%s\n' '#include "r.cu"' >"$TMP/r.cu"
banksim launch "$TMP/r.cu" 'k<<<1, 1>>>()' 2>&1 | sed "s,$TMP/,,"
