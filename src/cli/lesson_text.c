/* lesson_text.c - a lesson's accesses through the model, and its texts filled with the results. */
#include "cli/lesson.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

enum { NAME_SIZE = 32 };

/* ---- the accesses ---------------------------------------------------------------------------- */

static enum bsim_status keep_first(void *context, const struct bsim_check_request *request,
                                   struct bsim_error *err)
{
    struct bsim_check_request *kept = context;
    (void)err;
    if (kept->mask == 0) {
        *kept = *request;
    }
    return BSIM_OK;
}

static enum bsim_status evaluate(const char *statements, struct bsim_check **made,
                                 struct bsim_check_request *first, struct bsim_error *err)
{
    struct bsim_check *check = bsim_check_new();
    *made = check;
    if (check == NULL) {
        return bsim_mem_short(err);
    }
    enum bsim_status status =
        bsim_check_add_text(check, "lesson", statements, strlen(statements), err);
    if (status == BSIM_OK) {
        status = bsim_check_seal(check, err);
    }
    if (status == BSIM_OK) {
        struct bsim_check_visitor visitor = {.shared = keep_first, .context = first};
        status = bsim_check_each(check, &visitor, err);
    }
    return status;
}

static enum bsim_status time_block(struct bsim_check *check, const struct bsim_device *device,
                                   struct lesson_time *time, struct bsim_error *err)
{
    struct bsim_ask ask = {.device = device, .cycles = true};
    struct bsim_answer answer = {.n_accesses = 0};
    enum bsim_status status = bsim_answer(check, &ask, &answer, err);
    if (status == BSIM_OK) {
        const struct bsim_kernel_result *kernel = &answer.result.kernels[0];
        struct bsim_tally total = bsim_kernel_total(kernel);
        *time = (struct lesson_time){.requests = total.requests,
                                     .wavefronts = total.wavefronts,
                                     .excessive = bsim_tally_excessive(&total),
                                     .cycles = kernel->timed.cycles,
                                     .cycles_ideal = kernel->timed.cycles_ideal,
                                     .cycles_bound = kernel->timed.cycles_bound};
    }
    bsim_answer_free(&answer);
    return status;
}

static enum bsim_status work_out_request(const struct lesson_access *access, size_t i,
                                         struct lesson_facts *facts, struct bsim_error *err)
{
    struct bsim_check_request *asked = &facts->asked[i];
    enum bsim_status status = evaluate(access->statements, &facts->check[i], asked, err);
    facts->request[i] = (struct bsim_request){.opcode = asked->opcode, .mask = asked->mask};
    memcpy(facts->request[i].address, asked->address, sizeof asked->address);
    return status == BSIM_OK && access->is_timed
               ? time_block(facts->check[i], &facts->device[i], &facts->time[i], err)
               : status;
}

static uint32_t count_sectors(const struct bsim_device *device, uint32_t stride_bytes)
{
    static const struct bsim_opcode load = {
        .family = BSIM_LD, .space = BSIM_GLOBAL, .type = 'f', .bits = 32, .count = 1, .bytes = 4};
    uint64_t address[BSIM_WARP_LANES];
    struct bsim_global_counts counts;
    for (uint32_t lane = 0; lane < BSIM_WARP_LANES; lane++) {
        address[lane] = (uint64_t)lane * stride_bytes;
    }
    bsim_global_count(device, &load, BSIM_FULL_MASK, address, &counts);
    return counts.sectors;
}

enum bsim_status bsim_cli_lesson_facts(const struct lesson *lesson, struct lesson_facts *facts,
                                       struct bsim_error *err)
{
    enum bsim_status status = BSIM_OK;
    memset(facts, 0, sizeof *facts);
    for (size_t i = 0; i < LESSON_ACCESSES && status == BSIM_OK; i++) {
        const struct lesson_access *access = &lesson->access[i];
        struct bsim_device_options options = {.bank_width = access->bank_width,
                                              .carveout = access->carveout};
        if (access->statements == NULL && access->global_stride_bytes == 0 &&
            access->block_bytes == 0) {
            break;
        }
        facts->n++;
        status = bsim_device_find(access->device, &options, &facts->device[i], err);
        facts->shuffle[i] = access->shuffle;
        if (status == BSIM_OK && access->block_bytes > 0) {
            facts->occupancy[i] =
                bsim_device_occupancy(&facts->device[i], 256, access->block_bytes, 0);
        } else if (status == BSIM_OK && access->shuffle.width == 0 && access->statements != NULL) {
            status = work_out_request(access, i, facts, err);
        } else if (status == BSIM_OK) {
            facts->sectors[i] = count_sectors(&facts->device[i], access->global_stride_bytes);
        }
    }
    return status;
}

