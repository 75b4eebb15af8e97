/* xml.c - text as XML character data. */
#include "base/xml.h"

#include "base/utf8.h"

#include <string.h>

/* XML 1.0 has these three control characters, and not U+FFFE, U+FFFF. */
static bool is_character(const char *text, size_t length)
{
    bool is_blank = text[0] == '\t' || text[0] == '\n' || text[0] == '\r';
    bool is_last = length == 3 &&
                   (memcmp(text, "\xef\xbf\xbe", 3) == 0 || memcmp(text, "\xef\xbf\xbf", 3) == 0);
    return length > 0 && !is_last && (is_blank || !bsim_utf8_control(text));
}

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    case '\t':
    case '\n':
    case '\r':
        return " ";
    default:
        return NULL;
    }
}

void bsim_xml_text(const char *text, struct bsim_buffer *out)
{
    while (*text != '\0') {
        size_t length = bsim_utf8_length(text);
        const char *entity = entity_of(*text);
        if (!is_character(text, length)) {
            bsim_buffer_text(out, BSIM_REPLACEMENT);
        } else if (entity != NULL) {
            bsim_buffer_text(out, entity);
        } else {
            bsim_buffer_add(out, text, length);
        }
        text += length > 0 ? length : 1;
    }
}
