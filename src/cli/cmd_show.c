/* cmd_show.c - banksim show: pictures of requests. */
#include "cli/show.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: banksim show [--load TYPE] [--stride N] [options]    an access by hand\n"
    "       banksim show TRACE|FILE.cu LAUNCH [--event WHICH]    a request of a trace or launch\n"
    "       banksim show [FILE] --shared DECL --load EXPR ...    as 'banksim check' takes them\n"
    "       banksim show --strides 1..33 [options]               a table of strides\n"
    "       banksim show --shfl idx 3 [--width 16] [options]     who gives to whom in a shuffle\n"
    "       banksim show --wgmma SHAPE [--a D] [--b D]           what wgmma reads, and where\n"
    "       banksim show --tma COPY                              where TMA puts what, and its readers\n"
    "\n"
    "Draws which lane is served by which bank in which pass, and says why there are as many; of\n"
    "global memory, the lines, sectors and words that lanes touch.\n"
    "\n"
    "by hand:\n"
    "  --load TYPE        b32 (default), u8, v4.f32, float4, ...; also --store TYPE,\n"
    "                     --atomic add, --atomic cas.b64, --ldmatrix x4[.trans],\n"
    "                     --stmatrix x4, --opcode cp.async.ca.shared.global.16 or\n"
    "                     ld.global.v4.f32\n"
    "  --stride N[,M...]  lane l accesses element N * l (1); each number makes a picture\n"
    "  --offset N         and N elements further on\n"
    "  --addresses LIST   or byte addresses, lane by lane: 0,128,256 or 0*16,4*16\n"
    "  --mask HEX         active lanes: ffff for lanes 0 to 15\n"
    "  --peer             of another block's shared memory (a cluster's, on sm_90), as text\n"
    "  --strides LIST     1..33, 1,2,32 or 0..32:4: what each costs, as a table\n"
    "  --shfl MODE N      a warp shuffle: idx, up, down or xor and the lane, delta or mask\n"
    "  --width W          its segments: 1, 2, 4, 8, 16 or 32 (default) lanes\n"
    "\n"
    "@hopper@"
    "\n"
    "of a trace:\n"
    "  --event WHICH      a line of the trace, or [KERNEL:]BLOCK:WARP:INDEX as 'run --per\n"
    "                     request' lists them\n"
    "  --site N           the worst request of that site\n"
    "  --worst N          the worst request of the N-th worst site (1)\n"
    "\n"
    "index expressions: see 'banksim check --help'; of each access the worst request is drawn.\n"
    "\n"
    "Below a request, of an expression or of a trace that declares its arrays, stand these with the\n"
    "bank in each cell, where '>' marks what the lanes ask for.\n"
    "\n"
    "  --device D         a device: sm_90 (default), k40, a100, generic, ...\n"
    "  --banks N          1 to 64 banks; without --device that is the device generic\n"
    "  --bank-width W     4 or 8 bytes, on devices that have both (k40, generic), as\n"
    "                     cudaDeviceSetSharedMemConfig sets it and cudaDeviceGetSharedMemConfig\n"
    "                     tells\n"
    "  --style S          plain, utf8 or colour; without it what the terminal takes\n"
    "  --all              every pass, not only the first and the last of many\n"
    "  --format F         @pictures@ (a figure); for --strides, --shfl, --tma\n"
    "                     and --wgmma @tables@; of --tma and --wgmma csv is one row, and\n"
    "                     json has the places of the elements, the readers and the descriptors, too\n"
    "  -o FILE            write to FILE\n"
    "\n"
    "Exit code: 0 fine, 2 usage, 3 bad input, 4 system.\n"
    "\n"
    "examples:\n"
    "  banksim show --load b32 --stride 2\n"
    "  banksim show --store float4 --stride 1,2\n"
    "  banksim show --stride 32,33 --format svg -o padding.svg\n"
    "  banksim show --shared 'float tile[32][33]' --load 'tile[threadIdx.x][0]'\n"
    "  banksim emulate square_set_row_read_col | banksim show -\n"
    "  banksim show --strides 1..33 --device k40 --bank-width 8\n"
    "  banksim show --global 'float *in' --load 'in[2 * threadIdx.x]'\n"
    "  banksim show --shfl idx 3 --width 16\n"
    "  banksim show --wgmma 'm64n128k16 f16' --b 'start=1024 sbo=1024 swizzle=128B major=K'\n"
    "  banksim show --tma 'half box=64x64 swizzle=128B start=1024'\n";

/* ---- where it comes from --------------------------------------------------------------------- */

