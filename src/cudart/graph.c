/* graph.c - graphs: what is to be done is kept in nodes, and done in an order that their edges allow,
 * each time the graph is launched. What is captured in a stream comes behind what was before it in that
 * stream, and behind the events that this has waited for.
 *
 * Not here: conditional nodes, semaphores, and changes of a single edge once it is there.
 */
#include "cudart/graph.h"

#include "base/memory.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))

#if defined(__GNUC__)
#pragma GCC diagnostic ignored \
    "-Wunused-parameter" /* flags and edges' data, which change nothing */
#endif

/* cudaGraphNodeType's numbers, and some that it has not. */
enum kind {
    LAUNCH = 0,
    COPY_3D = 1,
    FILL = 2,
    CALL = 3,
    CHILD = 4,
    EMPTY = 5,
    ALLOCATION = 10,
    RELEASE = 11,
    COPY_2D = 64,
    LAUNCH_TOGETHER = 65
};

struct copy_2d {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
};

/* cudaMemcpy3DParms, which array.c knows. */
struct copy_3d {
    uint64_t word[BSIM_CUDA_COPY_WORDS];
};

/* cudaHostNodeParams. */
struct host_call {
    void (*call)(void *data);
    void *data;
};

struct node {
    enum kind kind;
    union {
        struct bsim_cuda_call launch; /* arguments: its own copy */
        struct copy_2d copy;
        struct copy_3d copy_3d;
        struct bsim_cuda_fill fill;
        struct host_call call;
        struct bsim_cuda_graph *child; /* its own */
    } what;
    const struct node *origin; /* of a copy: the node that the program knows */
    size_t index;              /* in its graph */
    size_t *after;             /* indices of the nodes that come before it */
    size_t n_after;
    bool is_done; /* in the launch under way */
    struct node *next;
};

/* cudaGraph_t, and what is launched, cudaGraphExec_t: a copy. */
struct bsim_cuda_graph {
    struct node *first, *last;
    size_t n;
    struct bsim_cuda_frontier *frontier; /* that what is captured comes behind */
};

/* ---- nodes ----------------------------------------------------------------------------------- */

static struct node *add_node(struct bsim_cuda_graph *graph, enum kind kind)
{
    struct node *node = bsim_mem_zeroed(1, sizeof *node);
    if (node != NULL) {
        node->kind = kind;
        node->index = graph->n++;
        *(graph->last != NULL ? &graph->last->next : &graph->first) = node;
        graph->last = node;
    }
    return node;
}

static bool add_edge(struct node *node, size_t before)
{
    size_t *grown = bsim_mem_grow(node->after, node->n_after, sizeof *grown);
    if (grown != NULL) {
        node->after = grown;
        grown[node->n_after++] = before;
    }
    return grown != NULL;
}

static bool launches(const struct node *node)
{
    return node->kind == LAUNCH || node->kind == LAUNCH_TOGETHER;
}

/* Frees what the node holds; it is then empty. */
static void clear(struct node *node)
{
    if (launches(node)) {
        bsim_mem_free(node->what.launch.arguments);
    } else if (node->kind == CHILD) {
        bsim_cuda_graph_free(node->what.child);
    }
    node->kind = EMPTY;
}

void bsim_cuda_graph_free(struct bsim_cuda_graph *graph)
{
    for (struct node *node = graph != NULL ? graph->first : NULL, *next; node != NULL;
         node = next) {
        next = node->next;
        clear(node);
        bsim_mem_free(node->after);
        bsim_mem_free(node);
    }
    bsim_mem_free(graph);
}

static struct bsim_cuda_graph *copy_graph(const struct bsim_cuda_graph *graph);

/* Makes the empty node do what the other one does. */
static bool copy_what(struct node *node, const struct node *from)
{
    node->what = from->what;
    if (launches(from)) {
        void **arguments = from->what.launch.arguments;
        node->what.launch.arguments = bsim_cuda_copy_arguments(from->what.launch.host, arguments);
        if (node->what.launch.arguments == NULL) {
            return false;
        }
    } else if (from->kind == CHILD && (node->what.child = copy_graph(from->what.child)) == NULL) {
        return false;
    }
    node->kind = from->kind;
    return true;
}

static bool copy_node(struct bsim_cuda_graph *to, const struct node *from)
{
    struct node *node = add_node(to, EMPTY);
    bool has_room = node != NULL && copy_what(node, from);
    for (size_t i = 0; i < from->n_after && has_room; i++) {
        has_room = add_edge(node, from->after[i]);
    }
    if (has_room) {
        node->origin = from->origin != NULL ? from->origin : from;
    }
    return has_room;
}

