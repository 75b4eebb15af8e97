/* lines.h - which line of the source each instruction comes from, as -lineinfo has it; see lines.c. */
#ifndef BSIM_SASS_LINES_H
#define BSIM_SASS_LINES_H

#include "sass/dump.h"

/* Takes a line of .debug_line, without blanks at its ends, and one of its relocations: where, and of which function. False: memory is short. */
bool bsim_sass_take_line(struct bsim_sass_dump *dump, struct bsim_sass_word line);
bool bsim_sass_take_line_owner(struct bsim_sass_dump *dump, uint32_t offset, struct bsim_sass_word function);

/* Behind all of the text: the instructions get their places, if all of the table was read. */
void bsim_sass_place_lines(struct bsim_sass_dump *dump);

#endif
