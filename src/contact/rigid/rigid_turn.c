/*
 * How frames turn that contacts have struck.
 *
 * What contacts give a body in a substep, of its angular momentum, is found where the body is
 * before they turn it: the energy that it gets there is the work that they do, and where they end a
 * motion that is none. They turn it as well, so that what touches does not overlap. L stays in the
 * world then, and has another energy wherever it is turned to: a long body that is turned until L
 * is along it has I_max / I_min times as much, and spins about itself. Nothing has done such work.
 * In truth it flies on with L, where it goes energy is the same, and so is the turn to first order.
 *
 * So where it has more energy it is turned once more. The energy of L falls fastest in a turn by
 *
 *   -omega x L,   at a rate of |omega x L|^2
 *
 * and of that, what is across the angular momentum that contacts gave moves nothing against them:
 * they keep apart what they have put apart. L is what contacts made it, and is kept. Those that
 * bounce part, and are turned by all of it (rigid_restitution.c).
 */
#include "contact/rigid/rigid_turn.h"

#include "math/quaternion.h"

/* How often it is turned: nearly always once is enough, and far turns put it into others. */
enum { MOST_TURNS = 2 };

/* What is more energy than before. */
static const sn_real NOTICED = SN_R(1.001);
/* rad: the most at once. */
static const sn_real MOST_AT_ONCE = SN_R(0.25);

sn_real sn_rigid_spin_energy(sn_v4 q, sn_v4 w, sn_v4 momentum) {
    sn_v4 own = sn_quat_rotate_back(q, momentum);
    return sn_v4_dot(own, w * own);
}

/* rad: the turn by which twice the energy falls by so much, about an axis of the world that is
   across a direction. */
static sn_v4 least_turn(const sn_rigid_struck *s, sn_v4 q, sn_v4 direction, sn_real more) {
    sn_v4 omega = sn_quat_rotate(q, s->w * sn_quat_rotate_back(q, s->momentum));
    sn_v4 slope = sn_v4_cross(omega, s->momentum);
    slope -= sn_v4_dot(slope, direction) * direction;
    const sn_real square = sn_v4_dot(slope, slope);
    if (!(square > 0)) return (sn_v4){0};
    sn_real part = more / (2 * square);
    if (part * part * square > MOST_AT_ONCE * MOST_AT_ONCE) part = MOST_AT_ONCE / SN_ROOT(square);
    return -part * slope;
}

sn_v4 sn_rigid_turn(const sn_rigid_struck *s) {
    const sn_real square = sn_v4_dot(s->given, s->given);
    sn_v4 q = s->q, direction = {0};
    if (!(s->w[0] > 0 && s->w[1] > 0 && s->w[2] > 0)) return q;
    if (square > 0) direction = s->given / SN_ROOT(square);
    for (int i = 0; i < MOST_TURNS; i++) {
        const sn_real more = sn_rigid_spin_energy(q, s->w, s->momentum) - s->energy;
        if (!(more > (NOTICED - 1) * s->energy)) break;
        q = sn_quat_turn(q, sn_quat_rotate_back(q, least_turn(s, q, direction, more)));
    }
    return q;
}
