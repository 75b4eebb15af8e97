/* traceg.h - the parts of the reader of Accel-Sim's .traceg text: traceg_read.c reads headers and
 * the lines that frame blocks and warps, traceg_line.c instructions, traceg_tables.c keeps what they
 * have in common: opcodes and sites; traceg_common.c, what several readers of one trace have.
 *
 * Opcodes and sites are numbered as they appear in the trace. A reader of some of its blocks that
 * meets one which is new to it looks whether another has told of it; if none has, it waits until all
 * that stands in front of its piece has been read, looks again, and if it is still new, then this is
 * its first appearance: it gets the next number, and the others are told. Blocks of a kernel run
 * much the same code, so that nobody waits behind the first ones. */
#ifndef BSIM_TRACE_TRACEG_H
#define BSIM_TRACE_TRACEG_H

#include <banksim/pieces.h>

#include "trace/lines.h"
#include "trace/rules.h"
#include "trace/sass.h"

enum {
    BSIM_TRACEG_MAX_OPCODES = 4096, /* spellings in one input; a program has some hundred */
    /* From compute capability 9.0 on, the first KiB of a block's window is the system's. */
    BSIM_TRACEG_RESERVED_FROM = 90,
    BSIM_TRACEG_RESERVED_BYTES = 1024,
};

/* An opcode as it is spelled, and how often it was passed over. */
struct bsim_traceg_opcode {
    struct bsim_sass sass;
    uint32_t number; /* 0, 1, 2, ... in order of appearance */
    uint64_t skipped;
    size_t length;
    char *text;
};

/* A static instruction: an opcode at a place in the code, in one memory space. */
struct bsim_traceg_site {
    uint64_t key;
    struct bsim_site site;
};

/* Both tables are hash tables with open addressing; all zeroes is an empty one. */
struct bsim_traceg_opcodes {
    struct bsim_traceg_opcode **slot;
    size_t n_slots;
    uint32_t n;
    struct bsim_traceg_opcode **in_order;
};

struct bsim_traceg_sites {
    struct bsim_traceg_site **slot;
    size_t n_slots;
    uint32_t n;
};

/* What the header of a kernel says. */
struct bsim_traceg_head {
    uint32_t seen;                    /* bit k: key k of traceg_read.c's table */
    struct bsim_kernel kernel;        /* its numbers */
    uint32_t binary_version;          /* compute capability times 10 */
    uint64_t shared_base, local_base; /* of the generic address space; 0: not given */
    uint32_t tracer_version;
    bool has_lines; /* each instruction begins with a source line */
};

/* A kernel of the trace: blocks of its grid, and those that have been read. */
struct bsim_traceg_launch {
    uint64_t grid, blocks;
};

/* An opcode or a site that is told to the other readers; the list only grows. */
struct bsim_traceg_found {
    _Atomic(struct bsim_traceg_found *) next;
    size_t kernel; /* of a site: 1, 2, ...; 0: an opcode */
    uint64_t key;  /* and its key and opcode */
    struct bsim_opcode opcode;
    size_t length;
    char text[]; /* ends with a NUL */
};

struct bsim_traceg_common {
    struct bsim_traceg_found
        *first; /* neither opcode nor site; NULL: no readers have a common list */
    struct bsim_traceg_found *last; /* for the reader alone whose turn it is */
};

/* A kernel launch's trace being read. */
struct bsim_traceg {
    struct bsim_lines lines;
    const struct bsim_input *input;
    const struct bsim_sink *sink;
    struct bsim_error *err;
    struct bsim_scan scan; /* the line at hand */

    bool in_head; /* between a kernel's first line and the '#' that ends its header */
    struct bsim_traceg_head head;
    char *name;
    struct bsim_kernel *kernel; /* as pushed; NULL before the first */
    struct bsim_rules rules;
    struct bsim_traceg_sites sites;
    struct bsim_traceg_launch *launches; /* so far; the last one is the kernel */
    size_t n_launches;

    bool in_block;  /* behind #BEGIN_TB */
    bool has_place; /* and behind "thread block =" */
    struct bsim_dim3 place;
    bool has_warp; /* behind a "warp =" of the block */
    bool has_count;
    uint32_t warp;
    uint64_t insts, insts_left;
    uint32_t warps_seen, warps_exited; /* bit w: warp w of the block */

