# A file of CUDA C without a kernel is told as such, by its name or by what stands in it; a list of statements is not.
refuse() { banksim "$@" 2>&1 | sed "s,$TMP/,,g"; }
try() { echo "== $1"; cat >"$TMP/$1"; refuse check "$TMP/$1" --format csv; }
try host.cu <<'K'
#include <cstdio>
int main() { printf("hello\n"); return 0; }
K
refuse show "$TMP/host.cu"
refuse advise "$TMP/host.cu"
refuse launch "$TMP/host.cu"
try device.cuh <<'K'
#pragma once
__device__ int next(int x) { return x + 1; }
K
refuse advise "$TMP/device.cuh"
try function.cu <<'K'
// shared float a[32];
static unsigned *find(unsigned *at, int n)
{
    return at + n;
}
K
try host.txt <<'K'
# include <cstdio>
int main(int argc, char **argv) { return 0; }
K
try kernel.txt <<'K'
#include <cstdio>
int half(int x) { return x / 2; }
__global__ void k(int *p) { p[0] = half(p[1]); }
K
try statements.cu <<'K'
// A sketch, in a file of any name.
shared float a[32]; a[lane] = 0;
K
try fault.cu <<'K'
shared float a[32]; a[lane] 0;
K
try fault.txt <<'K'
# include what int f(int x) { } does, using a template
shared float a[32]   # class a { }
for i=0:4 {
    if (lane > 3) { a[lane] = 0; } else if (lane < 1) { a[lane] 1; }
}
K
try words.txt <<'K'
block 64
shared float s[128]
global const float *in
if (threadIdx.x %% 2) {
 load s[threadIdx.x]
}
K
printf '.version 8.0\n.target sm_80\n.address_size 64\n' >"$TMP/none.ptx"
refuse check "$TMP/none.ptx"
