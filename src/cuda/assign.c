/* assign.c - what host code writes to a name besides what it is declared with, and whether its value is known where
 * it is used all the same.
 *
 *     int n = 32;  k<<<1, n>>>(p);  n = 64;  k<<<1, n>>>(p);     32 and then 64
 *     int n = 32;  if (x) { n = 64; }  k<<<1, n>>>(p);           nobody knows
 *     for (int n = 32; n < 256; n *= 2) k<<<1, n>>>(p);          32 in the first turn
 *
 * Nothing is run: where more than one of these can have happened last, the name is not known.
 */
#include "cuda/host.h"

/* How token i writes the name that it is. */
enum writing {
    NOT_WRITTEN,
    ASSIGNED,  /* n = ...; a statement of its own in a block */
    CHANGED,   /* n += 1, n.x = 2, if (a) n = 3; what it is then is not looked at */
    HANDED_OUT /* &n, a reference: whoever has it may write at any time */
};

static bool is_assignment(const struct cu_host *host, size_t i)
{
    return bsim_cu_at_any(host, i, "= += -= *= /= %= &= |= ^= <<= >>= ++ --");
}

/* Whether token i is a type's last word, or what stands between that and a name. */
static bool may_end_type(const struct cu_host *host, size_t i)
{
    return bsim_cu_at_any(host, i, "* & > ::") ||
           (host->token[i]->kind == CU_NAME && !bsim_cu_at_any(host, i, "return else case do goto"));
}

/* Whether the function whose name is token i is declared there with a parameter, of that number, -1: of any, that is a
 * reference to what it may write. */
static bool takes_reference(const struct cu_host *host, size_t i, int64_t number)
{
    if (i == 0 || host->token[i]->kind != CU_NAME || !bsim_cu_at(host, i + 1, "(") ||
        !may_end_type(host, i - 1) || bsim_cu_at_any(host, i, "if while for switch return sizeof")) {
        return false;
    }
    size_t end = bsim_cu_behind(host, i + 1) - 1;
    int64_t at = 0;
    for (size_t begin = i + 2; begin < end; at++) {
        size_t item = bsim_cu_item_end(host, begin, end);
        bool is_reference = false, is_const = false;
        for (; begin < item; begin++) {
            is_reference = is_reference || bsim_cu_at_any(host, begin, "& &&");
            is_const = is_const || bsim_cu_at(host, begin, "const");
        }
        if (is_reference && !is_const && (number < 0 || number == at)) {
            return true;
        }
        begin = item + 1;
    }
    return false;
}

/* Whether token i alone is an argument of a call that gets a reference to it. */
static bool is_passed_by_reference(const struct cu_host *host, size_t i)
{
    size_t open = bsim_cu_opening(host, i);
    if (!bsim_cu_at_any(host, i - 1, "( ,") || !bsim_cu_at_any(host, i + 1, ", )") || open == 0 ||
        !bsim_cu_at(host, open, "(") || host->token[open - 1]->kind != CU_NAME) {
        return false;
    }
    int64_t number = 0;
    for (size_t k = bsim_cu_item_end(host, open + 1, i); k < i; number++) {
        k = bsim_cu_item_end(host, k + 1, i);
    }
    for (size_t k = 0; k < host->n_takers; k++) {
        if (bsim_cu_same_text(host->token[host->taker[k]], host->token[open - 1]) &&
            takes_reference(host, host->taker[k], number)) {
            return true;
        }
    }
    return bsim_cu_at_any(host, open - 1, "swap exchange tie ref");
}

/* std::cin >> n, if (file >> n): what is shifted begins the statement. */
static bool is_read_in(const struct cu_host *host, size_t i)
{
    size_t begin = i;
    while (begin > 0 && !bsim_cu_at_any(host, begin - 1, "; { } ( [")) {
        begin = bsim_cu_at_any(host, begin - 1, ") ]") ? bsim_cu_opening(host, begin - 1) : begin - 1;
    }
    bool is_condition = begin > 1 && bsim_cu_at_any(host, begin - 2, "if while");
    if (begin > 0 && bsim_cu_at_any(host, begin - 1, "( [") && !is_condition) {
        return false;
    }
    while (bsim_cu_at(host, begin + 1, "::")) {
        begin += 2;
    }
    return bsim_cu_at(host, begin + 1, ">>") && bsim_cu_at(host, i - 1, ">>");
}

