/* recorded.c - a trace in place of a check's statements: which of its kernels, and its arrays. */
#define _POSIX_C_SOURCE 200809L

#include "cli/cli.h"

#include "base/mangled.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { MOST_NAMED = 4 };

/* ---- standard input, more than once ---------------------------------------------------------- */

static enum bsim_status cannot_keep(struct bsim_error *err)
{
    return bsim_error_set(err, BSIM_E_IO, "cannot keep a trace in a temporary file: %s",
                          strerror(errno));
}

/* Takes the file, which standard input then is, from its beginning. */
static enum bsim_status become_input(FILE *kept, bool fine, struct bsim_error *err)
{
    fine = fine && fflush(kept) == 0 && dup2(fileno(kept), STDIN_FILENO) == STDIN_FILENO;
    enum bsim_status status = fine ? BSIM_OK : cannot_keep(err);
    (void)fclose(kept);
    clearerr(stdin);
    rewind(stdin);
    return status;
}

/* What was read ahead of a pipe, and the rest of it, becomes a temporary file. */
static enum bsim_status make_rereadable(const char *head, size_t n_head, struct bsim_error *err)
{
    char piece[1 << 16];
    size_t n;
    FILE *kept = tmpfile();
    if (kept == NULL) {
        return cannot_keep(err);
    }
    bool fine = fwrite(head, 1, n_head, kept) == n_head;
    while (fine && (n = fread(piece, 1, sizeof piece, stdin)) > 0) {
        fine = fwrite(piece, 1, n, kept) == n;
    }
    return become_input(kept, fine && !ferror(stdin), err);
}

enum bsim_status bsim_cli_trace_as_input(const struct bsim_source *source, struct bsim_error *err)
{
    FILE *kept = tmpfile();
    if (kept == NULL) {
        return cannot_keep(err);
    }
    enum bsim_status status = bsim_cli_write_binary(kept, source, err);
    if (status != BSIM_OK) {
        (void)fclose(kept);
        return status;
    }
    bsim_cli_input_is_made();
    return become_input(kept, true, err);
}

/* Of a text in a pipe, what was read goes in front of what is read next. */
static enum bsim_status look_at_input(bool *is_trace, struct bsim_error *err)
{
    char head[BSIM_CLI_HEAD_BYTES];
    bool can_seek = fseek(stdin, 0, SEEK_CUR) == 0;
    size_t n = fread(head, 1, sizeof head, stdin);
    *is_trace = bsim_trace_is(head, n);
    if (can_seek) {
        rewind(stdin);
    } else if (*is_trace) {
        return make_rereadable(head, n, err);
    } else {
        bsim_cli_put_back(head, n);
    }
    return BSIM_OK;
}

enum bsim_status bsim_cli_is_trace(const char *path, bool *is_trace, struct bsim_error *err)
{
    char head[BSIM_CLI_HEAD_BYTES];
    FILE *file = NULL;
    *is_trace = false;
    if (strcmp(path, "-") == 0) {
        return look_at_input(is_trace, err);
    }
    enum bsim_status status = bsim_cli_is_file(path) ? bsim_cli_open(path, &file, err) : BSIM_OK;
    if (file != NULL) {
        *is_trace = bsim_trace_is(head, fread(head, 1, sizeof head, file));
        bsim_cli_close(file);
    }
    return status;
}

static enum bsim_status push(void *context, const struct bsim_sink *sink, struct bsim_error *err)
{
    if (strcmp(context, "-") == 0) {
        rewind(stdin);
    }
    return bsim_cli_push_trace(context, sink, err);
}

/* ---- which kernel ---------------------------------------------------------------------------- */

enum bsim_status bsim_cli_device_of(const struct options *options,
                                    const struct bsim_recorded *recorded,
                                    struct bsim_device *device, struct bsim_error *err)
{
    const struct bsim_device *chosen;
    enum bsim_status status = bsim_cli_device(options, device, &chosen, err);
    return status != BSIM_OK || chosen != NULL
               ? status
               : bsim_device_find(recorded != NULL ? recorded->kernel->device : NULL,
                                  &options->device_options, device, err);
}

/* The kernel that is meant: of those the one that loses most to conflicts. */
struct choice {
    const struct options *options;
    struct bsim_recorder *recorder;
    const char *shown; /* the trace's name, for messages */
    const char *name;  /* NULL: any */
    size_t found;
    bool has_requests; /* of lanes */
    size_t n; /* of those with accesses to shared memory, or with copies by TMA or wgmma */
};

static bool is_of_shared(const struct bsim_recorded *recorded)
{
    return recorded->n_requests + recorded->n_async > 0;
}

static bool is_of_others(const struct bsim_recorded *recorded)
{
    return recorded->n_beside > 0;
}

