/* deal_portable.c - the dealer in plain C, for processors whose vector unit has no dealer.
 *
 * Mostly no two lanes go to one bank, which a word with a bit per bank tells: it then has as many
 * bits as there are lanes. Otherwise the lanes of a bank are chained up, and each new one looks
 * along its bank's chain for its row.
 */
#include "model/fast.h"

#include <string.h>

/* Banks of all groups, one group's behind the other's. */
enum { N_PLACES = 32 };

/* The rows that each bank serves, as the lanes that asked for them first. */
struct chains {
    uint8_t length[N_PLACES];
    uint8_t head[N_PLACES];
    uint8_t next[BSIM_WARP_LANES];
};

/* Finds each lane's place. True if no two lanes have the same. */
static bool find_places(const struct bsim_deal_ask *ask, const uint32_t address[BSIM_WARP_LANES],
                        uint8_t place[BSIM_WARP_LANES])
{
    uint32_t group_log2 = 5 - ask->split;
    uint32_t taken = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t bank = address[lane] >> ask->bank_from & ask->last_bank;
        place[lane] = (uint8_t)(bank | lane >> group_log2 << group_log2);
        taken |= (ask->lanes >> lane & 1) << place[lane];
    }
    return bsim_fast_population(taken) == bsim_fast_population(ask->lanes);
}

static bool is_chained(const struct chains *chains, uint32_t place, uint32_t row, uint32_t row_bits,
                       const uint32_t address[BSIM_WARP_LANES])
{
    uint32_t lane = chains->head[place];
    for (uint32_t left = chains->length[place]; left > 0; left--) {
        if (((address[lane] ^ row) & row_bits) == 0) {
            return true;
        }
        lane = chains->next[lane];
    }
    return false;
}

/* Returns the lanes that share nobody's turn. */
static uint32_t chain_up(const struct bsim_deal_ask *ask, const uint32_t address[BSIM_WARP_LANES],
                         const uint8_t place[BSIM_WARP_LANES], struct chains *chains)
{
    uint32_t firsts = 0;
    memset(chains->length, 0, sizeof chains->length);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t p = place[lane];
        if ((ask->lanes >> lane & 1) == 0 ||
            (ask->shares && is_chained(chains, p, address[lane], ask->row_bits, address))) {
            continue;
        }
        firsts |= UINT32_C(1) << lane;
        chains->next[lane] = chains->head[p];
        chains->head[p] = (uint8_t)lane;
        chains->length[p]++;
    }
    return firsts;
}

static void add_group(uint32_t ways, struct bsim_deal *answer)
{
    answer->turns += ways;
    answer->groups += ways > 0;
    answer->ways = ways > answer->ways ? ways : answer->ways;
}

static struct bsim_deal deal(const struct bsim_deal_ask *ask,
                             const uint32_t address[BSIM_WARP_LANES])
{
    struct bsim_deal answer = {.firsts = ask->lanes};
    uint32_t size = BSIM_WARP_LANES >> ask->split;
    uint32_t group = BSIM_FULL_MASK >> (BSIM_WARP_LANES - size);
    uint8_t place[BSIM_WARP_LANES];
    struct chains chains;
    bool is_free = find_places(ask, address, place);
    if (!is_free) {
        answer.firsts = chain_up(ask, address, place, &chains);
    }
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += size) {
        uint32_t ways = is_free && (ask->lanes >> first & group) != 0;
        for (uint32_t i = first; i < first + size && !is_free; i++) {
            ways = chains.length[i] > ways ? chains.length[i] : ways;
        }
        add_group(ways, &answer);
    }
    return answer;
}

static bool pairs_at(uint32_t distance, uint32_t mask, const uint32_t address[BSIM_WARP_LANES])
{
    uint32_t differ = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t partner = lane ^ distance;
        bool both = (mask >> lane & mask >> partner & 1) != 0;
        differ |= both ? address[lane] ^ address[partner] : 0;
    }
    return differ == 0;
}

static bool pairs(uint32_t mask, const uint32_t address[BSIM_WARP_LANES])
{
    return pairs_at(1, mask, address) || pairs_at(2, mask, address);
}

bool bsim_fast_count_portable(const struct bsim_device *device, const struct bsim_opcode *opcode,
                              uint32_t mask, const uint32_t address[BSIM_WARP_LANES],
                              struct bsim_counts *counts)
{
    return bsim_fast_count(deal, pairs, device, opcode, mask, address, counts);
}

void bsim_fast_sum_portable(const struct bsim_fast_plan *plan, uint32_t mask,
                            const uint32_t address[BSIM_WARP_LANES], uint64_t n,
                            struct bsim_fast_sums *sums)
{
    bsim_fast_sum(deal, pairs, plan, mask, address, n, sums);
}

void bsim_fast_list_portable(const struct bsim_event *event, uint32_t address[BSIM_WARP_LANES])
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = event->affine ? (uint32_t)event->base + lane * (uint32_t)event->stride
                                      : (uint32_t)event->address[lane];
    }
}
