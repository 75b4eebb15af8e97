/* kernel.c - a kernel of one's own, in C that reads like its CUDA: each word once. */
#include "example.h"

#include <banksim/kernel.h>

struct arguments {
    int *i;
    unsigned *u;
    long *l;
    unsigned long *ul;
    long long *ll;
    unsigned long long *ull;
    float *f;
    double *d;
};

/* The sum of a warp's numbers, which it counts in shared memory and shuffles. */
KERNEL(sum)
{
    const struct arguments *a = ARGUMENTS;
    SHARED_1D(int, s, 32);
    SHARED_DYNAMIC(int, more);
    LOCAL_1D(int, mine, 2);
    PER_THREAD(int, v);
    PER_THREAD(int, w);
    EACH_THREAD
    {
        v[t] = (int)threadIdx.x;
    }
    STORE(s[threadIdx.x], v[t]);
    SYNCTHREADS();
    LOAD(v[t], s[31 - threadIdx.x]);
    STORE(more[threadIdx.x], v[t]);
    STORE(mine[t][0], v[t]);
    LOAD(v[t], mine[t][0]);
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        SHFL_XOR(w[t], v[t], offset, 32);
        EACH_THREAD
        {
            v[t] += w[t];
        }
    }
    REPEAT(2)
    {
        WORK(1, 4);
        SYNCWARP();
    }
    WHERE(threadIdx.x == 0)
    {
        STORE(a->i[0], v[t]);
    }
}

/* Each of 32 threads brings four numbers past L1 and one through it. */
KERNEL(bring)
{
    const struct arguments *a = ARGUMENTS;
    const struct int4 *in = (const struct int4 *)(const void *)a->i;
    SHARED_1D(struct int4, tile, 32);
    SHARED_1D(int, more, 32);
    PER_THREAD(int, v);
    CP_ASYNC_CG(tile[threadIdx.x], in[threadIdx.x]);
    CP_ASYNC_COMMIT();
    CP_ASYNC_CA(more[threadIdx.x], a->i[127 - threadIdx.x]);
    CP_ASYNC_COMMIT();
    CP_ASYNC_WAIT(1);
    CP_ASYNC_WAIT_ALL();
    SYNCTHREADS();
    LOAD(v[t], more[threadIdx.x]);
    STORE(a->i[threadIdx.x], v[t] + tile[31 - threadIdx.x].w);
}

/* Each of 32 threads adds 1, in every type. */
KERNEL(count)
{
    const struct arguments *a = ARGUMENTS;
    RED_ADD(a->i[0], 1);
    RED_ADD(a->u[0], 1);
    RED_ADD(a->l[0], 1);
    RED_ADD(a->ul[0], 1);
    RED_ADD(a->ll[0], 1);
    RED_ADD(a->ull[0], 1);
    RED_ADD(a->f[0], 1);
    RED_ADD(a->d[0], 1);
}


static enum bsim_status append(void *context, const void *data, size_t size_bytes,
                               struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

static void run(const char *name, void (*body)(struct bsim_cta *), const struct arguments *a,
                size_t n_numbers, struct bsim_buffer *trace)
{
    struct bsim_output output = {append, trace};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    struct bsim_launch launch = {
        .name = name,
        .grid = {1, 1, 1},
        .block = {32, 1, 1},
        .dynamic_shared_bytes = 128,
        .body = body,
        .arguments = a,
        .n_arrays = 8,
        .arrays = {{a->i, n_numbers * sizeof *a->i, BSIM_GLOBAL},
                   {a->u, sizeof *a->u, BSIM_GLOBAL},
                   {a->l, sizeof *a->l, BSIM_GLOBAL},
                   {a->ul, sizeof *a->ul, BSIM_GLOBAL},
                   {a->ll, sizeof *a->ll, BSIM_GLOBAL},
                   {a->ull, sizeof *a->ull, BSIM_GLOBAL},
                   {a->f, sizeof *a->f, BSIM_GLOBAL},
                   {a->d, sizeof *a->d, BSIM_GLOBAL}},
    };
    struct bsim_error err;
    CHECK(bsim_launch_run(&launch, &sink, &err) == BSIM_OK);
    CHECK(bsim_push_end(&sink, &err) == BSIM_OK);
    bsim_trace_writer_free(writer);
}

int main(void)
{
    int i = 0;
    _Alignas(16) int numbers[128];
    unsigned u = 0;
    long l = 0;
    unsigned long ul = 0;
    long long ll = 0;
    unsigned long long ull = 0;
    float f = 0;
    double d = 0;
    struct arguments arguments = {&i, &u, &l, &ul, &ll, &ull, &f, &d};
    struct bsim_buffer trace = BSIM_BUFFER_EMPTY;
    run("sum", sum, &arguments, 1, &trace);
    CHECK(i == 31 * 32 / 2);
    CHECK(strstr(trace.data, "ffffffff 124-4") != NULL); /* s[31 - threadIdx.x] */
    i = 0;
    run("count", count, &arguments, 1, &trace);
    CHECK(i == 32 && u == 32 && l == 32 && ul == 32 && ll == 32 && ull == 32 && f == 32 && d == 32);
    for (int n = 0; n < 128; n++) {
        numbers[n] = n;
    }
    arguments.i = numbers;
    run("bring", bring, &arguments, 128, &trace);
    CHECK(numbers[0] == 127 + 31 * 4 + 3 && numbers[31] == 96 + 3);
    CHECK(strstr(trace.data, "@1 ffffffff 0+16 from=4294967296+16") != NULL);
    CHECK(strstr(trace.data, "@2 ffffffff 512+4 from=4294967804-4\nw0 cp.async.commit_group\n"
                             "w0 cp.async.wait_group 1\nw0 cp.async.wait_all\nw* bar.sync\n") != NULL);
    bsim_buffer_free(&trace);
    return 0;
}
