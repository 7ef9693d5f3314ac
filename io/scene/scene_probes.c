/*
 * Probes of a scene: rays, balls, regions and points that are asked of the world whenever its
 * statistics are, by sinew/query.h.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <math.h>
#include <string.h>

const char *const sn_scene_probe_columns[SCENE_PROBE_COLUMNS] = {
    "hits", "distance [m]", "x [m]", "y [m]", "z [m]", "kind", "object"};

static bool is_zero(sn_vec3 a) {
    return a.x == 0 && a.y == 0 && a.z == 0;
}

sn_result sn_scene_build_probe(sn_scene *s, const json_node *node) {
    static const uint32_t kinds[] = {SN_HIT_NODE | SN_HIT_COLLIDER | SN_HIT_SURFACE, SN_HIT_NODE,
                                     SN_HIT_COLLIDER, SN_HIT_SURFACE};
    scene_probe probe = {.part = {.direction = {0, -1, 0}, .length = SN_AUTO},
                         .filter = sn_filter_def_default()};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_probe_object, &probe.part));
    SN_TRY(sn_scene_read_mask(s, probe.part.groups, &probe.filter.groups));
    probe.filter.kinds = kinds[probe.part.objects];
    probe.filter.skip_inside = probe.part.skip_inside;
    bool region = probe.part.ask == SCENE_PROBE_OVERLAP;
    if (probe.part.ask == SCENE_PROBE_CAST && is_zero(probe.part.direction))
        return sn_scene_complain(&s->reader, sn_json_member(node, "direction"),
                                 "has the length 0, expected a direction");
    if (region && !is_zero(probe.part.extent) && probe.part.radius > 0)
        return sn_scene_complain(&s->reader, node,
                                 "has a \"radius\" and an \"extent\", expected a ball or a box");
    for (size_t i = 0; i < s->probes.count; i++)
        if (strcmp(s->probes.items[i].part.name, probe.part.name) == 0)
            return sn_scene_complain(&s->reader, sn_json_member(node, "name"),
                                     "a probe called \"%.64s\" is there already", probe.part.name);
    scene_probe *made = SCENE_ADD(s->probes);
    if (!made) return SN_ERROR_MEMORY;
    *made = probe;
    return SN_OK;
}

/* The number of the collider in the scene, or of the body of a node or a skin; -1 for what belongs
   to none. */
static double object_of(const sn_scene *s, const sn_hit *hit) {
    for (size_t i = 0; hit->kind == SN_HIT_COLLIDER && i < s->colliders.count; i++)
        if (s->colliders.items[i].collider.slot == hit->collider.slot) return (double)i;
    sn_node_def node = sn_node_def_default();
    if (hit->node_count == 0 || sn_node_get(s->world, hit->node[0], &node) != SN_OK) return -1;
    for (size_t i = 0; node.body.slot > 0 && i < s->bodies.count; i++)
        if (s->bodies.items[i].build.body.slot == node.body.slot) return (double)i;
    return -1;
}

static sn_vec3 sum_of(sn_vec3 a, sn_vec3 b, sn_real sign) {
    return (sn_vec3){a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z};
}

/* How many there are, and the first of them. */
static sn_result ask(const sn_scene *s, const scene_probe *probe, sn_hit *hit, size_t *count) {
    const scene_probe_part *p = &probe->part;
    if (p->ask == SCENE_PROBE_OVERLAP && !is_zero(p->extent))
        return sn_query_overlap_box(s->query, sum_of(p->origin, p->extent, -1),
                                    sum_of(p->origin, p->extent, 1), &probe->filter, hit, 1, count);
    if (p->ask == SCENE_PROBE_OVERLAP)
        return sn_query_overlap_sphere(s->query, p->origin, p->radius, &probe->filter, hit, 1,
                                       count);
    sn_cast_def cast = sn_cast_def_default();
    cast.origin = p->origin;
    cast.direction = p->direction;
    cast.length = p->length;
    cast.radius = p->radius;
    sn_result result = p->ask == SCENE_PROBE_CAST
                           ? sn_query_cast(s->query, &cast, &probe->filter, hit)
                           : sn_query_closest(s->query, p->origin, p->length, &probe->filter, hit);
    *count = result == SN_OK && hit->kind != SN_HIT_NONE;
    return result;
}

sn_result sn_scene_refresh_query(sn_scene *s) {
    return s->query ? sn_query_refresh(s->query, s->world) : sn_query_create(s->world, &s->query);
}

sn_result sn_scene_ask_probes(sn_scene *s, double *values) {
    if (s->probes.count == 0) return SN_OK;
    SN_TRY(sn_scene_refresh_query(s));
    for (size_t i = 0; i < s->probes.count; i++, values += SCENE_PROBE_COLUMNS) {
        sn_hit hit = {.kind = SN_HIT_NONE};
        size_t count = 0;
        SN_TRY(ask(s, &s->probes.items[i], &hit, &count));
        bool found = count > 0;
        values[0] = (double)count;
        values[1] = found ? (double)hit.distance : NAN;
        values[2] = found ? (double)hit.point.x : NAN;
        values[3] = found ? (double)hit.point.y : NAN;
        values[4] = found ? (double)hit.point.z : NAN;
        values[5] = found ? (double)hit.kind : 0;
        values[6] = found ? object_of(s, &hit) : -1;
    }
    return SN_OK;
}
