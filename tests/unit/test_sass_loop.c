/* test_sass_loop.c - loops of machine code, written by hand: which are one atomic of PTX, and which are nearly such a loop and stay what they are.
 *
 * Each case is one of two loops with some of its lines changed. "HEAD" is where its load stands, "BEHIND" where it goes on.
 */
#include <banksim/sass.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINES = 16, MOST = 5, HEAD = 0x40, TEXT = 128 };

/* Four lines stand in front of the loop; an empty one is none. */
static const char *const addition[LINES] = {
    "VIADD R6, R7, UR4",
    "IADD3 R10, R10, 0x1, RZ",
    "NOP",
    "BSSY B0, BEHIND",
    "LDS R2, [R4+0x4]",
    "FADD R3, R5, R2",
    "",
    "ATOMS.CAST.SPIN R3, [R4+0x4], R2, R3",
    "ISETP.EQ.U32.AND P1, PT, R3, 0x1, PT",
    "",
    "@!P1 BRA HEAD",
    "BSYNC B0",
    "STS [R8], R9",
    "EXIT",
    "",
    "",
};

static const char *const minimum[LINES] = {
    "MOV R12, R6",
    "MOV R13, R7",
    "NOP",
    "BSSY B0, BEHIND",
    "LDS.64 R2, [R4]",
    "ISETP.GE.U32.AND P0, PT, R6, R2, PT",
    "ISETP.GE.AND.EX P0, PT, R7, R3, PT, P0",
    "@P0 BRA BEHIND",
    "ATOMS.CAST.SPIN.64 R10, [R4], R2, R6",
    "ISETP.EQ.U32.AND P0, PT, R10, 0x1, PT",
    "ISETP.EQ.U32.AND.EX P0, PT, R11, RZ, PT, P0",
    "@!P0 BRA HEAD",
    "BSYNC B0",
    "STS [R8], R9",
    "EXIT",
    "",
};

/* The lines of a case. */
static void put_together(const char *const *loop, const char *const *changes, char lines[LINES][TEXT])
{
    for (int i = 0; i < LINES; i++) {
        snprintf(lines[i], TEXT, "%s", loop[i]);
    }
    for (int k = 0; k < MOST && changes[k] != NULL; k++) { /* "7 FADD R3, R5, R2" */
        int i = 0, n = 0;
        assert_int_equal(sscanf(changes[k], "%d %n", &i, &n), 1);
        snprintf(lines[i], TEXT, "%s", changes[k] + n);
    }
}

/* With numbers where words stand. */
static void put_places(char *line, uint32_t behind)
{
    char *word = strstr(line, "HEAD"), *other = strstr(line, "BEHIND");
    if (word != NULL) {
        sprintf(word, "0x%x", HEAD);
    } else if (other != NULL) {
        sprintf(other, "0x%" PRIx32, behind);
    }
}

