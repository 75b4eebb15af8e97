/* file.c - the begin and the end of a file; see cuda.h. */
#include "cuda/cuda.h"

bool bsim_cu_begin(struct cu_file *file, const char *name, const char *text, size_t length,
                   const struct bsim_cuda_headers *headers, struct bsim_error *err)
{
    memset(file, 0, sizeof *file);
    file->err = err != NULL ? err : &file->own;
    file->headers = headers;
    file->source = (struct cu_source){.name = name,
                                      .line = 1,
                                      .text = bsim_arena_text(&file->arena, text, length),
                                      .length = length,
                                      .number = 1};
    if (file->source.text == NULL) {
        bsim_cu_no_memory(file);
    }
    return file->source.text != NULL;
}

enum bsim_status bsim_cu_finish(struct cu_file *file, struct bsim_buffer *out, size_t before)
{
    enum bsim_status status = file->status;
    bsim_arena_free(&file->arena);
    status = status == BSIM_OK ? bsim_buffer_status(out, file->err) : status;
    out->size_bytes = status == BSIM_OK || out->failed ? out->size_bytes : before;
    return status;
}

const char *bsim_cu_missing(struct cu_file *file)
{
    return file->missing != NULL
               ? bsim_cu_text(file, "; headers that are not there: %.120s", file->missing)
               : "";
}
