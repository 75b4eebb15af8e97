/* fuzz_trace.c - any bytes into the trace readers: the first ones choose the format.
 *
 * What must hold for every input, good or broken:
 *   - the reader ends, with END pushed or with an error that has a message, a place and a caret
 *     inside its excerpt, and never both;
 *   - the stream obeys event.h: order, ranges, addresses inside the window and aligned;
 *   - what the writers make of it is read back as the same stream: the text of the text, and that
 *     of the binary form, is the text.
 *
 * An input that begins like a binary trace gets right checksums first, so that what is behind them is
 * reached; half of such inputs, by their size, keep their own.
 *
 * With libFuzzer, which brings main (-DBSIM_LIBFUZZER), this file is the target. Otherwise it has a
 * main that replays the files given as arguments, standard input without any: the form for AFL++
 * and for plain test runs.
 */
#include <banksim/trace.h>

#include "trace/binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                          \
    do {                                                                            \
        if (!(condition)) {                                                         \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                \
        }                                                                           \
    } while (0)

/* ---- bytes in, in pieces of changing size --------------------------------------------------- */

struct bytes {
    const uint8_t *data;
    size_t size, at, calls;
};

static size_t read_bytes(void *context, void *data, size_t size_bytes)
{
    struct bytes *bytes = context;
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

static enum bsim_status add_bytes(void *context, const void *data, size_t size_bytes,
                                  struct bsim_error *err)
{
    bsim_buffer_add(context, data, size_bytes);
    return bsim_buffer_status(context, err);
}

/* ---- a sink that distrusts the reader, and hands on to a writer ----------------------------- */

struct watch {
    struct bsim_sink next;
    const struct bsim_kernel *kernel;
    uint32_t n_warps, depth;
    bool in_block, has_end;
};

static void watch_access(const struct watch *watch, const struct bsim_event *event)
{
    const struct bsim_opcode *opcode = &event->opcode;
    uint32_t lanes = bsim_opcode_lanes(opcode, event->mask);
    uint64_t address[BSIM_WARP_LANES];
    bsim_event_addresses(event, address);
    REQUIRE(event->mask != 0 && opcode->bytes > 0);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        REQUIRE((lanes >> lane & 1) == 1 || address[lane] == 0);
        REQUIRE(address[lane] % opcode->bytes == 0);
        if (opcode->space == BSIM_SHARED && (lanes >> lane & 1)) {
            uint64_t size =
                watch->kernel->has_shared ? watch->kernel->shared_bytes : UINT64_C(1) << 32;
            REQUIRE(address[lane] + opcode->bytes <= size);
        }
    }
}

static void watch_event(const struct watch *watch, const struct bsim_event *event)
{
    REQUIRE(watch->in_block);
    REQUIRE(event->warp < watch->n_warps || event->warp == BSIM_ALL_WARPS);
    REQUIRE(event->wait >= BSIM_ANY_COUNT);
    if (bsim_opcode_is_access(&event->opcode)) {
        watch_access(watch, event);
    }
    if (event->opcode.family == BSIM_WORK) {
        REQUIRE(event->work_count >= 1);
    }
    if (event->site != NULL) {
        REQUIRE(memcmp(&event->site->opcode, &event->opcode, sizeof event->opcode) == 0);
    }
}

