/* Global and constant memory: hand-worked requests. */
#include "model/count.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <banksim/model.h>

#include <stdio.h>
#include <string.h>

struct global_case {
    const char *why;
    const char *device;
    const char *opcode;
    uint32_t mask;
    uint64_t base;
    uint64_t step; /* lane l at base + l * step */
    uint32_t sectors, lines, transactions;
};

/* A line is 128 bytes, a sector 32; the reasons give the arithmetic. */
static const struct global_case cases[] = {
    {"32 words in a row fill a line: 4 sectors", "v100", "ld.global.u32", 0xffffffff, 4096, 4, 4, 1,
     4},
    {"4 bytes later: the last word lies in a fifth sector, a second line", "v100", "ld.global.u32",
     0xffffffff, 4100, 4, 5, 2, 5},
    {"one sector apart each: 32 sectors of 8 lines", "v100", "st.global.u32", 0xffffffff, 0, 32, 32,
     8, 32},
    {"one word for all", "v100", "ld.global.u32", 0xffffffff, 64, 0, 1, 1, 1},
    {"32 bytes in a row: one sector", "v100", "ld.global.u8", 0xffffffff, 32, 1, 1, 1, 1},
    {"16 bytes each: 512 bytes are 16 sectors of 4 lines", "v100", "ld.global.v4.u32", 0xffffffff,
     0, 16, 16, 4, 16},
    {"lanes 0 and 31, 124 bytes apart: first and last sector", "v100", "ld.global.u32", 0x80000001,
     0, 4, 2, 1, 2},
    {"an inactive lane's address does not matter", "v100", "ld.global.u32", 0x0000000f, 0, 4, 1, 1,
     1},
    /* Atomics: lanes of one address go in rounds, each with its own sectors. */
    {"an atomic on 32 words in a row: one round", "h200", "atom.global.add.u32", 0xffffffff, 4096,
     4, 4, 1, 4},
    {"32 lanes on one word: 32 rounds of one sector", "h200", "red.global.add.u32", 0xffffffff, 64,
     0, 32, 1, 32},
    {"three active lanes on one word", "h200", "atom.global.cas.b32", 0x80000101, 64, 0, 3, 1, 3},
    {"8 bytes each: 256 bytes are 8 sectors", "h200", "red.global.add.u64", 0xffffffff, 0, 8, 8, 2,
     8},
    {"an exchange whose lanes are a sector apart", "h200", "atom.global.exch.b32", 0xffffffff, 0,
     32, 32, 8, 32},
    /* Maxwell and Pascal: loads count 4 per quarter-warp with an active lane. */
    {"a full warp counts 16 wherever it reads", "gt1030", "ld.global.u32", 0xffffffff, 0, 0, 1, 1,
     16},
    {"one thread counts 4", "gt1030", "ld.global.u32", 0x00000001, 0, 4, 1, 1, 4},
    {"lanes 0 and 31: two of the quarters", "gt1030", "ld.global.u32", 0x80000001, 0, 4, 2, 1, 8},
    {"lanes 7 and 8: two of the quarters", "gt1030", "ld.global.u32", 0x00000180, 0, 4, 2, 1, 8},
    {"lanes 8 to 15: one quarter", "gt1030", "ld.global.u32", 0x0000ff00, 0, 4, 1, 1, 4},
    /* Stores and atomics by half-warps. */
    {"a line in a row: each half counts its own 2 sectors", "sm_52", "st.global.u32", 0xffffffff, 0,
     4, 4, 1, 4},
    {"an atomic is no load: one sector in each half", "sm_52", "atom.global.add.u32", 0xffffffff, 0,
     0, 32, 1, 2},
    {"a half-warp alone", "sm_52", "st.global.u32", 0xffff0000, 0, 32, 16, 4, 16},
    {"one sector, written by both halves", "sm_52", "st.global.u8", 0xffffffff, 0, 1, 1, 1, 2},
    /* Kepler: lines; wide accesses by half- and quarter-warps. */
    {"a line is one transaction", "k40", "ld.global.u32", 0xffffffff, 4096, 4, 4, 1, 1},
    {"shifted: two lines", "k40", "ld.global.u32", 0xffffffff, 4100, 4, 5, 2, 2},
    {"8 bytes each: a line per half-warp", "k40", "ld.global.f64", 0xffffffff, 0, 8, 8, 2, 2},
    {"8 bytes, all the same: each half-warp counts it", "k40", "ld.global.f64", 0xffffffff, 0, 0, 1,
     1, 2},
    {"16 bytes, all the same: each quarter-warp counts it", "k40", "ld.global.v4.f32", 0xffffffff,
     0, 0, 1, 1, 4},
};

