/* binary_define.c - the records of a chunk of definitions: kernels, sites, opcodes.
 *
 * A chunk comes here when its sum is right, so a fault found now is a writer's. It is looked for
 * nevertheless: no record reaches the sink that the text reader would have refused. The rules are
 * rules.c's; what is checked here is the form of the bytes.
 */
#include "trace/binary/binary_decode.h"

#include "event/batch.h"
#include "base/memory.h"

/* A record with strings: its size stands in its second word, and its strings, which hold no NUL,
 * fill it but for less than a unit. */
static bool holds(const unsigned char *record, const unsigned char *end, size_t fixed,
                  uint64_t strings)
{
    uint64_t size = bsim_get32(record + 4);
    return record[1] <= BSIM_BINARY_HAS_IT && size % BSIM_BINARY_UNIT_BYTES == 0 &&
           size <= (uint64_t)(end - record) &&
           strings <= BSIM_LINE_MAX_BYTES + BSIM_OPCODE_NAME_SIZE && fixed + strings <= size &&
           size - fixed - strings < BSIM_BINARY_UNIT_BYTES &&
           memchr(record + fixed, 0, (size_t)strings) == NULL;
}

/* Copies a string of n bytes from *from to *to, ends it, moves both, and returns it. */
static char *take_string(const unsigned char **from, char **to, size_t n)
{
    char *start = *to;
    memcpy(start, *from, n);
    start[n] = '\0';
    *from += n;
    *to += n + 1;
    return start;
}

/* A name has fewer bytes than a line, so that the number's last byte is another's. */
static uint32_t name_bytes(const unsigned char *record)
{
    return bsim_get32(record + 36) & BSIM_BINARY_NAME_MASK;
}

/* The kernel and its strings in one piece of memory. NULL when memory is short. */
static struct bsim_kernel *make_kernel(const unsigned char *record)
{
    size_t name = name_bytes(record);
    size_t device = bsim_get32(record + 40);
    size_t extras = bsim_get32(record + 44);
    struct bsim_kernel *kernel =
        bsim_mem_resize(NULL, sizeof *kernel + name + device + extras + 3, 1);
    if (kernel == NULL) {
        return NULL;
    }
    const unsigned char *from = record + BSIM_BINARY_KERNEL_BYTES;
    char *to = (char *)(kernel + 1);
    *kernel = (struct bsim_kernel){
        .grid = bsim_get_dim3(record + 8),
        .block = bsim_get_dim3(record + 20),
        .has_shared = record[1] == BSIM_BINARY_HAS_IT,
        .registers = record[BSIM_BINARY_REGISTERS_AT],
        .again = bsim_get16(record + 2),
    };
    kernel->shared_bytes = kernel->has_shared ? bsim_get32(record + 32) : 0;
    kernel->name = take_string(&from, &to, name);
    char *device_text = take_string(&from, &to, device);
    kernel->device = device > 0 ? device_text : NULL;
    kernel->extras = take_string(&from, &to, extras);
    return kernel;
}

/* The kernel before and its sites are borrowed by the sink until this one is pushed. */
static void push_kernel(struct bsim_binary *binary, struct bsim_kernel *kernel)
{
    struct bsim_record item = {.kind = BSIM_RECORD_KERNEL, .u.kernel = kernel};
    bsim_binary_push(binary, &item);
    bsim_mem_free(binary->kernel);
    bsim_sites_clear(&binary->sites);
    binary->kernel = kernel;
    binary->n_instrs = 0;
    binary->counts.kernels++;
}

static void take_kernel(struct bsim_binary *binary, const unsigned char *record,
                        const unsigned char *end)
{
    if (record != binary->payload) {
        bsim_binary_malformed(binary, record, "a kernel that does not begin its chunk");
    }
    if (end - record < BSIM_BINARY_KERNEL_BYTES ||
        !holds(record, end, BSIM_BINARY_KERNEL_BYTES,
               (uint64_t)name_bytes(record) + bsim_get32(record + 40) +
                   bsim_get32(record + 44))) {
        bsim_binary_malformed(binary, record, "a kernel whose size is wrong");
    }
    bsim_binary_close_block(binary, record);
    if (binary->status != BSIM_OK) {
        return;
    }
    struct bsim_kernel *kernel = make_kernel(record);
    if (kernel == NULL) {
        bsim_binary_no_memory(binary);
        return;
    }
    bsim_binary_check(binary, record, bsim_rules_kernel_values(kernel, binary->err));
    if (binary->status != BSIM_OK) {
        bsim_mem_free(kernel);
        return;
    }
    push_kernel(binary, kernel);
}

/* Room for one more instruction and its rule. False when memory is short. */
static bool grow_instrs(struct bsim_binary *binary)
{
    struct bsim_instr *instr = bsim_mem_grow(binary->instr, binary->n_instrs, sizeof *instr);
    struct bsim_binary_rule *rule = bsim_mem_grow(binary->rule, binary->n_instrs, sizeof *rule);
    binary->instr = instr != NULL ? instr : binary->instr;
    binary->rule = rule != NULL ? rule : binary->rule;
    return instr != NULL && rule != NULL;
}

