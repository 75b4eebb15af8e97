/* site.c - which accesses of the code are one site of a report.
 *
 * A site is what a user would mend at one place: the accesses of one source line that are the same
 * instruction, start from one base address (in global memory, or where there are more than a few: lead
 * into one array), and are merged alike. So the copies that a compiler makes
 * of a line when it unrolls a loop are one row, and the two operands of a product are two:
 *
 *     sum += As[ty][k] * Bs[k][tx];      8 times ld.shared.f32 [%r5+..] from As, a site
 *                                        8 times ld.shared.f32 [%r9+..] from Bs, another
 *
 * In machine code a register holds now one address, now another: each instruction of a line is one of them.
 *
 * Sites are numbered by file (in the order in which they come in the code), line, and place in the
 * code. A generic access has three, one behind the other: it says when it runs which space it means.
 */
#include "ptx/steps.h"

#include "base/memory.h"
#include "ptx/source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step's access, and what makes it one with others. */
struct entry {
    struct bsim_ptx_step *step;
    const char *file;
    uint32_t line;
    uint32_t file_number; /* in the order of the code */
    uint32_t first;       /* of the group, the first step */
    uint32_t own;         /* of machine code: which instruction of its line it is; its registers hold now one address, now another */
    struct bsim_opcode opcode;
};

struct sites {
    struct bsim_arena *arena;
    struct bsim_ptx_program *program;
    struct bsim_ptx_sources sources;
    struct entry *entry;
    uint32_t n;
};

static bool is_generic(const struct entry *entry)
{
    return entry->step->access->space == BSIM_PTX_NO_SPACE && bsim_opcode_is_access(&entry->opcode);
}

/* ---- order ----------------------------------------------------------------------------------- */

