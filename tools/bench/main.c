/* main.c - bench BANKSIM FOLDER CSV: times everything, writes a table and CSV. FOLDER is for traces,
 * which are removed again. See README.md for the settings. */
#define _POSIX_C_SOURCE 200809L

#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* A whole number from the environment, or otherwise `usual`. */
static unsigned setting(const char *name, unsigned usual, unsigned most)
{
    const char *text = getenv(name);
    unsigned long value = text != NULL ? strtoul(text, NULL, 10) : usual;
    return value >= 1 && value <= most ? (unsigned)value : usual;
}

static bool is_wanted(const char *part)
{
    const char *parts = getenv("BENCH");
    return parts == NULL || *parts == '\0' || strstr(parts, part) != NULL;
}

int main(int argc, char **argv)
{
    struct table table = {.rounds = setting("BENCH_ROUNDS", 11, 101)};
    if (argc != 4) {
        (void)fprintf(stderr, "usage: bench BANKSIM FOLDER CSV\n");
        return 2;
    }
    table.csv = fopen(argv[3], "w");
    if (table.csv == NULL) {
        perror(argv[3]);
        return 4;
    }
    (void)fprintf(table.csv, "part,case,unit,rate,reference,reference_rate,ratio\n");
    (void)printf(
        "millions a second of processor time, but for (wall); medians of %u rounds in turn\n",
        table.rounds);
    if (is_wanted("model")) {
        bench_model(&table);
    }
    if (is_wanted("traces")) {
        bench_traces(&table, argv[1], argv[2], setting("BENCH_MB", 256, 4096));
    }
    if (is_wanted("work")) {
        bench_work(&table);
        bench_blocks(&table);
    }
    if (is_wanted("ptx")) {
        bench_ptx(&table);
    }
    if (fclose(table.csv) != 0) {
        perror(argv[3]);
        return 4;
    }
    return table.failed ? 1 : 0;
}
