/* findings.c - the list of what was found in a kernel; see findings.h.
 *
 * Pairs are looked up one by one, from the last one found on: neighbouring bytes mostly race in the
 * same pairs, in the same order.
 */
#include "hazard/findings.h"

#include "base/memory.h"

#include <string.h>

enum { DEFAULT_MAX_RACES = 1000 };

struct bsim_finding {
    struct bsim_race race;
    uint64_t interval; /* of the byte counted last */
    uint64_t address;
};

/* ---- static accesses ------------------------------------------------------------------------ */

int bsim_static_order(const struct bsim_site *a_site, const struct bsim_opcode *a_opcode,
                      uint64_t a_line, const struct bsim_site *b_site,
                      const struct bsim_opcode *b_opcode, uint64_t b_line)
{
    uint32_t a = a_site != NULL ? a_site->number : 0;
    uint32_t b = b_site != NULL ? b_site->number : 0;
    if (a != b) {
        return a < b ? -1 : 1;
    }
    if (a_site != NULL) {
        return 0;
    }
    if (a_line != b_line) {
        return a_line < b_line ? -1 : 1;
    }
    return memcmp(a_opcode, b_opcode, sizeof *a_opcode);
}

static bool same_static(const struct bsim_race_access *a, const struct bsim_race_access *b)
{
    return bsim_static_order(a->site, &a->opcode, a->line, b->site, &b->opcode, b->line) == 0;
}

static bool same_pair(const struct bsim_race *a, const struct bsim_race *b)
{
    if (a->kind != b->kind || a->access[0].opcode.space != b->access[0].opcode.space) {
        return false;
    }
    return (same_static(&a->access[0], &b->access[0]) &&
            same_static(&a->access[1], &b->access[1])) ||
           (same_static(&a->access[0], &b->access[1]) && same_static(&a->access[1], &b->access[0]));
}

/* ---- races ---------------------------------------------------------------------------------- */

static struct bsim_finding *find(struct bsim_findings *findings, const struct bsim_race *race)
{
    for (size_t i = 0; i < findings->n; i++) {
        size_t at = (findings->hint + i) % findings->n;
        if (same_pair(&findings->list[at].race, race)) {
            findings->hint = at + 1;
            return &findings->list[at];
        }
    }
    return NULL;
}

static struct bsim_finding *add(struct bsim_findings *findings, const struct bsim_race *race)
{
    struct bsim_finding *list = bsim_mem_grow(findings->list, findings->n, sizeof *list);
    if (list == NULL) {
        return NULL;
    }
    findings->list = list;
    struct bsim_finding *finding = &findings->list[findings->n++];
    memset(finding, 0, sizeof *finding);
    finding->race = *race;
    finding->race.kernel = findings->kernel;
    finding->race.kernel_index = findings->n_kernels - 1;
    finding->race.n_bytes = 0;
    return finding;
}

bool bsim_findings_add_race(struct bsim_findings *findings, const struct bsim_race *race,
                            uint64_t interval)
{
    uint32_t max = findings->options.max_races;
    struct bsim_finding *finding = find(findings, race);
    if (finding == NULL) {
        if (findings->n >= (max == 0 ? DEFAULT_MAX_RACES : max)) {
            findings->is_cut = true;
            return true;
        }
        finding = add(findings, race);
    }
    if (finding == NULL) {
        return false;
    }
    if (finding->race.n_bytes == 0 || finding->interval != interval ||
        finding->address != race->address) {
        finding->race.n_bytes++;
    }
    finding->interval = interval;
    finding->address = race->address;
    return true;
}

/* ---- barrier faults ------------------------------------------------------------------------- */

void bsim_findings_add_fault(struct bsim_findings *findings, const struct bsim_barrier_fault *fault)
{
    if (findings->has_fault) {
        findings->fault.n_blocks++;
        return;
    }
    findings->has_fault = true;
    findings->fault = *fault;
    findings->fault.kernel = findings->kernel;
    findings->fault.kernel_index = findings->n_kernels - 1;
    findings->fault.n_blocks = 1;
}

/* ---- a kernel's life ------------------------------------------------------------------------ */

static void forget(struct bsim_findings *findings)
{
    bsim_mem_free(findings->kernel);
    findings->kernel = NULL;
    findings->n = 0;
    findings->is_cut = false;
    findings->has_fault = false;
}

void bsim_findings_report(struct bsim_findings *findings)
{
    const struct bsim_hazard_options *options = &findings->options;
    for (size_t i = 0; i < findings->n && options->on_race != NULL; i++) {
        options->on_race(options->context, &findings->list[i].race);
    }
    if (findings->has_fault && options->on_barrier_fault != NULL) {
        options->on_barrier_fault(options->context, &findings->fault);
    }
    for (size_t i = 0; i < findings->n; i++) {
        bool is_note = findings->list[i].race.kind == BSIM_RACE_REQUEST;
        findings->counts.races += !is_note;
        findings->counts.notes += is_note;
    }
    findings->counts.barrier_faults += findings->has_fault;
    findings->counts.cut_short += findings->is_cut;
    forget(findings);
}

bool bsim_findings_start(struct bsim_findings *findings, const char *kernel)
{
    findings->kernel = bsim_mem_string(kernel);
    findings->n_kernels++;
    return findings->kernel != NULL;
}

void bsim_findings_free(struct bsim_findings *findings)
{
    forget(findings);
    bsim_mem_free(findings->list);
}
