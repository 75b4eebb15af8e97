/* examples.js - texts to begin with. */
'use strict';

const EXAMPLES = [
  { name: 'Transpose a tile', text: `block 32,32
__shared__ float tile[32][32];

tile[threadIdx.y][threadIdx.x] = in;
__syncthreads();
out = tile[threadIdx.x][threadIdx.y];
` },
  { name: 'Multiply tiles', text: `block 16,16
__shared__ float As[16][16], Bs[16][16];

for (int k = 0; k < 16; k++)
    sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
` },
  { name: 'Read columns of half', text: `block 64
__shared__ half tile[64][64];

for (int k = 0; k < 4; k++)
    v = tile[threadIdx.x][k];
` },
  { name: 'ldmatrix', text: `block 32
__shared__ half a[16][64];

ldmatrix x4 &a[lane % 16][lane / 16 * 8]
` },
  { name: 'float4 by rows', text: `block 32
__shared__ float4 s[32][8];

v = s[threadIdx.x][0];
` },
  { name: 'Sum, interleaved', text: `block 256
__shared__ int s[256];

for (int n = 1; n < 256; n *= 2) {
    int i = 2 * n * threadIdx.x;
    if (i < 256)
        s[i] += s[i + n];
    __syncthreads();
}
` },
  { name: 'Histogram', text: `block 256
__shared__ unsigned bins[64];

atomicAdd(&bins[threadIdx.x % 8], 1);
` },
  { name: 'A stride', text: `block 32
__shared__ float s[1024];

v = s[2 * threadIdx.x];
` },
];
