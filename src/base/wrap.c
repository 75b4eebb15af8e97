/* wrap.c - a paragraph in lines. */
#include "base/wrap.h"

#include <string.h>

/* The bytes of the word at text, which has n. */
static size_t word_length(const char *text, size_t n)
{
    size_t length = 0;
    while (length < n && text[length] != ' ' && text[length] != '\n') {
        length++;
    }
    return length;
}

void bsim_wrap(const char *text, size_t n, size_t columns, struct bsim_buffer *out)
{
    const char *end = text + n;
    size_t column = 0;
    while (text < end) {
        size_t length = word_length(text, (size_t)(end - text));
        if (column > 0 && column + 1 + length > columns) {
            bsim_buffer_text(out, "\n");
            column = 0;
        }
        bsim_buffer_text(out, column > 0 ? " " : "");
        bsim_buffer_add(out, text, length);
        column += length + (column > 0);
        text += length + 1;
    }
    bsim_buffer_text(out, "\n");
}
