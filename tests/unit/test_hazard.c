/* test_hazard.c - races and barrier faults, worked out by hand; the random programs are in
 * tests/property/test_hazard_oracle.c.
 *
 * A case is the body of a trace and its findings, one per line. A race:
 *     0,0,0 after 0: byte 4 w0.1 st.shared.u32:5 w1.1 ld.shared.u32:6 (4 bytes)
 * is, in block 0,0,0 after 0 barriers, between lane 1 of warp 0 at line 5 and lane 1 of warp 1 at
 * line 6, first on byte 4, on 4 bytes in all. Between blocks the second stands before its access. A
 * site stands as @1:5. A barrier fault:
 *     0,0,0 short 2: w0 3:7 w1 2:6 (1 blocks)
 * is: warps of mask 2 fall short, warp 0 reaches 3 barriers, the last at line 7, warp 1 reaches 2.
 * The trace's head takes lines 1 and 2, so that a body begins with line 3. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "failing_memory.h"
#include "random_request.h"
#include "status_name.h"
#include "stream.h"
#include "watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- findings as text ---------------------------------------------------------------------- */

static void write_side(struct bsim_buffer *out, const struct bsim_race_access *side)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    bsim_buffer_printf(out, " w%" PRIu32 ".%" PRIu32 " ", side->warp, side->lane);
    if (side->site != NULL) {
        bsim_buffer_printf(out, "@%" PRIu32, side->site->number);
    } else {
        bsim_buffer_text(out, bsim_opcode_name(&side->opcode, name));
    }
    bsim_buffer_printf(out, ":%" PRIu64, side->line);
}

static void write_race(void *context, const struct bsim_race *race)
{
    static const char *const kind[] = {[BSIM_RACE_WARPS] = "",
                                       [BSIM_RACE_LANES] = "lanes, ",
                                       [BSIM_RACE_REQUEST] = "note, ",
                                       [BSIM_RACE_BLOCKS] = "blocks, "};
    struct bsim_buffer *out = context;
    bsim_buffer_printf(out,
                       "%" PRIu32 ",%" PRIu32 ",%" PRIu32 " after %" PRIu64 ": %sbyte %" PRIu64,
                       race->block.x, race->block.y, race->block.z, race->barriers,
                       kind[race->kind], race->address);
    write_side(out, &race->access[0]);
    if (race->kind == BSIM_RACE_BLOCKS) {
        bsim_buffer_printf(out, " and %" PRIu32 ",%" PRIu32 ",%" PRIu32, race->other_block.x,
                           race->other_block.y, race->other_block.z);
    }
    write_side(out, &race->access[1]);
    bsim_buffer_printf(out, " (%" PRIu64 " bytes)\n", race->n_bytes);
}

static void write_fault(void *context, const struct bsim_barrier_fault *fault)
{
    struct bsim_buffer *out = context;
    bsim_buffer_printf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 " short %" PRIx32 ":",
                       fault->block.x, fault->block.y, fault->block.z, fault->short_warps);
    for (int i = 0; i < 2; i++) {
        bsim_buffer_printf(out, " w%" PRIu32 " %" PRIu64 ":%" PRIu64, fault->warp[i],
                           fault->barriers[i], fault->line[i]);
    }
    bsim_buffer_printf(out, " (%" PRIu64 " blocks)\n", fault->n_blocks);
}

static struct bsim_hazards *checker(struct bsim_buffer *out, uint32_t max_races)
{
    struct bsim_hazard_options options = {.max_races = max_races,
                                          .context = out,
                                          .on_race = write_race,
                                          .on_barrier_fault = write_fault};
    return bsim_hazards_new(&options);
}

/* A source of the test's own rather than the trace reader, which refuses barrier faults: a line is
 *     [w0|w*] OPCODE MASK BASE STRIDE    w1 bar.sync    repeat N    done    block N    site N OPCODE
 *     w0 arrive T    w1 await T:N
 * with @N for the opcode of a site. */
static bool push_meeting(struct stream *stream, const char *line)
{
    unsigned warp, meeting, arrivals = 0;
    bool awaits = sscanf(line, "w%u await %u:%u", &warp, &meeting, &arrivals) == 3;
    if (!awaits && sscanf(line, "w%u arrive %u", &warp, &meeting) != 2) {
        return false;
    }
    const struct bsim_opcode opcode = {.family = awaits ? BSIM_AWAIT : BSIM_ARRIVE};
    struct bsim_event event;
    bsim_event_init(&event, &opcode);
    event.meeting = meeting;
    event.arrivals = arrivals;
    assert_int_equal(stream_push(stream, warp, event), BSIM_OK);
    return true;
}

static void push_line(struct stream *stream, const char *line)
{
    char warp[8];
    char word[64];
    unsigned n;
    unsigned mask = BSIM_FULL_MASK;
    long long base = 0;
    long long stride = 0;
    enum bsim_status status = BSIM_OK;
    if (sscanf(line, "block %u", &n) == 1) {
        status = stream_block(stream, n);
    } else if (sscanf(line, "repeat %u", &n) == 1) {
        status = stream_repeat(stream, n);
    } else if (strcmp(line, "done") == 0) {
        status = stream_done(stream);
    } else if (sscanf(line, "site %u %63s", &n, word) == 2) {
        status = stream_site(stream, n, word, "k.cu", n, NULL);
    } else if (push_meeting(stream, line)) {
        return;
    } else if (sscanf(line, "%7s %63s %x %lli %lli", warp, word, &mask, &base, &stride) >= 2) {
        uint32_t who = BSIM_ALL_WARPS;
        if (warp[1] != '*' && sscanf(warp, "w%" SCNu32, &who) != 1) {
            fail_msg("not a warp: %s", line);
        }
        struct bsim_event event =
            stream_event(word[0] == '@' ? "bar.sync" : word, mask, (uint64_t)base, stride);
        if (word[0] == '@') {
            event.site = &stream->site[word[1] - '1'];
            event.opcode = event.site->opcode;
        }
        status = stream_push(stream, who, event);
    } else {
        fail_msg("not understood: %s", line);
    }
    if (status != BSIM_OK) {
        fail_msg("%s: %s", line, stream->err.message);
    }
}

static void push_lines(struct stream *stream, const char *text)
{
    while (*text != '\0') {
        char line[128] = "";
        size_t n = strcspn(text, "\n");
        assert_true(n < sizeof line);
        memcpy(line, text, n);
        push_line(stream, line);
        text += n + (text[n] == '\n');
    }
}

/* The findings in the body of a kernel of `threads` threads; the text is the caller's. */
static struct bsim_buffer findings_of(uint32_t threads, const char *body)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_hazards *hazards = checker(&out, 0);
    struct stream stream = {.line = 1, .n_blocks = 8};
    assert_non_null(hazards);
    stream.sink = bsim_hazards_sink(hazards);
    assert_int_equal(stream_kernel(&stream, "k", threads, NULL), BSIM_OK);
    push_lines(&stream, body);
    assert_int_equal(stream_end(&stream), BSIM_OK);
    bsim_hazards_free(hazards);
    bsim_buffer_text(&out, "");
    return out;
}

