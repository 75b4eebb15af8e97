/* work.c - whether a check does the work of another: who reads and writes how much, and whose elements
 * are whose. Where elements lie in shared memory, what arrays they are in and in which order a thread
 * comes to them is no part of it, so that padding, swizzles and other indices leave it as it is.
 *
 * An element is told by who comes to it: "thread 1 writes it, thread 32 reads it". Two checks do the same
 * work if they have the same elements, each as often. Those of global and constant memory have their
 * places besides, as nobody but the kernel's caller lays those out. There may be more barriers, but not
 * fewer. */
#include "base/memory.h"
#include "expr/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHARED, GLOBAL, CONSTANT, N_MEMORIES };
enum { WRITES, READS, UPDATES, N_DEEDS };
enum { MOST_TOUCHES = 1 << 20, MOST_NAMED = 3 };

/* A thread comes to some bytes of one place. */
struct touch {
    uint8_t memory, deed;
    uint32_t thread;
    uint64_t place; /* the array's number among those of its memory's kind, and the byte in it */
    uint64_t times;
};

/* The touches of one place, by what they hash to. */
struct element {
    uint64_t hash;
    size_t first, n;
};

/* What one thread does: bytes, and how many different ones. */
struct share {
    uint64_t bytes[N_MEMORIES][N_DEEDS];
    uint64_t different[N_MEMORIES][N_DEEDS];
};

struct work {
    const struct bsim_check *check;
    size_t n_shared; /* arrays */
    uint32_t unit;   /* bytes of an element: what all accesses are made of */
    uint64_t n_bytes;
    uint32_t repeats;    /* of what stands for several turns, at hand; else 1 */
    uint64_t n_barriers; /* that its block meets at: the most of any warp */
    uint64_t warp_barriers[BSIM_BLOCK_MAX_WARPS];
    struct touch *touch;
    size_t n, capacity;
    struct element *element;
    size_t n_elements;
    struct share *share; /* of each thread of a block */
};

static void free_work(struct work *work)
{
    bsim_mem_free(work->touch);
    bsim_mem_free(work->element);
    bsim_mem_free(work->share);
}

/* ---- what is touched ------------------------------------------------------------------------- */

static enum bsim_status measure(void *context, const struct bsim_check_request *request,
                                struct bsim_error *err)
{
    struct work *work = context;
    (void)err;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            work->unit |= request->offset[lane] | request->opcode.bytes;
            work->n_bytes += request->opcode.bytes;
        }
    }
    return BSIM_OK;
}

static enum bsim_status count_barrier(void *context, size_t site, const struct bsim_event *event,
                                      struct bsim_error *err)
{
    struct work *work = context;
    (void)site;
    (void)err;
    if (event->opcode.family == BSIM_BAR) {
        uint64_t *n = &work->warp_barriers[event->warp];
        *n += work->repeats;
        work->n_barriers = *n > work->n_barriers ? *n : work->n_barriers;
    }
    return BSIM_OK;
}

static enum bsim_status note_repeat(void *context, uint32_t times, struct bsim_error *err)
{
    (void)err;
    ((struct work *)context)->repeats = times > 0 ? times : 1;
    return BSIM_OK;
}

static uint8_t memory_of(uint32_t space)
{
    return space == BSIM_SHARED ? SHARED : space == BSIM_CONST ? CONSTANT : GLOBAL;
}

static uint8_t deed_of(uint32_t does)
{
    return (does & BSIM_UPDATES) != 0 ? UPDATES : (does & BSIM_READS) != 0 ? READS : WRITES;
}

static enum bsim_status note(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct work *work = context;
    struct touch touch = {.memory = memory_of(request->opcode.space),
                          .deed = deed_of(bsim_family_does(request->opcode.family)),
                          .times = request->times};
    (void)err;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((request->lanes >> lane & 1) == 0) {
            continue;
        }
        size_t array = request->array[lane] - (touch.memory == SHARED ? 0 : work->n_shared);
        touch.thread = request->warp * BSIM_WARP_LANES + lane;
        for (uint32_t at = 0; at < request->opcode.bytes; at += work->unit) {
            touch.place = (uint64_t)array << 32 | (request->offset[lane] + at);
            work->touch[work->n++] = touch;
        }
    }
    return BSIM_OK;
}

