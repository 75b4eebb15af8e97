/* stream.c - streams and events. Everything is done when a call returns, in the order of the calls, so a
 * stream is a name and an event a time of the host's clock, unless the stream is captured.
 */
#define _GNU_SOURCE

#include "cudart/graph.h"

#include "base/memory.h"

#include <pthread.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* hints, as in runtime.c */
#endif
#define ACCEPTED(name, ...)       \
    EXPORT int name(__VA_ARGS__)  \
    {                             \
        return BSIM_CUDA_SUCCESS; \
    }

/* There is nothing to wait for, but a kernel may have been at fault. */
#define WAITING(name, ...)        \
    EXPORT int name(__VA_ARGS__)  \
    {                             \
        return bsim_cuda_fault(); \
    }

/* cudaStream_t. The three that are always there are 0, 1 and 2, and are not captured. */
struct stream {
    unsigned flags;
    int priority;
    uint64_t capture; /* number of the capture that it takes part in; 0: none */
};

/* cudaEvent_t. */
struct event {
    struct timespec time;
    uint64_t capture; /* that it was recorded in */
    bool is_recorded, has_time;
};

/* Captures under way. */
struct capture {
    uint64_t number;
    struct bsim_cuda_graph *graph;
    struct capture *next;
};

static struct capture *captures;
static uint64_t n_captures;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- captures -------------------------------------------------------------------------------- */

static bool is_always_there(const void *stream)
{
    return (uintptr_t)stream <= 2;
}

static struct bsim_cuda_graph *find_graph(uint64_t number)
{
    pthread_mutex_lock(&lock);
    const struct capture *c = captures;
    while (c != NULL && c->number != number) {
        c = c->next;
    }
    struct bsim_cuda_graph *graph = c != NULL ? c->graph : NULL;
    pthread_mutex_unlock(&lock);
    return graph;
}

struct bsim_cuda_graph *bsim_cuda_capturing(void *stream)
{
    bool is_looked_at = !is_always_there(stream) && bsim_cuda_fault() == BSIM_CUDA_SUCCESS;
    uint64_t number = is_looked_at ? ((const struct stream *)stream)->capture : 0;
    return number != 0 ? find_graph(number) : NULL;
}

bool bsim_cuda_begin_capture(void *stream, struct bsim_cuda_graph *graph)
{
    struct capture *capture = bsim_mem_zeroed(1, sizeof *capture);
    if (capture == NULL || is_always_there(stream) || bsim_cuda_capturing(stream) != NULL) {
        bsim_mem_free(capture);
        return false;
    }
    pthread_mutex_lock(&lock);
    *capture = (struct capture){.number = ++n_captures, .graph = graph, .next = captures};
    captures = capture;
    ((struct stream *)stream)->capture = capture->number;
    pthread_mutex_unlock(&lock);
    return true;
}

