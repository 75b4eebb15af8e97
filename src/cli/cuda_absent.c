/* cuda_absent.c - functions of NVIDIA's libraries that a program names and that are not here.
 *
 * The linker says which. For each a function is written that tells its name when it is called (see
 * src/cudart/absent.c), so that a program runs as far as it goes without them.
 */
#include "cli/cuda.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_NAMES = 512, MAX_NAME = 128 };

struct names {
    char name[MAX_NAMES][MAX_NAME];
    size_t n;
    bool is_whole; /* all that the linker misses is here */
};

/* The library that a function is of; NULL if it is of none of NVIDIA's. */
static const char *library_of(const char *name)
{
    static const struct {
        const char *prefix, *library;
    } known[] = {{"cublas", "cuBLAS"},      {"curand", "cuRAND"},     {"cufft", "cuFFT"},
                 {"cusparse", "cuSPARSE"},  {"cusolver", "cuSOLVER"}, {"cudnn", "cuDNN"},
                 {"cutensor", "cuTENSOR"},  {"nvrtc", "NVRTC"},       {"nvJitLink", "nvJitLink"},
                 {"nvjpeg", "nvJPEG"},      {"npp", "NPP"},           {"nccl", "NCCL"},
                 {"nvml", "NVML"},          {"cupti", "CUPTI"},       {"nvshmem", "NVSHMEM"},
                 {"__cuda", "the runtime"}, {"cuda", "the runtime"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strncmp(name, known[i].prefix, strlen(known[i].prefix)) == 0) {
            return known[i].library;
        }
    }
    return strncmp(name, "cu", 2) == 0 && name[2] >= 'A' && name[2] <= 'Z' ? "the driver" : NULL;
}

static bool is_name(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static void add_name(struct names *names, const char *text)
{
    char name[MAX_NAME];
    size_t length = 0;
    while (length < sizeof name - 1 && is_name(text[length])) {
        name[length] = text[length];
        length++;
    }
    name[length] = '\0';
    for (size_t i = 0; i < names->n; i++) {
        if (strcmp(names->name[i], name) == 0) {
            return;
        }
    }
    bool is_plain = !is_name(text[length]) && text[length] != '(' && text[length] != ':';
    if (!is_plain || library_of(name) == NULL || names->n == MAX_NAMES) {
        names->is_whole = false;
        return;
    }
    memcpy(names->name[names->n++], name, length + 1);
}

/* What linkers say: undefined reference to `cufftExecC2C', undefined symbol: cufftExecC2C. */
static void read_names(const char *path, struct names *names)
{
    static const char *const spellings[] = {"undefined reference to `", "undefined reference to '",
                                            "undefined symbol: "};
    char line[4096];
    FILE *file = fopen(path, "r");
    names->is_whole = file != NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
            const char *at = strstr(line, spellings[i]);
            if (at != NULL) {
                add_name(names, at + strlen(spellings[i]));
                break;
            }
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

static bool write_functions(const char *path, const struct names *names)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    fputs("extern \"C\" long bsim_cuda_absent(const char *name, const char *library);\n", file);
    for (size_t i = 0; i < names->n; i++) {
        const char *name = names->name[i]; /* which CUDA's headers may declare */
        fprintf(file,
                "extern \"C\" long absent_%zu() __asm__(\"%s\");\n"
                "extern \"C\" long absent_%zu() { return bsim_cuda_absent(\"%s\", \"%s\"); }\n",
                i, name, i, name, library_of(name));
    }
    return fclose(file) == 0;
}

/* Names the library's functions in one line. */
static void tell_library(const struct names *names, const char *library, bool skips)
{
    enum { SHOWN = 4 };
    struct bsim_buffer line = BSIM_BUFFER_EMPTY;
    size_t n = 0;
    for (size_t i = 0; i < names->n; i++) {
        if (strcmp(library_of(names->name[i]), library) == 0 && n++ < SHOWN) {
            bsim_buffer_printf(&line, "%s%s", n > 1 ? ", " : "", names->name[i]);
        }
    }
    if (n > SHOWN) {
        bsim_buffer_printf(&line, " and %zu more", n - SHOWN);
    }
    bsim_cli_say("banksim: %.*s of %s %s not here: %s\n", (int)line.size_bytes, line.data, library,
                 n == 1 ? "is" : "are",
                 skips ? "calls are passed over"
                       : "a call that computes ends the program (--libraries skip passes over it)");
    bsim_buffer_free(&line);
}

static void tell(const struct names *names, bool skips)
{
    for (size_t i = 0; i < names->n; i++) {
        const char *library = library_of(names->name[i]);
        size_t first = 0;
        while (strcmp(library_of(names->name[first]), library) != 0) {
            first++;
        }
        if (first == i) {
            tell_library(names, library, skips);
        }
    }
}

bool bsim_cli_cuda_absent(const char *linker_says, const char *source, bool skips)
{
    struct names *names = calloc(1, sizeof *names);
    if (names == NULL) {
        return false;
    }
    read_names(linker_says, names);
    bool is_done = names->is_whole && names->n > 0 && write_functions(source, names);
    if (is_done) {
        tell(names, skips);
    }
    free(names);
    return is_done;
}
