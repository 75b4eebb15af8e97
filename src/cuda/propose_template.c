/* propose_template.c - the name of a kernel whose launch is proposed, with a template's arguments. */
#include "cuda/propose.h"

#include <inttypes.h>

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
    for (size_t k = 0; p->launch > 0 && bsim_cu_find_parameter(p, k, &passed); k++) {
        bool has_it = false;
        for (size_t i = passed.type; i < passed.type_end; i++) {
            has_it = has_it || bsim_cu_same_text(host->token[i], name);
        }
        bsim_cu_find_argument(p, k, &passed);
        const char *element =
            has_it && passed.begin + 1 == passed.end
                ? bsim_cu_pointed(host, p->launch, host->token[passed.begin], bytes)
                : NULL;
        if (element != NULL) {
            return element;
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
    bool is_only = bsim_cu_behind_angles(p->host, p->open) ==
                   bsim_cu_item_end(p->host, p->open + 1, bsim_cu_behind_angles(p->host, p->open));
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

void bsim_cu_add_kernel(struct proposal *p, struct bsim_buffer *out)
{
    const struct cu_host *host = p->host;
    size_t said =
        p->launch > 0 && bsim_cu_at(host, p->launch, "<") && !bsim_cu_at(host, p->launch, "<<")
            ? p->launch + 1
            : 0;
    size_t said_end = said > 0 ? bsim_cu_behind_angles(host, p->launch) - 1 : 0;
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
