/* signals.h - what is done before a signal ends the program; see signals.c. */
#ifndef BSIM_CUDART_SIGNALS_H
#define BSIM_CUDART_SIGNALS_H

/* finish_trace is called once, by the thread that the signal came to, for signals that a program is ended by
 * as a rule when it is wrong. */
void bsim_cuda_on_signals(void (*finish_trace)(void));

#endif
