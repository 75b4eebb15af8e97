/* test_cudart.c - the CUDA runtime as compiled programs call it: what nvcc emits around main() is
 * written out here by hand, with a kernel in PTX. */
#define _GNU_SOURCE /* memmem; mkstemp, setenv, fork */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banksim/trace.h>

#include "collect.h"
#include "trace_text.h"
#include "watched.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct dim3 {
    unsigned x, y, z;
};

void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name,
                            int limit, void *tid, void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int external,
                       size_t size, int constant, int global);
unsigned __cudaPushCallConfiguration(struct dim3 grid, struct dim3 block, size_t bytes,
                                     void *stream);
int __cudaPopCallConfiguration(struct dim3 *grid, struct dim3 *block, size_t *bytes, void *stream);
int cudaLaunchKernel(const void *host, struct dim3 grid, struct dim3 block, void **arguments,
                     size_t bytes, void *stream);
int cudaMalloc(void **p, size_t size);
int cudaFree(void *p);
int cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
int cudaMemset(void *p, int value, size_t size);
int cudaMemcpy(void *to, const void *from, size_t size, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream);
int cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                 size_t height, int kind);
int cudaMemset2D(void *p, size_t pitch, int value, size_t width, size_t height);
int cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, int kind);
int cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, int kind);
int cudaGetLastError(void);
int cudaDeviceSynchronize(void);
int cudaDeviceReset(void);
int cudaDeviceSetLimit(int limit, size_t value);
int cudaDeviceGetLimit(size_t *value, int limit);
int cudaStreamSynchronize(void *stream);
const char *cudaGetErrorString(int error);

static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".const .align 4 .u32 factor;\n.global .align 4 .u32 total = 5;\n"
    ".visible .entry scale(.param .u64 p, .param .u32 n) {\n"
    " .reg .pred %p<2>;\n .reg .b32 %r<8>;\n .reg .b64 %rd<4>;\n"
    " ld.param.u64 %rd1, [p];\n ld.param.u32 %r4, [n];\n mov.u32 %r0, %tid.x;\n"
    " setp.ge.u32 %p1, %r0, %r4;\n @%p1 ret;\n"
    " mul.wide.u32 %rd2, %r0, 4;\n add.s64 %rd0, %rd1, %rd2;\n"
    " ld.const.u32 %r1, [factor];\n ld.global.u32 %r2, [%rd0];\n mul.lo.u32 %r3, %r1, %r2;\n"
    " st.global.u32 [%rd0], %r3;\n atom.global.add.u32 %r5, [total], %r3;\n ret;\n}\n"
    ".func down(.param .b32 n) {\n .reg .pred %p<2>;\n .reg .b32 %r<4>;\n ld.param.u32 %r0, [n];\n"
    " setp.eq.u32 %p1, %r0, 0;\n @%p1 ret;\n add.u32 %r1, %r0, -1;\n"
    " {\n .param .b32 a;\n st.param.b32 [a], %r1;\n call.uni down, (a);\n }\n ret;\n}\n"
    ".visible .entry deep(.param .u64 p, .param .u32 n) {\n .reg .b32 %r<4>;\n"
    " ld.param.u32 %r1, [n];\n {\n .param .b32 a;\n st.param.b32 [a], %r1;\n"
    " call.uni down, (a);\n }\n ret;\n}\n"
    ".visible .entry trapped(.param .u64 p, .param .u32 n) {\n trap;\n ret;\n}\n"
    ".visible .entry misaligned(.param .u64 p, .param .u32 n) {\n .reg .b32 %r<2>;\n"
    " .shared .align 4 .b32 s[4];\n ld.shared.u32 %r0, [s+2];\n ret;\n}\n"
    ".visible .entry unmeant(.param .u64 p, .param .u32 n) {\n .reg .b32 %r<2>;\n"
    " mov.u32 %r0, %tid.x;\n shfl.sync.idx.b32 %r1, %r0, 0, 31, 1;\n ret;\n}\n"
    ".global .align 1 .b8 why[4] = {119, 104, 121, 0};\n"
    ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param "
    ".b64 e);\n"
    ".visible .entry asserted(.param .u64 p, .param .u32 n) {\n .reg .b64 %rd<2>;\n"
    " mov.u64 %rd0, why;\n cvta.global.u64 %rd1, %rd0;\n {\n .param .b64 a;\n .param .b64 b;\n"
    " .param .b32 c;\n .param .b64 d;\n .param .b64 e;\n st.param.b64 [a], %rd1;\n"
    " st.param.b64 [b], %rd1;\n st.param.b32 [c], 7;\n st.param.b64 [d], %rd1;\n"
    " st.param.b64 [e], 1;\n call.uni __assertfail, (a, b, c, d, e);\n }\n ret;\n}\n"
    ".visible .entry look(.param .u64 p, .param .u32 n) {\n"
    " .reg .b32 %r<2>;\n mov.u32 %r0, %clock;\n ret;\n}\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"
    ".visible .entry grow(.param .u64 p, .param .u32 n) {\n .reg .b64 %rd<4>;\n .reg .b32 %r<3>;\n"
    " .reg .pred %p<2>;\n ld.param.u64 %rd0, [p];\n ld.param.u32 %r0, [n];\n"
    " cvt.u64.u32 %rd1, %r0;\n {\n .param .b64 a;\n st.param.b64 [a], %rd1;\n .param .b64 r;\n"
    " call.uni (r), malloc, (a);\n ld.param.b64 %rd2, [r];\n }\n setp.ne.u64 %p0, %rd2, 0;\n"
    " @%p0 red.global.add.u32 [%rd0], 1;\n ret;\n}\n";

