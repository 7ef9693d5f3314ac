/*
 * The rotational half of time integration, for oriented nodes.
 *
 * What a frame keeps in free flight is its angular momentum L in the world; omega, in the frame,
 * follows from L and the orientation. So L is what is integrated, with what constraints turned the
 * frame by, phi, and torques, by the formulas of bdf1.c and bdf2.c (I phi is the angular momentum
 * that they gave, times h: where turns are large, it is that which is kept, state/frames.h):
 *
 *            L predicted            rotation predicted                         L at the end
 *   BDF1     L + h torque           free, with L + h torque                    + I phi / h
 *   BDF2     L + c/3 + 2/3 h torque free, with L + 2/9 c + 4/9 h torque, -s/3  + 3/2 I phi / h
 *
 * c is the change of L in the substep, s = h omega - (the turn of the substep) as far as torques
 * make it: 0 after BDF1, s' = (s + h I^-1 c) / 3 after BDF2. Both stay in the world, s as the
 * angular momentum I s: what a bar is ahead about itself, where it has hardly any inertia, is much
 * of a turn, and as such it was about an axis across the bar in the next substep, which gave
 * energy, on a hinge many times over. Whenever the frame turns otherwise
 * than freely, L stays in the world, and so turns back in the frame: to leave it in the frame would
 * be an error of first order in omega h, and a top would fall over.
 *
 * The free rotation itself is a product of exact ones. With b the inverse inertia of one axis,
 *
 *   energy = b |L|^2 / 2  +  (w_z - b) L_z^2 / 2  +  (w_y - b) L_y^2 / 2       b = w_x
 *
 * the first part turns the frame about L, by h b L; the second about z, by h (w_z - b) L_z, and
 * commutes with the first; the third about y, half before and half after (a splitting as in
 * Dullweber, Leimkuhler and McLachlan 1997). The axes are renamed so that the third part is the
 * smallest: a symmetric body turns exactly, any other to second order, and |L| stays.
 *
 * A frame with an axis that nothing turns is one of equal inertias here: it keeps its omega.
 *
 * Velocities are not taken from the difference of two quaternions, whose rounding, divided by a
 * short h, would shake them: the constraints add up what they turn, and omega is only ever added
 * to, so that a frame that none of them turns keeps it.
 */
#include "math/lanes.h"
#include "step/step.h"

#include "math/angle.h"
#include "math/quaternion.h"
#include "math/spin_energy.h"

#define SN_JOIN2_(a, b) a##b
#define SN_JOIN2(a, b) SN_JOIN2_(a, b)
#define SN_FRAME_LOOPS(lanes) SN_JOIN2(sn_frame_loops_, lanes)

enum { FRAMES_ALONE = 1024 };

/* The most of a spin that point damping may take in a substep of BDF2 without turning it round. */
#define MOST_LOST SN_R(0.5)

/* The sine of half of 0.2 rad: of a turn that is larger, what is linear in it says little of its
   work. */
#define FAR_TURN SN_R(0.1)

/* One pass over the frames: the end of a substep, the beginning of the next, or both. */
typedef struct frame_pass {
    sn_step *step;
    bool update, predict;
} frame_pass;

/* A pass of some frames, as a function per width. */
typedef struct frame_loops {
    sn_range_function *run;
} frame_loops;

/* Frames, one per lane. */
typedef struct group {
    sn_lane4 q;
    sn_lane3 omega, w, inertia;
} group;

