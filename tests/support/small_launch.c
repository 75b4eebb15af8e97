/* small_launch.c - see small_launch.h. */
#include "small_launch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

_Alignas(16) unsigned small_out[SMALL_OUT];
_Alignas(16) unsigned small_constant[SMALL_CONSTANT];

struct bsim_launch small_launch(void (*body)(struct bsim_cta *cta), struct bsim_dim3 grid,
                                struct bsim_dim3 block)
{
    memset(small_out, 0, sizeof small_out);
    return (struct bsim_launch){
        .name = "k",
        .grid = grid,
        .block = block,
        .body = body,
        .n_arrays = 2,
        .arrays = {{small_out, sizeof small_out, BSIM_GLOBAL},
                   {small_constant, sizeof small_constant, BSIM_CONST}},
    };
}

void small_run(const struct bsim_launch *launch, struct collect *collect)
{
    struct bsim_error err;
    struct bsim_sink sink = collect_sink(collect);
    memset(collect, 0, sizeof *collect);
    if (bsim_launch_run(launch, &sink, &err) != BSIM_OK) {
        char text[1024];
        fail_msg("%s", bsim_error_text(&err, text, sizeof text));
    }
}

void small_run_threads(void (*body)(struct bsim_cta *cta), uint32_t n, struct collect *collect)
{
    struct bsim_launch launch =
        small_launch(body, (struct bsim_dim3){1, 1, 1}, (struct bsim_dim3){n, 1, 1});
    small_run(&launch, collect);
}

void small_expect_lines(struct collect *collect, const char *const *line, size_t n_lines)
{
    char text[2 * COLLECT_TEXT_SIZE];
    if (collect_difference(collect, line, n_lines, text, sizeof text) != NULL) {
        fail_msg("%s", text);
    }
    collect_free(collect);
}

void small_expect_out(const unsigned *expected, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        small_expect_value(i, expected[i]);
    }
}

void small_expect_value(size_t i, unsigned expected)
{
    if (small_out[i] != expected) {
        fail_msg("out[%zu] is %u (%08x), expected %u", i, small_out[i], small_out[i], expected);
    }
}
