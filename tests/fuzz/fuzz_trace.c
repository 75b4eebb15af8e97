/* fuzz_trace.c - any bytes into the trace reader.
 *
 * What must hold for every input, good or broken:
 *   - the reader ends, with END pushed or with an error that has a message, a place and a caret
 *     inside its excerpt, and never both;
 *   - the stream obeys event.h: order, ranges, addresses inside the window and aligned;
 *   - what the writer makes of it is read back as the same stream: the writer's text of the text is
 *     the text.
 *
 * With libFuzzer, which brings main (-DBSIM_LIBFUZZER), this file is the target. Otherwise it has a
 * main that replays the files given as arguments, standard input without any: the form for AFL++
 * and for plain test runs.
 */
#include <banksim/trace.h>

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
    REQUIRE(!watch->has_end && record->line > 0);
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

/* Reads bytes and writes the stream into text. */
static enum bsim_status copy_trace(const uint8_t *data, size_t size, struct bsim_buffer *text,
                                   struct bsim_error *err)
{
    struct bytes bytes = {.data = data, .size = size};
    struct bsim_input input = {read_bytes, &bytes, "fuzz"};
    struct bsim_output output = {add_bytes, text};
    struct bsim_trace_writer *writer = bsim_trace_writer_new(&output);
    REQUIRE(writer != NULL);
    struct watch watch = {.next = bsim_trace_writer_sink(writer)};
    struct bsim_sink sink = {watch_push, &watch};
    enum bsim_status status = bsim_trace_read(&input, &sink, err);
    REQUIRE(watch.has_end == (status == BSIM_OK));
    bsim_trace_writer_free(writer);
    return status;
}

static void require_place(const struct bsim_error *err)
{
    char out[2048];
    REQUIRE(err->status == BSIM_E_INPUT || err->status == BSIM_E_USAGE);
    REQUIRE(strcmp(err->file, "fuzz") == 0);
    REQUIRE(err->line > 0 && err->column > 0);
    REQUIRE(err->message[0] != '\0');
    REQUIRE(err->caret <= strlen(err->excerpt));
    REQUIRE(strlen(bsim_error_text(err, out, sizeof out)) > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bsim_buffer once = BSIM_BUFFER_EMPTY;
    struct bsim_buffer twice = BSIM_BUFFER_EMPTY;
    struct bsim_error err;
    if (copy_trace(data, size, &once, &err) != BSIM_OK) {
        require_place(&err);
    } else {
        REQUIRE(copy_trace((const uint8_t *)once.data, once.size_bytes, &twice, &err) == BSIM_OK);
        REQUIRE(once.size_bytes == twice.size_bytes);
        REQUIRE(memcmp(once.data, twice.data, once.size_bytes) == 0);
    }
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
