/* print.c - what is of use of a kernel's instructions, as the text of PTX. */
#include "cuda/compile.h"
#include "cuda/lower.h"

#include <inttypes.h>

struct printer {
    struct cu_lowering *l;
    struct cu_code *code;
    struct bsim_buffer *out;
    bool *is_live;    /* registers */
    uint32_t *number; /* of registers, as they are named; 0: not yet */
    uint32_t n_named[CU_N_CLASSES];
    uint32_t *order, n; /* blocks, as they are printed */
    uint32_t line;      /* of the last .loc, and its text */
    const struct cu_source *source;
};

static const char *const prefixes[CU_N_CLASSES] = {"p", "r", "rd", "f", "fd"};

/* ---- what is of use -------------------------------------------------------------------------- */

static void need(struct printer *printer, const struct cu_value *value, bool *changed)
{
    if (value->kind == CU_REGISTER && !printer->is_live[value->id]) {
        printer->is_live[value->id] = true;
        *changed = true;
    }
}

/* What goes into a block's own shared memory is of use if anything is read there, or its address goes
 * anywhere else. */
static bool is_read(const struct printer *printer, const struct cu_instruction *instruction)
{
    bool is_store = instruction->op == CU_OP_STORE;
    const struct cu_variable *root =
        is_store ? bsim_cu_root_of(printer->code, &instruction->argument[0], CU_MOST_SPLITS) : NULL;
    return root == NULL || root->storage != CU_SHARED || root->is_extern || root->is_read ||
           strncmp(instruction->opcode, "st.volatile", 11) == 0;
}

static void note_read(const struct cu_value *value, bool *changed)
{
    if (value->kind == CU_SYMBOL && value->space != CU_PARAM && !value->variable->is_read) {
        value->variable->is_read = true;
        *changed = true;
    }
}

static bool is_needed(const struct printer *printer, const struct cu_instruction *instruction)
{
    bool is_needed = instruction->has_effect && is_read(printer, instruction);
    for (uint32_t i = 0; i < instruction->n_results; i++) {
        is_needed = is_needed || printer->is_live[instruction->result[i]];
    }
    return is_needed && instruction->is_live;
}

static void look_at(struct printer *printer, const struct cu_instruction *instruction,
                    bool *changed)
{
    if (!is_needed(printer, instruction)) {
        return;
    }
    for (uint32_t i = 0; i < instruction->n_arguments; i++) {
        need(printer, &instruction->argument[i], changed);
        note_read(&instruction->argument[i], changed);
    }
    for (uint32_t i = 0; i < instruction->n_operands; i++) {
        need(printer, &instruction->operand[i], changed);
        note_read(&instruction->operand[i], changed);
    }
}

/* From stores, barriers and branches back to what they are made of; of what is live so far the rest is not. */
static void find_live(struct printer *printer)
{
    size_t n = printer->code->n_registers;
    bool changed = true;
    printer->is_live = bsim_cu_take_many(printer->code->file, n, sizeof *printer->is_live);
    printer->number = bsim_cu_take_many(printer->code->file, n, sizeof *printer->number);
    if (bsim_cu_failed(printer->code->file)) {
        return;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = printer->n; i-- > 0;) {
            struct cu_code_block *block = &printer->code->block[printer->order[i]];
            if (block->ending == CU_BRANCHES) {
                need(printer, &block->condition, &changed);
            }
            for (struct cu_instruction *k = block->first; k != NULL; k = k->next) {
                look_at(printer, k, &changed);
            }
        }
    }
    for (uint32_t i = 0; i < printer->n; i++) {
        for (struct cu_instruction *k = printer->code->block[printer->order[i]].first; k != NULL;
             k = k->next) {
            k->is_live = is_needed(printer, k);
        }
    }
}

/* ---- the order of blocks --------------------------------------------------------------------- */

