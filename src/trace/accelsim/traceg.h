/* traceg.h - the parts of the reader of Accel-Sim's .traceg text: traceg_read.c reads headers and
 * the lines that frame blocks and warps, traceg_line.c instructions, traceg_sites.c numbers them by
 * where they stand in the code, traceg_opcodes.c takes each opcode apart once, and traceg_remarks.c
 * tells what the stream does not say. */
#ifndef BSIM_TRACE_TRACEG_H
#define BSIM_TRACE_TRACEG_H

#include "trace/lines.h"
#include "trace/rules.h"
#include "trace/accelsim/sass.h"
#include "trace/sites.h"

enum {
    /* From compute capability 9.0 on, the first KiB of a block's window is the system's. */
    BSIM_TRACEG_RESERVED_FROM = 90,
    BSIM_TRACEG_RESERVED_BYTES = 1024,
};

/* An opcode as it is spelled, and how often it was passed over. */
struct bsim_traceg_opcode {
    struct bsim_sass sass;
    uint32_t hash; /* of the spelling */
    uint64_t line; /* of its first appearance that the reader has met */
    uint64_t skipped;
    size_t length;
    char *text;
};

/* All zeroes is an empty one. */
struct bsim_traceg_opcodes {
    struct bsim_table table; /* of their spellings */
    struct bsim_traceg_opcode **list;
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

/* A kernel launch's trace being read. */
struct bsim_traceg {
    struct bsim_lines lines;
    const struct bsim_input *input;
    const struct bsim_sink *sink;
    struct bsim_scan scan; /* the line at hand, and the first failure */

    bool in_head; /* between a kernel's first line and the '#' that ends its header */
    struct bsim_traceg_head head;
    char *name;
    struct bsim_kernel *kernel; /* as pushed; NULL before the first */
    struct bsim_rules rules;
    struct bsim_sites sites;
    struct bsim_traceg_launch *launches; /* so far; the last one is the kernel */
    size_t n_launches;

    bool lacks_block; /* a header, and no #BEGIN_TB behind it so far */
    bool in_block;    /* behind #BEGIN_TB */
    bool has_place;   /* and behind "thread block =" */
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
};

/* ---- traceg_opcodes.c ------------------------------------------------------------------------ */

/* The entry of the spelling, made if it is new, in `line`; NULL when memory is short. */
struct bsim_traceg_opcode *bsim_traceg_opcode(struct bsim_traceg_opcodes *opcodes, const char *text,
                                              size_t length, uint64_t line);
void bsim_traceg_opcodes_clear(struct bsim_traceg_opcodes *opcodes);

/* ---- traceg_sites.c -------------------------------------------------------------------------- */

/* Sets the site of traceg->event: of the instruction `opcode` at pc, of that line of the source.
 * Pushes it if it is new. */
void bsim_traceg_site(struct bsim_traceg *traceg, uint32_t pc,
                      const struct bsim_traceg_opcode *opcode, uint64_t line);

/* ---- traceg_line.c --------------------------------------------------------------------------- */

/* Reads an instruction of the warp at hand and pushes what it stands for. Like all that reads, it
 * fails as traceg->scan does. */
void bsim_traceg_instruction(struct bsim_traceg *traceg);

/* ---- traceg_read.c --------------------------------------------------------------------------- */

/* Hands record to the sink, unless something has failed, and gives its failure the line's place if
 * it has none. */
void bsim_traceg_push(struct bsim_traceg *traceg, struct bsim_record *record);

/* ---- traceg_remarks.c ------------------------------------------------------------------------ */

/* One more kernel; false when memory is short. */
bool bsim_traceg_launch(struct bsim_traceg *traceg, uint64_t grid);

/* The format's add and remark. */
bool bsim_traceg_add(void *to, const void *from);
void bsim_traceg_remarks(void *reader, bool is_whole);

#endif
