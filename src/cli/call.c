/* call.c - a launch of a kernel in CUDA C, PTX or machine code: what 'launch' runs, and what check, show and advise take in
 * the place of a trace. Of a file without a launch the launches that it may be are told. */
#include "cli/cli.h"

#include "base/memory.h"
#include "base/scan.h"
#include "web/launch.h"

#include <banksim/cuda.h>
#include <banksim/sass.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 28 };

static bool ends_with(const char *path, const char *end)
{
    size_t length = strlen(path), n = strlen(end);
    return length > n && strcmp(path + length - n, end) == 0;
}

bool bsim_cli_is_cuda(const char *path)
{
    return ends_with(path, ".cu") || ends_with(path, ".cuh");
}

bool bsim_cli_has_kernels(const char *path)
{
    return (bsim_cli_is_cuda(path) || ends_with(path, ".ptx") || ends_with(path, ".sass")) && bsim_cli_is_file(path);
}

bool bsim_cli_is_launch(const char *word)
{
    return strstr(word, "<<<") != NULL;
}

/* ---- the launch ------------------------------------------------------------------------------ */

/* The header that stands beside the file, or below its folder. */
static bool read_header(void *context, const char *from, const char *name, struct bsim_buffer *path,
                        struct bsim_buffer *text)
{
    static const struct text_kind kind = {"a header", "", MOST_BYTES};
    const char *slash = name[0] == '/' ? NULL : strrchr(from, '/');
    (void)context;
    bsim_buffer_printf(path, "%.*s%s", slash != NULL ? (int)(slash - from) + 1 : 0, from, name);
    return !path->failed && bsim_cli_is_file(path->data) &&
           bsim_cli_read_text(path->data, &kind, text, NULL) == BSIM_OK;
}

static const struct bsim_cuda_headers headers = {.read = read_header, .context = NULL};

enum bsim_status bsim_cli_read_kernels(const char *path, struct bsim_buffer *text,
                                       struct bsim_error *err)
{
    static const struct text_kind kind = {"a file of CUDA C, PTX or machine code", "", MOST_BYTES};
    return bsim_cli_read_text(path, &kind, text, err);
}

static enum bsim_status make_machine_call(const char *path, const char *launch, struct call *call, struct bsim_error *err)
{
    enum bsim_status status = bsim_sass_ptx(path, call->text.data, call->text.size_bytes, &call->ptx_text, err);
    if (status == BSIM_OK) {
        status = bsim_ptx_call_new(path, call->ptx_text.data, call->ptx_text.size_bytes, launch, &call->ptx, err);
    }
    if (status == BSIM_OK) {
        bsim_ptx_call_source(call->ptx, path, call->text.data);
    }
    return status;
}

static enum bsim_status make_call(const char *path, const char *launch, struct call *call,
                                  struct bsim_error *err)
{
    call->is_machine_code = ends_with(path, ".sass") || bsim_sass_is(call->text.data, call->text.size_bytes);
    if (call->is_machine_code) {
        return make_machine_call(path, launch, call, err);
    }
    return bsim_cli_is_cuda(path)
               ? bsim_web_launch(path, call->text.data, call->text.size_bytes, &headers, launch,
                                 &call->ptx_text, &call->ptx, err)
               : bsim_ptx_call_new(path, call->text.data, call->text.size_bytes, launch, &call->ptx,
                                   err);
}

/* What nvcc and clang refuse as well, by what is said of it: brackets and ';' that are missing, words that are
 * mistyped, types that do not fit. What an #include in angles may declare is none of these. */
static bool is_no_cuda(const char *message, const char *text)
{
    static const char *const said[] = {" is missing", "is not closed", "closes nothing", "did you mean",
                                       "the file ends where", "is no part of C", "has no member",
                                       "is no object that can change", "stands in front of this else",
                                       "between its parts", "there is no loop around this",
                                       "does not fit the template", "in one block: the first", "this function returns nothing",
                                       "this function returns a value"};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        if (strstr(message, said[i]) != NULL) {
            return true;
        }
    }
    size_t length = strlen(message);
    bool is_plain = length > 0 && message[length - 1] == '\'' && strstr(text, "#include") == NULL;
    return is_plain && strstr(message, "nothing that is read here declares") != NULL;
}

