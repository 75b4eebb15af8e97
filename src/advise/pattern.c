/* pattern.c - the different requests of a check, each once and with how often it occurs.
 *
 * Warps and turns of a loop repeat each other's requests: a block of 1024 threads reading
 * tile[threadIdx.x % 8][k] makes 32 requests and one pattern per k. Two requests are one pattern if
 * they are of the same access and all lanes lie at the same bytes of the same arrays, of copies also
 * within lines of global memory; what a layout makes of one, it makes of the other.
 *
 * Each pattern also gets the wavefronts that no layout can undercut. A group of lanes (half-warp,
 * quarter-warp, matrix; a layout does not change who is in it, because lanes that share an address
 * go on sharing it) takes at least
 * - as many passes as its different words fill rows of all banks,
 * - for atomics, which do not share passes: as many turns as lanes want one address, and as lanes
 *   there are to each bank; twice that for a compare-and-swap;
 * - for copies: as many as their other side makes it (copied.c).
 */
#include "advise/pattern.h"

#include "advise/copied.h"
#include "base/memory.h"
#include "event/within.h"
#include "model/atomic.h"
#include "model/bank.h"
#include "model/copy.h"

#include <banksim/advise.h>

#include <string.h>

enum { N_BUCKETS = 1 << 14 };
#define NO_PATTERN UINT32_MAX

/* ---- the least wavefronts ------------------------------------------------------------------ */

/* Over the lanes of a group: different places, and the most lanes at one. */
struct spread {
    uint32_t lanes, places, most;
};

static bool same_place(const struct bsim_check_request *request, uint32_t a, uint32_t b)
{
    return request->array[a] == request->array[b] && request->offset[a] == request->offset[b];
}

static struct spread spread_of(const struct bsim_check_request *request, uint32_t lanes)
{
    struct spread spread = {0, 0, 0};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t before = 0;
        uint32_t equal = 1;
        for (uint32_t other = 0; other < BSIM_WARP_LANES && (lanes >> lane & 1) != 0; other++) {
            if (other != lane && (lanes >> other & 1) != 0 && same_place(request, lane, other)) {
                before += other < lane;
                equal++;
            }
        }
        if ((lanes >> lane & 1) != 0) {
            spread.lanes++;
            spread.places += before == 0;
            spread.most = equal > spread.most ? equal : spread.most;
        }
    }
    return spread;
}

static uint32_t divide_up(uint32_t n, uint32_t by)
{
    return (n + by - 1) / by;
}

static uint32_t least_of(const struct bsim_device *device, const struct bsim_check_request *request,
                         uint32_t lanes)
{
    const struct bsim_opcode *opcode = &request->opcode;
    struct spread spread = spread_of(request, lanes);
    if (!bsim_opcode_is_atomic(opcode) || bsim_atomic_shares(device, opcode)) {
        return divide_up(spread.places * opcode->bytes, device->n_banks * device->bank_bytes);
    }
    uint32_t words = bsim_bank_words(device, opcode->bytes);
    uint32_t turns = divide_up(spread.lanes * words, device->n_banks);
    return (spread.most > turns ? spread.most : turns) * bsim_atomic_passes(opcode);
}

/* Of a loop whose groups have so many rounds, summed up: two wavefronts in each for the swap, and
 * one for the load, which groups may share. */
static uint32_t least_of_loop(const struct bsim_opcode *opcode, uint32_t ideal, uint32_t rounds)
{
    bool is_swapped = opcode->operation != BSIM_MIN && opcode->operation != BSIM_MAX;
    uint32_t n_groups = opcode->bytes > 4 ? 2 : 1;
    uint32_t least = is_swapped ? 2 * rounds + divide_up(rounds, n_groups) : 0;
    return least > ideal ? least : ideal;
}

static void measure(const struct bsim_device *device, const struct bsim_check_request *request,
                    struct bsim_pattern *pattern)
{
    struct bsim_request plain = {
        .opcode = request->opcode, .mask = request->mask, .has_from = request->has_from};
    struct bsim_schedule schedule;
    struct bsim_counts counts;
    memcpy(plain.address, request->address, sizeof plain.address);
    memcpy(plain.from, request->from, sizeof plain.from);
    bsim_request_schedule(device, &plain, &schedule);
    bsim_schedule_count(device, &plain, &schedule, &counts);
    pattern->ideal = counts.ideal;
    pattern->rules = schedule.rules;
    for (uint32_t i = 0; i < schedule.n_groups; i++) {
        pattern->least += least_of(device, request, schedule.group_lanes[i]);
    }
    if (bsim_copy_has_sides(device, &plain)) {
        pattern->least = bsim_copied_least(request);
    }
    if (bsim_opcode_loops(&request->opcode)) {
        pattern->least = least_of_loop(&request->opcode, pattern->ideal, pattern->least);
    }
}

/* ---- the table ----------------------------------------------------------------------------- */

/* What makes a pattern another. All entries of lanes that do not count are 0. */
static struct bsim_pattern key_of(const struct bsim_check_request *request,
                                  uint64_t from[BSIM_WARP_LANES])
{
    struct bsim_pattern key = {.access = request->access, .mask = request->mask};
    memcpy(key.array, request->array, sizeof key.array);
    memcpy(key.offset, request->offset, sizeof key.offset);
    if (request->has_from) {
        memcpy(from, request->from, sizeof request->from);
        bsim_from_within(request->lanes, from);
        key.from = from;
    }
    return key;
}

static uint32_t hash(const struct bsim_pattern *key)
{
    uint64_t h = key->access * 2u + key->mask;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        h = (h ^ key->offset[lane]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
        h += key->array[lane];
        h += key->from != NULL ? key->from[lane] : 0;
    }
    return (uint32_t)(h >> 20) % N_BUCKETS;
}

