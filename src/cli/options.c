/* options.c - the command line's options: --name VALUE, --name=VALUE, -o FILE, and -- before words
 * that begin with a dash. Options and words may stand in any order. */
#define _POSIX_C_SOURCE 200809L /* sysconf */

#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

/* One word of a choice and its value. */
struct choice {
    const char *word;
    int value;
};

static const struct choice formats[] = {
    {"text", BSIM_TEXT}, {"csv", BSIM_CSV}, {"json", BSIM_JSON}, {NULL, 0}};
static const struct choice show_formats[] = {
    {"text", BSIM_TEXT}, {"json", BSIM_JSON}, {"svg", BSIM_SVG}, {"csv", BSIM_CSV}, {NULL, 0}};
static const struct choice run_formats[] = {
    {"text", BSIM_TEXT}, {"csv", BSIM_CSV}, {"json", BSIM_JSON}, {"html", BSIM_HTML}, {NULL, 0}};
static const struct choice pers[] = {
    {"request", BSIM_PER_REQUEST}, {"site", BSIM_PER_SITE}, {"kernel", BSIM_PER_KERNEL}, {NULL, 0}};
static const struct choice metrics[] = {{"banksim", BSIM_METRICS_BANKSIM},
                                        {"ncu", BSIM_METRICS_NCU},
                                        {"nvprof", BSIM_METRICS_NVPROF},
                                        {NULL, 0}};
static const struct choice cycles_choices[] = {
    {"auto", CYCLES_AUTO}, {"always", CYCLES_ALWAYS}, {"never", CYCLES_NEVER}, {NULL, 0}};

