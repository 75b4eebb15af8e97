/* structs.c - what an array of structs would cost if its members lay otherwise.
 *
 *     x y z w u v  x y z w u v  x ...      24 bytes: the x of lanes 0 and 16 are in one bank
 *     x y z w u v . x y z w u v . x        4 bytes more in each: 28 and 32 have no common factor but 4
 *     x x x ...  y y y ...  z z z ...      an array per member: neighbours lie side by side
 *
 * That changes the type and every use of it, so it is no hint about one access: it is told beside
 * that, counted over all requests to the array. Not looked at: requests that mix arrays, structs
 * in structs one by one, and layouts that would tear an access apart.
 */
#include "advise/layout.h"
#include "advise/remedy.h"

#include <banksim/model.h>

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PADS = 32, MOST_REQUESTS = 1 << 14, SPLIT = 0, NOW = 1, FIRST_PAD = 2 };
enum { WORD_BYTES = 4, MOST_WORDS = 32 };

/* Wavefronts of an array's requests, laid out in several ways: by member, as it is, padded. */
struct trial {
    const struct bsim_check_array *array;
    const struct bsim_device *device;
    uint32_t index;
    bool is_recorded;
    uint64_t n_requests;
    uint64_t wavefronts[FIRST_PAD + MOST_PADS];
    bool fails[FIRST_PAD + MOST_PADS];
    struct bsim_check_array of_words; /* the array, if its structs' members are not told */
    struct bsim_check_member word[MOST_WORDS];
};

/* Structs of which a recording has the bytes alone are taken to have a member in each word; an access of several
 * words is torn apart then, and no such layout is told. */
static bool take_words(struct trial *trial)
{
    const struct bsim_check_array *about = trial->array;
    uint32_t bytes = about->element_bytes, n = bytes / WORD_BYTES;
    if (!about->is_untold || bytes % WORD_BYTES != 0 || n < 2 || n > MOST_WORDS) {
        return false;
    }
    for (uint32_t i = 0; i < n; i++) {
        trial->word[i] = (struct bsim_check_member){.name = "",
                                                    .type = "",
                                                    .dimensions = "",
                                                    .alignment = WORD_BYTES,
                                                    .offset_bytes = i * WORD_BYTES,
                                                    .size_bytes = WORD_BYTES};
    }
    trial->of_words = *about;
    trial->of_words.member = trial->word;
    trial->of_words.n_members = n;
    trial->of_words.is_struct = true;
    trial->of_words.element_alignment = WORD_BYTES;
    trial->array = &trial->of_words;
    return true;
}

static uint32_t n_elements(const struct bsim_check_array *array)
{
    return array->element_bytes > 0 ? array->size_bytes / array->element_bytes : 0;
}

/* The ways in which they lie. */
static struct bsim_layout layout_of(const struct bsim_check_array *array, uint32_t way)
{
    struct bsim_layout layout = bsim_layout_plain();
    layout.apart = way == SPLIT;
    layout.n_places = n_elements(array);
    layout.more_bytes = way > NOW ? (way - NOW) * array->element_alignment : 0;
    return way == NOW ? (struct bsim_layout){.kind = BSIM_LAYOUT_AS_IS} : layout;
}

static bool place_of(const struct trial *trial, uint32_t way, uint32_t offset, uint32_t bytes,
                     uint32_t *place)
{
    const struct bsim_layout layout = layout_of(trial->array, way);
    return bsim_layout_map(trial->array, &layout, offset, bytes, place) && *place % bytes == 0;
}

static void count(struct trial *trial, uint32_t way, const struct bsim_check_request *from)
{
    struct bsim_request request = {
        .opcode = from->opcode, .mask = from->mask, .has_from = from->has_from};
    struct bsim_counts counts;
    memcpy(request.from, from->from, sizeof request.from);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((from->lanes >> lane & 1) != 0 &&
            !place_of(trial, way, from->offset[lane], from->opcode.bytes, &request.address[lane])) {
            trial->fails[way] = true;
            return;
        }
    }
    bsim_request_count(trial->device, &request, &counts);
    trial->wavefronts[way] += from->times * counts.wavefronts;
}

