/* test_model.c - the model on small cases that were worked out by hand.
 *
 * Each row names the lanes, banks and words that decide. On 32 banks of 4 bytes, byte a lies in
 * word a/4, in bank (a/4) % 32, so that addresses 128 apart share a bank:
 *
 *     lane     0   1  ...  16   17            ld.shared.u32 ffffffff 0+8
 *     word     0   2  ...  32   34
 *     bank     0   2  ...   0    2            two words in each even bank: 2 ways
 *
 * What stands in a schedule is worked out for a few requests at the end; all its demands are
 * checked by tests/property/test_schedule.c.
 */
#include "count_both.h"
#include "request_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define ALL BSIM_FULL_MASK

enum sharing { NONE, BROADCAST, MULTICAST };

struct model_case {
    const char *opcode;
    uint32_t mask;
    const char *addresses;
    uint32_t wavefronts, ideal, conflicts, ways;
    enum sharing sharing;
    const char *why;
};

static bool as_expected(const struct model_case *c, const struct bsim_counts *counts)
{
    return counts->wavefronts == c->wavefronts && counts->ideal == c->ideal &&
           counts->conflicts == c->conflicts && counts->ways == c->ways &&
           counts->broadcast == (c->sharing == BROADCAST) &&
           counts->multicast == (c->sharing == MULTICAST);
}

static void run_case(const struct bsim_device *device, const struct model_case *c)
{
    struct bsim_request request;
    struct bsim_counts counts;
    if (!request_parse(c->opcode, c->mask, c->addresses, &request)) {
        fail_msg("not a request: %s %08lx %s", c->opcode, (unsigned long)c->mask, c->addresses);
    }
    count_both(device, &request, &counts);
    if (!as_expected(c, &counts)) {
        fail_msg("%s %08lx %s: %s\n"
                 "expected %lu wavefronts, %lu ideal, %lu conflicts, %lu ways, sharing %d\n"
                 "but got  %lu wavefronts, %lu ideal, %lu conflicts, %lu ways, sharing %d%d",
                 c->opcode, (unsigned long)c->mask, c->addresses, c->why,
                 (unsigned long)c->wavefronts, (unsigned long)c->ideal, (unsigned long)c->conflicts,
                 (unsigned long)c->ways, (int)c->sharing, (unsigned long)counts.wavefronts,
                 (unsigned long)counts.ideal, (unsigned long)counts.conflicts,
                 (unsigned long)counts.ways, counts.broadcast, counts.multicast);
    }
}

static void run_cases(const char *name, uint32_t n_banks, uint32_t bank_width,
                      const struct model_case *cases, size_t n)
{
    struct bsim_device device;
    device_for_test(name, n_banks, bank_width, &device);
    for (size_t i = 0; i < n; i++) {
        run_case(&device, &cases[i]);
    }
}

#define RUN(name, n_banks, bank_width, cases) \
    run_cases(name, n_banks, bank_width, cases, sizeof(cases) / sizeof *(cases))

/* ---- one bank, one row, one pass ----------------------------------------------------------- */

static void words(void **state)
{
    static const struct model_case cases[] = {
        {"ld.shared.u32", ALL, "0+4", 1, 1, 0, 1, NONE, "lane l, bank l"},
        {"ld.shared.u32", ALL, "0+8", 2, 1, 1, 2, NONE, "lanes l and l+16 in bank 2l"},
        {"ld.shared.u32", ALL, "0+12", 1, 1, 0, 1, NONE, "3 has no factor in common with 32"},
        {"ld.shared.u32", ALL, "0+16", 4, 1, 3, 4, NONE, "lanes l, l+8, l+16, l+24 in bank 4l"},
        {"ld.shared.u32", ALL, "0+128", 32, 1, 31, 32, NONE, "a column: 32 words of bank 0"},
        {"ld.shared.u32", ALL, "0+132", 1, 1, 0, 1, NONE, "a padded column: bank l"},
        {"ld.shared.u32", ALL, "64+0", 1, 1, 0, 1, BROADCAST, "everybody wants word 16"},
        {"ld.shared.u32", ALL, "0*16 4*16", 1, 1, 0, 1, MULTICAST, "two words, two banks"},
        {"ld.shared.u32", ALL, "0*16 128*16", 2, 1, 1, 2, MULTICAST, "two words of bank 0"},
        {"ld.shared.u32", 0x00010001, "0 128", 2, 1, 1, 2, NONE, "lanes 0 and 16, bank 0 both"},
        {"ld.shared.u32", 0x00010001, "0 124", 1, 1, 0, 1, NONE, "lanes 0 and 16, banks 0, 31"},
        {"ld.shared.u32", 0x00010001, "4 4", 1, 1, 0, 1, BROADCAST, "lanes 0 and 16, one word"},
        {"ld.shared.u32", 0x80000000, "124", 1, 1, 0, 1, NONE, "one lane shares with nobody"},
        {"ld.shared.u32", 0x0000ffff, "0+128", 16, 1, 15, 16, NONE, "half a column"},
        {"ld.shared.u32", 0x55555555, "0+64", 16, 1, 15, 16, NONE, "16 even lanes, bank 0"},
        {"ld.shared.u32", ALL, "0+64", 16, 1, 15, 16, NONE, "even lanes bank 0, odd ones bank 16"},
        {"ld.shared.u32", 0x00000007, "0 128 256", 3, 1, 2, 3, NONE, "three words of bank 0"},
        {"ld.shared.u32", 0x0000000f, "0 128 0 128", 2, 1, 1, 2, MULTICAST, "two, each twice"},
        {"ld.shared.u32", 0x0000000f, "0 128 256 4", 3, 1, 2, 3, NONE, "3 in bank 0, 1 in bank 1"},
        {"ld.shared.u32", 0x0000000f, "4 0 128 256", 3, 1, 2, 3, NONE, "the other way round"},
        {"st.shared.u32", ALL, "0+4", 1, 1, 0, 1, NONE, "lane l, bank l"},
        {"st.shared.u32", ALL, "0+128", 32, 1, 31, 32, NONE, "a column"},
        {"st.shared.u32", ALL, "64+0", 1, 1, 0, 1, NONE, "one of them wins; no broadcast"},
        {"st.shared.u32", 0x0000000f, "0 128 0 128", 2, 1, 1, 2, NONE, "two words of bank 0"},
    };
    (void)state;
    RUN("sm_90", 0, 0, cases);
}

