/* test_opcode.c - the spellings of traces/FORMAT.md: every one of its table, and none beside it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/event.h>

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- single spellings, taken apart by hand -------------------------------------------------- */

struct spelling {
    const char *name;
    struct bsim_opcode opcode;
};

static const struct spelling spelling[] = {
    {"ld.shared.u32", {BSIM_LD, BSIM_SHARED, 0, 'u', 32, 1, 4, false, false, 0, 0}},
    {"ld.shared.v4.f32", {BSIM_LD, BSIM_SHARED, 0, 'f', 32, 4, 16, false, false, 0, 0}},
    {"ld.volatile.shared.v2.b64", {BSIM_LD, BSIM_SHARED, 0, 'b', 64, 2, 16, true, false, 0, 0}},
    {"ld.global.s8", {BSIM_LD, BSIM_GLOBAL, 0, 's', 8, 1, 1, false, false, 0, 0}},
    {"ld.const.v4.u16", {BSIM_LD, BSIM_CONST, 0, 'u', 16, 4, 8, false, false, 0, 0}},
    {"st.shared.f64", {BSIM_ST, BSIM_SHARED, 0, 'f', 64, 1, 8, false, false, 0, 0}},
    {"st.volatile.global.v2.u8", {BSIM_ST, BSIM_GLOBAL, 0, 'u', 8, 2, 2, true, false, 0, 0}},
    {"atom.shared.add.u32", {BSIM_ATOM, BSIM_SHARED, BSIM_ADD, 'u', 32, 1, 4, false, false, 0, 0}},
    {"atom.shared.cas.b64", {BSIM_ATOM, BSIM_SHARED, BSIM_CAS, 'b', 64, 1, 8, false, false, 0, 0}},
    {"red.global.max.s32", {BSIM_RED, BSIM_GLOBAL, BSIM_MAX, 's', 32, 1, 4, false, false, 0, 0}},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16",
     {BSIM_LDMATRIX, BSIM_SHARED, 0, 'b', 16, 4, 16, false, false, 0, 0}},
    {"stmatrix.sync.aligned.m8n8.x1.trans.shared.b16",
     {BSIM_STMATRIX, BSIM_SHARED, 0, 'b', 16, 1, 16, false, true, 0, 0}},
    {"shfl.sync.down.b32",
     {BSIM_SHFL, BSIM_NO_SPACE, BSIM_DOWN, 'b', 32, 0, 0, false, false, 0, 0}},
    {"bar.sync", {BSIM_BAR, BSIM_NO_SPACE, 0, 0, 0, 0, 0, false, false, 0, 0}},
    {"bar.warp.sync", {BSIM_WARP_SYNC, BSIM_NO_SPACE, 0, 0, 0, 0, 0, false, false, 0, 0}},
    {"membar.gl", {BSIM_FENCE, BSIM_NO_SPACE, BSIM_MEMBAR, 0, 0, 0, 0, false, false, BSIM_GPU, 0}},
    {"fence.acq_rel.sys",
     {BSIM_FENCE, BSIM_NO_SPACE, BSIM_ACQ_REL, 0, 0, 0, 0, false, false, BSIM_SYS, 0}},
    {"fence.proxy.async", {BSIM_FENCE, BSIM_NO_SPACE, BSIM_PROXY_ASYNC, 0, 0, 0, 0, false, false, BSIM_NO_SCOPE, 0}},
    {"fence.proxy.async.shared::cta",
     {BSIM_FENCE, BSIM_NO_SPACE, BSIM_PROXY_ASYNC, 0, 0, 0, 0, false, false, BSIM_VIEW_SHARED, 0}},
    {"fence.proxy.async.shared::cluster",
     {BSIM_FENCE, BSIM_NO_SPACE, BSIM_PROXY_ASYNC, 0, 0, 0, 0, false, false, BSIM_VIEW_CLUSTER, 0}},
    {"fence.proxy.async.global",
     {BSIM_FENCE, BSIM_NO_SPACE, BSIM_PROXY_ASYNC, 0, 0, 0, 0, false, false, BSIM_VIEW_GLOBAL, 0}},
    {"red.shared.add.noftz.f16x2",
     {BSIM_RED, BSIM_SHARED, BSIM_ADD, 'h', 32, 1, 4, false, false, 0, 0}},
    {"ld.global.nc.v2.f32", {BSIM_LD, BSIM_GLOBAL, 0, 'f', 32, 2, 8, false, false, 0, BSIM_NC}},
    {"ldu.global.u8", {BSIM_LD, BSIM_GLOBAL, 0, 'u', 8, 1, 1, false, false, 0, BSIM_LDU}},
    {"ld.volatile.local.u32", {BSIM_LD, BSIM_LOCAL, 0, 'u', 32, 1, 4, true, false, 0, 0}},
    {"st.local.v4.f32", {BSIM_ST, BSIM_LOCAL, 0, 'f', 32, 4, 16, false, false, 0, 0}},
    {"tex.1d.v4.u8", {BSIM_LD, BSIM_TEXTURE, 0, 'u', 8, 4, 4, false, false, 0, 0}},
};

