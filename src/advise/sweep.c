/* sweep.c - rotations of two levels in rows of any power of two, and flips on top.
 *
 * A padding moves each row on by so much, and all that is behind it too; a rotation moves the row's own
 * end to its beginning, and takes no room. In rows of all banks both put every word into the same bank:
 *
 *     s[i + i / 32 * 4]                          bank (i + i / 32 * 4) % 32, and 128 bytes for 1024
 *     s[i - i % 32 + (i + i / 32 * 4) % 32]      the same bank, and no more bytes
 *
 * Bits of the row's number may flip bits of that, which carries do not cross. So a layout is a row's
 * length, what each row turns by, what each few rows turn by, and a swizzle. For each length
 *
 *     1  all turns of rows                   3  each swizzle with all turns of rows
 *     2  all pairs of the two turns          4  each swizzle with the best pairs
 *
 * and then draws of all at once, which are the same in each run, as long as there is work: as much for one
 * length as for another. A unit is
 * what stays together (fit.c). What is looked at are groups of lanes: their rows are known, so a
 * look is a sum and a count of each bank. What is found is counted by the model before it is taken.
 */
#include "advise/sweep.h"

#include "advise/fit.h"
#include "base/bits.h"
#include "base/memory.h"

#include <string.h>

enum {
    MOST_LOOKS = 1 << 17, /* at groups: some ten milliseconds */
    LANES = BSIM_LINEAR_MAX_LANES,
    MOST_BANKS = 1 << 6,
    MOST_PERIODS = 8, /* a row has so many times all banks */
    MOST_BEST = 8,
    MOST_BLOCK_BITS = 5,
    MOST_SWIZZLES = 512,
};

/* All in units. */
struct turns {
    uint32_t row, block;     /* units, rows: powers of two */
    uint32_t turn, second;   /* by row, by block */
    uint32_t bits, to, from; /* bits `from` up of the unit's number flip those `to` up */
};

/* A group of lanes in rows of one length. */
struct lanes {
    uint64_t weight;
    uint32_t n, bound;      /* lanes; turns that they take at least */
    uint8_t residue[LANES]; /* the bank within the unit */
    uint8_t kept[LANES];    /* of the unit's bank, what is more than a row */
    uint8_t column[LANES];
    uint8_t row[LANES];
    uint32_t unit[LANES];
};

struct best {
    uint64_t cost;
    struct turns turns;
};

struct sweep {
    struct bsim_search *search;
    struct bsim_linear linear; /* has the groups */
    struct lanes *lanes;
    uint16_t *order;     /* of the groups: those that cost most come first */
    uint32_t unit;       /* elements */
    uint32_t fixed_bits; /* banks of a unit, log2 */
    uint32_t n_banks;    /* that a unit may lie in */
    uint32_t unit_bits;  /* of a unit's number */
    uint32_t wrap;       /* what a sum of columns and turns keeps of the bank */
    uint64_t rest;       /* the least that all groups take */
    uint64_t limit;      /* what is looked for costs less */
    uint64_t looks, end;
    uint64_t draws;
    bool is_found;
    struct turns found;
    uint32_t n_swizzles;
    struct turns swizzle[MOST_SWIZZLES]; /* for rows of one length */
    uint32_t n_best;
    struct best best[MOST_BEST]; /* pairs without a swizzle, the best first */
};

static bool is_over(const struct sweep *sweep)
{
    return sweep->looks >= sweep->end || sweep->limit <= sweep->rest;
}

/* ---- what it costs ------------------------------------------------------------------------- */

/* Sets the rows that the groups lie in. */
static void cut(struct sweep *sweep, uint32_t row)
{
    uint32_t banks = sweep->n_banks - 1;
    sweep->wrap = row > sweep->n_banks ? banks : row - 1;
    for (size_t i = 0; i < sweep->linear.n_groups; i++) {
        struct lanes *lanes = &sweep->lanes[i];
        for (uint32_t lane = 0; lane < lanes->n; lane++) {
            uint32_t unit = lanes->unit[lane];
            lanes->kept[lane] = (uint8_t)(unit & banks & ~sweep->wrap);
            lanes->column[lane] = (uint8_t)(unit & sweep->wrap);
            lanes->row[lane] = (uint8_t)(unit / row);
        }
    }
}

/* Where the units of a group are, the rows being cut. Rows are counted up to 255, and blocks of up to
 * 32 of them; what is behind that is counted by the model alone. */
