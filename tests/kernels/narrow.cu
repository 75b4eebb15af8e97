/* narrow.cu - whole numbers of which some bytes alone are of use; above each kernel a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o narrow.ptx narrow.cu
 */
#define BEGIN                                                                                      \
    __shared__ int s[256];                                                                         \
    __shared__ unsigned u[64];                                                                     \
    __shared__ long long q[32];                                                                    \
    __shared__ unsigned short h[64];                                                               \
    int t = threadIdx.x;                                                                           \
    for (int i = t; i < 256; i += 32) s[i] = in[i] & 0x7fffffff;                                   \
    u[t] = in[t] * 3, u[t + 32] = in[t + 32] * 5, q[t] = in[t] * 7ll, h[t] = t * 999, h[t + 32] = t; \
    __syncthreads()

extern __shared__ int pairs[];

/* part_of_a_wider_load<<<1, 32, 1024>>>(int[64], int[256] = random(1)) */
__global__ void part_of_a_wider_load(int *out, const int *in)
{
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) pairs[i] = in[i];
    __syncthreads();
    out[t] = (pairs[2 * t] & 255) + (pairs[2 * t + 1] & 255);
}

/* low_byte<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void low_byte(int *out, const int *in)
{
    BEGIN;
    out[t] = s[t] & 255;
}

/* low_short<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void low_short(int *out, const int *in)
{
    BEGIN;
    out[t] = s[t] & 0xffff;
}

/* second_byte_in_place<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void second_byte_in_place(int *out, const int *in)
{
    BEGIN;
    out[t] = s[t] & 0xff00;
}

/* second_byte<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void second_byte(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[t] >> 8) & 255;
}

/* third_byte<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void third_byte(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[t] >> 16) & 255;
}

/* upper_byte<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void upper_byte(int *out, const int *in)
{
    BEGIN;
    out[t] = u[t] >> 24;
}

/* upper_byte_signed<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void upper_byte_signed(int *out, const int *in)
{
    BEGIN;
    out[t] = s[t] >> 24;
}

/* upper_short<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void upper_short(int *out, const int *in)
{
    BEGIN;
    out[t] = u[t] >> 16;
}

/* as_char<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void as_char(int *out, const int *in)
{
    BEGIN;
    out[t] = (signed char)s[t] + (unsigned char)s[t + 32];
}

/* as_short<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void as_short(int *out, const int *in)
{
    BEGIN;
    out[t] = (short)s[t];
}

/* shifted_there_and_back<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void shifted_there_and_back(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[t] << 24) >> 24;
}

/* few_bits<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void few_bits(int *out, const int *in)
{
    BEGIN;
    out[t] = s[t] & 15;
}

/* not_at_a_byte<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void not_at_a_byte(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[t] >> 12) & 255;
}

/* not_a_power<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void not_a_power(int *out, const int *in)
{
    BEGIN;
    out[t] = s[t] & 0xffffff;
}

/* wanted_twice<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void wanted_twice(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[t] & 255) + (s[t] >> 24);
}

/* masked_once_used_twice<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void masked_once_used_twice(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[t] & 255) * (s[t] & 255);
}

/* neighbours_apart<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void neighbours_apart(int *out, const int *in)
{
    BEGIN;
    int r = 0;
    for (int i = 0; i < 4; i++) r += s[4 * t + i] & 255;
    out[t] = r;
}

/* quotients<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void quotients(int *out, const int *in)
{
    BEGIN;
    out[t] = u[t] % 256 + (u[t + 32] / 256) % 256;
}

/* half_of_a_long<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void half_of_a_long(int *out, const int *in)
{
    BEGIN;
    out[t] = (int)(q[t] >> 32);
}

/* of_shorts<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void of_shorts(int *out, const int *in)
{
    BEGIN;
    out[t] = (h[t] & 255) + (h[t + 1] >> 8);
}

/* index_of_shared<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void index_of_shared(int *out, const int *in)
{
    BEGIN;
    int x = s[t] & 255;
    out[t] = s[x] + x;
}

/* index_of_global<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void index_of_global(int *out, const int *in)
{
    BEGIN;
    out[t] = in[s[t] & 255];
}

/* unsigned_index<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void unsigned_index(int *out, const int *in)
{
    BEGIN;
    out[t] = in[u[t] & 255];
}

/* index_and_value<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void index_and_value(int *out, const int *in)
{
    BEGIN;
    int x = s[t] & 255;
    out[t] = in[x] + x;
}

/* compares_less_than_five<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void compares_less_than_five(int *out, const int *in)
{
    BEGIN;
    if ((s[t] & 255) < 5) out[t] = 1;
}

/* compares_more_than_five<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void compares_more_than_five(int *out, const int *in)
{
    BEGIN;
    if ((s[t] & 255) > 5) out[t] = 1;
}

/* compares_two<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void compares_two(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[t] & 255) == (s[t + 32] & 255);
}

/* masked_again<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void masked_again(int *out, const int *in)
{
    BEGIN;
    out[t] = ((s[t] & 255) + 7) & 255;
}

/* goes_up<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void goes_up(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[t] & 255) << 2;
}

/* as_float<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void as_float(int *out, const int *in)
{
    BEGIN;
    out[t] = __float_as_int((float)(s[t] & 255));
}

/* stored_as_char<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void stored_as_char(int *out, const int *in)
{
    BEGIN;
    h[t] = s[t + 32];
    __syncthreads();
    out[t] = h[31 - t];
}

/* sum_stored<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void sum_stored(int *out, const int *in)
{
    BEGIN;
    h[t] = s[t + 32] + 1;
    __syncthreads();
    out[t] = h[31 - t];
}

/* sum_of_two_stored<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void sum_of_two_stored(int *out, const int *in)
{
    BEGIN;
    h[t] = s[t] + s[t + 1];
    __syncthreads();
    out[t] = h[31 - t];
}

/* of_volatile<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void of_volatile(int *out, const int *in)
{
    BEGIN;
    volatile int *v = s;
    out[t] = v[t] & 255;
}

/* by_ldg<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void by_ldg(int *out, const int *in)
{
    BEGIN;
    out[t] = __ldg(in + t) & 255;
}

/* of_global<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void of_global(int *out, const int *in)
{
    BEGIN;
    out[t] = in[t] & 255;
}

/* low_bytes_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void low_bytes_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = s[2 * t] & 255;
    out[t + 32] = s[2 * t + 1] & 255;
}

/* shorts_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void shorts_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = (short)s[2 * t];
    out[t + 32] = (short)s[2 * t + 1];
}

/* upper_bytes_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void upper_bytes_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[2 * t] >> 16) & 255;
    out[t + 32] = (s[2 * t + 1] >> 16) & 255;
}

/* few_bits_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void few_bits_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = s[2 * t] & 15;
    out[t + 32] = s[2 * t + 1] & 15;
}

/* go_up_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void go_up_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[2 * t] & 255) << 2;
    out[t + 32] = (s[2 * t + 1] & 255) << 2;
}

/* indices_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void indices_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = s[s[2 * t] & 255];
    out[t + 32] = s[s[2 * t + 1] & 255];
}

/* more_than_five_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void more_than_five_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[2 * t] & 255) > 5;
    out[t + 32] = (s[2 * t + 1] & 255) > 5;
}

/* less_than_five_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void less_than_five_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = (s[2 * t] & 255) < 5;
    out[t + 32] = (s[2 * t + 1] & 255) < 5;
}

/* masked_again_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void masked_again_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = ((s[2 * t] & 255) + 7) & 255;
    out[t + 32] = ((s[2 * t + 1] & 255) + 7) & 255;
}

/* unsigned_indices_side_by_side<<<1, 32>>>(int[64], int[256] = random(1)) */
__global__ void unsigned_indices_side_by_side(int *out, const int *in)
{
    BEGIN;
    out[t] = in[(unsigned)s[2 * t] & 255];
    out[t + 32] = in[(unsigned)s[2 * t + 1] & 255];
}

