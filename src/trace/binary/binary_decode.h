/* binary_decode.h - what the parts of the binary trace's decoder share: binary_decode.c has it, and
 * binary_define.c, binary_event.c and binary_batch.c take the records. */
#ifndef BSIM_TRACE_BINARY_DECODE_H
#define BSIM_TRACE_BINARY_DECODE_H

#include "trace/binary/binary.h"

/* An error at a record of the chunk at hand. */
void bsim_binary_malformed(struct bsim_binary *binary, const unsigned char *record,
                           const char *what);

/* Fails with status, unless it is BSIM_OK: the error, which has been set in
 * bsim_binary_err(binary), gets the record's place if it has none. */
void bsim_binary_check(struct bsim_binary *binary, const unsigned char *record,
                       enum bsim_status status);

/* Fails with BSIM_E_MEMORY. */
void bsim_binary_no_memory(struct bsim_binary *binary);

/* Where the error of what may fail is to be set: NULL after a failure. */
static inline struct bsim_error *bsim_binary_err(const struct bsim_binary *binary)
{
    return binary->status == BSIM_OK ? binary->err : NULL;
}

/* Fails if a record of that kind may not stand here. */
void bsim_binary_may(struct bsim_binary *binary, const unsigned char *record,
                     enum bsim_record_kind kind);

/* Hands a record to the sink, unless something has failed; its failure stands at the line that the
 * record was packed from. */
void bsim_binary_push(struct bsim_binary *binary, struct bsim_record *record);

/* Closes the block at hand, if there is one, in front of the record. */
void bsim_binary_close_block(struct bsim_binary *binary, const unsigned char *record);

/* Takes a LINE record, which may stand anywhere. */
void bsim_binary_line(struct bsim_binary *binary, const unsigned char *record);

/* Take the records of the chunk at hand, which ends at `end`. */
void bsim_binary_definitions(struct bsim_binary *binary, const unsigned char *end);
void bsim_binary_events(struct bsim_binary *binary, const unsigned char *end);

/* Pushes the accesses at *p as a batch, as many as are plainly right, and moves *p behind them. */
void bsim_binary_batch(struct bsim_binary *binary, const unsigned char **p,
                       const unsigned char *end);

static inline struct bsim_dim3 bsim_get_dim3(const unsigned char *p)
{
    return (struct bsim_dim3){bsim_get32(p), bsim_get32(p + 4), bsim_get32(p + 8)};
}

/* Reads the fields of a wgmma or a bulk copy, whose opcode and warp the event has. */
void bsim_binary_take_async(struct bsim_binary *binary, const unsigned char *record,
                            struct bsim_event *event);

#endif
