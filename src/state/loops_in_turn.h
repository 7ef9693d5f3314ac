/* Where there is one width of loops alone, what takes the place of the scalar ones of all types. */
#ifndef SN_STATE_LOOPS_IN_TURN_H
#define SN_STATE_LOOPS_IN_TURN_H

#include "state/type.h"

extern const sn_loops sn_loops_in_turn;

#endif