static void counts_sectors_lines_and_transactions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct global_case *c = &cases[i];
        struct bsim_device device;
        struct bsim_opcode opcode;
        struct bsim_global_counts counts;
        uint64_t address[BSIM_WARP_LANES];
        assert_int_equal(bsim_device_find(c->device, NULL, &device, NULL), BSIM_OK);
        assert_int_equal(bsim_opcode_parse(c->opcode, strlen(c->opcode), &opcode, NULL), BSIM_OK);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            bool active = (c->mask >> lane & 1) != 0;
            address[lane] = active ? c->base + lane * c->step : UINT64_C(0x123456789) * lane;
        }
        bsim_global_count(&device, &opcode, c->mask, address, &counts);
        if (counts.sectors != c->sectors || counts.lines != c->lines ||
            counts.transactions != c->transactions) {
            fail_msg("%s: %u sectors, %u lines, %u transactions; expected %u, %u, %u", c->why,
                     counts.sectors, counts.lines, counts.transactions, c->sectors, c->lines,
                     c->transactions);
        }
    }
}

/* Tiles: lane l at (l % inner) * step + (l / inner) * row. */
struct tile_case {
    const char *why;
    const char *device;
    const char *opcode;
    uint32_t mask, inner;
    uint64_t step, row;
    uint32_t sectors, lines, transactions, bytes;
};

static const struct tile_case tiles[] = {
    /* A 16 x 16 block stores 4-byte words down the columns of a 1024 x 1024 array: 1,048,576 words
     * are 32,768 warps; nvprof counted 1,048,576 stores on a Tegra X1 (5.3), 32 a warp, and 4 a
     * warp along the rows. */
    {"columns: 16 sectors, which both halves touch", "sm_50", "st.global.f32", 0xffffffff, 16, 4096,
     4, 16, 16, 32, 128},
    {"the same on a V100", "v100", "st.global.f32", 0xffffffff, 16, 4096, 4, 16, 16, 16, 128},
    {"rows: 16 words are 2 sectors, two rows", "sm_50", "st.global.f32", 0xffffffff, 16, 4, 4096, 4,
     2, 4, 128},
    {"two words by turns: seen again after another one", "v100", "ld.global.u32", 0xffffffff, 2,
     4096, 0, 2, 2, 2, 128},
    {"sectors 2^37 bytes apart are two", "v100", "ld.global.u32", 0x00000003, 32, UINT64_C(1) << 37,
     0, 2, 2, 2, 8},
    {"8 bytes, the same line for both halves", "k40", "ld.global.f64", 0xffffffff, 16, 8, 0, 4, 1,
     2, 256},
    {"16 bytes, the same line for all quarters", "k40", "st.global.v4.f32", 0xffffffff, 8, 16, 0, 4,
     1, 4, 512},
    {"4 bytes, the same half of a line for all quarters", "k40", "ld.global.u32", 0xffffffff, 8, 4,
     0, 1, 1, 1, 128},
    {"two words of a sector by turns: 16 rounds that share it", "h200", "atom.global.add.u32",
     0xffffffff, 2, 4, 0, 16, 1, 16, 128},
    {"both halves on 16 words: two rounds of 2 sectors each", "h200", "red.global.add.u32",
     0xffffffff, 16, 4, 0, 4, 1, 4, 128},
    {"words of two sectors by turns: 16 rounds of two", "h200", "red.global.add.f32", 0xffffffff, 2,
     32, 0, 32, 1, 32, 128},
    {"2 bytes of lanes 0 and 8", "v100", "st.global.u16", 0x00000101, 32, 2, 0, 1, 1, 1, 4},
    {"nobody", "v100", "ld.global.u32", 0, 32, 4, 0, 0, 0, 0, 0},
};

/* Lane l at base + l * step, in the data banks of L1: 32 of a word each. */
struct l1_case {
    const char *why;
    const char *opcode;
    uint32_t mask;
    uint64_t base, step;
    uint32_t wavefronts;
};

