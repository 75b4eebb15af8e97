/* traceg_read.c - the reader of Accel-Sim's trace text (.traceg): headers, blocks, warps.
 *
 *     trace   = launch+
 *     launch  = ( "-key = value" )+  "#..."  block+
 *     block   = "#BEGIN_TB"  "thread block = x,y,z"  warp*  "#END_TB"
 *     warp    = "warp = w"  "insts = n"  instruction*n
 *
 * Empty lines stand anywhere. The first '#' ends a header; other lines with '#' are passed over,
 * and so are header keys that are not known and, for the clusters of newer tracers, lines "cluster
 * ... =". Several launches one after the other are a trace of several kernels: `cat
 * kernel-*.traceg`.
 *
 * A warp that has ended (its last instruction with an active lane is EXIT) no longer holds up the
 * barriers of its block: "As threads exit, barriers waiting on all threads are checked ..." (PTX
 * ISA, exit). A stream wants each barrier from each warp, so at the end of a block an ended warp
 * gets those that it did not live to see.
 */
#include "trace/format.h"
#include "model/device.h"
#include "trace/accelsim/traceg.h"

#include "base/memory.h"

#include <banksim/device.h>

#include <inttypes.h>
#include <string.h>

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- what the parts share -------------------------------------------------------------------- */

void bsim_traceg_push(struct bsim_traceg *traceg, struct bsim_record *record)
{
    struct bsim_scan *scan = &traceg->scan;
    if (scan->status == BSIM_OK) {
        record->line = scan->number;
        bsim_scan_check(scan, scan->line,
                        bsim_rules_push(&traceg->rules, traceg->sink, record, scan->err));
    }
}

static void error_here(struct bsim_traceg *traceg, const char *message)
{
    bsim_scan_error(&traceg->scan, bsim_skip_blanks(traceg->scan.line), "%s", message);
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
    const char *start = bsim_skip_blanks(equals + 1);
    const char *end = scan->end;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t')) {
        end--;
    }
    *value = (struct bsim_word){start, (size_t)(end - start)};
    return true;
}

/* X,Y,Z, each from `least` to that of *most. */
static struct bsim_dim3 read_dim3(struct bsim_traceg *traceg, const struct bsim_word *value,
                                  const char *what, uint32_t least, const struct bsim_dim3 *most)
{
    const uint32_t limit[] = {most->x, most->y, most->z};
    uint32_t out[N_OF(limit)];
    const char *p = value->text;
    const char *end = value->text + value->length;
    for (size_t i = 0; i < N_OF(limit); i++) {
        out[i] = (uint32_t)bsim_scan_ranged(&traceg->scan, &p, end, what, least, limit[i]);
        bool fits = i + 1 < N_OF(limit) ? p < end && *p == ',' : p == end;
        if (!fits) {
            bsim_scan_error(&traceg->scan, value->text, "%s is of three: X,Y,Z, not '%.*s'", what,
                            bsim_word_shown(value), value->text);
            return (struct bsim_dim3){least, least, least};
        }
        p++;
    }
    return (struct bsim_dim3){out[0], out[1], out[2]};
}

/* ---- the header ------------------------------------------------------------------------------ */

enum key {
    KEY_NAME,
    KEY_GRID,
    KEY_BLOCK,
    KEY_SHARED,
    KEY_REGISTERS,
    KEY_BINARY,
    KEY_SHARED_BASE,
    KEY_LOCAL_BASE,
    KEY_TRACER,
    KEY_LINES,
};

static const char *const key_name[] = {
    "kernel name",    "grid dim",        "block dim",           "shmem",                   "nregs",
    "binary version", "shmem base_addr", "local mem base_addr", "accelsim tracer version", "enable lineinfo",
};

/* A mangled name is a word; older tracers write what stands in the source, with blanks. What a
 * kernel's name in a trace cannot hold becomes '_'. */
