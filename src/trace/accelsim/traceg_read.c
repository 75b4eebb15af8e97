/* traceg_read.c - the reader of Accel-Sim's trace text (.traceg): headers, blocks, warps.
 *
 *     trace   = launch+
 *     launch  = ( "-key = value" )+  "#..."  block+
 *     block   = "#BEGIN_TB"  "thread block = x,y,z"  warp*  "#END_TB"
 *     warp    = "warp = w"  "insts = n"  instruction*n
 *
 * Empty lines stand anywhere. The first '#' ends a header; other lines with '#' are passed over, and
 * so are header keys that are not known and, for the clusters of newer tracers, lines "cluster ... =".
 * Several launches one after the other are a trace of several kernels: `cat kernel-*.traceg`.
 *
 * A warp that has ended (its last instruction with an active lane is EXIT) no longer holds up the
 * barriers of its block: "As threads exit, barriers waiting on all threads are checked ..." (PTX ISA,
 * exit). A stream wants each barrier from each warp, so at the end of a block an ended warp gets those
 * that it did not live to see.
 */
#include "trace/format.h"
#include "trace/accelsim/traceg.h"

#include "base/memory.h"

#include <banksim/device.h>

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- what the parts share ---------------------------------------------------------------------- */

enum bsim_status bsim_traceg_place(struct bsim_traceg *traceg, const char *where,
                                   enum bsim_status status)
{
    const struct bsim_scan *scan = &traceg->scan;
    if (status != BSIM_OK) {
        bsim_error_place(traceg->err, scan->file, scan->number, (uint32_t)(where - scan->line + 1),
                         scan->line, (size_t)(scan->end - scan->line));
    }
    return status;
}

enum bsim_status bsim_traceg_push(struct bsim_traceg *traceg, struct bsim_record *record)
{
    record->line = traceg->scan.number;
    enum bsim_status status = traceg->sink->push(traceg->sink->context, record, traceg->err);
    return bsim_traceg_place(traceg, traceg->scan.line, status);
}

enum bsim_status bsim_traceg_no_memory(struct bsim_traceg *traceg)
{
    (void)bsim_error_set(traceg->err, BSIM_E_MEMORY, "out of memory");
    bsim_error_place(traceg->err, traceg->scan.file, traceg->scan.number, 0, NULL, 0);
    return BSIM_E_MEMORY;
}

static const char *skip_blanks(const char *p)
{
    while (*p == ' ' || *p == '\t') {
        p++;
    }
    return p;
}

static enum bsim_status error_here(struct bsim_traceg *traceg, const char *message)
{
    return bsim_scan_error(&traceg->scan, skip_blanks(traceg->scan.line), traceg->err, "%s",
                           message);
}

static bool starts_with(const struct bsim_scan *scan, const char *at, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(scan->end - at) >= length && memcmp(at, word, length) == 0;
}

/* "key = value" from `at` on; both without blanks around. False if there is no '='. */
static bool split(const struct bsim_scan *scan, const char *at, struct bsim_word *key,
                  struct bsim_word *value)
{
    const char *equals = memchr(at, '=', (size_t)(scan->end - at));
    if (equals == NULL) {
        return false;
    }
    const char *key_end = equals;
    while (key_end > at && (key_end[-1] == ' ' || key_end[-1] == '\t')) {
        key_end--;
    }
    *key = (struct bsim_word){at, (size_t)(key_end - at)};
    const char *start = skip_blanks(equals + 1);
    const char *end = scan->end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    *value = (struct bsim_word){start, (size_t)(end - start)};
    return true;
}

/* X,Y,Z, each from `least` to that of *most. */
static enum bsim_status read_dim3(struct bsim_traceg *traceg, const struct bsim_word *value,
                                  const char *what, uint32_t least, const struct bsim_dim3 *most,
                                  struct bsim_dim3 *dim)
{
    const uint32_t limit[] = {most->x, most->y, most->z};
    uint32_t *const out[] = {&dim->x, &dim->y, &dim->z};
    const char *p = value->text;
    const char *end = value->text + value->length;
    for (size_t i = 0; i < N_OF(limit); i++) {
        uint64_t number;
        enum bsim_status status =
            bsim_scan_ranged(&traceg->scan, &p, end, what, least, limit[i], &number, traceg->err);
        if (status != BSIM_OK) {
            return status;
        }
        *out[i] = (uint32_t)number;
        bool fits = i + 1 < N_OF(limit) ? p < end && *p == ',' : p == end;
        if (!fits) {
            return bsim_scan_error(&traceg->scan, value->text, traceg->err,
                                   "%s is of three: X,Y,Z, not '%.*s'", what,
                                   bsim_word_shown(value), value->text);
        }
        p++;
    }
    return BSIM_OK;
}

