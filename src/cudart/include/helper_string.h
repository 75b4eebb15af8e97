/* helper_string.h - what programs use of NVIDIA's helper for command lines: -name, --name=value. */
#ifndef BANKSIM_HELPER_STRING_H
#define BANKSIM_HELPER_STRING_H

#include "banksim_cuda.h"

#include <strings.h>

/* The text behind a flag's name: "" or "=value"; NULL if it is not given. */
static inline const char *__banksim_flag(int argc, const char **argv, const char *name)
{
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i] + strspn(argv[i], "-");
        size_t n = strcspn(word, "=");
        if (word != argv[i] && n == strlen(name) && strncasecmp(word, name, n) == 0) {
            return word + n;
        }
    }
    return NULL;
}

static inline bool checkCmdLineFlag(int argc, const char **argv, const char *name)
{
    return __banksim_flag(argc, argv, name) != NULL;
}

static inline int getCmdLineArgumentInt(int argc, const char **argv, const char *name)
{
    const char *text = __banksim_flag(argc, argv, name);
    return text != NULL && *text == '=' ? atoi(text + 1) : 0;
}

static inline float getCmdLineArgumentFloat(int argc, const char **argv, const char *name)
{
    const char *text = __banksim_flag(argc, argv, name);
    return text != NULL && *text == '=' ? (float)atof(text + 1) : 0;
}

static inline bool getCmdLineArgumentString(int argc, const char **argv, const char *name,
                                            char **value)
{
    const char *text = __banksim_flag(argc, argv, name);
    *value = text != NULL && *text == '=' ? (char *)text + 1 : NULL;
    return *value != NULL;
}

#endif
