/* prove.c - whether a plan does what it says, found without what the search remembers.
 *
 * A plan is given to people who paste it. So before it is told, all of it is laid out anew, element
 * by element:
 *
 * - the arrays lie as CUDA puts them with the declarations that the plan spells, and end where it
 *   says;
 * - every element of every array, also those that no access touches, gets a place within its new
 *   declaration, and no two get the same;
 * - in every request the elements of each lane lie behind one another, at an address that the
 *   access may have;
 * - the model, asked for each request again, counts for each access what the plan says.
 *
 * The search relies on less (shifted requests cost the same, an access within 2^base elements moves
 * as a whole, blocks of 2^(base+bits) stay among themselves): what it got wrong ends here.
 */
#include "advise/prove.h"

#include "advise/layout.h"
#include "base/memory.h"

#include <string.h>

/* A plan under proof. */
struct proof {
    const struct bsim_search *search;
    const struct bsim_advice_plan *plan;
    uint64_t *begin;                /* by array: its first byte */
    struct bsim_advice_cost *found; /* by access */
};

/* ---- declarations -------------------------------------------------------------------------- */

static const struct bsim_check_array *array_of(const struct proof *proof, size_t i)
{
    return proof->search->subjects[i].array;
}

/* Elements that the spelled declaration makes; of an extern array, that its launch must provide. */
static uint64_t declared_elements(const struct proof *proof, size_t i)
{
    const struct bsim_check_array *array = array_of(proof, i);
    uint64_t n = 1;
    if (array->is_extern) {
        return proof->plan->n_elements[i];
    }
    if (proof->plan->layout[i].kind == BSIM_LAYOUT_AS_IS) {
        return array->laid_bytes / array->element_bytes;
    }
    for (uint32_t d = 0; d < array->n_dimensions; d++) {
        n *= bsim_layout_dimension(array, &proof->plan->layout[i], proof->plan->n_elements[i], d);
    }
    return n;
}

/* What they take: as structs with more in them, or as an array for each member. */
static uint64_t declared_bytes(const struct proof *proof, size_t i)
{
    const struct bsim_check_array *array = array_of(proof, i);
    const struct bsim_layout *layout = &proof->plan->layout[i];
    uint64_t n = declared_elements(proof, i);
    uint64_t end = 0;
    for (uint32_t m = 0; layout->apart && m < array->n_members; m++) {
        end += (array->alignment - end % array->alignment) % array->alignment;
        end += n * array->member[m].size_bytes;
    }
    return layout->apart ? end : n * (array->element_bytes + layout->more_bytes);
}

static uint64_t place(struct proof *proof, size_t i, uint64_t end)
{
    enum { DYNAMIC_ALIGNMENT = 16 };
    const struct bsim_check_array *array = array_of(proof, i);
    uint64_t unit = proof->plan->declares[i] ? proof->plan->alignment[i] : array->alignment;
    if (array->is_extern && unit < DYNAMIC_ALIGNMENT) {
        unit = DYNAMIC_ALIGNMENT;
    }
    proof->begin[i] = (end + unit - 1) / unit * unit;
    return proof->begin[i] + declared_bytes(proof, i);
}

static bool ends_where_it_says(struct proof *proof)
{
    uint64_t end = 0;
    for (int is_extern = 0; is_extern < 2; is_extern++) {
        for (size_t i = 0; i < proof->search->n_arrays; i++) {
            if (array_of(proof, i)->is_extern == (is_extern == 1)) {
                end = place(proof, i, end);
            }
        }
    }
    return end == proof->plan->shared_bytes;
}

/* ---- elements ------------------------------------------------------------------------------ */

/* False also where the layout has no place for the bytes. */
static bool find_bytes(const struct proof *proof, size_t i, uint32_t offset, uint32_t bytes,
                       uint32_t *at)
{
    return bsim_layout_map(array_of(proof, i), &proof->plan->layout[i], offset, bytes, at) &&
           (uint64_t)*at + bytes <= declared_bytes(proof, i);
}

/* Finds a place for bytes that no others have. */
static bool takes_place(const struct proof *proof, size_t i, uint32_t offset, uint32_t bytes,
                        uint8_t *taken)
{
    uint32_t at;
    if (!find_bytes(proof, i, offset, bytes, &at) || memchr(&taken[at], 1, bytes) != NULL) {
        return false;
    }
    memset(&taken[at], 1, bytes);
    return true;
}

