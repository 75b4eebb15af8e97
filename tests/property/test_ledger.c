/* test_ledger.c - a simulator that somebody listens to counts each request on its own; one that
 * nobody listens to counts a pattern once (src/sim/ledger.c). Their results must be the same,
 * number for number: random streams, seeded, of patterns that come again and of more than there is
 * room for, on every device, with repeats, w* events, and sites that are defined late. */
#include "random_request.h"
#include "stream.h"

#include "sim/sim.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N_STREAMS = 300, N_EVENTS = 400, N_WARPS = 3, MOST_PATTERNS = 300 };

static const char *const opcodes[] = {
    "ld.shared.u32",
    "st.shared.u8",
    "ld.shared.v4.f32",
    "st.shared.v2.u32",
    "atom.shared.add.u32",
    "atom.shared.cas.b64",
    "ld.global.u32",
    "st.global.v4.f32",
    "ld.global.u8",
    "atom.global.add.u32",
    "red.global.add.u64",
    "ld.const.u32",
    "bar.sync",
    "shfl.sync.idx.b32", /* the last: not every device has it */
};

enum { N_OPCODES = sizeof opcodes / sizeof *opcodes };

/* A stream is made twice, from the same seed. */
struct script {
    struct random_source source;
    uint32_t n_opcodes;
    uint32_t n_patterns;
    bool many_places; /* of first lanes */
};

static enum bsim_status hear(void *context, const struct bsim_request_result *request,
                             struct bsim_error *err)
{
    (void)request;
    (void)err;
    ++*(uint64_t *)context;
    return BSIM_OK;
}

/* The k-th pattern with an opcode is the same whenever it comes. */
static struct bsim_event pattern(const struct script *script, const char *opcode, uint32_t k)
{
    static const uint32_t masks[] = {BSIM_FULL_MASK, BSIM_FULL_MASK, 0xffff, 1, 0x00ff0ff0, 0x5};
    struct random_source source = {.state = k};
    struct bsim_event event = stream_event(opcode, BSIM_FULL_MASK, 0, 0);
    int64_t bytes = event.opcode.bytes > 0 ? event.opcode.bytes : 4;
    event.mask = k % 4 == 0 ? (uint32_t)random_next(&source) | 1 : masks[random_below(&source, 6)];
    event.stride = bytes * (int64_t)random_below(&source, k % 3 == 0 ? 40 : 4);
    event.base = 64 * (uint64_t)bytes;
    if (script->many_places) {
        event.base += (uint64_t)bytes * random_below(&source, 4096);
        event.stride -= bytes * (int64_t)random_below(&source, 2);
    }
    return event;
}

static void push_event(struct script *script, struct stream *stream)
{
    uint32_t site = random_below(&script->source, stream->n_sites + 1);
    uint32_t which = random_below(&script->source, script->n_opcodes);
    uint32_t k = random_below(&script->source, script->n_patterns);
    uint32_t warp = random_below(&script->source, N_WARPS + 1);
    char name[BSIM_OPCODE_NAME_SIZE];
    const char *opcode = site < stream->n_sites ? bsim_opcode_name(&stream->site[site].opcode, name)
                                                : opcodes[which];
    struct bsim_event event = pattern(script, opcode, k);
    event.site = site < stream->n_sites ? &stream->site[site] : NULL;
    event.base += 128 * (uint64_t)random_below(&script->source, 64); /* the same further on */
    if (script->many_places) {
        event.base += event.opcode.bytes * (uint64_t)random_below(&script->source, 4);
    }
    event.mask = event.opcode.family == BSIM_BAR ? BSIM_FULL_MASK : event.mask;
    assert_int_equal(stream_push(stream, warp < N_WARPS ? warp : BSIM_ALL_WARPS, event), BSIM_OK);
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

static void push_kernel(struct script *script, struct stream *stream)
{
    assert_int_equal(stream_kernel(stream, "random", N_WARPS * BSIM_WARP_LANES, NULL), BSIM_OK);
    assert_int_equal(stream_block(stream, 0), BSIM_OK);
    for (uint32_t number = 1; number <= STREAM_MAX_SITES; number++) {
        const char *opcode = opcodes[random_below(&script->source, script->n_opcodes)];
        push_events(script, stream);
        assert_int_equal(stream_site(stream, number, opcode, "file.cu", number, NULL), BSIM_OK);
    }
    push_events(script, stream);
}

/* `heard`: each request is told to somebody. */
static struct bsim_result simulate(struct script script, const struct bsim_device *device,
                                   bool is_heard)
{
    uint64_t heard = 0;
    struct stream stream;
    struct bsim_result result;
    struct bsim_sim_options options = {
        .device = device, .context = &heard, .on_request = is_heard ? hear : NULL};
    assert_true(stream_simulate(&stream, &options));
    push_kernel(&script, &stream);
    push_kernel(&script, &stream);
    assert_int_equal(stream_finish(&stream, &result), BSIM_OK);
    assert_int_equal(heard > 0, is_heard);
    return result;
}

static bool same_site(const struct bsim_site_result *a, const struct bsim_site_result *b)
{
    return a->number == b->number && memcmp(&a->opcode, &b->opcode, sizeof a->opcode) == 0 &&
           a->requests == b->requests && a->constant_passes == b->constant_passes &&
           memcmp(&a->tally, &b->tally, sizeof a->tally) == 0 &&
           memcmp(&a->global, &b->global, sizeof a->global) == 0;
}

static bool same_kernel(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b)
{
    bool same = a->barriers == b->barriers && a->shuffles == b->shuffles && a->rules == b->rules &&
                a->other_requests == b->other_requests && a->n_sites == b->n_sites &&
                memcmp(a->tally, b->tally, sizeof a->tally) == 0 &&
                memcmp(a->global, b->global, sizeof a->global) == 0;
    for (size_t i = 0; same && i < a->n_sites; i++) {
        same = same_site(&a->sites[i], &b->sites[i]);
    }
    return same;
}

static void check_stream(uint64_t seed, const struct bsim_device *device)
{
    struct script script = {.source = {.state = seed}};
    script.n_opcodes = N_OPCODES - (device->compute != 0 && device->compute < 30);
    script.n_patterns = 1 + random_below(&script.source, MOST_PATTERNS);
    script.many_places = seed % 2 == 0;
    struct bsim_result one_by_one = simulate(script, device, true);
    struct bsim_result at_once = simulate(script, device, false);
    assert_int_equal(at_once.n_kernels, one_by_one.n_kernels);
    for (size_t i = 0; i < at_once.n_kernels; i++) {
        if (!same_kernel(&at_once.kernels[i], &one_by_one.kernels[i])) {
            fail_msg("seed %u on %s: kernel %u differs", (unsigned)seed, device->name, (unsigned)i);
        }
    }
    bsim_result_free(&one_by_one);
    bsim_result_free(&at_once);
}

static void patterns_cost_what_their_requests_cost(void **state)
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
        cmocka_unit_test(patterns_cost_what_their_requests_cost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