/* Bytes and half-words of one word never conflict, loaded or stored. */
static void parts_of_words(void **state)
{
    static const struct model_case cases[] = {
        {"ld.shared.u8", ALL, "0+1", 1, 1, 0, 1, MULTICAST, "8 words, 4 lanes each"},
        {"ld.shared.u8", 0x0000000f, "0+1", 1, 1, 0, 1, BROADCAST, "4 bytes of one word"},
        {"ld.shared.u8", 0x00000003, "3 4", 1, 1, 0, 1, NONE, "neighbours, but two words"},
        {"ld.shared.u8", 0x00000003, "3 131", 2, 1, 1, 2, NONE, "words 0 and 32 of bank 0"},
        {"ld.shared.u8", ALL, "0+128", 32, 1, 31, 32, NONE, "a word each, all in bank 0"},
        {"ld.shared.u16", ALL, "0+2", 1, 1, 0, 1, MULTICAST, "16 words, 2 lanes each"},
        {"ld.shared.u16", ALL, "0+4", 1, 1, 0, 1, NONE, "a word each"},
        {"ld.shared.u16", ALL, "0+8", 2, 1, 1, 2, NONE, "as for whole words"},
        {"ld.shared.u16", 0x00000003, "0 130", 2, 1, 1, 2, NONE, "words 0 and 32 of bank 0"},
        {"st.shared.u8", ALL, "0+1", 1, 1, 0, 1, NONE, "8 words"},
        {"st.shared.u16", ALL, "0+2", 1, 1, 0, 1, NONE, "16 words"},
        {"st.shared.u8", 0x00000003, "3 131", 2, 1, 1, 2, NONE, "words 0 and 32 of bank 0"},
        {"ld.shared.v4.u8", ALL, "0+4", 1, 1, 0, 1, NONE, "4 bytes in all: a word each"},
    };
    (void)state;
    RUN("sm_90", 0, 0, cases);
}

/* ---- wide requests ------------------------------------------------------------------------- */

/* Lane l and its neighbour l^1, or l^2, at one address. */
#define PAIRS_8 "0*2 8*2 16*2 24*2 32*2 40*2 48*2 56*2 64*2 72*2 80*2 88*2 96*2 104*2 112*2 120*2"
#define CROSSED_8                                                                                \
    "0 8 0 8 16 24 16 24 32 40 32 40 48 56 48 56 64 72 64 72 80 88 80 88 96 104 96 104 112 120 " \
    "112 120"
#define MIXED_8                                                                            \
    "0*2 8*2 16*2 24*2 32*2 40*2 48*2 56*2 64 72 64 72 80 88 80 88 96 104 96 104 112 120 " \
    "112 120"
#define BUT_ONE_8 \
    "0*2 8*2 16*2 24*2 32*2 40*2 48*2 56*2 64*2 72*2 80*2 88*2 96*2 104*2 112*2 120 128"
#define BUT_ONE_INACTIVE_8 \
    "0*2 8*2 16*2 24*2 32*2 40*2 48*2 56*2 64*2 72*2 80*2 88*2 96*2 104*2 112*2 120"
/* Lane l and l^3, l^4 at one address. */
#define DISTANCE_3_8                                                                             \
    "0 8 8 0 16 24 24 16 32 40 40 32 48 56 56 48 64 72 72 64 80 88 88 80 96 104 104 96 112 120 " \
    "120 112"
#define DISTANCE_4_8                                                                             \
    "0 8 16 24 0 8 16 24 32 40 48 56 32 40 48 56 64 72 80 88 64 72 80 88 96 104 112 120 96 104 " \
    "112 120"

static void eight_bytes(void **state)
{
    static const struct model_case cases[] = {
        {"ld.shared.v2.f32", ALL, "0+8", 2, 2, 0, 1, NONE, "half-warps: banks 2l, 2l+1"},
        {"ld.shared.u64", ALL, "0+8", 2, 2, 0, 1, NONE, "one element of 8 bytes: the same"},
        {"ld.shared.v4.u16", ALL, "0+8", 2, 2, 0, 1, NONE, "four of 2 bytes: the same"},
        {"ld.shared.v2.f32", ALL, "0+16", 4, 2, 2, 2, NONE, "lanes l and l+8 in banks 4l, 4l+1"},
        {"ld.shared.v2.f32", ALL, "0+128", 32, 2, 30, 16, NONE, "16 ways in each half-warp"},
        {"ld.shared.v2.f32", 0x000f000f, "0 128 256 384 0 8 16 24", 5, 2, 3, 4, NONE,
         "4 ways in the first half, 1 in the second"},
        {"ld.shared.v2.f32", 0x000f000f, "0 8 16 24 0 128 256 384", 5, 2, 3, 4, NONE,
         "the other way round"},
        {"ld.shared.v2.f32", 0x0000ffff, "0+8", 1, 1, 0, 1, NONE, "an empty half costs nothing"},
        {"ld.shared.v2.f32", 0x0000ffff, "0+16", 2, 1, 1, 2, NONE, "one half, 2 ways"},
        {"ld.shared.v2.f32", ALL, "0+0", 1, 1, 0, 1, BROADCAST, "one address: all pairs share"},
        {"ld.shared.v2.f32", ALL, PAIRS_8, 1, 1, 0, 1, MULTICAST, "l and l^1 share: one group"},
        {"ld.shared.u64", ALL, PAIRS_8, 1, 1, 0, 1, MULTICAST, "one element: the same"},
        {"ld.volatile.shared.v2.f32", ALL, PAIRS_8, 1, 1, 0, 1, MULTICAST, "volatile: the same"},
        {"ld.shared.v2.f32", ALL, CROSSED_8, 1, 1, 0, 1, MULTICAST, "l and l^2 share: one group"},
        {"ld.shared.v2.f32", ALL, MIXED_8, 2, 2, 0, 1, MULTICAST, "^1 here, ^2 there: no group"},
        {"ld.shared.v2.f32", ALL, BUT_ONE_8, 2, 2, 0, 1, MULTICAST, "lanes 30, 31 do not share"},
        {"ld.shared.v2.f32", 0x7fffffff, BUT_ONE_INACTIVE_8, 1, 1, 0, 1, MULTICAST,
         "lane 31 is not there, lane 30 needs no partner"},
        {"ld.shared.v2.f32", ALL, DISTANCE_3_8, 2, 2, 0, 1, MULTICAST, "l^3 is not a pair"},
        {"ld.shared.v2.f32", ALL, DISTANCE_4_8, 2, 2, 0, 1, MULTICAST, "l^4 is not a pair"},
        {"ld.shared.v2.f32", 0x55555555, "0+8", 2, 1, 1, 2, NONE,
         "no lane has its ^1: one group; lanes 0, 16 both in bank 0"},
        {"ld.shared.v2.f32", 0x33333333, "0+8", 2, 1, 1, 2, NONE, "no lane has its ^2: one group"},
        {"ld.shared.v2.f32", 0x0f0f0f0f, "0+8", 2, 2, 0, 1, NONE, "lanes have both partners"},
        {"ld.shared.v2.f32", 0x00010001, "0 8", 1, 1, 0, 1, NONE, "two lone lanes: one group"},
        {"ld.shared.v2.f32", 0x00010001, "0 128", 2, 1, 1, 2, NONE, "one group: they conflict"},
        {"ld.shared.v2.f32", 0x00010003, "0 0 8", 1, 1, 0, 1, MULTICAST, "a pair and a lone lane"},
        {"ld.shared.v2.f32", 0x00010003, "0 8 128", 2, 1, 1, 2, NONE,
         "lanes 0, 1 differ, but no lane has its ^2: one group, lanes 0, 16 conflict"},
        {"ld.shared.v2.f32", 0x00010007, "0 8 16 128", 2, 2, 0, 1, NONE,
         "lane 0 differs from lane 1 and from lane 2: two groups"},
    };
    (void)state;
    RUN("sm_90", 0, 0, cases);
}

