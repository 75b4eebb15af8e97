#include "../../../h100/verdicts/verdict.cuh"

// Prediction of speech by ten numbers (autocorrelation, then Levinson and Durbin), a frame of 48 samples of each thread: rows of 48, or of 49.
template <int PITCH> __device__ float levinson(int rounds)
{
    __shared__ float frames[64 * PITCH];
    int t = threadIdx.x;
    float *frame = frames + t * PITCH, sum = 0;
    for (int n = 0; n < 48; n++) frame[n] = __sinf(0.3f * n + t) + 0.02f * ((n * 7 + t * 3) & 15);
    for (int r = 0; r < rounds; r++) {
        float alike[11], by[11], left;
#pragma unroll
        for (int lag = 0; lag <= 10; lag++) {
            alike[lag] = lag ? 0.0f : 1.0f;
#pragma unroll 2
            for (int n = lag; n < 48; n++) alike[lag] += frame[n] * frame[n - lag];
        }
        left = alike[0];
#pragma unroll
        for (int i = 1; i <= 10; i++) {
            float k = alike[i], was[11];
#pragma unroll
            for (int j = 1; j < i; j++) k -= (was[j] = by[j]) * alike[i - j];
            k /= left;
#pragma unroll
            for (int j = 1; j < i; j++) by[j] = was[j] - k * was[i - j];
            by[i] = k;
            left *= 1.0f - k * k;
        }
        sum += left + by[1] + by[10];
#pragma unroll 4
        for (int n = 0; n < 48; n += 4) frame[n] = 0.5f * frame[n] + 0.3f * by[2] + ((n + r) & 3) * 0.1f;
    }
    return sum;
}
PAIR(levinson, 48, 49, 64)

// Cosine transforms of 36 samples, half of them new (MDCT of MP3), a band a thread, and 18 numbers back into the window: rows of 36 and 18, or of 37 and 19.
template <int ODD> __device__ float mdct(int rounds)
{
    __shared__ float samples[64 * (36 + ODD)], lines[64 * (18 + ODD)], wave[144];
    int t = threadIdx.x;
    float *sample = samples + t * (36 + ODD), *line = lines + t * (18 + ODD);
    for (int n = 0; n < 36; n++) sample[n] = ((t * 3 + n * 5) & 15) * 0.1f - 0.7f;
    for (int i = t; i < 144; i += 64) wave[i] = __cosf(3.14159265f / 72 * i);
    __syncthreads();
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int k = 0; k < 18; k++) {
            int angle = 19 * (2 * k + 1), step = 2 * (2 * k + 1);
            float of = 0;
#pragma unroll 4
            for (int n = 0; n < 36; n++) {
                of += sample[n] * wave[angle % 144];
                angle += step;
            }
            line[k] = of;
        }
#pragma unroll 2
        for (int n = 0; n < 18; n++) {
            sample[n] = sample[n + 18];
            sample[n + 18] = 0.1f * line[n] + 0.05f * ((n + r + t) & 7);
        }
        sum += line[r % 18];
    }
    return sum;
}
PAIR(mdct, 0, 1, 64)

// Sound of four bits a sample (IMA ADPCM) made of eight words of each thread by a table of steps, and a word of it changed: rows of eight, or of nine.
template <int PITCH> __device__ float adpcm(int rounds)
{
    __shared__ unsigned codes[128 * PITCH];
    __shared__ short steps[89];
    int t = threadIdx.x, value = 0, index = t & 31, sum = 0;
    unsigned *code = codes + t * PITCH;
    for (int k = 0; k < 8; k++) code[k] = (t * 8 + k) * 2654435761u;
    if (t < 89) steps[t] = (short)(7.0f * __expf(0.0953f * t));
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int k = 0; k < 8; k++) {
            unsigned word = code[k];
#pragma unroll
            for (int n = 0; n < 8; n++) {
                int four = word >> n * 4 & 15, step = steps[index];
                int change = (step >> 3) + (four & 1 ? step >> 2 : 0) + (four & 2 ? step >> 1 : 0) + (four & 4 ? step : 0);
                value = max(-32768, min(32767, four & 8 ? value - change : value + change));
                index = max(0, min(88, index + (four & 4 ? (four & 3) * 2 + 2 : -1)));
            }
            sum += value >> 6;
            code[k] = word * 1664525u + value;
        }
    }
    return sum + value;
}
PAIR(adpcm, 8, 9, 128)

