/* A solid from a closed surface: it is filled with tetrahedra, falls, and the surface goes
   along. */
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

static void expect(sn_result result) {
    if (result == SN_OK) return;
    fprintf(stderr, "%s\n", sn_last_error());
    exit(1);
}

int main(void) {
    /* Any closed surface will do; this one could come from a file, by sn_io_mesh_read. */
    sn_mesh surface = sn_mesh_default(), tets = sn_mesh_default();
    sn_sphere_def ball = sn_sphere_def_default();
    expect(sn_generate_sphere(&surface, &ball));
    sn_fill_def fill = sn_fill_def_default();
    fill.kind = SN_FILL_FITTED;
    fill.spacing = 0.15f;
    expect(sn_mesh_fill(&surface, &fill, &tets));

    sn_world *world;
    expect(sn_world_create(NULL, &world));
    sn_collider_def ground = sn_collider_def_default();
    sn_collider collider;
    expect(sn_collider_create(world, &ground, &collider));

    sn_solid_material jelly;
    expect(sn_preset_get(SN_KIND_SOLID, "jelly", &jelly));
    sn_build_def def = sn_build_def_default();
    def.mesh = &tets;
    def.visible = &surface;
    def.position = (sn_vec3){0, 2, 0};
    sn_node *nodes = malloc(tets.vertex_count * sizeof *nodes);
    sn_vec3 *at = malloc(tets.vertex_count * sizeof *at);
    sn_build built;
    if (!nodes || !at) return 1;
    expect(sn_build_body(world, SN_KIND_SOLID, &jelly, &def, nodes, &built));

    /* Where the vertices of the surface are among the tetrahedra. */
    sn_embedding embedding = sn_embedding_default();
    expect(sn_embed(&surface, &tets, &embedding));

    for (int frame = 0; frame < 60; frame++) expect(sn_world_step(world, (sn_real)(1.0 / 60)));

    double lowest = 1e9;
    for (size_t i = 0; i < tets.vertex_count; i++) {
        sn_node_def node = sn_node_def_default();
        expect(sn_node_get(world, nodes[i], &node));
        at[i] = node.position;
    }
    expect(sn_embedding_apply(&embedding, at, surface.positions));
    for (size_t i = 0; i < surface.vertex_count; i++)
        if ((double)surface.positions[i].y < lowest) lowest = (double)surface.positions[i].y;
    printf("%zu tetrahedra, %.1f kg, lowest at %.2f m\n", tets.tet_count, built.mass, lowest);

    sn_embedding_free(&embedding);
    sn_world_destroy(world);
    sn_mesh_free(&surface);
    sn_mesh_free(&tets);
    free(nodes);
    free(at);
    return lowest > -0.1 && lowest < 1 ? 0 : 1;
}
