/* The colliders of a scene, and what they look like. */
#include "io/scene/scene_state.h"

#include "io/animation/place.h"

#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

scene_collider *sn_scene_find_collider(const sn_scene *s, const char *name) {
    for (size_t i = 0; i < s->colliders.count; i++)
        if (strcmp(s->colliders.items[i].name, name) == 0) return &s->colliders.items[i];
    return NULL;
}

sn_result sn_scene_read_mask(sn_scene *s, const json_node *groups, uint32_t *mask) {
    if (!groups) return SN_OK;
    *mask = 0;
    for (size_t i = 0; i < groups->count; i++) {
        size_t group;
        SN_TRY(sn_scene_read_index(&s->reader, &groups->items[i], 0, 31, &group));
        *mask |= UINT32_C(1) << group;
    }
    return SN_OK;
}

/* ---- Geometry ---- */

/* The vertices of a mesh, larger or smaller. */
static sn_result scale_mesh(sn_scene *s, const sn_mesh *mesh, sn_real scale, sn_geometry *g) {
    sn_vec3 *x = sn_scene_take(s, mesh->vertex_count + 1, sizeof *x);
    if (!x) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < mesh->vertex_count; i++)
        x[i] = (sn_vec3){scale * mesh->positions[i].x, scale * mesh->positions[i].y,
                         scale * mesh->positions[i].z};
    g->vertices = x;
    g->vertex_count = mesh->vertex_count;
    g->triangles = (const uint32_t(*)[3])mesh->triangles;
    g->triangle_count = mesh->triangle_count;
    return SN_OK;
}

static sn_result read_heights(sn_scene *s, const json_node *rows, sn_geometry *g) {
    size_t columns = rows->count > 0 ? rows->items[0].count : 0;
    sn_real *heights = sn_scene_take(s, rows->count * columns + 1, sizeof *heights);
    if (!heights) return SN_ERROR_MEMORY;
    for (size_t j = 0; j < rows->count; j++) {
        const json_node *row = &rows->items[j];
        if (row->count != columns)
            return sn_scene_complain(&s->reader, row,
                                     "has %zu heights, expected %zu as in the first row",
                                     row->count, columns);
        for (size_t i = 0; i < columns; i++) {
            double height;
            SN_TRY(sn_scene_read_number(&s->reader, &row->items[i], &height));
            heights[j * columns + i] = (sn_real)height;
        }
    }
    g->heights = heights;
    g->points[0] = (uint32_t)columns;
    g->points[1] = (uint32_t)rows->count;
    return SN_OK;
}

static sn_result read_geometry(sn_scene *s, const json_node *node, scene_geometry *from,
                               sn_geometry *g) {
    g->two_sided = from->two_sided;
    g->spacing = from->spacing;
    if (!(from->scale > 0))
        return sn_scene_complain(&s->reader, sn_json_member(node, "scale"),
                                 "is 0, expected above 0");
    if (from->heights) SN_TRY(read_heights(s, from->heights, g));
    if (!from->mesh) return SN_OK;
    SN_TRY(sn_scene_get_mesh(s, from->mesh, &from->made));
    SN_TRY(scale_mesh(s, &from->made->mesh, from->scale, g));
    return sn_scene_check_field(s, node, g);
}

/* What only some shapes have, and what those cannot do without. A key that means nothing for the
   shape is mostly a shape that was forgotten. */
static sn_result check_keys(sn_scene *s, const json_node *node, sn_shape shape) {
    const struct {
        const char *key;
        unsigned shapes; /* bits of sn_shape */
        bool needed;
    } keys[] = {
        {"mesh", 1u << SN_SHAPE_MESH | 1u << SN_SHAPE_HULL | 1u << SN_SHAPE_SDF,
         !sn_json_member(node, "animation")},
        {"animation", 1u << SN_SHAPE_MESH, false},
        {"heights", 1u << SN_SHAPE_HEIGHTS, true},
        {"parts", 1u << SN_SHAPE_COMPOUND, true},
        {"two_sided", 1u << SN_SHAPE_MESH, false},
        {"scale", 1u << SN_SHAPE_MESH | 1u << SN_SHAPE_HULL | 1u << SN_SHAPE_SDF, false},
        {"extent",
         1u << SN_SHAPE_BOX | 1u << SN_SHAPE_CAPSULE | 1u << SN_SHAPE_CYLINDER |
             1u << SN_SHAPE_HEIGHTS,
         false},
        {"spacing", 1u << SN_SHAPE_SDF, false},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const json_node *value = sn_json_member(node, keys[i].key);
        bool fits = keys[i].shapes & 1u << shape;
        if (value && !fits)
            return sn_scene_complain(&s->reader, value, "means nothing for this shape");
        if (!value && fits && keys[i].needed)
            return sn_scene_complain(&s->reader, node, "has no \"%s\", which its shape needs",
                                     keys[i].key);
    }
    return SN_OK;
}