static void single_spellings(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(spelling); i++) {
        const char *name = spelling[i].name;
        const struct bsim_opcode *expected = &spelling[i].opcode;
        struct bsim_opcode opcode;
        char written[BSIM_OPCODE_NAME_SIZE];
        if (bsim_opcode_parse(name, strlen(name), &opcode, NULL) != BSIM_OK) {
            fail_msg("%s: refused", name);
        }
        if (memcmp(&opcode, expected, sizeof opcode) != 0) {
            fail_msg("%s: other fields", name);
        }
        if (strcmp(bsim_opcode_name(expected, written), name) != 0) {
            fail_msg("%s: written as %s", name, written);
        }
    }
}

/* ---- the table of the format, spelled out --------------------------------------------------- */

enum { MAX_SPELLINGS = 2000 };

static char (*spelled)[BSIM_OPCODE_NAME_SIZE];
static size_t n_spelled;

static void spell(const char *format, ...) BSIM_PRINTF(1, 2);
static void spell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    assert_true(n_spelled < MAX_SPELLINGS);
    (void)vsnprintf(spelled[n_spelled++], BSIM_OPCODE_NAME_SIZE, format, arguments);
    va_end(arguments);
}

/* Vector word, element and their bytes: those of 16 at most. */
static void spell_accesses(const char *head, unsigned most_bits)
{
    static const char *const vector[] = {"", ".v2", ".v4"};
    static const unsigned count[] = {1, 2, 4};
    static const unsigned bits[] = {8, 16, 32, 64};
    for (size_t v = 0; v < N_OF(vector); v++) {
        for (size_t b = 0; b < N_OF(bits); b++) {
            for (const char *letter = "busf"; *letter != '\0'; letter++) {
                if (count[v] * bits[b] <= 128 && bits[b] <= most_bits &&
                    (*letter != 'f' || bits[b] >= 32)) {
                    spell("%s%s.%c%u", head, vector[v], *letter, bits[b]);
                }
            }
        }
    }
}

/* As ptxas 13.0 takes them, asked for each operation and type. */
static void spell_atomics(const char *head)
{
    static const char *const adds[] = {"u32", "s32",         "u64",         "f32",
                                       "f64", "noftz.f16x2", "noftz.bf16x2"};
    static const char *const orders[] = {"u32", "s32", "u64", "s64"};
    static const char *const bits[] = {"and", "or", "xor", "exch", "cas"};
    size_t n_bits = head[0] == 'a' ? N_OF(bits) : 3; /* red has no exch and cas */
    for (size_t i = 0; i < N_OF(adds); i++) {
        spell("%s.add.%s", head, adds[i]);
    }
    for (size_t i = 0; i < N_OF(orders); i++) {
        spell("%s.min.%s", head, orders[i]);
        spell("%s.max.%s", head, orders[i]);
    }
    spell("%s.inc.u32", head);
    spell("%s.dec.u32", head);
    for (size_t i = 0; i < n_bits; i++) {
        spell("%s.%s.b32", head, bits[i]);
        spell("%s.%s.b64", head, bits[i]);
    }
}

