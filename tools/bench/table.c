/* table.c - timing contenders against each other. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

enum { MOST_ROUNDS = 101 };

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Processor time of this program and of those it has waited for: what other programs take from the
 * processor does not count. Or what a clock on the wall shows. */
static double now(bool by_wall)
{
    struct timespec own;
    if (by_wall) {
        (void)clock_gettime(CLOCK_MONOTONIC, &own);
        return (double)own.tv_sec + 1e-9 * (double)own.tv_nsec;
    }
    struct rusage children;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    (void)getrusage(RUSAGE_CHILDREN, &children);
    return (double)own.tv_sec + 1e-9 * (double)own.tv_nsec + seconds_of(children.ru_utime) +
           seconds_of(children.ru_stime);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const double *values, size_t n)
{
    double sorted[MOST_ROUNDS] = {0};
    for (size_t i = 0; i < n; i++) {
        sorted[i] = values[i];
    }
    qsort(sorted, n, sizeof *sorted, by_size);
    return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

static double rate_of(const struct contender *contender, bool by_wall)
{
    double start = now(by_wall);
    double units = contender->run(contender->context);
    double seconds = now(by_wall) - start;
    return seconds > 0 ? units / seconds : 0;
}

static void write_pair(struct table *table, const char *part, const char *name, const char *unit,
                       double rate, const char *other, double other_rate, double ratio)
{
    (void)fprintf(table->csv, "%s,%s,%s,%.0f,%s,%.0f,%.3f\n", part, name, unit, rate, other,
                  other_rate, ratio);
    (void)printf("  %7.3g x %s (%.4g)", ratio, other, other_rate / 1e6);
}

void table_row(struct table *table, const char *part, const char *name, const char *unit,
               const struct contender *contenders, size_t n)
{
    double rates[MOST_CONTENDERS][MOST_ROUNDS] = {{0}};
    unsigned rounds = table->rounds < MOST_ROUNDS ? table->rounds : MOST_ROUNDS;
    for (unsigned round = 0; round <= rounds; round++) {
        /* The first round warms up and is overwritten. */
        unsigned at = round == 0 ? 0 : round - 1;
        for (size_t c = 0; c < n; c++) {
            rates[c][at] = rate_of(&contenders[c], table->by_wall);
            if (rates[c][at] <= 0) {
                (void)fprintf(stderr, "bench: %s, %s: %s failed\n", part, name, contenders[c].name);
                table->failed = true;
                return;
            }
        }
    }
    double rate = median(rates[0], rounds);
    (void)printf("%-7s %-26s %8.2f M %-9s", part, name, rate / 1e6, unit);
    for (size_t c = 1; c < n; c++) {
        double ratios[MOST_ROUNDS] = {0};
        for (unsigned round = 0; round < rounds; round++) {
            ratios[round] = rates[0][round] / rates[c][round];
        }
        write_pair(table, part, name, unit, rate, contenders[c].name, median(rates[c], rounds),
                   median(ratios, rounds));
    }
    if (n == 1) {
        (void)fprintf(table->csv, "%s,%s,%s,%.0f,,,\n", part, name, unit, rate);
    }
    (void)printf("\n");
    (void)fflush(stdout);
}
