/* test_device.c - the device table against what is published, and the lookup's answers. */
#include "model/device.h"
#include "status_name.h"
#include <banksim/device.h>
#include <banksim/model.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct bsim_device found(const char *name, uint32_t n_banks, uint32_t bank_width)
{
    struct bsim_device_options options = {.n_banks = n_banks, .bank_width = bank_width};
    struct bsim_device device;
    struct bsim_error err;
    if (bsim_device_find(name, &options, &device, &err) != BSIM_OK) {
        fail_msg("%s, %u banks, width %u: %s", name, (unsigned)n_banks, (unsigned)bank_width,
                 err.message);
    }
    return device;
}

/* ---- lookup ------------------------------------------------------------------------------- */

static void finds_names_and_aliases(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *name;
        uint32_t compute;
    } cases[] = {
        {"sm_35", "sm_35", 35},
        {"k40", "sm_35", 35},
        {"sm_50", "sm_50", 50},
        {"sm_52", "sm_52", 52},
        {"gtx980", "sm_52", 52},
        {"sm_60", "sm_60", 60},
        {"p100", "sm_60", 60},
        {"sm_61", "sm_61", 61},
        {"gtx1080", "sm_61", 61},
        {"gtx1060", "sm_61", 61},
        {"gt1030", "sm_61", 61},
        {"sm_70", "sm_70", 70},
        {"v100", "sm_70", 70},
        {"sm_75", "sm_75", 75},
        {"t4", "sm_75", 75},
        {"sm_80", "sm_80", 80},
        {"a100", "sm_80", 80},
        {"sm_86", "sm_86", 86},
        {"a40", "sm_86", 86},
        {"rtx3090", "sm_86", 86},
        {"sm_89", "sm_89", 89},
        {"l40", "sm_89", 89},
        {"rtx4090", "sm_89", 89},
        {"sm_90", "sm_90", 90},
        {"h100", "sm_90", 90},
        {"h200", "sm_90", 90},
        {"sm_100", "sm_100", 100},
        {"b200", "sm_100", 100},
        {"sm_120", "sm_120", 120},
        {"rtx5090", "sm_120", 120},
        {"generic", "generic", 0},
        {"H200", "sm_90", 90},
        {"SM_90", "sm_90", 90},
        {"Rtx4090", "sm_89", 89},
        {"GENERIC", "generic", 0},
        {"4090", "sm_89", 89},
        {"3090", "sm_86", 86},
        {"3080", "sm_86", 86},
        {"2080", "sm_75", 75},
        {"RTX 4090", "sm_89", 89},
        {"rtx-2080 ti", "sm_75", 75},
        {"2080ti", "sm_75", 75},
        {"l4", "sm_89", 89},
        {"l40s", "sm_89", 89},
        {"a10", "sm_86", 86},
        {"a6000", "sm_86", 86},
        {"RTX A6000", "sm_86", 86},
        {"1080", "sm_61", 61},
        {"GTX 1080 Ti", "sm_61", 61},
        {"1030", "sm_61", 61},
        {"sm90", "sm_90", 90},
        {"sm_20", "sm_20", 20},
        {"sm_21", "sm_21", 21},
        {"sm_37", "sm_37", 37},
        {"GeForce GTX 780", "sm_35", 35},
        {"GTX Titan Black", "sm_35", 35},
        {"Titan Black", "sm_35", 35},
        {"GK110", "sm_35", 35},
        {"Tesla K80", "sm_37", 37},
        {"NVIDIA GeForce RTX 4090", "sm_89", 89},
        {"GP100", "sm_60", 60},
        {"GP104", "sm_61", 61},
        {"gtx480", "sm_20", 20},
        {"Tesla M2090", "sm_20", 20},
        {"560 Ti", "sm_21", 21},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device device = found(cases[i].asked, 0, 0);
        if (strcmp(device.name, cases[i].name) != 0 || device.compute != cases[i].compute) {
            fail_msg("%s gave %s, compute %u", cases[i].asked, device.name,
                     (unsigned)device.compute);
        }
    }
}

static void options_may_be_null(void **state)
{
    (void)state;
    struct bsim_device device;
    assert_int_equal(bsim_device_find("h200", NULL, &device, NULL), BSIM_OK);
    assert_string_equal(device.name, "sm_90");
}

static void default_is_the_measured_one(void **state)
{
    (void)state;
    struct bsim_device device = found(NULL, 0, 0);
    assert_int_equal(device.compute, 90);
    assert_int_equal(device.basis[BSIM_RULE_BANKS].grade, BSIM_MEASURED);
}

