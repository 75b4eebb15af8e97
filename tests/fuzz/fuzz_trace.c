/* fuzz_trace.c - any bytes into the trace readers: the first ones choose the format.
 *
 * What must hold for every input, good or broken:
 *   - the reader ends, with END pushed or with an error that has a message, a place and a caret
 *     inside its excerpt, and never both;
 *   - the stream obeys event.h: order, ranges, addresses inside the window and aligned;
 *   - what the writers make of it is read back as the same stream: the text of the text, and that
 *     of the binary form, is the text.
 *
 * An input that begins like a binary trace gets right checksums first, so that what is behind them
 * is reached; half of such inputs, by their size, keep their own.
 */
#include "support.h"

#include "trace/binary/binary.h"

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
    if (bsim_opcode_meets(&event->opcode)) {
        REQUIRE(event->meeting >= 1 && watch->depth == 0);
        REQUIRE((event->arrivals >= 1) == (event->opcode.family == BSIM_AWAIT));
    }
    if (bsim_opcode_groups(&event->opcode)) {
        REQUIRE(event->site == NULL && event->meeting == 0 && event->work_count == 0);
        REQUIRE(event->opcode.family == BSIM_COPIES_WAIT || event->groups == 0);
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
        REQUIRE(watch->in_block && record->u.repeat.trips >= 1);
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
    struct fuzz_bytes bytes = {.data = data, .size = size};
    struct bsim_input input = fuzz_input(&bytes);
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
    struct bsim_output output = fuzz_output(text);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_TEXT, &output);
    REQUIRE(writer != NULL);
    enum bsim_status status = read_trace(data, size, bsim_trace_writer_sink(writer), err);
    bsim_trace_writer_free(writer);
    return status;
}

/* Reads bytes, which are a whole trace, and writes the stream into its binary form. */
static void pack_trace(const uint8_t *data, size_t size, struct bsim_buffer *packed)
{
    struct bsim_error err;
    struct bsim_output output = fuzz_output(packed);
    struct bsim_trace_writer *writer = bsim_trace_writer_new(BSIM_TRACE_BINARY, &output);
    REQUIRE(writer != NULL);
    REQUIRE(read_trace(data, size, bsim_trace_writer_sink(writer), &err) == BSIM_OK);
    bsim_trace_writer_free(writer);
}

static void require_place(const struct bsim_error *err, bool is_text)
{
    fuzz_require_message(err);
    REQUIRE(strcmp(err->file, "fuzz") == 0);
    REQUIRE(!is_text || (err->line > 0 && err->column > 0));
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
    struct bsim_buffer input = fuzz_repaired(data, size);
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