static bool keeps_apart(const struct proof *proof, size_t i, uint8_t *taken)
{
    const struct bsim_check_array *array = array_of(proof, i);
    uint32_t each = array->element_bytes;
    bool holds = true;
    for (uint32_t element = 0; element < proof->search->subjects[i].n_elements && holds;
         element++) {
        if (!proof->plan->layout[i].apart) {
            holds = takes_place(proof, i, element * each, each, taken);
            continue;
        }
        for (uint32_t m = 0; m < array->n_members && holds; m++) {
            holds = takes_place(proof, i, element * each + array->member[m].offset_bytes,
                                array->member[m].size_bytes, taken);
        }
    }
    return holds;
}

/* False when memory is short. */
static bool look_at_elements(const struct proof *proof, bool *holds)
{
    for (size_t i = 0; i < proof->search->n_arrays && *holds; i++) {
        uint8_t *taken = NULL;
        if (proof->plan->layout[i].kind == BSIM_LAYOUT_AS_IS) {
            continue;
        }
        taken = bsim_mem_zeroed((size_t)declared_bytes(proof, i) + 1, sizeof *taken);
        if (taken == NULL) {
            return false;
        }
        *holds = keeps_apart(proof, i, taken);
        bsim_mem_free(taken);
    }
    return true;
}

/* ---- requests ------------------------------------------------------------------------------ */

/* Where a lane's access begins, if its bytes follow one another there: those of each element, and
 * where structs change, each by itself. */
static bool lane_address(const struct proof *proof, const struct bsim_pattern *pattern,
                         uint32_t lane, uint32_t *address)
{
    size_t i = pattern->array[lane];
    const struct bsim_layout *layout = &proof->plan->layout[i];
    uint32_t each = layout->apart || layout->more_bytes > 0 ? 1 : array_of(proof, i)->element_bytes;
    uint32_t offset = pattern->offset[lane];
    uint32_t end = offset + pattern->opcode.bytes;
    uint32_t begin;
    if (!find_bytes(proof, i, offset, 1, &begin)) {
        return false;
    }
    for (uint32_t next = offset - offset % each + each; next < end; next += each) {
        uint32_t at;
        if (!find_bytes(proof, i, next, 1, &at) || at != begin + (next - offset)) {
            return false;
        }
    }
    *address = (uint32_t)proof->begin[i] + begin;
    return *address % pattern->opcode.bytes == 0;
}

static bool simulate(struct proof *proof, const struct bsim_pattern *pattern)
{
    struct bsim_request request = bsim_pattern_request(pattern);
    struct bsim_counts counts;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((pattern->lanes >> lane & 1) != 0 &&
            !lane_address(proof, pattern, lane, &request.address[lane])) {
            return false;
        }
    }
    bsim_request_count(proof->search->device, &request, &counts);
    proof->found[pattern->access].wavefronts += pattern->times * counts.wavefronts;
    proof->found[pattern->access].conflicts += pattern->times * bsim_counts_excessive(&counts);
    return true;
}

static bool counts_as_it_says(struct proof *proof)
{
    const struct bsim_patterns *patterns = proof->search->patterns;
    const struct bsim_advice_plan *plan = proof->plan;
    struct bsim_advice_cost total = {0, 0};
    for (size_t i = 0; i < patterns->n; i++) {
        if (!simulate(proof, &patterns->item[i])) {
            return false;
        }
    }
    for (size_t i = 0; i < proof->search->advice->n_accesses; i++) {
        total.wavefronts += proof->found[i].wavefronts;
        total.conflicts += proof->found[i].conflicts;
        if (memcmp(&proof->found[i], &plan->access[i], sizeof proof->found[i]) != 0) {
            return false;
        }
    }
    return memcmp(&total, &plan->total, sizeof total) == 0;
}

bool bsim_plan_prove(const struct bsim_search *search, const struct bsim_advice_plan *plan,
                     bool *holds)
{
    struct proof proof = {.search = search, .plan = plan};
    proof.begin = bsim_mem_zeroed(search->n_arrays + 1, sizeof *proof.begin);
    proof.found = bsim_mem_zeroed(search->advice->n_accesses + 1, sizeof *proof.found);
    bool fine = proof.begin != NULL && proof.found != NULL;
    if (fine) {
        *holds = ends_where_it_says(&proof);
        fine = look_at_elements(&proof, holds);
        *holds = fine && *holds && counts_as_it_says(&proof);
    }
    bsim_mem_free(proof.begin);
    bsim_mem_free(proof.found);
    return fine;
}
