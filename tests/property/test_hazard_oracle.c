/* test_hazard_oracle.c - random small programs: the race checker against brute force.
 *
 * The oracle runs every turn of every repeat, gives each access of each warp the number of barriers
 * before it, and compares all of them two by two, byte by byte. The checker gets the program as it
 * is, with its warps interleaved in another way, turn by turn, and one warp after the other: always
 * the same findings in the same order. Programs are small and touch few addresses, so that most of
 * them race somewhere; in some, warps have different numbers of barriers, also inside repeats. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "random_request.h"
#include "watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PROGRAMS = WATCHED(4000, 800),
    N_SITES = 3,
    MAX_ITEMS = 48,
    MAX_WARPS = 4,
    MAX_STEPS = 1000,
    MAX_OCCURRENCES = 200000,
    MAX_FOUND = 1000,
    WINDOW = 2048,
};

static struct random_source random_numbers = {20240611};

static uint32_t below(uint32_t n)
{
    return random_below(&random_numbers, n);
}

/* ---- programs ------------------------------------------------------------------------------ */

struct item {
    enum bsim_record_kind kind; /* EVENT, REPEAT, DONE */
    uint32_t turns;
    struct bsim_event event;
    uint64_t line;
    uint32_t lane_plus_1[WINDOW]; /* the lowest lane that touches the byte, plus 1; 0: none */
};

struct program {
    uint32_t n_warps, n_items;
    struct item item[MAX_ITEMS];
};

static struct bsim_site sites[N_SITES];

static struct bsim_opcode opcode_of(const char *name)
{
    struct bsim_opcode opcode;
    assert_int_equal(bsim_opcode_parse(name, strlen(name), &opcode, NULL), BSIM_OK);
    return opcode;
}

static int make_sites(void **state)
{
    (void)state;
    static const char *const name[N_SITES] = {"st.shared.u32", "ld.shared.u16", "ld.shared.u64"};
    for (uint32_t i = 0; i < N_SITES; i++) {
        sites[i] = (struct bsim_site){.number = i + 1, .index = i, .opcode = opcode_of(name[i])};
    }
    return 0;
}

/* One or two lanes, in a few words; half of the events affine. */
static void choose_addresses(struct item *item)
{
    struct bsim_event *event = &item->event;
    uint64_t address[BSIM_WARP_LANES];
    uint32_t bytes = event->opcode.bytes;
    event->mask = UINT32_C(1) << below(32) | UINT32_C(1) << below(32);
    event->affine = below(2) == 0;
    event->base = (uint64_t)bytes * below(64 / bytes + 1);
    event->stride = (int64_t)bytes * below(3);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        event->address[lane] = (uint64_t)bytes * below(64 / bytes);
    }
    bsim_event_addresses(event, address);
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    for (uint32_t lane = BSIM_WARP_LANES; lane-- > 0;) {
        for (uint32_t i = 0; i < bytes && (lanes >> lane & 1) != 0; i++) {
            item->lane_plus_1[address[lane] + i] = lane + 1;
        }
    }
}

static void choose_event(struct item *item, uint32_t n_warps)
{
    static const char *const name[] = {
        "ld.shared.u8",
        "st.shared.u8",
        "st.shared.v2.u32",
        "ld.shared.v4.u32",
        "atom.shared.add.u32",
        "st.global.u32",
        "ldmatrix.sync.aligned.m8n8.x1.shared.b16",
        "stmatrix.sync.aligned.m8n8.x2.shared.b16",
    };
    struct bsim_opcode opcode = opcode_of("bar.sync");
    const struct bsim_site *site = NULL;
    uint32_t kind = below(20);
    if (kind < 8) {
        site = &sites[below(N_SITES)];
        opcode = site->opcode;
    } else if (kind < 14) {
        /* Matrix forms touch nearly all of the window: rare. */
        opcode = opcode_of(name[below(below(4) == 0 ? 8 : 6)]);
    }
    bsim_event_init(&item->event, &opcode);
    item->event.site = site;
    bool all = opcode.family == BSIM_BAR ? below(8) != 0 : below(6) == 0;
    item->event.warp = all ? BSIM_ALL_WARPS : below(n_warps);
    if (bsim_opcode_is_access(&opcode)) {
        choose_addresses(item);
    }
}

static void add_items(struct program *program, uint32_t depth)
{
    uint32_t n = 1 + below(depth == 0 ? 10 : 6);
    for (uint32_t i = 0; i < n && program->n_items < MAX_ITEMS - 8; i++) {
        struct item *item = &program->item[program->n_items++];
        item->line = program->n_items;
        if (depth < 3 && below(4) == 0) {
            item->kind = BSIM_RECORD_REPEAT;
            item->turns = 1 + below(5);
            add_items(program, depth + 1);
            program->item[program->n_items++].kind = BSIM_RECORD_DONE;
        } else {
            item->kind = BSIM_RECORD_EVENT;
            choose_event(item, program->n_warps);
        }
    }
}

