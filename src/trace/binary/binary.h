/* binary.h - the binary trace's layout and the parts of its reader: binary_read.c gives each chunk
 * of a stream to binary_decode.c. The format is described in traces/FORMAT.md; these are its
 * numbers. */
#ifndef BSIM_TRACE_BINARY_H
#define BSIM_TRACE_BINARY_H

#include <banksim/trace.h>

#include "trace/bytes.h"
#include "event/batch.h"
#include "trace/checksum.h"
#include "trace/rules.h"
#include "trace/sites.h"

enum {
    BSIM_BINARY_VERSION = 1,
    BSIM_BINARY_MAGIC_BYTES = 8,
    BSIM_BINARY_HEAD_BYTES = 64, /* of the file's head and of each chunk's */
    BSIM_BINARY_SUM_AT = 56,     /* the head's last 8 bytes: the checksum */
    BSIM_BINARY_UNIT_BYTES = 16, /* every record is a multiple of it */
    BSIM_BINARY_PAYLOAD_MAX = 1 << 18,
    BSIM_BINARY_INDEX_ENTRIES = 1024, /* in a chunk of the index */
    BSIM_BINARY_ENTRY_BYTES = 48,
    BSIM_BINARY_LAST_BYTES = 64, /* the payload of the last chunk */
};

#define BSIM_BINARY_MAGIC \
    "\x89"                \
    "BSIM\r\n\x1a"

/* A chunk's kind: four letters, as bytes in this order. */
enum bsim_chunk_kind {
    BSIM_CHUNK_DEFINITIONS = 0x53464544, /* DEFS: a kernel, sites, opcodes */
    BSIM_CHUNK_EVENTS = 0x53545645,      /* EVTS: blocks and what is in them */
    BSIM_CHUNK_INDEX = 0x58444e49,       /* INDX: where chunks stand */
    BSIM_CHUNK_LAST = 0x5453414c,        /* LAST: the totals */
};

enum {
    BSIM_CHUNK_STEPS = 1,     /* each record's line is 1 behind that of the record before */
    BSIM_CHUNK_CONTINUES = 2, /* EVTS: more of the block that the chunk before ends with */
};

/* A record's first byte. */
enum bsim_binary_kind {
    BSIM_BINARY_KERNEL = 1,
    BSIM_BINARY_SITE = 2,
    BSIM_BINARY_OPCODE = 3, /* of events without a site; not a record of the stream */
    BSIM_BINARY_BLOCK = 4,
    BSIM_BINARY_REPEAT = 5,
    BSIM_BINARY_DONE = 6,
    BSIM_BINARY_LINE = 7,       /* the next record's line; not a record of the stream */
    BSIM_BINARY_ATTRIBUTES = 8, /* of the event that follows */
    BSIM_BINARY_PLAIN = 9,      /* an event without addresses */
    BSIM_BINARY_WORK = 10,
    BSIM_BINARY_AFFINE = 11,      /* base and stride of 32 bits */
    BSIM_BINARY_LIST = 12,        /* a base of 64 bits and offsets of 32 */
    BSIM_BINARY_WIDE_AFFINE = 13, /* base and stride of 64 bits */
    BSIM_BINARY_WIDE_LIST = 14,   /* addresses of 64 bits */
    BSIM_BINARY_FROM = 15,        /* where the event that follows copies from; not a record of the
                                     stream */
    BSIM_BINARY_ASYNC = 16,       /* a wgmma or a bulk copy */
};

enum {
    BSIM_BINARY_KERNEL_BYTES = 48, /* before its strings */
    BSIM_BINARY_NAME_MASK = 0xffffff,
    BSIM_BINARY_REGISTERS_AT = 39, /* behind the name's bytes, three */
    BSIM_BINARY_SITE_BYTES = 32,
    BSIM_BINARY_WIDE_AFFINE_BYTES = 32,
    BSIM_BINARY_ASYNC_BYTES = 64,
    BSIM_BINARY_ALL_WARPS = 0xff,
};

/* The second byte of a KERNEL with shared=, of a SITE with text=; otherwise it is 0. */
enum { BSIM_BINARY_HAS_IT = 1 };

/* Sums over what stands before a chunk. */
struct bsim_binary_counts {
    uint64_t kernels, blocks, events;
};

static inline bool bsim_binary_same(const struct bsim_binary_counts *a,
                                    const struct bsim_binary_counts *b)
{
    return a->kernels == b->kernels && a->blocks == b->blocks && a->events == b->events;
}

