/* picture.c - finds the request that the page draws, and draws it for json. */
#include "web/picture.h"

#include "base/memory.h"
#include "report/json.h"

#include <banksim/advise.h>

#include <inttypes.h>
#include <string.h>

/* The search through the requests of one warp. */
struct search {
    const struct bsim_check *check;
    const struct bsim_device *device;
    struct bsim_web_which which;
    const struct bsim_check_request *like; /* the request that is meant, or NULL */
    uint32_t n_turns;                      /* so far */
    bool is_found;
    uint32_t turn; /* that was found */
    uint32_t *used; /* of each array: the columns from 0 to the last one that is asked for */
    struct bsim_buffer offsets, arrays, where, picture;
};

enum { ALL = UINT32_MAX };

/* Bytes from one row to the next, or 0: it has none. */
static uint32_t row_bytes(const struct bsim_check_array *array)
{
    return array->n_dimensions == 0 ? 0
                                    : array->dimension[array->n_dimensions - 1] * array->element_bytes;
}

/* Which columns a request asks for. Where some index is past its dimension, or requests stand for others,
 * it may be any. */
static void use_columns(struct search *search, const struct bsim_check_request *request)
{
    const struct bsim_check_contents *contents = bsim_check_contents(search->check);
    const struct bsim_check_access *access = &contents->access[request->access];
    uint32_t bytes = access->parts > 1 ? request->opcode.bytes : access->bytes;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((request->lanes >> lane & 1) == 0) {
            continue;
        }
        uint32_t i = request->array[lane], row = row_bytes(&contents->array[i]);
        uint32_t end = row == 0 ? 0 : request->offset[lane] % row + (bytes > 0 ? bytes - 1 : 0);
        uint32_t columns = request->leaves_row || access->one_in > 1 || row == 0 || end >= row
                               ? ALL
                               : end / contents->array[i].element_bytes + 1;
        search->used[i] = columns > search->used[i] ? columns : search->used[i];
    }
}

/* Columns at the end of each row that nothing asks for: what may be padding. */
static uint32_t spare_columns(const struct bsim_check_array *array, uint32_t used)
{
    uint32_t columns = array->n_dimensions == 0 ? 0 : array->dimension[array->n_dimensions - 1];
    return used < columns ? columns - used : 0;
}

/* What a kernel that has this array is written with: its declaration, and the index that stands for
 * [y][x]. Of several layouts, one upon the other, there is no one spelling. */
static void put_array(const struct bsim_check_array *array, uint32_t used, struct bsim_buffer *out)
{
    static const struct bsim_layout as_is = {.kind = BSIM_LAYOUT_AS_IS};
    const struct bsim_layout *layout = array->n_layouts == 1 ? &array->layout[0] : &as_is;
    struct bsim_buffer declaration = BSIM_BUFFER_EMPTY, index = BSIM_BUFFER_EMPTY;
    if (array->n_layouts <= 1) {
        bsim_layout_declaration(array, layout, array->alignment,
                                array->size_bytes / array->element_bytes, &declaration);
        bsim_layout_spell(BSIM_LAYOUT_INDEX, array, layout, &index);
    }
    bsim_buffer_printf(out, "%s{\"array\": ", out->size_bytes > 0 ? ", " : "[");
    bsim_json_string(array->name, out);
    bsim_buffer_text(out, ", \"declaration\": ");
    bsim_json_string(declaration.data != NULL ? declaration.data : "", out);
    bsim_buffer_text(out, ", \"index\": ");
    bsim_json_string(index.data != NULL ? index.data : "", out);
    bsim_buffer_printf(out, ", \"spare\": %" PRIu32 "}", spare_columns(array, used));
    out->failed = out->failed || declaration.failed || index.failed;
    bsim_buffer_free(&declaration);
    bsim_buffer_free(&index);
}

static void put_arrays(struct search *search)
{
    const struct bsim_check_contents *contents = bsim_check_contents(search->check);
    for (size_t i = 0; i < contents->n_arrays; i++) {
        put_array(&contents->array[i], search->used[i], &search->arrays);
    }
    bsim_buffer_text(&search->arrays, contents->n_arrays > 0 ? "]" : "[]");
}

/* For each lane, where its access begins by the indices, as bytes of the array that would lie in order. */
static void put_places(struct search *search, const struct bsim_check_request *request)
{
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        bsim_buffer_text(&search->offsets, lane > 0 ? ", " : "[");
        if ((request->lanes >> lane & 1) != 0) {
            bsim_json_number(request->offset[lane], &search->offsets);
        } else {
            bsim_buffer_text(&search->offsets, "null");
        }
    }
    bsim_buffer_text(&search->offsets, "]");
}

static bool is_like(const struct bsim_check_request *a, const struct bsim_check_request *b,
                    size_t n_loops)
{
    return a->part == b->part && a->lanes == b->lanes &&
           memcmp(a->offset, b->offset, sizeof a->offset) == 0 &&
           memcmp(a->array, b->array, sizeof a->array) == 0 &&
           (n_loops == 0 || memcmp(a->loop, b->loop, n_loops * sizeof a->loop[0]) == 0);
}

/* Its loops' values are the visitor's: it is drawn at once. */
static enum bsim_status draw(struct search *search, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    static const struct bsim_report_options json = {.format = BSIM_JSON};
    struct bsim_buffer texts = BSIM_BUFFER_EMPTY;
    struct bsim_picture picture;
    bsim_buffer_clear(&search->offsets);
    bsim_buffer_clear(&search->where);
    bsim_buffer_clear(&search->picture);
    put_places(search, request);
    if (request->opcode.space == BSIM_SHARED) {
        bsim_report_where(search->check, search->device, request, 1, &json, &search->where);
    }
    enum bsim_status status =
        bsim_picture_of(search->check, search->device, request, &texts, &picture, err);
    if (status == BSIM_OK) {
        bsim_report_pictures(&picture, 1, BSIM_JSON, NULL, &search->picture);
    }
    bsim_buffer_free(&texts);
    return status;
}

