/* split.c - a text into statements: where each begins and ends. What is in them is read later, as
 * declarations may stand anywhere.
 *
 *     block 32,8                               a sketch's words: up to the line's end, a ; or the }
 *     shared float t[32][33]                     that closes the braces they stand in
 *     __shared__ float t[32][33];              a declaration of CUDA: up to the ;
 *     for k = 0:32 {                           a loop's or an if's head: up to its ), or to the {
 *         sum += t[k][threadIdx.x] *             or the line's end where it has no ( )
 *                w[k];                         anything else is a statement of C: up to the ;
 *     }                                        { and } are statements of their own, and so is else
 *
 *     #define AT(i, j) s[(i) * LD + (j)]       C's own, up to the line's end, which a \ passes on
 *
 * # and // begin a comment that ends with its line; what stands between slash-stars is one, too. A
 * line that begins with one of C's directives, `# if` among them, is no comment: #include and
 * #pragma say nothing about accesses, and the others are refused.
 */
#include "expr/check.h"

#include "base/memory.h"

#include <string.h>

struct split {
    struct bsim_check *check;
    const char *name; /* as statements keep it */
    uint32_t unit;
    char *text; /* a copy, its comments blank */
    size_t at, size;
    uint64_t line;              /* of `begin`, or 0 for all */
    size_t begin;               /* of the line that `at` lies in */
    size_t depth;               /* braces that are open */
    struct cu_source outermost; /* the first of them */
    size_t outermost_at;
    struct bsim_error *err;
};

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static char peek(const struct split *split, size_t at)
{
    return at < split->size ? split->text[at] : '\0';
}

/* ---- comments -------------------------------------------------------------------------------- */

static size_t line_end(const struct split *split, size_t at)
{
    const char *end = memchr(split->text + at, '\n', split->size - at);
    return end != NULL ? (size_t)(end - split->text) : split->size;
}

static void blank(struct split *split, size_t at, size_t end)
{
    for (; at < end; at++) {
        split->text[at] = split->text[at] == '\n' ? '\n' : ' ';
    }
}

/* Those between slash-stars may span lines. One that is not closed stays: the scanner says so. */
static size_t blank_comment(struct split *split, size_t at)
{
    size_t end = at + 2;
    while (end < split->size && !(peek(split, end) == '*' && peek(split, end + 1) == '/')) {
        end++;
    }
    if (end < split->size) {
        blank(split, at, end + 2);
    }
    return end < split->size ? end + 2 : split->size;
}

/* ---- directives ------------------------------------------------------------------------------ */

enum directive { COMMENT, IGNORED, DEFINE, REFUSED };

/* Where the word of the # at `at` begins: C allows blanks before it. */
static size_t directive_word(const struct split *split, size_t at)
{
    at++;
    while (peek(split, at) == ' ' || peek(split, at) == '\t') {
        at++;
    }
    return at;
}

/* What the # at `at` begins: a directive at the beginning of a line, blanks aside, if C has its
 * word. Prose begins with few of these words; for those that change nothing that is read here, with
 * a blank before them, it has the benefit of the doubt: `# line by line`. */
static enum directive directive_at(const struct split *split, size_t at)
{
    static const struct {
        const char *word;
        enum directive directive;
        bool is_prose; /* behind a blank */
    } directives[] = {
        {"define", DEFINE, false},  {"include", IGNORED, false}, {"pragma", IGNORED, false},
        {"undef", REFUSED, false},  {"if", REFUSED, false},      {"ifdef", REFUSED, false},
        {"ifndef", REFUSED, false}, {"elif", REFUSED, false},    {"else", REFUSED, false},
        {"endif", REFUSED, false},  {"error", REFUSED, true},    {"warning", REFUSED, true},
        {"line", REFUSED, true},
    };
    size_t begin = at;
    while (begin > 0 && split->text[begin - 1] != '\n' && is_blank(split->text[begin - 1])) {
        begin--;
    }
    size_t word = directive_word(split, at);
    size_t length = 0;
    while (in_name(peek(split, word + length))) {
        length++;
    }
    for (size_t i = 0; i < sizeof directives / sizeof directives[0]; i++) {
        if ((begin == 0 || split->text[begin - 1] == '\n') &&
            strlen(directives[i].word) == length &&
            memcmp(split->text + word, directives[i].word, length) == 0) {
            return word > at + 1 && directives[i].is_prose ? COMMENT : directives[i].directive;
        }
    }
    return COMMENT;
}

