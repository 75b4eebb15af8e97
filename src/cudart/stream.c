/* stream.c - streams and events. Everything is done when a call returns, in the order of the calls, so a
 * stream is a name and an event a time of the host's clock, unless the stream is captured.
 *
 * What may not be called while something is captured is as an H200 has it (tests/cuda/captures.cu):
 *
 *     cudaMalloc, and what else may wait for work    900, while the calling thread captures, or another one
 *                                                    does for all threads, unless the thread has relaxed that
 *     cudaDeviceSynchronize                          900, while anybody captures
 *     of the captured stream: wait, query            900; of its events: 907
 *     a blocking stream's capture: stream 0          906
 *
 * It leaves the capture invalid: what is called of it returns 901, and no graph comes of it.
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

enum { NON_BLOCKING = 1 };

/* cudaStream_t. The three that are always there are 0, 1 and 2, and are not captured. */
struct stream {
    unsigned flags;
    int priority;
    uint64_t capture;                   /* number of the capture that it takes part in; 0: none */
    struct bsim_cuda_frontier frontier; /* in that */
};

/* cudaEvent_t. */
struct event {
    struct timespec time;
    uint64_t capture;                   /* that it was recorded in ... */
    struct bsim_cuda_frontier frontier; /* ... behind these */
    bool is_recorded, has_time;
};

/* cudaStreamCaptureMode: of a capture, whom it forbids what may wait; of a thread, what it heeds. */
enum mode { OF_ALL, OF_THREAD, RELAXED };

/* Captures under way. */
struct capture {
    uint64_t number;
    struct bsim_cuda_graph *graph;
    size_t n_before;    /* nodes that the graph had before */
    const void *origin; /* the stream that it began in */
    enum mode mode;
    pthread_t thread;
    bool is_blocking; /* a stream of it waits for stream 0, and that for it */
    bool is_invalid;
    struct capture *next;
};

static struct capture *captures;
static uint64_t n_captures;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local enum mode heeded;

/* ---- captures -------------------------------------------------------------------------------- */

static bool is_always_there(const void *stream)
{
    return (uintptr_t)stream <= 2;
}

/* For who has the lock; NULL: it is over. */
static struct capture *find_capture(uint64_t number)
{
    struct capture *c = number != 0 ? captures : NULL;
    while (c != NULL && c->number != number) {
        c = c->next;
    }
    return c;
}

static struct capture *capture_of(const void *stream)
{
    return is_always_there(stream) ? NULL : find_capture(((const struct stream *)stream)->capture);
}

/* What invalidates captures, and why. */
struct breach {
    int error;
    bool (*is)(const struct capture *c, const void *of);
    const void *of;
};

/* Invalidates them; the error, if there are any, else success. */
static int invalidate(struct breach breach)
{
    bool any = false;
    pthread_mutex_lock(&lock);
    for (struct capture *c = captures; c != NULL; c = c->next) {
        if (breach.is(c, breach.of)) {
            c->is_invalid = any = true;
        }
    }
    pthread_mutex_unlock(&lock);
    return bsim_cuda_return(any ? breach.error : BSIM_CUDA_SUCCESS);
}

static bool is_heeded(const struct capture *c, const void *of)
{
    bool is_own = pthread_equal(c->thread, pthread_self()) && c->mode != RELAXED;
    (void)of;
    return heeded != RELAXED && (is_own || (heeded == OF_ALL && c->mode == OF_ALL));
}

static bool is_any(const struct capture *c, const void *of)
{
    (void)of;
    return c != NULL;
}

static bool is_blocking(const struct capture *c, const void *of)
{
    (void)of;
    return c->is_blocking;
}

static bool is_of_stream(const struct capture *c, const void *of)
{
    return c == capture_of(of);
}

static bool is_of_event(const struct capture *c, const void *of)
{
    return c->number == ((const struct event *)of)->capture;
}

int bsim_cuda_unsafe(void)
{
    return invalidate((struct breach){BSIM_CUDA_CAPTURE_UNSUPPORTED, is_heeded, NULL});
}

