/* options.c - the command line's options: --name VALUE, --name=VALUE, -o FILE, and -- before words
 * that begin with a dash. Options and words may stand in any order. */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include "cli/cli.h"

#include "base/nearest.h"

#include <string.h>
#include <unistd.h>

/* One word of a choice and its value. */
struct choice {
    const char *word;
    int value;
};

static const struct choice pers[] = {
    {"request", BSIM_PER_REQUEST}, {"site", BSIM_PER_SITE}, {"kernel", BSIM_PER_KERNEL}, {NULL, 0}};
static const struct choice metrics[] = {{"banksim", BSIM_METRICS_BANKSIM},
                                        {"ncu", BSIM_METRICS_NCU},
                                        {"nvprof", BSIM_METRICS_NVPROF},
                                        {NULL, 0}};
static const struct choice widths[] = {{"4", 4}, {"8", 8}, {NULL, 0}};
static const struct choice cycles_choices[] = {
    {"auto", CYCLES_AUTO}, {"always", CYCLES_ALWAYS}, {"never", CYCLES_NEVER}, {NULL, 0}};

static const struct choice compilers[] = {
    {"nvcc", COMPILER_NVCC}, {"clang", COMPILER_CLANG}, {NULL, 0}};
static const struct choice libraries[] = {{"refuse", false}, {"skip", true}, {NULL, 0}};
static const struct choice merges[] = {{"ptxas", false}, {"none", true}, {NULL, 0}};

/* The commands, as bits: those that take an option. */
enum {
    RUN = 1 << 0,
    MERGE = 1 << 1,
    EMULATE = 1 << 2,
    LIST = 1 << 3,
    CHECK = 1 << 4,
    ADVISE = 1 << 5,
    COMPARE = 1 << 6,
    SHOW = 1 << 7,
    LESSON = 1 << 8,
    PACK = 1 << 9,
    UNPACK = 1 << 10,
    CONVERT = 1 << 11,
    LAUNCH = 1 << 12,
    CUDA = 1 << 13,
    WHERE = 1 << 14,
    ALL_COMMANDS = (1 << 15) - 1,
    SIMULATES = 1 << 15, /* no command: only a simulation has use for the option */
    SIMULATION = RUN | EMULATE | LAUNCH | CUDA | SIMULATES,
    ON_DEVICE = SIMULATION | CHECK | ADVISE | WHERE | COMPARE | SHOW,
    REPORTS = SIMULATION | MERGE,
};

static const char *const command_names[] = {"run",    "merge",   "emulate", "list",   "check",
                                            "advise", "compare", "show",    "lesson", "pack",
                                            "unpack", "convert", "launch",  "cuda",   "where"};

/* 0 for a command that takes no options. */
static uint32_t bit_of(const char *command)
{
    for (size_t i = 0; i < sizeof command_names / sizeof command_names[0]; i++) {
        if (strcmp(command_names[i], command) == 0) {
            return UINT32_C(1) << i;
        }
    }
    return 0;
}

struct parse;

/* An option, and where its value goes: into the member of struct options at `at`. */
struct option {
    const char *name;
    uint32_t commands;
    enum {
        FLAG,   /* a bool; without a value */
        TEXT,   /* a const char * */
        NUMBER, /* a uint32_t, at most `most`; 0: any */
        CHOICE, /* an int, an enum or a uint32_t: one of `choices` */
        FORMAT, /* an enum bsim_format that shows one of `shows` */
        OWN,    /* what `set` makes of it */
    } kind;
    size_t at;
    uint32_t most;
    const struct choice *choices;
    uint32_t shows;
    int (*set)(struct parse *parse);
};

/* What is being parsed. */
struct parse {
    const char *command;
    uint32_t bit; /* the command's */
    struct options *options;
    const char *name;  /* of the option at hand, with its dashes */
    const char *value; /* its value */
};

