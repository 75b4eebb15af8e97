/* recorded.c - a check of what a kernel was seen to do: the arrays that its addresses lie in, its sites
 * as accesses.
 *
 * Whoever has the kernel's text declares its arrays, in its order, and gets layouts for rows and
 * columns; those that the trace of a launch in PTX names (x-shared=) lie where it says, and are as
 * large. Else these are its arrays, of so many bytes. And without that the window is cut where no site
 * goes from one part to the other: what two sites have in common is one array, as far as anyone can see.
 * Elements are then as large as the narrowest access, and arrays of one dimension.
 */
#include "expr/check.h"
#include "expr/record.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of the window, and what its accesses are like. */
struct part {
    const struct bsim_check_array *said; /* what the trace says of it; NULL: nothing */
    uint32_t begin, end;                 /* end UINT32_MAX: open */
    uint32_t bytes;                      /* of the narrowest element that is accessed; 0: none is */
    char type;                           /* of such ones, as in an opcode */
    bool is_matrix;
};

struct parts {
    struct bsim_check *check;
    struct part *part; /* in their order */
    size_t n;
};

static uint32_t lanes_of(const struct bsim_recording *recording,
                         const struct bsim_kept_request *request)
{
    return bsim_opcode_lanes(&recording->site[request->site].opcode, request->mask);
}

/* ---- statements ------------------------------------------------------------------------------ */

enum bsim_status bsim_check_only_declares(const struct bsim_check *check, struct bsim_error *err)
{
    for (const struct bsim_statement *s = check->first; s != NULL; s = s->next) {
        bool declares = s->word == BSIM_WORD_DEFINE || s->word == BSIM_WORD_STRUCT ||
                        s->word == BSIM_WORD_UNION || s->word == BSIM_WORD_TYPEDEF ||
                        s->word == BSIM_WORD_SHARED || s->word == BSIM_WORD_EXPECT;
        if (!declares) {
            return bsim_cu_error(&s->source, s->from, err,
                                 "the trace says what happens: beside it stand declarations "
                                 "of shared arrays alone");
        }
    }
    return BSIM_OK;
}

static enum bsim_status check_layouts(const struct bsim_check *check, struct bsim_error *err)
{
    for (size_t i = 0; i < check->n_shared; i++) {
        if (check->array[i].n_layouts > 0) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "%s: the trace says where elements lie: leave '%s' out",
                                  check->array[i].name, check->array[i].layout_text);
        }
    }
    return BSIM_OK;
}

/* ---- parts of the window --------------------------------------------------------------------- */

static bool add_part(struct parts *parts, struct part part)
{
    if (!bsim_check_grow((void **)&parts->part, parts->n, sizeof *parts->part)) {
        return false;
    }
    parts->part[parts->n++] = part;
    return true;
}

/* Those that the trace declares. False when memory is short. */
static bool add_said(struct parts *parts, const struct bsim_check *said)
{
    bool fits = true;
    for (size_t i = 0; said != NULL && i < said->n_shared && fits; i++) {
        const struct bsim_check_array *array = &said->array[i];
        uint32_t end = array->is_extern ? UINT32_MAX : array->offset_bytes + array->laid_bytes;
        fits =
            add_part(parts, (struct part){.said = array, .begin = array->offset_bytes, .end = end});
    }
    return fits;
}

static int by_begin(const void *a, const void *b)
{
    const struct part *x = a, *y = b;
    return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* The bytes that TMA and wgmma go to. */
static bool add_tiles(struct parts *parts, const struct bsim_recording *recording)
{
    bool fits = true;
    for (size_t i = 0; i < recording->n_tiles && fits; i++) {
        const struct bsim_kept_tile *tile = &recording->tile[i];
        fits = add_part(parts, (struct part){.begin = (uint32_t)tile->begin, .end = (uint32_t)tile->end});
    }
    return fits;
}

/* The bytes that each site reaches over, from the first to the last. */
static bool add_reaches(struct parts *parts, const struct bsim_recording *recording)
{
    for (size_t site = 0; site < recording->n_sites; site++) {
        if (!add_part(parts, (struct part){.begin = UINT32_MAX})) {
            return false;
        }
    }
    for (size_t i = 0; i < recording->n; i++) {
        const struct bsim_kept_request *request = &recording->request[i];
        struct part *part = &parts->part[request->site];
        uint32_t bytes = recording->site[request->site].opcode.bytes;
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            uint32_t begin = request->address[lane];
            if ((lanes_of(recording, request) >> lane & 1) != 0) {
                part->begin = begin < part->begin ? begin : part->begin;
                part->end = begin + bytes > part->end ? begin + bytes : part->end;
            }
        }
    }
    return true;
}

