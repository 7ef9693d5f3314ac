/* The SIMD widths that have loops of their own. Wider ones do what four lanes do, in double and in
   builds without their loops (math/lanes.h). */
#ifndef SINEW_TESTS_WIDTHS_H
#define SINEW_TESTS_WIDTHS_H

#if defined(SN_DOUBLE) || defined(SN_FEW_LANES)
static const int widths[] = {1, 4};
#else
static const int widths[] = {1, 4, 8, 16};
#endif
#define WIDTHS ((int)(sizeof widths / sizeof widths[0]))

#endif