SN_INLINE sn_lane3 times(sn_lane3 a, sn_lane3 b) {
    return (sn_lane3){a.x * b.x, a.y * b.y, a.z * b.z};
}
/* a + s b */
SN_INLINE sn_lane3 plus(sn_lane3 a, sn_lane s, sn_lane3 b) {
    return (sn_lane3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
SN_INLINE sn_lane magnitude(sn_lane a) {
    return sn_lane_max(a, -a);
}
SN_INLINE sn_lane least_of(sn_lane3 a) {
    return sn_lane_min(sn_lane_min(a.x, a.y), a.z);
}
/* There is no minus zero in a sum with zero, so a turn that was left out is one by zero. */
SN_INLINE sn_lane4 sum_of(sn_lane4 a, sn_lane4 b) {
    return (sn_lane4){sn_lane3_add(a.v, b.v), a.w + b.w};
}
/* Between the frame, whose axes these are, and the world. */
SN_INLINE sn_lane3 to_world(const sn_lane3 axis[3], sn_lane3 a) {
    return plus(plus(sn_lane3_scale(a.x, axis[0]), a.y, axis[1]), a.z, axis[2]);
}
SN_INLINE sn_lane3 to_frame(const sn_lane3 axis[3], sn_lane3 a) {
    return (sn_lane3){sn_lane3_dot(axis[0], a), sn_lane3_dot(axis[1], a), sn_lane3_dot(axis[2], a)};
}

/* Reads those of all lanes from i on; beyond `end` they repeat the last one. */
SN_INLINE void take(const sn_vec4 *all, size_t i, size_t end, sn_v4 out[SN_LANES]) {
    for (size_t k = 0; k < SN_LANES; k++)
        out[k] = *(const sn_v4 *)&all[i + SN_LANES <= end || i + k < end ? i + k : end - 1];
}
SN_INLINE sn_lane3 take3(const sn_vec4 *all, size_t i, size_t end) {
    sn_v4 some[SN_LANES];
    take(all, i, end, some);
    return sn_lane3_from_nodes(some);
}
SN_INLINE sn_lane4 take4(const sn_vec4 *all, size_t i, size_t end) {
    sn_v4 some[SN_LANES];
    take(all, i, end, some);
    return sn_lane4_from_nodes(some);
}

/* Those of the lanes from i on that are before `end`, and with `awake` do not sleep, as bits. */
enum { ALL_LANES = (1 << SN_LANES) - 1 };
static unsigned who_is_there(const sn_world *world, size_t i, size_t end, bool awake) {
    unsigned who = 0;
    for (size_t k = 0; k < SN_LANES && i + k < end; k++)
        if (!awake || !sn_frame_is_asleep(world, i + k)) who |= 1u << k;
    return who;
}
SN_INLINE void put(sn_vec4 *all, size_t i, unsigned who, const sn_v4 some[SN_LANES]) {
    for (size_t k = 0; k < SN_LANES; k++)
        if (who == ALL_LANES || who >> k & 1) *(sn_v4 *)&all[i + k] = some[k];
}

/* ---- Free rotation ---- */

/* Calls y, z, x by the names x, y, z where `shift` is 1, and z, x, y where it is 2. */
SN_INLINE sn_lane3 renamed(sn_lane3 a, sn_lane shift) {
    sn_lane3 once = {a.y, a.z, a.x}, twice = {a.z, a.x, a.y};
    once = sn_lane3_if_less(shift, sn_lane_all(SN_R(1.5)), once, twice);
    return sn_lane3_if_less(shift, sn_lane_all(SN_R(0.5)), a, once);
}

/* The shift that makes x and y the axes that differ least. */
SN_INLINE sn_lane find_shift(sn_lane3 w) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), two = sn_lane_all(2);
    sn_lane xy = magnitude(w.x - w.y), yz = magnitude(w.y - w.z), zx = magnitude(w.z - w.x);
    return sn_lane_if_less(yz, xy, sn_lane_if_less(zx, yz, two, one),
                           sn_lane_if_less(zx, xy, two, zero));
}

/* Where a frame turns by more than this in a substep, no direction of it means anything, and a
   product of tangents must stay a number: the square of an angle, and the tangent of half of it. */
#define MOST_SQUARE SN_R(8.0)
#define MOST_TANGENT SN_R(8.0)

/* The tangent of half an angle over the angle, from its square. */
SN_INLINE sn_lane half_tangent(sn_lane square) {
    return SN_R(0.5) + square * (SN_R(1.0) / 24 + square * (SN_R(1.0) / 240));
}

/* Turns a frame about its axis c by an angle, while L stays in the world: a, b are the parts of L
   about the other two axes, and qa, qb, qc, qw a turn that is gone on with. */
