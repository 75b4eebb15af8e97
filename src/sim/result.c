/* result.c - results: building, merging, appending, freeing.
 *
 * Two results merge if they are parts of the same launches. Sites are matched by number, those
 * without one by opcode; the order of sites does not depend on which part came first.
 */
#include "sim/result.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void free_site(struct bsim_site_result *site)
{
    bsim_mem_free(site->file);
    bsim_mem_free(site->text);
}

static void free_kernel(struct bsim_kernel_result *kernel)
{
    for (size_t i = 0; i < kernel->n_sites; i++) {
        free_site(&kernel->sites[i]);
    }
    bsim_mem_free(kernel->sites);
    bsim_mem_free(kernel->name);
}

void bsim_result_free(struct bsim_result *result)
{
    for (size_t i = 0; i < result->n_kernels; i++) {
        free_kernel(&result->kernels[i]);
    }
    bsim_mem_free(result->kernels);
    memset(result, 0, sizeof *result);
}

/* Room for one more element in an array that holds n: its capacity is the next power of two. */
static void *grow(void *array, size_t n, size_t each)
{
    bool full = (n & (n - 1)) == 0;
    return full ? bsim_mem_resize(array, n == 0 ? 1 : 2 * n, each) : array;
}

struct bsim_kernel_result *bsim_result_add_kernel(struct bsim_result *result,
                                                  const struct bsim_kernel *kernel,
                                                  const struct bsim_device *device)
{
    char *name = bsim_mem_string(kernel->name);
    struct bsim_kernel_result *kernels =
        grow(result->kernels, result->n_kernels, sizeof *result->kernels);
    if (kernels != NULL) {
        result->kernels = kernels;
    }
    if (name == NULL || kernels == NULL) {
        bsim_mem_free(name);
        return NULL;
    }
    struct bsim_kernel_result *added = &kernels[result->n_kernels++];
    *added = (struct bsim_kernel_result){
        .name = name,
        .grid = kernel->grid,
        .block = kernel->block,
        .shared_bytes = kernel->shared_bytes,
        .device = *device,
    };
    return added;
}

/* Copies text, which may be NULL, to *copy; false when memory is short. */
static bool copy_text(const char *text, char **copy)
{
    *copy = text == NULL ? NULL : bsim_mem_string(text);
    return text == NULL || *copy != NULL;
}

struct bsim_site_result *bsim_kernel_add_site(struct bsim_kernel_result *kernel, uint32_t number,
                                              const struct bsim_opcode *opcode, const char *file,
                                              uint32_t line, const char *text)
{
    struct bsim_site_result *sites = grow(kernel->sites, kernel->n_sites, sizeof *kernel->sites);
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

/* By number, then those without one (number 0) by the spelling of the opcode. */
static int compare_sites(const void *left, const void *right)
{
    const struct bsim_site_result *a = left;
    const struct bsim_site_result *b = right;
    if (a->number != b->number) {
        return a->number - 1 < b->number - 1 ? -1 : 1;
    }
    char a_name[BSIM_OPCODE_NAME_SIZE];
    char b_name[BSIM_OPCODE_NAME_SIZE];
    return strcmp(bsim_opcode_name(&a->opcode, a_name), bsim_opcode_name(&b->opcode, b_name));
}

void bsim_kernel_sort_sites(struct bsim_kernel_result *kernel)
{
    if (kernel->n_sites > 1) {
        qsort(kernel->sites, kernel->n_sites, sizeof *kernel->sites, compare_sites);
    }
}

/* ---- merging ------------------------------------------------------------------------------- */

static bool same_launch(const struct bsim_kernel_result *a, const struct bsim_kernel_result *b)
{
    return strcmp(a->name, b->name) == 0 && bsim_dim3_same(a->grid, b->grid) &&
           bsim_dim3_same(a->block, b->block) && a->shared_bytes == b->shared_bytes &&
           bsim_device_same(&a->device, &b->device);
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* A site's number stands for the same instruction in both parts, or is missing in one. */
static bool sites_agree(const struct bsim_kernel_result *a, const struct bsim_site_result *b)
{
    for (size_t i = 0; b->number > 0 && i < a->n_sites; i++) {
        const struct bsim_site_result *site = &a->sites[i];
        if (site->number == b->number) {
            return bsim_opcode_same(&site->opcode, &b->opcode) && same_text(site->file, b->file) &&
                   site->line == b->line && same_text(site->text, b->text);
        }
    }
    return true;
}

static enum bsim_status check_sites(const struct bsim_kernel_result *a,
                                    const struct bsim_kernel_result *b, struct bsim_error *err)
{
    for (size_t i = 0; i < b->n_sites; i++) {
        if (!sites_agree(a, &b->sites[i])) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "cannot merge: site %u of kernel %s differs between the parts",
                                  (unsigned)b->sites[i].number, a->name);
        }
    }
    return BSIM_OK;
}