/* ---- the header -------------------------------------------------------------------------------- */

enum key {
    KEY_NAME,
    KEY_GRID,
    KEY_BLOCK,
    KEY_SHARED,
    KEY_BINARY,
    KEY_SHARED_BASE,
    KEY_LOCAL_BASE,
    KEY_TRACER,
    KEY_LINES,
};

static const char *const key_name[] = {
    "kernel name",     "grid dim",        "block dim",           "shmem",
    "binary version",  "shmem base_addr", "local mem base_addr", "accelsim tracer version",
    "enable lineinfo",
};

/* A mangled name is a word; older tracers write what stands in the source, with blanks. What a
 * kernel's name in a trace cannot hold becomes '_'. */
static enum bsim_status read_name(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    char *name = bsim_mem_resize(NULL, value->length + 1, 1);
    if (name == NULL) {
        return bsim_traceg_no_memory(traceg);
    }
    for (size_t i = 0; i < value->length; i++) {
        char c = value->text[i];
        bool fits = c > ' ' && c < 0x7f && c != '#' && c != '=';
        name[i] = fits ? c : '_';
    }
    name[value->length] = '\0';
    traceg->name = name;
    return BSIM_OK;
}

/* (X,Y,Z) */
static enum bsim_status read_sizes(struct bsim_traceg *traceg, const struct bsim_word *value,
                                   const char *what, const struct bsim_dim3 *most,
                                   struct bsim_dim3 *dim)
{
    if (value->length < 2 || value->text[0] != '(' || value->text[value->length - 1] != ')') {
        return bsim_scan_error(&traceg->scan, value->text, traceg->err, "%s is (X,Y,Z), not '%.*s'",
                               what, bsim_word_shown(value), value->text);
    }
    struct bsim_word inner = {value->text + 1, value->length - 2};
    return read_dim3(traceg, &inner, what, 1, most, dim);
}

static enum bsim_status read_number(struct bsim_traceg *traceg, const struct bsim_word *value,
                                    enum key key, uint64_t most, uint64_t *number)
{
    return bsim_scan_whole(&traceg->scan, value, key_name[key], 0, most, number, traceg->err);
}

static enum bsim_status read_block_shape(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    struct bsim_dim3 *block = &traceg->head.kernel.block;
    enum bsim_status status = read_sizes(traceg, value, "a block's shape", &bsim_block_most, block);
    return status == BSIM_OK
               ? bsim_traceg_place(traceg, value->text, bsim_rules_threads(block, traceg->err))
               : status;
}

static enum bsim_status read_value(struct bsim_traceg *traceg, enum key key,
                                   const struct bsim_word *value)
{
    struct bsim_traceg_head *head = &traceg->head;
    uint64_t number = 0;
    enum bsim_status status = BSIM_OK;
    switch (key) {
    case KEY_NAME:
        return value->length > 0 ? read_name(traceg, value)
                                 : error_here(traceg, "the kernel's name is missing");
    case KEY_GRID:
        return read_sizes(traceg, value, "a grid's shape", &bsim_grid_most, &head->kernel.grid);
    case KEY_BLOCK:
        return read_block_shape(traceg, value);
    case KEY_SHARED:
        status = read_number(traceg, value, key, BSIM_SHARED_MAX_BYTES, &number);
        head->kernel.shared_bytes = (uint32_t)number;
        head->kernel.has_shared = true;
        return status;
    case KEY_BINARY:
        status = read_number(traceg, value, key, UINT32_MAX, &number);
        head->binary_version = (uint32_t)number;
        return status;
    case KEY_SHARED_BASE:
        return read_number(traceg, value, key, UINT64_MAX, &head->shared_base);
    case KEY_LOCAL_BASE:
        return read_number(traceg, value, key, UINT64_MAX, &head->local_base);
    case KEY_TRACER:
        status = read_number(traceg, value, key, UINT32_MAX, &number);
        head->tracer_version = (uint32_t)number;
        return status;
    case KEY_LINES:
        status = read_number(traceg, value, key, 1, &number);
        head->has_lines = number == 1;
        return status;
    }
    return status;
}

