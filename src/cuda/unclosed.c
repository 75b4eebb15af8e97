/* unclosed.c - where a bracket is missing, of tokens whose brackets do not match. Each has a guess of its own:
 *
 *     if (t < 3 {               the '{' stands where ')' should; and so does the ';' of f(x;
 *     s[t = 1;                  the '['
 *     if (t < 3) { ... }        the '{' whose '}' stands further left than its line begins; else, if a kernel begins
 *                               within, in front of that; else where the file ends
 *     if t < 3) {               the 't', where '(' should stand; of f(x)); the ')' that closes nothing
 */
#include "cuda/parse.h"

/* A bracket that is open. */
struct open {
    const struct cu_token *bracket, *inner; /* and the first '{' directly in it */
    struct open *outer;
    uint32_t indent; /* of the line that it stands in: blanks in front of its first token */
    bool is_head;    /* ( of if, for, while, switch */
    uint32_t n_left; /* ';' that may stand in it */
};

static uint32_t indent_of(const struct cu_token *token)
{
    uint32_t n = 0;
    const char *begin = token->source->text, *line = token->at;
    while (line > begin && line[-1] != '\n') {
        line--;
    }
    while (line[n] == ' ' || line[n] == '\t') {
        n++;
    }
    return n;
}

static const char *closing_of(const struct cu_token *bracket)
{
    return bsim_cu_is(bracket, "(") ? ")" : bsim_cu_is(bracket, "[") ? "]" : "}";
}

/* The bracket is not closed, as the token shows, in front of which it should be; or that one closes nothing. `first`
 * begins the statement. */
static void refuse_open(struct cu_file *file, const struct open *open, const struct cu_token *token,
                        const struct cu_token *first)
{
    bool is_headless = bsim_cu_is_any(first, "if for while switch") && !bsim_cu_is(first->next, "(");
    if (bsim_cu_is(open->bracket, "{")) {
        const struct cu_token *at = is_headless ? first->next : token;
        bsim_cu_fail(file, at, is_headless ? "'(' is missing in front of this" : "this %.*s closes nothing",
                     (int)token->length, token->text);
        return;
    }
    const struct cu_token *before = open->inner != NULL && open->is_head ? open->inner : token;
    if (bsim_cu_is(open->bracket, "(") && !bsim_cu_is(before, "}")) {
        bsim_cu_fail(file, before, "')' is missing in front of this");
    } else {
        bsim_cu_fail(file, open->bracket, "what begins here is not closed: '%s' is missing", closing_of(open->bracket));
    }
}

/* Whether the token cannot stand in the bracket: its ';', or what closes another kind. */
static bool ends_early(struct open *open, const struct cu_token *token)
{
    if (bsim_cu_is(token, ";") && !bsim_cu_is(open->bracket, "{")) {
        return open->n_left == 0 || open->n_left-- == 0;
    }
    return bsim_cu_turn(token) < 0 && !bsim_cu_is(token, closing_of(open->bracket));
}

/* '}' that stands further left than the line of its '{' begins: it is that of another one. */
static bool is_shifted(const struct open *open, const struct cu_token *token)
{
    return bsim_cu_is(token, "}") && token->begins_line && indent_of(token) < open->indent;
}

static void refuse_end(struct cu_file *file, const struct open *open, const struct open *shifted,
                       const struct cu_token *kernel)
{
    if (shifted->bracket != NULL) {
        bsim_cu_fail(file, shifted->bracket, "what begins here is not closed, by how the lines below are indented");
    } else if (kernel != NULL) {
        bsim_cu_fail(file, kernel, "'}' is missing in front of this");
    } else {
        bsim_cu_fail(file, open->bracket, "what begins here is not closed: the file ends where '%s' should stand",
                     closing_of(open->bracket));
    }
}

/* The bracket within `outer`, NULL for none; `before` stands in front of it. */
static struct open *enter(struct cu_file *file, const struct cu_token *bracket, struct open *outer,
                          const struct cu_token *before)
{
    struct open *open = bsim_cu_take(file, sizeof *open);
    bool is_head = bsim_cu_is(bracket, "(") && bsim_cu_is_any(before, "if for while switch");
    if (outer != NULL && outer->inner == NULL && bsim_cu_is(bracket, "{")) {
        outer->inner = bracket;
    }
    *open = (struct open){bracket, NULL, outer, indent_of(bracket), is_head, 0};
    if (is_head) {
        open->n_left = bsim_cu_is(before, "for") ? 2 : bsim_cu_is_any(before, "if switch");
    }
    return open;
}

void bsim_cu_refuse_unclosed(struct cu_file *file, const struct cu_token *opening)
{
    struct open *open = NULL, shifted = {.bracket = NULL};
    const struct cu_token *kernel = NULL, *before = opening, *first = opening;
    for (const struct cu_token *t = opening; t->kind != CU_END && !bsim_cu_failed(file); t = t->next) {
        bsim_cu_refuse_bad(file, t); /* a quotation mark that takes the rest of its line */
        if (bsim_cu_turn(t) > 0) {
            open = enter(file, t, open, before);
        } else if (open != NULL && ends_early(open, t)) {
            refuse_open(file, open, t, first);
        } else if (open != NULL && bsim_cu_turn(t) < 0) {
            shifted = shifted.bracket == NULL && is_shifted(open, t) ? *open : shifted;
            open = open->outer;
        }
        kernel = kernel == NULL && open != NULL && bsim_cu_is(t, "__global__") ? t : kernel;
        before = t;
        first = bsim_cu_is_any(t, "; { }") ? t->next : first;
        if (open == NULL) {
            break;
        }
    }
    if (open != NULL && !bsim_cu_failed(file)) {
        refuse_end(file, open, &shifted, kernel);
    }
    bsim_cu_fail(file, opening, "what begins here is not closed");
}
