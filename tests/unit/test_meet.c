/* test_meet.c - sketches in which warps wait for each other at mbarriers, for copies by TMA and for wgmma: what is
 * refused, how the message begins and where; and what is not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/expr.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

struct seen {
    uint32_t wgmmas, copies, arrivals, waits;
    struct bsim_async last; /* of a wgmma */
};

static enum bsim_status push(void *context, const struct bsim_record *record, struct bsim_error *err)
{
    struct seen *seen = context;
    (void)err;
    if (record->kind == BSIM_RECORD_EVENT) {
        const struct bsim_event *event = record->u.event;
        seen->wgmmas += event->opcode.family == BSIM_WGMMA;
        seen->copies += event->opcode.family == BSIM_BULK;
        seen->arrivals += event->opcode.family == BSIM_ARRIVE;
        seen->waits += event->opcode.family == BSIM_AWAIT;
        seen->last = event->opcode.family == BSIM_WGMMA ? *event->async : seen->last;
    }
    return BSIM_OK;
}

/* Builds and pushes; what failed first, in *err. */
static enum bsim_status run(const char *text, struct seen *seen, struct bsim_error *err)
{
    struct bsim_sink sink = {.push = push, .context = seen};
    struct bsim_check *check = bsim_check_new();
    memset(seen, 0, sizeof *seen);
    assert_non_null(check);
    enum bsim_status status = bsim_check_add_text(check, "t", text, strlen(text), err);
    status = status == BSIM_OK ? bsim_check_seal(check, err) : status;
    status = status == BSIM_OK ? bsim_check_push(check, NULL, &sink, err) : status;
    bsim_check_free(check);
    return status;
}

static const char before[] = "block 160\n"
                             "mbarrier full[2]: 1, empty[2]: 1, lone: 32\n"
                             "shared half A[2][64][64] swizzle 128B, B[2][64][64] swizzle 128B\n"
                             "shared half plain[64][64], padded[64][64] pad 8, narrow[64][32] swizzle 64B\n"
                             "shared float f[8]\n"
                             "global const half a[][4096], *flat, float *other, half c[][4096]\n";
enum { LINES_BEFORE = 6 };

struct refusal {
    const char *text;
    uint32_t line, column; /* line counts from 1 behind `before` */
    const char *message;   /* how it begins */
};

#define ONE_LOAD "if (warp == 4 && lane == 0) {\n arrive full[0], 8192\n tma load A[0], a[0][0], full[0]\n}\n"

/* A ring of two stages, of which the producer waits, the consumer waits, leaves so many groups, and frees that turn's. */
#define LOOP(producer, consumer, groups, turn) \
    "if (warp == 4 && lane == 0) for k = 0:6 {\n" producer "\n arrive full[k % 2], 8192\n" \
    " tma load A[k % 2], a[0][0], full[k % 2]\n}\n" \
    "if (warp < 4) for k = 0:6 {\n let s = k % 2\n" consumer "\n\n" \
    "  wgmma m64n64k16 A[s][0][0], A[s][0][0]\n  wgmma commit_group\n  wgmma wait_group " groups "\n" \
    "  if (threadIdx.x == 0 && " turn " >= 0) arrive empty[(" turn ") & 1]\n}\nload f[0]"
#define KEEPS "if (k >= 2) wait empty[k % 2], k / 2 - 1 & 1"

#define SMALL_LOAD "if (threadIdx.x == 0) {\n arrive full[0], 8192\n tma load A[0], a[0][0], full[0]\n}\n"

/* The same ring, from which the lanes of four warps load. */
#define READERS(frees) \
    "if (warp == 4 && lane == 0) for k = 0:6 {\n" KEEPS "\n arrive full[k % 2], 8192\n" \
    " tma load A[k % 2], a[0][0], full[k % 2]\n}\n" \
    "if (warp < 4) for k = 0:6 {\n let s = k % 2\n wait full[s], k / 2 & 1\n load A[s][lane][0]\n " frees "\n}\nload f[0]"

