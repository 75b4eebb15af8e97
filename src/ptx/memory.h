/* memory.h - global and constant memory of a device: what was allocated, and what it holds.
 *
 * Addresses are the ones that traces show. A piece of memory belongs to the host program or to a
 * module; what is freed is remembered, so that its use can be told from a stray address.
 */
#ifndef BSIM_PTX_MEMORY_H
#define BSIM_PTX_MEMORY_H

#include <banksim/status.h>

#include <stdbool.h>
#include <string.h>

struct bsim_ptx_memory;

struct bsim_ptx_piece {
    uint64_t start, size;
    unsigned char *data;
    unsigned char *written; /* of each word of 4 bytes: 1 if somebody wrote there; NULL: all is written, or who
                               writes it is not known. Borrowed */
    const char *name; /* for messages, or NULL; borrowed */
    bool is_constant, is_freed;
    bool is_kernels; /* a kernel allocated it */
    bool is_hosts;   /* the program that launches may write it meanwhile, on a GPU */
    uint8_t kind;    /* the owner's own, as is */
    uint32_t number; /* this one */
};

/* NULL when memory is short. */
struct bsim_ptx_memory *bsim_ptx_memory_new(void);

/* Frees it with what it owns; NULL is fine. */
void bsim_ptx_memory_free(struct bsim_ptx_memory *memory);

/* Adds a piece, whose data the memory owns from here on if `owns`. It overlaps no other. False when
 * memory is short (an owned piece's data is then freed). */
bool bsim_ptx_memory_add(struct bsim_ptx_memory *memory, const struct bsim_ptx_piece *piece,
                         bool owns);

/* The piece that begins at the address is freed: it stays known, as freed. False if none that is in
 * use begins there. */
bool bsim_ptx_memory_release(struct bsim_ptx_memory *memory, uint64_t start);

/* The piece that begins at the address is taken out: its addresses may come back as another's. False if
 * none begins there. */
bool bsim_ptx_memory_forget(struct bsim_ptx_memory *memory, uint64_t start);

/* Bytes that are noted of so many. */
#define BSIM_PTX_WORD_BYTES 4u
#define BSIM_PTX_NOTE_BYTES(bytes) (((bytes) + BSIM_PTX_WORD_BYTES - 1) / BSIM_PTX_WORD_BYTES)

/* The host has written so many bytes there. */
void bsim_ptx_memory_wrote(struct bsim_ptx_memory *memory, uint64_t address, uint64_t bytes);

/* Nothing is noted any more of pieces that are written all over; of any, if `all`. While no launch runs. */
void bsim_ptx_memory_settle(struct bsim_ptx_memory *memory, bool all);

/* Notes that the piece's bytes from `offset` on are written; whether all of them were. */
static inline void bsim_ptx_piece_wrote(const struct bsim_ptx_piece *piece, uint64_t offset,
                                        uint64_t bytes)
{
    uint64_t first = offset / BSIM_PTX_WORD_BYTES;
    memset(piece->written + first, 1, BSIM_PTX_NOTE_BYTES(offset + bytes) - first);
}

static inline bool bsim_ptx_piece_is_written(const struct bsim_ptx_piece *piece, uint64_t offset,
                                             uint64_t bytes)
{
    uint64_t first = offset / BSIM_PTX_WORD_BYTES;
    return memchr(piece->written + first, 0, BSIM_PTX_NOTE_BYTES(offset + bytes) - first) == NULL;
}

/* The first address that no piece reaches, but at least `least`. */
uint64_t bsim_ptx_memory_end(const struct bsim_ptx_memory *memory, uint64_t least);

/* The last piece that begins at or before the address, the first that begins behind it; NULL if that one
 * was freed, or there is none. */
const struct bsim_ptx_piece *bsim_ptx_memory_before(const struct bsim_ptx_memory *memory,
                                                    uint64_t address);
const struct bsim_ptx_piece *bsim_ptx_memory_behind(const struct bsim_ptx_memory *memory,
                                                    uint64_t address);

/* The pieces by their addresses, freed ones, too; NULL behind the last. */
const struct bsim_ptx_piece *bsim_ptx_memory_item(const struct bsim_ptx_memory *memory, size_t i);

/* What pieces in use held at one time. */
struct bsim_ptx_copy {
    uint64_t *piece; /* where each begins, and its size */
    size_t n;
    unsigned char *data; /* of all, one behind the other */
};

/* Bytes of the pieces in use that kernels allocated. */
uint64_t bsim_ptx_memory_heap(const struct bsim_ptx_memory *memory);

/* Bytes of all pieces in use. */
uint64_t bsim_ptx_memory_bytes(const struct bsim_ptx_memory *memory);

/* Copies them; what the copy held is gone. False when memory is short: it then holds nothing. */
bool bsim_ptx_memory_copy(const struct bsim_ptx_memory *memory, struct bsim_ptx_copy *copy);

/* Whether the pieces in use, and all of their bytes, are those of the copy. */
bool bsim_ptx_memory_is(const struct bsim_ptx_memory *memory, const struct bsim_ptx_copy *copy);

void bsim_ptx_copy_free(struct bsim_ptx_copy *copy);

/* The piece that the address lies in, freed or not, or NULL. */
const struct bsim_ptx_piece *bsim_ptx_memory_at(const struct bsim_ptx_memory *memory,
                                                uint64_t address);

#endif
