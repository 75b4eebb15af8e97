/* test_advise.c - the padding and swizzle search: answers worked out by hand, and every layout that
 * it counts applied to the source and evaluated again, which must give the same count.
 *
 * In the accesses below, {tile|y|x} stands for element [y][x] of tile. As written it becomes
 * tile[y][x]; under a layout, the index that the library says to write, with y and x filled in. */
#include "failing_memory.h"
#include "advise/layout.h"
#include "sim/sim.h"

#include <banksim/banksim.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STATEMENTS = 8, MOST_KNOWN = 6, TEXT_SIZE = 1024, MOST_ALLOCATIONS = 4000 };

struct known {
    const char *layout;
    uint64_t wavefronts;
};

/* What is asked and known. The arrays are declared by `shared` alone, one each. */
struct question {
    const char *what;
    const char *device; /* NULL: the default */
    uint32_t bank_width;
    const char *block;
    const char *shared[3];
    const char *statement[MOST_STATEMENTS]; /* "word text" */
    uint64_t before, best, least;
    bool is_joint;
    struct known known[MOST_KNOWN]; /* of all candidates; "bytes": of the best plan */
};

/* The reasons, w being wavefronts per warp:
 *
 * transpose: the row is stored in 1 w; the column's lanes lie 32 words apart, 32 w; 33 and 31 words
 * apart 1 w, 34 words 2 w.
 * rectangle: lanes 0-15 and 16-31 read two neighbouring columns of 16 rows. With rows of 33 words
 * the second column lies where the first has its next row, 2 w; rows of 34 words have room for it.
 * ldmatrix: a row of 64 halves is 128 bytes, so 8 rows of a matrix meet in 4 banks, 8 w for each of
 * 4; 16 bytes more per row moves each by 4 banks. A store of 16 bytes takes 4 quarter-warps.
 * double: half-warps, 16 rows of 64 banks each: 16 w for each half; pad 1 moves each by 2 banks.
 * bytes: rows of 32 bytes are 8 words: 4 banks, 8 rows each. 36 bytes are 9 words, an odd number.
 * 33 bytes: 8l + floor((l + y) / 4) is different in all banks for y % 4 == 0 and meets once for
 * other y: 8 warps of 1 w and 24 of 2 w.
 * float4: 8 lanes of a quarter-warp lie 128 bytes apart, 8 w for each of 4 quarters.
 * atomic: all lanes want one address, 32 turns wherever that is.
 * contrary: the first column wants an odd number of words per row; the second, of two columns by 16
 * rows, an even one: with an odd s some i below 16 has s * i = 1 or -1 (mod 32). Whichever it is,
 * the other takes 2 w for its 32 warps, and x ^ y does not part two neighbouring columns either. With
 * the bits of y in reverse order, 16 rows have the even banks and the next column the odd ones: 1 w.
 * kepler: 8-byte banks. Rows of 32 floats are 16 banks apart, 16 w. 33 floats: bank 16l +
 * (l + y) / 2, 1 w for even y, for odd y lanes 0 and 31 meet; 34 floats are 17 banks, 1 w.
 * kepler4: in 4-byte mode two rows of 32 floats lie in one row of the banks, so 32 lanes take 16 w.
 * scan: the up-sweep of GPU Gems 3, ch. 39, which pads by one word for each 32. Lanes lie 2d words
 * apart: for d of 1 to 32 there are 8, 4, 2, 1, 1, 1 warps of 2, 4, 8, 16, 16, 8 w, for both loads.
 * odd rows: 32 neighbouring rows of a column, whose number is z * 6 + y.
 * stencil: a warp has two rows of 16 columns, 18 words apart, 2 w; in rows of 32 words of which the odd
 * ones have their halves exchanged 1 w, wherever the columns begin. brick: 4 rows of 8 columns, 10
 * apart (0, 10, 20, 30: the last and the first meet), 2 w; in rows of 16 words, 8 of which are exchanged
 * in two of four rows, 1 w.
 * even: lanes 0 and 16 want words 0 and 32, and so on.
 * too wide: rows of 34 of which 32 are used may as well have 32, 4096 bytes, in which x ^ y has no conflicts.
 * pairs: 6 float2 a row, 2 of them unused; of 16 lanes, 6l % 16 meets twice, 2 w for each half. In rows of
 * 4 pairs, 16 lanes need 4 rows that exchange pairs in 4 ways: 1 w.
 * steps: 720 words in rows of 10 lie as they do in s[720], where two bits that flip a third leave one
 * conflict; the last group of 32 ends in row 73.
 * halo: the last access alone comes to columns 32 to 35: none can be left out.
 * mixed: 16 lanes in each of two arrays. Both have one at their first element, which no layout
 * moves, and whatever 32 rows are padded with, they are a multiple of 128 bytes: bank 0 has 2 w. */
