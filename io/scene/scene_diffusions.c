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
    const sn_vec3 none = {SN_AUTO, SN_AUTO, SN_AUTO};
    scene_diffusion_part part = {.def = sn_diffusion_def_default(), .tint = {0, 1, none, none}};
    scene_nodes list = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.diffusion, &part));
    SN_TRY(sn_scene_select(s, part.nodes, false, &list));
    scene_diffusion *made = SCENE_ADD(s->diffusions);
    sn_result result = made ? SN_OK : SN_ERROR_MEMORY;
    if (made) {
        part.def.quantity = (uint32_t)part.quantity;
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        *made = (scene_diffusion){.name = part.name, .tint = part.tint};
        result = finish(s, node, sn_diffusion_create(s->world, &part.def, &made->diffusion));
    }
    free(list.items);
    return result;
}

static sn_vec3 tint_of(const scene_tint *tint, sn_real value) {
    double span = (double)tint->high - (double)tint->low;
    double part = span != 0 ? ((double)value - (double)tint->low) / span : value > tint->low;
    sn_real t = (sn_real)(part < 0 ? 0 : part > 1 ? 1 : part);
    sn_vec3 a = tint->low_colour, b = tint->high_colour;
    return (sn_vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

/* Where nodes of the world are in the list of a diffusion, from 1. */
static sn_result tint_by(const sn_scene *s, const scene_diffusion *d, const sn_node *nodes,
                         size_t count, sn_vec3 *colours, bool *any) {
    sn_diffusion_def def;
    size_t most = 0;
    SN_TRY(sn_diffusion_get(s->world, d->diffusion, &def));
    for (size_t i = 0; i < def.node_count; i++)
        if (def.nodes[i].slot > most) most = def.nodes[i].slot;
    size_t *place = calloc(most + 1, sizeof *place);
    if (!place) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < def.node_count; i++) place[def.nodes[i].slot] = i + 1;
    sn_result result = SN_OK;
    for (size_t i = 0; i < count && result == SN_OK; i++) {
        sn_real value, liquid;
        if (nodes[i].slot > most || place[nodes[i].slot] == 0) continue;
        if (!sn_node_is_valid(s->world, nodes[i])) continue;
        result = sn_diffusion_get_value(s->world, d->diffusion, place[nodes[i].slot] - 1, &value,
                                        &liquid);
        colours[i] = tint_of(&d->tint, value);
        *any = true;
    }
    free(place);
    return result;
}

sn_result sn_scene_tint_nodes(const sn_scene *s, const sn_node *nodes, size_t count,
                              sn_vec3 otherwise, sn_vec3 *colours, bool *any) {
    *any = false;
    for (size_t i = 0; i < count; i++) colours[i] = otherwise;
    for (size_t k = 0; k < s->diffusions.count; k++) {
        const scene_diffusion *d = &s->diffusions.items[k];
        if (d->tint.low_colour.x == SN_AUTO || d->tint.high_colour.x == SN_AUTO) continue;
        if (sn_diffusion_is_valid(s->world, d->diffusion))
            SN_TRY(tint_by(s, d, nodes, count, colours, any));
    }
    return SN_OK;
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