static int choose(const struct parse *parse, const struct choice *choices, int *value)
{
    char known[128] = "";
    for (; choices->word != NULL; choices++) {
        if (strcmp(choices->word, parse->value) == 0) {
            *value = choices->value;
            return EXIT_FINE;
        }
        (void)snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s",
                       known[0] != '\0' ? ", " : "", choices->word);
    }
    return bsim_cli_usage(parse->command, "%s is one of %s, not '%s'", parse->name, known,
                          parse->value);
}

enum { MAX_FORMATS = 16 };

/* Those that show one of `shows`, in the order of its bits. */
static const struct choice *list_formats(uint32_t shows, struct choice list[MAX_FORMATS])
{
    const char *name;
    uint32_t can;
    size_t n = 0;
    for (uint32_t one = 1; one <= shows; one <<= 1) {
        for (int i = 0; (name = bsim_format_name((size_t)i, &can)) != NULL; i++) {
            bool is_first = (can & shows & one) != 0 && (can & shows & (one - 1)) == 0;
            if (is_first && n < MAX_FORMATS - 1) {
                list[n++] = (struct choice){name, i};
            }
        }
    }
    list[n] = (struct choice){NULL, 0};
    return list;
}

/* A decimal number of at most six digits; what is in range is decided elsewhere. */
static int number(const struct parse *parse, uint32_t *value)
{
    size_t digits = strspn(parse->value, "0123456789");
    if (digits == 0 || digits > 6 || parse->value[digits] != '\0') {
        return bsim_cli_usage(parse->command, "%s takes a number%s, not '%s'", parse->name,
                              digits > 6 ? " of at most six digits" : "", parse->value);
    }
    *value = 0;
    for (size_t i = 0; i < digits; i++) {
        *value = 10 * *value + (uint32_t)(parse->value[i] - '0');
    }
    if (*value == 0) {
        return bsim_cli_usage(parse->command, "%s takes a number from 1 up", parse->name);
    }
    return EXIT_FINE;
}

/* "50" and "50%" are per cent. */
static int set_carveout(struct parse *parse)
{
    static const struct choice names[] = {
        {"l1", BSIM_CARVEOUT_L1}, {"equal", BSIM_CARVEOUT_EQUAL}, {"shared", BSIM_CARVEOUT_SHARED}};
    uint32_t *carveout = &parse->options->device_options.carveout;
    size_t digits = strspn(parse->value, "0123456789");
    const char *end = parse->value + digits;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(names[i].word, parse->value) == 0) {
            *carveout = (uint32_t)names[i].value;
            return EXIT_FINE;
        }
    }
    if (digits == 0 || digits > 3 || (*end == '%' ? end[1] : *end) != '\0') {
        return bsim_cli_usage(parse->command,
                              "%s is l1, equal, shared or 0 to 100 per cent, not '%s'", parse->name,
                              parse->value);
    }
    uint32_t percent = 0;
    for (size_t i = 0; i < digits; i++) {
        percent = 10 * percent + (uint32_t)(parse->value[i] - '0');
    }
    *carveout = BSIM_CARVEOUT_PERCENT + percent;
    return EXIT_FINE;
}

static int set_per(struct parse *parse)
{
    int value = 0;
    int code = choose(parse, pers, &value);
    parse->options->report.per = (enum bsim_per)value;
    parse->options->per_given = true;
    return code;
}

/* "-" is standard output, as it is standard input where a file is read. */
static int set_output(struct parse *parse)
{
    parse->options->output = strcmp(parse->value, "-") == 0 ? NULL : parse->value;
    return EXIT_FINE;
}

