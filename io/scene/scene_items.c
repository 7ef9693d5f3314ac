/* Single nodes, constraints, damping groups, hierarchies and shape matchings of a scene. */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the library refused gets the place where it was written, which says more than its number in
   the call. */
static sn_result placed(sn_scene *s, const json_node *node, sn_result result) {
    static const char number[] = "definition 0 of 1: ";
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    char inner[320];
    const char *found = strstr(sn_last_error(), number);
    snprintf(inner, sizeof inner, "%s", found ? found + strlen(number) : sn_last_error());
    return sn_scene_complain(&s->reader, node, "%s", inner);
}

/* ---- Nodes ---- */

bool sn_scene_has_node(const sn_scene *s, const char *name) {
    for (size_t i = 0; i < s->nodes.count; i++)
        if (strcmp(s->nodes.items[i].name, name) == 0) return true;
    return false;
}

sn_result sn_scene_build_node(sn_scene *s, const json_node *node) {
    scene_node_part part = {
        .name = "", .def = sn_node_def_default(), .mass = 1, .colour = sn_io_look_default().colour};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.node, &part));
    if (*part.name) {
        SN_TRY(sn_scene_check_name(s, node, part.name));
        if (sn_scene_has_node(s, part.name) || sn_scene_find_body(s, part.name))
            return sn_scene_complain(&s->reader, node,
                                     "a body or node called \"%.64s\" is there already", part.name);
    }
    if (part.mass == 0)
        return sn_scene_complain(&s->reader, sn_json_member(node, "mass"),
                                 "is 0, expected above 0 kg, or \"auto\" for a kinematic node");
    part.def.inverse_mass = part.mass == SN_AUTO ? 0 : 1 / part.mass;
    part.def.group = (uint32_t)part.group;
    if (part.body && *part.body) {
        const scene_body *body = sn_scene_find_body(s, part.body);
        if (!body && sn_scene_is_broken(s, part.body)) return SN_ERROR_DATA;
        if (!body)
            return sn_scene_complain(&s->reader, sn_json_member(node, "body"),
                                     "unknown body \"%.64s\"", part.body);
        part.def.body = body->build.body;
    }
    SN_TRY(sn_scene_count_nodes(s, node, 1, 1));
    sn_node made;
    sn_body alone = {0};
    const bool rigid = part.def.oriented && part.def.inverse_mass > 0;
    if (rigid && part.def.body.slot == 0 && sn_scene_carries(s, part.name)) {
        SN_TRY(sn_scene_make_alone(s, &alone));
        part.def.body = alone;
    }
    SN_TRY(placed(s, node, sn_node_create(s->world, &part.def, &made)));
    if (sn_json_member(node, "radii"))
        SN_TRY(placed(s, node, sn_node_set_radii(s->world, made, part.radii)));
    scene_item *item = SCENE_ADD(s->nodes);
    if (!item) return SN_ERROR_MEMORY;
    *item = (scene_item){part.name, made, part.colour, alone};
    return SN_OK;
}

/* ---- Constraints ---- */

scene_link *sn_scene_find_link(sn_scene *s, const char *name) {
    for (size_t i = 0; i < s->links.count; i++)
        if (*name && strcmp(s->links.items[i].name, name) == 0) return &s->links.items[i];
    return NULL;
}

/* The head of every definition with a fixed number of nodes: its size, then its nodes. */
typedef struct head {
    size_t size;
    sn_node node[SN_MAX_NODES];
} head;

/* The head of definitions with a list. */
typedef struct list_head {
    size_t size;
    const sn_node *nodes;
    size_t node_count;
    const uint32_t *triangles;
    size_t triangle_count;
} list_head;

static sn_result fill_nodes(sn_scene *s, const sn_type_info *info, const json_node *source,
                            const scene_nodes *list, void *def) {
    if (list->count != (size_t)info->nodes)
        return sn_scene_complain(&s->reader, source, "means %zu node%s, expected %d for %s",
                                 list->count, list->count == 1 ? "" : "s", info->nodes, info->name);
    for (int i = 0; i < info->nodes - info->fixed_nodes; i++)
        if (list->items[i].slot == 0)
            return sn_scene_complain(&s->reader, source, "node %d is null, expected a node for %s",
                                     i, info->name);
    memcpy(&((head *)def)->node, list->items, list->count * sizeof *list->items);
    return SN_OK;
}

