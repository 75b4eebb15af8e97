/* twin.c - the old index and the new one in one check.
 *
 *     load t[threadIdx.x * 32]        load t[threadIdx.x * 33]
 *
 * Who wants to know whether padding helps asks about both, and then they are not two accesses to
 * one array: the second is the first with its array laid out otherwise. A layout that suits both is
 * an answer to nothing. They are told by what they touch: each request of the one, laid out in one
 * of the ways that are tried, is as often a request of the other, which has fewer conflicts.
 *
 * A kernel may want both all the same (the first column of a matrix and its diagonal): for that
 * they are named, and who asks for plans gets them.
 */
#include "advise/twin.h"
#include "advise/layout.h"

#include "base/memory.h"

#include <string.h>

/* One array and no other. */
static bool only_array(const struct bsim_advice *advice, size_t access, size_t *array)
{
    size_t n = 0;
    for (size_t i = 0; i < advice->n_arrays; i++) {
        if (advice->touches[access * advice->n_arrays + i]) {
            *array = i;
            n++;
        }
    }
    return n == 1;
}

/* The pattern of access `after` that one of another access becomes in a layout; NULL if there is
 * none. */
static const struct bsim_pattern *image_of(const struct bsim_search *search,
                                           const struct bsim_pattern *pattern, size_t after,
                                           const struct bsim_layout *layout)
{
    struct bsim_pattern key = *pattern;
    key.access = after;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((pattern->lanes >> lane & 1) != 0 &&
            !bsim_layout_map(search->subjects[pattern->array[lane]].array, layout,
                             pattern->offset[lane], pattern->opcode.bytes, &key.offset[lane])) {
            return NULL;
        }
    }
    return bsim_patterns_find(search->patterns, &key);
}

static bool becomes(const struct bsim_search *search, size_t before, size_t after,
                    const struct bsim_layout *layout)
{
    for (size_t i = 0; i < search->patterns->n; i++) {
        const struct bsim_pattern *pattern = &search->patterns->item[i];
        if (pattern->access != before) {
            continue;
        }
        const struct bsim_pattern *image = image_of(search, pattern, after, layout);
        if (image == NULL || image->times != pattern->times ||
            image->opcode.bytes != pattern->opcode.bytes) {
            return false;
        }
    }
    return true;
}

static void note(struct bsim_advice *advice, size_t before, size_t after,
                 const struct bsim_layout *layout)
{
    struct bsim_advice_shape *old = &advice->shape[before];
    struct bsim_advice_shape *new = &advice->shape[after];
    old->twin = after;
    new->twin = before;
    new->is_after = true;
    old->remedy = new->remedy = *layout;
}

static bool may_be_twins(const struct bsim_advice *advice, size_t before, size_t after)
{
    size_t one = 0;
    size_t other = 0;
    return advice->before.access[after].conflicts < advice->before.access[before].conflicts &&
           advice->access[before].requests == advice->access[after].requests &&
           advice->shape[before].twin == BSIM_ADVISE_NO_TWIN &&
           advice->shape[after].twin == BSIM_ADVISE_NO_TWIN && only_array(advice, before, &one) &&
           only_array(advice, after, &other) && one == other;
}

/* Several layouts may make the same of an index: column 0 of t[32][32] comes to the diagonal with a
 * padding of 1 and with x ^ y. An index that has a ^, or goes by rows and columns as declared, was
 * swizzled rather than padded. */
static bool is_swizzled(const struct bsim_search *search, size_t access, size_t array)
{
    return search->subjects[array].array->n_dimensions > 1 ||
           strchr(bsim_check_contents(search->check)->access[access].text, '^') != NULL;
}

/* Tries every layout of the array of `before`, the likely ones first. They are listed once for each
 * array. */
static bool compare(struct bsim_search *search, struct bsim_candidates *of_array, size_t before,
                    size_t after)
{
    size_t array = 0;
    (void)only_array(search->advice, before, &array);
    struct bsim_candidates *candidates = &of_array[array];
    bool fine = candidates->n > 0 ||
                bsim_candidates_list(search->device, search->patterns, &search->subjects[array],
                                     (uint32_t)array, candidates);
    bool pads_first = !is_swizzled(search, after, array);
    for (size_t i = 0; i < 2 * candidates->n && fine; i++) {
        const struct bsim_layout *layout = &candidates->item[i % candidates->n].layout;
        bool is_pad = layout->kind == BSIM_LAYOUT_PAD;
        if (is_pad == (pads_first == (i < candidates->n)) &&
            becomes(search, before, after, layout)) {
            note(search->advice, before, after, layout);
            break;
        }
    }
    return fine;
}

static bool compare_all(struct bsim_search *search, struct bsim_candidates *of_array)
{
    size_t n = search->advice->n_accesses;
    bool fine = true;
    for (size_t before = 0; before < n; before++) {
        for (size_t after = 0; after < n && fine; after++) {
            if (before != after && may_be_twins(search->advice, before, after)) {
                fine = compare(search, of_array, before, after);
            }
        }
    }
    return fine;
}

bool bsim_twins_find(struct bsim_search *search)
{
    if (bsim_check_contents(search->check)->recorded != NULL) {
        return true; /* nobody runs a kernel that has both */
    }
    struct bsim_candidates *of_array = bsim_mem_zeroed(search->n_arrays + 1, sizeof *of_array);
    bool fine = of_array != NULL && compare_all(search, of_array);
    for (size_t i = 0; i < search->n_arrays && of_array != NULL; i++) {
        bsim_candidates_free(&of_array[i]);
    }
    bsim_mem_free(of_array);
    return fine;
}
