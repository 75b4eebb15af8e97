/* paths.c - what is certain wherever a thread comes from.
 *
 *     0  ld.shared          version 1 of shared memory, in block 0
 *     1  @p bra 4
 *     2  ld.shared          still 1: whoever is here was at 0
 *     3  bra 5
 *     4  bar.sync           makes it version 5
 *     5  ld.shared          1 or 5: a version of its own
 *
 * Dominators by the iteration of Cooper, Harvey and Kennedy, as in flow.c, from the start.
 */
#include "ptx/steps.h"

#include "base/memory.h"

/* Passes after which a version that still changes is taken for none that is known. */
enum { MANY_PASSES = 16 };

/* Blocks that a thread can come to, each behind those that lead to it but for loops. */
static void find_order(struct bsim_ptx_paths *paths, uint32_t *stack, uint8_t *way)
{
    uint32_t depth = 0, left = paths->blocks.n;
    stack[depth++] = 0;
    paths->order[0] = 0;
    while (depth > 0) {
        uint32_t top = stack[depth - 1];
        if (way[top] == 2) {
            paths->by_order[--left] = top;
            depth--;
            continue;
        }
        uint32_t next = paths->blocks.block[top].next[way[top]++];
        if (next < paths->blocks.n && paths->order[next] == BSIM_PTX_NOWHERE) {
            paths->order[next] = 0;
            stack[depth++] = next;
        }
    }
    paths->n_unreached = left;
    for (uint32_t i = left; i < paths->blocks.n; i++) {
        paths->order[paths->by_order[i]] = i;
    }
}

/* Edges 2k and 2k + 1 lead out of block k; those into a block are a list. */
static void find_edges(struct bsim_ptx_paths *paths)
{
    for (uint32_t k = 0; k < paths->blocks.n; k++) {
        paths->first_edge[k] = BSIM_PTX_NOWHERE;
    }
    for (uint32_t k = 0; k < paths->blocks.n; k++) {
        for (uint32_t w = 0; w < 2; w++) {
            uint32_t next = paths->blocks.block[k].next[w];
            if (next < paths->blocks.n && paths->order[k] != BSIM_PTX_NOWHERE) {
                paths->next_edge[2 * k + w] = paths->first_edge[next];
                paths->first_edge[next] = 2 * k + w;
            }
        }
    }
}

static uint32_t common(const struct bsim_ptx_paths *paths, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (paths->order[a] > paths->order[b]) {
            a = paths->parent[a];
        }
        while (paths->order[b] > paths->order[a]) {
            b = paths->parent[b];
        }
    }
    return a;
}

static uint32_t parent_of(const struct bsim_ptx_paths *paths, uint32_t block)
{
    uint32_t parent = BSIM_PTX_NOWHERE;
    for (uint32_t e = paths->first_edge[block]; e != BSIM_PTX_NOWHERE; e = paths->next_edge[e]) {
        uint32_t from = e / 2;
        if (paths->parent[from] != BSIM_PTX_NOWHERE) {
            parent = parent == BSIM_PTX_NOWHERE ? from : common(paths, parent, from);
        }
    }
    return parent;
}