// Edges between blocks of eight pixels smoothed where they are weak (H.264), a line of 32 bytes of each thread: rows of 32, or of 36.
template <int PITCH> __device__ float deblock(int rounds)
{
    __shared__ unsigned char picture[128 * PITCH];
    int t = threadIdx.y * 32 + threadIdx.x, sum = 0;
    unsigned char *line = picture + t * PITCH;
    for (int x = 0; x < 32; x++) line[x] = 100 + (x / 8 * 37 + t * 3 + x * 5) % 29;
    for (int r = 0; r < rounds; r++) {
#pragma unroll 1
        for (int x = 8; x < 32; x += 8) {
            int p2 = line[x - 3], p1 = line[x - 2], p0 = line[x - 1], q0 = line[x], q1 = line[x + 1], q2 = line[x + 2];
            if (abs(p0 - q0) < 20 && abs(p1 - p0) < 12 && abs(q1 - q0) < 12) {
                if (abs(p2 - p0) < 8) {
                    line[x - 1] = (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3;
                    line[x - 2] = (p2 + p1 + p0 + q0 + 2) >> 2;
                } else
                    line[x - 1] = (2 * p1 + p0 + q1 + 2) >> 2;
                if (abs(q2 - q0) < 8) {
                    line[x] = (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3;
                    line[x + 1] = (p0 + q0 + q1 + q2 + 2) >> 2;
                } else
                    line[x] = (2 * q1 + q0 + p1 + 2) >> 2;
                sum++;
            }
        }
        int x = (r * 5 + 3) & 31;
        line[x] = (line[x] * 3 + (t * 7 + r * 13) % 131) >> 2;
    }
    return sum + line[7] * 0.5f + line[24];
}
PAIR(deblock, 32, 36, 128)

// Targets in 64 distances of radar (CFAR): two sums of eight cells that move along, a direction a thread, and what is found made weaker: rows of 64, or of 65.
template <int PITCH> __device__ float cfar(int rounds)
{
    extern __shared__ float echoes[];
    int t = threadIdx.y * 32 + threadIdx.x, found = 0;
    float *echo = echoes + t * PITCH;
    for (int i = 0; i < 64; i++) {
        unsigned of = (t * 64 + i) * 2654435761u;
        echo[i] = 1.0f + (of >> 27) * 0.03f + (of >> 8 & 31 ? 0.0f : 9.0f);
    }
    for (int r = 0; r < rounds; r++) {
        float before = 0, behind = 0;
#pragma unroll
        for (int i = 0; i < 8; i++) {
            before += echo[i];
            behind += echo[i + 13];
        }
#pragma unroll 1
        for (int i = 10; i < 54; i++) {
            float own = echo[i];
            if (own > 0.125f * 2.2f * fmaxf(before, behind)) {
                echo[i] = 0.7f * own + 0.1f;
                found += i;
            }
            before += echo[i - 2] - echo[i - 10];
            if (i < 53) behind += echo[i + 11] - echo[i + 3];
        }
        echo[(r * 11 + t) & 63] += 3.0f;
    }
    return found + echo[20];
}
PAIR(cfar, 64, 65, 64)

// A picture of radar's echoes of 32 pulses (SAR), a pulse a lane, a place a warp, summed by shuffles: a pulse's 64 distances in a row, or a distance's pulses.
template <int TURNED> __device__ float sar(int rounds)
{
    __shared__ float2 echo[32 * 64];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    auto at = [](int pulse, int i) { return TURNED ? i * 32 + pulse : pulse * 64 + i; };
    for (int i = threadIdx.x; i < 32 * 64; i += 128) echo[at(i % 32, i / 32)] = make_float2(((i * 7) & 31) * 0.1f - 1.5f, ((i * 13) & 31) * 0.1f - 1.4f);
    __syncthreads();
    float x = warp * 4 - 6.0f, sum = 0;
    for (int r = 0; r < rounds; r++) {
        float dx = x - 0.7f * (lane - 15.5f), y = 16.0f + (r & 15), far = sqrtf(dx * dx + y * y) * 1.5f;
        int i = (int)far;
        float part = far - i, s, c;
        float2 a = echo[at(lane, i)], b = echo[at(lane, i + 1)];
        __sincosf(4.0f * far, &s, &c);
        a.x += part * (b.x - a.x);
        a.y += part * (b.y - a.y);
        float re = a.x * c - a.y * s, im = a.x * s + a.y * c;
#pragma unroll
        for (int d = 16; d > 0; d /= 2) {
            re += __shfl_xor_sync(~0u, re, d);
            im += __shfl_xor_sync(~0u, im, d);
        }
        sum += re * re + im * im;
        x = 0.9f * x + (re > im ? 0.5f : -0.5f);
    }
    return sum;
}
PAIR(sar, 0, 1, 128)

// A turbo code's decoder of eight states over windows of eight bits (largest logarithms), a window a thread, shorts: rows of 64 and 16, or of 66 and 18.
template <int MORE> __device__ float turbo(int rounds)
{
    __shared__ short metrics[64 * (64 + MORE)], received[64 * (16 + MORE)];
    int t = threadIdx.x, sum = 0;
    short *metric = metrics + t * (64 + MORE), *bit = received + t * (16 + MORE);
    for (int k = 0; k < 16; k++) bit[k] = (((t * 16 + k) * 2654435761u) >> 27) - 15;
    for (int r = 0; r < rounds; r++) {
        int state[8] = {}, next[8];
#pragma unroll 1
        for (int k = 0; k < 8; k++) {
            int plain = bit[k * 2], parity = bit[k * 2 + 1];
#pragma unroll
            for (int s = 0; s < 8; s++) metric[k * 8 + s] = state[s];
#pragma unroll
            for (int to = 0; to < 8; to++) {
                int a = to * 2 & 7, b = a + 1, in = to >> 2;
                next[to] = max(state[a] + ((in ^ a ^ a >> 1) & 1 ? plain : 0) + ((in ^ a >> 2) & 1 ? parity : 0),
                               state[b] + ((in ^ b ^ b >> 1) & 1 ? plain : 0) + ((in ^ b ^ b >> 2) & 1 ? parity : 0));
            }
#pragma unroll
            for (int s = 0; s < 8; s++) state[s] = next[s] - next[0];
        }
#pragma unroll
        for (int s = 0; s < 8; s++) state[s] = 0;
#pragma unroll 1
        for (int k = 7; k >= 0; k--) {
            int plain = bit[k * 2], parity = bit[k * 2 + 1], best[2] = {-(1 << 20), -(1 << 20)};
#pragma unroll
            for (int from = 0; from < 8; from++) {
                int before = metric[k * 8 + from], most = -(1 << 20);
#pragma unroll
                for (int in = 0; in < 2; in++) {
                    int to = from >> 1 | in << 2, of = (in ^ from ^ from >> 1) & 1;
                    int branch = state[to] + (of ? plain : 0) + ((in ^ from ^ from >> 2) & 1 ? parity : 0);
                    most = max(most, branch);
                    best[of] = max(best[of], before + branch);
                }
                next[from] = most;
            }
#pragma unroll
            for (int s = 0; s < 8; s++) state[s] = next[s] - next[0];
            int out = best[1] - best[0];
            sum += out > 0;
            bit[k * 2] = max(-63, min(63, plain / 2 + out / 8 + ((t + k + r) & 15) - 8));
        }
    }
    return sum + bit[6];
}
PAIR(turbo, 0, 2, 64)