static struct bsim_buffer translate(char lines[LINES][TEXT])
{
    struct bsim_buffer dump = BSIM_BUFFER_EMPTY, ptx = BSIM_BUFFER_EMPTY;
    struct bsim_error err = {.message = ""};
    uint32_t behind = 0, offset = 0;
    for (int i = 0; i < LINES && strncmp(lines[i], "BSYNC", 5) != 0; i++) {
        behind += lines[i][0] != '\0' ? 16 : 0;
    }
    bsim_buffer_text(&dump, "64-bit ELF: type=ET_EXEC, ABI=8, sm=90, toolkit=13.0\n.nv.info.k\n Attribute: EIATTR_PARAM_CBANK\n Value: 0xb 0x210 \n"
                            ".text.k\nlmem=0 smem=2048\ncode for sm_90\nFunction : k\n");
    for (int i = 0; i < LINES; i++) {
        if (lines[i][0] != '\0') {
            put_places(lines[i], behind);
            bsim_buffer_printf(&dump, "/*%04" PRIx32 "*/ %s ; /* 0x3c003c0000000000 */\n/* 0x000fe20000000000 */\n", offset, lines[i]);
            offset += 16;
        }
    }
    if (bsim_sass_ptx("k.sass", dump.data, dump.size_bytes, &ptx, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    bsim_buffer_free(&dump);
    return ptx;
}

/* What it is told as: the words of the PTX; a loop has a trial, a compare-and-swap. */
static void expect(const char *const *loop, const char *const *changes, const char *told)
{
    char lines[LINES][TEXT];
    put_together(loop, changes, lines);
    struct bsim_buffer ptx = translate(lines);
    if (strstr(ptx.data, told) == NULL || (strstr(told, "cas") == NULL) != (strstr(ptx.data, ".shared.cas") == NULL)) {
        fail_msg("%s, %s: not told as %s", changes[0] != NULL ? changes[0] : "as it stands", changes[0] != NULL && changes[1] != NULL ? changes[1] : "",
                 told);
    }
    bsim_buffer_free(&ptx);
}

static const struct form {
    const char *told;
    const char *changes[MOST];
} additions[] = {
    {"red.shared.add.f32 [%R4+-1020], %R5", {NULL}},
    {"red.shared.add.f32 [%R4+-1020], %t", {"5 FADD R3, -R5, R2"}},
    {"red.shared.add.f32 [%R4+-1020], 0f3FC00000", {"5 FADD R3, R2, 1.5"}},
    {"red.shared.add.noftz.f16x2", {"5 HADD2 R3, R2, R5"}},
    {"red.shared.add.noftz.f16x2", {"5 HFMA2.MMA R3, R2, 1, 1, R5"}},
    {"atom.shared.add.f32", {"12 STS [R8], R2"}},                             /* what was there before is read */
    {"red.shared.add.f32", {"12 STS [R8], R3"}},                              /* what tells that the trial is won is 1 */
    {"atom.shared.add.f32", {"7 ATOMS.CAST.SPIN R9, [R4+0x4], R2, R3", "8 ISETP.EQ.U32.AND P1, PT, R9, 0x1, PT", "12 STS [R8], R3"}}, /* what was made */
    {"red.shared.add.f32", {"4 LDS R2, [R7+UR4+0x4]", "7 ATOMS.CAST.SPIN R3, [R6+0x4], R2, R3"}},
    {"red.shared.add.f32", {"4 LDS R2, [UR4]", "6 IMAD.U32 R6, RZ, RZ, UR4", "7 ATOMS.CAST.SPIN R3, [R6], R2, R3"}},
    {"red.shared.add.f32", {"4 LDS R2, [R4.X4]", "7 ATOMS.CAST.SPIN R3, [R4.X4], R2, R3"}},
    {"red.shared.add.f32", {"6 MOV R3, R3"}},
    /* nearly: another address, one that was other in front of the loop, or is in each round */
    {"cas", {"7 ATOMS.CAST.SPIN R3, [R4+0x8], R2, R3"}},
    {"cas", {"7 ATOMS.CAST.SPIN R3, [R6+0x4], R2, R3"}},
    {"cas", {"1 IADD3 R7, R7, 0x4, RZ", "4 LDS R2, [R7+UR4]", "7 ATOMS.CAST.SPIN R3, [R6], R2, R3"}},
    {"cas", {"0 @P2 VIADD R6, R7, UR4", "4 LDS R2, [R7+UR4]", "7 ATOMS.CAST.SPIN R3, [R6], R2, R3"}},
    {"cas", {"2 @P2 BRA 0x20", "4 LDS R2, [R7+UR4]", "7 ATOMS.CAST.SPIN R3, [R6], R2, R3"}},
    {"cas", {"4 LDS R2, [R4.X4+0x4]"}},
    {"cas", {"5 FADD R4, R5, R2", "7 ATOMS.CAST.SPIN R3, [R4+0x4], R2, R4"}},
    /* another operation, another value in each round, something else that is compared or put there */
    {"cas", {"5 FMUL R3, R5, R2"}},
    {"cas", {"5 FADD.FTZ R3, R5, R2"}},
    {"cas", {"5 FADD R3, R5, -R2"}},
    {"cas", {"5 FADD R3, R2, R2"}},
    {"cas", {"5 FADD R3, R5, R6"}},
    {"cas", {"5 FADD R5, R5, R2", "7 ATOMS.CAST.SPIN R3, [R4+0x4], R2, R5"}},
    {"cas", {"5 HFMA2.MMA R3, R2, 2, 1, R5"}},
    {"cas", {"7 ATOMS.CAST.SPIN R3, [R4+0x4], R9, R3"}},
    {"cas", {"7 ATOMS.CAST.SPIN R3, [R4+0x4], R2, R5"}},
    /* another end, something besides, somebody who comes in between, a condition */
    {"cas", {"8 ISETP.EQ.U32.AND P1, PT, R3, 0x0, PT"}},
    {"cas", {"8 ISETP.EQ.U32.AND P1, PT, R2, 0x1, PT"}},
    {"cas", {"8 ISETP.EQ.U32.AND P1, P2, R3, 0x1, PT"}},
    {"cas", {"10 @P1 BRA HEAD"}},
    {"cas", {"10 @!P2 BRA HEAD"}},
    {"cas", {"10 @!P1 BRA 0x20"}},
    {"cas", {"6 IADD3 R10, R10, 0x1, RZ"}},
    {"cas", {"9 IADD3 R10, R10, 0x1, RZ"}},
    {"cas", {"2 @P2 BRA 0x60"}},
    {"cas", {"4 @P2 LDS R2, [R4+0x4]"}},
    /* registers that no GPU has */
    {"cas", {"4 LDS R300, [R4+0x4]", "5 FADD R3, R5, R300", "7 ATOMS.CAST.SPIN R3, [R4+0x4], R300, R3"}},
    {"cas", {"4 LDS R2, [R4294967]", "7 ATOMS.CAST.SPIN R3, [R4294967], R2, R3"}},
};

static void additions_are_one_request(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof additions / sizeof *additions; i++) {
        expect(addition, additions[i].changes, additions[i].told);
    }
}

static const struct form minima[] = {
    {"red.shared.min.s64", {NULL}},
    {"red.shared.min.u64", {"6 ISETP.GE.U32.AND.EX P0, PT, R7, R3, PT, P0"}},
    {"red.shared.max.s64", {"5 ISETP.LE.U32.AND P0, PT, R6, R2, PT", "6 ISETP.LE.AND.EX P0, PT, R7, R3, PT, P0"}},
    {"red.shared.min.s64", {"8 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}}, /* a copy of what is compared */
    {"cas", {"8 ATOMS.CAST.SPIN.64 R10, [R4], R2, R14"}},
    {"cas", {"2 IADD3 R6, R6, 0x1, RZ", "8 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"cas", {"13 STS.64 [R8], R2"}}, /* lanes that change nothing have left before the others */
    {"cas", {"13 STS [R8], R10"}},
    {"cas", {"5 ISETP.GT.U32.AND P0, PT, R6, R2, PT"}},
    {"cas", {"5 ISETP.GE.U32.AND P0, PT, R2, R6, PT"}},
    {"cas", {"6 ISETP.GE.AND.EX P0, PT, R7, R3, PT, P1"}},
    {"cas", {"7 @P0 BRA 0x20"}},
    {"cas", {"7 @!P0 BRA BEHIND"}},
    {"cas", {"10 ISETP.EQ.U32.AND.EX P0, PT, R10, RZ, PT, P0"}},
};

static void minima_are_one_request(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof minima / sizeof *minima; i++) {
        expect(minimum, minima[i].changes, minima[i].told);
    }
}

/* R2 has what was there before: whether it is read, by operands of one register or two, in calls and behind them, and what sets it first. */
static const struct form readers[] = {
    {"red.shared", {"12 IMAD.WIDE R10, R1, R1, R14"}},
    {"red.shared", {"12 IMAD.WIDE.U32 R10, P2, R8, R1, R14"}},
    {"atom.shared", {"12 IMAD.WIDE R10, R8, R9, R1"}},
    {"atom.shared", {"12 IMAD.WIDE.U32 R10, P2, R8, R9, R1"}},
    {"red.shared", {"12 SHF.R.U64 R10, R1, 0x2, R1"}},
    {"red.shared", {"12 F2I.S64.TRUNC R10, R1"}},
    {"atom.shared", {"12 F2I.S64.F64.TRUNC R10, R1"}},
    {"red.shared", {"12 I2F.F64 R10, R1"}},
    {"atom.shared", {"12 I2F.F64.S64 R10, R1"}},
    {"red.shared", {"12 F2F.F64.F32 R10, R1"}},
    {"atom.shared", {"12 F2F.F32.F64 R10, R1"}},
    {"red.shared", {"12 F2I.U64.TRUNC R1, R8", "13 STS [R8], R2", "14 EXIT"}},
    {"atom.shared", {"12 F2I.F64.TRUNC R1, R8", "13 STS [R8], R2", "14 EXIT"}},
    {"red.shared", {"12 I2F.F64 R1, R8", "13 STS [R8], R2", "14 EXIT"}},
    {"atom.shared", {"12 I2F.S64 R1, R8", "13 STS [R8], R2", "14 EXIT"}},
    {"red.shared", {"12 CS2R R1, SRZ", "13 STS [R8], R2", "14 EXIT"}},
    {"atom.shared", {"12 CS2R.32 R1, SR_CLOCKLO", "13 STS [R8], R2", "14 EXIT"}},
    {"red.shared", {"12 @!P2 LDS R2, [R8]", "13 @!P2 STS [R8], R2", "14 EXIT"}}, /* under a condition */
    {"red.shared", {"12 @!P2 LDS R2, [R8]", "13 LDS R2, [R8]", "14 STS [R8], R2", "15 EXIT"}},
    {"atom.shared", {"12 @!P2 LDS R2, [R8]", "13 @P2 STS [R8], R2", "14 EXIT"}},
    {"atom.shared", {"12 @!P2 LDS R2, [R8]", "13 STS [R8], R2", "14 EXIT"}},
    {"atom.shared", {"12 @!P2 LDS R2, [R8]", "13 ISETP.EQ.AND P2, PT, R8, R9, PT", "14 @!P2 STS [R8], R2", "15 EXIT"}},
    {"red.shared", {"12 @!P2 LDS R2, [R8]", "13 ISETP.EQ.AND P3, PT, R8, R9, PT", "14 @!P2 STS [R8], R2", "15 EXIT"}},
    {"atom.shared", {"12 @!P2 LDS R2, [R8]", "13 @!P2 R2P PR, R9, 0x7f", "14 @!P2 STS [R8], R2", "15 EXIT"}},
    {"red.shared", {"12 CALL.REL.NOINC 0xc0", "14 RET.REL.NODEC R20 0x0"}},
    {"atom.shared", {"12 CALL.REL.NOINC 0xc0", "14 STS [R8], R2", "15 EXIT"}},
    {"atom.shared", {"12 CALL.REL.NOINC 0xc0", "13 STS [R8], R2", "14 RET.REL.NODEC R20 0x0"}},
    {"atom.shared", {"0 CALL.REL.NOINC 0x30", "1 STS [R8], R2", "2 EXIT", "12 RET.REL.NODEC R20 0x0"}}, /* behind the call in which the loop is */
    {"red.shared", {"0 CALL.REL.NOINC 0x30", "1 STS [R8], R9", "2 EXIT", "12 RET.REL.NODEC R20 0x0"}},
};

static void what_nobody_reads_is_not_given(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        expect(addition, readers[i].changes, readers[i].told);
    }
}

/* Its place is its trial's, line 19 of the dump, and it awaits what its instructions do; a BSYNC that others come to stays. */
static void its_place_is_its_trials(void **state)
{
    static const char *const nothing[MOST] = {NULL}, *const shared[MOST] = {"1 @P3 BRA BEHIND"};
    char lines[LINES][TEXT];
    (void)state;
    put_together(addition, nothing, lines);
    struct bsim_buffer ptx = translate(lines);
    assert_non_null(strstr(ptx.data, "\t.loc 1 21 0\n\t.pragma \"banksim issue 1 7 7 0 0 0 0 8 0\";\n\tred.shared"));
    assert_null(strstr(ptx.data, "L40_0:"));
    assert_null(strstr(ptx.data, " 8 2\"")); /* a meeting */
    bsim_buffer_free(&ptx);
    put_together(addition, shared, lines);
    ptx = translate(lines);
    assert_non_null(strstr(ptx.data, "red.shared"));
    assert_non_null(strstr(ptx.data, "L90_0:"));
    assert_non_null(strstr(ptx.data, " 8 2\""));
    bsim_buffer_free(&ptx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(additions_are_one_request),
        cmocka_unit_test(minima_are_one_request),
        cmocka_unit_test(what_nobody_reads_is_not_given),
        cmocka_unit_test(its_place_is_its_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
