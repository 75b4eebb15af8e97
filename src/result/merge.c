/* merge.c - what the results of parts of a launch have in common.
 *
 * A result's sites stand in order, so that two lists of them are gone through together and one site
 * is found by halving: what sites cost grows with their number and not with its square.
 */
#include "result/merge.h"

#include <stdlib.h>
#include <string.h>

/* A copy, since the structs have nothing in common by name. */
static struct bsim_site_head head_of(const void *site)
{
    struct bsim_site_head head;
    memcpy(&head, site, sizeof head);
    return head;
}

int bsim_site_order(const void *left, const void *right)
{
    const struct bsim_site_head a = head_of(left);
    const struct bsim_site_head b = head_of(right);
    char a_name[BSIM_OPCODE_NAME_SIZE];
    char b_name[BSIM_OPCODE_NAME_SIZE];
    if (a.number != b.number) {
        return a.number - 1 < b.number - 1 ? -1 : 1; /* 0 is behind all others */
    }
    return bsim_opcode_same(&a.opcode, &b.opcode)
               ? 0
               : strcmp(bsim_opcode_name(&a.opcode, a_name), bsim_opcode_name(&b.opcode, b_name));
}

const void *bsim_site_find(const void *sites, size_t n, size_t each, uint32_t number,
                           const struct bsim_opcode *opcode)
{
    const struct bsim_site_head head = {.number = number, .opcode = *opcode};
    return n > 0 ? bsearch(&head, sites, n, each, bsim_site_order) : NULL;
}

struct bsim_site_walk bsim_site_walk(const void *a, size_t n_a, const void *b, size_t n_b,
                                     size_t each)
{
    struct bsim_site_walk walk = {.each = each};
    const void *const first[2] = {a, b};
    const size_t n[2] = {n_a, n_b};
    for (int i = 0; i < 2; i++) {
        walk.next[i] = first[i] != NULL ? first[i] : "";
        walk.end[i] = walk.next[i] + (first[i] != NULL ? n[i] * each : 0);
    }
    return walk;
}

bool bsim_site_next(struct bsim_site_walk *walk)
{
    bool has_a = walk->next[0] != walk->end[0];
    bool has_b = walk->next[1] != walk->end[1];
    if (!has_a && !has_b) {
        return false;
    }
    int order = !has_a ? 1 : !has_b ? -1 : bsim_site_order(walk->next[0], walk->next[1]);
    walk->site[0] = order <= 0 ? walk->next[0] : NULL;
    walk->site[1] = order >= 0 ? walk->next[1] : NULL;
    walk->either = order <= 0 ? walk->next[0] : walk->next[1];
    walk->next[0] += order <= 0 ? walk->each : 0;
    walk->next[1] += order >= 0 ? walk->each : 0;
    return true;
}

static bool same_launch(const struct bsim_merge_launch *a, const struct bsim_merge_launch *b)
{
    return strcmp(a->name, b->name) == 0 && bsim_dim3_same(a->grid, b->grid) &&
           bsim_dim3_same(a->block, b->block) && a->shared_bytes == b->shared_bytes &&
           bsim_device_same(a->device, b->device);
}

/* A number stands for the same instruction in both lists, or is missing in one: two sites of one
 * number would follow each other. */
static enum bsim_status check_sites(const struct bsim_merge_kind *kind,
                                    const struct bsim_merge_launch *a,
                                    const struct bsim_merge_launch *b, struct bsim_error *err)
{
    uint32_t last = 0;
    struct bsim_site_walk walk =
        bsim_site_walk(a->sites, a->n_sites, b->sites, b->n_sites, kind->site_bytes);
    while (bsim_site_next(&walk)) {
        const void *ours = walk.site[0], *theirs = walk.site[1];
        uint32_t number = head_of(ours != NULL ? ours : theirs).number;
        bool is_told = ours != NULL && theirs != NULL && kind->is_same_site != NULL;
        bool agrees = number != last && (!is_told || kind->is_same_site(ours, theirs));
        if (number > 0 && !agrees) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "cannot merge: site %u of kernel %s differs between the parts",
                                  (unsigned)number, a->name);
        }
        last = number;
    }
    return BSIM_OK;
}

enum bsim_status bsim_merge_check(const struct bsim_merge_kind *kind, const void *a, size_t n_a,
                                  const void *b, size_t n_b, struct bsim_error *err)
{
    if (n_a != n_b) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "cannot merge: one part has %zu kernels, the other %zu", n_a, n_b);
    }
    enum bsim_status status = BSIM_OK;
    for (size_t k = 0; k < n_a && status == BSIM_OK; k++) {
        const struct bsim_merge_launch ours = kind->launch(a, k);
        const struct bsim_merge_launch theirs = kind->launch(b, k);
        bool is_same = same_launch(&ours, &theirs);
        if (!is_same || (kind->is_same != NULL && !kind->is_same(a, b, k))) {
            return bsim_error_set(err, BSIM_E_USAGE,
                                  "cannot merge: kernel %zu is %s in one part and %s in the other, "
                                  "or %s differs",
                                  k + 1, ours.name, theirs.name, kind->or_else);
        }
        status = check_sites(kind, &ours, &theirs, err);
    }
    return status;
}