/* Those that overlap are one; the window is theirs without gaps. */
static bool find_parts(struct parts *parts, const struct bsim_recording *recording)
{
    size_t n = 0;
    if (!add_reaches(parts, recording) || !add_tiles(parts, recording)) {
        return false;
    }
    if (parts->n > 0) { /* NULL is no array to sort */
        qsort(parts->part, parts->n, sizeof *parts->part, by_begin);
    }
    for (size_t i = 0; i < parts->n && parts->part[i].begin < UINT32_MAX; i++) {
        const struct part *part = &parts->part[i];
        if (n == 0 || part->begin >= parts->part[n - 1].end) {
            parts->part[n++] = *part;
        } else if (part->end > parts->part[n - 1].end) {
            parts->part[n - 1].end = part->end;
        }
    }
    parts->n = n;
    for (size_t i = 0; i < n; i++) {
        parts->part[i].begin = i > 0 ? parts->part[i].begin : 0;
        parts->part[i].end = i + 1 < n ? parts->part[i + 1].begin : parts->part[i].end;
    }
    if (n > 0 && recording->kernel.has_shared) {
        parts->part[n - 1].end = recording->kernel.shared_bytes;
    }
    return true;
}

/* ---- what is accessed ------------------------------------------------------------------------ */

static struct part *part_of(const struct parts *parts, uint32_t address)
{
    size_t i = 0;
    while (i < parts->n && (address < parts->part[i].begin || address >= parts->part[i].end)) {
        i++;
    }
    return i < parts->n ? &parts->part[i] : NULL;
}

/* Of a type that says more than "so many bits" that one is kept. */
static void note_access(struct part *part, const struct bsim_opcode *opcode)
{
    uint32_t bytes = opcode->bits / 8;
    if (opcode->family == BSIM_CP_ASYNC || bytes == 0) {
        bytes = opcode->bytes; /* which moves elements of any type */
    }
    if (part->bytes == 0 || bytes < part->bytes) {
        part->bytes = bytes;
        part->type = opcode->type;
        part->is_matrix = bsim_opcode_is_matrix(opcode);
    } else if (bytes == part->bytes && (part->type == 'b' || part->type == 0)) {
        part->type = opcode->type;
    }
}

/* False for an access that lies in none. */
static bool note_accesses(struct parts *parts, const struct bsim_recording *recording)
{
    for (size_t i = 0; i < recording->n; i++) {
        const struct bsim_kept_request *request = &recording->request[i];
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            if ((lanes_of(recording, request) >> lane & 1) == 0) {
                continue;
            }
            struct part *part = part_of(parts, request->address[lane]);
            if (part == NULL) {
                return false;
            }
            note_access(part, &recording->site[request->site].opcode);
        }
    }
    return true;
}

/* ---- arrays that one access takes together ---------------------------------------------------- */

/* "{mx, mn, sum}" of mx, mn and sum; of "{mx, mn}" and sum too. */
static const char *joined_name(struct bsim_check *check, size_t first, size_t last)
{
    struct bsim_buffer name = BSIM_BUFFER_EMPTY;
    for (size_t i = first; i <= last; i++) {
        const struct bsim_check_array *array = &check->array[i];
        size_t n = strlen(array->name);
        bsim_buffer_text(&name, i > first ? ", " : "{");
        bsim_buffer_add(&name, array->name + array->is_joined, n - 2 * array->is_joined);
    }
    bsim_buffer_text(&name, "}");
    const char *text = name.failed ? NULL : bsim_arena_text(&check->file.arena, name.data, name.size_bytes);
    bsim_buffer_free(&name);
    return text;
}