static void make_program(struct program *program)
{
    memset(program, 0, sizeof *program);
    program->n_warps = 1 + below(MAX_WARPS);
    add_items(program, 0);
}

/* ---- the oracle: every turn run ------------------------------------------------------------ */

/* One warp executes one item. */
struct step {
    const struct item *item;
    uint32_t warp;
    uint64_t barriers; /* before it */
};

struct run {
    uint32_t n;
    bool is_too_long;
    uint64_t barriers[MAX_WARPS];
    struct step step[MAX_STEPS];
};

static uint32_t done_of(const struct program *program, uint32_t repeat)
{
    uint32_t depth = 0;
    for (uint32_t i = repeat;; i++) {
        depth += program->item[i].kind == BSIM_RECORD_REPEAT;
        depth -= program->item[i].kind == BSIM_RECORD_DONE;
        if (depth == 0) {
            return i;
        }
    }
}

static void run_item(struct run *run, const struct program *program, const struct item *item)
{
    for (uint32_t w = 0; w < program->n_warps; w++) {
        if (item->event.warp != w && item->event.warp != BSIM_ALL_WARPS) {
            continue;
        }
        if (run->n == MAX_STEPS) {
            run->is_too_long = true;
            return;
        }
        run->step[run->n++] = (struct step){item, w, run->barriers[w]};
        run->barriers[w] += item->event.opcode.family == BSIM_BAR;
    }
}

static void run_items(struct run *run, const struct program *program, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const struct item *item = &program->item[i];
        if (item->kind == BSIM_RECORD_EVENT) {
            run_item(run, program, item);
            continue;
        }
        uint32_t done = done_of(program, i);
        for (uint32_t turn = 0; turn < item->turns; turn++) {
            run_items(run, program, i + 1, done);
        }
        i = done;
    }
}

/* ---- the oracle: all pairs ----------------------------------------------------------------- */

/* A race at one byte. Compared as a row of numbers. */
enum { BARRIERS, ADDRESS, WARP_A, STATIC_A, WARP_B, STATIC_B, STEP_A, STEP_B, N_KEYS };

struct found {
    uint64_t key[N_KEYS];
    uint64_t line[2], lane[2];
    uint64_t n_bytes;
};

struct findings {
    uint32_t n;
    uint32_t short_warps;
    uint64_t most, fewest; /* barriers, if there are short warps */
    struct found list[MAX_FOUND];
};

static int by_key(const void *left, const void *right)
{
    const struct found *a = left;
    const struct found *b = right;
    for (int i = 0; i < N_KEYS; i++) {
        if (a->key[i] != b->key[i]) {
            return a->key[i] < b->key[i] ? -1 : 1;
        }
    }
    return 0;
}

static uint64_t low_static(const struct found *found)
{
    return found->key[STATIC_A] < found->key[STATIC_B] ? found->key[STATIC_A]
                                                       : found->key[STATIC_B];
}

static uint64_t high_static(const struct found *found)
{
    return found->key[STATIC_A] < found->key[STATIC_B] ? found->key[STATIC_B]
                                                       : found->key[STATIC_A];
}

static bool same_pair(const struct found *a, const struct found *b)
{
    return low_static(a) == low_static(b) && high_static(a) == high_static(b);
}

static int by_pair(const void *left, const void *right)
{
    const struct found *a = left;
    const struct found *b = right;
    if (low_static(a) != low_static(b)) {
        return low_static(a) < low_static(b) ? -1 : 1;
    }
    if (high_static(a) != high_static(b)) {
        return high_static(a) < high_static(b) ? -1 : 1;
    }
    return by_key(left, right);
}

/* A number for a static access: those without a site come first. */
static uint64_t static_of(const struct bsim_site *site, uint64_t line)
{
    return site != NULL ? 1000 + site->number : line;
}

static bool is_write(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_ST || opcode->family == BSIM_STMATRIX;
}

static bool is_plain(const struct bsim_opcode *opcode)
{
    return opcode->space != BSIM_CONST &&
           (is_write(opcode) || opcode->family == BSIM_LD || opcode->family == BSIM_LDMATRIX);
}

static bool may_race(const struct step *a, const struct step *b)
{
    const struct bsim_opcode *x = &a->item->event.opcode;
    const struct bsim_opcode *y = &b->item->event.opcode;
    return a->warp < b->warp && a->barriers == b->barriers && x->space == y->space && is_plain(x) &&
           is_plain(y) && (is_write(x) || is_write(y));
}