struct hazard_case {
    const char *name;
    uint32_t threads;
    const char *body;
    const char *findings;
};

static void check_cases(const struct hazard_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct bsim_buffer out = findings_of(cases[i].threads, cases[i].body);
        const char *found = out.data != NULL ? out.data : "";
        if (strcmp(found, cases[i].findings) != 0) {
            fail_msg("%s\n%s\nfound\n%sexpected\n%s", cases[i].name, cases[i].body, found,
                     cases[i].findings);
        }
        bsim_buffer_free(&out);
    }
}

#define CHECK(cases) check_cases(cases, sizeof(cases) / sizeof(cases)[0])

/* ---- what is a race ------------------------------------------------------------------------ */

static void races(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"store, load, no barrier: warp 1 reads what warp 0 writes, 32 words", 64,
         "block 0\nw0 st.shared.u32 ffffffff 0 4\nw1 ld.shared.u32 ffffffff 0 4\n",
         "0,0,0 after 0: byte 0 w0.0 st.shared.u32:4 w1.0 ld.shared.u32:5 (128 bytes)\n"},
        {"a barrier between them", 64,
         "block 0\nw0 st.shared.u32 ffffffff 0 4\nw* bar.sync\nw1 ld.shared.u32 ffffffff 0 4\n",
         ""},
        {"load, then store: no better", 64,
         "block 0\nw* bar.sync\nw0 ld.shared.u32 2 0 4\nw1 st.shared.u32 ffffffff 0 4\n",
         "0,0,0 after 1: byte 4 w0.1 ld.shared.u32:5 w1.1 st.shared.u32:6 (4 bytes)\n"},
        {"loads alone", 64, "block 0\nw* ld.shared.u32 ffffffff 0 4\nw1 ld.shared.u8 1 0 0\n", ""},
        {"one lane with itself", 64,
         "block 0\nw0 st.shared.u32 ffffffff 0 4\nw0 ld.shared.u32 ffffffff 0 4\n", ""},
        {"two stores, in lanes 3 and 1", 64,
         "block 0\nw0 st.shared.u32 8 0 4\nw1 st.shared.u32 2 8 4\n",
         "0,0,0 after 0: byte 12 w0.3 st.shared.u32:4 w1.1 st.shared.u32:5 (4 bytes)\n"},
        {"w*: every warp stores to the same word", 96, "block 0\nw* st.shared.u32 1 64 0\n",
         "0,0,0 after 0: byte 64 w0.0 st.shared.u32:4 w1.0 st.shared.u32:4 (4 bytes)\n"},
        {"bytes of one word, apart", 64,
         "block 0\nw0 st.shared.u8 1 4 0\nw1 st.shared.u8 1 5 0\nw1 st.shared.u16 1 6 0\n", ""},
        {"the third byte of a word", 64, "block 0\nw0 st.shared.u8 1 6 0\nw1 ld.shared.u32 1 4 0\n",
         "0,0,0 after 0: byte 6 w0.0 st.shared.u8:4 w1.0 ld.shared.u32:5 (1 bytes)\n"},
        {"the last 8 bytes of 16", 64,
         "block 0\nw0 st.shared.v4.u32 1 16 0\nw1 ld.shared.u64 3 24 8\n",
         "0,0,0 after 0: byte 24 w0.0 st.shared.v4.u32:4 w1.0 ld.shared.u64:5 (8 bytes)\n"},
        {"atomics, against each other and plain accesses", 64,
         "block 0\nw* atom.shared.add.u32 ffffffff 0 0\nw* red.shared.add.u32 ffffffff 0 0\n"
         "w0 st.shared.u32 1 0 0\n",
         ""},
        {"but plain accesses beside them do race", 64,
         "block 0\nw* atom.shared.add.u32 1 0 0\nw0 st.shared.u32 1 0 0\nw1 ld.shared.u32 1 0 0\n",
         "0,0,0 after 0: byte 0 w0.0 st.shared.u32:5 w1.0 ld.shared.u32:6 (4 bytes)\n"},
        {"volatile is no protection", 64,
         "block 0\nw0 st.volatile.shared.u32 1 0 0\nw1 ld.volatile.shared.u32 1 0 0\n",
         "0,0,0 after 0: byte 0 w0.0 st.volatile.shared.u32:4 w1.0 ld.volatile.shared.u32:5 "
         "(4 bytes)\n"},
        {"other spaces, shuffles, work", 64,
         "block 0\nw* red.global.add.u32 1 0 0\nw* ld.const.u32 1 0 0\nw* shfl.sync.idx.b32 1 0 0\n"
         "w* work 1 0 0\nw0 st.shared.u32 1 0 0\n",
         ""},
        {"inactive lanes touch nothing", 64,
         "block 0\nw0 st.shared.u32 0000ffff 0 4\nw1 ld.shared.u32 ffff0000 0 4\n", ""},
        {"the ends of the 32-bit offsets", 64,
         "block 0\nw0 st.shared.u32 1 0xfffffffc 0\nw1 ld.shared.u32 1 0xfffffffc 0\n",
         "0,0,0 after 0: byte 4294967292 w0.0 st.shared.u32:4 w1.0 ld.shared.u32:5 (4 bytes)\n"},
        {"a negative stride: lane 31 at 0", 64,
         "block 0\nw0 st.shared.u32 ffffffff 124 -4\nw1 ld.shared.u32 1 0 0\n",
         "0,0,0 after 0: byte 0 w0.31 st.shared.u32:4 w1.0 ld.shared.u32:5 (4 bytes)\n"},
    };
    CHECK(cases);
}

/* stmatrix.x1 writes the 16 bytes at each of 8 row addresses, whatever the other lanes say. */
static void matrix_forms(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"rows of 16 bytes at 0, 32, ...: the word at 12 is in row 0, that at 16 is not", 64,
         "block 0\nw0 stmatrix.sync.aligned.m8n8.x1.shared.b16 ffffffff 0 32\n"
         "w1 ld.shared.u32 3 12 4\n",
         "0,0,0 after 0: byte 12 w0.0 stmatrix.sync.aligned.m8n8.x1.shared.b16:4 "
         "w1.0 ld.shared.u32:5 (4 bytes)\n"},
        {"8 rows and no ninth", 64,
         "block 0\nw0 stmatrix.sync.aligned.m8n8.x1.shared.b16 ffffffff 0 16\n"
         "w1 ld.shared.u32 1 128 0\n",
         ""},
        {"ldmatrix.x4 reads 32 rows", 64,
         "block 0\nw0 ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 ffffffff 0 16\n"
         "w1 st.shared.u16 1 510 0\n",
         "0,0,0 after 0: byte 510 w0.31 ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16:4 "
         "w1.0 st.shared.u16:5 (2 bytes)\n"},
        {"ldmatrix only reads", 64,
         "block 0\nw* ldmatrix.sync.aligned.m8n8.x2.shared.b16 ffffffff 0 16\n", ""},
    };
    CHECK(cases);
}

