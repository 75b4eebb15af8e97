/* test_trace_async.c - wgmma and copies by TMA in traces: what is refused, that both forms keep every
 * field, and what a run counts.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "packed.h"
#include "sim/sim.h"
#include "timed.h"
#include "trace_text.h"

#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

#define HEAD "banksim-trace 1\nkernel k grid=1 block=256 shared=200000\nblock 0\n" /* 3 lines */
#define A16 "a.start=1024 a.lbo=16 a.sbo=1024 a.base=0 a.swizzle=128B a.major=K "
#define B16 "b.start=17408 b.lbo=16 b.sbo=1024 b.base=0 b.swizzle=128B b.major=K"
#define WGMMA "wgmma.mma_async.sync.aligned.m64n128k16.f16 "
#define BOX "cp.async.bulk.tensor.2d.shared.global "
#define BOX_FIELDS "type=b16 box=64x64 swizzle=128B start=1024 from=0 pitch=512"

/* ---- refusals -------------------------------------------------------------------------------- */

static const struct {
    const char *event;
    const char *at; /* what stands where the error is; "": the end of the line */
    const char *message;
} refused[] = {
    {"w0 wgmma.mma_async.sync.aligned.m64n128k8.f16 a=registers " B16, "wgmma",
     "K what 32 bytes of it are"},
    {"w0 wgmma.mma_async.sync.aligned.m64n264k16.f16 a=registers " B16, "wgmma",
     "N a multiple of 8 up to 256"},
    {"w0 wgmma.mma_async.sync.aligned.m64n12k16.f16 a=registers " B16, "wgmma",
     "N a multiple of 8 up to 256"},
    {"w0 wgmma.mma_async.sync.aligned.m64n40k32.s8 a=registers " B16, "wgmma", "of s8 and u8 beyond 32 of 16"},
    {"w0 wgmma.mma_async.sync.aligned.m64n248k32.u8 a=registers " B16, "wgmma", "of s8 and u8 beyond 32 of 16"},
    {"w0 wgmma.mma_async.sync.aligned.m64n016k16.f16 a=registers " B16, "wgmma", "it is wgmma."},
    {"w0 wgmma.mma_async.m64n128k16.f16 a=registers " B16, "wgmma", "it is wgmma.mma_async.sync"},
    {"w0 cp.async.bulk.tensor.6d.shared.global " BOX_FIELDS, "cp.", "{1d,2d,3d,4d,5d}"},
    {"w0 cp.async.bulk.shared.shared bytes=16 start=0 from=0", "cp.", "it is cp.async.bulk["},
    {"w1 " WGMMA A16 B16, "wgmma", "the first of the four warps that execute it"},
    {"w* " WGMMA A16 B16, "wgmma", "the first of the four warps that execute it"},
    {"w0 " WGMMA A16, "", "b.start= is missing"},
    {"w0 " WGMMA "a.start=0 " B16, "", "a.lbo= is missing"},
    {"w0 " WGMMA B16, "", "a.start= is missing"},
    {"w0 " WGMMA "a=registers a.lbo=16 " B16, "w0", "a.lbo= does not go with a=registers"},
    {"w0 " WGMMA "a=shared " B16, "shared b", "a= is registers"},
    {"w0 " WGMMA A16 B16 " b.lbo=16", "b.lbo=16", "b.lbo= stands twice"},
    {"w0 " WGMMA A16 B16 " c.start=0", "c.start", "unknown key 'c.start'"},
    {"w0 " WGMMA A16 "b.start=0 b.lbo=16 b.sbo=1024 b.base=0 b.swizzle=96B b.major=K", "96B",
     "b.swizzle= is none, 128B, 64B or 32B, not '96B'"},
    {"w0 " WGMMA A16 "b.start=0 b.lbo=16 b.sbo=1024 b.base=0 b.swizzle=64B b.major=N", "N",
     "b.major= is K or MN, not 'N'"},
    {"w0 " WGMMA A16 "b.start=8 b.lbo=16 b.sbo=1024 b.base=0 b.swizzle=128B b.major=K", "wgmma",
     "B: start=8: a descriptor has multiples of 16"},
    {"w0 " WGMMA A16 "b.start=0 b.lbo=16 b.sbo=1024 b.base=8 b.swizzle=128B b.major=K", "wgmma",
     "B: base=8: a base offset is 0 to 7"},
    {"w0 " WGMMA A16 "b.start=0 b.lbo=16 b.sbo=0 b.base=0 b.swizzle=128B b.major=K", "wgmma",
     "would be the same"},
    {"w0 " WGMMA A16 "b.start=199680 b.lbo=16 b.sbo=1024 b.base=0 b.swizzle=128B b.major=K",
     "wgmma", "behind the 200000 of shared memory"},
    {"w0 " BOX "type=b16 box=64 swizzle=128B start=1024 from=0 pitch=512", "64 s",
     "box= has a side for each of the 2 dimensions"},
    {"w0 " BOX "type=b16 box=64x64x2 swizzle=128B start=1024 from=0 pitch=512", "64x64x2",
     "box= has a side for each of the 2 dimensions"},
    {"w0 " BOX "type=b16 box=64x257 swizzle=128B start=1024 from=0 pitch=512", "257",
     "a side of box="},
    {"w0 " BOX "type=f16 box=64x64 swizzle=128B start=1024 from=0 pitch=512", "f16",
     "type= is b8, b16, b32 or b64, not 'f16'"},
    {"w0 " BOX "type=b16 box=64x64 swizzle=128B start=1040 from=0 pitch=512", "cp.",
     "a box begins at a multiple of 128 bytes"},
    {"w0 " BOX "type=b16 box=128x64 swizzle=128B start=1024 from=0 pitch=512", "cp.",
     "swizzle=128B takes no more"},
    {"w0 " BOX BOX_FIELDS " bytes=16", "w0", "bytes= does not go with a box"},
    {"w0 " BOX "type=b16 box=64x64 swizzle=128B start=1024 from=0", "", "pitch= is missing"},
    {"w0 " BOX BOX_FIELDS " inside=9", "cp.", "inside=9: a load is whole"},
    {"w0 cp.async.bulk.tensor.1d.global.shared type=b8 box=32 swizzle=32B start=256 from=64 pitch=0 inside=33", "cp.",
     "inside=33: a row of the box has fewer elements"},
    {"w0 cp.async.bulk.global.shared bytes=4096 start=1024 from=0 inside=1", "w0", "inside= does not go with bytes in a row"},
    {"w0 " BOX BOX_FIELDS " arrive=0", "0\n", "arrive="},
    {"w0 cp.async.bulk.shared.global bytes=4096 start=1024 from=0 pitch=512", "w0",
     "pitch= does not go with bytes in a row"},
    {"w0 cp.async.bulk.shared.global bytes=4095 start=1024 from=0", "cp.",
     "a bulk copy has a multiple of 16 bytes"},
    {"w0 cp.async.bulk.global.shared bytes=4096 start=1024 from=0 arrive=1", "cp.",
     "a store has no mbarrier"},
    {"w0 " BOX BOX_FIELDS " expect.wavefronts=1", "expect", "belongs to an event that accesses"},
    {"w0 " BOX BOX_FIELDS " from=1", "from=1", "from= stands twice"},
};