static sn_result read_triangles(sn_scene *s, const json_node *list, uint32_t **triangles) {
    *triangles = malloc((3 * list->count + 1) * sizeof **triangles);
    if (!*triangles) return sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
    for (size_t i = 0; i < 3 * list->count; i++) {
        size_t index;
        SN_TRY(sn_scene_read_index(&s->reader, &list->items[i / 3].items[i % 3], 0, UINT32_MAX,
                                   &index));
        (*triangles)[i] = (uint32_t)index;
    }
    return SN_OK;
}

/* The mesh of the body whose nodes these are, all of them in order; null where there is none. */
static const sn_mesh *mesh_of_nodes(const sn_scene *s, const scene_nodes *list) {
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *body = &s->bodies.items[i];
        const sn_mesh *mesh = &body->mesh->mesh;
        size_t same = 0;
        if (mesh->vertex_count != list->count) continue;
        while (same < list->count && body->nodes[same].slot == list->items[same].slot) same++;
        if (same == list->count) return mesh;
    }
    return NULL;
}

static sn_result create(sn_scene *s, const json_node *node, sn_type type,
                        scene_constraint_part *part, const scene_nodes *list,
                        uint32_t **triangles) {
    const sn_type_info *info = sn_world_type_info(s->world, type);
    if (part->triangles && info->list != SN_LIST_SURFACE)
        return sn_scene_complain(&s->reader, part->triangles,
                                 "means nothing for %s, expected a type with a surface",
                                 info->name);
    if (info->list == SN_LIST_NONE) {
        SN_TRY(fill_nodes(s, info, part->nodes, list, part->def.bytes));
    } else {
        list_head *h = (list_head *)part->def.bytes;
        h->nodes = list->items;
        h->node_count = list->count;
        if (part->triangles) {
            SN_TRY(read_triangles(s, part->triangles, triangles));
            h->triangles = *triangles;
            h->triangle_count = part->triangles->count;
        } else if (info->list == SN_LIST_SURFACE) {
            const sn_mesh *mesh = mesh_of_nodes(s, list);
            h->triangles = mesh ? (const uint32_t *)mesh->triangles : NULL;
            h->triangle_count = mesh ? mesh->triangle_count : 0;
        }
    }
    sn_constraint made;
    SN_TRY(placed(s, node, sn_constraint_create(s->world, type, part->def.bytes, &made)));
    scene_link *link = SCENE_ADD(s->links);
    if (!link) return SN_ERROR_MEMORY;
    *link = (scene_link){.name = part->name,
                         .constraint = made,
                         .type = type,
                         .shown = part->shown,
                         .colour = part->colour,
                         .source = node};
    scene_track track = {.constraints = sn_scene_take(s, 1, sizeof made), .constraint_count = 1};
    if (!track.constraints) return SN_ERROR_MEMORY;
    *track.constraints = made;
    scene_change whom = {.of = SCENE_OF_CONSTRAINT, .index = s->links.count - 1};
    SN_TRY(sn_scene_note_changes(s, node, &s->tables.constraint, sn_scene_type_object(s, type),
                                 &whom));
    SN_TRY(sn_scene_note_formula(s, node, type));
    return sn_scene_add_track(s, &part->power, &track);
}

const scene_object *sn_scene_type_object(const sn_scene *s, sn_type type) {
    return type < SN_TYPE_COUNT ? &s->tables.types[type] : &s->tables.formula;
}

sn_result sn_scene_type_default(const sn_scene *s, sn_type type, void *def) {
    return type < SN_TYPE_COUNT ? sn_type_default(type, def)
                                : sn_user_def_default(s->world, type, def);
}

