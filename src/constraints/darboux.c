/*
 * Bending and twist of a rod with ghost points, by the Darboux vector.
 *
 *   frame of a segment  d_3 = e / |e|,   d_1 = f_across / |f_across|,   d_2 = d_3 x d_1
 *                       e = x_1 - x_0,   f = g - (x_0 + x_1) / 2,   f_across = f - (f . d_3) d_3
 *   C = v - s v_rest,   4 w^2 = 1 + sum_m d_m . d'_m,   4 w v_k = d_j . d'_i - d_i . d'_j
 *
 * for even (i, j, k), where d are the axes of the first segment and d' of the second: w and v are
 * the quaternion between them, sin(t / 2) times its axis, and s is the sign that makes the way to
 * that at rest the shorter one. By rotation vectors of the frames, in them,
 *
 *   2 dv = (w I + [v]x) phi' - (w I - [v]x) phi
 *   phi  = (-d_2 . de / |e|,   d_1 . de / |e|,   d_2 . df / |f_across| - a d_2 . de / |e|)
 *
 * with a = f . d_3 / |f_across|. Umetani, Schmidt and Stam 2014 have v / w, the tangent, which is
 * the same for small angles and has no bound: what is far from its rest would be thrown. The
 * compliance of a row is that of a beam, l / (4 B), as in bend_twist.c.
 */
#define SN_TYPE darboux
#define SN_NODES 5
#define SN_POINTS 5
#define SN_MOVED 5
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 3
#define SN_OWN 5 /* rest rotation: x, y, z, w; m, the most that a node is moved */
#define SN_MOST_MOVE 4
#include "constraints/block.h"

/* As in ghost_point.c. */
#define TINY SN_R(1e-24)
/* 4 w^2, and a. */
#define LEAST_TRACE SN_R(1e-4)
#define MOST_SLANT SN_R(100.0)

typedef struct segment_frame {
    sn_lane3 d[3];
    sn_lane per_length, per_width, slant;
} segment_frame;

SN_INLINE segment_frame frame_of(sn_lane3 from, sn_lane3 to, sn_lane3 ghost) {
    segment_frame s;
    sn_lane3 e = sn_lane3_sub(to, from);
    sn_lane3 f =
        sn_lane3_sub(ghost, sn_lane3_scale(sn_lane_all(SN_R(0.5)), sn_lane3_add(from, to)));
    s.per_length = 1 / sn_lane_sqrt(sn_lane3_dot(e, e) + TINY);
    s.d[2] = sn_lane3_scale(s.per_length, e);
    sn_lane along = sn_lane3_dot(f, s.d[2]);
    sn_lane3 across = sn_lane3_sub(f, sn_lane3_scale(along, s.d[2]));
    s.per_width = 1 / sn_lane_sqrt(sn_lane3_dot(across, across) + TINY);
    s.d[0] = sn_lane3_scale(s.per_width, across);
    s.d[1] = sn_lane3_cross(s.d[2], s.d[0]);
    s.slant = sn_lane_min(sn_lane_max(along * s.per_width, sn_lane_all(-MOST_SLANT)),
                          sn_lane_all(MOST_SLANT));
    return s;
}

/* What a row that turns with `by`, in the frame, adds to its three points. */
SN_INLINE void add_turn(const segment_frame *s, sn_lane3 by, sn_lane3 *from, sn_lane3 *to,
                        sn_lane3 *ghost) {
    sn_lane sideways = -(by.x + by.z * s->slant);
    sn_lane3 e = sn_lane3_scale(s->per_length, sn_lane3_add(sn_lane3_scale(sideways, s->d[1]),
                                                            sn_lane3_scale(by.y, s->d[0])));
    sn_lane3 f = sn_lane3_scale(by.z * s->per_width, s->d[1]);
    sn_lane3 middle = sn_lane3_scale(sn_lane_all(SN_R(0.5)), f);
    *from = sn_lane3_sub(*from, sn_lane3_add(e, middle));
    *to = sn_lane3_add(*to, sn_lane3_sub(e, middle));
    *ghost = f;
}

