/* thread.h - the system's threads. WebAssembly may be without: then none starts, and who asked for
 * one does all the work; nobody else holds a lock or is waited for. */
#ifndef BSIM_BASE_THREAD_H
#define BSIM_BASE_THREAD_H

#if !defined(__wasm__) || defined(_REENTRANT)
#include <pthread.h>
#else

#include <errno.h>

typedef char pthread_t, pthread_mutex_t, pthread_cond_t;

#define pthread_create(thread, attributes, work, argument) ((void)(work), (void)(argument), EAGAIN)
#define pthread_join(...) 0
#define pthread_mutex_init(...) 0
#define pthread_mutex_lock(...) 0
#define pthread_mutex_unlock(...) 0
#define pthread_mutex_destroy(...) 0
#define pthread_cond_init(...) 0
#define pthread_cond_wait(...) 0
#define pthread_cond_broadcast(...) 0
#define pthread_cond_destroy(...) 0

#endif

#endif
