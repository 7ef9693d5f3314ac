/*
 * Frames that contacts have struck are turned back to the energy that they had: by how much, about
 * which axis, and when not at all.
 */
#include "contact/rigid/rigid_turn.h"
#include "check.h"
#include "math/quaternion.h"

#include <math.h>

#ifdef SN_DOUBLE
#define TOL(in_double, in_float) (in_double)
#else
#define TOL(in_double, in_float) (in_float)
#endif

static uint32_t seed = 1;

static double drawn(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / 8388608 - 1;
}

static sn_v4 draw_vector(void) {
    const sn_real x = (sn_real)drawn(), y = (sn_real)drawn();
    return (sn_v4){x, y, (sn_real)drawn(), 0};
}

static sn_v4 draw_turn(void) {
    const sn_v4 v = draw_vector();
    const sn_v4 q = {v[0], v[1], v[2], (sn_real)drawn()};
    return q / SN_ROOT(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/* A body of any proportions, with an angular momentum that is none of its axes'. */
static sn_rigid_struck draw_struck(void) {
    sn_rigid_struck s = {.q = draw_turn(), .momentum = draw_vector(), .given = draw_vector()};
    for (int k = 0; k < 3; k++) s.w[k] = (sn_real)pow(4, drawn());
    return s;
}

/* Twice the energy, in double. */
static double energy_of(const sn_rigid_struck *s, sn_v4 q) {
    const double v[3] = {(double)q[0], (double)q[1], (double)q[2]}, w = (double)q[3];
    double own[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        /* Axis k of the body in the world. */
        double axis[3], dot = 0;
        for (int i = 0; i < 3; i++) {
            const int next = (k + 1) % 3, last = (k + 2) % 3;
            axis[i] = 2 * v[i] * v[k] + (i == k ? 2 * w * w - 1 : 0);
            if (i == next) axis[i] += 2 * w * v[last];
            if (i == last) axis[i] -= 2 * w * v[next];
            dot += axis[i] * (double)s->momentum[i];
        }
        own[k] = dot;
        sum += (double)s->w[k] * own[k] * own[k];
    }
    return sum;
}

/* The turn from one to the other in the world, rad about its axis; small ones. */
static void turn_between(sn_v4 from, sn_v4 to, double turn[3]) {
    const sn_v4 q = sn_quat_mul(to, sn_quat_conjugate(from));
    const double sign = q[3] < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) turn[k] = 2 * sign * (double)q[k];
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* -omega x L, without what of it is along what contacts gave. */
static void slope_of(const sn_rigid_struck *s, double slope[3]) {
    const sn_v4 omega = sn_quat_rotate(s->q, s->w * sn_quat_rotate_back(s->q, s->momentum));
    const sn_v4 cross = sn_v4_cross(s->momentum, omega);
    double given[3], size, along;
    for (int k = 0; k < 3; k++) slope[k] = (double)cross[k], given[k] = (double)s->given[k];
    size = dot(given, given);
    along = size > 0 ? dot(slope, given) / size : 0;
    for (int k = 0; k < 3; k++) slope[k] -= along * given[k];
}

static bool is_same(sn_v4 a, sn_v4 b) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

TEST(energy_is_that_of_the_angular_momentum) {
    for (int i = 0; i < 50; i++) {
        const sn_rigid_struck s = draw_struck();
        const double energy = (double)sn_rigid_spin_energy(s.q, s.w, s.momentum);
        CHECK_REL(energy, energy_of(&s, s.q), TOL(1e-13, 1e-5));
    }
}

/* Somewhat more than it had is taken away by one turn, about the axis by which energy falls fastest
   without moving what contacts gave. */
TEST(a_little_more_is_turned_away) {
    for (int i = 0; i < 200; i++) {
        sn_rigid_struck s = draw_struck();
        if (i % 4 == 0) s.given = (sn_v4){0};
        const double whole = energy_of(&s, s.q), more = 0.0015;
        double turn[3], slope[3];
        s.energy = (sn_real)(whole * (1 - more));
        slope_of(&s, slope);
        /* Nearly about an axis of its own, or along what is given: there is no such turn. */
        const double steep = sqrt(dot(slope, slope)) / whole;
        if (steep < 0.3) continue;
        const sn_v4 q = sn_rigid_turn(&s);
        check_case("body %d", i);
        turn_between(s.q, q, turn);
        CHECK_NEAR(energy_of(&s, q) / whole, 1 - more, 2e-5);
        const double angle = sqrt(dot(turn, turn));
        CHECK_NEAR(dot(turn, slope) / (angle * steep * whole), 1, TOL(1e-10, 1e-4));
        CHECK_REL(angle, more / (2 * steep), 1e-2);
    }
}

/* More than a thousandth; less than it had is left, and so is what an axis stands still of, and
   what no turn changes. */
TEST(what_has_no_more_is_not_turned) {
    for (int i = 0; i < 50; i++) {
        sn_rigid_struck s = draw_struck();
        const double whole = energy_of(&s, s.q);
        double slope[3];
        slope_of(&s, slope);
        check_case("body %d", i);
        s.energy = (sn_real)(whole / 1.00097);
        CHECK(is_same(sn_rigid_turn(&s), s.q));
        s.energy = (sn_real)(1.5 * whole);
        CHECK(is_same(sn_rigid_turn(&s), s.q));
        s.energy = (sn_real)(whole / 1.00103);
        CHECK(is_same(sn_rigid_turn(&s), s.q) == !(dot(slope, slope) > 0));
        for (int k = 0; k < 3; k++) {
            sn_rigid_struck still = s;
            still.w[k] = 0;
            still.energy = 0;
            CHECK(is_same(sn_rigid_turn(&still), s.q));
        }
    }
    const sn_rigid_struck about = {
        .q = {0, 0, 0, 1}, .w = {1, 2, 3, 0}, .momentum = {0, 2, 0, 0}, .energy = 1};
    CHECK(is_same(sn_rigid_turn(&about), about.q));
}

/* At most twice by 0.25 rad, however much there is: half the tangent of half of that. */
TEST(far_turns_are_bounded) {
    double most = 0;
    for (int i = 0; i < 200; i++) {
        sn_rigid_struck s = draw_struck();
        double turn[3];
        s.given = (sn_v4){0};
        s.energy = (sn_real)(1e-6 * energy_of(&s, s.q));
        const sn_v4 q = sn_rigid_turn(&s);
        turn_between(s.q, q, turn);
        most = fmax(most, 2 * asin(fmin(sqrt(dot(turn, turn)) / 2, 1)));
    }
    CHECK_NEAR(most, 0.5, 5e-3);
}

/* Of what turns of up to half a rad put in nine tenths are taken away, and nothing is added. */
TEST(what_turns_gave_is_taken_away) {
    double left = 0, all = 0;
    for (int i = 0; i < 200; i++) {
        sn_rigid_struck s = draw_struck();
        const sn_v4 by = draw_vector();
        const double had = energy_of(&s, s.q);
        s.given = (sn_v4){0};
        s.energy = (sn_real)had;
        s.q = sn_quat_turn(s.q, SN_R(0.3) * by);
        const double more = energy_of(&s, s.q) - had;
        if (!(more > 0)) continue;
        const double rest = energy_of(&s, sn_rigid_turn(&s)) - had;
        check_case("body %d", i);
        CHECK(rest <= more);
        left += fabs(rest);
        all += more;
    }
    CHECK_NEAR(left / all, 0, 0.1);
}

TESTS(RUN(energy_is_that_of_the_angular_momentum), RUN(a_little_more_is_turned_away),
      RUN(what_has_no_more_is_not_turned), RUN(far_turns_are_bounded),
      RUN(what_turns_gave_is_taken_away))
