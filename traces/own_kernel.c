/* A kernel of one's own: 64 threads turn an array round. Prints its trace; see README.md here. */
#include <banksim/banksim.h>
#include <banksim/kernel.h>

static unsigned out[64];
KERNEL(turn_round)
{
    SHARED_1D(unsigned, tile, 64);
    PER_THREAD(unsigned, v);
    STORE(tile[threadIdx.x], threadIdx.x);
    SYNCTHREADS();
    LOAD(v[t], tile[63 - threadIdx.x]);
    STORE(out[threadIdx.x], v[t]);
}

int main(void)
{
    struct bsim_launch launch = {"turn_round", {1, 1, 1}, {64, 1, 1}, .body = turn_round,
                                 .n_arrays = 1, .arrays = {{out, sizeof out, BSIM_GLOBAL}}};
    struct bsim_output output = bsim_output_file(stdout);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    struct bsim_error err = {.message = "no memory"};
    char text[1024];
    if (!writer || bsim_launch_run(&launch, &sink, &err) || bsim_push_end(&sink, &err))
        return fputs(bsim_error_text(&err, text, sizeof text), stderr), 1;
    bsim_trace_writer_free(writer);
    return 0;
}
