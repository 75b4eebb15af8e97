/* test_trace_read.c - what the text reader makes of good traces, and how it ends. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "failing_memory.h"
#include "trace_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- traces and the streams they stand for -------------------------------------------------- */

#define HEAD "banksim-trace 1\nkernel k block=64 shared=4096\nblock 0\n"
#define HEAD_LOG \
    "kernel k grid 1,1,1 block 64,1,1 shared 4096 device (none) extras ''\nblock 0,0,0\n"

struct good {
    const char *name, *text, *log;
};

static const struct good good[] = {
    {"nothing but the frame", "banksim-trace 1\nend\n", "end\n"},
    {"no line end after end", "banksim-trace 1\nend", "end\n"},
    {"CR LF", "banksim-trace 1\r\nend\r\n", "end\n"},
    {"cut between CR and LF", "banksim-trace 1\r\nend\r", "end\n"},
    {"blanks, tabs, comments, empty lines",
     "\n  \t\n# first\n\t banksim-trace \t1 # x\n\n end#y\n\n # z \x01\xff\n", "end\n"},
    {"the format's example",
     "banksim-trace 1\n"
     "kernel setRowReadCol grid=1 block=32,32 shared=4096\n"
     "site 1 st.shared.u32 at=square.cu:12 text=\"tile[threadIdx.y][threadIdx.x] = idx\"\n"
     "site 2 ld.shared.u32 at=square.cu:14 text=\"out[idx] = tile[threadIdx.x][threadIdx.y]\"\n"
     "block 0\n"
     "w0 @1 ffffffff 0+4\n"
     "w1 @1 ffffffff 128+4\n"
     "w* bar.sync\n"
     "w0 @2 ffffffff 0+128          expect.wavefronts=32\n"
     "w1 ld.shared.u32 0000000f 4,132,260,388\n"
     "end\n",
     "kernel setRowReadCol grid 1,1,1 block 32,32,1 shared 4096 device (none) extras ''\n"
     "site 1 index 0 st.shared.u32 at square.cu line 12 text 'tile[threadIdx.y][threadIdx.x] = "
     "idx'\n"
     "site 2 index 1 ld.shared.u32 at square.cu line 14 text 'out[idx] = "
     "tile[threadIdx.x][threadIdx.y]'\n"
     "block 0,0,0\n"
     "event w0 @1 st.shared.u32 mask ffffffff affine 0 +4\n"
     "event w1 @1 st.shared.u32 mask ffffffff affine 128 +4\n"
     "event w* bar.sync mask ffffffff\n"
     "event w0 @2 ld.shared.u32 mask ffffffff affine 0 +128 wavefronts 32\n"
     "event w1 ld.shared.u32 mask 0000000f at 0:4 1:132 2:260 3:388\n"
     "end\n"},
    {"kernel keys in any order",
     "banksim-trace 1\nkernel K.2 x-b=1=2 device=sm_90 block=8,4,2 x-a= shared=0x10 registers=1 grid=3,2,1\n"
     "block 2,1\nend\n",
     "kernel K.2 grid 3,2,1 block 8,4,2 shared 16 registers 1 device sm_90 extras 'x-b=1=2 x-a='\n"
     "block 2,1,0\nend\n"},
    {"the most that keys may say",
     "banksim-trace 1\nkernel k grid=2147483647,65535,65535 block=1,1,1024 shared=16777216 registers=255\n"
     "block 2147483646,65534,65534\nend\n",
     "kernel k grid 2147483647,65535,65535 block 1,1,1024 shared 16777216 registers 255 device (none) "
     "extras ''\nblock 2147483646,65534,65534\nend\n"},
    {"quotation marks within words",
     "banksim-trace 1\nkernel a,\"b block=1 x-a=b\"c\" device=d\"\nend\n",
     "kernel a,\"b grid 1,1,1 block 1,1,1 device d\" extras 'x-a=b\"c\"'\nend\n"},
    {"sites",
     "banksim-trace 1\nkernel k block=1\n"
     "site 4294967295 bar.sync\n"
     "site 0x10 ld.const.u8 text=\"\" at=C:\\a.cu:0\n"
     "block 0\n"
     "site 3 shfl.sync.up.b32 text=\"\\\"#\\\\ \xc3\xa4\"#\n"
     "w0 @3 00000001 -\nw0 @4294967295\nw0 @16 00000001 7\nend\n",
     "kernel k grid 1,1,1 block 1,1,1 device (none) extras ''\n"
     "site 4294967295 index 0 bar.sync\n"
     "site 16 index 1 ld.const.u8 at C:\\a.cu line 0 text ''\n"
     "block 0,0,0\n"
     "site 3 index 2 shfl.sync.up.b32 text '\"#\\ \xc3\xa4'\n"
     "event w0 @3 shfl.sync.up.b32 mask 00000001\n"
     "event w0 @4294967295 bar.sync mask ffffffff\n"
     "event w0 @16 ld.const.u8 mask 00000001 at 0:7\nend\n"},
    {"sites belong to their kernel",
     "banksim-trace 1\nkernel a block=1\nsite 1 bar.sync\nsite 2 bar.sync\n"
     "kernel b block=1\nsite 2 shfl.sync.idx.b32\nblock 0\nw0 @2 00000001 -\nend\n",
     "kernel a grid 1,1,1 block 1,1,1 device (none) extras ''\n"
     "site 1 index 0 bar.sync\nsite 2 index 1 bar.sync\n"
     "kernel b grid 1,1,1 block 1,1,1 device (none) extras ''\n"
     "site 2 index 0 shfl.sync.idx.b32\nblock 0,0,0\n"
     "event w0 @2 shfl.sync.idx.b32 mask 00000001\nend\n"},
    {"lists go to active lanes, lowest first",
     HEAD "w1 ld.shared.u16 80000011 2,0x4,4094\nw0 ld.shared.u32 ffffffff 8*31,12*1\n"
          "w0 ld.shared.u8 00000300 1*2#\nend\n",
     HEAD_LOG "event w1 ld.shared.u16 mask 80000011 at 0:2 4:4 31:4094\n"
              "event w0 ld.shared.u32 mask ffffffff at 0:8 1:8 2:8 3:8 4:8 5:8 6:8 7:8 8:8 9:8 "
              "10:8 11:8 12:8 13:8 14:8 15:8 16:8 17:8 18:8 19:8 20:8 21:8 22:8 23:8 24:8 25:8 "
              "26:8 27:8 28:8 29:8 30:8 31:12\n"
              "event w0 ld.shared.u8 mask 00000300 at 8:1 9:1\nend\n"},
    {"affine forms",
     HEAD "w0 ld.shared.u32 000000f0 0+4\nw0 ld.shared.u32 ffffffff 124-4\n"
          "w0 ld.shared.u32 ffffffff 0x40+0x4\nw0 ld.shared.u32 ffffffff 4092-0\nend\n",
     HEAD_LOG "event w0 ld.shared.u32 mask 000000f0 affine 0 +4\n"
              "event w0 ld.shared.u32 mask ffffffff affine 124 -4\n"
              "event w0 ld.shared.u32 mask ffffffff affine 64 +4\n"
              "event w0 ld.shared.u32 mask ffffffff affine 4092 +0\nend\n"},
    /* Lane 4: 1024 - 4 * 255 = 4; lane 0 would be fine, lane 5 negative. Lane 31 alone: 31 * 132 =
     * 4092, the last word. Two lanes whose addresses are even although base and stride are odd. */
    {"inactive lanes of an affine form are not looked at",
     HEAD "w0 ld.shared.u32 00000010 1024-255\nw0 ld.shared.u32 80000000 0+132\n"
          "w0 ld.shared.u32 00000001 0+4294967296\nw0 ld.shared.u16 0000000a 1+1\nend\n",
     HEAD_LOG "event w0 ld.shared.u32 mask 00000010 affine 1024 -255\n"
              "event w0 ld.shared.u32 mask 80000000 affine 0 +132\n"
              "event w0 ld.shared.u32 mask 00000001 affine 0 +4294967296\n"
              "event w0 ld.shared.u16 mask 0000000a affine 1 +1\nend\n"},
    {"matrix rows",
     HEAD "w0 ldmatrix.sync.aligned.m8n8.x1.shared.b16 ffffffff 0*7,4080\n"
          "w0 stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 FFFFFFFF 3840+16\nend\n",
     HEAD_LOG "event w0 ldmatrix.sync.aligned.m8n8.x1.shared.b16 mask ffffffff at 0:0 1:0 2:0 3:0 "
              "4:0 5:0 6:0 7:4080\n"
              "event w0 stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 mask ffffffff affine 3840 "
              "+16\nend\n"},
    {"all of shared= and of the spaces",
     "banksim-trace 1\nkernel k block=32\nblock 0\n"
     "w0 ld.shared.v4.u32 00000001 4294967280\n"
     "w0 ld.global.v2.u64 00000003 18446744073709551600,0xfffffffffffffff0\n"
     "w0 atom.global.add.u32 ffffffff 18446744073709551488+4\n"
     "w0 ld.const.u8 00000001 00000000000000000000000000007\nend\n",
     "kernel k grid 1,1,1 block 32,1,1 device (none) extras ''\nblock 0,0,0\n"
     "event w0 ld.shared.v4.u32 mask 00000001 at 0:4294967280\n"
     "event w0 ld.global.v2.u64 mask 00000003 at 0:18446744073709551600 "
     "1:18446744073709551600\n"
     "event w0 atom.global.add.u32 mask ffffffff affine 18446744073709551488 +4\n"
     "event w0 ld.const.u8 mask 00000001 at 0:7\nend\n"},
    {"attributes",
     HEAD "w0 ld.shared.u32 00000001 0 expect.conflicts=0 wait=2147483647 expect.wavefronts=1\n"
          "w* bar.sync wait=0\nw1 work 3\nw1 work 4:5 wait=1\n"
          "w0 work 64 fp32\nw0\twork 1:2 xu wait=3 # x\n"
          "w0 work 1 fp32 reads=1+2 reuse=0+1 wait=0\nw0 work 2:9 int reuse=15+0 reads=15+15\nw0 work 1 fp32\nend\n",
     HEAD_LOG "event w0 ld.shared.u32 mask 00000001 at 0:0 wait 2147483647 wavefronts 1 conflicts "
              "0\nevent w* bar.sync mask ffffffff wait 0\n"
              "event w1 work mask ffffffff work 3:0\nevent w1 work mask ffffffff work 4:5 wait 1\n"
              "event w0 work mask ffffffff work 64:0 of fp32\n"
              "event w0 work mask ffffffff work 1:2 of xu wait 3\n"
              "event w0 work mask ffffffff work 1:0 of fp32 reads 1+2 less 0+1 wait 0\n"
              "event w0 work mask ffffffff work 2:9 of int reads 15+15 less 15+0\n"
              "event w0 work mask ffffffff work 1:0 of fp32\n"
              "end\n"},
    {"meetings",
     HEAD "w0 arrive 7\nw* arrive 0x8 wait=0\nw1 await 7:1\nw1 cp.async.mbarrier.arrive 7 wait=1\n"
          "w1 await 4294967295:4294967295\nend\n",
     HEAD_LOG "event w0 arrive mask ffffffff meeting 7:0\n"
              "event w* arrive mask ffffffff meeting 8:0 wait 0\n"
              "event w1 await mask ffffffff meeting 7:1\n"
              "event w1 cp.async.mbarrier.arrive mask ffffffff meeting 7:0 wait 1\n"
              "event w1 await mask ffffffff meeting 4294967295:4294967295\nend\n"},
    {"groups of copies",
     HEAD "w0 cp.async.commit_group\nw* cp.async.wait_group 2 wait=0\nrepeat 2\nw1 cp.async.wait_group 0x0 # x\ndone\n"
          "w1 cp.async.wait_group 4294967294\nw0 cp.async.wait_all\nend\n",
     HEAD_LOG "event w0 cp.async.commit_group mask ffffffff\n"
              "event w* cp.async.wait_group mask ffffffff groups 2 wait 0\n"
              "repeat 2 work 0:0\nevent w1 cp.async.wait_group mask ffffffff groups 0\ndone\n"
              "event w1 cp.async.wait_group mask ffffffff groups 4294967294\n"
              "event w0 cp.async.wait_group mask ffffffff groups all\nend\n"},
    {"repeats",
     HEAD "repeat 2 work=1:2\nrepeat 0xffffffff\nw0 work 1\ndone\ndone\nrepeat 1 work=3\ndone\n"
          "end\n",
     HEAD_LOG
     "repeat 2 work 1:2\nrepeat 4294967295 work 0:0\nevent w0 work mask ffffffff work 1:0\n"
     "done\ndone\nrepeat 1 work 3:0\ndone\nend\n"},
    {"eight repeats deep",
     HEAD "repeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\n"
          "done\ndone\ndone\ndone\ndone\ndone\ndone\ndone\nend\n",
     HEAD_LOG "repeat 1 work 0:0\nrepeat 1 work 0:0\nrepeat 1 work 0:0\nrepeat 1 work 0:0\n"
              "repeat 1 work 0:0\nrepeat 1 work 0:0\nrepeat 1 work 0:0\nrepeat 1 work 0:0\n"
              "done\ndone\ndone\ndone\ndone\ndone\ndone\ndone\nend\n"},
    {"barriers agree through repeats: 2 * 3 in warp 0, 6 in warp 1",
     HEAD "repeat 2\nrepeat 3\nw0 bar.sync\ndone\ndone\nrepeat 6\nw1 bar.sync\ndone\nw* bar.sync\n"
          "end\n",
     HEAD_LOG "repeat 2 work 0:0\nrepeat 3 work 0:0\nevent w0 bar.sync mask ffffffff\ndone\ndone\n"
              "repeat 6 work 0:0\nevent w1 bar.sync mask ffffffff\ndone\n"
              "event w* bar.sync mask ffffffff\nend\n"},
    {"an inner repeat that is done leaves the outer one's turns",
     HEAD "repeat 2\nrepeat 3\ndone\nw0 bar.sync\ndone\nw1 bar.sync\nw1 bar.sync\nend\n",
     HEAD_LOG "repeat 2 work 0:0\nrepeat 3 work 0:0\ndone\nevent w0 bar.sync mask ffffffff\ndone\n"
              "event w1 bar.sync mask ffffffff\nevent w1 bar.sync mask ffffffff\nend\n"},
    {"each block counts its own barriers",
     "banksim-trace 1\nkernel k grid=2 block=64\nblock 0\nw* bar.sync\nblock 1\nblock 0\nend\n",
     "kernel k grid 2,1,1 block 64,1,1 device (none) extras ''\nblock 0,0,0\n"
     "event w* bar.sync mask ffffffff\nblock 1,0,0\nblock 0,0,0\nend\n"},
};