SN_INLINE void turn_about(sn_lane angle, sn_lane *a, sn_lane *b, sn_lane *qa, sn_lane *qb,
                          sn_lane *qc, sn_lane *qw) {
    sn_lane most = sn_lane_all(MOST_TANGENT);
    sn_lane t = sn_lane_max(sn_lane_min(angle * half_tangent(angle * angle), most), -most);
    sn_lane g = 2 * t / (1 + t * t);
    sn_lane a_was = *a, b_was = *b, qa_was = *qa, qc_was = *qc;
    *a += g * (b_was - t * a_was);
    *b -= g * (a_was + t * b_was);
    *qa += t * *qb;
    *qb -= t * qa_was;
    *qc += t * *qw;
    *qw -= t * qc_was;
}

/* With x and y named so that they differ least. Nothing but these three has a part in it. */
SN_INLINE sn_lane4 turn_freely(sn_lane3 *omega, sn_lane3 w, sn_lane h, sn_lane *square) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1);
    sn_lane by_y = w.y / w.x, by_z = w.z / w.x, half = SN_R(0.5) * h * (by_y - 1);
    /* L in units of 1 / b. */
    sn_lane3 from = {omega->x, omega->y * (w.x / w.y), omega->z * (w.x / w.z)}, l = from;
    sn_lane4 turn = {{zero, zero, zero}, one};
    /* A turn by zero changes no bits, so it does not matter what the other lanes are. */
    bool three = sn_lane_any_less(zero, magnitude(half));
    if (three) turn_about(half * l.y, &l.z, &l.x, &turn.v.z, &turn.v.x, &turn.v.y, &turn.w);
    sn_lane3 phi = sn_lane3_scale(h, l);
    *square = sn_lane3_dot(phi, phi);
    sn_lane tangent = half_tangent(sn_lane_min(*square, sn_lane_all(MOST_SQUARE)));
    sn_lane4 about = {sn_lane3_scale(tangent, phi), one};
    turn = three ? sn_lane4_mul(turn, about) : about;
    turn_about(h * (by_z - 1) * l.z, &l.x, &l.y, &turn.v.x, &turn.v.y, &turn.v.z, &turn.w);
    if (three) turn_about(half * l.y, &l.z, &l.x, &turn.v.z, &turn.v.x, &turn.v.y, &turn.w);
    sn_lane3 next = sn_lane3_add(*omega, times((sn_lane3){one, by_y, by_z}, sn_lane3_sub(l, from)));
    /* A free rotation does no work, also where a turn is so large that the parts are not. */
    if (three) next = sn_spin_shortened(next, sn_lane3_dot(l, next), sn_lane3_dot(from, *omega));
    *omega = next;
    return turn;
}

/* The same where they do not differ: the numbers that are 1 or 0 then are left out. */
SN_INLINE sn_lane4 turn_symmetric(sn_lane3 *omega, sn_lane3 w, sn_lane h, sn_lane *square) {
    sn_lane3 from = {omega->x, omega->y, omega->z * (w.x / w.z)}, l = from;
    sn_lane3 phi = sn_lane3_scale(h, l);
    *square = sn_lane3_dot(phi, phi);
    sn_lane tangent = half_tangent(sn_lane_min(*square, sn_lane_all(MOST_SQUARE)));
    sn_lane4 turn = {sn_lane3_scale(tangent, phi), sn_lane_all(1)};
    turn_about(h * (w.z / w.x - 1) * l.z, &l.x, &l.y, &turn.v.x, &turn.v.y, &turn.v.z, &turn.w);
    *omega = (sn_lane3){omega->x + (l.x - from.x), omega->y + (l.y - from.y), omega->z + 0};
    return turn;
}

SN_INLINE void rotate_freely(group *f, sn_lane h) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), square;
    sn_lane3 w = sn_lane3_if_less(zero, least_of(f->w), f->w, (sn_lane3){one, one, one});
    sn_lane4 turn;
    if (!sn_lane_any_less(zero, magnitude(w.x - w.y))) {
        turn = turn_symmetric(&f->omega, w, h, &square);
    } else {
        sn_lane shift = find_shift(w);
        /* The rest of three shifts shifts back. */
        sn_lane back = sn_lane_if_less(zero, shift, 3 - shift, zero);
        bool any = sn_lane_any_less(zero, shift);
        if (any) f->omega = renamed(f->omega, shift);
        if (any) w = renamed(w, shift);
        turn = turn_freely(&f->omega, w, h, &square);
        if (any) f->omega = renamed(f->omega, back);
        if (any) turn.v = renamed(turn.v, back);
    }
    /* What is added is small, and is rounded as such. */
    turn.w -= 1;
    f->q = sn_lane4_unit(sum_of(f->q, sn_lane4_mul(f->q, turn)), square);
}

