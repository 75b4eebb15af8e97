/* bench.h - the parts of the benchmark program; README.md says what it measures and how. */
#ifndef BSIM_BENCH_H
#define BSIM_BENCH_H

#include <banksim/banksim.h>

#include <stdio.h>

/* ---- measuring (table.c) -------------------------------------------------------------------- */

/* Something that can be timed. run does a piece of work of some milliseconds and returns how many
 * units it did; 0: it failed. */
struct contender {
    const char *name;
    double (*run)(void *context);
    void *context;
};

enum { MOST_CONTENDERS = 4 };

struct table {
    FILE *csv;
    unsigned rounds;
    bool by_wall; /* rates are of time that passes, not of processor time */
    bool failed;
};

/* Runs the contenders in turn, round after round, and writes a line: the median rate of the first,
 * and of each other one its median rate and the median of the rounds' ratios. unit: "requests". */
void table_row(struct table *table, const char *part, const char *name, const char *unit,
               const struct contender *contenders, size_t n);

/* ---- the parts ------------------------------------------------------------------------------ */

void bench_model(struct table *table); /* model.c */
void bench_traces(struct table *table, const char *banksim, const char *folder, unsigned megabytes);
void bench_work(struct table *table);   /* work.c */
void bench_blocks(struct table *table); /* blocks.c */
void bench_ptx(struct table *table);    /* ptx.c */

/* ---- events (events.c) ---------------------------------------------------------------------- */

/* A block's events, over and over: a stream as long as wanted. */
enum { BENCH_WARPS = 16, BENCH_EVENTS = BENCH_WARPS * 64, BENCH_SITES = 4 };

enum bench_kind { BENCH_STEPS, BENCH_LISTS, BENCH_GLOBAL, BENCH_N_KINDS };

struct bench_stream {
    enum bench_kind kind;
    struct bsim_kernel kernel;
    struct bsim_site site[BENCH_SITES];
    struct bsim_event event[BENCH_EVENTS];
};

const char *bench_kind_name(enum bench_kind kind);

void bench_stream_make(enum bench_kind kind, struct bench_stream *stream);

/* Pushes a kernel of n_blocks blocks, and END. */
enum bsim_status bench_stream_push(const struct bench_stream *stream, uint32_t n_blocks,
                                   const struct bsim_sink *sink, struct bsim_error *err);

/* Writes the same as an Accel-Sim trace, whose grid is those blocks. */
bool bench_stream_traceg(const struct bench_stream *stream, uint32_t n_blocks, FILE *file);

/* SplitMix64. */
uint32_t bench_random(uint64_t *state);

#endif
