/* program.c - the programs that a module's kernels have been made into: one launch makes it, and those
 * that come after take it as it is. */
#include "ptx/steps.h"
#include "ptx/where.h"

#include "base/memory.h"

struct bsim_ptx_lowered {
    struct bsim_ptx_program program;
    bool merges;
    struct bsim_arena arena; /* of the program */
    struct bsim_ptx_lowered *next;
};

const struct bsim_ptx_program *bsim_ptx_find_program(const struct bsim_ptx_module *module,
                                                     const struct bsim_ptx_function *kernel,
                                                     bool merges)
{
    const struct bsim_ptx_lowered *l = module->lowered;
    while (l != NULL && (l->program.kernel != kernel || l->merges != merges)) {
        l = l->next;
    }
    return l != NULL ? &l->program : NULL;
}

const struct bsim_ptx_program *bsim_ptx_keep_program(struct bsim_ptx_module *module, bool merges,
                                                     const struct bsim_ptx_program *program,
                                                     const struct bsim_arena *arena)
{
    struct bsim_ptx_lowered *made = bsim_mem_zeroed(1, sizeof *made);
    if (made == NULL) {
        return NULL;
    }
    *made = (struct bsim_ptx_lowered){*program, merges, *arena, module->lowered};
    module->lowered = made;
    return &made->program;
}

void bsim_ptx_programs_free(struct bsim_ptx_module *module)
{
    while (module->lowered != NULL) {
        struct bsim_ptx_lowered *lowered = module->lowered;
        module->lowered = lowered->next;
        bsim_mem_free(lowered->program.constant);
        bsim_mem_free(lowered->program.where->is_address);
        bsim_arena_free(&lowered->arena);
        bsim_mem_free(lowered);
    }
}
