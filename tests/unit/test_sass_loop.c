/* test_sass_loop.c - loops of machine code, written by hand: which are one atomic of PTX, and which are nearly such a loop and stay what they are.
 *
 * Each case is one of a few loops with some of its lines changed. "HEAD" is where its load stands, "BEHIND" where it goes on.
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
    "",
    "ATOMS.CAST.SPIN.64 R10, [R4], R2, R6",
    "ISETP.EQ.U32.AND P0, PT, R10, 0x1, PT",
    "ISETP.EQ.U32.AND.EX P0, PT, R11, RZ, PT, P0",
    "@!P0 BRA HEAD",
    "BSYNC B0",
    "STS [R8], R9",
    "EXIT",
};

static const char *const bits[LINES] = {
    "MOV R12, 0x7",
    "MOV R13, RZ",
    "NOP",
    "BSSY B0, BEHIND",
    "LDS.64 R2, [R4]",
    "LOP3.LUT R6, R2, R8, RZ, 0xc0, !PT",
    "LOP3.LUT R7, R3, R9, RZ, 0xc0, !PT",
    "ATOMS.CAST.SPIN.64 R6, [R4], R2, R6",
    "ISETP.EQ.U32.AND P0, PT, R6, 0x1, PT",
    "ISETP.EQ.U32.AND.EX P0, PT, R7, RZ, PT, P0",
    "@!P0 BRA HEAD",
    "BSYNC B0",
    "STS [R8], R9",
    "EXIT",
    "",
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
            const char *halves = strstr(lines[i], "QNAN") != NULL ? "7e007e00" : "3c003c00"; /* of HFMA2's number */
            bsim_buffer_printf(&dump, "/*%04" PRIx32 "*/ %s ; /* 0x%s00000000 */\n/* 0x000fe20000000000 */\n", offset, lines[i], halves);
            offset += 16;
        }
    }
    if (bsim_sass_ptx("k.sass", dump.data, dump.size_bytes, &ptx, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
    bsim_buffer_free(&dump);
    return ptx;
}

/* What it is told as: words of the PTX, and behind '|' of what it adds; a loop has a trial, a compare-and-swap. */
static void expect(const char *const *loop, const char *const *changes, const char *told)
{
    char lines[LINES][TEXT], words[TEXT];
    put_together(loop, changes, lines);
    struct bsim_buffer ptx = translate(lines);
    snprintf(words, sizeof words, "%s", told);
    char *value = strchr(words, '|');
    if (value != NULL) {
        *value++ = '\0';
    }
    if (strstr(ptx.data, words) == NULL || (value != NULL && strstr(ptx.data, value) == NULL) ||
        (strstr(words, "cas") == NULL) != (strstr(ptx.data, ".shared.cas") == NULL)) {
        for (int i = 0; i < MOST && changes[i] != NULL; i++) {
            print_error("%s\n", changes[i]);
        }
        fail_msg("not told as %s", told);
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
    {"red.shared.min.s64", {"9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}}, /* a copy of what is compared */
    {"red.shared.min.s64|{0, 1006648320}", {"0 MOV R12, RZ", "1 HFMA2.MMA R13, -RZ, RZ, 1, 1", "5 ISETP.LE.U32.AND P0, PT, R2, RZ, PT",
                            "6 ISETP.LE.AND.EX P0, PT, R3, 0x3c003c00, PT, P0", "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"red.shared.max.u64|{4294967291, %R7}", {"0 MOV R12, -0x5", "5 ISETP.GE.U32.AND P0, PT, R2, -0x5, PT", "6 ISETP.GE.U32.AND.EX P0, PT, R3, R7, PT, P0",
                            "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"red.shared.max.s64|{%R6, %UR4}", {"0 UMOV UR4, 0x8", "1 IMAD.U32 R7, RZ, RZ, UR4", "5 ISETP.LE.U32.AND P0, PT, R6, R2, PT",
                            "6 ISETP.LE.AND.EX P0, PT, UR4, R3, PT, P0"}},
    {"red.shared.max.u64|{0, 0}", {"5 ISETP.GE.U32.AND P0, PT, R2, RZ, PT", "6 ISETP.GE.U32.AND.EX P0, PT, R3, RZ, PT, P0", "8 CS2R R12, SRZ",
                                   "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    /* another number, one that is not there on each way, or is another one by then; what is compared on the wrong side */
    {"cas", {"0 MOV R12, 0x4", "5 ISETP.GE.U32.AND P0, PT, R2, 0x5, PT", "6 ISETP.GE.U32.AND.EX P0, PT, R3, R7, PT, P0",
             "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"cas", {"0 @P2 MOV R12, 0x5", "5 ISETP.GE.U32.AND P0, PT, R2, 0x5, PT", "6 ISETP.GE.U32.AND.EX P0, PT, R3, R7, PT, P0",
             "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"cas", {"5 ISETP.GE.U32.AND P0, PT, R2, R6, PT", "6 ISETP.GE.AND.EX P0, PT, R7, R3, PT, P0"}},
    {"cas", {"0 HFMA2.MMA R12, -RZ, RZ, 1, 1", "1 MOV R13, RZ", "5 ISETP.GE.U32.AND P0, PT, R2, RZ, PT",
             "6 ISETP.GE.U32.AND.EX P0, PT, R3, RZ, PT, P0", "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"cas", {"5 ISETP.GE.U32.AND P0, PT, R2, RZ, PT", "6 ISETP.GE.U32.AND.EX P0, PT, R3, 0x1, PT, P0", "8 CS2R R12, SRZ",
             "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"cas", {"0 HFMA2.MMA R12, -RZ, RZ, +QNAN, +QNAN", "5 ISETP.GE.U32.AND P0, PT, R2, 0x7e007e00, PT", /* which makes 0x7fff7fff */
             "6 ISETP.GE.U32.AND.EX P0, PT, R3, R7, PT, P0", "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"cas", {"9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R14"}},
    {"cas", {"2 IADD3 R6, R6, 0x1, RZ", "9 ATOMS.CAST.SPIN.64 R10, [R4], R2, R12"}},
    {"cas", {"14 STS.64 [R8], R2"}}, /* lanes that change nothing have left before the others */
    {"cas", {"14 STS [R8], R10"}},
    {"cas", {"5 ISETP.GT.U32.AND P0, PT, R6, R2, PT"}},
    {"cas", {"5 ISETP.GE.U32.AND P0, PT, R2, R6, PT"}},
    {"cas", {"6 ISETP.GE.AND.EX P0, PT, R7, R3, PT, P1"}},
    {"cas", {"7 @P0 BRA 0x20"}},
    {"cas", {"7 @!P0 BRA BEHIND"}},
    {"cas", {"11 ISETP.EQ.U32.AND.EX P0, PT, R10, RZ, PT, P0"}},
};

static void minima_are_one_request(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof minima / sizeof *minima; i++) {
        expect(minimum, minima[i].changes, minima[i].told);
    }
}

static const struct form operations[] = {
    {"red.shared.and.b64|{%R8, %R9}", {NULL}},
    {"red.shared.or.b64|{1, %R9}", {"5 LOP3.LUT R6, R2, 0x1, RZ, 0xfc, !PT", "6 LOP3.LUT R7, R3, R9, RZ, 0xfc, !PT"}},
    {"red.shared.xor.b64|{4294967295, 4294967295}", {"5 LOP3.LUT R6, RZ, R2, RZ, 0x33, !PT", "6 LOP3.LUT R7, RZ, R3, RZ, 0x33, !PT"}},
    /* one half alone: the other one is a copy, or all zeros or ones, in this round or in front of the loop */
    {"red.shared.xor.b64|{0, 256}", {"5 LOP3.LUT R7, R3, 0x100, RZ, 0x3c, !PT", "6 MOV R6, R2"}},
    {"red.shared.and.b64|{%R8, 4294967295}", {"6 MOV R7, R3"}},
    {"red.shared.and.b64|{%R8, 0}", {"5 MOV R7, RZ", "6 LOP3.LUT R6, R2, R8, RZ, 0xc0, !PT"}},
    {"red.shared.or.b64|{%R8, 4294967295}", {"5 IMAD.MOV.U32 R7, RZ, RZ, -0x1", "6 LOP3.LUT R6, R2, R8, RZ, 0xfc, !PT"}},
    {"red.shared.and.b64|{%R8, 0}", {"5 LOP3.LUT R12, R2, R8, RZ, 0xc0, !PT", "6", "7 ATOMS.CAST.SPIN.64 R6, [R4], R2, R12"}},
    {"red.shared.and.b64|{4294967295, 0}", {"5 MOV R6, R2", "6 MOV R7, RZ"}},
    {"red.shared.and.b64|{0, 0}", {"5 CS2R R6, SRZ", "6"}},
    {"red.shared.and.b64|%R12, 9;", {"5 CS2R R6, SRZ", "6 MOV R12, 0x9"}}, /* which stays in R12 */
    {"red.shared.or.b64|{0, 0}", {"5 MOV R6, R2", "6 MOV R7, R3"}},
    {"atom.shared.and.b64", {"5 MOV R7, RZ", "6 LOP3.LUT R6, R2, R8, RZ, 0xc0, !PT", "12 STS.64 [R8], R2"}},
    /* sums: of what has no upper half, or its sign there, of a shifted number */
    {"red.shared.add.u64|{3, 0}", {"5 IADD3 R6, P0, R2, 0x3, RZ", "6 IMAD.X R7, RZ, RZ, R3, P0"}},
    {"red.shared.add.u64|{0, %UR4}", {"5 IADD3 R6, P0, RZ, R2, RZ", "6 IADD3.X R7, R3, UR4, RZ, P0, !PT"}},
    {"red.shared.add.u64|shl.b32 %t0, %R8, 3;", {"5 LEA R6, P0, R8, R2, 0x3", "6 IADD3.X R7, R3, R9, RZ, P0, !PT"}},
    {"red.shared.add.u64|shr.s32 %t0, %R8, 31;", {"5 IADD3 R6, P0, R8, R2, RZ", "6 LEA.HI.X.SX32 R7, R8, R3, 0x1, P0"}},
    /* nearly: halves of two operations, or crossed, other numbers, a half that is set by some ways alone, two values of one half */
    {"cas", {"6 LOP3.LUT R7, R3, R9, RZ, 0xfc, !PT"}},
    {"cas", {"5 LOP3.LUT R6, R3, R8, RZ, 0xc0, !PT"}},
    {"cas", {"5 MOV R6, R3"}},
    {"cas", {"5 MOV R7, 0x1", "6 LOP3.LUT R6, R2, R8, RZ, 0xc0, !PT"}},
    {"cas", {"5 MOV R7, RZ", "6 LOP3.LUT R6, R2, R8, RZ, 0xfc, !PT"}},
    {"cas", {"5 MOV R7, -0x1", "6 LOP3.LUT R6, R2, R8, RZ, 0x3c, !PT"}},
    {"cas", {"5 MOV R6, RZ", "6 MOV R7, -0x1"}},
    {"cas", {"1 MOV R13, 0x1", "5 LOP3.LUT R12, R2, R8, RZ, 0xc0, !PT", "6", "7 ATOMS.CAST.SPIN.64 R6, [R4], R2, R12"}},
    {"cas", {"1 @P2 MOV R13, RZ", "5 LOP3.LUT R12, R2, R8, RZ, 0xc0, !PT", "6", "7 ATOMS.CAST.SPIN.64 R6, [R4], R2, R12"}},
    {"cas", {"5 LOP3.LUT R6, R8, R2, RZ, 0x33, !PT"}},
    {"cas", {"5 IADD3 R6, P0, R2, 0x3, RZ", "6 IMAD.X R7, RZ, RZ, R3, P1"}},
    {"cas", {"5 IADD3 R6, P0, R2, 0x3, RZ", "6 IMAD.X R7, R3, 0x2, R9, P0"}},
    {"cas", {"5 LEA R6, P0, R2, R8, 0x3", "6 IADD3.X R7, R3, R9, RZ, P0, !PT"}},
    {"cas", {"5 LEA R6, P0, -R8, R2, 0x3", "6 IADD3.X R7, R3, R9, RZ, P0, !PT"}},
    {"cas", {"5 IADD3 R6, P0, R8, R2, RZ", "6 LEA.HI.X.SX32 R7, R3, R8, 0x1, P0"}},
    {"cas", {"5 IADD3 R6, P0, R2, 0x3, RZ", "6 MOV R7, R3"}},
};

static void operations_are_one_request(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        expect(bits, operations[i].changes, operations[i].told);
    }
}

/* What is loaded at the sum that the trial has in a register: in front of the loop it was set to that, whatever the way. */
#define OF_SUM "4 LDS R2, [R7+UR4+0x4]", "7 ATOMS.CAST.SPIN R3, [R6+0x4], R2, R3"
static const struct form sums[] = {
    {"red.shared.add.f32", {OF_SUM}},
    {"red.shared.add.f32", {OF_SUM, "12 @P2 BRA 0x10"}}, /* the kernel's own loop */
    {"red.shared.add.f32", {OF_SUM, "12 @P2 BRA 0x0"}},
    {"red.shared.add.f32", {OF_SUM, "12 @P2 BRA 0x0", "1 UMOV UR5, 0x1"}},
    {"red.shared.add.f32", {OF_SUM, "1 @P2 BRA 0x30", "2 IADD3 R6, R7, UR4, RZ"}}, /* set once more on one of two ways */
    {"red.shared.add.f32", {OF_SUM, "0 @P2 BRA 0xa0", "2 IMAD.IADD R6, R7, 0x1, UR4"}},
    {"red.shared.add.f32", {OF_SUM, "12 CALL.REL.NOINC 0x0"}},
    {"red.shared.add.f32", {"0 UMOV UR4, 0x8", "1 VIADD R6, R7, UR4", OF_SUM, "12 @P2 BRA 0x0"}},
    /* on one of the ways it is not set, or something of it is set behind it */
    {"cas", {OF_SUM, "0 @P2 BRA 0x20", "1 VIADD R6, R7, UR4"}},
    {"cas", {OF_SUM, "12 @P2 BRA 0x10", "1 UIADD3 UR4, UR4, 0x4, URZ"}},
    {"cas", {OF_SUM, "12 @P2 BRA 0x10", "1 ULDC.64 UR4, c[0x0][0x118]"}},
    {"red.shared.add.f32", {OF_SUM, "12 @P2 BRA 0x20", "1 @P3 R2UR UR4, R9", "2 VIADD R6, R7, UR4"}},
    {"cas", {OF_SUM, "1 @P3 R2UR UR4, R9"}},
    {"cas", {OF_SUM, "1 @P3 VIADD R6, R7, UR5"}},
    {"cas", {"1 ULDC.64 UR2, c[0x0][0x118]", "0 VIADD R6, R7, UR3", "4 LDS R2, [R7+UR3]", "7 ATOMS.CAST.SPIN R3, [R6], R2, R3"}},
    {"cas", {OF_SUM, "12 @P2 BRA 0x10", "1 IADD3 R7, R7, 0x4, RZ"}},
    {"cas", {OF_SUM, "12 @P2 BRA 0x10", "1 LDG.E R6, desc[UR8][R14.64]"}},
    {"cas", {OF_SUM, "12 IADD3 R7, R7, 0x4, RZ", "13 @P2 BRA 0x10", "14 EXIT"}},
    {"cas", {OF_SUM, "2 CALL.REL.NOINC 0xa0"}},
    {"cas", {OF_SUM, "12 CALL.REL.NOINC 0x20"}},
    {"cas", {OF_SUM, "12 BRX R14 -0x90"}},
    {"cas", {"0 VIADD R6, R6, UR4", "4 LDS R2, [R6+UR4]", "7 ATOMS.CAST.SPIN R3, [R6], R2, R3"}},
    {"cas", {"4 LDS R2, [R7+UR4+0x4]", "7 ATOMS.CAST.SPIN R3, [R6+0x8], R2, R3"}},
    {"cas", {"4 LDS R2, [R7+UR5]", "7 ATOMS.CAST.SPIN R3, [R6], R2, R3"}},
    {"cas", {"4 LDS R2, [R7.X4+UR4]", "7 ATOMS.CAST.SPIN R3, [R6], R2, R3"}},
};

static void sums_are_known_by_all_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        expect(addition, sums[i].changes, sums[i].told);
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
        cmocka_unit_test(operations_are_one_request),
        cmocka_unit_test(sums_are_known_by_all_ways),
        cmocka_unit_test(what_nobody_reads_is_not_given),
        cmocka_unit_test(its_place_is_its_trials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
