/* fast.c - the counts of a request, without its schedule.
 *
 * schedule.c and count.c say what a request's counts are, plainly. Here they are found much sooner,
 * for banks whose number is a power of two up to 32; the rest is left to those two. Nothing lists
 * who is served when. A request is brought into one form, whatever its width and device (fast.h), a
 * dealer counts the turns of each group's busiest bank, and all counts follow from that:
 *
 *     width     one bank stands for     groups            banks
 *     1, 2, 4   one word of 4 bytes     the warp          32
 *     8         two neighbours          two half-warps    16      (the warp under the pair rule)
 *     16        four neighbours         four quarters      8      (two half-warps)
 *
 * since an aligned access of 16 bytes always covers the same four banks in one row: where one of
 * the four conflicts, all do. Kepler's 8-byte banks make the same forms with half as many groups.
 * In Kepler's 4-byte mode words 32 apart share a row: one address bit less tells rows apart.
 *
 * There is a dealer in plain C and one for each vector unit that is worth one; all give the same
 * answers, and tests/property/test_fast.c asks each of them. Which one is asked depends on the
 * processor alone. To look that up each time costs a few loads: libgcc's or compiler-rt's
 * constructor has written it down before main, so that nothing is kept here.
 */
#include "model/fast.h"
#include "model/copy.h"
#include "model/count.h"

#ifdef BSIM_HAS_X86
bool bsim_fast_has_avx512(void)
{
    return __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512bitalg") &&
           __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
}

bool bsim_fast_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
}

enum unit { PORTABLE, AVX2, AVX512 };

static enum unit best_unit(void)
{
    return bsim_fast_has_avx512() ? AVX512 : bsim_fast_has_avx2() ? AVX2 : PORTABLE;
}

static bsim_fast_counter *const counters[] = {bsim_fast_count_portable, bsim_fast_count_avx2,
                                              bsim_fast_count_avx512};
static bsim_fast_lister *const listers[] = {bsim_fast_list_portable, bsim_fast_list_avx2,
                                            bsim_fast_list_avx512};
static bsim_fast_summer *const summers[] = {bsim_fast_sum_portable, bsim_fast_sum_avx2,
                                            bsim_fast_sum_avx512};
#else
enum unit { PORTABLE };

static enum unit best_unit(void)
{
    return PORTABLE;
}

static bsim_fast_counter *const counters[] = {bsim_fast_count_portable};
static bsim_fast_lister *const listers[] = {bsim_fast_list_portable};
static bsim_fast_summer *const summers[] = {bsim_fast_sum_portable};
#endif

bsim_fast_summer *bsim_fast_best_summer(void)
{
    return summers[best_unit()];
}

bool bsim_fast_plan(const struct bsim_device *device, const struct bsim_opcode *opcode,
                    struct bsim_fast_plan *plan)
{
    struct bsim_fast_banks banks;
    if (!bsim_fast_banks(device, &banks) ||
        !bsim_fast_ask(banks, device, opcode, BSIM_FULL_MASK, &plan->ask)) {
        return false;
    }
    plan->rows = bsim_opcode_is_matrix(opcode) ? plan->ask.lanes : 0;
    if (plan->ask.lanes == 0) {
        return false; /* a matrix form without rows, which no spelling is */
    }
    plan->may_pair = opcode->family == BSIM_LD && plan->ask.split > 0;
    plan->has_pair_rule = device->has_pair_rule;
    return true;
}

void bsim_request_count(const struct bsim_device *device, const struct bsim_request *request,
                        struct bsim_counts *counts)
{
    bool is_plain = request->opcode.family == BSIM_CP_ASYNC && request->has_from;
    if (is_plain ||
        !counters[best_unit()](device, &request->opcode, request->mask, request->address, counts)) {
        bsim_plain_count(device, request, counts);
    }
}

/* All of the event's request but the addresses in shared memory. */
static void take_all_else(const struct bsim_event *event, struct bsim_request *request)
{
    request->opcode = event->opcode;
    request->mask = event->mask;
    request->has_from = event->from != NULL;
    if (request->has_from) {
        bsim_event_from(event, request->from);
    }
}

void bsim_event_count(const struct bsim_device *device, const struct bsim_event *event,
                      struct bsim_counts *counts)
{
    struct bsim_request request;
    if (event->affine && bsim_affine_count(device, event, counts)) {
        return;
    }
    enum unit unit = best_unit();
    listers[unit](event, request.address);
    if (event->from != NULL ||
        !counters[unit](device, &event->opcode, event->mask, request.address, counts)) {
        take_all_else(event, &request);
        bsim_plain_count(device, &request, counts);
    }
}

bool bsim_event_copy_count(const struct bsim_device *device, const struct bsim_event *event,
                           struct bsim_global_counts *counts)
{
    struct bsim_request request;
    listers[best_unit()](event, request.address);
    take_all_else(event, &request);
    return bsim_copy_count(device, &request, counts);
}

uint32_t bsim_event_copy_turns(const struct bsim_event *event, uint32_t *least)
{
    struct bsim_request request;
    listers[best_unit()](event, request.address);
    take_all_else(event, &request);
    uint32_t turns = bsim_copy_turns(&request);
    bsim_copy_spread(&request);
    *least = bsim_copy_turns(&request);
    return turns;
}