static void index_and_name_agree(void **state)
{
    (void)state;
    static const char *const order[] = {"sm_20", "sm_21", "sm_35",  "sm_37",  "sm_50",  "sm_52",
                                        "sm_60", "sm_61", "sm_70",  "sm_75",  "sm_80",  "sm_86",
                                        "sm_89", "sm_90", "sm_100", "sm_120", "generic"};
    const size_t n = sizeof order / sizeof order[0];
    struct bsim_device device;
    for (size_t i = 0; i < n; i++) {
        assert_true(bsim_device_at(i, &device));
        struct bsim_device same = found(order[i], 0, 0);
        assert_string_equal(device.name, order[i]);
        assert_string_equal(device.description, same.description);
        assert_int_equal(device.n_banks, same.n_banks);
        assert_int_equal(device.stride_bytes, same.stride_bytes);
        assert_int_equal(device.n_sms, same.n_sms);
        for (int rule = 0; rule < BSIM_N_RULES; rule++) {
            assert_string_equal(device.basis[rule].source, same.basis[rule].source);
        }
    }
    struct bsim_device before = device;
    assert_false(bsim_device_at(n, &device));
    assert_false(bsim_device_at(SIZE_MAX, &device));
    assert_string_equal(device.name, before.name);
}

static void aliases_lead_back(void **state)
{
    (void)state;
    struct bsim_device device;
    size_t n_aliases = 0;
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        const char *alias;
        for (size_t k = 0; (alias = bsim_device_alias(device.name, k)) != NULL; k++) {
            struct bsim_device gpu = found(alias, 0, 0);
            assert_string_equal(gpu.name, device.name);
            const char *digits = alias + strcspn(alias, "0123456789");
            bool is_left_out = strncmp(alias, "rtx", 3) == 0 || strncmp(alias, "gt", 2) == 0;
            if (is_left_out && digits[0] != '\0' && strcmp(alias, "rtxa6000") != 0) {
                assert_string_equal(found(digits, 0, 0).name, device.name);
                assert_int_equal(found(digits, 0, 0).n_sms, gpu.n_sms);
            }
            n_aliases++;
        }
    }
    assert_int_equal(n_aliases, 48);
    assert_null(bsim_device_alias("generic", 0));
    assert_null(bsim_device_alias("sm_50", 0));
    assert_null(bsim_device_alias("sm_90", 2));
    assert_null(bsim_device_alias("sm_91", 0));
    assert_non_null(bsim_device_alias("SM_90", 1));
}

/* ---- every device ------------------------------------------------------------------------- */

static void basis_is_sound(const struct bsim_device *device, const struct bsim_basis *basis,
                           const char *what)
{
    if (basis->source == NULL || basis->source[0] == '\0' || basis->grade > BSIM_ASSUMED) {
        fail_msg("%s: %s has no source or grade", device->name, what);
    }
}

static void banks_are_sound(const struct bsim_device *d)
{
    bool ok = d->n_banks >= 1 && d->n_banks <= BSIM_MAX_BANKS;
    ok = ok && (d->stride_bytes == 4 || d->stride_bytes == 8);
    ok = ok && (d->bank_bytes == 4 || d->bank_bytes == 8) && d->bank_bytes >= d->stride_bytes;
    ok = ok && (d->widths == 4 || d->widths == 12) && (d->widths & d->stride_bytes) != 0;
    if (!ok) {
        fail_msg("%s: %u banks, stride %u, width %u, widths %u", d->name, (unsigned)d->n_banks,
                 (unsigned)d->stride_bytes, (unsigned)d->bank_bytes, (unsigned)d->widths);
    }
}

static void capacity_is_sound(const struct bsim_device *d)
{
    bool ok = d->shared_per_block_bytes >= 48 * 1024;
    ok = ok && d->shared_per_block_bytes + d->shared_reserved_bytes <= d->shared_per_sm_bytes;
    ok = ok && (d->shared_unit_bytes == 128 || d->shared_unit_bytes == 256);
    ok = ok && d->shared_per_sm_bytes % d->shared_unit_bytes == 0;
    ok = ok && d->warps_per_sm >= 32 && d->warps_per_sm <= 64; /* a block of 1,024 threads fits */
    ok = ok && d->blocks_per_sm >= 8 && d->blocks_per_sm <= 32;
    ok = ok && d->n_sms <= 256 && d->clock_mhz <= 3000;
    if (!ok) {
        fail_msg("%s: capacity out of reason", d->name);
    }
}

static void device_is_sound(const struct bsim_device *device)
{
    assert_non_null(device->description);
    assert_true(strlen(device->description) > 0);
    for (int rule = 0; rule < BSIM_N_RULES; rule++) {
        basis_is_sound(device, &device->basis[rule], bsim_rule_name((enum bsim_rule)rule));
    }
    basis_is_sound(device, &device->capacity_basis, "capacity");
    basis_is_sound(device, &device->clock_basis, "clock");
    basis_is_sound(device, &device->memory_basis, "memory");
    banks_are_sound(device);
    capacity_is_sound(device);
}

static void every_device_is_sound(void **state)
{
    (void)state;
    struct bsim_device device;
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        device_is_sound(&device);
        for (size_t k = 0; bsim_device_alias(device.name, k) != NULL; k++) {
            struct bsim_device gpu = found(bsim_device_alias(device.name, k), 0, 0);
            device_is_sound(&gpu);
            assert_true(gpu.n_sms > 0);
        }
    }
}

