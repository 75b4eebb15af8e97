/* lesson.h - the lessons of `banksim lesson`: data, and what their texts may refer to.
 *
 * Texts are for a student, in paragraphs; lines that begin with a blank stay as they are, others
 * are wrapped. No number that the model can work out stands in them. Instead:
 *
 *     {A passes}     "1 pass", "16 passes": of the access A, the first; B is the second, ...
 *     {A count}      "16"
 *     {A ideal}      "1": what it would take without conflicts
 *     {A ways}       "16"
 *     {A busy}       "2": how many banks are at work
 *     {A bank 5}     "5": the bank of lane 5's first byte; {A word 5} the word
 *     {A banks}      "32": how many banks the device has; {A width} how many bytes wide they are
 *     {A sectors}    "32": of an access to global memory
 *     {A blocks}     "4": of 256 threads that an SM holds; {A shared} its KB of shared memory then
 *     {A from 5}     "21": the lane whose value a shuffle gives to lane 5
 *     {A requests}   "16": of a block that is timed, like all that follow
 *     {A wavefronts} "64": of all its requests; {A excessive} those that are too many
 *     {A cycles}     "332": what the block takes; {A lost} of that for conflicts; {A pipe} what the
 *                    passes alone take
 *     {A why}        the sentence that `banksim show` has
 */
#ifndef BSIM_CLI_LESSON_H
#define BSIM_CLI_LESSON_H

#include "cli/cli.h"

enum { LESSON_ACCESSES = 6 };

/* One access: index expressions as `banksim check` takes them, a global load of 4 bytes per lane
 * whose lanes are so many bytes apart, or a shuffle; its statements are only shown. */
struct lesson_access {
    const char *statements; /* NULL: none, or a global load */
    const char *device;     /* NULL: the default */
    uint32_t bank_width;    /* 0: the device's own */
    uint32_t global_stride_bytes;
    uint32_t block_bytes; /* of shared memory: about blocks of 256 threads, no access; 0: not */
    uint32_t carveout;    /* as in struct bsim_device_options */
    struct bsim_shuffle_ask shuffle; /* width 0: none */
    bool is_drawn;
    bool has_array; /* with its array, the bank in each cell */
    bool is_timed;  /* the statements are a block of some warps, which is played */
};

struct lesson {
    const char *name; /* one word */
    const char *title;
    const char *text;
    const char *question;
    const char *answer; /* a placeholder that is a number: "A count" */
    const char *explanation;
    const char *more;     /* a command to try, for a shell; over 75 columns in two lines */
    const char *exercise; /* "02-transpose", which follows on a terminal; NULL: none */
    struct lesson_access access[LESSON_ACCESSES];
};

/* By index 0, 1, ..., until NULL. */
const struct lesson *bsim_cli_lesson_at(size_t index);

/* lesson_text.c: what a lesson's accesses come to. */
struct lesson_facts {
    size_t n;
    struct bsim_device device[LESSON_ACCESSES];
    struct bsim_request request[LESSON_ACCESSES];     /* of the shared ones */
    uint32_t sectors[LESSON_ACCESSES];                /* of the global ones */
    struct bsim_occupancy occupancy[LESSON_ACCESSES]; /* of blocks */
    struct bsim_shuffle_ask shuffle[LESSON_ACCESSES];
    struct lesson_time {
        uint64_t requests, wavefronts, excessive; /* of shared memory */
        uint64_t cycles, cycles_ideal, cycles_bound;
    } time[LESSON_ACCESSES];                          /* of those that are timed */
    struct bsim_check *check[LESSON_ACCESSES];        /* that the statements are; or NULL */
    struct bsim_check_request asked[LESSON_ACCESSES]; /* the request, as the check has it */
};

/* Evaluates the accesses, into facts that bsim_cli_lesson_facts_free frees in any case. */
enum bsim_status bsim_cli_lesson_facts(const struct lesson *lesson, struct lesson_facts *facts,
                                       struct bsim_error *err);
void bsim_cli_lesson_facts_free(struct lesson_facts *facts);

/* Appends text with its placeholders filled. */
void bsim_cli_lesson_fill(const struct lesson_facts *facts, const char *text,
                          struct bsim_buffer *out);

/* Appends the picture of access i; a shuffle is a table, and svg has none. False: it has no picture. */
bool bsim_cli_lesson_draw(const struct lesson *lesson, const struct lesson_facts *facts, size_t i,
                          enum bsim_format format, const struct bsim_picture_style *style,
                          struct bsim_buffer *out);

/* handout.c: appends lessons first to end - 1 as a page to print, answers behind all questions. Fails as bsim_cli_lesson_facts does. */
enum bsim_status bsim_cli_handout(size_t first, size_t end, struct bsim_buffer *out,
                                  struct bsim_error *err);

/* Appends text with its placeholders filled and its lines wrapped. One that is not known stays as
 * it is, braces and all. */
void bsim_cli_lesson_text(const struct lesson_facts *facts, const char *text,
                          struct bsim_buffer *out);

/* pager.c: writes text to a terminal a screen at a time; where a further screen follows it asks
 * whether to go on. goes_on: the reader did not end it. */
enum bsim_status bsim_cli_page(const char *text, bool *goes_on, struct bsim_error *err);

/* A line of standard input, without its end, in *line, which the caller frees; NULL: there is none. */
const char *bsim_cli_read_line(struct bsim_buffer *line);

/* Appends a paragraph of n bytes in lines as wide as the terminal, and 78 columns at most. */
void bsim_cli_wrap(const char *text, size_t n, struct bsim_buffer *out);

/* Whether the line is "q" or the like. */
bool bsim_cli_means_end(const char *line);

/* The value of a placeholder that is a number. */
uint32_t bsim_cli_lesson_number(const struct lesson_facts *facts, const char *name);

#endif