/* The kernel at hand, if there is one, can be at its end. */
static enum bsim_status check_kernel_end(struct bsim_traceg *traceg)
{
    if (traceg->in_block) {
        return error_here(traceg, "a header line within a thread block: '#END_TB' is missing");
    }
    return traceg->lacks_block
               ? error_here(traceg, "the kernel above has no thread block: the trace was cut short")
               : BSIM_OK;
}

static void begin_head(struct bsim_traceg *traceg)
{
    traceg->head = (struct bsim_traceg_head){.seen = 0};
    traceg->in_head = true;
}

/* "-key = value" */
static enum bsim_status read_header_line(struct bsim_traceg *traceg, const char *p)
{
    struct bsim_word key;
    struct bsim_word value;
    if (!traceg->in_head) {
        begin_head(traceg);
    }
    if (!split(&traceg->scan, p + 1, &key, &value)) {
        return error_here(traceg, "a header line is '-key = value'");
    }
    for (size_t i = 0; i < N_OF(key_name); i++) {
        if (!bsim_word_is(&key, key_name[i])) {
            continue;
        }
        if (traceg->head.seen >> i & 1) {
            return bsim_scan_error(&traceg->scan, key.text, traceg->err,
                                   "'%s' stands twice in the header", key_name[i]);
        }
        traceg->head.seen |= UINT32_C(1) << i;
        return read_value(traceg, (enum key)i, &value);
    }
    return BSIM_OK;
}

/* The kernel and its name in one piece of memory. */
static struct bsim_kernel *make_kernel(const struct bsim_traceg *traceg)
{
    size_t size = strlen(traceg->name) + 1;
    struct bsim_kernel *kernel = bsim_mem_resize(NULL, sizeof *kernel + size, 1);
    if (kernel == NULL) {
        return NULL;
    }
    *kernel = traceg->head.kernel;
    kernel->name = memcpy(kernel + 1, traceg->name, size);
    kernel->device = bsim_device_of_compute(traceg->head.binary_version);
    kernel->extras = "";
    kernel->is_machine_code = true;
    return kernel;
}

/* The first '#' behind a header. */
static enum bsim_status end_head(struct bsim_traceg *traceg)
{
    static const enum key needed[] = {KEY_NAME, KEY_GRID, KEY_BLOCK};
    for (size_t i = 0; i < N_OF(needed); i++) {
        if ((traceg->head.seen >> needed[i] & 1) == 0) {
            return bsim_scan_error(&traceg->scan, traceg->scan.line, traceg->err,
                                   "the header ends here without a line '-%s = ...'",
                                   key_name[needed[i]]);
        }
    }
    struct bsim_kernel *kernel = make_kernel(traceg);
    if (kernel == NULL) {
        return bsim_traceg_no_memory(traceg);
    }
    const struct bsim_dim3 *grid = &kernel->grid;
    if (!bsim_traceg_launch(traceg, (uint64_t)grid->x * grid->y * grid->z)) {
        bsim_mem_free(kernel);
        return bsim_traceg_no_memory(traceg);
    }
    traceg->has_unknown_device |= kernel->device == NULL;
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = kernel};
    enum bsim_status status = bsim_traceg_push(traceg, &record);
    /* The kernel before and its sites are borrowed by the sink until this push. */
    bsim_mem_free(traceg->kernel);
    bsim_sites_clear(&traceg->sites);
    bsim_mem_free(traceg->name);
    traceg->name = NULL;
    traceg->kernel = kernel;
    traceg->in_head = false;
    traceg->lacks_block = true;
    bsim_rules_kernel(&traceg->rules, kernel);
    return status;
}

/* ---- blocks and warps ------------------------------------------------------------------------------ */

