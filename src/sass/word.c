/* word.c - words of the text of machine code, and what is looked for by them. */
#include "sass/dump.h"

#include <stdlib.h>

uint64_t bsim_sass_number_of(struct bsim_sass_word word, int base)
{
    char digits[24] = "";
    memcpy(digits, word.text, word.length < sizeof digits - 1 ? word.length : sizeof digits - 1);
    return strtoull(digits, NULL, base);
}

bool bsim_sass_is_in(const char *list, struct bsim_sass_word word)
{
    for (const char *at = list; *at != '\0'; at++) {
        if (at[0] == ' ' && strncmp(at + 1, word.text, word.length) == 0 && at[1 + word.length] == ' ') {
            return true;
        }
    }
    return false;
}

bool bsim_sass_has_one(const struct bsim_sass_instruction *in, const char *list)
{
    for (uint32_t i = 0; i < in->n_modifiers; i++) {
        if (bsim_sass_is_in(list, in->modifier[i])) {
            return true;
        }
    }
    return false;
}

struct bsim_sass_function *bsim_sass_find_function(const struct bsim_sass_dump *dump, struct bsim_sass_word name)
{
    struct bsim_sass_function *f = dump->functions;
    while (f != NULL && !bsim_sass_equal(f->name, name)) {
        f = f->next;
    }
    return f;
}
