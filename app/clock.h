#ifndef APP_CLOCK_H
#define APP_CLOCK_H

/* Seconds on a clock that only goes forward. */
double clock_now(void);

#endif
