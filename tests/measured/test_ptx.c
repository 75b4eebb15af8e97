/* test_ptx.c - single instructions of PTX against what an H200 made of them:
 * tests/measured/h200/ptx, operands and forms of tools/crosscheck/ptx_forms.c. Approximations are
 * held to their own error. PTX_VALUES names another file, as tools/crosscheck/ptx.cu writes it. */
#include "ptx/launch.h"

#include "collect.h"
#include "ptx_forms.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct ptx_form form[PTX_MAX_FORMS];
static struct ptx_operands operands;

static enum bsim_status ignore(void *context, const struct bsim_record *record,
                               struct bsim_error *err)
{
    (void)context, (void)record, (void)err;
    return BSIM_OK;
}

/* ---- running here ---------------------------------------------------------------------------- */

struct machine {
    struct bsim_ptx_module *module;
    struct bsim_ptx_memory *memory;
    uint64_t out[PTX_LANES];
};

enum { IN = 1 << 20, OUT = 1 << 24 };

static void start(struct machine *machine, size_t n)
{
    struct bsim_error err;
    char message[1024];
    FILE *file = tmpfile();
    assert_non_null(file);
    ptx_write_module(file, form, n);
    long length = ftell(file);
    char *text = malloc((size_t)length);
    rewind(file);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    fclose(file);
    if (bsim_ptx_read("forms.ptx", text, (size_t)length, &machine->module, &err) != BSIM_OK) {
        fail_msg("%s", bsim_error_text(&err, message, sizeof message));
    }
    free(text);
    machine->memory = bsim_ptx_memory_new();
    struct bsim_ptx_piece in = {.start = IN, .size = sizeof operands, .data = (void *)&operands},
                          out = {.start = OUT,
                                 .size = sizeof machine->out,
                                 .data = (void *)machine->out};
    assert_true(bsim_ptx_memory_add(machine->memory, &in, false));
    assert_true(bsim_ptx_memory_add(machine->memory, &out, false));
}

static void stop(struct machine *machine)
{
    bsim_ptx_memory_free(machine->memory);
    bsim_ptx_module_free(machine->module);
}

static bool run_form(struct machine *machine, size_t i)
{
    char name[32], message[1024];
    struct bsim_error err;
    const uint64_t parameters[] = {IN, OUT};
    snprintf(name, sizeof name, "c%zu", i);
    struct bsim_ptx_launch launch = {.module = machine->module,
                                     .kernel = bsim_ptx_find_function(machine->module, name),
                                     .grid = {1, 1, 1},
                                     .block = {PTX_LANES, 1, 1},
                                     .parameters = (const void *)parameters,
                                     .memory = machine->memory};
    struct bsim_sink sink = {.push = ignore};
    if (bsim_ptx_launch_run(&launch, &sink, &err) != BSIM_OK) {
        print_error("%s: %s\n", form[i].text, bsim_error_text(&err, message, sizeof message));
        return false;
    }
    return true;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static double half(uint64_t bits)
{
    double fraction = (double)(bits & 0x3ff);
    int exponent = (int)(bits >> 10 & 31);
    double x = exponent == 0    ? fraction * 0x1p-24
               : exponent == 31 ? (fraction != 0 ? (double)NAN : (double)INFINITY)
                                : ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -x : x;
}

static double number(const char *text, uint64_t bits)
{
    double wide;
    float single;
    uint32_t low = (uint32_t)bits;
    memcpy(&wide, &bits, sizeof wide);
    memcpy(&single, &low, sizeof single);
    return strstr(text, "%rd0") != NULL  ? wide
           : strstr(text, "%h0") != NULL ? half(bits)
                                         : (double)single;
}

static bool is_close(const struct ptx_form *f, uint64_t here, uint64_t there)
{
    double x = number(f->text, here), y = number(f->text, there);
    double scale = fabs(y) > 1 || f->operands != PTX_ANGLE ? fabs(y) : 1;
    if (strncmp(f->text, "lg2", 3) == 0 && scale < 1) {
        scale = 1; /* around 1 the error is absolute */
    }
    double last = strstr(f->text, "%h0") != NULL ? 0x1p-24 : 0x1p-126;
    return x == y || (isnan(x) && isnan(y)) || fabs(x - y) <= fmax(f->tolerance * scale, last);
}

/* True if the form gives what the row says. */
static bool compare(struct machine *machine, size_t i, const char *row)
{
    const struct ptx_form *f = &form[i];
    if (!run_form(machine, i)) {
        return false;
    }
    for (uint32_t lane = 0; lane < PTX_LANES; lane++) {
        char *end;
        uint64_t there = strtoull(row, &end, 16), here = machine->out[lane];
        row = end;
        if (here != there && !(f->tolerance > 0 && is_close(f, here, there))) {
            const uint64_t *of = operands.of[f->operands][lane];
            print_error("%s, lane %u, of %llx, %llx, %llx: %llx, the GPU %llx\n", f->text, lane,
                        (unsigned long long)of[0], (unsigned long long)of[1],
                        (unsigned long long)of[2], (unsigned long long)here,
                        (unsigned long long)there);
            return false;
        }
    }
    return true;
}

static void every_form_is_as_the_gpu_has_it(void **state)
{
    (void)state;
    static char line[4096];
    const char *path = getenv("PTX_VALUES");
    unsigned long long seed = 0;
    size_t n = ptx_forms(form), wrong = 0, i = 0;
    struct machine machine;
    start(&machine, n);
    FILE *file = fopen(path != NULL ? path : "tests/measured/h200/ptx/values.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        char *tab = strchr(line, '\t');
        if (sscanf(line, "# seed %llu", &seed) == 1) {
            ptx_operands(seed, &operands);
        }
        if (line[0] == '#' || tab == NULL) {
            continue;
        }
        *tab = '\0';
        assert_true(i < n);
        assert_string_equal(line, form[i].text);
        wrong += !compare(&machine, i++, tab + 1);
    }
    fclose(file);
    stop(&machine);
    assert_int_equal(i, n);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_is_as_the_gpu_has_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