int bsim_cuda_breach(const void *stream, int error)
{
    return invalidate((struct breach){error, is_of_stream, stream});
}

int bsim_cuda_find_capture(const void *stream, struct bsim_cuda_graph **graph)
{
    *graph = NULL;
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return BSIM_CUDA_SUCCESS;
    }
    if ((uintptr_t)stream <= 1) { /* the one that blocking streams wait for */
        return invalidate((struct breach){BSIM_CUDA_CAPTURE_IMPLICIT, is_blocking, NULL});
    }
    pthread_mutex_lock(&lock);
    const struct capture *c = capture_of(stream);
    bool is_invalid = c != NULL && c->is_invalid;
    *graph = c != NULL && !is_invalid ? c->graph : NULL;
    if (*graph != NULL) {
        bsim_cuda_graph_follow(*graph, &((struct stream *)(uintptr_t)stream)->frontier);
    }
    pthread_mutex_unlock(&lock);
    return bsim_cuda_return(is_invalid ? BSIM_CUDA_CAPTURE_INVALIDATED : BSIM_CUDA_SUCCESS);
}

enum { NOT_CAPTURED, CAPTURED, INVALID }; /* cudaStreamCaptureStatus */

static int status_of(const void *stream)
{
    pthread_mutex_lock(&lock);
    const struct capture *c = capture_of(stream);
    int status = c == NULL ? NOT_CAPTURED : c->is_invalid ? INVALID : CAPTURED;
    pthread_mutex_unlock(&lock);
    return status;
}

int bsim_cuda_begin_capture(void *stream, struct bsim_cuda_graph *graph,
                            const struct bsim_cuda_frontier *behind, int mode)
{
    struct capture *capture = bsim_mem_zeroed(1, sizeof *capture);
    struct bsim_cuda_frontier frontier = {0};
    bool has_memory = capture != NULL && bsim_cuda_frontier_add(&frontier, behind->node, behind->n);
    int error = !has_memory                                 ? BSIM_CUDA_MEMORY
                : is_always_there(stream)                   ? BSIM_CUDA_CAPTURE_UNSUPPORTED
                : status_of(stream) != NOT_CAPTURED         ? BSIM_CUDA_ILLEGAL_STATE
                : mode < (int)OF_ALL || mode > (int)RELAXED ? BSIM_CUDA_INVALID_VALUE
                                                            : BSIM_CUDA_SUCCESS;
    if (error != BSIM_CUDA_SUCCESS) {
        bsim_cuda_frontier_clear(&frontier);
        bsim_mem_free(capture);
        return bsim_cuda_return(error);
    }
    struct stream *s = stream;
    pthread_mutex_lock(&lock);
    *capture = (struct capture){.number = ++n_captures,
                                .graph = graph,
                                .n_before = bsim_cuda_graph_size(graph),
                                .origin = stream,
                                .mode = (enum mode)mode,
                                .thread = pthread_self(),
                                .is_blocking = (s->flags & NON_BLOCKING) == 0,
                                .next = captures};
    captures = capture;
    s->capture = capture->number;
    bsim_cuda_frontier_clear(&s->frontier);
    s->frontier = frontier;
    pthread_mutex_unlock(&lock);
    return BSIM_CUDA_SUCCESS;
}

int bsim_cuda_end_capture(void *stream, struct bsim_cuda_graph **graph)
{
    pthread_mutex_lock(&lock);
    struct capture *c = capture_of(stream), **at = &captures;
    bool is_other = c != NULL && c->mode != RELAXED && !pthread_equal(c->thread, pthread_self());
    int error = c == NULL       ? BSIM_CUDA_ILLEGAL_STATE
                : is_other      ? BSIM_CUDA_CAPTURE_THREAD
                : c->is_invalid ? BSIM_CUDA_CAPTURE_INVALIDATED
                                : BSIM_CUDA_SUCCESS;
    if (error == BSIM_CUDA_SUCCESS &&
        !bsim_cuda_graph_is_joined(c->graph, c->n_before, &((struct stream *)stream)->frontier)) {
        error = BSIM_CUDA_CAPTURE_UNJOINED;
    }
    *graph = c != NULL ? c->graph : NULL;
    while (c != NULL && *at != c) {
        at = &(*at)->next;
    }
    if (c != NULL) {
        *at = c->next;
        bsim_mem_free(c);
    }
    pthread_mutex_unlock(&lock);
    return bsim_cuda_return(error);
}