/* What is being parsed. */
struct parse {
    const char *command;
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

static int set_device(struct parse *parse)
{
    parse->options->device = parse->value;
    parse->options->simulates = true;
    return EXIT_FINE;
}

static int set_banks(struct parse *parse)
{
    parse->options->simulates = true;
    return number(parse, &parse->options->device_options.n_banks);
}

static int set_bank_width(struct parse *parse)
{
    static const struct choice widths[] = {{"4", 4}, {"8", 8}, {NULL, 0}};
    int value = 0;
    int code = choose(parse, widths, &value);
    parse->options->device_options.bank_width = (uint32_t)value;
    parse->options->simulates = true;
    return code;
}

/* "50" and "50%" are per cent. */
static int set_carveout(struct parse *parse)
{
    static const struct choice names[] = {
        {"l1", BSIM_CARVEOUT_L1}, {"equal", BSIM_CARVEOUT_EQUAL}, {"shared", BSIM_CARVEOUT_SHARED}};
    uint32_t *carveout = &parse->options->device_options.carveout;
    size_t digits = strspn(parse->value, "0123456789");
    const char *end = parse->value + digits;
    parse->options->simulates = true;
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
    parse->options->simulates = parse->options->per_given = true;
    return code;
}

static int set_format(struct parse *parse)
{
    int value = 0;
    const char *command = parse->command;
    bool draws = strcmp(command, "show") == 0;
    bool runs = strcmp(command, "run") == 0 || strcmp(command, "emulate") == 0;
    int code = choose(parse, draws ? show_formats : runs ? run_formats : formats, &value);
    parse->options->report.format = (enum bsim_format)value;
    parse->options->simulates = true;
    return code;
}

static int set_metrics(struct parse *parse)
{
    int value = 0;
    int code = choose(parse, metrics, &value);
    parse->options->report.metrics = (enum bsim_metrics)value;
    parse->options->simulates = true;
    return code;
}

/* "-" is standard output, as it is standard input where a file is read. */
static int set_output(struct parse *parse)
{
    parse->options->output = strcmp(parse->value, "-") == 0 ? NULL : parse->value;
    return EXIT_FINE;
}

static int set_emit_trace(struct parse *parse)
{
    parse->options->emit_trace = parse->value;
    return EXIT_FINE;
}

static int set_run(struct parse *parse)
{
    parse->options->run = true;
    return EXIT_FINE;
}

static int set_names(struct parse *parse)
{
    parse->options->names = true;
    return EXIT_FINE;
}

static int set_hazards(struct parse *parse)
{
    parse->options->hazards = true;
    parse->options->simulates = true;
    return EXIT_FINE;
}

static int set_cycles(struct parse *parse)
{
    int value = 0;
    int code = choose(parse, cycles_choices, &value);
    parse->options->cycles = (enum cycles_choice)value;
    parse->options->simulates = true;
    return code;
}

static int set_registers(struct parse *parse)
{
    parse->options->simulates = true;
    return number(parse, &parse->options->registers);
}

static int set_jobs(struct parse *parse)
{
    int code = number(parse, &parse->options->jobs);
    if (code == EXIT_FINE && parse->options->jobs > MAX_JOBS) {
        return bsim_cli_usage(parse->command, "--jobs is at most %d", MAX_JOBS);
    }
    return code;
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
    parse->options->shard = (struct bsim_shard){value[0] - 1, value[1]};
    return code;
}

/* As many as there are processors. */
static uint32_t default_jobs(void)
{
    long n = 1;
#ifdef _SC_NPROCESSORS_ONLN
    n = sysconf(_SC_NPROCESSORS_ONLN);
#endif
    return n < 1 ? 1 : n > MAX_JOBS ? MAX_JOBS : (uint32_t)n;
}

static int set_best(struct parse *parse)
{
    int code = number(parse, &parse->options->best);
    if (code == EXIT_FINE && parse->options->best > BSIM_ADVISE_MAX_PLANS) {
        return bsim_cli_usage(parse->command, "--best is at most %d", BSIM_ADVISE_MAX_PLANS);
    }
    return code;
}

static int set_all(struct parse *parse)
{
    parse->options->all = true;
    return EXIT_FINE;
}

static int set_ncu(struct parse *parse)
{
    parse->options->ncu = parse->value;
    return EXIT_FINE;
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

static int set_show(struct parse *parse)
{
    struct show_options *show = &parse->options->show;
    const struct {
        const char *name;
        const char **value;
    } texts[] = {
        {"--stride", &show->stride}, {"--strides", &show->strides},
        {"--offset", &show->offset}, {"--addresses", &show->addresses},
        {"--mask", &show->mask},     {"--width", &show->width},
        {"--event", &show->event},   {"--site", &show->site},
        {"--worst", &show->worst},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(texts[i].name, parse->name) == 0) {
            *texts[i].value = parse->value;
        }
    }
    return EXIT_FINE;
}

static int set_style(struct parse *parse)
{
    static const struct choice styles[] = {{"plain", 0}, {"utf8", 0}, {"colour", 0}, {NULL, 0}};
    int value = 0;
    parse->options->show.style = parse->value;
    return choose(parse, styles, &value);
}

static int set_help(struct parse *parse)
{
    parse->options->help = true;
    return EXIT_FINE;
}

static const struct {
    const char *name;
    bool has_value;
    int (*set)(struct parse *parse);
    const char *commands; /* that take it, each followed by a blank */
} known[] = {
    {"--device", true, set_device, "run emulate check advise compare show "},
    {"--banks", true, set_banks, "run emulate check advise compare show "},
    {"--bank-width", true, set_bank_width, "run emulate check advise compare show "},
    {"--carveout", true, set_carveout, "run emulate advise "},
    {"--per", true, set_per, "run merge emulate "},
    {"--format", true, set_format, "run merge emulate list check advise compare show "},
    {"--metrics", true, set_metrics, "run merge emulate "},
    {"-o", true, set_output, "run merge emulate check advise compare show pack unpack convert "},
    {"--emit-trace", true, set_emit_trace, "check "},
    {"--run", false, set_run, "emulate "},
    {"--hazards", false, set_hazards, "run emulate "},
    {"--cycles", true, set_cycles, "run emulate "},
    {"--registers", true, set_registers, "run emulate advise "},
    {"--jobs", true, set_jobs, "run "},
    {"--shard", true, set_shard, "run "},
    {"--names", false, set_names, "list "},
    {"--best", true, set_best, "advise "},
    {"--all", false, set_all, "advise show lesson compare "},
    {"--ncu", true, set_ncu, "compare "},
    {"--tolerance", true, set_tolerance, "compare "},
    {"--load", true, set_access, "show "},
    {"--store", true, set_access, "show "},
    {"--atomic", true, set_access, "show "},
    {"--ldmatrix", true, set_access, "show "},
    {"--stmatrix", true, set_access, "show "},
    {"--opcode", true, set_access, "show "},
    {"--shfl", true, set_access, "show "},
    {"--width", true, set_show, "show "},
    {"--stride", true, set_show, "show "},
    {"--strides", true, set_show, "show "},
    {"--offset", true, set_show, "show "},
    {"--addresses", true, set_show, "show "},
    {"--mask", true, set_show, "show "},
    {"--event", true, set_show, "show "},
    {"--site", true, set_show, "show "},
    {"--worst", true, set_show, "show "},
    {"--style", true, set_style, "show lesson "},
    {"--help", false, set_help,
     "run merge emulate list check advise compare show lesson pack unpack convert "},
    {"-h", false, set_help,
     "run merge emulate list check advise compare show lesson pack unpack convert "},
};

bool bsim_cli_takes(const char *commands, const char *command)
{
    char word[32];
    (void)snprintf(word, sizeof word, "%s ", command);
    return strstr(commands, word) != NULL;
}

/* What may be meant are the options that the command takes and, where it takes a description, the
 * words of that; told apart without their dashes. */
static int unknown(const char *command, const char *argument)
{
    const char *word = argument + strspn(argument, "-");
    const char *statement;
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    struct bsim_nearest nearest = bsim_nearest_start(name);
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (bsim_cli_takes(known[k].commands, command) && strncmp(known[k].name, "--", 2) == 0) {
            bsim_nearest_try(&nearest, known[k].name + 2);
        }
    }
    bool describes = bsim_cli_takes("check advise show ", command);
    for (size_t k = 0; describes && (statement = bsim_check_word(k)) != NULL; k++) {
        bsim_nearest_try(&nearest, statement);
    }
    return nearest.best == NULL
               ? bsim_cli_usage(command, "unknown option '%s'", argument)
               : bsim_cli_usage(command, "unknown option '%s': did you mean '--%s'?", argument,
                                nearest.best);
}

