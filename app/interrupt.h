/* Ctrl-C and a request to end: the first lets the frame finish, a second one ends the program. And
   the signal of a file that is larger than it may be. */
#ifndef APP_INTERRUPT_H
#define APP_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);

/* Whether there was one since then. */
bool interrupt_came(void);

/* What writes more than a file may have fails, as on a full disk, and says so. */
void interrupt_outlive_limits(void);

#endif
