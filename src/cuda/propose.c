/* propose.c - the launches that a file's host code makes, as bsim_ptx_call_new takes them; and what is put
 * in place of what it does not say.
 *
 * __global__ void transpose(float *out, const float *in, int n)      transpose<<<dim3(4, 4), dim3(32, 8)>>>(
 * dim3 grid(n / 32, n / 32), block(32, 8); ...                   ->      float[16384], float[16384] = iota, 128)
 * transpose<<<grid, block>>>(out, in, n);
 *
 * Kernels and launches are found among the tokens, in templates too: what a kernel does is not read.
 */
#include "cuda/propose.h"

#include <banksim/cuda.h>

#include <inttypes.h>

enum {
    MOST_LAUNCHES = 8,    /* of one kernel */
    MOST_AGAIN = 3,       /* turns of a loop in a row that are nothing new */
    MOST_ASKED = 1 << 18, /* bytes of text, each as often as it is read: a second */
    MOST_RUNS = 64,       /* of launches that are tried */
    MOST_LARGER = 2,
};

/* ---- kernels --------------------------------------------------------------------------------- */

/* The '<' of the template whose declaration goes on with token i; 0: it is no template's. */
static size_t open_angle(const struct cu_host *host, size_t i)
{
    size_t depth = 1;
    while (i > 1 && (host->token[i - 1]->kind == CU_NAME || bsim_cu_at(host, i - 1, ")"))) {
        i = bsim_cu_at(host, i - 1, ")") ? bsim_cu_opening(host, i - 1) : i - 1;
    }
    if (i < 2 || !bsim_cu_at(host, i - 1, ">")) {
        return 0;
    }
    for (i -= 2; i > 0 && !bsim_cu_at(host, i, ";"); i--) {
        depth += bsim_cu_at(host, i, ">");
        depth -= bsim_cu_at(host, i, "<");
        if (depth == 0) {
            return bsim_cu_at(host, i - 1, "template") ? i : 0;
        }
    }
    return 0;
}

/* What stands in the brackets of a __launch_bounds__(...) in front of token i; 0: there is none. */
static size_t bounds_before(const struct cu_host *host, size_t i)
{
    size_t open = i > 0 && bsim_cu_at(host, i - 1, ")") ? bsim_cu_opening(host, i - 1) : 0;
    return open > 0 && bsim_cu_at(host, open - 1, "__launch_bounds__") ? open + 1 : 0;
}

