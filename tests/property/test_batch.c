/* test_batch.c - a simulator that gets a packed trace's accesses in batches (binary_batch.c, sim.c)
 * counts what one does that gets the same stream record by record and counts each request on its
 * own: random streams, seeded, with accesses of every form and space, lists and lanes in step, full
 * and partial warps, sites and none, repeats, w*, waits, and sites that are defined late. */
#include "packed.h"
#include "random_request.h"
#include "stream.h"
#include "trace_text.h"
#include "watched.h"

#include <banksim/run.h>

#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N_STREAMS = WATCHED(300, 60), N_EVENTS = 150, N_WARPS = 3 };

static const char *const others[] = {"ld.global.u32",       "st.global.v4.f32", "ld.global.u8",
                                     "atom.global.add.u32", "ld.const.u32",     "bar.sync",
                                     "shfl.sync.idx.b32"};

struct script {
    struct random_source source;
    bool has_matrices, has_shuffles; /* on a device that executes them */
};

static struct bsim_event shared_event(struct script *script)
{
    struct random_source *source = &script->source;
    uint32_t n_kinds = script->has_matrices ? REQUEST_N_KINDS : REQUEST_LDMATRIX;
    struct bsim_request request;
    char name[BSIM_OPCODE_NAME_SIZE];
    random_request(source, (enum request_kind)random_below(source, n_kinds), &request);
    int64_t bytes = request.opcode.bytes;
    struct bsim_event event =
        stream_event(bsim_opcode_name(&request.opcode, name), request.mask, 0, 0);
    event.affine = random_below(source, 3) == 0;
    event.base = event.affine ? 4096 * (uint64_t)bytes : 0;
    event.stride = event.affine ? bytes * ((int64_t)random_below(source, 67) - 33) : 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        event.address[lane] = request.address[lane];
    }
    return event;
}

/* Places behind 2^32 too; lists whose addresses are near each other and far apart. */
static struct bsim_event other_event(struct script *script)
{
    struct random_source *source = &script->source;
    size_t n = sizeof others / sizeof *others; /* the shuffle is the last */
    const char *opcode = others[random_below(source, (uint32_t)n - !script->has_shuffles)];
    uint32_t mask =
        random_below(source, 3) == 0 ? (uint32_t)random_next(source) | 1 : BSIM_FULL_MASK;
    uint64_t base = random_below(source, 2) == 0 ? UINT64_C(1) << 36 : 1 << 20;
    struct bsim_event event = stream_event(opcode, mask, 0, 0);
    bool may_be_far = event.opcode.space != BSIM_CONST; /* which has 64 KB */
    uint32_t shift = may_be_far && random_below(source, 8) == 0 ? 20 : 2;
    uint64_t bytes = event.opcode.bytes;
    if (bytes == 0) {
        event.mask = event.opcode.family == BSIM_BAR ? BSIM_FULL_MASK : mask;
        event.affine = false;
        return event;
    }
    event.affine = random_below(source, 3) > 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        event.address[lane] = base + bytes * ((uint64_t)random_below(source, 999) << shift);
    }
    if (event.affine) {
        event.base = base + bytes * random_below(source, 64);
        event.stride =
            (int64_t)bytes * ((int64_t)random_below(source, 40) - 2) * (1 << (shift - 2));
    }
    return event;
}

static void push_event(struct script *script, struct stream *stream)
{
    struct random_source *source = &script->source;
    bool is_shared = random_below(source, 2) == 0;
    struct bsim_event event = is_shared ? shared_event(script) : other_event(script);
    uint32_t warp = random_below(source, N_WARPS + 1);
    for (uint32_t i = 0; i < stream->n_sites; i++) {
        if (bsim_opcode_same(&stream->site[i].opcode, &event.opcode)) {
            event.site = &stream->site[i];
        }
    }
    if (random_below(source, 16) == 0) {
        event.wait = 1;
    }
    warp = event.opcode.family == BSIM_BAR || warp == N_WARPS ? BSIM_ALL_WARPS : warp;
    assert_int_equal(stream_push(stream, warp, event), BSIM_OK);
}

static void push_events(struct script *script, struct stream *stream)
{
    bool loops = random_below(&script->source, 2) == 0;
    if (loops) {
        assert_int_equal(stream_repeat(stream, 1 + random_below(&script->source, 9)), BSIM_OK);
    }
    for (uint32_t i = 0; i < N_EVENTS; i++) {
        push_event(script, stream);
    }
    if (loops) {
        assert_int_equal(stream_done(stream), BSIM_OK);
    }
}

