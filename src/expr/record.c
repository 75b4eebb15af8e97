/* record.c - a sink that keeps what kernels do to shared memory, for advice on their arrays.
 *
 * Blocks, warps and turns repeat each other's requests, so each different one of a site is kept once, with
 * how often it was made; copies of one are from the same places within lines of global memory. Launches of one name, block and window are one kernel. Memory is bounded: of a
 * kernel with more different requests, the site that has the most keeps every other one, chosen by a hash
 * of its addresses, as often as it has to; what is left stands for all. So sites that repeat themselves
 * stay whole beside one that data decide.
 *
 * A launch that does what an earlier one did (again=) has no events: what that one did last counts once
 * more.
 */
#include "expr/record.h"

#include "base/memory.h"
#include "event/async.h"
#include "event/within.h"

#include <banksim/model.h>

#include <string.h>

enum { MOST_REQUESTS = 1 << 16 };

/* ---- requests -------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct bsim_kept_request *request)
{
    uint64_t h = ((uint64_t)request->site << 32) + request->mask;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        h = (h ^ request->address[lane]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 29;
        h += request->from != NULL ? request->from[lane] : 0;
    }
    return h * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint32_t table_hash(const struct bsim_kept_request *request)
{
    return (uint32_t)request->hash;
}

/* By bits that the table does not go by. */
static bool is_kept(const struct bsim_kept_site *site, uint64_t hash)
{
    return (hash >> 40 & ((UINT64_C(1) << site->rarer) - 1)) == 0;
}

static bool is_same(const struct bsim_kept_request *a, const struct bsim_kept_request *b)
{
    return bsim_from_is_same(a->from, b->from) && a->site == b->site && a->mask == b->mask &&
           memcmp(a->address, b->address, sizeof a->address) == 0;
}

static struct bsim_kept_request *find(const struct bsim_recording *recording,
                                      const struct bsim_kept_request *wanted)
{
    uint32_t at = table_hash(wanted);
    uint32_t item;
    while ((item = bsim_table_next(&recording->table, table_hash(wanted), &at)) != 0) {
        if (is_same(&recording->request[item - 1], wanted)) {
            return &recording->request[item - 1];
        }
    }
    return NULL;
}

/* Has the site with the most requests keep every other one. */
static bool thin_out(struct bsim_recording *recording)
{
    struct bsim_kept_site *site = recording->site;
    size_t n = 0;
    for (size_t i = 1; i < recording->n_sites; i++) {
        site = recording->site[i].n > site->n ? &recording->site[i] : site;
    }
    site->rarer++;
    site->n = 0;
    bsim_table_forget(&recording->table);
    for (size_t i = 0; i < recording->n; i++) {
        const struct bsim_kept_request *request = &recording->request[i];
        bool is_of_it = &recording->site[request->site] == site;
        if (!is_of_it || is_kept(site, request->hash)) {
            site->n += is_of_it;
            recording->request[n++] = *request;
            if (!bsim_table_add(&recording->table, table_hash(request))) {
                return false;
            }
        }
    }
    recording->n = n;
    return true;
}

/* The recorder has its own copy of where it is from. */
static bool own(struct bsim_recorder *recorder, struct bsim_kept_request *request)
{
    size_t size = BSIM_WARP_LANES * sizeof *request->from;
    uint64_t *from = request->from != NULL ? bsim_arena_take(&recorder->arena, size) : NULL;
    bool fits = request->from == NULL || from != NULL;
    if (from != NULL) {
        memcpy(from, request->from, size);
    }
    request->from = from;
    return fits;
}