/* ---- What constraints, torques and damping do ---- */

/* How omega changes in a frame that has turned to q otherwise than freely: L stays in the world. */
SN_INLINE sn_lane3 left_behind(const group *f, sn_lane4 before) {
    sn_lane zero = sn_lane_all(0), one = sn_lane_all(1), least = least_of(f->w);
    sn_lane4 turned = sn_lane4_between(before, f->q);
    sn_lane3 ones = {one, one, one}, inertia = sn_lane3_if_less(zero, least, f->inertia, ones);
    sn_lane3 across = sn_lane3_cross(times(inertia, f->omega), turned.v);
    sn_lane3 change =
        sn_lane3_sub(sn_lane3_scale(turned.w, across), sn_lane3_cross(turned.v, across));
    return sn_lane3_scale(sn_lane_all(2), times(sn_lane3_if_less(zero, least, f->w, ones), change));
}

/*
 * What constraints turn far in a substep must not have more energy for it than the same L has where
 * the frame was predicted. A long body whose L stays has I_max / I_min times the energy when it is
 * turned until L is along it; what turns it by so much has done no such work, and joints that hold
 * each other turn light parts to and fro.
 */
SN_INLINE sn_lane3 without_gain_by_turn(const group *f, sn_lane4 before) {
    sn_lane4 turned = sn_lane4_between(before, f->q);
    sn_lane far = sn_lane_all(FAR_TURN * FAR_TURN), square = sn_lane3_dot(turned.v, turned.v);
    if (!sn_lane_any_less(far, square)) return f->omega;
    sn_lane3 l = times(f->inertia, f->omega), across = sn_lane3_cross(turned.v, l);
    across = sn_lane3_add(sn_lane3_scale(turned.w, across), sn_lane3_cross(turned.v, across));
    sn_lane3 then = sn_lane3_add(l, sn_lane3_scale(sn_lane_all(2), across));
    sn_lane now = sn_lane3_dot(l, f->omega), most = sn_lane3_dot(then, times(f->w, then));
    most = sn_lane_if_less(sn_lane_all(0), least_of(f->w), most, now);
    return sn_spin_shortened(f->omega, now, sn_lane_if_less(far, square, most, now));
}

/* rad/s: what the torque of the user and point damping change in a substep. */
static sn_v4 push(const sn_step *step, size_t i, sn_v4 spin, bool second) {
    const sn_world *world = step->world;
    const sn_frames *frames = &world->frames;
    double lose = (double)world->settings.damping * step->h;
    uint32_t body = world->nodes.body[frames->node[i]];
    sn_v4 w = *(sn_v4 *)&frames->w[i], torque = *(sn_v4 *)&frames->torque[i];
    if (body) lose += (double)world->bodies.def[body - 1].damping * step->h;
    lose = lose < 1 ? lose : 1;
    if (second && lose > (double)MOST_LOST) lose = (double)MOST_LOST;
    sn_v4 sum = (sn_real)step->h * w * sn_quat_rotate_back(*(sn_v4 *)&frames->q[i], torque);
    for (int k = 0; k < 3; k++)
        if (w[k] > 0) sum[k] -= (sn_real)lose * spin[k];
    return sum;
}

static sn_lane3 push_all(const sn_step *step, size_t i, size_t end, sn_lane3 spin, sn_lane second) {
    sn_v4 each[SN_LANES];
    _Alignas(16) sn_real remembers[SN_LANES];
    sn_lane3_to_nodes(spin, each);
    sn_lane_store(remembers, second);
    for (size_t k = 0; k < SN_LANES; k++)
        each[k] = push(step, i + k < end ? i + k : end - 1, each[k], remembers[k] > 0);
    return sn_lane3_from_nodes(each);
}

static bool is_second(const sn_world *world, size_t i) {
    return world->history.second[world->nodes.body[world->frames.node[i]]];
}