/* clang-format off */
static const struct question questions[] = {
    {"transpose", NULL, 0, "32,32", {"float tile[32][32]"},
     {"store {tile|threadIdx.y|threadIdx.x}", "load {tile|threadIdx.x|threadIdx.y}"}, 1056, 64,
     64, false, {{"pad 1", 64}, {"pad 2", 96}, {"pad 31", 64}, {"row-xor 5,0,0", 64}}},
    {"rectangle", NULL, 0, "32,16", {"float tile[16][32]"},
     {"let t = threadIdx.y * 32 + threadIdx.x", "store {tile|threadIdx.y|threadIdx.x}",
     "load {tile|t % 16|t / 16}"}, 272, 32, 32, false, {{"pad 1", 48}, {"pad 2", 32}}},
    {"ldmatrix", NULL, 0, "128", {"half tile[128][64]"}, {"for k = 0:8",
     "store *(float4 *)&{tile|k * 16 + threadIdx.x / 8|threadIdx.x % 8 * 8}",
     "ldmatrix x4 &{tile|warp * 16 + lane % 16|k % 4 * 16 + lane / 16 * 8}"}, 1152, 256, 256,
     false, {{"pad 8", 256}, {"row-xor 3,3,0", 256}, {"swizzle 128B", 256}}},
    {"double", NULL, 0, "32,32", {"double tile[32][32]"},
     {"load {tile|threadIdx.x|threadIdx.y}"}, 1024, 64, 64, false, {{"pad 1", 64},
     {"row-xor 4,0,0", 64}}},
    {"bytes", NULL, 0, "32,32", {"char tile[32][32]"}, {"load {tile|threadIdx.x|threadIdx.y}"},
     256, 32, 32, false, {{"pad 4", 32}, {"pad 1", 56}}},
    {"float4", NULL, 0, "32,8", {"float4 tile[32][8]"}, {"load {tile|threadIdx.x|threadIdx.y}"},
     256, 32, 32, false, {{"pad 1", 32}, {"row-xor 3,0,0", 32}}},
    {"atomic", NULL, 0, "32", {"int h[32]"}, {"atomic add {h|0}, v"}, 32, 32, 32, false, {{NULL,
     0}}},
    {"ideal", NULL, 0, "32", {"float s[32]"}, {"load {s|lane}"}, 1, 1, 1, false, {{NULL, 0}}},
    {"contrary", NULL, 0, "32,32", {"float tile[32][32]"},
     {"load {tile|threadIdx.x|threadIdx.y}",
     "load {tile|lane % 16 + warp % 2 * 16|lane / 16 + warp / 2 * 2}"}, 1536, 64, 64, false,
     {{"pad 1", 96}, {"pad 2", 96}, {"row-xor 5,0,0", 96}}},
    {"kepler", "k40", 8, "32,32", {"float tile[32][32]"},
     {"store {tile|threadIdx.y|threadIdx.x}", "load {tile|threadIdx.x|threadIdx.y}"}, 544, 64,
     64, false, {{"pad 1", 80}, {"pad 2", 64}}},
    {"kepler4", "k40", 4, "32,32", {"float tile[32][32]"},
     {"store {tile|threadIdx.y|threadIdx.x}", "load {tile|threadIdx.x|threadIdx.y}"}, 544, 64,
     64, false, {{"pad 1", 64}}},
    {"scan", NULL, 0, "256", {"float s[512]"}, {"for d = 1,2,4,8,16,32",
     "if threadIdx.x < 256 / d", "load {s|(2 * threadIdx.x + 1) * d - 1}",
     "load {s|(2 * threadIdx.x + 2) * d - 1}"}, 176, 34, 34, false, {{"pad 1 every 32", 34}}},
    {"flat pitch", NULL, 0, "32", {"float s[768]"}, {"for k = 0:24", "load {s|lane * 24 + k}"},
     192, 24, 24, false, {{"pad 1 every 24", 24}}},
    {"extern", NULL, 0, "32,32", {"extern float s[]"},
     {"load {s|threadIdx.x * 32 + threadIdx.y}"}, 1024, 32, 32, false, {{"pad 1 every 32", 32}}},
    {"planes", NULL, 0, "32", {"float t[32][4][8]"}, {"for k = 0:8", "load {t|lane|0|k}"}, 256,
     8, 8, false, {{"pad 1 pad 9 every 36", 8}}},
    {"odd rows", NULL, 0, "32", {"float t[6][6][32]"}, {"for k = 0:32",
     "load {t|lane / 6 % 6|lane % 6|k}"}, 1024, 32, 32, false, {{"row-xor 5,0,0", 32}, {"pad 1",
     32}}},
    {"long row", NULL, 0, "32", {"float t[2][1024]"}, {"for k = 0:2", "load {t|k|lane * 32}"},
     64, 2, 2, false, {{"pad 1 every 32", 2}, {"swizzle<5,0,5>", 2}}},
    {"three floats", NULL, 0, "32", {"float3 t[32][32]"}, {"load {t|lane|0}"}, 96, 3, 3, false,
     {{"pad 1", 3}}},
    {"two arrays", NULL, 0, "32,32", {"float a[32][32]", "float b[32][32]"},
     {"load {a|threadIdx.x|threadIdx.y}", "load {b|threadIdx.x|threadIdx.y}"}, 2048, 64, 64,
     false, {{"pad 1", 1056}}},
    {"even", NULL, 0, "32", {"float s[63]"}, {"load {s|lane * 2}"}, 2, 1, 1, false,
     {{"pad 1 every 32", 1}}},
    {"mixed", NULL, 0, "32", {"float a[32][32]", "float b[32][32]"},
     {"load *(lane < 16 ? &{a|lane|0} : &{b|lane % 16|0})"}, 32, 2, 1, true, {{NULL, 0}}},
    {"stencil", NULL, 0, "16,16", {"float t[18][18]"},
     {"load {t|threadIdx.y + 1|threadIdx.x}", "load {t|threadIdx.y|threadIdx.x + 1}"}, 32, 16, 16,
     false, {{"pad 30", 16}, {"bytes", 18 * 32 * 4}}},
    {"brick", NULL, 0, "8,8", {"float t[3][10][10]"},
     {"load {t|0|threadIdx.y + 1|threadIdx.x}", "load {t|1|threadIdx.y|threadIdx.x + 1}"}, 8, 4, 4,
     false, {{"pad 14", 4}, {"bytes", 30 * 16 * 4}}},
    {"too wide", NULL, 0, "32,32", {"float tile[32][34]"},
     {"store {tile|threadIdx.y|threadIdx.x}", "load {tile|threadIdx.x|threadIdx.y}"}, 96, 64, 64,
     false, {{"[32][32] row-xor 5,0,0", 64}, {"[32][32] pad 1", 64}, {"bytes", 4096}}},
    {"pairs", NULL, 0, "32", {"float t[32][12]"},
     {"for k = 0:4", "load *(float2 *)&{t|lane|k * 2}"}, 16, 8, 8, false, {{"bytes", 1024}}},
    {"steps", NULL, 0, "128", {"float s[72][10]"},
     {"let a = (threadIdx.x * 7 + 481) % 720", "let b = (threadIdx.x * 5 + 309) % 720",
      "let c = threadIdx.x % 32 + threadIdx.x / 32 % 2 * 256", "load {s|a / 10|a % 10}",
      "store {s|c / 10|c % 10}", "times 4", "store {s|b / 10|b % 10}"}, 29, 25, 24, false,
     {{"bytes", 2960}}},
    {"halo", NULL, 0, "32,32", {"float tile[32][36]"},
     {"store {tile|threadIdx.y|threadIdx.x}", "load {tile|threadIdx.x|threadIdx.y}",
      "load {tile|threadIdx.y|threadIdx.x + 4}"}, 192, 96, 96, false, {{"pad 1", 96}}},
};
/* clang-format on */

