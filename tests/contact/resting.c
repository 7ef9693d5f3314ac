/*
 * Every shape on every other in a pose in which it can lie: on what stands, on what a node holds,
 * and on what lies on a floor itself. It stays there: it neither drifts nor turns, hovers or sinks.
 */
#include "rigid_worlds.h"

#include <math.h>

typedef enum kind {
    BALL,
    CAPSULE,
    BOX,
    CYLINDER,
    HULL,
    COMPOUND,
    MESH,
    FIELD,
    HEIGHTS,
    PLANE,
    KINDS
} kind;

static const char *const names[KINDS] = {"ball",     "capsule", "box",   "cylinder", "hull",
                                         "compound", "mesh",    "field", "heights",  "plane"};

/* How what is below is held. */
typedef enum holding { STANDS, FIXED, FREE, HOLDINGS } holding;

static const char *const ways[HOLDINGS] = {"that stands", "that is fixed", "on a floor"};

static bool is_round(kind which) {
    return which == BALL || which == CAPSULE;
}

typedef struct shape {
    sn_mesh mesh;
    sn_vec3 corner[8];
    sn_collider_part part[2];
    sn_real height[9];
    sn_collider_def def;
} shape;

static void make_mesh(shape *s, sn_vec3 half) {
    sn_box_def box = sn_box_def_default();
    s->mesh = sn_mesh_default();
    box.extent = vector(2 * (double)half.x, 2 * (double)half.y, 2 * (double)half.z);
    box.cells[0] = box.cells[1] = box.cells[2] = 3;
    REQUIRE_OK(sn_generate_box(&s->mesh, &box));
    s->def.geometry.vertices = s->mesh.positions;
    s->def.geometry.vertex_count = s->mesh.vertex_count;
    s->def.geometry.triangles = (const uint32_t(*)[3])s->mesh.triangles;
    s->def.geometry.triangle_count = s->mesh.triangle_count;
}

static void make_parts(shape *s, sn_vec3 half) {
    for (int k = 0; k < 2; k++) {
        s->part[k] = sn_collider_part_default();
        s->part[k].shape = SN_SHAPE_BOX;
        s->part[k].radius = 0;
        s->part[k].extent = half;
        s->part[k].extent.x /= 2;
        s->part[k].position.x = (k ? 1 : -1) * half.x / 2;
    }
    s->def.parts = s->part;
    s->def.part_count = 2;
}

/* From half.y below its origin to half.y above. */
static void make_shape(shape *s, kind which, sn_vec3 half, double y) {
    static const sn_shape shapes[KINDS] = {
        SN_SHAPE_SPHERE,   SN_SHAPE_CAPSULE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER, SN_SHAPE_HULL,
        SN_SHAPE_COMPOUND, SN_SHAPE_MESH,    SN_SHAPE_SDF, SN_SHAPE_HEIGHTS,  SN_SHAPE_PLANE};
    *s = (shape){.def = sn_collider_def_default()};
    s->def.shape = shapes[which];
    s->def.radius = 0;
    s->def.static_friction = s->def.dynamic_friction = (sn_real)0.5;
    s->def.extent = half;
    s->def.position = vector(0, y, 0);
    if (is_round(which)) s->def.radius = half.y;
    if (which == CYLINDER) s->def.radius = half.z;
    if (which == CAPSULE) {
        const sn_real part = (sn_real)sqrt(0.5);
        s->def.extent.y = half.x;
        s->def.orientation = (sn_quat){0, 0, part, part};
    }
    for (int k = 0; k < 8; k++)
        s->corner[k] =
            (sn_vec3){k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z};
    s->def.geometry.vertices = s->corner;
    s->def.geometry.vertex_count = 8;
    if (which == MESH || which == FIELD) make_mesh(s, half);
    if (which == COMPOUND) make_parts(s, half);
    for (int k = 0; k < 9; k++) s->height[k] = half.y;
    s->def.geometry.heights = s->height;
    s->def.geometry.points[0] = s->def.geometry.points[1] = 3;
    if (which == PLANE) s->def.position.y += half.y;
}

