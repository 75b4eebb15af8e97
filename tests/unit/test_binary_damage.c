/* test_binary_damage.c - the binary reader's refusals: every flipped bit, every length that is too
 * short, and, behind checksums that are right, everything that the text reader would refuse. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "packed.h"
#include "status_name.h"
#include "trace_text.h"
#include "watched.h"

#include <stdlib.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* Every kind of record. */
static const char whole[] = "banksim-trace 1\n"
                            "kernel k grid=2 block=64 shared=256 device=sm_90 x-a=1\n"
                            "site 1 ld.shared.u32 at=a.cu:7 text=\"a\"\n"
                            "block 0\n"
                            "w0 @1 ffffffff 0+4\n"
                            "w1 st.shared.u32 ffffffff 0*31,4 wait=1 expect.wavefronts=2\n"
                            "\n"
                            "repeat 3 work=1:2\n"
                            "  w* bar.sync\n"
                            "done\n"
                            "w0 work 3:4\n"
                            "w0 shfl.sync.idx.b32 00000001 -\n"
                            "block 1\n"
                            "w0 ld.global.u32 0000000f 99999999996,4,8,0\n"
                            "end\n";

/* Events that a reader may push in batches: without expectations. */
static const char batch[] = "banksim-trace 1\n"
                            "kernel k grid=2 block=64 shared=256\n"
                            "site 1 ld.shared.u32\n"
                            "block 0\n"
                            "w0 @1 0000ffff 0+4\n"
                            "w1 @1 ffffffff 0*31,4\n"
                            "w* @1 00000003 4,0\n"
                            "w0 ld.global.u32 ffffffff 99999999996+4\n"
                            "w1 @1 ffffffff 0+4\n"
                            "w0 bar.sync\n"
                            "w1 bar.sync wait=0\n"
                            "w0 work 2:3\n"
                            "w0 shfl.sync.idx.b32 00000001 -\n"
                            "w0 @1 0000ffff 0+4 wait=2\n"
                            "end\n";

static struct bsim_buffer pack_whole(void)
{
    return packed_text(whole, strlen(whole));
}

/* Reads and expects a refusal without END; packed_log checks the latter. */
static void expect_refusal(const char *data, size_t size, const char *what, size_t which)
{
    struct bsim_error err = {.status = BSIM_OK};
    enum bsim_status status;
    struct bsim_buffer log = packed_log(data, size, 0, &status, &err);
    if (status != BSIM_E_INPUT || err.message[0] == '\0' || strcmp(err.file, "t.trace") != 0) {
        fail_msg("%s %zu: %s '%s'", what, which, status_name(status), err.message);
    }
    bsim_buffer_free(&log);
}

static void every_flipped_bit(void **state)
{
    (void)state;
    struct bsim_buffer bytes = pack_whole();
    for (size_t bit = 0; bit < 8 * bytes.size_bytes; bit += WATCHED(1, 5)) {
        char *byte = &bytes.data[bit / 8];
        *byte = (char)(*byte ^ 1 << bit % 8);
        expect_refusal(bytes.data, bytes.size_bytes, "bit", bit);
        *byte = (char)(*byte ^ 1 << bit % 8);
    }
    bsim_buffer_free(&bytes);
}

static void every_length(void **state)
{
    (void)state;
    struct bsim_buffer bytes = pack_whole();
    for (size_t n = 0; n < bytes.size_bytes; n++) {
        expect_refusal(bytes.data, n, "length", n);
    }
    bsim_buffer_add(&bytes, "", 1);
    expect_refusal(bytes.data, bytes.size_bytes, "length", bytes.size_bytes);
    bsim_buffer_free(&bytes);
}

/* Each chunk left out, and each two neighbours exchanged. */
static void every_chunk(void **state)
{
    (void)state;
    struct bsim_buffer bytes = pack_whole();
    size_t start[16];
    size_t n = 0;
    for (size_t at = 64; at < bytes.size_bytes; n++) {
        uint32_t payload;
        assert_true(n < N_OF(start) - 1);
        start[n] = at;
        memcpy(&payload, bytes.data + at + 4, sizeof payload);
        at += 64 + payload;
        start[n + 1] = at;
    }
    assert_true(n >= 4);
    char *copy = malloc(bytes.size_bytes);
    assert_non_null(copy);
    for (size_t i = 0; i < n; i++) {
        size_t tail = bytes.size_bytes - start[i + 1];
        memcpy(copy, bytes.data, start[i]);
        memcpy(copy + start[i], bytes.data + start[i + 1], tail);
        expect_refusal(copy, start[i] + tail, "without chunk", i);
        if (i + 1 < n) {
            size_t second = start[i + 2] - start[i + 1];
            memcpy(copy, bytes.data, bytes.size_bytes);
            memcpy(copy + start[i], bytes.data + start[i + 1], second);
            memcpy(copy + start[i] + second, bytes.data + start[i], start[i + 1] - start[i]);
            expect_refusal(copy, bytes.size_bytes, "exchanged chunk", i);
        }
    }
    free(copy);
    bsim_buffer_free(&bytes);
}