/* Whether a \ ends the line from `at` to `end`. */
static bool goes_on_behind(const struct split *split, size_t at, size_t end)
{
    while (end > at && is_blank(split->text[end - 1])) {
        end--;
    }
    return end > at && split->text[end - 1] == '\\';
}

/* The end of a line, and of those that a \ at its end adds. */
static size_t directive_end(const struct split *split, size_t at)
{
    size_t end = line_end(split, at);
    while (end < split->size && goes_on_behind(split, at, end)) {
        at = end + 1;
        end = line_end(split, at);
    }
    return end;
}

/* #pragma pack would move members. */
static bool is_pack(const struct split *split, size_t at, size_t end)
{
    static const char pragma[] = "pragma";
    at = directive_word(split, at);
    for (at += sizeof pragma - 1; at < end && is_blank(split->text[at]); at++) {
    }
    return end - at >= 4 && memcmp(split->text + at, "pack", 4) == 0;
}

/* Blanks what a # at the beginning of a line begins, or leaves it to add_directive(); returns from
 * where on # is a comment again. */
static size_t pass_directive(struct split *split, size_t at)
{
    enum directive directive = directive_at(split, at);
    if (directive == COMMENT) {
        return at;
    }
    size_t end = directive_end(split, at);
    if (directive == IGNORED && !is_pack(split, at, end)) {
        blank(split, at, end);
    }
    return end;
}

static void blank_comments(struct split *split)
{
    size_t directive = 0; /* the end of the last one */
    for (size_t at = 0; at < split->size;) {
        char c = peek(split, at);
        if (c == '#' && at >= directive) {
            directive = pass_directive(split, at);
        }
        bool is_line = (c == '#' && at >= directive) || (c == '/' && peek(split, at + 1) == '/');
        if (is_line) {
            blank(split, at, at < directive ? directive : line_end(split, at));
        }
        at = c == '/' && peek(split, at + 1) == '*' ? blank_comment(split, at) : at + 1;
    }
}

/* ---- how far a statement goes ---------------------------------------------------------------- */

/* Moves *at over a bracket and returns how much deeper that is. */
static int turn_of(char c)
{
    return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* The end of a sketch's statement: the line's; also a ; if it ends this one, and the } of the
 * braces that it stands in. */
static size_t end_of_words(const struct split *split, size_t at, bool at_semicolon)
{
    size_t end = line_end(split, at);
    int depth = 0;
    for (size_t i = at; i < end; i++) {
        char c = split->text[i];
        if ((c == ';' && at_semicolon && depth <= 0) || (c == '}' && depth <= 0)) {
            return i;
        }
        depth += turn_of(c);
    }
    return end;
}

/* Whether what follows a declaration's ; on its line is one more declaration: two names in a row,
 * the first of them no word of a sketch, and no value. */
static bool declares_more(const struct split *split, size_t at, size_t end)
{
    size_t length = 0;
    for (; at < end && is_blank(split->text[at]); at++) {
    }
    while (at + length < end && in_name(split->text[at + length])) {
        length++;
    }
    size_t next = at + length;
    for (; next < end && is_blank(split->text[next]); next++) {
    }
    const char *semicolon = memchr(split->text + at, ';', end - at);
    size_t last = semicolon != NULL ? (size_t)(semicolon - split->text) : end;
    return at == end || (length > 0 && next > at + length && in_name(peek(split, next)) &&
                         bsim_check_find_word(split->text + at, length) >= BSIM_N_WORDS &&
                         memchr(split->text + at, '=', last - at) == NULL);
}

/* The end of declarations: the line's, the } of the braces they stand in, or a ; that something
 * else follows. */
static size_t end_of_declarations(const struct split *split, size_t at)
{
    size_t end = end_of_words(split, at, false);
    size_t semicolon = at;
    while ((semicolon = end_of_words(split, semicolon, true)) < end) {
        if (!declares_more(split, semicolon + 1, end)) {
            return semicolon;
        }
        semicolon++;
    }
    return end;
}

/* The end of a statement of C: its ;, or the } of the braces that it stands in. */
static size_t end_of_code(const struct split *split, size_t at)
{
    int depth = 0;
    char before = '\0';
    for (size_t i = at; i < split->size; i++) {
        char c = split->text[i];
        bool opens_block = c == '{' && depth <= 0 && before != '=';
        if (depth <= 0 && (c == ';' || c == '}' || opens_block)) {
            return i;
        }
        depth += turn_of(c);
        before = is_blank(c) ? before : c;
    }
    return split->size;
}

