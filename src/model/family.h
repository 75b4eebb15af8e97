/* family.h - what an access's family means for the banks: a row for each, which the schedule, the
 * counts without one, their sums, the cycle model and the checks of what a device executes read.
 */
#ifndef BSIM_MODEL_FAMILY_H
#define BSIM_MODEL_FAMILY_H

#include <banksim/model.h>

enum { BSIM_N_FAMILIES = BSIM_WORK + 1, BSIM_READ_ONLY_SINCE = 35, BSIM_PEERS_SINCE = 90 };

struct bsim_family_row {
    uint32_t rules[2]; /* for up to 4 bytes, and for more; those of an atomic are its operation's */
    uint32_t some_rules; /* further ones if lanes share a pass */
    bool shares;         /* lanes that want one row share a pass; atomics: see bsim_atomic_shares */
    uint8_t since; /* compute capability times 10; 0: every device executes it. What follows is */
    uint8_t rule;  /* for the others: their own rule, */
    const char *word;   /* how messages call them, */
    const char *source; /* and who says since when; NULL: no rule depends on it */
};

/* By enum bsim_family; empty for what is no access. In family.c. */
extern const struct bsim_family_row bsim_families[BSIM_N_FAMILIES];

static inline const struct bsim_family_row *bsim_family_row(const struct bsim_opcode *opcode)
{
    return &bsim_families[opcode->family < BSIM_N_FAMILIES ? opcode->family : BSIM_WORK];
}

/* A rule among others, in a sum. */
static inline uint32_t bsim_rule_bit(enum bsim_rule rule)
{
    return UINT32_C(1) << rule;
}

/* Whether what it fetches can be a broadcast or a multicast. */
static inline bool bsim_family_reads(const struct bsim_opcode *opcode)
{
    return (bsim_family_does(opcode->family) & BSIM_READS) != 0;
}

/* The compute capability times 10 that has the opcode first; 0: all. */
static inline uint32_t bsim_family_since(const struct bsim_opcode *opcode)
{
    return opcode->space == BSIM_PEER ? BSIM_PEERS_SINCE
           : opcode->path == BSIM_NC  ? BSIM_READ_ONLY_SINCE
                                      : bsim_family_row(opcode)->since;
}

/* bsim_device_executes, for each event. */
static inline bool bsim_family_executes(const struct bsim_device *device,
                                        const struct bsim_opcode *opcode)
{
    uint32_t since = bsim_family_since(opcode);
    if (opcode->family == BSIM_WGMMA && device->compute > since) {
        return false; /* sm_90's alone */
    }
    return device->compute >= since || device->compute == 0; /* generic has all */
}

/* BSIM_E_INPUT, saying since when there is the opcode, which the device does not execute. */
enum bsim_status bsim_family_refuse(const struct bsim_device *device,
                                    const struct bsim_opcode *opcode, struct bsim_error *err);

#endif