/* The device next to one that is none here: the newest of its generation that is no newer; NULL: there is none. */
static const char *next_device(uint32_t compute, struct bsim_device *device)
{
    const char *name = NULL;
    for (size_t i = 0; bsim_device_at(i, device); i++) {
        name = device->compute / 10 == compute / 10 && device->compute <= compute ? device->name : name;
    }
    return name;
}

/* Machine code is played on the device that it is for, if that is one here; what else it is to be played on is to be said. */
static enum bsim_status check_device(const struct options *options, const char *path, const struct call *call, struct bsim_error *err)
{
    struct bsim_device device;
    char name[16] = "";
    const char *target = call->is_machine_code ? strstr(call->ptx_text.data, "\n.target ") : NULL;
    bool is_chosen = options->device != NULL || options->device_options.n_banks > 0;
    if (is_chosen || target == NULL || sscanf(target, " .target %15s", name) != 1 || bsim_device_find(name, NULL, &device, NULL) == BSIM_OK) {
        return BSIM_OK;
    }
    const char *next = next_device((uint32_t)strtoul(name + 3, NULL, 10), &device);
    return bsim_error_set(err, BSIM_E_INPUT, "%s: code for %s, which 'banksim list devices' has not: say by --device what to play it on%s%s", path, name,
                          next != NULL ? ", such as --device " : "", next != NULL ? next : "");
}

enum bsim_status bsim_cli_call_open(const struct options *options, const char *path,
                                    const char *launch, bool has_work, struct call *call,
                                    struct bsim_error *err)
{
    enum bsim_status status = make_call(path, launch, call, err);
    status = status == BSIM_OK ? check_device(options, path, call, err) : status;
    call->is_ordered = options->hazards;
    call->is_refused =
        status == BSIM_E_INPUT && err->line > 0 && !is_no_cuda(err->message, call->text.data);
    if (status == BSIM_OK) {
        struct bsim_ptx_options ptx = {.is_bare = options->bare,
                                       .has_work = has_work,
                                       .jobs = options->jobs,
                                       .n_blocks = options->blocks,
                                       .most_of_warp = options->steps > 0 ? UINT64_C(1000000) * options->steps
                                                                          : BSIM_PTX_MOST_OF_WARP};
        bsim_ptx_call_set(call->ptx, &ptx);
    }
    return status;
}

void bsim_cli_call_free(struct call *call)
{
    bsim_ptx_call_free(call->ptx);
    bsim_buffer_free(&call->text);
    bsim_buffer_free(&call->ptx_text);
}

void bsim_cli_call_say(const char *path, const struct call *call, int code)
{
    if (code == EXIT_INPUT && call->is_refused && bsim_cli_is_cuda(path)) {
        bsim_cli_say_lines("'banksim cuda' has nvcc or clang read all of CUDA.\n");
    }
    const char *found = call->ptx != NULL ? bsim_ptx_call_findings(call->ptx) : "";
    bsim_cli_say_lines(found);
    if (!call->is_ordered && strstr(found, "of shared memory") != NULL && strstr(found, "that nobody wrote") != NULL) {
        bsim_cli_say("If another warp writes it, a __syncthreads() is missing before it is read: 'banksim launch --hazards' "
                     "tells of such races.\n");
    }
}

/* ---- in the place of a trace ----------------------------------------------------------------- */

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    return bsim_ptx_call_run(context, sink, err);
}

int bsim_cli_call_record(const struct options *options, const char *path, const char *launch)
{
    struct bsim_error err;
    struct call call = {.ptx = NULL};
    enum bsim_status status = bsim_cli_read_kernels(path, &call.text, &err);
    if (status == BSIM_OK) {
        status = bsim_cli_call_open(options, path, launch, true, &call, &err);
    }
    if (status == BSIM_OK) {
        struct bsim_source source = {.push = push, .context = call.ptx};
        status = bsim_cli_trace_as_input(&source, &err);
    }
    int code = status == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
    bsim_cli_call_say(path, &call, code);
    bsim_cli_call_free(&call);
    return code;
}

/* ---- which launch ---------------------------------------------------------------------------- */

/* Lines to type, as they are found. */
struct lines {
    const char *command, *path;
    struct bsim_buffer text, chosen; /* "; k: grid; m: block;" */
    struct bsim_buffer refused;      /* kernels that are not read, and launches that fault, and why */
    bool is_unread;
    size_t n;
};

