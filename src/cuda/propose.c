/* propose.c - the launches that a file's host code makes, as bsim_ptx_call_new takes them; and what is put
 * in place of what it does not say.
 *
 * __global__ void transpose(float *out, const float *in, int n)      transpose<<<dim3(4, 4), dim3(32, 8)>>>(
 * dim3 grid(n / 32, n / 32), block(32, 8); ...                   ->      float[16384], float[16384] = iota, 128)
 * transpose<<<grid, block>>>(out, in, n);
 *
 * Kernels and launches are found among the tokens, in templates too: what a kernel does is not read.
 */
#include <banksim/cuda.h>

#include "cuda/deal.h"
#include "cuda/host.h"

#include <inttypes.h>

enum {
    CHOSEN_BLOCK = 256,
    MOST_THREADS = 1024,
    MOST_LAUNCHES = 8, /* of one kernel */
    BYTES_OF_THREAD = 32, /* of dynamic shared memory */
    LEAST_ELEMENTS = 1024,
    MOST_ELEMENTS = 1 << 24,
    MOST_OF_THREE = 1 << 22,
    MOST_SIDE_OF_THREE = 128,
    MOST_SIDE_OF_MORE = 16
};

/* What was chosen here. */
enum {
    CHOSE_GRID = 1,
    CHOSE_BLOCK = 2,
    CHOSE_BYTES = 4,
    CHOSE_SIZES = 8,
    CHOSE_NUMBERS = 16,
    CHOSE_TYPES = 32,
    CHOSE_TEMPLATE = 64
};

enum { MOST_OPEN = 8 };

/* A template's parameter that is a type, and what stands for it. */
struct open_type {
    const struct cu_token *name;
    const char *element;
    uint32_t bytes;
};

