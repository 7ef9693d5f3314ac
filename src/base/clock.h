/* Clocks for statistics and for what is chosen by its speed. Never an input of the simulation. */
#ifndef SN_BASE_CLOCK_H
#define SN_BASE_CLOCK_H

/* Seconds since some moment, never going back. */
double sn_clock(void);

/* Seconds that this thread has computed, where the system knows: what others do on the machine is
   not in them. Elsewhere those of sn_clock. */
double sn_clock_of_thread(void);

#endif