#define SHORTS(type)                                                                               \
    __shared__ float x[256];                                                                       \
    __shared__ type c[128];                                                                        \
    int t = threadIdx.x;                                                                           \
    for (int i = t; i < 256; i += 32) x[i] = in[i];                                                \
    for (int i = t; i < 128; i += 32) c[i] = in[i] & 63;                                           \
    __syncthreads();                                                                               \
    float y = 0

/* shorts_as_indices<<<1, 32>>>(float[64], int[256] = random(1)) */
__global__ void shorts_as_indices(float *out, const int *in)
{
    SHORTS(short);
    for (int k = 0; k < 4; k++) y += x[c[t * 4 + k]];
    out[t] = y;
}

/* unsigned_shorts_as_indices<<<1, 32>>>(float[64], int[256] = random(1)) */
__global__ void unsigned_shorts_as_indices(float *out, const int *in)
{
    SHORTS(unsigned short);
    for (int k = 0; k < 4; k++) y += x[c[t * 4 + k] + 1];
    out[t] = y;
}

/* shorts_as_indices_and_floats<<<1, 32>>>(float[64], int[256] = random(1)) */
__global__ void shorts_as_indices_and_floats(float *out, const int *in)
{
    SHORTS(short);
    for (int k = 0; k < 4; k++) y += x[c[t * 4 + k]] * c[t * 4 + k];
    out[t] = y;
}


