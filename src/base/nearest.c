/* nearest.c - edit distance; see nearest.h. Plain dynamic programming, one row at a time: names of
 * kernels, devices and keys are short and few. */
#include <banksim/nearest.h>

#include <stdint.h>
#include <string.h>

enum { LONGEST = 63 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* row[j] is the distance of the first i letters of a and the first j of b. */
size_t bsim_edit_distance(const char *a, const char *b)
{
    size_t length_a = strlen(a);
    size_t length_b = strlen(b);
    size_t row[LONGEST + 1];
    if (length_a > LONGEST || length_b > LONGEST) {
        return SIZE_MAX;
    }
    for (size_t j = 0; j <= length_b; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= length_a; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length_b; j++) {
            size_t replaced = diagonal + (lower(a[i - 1]) != lower(b[j - 1]) ? 1 : 0);
            diagonal = row[j];
            row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
        }
    }
    return row[length_b];
}

struct bsim_nearest bsim_nearest_start(const char *word)
{
    size_t changes = strlen(word) / 3;
    return (struct bsim_nearest){word, NULL, (changes > 0 ? changes : 1) + 1};
}

void bsim_nearest_try(struct bsim_nearest *nearest, const char *candidate)
{
    size_t distance = bsim_edit_distance(nearest->word, candidate);
    if (distance < nearest->distance) {
        nearest->best = candidate;
        nearest->distance = distance;
    }
}
