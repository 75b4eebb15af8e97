/* guards.cu - what both ways of a branch begin and end with, and a branch inside of another; above each kernel
 * a launch.
 *
 *     nvcc 13.0.88: nvcc -w -arch=compute_90 -lineinfo -ptx -o guards.ptx guards.cu
 */
#define BEGIN                                                                                      \
    __shared__ float s[512], q[512], r[512], w[512];                                               \
    int t = threadIdx.x;                                                                           \
    float v = 0;                                                                                   \
    s[t] = in[t], s[t + 256] = in[t + 512];                                                        \
    q[t] = in[t + 256], q[t + 256] = in[t + 768];                                                  \
    r[t] = in[t + 1024], w[t] = in[t + 1280];                                                      \
    __syncthreads()

/* first_is_alike<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void first_is_alike(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t] * 2 - q[t] * 3 + q[t + 1];
    else v = s[t] * 3 + q[t] * 7 * q[t + 1];
    out[t] = v;
}

/* second_differs_behind<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void second_differs_behind(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { float a = s[t] * 3, b = q[t + 1]; v = a * b + a; }
    else { float a = s[t] * 4, b = q[t + 1]; v = a - b * b; }
    out[t] = v;
}

/* index_differs<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void index_differs(float *out, const float *in, int n)
{
    BEGIN;
    int i;
    if (t < n) i = t * 3 / 4, v = s[t + 1] * i;
    else i = t + 5, v = s[t + 1] + i;
    out[t] = v;
}

/* inner_has_condition<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void inner_has_condition(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t] + 2;
    else { if (in[t] > 3) v = s[t] * 2; else v = s[t] * s[t + 1]; }
    out[t] = v;
}

/* sum_and_difference<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void sum_and_difference(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { v = s[t] + q[t] + q[t + 1]; }
    else { v = s[t] - q[t] - q[t + 1]; }
    out[t] = v;
}

/* three_begin_alike<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void three_begin_alike(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t];
    else if (t < 2 * n) v = s[t] * 2;
    else v = s[t] + 1;
    out[t] = v;
}

/* at_three<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void at_three(float *out, const float *in, int n)
{
    BEGIN;
    if (t == 3) v += s[t + 1];
    out[t] = v;
}

/* at_zero<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void at_zero(float *out, const float *in, int n)
{
    BEGIN;
    if (t == 0) v += s[t + 1];
    out[t] = v;
}

/* product_at_three<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void product_at_three(float *out, const float *in, int n)
{
    BEGIN;
    if (t == 3) v += s[t + 1] * q[t + 2];
    out[t] = v;
}

/* much_at_three<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void much_at_three(float *out, const float *in, int n)
{
    BEGIN;
    if (t == 3) v += s[t + 1] * q[t + 2] + 7 * q[t] - s[t * 2];
    out[t] = v;
}

/* at_last_lane<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void at_last_lane(float *out, const float *in, int n)
{
    BEGIN;
    if (threadIdx.x == 31) v = s[threadIdx.x] + s[threadIdx.x - 1];
    out[t] = v;
}

/* six_from_places<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void six_from_places(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[5] - q[6];
    else v = q[5] - s[6];
    out[t] = v;
}

/* swapped_in_one<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void swapped_in_one(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t] - s[t + 1];
    else v = s[t + 1] - s[t];
    out[t] = v;
}

/* swapped<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void swapped(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t] - q[t];
    else v = q[t + 1] - s[t + 1];
    out[t] = v;
}

/* of_three_arrays<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void of_three_arrays(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t] - q[t];
    else v = q[t] - w[t];
    out[t] = v;
}

/* of_four_arrays<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void of_four_arrays(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = q[t] + r[t];
    else v = w[t] + s[t];
    out[t] = v;
}

/* of_others<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void of_others(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t + 1] - q[t + 2];
    else v = r[t + 3] - w[t + 4];
    out[t] = v;
}

/* second_of_other<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void second_of_other(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t + 1] - s[t + 2];
    else v = q[t + 1] - q[t + 2];
    out[t] = v;
}

/* of_both<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void of_both(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t + 1] - q[t + 2];
    else v = s[t + 3] - q[t + 4];
    out[t] = v;
}

/* last_of_other<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void last_of_other(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t + 1] - q[t + 2];
    else v = s[t + 3] - r[t + 4];
    out[t] = v;
}

/* first_of_other<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void first_of_other(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t + 1] - q[t + 2];
    else v = r[t + 3] - q[t + 4];
    out[t] = v;
}

/* swapped_by_number<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void swapped_by_number(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) v = s[t] - q[n];
    else v = q[t] - s[n];
    out[t] = v;
}

/* two_values<<<1, 256>>>(float[2048], float[2048] = iota, 7) */
__global__ void two_values(float *out, const float *in, int n)
{
    BEGIN;
    float u;
    if (t < n) { v = s[t + 1]; u = q[t + 2]; } else { v = r[t + 3];u = w[t + 4]; } out[t + 256] = u;
    out[t] = v;
}

