/* verdict.c - the last lines of a text report: which site's conflicts cost most.
 *
 * Cost is what counts where cycles were simulated: a site with many conflicts may cost nothing, as
 * other work goes on meanwhile. A trace does not say how its arrays are declared, so no remedy was
 * looked for; what is said is which command looks.
 */
#include "report/async.h"
#include "report/basis.h"
#include "report/cycles.h"
#include "report/holdup.h"
#include "report/plain.h"
#include "report/words.h"

#include <inttypes.h>
#include <string.h>

enum { SHOWN_COLUMNS = 60 };

struct worst {
    const struct bsim_kernel_result *kernel;
    const struct bsim_site_result *site; /* NULL: there are no conflicts */
    struct bsim_cost cost, of_kernel;
    size_t n_free; /* sites of the kernel that have conflicts, known to cost nothing */
};

static bool is_worse(const struct bsim_rank *a, const struct bsim_rank *b)
{
    if (a->excessive == 0 || b->excessive == 0) {
        return a->excessive > 0;
    }
    if (a->is_chance != b->is_chance) {
        return b->is_chance;
    }
    if (a->cost != b->cost) {
        return a->cost > b->cost;
    }
    if (a->cost_of_kernel != b->cost_of_kernel) {
        return a->cost_of_kernel > b->cost_of_kernel;
    }
    return a->excessive > b->excessive;
}

/* Whether its text says so, as src/ptx/site.c writes it behind the source line: then a row's numbers say
 * how long others were waited for, and nothing is gained by mending it. */
static bool is_chance(const struct bsim_site_result *site)
{
    return site->text != NULL && strstr(site->text, "how often is chance]") != NULL;
}

static struct bsim_rank rank_of(const struct worst *worst)
{
    struct bsim_rank rank = {0, 0, 0, false};
    if (worst->site != NULL) {
        rank =
            (struct bsim_rank){worst->cost.amount, worst->of_kernel.amount,
                               bsim_tally_excessive(&worst->site->tally), is_chance(worst->site)};
    }
    return rank;
}

/* The site of the kernel whose conflicts cost most, the first of equals. Sites that cost nothing
 * alone are free only if the others' cost is all there is. */
static struct worst worst_of_kernel(const struct bsim_kernel_result *kernel)
{
    struct worst worst = {.kernel = kernel, .site = NULL};
    uint64_t sum = 0;
    worst.of_kernel = bsim_cost_of_kernel(kernel);
    for (size_t i = 0; i < kernel->n_sites; i++) {
        struct worst each = worst;
        each.site = &kernel->sites[i];
        each.cost = bsim_cost_of_site(kernel, each.site);
        if (bsim_tally_excessive(&each.site->tally) > 0) {
            struct bsim_rank rank = rank_of(&each), so_far = rank_of(&worst);
            size_t n_free = worst.n_free + (each.cost.is_known && each.cost.amount == 0);
            sum += each.cost.amount;
            worst = is_worse(&rank, &so_far) ? each : worst;
            worst.n_free = n_free;
        }
    }
    worst.n_free = sum >= worst.of_kernel.amount ? worst.n_free : 0;
    return worst;
}

/* "    ld.shared.u32 at square.cu:14: out[idx] = tile[threadIdx.x][threadIdx.y]" */
static void name_site(const struct bsim_site_result *site, struct bsim_buffer *out)
{
    char opcode[BSIM_OPCODE_NAME_SIZE];
    char part[SHOWN_COLUMNS * 4];
    bsim_buffer_printf(out, "    %s", bsim_opcode_name(&site->opcode, opcode));
    if (site->file != NULL) {
        bsim_buffer_printf(out, " at %s:%" PRIu32,
                           bsim_plain(site->file, SHOWN_COLUMNS, part, sizeof part), site->line);
    }
    if (site->text != NULL) {
        bsim_buffer_printf(out, ": %s", bsim_plain(site->text, SHOWN_COLUMNS, part, sizeof part));
    }
    bsim_buffer_text(out, "\n");
}

/* What the site's requests would take without conflicts. */
static double least_per_request(const struct bsim_site_result *site)
{
    return (double)site->tally.ideal / (double)site->tally.requests;
}

/* Ends the line with the kernel that the site below is in. */
static void name_kernel(const struct worst *worst, struct bsim_buffer *out)
{
    char name[SHOWN_COLUMNS * 4];
    (void)bsim_plain_kernel(worst->kernel->name, SHOWN_COLUMNS, name, sizeof name);
    if (!worst->cost.is_known) {
        bsim_buffer_printf(out, " The worst site, in %s (cycles not simulated):\n", name);
    } else if (worst->cost.amount > 0) {
        bsim_buffer_printf(out, " The worst costs %" PRIu64 " of the %" PRIu64 " cycles of %s",
                           worst->cost.amount, worst->kernel->timed.cycles, name);
        if (worst->of_kernel.amount > worst->cost.amount) {
            bsim_buffer_printf(out, ", all together %" PRIu64, worst->of_kernel.amount);
        }
        bsim_buffer_text(out, ":\n");
    } else if (worst->of_kernel.amount > 0) {
        bsim_buffer_printf(out,
                           " They cost %" PRIu64 " of the %" PRIu64
                           " cycles of %s, though no site alone costs any. The worst site:\n",
                           worst->of_kernel.amount, worst->kernel->timed.cycles, name);
    } else {
        bsim_buffer_printf(
            out, " They cost nothing: hidden behind other work. The worst site, in %s:\n", name);
    }
}

