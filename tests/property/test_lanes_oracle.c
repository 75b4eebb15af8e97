/* test_lanes_oracle.c - random small programs of one block: races within a warp, and several lanes
 * of one store at one place, against brute force.
 *
 * The oracle runs every turn of every repeat and compares all accesses of a warp two by two, lane
 * by lane. Whether a's access comes before b's it finds by walking from one to the other: who a is
 * known to grows with each barrier that names somebody who is. The checker gets the program with
 * its repeats, and with its turns one by one. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <banksim/banksim.h>

#include "random_request.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 6000, MAX_ITEMS = 40, MAX_STEPS = 400, MAX_FOUND = 20000, N_WARPS = 2 };

static struct random_source random_numbers = {20241122};

static uint32_t below(uint32_t n)
{
    return random_below(&random_numbers, n);
}

/* ---- programs ------------------------------------------------------------------------------ */

struct item {
    enum bsim_record_kind kind; /* EVENT, REPEAT, DONE */
    uint32_t turns;
    struct bsim_event event;
    uint32_t source_line; /* 0: it has no site */
};

struct program {
    bool in_step; /* the device's lanes are */
    uint32_t n_items;
    struct item item[MAX_ITEMS];
};

/* Four lanes and eight words, so that they meet. */
static void choose_event(struct item *item, bool partial)
{
    static const char *const name[] = {"ld.shared.u32",
                                       "st.shared.u32",
                                       "ld.volatile.shared.u32",
                                       "st.volatile.shared.u32",
                                       "st.shared.u8",
                                       "ld.global.u32",
                                       "st.global.v2.u32",
                                       "bar.warp.sync",
                                       "bar.warp.sync",
                                       "membar.cta",
                                       "bar.sync",
                                       "atom.shared.add.u32"};
    const char *chosen = name[below(12)];
    struct bsim_opcode opcode;
    assert_int_equal(bsim_opcode_parse(chosen, strlen(chosen), &opcode, NULL), BSIM_OK);
    bsim_event_init(&item->event, &opcode);
    item->event.warp = opcode.family == BSIM_BAR ? BSIM_ALL_WARPS : below(N_WARPS);
    if (opcode.family == BSIM_BAR) {
        return;
    }
    item->source_line = below(3);
    item->event.mask = 1 + below(15);
    if (opcode.family == BSIM_WARP_SYNC && (!partial || below(3) == 0)) {
        item->event.mask = BSIM_FULL_MASK;
    }
    for (uint32_t lane = 0; lane < 4; lane++) {
        item->event.address[lane] = (uint64_t)opcode.bytes * below(32 / (opcode.bytes | 1));
    }
}

static void add_items(struct program *program, uint32_t depth, bool partial)
{
    uint32_t n = 2 + below(depth == 0 ? 14 : 6);
    for (uint32_t i = 0; i < n && program->n_items < MAX_ITEMS - 8; i++) {
        struct item *item = &program->item[program->n_items++];
        item->kind = BSIM_RECORD_EVENT;
        if (depth < 2 && below(6) == 0) {
            item->kind = BSIM_RECORD_REPEAT;
            item->turns = 1 + below(5);
            add_items(program, depth + 1, partial);
            program->item[program->n_items++].kind = BSIM_RECORD_DONE;
        } else {
            choose_event(item, partial);
        }
    }
}

/* ---- the oracle ---------------------------------------------------------------------------- */

/* One warp executes one item. */
struct step {
    uint32_t item, warp;
    uint32_t barriers, stretch; /* before it: of the block, and of all lanes of the warp */
};

struct run {
    uint32_t n;
    uint32_t barriers[N_WARPS], stretch[N_WARPS];
    struct step step[MAX_STEPS];
};

static bool run_items(struct run *run, const struct program *program, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++) {
        const struct item *item = &program->item[i];
        if (item->kind == BSIM_RECORD_REPEAT) {
            uint32_t end = i;
            for (uint32_t depth = 1; depth > 0;) {
                end++;
                depth += program->item[end].kind == BSIM_RECORD_REPEAT;
                depth -= program->item[end].kind == BSIM_RECORD_DONE;
            }
            for (uint32_t turn = 0; turn < item->turns; turn++) {
                if (!run_items(run, program, i + 1, end)) {
                    return false;
                }
            }
            i = end;
            continue;
        }
        for (uint32_t w = 0; w < N_WARPS; w++) {
            if (item->event.warp != w && item->event.warp != BSIM_ALL_WARPS) {
                continue;
            }
            if (run->n == MAX_STEPS) {
                return false;
            }
            run->step[run->n++] = (struct step){i, w, run->barriers[w], run->stretch[w]};
            uint8_t family = item->event.opcode.family;
            run->barriers[w] += family == BSIM_BAR;
            run->stretch[w] +=
                (program->in_step && (family == BSIM_WARP_SYNC || family == BSIM_FENCE)) ||
                (family == BSIM_WARP_SYNC && item->event.mask == BSIM_FULL_MASK);
        }
    }
    return true;
}