static int order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_touches(const void *left, const void *right)
{
    const struct touch *a = left, *b = right;
    int by_memory = order(a->memory, b->memory);
    int by_place = by_memory != 0 ? by_memory : order(a->place, b->place);
    int by_deed = by_place != 0 ? by_place : order(a->deed, b->deed);
    return by_deed != 0 ? by_deed : order(a->thread, b->thread);
}

/* Sorted, each once. */
static void merge_touches(struct work *work)
{
    size_t n = 0;
    qsort(work->touch, work->n, sizeof *work->touch, compare_touches);
    for (size_t i = 0; i < work->n; i++) {
        if (n > 0 && compare_touches(&work->touch[n - 1], &work->touch[i]) == 0) {
            work->touch[n - 1].times += work->touch[i].times;
        } else {
            work->touch[n++] = work->touch[i];
        }
    }
    work->n = n;
}

/* ---- elements -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static int compare_elements(const void *left, const void *right)
{
    const struct element *a = left, *b = right;
    int by_hash = order(a->hash, b->hash);
    return by_hash != 0 ? by_hash : order(a->first, b->first);
}

static void add_shares(struct work *work, const struct touch *touch)
{
    struct share *share = &work->share[touch->thread];
    share->bytes[touch->memory][touch->deed] += touch->times * work->unit;
    share->different[touch->memory][touch->deed] += work->unit;
}

static void find_elements(struct work *work)
{
    for (size_t i = 0; i < work->n; i++) {
        const struct touch *touch = &work->touch[i];
        struct element *last = work->n_elements > 0 ? &work->element[work->n_elements - 1] : NULL;
        const struct touch *before = last != NULL ? &work->touch[last->first] : NULL;
        if (before == NULL || before->memory != touch->memory || before->place != touch->place) {
            last = &work->element[work->n_elements++];
            *last = (struct element){.first = i, .hash = mix(1, touch->memory)};
            last->hash = touch->memory == SHARED ? last->hash : mix(last->hash, touch->place);
        }
        last->n++;
        last->hash = mix(mix(last->hash, (uint64_t)touch->thread << 2 | touch->deed), touch->times);
        add_shares(work, touch);
    }
    qsort(work->element, work->n_elements, sizeof *work->element, compare_elements);
}

static enum bsim_status measure_work(const struct bsim_check *check, struct work *work,
                                     struct bsim_error *err)
{
    struct bsim_visitor visitor = {.request = measure,
                                   .other = measure,
                                   .event = count_barrier,
                                   .repeat = note_repeat,
                                   .context = work};
    *work = (struct work){
        .check = check, .n_shared = bsim_check_contents(check)->n_arrays, .repeats = 1};
    return bsim_check_walk(check, &visitor, err);
}

static enum bsim_status find_work(struct work *work, uint32_t unit, struct bsim_error *err)
{
    struct bsim_check_visitor visitor = {.shared = note, .other = note, .context = work};
    uint64_t n = work->n_bytes / unit;
    work->unit = unit;
    if (n > MOST_TOUCHES) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%" PRIu64 " elements are accessed, each access counted: the work of "
                              "at most %d is compared",
                              n, MOST_TOUCHES);
    }
    work->touch = bsim_mem_zeroed(n > 0 ? n : 1, sizeof *work->touch);
    work->element = bsim_mem_zeroed(n > 0 ? n : 1, sizeof *work->element);
    work->share = bsim_mem_zeroed(BSIM_BLOCK_MAX_THREADS, sizeof *work->share);
    if (work->touch == NULL || work->element == NULL || work->share == NULL) {
        return bsim_mem_short(err);
    }
    enum bsim_status status = bsim_check_each(work->check, &visitor, err);
    if (status == BSIM_OK) {
        merge_touches(work);
        find_elements(work);
    }
    return status;
}

/* ---- what is lacking ------------------------------------------------------------------------- */

