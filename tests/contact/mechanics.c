/*
 * Known answers about bodies that touch (V19, V46, V47 of rigid bodies): a row of balls that an
 * impact passes through, stacks that stand however heavy their top is, dominoes, a house of cards,
 * an arch without mortar, a coin.
 */
#include "rigid_worlds.h"

#include <math.h>
#include <stdio.h>

static const double PI = 3.14159265358979323846;

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) REQUIRE_OK(sn_world_step(world, FRAME));
}

static sn_node_def look(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def;
}

static sn_collider_def shape_of(sn_shape shape, sn_vec3 half, double friction, double bounce) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = shape;
    def.extent = half;
    if (shape == SN_SHAPE_SPHERE || shape == SN_SHAPE_CYLINDER) def.radius = half.x;
    if (shape == SN_SHAPE_SPHERE) def.extent = vector(0, 0, 0);
    def.static_friction = def.dynamic_friction = (sn_real)friction;
    def.restitution = (sn_real)bounce;
    return def;
}

static sn_quat about(double x, double y, double z, double angle) {
    double s = sin(angle / 2);
    return (sn_quat){(sn_real)(x * s), (sn_real)(y * s), (sn_real)(z * s), (sn_real)cos(angle / 2)};
}

static sn_node add(sn_world *world, const sn_collider_def *shape, double density) {
    sn_rigid_def def = sn_rigid_def_default();
    sn_body_def body = sn_body_def_default();
    sn_collider collider;
    sn_node node;
    def.density = (sn_real)density;
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    REQUIRE_OK(sn_rigid_create(world, &def, shape, &node, &collider));
    return node;
}

static sn_collider add_floor(sn_world *world, double friction, double bounce) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider floor;
    def.static_friction = def.dynamic_friction = (sn_real)friction;
    def.restitution = (sn_real)bounce;
    REQUIRE_OK(sn_collider_create(world, &def, &floor));
    return floor;
}

/* rad: how far the y axis of a body is from upright. */
static double tilt_of(const sn_world *world, sn_node node) {
    sn_quat q = look(world, node).orientation;
    return 2 * asin(fmin(1, hypot((double)q.x, (double)q.z)));
}

/* ---- Impacts ---- */

/* Newton's cradle: what comes in at one end of a row of balls that touch leaves at the other. */
static void strike_row(int balls, int fast, double gap, double spacing) {
    sn_world *world = make_world(1, 0, 20);
    sn_node node[8];
    for (int i = 0; i < balls; i++) {
        sn_collider_def ball = shape_of(SN_SHAPE_SPHERE, vector(0.05, 0.05, 0.05), 0, 1);
        ball.position = vector((0.1 + gap) * i - (i < fast ? spacing : 0), 0, 0);
        ball.velocity = vector(i < fast ? 1 : 0, 0, 0);
        node[i] = add(world, &ball, 7800);
    }
    run(world, 30);
    check_case("%d balls, %d of them fast, %g m apart", balls, fast, gap);
    for (int i = 0; i < balls; i++)
        printf("%s%.4f%s", i ? " " : "cradle: ", (double)look(world, node[i]).velocity.x,
               i + 1 < balls ? "" : " m/s\n");
    for (int i = 0; i < balls; i++)
        CHECK_NEAR((double)look(world, node[i]).velocity.x, i < balls - fast ? 0 : 1,
                   i < balls - fast && balls > 5 ? 0.15 : 0.05);
    sn_world_destroy(world);
}

TEST(an_impact_passes_through_a_row) {
    for (int fast = 1; fast < 5; fast++) {
        strike_row(5, fast, 0, 0.03);
        strike_row(5, fast, 1e-5, 0.03);
        strike_row(5, fast, 1e-3, 0.03);
    }
    strike_row(2, 1, 0, 0.03);
    strike_row(8, 1, 0, 0.03);
}