static void eight_byte_stores(void **state)
{
    static const struct model_case cases[] = {
        {"st.shared.v2.f32", ALL, "0+8", 2, 2, 0, 1, NONE, "half-warps"},
        {"st.shared.v2.f32", ALL, "0+16", 4, 2, 2, 2, NONE, "lanes l and l+8 conflict"},
        {"st.shared.v2.f32", ALL, PAIRS_8, 2, 2, 0, 1, NONE, "stores have no pair rule"},
        {"st.shared.v2.f32", ALL, CROSSED_8, 2, 2, 0, 1, NONE, "stores have no pair rule"},
        {"st.shared.v2.f32", ALL, "0+0", 2, 2, 0, 1, NONE, "stores have no pair rule"},
        {"st.shared.v2.f32", 0x55555555, "0+8", 2, 2, 0, 1, NONE, "8 lanes in each half"},
        {"st.shared.v2.f32", 0x00010001, "0 128", 2, 2, 0, 1, NONE, "a group each: no conflict"},
        {"st.shared.v2.f32", 0xffff0000, "0+8", 1, 1, 0, 1, NONE, "an empty half costs nothing"},
    };
    (void)state;
    RUN("sm_90", 0, 0, cases);
}

#define PAIRS_16 \
    "0*2 16*2 32*2 48*2 64*2 80*2 96*2 112*2 128*2 144*2 160*2 176*2 192*2 208*2 224*2 240*2"
#define QUADS_16 "0*4 16*4 32*4 48*4 64*4 80*4 96*4 112*4"
#define DISTANCE_3_16                                                                           \
    "0 16 16 0 32 48 48 32 64 80 80 64 96 112 112 96 0 16 16 0 32 48 48 32 64 80 80 64 96 112 " \
    "112 96"
#define DISTANCE_4_16 \
    "0 16 32 48 0 16 32 48 0 16 32 48 0 16 32 48 0 16 32 48 0 16 32 48 0 16 32 48 0 16 32 48"

static void sixteen_bytes(void **state)
{
    static const struct model_case cases[] = {
        {"ld.shared.v4.f32", ALL, "0+16", 4, 4, 0, 1, NONE, "quarter-warps: banks 4l to 4l+3"},
        {"ld.shared.v2.u64", ALL, "0+16", 4, 4, 0, 1, NONE, "two of 8 bytes: the same"},
        {"ld.shared.v4.f32", ALL, "0+32", 8, 4, 4, 2, NONE, "lanes l and l+4 of each quarter"},
        {"ld.shared.v4.f32", ALL, "0+128", 32, 4, 28, 8, NONE, "8 ways in each quarter"},
        {"ld.shared.v4.f32", ALL, "0+144", 4, 4, 0, 1, NONE, "rows padded by 16 bytes"},
        {"ld.shared.v4.f32", ALL, "0+0", 2, 2, 0, 1, BROADCAST, "the two halves never merge"},
        {"ld.shared.v4.f32", ALL, PAIRS_16, 2, 2, 0, 1, MULTICAST, "halves: 8 addresses each"},
        {"ld.shared.v4.f32", ALL, QUADS_16, 2, 2, 0, 1, MULTICAST, "halves: 4 addresses each"},
        {"ld.shared.v4.f32", ALL, DISTANCE_3_16, 4, 4, 0, 1, MULTICAST, "l^3 is not a pair"},
        {"ld.shared.v4.f32", ALL, DISTANCE_4_16, 4, 4, 0, 1, MULTICAST, "l^4 is not a pair"},
        {"ld.shared.v4.f32", 0x55555555, "0+16", 4, 2, 2, 2, NONE,
         "no lane has its ^1: halves; lanes l and l+8 conflict there"},
        {"ld.shared.v4.f32", 0xcccccccc, "0+16", 4, 2, 2, 2, NONE, "no lane has its ^2: halves"},
        {"ld.shared.v4.f32", 0x000000ff, "0+16", 1, 1, 0, 1, NONE, "three quarters are empty"},
        {"ld.shared.v4.f32", 0xff0000ff, "0+16", 2, 2, 0, 1, NONE, "two quarters are empty"},
        {"ld.shared.v4.f32", 0x80000000, "496", 1, 1, 0, 1, NONE, "one lane"},
        {"ld.shared.v4.f32", 0x00000101, "0 16", 1, 1, 0, 1, NONE, "lone lanes of one half"},
        {"ld.shared.v4.f32", 0x00000101, "0 512", 2, 1, 1, 2, NONE, "they conflict there"},
        {"ld.shared.v4.f32", 0x00018000, "64 64", 2, 2, 0, 1, NONE, "lanes 15, 16: two halves"},
        {"ld.shared.v4.f32", 0x00008001, "64 64", 1, 1, 0, 1, BROADCAST, "lanes 0, 15: one half"},
        {"st.shared.v4.f32", ALL, "0+16", 4, 4, 0, 1, NONE, "quarter-warps"},
        {"st.shared.v4.f32", ALL, "0+128", 32, 4, 28, 8, NONE, "8 ways in each quarter"},
        {"st.shared.v4.f32", ALL, "0+0", 4, 4, 0, 1, NONE, "stores have no pair rule"},
        {"st.shared.v4.f32", ALL, PAIRS_16, 4, 4, 0, 1, NONE, "stores have no pair rule"},
        {"st.shared.v4.f32", 0x55555555, "0+16", 4, 4, 0, 1, NONE, "4 lanes in each quarter"},
        {"st.shared.v4.f32", 0x00000101, "0 512", 2, 2, 0, 1, NONE, "a group each: no conflict"},
    };
    (void)state;
    RUN("sm_90", 0, 0, cases);
}

