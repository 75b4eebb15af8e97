/* advise_reach.c - how far the plans of an advice get, and what is proven of them. */
#include "report/advise_reach.h"

#include "report/advise_recorded.h"
#include "report/words.h"

#include "base/bits.h"

#include <inttypes.h>

/* "1 wavefront", "64 passes" */
static void add_wavefronts(const struct bsim_advice *advice, uint64_t n, struct bsim_buffer *out)
{
    const char *one = advice->device.replays ? "pass" : "wavefront";
    bsim_buffer_printf(out, "%" PRIu64 " %s", n, n == 1 ? one : bsim_word_wavefronts(&advice->device));
}

/* "Lanes 0 to 31" */
static void add_lanes(uint32_t lanes, struct bsim_buffer *out)
{
    uint32_t first = bsim_bits_lowest(lanes);
    uint32_t n = bsim_bits_population(lanes);
    if (lanes >> first == (uint32_t)((UINT64_C(1) << n) - 1)) {
        bsim_buffer_printf(out, " Lanes %" PRIu32 " to %" PRIu32, first, first + n - 1);
    } else {
        bsim_buffer_printf(out, " %" PRIu32 " lanes", n);
    }
}

/* A request whose words cannot lie in all banks. */
static void add_bound(const struct bsim_check *check, const struct bsim_advice *advice,
                      struct bsim_buffer *out)
{
    const struct bsim_advice_bound *bound = &advice->bound;
    add_lanes(bound->lanes, out);
    bsim_buffer_text(out, " of ");
    bsim_advice_op(check, bound->access, out);
    bsim_buffer_printf(out,
                       " want %" PRIu32 " words, each in the same place of %" PRIu32 " bytes that ",
                       bound->words, bound->bytes);
    bsim_advice_op(check, bound->whole, out);
    bsim_buffer_printf(
        out, " takes at once: while these stay whole, the words have %" PRIu32 " banks to lie in.",
        bound->banks);
}

/* What makes the least more than the ideal. */
static void add_why(const struct bsim_check *check, const struct bsim_advice *advice,
                    struct bsim_buffer *out)
{
    for (size_t i = 0; i < advice->n_accesses; i++) {
        const struct bsim_opcode *opcode = &bsim_check_contents(check)->access[i].opcode;
        if (advice->access[i].least > advice->access[i].ideal && bsim_opcode_is_atomic(opcode)) {
            bsim_buffer_text(out, " Lanes that update one address take turns.");
            return;
        }
        if (advice->access[i].least > advice->access[i].ideal && opcode->family == BSIM_CP_ASYNC) {
            bsim_buffer_text(out, " Lanes of cp.async.ca that write one place take turns.");
            return;
        }
    }
    if (advice->bound.bytes > 0) {
        add_bound(check, advice, out);
    } else if (advice->total.least > advice->total.ideal) {
        bsim_buffer_text(out, " Requests have more different words than there are banks.");
    }
}

/* What is not known. */
static void add_gap(const struct bsim_advice *advice, uint64_t found, struct bsim_buffer *out)
{
    bsim_buffer_text(out, " The bound for layouts of any kind is ");
    add_wavefronts(advice, advice->total.least, out);
    bsim_buffer_printf(out, ": a gap of %" PRIu64 ".\n", found - advice->total.least);
}

static bool has_tiles(const struct bsim_check *check, const struct bsim_advice *advice)
{
    size_t i = 0;
    while (i < advice->n_arrays && !bsim_check_contents(check)->array[i].is_tile) {
        i++;
    }
    return i < advice->n_arrays;
}

static void add_nothing(const struct bsim_check *check, const struct bsim_advice *advice,
                        struct bsim_buffer *out)
{
    uint64_t now = advice->before.total.wavefronts;
    if (advice->is_sample) {
        bsim_buffer_text(out, "No better layout was found for a sample of the requests, of which "
                              "nothing is proven.\n");
    } else if (advice->total.requests == 0 && has_tiles(check, advice)) {
        bsim_buffer_text(out, "Nothing to do: wgmma and copies by TMA have no bank conflicts with any layout, and no lane "
                              "accesses shared memory.\n");
    } else if (advice->before.total.conflicts == 0) {
        bsim_buffer_text(out, "Nothing to do: no bank conflicts.\n");
    } else if (now == advice->total.least) {
        bsim_buffer_text(out, "Proven best: wherever the data lie, these accesses take ");
        add_wavefronts(advice, now, out);
        bsim_buffer_text(out, ".");
        add_why(check, advice, out);
        bsim_buffer_text(out, "\n");
    } else if (advice->n_tried == 0) {
        bsim_buffer_text(out, "No layout was tried.\n");
    } else if (advice->is_best_linear) {
        bsim_buffer_text(out, "No layout that is linear over GF(2) is better: all of them were "
                              "searched.");
        add_gap(advice, now, out);
    } else {
        bsim_buffer_printf(out, "None of the %zu layouts that were tried is better.",
                           advice->n_tried);
        add_gap(advice, now, out);
    }
}

