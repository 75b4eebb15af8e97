/* page.c - the page that has the library in it, filled with what a command was asked. */
#include "cli/cli.h"

#include "web/fill.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 4096, MOST_PAGE_BYTES = 16 << 20 };

static enum bsim_status find_page(char path[MAX_PATH], struct bsim_error *err)
{
    static const char *const places[] = {"/..", "/../share/banksim", NULL};
    static const char name[] = "banksim.html";
    const char *own = getenv("BANKSIM_PAGE");
    if (own != NULL) {
        (void)snprintf(path, MAX_PATH, "%s", own);
        return BSIM_OK;
    }
    if (bsim_cli_beside(places, name, path, MAX_PATH - sizeof name - 1)) {
        (void)strcat(strcat(path, "/"), name);
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_IO,
                          "the page that --format html fills has not been made: 'make deps-web web' in "
                          "banksim's sources makes it, and then 'make install' installs it");
}

/* A page of another version would answer otherwise than the program. */
static enum bsim_status check_version(const char *path, const char *page, struct bsim_error *err)
{
    static const char before[] = "<meta name=\"generator\" content=\"banksim ";
    const char *version = strstr(page, before);
    size_t length = strlen(bsim_version());
    version = version != NULL ? version + strlen(before) : "";
    if (strncmp(version, bsim_version(), length) == 0 && version[length] == '"') {
        return BSIM_OK;
    }
    return bsim_error_set(err, BSIM_E_INPUT,
                          "%s: not the page of banksim %s: 'make web' in its sources makes it", path,
                          bsim_version());
}

/* The file of a launch, which the page keeps as it stands. */
static enum bsim_status read_kernel(const char *path, struct bsim_buffer *text,
                                    struct bsim_error *err)
{
    static const struct text_kind kind = {"CUDA C", "", MOST_PAGE_BYTES};
    return bsim_cli_read_text(path, &kind, text, err);
}

/* The launch ran with them before, so that only their absence can be what is wrong. */
static void tell_of_headers(struct bsim_error *err)
{
    struct bsim_error inner = *err;
    (void)snprintf(err->message, sizeof err->message, "a page has this text and none of its headers: %.*s",
                   (int)sizeof err->message - 64, inner.message);
}

enum bsim_status bsim_cli_write_page(const struct options *options, struct bsim_error *err)
{
    static const struct text_kind kind = {"banksim's page", "<!DOCTYPE html>", MOST_PAGE_BYTES};
    char path[MAX_PATH];
    struct bsim_buffer page = BSIM_BUFFER_EMPTY, filled = BSIM_BUFFER_EMPTY,
                       kernel = BSIM_BUFFER_EMPTY;
    enum bsim_status status = bsim_buffer_status(&options->statements, err);
    if (status == BSIM_OK && options->launch != NULL) {
        status = read_kernel(options->launch_file, &kernel, err);
    }
    const struct bsim_web_state state = {
        .text = options->launch != NULL ? kernel.data : options->statements.data,
        .launch = options->launch,
        .device = options->device,
        .device_options = options->device_options,
        .n_plans = options->best};
    if (status == BSIM_OK) {
        status = find_page(path, err);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_read_text(path, &kind, &page, err);
    }
    if (status == BSIM_OK) {
        status = check_version(path, page.data, err);
    }
    if (status == BSIM_OK) {
        status = bsim_web_fill(page.data, &state, &filled, err);
    }
    if (status == BSIM_E_INPUT && kernel.data != NULL) {
        tell_of_headers(err);
    }
    if (status == BSIM_OK) {
        status = bsim_cli_write_out(options->output, &filled, err);
    }
    bsim_buffer_free(&kernel);
    bsim_buffer_free(&page);
    bsim_buffer_free(&filled);
    return status;
}
