/* words.c - the words that statements begin with, and the list that statements are kept in. */
#include "expr/check.h"

#include <string.h>

static const char *const words[BSIM_N_WORDS] = {
    "block",    "grid",    "blockidx", "warp",  "kernel", "define", "index",    "struct",
    "union",    "typedef", "global",   "const", "mbarrier", "shared", "for",      "times",
    "if",       "else",    "end",      "let",   "load",     "store",  "atomic",   "cp_async",
    "ldmatrix", "stmatrix", "tma",     "wgmma", "arrive",   "wait",   "sync",     "syncwarp",
    "fence",   "work",     "code",    "expect",
};

const char *bsim_check_word(size_t index)
{
    return index < BSIM_N_WORDS ? words[index] : NULL;
}

enum bsim_check_word bsim_check_find_word(const char *text, size_t length)
{
    int i = 0;
    while (i < BSIM_N_WORDS &&
           (strlen(words[i]) != length || memcmp(words[i], text, length) != 0)) {
        i++;
    }
    return (enum bsim_check_word)i;
}

void bsim_check_append(struct bsim_check *check, struct bsim_statement *statement)
{
    if (check->last != NULL) {
        check->last->next = statement;
    } else {
        check->first = statement;
    }
    check->last = statement;
}