/* The addresses by which the program names its kernel and variables. */
static char scale, deep, look, trapped, asserted, misaligned, unmeant, grow, factor, total;

static void register_module(void)
{
    static struct {
        int magic, version;
        const void *image;
        void *names;
    } wrapper = {0x466243b1, 1, text, NULL};
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &scale, &scale, "scale", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &deep, &deep, "deep", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &look, &look, "look", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &trapped, NULL, "trapped", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &asserted, NULL, "asserted", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &misaligned, NULL, "misaligned", -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterFunction(handle, &unmeant, NULL, "unmeant", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &grow, &grow, "grow", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &factor, &factor, "factor", 0, 4, 1, 0);
    __cudaRegisterVar(handle, &total, &total, "total", 0, 4, 0, 0);
}

static int launch_kernel(const void *kernel, void *array, unsigned n)
{
    struct dim3 grid = {1, 1, 1}, block = {32, 1, 1};
    void *arguments[] = {&array, &n}, *stream;
    size_t bytes;
    __cudaPushCallConfiguration(grid, block, 0, NULL);
    __cudaPopCallConfiguration(&grid, &block, &bytes, &stream);
    return cudaLaunchKernel(kernel, grid, block, arguments, bytes, stream);
}

static int launch(void *array, unsigned n)
{
    return launch_kernel(&scale, array, n);
}

/* The program: 10 * 3, 11 * 3, ... for 8 elements, and their sum. Returns 0 if all is right. */
static int program(void)
{
    unsigned h[8], three = 3, sum = 0, *d = NULL;
    for (unsigned i = 0; i < 8; i++) {
        h[i] = 10 + i;
    }
    register_module();
    if (cudaMalloc((void **)&d, sizeof h) != 0 || cudaMemcpy(d, h, sizeof h, 1) != 0 ||
        cudaMemcpyToSymbol(&factor, &three, 4, 0, 1) != 0 || launch(d, 8) != 0 ||
        cudaMemcpy(h, d, sizeof h, 2) != 0 || cudaMemcpyFromSymbol(&sum, &total, 4, 0, 2) != 0) {
        return 1;
    }
    for (unsigned i = 0; i < 8; i++) {
        if (h[i] != 3 * (10 + i)) {
            return 2;
        }
    }
    if (sum != 5 + 3 * (8 * 10 + 28) || cudaGetLastError() != 0 || cudaFree(d) != 0) {
        return 3;
    }
    return cudaMemcpyToSymbol(&scale, &three, 4, 0, 1) == 13 && cudaDeviceSynchronize() == 0 &&
                   cudaGetLastError() == 13 && cudaGetLastError() == 0 && cudaFree(h) == 1
               ? 0
               : 4;
}

