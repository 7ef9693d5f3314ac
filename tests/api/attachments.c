/*
 * Attachments: a node at a point of a triangle, of a segment, at a node, on a collider. They hang
 * as statics says, keep momentum, break at their force, and find the nearest place.
 */
#include "attachment_worlds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

enum { CELLS = 4, NODES = (CELLS + 1) * (CELLS + 1) };
static const sn_real frame = (sn_real)(1.0 / 60);
static const double g = 9.81;

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, frame));
}

static sn_constraint attach(sn_world *world, const sn_attach_def *def) {
    sn_constraint made = {0, 0, 0};
    REQUIRE_OK(sn_attach(world, def, &made));
    return made;
}

static sn_type type_of(const sn_world *world, sn_constraint constraint) {
    sn_type type = SN_TYPE_COUNT;
    REQUIRE_OK(sn_constraint_get_type(world, constraint, &type));
    return type;
}

static double force_of(const sn_world *world, sn_constraint constraint) {
    sn_real f[SN_MAX_ROWS] = {0};
    REQUIRE_OK(sn_constraint_force(world, constraint, f));
    return sqrt((double)(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]));
}

/* ---- Above a surface ---- */

/* A button above a cloth that is thrown and turns: it stays above its point, both keep momentum,
   and angular momentum as well as the cloth does alone. */
TEST(an_offset_is_kept_along_the_normal) {
    double alone = 0;
    for (int variant = -1; variant < 3; variant++) {
        sn_world *world = attachment_world(1, 20, 0);
        sn_node cloth[NODES];
        sn_build build = attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, false, cloth);
        sn_node node = attachment_node(world, 0.13, 0.05, -0.31, 2);
        sn_attach_def def = sn_attach_def_default();
        sn_measure before, after;
        check_case("variant %d", variant);
        def.node = node;
        def.surface = build.surface;
        def.offset = variant == 0 ? SN_AUTO : (sn_real)(variant == 1 ? 0.05 : -0.05);
        if (variant == 2)
            REQUIRE_OK(sn_node_set_position(world, node, (sn_vec3){0, (sn_real)-0.05, 0}));
        sn_offset_attachment_def got = sn_offset_attachment_def_default();
        if (variant < 0) {
            REQUIRE_OK(sn_node_destroy(world, node));
        } else {
            sn_constraint made = attach(world, &def);
            CHECK(type_of(world, made) == SN_TYPE_OFFSET_ATTACHMENT);
            REQUIRE_OK(sn_constraint_get(world, made, &got));
            CHECK_NEAR(got.offset, variant == 2 ? -0.05 : 0.05, 1e-6);
        }
        for (int i = 0; i < NODES; i++) {
            sn_vec3 x = attachment_at(world, cloth[i]);
            REQUIRE_OK(sn_node_set_velocity(world, cloth[i], (sn_vec3){1, 3 * x.x, 2 * x.x}));
        }
        REQUIRE_OK(sn_world_measure(world, &before));
        double off = 0;
        for (int i = 0; i < 60; i++) {
            REQUIRE_OK(sn_world_step(world, frame));
            if (variant < 0) continue;
            sn_vec3 c[3], x = attachment_at(world, node);
            for (int k = 0; k < 3; k++) c[k] = attachment_at(world, got.node[k + 1]);
            double e[3] = {(double)(c[1].x - c[0].x), (double)(c[1].y - c[0].y),
                           (double)(c[1].z - c[0].z)};
            double f[3] = {(double)(c[2].x - c[0].x), (double)(c[2].y - c[0].y),
                           (double)(c[2].z - c[0].z)};
            double n[3] = {e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2],
                           e[0] * f[1] - e[1] * f[0]};
            double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            double b[3] = {(double)got.weights.x, (double)got.weights.y, (double)got.weights.z};
            double r[3] = {(double)x.x, (double)x.y, (double)x.z};
            for (int k = 0; k < 3; k++) {
                r[0] -= b[k] * (double)c[k].x;
                r[1] -= b[k] * (double)c[k].y;
                r[2] -= b[k] * (double)c[k].z;
            }
            for (int k = 0; k < 3; k++) r[k] -= (double)got.offset * n[k] / size;
            off = fmax(off, sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]));
        }
        REQUIRE_OK(sn_world_measure(world, &after));
        double lost = 0;
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(after.momentum[k], before.momentum[k], 2e-5);
            lost += fabs(after.angular_momentum[k] - before.angular_momentum[k]);
        }
        printf("      off by %.2g m at most, angular momentum by %.2g\n", off, lost);
        CHECK(off < 1e-5);
        if (variant < 0) alone = lost;
        CHECK(lost < 1.5 * alone);
        attachment_check_snapshot(world, 5);
        sn_world_destroy(world);
    }
}

