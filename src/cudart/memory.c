/* memory.c - the device's memory: what programs allocate, and what textures see of it. */
#define _GNU_SOURCE

#include "cudart/state.h"

#include "ptx/texture.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>

enum { ALIGNMENT = 512, GAP = 4096 };
#define HEAP_START \
    UINT64_C(0x200000000000) /* free in x86-64 and AArch64 Linux programs, sanitizers and all */
#define HEAP_BYTES (UINT64_C(1) << 39) /* of addresses: none comes back */
#define NOTE_START (HEAP_START + HEAP_BYTES) /* what of cudaMalloc's arrays was written: their pieces' notes */

static struct {
    struct bsim_ptx_memory *pieces;
    uint64_t heap_used, heap_live; /* bytes ever given, bytes not freed */
    uint32_t n_arrays;             /* ever */
} memory;

struct bsim_ptx_memory *bsim_cuda_memory(void)
{
    if (memory.pieces != NULL) {
        return memory.pieces;
    }
    void *wanted = (void *)(uintptr_t)HEAP_START;
    void *heap = mmap(wanted, HEAP_BYTES + BSIM_PTX_NOTE_BYTES(HEAP_BYTES), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    memory.pieces = heap == wanted ? bsim_ptx_memory_new() : NULL;
    if (memory.pieces == NULL) {
        fputs("banksim: no room for the device's memory in this process\n", stderr);
    }
    return memory.pieces;
}

/* Of the device's alone, as no other is written behind its back. */
static unsigned char *note_of(uint64_t start, enum bsim_cuda_kind kind)
{
    uint64_t at = NOTE_START + (start - HEAP_START) / BSIM_PTX_WORD_BYTES;
    return kind == BSIM_CUDA_DEVICES ? (unsigned char *)(uintptr_t)at : NULL;
}

void *bsim_cuda_allocate(size_t size, enum bsim_cuda_kind kind)
{
    bsim_cuda_enter();
    void *p = NULL;
    uint64_t room = ((uint64_t)size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bsim_cuda_memory() != NULL && size <= BSIM_CUDA_BYTES &&
        room <= BSIM_CUDA_BYTES - memory.heap_live && room + GAP <= HEAP_BYTES - memory.heap_used) {
        uint64_t start = HEAP_START + memory.heap_used;
        struct bsim_ptx_piece piece = {.start = start,
                                       .size = size,
                                       .data = (void *)(uintptr_t)start,
                                       .written = note_of(start, kind),
                                       .is_hosts =
                                           kind == BSIM_CUDA_HOSTS || kind == BSIM_CUDA_MANAGED,
                                       .kind = (uint8_t)kind,
                                       .number = memory.n_arrays + 1};
        if (bsim_ptx_memory_add(memory.pieces, &piece, false)) {
            p = piece.data;
            memory.heap_used += room + GAP; /* what is behind it is nobody's */
            memory.heap_live += room;
            memory.n_arrays += kind != BSIM_CUDA_NOBODYS;
        }
    }
    bsim_cuda_leave();
    return p;
}

/* Gives the system back what pages are all of so many bytes. */
static void give_pages_back(uint64_t start, uint64_t size)
{
    enum { PAGE = 4096 };
    uint64_t first = (start + PAGE - 1) / PAGE * PAGE, last = (start + size) / PAGE * PAGE;
    if (first < last) {
        (void)madvise((void *)(uintptr_t)first, last - first, MADV_DONTNEED);
    }
}

/* Of what was freed, whose addresses are not used again. */
static void give_back(uint64_t start, uint64_t size)
{
    memory.heap_live -= (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    give_pages_back(start, size);
    give_pages_back(NOTE_START + (start - HEAP_START) / BSIM_PTX_WORD_BYTES,
                    size / BSIM_PTX_WORD_BYTES);
}

static bool is_in_heap(uint64_t address)
{
    return address - HEAP_START < HEAP_BYTES;
}

bool bsim_cuda_release(void *p)
{
    bsim_cuda_enter();
    uint64_t start = (uint64_t)(uintptr_t)p;
    const struct bsim_ptx_piece *piece =
        bsim_cuda_memory() != NULL ? bsim_ptx_memory_at(memory.pieces, start) : NULL;
    uint64_t size = piece != NULL ? piece->size : 0;
    bool is_known =
        piece != NULL && is_in_heap(start) && bsim_ptx_memory_release(memory.pieces, start);
    if (is_known) {
        give_back(start, size);
    }
    bsim_cuda_leave();
    return is_known;
}

void bsim_cuda_release_all(bool (*keeps)(const void *p))
{
    bsim_cuda_enter();
    const struct bsim_ptx_piece *piece;
    for (size_t i = 0; (piece = bsim_ptx_memory_item(memory.pieces, i)) != NULL; i++) {
        if (!piece->is_freed && is_in_heap(piece->start) && !keeps(piece->data)) {
            (void)bsim_cuda_release(piece->data);
        }
    }
    bsim_cuda_leave();
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
        .start = start, .size = size, .data = p, .is_hosts = true, .kind = BSIM_CUDA_HOSTS};
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

void bsim_cuda_wrote(const void *p, size_t size)
{
    bsim_cuda_enter();
    if (memory.pieces != NULL) {
        bsim_ptx_memory_wrote(memory.pieces, (uint64_t)(uintptr_t)p, size);
    }
    bsim_cuda_leave();
}

void *bsim_cuda_hand_out(const void *p)
{
    bsim_cuda_wrote(p, SIZE_MAX);
    return bsim_cuda_host_address(p);
}

/* ---- what copies may use --------------------------------------------------------------------- */

size_t bsim_cuda_span(size_t width, size_t height, size_t depth, size_t pitch, size_t slice)
{
    size_t rows, slices, span;
    if (width == 0 || height == 0 || depth == 0) {
        return 0;
    }
    return __builtin_mul_overflow(height - 1, pitch, &rows) ||
                   __builtin_mul_overflow(depth - 1, slice, &slices) ||
                   __builtin_add_overflow(rows, slices, &span) ||
                   __builtin_add_overflow(span, width, &span)
               ? SIZE_MAX
               : span;
}

enum { MAX_NAME = 120 };

static void name_piece(const struct bsim_ptx_piece *piece, char name[MAX_NAME])
{
    if (piece->name != NULL) {
        size_t length;
        const char *plain = bsim_ptx_plain_name(piece->name, &length);
        snprintf(name, MAX_NAME, "%.*s", (int)length, plain);
    } else {
        snprintf(name, MAX_NAME, "array %" PRIu32, piece->number);
    }
}

/* False after a message: of so many bytes at the address not all are the piece's, or none are any more. */
static bool holds(const char *call, const struct bsim_ptx_piece *piece, uint64_t address,
                  size_t size)
{
    uint64_t at = address - piece->start, room = at < piece->size ? piece->size - at : 0;
    char name[MAX_NAME];
    if (!piece->is_freed && size <= room) {
        return true;
    }
    name_piece(piece, name);
    fflush(stdout);
    fprintf(stderr, "banksim: %s: %zu byte%s at byte %" PRIu64 " of %s, which ", call, size,
            size == 1 ? "" : "s", at, name);
    fprintf(stderr, piece->is_freed ? "was freed\n" : "has %" PRIu64 ": %" PRIu64 " too many\n",
            piece->size, size - room);
    return false;
}

/* No piece has the address: what is told of it. */
static bool is_hosts(const char *call, uint64_t address, bool is_device)
{
    enum { NULL_PAGE = 4096 };
    bool is_null = address < NULL_PAGE;
    if (!is_null && !is_device && !is_in_heap(address)) {
        return true;
    }
    fflush(stdout);
    fprintf(stderr, "banksim: %s: %s\n", call,
            is_null                ? "a null pointer"
            : !is_in_heap(address) ? "the host's memory, where the device's is due"
                                   : "an address of the device's where no array is");
    return false;
}

bool bsim_cuda_may_use(const char *call, const void *p, size_t size, bool is_device)
{
    uint64_t address = (uint64_t)(uintptr_t)p;
    if (size == 0) {
        return true;
    }
    bsim_cuda_enter();
    const struct bsim_ptx_piece *piece =
        bsim_cuda_memory() != NULL ? bsim_ptx_memory_at(memory.pieces, address) : NULL;
    if (piece == NULL && is_in_heap(address)) {
        piece = bsim_ptx_memory_before(memory.pieces, address); /* which it is behind */
    }
    bool may =
        piece != NULL ? holds(call, piece, address, size) : is_hosts(call, address, is_device);
    bsim_cuda_leave();
    return may;
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