/* 1 where a body is with BDF2, or ends so, 0 where it is not. */
static sn_lane find_second(const sn_world *world, size_t i, size_t end, bool ends) {
    _Alignas(16) sn_real second[SN_LANES];
    for (size_t k = 0; k < SN_LANES; k++) {
        size_t at = i + k < end ? i + k : end - 1;
        bool struck = ends && world->history.struck[world->nodes.body[world->frames.node[at]]];
        second[k] = is_second(world, at) && !struck ? 1 : 0;
    }
    return sn_lane_load(second);
}

/* What BDF2 has of frames during the prediction, in the world. */
typedef struct lag {
    sn_lane second;
    sn_lane3 s;      /* kg m^2 rad, that of the substep before */
    sn_lane3 change; /* kg m^2/s, c as far as it is predicted */
    sn_lane3 rest;   /* kg m^2/s, what of it comes after the rotation */
} lag;

/* Before the free rotation: omega becomes the one that it goes by. */
static lag begin_lag(const sn_step *step, size_t i, size_t end, group *f) {
    const sn_history *history = &step->world->history;
    lag l = {.second = find_second(step->world, i, end, false)};
    f->inertia = take3(step->world->frames.inertia, i, end);
    sn_lane3 axis[3], pushed = {sn_lane_all(0), sn_lane_all(0), sn_lane_all(0)};
    sn_lane4_axes(f->q, axis);
    l.s = sn_lane3_scale(l.second, take3(history->turn_s, i, end));
    sn_lane3 c = sn_lane3_scale(l.second, take3(history->turn_change, i, end));
    c = times(f->w, to_frame(axis, c));
    if (step->twisted) pushed = push_all(step, i, end, sn_lane3_add(f->omega, c), l.second);
    /* Of c a third, and of what pushes two; a third less of both goes by rotation. */
    sn_lane of_c = l.second / 3, of_push = 1 - of_c;
    sn_lane3 all = plus(sn_lane3_scale(of_c, c), of_push, pushed);
    sn_lane3 after = sn_lane3_scale(of_c, all);
    f->omega = sn_lane3_add(f->omega, sn_lane3_sub(all, after));
    l.change = to_world(axis, times(f->inertia, all));
    l.rest = sn_lane3_scale(of_c, l.change);
    return l;
}

/* After it. */
static void end_lag(const sn_step *step, size_t i, size_t end, group *f, const lag *l) {
    const sn_history *history = &step->world->history;
    sn_lane3 axis[3];
    sn_lane4_axes(f->q, axis);
    sn_lane3 phi = sn_lane3_scale(sn_lane_all(SN_R(-1.0) / 3), times(f->w, to_frame(axis, l->s)));
    sn_lane4 before = f->q;
    f->q = sn_lane4_unit(sum_of(f->q, sn_lane4_turned(f->q, phi)), sn_lane3_dot(phi, phi));
    f->omega = sn_lane3_add(
        f->omega, sn_lane3_add(times(f->w, to_frame(axis, l->rest)), left_behind(f, before)));
    sn_lane3 s =
        sn_lane3_scale(l->second / 3, plus(l->s, sn_lane_all((sn_real)step->h), l->change));
    sn_v4 lags[SN_LANES], changes[SN_LANES];
    sn_lane3_to_nodes(s, lags);
    sn_lane3_to_nodes(l->change, changes);
    for (size_t k = i; k < i + SN_LANES && k < end; k++) {
        if (sn_frame_is_asleep(step->world, k)) continue;
        *(sn_v4 *)&history->turn_s[k] = lags[k - i];
        *(sn_v4 *)&history->turn_change[k] = changes[k - i];
    }
}

/* ---- Passes over the frames ---- */

/* rad: what constraints add to h omega with BDF2, in the frame, of frames that were turned by phi;
   and what is remembered of that. */
