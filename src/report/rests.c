/* rests.c - what counts of kernels in PTX rest on, in words. A launch puts it into its kernel's own
 * keys, so that it goes with the trace, with a part of a result, and with the result:
 *
 *     kernel _Z3sumPKi grid=8 block=256 x-ptx=merged+schedule+may-merge:2+sample:3:8
 */
#include "report/basis.h"
#include "report/plain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_COLUMNS = 120, NAME_BYTES = 4 * NAME_COLUMNS + 4 };

/* Sentences by their words: of several things, with numbers for @, and of one. What speaks of a
 * kernel stands behind its name where there are several. */
struct rest {
    const char *word;
    enum bsim_grade grade;
    enum { OF_ALL, OF_KERNEL, OF_CYCLES } of;
    const char *many, *one;
};

/* Those that are not of PTX, nor written into x-ptx=. */
static const char in_a_row[] = "in-a-row", no_waits[] = "no-waits", waits[] = "copy-waits",
                  other_waits[] = "other-copy-waits", stalls[] = "stalls", other_stalls[] = "stalls-elsewhere",
                  on_another[] = "sass-on-another";

static const struct rest known_rests[] = {
    {"merged", BSIM_MEASURED, OF_ALL,
     "Counts rest on what ptxas merges, a measured rule: 186 of 192 kernels came within 1 % of an "
     "H200's wavefronts.",
     NULL},
    {"bare", BSIM_MEASURED, OF_ALL,
     "Counts are of the PTX as it stands, without what ptxas merges.", NULL},
    /* Public programs that both compile (src/ptx/README.md). */
    {"clang", BSIM_MEASURED, OF_ALL,
     "Counts rest on clang's code, too: 45 of 50 kernels had the wavefronts of loads and stores that "
     "they have by nvcc.",
     NULL},
    /* Launches of public programs (src/cuda/README.md). */
    {"source", BSIM_MEASURED, OF_ALL,
     "Accesses rest on what nvcc makes of CUDA C, as it is remade here: 678 of 708 launches of public kernels had those "
     "of nvcc's PTX.",
     NULL},
    {"may-merge", BSIM_ASSUMED, OF_KERNEL,
     "@ sites are in a loop that ptxas may unroll and merge: there may be fewer wavefronts.",
     "1 site is in a loop that ptxas may unroll and merge: there may be fewer wavefronts."},
    {"may-drop", BSIM_ASSUMED, OF_KERNEL,
     "@ sites are what ptxas may leave out for lanes that can do without it: there may be fewer "
     "wavefronts.",
     "1 site is what ptxas may leave out for lanes that can do without it: there may be fewer "
     "wavefronts."},
    {"may-add", BSIM_ASSUMED, OF_KERNEL,
     "@ sites are what ptxas may load for lanes that do not come there, too: there may be more wavefronts.",
     "1 site is what ptxas may load for lanes that do not come there, too: there may be more wavefronts."},
    {"waits", BSIM_ASSUMED, OF_KERNEL,
     "@ sites are in a loop that waits for other threads or a clock: how often is chance, and so are their "
     "cycles; --hazards does not see what such a wait puts in order.",
     "1 site is in a loop that waits for other threads or a clock: how often is chance, and so are its "
     "cycles; --hazards does not see what such a wait puts in order."},
    {"by-address", BSIM_ASSUMED, OF_KERNEL,
     "functions are called by address: lanes may stay apart behind such a call, with more "
     "wavefronts.",
     NULL},
    {"recursive", BSIM_ASSUMED, OF_KERNEL,
     "functions may call themselves: lanes may stay apart behind such a call, with more "
     "wavefronts.",
     NULL},
    {"elsewhere", BSIM_ASSUMED, OF_KERNEL,
     "counts rest on a clock, or on the number of an SM, a warp or a launch, which decides addresses or "
     "accesses: a GPU has other values, and other counts.",
     NULL},
    {"where", BSIM_ASSUMED, OF_KERNEL,
     "counts rest on where arrays lie in global memory: bits of an address decide other addresses, or which "
     "accesses are executed; a GPU has them elsewhere, and may count otherwise.",
     NULL},
    {"cluster", BSIM_ASSUMED, OF_KERNEL,
     "blocks have @ others in their cluster: loads, stores and atomics of their shared memory are counted in sectors and "
     "packets (of atomics the least), bulk copies and mbarriers there are not; cycles know nothing of waits for them,"
     " and take a multicast for a copy to one block.",
     "blocks have another in their cluster: loads, stores and atomics of its shared memory are counted in sectors and "
     "packets (of atomics the least), bulk copies and mbarriers there are not; cycles know nothing of waits for it,"
     " and take a multicast for a copy to one block."},
    {"mathematics", BSIM_ASSUMED, OF_KERNEL,
     "functions of nvcc's library (sinf, expf, pow ...) are banksim's own here: their last bits may differ, "
     "and so may counts where they decide addresses or branches; cycles leave most of their work out.",
     NULL},
    {"turns", BSIM_ASSUMED, OF_KERNEL,
     "the loop at line @ has accesses that a turn shares with the next: nvcc makes four turns one there, and may "
     "count others.",
     NULL},
    {"ways", BSIM_ASSUMED, OF_KERNEL,
     "ways of the branch at line @ access the same place: nvcc may make one access of these, with fewer "
     "requests.",
     NULL},
    {"order", BSIM_ASSUMED, OF_KERNEL,
     "counts rest on the order of warps: a block had @ wavefronts of shared memory here, @ with the last "
     "warp first in short turns. A GPU's order is chance; --hazards looks for races.",
     NULL},
    {"order-global", BSIM_ASSUMED, OF_KERNEL,
     "counts rest on the order of warps: a block had @ sectors of global memory here, @ with the last "
     "warp first in short turns. A GPU's order is chance; --hazards looks for races.",
     NULL},
    {"order-blocks", BSIM_ASSUMED, OF_KERNEL,
     "counts rest on the order of blocks: the first @ had @ wavefronts of shared memory here, @ with the "
     "last of them first. A GPU's order is chance.",
     NULL},
    {"order-blocks-global", BSIM_ASSUMED, OF_KERNEL,
     "counts rest on the order of blocks: the first @ had @ sectors of global memory here, @ with the "
     "last of them first. A GPU's order is chance.",
     NULL},
    {in_a_row, BSIM_ASSUMED, OF_ALL,
     "Counts of cp.async that does not say where in global memory it is from hold where those addresses lie "
     "in a row.",
     NULL},
    {no_waits, BSIM_ASSUMED, OF_CYCLES,
     "Cycles have no wait for cp.async: on an H100 a warp that waits for what it has just copied takes 390 to 460 from L2, "
     "160 to 270 from L1.",
     NULL},
    {waits, BSIM_MEASURED, OF_CYCLES,
     "Waits for cp.async take all copies to be from L2, 276 clocks behind their issue and as they pass to the SM: 57 of 60 loops of "
     "an H100 came within 10 %. What L2 has to fetch comes later, what L1 has sooner.",
     NULL},
    {other_waits, BSIM_ASSUMED, OF_CYCLES,
     "Waits for cp.async are assumed to be an H100's: all copies from L2, 276 clocks behind their issue and as they pass to the SM.",
     NULL},
    {"sample", BSIM_MEASURED, OF_KERNEL,
     "a sample: @ of the grid's @ blocks were run; counts are theirs alone.", NULL},
    {"sass", BSIM_MEASURED, OF_ALL, "Counts are of the machine code for sm_@, as ptxas has written it.", NULL},
    {stalls, BSIM_MEASURED, OF_CYCLES,
     "Cycles rest on the machine code's own order, stalls and scoreboards: of 40 pairs of kernels written and timed on an H200 "
     "afterwards 39 gained what was told, within 5 points.",
     NULL},
    {"trials", BSIM_ASSUMED, OF_KERNEL,
     "@ atomics are loops in machine code (ATOMS.CAST), which go round once for each lane of a bank: what is told without conflicts keeps these "
     "rounds, and so tells too little of a gain. Two launches, with and without the padding, tell it.",
     "1 atomic is a loop in machine code (ATOMS.CAST), which goes round once for each lane of a bank: what is told without conflicts keeps these "
     "rounds, and so tells too little of a gain. Two launches, with and without the padding, tell it."},
    {"sass-elsewhere", BSIM_ASSUMED, OF_ALL,
     "Counts are of machine code for sm_@, not for sm_90, whose reading alone was held to a GPU.", NULL},
    {on_another, BSIM_ASSUMED, OF_ALL,
     "Machine code for sm_@ was played on @: its order, its stalls and what is merged are what ptxas has chosen for the former.", NULL},
    {other_stalls, BSIM_ASSUMED, OF_CYCLES,
     "Cycles rest on the machine code's own order and stalls, with latencies and pipes of compute capability 9.0.", NULL},
    {"schedule", BSIM_ASSUMED, OF_CYCLES,
     "Cycles rest on an assumed schedule of what stands between the accesses: PTX's own "
     "instructions and order, not the machine code's.",
     NULL},
};

