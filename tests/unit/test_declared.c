/* Shared arrays that a kernel's x-shared= declares: what is read, what is refused, and where requests lie
 * in them, also behind layouts. */
#include "failing_memory.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static enum bsim_status declare(const char *extras, uint32_t window, struct bsim_check **check,
                                struct bsim_error *err)
{
    struct bsim_kernel kernel = {.name = "k",
                                 .grid = {1, 1, 1},
                                 .block = {32, 1, 1},
                                 .shared_bytes = window,
                                 .has_shared = window > 0,
                                 .extras = extras};
    return bsim_check_declared(&kernel, check, err);
}

/* ---- what is declared ------------------------------------------------------------------------ */

static void put_array(const struct bsim_check_array *array, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "%s %s %u", array->name, array->element != NULL ? array->element : "?",
                       (unsigned)array->element_bytes);
    for (uint32_t d = 0; d < array->n_dimensions; d++) {
        bsim_buffer_printf(out, "[%u]", (unsigned)array->dimension[d]);
    }
    bsim_buffer_printf(out, " @%u:%u%s%s%s;", (unsigned)array->offset_bytes,
                       (unsigned)array->laid_bytes, array->is_extern ? " extern" : "",
                       array->n_layouts > 0 ? " " : "",
                       array->n_layouts > 0 ? array->layout_text : "");
}

static const struct {
    const char *extras, *wanted;
} declarations[] = {
    {"x-shared=tile@0:float[32][33]", "tile float 4[32][33] @0:4224;"},
    {"x-a=1 x-shared=As@0:1024+Bs@1024:1024+s@2048 x-ptx=merged",
     "As ? 1[1024] @0:1024;Bs ? 1[1024] @1024:1024;s ? 1[0] @2048:0 extern;"},
    {"x-shared=a@0:unsigned.long.long[4]+n@32:int+s@48:float4[]",
     "a unsigned long long 8[4] @0:32;n int 4 @32:4;s float4 16[0] @48:0 extern;"},
    {"x-shared=nodes@8:12[3][5]", "nodes  12[3][5] @8:180;"},
    {"x-shared=t@0:float[32][32].pad.1", "t float 4[32][32] @0:4224 pad 1;"},
    {"x-shared=t@0:half[64][64].swizzle<3,3,3>", "t __half 2[64][64] @0:8192 swizzle<3,3,3>;"},
    /* names as PTX has them, which C has not */
    {"x-shared=int@0:4[2]+$x:y@8:4[2]", "int  4[2] @0:8;$x:y  4[2] @8:8;"},
    /* of two scopes */
    {"x-shared=t@0:4[2]+t@8:4[2]", "t  4[2] @0:8;t  4[2] @8:8;"},
};

static void arrays_are_declared(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof declarations / sizeof declarations[0]; i++) {
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        struct bsim_check *check;
        struct bsim_error err;
        if (declare(declarations[i].extras, 8192, &check, &err) != BSIM_OK) {
            fail_msg("%s: %s", declarations[i].extras, err.message);
        }
        const struct bsim_check_contents *contents = bsim_check_contents(check);
        for (size_t k = 0; k < contents->n_arrays; k++) {
            put_array(&contents->array[k], &text);
        }
        assert_string_equal(text.data, declarations[i].wanted);
        bsim_buffer_free(&text);
        bsim_check_free(check);
    }
}

static void nothing_is_declared(void **state)
{
    (void)state;
    struct bsim_check *check;
    assert_int_equal(declare("", 0, &check, NULL), BSIM_OK);
    assert_null(check);
    assert_int_equal(declare("y-x-shared=a x-shared2=a", 0, &check, NULL), BSIM_OK);
    assert_null(check);
}

#define FORM "an array is NAME@BYTE, NAME@BYTE:BYTES or NAME@BYTE:TYPE[N]"

