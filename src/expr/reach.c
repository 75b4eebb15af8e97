/* reach.c - where a lane's access lies: in which array, at which byte, and what is refused. */
#include "expr/walk.h"

#include "layout/place.h"

#include <inttypes.h>

/* The bytes that an offset into an array may not pass. */
static int64_t end_of(const struct bsim_check_array *array)
{
    return !array->is_extern ? (int64_t)array->size_bytes
           : array->space == BSIM_GLOBAL
               ? INT64_C(1) << 32
               : (int64_t)BSIM_CHECK_MAX_SHARED_BYTES - array->offset_bytes;
}

/* Names what lies outside: as an element where it is one. */
static enum bsim_status outside(const struct bsim_walk *walk, const struct bsim_access *access,
                                uint32_t lane, const struct bsim_check_array *array, int64_t offset)
{
    int64_t each = array->element_bytes;
    int64_t unit = offset % each == 0 ? each : 1;
    return bsim_eval_fault(&walk->eval, access->node, lane,
                           "%s %" PRId64 " is outside of %s, which has %" PRId64 " %s",
                           unit == 1 ? "byte" : "element", offset / unit, array->name,
                           end_of(array) / unit, unit == 1 ? "bytes" : "elements");
}

static enum bsim_status misaligned(const struct bsim_walk *walk, const struct bsim_access *access,
                                   uint32_t lane, const struct bsim_check_array *array,
                                   int64_t offset)
{
    bool shifted = array->offset_bytes % access->alignment != 0;
    bool is_laid = array->layout_text != NULL;
    return bsim_eval_fault(&walk->eval, access->node, lane,
                           "%s needs an address that is a multiple of %" PRIu32
                           ", and this is byte %" PRId64 " of %s%s%s",
                           access->type_name, access->alignment, offset, array->name,
                           shifted   ? ", which does not begin at one: declare it __align__(16)"
                           : is_laid ? ", where the layout puts it: "
                                     : "",
                           !shifted && is_laid ? array->layout_text : "");
}

static enum bsim_status torn(const struct bsim_walk *walk, const struct bsim_access *access,
                             uint32_t lane, const struct bsim_check_array *array)
{
    return bsim_eval_fault(
        &walk->eval, access->node, lane,
        "%s needs its %u bytes in one piece, and the layout of %s takes those at "
        "byte %" PRIu32 " apart: %s",
        access->type_name, (unsigned)access->shown.opcode.bytes, array->name,
        walk->request.offset[lane], array->layout_text);
}

/* Where the bytes at the request's offset lie. */
enum bsim_status bsim_walk_locate(struct bsim_walk *walk, const struct bsim_access *access,
                                  uint32_t lane, uint32_t alignment)
{
    struct bsim_check_request *request = &walk->request;
    const struct bsim_check_array *array = &walk->check->array[request->array[lane]];
    uint32_t bytes = access->shown.opcode.bytes;
    uint32_t place;
    if (!bsim_array_map(array, request->offset[lane], bytes, &place)) {
        return torn(walk, access, lane, array);
    }
    if (array->space == BSIM_SHARED && array->is_extern &&
        place > BSIM_CHECK_MAX_SHARED_BYTES - bytes - array->offset_bytes) {
        return outside(walk, access, lane, array, request->offset[lane]);
    }
    uint64_t address = array->begin + place;
    request->address[lane] = (uint32_t)address;
    return address % alignment != 0 ? misaligned(walk, access, lane, array, place) : BSIM_OK;
}

enum bsim_status bsim_walk_lane(struct bsim_walk *walk, const struct bsim_access *access,
                                uint32_t lane, uint32_t index, uint64_t value)
{
    const struct bsim_check_array *array = &walk->check->array[index];
    int64_t offset = (int64_t)value;
    if (array->space != (enum bsim_space)access->shown.opcode.space) {
        return bsim_eval_fault(&walk->eval, access->node, lane,
                               "%s lies in other memory than what this access was taken for: one "
                               "that may be to either is not modelled",
                               array->name);
    }
    if (offset < 0 || offset > end_of(array) - (int64_t)access->shown.bytes) {
        return outside(walk, access, lane, array, offset);
    }
    walk->request.array[lane] = index;
    walk->request.offset[lane] = (uint32_t)offset;
    return bsim_walk_locate(walk, access, lane, access->alignment);
}
