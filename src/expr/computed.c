/* computed.c - what the indices of other layouts cost: instructions in front of the accesses. */
#include "expr/check.h"

/* FNV-1a */
static uint64_t hash_of(uint32_t lanes, const uint64_t *address)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        hash =
            (hash ^ ((lanes >> lane & 1) != 0 ? address[lane] + 1 : 0)) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Notes it. */
static bool is_known(struct bsim_indices *known, uint32_t warp, uint64_t hash)
{
    uint32_t i = warp % BSIM_INDEX_WARPS;
    for (size_t k = 0; k < BSIM_INDICES_KEPT; k++) {
        if (known->hash[i][k] == hash) {
            return true;
        }
    }
    known->hash[i][known->next[i]++ % BSIM_INDICES_KEPT] = hash;
    return false;
}

enum bsim_status bsim_check_push_index(const struct bsim_sink *sink, struct bsim_indices *known,
                                       const struct bsim_computed *index, struct bsim_error *err)
{
    struct bsim_event event;
    if (index->n_operations == 0 || known->depth > 0 ||
        is_known(known, index->warp, hash_of(index->lanes, index->address))) {
        return BSIM_OK;
    }
    bsim_event_init(&event, &(struct bsim_opcode){.family = BSIM_WORK});
    event.warp = index->warp;
    event.work_count = index->n_operations;
    return sink->push(sink->context,
                      &(struct bsim_record){.kind = BSIM_RECORD_EVENT, .u.event = &event}, err);
}