/* Global memory lies behind shared memory. */
static uint64_t place_of(const struct bsim_opcode *opcode, uint64_t address)
{
    return (uint64_t)opcode->space << 40 | address;
}

static struct found occurrence[MAX_OCCURRENCES];
static uint32_t n_occurrences;

static void compare_steps(const struct run *run, uint32_t i, uint32_t j)
{
    const struct item *a = run->step[i].item;
    const struct item *b = run->step[j].item;
    for (uint32_t byte = 0; byte < WINDOW && n_occurrences < MAX_OCCURRENCES; byte++) {
        if (a->lane_plus_1[byte] != 0 && b->lane_plus_1[byte] != 0) {
            occurrence[n_occurrences++] = (struct found){
                .key = {run->step[i].barriers, place_of(&a->event.opcode, byte), run->step[i].warp,
                        static_of(a->event.site, a->line), run->step[j].warp,
                        static_of(b->event.site, b->line), i, j},
                .line = {a->line, b->line},
                .lane = {a->lane_plus_1[byte] - 1, b->lane_plus_1[byte] - 1},
            };
        }
    }
}

/* The first of each pair, with its number of bytes, in the order of the firsts. */
static void sum_up(struct findings *findings)
{
    findings->n = 0;
    qsort(occurrence, n_occurrences, sizeof *occurrence, by_pair);
    for (uint32_t i = 0; i < n_occurrences; i++) {
        const struct found *one = &occurrence[i];
        bool is_new = i == 0 || !same_pair(one, &occurrence[i - 1]);
        if (is_new) {
            assert_true(findings->n < MAX_FOUND);
            findings->list[findings->n++] = *one;
        }
        findings->list[findings->n - 1].n_bytes +=
            is_new || one->key[BARRIERS] != occurrence[i - 1].key[BARRIERS] ||
            one->key[ADDRESS] != occurrence[i - 1].key[ADDRESS];
    }
    qsort(findings->list, findings->n, sizeof *findings->list, by_key);
}

static void find_short_warps(struct findings *findings, const struct program *program,
                             const struct run *run)
{
    findings->most = run->barriers[0];
    findings->fewest = run->barriers[0];
    findings->short_warps = 0;
    for (uint32_t w = 1; w < program->n_warps; w++) {
        uint64_t mine = run->barriers[w];
        findings->most = mine > findings->most ? mine : findings->most;
        findings->fewest = mine < findings->fewest ? mine : findings->fewest;
    }
    for (uint32_t w = 0; w < program->n_warps; w++) {
        findings->short_warps |= (uint32_t)(run->barriers[w] < findings->most) << w;
    }
}

/* False where there is too much for brute force. */
static bool ask_oracle(const struct program *program, struct run *run, struct findings *findings)
{
    memset(run, 0, sizeof *run);
    run_items(run, program, 0, program->n_items);
    if (run->is_too_long) {
        return false;
    }
    n_occurrences = 0;
    for (uint32_t i = 0; i < run->n; i++) {
        for (uint32_t j = 0; j < run->n; j++) {
            if (may_race(&run->step[i], &run->step[j])) {
                compare_steps(run, i, j);
            }
        }
    }
    sum_up(findings);
    find_short_warps(findings, program, run);
    return n_occurrences < MAX_OCCURRENCES;
}

/* ---- the checker --------------------------------------------------------------------------- */

static void take_race(void *context, const struct bsim_race *race)
{
    struct findings *findings = context;
    const struct bsim_race_access *a = &race->access[0];
    const struct bsim_race_access *b = &race->access[1];
    if (race->kind != BSIM_RACE_WARPS) {
        return; /* test_lanes_oracle.c */
    }
    assert_true(findings->n < MAX_FOUND);
    findings->list[findings->n++] = (struct found){
        .key = {race->barriers, place_of(&a->opcode, race->address), a->warp,
                static_of(a->site, a->line), b->warp, static_of(b->site, b->line), 0, 0},
        .line = {a->line, b->line},
        .lane = {a->lane, b->lane},
        .n_bytes = race->n_bytes,
    };
}

static void take_fault(void *context, const struct bsim_barrier_fault *fault)
{
    struct findings *findings = context;
    findings->short_warps = fault->short_warps;
    findings->most = fault->barriers[0];
    findings->fewest = fault->barriers[1];
}