/* ---- behind a right checksum ----------------------------------------------------------------- */

enum { FILE_HEAD = -1, DEFS = 0, EVTS = 1, INDX = 2, LAST = 3, IN_HEAD = 0 };

/* The 32 bits at `at` of a record of `kind` in the trace's chunk-th chunk, or of its head if kind
 * is IN_HEAD, of which the ones in mask become those of value. */
struct fault {
    int chunk;
    int kind;
    size_t at;
    uint32_t mask, value;
    const char *message;
};

enum {
    KERNEL = 1,
    SITE,
    OPCODE,
    BLOCK,
    REPEAT,
    DONE,
    LINE,
    ATTRIBUTES,
    PLAIN,
    WORK,
    AFFINE,
    LIST,
    WIDE_AFFINE,
    WIDE_LIST,
    FROM,
    ALL = 0xff, /* in the second byte of an event: w* */
};

static const uint32_t full = UINT32_MAX;

static const struct fault faults[] = {
    {FILE_HEAD, IN_HEAD, 8, full, 2, "version 2 of the binary format is newer than this banksim"},
    {DEFS, IN_HEAD, 0, full, 0x20202020, "a chunk of unknown kind"},
    {DEFS, IN_HEAD, 4, full, 8, "the head of a chunk is damaged"},
    {DEFS, IN_HEAD, 4, full, 0, "the head of a chunk is damaged"},
    {DEFS, IN_HEAD, 4, full, 1 << 24, "the head of a chunk is damaged"},
    {DEFS, IN_HEAD, 8, full, 1, "chunks are missing here"},
    {EVTS, IN_HEAD, 16, full, 2, "chunks are missing here"},
    {EVTS, IN_HEAD, 24, full, 1, "chunks are missing here"},
    {EVTS, IN_HEAD, 32, full, 1, "chunks are missing here"},
    {EVTS, IN_HEAD, 48, 2, 2, "a chunk of events that does not begin with a block"},
    {DEFS, KERNEL, 0, 255, 99, "an unknown record among the definitions"},
    {DEFS, KERNEL, 0, 255, BLOCK, "an unknown record among the definitions"},
    {DEFS, KERNEL, 0, 0xff00, 0x200, "a kernel whose size is wrong"},
    {DEFS, KERNEL, 4, full, 48, "a kernel whose size is wrong"},
    {DEFS, KERNEL, 4, full, 0xfffffff0, "a kernel whose size is wrong"},
    {DEFS, KERNEL, 36, full, 0, "it is not one word of printable ASCII without #"},
    {DEFS, KERNEL, 36, full, 0xfffffff0, "a kernel whose size is wrong"},
    {DEFS, KERNEL, 48, 255, 0, "a kernel whose size is wrong"},
    {DEFS, KERNEL, 48, 255, ' ', "it is not one word of printable ASCII without #"},
    {DEFS, KERNEL, 48, 255, '=', "it has an '='"},
    {DEFS, KERNEL, 48, 0xff00, '"' << 8, "it begins with a quotation mark"},
    {DEFS, KERNEL, 52, 0xff0000, 'y' << 16, "they are not x-key=value words"},
    {DEFS, KERNEL, 8, full, 0, "a size in grid= is outside of its range"},
    {DEFS, KERNEL, 8, full, 0x80000000, "a size in grid= is outside of its range"},
    {DEFS, KERNEL, 12, full, 65536, "a size in grid= is outside of its range"},
    {DEFS, KERNEL, 20, full, 0, "a size in block= is outside of its range"},
    {DEFS, KERNEL, 20, full, 1025, "a size in block= is outside of its range"},
    {DEFS, KERNEL, 24, full, 17, "block= has 1088 threads: a block has at most 1024"},
    {DEFS, KERNEL, 32, full, (1 << 24) + 1, "shared= is outside of its range"},
    {DEFS, SITE, 8, full, 0, "a site's number is 1 or more"},
    {DEFS, SITE, 4, full, 32, "a site whose size is wrong"},
    {DEFS, SITE, 0, 0xff00, 0, "a site whose size is wrong"},
    {DEFS, SITE, 32, 255, 'x', "unknown opcode 'xd.shared.u32'"},
    {DEFS, SITE, 44, 0xff00, '"' << 8, "it begins with a quotation mark"},
    {DEFS, SITE, 48, 0xff00, 0x100, "it has a control character"},
    {DEFS, OPCODE, 16, 255, 'x', "unknown opcode"},
    {DEFS, OPCODE, 4, full, 16, "an opcode whose size is wrong"},
    {EVTS, BLOCK, 0, 255, PLAIN, "a chunk of events that does not begin with a block"},
    {EVTS, BLOCK, 4, full, 2, "a block's place is outside of grid="},
    {EVTS, BLOCK, 12, full, 1, "a block's place is outside of grid="},
    {EVTS, AFFINE, 0, 255, 99, "an unknown record among the events"},
    {EVTS, AFFINE, 0, 255, KERNEL, "an unknown record among the events"},
    {EVTS, AFFINE, 0, 0xff00, 0x200, "warp 2 is outside of block=, which has 2 warps"},
    {EVTS, AFFINE, 0, 0xff00, 0xfe00, "warp 254 is outside of block="},
    {EVTS, AFFINE, 0, 0xffff0000, 0x90000, "a site or an opcode that is not defined"},
    {EVTS, AFFINE, 4, full, 0, "the mask is 0"},
    {EVTS, AFFINE, 8, full, 132,
     "lane 31: address 256 and its 4 bytes are outside of the block's "
     "shared= of 256 bytes"},
    {EVTS, AFFINE, 8, full, 2, "lane 0: address 2 is not a multiple of 4"},
    {EVTS, AFFINE, 12, full, 0xfffffffc, "lane 31: its address is negative"},
    {EVTS, AFFINE, 0, 255, PLAIN, "an access without its addresses"},
    {EVTS, PLAIN, 0, 255, AFFINE, "addresses for an opcode that has none"},
    {EVTS, PLAIN, 0, 255, LIST, "addresses for an opcode that has none"},
    {EVTS, PLAIN, 0, 0xff00, 0, "warp 1 reaches 0 of the 3 barriers that warp 0 reaches"},
    {EVTS, LIST, 4, full, 0, "the mask is 0"},
    {EVTS, LIST, 16, full, 256, "lane 0: address 256 and its 4 bytes are outside"},
    {EVTS, LIST, 140, full, 0xfffffffc, "lane 31: address 4294967292 and its 4 bytes are outside"},
    {EVTS, LIST, 20, full, 1, "lane 1: address 1 is not a multiple of 4"},
    {EVTS, LIST, 8, full, 252, "lane 31: address 256 and its 4 bytes are outside"},
    {EVTS, LIST, 8, full, 1, "lane 0: address 1 is not a multiple of 4"},
    {EVTS, LIST, 12, full, 1, "lane 0: address 4294967296 and its 4 bytes are outside"},
    {EVTS, LIST, 12, full, full, "are outside"},
    {EVTS, WIDE_LIST, 16, full, 2, "is not a multiple of 4"},
    {EVTS, WIDE_LIST, 4, full, full, "passes the end of its chunk"},
    {EVTS, WIDE_LIST, 0, 255, WIDE_AFFINE, "attributes without an event"},
    {EVTS, ATTRIBUTES, 4, full, 0xfffffffe, "an attribute that is out of its range"},
    {EVTS, ATTRIBUTES, 8, full, 0x80000000, "an attribute that is out of its range"},
    {EVTS, ATTRIBUTES, 0, 0xffff0000, 0x10000, "a site or an opcode that is not defined"},
    {EVTS, LIST, 0, 255, BLOCK, "attributes without an event"},
    {EVTS, LINE, 0, 0xff00, 0x200, "a line whose number is wrong"},
    {EVTS, LINE, 8, full, 0, "a line whose number is wrong"},
    {EVTS, LINE, 0, 0xff00, 0, "a line whose number is wrong"},
    {EVTS, REPEAT, 4, full, 0, "a repeat of no turns"},
    {EVTS, REPEAT, 0, 255, DONE, "'done' without a 'repeat' that is open"},
    {EVTS, DONE, 0, 255, WORK, "work of no instructions"},
    {EVTS, DONE, 0, 255, REPEAT, "a repeat of no turns"},
    {EVTS, WORK, 4, full, 0, "work of no instructions"},
    {EVTS, WORK, 12, full, 1, "work that reads registers as none does"},
    {EVTS, WORK, 0, 0xff00, 0x200, "warp 2 is outside of block="},
    {INDX, IN_HEAD, 64, full, 64, "the index does not list the chunks before it"},
    {INDX, IN_HEAD, 72, full, 3, "the index does not list the chunks before it"},
    {INDX, IN_HEAD, 80, full, 65, "the index does not list the chunks before it"},
    {LAST, IN_HEAD, 64, full, 64, "the totals are not those of the trace"},
    {LAST, IN_HEAD, 72, full, 2, "the totals are not those of the trace"},
    {LAST, IN_HEAD, 80, full, 3, "the totals are not those of the trace"},
    {LAST, IN_HEAD, 88, full, 0, "the totals are not those of the trace"},
};