/* A word of a shell: within ' each ' is '\''. */
static void add_quoted(const char *text, struct bsim_buffer *out)
{
    bsim_buffer_text(out, "'");
    for (; *text != '\0'; text++) {
        bsim_buffer_add(out, *text == '\'' ? "'\\''" : text, *text == '\'' ? 4 : 1);
    }
    bsim_buffer_text(out, "'");
}

static void add_path(const char *path, struct bsim_buffer *out)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-,@%";
    if (path[strspn(path, plain)] == '\0') {
        bsim_buffer_text(out, path);
    } else {
        add_quoted(path, out);
    }
}

void bsim_cli_call_line(const char *command, const char *path, const char *launch,
                        struct bsim_buffer *out)
{
    bsim_buffer_printf(out, "banksim %s ", command);
    add_path(path, out);
    bsim_buffer_text(out, " ");
    add_quoted(launch, out);
}

/* "k: grid": once for all launches of a kernel that say so, and of one that says else with its shape. */
static void add_chosen(const char *launch, const char *chosen, struct bsim_buffer *out)
{
    struct bsim_buffer note = BSIM_BUFFER_EMPTY;
    const char *end = strstr(launch, ">>>");
    size_t name = strcspn(launch, "<"), shaped = end != NULL ? (size_t)(end - launch) + 3 : name;
    const char *all = out->data != NULL ? out->data : "";
    bsim_buffer_printf(&note, "; %.*s: ", (int)name, launch);
    bool is_other = note.data != NULL && strstr(all, note.data) != NULL;
    bsim_buffer_printf(&note, "%s;", chosen);
    if (note.data == NULL || strstr(all, note.data) == NULL) {
        bsim_buffer_printf(out, "%s%.*s: %s;", out->size_bytes > 0 ? " " : "; ",
                           (int)(is_other ? shaped : name), launch, chosen);
    }
    out->failed = out->failed || note.failed;
    bsim_buffer_free(&note);
}

static void add_line(void *context, const char *launch, const char *chosen)
{
    struct lines *lines = context;
    lines->n++;
    bsim_buffer_text(&lines->text, "    ");
    bsim_cli_call_line(lines->command, lines->path, launch, &lines->text);
    bsim_buffer_text(&lines->text, "\n");
    if (chosen[0] != '\0') {
        add_chosen(launch, chosen, &lines->chosen);
    }
}

/* "    k.cu:3:5: k: the function 'g' is not read here"; where a template's arguments were made up, they may be what is wrong. */
static void add_refused(void *context, const char *launch, const char *chosen,
                        const struct bsim_error *why)
{
    struct lines *lines = context;
    int name = (int)strcspn(launch, "<");
    if (why->status == BSIM_E_KERNEL) { /* its place is of PTX that nobody sees */
        bsim_buffer_printf(&lines->refused, "    %s faults: %s\n", launch, why->message);
        return;
    }
    bsim_buffer_text(&lines->refused, "    ");
    if (why->file[0] != '\0') {
        bsim_buffer_printf(&lines->refused, "%s:%llu:%u: ", why->file, (unsigned long long)why->line,
                           (unsigned)why->column);
    }
    lines->is_unread = true;
    bsim_buffer_printf(&lines->refused, "%.*s: %s", name, launch, why->message);
    if (strstr(chosen, "a template's arguments") != NULL) {
        bsim_buffer_printf(&lines->refused, "; it is a template, of whose arguments the file does not say all: "
                                            "'%.*s<...><<<...>>>(...)' does",
                           name, launch);
    }
    bsim_buffer_text(&lines->refused, "\n");
}

/* The names that stand behind .entry: what a pointer leads to PTX does not say. */
static void find_entries(const struct bsim_buffer *text, struct lines *lines)
{
    static const char word[] = ".entry";
    for (const char *at = strstr(text->data, word); at != NULL; at = strstr(at, word)) {
        struct bsim_buffer launch = BSIM_BUFFER_EMPTY;
        at = bsim_skip_blanks(at + sizeof word - 1);
        bsim_buffer_add(&launch, at, strcspn(at, " \t\r\n(){};"));
        bsim_buffer_text(&launch, "<<<GRID, BLOCK>>>(ARGUMENT, ...)");
        add_line(lines, launch.data != NULL ? launch.data : "", "");
        bsim_buffer_free(&launch);
    }
}

