/* replay.c - the main that gives files to a target: for AFL++, and for plain test runs. Says of each of several
 * files that it came to its end. */
#include "support.h"

#ifndef BSIM_LIBFUZZER

static void replay(FILE *file)
{
    struct bsim_buffer all = BSIM_BUFFER_EMPTY;
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, file)) > 0) {
        bsim_buffer_add(&all, piece, n);
    }
    REQUIRE(!all.failed);
    LLVMFuzzerTestOneInput((const uint8_t *)(all.data != NULL ? all.data : ""), all.size_bytes);
    bsim_buffer_free(&all);
}

int main(int n_arguments, char **argument)
{
    if (n_arguments == 1) {
        replay(stdin);
    }
    for (int i = 1; i < n_arguments; i++) {
        FILE *file = fopen(argument[i], "rb");
        if (file == NULL) {
            perror(argument[i]);
            return 1;
        }
        replay(file);
        fclose(file);
        if (n_arguments > 2) {
            puts(argument[i]);
        }
    }
    return 0;
}

#endif
