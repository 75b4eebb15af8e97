/* source.h - lines of the sources that .file names, where they can be read. */
#ifndef BSIM_PTX_SOURCE_H
#define BSIM_PTX_SOURCE_H

#include "base/arena.h"

#include <stdint.h>

struct bsim_ptx_sources {
    struct bsim_arena *arena;
    const char
        *beside; /* a file in whose folder sources are looked for that are not at their path */
    const char *name, *text;            /* a file that is not read, as its text is known; or NULL */
    struct bsim_ptx_source_file *files; /* read so far */
};

/* A line of a text that a NUL ends, counted from 1, without the blanks around it; NULL if it has none. */
const char *bsim_ptx_text_line(const char *text, uint32_t line, size_t *length);

/* The line's text without the blanks around it, at most some 120 bytes of it, in the arena; NULL if the
 * file or the line is not there, or is no text. */
const char *bsim_ptx_source_line(struct bsim_ptx_sources *sources, const char *path, uint32_t line);

/* Frees the files, but not the arena. */
void bsim_ptx_sources_free(struct bsim_ptx_sources *sources);

#endif
