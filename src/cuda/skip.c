/* skip.c - what is passed over: host code, and declarations that cannot be read. */
#include "cuda/parse.h"

bool bsim_cu_begins_type(const struct cu_token *token)
{
    return bsim_cu_is_any(token, "struct class union enum typedef");
}

void bsim_cu_skip_declaration(struct cu_parser *p)
{
    bool has_tail = bsim_cu_begins_type(p->token);
    while (p->token->kind != CU_END && !bsim_cu_sees_any(p, "; }")) {
        if (bsim_cu_accept(p, "operator")) {
            bsim_cu_advance(p); /* its '=' begins no value */
            continue;
        }
        has_tail = has_tail || bsim_cu_sees(p, "=");
        if (bsim_cu_sees_any(p, "( [")) {
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
    return bsim_cu_is_any(word, "__launch_bounds__ __align__ __attribute__");
}

/* Whether the words of the declaration, up to its '(', '=' or body, are such. */
bool bsim_cu_is_of_device(const struct cu_token *token)
{
    for (; token->kind != CU_END; token = token->next) {
        if (bsim_cu_is_any(token, "__global__ __device__ __constant__ __shared__ __managed__")) {
            return true;
        }
        if (has_brackets(token)) {
            token = bsim_cu_closing(token->next);
        } else if (bsim_cu_is_any(token, "= ( { ;")) {
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
        if (depth == 0 && (bsim_cu_is_any(token, "; = [ :") || (opens && !is_typedef))) {
            break;
        }
        if (depth == 0 && bsim_cu_is(token, "(") && name != NULL) {
            break;
        }
        depth += opens || is_angle;
        depth -= bsim_cu_is_any(token, "} >") && depth > 0;
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