/* ---- one warp ------------------------------------------------------------------------------ */

/* s[l] = v; v = s[l ^ 1] is a store of 0+4 and loads of 4 by lane 0, of 0 by lane 1. */
static void lanes_of_a_warp(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"nothing orders two lanes", 32,
         "block 0\nw0 st.volatile.shared.u32 3 0 4\nw0 ld.volatile.shared.u32 1 4 0\n",
         "0,0,0 after 0: lanes, byte 4 w0.1 st.volatile.shared.u32:4 w0.0 "
         "ld.volatile.shared.u32:5 (4 bytes)\n"},
        {"__syncwarp does", 32,
         "block 0\nw0 st.shared.u32 3 0 4\nw0 bar.warp.sync ffffffff\nw0 ld.shared.u32 1 4 0\n",
         ""},
        {"if it names both", 32,
         "block 0\nw0 st.shared.u32 3 0 4\nw0 bar.warp.sync d\nw0 ld.shared.u32 1 4 0\n",
         "0,0,0 after 0: lanes, byte 4 w0.1 st.shared.u32:4 w0.0 ld.shared.u32:6 (4 bytes)\n"},
        {"or one after the other, by way of a third", 32,
         "block 0\nw0 st.shared.u32 2 0 4\nw0 bar.warp.sync 6\nw0 bar.warp.sync 5\n"
         "w0 ld.shared.u32 1 4 0\n",
         ""},
        {"in this order", 32,
         "block 0\nw0 st.shared.u32 2 0 4\nw0 bar.warp.sync 5\nw0 bar.warp.sync 6\n"
         "w0 ld.shared.u32 1 4 0\n",
         "0,0,0 after 0: lanes, byte 4 w0.1 st.shared.u32:4 w0.0 ld.shared.u32:7 (4 bytes)\n"},
        {"the barrier of a block does", 32,
         "block 0\nw0 st.shared.u32 3 0 4\nw* bar.sync\nw0 ld.shared.u32 1 4 0\n", ""},
        {"a fence does not", 32,
         "block 0\nw0 st.shared.u32 3 0 4\nw0 membar.sys ffffffff\nw0 ld.shared.u32 1 4 0\n",
         "0,0,0 after 0: lanes, byte 4 w0.1 st.shared.u32:4 w0.0 ld.shared.u32:6 (4 bytes)\n"},
        {"the lanes that a last warp has are all", 34,
         "block 0\nw1 st.shared.u32 3 0 4\nw1 bar.warp.sync 3\nw1 ld.shared.u32 1 4 0\n", ""},
        {"a turn with the next", 32,
         "block 0\nrepeat 9\nw0 ld.shared.u32 1 4 0\nw0 bar.warp.sync ffffffff\n"
         "w0 st.shared.u32 2 0 4\ndone\n",
         "0,0,0 after 0: lanes, byte 4 w0.1 st.shared.u32:7 w0.0 ld.shared.u32:5 (4 bytes)\n"},
        {"a chain that takes turns: lane 3's word reaches lane 0 in three", 32,
         "block 0\nw0 st.shared.u32 8 0 4\nrepeat 3\nw0 bar.warp.sync 3\nw0 bar.warp.sync 6\n"
         "w0 bar.warp.sync c\ndone\nw0 ld.shared.u32 1 12 0\n",
         ""},
        {"but not in two", 32,
         "block 0\nw0 st.shared.u32 8 0 4\nrepeat 2\nw0 bar.warp.sync 3\nw0 bar.warp.sync 6\n"
         "w0 bar.warp.sync c\ndone\nw0 ld.shared.u32 1 12 0\n",
         "0,0,0 after 0: lanes, byte 12 w0.3 st.shared.u32:4 w0.0 ld.shared.u32:10 (4 bytes)\n"},
        {"several lanes of one store at one place", 32, "block 0\nw0 st.shared.u32 7 0 0\n",
         "0,0,0 after 0: note, byte 0 w0.0 st.shared.u32:4 w0.1 st.shared.u32:4 (4 bytes)\n"},
    };
    CHECK(cases);
}

/* The shared and the global byte of one number are two. */
static void global_memory(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"two warps", 64,
         "block 0\nw0 st.global.u32 1 0x100000000 0\nw1 ld.global.u8 1 0x100000003 0\n",
         "0,0,0 after 0: byte 4294967299 w0.0 st.global.u32:4 w1.0 ld.global.u8:5 (1 bytes)\n"},
        {"two lanes", 32, "block 0\nw0 st.global.u32 3 0 4\nw0 ld.global.u32 1 4 0\n",
         "0,0,0 after 0: lanes, byte 4 w0.1 st.global.u32:4 w0.0 ld.global.u32:5 (4 bytes)\n"},
        {"another space", 64, "block 0\nw0 st.global.u32 1 0 0\nw1 ld.shared.u32 1 0 0\n", ""},
        {"a barrier orders them", 64,
         "block 0\nw0 st.global.u32 1 0 0\nw* bar.sync\nw1 ld.global.u32 1 0 0\n", ""},
    };
    CHECK(cases);
}

