#define _POSIX_C_SOURCE 200809L

#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    (void)number;
    interrupted = 1;
}

void interrupt_catch(void) {
#ifndef __wasi__ /* which has no signals */
    struct sigaction action = {.sa_handler = on_interrupt};
    action.sa_flags = (int)(SA_RESTART | (int)SA_RESETHAND);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
#else
    (void)on_interrupt;
#endif
}

void interrupt_outlive_limits(void) {
#ifdef SIGXFSZ
    signal(SIGXFSZ, SIG_IGN);
#endif
}

bool interrupt_came(void) {
    return interrupted != 0;
}