struct bsim_cuda_graph *bsim_cuda_end_capture(void *stream)
{
    struct bsim_cuda_graph *graph = bsim_cuda_capturing(stream);
    pthread_mutex_lock(&lock);
    for (struct capture **at = &captures; graph != NULL && *at != NULL; at = &(*at)->next) {
        if ((*at)->graph == graph) {
            struct capture *over = *at;
            *at = over->next;
            bsim_mem_free(over);
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return graph;
}

/* ---- streams --------------------------------------------------------------------------------- */

WAITING(cudaStreamSynchronize, void *stream)
WAITING(cudaStreamQuery, void *stream)
ACCEPTED(cudaStreamAttachMemAsync, void *stream, void *p, size_t n, unsigned flags)
ACCEPTED(cudaStreamSetAttribute, void *stream, int attribute, const void *value)
ACCEPTED(cudaStreamCopyAttributes, void *to, void *from)
ACCEPTED(cudaCtxResetPersistingL2Cache, void)

EXPORT int cudaStreamCreateWithPriority(struct stream **stream, unsigned flags, int priority)
{
    enum { NON_BLOCKING = 1 };
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (flags & ~(unsigned)NON_BLOCKING) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    *stream = bsim_mem_zeroed(1, sizeof **stream);
    if (*stream == NULL) {
        return bsim_cuda_return(BSIM_CUDA_MEMORY);
    }
    **stream = (struct stream){.flags = flags, .priority = priority};
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaStreamCreateWithFlags(struct stream **stream, unsigned flags)
{
    return cudaStreamCreateWithPriority(stream, flags, 0);
}

EXPORT int cudaStreamCreate(struct stream **stream)
{
    return cudaStreamCreateWithPriority(stream, 0, 0);
}

EXPORT int cudaStreamDestroy(struct stream *stream)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (is_always_there(stream)) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    (void)bsim_cuda_end_capture(stream);
    bsim_mem_free(stream);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaStreamGetFlags(const struct stream *stream, unsigned *flags)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    *flags = is_always_there(stream) ? 0 : stream->flags;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaStreamGetPriority(const struct stream *stream, int *priority)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    *priority = is_always_there(stream) ? 0 : stream->priority;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaStreamGetDevice(const struct stream *stream, int *device)
{
    *device = 0;
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    *least = 0;
    *greatest = -5;
    return BSIM_CUDA_SUCCESS;
}

/* What was put into the stream before is done, so it is called at once. */
EXPORT int cudaStreamAddCallback(void *stream, void (*call)(void *stream, int error, void *data),
                                 void *data, unsigned flags)
{
    call(stream, bsim_cuda_fault(), data);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaLaunchHostFunc(void *stream, void (*call)(void *data), void *data)
{
    struct bsim_cuda_graph *graph = bsim_cuda_capturing(stream);
    if (graph != NULL) {
        return bsim_cuda_graph_call(graph, call, data);
    }
    call(data);
    return BSIM_CUDA_SUCCESS;
}

/* ---- events ---------------------------------------------------------------------------------- */

EXPORT int cudaEventSynchronize(struct event *event)
{
    return event != NULL ? bsim_cuda_fault() : bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
}

EXPORT int cudaEventQuery(struct event *event)
{
    return cudaEventSynchronize(event);
}

EXPORT int cudaEventCreateWithFlags(struct event **event, unsigned flags)
{
    enum { NO_TIME = 2, ALL = 7 };
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (flags & ~(unsigned)ALL) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    *event = bsim_mem_zeroed(1, sizeof **event);
    if (*event == NULL) {
        return bsim_cuda_return(BSIM_CUDA_MEMORY);
    }
    (*event)->has_time = !(flags & NO_TIME);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaEventCreate(struct event **event)
{
    return cudaEventCreateWithFlags(event, 0);
}

EXPORT int cudaEventDestroy(struct event *event)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    bsim_mem_free(event);
    return bsim_cuda_return(event != NULL ? BSIM_CUDA_SUCCESS : BSIM_CUDA_INVALID_HANDLE);
}

EXPORT int cudaEventRecord(struct event *event, const struct stream *stream)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (event == NULL) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    event->capture = is_always_there(stream) ? 0 : stream->capture;
    event->is_recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaEventRecordWithFlags(struct event *event, const struct stream *stream,
                                    unsigned flags)
{
    return cudaEventRecord(event, stream);
}

EXPORT int cudaStreamWaitEvent(struct stream *stream, const struct event *event, unsigned flags)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (!is_always_there(stream) && event->capture != 0 && find_graph(event->capture) != NULL) {
        stream->capture = event->capture;
    }
    return BSIM_CUDA_SUCCESS;
}

/* Of the host, which interprets: no GPU's time. */
EXPORT int cudaEventElapsedTime(float *milliseconds, const struct event *start,
                                const struct event *end)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    if (start == NULL || end == NULL || !start->is_recorded || !end->is_recorded ||
        !start->has_time || !end->has_time) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    *milliseconds = (float)((double)(end->time.tv_sec - start->time.tv_sec) * 1e3 +
                            (double)(end->time.tv_nsec - start->time.tv_nsec) * 1e-6);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaEventElapsedTime_v2(float *milliseconds, const struct event *start,
                                   const struct event *end)
{
    return cudaEventElapsedTime(milliseconds, start, end);
}
