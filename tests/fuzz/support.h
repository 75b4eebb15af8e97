/* support.h - what the fuzz targets share: bytes in and out, simulation, a check of what reports
 * look like.
 *
 * A target is one file with LLVMFuzzerTestOneInput. libFuzzer brings main (-DBSIM_LIBFUZZER);
 * otherwise replay.c has one that gives it the files named as arguments, standard input without
 * any: the form for AFL++ and for plain test runs.
 */
#ifndef BSIM_FUZZ_SUPPORT_H
#define BSIM_FUZZ_SUPPORT_H

#include <banksim/banksim.h>

#include "sim/sim.h"
#include "timing/timer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, as a sanitizer would, where something that must hold does not. */
#define REQUIRE(condition)                                    \
    do {                                                      \
        if (!(condition)) {                                   \
            fuzz_fail(__FILE__, __LINE__, #condition, "", 0); \
        }                                                     \
    } while (0)

/* The same, and shows what it does not hold of. */
#define REQUIRE_OF(condition, data, size)                          \
    do {                                                           \
        if (!(condition)) {                                        \
            fuzz_fail(__FILE__, __LINE__, #condition, data, size); \
        }                                                          \
    } while (0)

_Noreturn void fuzz_fail(const char *file, int line, const char *condition, const char *data,
                         size_t size);

/* ---- bytes in and out ------------------------------------------------------------------------ */

/* Bytes to be read, in pieces of changing size. */
struct fuzz_bytes {
    const uint8_t *data;
    size_t size, at, calls;
};

/* An input of these bytes, by the name "fuzz"; what it remarks is passed over. */
struct bsim_input fuzz_input(struct fuzz_bytes *bytes);

/* An output into the buffer. */
struct bsim_output fuzz_output(struct bsim_buffer *buffer);

/* A copy of the bytes, with right checksums if they are a binary trace of an even size: what is
 * behind them would hardly be reached otherwise. */
struct bsim_buffer fuzz_repaired(const uint8_t *data, size_t size);

/* A number that depends on all bytes: it chooses among options. */
uint64_t fuzz_hash(const uint8_t *data, size_t size);

/* An error of the input's has a message, and a caret inside of its excerpt. */
void fuzz_require_message(const struct bsim_error *err);

/* ---- simulation ------------------------------------------------------------------------------ */

/* A simulator and a timer that see the same stream. */
struct fuzz_run {
    struct bsim_sim *sim;
    struct bsim_timer *timer;      /* NULL: only counts */
    struct bsim_check *arrays;     /* that the running kernel declares, or NULL */
    struct bsim_survey *survey;    /* that gets every request, or NULL */
    struct bsim_request_rows rows; /* of a report per request */
    struct bsim_buffer *requests;  /* where that goes, or NULL */
};

/* Makes sim and timer; the rest of *run is the caller's. device NULL: as the trace says. */
void fuzz_run_open(struct fuzz_run *run, const struct bsim_device *device);
struct bsim_sink fuzz_run_sink(struct fuzz_run *run);
void fuzz_run_result(struct fuzz_run *run, struct bsim_result *result);
void fuzz_run_close(struct fuzz_run *run);

/* The result as `run --shard 1/1` writes it: every number of it. */
void fuzz_result_text(const struct bsim_result *result, struct bsim_buffer *out);

/* ---- reports --------------------------------------------------------------------------------- */

/* A report in one of the formats is well formed: json by its grammar, in UTF-8; csv with as many
 * cells in every row as in its head; svg a balanced XML document; html with data that is json; all
 * of them without control characters other than line ends, in csv without formulas. */
void fuzz_require_form(enum bsim_format format, const struct bsim_buffer *report);

/* Writes the result as text, csv and json, per kernel, per site and as the profilers name it, and
 * requires their form. */
void fuzz_require_reports(const struct bsim_result *result);

#endif
