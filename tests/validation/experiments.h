/* What is tried with every integrator. */
#ifndef TESTS_VALIDATION_EXPERIMENTS_H
#define TESTS_VALIDATION_EXPERIMENTS_H

#include "build.h"

/* V03: throws nodes of many masses, which must fly with the same bits. How far they come, in m,
   where velocity is (3, 4, 0) m/s and the step is h. */
double throw_range(sn_settings settings, double h);

/* V06: a weight of 1 kg on a spring with this compliance, h = 1/rate s; checks where it hangs and
   the force that is told. The settings must have damping, so that it rests after 2 s. */
void check_sag_of_spring(sn_settings settings, int rate, double alpha);

#endif