/* NULL when memory is short. */
static struct bsim_cuda_graph *copy_graph(const struct bsim_cuda_graph *graph)
{
    struct bsim_cuda_graph *copy = bsim_mem_zeroed(1, sizeof *copy);
    for (const struct node *node = graph->first; node != NULL && copy != NULL; node = node->next) {
        if (!copy_node(copy, node)) {
            bsim_cuda_graph_free(copy);
            copy = NULL;
        }
    }
    return copy;
}

/* ---- what nodes do --------------------------------------------------------------------------- */

static int run_graph(struct bsim_cuda_graph *graph);

static int run_node(const struct node *node)
{
    const struct bsim_cuda_call *call = &node->what.launch;
    const struct copy_2d *copy = &node->what.copy;
    switch (node->kind) {
    case LAUNCH:
        return bsim_cuda_launch(call->host, call->grid, call->block, call->arguments,
                                call->dynamic_bytes);
    case LAUNCH_TOGETHER:
        return bsim_cuda_launch_together(call->host, call->grid, call->block, call->arguments,
                                         call->dynamic_bytes);
    case COPY_2D:
        return bsim_cuda_copy_2d(copy->to, copy->to_pitch, copy->from, copy->from_pitch,
                                 copy->width, copy->height);
    case COPY_3D:
        return bsim_cuda_copy_3d(node->what.copy_3d.word);
    case FILL:
        return bsim_cuda_fill("a graph's memset", &node->what.fill);
    case CALL:
        node->what.call.call(node->what.call.data);
        return BSIM_CUDA_SUCCESS;
    case CHILD:
        return run_graph(node->what.child);
    case EMPTY:
    case ALLOCATION:
    case RELEASE:
        break;
    }
    return BSIM_CUDA_SUCCESS;
}

static bool is_ready(const struct node *node, struct node *const *nodes)
{
    for (size_t i = 0; i < node->n_after; i++) {
        if (!nodes[node->after[i]]->is_done) {
            return false;
        }
    }
    return true;
}

/* Node after node as they were added; those that come before their edges allow wait for a next turn. */
static int run_nodes(struct bsim_cuda_graph *graph, struct node *const *nodes)
{
    int error = BSIM_CUDA_SUCCESS;
    size_t n_done = 0, n_before = SIZE_MAX;
    while (n_done < graph->n && n_done != n_before && error == BSIM_CUDA_SUCCESS) {
        n_before = n_done;
        for (struct node *node = graph->first; node != NULL && error == BSIM_CUDA_SUCCESS;
             node = node->next) {
            if (!node->is_done && is_ready(node, nodes)) {
                error = run_node(node);
                node->is_done = true;
                n_done++;
            }
        }
    }
    return n_done < graph->n && error == BSIM_CUDA_SUCCESS ? BSIM_CUDA_INVALID_VALUE : error;
}

static int run_graph(struct bsim_cuda_graph *graph)
{
    struct node **nodes = bsim_mem_zeroed(graph->n + 1, sizeof(struct node *));
    if (nodes == NULL) {
        return BSIM_CUDA_MEMORY;
    }
    for (struct node *node = graph->first; node != NULL; node = node->next) {
        nodes[node->index] = node;
        node->is_done = false;
    }
    int error = run_nodes(graph, nodes);
    bsim_mem_free(nodes);
    return error;
}

/* ---- nodes that are added -------------------------------------------------------------------- */

static int error_of(const void *p)
{
    return bsim_cuda_return(p != NULL ? BSIM_CUDA_SUCCESS : BSIM_CUDA_MEMORY);
}

/* Makes the node launch; false if there is no such kernel, or memory is short. */
static bool set_launch(struct node *node, const struct bsim_cuda_call *call)
{
    void **arguments = bsim_cuda_copy_arguments(call->host, call->arguments);
    if (arguments == NULL) {
        return false;
    }
    clear(node);
    node->kind = LAUNCH;
    node->what.launch = *call;
    node->what.launch.arguments = arguments;
    return true;
}

static struct node *add_launch(struct bsim_cuda_graph *graph, const struct bsim_cuda_call *call)
{
    struct node *node = add_node(graph, EMPTY);
    return node != NULL && set_launch(node, call) ? node : NULL;
}

