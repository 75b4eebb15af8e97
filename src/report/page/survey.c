/* survey.c - gathers what a page shows of the requests, in memory that does not grow with them.
 *
 * Equal requests are one pattern. Two requests are equal if one is the other moved by a number of
 * whole rows of the banks: every address then keeps its bank, and the passes are the same. A tile's
 * column read by 32 warps is 32 addresses apart and yet a single pattern.
 *
 * Where patterns outgrow the budget twofold, the least bad ones are dropped (prune). A site's floor
 * is the best rank it has dropped; from then on it takes nothing of that rank or below, so that a
 * dropped pattern never comes back with only the rest of its count. The schedule of a pattern that
 * is not kept is made anew each time, which is what its counts cost already.
 */
#include "report/page/survey.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_FACTOR = 2,     /* prune when this many budgets are full */
    COMMON_ALIGNMENT = 16, /* of every access: what moves by it stays aligned */
};

static enum bsim_status out_of_memory(struct bsim_error *err)
{
    return bsim_mem_short(err);
}

/* ---- hashing: one multiplication and shift per word, as splitmix64 ends --------------------- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0xbf58476d1ce4e5b9);
    return hash ^ hash >> 29;
}

static uint64_t hash_opcode(const struct bsim_opcode *opcode)
{
    unsigned char bytes[16] = {0};
    uint64_t word[2];
    _Static_assert(sizeof *opcode <= sizeof bytes, "an opcode is a few bytes without padding");
    memcpy(bytes, opcode, sizeof *opcode);
    memcpy(word, bytes, sizeof word);
    return mix(mix(1, word[0]), word[1]);
}

static uint64_t hash_request(const struct bsim_request *request)
{
    uint64_t hash = mix(hash_opcode(&request->opcode), request->mask);
    for (size_t i = 0; i < BSIM_WARP_LANES; i += 2) {
        hash = mix(hash, (uint64_t)request->address[i] << 32 | request->address[i + 1]);
    }
    for (size_t i = 0; i < BSIM_WARP_LANES && request->has_from; i++) {
        hash = mix(hash, request->from[i]);
    }
    return hash;
}

/* ---- sites ---------------------------------------------------------------------------------- */

static uint64_t hash_site(size_t kernel, uint32_t number, const struct bsim_opcode *opcode)
{
    return mix(mix(number == 0 ? hash_opcode(opcode) : 1, kernel), number);
}

static bool is_site(const struct bsim_survey_site *site, size_t kernel, uint32_t number,
                    const struct bsim_opcode *opcode)
{
    return site->kernel == kernel && site->number == number &&
           (number != 0 || bsim_opcode_same(&site->opcode, opcode));
}

const struct bsim_survey_site *bsim_survey_find(const struct bsim_survey *survey, size_t kernel,
                                                uint32_t number, const struct bsim_opcode *opcode)
{
    uint32_t hash = (uint32_t)hash_site(kernel, number, opcode), at = hash, item;
    while ((item = bsim_table_next(&survey->site_table, hash, &at)) != 0) {
        if (is_site(&survey->sites[item - 1], kernel, number, opcode)) {
            return &survey->sites[item - 1];
        }
    }
    return NULL;
}

/* NULL when memory is short. */
static const struct bsim_survey_site *add_site(struct bsim_survey *survey,
                                               const struct bsim_survey_site *site)
{
    uint64_t hash = hash_site(site->kernel, site->number, &site->opcode);
    struct bsim_survey_site *sites = bsim_mem_grow(survey->sites, survey->n_sites, sizeof *sites);
    survey->sites = sites != NULL ? sites : survey->sites;
    if (sites == NULL || !bsim_table_add(&survey->site_table, (uint32_t)hash)) {
        return NULL;
    }
    sites[survey->n_sites] = *site;
    return &sites[survey->n_sites++];
}

/* The site of an event, new if need be; NULL when memory is short. */
static struct bsim_survey_site *take_site(struct bsim_survey *survey, size_t kernel,
                                          const struct bsim_event *event)
{
    uint32_t number = event->site != NULL ? event->site->number : 0;
    if (survey->last_site > 0 &&
        is_site(&survey->sites[survey->last_site - 1], kernel, number, &event->opcode)) {
        return &survey->sites[survey->last_site - 1];
    }
    const struct bsim_survey_site *known = bsim_survey_find(survey, kernel, number, &event->opcode);
    if (known == NULL) {
        struct bsim_survey_site site = {
            .kernel = kernel, .number = number, .opcode = event->opcode};
        known = add_site(survey, &site);
    }
    if (known == NULL) {
        return NULL;
    }
    survey->last_site = (uint32_t)(known - survey->sites) + 1;
    return &survey->sites[survey->last_site - 1];
}