/* What PTX has: st.async of 4 and 8 bytes, up to 16 together; red.async of 4, and sums of u64. */
static void spell_telling(void)
{
    static const char *const ops[] = {"add.u32", "add.s32", "add.u64", "min.u32", "min.s32", "max.u32",
                                      "max.s32", "inc.u32", "dec.u32", "and.b32", "or.b32",  "xor.b32"};
    for (const char *letter = "busf"; *letter != '\0'; letter++) {
        spell("st.async.shared::cluster.%c32", *letter);
        spell("st.async.shared::cluster.v2.%c32", *letter);
        spell("st.async.shared::cluster.v4.%c32", *letter);
        spell("st.async.shared::cluster.%c64", *letter);
        spell("st.async.shared::cluster.v2.%c64", *letter);
    }
    for (size_t i = 0; i < N_OF(ops); i++) {
        spell("red.async.shared::cluster.%s", ops[i]);
    }
}

static void spell_all(void)
{
    static const char *const access[] = {
        "ld.shared", "ld.volatile.shared", "ld.global",    "ld.volatile.global",
        "ld.const",  "ld.volatile.const",  "st.shared",    "st.volatile.shared",
        "st.global", "st.volatile.global", "ld.local",     "ld.volatile.local",
        "st.local",  "st.volatile.local",  "ld.global.nc", "ldu.global",
        "ld.shared::cluster", "ld.volatile.shared::cluster",
        "st.shared::cluster", "st.volatile.shared::cluster"};
    static const char *const atomic[] = {"atom.shared", "atom.global", "atom.shared::cluster",
                                         "red.shared",  "red.global",  "red.shared::cluster"};
    static const char *const other[] = {"shfl.sync.idx.b32",
                                        "shfl.sync.up.b32",
                                        "shfl.sync.down.b32",
                                        "shfl.sync.bfly.b32",
                                        "bar.sync",
                                        "bar.warp.sync",
                                        "membar.cta",
                                        "membar.gl",
                                        "membar.sys",
                                        "fence.sc.cta",
                                        "fence.sc.gpu",
                                        "fence.sc.sys",
                                        "fence.proxy.async",
                                        "fence.proxy.async.shared::cta",
                                        "fence.proxy.async.shared::cluster",
                                        "fence.proxy.async.global",
                                        "fence.acq_rel.cta",
                                        "fence.acq_rel.gpu",
                                        "fence.acq_rel.sys",
                                        "red.shared.popc.inc.u32",
                                        "cp.async.ca.shared.global.4",
                                        "cp.async.ca.shared.global.8",
                                        "cp.async.ca.shared.global.16",
                                        "cp.async.cg.shared.global.16"};
    for (size_t i = 0; i < N_OF(access); i++) {
        spell_accesses(access[i], 64);
    }
    spell_accesses("tex.1d", 32);
    spell_telling();
    for (size_t i = 0; i < N_OF(atomic); i++) {
        spell_atomics(atomic[i]);
    }
    for (unsigned n = 1; n <= 4; n *= 2) {
        spell("ldmatrix.sync.aligned.m8n8.x%u.shared.b16", n);
        spell("ldmatrix.sync.aligned.m8n8.x%u.trans.shared.b16", n);
        spell("stmatrix.sync.aligned.m8n8.x%u.shared.b16", n);
        spell("stmatrix.sync.aligned.m8n8.x%u.trans.shared.b16", n);
    }
    for (size_t i = 0; i < N_OF(other); i++) {
        spell("%s", other[i]);
    }
}

