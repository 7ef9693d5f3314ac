/* The bodies of a scene: a mesh, a material, a place, and what is pinned. */
#include "io/scene/scene_children.h"
#include "io/scene/scene_foam.h"

#include <sinew/support.h>

#include <stdlib.h>
#include <string.h>

/* ---- Materials ---- */

typedef struct chosen {
    sn_kind kind;
    scene_bytes fields;
    scene_maps maps;
    const json_node *source; /* null for a preset alone */
} chosen;

/* Whether bodies of a kind can be built from a mesh. */
static bool fits(sn_kind kind, const sn_mesh *mesh) {
    if (mesh->tet_count > 0) return kind == SN_KIND_SOLID;
    if (mesh->triangle_count > 0) return kind == SN_KIND_CLOTH;
    if (mesh->line_count > 0) return kind == SN_KIND_ROPE || kind == SN_KIND_ROD;
    return kind == SN_KIND_PARTICLES || kind == SN_KIND_FLUID || kind == SN_KIND_GAS;
}

/* The name of a preset, of the first kind that has it and fits the mesh. */
static bool find_preset(const char *name, const sn_mesh *mesh, chosen *material) {
    const sn_preset_info *info;
    for (size_t i = 0; (info = sn_preset_at(i)); i++)
        if (strcmp(info->name, name) == 0 && fits(info->kind, mesh)) {
            material->kind = info->kind;
            return sn_preset_get(info->kind, name, material->fields.bytes) == SN_OK;
        }
    return false;
}

static sn_result unknown_material(sn_scene *s, const json_node *node, const char *name,
                                  const sn_mesh *mesh) {
    const sn_preset_info *info;
    sn_suggestion guess = {0};
    bool elsewhere = false;
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *map = s->roots[f].materials;
        bool object = map && map->kind == JSON_OBJECT;
        for (size_t i = 0; object && i < map->count; i++)
            sn_suggest(&guess, name, map->items[i].key);
    }
    for (size_t i = 0; (info = sn_preset_at(i)); i++) {
        elsewhere = elsewhere || strcmp(info->name, name) == 0;
        if (fits(info->kind, mesh)) sn_suggest(&guess, name, info->name);
    }
    if (elsewhere)
        return sn_scene_complain(
            &s->reader, node, "no kind of body that fits the mesh has the preset \"%.64s\"", name);
    if (guess.word)
        return sn_scene_complain(
            &s->reader, node, "unknown material \"%.64s\"; did you mean \"%s\"?", name, guess.word);
    return sn_scene_complain(
        &s->reader, node, "unknown material \"%.64s\"; docs/materials.md lists the presets", name);
}

static sn_result unknown_preset(sn_scene *s, const json_node *node, const char *name,
                                sn_kind kind) {
    const sn_preset_info *info;
    sn_suggestion guess = {0};
    for (size_t i = 0; (info = sn_preset_at(i)); i++)
        if (info->kind == kind) sn_suggest(&guess, name, info->name);
    return sn_scene_complain(&s->reader, node, "%s has no preset \"%.64s\"%s%s%s",
                             sn_kind_get_info(kind)->name, name,
                             guess.word ? "; did you mean \"" : "", guess.word ? guess.word : "",
                             guess.word ? "\"?" : "; docs/materials.md lists them");
}

/* The preset first, then what the scene says. */
static sn_result read_material(sn_scene *s, const json_node *node, chosen *material) {
    const scene_object *variant;
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.material, NULL));
    variant = sn_scene_variant(&s->reader, node, &s->tables.material);
    if (!variant) return SN_ERROR_DATA;
    SN_TRY(sn_kind_by_name(variant->name, &material->kind));
    scene_material part = {.preset = NULL};
    SN_TRY(sn_kind_default(material->kind, part.fields.bytes));
    const json_node *preset = sn_json_member(node, "preset");
    const char *name = NULL;
    if (preset) SN_TRY(sn_scene_read_text(&s->reader, preset, &name));
    if (preset && sn_preset_get(material->kind, name, part.fields.bytes) != SN_OK)
        return unknown_preset(s, preset, name, material->kind);
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.material, &part));
    material->fields = part.fields;
    material->source = node;
    return SN_OK;
}

sn_result sn_scene_check_material(sn_scene *s, const json_node *node) {
    chosen material;
    return read_material(s, node, &material);
}