void bsim_cli_lesson_facts_free(struct lesson_facts *facts)
{
    for (size_t i = 0; i < LESSON_ACCESSES; i++) {
        bsim_check_free(facts->check[i]);
        facts->check[i] = NULL;
    }
}

/* ---- placeholders ---------------------------------------------------------------------------- */

/* One access, worked out. */
struct outcome {
    const struct bsim_device *device;
    const struct bsim_request *request;
    const struct bsim_shuffle_ask *shuffle;
    const struct bsim_occupancy *occupancy;
    const struct lesson_time *time;
    struct bsim_schedule schedule;
    struct bsim_counts counts;
};

static uint32_t busy_banks(const struct bsim_schedule *schedule)
{
    uint64_t banks = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < schedule->n_grants; i++) {
        banks |= UINT64_C(1) << schedule->grant[i].bank;
    }
    for (; banks != 0; banks &= banks - 1) {
        n++;
    }
    return n;
}

/* The bank that serves the lane in the first of its passes; the lowest of several. */
static uint32_t bank_of(const struct outcome *outcome, uint32_t lane)
{
    for (uint32_t i = 0; i < outcome->schedule.n_grants; i++) {
        if ((outcome->schedule.grant[i].lanes >> lane & 1) != 0) {
            return outcome->schedule.grant[i].bank;
        }
    }
    return 0;
}

static bool find_number(const struct outcome *outcome, const char *name, uint32_t *value)
{
    const struct lesson_time *time = outcome->time; /* of small blocks: 32 bits hold it */
    const struct {
        const char *name;
        uint32_t value;
    } numbers[] = {
        {"count", outcome->counts.wavefronts},
        {"ideal", outcome->counts.ideal},
        {"ways", outcome->counts.ways},
        {"busy", busy_banks(&outcome->schedule)},
        {"banks", outcome->device->n_banks},
        {"width", outcome->device->bank_bytes},
        {"blocks", outcome->occupancy->blocks},
        {"shared", outcome->occupancy->sm_bytes / 1024},
        {"requests", (uint32_t)time->requests},
        {"wavefronts", (uint32_t)time->wavefronts},
        {"excessive", (uint32_t)time->excessive},
        {"cycles", (uint32_t)time->cycles},
        {"lost", (uint32_t)(time->cycles - time->cycles_ideal)},
        {"pipe", (uint32_t)time->cycles_bound},
    };
    unsigned lane;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(numbers[i].name, name) == 0) {
            *value = numbers[i].value;
            return true;
        }
    }
    if (sscanf(name, "bank %2u", &lane) == 1 && lane < BSIM_WARP_LANES) {
        *value = bank_of(outcome, lane);
        return true;
    }
    if (sscanf(name, "word %2u", &lane) == 1 && lane < BSIM_WARP_LANES) {
        *value = outcome->request->address[lane] / 4;
        return true;
    }
    if (sscanf(name, "from %2u", &lane) == 1 && lane < BSIM_WARP_LANES) {
        const struct bsim_shuffle_ask *ask = outcome->shuffle;
        *value = bsim_shuffle_source(ask->operation, lane, ask->operand, ask->width);
        return true;
    }
    return false;
}

/* The access that "A passes" is about; name becomes "passes". */
static bool work_out(const struct lesson_facts *facts, const char **name, size_t *index,
                     struct outcome *outcome)
{
    *index = (size_t)((*name)[0] - 'A');
    if ((*name)[0] < 'A' || *index >= facts->n || (*name)[1] != ' ') {
        return false;
    }
    *name += 2;
    outcome->device = &facts->device[*index];
    outcome->request = &facts->request[*index];
    outcome->shuffle = &facts->shuffle[*index];
    outcome->occupancy = &facts->occupancy[*index];
    outcome->time = &facts->time[*index];
    bsim_request_schedule(outcome->device, outcome->request, &outcome->schedule);
    bsim_schedule_count(outcome->device, outcome->request, &outcome->schedule, &outcome->counts);
    return true;
}

