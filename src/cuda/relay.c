/* relay.c - the text of a file with a kernel's shared arrays laid out anew: dimensions of their declarations,
 * and the subscripts of their uses.
 *
 *     __shared__ float tile[N][N];  tile[ty][tx + k] = ...      by tile[y][x ^ y]:
 *     __shared__ float tile[N][N];  tile[ty][(tx + k) ^ ty] = ...
 *
 * All else stays as it is, comments and blanks too, and no line is added: what is written is C that was there.
 */
#include <banksim/cuda.h>

#include "cuda/handed.h"

#include <inttypes.h>

enum { MOST_SUBSCRIPTS = 8 };

/* The file, and where the function is in which an array is declared. */
struct relay {
    struct cu_file *file;
    struct cu_host tokens; /* all of the file's */
    const struct bsim_cuda_relaid *array;
    const struct cu_token *declared; /* the array's name there */
    const struct cu_token *end;      /* of the function's body */
    struct bsim_buffer *out;
    const char *written; /* up to here the text is written */
    size_t n_uses;       /* that were written */
};

static const struct cu_token *behind(const struct cu_token *opening)
{
    return bsim_cu_closing(opening)->next;
}

static bool is_named(const struct cu_token *token, const char *name)
{
    return token->kind == CU_NAME && bsim_cu_is(token, name);
}

/* ---- where it is declared -------------------------------------------------------------------- */

/* The array's name in the declaration whose __shared__ is at hand, or NULL. */
static const struct cu_token *declared_at(const struct cu_token *token, const struct cu_token *end,
                                          const char *name)
{
    for (; token != end && token->kind != CU_END && !bsim_cu_is(token, ";"); token = token->next) {
        if (is_named(token, name) && bsim_cu_is(token->next, "[")) {
            return token;
        }
    }
    return NULL;
}

/* The kernel's body: '{'. */
static const struct cu_token *find_body(const struct cu_token *token, const char *kernel)
{
    for (; token->kind != CU_END; token = token->next) {
        if (is_named(token, kernel) && bsim_cu_is(token->next, "(")) {
            const struct cu_token *body = behind(token->next);
            if (bsim_cu_is(body, "{")) {
                return body;
            }
        }
    }
    return NULL;
}

static bool find_declaration(struct relay *r, const struct cu_token *first, const char *kernel)
{
    const struct cu_token *body = find_body(first, kernel);
    r->declared = NULL;
    r->end = body != NULL ? behind(body) : NULL;
    for (const struct cu_token *t = body; t != NULL && t != r->end && t->kind != CU_END;
         t = t->next) {
        const struct cu_token *found =
            bsim_cu_is(t, "__shared__") ? declared_at(t, r->end, r->array->name) : NULL;
        if (found != NULL && r->declared != NULL && found != r->declared) {
            bsim_cu_fail(r->file, found, "%s is declared twice in this kernel", r->array->name);
            return false;
        }
        r->declared = found != NULL ? found : r->declared;
    }
    if (r->declared == NULL) {
        bsim_cu_fail(r->file, NULL, "%s is not declared in the kernel itself, or a macro declares it", r->array->name);
    }
    return r->declared != NULL;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The text up to there, as it is. */
static void copy_to(struct relay *r, const char *at)
{
    bsim_buffer_add(r->out, r->written, (size_t)(at - r->written));
    r->written = at;
}

static bool is_word(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool fits = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z') ||
                    (text[i] >= '0' && text[i] <= '9') || text[i] == '_' || text[i] == '.';
        if (!fits) {
            return false;
        }
    }
    return length > 0;
}

/* [N] becomes [N + 1], [32] [33], what becomes less a number. */
static void write_dimension(struct relay *r, const struct cu_token *open, uint32_t from,
                            uint32_t to)
{
    const struct cu_token *last = bsim_cu_closing(open);
    const char *begin = open->at + 1, *end = last->at;
    copy_to(r, begin);
    bool is_number = open->next->kind == CU_NUMBER && open->next->next == last;
    if (to < from || is_number) {
        bsim_buffer_printf(r->out, "%" PRIu32, to);
    } else {
        bool is_plain = is_word(begin, (size_t)(end - begin));
        bsim_buffer_text(r->out, is_plain ? "" : "(");
        bsim_buffer_add(r->out, begin, (size_t)(end - begin));
        bsim_buffer_printf(r->out, "%s + %" PRIu32, is_plain ? "" : ")", to - from);
    }
    r->written = end;
}

