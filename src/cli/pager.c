/* pager.c - a long text on a terminal, a screen at a time. */
#define _POSIX_C_SOURCE 200809L

#include "cli/lesson.h"

#include "base/wrap.h"

#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL_ROWS = 24, LEAST_ROWS = 8, OWN_ROWS = 2 /* the question, and where one types */ };
enum { MOST_COLUMNS = 78 };

static const char question[] = "-- Enter goes on, q ends: ";

/* The lines of a page. */
static size_t rows_of_page(void)
{
    struct winsize size;
    size_t rows =
        ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : USUAL_ROWS;
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

void bsim_cli_wrap(const char *text, size_t n, struct bsim_buffer *out)
{
    uint32_t columns = bsim_cli_columns();
    bsim_wrap(text, n, columns > 0 && columns < MOST_COLUMNS ? columns : MOST_COLUMNS, out);
}

const char *bsim_cli_read_line(struct bsim_buffer *line)
{
    char part[256];
    bool is_there = false, has_ended = false;
    bsim_buffer_clear(line);
    while (!has_ended && fgets(part, sizeof part, stdin) != NULL) {
        size_t length = strcspn(part, "\n");
        is_there = true;
        has_ended = part[length] == '\n';
        bsim_buffer_add(line, part, length);
    }
    return !is_there || line->failed ? NULL : line->size_bytes > 0 ? line->data : "";
}

bool bsim_cli_means_end(const char *line)
{
    return strcmp(line, "q") == 0 || strcmp(line, "quit") == 0 || strcmp(line, "exit") == 0;
}

static enum bsim_status cut_short(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_IO, "the lesson was cut short");
}

/* Says the words, and waits for a line; false: the reader ends it. */
static bool wait_after(const char *words)
{
    struct bsim_buffer line = BSIM_BUFFER_EMPTY;
    (void)fputs(words, stdout);
    (void)fflush(stdout);
    const char *typed = bsim_cli_read_line(&line);
    bool goes_on = typed == NULL || !bsim_cli_means_end(typed);
    bsim_buffer_free(&line);
    return goes_on;
}

enum bsim_status bsim_cli_page(const char *text, bool *goes_on, struct bsim_error *err)
{
    *goes_on = true;
    while (*text != '\0' && *goes_on) {
        const char *end = end_of_page(text, rows_of_page());
        if (fwrite(text, 1, (size_t)(end - text), stdout) != (size_t)(end - text)) {
            return cut_short(err);
        }
        text = end;
        if (*text != '\0') {
            *goes_on = wait_after(question);
        }
    }
    return fflush(stdout) == 0 ? BSIM_OK : cut_short(err);
}