enum { N_QUESTIONS = sizeof questions / sizeof questions[0] };

/* ---- from a question to a check ------------------------------------------------------------ */

/* One array's layout as text. */
struct spelling {
    char declaration[TEXT_SIZE];
    char index[TEXT_SIZE];
    char linear[TEXT_SIZE];
};

static void take_text(struct bsim_buffer *from, char out[TEXT_SIZE])
{
    assert_int_equal(bsim_buffer_status(from, NULL), BSIM_OK);
    (void)snprintf(out, TEXT_SIZE, "%s", from->data != NULL ? from->data : "");
    bsim_buffer_free(from);
}

static void spell(const struct bsim_check_array *array, const struct bsim_layout *layout,
                  uint32_t alignment, uint32_t n_elements, struct spelling *spelling)
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    bsim_layout_declaration(array, layout, alignment, n_elements, &text);
    take_text(&text, spelling->declaration);
    char *comment = strstr(spelling->declaration, "//");
    if (comment != NULL) {
        *comment = '\0';
    }
    bsim_layout_spell(BSIM_LAYOUT_INDEX, array, layout, &text);
    take_text(&text, spelling->index);
    bsim_layout_spell(BSIM_LAYOUT_LINEAR, array, layout, &text);
    take_text(&text, spelling->linear);
}

/* Copies text, each word of one letter that has a value as that in parentheses. */
static void fill_in(const char *text, const char *const value[128], struct bsim_buffer *out)
{
    for (const char *c = text; *c != '\0'; c++) {
        bool alone = (c == text || (!isalnum((unsigned char)c[-1]) && c[-1] != '_')) &&
                     !isalnum((unsigned char)c[1]) && c[1] != '_';
        const char *put = alone && *c > 0 ? value[(unsigned char)*c] : NULL;
        if (put != NULL) {
            bsim_buffer_printf(out, "(%s)", put);
        } else {
            bsim_buffer_add(out, c, 1);
        }
    }
}

/* Takes "{name|z|y|x}" apart: returns what is behind it, and fills in value by letter. */
static const char *take_braces(const char *text, char name[TEXT_SIZE], char store[4][TEXT_SIZE],
                               const char *value[128])
{
    static const char letters[] = {'x', 'y', 'z'};
    char part[4][TEXT_SIZE] = {""};
    size_t n = 0;
    while (*text != '}') {
        size_t length = strcspn(text + 1, "|}");
        (void)snprintf(n == 0 ? name : part[n - 1], TEXT_SIZE, "%.*s", (int)length, text + 1);
        text += length + 1;
        n++;
    }
    n--;
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(store[i], TEXT_SIZE, "%s", part[n - 1 - i]);
        value[(unsigned char)(n == 1 ? 'i' : letters[i])] = store[i];
    }
    return text + 1;
}

static size_t array_named(const struct bsim_check *check, const char *name)
{
    for (size_t i = 0; i < bsim_check_contents(check)->n_arrays; i++) {
        if (strcmp(bsim_check_contents(check)->array[i].name, name) == 0) {
            return i;
        }
    }
    fail_msg("no array %s", name);
    return 0;
}

/* One element as it is to be written. */
static void add_element(const struct spelling *spelling, const char *value[128],
                        struct bsim_buffer *out)
{
    struct bsim_buffer linear = BSIM_BUFFER_EMPTY;
    char text[TEXT_SIZE];
    if (spelling->linear[0] != '\0') {
        fill_in(spelling->linear + strlen("i = "), value, &linear);
        take_text(&linear, text);
        value['i'] = text;
    }
    fill_in(spelling->index, value, out);
}

/* A statement with its elements written out; `declared` knows the arrays by name, NULL: as the
 * question has them. */
static void write_out(const char *statement, const struct bsim_check *declared,
                      const struct spelling *spellings, char out[TEXT_SIZE])
{
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    while (*statement != '\0') {
        char name[TEXT_SIZE];
        char store[4][TEXT_SIZE];
        const char *value[128] = {NULL};
        if (*statement != '{') {
            bsim_buffer_add(&text, statement++, 1);
            continue;
        }
        statement = take_braces(statement, name, store, value);
        if (declared != NULL) {
            add_element(&spellings[array_named(declared, name)], value, &text);
            continue;
        }
        bsim_buffer_text(&text, name);
        for (size_t i = 4; i-- > 0;) {
            const char *index = value[(unsigned char)"xyzi"[i]];
            bsim_buffer_printf(&text, index != NULL ? "[%s]" : "%s", index != NULL ? index : "");
        }
    }
    take_text(&text, out);
}

static void add_word(struct bsim_check *check, const struct question *question, const char *word,
                     const char *text)
{
    struct bsim_error err;
    if (bsim_check_add(check, word, text, word, &err) != BSIM_OK) {
        fail_msg("%s: %s %s: %s", question->what, word, text, err.message);
    }
}

