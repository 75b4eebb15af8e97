/* cuda.c - a kernel in CUDA C, made PTX and run on the CPU. */
#include "example.h"

static const char source[] = "__global__ void triple(int *out)\n"
                             "{\n"
                             "    __shared__ int s[32];\n"
                             "    s[threadIdx.x] = 3 * threadIdx.x;\n"
                             "    __syncthreads();\n"
                             "    out[threadIdx.x] = s[31 - threadIdx.x];\n"
                             "}\n";

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

static void print_line(void *context, const char *launch, const char *chosen)
{
    CHECK(strcmp(launch, "triple<<<1, 32>>>(int[1024])") == 0);
    CHECK(strcmp(chosen, "sizes of arrays") == 0);
    *(bool *)context = true;
}

/* The one header that there is. */
static bool read_header(void *context, const char *from, const char *name, struct bsim_buffer *path,
                        struct bsim_buffer *text)
{
    CHECK(context == NULL && strcmp(from, "k.cu") == 0);
    bsim_buffer_printf(path, "include/%s", name);
    bsim_buffer_text(text, "#pragma once\n__device__ int three() { return 3; }\n");
    return strcmp(name, "three.h") == 0;
}

int main(void)
{
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    struct bsim_ptx_call *call = NULL;
    struct bsim_error err;
    CHECK(bsim_cuda_ptx("triple.cu", source, strlen(source), NULL, "triple", &ptx, &err) ==
          BSIM_OK);
    CHECK(bsim_ptx_call_new("triple.cu", ptx.data, ptx.size_bytes, "triple<<<1, 32>>>(int[32])",
                            &call, &err) == BSIM_OK);
    struct bsim_source run = {.push = push, .context = call};
    struct bsim_run_options options = {.device = NULL};
    struct bsim_result result = {0};
    CHECK(bsim_run(&run, &options, &result, &err) == BSIM_OK);
    CHECK(bsim_kernel_total(&result.kernels[0]).wavefronts == 2);

    size_t size = 0;
    const int *out = bsim_ptx_call_array(call, "0", &size);
    CHECK(out != NULL && size == 32 * sizeof *out && out[0] == 93 && out[31] == 0);
    bsim_result_free(&result);
    bsim_ptx_call_free(call);
    bsim_buffer_free(&ptx);

    static const char with[] = "#include \"three.h\"\n#include \"three.h\"\n#include \"none.h\"\n"
                               "__global__ void k(int *p) { p[0] = three(); }\n";
    const struct bsim_cuda_headers headers = {.read = read_header, .context = NULL};
    CHECK(bsim_cuda_ptx("k.cu", with, strlen(with), &headers, "k", &ptx, &err) == BSIM_OK);
    CHECK(strstr(ptx.data, ".file 2 \"include/three.h\"") != NULL);
    bsim_buffer_clear(&ptx);
    CHECK(bsim_cuda_ptx("k.cu", with, strlen(with), NULL, "k", &ptx, &err) == BSIM_E_INPUT);
    CHECK(strstr(err.message, ": three.h, none.h") != NULL);
    bsim_buffer_free(&ptx);

    static const char host[] = "__global__ void triple(int *out) { }\n"
                               "void f(int *out) { triple<<<1, 32>>>(out); }\n";
    bool is_told = false;
    const struct bsim_cuda_listener listener = {.tell = print_line, .context = &is_told};
    CHECK(bsim_cuda_propose("triple.cu", host, strlen(host), NULL, &listener, &err) == BSIM_OK &&
          is_told);

    const uint32_t from = 32, to = 33;
    const struct bsim_cuda_relaid relaid = {
        .name = "s", .n_dimensions = 1, .from = &from, .to = &to, .index = "s[i + i / 32]"};
    struct bsim_buffer relaid_text = BSIM_BUFFER_EMPTY;
    CHECK(bsim_cuda_relay("triple.cu", source, strlen(source), "triple", &relaid, &relaid_text,
                          &err) == BSIM_OK);
    CHECK(strstr(relaid_text.data, "int s[33];") != NULL);
    CHECK(strstr(relaid_text.data, "s[(31 - threadIdx.x) + (31 - threadIdx.x) / 32]") != NULL);
    bsim_buffer_free(&relaid_text);

    CHECK(bsim_cuda_ptx("none.cu", "__global__ void k() { goto end; }", 33, NULL, NULL, &ptx,
                        &err) == BSIM_E_INPUT);
    CHECK(err.line == 1 && err.column == 23);
    return 0;
}