static void check_log(const struct good *c, size_t piece_bytes)
{
    struct bsim_buffer log = BSIM_BUFFER_EMPTY;
    struct bsim_sink sink = trace_text_log(&log);
    struct bsim_error err;
    if (trace_text_read(c->text, strlen(c->text), piece_bytes, &sink, &err) != BSIM_OK) {
        char out[1024];
        fail_msg("%s: %s", c->name, bsim_error_text(&err, out, sizeof out));
    }
    if (strcmp(log.data, c->log) != 0) {
        fail_msg("%s, in pieces of %zu: got\n%s", c->name, piece_bytes, log.data);
    }
    bsim_buffer_free(&log);
}

static void good_traces(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(good); i++) {
        check_log(&good[i], 0);
    }
}

/* A pipe hands out bytes as it likes. */
static void good_traces_in_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(good); i++) {
        for (size_t piece = 1; piece <= 17; piece++) {
            check_log(&good[i], piece);
        }
    }
}

/* ---- line numbers --------------------------------------------------------------------------- */

struct lines {
    uint64_t line[16];
    size_t n;
};

static enum bsim_status note_line(void *context, const struct bsim_record *record,
                                  struct bsim_error *err)
{
    struct lines *lines = context;
    (void)err;
    assert_true(lines->n < N_OF(lines->line));
    lines->line[lines->n++] = record->line;
    return BSIM_OK;
}

