/* traceg_remarks.c - what an Accel-Sim trace has and a stream has not, said in a sentence each. */
#include "trace/accelsim/traceg.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REMARK_SIZE = 2048, MAX_NAMES = 20 };

struct remark {
    char text[REMARK_SIZE];
    size_t length;
};

static void BSIM_PRINTF(2, 3) add(struct remark *remark, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int n =
        vsnprintf(remark->text + remark->length, REMARK_SIZE - remark->length, format, arguments);
    va_end(arguments);
    size_t room = REMARK_SIZE - 1 - remark->length;
    remark->length += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
}

/* ---- what several readers of one trace have to remark ---------------------------------------- */

bool bsim_traceg_launch(struct bsim_traceg *traceg, uint64_t grid)
{
    size_t n = traceg->n_launches;
    struct bsim_traceg_launch *launches = bsim_mem_grow(traceg->launches, n, sizeof *launches);
    if (launches == NULL) {
        return false;
    }
    traceg->launches = launches;
    launches[n] = (struct bsim_traceg_launch){grid, 0};
    traceg->n_launches++;
    return true;
}

/* Kernels may be behind the last block of the total, which has read none. */
static bool add_launches(struct bsim_traceg *total, const struct bsim_traceg *part)
{
    for (size_t i = 0; i < part->n_launches; i++) {
        const struct bsim_traceg_launch *launch = &part->launches[i];
        if (i == total->n_launches && !bsim_traceg_launch(total, launch->grid)) {
            return false;
        }
        total->launches[i].blocks += launch->blocks;
    }
    return true;
}

bool bsim_traceg_add(void *to, const void *from)
{
    struct bsim_traceg *total = to;
    const struct bsim_traceg *part = from;
    for (uint32_t i = 0; i < part->opcodes.table.n; i++) {
        const struct bsim_traceg_opcode *its = part->opcodes.list[i];
        struct bsim_traceg_opcode *sum =
            bsim_traceg_opcode(&total->opcodes, its->text, its->length, its->line);
        if (sum == NULL) {
            return false;
        }
        sum->skipped += its->skipped;
        sum->line = its->line < sum->line ? its->line : sum->line;
    }
    total->n_halves += part->n_halves;
    total->n_released += part->n_released;
    total->has_unknown_device |= part->has_unknown_device;
    return add_launches(total, part);
}

/* ---- the sentences --------------------------------------------------------------------------- */

static void tell(const struct bsim_traceg *traceg, const struct remark *remark)
{
    traceg->input->remark(traceg->input->remark_context, remark->text);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* What an opcode that was passed over does, or NULL if nobody misses it. */
static const char *reason(const struct bsim_sass *sass)
{
    switch (sass->kind) {
    case BSIM_SASS_LEFT_OUT:
        return sass->what;
    case BSIM_SASS_GENERIC:
        return "an unknown window";
    case BSIM_SASS_EVENT:
        return sass->opcode.space == BSIM_LOCAL ? "no offset in local memory"
                                                : "a barrier of some warps";
    case BSIM_SASS_UNKNOWN:
        return "";
    case BSIM_SASS_SILENT:
    case BSIM_SASS_EXIT:
        break;
    }
    return NULL;
}

/* The opcodes that were passed over: those that are unknown, or all others. */
struct skipped {
    struct remark names;
    uint64_t n_instructions;
    uint32_t n_opcodes;
};

static void collect(const struct bsim_traceg *traceg, bool unknown, struct skipped *skipped)
{
    for (uint32_t i = 0; i < traceg->opcodes.table.n; i++) {
        const struct bsim_traceg_opcode *opcode = traceg->opcodes.list[i];
        const char *why = reason(&opcode->sass);
        bool belongs = (opcode->sass.kind == BSIM_SASS_UNKNOWN) == unknown;
        if (opcode->skipped == 0 || why == NULL || !belongs) {
            continue;
        }
        skipped->n_instructions += opcode->skipped;
        if (skipped->n_opcodes++ >= MAX_NAMES) {
            continue;
        }
        add(&skipped->names, "%s%s %" PRIu64, skipped->n_opcodes > 1 ? ", " : "", opcode->text,
            opcode->skipped);
        if (why[0] != '\0') {
            add(&skipped->names, " (%s)", why);
        }
    }
    if (skipped->n_opcodes > MAX_NAMES) {
        add(&skipped->names, ", and %" PRIu32 " more", skipped->n_opcodes - MAX_NAMES);
    }
}

static int by_line(const void *left, const void *right)
{
    const struct bsim_traceg_opcode *const *a = left, *const *b = right;
    return ((*a)->line > (*b)->line) - ((*a)->line < (*b)->line);
}

static void tell_unknown(const struct bsim_traceg *traceg)
{
    struct skipped skipped = {.n_opcodes = 0};
    struct remark remark = {.length = 0};
    collect(traceg, true, &skipped);
    if (skipped.n_opcodes > 0) {
        add(&remark, "%" PRIu32 " unknown opcode%s skipped, in %" PRIu64 " instruction%s: %s",
            skipped.n_opcodes, plural(skipped.n_opcodes), skipped.n_instructions,
            plural(skipped.n_instructions), skipped.names.text);
        tell(traceg, &remark);
    }
}

static void tell_left_out(const struct bsim_traceg *traceg)
{
    struct skipped skipped = {.n_opcodes = 0};
    struct remark remark = {.length = 0};
    collect(traceg, false, &skipped);
    if (skipped.n_opcodes > 0) {
        add(&remark, "%" PRIu64 " instruction%s left out that a banksim trace has no word for: %s",
            skipped.n_instructions, plural(skipped.n_instructions), skipped.names.text);
        tell(traceg, &remark);
    }
}

/* Kernels with blocks missing. */
static uint64_t count_short(const struct bsim_traceg *traceg)
{
    uint64_t n = 0;
    for (size_t i = 0; i < traceg->n_launches; i++) {
        n += traceg->launches[i].blocks < traceg->launches[i].grid;
    }
    return n;
}

void bsim_traceg_remarks(void *reader, bool is_whole)
{
    const struct bsim_traceg *traceg = reader;
    if (traceg->input->remark == NULL) {
        return;
    }
    if (traceg->opcodes.table.n > 1) {
        qsort(traceg->opcodes.list, traceg->opcodes.table.n, sizeof *traceg->opcodes.list, by_line);
    }
    tell_unknown(traceg);
    tell_left_out(traceg);
    struct remark remark = {.length = 0};
    if (traceg->n_halves > 0) {
        add(&remark,
            "%" PRIu64 " LDGSTS counted as load%s from global memory alone: the trace does not "
            "hold where in shared memory they store, and cycles have no wait for them",
            traceg->n_halves, plural(traceg->n_halves));
        tell(traceg, &remark);
    }
    remark.length = 0;
    if (traceg->n_released > 0) {
        add(&remark, "%" PRIu64 " barrier%s counted as reached by warps that had ended before",
            traceg->n_released, plural(traceg->n_released));
        tell(traceg, &remark);
    }
    remark.length = 0;
    uint64_t n_short = count_short(traceg);
    if (is_whole && n_short > 0) {
        add(&remark, "%" PRIu64 " kernel%s with fewer thread blocks in the trace than in the grid",
            n_short, plural(n_short));
        tell(traceg, &remark);
    }
    remark.length = 0;
    if (traceg->has_unknown_device) {
        add(&remark, "the trace names no GPU that banksim knows: say which with --device");
        tell(traceg, &remark);
    }
}