/* Runs what in a process of its own, whose trace goes to path; returns how it ended. */
static int end_apart(int (*what)(void), const char *path)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setenv("BANKSIM_OUTPUT", path, 1);
        exit(what());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

/* Its exit code. */
static int run_apart(int (*what)(void), const char *path)
{
    return WEXITSTATUS(end_apart(what, path));
}

static enum bsim_status read_trace(const char *path, struct collect *collect)
{
    struct bsim_error err;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct bsim_input input = bsim_input_file(file, path);
    struct bsim_sink sink = collect_sink(collect);
    enum bsim_status status = bsim_trace_read(&input, &sink, &err);
    fclose(file);
    return status;
}

static void programs_run(void **state)
{
    (void)state;
    char path[] = "/tmp/banksim-test-XXXXXX";
    struct collect collect = {0};
    close(mkstemp(path));
    assert_int_equal(run_apart(program, path), 0);
    assert_int_equal(read_trace(path, &collect), BSIM_OK);
    assert_non_null(strstr(collect.item[0].text, "kernel scale grid=1,1,1 block=32,1,1"));
    /* of lanes 0 to 7 the last adds to `total` what REDUX has */
    assert_non_null(strstr(collect.item[collect.n - 2].text, "red.global.add.u32 00000080"));
    assert_int_equal(collect.item[collect.n - 1].kind, BSIM_RECORD_END);
    collect_free(&collect);
    struct bsim_buffer bytes = trace_text_load(path); /* an image that is the PTX is clang's */
    assert_non_null(memmem(bytes.data, bytes.size_bytes, "x-ptx=merged+clang", 18));
    bsim_buffer_free(&bytes);
    unlink(path);
}

/* One element too many: the launch fails, everything after it does, and the trace is no whole one.
 */
static int faulty_program(void)
{
    unsigned *d = NULL;
    register_module();
    return cudaMalloc((void **)&d, 32) == 0 && launch(d, 9) == 0 && cudaGetLastError() == 0 &&
                   cudaDeviceSynchronize() == 700 && cudaGetLastError() == 700 &&
                   cudaGetLastError() == 0 && launch(d, 8) == 700 && cudaGetLastError() == 700 &&
                   cudaStreamSynchronize(NULL) == 700 && cudaMemcpy(d, d, 4, 3) == 700 &&
                   cudaMalloc((void **)&d, 32) == 700 && cudaFree(d) == 700 &&
                   cudaDeviceReset() == 0 && cudaMalloc((void **)&d, 32) == 46 &&
                   cudaDeviceSynchronize() == 46
               ? 0
               : 1;
}

static void faults_are_errors_that_stay(void **state)
{
    (void)state;
    char path[] = "/tmp/banksim-test-XXXXXX";
    struct collect collect = {0};
    close(mkstemp(path));
    assert_int_equal(run_apart(faulty_program, path), 0);
    assert_int_equal(read_trace(path, &collect), BSIM_E_INPUT);
    collect_free(&collect);
    unlink(path);
    assert_string_equal(cudaGetErrorString(700), "an illegal memory access was encountered");
}

/* So many launches that are whole, and one that is not: all of them can be read, and that one has begun. */
static int n_good;
static bool is_repeating, fails_at_once;

static int program_that_fails(void)
{
    unsigned *d = NULL;
    register_module();
    if (is_repeating) {
        setenv("BANKSIM_AGAIN", "1", 1);
    }
    if (cudaMalloc((void **)&d, 32) != 0) {
        return 1;
    }
    for (int i = 0; i < n_good; i++) {
        if (launch(d, 8) != 0) {
            return 2;
        }
    }
    return (fails_at_once ? launch_kernel(&deep, NULL, 500) : launch(d, 9)) == 0 &&
                   cudaDeviceSynchronize() == 700
               ? 0
               : 3;
}