static void records_know_their_lines(void **state)
{
    (void)state;
    static const char text[] = "# 1\nbanksim-trace 1\n\nkernel k block=1\r\n# 5\nblock 0\n"
                               "repeat 1\nw0 work 1\ndone\nend # 10\n\n# 12\n";
    static const uint64_t expected[] = {4, 6, 7, 8, 9, 10};
    struct lines lines = {.n = 0};
    struct bsim_sink sink = {.push = note_line, .context = &lines};
    assert_int_equal(trace_text_read(text, strlen(text), 0, &sink, NULL), BSIM_OK);
    assert_int_equal(lines.n, N_OF(expected));
    assert_memory_equal(lines.line, expected, sizeof expected);
}

/* ---- long lines, long traces ---------------------------------------------------------------- */

/* A comment that makes the line as long as a line may be. */
static void the_longest_line(void **state)
{
    (void)state;
    enum { LONGEST = 65536 };
    static const char *const line_end[] = {"\n", "\r\n"};
    for (size_t i = 0; i < N_OF(line_end); i++) {
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        enum bsim_status status;
        bsim_buffer_printf(&text, "banksim-trace 1%send #", line_end[i]);
        for (size_t n = strlen("end #"); n < LONGEST; n++) {
            bsim_buffer_text(&text, "x");
        }
        bsim_buffer_text(&text, line_end[i]);
        struct bsim_buffer log = trace_text_describe(text.data, text.size_bytes, &status, NULL);
        assert_int_equal(status, BSIM_OK);
        assert_string_equal(log.data, "end\n");
        struct bsim_sink sink = trace_text_log(&log);
        assert_int_equal(trace_text_read(text.data, text.size_bytes, 1, &sink, NULL), BSIM_OK);
        assert_string_equal(log.data, "end\nend\n");
        bsim_buffer_free(&log);
        bsim_buffer_free(&text);
    }
}