static const struct l1_case in_l1[] = {
    {"32 words in a row", "ld.global.u32", 0xffffffff, 4096, 4, 1},
    {"the same a word further on: two lines, each bank once", "ld.global.u32", 0xffffffff, 4100, 4,
     1},
    {"one word for all", "ld.global.u32", 0xffffffff, 64, 0, 1},
    {"16 bytes apart: 4 lines, 8 banks", "st.global.u32", 0xffffffff, 0, 16, 4},
    {"a line apart: one bank", "ld.global.u32", 0xffffffff, 0, 128, 32},
    {"a line and a word apart: a bank each", "ld.global.u32", 0xffffffff, 0, 132, 1},
    {"a line apart, 3 lanes", "ld.global.u32", 0x80010001, 0, 128, 3},
    {"bytes of 8 lines: as words", "ld.global.u8", 0xffffffff, 0, 32, 8},
    {"8 bytes in a row: half of the lanes fill the banks", "ld.global.f64", 0xffffffff, 0, 8, 2},
    {"16 bytes in a row", "st.global.v4.f32", 0xffffffff, 0, 16, 4},
    {"16 bytes, a line apart", "ld.global.v4.f32", 0xffffffff, 0, 128, 32},
    {"backwards", "ld.global.u32", 0xffffffff, 4096, (uint64_t)-8, 2},
    {"nobody", "ld.global.u32", 0, 0, 4, 0},
};

/* Listed, and as lanes in step. */
static void counts_wavefronts_in_l1(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof in_l1 / sizeof in_l1[0]; i++) {
        const struct l1_case *c = &in_l1[i];
        struct bsim_device device;
        struct bsim_event event = {.mask = c->mask, .affine = true, .base = c->base};
        struct bsim_global_counts listed, in_step;
        uint64_t address[BSIM_WARP_LANES];
        event.stride = (int64_t)c->step;
        assert_int_equal(bsim_device_find("h200", NULL, &device, NULL), BSIM_OK);
        assert_int_equal(bsim_opcode_parse(c->opcode, strlen(c->opcode), &event.opcode, NULL),
                         BSIM_OK);
        bsim_event_addresses(&event, address);
        bsim_global_count(&device, &event.opcode, c->mask, address, &listed);
        bsim_event_global_count(&device, &event, &in_step);
        if (listed.wavefronts != c->wavefronts || in_step.wavefronts != c->wavefronts) {
            fail_msg("%s: %u wavefronts, %u in step, expected %u", c->why, listed.wavefronts,
                     in_step.wavefronts, c->wavefronts);
        }
    }
}

static void counts_tiles(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        const struct tile_case *c = &tiles[i];
        struct bsim_device device;
        struct bsim_opcode opcode;
        struct bsim_global_counts counts;
        uint64_t address[BSIM_WARP_LANES];
        assert_int_equal(bsim_device_find(c->device, NULL, &device, NULL), BSIM_OK);
        assert_int_equal(bsim_opcode_parse(c->opcode, strlen(c->opcode), &opcode, NULL), BSIM_OK);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            address[lane] = lane % c->inner * c->step + lane / c->inner * c->row;
        }
        bsim_global_count(&device, &opcode, c->mask, address, &counts);
        if (counts.sectors != c->sectors || counts.lines != c->lines ||
            counts.transactions != c->transactions || counts.bytes_asked != c->bytes) {
            fail_msg("%s: %u sectors, %u lines, %u transactions, %u bytes", c->why, counts.sectors,
                     counts.lines, counts.transactions, counts.bytes_asked);
        }
    }
}

struct atomic_case {
    const char *why;
    const char *opcode;
    uint32_t mask;
    uint64_t address[4];
    uint32_t sectors;
};

/* Rows of the operand table, from the bits' own rows (7: 1, 8: 2, 9: 1, 10: 2, 11: 3, 31: 1): line
 * 0 has row 0, and so have lines 5 (1 ^ 1) and 10 (2 ^ 2), but not 1 (1), 4 (1) or 6 (2 ^ 1). */
static const struct atomic_case atomics[] = {
    {"lane 2 waits for lane 1, whose line has the same row",
     "red.global.add.u32",
     0x7,
     {0, 660, 20},
     3},
    {"the same with line 10", "atom.global.add.u32", 0x7, {0, 1300, 20}, 3},
    {"the same with a line 2 GiB away",
     "red.global.add.u32",
     0x7,
     {0, (UINT64_C(1) << 31) + 128 + 20, 20},
     3},
    {"line 4 has another row", "red.global.add.u32", 0x7, {0, 532, 20}, 2},
    {"line 6, too", "red.global.add.u32", 0x7, {0, 788, 20}, 2},
    {"another word of line 5", "red.global.add.u32", 0x7, {0, 664, 20}, 2},
    {"lane 1's line is served first, so nobody waits for it",
     "red.global.add.u32",
     0x7,
     {660, 20, 0},
     2},
    {"an inactive lane is in nobody's way", "red.global.add.u32", 0x5, {0, 660, 20}, 1},
    {"lane 1's address again for lane 2: a round of its own",
     "red.global.add.u32",
     0x7,
     {0, 20, 20},
     2},
    {"lane 2 and 3 both wait, and go together", "red.global.add.u32", 0xf, {0, 660, 20, 0}, 3},
    {"8 bytes: the slot of the first word", "red.global.add.u64", 0x7, {0, 664, 24}, 3},
    {"cas: lane 1's half of the line is not lane 0's, but comes before lane 2",
     "atom.global.cas.b32",
     0x7,
     {0, 704, 64},
     3},
    {"add: lane 2 waits although lane 1 wants another half",
     "atom.global.add.u32",
     0xf,
     {0, 704, 64, 68},
     4},
    {"cas: by then lane 1 has gone, and lanes 2 and 3 go together",
     "atom.global.cas.b32",
     0xf,
     {0, 704, 64, 68},
     3},
};