/* Arrays first to last become one, of the narrowest of their elements if these fill it. */
static bool join_arrays(struct bsim_check *check, size_t first, size_t last, uint32_t widest)
{
    struct bsim_check_array *array = &check->array[first], *end = &check->array[last];
    const struct bsim_check_array *narrow = array;
    for (const struct bsim_check_array *other = array; other <= end; other++) {
        narrow = other->element_bytes < narrow->element_bytes ? other : narrow;
    }
    uint32_t bytes = end->is_extern ? 0 : end->offset_bytes + end->laid_bytes - array->offset_bytes;
    bool fills = bytes % narrow->element_bytes == 0;
    uint32_t each = fills ? narrow->element_bytes : 1;
    struct bsim_check_array joined = {
        .space = BSIM_SHARED,
        .begin = array->begin,
        .name = joined_name(check, first, last),
        .element = fills ? narrow->element : "unsigned char",
        .element_bytes = each,
        .element_alignment = fills ? narrow->element_alignment : 1,
        .alignment = widest > array->alignment && array->offset_bytes % widest == 0
                         ? widest
                         : array->alignment,
        .n_dimensions = 1,
        .dimension = {bytes / each},
        .offset_bytes = array->offset_bytes,
        .size_bytes = bytes,
        .laid_bytes = bytes,
        .is_extern = end->is_extern,
        .is_joined = true,
    };
    *array = joined;
    memmove(array + 1, end + 1, (check->n_arrays - last - 1) * sizeof *array);
    check->n_arrays -= last - first;
    check->n_shared -= last - first;
    return joined.name != NULL;
}

/* From where arrays up to last are joined, so that what takes them goes on to be aligned if they begin
 * elsewhere; last: they are not one behind the other. */
static size_t first_joined(const struct bsim_check *check, size_t first, size_t last, uint32_t widest)
{
    while (first > 0 && check->array[first].offset_bytes % widest != 0) {
        first--;
    }
    for (size_t i = first; i < last; i++) {
        const struct bsim_check_array *array = &check->array[i];
        if (array->is_extern || array->offset_bytes + array->laid_bytes > array[1].offset_bytes) {
            return last;
        }
    }
    return first;
}

/* ptxas makes one access of two beside each other, also where they are to two variables. What one access
 * takes no layout may part, so these become one array, in which the access lies as a whole. */
static bool join_taken(struct bsim_check *check)
{
    const struct bsim_recording *recording = check->recording;
    bool fits = true;
    for (size_t i = 0; i < recording->n; i++) {
        const struct bsim_kept_request *request = &recording->request[i];
        uint32_t bytes = recording->site[request->site].opcode.bytes;
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES && fits; lane++) {
            uint32_t begin = request->address[lane];
            size_t first = bsim_check_find_array(check, begin);
            size_t last = bsim_check_find_array(check, begin + bytes - 1);
            if ((lanes_of(recording, request) >> lane & 1) == 0 || last >= check->n_shared) {
                continue;
            }
            first = first < last ? first_joined(check, first, last, bytes) : last;
            fits = first == last || join_arrays(check, first, last, bytes);
        }
    }
    return fits;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* A type of so many bytes, 1 to 16. */
static const char *type_name(const struct part *part, uint32_t bytes)
{
    static const char *const of_float[] = {"half", "half", "float", "double", "float4"};
    static const char *const of_signed[] = {"signed char", "short", "int", "long long", "int4"};
    static const char *const of_others[] = {"unsigned char", "unsigned short", "unsigned",
                                            "unsigned long long", "uint4"};
    size_t log2 = 0;
    while (UINT32_C(1) << log2 < bytes) {
        log2++;
    }
    bool is_float = part->type == 'f' || part->is_matrix;
    return is_float && bytes > 1 ? of_float[log2]
           : part->type == 's'   ? of_signed[log2]
                                 : of_others[log2];
}

/* Elements fill the array, and begin where it does. */
static uint32_t element_bytes(const struct part *part)
{
    uint32_t bytes = part->bytes > 0 ? part->bytes : 4;
    uint32_t size = part->end < UINT32_MAX ? part->end - part->begin : 0;
    while (part->begin % bytes != 0 || size % bytes != 0) {
        bytes /= 2;
    }
    return bytes;
}

static const char *name_of(struct parts *parts, const struct part *part)
{
    char name[16] = "smem";
    if (part->said != NULL) {
        return part->said->name;
    }
    if (parts->n > 1) {
        (void)snprintf(name, sizeof name, "smem%" PRIu32, part->begin);
    }
    return bsim_arena_text(&parts->check->file.arena, name, strlen(name));
}

/* Whose elements nobody declares. */
static struct bsim_check_array guess(struct parts *parts, const struct part *part)
{
    uint32_t each = element_bytes(part);
    bool is_open = part->end == UINT32_MAX;
    uint32_t bytes = is_open ? 0 : part->end - part->begin;
    return (struct bsim_check_array){
        .space = BSIM_SHARED,
        .begin = part->begin,
        .name = name_of(parts, part),
        .element = type_name(part, each),
        .element_bytes = each,
        .element_alignment = each,
        .alignment = each,
        .n_dimensions = 1,
        .dimension = {bytes / each},
        .offset_bytes = part->begin,
        .size_bytes = bytes,
        .laid_bytes = bytes,
        .is_extern = is_open,
    };
}