static size_t behind_blanks(const struct split *split, size_t at)
{
    while (at < split->size && is_blank(split->text[at])) {
        at++;
    }
    return at;
}

/* The end of a struct's or union's definition, or of a typedef: its ;, or the end of the line that
 * its braces end on. */
static size_t end_of_type(const struct split *split, size_t at)
{
    int depth = 0;
    for (size_t i = at; i < split->size; i++) {
        char c = split->text[i];
        bool ends_line = c == '\n' && peek(split, behind_blanks(split, i)) != '{';
        if (depth <= 0 && (c == ';' || c == '}' || ends_line)) {
            return i;
        }
        depth += turn_of(c);
    }
    return split->size;
}

/* Behind the parenthesis that closes the one at `at`, or the end of the text. */
static size_t behind_parenthesis(const struct split *split, size_t at)
{
    int depth = 0;
    for (size_t i = at; i < split->size; i++) {
        depth += turn_of(split->text[i]);
        if (depth == 0) {
            return i + 1;
        }
    }
    return split->size;
}

/* Whether an expression goes on at `at`, so that the ( ) before it were a part of it: as in
 * `if (threadIdx.x & 1) == 0`. A * or & with a blank behind it is an operator of two. */
static bool goes_on(const struct split *split, size_t at)
{
    while (peek(split, at) == ' ' || peek(split, at) == '\t') {
        at++;
    }
    char c = peek(split, at);
    char next = peek(split, at + 1);
    bool is_twice = c == next && (c == '+' || c == '-');
    return c != '\0' && ((strchr("=<>|?%^/!.[", c) != NULL && !(c == '!' && next != '=')) ||
                         (strchr("*&+-", c) != NULL && !is_twice && (is_blank(next) || c == next)));
}

/* The end of a head, behind its word: `(...)`, or up to the { or the line's end. */
static size_t end_of_head(const struct split *split, size_t at)
{
    size_t first = behind_blanks(split, at);
    if (peek(split, first) == '(') {
        size_t end = behind_parenthesis(split, first);
        if (!goes_on(split, end)) {
            return end;
        }
    }
    size_t end = line_end(split, at);
    const char *brace = memchr(split->text + at, '{', end - at);
    return brace != NULL ? (size_t)(brace - split->text) : end;
}

/* ---- statements ------------------------------------------------------------------------------ */

static enum bsim_status out_of_memory(const struct split *split)
{
    return bsim_mem_short(split->err);
}

/* The lines from the one at hand to `end`. */
static struct cu_source source_at_hand(const struct split *split, size_t end)
{
    return (struct cu_source){.name = split->name,
                              .line = split->line,
                              .text = split->text + split->begin,
                              .length = end - split->begin};
}

/* The statement `word` from split->at on, whose own text is [at .. end): its source are the lines
 * that it stands in. */
static enum bsim_status add(struct split *split, enum bsim_check_word word, size_t at, size_t end)
{
    struct bsim_statement *statement =
        bsim_arena_take(&split->check->file.arena, sizeof *statement);
    if (statement == NULL) {
        return out_of_memory(split);
    }
    statement->word = word;
    statement->unit = split->unit;
    statement->depth = (uint32_t)split->depth;
    statement->source = source_at_hand(split, line_end(split, end));
    statement->from = split->at - split->begin;
    statement->at = at - split->begin;
    statement->end = end - split->begin;
    if (end - at > BSIM_STATEMENT_MAX_BYTES) {
        return bsim_cu_error(&statement->source, statement->from, split->err,
                             "a statement has at most %d bytes", BSIM_STATEMENT_MAX_BYTES);
    }
    bsim_check_append(split->check, statement);
    split->at = end;
    return BSIM_OK;
}

static enum bsim_status fail_here(const struct split *split, const char *message)
{
    struct cu_source source = source_at_hand(split, split->size);
    return bsim_cu_error(&source, split->at - split->begin, split->err, "%s", message);
}

static enum bsim_status add_brace(struct split *split)
{
    bool opens = split->text[split->at] == '{';
    if (!opens && split->depth == 0) {
        return fail_here(split, "this } closes no {");
    }
    if (opens && split->depth == 0) {
        split->outermost = source_at_hand(split, split->size);
        split->outermost_at = split->at - split->begin;
    }
    split->depth += opens;
    enum bsim_status status =
        add(split, opens ? BSIM_WORD_OPEN : BSIM_WORD_CLOSE, split->at + 1, split->at + 1);
    split->depth -= !opens;
    return status;
}

