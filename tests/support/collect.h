/* collect.h - a sink that keeps a stream, one item per record, each with a line of text to compare:
 *
 *     kernel NAME grid=X,Y,Z block=X,Y,Z shared=BYTES
 *     site N OPCODE TEXT
 *     block X,Y,Z
 *     wN @SITE OPCODE MASK ADDRESSES     B+S or B-S, or a,b,c for the active lanes; an address in
 *     w* bar.sync                        array i of the launch as A:OFFSET, A = i + 1
 *     wN @SITE OPCODE ffffffff SIDES start=BYTE from=ADDRESS [arrive=T]      a copy by TMA
 *     wN work COUNT:CYCLES
 *     repeat TURNS COUNT:CYCLES
 *     done
 *     end
 *
 * It can be told to refuse a record. */
#ifndef COLLECT_H
#define COLLECT_H

#include <banksim/event.h>

#include <stdbool.h>

enum { COLLECT_TEXT_SIZE = 640 };

struct collect_item {
    enum bsim_record_kind kind;
    struct bsim_event event; /* of an event; its site pointer is NULL */
    uint32_t number;         /* of a site, or of an event's site; 0: none */
    uint32_t line;           /* of a site */
    char file[64];           /* of a site: its last 63 bytes */
    char text[COLLECT_TEXT_SIZE];
};

struct collect {
    size_t n, capacity;
    struct collect_item *item;
    bool is_brief; /* keeps nothing but the last record's kind, in item[0]: for streams of millions */
    size_t refuse; /* the number of the record, from 1, that is refused with BSIM_E_IO; 0: none */
    size_t n_after_refusal; /* records that came nevertheless */
};

/* A sink into *collect, which starts zeroed and is freed by collect_free. */
struct bsim_sink collect_sink(struct collect *collect);
void collect_free(struct collect *collect);

/* NULL if the items' texts are those lines; else what differs, in out. */
const char *collect_difference(const struct collect *collect, const char *const *line,
                               size_t n_lines, char *out, size_t size);

/* The events at site `number`. */
size_t collect_count(const struct collect *collect, uint32_t number);

/* The index-th event at site `number`, from 0, or NULL. */
const struct bsim_event *collect_event(const struct collect *collect, uint32_t number,
                                       size_t index);

/* The last event of the family, or NULL. */
const struct bsim_event *collect_last(const struct collect *collect, enum bsim_family family);

#endif
