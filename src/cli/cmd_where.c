/* cmd_where.c - banksim where: byte, word and bank of an element. */
#include "cli/cli.h"

#include "base/memory.h"

static const char help[] =
    "usage: banksim where EXPR... --shared DECL [FILE] [options]\n"
    "\n"
    "Tells where an element of a shared array lies, 'tile[5][25]', by the layout that the array "
    "is\n"
    "declared with: byte of the array, address in the block's window, word and bank; and draws "
    "the\n"
    "array with the bank in each cell, as far as 32 rows and columns go. With threadIdx or lane "
    "in\n"
    "it a row for each lane of the first warp that comes there, or of --warp W; of a loop, its "
    "first\n"
    "turn. Accesses in FILE and those of the options below are looked at likewise.\n"
    "\n" BSIM_CLI_STATEMENTS
    "  --device D         a device: sm_90 (default), k40, a100, generic, ...\n"
    "  --banks N          1 to 64 banks; without --device that is the device generic\n"
    "  --bank-width W     4 or 8 bytes, on devices that have both (k40, generic), as\n"
    "                     cudaDeviceSetSharedMemConfig sets it and cudaDeviceGetSharedMemConfig\n"
    "                     tells\n"
    "  --format F         @tables@\n"
    "  -o FILE            write the report to FILE\n"
    "\n"
    "Exit code: 0 fine, 2 usage, 3 bad input, 4 system.\n"
    "\n"
    "examples:\n"
    "  banksim where 'tile[5][25]' --shared 'float tile[32][32] swizzle<5,0,5>'\n"
    "  banksim where 'a[lane % 16][lane / 16 * 8]' --shared 'half a[16][64] swizzle 128B'\n"
    "  banksim where '*(float4 *)&s[4 * lane]' --shared 'float s[256] pad 4 every 32' --format "
    "csv\n";

/* The first execution of each access, all of its parts. */
struct found {
    const struct bsim_check *check;
    uint32_t *n_parts; /* by access: so far */
    struct bsim_check_request *request;
    size_t n;
};

static enum bsim_status keep(void *context, const struct bsim_check_request *request,
                             struct bsim_error *err)
{
    struct found *found = context;
    if (request->part != found->n_parts[request->access]) {
        return BSIM_OK;
    }
    struct bsim_check_request *more = bsim_mem_grow(found->request, found->n, sizeof *more);
    if (more == NULL) {
        return bsim_mem_short(err);
    }
    found->n_parts[request->access]++;
    found->request = more;
    found->request[found->n++] = *request;
    return BSIM_OK;
}

static enum bsim_status find(struct found *found, struct bsim_error *err)
{
    struct bsim_check_visitor visitor = {.shared = keep, .context = found};
    found->n_parts =
        bsim_mem_zeroed(bsim_check_contents(found->check)->n_accesses + 1, sizeof *found->n_parts);
    enum bsim_status status =
        found->n_parts == NULL ? bsim_mem_short(err) : bsim_check_each(found->check, &visitor, err);
    return status == BSIM_OK && found->n == 0
               ? bsim_error_set(err, BSIM_E_INPUT,
                                "no thread accesses shared memory: where is an element of an "
                                "array that --shared declares?")
               : status;
}

static enum bsim_status tell(const struct options *options, const struct bsim_check *check,
                             struct bsim_error *err)
{
    struct bsim_device device;
    struct found found = {.check = check};
    enum bsim_status status = bsim_cli_device_or_default(options, &device, err);
    if (status == BSIM_OK) {
        status = find(&found, err);
    }
    if (status == BSIM_OK) {
        struct bsim_buffer buffer = BSIM_BUFFER_EMPTY;
        bsim_report_where(check, &device, found.request, found.n, &options->report, &buffer);
        status = bsim_cli_write_out(options->output, &buffer, err);
    }
    bsim_mem_free(found.request);
    bsim_mem_free(found.n_parts);
    return status;
}

static int ask(struct options *options, struct bsim_check *check)
{
    struct bsim_error err;
    options->report.colour = options->output == NULL && bsim_cli_colours(stdout);
    options->report.columns = options->output == NULL ? bsim_cli_columns() : 0;
    return tell(options, check, &err) == BSIM_OK ? EXIT_FINE : bsim_cli_fail(&err);
}

const struct command bsim_cli_where = {"where", "byte, word and bank of an element", help,
                                       .ask = ask};