struct endless {
    const char *rest; /* of the line being given */
    uint64_t events;  /* still to be given */
    bool has_end;
};

/* The head, many events, the end; a line per call where it fits. */
static size_t read_endless(void *context, void *data, size_t size_bytes)
{
    struct endless *endless = context;
    if (*endless->rest == '\0' && endless->events > 0) {
        endless->events--;
        endless->rest = "w0 ld.shared.u32 0000000f 0,4,8,12 # and a comment\n";
    } else if (*endless->rest == '\0' && !endless->has_end) {
        endless->has_end = true;
        endless->rest = "end\n";
    }
    size_t n = strlen(endless->rest);
    n = n < size_bytes ? n : size_bytes;
    memcpy(data, endless->rest, n);
    endless->rest += n;
    return n;
}

struct counter {
    uint64_t events, ends;
    size_t live_min, live_max;
};

static enum bsim_status count(void *context, const struct bsim_record *record,
                              struct bsim_error *err)
{
    struct counter *counter = context;
    size_t live = failing_memory_live();
    (void)err;
    counter->events += record->kind == BSIM_RECORD_EVENT;
    counter->ends += record->kind == BSIM_RECORD_END;
    if (record->kind == BSIM_RECORD_EVENT) {
        counter->live_min = live < counter->live_min ? live : counter->live_min;
        counter->live_max = live > counter->live_max ? live : counter->live_max;
    }
    return BSIM_OK;
}

