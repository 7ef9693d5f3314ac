#include "io/scene/scene_foam.h"

#include <sinew/support.h>

#include <math.h>
#include <string.h>

/* From so many particles of the liquid around it on one is foam, and from so many on a bubble. */
enum { FOAM_FROM = 6, BUBBLE_FROM = 21 };

/* ---- Making ---- */

static sn_result check_range(sn_scene *s, const json_node *node, const char *name, sn_real low,
                             sn_real high) {
    if (low < high) return SN_OK;
    return sn_scene_complain(&s->reader, node, "%s_low is %g and %s_high %g, expected less", name,
                             (double)low, name, (double)high);
}

static sn_result read_part(sn_scene *s, const json_node *node, scene_foam_part *part) {
    *part = (scene_foam_part){.air_rate = 1000,
                              .air_low = 2,
                              .air_high = 8,
                              .crest_rate = 2000,
                              .crest_low = 2,
                              .crest_high = 8,
                              .speed_low = (sn_real)0.5,
                              .speed_high = 3,
                              .lifetime = 2,
                              .buoyancy = 2,
                              .drag = (sn_real)0.8,
                              .radius = SN_AUTO,
                              .most = 100000};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_foam_object, part));
    SN_TRY(check_range(s, node, "air", part->air_low, part->air_high));
    SN_TRY(check_range(s, node, "crest", part->crest_low, part->crest_high));
    return check_range(s, node, "speed", part->speed_low, part->speed_high);
}

/* Particles are as wide as they are apart. */
static double find_spacing(const sn_scene *s, const scene_body *body) {
    sn_node_view view;
    size_t count = body->mesh->mesh.vertex_count;
    double sum = 0;
    if (sn_world_nodes(s->world, &view) != SN_OK) return 0;
    for (size_t i = 0; i < count; i++) sum += (double)view.radius[body->nodes[i].slot - 1];
    return count > 0 ? 2 * sum / (double)count : 0;
}

sn_result sn_scene_make_foam(sn_scene *s, const json_node *node, scene_body *body) {
    if (!node) return SN_OK;
    if (body->kind != SN_KIND_FLUID)
        return sn_scene_complain(&s->reader, node, "is of liquids, expected a body of a fluid");
    scene_foam *f = sn_scene_take(s, 1, sizeof *f);
    if (!f) return SN_ERROR_MEMORY;
    SN_TRY(read_part(s, node, &f->part));
    f->spacing = find_spacing(s, body);
    if (f->part.most == 0 || !(f->spacing > 0)) return SN_OK;
    if (f->part.radius == SN_AUTO) f->part.radius = (sn_real)(0.12 * f->spacing);
    size_t most = (size_t)f->part.most, room = body->mesh->mesh.vertex_count;
    SN_TRY(sn_scene_count_nodes(s, node, 1, most));
    /* No other shape has a name with a dot. */
    f->name = sn_scene_text(s, "%s.foam", body->name);
    f->seed = s->bodies.count;
    f->look = sn_io_look_default();
    f->look.colour = (sn_vec3){1, 1, 1};
    f->normals = sn_scene_take(s, room + 1, sizeof *f->normals);
    f->positions = sn_scene_take(s, most, sizeof *f->positions);
    f->velocities = sn_scene_take(s, most, sizeof *f->velocities);
    f->radii = sn_scene_take(s, most, sizeof *f->radii);
    f->left = sn_scene_take(s, most, sizeof *f->left);
    if (!f->name || !f->normals || !f->positions || !f->velocities || !f->radii || !f->left)
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < most; i++) f->radii[i] = f->part.radius;
    SN_TRY(sn_scene_make_foam_grid(s, room, 2 * f->spacing, &f->grid));
    body->foam = f;
    return SN_OK;
}

/* ---- Motion ---- */

/* Moves a place, but into no collider: there it stays in front of it, and what it has of velocity
   into it is lost. */