static const struct {
    const char *extras;
    uint32_t window;
    const char *words[2];
} refusals[] = {
    {"x-shared=", 0, {"''", FORM}},
    {"x-shared=tile", 0, {"'tile'", FORM}},
    {"x-shared=@0:4", 0, {"'@0:4'", FORM}},
    {"x-shared=a@", 0, {"'a@'", FORM}},
    {"x-shared=a@0:", 0, {"'a@0:'", FORM}},
    {"x-shared=a@0x10", 0, {"'a@0x10'", FORM}},
    {"x-shared=a@0:9x", 0, {"'a@0:9x'", FORM}},
    {"x-shared=a@0:0", 0, {"'a@0:0'", FORM}},
    {"x-shared=a@0:0[4]", 0, {"'a@0:0[4]'", FORM}},
    {"x-shared=a@16777217", 0, {"'a@16777217'", FORM}},
    {"x-shared=a@0:99999999999999999999", 0, {"'a@0:9999", FORM}},
    {"x-shared=a@0:8+", 0, {"''", FORM}},
    {"x-shared=a@0:16+b@8:8", 0, {"'b@8:8'", "begins before the array in front of it ends"}},
    {"x-shared=a@0+b@8:8", 0, {"'b@8:8'", "an open one last"}},
    {"x-shared=a@0:float[3]+b@8:float[4]", 0, {"'b@8:float[4]'", "begins before the array"}},
    {"x-shared=t@0:float[32][32].pad.1", 4096, {"'t@0:float", "ends behind the block's window"}},
    {"x-shared=a@4096:4", 4096, {"'a@4096:4'", "ends behind the block's window"}},
    {"x-shared=a@0:char[16777217]", 0, {"'a@0:char[16777217]'", "or byte 16777216"}},
    {"x-shared=a@0:flaot[32]", 0, {"'a@0:flaot[32]'", "a type should stand here"}},
    {"x-shared=a@0:float[32", 0, {"'a@0:float[32'", "']'"}},
    {"x-shared=a@0:float[0]", 0, {"'a@0:float[0]'", "an array's size"}},
    {"x-shared=a@0:float[32].pda.1", 0, {"'a@0:float[32].pda.1'", "'pda'"}},
    {"x-shared=a@0:float[4][]", 0, {"'a@0:float[4][]'", ""}},
    {"x-shared=a@0:float;int", 0, {"'a@0:float;int'", ""}},
    {"x-shared=a@4:double[4]", 0, {"'a@4:double[4]'", "a multiple of 8 bytes"}},
};

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        struct bsim_check *check;
        struct bsim_error err = {.message = ""};
        enum bsim_status status = declare(refusals[i].extras, refusals[i].window, &check, &err);
        if (status != BSIM_E_INPUT || strstr(err.message, refusals[i].words[0]) == NULL ||
            strstr(err.message, refusals[i].words[1]) == NULL ||
            strncmp(err.message, "x-shared= has '", 15) != 0) {
            fail_msg("%s: %d, \"%s\"", refusals[i].extras, (int)status, err.message);
        }
        assert_null(check);
        assert_int_equal(declare(refusals[i].extras, refusals[i].window, &check, NULL), status);
    }
}

/* ---- where requests lie ---------------------------------------------------------------------- */

/* A declaration as a check has it and as a trace has it, at the byte where a check puts it; and an index
 * of the first array. */
static const struct {
    const char *shared, *extras, *index;
} twins[] = {
    {"float tile[32][33]", "x-shared=tile@0:float[32][33]", "tile[lane][warp]"},
    {"float a[7]; double d[32][9]", "x-shared=a@0:28+d@32:double[32][9]", "d[lane][warp]"},
    {"float tile[32][32] pad 1", "x-shared=tile@0:float[32][32].pad.1", "tile[lane][warp]"},
    {"float tile[32][32] swizzle<5,0,5>", "x-shared=tile@0:float[32][32].swizzle<5,0,5>",
     "tile[lane][warp]"},
    {"half a[64][64] swizzle 128B", "x-shared=a@0:half[64][64].swizzle.128B", "a[lane][2 * warp]"},
    {"float tile[32][32] row-xor 5,0,0", "x-shared=tile@0:4[32][32].row-xor.5,0,0",
     "tile[warp][lane]"},
    {"float tile[32][32] rotate 3", "x-shared=tile@0:float[32][32].rotate.3", "tile[lane][warp]"},
    {"float c[4][8][32] pad 8 every 64 swizzle<3,3,3>",
     "x-shared=c@0:float[4][8][32].pad.8.every.64.swizzle<3,3,3>", "c[lane / 8][lane % 8][warp]"},
    {"extern float s[] pad 1 every 32", "x-shared=s@0:float[].pad.1.every.32",
     "s[lane * 32 + warp]"},
    {"struct P { float x; int k[2]; } p[40]", "x-shared=p@0:12[40]", "p[lane].k[1]"},
};

struct comparison {
    const struct bsim_check *said;
    size_t n;
};

