/* finding.c - what a kernel does that a GPU lets pass: reads of shared memory that nobody wrote, or that
 * a copy is about to, barriers
 * and shuffles that a part of the lanes comes to. The launch goes on; each place in the code is told
 * once, with how often it was found.
 *
 * A block has a byte for each of shared memory, 1 where it was written.
 */
#include "ptx/machine.h"

#include "base/bits.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FINDINGS = 20 };

enum kind { UNWRITTEN, PENDING, CHANCE, DIVERGENT, ABSENT, NO_SOURCE, UNFENCED, UNORDERED, MISREAD, N_KINDS };

/* ---- what was found -------------------------------------------------------------------------- */

bool bsim_ptx_findings_start(struct bsim_ptx_findings *findings, uint32_t n_steps,
                             uint32_t shared_bytes)
{
    findings->number = bsim_mem_zeroed((size_t)n_steps * N_KINDS + 1, sizeof *findings->number);
    findings->written = bsim_mem_zeroed((size_t)shared_bytes + 1, 1);
    return findings->number != NULL && findings->written != NULL;
}

void bsim_ptx_findings_stop(struct bsim_ptx_findings *findings)
{
    bsim_mem_free(findings->number);
    bsim_mem_free(findings->written);
    findings->number = NULL;
    findings->written = NULL;
}

void bsim_ptx_findings_free(struct bsim_ptx_findings *findings)
{
    bsim_ptx_findings_stop(findings);
    bsim_mem_free(findings->item);
    *findings = (struct bsim_ptx_findings){0};
}

void bsim_ptx_findings_tell(const struct bsim_ptx_findings *findings, struct bsim_buffer *out)
{
    for (uint32_t i = 0; i < findings->n && i < MOST_FINDINGS; i++) {
        const struct bsim_ptx_finding *finding = &findings->item[i];
        bsim_buffer_printf(out, "warning: %s", finding->text);
        if (finding->n > 1) {
            bsim_buffer_printf(out, " (and %" PRIu64 " more time%s)", finding->n - 1,
                               finding->n == 2 ? "" : "s");
        }
        bsim_buffer_text(out, "\n");
    }
    if (findings->n > MOST_FINDINGS) {
        bsim_buffer_printf(out, "warning: and at %" PRIu32 " more places\n",
                           findings->n - MOST_FINDINGS);
    }
}

/* Its number, from 1 on, of a new one or one that equals it; 0 when memory is short. */
static uint32_t find_finding(struct bsim_ptx_findings *findings,
                             const struct bsim_ptx_finding *like)
{
    for (uint32_t i = 0; i < findings->n; i++) {
        const struct bsim_ptx_finding *finding = &findings->item[i];
        if (finding->kind == like->kind && finding->line == like->line &&
            finding->kernel == like->kernel && strcmp(finding->file, like->file) == 0) {
            return i + 1;
        }
    }
    struct bsim_ptx_finding *grown = bsim_mem_grow(findings->item, findings->n, sizeof *grown);
    if (grown == NULL) {
        return 0;
    }
    findings->item = grown;
    findings->item[findings->n] = *like;
    return ++findings->n;
}

void bsim_ptx_put_place(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                        uint32_t lane, bool has_line, char *text, size_t size)
{
    const struct bsim_ptx_block *block = warp->block;
    const struct bsim_ptx_program *program = block->program;
    uint32_t t = warp->number * BSIM_WARP_LANES + lane, line;
    size_t length;
    const char *kernel = bsim_ptx_plain_name(program->kernel->name, &length);
    const char *file = bsim_ptx_source(program->module, step->from, &line);
    int used = snprintf(text, size, "%.*s", (int)length, kernel);
    if (has_line && used >= 0 && (size_t)used < size) {
        used += snprintf(text + used, size - (size_t)used, " at %s:%" PRIu32, file, line);
    }
    if (used >= 0 && (size_t)used < size) {
        used += snprintf(text + used, size - (size_t)used,
                         ", block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "), ", block->place.x,
                         block->place.y, block->place.z);
    }
    if (used < 0 || (size_t)used >= size) {
        return;
    }
    if (lane == BSIM_WARP_LANES) {
        (void)snprintf(text + used, size - (size_t)used, "warp %" PRIu32 ": ", warp->number);
    } else {
        (void)snprintf(text + used, size - (size_t)used,
                       "thread (%" PRIu32 ",%" PRIu32 ",%" PRIu32 "): ", t % block->threads.x,
                       t / block->threads.x % block->threads.y,
                       t / block->threads.x / block->threads.y);
    }
}

static uint32_t *number_of(const struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           enum kind kind)
{
    const struct bsim_ptx_block *block = warp->block;
    return &block->findings->number[(size_t)(step - block->program->step) * N_KINDS + kind];
}