/* Of several plans the first takes the fewest cycles, and another may have fewer wavefronts; where none gains it is
 * not worth a word. */
static size_t add_fastest(const struct bsim_advice *advice, bool gains, struct bsim_buffer *out)
{
    size_t number = (size_t)(bsim_advice_least(advice) - advice->plan) + 1;
    if (number > 1 && gains) {
        bsim_buffer_printf(out, "Plan 1 takes the fewest cycles, plan %zu the fewest %s.\n", number,
                           bsim_word_wavefronts(&advice->device));
    }
    return number;
}

/* The fewest cycles of a plan, and *now those of what stands there; in the kernel's source, if they were written there. */
static uint64_t fastest_of(const struct bsim_advice *advice, uint64_t *now)
{
    uint64_t fastest = 0;
    for (size_t i = 0; i < advice->n_plans; i++) {
        uint64_t cycles = advice->plan[i].written_cycles;
        fastest = cycles > 0 && (fastest == 0 || cycles < fastest) ? cycles : fastest;
    }
    bool is_written = fastest > 0 && advice->cycles_now > 0;
    *now = is_written ? advice->cycles_now : advice->before.cycles;
    return is_written ? fastest : advice->plan[0].cycles;
}

/* Conflicts that hide behind other work cost nothing; an index does. False, with a sentence: no plan gains. */
static bool add_as_it_is(const struct bsim_advice *advice, struct bsim_buffer *out)
{
    uint64_t now, fastest = fastest_of(advice, &now);
    bool gains = now == 0 || fastest < now;
    if (!gains) {
        bsim_buffer_printf(out,
                           "As it stands the block takes %" PRIu64 " cycles, %s any plan: there is "
                           "nothing to gain.\n",
                           now, fastest > now ? "fewer than with" : "as few as with");
    }
    return gains;
}

/* What is best counts wavefronts alone. */
static void add_fewer_blocks(const struct bsim_advice *advice, size_t number,
                             struct bsim_buffer *out)
{
    uint32_t now = advice->before.occupancy.blocks;
    uint32_t then = advice->plan[number - 1].occupancy.blocks;
    if (then < now) {
        bsim_buffer_printf(
            out, "Its bytes cost blocks: %" PRIu32 " per SM with plan %zu, now %" PRIu32 ".\n",
            then, number, now);
    }
}

/* Plans were written into a kernel's source, in which other accesses are merged than those that were looked at. */
static bool differs_in_file(const struct bsim_advice *advice)
{
    for (size_t i = 0; i < advice->n_plans; i++) {
        const struct bsim_advice_plan *plan = &advice->plan[i];
        if (plan->written_wavefronts > 0 && plan->written_wavefronts != plan->total.wavefronts) {
            return true;
        }
    }
    return false;
}

static void add_reach(const struct bsim_check *check, const struct bsim_advice *advice,
                      struct bsim_buffer *out)
{
    const struct bsim_advice_cost *best = &bsim_advice_least(advice)->total;
    bool gains = add_as_it_is(advice, out);
    size_t number = add_fastest(advice, gains, out);
    if (advice->is_least_apart) {
        bsim_buffer_printf(out, "Plan 1 takes the fewest cycles%s; another has fewer %s, and --best 2 shows it.\n",
                           gains ? "" : " of plans", bsim_word_wavefronts(&advice->device));
    } else if (advice->is_sample) {
        bsim_buffer_printf(out,
                           "Plan %zu is the best of the %zu layouts that were tried on a sample of "
                           "the requests, of which nothing is proven.\n",
                           number, advice->n_tried);
    } else if (best->conflicts == 0) {
        bsim_buffer_printf(out, "Plan %zu is proven best: it has no bank conflicts left.\n",
                           number);
    } else if (best->wavefronts == advice->total.least) {
        bsim_buffer_printf(out, "Plan %zu is proven best: no layout takes fewer than ", number);
        add_wavefronts(advice, best->wavefronts, out);
        bsim_buffer_printf(out, ", though the ideal is %" PRIu64 ".", advice->total.ideal);
        add_why(check, advice, out);
        bsim_buffer_text(out, "\n");
    } else if (advice->is_best_linear) {
        bsim_buffer_printf(out,
                           "No layout that is linear over GF(2) takes fewer than plan %zu: all of "
                           "them were searched.",
                           number);
        add_gap(advice, best->wavefronts, out);
    } else {
        bsim_buffer_printf(out, "Plan %zu is the best of the %zu layouts that were tried.", number,
                           advice->n_tried);
        add_gap(advice, best->wavefronts, out);
    }
    if (differs_in_file(advice)) {
        bsim_buffer_text(out, "That holds for accesses as they are merged now; with other indices, in the file, they are not.\n");
    }
    if (!advice->is_least_apart) {
        add_fewer_blocks(advice, number, out);
    }
}

static bool has_padding(const struct bsim_advice *advice)
{
    for (size_t i = 0; i < advice->n_plans; i++) {
        for (size_t array = 0; array < advice->n_arrays; array++) {
            const struct bsim_layout *layout = &advice->plan[i].layout[array];
            if (layout->pad > 0 || layout->plane_pad > 0 || layout->block_pad > 0) {
                return true;
            }
        }
    }
    return false;
}

