/* linear.c - the best of all layouts that are linear over GF(2): branch and bound over the bits of
 * the index.
 *
 * Such a layout gives each bit of a word's index a column, a number below the number of banks; the
 * bank of a word is the exclusive or of the columns of the bits that are set. As things are, bits 0
 * to 4 have the columns 1, 2, 4, 8, 16 and all others 0. A bitonic sort of 1024 floats, whose lane l
 * takes word 2l - (l & (j - 1)) and that plus j, is rid of its conflicts if bit 5 gets 31:
 *
 *     bit        9   8   7   6   5   4   3   2   1   0        i ^ (i >> 5 & 1) * 31
 *     column     0   0   0   0  31  16   8   4   2   1
 *
 *     j > 32: lanes differ in bits 0 to 4: 1, 2, 4, 8, 16          32 banks
 *     j = 1:                 bits 1 to 5: 2, 4, 8, 16, 31          32 banks, as 1 is their sum
 *
 * All there are is 32^10 of them, but
 *
 * - a request costs the same if all its words are moved by one exclusive or: what is the same up to
 *   that is kept once;
 * - banks may be renamed, linearly: a column is any in the span of those before it, or the next unit
 *   vector. So each layout is met once, and not once for each of 9,999,360 names;
 * - lanes that agree in all bits without a column have banks known relative to each other. The
 *   most of them in one bank is a bound of what the group takes, whatever the other columns are,
 *   and it only rises: a branch whose bounds add up to what was found already is cut off;
 * - which columns raise the bound of a group is found for all of them at once: those that bring a bank
 *   of its lanes without the bit to one of its lanes with it, that bank moved by each other one. Most
 *   columns are cut off so, by the first group or two, and are never tried;
 * - what reaches the bounds of the root is the best.
 *
 * It does not matter whether a request is linear itself. The work is limited by a count and not by
 * a clock, so that the answer is always the same; when it runs out, is_exhausted says so.
 */
#include "advise/linear.h"

#include "base/bits.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { TABLE_SIZE = 2 * BSIM_LINEAR_MAX_GROUPS, MOST_BANK_BITS = 6 };

_Static_assert(BSIM_LINEAR_MAX_GROUPS < UINT16_MAX, "a group's number fits into the table");

bool bsim_linear_begin(struct bsim_linear *linear)
{
    linear->table = bsim_mem_zeroed(TABLE_SIZE, sizeof *linear->table);
    linear->group = bsim_mem_zeroed(BSIM_LINEAR_MAX_GROUPS, sizeof *linear->group);
    return linear->table != NULL && linear->group != NULL;
}

void bsim_linear_end(struct bsim_linear *linear)
{
    bsim_mem_free(linear->table);
    bsim_mem_free(linear->group);
    linear->table = NULL;
    linear->group = NULL;
}

/* ---- groups -------------------------------------------------------------------------------- */

static uint64_t scatter(uint64_t n)
{
    n = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return n ^ n >> 29;
}

/* Of a set of words, in whatever order. */
static uint64_t hash(const struct bsim_linear_group *group, uint32_t moved_by)
{
    uint64_t sum = group->n;
    for (uint32_t i = 0; i < group->n; i++) {
        sum += scatter(group->at[i] ^ moved_by);
    }
    return scatter(sum);
}

static int compare(const void *first, const void *second)
{
    uint32_t a = *(const uint32_t *)first;
    uint32_t b = *(const uint32_t *)second;
    return a < b ? -1 : a > b;
}

static void sort(struct bsim_linear_group *group, bool shares)
{
    uint32_t n = 0;
    qsort(group->at, group->n, sizeof group->at[0], compare);
    for (uint32_t i = 0; i < group->n; i++) {
        if (n == 0 || !shares || group->at[i] != group->at[n - 1]) {
            group->at[n++] = group->at[i];
        }
    }
    memset(&group->at[n], 0, (group->n - n) * sizeof group->at[0]);
    group->n = n;
}

/* Moves one of the words to 0: that which gives the least hash, so that it does not matter how the
 * group lay before. */
static void settle(struct bsim_linear_group *group)
{
    uint32_t by = group->at[0];
    uint64_t least = hash(group, by);
    for (uint32_t i = 1; i < group->n; i++) {
        uint64_t other = hash(group, group->at[i]);
        if (other < least) {
            least = other;
            by = group->at[i];
        }
    }
    for (uint32_t i = 0; i < group->n; i++) {
        group->at[i] ^= by;
    }
    qsort(group->at, group->n, sizeof group->at[0], compare);
}

