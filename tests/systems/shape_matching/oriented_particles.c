/* Oriented particles in regions: what is straight, flat or alone is held by orientations (figure 29
   of the survey). */
#include "lattice_blocks.h"

#ifdef SN_DOUBLE
#define LOW(single, other) (other)
#else
#define LOW(single, other) (single)
#endif

static sn_quat frame_of(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    return def.orientation;
}

static double omega_of(const sn_world *world, sn_node node) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(world, node, &def));
    double w[3] = {(double)def.angular_velocity.x, (double)def.angular_velocity.y,
                   (double)def.angular_velocity.z};
    return block_length(w);
}

/* Half the angle between two orientations, as a sine. */
static double apart(sn_quat a, sn_quat b) {
    double dot = (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                 (double)a.w * (double)b.w;
    return sqrt(fmax(0, 1 - dot * dot));
}

TEST(one_keeps_its_frame) {
    block_shape s = {{0, 0, 0}, 0.1, 0, 0, 10, 9.81, true, {0, 0, 0}};
    for (int turn = 0; turn < 2; turn++) {
        block b = block_make(&s, NULL);
        sn_quat q = {(sn_real)0.5, (sn_real)0.5, (sn_real)0.5, (sn_real)0.5};
        REQUIRE_OK(sn_node_set_orientation(b.world, b.node[0], q));
        b.def.turn = (sn_shape_matching_turn)turn;
        block_match(&b, 0.1, turn);
        block_step(b.world, 30, 1.0 / 60);
        CHECK_NEAR(apart(frame_of(b.world, b.node[0]), q), 0, 1e-7);
        CHECK_NEAR(omega_of(b.world, b.node[0]), 0, 1e-9);
        /* And a spin goes on. */
        REQUIRE_OK(sn_node_set_angular_velocity(b.world, b.node[0], (sn_vec3){0, 3, 0}));
        block_step(b.world, 30, 1.0 / 60);
        CHECK_NEAR(omega_of(b.world, b.node[0]), 3, 0.02);
        block_free(&b, true);
    }
}

/* A chain of ten, clamped at one end. */
typedef struct chain {
    block b;
    double lowest, fastest; /* of the last second */
    sn_vec3 end;
} chain;

static chain hang(bool oriented, sn_shape_matching_turn turn, int omega, double seconds) {
    block_shape s = {{9, 0, 0}, 0.1, 2, 0, 20, 9.81, oriented, {0, 0, 0}};
    chain c = {.b = block_make(&s, NULL)};
    c.b.def.turn = turn;
    sn_settings settings = sn_settings_default();
    settings.substeps = 20;
    settings.damping = 4;
    REQUIRE_OK(sn_world_set_settings(c.b.world, &settings));
    block_match(&c.b, 0.1, omega);
    int frames = (int)(seconds * 60);
    for (int i = 0; i < frames; i++) {
        block_step(c.b.world, 1, 1.0 / 60);
        c.end = block_at(c.b.world, c.b.node[9]);
        if (i < frames - 60) continue;
        c.lowest = fmin(c.lowest, (double)c.end.y);
        for (size_t k = 0; oriented && k < c.b.count; k++)
            c.fastest = fmax(c.fastest, omega_of(c.b.world, c.b.node[k]));
    }
    return c;
}

/* With orientations a chain is a beam, which larger regions make stiffer, and which comes to rest
   without a spin; in either way of turning. */
TEST(a_chain_is_a_beam) {
    for (int turn = 0; turn < 2; turn++) {
        chain one = hang(true, (sn_shape_matching_turn)turn, 1, 4);
        chain two = hang(true, (sn_shape_matching_turn)turn, 2, 4);
        check_case("turn %d: hangs by %g and %g m, spins by %g rad/s", turn, one.lowest, two.lowest,
                   one.fastest);
        CHECK_NEAR(one.lowest, -0.02, 0.01);
        CHECK_NEAR(two.lowest, 0, 0.005);
        CHECK(two.lowest > one.lowest / 2);
        CHECK_NEAR(one.fastest, 0, 0.01);
        CHECK_NEAR(two.fastest, 0, 0.01);
        CHECK_NEAR(one.end.z, 0, 1e-4);
        CHECK_NEAR(one.end.x, 0.9, 0.01);
        block_free(&one.b, true);
        block_free(&two.b, true);
    }
}

/* A twist at one end comes out at the other: particles alone would not know of it. */
TEST(a_chain_carries_twist) {
    block_shape s = {{9, 0, 0}, 0.1, 2, 0, 20, 0, true, {0, 0, 0}};
    block b = block_make(&s, NULL);
    b.def.damping = 5;
    block_match(&b, 0.1, 1);
    sn_quat q = {(sn_real)sin(0.25), 0, 0, (sn_real)cos(0.25)};
    for (int k = 0; k < 2; k++) REQUIRE_OK(sn_node_set_orientation(b.world, b.node[k], q));
    block_step(b.world, 240, 1.0 / 60);
    CHECK_NEAR(apart(frame_of(b.world, b.node[9]), q), 0, 0.05);
    CHECK_NEAR(block_at(b.world, b.node[9]).x, 0.9, 0.01);
    block_free(&b, true);
}

/* With the mean of all regions, and moments from inertia, angular momentum is that of positions
   and frames together. */
TEST(momentum_is_kept) {
    static const int cells[3][3] = {{9, 0, 0}, {4, 4, 0}, {2, 2, 2}};
    for (int k = 0; k < 3; k++) {
        double off[2];
        for (int fine = 0; fine < 2; fine++) {
            block_shape s = {{cells[k][0], cells[k][1], cells[k][2]},
                             0.1,
                             0,
                             0,
                             fine ? 40 : 10,
                             0,
                             true,
                             {0, 0, 0}};
            block b = block_make(&s, NULL);
            block_shake(&b, 0.3, 5);
            for (size_t i = 0; i < b.count; i++) {
                sn_vec3 w = {(sn_real)(i % 3), (sn_real)(i % 2), 1};
                REQUIRE_OK(sn_node_set_angular_velocity(b.world, b.node[i], w));
            }
            block_match(&b, 0.1, 1);
            block_motion before = block_measure(b.world);
            block_step(b.world, 60, 1.0 / 60);
            block_motion after = block_measure(b.world);
            off[fine] = block_off(before.l, after.l) / block_length(before.l);
            /* In double, what is left is the rounding of places of a metre over h: a 1e-13 of the
               motion in each of up to 2400 substeps. */
            CHECK_NEAR(block_off(before.p, after.p) / before.size, 0, LOW(1e-6, 5e-10));
            block_free(&b, true);
        }
        check_case("shape %d: l off by %g and %g", k, off[0], off[1]);
        CHECK_NEAR(off[0], 0, 0.1);
        CHECK(off[1] < 0.5 * off[0]);
    }
}

/* Held in a shear, a region has turned by the rotation that is in it, and who is free in it turns
   by that however much of the shear the shape takes over, whatever their moments are. */
TEST(what_is_sheared_turns_by_its_rotation) {
    enum { MIDDLE = 13 };
    const double shear = 0.8;
    double rigid = 0;
    for (int k = 0; k < 3; k++) {
        block_shape s = {{2, 2, 2}, 0.1, 0, 0, 20, 0, true, {0, 0, 0}};
        block b = block_make(&s, NULL);
        sn_settings settings = sn_settings_default();
        sn_node_def now = sn_node_def_default();
        REQUIRE_OK(sn_world_get_settings(b.world, &settings));
        settings.damping = 30;
        REQUIRE_OK(sn_world_set_settings(b.world, &settings));
        b.def.mode = k ? SN_SHAPE_MATCHING_LINEAR : SN_SHAPE_MATCHING_RIGID;
        b.def.beta = (sn_real)(0.5 * k);
        block_match(&b, 0.1, 1);
        for (size_t i = 0; i < b.count; i++) {
            sn_vec3 to = b.rest[i], inverse = {200, 900, 500};
            to.x += (sn_real)(shear * (double)to.y);
            REQUIRE_OK(sn_node_set_inverse_inertia(b.world, b.node[i], inverse));
            if (i != MIDDLE) REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.node[i], 0));
            REQUIRE_OK(sn_node_set_position(b.world, b.node[i], to));
        }
        block_step(b.world, 60, 1.0 / 60);
        REQUIRE_OK(sn_node_get(b.world, b.node[MIDDLE], &now));
        double turned = 2 * atan2((double)now.orientation.z, (double)now.orientation.w);
        check_case("%d halves: turned by %g rad", k, turned);
        /* But for what the moments of the particles themselves are of all. */
        CHECK_NEAR(turned, -atan(shear / 2), 0.01);
        if (k > 0) CHECK_NEAR(turned, rigid, 1e-5);
        rigid = turned;
        block_free(&b, true);
    }
}