/* Whether the argument is a statement that an access by hand has not: --shared, --block, ... */
static bool is_statement(const char *argument)
{
    static const char *const by_hand[] = {"load",     "store", "atomic", "ldmatrix",
                                         "stmatrix", "tma",   "wgmma"};
    const char *word;
    if (strncmp(argument, "--", 2) != 0) {
        return false;
    }
    size_t length = strcspn(argument + 2, "=");
    for (size_t i = 0; i < sizeof by_hand / sizeof by_hand[0]; i++) {
        if (strlen(by_hand[i]) == length && strncmp(by_hand[i], argument + 2, length) == 0) {
            return false;
        }
    }
    for (size_t i = 0; (word = bsim_check_word(i)) != NULL; i++) {
        if (strlen(word) == length && strncmp(word, argument + 2, length) == 0) {
            return true;
        }
    }
    return false;
}

static bool says_nothing(const char *line)
{
    char first = line[strspn(line, " \t")];
    return first == '#' || first == '\r' || first == '\n';
}

/* Whether the file's first word, behind blanks and comments, begins a statement. Not asked of what
 * can be read once, standard input or a pipe: that is a trace. */
static enum bsim_status holds_statements(const char *path, bool *holds, struct bsim_error *err)
{
    char line[256] = "";
    const char *word;
    FILE *file = NULL;
    *holds = false;
    enum bsim_status status = bsim_cli_is_file(path) ? bsim_cli_open(path, &file, err) : BSIM_OK;
    if (file == NULL) {
        return status;
    }
    while (fgets(line, sizeof line, file) != NULL && says_nothing(line)) {
    }
    bsim_cli_close(file);
    const char *first = line + strspn(line, " \t");
    size_t length = strcspn(first, " \t\r\n");
    for (size_t i = 0; (word = bsim_check_word(i)) != NULL; i++) {
        *holds |= strlen(word) == length && strncmp(word, first, length) == 0;
    }
    return BSIM_OK;
}

/* ---- output ---------------------------------------------------------------------------------- */

/* UTF-8 if the locale says so: the first of the three that is set. */
static bool has_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *value = NULL;
    for (size_t i = 0; i < 3 && (value == NULL || value[0] == '\0'); i++) {
        value = getenv(names[i]);
    }
    return value != NULL && (strstr(value, "UTF-8") != NULL || strstr(value, "utf8") != NULL ||
                             strstr(value, "UTF8") != NULL || strstr(value, "utf-8") != NULL);
}

struct bsim_picture_style bsim_cli_picture_style(const struct options *options)
{
    const char *style = options->show.style;
    bool is_terminal = options->output == NULL && bsim_cli_colours(stdout);
    if (style == NULL) {
        style = is_terminal && has_utf8() ? "colour" : "plain";
    }
    return (struct bsim_picture_style){.utf8 = strcmp(style, "plain") != 0,
                                       .colour = strcmp(style, "colour") == 0,
                                       .all = options->all,
                                       .columns = options->output == NULL ? bsim_cli_columns() : 0};
}

static enum bsim_status draw(const struct options *options, const struct panels *panels,
                             struct bsim_error *err)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    struct bsim_picture_style style = bsim_cli_picture_style(options);
    bsim_report_pictures(panels->picture, panels->n, options->report.format, &style, &buffer);
    enum bsim_status status = bsim_cli_write_out(options->output, &buffer, err);
    bsim_buffer_free(&buffer);
    return status;
}

static enum bsim_status tell_peer(const struct options *options, const struct panels *panels,
                                  struct bsim_error *err)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    enum bsim_status status = bsim_cli_show_peer(panels, &buffer, err);
    status = status == BSIM_OK ? bsim_cli_write_out(options->output, &buffer, err) : status;
    bsim_buffer_free(&buffer);
    return status;
}

static enum bsim_status tabulate(const struct options *options, const struct bsim_device *device,
                                 struct bsim_error *err)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    struct bsim_stride *strides = NULL;
    size_t n = 0;
    enum bsim_status status = bsim_cli_by_strides(options, device, &strides, &n, err);
    if (status == BSIM_OK) {
        struct bsim_report_options report = options->report;
        report.colour = bsim_cli_picture_style(options).colour;
        bsim_report_strides(device, strides, n, &report, &buffer);
        status = bsim_cli_write_out(options->output, &buffer, err);
    }
    free(strides);
    bsim_buffer_free(&buffer);
    return status;
}