static enum bsim_status compare(void *context, const struct bsim_check_request *wanted,
                                struct bsim_error *err)
{
    struct comparison *comparison = context;
    struct bsim_request request = {.opcode = wanted->opcode, .mask = wanted->mask};
    struct bsim_check_request found;
    memcpy(request.address, wanted->address, sizeof request.address);
    assert_true(bsim_check_locate(comparison->said, &request, &found));
    assert_int_equal(found.lanes, wanted->lanes);
    assert_memory_equal(found.array, wanted->array, sizeof found.array);
    assert_memory_equal(found.offset, wanted->offset, sizeof found.offset);
    assert_memory_equal(found.address, wanted->address, sizeof found.address);
    comparison->n++;
    (void)err;
    return BSIM_OK;
}

static struct bsim_check *seal(const char *shared, const char *index)
{
    struct bsim_error err;
    char message[1024];
    struct bsim_check *check = bsim_check_new();
    assert_non_null(check);
    if (bsim_check_add(check, "block", "64", "--block", &err) != BSIM_OK ||
        bsim_check_add(check, "shared", shared, "--shared", &err) != BSIM_OK ||
        bsim_check_add(check, "load", index, "--load", &err) != BSIM_OK ||
        bsim_check_seal(check, &err) != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
    return check;
}

static void lanes_lie_where_the_check_put_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof twins / sizeof twins[0]; i++) {
        struct bsim_error err;
        struct bsim_check *check = seal(twins[i].shared, twins[i].index), *said;
        if (declare(twins[i].extras, 0, &said, &err) != BSIM_OK) {
            fail_msg("%s: %s", twins[i].extras, err.message);
        }
        struct comparison comparison = {.said = said};
        struct bsim_check_visitor visitor = {.shared = compare, .context = &comparison};
        assert_int_equal(bsim_check_each(check, &visitor, &err), BSIM_OK);
        assert_int_equal(comparison.n, 2);
        bsim_check_free(said);
        bsim_check_free(check);
    }
}

static bool lies(const char *extras, const char *opcode, uint32_t address)
{
    struct bsim_check *said;
    struct bsim_check_request found;
    struct bsim_request request = {.mask = 1, .address = {address}};
    assert_int_equal(bsim_opcode_parse(opcode, strlen(opcode), &request.opcode, NULL), BSIM_OK);
    assert_int_equal(declare(extras, 0, &said, NULL), BSIM_OK);
    bool answer = bsim_check_locate(said, &request, &found);
    bsim_check_free(said);
    return answer;
}

static void what_lies_in_no_array_is_not_found(void **state)
{
    (void)state;
    static const char two[] = "x-shared=a@0:8+b@16:float[2]";
    static const char padded[] = "x-shared=t@0:float[4][4].pad.1";
    static const char swizzled[] = "x-shared=t@0:float[32][32].swizzle<5,0,5>";
    static const char pairs[] = "x-shared=t@0:float[32][32].swizzle<4,1,5>";
    assert_true(lies(two, "ld.shared.f32", 4));
    assert_true(lies(two, "ld.shared.v2.f32", 16));
    assert_false(lies(two, "ld.shared.f32", 8));
    assert_false(lies(two, "ld.shared.f32", 24));
    assert_false(lies(two, "ld.shared.v4.f32", 16)); /* begins in it */
    assert_false(lies(two, "ld.global.f32", 4));
    assert_true(lies("x-shared=s@0:float[]", "ld.shared.f32", 16777212));
    assert_false(lies("x-shared=s@0:float[]", "ld.shared.f32", 16777216));
    assert_false(lies(padded, "ld.shared.f32", 16)); /* what is padded */
    assert_true(lies(padded, "ld.shared.f32", 20));
    assert_true(lies(pairs, "ld.shared.v2.f32", 128));
    assert_false(lies(swizzled, "ld.shared.v2.f32", 128)); /* elements 1 and 0 of row 1 */
}

static void memory_runs_short(void **state)
{
    (void)state;
    struct bsim_check *check = NULL;
    enum bsim_status status = BSIM_E_MEMORY;
    for (size_t n = 0; n < 100 && status != BSIM_OK; n++) {
        struct bsim_error err;
        size_t before = failing_memory_live();
        failing_memory_fail_after(n);
        status = declare("x-shared=t@0:float[32][32].pad.1+n@8192:12[3]", 0, &check, &err);
        failing_memory_heal();
        assert_true(status == BSIM_OK || (status == BSIM_E_MEMORY && err.status == status));
        assert_true((check != NULL) == (status == BSIM_OK));
        assert_true(status == BSIM_OK || failing_memory_live() == before);
    }
    assert_int_equal(status, BSIM_OK);
    bsim_check_free(check);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_declared),
        cmocka_unit_test(nothing_is_declared),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(lanes_lie_where_the_check_put_them),
        cmocka_unit_test(what_lies_in_no_array_is_not_found),
        cmocka_unit_test(memory_runs_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