static void read_name(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    char *name = bsim_mem_resize(NULL, value->length + 1, 1);
    if (name == NULL) {
        bsim_scan_no_memory(&traceg->scan);
        return;
    }
    for (size_t i = 0; i < value->length; i++) {
        char c = value->text[i];
        bool fits = c > ' ' && c < 0x7f && c != '#' && c != '=';
        name[i] = fits ? c : '_';
    }
    name[value->length] = '\0';
    traceg->name = name;
    if (value->length == 0) {
        error_here(traceg, "the kernel's name is missing");
    }
}

/* (X,Y,Z) */
static struct bsim_dim3 read_sizes(struct bsim_traceg *traceg, const struct bsim_word *value,
                                   const char *what, const struct bsim_dim3 *most)
{
    if (value->length < 2 || value->text[0] != '(' || value->text[value->length - 1] != ')') {
        bsim_scan_error(&traceg->scan, value->text, "%s is (X,Y,Z), not '%.*s'", what,
                        bsim_word_shown(value), value->text);
        return (struct bsim_dim3){1, 1, 1};
    }
    struct bsim_word inner = {value->text + 1, value->length - 2};
    return read_dim3(traceg, &inner, what, 1, most);
}

static uint64_t read_number(struct bsim_traceg *traceg, const struct bsim_word *value, enum key key,
                            uint64_t most)
{
    return bsim_scan_whole(&traceg->scan, value, key_name[key], 0, most);
}

static void read_value(struct bsim_traceg *traceg, enum key key, const struct bsim_word *value)
{
    struct bsim_scan *scan = &traceg->scan;
    struct bsim_traceg_head *head = &traceg->head;
    struct bsim_kernel *kernel = &head->kernel;
    switch (key) {
    case KEY_NAME:
        read_name(traceg, value);
        break;
    case KEY_GRID:
        kernel->grid = read_sizes(traceg, value, "a grid's shape", &bsim_grid_most);
        break;
    case KEY_BLOCK:
        kernel->block = read_sizes(traceg, value, "a block's shape", &bsim_block_most);
        bsim_scan_check(scan, value->text, bsim_rules_threads(&kernel->block, bsim_scan_err(scan)));
        break;
    case KEY_SHARED:
        kernel->shared_bytes = (uint32_t)read_number(traceg, value, key, BSIM_SHARED_MAX_BYTES);
        kernel->has_shared = true;
        break;
    case KEY_REGISTERS:
        kernel->registers = (uint32_t)read_number(traceg, value, key, BSIM_REGISTERS_MOST);
        break;
    case KEY_BINARY:
        head->binary_version = (uint32_t)read_number(traceg, value, key, UINT32_MAX);
        break;
    case KEY_SHARED_BASE:
        head->shared_base = read_number(traceg, value, key, UINT64_MAX);
        break;
    case KEY_LOCAL_BASE:
        head->local_base = read_number(traceg, value, key, UINT64_MAX);
        break;
    case KEY_TRACER:
        head->tracer_version = (uint32_t)read_number(traceg, value, key, UINT32_MAX);
        break;
    case KEY_LINES:
        head->has_lines = read_number(traceg, value, key, 1) == 1;
        break;
    }
}

/* The kernel at hand, if there is one, can be at its end. */
static void check_kernel_end(struct bsim_traceg *traceg)
{
    if (traceg->in_block) {
        error_here(traceg, "a header line within a thread block: '#END_TB' is missing");
    } else if (traceg->lacks_block) {
        error_here(traceg, "the kernel above has no thread block: the trace was cut short");
    }
}

static void begin_head(struct bsim_traceg *traceg)
{
    traceg->head = (struct bsim_traceg_head){.seen = 0};
    traceg->in_head = true;
}

