/* absent.c - what a page has not: files, threads, traces; and no format but those that it asks for. The
 * library's own would be a fifth of the module. */
#include "report/format.h"
#include "run/crew.h"

#include <errno.h>
#include <stdio.h>

/* wasi-libc declares it and does not have it; a trace that would need one cannot be read here. */
FILE *tmpfile(void)
{
    errno = ENOSYS;
    return NULL;
}

/* A launch may name a file that an array's bytes are in. */
FILE *fopen(const char *restrict path, const char *restrict mode)
{
    (void)path, (void)mode;
    errno = ENOENT;
    return NULL;
}

/* A page asks of statements alone, and with one thread. */
enum bsim_status bsim_crew_read(struct bsim_running *run, struct bsim_result *sum,
                                struct bsim_error *err)
{
    (void)run;
    (void)sum;
    return bsim_error_set(err, BSIM_E_USAGE, "a page reads no trace");
}

const struct bsim_renderer bsim_svg_renderer = {.name = "svg"};
const struct bsim_renderer bsim_page_renderer = {.name = "html"};
