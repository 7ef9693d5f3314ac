/* What is drawn: a table of shapes with the addresses of their arrays. */
#include "exports.h"

#include <stdlib.h>
#include <string.h>

static void set_colour(view_shape *to, const sn_io_look *look) {
    if (look && look->texture_bytes) {
        to->texture_bytes = (uint32_t)look->texture_byte_count;
        to->texture = look->texture_bytes;
        to->texture_size = (float)look->texture_size;
    }
    if (!look || look->colour.x == SN_AUTO) return;
    to->has_colour = 1;
    memcpy(to->colour, &look->colour, sizeof to->colour);
    if (look->back.x == SN_AUTO)
        memcpy(to->back, &look->colour, sizeof to->back);
    else
        memcpy(to->back, &look->back, sizeof to->back);
}

static void fill_shape(view_shape *to, const view_surface *s, const sn_io_shape *shape) {
    *to = (view_shape){
        .name = shape->name,
        .vertex_count = (uint32_t)s->count,
        .positions = s->split ? s->positions : shape->positions,
        .normals = shape->triangle_count == 0 ? NULL
                   : shape->normals           ? shape->normals
                                              : s->normals,
        .velocities = !shape->velocities ? NULL
                      : s->split         ? s->velocities
                                         : shape->velocities,
        .strain = !shape->strain ? NULL
                  : s->split     ? s->strain
                                 : shape->strain,
        .radii = s->split ? NULL : shape->radii,
        .triangle_count = (uint32_t)shape->triangle_count,
        .triangles = s->split ? (const uint32_t(*)[3])s->triangles : shape->triangles,
        .line_count = (uint32_t)shape->line_count,
        .lines = shape->lines,
        .topology = {(uint32_t)shape->topology, (uint32_t)(shape->topology >> 32)},
    };
    if (shape->colours) to->colours = s->split ? s->colours : shape->colours;
    if (shape->uvs) to->uvs = s->split ? (const sn_real(*)[2])s->uvs : shape->uvs;
    set_colour(to, shape->look);
}

/* Balls that were dropped are no part of the scene. */
static void fill_balls(view *v, view_shape *to) {
    sn_node_def def = sn_node_def_default();
    sn_world *world = view_world(v);
    size_t kept = 0;
    for (size_t i = 0; i < v->ball_count; i++) {
        if (sn_node_get(world, v->balls[i], &def) != SN_OK) continue;
        v->balls[kept] = v->balls[i];
        v->ball_at[kept] = def.position;
        v->ball_velocity[kept] = def.velocity;
        v->ball_radius[kept++] = def.radius;
    }
    v->ball_count = kept;
    *to = (view_shape){.name = "balls",
                       .vertex_count = (uint32_t)kept,
                       .positions = v->ball_at,
                       .velocities = v->ball_velocity,
                       .radii = v->ball_radius,
                       .topology = {(uint32_t)kept, 0},
                       .body = UINT32_MAX};
}

static sn_result reserve(view *v, size_t count) {
    if (count <= v->surface_count) return SN_OK;
    view_surface *surfaces = realloc(v->surfaces, count * sizeof *surfaces);
    if (surfaces) v->surfaces = surfaces;
    view_shape *shapes = realloc(v->shapes, (count + 1) * sizeof *shapes);
    if (shapes) v->shapes = shapes;
    int *levels = realloc(v->levels, (count + 1) * sizeof *levels);
    if (levels) v->levels = levels;
    if (!surfaces || !shapes || !levels) return SN_ERROR_MEMORY;
    memset(surfaces + v->surface_count, 0, (count - v->surface_count) * sizeof *surfaces);
    v->surface_count = count;
    return SN_OK;
}

sn_result view_plain_frame(view *v) {
    if (v->recording) return view_recording_frame(v->recording, &v->plain);
    return v->cache ? sn_io_cache_frame(v->cache, v->cache_frame, &v->plain)
                    : sn_scene_frame(v->scene, &v->plain);
}

/* Liquids as their surfaces, where they are asked for. */
static sn_result make_wet(view *v, int liquid, sn_io_frame *frame) {
    *frame = v->plain;
    if (!liquid) return SN_OK;
    if (!v->liquid) SN_TRY(sn_io_liquid_create(&v->liquid));
    return sn_io_liquid_frame(v->liquid, &v->plain, frame);
}

int view_frame(view *v, int level, int liquid) {
    sn_io_frame wet, fine;
    if (view_plain_frame(v) != SN_OK || make_wet(v, liquid, &wet) != SN_OK) return -1;
    /* Which shapes of what is played are bodies is not known: they are drawn as they are. */
    size_t body_count = view_plays(v) ? v->plain.shape_count : v->body_count;
    if (view_plays(v)) level = 0;
    fine = wet;
    if (reserve(v, fine.shape_count) != SN_OK) return -1;
    /* Colliders are as fine as they are meant to be, and surfaces of liquids as their particles. */
    for (size_t i = 0; i < fine.shape_count; i++)
        v->levels[i] = i < body_count && !wet.shapes[i].normals ? level : 0;
    if (level > 0 && sn_io_smoother_frame(v->smoother, &wet, level, v->levels, &fine) != SN_OK)
        return -1;
    for (size_t i = 0; i < fine.shape_count; i++) {
        if (view_surface_update(&v->surfaces[i], &fine.shapes[i]) != SN_OK) return -1;
        fill_shape(&v->shapes[i], &v->surfaces[i], &fine.shapes[i]);
        v->shapes[i].body = i < body_count ? (uint32_t)i : UINT32_MAX;
    }
    fill_balls(v, &v->shapes[fine.shape_count]);
    v->shape_count = fine.shape_count + (v->ball_count > 0);
    return (int)v->shape_count;
}

const view_shape *view_shapes(const view *v) {
    return v->shapes;
}

size_t view_shape_size(void) {
    return sizeof(view_shape);
}