static struct bsim_check *build(const struct question *question, const struct bsim_check *declared,
                                const struct spelling *spellings)
{
    struct bsim_check *check = bsim_check_new();
    struct bsim_error err;
    assert_non_null(check);
    add_word(check, question, "block", question->block);
    for (size_t i = 0; i < 3 && question->shared[i] != NULL; i++) {
        add_word(check, question, "shared",
                 declared != NULL ? spellings[i].declaration : question->shared[i]);
    }
    for (size_t i = 0; i < MOST_STATEMENTS && question->statement[i] != NULL; i++) {
        char word[TEXT_SIZE];
        char text[TEXT_SIZE];
        size_t length = strcspn(question->statement[i], " ");
        (void)snprintf(word, sizeof word, "%.*s", (int)length, question->statement[i]);
        write_out(question->statement[i] + length + 1, declared, spellings, text);
        add_word(check, question, word, text);
    }
    if (bsim_check_seal(check, &err) != BSIM_OK) {
        fail_msg("%s: %s", question->what, err.message);
    }
    return check;
}

static struct bsim_device device_of(const struct question *question)
{
    struct bsim_device device;
    struct bsim_device_options options = {.bank_width = question->bank_width};
    const char *name = question->device;
    assert_int_equal(bsim_device_find(name, &options, &device, NULL), BSIM_OK);
    return device;
}

/* Counts a check by simulating its stream. */
static struct bsim_tally count(const char *what, const struct bsim_check *check,
                               const struct bsim_device *device)
{
    struct bsim_sim_options options = {.device = device};
    struct bsim_sim *sim = bsim_sim_new(&options);
    struct bsim_sink sink = bsim_sim_sink(sim);
    struct bsim_result result = {0};
    struct bsim_error err;
    if (bsim_check_push(check, NULL, &sink, &err) != BSIM_OK) {
        fail_msg("%s: %s", what, err.message);
    }
    assert_int_equal(bsim_sim_result(sim, &result, NULL), BSIM_OK);
    struct bsim_tally total = bsim_kernel_total(&result.kernels[0]);
    bsim_result_free(&result);
    bsim_sim_free(sim);
    return total;
}

static struct bsim_advice *advise_with(const struct question *question,
                                       const struct bsim_check *check,
                                       const struct bsim_advise_options *options)
{
    struct bsim_device device = device_of(question);
    struct bsim_advice *advice = NULL;
    struct bsim_error err;
    if (bsim_advise(check, &device, options, &advice, &err) != BSIM_OK) {
        fail_msg("%s: %s", question->what, err.message);
    }
    return advice;
}

static struct bsim_advice *advise(const struct question *question, const struct bsim_check *check,
                                  bool all)
{
    struct bsim_advise_options options = {.n_plans = BSIM_ADVISE_MAX_PLANS, .all = all};
    return advise_with(question, check, &options);
}

/* ---- what is known ------------------------------------------------------------------------- */

static void expect_number(const char *what, const char *of, uint64_t got, uint64_t expected)
{
    if (got != expected) {
        fail_msg("%s: %s is %" PRIu64 ", expected %" PRIu64, what, of, got, expected);
    }
}

static void expect_known(const struct question *question, const struct bsim_check *check,
                         const struct bsim_advice *advice, const struct known *known)
{
    if (strcmp(known->layout, "bytes") == 0) {
        expect_number(question->what, "bytes", advice->plan[0].shared_bytes, known->wavefronts);
        return;
    }
    for (size_t i = 0; i < advice->n_candidates; i++) {
        struct bsim_buffer name = BSIM_BUFFER_EMPTY;
        char text[TEXT_SIZE];
        bsim_layout_spell(BSIM_LAYOUT_NAME,
                          &bsim_check_contents(check)->array[advice->candidate[i].array],
                          &advice->candidate[i].layout, &name);
        take_text(&name, text);
        if (strcmp(text, known->layout) == 0) {
            expect_number(question->what, text, advice->candidate[i].total.wavefronts,
                          known->wavefronts);
            return;
        }
    }
    fail_msg("%s: %s was not tried", question->what, known->layout);
}

static void knows_answers(void **state)
{
    (void)state;
    for (size_t q = 0; q < N_QUESTIONS; q++) {
        const struct question *question = &questions[q];
        struct bsim_check *check = build(question, NULL, NULL);
        struct bsim_advice *advice = advise(question, check, true);
        const struct bsim_advice_plan *best =
            advice->n_plans > 0 ? &advice->plan[0] : &advice->before;
        expect_number(question->what, "before", advice->before.total.wavefronts, question->before);
        expect_number(question->what, "best", best->total.wavefronts, question->best);
        expect_number(question->what, "least", advice->total.least, question->least);
        expect_number(question->what, "is_joint", advice->is_joint, question->is_joint);
        for (size_t i = 0; i < MOST_KNOWN && question->known[i].layout != NULL; i++) {
            expect_known(question, check, advice, &question->known[i]);
        }
        bsim_advice_free(advice);
        bsim_check_free(check);
    }
}

/* Wavefronts first, then bytes; never one that is no better; none below what is possible. */
static void ranks_plans(void **state)
{
    (void)state;
    for (size_t q = 0; q < N_QUESTIONS; q++) {
        struct bsim_check *check = build(&questions[q], NULL, NULL);
        struct bsim_advice *advice = advise(&questions[q], check, false);
        for (size_t i = 0; i < advice->n_plans; i++) {
            const struct bsim_advice_plan *plan = &advice->plan[i];
            assert_true(plan->total.wavefronts < advice->before.total.wavefronts);
            assert_true(plan->total.wavefronts >= advice->total.least);
            assert_true(i == 0 || plan[-1].total.wavefronts < plan->total.wavefronts ||
                        (plan[-1].total.wavefronts == plan->total.wavefronts &&
                         plan[-1].shared_bytes <= plan->shared_bytes));
        }
        assert_int_equal(advice->n_candidates, 0);
        bsim_advice_free(advice);
        bsim_check_free(check);
    }
}

