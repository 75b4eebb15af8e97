/* test_cuda_instructions.c - instructions that banksim makes of kernels, held to those of nvcc.
 *
 * tests/kernels/alike.cu has small kernels, and alike.ptx what nvcc 13.0 made of them. Between two labels, branches and
 * barriers both have the same instructions, in any order: but for what copies registers, names and parameters, and for
 * whether sums are of signed numbers, and which way a comparison asks.
 */
#include <banksim/cuda.h>

#include "kernel_text.h"
#include "trace_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PART = 64, MAX_WORD = 32, MAX_TEXT = 1 << 14 };

/* What stands between two labels, branches or barriers. */
struct part {
    char word[MAX_PART][MAX_WORD];
    size_t n;
};

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void end_part(struct part *part, char *text)
{
    qsort(part->word, part->n, MAX_WORD, by_text);
    for (size_t i = 0; i < part->n; i++) {
        assert_true(strlen(text) + MAX_WORD + 2 < MAX_TEXT);
        strcat(strcat(text, part->word[i]), i + 1 < part->n ? " " : "\n");
    }
    part->n = 0;
}

static bool begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

static void add_word(struct part *part, const char *word, size_t length)
{
    static const char *const passed[] = {"mov.", "cvta.", "ld.param.", "ret"};
    static const char *const any[] = {"add.s32", "add.u32", "sub.s32", "sub.u32", "add.s64", "add.u64", "mul.lo.s32", "mul.lo.u32"};
    char *to = part->word[part->n];
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        if (begins(word, passed[i])) {
            return;
        }
    }
    assert_true(part->n + 1 < MAX_PART && length < MAX_WORD);
    (void)snprintf(to, MAX_WORD, "%.*s", (int)length, word);
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) {
        if (strcmp(to, any[i]) == 0) {
            to[strlen(to) - 3] = 'x';
        }
    }
    to[begins(to, "setp") ? 4 : strlen(to)] = '\0';
    part->n++;
}

/* A line of a kernel's text. */
static void add_line(struct part *part, const char *line, char *text)
{
    line += strspn(line, " \t");
    if (*line == '@') {
        line += strcspn(line, " \t");
        line += strspn(line, " \t");
    }
    size_t length = strcspn(line, " \t\n;");
    bool is_label = *line == '$', is_bar = begins(line, "bar.");
    bool is_branch = begins(line, "bra");
    if (is_label || is_bar || is_branch) {
        end_part(part, text);
        strcat(text, is_branch ? "bra\n" : is_bar ? "bar\n" : "");
        return;
    }
    if (*line >= 'a' && *line <= 'z') {
        add_word(part, line, length);
    }
}

/* The instructions of the kernel, a part in a line. */
static void take_instructions(const char *ptx, const char *kernel, char *text)
{
    char name[KERNEL_MAX_LAUNCH + 16];
    struct part part = {.n = 0};
    (void)snprintf(name, sizeof name, ".entry %s(", kernel);
    const char *p = strstr(ptx, name);
    assert_non_null(p);
    *text = '\0';
    for (p = strchr(p, '{'); *p != '}' || p[-1] != '\n'; p = strchr(p, '\n') + 1) {
        add_line(&part, p, text);
    }
    end_part(&part, text);
}

static void test_instructions_are_those_of_nvcc(void **state)
{
    enum { N_KERNELS = 15 };
    static const char path[] = "tests/kernels/alike.cu";
    static char ours[MAX_TEXT], theirs[MAX_TEXT];
    char launch[KERNEL_MAX_LAUNCH];
    int n = 0, n_other = 0;
    (void)state;
    struct bsim_buffer source = trace_text_load(path);
    struct bsim_buffer nvcc = trace_text_load("tests/kernels/alike.ptx");
    for (const char *p = source.data; (p = kernel_text_launch(p, launch)) != NULL; n++) {
        struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
        kernel_text_translate(path, source.data, launch, &ptx);
        launch[strcspn(launch, "<")] = '\0';
        take_instructions(ptx.data, launch, ours);
        take_instructions(nvcc.data, launch, theirs);
        bsim_buffer_free(&ptx);
        if (strcmp(ours, theirs) != 0) {
            print_message("%s:\n%snvcc's:\n%s", launch, ours, theirs);
            n_other++;
        }
    }
    bsim_buffer_free(&source);
    bsim_buffer_free(&nvcc);
    assert_int_equal(n_other, 0);
    assert_int_equal(n, N_KERNELS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions_are_those_of_nvcc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