static sn_result get_material(sn_scene *s, const json_node *node, const sn_mesh *mesh,
                              chosen *material) {
    if (node->kind == JSON_OBJECT) return read_material(s, node, material);
    const char *name;
    SN_TRY(sn_scene_read_text(&s->reader, node, &name));
    const json_node *named = sn_scene_find(s, offsetof(scene_root, materials), name);
    if (named) return read_material(s, named, material);
    if (find_preset(name, mesh, material)) return SN_OK;
    return unknown_material(s, node, name, mesh);
}

/* ---- Bodies ---- */

const scene_body *sn_scene_find_body(const sn_scene *s, const char *name) {
    for (size_t i = 0; i < s->bodies.count; i++)
        if (strcmp(s->bodies.items[i].name, name) == 0) return &s->bodies.items[i];
    return NULL;
}

const scene_body *sn_scene_find_copies(const sn_scene *s, const char *name, size_t *count) {
    const scene_body *found = sn_scene_find_body(s, name);
    *count = found ? 1 : 0;
    if (found) return found;
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_body *b = &s->bodies.items[i];
        if (!b->group || strcmp(b->group, name) != 0) continue;
        if (!found) found = b;
        ++*count;
    }
    return found;
}

static sn_result pin_body(sn_scene *s, const scene_body *body, const json_node *pins) {
    scene_nodes list = {0};
    sn_result result = pins ? sn_scene_select_pins(s, body, pins, &list) : SN_OK;
    if (result == SN_OK) result = sn_scene_remember_nodes(s, &list);
    if (result == SN_OK)
        result = body->kind == SN_KIND_ROD ? sn_rod_pin(s->world, list.items, list.count)
                                           : sn_scene_pin_nodes(s, &list);
    free(list.items);
    return result;
}

/* Ends of rods; what holds their direction belongs to no body. */
static sn_result clamp_body(sn_scene *s, const scene_body *body, const json_node *clamps) {
    scene_nodes list = {0};
    sn_result result = clamps ? sn_scene_select_pins(s, body, clamps, &list) : SN_OK;
    if (result == SN_OK) result = sn_scene_remember_nodes(s, &list);
    for (size_t i = 0; result == SN_OK && i < list.count; i++) {
        sn_node wall;
        sn_constraint joint;
        result = sn_rod_clamp(s->world, list.items[i], &wall, &joint);
        if (result != SN_OK && result != SN_ERROR_MEMORY)
            result = sn_scene_complain_within(&s->reader, clamps);
    }
    free(list.items);
    return result;
}

/* What of the material of the last body changes. */
static sn_result note_material(sn_scene *s, const chosen *material, const json_node *maps) {
    scene_change whom = {.of = SCENE_OF_MATERIAL, .index = s->bodies.count - 1};
    scene_material now = {.fields = material->fields};
    size_t before = s->changes.count;
    if (!material->source) return SN_OK;
    SN_TRY(sn_scene_note_changes(s, material->source, &s->tables.material,
                                 &s->tables.kinds[material->kind], &whom));
    if (s->changes.count == before) return SN_OK;
    return sn_scene_check_material_change(s, &s->changes.items[before], &now, maps);
}

/* m, of cloth; nothing else has two sides. */
static sn_real thickness_of(const chosen *material) {
    if (material->kind != SN_KIND_CLOTH) return 0;
    return ((const sn_cloth_material *)(const void *)material->fields.bytes)->thickness;
}

/* Of ropes and rods, how long they are at rest. */
static double length_of(const chosen *material) {
    const void *fields = material->fields.bytes;
    if (material->kind == SN_KIND_ROPE) return (double)((const sn_rope_material *)fields)->length;
    if (material->kind == SN_KIND_ROD) return (double)((const sn_rod_material *)fields)->length;
    return 1;
}

static bool slides(const chosen *material) {
    return material->kind == SN_KIND_ROPE &&
           ((const sn_rope_material *)(const void *)material->fields.bytes)->slides;
}

static bool is_tethered(const chosen *material) {
    return material->kind == SN_KIND_HAIR &&
           ((const sn_hair_material *)(const void *)material->fields.bytes)->model != 0;
}

