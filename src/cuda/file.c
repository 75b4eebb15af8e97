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

/* What CUDA's other libraries declare: how the names begin. */
static const struct {
    const char *begin, *library;
} libraries[] = {
    {"BlockScan", "CUB is"},
    {"BlockLoad", "CUB is"},
    {"BlockStore", "CUB is"},
    {"BlockRadix", "CUB is"},
    {"BlockExchange", "CUB is"},
    {"BlockAdjacent", "CUB is"},
    {"BlockDiscontinuity", "CUB is"},
    {"BlockHistogram", "CUB is"},
    {"BlockMergeSort", "CUB is"},
    {"BlockShuffle", "CUB is"},
    {"WarpScan", "CUB is"},
    {"WarpExchange", "CUB is"},
    {"fragment", "WMMA (mma.h) is"},
    {"load_matrix_sync", "WMMA (mma.h) is"},
    {"fill_fragment", "WMMA (mma.h) is"},
    {"curand", "cuRAND is"},
    {"tex1D", "textures are"},
    {"tex2D", "textures are"},
    {"tex3D", "textures are"},
    {"texture", "textures are"},
    {"surf2D", "textures are"},
    {"cudaTextureObject_t", "textures are"},
    {"cudaSurfaceObject_t", "textures are"},
    {"pipeline", "libcu++ is"},
    {"make_pipeline", "libcu++ is"},
    {"barrier", "libcu++ is"},
    {"memcpy_async", "libcu++ is"},
    {"aligned_size_t", "libcu++ is"},
};

/* Words of C++, and what to do without them. */
static const struct {
    const char *word, *why;
} words[] = {
    {"else", "no if stands in front of this else"},
    {"decltype", "decltype is not read here: write the type, or auto"},
    {"virtual", "virtual functions are not read here"},
    {"friend", "friends are not read here"},
    {"~", "destructors are not read here: call a function at the end"},
    {"new", "new is not read here: declare an array"},
    {"malloc", "malloc is not read here: declare an array"},
    {"__FILE__", "the file's name is no value here"},
    {"__func__", "the function's name is no value here"},
};

const char *bsim_cu_why_not(const struct cu_token *token)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (bsim_cu_is(token, words[i].word)) {
            return words[i].why;
        }
    }
    return NULL;
}

const char *bsim_cu_missing(struct cu_file *file, const struct cu_token *name)
{
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        if (bsim_cu_begins(name, libraries[i].begin)) {
            return bsim_cu_text(file, "; %s not read", libraries[i].library);
        }
    }
    return file->missing != NULL
               ? bsim_cu_text(file, "; headers that are not there: %.120s", file->missing)
               : "";
}

const char *bsim_cu_meant(struct cu_file *file, const char *nearest, const struct cu_token *name)
{
    return nearest != NULL ? bsim_cu_text(file, "; did you mean '%s'?", nearest)
           : name != NULL  ? bsim_cu_missing(file, name)
                           : "";
}
