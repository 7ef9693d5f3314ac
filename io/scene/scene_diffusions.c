/* Diffusions and sources of a scene. */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdlib.h>

/* Of every diffusion, behind its name. */
static const char *const columns[] = {"mean [1]",      "least [1]",  "most [1]", "content [kg]",
                                      "received [kg]", "liquid [1]", "bonds [1]"};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

static sn_result finish(sn_scene *s, const json_node *node, sn_result result) {
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, node);
}

sn_result sn_scene_build_diffusion(sn_scene *s, const json_node *node) {
    scene_diffusion_part part = {.def = sn_diffusion_def_default()};
    scene_nodes list = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.diffusion, &part));
    SN_TRY(sn_scene_select(s, part.nodes, false, &list));
    scene_diffusion *made = SCENE_ADD(s->diffusions);
    sn_result result = made ? SN_OK : SN_ERROR_MEMORY;
    if (made) {
        part.def.quantity = (uint32_t)part.quantity;
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        *made = (scene_diffusion){.name = part.name};
        result = finish(s, node, sn_diffusion_create(s->world, &part.def, &made->diffusion));
    }
    free(list.items);
    return result;
}

sn_result sn_scene_build_source(sn_scene *s, const json_node *node) {
    scene_source_part part = {.def = sn_source_def_default()};
    sn_source source;
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.source, &part));
    part.def.quantity = (uint32_t)part.quantity;
    return finish(s, node, sn_source_create(s->world, &part.def, &source));
}

char *sn_scene_diffusion_column(sn_scene *s, size_t index) {
    return sn_scene_text(s, "%s %s", s->diffusions.items[index / COLUMNS].name,
                         columns[index % COLUMNS]);
}

size_t sn_scene_diffusion_columns(const sn_scene *s) {
    return COLUMNS * s->diffusions.count;
}

sn_result sn_scene_measure_diffusions(const sn_scene *s, double *values) {
    for (size_t i = 0; i < s->diffusions.count; i++, values += COLUMNS) {
        sn_diffusion_measures m = {0};
        SN_TRY(sn_diffusion_measure(s->world, s->diffusions.items[i].diffusion, &m));
        const double all[COLUMNS] = {m.mean,     m.least,  m.most, m.content,
                                     m.received, m.liquid, m.bonds};
        for (int k = 0; k < COLUMNS; k++) values[k] = all[k];
    }
    return SN_OK;
}
