/* words.cu - what CUDA has for whole numbers of 8 and 16 bits in a register, and mathematics that is nvcc's bit by bit; above
 * each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o words.ptx words.cu
 *
 * Each kernel computes of random words, and of those where something overflows or is equal.
 */
#define PAIR                                                                                       \
    int t = threadIdx.x;                                                                           \
    unsigned a = in[t & 63], b = t < 64 ? in[t + 64] : a ^ in[t] & 0x80ff0180u;                    \
    out += t

#define BOTH(name, i) out[256 * i] = name##2(a, b), out[256 * i + 128] = name##4(a, b)
#define ORDERS(name, i, S)                                                                         \
    BOTH(name##ge##S, i), BOTH(name##gt##S, i + 1), BOTH(name##le##S, i + 2), BOTH(name##lt##S, i + 3)

/* sums_of_parts<<<1, 128>>>(uint[4096], uint[128] = random(3)) */
__global__ void sums_of_parts(unsigned *out, const unsigned *in)
{
    PAIR;
    BOTH(__vadd, 0), BOTH(__vsub, 1), BOTH(__vaddus, 2), BOTH(__vsubus, 3), BOTH(__vaddss, 4), BOTH(__vsubss, 5);
    BOTH(__vhaddu, 6), BOTH(__vavgu, 7), BOTH(__vabsdiffu, 8), BOTH(__vabsdiffs, 9), BOTH(__vsadu, 10), BOTH(__vsads, 11);
}

/* parts_of_one<<<1, 128>>>(uint[2048], uint[128] = random(4)) */
__global__ void parts_of_one(unsigned *out, const unsigned *in)
{
    PAIR;
    a ^= b & 0x80808080u;
    out[0] = __vabs2(a), out[128] = __vabs4(a), out[256] = __vabsss2(a), out[384] = __vabsss4(a);
    out[512] = __vneg2(a), out[640] = __vneg4(a), out[768] = __vnegss2(a), out[896] = __vnegss4(a);
    a = (t & 1 ? 0x80008000u : 0x80808080u) ^ t << 20;
    out[1024] = __vabs2(a), out[1152] = __vabs4(a), out[1280] = __vabsss2(a), out[1408] = __vabsss4(a);
    out[1536] = __vneg2(a), out[1664] = __vneg4(a), out[1792] = __vnegss2(a), out[1920] = __vnegss4(a);
}

/* orders_of_parts<<<1, 128>>>(uint[8192], uint[128] = random(5)) */
__global__ void orders_of_parts(unsigned *out, const unsigned *in)
{
    PAIR;
    BOTH(__vmaxu, 0), BOTH(__vminu, 1), BOTH(__vmaxs, 2), BOTH(__vmins, 3);
    BOTH(__vcmpeq, 4), BOTH(__vcmpne, 5), BOTH(__vseteq, 6), BOTH(__vsetne, 7);
    ORDERS(__vcmp, 8, u), ORDERS(__vcmp, 12, s), ORDERS(__vset, 16, u), ORDERS(__vset, 20, s);
}

__device__ float ldexp_of_t(float x, int t)
{
    return x * __int_as_float((t + 63) << 23 | 0x123456);
}

/* parts_of_turns<<<1, 128>>>(float[1024], float[128] = random(6)) */
__global__ void parts_of_turns(float *out, const float *in)
{
    int t = threadIdx.x;
    float x = (in[t] - 0.5f) * 9.0f, y = (t - 64) * 0.25f, z = ldexp_of_t(in[t], t), s, c;
    out += t;
    out[0] = sinpif(x), out[128] = sinpif(y), out[256] = cospif(x), out[384] = cospif(y);
    sincospif(x, &s, &c);
    out[512] = s, out[640] = c;
    sincospif(z, &s, &c);
    out[768] = s, out[896] = c;
}

/* lengths<<<1, 128>>>(float[1024], float[384] = random(7)) */
__global__ void lengths(float *out, const float *in)
{
    int t = threadIdx.x;
    float x = in[t] - 0.5f, y = ldexp_of_t(in[t + 128], t), z = t & 3 ? in[t + 256] : 0.0f;
    out += t;
    out[0] = hypotf(x, y), out[128] = hypotf(y, z), out[256] = rhypotf(x, y), out[384] = rhypotf(y, z);
    out[512] = norm3df(x, y, z), out[640] = norm3df(z, 0.0f, 0.0f), out[768] = fdividef(x, y), out[896] = hypotf(z, 0.0f);
}