static void find_banks(const struct sweep *sweep, const struct lanes *lanes,
                       const struct turns *turns, uint8_t bank[LANES])
{
    uint32_t shift = bsim_bits_lowest(turns->block);
    uint8_t turn = (uint8_t)turns->turn;
    uint8_t second = (uint8_t)turns->second;
    uint8_t wrap = (uint8_t)sweep->wrap;
    for (uint32_t lane = 0; lane < LANES; lane++) {
        uint8_t by = (uint8_t)(lanes->row[lane] * turn + (lanes->row[lane] >> shift) * second);
        bank[lane] = (uint8_t)(lanes->kept[lane] | ((lanes->column[lane] + by) & wrap));
    }
    uint32_t mask = (UINT32_C(1) << turns->bits) - 1;
    for (uint32_t lane = 0; lane < lanes->n && mask != 0; lane++) {
        bank[lane] ^= (uint8_t)((lanes->unit[lane] >> turns->from & mask) << turns->to);
    }
}

/* Adds what the group takes beyond its bound; false as soon as that is no less than the limit. */
static bool add_cost(const struct sweep *sweep, const struct lanes *lanes,
                     const struct turns *turns, uint64_t limit, uint64_t *cost)
{
    uint8_t bank[LANES];
    uint8_t times[MOST_BANKS] = {0};
    uint32_t most = lanes->bound;
    find_banks(sweep, lanes, turns, bank);
    for (uint32_t lane = 0; lane < lanes->n; lane++) {
        if (++times[bank[lane] << sweep->fixed_bits | lanes->residue[lane]] > most) {
            most++;
            *cost += lanes->weight;
            if (*cost >= limit) {
                return false;
            }
        }
    }
    return true;
}

/* UINT64_MAX: not less than the limit. */
static uint64_t cost_of(struct sweep *sweep, const struct turns *turns, uint64_t limit)
{
    uint64_t cost = sweep->rest;
    for (size_t k = 0; k < sweep->linear.n_groups; k++) {
        uint16_t i = sweep->order[k];
        sweep->looks++;
        if (!add_cost(sweep, &sweep->lanes[i], turns, limit, &cost)) {
            sweep->order[k] = sweep->order[k / 2];
            sweep->order[k / 2] = i;
            return UINT64_MAX;
        }
    }
    return cost;
}

/* Answers whether that is less than all before. */
static bool look(struct sweep *sweep, const struct turns *turns)
{
    uint64_t cost = cost_of(sweep, turns, sweep->limit);
    if (cost == UINT64_MAX) {
        return false;
    }
    sweep->limit = cost;
    sweep->found = *turns;
    sweep->is_found = true;
    return true;
}

/* ---- groups ------------------------------------------------------------------------------------ */

/* The least that the words of a group take: those of one residue share so many banks. */
static uint32_t fill(const struct sweep *sweep, const struct lanes *lanes)
{
    uint32_t n[MOST_BANKS] = {0};
    uint32_t most = 0;
    for (uint32_t lane = 0; lane < lanes->n; lane++) {
        n[lanes->residue[lane]]++;
        most = n[lanes->residue[lane]] > most ? n[lanes->residue[lane]] : most;
    }
    return (most + sweep->n_banks - 1) / sweep->n_banks;
}

static void take_groups(struct sweep *sweep)
{
    uint32_t within = (UINT32_C(1) << sweep->fixed_bits) - 1;
    for (size_t i = 0; i < sweep->linear.n_groups; i++) {
        const struct bsim_linear_group *group = &sweep->linear.group[i];
        struct lanes *lanes = &sweep->lanes[i];
        sweep->order[i] = (uint16_t)i;
        *lanes = (struct lanes){.weight = group->weight, .n = group->n};
        for (uint32_t lane = 0; lane < group->n; lane++) {
            lanes->residue[lane] = (uint8_t)(group->at[lane] & within);
            lanes->unit[lane] = group->at[lane] >> sweep->fixed_bits;
        }
        uint32_t filled = fill(sweep, lanes);
        uint32_t alike = bsim_linear_alike(group);
        lanes->bound = filled > alike ? filled : alike;
        sweep->rest += lanes->weight * lanes->bound;
    }
}

/* ---- layouts ------------------------------------------------------------------------------- */

