/* command.h - banksim's commands, run within this process or as one of their own, and what they
 * printed.
 */
#ifndef BSIM_FUZZ_COMMAND_H
#define BSIM_FUZZ_COMMAND_H

#include "support.h"

struct fuzz_outcome {
    int code;
    struct bsim_buffer out, err; /* standard output and error; with a NUL behind, also when empty */
};

/* Runs `banksim word word ...`, the words ended by NULL. input: a file for standard input, or NULL
 * for none. program: that of banksim, or NULL for this process, which is many times faster but
 * shares what the commands leave behind. The caller frees the outcome. */
struct fuzz_outcome fuzz_command(const char *program, const char *const *words, const char *input);
void fuzz_outcome_free(struct fuzz_outcome *outcome);

/* A path for a file of this process's own, the same for the same name; the files are removed in the
 * end. Static per name, for up to FUZZ_MAX_FILES names. */
enum { FUZZ_MAX_FILES = 16 };
const char *fuzz_path(const char *name);

/* Fills a file. */
void fuzz_write(const char *path, const void *data, size_t size);

#endif
