/* part.c - results of a part of a trace, written and read back.
 *
 * A part is lines of words: numbers in decimal, and texts as LENGTH:BYTES. Each struct has one
 * function, which writes or reads, so that the two cannot differ. The last line has the checksum of
 * what is in front of it: a part that was cut short or changed is refused. Only the version of
 * banksim that wrote a part reads it, since the numbers of others need not add up.
 *
 * A device is told by its name and what options and GPU names change in it; the rest is the
 * table's.
 */
#include <banksim/banksim.h>

#include "run/part.h"

#include "base/memory.h"
#include "result/result.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_KERNELS = 1 << 24, MAX_SITES = 1 << 24, SUM_DIGITS = 16 };

struct codec {
    struct bsim_buffer *out; /* NULL: reading */
    const char *p, *end;
    bool is_bad;   /* what is read makes no sense */
    bool is_short; /* memory is */
};

/* ---- words ----------------------------------------------------------------------------------- */

static void u64(struct codec *codec, uint64_t *value)
{
    if (codec->out != NULL) {
        bsim_buffer_printf(codec->out, "%" PRIu64 " ", *value);
        return;
    }
    uint64_t number = 0;
    const char *p = codec->p;
    for (; p < codec->end && *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        codec->is_bad |= number > (UINT64_MAX - digit) / 10;
        number = 10 * number + digit;
    }
    codec->is_bad |= p == codec->p || p == codec->end || *p != ' ';
    codec->p = p < codec->end ? p + 1 : p;
    *value = codec->is_bad ? 0 : number;
}

/* A number up to `most`. */
static uint64_t small(struct codec *codec, uint64_t value, uint64_t most)
{
    u64(codec, &value);
    codec->is_bad |= value > most;
    return codec->is_bad ? 0 : value;
}

static void u32(struct codec *codec, uint32_t *value)
{
    *value = (uint32_t)small(codec, *value, UINT32_MAX);
}

static void flag(struct codec *codec, bool *value)
{
    *value = small(codec, *value, 1) == 1;
}

static void dim3(struct codec *codec, struct bsim_dim3 *dim)
{
    u32(codec, &dim->x);
    u32(codec, &dim->y);
    u32(codec, &dim->z);
}

static void new_line(struct codec *codec)
{
    if (codec->out != NULL) {
        bsim_buffer_text(codec->out, "\n");
    } else if (codec->p < codec->end && *codec->p == '\n') {
        codec->p++;
    } else {
        codec->is_bad = true;
    }
}

/* A text that may be NULL; read, it is the caller's. */
static void text(struct codec *codec, char **value)
{
    if (codec->out != NULL) {
        size_t length = *value != NULL ? strlen(*value) : 0;
        bsim_buffer_printf(codec->out, "%zu ", *value != NULL ? length + 1 : 0);
        bsim_buffer_add(codec->out, *value != NULL ? *value : "", length);
        bsim_buffer_text(codec->out, " ");
        return;
    }
    uint64_t size = 0;
    u64(codec, &size);
    *value = NULL;
    size_t left = (size_t)(codec->end - codec->p);
    codec->is_bad |= size > left;
    if (codec->is_bad) {
        return;
    }
    size_t length = size > 0 ? (size_t)size - 1 : 0;
    if (size > 0) {
        *value = bsim_mem_zeroed(length + 1, 1);
        codec->is_short |= *value == NULL;
    }
    if (*value != NULL) {
        memcpy(*value, codec->p, length);
        codec->is_bad |= memchr(codec->p, 0, length) != NULL;
    }
    codec->p += length;
    codec->is_bad |= codec->p == codec->end || *codec->p++ != ' ';
}

static void opcode(struct codec *codec, struct bsim_opcode *value)
{
    char name[BSIM_OPCODE_NAME_SIZE];
    char *spelling = bsim_opcode_name(value, name) != NULL ? name : NULL;
    text(codec, &spelling);
    if (codec->out == NULL) {
        codec->is_bad |= spelling == NULL ||
                         bsim_opcode_parse(spelling, strlen(spelling), value, NULL) != BSIM_OK;
        bsim_mem_free(spelling);
    }
}

/* ---- devices --------------------------------------------------------------------------------- */

/* The numbers that differ between devices of one name. */
struct variant {
    uint32_t n_banks, stride_bytes, bank_bytes, n_sms, clock_mhz, memory_gb_per_s;
};