/* What the hardware has, by generation. */
static void rules_by_generation(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool pair, ldmatrix, stmatrix, replays;
    } cases[] = {
        {"sm_20", false, false, false, true},  {"sm_21", false, false, false, true},
        {"sm_37", false, false, false, true},  {"sm_35", false, false, false, true},
        {"sm_50", false, false, false, false}, {"sm_52", false, false, false, false},
        {"sm_60", false, false, false, false}, {"sm_61", false, false, false, false},
        {"sm_70", true, false, false, false},  {"sm_75", true, true, false, false},
        {"sm_80", true, true, false, false},   {"sm_86", true, true, false, false},
        {"sm_89", true, true, false, false},   {"sm_90", true, true, true, false},
        {"sm_100", true, true, true, false},   {"sm_120", true, true, true, false},
        {"generic", true, true, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device d = found(cases[i].name, 0, 0);
        bool ldmatrix = bsim_device_executes(&d, &(struct bsim_opcode){.family = BSIM_LDMATRIX});
        bool stmatrix = bsim_device_executes(&d, &(struct bsim_opcode){.family = BSIM_STMATRIX});
        if (d.has_pair_rule != cases[i].pair || ldmatrix != cases[i].ldmatrix ||
            stmatrix != cases[i].stmatrix || d.replays != cases[i].replays) {
            fail_msg("%s: pair %d, ldmatrix %d, stmatrix %d, replays %d", d.name, d.has_pair_rule,
                     ldmatrix, stmatrix, d.replays);
        }
    }
}

/* The rules that were counted or timed on the compute capability itself; on it, no others. */
static void measured_where_it_was(void **state)
{
    (void)state;
    enum { B = 1 << BSIM_RULE_BANKS };
    static const struct {
        const char *name;
        unsigned rules;
    } cases[] = {
        {"sm_20", 0},
        {"sm_21", 0},
        {"sm_37", 0},
        {"sm_35", B}, /* K40, the book's counts */
        {"sm_50", 0},
        {"sm_52", 0},
        {"sm_60", 0},
        {"sm_61", B},                         /* GT 1030, GTX 1060 */
        {"sm_70", B | 1 << BSIM_RULE_NVPROF}, /* V100 */
        {"sm_75", 0},
        {"sm_80", B | 1 << BSIM_RULE_MULTICAST | 1 << BSIM_RULE_WIDE | 1 << BSIM_RULE_PAIR},
        {"sm_86", 0},
        {"sm_89", 1 << BSIM_RULE_LDMATRIX}, /* L20 */
        /* What was counted on the H200: not replays (no wavefront counter shows them). */
        {"sm_90", (1u << BSIM_RULE_REPLAY) - 1 + (1u << BSIM_RULE_SECTORS) +
                      (1u << BSIM_RULE_CONSTANT) + (1u << BSIM_RULE_LOCAL) +
                      (1u << BSIM_RULE_TEXTURE) + (1u << BSIM_RULE_WGMMA) +
                      (1u << BSIM_RULE_TMA) + (1u << BSIM_RULE_PEER)},
        {"sm_100", 0},
        {"sm_120", 0},
        {"generic", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device device = found(cases[i].name, 0, 0);
        for (int rule = 0; rule < BSIM_N_RULES; rule++) {
            bool is = device.basis[rule].grade == BSIM_MEASURED;
            bool should = (cases[i].rules >> rule & 1) != 0;
            if (is != should) {
                fail_msg("%s, %s: %s", device.name, bsim_rule_name((enum bsim_rule)rule),
                         bsim_grade_name(device.basis[rule].grade));
            }
        }
    }
}

static void pair_rule_is_documented_for_volta_and_turing_only(void **state)
{
    (void)state;
    struct bsim_device device;
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        bool documented = device.basis[BSIM_RULE_PAIR].grade == BSIM_DOCUMENTED;
        if (documented != (device.compute == 70 || device.compute == 75)) {
            fail_msg("%s: %s", device.name, device.basis[BSIM_RULE_PAIR].source);
        }
    }
}

static void a_block_has_no_more_shared_memory_than_the_device_gives_it(void **state)
{
    (void)state;
    struct bsim_error err;
    struct bsim_device device = found("k40", 0, 0);
    assert_int_equal(bsim_device_check_shared(&device, 0, &err), BSIM_OK);
    assert_int_equal(bsim_device_check_shared(&device, 49152, &err), BSIM_OK);
    assert_int_equal(bsim_device_check_shared(&device, 49153, &err), BSIM_E_INPUT);
    assert_non_null(strstr(err.message, "49153"));
    assert_non_null(strstr(err.message, "sm_35 gives it 49152"));
    device = found("h200", 0, 0);
    assert_int_equal(bsim_device_check_shared(&device, 227 * 1024, &err), BSIM_OK);
    assert_int_equal(bsim_device_check_shared(&device, 227 * 1024 + 1, &err), BSIM_E_INPUT);
}

