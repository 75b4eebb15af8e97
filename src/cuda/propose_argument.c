/* propose_argument.c - arguments of a launch that is proposed: arrays as large as the host allocates them, numbers that it
 * knows, and what is chosen for others. */
#include "cuda/propose.h"

#include <inttypes.h>

enum {
    LEAST_ELEMENTS = 1024,
    MOST_OF_THREE = 1 << 22,
    MOST_SIDE_OF_THREE = 128,
    MOST_SIDE_OF_MORE = 16
};

bool bsim_cu_find_parameter(const struct proposal *p, size_t k, struct passed *passed)
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

void bsim_cu_find_argument(const struct proposal *p, size_t k, struct passed *passed)
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

void bsim_cu_count_unknown(struct proposal *p)
{
    struct passed passed;
    for (size_t k = 0; bsim_cu_find_parameter(p, k, &passed); k++) {
        bool is_flag;
        bsim_cu_find_argument(p, k, &passed);
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
    uint64_t least = 4 * (uint64_t)bsim_cu_threads_of(&p->grid) * (uint64_t)bsim_cu_threads_of(&p->block);
    struct passed passed;
    for (size_t k = 0; bsim_cu_find_parameter(p, k, &passed); k++) {
        uint32_t bytes;
        const char *element = element_of(p, &passed, &bytes);
        bsim_cu_find_argument(p, k, &passed);
        if (passed.is_pointer || element == NULL || element[0] == 'f' || element[0] == 'd') {
            continue;
        }
        int64_t number = number_of(p, &passed);
        keep_largest(largest, number > 0 && number < MOST_ELEMENTS ? (uint64_t)number : 1);
    }
    bool is_chosen = (p->chosen & CHOSE_NUMBERS) != 0; /* perhaps what each thread reads */
    uint64_t n = largest[0] * (is_chosen ? (uint64_t)bsim_cu_threads_of(&p->block) : largest[1]);
    n *= n <= MOST_OF_THREE / largest[2] ? largest[2] : 1;
    n = n > least ? n : least;
    n = (n < LEAST_ELEMENTS ? LEAST_ELEMENTS : n) << 3 * p->larger;
    return n > MOST_ELEMENTS ? MOST_ELEMENTS : n;
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

void bsim_cu_add_argument(struct proposal *p, const struct passed *passed, struct bsim_buffer *out)
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