/* value_in_guard<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void value_in_guard(float *out, const float *in, int n)
{
    BEGIN;
    if (n > 3) { if (t < n) v = s[t]; else v = s[t + 1]; }
    out[t] = v;
}

/* value_used_in_guard<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void value_used_in_guard(float *out, const float *in, int n)
{
    BEGIN;
    if (n > 3) { if (t < n) v = s[t]; else v = s[t + 1]; v *= 2; }
    out[t] = v;
}

/* store_in_guard<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void store_in_guard(float *out, const float *in, int n)
{
    BEGIN;
    if (n > 3) { if (t < n) out[t + 256] = s[t]; else out[t + 256] = s[t + 1]; }
    out[t] = v;
}

/* store_before_another<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void store_before_another(float *out, const float *in, int n)
{
    BEGIN;
    if (n > 3) { if (t < n) out[t + 256] = s[t]; else out[t + 256] = s[t + 1]; out[t + 512] = v; }
    out[t] = v;
}

/* store_in_turns<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void store_in_turns(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) { if (t < 2 * i) out[t+i] = s[t]; else out[t + 2 * i] = s[t + 1]; }
    out[t] = v;
}

/* two_values_and_number<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void two_values_and_number(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (t & 1) v = s[t]; else v = s[t + 1]; }
    else v = 5;
    out[t] = v;
}

/* two_places_in_guard<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void two_places_in_guard(float *out, const float *in, int n)
{
    BEGIN;
    if (n > 3) { if (t < n) s[t + 1] = s[t]; else s[t + 2] = s[t]; }
    __syncthreads(); v = s[t];
    out[t] = v;
}

/* numbers_in_guard<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void numbers_in_guard(float *out, const float *in, int n)
{
    BEGIN;
    if (n > 3) { if (t < n) s[t + 1] = 3; else s[t + 1] = 4; }
    __syncthreads(); v = s[t];
    out[t] = v;
}

/* maximum_in_guard<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void maximum_in_guard(float *out, const float *in, int n)
{
    BEGIN;
    if (n > 3) { if (t < n) s[t + 1] = s[t]; else s[t + 1] = max(s[t], q[t]); }
    __syncthreads(); v = s[t];
    out[t] = v;
}

/* guard_in_turns<<<1, 256>>>(float[2048], float[2048] = iota, 37) */
__global__ void guard_in_turns(float *out, const float *in, int n)
{
    BEGIN;
    for (int i = 0; i < n; i++) if (t > i) {
        if (t < 2 * i) q[t] = s[t + i];
        else q[t] = s[t + 1];
    }
    v = q[t + 1];
    out[t] = v;
}