/* CUDA C Programming Guide, technical specifications; cuda_occupancy.h. */
static void capacities_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t sm_kib, block_kib, reserved, unit, warps, blocks;
    } cases[] = {
        {"sm_20", 48, 48, 0, 128, 48, 8},        {"sm_21", 48, 48, 0, 128, 48, 8},
        {"sm_37", 112, 48, 0, 256, 64, 16},      {"sm_35", 48, 48, 0, 256, 64, 16},
        {"sm_50", 64, 48, 0, 256, 64, 32},       {"sm_52", 96, 48, 0, 256, 64, 32},
        {"sm_60", 64, 48, 0, 256, 64, 32},       {"sm_61", 96, 48, 0, 256, 64, 32},
        {"sm_70", 96, 96, 0, 256, 64, 32},       {"sm_75", 64, 64, 0, 256, 32, 16},
        {"sm_80", 164, 163, 1024, 128, 64, 32},  {"sm_86", 100, 99, 1024, 128, 48, 16},
        {"sm_89", 100, 99, 1024, 128, 48, 24},   {"sm_90", 228, 227, 1024, 128, 64, 32},
        {"sm_100", 228, 227, 1024, 128, 64, 32}, {"sm_120", 100, 99, 1024, 128, 48, 24},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device d = found(cases[i].name, 0, 0);
        bool ok = d.shared_per_sm_bytes == cases[i].sm_kib * 1024 &&
                  d.shared_per_block_bytes == cases[i].block_kib * 1024 &&
                  d.shared_reserved_bytes == cases[i].reserved &&
                  d.shared_unit_bytes == cases[i].unit && d.warps_per_sm == cases[i].warps &&
                  d.blocks_per_sm == cases[i].blocks;
        if (!ok) {
            fail_msg("%s is not as published", d.name);
        }
    }
}

/* Whitepapers of the V100, GTX 980, GA102 and RTX Blackwell; the H200 that was measured. */
static void clocks_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t n_sms, clock_mhz;
    } cases[] = {
        {"k40", 15, 875},    {"gtx980", 16, 1216},    {"p100", 56, 1480},     {"v100", 80, 1530},
        {"h200", 132, 1980}, {"rtx3090", 82, 1695},   {"rtx5090", 170, 2407}, {"sm_90", 132, 1980},
        {"sm_61", 20, 1733}, {"sm_50", 0, 0},         {"b200", 148, 0},       {"generic", 0, 0},
        {"gtx780", 12, 900}, {"gk110", 15, 0},        {"gp100", 60, 0},       {"gp104", 20, 0},
        {"a100", 108, 1410}, {"rtx2080ti", 68, 1545}, {"gtx1070", 15, 1683},  {"k80", 13, 875},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device d = found(cases[i].name, 0, 0);
        if (d.n_sms != cases[i].n_sms || d.clock_mhz != cases[i].clock_mhz) {
            fail_msg("%s: %u SMs, %u MHz", cases[i].name, (unsigned)d.n_sms, (unsigned)d.clock_mhz);
        }
    }
}