/* The warp at hand has all of its instructions. */
static enum bsim_status end_warp(struct bsim_traceg *traceg)
{
    if (!traceg->has_warp) {
        return BSIM_OK;
    }
    if (!traceg->has_count) {
        return bsim_scan_error(&traceg->scan, traceg->scan.line, traceg->err,
                               "'insts =' is missing behind 'warp = %" PRIu32 "'", traceg->warp);
    }
    if (traceg->insts_left > 0) {
        return bsim_scan_error(&traceg->scan, traceg->scan.line, traceg->err,
                               "warp %" PRIu32 " has %" PRIu64 " of its %" PRIu64
                               " instructions: the trace is broken or was cut short",
                               traceg->warp, traceg->insts - traceg->insts_left, traceg->insts);
    }
    traceg->has_warp = false;
    traceg->has_count = false;
    return BSIM_OK;
}

static enum bsim_status begin_block(struct bsim_traceg *traceg)
{
    if (traceg->kernel == NULL) {
        return error_here(traceg, "a thread block without a kernel's header");
    }
    if (traceg->in_block) {
        return error_here(traceg, "'#BEGIN_TB' within a thread block: '#END_TB' is missing");
    }
    traceg->in_block = true;
    traceg->lacks_block = false;
    traceg->has_place = false;
    traceg->warps_seen = traceg->warps_exited = 0;
    return BSIM_OK;
}

/* The barriers that a warp did not live to see, as many as the one that leads had more; they stand
 * where its do. */
static enum bsim_status release_barriers(struct bsim_traceg *traceg, uint32_t warp, uint32_t leader)
{
    struct bsim_barriers *barriers = &traceg->rules.barriers;
    uint64_t n = barriers->count[leader] - barriers->count[warp];
    static const struct bsim_opcode barrier = {.family = BSIM_BAR};
    struct bsim_event *event = &traceg->event;
    enum bsim_status status = BSIM_OK;
    bsim_event_init(event, &barrier);
    event->warp = warp;
    for (uint64_t i = 0; i < n && status == BSIM_OK; i++) {
        struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = event};
        status = bsim_traceg_push(traceg, &record);
    }
    barriers->count[warp] += n;
    barriers->last[warp] = n > 0 ? barriers->last[leader] : barriers->last[warp];
    traceg->n_released += n;
    return status;
}

static enum bsim_status end_block(struct bsim_traceg *traceg)
{
    if (!traceg->in_block || !traceg->has_place) {
        return error_here(traceg, "'#END_TB' without a thread block");
    }
    enum bsim_status status = end_warp(traceg);
    const uint64_t *count = traceg->rules.barriers.count;
    uint32_t leader = 0;
    for (uint32_t w = 1; w < traceg->rules.n_warps; w++) {
        leader = count[w] > count[leader] ? w : leader;
    }
    for (uint32_t w = 0; w < traceg->rules.n_warps && status == BSIM_OK; w++) {
        if (traceg->warps_exited >> w & 1) {
            status = release_barriers(traceg, w, leader);
        }
    }
    traceg->in_block = false;
    traceg->launches[traceg->n_launches - 1].blocks++;
    return status == BSIM_OK
               ? bsim_rules_close_block(&traceg->rules, traceg->scan.file, traceg->err)
               : status;
}

static enum bsim_status read_hash(struct bsim_traceg *traceg, const char *p)
{
    enum bsim_status status = traceg->in_head ? end_head(traceg) : BSIM_OK;
    if (status != BSIM_OK) {
        return status;
    }
    if (starts_with(&traceg->scan, p, "#BEGIN_TB")) {
        return begin_block(traceg);
    }
    return starts_with(&traceg->scan, p, "#END_TB") ? end_block(traceg) : BSIM_OK;
}

static enum bsim_status read_place(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    if (traceg->has_place) {
        return error_here(traceg, "'thread block =' stands twice: '#END_TB' is missing");
    }
    const struct bsim_dim3 *grid = &traceg->kernel->grid;
    struct bsim_dim3 most = {grid->x - 1, grid->y - 1, grid->z - 1};
    enum bsim_status status =
        read_dim3(traceg, value, "a thread block's place in the grid", 0, &most, &traceg->place);
    if (status != BSIM_OK) {
        return status;
    }
    traceg->has_place = true;
    bsim_rules_block(&traceg->rules);
    struct bsim_record record = {.kind = BSIM_RECORD_BLOCK, .u.block = traceg->place};
    return bsim_traceg_push(traceg, &record);
}

