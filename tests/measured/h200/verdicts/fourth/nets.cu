#include "../../../h100/verdicts/verdict.cuh"
#include <cuda_fp16.h>

// Four weights along 32 steps of time of each of 128 channels (depthwise, halves), each layer from the next channel's: rows of 32, or of 34.
template <int PITCH> __device__ float causal(int rounds)
{
    __shared__ __half value[2 * 128 * PITCH], weight[4 * 128];
    int t = threadIdx.x;
    for (int n = 0; n < 32; n++) value[t * PITCH + n] = __float2half(((t * 5 + n * 3) & 31) * 0.06f - 0.9f);
    for (int k = 0; k < 4; k++) weight[k * 128 + t] = __float2half(((t * 7 + k * 5) & 15) * 0.06f - 0.2f);
    __syncthreads();
    for (int r = 0; r < rounds; r++) {
        const __half *from = value + (r & 1) * 128 * PITCH + ((t + 1) & 127) * PITCH;
        __half *to = value + ((r & 1) ^ 1) * 128 * PITCH + t * PITCH;
        float w[4], last[3] = {};
#pragma unroll
        for (int k = 0; k < 4; k++) w[k] = __half2float(weight[k * 128 + t]);
#pragma unroll 1
        for (int n = 0; n < 32; n++) {
            float v = __half2float(from[n]);
            float sum = w[0] * v + w[1] * last[0] + w[2] * last[1] + w[3] * last[2] + 0.1f;
            last[2] = last[1];
            last[1] = last[0];
            last[0] = v;
            to[n] = __float2half(__fdividef(1.5f * sum, 1.0f + __expf(-sum)));
        }
        __syncthreads();
    }
    return __half2float(value[(rounds & 1) * 128 * PITCH + t * PITCH + 31]);
}
PAIR(causal, 32, 34, 128)

// 32 floats of each thread made signed bytes by their greatest, and floats again by another thread: rows of 32 and 8, or of 33 and 9.
template <int SPARE> __device__ float quantize(int rounds)
{
    constexpr int PITCH = 32 + SPARE, SHORT = 8 + SPARE;
    __shared__ float value[128 * PITCH], scale[128];
    __shared__ char4 packed[128 * SHORT];
    int t = threadIdx.x, other = (t * 5 + 1) & 127;
    for (int i = 0; i < 32; i++) value[t * PITCH + i] = ((t * 7 + i * 11) & 63) * 0.05f - 1.6f;
    for (int r = 0; r < rounds; r++) {
        float most = 1e-6f;
#pragma unroll 4
        for (int i = 0; i < 32; i++) most = fmaxf(most, fabsf(value[t * PITCH + i]));
        float over = 127.0f / most;
        scale[t] = most / 127.0f;
#pragma unroll 1
        for (int i = 0; i < 8; i++) {
            const float *four = value + t * PITCH + i * 4;
            char4 q;
            q.x = (signed char)__float2int_rn(four[0] * over);
            q.y = (signed char)__float2int_rn(four[1] * over);
            q.z = (signed char)__float2int_rn(four[2] * over);
            q.w = (signed char)__float2int_rn(four[3] * over);
            packed[t * SHORT + i] = q;
        }
        __syncthreads();
        float by = scale[other];
#pragma unroll 1
        for (int i = 0; i < 8; i++) {
            char4 q = packed[other * SHORT + i];
            float *four = value + t * PITCH + i * 4;
            four[0] = q.x * by + 0.01f * i;
            four[1] = q.y * by;
            four[2] = q.z * by * 0.99f;
            four[3] = q.w * by - 0.01f * (r & 3);
        }
        __syncthreads();
    }
    return value[t * PITCH] + value[t * PITCH + 17] + value[t * PITCH + 31];
}
PAIR(quantize, 0, 1, 128)