/* 5 MB through a reader that holds the same blocks of memory all the while. */
static void a_long_trace_needs_no_more_memory(void **state)
{
    (void)state;
    struct endless endless = {"banksim-trace 1\nkernel k block=32\nblock 0\n", 100000, false};
    struct bsim_input input = {.read = read_endless, .context = &endless, .name = "endless"};
    struct counter counter = {.live_min = SIZE_MAX};
    struct bsim_sink sink = {.push = count, .context = &counter};
    size_t before = failing_memory_live();
    assert_int_equal(bsim_trace_read(&input, &sink, NULL), BSIM_OK);
    assert_true(counter.events == 100000 && counter.ends == 1);
    assert_int_equal(counter.live_min, counter.live_max);
    assert_int_equal(failing_memory_live(), before);
}

/* Many sites, with numbers in steps as instruction addresses have them. */
static void many_sites(void **state)
{
    (void)state;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct counter counter = {.events = 0};
    struct bsim_sink sink = {.push = count, .context = &counter};
    bsim_buffer_text(&text, "banksim-trace 1\nkernel k block=32\n");
    for (unsigned i = 1; i <= 3000; i++) {
        bsim_buffer_printf(&text, "site %u ld.shared.u32 at=a.cu:%u\n", 16 * i, i);
    }
    bsim_buffer_text(&text, "block 0\n");
    for (unsigned i = 1; i <= 3000; i++) {
        bsim_buffer_printf(&text, "w0 @%u 00000001 0\n", 16 * i);
    }
    bsim_buffer_text(&text, "end\n");
    assert_int_equal(trace_text_read(text.data, text.size_bytes, 0, &sink, NULL), BSIM_OK);
    assert_true(counter.events == 3000);
    bsim_buffer_free(&text);
}

