/* nvToolsExt.h - marks for a profiler's time line, which nobody draws here. */
#ifndef BANKSIM_NVTOOLSEXT_H
#define BANKSIM_NVTOOLSEXT_H

#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
#define NVTX_COLOR_ARGB 1
#define NVTX_MESSAGE_TYPE_ASCII 1

typedef uint64_t nvtxRangeId_t;
typedef union {
    const char *ascii;
    const wchar_t *unicode;
} nvtxMessageValue_t;
typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    uint64_t payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

static inline int nvtxRangePushA(const char *)
{
    return 0;
}
static inline int nvtxRangePush(const char *)
{
    return 0;
}
static inline int nvtxRangePushEx(const nvtxEventAttributes_t *)
{
    return 0;
}
static inline int nvtxRangePop()
{
    return 0;
}
static inline nvtxRangeId_t nvtxRangeStartA(const char *)
{
    return 0;
}
static inline nvtxRangeId_t nvtxRangeStartEx(const nvtxEventAttributes_t *)
{
    return 0;
}
static inline void nvtxRangeEnd(nvtxRangeId_t)
{
}
static inline void nvtxMarkA(const char *)
{
}
static inline void nvtxMark(const char *)
{
}

#endif