static int make_spellings(void **state)
{
    (void)state;
    spelled = calloc(MAX_SPELLINGS, sizeof *spelled);
    if (spelled == NULL) {
        return -1;
    }
    n_spelled = 0;
    spell_all();
    return 0;
}

static int free_spellings(void **state)
{
    (void)state;
    free(spelled);
    return 0;
}

static void every_spelling_is_read_and_written(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_spelled; i++) {
        struct bsim_opcode opcode;
        struct bsim_error err;
        char name[BSIM_OPCODE_NAME_SIZE];
        if (bsim_opcode_parse(spelled[i], strlen(spelled[i]), &opcode, &err) != BSIM_OK) {
            fail_msg("%s: %s", spelled[i], err.message);
        }
        if (strcmp(bsim_opcode_name(&opcode, name), spelled[i]) != 0) {
            fail_msg("%s: written as %s", spelled[i], name);
        }
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The list has each spelling of the table once and no other. */
static void the_list_is_the_table(void **state)
{
    (void)state;
    char(*listed)[BSIM_OPCODE_NAME_SIZE] = calloc(MAX_SPELLINGS, sizeof *listed);
    struct bsim_opcode opcode;
    size_t n = 0;
    assert_non_null(listed);
    for (; n < MAX_SPELLINGS && bsim_opcode_at(n, &opcode); n++) {
        struct bsim_opcode parsed;
        bsim_opcode_name(&opcode, listed[n]);
        if (bsim_opcode_parse(listed[n], strlen(listed[n]), &parsed, NULL) != BSIM_OK ||
            memcmp(&parsed, &opcode, sizeof opcode) != 0) {
            fail_msg("%s: listed with other fields than it is read with", listed[n]);
        }
    }
    assert_int_equal(n, n_spelled);
    qsort(listed, n, sizeof *listed, by_text);
    qsort(spelled, n_spelled, sizeof *spelled, by_text);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(listed[i], spelled[i]);
    }
    free(listed);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static const struct {
    const char *name;
    const char *message; /* a part of it */
} refused[] = {
    {"", "it begins with"},
    {"lds.shared.u32", "it begins with"},
    {"work", "it begins with"},
    {"LD.shared.u32", "it begins with"},
    {"ld", "shared, shared::cluster, global, local or const"},
    {"ld.texture.u32", "shared, shared::cluster, global, local or const"},
    {"ld.1d.u32", "shared, shared::cluster, global, local or const"},
    {"ld.shared.nc.u32", "an element"},
    {"ld.volatile.global.nc.u32", "an element"},
    {"st.global.nc.u32", "an element"},
    {"ldu.shared.u32", "ldu.global"},
    {"ldu.global.nc.u32", "an element"},
    {"tex.2d.u32", "tex.1d of linear memory"},
    {"tex.1d.v2.u64", "a texel's components"},
    {"tex.1d.f64", "a texel's components"},
    {"ld.shared", "an element"},
    {"ld.shared.", "an element"},
    {"ld..shared.u32", "shared, shared::cluster, global, local or const"},
    {".ld.shared.u32", "it begins with"},
    {"ld.shared.volatile.u32", "an element"},
    {"ld.shared.u33", "'ld.shared.u33'"},
    {"ld.shared.x32", "an element"},
    {"ld.shared.u032", "an element"},
    {"ld.shared.u", "an element"},
    {"ld.shared.v1.u32", "an element"},
    {"ld.shared.v3.u32", "an element"},
    {"ld.shared.v8.u8", "an element"},
    {"ld.shared.v4.u64", "16 bytes at most"},
    {"st.shared.v4.f64", "16 bytes at most"},
    {"ld.shared.u32.", "nothing follows"},
    {"ld.shared.u32.v2", "nothing follows"},
    {"st.const.u32", "read-only"},
    {"st.volatile.const.u32", "read-only"},
    {"st.tex.u32", "shared, shared::cluster, global or local"},
    {"atom.const.add.u32", "shared, shared::cluster or global"},
    {"red.shared::cluster.popc.inc.u32", "the operation is one of"},
    {"ld.shared::cta.u32", "shared, shared::cluster, global"},
    {"st.async.shared.u32", "after st.async shared::cluster"},
    {"st.async.shared::cluster.u16", "elements of 32 or 64 bits"},
    {"st.async.shared::cluster.v4.b64", "16 bytes at most"},
    {"ld.async.shared::cluster.u32", "after ld [.volatile] comes"},
    {"red.async.shared.add.u32", "after atom or red comes"},
    {"red.async.shared::cluster.add.f32", "red.async is add of u32"},
    {"red.async.shared::cluster.min.u64", "red.async is add of u32"},
    {"red.async.shared::cluster.exch.b32", "red.async is add of u32"},
    {"atom.async.shared::cluster.add.u32", "after atom or red comes"},
    {"atom.shared.sub.u32", "the operation is one of"},
    {"atom.shared.u32", "the operation is one of"},
    {"ld.shared.f8", "narrower floats are b8 and b16"},
    {"st.global.v2.f16", "narrower floats are b8 and b16"},
    {"atom.shared.add.s64", "add is of u32"},
    {"atom.shared.add.b32", "add is of u32"},
    {"atom.shared.min.f32", "min and max are of u32"},
    {"red.global.max.b64", "min and max are of u32"},
    {"atom.shared.inc.s32", "inc and dec are of u32"},
    {"atom.shared.dec.u64", "inc and dec are of u32"},
    {"atom.shared.exch.f32", "exch and cas are atom's alone"},
    {"red.shared.cas.b32", "exch and cas are atom's alone"},
    {"atom.shared.xor.u32", "and, or and xor are of b32 or b64"},
    {"atom.shared.max.noftz.f16x2", "min and max are of u32"},
    {"atom.shared.add.f16x2", "32 or 64 bits"},
    {"atom.shared.add.noftz", "32 or 64 bits"},
    {"atom.shared.add.noftz.f32", "32 or 64 bits"},
    {"atom.shared.add.u16", "32 or 64 bits"},
    {"atom.shared.add.v2.f32", "32 or 64 bits"},
    {"red.shared.idx.u32", "the operation is one of"},
    {"ldmatrix.sync.aligned.m8n8.x3.shared.b16", "a matrix form is"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.trans.b16", "a matrix form is"},
    {"ldmatrix.sync.aligned.m8n8.x1.global.b16", "a matrix form is"},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b8", "a matrix form is"},
    {"stmatrix.aligned.sync.m8n8.x1.shared.b16", "a matrix form is"},
    {"shfl.idx.b32", "an exchange is"},
    {"shfl.sync.add.b32", "an exchange is"},
    {"shfl.sync.idx.u32", "an exchange is"},
    {"bar", "a barrier is"},
    {"bar.sync.0", "nothing follows"},
    {"bar.arrive", "a barrier is"},
    {"bar.warp", "a barrier is"},
    {"bar.warp.sync.b32", "nothing follows"},
    {"membar", "a fence is"},
    {"membar.gpu", "a fence is"},
    {"membar.sc.gl", "a fence is"},
    {"fence.gl", "a fence is"},
    {"fence.sc.gl", "a fence is"},
    {"fence.acq_rel", "a fence is"},
    {"fence.acq_rel.gpu.global", "nothing follows"},
};

static void refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(refused); i++) {
        struct bsim_opcode opcode = {.family = 99};
        struct bsim_error err;
        const char *name = refused[i].name;
        if (bsim_opcode_parse(name, strlen(name), &opcode, &err) != BSIM_E_INPUT) {
            fail_msg("%s: not refused", name);
        }
        if (strstr(err.message, refused[i].message) == NULL) {
            fail_msg("%s: '%s' does not have '%s'", name, err.message, refused[i].message);
        }
        assert_int_equal(opcode.family, 99);
    }
}