static bool is_same(const struct bsim_linear_group *a, const struct bsim_linear_group *b)
{
    return a->n == b->n && memcmp(a->at, b->at, sizeof a->at) == 0;
}

void bsim_linear_add(struct bsim_linear *linear, const uint32_t *at, uint32_t n, uint64_t weight,
                     bool shares)
{
    struct bsim_linear_group group = {.weight = weight, .n = n};
    memcpy(group.at, at, n * sizeof *at);
    sort(&group, shares);
    if (!linear->stays) {
        settle(&group);
    }
    uint32_t slot = (uint32_t)(hash(&group, 0) % TABLE_SIZE);
    while (linear->table[slot] != 0) {
        struct bsim_linear_group *other = &linear->group[linear->table[slot] - 1];
        if (is_same(other, &group)) {
            other->weight += weight;
            return;
        }
        slot = (slot + 1) % TABLE_SIZE;
    }
    if (linear->n_groups == BSIM_LINEAR_MAX_GROUPS) {
        linear->is_full = true;
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        linear->effective |= group.at[i];
    }
    linear->group[linear->n_groups++] = group;
    linear->table[slot] = (uint16_t)linear->n_groups;
}

uint32_t bsim_linear_alike(const struct bsim_linear_group *group)
{
    uint32_t most = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < group->n; i++) {
        n = i > 0 && group->at[i] == group->at[i - 1] ? n + 1 : 1;
        most = n > most ? n : most;
    }
    return most;
}

/* ---- bounds -------------------------------------------------------------------------------- */

/* A group during the search. */
struct state {
    uint32_t varies;                                          /* bits in which its lanes differ */
    uint8_t has[BSIM_LINEAR_MAX_BITS][BSIM_LINEAR_MAX_LANES]; /* 0xff: the bit is set in the lane */
    uint8_t step[BSIM_LINEAR_MAX_BITS]; /* by depth: how many bits before it vary */
    /* By step: the banks by the columns so far; lanes that agree in all bits without a column, which
     * are neighbours, the sets of two and more of them; and the bound of what the group takes. */
    uint8_t bank[BSIM_LINEAR_MAX_BITS + 1][BSIM_LINEAR_MAX_LANES];
    uint8_t begin[BSIM_LINEAR_MAX_BITS + 1][BSIM_LINEAR_MAX_LANES / 2];
    uint8_t end[BSIM_LINEAR_MAX_BITS + 1][BSIM_LINEAR_MAX_LANES / 2];
    uint8_t n_sets[BSIM_LINEAR_MAX_BITS + 1];
    uint8_t bound[BSIM_LINEAR_MAX_BITS + 1];
    uint64_t raising[BSIM_LINEAR_MAX_BITS]; /* by step: columns of the next bit that raise it */
};

struct search {
    struct bsim_linear *linear;
    struct state *state;
    uint32_t n_bits;
    uint32_t bit[BSIM_LINEAR_MAX_BITS]; /* by depth: whose column is next */
    uint32_t column[BSIM_LINEAR_MAX_BITS];
    uint64_t limit;
    bool is_over;
    /* By depth: the groups that vary in its bit, those that cut branches first. */
    uint16_t n_groups[BSIM_LINEAR_MAX_BITS];
    uint16_t order[BSIM_LINEAR_MAX_BITS][BSIM_LINEAR_MAX_GROUPS];
};

/* The most lanes of one set in one bank, if that is more than `before`. */
static uint32_t busiest(const struct state *state, uint32_t step, uint32_t before)
{
    const uint8_t *bank = state->bank[step];
    uint32_t most = before;
    for (uint32_t i = 0; i < state->n_sets[step]; i++) {
        uint32_t end = state->end[step][i];
        uint32_t lane = state->begin[step][i];
        if (end - lane > most) {
            uint8_t count[1 << MOST_BANK_BITS] = {0};
            for (; lane < end; lane++) {
                uint32_t times = ++count[bank[lane]];
                most = times > most ? times : most;
            }
        }
    }
    return most;
}

