#include "../../../h100/verdicts/verdict.cuh"

// How many random edges join 16 places, a graph a thread, by sets with paths halved (shorts): rows of 16, or of 18.
template <int PITCH> __device__ float unions(int rounds)
{
    __shared__ unsigned short parents[64 * PITCH];
    int t = threadIdx.x;
    unsigned short *parent = parents + t * PITCH;
    unsigned random = t * 2654435761u + 99;
    int sum = 0;
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < 16; i++) parent[i] = i;
        int parts = 16, drawn = 0;
        while (parts > 1 && drawn < 200) {
            random = random * 1664525u + 1013904223u;
            int a = random >> 28, b = random >> 24 & 15;
            while (parent[a] != a) {
                int grand = parent[parent[a]];
                parent[a] = grand;
                a = grand;
            }
            while (parent[b] != b) {
                int grand = parent[parent[b]];
                parent[b] = grand;
                b = grand;
            }
            if (a != b) {
                parent[a] = b;
                parts--;
            }
            drawn++;
        }
        sum += drawn;
    }
    return sum;
}
PAIR(unions, 16, 18, 64)

// The most that 12 jobs with start, end and worth can bring, a thread's jobs in order of their ends: rows of 12, or of 13.
template <int PITCH> __device__ float jobs(int rounds)
{
    __shared__ int2 all_jobs[128 * PITCH];
    __shared__ int all_best[128 * PITCH];
    int t = threadIdx.x, sum = 0;
    int2 *job = all_jobs + t * PITCH;
    int *best = all_best + t * PITCH;
    unsigned random = t * 2654435761u + 7;
    for (int r = 0; r < rounds; r++) {
        int end = 8;
#pragma unroll 1
        for (int i = 0; i < 12; i++) {
            random = random * 1664525u + 1013904223u;
            end += 1 + (random >> 29);
            job[i] = make_int2(end - 1 - (random >> 24 & 15), end);
        }
#pragma unroll 1
        for (int i = 0; i < 12; i++) {
            int2 now = job[i];
            int low = 0, high = i;
            while (low < high) {
                int middle = (low + high) / 2;
                if (job[middle].y <= now.x) low = middle + 1;
                else high = middle;
            }
            int worth = 1 + ((now.x * 7 + now.y * 3 + t) & 15) + (low > 0 ? best[low - 1] : 0);
            best[i] = i > 0 ? max(best[i - 1], worth) : worth;
        }
        sum += best[11];
    }
    return sum;
}
PAIR(jobs, 12, 13, 128)

// A word of eight letters of four kinds looked for by its automaton (Knuth, Morris and Pratt), 32 letters of each thread: rows of 32 bytes, or of 36.
template <int PITCH> __device__ float automaton(int rounds)
{
    extern __shared__ unsigned char letters[];
    unsigned char *next = letters, *text = letters + 64;
    int t = threadIdx.x;
    if (t == 0) {
        const unsigned word = 0x6464; // two bits a letter: 0 1 2 1 0 1 2 1
        int back = 0;
        for (int c = 0; c < 4; c++) next[c] = c == (word & 3);
        for (int i = 1; i < 9; i++) {
            for (int c = 0; c < 4; c++) next[i * 4 + c] = next[back * 4 + c];
            if (i < 8) {
                int c = word >> 2 * i & 3;
                next[i * 4 + c] = i + 1;
                back = next[back * 4 + c];
            }
        }
    }
    for (int i = 0; i < 32; i++) text[t * PITCH + i] = (0x6464 >> 2 * ((i + t * 3) & 7)) & 3;
    __syncthreads();
    int state = 0, hits = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int i = 0; i < 32; i++) {
            state = next[state * 4 + text[t * PITCH + i]];
            hits += state == 8;
        }
        __syncthreads();
        int other = (t + 1) & 255, place = (r * 11 + t) & 31;
        text[other * PITCH + place] = (text[other * PITCH + place] + hits + 1) & 3;
        __syncthreads();
    }
    return hits * 16 + state;
}
PAIR(automaton, 32, 36, 256)

// Eight queens, the first two of them by the thread's number, by a stack of each thread of four words a row: eight rows, or seven.
template <int PITCH> __device__ float queens(int rounds)
{
    __shared__ int4 frames[64 * PITCH];
    int t = threadIdx.x, found = 0;
    int4 *frame = frames + t * PITCH;
    for (int r = 0; r < rounds; r++) {
        int one = 1 << (t & 7), two = 1 << (t >> 3), depth = -1;
        if ((two & (one | one << 1 | one >> 1)) == 0) {
            int4 f = make_int4(one | two, (one << 1 | two) << 1 & 255, (one >> 1 | two) >> 1, 0);
            f.w = 255 & ~(f.x | f.y | f.z);
            frame[0] = f;
            depth = 0;
        }
        while (depth >= 0) {
            int4 f = frame[depth];
            if (f.w == 0) {
                depth--;
                continue;
            }
            int bit = f.w & -f.w;
            frame[depth].w = f.w ^ bit;
            if (depth == 5) {
                found++;
            } else {
                int4 n = make_int4(f.x | bit, (f.y | bit) << 1 & 255, (f.z | bit) >> 1, 0);
                n.w = 255 & ~(n.x | n.y | n.z);
                if (depth == (r & 3)) n.w &= ~(1 << (r & 7));
                depth++;
                frame[depth] = n;
            }
        }
    }
    return found;
}
PAIR(queens, 8, 7, 64)