/* 96 rows of 128 floats are 48 KB, as much as an array may have that is not extern: a column is
 * read in 3 wavefronts with a swizzle, a padding would not compile. Of one row more, it is extern
 * already. */
static void a_padding_crosses_no_limit(void **state)
{
    (void)state;
    struct question question = {.block = "96",
                                .shared = {"float tile[96][128]"},
                                .statement = {"load tile[threadIdx.x][0]"}};
    struct bsim_check *check = build(&question, NULL, NULL);
    struct bsim_advice *advice = advise(&question, check, false);
    assert_true(advice->is_limited);
    assert_int_equal(advice->plan[0].total.wavefronts, 3);
    for (size_t i = 0; i < advice->n_plans; i++) {
        assert_int_equal(advice->plan[i].shared_bytes, 48 * 1024);
    }
    bsim_advice_free(advice);
    bsim_check_free(check);
    question.shared[0] = "float tile[97][128]";
    check = build(&question, NULL, NULL);
    advice = advise(&question, check, false);
    assert_false(advice->is_limited);
    assert_true(advice->plan[advice->n_plans - 1].shared_bytes > 97 * 128 * 4);
    bsim_advice_free(advice);
    bsim_check_free(check);
}

/* Lanes touch columns 0 to 15 of rows 16 and 17, and the layout puts them into 16 to 31: the block
 * has all of row 17, up to byte 2303, though the last element that is touched has byte 2236. */
static void a_row_is_as_long_as_its_layout_moves(void **state)
{
    (void)state;
    struct question question = {.block = "32",
                                .shared = {"extern float s[][32] row-xor 5,0,0"},
                                .statement = {"load s[16 + lane / 16][lane % 16]"}};
    struct bsim_check *check = build(&question, NULL, NULL);
    struct bsim_advice *advice = advise(&question, check, false);
    assert_int_equal(advice->before.shared_bytes, 18 * 32 * 4);
    bsim_advice_free(advice);
    bsim_check_free(check);
}

/* Keeping all of them must not change which are best. */
static void all_changes_no_plan(void **state)
{
    (void)state;
    for (size_t q = 0; q < N_QUESTIONS; q++) {
        struct bsim_check *check = build(&questions[q], NULL, NULL);
        struct bsim_advice *some = advise(&questions[q], check, false);
        struct bsim_advice *all = advise(&questions[q], check, true);
        assert_int_equal(some->n_plans, all->n_plans);
        for (size_t i = 0; i < some->n_plans; i++) {
            assert_memory_equal(some->plan[i].layout, all->plan[i].layout,
                                some->n_arrays * sizeof some->plan[i].layout[0]);
        }
        for (size_t i = 0; i < all->n_candidates; i++) {
            uint64_t best =
                all->n_plans > 0 ? all->plan[0].total.wavefronts : all->before.total.wavefronts;
            assert_true(all->candidate[i].total.wavefronts >= best);
        }
        bsim_advice_free(some);
        bsim_advice_free(all);
        bsim_check_free(check);
    }
}

/* ---- the round trip ------------------------------------------------------------------------ */

static void expect_same(const struct question *question, const struct bsim_check *check,
                        const struct spelling *spellings, const struct bsim_advice_cost *total,
                        uint32_t shared_bytes)
{
    struct bsim_device device = device_of(question);
    struct bsim_check *again = build(question, check, spellings);
    struct bsim_tally tally = count(question->what, again, &device);
    if (tally.wavefronts != total->wavefronts || tally.conflicts != total->conflicts) {
        fail_msg("%s: %s with %s: %" PRIu64 " wavefronts and %" PRIu64 " conflicts, not %" PRIu64
                 " and %" PRIu64,
                 question->what, spellings[0].index, spellings[0].declaration, tally.wavefronts,
                 tally.conflicts, total->wavefronts, total->conflicts);
    }
    if (!bsim_check_contents(check)->array[0].is_extern) {
        expect_number(question->what, spellings[0].declaration,
                      bsim_check_contents(again)->kernel->shared_bytes, shared_bytes);
    }
    bsim_check_free(again);
}

static void candidates_survive_evaluation(void **state)
{
    (void)state;
    static const struct bsim_layout none = {.kind = BSIM_LAYOUT_AS_IS};
    for (size_t q = 0; q < N_QUESTIONS; q++) {
        struct bsim_check *check = build(&questions[q], NULL, NULL);
        struct bsim_advice *advice = advise(&questions[q], check, true);
        for (size_t i = 0; i < advice->n_candidates; i++) {
            const struct bsim_advice_candidate *candidate = &advice->candidate[i];
            struct spelling spellings[3];
            if (candidate->layout.apart) {
                continue; /* as of plans */
            }
            for (size_t a = 0; a < advice->n_arrays; a++) {
                bool is_it = a == candidate->array;
                spell(&bsim_check_contents(check)->array[a], is_it ? &candidate->layout : &none,
                      is_it ? candidate->alignment : advice->before.alignment[a],
                      is_it ? candidate->n_elements : advice->before.n_elements[a], &spellings[a]);
            }
            expect_same(&questions[q], check, spellings, &candidate->total,
                        candidate->shared_bytes);
        }
        bsim_advice_free(advice);
        bsim_check_free(check);
    }
}

static void plans_survive_evaluation(void **state)
{
    (void)state;
    for (size_t q = 0; q < N_QUESTIONS; q++) {
        struct bsim_check *check = build(&questions[q], NULL, NULL);
        struct bsim_advice *advice = advise(&questions[q], check, false);
        for (size_t i = 0; i < advice->n_plans; i++) {
            const struct bsim_advice_plan *plan = &advice->plan[i];
            struct spelling spellings[3];
            bool is_apart = false; /* whole elements have to be written anew: see test_pasted */
            for (size_t a = 0; a < advice->n_arrays; a++) {
                is_apart = is_apart || plan->layout[a].apart;
                spell(&bsim_check_contents(check)->array[a], &plan->layout[a], plan->alignment[a],
                      plan->n_elements[a], &spellings[a]);
            }
            if (!is_apart) {
                expect_same(&questions[q], check, spellings, &plan->total, plan->shared_bytes);
            }
        }
        bsim_advice_free(advice);
        bsim_check_free(check);
    }
}

