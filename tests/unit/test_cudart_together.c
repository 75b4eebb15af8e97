/* test_cudart_together.c - cooperative launches: blocks that wait for each other, in PTX as cooperative
 * groups make it. */
#define _XOPEN_SOURCE 700 /* mkstemp, setenv, fork */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banksim/trace.h>

#include "collect.h"

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
int cudaDeviceSynchronize(void);
int cudaLaunchCooperativeKernel(const void *host, struct dim3 grid, struct dim3 block,
                                void **arguments, size_t bytes, void *stream);
int cudaMalloc(void **p, size_t size);
int cudaDeviceGetAttribute(int *value, int attribute, int device);
int cudaGetLastError(void);

/* n times: p[block] = what the next block has, plus 1. Thread 0 of each block counts itself in, twice a
 * time, and waits until all have. The kernel's own array is 64 bytes. */
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry turn(.param .u64 p, .param .u32 n) {\n"
    " .reg .pred %p<4>;\n .reg .b32 %r<20>;\n .reg .b64 %rd<8>;\n .shared .align 4 .b8 s[64];\n"
    " ld.param.u64 %rd1, [p];\n ld.param.u32 %r1, [n];\n mov.u32 %r2, %envreg1;\n"
    " mov.u32 %r3, %envreg2;\n cvt.u64.u32 %rd2, %r2;\n cvt.u64.u32 %rd3, %r3;\n"
    " bfi.b64 %rd2, %rd2, %rd3, 32, 32;\n"
    " mov.u32 %r4, %ctaid.x;\n mov.u32 %r5, %nctaid.x;\n add.u32 %r6, %r4, 1;\n"
    " rem.u32 %r6, %r6, %r5;\n mul.wide.u32 %rd4, %r4, 4;\n add.u64 %rd4, %rd4, %rd1;\n"
    " mul.wide.u32 %rd5, %r6, 4;\n add.u64 %rd5, %rd5, %rd1;\n mov.u32 %r7, %tid.x;\n"
    " setp.ne.u32 %p1, %r7, 0;\n mov.u32 %r8, 0;\n mov.u32 %r9, 0;\n mov.u32 %r16, s;\n"
    "AGAIN:\n ld.volatile.global.u32 %r10, [%rd5];\n add.u32 %r10, %r10, 1;\n"
    " st.shared.u32 [%r16], %r10;\n"
    " add.u32 %r9, %r9, %r5;\n bar.sync 0;\n @%p1 bra FIRST;\n"
    " atom.add.release.gpu.u32 %r11, [%rd2], 1;\n"
    "WAIT1:\n ld.acquire.gpu.u32 %r12, [%rd2];\n setp.lt.u32 %p2, %r12, %r9;\n @%p2 bra WAIT1;\n"
    " st.volatile.global.u32 [%rd4], %r10;\n"
    "FIRST:\n add.u32 %r9, %r9, %r5;\n bar.sync 0;\n @%p1 bra SECOND;\n"
    " atom.add.release.gpu.u32 %r11, [%rd2], 1;\n"
    "WAIT2:\n ld.acquire.gpu.u32 %r12, [%rd2];\n setp.lt.u32 %p2, %r12, %r9;\n @%p2 bra WAIT2;\n"
    "SECOND:\n bar.sync 0;\n add.u32 %r8, %r8, 1;\n setp.lt.u32 %p3, %r8, %r1;\n"
    " @%p3 bra AGAIN;\n ret;\n}\n";

/* Block 0 ends; the others count themselves in, wait for it, and count how often they have looked. */
static const char text_of_miss[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry miss() {\n .reg .pred %p<4>;\n .reg .b32 %r<9>;\n .reg .b64 %rd<4>;\n"
    " mov.u32 %r2, %envreg1;\n mov.u32 %r3, %envreg2;\n mov.b64 %rd2, {%r3, %r2};\n"
    " mov.u32 %r4, %ctaid.x;\n setp.eq.u32 %p1, %r4, 0;\n @%p1 ret;\n mov.u32 %r8, 0;\n"
    " atom.add.release.gpu.u32 %r5, [%rd2], 1;\n"
    "WAIT:\n add.u32 %r8, %r8, 1;\n ld.acquire.gpu.u32 %r6, [%rd2];\n"
    " setp.lt.u32 %p2, %r6, 192;\n @%p2 bra WAIT;\n ret;\n}\n";

enum { BLOCKS = 70, TIMES = 5 };

static char turn, miss;

static int launch(void *p, unsigned n, unsigned n_blocks)
{
    return cudaLaunchCooperativeKernel(&turn, (struct dim3){n_blocks, 1, 1},
                                       (struct dim3){64, 1, 1}, (void *[]){&p, &n}, 0, NULL);
}

static void load(const char *module, char *kernel, char *name)
{
    static struct {
        int magic, version;
        const void *image;
        void *names;
    } wrapper = {0x466243b1, 1, NULL, NULL};
    wrapper.image = module;
    __cudaRegisterFunction(__cudaRegisterFatBinary(&wrapper), kernel, kernel, name, -1, NULL, NULL,
                           NULL, NULL, NULL);
}

/* Element b is block b + TIMES's at first. */
static int program(void)
{
    uint32_t *p;
    int can = 0;
    load(text, &turn, "turn");
    if (cudaMalloc((void **)&p, BLOCKS * sizeof *p) != 0) {
        return 1;
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        p[i] = 1000 * i;
    }
    if (launch(p, TIMES, BLOCKS) != 0) {
        return 2;
    }
    for (uint32_t i = 0; i < BLOCKS; i++) {
        if (p[i] != 1000 * ((i + TIMES) % BLOCKS) + TIMES) {
            return 3;
        }
    }
    bool is_refused = launch(p, TIMES, 132 * 32 + 1) == 720 && cudaGetLastError() == 720;
    return is_refused && cudaDeviceGetAttribute(&can, 95, 0) == 0 && can == 1 ? 0 : 4;
}

static void read_trace(const char *path, struct collect *collect)
{
    struct bsim_error err;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    struct bsim_input input = bsim_input_file(file, path);
    struct bsim_sink sink = collect_sink(collect);
    assert_int_equal(bsim_trace_read(&input, &sink, &err), BSIM_OK);
    fclose(file);
}

/* Each block's events stand together, behind each other: TIMES stores of each of the two warps. */
static void expect_blocks(const struct collect *collect)
{
    uint32_t n_blocks = 0, n_stores = 0;
    for (size_t i = 0; i < collect->n; i++) {
        const char *told = collect->item[i].text;
        n_stores += collect->item[i].kind == BSIM_RECORD_EVENT && strstr(told, "st.shared") != NULL;
        if (collect->item[i].kind == BSIM_RECORD_BLOCK || i + 1 == collect->n) {
            assert_int_equal(n_stores, n_blocks > 0 ? 2 * TIMES : 0);
            n_stores = 0;
            n_blocks++;
        }
    }
    assert_int_equal(n_blocks, BLOCKS + 1);
}

static void blocks_wait_for_each_other(void **state)
{
    (void)state;
    char path[] = "/tmp/banksim-test-XXXXXX";
    struct collect collect = {0};
    int status = 0;
    close(mkstemp(path));
    pid_t child = fork();
    if (child == 0) {
        setenv("BANKSIM_OUTPUT", path, 1);
        setenv("BANKSIM_BLOCKS", "1", 1); /* holds for other launches alone */
        exit(program());
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
    read_trace(path, &collect);
    expect_blocks(&collect);
    collect_free(&collect);
    unlink(path);
}

/* 0: the kernel has failed. */
static int program_that_hangs(void)
{
    load(text_of_miss, &miss, "miss");
    return cudaLaunchCooperativeKernel(&miss, (struct dim3){3, 1, 1}, (struct dim3){64, 1, 1}, NULL, 0,
                                       NULL) != 0 ||
           cudaDeviceSynchronize() != 702;
}

/* 32 blocks of 64 threads fit on each of 132 SMs. */
static int program_that_is_too_large(void)
{
    struct dim3 grid = {132 * 32 + 1, 1, 1}, block = {64, 1, 1};
    load(text_of_miss, &miss, "miss");
    return cudaLaunchCooperativeKernel(&miss, grid, block, NULL, 0, NULL) != 720;
}

enum { TOLD_SIZE = 1000 };

/* What a process of its own says on standard error; `says` returns 0. */
static void run_apart(int (*says)(void), char told[TOLD_SIZE])
{
    char path[] = "/tmp/banksim-test-XXXXXX";
    int status = 0, file = mkstemp(path);
    pid_t child = fork();
    if (child == 0) {
        dup2(file, 2);
        setenv("BANKSIM_OUTPUT", "/dev/null", 1);
        exit(says());
    }
    memset(told, 0, TOLD_SIZE);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_true(pread(file, told, TOLD_SIZE - 1, 0) > 0);
    close(file);
    unlink(path);
}

static void a_grid_that_does_not_fit_is_told(void **state)
{
    char told[TOLD_SIZE];
    (void)state;
    run_apart(program_that_is_too_large, told);
    assert_string_equal(told,
                        "banksim: miss: a cooperative launch of 4225 blocks, of which 4224 fit on "
                        "the device at a time, 32 on each of 132 SMs\n");
}

static void a_grid_that_a_block_leaves_is_told(void **state)
{
    char told[TOLD_SIZE];
    (void)state;
    run_apart(program_that_hangs, told);
    if (strstr(told, "block (1,0,0), thread (0,0,0): a deadlock: 64 threads go round here for ever and "
                     "wait at the grid's barrier, to which not all blocks come") == NULL) {
        fail_msg("%s", told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_wait_for_each_other),
        cmocka_unit_test(a_grid_that_does_not_fit_is_told),
        cmocka_unit_test(a_grid_that_a_block_leaves_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