/* What is seen of a wrinkled mesh has no place for a tear. */
static sn_result refuse_tears(sn_scene *s, const json_node *node, const scene_mesh *mesh,
                              const chosen *material) {
    const sn_cloth_material *m = (const void *)material->fields.bytes;
    if (!mesh->wrinkles || material->kind != SN_KIND_CLOTH) return SN_OK;
    if (m->tear_strain == SN_AUTO && m->tear_force == SN_AUTO) return SN_OK;
    return sn_scene_complain(&s->reader, node,
                             "has a wrinkled mesh and a material that tears, expected one of them");
}

static sn_result build_one(sn_scene *s, const json_node *node, const scene_body_part *part,
                           const char *name, sn_vec3 position, const scene_mesh *mesh,
                           const chosen *material, const sn_collision_surface_def *surface) {
    SN_TRY(sn_scene_check_name(s, node, name));
    if (strcmp(name, "nodes") == 0)
        return sn_scene_complain(
            &s->reader, sn_json_member(node, "name"),
            "is \"nodes\", which is what all single nodes are called together");
    if (sn_scene_find_body(s, name))
        return sn_scene_complain(&s->reader, node, "a body called \"%.64s\" is there already",
                                 name);
    SN_TRY(refuse_tears(s, node, mesh, material));
    scene_body body = {.name = name,
                       .group = part->copies ? part->name : NULL,
                       .kind = material->kind,
                       .mesh = mesh,
                       .scale = (double)part->scale,
                       .length = length_of(material),
                       .slides = slides(material),
                       .look = part->look,
                       .children = part->grown};
    sn_scene_apply_material(mesh->look, mesh->uvs, &body.look);
    body.look.smoke = body.look.liquid && material->kind == SN_KIND_GAS;
    body.look.liquid = body.look.liquid && material->kind == SN_KIND_FLUID;
    if (body.look.thickness == SN_AUTO) body.look.thickness = thickness_of(material);
    SN_TRY(sn_scene_apply_materials(s, mesh->materials, mesh->uvs, &body.look, &body.materials));
    body.nodes = sn_scene_take(s, mesh->mesh.vertex_count + 1, sizeof *body.nodes);
    if (!body.nodes) return SN_ERROR_MEMORY;
    sn_build_def def = sn_build_def_default();
    def.mesh = &mesh->mesh;
    def.position = position;
    def.rotation = part->rotation;
    def.scale = part->scale;
    def.velocity = part->velocity;
    def.angular_velocity = part->angular_velocity;
    def.group = (uint32_t)part->group;
    def.body = part->body;
    def.maps = material->maps.items;
    def.map_count = material->maps.count;
    def.collide = (sn_collide)part->collide;
    def.surface = *surface;
    def.visible = mesh->skinned || mesh->embedding ? &mesh->visible : NULL;
    def.step = (sn_real)(1.0 / s->run.fps);
    def.k_stretch = part->k_stretch;
    def.k_bend = part->k_bend;
    sn_result result = sn_build_body(s->world, material->kind, material->fields.bytes, &def,
                                     body.nodes, &body.build);
    if (result == SN_ERROR_MEMORY) return result;
    if (result != SN_OK) return sn_scene_complain_within(&s->reader, node);
    SN_TRY(sn_scene_make_foam(s, part->foam, &body));
    scene_body *place = SCENE_ADD(s->bodies);
    if (!place) return SN_ERROR_MEMORY;
    *place = body;
    SN_TRY(sn_scene_bind_skinned(s, node, &def, place));
    SN_TRY(sn_scene_bind_wrinkles(s, node, &def, place));
    SN_TRY(sn_scene_weaken_edges(s, &body, part->weak_edges));
    SN_TRY(note_material(s, material, part->maps));
    SN_TRY(pin_body(s, &body, part->pins));
    if (is_tethered(material)) SN_TRY(sn_scene_tether_hair(s, &body));
    return clamp_body(s, &body, part->clamps);
}

/* Whether a mesh was refused before, for another body. */
static bool was_refused(const sn_scene *s, const char *name) {
    for (const scene_mesh *m = s->meshes; m; m = m->next)
        if (strcmp(m->name, name) == 0) return !m->ready;
    return false;
}

/* The mesh of a body, whose errors have the place of the mesh. */
static sn_result get_mesh(sn_scene *s, const json_node *node, const scene_mesh **mesh) {
    scene_reader *r = &s->reader;
    const char *name;
    if (node->kind == JSON_STRING) {
        SN_TRY(sn_scene_read_text(r, node, &name));
        /* Meshes without a name are those of other bodies. */
        if (!*name) (void)sn_scene_complain(r, node, "is \"\", expected the name of a mesh");
        if (!*name || was_refused(s, name)) return SN_ERROR_DATA;
    }
    return sn_scene_get_mesh(s, node, mesh);
}