/* As it is declared; where that is a size alone, of a type that the accesses tell. */
static struct bsim_check_array declared(const struct part *part)
{
    struct bsim_check_array array = *part->said;
    uint32_t each = array.element_bytes;
    bool has_type = each <= 16 && (each & (each - 1)) == 0;
    if (array.element[0] == '\0') {
        array.element = has_type ? type_name(part, each) : "TYPE";
        array.is_untold = true;
    }
    return array;
}

static bool add_array(struct parts *parts, const struct part *part)
{
    struct bsim_check *check = parts->check;
    bool is_known = part->said != NULL && part->said->element != NULL;
    struct bsim_check_array array = is_known ? declared(part) : guess(parts, part);
    if (array.name == NULL ||
        !bsim_check_grow((void **)&check->array, check->n_arrays, sizeof *check->array)) {
        return false;
    }
    check->array[check->n_arrays++] = array;
    check->n_shared = check->n_arrays;
    return true;
}

/* Named ones, if all accesses lie in these; else those that accesses tell apart. */
static bool find_arrays(struct parts *parts)
{
    const struct bsim_recording *recording = parts->check->recording;
    bool fits = add_said(parts, parts->check->said);
    if (fits && (parts->n == 0 || !note_accesses(parts, recording))) {
        parts->n = 0;
        fits = find_parts(parts, recording);
        (void)note_accesses(parts, recording);
    }
    for (size_t i = 0; i < parts->n && fits; i++) {
        fits = add_array(parts, &parts->part[i]);
    }
    return fits;
}

static enum bsim_status make_arrays(struct bsim_check *check, struct bsim_error *err)
{
    struct parts parts = {.check = check};
    bool fits = find_arrays(&parts) && join_taken(check);
    bsim_mem_free(parts.part);
    return fits ? BSIM_OK : bsim_mem_short(err);
}

/* Those to which TMA or wgmma goes. */
static void mark_tiles(struct bsim_check *check)
{
    const struct bsim_recording *recording = check->recording;
    for (size_t i = 0; i < check->n_shared; i++) {
        struct bsim_check_array *array = &check->array[i];
        uint64_t end = array->is_extern ? UINT32_MAX : array->begin + array->laid_bytes;
        for (size_t k = 0; k < recording->n_tiles; k++) {
            const struct bsim_kept_tile *tile = &recording->tile[k];
            array->is_tile |= tile->begin < end && tile->end > array->begin;
        }
    }
}

/* ---- declared arrays ------------------------------------------------------------------------- */

/* That of the array's name, and of several that of its size; NULL: none. */
static const struct bsim_check_array *find_named(const struct bsim_check *said,
                                                 const struct bsim_check_array *array)
{
    const struct bsim_check_array *found = NULL;
    for (size_t i = 0; said != NULL && i < said->n_shared; i++) {
        const struct bsim_check_array *each = &said->array[i];
        if (strcmp(array->name, each->name) == 0 &&
            (found == NULL || each->laid_bytes == array->size_bytes)) {
            found = each;
        }
    }
    return found;
}

/* What is open ends with the window at most, if the trace tells that. */
static enum bsim_status check_named(const struct bsim_check_array *array,
                                    const struct bsim_check_array *said,
                                    const struct bsim_kernel *kernel, struct bsim_error *err)
{
    bool is_open = said->is_extern;
    uint32_t begin = said->offset_bytes;
    uint32_t end = !is_open             ? begin + said->laid_bytes
                   : kernel->has_shared ? kernel->shared_bytes
                                        : UINT32_MAX;
    uint32_t bytes = end > begin ? end - begin : 0;
    if (said->n_layouts > 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%s: the trace declares it with '%s': leave --shared out",
                              array->name, said->layout_text);
    }
    if (is_open ? array->size_bytes > bytes : array->size_bytes != bytes) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%s: %" PRIu32 " bytes as declared, %" PRIu32
                              " in the trace: declare it as the kernel that was run does",
                              array->name, array->size_bytes, bytes);
    }
    if (begin % array->alignment != 0) {
        return bsim_error_set(err, BSIM_E_INPUT,
                              "%s: a multiple of %" PRIu32 " as declared, byte %" PRIu32
                              " in the trace: declare it as the kernel that was run does",
                              array->name, array->alignment, begin);
    }
    return BSIM_OK;
}