/* "2/5": the second of five. */
static int set_shard(struct parse *parse)
{
    struct parse part = *parse;
    char text[16];
    uint32_t value[2];
    const char *slash = strchr(parse->value, '/');
    size_t length = slash != NULL ? (size_t)(slash - parse->value) : sizeof text;
    if (length >= sizeof text) {
        return bsim_cli_usage(parse->command, "--shard takes K/N, such as 1/4, not '%s'",
                              parse->value);
    }
    memcpy(text, parse->value, length);
    text[length] = '\0';
    part.value = text;
    int code = number(&part, &value[0]);
    part.value = slash + 1;
    code = code == EXIT_FINE ? number(&part, &value[1]) : code;
    if (code == EXIT_FINE && value[0] > value[1]) {
        return bsim_cli_usage(parse->command, "--shard K/N: K goes from 1 to N");
    }
    parse->options->shard = value[0];
    parse->options->n_shards = value[1];
    return code;
}

static int add_dump(struct parse *parse)
{
    struct options *options = parse->options;
    if (options->n_dumps == MAX_DUMPS) {
        return bsim_cli_usage(parse->command, "--dump at most %d times", MAX_DUMPS);
    }
    options->dump[options->n_dumps++] = parse->value;
    return EXIT_FINE;
}

/* As many as there are processors. */
static uint32_t default_jobs(void)
{
    long n = 1;
#ifdef _SC_NPROCESSORS_ONLN
    n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return n < 1 ? 1 : n > BSIM_MAX_JOBS ? BSIM_MAX_JOBS : (uint32_t)n;
}

/* "2", "0.5": whatever the locale's decimal point. */
static int set_tolerance(struct parse *parse)
{
    const char *text = parse->value;
    size_t whole = strspn(text, "0123456789");
    size_t digits = whole > 0 && text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    size_t length = digits > 0 ? whole + 1 + digits : whole;
    double value = 0;
    double unit = 1;
    if (whole == 0 || length > 12 || text[length] != '\0') {
        return bsim_cli_usage(parse->command, "%s takes per cent, such as 2 or 0.5, not '%s'",
                              parse->name, text);
    }
    for (size_t i = 0; i < length; i++) {
        if (i != whole) {
            value = 10 * value + (text[i] - '0');
            unit *= i > whole ? 10 : 1;
        }
    }
    parse->options->tolerance = value / unit;
    return EXIT_FINE;
}

/* ---- what show alone takes; read where it is used ------------------------------------------- */

static int set_access(struct parse *parse)
{
    struct show_options *show = &parse->options->show;
    if (show->op != NULL) {
        return bsim_cli_usage(parse->command, "one access by hand, not --%s and %s", show->op,
                              parse->name);
    }
    show->op = parse->name + strlen("--");
    show->type = parse->value;
    return EXIT_FINE;
}

static int set_style(struct parse *parse)
{
    static const struct choice styles[] = {{"plain", 0}, {"utf8", 0}, {"colour", 0}, {NULL, 0}};
    int value = 0;
    parse->options->show.style = parse->value;
    return choose(parse, styles, &value);
}

/* ---- all of them ---------------------------------------------------------------------------- */

#define AT(member) offsetof(struct options, member)

_Static_assert(sizeof(enum bsim_format) == sizeof(int) && sizeof(uint32_t) == sizeof(int),
               "a choice is kept as an int, whatever it chooses");