/* Weights are shares of a whole, whatever their sum. */
TEST(an_offset_is_measured_above_the_weighed_point) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_offset_attachment_def def = sn_offset_attachment_def_default();
    sn_constraint made;
    def.node[0] = attachment_node(world, 0.25, 0.3, 0.25, 1);
    def.node[1] = attachment_node(world, 0, 0.1, 0, 1);
    def.node[2] = attachment_node(world, 0, 0.1, 1, 1);
    def.node[3] = attachment_node(world, 1, 0.1, 0, 1);
    def.weights = (sn_vec3){(sn_real)0.8, (sn_real)0.4, (sn_real)0.4};
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_OFFSET_ATTACHMENT, &def, &made));
    REQUIRE_OK(sn_constraint_get(world, made, &def));
    CHECK_NEAR(def.offset, 0.2, 1e-6);
    run(world, 5);
    CHECK(attachment_distance(attachment_at(world, def.node[0]),
                              (sn_vec3){(sn_real)0.25, (sn_real)0.3, (sn_real)0.25}) < 1e-6);
    sn_world_destroy(world);
}

TEST(an_offset_needs_a_normal) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_attach_def def = sn_attach_def_default();
    sn_constraint made;
    def.node = attachment_node(world, 0, 0, 0, 1);
    def.target = attachment_node(world, 1, 0, 0, 1);
    def.offset = (sn_real)0.1;
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "is a node") != NULL);
    /* A body without a collision surface has nodes and no surface. */
    sn_body_def loose = sn_body_def_default();
    sn_node_def in_body = sn_node_def_default();
    sn_node only;
    def.target = (sn_node){0, 0, 0};
    REQUIRE_OK(sn_body_create(world, &loose, &def.body));
    in_body.body = def.body;
    REQUIRE_OK(sn_node_create(world, &in_body, &only));
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "has no surface") != NULL);
    def.body = (sn_body){0, 0, 0};
    sn_collider_def ball = sn_collider_def_default();
    def.target = (sn_node){0, 0, 0};
    REQUIRE_OK(sn_collider_create(world, &ball, &def.collider));
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    def.offset = (sn_real)NAN;
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    sn_world_destroy(world);
}

/* ---- Places ---- */

/* In a triangle that stands upright. */
TEST(automatic_weights_are_those_of_the_nearest_point) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_point_attachment_def def = sn_point_attachment_def_default();
    sn_constraint made;
    def.node[0] = attachment_node(world, 0.7, 0.2, 0.3, 1);
    def.node[1] = attachment_node(world, 0.5, 0, 0, 1);
    def.node[2] = attachment_node(world, 0.5, 1, 0, 1);
    def.node[3] = attachment_node(world, 0.5, 0, 1, 1);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_POINT_ATTACHMENT, &def, &made));
    REQUIRE_OK(sn_constraint_get(world, made, &def));
    CHECK_NEAR(def.weights.x, 0.5, 1e-6);
    CHECK_NEAR(def.weights.y, 0.2, 1e-6);
    CHECK_NEAR(def.weights.z, 0.3, 1e-6);
    sn_world_destroy(world);
}

TEST(the_nearest_point_of_a_triangle_is_found) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node cloth[NODES];
    sn_build build = attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, false, cloth);
    sn_node node = attachment_node(world, 0.13, 0.2, -0.31, 1);
    sn_attach_def def = sn_attach_def_default();
    def.node = node;
    def.surface = build.surface;
    sn_constraint made = attach(world, &def);
    CHECK(type_of(world, made) == SN_TYPE_POINT_ATTACHMENT);
    sn_point_attachment_def got = sn_point_attachment_def_default();
    REQUIRE_OK(sn_constraint_get(world, made, &got));
    sn_real part[3] = {got.weights.x, got.weights.y, got.weights.z};
    double x = 0, z = 0, sum = 0;
    for (int k = 0; k < 3; k++) {
        sn_vec3 at = attachment_at(world, got.node[k + 1]);
        x += (double)part[k] * (double)at.x;
        z += (double)part[k] * (double)at.z;
        sum += (double)part[k];
    }
    CHECK_NEAR(x, 0.13, 1e-6);
    CHECK_NEAR(z, -0.31, 1e-6);
    CHECK_NEAR(sum, 1, 1e-6);
    /* The same place by the body, and with the node beside the cloth at a corner of it. */
    REQUIRE_OK(sn_constraint_destroy(world, made));
    def.surface = (sn_collision_surface){0, 0, 0};
    def.body = build.body;
    REQUIRE_OK(sn_node_set_position(world, node, (sn_vec3){2, 0, 2}));
    made = attach(world, &def);
    REQUIRE_OK(sn_constraint_get(world, made, &got));
    sn_real most = got.weights.x;
    int corner = 1;
    if (got.weights.y > most) most = got.weights.y, corner = 2;
    if (got.weights.z > most) most = got.weights.z, corner = 3;
    CHECK_NEAR(most, 1, 1e-6);
    CHECK_NEAR(attachment_distance(attachment_at(world, got.node[corner]), (sn_vec3){2, 0, 2}),
               sqrt(2) * 1.5, 1e-6);
    sn_world_destroy(world);
}