static bool add_value(const struct lesson_facts *facts, const char *name, struct bsim_buffer *out)
{
    struct outcome outcome;
    size_t index;
    uint32_t value;
    if (!work_out(facts, &name, &index, &outcome)) {
        return false;
    }
    if (strcmp(name, "passes") == 0) {
        bsim_buffer_printf(out, "%" PRIu32 " pass%s", outcome.counts.wavefronts,
                           outcome.counts.wavefronts == 1 ? "" : "es");
    } else if (strcmp(name, "sectors") == 0) {
        bsim_buffer_printf(out, "%" PRIu32, facts->sectors[index]);
    } else if (strcmp(name, "why") == 0) {
        bsim_request_why(outcome.device, outcome.request, &outcome.schedule, out);
    } else if (find_number(&outcome, name, &value)) {
        bsim_buffer_printf(out, "%" PRIu32, value);
    } else {
        return false;
    }
    return true;
}

uint32_t bsim_cli_lesson_number(const struct lesson_facts *facts, const char *name)
{
    struct outcome outcome;
    size_t index;
    uint32_t value = 0;
    if (work_out(facts, &name, &index, &outcome)) {
        (void)find_number(&outcome, name, &value);
    }
    return value;
}

/* ---- text ------------------------------------------------------------------------------------ */

void bsim_cli_lesson_fill(const struct lesson_facts *facts, const char *text,
                          struct bsim_buffer *out)
{
    char name[NAME_SIZE];
    while (*text != '\0') {
        size_t plain = strcspn(text, "{");
        bsim_buffer_add(out, text, plain);
        text += plain;
        size_t length = *text == '{' ? strcspn(text, "}") : 0;
        if (length == 0) {
            continue;
        }
        (void)snprintf(name, sizeof name, "%.*s", (int)(length - 1), text + 1);
        if (!add_value(facts, name, out)) {
            bsim_buffer_printf(out, "{%s}", name);
        }
        text += length + (text[length] == '}');
    }
}

void bsim_cli_lesson_text(const struct lesson_facts *facts, const char *text,
                          struct bsim_buffer *out)
{
    struct bsim_buffer filled = BSIM_BUFFER_EMPTY;
    bsim_cli_lesson_fill(facts, text, &filled);
    out->failed = out->failed || filled.failed;
    for (const char *at = filled.data == NULL ? "" : filled.data; *at != '\0';) {
        const char *end = at + strcspn(at, "\n");
        if (*at == ' ') {
            bsim_buffer_printf(out, "%.*s\n", (int)(end - at), at);
        } else {
            bsim_cli_wrap(at, (size_t)(end - at), out);
        }
        at = end + (*end == '\n');
    }
    bsim_buffer_free(&filled);
}

/* ---- pictures -------------------------------------------------------------------------------- */

/* What the access does, in C: the last statement without its word, "s[2 * threadIdx.x]". */
static const char *expression(const char *statements)
{
    const char *last = strrchr(statements, '\n');
    return last != NULL ? last + 1 : statements;
}

bool bsim_cli_lesson_draw(const struct lesson *lesson, const struct lesson_facts *facts, size_t i,
                          enum bsim_format format, const struct bsim_picture_style *style,
                          struct bsim_buffer *out)
{
    const struct lesson_access *access = &lesson->access[i];
    if (!access->is_drawn) {
        return false;
    }
    if (access->shuffle.width > 0) {
        bsim_report_shuffle(&access->shuffle, &(struct bsim_report_options){.format = format}, out);
        return true;
    }
    char declaration[80];
    (void)snprintf(declaration, sizeof declaration, "%.*s", (int)strcspn(access->statements, "\n"),
                   access->statements);
    struct bsim_picture picture = {.title = expression(access->statements),
                                   .place = declaration,
                                   .device = facts->device[i],
                                   .request = facts->request[i],
                                   .check = access->has_array ? facts->check[i] : NULL,
                                   .asked = facts->asked[i]};
    bsim_report_pictures(&picture, 1, format, style, out);
    return true;
}
