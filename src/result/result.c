/* result.c - results: building and freeing.
 *
 * A kernel's sites stand in order, so that two lists of them are gone through together and one site
 * is found by halving: what sites cost grows with their number and not with its square.
 */
#include "result/result.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void free_site(struct bsim_site_result *site)
{
    bsim_mem_free(site->file);
    bsim_mem_free(site->text);
}

void bsim_kernel_drop_sites(struct bsim_kernel_result *kernel)
{
    for (size_t i = 0; i < kernel->n_sites; i++) {
        free_site(&kernel->sites[i]);
    }
    bsim_mem_free(kernel->sites);
    kernel->sites = NULL;
    kernel->n_sites = 0;
}

void bsim_kernel_free(struct bsim_kernel_result *kernel)
{
    bsim_kernel_drop_sites(kernel);
    bsim_mem_free(kernel->name);
    bsim_mem_free(kernel->extras);
    memset(kernel, 0, sizeof *kernel);
}

void bsim_result_free(struct bsim_result *result)
{
    for (size_t i = 0; i < result->n_kernels; i++) {
        bsim_kernel_free(&result->kernels[i]);
    }
    bsim_mem_free(result->kernels);
    memset(result, 0, sizeof *result);
}

/* Copies text, which may be NULL, to *copy; false when memory is short. */
static bool copy_text(const char *text, char **copy)
{
    *copy = text == NULL ? NULL : bsim_mem_string(text);
    return text == NULL || *copy != NULL;
}

struct bsim_kernel_result *bsim_result_add_kernel(struct bsim_result *result,
                                                  const struct bsim_kernel *kernel,
                                                  const struct bsim_device *device)
{
    bool has_extras = kernel->extras != NULL && kernel->extras[0] != '\0';
    char *name = bsim_mem_string(kernel->name), *extras = NULL;
    bool is_copied = copy_text(has_extras ? kernel->extras : NULL, &extras) && name != NULL;
    struct bsim_kernel_result *kernels =
        bsim_mem_grow(result->kernels, result->n_kernels, sizeof *result->kernels);
    if (kernels != NULL) {
        result->kernels = kernels;
    }
    if (!is_copied || kernels == NULL) {
        bsim_mem_free(name);
        bsim_mem_free(extras);
        return NULL;
    }
    struct bsim_kernel_result *added = &kernels[result->n_kernels++];
    *added = (struct bsim_kernel_result){
        .name = name,
        .extras = extras,
        .grid = kernel->grid,
        .block = kernel->block,
        .shared_bytes = kernel->shared_bytes,
        .registers = kernel->registers,
        .again = kernel->again,
        .device = *device,
    };
    return added;
}

struct bsim_site_result *bsim_kernel_add_site(struct bsim_kernel_result *kernel, uint32_t number,
                                              const struct bsim_opcode *opcode, const char *file,
                                              uint32_t line, const char *text)
{
    struct bsim_site_result *sites =
        bsim_mem_grow(kernel->sites, kernel->n_sites, sizeof *kernel->sites);
    if (sites == NULL) {
        return NULL;
    }
    kernel->sites = sites;
    struct bsim_site_result site = {.number = number, .opcode = *opcode, .line = line};
    if (!copy_text(file, &site.file) || !copy_text(text, &site.text)) {
        free_site(&site);
        return NULL;
    }
    sites[kernel->n_sites] = site;
    return &sites[kernel->n_sites++];
}

int bsim_site_order(const struct bsim_site_result *a, const struct bsim_site_result *b)
{
    char a_name[BSIM_OPCODE_NAME_SIZE];
    char b_name[BSIM_OPCODE_NAME_SIZE];
    if (a->number != b->number) {
        return a->number - 1 < b->number - 1 ? -1 : 1; /* 0 is behind all others */
    }
    return bsim_opcode_same(&a->opcode, &b->opcode)
               ? 0
               : strcmp(bsim_opcode_name(&a->opcode, a_name), bsim_opcode_name(&b->opcode, b_name));
}

static int order(const void *a, const void *b)
{
    return bsim_site_order(a, b);
}

void bsim_kernel_sort_sites(struct bsim_kernel_result *kernel)
{
    if (kernel->n_sites > 1) {
        qsort(kernel->sites, kernel->n_sites, sizeof *kernel->sites, order);
    }
}

void bsim_kernel_reads_constants(struct bsim_kernel_result *kernel, uint64_t first, uint64_t end)
{
    bool is_first = kernel->constant_end == 0;
    if (is_first || first < kernel->constant_first) {
        kernel->constant_first = first;
    }
    if (is_first || end > kernel->constant_end) {
        kernel->constant_end = end;
    }
}

enum bsim_status bsim_result_check_constants(const struct bsim_result *result,
                                             struct bsim_error *err)
{
    for (size_t k = 0; k < result->n_kernels; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        uint64_t bytes = kernel->constant_end - kernel->constant_first;
        if (bytes > BSIM_CONSTANT_BYTES) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "%s reads constants from byte %" PRIu64 " to %" PRIu64
                                  ", and constant memory has %d bytes: what is larger belongs into "
                                  "global memory, for ld.global.nc",
                                  kernel->name, kernel->constant_first, kernel->constant_end - 1,
                                  BSIM_CONSTANT_BYTES);
        }
    }
    return BSIM_OK;
}

/* A kernel's tallies are sums over its sites, and reports add up all kernels'. */
bool bsim_result_fits(const struct bsim_result *result)
{
    struct bsim_tally tally = {0};
    struct bsim_global_tally global = {0};
    bool fits = true;
    for (size_t k = 0; k < result->n_kernels; k++) {
        const struct bsim_kernel_result *kernel = &result->kernels[k];
        for (int c = 0; c < BSIM_N_CLASSES; c++) {
            fits &= bsim_tally_add(&tally, &kernel->tally[c]);
            fits &= bsim_global_tally_add(&global, &kernel->global[c]);
        }
    }
    return fits;
}
