/* test_text_fast.c - the text reader's short way through the usual event lines gives what its long
 * way gives. A tab before a line sends it the long way, a blank does not: each random line, whole
 * or broken, is read behind both, and must give the same record or the same refusal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/trace.h>

#include "random_request.h"
#include "trace_text.h"
#include "watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { N_LINES = WATCHED(60000, 3000), LINE_SIZE = 2048 };

static const char head[] = "banksim-trace 1\nkernel k block=352 shared=65536\n"
                           "site 1 ld.shared.u32\nsite 77 st.shared.u8\nsite 123456789 bar.sync\n"
                           "site 4 ld.global.v2.u64\nblock 0\n";

/* Events that stand before the random line: nothing of theirs may be seen in it. */
static const char *const other[] = {"w3 work 9:8 wait=5", "w3 @1 00000003 16+4 wait=9"};

/* ---- random lines ---------------------------------------------------------------------------- */

struct line {
    char text[LINE_SIZE];
    size_t n;
};

static void put(struct line *line, const char *text)
{
    size_t n = strlen(text);
    assert_true(line->n + n < LINE_SIZE);
    memcpy(line->text + line->n, text, n + 1);
    line->n += n;
}

static const char *pick(struct random_source *source, const char *const *of, size_t n)
{
    return of[random_below(source, (uint32_t)n)];
}

/* A multiple of 16 most of the time, of any length. */
static void put_number(struct random_source *source, struct line *line)
{
    char digits[32];
    uint64_t value = random_below(source, 65536);
    switch (random_below(source, 160)) {
    case 0:
        value = random_next(source);
        break;
    case 1:
        value = random_next(source) >> random_below(source, 64) & ~UINT64_C(15);
        break;
    case 2:
        break;
    case 3:
        (void)snprintf(digits, sizeof digits, "0x%" PRIx64, value / 16 * 16);
        put(line, digits);
        return;
    case 4:
        put(line, "000");
        value = value / 16 * 16;
        break;
    default:
        value = value / 16 * 16;
        break;
    }
    (void)snprintf(digits, sizeof digits, "%" PRIu64, value);
    put(line, digits);
}

/* Most stay inside the window, where the sign is '+'. */
static void put_affine(struct random_source *source, struct line *line)
{
    char text[64];
    const char *sign = random_below(source, 3) == 0 ? "-" : "+";
    if (random_below(source, 4) > 0) {
        (void)snprintf(text, sizeof text, "%" PRIu32 "%s%" PRIu32, 16 * random_below(source, 2048),
                       sign, 16 * random_below(source, 64));
        put(line, text);
        return;
    }
    put_number(source, line);
    put(line, sign);
    put_number(source, line);
}

static void put_list(struct random_source *source, struct line *line, uint32_t n)
{
    char times[16];
    for (uint32_t i = 0; i < n;) {
        put(line, i > 0 ? "," : "");
        put_number(source, line);
        uint32_t run = random_below(source, 4) == 0 ? 1 + random_below(source, n) : 1;
        if (run > 1) {
            (void)snprintf(times, sizeof times, "*%" PRIu32, run);
            put(line, times);
        }
        i += run;
    }
}

static uint32_t put_mask(struct random_source *source, struct line *line)
{
    char digits[16];
    uint32_t mask = random_below(source, 2) == 0 ? BSIM_FULL_MASK : (uint32_t)random_next(source);
    uint32_t n = 0;
    mask >>= random_below(source, 4) == 0 ? random_below(source, 32) : 0;
    (void)snprintf(digits, sizeof digits,
                   random_below(source, 8) == 0 ? "%08" PRIX32 : "%08" PRIx32, mask);
    put(line, digits);
    for (; mask != 0; mask &= mask - 1) {
        n++;
    }
    return n;
}

/* One character changed, left out, put behind or put in. */
static void damage(struct random_source *source, struct line *line)
{
    static const char letter[] = "0123456789abcdefgw*@+-, .x\t\"=#~:/";
    char c = letter[random_below(source, sizeof letter - 1)];
    size_t at = random_below(source, (uint32_t)line->n);
    switch (random_below(source, 4)) {
    case 0:
        line->text[at] = c;
        break;
    case 1:
        memmove(line->text + at, line->text + at + 1, line->n - at);
        line->n--;
        break;
    case 2:
        line->text[line->n++] = c;
        line->text[line->n] = '\0';
        break;
    default:
        memmove(line->text + at + 1, line->text + at, line->n - at + 1);
        line->text[at] = c;
        line->n++;
        break;
    }
}

/* Small most of the time, and else around the largest that some place takes. */
static void put_count(struct random_source *source, struct line *line)
{
    static const char *const edge[] = {"0",          "1",          "2147483647",       "2147483648",
                                       "4294967295", "4294967296", "999999999999999",  "00012",
                                       "0x1f",       "-",          "1000000000000000", ""};
    char digits[16];
    (void)snprintf(digits, sizeof digits, "%" PRIu32, 1 + random_below(source, 40));
    put(line,
        random_below(source, 4) == 0 ? pick(source, edge, sizeof edge / sizeof edge[0]) : digits);
}