static void push(const struct bsim_sink *sink, struct bsim_record record)
{
    struct bsim_error err = {.status = BSIM_OK};
    if (sink->push(sink->context, &record, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
}

static void push_item(const struct bsim_sink *sink, const struct item *item, uint32_t warp)
{
    struct bsim_record record = {.kind = item->kind, .line = item->line};
    struct bsim_event event = item->event;
    event.warp = warp;
    if (item->kind == BSIM_RECORD_EVENT) {
        record.u.event = &event;
    } else if (item->kind == BSIM_RECORD_REPEAT) {
        record.u.repeat.trips = item->turns;
    }
    push(sink, record);
}

static void push_as_is(const struct bsim_sink *sink, const struct program *program,
                       const struct run *run)
{
    (void)run;
    for (uint32_t i = 0; i < program->n_items; i++) {
        push_item(sink, &program->item[i], program->item[i].event.warp);
    }
}

/* Pushes steps with the warps merged at random, each in its order. */
static void push_merged(const struct bsim_sink *sink, const struct step *step, uint32_t n)
{
    bool gone[MAX_STEPS] = {false};
    for (uint32_t left = n; left > 0; left--) {
        uint32_t i = below(n);
        while (gone[i]) {
            i = (i + 1) % n;
        }
        for (uint32_t j = 0; j < i; j++) {
            i = !gone[j] && step[j].warp == step[i].warp ? j : i;
        }
        gone[i] = true;
        push_item(sink, step[i].item, step[i].warp);
    }
}

/* Between two ends of repeats any order will do. */
static void push_interleaved(const struct bsim_sink *sink, const struct program *program,
                             const struct run *run)
{
    static struct run part;
    (void)run;
    part.n = 0;
    for (uint32_t i = 0; i < program->n_items; i++) {
        if (program->item[i].kind == BSIM_RECORD_EVENT) {
            run_item(&part, program, &program->item[i]);
            continue;
        }
        push_merged(sink, part.step, part.n);
        part.n = 0;
        push_item(sink, &program->item[i], 0);
    }
    push_merged(sink, part.step, part.n);
}

static void push_turn_by_turn(const struct bsim_sink *sink, const struct program *program,
                              const struct run *run)
{
    (void)program;
    for (uint32_t i = 0; i < run->n; i++) {
        push_item(sink, run->step[i].item, run->step[i].warp);
    }
}

static void push_turns_interleaved(const struct bsim_sink *sink, const struct program *program,
                                   const struct run *run)
{
    (void)program;
    push_merged(sink, run->step, run->n);
}

static void push_warp_after_warp(const struct bsim_sink *sink, const struct program *program,
                                 const struct run *run)
{
    for (uint32_t w = program->n_warps; w-- > 0;) {
        for (uint32_t i = 0; i < run->n; i++) {
            if (run->step[i].warp == w) {
                push_item(sink, run->step[i].item, w);
            }
        }
    }
}

static const struct way {
    const char *name;
    void (*push)(const struct bsim_sink *sink, const struct program *program,
                 const struct run *run);
    bool has_repeats;
} ways[] = {
    {"as it is", push_as_is, true},
    {"interleaved", push_interleaved, true},
    {"turn by turn", push_turn_by_turn, false},
    {"turn by turn, interleaved", push_turns_interleaved, false},
    {"warp after warp", push_warp_after_warp, false},
};

static void ask_checker(const struct program *program, const struct run *run, const struct way *way,
                        struct findings *findings)
{
    struct bsim_hazard_options options = {
        .context = findings, .on_race = take_race, .on_barrier_fault = take_fault};
    struct bsim_kernel kernel = {
        .name = "k", .grid = {1, 1, 1}, .block = {32 * program->n_warps, 1, 1}, .extras = ""};
    struct bsim_hazards *hazards = bsim_hazards_new(&options);
    assert_non_null(hazards);
    struct bsim_sink sink = bsim_hazards_sink(hazards);
    findings->n = 0;
    findings->short_warps = 0;
    push(&sink, (struct bsim_record){.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel});
    for (uint32_t i = 0; i < N_SITES; i++) {
        push(&sink, (struct bsim_record){.kind = BSIM_RECORD_SITE, .u.site = &sites[i]});
    }
    push(&sink, (struct bsim_record){.kind = BSIM_RECORD_BLOCK});
    way->push(&sink, program, run);
    push(&sink, (struct bsim_record){.kind = BSIM_RECORD_END});
    bsim_hazards_free(hazards);
}

/* ---- both ---------------------------------------------------------------------------------- */

static void describe_item(struct bsim_buffer *out, const struct item *item)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    bsim_buffer_printf(out, "%4" PRIu64 " ", item->line);
    if (item->kind == BSIM_RECORD_REPEAT) {
        bsim_buffer_printf(out, "repeat %" PRIu32 "\n", item->turns);
        return;
    }
    if (item->kind == BSIM_RECORD_DONE) {
        bsim_buffer_text(out, "done\n");
        return;
    }
    bsim_buffer_printf(out, "w%" PRId32 " @%" PRIu32 " %s", (int32_t)item->event.warp,
                       item->event.site != NULL ? item->event.site->number : 0,
                       bsim_opcode_name(&item->event.opcode, name));
    for (uint32_t byte = 0; byte < WINDOW; byte++) {
        if (item->lane_plus_1[byte] != 0) {
            bsim_buffer_printf(out, " %" PRIu32, byte);
        }
    }
    bsim_buffer_text(out, "\n");
}

static void describe_findings(struct bsim_buffer *out, const char *whose,
                              const struct findings *findings)
{
    bsim_buffer_printf(out, "%s: short warps %" PRIx32 ", %" PRIu64 " to %" PRIu64 "\n", whose,
                       findings->short_warps, findings->fewest, findings->most);
    for (uint32_t i = 0; i < findings->n; i++) {
        const struct found *one = &findings->list[i];
        bsim_buffer_printf(out,
                           "  after %" PRIu64 " byte %" PRIu64 " w%" PRIu64 ".%" PRIu64 " %" PRIu64
                           ":%" PRIu64 " w%" PRIu64 ".%" PRIu64 " %" PRIu64 ":%" PRIu64 " (%" PRIu64
                           ")\n",
                           one->key[BARRIERS], one->key[ADDRESS], one->key[WARP_A], one->lane[0],
                           one->key[STATIC_A], one->line[0], one->key[WARP_B], one->lane[1],
                           one->key[STATIC_B], one->line[1], one->n_bytes);
    }
}

static bool same_found(const struct found *oracle, const struct found *checker, bool has_repeats)
{
    for (int i = 0; i < STEP_A; i++) {
        if (oracle->key[i] != checker->key[i]) {
            return false;
        }
    }
    bool bytes_fit = has_repeats ? checker->n_bytes >= 1 && checker->n_bytes <= oracle->n_bytes
                                 : checker->n_bytes == oracle->n_bytes;
    return bytes_fit && memcmp(oracle->line, checker->line, sizeof oracle->line) == 0 &&
           memcmp(oracle->lane, checker->lane, sizeof oracle->lane) == 0;
}

static bool same_findings(const struct findings *oracle, const struct findings *checker,
                          bool has_repeats)
{
    bool same = oracle->n == checker->n && oracle->short_warps == checker->short_warps &&
                (oracle->short_warps == 0 ||
                 (oracle->most == checker->most && oracle->fewest == checker->fewest));
    for (uint32_t i = 0; i < oracle->n && same; i++) {
        same = same_found(&oracle->list[i], &checker->list[i], has_repeats);
    }
    return same;
}

static void fail_program(uint32_t index, const struct way *way, const struct program *program,
                         const struct findings *oracle, const struct findings *checker)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    for (uint32_t i = 0; i < program->n_items; i++) {
        describe_item(&text, &program->item[i]);
    }
    describe_findings(&text, "oracle", oracle);
    describe_findings(&text, "checker", checker);
    print_error("%s", text.data);
    bsim_buffer_free(&text);
    fail_msg("program %" PRIu32 ", %" PRIu32 " warps, %s", index, program->n_warps, way->name);
}

static void agrees_with_brute_force(void **state)
{
    (void)state;
    static struct program program;
    static struct run run;
    static struct findings oracle;
    static struct findings checker;
    uint32_t asked = 0;
    uint32_t racy = 0;
    uint32_t faulty = 0;
    for (uint32_t index = 0; index < PROGRAMS; index++) {
        make_program(&program);
        if (!ask_oracle(&program, &run, &oracle)) {
            continue;
        }
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            ask_checker(&program, &run, &ways[i], &checker);
            if (!same_findings(&oracle, &checker, ways[i].has_repeats)) {
                fail_program(index, &ways[i], &program, &oracle, &checker);
            }
        }
        asked++;
        racy += oracle.n > 0;
        faulty += oracle.short_warps != 0;
    }
    /* The programs are not all of one kind. */
    if (asked < PROGRAMS * 8 / 10 || racy < asked / 4 || racy > asked * 9 / 10 ||
        faulty < asked / 10 || faulty > asked * 9 / 10) {
        fail_msg("%" PRIu32 " programs asked, %" PRIu32 " racy, %" PRIu32 " with a fault", asked,
                 racy, faulty);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_brute_force)};
    return cmocka_run_group_tests(tests, make_sites, NULL);
}