/* ---- patterns ------------------------------------------------------------------------------- */

/* The distance by which addresses can move and keep their banks and their alignment. */
static uint32_t period_bytes(const struct bsim_device *device)
{
    uint32_t row_bytes = device->n_banks * device->bank_bytes;
    uint32_t period = row_bytes;
    while (period % COMMON_ALIGNMENT != 0) {
        period += row_bytes;
    }
    return period;
}

/* The request of an event, moved down as far as its banks allow; returns by how much. */
static uint32_t move_down(const struct bsim_device *device, const struct bsim_event *event,
                          struct bsim_request *request)
{
    uint64_t address[BSIM_WARP_LANES];
    uint32_t lanes = bsim_opcode_lanes(&event->opcode, event->mask);
    uint32_t lowest = UINT32_MAX;
    *request = (struct bsim_request){
        .opcode = event->opcode, .mask = event->mask, .has_from = event->from != NULL};
    bsim_event_addresses(event, address);
    bsim_event_from(event, request->from);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0 && (uint32_t)address[lane] < lowest) {
            lowest = (uint32_t)address[lane];
        }
    }
    uint32_t base = lowest - lowest % period_bytes(device);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((lanes >> lane & 1) != 0) {
            request->address[lane] = (uint32_t)address[lane] - base;
        }
    }
    return base;
}

/* Which banks serve how many rows, and which of them hold up their group. */
static void weigh_banks(const struct bsim_schedule *schedule, struct bsim_survey_pattern *pattern)
{
    uint8_t of_group[BSIM_MAX_GROUPS][BSIM_MAX_BANKS] = {{0}};
    uint8_t most[BSIM_MAX_GROUPS] = {0};
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        const struct bsim_grant *grant = &schedule->grant[i];
        uint8_t group = schedule->pass[grant->pass].group;
        uint8_t turns = ++of_group[group][grant->bank];
        most[group] = turns > most[group] ? turns : most[group];
        pattern->turns[grant->bank]++;
    }
    for (uint32_t group = 0; group < schedule->n_groups; group++) {
        for (uint32_t bank = 0; bank < BSIM_MAX_BANKS; bank++) {
            if (schedule->group_ways[group] > 1 && of_group[group][bank] == most[group]) {
                pattern->held_up[bank]++;
            }
        }
    }
}

static int compare_ranks(const struct bsim_survey_rank *a, const struct bsim_survey_rank *b)
{
    if (a->excessive != b->excessive) {
        return a->excessive < b->excessive ? -1 : 1;
    }
    return a->hash == b->hash ? 0 : a->hash < b->hash ? -1 : 1;
}

static uint64_t hash_pattern(const struct bsim_survey_pattern *pattern)
{
    return mix(pattern->rank.hash, pattern->site);
}

static bool same_pattern(const struct bsim_survey_pattern *a, const struct bsim_survey_pattern *b)
{
    return a->site == b->site && a->rank.hash == b->rank.hash &&
           a->request.mask == b->request.mask &&
           bsim_opcode_same(&a->request.opcode, &b->request.opcode) &&
           memcmp(a->request.address, b->request.address, sizeof a->request.address) == 0;
}

static struct bsim_survey_pattern *find_pattern(struct bsim_survey *survey,
                                                const struct bsim_survey_pattern *wanted)
{
    uint32_t hash = (uint32_t)hash_pattern(wanted), at = hash, item;
    while ((item = bsim_table_next(&survey->pattern_table, hash, &at)) != 0) {
        if (same_pattern(&survey->patterns[item - 1], wanted)) {
            return &survey->patterns[item - 1];
        }
    }
    return NULL;
}

/* False when memory is short. */
static bool add_pattern(struct bsim_survey *survey, const struct bsim_survey_pattern *pattern)
{
    struct bsim_survey_pattern *patterns =
        bsim_mem_grow(survey->patterns, survey->n_patterns, sizeof *patterns);
    survey->patterns = patterns != NULL ? patterns : survey->patterns;
    if (patterns == NULL ||
        !bsim_table_add(&survey->pattern_table, (uint32_t)hash_pattern(pattern))) {
        return false;
    }
    patterns[survey->n_patterns++] = *pattern;
    return true;
}