EXPORT int cudaStreamIsCapturing(const void *stream, int *status)
{
    pthread_mutex_lock(&lock);
    bool is_between = false; /* of stream 0 that cannot be said */
    for (const struct capture *c = captures; c != NULL && (uintptr_t)stream <= 1; c = c->next) {
        is_between = is_between || c->is_blocking;
    }
    pthread_mutex_unlock(&lock);
    if (is_between) {
        return bsim_cuda_return(BSIM_CUDA_CAPTURE_IMPLICIT);
    }
    *status = status_of(stream);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaThreadExchangeStreamCaptureMode(int *mode)
{
    enum mode before = heeded;
    if (*mode < (int)OF_ALL || *mode > (int)RELAXED) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_VALUE);
    }
    heeded = (enum mode) * mode;
    *mode = (int)before;
    return BSIM_CUDA_SUCCESS;
}

/* ---- streams --------------------------------------------------------------------------------- */

ACCEPTED(cudaStreamAttachMemAsync, void *stream, void *p, size_t n, unsigned flags)
ACCEPTED(cudaStreamSetAttribute, void *stream, int attribute, const void *value)
ACCEPTED(cudaStreamCopyAttributes, void *to, void *from)
ACCEPTED(cudaCtxResetPersistingL2Cache, void)

/* There is nothing to wait for, but a kernel may have been at fault. */
EXPORT int cudaStreamSynchronize(const void *stream)
{
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_breach(stream, BSIM_CUDA_CAPTURE_UNSUPPORTED);
    error = error != BSIM_CUDA_SUCCESS ? error : bsim_cuda_unsafe();
    error = error != BSIM_CUDA_SUCCESS ? error : bsim_cuda_find_capture(stream, &graph);
    return error != BSIM_CUDA_SUCCESS ? error : bsim_cuda_fault();
}

EXPORT int cudaStreamQuery(const void *stream)
{
    return cudaStreamSynchronize(stream);
}

EXPORT int cudaDeviceSynchronize(void)
{
    int error = invalidate((struct breach){BSIM_CUDA_CAPTURE_UNSUPPORTED, is_any, NULL});
    return error != BSIM_CUDA_SUCCESS ? error : bsim_cuda_fault();
}

EXPORT int cudaStreamCreateWithPriority(struct stream **stream, unsigned flags, int priority)
{
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
    pthread_mutex_lock(&lock);
    const struct capture *c = capture_of(stream);
    bool is_origin = c != NULL && c->origin == stream;
    pthread_mutex_unlock(&lock);
    struct bsim_cuda_graph *graph;
    if (is_origin) {
        (void)bsim_cuda_end_capture(stream, &graph);
        bsim_cuda_graph_free(graph);
    }
    bsim_cuda_frontier_clear(&stream->frontier);
    bsim_mem_free(stream);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaStreamGetFlags(const struct stream *stream, unsigned *flags)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    int error = bsim_cuda_breach(stream, BSIM_CUDA_CAPTURE_UNSUPPORTED);
    *flags = is_always_there(stream) ? 0 : stream->flags;
    return error;
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
    int error = bsim_cuda_breach(stream, BSIM_CUDA_CAPTURE_UNSUPPORTED);
    if (error == BSIM_CUDA_SUCCESS) {
        call(stream, bsim_cuda_fault(), data);
    }
    return error;
}