/* three_products<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void three_products(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) v = v * s[t + 2]; else v = v * s[t + 1]; }
    else v = v * s[t + 3];
    out[t] = v;
}

/* updates_and_number<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void updates_and_number(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t] += q[t]; else s[t] -= q[t + 1]; }
    else s[t] = 1;
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* three_places<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void three_places(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t] = q[t]; else s[t + 1] = q[t + 1]; }
    else q[t] = 1;
    __syncthreads(); v = s[t + 1] + q[t];
    out[t] = v;
}

/* two_to_one_place<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void two_to_one_place(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t] = q[t]; else s[t] = q[t + 1]; }
    else s[t + 1] = q[t];
    __syncthreads(); v = s[t + 1] + q[t];
    out[t] = v;
}

/* two_loads_and_number<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void two_loads_and_number(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t] = q[t];
    else if (in[t] > 90) s[t] = q[t + 1];
    else s[t] = 1;
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* three_numbers<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void three_numbers(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t] = 3; else s[t] = 2; }
    else s[t] = 1;
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* three_of_which_address<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void three_of_which_address(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t + 1] = q[t]; else s[t + 1] = q[t] * 2; }
    else s[t + 1] = in[t + 2];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* right_first<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void right_first(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t] += q[t];
    else s[t] -= q[t + 1];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* numbers_to_one<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void numbers_to_one(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t + 1] = 3; else s[t + 1] = 2; }
    else s[t + 1] = 1;
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* numbers_to_three<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void numbers_to_three(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t + 1] = 3; else s[t + 2] = 2; }
    else s[t + 3] = 1;
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* three_loads<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void three_loads(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t] = q[t + 5]; else s[t] = q[t + 1]; }
    else s[t] = q[t + 2];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* three_loads_two_places<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void three_loads_two_places(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { if (in[t] > 20) s[t] = q[t + 5]; else s[t] = q[t + 1]; }
    else s[t + 1] = q[t + 2];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* shared_index<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void shared_index(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t + 1] = q[t];
    else if (in[t] > 90) s[t + 1] = q[t + 1];
    else s[t + 1] = in[t + 2];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* load_and_number<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void load_and_number(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t + 1] = q[t];
    else s[t + 2] = 1;
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* one_value_two_places<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void one_value_two_places(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t + 1] = q[t];
    else s[t + 2] = q[t];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* two_known_places<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void two_known_places(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t] = q[t];
    else s[t + 256] = q[t];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* product_among_three<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void product_among_three(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t + 1] = q[t];
    else if (in[t] > 90) s[t + 1] = q[t] * 2;
    else s[t + 1] = in[t + 2];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* other_among_three<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void other_among_three(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t + 1] = in[t + 9];
    else if (in[t] > 90) s[t + 1] = q[t];
    else s[t + 1] = in[t + 2];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* two_shared_indices<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void two_shared_indices(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t + 1] = q[t];
    else s[t + 2] = in[t + 2];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* zero_behind_load<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void zero_behind_load(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) s[t + 1] = q[t];
    else s[t + 1] = 0;
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* products_to_three<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void products_to_three(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { s[t + 1] = in[t]; }
    else if (t < 3 * n) { s[t + 2] = q[t] * q[t + 1]; }
    else s[t + 5] = 2;
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* products_to_one<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void products_to_one(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { s[t + 1] = in[t]; }
    else if (t < 3 * n) { s[t + 1] = q[t] * q[t + 1]; }
    else s[t + 1] = in[t + 3];
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* place_known_before<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void place_known_before(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { s[t + 256] = 2; }
    else { s[t + 1] = 2; }
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* sums_to_two<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void sums_to_two(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { s[t + 5] = in[t] * 2; }
    else { s[t + 1] = in[t] + 2; }
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* loads_to_two<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void loads_to_two(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) { s[t] = in[t + 9]; }
    else { s[t + 1] = in[t + 7]; }
    __syncthreads(); v = s[t + 1];
    out[t] = v;
}

/* return_before<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void return_before(float *out, const float *in, int n)
{
    BEGIN;
    if (t >= n) return;
    if (in[t] > 20) out[t] = s[t];
    else out[t] = s[t + 1];
}

/* whole_is_guarded<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void whole_is_guarded(float *out, const float *in, int n)
{
    BEGIN;
    if (t < n) {
        if (in[t] > 20) out[t] = s[t];
        else out[t] = s[t + 1];
    }
}

/* two_places_behind_return<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void two_places_behind_return(float *out, const float *in, int n)
{
    BEGIN;
    if (t >= n) return;
    if (in[t] > 20) out[t] = s[t];
    else out[t + 512] = s[t + 1];
}

/* no_guard<<<1, 256>>>(float[2048], float[2048] = iota, 40) */
__global__ void no_guard(float *out, const float *in, int n)
{
    BEGIN;
    if (in[t] > 20) out[t] = s[t];
    else out[t + 512] = s[t + 1];
}
