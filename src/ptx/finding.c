/* finding.c - what a kernel does that a GPU lets pass: reads of shared memory that nobody wrote, barriers
 * that a part of a warp comes to. The launch goes on; each place in the code is told once.
 *
 * A block has a byte for each of shared memory, 1 where it was written.
 */
#include "ptx/machine.h"

#include "ptx/launch.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FINDINGS = 20 };

/* Kinds, as bits of a step's `told`. */
enum { UNWRITTEN = 1, DIVERGENT = 2 };

static void tell(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                 uint8_t kind, const char *format, ...) BSIM_PRINTF(5, 6);

static void tell(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                 uint8_t kind, const char *format, ...)
{
    struct bsim_ptx_block *block = warp->block;
    struct bsim_ptx_findings *findings = block->findings;
    uint8_t *told = &findings->told[step - block->program->step];
    uint32_t t = warp->number * BSIM_WARP_LANES + lane, line = 0;
    char message[300];
    va_list arguments;
    if ((*told & kind) != 0) {
        return;
    }
    *told |= kind;
    if (findings->n++ >= MOST_FINDINGS) {
        return;
    }
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *file = bsim_ptx_source(block->program->module, step->from, &line);
    bsim_buffer_printf(&findings->text,
                       "warning: %s at %s:%" PRIu32 ", block (%" PRIu32 ",%" PRIu32 ",%" PRIu32
                       "), thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "): %s\n",
                       block->program->kernel->name, file, line, block->place.x, block->place.y,
                       block->place.z, t % block->threads.x,
                       t / block->threads.x % block->threads.y,
                       t / block->threads.x / block->threads.y, message);
}

static uint32_t first_lane(uint32_t mask)
{
    uint32_t lane = 0;
    while (lane < BSIM_WARP_LANES - 1 && !(mask >> lane & 1)) {
        lane++;
    }
    return lane;
}

/* ---- shared memory that nobody wrote --------------------------------------------------------- */

static void check_written(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          uint32_t lane, uint64_t address, uint32_t bytes)
{
    const struct bsim_ptx_symbol *array = step->access->array;
    if (memchr(warp->block->findings->written + address, 0, bytes) == NULL) {
        return;
    }
    if (array != NULL && array->space == BSIM_PTX_SHARED && address >= array->address) {
        tell(warp, step, lane, UNWRITTEN,
             "reads %" PRIu32 " bytes at byte %" PRIu64 " of shared memory, %s + %" PRIu64
             ", that nobody wrote",
             bytes, address, array->name, address - array->address);
    } else {
        tell(warp, step, lane, UNWRITTEN,
             "reads %" PRIu32 " bytes at byte %" PRIu64 " of shared memory that nobody wrote",
             bytes, address);
    }
}

void bsim_ptx_find_unwritten(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             const uint64_t *address)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t bytes = access->bytes * access->count;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (!(warp->mask >> l & 1)) {
            continue;
        }
        if (access->opcode.family != BSIM_ST) {
            check_written(warp, step, l, address[l], bytes);
        }
        if (access->opcode.family != BSIM_LD) {
            memset(warp->block->findings->written + address[l], 1, bytes);
        }
    }
}

bool bsim_ptx_find_nothing(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint64_t address, uint32_t bytes)
{
    unsigned char *written = warp->block->findings->written + address;
    if (step->access->opcode.family != BSIM_ST && memchr(written, 0, bytes) != NULL) {
        return false;
    }
    if (step->access->opcode.family != BSIM_LD) {
        memset(written, 1, bytes);
    }
    return true;
}

void bsim_ptx_find_written(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes)
{
    uint32_t size = warp->block->shared_bytes;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if ((warp->mask >> l & 1) != 0 && address[l] < size) {
            uint64_t left = size - address[l];
            memset(warp->block->findings->written + address[l], 1, left < bytes ? left : bytes);
        }
    }
}

/* ---- barriers -------------------------------------------------------------------------------- */

void bsim_ptx_find_divergent(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             uint32_t mask)
{
    if (warp->block->findings != NULL && mask != warp->alive) {
        tell(warp, step, first_lane(warp->alive & ~mask), DIVERGENT,
             "is not at the barrier that other lanes of its warp are at (%08" PRIx32
             " of %08" PRIx32 ")",
             mask, warp->alive);
    }
}
