/* graph.h - what is done later: captured in a stream, or put together by hand. */
#ifndef BSIM_CUDART_GRAPH_H
#define BSIM_CUDART_GRAPH_H

#include "cudart/state.h"

struct bsim_cuda_graph;

enum { BSIM_CUDA_COPY_WORDS = 20 }; /* of cudaMemcpy3DParms, which array.c knows: 8 bytes each */

/* cudaKernelNodeParams. */
struct bsim_cuda_call {
    const void *host;
    struct bsim_dim3 grid, block;
    unsigned dynamic_bytes;
    void **arguments;
    void **extra; /* not heeded */
};

/* cudaMemsetParams: elements of 1, 2 or 4 bytes, width of them in each row. */
struct bsim_cuda_fill {
    void *p;
    size_t pitch;
    unsigned value, element_bytes;
    size_t width, height;
};

/* Of what is captured in a stream, the nodes that the next one comes behind, by their numbers. Zeroes: none. */
struct bsim_cuda_frontier {
    size_t *node;
    size_t n;
};

/* Adds those that it has not; false when memory is short. */
bool bsim_cuda_frontier_add(struct bsim_cuda_frontier *frontier, const size_t *node, size_t n);
void bsim_cuda_frontier_clear(struct bsim_cuda_frontier *frontier);

/* What is captured next comes behind the frontier, and takes its place. */
void bsim_cuda_graph_follow(struct bsim_cuda_graph *graph, struct bsim_cuda_frontier *frontier);

size_t bsim_cuda_graph_size(const struct bsim_cuda_graph *graph);

/* Whether each node from number `first` on comes before those of the frontier, or is one. */
bool bsim_cuda_graph_is_joined(const struct bsim_cuda_graph *graph, size_t first,
                               const struct bsim_cuda_frontier *frontier);

/* Sets *graph to what is being captured in the stream, which gets what goes into it; NULL: it is done at once.
 * Returns an error where it is neither: the capture is invalid, or stream 0 would wait for it. */
int bsim_cuda_find_capture(const void *stream, struct bsim_cuda_graph **graph);

/* A capture begins, behind some nodes, or is over: its graph, or NULL, is the caller's, whatever is returned. A stream that waits
 * for an event of a captured one is captured, too. */
int bsim_cuda_begin_capture(void *stream, struct bsim_cuda_graph *graph,
                            const struct bsim_cuda_frontier *behind, int mode);
int bsim_cuda_end_capture(void *stream, struct bsim_cuda_graph **graph);

/* A call that may wait for work, and so is not permitted while something is captured that the thread heeds:
 * it leaves that invalid. Returns the error, or success: the call may go on. */
int bsim_cuda_unsafe(void);

/* If the stream is captured its capture is left invalid, and the error is returned. */
int bsim_cuda_breach(const void *stream, int error);

void bsim_cuda_graph_free(struct bsim_cuda_graph *graph);

/* Each adds what is to be done behind all that is there, and returns a cudaError_t. Arguments are
 * copied, memory is not. */
int bsim_cuda_graph_launch(struct bsim_cuda_graph *graph, const struct bsim_cuda_call *call);
int bsim_cuda_graph_copy(struct bsim_cuda_graph *graph, void *to, size_t to_pitch, const void *from,
                         size_t from_pitch, size_t width, size_t height);
int bsim_cuda_graph_copy_3d(struct bsim_cuda_graph *graph,
                            const uint64_t what[BSIM_CUDA_COPY_WORDS]);
int bsim_cuda_graph_fill(struct bsim_cuda_graph *graph, const struct bsim_cuda_fill *fill);
int bsim_cuda_graph_call(struct bsim_cuda_graph *graph, void (*call)(void *data), void *data);
int bsim_cuda_graph_launch_together(struct bsim_cuda_graph *graph, const struct bsim_cuda_call *call);

/* Of memory that was allocated, or that the program frees, in the stream. Nothing is done: it is there from now
 * on, and stays. */
int bsim_cuda_graph_memory(struct bsim_cuda_graph *graph, bool is_freed);

/* What graphs do; the calls of these names, which a capture may forbid, are another matter. */
int bsim_cuda_copy_2d(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                      size_t height);
int bsim_cuda_copy_3d(const uint64_t what[BSIM_CUDA_COPY_WORDS]);

/* Does it at once; or returns what is wrong with it, which `call` is told to have done. */
int bsim_cuda_fill(const char *call, const struct bsim_cuda_fill *fill);

/* Each tells of a mistake of the call's, and returns the error. */
int bsim_cuda_wrong_direction(const char *call, int kind);
int bsim_cuda_wrong_pitch(const char *call, size_t width, size_t pitch, int error);

#endif