/* sm_90: 228 KiB, 1 KiB of it reserved for each block, units of 128 bytes; 64 warps, 32 blocks. */
static void counts_blocks(void **state)
{
    (void)state;
    struct bsim_device device;
    assert_int_equal(bsim_device_find("sm_90", NULL, &device, NULL), BSIM_OK);
    static const struct {
        uint32_t threads, bytes, by_shared, by_warps, blocks;
    } cases[] = {
        {1024, 4096, 45, 2, 2}, /* 233472 / 5120 */
        {32, 4224, 44, 64, 32}, /* 233472 / 5248 = 44.5 */
        {256, 0, 228, 8, 8},    /* the reserved part alone */
        {33, 32768, 6, 32, 6},  /* 233472 / 33792 = 6.9; 33 threads are 2 warps */
        {32, 1, 202, 64, 32},   /* 1025 rounds up to 1152 */
        {32, 232448, 1, 64, 1}, /* 227 KiB, the most for a block */
        {32, 232449, 0, 64, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_occupancy o =
            bsim_device_occupancy(&device, cases[i].threads, cases[i].bytes, 0);
        if (o.by_shared != cases[i].by_shared || o.by_warps != cases[i].by_warps ||
            o.by_blocks != 32 || o.blocks != cases[i].blocks) {
            fail_msg("%u threads, %u bytes: %u %u %u %u", cases[i].threads, cases[i].bytes,
                     o.by_shared, o.by_warps, o.by_blocks, o.blocks);
        }
    }
}

/* A K80's SM has 131072 registers, a block 65536 of them: 1024 threads have 64 each at most. */
static void a_block_has_its_own_limit_of_registers(void **state)
{
    (void)state;
    struct bsim_device device;
    assert_int_equal(bsim_device_find("k80", NULL, &device, NULL), BSIM_OK);
    assert_int_equal(bsim_device_occupancy(&device, 1024, 4096, 64).blocks, 2);
    assert_int_equal(bsim_device_occupancy(&device, 1024, 4096, 65).blocks, 0);
    assert_int_equal(bsim_device_occupancy(&device, 512, 4096, 128).blocks, 2);
}

struct carveout_case {
    const char *name;
    uint32_t carveout;
    uint32_t bytes, sm_kib, by_shared; /* of a block; of the SM; blocks */
};

static void check_carveout(const struct carveout_case *c)
{
    struct bsim_device_options options = {.carveout = c->carveout};
    struct bsim_device device;
    struct bsim_error err;
    if (bsim_device_find(c->name, &options, &device, &err) != BSIM_OK) {
        fail_msg("%s, %u: %s", c->name, (unsigned)c->carveout, err.message);
    }
    struct bsim_occupancy o = bsim_device_occupancy(&device, 32, c->bytes, 0);
    if (o.sm_bytes != c->sm_kib * 1024 || o.by_shared != c->by_shared) {
        fail_msg("%s, %u, %u bytes: %u of %u bytes", c->name, (unsigned)c->carveout,
                 (unsigned)c->bytes, (unsigned)o.by_shared, (unsigned)o.sm_bytes);
    }
}

/* Worked out by hand from cuda_occupancy.h of CUDA 12.2: cudaOccSMemPreference, ...VoltaPlus and
 * what cudaOccMaxBlocksPerSMSmemLimit does where a block needs more than is preferred. */
static void blocks_follow_the_carveout(void **state)
{
    (void)state;
    enum { L1 = BSIM_CARVEOUT_L1, EQUAL = BSIM_CARVEOUT_EQUAL, SHARED = BSIM_CARVEOUT_SHARED };
    enum { P = BSIM_CARVEOUT_PERCENT };
    static const struct carveout_case cases[] = {
        {"k40", 0, 8192, 48, 6},         {"k40", L1, 8192, 16, 2},
        {"k40", EQUAL, 8192, 32, 4},     {"k40", SHARED, 8192, 48, 6},
        {"k40", L1, 20480, 48, 2}, /* not 32: before 7.0 it is the largest */
        {"k80", L1, 8192, 80, 10},       {"k80", EQUAL, 8192, 96, 12},
        {"k80", SHARED, 8192, 112, 14},  {"gtx480", L1, 8192, 16, 2},
        {"v100", P + 0, 8192, 8, 1},   /* 0 KB, and what a block needs */
        {"v100", P + 50, 8192, 64, 8}, /* 48 KB, rounded up */
        {"v100", EQUAL, 8192, 64, 8},    {"v100", L1, 0, 0, UINT32_MAX},
        {"t4", P + 0, 8192, 32, 4},      {"t4", P + 51, 8192, 64, 8},
        {"a100", P + 61, 8192, 132, 14}, /* 100.04 KB; a block takes 9 KB */
        {"a100", P + 60, 8192, 100, 11}, /* 98.4 KB */
        {"h200", P + 50, 31744, 132, 4}, /* 114 KB; a block takes 32 KB */
        {"h200", P + 10, 66560, 100, 1}, /* 32 KB do not hold 66 */
        {"h200", SHARED, 31744, 228, 7}, {"generic", P + 50, 31744, 132, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_carveout(&cases[i]);
    }
}

static void carveouts_that_are_not_there(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t carveout;
        const char *message;
    } cases[] = {
        {"sm_61", BSIM_CARVEOUT_SHARED,
         "sm_61 has no carve-out: an SM's 96 KB of shared memory are apart from its L1 cache"},
        {"k40", BSIM_CARVEOUT_PERCENT + 50,
         "sm_35 has the carve-outs l1, equal and shared; per cent begin with sm_70"},
        {"gtx480", BSIM_CARVEOUT_EQUAL,
         "sm_20 has the carve-outs l1 and shared; per cent begin with sm_70"},
        {"h200", BSIM_CARVEOUT_PERCENT + 101, "a carve-out is 0 to 100 per cent, not 101"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device_options options = {.carveout = cases[i].carveout};
        struct bsim_device device;
        struct bsim_error err;
        assert_int_equal(bsim_device_find(cases[i].name, &options, &device, &err), BSIM_E_USAGE);
        assert_string_equal(err.message, cases[i].message);
    }
}

/* What a count depends on makes two devices differ; what only time depends on does not. */
static void same_if_they_count_alike(void **state)
{
    (void)state;
    struct bsim_device_options wide = {.bank_width = 8};
    struct bsim_device_options few = {.n_banks = 16};
    struct bsim_device h100, h200, a100, kepler, kepler_wide, generic, generic_few;
    assert_int_equal(bsim_device_find("h100", NULL, &h100, NULL), BSIM_OK);
    assert_int_equal(bsim_device_find("h200", NULL, &h200, NULL), BSIM_OK);
    assert_int_equal(bsim_device_find("a100", NULL, &a100, NULL), BSIM_OK);
    assert_int_equal(bsim_device_find("sm_35", NULL, &kepler, NULL), BSIM_OK);
    assert_int_equal(bsim_device_find("sm_35", &wide, &kepler_wide, NULL), BSIM_OK);
    assert_int_equal(bsim_device_find("generic", NULL, &generic, NULL), BSIM_OK);
    assert_int_equal(bsim_device_find("generic", &few, &generic_few, NULL), BSIM_OK);
    h200.clock_mhz++;
    assert_true(bsim_device_same(&h100, &h200));
    assert_false(bsim_device_same(&h200, &a100));
    assert_int_equal(kepler.stride_bytes == 4, !(kepler_wide.stride_bytes == 4));
    assert_false(bsim_device_same(&kepler, &kepler_wide));
    assert_false(bsim_device_same(&generic, &generic_few));
}

/* ---- banks by choice ---------------------------------------------------------------------- */

static void banks_after_options(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t ask_banks, ask_width;
        uint32_t n_banks, stride, bank;
    } cases[] = {
        {"sm_90", 0, 0, 32, 4, 4},   {"sm_90", 0, 4, 32, 4, 4},    {"sm_35", 0, 0, 32, 4, 8},
        {"sm_35", 0, 4, 32, 4, 8},   {"k40", 0, 8, 32, 8, 8},      {"generic", 0, 0, 32, 4, 4},
        {"generic", 1, 0, 1, 4, 4},  {"generic", 5, 4, 5, 4, 4},   {"generic", 64, 8, 64, 8, 8},
        {"generic", 0, 8, 32, 8, 8}, {"GENERIC", 16, 0, 16, 4, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device d = found(cases[i].name, cases[i].ask_banks, cases[i].ask_width);
        device_is_sound(&d);
        if (d.n_banks != cases[i].n_banks || d.stride_bytes != cases[i].stride ||
            d.bank_bytes != cases[i].bank) {
            fail_msg("case %zu, %s: %u banks, stride %u, width %u", i, d.name, (unsigned)d.n_banks,
                     (unsigned)d.stride_bytes, (unsigned)d.bank_bytes);
        }
    }
}

/* The book's counts are of the 4-byte mode; none are known of the other. */
static void kepler_modes_differ_in_grade(void **state)
{
    (void)state;
    struct bsim_device four = found("k40", 0, 4);
    struct bsim_device eight = found("k40", 0, 8);
    assert_int_equal(four.widths, 4 + 8);
    assert_int_equal(eight.widths, 4 + 8);
    assert_int_equal(four.basis[BSIM_RULE_BANKS].grade, BSIM_MEASURED);
    assert_int_equal(eight.basis[BSIM_RULE_BANKS].grade, BSIM_DOCUMENTED);
}

static void refusals_say_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t n_banks, width;
        const char *says[3];
    } cases[] = {
        {"sm_91",
         0,
         0,
         {"unknown device 'sm_91': did you mean 'sm_90'?", ", sm_89, sm_90, sm_100"}},
        {"4900", 0, 0, {"unknown device '4900': did you mean '4090'?"}},
        {"gtx4090", 0, 0, {"unknown device 'gtx4090': did you mean 'rtx4090'?"}},
        {"4090 Super", 0, 0, {"unknown device '4090 Super'"}},
        {"rtx", 0, 0, {"unknown device 'rtx'"}},
        {"h20", 0, 0, {"'h20'", "'h200'?"}},
        {"fermi", 0, 0, {"unknown device 'fermi'. Known are sm_20, sm_21,", ", generic, and GPUs"}},
        {"", 0, 0, {"unknown device ''"}},
        {"sm_9", 0, 0, {"unknown device 'sm_9'"}},
        {"sm_900", 0, 0, {"unknown device 'sm_900'"}},
        {"sm_90", 16, 0, {"sm_90 has 32 banks", "--device generic"}},
        {"h200", 32, 0, {"sm_90 has 32 banks", "--device generic"}},
        {"k40", 16, 8, {"sm_35 has 32 banks", "--device generic"}},
        {"generic", 65, 0, {"1 to 64 banks, not 65"}},
        {"generic", UINT32_MAX, 0, {"1 to 64 banks, not 4294967295"}},
        {"generic", 0, 16, {"4 or 8 bytes wide, not 16"}},
        {"generic", 0, 12, {"4 or 8 bytes wide, not 12"}},
        {"sm_90", 0, 16, {"4 or 8 bytes wide, not 16"}},
        {"k40", 0, 1, {"4 or 8 bytes wide, not 1"}},
        {"a100", 0, 8, {"sm_80 has no 8-byte banks", "sm_35 (k40), sm_37 and generic"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device_options options = {.n_banks = cases[i].n_banks,
                                              .bank_width = cases[i].width};
        struct bsim_device device, before;
        struct bsim_error err;
        memset(&device, 0x5a, sizeof device);
        memcpy(&before, &device, sizeof device);
        enum bsim_status status = bsim_device_find(cases[i].name, &options, &device, &err);
        if (status != BSIM_E_USAGE || memcmp(&before, &device, sizeof device) != 0) {
            fail_msg("case %zu, '%s': %s", i, cases[i].name, status_name(status));
        }
        for (size_t k = 0; k < 3 && cases[i].says[k] != NULL; k++) {
            if (strstr(err.message, cases[i].says[k]) == NULL) {
                fail_msg("case %zu, '%s': no \"%s\" in: %s", i, cases[i].name, cases[i].says[k],
                         err.message);
            }
        }
        assert_int_equal(bsim_device_find(cases[i].name, &options, &device, NULL), BSIM_E_USAGE);
    }
}

/* The whole list fits the message, behind the longest part of a name that is shown. */
static void long_name_leaves_room_for_the_list(void **state)
{
    (void)state;
    char name[4000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    struct bsim_device device;
    struct bsim_error err;
    assert_int_equal(bsim_device_find(name, NULL, &device, &err), BSIM_E_USAGE);
    const char *end = ", sm_120, generic, and GPUs by their names: 'banksim list devices' has them";
    size_t length = strlen(err.message);
    assert_true(length > strlen(end));
    assert_string_equal(err.message + length - strlen(end), end);
}

static void every_known_name_is_listed(void **state)
{
    (void)state;
    struct bsim_device device, ignored;
    struct bsim_error err;
    assert_int_equal(bsim_device_find("?", NULL, &ignored, &err), BSIM_E_USAGE);
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        if (strstr(err.message, device.name) == NULL) {
            fail_msg("no %s in: %s", device.name, err.message);
        }
    }
}

/* What a whitepaper gives in TFLOPS is lanes x SMs x 2 x clock: 192, 64 or 128 lanes an SM. */
static void clocks_as_their_tflops(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t lanes, tenths; /* of TFLOPS */
    } cases[] = {
        {"k80", 192, 43}, /* half of 8.74 */
        {"gtxtitanblack", 192, 51}, {"k40", 192, 50},  {"p100", 64, 106},
        {"v100", 64, 156},          {"t4", 64, 81},    {"a100", 64, 194},
        {"h100", 128, 669},         {"l40", 128, 905}, {"l40s", 128, 916},
        {"l4", 128, 302},           {"a10", 128, 312}, {"a40", 128, 374},
        {"rtxa6000", 128, 387},     {"a30", 64, 103},  {"rtx4090", 128, 825},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device d = found(cases[i].name, 0, 0);
        assert_int_equal((uint64_t)d.n_sms * cases[i].lanes * 2 * d.clock_mhz / 100000,
                         cases[i].tenths);
    }
}

/* CS 179, lecture 5: a Titan Black's shared memory does 3.4 TB/s, 853 Gfloat/s. */
static void titan_black_as_in_the_lecture(void **state)
{
    (void)state;
    struct bsim_device d = found("GeForce GTX Titan Black", 0, 8);
    uint64_t mb_per_s = (uint64_t)d.n_sms * d.n_banks * d.bank_bytes * d.clock_mhz;
    assert_int_equal(mb_per_s / 1000, 3413);
    assert_int_equal(mb_per_s / 4 / 1000, 853);
}

/* The guide, 2.x: 32-bit registers per SM 32 K, at most 63 a thread; 3.7: 128 K. */
static void registers_as_published(void **state)
{
    (void)state;
    struct bsim_device fermi = found("sm_20", 0, 0);
    assert_int_equal(fermi.registers_per_sm, 32 * 1024);
    assert_int_equal(fermi.registers_per_thread, 63);
    assert_int_equal(fermi.registers_per_block, 32 * 1024);
    assert_int_equal(found("k80", 0, 0).registers_per_sm, 128 * 1024);
    assert_int_equal(found("k80", 0, 0).registers_per_block, 64 * 1024);
    assert_int_equal(found("k40", 0, 0).registers_per_sm, 64 * 1024);
    assert_int_equal(found("sm_90", 0, 0).registers_per_thread, 255);
}

/* Who has 8-byte banks is also said in a message, in words. */
static void the_message_names_all_with_8_byte_banks(void **state)
{
    (void)state;
    struct bsim_device device;
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        bool named = strcmp(device.name, "sm_35") == 0 || strcmp(device.name, "sm_37") == 0 ||
                     strcmp(device.name, "generic") == 0;
        assert_int_equal((device.widths & 8) != 0, named);
    }
}