static void make_layout(const struct sweep *sweep, const struct turns *turns,
                        struct bsim_layout *layout)
{
    uint32_t base = bsim_bits_lowest(sweep->unit);
    *layout = (struct bsim_layout){.kind = BSIM_LAYOUT_ROTATE,
                                   .row = turns->row * sweep->unit,
                                   .turn = turns->turn * sweep->unit,
                                   .block_rows = turns->block,
                                   .block_turn = turns->second * sweep->unit};
    for (uint32_t bit = 0; bit < turns->bits; bit++) {
        layout->flip[base + turns->from + bit] = UINT32_C(1) << (base + turns->to + bit);
    }
    if (turns->bits > 0) {
        layout->base = base;
        layout->bits = turns->to + turns->bits;
    }
}

/* ---- what is tried ------------------------------------------------------------------------------ */

static uint32_t end_of_turns(const struct sweep *sweep, const struct turns *turns)
{
    return turns->row > sweep->n_banks ? sweep->n_banks : turns->row;
}

static void turn_rows(struct sweep *sweep, struct turns turns)
{
    for (turns.turn = 1; turns.turn < end_of_turns(sweep, &turns) && !is_over(sweep);
         turns.turn++) {
        (void)look(sweep, &turns);
    }
}

/* Keeps the best pairs, each once. */
static void note(struct sweep *sweep, const struct turns *turns, uint64_t cost)
{
    uint32_t k = sweep->n_best < MOST_BEST ? sweep->n_best++ : MOST_BEST - 1;
    for (; k > 0 && cost < sweep->best[k - 1].cost; k--) {
        sweep->best[k] = sweep->best[k - 1];
    }
    sweep->best[k] = (struct best){cost, *turns};
}

/* Of pairs that are near enough to what is looked for: each swizzle may bring them there. */
static uint64_t worst_of_best(const struct sweep *sweep)
{
    uint64_t near = sweep->limit + (sweep->limit - sweep->rest) / 4;
    return sweep->n_best < MOST_BEST || near < sweep->best[MOST_BEST - 1].cost
               ? near
               : sweep->best[MOST_BEST - 1].cost;
}

static void turn_pairs(struct sweep *sweep, struct turns turns)
{
    uint32_t end = end_of_turns(sweep, &turns);
    for (uint32_t i = 0; i < end * end && !is_over(sweep); i++) {
        turns.turn = i / end;
        turns.second = i % end;
        uint64_t cost =
            turns.second == 0 ? UINT64_MAX : cost_of(sweep, &turns, worst_of_best(sweep));
        if (cost < worst_of_best(sweep)) {
            note(sweep, &turns, cost);
        }
        if (cost < sweep->limit) {
            sweep->limit = cost;
            sweep->found = turns;
            sweep->is_found = true;
        }
    }
}

/* Swizzles of whose bits none is within a row: what turns it leaves them alone. */
static void list_swizzles(struct sweep *sweep, uint32_t row)
{
    uint32_t bank_bits = bsim_bits_lowest(sweep->n_banks);
    struct turns turns = {.row = row};
    sweep->n_swizzles = 0;
    for (turns.to = 0; turns.to < bank_bits; turns.to++) {
        turns.from = bsim_bits_lowest(row);
        turns.from = turns.from > turns.to ? turns.from : turns.to + 1;
        for (; turns.from < sweep->unit_bits; turns.from++) {
            for (turns.bits = 1;
                 turns.to + turns.bits <= bank_bits && turns.from + turns.bits <= sweep->unit_bits;
                 turns.bits++) {
                if (sweep->n_swizzles < MOST_SWIZZLES) {
                    sweep->swizzle[sweep->n_swizzles++] = turns;
                }
            }
        }
    }
}

static void set_swizzle(const struct sweep *sweep, uint32_t number, struct turns *turns)
{
    turns->bits = sweep->swizzle[number].bits;
    turns->from = sweep->swizzle[number].from;
    turns->to = sweep->swizzle[number].to;
}

static void turn_and_flip(struct sweep *sweep, struct turns turns)
{
    for (uint32_t i = 0; i < sweep->n_swizzles && !is_over(sweep); i++) {
        set_swizzle(sweep, i, &turns);
        turn_rows(sweep, turns);
    }
}

static void flip_best(struct sweep *sweep)
{
    for (uint32_t k = 0; k < sweep->n_best; k++) {
        struct turns turns = sweep->best[k].turns;
        for (uint32_t i = 0; i < sweep->n_swizzles && !is_over(sweep); i++) {
            set_swizzle(sweep, i, &turns);
            (void)look(sweep, &turns);
        }
    }
}

static uint32_t draw(struct sweep *sweep, uint32_t below)
{
    sweep->draws = sweep->draws * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((sweep->draws >> 33) % below);
}