/* V46 of bodies: heights of a ball and of a box that falls flat are e^2 and e^4 of the fall. */
TEST(bodies_bounce_as_restitution_says) {
    const sn_shape shapes[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER};
    for (int i = 0; i < 6; i++) {
        sn_world *world = make_world(1, 9.81, 20);
        sn_collider_def def = shape_of(shapes[i % 3], vector(0.1, 0.1, 0.1), 0.5, 0.5);
        double fall = sqrt(2 / 9.81), highest[2] = {0, 0};
        if (i < 3) {
            add_floor(world, 0.5, 0);
        } else {
            sn_collider_def slab = shape_of(SN_SHAPE_BOX, vector(1, 0.5, 1), 0.5, 0);
            slab.position = vector(0, -0.5, 0);
            sn_node held = add(world, &slab, 1000);
            REQUIRE_OK(sn_node_set_inverse_mass(world, held, 0));
        }
        def.position = vector(0, 1.1, 0);
        sn_node node = add(world, &def, 1000);
        for (int f = 1; f < 75; f++) {
            run(world, 1);
            double y = (double)look(world, node).position.y - 0.1, t = f / 60.0;
            if (t > fall && t < 2 * fall) highest[0] = fmax(highest[0], y);
            if (t > 2 * fall && t < 2.5 * fall) highest[1] = fmax(highest[1], y);
        }
        check_case("shape %d on %s", (int)shapes[i % 3], i < 3 ? "a plane" : "a box");
        printf("shape %d on %s rises to %g and %g m, tilted by %g rad\n", (int)shapes[i % 3],
               i < 3 ? "a plane" : "a box", highest[0], highest[1], tilt_of(world, node));
        CHECK_NEAR(highest[0], 0.25, 0.0025);
        CHECK_NEAR(highest[1], 0.0625, 0.002);
        CHECK(tilt_of(world, node) < 0.02);
        sn_world_destroy(world);
    }
}

/* What comes at 2 m/s to a floor that comes at 1 m/s leaves with half of 3 m/s more than the floor
   has, however heavy it is, and the floor may go the other way as well. */
TEST(bodies_bounce_off_what_moves) {
    const sn_shape shapes[] = {SN_SHAPE_SPHERE, SN_SHAPE_BOX, SN_SHAPE_CYLINDER};
    for (int i = 0; i < 12; i++) {
        double speed = i % 2 ? 1 : -1;
        sn_world *world = make_world(1, 0, 20);
        sn_collider_def def = shape_of(shapes[i / 2 % 3], vector(0.1, 0.1, 0.1), 0, 0.5);
        sn_collider floor = add_floor(world, 0, 0.5);
        sn_collider_def moving;
        REQUIRE_OK(sn_collider_get(world, floor, &moving));
        moving.position = vector(0, -0.1, 0);
        moving.velocity = vector(0, speed, 0);
        REQUIRE_OK(sn_collider_set(world, floor, &moving));
        def.position = vector(0.3, 0.3, -0.2);
        sn_node node = add(world, &def, i < 6 ? 1000 : 2);
        REQUIRE_OK(sn_node_set_velocity(world, node, vector(0, -2, 0)));
        run(world, 30);
        check_case("shape %d, floor at %g m/s", (int)shapes[i / 2 % 3], speed);
        CHECK_NEAR(look(world, node).velocity.y, speed + 0.5 * (speed + 2), 0.01);
        CHECK(tilt_of(world, node) < 0.01);
        sn_world_destroy(world);
    }
}

/* ---- Stacks ---- */

typedef struct drift {
    double aside, sunk, tilt; /* m, m, rad: the most of any */
} drift;

static drift stand(sn_world *world, const sn_node *node, int count, int frames) {
    drift most = {0, 0, 0};
    sn_vec3 from[64];
    for (int i = 0; i < count; i++) from[i] = look(world, node[i]).position;
    run(world, frames);
    for (int i = 0; i < count; i++) {
        sn_vec3 at = look(world, node[i]).position;
        most.aside =
            fmax(most.aside, hypot((double)(at.x - from[i].x), (double)(at.z - from[i].z)));
        most.sunk = fmax(most.sunk, fabs((double)(at.y - from[i].y)));
        most.tilt = fmax(most.tilt, tilt_of(world, node[i]));
    }
    return most;
}