/* All of its lanes access the array, some of them, or none. */
static bool touches(const struct trial *trial, const struct bsim_check_request *request,
                    bool *is_mixed)
{
    bool some = false;
    *is_mixed = false;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            some = some || request->array[lane] == trial->index;
            *is_mixed = *is_mixed || request->array[lane] != trial->index;
        }
    }
    return some;
}

static enum bsim_status look(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct trial *trial = context;
    bool is_mixed;
    (void)err;
    if (!touches(trial, request, &is_mixed)) {
        return BSIM_OK;
    }
    trial->n_requests++;
    for (uint32_t way = 0; way < FIRST_PAD + MOST_PADS && trial->n_requests <= MOST_REQUESTS;
         way++) {
        trial->fails[way] = trial->fails[way] || is_mixed;
        if (!trial->fails[way]) {
            count(trial, way, request);
        }
    }
    return BSIM_OK;
}

/* The least padding with the fewest wavefronts, or NOW if none has fewer than there are. */
static uint32_t best_pad(const struct trial *trial)
{
    uint32_t best = NOW;
    for (uint32_t way = FIRST_PAD; way < FIRST_PAD + MOST_PADS; way++) {
        if (!trial->fails[way] && trial->wavefronts[way] < trial->wavefronts[best]) {
            best = way;
        }
    }
    return best;
}

static void say(const struct trial *trial, struct bsim_buffer *out)
{
    const struct bsim_check_array *array = trial->array;
    uint32_t pad = best_pad(trial);
    bool splits = !trial->fails[SPLIT] && trial->wavefronts[SPLIT] < trial->wavefronts[NOW];
    if (trial->n_requests > MOST_REQUESTS || (!splits && pad == NOW)) {
        return;
    }
    bsim_buffer_printf(out,
                       "%s%s has structs of %" PRIu32 " bytes, all accesses to it take %" PRIu64
                       " wavefronts:",
                       out->size_bytes > 0 ? ".\n    " : "", array->name, array->element_bytes,
                       trial->wavefronts[NOW]);
    if (splits) {
        bsim_buffer_printf(out, " an array per member%s (a struct of arrays) %" PRIu64,
                           array == &trial->of_words ? " of 4 bytes" : "",
                           trial->wavefronts[SPLIT]);
    }
    if (pad != NOW) {
        bsim_buffer_printf(out, "%s %" PRIu32 " bytes more in each struct %" PRIu64,
                           splits ? "," : "", (pad - NOW) * array->element_alignment,
                           trial->wavefronts[pad]);
    }
    bsim_buffer_text(out, trial->is_recorded ? "; not tried in the kernel" : "");
}

enum bsim_status bsim_structs_write(const struct bsim_check *check,
                                    const struct bsim_device *device, size_t array,
                                    struct bsim_buffer *out, struct bsim_error *err)
{
    const struct bsim_check_array *about = &bsim_check_contents(check)->array[array];
    if (about->is_extern || n_elements(about) < 2) {
        return BSIM_OK;
    }
    struct trial *trial = bsim_mem_zeroed(1, sizeof *trial);
    if (trial == NULL) {
        return bsim_mem_short(err);
    }
    trial->array = about;
    trial->device = device;
    trial->index = (uint32_t)array;
    trial->is_recorded = bsim_check_contents(check)->recorded != NULL;
    enum bsim_status status = BSIM_OK;
    if ((about->is_struct && about->n_members > 0) || take_words(trial)) {
        status = bsim_check_each(check, &(struct bsim_check_visitor){.shared = look, .context = trial}, err);
        if (status == BSIM_OK) {
            say(trial, out);
        }
    }
    bsim_mem_free(trial);
    return status;
}
