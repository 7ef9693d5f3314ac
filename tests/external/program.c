/*
 * The smallest use of the library: a weight on a thread swings down and stays on it.
 */
#include <sinew/sinew.h>

#include <stdio.h>

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, sn_last_error());
    return 1;
}

int main(void) {
    sn_world *world = NULL;
    if (sn_world_create(NULL, &world) != SN_OK) return fail("world");

    sn_node node[2];
    sn_node_def defs[2] = {sn_node_def_default(), sn_node_def_default()};
    defs[0].inverse_mass = 0;
    defs[1].position = (sn_vec3){1, 0, 0};
    if (sn_nodes_create(world, defs, 2, node) != SN_OK) return fail("nodes");

    sn_constraint thread;
    sn_distance_def distance = sn_distance_def_default();
    distance.node[0] = node[0];
    distance.node[1] = node[1];
    if (sn_constraint_create(world, SN_TYPE_DISTANCE, &distance, &thread) != SN_OK)
        return fail("distance");

    for (int frame = 0; frame < 30; frame++)
        if (sn_world_step(world, (sn_real)(1.0 / 60)) != SN_OK) return fail("step");

    sn_node_def weight = sn_node_def_default();
    if (sn_node_get(world, node[1], &weight) != SN_OK) return fail("node");
    sn_world_destroy(world);

    double x = (double)weight.position.x, y = (double)weight.position.y;
    double square = x * x + y * y;
    printf("after half a second at (%g, %g)\n", x, y);
    return square > 0.98 && square < 1.02 && y < -0.5 ? 0 : 1;
}
