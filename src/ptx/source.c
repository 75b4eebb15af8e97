/* source.c - lines of source files. What cannot be read is not there: nothing depends on it but what
 * the reader of a report sees. */
#include "ptx/source.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_BYTES = 1 << 14, MAX_FILE_BYTES = 1 << 24, MAX_LINE_BYTES = 120 };

struct bsim_ptx_source_file {
    struct bsim_ptx_source_file *next;
    const char *path; /* the caller's */
    char *text;       /* NULL: it cannot be read */
    size_t length;
};

/* All that is left of a file, in memory that grows with it; NULL if it cannot be read or is too long. */
static char *read_rest(FILE *file, size_t *length)
{
    char *text = NULL;
    size_t capacity = FIRST_BYTES;
    for (*length = 0; !ferror(file) && !feof(file) && capacity <= MAX_FILE_BYTES; capacity *= 2) {
        char *grown = bsim_mem_resize(text, capacity + 1, 1);
        if (grown == NULL) {
            break;
        }
        text = grown;
        *length += fread(text + *length, 1, capacity - *length, file);
        text[*length] = '\0';
    }
    if (text != NULL && (ferror(file) || !feof(file))) {
        bsim_mem_free(text);
        return NULL;
    }
    char *fitted = text != NULL ? bsim_mem_resize(text, *length + 1, 1) : NULL;
    return fitted != NULL ? fitted : text;
}

/* All of a file, terminated; NULL if that does not work. */
static char *read_all(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file != NULL) {
        text = read_rest(file, length);
        fclose(file);
    }
    return text;
}

/* The last name of the path, in the folder that the other file is in. */
static char *read_beside(const char *path, const char *beside, size_t *length)
{
    char name[1024];
    const char *last = strrchr(path, '/'), *folder = strrchr(beside, '/');
    int n = snprintf(name, sizeof name, "%.*s%s", folder != NULL ? (int)(folder + 1 - beside) : 0,
                     beside, last != NULL ? last + 1 : path);
    return n > 0 && (size_t)n < sizeof name ? read_all(name, length) : NULL;
}

/* A copy of the text that is known. */
static char *copy_known(const struct bsim_ptx_sources *sources, size_t *length)
{
    *length = strlen(sources->text);
    char *text = bsim_mem_resize(NULL, *length + 1, 1);
    return text != NULL ? memcpy(text, sources->text, *length + 1) : NULL;
}

static const struct bsim_ptx_source_file *open_file(struct bsim_ptx_sources *sources,
                                                    const char *path)
{
    for (struct bsim_ptx_source_file *f = sources->files; f != NULL; f = f->next) {
        if (strcmp(f->path, path) == 0) {
            return f;
        }
    }
    struct bsim_ptx_source_file *made = bsim_arena_take(sources->arena, sizeof *made);
    if (made != NULL) {
        *made = (struct bsim_ptx_source_file){.next = sources->files, .path = path};
        bool is_known = sources->name != NULL && strcmp(path, sources->name) == 0;
        made->text = is_known ? copy_known(sources, &made->length) : read_all(path, &made->length);
        if (made->text == NULL) {
            made->text = read_beside(path, sources->beside, &made->length);
        }
        sources->files = made;
    }
    return made;
}

/* Copies a line; tabs become blanks. False if it is no text that a trace may hold. */
static bool copy_line(const char *from, size_t length, char to[MAX_LINE_BYTES + 4])
{
    size_t n = 0, step;
    for (size_t i = 0; i < length; i += step) {
        step = bsim_utf8_length(from + i);
        bool is_tab = from[i] == '\t';
        if (step == 0 || i + step > length || (!is_tab && bsim_utf8_control(from + i))) {
            return false;
        }
        if (n + step > MAX_LINE_BYTES) {
            memcpy(to + n, "...", 4);
            return true;
        }
        memcpy(to + n, is_tab ? " " : from + i, step);
        n += step;
    }
    to[n] = '\0';
    return n > 0;
}

/* Of a line of machine code, which has its address and its bits in comments, the instruction. */
static const char *machine_instruction(const char *line, size_t *length)
{
    size_t digits = *length > 4 && memcmp(line, "/*", 2) == 0 ? strspn(line + 2, "0123456789abcdef") : 0;
    const char *end = memchr(line, ';', *length);
    if (digits < 4 || end == NULL || memcmp(line + 2 + digits, "*/", 2) != 0) {
        return line;
    }
    line += digits + 4;
    line += strspn(line, " \t");
    while (end > line && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    *length = (size_t)(end - line);
    return line;
}

const char *bsim_ptx_text_line(const char *text, uint32_t line, size_t *length)
{
    if (line == 0) {
        return NULL;
    }
    while (--line > 0) {
        text = strchr(text, '\n');
        if (text == NULL) {
            return NULL;
        }
        text++;
    }
    text += strspn(text, " \t");
    *length = strcspn(text, "\r\n");
    while (*length > 0 && (text[*length - 1] == ' ' || text[*length - 1] == '\t')) {
        --*length;
    }
    return machine_instruction(text, length);
}

const char *bsim_ptx_source_line(struct bsim_ptx_sources *sources, const char *path, uint32_t line)
{
    char text[MAX_LINE_BYTES + 4];
    size_t length = 0;
    const struct bsim_ptx_source_file *file = open_file(sources, path);
    const char *at = file != NULL && file->text != NULL
                         ? bsim_ptx_text_line(file->text, line, &length)
                         : NULL;
    return at != NULL && copy_line(at, length, text)
               ? bsim_arena_text(sources->arena, text, strlen(text))
               : NULL;
}

void bsim_ptx_sources_free(struct bsim_ptx_sources *sources)
{
    for (struct bsim_ptx_source_file *f = sources->files; f != NULL; f = f->next) {
        bsim_mem_free(f->text);
    }
    sources->files = NULL;
}