EXPORT int cudaLaunchHostFunc(void *stream, void (*call)(void *data), void *data)
{
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error == BSIM_CUDA_SUCCESS && graph != NULL) {
        return bsim_cuda_graph_call(graph, call, data);
    }
    if (error == BSIM_CUDA_SUCCESS) {
        call(data);
    }
    return error;
}

/* ---- events ---------------------------------------------------------------------------------- */

EXPORT int cudaEventSynchronize(struct event *event)
{
    if (event == NULL) {
        return bsim_cuda_return(BSIM_CUDA_INVALID_HANDLE);
    }
    if (event->capture != 0) {
        (void)invalidate((struct breach){BSIM_CUDA_CAPTURED_EVENT, is_of_event, event});
        return bsim_cuda_return(BSIM_CUDA_CAPTURED_EVENT);
    }
    int error = bsim_cuda_unsafe();
    return error != BSIM_CUDA_SUCCESS ? error : bsim_cuda_fault();
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
    if (event != NULL) {
        bsim_cuda_frontier_clear(&event->frontier);
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
    struct bsim_cuda_graph *graph;
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    event->capture = graph != NULL ? stream->capture : 0;
    bsim_cuda_frontier_clear(&event->frontier);
    if (graph != NULL &&
        !bsim_cuda_frontier_add(&event->frontier, stream->frontier.node, stream->frontier.n)) {
        return bsim_cuda_return(BSIM_CUDA_MEMORY);
    }
    event->is_recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->time);
    return BSIM_CUDA_SUCCESS;
}

EXPORT int cudaEventRecordWithFlags(struct event *event, const struct stream *stream,
                                    unsigned flags)
{
    return cudaEventRecord(event, stream);
}

/* The stream takes part in the event's capture, and what comes next in it comes behind the event. */
static int join(struct stream *stream, const struct event *event)
{
    pthread_mutex_lock(&lock);
    struct capture *c = find_capture(event->capture);
    if (stream->capture != c->number) {
        bsim_cuda_frontier_clear(&stream->frontier);
    }
    stream->capture = c->number;
    c->is_blocking = c->is_blocking || (stream->flags & NON_BLOCKING) == 0;
    bool has_memory =
        bsim_cuda_frontier_add(&stream->frontier, event->frontier.node, event->frontier.n);
    pthread_mutex_unlock(&lock);
    return bsim_cuda_return(has_memory ? BSIM_CUDA_SUCCESS : BSIM_CUDA_MEMORY);
}

/* An event of one capture is not waited for in another, nor one of before in any. */
EXPORT int cudaStreamWaitEvent(struct stream *stream, const struct event *event, unsigned flags)
{
    if (bsim_cuda_fault() != BSIM_CUDA_SUCCESS) {
        return bsim_cuda_fault();
    }
    struct bsim_cuda_graph *graph;
    pthread_mutex_lock(&lock);
    bool is_captured = find_capture(event->capture) != NULL;
    pthread_mutex_unlock(&lock);
    if (is_captured && (uintptr_t)stream <= 1) {
        return invalidate((struct breach){BSIM_CUDA_CAPTURE_IMPLICIT, is_of_event, event});
    }
    int error = bsim_cuda_find_capture(stream, &graph);
    if (error != BSIM_CUDA_SUCCESS) {
        return error;
    }
    if (graph != NULL && !is_captured) {
        return bsim_cuda_breach(stream, BSIM_CUDA_CAPTURE_ISOLATION);
    }
    if (graph != NULL && event->capture != stream->capture) {
        (void)invalidate((struct breach){BSIM_CUDA_CAPTURE_MERGE, is_of_event, event});
        return bsim_cuda_breach(stream, BSIM_CUDA_CAPTURE_MERGE);
    }
    return is_captured && !is_always_there(stream) ? join(stream, event) : BSIM_CUDA_SUCCESS;
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
    if (start->capture != 0 || end->capture != 0) {
        return bsim_cuda_return(BSIM_CUDA_CAPTURED_EVENT);
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
