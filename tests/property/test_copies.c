/* test_copies.c - cp.async of random requests against a count by hand of both sides.
 *
 * The count by hand shares nothing with src/model/copy.c. It takes a copy through L1 byte by byte and
 * asks which lanes touch a bank, and puts what a copy past L1 moves into sets of numbers, each of which
 * says all that may keep two pieces apart. The schedule is held against both: as many passes, each
 * writer in one of them, no bank twice in any, and of cp.async.cg one line of shared memory in each.
 * The ideal is held against a layout that is made to take the least.
 */
#include "base/bits.h"
#include "count_both.h"
#include "random_request.h"
#include "request_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 40000 };

/* ---- by hand --------------------------------------------------------------------------------- */

/* The banks that an access touches, as bits. */
static uint32_t banks_of(uint64_t address, uint32_t bytes)
{
    uint32_t banks = 0;
    for (uint64_t byte = address; byte < address + bytes; byte++) {
        banks |= UINT32_C(1) << byte / 4 % 32;
    }
    return banks;
}

static uint32_t turns_by_hand(const struct bsim_request *request, uint32_t lane, uint32_t size)
{
    uint32_t bytes = request->opcode.bytes, n = 0;
    uint32_t there = banks_of(request->address[lane], bytes);
    uint32_t here = banks_of(request->from[lane], bytes);
    for (uint32_t k = lane / size * size; k < lane / size * size + size; k++) {
        bool is_active = (request->mask >> k & 1) != 0;
        n += is_active && ((banks_of(request->address[k], bytes) & there) != 0 ||
                           (banks_of(request->from[k], bytes) & here) != 0);
    }
    return n;
}

static uint32_t access_by_hand(const struct bsim_request *request)
{
    uint32_t size = 128 / request->opcode.bytes, most[4] = {0};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t turns = (request->mask >> lane & 1) != 0 ? turns_by_hand(request, lane, size) : 0;
        uint32_t *its = &most[lane / size];
        *its = turns > *its ? turns : *its;
    }
    return most[0] + most[1] + most[2] + most[3];
}

/* Rows of numbers, each once. */
struct set {
    uint32_t n;
    uint64_t row[BSIM_WARP_LANES][4];
    uint32_t times[BSIM_WARP_LANES]; /* that the row was put in */
};

/* The place of the row, which is in the set then. */
static uint32_t put(struct set *set, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    uint64_t row[4] = {a, b, c, d};
    uint32_t i = 0;
    while (i < set->n && memcmp(set->row[i], row, sizeof row) != 0) {
        i++;
    }
    if (i == set->n) {
        memcpy(set->row[set->n++], row, sizeof row);
    }
    set->times[i]++;
    return i;
}

static uint32_t writers_by_hand(const struct bsim_request *request)
{
    struct set written = {0};
    uint32_t writers = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bool is_active = (request->mask >> lane & 1) != 0;
        if (is_active && written.times[put(&written, request->address[lane] >> 4, 0, 0, 0)] == 1) {
            writers |= UINT32_C(1) << lane;
        }
    }
    return writers;
}

static uint32_t sectors_by_hand(const struct bsim_request *request, uint32_t writers)
{
    struct set fetched = {0};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint64_t from = request->from[lane] >> 4, to = request->address[lane] >> 4;
        if ((writers >> lane & 1) != 0) {
            put(&fetched, from >> 1, to >> 1, (from ^ to) & 3, 0);
        }
    }
    return fetched.n;
}

/* A line on either side with a turn and a round is a bundle; halves are those of each pair of its
 * sectors, here and there. */
static uint32_t bypass_by_hand(const struct bsim_request *request, uint32_t writers)
{
    struct set seen = {0}, bundles = {0}, distinct = {0};
    uint32_t halves[BSIM_WARP_LANES][16] = {{0}};
    for (int lane = BSIM_WARP_LANES - 1; lane >= 0; lane--) {
        uint64_t from = request->from[lane] >> 4, to = request->address[lane] >> 4;
        uint64_t turn = (from ^ to) & 3;
        if ((writers >> lane & 1) != 0) {
            uint32_t round = seen.times[put(&seen, from, to >> 3, turn & 1, 0)];
            uint32_t bundle = put(&bundles, from >> 3, to >> 3, turn, round);
            halves[bundle][(from >> 1 & 3) * 4 + (to >> 1 & 3)] |= 1u << (from & 1);
        }
    }
    for (uint32_t i = 0; i < BSIM_WARP_LANES * 16; i++) {
        if (halves[i / 16][i % 16] != 0) {
            put(&distinct, i / 16, halves[i / 16][i % 16], 0, 0);
        }
    }
    return distinct.n;
}