static enum bsim_status show_shuffle(const struct options *options, struct bsim_error *err)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    static const struct bsim_opcode shuffle = {.family = BSIM_SHFL};
    struct bsim_shuffle_ask ask;
    struct bsim_device device;
    enum bsim_status status = bsim_cli_by_shuffle(&options->show, &ask, err);
    status = status == BSIM_OK ? bsim_cli_device_or_default(options, &device, err) : status;
    if (status == BSIM_OK && !bsim_device_executes(&device, &shuffle)) {
        status = bsim_error_set(err, BSIM_E_USAGE,
                                "%s has no shuffles: they start with compute capability 3.0",
                                device.name);
    }
    if (status == BSIM_OK) {
        bsim_report_shuffle(&ask, &options->report, &buffer);
        status = bsim_cli_write_out(options->output, &buffer, err);
    }
    bsim_buffer_free(&buffer);
    return status;
}

/* ---- where no lane accesses anything -------------------------------------------------------- */

static enum bsim_status push_check(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_check_push(context, NULL, sink, err);
}

/* Standard input is at its end. */
static enum bsim_status push_trace(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    if (strcmp(context, "-") == 0 && fseek(stdin, 0, SEEK_SET) != 0) {
        return bsim_push_end(sink, err);
    }
    return bsim_cli_push_trace(context, sink, err);
}

static enum bsim_status nothing_to_draw(const struct options *options, const struct bsim_check *check,
                                        struct bsim_error *err)
{
    if (check != NULL) {
        return bsim_error_set(err, BSIM_E_INPUT, "nothing to draw: no access has an active lane");
    }
    if (options->show.site != NULL) {
        return bsim_error_set(err, BSIM_E_INPUT, "%s has no request at a site %s; 'banksim run --per site' lists all",
                              options->words[0], options->show.site);
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "%s has no shared-memory request, so there is nothing to draw; one to other memory is drawn "
                          "where --site or --event names it",
                          options->words[0]);
}

/* Of copies by TMA and wgmmas it tells what to ask. */
static enum bsim_status tell_async(const struct options *options, struct bsim_check *check, struct bsim_error *err)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    const char *site = options->show.site;
    struct bsim_source source = {.push = check != NULL ? push_check : push_trace,
                                 .context = check != NULL ? (void *)check : options->words[0]};
    enum bsim_status status =
        bsim_cli_show_async(&source, site != NULL ? (uint32_t)strtoul(site, NULL, 10) : 0, &buffer, err);
    if (status == BSIM_OK && buffer.size_bytes == 0 && !buffer.failed) {
        status = nothing_to_draw(options, check, err);
    } else if (status == BSIM_OK && options->report.format != BSIM_TEXT) {
        status = bsim_error_set(err, BSIM_E_INPUT,
                                "copies by TMA and wgmmas have no lanes to draw: as text the answer is what to ask instead");
    }
    status = status == BSIM_OK ? bsim_cli_write_out(options->output, &buffer, err) : status;
    bsim_buffer_free(&buffer);
    return status;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool is_shuffle(const struct options *options)
{
    return options->show.op != NULL && strcmp(options->show.op, "shfl") == 0;
}

enum { SAID_SIZE = 512 };

/* "csv is for --strides and --shfl: a picture is text, json or svg". */
static const char *wrong_format(const struct options *options, bool is_table, char said[SAID_SIZE])
{
    const char *name, *separator = "", *last = NULL;
    uint32_t shows, wanted = is_table ? BSIM_TABLES : BSIM_PICTURES;
    size_t used = (size_t)snprintf(said, SAID_SIZE,
                                   is_table ? "%s is for pictures: --strides and --shfl are "
                                            : "%s is for --strides and --shfl: a picture is ",
                                   bsim_format_name(options->report.format, NULL));
    for (size_t i = 0; (name = bsim_format_name(i, &shows)) != NULL; i++) {
        if ((shows & wanted) != 0 && last != NULL) {
            used += (size_t)snprintf(said + used, SAID_SIZE - used, "%s%s", separator, last);
            separator = ", ";
        }
        last = (shows & wanted) != 0 ? name : last;
    }
    (void)snprintf(said + used, SAID_SIZE - used, " or %s", last);
    return said;
}