/* The shapes of parts begin with the second of colliders. */
static sn_result read_parts(sn_scene *s, const json_node *list, sn_collider_def *def) {
    sn_collider_part *parts = sn_scene_take(s, list->count + 1, sizeof *parts);
    if (!parts) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++) {
        scene_piece_part piece = {.part = sn_collider_part_default(),
                                  .geometry = {.scale = 1, .spacing = SN_AUTO}};
        SN_TRY(sn_scene_read(&s->reader, &list->items[i], &sn_scene_piece_object, &piece));
        piece.part.shape = (sn_shape)(piece.shape + SN_SHAPE_SPHERE);
        SN_TRY(check_keys(s, &list->items[i], piece.part.shape));
        SN_TRY(read_geometry(s, &list->items[i], &piece.geometry, &piece.part.geometry));
        parts[i] = piece.part;
    }
    def->parts = parts;
    def->part_count = list->count;
    return SN_OK;
}

/* Where the frame of its look is now: its own, or that of a node. */
static bool find_frame(const sn_scene *s, const scene_collider *c, sn_collider_def *def) {
    sn_node_def node = sn_node_def_default();
    if (c->shown_on.slot == 0) return sn_collider_get(s->world, c->collider, def) == SN_OK;
    if (sn_node_get(s->world, c->shown_on, &node) != SN_OK) return false;
    def->position = node.position;
    def->orientation = node.orientation;
    def->velocity = node.velocity;
    def->angular_velocity = node.angular_velocity;
    return true;
}

bool sn_scene_place_collider(const sn_scene *s, const scene_collider *c, sn_io_pose *pose,
                             sn_io_rigid *rigid, sn_vec3 *positions, sn_vec3 *velocities) {
    sn_collider_def def = sn_collider_def_default();
    if (!find_frame(s, c, &def)) return false;
    *pose = (sn_io_pose){def.position, def.orientation};
    *rigid =
        (sn_io_rigid){.vertex_count = c->look->mesh.vertex_count,
                      .vertices = c->animation ? def.geometry.vertices : c->look->mesh.positions,
                      .velocity = def.velocity,
                      .angular_velocity = def.angular_velocity};
    sn_io_place(pose, rigid, positions, velocities);
    double q[4] = {(double)def.orientation.x, (double)def.orientation.y, (double)def.orientation.z,
                   (double)def.orientation.w};
    if (c->animation) sn_scene_add_animated_velocities(s, c, q, velocities);
    return true;
}

/* ---- Building ---- */

/* The animation of a collider, which gives its geometry the vertices. */
static sn_result read_animation(sn_scene *s, const json_node *node, scene_collider_part *part,
                                size_t *animation) {
    const scene_mesh *mesh = part->geometry.made;
    sn_vec3 v = part->def.velocity, w = part->def.angular_velocity;
    if (v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0)
        return sn_scene_complain(&s->reader, node,
                                 "has an animation and a velocity, expected a motion for what it "
                                 "does as a whole");
    return sn_scene_open_animation(s, part->animation, mesh ? &mesh->mesh : NULL,
                                   part->geometry.scale, &part->def.geometry, animation);
}

/* Texture coordinates of what a mesh collider was made of. */
static const sn_real (*uvs_of(const sn_scene *s, const scene_collider_part *part,
                              size_t animation))[2] {
    const scene_mesh *mesh = part->geometry.made;
    if (part->def.shape != SN_SHAPE_MESH) return NULL;
    if (mesh) return mesh->embedding ? NULL : (const sn_real(*)[2])mesh->uvs;
    if (!animation) return NULL;
    return (const sn_real(*)[2])sn_io_animation_uvs(s->animations.items[animation - 1].animation);
}

/* The colours of its vertices, likewise, where it says none itself. */
static const sn_vec3 *colours_of(const sn_scene *s, const scene_collider_part *part,
                                 size_t animation) {
    const scene_mesh *mesh = part->geometry.made;
    if (part->def.shape != SN_SHAPE_MESH || part->look.colour.x != SN_AUTO) return NULL;
    if (mesh) return mesh->embedding ? NULL : mesh->colours;
    if (!animation) return NULL;
    return sn_io_animation_colours(s->animations.items[animation - 1].animation);
}