bool bsim_cuda_frontier_add(struct bsim_cuda_frontier *frontier, const size_t *node, size_t n)
{
    bool has_memory = true;
    for (size_t i = 0; i < n && has_memory; i++) {
        size_t k = 0;
        while (k < frontier->n && frontier->node[k] != node[i]) {
            k++;
        }
        if (k < frontier->n) {
            continue;
        }
        size_t *grown = bsim_mem_grow(frontier->node, frontier->n, sizeof *grown);
        has_memory = grown != NULL;
        if (has_memory) {
            frontier->node = grown;
            grown[frontier->n++] = node[i];
        }
    }
    return has_memory;
}

void bsim_cuda_frontier_clear(struct bsim_cuda_frontier *frontier)
{
    bsim_mem_free(frontier->node);
    *frontier = (struct bsim_cuda_frontier){0};
}

void bsim_cuda_graph_follow(struct bsim_cuda_graph *graph, struct bsim_cuda_frontier *frontier)
{
    graph->frontier = frontier;
}

size_t bsim_cuda_graph_size(const struct bsim_cuda_graph *graph)
{
    return graph->n;
}

/* Nodes that are captured come behind others of lower numbers. */
bool bsim_cuda_graph_is_joined(const struct bsim_cuda_graph *graph, size_t first,
                               const struct bsim_cuda_frontier *frontier)
{
    bool *is = bsim_mem_zeroed(graph->n + 1, sizeof *is);
    const struct node **node = bsim_mem_zeroed(graph->n + 1, sizeof(const struct node *));
    bool are_all = is != NULL && node != NULL;
    for (const struct node *at = graph->first; at != NULL && are_all; at = at->next) {
        node[at->index] = at;
    }
    for (size_t i = 0; i < frontier->n && are_all; i++) {
        is[frontier->node[i]] = true;
    }
    for (size_t i = graph->n; i-- > first && are_all;) {
        are_all = is[i];
        for (size_t k = 0; k < node[i]->n_after && are_all; k++) {
            is[node[i]->after[k]] = true;
        }
    }
    bsim_mem_free(is);
    bsim_mem_free((void *)node);
    return are_all;
}

static int captured(struct bsim_cuda_graph *graph, struct node *node)
{
    struct bsim_cuda_frontier *frontier = graph->frontier;
    bool has_room = node != NULL;
    for (size_t i = 0; i < frontier->n && has_room; i++) {
        has_room = add_edge(node, frontier->node[i]);
    }
    if (has_room) {
        frontier->n = 0;
        has_room = bsim_cuda_frontier_add(frontier, &node->index, 1);
    }
    return error_of(has_room ? node : NULL);
}

int bsim_cuda_graph_launch(struct bsim_cuda_graph *graph, const struct bsim_cuda_call *call)
{
    return captured(graph, add_launch(graph, call));
}

int bsim_cuda_graph_launch_together(struct bsim_cuda_graph *graph,
                                    const struct bsim_cuda_call *call)
{
    struct node *node = add_launch(graph, call);
    if (node != NULL) {
        node->kind = LAUNCH_TOGETHER;
    }
    return captured(graph, node);
}

int bsim_cuda_graph_memory(struct bsim_cuda_graph *graph, bool is_freed)
{
    return captured(graph, add_node(graph, is_freed ? RELEASE : ALLOCATION));
}

int bsim_cuda_graph_copy(struct bsim_cuda_graph *graph, void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t height)
{
    struct node *node = add_node(graph, COPY_2D);
    if (node != NULL) {
        node->what.copy = (struct copy_2d){to, from, to_pitch, from_pitch, width, height};
    }
    return captured(graph, node);
}

int bsim_cuda_graph_copy_3d(struct bsim_cuda_graph *graph,
                            const uint64_t what[BSIM_CUDA_COPY_WORDS])
{
    struct node *node = add_node(graph, COPY_3D);
    if (node != NULL) {
        memcpy(&node->what.copy_3d, what, sizeof node->what.copy_3d);
    }
    return captured(graph, node);
}

int bsim_cuda_graph_fill(struct bsim_cuda_graph *graph, const struct bsim_cuda_fill *fill)
{
    struct node *node = add_node(graph, FILL);
    if (node != NULL) {
        node->what.fill = *fill;
    }
    return captured(graph, node);
}

int bsim_cuda_graph_call(struct bsim_cuda_graph *graph, void (*call)(void *data), void *data)
{
    struct node *node = add_node(graph, CALL);
    if (node != NULL) {
        node->what.call = (struct host_call){call, data};
    }
    return captured(graph, node);
}