    struct bsim_traceg_opcodes opcodes;
    struct bsim_event event;

    /* for the remarks */
    uint64_t n_halves;   /* LDGSTS */
    uint64_t n_released; /* barriers of ended warps */
    bool has_unknown_device;

    /* where other readers have the rest of the trace */
    struct bsim_traceg_common *common; /* NULL: there are none */
    struct bsim_traceg_found *seen;    /* up to there, the list is in the tables */
    const struct bsim_turn *turn;      /* of the piece at hand; NULL: it is */
    bool has_turn;                     /* all in front of the piece has been read */
};

/* ---- traceg_tables.c ------------------------------------------------------------------------- */

/* The entry of the spelling, or NULL. */
struct bsim_traceg_opcode *bsim_traceg_opcode_find(const struct bsim_traceg_opcodes *opcodes,
                                                   const char *text, size_t length);

/* A new entry; NULL when memory is short or there are too many. */
struct bsim_traceg_opcode *bsim_traceg_opcode_add(struct bsim_traceg_opcodes *opcodes,
                                                  const char *text, size_t length);
void bsim_traceg_opcodes_clear(struct bsim_traceg_opcodes *opcodes);

/* The site of that key, or NULL. */
const struct bsim_site *bsim_traceg_site_find(const struct bsim_traceg_sites *sites, uint64_t key);

/* A new site of that key and opcode with that text, numbered on; NULL when memory is short. */
const struct bsim_site *bsim_traceg_site_add(struct bsim_traceg_sites *sites, uint64_t key,
                                             const struct bsim_opcode *opcode, const char *text);
void bsim_traceg_sites_clear(struct bsim_traceg_sites *sites);

/* ---- traceg_common.c ------------------------------------------------------------------------- */

/* A list without an entry; false when memory is short. */
bool bsim_traceg_common_open(struct bsim_traceg_common *common);
void bsim_traceg_common_close(struct bsim_traceg_common *common);

/* Takes what others have told, in turn: what all in front of the piece has told, and nobody tells more
 * until the piece has been read. Pushes the sites. Nothing is to be learned without others. */
enum bsim_status bsim_traceg_learn(struct bsim_traceg *traceg, bool in_turn) BSIM_MUST_USE;

/* Tells the others of what is new to all, in turn: an opcode (NULL, 0), or a site of the kernel at
 * hand. False when memory is short. */
bool bsim_traceg_tell(struct bsim_traceg *traceg, const struct bsim_opcode *opcode, uint64_t key,
                      const char *text, size_t length);

/* Adds what `part` has to remark to total, which reads nothing but has learned all. False when memory
 * is short. */
bool bsim_traceg_add(struct bsim_traceg *total, const struct bsim_traceg *part);

/* One more kernel; false when memory is short. */
bool bsim_traceg_launch(struct bsim_traceg *traceg, uint64_t grid);

/* ---- traceg_line.c --------------------------------------------------------------------------- */

/* Reads an instruction of the warp at hand and pushes what it stands for. */
enum bsim_status bsim_traceg_instruction(struct bsim_traceg *traceg) BSIM_MUST_USE;

/* ---- traceg_read.c --------------------------------------------------------------------------- */

/* Hands record to the sink, and gives its failure the line's place if it has none. */
enum bsim_status bsim_traceg_push(struct bsim_traceg *traceg,
                                  struct bsim_record *record) BSIM_MUST_USE;

/* Gives *err, filled in without a place, the place `where` of the line. */
enum bsim_status bsim_traceg_place(struct bsim_traceg *traceg, const char *where,
                                   enum bsim_status status);

/* The error of an allocation that failed. */
enum bsim_status bsim_traceg_no_memory(struct bsim_traceg *traceg) BSIM_MUST_USE;

/* ---- traceg_remarks.c ------------------------------------------------------------------------- */

/* Tells the input's remark callback, if it has one, what the stream does not say. */
void bsim_traceg_remarks(const struct bsim_traceg *traceg);

#endif
