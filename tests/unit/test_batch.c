/* test_batch.c - batches of accesses where something is unusual about one of them: its error has
 * the line that it has in the text, no allocation is taken for granted, and what is only counted is
 * counted whole. tests/property/test_batch.c has the counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <banksim/run.h>
#include <banksim/result.h>

#include "sim/sim.h"
#include "timing/timer.h"

#include "failing_memory.h"
#include "event/batch.h"
#include "packed.h"
#include "trace_text.h"

#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])
#define HEAD "banksim-trace 1\nkernel k block=64 shared=4096\nblock 0\n"
#define ALL "w* ld.shared.u32 ffffffff 0+4\n"
#define STEP "w0 ld.shared.u32 ffffffff 0+4\n"

static struct bsim_buffer packed(const char *text)
{
    return packed_text(text, strlen(text));
}

static enum bsim_status simulate(const char *data, size_t size, const char *device_name,
                                 struct bsim_part *part, struct bsim_error *err)
{
    struct bsim_device device;
    assert_int_equal(bsim_device_find(device_name, NULL, &device, NULL), BSIM_OK);
    struct bsim_sim_options options = {.device = &device};
    struct bsim_sim *sim = bsim_sim_new(&options);
    if (sim == NULL) {
        return BSIM_E_MEMORY;
    }
    struct bsim_sink sink = bsim_sim_sink(sim);
    *part = (struct bsim_part){.shard = 1, .n_shards = 1};
    enum bsim_status status = trace_text_read(data, size, 0, &sink, err);
    if (status == BSIM_OK) {
        status = bsim_sim_result(sim, &part->result, err);
    }
    bsim_sim_free(sim);
    return status;
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void a_refused_event_has_its_line(void **state)
{
    static const struct {
        const char *device, *text;
        uint32_t line;
    } cases[] = {
        {"k40",
         HEAD STEP "w0 ld.shared.u32 ffffffff 0+4 wait=0\n"
                   "w0 ldmatrix.sync.aligned.m8n8.x1.shared.b16 ffffffff 0+16\n" STEP "end\n",
         6},
        {"k40",
         "banksim-trace 1\nkernel k block=64\nsite 1 ldmatrix.sync.aligned.m8n8.x1.shared.b16\n"
         "block 0\n" STEP "w0 @1 ffffffff 0*4,128*4\n" STEP "end\n",
         6},
        {"k40",
         HEAD STEP "w0 ld.shared.u32 00000003 0,8 wait=0\n\n\n"
                   "w1 cp.async.ca.shared.global.4 ffffffff 0*32\n" STEP "end\n",
         8},
        {"h200",
         "banksim-trace 1\nkernel k block=1024\nblock 0\nrepeat 1000000\nrepeat 1000000\n" ALL ALL
             ALL "w* ld.shared.u32 00000003 0,8\n" STEP ALL STEP "done\ndone\nend\n",
         11},
    };
    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct bsim_part part;
        struct bsim_error text_err = {.status = BSIM_OK}, err = {.status = BSIM_OK};
        struct bsim_buffer bytes = packed(cases[i].text);
        enum bsim_status status =
            simulate(cases[i].text, strlen(cases[i].text), cases[i].device, &part, &text_err);
        assert_int_equal(status, BSIM_E_INPUT);
        status = simulate(bytes.data, bytes.size_bytes, cases[i].device, &part, &err);
        if (status != BSIM_E_INPUT || err.line != cases[i].line || text_err.line != err.line ||
            strcmp(err.message, text_err.message) != 0) {
            fail_msg("case %zu: line %u: %s; as text line %u: %s", i, (unsigned)err.line,
                     err.message, (unsigned)text_err.line, text_err.message);
        }
        bsim_buffer_free(&bytes);
    }
}

static void nothing_comes_behind_an_error(void **state)
{
    (void)state;
    static const char text[] = HEAD STEP "end\n";
    struct bsim_buffer bytes = packed(text);
    struct bsim_sim_options options = {.device = NULL};
    struct bsim_sim *sim = bsim_sim_new(&options);
    struct bsim_sink sink = bsim_sim_sink(sim);
    struct bsim_error err;
    assert_int_equal(trace_text_read(bytes.data, bytes.size_bytes, 0, &sink, &err), BSIM_OK);
    struct bsim_batch none = {.n_events = 0};
    struct bsim_batch batch = {.n_events = 1, .n_instrs = 1};
    struct bsim_packed packed = {.form = BSIM_PACKED_STEP, .mask = 1};
    struct bsim_instr instr = {.opcode = {.family = BSIM_LD, .space = BSIM_SHARED, .bytes = 4}};
    batch.next = &packed;
    batch.end = &packed + 1;
    batch.instr = &instr;
    assert_int_equal(sink.push_batch(sink.context, &batch, &err), BSIM_E_USAGE);
    assert_int_equal(sink.push_batch(sink.context, &none, &err), BSIM_OK);
    bsim_sim_free(sim);
    bsim_buffer_free(&bytes);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char text[] =
        HEAD STEP "w1 ld.shared.u32 00000003 0,8\n" STEP
                  "w0 st.shared.u32 ffffffff 0+4\nw0 st.shared.u8 ffffffff 0+4\nend\n";
    struct bsim_buffer bytes = packed(text);
    size_t before = failing_memory_live();
    size_t refused = 1;
    for (size_t n = 0; refused > 0; n++) {
        struct bsim_part part;
        struct bsim_error err = {.status = BSIM_OK};
        failing_memory_fail_after(n);
        enum bsim_status status = simulate(bytes.data, bytes.size_bytes, "h200", &part, &err);
        refused = failing_memory_refused();
        failing_memory_heal();
        assert_int_equal(status, refused > 0 ? BSIM_E_MEMORY : BSIM_OK);
        if (status == BSIM_OK) {
            bsim_result_free(&part.result);
        }
        assert_int_equal(failing_memory_live(), before);
    }
    bsim_buffer_free(&bytes);
}

/* ---- one event after another ----------------------------------------------------------------- */