/* ---- lifetimes ------------------------------------------------------------------------------ */

struct borrower {
    const struct bsim_kernel *kernel;
    const struct bsim_site *site;
    size_t kernels;
};

/* When the next KERNEL or END comes, the last one and its sites must still be there. */
static enum bsim_status borrow(void *context, const struct bsim_record *record,
                               struct bsim_error *err)
{
    struct borrower *borrower = context;
    (void)err;
    if (record->kind == BSIM_RECORD_KERNEL || record->kind == BSIM_RECORD_END) {
        if (borrower->kernel != NULL) {
            assert_string_equal(borrower->kernel->name, "name");
            assert_string_equal(borrower->kernel->extras, "x-a=b");
            assert_string_equal(borrower->site->text, "text");
        }
        borrower->kernel = record->kind == BSIM_RECORD_KERNEL ? record->u.kernel : NULL;
        borrower->kernels++;
    } else if (record->kind == BSIM_RECORD_SITE) {
        borrower->site = record->u.site;
    }
    return BSIM_OK;
}

static void kernels_and_sites_live_until_the_next(void **state)
{
    (void)state;
    static const char text[] =
        "banksim-trace 1\nkernel name x-a=b block=1\nsite 1 bar.sync text=\"text\"\n"
        "kernel name x-a=b block=1\nsite 9 bar.sync text=\"text\"\nend\n";
    struct borrower borrower = {.kernels = 0};
    struct bsim_sink sink = {.push = borrow, .context = &borrower};
    assert_int_equal(trace_text_read(text, strlen(text), 0, &sink, NULL), BSIM_OK);
    assert_int_equal(borrower.kernels, 3);
}

/* ---- how it ends ---------------------------------------------------------------------------- */

struct refuser {
    enum bsim_record_kind kind; /* that it refuses */
    bool sets_place;
};

static enum bsim_status refuse(void *context, const struct bsim_record *record,
                               struct bsim_error *err)
{
    const struct refuser *refuser = context;
    if (record->kind != refuser->kind) {
        return BSIM_OK;
    }
    (void)bsim_error_set(err, BSIM_E_USAGE, "no such device");
    if (refuser->sets_place) {
        bsim_error_place(err, "elsewhere", 7, 3, NULL, 0);
    }
    return BSIM_E_USAGE;
}

static void a_sinks_refusal_gets_the_records_place(void **state)
{
    (void)state;
    static const char text[] = "banksim-trace 1\n  kernel k block=1\nblock 0\n\tw0 work 1 # x\n"
                               " end\n# last\n";
    static const struct {
        struct refuser refuser;
        const char *file;
        uint64_t line;
        uint32_t column;
        const char *excerpt;
    } c[] = {
        {{BSIM_RECORD_KERNEL, false}, "t.trace", 2, 3, "  kernel k block=1"},
        {{BSIM_RECORD_BLOCK, false}, "t.trace", 3, 1, "block 0"},
        {{BSIM_RECORD_EVENT, false}, "t.trace", 4, 2, " w0 work 1 # x"},
        {{BSIM_RECORD_END, false}, "t.trace", 5, 2, ""},
        {{BSIM_RECORD_EVENT, true}, "elsewhere", 7, 3, ""},
    };
    for (size_t i = 0; i < N_OF(c); i++) {
        struct refuser refuser = c[i].refuser;
        struct bsim_sink sink = {.push = refuse, .context = &refuser};
        struct bsim_error err;
        assert_int_equal(trace_text_read(text, strlen(text), 0, &sink, &err), BSIM_E_USAGE);
        assert_string_equal(err.message, "no such device");
        assert_string_equal(err.file, c[i].file);
        assert_true(err.line == c[i].line && err.column == c[i].column);
        assert_string_equal(err.excerpt, c[i].excerpt);
        assert_int_equal(trace_text_read(text, strlen(text), 0, &sink, NULL), BSIM_E_USAGE);
    }
}

