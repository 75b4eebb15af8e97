/* peer.c - reading and writing the shared memory of another block of a cluster, in another SM.
 *
 * Banks do not matter there, sectors do. What goes between the SMs is packets, one in 1.5 clocks in
 * each direction:
 *
 *     load     one that asks for each line of 128 bytes, one that answers for each sector of 32
 *     store    one for each touched piece of 16 bytes; the two pieces of a whole sector go in one if
 *              another sector of the line is whole as well
 *
 *     stores of 16 bytes to          16-31 32-63 64-95         0-31        0-15 64-79
 *     packets                        1 +   1 +   1             2           2
 *
 * A load waits for what comes back: 1.5 clocks a sector, and if the peer loads as well, whose requests
 * go where the answers do, 1.5 more a line. Neither is faster than the LSU, which takes each group of
 * lanes by its banks as in the block's own memory, without the pair rule, and 3.6 clocks for a load
 * (3.75 if both load), 2, 3 or 5 for a store of up to 4, 8 or 16 bytes.
 *
 * Sources: an H200, 2026-11-22 (tests/measured/h200/async/peer*.csv): packets of 72 loads and 72 stores;
 * clocks of 480 loads, within 0.5 but for one, and of 480 stores, within 0.75 but for four of 16
 * bytes; 72 more loads counted and 300 timed. Of 1 and 2 bytes nothing was measured. Atomics and
 * st.async: sector.c. Not modelled: stores both ways at once, what the peer's own accesses lose.
 */
#include <banksim/peer.h>

enum { PIECE = 16, WORD = 4, BANKS = 32, LINE = 128, WHOLE = 0xffff };

#define CLOCKS_A_PACKET 1.5

/* The pieces of 16 bytes that lanes touch, each once; an access lies in one. */
struct pieces {
    uint32_t n;
    uint32_t number[BSIM_WARP_LANES]; /* address / 16 */
    uint32_t bytes[BSIM_WARP_LANES];  /* touched, as bits */
};

static struct pieces find_pieces(const struct bsim_request *request)
{
    struct pieces found = {.n = 0};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t address = request->address[lane], i = 0;
        if ((request->mask >> lane & 1) == 0) {
            continue;
        }
        while (i < found.n && found.number[i] != address / PIECE) {
            i++;
        }
        found.n += i == found.n;
        found.number[i] = address / PIECE;
        found.bytes[i] |= ((UINT32_C(1) << request->opcode.bytes) - 1) << address % PIECE;
    }
    return found;
}

/* Different groups of 2^log2 pieces. */
static uint32_t count_groups(const struct pieces *pieces, uint32_t log2)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < pieces->n; i++) {
        uint32_t before = 0;
        while (before < i && pieces->number[before] >> log2 != pieces->number[i] >> log2) {
            before++;
        }
        n += before == i;
    }
    return n;
}

/* Whether the piece is the lower one of a sector that is written as a whole. */
static bool begins_whole(const struct pieces *pieces, uint32_t i)
{
    bool is_whole = false;
    for (uint32_t other = 0; other < pieces->n && pieces->number[i] % 2 == 0; other++) {
        is_whole |= pieces->number[other] == pieces->number[i] + 1 &&
                    pieces->bytes[other] == WHOLE && pieces->bytes[i] == WHOLE;
    }
    return is_whole;
}

static uint32_t store_packets(const struct pieces *pieces)
{
    uint32_t packets = pieces->n;
    for (uint32_t i = 0; i < pieces->n; i++) {
        uint32_t whole_in_line = 0;
        for (uint32_t other = 0; other < pieces->n; other++) {
            whole_in_line +=
                pieces->number[other] / 8 == pieces->number[i] / 8 && begins_whole(pieces, other);
        }
        packets -= begins_whole(pieces, i) && whole_in_line > 1;
    }
    return packets;
}

/* ---- the LSU's turns ------------------------------------------------------------------------ */

static bool touches(const struct bsim_request *request, uint32_t lane, uint32_t bank)
{
    uint32_t words = ((uint32_t)request->opcode.bytes + WORD - 1) / WORD;
    return (request->mask >> lane & 1) != 0 &&
           (bank - request->address[lane] / WORD) % BANKS < words;
}

/* Different lines that lanes `first` to `first + n - 1` want of the bank. */
static uint32_t turns_of_bank(const struct bsim_request *request, uint32_t first, uint32_t n,
                              uint32_t bank)
{
    uint32_t turns = 0;
    for (uint32_t lane = first; lane < first + n; lane++) {
        bool is_new = touches(request, lane, bank);
        for (uint32_t before = first; before < lane; before++) {
            is_new = is_new && !(touches(request, before, bank) &&
                                 request->address[before] / LINE == request->address[lane] / LINE);
        }
        turns += is_new;
    }
    return turns;
}

static uint32_t turns_of(const struct bsim_request *request)
{
    uint32_t bytes = request->opcode.bytes, sum = 0;
    uint32_t n = bytes > WORD ? LINE / bytes : BSIM_WARP_LANES;
    for (uint32_t first = 0; first < BSIM_WARP_LANES; first += n) {
        uint32_t most = 0;
        for (uint32_t bank = 0; bank < BANKS; bank++) {
            uint32_t turns = turns_of_bank(request, first, n, bank);
            most = turns > most ? turns : most;
        }
        sum += most;
    }
    return sum;
}

static double longest(double a, double b, double c)
{
    double longer = a > b ? a : b;
    return longer > c ? longer : c;
}

bool bsim_peer_count(const struct bsim_request *request, struct bsim_peer_counts *counts)
{
    const struct bsim_opcode *opcode = &request->opcode;
    if ((opcode->space != BSIM_SHARED && opcode->space != BSIM_PEER) ||
        (opcode->family != BSIM_LD && opcode->family != BSIM_ST)) {
        return false;
    }
    struct pieces pieces = find_pieces(request);
    double turns = turns_of(request), issue = opcode->bytes > 8 ? 5 : opcode->bytes > 4 ? 3 : 2;
    *counts = (struct bsim_peer_counts){.sectors = count_groups(&pieces, 1),
                                        .lines = count_groups(&pieces, 3)};
    if (opcode->family == BSIM_ST) {
        counts->packets = store_packets(&pieces);
        counts->cycles = longest(CLOCKS_A_PACKET * counts->packets, issue, turns);
        return true;
    }
    counts->packets = counts->sectors + counts->lines;
    counts->cycles = longest(CLOCKS_A_PACKET * counts->sectors, 3.6, turns);
    counts->cycles_both_ways = longest(CLOCKS_A_PACKET * counts->packets, 3.75, turns);
    return true;
}
