/* binary_decode.h - what the parts of the binary trace's decoder share: binary_decode.c has it, and
 * binary_define.c, binary_event.c and binary_batch.c take the records. */
#ifndef BSIM_TRACE_BINARY_DECODE_H
#define BSIM_TRACE_BINARY_DECODE_H

#include "trace/binary/binary.h"

/* An error at a record of the chunk at hand. */
enum bsim_status bsim_binary_malformed(struct bsim_binary *binary, const unsigned char *record,
                                       const char *what);

/* Gives an error of rules.h, whose status it returns, its place, unless it has one. */
enum bsim_status bsim_binary_place(struct bsim_binary *binary, const unsigned char *record,
                                   enum bsim_status status);

enum bsim_status bsim_binary_no_memory(struct bsim_binary *binary);

/* Hands a record to the sink; its failure stands at the line that the record was packed from. */
enum bsim_status bsim_binary_push(struct bsim_binary *binary, struct bsim_record *record);

/* Closes the block at hand, if there is one, in front of the record. */
enum bsim_status bsim_binary_close_block(struct bsim_binary *binary, const unsigned char *record);

/* Takes a LINE record, which may stand anywhere. */
enum bsim_status bsim_binary_line(struct bsim_binary *binary, const unsigned char *record);

/* Take the records of the chunk at hand, which ends at `end`. */
enum bsim_status bsim_binary_definitions(struct bsim_binary *binary, const unsigned char *end);
enum bsim_status bsim_binary_events(struct bsim_binary *binary, const unsigned char *end);

/* Pushes the accesses at *p as a batch, as many as are plainly right, and moves *p behind them. */
enum bsim_status bsim_binary_batch(struct bsim_binary *binary, const unsigned char **p,
                                   const unsigned char *end);

static inline struct bsim_dim3 bsim_get_dim3(const unsigned char *p)
{
    return (struct bsim_dim3){bsim_get32(p), bsim_get32(p + 4), bsim_get32(p + 8)};
}

#endif
