/* trace.c - a trace read from a file, written as text and packed, and read back. */
#include "example.h"

static enum bsim_status append(void *context, const void *data, size_t size_bytes,
                               struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

/* From a file into a buffer. */
static void to_text(FILE *file, struct bsim_buffer *text)
{
    struct bsim_input input = bsim_input_file(file, "example.trace");
    struct bsim_output output = {append, text};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &output);
    CHECK(writer != NULL);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    CHECK(bsim_trace_read(&input, &sink, NULL) == BSIM_OK);
    bsim_trace_writer_free(writer);
}

/* From a text into a file, packed. */
static void to_binary(const char *trace, FILE *file)
{
    struct example_text text = {trace, 0};
    struct bsim_input input = example_input(&text);
    struct bsim_output output = bsim_output_file(file);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
    CHECK(writer != NULL);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    CHECK(bsim_trace_read(&input, &sink, NULL) == BSIM_OK);
    bsim_trace_writer_free(writer);
}

int main(void)
{
    CHECK(bsim_trace_is("# a comment\nbanksim-trace 1\n", 28) && !bsim_trace_is("block 32\n", 9));
    FILE *file = tmpfile();
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    CHECK(file != NULL);
    to_binary(example_trace, file);
    rewind(file);
    to_text(file, &text);
    CHECK(strstr(text.data, "w0 @2 ffffffff 0+128 expect.wavefronts=1\n") != NULL);
    CHECK(strstr(text.data, "\nend\n") != NULL);

    struct bsim_error err;
    struct example_text broken = {"banksim-trace 1\nkernel k block=0\n", 0};
    struct bsim_input input = example_input(&broken);
    struct bsim_output nowhere = {append, &text};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &nowhere);
    struct bsim_sink sink = bsim_trace_writer_sink(writer);
    CHECK(bsim_trace_read(&input, &sink, &err) == BSIM_E_INPUT && err.line == 2);
    CHECK(bsim_trace_writer_cut(writer, &err) == BSIM_OK);
    bsim_trace_writer_free(writer);
    bsim_buffer_free(&text);
    (void)fclose(file);
    return 0;
}