/* Each device but the one that has no compute capability. */
static void found_by_compute_capability(void **state)
{
    (void)state;
    struct bsim_device device;
    for (size_t i = 0; bsim_device_at(i, &device); i++) {
        const char *name = bsim_device_of_compute(device.compute);
        if (device.compute == 0) {
            assert_null(name);
        } else {
            assert_string_equal(name, device.name);
        }
    }
    assert_null(bsim_device_of_compute(72));
}

/* ---- words -------------------------------------------------------------------------------- */

static void words(void **state)
{
    (void)state;
    assert_string_equal(bsim_grade_name(BSIM_MEASURED), "measured");
    assert_string_equal(bsim_grade_name(BSIM_DOCUMENTED), "documented");
    assert_string_equal(bsim_grade_name(BSIM_ASSUMED), "assumed");
    assert_true(BSIM_MEASURED < BSIM_DOCUMENTED && BSIM_DOCUMENTED < BSIM_ASSUMED);
    assert_string_equal(bsim_rule_name(BSIM_RULE_WIDE), "wide requests in lane groups");
    for (int a = 0; a < BSIM_N_RULES; a++) {
        assert_non_null(bsim_rule_name((enum bsim_rule)a));
        for (int b = 0; b < a; b++) {
            assert_string_not_equal(bsim_rule_name((enum bsim_rule)a),
                                    bsim_rule_name((enum bsim_rule)b));
        }
    }
    assert_string_equal(bsim_rule_name(BSIM_N_RULES), "unknown");
}

