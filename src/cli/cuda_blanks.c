/* cuda_blanks.c - launches with blanks, as editors write them that do not know CUDA: kernel<< <1, 32 >> >().
 *
 * nvcc takes blanks there; clang knows <<< and >>> without them alone. It is given a copy without them, in which
 * each line and column is where it was, in the place of the file (an overlay of its file system).
 */
#define _GNU_SOURCE

#include "cli/cuda.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Behind the comment, string or character that begins here; here, if none does. */
static size_t skip(const char *text, size_t i)
{
    const char *end = NULL;
    if (strncmp(text + i, "//", 2) == 0) {
        return i + strcspn(text + i, "\n");
    }
    if (strncmp(text + i, "/*", 2) == 0) {
        end = strstr(text + i + 2, "*/");
        return end == NULL ? strlen(text) : (size_t)(end + 2 - text);
    }
    if (text[i] != '"' && text[i] != '\'') {
        return i;
    }
    size_t at = i + 1;
    while (text[at] != '\0' && text[at] != '\n' && text[at] != text[i]) {
        at += text[at] == '\\' && text[at + 1] != '\0' ? 2 : 1;
    }
    return at + (text[at] == text[i]);
}

/* How long three of these are, with blanks before the third or without; 0 if they are not here. */
static size_t three(const char *at, char c)
{
    size_t n = at[0] == c && at[1] == c ? 2 + strspn(at + 2, " \t") : 0;
    return n > 0 && at[n] == c ? n + 1 : 0;
}

/* operator<< <T> names a function. */
static bool is_operator(const char *text, size_t i)
{
    static const char word[] = "operator";
    while (i > 0 && isspace((unsigned char)text[i - 1])) {
        i--;
    }
    return i >= sizeof word - 1 &&
           strncmp(text + i - (sizeof word - 1), word, sizeof word - 1) == 0;
}

/* Closes the three up, and fills with blanks what they took. */
static bool close_up(char *text, size_t n, char c)
{
    memset(text, c, 3);
    memset(text + 3, ' ', n - 3);
    return n > 3;
}

/* Whether there was a launch with blanks. */
static bool close_all(char *text)
{
    bool is_open = false, is_changed = false;
    int depth = 0;
    for (size_t i = 0, n; text[i] != '\0'; i += n) {
        size_t behind = skip(text, i);
        n = behind - i;
        if (n > 0) {
            continue;
        }
        if (!is_open && (n = three(text + i, '<')) > 0 && !is_operator(text, i)) {
            is_changed |= close_up(text + i, n, '<');
            is_open = true;
            depth = 0;
        } else if (is_open && depth == 0 && (n = three(text + i, '>')) > 0) {
            is_changed |= close_up(text + i, n, '>');
            is_open = false;
        } else {
            depth += (text[i] == '(') - (text[i] == ')');
            n = 1;
        }
    }
    return is_changed;
}

char *bsim_cli_cuda_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0;
    ssize_t n = file != NULL ? getdelim(&text, &room, '\0', file) : -1;
    if (file != NULL) {
        fclose(file);
    }
    if (n < 0) {
        free(text);
        return NULL;
    }
    return text;
}

bool bsim_cli_cuda_closed(const char *path, const char *copy)
{
    char *text = bsim_cli_cuda_text(path);
    bool is_written = false;
    if (text != NULL && close_all(text)) {
        FILE *file = fopen(copy, "wb");
        is_written = file != NULL && fputs(text, file) >= 0;
        is_written = file != NULL && fclose(file) == 0 && is_written;
    }
    free(text);
    return is_written;
}

static void print_part(FILE *file, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\') {
            fputc('\\', file);
        }
        fputc(*text, file);
    }
}

/* A path as a string of JSON. */
static void print_path(FILE *file, const char *folder, const char *path)
{
    fputc('"', file);
    print_part(file, folder);
    fputs(*folder == '\0' ? "" : "/", file);
    print_part(file, path);
    fputc('"', file);
}

static void print_root(FILE *file, const char *folder, const char *path, const char *copy)
{
    fputs("{\"type\": \"file\", \"name\": ", file);
    print_path(file, folder, path);
    fputs(", \"external-contents\": ", file);
    print_path(file, "", copy);
    fputs("}", file);
}

/* clang asks for a file by the way that leads to it, which may go by links: as written, or from the folder
 * that the shell says it is in. */
bool bsim_cli_cuda_overlay(const char *overlay, const char *path, const char *copy)
{
    char *whole = realpath(path, NULL);
    const char *folder = getenv("PWD");
    FILE *file = whole != NULL ? fopen(overlay, "wb") : NULL;
    bool is_written = file != NULL;
    if (file != NULL) {
        fputs("{\"version\": 0, \"use-external-names\": false, \"roots\": [", file);
        print_root(file, "", whole, copy);
        if (*path == '/' || folder != NULL) {
            fputs(", ", file);
            print_root(file, *path == '/' ? "" : folder, path, copy);
        }
        fputs("]}\n", file);
        is_written = fclose(file) == 0;
    }
    free(whole);
    return is_written;
}