static sn_result go(const sn_scene *s, const scene_foam *f, sn_io_point by, sn_io_point *x,
                    sn_io_point *v) {
    sn_filter_def filter = sn_filter_def_default();
    sn_cast_def cast = sn_cast_def_default();
    sn_hit hit;
    filter.kinds = SN_HIT_COLLIDER;
    filter.skip_inside = true;
    cast.origin = sn_io_point_vec3(*x);
    cast.direction = sn_io_point_vec3(by);
    cast.length = (sn_real)sn_io_point_length(by);
    *x = sn_io_point_add(*x, by);
    if (!(cast.length > 0)) return SN_OK;
    SN_TRY(sn_query_cast(s->query, &cast, &filter, &hit));
    if (hit.kind == SN_HIT_NONE) return SN_OK;
    sn_io_point normal = sn_io_point_of(hit.normal);
    *x = sn_io_point_add(sn_io_point_of(hit.point),
                         sn_io_point_scaled(normal, (double)f->part.radius));
    double into = sn_io_point_dot(sn_io_point_sub(*v, sn_io_point_of(hit.velocity)), normal);
    if (into < 0) *v = sn_io_point_sub(*v, sn_io_point_scaled(normal, into));
    return SN_OK;
}

/* The mean velocity of the liquid around a place. */
static sn_io_point velocity_around(const scene_foam_grid *g, const scene_foam_near *list,
                                   size_t count) {
    sn_io_point sum = {0, 0, 0};
    double weight = 0;
    for (size_t i = 0; i < count; i++) {
        sum = sn_io_point_add(sum, sn_io_point_scaled(g->v[list[i].particle], list[i].weight));
        weight += list[i].weight;
    }
    return weight > 0 ? sn_io_point_scaled(sum, 1 / weight) : sum;
}

static sn_result move_one(const sn_scene *s, const scene_foam *f, sn_io_point gravity, double dt,
                          size_t i) {
    scene_foam_near list[SCENE_FOAM_NEAR];
    sn_io_point x = sn_io_point_of(f->positions[i]), v = sn_io_point_of(f->velocities[i]);
    size_t count = sn_scene_find_foam_near(&f->grid, x, list);
    if (count < FOAM_FROM) {
        v = sn_io_point_add(v, sn_io_point_scaled(gravity, dt));
    } else {
        sn_io_point liquid = velocity_around(&f->grid, list, count);
        double share = count < BUBBLE_FROM ? 1 : (double)f->part.drag;
        double lift = count < BUBBLE_FROM ? 0 : (double)f->part.buoyancy;
        v = sn_io_point_add(v, sn_io_point_scaled(sn_io_point_sub(liquid, v), share));
        v = sn_io_point_sub(v, sn_io_point_scaled(gravity, dt * lift));
    }
    SN_TRY(go(s, f, sn_io_point_scaled(v, dt), &x, &v));
    f->positions[i] = sn_io_point_vec3(x);
    f->velocities[i] = sn_io_point_vec3(v);
    return SN_OK;
}

/* Those whose time is over leave the others in their order. */
static void let_go(scene_foam *f, double dt) {
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        sn_real left = (sn_real)((double)f->left[i] - dt);
        sn_vec3 x = f->positions[i];
        if (!(left > 0) || !isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z)) continue;
        f->positions[kept] = x;
        f->velocities[kept] = f->velocities[i];
        f->left[kept++] = left;
    }
    f->count = kept;
}

/* ---- Birth ---- */

/* From 0 to below 1. */
static double random_part(uint64_t hash) {
    return (double)(hash >> 40) / 16777216.0;
}

static double clamp_potential(double value, sn_real low, sn_real high) {
    double part = (value - (double)low) / ((double)high - (double)low);
    return part < 0 ? 0 : part > 1 ? 1 : part;
}

/* Of kinetic energies per mass. */
static double energy_potential(const scene_foam *f, sn_io_point v) {
    sn_real low = f->part.speed_low, high = f->part.speed_high;
    return clamp_potential(sn_io_point_dot(v, v), low * low, high * high);
}

