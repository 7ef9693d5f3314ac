/* Wall clock for statistics. Never an input of the simulation. */
#ifndef SN_BASE_CLOCK_H
#define SN_BASE_CLOCK_H

/* Seconds since some moment, never going back. */
double sn_clock(void);

#endif