static const struct rest *find_rest(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof known_rests / sizeof *known_rests; i++) {
        if (strncmp(known_rests[i].word, word, length) == 0 &&
            known_rests[i].word[length] == '\0') {
            return &known_rests[i];
        }
    }
    return NULL; /* of another version, or somebody else's key */
}

/* ---- kernels' own ---------------------------------------------------------------------------- */

/* The words of a kernel's x-ptx=, "" if it has none, and their length. */
static const char *words_of(const struct bsim_kernel_result *kernel, size_t *length)
{
    static const char key[] = "x-ptx=";
    const char *at = kernel->extras != NULL ? kernel->extras : "";
    while (*at != '\0' && strncmp(at, key, sizeof key - 1) != 0) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    at += *at != '\0' ? sizeof key - 1 : 0;
    *length = strcspn(at, " ");
    return at;
}

static bool is_known(const struct bsim_buffer *known, const char *entry, size_t size)
{
    for (size_t at = 0; at < known->size_bytes; at += strlen(known->data + at) + 1) {
        if (strlen(known->data + at) + 1 == size && memcmp(known->data + at, entry, size) == 0) {
            return true;
        }
    }
    return false;
}

/* Keeps "word name", once. */
static void keep(struct bsim_rests *rests, const char *word, size_t length, const char *name)
{
    struct bsim_buffer entry = BSIM_BUFFER_EMPTY;
    const struct rest *rest = find_rest(word, strcspn(word, ":+ "));
    bsim_buffer_add(&entry, word, length);
    bsim_buffer_printf(&entry, " %s", rest != NULL && rest->of == OF_KERNEL ? name : "");
    if (rest != NULL && !entry.failed &&
        !is_known(&rests->known, entry.data, entry.size_bytes + 1)) {
        bsim_buffer_add(&rests->known, entry.data, entry.size_bytes + 1);
    }
    rests->known.failed = rests->known.failed || entry.failed;
    bsim_buffer_free(&entry);
}