/* Normals where particles have nobody on one side. The sum of a flat surface is 1.26 on a lattice,
   of which a third is enough; inside it is near 0. */
static void find_normals(scene_foam *f) {
    scene_foam_near list[SCENE_FOAM_NEAR];
    const scene_foam_grid *g = &f->grid;
    for (size_t i = 0; i < g->count; i++) {
        size_t count = sn_scene_find_foam_near(g, g->x[i], list);
        sn_io_point sum = {0, 0, 0};
        for (size_t k = 0; k < count; k++)
            sum = sn_io_point_add(sum, sn_io_point_scaled(list[k].apart, list[k].weight));
        double length = sn_io_point_length(sum);
        bool outside = length > 0.4 * g->reach;
        f->normals[i] = sn_io_point_scaled(sum, outside ? 1 / length : 0);
    }
}

/* Who comes nearer to i, or passes by, traps air; a crest is where those below have other
   normals, and i goes where its own points. */
static void find_potentials(const scene_foam *f, size_t i, double *air, double *crest) {
    scene_foam_near list[SCENE_FOAM_NEAR];
    const scene_foam_grid *g = &f->grid;
    sn_io_point normal = f->normals[i];
    double trapped = 0, curved = 0;
    double along = sn_io_point_dot(g->v[i], normal);
    bool rises = along > 0 && along >= 0.6 * sn_io_point_length(g->v[i]);
    size_t count = sn_scene_find_foam_near(g, g->x[i], list);
    for (size_t k = 0; k < count; k++) {
        const scene_foam_near *n = &list[k];
        if (n->particle == i || !(n->distance > 0)) continue;
        sn_io_point v = sn_io_point_sub(g->v[i], g->v[n->particle]), m = f->normals[n->particle];
        trapped += (sn_io_point_length(v) - sn_io_point_dot(v, n->apart) / n->distance) * n->weight;
        bool counts = sn_io_point_dot(n->apart, normal) > 0 && sn_io_point_dot(m, m) > 0;
        if (rises && counts) curved += (1 - sn_io_point_dot(normal, m)) * n->weight;
    }
    *air = clamp_potential(trapped, f->part.air_low, f->part.air_high);
    *crest = clamp_potential(curved, f->part.crest_low, f->part.crest_high);
}

/* Two directions across another, all of length 1. */
static void find_across(sn_io_point along, sn_io_point across[2]) {
    sn_io_point other = fabs(along.x) < 0.6 ? (sn_io_point){1, 0, 0} : (sn_io_point){0, 1, 0};
    sn_io_point first = sn_io_point_cross(along, other);
    across[0] = sn_io_point_scaled(first, 1 / sn_io_point_length(first));
    across[1] = sn_io_point_cross(along, across[0]);
}

/* A point of the unit disc, as likely in each part of it as that is large. */
static void choose_in_disc(uint64_t hash, double at[2]) {
    for (uint64_t k = 0; k < 32; k++) {
        at[0] = 2 * random_part(sn_hash_word(hash, 2 * k)) - 1;
        at[1] = 2 * random_part(sn_hash_word(hash, 2 * k + 1)) - 1;
        if (at[0] * at[0] + at[1] * at[1] <= 1) return;
    }
    at[0] = at[1] = 0;
}

/* Somewhere in the cylinder that a particle of the liquid is going to pass in a frame. It flies
   apart, by a tenth of the speed at its side. */
static sn_result bear_one(const sn_scene *s, scene_foam *f, size_t i, uint64_t hash, double dt) {
    sn_io_point x = f->grid.x[i], v = f->grid.v[i], across[2];
    double at[2], speed = sn_io_point_length(v);
    find_across(sn_io_point_scaled(v, 1 / speed), across);
    choose_in_disc(sn_hash_word(hash, 1), at);
    sn_io_point side =
        sn_io_point_add(sn_io_point_scaled(across[0], at[0]), sn_io_point_scaled(across[1], at[1]));
    sn_io_point by = sn_io_point_add(sn_io_point_scaled(side, f->spacing / 2),
                                     sn_io_point_scaled(v, dt * random_part(hash)));
    v = sn_io_point_add(v, sn_io_point_scaled(side, speed / 10));
    SN_TRY(go(s, f, by, &x, &v));
    double whole = (double)f->part.lifetime;
    f->positions[f->count] = sn_io_point_vec3(x);
    f->velocities[f->count] = sn_io_point_vec3(v);
    f->left[f->count++] = (sn_real)(whole * (1 + random_part(sn_hash_word(hash, 2))) / 2);
    f->born++;
    return SN_OK;
}

