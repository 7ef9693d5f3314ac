/* Where the frame of a collider is that of the world, vectors are not turned into it. That must
   give what turning gives, to the bit: with zeros of either sign, tiny and huge numbers, and beyond
   all numbers. */
#include "contact/placing.h"

#include "check.h"

#include <math.h>
#include <string.h>

static const sn_real number[] = {(sn_real)0.0,  (sn_real)-0.0,     (sn_real)1.0,
                                 (sn_real)-0.3, (sn_real)1e-41,    (sn_real)-1e-30,
                                 (sn_real)1e5,  (sn_real)-1e19,    (sn_real)3e38,
                                 (sn_real)7e-4, (sn_real)INFINITY, (sn_real)-INFINITY};
enum { NUMBERS = sizeof number / sizeof number[0] };

/* The same bits, or both no number. */
static bool is_same(sn_v4 a, sn_v4 b) {
    for (int k = 0; k < 4; k++) {
        sn_real one = a[k], other = b[k];
        if (one != one && other != other) continue;
        if (memcmp(&one, &other, sizeof one) != 0) return false;
    }
    return true;
}

TEST(straight_is_what_turning_gives) {
    sn_placing at = {.q = {0, 0, 0, 1}, .before = {0, 0, 0, 1}, .straight = true};
    sn_v4 q = {0, 0, 0, 1};
    size_t wrong = 0;
    for (int i = 0; i < NUMBERS * NUMBERS * NUMBERS; i++) {
        sn_v4 a = {number[i % NUMBERS], number[i / NUMBERS % NUMBERS],
                   number[i / NUMBERS / NUMBERS], i % 2 ? 0 : (sn_real)-0.0};
        wrong += !is_same(sn_placing_into(&at, &at.q, a), sn_quat_rotate_back(q, a));
        wrong += !is_same(sn_placing_out(&at, &at.q, a), sn_quat_rotate(q, a));
    }
    CHECK(wrong == 0);
}

TESTS(RUN(straight_is_what_turning_gives))
