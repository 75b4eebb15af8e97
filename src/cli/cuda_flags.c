/* cuda_flags.c - the flags of `banksim cuda --flags`, as written for nvcc, for who compiles. */
#define _GNU_SOURCE

#include "cli/cuda.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What nvcc alone knows, without the dashes, of which nvcc takes one or two. */
static const struct {
    const char *name;
    bool has_value;   /* behind = or in the next word */
    bool is_noticed;  /* the program computes something else with it */
    const char *also; /* what says the same to clang, if the value is false */
} of_nvcc[] = {
    {"use_fast_math", false, true, NULL},
    {"ftz", true, true, NULL},
    {"prec-div", true, true, NULL},
    {"prec-sqrt", true, true, NULL},
    {"fmad", true, false, "-ffp-contract=off"},
    {"default-stream", true, false, NULL},
    {"expt-relaxed-constexpr", false, false, NULL},
    {"expt-extended-lambda", false, false, NULL},
    {"extended-lambda", false, false, NULL},
    {"lineinfo", false, false, NULL},
    {"generate-line-info", false, false, NULL},
    {"G", false, false, NULL},
    {"device-debug", false, false, NULL},
    {"maxrregcount", true, false, NULL},
    {"Xptxas", true, false, NULL},
    {"ptxas-options", true, false, NULL},
    {"Xcudafe", true, false, NULL},
    {"Xnvlink", true, false, NULL},
    {"Xfatbin", true, false, NULL},
    {"diag-suppress", true, false, NULL},
    {"res-usage", false, false, NULL},
    {"resource-usage", false, false, NULL},
    {"Wno-deprecated-gpu-targets", false, false, NULL},
    {"allow-unsupported-compiler", false, false, NULL},
    {"no-compress", false, false, NULL},
    {"compress-mode", true, false, NULL},
    {"split-compile", true, false, NULL},
    {"threads", true, false, NULL},
    {"t", true, false, NULL},
    {"ccbin", true, false, NULL},
    {"compiler-bindir", true, false, NULL},
    {"keep", false, false, NULL},
    {"keep-dir", true, false, NULL},
    {"x", true, false, NULL},
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

/* The PTX of the highest that is named: nvcc puts none into the program for most ways to name a GPU. */
static void choose_gpu(struct cuda_flags *flags, const char *value)
{
    for (const char *at = strchr(value, '_'); at != NULL; at = strchr(at + 1, '_')) {
        char *end;
        unsigned long number = strtoul(at + 1, &end, 10);
        if (number > flags->gpu) {
            flags->gpu = (unsigned)number;
            snprintf(flags->arch, sizeof flags->arch, "-arch=compute_%lu%.*s", number,
                     *end == 'a' || *end == 'f' ? 1 : 0, end);
        }
    }
}

/* Leaves out what clang has not; false if it is none of nvcc's own. */
static bool take_for_clang(struct cuda_flags *flags, char *const *words, size_t *at,
                           struct bsim_buffer *without)
{
    char *word = words[*at];
    for (size_t i = 0; i < sizeof of_nvcc / sizeof *of_nvcc; i++) {
        if (!is_flag(word, of_nvcc[i].name)) {
            continue;
        }
        const char *value = of_nvcc[i].has_value ? value_of(words, at) : "";
        if (of_nvcc[i].also != NULL && strcmp(value, "false") == 0) {
            add_flag(flags, (char *)of_nvcc[i].also);
        }
        if (of_nvcc[i].is_noticed) {
            bsim_buffer_printf(without, " %s", word);
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
    } else if (!is_clang || !take_for_clang(flags, words, at, without)) {
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