/* So does damping, also of frames whose moments differ from axis to axis. */
TEST(damping_keeps_momentum) {
    block_shape s = {{2, 2, 2}, 0.1, 0, 0, 20, 0, true, {0, 0, 0}};
    block b = block_make(&s, NULL);
    b.def.compliance = 10;
    b.def.damping = 30;
    block_shake(&b, 0.3, 5);
    for (size_t i = 0; i < b.count; i++) {
        sn_vec3 w = {(sn_real)(i % 3), (sn_real)(i % 2), 2}, inverse = {200, 400, 800};
        REQUIRE_OK(sn_node_set_inverse_inertia(b.world, b.node[i], inverse));
        REQUIRE_OK(sn_node_set_angular_velocity(b.world, b.node[i], w));
    }
    block_match(&b, 0.1, 1);
    block_motion before = block_measure(b.world);
    block_step(b.world, 10, 1.0 / 60);
    block_motion after = block_measure(b.world);
    CHECK_NEAR(block_off(before.l, after.l) / block_length(before.l), 0, 1e-3);
    CHECK_NEAR(block_off(before.p, after.p) / before.size, 0, LOW(1e-6, 5e-10));
    block_free(&b, true);
}

/* With BDF2 the loss is of second order: frames and positions remember alike. */
TEST(momentum_is_kept_in_second_order) {
    double off[2];
    for (int fine = 0; fine < 2; fine++) {
        block_shape s = {{9, 0, 0}, 0.1, 0, 0, fine ? 40 : 10, 0, true, {0, 0, 0}};
        block b = block_make(&s, NULL);
        sn_settings settings = sn_settings_default();
        REQUIRE_OK(sn_world_get_settings(b.world, &settings));
        settings.integrator = SN_INTEGRATOR_BDF2;
        REQUIRE_OK(sn_world_set_settings(b.world, &settings));
        for (size_t i = 0; i < b.count; i++) {
            sn_vec3 x = block_at(b.world, b.node[i]);
            REQUIRE_OK(sn_node_set_velocity(b.world, b.node[i], (sn_vec3){0, 3 * x.x, 0}));
            REQUIRE_OK(sn_node_set_angular_velocity(b.world, b.node[i], (sn_vec3){10, 0, 3}));
        }
        block_match(&b, 0.1, 1);
        block_motion before = block_measure(b.world);
        block_step(b.world, 60, 1.0 / 60);
        block_motion after = block_measure(b.world);
        off[fine] = block_off(before.l, after.l) / block_length(before.l);
        block_free(&b, true);
    }
    check_case("l off by %g and %g", off[0], off[1]);
    CHECK_NEAR(off[0], 0, 1e-3);
    CHECK(off[1] < 0.1 * off[0] || off[1] < LOW(1e-5, 1e-9));
}