static void watch_kernel(struct watch *watch, const struct bsim_kernel *kernel)
{
    uint32_t threads = kernel->block.x * kernel->block.y * kernel->block.z;
    REQUIRE(watch->depth == 0);
    REQUIRE(kernel->name[0] != '\0' && kernel->extras != NULL);
    REQUIRE(kernel->grid.x >= 1 && kernel->grid.y >= 1 && kernel->grid.z >= 1);
    REQUIRE(threads >= 1 && threads <= BSIM_BLOCK_MAX_THREADS);
    watch->kernel = kernel;
    watch->n_warps = (threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES;
    watch->in_block = false;
}

static void watch_block(struct watch *watch, const struct bsim_dim3 *block)
{
    REQUIRE(watch->kernel != NULL && watch->depth == 0);
    const struct bsim_dim3 *grid = &watch->kernel->grid;
    REQUIRE(block->x < grid->x && block->y < grid->y && block->z < grid->z);
    watch->in_block = true;
}

static enum bsim_status watch_push(void *context, const struct bsim_record *record,
                                   struct bsim_error *err)
{
    struct watch *watch = context;
    REQUIRE(!watch->has_end);
    switch (record->kind) {
    case BSIM_RECORD_KERNEL:
        watch_kernel(watch, record->u.kernel);
        break;
    case BSIM_RECORD_SITE:
        REQUIRE(watch->kernel != NULL && record->u.site->number > 0);
        break;
    case BSIM_RECORD_BLOCK:
        watch_block(watch, &record->u.block);
        break;
    case BSIM_RECORD_EVENT:
        watch_event(watch, record->u.event);
        break;
    case BSIM_RECORD_REPEAT:
        REQUIRE(watch->in_block && record->u.repeat.turns >= 1);
        REQUIRE(watch->depth++ < BSIM_REPEAT_MAX_DEPTH);
        break;
    case BSIM_RECORD_DONE:
        REQUIRE(watch->depth-- > 0);
        break;
    case BSIM_RECORD_END:
        REQUIRE(watch->depth == 0);
        watch->has_end = true;
        break;
    }
    return watch->next.push(watch->next.context, record, err);
}

/* ---- one input ----------------------------------------------------------------------------- */

static enum bsim_status read_trace(const uint8_t *data, size_t size, struct bsim_sink next,
                                   struct bsim_error *err)
{
    struct bytes bytes = {.data = data, .size = size};
    struct bsim_input input = {.read = read_bytes, .context = &bytes, .name = "fuzz"};
    struct watch watch = {.next = next};
    struct bsim_sink sink = {.push = watch_push, .context = &watch};
    enum bsim_status status = bsim_trace_read(&input, &sink, err);
    REQUIRE(watch.has_end == (status == BSIM_OK));
    return status;
}

/* Reads bytes and writes the stream into text. */
static enum bsim_status copy_trace(const uint8_t *data, size_t size, struct bsim_buffer *text,
                                   struct bsim_error *err)
{
    struct bsim_output output = {add_bytes, text};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(&output);
    REQUIRE(writer != NULL);
    enum bsim_status status = read_trace(data, size, bsim_trace_writer_sink(writer), err);
    bsim_trace_writer_free(writer);
    return status;
}

/* Reads bytes, which are a whole trace, and writes the stream into its binary form. */
static void pack_trace(const uint8_t *data, size_t size, struct bsim_buffer *packed)
{
    struct bsim_error err;
    struct bsim_output output = {add_bytes, packed};
    struct bsim_binary_writer *writer = bsim_binary_writer_new(&output);
    REQUIRE(writer != NULL);
    REQUIRE(read_trace(data, size, bsim_binary_writer_sink(writer), &err) == BSIM_OK);
    bsim_binary_writer_free(writer);
}

/* The input's bytes, with right checksums if they are a binary trace. */
static struct bsim_buffer repaired(const uint8_t *data, size_t size)
{
    struct bsim_buffer copy = BSIM_BUFFER_EMPTY;
    bsim_buffer_add(&copy, data, size);
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

static void require_place(const struct bsim_error *err, bool is_text)
{
    char out[2048];
    REQUIRE(err->status == BSIM_E_INPUT || err->status == BSIM_E_USAGE);
    REQUIRE(strcmp(err->file, "fuzz") == 0);
    REQUIRE(!is_text || (err->line > 0 && err->column > 0));
    REQUIRE(err->message[0] != '\0');
    REQUIRE(err->caret <= strlen(err->excerpt));
    REQUIRE(strlen(bsim_error_text(err, out, sizeof out)) > 0);
}

/* The trace's text, written into again, is once. */
static void require_same(const struct bsim_buffer *once, const uint8_t *data, size_t size,
                         struct bsim_buffer *again)
{
    struct bsim_error err;
    REQUIRE(copy_trace(data, size, again, &err) == BSIM_OK);
    REQUIRE(once->size_bytes == again->size_bytes);
    REQUIRE(memcmp(once->data, again->data, once->size_bytes) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_buffer input = repaired(data, size);
    struct bsim_buffer once = BSIM_BUFFER_EMPTY;
    struct bsim_buffer twice = BSIM_BUFFER_EMPTY;
    struct bsim_buffer packed = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    const uint8_t *bytes = size > 0 ? (const uint8_t *)input.data : data;
    if (copy_trace(bytes, size, &once, &err) != BSIM_OK) {
        require_place(&err, size == 0 || data[0] != (uint8_t)BSIM_BINARY_MAGIC[0]);
    } else {
        require_same(&once, (const uint8_t *)once.data, once.size_bytes, &twice);
        pack_trace(bytes, size, &packed);
        bsim_buffer_clear(&twice);
        require_same(&once, (const uint8_t *)packed.data, packed.size_bytes, &twice);
    }
    bsim_buffer_free(&input);
    bsim_buffer_free(&packed);
    bsim_buffer_free(&once);
    bsim_buffer_free(&twice);
    return 0;
}

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
    LLVMFuzzerTestOneInput((const uint8_t *)all.data, all.size_bytes);
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