static sn_result build_copies(sn_scene *s, const json_node *node, const scene_body_part *part,
                              const scene_mesh *mesh, const chosen *material,
                              const sn_collision_surface_def *surface) {
    scene_copies copies = {{1, 1, 1}, {0, 0, 0}};
    SN_TRY(sn_scene_read(&s->reader, part->copies, &sn_scene_copies_object, &copies));
    double count = (double)copies.count[0] * copies.count[1] * copies.count[2];
    SN_TRY(sn_scene_count_nodes(s, part->copies, count, mesh->mesh.vertex_count));
    if (part->grown) /* those of one are counted */
        SN_TRY(sn_scene_count_nodes(s, part->copies, count - 1, part->grown->vertex_count));
    size_t number = 0;
    for (uint32_t z = 0; z < copies.count[2]; z++)
        for (uint32_t y = 0; y < copies.count[1]; y++)
            for (uint32_t x = 0; x < copies.count[0]; x++) {
                const char *name = sn_scene_text(s, "%s_%zu", part->name, number++);
                if (!name) return SN_ERROR_MEMORY;
                sn_vec3 p = part->position;
                p.x += (sn_real)x * copies.step.x;
                p.y += (sn_real)y * copies.step.y;
                p.z += (sn_real)z * copies.step.z;
                SN_TRY(build_one(s, node, part, name, p, mesh, material, surface));
            }
    return SN_OK;
}

/* What only a skin has. */
static sn_result refuse_without_skin(sn_scene *s, const json_node *contact,
                                     const sn_collision_surface_def *def) {
    const char *key = def->triangle_contact   ? "triangle_contact"
                      : def->penetration_free ? "penetration_free"
                      : def->untangle         ? "untangle"
                                              : NULL;
    if (!key) return SN_OK;
    return sn_scene_complain(
        &s->reader, sn_json_member(contact, key),
        "is true, but the body has no collision surface; \"collide\" gives it one");
}

static sn_result build_all(sn_scene *s, const json_node *node, const scene_body_part *part,
                           const scene_mesh *mesh, const chosen *material) {
    scene_contact_part contact = {.def = sn_collision_surface_def_default()};
    if (part->contact)
        SN_TRY(sn_scene_read(&s->reader, part->contact, &s->tables.contact, &contact));
    SN_TRY(sn_scene_read_mask(s, contact.groups, &contact.def.mask));
    SN_TRY(sn_scene_check_friction(s, part->contact, contact.def.static_friction,
                                   &contact.def.dynamic_friction));
    if ((sn_collide)part->collide == SN_COLLIDE_NONE)
        SN_TRY(refuse_without_skin(s, part->contact, &contact.def));
    if (part->copies) return build_copies(s, node, part, mesh, material, &contact.def);
    SN_TRY(sn_scene_count_nodes(s, node, 1, mesh->mesh.vertex_count));
    return build_one(s, node, part, part->name, part->position, mesh, material, &contact.def);
}

sn_result sn_scene_build_body(sn_scene *s, const json_node *node) {
    scene_body_part part = {.rotation = {0, 0, 0, 1},
                            .scale = 1,
                            .k_stretch = 1,
                            .k_bend = 1,
                            .body = sn_body_def_default(),
                            .look = sn_io_look_default()};
    part.look.liquid = true;
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.body, &part));
    SN_TRY(sn_scene_get_surface(s, node, part.surface, &part.body.material));
    SN_TRY(sn_scene_read_texture(s, node, part.texture, &part.look));
    const scene_mesh *mesh;
    chosen material = {.kind = SN_KIND_COUNT};
    SN_TRY(get_mesh(s, part.mesh, &mesh));
    SN_TRY(get_material(s, part.material, &mesh->mesh, &material));
    SN_TRY(sn_scene_make_children(s, part.children, mesh, (double)part.scale, &part.grown));
    sn_result result = sn_scene_read_maps(s, part.maps, &mesh->mesh, material.kind,
                                          material.fields.bytes, &material.maps);
    s->building = part.name;
    if (result == SN_OK) result = build_all(s, node, &part, mesh, &material);
    s->building = NULL;
    sn_scene_free_maps(&material.maps);
    return result;
}