static void add_ways(const struct worst *worst, struct bsim_buffer *out)
{
    const struct bsim_tally *tally = &worst->site->tally;
    bsim_buffer_printf(out, "    %s%" PRIu32 "-way: %s%.4g %s per request where %.4g would do",
                       tally->ways_min < tally->ways_max ? "up to " : "", tally->ways_max,
                       bsim_rules_are_least(tally->rules) ? "at least " : "",
                       (double)tally->wavefronts / (double)tally->requests, bsim_word_wavefronts(&worst->kernel->device),
                       least_per_request(worst->site));
    if (worst->cost.is_known && worst->cost.amount > 0) {
        uint64_t cycles = worst->kernel->timed.cycles;
        bsim_buffer_printf(out, "; %.2f times as fast without",
                           (double)cycles / (double)(cycles - worst->cost.amount));
        bsim_holdup_anyway_text(worst->kernel, 1 - (double)worst->cost.amount / (double)cycles,
                                out);
    }
    bsim_buffer_text(out, is_chance(worst->site) ? "; it waits for others: how often is chance\n"
                                                 : "\n");
}

/* ---- kernel by kernel ------------------------------------------------------------------------ */

/* Its kernel may be gone when the verdict is told, so it is put into words now. */
static void note_worst(struct bsim_verdict *verdict, const struct worst *worst)
{
    verdict->rank = rank_of(worst);
    verdict->is_atomic = bsim_opcode_is_atomic(&worst->site->opcode);
    bsim_buffer_clear(&verdict->told);
    name_kernel(worst, &verdict->told);
    name_site(worst->site, &verdict->told);
    add_ways(worst, &verdict->told);
}

void bsim_verdict_add(struct bsim_verdict *verdict, const struct bsim_kernel_result *kernel)
{
    struct bsim_tally total = bsim_kernel_total(kernel);
    struct worst worst = worst_of_kernel(kernel);
    struct bsim_rank rank = rank_of(&worst);
    verdict->n_kernels++;
    verdict->n_in_conflict += bsim_tally_excessive(&total) > 0;
    verdict->n_free += worst.n_free;
    verdict->has_requests = verdict->has_requests || total.requests > 0;
    verdict->has_async = verdict->has_async || bsim_async_is_there(kernel);
    verdict->has_packets = verdict->has_packets || bsim_kernel_packets(kernel) > 0;
    if (is_worse(&rank, &verdict->rank)) {
        note_worst(verdict, &worst);
    }
}

void bsim_verdict_free(struct bsim_verdict *verdict)
{
    bsim_buffer_free(&verdict->told);
}

/* What else costs nothing; and who looks for a remedy, if there is something to gain. */
static void add_rest(const struct bsim_verdict *verdict, struct bsim_buffer *out)
{
    if (verdict->rank.cost > 0 && verdict->n_free > 0) {
        bsim_buffer_printf(out,
                           "%zu other site%s with conflicts cost%s nothing: hidden behind other "
                           "work.\n",
                           verdict->n_free, verdict->n_free == 1 ? "" : "s",
                           verdict->n_free == 1 ? "s" : "");
    }
    if (verdict->rank.cost > 0 || verdict->rank.cost_of_kernel > 0) {
        bsim_buffer_text(out, verdict->is_atomic
                                  ? "'banksim lesson 9' shows what helps atomics.\n"
                                  : "'banksim advise' looks for a padding or a swizzle, given a trace, or the "
                                    "array's declaration and indices.\n");
    }
}

void bsim_verdict_tell(const struct bsim_verdict *verdict, struct bsim_buffer *out)
{
    if (!verdict->has_requests) {
        bsim_buffer_text(out, bsim_async_without_requests(verdict->has_async, verdict->has_packets));
        return;
    }
    if (verdict->rank.excessive == 0) {
        bsim_buffer_text(out, "No bank conflicts.\n");
        return;
    }
    const char *many = verdict->are_launches ? "launches" : "kernels";
    bsim_buffer_printf(out, "Bank conflicts in %zu of %zu %s.", verdict->n_in_conflict,
                       verdict->n_kernels, verdict->n_kernels == 1 ? "kernel" : many);
    bsim_buffer_add(out, verdict->told.data, verdict->told.size_bytes);
    add_rest(verdict, out);
    out->failed = out->failed || verdict->told.failed;
}

void bsim_verdict_text(const struct bsim_result *result, struct bsim_buffer *out)
{
    struct bsim_verdict verdict = {.n_kernels = 0};
    for (size_t k = 0; k < result->n_kernels; k++) {
        bsim_verdict_add(&verdict, &result->kernels[k]);
    }
    bsim_verdict_tell(&verdict, out);
    bsim_verdict_free(&verdict);
}