/* Whether there is nothing to say: it was told before, and is counted, or is told in its turn. */
static bool tell_again(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, enum kind kind)
{
    struct bsim_ptx_findings *findings = warp->block->findings;
    if (findings == NULL) {
        return true;
    }
    uint32_t number = *number_of(warp, step, kind);
    if (number != 0 && warp->block->view != NULL) {
        bsim_ptx_tape_found(warp->block->tape, number);
        return true;
    }
    if (bsim_ptx_gives_up(warp->block)) {
        return true;
    }
    if (number != 0) {
        findings->item[number - 1].n++;
    }
    return number != 0;
}

static void tell(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                 enum kind kind, const char *format, ...) BSIM_PRINTF(5, 6);

/* The first time is told, others are counted. */
static void tell(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, uint32_t lane,
                 enum kind kind, const char *format, ...)
{
    const struct bsim_ptx_program *program = warp->block->program;
    struct bsim_ptx_findings *findings = warp->block->findings;
    if (!tell_again(warp, step, kind)) {
        uint32_t *number = number_of(warp, step, kind);
        struct bsim_ptx_finding finding = {.kernel = program->kernel->name, .kind = (int)kind};
        finding.file = bsim_ptx_source(program->module, step->from, &finding.line);
        bsim_ptx_put_place(warp, step, lane, true, finding.text, sizeof finding.text);
        size_t used = strlen(finding.text);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(finding.text + used, sizeof finding.text - used, format, arguments);
        va_end(arguments);
        *number = find_finding(findings, &finding);
        if (*number != 0) {
            findings->item[*number - 1].n++;
        }
    }
}

/* ---- shared memory that nobody wrote --------------------------------------------------------- */

static void check_written(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          uint32_t lane, uint64_t address, uint32_t bytes)
{
    const struct bsim_ptx_symbol *array = step->access->array;
    const unsigned char *written = warp->block->findings->written + address;
    enum kind kind = memchr(written, 0, bytes) != NULL ? UNWRITTEN : PENDING;
    const char *what = kind == UNWRITTEN
                           ? "that nobody wrote"
                           : "on their way by a cp.async that its thread has not waited for";
    if (kind == PENDING && memchr(written, BSIM_PTX_PENDING, bytes) == NULL) {
        return;
    }
    if (tell_again(warp, step, kind)) { /* the rest would take a third of the time of a kernel that often does so */
        return;
    }
    if (array != NULL && array->space == BSIM_PTX_SHARED && address >= array->address) {
        size_t length;
        const char *name = bsim_ptx_plain_name(array->name, &length);
        tell(warp, step, lane, kind,
             "reads %" PRIu32 " byte%s at byte %" PRIu64 " of shared memory, %.*s + %" PRIu64 ", %s",
             bytes, bytes == 1 ? "" : "s", address, (int)length, name, address - array->address, what);
    } else {
        tell(warp, step, lane, kind,
             "reads %" PRIu32 " byte%s at byte %" PRIu64 " of shared memory%s %s", bytes,
             bytes == 1 ? "" : "s", address,
             kind == PENDING ? "," : "", what);
    }
}

/* Whether all of what the lanes that are on access was written; or it is now. `bytes`, 8 at most, is known
 * where this is called. */
static inline bool go_over(const struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t at,
                           uint32_t bytes, bool writes)
{
    unsigned char *written = warp->block->findings->written + at;
    const uint64_t yes = UINT64_C(0x0101010101010101);
    uint64_t all = yes;
    for (uint32_t left = warp->mask; left != 0; left &= left - 1) {
        uint32_t l = bsim_bits_lowest(left);
        uint64_t word = yes;
        if (writes) {
            memcpy(written + address[l], &word, bytes);
        } else {
            memcpy(&word, written + address[l], bytes);
            all &= word;
        }
    }
    return all == yes;
}

/* The same of accesses of any size. */
static bool go_over_all(const struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes,
                        bool writes)
{
    bool all = true;
    switch (bytes) {
    case 1:
        return go_over(warp, address, 0, 1, writes);
    case 2:
        return go_over(warp, address, 0, 2, writes);
    case 4:
        return go_over(warp, address, 0, 4, writes);
    default:
        for (uint32_t at = 0; at < bytes; at += 8) {
            all = go_over(warp, address, at, 8, writes) && all;
        }
        return all;
    }
}

void bsim_ptx_find_unwritten(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             const uint64_t *address)
{
    const struct bsim_ptx_access *access = step->access;
    uint32_t bytes = access->bytes * access->count;
    bool is_store = access->opcode.family == BSIM_ST;
    if (go_over_all(warp, address, bytes, is_store)) { /* nothing to tell, nor to note */
        return;
    }
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if (warp->mask >> l & 1) {
            check_written(warp, step, l, address[l], bytes);
            if (access->opcode.family != BSIM_LD) {
                memset(warp->block->findings->written + address[l], 1, bytes);
            }
        }
    }
}

void bsim_ptx_find_unwritten_at(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                uint64_t address, uint32_t bytes)
{
    check_written(warp, step, BSIM_WARP_LANES, address, bytes);
}

