/* which_test.c - the main of the tests of a folder, which are one program: it is called by a test's name, and runs that
 * one's main. EACH_TEST(X) is an X(test_name) for each, by the Makefile. */
#include <stdio.h>
#include <string.h>

#define DECLARED(test) int main_of_##test(void);
EACH_TEST(DECLARED)

#define LISTED(test) {#test, main_of_##test},
static const struct {
    const char *name;
    int (*run)(void);
} tests[] = {EACH_TEST(LISTED)};

int main(int n_words, char **words)
{
    const char *called = n_words > 0 ? words[0] : "";
    const char *slash = strrchr(called, '/');
    const char *name = slash != NULL ? slash + 1 : called;
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        if (strcmp(tests[i].name, name) == 0) {
            return tests[i].run();
        }
    }
    (void)fprintf(stderr, "%s is no test\n", name);
    return 2;
}