static enum bsim_status nowhere(void *context, const struct bsim_record *record,
                                struct bsim_error *err)
{
    (void)context, (void)record, (void)err;
    return BSIM_OK;
}

static void refusals(void **state)
{
    (void)state;
    struct bsim_sink sink = {.push = nowhere};
    for (size_t i = 0; i < N_OF(refused); i++) {
        char text[1024];
        struct bsim_error err = {.status = BSIM_OK};
        (void)snprintf(text, sizeof text, HEAD "%s\nend\n", refused[i].event);
        const char *line = text + sizeof HEAD - 1;
        const char *end = strchr(line, '\n'), *last = refused[i].at[0] == '\0' ? end : line;
        for (const char *next = line; last != end && next != NULL && next < end;) {
            next = strstr(next, refused[i].at);
            last = next != NULL && next < end ? next++ : last;
        }
        enum bsim_status status = trace_text_read(text, strlen(text), 0, &sink, &err);
        if (status != BSIM_E_INPUT || strstr(err.message, refused[i].message) == NULL) {
            fail_msg("%s: '%s' instead of '%s'", refused[i].event, err.message, refused[i].message);
        }
        if (err.line != 4 || err.column != (uint32_t)(last - line) + 1) {
            fail_msg("%s: at %u instead of %u", refused[i].event, (unsigned)err.column,
                     (unsigned)(last - line) + 1);
        }
    }
}