TEST(the_type_fits_the_target) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node a = attachment_node(world, 0, 0, 0, 1), b = attachment_node(world, 1, 0, 0, 1);
    sn_node pin = attachment_node(world, 0, 2, 0, 0), node = attachment_node(world, 0.25, 1, 0, 1);
    sn_node ends[2] = {a, b};
    uint32_t line[2] = {0, 1};
    sn_collision_surface_def surface = sn_collision_surface_def_default();
    sn_attach_def def = sn_attach_def_default();
    surface.nodes = ends;
    surface.node_count = 2;
    surface.segments = line;
    surface.segment_count = 1;
    def.node = node;
    REQUIRE_OK(sn_collision_surface_create(world, &surface, &def.surface));
    sn_constraint made = attach(world, &def);
    CHECK(type_of(world, made) == SN_TYPE_EDGE_ATTACHMENT);
    sn_real along[3] = {0};
    REQUIRE_OK(sn_constraint_get_field(world, made, "along", along));
    CHECK_NEAR(along[0], 0.25, 1e-6);
    def.surface = (sn_collision_surface){0, 0, 0};
    def.target = a;
    CHECK(type_of(world, attach(world, &def)) == SN_TYPE_SEAM);
    def.target = pin;
    CHECK(type_of(world, attach(world, &def)) == SN_TYPE_ATTACHMENT);
    sn_world_destroy(world);
}

/* ---- Statics ---- */

/* Without an offset a node belongs where it is, beside a node as in the world. */
TEST(an_automatic_offset_is_where_it_is) {
    for (int beside = 0; beside < 2; beside++) {
        sn_world *world = attachment_world(1, 4, 0);
        sn_attachment_def def = sn_attachment_def_default();
        sn_constraint made;
        sn_real value[SN_MAX_ROWS], offset[3];
        def.node[0] = attachment_node(world, 1, 2, 4, 1);
        if (beside) def.node[1] = attachment_node(world, 4, 8, -8, 0);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &def, &made));
        REQUIRE_OK(sn_constraint_get_field(world, made, "offset", offset));
        CHECK(offset[0] == (beside ? -3 : 1) && offset[1] == (beside ? -6 : 2));
        CHECK(offset[2] == (beside ? 12 : 4));
        REQUIRE_OK(sn_constraint_evaluate(world, made, value, NULL));
        CHECK(value[0] == 0 && value[1] == 0 && value[2] == 0);
        sn_world_destroy(world);
    }
}

/* A weight at a pinned triangle: the force is the weight, shared by the weights of the corners. */
TEST(a_weight_hangs_where_it_was_attached) {
    for (int soft = 0; soft < 2; soft++) {
        sn_world *world = attachment_world(1, 20, g);
        double mass = 0.5, compliance = soft ? 1e-3 : 0;
        sn_point_attachment_def def = sn_point_attachment_def_default();
        sn_constraint made;
        def.node[0] = attachment_node(world, 0.2, 0, 0.1, 1 / mass);
        def.node[1] = attachment_node(world, 0, 0, 0, 0);
        def.node[2] = attachment_node(world, 1, 0, 0, 0);
        def.node[3] = attachment_node(world, 0, 0, 1, 0);
        def.compliance = (sn_real)compliance;
        def.damping = (sn_real)(soft ? 20 : 0);
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_POINT_ATTACHMENT, &def, &made));
        run(world, 240);
        sn_vec3 at = attachment_at(world, def.node[0]);
        CHECK_NEAR(at.x, 0.2, 1e-5);
        CHECK_NEAR(at.y, -compliance * mass * g, 1e-5);
        CHECK_NEAR(at.z, 0.1, 1e-5);
        CHECK_REL(force_of(world, made), mass * g, 1e-3);
        sn_world_destroy(world);
    }
}