static const struct option known[] = {
    {"--device", ON_DEVICE, TEXT, .at = AT(device)},
    {"--banks", ON_DEVICE, NUMBER, .at = AT(device_options.n_banks)},
    {"--bank-width", ON_DEVICE, CHOICE, .at = AT(device_options.bank_width), .choices = widths},
    {"--carveout", SIMULATION | ADVISE, OWN, .set = set_carveout},
    {"--per", REPORTS, OWN, .set = set_per},
    {"--format", SIMULATION, FORMAT, .at = AT(report.format), .shows = BSIM_TABLES | BSIM_PAGES},
    {"--format", LESSON, FORMAT, .at = AT(report.format), .shows = BSIM_PAGES},
    {"--format", SHOW, FORMAT, .at = AT(report.format), .shows = BSIM_PICTURES | BSIM_TABLES},
    {"--format", CHECK | ADVISE, FORMAT, .at = AT(report.format),
     .shows = BSIM_TABLES | BSIM_PAGES},
    {"--format", MERGE | LIST | WHERE | COMPARE, FORMAT, .at = AT(report.format),
     .shows = BSIM_TABLES},
    {"--metrics", REPORTS | CHECK, CHOICE, .at = AT(report.metrics), .choices = metrics},
    {"-o", ALL_COMMANDS & ~(uint32_t)LIST, OWN, .set = set_output},
    {"--emit-trace", CHECK, TEXT, .at = AT(emit_trace)},
    {"--flags", CUDA, TEXT, .at = AT(flags)},
    {"--compiler", CUDA, CHOICE, .at = AT(compiler), .choices = compilers},
    {"--libraries", CUDA, CHOICE, .at = AT(skips_libraries), .choices = libraries},
    {"--dump", LAUNCH, OWN, .set = add_dump},
    {"--merge", LAUNCH | CUDA | CHECK | SHOW | ADVISE, CHOICE, .at = AT(bare), .choices = merges},
    {"--blocks", LAUNCH | CUDA | CHECK | SHOW | ADVISE, NUMBER, .at = AT(blocks)},
    {"--steps", LAUNCH | CHECK | SHOW | ADVISE, NUMBER, .at = AT(steps)},
    {"--run", EMULATE, FLAG, .at = AT(run)},
    {"--hazards", SIMULATION, FLAG, .at = AT(hazards)},
    {"--cycles", SIMULATION, CHOICE, .at = AT(cycles), .choices = cycles_choices},
    {"--registers", SIMULATION | ADVISE, NUMBER, .at = AT(registers)},
    {"--jobs", RUN | LAUNCH | CUDA, NUMBER, .at = AT(jobs), .most = BSIM_MAX_JOBS},
    {"--shard", RUN | LAUNCH | CUDA, OWN, .set = set_shard},
    {"--names", LIST, FLAG, .at = AT(names)},
    {"--best", ADVISE, NUMBER, .at = AT(best), .most = BSIM_ADVISE_MAX_PLANS},
    {"--all", ADVISE | SHOW | LESSON | COMPARE, FLAG, .at = AT(all)},
    {"--ncu", COMPARE, TEXT, .at = AT(ncu)},
    {"--tolerance", COMPARE, OWN, .set = set_tolerance},
    {"--load", SHOW, OWN, .set = set_access},
    {"--store", SHOW, OWN, .set = set_access},
    {"--atomic", SHOW, OWN, .set = set_access},
    {"--ldmatrix", SHOW, OWN, .set = set_access},
    {"--stmatrix", SHOW, OWN, .set = set_access},
    {"--opcode", SHOW, OWN, .set = set_access},
    {"--shfl", SHOW, OWN, .set = set_access},
    {"--width", SHOW, TEXT, .at = AT(show.width)},
    {"--wgmma", SHOW, TEXT, .at = AT(show.wgmma)},
    {"--a", SHOW, TEXT, .at = AT(show.a)},
    {"--b", SHOW, TEXT, .at = AT(show.b)},
    {"--tma", SHOW, TEXT, .at = AT(show.tma)},
    {"--peer", SHOW, FLAG, .at = AT(show.peer)},
    {"--stride", SHOW, TEXT, .at = AT(show.stride)},
    {"--strides", SHOW, TEXT, .at = AT(show.strides)},
    {"--offset", SHOW, TEXT, .at = AT(show.offset)},
    {"--addresses", SHOW, TEXT, .at = AT(show.addresses)},
    {"--mask", SHOW, TEXT, .at = AT(show.mask)},
    {"--event", SHOW, TEXT, .at = AT(show.event)},
    {"--site", SHOW, TEXT, .at = AT(show.site)},
    {"--worst", SHOW, TEXT, .at = AT(show.worst)},
    {"--style", SHOW | LESSON, OWN, .set = set_style},
    {"--help", ALL_COMMANDS, FLAG, .at = AT(help)},
    {"-h", ALL_COMMANDS, FLAG, .at = AT(help)},
};