/* A disc has its moment in a plane: given as half axes or as a matrix it is the same. */
TEST(moments_may_be_given) {
    double end[3];
    for (int k = 0; k < 3; k++) {
        block_shape s = {{5, 0, 0}, 0.1, 1, 0, 10, 9.81, true, {0, 0, 0}};
        block b = block_make(&s, NULL);
        sn_vec3 radii[6];
        sn_real moments[6][6] = {{0}};
        double size = k == 2 ? 0.1 : 0.05;
        for (int i = 0; i < 6; i++) {
            radii[i] = (sn_vec3){(sn_real)size, (sn_real)size, (sn_real)size};
            for (int a = 0; a < 3; a++) moments[i][a] = (sn_real)(size * size / 5);
        }
        if (k != 1) b.def.radii = radii;
        if (k == 1) b.def.moments = (const sn_real(*)[6])moments;
        b.def.damping = 10;
        block_match(&b, 0.1, 1);
        block_step(b.world, 120, 1.0 / 60);
        end[k] = (double)block_at(b.world, b.node[5]).y;
        block_free(&b, true);
    }
    check_case("%g, %g and %g m", end[0], end[1], end[2]);
    CHECK_NEAR(end[0], end[1], 1e-4);
    CHECK(end[2] > end[0] + 1e-3);
    CHECK(end[0] < -1e-3);
}

/* Moments that differ along all axes, of nodes that are turned any way, with inertia, half axes or
   matrices: what is at rest stays so, in every mode, also where it lies in a plane or on a line. */