/* A copy that comes to a meeting takes place once. */
static void none_arrives_in_a_loop(void **state)
{
    (void)state;
    static const char text[] = HEAD "repeat 2\nw0 " BOX BOX_FIELDS " arrive=1\ndone\nend\n";
    struct bsim_sink sink = {.push = nowhere};
    struct bsim_error err;
    assert_int_equal(trace_text_read(text, sizeof text - 1, 0, &sink, &err), BSIM_E_INPUT);
    assert_non_null(strstr(err.message, "a meeting takes place once"));
}

/* The sums of bytes stay within 64 bits: 2^40 turns of 128 KiB do not. */
static void bytes_are_not_without_end(void **state)
{
    (void)state;
    static const char text[] =
        HEAD "repeat 1048576\nrepeat 1048576\nw0 cp.async.bulk.shared.global bytes=131072 start=0 "
             "from=0\ndone\ndone\nend\n";
    struct bsim_sim_options options = {.executed = 0};
    struct bsim_sim *sim = bsim_sim_new(&options);
    struct bsim_sink sink = bsim_sim_sink(sim);
    struct bsim_error err;
    assert_int_equal(trace_text_read(text, sizeof text - 1, 0, &sink, &err), BSIM_E_INPUT);
    assert_non_null(strstr(err.message, "2^56 bytes"));
    bsim_sim_free(sim);
}

/* ---- both forms ------------------------------------------------------------------------------ */

/* As banksim writes it: every field differs from every other that it could be taken for. */
static const char whole[] =
    HEAD
    "w0 " BOX BOX_FIELDS " arrive=7\n"
    "w1 cp.async.bulk.tensor.5d.shared.global type=b64 box=2x3x4x5x6 swizzle=none start=128 "
    "from=18446744073709551600 pitch=48 wait=3\n"
    "w2 cp.async.bulk.tensor.1d.global.shared type=b8 box=32 swizzle=32B start=256 from=64 pitch=0\n"
    "w3 cp.reduce.async.bulk.tensor.3d.global.shared.add type=b32 box=16x2x3 swizzle=64B start=512 "
    "from=128 pitch=80 inside=9\n"
    "w* cp.async.bulk.shared.global bytes=4096 start=16 from=4112 arrive=4294967295\n"
    "w4 cp.reduce.async.bulk.global.shared.xor bytes=32 start=48 from=96\n"
    "w0 await 7:1\n"
    "w0 " WGMMA A16 B16 " wait=0 expect.wavefronts=48 expect.conflicts=0\n"
    "w4 wgmma.mma_async.sync.aligned.m64n8k32.e5m2 a=registers b.start=160000 b.lbo=4096 b.sbo=256 "
    "b.base=5 b.swizzle=32B b.major=K\n"
    "w4 wgmma.mma_async.sync.aligned.m64n256k16.bf16 a.start=0 a.lbo=128 a.sbo=1024 a.base=0 "
    "a.swizzle=none a.major=MN b.start=65536 b.lbo=8192 b.sbo=1024 b.base=0 b.swizzle=128B "
    "b.major=MN\n"
    "w0 wgmma.mma_async.sync.aligned.m64n64k8.tf32 a=registers b.start=0 b.lbo=16 b.sbo=512 b.base=0 "
    "b.swizzle=64B b.major=K\n"
    "end\n";

