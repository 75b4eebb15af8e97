/* lines.c - the lines of an input; see lines.h.
 *
 * One buffer holds the line given last, which messages at the end of the file still show, and what
 * has been read ahead:
 *
 *     data    last       from           searched      to          CAPACITY
 *     |  ...  | line\n   | line\n li    | ...         |  free     |
 *
 * Only when the free part is used up do the bytes from `last` on move to the front, so each byte is
 * moved once at most per filling of the buffer.
 */
#include "trace/lines.h"

#include "base/memory.h"
#include "trace/file.h"

#include <string.h>

enum {
    LINE_END_BYTES = 2,
    /* Two of the longest lines, so that there is always something free to read into behind the
     * line given last and the part of a line that follows; and a byte for the line end that a
     * file's last line may lack. */
    CAPACITY = 4 * BSIM_LINE_MAX_BYTES,
};

enum bsim_status bsim_lines_open(struct bsim_lines *lines, const struct bsim_input *input,
                                 struct bsim_error *err)
{
    *lines = (struct bsim_lines){.input = input};
    lines->own = bsim_mem_zeroed(CAPACITY + 1 + BSIM_LINES_SLACK, 1);
    if (lines->own == NULL) {
        return bsim_mem_short(err);
    }
    lines->data = lines->own;
    lines->data[0] = '\n';
    return BSIM_OK;
}

void bsim_lines_restart(struct bsim_lines *lines, const struct bsim_input *input, uint64_t number)
{
    char *own = lines->own;
    *lines = (struct bsim_lines){.input = input, .data = own, .own = own, .number = number};
    own[0] = '\n';
}

void bsim_lines_over(struct bsim_lines *lines, const struct bsim_input *input, char *data, size_t n,
                     uint64_t number)
{
    *lines = (struct bsim_lines){
        .input = input, .data = data, .own = lines->own, .to = n, .at_end = true, .number = number};
}

void bsim_lines_close(struct bsim_lines *lines)
{
    bsim_mem_free(lines->own);
    lines->own = lines->data = NULL;
}

static void move_to_front(struct bsim_lines *lines)
{
    size_t gap = lines->last;
    memmove(lines->data, lines->data + gap, lines->to - gap);
    lines->last = 0;
    lines->from -= gap;
    lines->to -= gap;
    lines->searched -= gap;
}

/* False when the input has failed. */
static bool read_more(struct bsim_lines *lines)
{
    if (lines->to == CAPACITY) {
        move_to_front(lines);
    }
    const struct bsim_input *input = lines->input;
    size_t n = input->read(input->context, lines->data + lines->to, CAPACITY - lines->to);
    if (n == SIZE_MAX) {
        return false;
    }
    lines->at_end = n == 0;
    lines->to += n;
    return true;
}

/* Describes the bytes from..end of the buffer as a line. */
static void set_scan(const struct bsim_lines *lines, size_t from, size_t end,
                     struct bsim_scan *scan)
{
    scan->file = lines->input->name;
    scan->number = lines->number;
    scan->line = lines->data + from;
    if (end > from && lines->data[end - 1] == '\r') {
        end--;
    }
    scan->end = lines->data + end;
    scan->at = scan->line;
}

static bool give_line(struct bsim_lines *lines, size_t end, struct bsim_scan *scan)
{
    lines->last = lines->from;
    lines->from = end < lines->to ? end + 1 : end;
    lines->searched = lines->from;
    lines->number++;
    set_scan(lines, lines->last, end, scan);
    if (scan->end - scan->line > BSIM_LINE_MAX_BYTES) {
        bsim_scan_error(scan, scan->line + BSIM_LINE_MAX_BYTES, "the line is longer than %d bytes",
                        BSIM_LINE_MAX_BYTES);
    }
    return scan->status == BSIM_OK;
}

/* The end of the input: the place behind the last line. */
static void give_end(struct bsim_lines *lines, struct bsim_scan *scan)
{
    size_t end = lines->from;
    if (end > lines->last && lines->data[end - 1] == '\n') {
        end--;
    }
    lines->number += lines->number == 0;
    lines->data[lines->from] = '\n';
    set_scan(lines, lines->last, end, scan);
    scan->at = scan->end;
}

bool bsim_lines_next(struct bsim_lines *lines, struct bsim_scan *scan)
{
    for (;;) {
        const char *line_end =
            memchr(lines->data + lines->searched, '\n', lines->to - lines->searched);
        if (line_end != NULL) {
            return give_line(lines, (size_t)(line_end - lines->data), scan);
        }
        lines->searched = lines->to;
        bool is_too_long = lines->to - lines->from >= BSIM_LINE_MAX_BYTES + LINE_END_BYTES;
        if (is_too_long || (lines->at_end && lines->from < lines->to)) {
            lines->data[lines->to] = '\n';
            return give_line(lines, lines->to, scan);
        }
        if (lines->at_end) {
            give_end(lines, scan);
            return false;
        }
        if (!read_more(lines)) {
            scan->status = bsim_input_error(lines->input, scan->err);
            return false;
        }
    }
}
