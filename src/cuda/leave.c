/* leave.c - a loop that goes on while it counts, and while something in memory says so.
 *
 *     for (k = 0; k < 8 && s[k] != x; k++) ...     for (k = 0; k < 8; k++) { if (!(s[k] != x)) break; ... }
 *
 * nvcc can not load before it knows that k is below 8: there are two branches, of which one counts turns, so that it may
 * make straight code of them. Of `k < 8 && !found` there is one, which counts none. Of several parts the first counts.
 *
 * Graded measured: nvcc 13.0, tests/kernels/leaves.cu.
 */
#include "cuda/lower.h"

static struct cu_node *copy_of(struct cu_lowering *l, const struct cu_node *node, enum cu_node_kind kind)
{
    struct cu_node *copy = bsim_cu_take(l->code.file, sizeof *copy);
    *copy = *node;
    copy->kind = kind;
    copy->next = NULL;
    return copy;
}

/* The first part of a && b && c, in *rest the others. */
static struct cu_node *first_part(struct cu_lowering *l, struct cu_node *node, struct cu_node **rest)
{
    struct cu_node *part = node->left;
    *rest = node->right;
    while (part->kind == CU_AND) {
        struct cu_node *both = copy_of(l, part, CU_AND);
        both->left = part->right;
        both->right = *rest;
        *rest = both;
        part = part->left;
    }
    return part;
}

struct cu_node *bsim_cu_with_exit(struct cu_lowering *l, const struct cu_node *loop)
{
    struct cu_node *rest;
    if (loop->kind != CU_LOOP || loop->left == NULL || loop->left->kind != CU_AND || loop->unroll == 1 ||
        bsim_cu_is_simple(loop->left)) {
        return NULL;
    }
    struct cu_node *with = copy_of(l, loop, CU_LOOP), *test = copy_of(l, loop->left, CU_IF);
    with->left = first_part(l, loop->left, &rest);
    if (bsim_cu_is_simple(rest) || !bsim_cu_is_simple(with->left)) {
        return NULL;
    }
    test->left = copy_of(l, rest, CU_NOT);
    test->left->left = rest;
    test->right = copy_of(l, rest, CU_BREAK);
    test->third = NULL;
    with->right = copy_of(l, loop, CU_BLOCK);
    with->right->body = test;
    with->right->left = with->right->right = with->right->third = NULL;
    with->body = NULL;
    test->next = copy_of(l, loop->right, loop->right->kind);
    return with;
}