/* 2 x 3201 MHz x 6016 bits are 4814 GB/s. */
static void gpus_have_a_memory(void **state)
{
    (void)state;
    struct bsim_device device;
    assert_int_equal(bsim_device_find("h200", NULL, &device, NULL), BSIM_OK);
    assert_int_equal(device.memory_gb_per_s, UINT64_C(2) * 3201 * 6016 / 8 / 1000);
    assert_int_equal(device.memory_basis.grade, BSIM_MEASURED);
    assert_int_equal(bsim_device_find("h100", NULL, &device, NULL), BSIM_OK);
    assert_int_equal(device.memory_basis.grade, BSIM_DOCUMENTED);
    assert_int_equal(bsim_device_find("gk110", NULL, &device, NULL), BSIM_OK);
    assert_int_equal(device.memory_gb_per_s, 0);
    assert_non_null(strstr(device.clock_basis.source, "its boards"));
}

/* Twice the memory's clock by its width, as deviceQuery prints them or NVIDIA's texts have them:
 * within one per cent of what NVIDIA prints in round numbers. */
static void memories_as_their_clocks(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t mhz, bits;
    } cases[] = {
        {"k40", 3004, 384},      {"gtx780", 3004, 384},    {"gtxtitanblack", 3500, 384},
        {"k80", 2505, 384},      {"gtx560ti", 2004, 256},  {"gtx970", 3505, 256},
        {"p100", 715, 4096},     {"gtx1080ti", 5505, 352}, {"gtx1060", 4004, 192},
        {"gt1030", 3004, 64},    {"v100", 877, 4096},      {"t4", 5001, 256},
        {"rtx2080", 7000, 256},  {"rtx2060", 7001, 192},   {"a100", 1215, 5120},
        {"a30", 1215, 3072},     {"a40", 7251, 384},       {"a10", 6251, 384},
        {"rtxa6000", 8001, 384}, {"rtx3080", 9501, 320},   {"rtx3070", 7001, 256},
        {"rtx3060", 7501, 192},  {"l40s", 9001, 384},      {"l4", 6251, 192},
        {"rtx4090", 10501, 384}, {"h100", 2619, 5120},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_device d = found(cases[i].name, 0, 0);
        double gb_per_s = 2.0 * cases[i].mhz * cases[i].bits / 8000;
        if (d.memory_gb_per_s < gb_per_s * 0.99 || d.memory_gb_per_s > gb_per_s * 1.01) {
            fail_msg("%s: %lu GB/s, its memory's clock gives %.0f", cases[i].name,
                     (unsigned long)d.memory_gb_per_s, gb_per_s);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_names_and_aliases),
        cmocka_unit_test(options_may_be_null),
        cmocka_unit_test(default_is_the_measured_one),
        cmocka_unit_test(index_and_name_agree),
        cmocka_unit_test(aliases_lead_back),
        cmocka_unit_test(every_device_is_sound),
        cmocka_unit_test(rules_by_generation),
        cmocka_unit_test(measured_where_it_was),
        cmocka_unit_test(pair_rule_is_documented_for_volta_and_turing_only),
        cmocka_unit_test(a_block_has_no_more_shared_memory_than_the_device_gives_it),
        cmocka_unit_test(capacities_as_published),
        cmocka_unit_test(registers_as_published),
        cmocka_unit_test(clocks_as_their_tflops),
        cmocka_unit_test(titan_black_as_in_the_lecture),
        cmocka_unit_test(clocks_as_published),
        cmocka_unit_test(counts_blocks),
        cmocka_unit_test(a_block_has_its_own_limit_of_registers),
        cmocka_unit_test(blocks_follow_the_carveout),
        cmocka_unit_test(carveouts_that_are_not_there),
        cmocka_unit_test(same_if_they_count_alike),
        cmocka_unit_test(banks_after_options),
        cmocka_unit_test(kepler_modes_differ_in_grade),
        cmocka_unit_test(refusals_say_what_to_do),
        cmocka_unit_test(long_name_leaves_room_for_the_list),
        cmocka_unit_test(every_known_name_is_listed),
        cmocka_unit_test(found_by_compute_capability),
        cmocka_unit_test(the_message_names_all_with_8_byte_banks),
        cmocka_unit_test(words),
        cmocka_unit_test(gpus_have_a_memory),
        cmocka_unit_test(memories_as_their_clocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