/* ---- atomics ------------------------------------------------------------------------------- */

/* Every active lane takes a turn of its bank, same word or not; cas takes each turn twice. */
static void atomics(void **state)
{
    static const struct model_case cases[] = {
        {"atom.shared.add.u32", ALL, "0+4", 1, 1, 0, 1, NONE, "lane l, bank l"},
        {"atom.shared.add.u32", ALL, "0+0", 32, 1, 31, 32, NONE, "one word: 32 turns"},
        {"red.shared.add.u32", ALL, "0+0", 32, 1, 31, 32, NONE, "without a result: the same"},
        {"atom.shared.exch.b32", ALL, "0+128", 32, 1, 31, 32, NONE, "one bank: 32 turns"},
        {"atom.shared.max.u32", ALL, "0+8", 2, 1, 1, 2, NONE, "lanes l and l+16 in bank 2l"},
        {"atom.shared.add.u32", ALL, "0*16 4*16", 16, 1, 15, 16, NONE, "banks take turns alone"},
        {"atom.shared.add.u32", 0x00000007, "0 0 128", 3, 1, 2, 3, NONE, "3 lanes in bank 0"},
        {"atom.shared.add.u32", 0x00000007, "0 4 4", 2, 1, 1, 2, NONE, "2 lanes in bank 1"},
        {"atom.shared.cas.b32", ALL, "0+4", 2, 2, 0, 1, NONE, "one turn, twice: no conflict"},
        {"atom.shared.cas.b32", ALL, "0+0", 64, 2, 31, 32, NONE, "32 turns, twice"},
        {"atom.shared.cas.b32", 0x00000001, "0", 2, 2, 0, 1, NONE, "one lane"},
        {"atom.shared.cas.b32", ALL, "0+8", 4, 2, 1, 2, NONE, "two turns, twice"},
        {"atom.shared.cas.b64", ALL, "0+8", 4, 4, 0, 1, NONE, "half-warps, each twice"},
        {"atom.shared.cas.b64", ALL, "0+0", 64, 4, 30, 16, NONE, "16 turns in each half, twice"},
        {"atom.shared.cas.b64", ALL, PAIRS_8, 8, 4, 2, 2, NONE, "2 lanes at each address"},
        {"atom.shared.cas.b64", 0xffff0000, "0+8", 2, 2, 0, 1, NONE, "an empty half"},
        {"atom.shared.add.u64", ALL, "0+8", 6, 6, 0, 1, NONE, "load and swap by halves"},
        {"red.shared.add.u64", ALL, "0+0", 80, 5, 0, 16, NONE, "16 rounds of 1 + 4"},
    };
    (void)state;
    RUN("sm_90", 0, 0, cases);
}

/* ---- matrices ------------------------------------------------------------------------------ */

/* One group per matrix: 8 rows of 16 bytes fill the 32 banks if they lie well. */
static void matrices(void **state)
{
#define LDMATRIX "ldmatrix.sync.aligned.m8n8."
#define STMATRIX "stmatrix.sync.aligned.m8n8."
    static const struct model_case cases[] = {
        {LDMATRIX "x1.shared.b16", ALL, "0+16", 1, 1, 0, 1, NONE, "8 rows in a row"},
        {LDMATRIX "x1.shared.b16", ALL, "0+32", 2, 1, 1, 2, NONE, "rows r and r+4 in bank 8r"},
        {LDMATRIX "x1.shared.b16", ALL, "0+64", 4, 1, 3, 4, NONE, "rows at 16 words"},
        {LDMATRIX "x1.shared.b16", ALL, "0+128", 8, 1, 7, 8, NONE, "rows at 32 words"},
        {LDMATRIX "x1.shared.b16", ALL, "0+144", 1, 1, 0, 1, NONE, "padded by 16 bytes"},
        {LDMATRIX "x1.shared.b16", ALL, "0+0", 1, 1, 0, 1, BROADCAST, "8 times one row"},
        {LDMATRIX "x1.shared.b16", ALL, "0*4 16*4", 1, 1, 0, 1, MULTICAST, "two rows"},
        {LDMATRIX "x1.trans.shared.b16", ALL, "0+128", 8, 1, 7, 8, NONE, "banks do not turn"},
        {LDMATRIX "x2.shared.b16", ALL, "0+16", 2, 2, 0, 1, NONE, "two matrices"},
        {LDMATRIX "x2.shared.b16", ALL, "0 16 32 48 64 80 96 112 0 128 256 384 512 640 768 896", 9,
         2, 7, 8, NONE, "the first in 1 pass, the second in 8"},
        {LDMATRIX "x2.shared.b16", ALL, "0 16 32 48 64 80 96 112 0 16 32 48 64 80 96 112", 2, 2, 0,
         1, NONE, "twice the same matrix: two groups all the same"},
        {LDMATRIX "x4.shared.b16", ALL, "0+16", 4, 4, 0, 1, NONE, "four matrices"},
        {LDMATRIX "x4.shared.b16", ALL, "0+128", 32, 4, 28, 8, NONE, "8 ways each"},
        {LDMATRIX "x4.shared.b16", ALL, "0+0", 4, 4, 0, 1, BROADCAST, "no pair rule here"},
        {LDMATRIX "x4.trans.shared.b16", ALL, "0+144", 4, 4, 0, 1, NONE, "padded by 16 bytes"},
        {STMATRIX "x1.shared.b16", ALL, "0+32", 2, 1, 1, 2, NONE, "as ldmatrix"},
        {STMATRIX "x2.shared.b16", ALL, "0+128", 16, 2, 14, 8, NONE, "as ldmatrix"},
        {STMATRIX "x4.trans.shared.b16", ALL, "0+144", 4, 4, 0, 1, NONE, "as ldmatrix"},
        {STMATRIX "x1.shared.b16", ALL, "0+0", 1, 1, 0, 1, NONE, "a store is no broadcast"},
    };
#undef LDMATRIX
#undef STMATRIX
    (void)state;
    RUN("sm_90", 0, 0, cases);
}

/* ---- other banks --------------------------------------------------------------------------- */

/* Kepler's banks are 8 bytes wide. In 4-byte mode, words i and i+32 of an aligned segment of 64
 * words are the two halves of one row:
 *
 *     word      0 .. 31   32 .. 63 | 64 .. 95   96 .. 127
 *     bank      0 .. 31    0 .. 31 |  0 .. 31    0 .. 31
 *     row       0          0       |  1          1
 */
