/* cuda_flags.c - the flags of `banksim cuda --flags`, as written for nvcc, for who compiles. */
#define _GNU_SOURCE

#include "cli/cuda.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What nvcc alone knows, without the dashes, of which nvcc takes one or two. */
static const struct {
    const char *name;
    bool has_value;      /* behind = or in the next word */
    const char *when;    /* the value that says something to clang, */
    const char *also[6]; /* and how */
} of_nvcc[] = {
    {"use_fast_math",
     false,
     "",
     {"-fcuda-approx-transcendentals", "-fgpu-flush-denormals-to-zero", "-mllvm",
      "-nvptx-prec-divf32=0", "-D__BANKSIM_FAST_SQRT"}},
    {"ftz", true, "true", {"-fgpu-flush-denormals-to-zero"}},
    {"prec-div", true, "false", {"-mllvm", "-nvptx-prec-divf32=1"}},
    {"prec-sqrt", true, "false", {"-D__BANKSIM_FAST_SQRT"}},
    {"fmad", true, "false", {"-ffp-contract=off"}},
    {"default-stream", true, NULL, {NULL}},
    {"expt-relaxed-constexpr", false, NULL, {NULL}},
    {"expt-extended-lambda", false, NULL, {NULL}},
    {"extended-lambda", false, NULL, {NULL}},
    {"lineinfo", false, NULL, {NULL}},
    {"generate-line-info", false, NULL, {NULL}},
    {"G", false, NULL, {NULL}},
    {"device-debug", false, NULL, {NULL}},
    {"maxrregcount", true, NULL, {NULL}},
    {"Xptxas", true, NULL, {NULL}},
    {"ptxas-options", true, NULL, {NULL}},
    {"Xcudafe", true, NULL, {NULL}},
    {"Xnvlink", true, NULL, {NULL}},
    {"Xfatbin", true, NULL, {NULL}},
    {"diag-suppress", true, NULL, {NULL}},
    {"res-usage", false, NULL, {NULL}},
    {"resource-usage", false, NULL, {NULL}},
    {"Wno-deprecated-gpu-targets", false, NULL, {NULL}},
    {"allow-unsupported-compiler", false, NULL, {NULL}},
    {"no-compress", false, NULL, {NULL}},
    {"compress-mode", true, NULL, {NULL}},
    {"split-compile", true, NULL, {NULL}},
    {"threads", true, NULL, {NULL}},
    {"t", true, NULL, {NULL}},
    {"ccbin", true, NULL, {NULL}},
    {"compiler-bindir", true, NULL, {NULL}},
    {"keep", false, NULL, {NULL}},
    {"keep-dir", true, NULL, {NULL}},
    {"x", true, NULL, {NULL}},
};

/* For which GPU: one word with all values of one flag, or several flags. */
static const char *const of_gpu[] = {"arch", "gpu-architecture", "gencode", "generate-code",
                                     "code", "gpu-code"};

/* What is said to a compiler in another's name. */
static const char *const passed_on[] = {"Xcompiler", "compiler-options"};

/* What is done with these is ours to say. Each file's kernels are a module by themselves. */
static const struct {
    const char *name;
    bool has_value, is_noticed;
} of_us[] = {
    {"c", false, false},
    {"o", true, false},
    {"cudart", true, false},
    {"rdc", true, true},
    {"relocatable-device-code", true, true},
    {"dc", false, true},
    {"device-c", false, true},
};

/* Whether a word is this flag, with or without a value behind =. */
static bool is_flag(const char *word, const char *name)
{
    size_t n = strlen(name);
    word += *word == '-';
    word += *word == '-';
    return strncmp(word, name, n) == 0 && (word[n] == '\0' || word[n] == '=');
}

static bool is_one_of(const char *word, const char *const *names, size_t n)
{
    size_t i = 0;
    while (i < n && !is_flag(word, names[i])) {
        i++;
    }
    return i < n;
}

/* A flag's value, behind = or in the next word, which `at` then stands at. */
static const char *value_of(char *const *words, size_t *at)
{
    const char *is = strchr(words[*at], '=');
    if (is != NULL) {
        return is + 1;
    }
    if (words[*at + 1] == NULL) {
        return "";
    }
    return words[++*at];
}

/* -lcufft and the like would bring in NVIDIA's own, which wants a GPU. */
static bool names_library(const char *flag)
{
    return strncmp(flag, "-lcu", 4) == 0 || strncmp(flag, "-lnpp", 5) == 0 ||
           strncmp(flag, "-lnv", 4) == 0;
}

/* -I with the headers of NVIDIA's toolkit, which clang would find before ours. */
static bool names_toolkit(char *const *words, size_t *at)
{
    char path[4096];
    if (strncmp(words[*at], "-I", 2) != 0) {
        return false;
    }
    bool is_apart = words[*at][2] == '\0' && words[*at + 1] != NULL;
    const char *folder = is_apart ? words[*at + 1] : words[*at] + 2;
    snprintf(path, sizeof path, "%s/cuda_runtime_api.h", folder);
    bool is = access(path, R_OK) == 0;
    *at += is && is_apart;
    return is;
}