static const char *const memory_names[N_MEMORIES] = {"shared", "global", "constant"};
static const char *const deed_names[N_DEEDS] = {"write", "read", "add to"};

/* How near one work comes to another. */
enum nearness { OTHER_AMOUNTS, OTHER_REUSE, OTHER_ELEMENTS, FEWER_BARRIERS, SAME };

struct verdict {
    enum nearness nearness;
    size_t n_lacking; /* elements */
    struct bsim_buffer sentence;
};

static void name_thread(const struct bsim_check *check, uint32_t thread, struct bsim_buffer *out)
{
    struct bsim_dim3 place = bsim_dim3_thread(bsim_check_contents(check)->kernel->block, thread);
    bsim_buffer_printf(out, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", place.x, place.y, place.z);
}

/* The first thread whose amounts differ; false: none. */
static bool compare_amounts(const struct work *work, const struct work *wanted, bool are_different,
                            struct bsim_buffer *out)
{
    for (uint32_t i = 0; i < BSIM_BLOCK_MAX_THREADS * N_MEMORIES * N_DEEDS; i++) {
        uint32_t thread = i / (N_MEMORIES * N_DEEDS);
        uint32_t memory = i / N_DEEDS % N_MEMORIES, deed = i % N_DEEDS;
        const struct share *has = &work->share[thread], *due = &wanted->share[thread];
        uint64_t n = are_different ? has->different[memory][deed] : has->bytes[memory][deed];
        uint64_t n_due = are_different ? due->different[memory][deed] : due->bytes[memory][deed];
        if (n != n_due) {
            const char *different = are_different ? "different " : "";
            bsim_buffer_text(out, "thread ");
            name_thread(wanted->check, thread, out);
            bsim_buffer_printf(out, " has to %s %" PRIu64 " %sbytes of %s memory, not %" PRIu64,
                               deed_names[deed], n_due, different, memory_names[memory], n);
            return true;
        }
    }
    return false;
}

/* Of n threads that do one thing: "threads (0,0,0), (1,0,0), (2,0,0) and others read". */
static void name_deed(const struct work *work, const struct touch *touch, size_t n,
                      struct bsim_buffer *out)
{
    bsim_buffer_text(out, n > 1 ? "threads " : "thread ");
    for (size_t i = 0; i < n && i < MOST_NAMED; i++) {
        bool is_last = i > 0 && i + 1 == n;
        bsim_buffer_text(out, is_last ? " and " : i > 0 ? ", " : "");
        name_thread(work->check, touch[i].thread, out);
    }
    bsim_buffer_text(out, n > MOST_NAMED ? " and others " : " ");
    bsim_buffer_text(out, n > 1                    ? deed_names[touch->deed]
                          : touch->deed == UPDATES ? "adds to"
                          : touch->deed == READS   ? "reads"
                                                   : "writes");
    if (touch->times > 1) {
        bsim_buffer_printf(out, " %" PRIu64 " times", touch->times);
    }
}

/* "thread (1,0,0) writes and thread (0,1,0) reads", "only thread (0,0,0) reads" */
static void name_touches(const struct work *work, const struct element *element,
                         struct bsim_buffer *out)
{
    const struct touch *touch = &work->touch[element->first];
    bsim_buffer_text(out, element->n == 1 ? "only " : "");
    for (size_t i = 0, n; i < element->n; i += n) {
        for (n = 1; i + n < element->n && touch[i + n].deed == touch[i].deed; n++) {
        }
        bsim_buffer_text(out, i > 0 ? " and " : "");
        name_deed(work, &touch[i], n, out);
    }
}

/* An element that should be there. */
static void name_element(const struct work *wanted, const struct element *element,
                         struct bsim_buffer *out)
{
    const struct bsim_check_contents *contents = bsim_check_contents(wanted->check);
    const struct touch *touch = &wanted->touch[element->first];
    if (touch->memory == SHARED) {
        bsim_buffer_text(out, "there has to be an element that ");
    } else {
        const struct bsim_check_array *array =
            &contents->array[wanted->n_shared + (touch->place >> 32)];
        bsim_buffer_printf(out, "%s[%" PRIu64 "] has to be what ", array->name,
                           (touch->place & UINT32_MAX) / array->element_bytes);
    }
    name_touches(wanted, element, out);
}

/* How many of the wanted elements are not there; *first is the one that comes first in memory. */
static size_t count_lacking(const struct work *work, const struct work *wanted,
                            const struct element **first)
{
    size_t n = 0, at = 0;
    *first = NULL;
    for (size_t i = 0; i < wanted->n_elements; i++) {
        const struct element *element = &wanted->element[i];
        while (at < work->n_elements && work->element[at].hash < element->hash) {
            at++;
        }
        if (at < work->n_elements && work->element[at].hash == element->hash) {
            at++;
            continue;
        }
        n++;
        *first = *first == NULL || element->first < (*first)->first ? element : *first;
    }
    return n;
}

static void compare(const struct work *work, const struct work *wanted, struct verdict *verdict)
{
    const struct element *first;
    bsim_buffer_clear(&verdict->sentence);
    if (compare_amounts(work, wanted, false, &verdict->sentence)) {
        verdict->nearness = OTHER_AMOUNTS;
    } else if (compare_amounts(work, wanted, true, &verdict->sentence)) {
        verdict->nearness = OTHER_REUSE;
    } else {
        verdict->n_lacking = count_lacking(work, wanted, &first);
        bool meets = work->n_barriers >= wanted->n_barriers;
        verdict->nearness = first != NULL ? OTHER_ELEMENTS : meets ? SAME : FEWER_BARRIERS;
        if (first != NULL) {
            name_element(wanted, first, &verdict->sentence);
        } else if (!meets) {
            bsim_buffer_printf(
                &verdict->sentence, "the block has to come to %" PRIu64 " barrier%s, not %" PRIu64,
                wanted->n_barriers, wanted->n_barriers == 1 ? "" : "s", work->n_barriers);
        }
    }
}

static bool is_nearer(const struct verdict *one, const struct verdict *other)
{
    return one->nearness != other->nearness ? one->nearness > other->nearness
                                            : one->n_lacking <= other->n_lacking;
}

static enum bsim_status compare_with(const struct bsim_check *check,
                                     const struct bsim_check *wanted, struct verdict *verdict,
                                     struct bsim_error *err)
{
    struct work work = {.n = 0}, other = {.n = 0};
    enum bsim_status status = measure_work(check, &work, err);
    if (status == BSIM_OK) {
        status = measure_work(wanted, &other, err);
    }
    if (status == BSIM_OK) {
        uint32_t bits = work.unit | other.unit | 16; /* none accesses more */
        uint32_t unit = bits & (~bits + 1);
        status = find_work(&work, unit, err);
        if (status == BSIM_OK) {
            status = find_work(&other, unit, err);
        }
    }
    if (status == BSIM_OK) {
        compare(&work, &other, verdict);
        status = bsim_buffer_status(&verdict->sentence, err);
    }
    free_work(&work);
    free_work(&other);
    return status;
}

enum bsim_status bsim_check_does_work(const struct bsim_check *check,
                                      const struct bsim_check *const *wanted, size_t n, bool *does,
                                      struct bsim_buffer *lacks, struct bsim_error *err)
{
    struct verdict best = {.nearness = OTHER_AMOUNTS};
    enum bsim_status status = BSIM_OK;
    for (size_t i = 0; i < n && status == BSIM_OK && best.nearness != SAME; i++) {
        struct verdict verdict = {.nearness = OTHER_AMOUNTS};
        status = compare_with(check, wanted[i], &verdict, err);
        if (status == BSIM_OK && (i == 0 || is_nearer(&verdict, &best))) {
            struct verdict worse = best;
            best = verdict;
            verdict = worse;
        }
        bsim_buffer_free(&verdict.sentence);
    }
    *does = status == BSIM_OK && best.nearness == SAME;
    if (status == BSIM_OK && !*does) {
        bsim_buffer_text(lacks, best.sentence.data == NULL ? "" : best.sentence.data);
    }
    bsim_buffer_free(&best.sentence);
    return status == BSIM_OK ? bsim_buffer_status(lacks, err) : status;
}
