/* cuda_answer.c - why a CUDA program does not compile, in one line, by what the compiler said. */
#define _GNU_SOURCE

#include "cli/cuda.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Libraries by how the names of their headers and functions begin. */
static const struct {
    const char *begins, *what;
    bool has_nvcc; /* it is all in headers that come with nvcc */
} libraries[] = {
    {"thrust/", "Thrust", true},
    {"cub/", "this part of CUB", true},
    {"cub::", "this part of CUB", true},
    {"cuda/", "libcu++", true},
    {"cute/", "CuTe", false},
    {"cutlass/", "CUTLASS", false},
    {"cublas", "this part of cuBLAS", false},
    {"cufft", "cuFFT", false},
    {"curand", "cuRAND", false},
    {"cusparse", "cuSPARSE", false},
    {"cusolver", "cuSOLVER", false},
    {"cudnn", "cuDNN", false},
    {"nvrtc", "NVRTC", false},
    {"nvml", "NVML", false},
    {"nccl", "NCCL", false},
    {"npp", "NPP", false},
    {"nvJitLink", "nvJitLink", false},
    {"mpi", "MPI", false},
    {"MPI_", "MPI", false},
    {"GL/", "OpenGL", false},
    {"cuda_gl_interop", "OpenGL", false},
    {"cudaGraphicsGL", "OpenGL", false},
    {"__cudaCDP", "launching kernels from kernels", false},
    {"cudaGetParameterBuffer", "launching kernels from kernels", false},
};

static const char *library_of(const char *name, bool *has_nvcc)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (strncmp(name, libraries[i].begins, strlen(libraries[i].begins)) == 0) {
            *has_nvcc = libraries[i].has_nvcc;
            return libraries[i].what;
        }
    }
    return NULL;
}

/* A name in the log, behind `before` and up to a quote, colon or blank: the first that is of no
 * library, or else the last; false if there is none. Functions of libraries do not keep a program
 * from linking. */
static bool find_name(const char *log, const char *before, char name[128])
{
    bool has_nvcc, is_found = false;
    for (const char *at = strstr(log, before); at != NULL; at = strstr(at, before)) {
        at += strlen(before);
        size_t n = strcspn(at, "'`\": \n");
        snprintf(name, 128, "%.*s", (int)(n < 127 ? n : 127), at);
        is_found = true;
        if (library_of(name, &has_nvcc) == NULL) {
            break;
        }
    }
    return is_found;
}

/* The file that was not found, or what of CUB: its name stands before what is said of it. */
static bool find_missing(const char *log, char name[128])
{
    static const struct {
        const char *says, *of;
    } said[] = {{"' file not found", ""},
                {": No such file or directory", ""},
                {"' in namespace 'cub'", "cub::"}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        const char *end = strstr(log, said[i].says), *at = end;
        while (at != NULL && at > log && strchr("' \n", at[-1]) == NULL) {
            at--;
        }
        if (at != NULL && at != end) {
            snprintf(name, 128, "%s%.*s", said[i].of, (int)(end - at < 100 ? end - at : 100), at);
            return true;
        }
    }
    return false;
}

/* Says which library a name is of; false if it is of none. */
static bool say_library(const char *name, bool is_clang)
{
    bool has_nvcc = false;
    const char *what = library_of(name, &has_nvcc);
    if (what != NULL) {
        bsim_cli_say("banksim: %s: %s is not here%s\n", name, what,
                     is_clang && has_nvcc
                         ? ": it comes with NVIDIA's toolkit, where --compiler nvcc compiles it"
                         : ", and nothing of it can be run");
    }
    return what != NULL;
}

/* Of a name that nothing defines. */
static void say_name(const char *name, bool is_clang)
{
    bool is_cuda = strncmp(name, "cuda", 4) == 0;
    bool is_driver = strncmp(name, "CU", 2) == 0 ||
                     (strncmp(name, "cu", 2) == 0 && isupper((unsigned char)name[2]));
    if (!say_library(name, is_clang)) {
        bsim_cli_say("banksim: %s is not in %s\n", name,
                     is_cuda     ? "banksim's runtime"
                     : is_driver ? "banksim's runtime, which has none of the driver's calls"
                                 : "what was compiled: see above");
    }
}

/* The last line: what was missing, or what can be done. */
static void say_answer(const char *log, bool is_clang)
{
    char name[128];
    if (find_missing(log, name)) {
        if (!say_library(name, is_clang)) {
            bsim_cli_say("banksim: %s is not found: --flags '-I FOLDER' says where it is\n", name);
        }
    } else if (strstr(log, "'vote' without '.sync'") != NULL) {
        bsim_cli_say("banksim: this was CUDA's once: --flags -DBANKSIM_OLDER compiles it\n");
    } else if (strstr(log, "expected expression") != NULL && strstr(log, "<< <") != NULL) {
        bsim_cli_say("banksim: clang knows <<< and >>> without blanks alone: write them so, or "
                     "compile by nvcc\n");
    } else if (strstr(log, "reference to __global__ function") != NULL ||
               strstr(log, "kernel launch from __device__ or __global__") != NULL) {
        bsim_cli_say("banksim: kernels that launch kernels are not run here\n");
    } else if (find_name(log, "undefined reference to `", name) ||
               find_name(log, "undeclared identifier '", name) ||
               find_name(log, "unknown type name '", name) ||
               find_name(log, "identifier \"", name)) {
        say_name(name, is_clang);
    } else {
        bsim_cli_say("banksim: the program does not compile: see above\n");
    }
}

void bsim_cli_cuda_answer(const char *compiler_says, bool is_clang)
{
    char *text = bsim_cli_cuda_text(compiler_says);
    say_answer(text != NULL ? text : "", is_clang);
    free(text);
}