/* Whether token i is what a reference is made of: &n, int &r = n. */
static bool is_handed_out(const struct cu_host *host, size_t i)
{
    bool is_address = i > 1 && bsim_cu_at(host, i - 1, "&");
    size_t before = i - 2;
    if (is_address) {
        bool is_and = host->token[before]->kind == CU_NUMBER || bsim_cu_at(host, before, "]") ||
                      (host->token[before]->kind == CU_NAME && !bsim_cu_at(host, before, "return"));
        return !is_and;
    }
    return i > 3 && bsim_cu_at(host, i - 1, "=") && bsim_cu_at_any(host, i - 3, "& &&");
}

static enum writing writing_at(const struct cu_host *host, size_t i)
{
    if (i == 0 || host->token[i]->kind != CU_NAME || bsim_cu_at_any(host, i - 1, ". ->")) {
        return NOT_WRITTEN;
    }
    if (is_handed_out(host, i) || is_passed_by_reference(host, i)) {
        return HANDED_OUT;
    }
    size_t behind = i + 1;
    while (bsim_cu_at_any(host, behind, ". ->")) {
        behind += 2;
    }
    bool is_written = is_assignment(host, behind) || bsim_cu_at_any(host, i - 1, "++ --") ||
                      (bsim_cu_at(host, i - 1, ">>") && is_read_in(host, i));
    if (!is_written || bsim_cu_is_declaring(host, i)) {
        return NOT_WRITTEN;
    }
    size_t open = bsim_cu_opening(host, i);
    bool is_statement = bsim_cu_at_any(host, i - 1, "; { }") && bsim_cu_at(host, open, "{") &&
                        bsim_cu_at(host, i + 1, "=") &&
                        bsim_cu_at(host, bsim_cu_statement_end(host, i), ";");
    return is_statement ? ASSIGNED : CHANGED;
}

void bsim_cu_find_writes(struct cu_host *host)
{
    host->write = bsim_cu_take_many(host->file, host->n + 1, sizeof *host->write);
    host->taker = bsim_cu_take_many(host->file, host->n, sizeof *host->taker);
    if (host->write == NULL || host->taker == NULL) {
        host->n = 0;
        return;
    }
    for (size_t i = 1; i < host->n; i++) {
        if (takes_reference(host, i, -1)) {
            host->taker[host->n_takers++] = i;
        }
    }
    host->write[host->n] = host->n;
    for (size_t i = host->n; i-- > 0;) {
        host->write[i] = writing_at(host, i) != NOT_WRITTEN ? i : host->write[i + 1];
    }
}

/* The block that token i stands in, through other brackets. */
static size_t block_of(const struct cu_host *host, size_t i)
{
    do {
        i = bsim_cu_opening(host, i);
    } while (i > 0 && !bsim_cu_at(host, i, "{"));
    return i;
}

/* Whether the block is one of those around token i. */
static bool is_around(const struct cu_host *host, size_t block, size_t i)
{
    while (i > block) {
        i = bsim_cu_opening(host, i);
    }
    return i == block;
}

/* Whether between token i and the block around it a block is a lambda's, which runs who knows when. */
static bool is_in_lambda(const struct cu_host *host, size_t i, size_t block)
{
    for (i = bsim_cu_opening(host, i); i > block; i = bsim_cu_opening(host, i)) {
        size_t open = bsim_cu_at(host, i - 1, ")") ? bsim_cu_opening(host, i - 1) : i;
        if (bsim_cu_at(host, i, "{") && bsim_cu_at(host, open - 1, "]")) {
            return true;
        }
    }
    return false;
}

/* Whether the block runs from its begin to its end, once it is entered: not a file's, a struct's, a switch's. */
static bool is_in_order(const struct cu_host *host, size_t block)
{
    size_t open = block > 0 && bsim_cu_at(host, block - 1, ")") ? bsim_cu_opening(host, block - 1) : block;
    bool is_named = block > 0 && host->token[block - 1]->kind == CU_NAME &&
                    !bsim_cu_at_any(host, block - 1, "else do try const noexcept mutable override");
    return block > 0 && !is_named && (open == block || !bsim_cu_at(host, open - 1, "switch"));
}

/* Whether the statement of token i has the word in front of it. */
static bool is_declared_as(const struct cu_host *host, size_t i, const char *words)
{
    while (i > 0 && !bsim_cu_at_any(host, i - 1, "; { } (")) {
        i = bsim_cu_at_any(host, i - 1, ") ]") ? bsim_cu_opening(host, i - 1) : i - 1;
        if (bsim_cu_at_any(host, i, words)) {
            return true;
        }
    }
    return false;
}