static int set(struct parse *parse, const struct option *option)
{
    void *at = (char *)parse->options + option->at;
    struct choice formats[MAX_FORMATS];
    int code, chosen;
    parse->options->simulates |= (option->commands & SIMULATES) != 0;
    switch (option->kind) {
    case FLAG:
        *(bool *)at = true;
        return EXIT_FINE;
    case TEXT:
        *(const char **)at = parse->value;
        return EXIT_FINE;
    case NUMBER:
        code = number(parse, at);
        return code == EXIT_FINE && option->most > 0 && *(uint32_t *)at > option->most
                   ? bsim_cli_usage(parse->command, "%s is at most %lu", parse->name,
                                    (unsigned long)option->most)
                   : code;
    case CHOICE:
    case FORMAT:
        code = choose(
            parse, option->kind == FORMAT ? list_formats(option->shows, formats) : option->choices,
            &chosen);
        if (code == EXIT_FINE) {
            memcpy(at, &chosen, sizeof chosen);
        }
        return code;
    default:
        return option->set(parse);
    }
}

/* A command that takes the option, launch before others; NULL: none does. */
static const char *who_takes(const char *name)
{
    uint32_t commands = 0, at = 0;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        commands |= strcmp(known[k].name, name) == 0 ? known[k].commands & ALL_COMMANDS : 0;
    }
    while (commands >> at != 0 && (commands >> at & 1) == 0) {
        at++;
    }
    return (commands & LAUNCH) != 0 ? "launch" : commands != 0 ? command_names[at] : NULL;
}

/* What may be meant are the options that the command takes and, where it takes a description, the
 * words of that; told apart without their dashes. */
static int unknown(const struct parse *parse, const char *argument)
{
    const char *word = argument + strspn(argument, "-");
    const char *statement;
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    struct bsim_nearest nearest = bsim_nearest_start(name);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if ((known[k].commands & parse->bit) != 0 && strncmp(known[k].name, "--", 2) == 0) {
            bsim_nearest_try(&nearest, known[k].name + 2);
        }
    }
    bool describes = (parse->bit & (CHECK | ADVISE | WHERE | SHOW)) != 0;
    for (size_t k = 0; describes && (statement = bsim_check_word(k)) != NULL; k++) {
        bsim_nearest_try(&nearest, statement);
    }
    const char *other = who_takes(argument);
    return other != NULL && nearest.best == NULL ? bsim_cli_usage(parse->command, "'%s' is an option of 'banksim %s', not of this", argument, other)
           : nearest.best == NULL
               ? bsim_cli_usage(parse->command, "unknown option '%s'", argument)
               : bsim_cli_usage(parse->command, "unknown option '%s': did you mean '--%s'?",
                                argument, nearest.best);
}

/* Handles the option at argv[*i], and its value behind it. */
static int take_option(struct parse *parse, int argc, char **argv, int *i)
{
    const char *argument = argv[*i];
    size_t length = strcspn(argument, "=");
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strlen(known[k].name) != length || strncmp(known[k].name, argument, length) != 0 ||
            (known[k].commands & parse->bit) == 0) {
            continue;
        }
        bool joined = argument[length] == '=', has_value = known[k].kind != FLAG;
        parse->name = known[k].name;
        if (joined && !has_value) {
            return bsim_cli_usage(parse->command, "%s takes no value", parse->name);
        }
        if (has_value && !joined && *i + 1 == argc) {
            return bsim_cli_usage(parse->command, "%s needs a value", parse->name);
        }
        if (has_value) {
            parse->value = joined ? argument + length + 1 : argv[++*i];
        }
        if (has_value && parse->value[0] == '\0') {
            return bsim_cli_usage(parse->command, "%s needs a value that is not empty",
                                  parse->name);
        }
        return set(parse, &known[k]);
    }
    return unknown(parse, argument);
}