static sn_result bear(const sn_scene *s, scene_foam *f, double dt) {
    const scene_foam_part *p = &f->part;
    size_t most = (size_t)p->most;
    if (f->grid.fastest <= (double)p->speed_low || (p->air_rate == 0 && p->crest_rate == 0))
        return SN_OK;
    if (p->crest_rate > 0) find_normals(f);
    uint64_t frame = sn_hash_word(f->seed, (uint64_t)f->frame);
    for (size_t i = 0; i < f->grid.count; i++) {
        double air, crest, energy = energy_potential(f, f->grid.v[i]);
        if (!(energy > 0)) continue;
        find_potentials(f, i, &air, &crest);
        uint64_t hash = sn_hash_word(frame, f->grid.vertex[i]);
        double number = energy * ((double)p->air_rate * air + (double)p->crest_rate * crest) * dt +
                        random_part(hash);
        size_t count = number < (double)most ? (size_t)number : most;
        for (size_t k = 0; k < count && f->count < most; k++)
            SN_TRY(bear_one(s, f, i, sn_hash_word(hash, k + 1), dt));
    }
    return SN_OK;
}

/* ---- Frames ---- */

static sn_result move_foam(const sn_scene *s, const scene_body *body, double dt) {
    scene_foam *f = body->foam;
    sn_settings settings = sn_settings_default();
    sn_body_def def = sn_body_def_default();
    SN_TRY(sn_world_get_settings(s->world, &settings));
    SN_TRY(sn_body_get(s->world, body->build.body, &def));
    sn_io_point gravity = sn_io_point_of(def.gravity.x == SN_AUTO ? settings.gravity : def.gravity);
    int now = sn_scene_frame_number(s);
    /* What was there before the world went back or on by itself is not from this past. */
    if (f->frame != now - 1) f->count = 0;
    f->frame = now;
    SN_TRY(sn_scene_fill_foam_grid(s, body, &f->grid));
    for (size_t i = 0; i < f->count; i++) SN_TRY(move_one(s, f, gravity, dt, i));
    let_go(f, dt);
    return bear(s, f, dt);
}

sn_result sn_scene_move_foam(sn_scene *s) {
    if (sn_scene_count_foam(s) == 0) return SN_OK;
    SN_TRY(sn_scene_refresh_query(s));
    for (size_t i = 0; i < s->bodies.count; i++)
        if (s->bodies.items[i].foam) SN_TRY(move_foam(s, &s->bodies.items[i], 1.0 / s->run.fps));
    return SN_OK;
}

size_t sn_scene_count_foam(const sn_scene *s) {
    size_t count = 0;
    for (size_t i = 0; i < s->bodies.count; i++) count += s->bodies.items[i].foam != NULL;
    return count;
}

size_t sn_scene_foam_particles(const sn_scene *s, const scene_foam *f) {
    return f->frame == sn_scene_frame_number(s) ? f->count : 0;
}

void sn_scene_show_foam(const sn_scene *s, sn_io_shape *views) {
    for (size_t i = 0; i < s->bodies.count; i++) {
        const scene_foam *f = s->bodies.items[i].foam;
        if (!f) continue;
        size_t count = sn_scene_foam_particles(s, f);
        *views++ = (sn_io_shape){.name = f->name,
                                 .vertex_count = count,
                                 .positions = f->positions,
                                 .velocities = f->velocities,
                                 .radii = f->radii,
                                 .topology = sn_hash_word(f->born, count),
                                 .look = &f->look};
    }
}