static void launches_before_a_fault_are_all_in_the_trace(void **state)
{
    static const int n[] = {0, 1, 2, 5, 100};
    (void)state;
    for (size_t i = 0; i < 4 * sizeof n / sizeof *n; i++) {
        char path[] = "/tmp/banksim-test-XXXXXX";
        struct collect collect = {0};
        int n_kernels = 0;
        n_good = n[i / 4];
        is_repeating = i % 4 >= 2;
        fails_at_once = i % 2 == 0;
        close(mkstemp(path));
        assert_int_equal(run_apart(program_that_fails, path), 0);
        assert_int_equal(read_trace(path, &collect), BSIM_E_INPUT);
        for (size_t k = 0; k < collect.n; k++) {
            n_kernels += collect.item[k].kind == BSIM_RECORD_KERNEL;
        }
        assert_int_equal(n_kernels, n_good + 1);
        collect_free(&collect);
        unlink(path);
    }
}

/* A process that the program made ends between two launches: the trace goes on. */
static int program_that_forks(void)
{
    unsigned *d = NULL;
    int status = 0;
    register_module();
    if (cudaMalloc((void **)&d, 32) != 0 || launch(d, 8) != 0) {
        return 1;
    }
    pid_t child = fork();
    if (child == 0) {
        exit(0);
    }
    return waitpid(child, &status, 0) == child && status == 0 && launch(d, 8) == 0 ? 0 : 2;
}

static void a_child_does_not_end_the_trace(void **state)
{
    (void)state;
    char path[] = "/tmp/banksim-test-XXXXXX";
    struct collect collect = {0};
    close(mkstemp(path));
    assert_int_equal(run_apart(program_that_forks, path), 0);
    assert_int_equal(read_trace(path, &collect), BSIM_OK);
    collect_free(&collect);
    unlink(path);
}

/* Two launches, and then the program goes, in one way or another. */
static int how_it_goes; /* a signal, or 0: by _exit */

static int launch_and_go(void)
{
    unsigned *d = NULL;
    register_module();
    if (cudaMalloc((void **)&d, 32) == 0 && launch(d, 8) == 0 && launch(d, 4) == 0) {
        raise(how_it_goes);
        _exit(7);
    }
    return 1;
}

static int program_that_goes(void)
{
    signal(how_it_goes, SIG_DFL); /* it was the tests' own */
    return launch_and_go();
}

static void go_by_hand(int number)
{
    _exit(number);
}

static int program_that_minds(void)
{
    signal(how_it_goes, go_by_hand);
    return launch_and_go();
}

/* How the process ended, and whether its trace is whole, with both launches. */
static int goes(int (*what)(void), int how, bool *is_whole)
{
    char path[] = "/tmp/banksim-test-XXXXXX";
    struct collect collect = {0};
    int n_kernels = 0;
    how_it_goes = how;
    close(mkstemp(path));
    int status = end_apart(what, path);
    *is_whole = read_trace(path, &collect) == BSIM_OK;
    for (size_t k = 0; k < collect.n; k++) {
        n_kernels += collect.item[k].kind == BSIM_RECORD_KERNEL;
    }
    assert_true(!*is_whole || n_kernels == 2);
    collect_free(&collect);
    unlink(path);
    return status;
}

static void signals_end_the_trace(void **state)
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    bool is_whole;
    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        int status = goes(program_that_goes, signals[i], &is_whole);
        assert_true(is_whole && WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
    }
    assert_int_equal(WEXITSTATUS(goes(program_that_minds, SIGABRT, &is_whole)), SIGABRT);
    assert_false(is_whole);
    assert_int_equal(WEXITSTATUS(goes(program_that_goes, 0, &is_whole)), 7);
    assert_false(is_whole);
}

/* A freed array's address is told as such. */
static int use_after_free(void)
{
    unsigned *d = NULL;
    register_module();
    return cudaMalloc((void **)&d, 32) == 0 && cudaFree(d) == 0 && cudaFree(d) == 1 &&
                   launch(d, 8) == 0 && cudaDeviceSynchronize() == 700
               ? 0
               : 1;
}

static void freed_memory_is_not_touched(void **state)
{
    (void)state;
    assert_int_equal(run_apart(use_after_free, "/dev/null"), 0);
}