/* Byte 0 and the next of global memory, by one lane each unless it is said. */
static void between_blocks(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"a store, and a load elsewhere", 32,
         "block 0\nw0 st.global.u32 1 0 0\nblock 1\nw0 ld.global.u32 1 0 0\n",
         "0,0,0 after 0: blocks, byte 0 w0.0 st.global.u32:4 and 1,0,0 w0.0 ld.global.u32:6 "
         "(4 bytes)\n"},
        {"a load, and a store elsewhere", 32,
         "block 2\nw0 ld.global.nc.u32 f 0 4\nblock 1\nw0 st.global.u32 8 -4 4\n",
         "2,0,0 after 0: blocks, byte 8 w0.2 ld.global.nc.u32:4 and 1,0,0 w0.3 st.global.u32:6 "
         "(4 bytes)\n"},
        {"two stores; a third block makes 4 bytes more", 32,
         "block 0\nw0 st.global.u32 1 0 0\nblock 1\nsite 1 st.global.u32\nw0 @1 1 0 0\n"
         "block 2\nw0 @1 1 0 0\n",
         "0,0,0 after 0: blocks, byte 0 w0.0 st.global.u32:4 and 1,0,0 w0.0 @1:7 (8 bytes)\n"},
        {"the block that stores has loaded first, another after it", 32,
         "block 0\nw0 ld.global.u32 1 0 0\nblock 1\nw0 ld.global.u32 1 0 0\n"
         "block 0\nw0 st.global.u32 1 0 0\n",
         "1,0,0 after 0: blocks, byte 0 w0.0 ld.global.u32:6 and 0,0,0 w0.0 st.global.u32:8 "
         "(4 bytes)\n"},
        {"barriers and fences order no blocks", 32,
         "block 0\nw0 st.global.u32 1 0 0\nw0 membar.gl 1 0 0\nw0 bar.sync\n"
         "block 1\nw0 bar.sync\nw0 membar.gl 1 0 0\nw0 ld.global.u32 1 0 0\n",
         "0,0,0 after 0: blocks, byte 0 w0.0 st.global.u32:4 and 1,0,0 w0.0 ld.global.u32:10 "
         "(4 bytes)\n"},
        {"loads, what is one block's own, atomics, shared and local memory", 32,
         "block 0\nw0 ld.global.u32 f 0 4\nw0 st.global.u32 f 64 4\nw0 red.global.add.u32 1 32 0\n"
         "w0 st.shared.u32 1 0 0\nw0 st.local.u32 1 0 0\n"
         "block 1\nw0 ld.global.u32 f 0 4\nw0 st.global.u32 f 80 4\nw0 red.global.add.u32 1 32 0\n"
         "w0 st.shared.u32 1 0 0\nw0 st.local.u32 1 0 0\n",
         ""},
        {"bytes of a word, apart; a word over both", 32,
         "block 0\nw0 st.global.u8 1 0 0\nblock 1\nw0 st.global.u8 1 1 0\n"
         "block 2\nw0 ld.global.u32 1 0 0\n",
         "0,0,0 after 0: blocks, byte 0 w0.0 st.global.u8:4 and 2,0,0 w0.0 ld.global.u32:8 "
         "(1 bytes)\n"
         "1,0,0 after 0: blocks, byte 1 w0.0 st.global.u8:6 and 2,0,0 w0.0 ld.global.u32:8 "
         "(1 bytes)\n"},
        {"a word stays known when its page is cut into bytes", 32,
         "block 0\nw0 st.global.u64 1 8 0\nblock 1\nw0 st.global.u8 1 4 0\n"
         "block 2\nw0 ld.global.u8 1 15 0\n",
         "0,0,0 after 0: blocks, byte 15 w0.0 st.global.u64:4 and 2,0,0 w0.0 ld.global.u8:8 "
         "(1 bytes)\n"},
        {"all lanes of a request at one word count it once", 32,
         "block 0\nw0 st.global.u32 1 0 0\nblock 1\nw0 ld.global.u32 ffffffff 0 0\n",
         "0,0,0 after 0: blocks, byte 0 w0.0 st.global.u32:4 and 1,0,0 w0.0 ld.global.u32:6 "
         "(4 bytes)\n"},
    };
    CHECK(cases);
}

/* Is there a byte that two of the three blocks touch, one of them with a store? */
static bool blocks_race(const uint32_t touched[3], const uint32_t written[3])
{
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            if (a != b && (touched[a] & written[b]) != 0) {
                return true;
            }
        }
    }
    return false;
}

/* Few accesses of 1 to 8 bytes to 16 bytes, the blocks in turn and then each once more. */
static void any_racy_byte_is_found(void **state)
{
    (void)state;
    struct random_source source = {1};
    for (int i = 0; i < WATCHED(3000, 600); i++) {
        char body[512] = "";
        uint32_t touched[3] = {0}, written[3] = {0};
        for (uint32_t turn = 0; turn < 5; turn++) {
            uint32_t block = turn % 3, bits = (uint32_t)random_below(&source, 4);
            uint32_t at = (uint32_t)random_below(&source, 16) >> bits << bits;
            bool writes = random_below(&source, 3) == 0;
            uint32_t bytes = ((UINT32_C(1) << (1 << bits)) - 1) << at;
            snprintf(body + strlen(body), sizeof body - strlen(body),
                     "block %u\nw0 %s.global.u%u 1 %u 0\n", (unsigned)block, writes ? "st" : "ld",
                     8u << bits, (unsigned)at);
            touched[block] |= bytes;
            written[block] |= writes ? bytes : 0;
        }
        struct bsim_buffer out = findings_of(32, body);
        bool found = out.size_bytes > 0 && strstr(out.data, "blocks") != NULL;
        if (found != blocks_race(touched, written)) {
            fail_msg("%s\n%s", found ? "invented" : "missed", body);
        }
        bsim_buffer_free(&out);
    }
}

/* What one kernel leaves, the next may read; and a grid of one block has no other. */
static void kernels_order_blocks(void **state)
{
    (void)state;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_hazards *hazards = checker(&out, 0);
    struct stream stream = {.n_blocks = 8, .line = 1, .sink = bsim_hazards_sink(hazards)};
    for (uint32_t k = 0; k < 2; k++) {
        assert_int_equal(stream_kernel(&stream, "k", 32, NULL), BSIM_OK);
        assert_int_equal(stream_block(&stream, k), BSIM_OK);
        push_lines(&stream, "w0 st.global.u32 1 0 0\n");
    }
    assert_int_equal(stream_end(&stream), BSIM_OK);
    assert_int_equal(bsim_hazards_count(hazards).races, 0);
    assert_int_equal(bsim_hazards_count(hazards).n_partial, 0);
    bsim_hazards_free(hazards);
    bsim_buffer_free(&out);
}

/* ---- one finding per pair ------------------------------------------------------------------ */

static void findings_are_pairs(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"a site counts once, wherever the trace has it", 64,
         "site 1 st.shared.u32\nsite 2 ld.shared.u32\nblock 0\nw0 @1 1 0 0\nw0 @1 1 4 0\n"
         "w1 @2 1 4 0\nw1 @2 1 0 0\n",
         "0,0,0 after 0: byte 0 w0.0 @1:6 w1.0 @2:9 (8 bytes)\n"},
        {"without a site each line is its own", 64,
         "block 0\nw0 st.shared.u32 1 0 0\nw0 st.shared.u32 1 4 0\nw1 ld.shared.u64 1 0 0\n",
         "0,0,0 after 0: byte 0 w0.0 st.shared.u32:4 w1.0 ld.shared.u64:6 (4 bytes)\n"
         "0,0,0 after 0: byte 4 w0.0 st.shared.u32:5 w1.0 ld.shared.u64:6 (4 bytes)\n"},
        {"a pair is the same from either side", 64,
         "site 1 st.shared.u32\nsite 2 ld.shared.u32\nblock 0\nw0 @1 1 0 0\nw1 @2 1 0 0\n"
         "w* bar.sync\nw1 @1 1 8 0\nw0 @2 1 8 0\n",
         "0,0,0 after 0: byte 0 w0.0 @1:6 w1.0 @2:7 (8 bytes)\n"},
        {"three sites: store with store and with both loads, the loads not", 64,
         "site 1 st.shared.u8\nsite 2 ld.shared.u8\nsite 3 ld.shared.u8\nblock 0\nw* @1 1 0 0\n"
         "w* @2 1 0 0\nw* @3 1 0 0\n",
         "0,0,0 after 0: byte 0 w0.0 @1:7 w1.0 @1:7 (1 bytes)\n"
         "0,0,0 after 0: byte 0 w0.0 @1:7 w1.0 @2:8 (1 bytes)\n"
         "0,0,0 after 0: byte 0 w0.0 @1:7 w1.0 @3:9 (1 bytes)\n"},
        {"a byte that many warps share counts once", 128,
         "site 1 st.shared.u8\nblock 0\nw* @1 f 0 0\n",
         "0,0,0 after 0: byte 0 w0.0 @1:5 w1.0 @1:5 (1 bytes)\n"
         "0,0,0 after 0: note, byte 0 w0.0 @1:5 w0.1 @1:5 (4 bytes)\n"},
        {"blocks are apart", 64,
         "block 0\nw0 st.shared.u32 1 0 0\nblock 1\nw1 ld.shared.u32 1 0 0\n", ""},
        {"bytes add up over blocks; the first is shown", 64,
         "site 1 st.shared.u32\nblock 0\nw0 @1 1 0 0\nblock 7\nw* @1 1 4 0\nblock 8\nw* @1 1 0 0\n",
         "7,0,0 after 0: byte 4 w0.0 @1:7 w1.0 @1:7 (8 bytes)\n"},
    };
    CHECK(cases);
}

