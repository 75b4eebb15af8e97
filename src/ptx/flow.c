/* flow.c - basic blocks, and where the ways of a branch come together.
 *
 *     0  setp          a branch's ways meet at its immediate post-dominator: the first instruction
 *     1  @p bra 4      that each way to the end passes. Here 1's is 5. Ways that end before (exit,
 *     2  add           trap, a kernel's ret that is not its last) do not count: their lanes are
 *     3  bra 5         gone, and the others meet without them, as on the GPU.
 *     4  sub
 *     5  st
 *     6  ret
 *
 * Post-dominators by the iteration of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
 * Algorithm", 2001) on the basic blocks of the function, from its end.
 */
#include "ptx/steps.h"

#include "base/memory.h"

#include <string.h>

/* ---- basic blocks ---------------------------------------------------------------------------- */

static bool ends_thread(const struct bsim_ptx_instruction *instruction)
{
    return bsim_ptx_is_a(instruction, "ret") || bsim_ptx_is_a(instruction, "exit") ||
           bsim_ptx_is_a(instruction, "trap");
}

static bool ends_block(const struct bsim_ptx_instruction *instruction)
{
    return bsim_ptx_branches(instruction) || ends_thread(instruction);
}

static void cut(const struct bsim_ptx_function *function, struct bsim_ptx_blocks *blocks)
{
    uint32_t n = function->n_instructions;
    for (uint32_t i = 0; i < n; i++) {
        if (bsim_ptx_branches(&function->code[i])) {
            blocks->of[function->code[i].target] = 1;
        }
        if (ends_block(&function->code[i])) {
            blocks->of[i + 1] = 1;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || blocks->of[i] != 0) {
            blocks->block[blocks->n++].first = i;
        }
        blocks->block[blocks->n - 1].last = i;
        blocks->of[i] = blocks->n - 1;
    }
    blocks->of[n] = blocks->n;
}

bool bsim_ptx_find_blocks(const struct bsim_ptx_function *function, struct bsim_ptx_blocks *blocks)
{
    uint32_t n = function->n_instructions;
    *blocks = (struct bsim_ptx_blocks){.block = bsim_mem_zeroed(n + 1, sizeof *blocks->block),
                                       .of = bsim_mem_zeroed(n + 1, sizeof *blocks->of)};
    if (blocks->block == NULL || blocks->of == NULL) {
        return false;
    }
    cut(function, blocks);
    for (uint32_t k = 0; k < blocks->n; k++) {
        struct bsim_ptx_code_block *block = &blocks->block[k];
        const struct bsim_ptx_instruction *last = &function->code[block->last];
        bool goes_on = last->has_guard || !ends_block(last) ||
                       (bsim_ptx_branches(last) && !bsim_ptx_is_last_branch(last));
        block->next[0] = goes_on ? k + 1 : BSIM_PTX_NOWHERE;
        block->next[1] = bsim_ptx_branches(last) ? blocks->of[last->target] : BSIM_PTX_NOWHERE;
    }
    return true;
}

void bsim_ptx_free_blocks(struct bsim_ptx_blocks *blocks)
{
    bsim_mem_free(blocks->block);
    bsim_mem_free(blocks->of);
}

void bsim_ptx_mark_between(const struct bsim_ptx_blocks *blocks, uint32_t branch, uint32_t meet,
                           uint32_t *mark)
{
    uint32_t own = blocks->of[branch];
    uint32_t end = meet != BSIM_PTX_NOWHERE ? blocks->of[meet] : blocks->n;
    bool has_grown = true;
    while (has_grown) {
        has_grown = false;
        for (uint32_t k = 0; k < 2 * blocks->n; k++) {
            bool leads = k / 2 == own || mark[k / 2] == branch + 1;
            uint32_t next = leads ? blocks->block[k / 2].next[k % 2] : end;
            if (next < blocks->n && next != end && mark[next] != branch + 1) {
                mark[next] = branch + 1;
                has_grown = true;
            }
        }
    }
}

/* ---- where ways meet ------------------------------------------------------------------------- */

struct node {
    uint32_t next[2]; /* nodes, or BSIM_PTX_NOWHERE */
    uint32_t order;   /* in post-order from the end; BSIM_PTX_NOWHERE: no way to the end */
    uint32_t parent;  /* immediate post-dominator */
};

struct graph {
    const struct bsim_ptx_function *function;
    struct bsim_ptx_blocks blocks;
    struct node *node; /* of each block; [n] is the function's end */
    uint32_t n;
    uint32_t *by_order; /* nodes, the end last */
    uint32_t *stack;
    uint32_t n_ordered;
};

/* The kernel's last ret is its end, in a function each is. */
static bool leads_to_end(const struct graph *graph, uint32_t i)
{
    const struct bsim_ptx_function *function = graph->function;
    if (!bsim_ptx_is_a(&function->code[i], "ret")) {
        return false;
    }
    for (uint32_t k = i + 1; k < function->n_instructions && function->is_entry; k++) {
        if (bsim_ptx_is_a(&function->code[k], "ret")) {
            return false;
        }
    }
    return true;
}

