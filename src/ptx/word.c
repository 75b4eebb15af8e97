/* word.c - the spellings of PTX's types, words and special registers. */
#include "ptx/word.h"

#include <string.h>

struct type {
    const char *name;
    char letter;
    uint8_t bits;
};

static const struct type types[BSIM_PTX_TYPES] = {
    [BSIM_PTX_NO_TYPE] = {"", 0, 0},         [BSIM_PTX_PRED] = {"pred", 'p', 1},
    [BSIM_PTX_B8] = {"b8", 'b', 8},          [BSIM_PTX_B16] = {"b16", 'b', 16},
    [BSIM_PTX_B32] = {"b32", 'b', 32},       [BSIM_PTX_B64] = {"b64", 'b', 64},
    [BSIM_PTX_B128] = {"b128", 'b', 128},    [BSIM_PTX_U8] = {"u8", 'u', 8},
    [BSIM_PTX_U16] = {"u16", 'u', 16},       [BSIM_PTX_U32] = {"u32", 'u', 32},
    [BSIM_PTX_U64] = {"u64", 'u', 64},       [BSIM_PTX_S8] = {"s8", 's', 8},
    [BSIM_PTX_S16] = {"s16", 's', 16},       [BSIM_PTX_S32] = {"s32", 's', 32},
    [BSIM_PTX_S64] = {"s64", 's', 64},       [BSIM_PTX_F16] = {"f16", 'f', 16},
    [BSIM_PTX_F16X2] = {"f16x2", 'h', 32},   [BSIM_PTX_BF16] = {"bf16", 'n', 16},
    [BSIM_PTX_BF16X2] = {"bf16x2", 'n', 32}, [BSIM_PTX_TF32] = {"tf32", 'b', 32},
    [BSIM_PTX_E4M3] = {"e4m3", 'b', 8},      [BSIM_PTX_E5M2] = {"e5m2", 'b', 8},
    [BSIM_PTX_E4M3X2] = {"e4m3x2", 'b', 16}, [BSIM_PTX_E5M2X2] = {"e5m2x2", 'b', 16},
    [BSIM_PTX_B1] = {"b1", 'b', 1},          [BSIM_PTX_U2] = {"u2", 'u', 2},
    [BSIM_PTX_S2] = {"s2", 's', 2},          [BSIM_PTX_U4] = {"u4", 'u', 4},
    [BSIM_PTX_S4] = {"s4", 's', 4},          [BSIM_PTX_F32] = {"f32", 'f', 32},
    [BSIM_PTX_F64] = {"f64", 'f', 64},       [BSIM_PTX_U16X2] = {"u16x2", 'u', 32},
    [BSIM_PTX_S16X2] = {"s16x2", 's', 32},
};

static const char *const words[] = {[BSIM_PTX_NO_WORD] = "",
#define X(name, spelling) [BSIM_PTX_##name] = spelling,
                                    BSIM_PTX_WORDS(X)
#undef X
};

static const char *const specials[] = {[BSIM_PTX_NO_SPECIAL] = "",
#define X(name, spelling) [BSIM_PTX_##name] = spelling,
                                       BSIM_PTX_SPECIALS(X)
#undef X
};

/* Most differ in the first letter: a call for each would take a tenth of the time of reading PTX. */
static bool is(const char *name, const char *text, size_t length)
{
    return length > 0 && name[0] == text[0] && strncmp(name, text, length) == 0 && name[length] == '\0';
}

/* The place of text in names[1..n), or 0. */
static uint32_t find(const char *const *names, size_t n, const char *text, size_t length)
{
    for (uint32_t i = 1; i < n; i++) {
        if (is(names[i], text, length)) {
            return i;
        }
    }
    return 0;
}

uint32_t bsim_ptx_type_bits(uint32_t type)
{
    return types[type].bits;
}

char bsim_ptx_type_letter(uint32_t type)
{
    return types[type].letter;
}

uint32_t bsim_ptx_type_half(uint32_t type)
{
    return type == BSIM_PTX_F16X2 ? BSIM_PTX_F16 : type == BSIM_PTX_BF16X2 ? BSIM_PTX_BF16 : type;
}

enum bsim_ptx_type bsim_ptx_type_find(const char *text, size_t length)
{
    for (uint32_t i = 1; i < BSIM_PTX_TYPES; i++) {
        if (is(types[i].name, text, length)) {
            return (enum bsim_ptx_type)i;
        }
    }
    return BSIM_PTX_NO_TYPE;
}

enum bsim_ptx_word bsim_ptx_word_find(const char *text, size_t length)
{
    return (enum bsim_ptx_word)find(words, sizeof words / sizeof *words, text, length);
}

const char *bsim_ptx_word_name(uint32_t word)
{
    return words[word];
}

enum bsim_ptx_special bsim_ptx_special_find(const char *text, size_t length)
{
    return (enum bsim_ptx_special)find(specials, sizeof specials / sizeof *specials, text, length);
}