/* The length counts, not a NUL; and a NUL is no end. */
static void length_bounds_the_text(void **state)
{
    (void)state;
    struct bsim_opcode opcode;
    assert_int_equal(bsim_opcode_parse("ld.shared.u32.v2", 13, &opcode, NULL), BSIM_OK);
    assert_int_equal(opcode.bits, 32);
    assert_int_equal(bsim_opcode_parse("ld\0.shared.u32", 14, &opcode, NULL), BSIM_E_INPUT);
    assert_int_equal(bsim_opcode_parse("ld.shared\0x.u32", 15, &opcode, NULL), BSIM_E_INPUT);
    assert_int_equal(bsim_opcode_parse("bar.sync\0", 9, &opcode, NULL), BSIM_E_INPUT);
}

static void a_long_opcode_is_cut_in_the_message(void **state)
{
    (void)state;
    char name[5000];
    struct bsim_opcode opcode;
    struct bsim_error err;
    memset(name, 'x', sizeof name);
    assert_int_equal(bsim_opcode_parse(name, sizeof name, &opcode, &err), BSIM_E_INPUT);
    assert_non_null(strstr(err.message, "it begins with"));
}

/* ---- addresses and lanes -------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t mask, lanes, n;
    bool is_access;
} asks[] = {
    {"ld.shared.u32", 0xffffffff, 0xffffffff, 32, true},
    {"st.global.v4.u32", 0x80000001, 0x80000001, 2, true},
    {"atom.shared.add.u32", 0x000000f0, 0x000000f0, 4, true},
    {"red.shared.add.u32", 0x00000000, 0x00000000, 0, true},
    {"ldmatrix.sync.aligned.m8n8.x1.shared.b16", 0xffffffff, 0x000000ff, 8, true},
    {"ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", 0xffffffff, 0x0000ffff, 16, true},
    {"stmatrix.sync.aligned.m8n8.x4.shared.b16", 0xffffffff, 0xffffffff, 32, true},
    {"shfl.sync.idx.b32", 0xffffffff, 0, 0, false},
    {"bar.sync", 0xffffffff, 0, 0, false},
};

static void lanes_and_addresses(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OF(asks); i++) {
        struct bsim_opcode opcode;
        const char *name = asks[i].name;
        assert_int_equal(bsim_opcode_parse(name, strlen(name), &opcode, NULL), BSIM_OK);
        if (bsim_opcode_lanes(&opcode, asks[i].mask) != asks[i].lanes ||
            bsim_bits_population(bsim_opcode_lanes(&opcode, asks[i].mask)) != asks[i].n ||
            bsim_opcode_is_access(&opcode) != asks[i].is_access) {
            fail_msg("%s with mask %08x: other lanes or addresses", name, asks[i].mask);
        }
    }
}

static void work_is_no_spelling_but_has_a_name(void **state)
{
    (void)state;
    struct bsim_opcode work = {.family = BSIM_WORK};
    char name[BSIM_OPCODE_NAME_SIZE];
    assert_string_equal(bsim_opcode_name(&work, name), "work");
    assert_int_equal(bsim_bits_population(bsim_opcode_lanes(&work, BSIM_FULL_MASK)), 0);
    assert_false(bsim_opcode_is_access(&work));
}

static void names_of_nonsense_are_short_and_terminated(void **state)
{
    (void)state;
    for (unsigned family = 0; family < 256; family++) {
        struct bsim_opcode opcode = {
            (uint8_t)family, 255, 255, 'z', 255, 255, 255, true, true, 255, 255};
        char name[BSIM_OPCODE_NAME_SIZE];
        assert_true(strlen(bsim_opcode_name(&opcode, name)) < BSIM_OPCODE_NAME_SIZE);
    }
}

/* ---- events --------------------------------------------------------------------------------- */