/* The materials of what a mesh collider was made of. */
static sn_result take_materials(sn_scene *s, const scene_collider_part *part, size_t animation,
                                scene_collider *collider) {
    const scene_mesh *mesh = part->geometry.made;
    const sn_io_look *look = NULL;
    if (part->def.shape != SN_SHAPE_MESH || (mesh && mesh->embedding)) return SN_OK;
    if (mesh) {
        look = mesh->look;
        collider->materials = mesh->materials;
    } else if (animation) {
        const sn_io_materials *own =
            sn_io_animation_materials(s->animations.items[animation - 1].animation);
        look = own->count == 1 ? &own->looks[0] : NULL;
        collider->materials = own->count > 1 ? own : NULL;
    }
    sn_scene_apply_material(look, collider->uvs, &collider->drawn);
    if (collider->drawn.colour.x != SN_AUTO) collider->colours = NULL;
    return sn_scene_apply_materials(s, collider->materials, collider->uvs, &collider->drawn,
                                    &collider->skins);
}

/* ---- Who is carried ---- */

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of all nodes that carry something, sorted. */
sn_result sn_scene_note_carriers(sn_scene *s) {
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *list = s->roots[f].colliders;
        bool several = list && list->kind == JSON_ARRAY;
        for (size_t i = 0; several && i < list->count; i++) {
            const json_node *carrier = sn_json_member(&list->items[i], "carrier");
            if (!carrier || carrier->kind != JSON_STRING) continue;
            const char **name = SCENE_ADD(s->carriers);
            if (!name) return SN_ERROR_MEMORY;
            *name = carrier->text;
        }
    }
    if (s->carriers.count > 0)
        qsort(s->carriers.items, s->carriers.count, sizeof *s->carriers.items, compare_names);
    return SN_OK;
}

bool sn_scene_carries(const sn_scene *s, const char *name) {
    return s->carriers.count > 0 && bsearch(&name, s->carriers.items, s->carriers.count,
                                            sizeof *s->carriers.items, compare_names);
}

/* The node that carries a collider. */
static sn_result carry(sn_scene *s, const json_node *named, sn_collider collider) {
    scene_nodes one = {0};
    sn_result result = sn_scene_select(s, named, true, &one);
    if (result == SN_OK && (one.count != 1 || one.items[0].slot == 0))
        result = sn_scene_complain(&s->reader, named, "means %zu nodes, expected one", one.count);
    if (result == SN_OK) {
        result = sn_collider_set_carrier(s->world, collider, one.items[0]);
        if (result != SN_OK && result != SN_ERROR_MEMORY)
            result = sn_scene_complain_within(&s->reader, named);
    }
    free(one.items);
    return result;
}

/*
 * What is rigid is a body of its own: integrators that remember begin anew with what is struck as a
 * whole, and it sleeps by itself.
 */
sn_result sn_scene_make_alone(sn_scene *s, sn_body *body) {
    const sn_body_def def = sn_body_def_default();
    return sn_body_create(s->world, &def, body);
}

/* A rigid body: its node has the name of the collider, by which others name it. */
static sn_result check_rigid(sn_scene *s, const json_node *node, const scene_collider_part *part) {
    if (sn_json_member(node, "mass") && sn_json_member(node, "density"))
        return sn_scene_complain(&s->reader, node, "has a mass and a density, expected one");
    if (part->carrier || part->animation)
        return sn_scene_complain(&s->reader, node, "has a mass or density and %s, expected one",
                                 part->carrier ? "a carrier" : "an animation");
    if (sn_scene_has_node(s, part->name))
        return sn_scene_complain(&s->reader, node, "a node called \"%.64s\" is there already",
                                 part->name);
    return sn_scene_count_nodes(s, node, 1, 1);
}

static sn_result make_rigid(sn_scene *s, scene_collider_part *part, scene_collider *collider) {
    part->rigid.group = (uint32_t)part->group;
    SN_TRY(sn_scene_make_alone(s, &part->rigid.body));
    SN_TRY(
        sn_rigid_create(s->world, &part->rigid, &part->def, &collider->node, &collider->collider));
    scene_item *item = SCENE_ADD(s->nodes);
    if (!item) return SN_ERROR_MEMORY;
    *item = (scene_item){part->name, collider->node, sn_io_look_default().colour, part->rigid.body};
    return SN_OK;
}

/* What is drawn of a collider, in its frame. */
static sn_result add_look(sn_scene *s, scene_collider *collider) {
    scene_mesh *look = sn_scene_take(s, 1, sizeof *look);
    if (!look) return SN_ERROR_MEMORY;
    *look = (scene_mesh){
        .name = "", .mesh = sn_mesh_default(), .visible = sn_mesh_default(), .next = s->meshes};
    s->meshes = look;
    collider->look = look;
    return sn_io_collider_mesh(&collider->start, &look->mesh);
}

