#include "../../h100/verdicts/verdict.cuh"

// The wave equation in a box of 8 x 8 x 4 cells with a halo of one cell.
template <int PITCH> __device__ float wave(int rounds)
{
    __shared__ float a[6 * 10 * PITCH], b[6 * 10 * PITCH];
    int tid = (threadIdx.z * 8 + threadIdx.y) * 8 + threadIdx.x;
    int at = ((threadIdx.z + 1) * 10 + threadIdx.y + 1) * PITCH + threadIdx.x + 1;
    for (int i = tid; i < 6 * 10 * PITCH; i += 256) a[i] = b[i] = 0.0f;
    __syncthreads();
    a[at] = (tid * 37 & 63) * 0.1f;
    __syncthreads();
    float *now = a, *old = b;
    for (int r = 0; r < rounds; r++) {
        float c = now[at];
        float lap = now[at - 1] + now[at + 1] + now[at - PITCH] + now[at + PITCH] + now[at - 10 * PITCH] + now[at + 10 * PITCH] - 6.0f * c;
        old[at] = 1.999f * c - 0.999f * old[at] + 0.1f * lap;
        __syncthreads();
        float *swap = now;
        now = old;
        old = swap;
    }
    return now[at];
}
PAIR(wave, 10, 24, 256)

// Lattice Boltzmann, D2Q9 on a torus of 16 x 16 cells, pulled; ten words a cell (the last one unused), or nine planes.
template <int PLANES> __device__ float lbm(int rounds)
{
    __shared__ float f[2][2560];
    constexpr int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    constexpr float w[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};
    int x = threadIdx.x, y = threadIdx.y, cell = y * 16 + x;
#define F(i, q) (PLANES ? (q) * 256 + (i) : (i) * 10 + (q))
#pragma unroll
    for (int q = 0; q < 9; q++) f[0][F(cell, q)] = w[q] * (1.0f + 0.01f * ((cell * 7) & 15));
    __syncthreads();
    float rho = 0;
    for (int r = 0; r < rounds; r++) {
        const float *from = f[r & 1];
        float *to = f[(r & 1) ^ 1];
        float g[9], ux = 0, uy = 0;
        rho = 0;
#pragma unroll
        for (int q = 0; q < 9; q++) {
            int i = ((y - cy[q]) & 15) * 16 + ((x - cx[q]) & 15);
            g[q] = from[F(i, q)];
            rho += g[q];
            ux += cx[q] * g[q];
            uy += cy[q] * g[q];
        }
        ux /= rho;
        uy /= rho;
        float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
        for (int q = 0; q < 9; q++) {
            float cu = 3.0f * (cx[q] * ux + cy[q] * uy);
            float equal = w[q] * rho * (1.0f + cu + 0.5f * cu * cu - square);
            to[F(cell, q)] = g[q] + 0.6f * (equal - g[q]);
        }
        __syncthreads();
    }
    return rho + f[rounds & 1][F(cell, 5)];
#undef F
}
PAIR(lbm, 0, 1, 256)

struct field_node {
    float ex, ey, bz, rho;
};