static void events_come_off_as_they_were(void **state)
{
    (void)state;
    static const char text[] =
        HEAD STEP "w1 work 3:4 wait=1\nw* ld.shared.u8 00000005 7,9 wait=2\n" STEP
                  "w1 ld.global.u64 ffffffff 1099511627776-8\nw* bar.sync wait=0\n"
                  "w0 shfl.sync.up.b32 0000000f -\nw0 work 1\n"
                  "w0 ld.global.u8 00000003 1099511627776,1099511627779\n"
                  "w1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 ffffffff 0*7,16\nend\n";
    struct bsim_buffer bytes = packed(text);
    enum bsim_status status;
    struct bsim_error err;
    struct bsim_buffer as_text = trace_text_describe(text, strlen(text), &status, &err);
    struct bsim_buffer as_batch = trace_text_describe(bytes.data, bytes.size_bytes, &status, &err);
    assert_string_equal(as_batch.data, as_text.data);
    bsim_buffer_free(&as_text);
    bsim_buffer_free(&as_batch);
    bsim_buffer_free(&bytes);
}

static void an_event_has_nothing_of_the_one_before(void **state)
{
    (void)state;
    const struct bsim_instr instr = {
        .opcode = {.family = BSIM_LD, .space = BSIM_SHARED, .bytes = 4}};
    const struct bsim_packed packed[] = {
        {.form = BSIM_PACKED_WAIT, .mask = 5},
        {.form = BSIM_PACKED_WORK, .warp = 1, .mask = 2, .at.step.base = 3, .at.step.stride = 0x01000302},
        {.form = BSIM_PACKED_STEP, .mask = 1},
        {.form = BSIM_PACKED_PLAIN, .mask = 1},
    };
    struct bsim_batch batch = {.next = packed,
                               .end = packed + 4,
                               .instr = &instr,
                               .n_instrs = 1,
                               .line = 7,
                               .line_step = 1};
    struct bsim_event event;
    bsim_event_init(&event, &instr.opcode);
    bsim_batch_pop(&batch, &event);
    assert_int_equal(event.opcode.family, BSIM_WORK);
    assert_int_equal(event.work_count, 2);
    assert_int_equal(event.work_cycles, 3);
    assert_int_equal(event.reads.even, 2);
    assert_int_equal(event.reads.odd, 3);
    assert_int_equal(event.reads.reused_even, 0);
    assert_int_equal(event.reads.reused_odd, 1);
    assert_int_equal(event.wait, 5);
    assert_int_equal(batch.line, 8);
    bsim_batch_pop(&batch, &event);
    assert_int_equal(event.opcode.family, BSIM_LD);
    assert_int_equal(event.work_count, 0);
    assert_int_equal(event.work_cycles, 0);
    assert_int_equal(event.reads.even + event.reads.odd + event.reads.reused_odd, 0);
    assert_int_equal(event.wait, BSIM_ANY_COUNT);
    assert_true(event.affine);
    bsim_batch_pop(&batch, &event);
    assert_false(event.affine);
    assert_int_equal(batch.line, 10);
    assert_ptr_equal(batch.next, batch.end);
}

/* ---- counts ---------------------------------------------------------------------------------- */

