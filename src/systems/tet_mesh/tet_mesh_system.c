/* Tet meshes as a system: what cuts and fracture need to know of solids. */
#include "state/system.h"
#include "systems/tet_mesh/tet_meshes.h"

static void release(void *state, sn_memory *memory) {
    sn_tet_meshes_free(state, memory);
}

static void forget_nodes(sn_world *world) {
    sn_tet_meshes_forget(sn_tet_meshes_of(world), &world->memory, world->nodes.slots.alive,
                         SN_DOOMED);
}

/* Copies that a cut made, and the nodes they are copies of. */
static void exclude(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const sn_tet_meshes *all = sn_tet_meshes_of(world);
    for (size_t i = 0; i < all->slots.count; i++) {
        const sn_tet_mesh_state *m = &all->state[i];
        for (size_t k = 0; m->copies > 0 && k < m->def.node_count; k++)
            visit(context, m->node[k], m->node[m->origin[k]]);
    }
}

static const sn_object_column columns[] = {
    {"fracture", {"fracture_stress"}, 0, 0, NULL},
    {"tet", {"tets"}, 0, 0, NULL},
};

SN_DEFINE_OBJECT(tet_mesh, SN_TET_MESH_FIELDS, "tet mesh", "the tetrahedra of a solid",
                 .columns = columns, .column_count = sizeof columns / sizeof *columns)
static const sn_object *const objects[] = {&sn_tet_mesh_object};

const sn_system sn_tet_mesh_system = {
    .name = "tet_mesh",
    .size = sizeof(sn_tet_meshes),
    .objects = objects,
    .object_count = 1,
    .free = release,
    .exclude = exclude,
    .forget_nodes = forget_nodes,
    .serialize = sn_world_serialize_tet_meshes,
};
