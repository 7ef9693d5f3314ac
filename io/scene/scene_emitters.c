/* Emitters and drains of a scene. */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdlib.h>

/* Of every emitter, behind its name. */
static const char *const columns[] = {"emitted [m^3]", "waiting [1]", "blocked [1]"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static sn_result finish(sn_scene *s, const json_node *node, sn_result result) {
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, node);
}

/* The points of the mesh in which particles appear; `filled` is freed by the caller. */
static sn_result find_points(sn_scene *s, const json_node *node, scene_emitter_part *part,
                             sn_mesh *filled) {
    const scene_mesh *mesh;
    sn_node_def first;
    if ((part->def.shape == SN_EMITTER_MESH) != (part->mesh != NULL))
        return sn_scene_complain(&s->reader, node, "%s",
                                 part->mesh ? "mesh is given, but shape is not mesh"
                                            : "shape is mesh, but no mesh is given");
    if (!part->mesh) return SN_OK;
    SN_TRY(sn_scene_get_mesh(s, part->mesh, &mesh));
    const sn_mesh *points = &mesh->mesh;
    if (points->triangle_count > 0) {
        SN_TRY(sn_node_get(s->world, part->def.nodes[0], &first));
        /* As deep as nozzles and balls let the outermost be. */
        sn_result result = sn_mesh_fill_points(points, 2 * first.radius, first.radius / 2, filled);
        if (result != SN_OK) return finish(s, part->mesh, result);
        points = filled;
    }
    part->def.points = points->positions;
    part->def.point_count = points->vertex_count;
    return SN_OK;
}

sn_result sn_scene_build_emitter(sn_scene *s, const json_node *node) {
    scene_emitter_part part = {.def = sn_emitter_def_default()};
    scene_nodes list = {0};
    sn_mesh filled = sn_mesh_default();
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.emitter, &part));
    SN_TRY(sn_scene_select(s, part.nodes, false, &list));
    scene_emitter *made = SCENE_ADD(s->emitters);
    sn_result result = made ? SN_OK : SN_ERROR_MEMORY;
    if (made) {
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        *made = (scene_emitter){.name = part.name};
        result = find_points(s, node, &part, &filled);
        if (result == SN_OK)
            result = finish(s, node, sn_emitter_create(s->world, &part.def, &made->emitter));
    }
    sn_mesh_free(&filled);
    free(list.items);
    return result;
}

sn_result sn_scene_build_drain(sn_scene *s, const json_node *node) {
    scene_drain_part part = {.def = sn_drain_def_default()};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.drain, &part));
    scene_drain *made = SCENE_ADD(s->drains);
    if (!made) return SN_ERROR_MEMORY;
    *made = (scene_drain){.name = part.name};
    return finish(s, node, sn_drain_create(s->world, &part.def, &made->drain));
}

char *sn_scene_emitter_column(sn_scene *s, size_t index) {
    size_t emitters = COLUMNS * s->emitters.count;
    if (index < emitters)
        return sn_scene_text(s, "%s %s", s->emitters.items[index / COLUMNS].name,
                             columns[index % COLUMNS]);
    return sn_scene_text(s, "%s drained [1]", s->drains.items[index - emitters].name);
}

size_t sn_scene_emitter_columns(const sn_scene *s) {
    return COLUMNS * s->emitters.count + s->drains.count;
}

sn_result sn_scene_measure_emitters(const sn_scene *s, double *values) {
    for (size_t i = 0; i < s->emitters.count; i++, values += COLUMNS) {
        sn_emitter_measures m = {0};
        SN_TRY(sn_emitter_measure(s->world, s->emitters.items[i].emitter, &m));
        values[0] = m.volume;
        values[1] = m.waiting;
        values[2] = m.blocked;
    }
    for (size_t i = 0; i < s->drains.count; i++, values++)
        SN_TRY(sn_drain_measure(s->world, s->drains.items[i].drain, values));
    return SN_OK;
}
