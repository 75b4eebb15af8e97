/* helper_timer.h - what programs use of NVIDIA's helper for timers: milliseconds of the host. */
#ifndef BANKSIM_HELPER_TIMER_H
#define BANKSIM_HELPER_TIMER_H

#include "banksim_cuda.h"

struct StopWatchInterface {
    double total_ms, started_ms;
    int sessions;
    bool is_running;
};

static inline double __banksim_now_ms()
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = new StopWatchInterface();
    return true;
}

static inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    delete *timer;
    *timer = NULL;
    return true;
}

static inline bool sdkStartTimer(StopWatchInterface **timer)
{
    (*timer)->started_ms = __banksim_now_ms();
    (*timer)->is_running = true;
    return true;
}

static inline bool sdkStopTimer(StopWatchInterface **timer)
{
    (*timer)->total_ms += __banksim_now_ms() - (*timer)->started_ms;
    (*timer)->sessions++;
    (*timer)->is_running = false;
    return true;
}

static inline bool sdkResetTimer(StopWatchInterface **timer)
{
    (*timer)->total_ms = 0;
    (*timer)->sessions = 0;
    (*timer)->started_ms = __banksim_now_ms();
    return true;
}

static inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    double running = (*timer)->is_running ? __banksim_now_ms() - (*timer)->started_ms : 0;
    return (float)((*timer)->total_ms + running);
}

static inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return (*timer)->sessions > 0 ? (float)((*timer)->total_ms / (*timer)->sessions) : 0;
}

#endif