static const struct fault batch_faults[] = {
    {EVTS, AFFINE, 0, 0xff00, 0x200, "warp 2 is outside of block=, which has 2 warps"},
    {EVTS, AFFINE, 0, 0xffff0000, 0x90000, "a site or an opcode that is not defined"},
    {EVTS, AFFINE, 4, full, 0, "the mask is 0"},
    {EVTS, AFFINE, 8, full, 196, "lane 15: address 256 and its 4 bytes are outside"},
    {EVTS, AFFINE, 8, full, 2, "lane 0: address 2 is not a multiple of 4"},
    {EVTS, AFFINE, 12, full, 2, "lane 15: address 30 is not a multiple of 4"},
    {EVTS, AFFINE, 12, full, 0xfffffffc, "lane 15: its address is negative"},
    {EVTS, AFFINE, 0, 255, PLAIN, "an access without its addresses"},
    {EVTS, LIST, 0, 0xff00, 0x200, "warp 2 is outside of block=, which has 2 warps"},
    {EVTS, LIST, 4, full, 0, "the mask is 0"},
    {EVTS, LIST, 16, full, 256, "lane 0: address 256 and its 4 bytes are outside"},
    {EVTS, LIST, 16, full, 253, "lane 0: address 253 and its 4 bytes are outside"},
    {EVTS, LIST, 140, full, 0xfffffffc, "lane 31: address 4294967292 and its 4 bytes are outside"},
    {EVTS, LIST, 20, full, 1, "lane 1: address 1 is not a multiple of 4"},
    {EVTS, LIST, 8, full, 252, "lane 31: address 256 and its 4 bytes are outside"},
    {EVTS, LIST, 8, full, 1, "lane 0: address 1 is not a multiple of 4"},
    {EVTS, LIST, 12, full, 1, "lane 0: address 4294967296 and its 4 bytes are outside"},
    {EVTS, LIST, 12, full, full, "are outside"},
    {EVTS, PLAIN, 0, 0xff00, 0x200, "warp 2 is outside of block=, which has 2 warps"},
    {EVTS, PLAIN, 0, 0xff00, 0x100, "warp 0 reaches 0 of the 2 barriers that warp 1 reaches"},
    {EVTS, PLAIN, 0, 0xffff0000, 0x90000, "a site or an opcode that is not defined"},
    {EVTS, PLAIN, 0, 0xffff0000, 0, "an access without its addresses"},
    {EVTS, WORK, 4, full, 0, "work of no instructions"},
    {EVTS, WORK, 0, 0xff00, 0x200, "warp 2 is outside of block="},
    {EVTS, ATTRIBUTES, 4, full, 0xfffffffe, "an attribute that is out of its range"},
    {EVTS, ATTRIBUTES, 8, full, 0x80000000, "an attribute that is out of its range"},
    {EVTS, ATTRIBUTES, 8, full, 1, "expect. belongs to an event that accesses shared memory"},
    {EVTS, ATTRIBUTES, 0, 0xffff0000, 0x10000, "a site or an opcode that is not defined"},
    {EVTS, WIDE_AFFINE, 8, 1, 1, "is not a multiple of 4"},
    {EVTS, WIDE_AFFINE, 16, full, 1, "is not a multiple of 4"},
    {EVTS, WIDE_AFFINE, 20, full, 0xffffff00, "lane 31: its address is negative"},
};

