/* binary_decode.c - the binary trace's chunks: their heads and sums, and what the parts of the
 * decoder share. binary_define.c takes the records of definitions, binary_event.c those of events.
 */
#include "trace/binary/binary_decode.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- errors ---------------------------------------------------------------------------------- */

/* The error that has been set in bsim_binary_err(binary) has no place of its own. */
static void fail(struct bsim_binary *binary, enum bsim_status status, uint64_t line)
{
    bsim_error_place(bsim_binary_err(binary), binary->name, line, 0, NULL, 0);
    binary->status = binary->status == BSIM_OK ? status : binary->status;
}

void bsim_binary_error(struct bsim_binary *binary, uint64_t offset, const char *format, ...)
{
    char message[BSIM_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fail(binary,
         bsim_error_set(bsim_binary_err(binary), BSIM_E_INPUT, "byte %" PRIu64 ": %s", offset,
                        message),
         0);
}

void bsim_binary_missing(struct bsim_binary *binary, uint64_t offset)
{
    bsim_binary_error(binary, offset, "chunks are missing here, or stand in another order");
}

/* Where a record of the chunk at hand stands in the input. */
static uint64_t offset_of(const struct bsim_binary *binary, const unsigned char *record)
{
    return binary->offset + BSIM_BINARY_HEAD_BYTES + (uint64_t)(record - binary->payload);
}

void bsim_binary_malformed(struct bsim_binary *binary, const unsigned char *record,
                           const char *what)
{
    bsim_binary_error(binary, offset_of(binary, record), "%s", what);
}

void bsim_binary_check(struct bsim_binary *binary, const unsigned char *record,
                       enum bsim_status status)
{
    if (status == BSIM_OK || binary->status != BSIM_OK) {
        return;
    }
    if (binary->err == NULL || binary->err->file[0] != '\0') {
        binary->status = status;
        return;
    }
    char message[BSIM_ERROR_MESSAGE_SIZE];
    memcpy(message, binary->err->message, sizeof message);
    bsim_binary_malformed(binary, record, message);
}

void bsim_binary_no_memory(struct bsim_binary *binary)
{
    fail(binary, bsim_mem_short(bsim_binary_err(binary)), 0);
}

/* ---- for both kinds of records --------------------------------------------------------------- */

void bsim_binary_may(struct bsim_binary *binary, const unsigned char *record,
                     enum bsim_record_kind kind)
{
    bsim_binary_check(binary, record,
                      bsim_rules_may(&binary->rules, kind, bsim_binary_err(binary)));
}

void bsim_binary_push(struct bsim_binary *binary, struct bsim_record *record)
{
    if (binary->status != BSIM_OK) {
        return;
    }
    binary->line += binary->step;
    record->line = binary->line;
    enum bsim_status status = bsim_rules_push(&binary->rules, binary->sink, record, binary->err);
    if (status != BSIM_OK) {
        fail(binary, status, record->line);
    }
}

void bsim_binary_close_block(struct bsim_binary *binary, const unsigned char *record)
{
    bsim_binary_check(
        binary, record,
        bsim_rules_close_block(&binary->rules, binary->name, bsim_binary_err(binary)));
}

void bsim_binary_line(struct bsim_binary *binary, const unsigned char *record)
{
    uint64_t line = bsim_get64(record + 8);
    if (record[1] > 1 || (line == 0) != (record[1] == 0)) {
        bsim_binary_malformed(binary, record, "a line whose number is wrong");
    }
    binary->step = record[1];
    binary->line = line - binary->step;
}

/* ---- chunks ---------------------------------------------------------------------------------- */

void bsim_binary_head(struct bsim_binary *binary, const unsigned char head[BSIM_BINARY_HEAD_BYTES])
{
    static const struct bsim_opcode none = {0};
    uint32_t version = bsim_get32(head + BSIM_BINARY_MAGIC_BYTES);
    bsim_event_init(&binary->event, &none);
    if (memcmp(head, BSIM_BINARY_MAGIC, BSIM_BINARY_MAGIC_BYTES) != 0 ||
        bsim_get64(head + BSIM_BINARY_SUM_AT) != bsim_checksum(head, NULL, 0)) {
        bsim_binary_error(binary, 0, "the file's head is damaged");
    }
    if (version != BSIM_BINARY_VERSION) {
        bsim_binary_error(binary, BSIM_BINARY_MAGIC_BYTES,
                          "version %" PRIu32
                          " of the binary format is newer than this banksim, which reads "
                          "version %d",
                          version, BSIM_BINARY_VERSION);
    }
}

void bsim_binary_chunk(struct bsim_binary *binary, uint64_t offset,
                       const unsigned char head[BSIM_BINARY_HEAD_BYTES])
{
    struct bsim_chunk *chunk = &binary->chunk;
    bsim_chunk_get(head, chunk);
    binary->offset = offset;
    if (chunk->payload_bytes > BSIM_BINARY_PAYLOAD_MAX || chunk->payload_bytes == 0 ||
        chunk->payload_bytes % BSIM_BINARY_UNIT_BYTES != 0) {
        bsim_binary_error(binary, offset, "the head of a chunk is damaged");
    }
}

void bsim_binary_sum(struct bsim_binary *binary, const unsigned char head[BSIM_BINARY_HEAD_BYTES],
                     const unsigned char *payload)
{
    binary->payload = payload;
    if (binary->status == BSIM_OK &&
        bsim_get64(head + BSIM_BINARY_SUM_AT) !=
            bsim_checksum(head, payload, binary->chunk.payload_bytes)) {
        bsim_binary_error(binary, binary->offset,
                          "the chunk of %" PRIu32 " bytes is damaged: its checksum does not match",
                          binary->chunk.payload_bytes);
    }
}

void bsim_binary_decode(struct bsim_binary *binary)
{
    const struct bsim_chunk *chunk = &binary->chunk;
    const unsigned char *end = binary->payload + chunk->payload_bytes;
    binary->line = chunk->line;
    binary->step = chunk->flags & BSIM_CHUNK_STEPS ? 1 : 0;
    if (chunk->kind == BSIM_CHUNK_DEFINITIONS) {
        bsim_binary_definitions(binary, end);
    } else {
        bsim_binary_events(binary, end);
    }
}

void bsim_binary_seam(struct bsim_binary *binary, uint64_t offset)
{
    binary->offset = offset;
    bsim_binary_close_block(binary, binary->payload); /* the chunk's first record */
}

void bsim_binary_end(struct bsim_binary *binary)
{
    struct bsim_record item = {.kind = BSIM_RECORD_END};
    bsim_binary_close_block(binary, binary->payload);
    binary->line = binary->chunk.line;
    binary->step = 0;
    bsim_binary_push(binary, &item);
}

void bsim_binary_clear(struct bsim_binary *binary)
{
    bsim_mem_free(binary->kernel);
    bsim_sites_clear(&binary->sites);
    bsim_mem_free(binary->instr);
    bsim_mem_free(binary->rule);
}