/* Each kind of fault has its number. */
static const void *wrong_kernel;
static int wrong_error;

static int fail_in_a_kernel(void)
{
    register_module();
    return launch_kernel(wrong_kernel, NULL, 1) == 0 && cudaDeviceSynchronize() == wrong_error &&
                   cudaGetLastError() == wrong_error
               ? 0
               : 1;
}

static void faults_have_their_kinds(void **state)
{
    static const struct {
        const void *kernel;
        int error;
    } wrong[] = {
        {&trapped, 719}, {&asserted, 710}, {&misaligned, 716}, {&unmeant, 715}, {&scale, 700}};
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        wrong_kernel = wrong[i].kernel;
        wrong_error = wrong[i].error;
        assert_int_equal(run_apart(fail_in_a_kernel, "/dev/null"), 0);
        assert_string_not_equal(cudaGetErrorString(wrong_error), "unrecognized error code");
    }
}

/* Arrays are gone, variables hold what they held at first, and an error is still there. */
static int reset(void)
{
    unsigned h[8] = {1, 2, 3}, three = 3, *d = NULL;
    size_t left = 0, all = 0;
    register_module();
    if (cudaMalloc((void **)&d, sizeof h) != 0 || cudaMemcpy(d, h, sizeof h, 1) != 0 ||
        cudaMemcpyToSymbol(&factor, &three, 4, 0, 1) != 0 || launch(d, 8) != 0 ||
        cudaMemcpyFromSymbol(h, &total, 4, 0, 2) != 0 || h[0] != 5 + 3 * 6 ||
        cudaMemset(NULL, 0, 1) != 1 || cudaDeviceReset() != 0 || cudaGetLastError() != 1) {
        return 1;
    }
    if (cudaMemset(d, 0, 4) != 1 || cudaFree(d) != 1 || cudaMemGetInfo(&left, &all) != 0 ||
        left != all || cudaMemcpyFromSymbol(h, &total, 4, 0, 2) != 0 || h[0] != 5 ||
        cudaMemcpyFromSymbol(h, &factor, 4, 0, 2) != 0 || h[0] != 0) {
        return 2;
    }
    return cudaMalloc((void **)&d, sizeof h) == 0 && launch(d, 8) == 0 && cudaFree(d) == 0 &&
                   cudaDeviceSynchronize() == 0
               ? 0
               : 3;
}

static void a_reset_frees_all(void **state)
{
    (void)state;
    assert_int_equal(run_apart(reset, "/dev/null"), 0);
}

/* A call takes 8 bytes of the stack at least: 128 go into the 1024 that a thread has at first, 512 into 4096;
 * one more, and it is as on a GPU. */
static int call_deeply(void)
{
    size_t bytes = 0;
    register_module();
    return launch_kernel(&deep, NULL, 127) == 0 && cudaDeviceGetLimit(&bytes, 0) == 0 &&
                   bytes == 1024 && cudaDeviceSetLimit(0, 1 << 20) == 1 &&
                   cudaDeviceSetLimit(0, 4096) == 0 && cudaDeviceGetLimit(&bytes, 0) == 0 &&
                   bytes == 4096 && launch_kernel(&deep, NULL, 511) == 0 &&
                   launch_kernel(&deep, NULL, 512) == 0 && cudaDeviceSynchronize() == 700
               ? 0
               : 1;
}

/* 32 threads ask for 300,000 bytes each: 27 go into 8 MiB, as none is freed 28 more once there are 16. */
static int allocate_much(void)
{
    unsigned *d = NULL, n = 0;
    register_module();
    bool is_right = cudaMalloc((void **)&d, sizeof n) == 0 && cudaMemset(d, 0, sizeof n) == 0 &&
                    launch_kernel(&grow, d, 300000) == 0 &&
                    cudaMemcpy(&n, d, sizeof n, 2) == 0 && n == 27;
    return is_right && cudaDeviceSetLimit(2, 1 << 24) == 0 &&
                   launch_kernel(&grow, d, 300000) == 0 &&
                   cudaMemcpy(&n, d, sizeof n, 2) == 0 && n == 27 + 28
               ? 0
               : 1;
}

