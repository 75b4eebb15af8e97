/* fit.c - the linear layout that fits the accesses of an array: from patterns to groups of words for
 * linear.c, and from columns back to a layout.
 *
 * What stays as it is: the bits within a bank's word, within an element, and within the widest access
 * (a float4 keeps its four floats together, a matrix its rows of 16 bytes). Together they are a
 * unit, and units are what is moved:
 *
 *     float s[1024], float4 stores      word's index   9 8 7 6 5 4 3 2 | 1 0
 *                                                      columns of 3 bits | fixed: residue
 *
 * The same is looked for in the places of an array whose rows are padded: 18 columns in rows of 32, of
 * which every other one has its halves exchanged, take less room than rows of 48.
 *
 * A group of lanes takes as many passes as its words meet in one bank, the first word of each access
 * standing for all of them. Where the array begins only turns the banks around. That does not hold
 * for requests that touch several arrays, for atomics that are loops, and in Kepler's 4-byte mode,
 * where two words share a row of a bank: there nothing is looked for, and nothing claimed.
 */
#include "advise/fit.h"

#include "advise/shortest.h"
#include "model/atomic.h"
#include "model/family.h"

/* 60 ms to less than one. Where there are many groups or bits more work rarely exhausts what there is. */
enum {
    USUAL_WORK = 3 << 20,
    CROWDED_WORK = 1 << 18,
    PADDED_WORK = 1 << 14,
    CAREFUL_WORK = 1 << 16,
    FEW_GROUPS = 16,
    FEW_BITS = 10,
};

static bool is_power(uint32_t n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static uint32_t log2_up(uint32_t n)
{
    uint32_t k = 0;
    while (k < 31 && UINT32_C(1) << k < n) {
        k++;
    }
    return k;
}

/* Bytes that stay together. */
static uint32_t unit_bytes(const struct bsim_device *device, const struct bsim_subject *subject)
{
    uint32_t bytes = device->stride_bytes;
    bytes = subject->widest > bytes ? subject->widest : bytes;
    return subject->array->element_bytes > bytes ? subject->array->element_bytes : bytes;
}

/* Whether the array and the banks are such that linear layouts make sense. */
static bool is_fit(const struct bsim_device *device, const struct bsim_subject *subject)
{
    uint32_t unit = unit_bytes(device, subject);
    uint32_t period = device->n_banks * device->stride_bytes;
    return device->stride_bytes == device->bank_bytes && is_power(device->n_banks) &&
           is_power(subject->array->element_bytes) && is_power(unit) && unit < period &&
           subject->array->offset_bytes % unit == 0 &&
           subject->n_elements <= UINT32_C(1) << BSIM_LAYOUT_MAX_BITS;
}

static bool shares(const struct bsim_device *device, const struct bsim_opcode *opcode)
{
    return bsim_opcode_is_atomic(opcode) ? bsim_atomic_shares(device, opcode)
                                         : bsim_family_row(opcode)->shares;
}

/* What is fitted: an array, as it is or padded. */
struct fitting {
    const struct bsim_search *search;
    const struct bsim_subject *subject;
    const struct bsim_layout *pad;
    const struct bsim_check_array *structs; /* whose members lie apart; else NULL */
    const struct bsim_check_member *member; /* of these, which a pattern has */
    struct bsim_check_array padded_array;
    struct bsim_subject padded; /* the subject of that */
    uint32_t unit;
    uint32_t grain; /* bytes that are counted as one: a word, or less */
    struct bsim_linear linear;
};

/* The byte in the member's array. False if the access is not to one member, the same in all lanes. */
static bool byte_of_member(struct fitting *fitting, uint32_t offset, uint32_t bytes,
                           uint32_t *place)
{
    uint32_t each = fitting->structs->element_bytes;
    const struct bsim_check_member *member =
        bsim_layout_member(fitting->structs, offset % each, bytes);
    if (member == NULL || (fitting->member != NULL && fitting->member != member)) {
        return false;
    }
    fitting->member = member;
    *place = offset / each * member->size_bytes + offset % each - member->offset_bytes;
    return *place % bytes == 0;
}

/* False if the padding tears the access apart, or off its alignment. */
static bool word_of(struct fitting *fitting, const struct bsim_pattern *pattern, uint32_t lane,
                    uint32_t *word)
{
    uint32_t bytes = pattern->opcode.bytes;
    uint32_t place = pattern->offset[lane];
    bool fine = fitting->structs != NULL
                    ? byte_of_member(fitting, pattern->offset[lane], bytes, &place)
                    : fitting->pad->kind != BSIM_LAYOUT_PAD ||
                          (bsim_layout_map(fitting->subject->array, fitting->pad,
                                           pattern->offset[lane], bytes, &place) &&
                           place % bytes == 0);
    *word = fine ? place / fitting->grain : 0;
    return fine;
}

static bool add_pattern(struct fitting *fitting, const struct bsim_pattern *pattern)
{
    const struct bsim_device *device = fitting->search->device;
    const struct bsim_opcode *opcode = &pattern->opcode;
    struct bsim_request request = bsim_pattern_request(pattern);
    struct bsim_schedule schedule;
    uint32_t words[BSIM_LINEAR_MAX_LANES];
    fitting->member = NULL;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.address[lane] = (pattern->lanes >> lane & 1) != 0 ? pattern->offset[lane] : 0;
    }
    bsim_request_schedule(device, &request, &schedule);
    for (uint32_t i = 0; i < schedule.n_groups; i++) {
        uint32_t n = 0;
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            if ((schedule.group_lanes[i] >> lane & 1) != 0 &&
                !word_of(fitting, pattern, lane, &words[n++])) {
                return false;
            }
        }
        bsim_linear_add(&fitting->linear, words, n, pattern->weight * bsim_atomic_passes(opcode),
                        shares(device, opcode));
    }
    return fitting->grain == device->stride_bytes || shares(device, opcode);
}