/* Of a formula what is written comes first, which says what type it is, and then its defaults. */
static sn_result read_constraint(sn_scene *s, const json_node *node, const scene_object *variant,
                                 scene_constraint_part *part, scene_nodes *list, sn_type *type) {
    bool formula = variant == &s->tables.types[SN_TYPE_COUNT];
    if (!formula) SN_TRY(sn_type_by_name(variant->name, type));
    bool fixed = formula || sn_type_get_info(*type)->list == SN_LIST_NONE;
    if (formula) {
        SN_TRY(sn_scene_read(&s->reader, node, &s->tables.constraint, part));
        SN_TRY(sn_scene_select(s, part->nodes, fixed, list));
        SN_TRY(sn_scene_get_formula(s, node, part, list, type));
    }
    SN_TRY(sn_scene_type_default(s, *type, part->def.bytes));
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.constraint, part));
    if (*part->name) {
        SN_TRY(sn_scene_check_name(s, node, part->name));
        if (sn_scene_find_link(s, part->name))
            return sn_scene_complain(&s->reader, node,
                                     "a constraint called \"%.64s\" is there already", part->name);
    }
    return formula ? SN_OK : sn_scene_select(s, part->nodes, fixed, list);
}

sn_result sn_scene_build_constraint(sn_scene *s, const json_node *node) {
    const scene_object *variant = sn_scene_variant(&s->reader, node, &s->tables.constraint);
    if (!variant) return SN_ERROR_DATA;
    sn_type type = SN_TYPE_COUNT;
    scene_constraint_part part = {
        .name = "", .colour = sn_io_look_default().colour, .power.enabled = true};
    scene_nodes list = {0};
    uint32_t *triangles = NULL;
    sn_result result = read_constraint(s, node, variant, &part, &list, &type);
    if (result == SN_OK) result = create(s, node, type, &part, &list, &triangles);
    free(list.items);
    free(triangles);
    return result;
}

/* Of types with lists a definition is complete only with their nodes and triangles. */
static sn_result set_list(sn_scene *s, sn_constraint constraint, list_head *def, sn_node *nodes,
                          uint32_t *triangles) {
    size_t count;
    if (!nodes || !triangles) return sn_fail(SN_ERROR_MEMORY, "there is no memory for the scene");
    SN_TRY(sn_constraint_get_nodes(s->world, constraint, nodes, def->node_count, &count));
    SN_TRY(
        sn_constraint_get_triangles(s->world, constraint, triangles, def->triangle_count, &count));
    def->nodes = nodes;
    def->triangles = triangles;
    return sn_constraint_set(s->world, constraint, def);
}

sn_result sn_scene_set_constraint(sn_scene *s, sn_constraint constraint, sn_type type, void *def) {
    if (sn_world_type_info(s->world, type)->list == SN_LIST_NONE)
        return sn_constraint_set(s->world, constraint, def);
    list_head *list = def;
    SN_TRY(sn_constraint_get_nodes(s->world, constraint, NULL, 0, &list->node_count));
    SN_TRY(sn_constraint_get_triangles(s->world, constraint, NULL, 0, &list->triangle_count));
    sn_node *nodes = malloc((list->node_count + 1) * sizeof *nodes);
    uint32_t *triangles = malloc((3 * list->triangle_count + 1) * sizeof *triangles);
    sn_result result = set_list(s, constraint, list, nodes, triangles);
    free(nodes);
    free(triangles);
    return result;
}

/* ---- Clusters ---- */

sn_result sn_scene_build_damping_group(sn_scene *s, const json_node *node) {
    scene_damping_group_part part = {.def = sn_damping_group_def_default()};
    scene_nodes list = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.damping_group, &part));
    sn_result result = sn_scene_select(s, part.nodes, false, &list);
    if (result == SN_OK) {
        sn_damping_group damping_group;
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        result = placed(s, node, sn_damping_group_create(s->world, &part.def, &damping_group));
        scene_change whom = {.of = SCENE_OF_DAMPING_GROUP, .damping_group = damping_group};
        if (result == SN_OK)
            result = sn_scene_note_changes(s, node, &s->tables.damping_group, NULL, &whom);
    }
    free(list.items);
    return result;
}

/* ---- Crowds ---- */