/* ---- layouts ------------------------------------------------------------------------------- */

/* No two elements may share a place, and all must lie within what the layout asks for. */
static void layouts_keep_elements_apart(void **state)
{
    (void)state;
    for (size_t q = 0; q < N_QUESTIONS; q++) {
        struct bsim_check *check = build(&questions[q], NULL, NULL);
        struct bsim_advice *advice = advise(&questions[q], check, true);
        for (size_t i = 0; i < advice->n_candidates; i++) {
            const struct bsim_advice_candidate *candidate = &advice->candidate[i];
            const struct bsim_check_array *array =
                &bsim_check_contents(check)->array[candidate->array];
            static uint8_t taken[1 << 18];
            if (candidate->layout.apart) {
                continue; /* members are what has places: see test_pasted */
            }
            memset(taken, 0, sizeof taken);
            uint32_t n = advice->before.n_elements[candidate->array];
            for (uint32_t e = 0; e < n; e++) {
                uint32_t at = 0;
                uint32_t left = candidate->layout.columns;
                if (left > 0 && e % array->dimension[array->n_dimensions - 1] >= left) {
                    continue;
                }
                assert_true(bsim_layout_map(array, &candidate->layout, e * array->element_bytes,
                                            array->element_bytes, &at));
                at /= array->element_bytes;
                assert_true(at < candidate->n_elements && at < sizeof taken);
                assert_int_equal(taken[at]++, 0);
            }
        }
        bsim_advice_free(advice);
        bsim_check_free(check);
    }
}

/* Only such layouts as leave vectors and matrix rows whole and aligned, whatever their kind. */
static void vectors_stay_whole(void **state)
{
    (void)state;
    const struct question *question = &questions[2]; /* halves, 16 bytes at a time */
    struct bsim_check *check = build(question, NULL, NULL);
    struct bsim_advice *advice = advise(question, check, true);
    assert_string_equal(question->what, "ldmatrix");
    assert_true(advice->n_candidates > 0);
    for (size_t i = 0; i < advice->n_candidates; i++) {
        const struct bsim_layout *layout = &advice->candidate[i].layout;
        assert_true(layout->kind == BSIM_LAYOUT_PAD ? layout->pad % 8 == 0 : layout->base >= 3);
        assert_int_equal(advice->candidate[i].alignment % 16, 0);
    }
    bsim_advice_free(advice);
    bsim_check_free(check);
}

static void tears_are_refused(void **state)
{
    (void)state;
    struct bsim_check_array array = {
        .element_bytes = 4, .n_dimensions = 2, .dimension = {4, 6}, .size_bytes = 96};
    struct bsim_layout pad = {.kind = BSIM_LAYOUT_PAD, .row = 6, .pad = 2};
    struct bsim_layout swizzle = {.kind = BSIM_LAYOUT_SWIZZLE, .bits = 1, .base = 1, .shift = 2};
    uint32_t mapped = 77;
    assert_true(bsim_layout_map(&array, &pad, 24, 8, &mapped)); /* [1][0] and [1][1] */
    assert_int_equal(mapped, 32);
    mapped = 77;
    assert_false(bsim_layout_map(&array, &pad, 16, 16, &mapped));   /* [0][4] to [1][1] */
    assert_true(bsim_layout_map(&array, &swizzle, 32, 8, &mapped)); /* 8, 9: bit 3 on, to 10, 11 */
    assert_int_equal(mapped, 40);
    assert_false(bsim_layout_map(&array, &swizzle, 32, 16, &mapped));
    assert_false(bsim_layout_map(&array, &swizzle, 36, 8, &mapped));
}

/* ---- room in a block ------------------------------------------------------------------------- */

/* What does not fit a block is not proposed. */
static void stays_within_a_block(void **state)
{
    (void)state;
    static const struct question big = {
        "big", NULL, 0,     "32",       {"float t[1816][32]"}, {"load {t|lane|0}"}, 0,
        0,     0,    false, {{NULL, 0}}}; /* 232448 bytes, all there is: room for no padding */
    struct bsim_check *check = build(&big, NULL, NULL);
    struct bsim_advice *advice = advise(&big, check, true);
    assert_true(advice->n_plans > 0);
    for (size_t i = 0; i < advice->n_candidates; i++) {
        assert_int_equal(advice->candidate[i].shared_bytes, 232448);
    }
    assert_int_equal(advice->plan[0].total.wavefronts, 1);
    bsim_advice_free(advice);
    bsim_check_free(check);
}

/* ---- sentences ----------------------------------------------------------------------------- */

static void says_one_sentence(void **state)
{
    (void)state;
    static const struct {
        size_t question, access;
        const char *sentence;
    } cases[] = {
        {0, 0, ""}, /* the store is fine as it is */
        {0, 1,
         "Write tile[y][x ^ y] for tile[y][x], or declare __shared__ float tile[32][33]: 32 "
         "wavefronts instead of 1024 for its 32 requests"},
        {1, 1,
         "Write tile[y][x ^ y * 2] for tile[y][x], or declare __shared__ float tile[16][34]: "
         "16 wavefronts instead of 256 for its 16 requests"},
        {6, 0,
         "No layout helps: wherever the data lie, it takes 32 wavefronts. Lanes that update one "
         "address take turns"},
        {18, 1,
         "Write b[y][x ^ y] for b[y][x], or declare __shared__ float b[32][33]: 32 "
         "wavefronts instead of 1024 for its 32 requests"},
        {16, 0,
         "Write t[y][x ^ (x >> 5)] for t[y][x]: 2 wavefronts instead of 64 for its 2 "
         "requests"},
        {19, 0,
         "Write s[i + i / 32] for s[i] in __shared__ float s[64]: 1 wavefront instead of 2 for its "
         "1 request"},
        {9, 1,
         "Write tile[y][x ^ (y & 30)] for tile[y][x], or declare __shared__ float "
         "tile[32][34]: 32 passes instead of 512 for its 32 requests"},
    };
    static const struct bsim_advise_options hints = {.hints = true};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bsim_check *check = build(&questions[cases[i].question], NULL, NULL);
        struct bsim_advice *advice = advise_with(&questions[cases[i].question], check, &hints);
        const struct bsim_buffer *remedy = &advice->hint[cases[i].access].remedy;
        assert_string_equal(remedy->size_bytes > 0 ? remedy->data : "", cases[i].sentence);
        bsim_advice_free(advice);
        bsim_check_free(check);
    }
}