static int by_offset(const void *a, const void *b)
{
    const struct bsim_check_array *x = a, *y = b;
    return x->offset_bytes < y->offset_bytes ? -1 : x->offset_bytes > y->offset_bytes;
}

/* Of which at least one, `known`, is in the trace: then all are, or where they lie is a guess. */
static enum bsim_status place_named(struct bsim_check *check, const char *known,
                                    struct bsim_error *err)
{
    for (size_t i = 0; i < check->n_shared; i++) {
        struct bsim_check_array *array = &check->array[i];
        const struct bsim_check_array *said = find_named(check->said, array);
        if (said == NULL) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "the trace has '%s', but no '%s': declare arrays by the names "
                                  "that stand in its x-shared=",
                                  known, array->name);
        }
        if (check_named(array, said, &check->kernel, err) != BSIM_OK) {
            return BSIM_E_INPUT;
        }
        array->offset_bytes = said->offset_bytes;
        array->begin = said->begin;
    }
    qsort(check->array, check->n_shared, sizeof *check->array, by_offset);
    return join_taken(check) ? BSIM_OK : bsim_mem_short(err);
}

/* Arrays of which the trace knows no name lie one behind the other, as in a check: who parts one
 * array into several gives them names of his own. */
static enum bsim_status place_declared(struct bsim_check *check, struct bsim_error *err)
{
    for (size_t i = 0; i < check->n_shared; i++) {
        if (find_named(check->said, &check->array[i]) != NULL) {
            return place_named(check, check->array[i].name, err);
        }
    }
    return BSIM_OK;
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* "tile.cu:28  part[t] += part[t + d];": as in the report of a run. */
static const char *text_of(struct bsim_check *check, const struct bsim_kept_site *site)
{
    char text[400];
    size_t used = 0;
    if (site->file != NULL) {
        const char *slash = strrchr(site->file, '/');
        used = (size_t)snprintf(text, sizeof text, "%.80s:%" PRIu32 "%s",
                                slash != NULL ? slash + 1 : site->file, site->line,
                                site->text != NULL ? "  " : "");
    }
    if (site->text != NULL) {
        (void)snprintf(text + used, sizeof text - used, "%s", site->text);
    } else if (site->file == NULL && site->number > 0) {
        (void)snprintf(text, sizeof text, "site %" PRIu32, site->number);
    } else if (site->file == NULL) {
        (void)snprintf(text, sizeof text, "-");
    }
    return bsim_arena_text(&check->file.arena, text, strlen(text));
}

static bool add_access(struct bsim_check *check, const struct bsim_kept_site *site)
{
    char op[BSIM_OPCODE_NAME_SIZE];
    (void)bsim_opcode_name(&site->opcode, op);
    struct bsim_access access = {
        .shown = {.text = text_of(check, site),
                  .op = bsim_arena_text(&check->file.arena, op, strlen(op)),
                  .opcode = site->opcode,
                  .bytes = site->opcode.bytes,
                  .parts = 1,
                  .file = site->file,
                  .line = site->line,
                  .site = site->number,
                  .one_in = UINT32_C(1) << site->rarer},
        .loop = BSIM_NO_LOOP,
    };
    if (access.shown.text == NULL || access.shown.op == NULL ||
        !bsim_check_grow((void **)&check->access, check->n_accesses, sizeof *check->access)) {
        return false;
    }
    check->access[check->n_accesses++] = access;
    return true;
}

/* As large as a trace may say that the window is; without a word of that, addresses have 32 bits. */
static enum bsim_status check_reach(const struct bsim_recording *recording, struct bsim_error *err)
{
    enum { MOST_BYTES = 1 << 24 };
    for (size_t i = 0; i < recording->n * BSIM_WARP_LANES; i++) {
        uint32_t address = recording->request[i / BSIM_WARP_LANES].address[i % BSIM_WARP_LANES];
        if (address >= MOST_BYTES) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "%s accesses byte %" PRIu32
                                  " of shared memory, of which no GPU has so much",
                                  recording->kernel.name, address);
        }
    }
    for (size_t i = 0; i < recording->n_tiles; i++) {
        if (recording->tile[i].end > MOST_BYTES) {
            return bsim_error_set(err, BSIM_E_INPUT,
                                  "TMA or wgmma of %s goes to byte %" PRIu64
                                  " of shared memory, of which no GPU has so much",
                                  recording->kernel.name, recording->tile[i].end - 1);
        }
    }
    return BSIM_OK;
}

