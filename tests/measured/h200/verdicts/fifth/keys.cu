#include "../../../h100/verdicts/verdict.cuh"

// Probes of a table of 256 buckets of four keys, two buckets a key (cuckoo): a bucket's keys together, or all buckets' first, second...
template <int TURNED> __device__ float cuckoo(int rounds)
{
    __shared__ int key[1024], value[1024];
    int t = threadIdx.x, sum = 0;
    auto at = [](int bucket, int slot) { return TURNED ? slot * 256 + bucket : bucket * 4 + slot; };
    if (t < 256)
        for (int s = 0; s < 4; s++) {
            key[at(t, s)] = t + 256 * ((t * 5 + s * 3) & 7);
            value[at(t, s)] = t * 3 + s * 7;
        }
    __syncthreads();
    unsigned random = t * 747796405u + 1;
    for (int r = 0; r < rounds; r++) {
        random = random * 1664525u + 1013904223u;
        int wanted = random >> 21, found = -1;
#pragma unroll
        for (int s = 0; s < 4; s++)
            if (key[at(wanted & 255, s)] == wanted) found = value[at(wanted & 255, s)];
        if (found < 0) {
            int other = (wanted ^ (wanted >> 3) * 91) & 255;
#pragma unroll
            for (int s = 0; s < 4; s++)
                if (key[at(other, s)] == wanted) found = value[at(other, s)];
        }
        sum += found;
        random ^= found;
    }
    return sum;
}
PAIR(cuckoo, 0, 1, 512)

// Descents of a B-tree of two levels, 16 keys a node: nodes of 16, or of 17.
template <int PITCH> __device__ float btree(int rounds)
{
    __shared__ int key[17 * PITCH], leaf[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 128) {
        key[(1 + i / 16) * PITCH + i % 16] = i * 16 + (i * 5 & 15);
        leaf[i] = (i * 181) & 1023;
    }
    if (t < 16) key[t] = t * 256 + (t * 16 * 5 & 15);
    __syncthreads();
    int sum = 0;
    unsigned random = t * 2654435761u + 7;
    for (int r = 0; r < rounds; r++) {
        random = random * 1664525u + 1013904223u + sum;
        int wanted = random >> 20, node = 0, below = 0;
#pragma unroll 1
        for (int level = 0; level < 2; level++) {
            below = 0;
#pragma unroll
            for (int k = 1; k < 16; k++) below += key[node * PITCH + k] <= wanted;
            if (level == 0) node = 1 + below;
        }
        sum += leaf[(node - 1) * 16 + below];
    }
    return sum & 0xffff;
}
PAIR(btree, 16, 17, 128)

// 16 numbers of each thread by insertion: rows of 16, or of 17.
template <int PITCH> __device__ float insertion(int rounds)
{
    __shared__ int number[128 * PITCH];
    int t = threadIdx.x, *own = number + t * PITCH;
    for (int i = 0; i < 16; i++) own[i] = (t * 16 + i) * 2654435761u >> 20;
    for (int r = 0; r < rounds; r++) {
        for (int i = 1; i < 16; i++) {
            int x = own[i], k = i;
            while (k > 0 && own[k - 1] > x) {
                own[k] = own[k - 1];
                k--;
            }
            own[k] = x;
        }
#pragma unroll 4
        for (int i = 0; i < 16; i++) own[i] = (own[i] * 1103 + t * 7 + i * 31) & 4095;
    }
    return own[0] + own[7] + own[15] * 0.5f;
}
PAIR(insertion, 16, 17, 128)

// The eight greatest of a stream of each thread, sorted, fading: a thread's eight together, or all threads' first, second...
template <int TURNED> __device__ float topk(int rounds)
{
    __shared__ float best[8 * 128];
    int t = threadIdx.x;
    auto at = [=](int k) { return TURNED ? k * 128 + t : t * 8 + k; };
    for (int k = 0; k < 8; k++) best[at(k)] = 0.0f;
    unsigned random = t * 2654435761u + 99;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int n = 0; n < 8; n++) {
            random = random * 1664525u + 1013904223u;
            float x = (random >> 8) * (1.0f / 16777216);
            if (x > best[at(7)]) {
                int k = 7;
                while (k > 0 && best[at(k - 1)] < x) {
                    best[at(k)] = best[at(k - 1)];
                    k--;
                }
                best[at(k)] = x;
            }
        }
#pragma unroll
        for (int k = 0; k < 8; k++) {
            float x = best[at(k)];
            sum += x * (k + 1);
            best[at(k)] = x * 0.7f;
        }
    }
    return sum;
}
PAIR(topk, 0, 1, 128)

