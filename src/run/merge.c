/* merge.c - the parts of a sharded run as one result. */
#include "run/part.h"
#include "result/result.h"

#include "base/memory.h"

#include <inttypes.h>

struct merging {
    const struct bsim_parts *parts;
    struct bsim_part sum;
    const char **name; /* of part k at k - 1, or NULL: it has not come yet */
    uint32_t n_names;  /* the first parts, as many as may all be there, and one */
};

static enum bsim_status refuse(const char *name, struct bsim_error *err)
{
    bsim_error_place(err, name, 0, 0, NULL, 0);
    return BSIM_E_INPUT;
}

/* The first part says how many there are, and of what. */
static enum bsim_status begin(struct merging *merging, const struct bsim_part *part,
                              struct bsim_error *err)
{
    merging->sum.n_shards = part->n_shards;
    merging->sum.identity = part->identity;
    /* A part may say that it is one of 2^32; among one more than were named, one is missing. */
    size_t most = merging->parts->n + 1;
    merging->n_names = part->n_shards < most ? part->n_shards : (uint32_t)most;
    merging->name = bsim_mem_zeroed(merging->n_names, sizeof *merging->name);
    return merging->name != NULL ? BSIM_OK : bsim_mem_short(err);
}

static enum bsim_status check(const struct merging *merging, const struct bsim_part *part,
                              const char *name, struct bsim_error *err)
{
    const struct bsim_part *sum = &merging->sum;
    if (part->n_shards != sum->n_shards) {
        (void)bsim_error_set(err, BSIM_E_INPUT,
                             "this is a part of %" PRIu32 ", and those before it are of %" PRIu32,
                             part->n_shards, sum->n_shards);
        return refuse(name, err);
    }
    if (part->identity != sum->identity) {
        (void)bsim_error_set(err, BSIM_E_INPUT,
                             "this is a part of another trace than those before it, or was made "
                             "with other options");
        return refuse(name, err);
    }
    const char *other = part->shard <= merging->n_names ? merging->name[part->shard - 1] : NULL;
    if (other != NULL) {
        (void)bsim_error_set(err, BSIM_E_INPUT, "part %" PRIu32 " is there twice: also %s",
                             part->shard, other);
        return refuse(name, err);
    }
    return BSIM_OK;
}

static enum bsim_status add(struct merging *merging, const struct bsim_part *part, const char *name,
                            struct bsim_error *err)
{
    enum bsim_status status = merging->name == NULL ? begin(merging, part, err) : BSIM_OK;
    if (status == BSIM_OK) {
        status = check(merging, part, name, err);
    }
    if (status == BSIM_OK) {
        status = bsim_result_merge(&merging->sum.result, &part->result, err);
    }
    if (status == BSIM_E_USAGE || status == BSIM_E_INPUT) { /* what the identity did not tell */
        if (err != NULL) {
            err->status = BSIM_E_INPUT;
        }
        return refuse(name, err);
    }
    if (status == BSIM_OK && part->shard <= merging->n_names) {
        merging->name[part->shard - 1] = name;
    }
    return status;
}

static enum bsim_status read_and_add(struct merging *merging, size_t i, struct bsim_error *err)
{
    const struct bsim_parts *parts = merging->parts;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct bsim_part part = {.shard = 0};
    enum bsim_status status = parts->read(parts->context, i, &text, err);
    if (status == BSIM_OK) {
        status = bsim_part_read(text.data != NULL ? text.data : "", text.size_bytes, parts->name[i],
                                &part, err);
    }
    if (status == BSIM_OK) {
        status = add(merging, &part, parts->name[i], err);
    }
    bsim_result_free(&part.result);
    bsim_buffer_free(&text);
    return status;
}

static enum bsim_status check_whole(const struct merging *merging, struct bsim_error *err)
{
    uint32_t n = merging->sum.n_shards;
    for (uint32_t k = 0; k < merging->n_names; k++) {
        if (merging->name[k] == NULL) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "part %" PRIu32 " of %" PRIu32
                                  " is missing: the others' command with --shard %" PRIu32
                                  "/%" PRIu32 " writes it",
                                  k + 1, n, k + 1, n);
        }
    }
    return bsim_result_check_constants(&merging->sum.result, err);
}

enum bsim_status bsim_merge(const struct bsim_parts *parts, struct bsim_result *result,
                            struct bsim_error *err)
{
    struct merging merging = {.parts = parts};
    enum bsim_status status =
        parts->n > 0 ? BSIM_OK : bsim_error_set(err, BSIM_E_USAGE, "no parts to put together");
    for (size_t i = 0; i < parts->n && status == BSIM_OK; i++) {
        status = read_and_add(&merging, i, err);
    }
    if (status == BSIM_OK) {
        status = check_whole(&merging, err);
    }
    if (status == BSIM_OK) {
        *result = merging.sum.result;
    } else {
        bsim_result_free(&merging.sum.result);
    }
    bsim_mem_free(merging.name);
    return status;
}
