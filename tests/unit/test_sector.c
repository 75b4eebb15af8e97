/* Global and constant memory: hand-worked requests. */
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
    {"16 bytes each: 512 bytes are 16 sectors of 4 lines", "v100", "ld.global.v4.u32", 0xffffffff, 0,
     16, 16, 4, 16},
    {"lanes 0 and 31, 124 bytes apart: first and last sector", "v100", "ld.global.u32", 0x80000001,
     0, 4, 2, 1, 2},
    {"an inactive lane's address does not matter", "v100", "ld.global.u32", 0x0000000f, 0, 4, 1, 1,
     1},
    /* Maxwell and Pascal: loads count 4 per quarter-warp with an active lane. */
    {"a full warp counts 16 wherever it reads", "gt1030", "ld.global.u32", 0xffffffff, 0, 0, 1, 1,
     16},
    {"one thread counts 4", "gt1030", "ld.global.u32", 0x00000001, 0, 4, 1, 1, 4},
    /* Stores by half-warps: 32 lanes of 4 bytes, 64 bytes apart by pairs of half-warps. */
    {"both halves store to the same 4 sectors: each half counts its own 2", "sm_52",
     "st.global.u32", 0xffffffff, 0, 4, 4, 1, 4},
    {"one sector, written by both halves", "sm_52", "st.global.u8", 0xffffffff, 0, 1, 1, 1, 2},
    /* Kepler: lines; wide accesses by half- and quarter-warps. */
    {"a line is one transaction", "k40", "ld.global.u32", 0xffffffff, 4096, 4, 4, 1, 1},
    {"shifted: two lines", "k40", "ld.global.u32", 0xffffffff, 4100, 4, 5, 2, 2},
    {"8 bytes each: a line per half-warp", "k40", "ld.global.f64", 0xffffffff, 0, 8, 8, 2, 2},
    {"8 bytes, all the same: each half-warp counts it", "k40", "ld.global.f64", 0xffffffff, 0, 0, 1,
     1, 2},
    {"16 bytes, all the same: each quarter-warp counts it", "k40", "ld.global.v4.f32", 0xffffffff, 0,
     0, 1, 1, 4},
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
    {"eight-byte elements, two of them", "ld.const.f64", 0xffffffff, 2, 2},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_sectors_lines_and_transactions),
        cmocka_unit_test(counts_passes_of_constant_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