/* A kernel, and a launch of it. */
struct proposal {
    const struct cu_host *host;
    const struct cu_token *name;
    size_t parameters, body; /* their brackets */
    size_t bounds;           /* what stands in the brackets of __launch_bounds__; 0: nothing */
    size_t open;             /* the '<' of its template; 0: it is none */
    struct open_type type[MOST_OPEN];
    size_t n_types;
    size_t launch;    /* the token behind its name there; 0: nobody launches it */
    size_t arguments; /* the bracket of these */
    struct cu_known grid, block, bytes;
    bool has_bytes;   /* the launch says some */
    size_t n_unknown; /* of the parameters that are whole numbers */
    uint32_t chosen;
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

/* Behind the arguments of a template that begin at i. */
static size_t behind_angles(const struct cu_host *host, size_t i)
{
    if (!bsim_cu_at(host, i, "<")) {
        return i;
    }
    for (i++; i < host->n && !bsim_cu_at_any(host, i, "> ;"); i++) {
    }
    return i + 1;
}

/* Behind what stands between <<< and >>>; host->n: nothing ends it. */
static size_t behind_shape(const struct cu_host *host, size_t i)
{
    while (i < host->n && !(bsim_cu_at(host, i, ">>") && bsim_cu_at(host, i + 1, ">")) &&
           !bsim_cu_at(host, i, ";")) {
        i = bsim_cu_at_any(host, i, "( {") ? bsim_cu_behind(host, i) : i + 1;
    }
    return bsim_cu_at(host, i, ">>") ? i + 2 : host->n;
}

/* The end of an item of the shape. */
static size_t shape_item(const struct cu_host *host, size_t i, size_t end)
{
    return i < end ? bsim_cu_item_end(host, i, end) : end;
}

static void read_shape(struct proposal *p, size_t begin, size_t end)
{
    struct cu_known *const of[] = {&p->grid, &p->block, &p->bytes};
    for (size_t k = 0; k < 3; k++) {
        size_t item = shape_item(p->host, begin, end);
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
    size_t at = behind_angles(host, i + 1);
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

/* ---- what is chosen -------------------------------------------------------------------------- */

static bool body_has(const struct proposal *p, const char *first, const char *behind)
{
    size_t end = bsim_cu_behind(p->host, p->body);
    for (size_t i = p->body; i + 2 < end; i++) {
        if (bsim_cu_at(p->host, i, first) &&
            (behind == NULL || bsim_cu_at(p->host, i + 2, behind))) {
            return true;
        }
    }
    return false;
}

/* The dimensions of the first static shared array, whose name is token *array; 0 for none. */
static uint32_t shared_dimensions(const struct proposal *p, size_t *array, int64_t size[2])
{
    const struct cu_host *host = p->host;
    size_t i = p->body, end = bsim_cu_behind(host, i);
    uint32_t n = 0;
    while (i < end && !(bsim_cu_at(host, i, "__shared__") && !bsim_cu_at(host, i - 1, "extern"))) {
        i++;
    }
    while (i < end && !bsim_cu_at_any(host, i, "[ ;")) {
        i++;
    }
    *array = i - 1;
    while (n < 2 && bsim_cu_at(host, i, "[")) {
        size_t behind = bsim_cu_behind(host, i);
        struct cu_known known = bsim_cu_known(host, i + 1, behind - 1);
        if (!known.is_known) {
            return 0;
        }
        size[n++] = known.number[0];
        i = behind;
    }
    return n;
}

static struct cu_known cube(int64_t x, int64_t y)
{
    return (struct cu_known){.is_known = true, .is_dim3 = y > 1, .number = {x, y, 1}};
}

/* Where the body calls a function of that name; its end: nowhere. */
static size_t find_call(const struct cu_host *host, size_t body, size_t end,
                        const struct cu_token *name)
{
    while (body < end && !(bsim_cu_same_text(host->token[body], name) &&
                           bsim_cu_at_any(host, body + 1, "( <"))) {
        body++;
    }
    return body;
}

/* Where the kernel has no shared array, but calls a function that has: what that function is. *side is the first
 * argument in angles, tile<16>(...), if it can be a tile's. */
static struct proposal with_arrays(const struct proposal *p, int64_t *side)
{
    const struct cu_host *host = p->host;
    size_t end = bsim_cu_behind(host, p->body), call = end;
    struct proposal found = *p, called = *p;
    if (body_has(p, "__shared__", NULL)) {
        return found;
    }
    for (size_t i = 0; i + 1 < host->n; i++) { /* the first call, of those of all functions */
        bool may_be = host->token[i]->kind == CU_NAME && bsim_cu_at(host, i + 1, "(");
        called.body = may_be ? bsim_cu_behind(host, i + 1) : 0;
        if (called.body > 0 && bsim_cu_at(host, called.body, "{") &&
            body_has(&called, "__shared__", NULL)) {
            size_t at = find_call(host, p->body, call, host->token[i]);
            found = at < call ? called : found;
            call = at;
        }
    }
    if (call < end) {
        size_t item = bsim_cu_item_end(host, call + 2, behind_angles(host, call + 1) - 1);
        struct cu_known said = bsim_cu_known(host, call + 2, item);
        bool is_side = bsim_cu_at(host, call + 1, "<") && said.is_known && !said.is_dim3 &&
                       said.number[0] >= 4 && said.number[0] <= 32;
        *side = is_side ? said.number[0] : *side;
    }
    return found;
}

/* As the threads of a kernel are dealt out to its first shared array, or mostly are. */
static void choose_block(struct proposal *p)
{
    int64_t size[2], side = 16;
    size_t array;
    const struct proposal in = with_arrays(p, &side);
    uint32_t n = shared_dimensions(&in, &array, size);
    struct cu_dealt dealt = bsim_cu_dealt(p->host, in.body, array, size, n);
    side = n == 2 ? (size[0] < size[1] ? size[0] : size[1]) : side;
    bool is_flat = !body_has(&in, "threadIdx", "y");
    p->chosen |= CHOSE_BLOCK;
    if (!is_flat) {
        side = side >= 4 && side <= 32 ? side : 16;
        bool fits = dealt.x > 0 && dealt.y > 0 && dealt.x <= MOST_THREADS / dealt.y;
        p->block = fits ? cube(dealt.x, dealt.y) : cube(side, side);
    } else {
        int64_t all = n == 2 ? size[0] * size[1] : 0; /* a thread for each element */
        bool fits = n > 0 && size[0] >= 32 && size[0] <= MOST_THREADS;
        int64_t most = fits ? size[0] : all >= 32 && all < CHOSEN_BLOCK ? all : CHOSEN_BLOCK;
        p->block = cube(dealt.x > 0 && dealt.x <= MOST_THREADS ? dealt.x : most, 1);
    }
}

/* __launch_bounds__(128): so many threads, mostly, and no more. */
static void keep_bounds(struct proposal *p)
{
    if (p->bounds == 0) {
        return;
    }
    size_t end = bsim_cu_behind(p->host, p->bounds - 1) - 1;
    struct cu_known most = bsim_cu_known(p->host, p->bounds, shape_item(p->host, p->bounds, end));
    int64_t n = most.number[0], x = p->block.number[0];
    if (!most.is_known || n < 1 || n > MOST_THREADS) {
        return;
    }
    if (!p->block.is_dim3) {
        p->block = cube(n, 1);
    } else if (x * p->block.number[1] > n) {
        p->block = cube(x < n ? x : n, x < n ? n / x : 1);
    }
}

static int64_t threads_of(const struct cu_known *of)
{
    int64_t n = 1;
    for (size_t i = 0; i < 3; i++) {
        n *= of->number[i] > 0 && of->number[i] < MOST_ELEMENTS ? of->number[i] : 1;
        n = n < MOST_ELEMENTS ? n : MOST_ELEMENTS;
    }
    return n;
}

static void choose_shape(struct proposal *p)
{
    if (!p->block.is_known) {
        choose_block(p);
        keep_bounds(p);
    }
    if (!p->grid.is_known) {
        p->grid = cube(1, 1);
        p->chosen |= CHOSE_GRID;
    }
    bool is_dynamic =
        p->has_bytes || (body_has(p, "extern", NULL) && body_has(p, "__shared__", NULL));
    if (is_dynamic && (!p->bytes.is_known || p->bytes.number[0] == 0)) {
        p->bytes = cube(BYTES_OF_THREAD * threads_of(&p->block), 1);
        p->chosen |= CHOSE_BYTES;
    }
}

/* ---- arguments ------------------------------------------------------------------------------- */

/* A parameter, and what the launch passes for it: tokens begin to end, none if nobody launches it. */
struct passed {
    size_t type, type_end; /* without its name and star */
    bool is_pointer, is_const;
    size_t begin, end;
};

/* Parameter k, counted from 0; false behind the last one. */
static bool find_parameter(const struct proposal *p, size_t k, struct passed *passed)
{
    const struct cu_host *host = p->host;
    size_t end = bsim_cu_behind(host, p->parameters) - 1, i = p->parameters + 1;
    for (; k > 0 && i < end; k--) {
        i = bsim_cu_item_end(host, i, end) + 1;
    }
    if (i >= end || bsim_cu_at(host, i, "void")) {
        bool is_pointer = i + 1 < end && bsim_cu_at(host, i + 1, "*");
        if (i >= end || !is_pointer) {
            return false;
        }
    }
    size_t behind = bsim_cu_item_end(host, i, end);
    *passed = (struct passed){.type = i, .type_end = behind};
    for (size_t t = i; t < behind; t++) {
        bool is_bracket = bsim_cu_at(host, t, "[");
        if (bsim_cu_at(host, t, "*") || is_bracket) {
            passed->type_end = passed->is_pointer ? passed->type_end : t;
            passed->is_pointer = true;
        }
        passed->is_const |= bsim_cu_at(host, t, "const") && !passed->is_pointer;
    }
    return true;
}

static void find_argument(const struct proposal *p, size_t k, struct passed *passed)
{
    const struct cu_host *host = p->host;
    if (p->launch == 0) {
        return;
    }
    size_t end = bsim_cu_behind(host, p->arguments) - 1, i = p->arguments + 1;
    for (; k > 0 && i < end; k--) {
        i = bsim_cu_item_end(host, i, end) + 1;
    }
    passed->begin = i;
    passed->end = i < end ? bsim_cu_item_end(host, i, end) : i;
}

/* What an array of the parameter's type is made of, of a template's types what stands for them; NULL: unknown. */
static const char *element_of(const struct proposal *p, const struct passed *passed,
                              uint32_t *bytes)
{
    const char *element = bsim_cu_element(p->host, passed->type, passed->type_end, bytes);
    for (size_t i = passed->type; i < passed->type_end && element == NULL; i++) {
        for (size_t k = 0; k < p->n_types; k++) {
            if (p->type[k].name != NULL && bsim_cu_same_text(p->host->token[i], p->type[k].name)) {
                *bytes = p->type[k].bytes;
                return p->type[k].element;
            }
        }
    }
    return element;
}

static bool is_real(const char *element)
{
    return element != NULL &&
           (strncmp(element, "float", 5) == 0 || strncmp(element, "double", 6) == 0);
}

/* Whether what is passed is a whole number that nobody knows; *is_flag: of one byte. */
static bool is_unknown(const struct proposal *p, const struct passed *passed, bool *is_flag)
{
    uint32_t bytes;
    const char *element = element_of(p, passed, &bytes);
    struct cu_known known = bsim_cu_known(p->host, passed->begin, passed->end);
    *is_flag = element != NULL && bytes == 1;
    return !passed->is_pointer && !is_real(element) && (!known.is_known || known.is_dim3);
}

static void count_unknown(struct proposal *p)
{
    struct passed passed;
    for (size_t k = 0; find_parameter(p, k, &passed); k++) {
        bool is_flag;
        find_argument(p, k, &passed);
        p->n_unknown += is_unknown(p, &passed, &is_flag) && !is_flag;
    }
}

/* The number that is passed, or one that is chosen: as many as there are threads in a row, fewer where arrays
 * may have the product of many such; of a byte 1. */
static int64_t number_of(struct proposal *p, const struct passed *passed)
{
    bool is_flag;
    if (!is_unknown(p, passed, &is_flag)) {
        return bsim_cu_known(p->host, passed->begin, passed->end).number[0];
    }
    int64_t all = p->grid.number[0] * p->block.number[0];
    int64_t most = p->n_unknown < 3    ? all
                   : p->n_unknown == 3 ? MOST_SIDE_OF_THREE
                                       : MOST_SIDE_OF_MORE;
    p->chosen |= CHOSE_NUMBERS;
    return is_flag ? 1 : all < most ? all : most;
}

/* Puts n into the numbers, of which the largest is the first. */
static void keep_largest(uint64_t largest[3], uint64_t n)
{
    for (size_t i = 0; i < 3; i++) {
        uint64_t other = largest[i];
        largest[i] = n > other ? n : other;
        n = n > other ? other : n;
    }
}

/* Elements of an array that nobody allocates in sight: four for each thread, or the product of the three
 * largest numbers that are passed, if that is not too much, or else of two; with the threads of a block for
 * the second one, where numbers are not known. */
static uint64_t elements_of(struct proposal *p)
{
    uint64_t largest[3] = {1, 1, 1};
    uint64_t least = 4 * (uint64_t)threads_of(&p->grid) * (uint64_t)threads_of(&p->block);
    struct passed passed;
    for (size_t k = 0; find_parameter(p, k, &passed); k++) {
        uint32_t bytes;
        const char *element = element_of(p, &passed, &bytes);
        find_argument(p, k, &passed);
        if (passed.is_pointer || element == NULL || element[0] == 'f' || element[0] == 'd') {
            continue;
        }
        int64_t number = number_of(p, &passed);
        keep_largest(largest, number > 0 && number < MOST_ELEMENTS ? (uint64_t)number : 1);
    }
    bool is_chosen = (p->chosen & CHOSE_NUMBERS) != 0; /* perhaps what each thread reads */
    uint64_t n = largest[0] * (is_chosen ? (uint64_t)threads_of(&p->block) : largest[1]);
    n *= n <= MOST_OF_THREE / largest[2] ? largest[2] : 1;
    n = n > least ? n : least;
    return n < LEAST_ELEMENTS ? LEAST_ELEMENTS : n > MOST_ELEMENTS ? MOST_ELEMENTS : n;
}

/* How many elements behind an array's begin the host passes a pointer, d_in + 4 or &d_in[4]; *name: the array's token. */
static uint64_t first_passed(const struct proposal *p, const struct passed *passed, size_t *name)
{
    const struct cu_host *host = p->host;
    bool is_address = bsim_cu_at(host, passed->begin, "&");
    size_t sign = passed->begin + is_address + 1;
    *name = passed->begin + is_address;
    if (passed->end < sign + 2 || !bsim_cu_at(host, sign, is_address ? "[" : "+")) {
        return 0;
    }
    struct cu_known known = bsim_cu_known(host, sign + 1, passed->end - is_address);
    bool is_good = known.is_known && !known.is_dim3 && known.number[0] > 0;
    return is_good && known.number[0] < MOST_ELEMENTS ? (uint64_t)known.number[0] : 0;
}

/* A pointer: the array that it leads to, or into, as large as the host allocates it. */
static void add_array(struct proposal *p, const struct passed *passed, struct bsim_buffer *out)
{
    uint32_t bytes;
    const char *element = element_of(p, passed, &bytes);
    uint64_t n = 0;
    if (element == NULL) {
        element = "float";
        bytes = 4;
        p->chosen |= CHOSE_TYPES;
    }
    size_t name;
    uint64_t first = first_passed(p, passed, &name);
    if (passed->begin + 1 == passed->end || first > 0) {
        n = bsim_cu_allocated(p->host, name, p->host->token[name]) / bytes;
    }
    if (n <= first) {
        n = elements_of(p) + 2 * first;
        p->chosen |= CHOSE_SIZES;
    }
    bsim_buffer_printf(out, "%s[%" PRIu64 "]", element, n);
    if (first > 0) {
        bsim_buffer_printf(out, " + %" PRIu64, first);
    }
    bsim_buffer_text(out, passed->is_const ? " = iota" : "");
}

/* The '{' of the struct that one of tokens begin to end names; 0: none is in the file. */
static size_t find_struct(const struct cu_host *host, size_t begin, size_t end)
{
    for (size_t i = 2; i + 1 < host->n; i++) {
        size_t at = begin;
        while (at < end && !bsim_cu_same_text(host->token[i], host->token[at])) {
            at++;
        }
        bool is_it = at < end && host->token[i]->kind == CU_NAME;
        if (is_it && bsim_cu_at(host, i - 1, "struct") && bsim_cu_at(host, i + 1, "{")) {
            return i + 1;
        }
        if (is_it && bsim_cu_at(host, i - 1, "}") && bsim_cu_at(host, i + 1, ";")) {
            return bsim_cu_opening(host, i - 1);
        }
    }
    return 0;
}

/* As many as there are threads in a row; of what is no whole number 1. */
static int64_t chosen_number(struct proposal *p, const char *element)
{
    p->chosen |= CHOSE_NUMBERS;
    return is_real(element) ? 1 : p->grid.number[0] * p->block.number[0];
}

/* A member of that type: an array, or a number. */
static void add_member(struct proposal *p, const char *element, bool is_pointer,
                       struct bsim_buffer *out)
{
    if (is_pointer) {
        p->chosen |= CHOSE_SIZES;
        bsim_buffer_printf(out, "%s[%" PRIu64 "]", element, elements_of(p));
    } else {
        bsim_buffer_printf(out, "%s %" PRId64, element, chosen_number(p, element));
    }
}

/* {int 16, int 16, float[1024]}: all members of the struct whose '{' is token i. False: there are others. */
static bool add_struct(struct proposal *p, size_t i, struct bsim_buffer *out)
{
    const struct cu_host *host = p->host;
    const char *separator = "{";
    size_t end = bsim_cu_behind(host, i) - 1;
    for (i++; i < end; i++) {
        uint32_t bytes;
        const char *element = NULL;
        bool is_pointer = false;
        for (size_t begin = i; !bsim_cu_at(host, i, ";"); i++) {
            bool ends = bsim_cu_at_any(host, i + 1, ", ;");
            element = element != NULL ? element : bsim_cu_element(host, begin, i + 1, &bytes);
            is_pointer = is_pointer || bsim_cu_at(host, i, "*");
            if (i == end || bsim_cu_at_any(host, i, "( [") || (ends && element == NULL)) {
                return false;
            }
            if (ends) {
                bsim_buffer_text(out, separator);
                add_member(p, element, is_pointer, out);
                separator = ", ";
                is_pointer = false;
            }
        }
    }
    bsim_buffer_text(out, "}");
    return separator[0] == ',';
}

/* int2: {int 16, int 16} */
static void add_vector(struct proposal *p, const char *element, struct bsim_buffer *out)
{
    size_t length = strlen(element) - 1;
    const char *separator = "{";
    for (char n = '0'; n < element[length]; n++, separator = ", ") {
        bsim_buffer_printf(out, "%s%.*s %" PRId64, separator, (int)length, element,
                           chosen_number(p, element));
    }
    bsim_buffer_text(out, "}");
}

static void add_argument(struct proposal *p, const struct passed *passed, struct bsim_buffer *out)
{
    uint32_t bytes;
    const char *element = element_of(p, passed, &bytes);
    size_t size = out->size_bytes, of = 0;
    if (element == NULL && !passed->is_pointer) {
        of = find_struct(p->host, passed->type, passed->type_end);
    }
    if (of > 0 && add_struct(p, of, out)) {
        return;
    }
    out->size_bytes = size;
    if (passed->is_pointer) {
        add_array(p, passed, out);
    } else if (element != NULL && strpbrk(element, "234") != NULL) {
        add_vector(p, element, out);
    } else if (is_real(element)) {
        const struct cu_token *real = bsim_cu_known_real(p->host, passed->begin, passed->end);
        p->chosen |= real == NULL ? CHOSE_NUMBERS : 0;
        bsim_buffer_printf(out, "%.*s", real != NULL ? (int)real->length : 3,
                           real != NULL ? real->text : "1.0");
    } else {
        bsim_buffer_printf(out, "%" PRId64, number_of(p, passed));
    }
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

/* ---- a template's arguments ------------------------------------------------------------------ */

/* Whether the name is a parameter of a template of the file, so that it stands for nothing here. */
static bool is_open(const struct cu_host *host, const struct cu_token *name)
{
    for (size_t i = 0; i + 1 < host->n; i++) {
        if (!bsim_cu_at(host, i, "template") || !bsim_cu_at(host, i + 1, "<")) {
            continue;
        }
        for (i += 2; i + 1 < host->n && !bsim_cu_at_any(host, i, "> ;"); i++) {
            bool is_last = bsim_cu_at_any(host, i + 1, ", > =");
            if (is_last && bsim_cu_same_text(host->token[i], name)) {
                return true;
            }
        }
    }
    return false;
}

/* The type that the launch's arguments give the template's: of those that it is passed for, what the first is
 * declared as. */
static const char *deduced(const struct proposal *p, const struct cu_token *name, uint32_t *bytes)
{
    const struct cu_host *host = p->host;
    struct passed passed;
    for (size_t k = 0; p->launch > 0 && find_parameter(p, k, &passed); k++) {
        bool has_it = false;
        for (size_t i = passed.type; i < passed.type_end; i++) {
            has_it = has_it || bsim_cu_same_text(host->token[i], name);
        }
        find_argument(p, k, &passed);
        for (size_t i = p->launch; i > 1 && has_it && passed.begin + 1 == passed.end; i--) {
            size_t begin = i - 1;
            if (!bsim_cu_same_text(host->token[i], host->token[passed.begin]) ||
                host->token[i]->kind != CU_NAME) {
                continue;
            }
            while (begin > 0 &&
                   (host->token[begin]->kind == CU_NAME || bsim_cu_at_any(host, begin, "* ,"))) {
                begin--;
            }
            const char *element = bsim_cu_element(host, begin, i, bytes);
            if (element != NULL) {
                return element;
            }
        }
    }
    return NULL;
}

/* Tokens as they stand; false: names in them stand for nothing here, or there are none. */
static bool add_said(const struct cu_host *host, size_t begin, size_t end, struct bsim_buffer *out)
{
    for (size_t i = begin; i < end; i++) {
        if (is_open(host, host->token[i])) {
            return false;
        }
    }
    for (size_t i = begin; i < end; i++) {
        bool is_word =
            i > begin && host->token[i]->kind == CU_NAME && host->token[i - 1]->kind == CU_NAME;
        bsim_buffer_printf(out, "%s%.*s", is_word ? " " : "", (int)host->token[i]->length,
                           host->token[i]->text);
    }
    return begin < end;
}

/* Whether it is made of what host code declares: n, x.value. */
static bool is_computed(const struct cu_host *host, size_t begin, size_t end)
{
    size_t from, to;
    bool is_dim3, is_it = false;
    for (size_t i = begin; i < end && !is_it; i++) {
        is_it = bsim_cu_at(host, i, ".") ||
                (host->token[i]->kind == CU_NAME &&
                 bsim_cu_declared(host, i, host->token[i], &from, &to, &is_dim3));
    }
    return is_it;
}

/* Whether the kernel declares an array of which the number of that name is a side: [N][N], [M * N], or [N] of one that
 * each thread has; *is_shared: a shared one. */
static bool is_side(const struct proposal *p, const struct cu_token *name, bool *is_shared)
{
    const struct cu_host *host = p->host;
    size_t end = bsim_cu_behind(host, p->body);
    for (size_t i = p->body; i + 2 < end; i++) {
        bool is_array = host->token[i]->kind == CU_NAME && host->token[i + 1]->kind == CU_NAME &&
                        bsim_cu_at(host, i + 2, "[");
        size_t n = 0, n_others = 0, k = i + 3;
        for (; is_array && k < end && !bsim_cu_at_any(host, k, "; , ="); k++) {
            n += bsim_cu_same_text(host->token[k], name);
            n_others += bsim_cu_at_any(host, k, "* [");
        }
        *is_shared = bsim_cu_at(host, i - 1, "__shared__");
        if (n > 0 && (n_others > 0 || !*is_shared)) {
            return true;
        }
    }
    return false;
}

/* A number of a template of which nothing is known: the block's threads in a row; of a tile a side, which is
 * 16 where it is the only number, and else 128, of what each thread has and of the depth (BK) 8. */
static int64_t chosen_side(const struct proposal *p, const struct cu_token *name)
{
    bool is_shared = false;
    if (name == NULL || !is_side(p, name, &is_shared)) {
        return p->block.number[0];
    }
    bool is_only = behind_angles(p->host, p->open) ==
                   bsim_cu_item_end(p->host, p->open + 1, behind_angles(p->host, p->open));
    char last = name->text[name->length - 1];
    return is_only ? 16 : is_shared && last != 'K' && last != 'k' ? 128 : 8;
}

/* A parameter that is a number, and its name. */
static void add_number(struct proposal *p, size_t i, const struct cu_token *name, size_t begin,
                       size_t end, struct bsim_buffer *out)
{
    struct cu_known known = bsim_cu_known(p->host, begin, end);
    if (begin < end && !known.is_known && !is_computed(p->host, begin, end) &&
        add_said(p->host, begin, end, out)) {
        return;
    }
    bool is_chosen = begin == end || !known.is_known;
    p->chosen |= is_chosen ? CHOSE_TEMPLATE : 0;
    if (bsim_cu_at(p->host, i, "bool")) {
        bsim_buffer_text(out, is_chosen || known.number[0] != 0 ? "true" : "false");
    } else {
        bsim_buffer_printf(out, "%" PRId64, is_chosen ? chosen_side(p, name) : known.number[0]);
    }
}

/* What stands for a type of which nothing is known but its name: float, or int for index_t and its kin. */
static const char *guessed(const struct cu_token *name)
{
    static const char *const words[] = {"ind", "Ind", "idx", "Idx", "int", "Int"};
    for (size_t i = 0; i + 3 <= name->length; i++) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            if (memcmp(name->text + i, words[k], 3) == 0) {
                return "int";
            }
        }
    }
    return "float";
}

/* A parameter that is a type. */
static void add_type(struct proposal *p, const struct cu_token *name, size_t begin, size_t end,
                     struct bsim_buffer *out)
{
    uint32_t bytes = 0;
    bool is_said = add_said(p->host, begin, end, out);
    const char *element =
        is_said ? bsim_cu_element(p->host, begin, end, &bytes) : deduced(p, name, &bytes);
    if (!is_said) {
        p->chosen |= element == NULL ? CHOSE_TEMPLATE : 0;
        bytes = element != NULL ? bytes : 4;
        element = element != NULL ? element : guessed(name);
        bsim_buffer_text(out, element);
    }
    if (p->n_types < MOST_OPEN && element != NULL) {
        p->type[p->n_types++] = (struct open_type){name, element, bytes};
    }
}

/* "k<16, float>": what the launch says, what its arguments tell, or what is chosen; defaults are left out. */
static void add_name(struct proposal *p, struct bsim_buffer *out)
{
    const struct cu_host *host = p->host;
    size_t said =
        p->launch > 0 && bsim_cu_at(host, p->launch, "<") && !bsim_cu_at(host, p->launch, "<<")
            ? p->launch + 1
            : 0;
    size_t said_end = said > 0 ? behind_angles(host, p->launch) - 1 : 0;
    const char *separator = "<";
    bsim_buffer_add(out, p->name->text, p->name->length);
    for (size_t i = p->open; i > 0 && i + 1 < host->n && !bsim_cu_at(host, i, ">");) {
        size_t behind = i + 1, item = said < said_end ? said : said_end;
        bool has_default = false;
        while (behind < host->n && !bsim_cu_at_any(host, behind, ", >")) {
            has_default = has_default || bsim_cu_at(host, behind, "=");
            behind++;
        }
        said = item < said_end ? bsim_cu_item_end(host, item, said_end) : item;
        if (has_default && item == said) {
            break;
        }
        bsim_buffer_text(out, separator);
        bool is_type = bsim_cu_at_any(host, i + 1, "typename class");
        if (is_type) {
            add_type(p, host->token[i + 2], item, said, out);
        } else {
            add_number(p, i + 1, host->token[behind - 1], item, said, out);
        }
        separator = ", ";
        said += said < said_end;
        i = behind;
    }
    bsim_buffer_text(out, separator[0] == ',' ? ">" : "");
}

/* ---- the launch ------------------------------------------------------------------------------ */

static void add_launch(struct proposal *p, struct bsim_buffer *out)
{
    struct passed passed;
    add_name(p, out);
    bsim_buffer_text(out, "<<<");
    add_shape(&p->grid, out);
    bsim_buffer_text(out, ", ");
    add_shape(&p->block, out);
    if (p->bytes.is_known && p->bytes.number[0] > 0) {
        bsim_buffer_printf(out, ", %" PRId64, p->bytes.number[0]);
    }
    bsim_buffer_text(out, ">>>(");
    for (size_t k = 0; find_parameter(p, k, &passed); k++) {
        find_argument(p, k, &passed);
        bsim_buffer_text(out, k > 0 ? ", " : "");
        add_argument(p, &passed, out);
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
    struct bsim_buffer told;
};

/* Tells what was not told yet; *n counts these. */
static enum bsim_status tell(struct proposal *p, struct telling *telling, size_t *n,
                             struct bsim_error *err)
{
    struct bsim_buffer launch = BSIM_BUFFER_EMPTY, chosen = BSIM_BUFFER_EMPTY;
    choose_shape(p);
    count_unknown(p);
    bsim_buffer_text(&launch, "\n");
    add_launch(p, &launch);
    bsim_buffer_text(&launch, "\n");
    add_chosen(p, &chosen);
    enum bsim_status status = bsim_buffer_status(&launch, err);
    status = status == BSIM_OK ? bsim_buffer_status(&chosen, err) : status;
    if (status == BSIM_OK &&
        (telling->told.data == NULL || strstr(telling->told.data, launch.data) == NULL)) {
        bsim_buffer_add(&telling->told, launch.data, launch.size_bytes);
        launch.data[launch.size_bytes - 1] = '\0';
        telling->listener->tell(telling->listener->context, launch.data + 1,
                                chosen.data != NULL ? chosen.data : "");
        status = bsim_buffer_status(&telling->told, err);
        *n += 1;
    }
    bsim_buffer_free(&launch);
    bsim_buffer_free(&chosen);
    return status;
}

/* The launches of a kernel, those first of which most is known; where nobody launches it, one that is chosen. */
static enum bsim_status tell_launches(const struct proposal *kernel, struct telling *telling,
                                      struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    bool is_launched = false;
    size_t n = 0;
    for (uint32_t known = 3; known-- > 0;) {
        for (size_t i = 0; i + 3 < kernel->host->n && n < MOST_LAUNCHES && status == BSIM_OK; i++) {
            struct proposal p = *kernel;
            if (read_launch(&p, i) && known_of(&p) == known && !is_other_case(p.host, i)) {
                is_launched = true;
                status = tell(&p, telling, &n, err);
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
    struct telling telling = {.listener = listener, .told = BSIM_BUFFER_EMPTY};
    if (bsim_cu_begin(&file, name, text, length, headers, err)) {
        bsim_cu_host(&file, &host);
    }
    enum bsim_status status = file.status;
    for (size_t i = 0; i < host.n && status == BSIM_OK; i++) {
        if (bsim_cu_at(&host, i, "__global__") && find_kernel(&host, i, &p)) {
            status = tell_launches(&p, &telling, err);
        }
    }
    bsim_arena_free(&file.arena);
    bsim_buffer_free(&telling.told);
    return status;
}