/* ---- Momentum ---- */

TEST(a_cloth_and_what_hangs_on_it_keep_momentum) {
    sn_world *world = attachment_world(1, 40, 0);
    sn_node cloth[NODES];
    sn_build build = attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, false, cloth);
    sn_attach_def def = sn_attach_def_default();
    def.node = attachment_node(world, 0.1, 0, 0.2, 4);
    def.body = build.body;
    attach(world, &def);
    REQUIRE_OK(sn_node_set_velocity(world, def.node, (sn_vec3){1, 3, -2}));
    sn_measure before, after;
    REQUIRE_OK(sn_world_measure(world, &before));
    run(world, 120);
    REQUIRE_OK(sn_world_measure(world, &after));
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(after.momentum[i], before.momentum[i], 1e-4);
        CHECK_NEAR(after.angular_momentum[i], before.angular_momentum[i], 1e-3);
    }
    /* It has taken the cloth along. */
    CHECK((double)attachment_at(world, cloth[0]).y > 1);
    sn_world_destroy(world);
}

/* ---- Breaking ---- */

/* The load grows by a thousandth per frame; it breaks at its force, to a hundredth. */
TEST(it_breaks_at_its_force) {
    sn_world *world = attachment_world(1, 20, 0);
    sn_point_attachment_def def = sn_point_attachment_def_default();
    sn_constraint made;
    def.node[0] = attachment_node(world, 0.2, 0, 0.1, 1);
    def.node[1] = attachment_node(world, 0, 0, 0, 0);
    def.node[2] = attachment_node(world, 1, 0, 0, 0);
    def.node[3] = attachment_node(world, 0, 0, 1, 0);
    def.break_force = 20;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_POINT_ATTACHMENT, &def, &made));
    double load = 15;
    size_t breaks = 0;
    const sn_break_event *event = NULL;
    while (breaks == 0 && load < 40) {
        load *= 1.001;
        REQUIRE_OK(sn_node_add_force(world, def.node[0], (sn_vec3){0, (sn_real)-load, 0}));
        run(world, 1);
        REQUIRE_OK(sn_world_breaks(world, &event, &breaks));
    }
    CHECK(breaks == 1 && event[0].type == SN_TYPE_POINT_ATTACHMENT);
    CHECK_REL(load, 20, 0.01);
    CHECK(!sn_constraint_is_valid(world, made));
    sn_world_destroy(world);
}

/* ---- Colliders ---- */

static sn_collider spinning_box(sn_world *world) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider box;
    def.shape = SN_SHAPE_BOX;
    def.extent = (sn_vec3){(sn_real)0.1, (sn_real)0.1, (sn_real)0.1};
    def.position = (sn_vec3){(sn_real)0.5, (sn_real)0.5, (sn_real)-0.5};
    def.velocity = (sn_vec3){(sn_real)0.3, 0, 0};
    def.angular_velocity = (sn_vec3){1, 2, (sn_real)0.5};
    REQUIRE_OK(sn_collider_create(world, &def, &box));
    return box;
}

/* Where a point of a collider is now. */
static sn_vec3 carried(const sn_world *world, sn_collider collider, const double local[3]) {
    sn_collider_def def = sn_collider_def_default();
    REQUIRE_OK(sn_collider_get(world, collider, &def));
    double q[4] = {(double)def.orientation.x, (double)def.orientation.y, (double)def.orientation.z,
                   (double)def.orientation.w};
    double t[3], out[3];
    for (int i = 0; i < 3; i++)
        t[i] = 2 * (q[(i + 1) % 3] * local[(i + 2) % 3] - q[(i + 2) % 3] * local[(i + 1) % 3]);
    for (int i = 0; i < 3; i++)
        out[i] = local[i] + q[3] * t[i] + q[(i + 1) % 3] * t[(i + 2) % 3] -
                 q[(i + 2) % 3] * t[(i + 1) % 3];
    return (sn_vec3){(sn_real)((double)def.position.x + out[0]),
                     (sn_real)((double)def.position.y + out[1]),
                     (sn_real)((double)def.position.z + out[2])};
}

