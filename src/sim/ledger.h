/* ledger.h - what requests cost, added up at their sites; see ledger.c. */
#ifndef BSIM_SIM_LEDGER_H
#define BSIM_SIM_LEDGER_H

#include "model/fast.h"

#include <banksim/result.h>

/* The counts of one access; those of the other spaces stay 0. */
struct bsim_access_counts {
    struct bsim_counts shared;
    struct bsim_global_counts global; /* of a copy too: what it fetches, as far as that is known */
    bool has_from;                    /* a copy that says where it is from */
    uint32_t constant_passes;
};

/* A pattern of lanes in step, at a site. */
struct bsim_ledger_key {
    int64_t stride;
    uint32_t mask;
    uint32_t place; /* of the first lane; see ledger.c */
    uint32_t owner; /* the site: its place among the kernel's, from 1 */
};

#define BSIM_NO_OWNER UINT32_MAX /* no pattern has it */

/* And how often it came since it was entered. Its counts stand elsewhere: they are looked at
 * seldom, and two entries fill a line of the cache. */
struct bsim_ledger_entry {
    struct bsim_ledger_key pattern; /* owner 0: there is no entry here */
    uint64_t n;
};

union bsim_ledger_counts {
    struct bsim_counts shared;
    struct bsim_global_counts global;
};

enum { BSIM_LEDGER_LOG2 = 11, BSIM_LEDGER_ENTRIES = 1 << BSIM_LEDGER_LOG2 };

/* Zeroed, it is empty. */
struct bsim_ledger {
    uint32_t used[BSIM_LEDGER_ENTRIES / 32]; /* one bit for each entry: it may have a pattern */
    uint32_t n_refused;
    struct bsim_ledger_entry entry[BSIM_LEDGER_ENTRIES];
    union bsim_ledger_counts counts[BSIM_LEDGER_ENTRIES];
};

/* The counts of an event that accesses memory. */
void bsim_access_count(const struct bsim_device *device, const struct bsim_event *event,
                       struct bsim_access_counts *counts);

/* Adds n requests with these counts to their site. */
void bsim_access_add(const struct bsim_device *device, const struct bsim_access_counts *counts,
                     uint64_t n, struct bsim_site_result *site);

/* Adds requests to shared memory, summed up, to their site. */
void bsim_access_add_sums(const struct bsim_device *device, const struct bsim_fast_sums *sums,
                          struct bsim_site_result *site);

/* The bits of the first lane's address that are its place. */
static inline uint32_t bsim_ledger_place_bits(const struct bsim_device *device,
                                              const struct bsim_opcode *opcode)
{
    const uint32_t line_bytes = 128;
    uint32_t bytes = opcode->bytes > device->stride_bytes ? opcode->bytes : device->stride_bytes;
    bool is_by_line = opcode->space == BSIM_GLOBAL || opcode->space == BSIM_TEXTURE ||
                      opcode->space == BSIM_PEER || opcode->path == BSIM_BYPASS;
    return (is_by_line ? line_bytes : bytes) - 1;
}

/* The pattern of an affine event; `site` as below. */
static inline struct bsim_ledger_key bsim_ledger_key_of(const struct bsim_device *device,
                                                        const struct bsim_event *event,
                                                        uint32_t site)
{
    uint32_t place = (uint32_t)event->base & bsim_ledger_place_bits(device, &event->opcode);
    return (struct bsim_ledger_key){event->stride, event->mask, place, site + 1};
}

/* The first of the two neighbours, of which the pattern has one or may get one: Fibonacci hashing
 * (Knuth, volume 3, section 6.4), of two words. */
static inline uint32_t bsim_ledger_slot(const struct bsim_ledger_key *pattern)
{
    uint64_t who =
        ((uint64_t)pattern->owner << 32 | pattern->mask) + ((uint64_t)pattern->place << 16);
    uint64_t hash = (uint64_t)pattern->stride * UINT64_C(0xd6e8feb86659fd93) ^ who;
    return (uint32_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> (65 - BSIM_LEDGER_LOG2)) * 2;
}

static inline bool bsim_ledger_is_of(const struct bsim_ledger_entry *entry,
                                     const struct bsim_ledger_key *pattern)
{
    const struct bsim_ledger_key *its = &entry->pattern;
    return its->stride == pattern->stride && its->mask == pattern->mask &&
           its->owner == pattern->owner && its->place == pattern->place;
}

/* The pattern's entry, whose n is to grow with each request; NULL if it has none yet. */
static inline struct bsim_ledger_entry *bsim_ledger_find(struct bsim_ledger *ledger,
                                                         const struct bsim_ledger_key *pattern)
{
    struct bsim_ledger_entry *entry = &ledger->entry[bsim_ledger_slot(pattern)];
    if (bsim_ledger_is_of(&entry[0], pattern)) {
        return &entry[0];
    }
    return bsim_ledger_is_of(&entry[1], pattern) ? &entry[1] : NULL;
}

/* Counts n requests like `event`, an access at the site of the kernel that is its `site`-th, and
 * adds them up: at once, or when the ledger is settled. */
void bsim_ledger_add(struct bsim_ledger *ledger, struct bsim_kernel_result *kernel, uint32_t site,
                     const struct bsim_event *event, uint64_t n);

/* Adds all entries to their sites and forgets them: before the kernel's sums are read or its sites
 * change places. */
void bsim_ledger_settle(struct bsim_ledger *ledger, struct bsim_kernel_result *kernel);

#endif
