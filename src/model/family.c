/* family.c - see family.h. A new opcode has its row here, its spelling in event/opcode.c, and what
 * it does with memory in event.h.
 */
#include "model/family.h"

#define BIT(rule) (UINT32_C(1) << (rule))

enum { BANKS = BIT(BSIM_RULE_BANKS), WIDE = BIT(BSIM_RULE_WIDE) };

const struct bsim_family_row bsim_families[BSIM_N_FAMILIES] = {
    [BSIM_LD] = {.rules = {BANKS, BANKS | WIDE},
                 .some_rules = BIT(BSIM_RULE_MULTICAST),
                 .shares = true},
    [BSIM_ST] = {.rules = {BANKS, BANKS | WIDE},
                 .some_rules = BIT(BSIM_RULE_SAME_STORE),
                 .shares = true},
    [BSIM_ATOM] = {.rules = {BANKS, BANKS}},
    [BSIM_RED] = {.rules = {BANKS, BANKS}},
    [BSIM_CP_ASYNC] = {.rules = {BANKS | BIT(BSIM_RULE_CP_ASYNC),
                                 BANKS | WIDE | BIT(BSIM_RULE_CP_ASYNC)},
                       .since = 80,
                       .rule = BSIM_RULE_CP_ASYNC,
                       .word = "cp.async",
                       .source = "PTX ISA: cp.async needs sm_80"},
    [BSIM_LDMATRIX] = {.rules = {0, BANKS | BIT(BSIM_RULE_LDMATRIX)},
                       .some_rules = BIT(BSIM_RULE_MULTICAST),
                       .shares = true,
                       .since = 75,
                       .rule = BSIM_RULE_LDMATRIX,
                       .word = "ldmatrix",
                       .source = "PTX ISA: ldmatrix needs sm_75"},
    [BSIM_STMATRIX] = {.rules = {0, BANKS | BIT(BSIM_RULE_STMATRIX)},
                       .some_rules = BIT(BSIM_RULE_SAME_STORE),
                       .shares = true,
                       .since = 90,
                       .rule = BSIM_RULE_STMATRIX,
                       .word = "stmatrix",
                       .source = "PTX ISA: stmatrix needs sm_90"},
    [BSIM_WGMMA] = {.since = 90,
                    .rule = BSIM_RULE_WGMMA,
                    .word = "wgmma",
                    .source = "PTX ISA: wgmma needs sm_90a"},
    [BSIM_BULK] = {.since = 90,
                   .rule = BSIM_RULE_TMA,
                   .word = "a copy by TMA",
                   .source = "PTX ISA: cp.async.bulk needs sm_90"},
    [BSIM_SHFL] = {.since = 30, .word = "a shuffle"}, /* PTX ISA: shfl needs sm_30; no banks' rule */
};

bool bsim_device_executes(const struct bsim_device *device, const struct bsim_opcode *opcode)
{
    return bsim_family_executes(device, opcode);
}

enum bsim_status bsim_family_refuse(const struct bsim_device *device,
                                    const struct bsim_opcode *opcode, struct bsim_error *err)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    const char *word = opcode->space == BSIM_PEER ? "another block's shared memory"
                       : opcode->path == BSIM_NC  ? "ld.global.nc"
                                                  : bsim_family_row(opcode)->word;
    unsigned since = bsim_family_since(opcode);
    if (opcode->family == BSIM_WGMMA && device->compute > since) {
        /* PTX has tcgen05 for compute capabilities 10.x and 11.x, not for 12.x. */
        return bsim_error_set(err, BSIM_E_INPUT, "%s does not execute %s: wgmma is sm_90's alone, and %s; choose another device",
                              device->name, bsim_opcode_name(opcode, name),
                              device->compute < 120 ? "tcgen05, which took its place, is not modelled"
                                                    : "products of matrices are mma's there");
    }
    return bsim_error_set(
        err, BSIM_E_INPUT,
        "%s does not execute %s: %s starts with compute capability %u.%u; choose another device",
        device->name, bsim_opcode_name(opcode, name), word, since / 10, since % 10);
}