static void write_declaration(struct relay *r)
{
    const struct cu_token *open = r->declared->next;
    for (uint32_t i = 0; i < r->array->n_dimensions; i++) {
        if (!bsim_cu_is(open, "[")) {
            bsim_cu_fail(r->file, open, "%s has other dimensions here", r->array->name);
            return;
        }
        if (r->array->from[i] != r->array->to[i]) {
            write_dimension(r, open, r->array->from[i], r->array->to[i]);
        }
        open = behind(open);
    }
}

/* A use's subscripts: their texts. */
struct subscripts {
    const char *text[MOST_SUBSCRIPTS];
    size_t length[MOST_SUBSCRIPTS];
    uint32_t n;
    const char *end;         /* behind the last ']' */
    const struct cu_token *step; /* '[' of "reinterpret_cast<float4 *>(&s[i])[k]", of which an element is width */
    uint32_t width;
};

/* Why what is between two tokens cannot be written twice; NULL: it can. */
static const char *fault_of(const struct cu_token *from, const struct cu_token *to)
{
    for (; from != to && from->kind != CU_END; from = from->next) {
        if (bsim_cu_is_any(from, "++ --") ||
            (from->kind == CU_SIGN && from->length > 0 && from->text[from->length - 1] == '=' &&
             !bsim_cu_is_any(from, "== != <= >="))) {
            return "changes something in its subscript";
        }
        if (from->begins_line) {
            return "has a subscript of several lines";
        }
    }
    return NULL;
}

static bool read_subscripts(struct relay *r, const struct cu_token *use, struct subscripts *s)
{
    const struct cu_token *open = use->next;
    if (r->array->n_dimensions == 1 && !bsim_cu_is(open, "[")) { /* s is &s[0] */
        s->text[s->n] = "0";
        s->length[s->n++] = 1;
        s->end = use->at + use->length;
    }
    while (bsim_cu_is(open, "[") && s->n < r->array->n_dimensions && s->n < MOST_SUBSCRIPTS) {
        const struct cu_token *last = bsim_cu_closing(open), *next = last->next;
        const char *fault = fault_of(open, next);
        if (fault == NULL && memchr(open->at, '\n', (size_t)(last->at - open->at)) != NULL) {
            fault = "has a subscript of several lines"; /* of a macro */
        }
        if (fault != NULL) {
            bsim_cu_fail(r->file, use, "this use of %s %s", r->array->name, fault);
            return false;
        }
        s->text[s->n] = open->at + 1;
        s->length[s->n++] = (size_t)(last->at - open->at) - 1;
        s->end = last->at + 1;
        open = next;
    }
    if (s->n != r->array->n_dimensions) {
        bsim_cu_fail(r->file, use, "%s is used here without its %" PRIu32 " subscript%s",
                     r->array->name, r->array->n_dimensions,
                     r->array->n_dimensions == 1 ? "" : "s");
        return false;
    }
    return true;
}

/* Which subscript a letter of the layout stands for: x the last one, y that before; i the only one. */
static bool subscript_of(const struct subscripts *s, char letter, uint32_t *k)
{
    static const char letters[] = "xyzwvuts";
    const char *at = s->n == 1 && letter == 'i' ? letters : strchr(letters, letter);
    bool fits = at != NULL && letter != '\0' && (uint32_t)(at - letters) < s->n;
    *k = fits ? s->n - 1 - (uint32_t)(at - letters) : 0;
    return fits;
}

static void write_term(struct relay *r, const char *text, size_t length, bool is_alone)
{
    bool is_plain = is_alone || is_word(text, length);
    bsim_buffer_text(r->out, is_plain ? "" : "(");
    bsim_buffer_add(r->out, text, length);
    bsim_buffer_text(r->out, is_plain ? "" : ")");
}

/* The last subscript, and vectors behind it: (tx + 4 * k). */
static void write_stepped(struct relay *r, const struct subscripts *s, uint32_t k, bool is_alone)
{
    const char *step = s->step->at + 1;
    bsim_buffer_text(r->out, is_alone ? "" : "(");
    if (s->length[k] != 1 || s->text[k][0] != '0') {
        write_term(r, s->text[k], s->length[k], false);
        bsim_buffer_text(r->out, " + ");
    }
    bsim_buffer_printf(r->out, "%" PRIu32 " * ", s->width);
    write_term(r, step, (size_t)(bsim_cu_closing(s->step)->at - step), false);
    bsim_buffer_text(r->out, is_alone ? "" : ")");
}