/* ---- intervals ----------------------------------------------------------------------------- */

/* w0: st A | ld B | st C      w1: ld B | st A | ld C. Only C is used by both between the same
 * barriers. */
static void interleavings_do_not_matter(void **state)
{
    (void)state;
    static const char found[] = "0,0,0 after 2: byte 8 w0.0 @1:%u w1.0 @2:%u (4 bytes)\n";
    static const struct {
        const char *body;
        unsigned line[2];
    } orders[] = {
        {"w0 @1 1 0 0\nw0 bar.sync\nw0 @2 1 4 0\nw0 bar.sync\nw0 @1 1 8 0\n"
         "w1 @2 1 4 0\nw1 bar.sync\nw1 @1 1 0 0\nw1 bar.sync\nw1 @2 1 8 0\n",
         {10, 15}},
        {"w1 @2 1 4 0\nw1 bar.sync\nw1 @1 1 0 0\nw1 bar.sync\nw1 @2 1 8 0\n"
         "w0 @1 1 0 0\nw0 bar.sync\nw0 @2 1 4 0\nw0 bar.sync\nw0 @1 1 8 0\n",
         {15, 10}},
        {"w0 @1 1 0 0\nw1 @2 1 4 0\nw* bar.sync\nw0 @2 1 4 0\nw1 @1 1 0 0\nw* bar.sync\n"
         "w1 @2 1 8 0\nw0 @1 1 8 0\n",
         {13, 12}},
        {"w0 @1 1 0 0\nw0 bar.sync\nw1 @2 1 4 0\nw1 bar.sync\nw1 @1 1 0 0\nw1 bar.sync\n"
         "w1 @2 1 8 0\nw0 @2 1 4 0\nw0 bar.sync\nw0 @1 1 8 0\n",
         {15, 12}},
    };
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        char body[512];
        char expected[128];
        (void)snprintf(body, sizeof body, "site 1 st.shared.u32\nsite 2 ld.shared.u32\nblock 0\n%s",
                       orders[i].body);
        (void)snprintf(expected, sizeof expected, found, orders[i].line[0], orders[i].line[1]);
        struct hazard_case one = {"an order", 64, body, expected};
        check_cases(&one, 1);
    }
}

/* Ping-pong between two buffers: safe with a barrier in each turn; with the barrier after the loop
 * the store and the load meet. */
static void repeats(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"no barrier inside: one turn stands for all", 64,
         "block 0\nrepeat 1000000\nw0 st.shared.u32 1 0 0\nw1 ld.shared.u32 1 0 0\ndone\n",
         "0,0,0 after 0: byte 0 w0.0 st.shared.u32:5 w1.0 ld.shared.u32:6 (4 bytes)\n"},
        {"store | load in a loop: the load meets the next turn's store", 64,
         "block 0\nrepeat 4000000000\nw0 st.shared.u32 1 0 0\nw* bar.sync\nw1 ld.shared.u32 1 0 0\n"
         "done\n",
         "0,0,0 after 1: byte 0 w0.0 st.shared.u32:5 w1.0 ld.shared.u32:7 (4 bytes)\n"},
        {"unless the loop ends with the first turn", 64,
         "block 0\nrepeat 1\nw0 st.shared.u32 1 0 0\nw* bar.sync\nw1 ld.shared.u32 1 0 0\ndone\n",
         ""},
        {"a second barrier mends it", 64,
         "block 0\nrepeat 100\nw0 st.shared.u32 1 0 0\nw* bar.sync\nw1 ld.shared.u32 1 0 0\n"
         "w* bar.sync\ndone\n",
         ""},
        {"before the loop with its first turn", 64,
         "block 0\nw1 st.shared.u32 1 0 0\nrepeat 100\nw0 ld.shared.u32 1 0 0\nw* bar.sync\ndone\n",
         "0,0,0 after 0: byte 0 w0.0 ld.shared.u32:6 w1.0 st.shared.u32:4 (4 bytes)\n"},
        {"its last turn with what follows, 100 barriers later", 64,
         "block 0\nrepeat 100\nw* bar.sync\nw0 ld.shared.u32 1 0 0\ndone\nw1 st.shared.u32 1 0 0\n",
         "0,0,0 after 100: byte 0 w0.0 ld.shared.u32:6 w1.0 st.shared.u32:8 (4 bytes)\n"},
        {"nested: a race between turns of the outer loop only", 64,
         "block 0\nrepeat 50\nw0 st.shared.u32 1 0 0\nrepeat 10\nw* bar.sync\ndone\n"
         "w1 ld.shared.u32 1 0 0\ndone\n",
         "0,0,0 after 10: byte 0 w0.0 st.shared.u32:5 w1.0 ld.shared.u32:9 (4 bytes)\n"},
        {"one warp's loop after the other's: w0 in turn t meets w1 in turn t", 64,
         "site 1 st.shared.u32\nsite 2 ld.shared.u32\nblock 0\n"
         "repeat 5\nw0 @1 1 0 0\nw0 bar.sync\ndone\nrepeat 5\nw1 @2 1 0 0\nw1 bar.sync\ndone\n",
         "0,0,0 after 0: byte 0 w0.0 @1:7 w1.0 @2:11 (20 bytes)\n"},
        {"loops of different shape: w0 stores after 6 barriers, w1 loads after 6 of its 7", 64,
         "block 0\nrepeat 6\nw0 bar.sync\ndone\nw0 st.shared.u32 1 0 0\nw0 bar.sync\n"
         "repeat 3\nw1 bar.sync\nw1 bar.sync\ndone\nw1 ld.shared.u32 1 0 0\nw1 bar.sync\n",
         "0,0,0 after 6: byte 0 w0.0 st.shared.u32:7 w1.0 ld.shared.u32:13 (4 bytes)\n"},
        {"w1 enters the loop two barriers ahead: its load of turn 0 meets w0's store of turn 2", 64,
         "block 0\nw1 bar.sync\nw1 bar.sync\nrepeat 4\nw1 ld.shared.u32 1 0 0\n"
         "w* bar.sync\nw0 st.shared.u32 1 0 0\ndone\nw0 bar.sync\nw0 bar.sync\n",
         "0,0,0 after 2: byte 0 w0.0 st.shared.u32:9 w1.0 ld.shared.u32:7 (12 bytes)\n"},
    };
    CHECK(cases);
}