static void a_new_event_has_nothing(void **state)
{
    (void)state;
    struct bsim_event event;
    memset(&event, 0xaa, sizeof event);
    bsim_event_init(&event, &spelling[0].opcode);
    assert_memory_equal(&event.opcode, &spelling[0].opcode, sizeof event.opcode);
    assert_int_equal(event.warp, 0);
    assert_true(event.mask == BSIM_FULL_MASK);
    assert_false(event.affine);
    assert_null(event.site);
    assert_int_equal(event.wait, BSIM_ANY_COUNT);
    assert_int_equal(event.expect_wavefronts, BSIM_ANY_COUNT);
    assert_int_equal(event.expect_conflicts, BSIM_ANY_COUNT);
    assert_int_equal(event.work_count, 0);
    assert_int_equal(event.work_cycles, 0);
}

static void classes_of_work_have_names(void **state)
{
    static const char *const name[] = {"", "fp32", "int", "imad", "half", "fp64", "xu", "tensor", "lsu"};
    (void)state;
    for (uint32_t i = 1; i < BSIM_N_WORK_CLASSES; i++) {
        assert_string_equal(bsim_work_class_name(i), name[i]);
        assert_int_equal(bsim_work_class_find(name[i], strlen(name[i])), i);
    }
    assert_string_equal(bsim_work_class_name(BSIM_WORK_ANY), "");
    assert_string_equal(bsim_work_class_name(BSIM_N_WORK_CLASSES), "");
    assert_int_equal(bsim_work_class_find("fp32", 3), BSIM_N_WORK_CLASSES);
    assert_int_equal(bsim_work_class_find("", 0), BSIM_N_WORK_CLASSES);
}