static const struct refusal refusals[] = {
    /* nobody comes: told, and not waited for */
    {"wait full[0], 0\nload f[0]", 1, 1, "warp 0 waits here for ever: to phase 0 of full[0] come 0 of 1 arrivals"},
    {ONE_LOAD "wait full[1], 0\nload f[0]", 5, 1, "warp 0 waits here for ever: to phase 0 of full[1] come 0 of 1"},
    {ONE_LOAD "wait full[0], 1\nwait full[0], 0\nwait full[0], 1\nload f[0]", 7, 1,
     "warp 0 waits here for ever: to phase 1 of full[0] come 0 of 1 arrivals: parity 1 is that of this phase, and the one "
     "before, which is over, has 0"},
    {"if (warp == 4 && lane == 0) {\n arrive full[0], 8193\n tma load A[0], a[0][0], full[0]\n}\n"
     "wait full[0], 0", 5, 1,
     "warp 0 waits here for ever: to phase 0 of full[0] come 1 of 1 arrivals, and 1 of the bytes that are expected do not"},
    {"if (warp == 4 && lane == 0) {\n arrive full[0], 8191\n tma load A[0], a[0][0], full[0]\n}\nwait full[0], 0", 5, 1,
     "warp 0 waits here for ever: to phase 0 of full[0] come 1 of 1 arrivals, and 1 bytes more"},
    {"if (warp == 4 && lane == 0) tma load A[0], a[0][0], full[0]\nwait full[0], 0", 2, 1,
     "warp 0 waits here for ever: to phase 0 of full[0] come 0 of 1 arrivals, and 8192 bytes more"},
    /* who waits for whom: the wait that nobody would end is told, not the first */
    {"if (warp == 0) {\n wait full[0], 0\n if (lane == 0) arrive empty[0]\n} else if (warp == 4 && lane == 0) {\n"
     " wait empty[1], 0\n arrive full[0], 8192\n tma load A[0], a[0][0], full[0]\n}",
     5, 2, "warp 4 waits here for ever: to phase 0 of empty[1] come 0 of 1 arrivals"},
    {"if (warp == 0) {\n wait full[0], 0\n __syncthreads();\n} else {\n __syncthreads();\n"
     " if (warp == 1 && lane == 0) arrive full[0]\n}\nload f[0]",
     2, 2, "warp 0 waits here for ever: to phase 0 of full[0]"},
    /* arrivals */
    {"if (warp == 0) {\n if (lane < 20) arrive lone\n arrive lone\n}\nload f[0]", 3, 2,
     "32 threads of warp 0 arrive at lone, and its phase 0 takes 12 of its 32"},
    {"arrive empty[0]\nload f[0]", 1, 1, "32 threads of warp 0 arrive at empty[0], and its phase 0 takes 1 of its 1"},
    /* mbarriers */
    {"wait full[2], 0\nload f[0]", 1, 6, "thread (0,0,0): element 2 is outside of full, which has 2 elements"},
    {"wait full[lane % 2], 0\nload f[0]", 1, 6, "thread (1,0,0): the lanes of a warp name several mbarriers here"},
    {"wait full[0], 2\nload f[0]", 1, 15, "thread (0,0,0): a parity is 0 to 1, and this is 2"},
    {"wait full[0]", 1, 13, "a wait says for which parity"},
    {"wait f[0], 0", 1, 6, "this is no mbarrier: declare one"},
    {"arrive 3", 1, 8, "this is no mbarrier"},
    {"mbarrier more[2]", 1, 17, "it ends here, and ':' is missing"},
    {"mbarrier more: 0", 1, 16, "what a phase takes of arrivals is"},
    {"times 4\n wait full[0], 0", 2, 2, "of 'times' one turn is played for all"},
    {"times 4\n tma load A[0], a[0][0], full[0]", 2, 2, "of 'times' one turn is played for all"},
    {"warp 1\nwait full[0], 1\nload f[0]", 2, 1, "here warps wait for each other: leave out 'warp'"},
    /* TMA */
    {"tma load A[0], a[0][0], full[0]", 1, 10, "each thread that comes to a copy makes one, and here 32 of warp 0"},
    {"if (threadIdx.x == 0) tma load A[2], a[0][0], full[0]", 1, 32, "thread (0,0,0): element 8192 is outside of A"},
    {"tma load A[0], a[0][0]", 1, 23, "a load says at which mbarrier its bytes arrive"},
    {"tma load A[0][0][0], a[0][0], full[0]", 1, 10, "this is no tile: name an array by its first indices"},
    {"tma load A[0], other[0], full[0]", 1, 16, "the tile has elements of 2 bytes, and this is one of 4"},
    {"tma load A[0], B[0], full[0]", 1, 16, "TMA copies between shared and global memory"},
    {"tma load a[0], a[0][0], full[0]", 1, 10, "a box has 1 to 5 dimensions of 1 to 256"},
    {"tma fetch A[0], a[0][0], full[0]", 1, 5, "'fetch' stands where load, store, reduce, commit_group or wait_group should be"},
    {"if (threadIdx.x == 0) tma store padded, c[0][0]", 1, 33, "TMA does not put a box where padded has these elements"},
    {"if (threadIdx.x == 0) tma store A[0], a[0][0]", 1, 39, "this array is const, and a tma store writes to it"},
    {"if (threadIdx.x == 0) tma reduce A[0], flat[64]", 1, 40, "this array is const, and a tma reduce writes to it"},
    {"if (threadIdx.x == 0) tma store A[0], c[0][1]", 1, 39, "in global memory a copy begins at a multiple of 16 bytes, and this is element 1 of c, at its byte 2"},
    /* wgmma */
    {"wgmma m64n100k16 A[0][0][0], B[0][0][0]", 1, 7, "a wgmma of f16 is m64nNk16 with N a multiple of 8 up to 256"},
    {"wgmma m64n64k32 A[0][0][0], B[0][0][0]", 1, 7, "a wgmma of f16 is m64nNk16"},
    {"wgmma m128n64k16 A[0][0][0], B[0][0][0]", 1, 7, "'m128n64k16' stands where a shape such as m64n128k16"},
    {"wgmma m64n64k16 A[0][0][0], f[0]", 1, 29, "A has elements of another type"},
    {"wgmma m64n64k16 A[0][0][0]", 1, 27, "it ends here, and ',' is missing"},
    {"if (warp < 4) wgmma m64n64k16 plain[0][0], B[0][0][0]", 1, 31, "wgmma does not read plain without a swizzle: "},
    {"if (warp < 4) wgmma m64n64k16 padded[0][0], B[0][0][0]", 1, 31, "wgmma does not read padded, pad 8: "},
    {"if (warp < 4) wgmma m64n128k16 A[0][0][0], B[0][0][0]", 1, 44, "this wgmma reads 128 rows of 16 elements"},
    {"if (warp < 4) wgmma m64n64k16 A[1][0][56], B[0][0][0]", 1, 31, "this wgmma reads 64 rows of 16 elements"},
    {"if (warp < 4) wgmma m64n8k16 A[0][0][0], B[0][4][0]", 1, 42, "wgmma does not read B, swizzle 128B: "},
    {"if (warp < 3) wgmma m64n64k16 A[0][0][0], B[0][0][0]", 1, 31,
     "wgmma is executed by four warps together, here 0 to 3, and warp 3 does not come to the same"},
    {"if (warp < 4) wgmma m64n64k16 A[0][0][0], B[warp / 2][0][0]", 1, 31,
     "wgmma is executed by four warps together, here 0 to 3, and warp 0 does not"},
    {"wgmma m64n64k16 A[0][0][0], B[0][0][0]", 1, 17,
     "wgmma is executed by four warps together, here 4 to 7, and warp 5 does not"},
    {"if (threadIdx.x < 100) wgmma m64n64k16 A[0][0][0], B[0][0][0]", 1, 40,
     "wgmma is executed by all threads of four warps"},
    {"if (warp < 4) {\n wgmma m64n64k16 A[0][0][0], B[0][0][0]\n wgmma wait_group 0\n}", 3, 2,
     "what was begun last is in no group, and not waited for: put a wgmma commit_group"},
    /* who does not wait for the tiles */
    {LOOP("", "wait full[s], k / 2 & 1", "0", "k"), 4, 11, "load 2 of this tile of A may come before anybody has waited for load 1"},
    {LOOP(KEEPS, "", "0", "k"), 10, 19, "this wgmma of warp 0 may read its tile of A before tma load 1 of it is there"},
    {LOOP(KEEPS, "if (k > 1) wait full[s], k / 2 & 1", "0", "k"), 10, 19, "this wgmma of warp 0 may read its tile of A before tma load 1"},
    {LOOP(KEEPS, "wait full[s], k / 2 & 1", "1", "k"), 4, 11, "load 2 of this tile of A may come while warps 0 to 3 still read it by wgmma"},
    {LOOP(KEEPS, "wait full[s], k / 2 & 1", "2", "k - 1"), 4, 11, "load 2 of this tile of A may come while warps 0 to 3 still read"},
    /* and lanes: too soon, for another mbarrier, with the other parity, whichever warp is played first */
    {SMALL_LOAD "load A[0][lane][0]\nwait full[0], 0", 5, 6,
     "this load of warp 0 may read its tile of A before tma load 1 of it is there: put a wait for full[0] in front of it, of "
     "parity 0"},
    {SMALL_LOAD "ldmatrix x4 A[0][lane % 16][lane / 16 * 8]\nwait full[0], 0", 5, 13,
     "this ldmatrix x4 of warp 0 may read its tile of A before tma load 1 of it is there: put a wait for full[0] in front of it"},
    {SMALL_LOAD "store A[0][lane][0]\nwait full[0], 0", 5, 7, "this store of warp 0 may write to its tile of A before tma load 1"},
    {SMALL_LOAD "if (threadIdx.x == 0) arrive empty[0]\nwait empty[0], 0\nload A[0][lane][0]", 7, 6,
     "this load of warp 0 may read its tile of A before tma load 1 of it is there: put a wait for full[0] in front of it"},
    {"if (warp < 4) {\n wait full[0], 1\n load A[0][lane][0]\n}\n" ONE_LOAD, 3, 7,
     "this load of warp 0 may read its tile of A before tma load 1 of it is there: its wait for full[0] is for parity 1, of a "
     "phase that was over before, and the load comes to one of parity 0"},
    {"if (warp < 4) load A[0][lane][0]\n" ONE_LOAD, 1, 20,
     "this load of warp 0 may read its tile of A before tma load 1 of it is there: put a wait for full[0] in front of it"},
    {"if (warp < 4) store A[0][lane][0]\n" ONE_LOAD, 4, 11,
     "tma load 1 of this tile of A may come while warp 0 still accesses it (store A[0][lane][0]): wait for an mbarrier"},
    {READERS("if (threadIdx.x == 0) arrive empty[k % 2]"), 4, 11,
     "tma load 2 of this tile of A may come while warp 1 still accesses it (load A[s][lane][0])"},
    /* fewer bytes than come */
    {"if (threadIdx.x == 0) {\n arrive full[0], 8192\n tma load A[0], a[0][0], full[0]\n tma load B[0], a[0][0], full[0]\n}\n"
     "wait full[0], 0\nif (warp < 4) wgmma m64n64k16 A[0][0][0], B[0][0][0]", 7, 31,
     "this wgmma of warp 0 may read its tile of B before tma load 1 of it is there: its wait for full[0] is over too soon: "
     "loads bring that 16384 bytes, and its arrivals expect 8192: arrive with the bytes of all loads"},
    {"wgmma wait_group 8", 1, 18, "how many groups may be left is"},
};

