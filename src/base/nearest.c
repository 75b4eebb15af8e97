/* nearest.c - edit distance; see nearest.h. Plain dynamic programming over the whole table: names
 * of kernels, devices and keys are short and few. */
#include "base/nearest.h"

#include <stdbool.h>
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

/* Whether the i-th and the letter before it in a are those of b at j, exchanged. */
static bool is_swapped(const char *a, size_t i, const char *b, size_t j)
{
    return i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
           lower(a[i - 2]) == lower(b[j - 1]);
}

/* table[i][j] is the distance of the first i letters of a and the first j of b. */
size_t bsim_edit_distance(const char *a, const char *b)
{
    size_t length_a = strlen(a);
    size_t length_b = strlen(b);
    uint8_t table[LONGEST + 1][LONGEST + 1];
    if (length_a > LONGEST || length_b > LONGEST) {
        return SIZE_MAX;
    }
    for (size_t i = 0; i <= length_a; i++) {
        for (size_t j = 0; j <= length_b; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = (uint8_t)(i + j);
                continue;
            }
            size_t changed = lower(a[i - 1]) != lower(b[j - 1]) ? 1 : 0;
            size_t other = least(table[i - 1][j], table[i][j - 1]) + (size_t)1;
            size_t distance = least(table[i - 1][j - 1] + changed, other);
            if (is_swapped(a, i, b, j)) {
                distance = least(distance, table[i - 2][j - 2] + (size_t)1);
            }
            table[i][j] = (uint8_t)distance;
        }
    }
    return table[length_a][length_b];
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
