/* cost.c - the wavefronts of a pattern under given layouts.
 *
 * The model counts; this remembers what it said. Requests that differ by a shift of all addresses
 * cost the same as long as the shift moves every bank to another as a whole: by a bank's width
 * where successive words of that width lie in successive banks, by a row of all banks elsewhere
 * (Kepler's 4-byte mode). The rows of a tile differ by no more than that, so most of what a search
 * asks has been asked before.
 */
#include "advise/cost.h"

#include "base/memory.h"

#include <string.h>

enum { N_MEMOS = 1 << 10 };

/* A request that was counted, at its lowest address modulo the shift. */
struct bsim_memo {
    struct bsim_request request; /* mask 0: nothing yet */
    struct bsim_advice_cost count;
};

bool bsim_cost_begin(struct bsim_cost *cost)
{
    cost->memo = bsim_mem_zeroed(N_MEMOS, sizeof *cost->memo);
    return cost->memo != NULL;
}

void bsim_cost_end(struct bsim_cost *cost)
{
    bsim_mem_free(cost->memo);
    cost->memo = NULL;
}

static uint32_t smallest_shift(const struct bsim_device *device, const struct bsim_opcode *opcode)
{
    uint32_t shift = device->stride_bytes == device->bank_bytes
                         ? device->stride_bytes
                         : device->n_banks * device->bank_bytes;
    return shift > opcode->bytes ? shift : opcode->bytes;
}

/* Shifts all addresses down as far as it goes. */
static void normalise(const struct bsim_device *device, uint32_t lanes,
                      struct bsim_request *request)
{
    uint32_t low = UINT32_MAX;
    uint32_t shift = smallest_shift(device, &request->opcode);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0 && request->address[lane] < low) {
            low = request->address[lane];
        }
    }
    low = low / shift * shift;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            request->address[lane] -= low;
        }
    }
}

static struct bsim_memo *memo_for(const struct bsim_cost *cost, const struct bsim_request *request)
{
    uint64_t h = request->mask + request->opcode.bytes * UINT64_C(31) + request->opcode.family;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane += 2) {
        h ^= request->address[lane] | (uint64_t)request->address[lane + 1] << 32;
        h *= UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
    }
    return &cost->memo[h % N_MEMOS];
}

static bool is_same(const struct bsim_request *a, const struct bsim_request *b)
{
    return a->mask == b->mask && memcmp(a->address, b->address, sizeof a->address) == 0 &&
           bsim_opcode_same(&a->opcode, &b->opcode);
}

bool bsim_cost_count(struct bsim_cost *cost, const struct bsim_pattern *pattern,
                     const struct bsim_layout *layouts, const uint32_t *base,
                     struct bsim_advice_cost *count)
{
    struct bsim_request request = {.opcode = pattern->opcode, .mask = pattern->mask};
    uint32_t bytes = pattern->opcode.bytes;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t mapped;
        uint32_t a = pattern->array[lane];
        if ((pattern->lanes >> lane & 1) == 0) {
            continue;
        }
        if (!bsim_layout_map(cost->subjects[a].array, &layouts[a], pattern->offset[lane], bytes,
                             &mapped) ||
            (base[a] + mapped) % bytes != 0) {
            return false;
        }
        request.address[lane] = base[a] + mapped;
    }
    normalise(cost->device, pattern->lanes, &request);
    struct bsim_memo *memo = memo_for(cost, &request);
    if (!is_same(&memo->request, &request)) {
        struct bsim_counts counts;
        bsim_request_count(cost->device, &request, &counts);
        memo->request = request;
        memo->count = (struct bsim_advice_cost){counts.wavefronts, counts.conflicts};
    }
    *count = memo->count;
    return true;
}
