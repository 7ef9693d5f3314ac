#include "experiments.h"

#include <math.h>

double throw_range(sn_settings settings, double h) {
    enum { MASSES = 7 };
    sn_world *world = make_world(settings);
    sn_node nodes[MASSES];
    for (int i = 0; i < MASSES; i++) {
        nodes[i] = add_node(world, (vec){0, 0, 0}, pow(10, i - 3));
        CHECK_OK(sn_node_set_velocity(world, nodes[i], vector(3, 4, 0)));
    }
    vec before = {0, 0, 0}, after = {0, 0, 0};
    for (int k = 0; k < 2000 && after.y >= 0; k++) {
        before = after;
        advance(world, h, 1);
        after = position_of(world, nodes[0]);
    }
    for (int i = 1; i < MASSES; i++) {
        vec x = position_of(world, nodes[i]), v = velocity_of(world, nodes[i]);
        vec v0 = velocity_of(world, nodes[0]);
        CHECK(x.x == after.x && x.y == after.y && x.z == after.z);
        CHECK(v.x == v0.x && v.y == v0.y && v.z == v0.z);
    }
    sn_world_destroy(world);
    return before.x + (after.x - before.x) * before.y / (before.y - after.y);
}

void check_sag_of_spring(sn_settings settings, int rate, double alpha) {
    sn_world *world = make_world(settings);
    sn_node pin = add_pin(world, (vec){0, 0, 0}), node = add_node(world, (vec){0, -1, 0}, 1);
    sn_constraint link = add_link(world, pin, node, 1, alpha);
    advance(world, 1.0 / rate, 2 * rate);
    double sag = -1 - position_of(world, node).y;
    CHECK_REL(sag, alpha * GRAVITY, TOL(1e-8, 1e-4));
    CHECK_REL(force_of(world, link), -GRAVITY, TOL(1e-8, 1e-4));
    sn_world_destroy(world);
}
