/* label.c - labels, and which instructions lead to them.
 *
 *     ts: .branchtargets A, B, C;        %r1 == 0: A
 *     brx.idx %r1, ts;                   %r1 == 1: B
 *                                        %r1 == 2: C
 * A branch by a table is as many instructions, each of which leads to one target: the lanes with its
 * number take it, the others go on to the next; so every branch has two ways.
 */
#include "ptx/reader.h"

#include <string.h>

void bsim_ptx_add_label(struct bsim_ptx_reader *reader, const char *name)
{
    for (uint32_t i = reader->n_labels; i-- > 0;) {
        const struct bsim_ptx_label *label = &reader->label[i];
        if (label->is_open && label->depth == reader->depth && strcmp(label->name, name) == 0) {
            bsim_ptx_scan_fail(&reader->scan, "the label %s stands here a second time", name);
            return;
        }
    }
    if (bsim_ptx_grow(reader, &reader->label, reader->n_labels, sizeof *reader->label)) {
        reader->label[reader->n_labels++] = (struct bsim_ptx_label){
            .name = name, .instruction = reader->n_code, .is_open = true, .depth = reader->depth};
    }
}

/* ---- branches by a table --------------------------------------------------------------------- */

void bsim_ptx_read_targets(struct bsim_ptx_reader *reader, const char *name)
{
    struct bsim_ptx_scanner *scan = &reader->scan;
    for (uint32_t i = 0; i < reader->n_targets; i++) {
        if (strcmp(reader->target[i].table, name) == 0) {
            reader->target[i].table = ""; /* of another scope, which has ended */
        }
    }
    do {
        if (scan->token.kind != BSIM_PTX_WORD) {
            bsim_ptx_scan_fail(scan, "a label is missing here");
        } else if (bsim_ptx_grow(reader, &reader->target, reader->n_targets,
                                 sizeof *reader->target)) {
            reader->target[reader->n_targets++] =
                (struct bsim_ptx_target){.table = name, .label = bsim_ptx_token_text(reader)};
            bsim_ptx_scan_next(scan);
        }
    } while (bsim_ptx_accept(scan, ','));
    bsim_ptx_expect(scan, ';');
}

void bsim_ptx_add_branches(struct bsim_ptx_reader *reader)
{
    struct bsim_ptx_instruction from = reader->code[reader->n_code - 1];
    const char *table = from.n_operands == 2 ? from.operand[1].name : NULL;
    uint32_t n = 0, first = reader->n_code - 1;
    for (uint32_t i = 0; i < reader->n_targets && table != NULL; i++) {
        if (strcmp(reader->target[i].table, table) != 0) {
            continue;
        }
        reader->n_code = first + n;
        if (!bsim_ptx_grow(reader, &reader->code, reader->n_code, sizeof *reader->code)) {
            return;
        }
        reader->code[reader->n_code++] = from;
        reader->code[first + n].operand[1].name = reader->target[i].label;
        reader->code[first + n].operand[1].bits = n;
        n++;
    }
    for (uint32_t i = 0; i < n; i++) {
        reader->code[first + i].operand[1].number = n;
    }
}

/* ---- where branches lead --------------------------------------------------------------------- */

/* The name of a branch's label, or NULL. */
static const char *label_of(const struct bsim_ptx_instruction *bra)
{
    uint32_t operand = bsim_ptx_is_a(bra, "brx");
    return bra->n_operands == operand + 1 ? bra->operand[operand].name : NULL;
}

void bsim_ptx_close_labels(struct bsim_ptx_reader *reader, uint32_t first)
{
    if (reader->scan.status != BSIM_OK) {
        return; /* the last instruction may be half read */
    }
    for (uint32_t i = first; i < reader->n_code; i++) {
        struct bsim_ptx_instruction *bra = &reader->code[i];
        const char *name = bsim_ptx_branches(bra) ? label_of(bra) : NULL;
        for (uint32_t k = reader->n_labels; name != NULL && bra->target == UINT32_MAX && k-- > 0;) {
            const struct bsim_ptx_label *label = &reader->label[k];
            if (label->is_open && label->depth == reader->depth && strcmp(label->name, name) == 0) {
                bra->target = label->instruction;
            }
        }
    }
    for (uint32_t k = 0; k < reader->n_labels; k++) {
        struct bsim_ptx_label *label = &reader->label[k];
        label->is_open = label->is_open && label->depth != reader->depth;
    }
}

void bsim_ptx_check_branches(struct bsim_ptx_reader *reader,
                             const struct bsim_ptx_function *function)
{
    for (uint32_t i = 0; i < function->n_instructions && reader->scan.status == BSIM_OK; i++) {
        const struct bsim_ptx_instruction *bra = &function->code[i];
        if (bsim_ptx_branches(bra) && bra->target == UINT32_MAX) {
            bsim_ptx_scan_stop(&reader->scan,
                               bsim_ptx_refuse(reader->module, bra, reader->scan.err,
                                               "this branch leads to no label of its function"));
        }
    }
}