/* A chunk's head. */
struct bsim_chunk {
    uint32_t kind;
    uint32_t payload_bytes;
    uint64_t number; /* 0, 1, 2 ... of all chunks */
    struct bsim_binary_counts before;
    uint64_t line; /* of the record before the first; LAST: of END itself */
    uint32_t flags;
};

void bsim_chunk_put(const struct bsim_chunk *chunk, unsigned char head[BSIM_BINARY_HEAD_BYTES],
                    const unsigned char *payload);
void bsim_chunk_get(const unsigned char head[BSIM_BINARY_HEAD_BYTES], struct bsim_chunk *chunk);

/* A row of the index: a chunk of definitions or events. */
struct bsim_binary_entry {
    uint64_t offset; /* of its head in the file */
    struct bsim_binary_counts before;
    uint32_t kind, payload_bytes, flags;
};

void bsim_entry_put(const struct bsim_binary_entry *entry, unsigned char *row);

/* The totals, in the last chunk. */
struct bsim_binary_totals {
    uint64_t index_offset; /* of the last chunk of the index; 0: there is none */
    struct bsim_binary_counts all;
};

void bsim_totals_put(const struct bsim_binary_totals *totals, unsigned char *payload);
void bsim_totals_get(const unsigned char *payload, struct bsim_binary_totals *totals);

/* What the events of an instruction are held against. */
struct bsim_binary_rule {
    struct bsim_window window; /* empty too for what is no access */
    uint32_t rows;             /* of a matrix form: the lanes whose addresses it has; else 0 */
    uint32_t mask_from;        /* a mask is from here on, */
    uint32_t mask_room;        /* by so much at most */
    bool is_access, is_barrier;
    bool is_masked; /* has a mask and no addresses: an exchange, a barrier of a warp, a fence */
};

/* A binary trace being decoded. All zeroes but sink, err and name is its start. */
struct bsim_binary {
    const struct bsim_sink *sink;
    enum bsim_status status; /* of the first failure: nothing is pushed after it */
    struct bsim_error *err;
    const char *name; /* of the input */

    struct bsim_kernel *kernel;
    struct bsim_sites sites;
    struct bsim_instr *instr; /* that events can name, and each one's rule */
    struct bsim_binary_rule *rule;
    uint32_t n_instrs;
    struct bsim_rules rules;
    struct bsim_binary_counts counts; /* decoded so far */

    struct bsim_chunk chunk; /* at hand */
    const unsigned char *payload;
    uint64_t offset; /* of its head in the input */
    uint64_t line;   /* of the record before */
    uint64_t step;

    bool has_attributes;
    uint32_t instr_high; /* bits 16 to 31 of the event's instruction */
    struct bsim_event event;
    struct bsim_from from; /* event.from is it, or NULL */
    uint32_t from_mask;
    struct bsim_async async; /* event.async is it, or NULL */
};

/* Writes the record of a wgmma or a bulk copy but for its warp and instruction, into zeroes; returns its
 * bytes. */
size_t bsim_binary_put_async(const struct bsim_event *event, unsigned char *record);

/* Each fails as binary->status does: what it sets after a failure means nothing. */

/* Checks the file's head. Fails for a wrong magic, a newer version, a wrong checksum. */
void bsim_binary_head(struct bsim_binary *binary, const unsigned char head[BSIM_BINARY_HEAD_BYTES]);

/* Takes a chunk's head, at `offset`, into binary->chunk. Fails for one whose payload would be too
 * large. */
void bsim_binary_chunk(struct bsim_binary *binary, uint64_t offset,
                       const unsigned char head[BSIM_BINARY_HEAD_BYTES]);

/* Checks the sum of the chunk at hand. */
void bsim_binary_sum(struct bsim_binary *binary, const unsigned char head[BSIM_BINARY_HEAD_BYTES],
                     const unsigned char *payload);

/* Decodes a chunk of definitions or events, whose sum has been checked, and pushes its records. */
void bsim_binary_decode(struct bsim_binary *binary);

/* The end of the stream: closes the last block and pushes END, of the chunk at hand. */
void bsim_binary_end(struct bsim_binary *binary);

/* A block begins in the chunk at `offset`, which is another's to read: closes the last one. */
void bsim_binary_seam(struct bsim_binary *binary, uint64_t offset);

/* The error for a chunk that does not follow on what is before it. */
void bsim_binary_missing(struct bsim_binary *binary, uint64_t offset);

/* An error at a byte of the input. */
void bsim_binary_error(struct bsim_binary *binary, uint64_t offset, const char *format, ...)
    BSIM_PRINTF(3, 4);

/* Frees what the decoder holds. */
void bsim_binary_clear(struct bsim_binary *binary);

#endif
