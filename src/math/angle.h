/* Angles in double, from + - * / and square roots only: the same bits on every machine. */
#ifndef SN_MATH_ANGLE_H
#define SN_MATH_ANGLE_H

/* The angle from 0 to pi of a vector (x, y) with y >= 0; 0 for the zero vector. */
double sn_angle(double x, double y);

/* Sine and cosine of an angle between -4 and 4. */
void sn_sine_cosine(double angle, double *sine, double *cosine);

#endif