/* The node goes to the program, behind those that it is to come after. */
static int give(struct node **to, struct node *node, struct node *const *after, size_t n)
{
    bool has_room = node != NULL;
    for (size_t i = 0; i < n && has_room; i++) {
        has_room = add_edge(node, after[i]->index);
    }
    *to = node;
    return error_of(has_room ? node : NULL);
}

EXPORT int cudaGraphAddKernelNode(struct node **node, struct bsim_cuda_graph *graph,
                                  struct node *const *after, size_t n,
                                  const struct bsim_cuda_call *call)
{
    return give(node, add_launch(graph, call), after, n);
}

EXPORT int cudaGraphAddMemcpyNode(struct node **node, struct bsim_cuda_graph *graph,
                                  struct node *const *after, size_t n, const struct copy_3d *copy)
{
    struct node *added = add_node(graph, COPY_3D);
    if (added != NULL) {
        added->what.copy_3d = *copy;
    }
    return give(node, added, after, n);
}

EXPORT int cudaGraphAddMemcpyNode1D(struct node **node, struct bsim_cuda_graph *graph,
                                    struct node *const *after, size_t n, void *to, const void *from,
                                    size_t size, int kind)
{
    struct node *added = add_node(graph, COPY_2D);
    if (added != NULL) {
        added->what.copy = (struct copy_2d){to, from, size, size, size, 1};
    }
    return give(node, added, after, n);
}

EXPORT int cudaGraphAddMemsetNode(struct node **node, struct bsim_cuda_graph *graph,
                                  struct node *const *after, size_t n,
                                  const struct bsim_cuda_fill *fill)
{
    struct node *added = add_node(graph, FILL);
    if (added != NULL) {
        added->what.fill = *fill;
    }
    return give(node, added, after, n);
}

EXPORT int cudaGraphAddHostNode(struct node **node, struct bsim_cuda_graph *graph,
                                struct node *const *after, size_t n, const struct host_call *call)
{
    struct node *added = add_node(graph, CALL);
    if (added != NULL) {
        added->what.call = *call;
    }
    return give(node, added, after, n);
}

EXPORT int cudaGraphAddEmptyNode(struct node **node, struct bsim_cuda_graph *graph,
                                 struct node *const *after, size_t n)
{
    return give(node, add_node(graph, EMPTY), after, n);
}

EXPORT int cudaGraphAddEventRecordNode(struct node **node, struct bsim_cuda_graph *graph,
                                       struct node *const *after, size_t n, void *event)
{
    return cudaGraphAddEmptyNode(node, graph, after, n);
}

EXPORT int cudaGraphAddEventWaitNode(struct node **node, struct bsim_cuda_graph *graph,
                                     struct node *const *after, size_t n, void *event)
{
    return cudaGraphAddEmptyNode(node, graph, after, n);
}

EXPORT int cudaGraphAddChildGraphNode(struct node **node, struct bsim_cuda_graph *graph,
                                      struct node *const *after, size_t n,
                                      const struct bsim_cuda_graph *child)
{
    struct bsim_cuda_graph *copy = copy_graph(child);
    struct node *added = copy != NULL ? add_node(graph, CHILD) : NULL;
    if (added != NULL) {
        added->what.child = copy;
    }
    return give(node, added, after, n);
}

EXPORT int cudaGraphAddDependencies(struct bsim_cuda_graph *graph, struct node *const *from,
                                    struct node *const *to, const void *data, size_t n)
{
    bool has_room = true;
    for (size_t i = 0; i < n && has_room; i++) {
        has_room = add_edge(to[i], from[i]->index);
    }
    return error_of(has_room ? graph : NULL);
}

/* ---- graphs ---------------------------------------------------------------------------------- */

EXPORT int cudaGraphCreate(struct bsim_cuda_graph **graph, unsigned flags)
{
    *graph = bsim_mem_zeroed(1, sizeof **graph);
    return error_of(*graph);
}

