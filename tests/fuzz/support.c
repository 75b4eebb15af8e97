/* support.c - bytes in and out, and the main that replays files. */
#include "support.h"

#include "trace/binary.h"

void fuzz_fail(const char *file, int line, const char *condition, const char *data, size_t size)
{
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    (void)fwrite(data, 1, size, stderr);
    abort();
}

/* ---- bytes in and out ------------------------------------------------------------------------- */

static size_t read_bytes(void *context, void *data, size_t size_bytes)
{
    struct fuzz_bytes *bytes = context;
    static const size_t piece[] = {1, 7, 4096, 3, 70000, 64};
    size_t n = piece[bytes->calls++ % (sizeof piece / sizeof piece[0])];
    n = n < size_bytes ? n : size_bytes;
    n = n < bytes->size - bytes->at ? n : bytes->size - bytes->at;
    if (n > 0) {
        memcpy(data, bytes->data + bytes->at, n);
    }
    bytes->at += n;
    return n;
}

struct bsim_input fuzz_input(struct fuzz_bytes *bytes)
{
    return (struct bsim_input){.read = read_bytes, .context = bytes, .name = "fuzz"};
}

static enum bsim_status add_bytes(void *context, const void *data, size_t size_bytes,
                                  struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

struct bsim_output fuzz_output(struct bsim_buffer *buffer)
{
    return (struct bsim_output){add_bytes, buffer};
}

struct bsim_buffer fuzz_repaired(const uint8_t *data, size_t size)
{
    struct bsim_buffer copy = BSIM_BUFFER_EMPTY;
    bsim_buffer_add(&copy, size > 0 ? data : (const uint8_t *)"", size);
    unsigned char *bytes = (unsigned char *)copy.data;
    REQUIRE(!copy.failed);
    if (size < BSIM_BINARY_HEAD_BYTES || size % 2 == 1 ||
        memcmp(data, BSIM_BINARY_MAGIC, BSIM_BINARY_MAGIC_BYTES) != 0) {
        return copy;
    }
    bsim_put64(bytes + BSIM_BINARY_SUM_AT, bsim_checksum(bytes, NULL, 0));
    for (size_t at = BSIM_BINARY_HEAD_BYTES; size - at >= BSIM_BINARY_HEAD_BYTES;) {
        unsigned char *head = bytes + at;
        size_t payload = bsim_get32(head + 4);
        if (payload % 8 != 0 || payload > size - at - BSIM_BINARY_HEAD_BYTES) {
            break;
        }
        bsim_put64(head + BSIM_BINARY_SUM_AT,
                   bsim_checksum(head, head + BSIM_BINARY_HEAD_BYTES, payload));
        at += BSIM_BINARY_HEAD_BYTES + payload;
    }
    return copy;
}

void fuzz_require_message(const struct bsim_error *err)
{
    char out[2048];
    REQUIRE(err->status != BSIM_OK && err->message[0] != '\0');
    REQUIRE(err->status != BSIM_E_MEMORY && err->status != BSIM_E_IO);
    REQUIRE(err->caret <= strlen(err->excerpt));
    REQUIRE(strlen(bsim_error_text(err, out, sizeof out)) > 0);
}

/* ---- replay ----------------------------------------------------------------------------------- */

#ifndef BSIM_LIBFUZZER

static void replay(FILE *file)
{
    struct bsim_buffer all = BSIM_BUFFER_EMPTY;
    char piece[4096];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, file)) > 0) {
        bsim_buffer_add(&all, piece, n);
    }
    REQUIRE(!all.failed);
    LLVMFuzzerTestOneInput((const uint8_t *)(all.data != NULL ? all.data : ""), all.size_bytes);
    bsim_buffer_free(&all);
}

int main(int n_arguments, char **argument)
{
    if (n_arguments == 1) {
        replay(stdin);
    }
    for (int i = 1; i < n_arguments; i++) {
        FILE *file = fopen(argument[i], "rb");
        if (file == NULL) {
            perror(argument[i]);
            return 1;
        }
        replay(file);
        fclose(file);
    }
    return 0;
}

#endif