static void add_flag(struct cuda_flags *flags, char *word)
{
    if (flags->n < CUDA_MAX_FLAGS) {
        flags->word[flags->n++] = word;
        flags->word[flags->n] = NULL;
    }
}

/* The PTX of the highest that is named: nvcc puts none into the program for most ways to name a GPU. Of one with
 * instructions of its own, compute_90a, -arch makes that of compute_90, too (nvcc 13.0), which has no wgmma. */
static void choose_gpu(struct cuda_flags *flags, const char *value)
{
    for (const char *at = strchr(value, '_'); at != NULL; at = strchr(at + 1, '_')) {
        char *end;
        unsigned long number = strtoul(at + 1, &end, 10);
        if (number > flags->gpu) {
            flags->gpu = (unsigned)number;
            if (*end == 'a' || *end == 'f') {
                snprintf(flags->arch, sizeof flags->arch,
                         "-gencode=arch=compute_%lu%c,code=compute_%lu%c", number, *end, number, *end);
            } else {
                snprintf(flags->arch, sizeof flags->arch, "-arch=compute_%lu", number);
            }
        }
    }
}

/* As clang has it, if it has; false if it is none of nvcc's own. */
static bool take_for_clang(struct cuda_flags *flags, char *const *words, size_t *at)
{
    char *word = words[*at];
    for (size_t i = 0; i < sizeof of_nvcc / sizeof *of_nvcc; i++) {
        if (!is_flag(word, of_nvcc[i].name)) {
            continue;
        }
        const char *value = of_nvcc[i].has_value ? value_of(words, at) : "";
        bool says = of_nvcc[i].when != NULL && strcmp(value, of_nvcc[i].when) == 0;
        for (size_t j = 0; says && of_nvcc[i].also[j] != NULL; j++) {
            add_flag(flags, (char *)of_nvcc[i].also[j]);
        }
        return true;
    }
    return names_toolkit(words, at);
}

/* Commas part what is passed on. */
static void pass_on(struct cuda_flags *flags, const char *value)
{
    char *rest = NULL;
    for (char *word = strtok_r((char *)value, ",", &rest); word != NULL;
         word = strtok_r(NULL, ",", &rest)) {
        add_flag(flags, word);
    }
}

/* False if it is none of those that are ours. */
static bool take_for_us(char *const *words, size_t *at, struct bsim_buffer *without)
{
    char *word = words[*at];
    for (size_t i = 0; i < sizeof of_us / sizeof *of_us; i++) {
        if (is_flag(word, of_us[i].name)) {
            const char *value = of_us[i].has_value ? value_of(words, at) : "";
            if (of_us[i].is_noticed && strcmp(value, "false") != 0) {
                bsim_buffer_printf(without, " %s", word);
            }
            return true;
        }
    }
    return names_library(word);
}

/* The word at `at`, and its value. */
static void take(struct cuda_flags *flags, char *const *words, size_t *at, bool is_clang,
                 struct bsim_buffer *without)
{
    char *word = words[*at];
    if (*word != '-') {
        add_flag(flags, word);
        return;
    }
    if (take_for_us(words, at, without)) {
        return;
    }
    if (is_one_of(word, of_gpu, sizeof of_gpu / sizeof *of_gpu)) {
        choose_gpu(flags, value_of(words, at));
    } else if (is_clang && is_one_of(word, passed_on, sizeof passed_on / sizeof *passed_on)) {
        pass_on(flags, value_of(words, at));
    } else if (!is_clang || !take_for_clang(flags, words, at)) {
        flags->has_standard |= is_flag(word, "std");
        add_flag(flags, word);
    }
}

/* Blanks part flags; there is no way to have one within a flag. */
static void cut(char *text, char *words[CUDA_MAX_FLAGS + 1])
{
    char *rest = NULL;
    size_t n = 0;
    for (char *word = strtok_r(text, " ", &rest); word != NULL && n < CUDA_MAX_FLAGS;
         word = strtok_r(NULL, " ", &rest)) {
        words[n++] = word;
    }
    words[n] = NULL;
}

bool bsim_cli_cuda_flags(struct cuda_flags *flags, const char *text, bool is_clang)
{
    char *words[CUDA_MAX_FLAGS + 1];
    struct bsim_buffer without = BSIM_BUFFER_EMPTY;
    *flags = (struct cuda_flags){.arch = "-arch=compute_90"};
    flags->text = strdup(text == NULL ? "" : text);
    if (flags->text == NULL) {
        return false;
    }
    cut(flags->text, words);
    for (size_t i = 0; words[i] != NULL; i++) {
        take(flags, words, &i, is_clang, &without);
    }
    if (is_clang && flags->gpu != 0 && flags->gpu != 80) {
        bsim_buffer_printf(&without, " %s", flags->arch);
    }
    if (without.size_bytes > 0) {
        bsim_cli_say("banksim: flags left out:%s\n", without.data);
    }
    bsim_buffer_free(&without);
    return true;
}