static void find_parents(struct bsim_ptx_paths *paths)
{
    bool changed = true;
    for (uint32_t k = 0; k < paths->blocks.n; k++) {
        paths->parent[k] = BSIM_PTX_NOWHERE;
    }
    paths->parent[0] = 0;
    while (changed) {
        changed = false;
        for (uint32_t i = paths->n_unreached + 1; i < paths->blocks.n; i++) {
            uint32_t block = paths->by_order[i], parent = parent_of(paths, block);
            changed = changed || parent != paths->parent[block];
            paths->parent[block] = parent;
        }
    }
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* The blocks of a loop are those from which its last block is come to without its first. */
static void mark_loop(struct bsim_ptx_paths *paths, uint32_t first, uint32_t last, uint32_t *stack)
{
    uint32_t depth = 0;
    stack[depth++] = last;
    while (depth > 0) {
        uint32_t block = stack[--depth];
        if (paths->loop[block] == first) {
            continue;
        }
        paths->loop[block] = first;
        for (uint32_t e = paths->first_edge[block]; e != BSIM_PTX_NOWHERE && block != first;
             e = paths->next_edge[e]) {
            if (paths->loop[e / 2] != first) {
                stack[depth++] = e / 2;
            }
        }
    }
}

/* Outer loops first, which have the lower order; a loop's blocks then say the innermost. */
static void find_loops(struct bsim_ptx_paths *paths, uint32_t *stack)
{
    for (uint32_t k = 0; k < paths->blocks.n; k++) {
        paths->loop[k] = paths->outer[k] = BSIM_PTX_NOWHERE;
    }
    for (uint32_t i = paths->n_unreached; i < paths->blocks.n; i++) {
        uint32_t first = paths->by_order[i], outer = paths->loop[first];
        for (uint32_t e = paths->first_edge[first]; e != BSIM_PTX_NOWHERE;
             e = paths->next_edge[e]) {
            const struct bsim_ptx_code_block *from = &paths->blocks.block[e / 2];
            if (bsim_ptx_precedes(paths, paths->blocks.block[first].first, from->last) ||
                e / 2 == first) {
                paths->outer[first] = outer;
                mark_loop(paths, first, e / 2, stack);
            }
        }
    }
}

bool bsim_ptx_leaves_loop(const struct bsim_ptx_paths *paths, uint32_t a, uint32_t b)
{
    uint32_t of = paths->loop[paths->blocks.of[a]], at = paths->loop[paths->blocks.of[b]];
    while (at != BSIM_PTX_NOWHERE && at != of) {
        at = paths->outer[at];
    }
    return at != of;
}

bool bsim_ptx_paths_new(const struct bsim_ptx_function *function, struct bsim_ptx_paths *paths)
{
    size_t n = (size_t)function->n_instructions + 1;
    *paths = (struct bsim_ptx_paths){.room = bsim_mem_zeroed(12 * n, sizeof *paths->room)};
    uint8_t *way = bsim_mem_zeroed(n, sizeof *way);
    bool has_memory =
        bsim_ptx_find_blocks(function, &paths->blocks) && paths->room != NULL && way != NULL;
    if (has_memory && paths->blocks.n > 0) {
        uint32_t *room = paths->room;
        paths->order = room;
        paths->by_order = room + n;
        paths->parent = room + 2 * n;
        paths->first_edge = room + 3 * n;
        paths->next_edge = room + 4 * n;
        paths->into = room + 6 * n;
        for (uint32_t k = 0; k < paths->blocks.n; k++) {
            paths->order[k] = BSIM_PTX_NOWHERE;
        }
        find_order(paths, room + 7 * n, way);
        find_edges(paths);
        find_parents(paths);
        paths->loop = room + 8 * n;
        paths->outer = room + 9 * n;
        find_loops(paths, room + 10 * n);
    }
    bsim_mem_free(way);
    return has_memory;
}

void bsim_ptx_paths_free(struct bsim_ptx_paths *paths)
{
    bsim_ptx_free_blocks(&paths->blocks);
    bsim_mem_free(paths->room);
}

bool bsim_ptx_precedes(const struct bsim_ptx_paths *paths, uint32_t a, uint32_t b)
{
    uint32_t before = paths->blocks.of[a], block = paths->blocks.of[b];
    if (before == block) {
        return a < b;
    }
    if (paths->order[before] == BSIM_PTX_NOWHERE || paths->order[block] == BSIM_PTX_NOWHERE) {
        return false;
    }
    while (paths->order[block] > paths->order[before]) {
        block = paths->parent[block];
    }
    return block == before;
}

/* ---- versions -------------------------------------------------------------------------------- */

/* What the block makes of the version that comes into it: that of its last change. */
static uint32_t version_out(const struct bsim_ptx_paths *paths, const bool *changes, uint32_t block)
{
    const struct bsim_ptx_code_block *b = &paths->blocks.block[block];
    for (uint32_t i = b->last + 1; i-- > b->first;) {
        if (changes[i]) {
            return i + 1;
        }
    }
    return paths->into[block];
}

/* The version that comes into the block: the one of all ways, or its own. */
static uint32_t version_in(const struct bsim_ptx_paths *paths, const bool *changes, uint32_t block,
                           uint32_t own)
{
    uint32_t version = BSIM_PTX_NOWHERE;
    for (uint32_t e = paths->first_edge[block]; e != BSIM_PTX_NOWHERE; e = paths->next_edge[e]) {
        uint32_t out = version_out(paths, changes, e / 2);
        if (version != BSIM_PTX_NOWHERE && out != BSIM_PTX_NOWHERE && out != version) {
            return own;
        }
        version = out != BSIM_PTX_NOWHERE ? out : version;
    }
    return version;
}

void bsim_ptx_find_versions(struct bsim_ptx_paths *paths, const bool *changes, uint32_t *version)
{
    uint32_t n = paths->blocks.n, end = paths->blocks.block[n - 1].last + 2;
    bool changed = true;
    for (uint32_t k = 0; k < n; k++) {
        paths->into[k] = paths->order[k] == BSIM_PTX_NOWHERE ? end + k : BSIM_PTX_NOWHERE;
    }
    paths->into[0] = end;
    for (uint32_t pass = 0; changed; pass++) {
        changed = false;
        for (uint32_t i = paths->n_unreached; i < n; i++) {
            uint32_t k = paths->by_order[i], before = paths->into[k];
            bool is_own = before == end + k;
            uint32_t in = is_own ? before : version_in(paths, changes, k, end + k);
            paths->into[k] = in != before && pass >= MANY_PASSES ? end + k : in;
            changed = changed || paths->into[k] != before;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t now = paths->into[k];
        for (uint32_t i = paths->blocks.block[k].first; i <= paths->blocks.block[k].last; i++) {
            version[i] = now;
            now = changes[i] ? i + 1 : now;
        }
    }
}
