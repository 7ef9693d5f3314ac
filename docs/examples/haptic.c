/* What a hand feels that pulls at soft tissue: a force a thousand times a second, as devices that
   push back want it. */
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
    /* A block of 10 cm × 5 cm × 10 cm that is held at the bottom. */
    sn_mesh mesh = sn_mesh_default();
    sn_block_def block = sn_block_def_default();
    block.extent = (sn_vec3){0.1f, 0.05f, 0.1f};
    block.cells[0] = block.cells[2] = 4;
    block.cells[1] = 2;
    expect(sn_generate_block(&mesh, &block));
    const sn_mesh_group *bottom = sn_mesh_find_group(&mesh, "bottom");
    sn_node *nodes = malloc(mesh.vertex_count * sizeof *nodes);
    if (!nodes) return 1;
    sn_world_def world_def = sn_world_def_default();
    sn_world *world;
    sn_solid_material tissue = sn_solid_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build built;
    /* A step of 1 ms has two substeps. */
    world_def.settings.substeps = 2;
    expect(sn_world_create(&world_def, &world));
    tissue.young = 5e3f;
    tissue.damping = 0.01f;
    def.mesh = &mesh;
    def.pins = bottom->vertices;
    def.pin_count = bottom->count;
    expect(sn_build_body(world, SN_KIND_SOLID, &tissue, &def, nodes, &built));

    /* The middle of the top is held by a spring of 500 N/m: the device feels no more than that. */
    size_t top = 0;
    for (size_t i = 0; i < mesh.vertex_count; i++)
        if (mesh.positions[i].y > 0.02f && fabs((double)mesh.positions[i].x) < 1e-3 &&
            fabs((double)mesh.positions[i].z) < 1e-3)
            top = i;
    sn_grab_def take = sn_grab_def_default();
    sn_grab grab;
    sn_vec3 hand = mesh.positions[top], force = {0, 0, 0};
    take.node[0] = nodes[top];
    take.compliance = 1 / 500.0f;
    expect(sn_grab_begin(world, &take, &grab));
    for (int ms = 1; ms <= 1000; ms++) {
        /* Where the device is: here 1 cm up, within a quarter of a second. */
        hand.y = mesh.positions[top].y + 0.01f * fminf((float)ms / 250, 1);
        expect(sn_grab_move(world, grab, hand));
        expect(sn_world_step(world, (sn_real)1e-3));
        /* What the device is to push with. */
        expect(sn_grab_get_force(world, grab, &force));
        if (ms % 125 == 0) printf("%4d ms: %6.3f N\n", ms, (double)force.y);
    }
    sn_world_destroy(world);
    sn_mesh_free(&mesh);
    free(nodes);
    return force.y < -0.1f && force.y > -5 ? 0 : 1;
}