static bool keep(struct bsim_recorder *recorder, struct bsim_kept_request *wanted, uint64_t times)
{
    struct bsim_recording *recording = &recorder->recording[recorder->running];
    wanted->hash = hash_of(wanted);
    if (!is_kept(&recording->site[wanted->site], wanted->hash)) {
        return true;
    }
    struct bsim_kept_request *request = find(recording, wanted);
    if (request == NULL) {
        request = bsim_mem_grow(recording->request, recording->n, sizeof *request);
        if (request == NULL || !own(recorder, wanted) ||
            !bsim_table_add(&recording->table, table_hash(wanted))) {
            recording->request = request != NULL ? request : recording->request;
            return false;
        }
        recording->request = request;
        request = &recording->request[recording->n++];
        *request = *wanted;
        recording->site[wanted->site].n++;
    }
    request->of_launch = (request->launch == recorder->launch ? request->of_launch : 0) + times;
    request->launch = recorder->launch;
    request->times += times;
    while (recording->n > recorder->most) {
        if (!thin_out(recording)) {
            return false;
        }
    }
    return true;
}

/* ---- sites ----------------------------------------------------------------------------------- */

static bool is_same_text(const char *a, const char *b)
{
    return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

static const char *copy(struct bsim_recorder *recorder, const char *text, bool *fits)
{
    const char *made = text != NULL ? bsim_arena_text(&recorder->arena, text, strlen(text)) : NULL;
    *fits = *fits && (text == NULL || made != NULL);
    return made;
}

/* The place of the site in the kernel's recording, where it comes if it is new. */
static bool place_site(struct bsim_recorder *recorder, const struct bsim_kept_site *wanted,
                       uint32_t *place)
{
    struct bsim_recording *recording = &recorder->recording[recorder->running];
    for (*place = 0; *place < recording->n_sites; ++*place) {
        const struct bsim_kept_site *site = &recording->site[*place];
        if (site->number == wanted->number && site->line == wanted->line &&
            bsim_opcode_same(&site->opcode, &wanted->opcode) &&
            is_same_text(site->file, wanted->file) && is_same_text(site->text, wanted->text)) {
            return true;
        }
    }
    struct bsim_kept_site *more = bsim_mem_grow(recording->site, *place, sizeof *more);
    bool fits = more != NULL;
    if (fits) {
        recording->site = more;
        more[*place] = *wanted;
        more[*place].file = copy(recorder, wanted->file, &fits);
        more[*place].text = copy(recorder, wanted->text, &fits);
        recording->n_sites += fits;
    }
    return fits;
}

static bool find_site(struct bsim_recorder *recorder, const struct bsim_event *event,
                      uint32_t *place)
{
    struct bsim_kept_site wanted = {.opcode = event->opcode};
    const struct bsim_site *site = event->site;
    if (site == NULL) {
        return place_site(recorder, &wanted, place);
    }
    while (recorder->n_sites <= site->index) {
        uint32_t *more = bsim_mem_grow(recorder->site, recorder->n_sites, sizeof *more);
        if (more == NULL) {
            return false;
        }
        recorder->site = more;
        more[recorder->n_sites++] = 0;
    }
    if (recorder->site[site->index] == 0) {
        wanted.number = site->number;
        wanted.file = site->file;
        wanted.line = site->line;
        wanted.text = site->text;
        if (!place_site(recorder, &wanted, place)) {
            return false;
        }
        recorder->site[site->index] = *place + 1;
    }
    *place = recorder->site[site->index] - 1;
    return true;
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* Tiles that it meets, or stands beside, become one with it. False when memory is short. */
static bool add_tile(struct bsim_recording *recording, uint64_t begin, uint64_t end)
{
    size_t n = 0;
    for (size_t i = 0; i < recording->n_tiles; i++) {
        const struct bsim_kept_tile *tile = &recording->tile[i];
        if (begin >= tile->begin && end <= tile->end) {
            return true;
        }
    }
    for (size_t i = 0; i < recording->n_tiles; i++) {
        const struct bsim_kept_tile tile = recording->tile[i];
        if (tile.end < begin || tile.begin > end) {
            recording->tile[n++] = tile;
            continue;
        }
        begin = tile.begin < begin ? tile.begin : begin;
        end = tile.end > end ? tile.end : end;
    }
    recording->n_tiles = n;
    struct bsim_kept_tile *more = bsim_mem_grow(recording->tile, n, sizeof *more);
    if (more == NULL) {
        return false;
    }
    recording->tile = more;
    more[recording->n_tiles++] = (struct bsim_kept_tile){begin, end};
    return true;
}

/* Of an operand from its first element to its last; all others lie between, or nearly. */
static bool add_operand(struct bsim_recording *recording, const struct bsim_wgmma_descriptor *at,
                        uint32_t element_bytes, uint32_t rows)
{
    enum { CHUNK = 16 };
    uint64_t last = bsim_wgmma_address(at, element_bytes, BSIM_WGMMA_K_BYTES / element_bytes - 1, rows - 1);
    uint64_t begin = at->start < last ? at->start : last, end = at->start > last ? at->start : last;
    return add_tile(recording, begin, end / CHUNK * CHUNK + CHUNK);
}

static bool take_async(struct bsim_recorder *recorder, const struct bsim_event *event)
{
    const struct bsim_stream *stream = &recorder->stream;
    struct bsim_recording *recording = &recorder->recording[recorder->running];
    recording->shown.n_async += stream->trips[stream->depth];
    if (event->opcode.family == BSIM_BULK) {
        const struct bsim_tma *copy = &event->async->copy;
        uint64_t bytes = (uint64_t)bsim_tma_rows(copy) * bsim_tma_span(copy);
        return add_tile(recording, copy->start, copy->start + bytes);
    }
    struct bsim_wgmma wgmma = bsim_async_wgmma(event);
    return add_operand(recording, &event->async->b, wgmma.element_bytes, wgmma.n) &&
           (wgmma.a_in_registers ||
            add_operand(recording, &event->async->a, wgmma.element_bytes, BSIM_WGMMA_M));
}

/* ---- records --------------------------------------------------------------------------------- */

static bool take_event(struct bsim_recorder *recorder, const struct bsim_event *event)
{
    const struct bsim_stream *stream = &recorder->stream;
    struct bsim_kept_request request = {.mask = event->mask};
    uint64_t address[BSIM_WARP_LANES], from[BSIM_WARP_LANES];
    uint64_t n_warps = event->warp == BSIM_ALL_WARPS ? stream->n_warps : 1;
    recorder->recording[recorder->running].shown.n_events++;
    if (bsim_opcode_is_async(&event->opcode)) {
        return take_async(recorder, event);
    }
    if (!bsim_opcode_is_access(&event->opcode)) {
        return true;
    }
    if (event->opcode.space != BSIM_SHARED) {
        recorder->recording[recorder->running].shown.n_beside++;
        return true;
    }
    bsim_event_addresses(event, address);
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        request.address[lane] = (uint32_t)address[lane];
    }
    if (event->from != NULL) {
        bsim_event_from(event, from);
        bsim_from_within(bsim_opcode_lanes(&event->opcode, event->mask), from);
        request.from = from;
    }
    recorder->recording[recorder->running].shown.n_requests +=
        n_warps * stream->trips[stream->depth];
    return find_site(recorder, event, &request.site) &&
           keep(recorder, &request, n_warps * stream->trips[stream->depth]);
}

bool bsim_recording_is_of(const struct bsim_kernel *a, const struct bsim_kernel *b)
{
    return bsim_dim3_same(a->block, b->block) && a->has_shared == b->has_shared &&
           a->shared_bytes == b->shared_bytes && strcmp(a->name, b->name) == 0 &&
           strcmp(a->extras, b->extras) == 0;
}

static bool find_kernel(struct bsim_recorder *recorder, const struct bsim_kernel *kernel)
{
    size_t i = 0;
    while (i < recorder->n && !bsim_recording_is_of(&recorder->recording[i].kernel, kernel)) {
        i++;
    }
    recorder->running = i;
    if (i < recorder->n) {
        return true;
    }
    struct bsim_recording *more = bsim_mem_grow(recorder->recording, i, sizeof *more);
    bool fits = more != NULL;
    if (fits) {
        recorder->recording = more;
        more[i] = (struct bsim_recording){.kernel = *kernel};
        more[i].kernel.name = copy(recorder, kernel->name, &fits);
        more[i].kernel.extras = copy(recorder, kernel->extras, &fits);
        more[i].kernel.device = copy(recorder, kernel->device, &fits);
        more[i].kernel.again = 0;
        recorder->n += fits;
    }
    return fits;
}

/* What an earlier launch did last counts once more. */
static void repeat(struct bsim_recorder *recorder, uint32_t launch)
{
    struct bsim_recording *recording = &recorder->recording[recorder->running];
    for (size_t i = 0; i < recording->n; i++) {
        struct bsim_kept_request *request = &recording->request[i];
        if (request->launch >= launch) {
            request->times += request->of_launch;
            recording->shown.n_requests += request->of_launch;
        }
    }
}

static bool take_kernel(struct bsim_recorder *recorder, const struct bsim_kernel *kernel)
{
    struct bsim_launched *now = &recorder->past[++recorder->launch % BSIM_AGAIN_MOST];
    struct bsim_launched of = {0, recorder->launch};
    if (kernel->again > 0 && kernel->again < recorder->launch) {
        of = recorder->past[(recorder->launch - kernel->again) % BSIM_AGAIN_MOST];
        recorder->running = of.recording;
        repeat(recorder, of.launch);
    } else if (!find_kernel(recorder, kernel)) {
        return false;
    }
    of.recording = recorder->running;
    *now = of;
    recorder->n_sites = 0;
    recorder->recording[recorder->running].shown.n_launches++;
    return true;
}

static enum bsim_status push(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    struct bsim_recorder *recorder = context;
    enum bsim_status status = bsim_stream_check(&recorder->stream, record, err);
    bool fits = true;
    if (status == BSIM_OK && record->kind == BSIM_RECORD_KERNEL) {
        fits = take_kernel(recorder, record->u.kernel);
    } else if (status == BSIM_OK && record->kind == BSIM_RECORD_EVENT) {
        fits = take_event(recorder, record->u.event);
    }
    status = fits ? status : bsim_mem_short(err);
    return bsim_stream_pass(&recorder->stream, record, status);
}

/* ---- the recorder ---------------------------------------------------------------------------- */

struct bsim_recorder *bsim_recorder_new(size_t most)
{
    struct bsim_recorder *recorder = bsim_mem_zeroed(1, sizeof *recorder);
    if (recorder != NULL) {
        recorder->most = most > 0 ? most : MOST_REQUESTS;
    }
    return recorder;
}

struct bsim_sink bsim_recorder_sink(struct bsim_recorder *recorder)
{
    return (struct bsim_sink){.push = push, .context = recorder};
}

void bsim_recorder_free(struct bsim_recorder *recorder)
{
    if (recorder == NULL) {
        return;
    }
    for (size_t i = 0; i < recorder->n; i++) {
        bsim_mem_free(recorder->recording[i].site);
        bsim_mem_free(recorder->recording[i].request);
        bsim_mem_free(recorder->recording[i].tile);
        bsim_table_clear(&recorder->recording[i].table);
    }
    bsim_mem_free(recorder->recording);
    bsim_mem_free(recorder->site);
    bsim_arena_free(&recorder->arena);
    bsim_mem_free(recorder);
}

const struct bsim_recorded *bsim_recorder_kernel(const struct bsim_recorder *recorder, size_t i)
{
    if (i >= recorder->n) {
        return NULL;
    }
    recorder->recording[i].shown.kernel = &recorder->recording[i].kernel;
    return &recorder->recording[i].shown;
}

uint64_t bsim_recorder_excessive(const struct bsim_recorder *recorder, size_t i,
                                 const struct bsim_device *device)
{
    const struct bsim_recording *recording = &recorder->recording[i];
    uint64_t n = 0;
    for (size_t k = 0; k < recording->n; k++) {
        const struct bsim_kept_request *kept = &recording->request[k];
        const struct bsim_kept_site *site = &recording->site[kept->site];
        struct bsim_request request = {
            .opcode = site->opcode, .mask = kept->mask, .has_from = kept->from != NULL};
        struct bsim_counts counts;
        memcpy(request.address, kept->address, sizeof request.address);
        if (kept->from != NULL) {
            memcpy(request.from, kept->from, sizeof request.from);
        }
        bsim_request_count(device, &request, &counts);
        n += (kept->times << site->rarer) * bsim_counts_excessive(&counts);
    }
    return n;
}