/* Lanes that agree in the bits without a column, `open`, which lie next to one another. */
static void find_sets(const struct bsim_linear_group *group, struct state *state, uint32_t step,
                      uint32_t open)
{
    uint32_t begin = 0;
    state->n_sets[step] = 0;
    for (uint32_t i = 1; i <= group->n; i++) {
        if (i < group->n && ((group->at[i] ^ group->at[begin]) & open) == 0) {
            continue;
        }
        if (i - begin > 1) {
            state->begin[step][state->n_sets[step]] = (uint8_t)begin;
            state->end[step][state->n_sets[step]++] = (uint8_t)i;
        }
        begin = i;
    }
}

/* Sorts the lanes by their bits, those that get a column first being the last to tell. */
static void sort_lanes(const struct search *search, struct bsim_linear_group *group)
{
    uint32_t from[BSIM_LINEAR_MAX_LANES];
    for (uint32_t depth = 0; depth < search->n_bits; depth++) {
        uint32_t n = 0;
        memcpy(from, group->at, sizeof from);
        for (uint32_t value = 0; value < 2; value++) {
            for (uint32_t i = 0; i < group->n; i++) {
                if ((from[i] >> search->bit[depth] & 1) == value) {
                    group->at[n++] = from[i];
                }
            }
        }
    }
}

/* The bits in which the group varies, in the order in which they get columns. */
static void find_steps(struct search *search, size_t number)
{
    struct state *state = &search->state[number];
    uint32_t open = state->varies & ~((UINT32_C(1) << search->linear->fixed_bits) - 1);
    uint8_t step = 0;
    find_sets(&search->linear->group[number], state, 0, open);
    for (uint32_t depth = 0; depth < search->n_bits; depth++) {
        uint32_t bit = UINT32_C(1) << search->bit[depth];
        state->step[depth] = step;
        if ((state->varies & bit) != 0) {
            open &= ~bit;
            find_sets(&search->linear->group[number], state, ++step, open);
            search->order[depth][search->n_groups[depth]++] = (uint16_t)number;
        }
    }
}

/* What the words of each residue take of the banks that they may lie in. */
static uint32_t fill(const struct bsim_linear *linear, const struct bsim_linear_group *group)
{
    uint32_t n_free = UINT32_C(1) << (linear->bank_bits - linear->fixed_bits);
    uint32_t most = 0;
    for (uint32_t residue = 0; residue < UINT32_C(1) << linear->fixed_bits; residue++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < group->n; i++) {
            n += (group->at[i] & ((UINT32_C(1) << linear->fixed_bits) - 1)) == residue;
        }
        most = n > most ? n : most;
    }
    return (most + n_free - 1) / n_free;
}

static void begin_group(struct search *search, size_t number)
{
    struct bsim_linear_group *group = &search->linear->group[number];
    struct state *state = &search->state[number];
    sort_lanes(search, group);
    for (uint32_t i = 0; i < group->n; i++) {
        state->varies |= group->at[i];
        state->bank[0][i] =
            (uint8_t)(group->at[i] & ((UINT32_C(1) << search->linear->fixed_bits) - 1));
        for (uint32_t bit = 0; bit < BSIM_LINEAR_MAX_BITS; bit++) {
            state->has[bit][i] = (group->at[i] >> bit & 1) != 0 ? UINT8_MAX : 0;
        }
    }
    find_steps(search, number);
    uint32_t known = busiest(state, 0, 1);
    uint32_t filled = fill(search->linear, group);
    state->bound[0] = (uint8_t)(known > filled ? known : filled);
    group->bound = state->bound[0];
    search->linear->root += group->weight * group->bound;
}

/* ---- branches ------------------------------------------------------------------------------ */

/* All lanes, there or not, eight at once. */
static void move(struct state *state, uint32_t step, uint32_t bit, uint32_t column)
{
    uint64_t bank[BSIM_LINEAR_MAX_LANES / 8], has[BSIM_LINEAR_MAX_LANES / 8];
    memcpy(bank, state->bank[step], sizeof bank);
    memcpy(has, state->has[bit], sizeof has);
    for (uint32_t i = 0; i < BSIM_LINEAR_MAX_LANES / 8; i++) {
        bank[i] ^= has[i] & column * UINT64_C(0x0101010101010101);
    }
    memcpy(state->bank[step + 1], bank, sizeof bank);
}

