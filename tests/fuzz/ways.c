/* ways.c - runs a trace in all ways, and holds their outputs against each other. */
#include "ways.h"

#include "trace/binary/binary.h"

enum { MAX_WORDS = 30, MAX_SHARDS = 5 };

/* What is said of a single expectation. */
static const char does_not_hold[] = " does not hold: it is ";

/* A trace, and what is asked of each run of it. */
struct question {
    const char *program;
    const char *words[MAX_WORDS]; /* options of a run, and how many */
    size_t n;
    size_t n_report;  /* the first ones, which merge has too */
    bool is_profiled; /* the report is one that has no cycles */
    const char *path;
    bool is_text;
    bool is_quick; /* cycles may be wanted */
};

/* ---- what is asked --------------------------------------------------------------------------- */

static void add(struct question *question, const char *option, const char *value)
{
    question->words[question->n++] = option;
    question->words[question->n++] = value;
}

/* An option with one of n values; "" leaves it out. */
static void choose(struct question *question, const char *option, const char *const *values,
                   size_t n, uint64_t *asked)
{
    const char *value = values[*asked % n];
    *asked /= n;
    if (value[0] != '\0') {
        add(question, option, value);
    }
}

static void ask(struct question *question, uint64_t asked)
{
    static const char *const formats[] = {"text", "csv", "json"};
    static const char *const pers[] = {"", "site", "site"};
    static const char *const metrics[] = {"ncu", "nvprof"};
    static const char *const devices[] = {"", "", "k40", "v100", "generic", "a100"};
    static const char *const registers[] = {"", "", "64"};
    choose(question, "--format", formats, 3, &asked);
    question->is_profiled = asked++ % 5 == 0;
    if (question->is_profiled) {
        choose(question, "--metrics", metrics, 2, &asked);
    } else {
        choose(question, "--per", pers, 3, &asked);
    }
    question->n_report = question->n;
    choose(question, "--device", devices, 6, &asked);
    if (!question->is_quick && !question->is_profiled) {
        add(question, "--cycles", "never");
    } else if (!question->is_profiled) {
        choose(question, "--registers", registers, 3, &asked);
    }
}

/* The repeats of a trace. */
struct turns {
    uint64_t here[BSIM_REPEAT_MAX_DEPTH]; /* of each that is open, with those around it */
    uint32_t depth;
    uint64_t all;
};

static enum bsim_status count_turns(void *context, const struct bsim_record *record,
                                    struct bsim_error *err)
{
    struct turns *turns = context;
    (void)err;
    if (record->kind == BSIM_RECORD_REPEAT) {
        uint64_t outer = turns->depth > 0 ? turns->here[turns->depth - 1] : 1;
        turns->here[turns->depth++] = outer * record->u.repeat.trips;
        turns->all += outer * record->u.repeat.trips;
    } else if (record->kind == BSIM_RECORD_DONE) {
        turns->depth--;
    }
    return BSIM_OK;
}

/* Whether the trace, as far as it can be read, has so few turns that ten runs with cycles take no
 * time: otherwise each may play until it gives up, for seconds. */
