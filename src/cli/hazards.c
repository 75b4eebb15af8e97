/* hazards.c - the findings of --hazards, one line each, on standard error.
 *
 * The trace reader and the emulators refuse a block whose warps do not all reach its barriers, so
 * that all that is found in their streams is races; other sources may have barrier faults too.
 */
#include "cli/cli.h"

#include "base/mangled.h"
#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

enum { MAX_SHOWN = 20 };

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* A finding as it is told, of the first launch that has it; it is known by all but the trace's
 * lines, and by its sites' numbers. */
struct hazard {
    char *text, *key;
    uint64_t n; /* launches, mostly */
};

/* Keeps both texts, unless another launch has told the same; then they are freed. */
static void keep(struct hazard_search *search, struct bsim_buffer *text, struct bsim_buffer *key)
{
    bsim_buffer_add(text, "", 1);
    bsim_buffer_add(key, "", 1);
    bool is_kept = text->failed || key->failed;
    for (size_t i = 0; i < search->n_hazards && !is_kept; i++) {
        bool is_same = strcmp(search->hazard[i].key, key->data) == 0;
        search->hazard[i].n += is_same;
        is_kept = is_same;
    }
    if (!is_kept && search->n_hazards < MAX_SHOWN) {
        search->hazard[search->n_hazards++] = (struct hazard){text->data, key->data, 1};
        return;
    }
    search->n_left_out += !is_kept;
    bsim_buffer_free(text);
    bsim_buffer_free(key);
}

/* "st.shared.u32 of warp 0, lane 3, at square.cu:12 (x.trace:9)", as far as it is known; without a
 * source_name the trace's line is left out. */
static void put_access(const char *source_name, const struct bsim_race_access *access,
                       const struct bsim_dim3 *block, struct bsim_buffer *out)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    bsim_buffer_printf(out, "%s of ", bsim_opcode_name(&access->opcode, name));
    if (block != NULL) {
        bsim_buffer_printf(out, "block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), ", block->x, block->y,
                           block->z);
    }
    bsim_buffer_printf(out, "warp %" PRIu32 ", lane %" PRIu32, access->warp, access->lane);
    if (access->site != NULL && access->site->file != NULL) {
        bsim_buffer_printf(out, " at %s:%" PRIu32, access->site->file, access->site->line);
    }
    if (access->line > 0 && source_name != NULL) {
        bsim_buffer_printf(out, " (%s:%" PRIu64 ")", source_name, access->line);
    }
}

/* As the source has it, where C++ has mangled it. */
static void put_kernel(const char *kernel, struct bsim_buffer *out)
{
    char name[BSIM_MANGLED_BYTES];
    bool is_mangled = bsim_mangled_name(kernel, name, sizeof name);
    bsim_buffer_text(out, is_mangled ? name : kernel);
}

static void put_place(const char *kernel, struct bsim_dim3 block, struct bsim_buffer *out)
{
    put_kernel(kernel, out);
    bsim_buffer_printf(out, ", block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", block.x, block.y, block.z);
}

static void put_race(const char *source_name, const struct bsim_race *race, struct bsim_buffer *out)
{
    static const char *const head[] = {
        [BSIM_RACE_WARPS] = "race",
        [BSIM_RACE_LANES] = "race in a warp",
        [BSIM_RACE_REQUEST] = "note: lanes of one store write one place, any of them wins",
        [BSIM_RACE_BLOCKS] = "race between blocks",
    };
    bool between = race->kind == BSIM_RACE_BLOCKS;
    bsim_buffer_printf(out, "%s: ", head[race->kind]);
    if (between) {
        put_kernel(race->kernel, out);
        bsim_buffer_printf(out, ", global byte %" PRIu64 ": ", race->address);
    } else {
        put_place(race->kernel, race->block, out);
        bsim_buffer_printf(out, ", %sbyte %" PRIu64 ", after %" PRIu64 " barrier%s: ",
                           race->access[0].opcode.space == BSIM_GLOBAL ? "global " : "",
                           race->address, race->barriers, plural(race->barriers));
    }
    put_access(source_name, &race->access[0], between ? &race->block : NULL, out);
    bsim_buffer_text(out, " and ");
    put_access(source_name, &race->access[1], between ? &race->other_block : NULL, out);
    bsim_buffer_printf(out, "; %" PRIu64 " byte%s in all", race->n_bytes, plural(race->n_bytes));
}

