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
    struct bsim_scan scan; /* the record at hand, and the first failure */
    struct bsim_word word; /* its first word */
    bool has_version;
    bool has_end;
    uint64_t end_line; /* where `end` stands */
    uint32_t end_column;

    struct bsim_kernel *kernel; /* with its strings in one piece of memory; NULL before the first */
    struct bsim_sites sites;
    struct bsim_rules rules;

    struct bsim_event event;
    struct bsim_from from; /* of an event that has one */
    struct bsim_async async;
    struct bsim_kept_opcode kept[BSIM_OPCODES_KEPT];
};

/* Each fails as text->scan does: what it sets after a failure means nothing. */

/* The records whose first word has been read. Each pushes what it reads. */
void bsim_text_kernel(struct bsim_text *text);
void bsim_text_site(struct bsim_text *text);
void bsim_text_event(struct bsim_text *text);

/* Reads and pushes the line at hand if it is an event in the usual form and without a fault. False,
 * and nothing but text->event changed, if it is not. */
bool bsim_text_fast_event(struct bsim_text *text);

/* The opcode of that spelling if an event had it before and it was kept, or NULL. */
const struct bsim_opcode *bsim_text_kept_opcode(const struct bsim_text *text, const char *name,
                                                size_t length);

/* What follows the opcode of a wgmma or a bulk copy, attributes too; see text_async.c. */
void bsim_text_async(struct bsim_text *text, const struct bsim_word *opcode);

/* The same, written, but for the attributes. */
void bsim_text_put_async(struct bsim_buffer *out, const struct bsim_event *event);

/* Reads an opcode's word. */
void bsim_text_opcode(struct bsim_text *text, const struct bsim_word *word,
                      struct bsim_opcode *opcode);

/* Reads K[:L] from word: instructions, `least` or more, and cycles. */
void bsim_text_work(struct bsim_text *text, const struct bsim_word *word, uint32_t least,
                    uint32_t *count, uint32_t *cycles);

/* Reads X[,Y[,Z]] from word: each coordinate from `least` to that of *most, `least` if left out;
 * `what` names a coordinate with its article. */
struct bsim_dim3 bsim_text_dim3(struct bsim_text *text, const struct bsim_word *word,
                                const char *what, uint32_t least, const struct bsim_dim3 *most);

/* The error for a word that is none of known[0..n), with the nearest of them; `what` as in
 * "unknown WHAT 'word'", `list` names them all. */
void bsim_text_unknown(struct bsim_text *text, const struct bsim_word *word, const char *what,
                       const char *const *known, size_t n, const char *list);

/* The index of the pair's key in known[0..n), whose bit in *seen is then set; n after a failure:
 * for a key that is not there or has been seen, and for a quoted value of any key but "text". */
size_t bsim_text_key(struct bsim_text *text, const struct bsim_pair *pair, const char *const *known,
                     size_t n, const char *list, uint32_t *seen);

/* Ends the block at hand, if there is one: its repeats must be closed and its barriers reached. */
void bsim_text_close_block(struct bsim_text *text);

/* Fails for a record of that kind if it may not stand here. */
void bsim_text_may(struct bsim_text *text, enum bsim_record_kind kind);

/* Hands record to the sink, unless something has failed, and gives its failure the record's place
 * if it has none. */
void bsim_text_push(struct bsim_text *text, struct bsim_record *record);

#endif