struct written {
    char text[8192];
    size_t length;
};

static enum bsim_status keep(void *context, const void *data, size_t size, struct bsim_error *err)
{
    struct written *to = context;
    (void)err;
    assert_true(to->length + size < sizeof to->text);
    memcpy(to->text + to->length, data, size);
    to->length += size;
    return BSIM_OK;
}

static void rewrite(const char *data, size_t size, struct written *to)
{
    struct bsim_error err;
    struct bsim_output output = {.write = keep, .context = to};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    memset(to, 0, sizeof *to);
    if (trace_text_read(data, size, 0, &sink, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    bsim_trace_writer_free(writer);
}

static void every_field_is_kept(void **state)
{
    (void)state;
    struct written text, unpacked;
    struct bsim_buffer packed = packed_text(whole, sizeof whole - 1);
    rewrite(whole, sizeof whole - 1, &text);
    rewrite(packed.data, packed.size_bytes, &unpacked);
    assert_string_equal(strstr(text.text, "block 0"), strstr(whole, "block 0"));
    assert_string_equal(unpacked.text, text.text);
    bsim_buffer_free(&packed);
}

/* Each byte of each such record changed, behind right sums: refused, or another trace than before. */
static void no_byte_of_a_record_is_ignored(void **state)
{
    (void)state;
    struct bsim_buffer packed = packed_text(whole, sizeof whole - 1);
    unsigned char *data = (unsigned char *)packed.data;
    struct written text, changed;
    size_t n = 0;
    rewrite(whole, sizeof whole - 1, &text);
    for (size_t at = 0; at + 64 <= packed.size_bytes; at += 16) {
        bool is_record = data[at] == 16 && data[at + 1] != 16 && at > 1000;
        for (size_t i = 0; i < 64 && is_record; i++) {
            struct bsim_sink sink = {.push = nowhere};
            data[at + i] ^= 0x21;
            packed_repair(data, packed.size_bytes);
            if (trace_text_read(packed.data, packed.size_bytes, 0, &sink, NULL) == BSIM_OK) {
                rewrite(packed.data, packed.size_bytes, &changed);
                if (strcmp(changed.text, text.text) == 0) {
                    fail_msg("byte %zu of the record at %zu is not looked at", i, at);
                }
            }
            data[at + i] ^= 0x21;
            n++;
        }
        at += is_record ? 48 : 0;
    }
    assert_true(n >= 64 * 8);
    packed_repair(data, packed.size_bytes);
    bsim_buffer_free(&packed);
}

/* ---- counts ---------------------------------------------------------------------------------- */

/* By hand, of what the H200's counters and clocks gave for each shape. */
static void what_a_run_times(void **state)
{
    (void)state;
    struct bsim_result result;
    timed_trace(whole, sizeof whole - 1, NULL, &result);
    const struct bsim_kernel_cycles *timed = &result.kernels[0].timed;
    /* m64n128 64 clocks, m64n8 from registers 13.78, m64n256 128, m64n64 32 */
    assert_int_equal(timed->tensor, 237);
    /* loads 76.2 (64 rows of 128 bytes), 360 (rows of 16), 66 of each of 8 warps; a store 12.75,
     * reductions 50.25 and 47.88: the least that each can take */
    assert_int_equal(timed->copies, 1075);
    /* 48 + 2 + 80 + 16 wavefronts */
    assert_int_equal(timed->cycles_bound, 146);
    bsim_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),
        cmocka_unit_test(none_arrives_in_a_loop),
        cmocka_unit_test(bytes_are_not_without_end),
        cmocka_unit_test(every_field_is_kept),
        cmocka_unit_test(no_byte_of_a_record_is_ignored),
        cmocka_unit_test(what_a_run_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
