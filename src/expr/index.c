/* index.c - indices that data decide: a table of them, or numbers drawn at random.
 *
 *     index NAME : random(N)         0 to N - 1, each as likely as the others
 *     index NAME : zipf(S, N)        k, from 0 to N - 1, with a likelihood that falls as (k + 1)^-S
 *     index NAME : table(V, V, ...)  thread t has entry t modulo their number
 *
 * What is drawn depends on nothing but the number of the draw, the index, the block, the thread and
 * how many turns of loops its warp has begun: the same on every machine and in every order of
 * evaluation, and in all statements of a turn, as if a register held it.
 * Powers are made of multiplications and square roots for the same reason.
 */
#include "expr/index.h"

#include "base/bits.h"
#include "expr/check.h"

enum { MAX_ENTRIES = 1 << 18, MAX_EXPONENT = 16, FRACTION_BITS = 40 };

/* ---- drawing --------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x)
{
    return bsim_bits_mix(x + BSIM_BITS_GOLDEN);
}

/* The first entry whose cumulated likelihood is above x. */
static uint64_t find_entry(const struct bsim_index *index, double x)
{
    uint64_t low = 0;
    uint64_t high = index->n - 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (index->below[middle] > x) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

uint64_t bsim_index_value(const struct bsim_index *index, uint64_t seed, uint64_t thread)
{
    if (index->table != NULL) {
        return (uint64_t)index->table[thread % index->n];
    }
    uint64_t bits = mix(mix(seed ^ mix(index->number)) ^ thread);
    if (index->below != NULL) {
        return find_entry(index, (double)(bits >> 11) * 0x1p-53);
    }
    return (bits >> 32) * index->n >> 32;
}

uint64_t bsim_index_seed(uint64_t draw, struct bsim_dim3 block, uint64_t turn)
{
    uint64_t place = ((uint64_t)block.x << 32 | block.y) ^ mix(block.z);
    return mix(mix(mix(draw) ^ place) ^ turn);
}

/* ---- likelihoods ----------------------------------------------------------------------------- */

/* By Newton's method, from above; x is 1 or more. */
static double square_root(double x)
{
    double root = x;
    for (double next = (x + 1) / 2; next < root; next = (root + x / root) / 2) {
        root = next;
    }
    return root;
}

/* x^exponent, x at least 1, exponent at least 0. */
static double power(double x, double exponent)
{
    double result = 1;
    uint64_t whole = (uint64_t)exponent;
    double fraction = exponent - (double)whole;
    for (; whole > 0; whole--) {
        result *= x;
    }
    for (int i = 0; i < FRACTION_BITS && fraction > 0; i++) {
        x = square_root(x);
        fraction *= 2;
        if (fraction >= 1) {
            result *= x;
            fraction -= 1;
        }
    }
    return result;
}

static bool cumulate(struct bsim_parse *parse, struct bsim_index *index, double exponent)
{
    double *below = bsim_arena_take(&parse->file->arena, (size_t)index->n * sizeof *below);
    double sum = 0;
    if (below == NULL) {
        return bsim_parse_no_memory(parse);
    }
    for (uint64_t k = 0; k < index->n; k++) {
        sum += 1 / power((double)(k + 1), exponent);
        below[k] = sum;
    }
    for (uint64_t k = 0; k < index->n; k++) {
        below[k] /= sum;
    }
    index->below = below;
    return true;
}

/* ---- statements ------------------------------------------------------------------------------ */

/* 1, 1.1, .5: digits and one point. */
static bool read_exponent(struct bsim_parse *parse, double *exponent)
{
    const struct cu_token *token = parse->token;
    double unit = 1;
    bool is_fraction = false;
    bool is_number = token->kind == CU_NUMBER;
    *exponent = 0;
    for (size_t i = 0; i < token->length && is_number; i++) {
        char c = token->text[i];
        bool is_point = c == '.' && !is_fraction;
        is_number = is_point || (c >= '0' && c <= '9');
        is_fraction = is_fraction || is_point;
        if (is_number && !is_point) {
            *exponent = *exponent * 10 + (c - '0');
            unit *= is_fraction ? 10 : 1;
        }
    }
    *exponent /= unit;
    if (!is_number || *exponent > MAX_EXPONENT) {
        return bsim_parse_fail(parse, parse->at,
                               "a zipf's exponent is a number from 0 to %d, as 1.1", MAX_EXPONENT);
    }
    return bsim_parse_advance(parse);
}

static bool read_count(struct bsim_parse *parse, int64_t most, struct bsim_index *index)
{
    int64_t n = 0;
    if (!bsim_parse_constant(parse, "the number of an index's values", 1, most, &n)) {
        return false;
    }
    index->n = (uint64_t)n;
    return true;
}

/* V ("," V)* */
static bool read_table(struct bsim_parse *parse, struct bsim_index *index)
{
    int64_t *table = bsim_arena_take(&parse->file->arena, (parse->end + 1) * sizeof *table);
    if (table == NULL) {
        return bsim_parse_no_memory(parse);
    }
    do {
        if (!bsim_parse_constant(parse, "an index", INT32_MIN, INT32_MAX, &table[index->n])) {
            return false;
        }
        index->n++;
    } while (bsim_parse_take(parse, ","));
    index->table = table;
    return true;
}

/* S "," N; so many values that a text cannot ask for all memory. */
static bool read_zipf(struct bsim_check *check, struct bsim_parse *parse, struct bsim_index *index)
{
    double exponent;
    if (!read_exponent(parse, &exponent) || !bsim_parse_expect(parse, ",")) {
        return false;
    }
    size_t at = parse->at;
    if (!read_count(parse, MAX_ENTRIES, index)) {
        return false;
    }
    check->n_zipf_values += index->n;
    if (check->n_zipf_values > MAX_ENTRIES) {
        return bsim_parse_fail(parse, at, "all zipfs together have at most %d values", MAX_ENTRIES);
    }
    return cumulate(parse, index, exponent);
}

static bool read_kind(struct bsim_check *check, struct bsim_parse *parse, struct bsim_index *index)
{
    size_t at = parse->at;
    bool is_zipf = bsim_parse_take(parse, "zipf");
    bool is_random = !is_zipf && bsim_parse_take(parse, "random");
    if (!is_zipf && !is_random && !bsim_parse_take(parse, "table")) {
        return bsim_parse_fail(parse, at, "an index is random(N), zipf(S, N) or table(V, V, ...)");
    }
    if (!bsim_parse_expect(parse, "(")) {
        return false;
    }
    if (is_zipf) {
        return read_zipf(check, parse, index);
    }
    return is_random ? read_count(parse, INT32_MAX, index) : read_table(parse, index);
}

/* NAME ":" kind ")" */
bool bsim_check_read_index(struct bsim_check *check, struct bsim_parse *parse)
{
    struct bsim_index *index = bsim_cu_take(parse->file, sizeof *index);
    struct bsim_symbol symbol = {
        .kind = BSIM_NODE_INDEX, .type = bsim_cu_scalar(CU_INT), .index = index};
    symbol.name = bsim_parse_new_name(parse);
    if (symbol.name == NULL || !bsim_parse_expect(parse, ":") || !read_kind(check, parse, index) ||
        !bsim_parse_expect(parse, ")") || !bsim_parse_end(parse)) {
        return false;
    }
    index->number = check->n_indices++;
    return bsim_scope_add(&check->scope, &symbol) || bsim_parse_no_memory(parse);
}
