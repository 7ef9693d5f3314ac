/*
 * Impacts between collision surfaces, by the formula: what meets with a relative speed u along the
 * normal has a share of the impulse
 *
 *   j = (1 + e) u / sum w_i b_i^2
 *
 * at each of its nodes, w_i b_i j, where b_i are the weights of the nodes at the points that touch.
 * For balls, segments and triangles, off their middles, with unlike masses, along every axis.
 */
#include "check.h"

#include <math.h>
#include <sinew/sinew.h>

enum { MOST = 3 };

/* What flies: its nodes in a plane across the flight, and their weights at the origin. */
typedef struct element {
    int nodes;
    double at[MOST][2], weight[MOST], mass[MOST];
} element;

static const element ball = {1, {{0, 0}}, {1}, {0.3}};
/* The origin is 0.3 and 0.6 of the way along. */
static const element segment = {2, {{-0.3, 0}, {0.7, 0}}, {0.7, 0.3}, {0.2, 0.5}};
static const element across = {2, {{0, -0.6}, {0, 0.4}}, {0.4, 0.6}, {0.4, 0.1}};
/* 0.5 (-0.4, -0.3) + 0.2 (0.7, 0) + 0.3 (0.2, 0.5) is the origin. */
static const element triangle = {
    3, {{-0.4, -0.3}, {0.7, 0}, {0.2, 0.5}}, {0.5, 0.2, 0.3}, {0.2, 0.4, 0.3}};

static const double radius = 0.05;

/* One element, which flies along +axis or rests, as a collision surface of its own. */
static void add(sn_world *world, const element *e, int axis, double height, double speed,
                sn_node *node, double restitution) {
    static const uint32_t corners[] = {0, 1, 2};
    sn_collision_surface surface;
    sn_collision_surface_def def = sn_collision_surface_def_default();
    for (int i = 0; i < e->nodes; i++) {
        sn_node_def made = sn_node_def_default();
        sn_real x[3], v[3] = {0, 0, 0};
        x[axis] = (sn_real)height;
        x[(axis + 1) % 3] = (sn_real)e->at[i][0];
        x[(axis + 2) % 3] = (sn_real)e->at[i][1];
        v[axis] = (sn_real)speed;
        made.position = (sn_vec3){x[0], x[1], x[2]};
        made.velocity = (sn_vec3){v[0], v[1], v[2]};
        made.inverse_mass = (sn_real)(1 / e->mass[i]);
        made.radius = (sn_real)radius;
        REQUIRE_OK(sn_node_create(world, &made, &node[i]));
    }
    def.nodes = node;
    def.node_count = (size_t)e->nodes;
    def.segments = e->nodes == 2 ? corners : NULL;
    def.segment_count = e->nodes == 2;
    def.triangles = e->nodes == 3 ? corners : NULL;
    def.triangle_count = e->nodes == 3;
    def.restitution = (sn_real)restitution;
    def.static_friction = def.dynamic_friction = 0;
    REQUIRE_OK(sn_collision_surface_create(world, &def, &surface));
}

/* Whether the nodes have changed their velocities by their shares of an impulse. */
static void check_shares(const sn_world *world, const element *e, const sn_node *node, int axis,
                         double speed, double impulse) {
    for (int i = 0; i < e->nodes; i++) {
        sn_node_def def = sn_node_def_default();
        REQUIRE_OK(sn_node_get(world, node[i], &def));
        double v[3] = {(double)def.velocity.x, (double)def.velocity.y, (double)def.velocity.z};
        CHECK_NEAR(v[axis], speed + e->weight[i] / e->mass[i] * impulse, 5e-4);
        CHECK_NEAR(v[(axis + 1) % 3], 0, 5e-4);
        CHECK_NEAR(v[(axis + 2) % 3], 0, 5e-4);
    }
}

/* N s: adds what contacts say of the last step, on who is not the one with this node. */
static void add_told(const sn_world *world, sn_node node, double told[3]) {
    const sn_contact *contact;
    size_t count;
    REQUIRE_OK(sn_world_contacts(world, &contact, &count));
    for (size_t i = 0; i < count; i++) {
        double sign = contact[i].nodes[0].slot == node.slot ? -1 : 1;
        told[0] += sign * (double)contact[i].impulse.x;
        told[1] += sign * (double)contact[i].impulse.y;
        told[2] += sign * (double)contact[i].impulse.z;
    }
}