/* Behind FROM stand where the copy is from, in the first as base and stride, and the copy. */
static const char *const copies[] = {
    "banksim-trace 1\nkernel k block=32 shared=256\nblock 0\n"
    "w0 cp.async.ca.shared.global.4 0000000f 0+4 from=64+4\nend\n",
    "banksim-trace 1\nkernel k block=32 shared=256\nblock 0\n"
    "w0 cp.async.ca.shared.global.4 0000000f 0+4 from=64,0,4,8\nend\n",
};

static const struct fault copy_faults[] = {
    {EVTS, FROM, 16, 255, PLAIN, "a copy's other side without its addresses"},
    {EVTS, FROM, 16, 255, WIDE_AFFINE, "a copy's other side without the copy"},
    {EVTS, FROM, 20, full, 7, "addresses to copy from, for an event without them"},
    {EVTS, FROM, 24, full, 2, "lane 0: address 2 is not a multiple of 4"},
    {EVTS, FROM, 28, full, 0xffffffe0, "lane 3: its address is negative"},
    {EVTS, FROM, 32, 255, BLOCK, "a copy's other side without the copy"},
    {EVTS, FROM, 32, 255, WORK, "a copy's other side without the copy"},
    {EVTS, FROM, 32, 255, FROM, "a copy's other side without the copy"},
    {EVTS, FROM, 32, 255, PLAIN, "an access without its addresses"},
};