static bool is_quick(const uint8_t *data, size_t size)
{
    enum { MAX_TURNS = 20000 };
    struct turns turns = {.all = 0};
    struct fuzz_bytes bytes = {.data = data, .size = size};
    struct bsim_input input = fuzz_input(&bytes);
    struct bsim_sink sink = {.push = count_turns, .context = &turns};
    return bsim_trace_read(&input, &sink, NULL) != BSIM_E_MEMORY && turns.all <= MAX_TURNS;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static struct fuzz_outcome run(const struct question *question, const char *path,
                               const char *option, const char *value)
{
    const char *words[MAX_WORDS + 5] = {"run", path, option, value};
    for (size_t i = 0; i < question->n; i++) {
        words[4 + i] = question->words[i];
    }
    bool is_stdin = strcmp(path, "-") == 0;
    return fuzz_command(question->program, words, is_stdin ? question->path : NULL);
}

static struct fuzz_outcome convert(const struct question *question, const char *command,
                                   const char *from, const char *to)
{
    const char *words[] = {command, from, "-o", to, NULL};
    return fuzz_command(question->program, words, NULL);
}

static bool same_text(const struct bsim_buffer *a, const struct bsim_buffer *b)
{
    return a->size_bytes == b->size_bytes &&
           (a->size_bytes == 0 || memcmp(a->data, b->data, a->size_bytes) == 0);
}

static void print(const char *who, const struct fuzz_outcome *outcome)
{
    fprintf(stderr, "---- %s: exit code %d, on standard error:\n%s-- on standard output:\n%s", who,
            outcome->code, outcome->err.data, outcome->out.data);
}

/* Ends the program if the outcomes differ; with_messages: also if what they say does. */
static void require_same(const struct question *question, const char *way,
                         const struct fuzz_outcome *one, const struct fuzz_outcome *other,
                         bool with_messages)
{
    if (one->code != other->code || !same_text(&one->out, &other->out) ||
        (with_messages && !same_text(&one->err, &other->err))) {
        fprintf(stderr, "---- run %s", question->path);
        for (size_t i = 0; i < question->n; i++) {
            fprintf(stderr, " %s", question->words[i]);
        }
        fputs("\n", stderr);
        print("one job", one);
        print(way, other);
        REQUIRE(!"the same output");
    }
}

/* The messages with `from` replaced by `to` where a line begins with it. */
static struct bsim_buffer renamed(const struct bsim_buffer *messages, const char *from,
                                  const char *to)
{
    struct bsim_buffer copy = BSIM_BUFFER_EMPTY;
    const char *line = messages->data;
    while (*line != '\0') {
        size_t length = strcspn(line, "\n");
        length += line[length] == '\n';
        if (strncmp(line, from, strlen(from)) == 0) {
            bsim_buffer_text(&copy, to);
            line += strlen(from);
            length -= strlen(from);
        }
        bsim_buffer_add(&copy, line, length);
        line += length;
    }
    return copy;
}

/* ---- the ways -------------------------------------------------------------------------------- */

static void by_jobs(const struct question *question, const struct fuzz_outcome *expected)
{
    static const char *const jobs[] = {"2", "3", "8"};
    for (size_t i = 0; i < 3; i++) {
        struct fuzz_outcome outcome = run(question, question->path, "--jobs", jobs[i]);
        require_same(question, "more jobs", expected, &outcome, true);
        fuzz_outcome_free(&outcome);
    }
}

static void by_stdin(const struct question *question, const struct fuzz_outcome *expected,
                     const char *jobs)
{
    struct fuzz_outcome outcome = run(question, "-", "--jobs", jobs);
    struct fuzz_outcome as_stdin = *expected;
    as_stdin.err = renamed(&expected->err, question->path, "-");
    require_same(question, "standard input", &as_stdin, &outcome, true);
    bsim_buffer_free(&as_stdin.err);
    fuzz_outcome_free(&outcome);
}

/* By another form of the trace, which only a whole one has. */
static void by_form(const struct question *question, const struct fuzz_outcome *expected,
                    const char *command, const char *from, const char *to)
{
    struct fuzz_outcome made = convert(question, command, from, to);
    if (made.code != 0) {
        require_same(question, command, expected, &made, false);
    } else {
        struct fuzz_outcome one = run(question, to, "--jobs", "1");
        struct fuzz_outcome many = run(question, to, "--jobs", "3");
        require_same(question, command, expected, &one, false);
        require_same(question, command, &one, &many, true);
        fuzz_outcome_free(&one);
        fuzz_outcome_free(&many);
    }
    fuzz_outcome_free(&made);
}

static struct fuzz_outcome merge(const struct question *question, uint32_t n)
{
    static const char *const names[MAX_SHARDS] = {"part.1", "part.2", "part.3", "part.4", "part.5"};
    const char *words[MAX_WORDS + MAX_SHARDS + 2] = {"merge"};
    size_t n_words = 1;
    for (uint32_t k = 0; k < n; k++) {
        words[n_words++] = fuzz_path(names[n - 1 - k]);
    }
    for (size_t i = 0; i < question->n_report; i++) {
        words[n_words++] = question->words[i];
    }
    return fuzz_command(question->program, words, NULL);
}

/* Its lines but those of single expectations, which the shards have told. */
static struct bsim_buffer lines_of_all(const struct bsim_buffer *text)
{
    struct bsim_buffer rest = BSIM_BUFFER_EMPTY;
    const char *line = text->data;
    while (*line != '\0') {
        size_t length = strcspn(line, "\n");
        const char *word = strstr(line, does_not_hold);
        bool is_single =
            (word != NULL && word < line + length) || strncmp(line, "... and ", 8) == 0;
        length += line[length] == '\n';
        bsim_buffer_add(&rest, line, is_single ? 0 : length);
        line += length;
    }
    return rest;
}

static void require_merged(const struct question *question, const struct fuzz_outcome *expected,
                           uint32_t n)
{
    struct fuzz_outcome merged = merge(question, n);
    struct fuzz_outcome last = *expected;
    last.err = lines_of_all(&expected->err);
    require_same(question, "shards", &last, &merged, expected->code == 1);
    bsim_buffer_free(&last.err);
    fuzz_outcome_free(&merged);
}

/* Whether both end with the same error, behind the expectations that have failed so far. */
static bool same_error(const struct fuzz_outcome *a, const struct fuzz_outcome *b)
{
    const char *text[2] = {a->err.data, b->err.data};
    for (int i = 0; i < 2; i++) {
        const char *found;
        while ((found = strstr(text[i], does_not_hold)) != NULL) {
            text[i] = found + strcspn(found, "\n") + 1;
        }
    }
    return a->code == b->code && strcmp(text[0], text[1]) == 0;
}

/* What is asked of a shard: the report's own options are for merge, which has no other ones. */
static struct question of_shards(const struct question *question, const char *jobs)
{
    struct question part = *question;
    part.n -= question->n_report;
    memmove(part.words, part.words + question->n_report, part.n * sizeof part.words[0]);
    add(&part, "--jobs", jobs);
    if (!part.is_quick && part.is_profiled) {
        add(&part, "--cycles", "never");
    }
    return part;
}

static void by_shards(const struct question *question, const struct fuzz_outcome *expected,
                      uint32_t n, const char *jobs)
{
    struct question part = of_shards(question, jobs);
    bool is_told = false, is_cut = true;
    uint32_t n_failed = 0;
    char shard[16], name[16];
    for (uint32_t k = 1; k <= n && is_cut; k++) {
        (void)snprintf(shard, sizeof shard, "%u/%u", (unsigned)k, (unsigned)n);
        (void)snprintf(name, sizeof name, "part.%u", (unsigned)k);
        part.n += 2;
        part.words[part.n - 2] = "-o";
        part.words[part.n - 1] = fuzz_path(name);
        struct fuzz_outcome outcome = run(&part, question->path, "--shard", shard);
        is_cut = strstr(outcome.err.data, "shards are parts of") == NULL;
        n_failed += outcome.code != 0;
        is_told |= same_error(&outcome, expected);
        part.n -= 2;
        fuzz_outcome_free(&outcome);
    }
    if (is_cut && n_failed == 0) {
        require_merged(question, expected, n);
    } else if (is_cut && (expected->code < 2 || (question->is_text && !is_told))) {
        print("one job", expected);
        REQUIRE(!"a shard that says the same");
    }
}

static bool is_binary(const uint8_t *data, size_t size)
{
    return size > 0 && data[0] == (uint8_t)BSIM_BINARY_MAGIC[0];
}

int fuzz_require_ways(const char *program, const uint8_t *data, size_t size, uint64_t asked)
{
    static const char *const jobs[] = {"1", "2", "5"};
    struct question question = {
        .program = program, .path = fuzz_path("t.trace"), .is_text = !is_binary(data, size)};
    fuzz_write(question.path, data, size);
    question.is_quick = is_quick(data, size);
    ask(&question, asked);
    struct fuzz_outcome expected = run(&question, question.path, "--jobs", "1");
    REQUIRE(expected.code <= 1 || expected.out.size_bytes == 0);
    by_jobs(&question, &expected);
    by_stdin(&question, &expected, jobs[asked % 3]);
    by_form(&question, &expected, "pack", question.path, fuzz_path("packed"));
    if (expected.code <= 1) {
        by_form(&question, &expected, "unpack", fuzz_path("packed"), fuzz_path("unpacked"));
    }
    by_shards(&question, &expected, 2 + (uint32_t)(asked % (MAX_SHARDS - 1)), jobs[asked / 4 % 3]);
    fuzz_outcome_free(&expected);
    return expected.code;
}
