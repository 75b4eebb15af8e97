/* pager.c - a long text on a terminal, a screen at a time. */
#define _POSIX_C_SOURCE 200809L

#include "cli/lesson.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_ROWS = 24, LEAST_ROWS = 8, OWN_ROWS = 2 /* the question, and where one types */ };

static const char question[] = "-- Enter goes on, q ends: ";

/* The lines of a page. */
static size_t rows_of_page(void)
{
    struct winsize size;
    size_t rows = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row
                                                                                 : USUAL_ROWS;
    return (rows > LEAST_ROWS ? rows : LEAST_ROWS) - OWN_ROWS;
}

/* Where a page of at most n lines ends: the last empty line of its lower half, if it has one, as
 * pictures and paragraphs are parted by such; or the end of the text. */
static const char *end_of_page(const char *text, size_t n)
{
    const char *gap = NULL;
    const char *end = text;
    size_t line = 0;
    for (; line < n && *end != '\0'; line++) {
        size_t length = strcspn(end, "\n");
        gap = length == 0 && 2 * line >= n ? end + 1 : gap;
        end += length + (end[length] == '\n');
    }
    return *end == '\0' || gap == NULL ? end : gap;
}

bool bsim_cli_read_line(char *line, size_t size)
{
    int c;
    if (fgets(line, (int)size, stdin) == NULL) {
        line[0] = '\0';
        return false;
    }
    size_t length = strcspn(line, "\n");
    if (line[length] != '\n') {
        while ((c = getchar()) != EOF && c != '\n') { /* the rest of a long one */
        }
    }
    line[length] = '\0';
    return true;
}

bool bsim_cli_means_end(const char *line)
{
    return strcmp(line, "q") == 0 || strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0;
}

static enum bsim_status cut_short(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_IO, "the lesson was cut short");
}

enum bsim_status bsim_cli_page(const char *text, bool *goes_on, struct bsim_error *err)
{
    char line[16];
    *goes_on = true;
    while (*text != '\0' && *goes_on) {
        const char *end = end_of_page(text, rows_of_page());
        if (fwrite(text, 1, (size_t)(end - text), stdout) != (size_t)(end - text)) {
            return cut_short(err);
        }
        text = end;
        if (*text != '\0') {
            (void)fputs(question, stdout);
            (void)fflush(stdout);
            *goes_on = !bsim_cli_read_line(line, sizeof line) || !bsim_cli_means_end(line);
        }
    }
    return fflush(stdout) == 0 ? BSIM_OK : cut_short(err);
}
