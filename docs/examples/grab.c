/* Takes a hanging cloth by a corner where a ray meets it, pulls it aside, and lets go. */
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void expect(sn_result result) {
    if (result == SN_OK) return;
    fprintf(stderr, "%s\n", sn_last_error());
    exit(1);
}

int main(void) {
    /* A cloth of 1 m that hangs from the edge at z = -0.5. */
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    expect(sn_generate_grid(&mesh, &grid));
    sn_node *nodes = malloc(mesh.vertex_count * sizeof *nodes);
    sn_world *world;
    sn_cloth_material cotton;
    sn_build_def def = sn_build_def_default();
    sn_build built;
    if (!nodes) return 1;
    expect(sn_world_create(NULL, &world));
    expect(sn_preset_get(SN_KIND_CLOTH, "cotton", &cotton));
    def.mesh = &mesh;
    def.collide = SN_COLLIDE_OTHERS;
    expect(sn_build_body(world, SN_KIND_CLOTH, &cotton, &def, nodes, &built));
    for (size_t i = 0; i < mesh.vertex_count; i++)
        if ((double)mesh.positions[i].z < -0.49)
            expect(sn_node_set_inverse_mass(world, nodes[i], 0));

    /* What is under the mouse: here a ray straight down near the free corner. */
    sn_query *query;
    sn_cast_def ray = sn_cast_def_default();
    sn_hit hit;
    ray.origin = (sn_vec3){0.4f, 1, 0.4f};
    expect(sn_query_create(world, &query));
    expect(sn_query_cast(query, &ray, NULL, &hit));

    sn_grab_def take = sn_grab_def_default();
    sn_grab grab;
    sn_vec3 hand = hit.point, point;
    expect(sn_grab_def_from_hit(&take, &hit));
    expect(sn_grab_begin(world, &take, &grab));
    for (int frame = 0; frame < 60; frame++) {
        hand.y += 0.3f / 60;
        expect(sn_grab_move(world, grab, hand));
        expect(sn_world_step(world, (sn_real)(1.0 / 60)));
    }
    expect(sn_grab_get_point(world, grab, &point));
    double gap = hypot((double)(point.y - hand.y),
                       hypot((double)(point.x - hand.x), (double)(point.z - hand.z)));
    printf("pulled up to %.2f m, %.0f mm from the hand\n", (double)point.y, 1e3 * gap);

    /* Thrown, rather than let go: velocity in m/s. */
    expect(sn_grab_end(world, grab, &(sn_vec3){0, 2, 0}));
    for (int frame = 0; frame < 60; frame++) expect(sn_world_step(world, (sn_real)(1.0 / 60)));
    sn_query_destroy(query);
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
    free(nodes);
    return gap < 0.1 ? 0 : 1;
}
