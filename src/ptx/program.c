/* program.c - the programs that a module's kernels have been made into: one launch makes it, and those
 * that come after take it as it is. */
#include "ptx/machine.h"

#include "base/memory.h"

struct bsim_ptx_lowered {
    struct bsim_ptx_program program;
    bool merges;
    struct bsim_arena arena; /* of the program */
    struct bsim_ptx_lowered *next;
};

static void free_lowered(struct bsim_ptx_lowered *lowered)
{
    bsim_mem_free(lowered->program.constant);
    bsim_arena_free(&lowered->arena);
    bsim_mem_free(lowered);
}

void bsim_ptx_programs_free(struct bsim_ptx_module *module)
{
    while (module->lowered != NULL) {
        struct bsim_ptx_lowered *next = module->lowered->next;
        free_lowered(module->lowered);
        module->lowered = next;
    }
}

enum bsim_status bsim_ptx_find_program(struct bsim_ptx_module *module,
                                       const struct bsim_ptx_function *kernel, bool merges,
                                       const struct bsim_ptx_program **program,
                                       struct bsim_error *err)
{
    for (const struct bsim_ptx_lowered *l = module->lowered; l != NULL; l = l->next) {
        if (l->program.kernel == kernel && l->merges == merges) {
            *program = &l->program;
            return BSIM_OK;
        }
    }
    struct bsim_ptx_lowered *made = bsim_mem_zeroed(1, sizeof *made);
    if (made == NULL) {
        return bsim_error_set(err, BSIM_E_MEMORY, "out of memory");
    }
    enum bsim_status status =
        bsim_ptx_lower(module, kernel, merges, &made->arena, &made->program, err);
    if (status != BSIM_OK) {
        free_lowered(made);
        return status;
    }
    made->merges = merges;
    made->next = module->lowered;
    module->lowered = made;
    *program = &made->program;
    return BSIM_OK;
}