static enum bsim_status look(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct search *search = context;
    enum bsim_status status = BSIM_OK;
    if (request->opcode.space == BSIM_SHARED) {
        use_columns(search, request);
    }
    if (request->access != search->which.access || request->warp != search->which.warp) {
        return BSIM_OK;
    }
    size_t n_loops = bsim_check_contents(search->check)->access[request->access].n_loops;
    bool is_meant = search->like != NULL ? is_like(request, search->like, n_loops)
                                         : search->n_turns <= search->which.turn;
    if (is_meant && !(search->like != NULL && search->is_found)) {
        search->is_found = true;
        search->turn = search->n_turns;
        status = draw(search, request, err);
    }
    search->n_turns++;
    return status;
}

/* Whether a costs more: in conflicts, or else in all. */
static bool costs_more(const struct bsim_site_result *a, const struct bsim_site_result *b)
{
    uint64_t excessive_a = bsim_tally_excessive(&a->tally);
    uint64_t excessive_b = bsim_tally_excessive(&b->tally);
    uint64_t all_a = a->tally.wavefronts + a->global.sectors + a->constant_passes;
    uint64_t all_b = b->tally.wavefronts + b->global.sectors + b->constant_passes;
    return excessive_a != excessive_b ? excessive_a > excessive_b : all_a > all_b;
}

/* The first of those that cost the most, and have lanes to draw: TMA and wgmma have none. */
static uint32_t costliest(const struct bsim_answer *answer)
{
    const struct bsim_site_result *sites = answer->result.kernels[0].sites;
    uint32_t most = 0;
    for (uint32_t i = 1; i < answer->n_accesses; i++) {
        bool is_drawn = answer->worst[i].is_known, was_drawn = answer->worst[most].is_known;
        most = is_drawn == was_drawn ? costs_more(&sites[i], &sites[most]) ? i : most : is_drawn ? i : most;
    }
    return most;
}

/* Settles what was left open: the access, and the worst of its requests. */
static enum bsim_status settle(struct search *search, struct bsim_check *check,
                               struct bsim_answer *answer, struct bsim_error *err)
{
    struct bsim_ask ask = {.device = search->device};
    struct bsim_web_which *which = &search->which;
    if (which->has_access && which->access < bsim_check_contents(check)->n_accesses &&
        which->has_warp) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_answer(check, &ask, answer, err);
    if (status != BSIM_OK || answer->n_accesses == 0) {
        return status;
    }
    if (!which->has_access || which->access >= answer->n_accesses) {
        which->access = costliest(answer);
        which->has_warp = false;
    }
    if (!which->has_warp && answer->worst[which->access].is_known) {
        search->like = &answer->worst[which->access].request;
        which->warp = search->like->warp;
    }
    return BSIM_OK;
}

static enum bsim_status find(struct search *search, struct bsim_check *check,
                             struct bsim_error *err)
{
    struct bsim_answer answer = {.n_accesses = 0};
    struct bsim_check_visitor visitor = {.shared = look, .other = look, .context = search};
    enum bsim_status status = settle(search, check, &answer, err);
    size_t n_arrays = bsim_check_contents(check)->n_arrays;
    search->used = bsim_mem_zeroed(n_arrays > 0 ? n_arrays : 1, sizeof *search->used);
    if (status == BSIM_OK && search->used == NULL) {
        status = bsim_mem_short(err);
    }
    if (status == BSIM_OK && (search->which.has_warp || search->like != NULL)) {
        status = bsim_check_each(check, &visitor, err);
    }
    if (search->is_found) {
        put_arrays(search);
    }
    bsim_mem_free(search->used);
    bsim_answer_free(&answer);
    return status;
}

static void add(const char *name, struct bsim_buffer *document, struct bsim_buffer *out)
{
    bsim_buffer_printf(out, ",\n\"%s\": ", name);
    if (document->size_bytes > 0) {
        bsim_buffer_add(out, document->data, document->size_bytes);
    } else {
        bsim_buffer_text(out, "null");
    }
    out->failed = out->failed || document->failed;
    bsim_buffer_free(document);
}

enum bsim_status bsim_web_picture(struct bsim_check *check, const struct bsim_device *device,
                                  const struct bsim_web_which *which, struct bsim_buffer *out,
                                  struct bsim_error *err)
{
    struct bsim_dim3 block = bsim_check_contents(check)->kernel->block;
    struct search search = {.check = check,
                            .device = device,
                            .which = *which,
                            .offsets = BSIM_BUFFER_EMPTY,
                            .arrays = BSIM_BUFFER_EMPTY,
                            .where = BSIM_BUFFER_EMPTY,
                            .picture = BSIM_BUFFER_EMPTY};
    bsim_check_for(check, device);
    enum bsim_status status = find(&search, check, err);
    uint32_t n_threads = block.x * block.y * block.z;
    bsim_buffer_printf(out,
                       "{\"access\": %" PRIu32 ", \"warp\": %" PRIu32 ", \"warps\": %" PRIu32 ", \"turn\": %" PRIu32
                       ", \"turns\": %" PRIu32,
                       search.which.access, search.which.warp, (n_threads + BSIM_WARP_LANES - 1) / BSIM_WARP_LANES,
                       search.turn, search.n_turns);
    add("arrays", &search.arrays, out);
    add("offsets", &search.offsets, out);
    add("where", &search.where, out);
    add("picture", &search.picture, out);
    bsim_buffer_text(out, "}\n");
    return status;
}
