/* locate.c - what an address leads to: space, piece of memory, byte; or what is wrong with it. */
#include "ptx/machine.h"

#include "ptx/memory.h"
#include "ptx/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

/* What is neither loaded nor updated there is written. */
static void note_write(const struct bsim_ptx_access *access, const struct bsim_ptx_piece *piece,
                       uint64_t offset, uint64_t bytes)
{
    uint32_t does = access != NULL ? bsim_family_does(access->opcode.family) : BSIM_WRITES;
    bool is_bulk = access != NULL && access->opcode.family == BSIM_BULK;
    does = is_bulk && access->opcode.operation != BSIM_TO_SHARED ? BSIM_WRITES : does;
    if (piece->written != NULL && (does & BSIM_WRITES) != 0) {
        bsim_ptx_piece_wrote(piece, offset, bytes);
    }
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

/* ---- faults ---------------------------------------------------------------------------------- */

/* The argument that points into the piece: the kernel's first, counted from 0. False if none does. */
static bool name_argument(const struct bsim_ptx_block *block, const struct bsim_ptx_piece *piece,
                          char name[BSIM_PTX_MAX_PIECE_NAME])
{
    uint32_t i = 0;
    for (const struct bsim_ptx_symbol *p = block->program->kernel->parameters; p != NULL;
         p = p->next, i++) {
        for (uint64_t at = 0; at + sizeof(uint64_t) <= p->size_bytes; at += sizeof(uint64_t)) {
            uint64_t value;
            memcpy(&value, block->parameters + p->address + at, sizeof value);
            if (value - piece->start < piece->size && p->size_bytes > sizeof value) {
                snprintf(name, BSIM_PTX_MAX_PIECE_NAME, "the array at byte %" PRIu64 " of argument %" PRIu32, at,
                         i);
                return true;
            }
            if (value - piece->start < piece->size) {
                snprintf(name, BSIM_PTX_MAX_PIECE_NAME, "argument %" PRIu32, i);
                return true;
            }
        }
    }
    return false;
}

void bsim_ptx_name_piece(const struct bsim_ptx_block *block, const struct bsim_ptx_piece *piece,
                         char name[BSIM_PTX_MAX_PIECE_NAME])
{
    if (piece->name != NULL || !name_argument(block, piece, name)) {
        snprintf(name, BSIM_PTX_MAX_PIECE_NAME, "%s", piece->name != NULL ? piece->name : "an allocation");
    }
}

static void tell_near(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                      const struct bsim_ptx_piece *piece, uint64_t address, uint64_t bytes)
{
    char name[BSIM_PTX_MAX_PIECE_NAME], far[24] = "right";
    bool is_before = address < piece->start;
    uint64_t off = is_before ? piece->start - address : address - piece->start - piece->size;
    if (off > 0) {
        snprintf(far, sizeof far, "%" PRIu64, off);
    }
    bsim_ptx_name_piece(warp->block, piece, name);
    bsim_ptx_fault(warp, step, lane, "%" PRIu64 " byte%s, %s %s of %s, which has %" PRIu64, bytes,
                   bytes == 1 ? "" : "s",
                   far, is_before ? "before the start" : "behind the end", name, piece->size);
}

/* The address is in no piece. It is told from one that is near, and from an argument's further off. */
static void tell_stray(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                       uint64_t address, uint64_t bytes)
{
    enum { NEAR = 1 << 16 };
    const struct bsim_ptx_block *block = warp->block;
    const struct bsim_ptx_piece *before = bsim_ptx_memory_before(block->memory, address);
    const struct bsim_ptx_piece *behind = bsim_ptx_memory_behind(block->memory, address);
    uint64_t past = before != NULL ? address - before->start - before->size : UINT64_MAX;
    uint64_t ahead = behind != NULL ? behind->start - address : UINT64_MAX;
    char name[BSIM_PTX_MAX_PIECE_NAME];
    if ((ahead < past ? ahead : past) < NEAR) {
        tell_near(warp, step, lane, ahead < past ? behind : before, address, bytes);
    } else if (past <= UINT32_MAX && name_argument(block, before, name)) {
        bsim_ptx_fault(warp, step, lane,
                       "address 0x%" PRIx64 " is in no array: %" PRIu64
                       " bytes behind the end of %s, which has %" PRIu64,
                       address, past, name, before->size);
    } else {
        bsim_ptx_fault(warp, step, lane, "address 0x%" PRIx64 " is in no array", address);
    }
}

static unsigned char *find_global(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                  uint32_t lane, uint64_t address, uint64_t bytes)
{
    const struct bsim_ptx_piece *piece = bsim_ptx_find_piece(warp, step, address);
    char name[BSIM_PTX_MAX_PIECE_NAME];
    if (piece == NULL) {
        tell_stray(warp, step, lane, address, bytes);
        return NULL;
    }
    if (piece->is_freed) {
        bsim_ptx_name_piece(warp->block, piece, name);
        bsim_ptx_fault(warp, step, lane, "address 0x%" PRIx64 " is in %s, which was freed", address,
                       name);
        return NULL;
    }
    unsigned char *p = within(piece->data, piece->size, address - piece->start, bytes);
    if (p == NULL) {
        bsim_ptx_name_piece(warp->block, piece, name);
        bsim_ptx_fault(warp, step, lane,
                       "%" PRIu64 " byte%s at byte %" PRIu64 " of %s, which has %" PRIu64, bytes,
                       bytes == 1 ? "" : "s", address - piece->start, name, piece->size);
    }
    if (p == NULL || warp->block->view != NULL) {
        return p == NULL ? p : see(warp->block, step->access, piece, address - piece->start, bytes);
    }
    note_write(step->access, piece, address - piece->start, bytes);
    return p;
}

static void tell_ended(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                       const struct bsim_ptx_block *other)
{
    bsim_ptx_fault_as(warp, step, lane, BSIM_PTX_NO_PEER,
                      "the shared memory of the block of rank %" PRIu32 " in the cluster, which has ended, and its "
                      "memory with it: a barrier of the cluster (cluster.sync()) behind the last access keeps it",
                      other->rank);
}

/* s[-1] is an address of 32 bits, and meant to be a negative one. */
static const char *name_byte(uint64_t address, char text[40])
{
    bool is_before = address > INT32_MAX && address <= UINT32_MAX;
    snprintf(text, 40, is_before ? ", %" PRIu64 " before the start" : " at byte %" PRIu64,
             is_before ? UINT32_MAX - address + 1 : address);
    return text;
}

unsigned char *bsim_ptx_locate(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                               uint32_t lane, enum bsim_ptx_space where, uint64_t bytes,
                               uint32_t alignment, uint64_t *address, enum bsim_space *space)
{
    struct bsim_ptx_block *block = warp->block;
    where = where == BSIM_PTX_NO_SPACE ? find_space(address) : where;
    if (*address % alignment != 0) {
        bsim_ptx_fault_as(warp, step, lane, BSIM_PTX_MISALIGNED,
                          "address 0x%" PRIx64 " is no multiple of the %" PRIu32 " bytes accessed",
                          *address, alignment);
        return NULL;
    }
    unsigned char *p = NULL;
    switch (where) {
    case BSIM_PTX_SHARED:
        block = bsim_ptx_block_at(block, address);
        *space = block == warp->block ? BSIM_SHARED : BSIM_PEER;
        if (block->n_alive == 0) {
            tell_ended(warp, step, lane, block);
            return NULL;
        }
        p = within(block->shared, block->shared_bytes, *address, bytes);
        break;
    case BSIM_PTX_LOCAL:
        *space = BSIM_LOCAL;
        p = within(bsim_ptx_local(warp, lane), warp->top, *address, bytes);
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
        char at[40];
        bsim_ptx_fault_as(warp, step, lane, block != warp->block ? BSIM_PTX_NO_PEER : BSIM_PTX_STRAY,
                       "%" PRIu64 " byte%s%s of %s memory, which has %" PRIu32 "%s",
                       bytes, bytes == 1 ? "" : "s", name_byte(*address, at),
                       block != warp->block      ? "another block's shared"
                       : where == BSIM_PTX_SHARED ? "the block's shared"
                       : where == BSIM_PTX_LOCAL ? "the thread's local"
                                                 : "the parameters'",
                       where == BSIM_PTX_SHARED  ? block->shared_bytes
                       : where == BSIM_PTX_LOCAL ? warp->top
                                                 : block->program->kernel->parameter_bytes,
                       where == BSIM_PTX_SHARED && block->shared_bytes == 0
                           ? ": a launch says bytes for extern arrays, <<<grid, block, bytes>>>"
                           : "");
    }
    return p;
}
