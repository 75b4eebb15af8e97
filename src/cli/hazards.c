/* hazards.c - the findings of --hazards, one line each, on standard error.
 *
 * The trace reader and the emulators refuse a block whose warps do not all reach its barriers, so
 * that all that is found in their streams is races; other sources may have barrier faults too.
 */
#include "cli/cli.h"

#include "base/memory.h"

#include <inttypes.h>

enum { MAX_SHOWN = 20 };

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static bool has_room(struct hazard_search *search)
{
    bsim_cli_progress_clear(search->progress);
    return ++search->shown <= MAX_SHOWN;
}

/* "st.shared.u32 of warp 0, lane 3, at square.cu:12 (x.trace:9)", as far as it is known. */
static void print_access(const struct hazard_search *search, const struct bsim_race_access *access,
                         const struct bsim_dim3 *block)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    bsim_cli_say("%s of ", bsim_opcode_name(&access->opcode, name));
    if (block != NULL) {
        bsim_cli_say("block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), ", block->x, block->y, block->z);
    }
    bsim_cli_say("warp %" PRIu32 ", lane %" PRIu32, access->warp, access->lane);
    if (access->site != NULL && access->site->file != NULL) {
        bsim_cli_say(" at %s:%" PRIu32, access->site->file, access->site->line);
    }
    if (access->line > 0) {
        bsim_cli_say(" (%s:%" PRIu64 ")", search->source_name, access->line);
    }
}

static void print_place(const char *kernel, struct bsim_dim3 block)
{
    bsim_cli_say("%s, block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", kernel, block.x, block.y,
                 block.z);
}

static void on_race(void *context, const struct bsim_race *race)
{
    static const char *const head[] = {
        [BSIM_RACE_WARPS] = "race",
        [BSIM_RACE_LANES] = "race in a warp",
        [BSIM_RACE_REQUEST] = "note: lanes of one store write one place, any of them wins",
        [BSIM_RACE_BLOCKS] = "race between blocks",
    };
    struct hazard_search *search = context;
    if (!has_room(search)) {
        return;
    }
    bool between = race->kind == BSIM_RACE_BLOCKS;
    search->in_warp = search->in_warp || race->kind == BSIM_RACE_LANES;
    bsim_cli_say("%s: ", head[race->kind]);
    if (between) {
        bsim_cli_say("%s, global byte %" PRIu64 ": ", race->kernel, race->address);
    } else {
        print_place(race->kernel, race->block);
        bsim_cli_say(", %sbyte %" PRIu64 ", after %" PRIu64 " barrier%s: ",
                     race->access[0].opcode.space == BSIM_GLOBAL ? "global " : "", race->address,
                     race->barriers, plural(race->barriers));
    }
    print_access(search, &race->access[0], between ? &race->block : NULL);
    bsim_cli_say(" and ");
    print_access(search, &race->access[1], between ? &race->other_block : NULL);
    bsim_cli_say("; %" PRIu64 " byte%s in all\n", race->n_bytes, plural(race->n_bytes));
}

static void on_barrier_fault(void *context, const struct bsim_barrier_fault *fault)
{
    struct hazard_search *search = context;
    if (!has_room(search)) {
        return;
    }
    bsim_cli_say("barrier fault: ");
    print_place(fault->kernel, fault->block);
    bsim_cli_say(": warp %" PRIu32 " reaches %" PRIu64 " barrier%s, warp %" PRIu32 " only %" PRIu64
                 "\n",
                 fault->warp[0], fault->barriers[0], plural(fault->barriers[0]), fault->warp[1],
                 fault->barriers[1]);
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
    if (search->hazards == NULL) {
        return bsim_mem_short(err);
    }
    *sink = bsim_hazards_sink(search->hazards);
    return BSIM_OK;
}

uint64_t bsim_cli_hazards_end(struct hazard_search *search, bool whole)
{
    struct bsim_hazard_counts counts = bsim_hazards_count(search->hazards);
    uint64_t n = counts.races + counts.barrier_faults;
    if (search->shown > MAX_SHOWN) {
        bsim_cli_say("... and %" PRIu64 " more\n", search->shown - MAX_SHOWN);
    }
    if (search->in_warp) {
        bsim_cli_say(
            "in a warp __syncwarp() orders the lanes; up to compute capability 6 they run in "
            "step, and volatile or a fence is enough\n");
    }
    if (n == 0 && whole) {
        bsim_cli_say("%s: no races found in %" PRIu64 " access%s of %" PRIu64 " kernel%s\n",
                     search->source_name, counts.accesses, counts.accesses == 1 ? "" : "es",
                     counts.kernels, plural(counts.kernels));
    }
    if ((search->shown > 0 || counts.passed_over > 0) && whole) {
        bsim_cli_say(
            "not looked for: races with atomics or cp.async, order that atomics make between "
            "blocks, nor races between the lanes of a warp in machine code; other data may race "
            "elsewhere\n");
    }
    if (counts.n_partial > 0 && whole) {
        bsim_cli_say("of %" PRIu64 " kernel%s only some 32 MiB of global memory were looked at for "
                     "races between blocks\n",
                     counts.n_partial, plural(counts.n_partial));
    }
    if (n > 0 && whole) {
        bsim_cli_say("%s: %" PRIu64 " hazard%s found%s\n", search->source_name, n, plural(n),
                     counts.cut_short > 0 ? "; there may be more" : "");
    }
    bsim_hazards_free(search->hazards);
    return n;
}
