/* event.c - opcodes, and a sink that sees a stream of events go by. */
#include "example.h"

static struct bsim_opcode opcode_of(const char *text)
{
    struct bsim_opcode opcode;
    CHECK(bsim_opcode_parse(text, strlen(text), &opcode, NULL) == BSIM_OK);
    return opcode;
}

static void opcodes(void)
{
    struct bsim_opcode opcode = opcode_of("ldmatrix.sync.aligned.m8n8.x2.shared.b16");
    char name[BSIM_OPCODE_NAME_SIZE];
    CHECK(strcmp(bsim_opcode_name(&opcode, name), "ldmatrix.sync.aligned.m8n8.x2.shared.b16") == 0);
    /* Whoever is active, the first 16 lanes have the addresses of rows. */
    CHECK(bsim_opcode_lanes(&opcode, BSIM_FULL_MASK) == 0xffff);
    CHECK(bsim_opcode_parse("ld.shared.f33", 13, &opcode, NULL) == BSIM_E_INPUT);

    uint32_t work_class = bsim_work_class_find("fp32", 4);
    CHECK(work_class == BSIM_WORK_FP32 && strcmp(bsim_work_class_name(work_class), "fp32") == 0);

    size_t n = 0;
    while (bsim_opcode_at(n, &opcode)) {
        n++;
    }
    CHECK(n > 100);
}

/* Lane l is at byte 8 + 4 * l. */
static void events(void)
{
    struct bsim_opcode load = opcode_of("ld.shared.f32");
    struct bsim_event event;
    uint64_t address[BSIM_WARP_LANES];
    bsim_event_init(&event, &load);
    event.affine = true;
    event.base = 8;
    event.stride = 4;
    event.mask = 0x0000ffff;
    bsim_event_addresses(&event, address);
    CHECK(address[0] == 8 && address[15] == 68 && address[16] == 0);
}

/* Lane l copies byte 4096 + 16 * l of global memory to byte 16 * l of shared memory. */
static void copies(void)
{
    struct bsim_opcode copy = opcode_of("cp.async.cg.shared.global.16");
    struct bsim_from from = {.affine = true, .base = 4096, .stride = 16};
    struct bsim_event event;
    uint64_t address[BSIM_WARP_LANES];
    bsim_event_init(&event, &copy);
    event.affine = true;
    event.stride = 16;
    event.from = &from;
    bsim_event_from(&event, address);
    CHECK(address[0] == 4096 && address[31] == 4592);
}

static enum bsim_status count(void *context, const struct bsim_record *record,
                              struct bsim_error *err)
{
    uint32_t *n = context;
    (void)err;
    n[record->kind]++;
    return BSIM_OK;
}

static void sinks(void)
{
    uint32_t n[BSIM_RECORD_END + 1] = {0};
    struct bsim_sink sink = {.push = count, .context = n};
    struct example_text text = {example_trace, 0};
    struct bsim_input input = example_input(&text);
    CHECK(bsim_trace_read(&input, &sink, NULL) == BSIM_OK);
    CHECK(n[BSIM_RECORD_KERNEL] == 1 && n[BSIM_RECORD_SITE] == 2 && n[BSIM_RECORD_EVENT] == 2);
    CHECK(n[BSIM_RECORD_END] == 1);
}

int main(void)
{
    opcodes();
    events();
    copies();
    sinks();
    return 0;
}