static enum bsim_status push_stream(void *context, const struct bsim_sink *sink,
                                    struct bsim_error *err)
{
    static const char *const opcodes[] = {"ld.shared.u32", "ld.global.u32", "st.shared.v4.f32",
                                          "ld.global.u8"};
    struct script script = *(const struct script *)context;
    struct stream stream = {.sink = *sink};
    (void)err;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(stream_kernel(&stream, "random", N_WARPS * BSIM_WARP_LANES, NULL),
                         BSIM_OK);
        assert_int_equal(stream_block(&stream, 0), BSIM_OK);
        for (uint32_t i = 0; i < STREAM_MAX_SITES; i++) {
            push_events(&script, &stream);
            assert_int_equal(stream_site(&stream, i + 1, opcodes[i], NULL, 0, NULL), BSIM_OK);
        }
        push_events(&script, &stream);
    }
    return stream_end(&stream);
}

/* ---- what is counted, as text ---------------------------------------------------------------- */

static enum bsim_status hear(void *context, const struct bsim_request_result *request,
                             struct bsim_error *err)
{
    (void)request;
    (void)err;
    ++*(uint64_t *)context;
    return BSIM_OK;
}

/* A sink that passes each record on to the simulator, and takes no batches. */
static enum bsim_status pass_on(void *context, const struct bsim_record *record,
                                struct bsim_error *err)
{
    const struct bsim_sink *sink = context;
    return sink->push(sink->context, record, err);
}

static struct bsim_buffer counted(packed_source *source, void *context,
                                  const struct bsim_device *device, bool is_heard, bool one_by_one)
{
    uint64_t heard = 0;
    struct bsim_part part = {.shard = 1, .n_shards = 1};
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_sim_options options = {
        .device = device, .context = &heard, .on_request = is_heard ? hear : NULL};
    struct bsim_sim *sim = bsim_sim_new(&options);
    struct bsim_sink sink = bsim_sim_sink(sim);
    struct bsim_sink passing = {.push = pass_on, .context = &sink};
    struct bsim_error err = {.status = BSIM_OK};
    if (source(context, one_by_one ? &passing : &sink, &err) != BSIM_OK ||
        bsim_sim_result(sim, &part.result, &err) != BSIM_OK) {
        fail_msg("%s: %s", device->name, err.message);
    }
    assert_int_equal(heard > 0, is_heard);
    bsim_part_write(&part, &text);
    bsim_result_free(&part.result);
    bsim_sim_free(sim);
    return text;
}

static enum bsim_status push_packed(void *context, const struct bsim_sink *sink,
                                    struct bsim_error *err)
{
    const struct bsim_buffer *packed = context;
    return trace_text_read(packed->data, packed->size_bytes, 0, sink, err);
}

static void expect_same(const struct bsim_buffer *a, struct bsim_buffer b, uint64_t seed,
                        const struct bsim_device *device, const char *what)
{
    if (a->size_bytes != b.size_bytes || memcmp(a->data, b.data, b.size_bytes) != 0) {
        fail_msg("seed %u on %s: %s differs:\n%s\n%s", (unsigned)seed, device->name, what, a->data,
                 b.data);
    }
    bsim_buffer_free(&b);
}

static void check_stream(uint64_t seed, const struct bsim_device *device)
{
    struct bsim_opcode stmatrix;
    const char *name = "stmatrix.sync.aligned.m8n8.x1.shared.b16";
    struct script script = {.source = {.state = seed}};
    assert_int_equal(bsim_opcode_parse(name, strlen(name), &stmatrix, NULL), BSIM_OK);
    script.has_matrices = bsim_device_executes(device, &stmatrix);
    script.has_shuffles = device->compute == 0 || device->compute >= 30;
    struct bsim_buffer packed = packed_stream(push_stream, &script);
    struct bsim_buffer plain = counted(push_stream, &script, device, true, true);
    expect_same(&plain, counted(push_packed, &packed, device, false, false), seed, device,
                "the batches' count");
    expect_same(&plain, counted(push_packed, &packed, device, true, false), seed, device,
                "the count of batches that somebody hears of");
    expect_same(&plain, counted(push_packed, &packed, device, false, true), seed, device,
                "the records' count");
    bsim_buffer_free(&plain);
    bsim_buffer_free(&packed);
}

static void batches_count_what_their_requests_do(void **state)
{
    struct bsim_device device;
    uint64_t seed = 1;
    (void)state;
    while (seed <= N_STREAMS) {
        for (size_t i = 0; bsim_device_at(i, &device); i++) {
            check_stream(seed++, &device);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_count_what_their_requests_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
