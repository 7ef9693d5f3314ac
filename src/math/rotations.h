/* Rotations of matrices four at a time, in double whatever the number type of the library is. */
#ifndef SN_MATH_ROTATIONS_H
#define SN_MATH_ROTATIONS_H

/* The rotations that are nearest to four matrices (columns one after the other), as unit
   quaternions, from those that are there (math/rotation.h). What is not finite changes nothing. */
void sn_rotations_four(const double matrix[4][9], double q[4][4]);

#endif