static struct variant variant_of(const struct bsim_device *device)
{
    return (struct variant){device->n_banks, device->stride_bytes, device->bank_bytes,
                            device->n_sms, device->clock_mhz, device->memory_gb_per_s};
}

static bool try_device(const char *name, const struct variant *variant, struct bsim_device *device)
{
    struct bsim_device_options with_banks = {.n_banks = variant->n_banks,
                                             .bank_width = variant->stride_bytes};
    struct bsim_device_options plain = {.bank_width = variant->stride_bytes};
    const struct bsim_device_options *options[] = {NULL, &plain, &with_banks};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        struct variant found;
        if (bsim_device_find(name, options[i], device, NULL) == BSIM_OK) {
            found = variant_of(device);
            if (memcmp(&found, variant, sizeof found) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* The device of that name, or of a GPU's name that leads to it. */
static bool find_device(const char *name, const struct variant *variant, struct bsim_device *device)
{
    if (try_device(name, variant, device)) {
        return true;
    }
    const char *alias;
    for (size_t i = 0; (alias = bsim_device_alias(name, i)) != NULL; i++) {
        if (try_device(alias, variant, device)) {
            return true;
        }
    }
    return false;
}

/* Sets the preferred carve-out, if it is one of the device's. */
static bool prefer(struct bsim_device *device, uint32_t carveout_bytes)
{
    for (uint32_t i = 0; i < device->n_carveouts; i++) {
        if (device->carveouts_kib[i] * UINT32_C(1024) == carveout_bytes) {
            device->carveout_bytes = carveout_bytes;
            return true;
        }
    }
    return false;
}

static void device_of(struct codec *codec, struct bsim_device *device)
{
    char *name = codec->out != NULL ? (char *)(uintptr_t)device->name : NULL;
    struct variant variant = variant_of(device);
    text(codec, &name);
    u32(codec, &variant.n_banks);
    u32(codec, &variant.stride_bytes);
    u32(codec, &variant.bank_bytes);
    u32(codec, &variant.n_sms);
    u32(codec, &variant.clock_mhz);
    u32(codec, &variant.memory_gb_per_s);
    uint32_t carveout_bytes = device->carveout_bytes;
    u32(codec, &carveout_bytes);
    if (codec->out == NULL) {
        codec->is_bad |= name == NULL || codec->is_bad || !find_device(name, &variant, device) ||
                         !prefer(device, carveout_bytes);
        bsim_mem_free(name);
    }
}

/* ---- counts ---------------------------------------------------------------------------------- */

static void u64s(struct codec *codec, uint64_t *const *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        u64(codec, values[i]);
    }
}

static void tally(struct codec *codec, struct bsim_tally *value)
{
    uint64_t *sums[] = {&value->requests,   &value->wavefronts,  &value->ideal,
                        &value->conflicts,  &value->replays,     &value->broadcasts,
                        &value->multicasts, &value->bytes_asked, &value->bytes_served,
                        &value->bytes_moved};
    u64s(codec, sums, sizeof sums / sizeof sums[0]);
    u32(codec, &value->ways_min);
    u32(codec, &value->ways_max);
    u32(codec, &value->rules);
}

static void global_tally(struct codec *codec, struct bsim_global_tally *value)
{
    u64(codec, &value->requests);
    u64(codec, &value->sectors);
    u64(codec, &value->lines);
    u64(codec, &value->transactions);
    u64(codec, &value->bytes_asked);
    u64(codec, &value->wavefronts);
    u64(codec, &value->packets);
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static void stalls(struct codec *codec, struct bsim_stalls *value)
{
    u64(codec, &value->issue);
    u64(codec, &value->pipe);
    u64(codec, &value->latency);
    u64(codec, &value->barrier);
}

static void site_cycles(struct codec *codec, struct bsim_site_cycles *value)
{
    u64(codec, &value->requests);
    u64(codec, &value->turns);
    u64(codec, &value->turns_ideal);
    stalls(codec, &value->stalls);
    u64(codec, &value->cycles_ideal);
    flag(codec, &value->left_out);
}

/* What a timer said of a kernel, whose device is known. */
static void kernel_cycles(struct codec *codec, const struct bsim_device *device,
                          struct bsim_kernel_cycles *value)
{
    if (codec->out == NULL) {
        bsim_timing_find(device, &value->timing);
    }
    u32(codec, &value->registers);
    uint64_t *sums[] = {&value->events,
                        &value->work,
                        &value->max_events,
                        &value->steps,
                        &value->max_steps,
                        &value->cycles,
                        &value->cycles_ideal,
                        &value->cycles_bound,
                        &value->cycles_longest,
                        &value->cycles_longest_ideal,
                        &value->requests,
                        &value->warps_run,
                        &value->waits,
                        &value->tensor,
                        &value->copies,
                        &value->copy_waits,
                        &value->stores_met,
                        &value->waves,
                        &value->launch_cycles,
                        &value->launch_ideal,
                        &value->cycles_sampled,
                        &value->cycles_together,
                        &value->cycles_together_ideal};
    u64s(codec, sums, sizeof sums / sizeof sums[0]);
    flag(codec, &value->left_out);
    flag(codec, &value->ideal);
    flag(codec, &value->ideal_sites);
    stalls(codec, &value->stalls);
    u32(codec, &value->blocks_per_sm);
    value->grade = (enum bsim_grade)small(codec, (uint64_t)value->grade, BSIM_ASSUMED);
}

static void site(struct codec *codec, bool is_timed, struct bsim_site_result *value)
{
    u32(codec, &value->number);
    opcode(codec, &value->opcode);
    text(codec, &value->file);
    u32(codec, &value->line);
    text(codec, &value->text);
    u64(codec, &value->requests);
    tally(codec, &value->tally);
    global_tally(codec, &value->global);
    u64(codec, &value->constant_passes);
    if (is_timed) {
        site_cycles(codec, &value->timed);
    }
    new_line(codec);
}

/* n elements for what is read; NULL when there are none or memory is short. */
static void *make(struct codec *codec, size_t n, size_t each)
{
    void *made = n > 0 && !codec->is_bad ? bsim_mem_zeroed(n, each) : NULL;
    codec->is_short |= made == NULL && n > 0 && !codec->is_bad;
    return made;
}

/* How many elements follow; each takes `least` bytes and more, so that a number that lies asks for
 * no more memory than the part has. */
static size_t count(struct codec *codec, size_t n, size_t least)
{
    uint64_t most = codec->out != NULL ? n : (uint64_t)(codec->end - codec->p) / least;
    return (size_t)small(codec, n, most);
}

/* A number takes two bytes, a text three, an opcode five. */
enum {
    LEAST_SITE = 2 * 21 + 2 * 3 + 5,
    LEAST_KERNEL = 2 * 74 + 2 * 3,
};

static bool goes_on(const struct codec *codec)
{
    return !codec->is_bad && !codec->is_short;
}

/* Site i of those read so far comes behind the one before it, as what merges and looks them up
 * needs. */
static void in_order(struct codec *codec, const struct bsim_site_result *sites, size_t i)
{
    if (codec->out == NULL && i > 0 && goes_on(codec)) {
        codec->is_bad |= bsim_site_order(&sites[i - 1], &sites[i]) >= 0;
    }
}

static void kernel(struct codec *codec, struct bsim_kernel_result *value)
{
    text(codec, &value->name);
    codec->is_bad |= value->name == NULL && !codec->is_short;
    text(codec, &value->extras);
    dim3(codec, &value->grid);
    dim3(codec, &value->block);
    u32(codec, &value->shared_bytes);
    device_of(codec, &value->device);
    uint64_t *sums[] = {&value->blocks,
                        &value->barriers,
                        &value->warp_barriers,
                        &value->fences,
                        &value->shuffles,
                        &value->other_requests,
                        &value->constant_requests,
                        &value->constant_passes,
                        &value->constant_first,
                        &value->constant_end};
    u64s(codec, sums, sizeof sums / sizeof sums[0]);
    u32(codec, &value->rules);
    for (int c = 0; c < BSIM_N_CLASSES; c++) {
        tally(codec, &value->tally[c]);
        global_tally(codec, &value->global[c]);
    }
    flag(codec, &value->timed.is_timed);
    if (value->timed.is_timed && goes_on(codec)) {
        kernel_cycles(codec, &value->device, &value->timed);
    }
    size_t n = count(codec, value->n_sites, LEAST_SITE);
    new_line(codec);
    if (codec->out == NULL) {
        value->sites = make(codec, n, sizeof *value->sites);
        value->n_sites = value->sites != NULL ? n : 0;
    }
    for (size_t i = 0; i < value->n_sites && goes_on(codec); i++) {
        site(codec, value->timed.is_timed, &value->sites[i]);
        in_order(codec, value->sites, i);
    }
}

static void result(struct codec *codec, struct bsim_result *value)
{
    u64(codec, &value->expectations);
    u64(codec, &value->expectations_failed);
    value->executed = small(codec, value->executed, BSIM_MAX_EXECUTED);
    size_t n = count(codec, value->n_kernels, LEAST_KERNEL);
    new_line(codec);
    if (codec->out == NULL) {
        value->kernels = make(codec, n, sizeof *value->kernels);
        value->n_kernels = value->kernels != NULL ? n : 0;
    }
    for (size_t i = 0; i < value->n_kernels && goes_on(codec); i++) {
        kernel(codec, &value->kernels[i]);
    }
    codec->is_bad |= codec->out == NULL && goes_on(codec) && !bsim_result_fits(value);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void everything(struct codec *codec, struct bsim_part *part)
{
    u32(codec, &part->shard);
    u32(codec, &part->n_shards);
    u64(codec, &part->identity);
    new_line(codec);
    codec->is_bad |= part->shard == 0 || part->shard > part->n_shards;
    if (goes_on(codec)) {
        result(codec, &part->result);
    }
}

/* FNV-1a, of 64 bits: a change of one byte always shows. */
static uint64_t sum_of(const char *data, size_t n)
{
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < n; i++) {
        sum = (sum ^ (unsigned char)data[i]) * UINT64_C(1099511628211);
    }
    return sum;
}

static const char magic[] = "banksim-part 1 ";

void bsim_part_write(const struct bsim_part *part, struct bsim_buffer *out)
{
    struct bsim_part copy = *part;
    struct codec codec = {.out = out};
    size_t start = out->size_bytes;
    bsim_buffer_printf(out, "%s%s\n", magic, bsim_version());
    everything(&codec, &copy);
    if (out->data != NULL) {
        bsim_buffer_printf(out, "sum %016" PRIx64 "\n",
                           sum_of(out->data + start, out->size_bytes - start));
    }
}

static enum bsim_status refuse(const char *name, const char *message, struct bsim_error *err)
{
    (void)bsim_error_set(err, BSIM_E_INPUT, "%s", message);
    bsim_error_place(err, name, 0, 0, NULL, 0);
    return BSIM_E_INPUT;
}

/* Checks the first and the last line; *from and *to are what stands between. */
static enum bsim_status check_frame(const char *data, size_t size, const char *name,
                                    const char **from, const char **to, struct bsim_error *err)
{
    char first[64];
    char last[32];
    (void)snprintf(first, sizeof first, "%s%s\n", magic, bsim_version());
    size_t n_last = strlen("sum ") + SUM_DIGITS + 1;
    if (size < strlen(magic) || memcmp(data, magic, strlen(magic)) != 0) {
        return refuse(name, "this is not a part of a result, as --shard writes", err);
    }
    if (size < strlen(first) || memcmp(data, first, strlen(first)) != 0) {
        return refuse(name, "another version of banksim wrote this part: let one version make all",
                      err);
    }
    size_t body = size > strlen(first) + n_last ? size - n_last : 0;
    (void)snprintf(last, sizeof last, "sum %016" PRIx64 "\n", sum_of(data, body));
    if (body == 0 || memcmp(data + body, last, n_last) != 0) {
        return refuse(name, "the part is damaged or was cut short: its checksum does not match",
                      err);
    }
    *from = data + strlen(first);
    *to = data + body;
    return BSIM_OK;
}

enum bsim_status bsim_part_read(const char *data, size_t size_bytes, const char *name,
                                struct bsim_part *part, struct bsim_error *err)
{
    struct bsim_part made = {.shard = 0};
    struct codec codec = {.out = NULL};
    enum bsim_status status = check_frame(data, size_bytes, name, &codec.p, &codec.end, err);
    if (status != BSIM_OK) {
        return status;
    }
    everything(&codec, &made);
    codec.is_bad |= codec.p != codec.end;
    if (codec.is_short) {
        status = bsim_mem_short(err);
    } else if (codec.is_bad) {
        status = refuse(name, "the part breaks its format", err);
    }
    if (status != BSIM_OK) {
        bsim_result_free(&made.result);
        return status;
    }
    *part = made;
    return BSIM_OK;
}
