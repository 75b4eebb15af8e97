/* written.c - whether an access is written with the indices that a layout changes.
 *
 *     t[y][x]     *(float4 *)&t[y][x]     reinterpret_cast<float4 *>(t[y])[x]      it is
 *     ((float *)t)[i]     p[i]     (&t[0][0])[i]     t[0][i], i beyond the row     it is not
 *
 * "t[y][x ^ y] for t[y][x]" means what stands in the brackets. An access that counts through
 * several dimensions by itself has no y, and an index of its own (flat.c): without that the new declaration
 * or index would give other elements than those that were counted. Evaluation tells an index past its dimension; the rest is
 * told by the text: the array's name must have an index for each dimension, or for all but the last
 * (a row that is then cast), and an index that is a plain number must be the one that the addresses
 * have.
 */
#include "advise/written.h"

#include <ctype.h>
#include <string.h>

/* The indices behind the array's name: where each begins and ends. */
struct indices {
    uint32_t n;
    const char *begin[BSIM_CHECK_MAX_DIMENSIONS], *end[BSIM_CHECK_MAX_DIMENSIONS];
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next place of a name as a whole word, and no member's as in threadIdx.x, or NULL. */
static const char *find_name(const char *text, const char *from, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = strstr(from, name); at != NULL; at = strstr(at + 1, name)) {
        if ((at == text || (!is_word(at[-1]) && at[-1] != '.')) && !is_word(at[size])) {
            return at;
        }
    }
    return NULL;
}

static const char *skip_blanks(const char *c)
{
    while (isspace((unsigned char)*c)) {
        c++;
    }
    return c;
}

/* The bracket that closes the one at c, or the text's end. */
static const char *closing(const char *c)
{
    int open = 0;
    for (; *c != '\0'; c++) {
        open += (*c == '[') - (*c == ']');
        if (open == 0) {
            break;
        }
    }
    return c;
}

static void find_indices(const char *c, struct indices *indices)
{
    indices->n = 0;
    for (c = skip_blanks(c); *c == '[' && indices->n < BSIM_CHECK_MAX_DIMENSIONS;
         c = skip_blanks(c)) {
        indices->begin[indices->n] = c + 1;
        c = closing(c);
        indices->end[indices->n++] = c;
        c += *c == ']';
    }
}

/* Whether the index is a plain number. */
static bool is_number(const struct indices *indices, uint32_t i, uint32_t *number)
{
    const char *c = skip_blanks(indices->begin[i]);
    const char *begin = c;
    for (*number = 0; isdigit((unsigned char)*c) && c - begin < 9; c++) {
        *number = *number * 10 + (uint32_t)(*c - '0');
    }
    return c > begin && skip_blanks(c) == indices->end[i];
}

/* All lanes that access array `index` have that number in dimension d. */
static bool is_everywhere(const struct bsim_check_array *array,
                          const struct bsim_patterns *patterns, size_t access, uint32_t index,
                          uint32_t d, uint32_t number)
{
    uint32_t below = 1; /* elements of one step in dimension d */
    for (uint32_t i = d + 1; i < array->n_dimensions; i++) {
        below *= array->dimension[i];
    }
    for (size_t i = 0; i < patterns->n; i++) {
        const struct bsim_pattern *pattern = &patterns->item[i];
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES && pattern->access == access; lane++) {
            uint32_t at = pattern->offset[lane] / array->element_bytes / below;
            at = d > 0 ? at % array->dimension[d] : at;
            if ((pattern->lanes >> lane & 1) != 0 && pattern->array[lane] == index &&
                at != number) {
                return false;
            }
        }
    }
    return true;
}

/* Whether an index of the access goes past its dimension somewhere. */
static bool leaves_row(const struct bsim_patterns *patterns, size_t access)
{
    for (size_t i = 0; i < patterns->n; i++) {
        if (patterns->item[i].access == access && patterns->item[i].leaves_row) {
            return true;
        }
    }
    return false;
}

bool bsim_access_is_written(const struct bsim_check *check, const struct bsim_patterns *patterns,
                            size_t access, uint32_t index)
{
    const struct bsim_check_array *array = &bsim_check_contents(check)->array[index];
    const char *text = bsim_check_contents(check)->access[access].text;
    const char *first = find_name(text, text, array->name);
    struct indices indices;
    if (array->n_dimensions < 2 || bsim_check_contents(check)->recorded != NULL) {
        return true; /* of what was recorded the text is the kernel's line, and a user's to know */
    }
    if (leaves_row(patterns, access)) {
        return false;
    }
    for (const char *at = first; at != NULL; at = find_name(text, at + 1, array->name)) {
        find_indices(at + strlen(array->name), &indices);
        if (indices.n + 1 < array->n_dimensions) {
            return false;
        }
    }
    if (first == NULL || find_name(text, first + 1, array->name) != NULL) {
        return first != NULL; /* of two, which lane has which is not in the text */
    }
    for (uint32_t d = 0; d < indices.n && d < array->n_dimensions; d++) {
        uint32_t number;
        if (is_number(&indices, d, &number) &&
            !is_everywhere(array, patterns, access, index, d, number)) {
            return false;
        }
    }
    return true;
}