static bool is(const struct split *split, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(split->text + split->at, word, length) == 0;
}

/* Whether that very word begins there. */
static bool begins(const struct split *split, size_t at, const char *word)
{
    size_t length = strlen(word);
    return length <= split->size - at && memcmp(split->text + at, word, length) == 0 &&
           !in_name(peek(split, at + length));
}

/* Whether what has the name of a sketch's word is a thing in C: `load = 3;`, `store[i] = x;`. */
static bool is_thing(const struct split *split, size_t behind)
{
    size_t at = behind;
    while (peek(split, at) == ' ' || peek(split, at) == '\t') {
        at++;
    }
    char c = peek(split, at);
    char next = peek(split, at + 1);
    return c != '\0' && ((strchr("=[", c) != NULL) || (strchr("(.", c) != NULL && at == behind) ||
                         (strchr("+-*/%&|^", c) != NULL && (next == '=' || next == c)) ||
                         (c == '-' && next == '>'));
}

/* The words of a sketch whose line is theirs, whatever follows. */
static bool is_always(enum bsim_check_word word)
{
    return (word <= BSIM_WORD_SHARED && word != BSIM_WORD_INDEX) || word == BSIM_WORD_SYNC;
}

/* `block[ty][tx] = 1;`, `warp += 1;`: a thing after all. */
static bool is_element(const struct split *split, size_t behind)
{
    while (peek(split, behind) == ' ') {
        behind++;
    }
    char c = peek(split, behind);
    return c == '[' ||
           (c != '\0' && strchr("+-*/%&|^", c) != NULL && peek(split, behind + 1) == '=');
}

/* A declaration that may be of constants, as array sizes need them: `const int N = 16;`. Outside of
 * braces it then holds for the whole check. */
static enum bsim_status add_constant(struct split *split)
{
    enum bsim_status status = add(split, BSIM_WORD_CODE, split->at, end_of_code(split, split->at));
    if (status == BSIM_OK) {
        split->check->last->may_be_constant = true;
    }
    return status;
}

/* `const float c[64]`, without values: C has no such array, so that it is the sketch's, of constant memory. */
static bool is_constant_memory(const struct split *split, size_t behind)
{
    size_t length = end_of_declarations(split, behind) - behind;
    return split->depth == 0 && memchr(split->text + behind, '[', length) != NULL &&
           memchr(split->text + behind, '=', length) == NULL;
}

/* The line of split->at becomes the one at hand. */
static void follow_lines(struct split *split)
{
    for (size_t i = split->begin; i < split->at; i++) {
        if (split->text[i] == '\n') {
            split->begin = i + 1;
            split->line += split->line > 0;
        }
    }
}

/* To where the next statement begins; false at the end. */
static bool skip_blanks(struct split *split)
{
    while (split->at < split->size &&
           (is_blank(split->text[split->at]) || split->text[split->at] == ';')) {
        split->at++;
    }
    follow_lines(split);
    return split->at < split->size;
}

/* The head of a loop or an if. A ; right behind it would be all that it holds for. */
static enum bsim_status add_head(struct split *split, enum bsim_check_word word, size_t behind)
{
    enum bsim_status status = add(split, word, behind, end_of_head(split, behind));
    size_t next = status == BSIM_OK ? behind_blanks(split, split->at) : split->at;
    if (status == BSIM_OK && peek(split, next) == ';') {
        split->at = next;
        follow_lines(split);
        return fail_here(split,
                         "this ; is all that the loop or the if before it holds for, which then "
                         "does nothing: leave it out, or both");
    }
    return status;
}

/* The length of the name that begins there. Of a sketch's word with a bar the command line's form is one, too. */
static size_t name_length(const struct split *split)
{
    static const char copy[] = "cp-async";
    size_t length = begins(split, split->at, copy) ? sizeof copy - 1 : 0;
    while (in_name(peek(split, split->at + length))) {
        length++;
    }
    return length;
}

static enum bsim_check_word word_at(const struct split *split, size_t length)
{
    const char *name = split->text + split->at;
    return memchr(name, '-', length) != NULL ? BSIM_WORD_CP_ASYNC
                                             : bsim_check_find_word(name, length);
}