/* One more instruction that events can name. */
static void add_instr(struct bsim_binary *binary, const struct bsim_opcode *opcode,
                      const struct bsim_site *site)
{
    if (binary->status != BSIM_OK) {
        return;
    }
    if (!grow_instrs(binary)) {
        bsim_binary_no_memory(binary);
        return;
    }
    bool is_access = bsim_opcode_is_access(opcode);
    bool is_matrix = bsim_opcode_is_matrix(opcode);
    struct bsim_window window = bsim_window_of(binary->kernel, opcode);
    window.is_empty = window.is_empty || !is_access;
    binary->rule[binary->n_instrs] = (struct bsim_binary_rule){
        .window = window,
        .rows = is_matrix ? bsim_opcode_lanes(opcode, BSIM_FULL_MASK) : 0,
        .mask_from = is_matrix ? BSIM_FULL_MASK : 1,
        .mask_room = is_matrix ? 0 : BSIM_FULL_MASK - 1,
        .is_access = is_access,
        .is_barrier = opcode->family == BSIM_BAR,
        .is_masked = opcode->family >= BSIM_SHFL && opcode->family < BSIM_BAR,
    };
    binary->instr[binary->n_instrs++] = (struct bsim_instr){*opcode, site};
}

/* The spelling of an opcode at `text`, of the length in the record's second half-word. */
static void get_opcode(struct bsim_binary *binary, const unsigned char *record,
                       const unsigned char *text, struct bsim_opcode *opcode)
{
    bsim_binary_check(binary, record,
                      bsim_opcode_parse((const char *)text, bsim_get16(record + 2), opcode,
                                        bsim_binary_err(binary)));
}

/* The site and its strings in one piece of memory. */
static struct bsim_site *make_site(const unsigned char *record, const struct bsim_opcode *opcode)
{
    size_t file = bsim_get32(record + 16);
    size_t text = bsim_get32(record + 20);
    struct bsim_site *site = bsim_mem_resize(NULL, sizeof *site + file + text + 2, 1);
    if (site == NULL) {
        return NULL;
    }
    const unsigned char *from = record + BSIM_BINARY_SITE_BYTES + bsim_get16(record + 2);
    char *to = (char *)(site + 1);
    *site = (struct bsim_site){
        .number = bsim_get32(record + 8),
        .opcode = *opcode,
        .line = file > 0 ? bsim_get32(record + 12) : 0,
    };
    char *file_text = take_string(&from, &to, file);
    char *source_text = take_string(&from, &to, text);
    site->file = file > 0 ? file_text : NULL;
    site->text = record[1] == BSIM_BINARY_HAS_IT ? source_text : NULL;
    return site;
}

static enum bsim_status check_site(const struct bsim_binary *binary, const struct bsim_site *site)
{
    enum bsim_status status = bsim_rules_site_values(site, binary->err);
    return status == BSIM_OK && bsim_sites_find(&binary->sites, site->number) != NULL
               ? bsim_rules_site_twice(site->number, binary->err)
               : status;
}

static void add_site(struct bsim_binary *binary, const unsigned char *record,
                     const struct bsim_opcode *opcode)
{
    struct bsim_site *site = make_site(record, opcode);
    if (site == NULL) {
        bsim_binary_no_memory(binary);
        return;
    }
    bsim_binary_check(binary, record, check_site(binary, site));
    if (binary->status == BSIM_OK && !bsim_sites_add(&binary->sites, site)) {
        bsim_binary_no_memory(binary);
    }
    if (binary->status != BSIM_OK) {
        bsim_mem_free(site);
        return;
    }
    struct bsim_record item = {.kind = BSIM_RECORD_SITE, .u.site = site};
    add_instr(binary, opcode, site);
    bsim_binary_push(binary, &item);
}

static void take_site(struct bsim_binary *binary, const unsigned char *record,
                      const unsigned char *end)
{
    struct bsim_opcode opcode;
    if (end - record < BSIM_BINARY_SITE_BYTES ||
        !holds(record, end, BSIM_BINARY_SITE_BYTES,
               (uint64_t)bsim_get16(record + 2) + bsim_get32(record + 16) +
                   bsim_get32(record + 20)) ||
        record[1] < (bsim_get32(record + 20) > 0)) {
        bsim_binary_malformed(binary, record, "a site whose size is wrong");
        return;
    }
    bsim_binary_may(binary, record, BSIM_RECORD_SITE);
    get_opcode(binary, record, record + BSIM_BINARY_SITE_BYTES, &opcode);
    if (binary->status == BSIM_OK) {
        add_site(binary, record, &opcode);
    }
}

static void take_opcode(struct bsim_binary *binary, const unsigned char *record,
                        const unsigned char *end)
{
    struct bsim_opcode opcode;
    if (!holds(record, end, BSIM_BINARY_UNIT_BYTES, bsim_get16(record + 2))) {
        bsim_binary_malformed(binary, record, "an opcode whose size is wrong");
        return;
    }
    if (binary->kernel == NULL) {
        bsim_binary_malformed(binary, record, "an opcode before the first kernel");
    }
    get_opcode(binary, record, record + BSIM_BINARY_UNIT_BYTES, &opcode);
    add_instr(binary, &opcode, NULL);
}

void bsim_binary_definitions(struct bsim_binary *binary, const unsigned char *end)
{
    const unsigned char *p = binary->payload;
    while (p < end && binary->status == BSIM_OK) {
        size_t size = p[0] == BSIM_BINARY_LINE ? BSIM_BINARY_UNIT_BYTES : bsim_get32(p + 4);
        switch (p[0]) {
        case BSIM_BINARY_KERNEL:
            take_kernel(binary, p, end);
            break;
        case BSIM_BINARY_SITE:
            take_site(binary, p, end);
            break;
        case BSIM_BINARY_OPCODE:
            take_opcode(binary, p, end);
            break;
        case BSIM_BINARY_LINE:
            bsim_binary_line(binary, p);
            break;
        default:
            bsim_binary_malformed(binary, p, "an unknown record among the definitions");
            break;
        }
        p += size;
    }
}