struct broken {
    const char *text; /* comes first, then the failure */
};

static size_t read_broken(void *context, void *data, size_t size_bytes)
{
    struct broken *broken = context;
    size_t n = strlen(broken->text);
    if (n == 0) {
        errno = EISDIR;
        return SIZE_MAX;
    }
    n = n < size_bytes ? n : size_bytes;
    memcpy(data, broken->text, n);
    broken->text += n;
    return n;
}

/* Whether it fails at once or within the trace; `end` was read in the last case, but END must not
 * follow what could not be read to its end. */
static void a_failing_input(void **state)
{
    (void)state;
    static const char *const text[] = {"", "banksim", "banksim-trace 1\nkernel k block=1\n",
                                       "banksim-trace 1\nend\n"};
    for (size_t i = 0; i < N_OF(text); i++) {
        struct broken broken = {text[i]};
        struct bsim_input input = {.read = read_broken, .context = &broken, .name = "broken"};
        struct counter counter = {.ends = 0};
        struct bsim_sink sink = {.push = count, .context = &counter};
        struct bsim_error err;
        assert_int_equal(bsim_trace_read(&input, &sink, &err), BSIM_E_IO);
        assert_string_equal(err.file, "broken");
        assert_true(err.line == 0);
        assert_non_null(strstr(err.message, "cannot read: "));
        assert_true(counter.ends == 0);
    }
}

static void from_a_file(void **state)
{
    (void)state;
    struct counter counter = {.ends = 0};
    struct bsim_sink sink = {.push = count, .context = &counter};
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(fputs(good[5].text, file) >= 0);
    rewind(file);
    struct bsim_input input = bsim_input_file(file, "tmp");
    assert_int_equal(bsim_trace_read(&input, &sink, NULL), BSIM_OK);
    assert_true(counter.events == 5 && counter.ends == 1);
    fclose(file);
}

static void from_a_directory(void **state)
{
    (void)state;
    struct counter counter = {.ends = 0};
    struct bsim_sink sink = {.push = count, .context = &counter};
    struct bsim_error err;
    FILE *file = fopen("tests", "rb");
    if (file == NULL) {
        skip(); /* a system that does not open directories */
    }
    struct bsim_input input = bsim_input_file(file, "tests");
    assert_int_equal(bsim_trace_read(&input, &sink, &err), BSIM_E_IO);
    assert_string_equal(err.file, "tests");
    fclose(file);
}

/* The command line's golden tests have samples that are broken on purpose. */
static void check_sample(const char *path, const char *text, size_t size)
{
    enum bsim_status status;
    struct bsim_error err;
    struct bsim_buffer log = trace_text_describe(text, size, &status, &err);
    if (status != BSIM_OK && strstr(path, "/cli_") == NULL) {
        char out[1024];
        fail_msg("%s: %s", path, bsim_error_text(&err, out, sizeof out));
    }
    bsim_buffer_free(&log);
}

static void samples(void **state)
{
    (void)state;
    trace_text_each("tests/golden/traces", "", ".trace", check_sample);
    trace_text_each("tests/fuzz/corpus", "good-", "", check_sample);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(good_traces),
        cmocka_unit_test(good_traces_in_pieces),
        cmocka_unit_test(records_know_their_lines),
        cmocka_unit_test(the_longest_line),
        cmocka_unit_test(a_long_trace_needs_no_more_memory),
        cmocka_unit_test(many_sites),
        cmocka_unit_test(kernels_and_sites_live_until_the_next),
        cmocka_unit_test(a_sinks_refusal_gets_the_records_place),
        cmocka_unit_test(a_failing_input),
        cmocka_unit_test(from_a_file),
        cmocka_unit_test(from_a_directory),
        cmocka_unit_test(samples),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