static int order_of(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

static int by_array(const struct bsim_ptx_symbol *a, const struct bsim_ptx_symbol *b)
{
    return a == b ? 0 : a == NULL ? -1 : b == NULL ? 1 : strcmp(a->name, b->name);
}

/* 0: of one site, as far as base addresses do not tell them apart. */
static int by_kind(const struct entry *a, const struct entry *b)
{
    const struct bsim_ptx_access *x = a->step->access, *y = b->step->access;
    int order = order_of(a->file_number, b->file_number);
    order = order != 0 ? order : order_of(a->line, b->line);
    order = order != 0 ? order : memcmp(&a->opcode, &b->opcode, sizeof a->opcode);
    order = order != 0 ? order : order_of(is_generic(a), is_generic(b));
    order = order != 0 ? order : order_of(x->reaches_peers, y->reaches_peers);
    order = order != 0 ? order : order_of(x->merged, y->merged);
    order = order != 0 ? order : order_of(x->may_merge, y->may_merge);
    order = order != 0 ? order : order_of(x->may_drop, y->may_drop);
    order = order != 0 ? order : order_of(x->may_add, y->may_add);
    order = order != 0 ? order : order_of(x->is_chance, y->is_chance);
    return order != 0 ? order : by_array(x->array, y->array);
}

/* In shared memory the register that addresses begin at says more than the array, into which a line may
 * reach in two ways. In global memory a compiler has a register for each row. */
static int by_base(const struct entry *a, const struct entry *b)
{
    const struct bsim_ptx_access *x = a->step->access, *y = b->step->access;
    bool is_one = x->opcode.space == BSIM_GLOBAL && x->array != NULL;
    return is_one ? 0 : a->own != b->own ? order_of(a->own, b->own) : order_of(x->root, y->root);
}

static int compare_kinds(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = by_kind(x, y);
    order = order != 0 ? order : by_base(x, y);
    return order != 0 ? order : x->step < y->step ? -1 : x->step > y->step;
}

static int compare_places(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = order_of(x->file_number, y->file_number);
    order = order != 0 ? order : order_of(x->line, y->line);
    order = order != 0 ? order : order_of(x->first, y->first);
    return order != 0 ? order : x->step < y->step ? -1 : x->step > y->step;
}

/* A line that reaches into one array from more base addresses than somebody writes down is a loop that
 * was unrolled: they are one then. */
static void join_unrolled(struct sites *sites)
{
    enum { MOST_BASES = 3 };
    for (uint32_t i = 0, end; i < sites->n; i = end) {
        uint32_t n_bases = 1;
        for (end = i + 1; end < sites->n; end++) {
            const struct entry *entry = &sites->entry[end], *before = entry - 1;
            if (by_kind(&sites->entry[i], entry) != 0) {
                break;
            }
            n_bases += entry->own != before->own || entry->step->access->root != before->step->access->root;
        }
        for (uint32_t k = i; k < end && n_bases > MOST_BASES; k++) {
            sites->entry[k].step->access->root = BSIM_PTX_NOWHERE;
            sites->entry[k].own = 0;
        }
    }
}

static void sort(struct sites *sites)
{
    uint32_t first = 0;
    qsort(sites->entry, sites->n, sizeof *sites->entry, compare_kinds);
    join_unrolled(sites);
    qsort(sites->entry, sites->n, sizeof *sites->entry, compare_kinds);
    for (uint32_t i = 0; i < sites->n; i++) {
        struct entry *entry = &sites->entry[i];
        if (i == 0 || by_kind(entry - 1, entry) != 0 || by_base(entry - 1, entry) != 0) {
            first = (uint32_t)(entry->step - sites->program->step);
        }
        entry->first = first;
    }
    qsort(sites->entry, sites->n, sizeof *sites->entry, compare_places);
}

/* ---- entries --------------------------------------------------------------------------------- */

static uint32_t number_file(const struct sites *sites, const char *file)
{
    for (uint32_t i = sites->n; i-- > 0;) {
        if (strcmp(sites->entry[i].file, file) == 0) {
            return sites->entry[i].file_number;
        }
    }
    return sites->n; /* larger than those before */
}

/* Whether anybody asks for addresses in another block's memory, which there is no other way to. */
static bool asks_for_peers(const struct bsim_ptx_program *program)
{
    uint32_t i = 0;
    while (i < program->n_steps && (program->step[i].from == NULL ||
                                    !bsim_ptx_is_a(program->step[i].from, "mapa"))) {
        i++;
    }
    return i < program->n_steps;
}

static bool may_reach_peers(const struct bsim_ptx_step *step)
{
    const struct bsim_ptx_access *access = step->access;
    return bsim_opcode_is_access(&access->opcode) && !bsim_opcode_is_matrix(&access->opcode) &&
           access->opcode.path != BSIM_TELLS &&
           (access->space == BSIM_PTX_NO_SPACE || bsim_ptx_has(step->from, BSIM_PTX_SHARED_CLUSTER));
}

static int by_number(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    return (x->step->number > y->step->number) - (x->step->number < y->step->number);
}

static void collect(struct sites *sites)
{
    struct bsim_ptx_program *program = sites->program;
    bool has_peers = asks_for_peers(program);
    for (uint32_t i = 0; i < program->n_steps; i++) {
        struct bsim_ptx_step *step = &program->step[i];
        bool is_run = step->kind == BSIM_PTX_COMPUTE || step->kind == BSIM_PTX_MEET_LANES ||
                      step->kind == BSIM_PTX_MEET_WARPS;
        if (step->access != NULL && !step->access->is_silent && is_run) {
            struct entry entry = {.step = step, .opcode = step->access->opcode};
            step->access->reaches_peers = has_peers && may_reach_peers(step);
            entry.file = bsim_ptx_source(program->module, step->from, &entry.line);
            entry.file_number = number_file(sites, entry.file);
            entry.own = program->kernel->is_machine_code && step->from->place != NULL ? step->from->place->column : 0;
            sites->entry[sites->n++] = entry;
        }
    }
    qsort(sites->entry, sites->n, sizeof *sites->entry, by_number);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* Whether the line has another site of the family, from which an array's name tells it. */
static bool has_others(const struct sites *sites, const struct entry *entry)
{
    for (const struct entry *e = sites->entry; e < sites->entry + sites->n; e++) {
        if (e->first != entry->first && e->line == entry->line &&
            e->file_number == entry->file_number && e->opcode.family == entry->opcode.family &&
            e->opcode.space == entry->opcode.space) {
            return true;
        }
    }
    return false;
}

/* Cuts the line's text short where what comes behind it would not be seen in a table any more. */
static void make_room(char *text, size_t length_behind)
{
    enum { SHOWN_BYTES = 108, LEAST_BYTES = 20 };
    size_t room =
        length_behind + LEAST_BYTES < SHOWN_BYTES ? SHOWN_BYTES - length_behind : LEAST_BYTES;
    if (strlen(text) > room) {
        size_t n = room - 3;
        while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80) {
            n--; /* within a character of UTF-8 */
        }
        memcpy(text + n, "...", 4);
    }
}

/* What is to be known of the access, in brackets behind the line's text. */
static void add_remarks(const struct sites *sites, const struct entry *entry, char *text,
                        size_t size)
{
    const struct bsim_ptx_access *access = entry->step->access;
    char remark[160] = "", name[64] = "";
    if (access->array != NULL && !access->array->is_parameter && has_others(sites, entry)) {
        size_t length;
        const char *found = bsim_ptx_plain_name(access->array->name, &length);
        snprintf(name, sizeof name, "%.*s", length < sizeof name ? (int)length : 0, found);
    }
    if (access->is_chance) {
        snprintf(remark, sizeof remark, "waits for others in a loop: how often is chance");
    } else if (access->merged == 1) { /* of a vector a part that is wanted */
        snprintf(remark, sizeof remark, "%s%u bits of %u, as ptxas does",
                 access->again != 0 ? "twice " : "", 8u * entry->opcode.bytes,
                 8u * access->bytes * access->count);
    } else if (access->merged > 0) {
        bool is_store = entry->opcode.family == BSIM_ST;
        snprintf(remark, sizeof remark, "%" PRIu32 " %s as one %u-bit %s, as ptxas does%s",
                 access->merged, is_store ? "stores" : "loads", 8u * entry->opcode.bytes,
                 is_store ? "store" : "load", access->may_merge ? "; it may merge more" : "");
    } else if (access->may_merge) {
        snprintf(remark, sizeof remark, "ptxas may unroll the loop and merge these");
    } else if (access->may_drop) {
        snprintf(remark, sizeof remark, "ptxas may %s",
                 entry->opcode.family == BSIM_ST ? "leave out what is stored over"
                                                 : "load this only where it is wanted");
    } else if (access->may_add) {
        snprintf(remark, sizeof remark, "ptxas may load this for lanes that do not come here, too");
    }
    if (name[0] != '\0' || remark[0] != '\0') {
        make_room(text, strlen(name) + strlen(remark) + 6);
        size_t n = strlen(text);
        snprintf(text + n, size - n, "%s[%s%s%s]", n > 0 ? "  " : "", name,
                 name[0] != '\0' && remark[0] != '\0' ? ": " : "", remark);
    }
}

static const char *make_text(struct sites *sites, const struct entry *entry)
{
    char text[400] = "";
    const char *line = bsim_ptx_source_line(&sites->sources, entry->file, entry->line);
    if (line != NULL && entry->file != sites->program->module->name) {
        snprintf(text, sizeof text, "%s", line);
    }
    add_remarks(sites, entry, text, sizeof text);
    return text[0] != '\0' ? bsim_arena_text(sites->arena, text, strlen(text)) : NULL;
}

/* ---- sites ----------------------------------------------------------------------------------- */

/* Where an access may lead to, each a site: of a generic one all but the last, which is there if it may
 * reach peers; of one to shared::cluster both ends. */
static const enum bsim_space spaces[BSIM_PTX_GENERIC_SITES] = {BSIM_SHARED, BSIM_GLOBAL, BSIM_LOCAL,
                                                               BSIM_PEER};

uint32_t bsim_ptx_site_number(const struct bsim_ptx_access *access, enum bsim_space space)
{
    if (access->space != BSIM_PTX_NO_SPACE) {
        return access->site + (space == BSIM_PEER && access->reaches_peers);
    }
    uint32_t i = 0;
    while (i < BSIM_PTX_GENERIC_SITES && spaces[i] != space) {
        i++;
    }
    return access->site + (i < BSIM_PTX_GENERIC_SITES ? i : 0);
}

static void add_sites(struct sites *sites, const struct entry *entry)
{
    struct bsim_ptx_program *program = sites->program;
    struct bsim_site site = {.opcode = entry->opcode,
                             .file = entry->file,
                             .line = entry->line,
                             .text = make_text(sites, entry)};
    const struct bsim_ptx_access *access = entry->step->access;
    for (uint32_t i = 0; i < BSIM_PTX_GENERIC_SITES; i++) {
        bool is_peers = spaces[i] == BSIM_PEER, is_any = is_generic(entry);
        if (is_peers ? access->reaches_peers : is_any || i == 0) {
            site.number = program->n_sites + 1;
            site.opcode.space = is_peers || is_any ? (uint8_t)spaces[i] : entry->opcode.space;
            program->site[program->n_sites++] = site;
        }
    }
    program->doubts.n_chance += access->is_chance;
    program->doubts.n_may_merge += access->may_merge;
    program->doubts.n_may_drop += access->may_drop && !access->may_merge;
    program->doubts.n_may_add += access->may_add && !access->may_drop && !access->may_merge;
}

static void number_all(struct sites *sites)
{
    for (uint32_t i = 0; i < sites->n; i++) {
        const struct entry *entry = &sites->entry[i];
        bool is_new = i == 0 || entry->first != entry[-1].first;
        uint32_t before = sites->program->n_sites;
        if (is_new) {
            add_sites(sites, entry);
        }
        entry->step->access->site = is_new ? before + 1 : entry[-1].step->access->site;
    }
}

bool bsim_ptx_find_sites(struct bsim_arena *arena, struct bsim_ptx_program *program)
{
    struct sites sites = {.arena = arena, .program = program};
    size_t room = (size_t)program->n_steps + 1;
    sites.sources = (struct bsim_ptx_sources){.arena = arena, .beside = program->module->name,
                                              .name = program->module->source_name,
                                              .text = program->module->source_text};
    sites.entry = bsim_mem_resize(NULL, room, sizeof *sites.entry);
    program->site = bsim_arena_take(arena, BSIM_PTX_GENERIC_SITES * room * sizeof *program->site);
    bool has_memory = sites.entry != NULL && program->site != NULL;
    if (has_memory) {
        collect(&sites);
        sort(&sites);
        number_all(&sites);
    }
    bsim_ptx_sources_free(&sites.sources);
    bsim_mem_free(sites.entry);
    return has_memory;
}