/* Copies by cp.async, and those that do not say where they are from. */
static void keep_copies(struct bsim_rests *rests, const struct bsim_kernel_result *kernel,
                        const char *name)
{
    bool any = false, is_silent = false;
    for (size_t i = 0; i < kernel->n_sites; i++) {
        bool is_copy = kernel->sites[i].opcode.family == BSIM_CP_ASYNC && kernel->sites[i].requests > 0;
        any |= is_copy;
        is_silent |= is_copy && kernel->sites[i].requests != kernel->sites[i].global.requests;
    }
    if (is_silent) {
        keep(rests, in_a_row, sizeof in_a_row - 1, name);
    }
    if (any && kernel->timed.copy_waits > 0) {
        bool is_measured = kernel->device.basis[BSIM_RULE_CP_ASYNC].grade == BSIM_MEASURED;
        const char *word = is_measured ? waits : other_waits;
        keep(rests, word, strlen(word), name);
    } else if (any) {
        keep(rests, no_waits, sizeof no_waits - 1, name);
    }
}

/* A word of a kernel's, "stalls" or "sass:80", on the device that it was played on; NULL: nothing is told of one. */
static void keep_word(struct bsim_rests *rests, const char *word, size_t length, const struct bsim_kernel_result *kernel, const char *name)
{
    const char *device = kernel->device.name, *colon = memchr(word, ':', length);
    bool is_measured = device != NULL && strcmp(device, "sm_90") == 0; /* where machine code's clocks were held to a GPU's */
    if (!is_measured && length == sizeof stalls - 1 && strncmp(word, stalls, length) == 0) {
        keep(rests, other_stalls, sizeof other_stalls - 1, name);
        return;
    }
    keep(rests, word, length, name);
    if (device != NULL && colon != NULL && strncmp(word, "sass", 4) == 0 && strtoul(colon + 1, NULL, 10) != kernel->device.compute) {
        char played[64];
        int n = snprintf(played, sizeof played, "%s:%lu:%s", on_another, strtoul(colon + 1, NULL, 10), device);
        keep(rests, played, (size_t)n, name);
    }
}