/* Layouts that were left out might have helped, or be the padding that somebody looks for. */
static void add_too_large(const struct bsim_advice *advice, struct bsim_buffer *out)
{
    const struct bsim_advice_cost *best = &bsim_advice_least(advice)->total;
    if (advice->is_limited && (best->wavefronts > advice->total.least || !has_padding(advice))) {
        bsim_buffer_printf(out, "Layouts of more than %" PRIu32 " bytes were left out: %s.\n",
                           advice->most_bytes,
                           advice->most_bytes < advice->device.shared_per_block_bytes
                               ? "beyond that, shared memory has to be extern and asked for"
                               : "the device gives a block no more");
    }
}

/* The first member that is an array, or NULL. */
static const struct bsim_check_member *find_array_member(const struct bsim_check_array *array)
{
    uint32_t i = 0;
    while (i < array->n_members && array->member[i].dimensions[0] == '\0') {
        i++;
    }
    return i < array->n_members ? &array->member[i] : NULL;
}

/* Layouts move structs and members, which stay as they are within. */
static void add_within(const struct bsim_check *check, const struct bsim_advice *advice,
                       struct bsim_buffer *out)
{
    uint64_t found = bsim_advice_least(advice)->total.wavefronts;
    for (size_t i = 0; i < advice->n_arrays && found > advice->total.least; i++) {
        const struct bsim_check_array *array = &bsim_check_contents(check)->array[i];
        const struct bsim_check_member *member = find_array_member(array);
        if (member != NULL && advice->tried[i].n_patterns > 0) {
            bsim_buffer_printf(
                out,
                "No layout was looked for within member %s of %s, which is an array: "
                "declared by itself it gets one.\n",
                member->name, array->name);
        }
    }
}

/* Whether an access with conflicts goes to the array. */
static bool is_in_conflict(const struct bsim_advice *advice, size_t array)
{
    size_t i = 0;
    while (i < advice->n_accesses && (!advice->touches[i * advice->n_arrays + array] ||
                                      advice->before.access[i].conflicts == 0)) {
        i++;
    }
    return i < advice->n_accesses;
}

/* "A and B stay as they are: ..." */
static void add_tiles(const struct bsim_check *check, const struct bsim_advice *advice,
                      struct bsim_buffer *out)
{
    const struct bsim_check_array *array = bsim_check_contents(check)->array;
    size_t n = 0, told = 0;
    bool has_conflicts = false;
    for (size_t i = 0; i < advice->n_arrays; i++) {
        n += array[i].is_tile;
        has_conflicts = has_conflicts || (array[i].is_tile && is_in_conflict(advice, i));
    }
    for (size_t i = 0; i < advice->n_arrays; i++) {
        if (array[i].is_tile) {
            told++;
            bsim_buffer_printf(out, "%s%s", told == 1 ? "" : told == n ? " and " : ", ", array[i].name);
        }
    }
    if (n > 0) {
        bsim_buffer_printf(out, " stay%s as %s: a tile's layout is that of TMA's map or wgmma's descriptor%s.\n",
                           n == 1 ? "s" : "", n == 1 ? "it is" : "they are",
                           has_conflicts ? ", 32B, 64B, 128B or no swizzle, and 'banksim show --tma' tells "
                                           "which one its readers want"
                                         : "");
    }
}

/* What no plan moves, as a recording has the structs' bytes alone. */
static void add_untold(const struct bsim_check *check, const struct bsim_advice *advice,
                       struct bsim_buffer *out)
{
    const struct bsim_check_array *array = bsim_check_contents(check)->array;
    uint64_t found = bsim_advice_least(advice)->total.wavefronts;
    for (size_t i = 0; i < advice->n_arrays && found > advice->total.least; i++) {
        if (array[i].is_untold && is_in_conflict(advice, i)) {
            bsim_buffer_printf(out,
                               "%s has structs of %" PRIu32 " bytes, which all of these keep as they are: an array per "
                               "member was not tried; 'banksim check' counts that where members have 4 bytes.\n",
                               array[i].name, array[i].element_bytes);
        }
    }
}

/* "mx, mn stay as they are: ..." */
static void add_joined(const struct bsim_check *check, const struct bsim_advice *advice,
                       struct bsim_buffer *out)
{
    const struct bsim_check_array *array = bsim_check_contents(check)->array;
    for (size_t i = 0; i < advice->n_arrays; i++) {
        if (array[i].is_joined) {
            bsim_buffer_printf(out, "%s stay as they are: an access takes several of them together.\n",
                               array[i].name);
        }
    }
}

void bsim_advice_reach(const struct bsim_check *check, const struct bsim_advice *advice,
                       struct bsim_buffer *out)
{
    if (advice->n_plans == 0) {
        add_nothing(check, advice, out);
    } else {
        add_reach(check, advice, out);
    }
    add_tiles(check, advice, out);
    add_joined(check, advice, out);
    add_too_large(advice, out);
    add_within(check, advice, out);
    add_untold(check, advice, out);
}
