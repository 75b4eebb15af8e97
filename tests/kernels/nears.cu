/* nears.cu - where loads stand in a block, and which of two products goes into a sum; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o nears.ptx nears.cu
 */
#define KERNEL(name)                                                                               \
    __global__ void name(float *out, const float *in, int n)                                       \
    {                                                                                              \
        __shared__ float s[1024];                                                                  \
        int t = threadIdx.x, a = t * 5 & 255, b = t * 7 & 255;                                     \
        s[t] = in[t];                                                                              \
        s[t + 64] = in[t + 64];                                                                    \
        __syncthreads();

/* two_of_one<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(two_of_one)
    if (n > 7) {
        out[t] = s[a] - s[b];
    }
}

/* one_block<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(one_block)
    out[t] = s[a] - s[b];
}

/* four_of_two<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(four_of_two)
    if (n > 7) {
        float w = s[t + 5], x = s[t + 7], y = s[t + 20], z = s[t + 19];
        out[t] = w / x;
        out[t + 64] = y - z;
    }
}

/* past_arithmetic<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(past_arithmetic)
    if (n > 7) {
        float x = s[t + 5], y = (t * n + 3) * (float)(n - t);
        out[t] = y * y * y + y - x;
    }
}

/* to_a_store<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(to_a_store)
    if (n > 7) {
        float x = s[t + 5], y = (t * n + 3) * (float)(n - t);
        out[t] = x;
        out[t + 64] = y;
    }
}

/* past_a_store<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(past_a_store)
    if (n > 7) {
        float x = s[t + 5], y = s[t + 7], z = (t * n + 3) * (float)(n - t);
        out[t] = z;
        out[t + 64] = x - y;
    }
}

/* past_a_barrier<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(past_a_barrier)
#pragma unroll 1
    for (int r = 0; r < n; r++) {
        float x = s[t + 5], y = s[t + 2], z = s[t + 9];
        x = sqrtf(x) + z;
        __syncthreads();
        s[t] = x;
        s[t + 64] = y * z;
        __syncthreads();
    }
    out[t] = s[t + 3];
}

/* in_another_block<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(in_another_block)
    if (n > 7) {
        float x = s[t + 5], y = s[t + 2];
        if (y > 0.5f) {
            out[t] = x;
        } else {
            __syncwarp();
            out[t + 64] = y - x;
        }
    }
}

/* product_first<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(product_first)
    if (n > 7) {
        float x = s[a], y = s[b], z = s[t + 9];
        out[t] = z - x * y;
        out[t + 64] = s[a + 1] * s[b + 1] + s[t + 10];
    }
}

/* of_four_values<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(of_four_values)
    if (n > 7) {
        float4 v = ((float4 *)s)[t];
        out[t] = v.y * s[b] - v.x;
    }
}

/* turns_of_pairs<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(turns_of_pairs)
    float x = 0;
    for (int r = 0; r < n; r++) {
        x += s[a + r] * s[b + r];
    }
    out[t] = x;
}

/* handed_on<<<1, 64>>>(float[128], float[576] = random(1), 9) */
KERNEL(handed_on)
    float x = 0;
    for (int r = 0; r < n; r++) {
        x = 0.25f * s[t + r] + 0.75f * x;
    }
    out[t] = x;
}

/* handed_on_eight_times<<<1, 64>>>(float[128], float[576] = random(1), 9) */
KERNEL(handed_on_eight_times)
    float x = 0;
    for (int r = 0; r < 8; r++) {
        x = 0.25f * in[r * 64 + t] + 0.75f * x;
        s[t] = x * x;
        __syncthreads();
    }
    out[t] = s[t + 3];
}

/* of_a_call<<<1, 64>>>(float[128], float[128] = random(1), 9) */
KERNEL(of_a_call)
    float x = 0;
    for (int r = 0; r < n; r++) {
        x = __expf(x) * 0.3f + s[t + r] * 0.7f;
    }
    out[t] = x;
}

/* of_a_quotient<<<1, 64>>>(float[128], float[576] = random(1), 9) */
KERNEL(of_a_quotient)
    float x = 1, y = 0;
    for (int r = 0; r < n; r++) {
        x = x * 0.3f + y * s[t + r];
        y = 1.5f / (x + 2);
    }
    out[t] = x + y;
}