bool bsim_cli_shows(const struct options *options, uint32_t what)
{
    uint32_t shows;
    (void)bsim_format_name(options->report.format, &shows);
    return (shows & what) != 0;
}

/* What does not go together in a report. */
static int check_report(const char *command, const struct options *options)
{
    bool profilers = options->report.metrics != BSIM_METRICS_BANKSIM;
    bool reports = profilers || options->per_given || options->report.format != BSIM_TEXT;
    if (options->n_shards > 0 && (reports || options->hazards)) {
        return bsim_cli_usage(command, "a shard is no report yet: leave out --hazards, and give "
                                       "--per, --format and --metrics to banksim merge");
    }
    if (options->n_shards > 0 && strcmp(command, "run") != 0 && bsim_cli_wants_trace(options)) {
        return bsim_cli_usage(command, "a shard is no trace: give -o another name");
    }
    if (profilers && options->per_given && options->report.per != BSIM_PER_KERNEL) {
        return bsim_cli_usage(command, "the profilers' metrics are per kernel: leave out --per");
    }
    if ((profilers || options->report.per == BSIM_PER_REQUEST) &&
        (options->cycles == CYCLES_ALWAYS || options->registers > 0)) {
        return bsim_cli_usage(command, "cycles are reported per kernel or site, in banksim's own "
                                       "metrics: leave out --cycles and --registers");
    }
    if (options->cycles == CYCLES_NEVER && options->registers > 0) {
        return bsim_cli_usage(command, "--registers is for cycles: leave out --cycles never");
    }
    if (bsim_cli_shows(options, BSIM_PAGES) && (options->per_given || profilers)) {
        return bsim_cli_usage(command, "a page of --format html shows kernels, sites and requests "
                                       "in banksim's metrics: leave out --per and --metrics");
    }
    return EXIT_FINE;
}

int bsim_cli_options(const char *command, int argc, char **argv, struct options *options)
{
    memset(options, 0, sizeof *options);
    options->words = argv + 1;
    options->jobs = default_jobs();
    struct parse parse = {.command = command, .bit = bit_of(command), .options = options};
    options->reads_files = (parse.bit & (EMULATE | LIST | LESSON)) == 0;
    options->reads_stdin = (parse.bit & (RUN | PACK | UNPACK | CONVERT)) != 0;
    bool only_words = false;
    for (int i = 1; i < argc; i++) {
        bool is_option = !only_words && argv[i][0] == '-' && argv[i][1] != '\0';
        if (is_option && strcmp(argv[i], "--") == 0) {
            only_words = true;
        } else if (is_option) {
            int code = take_option(&parse, argc, argv, &i);
            if (code != EXIT_FINE) {
                return code;
            }
        } else {
            options->words[options->n_words++] = argv[i];
        }
    }
    int code = check_report(command, options);
    return code == EXIT_FINE && !options->help ? bsim_cli_check_files(command, options) : code;
}

/* --banks alone means the generic device; --bank-width alone, the device that the trace names. */
enum bsim_status bsim_cli_device(const struct options *options, struct bsim_device *device,
                                 const struct bsim_device **chosen, struct bsim_error *err)
{
    const char *name = options->device;
    *chosen = NULL;
    if (name == NULL && options->device_options.n_banks > 0) {
        name = "generic";
    }
    if (name == NULL) {
        return BSIM_OK;
    }
    enum bsim_status status = bsim_device_find(name, &options->device_options, device, err);
    *chosen = status == BSIM_OK ? device : NULL;
    return status;
}

enum bsim_status bsim_cli_device_or_default(const struct options *options,
                                            struct bsim_device *device, struct bsim_error *err)
{
    const struct bsim_device *chosen;
    enum bsim_status status = bsim_cli_device(options, device, &chosen, err);
    return status != BSIM_OK || chosen != NULL
               ? status
               : bsim_device_find(NULL, &options->device_options, device, err);
}