/* m/s, between a node and what it rides on: v + omega x r. */
static double slip_of(const sn_world *world, sn_node node, sn_collider collider) {
    sn_collider_def box = sn_collider_def_default();
    sn_node_def def = sn_node_def_default();
    REQUIRE_OK(sn_collider_get(world, collider, &box));
    REQUIRE_OK(sn_node_get(world, node, &def));
    sn_vec3 w = box.angular_velocity,
            r = {def.position.x - box.position.x, def.position.y - box.position.y,
                 def.position.z - box.position.z};
    sn_vec3 v = {box.velocity.x + w.y * r.z - w.z * r.y, box.velocity.y + w.z * r.x - w.x * r.z,
                 box.velocity.z + w.x * r.y - w.y * r.x};
    return attachment_distance(v, def.velocity);
}

/* The corner of a cloth on a box that flies and spins stays where it was on it, as fast as it. */
TEST(a_corner_follows_a_spinning_box) {
    sn_world *world = attachment_world(1, 20, g);
    sn_node cloth[NODES];
    attachment_cloth(world, CELLS, (sn_vec3){0, 0, 0}, false, cloth);
    sn_collider box = spinning_box(world);
    sn_attach_def def = sn_attach_def_default();
    def.node = cloth[CELLS];
    def.collider = box;
    sn_vec3 start = attachment_at(world, def.node);
    const double local[3] = {(double)start.x - 0.5, (double)start.y - 0.5, (double)start.z + 0.5};
    sn_constraint made = attach(world, &def);
    double worst = 0, way = 0, slip = 0;
    for (int i = 0; i < 120; i++) {
        run(world, 1);
        sn_vec3 at = attachment_at(world, def.node);
        slip = fmax(slip, slip_of(world, def.node, box));
        worst = fmax(worst, attachment_distance(at, carried(world, box, local)));
        way = fmax(way, attachment_distance(at, start));
    }
    printf("      off by %.2g m, of a way of %.2g m\n", worst, way);
    CHECK(worst < 1e-5);
    CHECK(way > 0.3);
    CHECK(slip < 0.01);
    CHECK(force_of(world, made) > 0.1);
    attachment_check_snapshot(world, 20);
    sn_world_destroy(world);
}

/* A dashpot between a node that rides and one that flies beside it, as fast, does nothing. */
TEST(a_ride_has_its_velocity_within_a_step) {
    for (int bdf2 = 0; bdf2 < 2; bdf2++) {
        sn_world *world = attachment_world(1, 10, 0);
        sn_settings settings = sn_settings_default();
        sn_collider_def def = sn_collider_def_default();
        sn_distance_def link = sn_distance_def_default();
        sn_collider box;
        sn_constraint made;
        sn_node_def now = sn_node_def_default();
        REQUIRE_OK(sn_world_get_settings(world, &settings));
        settings.integrator = bdf2 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
        REQUIRE_OK(sn_world_set_settings(world, &settings));
        def.shape = SN_SHAPE_SPHERE;
        def.radius = (sn_real)0.01;
        def.velocity = (sn_vec3){1, 2, 3};
        REQUIRE_OK(sn_collider_create(world, &def, &box));
        link.node[0] = attachment_node(world, 1, 0, 0, 0);
        link.node[1] = attachment_node(world, 2, 1, 1, 1);
        link.compliance = (sn_real)1e6;
        link.damping = 1000;
        REQUIRE_OK(sn_node_ride(world, link.node[0], box));
        REQUIRE_OK(sn_node_set_velocity(world, link.node[1], def.velocity));
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
        run(world, 30);
        check_case("bdf%d", bdf2 + 1);
        REQUIRE_OK(sn_node_get(world, link.node[1], &now));
        CHECK(attachment_distance(now.velocity, def.velocity) < 1e-3);
        sn_world_destroy(world);
    }
}