/* 32 different words on 8 banks take 4 wavefronts, wherever they lie. */
static void says_that_nothing_helps(void **state)
{
    (void)state;
    struct bsim_device device;
    struct bsim_device_options options = {.n_banks = 8};
    struct bsim_check *check = build(&questions[7], NULL, NULL);
    struct bsim_advice *advice = NULL;
    assert_string_equal(questions[7].what, "ideal");
    assert_int_equal(bsim_device_find("generic", &options, &device, NULL), BSIM_OK);
    struct bsim_advise_options hints = {.hints = true};
    assert_int_equal(bsim_advise(check, &device, &hints, &advice, NULL), BSIM_OK);
    assert_int_equal(advice->before.total.wavefronts, 4);
    assert_int_equal(advice->total.least, 4);
    assert_int_equal(advice->n_plans, 0);
    assert_string_equal(advice->hint[0].remedy.data,
                        "No layout helps: wherever the data lie, it takes 4 wavefronts");
    bsim_advice_free(advice);
    bsim_check_free(check);
}

/* A case of what hints say, and a part of what is to be said of its first access. */
struct told {
    const char *shared, *loop, *load[2];
    const char *part;
};

/* The block has 1024 threads. */
static const struct told told[] = {
    {"float t[1024]", NULL, {"t[lane * 2654435761u >> 22]", NULL}, "Its index is irregular"},
    /* beside a hash, the column alone chooses: by its own best, not by what suits both */
    {"float t[32][32]", NULL, {"t[lane][0]", "t[lane * lane % 29][0]"}, "t[32][33]: 32 wavefronts"},
    {"float t[1056]",
     NULL,
     {"t[lane * 32]", "t[lane * 33]"},
     "load t[lane * 33] is this with pad 1 every 32 of t"},
    {"float t[1056]", NULL, {"t[lane * 32]", "t[(lane & 15) * 33 + warp % 2]"}, "Write "},
    /* the same requests, but not as often: no old and new index */
    {"float t[1056]", "k = 0:2", {"t[lane * 32]", "t[lane * 33 + k]"}, "Write "},
    {"float t[32][32]",
     NULL,
     {"((float *)t)[lane * 32]", NULL},
     "Write (&t[0][0])[e ^ (e >> 5)] for (&t[0][0])[e]: 32 wavefronts"},
    /* two columns of 16 rows each want even pads, one of 32 an odd one, in 2048 requests */
    {"float t[32][32][33]",
     "k = 0:32",
     {"t[k][lane % 16 + warp % 2 * 16][lane / 16 + warp / 2 * 2]", "t[k][lane][warp]"},
     "in a sample of"},
};

static void says_why_there_is_none(void **state)
{
    (void)state;
    static const struct bsim_advise_options hints = {.hints = true};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        struct question question = {
            .what = told[i].part, .block = "1024", .shared = {told[i].shared}};
        char statement[3][TEXT_SIZE];
        size_t n = 0;
        if (told[i].loop != NULL) {
            (void)snprintf(statement[n++], TEXT_SIZE, "for %s", told[i].loop);
        }
        for (size_t k = 0; k < 2 && told[i].load[k] != NULL; k++) {
            (void)snprintf(statement[n++], TEXT_SIZE, "load %s", told[i].load[k]);
        }
        for (size_t k = 0; k < n; k++) {
            question.statement[k] = statement[k];
        }
        struct bsim_check *check = build(&question, NULL, NULL);
        struct bsim_advice *advice = advise_with(&question, check, &hints);
        const char *text = advice->hint[0].remedy.data;
        if (strstr(text, told[i].part) == NULL) {
            fail_msg("%s: %s", told[i].load[0], text);
        }
        bsim_advice_free(advice);
        bsim_check_free(check);
    }
}

/* What follows no formula is fitted to where a check has all of it, and left alone by hints. As they
 * are four of 32 places of Knuth's hash share a bank; i ^ i >> 8 leaves two. */
static void fits_hashes_that_are_asked_about(void **state)
{
    (void)state;
    static const struct bsim_advise_options hints = {.hints = true};
    static const struct question hash = {
        "hash", NULL, 0, "32",  {"float t[1024]"}, {"load t[lane * 2654435761u >> 22]"},
        0,      0,    0, false, {{NULL, 0}}};
    struct bsim_check *check = build(&hash, NULL, NULL);
    struct bsim_advice *advice = advise(&hash, check, false);
    assert_true(advice->shape[0].is_irregular);
    assert_int_equal(advice->before.total.wavefronts, 4);
    assert_int_equal(advice->plan[0].total.wavefronts, 2);
    bsim_advice_free(advice);
    advice = advise_with(&hash, check, &hints);
    assert_true(advice->shape[0].is_irregular);
    assert_int_equal(advice->n_tried, 0);
    bsim_advice_free(advice);
    bsim_check_free(check);
}

/* Behind the plan that turns the rows is the one that pads them: two of 45 words end at byte 360, and b is read
 * 16 bytes at a time and has to say so. */
