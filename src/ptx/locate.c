/* locate.c - what an address leads to: space, piece of memory, byte; or what is wrong with it. */
#include "ptx/machine.h"

#include "ptx/memory.h"
#include "ptx/view.h"

#include <inttypes.h>

/* A generic address says by its window which space it means. */
static enum bsim_ptx_space find_space(uint64_t *address)
{
    static const struct {
        uint64_t window;
        enum bsim_ptx_space space;
    } windows[] = {{BSIM_PTX_SHARED_WINDOW, BSIM_PTX_SHARED},
                   {BSIM_PTX_LOCAL_WINDOW, BSIM_PTX_LOCAL},
                   {BSIM_PTX_PARAM_WINDOW, BSIM_PTX_PARAM}};
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
        if (*address - windows[i].window <= UINT32_MAX) {
            *address -= windows[i].window;
            return windows[i].space;
        }
    }
    return BSIM_PTX_GLOBAL;
}

static unsigned char *within(unsigned char *start, uint64_t size, uint64_t offset, uint64_t bytes)
{
    return offset <= size && size - offset >= bytes ? start + offset : NULL;
}

/* A step mostly finds the piece that it found last. */
const struct bsim_ptx_piece *bsim_ptx_find_piece(const struct bsim_ptx_warp *warp,
                                                 const struct bsim_ptx_step *step, uint64_t address)
{
    struct bsim_ptx_block *block = warp->block;
    size_t number = (size_t)(step - block->program->step);
    struct bsim_ptx_piece *found = &block->found[number % BSIM_PTX_FOUND];
    if (address - found->start >= found->size) {
        const struct bsim_ptx_piece *piece = bsim_ptx_memory_at(block->memory, address);
        if (piece == NULL) {
            return NULL;
        }
        *found = *piece;
    }
    return found;
}

/* Where a block that runs ahead finds bytes of the piece; NULL, and it ends, where that is not sure. Loads,
 * copies to shared memory and stores are what it can do. */
static unsigned char *see(struct bsim_ptx_block *block, const struct bsim_ptx_access *access,
                          const struct bsim_ptx_piece *piece, uint64_t offset, uint64_t bytes)
{
    enum { MOST = 32 };
    uint32_t family = access != NULL ? access->opcode.family : BSIM_FENCE;
    unsigned char *p = NULL;
    if (bytes <= MOST && family == BSIM_ST) {
        p = bsim_ptx_view_write(block->view, piece, offset, (uint32_t)bytes);
    } else if (bytes <= MOST && (family == BSIM_LD || family == BSIM_CP_ASYNC ||
                                 family == BSIM_ATOM || family == BSIM_RED)) {
        p = bsim_ptx_view_read(block->view, piece, offset, (uint32_t)bytes);
    }
    if (p == NULL) {
        (void)bsim_ptx_gives_up(block);
    }
    return p;
}

static unsigned char *find_global(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                  uint32_t lane, uint64_t address, uint64_t bytes)
{
    const struct bsim_ptx_piece *piece = bsim_ptx_find_piece(warp, step, address);
    if (piece == NULL) {
        piece = bsim_ptx_memory_before(warp->block->memory, address);
    }
    if (piece == NULL) {
        bsim_ptx_fault(warp, step, lane, "address 0x%" PRIx64 " is in no array", address);
        return NULL;
    }
    const char *name = piece->name != NULL ? piece->name : "an allocation";
    if (piece->is_freed) {
        bsim_ptx_fault(warp, step, lane, "address 0x%" PRIx64 " is in %s, which was freed", address,
                       name);
        return NULL;
    }
    unsigned char *p = within(piece->data, piece->size, address - piece->start, bytes);
    if (p == NULL) {
        bsim_ptx_fault(warp, step, lane,
                       "%" PRIu64 " bytes at byte %" PRIu64 " of %s, which has %" PRIu64, bytes,
                       address - piece->start, name, piece->size);
    }
    return p == NULL || warp->block->view == NULL
               ? p
               : see(warp->block, step->access, piece, address - piece->start, bytes);
}

unsigned char *bsim_ptx_locate(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                               uint32_t lane, enum bsim_ptx_space where, uint64_t bytes,
                               uint32_t alignment, uint64_t *address, enum bsim_space *space)
{
    const struct bsim_ptx_block *block = warp->block;
    uint32_t local_bytes = block->program->local_bytes;
    where = where == BSIM_PTX_NO_SPACE ? find_space(address) : where;
    if (*address % alignment != 0) {
        bsim_ptx_fault(warp, step, lane,
                       "address 0x%" PRIx64 " is no multiple of the %" PRIu32 " bytes accessed",
                       *address, alignment);
        return NULL;
    }
    unsigned char *p = NULL;
    switch (where) {
    case BSIM_PTX_SHARED:
        *space = BSIM_SHARED;
        p = within(block->shared, block->shared_bytes, *address, bytes);
        break;
    case BSIM_PTX_LOCAL:
        *space = BSIM_LOCAL;
        p = within(warp->local + (size_t)lane * local_bytes, local_bytes, *address, bytes);
        break;
    case BSIM_PTX_PARAM:
        *space = BSIM_NO_SPACE;
        p = within((unsigned char *)block->parameters, block->program->kernel->parameter_bytes,
                   *address, bytes);
        break;
    default:
        *space = where == BSIM_PTX_CONST ? BSIM_CONST : BSIM_GLOBAL;
        return find_global(warp, step, lane, *address, bytes);
    }
    if (p == NULL) {
        bsim_ptx_fault(warp, step, lane,
                       "%" PRIu64 " bytes at byte %" PRIu64 " of %s memory, which has %" PRIu32,
                       bytes, *address,
                       where == BSIM_PTX_SHARED  ? "the block's shared"
                       : where == BSIM_PTX_LOCAL ? "the thread's local"
                                                 : "the parameters'",
                       where == BSIM_PTX_SHARED  ? block->shared_bytes
                       : where == BSIM_PTX_LOCAL ? local_bytes
                                                 : block->program->kernel->parameter_bytes);
    }
    return p;
}