static sn_lane3 remember(const sn_world *world, size_t i, size_t end, const group *f, sn_lane3 phi,
                         sn_lane per_h) {
    const sn_history *history = &world->history;
    sn_lane second = find_second(world, i, end, true);
    sn_lane3 axis[3], s = take3(history->turn_s, i, end);
    sn_lane4_axes(take4(world->frames.q, i, end), axis);
    /* A substep that ends as one of BDF1 has the omega of its turn. */
    sn_lane3 more = sn_lane3_scale(1 + SN_R(0.5) * second, phi);
    more = plus(more, second - 1, times(f->w, to_frame(axis, s)));
    sn_lane3 given = to_world(axis, times(f->inertia, phi));
    s = sn_lane3_scale(second, plus(s, sn_lane_all(SN_R(0.5)), given));
    sn_lane3 c =
        plus(take3(history->turn_change, i, end), per_h, to_world(axis, times(f->inertia, more)));
    sn_v4 lags[SN_LANES], changes[SN_LANES];
    sn_lane3_to_nodes(s, lags);
    sn_lane3_to_nodes(c, changes);
    for (size_t k = i; k < i + SN_LANES && k < end; k++) {
        *(sn_v4 *)&history->turn_s[k] = lags[k - i];
        *(sn_v4 *)&history->turn_change[k] = changes[k - i];
    }
    return more;
}

/* The end of a substep; plain where constraints alone turn frames, by BDF1. */
SN_INLINE void update_group(const sn_world *world, size_t i, size_t end, group *f, sn_lane per_h,
                            const bool plain) {
    f->inertia = take3(world->frames.inertia, i, end);
    sn_lane3 phi = take3(world->frames.turn, i, end), more = phi;
    if (!plain && world->history.used) more = remember(world, i, end, f, phi, per_h);
    sn_lane4 before = take4(world->frames.predicted, i, end);
    f->omega = sn_lane3_add(f->omega, plus(left_behind(f, before), per_h, more));
    f->omega = without_gain_by_turn(f, before);
}

/* The beginning of one. */
SN_INLINE void predict_group(const sn_step *step, size_t i, size_t end, group *f, sn_lane h,
                             const bool plain) {
    bool second = !plain && step->world->history.used;
    lag l;
    if (second)
        l = begin_lag(step, i, end, f);
    else if (!plain && step->twisted)
        f->omega = sn_lane3_add(f->omega, push_all(step, i, end, f->omega, sn_lane_all(0)));
    rotate_freely(f, h);
    if (second) end_lag(step, i, end, f, &l);
}

SN_INLINE void turn_frames(const frame_pass *how, size_t begin, size_t end, const bool plain) {
    /* Copies, of which the compiler knows that writing frames does not change them. */
    const frame_pass pass = *how;
    const sn_world *world = pass.step->world;
    const sn_frames frames = world->frames;
    const bool awake = pass.predict && world->sleep.count > 0;
    sn_lane h = sn_lane_all((sn_real)pass.step->h);
    sn_lane per_h = sn_lane_all((sn_real)(1 / pass.step->h));
    sn_lane sum = sn_lane_all(0);
    sn_v4 none[SN_LANES] = {{0}};
    for (size_t i = begin; i < end; i += SN_LANES) {
        unsigned who = ALL_LANES;
        if (i + SN_LANES > end || awake) who = who_is_there(world, i, end, awake);
        if (who == 0) continue;
        sn_v4 start[SN_LANES], moved[SN_LANES];
        group f = {.omega = take3(frames.omega, i, end), .w = take3(frames.w, i, end)};
        take(frames.q, i, end, start);
        f.q = sn_lane4_from_nodes(start);
        if (pass.update) {
            update_group(world, i, end, &f, per_h, plain);
            sum +=
                ((f.omega.x + f.omega.y) + f.omega.z) + ((f.q.v.x + f.q.v.y) + (f.q.v.z + f.q.w));
        }
        if (pass.predict) {
            predict_group(pass.step, i, end, &f, h, plain);
            sn_lane4_to_nodes(f.q, moved);
            put(frames.start, i, who, start);
            put(frames.q, i, who, moved);
            put(frames.predicted, i, who, moved);
            put(frames.turn, i, who, none);
        }
        sn_lane3_to_nodes(f.omega, moved);
        put(frames.omega, i, who, moved);
    }
    _Alignas(16) sn_real each[SN_LANES];
    sn_real all = 0;
    sn_lane_store(each, sum);
    for (size_t k = 0; k < SN_LANES; k++) all += each[k];
    sn_freeze_watch(pass.step, (sn_vec4){all, 0, 0, 0});
}