static sn_result build_one(sn_scene *s, const json_node *node, scene_collider_part *part,
                           size_t animation, bool rigid) {
    if (sn_scene_find_collider(s, part->name) || sn_scene_find_body(s, part->name))
        return sn_scene_complain(
            &s->reader, node, "a body or collider called \"%.64s\" is there already", part->name);
    if (rigid) SN_TRY(check_rigid(s, node, part));
    scene_collider *collider = SCENE_ADD(s->colliders);
    if (!collider) return SN_ERROR_MEMORY;
    *collider = (scene_collider){.name = part->name, .drawn = part->look, .animation = animation};
    if (collider->drawn.thickness == SN_AUTO) collider->drawn.thickness = 0;
    collider->uvs = uvs_of(s, part, animation);
    collider->colours = colours_of(s, part, animation);
    SN_TRY(take_materials(s, part, animation, collider));
    sn_result result = rigid ? make_rigid(s, part, collider)
                             : sn_collider_create(s->world, &part->def, &collider->collider);
    collider->start = sn_collider_def_default();
    if (result == SN_OK) result = sn_collider_get(s->world, collider->collider, &collider->start);
    collider->next_position = collider->start.position;
    collider->next_orientation = collider->start.orientation;
    if (result == SN_OK) result = add_look(s, collider);
    if (result == SN_ERROR_MEMORY) return SN_ERROR_MEMORY;
    if (result != SN_OK) return sn_scene_complain_within(&s->reader, node);
    if (part->carrier) SN_TRY(carry(s, part->carrier, collider->collider));
    scene_change whom = {.of = SCENE_OF_COLLIDER, .index = s->colliders.count - 1};
    return sn_scene_note_changes(s, node, &s->tables.collider, NULL, &whom);
}

/* Beside each other, and called by numbers. */
static sn_result build_copies(sn_scene *s, const json_node *node, const scene_collider_part *part,
                              bool rigid) {
    scene_copies copies = {{1, 1, 1}, {0, 0, 0}};
    SN_TRY(sn_scene_read(&s->reader, part->copies, &sn_scene_copies_object, &copies));
    if (part->animation)
        return sn_scene_complain(&s->reader, part->copies, "means nothing with an animation");
    double count = (double)copies.count[0] * copies.count[1] * copies.count[2];
    if (!rigid) SN_TRY(sn_scene_count_nodes(s, part->copies, count, 1));
    size_t number = 0;
    for (uint32_t z = 0; z < copies.count[2]; z++)
        for (uint32_t y = 0; y < copies.count[1]; y++)
            for (uint32_t x = 0; x < copies.count[0]; x++) {
                scene_collider_part one = *part;
                one.name = sn_scene_text(s, "%s_%zu", part->name, number++);
                if (!one.name) return SN_ERROR_MEMORY;
                one.def.position.x += (sn_real)x * copies.step.x;
                one.def.position.y += (sn_real)y * copies.step.y;
                one.def.position.z += (sn_real)z * copies.step.z;
                SN_TRY(build_one(s, node, &one, 0, rigid));
            }
    return SN_OK;
}

sn_result sn_scene_build_collider(sn_scene *s, const json_node *node) {
    scene_collider_part part = {.def = sn_collider_def_default(),
                                .geometry = {.scale = 1, .spacing = SN_AUTO},
                                .rigid = sn_rigid_def_default(),
                                .look = sn_io_look_default()};
    bool rigid = sn_json_member(node, "mass") || sn_json_member(node, "density");
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.collider, &part));
    SN_TRY(sn_scene_check_name(s, node, part.name));
    SN_TRY(sn_scene_read_mask(s, part.groups, &part.def.mask));
    SN_TRY(sn_scene_check_friction(s, node, part.def.static_friction, &part.def.dynamic_friction));
    SN_TRY(sn_scene_get_surface(s, node, part.surface, &part.def.material));
    SN_TRY(sn_scene_read_texture(s, node, part.texture, &part.look));
    SN_TRY(check_keys(s, node, part.def.shape));
    size_t animation = 0;
    SN_TRY(read_geometry(s, node, &part.geometry, &part.def.geometry));
    if (part.animation) SN_TRY(read_animation(s, node, &part, &animation));
    if (part.parts) SN_TRY(read_parts(s, part.parts, &part.def));
    const json_node *group = sn_json_member(node, "group");
    if (group && !rigid)
        return sn_scene_complain(&s->reader, group, "means nothing without a mass or density");
    if (part.copies) return build_copies(s, node, &part, rigid);
    return build_one(s, node, &part, animation, rigid);
}