/* level[i]: a bit for each bank that has more than i of the lanes from `begin` to `end`. */
static void find_levels(const uint8_t *bank, uint32_t begin, uint32_t end, uint32_t n,
                        uint64_t level[BSIM_LINEAR_MAX_LANES])
{
    memset(level, 0, n * sizeof *level);
    for (uint32_t lane = begin; lane < end; lane++) {
        uint64_t bit = UINT64_C(1) << bank[lane];
        for (uint32_t i = 0; i < n && bit != 0; i++) {
            uint64_t again = level[i] & bit;
            level[i] |= bit;
            bit = again;
        }
    }
}

/* The set of banks, each exclusive or `by`. */
static uint64_t moved_banks(uint64_t banks, uint32_t by)
{
    static const uint64_t low[] = {UINT64_C(0x5555555555555555), UINT64_C(0x3333333333333333),
                                   UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x00ff00ff00ff00ff),
                                   UINT64_C(0x0000ffff0000ffff), UINT64_C(0x00000000ffffffff)};
    for (; by != 0; by &= by - 1) {
        uint32_t bit = bsim_bits_lowest(by);
        uint32_t by_bit = UINT32_C(1) << bit;
        banks = (banks & low[bit]) << by_bit | (banks >> by_bit & low[bit]);
    }
    return banks;
}

static uint32_t lowest_of(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    return low != 0 ? bsim_bits_lowest(low) : 32 + bsim_bits_lowest((uint32_t)(bits >> 32));
}

/* In one set, lanes without the bit stand before those with it, from `with` on. A column that brings a
 * bank of the ones to a bank of the others puts both their lanes there. */
static uint64_t raising_in(const uint8_t *bank, uint32_t begin, uint32_t with, uint32_t end,
                           uint32_t most)
{
    uint64_t without[BSIM_LINEAR_MAX_LANES];
    uint64_t has[BSIM_LINEAR_MAX_LANES];
    uint64_t raising = 0;
    find_levels(bank, begin, with, most, without);
    find_levels(bank, with, end, most, has);
    for (uint32_t i = 0; i < most; i++) {
        for (uint64_t rest = without[i]; rest != 0 && has[most - 1 - i] != 0; rest &= rest - 1) {
            raising |= moved_banks(has[most - 1 - i], lowest_of(rest));
        }
    }
    return raising;
}

/* Of the columns of the next bit those that raise the bound of the group. */
static uint64_t find_raising(const struct state *state, uint32_t step, uint32_t bit,
                             uint64_t columns)
{
    uint64_t raising = 0;
    for (uint32_t i = 0; i < state->n_sets[step + 1] && (columns & ~raising) != 0; i++) {
        uint32_t end = state->end[step + 1][i];
        uint32_t begin = state->begin[step + 1][i];
        uint32_t with = begin;
        while (with < end && state->has[bit][with] == 0) {
            with++;
        }
        raising |= raising_in(state->bank[step], begin, with, end, state->bound[step]);
    }
    return raising;
}

/* Lanes of eight, about as long as a look at them takes. */
static uint32_t cost_of_look(const struct bsim_linear_group *group)
{
    return (group->n + 7) / 8;
}

/* Of the columns those that may stay below the limit, by what they raise at least. */
static uint64_t screen(struct search *search, uint32_t depth, uint64_t columns, uint64_t bound)
{
    uint64_t rise[1 << MOST_BANK_BITS] = {0};
    uint16_t *order = search->order[depth];
    for (size_t k = 0; k < search->n_groups[depth] && columns != 0; k++) {
        uint16_t i = order[k];
        struct state *state = &search->state[i];
        uint32_t step = state->step[depth];
        uint64_t raising = find_raising(state, step, search->bit[depth], columns);
        uint64_t before = columns;
        search->linear->work += cost_of_look(&search->linear->group[i]);
        state->raising[step] = raising;
        for (uint64_t rest = raising & columns; rest != 0; rest &= rest - 1) {
            uint32_t column = lowest_of(rest);
            rise[column] += search->linear->group[i].weight;
            columns ^= (uint64_t)(bound + rise[column] >= search->limit) << column;
        }
        if (columns != before) { /* comes one earlier from now on */
            order[k] = order[k > 0 ? k - 1 : 0];
            order[k > 0 ? k - 1 : 0] = i;
        }
    }
    return columns;
}

/* Gives the next bit a column, one that was not screened out, group by group, until *bound reaches the
 * limit. */
