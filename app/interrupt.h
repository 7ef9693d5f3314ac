/* Ctrl-C and a request to end: the first lets the frame finish, a second one ends the program. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);

/* Whether there was one since then. */
bool interrupt_came(void);

#endif
