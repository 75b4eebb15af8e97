/* absent.c - what a page has not: files. */
#include <errno.h>
#include <stdio.h>

/* wasi-libc declares it and does not have it; a trace that would need one cannot be read here. */
FILE *tmpfile(void)
{
    errno = ENOSYS;
    return NULL;
}
