/* skip.c - what is passed over: host code, and declarations that cannot be read. */
#include "cuda/parse.h"

bool bsim_cu_begins_type(const struct cu_token *token)
{
    return bsim_cu_is(token, "struct") || bsim_cu_is(token, "class") ||
           bsim_cu_is(token, "union") || bsim_cu_is(token, "enum") || bsim_cu_is(token, "typedef");
}

void bsim_cu_skip_declaration(struct cu_parser *p)
{
    bool has_tail = bsim_cu_begins_type(p->token);
    while (p->token->kind != CU_END && !bsim_cu_sees(p, ";") && !bsim_cu_sees(p, "}")) {
        if (bsim_cu_accept(p, "operator")) {
            bsim_cu_advance(p); /* its '=' begins no value */
            continue;
        }
        has_tail = has_tail || bsim_cu_sees(p, "=");
        if (bsim_cu_sees(p, "(") || bsim_cu_sees(p, "[")) {
            bsim_cu_skip_brackets(p);
        } else if (bsim_cu_sees(p, "{")) {
            bsim_cu_skip_brackets(p);
            if (!has_tail) {
                return;
            }
        } else {
            bsim_cu_advance(p);
        }
    }
    if (!bsim_cu_accept(p, ";")) {
        bsim_cu_advance(p); /* a '}' that nobody opened: each call goes on by a token at least */
    }
}

static bool has_brackets(const struct cu_token *word)
{
    return bsim_cu_is(word, "__launch_bounds__") || bsim_cu_is(word, "__align__") ||
           bsim_cu_is(word, "__attribute__");
}

const struct cu_token *bsim_cu_closing(const struct cu_token *opening)
{
    const struct cu_token *t = opening;
    uint32_t depth = 0;
    for (; t->kind != CU_END && t->next->kind != CU_END; t = t->next) {
        depth += bsim_cu_is(t, "(") || bsim_cu_is(t, "[") || bsim_cu_is(t, "{");
        depth -= depth > 0 && (bsim_cu_is(t, ")") || bsim_cu_is(t, "]") || bsim_cu_is(t, "}"));
        if (depth == 0) {
            break;
        }
    }
    return t;
}

/* Whether the words of the declaration, up to its '(', '=' or body, are such. */
bool bsim_cu_is_of_device(const struct cu_token *token)
{
    static const char *const words[] = {"__global__", "__device__", "__constant__", "__shared__",
                                        "__managed__"};
    for (; token->kind != CU_END; token = token->next) {
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            if (bsim_cu_is(token, words[i])) {
                return true;
            }
        }
        if (has_brackets(token)) {
            token = bsim_cu_closing(token->next);
        } else if (bsim_cu_is(token, "=") || bsim_cu_is(token, "(") || bsim_cu_is(token, "{") ||
                   bsim_cu_is(token, ";")) {
            return false;
        }
    }
    return false;
}

/* The name that the declaration at hand declares, as far as that can be told without reading it: the
 * last one before its '(', '=', '[', '{' or ';'; behind a typedef's '}' that. */
const struct cu_token *bsim_cu_guess_name(const struct cu_token *token)
{
    const struct cu_token *name = NULL;
    bool is_typedef = bsim_cu_is(token, "typedef");
    uint32_t depth = 0;
    for (; token->kind != CU_END; token = token->next) {
        bool opens = bsim_cu_is(token, "{"), is_angle = bsim_cu_is(token, "<");
        if (depth == 0 &&
            (bsim_cu_is(token, ";") || bsim_cu_is(token, "=") || bsim_cu_is(token, "[") ||
             bsim_cu_is(token, ":") || (opens && !is_typedef))) {
            break;
        }
        if (depth == 0 && bsim_cu_is(token, "(") && name != NULL) {
            break;
        }
        depth += opens || is_angle;
        depth -= (bsim_cu_is(token, "}") || bsim_cu_is(token, ">")) && depth > 0;
        depth -= bsim_cu_is(token, ">>") && depth > 1 ? 2 : 0;
        if (has_brackets(token)) {
            token = bsim_cu_closing(token->next);
        } else if (depth == 0 && token->kind == CU_NAME) {
            name = token;
            if (bsim_cu_is(token, "operator")) {
                break;
            }
        }
    }
    return name;
}