static bool is_same(const struct bsim_pattern *a, const struct bsim_pattern *b)
{
    return bsim_from_is_same(a->from, b->from) && a->access == b->access && a->mask == b->mask &&
           memcmp(a->offset, b->offset, sizeof a->offset) == 0 &&
           memcmp(a->array, b->array, sizeof a->array) == 0;
}

const struct bsim_pattern *bsim_patterns_find(const struct bsim_patterns *patterns,
                                              const struct bsim_pattern *key)
{
    for (uint32_t i = patterns->bucket[hash(key)]; i != NO_PATTERN; i = patterns->item[i].next) {
        if (is_same(&patterns->item[i], key)) {
            return &patterns->item[i];
        }
    }
    return NULL;
}

static enum bsim_status make_room(struct bsim_patterns *patterns, struct bsim_error *err)
{
    if (patterns->n == patterns->most) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "the search looks at %zu different requests at most: shorten a loop, "
                              "or look at one warp",
                              patterns->most);
    }
    struct bsim_pattern *more = bsim_mem_grow(patterns->item, patterns->n, sizeof *more);
    if (more == NULL) {
        return bsim_mem_short(err);
    }
    patterns->item = more;
    return BSIM_OK;
}

static enum bsim_status check_device(const struct bsim_device *device,
                                     const struct bsim_opcode *opcode, struct bsim_error *err)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    return bsim_device_executes(device, opcode)
               ? BSIM_OK
               : bsim_error_set(err, BSIM_E_INPUT, "%s does not execute %s: choose another device",
                                device->name, bsim_opcode_name(opcode, name));
}

static bool is_simple(const struct bsim_pattern *pattern)
{
    uint32_t all = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        all |= pattern->offset[lane];
    }
    return pattern->lanes == BSIM_FULL_MASK && all % pattern->opcode.bytes == 0 &&
           !bsim_pattern_is_mixed(pattern);
}

static enum bsim_status add(struct bsim_patterns *patterns,
                            const struct bsim_check_request *request,
                            const struct bsim_pattern *key, struct bsim_error *err)
{
    uint32_t bucket = hash(key);
    enum bsim_status status = check_device(patterns->device, &request->opcode, err);
    if (status == BSIM_OK) {
        status = make_room(patterns, err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    uint64_t *from = NULL;
    if (key->from != NULL) {
        from = bsim_mem_zeroed(BSIM_WARP_LANES, sizeof *from);
        if (from == NULL) {
            return bsim_mem_short(err);
        }
        memcpy(from, key->from, BSIM_WARP_LANES * sizeof *from);
    }
    struct bsim_pattern *pattern = &patterns->item[patterns->n];
    *pattern = *key;
    pattern->from = from;
    pattern->times = request->times;
    pattern->opcode = request->opcode;
    pattern->leaves_row = request->leaves_row;
    pattern->lanes = request->lanes;
    pattern->is_simple = is_simple(pattern);
    pattern->next = patterns->bucket[bucket];
    measure(patterns->device, request, pattern);
    patterns->bucket[bucket] = (uint32_t)patterns->n++;
    return BSIM_OK;
}

static enum bsim_status take(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct bsim_patterns *patterns = context;
    uint64_t from[BSIM_WARP_LANES];
    struct bsim_pattern key = key_of(request, from);
    const struct bsim_pattern *known = bsim_patterns_find(patterns, &key);
    if (known != NULL) {
        struct bsim_pattern *pattern = &patterns->item[known - patterns->item];
        pattern->times += request->times;
        pattern->leaves_row = pattern->leaves_row || request->leaves_row;
        return BSIM_OK;
    }
    return add(patterns, request, &key, err);
}

enum bsim_status bsim_patterns_collect(struct bsim_patterns *patterns,
                                       const struct bsim_check *check, struct bsim_error *err)
{
    patterns->bucket = bsim_mem_zeroed(N_BUCKETS, sizeof *patterns->bucket);
    if (patterns->bucket == NULL) {
        return bsim_mem_short(err);
    }
    memset(patterns->bucket, 0xff, N_BUCKETS * sizeof *patterns->bucket);
    struct bsim_check_visitor visitor = {.shared = take, .context = patterns};
    return bsim_check_each(check, &visitor, err);
}

void bsim_patterns_free(struct bsim_patterns *patterns)
{
    for (size_t i = 0; i < patterns->n; i++) {
        bsim_mem_free(patterns->item[i].from);
    }
    bsim_mem_free(patterns->item);
    bsim_mem_free(patterns->bucket);
    patterns->item = NULL;
    patterns->bucket = NULL;
    patterns->n = 0;
}

struct bsim_request bsim_pattern_request(const struct bsim_pattern *pattern)
{
    struct bsim_request request = {
        .opcode = pattern->opcode, .mask = pattern->mask, .has_from = pattern->from != NULL};
    if (pattern->from != NULL) {
        memcpy(request.from, pattern->from, sizeof request.from);
    }
    return request;
}

bool bsim_pattern_touches(const struct bsim_pattern *pattern, uint32_t array)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((pattern->lanes >> lane & 1) != 0 && pattern->array[lane] == array) {
            return true;
        }
    }
    return false;
}

bool bsim_pattern_is_mixed(const struct bsim_pattern *pattern)
{
    uint32_t first = 0;
    while ((pattern->lanes >> first & 1) == 0) {
        first++;
    }
    for (uint32_t lane = first + 1; lane < BSIM_WARP_LANES; lane++) {
        if ((pattern->lanes >> lane & 1) != 0 && pattern->array[lane] != pattern->array[first]) {
            return true;
        }
    }
    return false;
}