/* ---- what stays ----------------------------------------------------------------------------- */

/* By sites, the worst of each first. */
static int by_site(const void *a, const void *b)
{
    const struct bsim_survey_pattern *x = a;
    const struct bsim_survey_pattern *y = b;
    if (x->site != y->site) {
        return x->site < y->site ? -1 : 1;
    }
    return compare_ranks(&y->rank, &x->rank);
}

/* As a reader wants them: of equally bad ones the first that came. */
static int by_reading(const void *a, const void *b)
{
    const struct bsim_survey_pattern *x = a;
    const struct bsim_survey_pattern *y = b;
    if (x->site != y->site) {
        return x->site < y->site ? -1 : 1;
    }
    if (x->rank.excessive != y->rank.excessive) {
        return x->rank.excessive > y->rank.excessive ? -1 : 1;
    }
    return x->seen < y->seen ? -1 : x->seen > y->seen;
}

/* A pattern's claim on the budget: its place among those of its site. */
struct claim {
    size_t place;
    const struct bsim_survey_pattern *pattern;
};

/* The worst of every site, then the second of every site. */
static int by_place(const void *a, const void *b)
{
    const struct claim *x = a;
    const struct claim *y = b;
    if (x->place != y->place) {
        return x->place < y->place ? -1 : 1;
    }
    int order = compare_ranks(&y->pattern->rank, &x->pattern->rank);
    return order != 0 ? order : x->pattern->site < y->pattern->site ? -1 : 1;
}

static void raise_floor(struct bsim_survey_site *site, const struct bsim_survey_rank *rank)
{
    if (!site->has_floor || compare_ranks(rank, &site->floor) > 0) {
        site->has_floor = true;
        site->floor = *rank;
    }
}

/* The patterns are in order of sites. Raises the floors over what the budget does not hold. */
static void drop_claims(struct bsim_survey *survey, struct claim *claims)
{
    size_t place = 0;
    for (size_t i = 0; i < survey->n_patterns; i++) {
        const struct bsim_survey_pattern *pattern = &survey->patterns[i];
        place = i > 0 && pattern->site == pattern[-1].site ? place + 1 : 0;
        claims[i] = (struct claim){place, pattern};
    }
    qsort(claims, survey->n_patterns, sizeof *claims, by_place);
    size_t kept = 0;
    survey->size_bytes = 0;
    while (kept < survey->n_patterns &&
           survey->size_bytes + claims[kept].pattern->size_bytes <= survey->budget_bytes) {
        survey->size_bytes += claims[kept++].pattern->size_bytes;
    }
    for (; kept < survey->n_patterns; kept++) {
        const struct bsim_survey_pattern *dropped = claims[kept].pattern;
        raise_floor(&survey->sites[dropped->site], &dropped->rank);
    }
}

static void drop_patterns(struct bsim_survey *survey)
{
    size_t kept = 0;
    bsim_table_forget(&survey->pattern_table); /* it keeps its memory, so that adding cannot fail */
    for (size_t i = 0; i < survey->n_patterns; i++) {
        const struct bsim_survey_pattern *pattern = &survey->patterns[i];
        const struct bsim_survey_site *site = &survey->sites[pattern->site];
        if (!site->has_floor || compare_ranks(&pattern->rank, &site->floor) > 0) {
            (void)bsim_table_add(&survey->pattern_table, (uint32_t)hash_pattern(pattern));
            survey->patterns[kept++] = *pattern;
        }
    }
    survey->n_patterns = kept;
}

/* Drops what the budget does not hold; what stays is in order of sites. */
static enum bsim_status prune(struct bsim_survey *survey, struct bsim_error *err)
{
    if (survey->n_patterns == 0) {
        return BSIM_OK;
    }
    struct claim *claims = bsim_mem_resize(NULL, survey->n_patterns, sizeof *claims);
    if (claims == NULL) {
        return out_of_memory(err);
    }
    qsort(survey->patterns, survey->n_patterns, sizeof *survey->patterns, by_site);
    drop_claims(survey, claims);
    bsim_mem_free(claims);
    drop_patterns(survey);
    return BSIM_OK;
}

/* ---- requests ------------------------------------------------------------------------------- */