static void what_kernels_allocate_has_a_limit(void **state)
{
    (void)state;
    assert_int_equal(run_apart(allocate_much, "/dev/null"), 0);
}

static void the_stack_has_a_limit(void **state)
{
    (void)state;
    assert_int_equal(run_apart(call_deeply, "/dev/null"), 0);
}

/* What is refused writes nothing, and says which array it is about. */
static char told_path[64];

static int copy_beyond(void)
{
    static unsigned char h[8192], back[256];
    unsigned char *a = NULL, *b = NULL;
    void *stream = NULL;
    if (freopen(told_path, "w", stderr) == NULL || cudaMalloc((void **)&a, 256) != 0 ||
        cudaMalloc((void **)&b, 256) != 0 || cudaMemset(a, 7, 256) != 0) {
        return 1;
    }
    if (cudaMemcpy(a, h, 257, 1) != 1 || cudaGetLastError() != 1 ||
        cudaMemcpy(a, h, 8192, 4) != 1 || cudaMemset(a + 1, 0, 256) != 1 ||
        cudaMemset2D(a, 32, 0, 32, 9) != 1 || cudaMemcpy2D(a, 32, h, 64, 33, 2, 1) != 12 ||
        cudaMemcpy(h, h, 4, 2) != 1 || cudaMemcpy(NULL, h, 4, 1) != 1 ||
        cudaMemcpyAsync(a, h, 8192, 1, stream) != 1 || cudaMemcpy(b, a + 512, 4, 3) != 1 ||
        cudaMemcpy(a, h, SIZE_MAX, 1) != 1) {
        return 2;
    }
    if (cudaMemcpy(back, a, 256, 2) != 0 || cudaMemcpy(NULL, NULL, 0, 1) != 0 ||
        cudaMemset(a, 7, 256) != 0 || cudaFree(b) != 0 || cudaMemcpy(b, h, 4, 1) != 1 ||
        cudaMemcpy(h, b, 4, 2) != 1 || cudaMemset(b, 0, 1) != 1) {
        return 3;
    }
    for (size_t i = 0; i < sizeof back; i++) {
        if (back[i] != 7) {
            return 4;
        }
    }
    return 0;
}

static void copies_stay_in_their_arrays(void **state)
{
    (void)state;
    char path[] = "/tmp/banksim-test-XXXXXX";
    close(mkstemp(path));
    strcpy(told_path, path);
    assert_int_equal(run_apart(copy_beyond, "/dev/null"), 0);
    struct bsim_buffer told = trace_text_load(path);
    assert_non_null(strstr(told.data,
                           "banksim: cudaMemcpy: 257 bytes at byte 0 of array 1, which has "
                           "256: 1 too many\n"));
    assert_non_null(strstr(told.data,
                           "banksim: cudaMemset: 256 bytes at byte 1 of array 1, which has "
                           "256: 1 too many\n"));
    assert_non_null(strstr(told.data,
                           "banksim: cudaMemset2D: 288 bytes at byte 0 of array 1, which "
                           "has 256: 32 too many\n"));
    assert_non_null(
        strstr(told.data, "banksim: cudaMemcpy2D: rows of 33 bytes at a pitch of 32\n"));
    assert_non_null(strstr(told.data, "banksim: cudaMemcpy: a null pointer\n"));
    assert_non_null(
        strstr(told.data, "banksim: cudaMemcpy: 4 bytes at byte 0 of array 2, which was freed\n"));
    bsim_buffer_free(&told);
    unlink(path);
}

/* Kilobytes of memory that the process holds. */
static long held(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    bool is_read = file != NULL && fscanf(file, "%ld %ld", &pages, &resident) == 2;
    if (file != NULL) {
        fclose(file);
    }
    return is_read ? resident * (sysconf(_SC_PAGESIZE) / 1024) : 0;
}