/* Depth first; what is left last stands first, so that a loop's way out stands behind it. */
static bool find_order(struct printer *printer)
{
    struct cu_code *code = printer->code;
    uint32_t n = 0, n_done = 0;
    uint8_t *seen = bsim_cu_take_many(code->file, code->n_blocks, 1);
    uint32_t *stack = bsim_cu_take_many(code->file, code->n_blocks, sizeof *stack);
    uint32_t *done = bsim_cu_take_many(code->file, code->n_blocks, sizeof *done);
    printer->order = bsim_cu_take_many(code->file, code->n_blocks, sizeof *printer->order);
    if (seen == NULL || printer->order == NULL || stack == NULL || done == NULL) {
        return false;
    }
    stack[n++] = 0;
    seen[0] = 1;
    while (n > 0) {
        const struct cu_code_block *block = &code->block[stack[n - 1]];
        uint8_t *step = &seen[stack[n - 1]];
        uint32_t n_targets = block->ending == CU_BRANCHES ? 2 : block->ending == CU_GOES;
        if (*step > n_targets) {
            done[n_done++] = stack[--n];
            continue;
        }
        uint32_t target = block->target[n_targets - (*step)++];
        if (target < code->n_blocks && seen[target] == 0) {
            seen[target] = 1;
            stack[n++] = target;
        }
    }
    for (uint32_t i = 0; i < n_done; i++) {
        printer->order[i] = done[n_done - 1 - i];
        code->block[printer->order[i]].is_live = true;
    }
    printer->n = n_done;
    return true;
}

static bool is_empty(const struct cu_code_block *block)
{
    const struct cu_instruction *k = block->first;
    while (k != NULL && !k->is_live) {
        k = k->next;
    }
    return k == NULL && block->ending == CU_GOES;
}

/* Past blocks that have nothing in them; where these go round for ever, to one of them. */
static uint32_t lands(const struct cu_code *code, uint32_t block)
{
    for (uint32_t i = 0; i < code->n_blocks && is_empty(&code->block[block]); i++) {
        block = code->block[block].target[0];
    }
    return block;
}

/* ---- operands -------------------------------------------------------------------------------- */

static void print_register(struct printer *printer, uint32_t id)
{
    enum cu_class class = printer->code->class[id];
    if (printer->number[id] == 0) {
        printer->number[id] = ++printer->n_named[class];
    }
    bsim_buffer_printf(printer->out, "%%%s%" PRIu32, prefixes[class], printer->number[id]);
}

static void print_constant(struct printer *printer, const struct cu_value *value)
{
    switch (value->class) {
    case CU_F32:
        bsim_buffer_printf(printer->out, "0f%08" PRIX32, (uint32_t)value->bits);
        break;
    case CU_F64:
        bsim_buffer_printf(printer->out, "0d%016" PRIX64, value->bits);
        break;
    case CU_I32:
        bsim_buffer_printf(printer->out, "%" PRId32, (int32_t)(uint32_t)value->bits);
        break;
    default:
        bsim_buffer_printf(printer->out, "%" PRId64, (int64_t)value->bits);
        break;
    }
}

static void print_name(struct printer *printer, const struct cu_value *value)
{
    uint32_t i = 0;
    if (value->space != CU_PARAM) {
        value->variable->is_told = true;
        bsim_buffer_text(printer->out, value->variable->symbol);
        return;
    }
    for (const struct cu_variable *v = printer->l->kernel->parameters; v != value->variable;
         v = v->next) {
        i++;
    }
    bsim_buffer_printf(printer->out, "%s_param_%" PRIu32, printer->l->kernel->symbol, i);
}

static void print_offset(struct printer *printer, int64_t offset)
{
    if (offset != 0) {
        bsim_buffer_printf(printer->out, "+%" PRId64, offset);
    }
}

