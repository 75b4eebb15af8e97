/* ptx.c - a kernel in PTX, run on the CPU. */
#include "example.h"

/* out[threadIdx.x] = 3 * threadIdx.x, by way of shared memory. */
static const char module[] = ".version 8.0\n"
                             ".target sm_90\n"
                             ".address_size 64\n"
                             ".visible .entry triple(.param .u64 out)\n"
                             "{\n"
                             "    .reg .b32 %r<4>;\n"
                             "    .reg .b64 %rd<4>;\n"
                             "    .shared .align 4 .b8 s[128];\n"
                             "    ld.param.u64 %rd1, [out];\n"
                             "    mov.u32 %r1, %tid.x;\n"
                             "    mul.wide.u32 %rd2, %r1, 4;\n"
                             "    mul.lo.u32 %r2, %r1, 3;\n"
                             "    mov.u32 %r3, s;\n"
                             "    mad.lo.u32 %r3, %r1, 4, %r3;\n"
                             "    st.shared.u32 [%r3], %r2;\n"
                             "    ld.shared.u32 %r2, [%r3];\n"
                             "    add.u64 %rd3, %rd1, %rd2;\n"
                             "    st.global.u32 [%rd3], %r2;\n"
                             "    ret;\n"
                             "}\n";

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

int main(void)
{
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    CHECK(bsim_ptx_call_new("triple.ptx", module, strlen(module), "triple<<<1, 32>>>(int[32])",
                            &call, &err) == BSIM_OK);
    bsim_ptx_call_print(call, NULL, NULL); /* what it prints interests nobody */
    bsim_ptx_call_source(call, "triple.cu", "s[i] = 3 * i;\nout[i] = s[i];\n");
    bsim_ptx_call_set(call, &(struct bsim_ptx_options){.n_blocks = 1});
    struct bsim_source source = {.push = push, .context = call};
    struct bsim_run_options options = {.device = NULL};
    struct bsim_result result = {0};
    CHECK(bsim_run(&source, &options, &result, &err) == BSIM_OK);
    CHECK(bsim_kernel_total(&result.kernels[0]).wavefronts == 2);

    /* What that rests on. */
    struct bsim_rests rests = {.has_cycles = false};
    struct bsim_buffer words = BSIM_BUFFER_EMPTY;
    bsim_rests_add(&rests, &result.kernels[0]);
    bsim_rests_tell(&rests, &words);
    CHECK(words.data != NULL && strstr(words.data, "what ptxas merges") != NULL);
    bsim_rests_free(&rests);
    bsim_buffer_free(&words);

    CHECK(strcmp(bsim_ptx_call_findings(call), "") == 0);

    size_t size = 0;
    const int *out = bsim_ptx_call_array(call, "0", &size);
    CHECK(out != NULL && size == 32 * sizeof *out && out[0] == 0 && out[31] == 93);
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    return 0;
}