static void kepler_4_byte_mode(void **state)
{
    static const struct model_case cases[] = {
        {"ld.shared.u32", ALL, "0+4", 1, 1, 0, 1, NONE, "lane l, bank l"},
        {"ld.shared.u32", ALL, "0+8", 1, 1, 0, 1, MULTICAST, "words 2l, 2l+32: one row"},
        {"ld.shared.u32", ALL, "0+12", 1, 1, 0, 1, NONE, "stride 3"},
        {"ld.shared.u32", ALL, "0+16", 2, 1, 1, 2, MULTICAST, "4 words in bank 4l, 2 rows"},
        {"ld.shared.u32", ALL, "0+128", 16, 1, 15, 16, MULTICAST, "32 words of bank 0, 16 rows"},
        {"ld.shared.u32", ALL, "0+256", 32, 1, 31, 32, NONE, "32 rows of bank 0"},
        {"ld.shared.u32", ALL, "0+132", 1, 1, 0, 1, NONE, "a padded column"},
        {"ld.shared.u32", 0x00000003, "0 128", 1, 1, 0, 1, BROADCAST, "words 0, 32: one row"},
        {"ld.shared.u32", 0x00000003, "128 256", 2, 1, 1, 2, NONE, "words 32, 64: two segments"},
        {"ld.shared.u32", 0x00000003, "0 256", 2, 1, 1, 2, NONE, "words 0, 64: two segments"},
        {"st.shared.u32", ALL, "0+128", 16, 1, 15, 16, NONE, "stores: the same"},
        {"ld.shared.v2.f32", ALL, "0+8", 1, 1, 0, 1, MULTICAST, "64 words fill one pass"},
        {"ld.shared.v4.f32", ALL, "0+16", 2, 2, 0, 1, MULTICAST, "half-warps"},
        {"st.shared.v4.f32", 0x0000ffff, "0+16", 1, 1, 0, 1, NONE, "an empty half"},
    };
    (void)state;
    RUN("sm_35", 0, 4, cases);
}

static void kepler_8_byte_mode(void **state)
{
    static const struct model_case cases[] = {
        {"ld.shared.u32", ALL, "0+4", 1, 1, 0, 1, MULTICAST, "lanes 2k, 2k+1 in one row"},
        {"ld.shared.u32", ALL, "0+8", 1, 1, 0, 1, NONE, "lane l, bank l"},
        {"ld.shared.u32", ALL, "0+16", 2, 1, 1, 2, NONE, "lanes l and l+16 in bank 2l"},
        {"ld.shared.u32", ALL, "0+128", 16, 1, 15, 16, NONE, "even lanes bank 0, odd ones bank 16"},
        {"ld.shared.u32", ALL, "0+256", 32, 1, 31, 32, NONE, "32 rows of bank 0"},
        {"ld.shared.u32", 0x00000003, "0 4", 1, 1, 0, 1, BROADCAST, "two halves of one row"},
        {"ld.shared.u32", 0x00000003, "0 128", 1, 1, 0, 1, NONE, "banks 0 and 16"},
        {"ld.shared.u32", 0x00000003, "0 260", 2, 1, 1, 2, NONE, "two rows of bank 0"},
        {"ld.shared.f64", ALL, "0+8", 1, 1, 0, 1, NONE, "32 lanes of 8 bytes fill one pass"},
        {"ld.shared.f64", ALL, "0+16", 2, 1, 1, 2, NONE, "lanes l and l+16 in bank 2l"},
        {"ld.shared.v4.f32", ALL, "0+16", 2, 2, 0, 1, NONE, "half-warps"},
    };
    (void)state;
    RUN("sm_35", 0, 8, cases);
}

/* Five banks: nothing is a power of two. Word w lies in bank w % 5. */
static void five_banks(void **state)
{
    static const struct model_case cases[] = {
        {"ld.shared.u32", 0x0000001f, "0+4", 1, 1, 0, 1, NONE, "5 words, 5 banks"},
        {"ld.shared.u32", 0x0000003f, "0+4", 2, 1, 1, 2, NONE, "words 0 and 5 in bank 0"},
        {"ld.shared.u32", ALL, "0+4", 7, 1, 6, 7, NONE, "words 0, 5, ..., 30 in bank 0"},
        {"ld.shared.u32", ALL, "0+20", 32, 1, 31, 32, NONE, "all in bank 0"},
        {"ld.shared.u32", 0x00000007, "0 20 0", 2, 1, 1, 2, MULTICAST, "two words of bank 0"},
        {"ld.shared.u32", 0x00000003, "0 128", 1, 1, 0, 1, NONE, "words 0, 32: banks 0 and 2"},
        {"ld.shared.u8", ALL, "0+1", 2, 1, 1, 2, MULTICAST, "8 words: banks 0 to 2 have two"},
        {"st.shared.u32", ALL, "0+4", 7, 1, 6, 7, NONE, "stores: the same"},
        {"atom.shared.add.u32", ALL, "0+4", 7, 1, 6, 7, NONE, "7 turns in banks 0 and 1"},
        {"st.shared.v4.f32", 0x00000003, "0 16", 2, 1, 1, 2, NONE, "8 words, as above"},
        {"st.shared.v4.f32", 0x000000ff, "0+16", 7, 1, 6, 7, NONE, "32 words in one quarter"},
    };
    (void)state;
    RUN("generic", 5, 4, cases);
}

static void other_numbers_of_banks(void **state)
{
    static const struct model_case one[] = {
        {"ld.shared.u32", ALL, "0+4", 32, 1, 31, 32, NONE, "one word per pass"},
        {"ld.shared.u32", ALL, "0+0", 1, 1, 0, 1, BROADCAST, "one word"},
        {"ld.shared.u8", ALL, "0+1", 8, 1, 7, 8, MULTICAST, "8 words"},
        {"st.shared.v4.f32", 0x00000001, "0", 4, 1, 3, 4, NONE, "one lane, 4 words of one bank"},
        {"atom.shared.cas.b64", 0x00000001, "0", 4, 2, 1, 2, NONE, "2 words, each twice"},
    };
    static const struct model_case sixteen[] = {
        {"ld.shared.u32", ALL, "0+4", 2, 1, 1, 2, NONE, "lanes l and l+16"},
        {"ld.shared.u32", 0x0000ffff, "0+4", 1, 1, 0, 1, NONE, "16 words, 16 banks"},
        {"ld.shared.u32", ALL, "0+64", 32, 1, 31, 32, NONE, "all in bank 0"},
    };
    static const struct model_case sixty_four[] = {
        {"ld.shared.u32", ALL, "0+4", 1, 1, 0, 1, NONE, "lane l, bank l"},
        {"ld.shared.u32", ALL, "0+8", 1, 1, 0, 1, NONE, "lane l, bank 2l"},
        {"ld.shared.u32", ALL, "0+16", 2, 1, 1, 2, NONE, "lanes l and l+16 in bank 4l"},
        {"ld.shared.u32", ALL, "0+128", 16, 1, 15, 16, NONE, "banks 0 and 32"},
    };
    (void)state;
    RUN("generic", 1, 4, one);
    RUN("generic", 16, 4, sixteen);
    RUN("generic", 64, 4, sixty_four);
}

