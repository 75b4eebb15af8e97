/* replay.c - the first launch of a recorded kernel once more, as it was or with its shared arrays laid
 * out otherwise. */
#include "expr/check.h"
#include "expr/record.h"

#include "lanes/line.h"
#include "layout/place.h"

#include <string.h>

struct replay {
    const struct bsim_check *check;
    const struct bsim_laid *laid; /* NULL: as it was */
    const struct bsim_sink *sink;
    bool is_in, has_been; /* the launch */
    struct bsim_indices known;
};

static enum bsim_status end(struct replay *replay, struct bsim_error *err)
{
    bool was_in = replay->is_in;
    replay->is_in = false;
    return was_in ? bsim_push_end(replay->sink, err) : BSIM_OK;
}

static enum bsim_status start(struct replay *replay, const struct bsim_kernel *kernel,
                              struct bsim_error *err)
{
    const struct bsim_kernel *wanted = &replay->check->kernel;
    struct bsim_kernel other = *kernel;
    enum bsim_status status = end(replay, err);
    if (status != BSIM_OK || replay->has_been || kernel->again > 0 ||
        !bsim_recording_is_of(kernel, wanted)) {
        return status;
    }
    replay->is_in = replay->has_been = true;
    if (replay->laid != NULL) {
        other.has_shared = false; /* as large as it then is */
        other.extras = "";        /* and its arrays lie elsewhere */
    }
    return replay->sink->push(replay->sink->context,
                              &(struct bsim_record){.kind = BSIM_RECORD_KERNEL, .u.kernel = &other},
                              err);
}

/* Where the lanes' bytes lie in the other layouts, behind the instructions of its index. */
static enum bsim_status move(struct replay *replay, struct bsim_event *event,
                             struct bsim_error *err)
{
    const struct bsim_laid *laid = replay->laid;
    const struct bsim_check *check = replay->check;
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    uint64_t from[BSIM_WARP_LANES], address[BSIM_WARP_LANES];
    struct bsim_computed index = {.warp = event->warp, .lanes = lanes, .address = from};
    bsim_event_addresses(event, from);
    memcpy(address, from, sizeof address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t i, offset, place;
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        if (!bsim_check_find_offset(check, (uint32_t)address[lane], event->opcode.bytes, &i,
                                    &offset) ||
            !bsim_layout_map(&check->array[i], &laid->layout[i], offset, event->opcode.bytes,
                             &place)) {
            return bsim_error_set(err, BSIM_E_INPUT, "a layout takes an access apart");
        }
        address[lane] = (uint64_t)laid->begin[i] + place;
        if (laid->operations != NULL && laid->operations[i] > index.n_operations) {
            index.n_operations = laid->operations[i];
        }
    }
    memcpy(event->address, address, sizeof address);
    event->affine = false;
    bsim_event_find_line(event);
    return bsim_check_push_index(replay->sink, &replay->known, &index, err);
}

/* Another block begins anew. */
static void note_turns(struct bsim_indices *known, enum bsim_record_kind kind)
{
    if (kind == BSIM_RECORD_BLOCK) {
        *known = (struct bsim_indices){.depth = 0};
    }
    known->depth += kind == BSIM_RECORD_REPEAT ? 1 : kind == BSIM_RECORD_DONE ? -1 : 0;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct replay *replay = context;
    const struct bsim_sink *sink = replay->sink;
    if (record->kind == BSIM_RECORD_KERNEL) {
        return start(replay, record->u.kernel, err);
    }
    if (record->kind == BSIM_RECORD_END) {
        return end(replay, err);
    }
    if (!replay->is_in) {
        return BSIM_OK;
    }
    if (replay->laid != NULL && record->kind == BSIM_RECORD_EVENT &&
        bsim_opcode_is_access(&record->u.event->opcode) &&
        record->u.event->opcode.space == BSIM_SHARED) {
        struct bsim_event event = *record->u.event;
        struct bsim_record moved = *record;
        enum bsim_status status = move(replay, &event, err);
        moved.u.event = &event;
        return status == BSIM_OK ? sink->push(sink->context, &moved, err) : status;
    }
    note_turns(&replay->known, record->kind);
    return sink->push(sink->context, record, err);
}

enum bsim_status bsim_check_replay(const struct bsim_check *check, const struct bsim_laid *laid,
                                   const struct bsim_sink *sink, struct bsim_error *err)
{
    struct replay replay = {.check = check, .laid = laid, .sink = sink};
    struct bsim_sink all = {.push = push, .context = &replay};
    return check->replay.push != NULL
               ? check->replay.push(check->replay.context, &all, err)
               : bsim_error_set(err, BSIM_E_USAGE, "nobody pushes the recorded stream again");
}