/* The index with the subscripts in the place of its letters; "[x]" takes one without brackets. */
static void write_index(struct relay *r, const struct subscripts *s)
{
    const char *index = r->array->index + strlen(r->array->name);
    for (const char *at = index; *at != '\0'; at++) {
        uint32_t k;
        if (!subscript_of(s, *at, &k)) {
            bsim_buffer_add(r->out, at, 1);
            continue;
        }
        bool is_alone = at > index && at[-1] == '[' && at[1] == ']';
        if (s->step != NULL && k + 1 == s->n) {
            write_stepped(r, s, k, is_alone);
        } else {
            write_term(r, s->text[k], s->length[k], is_alone);
        }
    }
}

/* ---- all uses -------------------------------------------------------------------------------- */

/* Behind the subscripts at token i, and a member's name. */
static size_t behind_element(const struct cu_host *tokens, size_t i)
{
    while (bsim_cu_at(tokens, i, "[")) {
        i = bsim_cu_behind(tokens, i);
    }
    while (bsim_cu_at(tokens, i, ".")) {
        i += 2;
    }
    return i;
}

/* The elements of the array that one of those is which a pointer's cast makes of them; 0: no whole number. */
static uint32_t width_of(const struct relay *r, const struct cu_handed *handed)
{
    const struct cu_host *tokens = &r->tokens;
    size_t name = 0, begin;
    while (tokens->token[name] != r->declared) {
        name++;
    }
    for (begin = name; begin > 0 && !bsim_cu_at_any(tokens, begin - 1, "; { }"); begin--) {
    }
    uint32_t of = bsim_cu_type_bytes(tokens, begin, name);
    uint32_t bytes = bsim_cu_type_bytes(tokens, handed->type, handed->type_end);
    return of > 0 && bytes >= of && bytes % of == 0 ? bytes / of : 0;
}

/* An array whose address goes elsewhere is reached there by steps that are not seen. */
static void check_use(struct relay *r, size_t i, struct subscripts *s)
{
    const struct cu_host *tokens = &r->tokens;
    bool is_bare = !bsim_cu_at(tokens, i + 1, "["), is_address = bsim_cu_at(tokens, i - 1, "&");
    struct cu_handed handed = {.step = 0};
    if (!is_bare && !is_address) {
        return;
    }
    bool is_element = is_bare ? !is_address && r->array->n_dimensions == 1 : true;
    if (!is_element ||
        !bsim_cu_stays(tokens, is_address ? i - 1 : i, behind_element(tokens, i + 1), &handed)) {
        bsim_cu_fail(r->file, tokens->token[i],
                     "the address of %s is handed on here, to what steps on from it as its elements lie now: change "
                     "that by hand",
                     r->array->name);
        return;
    }
    if (handed.step > 0) {
        s->step = tokens->token[handed.step];
        s->width = width_of(r, &handed);
    }
    const char *fault = s->step != NULL ? fault_of(s->step, behind(s->step)) : NULL;
    if (fault != NULL || (s->step != NULL && s->width == 0)) {
        bsim_cu_fail(r->file, tokens->token[i], "this use of %s %s", r->array->name,
                     fault != NULL ? fault : "steps by what are no whole elements of it");
    }
}

static void write_use(struct relay *r, const struct cu_token *use, struct subscripts *s)
{
    if (!read_subscripts(r, use, s)) {
        return;
    }
    if (use->at < r->written) { /* within a subscript that was written anew */
        bsim_cu_fail(r->file, use, "%s is used within a subscript of its own", r->array->name);
        return;
    }
    r->n_uses++;
    copy_to(r, use->at);
    bsim_buffer_text(r->out, bsim_cu_is(use->next, "[") ? "" : "&");
    copy_to(r, use->at + use->length);
    write_index(r, s);
    r->written = s->end;
    if (s->step != NULL) {
        copy_to(r, s->step->at + 1);
        bsim_buffer_text(r->out, "0");
        r->written = bsim_cu_closing(s->step)->at;
    }
}

