/* example.h - what the examples have in common: a check that stops them, and a trace to read.
 *
 * Each file is a program that uses the functions of one header, as others would: it includes
 * nothing but <banksim/...> and is linked with the shared library. run.sh looks whether every
 * public function is called by one of them.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <banksim/banksim.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program, with a failure, if the condition does not hold. */
#define CHECK(condition) \
    ((condition) ? (void)0 : example_fail(__FILE__, __LINE__, #condition))

static inline void example_fail(const char *file, int line, const char *condition)
{
    (void)fprintf(stderr, "%s:%d: %s does not hold\n", file, line, condition);
    exit(1);
}

/* One warp stores a row of a tile and loads a column of it: 32-way. */
static const char example_trace[] =
    "banksim-trace 1\n"
    "kernel example block=32 shared=4096\n"
    "site 1 st.shared.f32 at=tile.cu:3 text=\"tile[0][threadIdx.x] = v\"\n"
    "site 2 ld.shared.f32 at=tile.cu:4 text=\"v = tile[threadIdx.x][0]\"\n"
    "block 0\n"
    "w0 @1 ffffffff 0+4\n"
    "w0 @2 ffffffff 0+128 expect.wavefronts=1\n"
    "end\n";

/* A text as a file that is read. */
struct example_text {
    const char *text;
    size_t at;
};

static inline size_t example_read(void *context, void *data, size_t size_bytes)
{
    struct example_text *text = context;
    size_t left = strlen(text->text) - text->at;
    size_t n = left < size_bytes ? left : size_bytes;
    memcpy(data, text->text + text->at, n);
    text->at += n;
    return n;
}

/* The input of a text; *text must stay. */
static inline struct bsim_input example_input(struct example_text *text)
{
    return (struct bsim_input){.read = example_read, .context = text, .name = "example.trace"};
}

/* Simulates a trace, with cycles; the caller frees *result. */
static inline void example_run(const char *trace, struct bsim_result *result)
{
    struct example_text text = {trace, 0};
    struct bsim_input input = example_input(&text);
    struct bsim_source source = {.input = &input};
    struct bsim_timer_options timing = {.ideal = true};
    struct bsim_run_options options = {.timing = &timing};
    *result = (struct bsim_result){0};
    CHECK(bsim_run(&source, &options, result, NULL) == BSIM_OK);
}

#endif
