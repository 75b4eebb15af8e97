/* compare.c - `compare DIR`: what run.sh counted, held against the model and the emulators.
 *
 * Prints one line if all of it is equal. Otherwise the list of what differs, under the head lines
 * that say which GPU, driver and profiler it was: such an output is a complete report. Exits with 1
 * if something differs or is missing, 2 for wrong usage. The device is the one whose compute
 * capability the files name.
 */
#include "checks.h"

#include <banksim/banksim.h>

#include <string.h>

/* Rows shown per file: enough to see a rule in them. */
enum { MOST_SHOWN = 200 };

struct report {
    const char *dir;
    const char *file;      /* that differences were last shown of */
    unsigned long n_shown; /* of that file */
    unsigned long n_differences;
};

/* Calls see for each line of a file's head; returns false if the file is not there. */
static bool each_head_line(const char *dir, const char *name,
                           void (*see)(void *context, const char *line), void *context)
{
    char path[TABLE_PATH_SIZE], line[TABLE_LINE_SIZE];
    int length = snprintf(path, sizeof path, "%s/%s", dir, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (file == NULL) {
        return false;
    }
    while (fgets(line, sizeof line, file) != NULL && line[0] == '#') {
        see(context, line);
    }
    fclose(file);
    return true;
}

static void show_line(void *context, const char *line)
{
    (void)context;
    fputs(line, stdout);
}

/* "compute capability 9.0" is 90. */
static void take_compute(void *context, const char *line)
{
    static const char before[] = "compute capability ";
    const char *at = strstr(line, before);
    unsigned major, minor;
    if (at != NULL && sscanf(at + sizeof before - 1, "%u.%u", &major, &minor) == 2) {
        *(unsigned *)context = 10 * major + minor;
    }
}

static bool find_device(const char *dir, struct bsim_device *device)
{
    char name[CHECKS_NUMBER_SIZE], text[1200];
    unsigned compute = 0;
    struct bsim_error err = {.status = BSIM_OK};
    for (size_t i = 0; checks_file_at(i) != NULL && compute == 0; i++) {
        (void)each_head_line(dir, checks_file_at(i), take_compute, &compute);
    }
    if (compute == 0) {
        fprintf(stderr, "compare: no file in %s names a compute capability\n", dir);
        return false;
    }
    snprintf(name, sizeof name, "sm_%u", compute);
    if (bsim_device_find(name, NULL, device, &err) != BSIM_OK) {
        fprintf(stderr, "compare: %s", bsim_error_text(&err, text, sizeof text));
        return false;
    }
    return true;
}

static void show_difference(void *context, const struct checks_difference *difference)
{
    struct report *report = context;
    report->n_differences++;
    if (report->file != difference->file) {
        report->file = difference->file;
        report->n_shown = 0;
        printf("\n%s\n", difference->file);
        (void)each_head_line(report->dir, difference->file, show_line, NULL);
    }
    if (report->n_shown++ < MOST_SHOWN) {
        printf("%s: simulated %s, counted %s\n    %s\n", difference->what, difference->simulated,
               difference->counted, difference->row);
    } else if (report->n_shown == MOST_SHOWN + 1) {
        printf("... and more of this file; the first %d are above\n", MOST_SHOWN);
    }
}

/* Runs all files; returns the rows that were compared. */
static unsigned long run_all(const struct checks *checks, struct report *report)
{
    unsigned long rows = 0;
    struct checks_tally tally;
    for (size_t i = 0; checks_file_at(i) != NULL; i++) {
        if (!checks_run(checks, i, &tally)) {
            report->n_differences++;
            printf("\n%s: not there, or empty\n", checks_file_at(i));
        }
        rows += tally.rows;
    }
    return rows;
}

int main(int argc, char **argv)
{
    struct bsim_device device;
    if (argc != 2) {
        fprintf(stderr, "usage: compare DIR (tests/measured/GPU/crosscheck)\n");
        return 2;
    }
    if (!find_device(argv[1], &device)) {
        return 1;
    }
    struct report report = {.dir = argv[1]};
    struct checks checks = {
        .dir = argv[1], .device = &device, .context = &report, .on_difference = show_difference};
    unsigned long rows = run_all(&checks, &report);
    if (report.n_differences == 0) {
        printf("all equal: %lu rows\n", rows);
        return 0;
    }
    printf("\n%lu differences in %lu rows (banksim %s, %s). Please send this list in.\n",
           report.n_differences, rows, bsim_version(), device.name);
    return 1;
}