static void give(struct search *search, uint32_t depth, uint32_t column, uint64_t *bound)
{
    struct bsim_linear *linear = search->linear;
    const uint16_t *order = search->order[depth];
    for (size_t k = 0; k < search->n_groups[depth] && *bound < search->limit; k++) {
        uint16_t i = order[k];
        struct state *state = &search->state[i];
        uint32_t step = state->step[depth];
        uint8_t before = state->bound[step];
        move(state, step, search->bit[depth], column);
        state->bound[step + 1] = before;
        if ((state->raising[step] >> column & 1) != 0) {
            linear->work += cost_of_look(&linear->group[i]);
            state->bound[step + 1] = (uint8_t)busiest(state, step + 1, before);
            *bound += linear->group[i].weight * (state->bound[step + 1] - before);
        }
    }
}

static void keep(struct search *search, uint64_t cost)
{
    search->linear->is_found = true;
    search->linear->least = search->limit = cost;
    memcpy(search->linear->column, search->column, sizeof search->column);
    search->is_over = cost <= search->linear->root;
}

static void branch(struct search *search, uint32_t depth, uint32_t rank, uint64_t bound);

/* rank: of the columns so far and this one, those of the fixed bits included. */
static void try_column(struct search *search, uint32_t depth, uint32_t rank, uint32_t column,
                       uint64_t bound)
{
    if (search->is_over || search->linear->work > search->linear->most_work) {
        return;
    }
    give(search, depth, column, &bound);
    if (bound < search->limit) {
        search->column[search->bit[depth]] = column;
        branch(search, depth + 1, rank, bound);
    }
}

/* The next unit vector first. */
static void branch(struct search *search, uint32_t depth, uint32_t rank, uint64_t bound)
{
    uint32_t step = UINT32_C(1) << search->linear->fixed_bits;
    uint32_t next = UINT32_C(1) << rank;
    uint64_t columns = rank < search->linear->bank_bits ? UINT64_C(1) << next : 0;
    if (depth == search->n_bits) {
        keep(search, bound);
        return;
    }
    for (uint32_t column = 0; column < next; column += step) {
        columns |= UINT64_C(1) << column;
    }
    columns = screen(search, depth, columns, bound);
    if (rank < search->linear->bank_bits && (columns >> next & 1) != 0) {
        try_column(search, depth, rank + 1, next, bound);
    }
    for (uint32_t column = 0; column < next; column += step) {
        if ((columns >> column & 1) != 0) {
            try_column(search, depth, rank, column, bound);
        }
    }
}

bool bsim_linear_solve(struct bsim_linear *linear, uint64_t limit)
{
    struct search *search = bsim_mem_zeroed(1, sizeof *search);
    struct state *state = bsim_mem_zeroed(linear->n_groups + 1, sizeof *state);
    linear->is_found = linear->is_exhausted = false;
    linear->work = linear->root = 0;
    if (search != NULL && state != NULL) {
        search->linear = linear;
        search->state = state;
        search->limit = limit;
        for (uint32_t bit = 0; bit < linear->fixed_bits; bit++) {
            search->column[bit] = UINT32_C(1) << bit;
        }
        for (uint32_t bit = linear->fixed_bits; bit < linear->n_bits; bit++) {
            if ((linear->effective >> bit & 1) != 0) {
                search->bit[search->n_bits++] = bit;
            }
        }
        for (size_t i = 0; i < linear->n_groups; i++) {
            begin_group(search, i);
        }
        if (linear->root < limit) {
            branch(search, 0, linear->fixed_bits, linear->root);
        }
        linear->is_exhausted = !linear->is_full && linear->work <= linear->most_work;
    }
    bsim_mem_free(search);
    bsim_mem_free(state);
    return search != NULL && state != NULL;
}

/* ---- the map of the units ------------------------------------------------------------------ */

/* Columns shifted to units, and the bits whose columns are a basis. */
struct frame {
    uint32_t bank_bits, n_bits;
    uint32_t column[BSIM_LINEAR_MAX_BITS];
    uint32_t pivots;                                        /* a set of bits */
    uint32_t reduced[MOST_BANK_BITS], name[MOST_BANK_BITS]; /* by highest bit of the vector */
};

/* The vector less what the pivots make of it; *name: their names. 0: they make all of it. */
static uint32_t reduce(const struct frame *frame, uint32_t vector, uint32_t *name)
{
    *name = 0;
    for (uint32_t bit = MOST_BANK_BITS; bit-- > 0;) {
        if ((vector >> bit & 1) != 0 && frame->reduced[bit] != 0) {
            vector ^= frame->reduced[bit];
            *name ^= frame->name[bit];
        }
    }
    return vector;
}

