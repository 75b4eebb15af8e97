/* signals.c - a program that a signal ends, as a failed assert() or an access out of bounds of its own,
 * still ends its trace: what it launched before is whole.
 *
 * The trace is written in the signal's handler, on the program's ruins: should that not come to an end, an
 * alarm ends it. Programs that handle these signals themselves are left alone.
 */
#define _POSIX_C_SOURCE 200809L

#include "cudart/signals.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

enum { MOST_SECONDS = 60 }; /* whoever reads the trace may be behind */

static void (*finish)(void);
static volatile sig_atomic_t ended_by;

/* The program ends as it would have: the signal's handler is the system's again. */
static void end(int signal_number)
{
    (void)signal_number;
    (void)raise(ended_by);
}

static void on_signal(int signal_number)
{
    struct sigaction action = {.sa_handler = end};
    ended_by = signal_number;
    if (sigaction(SIGALRM, &action, NULL) == 0) {
        alarm(MOST_SECONDS);
        finish();
    }
    end(signal_number);
}

void bsim_cuda_on_signals(void (*finish_trace)(void))
{
    static const int signals[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)},
                     old;
    finish = finish_trace;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &old) == 0 && (old.sa_flags & SA_SIGINFO) == 0 &&
            old.sa_handler == SIG_DFL) {
            (void)sigaction(signals[i], &action, NULL);
        }
    }
}