static void turn_by_turn_has_a_limit(void **state)
{
    (void)state;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_hazards *hazards = checker(&out, 0);
    struct stream stream = {.sink = bsim_hazards_sink(hazards)};
    assert_int_equal(stream_kernel(&stream, "k", 64, NULL), BSIM_OK);
    push_lines(&stream, "block 0\nrepeat 2000000000\nw0 bar.sync");
    assert_int_equal(stream_done(&stream), BSIM_E_INPUT);
    assert_non_null(strstr(stream.err.message, "2000000000 turns"));
    bsim_hazards_free(hazards);
    bsim_buffer_free(&out);
}

/* ---- barriers ------------------------------------------------------------------------------ */

static void barrier_faults(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"warp 1 misses the third", 64,
         "block 0\nw* bar.sync\nw0 bar.sync\nw1 bar.sync\nw0 bar.sync\n",
         "0,0,0 short 2: w0 3:7 w1 2:6 (1 blocks)\n"},
        {"warps 0 and 2 reach none", 96, "block 3\nw1 bar.sync\n",
         "3,0,0 short 5: w1 1:4 w0 0:0 (1 blocks)\n"},
        {"in every turn", 64, "block 0\nrepeat 10\nw1 bar.sync\nw* bar.sync\ndone\n",
         "0,0,0 short 1: w1 20:6 w0 10:6 (1 blocks)\n"},
        {"once per kernel, blocks counted", 64,
         "block 0\nw* bar.sync\nblock 1\nw0 bar.sync\nblock 2\nw1 bar.sync\n",
         "1,0,0 short 2: w0 1:6 w1 0:0 (2 blocks)\n"},
        {"what the others do after the fault is still looked at: w0 and w1 race, w2 has gone", 96,
         "block 0\nw2 st.shared.u32 1 0 0\nw0 bar.sync\nw1 bar.sync\nw0 st.shared.u32 1 0 0\n"
         "w1 st.shared.u32 1 0 0\n",
         "0,0,0 after 1: byte 0 w0.0 st.shared.u32:7 w1.0 st.shared.u32:8 (4 bytes)\n"
         "0,0,0 short 4: w0 1:5 w2 0:0 (1 blocks)\n"},
    };
    CHECK(cases);
}

/* ---- the sink ------------------------------------------------------------------------------ */

static void counts_and_the_limit(void **state)
{
    (void)state;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_hazards *hazards = checker(&out, 2);
    struct stream stream = {.sink = bsim_hazards_sink(hazards)};
    assert_int_equal(stream_kernel(&stream, "many", 64, NULL), BSIM_OK);
    /* Three lines of stores: six pairs, of which two are kept. The fault is still found. */
    push_lines(&stream, "block 0\nw* st.shared.u8 1 0 0\nw* st.shared.u8 1 0 0\n"
                        "w* st.shared.u8 1 0 0\nw0 bar.sync\n");
    assert_int_equal(bsim_hazards_count(hazards).races, 0); /* the kernel is not over */
    assert_int_equal(stream_kernel(&stream, "two", 64, NULL), BSIM_OK);
    assert_int_equal(bsim_hazards_count(hazards).races, 2);
    /* As many as the limit, and no more. */
    push_lines(&stream, "block 0\nw* st.shared.u8 1 0 0\nw* st.shared.u8 1 1 0\n");
    assert_int_equal(stream_end(&stream), BSIM_OK);
    struct bsim_hazard_counts counts = bsim_hazards_count(hazards);
    assert_int_equal(counts.races, 4);
    assert_int_equal(counts.barrier_faults, 1);
    assert_int_equal(counts.cut_short, 1);
    bsim_hazards_free(hazards);
    bsim_buffer_free(&out);
}

/* Far more accesses than the arrays begin with, to many pages. Word i is written by warp i mod 32
 * and read by the next: 32 lanes, 4 bytes, 256 rows. */
static void large_intervals(void **state)
{
    (void)state;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_hazards *hazards = checker(&out, 0);
    struct stream stream = {.sink = bsim_hazards_sink(hazards)};
    uint32_t rows = 256;
    assert_int_equal(stream_kernel(&stream, "k", 1024, NULL), BSIM_OK);
    push_lines(&stream, "site 1 st.shared.u32\nsite 2 ld.shared.u32\nblock 0\n");
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t side = 0; side < 2; side++) {
            struct bsim_event event = stream_event("bar.sync", BSIM_FULL_MASK, 128 * row, 4);
            event.site = &stream.site[side];
            event.opcode = event.site->opcode;
            event.affine = row % 2 == 0;
            for (uint32_t lane = 0; lane < 32; lane++) {
                event.address[lane] = 128 * row + 4 * lane;
            }
            assert_int_equal(stream_push(&stream, (row + side) % 32, event), BSIM_OK);
        }
    }
    assert_int_equal(stream_end(&stream), BSIM_OK);
    bsim_buffer_text(&out, "");
    /* Row 0 is written by warp 0 in line 5 and read by warp 1 in line 6. */
    assert_string_equal(out.data, "0,0,0 after 0: byte 0 w0.0 @1:5 w1.0 @2:6 (32768 bytes)\n");
    bsim_hazards_free(hazards);
    bsim_buffer_free(&out);
}

/* A window wider than any device has, one byte a page, twice: its notes are given back. */
static void scattered_addresses(void **state)
{
    (void)state;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_hazards *hazards = checker(&out, 0);
    struct stream stream = {.sink = bsim_hazards_sink(hazards)};
    assert_int_equal(stream_kernel(&stream, "k", 64, NULL), BSIM_OK);
    push_lines(&stream, "site 1 st.shared.u8\nblock 0\n");
    for (int interval = 0; interval < 2; interval++) {
        for (uint32_t i = 0; i < 300; i++) {
            stream_at_site(&stream, BSIM_ALL_WARPS, 0, UINT64_C(0x700000) * i, 0x10000);
        }
        push_lines(&stream, "w* bar.sync\n");
    }
    assert_int_equal(stream_end(&stream), BSIM_OK);
    bsim_buffer_text(&out, "");
    /* Per interval 300 accesses of 32 lanes; of neighbours, 0x70 pages apart, no lanes coincide. */
    assert_string_equal(out.data, "0,0,0 after 0: byte 0 w0.0 @1:4 w1.0 @1:4 (19200 bytes)\n");
    bsim_hazards_free(hazards);
    bsim_buffer_free(&out);
}