/* "-key = value" */
static void read_header_line(struct bsim_traceg *traceg, const char *p)
{
    struct bsim_word key;
    struct bsim_word value;
    if (!traceg->in_head) {
        begin_head(traceg);
    }
    if (!split(&traceg->scan, p + 1, &key, &value)) {
        error_here(traceg, "a header line is '-key = value'");
        return;
    }
    size_t i = 0;
    while (i < N_OF(key_name) && !bsim_word_is(&key, key_name[i])) {
        i++;
    }
    if (i == N_OF(key_name)) {
        return;
    }
    if (traceg->head.seen >> i & 1) {
        bsim_scan_error(&traceg->scan, key.text, "'%s' stands twice in the header", key_name[i]);
        return;
    }
    traceg->head.seen |= UINT32_C(1) << i;
    read_value(traceg, (enum key)i, &value);
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

static void check_needed(struct bsim_traceg *traceg)
{
    static const enum key needed[] = {KEY_NAME, KEY_GRID, KEY_BLOCK};
    for (size_t i = 0; i < N_OF(needed); i++) {
        if ((traceg->head.seen >> needed[i] & 1) == 0) {
            bsim_scan_error(&traceg->scan, traceg->scan.line,
                            "the header ends here without a line '-%s = ...'", key_name[needed[i]]);
        }
    }
}

/* The first '#' behind a header. */
static void end_head(struct bsim_traceg *traceg)
{
    check_needed(traceg);
    if (traceg->scan.status != BSIM_OK) {
        return;
    }
    struct bsim_kernel *kernel = make_kernel(traceg);
    const struct bsim_dim3 *grid = &traceg->head.kernel.grid;
    if (kernel == NULL || !bsim_traceg_launch(traceg, (uint64_t)grid->x * grid->y * grid->z)) {
        bsim_mem_free(kernel);
        bsim_scan_no_memory(&traceg->scan);
        return;
    }
    traceg->has_unknown_device |= kernel->device == NULL;
    struct bsim_record record = {.kind = BSIM_RECORD_KERNEL, .u.kernel = kernel};
    bsim_traceg_push(traceg, &record);
    /* The kernel before and its sites are borrowed by the sink until this push. */
    bsim_mem_free(traceg->kernel);
    bsim_sites_clear(&traceg->sites);
    bsim_mem_free(traceg->name);
    traceg->name = NULL;
    traceg->kernel = kernel;
    traceg->in_head = false;
    traceg->lacks_block = true;
}

/* ---- blocks and warps ------------------------------------------------------------------------ */

/* The warp at hand, if there is one, has all of its instructions. */
static void end_warp(struct bsim_traceg *traceg)
{
    if (traceg->has_warp && !traceg->has_count) {
        bsim_scan_error(&traceg->scan, traceg->scan.line,
                        "'insts =' is missing behind 'warp = %" PRIu32 "'", traceg->warp);
    } else if (traceg->has_warp && traceg->insts_left > 0) {
        bsim_scan_error(&traceg->scan, traceg->scan.line,
                        "warp %" PRIu32 " has %" PRIu64 " of its %" PRIu64
                        " instructions: the trace is broken or was cut short",
                        traceg->warp, traceg->insts - traceg->insts_left, traceg->insts);
    }
    traceg->has_warp = false;
    traceg->has_count = false;
}

static void begin_block(struct bsim_traceg *traceg)
{
    if (traceg->kernel == NULL) {
        error_here(traceg, "a thread block without a kernel's header");
    } else if (traceg->in_block) {
        error_here(traceg, "'#BEGIN_TB' within a thread block: '#END_TB' is missing");
    }
    traceg->in_block = true;
    traceg->lacks_block = false;
    traceg->has_place = false;
    traceg->warps_seen = traceg->warps_exited = 0;
}

/* The barriers that a warp did not live to see, as many as the one that leads had more; they stand
 * where its do. */
static void release_barriers(struct bsim_traceg *traceg, uint32_t warp, uint32_t leader)
{
    struct bsim_barriers *barriers = &traceg->rules.barriers;
    uint64_t n = barriers->count[leader] - barriers->count[warp];
    static const struct bsim_opcode barrier = {.family = BSIM_BAR};
    struct bsim_event *event = &traceg->event;
    bsim_event_init(event, &barrier);
    event->warp = warp;
    for (uint64_t i = 0; i < n && traceg->scan.status == BSIM_OK; i++) {
        struct bsim_record record = {.kind = BSIM_RECORD_EVENT, .u.event = event};
        bsim_traceg_push(traceg, &record);
    }
    barriers->count[warp] += n;
    barriers->last[warp] = n > 0 ? barriers->last[leader] : barriers->last[warp];
    traceg->n_released += n;
}

static void end_block(struct bsim_traceg *traceg)
{
    struct bsim_scan *scan = &traceg->scan;
    if (!traceg->in_block || !traceg->has_place) {
        error_here(traceg, "'#END_TB' without a thread block");
        return;
    }
    end_warp(traceg);
    const uint64_t *count = traceg->rules.barriers.count;
    uint32_t leader = 0;
    for (uint32_t w = 1; w < traceg->rules.stream.n_warps; w++) {
        leader = count[w] > count[leader] ? w : leader;
    }
    for (uint32_t w = 0; w < traceg->rules.stream.n_warps; w++) {
        if (traceg->warps_exited >> w & 1) {
            release_barriers(traceg, w, leader);
        }
    }
    traceg->in_block = false;
    traceg->launches[traceg->n_launches - 1].blocks++;
    bsim_scan_check(scan, scan->line,
                    bsim_rules_close_block(&traceg->rules, scan->file, bsim_scan_err(scan)));
}

static void read_hash(struct bsim_traceg *traceg, const char *p)
{
    if (traceg->in_head) {
        end_head(traceg);
    }
    if (starts_with(&traceg->scan, p, "#BEGIN_TB")) {
        begin_block(traceg);
    } else if (starts_with(&traceg->scan, p, "#END_TB")) {
        end_block(traceg);
    }
}

static void read_place(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    if (traceg->has_place) {
        error_here(traceg, "'thread block =' stands twice: '#END_TB' is missing");
    }
    const struct bsim_dim3 *grid = &traceg->kernel->grid;
    struct bsim_dim3 most = {grid->x - 1, grid->y - 1, grid->z - 1};
    traceg->place = read_dim3(traceg, value, "a thread block's place in the grid", 0, &most);
    traceg->has_place = true;
    struct bsim_record record = {.kind = BSIM_RECORD_BLOCK, .u.block = traceg->place};
    bsim_traceg_push(traceg, &record);
}

static void read_warp(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    end_warp(traceg);
    traceg->warp = (uint32_t)bsim_scan_whole(&traceg->scan, value, "the warp", 0,
                                             traceg->rules.stream.n_warps - 1);
    traceg->has_warp = true;
    if (traceg->warps_seen >> traceg->warp & 1) {
        bsim_scan_error(&traceg->scan, value->text,
                        "warp %" PRIu32 " stands twice in the thread block", traceg->warp);
    }
    traceg->warps_seen |= UINT32_C(1) << traceg->warp;
}

static void read_count(struct bsim_traceg *traceg, const struct bsim_word *value)
{
    if (!traceg->has_warp || traceg->has_count) {
        error_here(traceg, "'insts =' without a 'warp =' in front of it");
    }
    traceg->has_count = true;
    traceg->insts = traceg->insts_left =
        bsim_scan_whole(&traceg->scan, value, "the number of instructions", 0, UINT64_MAX);
}

/* The lines between #BEGIN_TB and #END_TB that are no instructions; false for one that is
 * another. */
static bool read_frame(struct bsim_traceg *traceg, const char *p)
{
    static const struct {
        const char *key;
        bool needs_place;
        void (*read)(struct bsim_traceg *traceg, const struct bsim_word *value);
    } frame[] = {{"thread block", false, read_place},
                 {"warp", true, read_warp},
                 {"insts", true, read_count}};
    struct bsim_word key;
    struct bsim_word value;
    if (starts_with(&traceg->scan, p, "cluster ")) {
        return true;
    }
    size_t i = 0;
    bool has_key = split(&traceg->scan, p, &key, &value);
    while (has_key && i < N_OF(frame) && !bsim_word_is(&key, frame[i].key)) {
        i++;
    }
    if (!has_key || i == N_OF(frame)) {
        return false;
    }
    if (!traceg->in_block || (frame[i].needs_place && !traceg->has_place)) {
        bsim_scan_error(&traceg->scan, p, "'%s =' needs %s before it", frame[i].key,
                        traceg->in_block ? "'thread block ='" : "'#BEGIN_TB'");
    } else {
        frame[i].read(traceg, &value);
    }
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void read_line(struct bsim_traceg *traceg)
{
    const char *p = bsim_skip_blanks(traceg->scan.line);
    if (p == traceg->scan.end) {
        return;
    }
    if (*p == '-') {
        if (!traceg->in_head) {
            check_kernel_end(traceg);
        }
        read_header_line(traceg, p);
        return;
    }
    if (*p == '#') {
        read_hash(traceg, p);
        return;
    }
    if (traceg->in_head) {
        error_here(traceg, "a header line begins with '-', and '#' ends the header");
        return;
    }
    bool may_be_frame =
        *p == 't' || *p == 'w' || *p == 'i' || *p == 'c'; /* a PC may begin with c */
    if (!may_be_frame || !read_frame(traceg, p)) {
        traceg->scan.at = p;
        bsim_traceg_instruction(traceg);
    }
}

static void finish(struct bsim_traceg *traceg)
{
    struct bsim_scan *scan = &traceg->scan;
    if (traceg->in_head || traceg->kernel == NULL) {
        bsim_scan_error(scan, scan->at, "the trace was cut short: the header has no end");
    }
    if (traceg->in_block) {
        bsim_scan_error(scan, scan->at, "the trace was cut short: '#END_TB' is missing");
    }
    check_kernel_end(traceg);
    struct bsim_record record = {.kind = BSIM_RECORD_END};
    bsim_traceg_push(traceg, &record);
}

/* The line in which the next piece begins: it must not be within a block of this one. */
static void read_seam(struct bsim_traceg *traceg)
{
    traceg->lacks_block = false;
    if (traceg->in_block) {
        begin_block(traceg);
    }
}

/* ---- the format ------------------------------------------------------------------------------ */

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
    bsim_scan_start(&traceg->scan, err);
    bsim_definition_line(definition, &traceg->scan);
    const char *p = bsim_skip_blanks(definition->data);
    if (*p == '#') {
        end_head(traceg);
    } else {
        read_header_line(traceg, p);
    }
    traceg->lacks_block = false; /* whoever has the header in a piece sees what follows it */
    return traceg->scan.status;
}

static enum bsim_status read_piece(void *reader, const struct bsim_input *input,
                                   struct bsim_piece *piece, struct bsim_error *err)
{
    struct bsim_traceg *traceg = reader;
    bsim_piece_lines(piece, input, &traceg->lines);
    bsim_scan_start(&traceg->scan, err);
    while (bsim_lines_next(&traceg->lines, &traceg->scan)) {
        if (traceg->scan.number == piece->end_place) {
            read_seam(traceg);
            return traceg->scan.status;
        }
        read_line(traceg);
        if (traceg->scan.status != BSIM_OK) {
            break;
        }
    }
    if (traceg->scan.status == BSIM_OK) {
        finish(traceg);
    }
    return traceg->scan.status;
}

struct head_state {
    bool in_head; /* of a kernel, where the scan is */
};

/* #BEGIN_TB may begin a piece; the lines of a header are what every reader must know, and the '#'
 * that ends it. Where no other line does that before the first block, one is made up. */
static enum bsim_scanned take_line(struct bsim_splitter *splitter, const char *line, const char *p,
                                   const char *end, size_t n)
{
    static const char word[] = "#BEGIN_TB";
    struct head_state *state = splitter->state;
    bool is_hash = p < end && *p == '#';
    bool is_head = p < end && *p == '-';
    bool is_block = is_hash && (size_t)(end - p) >= sizeof word - 1 &&
                    memcmp(p, word, sizeof word - 1) == 0;
    enum bsim_scanned scanned = is_block ? bsim_split_block(splitter, n) : BSIM_SCAN_MORE;
    if (scanned != BSIM_SCAN_MORE) {
        return scanned;
    }
    if (is_block && state->in_head) {
        state->in_head = false;
        if (!bsim_split_define(splitter, splitter->place + 1, "#\n", 2)) {
            return BSIM_SCAN_NO_MEMORY;
        }
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
