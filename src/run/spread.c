/* spread.c - what accesses take whose indices are drawn: the requests of many draws, counted. */
#include "run/spread.h"

#include "base/memory.h"

#include <string.h>

enum {
    MOST_DRAWS = 10000,
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
    ENOUGH_REQUESTS = 100,
#else
    ENOUGH_REQUESTS = 1 << 17, /* a third of a second */
#endif
    LEAST_DRAWS = 2, /* to see what differs between them */
    MOST_WAYS = 2 * BSIM_WARP_LANES,
};

/* One access. */
struct tally {
    uint64_t requests, wavefronts, ways;
    uint64_t of_ways[MOST_WAYS + 1];
    uint64_t hash, first_hash; /* of all addresses of a draw, of the first one */
    bool is_drawn;
};

struct spread {
    const struct bsim_device *device;
    struct tally *tally;
    uint64_t requests;
};

/* FNV-1a, in steps of 32 bits. */
static uint64_t add_hash(uint64_t hash, uint32_t value)
{
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static enum bsim_status count(void *context, const struct bsim_check_request *request,
                              struct bsim_error *err)
{
    struct spread *spread = context;
    struct tally *tally = &spread->tally[request->access];
    struct bsim_request plain = {
        .opcode = request->opcode, .mask = request->mask, .has_from = request->has_from};
    struct bsim_counts counts;
    (void)err;
    memcpy(plain.address, request->address, sizeof plain.address);
    memcpy(plain.from, request->from, sizeof plain.from);
    bsim_request_count(spread->device, &plain, &counts);
    spread->requests++;
    tally->requests++;
    tally->wavefronts += counts.wavefronts;
    tally->ways += counts.ways;
    tally->of_ways[counts.ways < MOST_WAYS ? counts.ways : MOST_WAYS]++;
    tally->hash = add_hash(tally->hash, request->mask);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        tally->hash = add_hash(tally->hash, request->address[lane]);
    }
    return BSIM_OK;
}

static void end_draw(struct tally *tally, uint64_t draw)
{
    tally->first_hash = draw == 0 ? tally->hash : tally->first_hash;
    tally->is_drawn = tally->is_drawn || tally->hash != tally->first_hash;
    tally->hash = 0;
}

/* The fewest ways that more than `above` requests do not exceed. */
static uint32_t quantile(const struct tally *tally, uint64_t above)
{
    uint32_t ways = 0;
    uint64_t n = tally->of_ways[0];
    while (n <= above && ways < MOST_WAYS) {
        n += tally->of_ways[++ways];
    }
    return ways;
}

static struct bsim_check_spread conclude(const struct tally *tally)
{
    uint64_t tail = tally->requests / 20;
    return (struct bsim_check_spread){tally->requests, tally->wavefronts, tally->ways,
                                      quantile(tally, tail),
                                      quantile(tally, tally->requests - tail - 1)};
}

enum bsim_status bsim_spread_find(const struct bsim_check *check, const struct bsim_device *device,
                                  struct bsim_check_worst *worst, struct bsim_error *err)
{
    size_t n = bsim_check_contents(check)->n_accesses;
    struct spread spread = {device, bsim_mem_zeroed(n + 1, sizeof *spread.tally), 0};
    enum bsim_status status = spread.tally != NULL ? BSIM_OK : bsim_mem_short(err);
    for (uint64_t draw = 0; draw < MOST_DRAWS && status == BSIM_OK &&
                            (draw < LEAST_DRAWS || spread.requests < ENOUGH_REQUESTS);
         draw++) {
        struct bsim_check_visitor visitor = {count, NULL, &spread, draw};
        status = bsim_check_each(check, &visitor, err);
        for (size_t i = 0; i < n; i++) {
            end_draw(&spread.tally[i], draw);
        }
    }
    for (size_t i = 0; i < n && status == BSIM_OK; i++) {
        if (spread.tally[i].is_drawn) {
            worst[i].spread = conclude(&spread.tally[i]);
        }
    }
    bsim_mem_free(spread.tally);
    return status;
}