static void print_value(struct printer *printer, const struct cu_value *value)
{
    switch (value->kind) {
    case CU_NOTHING: /* an element that nobody reads */
        bsim_buffer_text(printer->out, "_");
        break;
    case CU_REGISTER:
        print_register(printer, value->id);
        break;
    case CU_SYMBOL:
        print_name(printer, value);
        print_offset(printer, (int64_t)value->bits);
        break;
    default:
        print_constant(printer, value);
        break;
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

static void print_place(struct printer *printer, const struct cu_token *token)
{
    if (token != NULL && (token->line != printer->line || token->source != printer->source)) {
        printer->line = token->line;
        printer->source = token->source;
        bsim_buffer_printf(printer->out, "\t.loc\t%" PRIu32 " %" PRIu32 " %" PRIu32 "\n",
                           token->source->number, token->line, bsim_cu_column(token));
    }
}

/* {a, b} of several. */
static void print_list(struct printer *printer, const struct cu_value *value, uint32_t n)
{
    bsim_buffer_text(printer->out, n > 1 ? "{" : "");
    for (uint32_t i = 0; i < n; i++) {
        bsim_buffer_text(printer->out, i > 0 ? ", " : "");
        print_value(printer, &value[i]);
    }
    bsim_buffer_text(printer->out, n > 1 ? "}" : "");
}

/* As nvcc tells ptxas of a vector with gaps. */
static void print_mask(struct printer *printer, const struct cu_instruction *load)
{
    uint32_t mask = 0, n_gaps = 0, size = load->type != NULL ? (uint32_t)load->type->size : 0;
    for (uint32_t i = 0; i < load->n_results && load->op == CU_OP_LOAD; i++) {
        uint32_t bytes = ((1U << size) - 1) << (i * size);
        mask |= load->result[i] != 0 ? bytes : 0;
        n_gaps += load->result[i] == 0;
    }
    if (n_gaps > 0) {
        bsim_buffer_printf(printer->out, "\t.pragma \"used_bytes_mask %" PRIu32 "\";\n", mask);
    }
}

static void print_results(struct printer *printer, const struct cu_instruction *instruction)
{
    struct cu_value result[CU_MAX_RESULTS];
    for (uint32_t i = 0; i < instruction->n_results; i++) {
        result[i] =
            (struct cu_value){.kind = instruction->result[i] != 0 ? CU_REGISTER : CU_NOTHING,
                              .id = instruction->result[i]};
    }
    print_list(printer, result, instruction->n_results);
}

static void print_address(struct printer *printer, const struct cu_instruction *instruction)
{
    bsim_buffer_text(printer->out, "[");
    print_value(printer, &instruction->argument[0]);
    print_offset(printer, instruction->offset);
    bsim_buffer_text(printer->out, "]");
}

/* opcode results, arguments, and what the opcode has behind its blank. */
static void print_plain(struct printer *printer, const struct cu_instruction *instruction)
{
    const char *rest = strchr(instruction->opcode, ' ');
    bool is_first = instruction->n_results == 0;
    print_results(printer, instruction);
    for (uint32_t i = 0; i < instruction->n_arguments; i++) {
        bsim_buffer_text(printer->out, is_first ? "" : ", ");
        print_value(printer, &instruction->argument[i]);
        is_first = false;
    }
    if (rest != NULL && rest[1] != '\0') {
        bsim_buffer_printf(printer->out, "%s%s", is_first ? "" : ", ", rest + 1);
    }
}

static const char *copy_opcode(const struct printer *printer, uint32_t id)
{
    static const char *const opcodes[CU_N_CLASSES] = {"mov.pred", "mov.u32", "mov.u64", "mov.f32",
                                                      "mov.f64"};
    return opcodes[printer->code->class[id]];
}

/* The text, with operands for their numbers. */
static void print_asm(struct printer *printer, const struct cu_instruction *instruction)
{
    bsim_buffer_text(printer->out, "\t");
    for (const char *p = instruction->opcode; *p != '\0';) {
        size_t length = strcspn(p, "%");
        bsim_buffer_add(printer->out, p, length);
        p += length;
        if (*p == '\0') {
            break;
        }
        size_t digits = strspn(++p, "0123456789");
        uint32_t number = 0;
        for (size_t i = 0; i < digits && number < 1000; i++) {
            number = 10 * number + (uint32_t)(p[i] - '0');
        }
        if (digits > 0 && number < instruction->n_operands) {
            print_value(printer, &instruction->operand[number]);
        } else {
            bsim_buffer_printf(printer->out, "%%%.*s", (int)digits, p);
            digits += *p == '%';
        }
        p += digits;
    }
    bsim_buffer_text(printer->out, "\n");
}

static void print_instruction(struct printer *printer, const struct cu_instruction *instruction)
{
    const char *opcode = instruction->op == CU_OP_COPY
                             ? copy_opcode(printer, instruction->result[0])
                             : instruction->opcode;
    print_place(printer, instruction->token);
    print_mask(printer, instruction);
    if (instruction->op == CU_OP_ASM) {
        print_asm(printer, instruction);
        return;
    }
    bsim_buffer_printf(printer->out, "\t%.*s \t", (int)strcspn(opcode, " "), opcode);
    switch (instruction->op) {
    case CU_OP_LOAD:
        print_results(printer, instruction);
        bsim_buffer_text(printer->out, ", ");
        print_address(printer, instruction);
        break;
    case CU_OP_STORE:
        print_address(printer, instruction);
        bsim_buffer_text(printer->out, ", ");
        print_list(printer, &instruction->argument[1], instruction->n_arguments - 1);
        break;
    case CU_OP_ATOMIC:
        print_results(printer, instruction);
        bsim_buffer_text(printer->out, ", ");
        print_address(printer, instruction);
        for (uint32_t i = 1; i < instruction->n_arguments; i++) {
            bsim_buffer_text(printer->out, ", ");
            print_value(printer, &instruction->argument[i]);
        }
        break;
    default:
        print_plain(printer, instruction);
        break;
    }
    bsim_buffer_text(printer->out, ";\n");
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void print_jump(struct printer *printer, uint32_t block, const struct cu_value *condition,
                       bool is_inverted)
{
    bsim_buffer_text(printer->out, "\t");
    if (condition != NULL) {
        bsim_buffer_text(printer->out, is_inverted ? "@!" : "@");
        print_value(printer, condition);
        bsim_buffer_text(printer->out, " ");
    }
    bsim_buffer_printf(printer->out, "bra \t$L_%" PRIu32 ";\n", block);
}

static void print_ending(struct printer *printer, const struct cu_code_block *block, uint32_t next)
{
    if (block->ending == CU_RETURNS || block->ending == CU_FALLS) {
        bsim_buffer_text(printer->out, "\tret;\n");
        return;
    }
    uint32_t yes = lands(printer->code, block->target[0]);
    uint32_t no = block->ending == CU_BRANCHES ? lands(printer->code, block->target[1]) : yes;
    if (yes == no) {
        if (yes != next) {
            print_place(printer, block->token); /* of a loop that may have nothing else */
            print_jump(printer, yes, NULL, false);
        }
        return;
    }
    print_place(printer, block->token);
    if (yes == next) {
        print_jump(printer, no, &block->condition, true);
    } else {
        print_jump(printer, yes, &block->condition, false);
        if (no != next) {
            print_jump(printer, no, NULL, false);
        }
    }
}

static void print_blocks(struct printer *printer)
{
    struct cu_code *code = printer->code;
    uint32_t n = 0;
    for (uint32_t i = 0; i < printer->n; i++) {
        if (!is_empty(&code->block[lands(code, printer->order[i])]) &&
            is_empty(&code->block[printer->order[i]]) && i > 0) {
            continue;
        }
        printer->order[n++] = printer->order[i];
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct cu_code_block *block = &code->block[printer->order[i]];
        bsim_buffer_printf(printer->out, "$L_%" PRIu32 ":\n", printer->order[i]);
        for (const struct cu_instruction *k = block->first; k != NULL; k = k->next) {
            if (k->is_live) {
                print_instruction(printer, k);
            }
        }
        print_ending(printer, block, i + 1 < n ? printer->order[i + 1] : CU_NO_BLOCK);
    }
}

/* ---- the function ---------------------------------------------------------------------------- */

static void print_parameters(struct printer *printer)
{
    const struct cu_function *kernel = printer->l->kernel;
    uint32_t i = 0;
    for (const struct cu_variable *v = kernel->parameters; v != NULL; v = v->next, i++) {
        bsim_buffer_text(printer->out, i > 0 ? ",\n\t.param " : "\n\t.param ");
        if (v->type->kind == CU_STRUCT) {
            bsim_buffer_printf(printer->out,
                               ".align %" PRIu32 " .b8 %s_param_%" PRIu32 "[%" PRIu64 "]",
                               v->type->alignment, kernel->symbol, i, v->type->size);
        } else {
            const char *word = bsim_cu_word(v->type);
            bsim_buffer_printf(printer->out, ".%c%s %s_param_%" PRIu32, word[0] == 'f' ? 'f' : 'u',
                               word + 1, kernel->symbol, i);
        }
    }
}

static void print_variable(struct printer *printer, const struct cu_variable *v, const char *space)
{
    bsim_cu_print_elements(printer->code->file, v, printer->out);
    bsim_buffer_printf(printer->out, "\t%s", space);
    bsim_cu_print_declaration(v, printer->out);
    bsim_buffer_text(printer->out, ";\n");
}

/* Static shared memory and local memory that the body's text names. */
static void print_variables(struct printer *printer)
{
    for (const struct cu_variable *v = printer->l->module->variables; v != NULL; v = v->next) {
        if (v->is_told && v->storage == CU_SHARED && !v->is_extern) {
            print_variable(printer, v, ".shared");
        }
    }
    for (uint32_t i = 0; i < printer->l->n_locals; i++) {
        print_variable(printer, printer->l->locals[i], ".local");
    }
}

static void print_registers(struct printer *printer)
{
    static const char *const types[CU_N_CLASSES] = {".pred", ".b32", ".b64", ".f32", ".f64"};
    for (uint32_t class = 0; class < CU_N_CLASSES; class ++) {
        if (printer->n_named[class] > 0) {
            bsim_buffer_printf(printer->out, "\t.reg %s \t%%%s<%" PRIu32 ">;\n", types[class],
                               prefixes[class], printer->n_named[class] + 1);
        }
    }
}

void bsim_cu_print(struct cu_lowering *l, struct bsim_buffer *out)
{
    struct bsim_buffer body = BSIM_BUFFER_EMPTY;
    struct printer printer = {.l = l, .code = &l->code, .out = &body};
    const struct cu_function *kernel = l->kernel;
    if (!find_order(&printer)) {
        return;
    }
    for (struct cu_variable *v = l->module->variables; v != NULL; v = v->next) {
        v->is_told = v->is_told && (v->storage != CU_SHARED || v->is_extern);
    }
    find_live(&printer);
    if (!bsim_cu_failed(l->code.file) &&
        bsim_cu_shift_differences(&l->code, printer.order, printer.n)) {
        find_live(&printer);
    }
    if (bsim_cu_failed(l->code.file)) {
        return;
    }
    if (bsim_cu_leave_idle(&l->code, printer.order, printer.n) && find_order(&printer)) {
        find_live(&printer);
    }
    bsim_cu_thread(l, printer.order, printer.n);
    if (!find_order(&printer)) {
        return;
    }
    find_live(&printer);
    bsim_cu_store_apart(l, printer.order, printer.n);
    find_live(&printer);
    bsim_cu_carry(l, printer.order, printer.n);
    find_live(&printer);
    bsim_cu_load_before(l, printer.order, printer.n);
    bsim_cu_do_behind(l, printer.order, printer.n);
    find_live(&printer);
    bsim_cu_choose(l, printer.order, printer.n);
    if (bsim_cu_failed(l->code.file) || !find_order(&printer)) {
        return;
    }
    find_live(&printer);
    bsim_cu_share_divisions(&l->code, printer.order, printer.n);
    find_live(&printer);
    if (bsim_cu_failed(l->code.file)) {
        return;
    }
    bsim_cu_fuse(&l->code, printer.order, printer.n);
    bsim_cu_sink(l, printer.order, printer.n);
    for (uint32_t i = 0; i < printer.n; i++) {
        bsim_cu_join_neighbours(l, &l->code.block[printer.order[i]]);
    }
    find_live(&printer);
    if (bsim_cu_failed(l->code.file)) {
        return;
    }
    bsim_cu_narrow(&l->code, printer.order, printer.n);
    bsim_cu_step(&l->code, printer.order, printer.n);
    bsim_cu_divide(&l->code, printer.order, printer.n);
    find_live(&printer);
    if (bsim_cu_failed(l->code.file)) {
        return;
    }
    bsim_cu_rank(&l->code, printer.order, printer.n);
    bsim_cu_fuse_whole(&l->code, printer.order, printer.n);
    bsim_cu_shift_shorts(&l->code, printer.order, printer.n);
    bsim_cu_compare_anew(&l->code, printer.order, printer.n);
    find_live(&printer);
    if (bsim_cu_failed(l->code.file)) {
        return;
    }
    bsim_cu_put_near(&l->code, printer.order, printer.n);
    bsim_cu_lead_past(&l->code, printer.order, printer.n);
    bsim_cu_share(&l->code, printer.order, printer.n);
    print_blocks(&printer);
    printer.out = out;
    bsim_buffer_printf(out, "\n.visible .entry %s(", kernel->symbol);
    print_parameters(&printer);
    bsim_buffer_text(out, "\n)\n");
    if (kernel->max_threads > 0) {
        bsim_buffer_printf(out, ".maxntid %" PRIu32 ", 1, 1\n", kernel->max_threads);
    }
    bsim_buffer_text(out, "{\n\t.pragma \"banksim source\";\n");
    if (kernel->has_mathematics) {
        bsim_buffer_text(out, "\t.pragma \"banksim mathematics\";\n");
    }
    if (kernel->turns != NULL) {
        bsim_buffer_printf(out, "\t.pragma \"banksim turns %" PRIu32 "\";\n", kernel->turns->line);
    }
    if (kernel->ways != NULL) {
        bsim_buffer_printf(out, "\t.pragma \"banksim ways %" PRIu32 "\";\n", kernel->ways->line);
    }
    print_variables(&printer);
    print_registers(&printer);
    bsim_buffer_add(out, body.data, body.size_bytes);
    bsim_buffer_text(out, "}\n");
    out->failed = out->failed || body.failed;
    bsim_buffer_free(&body);
}
