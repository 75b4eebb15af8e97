/* checks.h - holds what a GPU counted, as run.sh wrote it down, against the model: every row. */
#ifndef CROSSCHECK_CHECKS_H
#define CROSSCHECK_CHECKS_H

#include "table.h"

#include <banksim/model.h>

enum { CHECKS_NUMBER_SIZE = 32 };

/* Two numbers that should be equal. Borrowed until the callback returns. */
struct checks_difference {
    const char *file, *row;
    const char *what; /* the column, or what is wrong with the row */
    const char *simulated, *counted;
};

struct checks {
    const char *dir;
    const struct bsim_device *device; /* that the rows are simulated on */
    /* One more way to the counts of a shared request, which must give what the others do; may be
     * NULL. */
    void (*count)(const struct bsim_device *device, const struct bsim_event *event,
                  struct bsim_counts *counts);
    void *context;
    /* Called for each row with its first column, an opcode or a kernel; may be NULL. */
    void (*on_row)(void *context, const char *file, const char *subject);
    void (*on_difference)(void *context, const struct checks_difference *difference);
};

struct checks_tally {
    unsigned long rows;    /* that were compared */
    unsigned long skipped; /* that hold something which is not modelled; see checks.c */
};

/* The files by index 0, 1, ..., until NULL. */
const char *checks_file_at(size_t index);

/* Compares file number index. False if there is no such file or no head in it. */
bool checks_run(const struct checks *checks, size_t index, struct checks_tally *tally);

/* ---- between checks.c and checks_twins.c ----------------------------------------------------- */

/* Reports the row if the numbers differ; the column must hold a number. */
void checks_equal(const struct checks *checks, const struct table *table, const char *column,
                  double simulated);
void checks_report(const struct checks *checks, const struct table *table, const char *what,
                   const char *simulated, const char *counted);

/* One row of twins.csv. */
bool checks_twin(const struct checks *checks, const struct table *table);

#endif
