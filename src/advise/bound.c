/* bound.c - what no layout undercuts while vectors stay whole.
 *
 * A float4 lies at a multiple of 16 bytes in every layout that it can be accessed in, so each of
 * its floats has 8 of 32 banks to be in, always the same ones:
 *
 *     word of the float4      0             1             2             3
 *     banks                   0 4 8 ... 28  1 5 9 ... 29  2 6 10 ...    3 7 11 ... 31
 *
 * A warp that reads a column of a tile which is stored as float4s takes one word of 32 of them, all
 * in the same place: 4 wavefronts at least, for which 1 would do otherwise. It is so for each word
 * that some access of the check takes as part of a wider one, and only for these.
 */
#include "advise/bound.h"

#include "base/memory.h"

enum { MOST_VECTOR = 16 };

/* By word of the window: bytes of the widest access that takes it. */
struct cover {
    const struct bsim_device *device;
    const struct bsim_subject *subjects;
    uint8_t *bytes;
    uint32_t *whole; /* which that is */
    uint32_t n_words;
};

static uint32_t address_of(const struct cover *cover, const struct bsim_pattern *pattern,
                           uint32_t lane)
{
    return cover->subjects[pattern->array[lane]].array->offset_bytes + pattern->offset[lane];
}

static void note(const struct cover *cover, const struct bsim_pattern *pattern)
{
    uint32_t each = cover->device->stride_bytes;
    uint32_t bytes = pattern->opcode.bytes;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t address = (pattern->lanes >> lane & 1) != 0 ? address_of(cover, pattern, lane) : 0;
        for (uint32_t at = 0; (pattern->lanes >> lane & 1) != 0 && at < bytes; at += each) {
            uint32_t word = (address + at) / each;
            if (bytes > cover->bytes[word]) {
                cover->bytes[word] = (uint8_t)bytes;
                cover->whole[word] = (uint32_t)pattern->access;
            }
        }
    }
}

/* Different words among the lanes that lie at `residue` words of vectors of `vector` bytes; of one
 * that has any, *whole is the access that takes it so. */
static uint32_t count_words(const struct cover *cover, const struct bsim_pattern *pattern,
                            uint32_t lanes, uint32_t vector, uint32_t residue, size_t *whole)
{
    uint32_t words[BSIM_WARP_LANES];
    uint32_t n = 0;
    uint32_t each = cover->device->stride_bytes;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t k = 0;
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        uint32_t word = address_of(cover, pattern, lane) / each;
        if (cover->bytes[word] < vector || word % (vector / each) != residue) {
            continue;
        }
        while (k < n && words[k] != word) {
            k++;
        }
        words[n] = word;
        n += k == n;
        *whole = cover->whole[word];
    }
    return n;
}

static uint32_t least_of(const struct cover *cover, const struct bsim_pattern *pattern,
                         uint32_t lanes, struct bsim_advice_bound *bound)
{
    uint32_t least = 1;
    for (uint32_t vector = 2 * cover->device->stride_bytes; vector <= MOST_VECTOR; vector *= 2) {
        uint32_t n_residues = vector / cover->device->stride_bytes;
        uint32_t n_banks = cover->device->n_banks / n_residues;
        for (uint32_t residue = 0; residue < n_residues && cover->device->n_banks % n_residues == 0;
             residue++) {
            size_t whole = 0;
            uint32_t n = count_words(cover, pattern, lanes, vector, residue, &whole);
            if ((n + n_banks - 1) / n_banks > least) {
                least = (n + n_banks - 1) / n_banks;
                *bound =
                    (struct bsim_advice_bound){vector, whole, pattern->access, lanes, n, n_banks};
            }
        }
    }
    return least;
}

static void raise(const struct cover *cover, struct bsim_pattern *pattern)
{
    struct bsim_request request = bsim_pattern_request(pattern);
    struct bsim_schedule schedule;
    struct bsim_advice_bound bound = {.bytes = 0};
    uint32_t least = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.address[lane] =
            (pattern->lanes >> lane & 1) != 0 ? address_of(cover, pattern, lane) : 0;
    }
    bsim_request_schedule(cover->device, &request, &schedule);
    for (uint32_t i = 0; i < schedule.n_groups; i++) {
        least += least_of(cover, pattern, schedule.group_lanes[i], &bound);
    }
    if (least > pattern->least) {
        pattern->least = least;
        pattern->bound = bound;
    }
}

bool bsim_bounds_raise(struct bsim_patterns *patterns, const struct bsim_subject *subjects,
                       size_t n_arrays)
{
    struct cover cover = {.device = patterns->device, .subjects = subjects};
    uint32_t end = 0;
    uint32_t widest = 0;
    for (size_t i = 0; i < n_arrays; i++) {
        uint32_t last = subjects[i].array->offset_bytes +
                        subjects[i].n_elements * subjects[i].array->element_bytes;
        end = last > end ? last : end;
        widest = subjects[i].widest > widest ? subjects[i].widest : widest;
    }
    if (widest <= cover.device->stride_bytes ||
        cover.device->stride_bytes != cover.device->bank_bytes) {
        return true; /* Kepler's 4-byte mode has two words in a row of a bank */
    }
    cover.bytes = bsim_mem_zeroed(end / cover.device->stride_bytes + 1, sizeof *cover.bytes);
    cover.whole = bsim_mem_zeroed(end / cover.device->stride_bytes + 1, sizeof *cover.whole);
    bool fine = cover.bytes != NULL && cover.whole != NULL;
    for (size_t i = 0; i < patterns->n && fine; i++) {
        note(&cover, &patterns->item[i]);
    }
    for (size_t i = 0; i < patterns->n && fine; i++) {
        if (patterns->item[i].opcode.bytes < widest &&
            !bsim_opcode_is_atomic(&patterns->item[i].opcode)) {
            raise(&cover, &patterns->item[i]);
        }
    }
    bsim_mem_free(cover.bytes);
    bsim_mem_free(cover.whole);
    return fine;
}
