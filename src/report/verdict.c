/* verdict.c - the last lines of a text report: what is wrong and what to try. */
#include "report/basis.h"
#include "report/plain.h"

#include <inttypes.h>

enum { SHOWN_COLUMNS = 60 };

struct worst {
    const struct bsim_kernel_result *kernel;
    const struct bsim_site_result *site;
};

/* The site with the most conflicts, the first of equals; site NULL if there are none. */
static struct worst find_worst(const struct bsim_result *result)
{
    struct worst worst = {NULL, NULL};
    uint64_t most = 0;
    for (size_t k = 0; k < result->n_kernels; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        for (size_t i = 0; i < kernel->n_sites; i++) {
            if (kernel->sites[i].tally.conflicts > most) {
                most = kernel->sites[i].tally.conflicts;
                worst = (struct worst){kernel, &kernel->sites[i]};
            }
        }
    }
    return worst;
}

static size_t kernels_in_conflict(const struct bsim_result *result)
{
    size_t n = 0;
    for (size_t k = 0; k < result->n_kernels; k++) {
        n += bsim_kernel_total(&result->kernels[k]).conflicts > 0;
    }
    return n;
}

const char *bsim_remedy(const struct bsim_opcode *opcode)
{
    switch (opcode->family) {
    case BSIM_ATOM:
    case BSIM_RED:
        return "Spread what a warp updates over several copies in different banks";
    case BSIM_LDMATRIX:
    case BSIM_STMATRIX:
        return "Pad the rows by 16 bytes or XOR-swizzle their 16-byte pieces";
    default:
        return "Pad the rows of the array or XOR-swizzle its columns";
    }
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

/* What the site's requests would take without conflicts; a compare-and-swap takes two passes for
 * each of its groups. */
static double least_per_request(const struct bsim_site_result *site)
{
    double ideal = (double)site->tally.ideal / (double)site->tally.requests;
    return site->opcode.operation == BSIM_CAS ? 2 * ideal : ideal;
}

static bool has_shared_requests(const struct bsim_result *result)
{
    for (size_t k = 0; k < result->n_kernels; k++) {
        if (bsim_kernel_total(&result->kernels[k]).requests > 0) {
            return true;
        }
    }
    return false;
}

void bsim_verdict_text(const struct bsim_result *result, struct bsim_buffer *out)
{
    struct worst worst = find_worst(result);
    if (!has_shared_requests(result)) {
        bsim_buffer_text(out, "No request touches shared memory.\n");
        return;
    }
    if (worst.site == NULL) {
        bsim_buffer_text(out, "No bank conflicts.\n");
        return;
    }
    char name[SHOWN_COLUMNS * 4];
    const struct bsim_tally *tally = &worst.site->tally;
    bsim_buffer_printf(
        out, "Bank conflicts in %zu of %zu kernel%s. The site with the most is in %s:\n",
        kernels_in_conflict(result), result->n_kernels, result->n_kernels == 1 ? "" : "s",
        bsim_plain(worst.kernel->name, SHOWN_COLUMNS, name, sizeof name));
    name_site(worst.site, out);
    bsim_buffer_printf(out, "    %s%" PRIu32 "-way: %.4g %s per request where %.4g would do\n%s.\n",
                       tally->ways_min < tally->ways_max ? "up to " : "", tally->ways_max,
                       (double)tally->wavefronts / (double)tally->requests,
                       worst.kernel->device.replays ? "passes" : "wavefronts",
                       least_per_request(worst.site), bsim_remedy(&worst.site->opcode));
}
