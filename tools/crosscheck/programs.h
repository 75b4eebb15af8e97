/* programs.h - timed programs, their traces, and the cycle model's error on them. */
#ifndef CROSSCHECK_PROGRAMS_H
#define CROSSCHECK_PROGRAMS_H

#include <banksim/result.h>

#include <stdio.h>

enum { PROGRAM_TURNS = 128 };

struct timed_program {
    char name[32];
    char text[128];     /* "W=8 U=1 ind st4:1 ld8:1" */
    unsigned n_blocks;  /* of an SM */
    double measured;    /* clocks per turn */
    double least, most; /* 90 % of the SMs and runs lie between them, where that was kept */
    double model_least, model_most; /* the range that a report has; as model where it has none */
    double model;       /* the same as measured, once programs_time has run; 0 before */
    const char *trace;  /* its kernel, in the set's trace */
    size_t trace_size;
};

struct program_set {
    struct timed_program *program;
    size_t n;
    char *trace;
};

struct program_errors {
    size_t n;
    double median, p90, mean, most; /* without their signs, in per cent of what was measured */
};

/* Adds the programs of FOLDER/programs.csv that have a kernel in FOLDER/programs.trace. Says what is
 * wrong and returns 0 if a file cannot be read or nothing comes out. The caller frees the set. */
int programs_read(struct program_set *set, const char *folder);
void programs_free(struct program_set *set);

/* Has the model play a program; timing NULL: the constants of the trace's device. Says what is wrong
 * and returns 0 on failure. */
int program_time(struct timed_program *program, const struct bsim_timing *timing);
int programs_time(struct program_set *set, const struct bsim_timing *timing);

/* Widens the range of a program that was played by what a clock in the kernel does not see; as above. */
int program_range(struct timed_program *program, const struct bsim_timing *timing);

/* (model - measured) / measured in per cent, and what of it lies beyond `least` and `most`: where the GPU differs from SM
 * to SM no one number is right. */
double program_error(const struct timed_program *program);
double program_error_beyond(const struct timed_program *program);
struct program_errors programs_errors(const struct program_set *set);
struct program_errors programs_errors_beyond(const struct program_set *set);

/* The table by warps and kind, the line of all, and that of all beyond `least` and `most`. */
void programs_print(const struct program_set *set);

#endif
