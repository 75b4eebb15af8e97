/* memory.c - the pieces of a device's memory, sorted by address. */
#include "ptx/memory.h"

#include "base/memory.h"
#include "ptx/texture.h"

#include <string.h>

struct entry {
    struct bsim_ptx_piece piece;
    bool owns;
    uint64_t n_written; /* of what is noted, from the first on, was written when somebody looked */
};

struct bsim_ptx_memory {
    struct entry *entry;
    size_t n;
    uint64_t heap_bytes;              /* of pieces in use that kernels allocated */
    struct bsim_ptx_texture *texture; /* the handle of the first is 1; of one that is gone data is NULL */
    size_t n_textures;
};

struct bsim_ptx_memory *bsim_ptx_memory_new(void)
{
    return bsim_mem_zeroed(1, sizeof(struct bsim_ptx_memory));
}

void bsim_ptx_memory_free(struct bsim_ptx_memory *memory)
{
    if (memory == NULL) {
        return;
    }
    for (size_t i = 0; i < memory->n; i++) {
        if (memory->entry[i].owns) {
            bsim_mem_free(memory->entry[i].piece.data);
        }
    }
    bsim_mem_free(memory->entry);
    bsim_mem_free(memory->texture);
    bsim_mem_free(memory);
}

/* It is in use no more. */
static void retire(struct bsim_ptx_memory *memory, const struct bsim_ptx_piece *piece)
{
    memory->heap_bytes -= piece->is_kernels && !piece->is_freed ? piece->size : 0;
}

/* How many pieces begin at or before the address. */
static size_t count_before(const struct bsim_ptx_memory *memory, uint64_t address)
{
    size_t low = 0, high = memory->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memory->entry[middle].piece.start <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool bsim_ptx_memory_add(struct bsim_ptx_memory *memory, const struct bsim_ptx_piece *piece,
                         bool owns)
{
    struct entry *grown = bsim_mem_grow(memory->entry, memory->n, sizeof *grown);
    if (grown == NULL) {
        if (owns) {
            bsim_mem_free(piece->data);
        }
        return false;
    }
    memory->entry = grown;
    size_t at = count_before(memory, piece->start);
    memmove(grown + at + 1, grown + at, (memory->n - at) * sizeof *grown);
    grown[at] = (struct entry){.piece = *piece, .owns = owns};
    memory->n++;
    memory->heap_bytes += piece->is_kernels ? piece->size : 0;
    return true;
}

const struct bsim_ptx_piece *bsim_ptx_memory_at(const struct bsim_ptx_memory *memory,
                                                uint64_t address)
{
    size_t n = count_before(memory, address);
    if (n == 0) {
        return NULL;
    }
    const struct bsim_ptx_piece *piece = &memory->entry[n - 1].piece;
    return address - piece->start < piece->size ? piece : NULL;
}

const struct bsim_ptx_piece *bsim_ptx_memory_before(const struct bsim_ptx_memory *memory,
                                                    uint64_t address)
{
    size_t n = count_before(memory, address);
    const struct bsim_ptx_piece *piece = n > 0 ? &memory->entry[n - 1].piece : NULL;
    return piece != NULL && !piece->is_freed ? piece : NULL;
}

const struct bsim_ptx_piece *bsim_ptx_memory_behind(const struct bsim_ptx_memory *memory,
                                                    uint64_t address)
{
    size_t n = count_before(memory, address);
    const struct bsim_ptx_piece *piece = n < memory->n ? &memory->entry[n].piece : NULL;
    return piece != NULL && !piece->is_freed ? piece : NULL;
}

const struct bsim_ptx_piece *bsim_ptx_memory_item(const struct bsim_ptx_memory *memory, size_t i)
{
    return i < memory->n ? &memory->entry[i].piece : NULL;
}

bool bsim_ptx_memory_release(struct bsim_ptx_memory *memory, uint64_t start)
{
    size_t n = count_before(memory, start);
    struct bsim_ptx_piece *piece = n > 0 ? &memory->entry[n - 1].piece : NULL;
    if (piece == NULL || piece->start != start || piece->is_freed) {
        return false;
    }
    retire(memory, piece);
    piece->is_freed = true;
    return true;
}

bool bsim_ptx_memory_forget(struct bsim_ptx_memory *memory, uint64_t start)
{
    size_t n = count_before(memory, start);
    if (n == 0 || memory->entry[n - 1].piece.start != start) {
        return false;
    }
    retire(memory, &memory->entry[n - 1].piece);
    if (memory->entry[n - 1].owns) {
        bsim_mem_free(memory->entry[n - 1].piece.data);
    }
    memmove(memory->entry + n - 1, memory->entry + n, (memory->n - n) * sizeof *memory->entry);
    memory->n--;
    return true;
}

/* ---- what was written ------------------------------------------------------------------------ */

void bsim_ptx_memory_wrote(struct bsim_ptx_memory *memory, uint64_t address, uint64_t bytes)
{
    size_t n = count_before(memory, address);
    struct bsim_ptx_piece *piece = n > 0 ? &memory->entry[n - 1].piece : NULL;
    if (piece == NULL || piece->written == NULL || address - piece->start >= piece->size) {
        return;
    }
    if (bytes >= piece->size) {
        piece->written = NULL;
    } else {
        bsim_ptx_piece_wrote(piece, address - piece->start, bytes);
    }
}

static void settle(struct entry *entry)
{
    uint64_t n = BSIM_PTX_NOTE_BYTES(entry->piece.size), from = entry->n_written;
    const unsigned char *written = entry->piece.written;
    const unsigned char *hole = memchr(written + from, 0, n - from);
    entry->n_written = hole != NULL ? (uint64_t)(hole - written) : n;
    entry->piece.written = hole != NULL ? entry->piece.written : NULL;
}

void bsim_ptx_memory_settle(struct bsim_ptx_memory *memory, bool all)
{
    for (size_t i = 0; i < memory->n; i++) {
        struct entry *entry = &memory->entry[i];
        if (entry->piece.written != NULL && !all && !entry->piece.is_freed) {
            settle(entry);
        } else {
            entry->piece.written = NULL;
        }
    }
}

uint64_t bsim_ptx_memory_end(const struct bsim_ptx_memory *memory, uint64_t least)
{
    uint64_t end = 0;
    if (memory->n > 0) {
        const struct bsim_ptx_piece *last = &memory->entry[memory->n - 1].piece;
        end = last->start + last->size;
    }
    return end > least ? end : least;
}

/* ---- copies ---------------------------------------------------------------------------------- */

uint64_t bsim_ptx_memory_heap(const struct bsim_ptx_memory *memory)
{
    return memory->heap_bytes;
}

uint64_t bsim_ptx_memory_bytes(const struct bsim_ptx_memory *memory)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < memory->n; i++) {
        bytes += memory->entry[i].piece.is_freed ? 0 : memory->entry[i].piece.size;
    }
    return bytes;
}