/* Handles the option at argv[*i], and its value behind it. */
static int take_option(struct parse *parse, int argc, char **argv, int *i)
{
    const char *argument = argv[*i];
    size_t length = strcspn(argument, "=");
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strlen(known[k].name) != length || strncmp(known[k].name, argument, length) != 0 ||
            !bsim_cli_takes(known[k].commands, parse->command)) {
            continue;
        }
        bool joined = argument[length] == '=';
        parse->name = known[k].name;
        if (joined && !known[k].has_value) {
            return bsim_cli_usage(parse->command, "%s takes no value", parse->name);
        }
        if (known[k].has_value && !joined && *i + 1 == argc) {
            return bsim_cli_usage(parse->command, "%s needs a value", parse->name);
        }
        if (known[k].has_value) {
            parse->value = joined ? argument + length + 1 : argv[++*i];
        }
        if (known[k].has_value && parse->value[0] == '\0') {
            return bsim_cli_usage(parse->command, "%s needs a value that is not empty",
                                  parse->name);
        }
        return known[k].set(parse);
    }
    return unknown(parse->command, argument);
}

/* What does not go together in a report. */
static int check_report(const char *command, const struct options *options)
{
    bool profilers = options->report.metrics != BSIM_METRICS_BANKSIM;
    bool reports = profilers || options->per_given || options->report.format != BSIM_TEXT;
    if (options->shard.of > 0 && (reports || options->hazards)) {
        return bsim_cli_usage(command, "a shard is no report yet: leave out --hazards, and give "
                                       "--per, --format and --metrics to banksim merge");
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
    if (options->report.format == BSIM_HTML && (options->per_given || profilers)) {
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
    struct parse parse = {.command = command, .options = options};
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