static void refused(void **state)
{
    size_t n_wrong = 0;
    (void)state;
    for (size_t i = 0; i < N_OF(refusals); i++) {
        const struct refusal *refusal = &refusals[i];
        char text[2048];
        struct seen seen;
        struct bsim_error err = {.message = ""};
        (void)snprintf(text, sizeof text, "%s%s\n", before, refusal->text);
        enum bsim_status status = run(text, &seen, &err);
        if (status != BSIM_E_INPUT || err.line != LINES_BEFORE + refusal->line || err.column != refusal->column ||
            strncmp(err.message, refusal->message, strlen(refusal->message)) != 0) {
            print_error("%s\nis answered by %d, %d:%" PRIu32 ": %s\n", refusal->text, (int)status,
                        (int)err.line - LINES_BEFORE, err.column, err.message);
            n_wrong++;
        }
    }
    assert_int_equal(n_wrong, 0);
}

/* What the loops above lack nothing of: the group of the turn before is done, and its stage freed. */
static void in_order(void **state)
{
    static const char *const right[] = {
        LOOP(KEEPS, "wait full[s], k / 2 & 1", "0", "k"), LOOP(KEEPS, "wait full[s], k / 2 & 1", "1", "k - 1"),
        LOOP("wait empty[k % 2], k / 2 + 1 & 1", "wait full[s], k / 2 & 1", "1", "k - 1"),
        /* barriers of the block do as well */
        "for k = 0:3 {\n if (threadIdx.x == 0) arrive full[0], 8192\n if (threadIdx.x == 0) tma load A[0], a[0][0], full[0]\n"
        " wait full[0], k & 1\n if (warp < 4) {\n  wgmma m64n64k16 A[0][0][0], A[0][0][0]\n  wgmma commit_group\n"
        "  wgmma wait_group 0\n }\n __syncthreads();\n}\nload f[0]",
        /* lanes that do wait, or are waited for; tiles that others load */
        SMALL_LOAD "wait full[0], 0\nload A[0][lane][0]\nstore A[0][lane][0]",
        SMALL_LOAD "load A[1][lane][0]\nload B[0][lane][0]\nwait full[0], 0",
        SMALL_LOAD "if (warp == 1) wait full[0], 0\n__syncthreads();\nload A[0][lane][0]",
        "store A[0][lane][0]\n__syncthreads();\n" ONE_LOAD "wait full[0], 0\nload A[0][lane][0]",
        "for k = 0:3 {\n if (threadIdx.x == 0) arrive full[0], 8192\n if (threadIdx.x == 0) tma load A[0], a[0][0], full[0]\n"
        " wait full[0], k & 1\n load A[0][lane][0]\n __syncthreads();\n}",
        /* what A is in registers of: the first warp's wait for the product tells of all four */
        READERS("wgmma m64n64k16 registers, B[0][0][0]\nwgmma commit_group\nwgmma wait_group 0\n"
                "if (threadIdx.x == 0) arrive empty[s]"),
        /* halves that come to mbarriers of their own are tiles of their own */
        "if (threadIdx.x == 0) {\n arrive full[0], 4096\n tma load *(half (*)[32][64])&A[0][0][0], a[0][0], full[0]\n"
        " arrive full[1], 4096\n tma load *(half (*)[32][64])&A[0][32][0], a[32][0], full[1]\n}\nwait full[0], 0\n"
        "load A[0][lane][0]\nwait full[1], 0\nload A[0][lane + 32][0]"};
    (void)state;
    for (size_t i = 0; i < N_OF(right); i++) {
        char text[2048];
        struct seen seen;
        struct bsim_error err = {.message = ""};
        (void)snprintf(text, sizeof text, "%s%s\n", before, right[i]);
        if (run(text, &seen, &err) != BSIM_OK) {
            fail_msg("%s\nis answered by %d: %s", right[i], (int)err.line - LINES_BEFORE, err.message);
        }
    }
}