/* ---- the passes themselves ----------------------------------------------------------------- */

struct expected_grant {
    uint8_t pass, bank;
    uint32_t row, lanes, receivers;
    uint8_t halves;
};

static bool same_grant(const struct bsim_grant *grant, const struct expected_grant *expected)
{
    return grant->pass == expected->pass && grant->bank == expected->bank &&
           grant->row == expected->row && grant->lanes == expected->lanes &&
           grant->receivers == expected->receivers && grant->halves == expected->halves;
}

/* Which row a bank serves first is the model's choice, so that no case here has two rows of one
 * bank but for atomics, where lanes go in order. */
static void check_grants(const char *name, uint32_t bank_width, const char *opcode, uint32_t mask,
                         const char *addresses, const struct expected_grant *expected, size_t n)
{
    struct bsim_device device;
    struct bsim_request request;
    struct bsim_schedule schedule;
    device_for_test(name, 0, bank_width, &device);
    assert_true(request_parse(opcode, mask, addresses, &request));
    bsim_request_schedule(&device, &request, &schedule);
    assert_int_equal(schedule.n_grants, n);
    for (size_t i = 0; i < n; i++) {
        const struct bsim_grant *grant = &schedule.grant[i];
        if (!same_grant(grant, &expected[i])) {
            fail_msg("%s %08lx %s: grant %d: pass %d, bank %d, row %lu, lanes %08lx, "
                     "receivers %08lx, halves %d",
                     opcode, (unsigned long)mask, addresses, (int)i, grant->pass, grant->bank,
                     (unsigned long)grant->row, (unsigned long)grant->lanes,
                     (unsigned long)grant->receivers, grant->halves);
        }
    }
}

#define CHECK_GRANTS(name, width, opcode, mask, addresses, expected) \
    check_grants(name, width, opcode, mask, addresses, expected,     \
                 sizeof(expected) / sizeof *(expected))

static void grants_of_a_load(void **state)
{
    /* lanes 0 and 3: word 0; lane 1: word 33, bank 1, row 1; lane 2: word 2 */
    static const struct expected_grant load[] = {
        {0, 0, 0, 0x9, 0x9, 1}, {0, 1, 1, 0x2, 0x2, 1}, {0, 2, 0, 0x4, 0x4, 1}};
    /* lanes 0 and 16, 8 bytes each, stored: a pass for each half-warp */
    static const struct expected_grant store[] = {{0, 0, 0, 0x1, 0x1, 1},
                                                  {0, 1, 0, 0x1, 0x1, 1},
                                                  {1, 0, 1, 0x10000, 0x10000, 1},
                                                  {1, 1, 1, 0x10000, 0x10000, 1}};
    (void)state;
    CHECK_GRANTS("sm_90", 0, "ld.shared.u32", 0x0000000f, "0 132 8 0", load);
    CHECK_GRANTS("sm_90", 0, "st.shared.v2.u32", 0x00010001, "0 128", store);
}

static void grants_of_atomics(void **state)
{
    static const struct expected_grant add[] = {{0, 1, 0, 0x1, 0x1, 1}, {1, 1, 0, 0x2, 0x2, 1}};
    static const struct expected_grant cas[] = {{0, 1, 0, 0x1, 0x1, 1},
                                                {1, 1, 0, 0x1, 0x1, 1},
                                                {2, 1, 0, 0x2, 0x2, 1},
                                                {3, 1, 0, 0x2, 0x2, 1}};
    (void)state;
    CHECK_GRANTS("sm_90", 0, "atom.shared.add.u32", 0x00000003, "4 4", add);
    CHECK_GRANTS("sm_90", 0, "atom.shared.cas.b32", 0x00000003, "4 4", cas);
}

/* Kepler's rows have two halves: words 1 and 33 in 4-byte mode, words 2 and 3 in 8-byte mode. */
static void grants_of_kepler(void **state)
{
    static const struct expected_grant low[] = {{0, 1, 0, 0x1, 0x1, 1}};
    static const struct expected_grant high[] = {{0, 1, 0, 0x1, 0x1, 2}};
    static const struct expected_grant both[] = {{0, 1, 0, 0x3, 0x3, 3}};
    static const struct expected_grant one[] = {{0, 1, 0, 0x1, 0x1, 3}};
    (void)state;
    CHECK_GRANTS("sm_35", 4, "ld.shared.u32", 0x00000001, "4", low);
    CHECK_GRANTS("sm_35", 4, "ld.shared.u32", 0x00000001, "132", high);
    CHECK_GRANTS("sm_35", 4, "ld.shared.u32", 0x00000003, "4 132", both);
    CHECK_GRANTS("sm_35", 8, "ld.shared.u32", 0x00000001, "8", low);
    CHECK_GRANTS("sm_35", 8, "ld.shared.u16", 0x00000001, "14", high);
    CHECK_GRANTS("sm_35", 8, "ld.shared.u32", 0x00000003, "8 12", both);
    CHECK_GRANTS("sm_35", 8, "ld.shared.f64", 0x00000001, "8", one);
}

/* Row r of a matrix from lane r's address; 8 rows in a row, so that word w of row r is word 4r + w
 * and lies in bank 4r + w. Plain: it goes to thread 4r + w, which is the bank's number. With .trans
 * it holds the columns 2w and 2w + 1 of row r, which belong to threads 4 * 2w + r / 2 and
 * 4 * (2w + 1) + r / 2. */
static void receivers_of_matrices(void **state)
{
    static const char *const plain[] = {"ldmatrix.sync.aligned.m8n8.x1.shared.b16",
                                        "stmatrix.sync.aligned.m8n8.x1.shared.b16"};
    static const char *const transposed[] = {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
                                             "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16"};
    struct expected_grant expected[BSIM_WARP_LANES];
    (void)state;
    for (uint32_t bank = 0; bank < BSIM_WARP_LANES; bank++) {
        expected[bank] = (struct expected_grant){
            0, (uint8_t)bank, 0, UINT32_C(1) << bank / 4, UINT32_C(1) << bank, 1};
    }
    CHECK_GRANTS("sm_90", 0, plain[0], ALL, "0+16", expected);
    CHECK_GRANTS("sm_90", 0, plain[1], ALL, "0+16", expected);
    for (uint32_t bank = 0; bank < BSIM_WARP_LANES; bank++) {
        uint32_t row = bank / 4, word = bank % 4;
        expected[bank].receivers =
            UINT32_C(1) << (4 * 2 * word + row / 2) | UINT32_C(1) << (4 * (2 * word + 1) + row / 2);
    }
    CHECK_GRANTS("sm_90", 0, transposed[0], ALL, "0+16", expected);
    CHECK_GRANTS("sm_90", 0, transposed[1], ALL, "0+16", expected);
}