/* Tall boxes that fall flat do not turn, wherever in a substep they land. */
TEST(what_falls_flat_stands) {
    double most = 0;
    for (int i = 0; i < 8; i++) {
        sn_world *world = make_world(1, 9.81, 20);
        sn_collider_def box = shape_of(SN_SHAPE_BOX, vector(0.1, 0.3, 0.2), 0.5, 0);
        add_floor(world, 0.5, 0);
        box.position = vector(0, 0.5 + 0.113 * i, 0);
        sn_node node = add(world, &box, 1000);
        check_case("from %g m", (double)box.position.y);
        for (int f = 0; f < 60; f++) {
            run(world, 1);
            sn_vec3 omega = look(world, node).angular_velocity;
            most = fmax(most, hypot(hypot((double)omega.x, (double)omega.y), (double)omega.z));
        }
        CHECK_NEAR(look(world, node).position.y, 0.3, 1e-3);
        sn_world_destroy(world);
    }
    printf("flat: at most %g rad/s\n", most);
    CHECK(most < 0.2);
}

/* V47: cubes of 1 m. */
static void stack(int count, int substeps) {
    sn_world *world = make_world(1, 9.81, substeps);
    sn_node node[64];
    sn_collider floor = add_floor(world, 0.5, 0);
    for (int i = 0; i < count; i++) {
        sn_collider_def box = shape_of(SN_SHAPE_BOX, vector(0.5, 0.5, 0.5), 0.5, 0);
        box.position = vector(0, 0.5 + i, 0);
        node[i] = add(world, &box, 1000);
    }
    drift most = stand(world, node, count, 600);
    sn_vec3 force;
    double sum = 0;
    for (int f = 0; f < 60; f++) {
        run(world, 1);
        REQUIRE_OK(sn_collider_contact_force(world, floor, &force));
        sum -= (double)force.y / 60;
    }
    printf("%d cubes, %d substeps: aside %g m, sunk %g m, tilted %g rad, on the floor %g of %g N\n",
           count, substeps, most.aside, most.sunk, most.tilt, sum, count * 9810.0);
    CHECK(most.aside < 1e-3);
    CHECK(most.tilt < 0.1 * PI / 180);
    CHECK_REL(sum, count * 9810.0, 0.01);
    sn_world_destroy(world);
}

TEST(cubes_stand_on_each_other) {
    stack(10, 20);
    stack(40, 20);
}

/* A cube on one of a thousandth of its mass. */
TEST(heavy_bodies_stand_on_light_ones) {
    const double ratios[] = {10, 100, 1000};
    for (int i = 0; i < 3; i++) {
        sn_world *world = make_world(1, 9.81, 20);
        sn_node node[2];
        add_floor(world, 0.5, 0);
        for (int k = 0; k < 2; k++) {
            sn_collider_def box = shape_of(SN_SHAPE_BOX, vector(0.5, 0.5, 0.5), 0.5, 0);
            box.position = vector(0.02 * k, 0.5 + k, 0.01 * k);
            node[k] = add(world, &box, k ? 1000 * ratios[i] : 1000);
        }
        drift most = stand(world, node, 2, 600);
        printf("1:%g: aside %g m, sunk %g m, tilted %g rad\n", ratios[i], most.aside, most.sunk,
               most.tilt);
        check_case("1:%g", ratios[i]);
        CHECK(most.aside < 0.01);
        CHECK(most.sunk < 0.02);
        CHECK(most.tilt < 0.01);
        sn_world_destroy(world);
    }
}

/* ---- What stands by friction and shape ---- */

/* Every domino falls when the first is struck. */
TEST(dominoes_fall_one_after_the_other) {
    enum { MOST = 1000 };
    static sn_node node[MOST];
    const int count = check_long() ? MOST : 20;
    sn_world *world = make_world(1, 9.81, 8);
    add_floor(world, 0.6, 0);
    for (int i = 0; i < count; i++) {
        sn_collider_def box = shape_of(SN_SHAPE_BOX, vector(0.004, 0.024, 0.012), 0.3, 0);
        box.position = vector(0.02 * i, 0.024, 0);
        node[i] = add(world, &box, 1000);
    }
    run(world, 60);
    for (int i = 0; i < count; i++) CHECK(tilt_of(world, node[i]) < 0.01);
    REQUIRE_OK(sn_node_set_angular_velocity(world, node[0], vector(0, 0, -8)));
    REQUIRE_OK(sn_node_set_velocity(world, node[0], vector(8 * 0.024, 0, 0)));
    int fallen = 0, frames = 0;
    for (; frames < 60 + 4 * count && fallen < count; frames++) {
        run(world, 1);
        while (fallen < count && tilt_of(world, node[fallen]) > 0.5) fallen++;
    }
    printf("%d of %d dominoes have fallen after %g s: %g m/s\n", fallen, count, frames / 60.0,
           0.02 * count * 60 / frames);
    CHECK(fallen == count);
    sn_world_destroy(world);
}

