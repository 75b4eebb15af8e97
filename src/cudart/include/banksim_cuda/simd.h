/* simd.h - functions of the parts of a word: two of 16 bits or four of 8 bits, and the whole, which is one. */
#ifndef BANKSIM_CUDA_SIMD_H
#define BANKSIM_CUDA_SIMD_H
__BANKSIM_CALLERS_LINES

/* As much of it as a part can hold. */
template <typename part> __BANKSIM_DEVICE int __banksim_saturated(int value)
{
    constexpr int most = (1 << (8 * sizeof(part) - ((part)-1 < 0))) - 1;
    constexpr int least = (part)-1 < 0 ? -most - 1 : 0;
    return min(max(value, least), most);
}
template <typename part> __BANKSIM_DEVICE part __banksim_sum(part x, part y)
{
    return (part)((unsigned)x + (unsigned)y);
}

/* x, y and z are the parts of a, b and c. */
#define __BANKSIM_PARTS(type, part_type, expression)                                        \
    {                                                                                       \
        typedef part_type part;                                                             \
        unsigned packed = 0;                                                                \
        for (int i = 0; i < 32; i += 8 * (int)sizeof(part)) {                               \
            part x = (part)((unsigned)a >> i), y = (part)((unsigned)b >> i);                \
            part z = (part)((unsigned)c >> i);                                              \
            (void)y, (void)z;                                                               \
            packed |= ((unsigned)(expression)&0xffffffffu >> (32 - 8 * sizeof(part))) << i; \
        }                                                                                   \
        return (type)packed;                                                                \
    }
#define __BANKSIM_PARTS_1(type, name, part, expression) \
    __BANKSIM_DEVICE type name(type a)                  \
    {                                                   \
        constexpr type b = 0, c = 0;                    \
        __BANKSIM_PARTS(type, part, expression)         \
    }
#define __BANKSIM_PARTS_2(type, name, part, expression) \
    __BANKSIM_DEVICE type name(type a, type b)          \
    {                                                   \
        constexpr type c = 0;                           \
        __BANKSIM_PARTS(type, part, expression)         \
    }
#define __BANKSIM_PARTS_3(type, name, part, expression) \
    __BANKSIM_DEVICE type name(type a, type b, type c) __BANKSIM_PARTS(type, part, expression)

/* ---- two and four parts ---------------------------------------------------------------------- */