/* ---- the least, by hand ----------------------------------------------------------------------- */

/* Whether a line's halves fit in so many wavefronts of whole sectors, lower and upper halves. */
static bool fits(uint32_t wants[4][2], uint32_t both, uint32_t lower, uint32_t upper)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t l = wants[i][0], u = wants[i][1], whole = 0;
        while (whole < both && whole < l && whole < u) {
            whole++;
        }
        if (l > lower + whole || u > upper + whole) {
            return false;
        }
    }
    return true;
}

/* The fewest wavefronts of a line, all ways tried; which, in kinds. */
static uint32_t least_of_line(uint32_t wants[4][2], uint32_t kinds[3])
{
    uint32_t least = 2 * BSIM_WARP_LANES;
    for (uint32_t both = 0; both <= 16; both++) {
        for (uint32_t lower = 0; lower <= BSIM_WARP_LANES; lower++) {
            uint32_t upper = 0;
            while (upper <= BSIM_WARP_LANES && !fits(wants, both, lower, upper)) {
                upper++;
            }
            if (upper <= BSIM_WARP_LANES && both + lower + upper < least) {
                least = both + lower + upper;
                kinds[0] = both, kinds[1] = lower, kinds[2] = upper;
            }
        }
    }
    return least;
}

/* Puts the pieces of the writers that one line has where they take the least: each wavefront gets a
 * line of shared memory, from `first` on, in which a piece has the place that it has in global memory.
 * Returns how many that are. */
static uint32_t lay_line(struct bsim_request *request, uint32_t lanes, uint32_t first)
{
    uint32_t wants[4][2] = {{0}}, kinds[3] = {0}, done[4][2] = {{0}};
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t piece = request->from[lane] / 16 % 8;
        wants[piece / 2][piece % 2] += lanes >> lane & 1;
    }
    uint32_t least = least_of_line(wants, kinds);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t piece = request->from[lane] / 16 % 8, half = piece % 2, l = wants[piece / 2][0],
                 u = wants[piece / 2][1], pairs = l < u ? l : u, whole = kinds[0] < pairs ? kinds[0] : pairs;
        if ((lanes >> lane & 1) != 0) {
            uint32_t i = done[piece / 2][half]++;
            uint32_t line = i < whole ? i : kinds[0] + half * kinds[1] + i - whole;
            request->address[lane] = (first + line) * 128 + piece * 16;
        }
    }
    return least;
}

/* The least of cp.async.cg; what the writers bring is laid so. */
static uint32_t lay(struct bsim_request *request, uint32_t writers)
{
    uint32_t n = 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t line = 0;
        for (uint32_t k = lane; k < BSIM_WARP_LANES; k++) {
            line |= (uint32_t)((writers >> k & 1) != 0 && request->from[k] >> 7 == request->from[lane] >> 7) << k;
        }
        if ((writers >> lane & 1) != 0) {
            n += lay_line(request, line, n);
            writers &= ~line;
        }
    }
    return n;
}

/* Of cp.async.ca what it takes if no bank of shared memory has a say, as each lane's bytes have their own. */
static uint32_t access_alone(struct bsim_request *request)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request->address[lane] = lane * request->opcode.bytes;
    }
    return access_by_hand(request);
}

/* The ideal is the least: no wavefronts are fewer, and some layout has as many. */
static void check_ideal(const struct bsim_device *device, const struct bsim_request *request, uint32_t writers,
                        const struct bsim_counts *counts)
{
    struct bsim_request laid = *request;
    struct bsim_counts best;
    bool bypasses = request->opcode.path == BSIM_BYPASS;
    laid.mask = writers;
    uint32_t least = bypasses ? lay(&laid, writers) : access_alone(&laid);
    bsim_request_count(device, &laid, &best);
    assert_int_equal(counts->ideal, least);
    assert_int_equal(best.wavefronts, least);
    assert_int_equal(best.ways, least > 0);
    assert_true(counts->wavefronts >= least);
    assert_int_equal(counts->ways > 1, counts->wavefronts > least);
}