static void counts_passes_of_atomics(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof atomics / sizeof atomics[0]; i++) {
        const struct atomic_case *c = &atomics[i];
        struct bsim_device device;
        struct bsim_opcode opcode;
        struct bsim_global_counts counts;
        uint64_t address[BSIM_WARP_LANES] = {0};
        assert_int_equal(bsim_device_find("h200", NULL, &device, NULL), BSIM_OK);
        assert_int_equal(bsim_opcode_parse(c->opcode, strlen(c->opcode), &opcode, NULL), BSIM_OK);
        memcpy(address, c->address, sizeof c->address);
        bsim_global_count(&device, &opcode, c->mask, address, &counts);
        if (counts.sectors != c->sectors) {
            fail_msg("%s: %u sectors, expected %u", c->why, counts.sectors, c->sectors);
        }
    }
}

struct constant_case {
    const char *why;
    const char *opcode;
    uint32_t mask;
    uint32_t modulus; /* lane l reads element l % modulus */
    uint32_t passes;
};

static const struct constant_case constants[] = {
    {"all lanes one word", "ld.const.f32", 0xffffffff, 1, 1},
    {"four words", "ld.const.f32", 0xffffffff, 4, 4},
    {"every lane its own", "ld.const.f32", 0xffffffff, 32, 32},
    {"only the active lanes' words", "ld.const.f32", 0x00000107, 32, 4},
    {"four bytes of one word are one word", "ld.const.u8", 0x0000000f, 32, 1},
    {"five bytes are in two words", "ld.const.u8", 0x0000001f, 32, 2},
    {"two-byte elements in pairs", "ld.const.u16", 0xffffffff, 32, 16},
    {"eight-byte elements, two of them", "ld.const.f64", 0xffffffff, 2, 2},
    {"eight-byte elements, each its own", "ld.const.v2.f32", 0xffffffff, 32, 32},
    {"16 bytes are four loads, of one word each", "ld.const.v4.f32", 0xffffffff, 1, 4},
    {"16 bytes are four loads, of two words each", "ld.const.v4.f32", 0xffffffff, 2, 8},
    {"inactive lanes do not stand in for an active one", "ld.const.f32", 0x80000000, 1, 1},
    {"nobody", "ld.const.f32", 0, 32, 0},
};

static void counts_passes_of_constant_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof constants / sizeof constants[0]; i++) {
        const struct constant_case *c = &constants[i];
        struct bsim_opcode opcode;
        uint64_t address[BSIM_WARP_LANES];
        assert_int_equal(bsim_opcode_parse(c->opcode, strlen(c->opcode), &opcode, NULL), BSIM_OK);
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            address[lane] = (uint64_t)(lane % c->modulus) * opcode.bytes;
        }
        uint32_t passes = bsim_constant_passes(&opcode, c->mask, address);
        if (passes != c->passes) {
            fail_msg("%s: %u passes, expected %u", c->why, passes, c->passes);
        }
    }
}

/* 2^34 bytes apart: different words, whatever is kept of 32 bits. */
static void constant_addresses_have_64_bits(void **state)
{
    (void)state;
    struct bsim_opcode opcode;
    uint64_t address[BSIM_WARP_LANES] = {0, UINT64_C(1) << 34};
    assert_int_equal(bsim_opcode_parse("ld.const.u32", 12, &opcode, NULL), BSIM_OK);
    assert_int_equal(bsim_constant_passes(&opcode, 3, address), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_sectors_lines_and_transactions),
        cmocka_unit_test(counts_wavefronts_in_l1),
        cmocka_unit_test(counts_tiles),
        cmocka_unit_test(counts_passes_of_atomics),
        cmocka_unit_test(counts_passes_of_constant_memory),
        cmocka_unit_test(constant_addresses_have_64_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