static void on_race(void *context, const struct bsim_race *race)
{
    struct hazard_search *search = context;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY, key = BSIM_BUFFER_EMPTY;
    search->in_warp = search->in_warp || race->kind == BSIM_RACE_LANES;
    put_race(search->source_name, race, &text);
    put_race(NULL, race, &key);
    bsim_buffer_printf(&key, " %s", race->kernel); /* overloads are told alike */
    for (int i = 0; i < 2; i++) {
        const struct bsim_race_access *access = &race->access[i];
        bsim_buffer_printf(&key, " %" PRIu64,
                           access->site != NULL ? access->site->number : access->line);
    }
    keep(search, &text, &key);
}

static void on_barrier_fault(void *context, const struct bsim_barrier_fault *fault)
{
    struct hazard_search *search = context;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY, key = BSIM_BUFFER_EMPTY;
    bsim_buffer_text(&text, "barrier fault: ");
    put_place(fault->kernel, fault->block, &text);
    bsim_buffer_printf(
        &text, ": warp %" PRIu32 " reaches %" PRIu64 " barrier%s, warp %" PRIu32 " only %" PRIu64,
        fault->warp[0], fault->barriers[0], plural(fault->barriers[0]), fault->warp[1],
        fault->barriers[1]);
    bsim_buffer_add(&key, text.data, text.size_bytes);
    bsim_buffer_printf(&key, " %s", fault->kernel);
    keep(search, &text, &key);
}

static void show(struct hazard_search *search)
{
    if (search->n_hazards > 0) {
        bsim_cli_progress_clear(search->progress);
    }
    for (size_t i = 0; i < search->n_hazards; i++) {
        struct hazard *hazard = &search->hazard[i];
        bsim_cli_say("%s", hazard->text);
        if (hazard->n > 1) {
            bsim_cli_say("; and %" PRIu64 " more like it", hazard->n - 1);
        }
        bsim_cli_say("\n");
        bsim_mem_free(hazard->text);
        bsim_mem_free(hazard->key);
    }
    bsim_mem_free(search->hazard);
    if (search->n_left_out > 0) {
        bsim_cli_say("... and %" PRIu64 " more\n", search->n_left_out);
    }
}

enum bsim_status bsim_cli_hazards_begin(struct hazard_search *search, const char *source_name,
                                        const struct bsim_device *device, struct bsim_sink *sink,
                                        struct bsim_error *err)
{
    struct bsim_hazard_options options = {.device = device,
                                          .context = search,
                                          .on_race = on_race,
                                          .on_barrier_fault = on_barrier_fault};
    search->source_name = source_name;
    search->hazards = bsim_hazards_new(&options);
    search->hazard = bsim_mem_zeroed(MAX_SHOWN, sizeof *search->hazard);
    if (search->hazards == NULL || search->hazard == NULL) {
        return bsim_mem_short(err);
    }
    *sink = bsim_hazards_sink(search->hazards);
    return BSIM_OK;
}

/* What was found in all, and what was not looked for. */
static void say_counts(const struct hazard_search *search, const struct bsim_hazard_counts *counts,
                       const char *up_to)
{
    uint64_t n = counts->races + counts->barrier_faults;
    if (n == 0) {
        bsim_cli_say("%s: no races found in %" PRIu64 " access%s of %" PRIu64 " kernel%s%s\n",
                     search->source_name, counts->accesses, counts->accesses == 1 ? "" : "es",
                     counts->kernels, plural(counts->kernels), up_to);
    }
    if (search->n_hazards > 0 || counts->passed_over > 0) {
        bsim_cli_say(
            "not looked for: races with atomics, cp.async, TMA or wgmma, order that atomics, volatile "
            "flags or grid.sync() make between blocks, nor races between the lanes of a warp in machine "
            "code; other data may race elsewhere\n");
    }
    if (counts->n_partial > 0) {
        bsim_cli_say("of %" PRIu64 " kernel%s only some 32 MiB of global memory were looked at for "
                     "races between blocks\n",
                     counts->n_partial, plural(counts->n_partial));
    }
    if (n > 0) {
        bsim_cli_say("%s: %" PRIu64 " hazard%s found%s%s\n", search->source_name, n, plural(n),
                     up_to, counts->cut_short > 0 ? "; there may be more" : "");
    }
}

uint64_t bsim_cli_hazards_end(struct hazard_search *search, const char *up_to)
{
    struct bsim_hazard_counts counts = bsim_hazards_count(search->hazards);
    uint64_t n = counts.races + counts.barrier_faults;
    show(search);
    if (search->in_warp) {
        bsim_cli_say(
            "in a warp __syncwarp() orders the lanes; up to compute capability 6 they run in "
            "step, and volatile or a fence is enough\n");
    }
    if (up_to != NULL) {
        say_counts(search, &counts, up_to);
    }
    bsim_hazards_free(search->hazards);
    return n;
}