static void check_impact(const element *a, const element *b, int axis) {
    const double speed = 2, e = 0.5;
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    sn_node one[MOST], two[MOST];
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 20;
    REQUIRE_OK(sn_world_create(&def, &world));
    add(world, a, axis, -2 * radius - 0.04, speed, one, e);
    add(world, b, axis, 0, 0, two, e);
    double told[3] = {0, 0, 0}, sum = 0;
    for (int i = 0; i < 3; i++) {
        REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
        add_told(world, one[0], told);
    }
    for (int i = 0; i < a->nodes; i++) sum += a->weight[i] * a->weight[i] / a->mass[i];
    for (int i = 0; i < b->nodes; i++) sum += b->weight[i] * b->weight[i] / b->mass[i];
    double j = (1 + e) * speed / sum;
    CHECK_REL(told[axis], j, 1e-3);
    CHECK_NEAR(told[(axis + 1) % 3], 0, 1e-3 * j);
    CHECK_NEAR(told[(axis + 2) % 3], 0, 1e-3 * j);
    check_shares(world, a, one, axis, speed, -j);
    check_shares(world, b, two, axis, 0, j);
    sn_world_destroy(world);
}

TEST(impacts_obey_their_formula) {
    static const struct {
        const char *name;
        const element *a, *b;
    } rows[] = {{"ball on ball", &ball, &ball},         {"ball on segment", &ball, &segment},
                {"segment on ball", &segment, &ball},   {"segment on segment", &segment, &across},
                {"ball on triangle", &ball, &triangle}, {"triangle on ball", &triangle, &ball}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int axis = 0; axis < 3; axis++) {
            check_case("%s along axis %d", rows[i].name, axis);
            check_impact(rows[i].a, rows[i].b, axis);
        }
}

/* ---- Balls that would pass each other ---- */

/* Two balls whose ways cross in one substep, `aside` of each other. They first touch at the time t
   at which |start + t way| is twice the radius, and are put back along the line between them then,
   by their masses. */
static void check_passing(double aside, int axis) {
    const double speed = 60, dt = 1.0 / 60, gap = 0.5, limit = 2 * radius;
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    sn_node node[2];
    element one = ball, two = ball;
    one.at[0][0] = aside;
    two.mass[0] = 0.2;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.substeps = 1;
    REQUIRE_OK(sn_world_create(&def, &world));
    add(world, &one, axis, -gap, speed, &node[0], 0);
    add(world, &two, axis, 0, 0, &node[1], 0);
    REQUIRE_OK(sn_world_step(world, (sn_real)dt));
    double touch = -sqrt(limit * limit - aside * aside), way = speed * dt;
    double n[2] = {touch / limit, aside / limit}, w[2] = {1 / one.mass[0], 1 / two.mass[0]};
    double push = aside < limit ? limit - ((way - gap) * n[0] + aside * n[1]) : 0;
    for (int i = 0; i < 2; i++) {
        sn_node_def now = sn_node_def_default();
        REQUIRE_OK(sn_node_get(world, node[i], &now));
        double v[3] = {(double)now.velocity.x, (double)now.velocity.y, (double)now.velocity.z};
        double share = (i ? -push : push) * w[i] / (w[0] + w[1]) / dt;
        if (push == 0) share = n[0] = n[1] = 0;
        CHECK_NEAR(v[axis], (i ? 0 : speed) + share * n[0], 1e-3 * speed);
        CHECK_NEAR(v[(axis + 1) % 3], share * n[1], 1e-3 * speed);
        CHECK_NEAR(v[(axis + 2) % 3], 0, 1e-3 * speed);
    }
    sn_world_destroy(world);
}

TEST(balls_that_would_pass_are_stopped_where_they_touch) {
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 5; i++) {
            check_case("%g of the radius aside, along axis %d", 0.6 * i, axis);
            check_passing(0.6 * i * radius, axis);
        }
}

TESTS(RUN(impacts_obey_their_formula), RUN(balls_that_would_pass_are_stopped_where_they_touch))