static void add_below(sn_world *world, kind which, holding how, sn_vec3 half) {
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def floor_ = sn_collider_def_default();
    sn_collider made;
    sn_node node;
    shape s;
    make_shape(&s, which, half, (double)half.y);
    if (how == STANDS) REQUIRE_OK(sn_collider_create(world, &s.def, &made));
    if (how != STANDS) REQUIRE_OK(sn_rigid_create(world, &rigid, &s.def, &node, &made));
    if (how == FIXED) {
        REQUIRE_OK(sn_node_set_inverse_mass(world, node, 0));
        REQUIRE_OK(sn_node_set_inverse_inertia(world, node, vector(0, 0, 0)));
    }
    sn_mesh_free(&s.mesh);
    floor_.radius = 0;
    if (how == FREE) REQUIRE_OK(sn_collider_create(world, &floor_, &made));
}

/* Boards lie on what is round, as what is higher falls off, and nothing round does. */
static bool may_lie(kind above, kind below, holding how) {
    if (how != STANDS && below >= HEIGHTS) return false;
    if (!is_round(below)) return true;
    return !is_round(above) && how != FREE;
}

/* With its middle so high, and so far aside, it stays there for so many frames. */
static void check_rest(sn_world *world, kind above, sn_vec3 half, double aside, double high,
                       int frames) {
    sn_rigid_def rigid = sn_rigid_def_default();
    sn_collider_def at;
    sn_collider own;
    sn_node node;
    shape s;
    double low = high, top = high;
    make_shape(&s, above, half, high);
    s.def.position.x = (sn_real)aside;
    const sn_quat q = s.def.orientation;
    REQUIRE_OK(sn_rigid_create(world, &rigid, &s.def, &node, &own));
    sn_mesh_free(&s.mesh);
    for (int f = 0; f < frames; f++) {
        REQUIRE_OK(sn_world_step(world, FRAME));
        REQUIRE_OK(sn_collider_get(world, own, &at));
        low = fmin(low, (double)at.position.y);
        top = fmax(top, (double)at.position.y);
    }
    CHECK_NEAR(low, high, 5e-4);
    CHECK_NEAR(top, high, 5e-4);
    CHECK_NEAR((double)at.position.x, aside, 1e-3);
    CHECK_NEAR((double)at.position.z, 0, 1e-3);
    CHECK_NEAR((double)at.velocity.y, 0, 2e-3);
    const sn_quat r = at.orientation;
    CHECK_NEAR(fabs((double)(q.x * r.x + q.y * r.y + q.z * r.z + q.w * r.w)), 1, 1e-5);
}

static void check_pair(kind above, kind below, holding how, int frames) {
    const double half = is_round(below) ? 0.03 : 0.1;
    sn_world *world = make_world(1, 9.81, 20);
    add_below(world, below, how, vector(0.5, 0.1, 0.4));
    check_case("%s on %s %s", names[above], names[below], ways[how]);
    check_rest(world, above, vector(0.15, half, 0.12), 0, 0.2 + half, frames);
    sn_world_destroy(world);
}

/* The short form has one of four. */
TEST(what_lies_stays_where_it_is) {
    for (int how = STANDS; how < HOLDINGS; how++)
        for (int below = 0; below < KINDS; below++)
            for (int above = 0; above <= FIELD; above++)
                if (may_lie((kind)above, (kind)below, (holding)how) &&
                    (check_long() || (how + below + above) % 4 == 0))
                    check_pair((kind)above, (kind)below, (holding)how, check_long() ? 300 : 120);
}

/* What is long touches what is short by no point of its own. */
TEST(what_is_long_lies_on_what_is_short) {
    for (int how = STANDS; how < HOLDINGS; how++)
        for (int below = BOX; below <= FIELD; below++)
            for (int above = CAPSULE; above <= COMPOUND; above++) {
                if (above == CYLINDER || !(check_long() || (how + below + above) % 3 == 0))
                    continue;
                sn_world *world = make_world(1, 9.81, 20);
                add_below(world, (kind)below, (holding)how, vector(0.1, 0.1, 0.15));
                check_case("long %s on %s %s", names[above], names[below], ways[how]);
                check_rest(world, (kind)above, vector(0.5, 0.05, 0.1), 0.06, 0.25, 120);
                sn_world_destroy(world);
            }
}

TESTS(RUN(what_lies_stays_where_it_is), RUN(what_is_long_lies_on_what_is_short))
