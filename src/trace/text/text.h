/* text.h - the text reader's parts: text_read.c reads the records that shape the stream and calls
 * text_head.c for kernels and sites, text_event.c for events. */
#ifndef BSIM_TRACE_TEXT_H
#define BSIM_TRACE_TEXT_H

#include "trace/lines.h"
#include "trace/rules.h"
#include "trace/sites.h"

enum { BSIM_OPCODES_KEPT = 64 }; /* spellings that need no second parsing; a power of two */

struct bsim_kept_opcode {
    size_t length; /* 0: empty */
    char name[BSIM_OPCODE_NAME_SIZE];
    struct bsim_opcode opcode;
};

/* A text trace being read. */
struct bsim_text {
    struct bsim_lines lines;
    const struct bsim_sink *sink;
    struct bsim_error *err;
    struct bsim_scan scan; /* the record at hand */
    struct bsim_word word; /* its first word */
    bool has_version;
    bool has_end;
    uint64_t end_line; /* where `end` stands */
    uint32_t end_column;

    struct bsim_kernel *kernel; /* with its strings in one piece of memory; NULL before the first */
    struct bsim_sites sites;
    struct bsim_rules rules;

    struct bsim_event event;
    struct bsim_kept_opcode kept[BSIM_OPCODES_KEPT];
};

/* The records whose first word has been read. Each pushes what it reads. */
enum bsim_status bsim_text_kernel(struct bsim_text *text) BSIM_MUST_USE;
enum bsim_status bsim_text_site(struct bsim_text *text) BSIM_MUST_USE;
enum bsim_status bsim_text_event(struct bsim_text *text) BSIM_MUST_USE;

/* Reads and pushes the line at hand if it is an event in the usual form and without a fault, and
 * sets *status to what the sink answers. False, and nothing but text->event changed, if it is not. */
bool bsim_text_fast_event(struct bsim_text *text, enum bsim_status *status);

/* The opcode of that spelling if an event had it before and it was kept, or NULL. */
const struct bsim_opcode *bsim_text_kept_opcode(const struct bsim_text *text, const char *name,
                                                size_t length);

/* Reads an opcode's word. */
enum bsim_status bsim_text_opcode(struct bsim_text *text, const struct bsim_word *word,
                                  struct bsim_opcode *opcode) BSIM_MUST_USE;

/* Reads K[:L] from word: instructions, `least` or more, and cycles. */
enum bsim_status bsim_text_work(struct bsim_text *text, const struct bsim_word *word,
                                uint32_t least, uint32_t *count, uint32_t *cycles) BSIM_MUST_USE;

/* Reads X[,Y[,Z]] from word: each coordinate from `least` to that of *most, `least` if left out;
 * `what` names a coordinate with its article. */
enum bsim_status bsim_text_dim3(struct bsim_text *text, const struct bsim_word *word,
                                const char *what, uint32_t least, const struct bsim_dim3 *most,
                                struct bsim_dim3 *dim) BSIM_MUST_USE;

/* The error for a word that is none of known[0..n), with the nearest of them; `what` as in
 * "unknown WHAT 'word'", `list` names them all. */
enum bsim_status bsim_text_unknown(struct bsim_text *text, const struct bsim_word *word,
                                   const char *what, const char *const *known, size_t n,
                                   const char *list) BSIM_MUST_USE;

/* The index of the pair's key in known[0..n), whose bit in *seen is then set. Fails for a key that
 * is not there or has been seen, and for a quoted value of any key but "text". */
enum bsim_status bsim_text_key(struct bsim_text *text, const struct bsim_pair *pair,
                               const char *const *known, size_t n, const char *list, uint32_t *seen,
                               size_t *which) BSIM_MUST_USE;

/* Ends the block at hand, if there is one: its repeats must be closed and its barriers reached. */
enum bsim_status bsim_text_close_block(struct bsim_text *text) BSIM_MUST_USE;

/* Gives an error of rules.h, whose status it returns, the place `where` of the line. */
enum bsim_status bsim_text_place(struct bsim_text *text, const char *where,
                                 enum bsim_status status) BSIM_MUST_USE;

/* Hands record to the sink, and gives its failure the record's place if it has none. */
enum bsim_status bsim_text_push(struct bsim_text *text, struct bsim_record *record) BSIM_MUST_USE;

/* The error of an allocation that failed. */
enum bsim_status bsim_text_no_memory(struct bsim_text *text) BSIM_MUST_USE;

#endif
