/* A rope of 20 links swings down from one end. Prints where the other end is. */
#include <sinew/sinew.h>

#include <stdio.h>

int main(void) {
    enum { LINKS = 20 };
    sn_world *world;
    sn_node node[LINKS + 1];
    sn_constraint link;
    if (sn_world_create(NULL, &world) != SN_OK) return 1;
    for (int i = 0; i <= LINKS; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){0.05f * (float)i, 1, 0};
        def.inverse_mass = i == 0 ? 0 : 1 / 0.01f; /* the first node is held */
        if (sn_node_create(world, &def, &node[i]) != SN_OK) return 1;
    }
    for (int i = 0; i < LINKS; i++) {
        sn_distance_def def = sn_distance_def_default(); /* its length is what it is now */
        def.node[0] = node[i];
        def.node[1] = node[i + 1];
        if (sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &link) != SN_OK) return 1;
    }
    for (int frame = 0; frame < 60; frame++) sn_world_step(world, 1 / 60.0f);
    sn_node_def end = sn_node_def_default();
    if (sn_node_get(world, node[LINKS], &end) != SN_OK) return 1;
    printf("after %.1f s the end is at %.2f %.2f %.2f\n", sn_world_time(world),
           (double)end.position.x, (double)end.position.y, (double)end.position.z);
    sn_world_destroy(world);
    return 0;
}