// Particles moved by a field between nodes of a mesh of 32 x 32 (particle in cell): nodes as structs, or planes.
template <int PLANES> __device__ float gather(int rounds)
{
    __shared__ field_node node[PLANES ? 1 : 1024];
    __shared__ float ex[PLANES ? 1024 : 1], ey[PLANES ? 1024 : 1];
    int t = threadIdx.x;
    for (int i = t; i < 1024; i += 128) {
        float u = ((i * 29) & 63) * 0.03f - 1.0f, v = ((i * 53) & 63) * 0.03f - 1.0f;
        if (PLANES) {
            ex[i] = u;
            ey[i] = v;
        } else {
            node[i].ex = u;
            node[i].ey = v;
            node[i].bz = 0.1f;
            node[i].rho = 1.0f;
        }
    }
    __syncthreads();
#define EX(i) (PLANES ? ex[i] : node[i].ex)
#define EY(i) (PLANES ? ey[i] : node[i].ey)
    float x = (t & 31) + 0.3f, y = t / 4 + 0.6f, vx = 0.1f, vy = 0;
    for (int r = 0; r < rounds; r++) {
        float bx = floorf(x), by = floorf(y), ax = x - bx, ay = y - by;
        int ix = (int)bx & 31, iy = (int)by & 31, jx = (ix + 1) & 31, jy = (iy + 1) & 31;
        int n00 = iy * 32 + ix, n01 = iy * 32 + jx, n10 = jy * 32 + ix, n11 = jy * 32 + jx;
        float w00 = (1 - ax) * (1 - ay), w01 = ax * (1 - ay), w10 = (1 - ax) * ay, w11 = ax * ay;
        float fx = w00 * EX(n00) + w01 * EX(n01) + w10 * EX(n10) + w11 * EX(n11);
        float fy = w00 * EY(n00) + w01 * EY(n01) + w10 * EY(n10) + w11 * EY(n11);
        vx = 0.99f * vx + 0.1f * fx + 0.01f * vy;
        vy = 0.99f * vy + 0.1f * fy - 0.01f * vx;
        x += 0.2f * vx;
        y += 0.2f * vy;
        x -= 32.0f * floorf(x * 0.03125f);
        y -= 32.0f * floorf(y * 0.03125f);
    }
    return x + y + vx + vy;
#undef EX
#undef EY
}
PAIR(gather, 0, 1, 128)

// Lennard-Jones with lists of 20 neighbours of each atom (shorts): an atom's list in a row, or the atoms' first ones first.
template <int TURNED> __device__ float lennard(int rounds)
{
    __shared__ float px[128], py[128], pz[128];
    __shared__ unsigned short list[20 * 128];
    int t = threadIdx.x;
    px[t] = (t & 7) * 1.1f;
    py[t] = (t / 8 & 7) * 1.2f;
    pz[t] = (t / 64) * 1.3f;
    for (int k = 0; k < 20; k++) list[TURNED ? k * 128 + t : t * 20 + k] = (t + (k < 10 ? k + 1 : 137 - 2 * k)) & 127;
    __syncthreads();
    float energy = 0;
    for (int r = 0; r < rounds; r++) {
        float x = px[t], y = py[t], z = pz[t], fx = 0, fy = 0, fz = 0;
        energy = 0;
        for (int k = 0; k < 20; k++) {
            int j = list[TURNED ? k * 128 + t : t * 20 + k];
            float dx = x - px[j], dy = y - py[j], dz = z - pz[j];
            float inv = __fdividef(1.0f, dx * dx + dy * dy + dz * dz + 0.5f);
            float six = inv * inv * inv;
            float force = six * (2.0f * six - 1.0f) * inv;
            energy += six * (six - 1.0f);
            fx += dx * force;
            fy += dy * force;
            fz += dz * force;
        }
        __syncthreads();
        px[t] = x + 0.001f * fx;
        py[t] = y + 0.001f * fy;
        pz[t] = z + 0.001f * fz;
        __syncthreads();
    }
    return energy;
}
PAIR(lennard, 0, 1, 128)

// Heat by alternating directions: 32 x 32 cells with a rim of two kinds, a warp a kind, a line a thread.
template <int PITCH> __device__ float adi(int rounds)
{
    __shared__ float both[2][34 * PITCH], cp[34];
    int t = threadIdx.x, line = t % 32 + 1;
    float *u = both[t / 32];
    for (int i = t % 32; i < 34 * PITCH; i += 32) u[i] = 0.0f;
    if (t == 0) {
        cp[0] = 0.0f;
        for (int i = 1; i < 34; i++) cp[i] = -0.4f / (1.8f + 0.4f * cp[i - 1]);
    }
    __syncthreads();
    for (int i = 1; i <= 32; i++) u[i * PITCH + line] = (i * 3 + line + t / 32) & 15;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        for (int way = 0; way < 2; way++) {
            int step = way ? PITCH : 1;
            float *p = u + line * (way ? 1 : PITCH);
            float d = p[0];
            for (int i = 1; i <= 32; i++) {
                d = (p[i * step] + 0.4f * d) * (cp[i] * -2.5f);
                p[i * step] = d;
            }
            for (int i = 31; i >= 1; i--) {
                d = p[i * step] - cp[i] * d;
                p[i * step] = d;
            }
            __syncthreads();
        }
    }
    return u[line * PITCH + line];
}
PAIR(adi, 34, 35, 64)