/* All at once. */
static void draw_turns(struct sweep *sweep, struct turns turns)
{
    uint32_t most = end_of_turns(sweep, &turns);
    while (sweep->n_swizzles > 0 && !is_over(sweep)) {
        turns.block = UINT32_C(2) << draw(sweep, MOST_BLOCK_BITS);
        turns.turn = draw(sweep, most);
        turns.second = draw(sweep, most);
        set_swizzle(sweep, draw(sweep, sweep->n_swizzles), &turns);
        (void)look(sweep, &turns);
    }
}

/* ---- one array ------------------------------------------------------------------------------- */

static void sweep_row(struct sweep *sweep, uint32_t row, uint32_t rows_left)
{
    struct turns turns = {.row = row, .block = 2};
    sweep->end = sweep->looks + (MOST_LOOKS - sweep->looks) / rows_left;
    cut(sweep, row);
    sweep->n_best = 0;
    turn_rows(sweep, turns);
    for (; turns.block <= UINT32_C(1) << MOST_BLOCK_BITS &&
           row * turns.block >> sweep->unit_bits == 0;
         turns.block *= 2) {
        turn_pairs(sweep, turns);
    }
    turns.block = 2;
    list_swizzles(sweep, row);
    turn_and_flip(sweep, turns);
    flip_best(sweep);
    draw_turns(sweep, turns);
}

/* Each length has its share of the work that is left. */
static void sweep_rows(struct sweep *sweep)
{
    uint32_t most = MOST_PERIODS * sweep->n_banks;
    uint32_t n = 0;
    for (uint32_t row = most; row >= 2; row /= 2) {
        n += row >> sweep->unit_bits == 0;
    }
    for (uint32_t row = 2; row <= most && n > 0 && sweep->limit > sweep->rest; row *= 2) {
        if (row >> sweep->unit_bits == 0) {
            sweep_row(sweep, row, n--);
        }
    }
}

/* One turn, where that is as good as two. */
static void simplify(struct sweep *sweep)
{
    struct turns rows = sweep->found;
    struct turns blocks = sweep->found;
    rows.second = 0;
    blocks.turn = 0;
    cut(sweep, sweep->found.row);
    if (cost_of(sweep, &rows, sweep->limit + 1) == sweep->limit) {
        sweep->found = rows;
    } else if (cost_of(sweep, &blocks, sweep->limit + 1) == sweep->limit) {
        sweep->found = blocks;
    }
}

static bool begin(struct sweep *sweep, size_t array)
{
    const struct bsim_search *search = sweep->search;
    struct bsim_linear *linear = &sweep->linear;
    if (!bsim_fit_groups(search, array, linear, &sweep->unit)) {
        return false;
    }
    sweep->lanes = bsim_mem_zeroed(linear->n_groups + 1, sizeof *sweep->lanes);
    sweep->order = bsim_mem_zeroed(linear->n_groups + 1, sizeof *sweep->order);
    if (sweep->lanes == NULL || sweep->order == NULL || linear->n_groups == 0) {
        return linear->n_groups == 0;
    }
    sweep->fixed_bits = linear->fixed_bits;
    sweep->n_banks = UINT32_C(1) << (linear->bank_bits - linear->fixed_bits);
    sweep->unit_bits = linear->n_bits - linear->fixed_bits;
    take_groups(sweep);
    return true;
}

/* Tells of what was found. */
static bool tell(struct sweep *sweep, size_t array, size_t order, const struct bsim_counted *as_is)
{
    struct bsim_layout layout;
    make_layout(sweep, &sweep->found, &layout);
    return bsim_trial_layout(sweep->search, array, &layout, BSIM_REMEDY_ROTATE, order, as_is);
}

bool bsim_sweep_array(struct bsim_search *search, size_t array, size_t order,
                      const struct bsim_counted *as_is)
{
    const struct bsim_choices *choices = &search->choices[array];
    struct sweep *sweep = bsim_mem_zeroed(1, sizeof *sweep);
    if (sweep == NULL) {
        return false;
    }
    sweep->search = search;
    sweep->limit = choices->n > 0 ? choices->item[0].wavefronts : as_is->chosen_by;
    bool fine = begin(sweep, array);
    if (fine && sweep->linear.n_groups > 0) {
        sweep_rows(sweep);
    }
    if (fine && sweep->is_found) {
        simplify(sweep);
        fine = tell(sweep, array, order, as_is);
    }
    bsim_linear_end(&sweep->linear);
    bsim_mem_free(sweep->lanes);
    bsim_mem_free(sweep->order);
    bsim_mem_free(sweep);
    return fine;
}
