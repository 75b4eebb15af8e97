/* binary_layout.c - the heads, index rows and totals of a binary trace, as bytes. */
#include "trace/binary/binary.h"

static void put_counts(const struct bsim_binary_counts *counts, unsigned char *p)
{
    bsim_put64(p, counts->kernels);
    bsim_put64(p + 8, counts->blocks);
    bsim_put64(p + 16, counts->events);
}

static void get_counts(const unsigned char *p, struct bsim_binary_counts *counts)
{
    counts->kernels = bsim_get64(p);
    counts->blocks = bsim_get64(p + 8);
    counts->events = bsim_get64(p + 16);
}

void bsim_chunk_put(const struct bsim_chunk *chunk, unsigned char head[BSIM_BINARY_HEAD_BYTES],
                    const unsigned char *payload)
{
    bsim_put32(head, chunk->kind);
    bsim_put32(head + 4, chunk->payload_bytes);
    bsim_put64(head + 8, chunk->number);
    put_counts(&chunk->before, head + 16);
    bsim_put64(head + 40, chunk->line);
    bsim_put32(head + 48, chunk->flags);
    bsim_put32(head + 52, 0);
    bsim_put64(head + BSIM_BINARY_SUM_AT, bsim_checksum(head, payload, chunk->payload_bytes));
}

void bsim_chunk_get(const unsigned char head[BSIM_BINARY_HEAD_BYTES], struct bsim_chunk *chunk)
{
    chunk->kind = bsim_get32(head);
    chunk->payload_bytes = bsim_get32(head + 4);
    chunk->number = bsim_get64(head + 8);
    get_counts(head + 16, &chunk->before);
    chunk->line = bsim_get64(head + 40);
    chunk->flags = bsim_get32(head + 48);
}

void bsim_entry_put(const struct bsim_binary_entry *entry, unsigned char *row)
{
    memset(row, 0, BSIM_BINARY_ENTRY_BYTES);
    bsim_put64(row, entry->offset);
    put_counts(&entry->before, row + 8);
    bsim_put32(row + 32, entry->kind);
    bsim_put32(row + 36, entry->payload_bytes);
    bsim_put32(row + 40, entry->flags);
}

void bsim_totals_put(const struct bsim_binary_totals *totals, unsigned char *payload)
{
    memset(payload, 0, BSIM_BINARY_LAST_BYTES);
    bsim_put64(payload, totals->index_offset);
    put_counts(&totals->all, payload + 8);
}

void bsim_totals_get(const unsigned char *payload, struct bsim_binary_totals *totals)
{
    totals->index_offset = bsim_get64(payload);
    get_counts(payload + 8, &totals->all);
}
