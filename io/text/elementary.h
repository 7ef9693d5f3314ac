/* Functions of real numbers from + - * / and exact scaling alone: the same bits on every machine,
   unlike those of the C library. Errors are a few units of the last place. */
#ifndef SN_IO_TEXT_ELEMENTARY_H
#define SN_IO_TEXT_ELEMENTARY_H

/* Of an angle from -1000000 to 1000000 rad. */
double sn_elementary_sin(double angle);
double sn_elementary_cos(double angle);

/* Infinite above 709.8, 0 below -745.2. */
double sn_elementary_exp(double x);

/* Of a number above 0. */
double sn_elementary_log(double x);

/* a^b, of a negative number only with a whole exponent. */
double sn_elementary_pow(double a, double b);

/* Gradient noise along a line (Perlin 2002): smooth, 0 at whole numbers, between -1 and 1, for x
   from -1e15 to 1e15. Its slope is in *slope, which may be null. */
double sn_elementary_noise(double x, double *slope);

#endif