/* shorts_as_indices_of_threes<<<1, 32>>>(float[64], int[256] = random(1)) */
__global__ void shorts_as_indices_of_threes(float *out, const int *in)
{
    SHORTS(short);
    for (int k = 0; k < 4; k++) y += ((float3 *)x)[c[t * 4 + k]].x;
    out[t] = y;
}

/* shorts_as_indices_and_numbers<<<1, 32>>>(float[64], int[256] = random(1)) */
__global__ void shorts_as_indices_and_numbers(float *out, const int *in)
{
    SHORTS(short);
    for (int k = 0; k < 4; k++)
        if (c[t * 4 + k] > t) y += x[c[t * 4 + k]];
    out[t] = y;
}

/* shorts_as_indices_of_global_memory<<<1, 32>>>(float[64], int[256] = random(1)) */
__global__ void shorts_as_indices_of_global_memory(float *out, const int *in)
{
    SHORTS(short);
    for (int k = 0; k < 4; k++) y += in[c[t * 4 + k]] + x[t + k];
    out[t] = y;
}

/* shorts_where_to_store<<<1, 32>>>(float[64], int[256] = random(1)) */
__global__ void shorts_where_to_store(float *out, const int *in)
{
    SHORTS(short);
    for (int k = 0; k < 4; k++) x[c[t * 4 + k]] = k;
    __syncthreads();
    out[t] = x[t] + y;
}

/* Chars that wider numbers become, as indices of global memory. */
#define CHARS(type, f)                                                                       \
    int t = threadIdx.x;                                                                     \
    type v = in[t] * (type)3;                                                                \
    out[t] = f;

/* chars_of_ints<<<1, 32>>>(int[64], int[1024] = random(2)) */
__global__ void chars_of_ints(int *out, const int *in)
{
    CHARS(int, in[(unsigned char)v] + in[(unsigned char)(v + 1)] + in[(int)(unsigned char)(v >> 3)]);
}

/* chars_of_words<<<1, 32>>>(int[64], int[1024] = random(2)) */
__global__ void chars_of_words(int *out, const int *in)
{
    CHARS(long long, in[(unsigned char)v] + in[(unsigned char)(v + 1)] + in[(unsigned)(unsigned char)(v >> 3)]);
}

/* signed_chars_of_words<<<1, 32>>>(int[64], int[1024] = random(2)) */
__global__ void signed_chars_of_words(int *out, const int *in)
{
    CHARS(unsigned long long, in[128 + (signed char)v] + in[(unsigned short)v & 1023] + in[512 + ((short)v & 511)]);
}

/* char_as_it_was_loaded<<<1, 32>>>(int[64], int[1024] = random(2)) */
__global__ void char_as_it_was_loaded(int *out, const int *in)
{
    BEGIN;
    out[t] = in[(unsigned char)s[4 * t]] + s[4 * t + 1];
}