static enum bsim_status check_parts(const struct bsim_result *a, const struct bsim_result *b,
                                    struct bsim_error *err)
{
    if (a->n_kernels != b->n_kernels) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "cannot merge: one part has %zu kernels, the other %zu", a->n_kernels,
                              b->n_kernels);
    }
    for (size_t i = 0; i < a->n_kernels; i++) {
        if (!same_launch(&a->kernels[i], &b->kernels[i])) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "cannot merge: kernel %zu is %s in one part and %s in the other, "
                                  "or its launch or device differs",
                                  i + 1, a->kernels[i].name, b->kernels[i].name);
        }
        enum bsim_status status = check_sites(&a->kernels[i], &b->kernels[i], err);
        if (status != BSIM_OK) {
            return status;
        }
    }
    return BSIM_OK;
}

static struct bsim_site_result *find_site(struct bsim_kernel_result *kernel, uint32_t number,
                                          const struct bsim_opcode *opcode)
{
    for (size_t i = 0; i < kernel->n_sites; i++) {
        struct bsim_site_result *site = &kernel->sites[i];
        if (site->number == number && bsim_opcode_same(&site->opcode, opcode)) {
            return site;
        }
    }
    return NULL;
}

static bool merge_site(struct bsim_kernel_result *into, const struct bsim_site_result *part)
{
    struct bsim_site_result *site = find_site(into, part->number, &part->opcode);
    if (site == NULL) {
        site = bsim_kernel_add_site(into, part->number, &part->opcode, part->file, part->line,
                                    part->text);
    }
    if (site == NULL) {
        return false;
    }
    site->requests += part->requests;
    bsim_tally_add(&site->tally, &part->tally);
    bsim_global_tally_add(&site->global, &part->global);
    site->constant_passes += part->constant_passes;
    return true;
}

/* Adds part's numbers and sites; false when memory is short. */
static bool merge_kernel(struct bsim_kernel_result *into, const struct bsim_kernel_result *part)
{
    into->blocks += part->blocks;
    into->barriers += part->barriers;
    into->shuffles += part->shuffles;
    into->other_requests += part->other_requests;
    into->constant_requests += part->constant_requests;
    into->constant_passes += part->constant_passes;
    into->rules |= part->rules;
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        bsim_tally_add(&into->tally[c], &part->tally[c]);
        bsim_global_tally_add(&into->global[c], &part->global[c]);
    }
    for (size_t i = 0; i < part->n_sites; i++) {
        if (!merge_site(into, &part->sites[i])) {
            return false;
        }
    }
    bsim_kernel_sort_sites(into);
    return true;
}

/* Adds all of part to sum, whose kernels are the same launches or not there yet. */
static bool add_part(struct bsim_result *sum, const struct bsim_result *part)
{
    for (size_t i = 0; i < part->n_kernels; i++) {
        const struct bsim_kernel_result *from = &part->kernels[i];
        struct bsim_kernel launch = {.name = from->name,
                                     .grid = from->grid,
                                     .block = from->block,
                                     .shared_bytes = from->shared_bytes};
        if (i == sum->n_kernels && bsim_result_add_kernel(sum, &launch, &from->device) == NULL) {
            return false;
        }
        if (!merge_kernel(&sum->kernels[i], from)) {
            return false;
        }
    }
    sum->expectations += part->expectations;
    sum->expectations_failed += part->expectations_failed;
    return true;
}

enum bsim_status bsim_result_merge(struct bsim_result *into, const struct bsim_result *part,
                                   struct bsim_error *err)
{
    enum bsim_status status = into->n_kernels > 0 ? check_parts(into, part, err) : BSIM_OK;
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_result sum = {0};
    if (!add_part(&sum, into) || !add_part(&sum, part)) {
        bsim_result_free(&sum);
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while merging results");
    }
    bsim_result_free(into);
    *into = sum;
    return BSIM_OK;
}

enum bsim_status bsim_result_append(struct bsim_result *into, struct bsim_result *more,
                                    struct bsim_error *err)
{
    if (more->n_kernels > 0) {
        size_t n = into->n_kernels + more->n_kernels;
        size_t capacity = 1;
        while (capacity < n) {
            capacity *= 2;
        }
        void *kernels = bsim_mem_resize(into->kernels, capacity, sizeof *into->kernels);
        if (kernels == NULL) {
            return bsim_error_set(err, BSIM_E_MEMORY, "out of memory while joining results");
        }
        into->kernels = kernels;
        memcpy(&into->kernels[into->n_kernels], more->kernels,
               more->n_kernels * sizeof *more->kernels);
        into->n_kernels = n;
    }
    into->expectations += more->expectations;
    into->expectations_failed += more->expectations_failed;
    bsim_mem_free(more->kernels);
    memset(more, 0, sizeof *more);
    return BSIM_OK;
}