// RC4, a stream a thread: its 256 bytes by rows of 256, or of 260.
template <int PITCH> __device__ float rc4(int rounds)
{
    __shared__ unsigned char state[32 * PITCH];
    unsigned char *s = state + threadIdx.x * PITCH;
    for (int i = 0; i < 256; i++) s[i] = i;
    int i = 0, j = 0;
    for (int k = 0; k < 256; k++) {
        unsigned char of = s[k];
        j = (j + of + threadIdx.x * 13 + k * 7) & 255;
        s[k] = s[j];
        s[j] = of;
    }
    j = 0;
    unsigned sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int n = 0; n < 32; n++) {
            i = (i + 1) & 255;
            unsigned char a = s[i], b;
            j = (j + a) & 255;
            b = s[j];
            s[i] = b;
            s[j] = a;
            sum = sum * 5 + s[(a + b) & 255];
        }
    }
    return sum & 0xffff;
}
PAIR(rc4, 256, 260, 32)

// Elimination of 128 x 128 bits, a row a thread, pivots by atomics: rows of 4 words, or of 5.
template <int PITCH> __device__ float gf2(int rounds)
{
    __shared__ unsigned bits[128 * PITCH];
    __shared__ int pivot[2];
    int t = threadIdx.x, rank = 0;
    unsigned *row = bits + t * PITCH;
    for (int w = 0; w < 4; w++) row[w] = (t * 4 + w + 1) * 2654435761u ^ (t * t + w) * 40503u << 7;
    if (t < 2) pivot[t] = 128;
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        bool used = false;
#pragma unroll 1
        for (int c = 0; c < 64; c++) {
            int at = c * 2 + (r & 1);
            bool one = row[at / 32] >> (at & 31) & 1;
            unsigned any = __ballot_sync(~0u, one && !used);
            if (any && t % 32 == 0) atomicMin(&pivot[c & 1], t + __ffs(any) - 1);
            __syncthreads();
            int from = pivot[c & 1];
            if (from < 128) {
                rank++;
                if (t == from) used = true;
                else if (one)
                    for (int w = 0; w < 4; w++) row[w] ^= bits[from * PITCH + w];
            }
            if (t == 0) pivot[(c & 1) ^ 1] = 128;
            __syncthreads();
        }
#pragma unroll
        for (int w = 0; w < 4; w++) row[w] ^= (row[w] << 5 | row[w] >> 27) + t * 40503u + r;
        __syncthreads();
    }
    return rank + __popc(row[0]) + __popc(row[3]);
}
PAIR(gf2, 4, 5, 128)

// The best order of 47 products of matrices, a diagonal of the table at a time, a first matrix a thread: rows of 47, or of 48.
template <int PITCH> __device__ float parenthesis(int rounds)
{
    __shared__ int cost[47 * PITCH], size[48];
    int i = threadIdx.x;
    if (i < 48) size[i] = 1 + (i * 37 & 31);
    if (i < 47) cost[i * PITCH + i] = 0;
    __syncthreads();
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int far = 1; far < 47; far++) {
            int j = i + far;
            if (j < 47) {
                int best = 1 << 30, ends = size[i] * size[j + 1];
#pragma unroll 4
                for (int k = i; k < j; k++) best = min(best, cost[i * PITCH + k] + cost[(k + 1) * PITCH + j] + ends * size[k + 1]);
                cost[i * PITCH + j] = best;
            }
            __syncthreads();
        }
        sum += cost[46];
        __syncthreads();
        if (i < 48) size[i] = 1 + ((size[i] * 5 + i + sum) & 31);
        __syncthreads();
    }
    return sum & 0xffff;
}
PAIR(parenthesis, 47, 48, 64)

// Fenwick's trees of 31 counters, one of each thread, by turns counted up and asked: rows of 32, or of 33.
template <int PITCH> __device__ float fenwick(int rounds)
{
    extern __shared__ int counters[];
    int t = threadIdx.x, *tree = counters + t * PITCH, sum = 0;
#pragma unroll 1
    for (int i = 0; i < 32; i++) tree[i] = 0;
    unsigned random = t * 2654435761u + 3;
    for (int r = 0; r < rounds; r++) {
        random = random * 1664525u + 1013904223u;
        for (int i = 1 + (random >> 16) % 31; i < 32; i += i & -i) tree[i] += random >> 29;
        for (int i = 1 + (random >> 8 & 0xff) % 31; i > 0; i -= i & -i) sum += tree[i];
        sum &= 0xfffff;
    }
    return sum;
}
PAIR(fenwick, 32, 33, 64)
