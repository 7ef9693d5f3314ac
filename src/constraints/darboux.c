/*
 * Bending and twist of a rod with ghost points, by the Darboux vector.
 *
 *   frame of a segment  d_3 = e / |e|,   d_1 = f_across / |f_across|,   d_2 = d_3 x d_1
 *                       e = x_1 - x_0,   f = g - (x_0 + x_1) / 2,   f_across = f - (f . d_3) d_3
 *   C = c - c_rest,     c_k = (d_j . d'_i - d_i . d'_j) / (1 + sum_m d_m . d'_m),   (i, j, k) even
 *
 * where d are the axes of the first segment and d' of the second: c is tan(t / 2) times the axis of
 * the rotation between them. By rotation vectors of the frames, in them,
 *
 *   2 dc = (I + [c]x + c c^T) phi' - (I - [c]x + c c^T) phi
 *   phi  = (-d_2 . de / |e|,   d_1 . de / |e|,   d_2 . df / |f_across| - s d_2 . de / |e|)
 *
 * with s = f . d_3 / |f_across|. Umetani, Schmidt and Stam 2014; the compliance of a row is that of
 * a beam, l / (4 B), as in bend_twist.c. Half a turn between two segments has no Darboux vector:
 * where cos(t / 2) is below 0.05, c grows no further.
 */
#define SN_TYPE darboux
#define SN_NODES 5
#define SN_POINTS 5
#define SN_MOVED 5
#define SN_FRAMES 0
#define SN_TURNED 0
#define SN_ROWS 3
#define SN_OWN 3 /* c at rest */
#include "constraints/block.h"

/* As in ghost_point.c. */
#define TINY SN_R(1e-24)
/* 4 cos(t / 2)^2, and s. */
#define LEAST_TRACE SN_R(0.01)
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

/* c of both frames. */
SN_INLINE sn_lane3 turn_between(const segment_frame *a, const segment_frame *b) {
    const sn_lane3 *d = a->d, *o = b->d;
    sn_lane trace =
        1 + (sn_lane3_dot(d[0], o[0]) + (sn_lane3_dot(d[1], o[1]) + sn_lane3_dot(d[2], o[2])));
    sn_lane part = 1 / sn_lane_max(trace, sn_lane_all(LEAST_TRACE));
    return (sn_lane3){part * (sn_lane3_dot(d[2], o[1]) - sn_lane3_dot(d[1], o[2])),
                      part * (sn_lane3_dot(d[0], o[2]) - sn_lane3_dot(d[2], o[0])),
                      part * (sn_lane3_dot(d[1], o[0]) - sn_lane3_dot(d[0], o[1]))};
}

SN_INLINE void formula(const sn_lane3 *x, const sn_lane4 *q, const sn_real *own, sn_lane *value,
                       sn_lane3 (*g)[SN_POINTS], sn_lane3 (*t)[1]) {
    (void)q, (void)t;
    segment_frame a = frame_of(x[0], x[1], x[3]), b = frame_of(x[1], x[2], x[4]);
    sn_lane3 c = turn_between(&a, &b);
    sn_lane half = sn_lane_all(SN_R(0.5)), zero = sn_lane_all(0);
    value[0] = c.x - sn_lane_load(own);
    value[1] = c.y - sn_lane_load(own + SN_BLOCK);
    value[2] = c.z - sn_lane_load(own + 2 * SN_BLOCK);
    /* Rows of I + c c^T and of [c]x, halved: their sum for the second frame, and their difference
       with the sign turned for the first. */
    sn_lane3 h = sn_lane3_scale(half, c);
    const sn_lane3 even[SN_ROWS] = {{half + h.x * c.x, h.x * c.y, h.x * c.z},
                                    {h.y * c.x, half + h.y * c.y, h.y * c.z},
                                    {h.z * c.x, h.z * c.y, half + h.z * c.z}};
    const sn_lane3 odd[SN_ROWS] = {{zero, -h.z, h.y}, {h.z, zero, -h.x}, {-h.y, h.x, zero}};
    for (int i = 0; i < SN_ROWS; i++) {
        g[i][0] = g[i][1] = g[i][2] = (sn_lane3){zero, zero, zero};
        add_turn(&a, sn_lane3_sub(odd[i], even[i]), &g[i][0], &g[i][1], &g[i][3]);
        add_turn(&b, sn_lane3_add(odd[i], even[i]), &g[i][1], &g[i][2], &g[i][4]);
    }
}

#include "constraints/block.inl"

#if SN_LANES == 1

enum {
    REST_LENGTH = SN_COMMON_PARAMETERS,
    STIFFNESS, /* about x, about y, twist */
    DARBOUX = STIFFNESS + 3
};

static sn_result prepare(const sn_preparation *from, sn_real *parameter) {
    sn_real length = parameter[REST_LENGTH], *darboux = parameter + DARBOUX;
    if (!(length > 0))
        return sn_fail(SN_ERROR_DEGENERATE, "darboux: rest_length is 0, expected above 0 m");
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
    if (darboux[0] == SN_AUTO || darboux[1] == SN_AUTO || darboux[2] == SN_AUTO) {
        sn_lane3 c = turn_between(&a, &b);
        darboux[0] = 2 * c.x / length;
        darboux[1] = 2 * c.y / length;
        darboux[2] = 2 * c.z / length;
    }
    return SN_OK;
}

static double compliance(const sn_real *parameter, int row) {
    sn_real stiffness = parameter[STIFFNESS + row];
    double own = 0;
    if (stiffness != SN_AUTO) own = (double)parameter[REST_LENGTH] / (4 * (double)stiffness);
    return own + (double)parameter[SN_PARAMETER_COMPLIANCE];
}

static sn_real derive(const sn_derivation *from, sn_real *coefficient) {
    sn_real own[SN_OWN], half = from->parameter[REST_LENGTH] / 2;
    for (int i = 0; i < 3; i++) own[i] = half * from->parameter[DARBOUX + i];
    derive_block(from, compliance, own, coefficient);
    return 1;
}

/* Its rotation at rest stays, and so do E I and G J. */
static void scale_length(sn_real *parameter, double ratio) {
    parameter[REST_LENGTH] = (sn_real)((double)parameter[REST_LENGTH] * ratio);
    for (int i = 0; i < 3; i++)
        parameter[DARBOUX + i] = (sn_real)((double)parameter[DARBOUX + i] / ratio);
    parameter[SN_PARAMETER_DAMPING] = (sn_real)((double)parameter[SN_PARAMETER_DAMPING] / ratio);
}

SN_DEFINE_TYPE(darboux, SN_DARBOUX_FIELDS,
               "bending and twist between two segments of a rod with ghost points",
               .compliant = true, .compliance = compliance, .scale_length = scale_length)

#endif