static void find_ways(struct graph *graph)
{
    graph->n = graph->blocks.n;
    for (uint32_t k = 0; k < graph->n; k++) {
        struct node *node = &graph->node[k];
        const struct bsim_ptx_code_block *block = &graph->blocks.block[k];
        node->next[0] = block->next[0];
        node->next[1] = leads_to_end(graph, block->last) ? graph->n : block->next[1];
        node->order = BSIM_PTX_NOWHERE;
    }
    graph->node[graph->n].order = BSIM_PTX_NOWHERE;
    graph->node[graph->n].next[0] = graph->node[graph->n].next[1] = BSIM_PTX_NOWHERE;
}

/* Whether some way leads from a node to `to`; the nodes before a node are found by asking all. */
static bool leads_to(const struct node *node, uint32_t to)
{
    return node->next[0] == to || node->next[1] == to;
}

/* Post-order of the graph walked backwards from the end. A node is on the stack with its next
 * candidate; marked 0 while it is there. */
static void find_order(struct graph *graph, uint32_t *candidate)
{
    uint32_t depth = 0;
    graph->stack[depth++] = graph->n;
    graph->node[graph->n].order = 0;
    while (depth > 0) {
        uint32_t top = graph->stack[depth - 1];
        uint32_t *k = &candidate[top];
        while (*k < graph->n &&
               (graph->node[*k].order != BSIM_PTX_NOWHERE || !leads_to(&graph->node[*k], top))) {
            (*k)++;
        }
        if (*k < graph->n) {
            graph->node[*k].order = 0;
            graph->stack[depth++] = *k;
        } else {
            depth--;
            graph->by_order[graph->n_ordered] = top;
            graph->node[top].order = graph->n_ordered++;
        }
    }
}

static uint32_t common(const struct graph *graph, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (graph->node[a].order < graph->node[b].order) {
            a = graph->node[a].parent;
        }
        while (graph->node[b].order < graph->node[a].order) {
            b = graph->node[b].parent;
        }
    }
    return a;
}

static uint32_t parent_of(const struct graph *graph, const struct node *node)
{
    uint32_t parent = BSIM_PTX_NOWHERE;
    for (uint32_t w = 0; w < 2; w++) {
        uint32_t next = node->next[w];
        if (next == BSIM_PTX_NOWHERE || graph->node[next].order == BSIM_PTX_NOWHERE ||
            graph->node[next].parent == BSIM_PTX_NOWHERE) {
            continue;
        }
        parent = parent == BSIM_PTX_NOWHERE ? next : common(graph, parent, next);
    }
    return parent;
}

static void find_parents(struct graph *graph)
{
    for (uint32_t k = 0; k < graph->n; k++) {
        graph->node[k].parent = BSIM_PTX_NOWHERE;
    }
    graph->node[graph->n].parent = graph->n;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t i = graph->n_ordered - 1; i-- > 0;) {
            struct node *node = &graph->node[graph->by_order[i]];
            uint32_t parent = parent_of(graph, node);
            changed = changed || parent != node->parent;
            node->parent = parent;
        }
    }
}

static void tell_meets(const struct graph *graph, uint32_t *meet)
{
    const struct bsim_ptx_function *function = graph->function;
    for (uint32_t i = 0; i < function->n_instructions; i++) {
        const struct node *node = &graph->node[graph->blocks.of[i]];
        bool goes = bsim_ptx_branches(&function->code[i]) ||
                    (leads_to_end(graph, i) && !function->is_entry);
        bool is_branch = goes && node->order != BSIM_PTX_NOWHERE;
        uint32_t parent = is_branch ? node->parent : BSIM_PTX_NOWHERE;
        meet[i] = parent == BSIM_PTX_NOWHERE ? BSIM_PTX_NOWHERE
                  : parent == graph->n       ? function->n_instructions
                                             : graph->blocks.block[parent].first;
    }
}

bool bsim_ptx_find_meets(const struct bsim_ptx_function *function, uint32_t *meet)
{
    uint32_t n = function->n_instructions;
    struct graph graph = {.function = function};
    graph.node = bsim_mem_zeroed(n + 1, sizeof *graph.node);
    graph.by_order = bsim_mem_zeroed(3 * (n + 1), sizeof *graph.by_order);
    bool has_memory = bsim_ptx_find_blocks(function, &graph.blocks) && graph.node != NULL &&
                      graph.by_order != NULL;
    if (has_memory) {
        graph.stack = graph.by_order + n + 1;
        find_ways(&graph);
        find_order(&graph, graph.stack + n + 1);
        find_parents(&graph);
        tell_meets(&graph, meet);
    }
    bsim_ptx_free_blocks(&graph.blocks);
    bsim_mem_free(graph.node);
    bsim_mem_free(graph.by_order);
    return has_memory;
}