static enum bsim_status keep(struct bsim_survey *survey, const struct bsim_device *device,
                             struct bsim_survey_pattern *pattern, struct bsim_error *err)
{
    if (survey->size_bytes > MEMORY_FACTOR * survey->budget_bytes) {
        enum bsim_status status = prune(survey, err);
        const struct bsim_survey_site *site = &survey->sites[pattern->site];
        if (status != BSIM_OK ||
            (site->has_floor && compare_ranks(&pattern->rank, &site->floor) <= 0)) {
            return status;
        }
    }
    bsim_buffer_clear(&survey->scratch);
    bsim_survey_pattern_json(pattern, device, &survey->scratch);
    pattern->size_bytes = (uint32_t)survey->scratch.size_bytes;
    if (bsim_buffer_status(&survey->scratch, NULL) != BSIM_OK || !add_pattern(survey, pattern)) {
        return out_of_memory(err);
    }
    survey->size_bytes += pattern->size_bytes;
    return BSIM_OK;
}

static void add_to_site(struct bsim_survey_site *site, const struct bsim_survey_pattern *pattern,
                        uint64_t n)
{
    for (uint32_t bank = 0; bank < BSIM_MAX_BANKS; bank++) {
        site->turns[bank] += n * pattern->turns[bank];
        site->held_up[bank] += n * pattern->held_up[bank];
    }
}

static enum bsim_status add_new(struct bsim_survey *survey, struct bsim_survey_site *site,
                                const struct bsim_request_result *result,
                                struct bsim_survey_pattern *pattern, struct bsim_error *err)
{
    struct bsim_schedule schedule;
    bsim_request_schedule(result->device, &pattern->request, &schedule);
    pattern->counts = result->counts;
    pattern->rank.excessive = bsim_counts_excessive(&result->counts);
    pattern->warp = result->warp;
    pattern->block = result->block;
    pattern->index = result->index;
    pattern->line = result->line;
    pattern->n = result->trips;
    pattern->seen = survey->n_seen++;
    weigh_banks(&schedule, pattern);
    add_to_site(site, pattern, result->trips);
    if (site->has_floor && compare_ranks(&pattern->rank, &site->floor) <= 0) {
        return BSIM_OK;
    }
    return keep(survey, result->device, pattern, err);
}

enum bsim_status bsim_survey_add(struct bsim_survey *survey, size_t kernel,
                                 const struct bsim_request_result *request, struct bsim_error *err)
{
    if (request->event->opcode.space != BSIM_SHARED) {
        return BSIM_OK;
    }
    struct bsim_survey_pattern pattern = {0};
    struct bsim_survey_site *site = take_site(survey, kernel, request->event);
    if (site == NULL) {
        return out_of_memory(err);
    }
    pattern.base = move_down(request->device, request->event, &pattern.request);
    pattern.site = (uint32_t)(site - survey->sites);
    pattern.rank.hash = hash_request(&pattern.request);
    struct bsim_survey_pattern *known = find_pattern(survey, &pattern);
    if (known == NULL) {
        return add_new(survey, site, request, &pattern, err);
    }
    known->n += request->trips;
    add_to_site(site, known, request->trips);
    return BSIM_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum bsim_status bsim_survey_arrange(struct bsim_survey *survey, struct bsim_error *err)
{
    enum bsim_status status = prune(survey, err);
    if (survey->n_patterns > 0) {
        qsort(survey->patterns, survey->n_patterns, sizeof *survey->patterns, by_reading);
    }
    for (size_t i = 0; i < survey->n_sites; i++) {
        survey->sites[i].n_patterns = 0;
    }
    for (size_t i = 0; status == BSIM_OK && i < survey->n_patterns; i++) {
        struct bsim_survey_site *site = &survey->sites[survey->patterns[i].site];
        site->first = site->n_patterns > 0 ? site->first : i;
        site->n_patterns++;
    }
    return status;
}

struct bsim_survey *bsim_survey_new(size_t budget_bytes)
{
    struct bsim_survey *survey = bsim_mem_zeroed(1, sizeof *survey);
    if (survey != NULL) {
        survey->budget_bytes = budget_bytes > 0 ? budget_bytes : BSIM_SURVEY_BUDGET_BYTES;
    }
    return survey;
}

void bsim_survey_free(struct bsim_survey *survey)
{
    if (survey == NULL) {
        return;
    }
    bsim_mem_free(survey->sites);
    bsim_table_clear(&survey->site_table);
    bsim_mem_free(survey->patterns);
    bsim_table_clear(&survey->pattern_table);
    bsim_buffer_free(&survey->scratch);
    bsim_mem_free(survey);
}