/* 200 times a gigabyte, of which 4 MB are touched; the device has 64. */
static int allocate_and_free(void)
{
    size_t left = 0, all = 0, one = (size_t)1 << 30;
    char *p, *q;
    register_module();
    if (cudaMalloc((void **)&p, one) != 0 || cudaMemGetInfo(&left, &all) != 0 || all != 64 * one ||
        left != 63 * one || cudaMalloc((void **)&q, 64 * one) != 2 || cudaFree(p) != 0 ||
        cudaMemGetInfo(&left, &all) != 0 || left != all) {
        return 1;
    }
    for (int i = 0; i < 200; i++) {
        if (cudaMalloc((void **)&p, one) != 0 || cudaMemset(p, 1, 4 << 20) != 0 ||
            cudaFree(p) != 0) {
            return 2;
        }
    }
    /* The sanitizer's own bytes about these stay: an eighth. */
    return held() < WATCHED(100, 300) << 10 ? 0 : 3;
}

static void freed_memory_is_given_back(void **state)
{
    (void)state;
    assert_int_equal(run_apart(allocate_and_free, "/dev/null"), 0);
}

/* With a factor of 0 a launch leaves memory as it is from its second time on; with 1 it adds to the
 * total each time. */
static int repeating_program(void)
{
    unsigned h[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *d = NULL, sum = 0;
    setenv("BANKSIM_AGAIN", "1", 1);
    register_module();
    cudaMalloc((void **)&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, 1);
    for (unsigned i = 0; i < 4; i++) {
        launch(d, 8); /* zeros; changes nothing; known; known */
    }
    cudaMemcpy(d, h, sizeof h, 1);
    for (unsigned i = 0; i < 3; i++) {
        launch(d, 8); /* zeros once more; changes nothing; known */
    }
    for (unsigned i = 0; i < 3; i++) {
        launch(d, 4); /* another; changes nothing; known */
    }
    launch(d, 8); /* known from four launches ago */
    cudaMemcpy(d, h, sizeof h, 1);
    h[0] = 1;
    cudaMemcpyToSymbol(&factor, h, 4, 0, 1);
    for (unsigned i = 0; i < 3; i++) {
        launch(d, 8); /* each adds 36 */
    }
    for (unsigned i = 0; i < 3; i++) {
        launch_kernel(&look, d, 8);
    }
    cudaMemcpyFromSymbol(&sum, &total, 4, 0, 2);
    return cudaGetLastError() == 0 ? (int)sum : 255;
}

static void launches_that_repeat_others_are_not_run(void **state)
{
    static const uint32_t expected[] = {0, 0, 1, 1, 0, 0, 1, 0, 0, 1, 4, 0, 0, 0, 0, 0, 0};
    (void)state;
    char path[] = "/tmp/banksim-test-XXXXXX";
    struct collect collect = {0};
    close(mkstemp(path));
    assert_int_equal(run_apart(repeating_program, path), 5 + 3 * 36);
    assert_int_equal(read_trace(path, &collect), BSIM_OK);
    size_t n = 0;
    for (size_t i = 0; i < collect.n; i++) {
        const struct collect_item *item = &collect.item[i];
        if (item->kind == BSIM_RECORD_KERNEL) {
            const char *again = strstr(item->text, "again=");
            assert_true(n < sizeof expected / sizeof *expected);
            assert_int_equal(again != NULL ? atoi(again + 6) : 0, expected[n]);
            n++;
        }
    }
    assert_int_equal(n, sizeof expected / sizeof *expected);
    collect_free(&collect);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_run),
        cmocka_unit_test(faults_are_errors_that_stay),
        cmocka_unit_test(launches_before_a_fault_are_all_in_the_trace),
        cmocka_unit_test(signals_end_the_trace),
        cmocka_unit_test(a_child_does_not_end_the_trace),
        cmocka_unit_test(freed_memory_is_not_touched),
        cmocka_unit_test(faults_have_their_kinds),
        cmocka_unit_test(a_reset_frees_all),
        cmocka_unit_test(the_stack_has_a_limit),
        cmocka_unit_test(what_kernels_allocate_has_a_limit),
        cmocka_unit_test(copies_stay_in_their_arrays),
        cmocka_unit_test(freed_memory_is_given_back),
        cmocka_unit_test(launches_that_repeat_others_are_not_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