static void refuses_streams_out_of_order(void **state)
{
    (void)state;
    static const struct {
        const char *before;
        struct bsim_record record;
    } cases[] = {
        {"", {.kind = BSIM_RECORD_BLOCK}},
        {"block 0\nrepeat 2\n", {.kind = BSIM_RECORD_BLOCK}},
        {"block 0\nrepeat 2\n", {.kind = BSIM_RECORD_END}},
        {"block 0\n", {.kind = BSIM_RECORD_DONE}},
        {"", {.kind = BSIM_RECORD_REPEAT, .u.repeat = {2, 0, 0}}},
        {"block 0\n", {.kind = BSIM_RECORD_REPEAT, .u.repeat = {0, 0, 0}}},
        {"block 0\nrepeat 2000000\n", {.kind = BSIM_RECORD_REPEAT, .u.repeat = {2000000, 0, 0}}},
        {"block 0\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat 1\nrepeat "
         "1\n",
         {.kind = BSIM_RECORD_REPEAT, .u.repeat = {1, 0, 0}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_buffer out = BSIM_BUFFER_EMPTY;
        struct bsim_hazards *hazards = checker(&out, 0);
        struct stream stream = {.sink = bsim_hazards_sink(hazards)};
        if (*cases[i].before != '\0') {
            assert_int_equal(stream_kernel(&stream, "k", 64, NULL), BSIM_OK);
            push_lines(&stream, cases[i].before);
        }
        enum bsim_status status =
            stream.sink.push(stream.sink.context, &cases[i].record, &stream.err);
        if (status != BSIM_E_USAGE) {
            fail_msg("case %u: %s", (unsigned)i, status_name(status));
        }
        bsim_hazards_free(hazards);
        bsim_buffer_free(&out);
    }
}

/* What a stream of a kernel of that many threads, which lines begin, comes to with such an event;
 * site_index: of a site that is not there; or -1. */
static enum bsim_status push_behind(uint32_t n_threads, const char *lines, uint32_t warp,
                                    int site_index)
{
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    struct bsim_hazards *hazards = checker(&out, 0);
    struct stream stream = {.sink = bsim_hazards_sink(hazards)};
    enum bsim_status status = stream_kernel(&stream, "k", n_threads, NULL);
    push_lines(&stream, status == BSIM_OK ? lines : "");
    if (status == BSIM_OK && site_index >= 0) {
        stream.site[site_index].opcode = stream_event("st.shared.u32", 1, 0, 0).opcode;
        status = stream_at_site(&stream, warp, (uint32_t)site_index, 0, 4);
    } else if (status == BSIM_OK) {
        status = stream_access(&stream, warp, "st.shared.u32", 0, 4);
    }
    enum bsim_status end = stream_end(&stream);
    assert_int_equal(end, status == BSIM_OK ? BSIM_OK : BSIM_E_USAGE);
    assert_int_equal(stream_end(&stream), BSIM_E_USAGE);
    bsim_hazards_free(hazards);
    bsim_buffer_free(&out);
    return status;
}

static void refuses_unknown_warps_and_sites(void **state)
{
    (void)state;
    assert_int_equal(push_behind(2048, "", 0, -1), BSIM_E_USAGE);
    assert_int_equal(push_behind(64, "", 0, -1), BSIM_E_USAGE);
    assert_int_equal(push_behind(64, "block 0\n", 1, -1), BSIM_OK);
    assert_int_equal(push_behind(64, "block 0\n", 2, -1), BSIM_E_USAGE);
    assert_int_equal(push_behind(64, "block 0\n", 0, 0), BSIM_E_USAGE);
    bsim_hazards_free(NULL);
}

/* 2^20 * 2^20 turns, 127 barriers in each: a little below 2^47. */
static void push_long_repeat(struct stream *stream, uint32_t barriers)
{
    push_lines(stream, "repeat 1048576\nrepeat 1048576\n");
    for (uint32_t i = 0; i < barriers; i++) {
        push_lines(stream, "w* bar.sync\n");
    }
    assert_int_equal(stream_done(stream), BSIM_OK);
}

static void barriers_past_2_to_47(void **state)
{
    (void)state;
    struct bsim_buffer out = BSIM_BUFFER_EMPTY;
    for (int in_one = 0; in_one < 2; in_one++) {
        struct bsim_hazards *hazards = checker(&out, 0);
        struct stream stream = {.sink = bsim_hazards_sink(hazards)};
        assert_int_equal(stream_kernel(&stream, "k", 64, NULL), BSIM_OK);
        push_lines(&stream, "block 0\n");
        if (in_one) {
            push_long_repeat(&stream, 129);
        } else {
            push_long_repeat(&stream, 127);
            assert_int_equal(stream_done(&stream), BSIM_OK);
            push_long_repeat(&stream, 2);
        }
        assert_int_equal(stream_done(&stream), BSIM_E_INPUT);
        bsim_hazards_free(hazards);
    }
    bsim_buffer_free(&out);
}

/* ---- memory -------------------------------------------------------------------------------- */

struct counter {
    unsigned races, faults;
};

static void count_race(void *context, const struct bsim_race *race)
{
    struct counter *counter = context;
    counter->races += race->kernel != NULL;
}

static void count_fault(void *context, const struct bsim_barrier_fault *fault)
{
    struct counter *counter = context;
    counter->faults += fault->kernel != NULL;
}

/* Sites, a repeat, many touches and pages, a race and a fault. False when memory was short. */
static bool run_everything(struct counter *counter)
{
    struct bsim_hazard_options options = {
        .context = counter, .on_race = count_race, .on_barrier_fault = count_fault};
    struct bsim_hazards *hazards = bsim_hazards_new(&options);
    if (hazards == NULL) {
        return false;
    }
    struct stream stream = {.n_blocks = 8, .sink = bsim_hazards_sink(hazards)};
    bool ok = stream_kernel(&stream, "k", 64, NULL) == BSIM_OK &&
              stream_site(&stream, 1, "st.shared.v4.u32", "k.cu", 3, "s[i] = v") == BSIM_OK &&
              stream_block(&stream, 0) == BSIM_OK;
    for (uint32_t i = 0; i < 80 && ok; i++) {
        ok = stream_at_site(&stream, BSIM_ALL_WARPS, 0, 512 * i, 16) == BSIM_OK;
    }
    for (uint32_t i = 0; i < 20 && ok; i++) {
        ok = stream_repeat(&stream, 3) == BSIM_OK && stream_repeat(&stream, 3) == BSIM_OK &&
             stream_access(&stream, 0, "st.shared.u32", 0, 4) == BSIM_OK &&
             stream_done(&stream) == BSIM_OK && stream_done(&stream) == BSIM_OK;
    }
    ok = ok && stream_push(&stream, 1, stream_event("bar.sync", 0, 0, 0)) == BSIM_OK &&
         stream_block(&stream, 1) == BSIM_OK &&
         stream_access(&stream, 0, "st.global.u32", 0, 4) == BSIM_OK &&
         stream_block(&stream, 2) == BSIM_OK &&
         stream_access(&stream, 0, "ld.global.u8", 0, 1) == BSIM_OK &&
         stream_end(&stream) == BSIM_OK;
    assert_true(ok || stream.err.status == BSIM_E_MEMORY);
    bsim_hazards_free(hazards);
    return ok;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    size_t live = failing_memory_live();
    for (size_t n = 0;; n++) {
        struct counter counter = {0, 0};
        failing_memory_fail_after(n);
        bool ok = run_everything(&counter);
        failing_memory_heal();
        assert_int_equal(failing_memory_live(), live);
        if (ok) {
            assert_int_equal(failing_memory_refused(), 0);
            assert_true(n > 10);
            /* Site 1 with itself, and with each of the 20 lines of stores, of warp 0: of warp 1's
             * accesses, and of warp 0's own, since lanes have 16 bytes here and 4 there; and one
             * of blocks. */
            assert_int_equal(counter.races, 1 + 20 + 20 + 1);
            assert_int_equal(counter.faults, 1);
            return;
        }
        assert_int_equal(counter.races, 0);
    }
}

/* ---- meetings of some warps ------------------------------------------------------------------ */

static void meetings(void **state)
{
    (void)state;
    static const struct hazard_case cases[] = {
        {"what is before an arrival is before who awaits it", 96,
         "block 0\nw0 st.shared.u32 ffffffff 0 4\nw0 arrive 1\nw1 await 1:1\n"
         "w1 ld.shared.u32 ffffffff 0 4\n",
         ""},
        {"whatever the order of warps in the stream", 96,
         "block 0\nw1 await 1:1\nw1 ld.shared.u32 ffffffff 0 4\n"
         "w0 st.shared.u32 ffffffff 0 4\nw0 arrive 1\n",
         ""},
        {"what is behind the arrival is not", 96,
         "block 0\nw0 arrive 1\nw0 st.shared.u32 ffffffff 0 4\nw1 await 1:1\n"
         "w1 ld.shared.u32 ffffffff 0 4\n",
         "0,0,0 after 0: byte 0 w0.0 st.shared.u32:5 w1.0 ld.shared.u32:7 (128 bytes)\n"},
        {"nor is what is before the await", 96,
         "block 0\nw0 st.shared.u32 ffffffff 0 4\nw0 arrive 1\n"
         "w1 ld.shared.u32 ffffffff 0 4\nw1 await 1:1\n",
         "0,0,0 after 0: byte 0 w0.0 st.shared.u32:4 w1.0 ld.shared.u32:6 (128 bytes)\n"},
        {"a third warp has not met them", 96,
         "block 0\nw0 st.shared.u32 1 0 4\nw0 arrive 1\nw1 await 1:1\nw1 ld.shared.u32 1 0 4\n"
         "w2 ld.shared.u32 1 0 4\n",
         "0,0,0 after 0: byte 0 w0.0 st.shared.u32:4 w2.0 ld.shared.u32:8 (4 bytes)\n"},
        {"it may know by another meeting", 96,
         "block 0\nw0 st.shared.u32 1 0 4\nw0 arrive 1\nw1 await 1:1\nw1 arrive 2\n"
         "w2 await 2:1\nw2 ld.shared.u32 1 0 4\n",
         ""},
        {"of two that arrive both are waited for", 96,
         "block 0\nw0 st.shared.u32 1 0 4\nw0 arrive 1\nw2 await 1:2\nw2 st.shared.u32 1 0 4\n"
         "w2 ld.shared.u32 1 4 4\nw1 st.shared.u32 1 4 4\nw1 arrive 1\n",
         ""},
        {"two readers, one of whom the next writer has met", 96,
         "block 0\nw0 ld.shared.u32 1 0 4\nw1 ld.shared.u32 1 0 4\nw1 arrive 1\n"
         "w2 await 1:1\nw2 st.shared.u32 1 0 4\n",
         "0,0,0 after 0: byte 0 w0.0 ld.shared.u32:4 w2.0 st.shared.u32:8 (4 bytes)\n"},
        {"of two that arrive the second is waited for, who waits for another", 128,
         "block 0\nw0 await 1:2\nw0 ld.shared.u32 1 0 4\nw1 arrive 1\nw2 await 2:1\n"
         "w2 st.shared.u32 1 0 4\nw2 arrive 1\nw3 arrive 2\n",
         ""},
        {"an arrival in front of a barrier of all, its await behind", 96,
         "block 0\nw0 arrive 1\nw* bar.sync\nw0 st.shared.u32 1 0 4\nw1 await 1:1\n"
         "w1 ld.shared.u32 1 0 4\n",
         "0,0,0 after 1: byte 0 w0.0 st.shared.u32:6 w1.0 ld.shared.u32:8 (4 bytes)\n"},
        {"each block has its own", 96,
         "block 0\nw0 arrive 1\nblock 1\nw0 st.shared.u32 1 0 4\nw0 arrive 1\nw1 await 1:1\n"
         "w1 ld.shared.u32 1 0 4\n",
         ""},
        {"who awaits what never comes goes on at last", 96,
         "block 0\nw1 await 1:2\nw1 ld.shared.u32 1 0 4\nw0 st.shared.u32 1 0 4\nw0 arrive 1\n",
         ""},
        {"a warp's lanes have met, too", 64,
         "block 0\nw0 st.shared.u32 1 0 4\nw0 arrive 1\nw0 await 1:1\nw0 ld.shared.u32 2 -4 4\n",
         ""},
    };
    CHECK(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meetings),
        cmocka_unit_test(races),
        cmocka_unit_test(between_blocks),
        cmocka_unit_test(any_racy_byte_is_found),
        cmocka_unit_test(kernels_order_blocks),
        cmocka_unit_test(matrix_forms),
        cmocka_unit_test(lanes_of_a_warp),
        cmocka_unit_test(global_memory),
        cmocka_unit_test(findings_are_pairs),
        cmocka_unit_test(interleavings_do_not_matter),
        cmocka_unit_test(repeats),
        cmocka_unit_test(turn_by_turn_has_a_limit),
        cmocka_unit_test(barrier_faults),
        cmocka_unit_test(counts_and_the_limit),
        cmocka_unit_test(large_intervals),
        cmocka_unit_test(scattered_addresses),
        cmocka_unit_test(refuses_streams_out_of_order),
        cmocka_unit_test(refuses_unknown_warps_and_sites),
        cmocka_unit_test(barriers_past_2_to_47),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