/* Every lane lies in an array, as a whole. */
static enum bsim_status check_places(const struct bsim_check *check, struct bsim_error *err)
{
    const struct bsim_recording *recording = check->recording;
    for (size_t i = 0; i < recording->n; i++) {
        const struct bsim_kept_request *request = &recording->request[i];
        uint32_t bytes = recording->site[request->site].opcode.bytes;
        for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
            uint32_t begin = request->address[lane];
            uint32_t array, offset;
            if ((lanes_of(recording, request) >> lane & 1) != 0 &&
                !bsim_check_find_offset(check, begin, bytes, &array, &offset)) {
                return bsim_error_set(err, BSIM_E_INPUT,
                                      "%s %s: %" PRIu32 " bytes at byte %" PRIu32
                                      " of shared memory, where no array is declared that has them",
                                      check->access[request->site].shown.op,
                                      check->access[request->site].shown.text, bytes, begin);
            }
        }
    }
    return BSIM_OK;
}

enum bsim_status bsim_check_read_recording(struct bsim_check *check, struct bsim_error *err)
{
    const struct bsim_recording *recording = check->recording;
    enum bsim_status status = check_layouts(check, err);
    check->kernel = recording->kernel;
    if (status == BSIM_OK && recording->n + recording->n_tiles + recording->shown.n_beside == 0) {
        return bsim_error_set(err, BSIM_E_INPUT, "%s does not access memory",
                              check->kernel.name);
    }
    if (status == BSIM_OK) {
        status = check_reach(recording, err);
    }
    if (status == BSIM_OK) {
        status = bsim_check_declared(&recording->kernel, &check->said, err);
    }
    if (status == BSIM_OK) {
        status = check->n_shared == 0 ? make_arrays(check, err) : place_declared(check, err);
    }
    if (status == BSIM_OK) {
        mark_tiles(check);
    }
    for (size_t i = 0; i < recording->n_sites && status == BSIM_OK; i++) {
        status = add_access(check, &recording->site[i]) ? BSIM_OK : bsim_mem_short(err);
    }
    for (size_t i = 0; i < check->n_expectations; i++) {
        check->expectation[i].shown.n_accesses = check->n_accesses;
    }
    check->has_between = check->replay.push != NULL;
    return status == BSIM_OK ? check_places(check, err) : status;
}

enum bsim_status bsim_check_record(struct bsim_check *check, struct bsim_recorder *recorder,
                                   size_t i, const struct bsim_replay *replay,
                                   struct bsim_error *err)
{
    bsim_recorder_free(check->recorder);
    check->recorder = recorder;
    if (check->sealed || bsim_recorder_kernel(recorder, i) == NULL || !recorder->stream.has_ended) {
        return bsim_error_set(err, BSIM_E_USAGE,
                              "a check that is not sealed takes one kernel of a "
                              "stream that has ended");
    }
    check->recording = &recorder->recording[i];
    check->replay = replay != NULL ? *replay : (struct bsim_replay){.push = NULL};
    return BSIM_OK;
}

/* ---- requests -------------------------------------------------------------------------------- */

static void fill(const struct bsim_check *check, const struct bsim_kept_request *kept,
                 struct bsim_check_request *request)
{
    const struct bsim_kept_site *site = &check->recording->site[kept->site];
    *request = (struct bsim_check_request){.access = kept->site,
                                           .times = kept->times << site->rarer,
                                           .opcode = site->opcode,
                                           .mask = kept->mask,
                                           .lanes = lanes_of(check->recording, kept),
                                           .has_from = kept->from != NULL};
    if (kept->from != NULL) {
        memcpy(request->from, kept->from, sizeof request->from);
    }
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        if ((request->lanes >> lane & 1) != 0) {
            (void)bsim_check_find_offset(check, kept->address[lane], site->opcode.bytes,
                                         &request->array[lane], &request->offset[lane]);
            request->address[lane] = kept->address[lane];
        }
    }
}

enum bsim_status bsim_check_walk_recording(const struct bsim_check *check,
                                           const struct bsim_check_visitor *visitor,
                                           struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    if (!check->sealed) {
        return bsim_error_set(err, BSIM_E_USAGE, "a check must be sealed before it is evaluated");
    }
    for (size_t i = 0; i < check->recording->n && status == BSIM_OK && visitor->shared != NULL;
         i++) {
        struct bsim_check_request request;
        fill(check, &check->recording->request[i], &request);
        status = visitor->shared(visitor->context, &request, err);
    }
    return status;
}