static void run_range(void *context, size_t begin, size_t end) {
    const frame_pass *pass = context;
    if (pass->step->twisted || pass->step->world->history.used)
        turn_frames(pass, begin, end, false);
    else
        turn_frames(pass, begin, end, true);
}

extern const frame_loops SN_FRAME_LOOPS(SN_LANES);
const frame_loops SN_FRAME_LOOPS(SN_LANES) = {run_range};

#if SN_LANES == 1

SN_DECLARE_WIDTHS(frame_loops, sn_frame_loops_)

static const frame_loops *loops_of(sn_width width) {
    static const frame_loops *const all[] = SN_ALL_WIDTHS(sn_frame_loops_);
    return all[width];
}

/* Puts a frame on its way: this part of the rotation that is left to its target. */
static void aim_frame(sn_frames *frames, size_t i, double part, double h) {
    sn_v4 from = *(sn_v4 *)&frames->start[i];
    sn_v4 rotation = sn_quat_mul(sn_quat_conjugate(from), *(sn_v4 *)&frames->target[i]);
    if (rotation[3] < 0) rotation = -rotation;
    double x = (double)rotation[0], y = (double)rotation[1], z = (double)rotation[2], sine, cosine;
    double length = __builtin_sqrt(x * x + y * y + z * z);
    double half = part * sn_angle((double)rotation[3], length), scale = length > 0 ? 1 / length : 0;
    sn_sine_cosine(half, &sine, &cosine);
    sn_v4 axis = {(sn_real)(x * scale), (sn_real)(y * scale), (sn_real)(z * scale), 0};
    sn_v4 turn = axis * (sn_real)sine;
    turn[3] = (sn_real)cosine;
    sn_v4 *q = (sn_v4 *)&frames->q[i];
    *q = part < 1 ? sn_quat_normalize(sn_quat_mul(from, turn)) : *(sn_v4 *)&frames->target[i];
    frames->predicted[i] = frames->q[i];
    *(sn_v4 *)&frames->omega[i] = axis * (sn_real)(2 * half / h);
}

static void run(sn_step *step, bool update, bool predict) {
    frame_pass pass = {step, update, predict};
    sn_world *world = step->world;
    sn_team_run(world->bindings.team, world->frames.slots.count, FRAMES_ALONE,
                loops_of(sn_lanes_most(world))->run, &pass);
}

void sn_rotate_predict(sn_step *step) {
    sn_frames *frames = &step->world->frames;
    if (step->turned_on) return;
    run(step, false, true);
    double part = 1 / (double)(step->substeps - step->substep);
    for (size_t i = 0; step->aimed && i < frames->slots.count; i++)
        if (frames->slots.alive[i] && frames->aimed[i] == SN_AIMED)
            aim_frame(frames, i, part, step->h);
}

void sn_rotate_update(sn_step *step) {
    step->turned_on = step->turns_on && step->substep + 1 < step->substeps;
    run(step, true, step->turned_on);
}

/* Whether torques or point damping act on any frame. */
static bool is_twisted(const sn_world *world) {
    const sn_bodies *bodies = &world->bodies;
    bool damped = world->frames.has_torques || world->settings.damping > 0;
    for (size_t i = 0; i < bodies->slots.count && !damped; i++)
        damped = bodies->slots.alive[i] && bodies->def[i].damping > 0;
    return damped;
}

/* Who has arrived in the last step stands still in this one. */
void sn_rotate_begin(sn_step *step) {
    sn_frames *frames = &step->world->frames;
    step->twisted = frames->slots.count > 0 && is_twisted(step->world);
    for (size_t i = 0; i < frames->slots.count; i++) {
        step->aimed |= frames->aimed[i] == SN_AIMED;
        if (frames->aimed[i] != SN_ARRIVED) continue;
        frames->omega[i] = (sn_vec4){0, 0, 0, 0};
        frames->aimed[i] = SN_UNAIMED;
    }
}

void sn_rotate_end(sn_step *step) {
    sn_frames *frames = &step->world->frames;
    for (size_t i = 0; i < frames->slots.count; i++) {
        if (frames->aimed[i] == SN_AIMED) frames->aimed[i] = SN_ARRIVED;
        frames->torque[i] = (sn_vec4){0, 0, 0, 0};
    }
    frames->has_torques = false;
}

#endif
