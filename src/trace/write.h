/* write.h - what a writer of traces is made of: each begins with a struct bsim_trace_writer. A
 * format that can be written is a function that makes its writer, and a row of write.c's table. */
#ifndef BSIM_TRACE_WRITE_H
#define BSIM_TRACE_WRITE_H

#include <banksim/trace.h>

struct bsim_trace_writer {
    enum bsim_status (*push)(void *context, const struct bsim_record *record,
                             struct bsim_error *err);
    enum bsim_status (*push_batch)(void *context, struct bsim_batch *batch,
                                   struct bsim_error *err); /* or NULL */
    enum bsim_status (*cut)(struct bsim_trace_writer *writer, struct bsim_error *err);
    void (*free)(struct bsim_trace_writer *writer);
};

/* NULL when memory is short. */
typedef struct bsim_trace_writer *bsim_writer_fn(const struct bsim_output *output);

bsim_writer_fn bsim_text_writer_new, bsim_binary_writer_new;

#endif