/* What may stand behind the operands, and must not. */
static void put_rest(struct random_source *source, struct line *line)
{
    static const char *const key[] = {
        "  wait=", " wait =", " wait",     " waits=",
        "wait=",   "\twait=", " WAIT=",    " expect.wavefronts=",
        " ",       ":",       " # wait=1", " wait=1 expect.conflicts="};
    if (random_below(source, 3) == 0) {
        return;
    }
    put(line,
        random_below(source, 4) == 0 ? pick(source, key, sizeof key / sizeof key[0]) : " wait=");
    put_count(source, line);
    if (random_below(source, 16) == 0) {
        put(line, random_below(source, 2) == 0 ? " wait=" : " ");
        put_count(source, line);
    }
}

static void make_work(struct random_source *source, struct line *line)
{
    static const char *const word[] = {"work", "Work", "works ", "work:", "wor k", "work\t"};
    put(line,
        random_below(source, 16) == 0 ? pick(source, word, sizeof word / sizeof word[0]) : "work ");
    put_count(source, line);
    if (random_below(source, 2) == 0) {
        put(line, ":");
        put_count(source, line);
    }
    static const char *const work_class[] = {
        " fp32", " int", " imad", " half", " fp64",   " xu",    " tensor", " lsu", "  xu", "\txu",
        "xu",    " x",   " XU",   " fp",   " fp32fp", " int=1", " xu xu",  " #"};
    if (random_below(source, 2) == 0) {
        put(line, pick(source, work_class, sizeof work_class / sizeof work_class[0]));
    }
}

static void make_operands(struct random_source *source, struct line *line)
{
    uint32_t n = put_mask(source, line);
    put(line, " ");
    if (random_below(source, 2) == 0) {
        put_affine(source, line);
    } else {
        put_list(source, line, random_below(source, 16) == 0 ? n + 1 : n > 0 ? n : 1);
    }
}

static void make_line(struct random_source *source, struct line *line)
{
    static const char *const warp[] = {"w0", "w7", "w10", "w*", "w11", "w010", "  w1", "w2 "};
    static const char *const what[] = {"@1",
                                       "@77",
                                       "@4",
                                       "@123456789",
                                       "@2",
                                       "ld.shared.u32",
                                       "st.global.v4.f32",
                                       "ldmatrix.sync.aligned.m8n8.x2.shared.b16",
                                       "ld.const.u8",
                                       "shfl.sync.idx.b32",
                                       "atom.shared.add.u64"};
    line->n = 0;
    put(line, pick(source, warp, sizeof warp / sizeof warp[0]));
    put(line, " ");
    switch (random_below(source, 8)) {
    case 0:
        put(line, random_below(source, 2) == 0 ? "bar.sync" : "@123456789");
        break;
    case 1:
    case 2:
        make_work(source, line);
        break;
    default:
        put(line, pick(source, what, sizeof what / sizeof what[0]));
        put(line, " ");
        make_operands(source, line);
        break;
    }
    if (random_below(source, 2) == 0) {
        put_rest(source, line);
    }
    if (random_below(source, 4) == 0) {
        damage(source, line);
    }
}
/* ---- both ways ------------------------------------------------------------------------------- */

struct answer {
    struct bsim_buffer log;
    enum bsim_status status;
    struct bsim_error err;
};

static void ask(const char *line, const char *before, struct answer *answer)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    answer->log = (struct bsim_buffer)BSIM_BUFFER_EMPTY;
    answer->err = (struct bsim_error){.status = BSIM_OK};
    bsim_buffer_text(&text, head);
    /* The opcodes of the lines are known from the second time on. */
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++) {
        bsim_buffer_printf(&text, "%s%s\n%s%s\n", before, other[i], before, line);
    }
    bsim_buffer_text(&text, "w* @123456789\nend\n");
    struct bsim_sink sink = trace_text_log(&answer->log);
    answer->status = trace_text_read(text.data, text.size_bytes, 0, &sink, &answer->err);
    bsim_buffer_free(&text);
}

static void both_ways(void **state)
{
    (void)state;
    struct random_source source = {20261121};
    size_t n_good = 0;
    for (size_t i = 0; i < N_LINES; i++) {
        struct line line;
        struct answer plain;
        struct answer careful;
        make_line(&source, &line);
        ask(line.text, " ", &plain);
        ask(line.text, "\t", &careful);
        n_good += plain.status == BSIM_OK;
        if (plain.status != careful.status || plain.err.line != careful.err.line ||
            plain.err.column != careful.err.column ||
            strcmp(plain.err.message, careful.err.message) != 0 ||
            strcmp(plain.log.data, careful.log.data) != 0) {
            fail_msg("'%s':\n%s%s\n%s%s", line.text, plain.log.data, plain.err.message,
                     careful.log.data, careful.err.message);
        }
        bsim_buffer_free(&plain.log);
        bsim_buffer_free(&careful.log);
    }
    /* Neither kind is rare. */
    assert_in_range(n_good, N_LINES / 8, N_LINES * 7 / 8);
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(both_ways),
    };
    return cmocka_run_group_tests(test, NULL, NULL);
}