/* The kernel whose __global__ is token i; false: it has no body. */
static bool find_kernel(const struct cu_host *host, size_t i, struct proposal *p)
{
    *p = (struct proposal){.host = host, .open = open_angle(host, i), .bounds = bounds_before(host, i)};
    for (i++; i < host->n && !bsim_cu_at_any(host, i, "; {"); i++) {
        if (!bsim_cu_at(host, i + 1, "(") || host->token[i]->kind != CU_NAME) {
            continue;
        }
        size_t behind = bsim_cu_behind(host, i + 1);
        p->bounds = bsim_cu_at(host, i, "__launch_bounds__") ? i + 2 : p->bounds;
        if (bsim_cu_at(host, behind, "{")) {
            p->name = host->token[i];
            p->parameters = i + 1;
            p->body = behind;
            return true;
        }
        i = behind - 1;
    }
    return false;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Behind what stands between <<< and >>>; host->n: nothing ends it. */
static size_t behind_shape(const struct cu_host *host, size_t i)
{
    while (i < host->n && !(bsim_cu_at(host, i, ">>") && bsim_cu_at(host, i + 1, ">")) &&
           !bsim_cu_at(host, i, ";")) {
        i = bsim_cu_at_any(host, i, "( {") ? bsim_cu_behind(host, i) : i + 1;
    }
    return bsim_cu_at(host, i, ">>") ? i + 2 : host->n;
}

static void read_shape(struct proposal *p, size_t begin, size_t end)
{
    struct cu_known *const of[] = {&p->grid, &p->block, &p->bytes};
    for (size_t k = 0; k < 3; k++) {
        size_t item = bsim_cu_item_end(p->host, begin, end);
        *of[k] = bsim_cu_known(p->host, begin, item);
        of[k]->is_known = of[k]->is_known && (k == 2 || of[k]->number[0] > 0); /* n / 256 of a few */
        p->has_bytes = k == 2 && begin < item && !of[k]->is_known;
        begin = item + 1;
    }
}

static uint32_t known_of(const struct proposal *p)
{
    return p->grid.is_known + p->block.is_known;
}

/* Whether the kernel is launched by token i; what is known of that. */
static bool read_launch(struct proposal *p, size_t i)
{
    const struct cu_host *host = p->host;
    size_t at = bsim_cu_behind_angles(host, i + 1);
    if (!bsim_cu_same_text(host->token[i], p->name) || !bsim_cu_at(host, at, "<<") ||
        !bsim_cu_at(host, at + 1, "<")) {
        return false;
    }
    p->launch = i + 1;
    p->arguments = behind_shape(host, at + 2);
    if (!bsim_cu_at(host, p->arguments, "(")) {
        return false;
    }
    read_shape(p, at + 2, p->arguments - 2);
    return true;
}

/* Whether the case of that label is the one of the value; one of which that is not known may be. */
static bool is_case_of(const struct cu_host *host, size_t label, int64_t value)
{
    size_t colon = label + 1;
    while (colon < host->n && !bsim_cu_at(host, colon, ":")) {
        colon++;
    }
    struct cu_known known = bsim_cu_known(host, label + 1, colon);
    return !known.is_known || known.number[0] == value;
}

/* Whether token i stands in a case of a switch that its value, which is known, does not take. */
static bool is_other_case(const struct cu_host *host, size_t i)
{
    size_t label = 0, open = 0;
    for (; i > 1; i--) {
        if (bsim_cu_at_any(host, i, ") ] }")) {
            i = bsim_cu_opening(host, i);
            continue;
        }
        label = label == 0 && bsim_cu_at_any(host, i, "case default") ? i : label;
        bool is_block = bsim_cu_at(host, i, "{") && bsim_cu_at(host, i - 1, ")");
        open = is_block ? bsim_cu_opening(host, i - 1) : 0;
        if (open > 0 && bsim_cu_at(host, open - 1, "switch")) {
            break;
        }
    }
    if (label == 0 || i <= 1) {
        return false;
    }
    struct cu_known value = bsim_cu_known(host, open + 1, i - 1);
    bool is_other = value.is_known && !value.is_dim3;
    while (is_other && label > i) { /* and the labels in front of it: case 1: case 2: */
        is_other = bsim_cu_at(host, label, "case") && !is_case_of(host, label, value.number[0]);
        if (!bsim_cu_at(host, label - 1, ":")) {
            break;
        }
        for (label--; label > i && !bsim_cu_at_any(host, label, "case default"); label--) {
        }
    }
    return is_other;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

static void add_shape(const struct cu_known *shape, struct bsim_buffer *out)
{
    if (shape->number[1] == 1 && shape->number[2] == 1) {
        bsim_buffer_printf(out, "%" PRId64, shape->number[0]);
        return;
    }
    bsim_buffer_printf(out, "dim3(%" PRId64 ", %" PRId64, shape->number[0], shape->number[1]);
    if (shape->number[2] > 1) {
        bsim_buffer_printf(out, ", %" PRId64, shape->number[2]);
    }
    bsim_buffer_text(out, ")");
}

/* ---- the launch ------------------------------------------------------------------------------ */

static void add_launch(struct proposal *p, struct bsim_buffer *out)
{
    struct passed passed;
    bsim_cu_add_kernel(p, out);
    bsim_buffer_text(out, "<<<");
    add_shape(&p->grid, out);
    bsim_buffer_text(out, ", ");
    add_shape(&p->block, out);
    if (p->bytes.is_known && p->bytes.number[0] > 0) {
        bsim_buffer_printf(out, ", %" PRId64, p->bytes.number[0]);
    }
    bsim_buffer_text(out, ">>>(");
    for (size_t k = 0; bsim_cu_find_parameter(p, k, &passed); k++) {
        bsim_cu_find_argument(p, k, &passed);
        bsim_buffer_text(out, k > 0 ? ", " : "");
        bsim_cu_add_argument(p, &passed, out);
    }
    bsim_buffer_text(out, ")");
}

/* "the grid, the sizes of arrays"; nothing if all was said. */
static void add_chosen(const struct proposal *p, struct bsim_buffer *out)
{
    static const char *const words[] = {
        "grid",    "block",           "bytes of shared memory", "sizes of arrays",
        "numbers", "types of arrays", "a template's arguments"};
    const char *separator = "";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if ((p->chosen >> i & 1) != 0) {
            bsim_buffer_printf(out, "%s%s", separator, words[i]);
            separator = ", ";
        }
    }
}

/* Who hears of a file's launches, and what was told, each in a line of its own. */
struct telling {
    const struct bsim_cuda_listener *listener;
    const struct cu_file *file;
    const struct bsim_cuda_headers *headers;
    struct bsim_buffer told;
    struct bsim_buffer refused;       /* kernels with their templates' arguments */
    struct bsim_buffer of, ptx;       /* the last one that was read, and what it became; empty: nobody asked */
    size_t asked_bytes;
    uint32_t n_runs;
};

/* Whether the line, "\n...\n", is there already; if not it is from now on. */
static bool is_again(struct bsim_buffer *lines, const struct bsim_buffer *line)
{
    bool is_there = lines->data != NULL && strstr(lines->data, line->data) != NULL;
    if (!is_there) {
        bsim_buffer_add(lines, line->data, line->size_bytes);
    }
    return is_there;
}

/* Makes PTX of the kernel that the line names, "k\n", where that is asked, once for launches in a row. False: it is not
 * read, of which the listener hears once. */
static bool is_read(struct telling *telling, const char *launch, const char *chosen,
                    const struct bsim_buffer *line)
{
    const struct bsim_cuda_listener *listener = telling->listener;
    const struct cu_source *text = &telling->file->source;
    size_t bytes = 0;
    for (const struct cu_source *s = text; s != NULL; s = s->next) {
        bytes += s->length;
    }
    if (telling->refused.data != NULL && strstr(telling->refused.data, line->data) != NULL) {
        return false;
    }
    bool is_same = telling->of.data != NULL && strcmp(telling->of.data, line->data) == 0;
    if (listener->refuse == NULL || is_same) {
        return true;
    }
    telling->ptx.size_bytes = telling->of.size_bytes = 0;
    bsim_buffer_text(&telling->of, line->data);
    if (telling->asked_bytes + bytes > MOST_ASKED) {
        return true;
    }
    struct bsim_buffer kernel = BSIM_BUFFER_EMPTY;
    struct bsim_error why;
    telling->asked_bytes += bytes;
    bsim_buffer_add(&kernel, line->data + 1, line->size_bytes - 2);
    enum bsim_status status = bsim_buffer_status(&kernel, &why);
    if (status == BSIM_OK) {
        status = bsim_cuda_ptx(text->name, text->text, text->length, telling->headers, kernel.data, &telling->ptx, &why);
    }
    if (status == BSIM_E_INPUT) {
        (void)is_again(&telling->refused, line);
        listener->refuse(listener->context, launch, chosen, &why);
    }
    bsim_buffer_free(&kernel);
    return status != BSIM_E_INPUT;
}

/* Whether the launch faults at once with what was chosen, as far as that is asked. */
static bool faults(struct telling *telling, const struct proposal *p, const char *launch, struct bsim_error *why)
{
    const struct bsim_cuda_listener *listener = telling->listener;
    bool is_asked = listener->run != NULL && listener->refuse != NULL && telling->ptx.size_bytes > 0 &&
                    telling->n_runs < MOST_RUNS && (p->chosen & ~(uint32_t)CHOSE_GRID) != 0;
    telling->n_runs += is_asked;
    return is_asked && listener->run(listener->context, launch, telling->ptx.data, telling->ptx.size_bytes, why) ==
                           BSIM_E_KERNEL;
}

/* A launch as it is told, "\nk<<<1, 32>>>(float[1024])\n", and what of it was chosen. */
struct told_launch {
    struct bsim_buffer text, chosen;
    struct proposal p;
};

static void free_launch(struct told_launch *launch)
{
    bsim_buffer_free(&launch->text);
    bsim_buffer_free(&launch->chosen);
}

/* With the block that is chosen behind k others, and larger sizes; false: there is no such. */
static bool make_launch(const struct proposal *kernel, uint32_t k, uint32_t larger, struct told_launch *launch)
{
    *launch = (struct told_launch){BSIM_BUFFER_EMPTY, BSIM_BUFFER_EMPTY, *kernel};
    struct proposal *p = &launch->p;
    p->larger = larger;
    bsim_cu_choose_block(p);
    if (k > 0 && ((p->chosen & CHOSE_BLOCK) == 0 || !bsim_cu_choose_fewer(p, k))) {
        return false;
    }
    bsim_cu_choose_shape(p);
    bsim_cu_count_unknown(p);
    bsim_buffer_text(&launch->text, "\n");
    add_launch(p, &launch->text);
    bsim_buffer_text(&launch->text, "\n");
    add_chosen(p, &launch->chosen);
    launch->text.failed = launch->text.failed || launch->chosen.failed;
    return true;
}

static const char *chosen_of(const struct told_launch *launch)
{
    return launch->chosen.data != NULL ? launch->chosen.data : "";
}

/* Puts in the place of a launch that faults the first one that does not, of larger sizes where its argument ends or
 * dynamic memory does, of fewer threads else; false: none is found. */
static bool find_other(struct telling *telling, const struct proposal *kernel, struct told_launch *launch,
                       const struct bsim_error *why)
{
    struct bsim_error other = *why;
    struct told_launch next;
    uint32_t k = 0, larger = 0;
    bool is_found = false, is_there = true;
    while (!is_found && is_there) {
        bool is_sized = strstr(other.message, "argument") != NULL ? (launch->p.chosen & CHOSE_SIZES) != 0
                                                                  : (launch->p.chosen & CHOSE_BYTES) != 0;
        k += !is_sized || larger == MOST_LARGER;
        larger = is_sized && larger < MOST_LARGER ? larger + 1 : 0;
        is_there = make_launch(kernel, k, larger, &next) && !next.text.failed;
        if (is_there) {
            next.text.data[next.text.size_bytes - 1] = '\0';
            is_found = !faults(telling, &next.p, next.text.data + 1, &other);
            next.text.data[next.text.size_bytes - 1] = '\n';
        }
        if (is_found) {
            struct told_launch worse = *launch;
            *launch = next;
            next = worse;
        }
        free_launch(&next);
    }
    return is_found;
}

/* Tells the launch if it was not told yet. */
static bool tell_once(struct telling *telling, const struct proposal *kernel, struct told_launch *launch)
{
    struct bsim_buffer line = BSIM_BUFFER_EMPTY, *text = &launch->text;
    struct bsim_error why;
    bsim_buffer_add(&line, text->data, (size_t)(strstr(text->data, "<<<") - text->data));
    bsim_buffer_text(&line, "\n");
    bool is_new = !line.failed && !is_again(&telling->told, text);
    text->data[text->size_bytes - 1] = '\0';
    is_new = is_new && is_read(telling, text->data + 1, chosen_of(launch), &line);
    if (is_new && faults(telling, &launch->p, text->data + 1, &why)) {
        text->data[text->size_bytes - 1] = '\n';
        bool is_found = find_other(telling, kernel, launch, &why);
        is_new = is_found && !is_again(&telling->told, text);
        text->data[text->size_bytes - 1] = '\0';
        if (!is_found) {
            telling->listener->refuse(telling->listener->context, text->data + 1, chosen_of(launch), &why);
        }
    }
    if (is_new) {
        telling->listener->tell(telling->listener->context, text->data + 1, chosen_of(launch));
    }
    telling->told.failed = telling->told.failed || line.failed;
    bsim_buffer_free(&line);
    return is_new;
}

/* Tells what was not told yet; *n counts these. */
static enum bsim_status tell(struct proposal *p, struct telling *telling, size_t *n,
                             struct bsim_error *err)
{
    struct told_launch launch;
    (void)make_launch(p, 0, 0, &launch);
    enum bsim_status status = bsim_buffer_status(&launch.text, err);
    if (status == BSIM_OK) {
        *n += tell_once(telling, p, &launch);
        telling->told.failed =
            telling->told.failed || telling->of.failed || telling->refused.failed;
        status = bsim_buffer_status(&telling->told, err);
    }
    free_launch(&launch);
    return status;
}

/* The other turns of the loops around a launch, each loop by itself, until some in a row are told already. */
static enum bsim_status tell_turns(const struct proposal *kernel, size_t i, uint32_t known,
                                   struct telling *telling, size_t *n, struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    size_t open = bsim_cu_loop_around(kernel->host, i);
    for (; open > 0; open = bsim_cu_loop_around(kernel->host, open - 1)) {
        struct cu_turns turns;
        uint32_t n_again = bsim_cu_first_turn(kernel->host, open, &turns) ? 0 : MOST_AGAIN;
        while (n_again < MOST_AGAIN && *n < MOST_LAUNCHES && status == BSIM_OK &&
               bsim_cu_next_turn(&turns)) {
            struct proposal p = *kernel;
            size_t before = *n;
            p.host = &turns.host;
            if (read_launch(&p, i) && known_of(&p) == known && !bsim_cu_is_skipped(p.host, i)) {
                status = tell(&p, telling, n, err);
            }
            n_again = *n > before ? 0 : n_again + 1;
        }
    }
    return status;
}

/* The launches of a kernel, those first of which most is known, and then what loops make of them; where nobody
 * launches it, one that is chosen. */
static enum bsim_status tell_launches(const struct proposal *kernel, struct telling *telling,
                                      struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    bool is_launched = false;
    size_t n = 0;
    for (uint32_t pass = 6; pass-- > 0;) {
        uint32_t known = pass % 3;
        for (size_t i = 0; i + 3 < kernel->host->n && n < MOST_LAUNCHES && status == BSIM_OK; i++) {
            struct proposal p = *kernel;
            if (read_launch(&p, i) && known_of(&p) == known && !is_other_case(p.host, i)) {
                bool is_first = pass >= 3 && !bsim_cu_is_skipped(p.host, i);
                status = is_first    ? tell(&p, telling, &n, err)
                         : pass >= 3 ? BSIM_OK
                                     : tell_turns(kernel, i, known, telling, &n, err);
                is_launched = is_launched || is_first || n > 0;
            }
        }
    }
    struct proposal p = *kernel;
    return is_launched || status != BSIM_OK ? status : tell(&p, telling, &n, err);
}

enum bsim_status bsim_cuda_propose(const char *name, const char *text, size_t length,
                                   const struct bsim_cuda_headers *headers,
                                   const struct bsim_cuda_listener *listener,
                                   struct bsim_error *err)
{
    struct cu_file file;
    struct cu_host host = {.n = 0};
    struct proposal p;
    struct telling telling = {.listener = listener,
                              .file = &file,
                              .headers = headers,
                              .told = BSIM_BUFFER_EMPTY,
                              .of = BSIM_BUFFER_EMPTY,
                              .ptx = BSIM_BUFFER_EMPTY,
                              .refused = BSIM_BUFFER_EMPTY};
    if (bsim_cu_begin(&file, name, text, length, headers, err)) {
        bsim_cu_host(&file, &host);
        bsim_cu_find_writes(&host);
    }
    enum bsim_status status = file.status;
    for (size_t i = 0; i < host.n && status == BSIM_OK; i++) {
        if (bsim_cu_at(&host, i, "__global__") && find_kernel(&host, i, &p)) {
            status = tell_launches(&p, &telling, err);
        }
    }
    bsim_arena_free(&file.arena);
    bsim_buffer_free(&telling.told);
    bsim_buffer_free(&telling.of);
    bsim_buffer_free(&telling.ptx);
    bsim_buffer_free(&telling.refused);
    return status;
}