static enum bsim_status read_warp(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    uint64_t warp = 0;
    enum bsim_status status = end_warp(traceg);
    if (status == BSIM_OK) {
        status = bsim_scan_whole(&traceg->scan, value, "the warp", 0, traceg->rules.n_warps - 1,
                                 &warp, traceg->err);
    }
    if (status != BSIM_OK) {
        return status;
    }
    if (traceg->warps_seen >> warp & 1) {
        return bsim_scan_error(&traceg->scan, value->text, traceg->err,
                               "warp %" PRIu64 " stands twice in the thread block", warp);
    }
    traceg->warps_seen |= UINT32_C(1) << warp;
    traceg->warp = (uint32_t)warp;
    traceg->has_warp = true;
    return BSIM_OK;
}

static enum bsim_status read_count(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    if (!traceg->has_warp || traceg->has_count) {
        return error_here(traceg, "'insts =' without a 'warp =' in front of it");
    }
    traceg->has_count = true;
    enum bsim_status status = bsim_scan_whole(&traceg->scan, value, "the number of instructions", 0,
                                              UINT64_MAX, &traceg->insts, traceg->err);
    traceg->insts_left = traceg->insts;
    return status;
}

/* The lines between #BEGIN_TB and #END_TB that are no instructions; *is_frame says whether this is
 * one. */
static enum bsim_status read_frame(struct bsim_traceg *traceg, const char *p, bool *is_frame)
{
    static const struct {
        const char *key;
        bool needs_place;
        enum bsim_status (*read)(struct bsim_traceg *traceg, const struct bsim_word *value);
    } frame[] = {{"thread block", false, read_place},
                 {"warp", true, read_warp},
                 {"insts", true, read_count}};
    struct bsim_word key;
    struct bsim_word value;
    *is_frame = starts_with(&traceg->scan, p, "cluster ");
    if (*is_frame || !split(&traceg->scan, p, &key, &value)) {
        return BSIM_OK;
    }
    for (size_t i = 0; i < N_OF(frame); i++) {
        if (!bsim_word_is(&key, frame[i].key)) {
            continue;
        }
        *is_frame = true;
        if (!traceg->in_block || (frame[i].needs_place && !traceg->has_place)) {
            return bsim_scan_error(&traceg->scan, p, traceg->err, "'%s =' needs %s before it",
                                   frame[i].key,
                                   traceg->in_block ? "'thread block ='" : "'#BEGIN_TB'");
        }
        return frame[i].read(traceg, &value);
    }
    return BSIM_OK;
}

/* ---- the whole ------------------------------------------------------------------------------------- */

static enum bsim_status read_line(struct bsim_traceg *traceg)
{
    const char *p = skip_blanks(traceg->scan.line);
    bool is_frame = false;
    enum bsim_status status = BSIM_OK;
    if (p == traceg->scan.end) {
        return BSIM_OK;
    }
    if (*p == '-') {
        status = traceg->in_head ? BSIM_OK : check_kernel_end(traceg);
        return status == BSIM_OK ? read_header_line(traceg, p) : status;
    }
    if (*p == '#') {
        return read_hash(traceg, p);
    }
    if (traceg->in_head) {
        return error_here(traceg, "a header line begins with '-', and '#' ends the header");
    }
    if (*p == 't' || *p == 'w' || *p == 'i' || *p == 'c') { /* a PC may begin with c */
        status = read_frame(traceg, p, &is_frame);
    }
    if (status != BSIM_OK || is_frame) {
        return status;
    }
    traceg->scan.at = p;
    return bsim_traceg_instruction(traceg);
}

static enum bsim_status finish(struct bsim_traceg *traceg)
{
    const struct bsim_scan *scan = &traceg->scan;
    if (traceg->in_head || traceg->kernel == NULL) {
        return bsim_scan_error(scan, scan->at, traceg->err,
                               "the trace was cut short: the header has no end");
    }
    if (traceg->in_block) {
        return bsim_scan_error(scan, scan->at, traceg->err,
                               "the trace was cut short: '#END_TB' is missing");
    }
    enum bsim_status status = check_kernel_end(traceg);
    if (status != BSIM_OK) {
        return status;
    }
    struct bsim_record record = {.kind = BSIM_RECORD_END};
    return bsim_traceg_push(traceg, &record);
}

/* The line in which the next piece begins: it must not be within a block of this one. */
static enum bsim_status read_seam(struct bsim_traceg *traceg)
{
    traceg->lacks_block = false;
    return traceg->in_block ? begin_block(traceg) : BSIM_OK;
}