/* ---- what lies where --------------------------------------------------------------------------- */

struct operand {
    const char *declared, *b;
    struct bsim_wgmma_descriptor expected;
};

/* By hand, as the tables of PTX's "asynchronous warpgroup level matrix" have them: a row of the tile has
 * `span` bytes, eight rows follow one another, and arrays begin at byte 1024 behind an mbarrier. */
static const struct operand operands[] = {
    {"B[128][64] swizzle 128B", "B[0][0]", {1024, 16, 1024, 0, BSIM_WGMMA_128B, false}},
    {"B[128][64] swizzle 128B", "B[0][48]", {1024 + 96, 16, 1024, 0, BSIM_WGMMA_128B, false}},
    {"B[2][128][64] swizzle 128B", "B[1][0][16]", {1024 + 16384 + 32, 16, 1024, 0, BSIM_WGMMA_128B, false}},
    {"B[256][64] swizzle 128B", "B[64][0]", {1024 + 8192, 16, 1024, 0, BSIM_WGMMA_128B, false}},
    {"pad[480], B[128][32] swizzle 64B", "B[0][16]", {1024 + 32, 16, 512, 0, BSIM_WGMMA_64B, false}},
    {"pad[480], B[128][16] swizzle 32B", "B[0][0]", {1024, 16, 256, 0, BSIM_WGMMA_32B, false}},
    /* without one: chunks of 8 elements of all rows, one behind the other */
    {"pad[508], B[8][128][8]", "B[2][0][0]", {1024 + 4096, 2048, 128, 0, BSIM_WGMMA_NO_SWIZZLE, false}},
    /* [k][n]: boxes of 64 columns, one behind the other */
    {"B[2][64][64] swizzle 128B", "B[0][16][0] major=MN", {1024 + 2048, 8192, 1024, 0, BSIM_WGMMA_128B, true}},
    {"pad[480], B[4][64][32] swizzle 64B", "B[0][0][0] major=MN", {1024, 4096, 512, 0, BSIM_WGMMA_64B, true}},
};