static bool is_plain(const struct bsim_opcode *opcode)
{
    return opcode->family == BSIM_LD || opcode->family == BSIM_ST;
}

/* A finding at one byte. Compared as a row of numbers. */
enum { KIND, LOW, HIGH, BARRIERS, WARP, STRETCH, SPACE, ADDRESS, N_KEYS };

struct found {
    uint64_t key[N_KEYS];
    uint64_t n_bytes;
};

struct findings {
    uint32_t n;
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

/* Is lane a's access at step i known to lane b at step j? */
static bool is_ordered(const struct run *run, const struct program *program, uint32_t i, uint32_t j,
                       uint32_t a, uint32_t b)
{
    uint32_t known = UINT32_C(1) << a;
    for (uint32_t k = i + 1; k < j; k++) {
        const struct bsim_event *event = &program->item[run->step[k].item].event;
        bool is_sync = event->opcode.family == BSIM_WARP_SYNC;
        if (run->step[k].warp != run->step[i].warp) {
            continue;
        }
        if (program->in_step && (is_sync || event->opcode.family == BSIM_FENCE)) {
            return true;
        }
        known |= is_sync && (known & event->mask) != 0 ? event->mask : 0;
    }
    return (known >> b & 1) != 0;
}

/* Does what lane b stores at step j need what it has loaded together with others at step i? */
static bool needs(const struct run *run, const struct program *program, uint32_t i, uint32_t j,
                  uint32_t b)
{
    const struct item *load = &program->item[run->step[i].item];
    const struct item *store = &program->item[run->step[j].item];
    return program->in_step && load->event.opcode.family == BSIM_LD &&
           store->event.opcode.family == BSIM_ST && load->source_line != 0 &&
           load->source_line == store->source_line && (load->event.mask >> b & 1) != 0;
}

static bool races(const struct run *run, const struct program *program, uint32_t i, uint32_t j,
                  uint32_t a, uint32_t b)
{
    const struct bsim_opcode *x = &program->item[run->step[i].item].event.opcode;
    const struct bsim_opcode *y = &program->item[run->step[j].item].event.opcode;
    if (x->family != BSIM_ST && y->family != BSIM_ST) {
        return false;
    }
    if (i == j) {
        return true;
    }
    return !(program->in_step && x->is_volatile && y->is_volatile) &&
           !needs(run, program, i, j, b) && !is_ordered(run, program, i, j, a, b);
}

/* Lane a at step i and lane b at step j: the bytes on which they race. */
static void compare(struct findings *findings, const struct run *run, const struct program *program,
                    uint32_t i, uint32_t j, uint32_t a, uint32_t b)
{
    const struct step *one = &run->step[i];
    const struct step *other = &run->step[j];
    const struct bsim_event *x = &program->item[one->item].event;
    const struct bsim_event *y = &program->item[other->item].event;
    uint32_t low = one->item < other->item ? one->item : other->item;
    uint32_t high = one->item < other->item ? other->item : one->item;
    if (x->opcode.space != y->opcode.space || !races(run, program, i, j, a, b)) {
        return;
    }
    for (uint64_t at = x->address[a]; at < x->address[a] + x->opcode.bytes; at++) {
        if (at - y->address[b] < y->opcode.bytes && findings->n < MAX_FOUND) {
            /* A note counts by requests. */
            findings->list[findings->n++].key[KIND] = i == j ? BSIM_RACE_REQUEST : BSIM_RACE_LANES;
            uint64_t *key = findings->list[findings->n - 1].key;
            key[LOW] = low;
            key[HIGH] = high;
            key[BARRIERS] = one->barriers;
            key[WARP] = one->warp;
            key[STRETCH] = i == j ? i : one->stretch;
            key[SPACE] = x->opcode.space;
            key[ADDRESS] = at;
        }
    }
}

/* The first of each kind and pair, with its number of bytes. */
static void sum_up(struct findings *findings)
{
    uint32_t n = 0;
    struct found last = {{0}, 0};
    qsort(findings->list, findings->n, sizeof findings->list[0], by_key);
    for (uint32_t i = 0; i < findings->n; i++) {
        struct found one = findings->list[i];
        bool is_new =
            n == 0 || memcmp(one.key, findings->list[n - 1].key, 3 * sizeof one.key[0]) != 0;
        bool is_other = i == 0 || by_key(&one, &last) != 0;
        last = one;
        if (is_new) {
            one.n_bytes = 0;
            findings->list[n++] = one;
        }
        findings->list[n - 1].n_bytes += is_other;
    }
    findings->n = n;
}

static bool ask_oracle(const struct program *program, struct run *run, struct findings *findings)
{
    memset(run, 0, sizeof *run);
    findings->n = 0;
    if (!run_items(run, program, 0, program->n_items)) {
        return false;
    }
    for (uint32_t i = 0; i < run->n; i++) {
        for (uint32_t j = i; j < run->n; j++) {
            const struct bsim_event *x = &program->item[run->step[i].item].event;
            const struct bsim_event *y = &program->item[run->step[j].item].event;
            bool meet = run->step[i].warp == run->step[j].warp &&
                        run->step[i].barriers == run->step[j].barriers && is_plain(&x->opcode) &&
                        is_plain(&y->opcode);
            for (uint32_t pair = 0; meet && pair < 16; pair++) {
                uint32_t a = pair / 4;
                uint32_t b = pair % 4;
                bool active = (x->mask >> a & y->mask >> b & 1) != 0;
                if (active && a != b && (i != j || a < b)) {
                    compare(findings, run, program, i, j, a, b);
                }
            }
        }
    }
    if (findings->n == MAX_FOUND) {
        return false;
    }
    sum_up(findings);
    return true;
}

/* ---- the checker --------------------------------------------------------------------------- */

static void take_race(void *context, const struct bsim_race *race)
{
    struct findings *findings = context;
    uint64_t a = race->access[0].line;
    uint64_t b = race->access[1].line;
    if (race->kind == BSIM_RACE_WARPS) {
        return;
    }
    assert_int_equal(race->access[0].warp, race->access[1].warp);
    assert_int_not_equal(race->access[0].lane, race->access[1].lane);
    findings->list[findings->n++] =
        (struct found){{race->kind, a < b ? a : b, a < b ? b : a, race->barriers,
                        race->access[0].warp, 0, race->access[0].opcode.space, race->address},
                       race->n_bytes};
}

static void push(const struct bsim_sink *sink, struct bsim_record record)
{
    struct bsim_error err = {.status = BSIM_OK};
    if (sink->push(sink->context, &record, &err) != BSIM_OK) {
        fail_msg("%s", err.message);
    }
}

static struct bsim_site site_of(const struct program *program, uint32_t item)
{
    return (struct bsim_site){.number = item + 1,
                              .index = item,
                              .opcode = program->item[item].event.opcode,
                              .file = "k.cu",
                              .line = program->item[item].source_line};
}

/* An item's line is its index. Each item has a site, if it has a place in the source. */
static void push_item(const struct bsim_sink *sink, const struct program *program, uint32_t item)
{
    struct bsim_record record = {.kind = program->item[item].kind, .line = item};
    struct bsim_site site = site_of(program, item);
    struct bsim_event event = program->item[item].event;
    if (record.kind == BSIM_RECORD_EVENT) {
        event.site = site.line != 0 ? &site : NULL;
        record.u.event = &event;
    } else if (record.kind == BSIM_RECORD_REPEAT) {
        record.u.repeat.trips = program->item[item].turns;
    }
    push(sink, record);
}

static void ask_checker(const struct program *program, const struct run *run,
                        struct findings *findings)
{
    struct bsim_hazard_options options = {.context = findings, .on_race = take_race};
    struct bsim_kernel kernel = {.name = "k",
                                 .grid = {1, 1, 1},
                                 .block = {BSIM_WARP_LANES * N_WARPS, 1, 1},
                                 .device = program->in_step ? "sm_60" : "sm_70",
                                 .extras = ""};
    struct bsim_hazards *hazards = bsim_hazards_new(&options);
    assert_non_null(hazards);
    struct bsim_sink sink = bsim_hazards_sink(hazards);
    findings->n = 0;
    push(&sink, (struct bsim_record){.kind = BSIM_RECORD_KERNEL, .u.kernel = &kernel});
    for (uint32_t i = 0; i < program->n_items; i++) {
        struct bsim_site site = site_of(program, i);
        push(&sink, (struct bsim_record){.kind = BSIM_RECORD_SITE, .u.site = &site});
    }
    push(&sink, (struct bsim_record){.kind = BSIM_RECORD_BLOCK});
    for (uint32_t i = 0; run == NULL && i < program->n_items; i++) {
        push_item(&sink, program, i);
    }
    for (uint32_t i = 0; run != NULL && i < run->n; i++) {
        const struct bsim_event *event = &program->item[run->step[i].item].event;
        if (event->warp != BSIM_ALL_WARPS || run->step[i].warp == 0) {
            push_item(&sink, program, run->step[i].item);
        }
    }
    push(&sink, (struct bsim_record){.kind = BSIM_RECORD_END});
    bsim_hazards_free(hazards);
    qsort(findings->list, findings->n, sizeof findings->list[0], by_key);
}

/* ---- both ---------------------------------------------------------------------------------- */

static bool same(const struct findings *oracle, const struct findings *checker, bool has_repeats)
{
    bool fits = oracle->n == checker->n;
    for (uint32_t i = 0; i < oracle->n && fits; i++) {
        struct found one = oracle->list[i];
        const struct found *other = &checker->list[i];
        /* The place of a note is that of the first request, wherever in it. */
        one.key[STRETCH] = 0;
        one.key[ADDRESS] =
            one.key[KIND] == BSIM_RACE_REQUEST ? other->key[ADDRESS] : one.key[ADDRESS];
        fits = by_key(&one, other) == 0 && other->n_bytes >= 1 &&
               (has_repeats ? other->n_bytes <= one.n_bytes : other->n_bytes == one.n_bytes);
    }
    return fits;
}

static void show(const char *whose, const struct findings *findings)
{
    print_error("%s\n", whose);
    for (uint32_t i = 0; i < findings->n; i++) {
        for (int k = 0; k < N_KEYS; k++) {
            print_error(" %" PRIu64, findings->list[i].key[k]);
        }
        print_error(" (%" PRIu64 ")\n", findings->list[i].n_bytes);
    }
}

static void fail_program(const struct program *program, const struct findings *oracle,
                         const struct findings *checker)
{
    for (uint32_t i = 0; i < program->n_items; i++) {
        const struct item *item = &program->item[i];
        char name[BSIM_OPCODE_NAME_SIZE];
        if (item->kind == BSIM_RECORD_EVENT) {
            print_error("%" PRIu32 " w%" PRId32 " %s %08" PRIx32 " %u,%u,%u,%u\n", i,
                        (int32_t)item->event.warp, bsim_opcode_name(&item->event.opcode, name),
                        item->event.mask, (unsigned)item->event.address[0],
                        (unsigned)item->event.address[1], (unsigned)item->event.address[2],
                        (unsigned)item->event.address[3]);
        } else {
            print_error("%" PRIu32 " %s %" PRIu32 "\n", i,
                        item->kind == BSIM_RECORD_REPEAT ? "repeat" : "done", item->turns);
        }
    }
    show("oracle", oracle);
    show("checker", checker);
    fail_msg("lanes %s", program->in_step ? "in step" : "apart");
}

static void agrees_with_brute_force(void **state)
{
    (void)state;
    static struct program program;
    static struct run run;
    static struct findings oracle, checker;
    uint32_t asked = 0;
    uint32_t racy = 0;
    for (uint32_t index = 0; index < PROGRAMS; index++) {
        memset(&program, 0, sizeof program);
        program.in_step = below(3) == 0;
        add_items(&program, 0, below(2) == 0);
        if (!ask_oracle(&program, &run, &oracle)) {
            continue;
        }
        for (int way = 0; way < 2; way++) {
            ask_checker(&program, way == 0 ? NULL : &run, &checker);
            if (!same(&oracle, &checker, way == 0)) {
                fail_program(&program, &oracle, &checker);
            }
        }
        asked++;
        racy += oracle.n > 0;
    }
    /* The programs are not all of one kind. */
    if (asked < PROGRAMS * 8 / 10 || racy < asked / 4 || racy > asked * 95 / 100) {
        fail_msg("%" PRIu32 " programs asked, %" PRIu32 " racy", asked, racy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