static const struct fault copy_list_faults[] = {
    {EVTS, FROM, 32, full, 2, "lane 0: address 2 is not a multiple of 4"},
    {EVTS, FROM, 20, full, full, "passes the end of its chunk"},
    {EVTS, FROM, 20, full, 3, "addresses to copy from, for an event without them"},
};

static uint32_t get32(const char *p)
{
    const unsigned char *byte = (const unsigned char *)p;
    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
           (uint32_t)byte[3] << 24;
}

static void put32(char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++) {
        p[i] = (char)(value >> 8 * i);
    }
}

/* Where the fault's record begins. */
static size_t find(const struct bsim_buffer *bytes, const struct fault *fault)
{
    size_t at = 64;
    if (fault->chunk == FILE_HEAD) {
        return 0;
    }
    for (int i = 0; i < fault->chunk; i++) {
        at += 64 + get32(bytes->data + at + 4);
    }
    if (fault->kind == IN_HEAD) {
        return at;
    }
    size_t end = at + 64 + get32(bytes->data + at + 4);
    for (at += 64; at < end && bytes->data[at] != fault->kind; at += 16) {
    }
    assert_true(at < end);
    return at;
}

static void expect_faults(struct bsim_buffer bytes, const struct fault *fault, size_t n)
{
    char *copy = malloc(bytes.size_bytes);
    size_t failures = 0;
    assert_non_null(copy);
    for (size_t i = 0; i < n; i++) {
        struct bsim_error err = {.status = BSIM_OK};
        enum bsim_status status;
        memcpy(copy, bytes.data, bytes.size_bytes);
        char *p = copy + find(&bytes, &fault[i]) + fault[i].at;
        put32(p, (get32(p) & ~fault[i].mask) | fault[i].value);
        packed_repair((unsigned char *)copy, bytes.size_bytes);
        struct bsim_buffer log = packed_log(copy, bytes.size_bytes, 0, &status, &err);
        if (status != BSIM_E_INPUT || strstr(err.message, fault[i].message) == NULL) {
            print_error("fault %zu, '%s': %s '%s'\n", i, fault[i].message, status_name(status),
                        err.message);
            failures++;
        }
        assert_true(status == BSIM_OK || strcmp(err.file, "t.trace") == 0);
        bsim_buffer_free(&log);
    }
    assert_int_equal(failures, 0);
    free(copy);
    bsim_buffer_free(&bytes);
}

static void every_rule(void **state)
{
    (void)state;
    expect_faults(pack_whole(), faults, N_OF(faults));
    expect_faults(packed_text(batch, strlen(batch)), batch_faults, N_OF(batch_faults));
    expect_faults(packed_text(copies[0], strlen(copies[0])), copy_faults, N_OF(copy_faults));
    expect_faults(packed_text(copies[1], strlen(copies[1])), copy_list_faults,
                  N_OF(copy_list_faults));
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(every_flipped_bit),
        cmocka_unit_test(every_length),
        cmocka_unit_test(every_chunk),
        cmocka_unit_test(every_rule),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
