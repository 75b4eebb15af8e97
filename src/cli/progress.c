/* progress.c - the line that tells on a terminal how far a long run is. It appears in the third
 * second and is drawn anew at most once a second. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum {
    SILENT_SECONDS = 2,
    MINUTE = 60,
    HOUR = 60 * MINUTE,
};

void bsim_cli_progress_start(struct progress *progress, const char *name, FILE *file)
{
    *progress = (struct progress){
        .name = name,
        .file = file,
        .is_wanted = isatty(STDERR_FILENO) == 1,
        .started = time(NULL),
    };
}

/* The part of the input that has been read, 0 to 1; 0 where its size is not known. */
static double part_read(const struct progress *progress)
{
    struct stat status;
    FILE *file = progress->file;
    if (file == NULL || fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size == 0) {
        return 0;
    }
    off_t at = ftello(file);
    return at > 0 ? (double)at / (double)status.st_size : 0;
}

/* "43 %, 1:07 left" */
static void print_left(double part, double seconds)
{
    uint64_t left = (uint64_t)(seconds * (1 - part) / part + 0.5);
    (void)fprintf(stderr, ", %.0f %%, ", 100 * part);
    if (left >= HOUR) {
        (void)fprintf(stderr, "%" PRIu64 ":%02" PRIu64 ":%02" PRIu64 " left", left / HOUR,
                      left % HOUR / MINUTE, left % MINUTE);
    } else {
        (void)fprintf(stderr, "%" PRIu64 ":%02" PRIu64 " left", left / MINUTE, left % MINUTE);
    }
}

static void draw(struct progress *progress, const struct bsim_progress *far, time_t now)
{
    double seconds = (double)(now - progress->started);
    double millions = (double)far->events / 1e6;
    double part = far->grid > 0 ? (double)far->blocks / (double)far->grid : part_read(progress);
    progress->drawn = now;
    (void)fputc('\r', stderr);
    bsim_cli_say("%.200s: ", progress->name);
    if (far->grid > 0) {
        bsim_cli_say("%" PRIu64 " of %" PRIu64 " blocks, ", far->blocks, far->grid);
    }
    bsim_cli_say("%.1f million events, %.1f million/s", millions, millions / seconds);
    if (part > 0 && part <= 1) {
        print_left(part, seconds);
    }
    (void)fputs("\x1b[K", stderr);
    (void)fflush(stderr);
}

void bsim_cli_progress(struct progress *progress, const struct bsim_progress *far)
{
    time_t now = progress->is_wanted ? time(NULL) : 0;
    if (progress->is_wanted && now != progress->drawn &&
        now - progress->started >= SILENT_SECONDS) {
        draw(progress, far, now);
    }
}

void bsim_cli_progress_clear(struct progress *progress)
{
    if (progress->drawn != 0) {
        (void)fputs("\r\x1b[K", stderr);
        (void)fflush(stderr);
        progress->drawn = 0;
    }
}
