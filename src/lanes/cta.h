/* cta.h - the hidden half of a running block, and what the files of the lane runtime share:
 *
 *     launch.c    shapes, memory, block after block
 *     cta.c       the stream, failing
 *     arrays.c    shared and local arrays
 *     declared.c  the shared ones, as a trace declares them
 *     access.c    addresses of a warp -> sites and events
 *     masks.c     WHERE and its relatives, barriers, repeats
 *     exchange.c  atomics and shuffles
 */
#ifndef BSIM_LANES_CTA_H
#define BSIM_LANES_CTA_H

#include <banksim/kernel.h>

enum {
    BSIM_CTA_MAX_FRAMES = 16,
    BSIM_CTA_MAX_SHARED = 32,               /* static arrays of one kernel */
    BSIM_CTA_MAX_SHARED_BYTES = 256 * 1024, /* no known GPU has more than 228 KiB */
    BSIM_CTA_SHARED_ALIGNMENT = 16,
    BSIM_CTA_POISON = 0x7f,               /* shared memory that nobody wrote */
    BSIM_CTA_MAX_LOCAL = 8,               /* local arrays of one kernel */
    BSIM_CTA_MAX_LOCAL_BYTES = 16 * 1024, /* of each; a GPU's thread has 512 KiB in all */
    BSIM_CTA_N_REGIONS = 1 + BSIM_LAUNCH_MAX_ARRAYS + BSIM_CTA_MAX_LOCAL,
};

/* Memory that a kernel may touch. Region 0 is the block's shared memory, i + 1 the launch's array
 * i; behind them come local arrays, each with a part for every thread. */
struct bsim_region {
    uintptr_t start;
    size_t size_bytes;
    enum bsim_space space;
    uint64_t address; /* of its first byte, in the trace; of local memory in each thread's window */
    size_t thread_bytes; /* of local memory; else 0 */
};

/* A place as one space sees it, in a ring in order of first use. */
struct bsim_site_node {
    const struct bsim_place *place;
    struct bsim_site_node *next; /* the last one's is the first */
    struct bsim_site site;
    char text[161];
};

struct bsim_declared {
    const struct bsim_place *place;
    unsigned char *memory;
    size_t size_bytes; /* of a local array: of each thread */
    size_t columns;    /* of a shared one of two dimensions; else 0 */
    uint64_t block;    /* serial number of the block that declared it last, from 1 */
};

/* Open braces of WHERE and its relatives. A closed WHERE stays in its slot for OTHERWISE. */
struct bsim_frame {
    enum bsim_frame_kind kind;
    enum { BSIM_FRAME_TESTS, BSIM_FRAME_RUNS, BSIM_FRAME_LEAVES } next;
    bool closed;
    const char *file;
    uint32_t line;
    uint32_t saved[BSIM_BLOCK_MAX_WARPS]; /* active at the opening brace */
    uint32_t rest[BSIM_BLOCK_MAX_WARPS];  /* of those, who did not meet the condition */
};

struct bsim_cta_state {
    struct bsim_cta cta;
    const struct bsim_launch *launch;
    const struct bsim_sink *sink;
    struct bsim_error *err;
    enum bsim_status status;
    /* The stream. */
    struct bsim_kernel kernel;
    struct bsim_buffer extras; /* of the kernel */
    bool kernel_pushed, block_pushed;
    uint64_t block_number; /* from 1 */
    struct bsim_event event;
    struct bsim_from from; /* of a copy under way */
    uint32_t n_sites;
    struct bsim_site_node *site;      /* the one used last */
    struct bsim_site_node *last_site; /* the newest; the ring's end */
    /* Memory. */
    unsigned char *shared;
    size_t shared_static_bytes;
    const struct bsim_place *dynamic; /* where the dynamic array is declared first, or NULL */
    uint64_t dynamic_block; /* number of the block that declared it last */
    size_t n_declared;
    struct bsim_declared declared[BSIM_CTA_MAX_SHARED];
    size_t n_local;
    struct bsim_declared local[BSIM_CTA_MAX_LOCAL];
    uint64_t local_window; /* bytes of a thread's window that are taken */
    struct bsim_region region[BSIM_CTA_N_REGIONS];
    size_t n_regions;
    size_t region_hit; /* the one that the last address lay in */
    /* Masks. */
    uint32_t full[BSIM_BLOCK_MAX_WARPS]; /* lanes that exist */
    size_t depth;
    struct bsim_frame frame[BSIM_CTA_MAX_FRAMES];
};

/* Ends the launch with a fault of the kernel's at file:line: from here on no thread is active. Only
 * the first failure counts. Returns false, for functions that tell whether to go on. */
bool bsim_cta_fault(struct bsim_cta *cta, const char *file, uint32_t line, const char *format, ...)
    BSIM_PRINTF(4, 5);

/* Ends the launch with a status that is already in the launch's error, or BSIM_E_MEMORY's. */
bool bsim_cta_stop(struct bsim_cta *cta, enum bsim_status status);

/* Pushes the KERNEL and BLOCK records if they are still due; shared memory's layout is final then.
 * False once the launch has failed. */
bool bsim_cta_open(struct bsim_cta *cta);

/* Opens, then pushes record; a sink's refusal without a place gets file:line. */
bool bsim_cta_push(struct bsim_cta *cta, const struct bsim_record *record, const char *file,
                   uint32_t line);

/* The same for an event. */
bool bsim_cta_push_event(struct bsim_cta *cta, const struct bsim_event *event, const char *file,
                         uint32_t line);

/* The site of place for accesses to space, made and pushed if it is new; NULL on failure. */
const struct bsim_site *bsim_cta_site(struct bsim_cta *cta, const struct bsim_place *place,
                                      enum bsim_space space);
void bsim_cta_free_sites(struct bsim_cta_state *state);

/* Where the dynamic array begins: behind the static ones. */
size_t bsim_cta_dynamic_offset(const struct bsim_cta_state *state);

/* Appends "x-shared=..." as traces have it (traces/FORMAT.md); nothing without shared arrays. */
void bsim_cta_put_arrays(const struct bsim_cta_state *state, struct bsim_buffer *out);

void bsim_cta_free_local(struct bsim_cta_state *state);

/* bsim_warp_access of a place that is no shuffle. */
bool bsim_cta_access(struct bsim_cta *cta, const struct bsim_place *place, uint32_t warp);

/* True if any thread is active. */
bool bsim_cta_any_active(const struct bsim_cta *cta);

/* Fails the launch if the block ended within open braces. */
void bsim_cta_check_closed(struct bsim_cta *cta);

#endif
