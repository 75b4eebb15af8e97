/* tape.h - what a launch tells the stream, in short form until it is pushed.
 *
 *     marks    block (0,0)        site 1    site 2           block (1,0)
 *     units    | (nothing)        | ld      | st  ld  st ...  | ld  st ...
 *
 * Events are packed as batches have them (event/batch.h), their instruction is the site's number less
 * one. Between them marks say where blocks begin and where a site is met for the first time on this
 * tape; what does not fit into a packed event stands whole in its mark. So a tape can be filled by
 * whoever runs a block and pushed later, in the order of blocks.
 */
#ifndef BSIM_PTX_TAPE_H
#define BSIM_PTX_TAPE_H

#include <banksim/event.h>

#include "event/batch.h"

struct bsim_ptx_mark;
struct bsim_ptx_program;
struct bsim_ptx_findings;

/* How far a launch's stream has come. */
struct bsim_ptx_stream {
    const struct bsim_sink *sink;
    struct bsim_site *site;   /* the program's; one that has not been pushed has no index */
    struct bsim_instr *instr; /* of each site; the last one is a block's barrier */
    uint32_t n_sites, n_pushed;
    struct bsim_ptx_findings *findings; /* or NULL: nobody wants any */
};

/* Sites and instructions of the program; bsim_ptx_stream_close is due in any case. False when memory
 * is short. */
bool bsim_ptx_stream_open(struct bsim_ptx_stream *stream, const struct bsim_ptx_program *program,
                          const struct bsim_sink *sink);
void bsim_ptx_stream_close(struct bsim_ptx_stream *stream);

struct bsim_ptx_tape {
    const struct bsim_ptx_stream *stream;
    struct bsim_packed *unit;
    size_t n, room; /* of units */
    uint32_t n_events;
    struct bsim_ptx_mark *mark;
    size_t n_marks, mark_room;
    uint8_t *has_site; /* by number less one */
    bool failed;       /* memory was short */
};

/* All zeroes before; bsim_ptx_tape_close is due in any case. False when memory is short. */
bool bsim_ptx_tape_open(struct bsim_ptx_tape *tape, const struct bsim_ptx_stream *stream);
void bsim_ptx_tape_close(struct bsim_ptx_tape *tape);

/* Empties it. */
void bsim_ptx_tape_clear(struct bsim_ptx_tape *tape);

size_t bsim_ptx_tape_bytes(const struct bsim_ptx_tape *tape);

/* A block begins. */
void bsim_ptx_tape_block(struct bsim_ptx_tape *tape, struct bsim_dim3 place);

/* Adds the event, which has `affine` set where its addresses are on a line, at the site of that
 * number; 0: a barrier of the block, or what has no site. */
void bsim_ptx_tape_event(struct bsim_ptx_tape *tape, const struct bsim_event *event,
                         uint32_t number);

/* What has this number among the stream's findings was found once more. */
void bsim_ptx_tape_found(struct bsim_ptx_tape *tape, uint32_t number);

/* Pushes all that is on the tape, and empties it. */
enum bsim_status bsim_ptx_tape_play(struct bsim_ptx_tape *tape, struct bsim_ptx_stream *stream,
                                    struct bsim_error *err) BSIM_MUST_USE;

#endif