/* Of --wgmma and --tma; NULL: all is well. */
static const char *hopper_contradiction(const struct options *options)
{
    const struct show_options *show = &options->show;
    const struct show_options only = {
        .wgmma = show->wgmma, .a = show->a, .b = show->b, .tma = show->tma, .style = show->style};
    const struct show_options copy = {.tma = show->tma, .style = show->style};
    bool is_more = options->n_words > 0 || !bsim_cli_shows(options, BSIM_TABLES) ||
                   options->device_options.n_banks > 0;
    if (show->tma != NULL && show->wgmma == NULL) {
        return memcmp(show, &copy, sizeof copy) != 0 || is_more
                   ? "--tma is text, csv or json, and goes with --wgmma, --device and --all alone"
                   : NULL;
    }
    if (show->wgmma == NULL) {
        return show->a != NULL || show->b != NULL ? "--a and --b are operands of --wgmma" : NULL;
    }
    if (show->tma != NULL && show->a != NULL && show->b != NULL && strcmp(show->a, "registers") != 0) {
        return "--tma is the tile of one operand: of --a or of --b";
    }
    return memcmp(show, &only, sizeof only) != 0 || is_more
               ? "--wgmma is text, csv or json, and goes with --a, --b, --tma, --device and --all alone"
               : NULL;
}

/* The device, which has what is shown: sm_90 unless another was named. */
static enum bsim_status find_hopper(const struct options *options, struct bsim_device *device, struct bsim_error *err)
{
    bool is_wgmma = options->show.wgmma != NULL;
    struct bsim_opcode opcode = {.family = is_wgmma ? BSIM_WGMMA : BSIM_BULK};
    enum bsim_status status =
        bsim_device_find(options->device != NULL ? options->device : "sm_90", &options->device_options, device, err);
    if (status != BSIM_OK || bsim_device_executes(device, &opcode)) {
        return status;
    }
    bool is_later = is_wgmma && device->compute > 90, has_tcgen05 = device->compute < 120;
    return bsim_error_set(err, BSIM_E_USAGE,
                          !is_later     ? "%s has neither TMA nor wgmma: sm_90 has"
                          : has_tcgen05 ? "%s has no wgmma, which is sm_90's alone; tcgen05, which took its place, is not modelled"
                                        : "%s has no wgmma, which is sm_90's alone: products of matrices are mma's there",
                          device->name);
}

static enum bsim_status show_hopper(const struct options *options, struct bsim_error *err)
{
    struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
    struct bsim_device device;
    enum bsim_status status = find_hopper(options, &device, err);
    if (status == BSIM_OK) {
        status = options->show.wgmma == NULL ? bsim_cli_show_tma(options, &device, &buffer, err)
                                             : bsim_cli_show_wgmma(options, &device, &buffer, err);
    }
    status = status == BSIM_OK ? bsim_cli_write_out(options->output, &buffer, err) : status;
    bsim_buffer_free(&buffer);
    return status;
}

/* Options that do not go together; NULL: all is well. said is room for what is said of them. */
static const char *contradiction(const struct options *options, char said[SAID_SIZE])
{
    const struct show_options *show = &options->show;
    bool is_table = show->strides != NULL || is_shuffle(options);
    bool of_trace = show->event != NULL || show->site != NULL || show->worst != NULL;
    bool by_hand = show->op != NULL || show->stride != NULL || show->strides != NULL ||
                   show->offset != NULL || show->addresses != NULL || show->mask != NULL ||
                   show->width != NULL || show->peer;
    if (show->wgmma != NULL || show->a != NULL || show->b != NULL || show->tma != NULL) {
        return hopper_contradiction(options);
    }
    if (options->n_words > 0 && by_hand) {
        return "a trace or an access by hand, not both";
    }
    if (options->n_words == 0 && of_trace) {
        return "--event, --site and --worst choose from a trace: name it";
    }
    if (options->n_words == 0 && !by_hand) {
        return "which request? --load b32 --stride 2, or a trace, or --shared and an index "
               "expression";
    }
    if (show->strides != NULL && (show->stride != NULL || show->addresses != NULL)) {
        return "--strides makes a table: leave out --stride and --addresses";
    }
    if (is_shuffle(options) && (show->stride != NULL || show->strides != NULL ||
                                show->offset != NULL || show->addresses != NULL)) {
        return "a shuffle has no addresses: leave out --stride, --offset and --addresses";
    }
    if (show->peer && (options->n_words > 0 || is_table || options->device_options.n_banks > 0 ||
                       options->report.format != BSIM_TEXT)) {
        return "--peer is text, and tells of an access by hand: --load or --store";
    }
    if (show->width != NULL && !is_shuffle(options)) {
        return "--width is a shuffle's: name one, such as --shfl idx 3";
    }
    if (!bsim_cli_shows(options, is_table ? BSIM_TABLES : BSIM_PICTURES)) {
        return wrong_format(options, is_table, said);
    }
    return options->n_words > 1 ? "one trace at a time" : NULL;
}