/* B + l * S, where l counts all lanes: 0+4 with mask 000000f0 is 16,20,24,28. */
static void affine_addresses(void **state)
{
    (void)state;
    struct bsim_event event;
    uint64_t address[BSIM_WARP_LANES];
    bsim_event_init(&event, &spelling[0].opcode);
    event.mask = 0x000000f0;
    event.affine = true;
    event.stride = 4;
    bsim_event_addresses(&event, address);
    for (uint64_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        assert_true(address[lane] == (lane >= 4 && lane < 8 ? 4 * lane : 0));
    }
    event.base = 1000;
    event.stride = -4;
    bsim_event_addresses(&event, address);
    assert_true(address[4] == 984 && address[7] == 972 && address[3] == 0);
}

static void listed_addresses_and_rows(void **state)
{
    (void)state;
    struct bsim_event event;
    uint64_t address[BSIM_WARP_LANES];
    bsim_event_init(&event, &spelling[11].opcode); /* stmatrix x1: eight rows */
    for (uint64_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        event.address[lane] = 100 + lane;
    }
    bsim_event_addresses(&event, address);
    for (uint64_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        assert_true(address[lane] == (lane < 8 ? 100 + lane : 0));
    }
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(single_spellings),
        cmocka_unit_test(every_spelling_is_read_and_written),
        cmocka_unit_test(the_list_is_the_table),
        cmocka_unit_test(refusals),
        cmocka_unit_test(length_bounds_the_text),
        cmocka_unit_test(a_long_opcode_is_cut_in_the_message),
        cmocka_unit_test(lanes_and_addresses),
        cmocka_unit_test(work_is_no_spelling_but_has_a_name),
        cmocka_unit_test(names_of_nonsense_are_short_and_terminated),
        cmocka_unit_test(a_new_event_has_nothing),
        cmocka_unit_test(classes_of_work_have_names),
        cmocka_unit_test(affine_addresses),
        cmocka_unit_test(listed_addresses_and_rows),
    };
    return cmocka_run_group_tests(test, make_spellings, free_spellings);
}