/* Voussoirs of a half ring, which stand by their shape: of a ring as thick as a tenth of its
   radius one falls (Couplet, Heyman), of 0.3 it stands. */
TEST(an_arch_stands_without_mortar) {
    enum { STONES = 15 };
    sn_world *world = make_world(1, 9.81, 20);
    sn_node node[STONES];
    const double inner = 0.85, outer = 1.15, deep = 0.2;
    add_floor(world, 0.8, 0);
    for (int i = 0; i < STONES; i++) {
        double middle = PI * (i + 0.5) / STONES;
        sn_vec3 corner[8];
        sn_collider_def stone = shape_of(SN_SHAPE_HULL, vector(0, 0, 0), 0.8, 0);
        stone.extent = sn_collider_def_default().extent;
        for (int k = 0; k < 8; k++) {
            double angle = PI * (i + (k & 1)) / STONES, r = k & 2 ? outer : inner;
            corner[k] = vector(r * cos(angle) - cos(middle), r * sin(angle) - sin(middle),
                               k & 4 ? deep : -deep);
        }
        stone.position = vector(cos(middle), sin(middle), 0);
        stone.geometry.vertices = corner;
        stone.geometry.vertex_count = 8;
        node[i] = add(world, &stone, 2000);
    }
    drift most = stand(world, node, STONES, 600);
    printf("arch: aside %g m, sunk %g m\n", most.aside, most.sunk);
    CHECK(most.aside < 0.01);
    CHECK(most.sunk < 0.01);
    sn_world_destroy(world);
}

/* Two cards that lean against each other, and a floor of one on two such, with two on it. */
TEST(a_house_of_cards_stands) {
    sn_world *world = make_world(1, 9.81, 20);
    sn_node node[7];
    const double half = 0.0445, thick = 0.0005, lean = 0.35;
    int count = 0;
    add_floor(world, 0.6, 0);
    for (int i = 0; i < 7; i++) {
        sn_collider_def card = shape_of(SN_SHAPE_BOX, vector(thick, half, 0.03), 0.6, 0);
        double high = half * cos(lean) + thick * sin(lean),
               wide = half * sin(lean) + thick * cos(lean);
        double side = i % 2 ? 1 : -1, x = i < 4 ? (i / 2 ? 1 : -1) * 2 * wide : 0;
        card.position = vector(x + side * wide, high, 0);
        card.orientation = about(0, 0, 1, side * lean);
        if (i == 4) {
            card.position = vector(0, 2 * high + thick, 0);
            card.orientation = about(0, 0, 1, PI / 2);
        } else if (i > 4) {
            card.position = vector(side * wide, 3 * high + 2 * thick, 0);
        }
        node[count++] = add(world, &card, 700);
    }
    drift most = stand(world, node, count, 600);
    printf("cards: aside %g m, sunk %g m\n", most.aside, most.sunk);
    CHECK(most.aside < 2e-3);
    CHECK(most.sunk < 2e-3);
    sn_world_destroy(world);
}

TESTS(RUN(an_impact_passes_through_a_row), RUN(bodies_bounce_as_restitution_says),
      RUN(bodies_bounce_off_what_moves), RUN(what_falls_flat_stands),
      RUN(cubes_stand_on_each_other), RUN(heavy_bodies_stand_on_light_ones),
      RUN(dominoes_fall_one_after_the_other), RUN(an_arch_stands_without_mortar),
      RUN(a_house_of_cards_stands))