static enum bsim_status show(const struct options *options, struct bsim_check *check,
                             struct bsim_error *err)
{
    struct bsim_device device;
    struct panels panels = {.n = 0};
    enum bsim_status status = BSIM_OK;
    if (check != NULL || options->n_words == 0) {
        status = bsim_cli_device_or_default(options, &device, err);
    }
    if (status == BSIM_OK && check != NULL) {
        bsim_check_for(check, &device);
    }
    if (status == BSIM_OK && options->show.strides != NULL) {
        return tabulate(options, &device, err);
    }
    if (status == BSIM_OK) {
        status = check != NULL ? bsim_cli_show_check(check, &device, &panels, err)
                 : options->n_words > 0
                     ? bsim_cli_show_trace(options, options->words[0], &panels, err)
                     : bsim_cli_by_hand(options, &device, &panels, err);
    }
    if (status == BSIM_OK && panels.n == 0) {
        status = tell_async(options, check, err);
    } else if (status == BSIM_OK) {
        status = options->show.peer ? tell_peer(options, &panels, err)
                                    : draw(options, &panels, err);
    }
    bsim_cli_panels_free(&panels);
    return status;
}

static int ask(struct options *options, struct bsim_check *check)
{
    struct bsim_error err;
    const struct show_options none = {.style = options->show.style};
    if (memcmp(&options->show, &none, sizeof none) != 0 ||
        !bsim_cli_shows(options, BSIM_PICTURES)) {
        return bsim_cli_usage("show", "an index expression has its own addresses: leave out "
                                      "--stride, --event and the like");
    }
    return show(options, check, &err) == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

/* `--atomic add u32`, `--shfl idx 3`: what belongs to it came as a word. */
static void join_word(struct options *options, char joined[32])
{
    struct show_options *show = &options->show;
    bool is_atomic = show->op != NULL && strcmp(show->op, "atomic") == 0;
    if ((is_atomic || is_shuffle(options)) && options->n_words == 1) {
        (void)snprintf(joined, 32, "%.12s%c%.16s", show->type, is_atomic ? '.' : ' ',
                       options->words[0]);
        show->type = joined;
        options->n_words = 0;
    }
}

/* A file with kernels: the launch behind it becomes the trace that is drawn from. Without one the launches
 * are told that it may be. */
static int take_launch(struct options *options)
{
    static char input[] = "-";
    bool is_without;
    bool has_kernels = options->n_words > 0 && bsim_cli_has_kernels(options->words[0]);
    bool has_launch = options->n_words == 2 && bsim_cli_is_launch(options->words[1]);
    if (has_kernels && options->n_words == 1) {
        int code = bsim_cli_call_propose("show", options->words[0], &is_without);
        return is_without ? bsim_cli_no_kernel("show", options->words[0]) : code;
    }
    if (!has_kernels || !has_launch) {
        return options->bare || options->blocks > 0 ? bsim_cli_usage("show", BSIM_CLI_OF_LAUNCH)
                                                    : EXIT_FINE;
    }
    int code = bsim_cli_call_record(options, options->words[0], options->words[1]);
    options->words[0] = input;
    options->n_words = 1;
    return code;
}

static bool has_launch(int argc, char **argv)
{
    int i = 1;
    while (i < argc && (argv[i][0] == '-' || !bsim_cli_has_kernels(argv[i]))) {
        i++;
    }
    return i < argc;
}

static int run(int argc, char **argv)
{
    struct options options;
    struct bsim_error err;
    char joined[32];
    bool is_described = false, is_launch = has_launch(argc, argv);
    for (int i = 1; i < argc && !is_described && !is_launch; i++) {
        is_described = is_statement(argv[i]);
        if (argv[i][0] != '-' && holds_statements(argv[i], &is_described, &err) != BSIM_OK) {
            return bsim_cli_fail(&err);
        }
    }
    if (is_described) {
        return bsim_cli_ask(&bsim_cli_show, argc, argv);
    }
    int code = bsim_cli_options("show", argc, argv, &options);
    if (code != EXIT_FINE) {
        return code;
    }
    if (options.help) {
        return bsim_cli_help(help);
    }
    code = take_launch(&options);
    if (code != EXIT_FINE) {
        return code;
    }
    join_word(&options, joined);
    char said[SAID_SIZE];
    const char *wrong = contradiction(&options, said);
    if (wrong != NULL) {
        return bsim_cli_usage("show", "%s", wrong);
    }
    enum bsim_status status = options.show.wgmma != NULL || options.show.tma != NULL
                                  ? show_hopper(&options, &err)
                              : is_shuffle(&options) ? show_shuffle(&options, &err)
                                                     : show(&options, NULL, &err);
    return status == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

const struct command bsim_cli_show = {"show", "draw a request: lanes, banks and passes", help,
                                      .read = run, .ask = ask};
