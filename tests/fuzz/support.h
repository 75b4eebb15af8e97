/* support.h - what the fuzz targets share: bytes in and out, and the main that replays files.
 *
 * A target is one file with LLVMFuzzerTestOneInput. libFuzzer brings main (-DBSIM_LIBFUZZER);
 * otherwise support.c has one that replays the files given as arguments, standard input without any:
 * the form for AFL++ and for plain test runs.
 */
#ifndef BSIM_FUZZ_SUPPORT_H
#define BSIM_FUZZ_SUPPORT_H

#include <banksim/banksim.h>

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

/* ---- bytes in and out ------------------------------------------------------------------------- */

/* Bytes to be read, in pieces of changing size. */
struct fuzz_bytes {
    const uint8_t *data;
    size_t size, at, calls;
};

/* An input of these bytes, by the name "fuzz"; what it remarks is passed over. */
struct bsim_input fuzz_input(struct fuzz_bytes *bytes);

/* An output into the buffer. */
struct bsim_output fuzz_output(struct bsim_buffer *buffer);

/* A copy of the bytes, with right checksums if they are a binary trace of an even size: what is behind
 * them would hardly be reached otherwise. */
struct bsim_buffer fuzz_repaired(const uint8_t *data, size_t size);

/* An error of the input's has a message, and a caret inside of its excerpt. */
void fuzz_require_message(const struct bsim_error *err);

#endif
