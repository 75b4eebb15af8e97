/* memory.c - the device's memory: what programs allocate, and what textures see of it. */
#define _GNU_SOURCE

#include "cudart/state.h"

#include "ptx/texture.h"

#include <stdio.h>
#include <sys/mman.h>

enum { ALIGNMENT = 512, GAP = 4096 };
#define HEAP_START \
    UINT64_C(0x200000000000) /* free in x86-64 and AArch64 Linux programs, sanitizers and all */
#define HEAP_BYTES (UINT64_C(1) << 39) /* of addresses: none comes back */

static struct {
    struct bsim_ptx_memory *pieces;
    uint64_t heap_used, heap_live; /* bytes ever given, bytes not freed */
} memory;

struct bsim_ptx_memory *bsim_cuda_memory(void)
{
    if (memory.pieces != NULL) {
        return memory.pieces;
    }
    void *wanted = (void *)(uintptr_t)HEAP_START;
    void *heap = mmap(wanted, HEAP_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    memory.pieces = heap == wanted ? bsim_ptx_memory_new() : NULL;
    if (memory.pieces == NULL) {
        fputs("banksim: no room for the device's memory in this process\n", stderr);
    }
    return memory.pieces;
}

void *bsim_cuda_allocate(size_t size, enum bsim_cuda_kind kind)
{
    bsim_cuda_enter();
    void *p = NULL;
    uint64_t room = ((uint64_t)size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bsim_cuda_memory() != NULL && size <= BSIM_CUDA_BYTES &&
        room <= BSIM_CUDA_BYTES - memory.heap_live && room + GAP <= HEAP_BYTES - memory.heap_used) {
        uint64_t start = HEAP_START + memory.heap_used;
        struct bsim_ptx_piece piece = {
            .start = start, .size = size, .data = (void *)(uintptr_t)start, .kind = (uint8_t)kind};
        if (bsim_ptx_memory_add(memory.pieces, &piece, false)) {
            p = piece.data;
            memory.heap_used += room + GAP; /* what is behind it is nobody's */
            memory.heap_live += room;
        }
    }
    bsim_cuda_leave();
    return p;
}

/* Gives the system back the pages of what was freed: its addresses are not used again. */
static void give_back(uint64_t start, uint64_t size)
{
    enum { PAGE = 4096 };
    uint64_t first = (start + PAGE - 1) / PAGE * PAGE, last = (start + size) / PAGE * PAGE;
    memory.heap_live -= (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (first < last) {
        (void)madvise((void *)(uintptr_t)first, last - first, MADV_DONTNEED);
    }
}

bool bsim_cuda_release(void *p)
{
    bsim_cuda_enter();
    uint64_t start = (uint64_t)(uintptr_t)p;
    const struct bsim_ptx_piece *piece =
        bsim_cuda_memory() != NULL ? bsim_ptx_memory_at(memory.pieces, start) : NULL;
    uint64_t size = piece != NULL ? piece->size : 0;
    bool is_known = piece != NULL && start - HEAP_START < HEAP_BYTES &&
                    bsim_ptx_memory_release(memory.pieces, start);
    if (is_known) {
        give_back(start, size);
    }
    bsim_cuda_leave();
    return is_known;
}

size_t bsim_cuda_free_bytes(void)
{
    bsim_cuda_enter();
    uint64_t live = memory.heap_live;
    bsim_cuda_leave();
    return BSIM_CUDA_BYTES - live;
}

bool bsim_cuda_show(void *p, size_t size)
{
    bsim_cuda_enter();
    uint64_t start = (uint64_t)(uintptr_t)p;
    struct bsim_ptx_piece piece = {
        .start = start, .size = size, .data = p, .kind = BSIM_CUDA_HOSTS};
    bool is_new = bsim_cuda_memory() != NULL && bsim_ptx_memory_at(memory.pieces, start) == NULL &&
                  bsim_ptx_memory_add(memory.pieces, &piece, false);
    bsim_cuda_leave();
    return is_new;
}

bool bsim_cuda_hide(void *p)
{
    bsim_cuda_enter();
    bool is_known =
        bsim_cuda_memory() != NULL && bsim_ptx_memory_forget(memory.pieces, (uint64_t)(uintptr_t)p);
    bsim_cuda_leave();
    return is_known;
}

enum bsim_cuda_kind bsim_cuda_kind_of(const void *p)
{
    bsim_cuda_enter();
    const struct bsim_ptx_piece *piece =
        bsim_cuda_memory() != NULL ? bsim_ptx_memory_at(memory.pieces, (uint64_t)(uintptr_t)p)
                                   : NULL;
    bsim_cuda_leave();
    return piece == NULL || piece->is_freed   ? BSIM_CUDA_NOBODYS
           : piece->kind == BSIM_CUDA_NOBODYS ? BSIM_CUDA_DEVICES /* a variable */
                                              : (enum bsim_cuda_kind)piece->kind;
}

void *bsim_cuda_host_address(const void *p)
{
    bsim_cuda_enter();
    uint64_t address = (uint64_t)(uintptr_t)p;
    const struct bsim_ptx_piece *piece =
        memory.pieces != NULL ? bsim_ptx_memory_at(memory.pieces, address) : NULL;
    bsim_cuda_leave();
    return piece != NULL ? piece->data + (address - piece->start) : (void *)(uintptr_t)p;
}

/* ---- textures and surfaces ------------------------------------------------------------------- */

uint64_t bsim_cuda_add_texture(const struct bsim_ptx_texture *texture)
{
    bsim_cuda_enter();
    uint64_t handle = bsim_cuda_memory() != NULL ? bsim_ptx_texture_add(memory.pieces, texture) : 0;
    bsim_cuda_leave();
    return handle;
}

bool bsim_cuda_drop_texture(uint64_t handle)
{
    bsim_cuda_enter();
    bool is_known = bsim_cuda_memory() != NULL && bsim_ptx_texture_drop(memory.pieces, handle);
    bsim_cuda_leave();
    return is_known;
}

void bsim_cuda_drop_textures(const unsigned char *data)
{
    bsim_cuda_enter();
    if (memory.pieces != NULL) {
        bsim_ptx_texture_drop_all(memory.pieces, data);
    }
    bsim_cuda_leave();
}
