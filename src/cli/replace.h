/* replace.h - a file that takes another's place when it is whole; see replace.c. */
#ifndef BSIM_CLI_REPLACE_H
#define BSIM_CLI_REPLACE_H

#include <stdbool.h>
#include <stdio.h>

struct replacement;
struct stat;

/* Begins a file that is to stand at path, which is no symbolic link. old: what stands there, whose
 * owner and mode are kept; NULL: nothing does. *file is where to write and stays the replacement's.
 * NULL on failure, and errno says why: no new file can be made in that folder, or none like the
 * old one. */
struct replacement *bsim_cli_replacement_new(const char *path, const struct stat *old, FILE **file);

/* Closes the file and puts it in its place. False on failure, and errno says why: what stood there
 * still does. */
bool bsim_cli_replacement_finish(struct replacement *replacement);

/* Removes the new file unless it is in its place, and frees. NULL is fine. */
void bsim_cli_replacement_free(struct replacement *replacement);

#endif