void bsim_ptx_copy_free(struct bsim_ptx_copy *copy)
{
    bsim_mem_free(copy->piece);
    bsim_mem_free(copy->data);
    *copy = (struct bsim_ptx_copy){.n = 0};
}

bool bsim_ptx_memory_copy(const struct bsim_ptx_memory *memory, struct bsim_ptx_copy *copy)
{
    bsim_ptx_copy_free(copy);
    copy->piece = bsim_mem_resize(NULL, memory->n + 1, 2 * sizeof *copy->piece);
    copy->data = bsim_mem_resize(NULL, bsim_ptx_memory_bytes(memory) + 1, 1);
    if (copy->piece == NULL || copy->data == NULL) {
        bsim_ptx_copy_free(copy);
        return false;
    }
    unsigned char *to = copy->data;
    for (size_t i = 0; i < memory->n; i++) {
        const struct bsim_ptx_piece *piece = &memory->entry[i].piece;
        if (!piece->is_freed) {
            copy->piece[2 * copy->n] = piece->start;
            copy->piece[2 * copy->n++ + 1] = piece->size;
            memcpy(to, piece->data, piece->size);
            to += piece->size;
        }
    }
    return true;
}

bool bsim_ptx_memory_is(const struct bsim_ptx_memory *memory, const struct bsim_ptx_copy *copy)
{
    const unsigned char *data = copy->data;
    size_t n = 0;
    for (size_t i = 0; i < memory->n; i++) {
        const struct bsim_ptx_piece *piece = &memory->entry[i].piece;
        if (piece->is_freed) {
            continue;
        }
        if (n == copy->n || copy->piece[2 * n] != piece->start ||
            copy->piece[2 * n + 1] != piece->size || memcmp(data, piece->data, piece->size) != 0) {
            return false;
        }
        data += piece->size;
        n++;
    }
    return n == copy->n && copy->data != NULL;
}

/* ---- textures -------------------------------------------------------------------------------- */

uint64_t bsim_ptx_texture_add(struct bsim_ptx_memory *memory, const struct bsim_ptx_texture *texture)
{
    struct bsim_ptx_texture *grown =
        bsim_mem_grow(memory->texture, memory->n_textures, sizeof *grown);
    if (grown == NULL) {
        return 0;
    }
    memory->texture = grown;
    grown[memory->n_textures++] = *texture;
    return memory->n_textures;
}

const struct bsim_ptx_texture *bsim_ptx_texture_at(const struct bsim_ptx_memory *memory,
                                                   uint64_t handle)
{
    bool is_there = handle != 0 && handle <= memory->n_textures;
    const struct bsim_ptx_texture *texture = is_there ? &memory->texture[handle - 1] : NULL;
    return texture != NULL && texture->data != NULL ? texture : NULL;
}

bool bsim_ptx_texture_drop(struct bsim_ptx_memory *memory, uint64_t handle)
{
    if (bsim_ptx_texture_at(memory, handle) == NULL) {
        return false;
    }
    memory->texture[handle - 1].data = NULL;
    return true;
}

void bsim_ptx_texture_drop_all(struct bsim_ptx_memory *memory, const unsigned char *data)
{
    for (size_t i = 0; i < memory->n_textures; i++) {
        if (memory->texture[i].data == data) {
            memory->texture[i].data = NULL;
        }
    }
}