/* ---- the format ------------------------------------------------------------------------------------ */

static void *open_traceg(const struct bsim_input *input, const struct bsim_sink *sink)
{
    struct bsim_traceg *traceg = bsim_mem_zeroed(1, sizeof *traceg);
    if (traceg == NULL || bsim_lines_open(&traceg->lines, input, NULL) != BSIM_OK) {
        bsim_mem_free(traceg);
        return NULL;
    }
    traceg->input = input;
    traceg->sink = sink;
    traceg->scan.file = input->name;
    return traceg;
}

static void close_traceg(void *reader)
{
    struct bsim_traceg *traceg = reader;
    if (traceg != NULL) {
        bsim_lines_close(&traceg->lines);
        bsim_sites_clear(&traceg->sites);
        bsim_traceg_opcodes_clear(&traceg->opcodes);
        bsim_mem_free(traceg->launches);
        bsim_mem_free(traceg->name);
        bsim_mem_free(traceg->kernel);
        bsim_mem_free(traceg);
    }
}

static enum bsim_status define(void *reader, const struct bsim_definition *definition,
                               struct bsim_error *err)
{
    struct bsim_traceg *traceg = reader;
    traceg->err = err;
    bsim_definition_line(definition, &traceg->scan);
    const char *p = skip_blanks(definition->data);
    enum bsim_status status = *p == '#' ? end_head(traceg) : read_header_line(traceg, p);
    traceg->lacks_block = false; /* whoever has the header in a piece sees what follows it */
    return status;
}

static enum bsim_status read_piece(void *reader, const struct bsim_input *input,
                                   struct bsim_piece *piece, struct bsim_error *err)
{
    struct bsim_traceg *traceg = reader;
    bsim_piece_lines(piece, input, &traceg->lines);
    traceg->err = err;
    for (;;) {
        bool found;
        enum bsim_status status = bsim_lines_next(&traceg->lines, &traceg->scan, &found, err);
        bool is_seam = found && traceg->scan.number == piece->end_place;
        if (status == BSIM_OK) {
            status = is_seam ? read_seam(traceg) : found ? read_line(traceg) : finish(traceg);
        }
        if (status != BSIM_OK || !found || is_seam) {
            return status;
        }
    }
}

struct head_state {
    bool in_head; /* of a kernel, where the scan is */
};

/* #BEGIN_TB may begin a piece; the lines of a header are what every reader must know. The '#' that ends a
 * header belongs to it, even if it begins a block. */
static enum bsim_scanned take_line(struct bsim_splitter *splitter, const char *line, const char *p,
                                   const char *end, size_t n)
{
    static const char word[] = "#BEGIN_TB";
    struct head_state *state = splitter->state;
    bool is_hash = p < end && *p == '#';
    bool is_head = p < end && *p == '-';
    bool is_block = is_hash && (size_t)(end - p) >= sizeof word - 1 &&
                    memcmp(p, word, sizeof word - 1) == 0 && !state->in_head;
    enum bsim_scanned scanned = is_block ? bsim_split_block(splitter, n) : BSIM_SCAN_MORE;
    if (scanned != BSIM_SCAN_MORE) {
        return scanned;
    }
    bool defines = is_head || (is_hash && state->in_head);
    state->in_head = is_head || (state->in_head && !is_hash);
    return bsim_split_line(splitter, line, n, defines);
}

/* A line is usual that begins with a digit or a letter. */
static enum bsim_scanned scan(struct bsim_splitter *splitter, struct bsim_piece *piece)
{
    return bsim_split_lines(splitter, piece, '0', take_line);
}

/* What Accel-Sim's tracer writes begins with a header line, "-kernel name = ...". */
static bool recognises(const char *head, size_t n)
{
    size_t i = 0;
    while (i < n && (head[i] == '\n' || head[i] == '\r' || head[i] == ' ' || head[i] == '\t')) {
        i++;
    }
    return i < n && head[i] == '-';
}

const struct bsim_format bsim_traceg_format = {
    .recognises = recognises,
    .splitter_state_bytes = sizeof(struct head_state),
    .first_word = "#BEGIN_TB",
    .scan = scan,
    .open = open_traceg,
    .define = define,
    .piece = read_piece,
    .add = bsim_traceg_add,
    .remark = bsim_traceg_remarks,
    .close = close_traceg,
};