/* A statement that begins with a name. */
static enum bsim_status add_named(struct split *split)
{
    size_t length = name_length(split);
    size_t behind = split->at + length;
    enum bsim_check_word word = word_at(split, length);
    if (word == BSIM_WORD_ELSE) {
        return add(split, word, behind, behind);
    }
    if (word == BSIM_WORD_FOR || word == BSIM_WORD_IF || is(split, length, "while")) {
        return add_head(split, word == BSIM_N_WORDS ? BSIM_WORD_WHILE : word, behind);
    }
    if (word == BSIM_WORD_TIMES && !is_thing(split, behind)) {
        return add_head(split, word, behind);
    }
    if (is(split, length, "do") && word == BSIM_N_WORDS) {
        return fail_here(split,
                         "a do loop is not read: write it as while (...) { ... }, with what its "
                         "first turn needs");
    }
    size_t storage = is(split, length, "volatile") ? behind_blanks(split, behind) : split->at;
    if (begins(split, storage, "__shared__") || begins(split, storage, "extern")) {
        return add(split, BSIM_WORD_SHARED, split->at, end_of_code(split, split->at));
    }
    if (begins(split, storage, "__device__") || is(split, length, "__constant__")) {
        return add(split, is(split, length, "__constant__") ? BSIM_WORD_CONST : BSIM_WORD_GLOBAL,
                   split->at, end_of_code(split, split->at));
    }
    if (word >= BSIM_WORD_STRUCT && word <= BSIM_WORD_TYPEDEF) {
        return add(split, word, behind, end_of_type(split, behind));
    }
    bool is_const = word == BSIM_WORD_CONST && is_constant_memory(split, behind);
    if (is(split, length, "constexpr") || (word == BSIM_WORD_CONST && !is_const) ||
        is(split, length, "static")) {
        return add_constant(split);
    }
    if (is(split, length, "__syncthreads")) {
        return add(split, BSIM_WORD_SYNC, behind, end_of_code(split, behind));
    }
    if (is(split, length, "__syncwarp")) {
        return add(split, BSIM_WORD_SYNCWARP, behind, end_of_code(split, behind));
    }
    bool is_sketch = word != BSIM_N_WORDS && word != BSIM_WORD_END && word != BSIM_WORD_CODE &&
                     (is_always(word) ? !is_element(split, behind) : !is_thing(split, behind));
    bool declares = is_const || word == BSIM_WORD_SHARED || word == BSIM_WORD_GLOBAL;
    return !is_sketch ? add(split, BSIM_WORD_CODE, split->at, end_of_code(split, split->at))
                      : add(split, word, behind,
                            declares ? end_of_declarations(split, behind)
                                     : end_of_words(split, behind, true));
}

/* A directive that says something. */
static enum bsim_status add_directive(struct split *split)
{
    static const char define[] = "define";
    if (directive_at(split, split->at) != DEFINE) {
        return fail_here(split, "of C's directives only #define is read: leave the lines that are "
                                "compiled, without this one; what is a comment begins with //");
    }
    size_t end = directive_end(split, split->at);
    enum bsim_status status =
        add(split, BSIM_WORD_DEFINE, directive_word(split, split->at) + sizeof define - 1, end);
    if (status == BSIM_OK) {
        split->check->last->is_text = true;
    }
    return status;
}

static enum bsim_status add_statement(struct split *split)
{
    char c = split->text[split->at];
    if (c == '#') {
        return add_directive(split);
    }
    if (c == '{' || c == '}') {
        return add_brace(split);
    }
    return in_name(c) && !(c >= '0' && c <= '9')
               ? add_named(split)
               : add(split, BSIM_WORD_CODE, split->at, end_of_code(split, split->at));
}

enum bsim_status bsim_check_split(struct bsim_check *check, const char *name, uint64_t line,
                                  uint32_t unit, const char *text, size_t size,
                                  struct bsim_error *err)
{
    struct split split = {.check = check, .unit = unit, .size = size, .line = line, .err = err};
    enum bsim_status status = BSIM_OK;
    split.name = bsim_arena_text(&check->file.arena, name, strlen(name));
    split.text = bsim_arena_text(&check->file.arena, text, size);
    if (split.name == NULL || split.text == NULL) {
        return out_of_memory(&split);
    }
    blank_comments(&split);
    while (status == BSIM_OK && skip_blanks(&split)) {
        status = add_statement(&split);
    }
    if (status == BSIM_OK && split.depth > 0) {
        return bsim_cu_error(&split.outermost, split.outermost_at, err,
                             "this { is not closed: a } is missing before the end of %s", name);
    }
    return status;
}
