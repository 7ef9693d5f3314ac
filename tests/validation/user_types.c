#include "user_types.h"

#include <math.h>

#ifdef SN_DOUBLE
#define ROOT(a) sqrt(a)
#define LEAST_SQUARE 1e-30
#define LEAST_AREA2 1e-37
#else
#define ROOT(a) sqrtf(a)
#define LEAST_SQUARE 1e-30f
#define LEAST_AREA2 1e-37f
#endif

typedef struct vec3 {
    sn_real x, y, z;
} vec3;

/* ---- Between rows and vectors ---- */

static vec3 get(const sn_real (*x)[3][SN_USER_LANES], int k, size_t i) {
    return (vec3){x[k][0][i], x[k][1][i], x[k][2][i]};
}

static void put(sn_real (*to)[3][SN_USER_LANES], int k, size_t i, vec3 a) {
    to[k][0][i] = a.x;
    to[k][1][i] = a.y;
    to[k][2][i] = a.z;
}

static vec3 scale(sn_real s, vec3 a) {
    return (vec3){s * a.x, s * a.y, s * a.z};
}

static vec3 add(vec3 a, vec3 b) {
    return (vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static sn_real dot(vec3 a, vec3 b) {
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static vec3 cross(vec3 a, vec3 b) {
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* The axes of an oriented node: the columns of its rotation matrix. */
static void axes_of(const sn_user_batch *b, int k, size_t i, vec3 axis[3]) {
    sn_real x = b->q[k][0][i], y = b->q[k][1][i], z = b->q[k][2][i], w = b->q[k][3][i];
    axis[0] = (vec3){1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    axis[1] = (vec3){2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    axis[2] = (vec3){2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
}

/* ---- Types of the library ---- */

static void distance(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        vec3 edge = get(b->x, 1, i);
        sn_real length = ROOT(dot(edge, edge) + LEAST_SQUARE);
        b->value[0][i] = length - b->parameter[0][i];
        if (!b->gradient) continue;
        put(b->gradient, 0, i, (vec3){-edge.x, -edge.y, -edge.z});
        put(b->gradient, 1, i, edge);
        b->scale[i] = 1 / length;
    }
}

static void tet_volume(void *user, const sn_user_batch *b) {
    (void)user;
    const sn_real sixth = (sn_real)1 / 6;
    for (size_t i = 0; i < b->count; i++) {
        vec3 a = scale(sixth, get(b->x, 1, i)), c = get(b->x, 2, i), d = get(b->x, 3, i);
        vec3 u1 = scale(sixth, cross(c, d)), u2 = cross(d, a), u3 = cross(a, c);
        vec3 sum = add(add(u1, u2), u3);
        b->value[0][i] = dot(get(b->x, 1, i), u1) - b->parameter[0][i];
        if (!b->gradient) continue;
        put(b->gradient, 0, i, (vec3){-sum.x, -sum.y, -sum.z});
        put(b->gradient, 1, i, u1);
        put(b->gradient, 2, i, u2);
        put(b->gradient, 3, i, u3);
    }
}

static void triangle_area(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        vec3 a = get(b->x, 1, i), c = get(b->x, 2, i), n = cross(a, c);
        sn_real half = (sn_real)0.5 * ROOT(dot(n, n) + LEAST_AREA2);
        n = scale((sn_real)0.25 / half, n);
        vec3 u1 = cross(c, n), u2 = cross(n, a), sum = add(u1, u2);
        b->value[0][i] = half - b->parameter[0][i];
        if (!b->gradient) continue;
        put(b->gradient, 0, i, (vec3){-sum.x, -sum.y, -sum.z});
        put(b->gradient, 1, i, u1);
        put(b->gradient, 2, i, u2);
    }
}

/* One axis of the frame of the world, times a factor, as the gradient of a row. */
static void put_axis(const sn_user_batch *b, int column, int row, size_t i, sn_real factor) {
    put(b->gradient, column, i,
        (vec3){row == 0 ? factor : 0, row == 1 ? factor : 0, row == 2 ? factor : 0});
}

/* Node 1, or the origin of the world, is at x_1 - x_0. */
static void attachment(void *user, const sn_user_batch *b) {
    (void)user;
    for (int r = 0; r < 3; r++) {
        for (size_t i = 0; i < b->count; i++) {
            b->value[r][i] = -(b->x[1][r][i] + b->parameter[r][i]);
            if (!b->gradient) continue;
            put_axis(b, 2 * r, r, i, 1);
            put_axis(b, 2 * r + 1, r, i, -1);
        }
    }
}

static void bending(void *user, const sn_user_batch *b) {
    (void)user;
    for (int r = 0; r < 3; r++) {
        for (size_t i = 0; i < b->count; i++) {
            sn_real sum = 0;
            for (int k = 1; k < 4; k++) sum += b->parameter[k][i] * b->x[k][r][i];
            b->value[r][i] = sum;
            for (int k = 0; b->gradient && k < 4; k++)
                put_axis(b, 4 * r + k, r, i, b->parameter[k][i]);
        }
    }
}

static void segment(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        vec3 axis[3], c;
        sn_real per_length = 1 / b->parameter[0][i], value[3];
        axes_of(b, 0, i, axis);
        for (int r = 0; r < 3; r++) {
            vec3 g = scale(per_length, axis[r]);
            value[r] = dot(g, get(b->x, 1, i));
            b->value[r][i] = value[r] - (r == 2 ? 1 : 0);
            if (!b->gradient) continue;
            put(b->gradient, 2 * r, i, (vec3){-g.x, -g.y, -g.z});
            put(b->gradient, 2 * r + 1, i, g);
        }
        if (!b->turn) continue;
        c = (vec3){value[0], value[1], value[2]};
        put(b->turn, 0, i, (vec3){0, -c.z, c.y});
        put(b->turn, 1, i, (vec3){c.z, 0, -c.x});
        put(b->turn, 2, i, (vec3){-c.y, c.x, 0});
    }
}

/* ---- Others ---- */

/* The cosine of the angle between the edges from node 0, less that at rest. */
static void hinge(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        vec3 a = get(b->x, 1, i), c = get(b->x, 2, i);
        sn_real la = ROOT(dot(a, a)), lc = ROOT(dot(c, c));
        vec3 u = scale(1 / la, a), v = scale(1 / lc, c);
        sn_real cosine = dot(u, v);
        b->value[0][i] = cosine - b->parameter[0][i];
        if (!b->gradient) continue;
        vec3 u1 = scale(1 / la, add(v, scale(-cosine, u)));
        vec3 u2 = scale(1 / lc, add(u, scale(-cosine, v)));
        put(b->gradient, 0, i, scale(-1, add(u1, u2)));
        put(b->gradient, 1, i, u1);
        put(b->gradient, 2, i, u2);
    }
}

static void level(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        b->value[0][i] = b->origin[1][i] - b->parameter[0][i];
        if (b->gradient) put(b->gradient, 0, i, (vec3){0, 1, 0});
    }
}

/* Every row is a sum over the nodes: how far the next one lies along an axis of the frame, and how
   far this one is from node 0 beyond a metre, with weights that differ from row to row. */
static void cage(void *user, const sn_user_batch *b) {
    (void)user;
    for (size_t i = 0; i < b->count; i++) {
        for (int r = 0; r < 6; r++) {
            sn_real sum = 0;
            for (int k = 0; k < 16; k++) {
                vec3 axis[3], x = get(b->x, k, i), next = get(b->x, (k + 1) % 16, i);
                axes_of(b, k, i, axis);
                sum += b->parameter[k][i] * dot(axis[r % 3], add(next, scale(-1, x)));
                sum += (sn_real)((r * k) % 5) * (dot(x, x) - 1) / 16;
            }
            b->value[r][i] = sum;
        }
    }
}

/* ---- Definitions ---- */

#define FREE(name, standard)                                                                       \
    { name, "1", -(double)SN_REAL_MAX, (double)SN_REAL_MAX, standard }
#define POSITIVE(name, unit, standard)                                                             \
    { name, unit, 0, (double)SN_REAL_MAX, standard }

static const sn_user_parameter distance_parameters[] = {POSITIVE("rest_length", "m", 0)};
static const sn_user_parameter volume_parameters[] = {FREE("rest_volume", 0)};
static const sn_user_parameter area_parameters[] = {POSITIVE("rest_area", "m^2", 0)};
static const sn_user_parameter offsets[] = {FREE("x", 0), FREE("y", 0), FREE("z", 0)};
static const sn_user_parameter coefficients[] = {FREE("c0", -1.5), FREE("c1", 2.5), FREE("c2", -2),
                                                 FREE("c3", 1)};
static const sn_user_parameter segment_parameters[] = {POSITIVE("rest_length", "m", 1)};
static const sn_user_parameter hinge_parameters[] = {{"cosine", NULL, -1, 1, 0}};
static const sn_user_parameter level_parameters[] = {FREE("level", 0)};
static const sn_user_parameter cage_parameters[] = {
    FREE("p0", 0.5),  FREE("p1", 0.25),  FREE("p2", 1),    FREE("p3", -0.5),
    FREE("p4", 0.75), FREE("p5", -1),    FREE("p6", 0.5),  FREE("p7", 1),
    FREE("p8", 0.25), FREE("p9", -0.75), FREE("p10", 1),   FREE("p11", 0.5),
    FREE("p12", -1),  FREE("p13", 0.75), FREE("p14", 0.5), FREE("p15", 0.25)};

typedef struct kind_row {
    const char *name;
    sn_user_formula *formula;
    const sn_user_parameter *parameters;
    int parameter_count, nodes, fixed_nodes, frames, rows;
    bool external, unit_gradient, numerical;
    sn_type original;
} kind_row;

#define PARAMETERS(list) list, (int)(sizeof list / sizeof *list)

static const kind_row rows[USER_KINDS] = {
    {"user_distance", distance, PARAMETERS(distance_parameters), 2, 0, 0, 1, false, true, false,
     SN_TYPE_DISTANCE},
    {"user_tet_volume", tet_volume, PARAMETERS(volume_parameters), 4, 0, 0, 1, false, false, false,
     SN_TYPE_TET_VOLUME},
    {"user_triangle_area", triangle_area, PARAMETERS(area_parameters), 3, 0, 0, 1, false, false,
     false, SN_TYPE_TRIANGLE_AREA},
    {"user_attachment", attachment, PARAMETERS(offsets), 2, 1, 0, 3, true, false, false,
     SN_TYPE_ATTACHMENT},
    {"user_bending", bending, PARAMETERS(coefficients), 4, 0, 0, 3, false, false, false,
     SN_TYPE_ISOMETRIC_BENDING},
    {"user_segment", segment, PARAMETERS(segment_parameters), 2, 0, 1, 3, false, false, false,
     SN_TYPE_STRETCH_SHEAR},
    {"user_hinge", hinge, PARAMETERS(hinge_parameters), 3, 0, 0, 1, false, false, false,
     SN_TYPE_COUNT},
    {"user_floor", level, PARAMETERS(level_parameters), 1, 0, 0, 1, true, false, false,
     SN_TYPE_COUNT},
    {"user_cage", cage, PARAMETERS(cage_parameters), 16, 0, 16, 6, false, false, true,
     SN_TYPE_COUNT},
};

sn_user_type_def user_type_def(user_kind kind) {
    const kind_row *row = &rows[kind];
    sn_user_type_def def = sn_user_type_def_default();
    def.name = row->name;
    def.nodes = row->nodes;
    def.fixed_nodes = row->fixed_nodes;
    def.frames = row->frames;
    def.rows = row->rows;
    def.external = row->external;
    def.parameters = row->parameters;
    def.parameter_count = row->parameter_count;
    def.formula = row->formula;
    def.unit_gradient = row->unit_gradient;
    def.numerical = row->numerical;
    return def;
}

sn_user_type_def user_type_def_numerical(user_kind kind) {
    sn_user_type_def def = user_type_def(kind);
    def.unit_gradient = false;
    def.numerical = true;
    return def;
}

sn_type user_kind_original(user_kind kind) {
    return rows[kind].original;
}