/* The kernels of machine code, by the PTX that is made of it. */
static enum bsim_status find_machine_entries(const char *path, const struct bsim_buffer *text, struct lines *lines, struct bsim_error *err)
{
    struct bsim_buffer ptx = BSIM_BUFFER_EMPTY;
    enum bsim_status status = bsim_sass_ptx(path, text->data, text->size_bytes, &ptx, err);
    if (status == BSIM_OK) {
        find_entries(&ptx, lines);
    }
    bsim_buffer_free(&ptx);
    return status;
}

int bsim_cli_no_launch(const char *command, const char *path, const char *word)
{
    bool is_without;
    bsim_cli_say("banksim: '%s' is no launch: KERNEL<<<GRID, BLOCK>>>(ARGUMENT, ...) is\n", word);
    int code = bsim_cli_call_propose(command, path, &is_without);
    return is_without ? bsim_cli_no_kernel(command, path) : code;
}

int bsim_cli_no_kernel(const char *command, const char *path)
{
    return bsim_cli_is_cuda(path) ? bsim_cli_usage(command, BSIM_CLI_NO_KERNEL, path)
                                  : bsim_cli_usage(command, "%s has no .entry", path);
}

static int say_lines(const struct lines *lines)
{
    bool is_cuda = bsim_cli_is_cuda(lines->path);
    const char *refused = lines->refused.data;
    if (lines->n == 0 && refused == NULL) {
        return bsim_cli_no_kernel(lines->command, lines->path);
    }
    if (lines->n == 0) {
        bsim_cli_say("banksim: %s: no launch of its kernels can be proposed:\n", lines->path);
        bsim_cli_say_lines(refused);
        if (lines->is_unread) {
            bsim_cli_say("'banksim cuda' has nvcc or clang read all of CUDA.\n");
        }
        return EXIT_INPUT;
    }
    bsim_cli_say("banksim: %s: which launch of its kernel%s? %s:\n", lines->path,
                 lines->n == 1 ? "" : "s",
                 is_cuda ? "As far as the file says it"
                         : "An argument is a number or an array, float[1024]");
    bsim_cli_say_lines(lines->text.data != NULL ? lines->text.data : "");
    if (lines->chosen.size_bytes > 0) {
        bsim_cli_say("What the file does not say was chosen: of %.*s.\n",
                     (int)lines->chosen.size_bytes - 3, lines->chosen.data + 2);
    }
    if (is_cuda) {
        bsim_cli_say("Arrays that are only read count up from 0 (iota), others are zeros; 'banksim "
                     "launch --help' has what else they can be.\n");
    }
    if (refused != NULL) {
        bsim_cli_say("Not proposed:\n");
        bsim_cli_say_lines(refused);
    }
    return EXIT_USAGE;
}

int bsim_cli_call_propose(const char *command, const char *path, bool *is_without)
{
    struct bsim_error err;
    struct bsim_buffer text = BSIM_BUFFER_EMPTY;
    struct lines lines = {.command = command, .path = path};
    const struct bsim_cuda_listener listener = {
        .tell = add_line, .refuse = add_refused, .run = bsim_web_try, .context = &lines};
    enum bsim_status status = bsim_cli_read_kernels(path, &text, &err);
    *is_without = false;
    if (status == BSIM_OK && text.data != NULL && bsim_cli_is_cuda(path)) {
        status = bsim_cuda_propose(path, text.data, text.size_bytes, &headers, &listener, &err);
    } else if (status == BSIM_OK && text.data != NULL && bsim_sass_is(text.data, text.size_bytes)) {
        status = find_machine_entries(path, &text, &lines, &err);
    } else if (status == BSIM_OK && text.data != NULL) {
        find_entries(&text, &lines);
    }
    if (status == BSIM_OK && (lines.text.failed || lines.chosen.failed || lines.refused.failed)) {
        status = bsim_mem_short(&err);
    }
    *is_without = status == BSIM_OK && lines.n == 0 && lines.refused.data == NULL && bsim_cli_is_cuda(path) &&
                  (text.data == NULL || strstr(text.data, "#include") == NULL);
    int code = status != BSIM_OK ? bsim_cli_fail(&err)
               : *is_without     ? EXIT_FINE
                                 : say_lines(&lines);
    bsim_buffer_free(&text);
    bsim_buffer_free(&lines.text);
    bsim_buffer_free(&lines.chosen);
    bsim_buffer_free(&lines.refused);
    return code;
}
