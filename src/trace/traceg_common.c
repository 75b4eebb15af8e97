/* traceg_common.c - what the readers of an Accel-Sim trace tell each other, and what they have to
 * remark together; see traceg.h. */
#include "trace/traceg.h"

#include "base/memory.h"

#include <stdatomic.h>
#include <string.h>

static struct bsim_traceg_found *new_found(size_t length)
{
    struct bsim_traceg_found *found = bsim_mem_zeroed(1, sizeof *found + length + 1);
    if (found != NULL) {
        atomic_init(&found->next, NULL);
        found->length = length;
    }
    return found;
}

bool bsim_traceg_common_open(struct bsim_traceg_common *common)
{
    common->first = common->last = new_found(0);
    return common->first != NULL;
}

void bsim_traceg_common_close(struct bsim_traceg_common *common)
{
    struct bsim_traceg_found *found = common->first;
    while (found != NULL) {
        struct bsim_traceg_found *next = atomic_load(&found->next);
        bsim_mem_free(found);
        found = next;
    }
}

static enum bsim_status take_site(struct bsim_traceg *traceg, const struct bsim_traceg_found *found)
{
    const struct bsim_site *site =
        bsim_traceg_site_add(&traceg->sites, found->key, &found->opcode, found->text);
    if (site == NULL) {
        return bsim_traceg_no_memory(traceg);
    }
    struct bsim_record record = {.kind = BSIM_RECORD_SITE, .u.site = site};
    return bsim_traceg_push(traceg, &record);
}

/* Sites of a kernel that is over are of no use any more. */
static enum bsim_status take(struct bsim_traceg *traceg, const struct bsim_traceg_found *found)
{
    if (found->kernel != 0) {
        return found->kernel == traceg->n_launches ? take_site(traceg, found) : BSIM_OK;
    }
    return bsim_traceg_opcode_add(&traceg->opcodes, found->text, found->length) != NULL
               ? BSIM_OK
               : bsim_traceg_no_memory(traceg);
}

enum bsim_status bsim_traceg_learn(struct bsim_traceg *traceg, bool in_turn)
{
    if (traceg->common == NULL) {
        return BSIM_OK;
    }
    if (in_turn && !traceg->has_turn && traceg->turn != NULL &&
        !traceg->turn->wait(traceg->turn->context)) {
        return bsim_error_set(traceg->err, BSIM_E_USAGE, "a piece in front of this one has failed");
    }
    traceg->has_turn |= in_turn;
    enum bsim_status status = BSIM_OK;
    struct bsim_traceg_found *next;
    while (status == BSIM_OK && (next = atomic_load(&traceg->seen->next)) != NULL) {
        status = take(traceg, next);
        traceg->seen = next;
    }
    return status;
}

bool bsim_traceg_tell(struct bsim_traceg *traceg, const struct bsim_opcode *opcode, uint64_t key,
                      const char *text, size_t length)
{
    struct bsim_traceg_common *common = traceg->common;
    if (common == NULL) {
        return true;
    }
    struct bsim_traceg_found *found = new_found(length);
    if (found == NULL) {
        return false;
    }
    if (opcode != NULL) {
        found->kernel = traceg->n_launches;
        found->opcode = *opcode;
        found->key = key;
    }
    memcpy(found->text, text, length);
    atomic_store(&common->last->next, found);
    common->last = traceg->seen = found;
    return true;
}

bool bsim_traceg_launch(struct bsim_traceg *traceg, uint64_t grid)
{
    size_t n = traceg->n_launches;
    bool is_full = (n & (n - 1)) == 0; /* the capacity is a power of two */
    struct bsim_traceg_launch *launches =
        is_full ? bsim_mem_resize(traceg->launches, n > 0 ? 2 * n : 1, sizeof *launches)
                : traceg->launches;
    if (launches == NULL) {
        return false;
    }
    traceg->launches = launches;
    launches[n] = (struct bsim_traceg_launch){grid, 0};
    traceg->n_launches++;
    return true;
}

/* Kernels may be behind the last block of the total, which has read none. */
static bool add_launches(struct bsim_traceg *total, const struct bsim_traceg *part)
{
    for (size_t i = 0; i < part->n_launches; i++) {
        const struct bsim_traceg_launch *launch = &part->launches[i];
        if (i == total->n_launches && !bsim_traceg_launch(total, launch->grid)) {
            return false;
        }
        total->launches[i].blocks += launch->blocks;
    }
    return true;
}

bool bsim_traceg_add(struct bsim_traceg *total, const struct bsim_traceg *part)
{
    for (uint32_t i = 0; i < part->opcodes.n; i++) {
        total->opcodes.in_order[i]->skipped += part->opcodes.in_order[i]->skipped;
    }
    total->n_halves += part->n_halves;
    total->n_released += part->n_released;
    total->has_unknown_device |= part->has_unknown_device;
    return add_launches(total, part);
}
