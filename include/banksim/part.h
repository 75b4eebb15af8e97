/* part.h - results of a part of a trace on disk, and several of them put together: one trace on many
 * machines. The format is in traces/FORMAT.md.
 */
#ifndef BANKSIM_PART_H
#define BANKSIM_PART_H

#include <banksim/buffer.h>
#include <banksim/result.h>

/* What was counted in the shard-th of n_shards parts of one or more traces. */
struct bsim_part {
    uint32_t shard, n_shards; /* shard from 1 to n_shards */
    uint64_t identity; /* of the traces as a whole and of what was asked: parts that are to be
                                 put together have the same */
    struct bsim_result result;
};

/* Appends the part as text. */
BSIM_API void bsim_part_write(const struct bsim_part *part, struct bsim_buffer *out);

/* Reads it back into *part, whose results the caller then frees. Fails with BSIM_E_INPUT, and the
 * place `name`, for anything else than a whole part that this version of banksim wrote, and with
 * BSIM_E_MEMORY. */
BSIM_API enum bsim_status bsim_part_read(const char *data, size_t size_bytes, const char *name,
                                         struct bsim_part *part,
                                         struct bsim_error *err) BSIM_MUST_USE;

#endif
