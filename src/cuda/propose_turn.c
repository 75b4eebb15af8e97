/* propose_turn.c - the turns of host loops that launch a kernel with other numbers each time:
 *
 *     for (int t = 32; t <= 256; t *= 2) k<<<N / t, t>>>(p);
 *
 * A loop is followed if its variable is declared in its head, with a number that is known, and steps by one that is;
 * where its body writes the variable, or leaves a turn early, that is not known (assign.c).
 */
#include "cuda/propose.h"

/* The ';' at or behind token i, before end. */
static size_t semicolon(const struct cu_host *host, size_t i, size_t end)
{
    while (i < end && !bsim_cu_at(host, i, ";")) {
        i = bsim_cu_behind(host, i);
    }
    return i;
}

/* The bracket behind the innermost of the words for whose head or body token i stands in; 0: none. */
static size_t head_around(const struct cu_host *host, size_t i, const char *words)
{
    while (i > 1) {
        if (bsim_cu_at(host, i - 1, ")")) {
            i = bsim_cu_opening(host, i - 1);
            if (i > 0 && bsim_cu_at_any(host, i - 1, words)) {
                return i;
            }
        } else if (bsim_cu_at(host, i - 1, "{")) {
            i--;
        } else if (bsim_cu_at_any(host, i - 1, "; }")) { /* what stands around it */
            bool is_block = bsim_cu_at(host, i - 1, "}");
            i = bsim_cu_opening(host, i - 1);
            i = is_block ? bsim_cu_opening(host, i) : i;
        } else {
            i--;
        }
    }
    return 0;
}

size_t bsim_cu_loop_around(const struct cu_host *host, size_t i)
{
    return head_around(host, i, "for");
}

bool bsim_cu_is_skipped(const struct cu_host *host, size_t i)
{
    static const char heads[] = "for if constexpr";
    for (size_t open = head_around(host, i, heads); open > 0; open = head_around(host, open - 1, heads)) {
        size_t begin = open + 1, end = bsim_cu_behind(host, open) - 1;
        if (bsim_cu_at(host, open - 1, "for")) {
            begin = semicolon(host, begin, end) + 1;
            end = semicolon(host, begin, end);
        }
        struct cu_known goes_on = bsim_cu_known(host, begin, end);
        if (goes_on.is_known && !goes_on.is_dim3 && goes_on.number[0] == 0) {
            return true;
        }
    }
    return false;
}

bool bsim_cu_first_turn(const struct cu_host *host, size_t open, struct cu_turns *turns)
{
    size_t end = bsim_cu_behind(host, open) - 1, name = open + 1;
    *turns = (struct cu_turns){.step_end = end};
    turns->condition = semicolon(host, name, end) + 1;
    turns->step = semicolon(host, turns->condition, end) + 1;
    while (name < turns->condition && !bsim_cu_at(host, name, "=")) {
        name++;
    }
    if (turns->step > end || name + 2 >= turns->condition || name < open + 3) {
        return false;
    }
    turns->name = name - 1;
    turns->host = *host;
    turns->host.turned = name + 1;
    struct cu_known first = bsim_cu_known(host, name + 1, turns->condition - 1);
    turns->host.turn = first.number[0];
    return first.is_known && !first.is_dim3 && bsim_cu_at(host, turns->condition - 1, ";") &&
           bsim_cu_same_text(host->token[turns->name], host->token[turns->condition]);
}

/* What the step's sign makes of the value and the number behind it; false: another sign, or nothing. */
static bool stepped(char sign, int64_t by, int64_t *value)
{
    enum { MOST = 1 << 30 };
    bool fits = *value > -MOST && *value < MOST && by > -MOST && by < MOST;
    bool is_shift = sign == '<' || sign == '>';
    if (!fits || (sign == '/' && by == 0) || (is_shift && (by < 0 || by > 30 || *value < 0))) {
        return false;
    }
    *value = sign == '+'   ? *value + by
             : sign == '-' ? *value - by
             : sign == '*' ? *value * by
             : sign == '/' ? *value / by
             : sign == '<' ? *value << by
                           : *value >> by;
    return strchr("+-*/<>", sign) != NULL;
}

bool bsim_cu_next_turn(struct cu_turns *turns)
{
    const struct cu_host *host = &turns->host;
    const struct cu_token *name = host->token[turns->name];
    size_t step = turns->step, sign = step + 1;
    if (bsim_cu_at_any(host, step, "++ --")) {
        sign = step++;
    }
    if (!bsim_cu_same_text(host->token[step], name)) {
        return false;
    }
    int64_t value = host->turn;
    bool is_one = bsim_cu_at_any(host, sign, "++ --") && turns->step + 2 == turns->step_end;
    struct cu_known by = bsim_cu_known(host, sign + 1, turns->step_end);
    if (is_one) {
        value += bsim_cu_at(host, sign, "++") ? 1 : -1;
    } else if (by.is_known && bsim_cu_at(host, sign, "=")) {
        value = by.number[0];
    } else if (!by.is_known || !bsim_cu_at_any(host, sign, "+= -= *= /= <<= >>=") ||
               !stepped(host->token[sign]->text[0], by.number[0], &value)) {
        return false;
    }
    turns->host.turn = value;
    struct cu_known goes_on = bsim_cu_known(host, turns->condition, turns->step - 1);
    return goes_on.is_known && goes_on.number[0] != 0;
}