static enum bsim_status choose(struct choice *choice, bool (*fits)(const struct bsim_recorded *),
                               struct bsim_error *err)
{
    const struct bsim_recorded *recorded;
    uint64_t most = 0;
    for (size_t i = 0; (recorded = bsim_recorder_kernel(choice->recorder, i)) != NULL; i++) {
        struct bsim_device device;
        bool is_meant = choice->name == NULL ||
                        bsim_mangled_is(recorded->kernel->name, choice->name, strlen(choice->name));
        enum bsim_status status = bsim_cli_device_of(choice->options, recorded, &device, err);
        if (status != BSIM_OK) {
            return status;
        }
        if (is_meant && fits(recorded)) {
            uint64_t excessive = bsim_recorder_excessive(choice->recorder, i, &device);
            bool is_first = choice->n == 0 || (!choice->has_requests && recorded->n_requests > 0);
            choice->found = is_first || excessive > most ? i : choice->found;
            choice->has_requests = choice->has_requests || recorded->n_requests > 0;
            most = excessive > most ? excessive : most;
            choice->n++;
        }
    }
    return BSIM_OK;
}

/* "a, b, c and 3 more" */
static void add_names(const struct choice *choice, struct bsim_buffer *out)
{
    const struct bsim_recorded *recorded;
    size_t n = 0;
    for (size_t i = 0; (recorded = bsim_recorder_kernel(choice->recorder, i)) != NULL; i++) {
        if (is_of_shared(recorded) && n++ < MOST_NAMED) {
            bsim_buffer_printf(out, "%s%.80s", n > 1 ? ", " : "", recorded->kernel->name);
        }
    }
    if (n > MOST_NAMED) {
        bsim_buffer_printf(out, " and %zu more", n - MOST_NAMED);
    }
}

static enum bsim_status none_found(const struct choice *choice, struct bsim_error *err)
{
    struct bsim_buffer names = BSIM_BUFFER_EMPTY;
    add_names(choice, &names);
    if (names.size_bytes == 0) {
        (void)bsim_error_set(err, BSIM_E_INPUT, "%s: no kernel of it accesses shared memory",
                             choice->shown);
    } else {
        (void)bsim_error_set(err, BSIM_E_USAGE,
                             "--kernel %s: no such kernel of %s accesses shared memory; it has %s",
                             choice->name, choice->shown, names.data);
    }
    bsim_buffer_free(&names);
    return err->status;
}

static void tell_choice(const struct choice *choice)
{
    struct bsim_buffer names = BSIM_BUFFER_EMPTY;
    add_names(choice, &names);
    if (choice->n > 1 && names.data != NULL) {
        bsim_cli_say("%s: of %zu kernels, or shapes of one, %.80s loses most to bank conflicts; "
                     "--kernel NAME asks about another: %s\n",
                     choice->shown, choice->n,
                     bsim_recorder_kernel(choice->recorder, choice->found)->kernel->name,
                     names.data);
    }
    bsim_buffer_free(&names);
}

/* ---- the check ------------------------------------------------------------------------------- */

/* Takes the recorder. */
static enum bsim_status adopt(struct bsim_check *check, struct choice *choice, char *path,
                              struct bsim_error *err)
{
    struct bsim_replay replay = {.push = push, .context = path};
    tell_choice(choice);
    return bsim_check_record(check, choice->recorder, choice->found, &replay, err);
}

/* A record on its way to the recorder: what a kernel says of its arrays is read where it stands, so that
 * what is wrong has its place. */
static enum bsim_status take(void *context, const struct bsim_record *record,
                             struct bsim_error *err)
{
    const struct bsim_sink *recorder = context;
    struct bsim_check *arrays = NULL;
    enum bsim_status status = record->kind == BSIM_RECORD_KERNEL
                                  ? bsim_check_declared(record->u.kernel, &arrays, err)
                                  : BSIM_OK;
    bsim_check_free(arrays);
    return status == BSIM_OK ? recorder->push(recorder->context, record, err) : status;
}

enum bsim_status bsim_cli_record(const struct options *options, char *path, const char *shown,
                                 const char *kernel, bool of_any_memory, struct bsim_check *check,
                                 struct bsim_error *err)
{
    struct choice choice = {
        .options = options, .recorder = bsim_recorder_new(0), .shown = shown, .name = kernel};
    if (choice.recorder == NULL) {
        return bsim_mem_short(err);
    }
    struct bsim_sink recorder = bsim_recorder_sink(choice.recorder);
    struct bsim_sink sink = {.push = take, .context = &recorder};
    enum bsim_status status = push(path, &sink, err);
    if (status == BSIM_OK) {
        status = choose(&choice, is_of_shared, err);
    }
    if (status == BSIM_OK && choice.n == 0 && of_any_memory) {
        status = choose(&choice, is_of_others, err);
    }
    if (status == BSIM_OK && choice.n == 0) {
        status = none_found(&choice, err);
    }
    if (status == BSIM_OK) {
        return adopt(check, &choice, path, err);
    }
    bsim_recorder_free(choice.recorder);
    return status;
}