// Ising's spins on a torus of 32 x 64 as on a chessboard, whole words or bytes.
template <typename SPIN> __device__ float ising(int rounds)
{
    __shared__ SPIN spin[32 * 64];
    __shared__ float chance[9];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    for (int i = t; i < 32 * 64; i += 256) spin[i] = (i * 2654435761u >> 13 & 1) ? 1 : -1;
    if (t < 9) chance[t] = expf(-0.88f * (t - 4));
    __syncthreads();
    unsigned random = t * 747796405u + 2891336453u;
    for (int r = 0; r < rounds; r++) {
        for (int colour = 0; colour < 2; colour++) {
            for (int y = warp; y < 32; y += 8) {
                int x = 2 * lane + ((y + colour) & 1);
                int s = spin[y * 64 + x];
                int n = spin[y * 64 + ((x + 1) & 63)] + spin[y * 64 + ((x + 63) & 63)] + spin[((y + 1) & 31) * 64 + x] +
                        spin[((y + 31) & 31) * 64 + x];
                random = random * 1664525u + 1013904223u;
                if ((random >> 8) * (1.0f / 16777216.0f) < chance[s * n + 4]) spin[y * 64 + x] = (SPIN)-s;
            }
            __syncthreads();
        }
    }
    int sum = 0;
    for (int y = warp; y < 32; y += 8) sum += spin[y * 64 + lane] + 2 * spin[y * 64 + lane + 32];
    return sum;
}
PAIR(ising, int, signed char, 256)

// Walker's alias method: draws from 256 outcomes, tables of pairs, or two tables.
struct alias_entry {
    float cut;
    int other;
};
template <int APART> __device__ float alias(int rounds)
{
    __shared__ alias_entry pairs[APART ? 1 : 256];
    __shared__ float cut[APART ? 256 : 1], value[256];
    __shared__ int other[APART ? 256 : 1];
    int t = threadIdx.x;
    float c = ((t * 61) & 255) / 256.0f;
    int o = (t * 5 + 17) & 255;
    if (APART) {
        cut[t] = c;
        other[t] = o;
    } else {
        pairs[t].cut = c;
        pairs[t].other = o;
    }
    value[t] = sqrtf(t);
    __syncthreads();
    unsigned random = t * 2891336453u + 1;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        int i = random >> 24;
        float u = (random & 0xffffff) * (1.0f / 16777216.0f);
        int k = u < (APART ? cut[i] : pairs[i].cut) ? i : APART ? other[i] : pairs[i].other;
        sum += value[k];
    }
    return sum;
}
PAIR(alias, 0, 1, 256)

// A mesh of 256 corners made smooth, six neighbours each: positions of four words, or three, a coordinate after the other.
template <int WORDS> __device__ float smooth(int rounds)
{
    __shared__ float p[256 * WORDS];
    __shared__ unsigned char near[6][256];
    int t = threadIdx.x, x = t & 15, y = t >> 4;
    const int dx[6] = {1, 15, 0, 0, 1, 15}, dy[6] = {0, 0, 1, 15, 1, 15};
#pragma unroll
    for (int k = 0; k < 6; k++) near[k][t] = ((y + dy[k]) & 15) * 16 + ((x + dx[k]) & 15);
    p[t * WORDS] = x;
    p[t * WORDS + 1] = y;
    p[t * WORDS + 2] = (t * 11) & 7;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int c = 0; c < 3; c++) {
            float sum = 0;
            for (int k = 0; k < 6; k++) sum += p[near[k][t] * WORDS + c];
            float own = p[t * WORDS + c];
            __syncthreads();
            p[t * WORDS + c] = own + 0.3f * (sum / 6 - own) + 0.01f;
            __syncthreads();
        }
    }
    return p[t * WORDS] + p[t * WORDS + 2];
}
PAIR(smooth, 4, 3, 256)