#define __BANKSIM_SIGNED_1(name, expression)                     \
    __BANKSIM_PARTS_1(unsigned, __v##name##2, short, expression) \
    __BANKSIM_PARTS_1(unsigned, __v##name##4, signed char, expression)
#define __BANKSIM_SIGNED(name, expression)                       \
    __BANKSIM_PARTS_2(unsigned, __v##name##2, short, expression) \
    __BANKSIM_PARTS_2(unsigned, __v##name##4, signed char, expression)
#define __BANKSIM_UNSIGNED(name, expression)                              \
    __BANKSIM_PARTS_2(unsigned, __v##name##2, unsigned short, expression) \
    __BANKSIM_PARTS_2(unsigned, __v##name##4, unsigned char, expression)

__BANKSIM_SIGNED_1(abs, x < 0 ? -x : x)
__BANKSIM_SIGNED_1(neg, -x)
__BANKSIM_SIGNED_1(absss, __banksim_saturated<part>(x < 0 ? -x : x))
__BANKSIM_SIGNED_1(negss, __banksim_saturated<part>(-x))
__BANKSIM_SIGNED(add, x + y)
__BANKSIM_SIGNED(sub, x - y)
__BANKSIM_SIGNED(addss, __banksim_saturated<part>(x + y))
__BANKSIM_SIGNED(subss, __banksim_saturated<part>(x - y))
__BANKSIM_UNSIGNED(addus, __banksim_saturated<part>(x + y))
__BANKSIM_UNSIGNED(subus, __banksim_saturated<part>(x - y))
__BANKSIM_SIGNED(avgs, (x + y + (x + y >= 0)) >> 1)
__BANKSIM_UNSIGNED(avgu, (x + y + 1) >> 1)
__BANKSIM_UNSIGNED(haddu, (x + y) >> 1)
__BANKSIM_SIGNED(maxs, max(x, y))
__BANKSIM_SIGNED(mins, min(x, y))
__BANKSIM_UNSIGNED(maxu, max(x, y))
__BANKSIM_UNSIGNED(minu, min(x, y))
__BANKSIM_SIGNED(absdiffs, x > y ? x - y : y - x)
__BANKSIM_UNSIGNED(absdiffu, x > y ? x - y : y - x)

/* All bits of a part, or one, where it is so. */
#define __BANKSIM_COMPARED(kind, name, operation) \
    kind(cmp##name, x operation y ? -1 : 0) kind(set##name, x operation y)
__BANKSIM_COMPARED(__BANKSIM_UNSIGNED, eq, ==)
__BANKSIM_COMPARED(__BANKSIM_UNSIGNED, ne, !=)
__BANKSIM_COMPARED(__BANKSIM_SIGNED, ges, >=)
__BANKSIM_COMPARED(__BANKSIM_SIGNED, gts, >)
__BANKSIM_COMPARED(__BANKSIM_SIGNED, les, <=)
__BANKSIM_COMPARED(__BANKSIM_SIGNED, lts, <)
__BANKSIM_COMPARED(__BANKSIM_UNSIGNED, geu, >=)
__BANKSIM_COMPARED(__BANKSIM_UNSIGNED, gtu, >)
__BANKSIM_COMPARED(__BANKSIM_UNSIGNED, leu, <=)
__BANKSIM_COMPARED(__BANKSIM_UNSIGNED, ltu, <)

/* The sum of the parts' differences. */
#define __BANKSIM_SAD(kind)                                                                 \
    __BANKSIM_DEVICE unsigned __vsad##kind##2(unsigned a, unsigned b)                       \
    {                                                                                       \
        unsigned parts = __vabsdiff##kind##2(a, b);                                         \
        return (parts & 0xffff) + (parts >> 16);                                            \
    }                                                                                       \
    __BANKSIM_DEVICE unsigned __vsad##kind##4(unsigned a, unsigned b)                       \
    {                                                                                       \
        unsigned parts = __vabsdiff##kind##4(a, b);                                         \
        return (parts & 0xff) + (parts >> 8 & 0xff) + (parts >> 16 & 0xff) + (parts >> 24); \
    }
__BANKSIM_SAD(s)
__BANKSIM_SAD(u)

/* ---- largest and smallest of sums and of three, for dynamic programming ---------------------- */

#define __BANKSIM_DPX(type, name, part)                                           \
    __BANKSIM_PARTS_3(type, __viaddmax_##name, part, max(__banksim_sum(x, y), z)) \
    __BANKSIM_PARTS_3(type, __viaddmin_##name, part, min(__banksim_sum(x, y), z)) \
    __BANKSIM_PARTS_3(type, __vimax3_##name, part, max(max(x, y), z))             \
    __BANKSIM_PARTS_3(type, __vimin3_##name, part, min(min(x, y), z))
/* And not below 0. */
#define __BANKSIM_DPX_RELU(type, name, part)                                               \
    __BANKSIM_PARTS_3(type, __viaddmax_##name##_relu, part,                                \
                      max(max(__banksim_sum(x, y), z), (part)0))                           \
    __BANKSIM_PARTS_3(type, __viaddmin_##name##_relu, part,                                \
                      max(min(__banksim_sum(x, y), z), (part)0))                           \
    __BANKSIM_PARTS_3(type, __vimax3_##name##_relu, part, max(max(max(x, y), z), (part)0)) \
    __BANKSIM_PARTS_3(type, __vimin3_##name##_relu, part, max(min(min(x, y), z), (part)0)) \
    __BANKSIM_PARTS_2(type, __vimax_##name##_relu, part, max(max(x, y), (part)0))          \
    __BANKSIM_PARTS_2(type, __vimin_##name##_relu, part, max(min(x, y), (part)0))
__BANKSIM_DPX(int, s32, int)
__BANKSIM_DPX(unsigned, u32, unsigned)
__BANKSIM_DPX(unsigned, s16x2, short)
__BANKSIM_DPX(unsigned, u16x2, unsigned short)
__BANKSIM_DPX_RELU(int, s32, int)
__BANKSIM_DPX_RELU(unsigned, s16x2, short)

/* And whether the first is chosen. */
#define __BANKSIM_DPX_CHOICE(type, name)                                  \
    __BANKSIM_DEVICE type __vibmax_##name(type a, type b, bool *is_first) \
    {                                                                     \
        *is_first = a >= b;                                               \
        return a >= b ? a : b;                                            \
    }                                                                     \
    __BANKSIM_DEVICE type __vibmin_##name(type a, type b, bool *is_first) \
    {                                                                     \
        *is_first = a <= b;                                               \
        return a <= b ? a : b;                                            \
    }
__BANKSIM_DPX_CHOICE(int, s32)
__BANKSIM_DPX_CHOICE(unsigned, u32)

/* ---- sums of products of parts --------------------------------------------------------------- */

/* Four of 8 bits; two of 16 by the lower or upper two of 8. Vectors are the words that they are. */
#define __BANKSIM_DOT(type, name, instruction, vector_a, vector_b)                \
    __BANKSIM_DEVICE type name(type a, type b, type c)                            \
    {                                                                             \
        type sum;                                                                 \
        asm(instruction " %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c)); \
        return sum;                                                               \
    }                                                                             \
    __BANKSIM_DEVICE type name(vector_a a, vector_b b, type c)                    \
    {                                                                             \
        type word_a, word_b;                                                      \
        __builtin_memcpy(&word_a, &a, 4);                                         \
        __builtin_memcpy(&word_b, &b, 4);                                         \
        return name(word_a, word_b, c);                                           \
    }
__BANKSIM_DOT(int, __dp4a, "dp4a.s32.s32", char4, char4)
__BANKSIM_DOT(unsigned, __dp4a, "dp4a.u32.u32", uchar4, uchar4)
__BANKSIM_DOT(int, __dp2a_lo, "dp2a.lo.s32.s32", short2, char4)
__BANKSIM_DOT(unsigned, __dp2a_lo, "dp2a.lo.u32.u32", ushort2, uchar4)
__BANKSIM_DOT(int, __dp2a_hi, "dp2a.hi.s32.s32", short2, char4)
__BANKSIM_DOT(unsigned, __dp2a_hi, "dp2a.hi.u32.u32", ushort2, uchar4)

__BANKSIM_OWN_LINES
#endif