static void declares_what_moves(void **state)
{
    (void)state;
    static const struct question moves = {
        "moves",
        NULL,
        0,
        "18",
        {"float a[2][36]", "half b[64]"},
        {"load {a|lane % 2|lane / 2 + 4 - lane % 2 * 4}", "load *(float4 *)&{b|lane % 8 * 8}"},
        0,
        0,
        0,
        false,
        {{NULL, 0}}};
    struct bsim_check *check = build(&moves, NULL, NULL);
    struct bsim_advice *advice = advise(&moves, check, false);
    assert_true(advice->n_plans >= 2);
    assert_int_equal(advice->plan[1].layout[0].pad, 9);
    assert_int_equal(advice->plan[1].layout[1].kind, BSIM_LAYOUT_AS_IS);
    assert_true(advice->plan[1].declares[0] && advice->plan[1].declares[1]);
    assert_int_equal(advice->plan[1].alignment[1], 16);
    bsim_advice_free(advice);
    bsim_check_free(check);
}

/* ---- failures ------------------------------------------------------------------------------ */

static void refuses(const struct question *question, const char *part)
{
    struct bsim_device device = device_of(question);
    struct bsim_check *check = build(question, NULL, NULL);
    struct bsim_advice *advice = NULL;
    struct bsim_error err;
    assert_int_equal(bsim_advise(check, &device, NULL, &advice, &err), BSIM_E_INPUT);
    assert_null(advice);
    if (strstr(err.message, part) == NULL) {
        fail_msg("%s: %s", question->what, err.message);
    }
    bsim_check_free(check);
}

static void refuses_what_it_cannot(void **state)
{
    (void)state;
    static const struct question old = {
        "old", "k40", 0, "32",  {"half t[32][64]"}, {"ldmatrix x4 &{t|lane|0}"},
        0,     0,     0, false, {{NULL, 0}}};
    static const struct question many = {
        "many", NULL, 0, "32",  {"char s[100000]"}, {"for k = 0:65537", "load {s|lane + k}"},
        0,      0,    0, false, {{NULL, 0}}};
    static const struct question outside = {
        "outside", NULL, 0, "32", {"float s[31]"}, {"load {s|lane}"}, 0, 0, 0, false, {{NULL, 0}}};
    refuses(&old, "sm_35 does not execute ldmatrix");
    refuses(&many, "65536 different requests");
    refuses(&outside, "outside of s");
}

/* Same addresses in every turn are one request. */
static void merges_repetitions(void **state)
{
    (void)state;
    static const struct question same = {
        "same", NULL, 0, "32",  {"float t[32][32]"}, {"for k = 0:100000", "load {t|lane|k % 2}"},
        0,      0,    0, false, {{NULL, 0}}};
    struct bsim_check *check = build(&same, NULL, NULL);
    struct bsim_advice *advice = advise(&same, check, false);
    assert_int_equal(advice->n_patterns, 2);
    assert_int_equal(advice->before.total.wavefronts, 3200000);
    assert_int_equal(advice->plan[0].total.wavefronts, 100000);
    bsim_advice_free(advice);
    bsim_check_free(check);
}

/* Advice and report of a question, the Nth allocation failing, for every N. */
static void survives_short_memory(const struct question *question, enum bsim_format format)
{
    struct bsim_device device = device_of(question);
    struct bsim_check *check = build(question, NULL, NULL);
    struct bsim_advise_options options = {.all = format == BSIM_JSON, .hints = format == BSIM_CSV};
    struct bsim_report_options report = {.format = format};
    size_t before = failing_memory_live();
    for (size_t n = 0; n < MOST_ALLOCATIONS; n++) {
        struct bsim_advice *advice = NULL;
        struct bsim_buffer text = BSIM_BUFFER_EMPTY;
        struct bsim_error err;
        failing_memory_fail_after(n);
        enum bsim_status status = bsim_advise(check, &device, &options, &advice, &err);
        if (status == BSIM_OK) {
            bsim_report_advice(check, advice, &report, &text);
            status = bsim_buffer_status(&text, &err);
        }
        size_t refused = failing_memory_refused();
        failing_memory_heal();
        bsim_advice_free(advice);
        bsim_buffer_free(&text);
        assert_int_equal(failing_memory_live(), before);
        if (status == BSIM_OK) {
            assert_int_equal(refused, 0);
            bsim_check_free(check);
            return;
        }
        assert_int_equal(status, BSIM_E_MEMORY);
    }
    fail_msg("%s needs more than %d allocations", question->what, MOST_ALLOCATIONS);
}

static void frees_what_it_owns(void **state)
{
    (void)state;
    survives_short_memory(&questions[5], BSIM_TEXT);
    survives_short_memory(&questions[5], BSIM_CSV);
    survives_short_memory(&questions[5], BSIM_JSON);
    survives_short_memory(&questions[N_QUESTIONS - 1], BSIM_TEXT);
    bsim_advice_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_answers),
        cmocka_unit_test(ranks_plans),
        cmocka_unit_test(a_padding_crosses_no_limit),
        cmocka_unit_test(a_row_is_as_long_as_its_layout_moves),
        cmocka_unit_test(all_changes_no_plan),
        cmocka_unit_test(candidates_survive_evaluation),
        cmocka_unit_test(plans_survive_evaluation),
        cmocka_unit_test(layouts_keep_elements_apart),
        cmocka_unit_test(vectors_stay_whole),
        cmocka_unit_test(tears_are_refused),
        cmocka_unit_test(stays_within_a_block),
        cmocka_unit_test(says_one_sentence),
        cmocka_unit_test(says_that_nothing_helps),
        cmocka_unit_test(says_why_there_is_none),
        cmocka_unit_test(fits_hashes_that_are_asked_about),
        cmocka_unit_test(declares_what_moves),
        cmocka_unit_test(refuses_what_it_cannot),
        cmocka_unit_test(merges_repetitions),
        cmocka_unit_test(frees_what_it_owns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