TEST(any_shape_is_at_rest) {
    static const int cells[3][3] = {{2, 1, 1}, {2, 2, 0}, {4, 0, 0}};
    for (int k = 0; k < 18; k++) {
        const int *c = cells[k % 3], given = k / 3 % 3;
        block_shape s = {{c[0], c[1], c[2]}, 0.1, k / 9, 0, 10, 0, true, {0, 0, 0}};
        block b = block_make(&s, NULL);
        sn_vec3 radii[12];
        sn_real moments[12][6];
        check_case("case %d", k);
        for (size_t i = 0; i < b.count; i++) {
            double a = 0.3 + 0.7 * (double)i, x = sin(a), y = cos(2 * a), z = 0.5, w = 1;
            double size = sqrt(x * x + y * y + z * z + w * w);
            sn_quat q = {(sn_real)(x / size), (sn_real)(y / size), (sn_real)(z / size),
                         (sn_real)(w / size)};
            REQUIRE_OK(sn_node_set_orientation(b.world, b.node[i], q));
            if (k / 9 == 0)
                REQUIRE_OK(sn_node_set_inverse_inertia(b.world, b.node[i],
                                                       (sn_vec3){20000, 30000, 50000}));
            radii[i] = (sn_vec3){(sn_real)0.05, (sn_real)0.03, (sn_real)0.02};
            const sn_real moment[6] = {(sn_real)5e-4, (sn_real)3e-4, (sn_real)2e-4,
                                       (sn_real)1e-4, (sn_real)5e-5, (sn_real)-1e-4};
            for (int n = 0; n < 6; n++) moments[i][n] = moment[n];
        }
        b.def.mode = SN_SHAPE_MATCHING_LINEAR;
        if (given == 1) b.def.radii = radii;
        if (given == 2) b.def.moments = (const sn_real(*)[6])moments;
        block_match(&b, 0.1, 0);
        block_step(b.world, 20, 1.0 / 60);
        for (size_t i = 0; i < b.count; i++) {
            sn_vec3 at = block_at(b.world, b.node[i]);
            CHECK_NEAR(at.x, b.rest[i].x, 1e-5);
            CHECK_NEAR(at.y, b.rest[i].y, 1e-5);
            CHECK_NEAR(at.z, b.rest[i].z, 1e-5);
            CHECK_NEAR(omega_of(b.world, b.node[i]), 0, 1e-3);
        }
        block_free(&b, true);
    }
}

/* m, how far the end of a chain of balls has come down whose anchor is an ellipsoid, or a ball like
   the others. */
static double anchored(bool ellipsoid, int how) {
    block_shape s = {{5, 0, 0}, 0.1, 1, 0, 10, 9.81, true, {0, 0, 0}};
    block b = block_make(&s, NULL);
    const sn_vec3 ball = {(sn_real)0.05, (sn_real)0.05, (sn_real)0.05};
    const sn_vec3 egg = {(sn_real)0.09, (sn_real)0.02, (sn_real)0.06};
    sn_vec3 radii[6] = {ellipsoid ? egg : ball, ball, ball, ball, ball, ball};
    sn_quat q = {(sn_real)0.48, (sn_real)0.36, 0, (sn_real)0.8};
    REQUIRE_OK(sn_node_set_orientation(b.world, b.node[0], q));
    if (how == 0) b.def.radii = radii;
    if (how == 1) REQUIRE_OK(sn_node_set_radii(b.world, b.node[0], radii[0]));
    if (how == 2) REQUIRE_OK(sn_node_set_radius(b.world, b.node[0], ball.x));
    b.def.damping = 10;
    block_match(&b, 0.1, 1);
    block_step(b.world, 60, 1.0 / 60);
    double end = (double)block_at(b.world, b.node[5]).y;
    block_free(&b, true);
    return end;
}

/* What is kinematic has no inertia: its moment is that of its half axes, of its radius, or, without
   either, of what the others have in the mean; which are the same for balls. */
TEST(anchors_have_moments) {
    double ball = anchored(false, 0), egg = anchored(true, 0);
    check_case("%g and %g m", ball, egg);
    CHECK_NEAR(anchored(false, 1), ball, 5e-8);
    CHECK_NEAR(anchored(false, 2), ball, 5e-8);
    CHECK_NEAR(anchored(false, 3), ball, 5e-8);
    CHECK_NEAR(anchored(true, 1), egg, 5e-8);
    CHECK(fabs(egg - ball) > 5e-6);
}

/* Kinematic ones hold others by their orientation. */
TEST(anchors_turn_what_hangs_on_them) {
    block_shape s = {{5, 0, 0}, 0.1, 1, 0, 10, 0, true, {0, 0, 0}};
    block b = block_make(&s, NULL);
    b.def.damping = 20;
    block_match(&b, 0.1, 1);
    sn_quat q = {0, 0, (sn_real)sin(0.4), (sn_real)cos(0.4)};
    REQUIRE_OK(sn_node_set_orientation(b.world, b.node[0], q));
    block_step(b.world, 300, 1.0 / 60);
    sn_vec3 end = block_at(b.world, b.node[5]);
    CHECK_NEAR(atan2((double)end.y, (double)end.x), 0.8, 0.1);
    block_free(&b, true);
}

TESTS(RUN(what_is_sheared_turns_by_its_rotation), RUN(anchors_have_moments),
      RUN(any_shape_is_at_rest), RUN(one_keeps_its_frame), RUN(a_chain_is_a_beam),
      RUN(a_chain_carries_twist), RUN(momentum_is_kept), RUN(damping_keeps_momentum),
      RUN(momentum_is_kept_in_second_order), RUN(moments_may_be_given),
      RUN(anchors_turn_what_hangs_on_them))
