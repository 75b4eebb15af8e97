/* thread.h - threads where the system has some. Where it has none, as in a browser's WebAssembly, none
 * starts, and who asked for one does all the work: nobody else holds a lock or is waited for. */
#ifndef BSIM_RUN_THREAD_H
#define BSIM_RUN_THREAD_H

#include <stdbool.h>
#include <unistd.h>

#if defined(_POSIX_THREADS) && _POSIX_THREADS > 0

#include <pthread.h>

struct bsim_thread {
    pthread_t id;
};

/* A mutex, and a condition for those who hold it. */
struct bsim_lock {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

/* False if the system has no more. */
static inline bool bsim_thread_start(struct bsim_thread *thread, void *(*work)(void *argument),
                                     void *argument)
{
    return pthread_create(&thread->id, NULL, work, argument) == 0;
}

static inline void bsim_thread_join(struct bsim_thread *thread)
{
    (void)pthread_join(thread->id, NULL);
}

static inline void bsim_lock_init(struct bsim_lock *lock)
{
    (void)pthread_mutex_init(&lock->mutex, NULL);
    (void)pthread_cond_init(&lock->changed, NULL);
}

static inline void bsim_lock_destroy(struct bsim_lock *lock)
{
    (void)pthread_cond_destroy(&lock->changed);
    (void)pthread_mutex_destroy(&lock->mutex);
}

static inline void bsim_lock(struct bsim_lock *lock)
{
    (void)pthread_mutex_lock(&lock->mutex);
}

static inline void bsim_unlock(struct bsim_lock *lock)
{
    (void)pthread_mutex_unlock(&lock->mutex);
}

/* Wakes all who wait. */
static inline void bsim_lock_tell(struct bsim_lock *lock)
{
    (void)pthread_cond_broadcast(&lock->changed);
}

static inline void bsim_lock_wait(struct bsim_lock *lock)
{
    (void)pthread_cond_wait(&lock->changed, &lock->mutex);
}

#else

struct bsim_thread {
    char none;
};

struct bsim_lock {
    char none;
};

static inline bool bsim_thread_start(struct bsim_thread *thread, void *(*work)(void *argument),
                                     void *argument)
{
    (void)thread, (void)work, (void)argument;
    return false;
}

static inline void bsim_thread_join(struct bsim_thread *thread)
{
    (void)thread;
}

static inline void bsim_lock_none(struct bsim_lock *lock)
{
    (void)lock;
}

#define bsim_lock_init bsim_lock_none
#define bsim_lock_destroy bsim_lock_none
#define bsim_lock bsim_lock_none
#define bsim_unlock bsim_lock_none
#define bsim_lock_tell bsim_lock_none
#define bsim_lock_wait bsim_lock_none

#endif

#endif
