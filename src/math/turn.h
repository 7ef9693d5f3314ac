/* Points of a circle in double, from + - * / and square roots only: the same bits everywhere. */
#ifndef SN_MATH_TURN_H
#define SN_MATH_TURN_H

#include <stdint.h>

/*
 * Sine and cosine of i / n of a turn, n from 1 to 2^60. The angle is reduced as whole numbers, so
 * that quarters are exact, points that mirror each other have mirrored bits, and the error stays
 * within the last bit of double for every i.
 */
void sn_turn(uint64_t i, uint64_t n, double *sine, double *cosine);

#endif