static bool add_pivot(struct frame *frame, uint32_t bit, uint32_t name)
{
    uint32_t others;
    uint32_t rest = reduce(frame, frame->column[bit], &others);
    if (rest == 0) {
        return false;
    }
    frame->reduced[bsim_bits_highest(rest)] = rest;
    frame->name[bsim_bits_highest(rest)] = name ^ others;
    frame->pivots |= UINT32_C(1) << bit;
    return true;
}

static uint32_t lowest_without(uint32_t bits)
{
    return bsim_bits_lowest(~bits);
}

/* Bits whose columns are a basis of the banks, the lowest that can be. A bit more in a column of
 * which no other has any parts what was together, and does no harm; and bits in which no lanes
 * differ can have any column. */
static void find_pivots(struct frame *frame, uint32_t effective)
{
    uint32_t low = (UINT32_C(1) << frame->bank_bits) - 1;
    for (uint32_t bit = 0; bit < frame->n_bits; bit++) {
        (void)((effective >> bit & 1) != 0 && add_pivot(frame, bit, 0));
    }
    while (bsim_bits_population(frame->pivots) < frame->bank_bits) {
        uint32_t bit = lowest_without(frame->pivots);
        uint32_t name;
        uint32_t more = 1;
        while (reduce(frame, more, &name) == 0) {
            more <<= 1;
        }
        frame->column[bit] ^= more;
        (void)add_pivot(frame, bit, 0);
    }
    for (uint32_t bit = 0; bit < frame->bank_bits; bit++) {
        if (((frame->pivots | effective) >> bit & 1) == 0) {
            uint32_t high = bsim_bits_highest(frame->pivots & ~low);
            frame->column[bit] = frame->column[high];
            frame->pivots ^= UINT32_C(1) << high | UINT32_C(1) << bit;
        }
    }
}

/* Names the banks by the pivots: a low one is itself, a high one takes the place of a low bit that
 * is none. */
static void name_banks(struct frame *frame, uint32_t pair[BSIM_LINEAR_MAX_BITS])
{
    uint32_t pivots = frame->pivots;
    uint32_t taken = pivots;
    memset(frame->reduced, 0, sizeof frame->reduced);
    for (uint32_t bit = 0; bit < frame->n_bits; bit++) {
        if ((pivots >> bit & 1) == 0) {
            continue;
        }
        pair[bit] = bit;
        if (bit >= frame->bank_bits) {
            pair[bit] = lowest_without(taken);
            pair[pair[bit]] = bit;
            taken |= UINT32_C(1) << pair[bit];
        }
        (void)add_pivot(frame, bit, UINT32_C(1) << pair[bit]);
    }
}

/* With low bits that are a basis it is i ^ X(i >> bank bits), X the other columns. A high pivot p
 * and the low bit q whose place it takes flip each other: from the rows of p and q both can be
 * told. */
void bsim_linear_flips(const struct bsim_linear *linear, uint32_t flip[BSIM_LINEAR_MAX_BITS],
                       uint32_t *block)
{
    struct frame frame = {.bank_bits = linear->bank_bits - linear->fixed_bits,
                          .n_bits = linear->n_bits - linear->fixed_bits};
    uint32_t pair[BSIM_LINEAR_MAX_BITS] = {0};
    uint32_t all = 0;
    for (uint32_t bit = 0; bit < frame.n_bits; bit++) {
        frame.column[bit] = linear->column[bit + linear->fixed_bits] >> linear->fixed_bits;
    }
    find_pivots(&frame, linear->effective >> linear->fixed_bits);
    name_banks(&frame, pair);
    memset(flip, 0, BSIM_LINEAR_MAX_BITS * sizeof *flip);
    for (uint32_t bit = 0; bit < frame.n_bits; bit++) {
        bool is_pivot = (frame.pivots >> bit & 1) != 0;
        (void)reduce(&frame, frame.column[bit], &flip[bit]);
        if (bit < frame.bank_bits) {
            flip[bit] ^= UINT32_C(1) << bit ^ (is_pivot ? 0 : UINT32_C(1) << pair[bit]);
        }
        all |= flip[bit];
    }
    *block = all == 0 ? 0 : bsim_bits_highest(all) + 1;
}
