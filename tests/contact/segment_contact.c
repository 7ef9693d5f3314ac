/*
 * Segments of ropes that meet colliders between their nodes: what is thinner than a segment is long
 * does not pass, and bears the rope.
 */
#include "coarse_sheets.h"

#include <string.h>

static net make_rope(bool faces, bool pinned, double gravity, int threads) {
    net_def d = net_default();
    d.rope = true;
    d.squares = 3;
    d.faces = faces;
    d.pinned = pinned;
    d.gravity = gravity;
    d.threads = threads;
    d.sleep_time = (double)SN_AUTO;
    return make_net(d);
}

static void run(sn_world *world, int frames) {
    for (int i = 0; i < frames; i++) CHECK_OK(sn_world_step(world, (sn_real)dt));
}

static void set_damping(sn_world *world, double damping) {
    sn_settings settings;
    settings.size = sizeof settings;
    REQUIRE_OK(sn_world_get_settings(world, &settings));
    settings.damping = (sn_real)damping;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

/* Pushed up by 0.08 m with 1 m/s into a rope whose ends are held, and then held for 0.5 s: a ball,
   corners and edges, a can, a mesh, a field, parts, a blade, a hill. */
TEST(small_things_do_not_pass_long_segments) {
    for (int which = 0; which < THINGS; which++) {
        net n = make_rope(true, true, 9.81, 1);
        push_thing(&n, which);
        sn_world_destroy(n.world);
    }
}

/* What the test above is about: without `triangle_contact` they pass. */
TEST(nodes_alone_let_small_things_pass) {
    for (int which = 0; which < 4; which++) {
        net n = make_rope(false, true, 9.81, 1);
        sn_collider thing = add_thing(n.world, which, 0.02, 1);
        run(n.world, 10);
        CHECK(depth_of(&n, thing) > 0.005);
        sn_world_destroy(n.world);
    }
}

/* Shot at a free rope, which they take along: 33 mm in a substep. */
TEST(nothing_passes_at_20_metres_a_second) {
    for (int which = 1; which < 4; which++) {
        net n = make_rope(true, false, 0, 1);
        sn_collider thing = add_thing(n.world, which, 0.3, 20);
        run(n.world, 6);
        CHECK(depth_of(&n, thing) < 5e-3);
        CHECK((double)look(n.world, n.node[2]).position.y > 0.5);
        sn_world_destroy(n.world);
    }
}

static double along_normals(const sn_world *world, double *up) {
    const sn_contact *contact;
    size_t count;
    double sum = 0;
    *up = 0;
    REQUIRE_OK(sn_world_contacts(world, &contact, &count));
    for (size_t i = 0; i < count; i++) {
        if (contact[i].kind != SN_CONTACT_TRIANGLE_COLLIDER) continue;
        CHECK(contact[i].nodes[1].slot == contact[i].nodes[2].slot && contact[i].weights[2] == 0);
        CHECK_NEAR((double)(contact[i].weights[0] + contact[i].weights[1]), 1, 1e-5);
        sum += (double)contact[i].normal_impulse;
        *up += (double)contact[i].impulse.y;
    }
    return sum;
}

/* A free rope of four nodes of 100 g lies with the middle of its middle segment over a bar of 2 cm,
   which bears its weight; with any number of threads the bits are the same. */
TEST(a_bar_bears_a_rope) {
    uint64_t expected = 0;
    for (int threads = 1; threads <= 3; threads += 2) {
        net n = make_rope(true, false, 9.81, threads);
        sn_collider_def bar = sn_collider_def_default();
        sn_collider made;
        double up;
        bar.shape = SN_SHAPE_CAPSULE;
        bar.radius = (sn_real)0.02;
        bar.extent = (sn_vec3){0, (sn_real)0.5, 0};
        bar.position = (sn_vec3){0, (sn_real)-0.1, (sn_real)0.12};
        bar.orientation = (sn_quat){(sn_real)0.70710678, 0, 0, (sn_real)0.70710678};
        REQUIRE_OK(sn_collider_create(n.world, &bar, &made));
        set_damping(n.world, 5); /* of the ends, which swing */
        for (int frame = 0; frame < 200; frame++) {
            if (frame == 100) set_damping(n.world, 0);
            CHECK_OK(sn_world_step(n.world, (sn_real)dt));
            CHECK(depth_of(&n, made) < 1e-3);
        }
        CHECK(along_normals(n.world, &up) > 0);
        CHECK_REL(up, 0.4 * 9.81 * dt, 0.01);
        CHECK_NEAR((double)look(n.world, n.node[1]).position.y, -0.075, 2e-3);
        if (threads == 1) expected = sn_world_hash(n.world);
        CHECK(sn_world_hash(n.world) == expected);
        static uint8_t kept[50000];
        size_t size;
        REQUIRE_OK(sn_snapshot_save(n.world, kept, sizeof kept, &size));
        run(n.world, 5);
        expected = sn_world_hash(n.world);
        REQUIRE_OK(sn_snapshot_load(n.world, kept, size));
        run(n.world, 5);
        CHECK(sn_world_hash(n.world) == expected);
        REQUIRE_OK(sn_snapshot_load(n.world, kept, size));
        expected = sn_world_hash(n.world);
        sn_world_destroy(n.world);
    }
}

TESTS(RUN(small_things_do_not_pass_long_segments), RUN(nodes_alone_let_small_things_pass),
      RUN(nothing_passes_at_20_metres_a_second), RUN(a_bar_bears_a_rope))