static struct bsim_tally tally_of(const struct bsim_buffer *bytes)
{
    struct bsim_part part;
    struct bsim_error err = {.status = BSIM_OK};
    if (simulate(bytes->data, bytes->size_bytes, "h200", &part, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    struct bsim_tally tally = bsim_kernel_total(&part.result.kernels[0]);
    bsim_result_free(&part.result);
    return tally;
}

/* banksim writes no base for a list in shared memory; somebody else may. Lanes 0 and 1 then want
 * bytes 1025 and 1152, words 0 and 32 of bank 0: two wavefronts. 0 and 127 are in banks 0 and
 * 31. */
static void a_list_in_shared_memory_may_have_a_base(void **state)
{
    (void)state;
    struct bsim_buffer bytes =
        packed("banksim-trace 1\nkernel k block=64 shared=4096\nsite 1 ld.shared.u8\nblock 0\n"
               "w0 @1 00000003 0,127\nend\n");
    unsigned char *data = (unsigned char *)bytes.data;
    size_t at = 0;
    while (at + 16 < bytes.size_bytes && memcmp(data + at, "\x0c\0\0\0\3\0\0", 8) != 0) {
        at += 16;
    }
    assert_true(at + 16 < bytes.size_bytes);
    assert_int_equal(tally_of(&bytes).wavefronts, 1);
    data[at + 8] = 1;
    data[at + 9] = 4;
    packed_repair(data, bytes.size_bytes);
    assert_int_equal(tally_of(&bytes).wavefronts, 2);
    bsim_buffer_free(&bytes);
}

/* 3 loads, 2 barriers, 2 loads, one for both warps and one more: 10, of which the timer plays 4. */
static void what_is_left_out_is_counted(void **state)
{
    (void)state;
    struct bsim_buffer bytes =
        packed(HEAD STEP STEP STEP "w0 bar.sync\nw1 bar.sync\n" STEP STEP
                                   "w* ld.shared.u32 ffffffff 0+4\n" STEP "end\n");
    struct bsim_timer_options options = {.max_events = 4};
    struct bsim_timer *timer = bsim_timer_new(&options);
    struct bsim_sink sink = bsim_timer_sink(timer);
    struct bsim_error err = {.status = BSIM_OK};
    struct bsim_result cycles;
    assert_int_equal(trace_text_read(bytes.data, bytes.size_bytes, 0, &sink, &err), BSIM_OK);
    assert_int_equal(bsim_timer_result(timer, &cycles, &err), BSIM_OK);
    assert_true(cycles.kernels[0].timed.left_out);
    assert_int_equal(cycles.kernels[0].timed.events, 10);
    bsim_result_free(&cycles);
    bsim_timer_free(timer);
    bsim_buffer_free(&bytes);
}

/* ---- written --------------------------------------------------------------------------------- */

enum { MOST_UNITS = 64 };

struct units {
    struct bsim_packed unit[MOST_UNITS];
    size_t n;
    uint32_t n_events;
};

static void add(struct units *units, struct bsim_packed packed, uint32_t n_more,
                const uint32_t *more)
{
    units->unit[units->n] = packed;
    for (uint32_t i = 0; i < n_more; i++) {
        ((uint32_t *)(void *)&units->unit[units->n + 1])[i] = more[i];
    }
    units->n += 1 + (n_more + 3) / 4;
    units->n_events += packed.form != BSIM_PACKED_WAIT;
}

/* All forms, and what the writer is to look at closer: lines that lead down, or far. Instruction 0 is site
 * 1 of the kernel, instruction 1 site 0, and instruction 2 a barrier. */
static void add_every_form(struct units *units)
{
    static const uint32_t up[] = {256, 0}, down[] = {UINT32_MAX - 3, UINT32_MAX},
                          list[] = {8, 0, 64};
    uint64_t far = UINT64_C(1) << 45, top = UINT64_C(1) << 63;
#define ADD(n, more, ...) add(units, (struct bsim_packed){__VA_ARGS__}, n, more)
    ADD(0, up, BSIM_PACKED_STEP, 0, 0, BSIM_FULL_MASK, {.step = {4096, 4}});
    ADD(0, up, BSIM_PACKED_WAIT, 0, 0, 3, {.base = UINT64_MAX});
    ADD(0, up, BSIM_PACKED_STEP, 1, 0, 0xff, {.step = {64, 8}});
    ADD(0, up, BSIM_PACKED_STEP, 0, 0, BSIM_FULL_MASK, {.step = {4096, -4}});
    ADD(0, up, BSIM_PACKED_WORK, 1, 0, 7, {.step = {19, 0}});
    ADD(2, up, BSIM_PACKED_WIDE_STEP, 0, 1, BSIM_FULL_MASK, {.base = far});
    ADD(2, down, BSIM_PACKED_WIDE_STEP, 1, 1, BSIM_FULL_MASK, {.base = far});
    ADD(2, up, BSIM_PACKED_WIDE_STEP, 1, 1, 0xf, {.base = top});
    ADD(0, up, BSIM_PACKED_PLAIN, BSIM_PACKED_ALL_WARPS, 2, 0, {.base = 0});
    ADD(0, up, BSIM_PACKED_WAIT, 0, 0, 0, {.base = UINT64_MAX});
    ADD(0, up, BSIM_PACKED_WORK, 1, BSIM_PACKED_ARRIVE, 7, {.base = 0});
    ADD(0, up, BSIM_PACKED_WORK, 1, BSIM_PACKED_AWAIT, 7, {.step = {2, 0}});
    ADD(0, up, BSIM_PACKED_WORK, 1, BSIM_PACKED_COPIES_ARRIVE, 7, {.base = 0});
    ADD(3, list, BSIM_PACKED_LIST, 0, 0, 0x23, {.base = 0});
    ADD(3, list, BSIM_PACKED_LIST, 1, 1, 0x80000003, {.base = far});
#undef ADD
}

/* Writes blocks of them, as batches if the sink takes any. */
static enum bsim_status push_units(void *context, const struct bsim_sink *sink,
                                   struct bsim_error *err)
{
    enum { N_BLOCKS = 400 }; /* more than a chunk */
    struct units *units = context;
    struct bsim_opcode load = {.family = BSIM_LD,
                               .space = BSIM_SHARED,
                               .type = 'u',
                               .bits = 32,
                               .count = 1,
                               .bytes = 4},
                       global = load;
    global.space = BSIM_GLOBAL;
    struct bsim_site site[] = {{.number = 1, .opcode = global},
                               {.number = 2, .index = 1, .opcode = load}};
    struct bsim_instr instr[] = {
        {load, &site[1]}, {global, &site[0]}, {{.family = BSIM_BAR}, NULL}};
    struct bsim_kernel kernel = {
        .name = "k", .grid = {N_BLOCKS, 1, 1}, .block = {64, 1, 1}, .extras = ""};
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel};
    enum bsim_status status = sink->push(sink->context, &record, err);
    for (size_t i = 0; i < N_OF(site) && status == BSIM_OK; i++) {
        record = (struct bsim_record){.kind = BSIM_RECORD_SITE, .u.site = &site[i]};
        status = sink->push(sink->context, &record, err);
    }
    for (uint32_t b = 0; b < N_BLOCKS && status == BSIM_OK; b++) {
        struct bsim_batch batch = {.next = units->unit,
                                   .end = units->unit + units->n,
                                   .n_events = units->n_events,
                                   .instr = instr,
                                   .n_instrs = N_OF(instr)};
        record = (struct bsim_record){.kind = BSIM_RECORD_BLOCK, .u.block = {b, 0, 0}};
        status = sink->push(sink->context, &record, err);
        status = status == BSIM_OK ? bsim_sink_push_batch(sink, &batch, err) : status;
    }
    return status == BSIM_OK ? bsim_push_end(sink, err) : status;
}

static enum bsim_status push_one_by_one(void *context, const struct bsim_sink *sink,
                                        struct bsim_error *err)
{
    struct bsim_sink slow = {.push = sink->push, .context = sink->context};
    return push_units(context, &slow, err);
}

static void a_batch_is_written_as_its_events_are(void **state)
{
    (void)state;
    struct units units = {.n = 0};
    add_every_form(&units);
    struct bsim_buffer fast = packed_stream(push_units, &units);
    struct bsim_buffer slow = packed_stream(push_one_by_one, &units);
    assert_int_equal(fast.size_bytes, slow.size_bytes);
    assert_memory_equal(fast.data, slow.data, slow.size_bytes);
    bsim_buffer_free(&fast);
    bsim_buffer_free(&slow);
}

static enum bsim_status drop_bytes(void *context, const void *data, size_t size_bytes,
                                   struct bsim_error *err)
{
    (void)context, (void)data, (void)size_bytes, (void)err;
    return BSIM_OK;
}

static void a_batch_with_another_blocks_warp_is_refused(void **state)
{
    (void)state;
    struct units units = {.n = 0};
    struct bsim_error err = {.status = BSIM_OK};
    struct bsim_output output = {drop_bytes, NULL};
    add(&units, (struct bsim_packed){.form = BSIM_PACKED_STEP, .warp = 2, .mask = 1}, 0, NULL);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    assert_int_equal(push_units(&units, &sink, &err), BSIM_E_USAGE);
    assert_string_equal(err.message,
                        "an event, its warp or its site is out of order in the event stream");
    assert_int_equal(bsim_push_end(&sink, &err), BSIM_E_USAGE);
    bsim_trace_writer_free(writer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_refused_event_has_its_line),
        cmocka_unit_test(nothing_comes_behind_an_error),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(events_come_off_as_they_were),
        cmocka_unit_test(an_event_has_nothing_of_the_one_before),
        cmocka_unit_test(a_list_in_shared_memory_may_have_a_base),
        cmocka_unit_test(what_is_left_out_is_counted),
        cmocka_unit_test(a_batch_is_written_as_its_events_are),
        cmocka_unit_test(a_batch_with_another_blocks_warp_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