static void described(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(operands); i++) {
        const struct operand *operand = &operands[i];
        char text[1024];
        struct seen seen;
        struct bsim_error err = {.message = ""};
        (void)snprintf(text, sizeof text, "block 128\nmbarrier one: 1\nshared half %s\nwgmma m64n128k16 registers, %s\n",
                       operand->declared, operand->b);
        enum bsim_status status = run(text, &seen, &err);
        const struct bsim_wgmma_descriptor *b = &seen.last.b, *e = &operand->expected;
        if (status != BSIM_OK || seen.wgmmas != 1 || !seen.last.a_in_registers || b->start != e->start ||
            b->leading_bytes != e->leading_bytes || b->stride_bytes != e->stride_bytes ||
            b->swizzle != e->swizzle || b->is_mn_major != e->is_mn_major) {
            fail_msg("%s %s: %s start %" PRIu32 " lbo %" PRIu32 " sbo %" PRIu32 " swizzle %d", operand->declared,
                     operand->b, err.message, b->start, b->leading_bytes, b->stride_bytes, (int)b->swizzle);
        }
    }
}

/* ---- what the stream has ------------------------------------------------------------------------ */

/* A new mbarrier's parity 1 is over: no wait; four warps wait for one phase, and the stream has the first's. */
static void waited(void **state)
{
    struct seen seen;
    struct bsim_error err = {.message = ""};
    char text[2048];
    (void)state;
    (void)snprintf(text, sizeof text, "%s%s", before,
                   "if (warp == 4 && lane == 0) {\n"
                   "    for k = 0:3 {\n"
                   "        wait empty[k % 2], k / 2 + 1 & 1\n"
                   "        arrive full[k % 2], 16384\n"
                   "        tma load A[k % 2], a[0][64 * k], full[k % 2]\n"
                   "        tma load B[k % 2], a[64][64 * k], full[k % 2]\n"
                   "    }\n"
                   "} else if (warp < 4) {\n"
                   "    for k = 0:3 {\n"
                   "        wait full[k % 2], k / 2 & 1\n"
                   "        wgmma m64n64k16 A[k % 2][0][0], B[k % 2][0][0]\n"
                   "        wgmma commit_group\n"
                   "        wgmma wait_group 0\n"
                   "        if (threadIdx.x == 0) arrive empty[k % 2]\n"
                   "    }\n"
                   "    store f[lane % 8]\n"
                   "}\n");
    assert_int_equal(run(text, &seen, &err), BSIM_OK);
    assert_int_equal(seen.wgmmas, 3);
    assert_int_equal(seen.copies, 6);
    assert_int_equal(seen.arrivals, 3 + 1); /* at `empty`; and of the first of the four, for the others' stores */
    assert_int_equal(seen.waits, 3 + 1 + 3); /* for `full`, by the first; the producer's last; the other three's */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused),
        cmocka_unit_test(in_order),
        cmocka_unit_test(described),
        cmocka_unit_test(waited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
