/* ptx_compare.c - `crosscheck-ptx FILE...`: instructions of PTX on a GPU (ptx.cu) against
 * banksim's. Says what differs, then what was compared; exit 1 if a form or an approximation
 * differs, or more than 4 in 100 chains: ptxas picks which of two operands that are no numbers is
 * passed on, and folds conversions, so that 2.5 in 100 differ on an H200. */
#include "ptx_check.h"

int main(int argc, char **argv)
{
    int status = argc > 1 ? 0 : 2;
    if (argc == 1) {
        fprintf(stderr, "usage: crosscheck-ptx FILE...\n");
    }
    for (int i = 1; i < argc; i++) {
        struct ptx_counts counts;
        FILE *file = fopen(argv[i], "r");
        if (file == NULL || !ptx_check(file, stdout, true, &counts)) {
            fprintf(stderr, "%s: no results of ptx.cu\n", argv[i]);
            status = 1;
        } else {
            printf("%s: %zu forms, %zu samples of approximations: %zu differ; %zu chains: %zu\n",
                   argv[i], counts.forms, counts.samples, counts.n_wrong, counts.chains,
                   counts.n_wrong_chains);
            bool is_wrong = counts.n_wrong > 0 || counts.n_wrong_chains * 25 > counts.chains;
            status = is_wrong ? 1 : status;
        }
        if (file != NULL) {
            fclose(file);
        }
    }
    return status;
}