/* The quaternion between both frames. */
SN_INLINE sn_lane4 turn_between(const segment_frame *a, const segment_frame *b) {
    const sn_lane3 *d = a->d, *o = b->d;
    sn_lane trace =
        1 + (sn_lane3_dot(d[0], o[0]) + (sn_lane3_dot(d[1], o[1]) + sn_lane3_dot(d[2], o[2])));
    sn_lane twice = sn_lane_sqrt(sn_lane_max(trace, sn_lane_all(LEAST_TRACE))), part = 1 / twice;
    sn_lane half = sn_lane_all(SN_R(0.5));
    sn_lane3 axial = {sn_lane3_dot(d[2], o[1]) - sn_lane3_dot(d[1], o[2]),
                      sn_lane3_dot(d[0], o[2]) - sn_lane3_dot(d[2], o[0]),
                      sn_lane3_dot(d[1], o[0]) - sn_lane3_dot(d[0], o[1])};
    return (sn_lane4){sn_lane3_scale(half * part, axial), half * twice};
}

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)q, (void)t;
    segment_frame a = frame_of(x[0], x[1], x[3]), b = frame_of(x[1], x[2], x[4]);
    sn_lane4 turn = turn_between(&a, &b);
    sn_lane half = sn_lane_all(SN_R(0.5)), zero = sn_lane_all(0);
    sn_lane3 rest = {sn_lane_load(own), sn_lane_load(own + SN_BLOCK),
                     sn_lane_load(own + 2 * SN_BLOCK)};
    sn_lane along = sn_lane3_dot(turn.v, rest) + turn.w * sn_lane_load(own + 3 * SN_BLOCK);
    sn_lane sign = sn_lane_if_less(along, zero, sn_lane_all(-1), sn_lane_all(1));
    value[0] = turn.v.x - sign * rest.x;
    value[1] = turn.v.y - sign * rest.y;
    value[2] = turn.v.z - sign * rest.z;
    /* Rows of w I + [v]x for the second frame, and of -(w I - [v]x) for the first, halved. */
    sn_lane w = half * turn.w;
    sn_lane3 v = sn_lane3_scale(half, turn.v);
    const sn_lane3 second[SN_ROWS] = {{w, -v.z, v.y}, {v.z, w, -v.x}, {-v.y, v.x, w}};
    const sn_lane3 first[SN_ROWS] = {{-w, -v.z, v.y}, {v.z, -w, -v.x}, {-v.y, v.x, -w}};
    for (int i = 0; i < SN_ROWS; i++) {
        g[i][0] = g[i][1] = g[i][2] = (sn_lane3){zero, zero, zero};
        add_turn(&a, first[i], &g[i][0], &g[i][1], &g[i][3]);
        add_turn(&b, second[i], &g[i][1], &g[i][2], &g[i][4]);
    }
}

#include "constraints/block.inl"

#if SN_LANES == 1

#include "constraints/rest_turn.h"

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_real length = parameter[REST_LENGTH], *darboux = parameter + DARBOUX;
    SN_TRY(check_length("darboux", parameter));
    sn_lane3 x[SN_POINTS];
    for (int n = 0; n < SN_POINTS; n++) x[n] = (sn_lane3){from->x[n].x, from->x[n].y, from->x[n].z};
    segment_frame a = frame_of(x[0], x[1], x[3]), b = frame_of(x[1], x[2], x[4]);
    for (int i = 0; i < 2; i++) {
        const segment_frame *s = i == 0 ? &a : &b;
        if (s->per_length < SN_R(1e11) && s->per_width < SN_R(1e11)) continue;
        return sn_fail(SN_ERROR_DEGENERATE,
                       "darboux: the ghost point node %d is on its segment, or that has no length; "
                       "expected it beside one",
                       3 + i);
    }
    if (measures_turn(parameter)) {
        sn_lane3 v = turn_between(&a, &b).v;
        /* Near half a turn it is longer than 1 by rounding. */
        sn_real size = sn_lane3_dot(v, v);
        if (size > 1) v = sn_lane3_scale(1 / SN_ROOT(size), v);
        darboux[0] = 2 * v.x / length;
        darboux[1] = 2 * v.y / length;
        darboux[2] = 2 * v.z / length;
    }
    return check_turn("darboux", "rest_darboux", darboux, length);
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real own[SN_OWN], half = from->parameter[REST_LENGTH] / 2;
    derive_turn(from->parameter + DARBOUX, from->parameter[REST_LENGTH], own);
    /* Near half a turn little is linear, and nothing holds lengths here: nodes would be thrown. */
    own[SN_MOST_MOVE] = half > 0 ? half : 1;
    derive_block(from, compliance, own, coefficient);
    return 1;
}

SN_DEFINE_TYPE(darboux, SN_DARBOUX_FIELDS,
               "bending and twist between two segments of a rod with ghost points",
               .compliant = true, .compliance = compliance, .scale_length = scale_length)

#endif