void bsim_rests_add(struct bsim_rests *rests, const struct bsim_kernel_result *kernel)
{
    size_t length = 0;
    const char *at = words_of(kernel, &length), *end = at + length;
    const char *name = kernel->name != NULL ? kernel->name : ""; /* nobody's: a request by hand */
    rests->has_cycles = rests->has_cycles || (kernel->timed.is_timed && !kernel->timed.left_out);
    if (rests->first.size_bytes == 0) {
        bsim_buffer_text(&rests->first, name);
    } else if (!rests->first.failed && strcmp(rests->first.data, name) != 0) {
        rests->has_several = true;
    }
    keep_copies(rests, kernel, name);
    while (at < end) {
        size_t n = strcspn(at, "+ ");
        keep_word(rests, at, n, kernel, name);
        at += n + (at[n] == '+');
    }
}

/* ---- in words -------------------------------------------------------------------------------- */

/* The sentence with the entry's numbers, ":3:8", for each @. */
static void add_sentence(const struct rest *rest, const char *numbers, const char *kernel,
                         struct bsim_buffer *out)
{
    bool is_one = rest->one != NULL && strncmp(numbers, ":1 ", 3) == 0;
    const char *at = is_one ? rest->one : rest->many;
    char plain[NAME_BYTES];
    if (rest->of == OF_KERNEL && kernel[0] != '\0') {
        bsim_buffer_printf(out,
                           "%s: ", bsim_plain_kernel(kernel, NAME_COLUMNS, plain, sizeof plain));
    }
    for (; *at != '\0'; at++) {
        if (*at != '@') {
            bsim_buffer_add(out, at, 1);
            continue;
        }
        numbers += *numbers == ':';
        size_t n = strcspn(numbers, ": ");
        bsim_buffer_add(out, numbers, n);
        numbers += n;
    }
}

static const char *source_of(const struct rest *rest)
{
    bool is_of_sass = strncmp(rest->word, "sass", 4) == 0 || strncmp(rest->word, "stalls", 6) == 0 || strcmp(rest->word, "trials") == 0;
    bool is_of_copies = rest->word == in_a_row || rest->word == no_waits, is_of_waits = rest->word == waits;
    return is_of_sass                                 ? "src/sass/README.md"
           : is_of_copies                             ? "src/model/README.md"
           : is_of_waits || rest->word == other_waits ? "src/timing/README.md"
                                                      : "src/ptx/README.md";
}

bool bsim_rests_next(const struct bsim_rests *rests, size_t *at, struct bsim_buffer *sentence,
                     struct bsim_basis *basis)
{
    bool is_there = false;
    while (!is_there && *at < rests->known.size_bytes) {
        const char *entry = rests->known.data + *at, *name = strchr(entry, ' ') + 1;
        size_t length = strcspn(entry, ": ");
        const struct rest *rest = find_rest(entry, length);
        *at += strlen(entry) + 1;
        is_there = rest->of != OF_CYCLES || rests->has_cycles;
        if (is_there) {
            basis->grade = rest->grade;
            basis->source = source_of(rest);
            add_sentence(rest, entry + length, rests->has_several ? name : "", sentence);
        }
    }
    sentence->failed = sentence->failed || rests->known.failed || rests->first.failed;
    return is_there;
}

void bsim_rests_tell(const struct bsim_rests *rests, struct bsim_buffer *out)
{
    struct bsim_basis basis;
    for (size_t at = 0; bsim_rests_next(rests, &at, out, &basis);) {
        bsim_buffer_text(out, "\n");
    }
}

void bsim_rests_free(struct bsim_rests *rests)
{
    bsim_buffer_free(&rests->known);
    bsim_buffer_free(&rests->first);
}

void bsim_rests_text(const struct bsim_result *result, struct bsim_buffer *out)
{
    struct bsim_rests rests = {.has_cycles = false};
    for (size_t k = 0; k < result->n_kernels; k++) {
        bsim_rests_add(&rests, &result->kernels[k]);
    }
    bsim_rests_tell(&rests, out);
    bsim_rests_free(&rests);
}