/* ---- against the model ------------------------------------------------------------------------ */

static void fail_copy(const struct bsim_request *request, const char *what, uint32_t model,
                      uint32_t hand)
{
    char text[REQUEST_TEXT_SIZE];
    fprintf(stderr, "from");
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        fprintf(stderr, " %llu", (unsigned long long)request->from[lane]);
    }
    fail_msg("%s: %s %lu, by hand %lu", request_format(request, text), what, (unsigned long)model,
             (unsigned long)hand);
}

static void check_schedule(const struct bsim_device *device, const struct bsim_request *request,
                           uint32_t writers, uint32_t wavefronts)
{
    struct bsim_schedule schedule;
    uint32_t served = 0;
    bsim_request_schedule(device, request, &schedule);
    assert_int_equal(schedule.n_passes, wavefronts);
    for (uint32_t i = 0; i < schedule.n_passes; i++) {
        const struct bsim_pass *pass = &schedule.pass[i];
        uint32_t banks = 0, line = schedule.grant[pass->first_grant].row;
        assert_int_equal(served & pass->lanes, 0);
        served |= pass->lanes;
        assert_true(pass->n_grants > 0);
        for (uint32_t k = 0; k < pass->n_grants; k++) {
            const struct bsim_grant *grant = &schedule.grant[pass->first_grant + k];
            assert_int_equal(banks >> grant->bank & 1, 0);
            banks |= UINT32_C(1) << grant->bank;
            assert_true(request->opcode.path != BSIM_BYPASS || grant->row == line);
        }
    }
    assert_int_equal(served, writers);
}

static void check(const struct bsim_device *device, const struct bsim_request *request)
{
    struct bsim_counts counts;
    struct bsim_global_counts fetched = {0};
    uint32_t wavefronts, sectors = 0, writers = request->mask;
    count_both(device, request, &counts);
    bool bypasses = request->opcode.path == BSIM_BYPASS;
    if (bypasses) {
        writers = writers_by_hand(request);
        sectors = sectors_by_hand(request, writers);
        wavefronts = bypass_by_hand(request, writers);
    } else {
        wavefronts = access_by_hand(request);
    }
    assert_int_equal(bsim_copy_count(device, request, &fetched), bypasses && request->has_from);
    if (counts.wavefronts != wavefronts) {
        fail_copy(request, "wavefronts", counts.wavefronts, wavefronts);
    }
    if (request->has_from && fetched.sectors != sectors) {
        fail_copy(request, "sectors", fetched.sectors, sectors);
    }
    check_schedule(device, request, writers, wavefronts);
    check_ideal(device, request, writers, &counts);
}

static void random_copy(struct random_source *source, const char *name, enum request_kind kind,
                        struct bsim_request *request)
{
    struct bsim_request other;
    random_request(source, kind, request);
    random_request(source, kind, &other);
    assert_int_equal(bsim_opcode_parse(name, strlen(name), &request->opcode, NULL), BSIM_OK);
    uint64_t base = (random_next(source) >> random_below(source, 60)) & ~UINT64_C(15);
    bool alike = random_below(source, 3) == 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        uint32_t from = alike ? request->address[lane] : other.address[lane];
        request->from[lane] = base + (from & ~(request->opcode.bytes - UINT32_C(1)));
    }
    request->has_from = random_below(source, 8) > 0;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES && !request->has_from; lane++) {
        request->from[lane] = (uint64_t)lane * request->opcode.bytes;
    }
}

static void random_copies_count_as_by_hand(void **state)
{
    static const struct {
        const char *name;
        enum request_kind kind;
    } cases[] = {{"cp.async.ca.shared.global.4", REQUEST_ST4},
                 {"cp.async.ca.shared.global.8", REQUEST_ST8},
                 {"cp.async.ca.shared.global.16", REQUEST_ST16},
                 {"cp.async.cg.shared.global.16", REQUEST_ST16}};
    struct random_source source = {2026};
    struct bsim_device device;
    struct bsim_request request;
    (void)state;
    device_for_test("sm_90", 0, 0, &device);
    for (int i = 0; i < MANY; i++) {
        random_copy(&source, cases[i % 4].name, cases[i % 4].kind, &request);
        check(&device, &request);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_copies_count_as_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