/* ---- the rest ------------------------------------------------------------------------------ */

/* The merging of pairs is known from compute capability 7.0 on. */
static void pair_rule_by_device(void **state)
{
    static const struct model_case with[] = {
        {"ld.shared.v2.f32", ALL, PAIRS_8, 1, 1, 0, 1, MULTICAST, "one group"},
        {"ld.shared.v4.f32", ALL, QUADS_16, 2, 2, 0, 1, MULTICAST, "halves"},
    };
    static const struct model_case without[] = {
        {"ld.shared.v2.f32", ALL, PAIRS_8, 2, 2, 0, 1, MULTICAST, "half-warps"},
        {"ld.shared.v4.f32", ALL, QUADS_16, 4, 4, 0, 1, MULTICAST, "quarters"},
    };
    (void)state;
    RUN("sm_70", 0, 0, with);
    RUN("sm_75", 0, 0, with);
    RUN("sm_80", 0, 0, with);
    RUN("sm_52", 0, 0, without);
}

static void bytes(void **state)
{
    static const struct {
        const char *device;
        uint32_t n_banks, bank_width;
        const char *opcode;
        uint32_t mask;
        const char *addresses;
        uint32_t asked, served, moved;
    } cases[] = {
        {"sm_90", 0, 0, "ld.shared.u32", ALL, "0+4", 128, 128, 128},
        {"sm_90", 0, 0, "ld.shared.u32", ALL, "0+0", 128, 4, 128},
        {"sm_90", 0, 0, "ld.shared.u8", ALL, "0+1", 32, 32, 128},
        {"sm_90", 0, 0, "ld.shared.u32", ALL, "0+8", 128, 128, 256},
        {"sm_90", 0, 0, "ld.shared.u8", ALL, "0+4", 32, 128, 128},
        {"sm_90", 0, 0, "ld.shared.v4.f32", ALL, "0+16", 512, 512, 512},
        {"sm_90", 0, 0, "ld.shared.v4.f32", ALL, "0+0", 512, 32, 256},
        {"sm_90", 0, 0, "atom.shared.add.u32", ALL, "0+0", 128, 128, 4096},
        {"sm_90", 0, 0, "red.shared.add.f32", ALL, "0+0", 128, 32 * 4 + 32 * 8, 96 * 128},
        {"sm_90", 0, 0, "st.shared.v2.f32", 0x0000000f, "0+8", 32, 32, 128},
        {"sm_90", 0, 0, "atom.shared.cas.b32", ALL, "0+4", 128, 256, 256},
        {"sm_90", 0, 0, "ldmatrix.sync.aligned.m8n8.x2.shared.b16", ALL, "0+16", 256, 256, 256},
        {"sm_35", 0, 4, "ld.shared.u32", ALL, "0+4", 128, 128, 256},
        {"sm_35", 0, 4, "ld.shared.u32", ALL, "0+8", 128, 128,
         256}, /* words 0 to 62, both halves */
        {"sm_35", 0, 4, "ld.shared.f64", ALL, "0+8", 256, 256, 256},
        {"sm_35", 0, 4, "st.shared.u32", ALL, "0+8", 128, 128, 256},
        {"sm_35", 0, 4, "ld.shared.u32", ALL, "0+128", 128, 128, 4096},
        {"sm_35", 0, 4, "atom.shared.cas.b32", ALL, "0+4", 128, 256, 512},
        {"sm_35", 0, 8, "ld.shared.u32", ALL, "0+4", 128, 128, 256},
        {"sm_35", 0, 8, "ld.shared.f64", ALL, "0+8", 256, 256, 256},
        {"generic", 5, 4, "ld.shared.u32", ALL, "0+4", 128, 128, 140},
        {"generic", 64, 8, "ld.shared.u32", ALL, "0+4", 128, 128, 512},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bsim_device device;
        struct bsim_request request;
        struct bsim_counts counts;
        device_for_test(cases[i].device, cases[i].n_banks, cases[i].bank_width, &device);
        assert_true(request_parse(cases[i].opcode, cases[i].mask, cases[i].addresses, &request));
        count_both(&device, &request, &counts);
        if (counts.bytes_asked != cases[i].asked || counts.bytes_served != cases[i].served ||
            counts.bytes_moved != cases[i].moved) {
            fail_msg("%s %s %08lx %s: %lu bytes asked, %lu served, %lu moved", cases[i].device,
                     cases[i].opcode, (unsigned long)cases[i].mask, cases[i].addresses,
                     (unsigned long)counts.bytes_asked, (unsigned long)counts.bytes_served,
                     (unsigned long)counts.bytes_moved);
        }
    }
}