bool bsim_ptx_find_nothing(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                           uint64_t address, uint32_t bytes)
{
    unsigned char *written = warp->block->findings->written + address;
    if (step->access->opcode.family != BSIM_ST &&
        (memchr(written, 0, bytes) != NULL || (warp->block->findings->has_pending &&
                                               memchr(written, BSIM_PTX_PENDING, bytes) != NULL))) {
        return false;
    }
    if (step->access->opcode.family != BSIM_LD) {
        memset(written, 1, bytes);
    }
    return true;
}

void bsim_ptx_find_all_written(struct bsim_ptx_block *block)
{
    struct bsim_ptx_findings *findings = block->findings;
    if (findings != NULL) {
        uint32_t n = findings->n_written, all = block->shared_bytes;
        const unsigned char *hole = memchr(findings->written + n, 0, all - n);
        findings->n_written = hole != NULL ? (uint32_t)(hole - findings->written) : all;
        hole = findings->has_pending
                   ? memchr(findings->written + n, BSIM_PTX_PENDING, findings->n_written - n)
                   : NULL;
        findings->n_written = hole != NULL ? (uint32_t)(hole - findings->written) : findings->n_written;
    }
}

void bsim_ptx_find_written(struct bsim_ptx_warp *warp, const uint64_t *address, uint32_t bytes)
{
    uint32_t size = warp->block->shared_bytes;
    for (uint32_t l = 0; l < BSIM_WARP_LANES; l++) {
        if ((warp->mask >> l & 1) != 0 && address[l] < size) {
            uint64_t left = size - address[l];
            memset(warp->block->findings->written + address[l], 1, left < bytes ? left : bytes);
        }
    }
}

/* ---- fences that are missing ----------------------------------------------------------------- */

void bsim_ptx_find_unfenced_bytes(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                  uint64_t address, uint32_t bytes)
{
    tell(warp, step, BSIM_WARP_LANES, UNFENCED,
         "reads %" PRIu32 " bytes at byte %" PRIu64 " of shared memory that threads stored, without a "
         "fence.proxy.async behind: it may get what was there before; let each thread that stores execute "
         "fence.proxy.async.shared::cta, and then meet",
         bytes, address);
}

void bsim_ptx_find_unfenced_register(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                                     const struct bsim_ptx_step *writer)
{
    if (writer == NULL) {
        tell(warp, step, BSIM_WARP_LANES, UNORDERED,
             "no wgmma.fence.sync.aligned comes before its first wgmma, which may have other registers than were "
             "written: it wants one, in all four warps");
        return;
    }
    uint32_t line;
    const char *file = bsim_ptx_source(warp->block->program->module, writer->from, &line);
    tell(warp, step, BSIM_WARP_LANES, UNORDERED,
         "a register of it is written at %s:%" PRIu32 " (%s), with no wgmma.fence.sync.aligned between: it may have "
         "what was there before, or that be overwritten; put one in front of the first wgmma behind",
         file, line, writer->from->mnemonic);
}

/* ---- tiles that are read otherwise than they lie --------------------------------------------- */

void bsim_ptx_find_misread(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step, const char *how)
{
    tell(warp, step, BSIM_WARP_LANES, MISREAD, "%s", how);
}

/* ---- other memory that nobody wrote ---------------------------------------------------------- */

void bsim_ptx_find_chance(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          uint32_t lane, uint32_t bytes, const char *of)
{
    tell(warp, step, lane, CHANCE,
         "reads %" PRIu32 " byte%s %s that nobody wrote: what is counted hangs on what is there by chance",
         bytes, bytes == 1 ? "" : "s", of);
}

/* ---- lanes that are not there ---------------------------------------------------------------- */

void bsim_ptx_find_divergent(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             uint32_t here)
{
    tell(warp, step, bsim_bits_lowest(warp->alive & ~here), DIVERGENT,
         "is not at the barrier that other lanes of its warp are at (%08" PRIx32 " of %08" PRIx32
         ")",
         here, warp->alive);
}

void bsim_ptx_find_absent(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                          uint32_t here, uint32_t absent)
{
    tell(warp, step, bsim_bits_lowest(here), ABSENT,
         "its mask names lanes that never come to it, 0x%08" PRIx32 ": what happens is not defined",
         absent);
}

void bsim_ptx_find_no_source(struct bsim_ptx_warp *warp, const struct bsim_ptx_step *step,
                             uint32_t lane, uint32_t source)
{
    uint32_t thread = warp->number * BSIM_WARP_LANES + source;
    bool is_here = (warp->mask >> source & 1) != 0, is_alive = (warp->alive >> source & 1) != 0;
    tell(warp, step, lane, NO_SOURCE,
         "takes the value of lane %" PRIu32 ", which %s: what it gets is not defined", source,
         is_here                                ? "its mask does not name"
         : is_alive                             ? "does not take part"
         : thread >= warp->block->n_threads     ? "the block does not have"
                                                : "has ended");
}
