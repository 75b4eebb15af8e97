/* test_merges.c - which accesses of shared memory ptxas makes one of, by kernels written for it:
 * tests/measured/h200/ptx/merges.txt. Of each the widths of the accesses that are left are those in
 * the machine code. */
#include "base/memory.h"
#include "ptx/launch.h"
#include "ptx/steps.h"
#include "ptx/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS "tests/measured/h200/ptx/merges.txt"

enum { MAX_LINE = 1 << 14, MAX_ACCESSES = 64, N_FIELDS = 5 };

/* name, widths, the kernel's variables, the module's, the kernel's body */
struct row {
    char text[MAX_LINE];
    char *field[N_FIELDS];
};

static const char template[] =
    ".version 8.0\n.target sm_90\n.address_size 64\n%s\n"
    ".visible .entry k(.param .u64 p, .param .u32 q) {\n"
    " .reg .b64 %%d<50>;\n .reg .b32 %%r<99>;\n .reg .b32 %%f<99>;\n .reg .b16 %%h<99>;\n"
    " .reg .pred %%p<9>;\n .reg .f64 %%g<50>;\n %s\n"
    " ld.param.u64 %%d1, [p];\n cvta.to.global.u64 %%d1, %%d1;\n ld.param.u32 %%r30, [q];\n"
    " mov.u32 %%r1, %%tid.x;\n shl.b32 %%r2, %%r1, 4;\n mov.u32 %%r3, s;\n"
    " add.s32 %%r4, %%r3, %%r2;\n %s\n ret;\n}\n";

static bool cut(struct row *row)
{
    char *at = row->text;
    at[strcspn(at, "\n")] = '\0';
    for (size_t i = 0; i < N_FIELDS; i++) {
        row->field[i] = at;
        char *tab = strchr(at, '\t');
        if (tab == NULL) {
            return i == N_FIELDS - 1;
        }
        *tab = '\0';
        at = tab + 1;
    }
    return false;
}

static int compare(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The widths of the accesses of shared memory that have an event, as the file has them. */
static void list(const struct bsim_ptx_program *program, char *text, size_t size)
{
    char width[MAX_ACCESSES][8];
    size_t n = 0, length = 0;
    for (uint32_t i = 0; i < program->n_steps && n < MAX_ACCESSES; i++) {
        const struct bsim_ptx_access *access = program->step[i].access;
        bool is_one = access != NULL && !access->is_silent && access->space == BSIM_PTX_SHARED &&
                      (access->opcode.family == BSIM_LD || access->opcode.family == BSIM_ST);
        uint32_t n_events = is_one && program->step[i].kind == BSIM_PTX_COMPUTE ? 1 : 0;
        n_events += n_events > 0 && access->again != 0;
        for (uint32_t k = 0; k < n_events && n < MAX_ACCESSES; k++) {
            snprintf(width[n++], sizeof *width, "%c%u",
                     access->opcode.family == BSIM_LD ? 'L' : 'S', 8u * access->opcode.bytes);
        }
    }
    qsort(width, n, sizeof *width, compare);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        length +=
            (size_t)snprintf(text + length, size - length, "%s%s", i > 0 ? " " : "", width[i]);
    }
}

static void merge(const struct row *row, char *found, size_t size)
{
    static char text[2 * MAX_LINE];
    struct bsim_ptx_module *module = NULL;
    struct bsim_ptx_program program;
    struct bsim_arena arena = {0};
    struct bsim_error err;
    char message[512];
    const char *variables =
        row->field[2][0] != '\0' ? row->field[2] : ".shared .align 16 .b8 s[4096];";
    snprintf(text, sizeof text, template, row->field[3], variables, row->field[4]);
    if (bsim_ptx_read("k.ptx", text, strlen(text), &module, &err) != BSIM_OK ||
        bsim_ptx_lower(module, module->functions, true, &arena, &program, &err) != BSIM_OK) {
        fail_msg("%s: %s", row->field[0], bsim_error_text(&err, message, sizeof message));
    }
    list(&program, found, size);
    bsim_mem_free(program.constant);
    bsim_arena_free(&arena);
    bsim_ptx_module_free(module);
}

static void accesses_are_as_wide_as_in_the_machine_code(void **state)
{
    (void)state;
    static struct row row;
    uint32_t n = 0, n_wrong = 0;
    FILE *file = fopen(ROWS, "r");
    assert_non_null(file);
    while (fgets(row.text, sizeof row.text, file) != NULL) {
        char found[512];
        if (row.text[0] == '#' || row.text[0] == '~') {
            continue;
        }
        assert_true(cut(&row));
        merge(&row, found, sizeof found);
        n++;
        if (strcmp(found, row.field[1]) != 0) {
            print_error("%s: %s, not %s\n", row.field[0], found, row.field[1]);
            n_wrong++;
        }
    }
    fclose(file);
    assert_int_equal(n_wrong, 0);
    assert_true(n > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_as_wide_as_in_the_machine_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
