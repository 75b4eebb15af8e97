// How a kernel's threads are dealt out stands in its indices alone: nobody launches these.
#define SIDE 32
__global__ void turn(float *out, const float *in) { // 32, 8: the loop's step
    __shared__ float tile[SIDE][SIDE + 1];
    for (int j = 0; j < SIDE; j += 8) {
        tile[threadIdx.y + j][threadIdx.x] = in[(threadIdx.y + j) * SIDE + threadIdx.x];
    }
    __syncthreads();
    for (int j = 0; j < SIDE; j += 8) {
        out[(threadIdx.y + j) * SIDE + threadIdx.x] = tile[threadIdx.x][threadIdx.y + j];
    }
}
__global__ void product(float *c, const float *a) { // 16, 16: names for threadIdx, rows of 17
    __shared__ float part[16][17];
    int tx = threadIdx.x, ty = threadIdx.y;
    part[ty][tx] = a[ty * 16 + tx];
    __syncthreads();
    c[ty * 16 + tx] = part[tx][ty];
}
__global__ void vectors(float4 *out, const float4 *in) { // 32: a row's elements
    __shared__ float4 row[8][32];
    for (int i = 0; i < 8; i++) {
        row[i][threadIdx.x] = in[i * 32 + threadIdx.x];
    }
    __syncthreads();
    out[threadIdx.x] = row[threadIdx.x % 8][threadIdx.x / 8];
}
__global__ void warps(float *out) { // 128: a thread for each element
    __shared__ float part[4][32];
    part[threadIdx.x / 32][threadIdx.x % 32] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = part[threadIdx.x / 32][31 - threadIdx.x % 32];
}
__global__ void halo(float *out, const float *in) { // 16, 16: a rim of one element
    __shared__ float cell[18][18];
    cell[threadIdx.y + 1][threadIdx.x + 1] = in[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] = cell[threadIdx.y][threadIdx.x];
}
__global__ void __launch_bounds__(96, 2) bound(float *out) { // 96: as many as it is compiled for
    __shared__ float part[96 * 2];
    part[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = part[95 - threadIdx.x];
}
__launch_bounds__(64) __global__ void rows(float *out) { // 32, 2: rows of the tile, as many as it is compiled for
    __shared__ float tile[32][33];
    tile[threadIdx.y][threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y][31 - threadIdx.x];
}