/* Where the body ends of the for whose bracket is at open. */
static size_t body_end(const struct cu_host *host, size_t open)
{
    size_t i = bsim_cu_behind(host, open);
    if (bsim_cu_at(host, i, "{")) {
        return bsim_cu_behind(host, i);
    }
    while (i < host->n && (!bsim_cu_at(host, i, ";") || bsim_cu_at(host, i + 1, "else"))) {
        i = bsim_cu_behind(host, i);
    }
    return i;
}

/* Whether the body of the for has a continue, a break or a goto of which no block of an inner loop or switch says that
 * it is theirs. */
static bool has_jump(const struct cu_host *host, size_t open)
{
    size_t end = body_end(host, open);
    for (size_t i = bsim_cu_behind(host, open); i < end; i++) {
        bool is_jump = bsim_cu_at_any(host, i, "continue break goto"), is_inner = false;
        bool is_break = is_jump && bsim_cu_at(host, i, "break");
        for (size_t k = block_of(host, i); is_jump && k > open && !is_inner; k = block_of(host, k)) {
            size_t head = bsim_cu_at(host, k - 1, ")") ? bsim_cu_opening(host, k - 1) : k;
            is_inner = head > open && !bsim_cu_at(host, i, "goto") &&
                       (bsim_cu_at_any(host, head - 1, "for while do") ||
                        (is_break && bsim_cu_at(host, head - 1, "switch")));
        }
        if (is_jump && !is_inner) {
            return true;
        }
    }
    return false;
}

/* Whether token i stands in the step of the for whose bracket is at open. */
static bool is_in_step(const struct cu_host *host, size_t open, size_t i)
{
    uint32_t n = 0;
    for (size_t k = open + 1; k < i; k = bsim_cu_behind(host, k)) {
        n += bsim_cu_at(host, k, ";");
    }
    return n == 2 && i < bsim_cu_behind(host, open);
}

/* What is known of the writes to a name. */
struct written {
    size_t last, n_before, n_behind; /* of those before its use the last one */
    bool is_stepped;                 /* only the step of the for that declares it writes it */
    bool is_handed_out;
};

static struct written writes_of(const struct cu_host *host, size_t use, const struct cu_token *name,
                                size_t declared, size_t begin)
{
    struct written w = {.last = declared, .is_stepped = true};
    size_t open = bsim_cu_opening(host, declared), block = block_of(host, declared);
    size_t end = block > 0 ? bsim_cu_behind(host, block) : host->n;
    for (size_t i = host->write[declared + 1]; i < end; i = host->write[i + 1]) {
        size_t from, to;
        bool is_dim3;
        if (!bsim_cu_same_text(host->token[i], name) ||
            !bsim_cu_declared(host, i, name, &from, &to, &is_dim3) || from != begin) {
            continue;
        }
        w.is_stepped = w.is_stepped && is_in_step(host, open, i);
        w.is_handed_out = w.is_handed_out || writing_at(host, i) == HANDED_OUT ||
                          is_in_lambda(host, i, block);
        bool is_before = bsim_cu_statement_end(host, i) <= use;
        w.last = is_before ? i : w.last;
        w.n_before += is_before;
        w.n_behind += !is_before;
    }
    w.is_stepped = w.is_stepped && bsim_cu_at(host, open, "(") && !has_jump(host, open);
    return w;
}

bool bsim_cu_value(const struct cu_host *host, size_t i, const struct cu_token *name, size_t *begin,
                   size_t *end, bool *is_dim3)
{
    if (!bsim_cu_declared(host, i, name, begin, end, is_dim3)) {
        return false;
    }
    size_t declared = *begin - (bsim_cu_at(host, *begin - 1, "=") ? 2 : 1);
    if (is_declared_as(host, declared, "const constexpr")) {
        return true;
    }
    struct written w = writes_of(host, i, name, declared, *begin);
    if (w.n_before + w.n_behind == 0 || w.is_stepped) {
        return true;
    }
    size_t block = block_of(host, w.last);
    bool is_next = block == block_of(host, i) || (w.n_behind == 0 && is_around(host, block, i));
    bool is_plain = w.n_before == 0 ? bsim_cu_opening(host, declared) == block
                                    : writing_at(host, w.last) == ASSIGNED;
    if (w.is_handed_out || !is_next || !is_plain || !is_in_order(host, block) ||
        !is_in_order(host, block_of(host, declared)) || is_declared_as(host, declared, "static")) {
        return false;
    }
    if (w.n_before > 0) {
        *begin = w.last + 2;
        *end = bsim_cu_statement_end(host, *begin);
    }
    return true;
}