/* Which rules a result rests on: enough to grade it. */
static void rules(void **state)
{
#define BIT(rule) (UINT32_C(1) << (rule))
    static const struct {
        const char *opcode, *addresses;
        uint32_t has, has_not;
    } cases[] = {
        {"ld.shared.u32", "0+4", BIT(BSIM_RULE_BANKS),
         BIT(BSIM_RULE_WIDE) | BIT(BSIM_RULE_PAIR) | BIT(BSIM_RULE_ATOMIC) | BIT(BSIM_RULE_CAS)},
        {"ld.shared.u32", "0+0", BIT(BSIM_RULE_BANKS) | BIT(BSIM_RULE_MULTICAST),
         BIT(BSIM_RULE_SAME_STORE)},
        {"st.shared.u32", "0+0", BIT(BSIM_RULE_BANKS) | BIT(BSIM_RULE_SAME_STORE),
         BIT(BSIM_RULE_MULTICAST)},
        {"ld.shared.v4.f32", "0+16", BIT(BSIM_RULE_WIDE), BIT(BSIM_RULE_ATOMIC)},
        {"ld.shared.v4.f32", QUADS_16, BIT(BSIM_RULE_WIDE) | BIT(BSIM_RULE_PAIR),
         BIT(BSIM_RULE_SAME_STORE)},
        {"st.shared.v4.f32", QUADS_16, BIT(BSIM_RULE_WIDE), BIT(BSIM_RULE_PAIR)},
        {"atom.shared.add.u32", "0+0", BIT(BSIM_RULE_ATOMIC),
         BIT(BSIM_RULE_CAS) | BIT(BSIM_RULE_ATOMIC64) | BIT(BSIM_RULE_MULTICAST)},
        {"atom.shared.cas.b32", "0+0", BIT(BSIM_RULE_CAS), BIT(BSIM_RULE_ATOMIC64)},
        {"atom.shared.cas.b64", "0+8", BIT(BSIM_RULE_CAS), BIT(BSIM_RULE_ATOMIC64)},
        {"atom.shared.exch.b64", "0+8", BIT(BSIM_RULE_ATOMIC64),
         BIT(BSIM_RULE_CAS) | BIT(BSIM_RULE_LOOP)},
        {"atom.shared.exch.b32", "0+4", BIT(BSIM_RULE_ATOMIC), BIT(BSIM_RULE_LOOP)},
        {"atom.shared.max.s32", "0+4", BIT(BSIM_RULE_ATOMIC), BIT(BSIM_RULE_LOOP)},
        {"atom.shared.add.u64", "0+8", BIT(BSIM_RULE_LOOP), BIT(BSIM_RULE_ATOMIC64)},
        {"red.shared.and.b64", "0+8", BIT(BSIM_RULE_LOOP), BIT(BSIM_RULE_ATOMIC64)},
        {"atom.shared.add.f64", "0+8", BIT(BSIM_RULE_LOOP), BIT(BSIM_RULE_ATOMIC64)},
        {"red.shared.add.f32", "0+4", BIT(BSIM_RULE_LOOP), BIT(BSIM_RULE_ATOMIC)},
        {"red.shared.add.noftz.f16x2", "0+4", BIT(BSIM_RULE_LOOP), BIT(BSIM_RULE_ATOMIC)},
        {"red.shared.popc.inc.u32", "0+4", BIT(BSIM_RULE_INCREMENT),
         BIT(BSIM_RULE_ATOMIC) | BIT(BSIM_RULE_MULTICAST)},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "0+16", BIT(BSIM_RULE_LDMATRIX),
         BIT(BSIM_RULE_STMATRIX) | BIT(BSIM_RULE_PAIR)},
        {"stmatrix.sync.aligned.m8n8.x4.shared.b16", "0+16", BIT(BSIM_RULE_STMATRIX),
         BIT(BSIM_RULE_LDMATRIX)},
    };
#undef BIT
    struct bsim_device device;
    (void)state;
    device_for_test("sm_90", 0, 0, &device);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bsim_request request;
        struct bsim_counts counts;
        assert_true(request_parse(cases[i].opcode, ALL, cases[i].addresses, &request));
        count_both(&device, &request, &counts);
        if ((counts.rules & cases[i].has) != cases[i].has ||
            (counts.rules & cases[i].has_not) != 0) {
            fail_msg("%s %s: rules %#lx, not %#lx without %#lx", cases[i].opcode,
                     cases[i].addresses, (unsigned long)counts.rules, (unsigned long)cases[i].has,
                     (unsigned long)cases[i].has_not);
        }
    }
}

static void executes(void **state)
{
    static const struct {
        const char *device;
        bool ld, ldmatrix, stmatrix;
    } cases[] = {
        {"sm_35", true, false, false}, {"sm_52", true, false, false}, {"sm_70", true, false, false},
        {"sm_75", true, true, false},  {"sm_80", true, true, false},  {"sm_89", true, true, false},
        {"sm_90", true, true, true},
    };
    static const struct bsim_opcode ld = {.family = BSIM_LD, .space = BSIM_SHARED};
    static const struct bsim_opcode ldmatrix = {.family = BSIM_LDMATRIX, .space = BSIM_SHARED};
    static const struct bsim_opcode stmatrix = {.family = BSIM_STMATRIX, .space = BSIM_SHARED};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct bsim_device device;
        device_for_test(cases[i].device, 0, 0, &device);
        if (bsim_device_executes(&device, &ld) != cases[i].ld ||
            bsim_device_executes(&device, &ldmatrix) != cases[i].ldmatrix ||
            bsim_device_executes(&device, &stmatrix) != cases[i].stmatrix) {
            fail_msg("%s", cases[i].device);
        }
    }
}

/* Model functions are total: a mask that a trace may not have still has an answer. */
static void nobody_takes_part(void **state)
{
    struct bsim_device device;
    struct bsim_request request;
    struct bsim_schedule schedule;
    struct bsim_counts counts;
    (void)state;
    device_for_test("sm_90", 0, 0, &device);
    assert_true(request_parse("ld.shared.v4.f32", 0x00000001, "0", &request));
    request.mask = 0;
    bsim_request_schedule(&device, &request, &schedule);
    count_both(&device, &request, &counts);
    assert_int_equal(schedule.n_passes, 0);
    assert_int_equal(schedule.n_groups, 0);
    assert_int_equal(schedule.n_grants, 0);
    assert_int_equal(counts.wavefronts, 0);
    assert_int_equal(counts.conflicts, 0);
    assert_int_equal(counts.bytes_moved, 0);
    assert_false(counts.broadcast);
    assert_false(counts.multicast);
}

/* Rows far apart, and the end of the 32-bit window. */
static void high_addresses(void **state)
{
    static const struct model_case cases[] = {
        {"ld.shared.v4.f32", 0x00000003, "4294967280 112", 2, 1, 1, 2, NONE,
         "banks 28 to 31 twice"},
        {"ld.shared.u32", 0x00000003, "0 32768", 2, 1, 1, 2, NONE, "rows 0 and 256"},
        {"ld.shared.u32", 0x00000003, "0 8388608", 2, 1, 1, 2, NONE, "rows 0 and 65536"},
        {"ld.shared.u32", 0x00000003, "4294967292 0", 1, 1, 0, 1, NONE, "banks 31 and 0"},
    };
    (void)state;
    RUN("sm_90", 0, 0, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words),
        cmocka_unit_test(parts_of_words),
        cmocka_unit_test(eight_bytes),
        cmocka_unit_test(eight_byte_stores),
        cmocka_unit_test(sixteen_bytes),
        cmocka_unit_test(atomics),
        cmocka_unit_test(matrices),
        cmocka_unit_test(kepler_4_byte_mode),
        cmocka_unit_test(kepler_8_byte_mode),
        cmocka_unit_test(five_banks),
        cmocka_unit_test(other_numbers_of_banks),
        cmocka_unit_test(grants_of_a_load),
        cmocka_unit_test(grants_of_atomics),
        cmocka_unit_test(grants_of_kepler),
        cmocka_unit_test(receivers_of_matrices),
        cmocka_unit_test(pair_rule_by_device),
        cmocka_unit_test(bytes),
        cmocka_unit_test(rules),
        cmocka_unit_test(executes),
        cmocka_unit_test(nobody_takes_part),
        cmocka_unit_test(high_addresses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