/* The uses in tokens begin to end. */
static void write_uses(struct relay *r, size_t begin, size_t end)
{
    const struct cu_host *tokens = &r->tokens;
    for (size_t i = begin; i < end && !bsim_cu_failed(r->file); i++) {
        const struct cu_token *use = tokens->token[i];
        struct subscripts s = {.n = 0};
        if (bsim_cu_at_any(tokens, i - 1, ". ->") || !is_named(use, r->array->name)) {
            continue;
        }
        check_use(r, i, &s);
        if (r->array->index != NULL && !bsim_cu_failed(r->file)) {
            write_use(r, use, &s);
        }
    }
}

static size_t number_of(const struct relay *r, const struct cu_token *token)
{
    size_t i = 0;
    while (i + 1 < r->tokens.n && r->tokens.token[i] != token) {
        i++;
    }
    return i;
}

/* Whether the body of the macro of name `macro`, which ends there, says the array's name and means the array by it. */
static bool macro_uses(const struct relay *r, size_t macro, size_t end)
{
    for (size_t i = macro + 1; i < end; i++) {
        if (is_named(r->tokens.token[i], r->array->name)) {
            return !bsim_cu_at(&r->tokens, macro + 1, "(") || i >= bsim_cu_behind(&r->tokens, macro + 1);
        }
    }
    return false;
}

/* Whether the kernel uses the macro, as nobody else may do then: what an array of that name is there is not known. */
static bool is_macro_of(struct relay *r, size_t macro)
{
    const struct cu_host *tokens = &r->tokens;
    const struct cu_token *name = tokens->token[macro], *other = NULL;
    size_t begin = number_of(r, r->declared), end = number_of(r, r->end);
    bool is_used = false;
    for (size_t i = 0; i < tokens->n; i++) {
        const struct cu_token *use = tokens->token[i];
        if (i == macro || use->kind != CU_NAME || !bsim_cu_same_text(use, name) ||
            bsim_cu_at_any(tokens, i - 1, "undef ifdef ifndef")) {
            continue;
        }
        bool is_here = i > begin && i < end && bsim_cu_macro_end(tokens, i) == 0;
        const char *fault = is_here && bsim_cu_at(tokens, i + 1, "(")
                                ? fault_of(use->next, behind(use->next))
                                : NULL;
        if (fault != NULL) {
            bsim_cu_fail(r->file, use, "this use of %s, in a macro, %s", r->array->name, fault);
        }
        is_used = is_used || is_here;
        other = is_here ? other : use;
    }
    if (is_used && other != NULL) {
        bsim_cu_fail(r->file, other,
                     "%s is reached by the macro %.*s, which others use as well: give this kernel one of its own",
                     r->array->name, (int)name->length, name->text);
    }
    return is_used;
}

/* Macros in front of the declaration, tokens up to `end`, by whose bodies the kernel reaches the array. */
static void write_macros(struct relay *r, size_t end)
{
    for (size_t i = 0; i < end && !bsim_cu_failed(r->file); i++) {
        size_t last = bsim_cu_macro_end(&r->tokens, i);
        if (last > 0 && macro_uses(r, i, last) && is_macro_of(r, i)) {
            write_uses(r, i + 1, last);
        }
    }
}

static void relay(struct cu_file *file, const char *kernel, const struct bsim_cuda_relaid *array,
                  struct bsim_buffer *out)
{
    const struct cu_token *first = bsim_cu_tokens(file, &file->source);
    struct relay r = {.file = file, .array = array, .out = out, .written = file->source.text};
    if (!bsim_cu_failed(file)) {
        bsim_cu_host_of(file, first, &r.tokens);
    }
    if (bsim_cu_failed(file) || !find_declaration(&r, first, kernel)) {
        return;
    }
    size_t declared = number_of(&r, r.declared);
    write_macros(&r, declared);
    write_declaration(&r);
    write_uses(&r, declared + 1, number_of(&r, r.end));
    if (r.n_uses == 0 && array->index != NULL) {
        bsim_cu_fail(file, r.declared, "no use of %s stands in the kernel itself", array->name);
    }
    copy_to(&r, file->source.text + file->source.length);
}

enum bsim_status bsim_cuda_relay(const char *name, const char *text, size_t length,
                                 const char *kernel, const struct bsim_cuda_relaid *array,
                                 struct bsim_buffer *out, struct bsim_error *err)
{
    struct cu_file file;
    size_t before = out->size_bytes;
    if (bsim_cu_begin(&file, name, text, length, NULL, err)) {
        relay(&file, kernel, array, out);
    }
    return bsim_cu_finish(&file, out, before);
}
