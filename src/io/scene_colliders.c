/* The colliders of a scene, and what they look like. */
#include "scene_state.h"

#include "base/error.h"
#include "mesh/point.h"

#include <math.h>
#include <string.h>

scene_collider *scene_find_collider(const sn_scene *s, const char *name) {
    for (size_t i = 0; i < s->colliders.count; i++)
        if (strcmp(s->colliders.items[i].name, name) == 0) return &s->colliders.items[i];
    return NULL;
}

sn_result scene_read_mask(sn_scene *s, const json_node *groups, uint32_t *mask) {
    if (!groups) return SN_OK;
    *mask = 0;
    for (size_t i = 0; i < groups->count; i++) {
        size_t group;
        SN_TRY(scene_read_index(&s->reader, &groups->items[i], 0, 31, &group));
        *mask |= UINT32_C(1) << group;
    }
    return SN_OK;
}

/* ---- Looks ---- */

/* A ball whose halves are moved apart. */
static sn_result make_capsule(const sn_collider_def *def, sn_mesh *mesh) {
    sn_sphere_def sphere = sn_sphere_def_default();
    sphere.radius = def->radius;
    SN_TRY(sn_generate_sphere(mesh, &sphere));
    for (size_t i = 0; i < mesh->vertex_count; i++)
        mesh->positions[i].y += mesh->positions[i].y < 0 ? -def->extent.y : def->extent.y;
    return SN_OK;
}

/* Nothing for a plane: the ground is drawn anyway. */
static sn_result make_look(const sn_collider_def *def, sn_mesh *mesh) {
    sn_sphere_def sphere = sn_sphere_def_default();
    sn_box_def box = sn_box_def_default();
    sn_cylinder_def cylinder = sn_cylinder_def_default();
    sn_real r = def->radius;
    switch (def->shape) {
    case SN_SHAPE_SPHERE:
        sphere.radius = r;
        sphere.level = 4;
        return sn_generate_sphere(mesh, &sphere);
    case SN_SHAPE_CAPSULE:
        return make_capsule(def, mesh);
    case SN_SHAPE_BOX:
        box.extent =
            (sn_vec3){2 * (def->extent.x + r), 2 * (def->extent.y + r), 2 * (def->extent.z + r)};
        box.cells[0] = box.cells[1] = box.cells[2] = 1;
        return sn_generate_box(mesh, &box);
    case SN_SHAPE_CYLINDER:
        cylinder.radius = r;
        cylinder.height = 2 * def->extent.y;
        cylinder.segments = 48;
        return sn_generate_cylinder(mesh, &cylinder);
    default:
        return SN_OK;
    }
}

void scene_place_collider(const sn_scene *s, const scene_collider *c, sn_vec3 *positions,
                          sn_vec3 *velocities) {
    sn_collider_def def = sn_collider_def_default();
    if (sn_collider_get(s->world, c->collider, &def) != SN_OK) return;
    double q[4] = {(double)def.orientation.x, (double)def.orientation.y, (double)def.orientation.z,
                   (double)def.orientation.w};
    sn_point at = sn_point_of(def.position), omega = sn_point_of(def.angular_velocity);
    for (size_t i = 0; i < c->look->mesh.vertex_count; i++) {
        sn_point arm = sn_point_rotated(q, sn_point_of(c->look->mesh.positions[i]));
        positions[i] = sn_point_vec3(sn_point_add(at, arm));
        velocities[i] =
            sn_point_vec3(sn_point_add(sn_point_of(def.velocity), sn_point_cross(omega, arm)));
    }
}

/* ---- Building ---- */

sn_result scene_build_collider(sn_scene *s, const json_node *node) {
    scene_collider_part part = {.def = sn_collider_def_default()};
    SN_TRY(scene_read(&s->reader, node, &scene_collider_object, &part));
    SN_TRY(scene_check_name(s, node, part.name));
    SN_TRY(scene_read_mask(s, part.groups, &part.def.mask));
    if (scene_find_collider(s, part.name) || scene_find_body(s, part.name))
        return scene_complain(&s->reader, node,
                              "a body or collider called \"%.64s\" is there already", part.name);
    scene_collider *collider = SCENE_ADD(s->colliders);
    if (!collider) return SN_ERROR_MEMORY;
    collider->name = part.name;
    sn_result result = sn_collider_create(s->world, &part.def, &collider->collider);
    if (result == SN_OK) result = sn_collider_get(s->world, collider->collider, &part.def);
    collider->start = part.def;
    scene_mesh *look = result == SN_OK ? scene_take(s, 1, sizeof *look) : NULL;
    if (look) {
        *look = (scene_mesh){
            .name = "", .mesh = sn_mesh_default(), .skin = sn_mesh_default(), .next = s->meshes};
        s->meshes = look;
        collider->look = look;
        result = make_look(&part.def, &look->mesh);
    }
    if (result == SN_ERROR_MEMORY || (result == SN_OK && !look)) return SN_ERROR_MEMORY;
    return result == SN_OK ? SN_OK : scene_complain_within(&s->reader, node);
}