sn_result sn_scene_build_crowd(sn_scene *s, const json_node *node) {
    scene_crowd_part part = {.goal = {SN_AUTO, SN_AUTO, SN_AUTO}, .def = sn_crowd_def_default()};
    scene_nodes list = {0};
    sn_vec3 *goals = NULL;
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.crowd, &part));
    sn_result result = sn_scene_select(s, part.nodes, false, &list);
    if (result == SN_OK) goals = calloc(list.count + 1, sizeof *goals);
    if (result == SN_OK && !goals) result = SN_ERROR_MEMORY;
    for (size_t i = 0; result == SN_OK && i < list.count; i++) {
        sn_node_def def;
        result = sn_node_get(s->world, list.items[i], &def);
        goals[i] = (sn_vec3){def.position.x + part.walk.x, def.position.y + part.walk.y,
                             def.position.z + part.walk.z};
        if (part.goal.x != SN_AUTO) goals[i] = part.goal;
    }
    if (result == SN_OK) {
        sn_crowd crowd;
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        part.def.goals = goals;
        result = placed(s, node, sn_crowd_create(s->world, &part.def, &crowd));
    }
    free(goals);
    free(list.items);
    return result;
}

/* ---- Doughs ---- */

sn_result sn_scene_build_dough(sn_scene *s, const json_node *node) {
    scene_dough_part part = {.def = sn_dough_def_default()};
    scene_nodes list = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.dough, &part));
    sn_result result = sn_scene_select(s, part.nodes, false, &list);
    size_t count = list.count;
    if (result == SN_OK && part.reserve) result = sn_scene_select(s, part.reserve, false, &list);
    if (result == SN_OK) {
        sn_dough dough;
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        part.def.waiting = (uint32_t)(list.count - count);
        result = placed(s, node, sn_dough_create(s->world, &part.def, &dough));
    }
    free(list.items);
    return result;
}

/* ---- Fluids ---- */

sn_result sn_scene_build_fluid(sn_scene *s, const json_node *node) {
    scene_fluid_part part = {.def = sn_fluid_def_default()};
    scene_nodes list = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.fluid, &part));
    sn_result result = sn_scene_select(s, part.nodes, false, &list);
    if (result == SN_OK) {
        sn_fluid fluid;
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        result = placed(s, node, sn_fluid_create(s->world, &part.def, &fluid));
    }
    free(list.items);
    return result;
}

/* ---- Hierarchies ---- */

sn_result sn_scene_build_hierarchy(sn_scene *s, const json_node *node) {
    scene_hierarchy_part part = {.def = sn_hierarchy_def_default()};
    scene_nodes list = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.hierarchy, &part));
    sn_result result = sn_scene_select(s, part.nodes, false, &list);
    if (result == SN_OK) {
        sn_hierarchy hierarchy;
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        result = placed(s, node, sn_hierarchy_create(s->world, &part.def, &hierarchy));
    }
    free(list.items);
    return result;
}

/* ---- Matchings ---- */

static sn_result make_regions(const sn_scene *s, scene_shape_matching_part *part,
                              const scene_nodes *list, sn_regions *regions) {
    if (part->regions == SCENE_REGIONS_WHOLE) return SN_OK;
    sn_vec3 *points = calloc(list->count + 1, sizeof *points);
    sn_result result = points ? SN_OK : SN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count && result == SN_OK; i++) {
        sn_node_def def;
        result = sn_node_get(s->world, list->items[i], &def);
        points[i] = def.position;
    }
    if (result == SN_OK)
        result = part->regions == SCENE_REGIONS_BALLS
                     ? sn_regions_balls(points, list->count, part->radius, regions)
                     : sn_regions_cubes(points, list->count, part->spacing, (uint32_t)part->omega,
                                        regions);
    free(points);
    part->def.first = regions->first;
    part->def.members = regions->members;
    part->def.centres = regions->centres;
    part->def.region_count = regions->count;
    return result;
}

sn_result sn_scene_build_shape_matching(sn_scene *s, const json_node *node) {
    scene_shape_matching_part part = {.omega = 1,
                                      .radius = (sn_real)0.1,
                                      .spacing = (sn_real)0.1,
                                      .def = sn_shape_matching_def_default()};
    scene_nodes list = {0};
    sn_regions regions = sn_regions_default();
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.shape_matching, &part));
    sn_result result = sn_scene_select(s, part.nodes, false, &list);
    if (result == SN_OK) result = placed(s, node, make_regions(s, &part, &list, &regions));
    if (result == SN_OK) {
        sn_shape_matching matching;
        part.def.nodes = list.items;
        part.def.node_count = list.count;
        result = placed(s, node, sn_shape_matching_create(s->world, &part.def, &matching));
    }
    sn_regions_free(&regions);
    free(list.items);
    return result;
}
