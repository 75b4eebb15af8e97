/* write.c - which format a trace is written in. */
#include "trace/write.h"

static bsim_writer_fn *const formats[] = {
    [BSIM_TRACE_TEXT] = bsim_text_writer_new,
    [BSIM_TRACE_BINARY] = bsim_binary_writer_new,
};

struct bsim_trace_writer *bsim_trace_writer_new(enum bsim_trace_format format,
                                                const struct bsim_output *output)
{
    return formats[format](output);
}

struct bsim_sink bsim_trace_writer_sink(struct bsim_trace_writer *writer)
{
    return (struct bsim_sink){
        .push = writer->push, .context = writer, .push_batch = writer->push_batch};
}

enum bsim_status bsim_trace_writer_cut(struct bsim_trace_writer *writer, struct bsim_error *err)
{
    return writer->cut(writer, err);
}

void bsim_trace_writer_free(struct bsim_trace_writer *writer)
{
    if (writer != NULL) {
        writer->free(writer);
    }
}