/* False if some pattern is not what its groups' words make it. */
static bool add_patterns(struct fitting *fitting)
{
    const struct bsim_search *search = fitting->search;
    for (size_t i = 0; i < search->n_touching; i++) {
        const struct bsim_pattern *pattern = &search->patterns->item[search->touching[i]];
        if (bsim_pattern_is_mixed(pattern) || bsim_opcode_loops(&pattern->opcode) ||
            (pattern->weight > 0 && !add_pattern(fitting, pattern))) {
            return false;
        }
    }
    return true;
}

static void take_padding(const struct fitting *fitting, struct bsim_layout *layout)
{
    layout->apart = fitting->pad->apart;
    layout->n_places = fitting->pad->n_places;
    if (fitting->pad->kind == BSIM_LAYOUT_PAD && !fitting->pad->apart) {
        layout->kind = BSIM_LAYOUT_PAD_XOR;
        layout->row = fitting->pad->row;
        layout->pad = fitting->pad->pad;
        layout->plane_pad = fitting->pad->plane_pad;
    }
}

/* Bits of units as bits of elements. */
static void make_layout(const struct fitting *fitting, struct bsim_layout *layout)
{
    const struct bsim_subject *subject = &fitting->padded;
    uint32_t flip[BSIM_LINEAR_MAX_BITS];
    uint32_t base = log2_up(fitting->unit / subject->array->element_bytes);
    bsim_linear_flips(&fitting->linear, flip, &layout->bits);
    layout->kind = BSIM_LAYOUT_XOR;
    layout->base = base;
    for (uint32_t bit = 0; bit + base < BSIM_LAYOUT_MAX_BITS; bit++) {
        layout->flip[bit + base] = flip[bit] << base;
    }
    take_padding(fitting, layout);
}

/* Writes it shorter, if that can be done: the layout that was found, or `best`. */
static bool shorten(const struct fitting *fitting, const struct bsim_choice *best,
                    struct bsim_fit *fit)
{
    const struct bsim_check_array *array = fitting->subject->array;
    uint32_t base = log2_up(fitting->unit / fitting->padded.array->element_bytes);
    uint64_t cost = fit->is_there ? fitting->linear.least : best->wavefronts;
    uint32_t most = fit->is_there ? 0 : best->n_operations;
    struct bsim_layout layout;
    bool found;
    if ((fit->is_there && !bsim_layout_operations(array, &fit->layout, &most)) ||
        !bsim_shortest_find(&fitting->linear, &fitting->padded, base, cost, most, &layout,
                            &found)) {
        return false;
    }
    if (found) {
        take_padding(fitting, &layout);
        *fit = (struct bsim_fit){true, fit->is_exhausted, cost, layout};
    }
    return true;
}

/* With groups. */
static bool solve(struct fitting *fitting, uint64_t limit, const struct bsim_choice *best,
                  struct bsim_fit *fit)
{
    struct bsim_linear *linear = &fitting->linear;
    /* who has the least looks for as much in fewer bytes, and needs no proof */
    bool is_crowded = linear->n_groups > FEW_GROUPS ||
                      linear->n_bits - linear->fixed_bits > FEW_BITS ||
                      limit <= fitting->search->least + 1;
    if (is_crowded && linear->most_work > CROWDED_WORK) {
        linear->most_work = CROWDED_WORK;
    }
    bool fine = bsim_linear_solve(linear, limit);
    fit->wavefronts = linear->least;
    fit->is_there = linear->is_found;
    if (linear->is_found) {
        make_layout(fitting, &fit->layout);
    }
    /* words stay whole here: flips within them, of smaller elements, may do better */
    fit->is_exhausted = linear->is_exhausted && fitting->padded.array->element_bytes >=
                                                    fitting->search->device->stride_bytes;
    if (fine && !linear->is_full && !fitting->search->careful && (fit->is_there || best != NULL)) {
        fine = shorten(fitting, best, fit);
    }
    return fine;
}

