/* cuda.h - what `banksim cuda` is made of beside its command. */
#ifndef BSIM_CLI_CUDA_H
#define BSIM_CLI_CUDA_H

#include "cli/cli.h"

#include <sys/types.h>

/* The flags of --flags for who compiles. */
enum { CUDA_MAX_FLAGS = 256 };

struct cuda_flags {
    char *word[CUDA_MAX_FLAGS + 1]; /* NULL behind the last */
    size_t n;
    char arch[96];     /* nvcc's: the PTX of what GPU; sm_90 if none is named */
    unsigned gpu;      /* its number, 0 if none is named */
    bool has_standard; /* of C++: -std is among the words */
    char *text;        /* what the words stand in: to be freed */
};

/* Makes them of the text, NULL for none, in which blanks part flags as nvcc has them. What clang has not is
 * left out, so is what would link kernels of several files, and named on standard error if the program does
 * something else without. False without memory. */
bool bsim_cli_cuda_flags(struct cuda_flags *flags, const char *text, bool is_clang);

/* A file's text up to a zero byte, to be freed; NULL if it is empty or cannot be read. */
char *bsim_cli_cuda_text(const char *path);

/* Whether launches of a source have blanks in their <<< or >>>: a copy without these is written, in which all
 * else is where it was. False if it cannot be written, too. */
bool bsim_cli_cuda_closed(const char *path, const char *copy);

/* Writes what -ivfsoverlay reads, to have the copy in the place of the file. False if it cannot be written. */
bool bsim_cli_cuda_overlay(const char *overlay, const char *path, const char *copy);

/* Reads from a file what a linker said. If all that it misses are functions of NVIDIA's libraries, writes a
 * C++ source that has them and names them on standard error; false if that is not all, or cannot be
 * written. */
bool bsim_cli_cuda_absent(const char *linker_says, const char *source, bool skips);

/* Reads from a file what a compiler or linker said, and says in one line on standard error what was
 * missing and what can be done. */
void bsim_cli_cuda_answer(const char *compiler_says, bool is_clang);

/* Runs a program that is linked with banksim's runtime (words: its file and its arguments, NULL behind
 * the last) and reports its launches as the options say; started is called when its file is needed no
 * more. Returns the exit code. */
int bsim_cli_cuda_run(struct options *options, char **words, void (*started)(void *context),
                      void *context);

/* ---- programs that are called (cuda_call.c) -------------------------------------------------- */

/* Signals that would end us end who runs for us from here on; whether one came, and to end as it asks. */
void bsim_cli_cuda_catch_signals(void);
bool bsim_cli_cuda_is_ending(void);
void bsim_cli_cuda_die_if_asked(void);

/* The process runs for us. bsim_cli_cuda_wait waits for its end and returns its status as waitpid has
 * it. */
void bsim_cli_cuda_started(pid_t child);
int bsim_cli_cuda_wait(pid_t child);

/* Runs it to its end; what it says goes to the file. Returns its exit code, 128 + the signal's number if
 * one ended it, 127 if it cannot be run. */
int bsim_cli_cuda_call(char *const *words, const char *file);

#endif