EXPORT int cudaGraphDestroy(struct bsim_cuda_graph *graph)
{
    bsim_cuda_graph_free(graph);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGraphClone(struct bsim_cuda_graph **copy, const struct bsim_cuda_graph *graph)
{
    *copy = copy_graph(graph);
    return error_of(*copy);
}

/* n is the room on the way in, and how many there are on the way out. */
static int list(const struct bsim_cuda_graph *graph, struct node **nodes, size_t *n, bool is_root)
{
    size_t n_found = 0;
    for (struct node *node = graph->first; node != NULL; node = node->next) {
        if (is_root && node->n_after > 0) {
            continue;
        }
        if (nodes != NULL && n_found < *n) {
            nodes[n_found] = node;
        }
        n_found++;
    }
    *n = n_found;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGraphGetNodes(const struct bsim_cuda_graph *graph, struct node **nodes, size_t *n)
{
    return list(graph, nodes, n, false);
}

EXPORT int cudaGraphGetRootNodes(const struct bsim_cuda_graph *graph, struct node **nodes,
                                 size_t *n)
{
    return list(graph, nodes, n, true);
}

/* All edges, as the nodes' order has them. Room that is left is set to NULL. */
EXPORT int cudaGraphGetEdges(const struct bsim_cuda_graph *graph, struct node **from,
                             struct node **to, void *data, size_t *n)
{
    struct node **nodes = bsim_mem_zeroed(graph->n + 1, sizeof(struct node *));
    size_t n_found = 0;
    for (struct node *node = graph->first; node != NULL && nodes != NULL; node = node->next) {
        nodes[node->index] = node;
    }
    for (struct node *node = graph->first; node != NULL && nodes != NULL; node = node->next) {
        for (size_t i = 0; i < node->n_after; i++, n_found++) {
            if (from != NULL && to != NULL && n_found < *n) {
                from[n_found] = nodes[node->after[i]];
                to[n_found] = node;
            }
        }
    }
    for (size_t i = n_found; from != NULL && to != NULL && i < *n; i++) {
        from[i] = to[i] = NULL;
    }
    *n = n_found;
    bsim_mem_free(nodes);
    return error_of(nodes);
}

EXPORT int cudaGraphNodeGetType(const struct node *node, int *type)
{
    *type = node->kind == COPY_2D           ? COPY_3D
            : node->kind == LAUNCH_TOGETHER ? LAUNCH
                                            : (int)node->kind;
    return BSIM_CUDA_SUCCESS;
}

/* ---- graphs that are launched ---------------------------------------------------------------- */

EXPORT int cudaGraphInstantiate(struct bsim_cuda_graph **exec, const struct bsim_cuda_graph *graph,
                                unsigned long long flags)
{
    int error = bsim_cuda_unsafe();
    return error != BSIM_CUDA_SUCCESS ? error : cudaGraphClone(exec, graph);
}

EXPORT int cudaGraphInstantiateWithFlags(struct bsim_cuda_graph **exec,
                                         const struct bsim_cuda_graph *graph,
                                         unsigned long long flags)
{
    return cudaGraphInstantiate(exec, graph, flags);
}

EXPORT int cudaGraphExecDestroy(struct bsim_cuda_graph *exec)
{
    int error = bsim_cuda_unsafe();
    return error != BSIM_CUDA_SUCCESS ? error : cudaGraphDestroy(exec);
}

EXPORT int cudaGraphUpload(struct bsim_cuda_graph *exec, void *stream)
{
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGraphLaunch(struct bsim_cuda_graph *exec, void *stream)
{
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error != BSIM_CUDA_SUCCESS || graph != NULL) {
        return error != BSIM_CUDA_SUCCESS ? error
                                          : bsim_cuda_breach(stream, BSIM_CUDA_CAPTURE_UNSUPPORTED);
    }
    return bsim_cuda_return(run_graph(exec));
}

/* The node of the copy that stands for the program's; NULL if none does. */
static struct node *find_copy(struct bsim_cuda_graph *exec, const struct node *of)
{
    const struct node *origin = of->origin != NULL ? of->origin : of;
    struct node *node = exec->first;
    while (node != NULL && node->origin != origin) {
        node = node->next;
    }
    return node;
}

/* Gives the copy's node something else of its kind to do. */
static int set_what(struct bsim_cuda_graph *exec, const struct node *of, enum kind kind,
                    const void *what, size_t size)
{
    struct node *node = find_copy(exec, of);
    if (node == NULL || node->kind != kind) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    memcpy(&node->what, what, size);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaGraphExecKernelNodeSetParams(struct bsim_cuda_graph *exec, const struct node *of,
                                            const struct bsim_cuda_call *call)
{
    struct node *node = find_copy(exec, of);
    bool is_set = node != NULL && node->kind == LAUNCH && set_launch(node, call);
    return bsim_cuda_return(is_set ? BSIM_CUDA_SUCCESS : BSIM_CUDA_INVALID_VALUE);
}

EXPORT int cudaGraphExecMemcpyNodeSetParams(struct bsim_cuda_graph *exec, const struct node *of,
                                            const struct copy_3d *copy)
{
    return set_what(exec, of, COPY_3D, copy, sizeof *copy);
}

EXPORT int cudaGraphExecMemcpyNodeSetParams1D(struct bsim_cuda_graph *exec, const struct node *of,
                                              void *to, const void *from, size_t size, int kind)
{
    struct copy_2d copy = {to, from, size, size, size, 1};
    return set_what(exec, of, COPY_2D, &copy, sizeof copy);
}

EXPORT int cudaGraphExecMemsetNodeSetParams(struct bsim_cuda_graph *exec, const struct node *of,
                                            const struct bsim_cuda_fill *fill)
{
    return set_what(exec, of, FILL, fill, sizeof *fill);
}

EXPORT int cudaGraphExecHostNodeSetParams(struct bsim_cuda_graph *exec, const struct node *of,
                                          const struct host_call *call)
{
    return set_what(exec, of, CALL, call, sizeof *call);
}

EXPORT int cudaGraphKernelNodeSetParams(struct node *node, const struct bsim_cuda_call *call)
{
    bool is_set = node->kind == LAUNCH && set_launch(node, call);
    return bsim_cuda_return(is_set ? BSIM_CUDA_SUCCESS : BSIM_CUDA_INVALID_VALUE);
}

EXPORT int cudaGraphKernelNodeGetParams(const struct node *node, struct bsim_cuda_call *call)
{
    *call = node->what.launch;
    return bsim_cuda_return(node->kind == LAUNCH ? BSIM_CUDA_SUCCESS : BSIM_CUDA_INVALID_VALUE);
}

/* cudaGraphExecUpdateResultInfo: of what came of it, and where it did not fit. */
struct update {
    int result;
    const struct node *node, *from;
};

/* What each node does becomes what the graph's node of the same number does; graphs of other shapes do not
 * fit. */
EXPORT int cudaGraphExecUpdate(struct bsim_cuda_graph *exec, const struct bsim_cuda_graph *graph,
                               struct update *update)
{
    enum { FAILED = 910, TOPOLOGY_CHANGED = 2 };
    struct node *to = exec->first;
    const struct node *from = graph->first;
    while (to != NULL && from != NULL && to->kind == from->kind && to->n_after == from->n_after) {
        clear(to);
        if (!copy_what(to, from)) {
            return bsim_cuda_return(BSIM_CUDA_MEMORY);
        }
        to = to->next;
        from = from->next;
    }
    bool is_whole = to == NULL && from == NULL;
    *update = (struct update){.result = is_whole ? 0 : TOPOLOGY_CHANGED, .node = from};
    return is_whole ? BSIM_CUDA_SUCCESS : bsim_cuda_return(FAILED);
}

/* ---- captures -------------------------------------------------------------------------------- */

EXPORT int cudaStreamBeginCapture(void *stream, int mode)
{
    struct bsim_cuda_graph *graph = bsim_mem_zeroed(1, sizeof *graph);
    const struct bsim_cuda_frontier nothing = {0};
    int error = graph != NULL ? bsim_cuda_begin_capture(stream, graph, &nothing, mode)
                              : bsim_cuda_return(BSIM_CUDA_MEMORY);
    if (error != BSIM_CUDA_SUCCESS) {
        bsim_mem_free(graph);
    }
    return error;
}

EXPORT int cudaStreamBeginCaptureToGraph(void *stream, struct bsim_cuda_graph *graph,
                                         struct node *const *after, const void *data, size_t n,
                                         int mode)
{
    struct bsim_cuda_frontier behind = {0};
    bool has_room = true;
    for (size_t i = 0; i < n && has_room; i++) {
        has_room = bsim_cuda_frontier_add(&behind, &after[i]->index, 1);
    }
    int error = has_room ? bsim_cuda_begin_capture(stream, graph, &behind, mode)
                         : bsim_cuda_return(BSIM_CUDA_MEMORY);
    bsim_cuda_frontier_clear(&behind);
    return error;
}

EXPORT int cudaStreamEndCapture(void *stream, struct bsim_cuda_graph **graph)
{
    int error = bsim_cuda_end_capture(stream, graph);
    if (error != BSIM_CUDA_SUCCESS) {
        bsim_cuda_graph_free(*graph);
        *graph = NULL;
    }
    return error;
}