/* What is fitted are the members' arrays, if these are alike. */
static bool part(struct fitting *fitting)
{
    const struct bsim_check_array *structs = fitting->subject->array;
    fitting->structs = structs;
    fitting->padded_array = *structs;
    fitting->padded_array.element_bytes = structs->member[0].size_bytes;
    fitting->padded.array = &fitting->padded_array;
    for (uint32_t i = 1; i < structs->n_members; i++) {
        if (structs->member[i].size_bytes != structs->member[0].size_bytes) {
            return false;
        }
    }
    return structs->alignment % unit_bytes(fitting->search->device, &fitting->padded) == 0;
}

/* The units, and how the banks and the array consist of them. */
static void measure(struct fitting *fitting)
{
    const struct bsim_device *device = fitting->search->device;
    struct bsim_linear *linear = &fitting->linear;
    fitting->grain = device->stride_bytes;
    fitting->unit = unit_bytes(device, &fitting->padded);
    uint32_t bytes = fitting->padded.n_elements * fitting->padded.array->element_bytes;
    linear->bank_bits = log2_up(device->n_banks);
    linear->fixed_bits = log2_up(fitting->unit / device->stride_bytes);
    linear->n_bits = linear->fixed_bits + log2_up((bytes + fitting->unit - 1) / fitting->unit);
}

bool bsim_fit_linear(const struct bsim_search *search, size_t array, const struct bsim_layout *pad,
                     uint64_t limit, const struct bsim_choice *best, struct bsim_fit *fit)
{
    const struct bsim_device *device = search->device;
    struct fitting fitting = {.search = search, .subject = &search->subjects[array], .pad = pad};
    bool is_padded = pad->kind == BSIM_LAYOUT_PAD && !pad->apart;
    fitting.padded = *fitting.subject;
    if (is_padded) {
        bsim_layout_pad_array(fitting.subject->array, pad, &fitting.padded_array);
        bsim_layout_pad_subject(fitting.subject, pad, &fitting.padded_array, &fitting.padded);
    }
    *fit = (struct bsim_fit){.is_there = false};
    if (pad->apart && !part(&fitting)) {
        return true;
    }
    if (!is_fit(device, &fitting.padded)) {
        return true;
    }
    measure(&fitting);
    struct bsim_linear *linear = &fitting.linear;
    linear->most_work = search->careful ? CAREFUL_WORK : is_padded ? PADDED_WORK : USUAL_WORK;
    bool fine = bsim_linear_begin(linear);
    if (fine && linear->n_bits >= linear->bank_bits && add_patterns(&fitting)) {
        fine = solve(&fitting, limit, best, fit);
    }
    bsim_linear_end(linear);
    return fine;
}

/* Of words, or of elements that are smaller. */
static bool take_groups(struct fitting *fitting, bool of_elements, struct bsim_linear *linear)
{
    uint32_t each = fitting->subject->array->element_bytes;
    *linear = fitting->linear;
    if (!is_fit(fitting->search->device, &fitting->padded)) {
        return true;
    }
    measure(fitting);
    if (of_elements && each < fitting->grain) {
        fitting->grain = each;
    }
    fitting->linear.stays = true;
    bool fine = bsim_linear_begin(&fitting->linear);
    if (fine && (!add_patterns(fitting) || fitting->linear.is_full)) {
        fitting->linear.n_groups = 0;
    }
    *linear = fitting->linear;
    return fine;
}

bool bsim_fit_groups(const struct bsim_search *search, size_t array, struct bsim_linear *linear,
                     uint32_t *unit)
{
    static const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    struct fitting fitting = {.search = search, .subject = &search->subjects[array], .pad = &none};
    fitting.padded = *fitting.subject;
    bool fine = take_groups(&fitting, false, linear);
    *unit = fitting.unit / fitting.padded.array->element_bytes;
    return fine;
}

bool bsim_fit_grains(const struct bsim_search *search, size_t array, struct bsim_linear *linear,
                     uint32_t *unit, uint32_t *grain)
{
    static const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    const struct bsim_subject *subject = &search->subjects[array];
    struct fitting fitting = {.search = search, .subject = subject, .pad = &none};
    fitting.padded = *subject;
    bool fine = take_groups(&fitting, true, linear);
    uint32_t each = subject->array->element_bytes;
    *unit = (subject->widest > each ? subject->widest : each) / each;
    *grain = fitting.grain;
    return fine;
}