TEST(a_ride_ends) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node node[4], heavy = attachment_node(world, 0, 0, 0, 1);
    sn_collider box = spinning_box(world), other = spinning_box(world);
    for (int i = 0; i < 4; i++) {
        node[i] = attachment_node(world, 1, 1, -1, 0);
        REQUIRE_OK(sn_node_ride(world, node[i], i == 3 ? other : box));
    }
    CHECK_FAILS(sn_node_ride(world, heavy, box), SN_ERROR_VALUE);
    run(world, 5);
    for (int i = 0; i < 4; i++)
        CHECK(attachment_distance(attachment_at(world, node[i]), (sn_vec3){1, 1, -1}) > 0.01);
    REQUIRE_OK(sn_node_set_position(world, node[0], (sn_vec3){5, 0, 0}));
    REQUIRE_OK(sn_node_set_velocity(world, node[1], (sn_vec3){0, 0, 0}));
    REQUIRE_OK(sn_node_set_target(world, node[2], (sn_vec3){6, 0, 0}));
    REQUIRE_OK(sn_collider_destroy(world, other));
    sn_vec3 still[2] = {attachment_at(world, node[1]), attachment_at(world, node[3])};
    run(world, 5);
    CHECK(attachment_distance(attachment_at(world, node[0]), (sn_vec3){5, 0, 0}) == 0);
    CHECK(attachment_distance(attachment_at(world, node[1]), still[0]) == 0);
    CHECK(attachment_distance(attachment_at(world, node[2]), (sn_vec3){6, 0, 0}) == 0);
    CHECK(attachment_distance(attachment_at(world, node[3]), still[1]) == 0);
    sn_world_destroy(world);
}

/* What hangs on a collider that stands and then goes is woken by it. */
TEST(a_ride_wakes_what_hangs_on_it) {
    sn_world *world = attachment_world(1, 10, g);
    sn_settings settings = sn_settings_default();
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.sleep_time = (sn_real)0.2;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
    sn_collider_def def = sn_collider_def_default();
    sn_body_def body_def = sn_body_def_default();
    sn_node_def node_def = sn_node_def_default();
    sn_attach_def attach_def = sn_attach_def_default();
    sn_body body;
    def.shape = SN_SHAPE_SPHERE;
    def.radius = (sn_real)0.1;
    def.position = (sn_vec3){0, 1, 0};
    REQUIRE_OK(sn_collider_create(world, &def, &attach_def.collider));
    REQUIRE_OK(sn_body_create(world, &body_def, &body));
    node_def.body = body;
    node_def.position = (sn_vec3){0, (sn_real)-1, 0};
    REQUIRE_OK(sn_node_create(world, &node_def, &attach_def.node));
    attach(world, &attach_def);
    run(world, 60);
    CHECK(sn_body_is_asleep(world, body));
    REQUIRE_OK(sn_collider_set_target(world, attach_def.collider, (sn_vec3){1, 1, 0},
                                      (sn_quat){0, 0, 0, 1}));
    run(world, 1);
    CHECK(!sn_body_is_asleep(world, body));
    CHECK_NEAR(attachment_at(world, attach_def.node).x, 1, 1e-3);
    sn_world_destroy(world);
}

/* ---- Refusals ---- */

TEST(bad_attachments_are_refused) {
    sn_world *world = attachment_world(1, 10, 0);
    sn_node node = attachment_node(world, 0, 0, 0, 1);
    sn_body_def body_def = sn_body_def_default();
    sn_body empty;
    REQUIRE_OK(sn_body_create(world, &body_def, &empty));
    sn_attach_def def = sn_attach_def_default();
    sn_constraint made;
    def.node = node;
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    def.target = node;
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    def.body = empty;
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    def.target = (sn_node){0, 0, 0};
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    def.compliance = -1;
    CHECK_FAILS(sn_attach(world, &def, &made), SN_ERROR_VALUE);
    sn_point_attachment_def point = sn_point_attachment_def_default();
    point.node[0] = node;
    for (int k = 1; k < 4; k++) point.node[k] = attachment_node(world, k, k * k, 0, 1);
    point.weights = (sn_vec3){0, 0, 0};
    CHECK_FAILS(sn_constraint_create(world, SN_TYPE_POINT_ATTACHMENT, &point, &made),
                SN_ERROR_DEGENERATE);
    CHECK(sn_world_constraint_count(world, SN_TYPE_COUNT) == 0);
    sn_world_destroy(world);
}

TESTS(RUN(an_offset_is_kept_along_the_normal), RUN(an_offset_is_measured_above_the_weighed_point),
      RUN(an_offset_needs_a_normal), RUN(automatic_weights_are_those_of_the_nearest_point),
      RUN(the_nearest_point_of_a_triangle_is_found), RUN(the_type_fits_the_target),
      RUN(an_automatic_offset_is_where_it_is), RUN(a_weight_hangs_where_it_was_attached),
      RUN(a_cloth_and_what_hangs_on_it_keep_momentum), RUN(it_breaks_at_its_force),
      RUN(a_corner_follows_a_spinning_box), RUN(a_ride_has_its_velocity_within_a_step),
      RUN(a_ride_ends), RUN(a_ride_wakes_what_hangs_on_it), RUN(bad_attachments_are_refused))
