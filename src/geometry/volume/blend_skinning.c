/*
 * Linear blend skinning: a vertex v follows particles by
 *
 *   x = sum w_i (x_i + R_i Q_i^T (v - X_i))
 *
 * with X_i, Q_i where they were at rest and x_i, R_i where they are. For tets the corners take the
 * place of particles, and half of their deformation gradients that of rotations:
 *
 *   x = sum w_i (x_i + F_i (v - X_i) / 2)
 *
 * where F of a corner is the mean of those of the tets around it, by their volumes at rest. The
 * sum of w_i (v - X_i) is 0, so what is even is exact with any share of F. With all of it a curve
 * would be as much too far out as the plain mean of the corners is too far in; with half of it
 * curves of the second degree are exact too, as far as the F are.
 */
#include <sinew/skinning.h>
#include <sinew/volume.h>

#include "base/error.h"
#include "geometry/mesh_access.h"
#include "geometry/volume/blend_skinning.h"

#include <math.h>
#include <string.h>

sn_blend sn_blend_default(void) {
    return (sn_blend){.size = sizeof(sn_blend)};
}

static sn_result expect(const sn_blend *blend) {
    if (!blend) return sn_fail(SN_ERROR_NULL, "blend: it is null");
    if (blend->size != sizeof *blend)
        return sn_fail(SN_ERROR_DEFINITION,
                       "blend: its size is %zu, expected %zu: begin with sn_blend_default",
                       blend->size, sizeof *blend);
    return SN_OK;
}

static sn_result expect_empty(const sn_blend *blend) {
    SN_TRY(expect(blend));
    if (blend->count == 0 && !blend->vertices) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "blend: it has %zu vertices, expected an empty one",
                   blend->count);
}

static sn_memory memory_of(const sn_blend *blend) {
    bool own = blend->allocator.reallocate != NULL;
    return (sn_memory){.allocator = own ? blend->allocator : sn_allocator_default()};
}

void sn_blend_free(sn_blend *blend) {
    if (!blend || blend->size != sizeof *blend) return;
    sn_memory memory = memory_of(blend);
    size_t followers = blend->count * blend->most;
    sn_free(&memory, blend->particles, followers, sizeof *blend->particles);
    sn_free(&memory, blend->weights, followers, sizeof *blend->weights);
    sn_free(&memory, blend->vertices, blend->count, sizeof *blend->vertices);
    sn_free(&memory, blend->normals, blend->count, sizeof *blend->normals);
    sn_free(&memory, blend->rest, blend->particle_count, sizeof *blend->rest);
    sn_free(&memory, blend->orientations, blend->particle_count, sizeof *blend->orientations);
    sn_free(&memory, blend->tets, blend->tet_count, sizeof *blend->tets);
    sn_allocator allocator = blend->allocator;
    *blend = sn_blend_default();
    blend->allocator = allocator;
}

/* ---- Binding ---- */

/* Room for everything but orientations and tets; the counts are those of `blend`. */
static bool reserve(sn_blend *blend) {
    sn_memory memory = memory_of(blend);
    size_t followers = blend->count * blend->most;
    blend->particles = sn_allocate(&memory, followers, sizeof *blend->particles);
    blend->weights = sn_allocate(&memory, followers, sizeof *blend->weights);
    blend->vertices = sn_allocate(&memory, blend->count, sizeof *blend->vertices);
    blend->normals = sn_allocate(&memory, blend->count, sizeof *blend->normals);
    blend->rest = sn_allocate(&memory, blend->particle_count, sizeof *blend->rest);
    return blend->particles && blend->weights && blend->vertices && blend->normals && blend->rest;
}

static sn_point unit(sn_point a) {
    double length = sn_point_length(a);
    return length > 0 ? sn_point_scaled(a, 1 / length) : (sn_point){0, 0, 0};
}

/* The vertices of the surface and their normals, triangles counting by their areas. */
static void copy_surface(const sn_mesh *surface, sn_blend *blend) {
    for (size_t i = 0; i < blend->count; i++) {
        blend->vertices[i] = surface->positions[i];
        blend->normals[i] = (sn_vec3){0, 0, 0};
    }
    for (size_t t = 0; t < surface->triangle_count; t++) {
        const uint32_t *v = surface->triangles[t];
        sn_point n = sn_point_normal(sn_mesh_point(surface, v[0]), sn_mesh_point(surface, v[1]),
                                     sn_mesh_point(surface, v[2]));
        for (int k = 0; k < 3; k++)
            blend->normals[v[k]] =
                sn_point_vec3(sn_point_add(sn_point_of(blend->normals[v[k]]), n));
    }
    for (size_t i = 0; i < blend->count; i++)
        blend->normals[i] = sn_point_vec3(unit(sn_point_of(blend->normals[i])));
}

size_t sn_blend_nearest(const sn_vec3 *points, size_t count, sn_point x, size_t most,
                        uint32_t *which, double *square) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        sn_point d = sn_point_sub(sn_point_of(points[i]), x);
        double far = sn_point_dot(d, d);
        if (found == most && !(far < square[found - 1])) continue;
        size_t at = found < most ? found++ : found - 1;
        for (; at > 0 && far < square[at - 1]; at--) {
            square[at] = square[at - 1];
            which[at] = which[at - 1];
        }
        square[at] = far;
        which[at] = (uint32_t)i;
    }
    return found;
}

/* Weights of one vertex. Beyond all particles there is one more, a little further than the last. */
static void bind_vertex(sn_blend *blend, size_t i) {
    uint32_t which[SN_BLEND_MOST + 1];
    double square[SN_BLEND_MOST + 1], weight[SN_BLEND_MOST], sum = 0;
    size_t most = blend->most, found;
    found = sn_blend_nearest(blend->rest, blend->particle_count, sn_point_of(blend->vertices[i]),
                             most + 1, which, square);
    double end = found > most ? square[most] : 1.21 * square[most - 1];
    for (size_t k = 0; k < most; k++) {
        double near = end > 0 ? 1 - square[k] / end : 1;
        weight[k] = near * near;
        sum += weight[k];
    }
    for (size_t k = 0; k < most; k++) {
        blend->particles[most * i + k] = which[k];
        blend->weights[most * i + k] = (sn_real)(sum > 0 ? weight[k] / sum : 1.0 / (double)most);
    }
}

static void find_unit(sn_quat q, double out[4]) {
    const double a[4] = {(double)q.x, (double)q.y, (double)q.z, (double)q.w};
    double norm = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
    for (int k = 0; k < 4; k++) out[k] = a[k] / norm;
}

static sn_result check_particles(const sn_vec3 *positions, const sn_quat *orientations,
                                 size_t count) {
    for (size_t i = 0; i < count; i++) {
        sn_point x = sn_point_of(positions[i]);
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
            return sn_fail(SN_ERROR_VALUE, "blend: particle %zu is at %g %g %g, expected numbers",
                           i, x.x, x.y, x.z);
        if (!orientations) continue;
        sn_quat q = orientations[i];
        double square = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                        (double)q.z * (double)q.z + (double)q.w * (double)q.w;
        if (!(square > 1e-30 && square < 1e30))
            return sn_fail(SN_ERROR_VALUE,
                           "blend: orientation %zu is %g %g %g %g, expected a quaternion", i,
                           (double)q.x, (double)q.y, (double)q.z, (double)q.w);
    }
    return SN_OK;
}

sn_result sn_blend_bind(const sn_mesh *surface, const sn_vec3 *positions,
                        const sn_quat *orientations, size_t count, size_t most, sn_blend *blend) {
    SN_TRY(sn_mesh_expect_sound(surface));
    SN_TRY(expect_empty(blend));
    if (!positions) return sn_fail(SN_ERROR_NULL, "blend: positions is null");
    if (count == 0 || count > UINT32_MAX)
        return sn_fail(SN_ERROR_VALUE, "blend: there are %zu particles, expected 1 to %u", count,
                       UINT32_MAX);
    if (most == 0 || most > SN_BLEND_MOST)
        return sn_fail(SN_ERROR_VALUE, "blend: most is %zu, expected 1 to %d", most, SN_BLEND_MOST);
    SN_TRY(check_particles(positions, orientations, count));
    sn_blend made = *blend;
    made.count = surface->vertex_count;
    made.most = most < count ? most : count;
    made.particle_count = count;
    sn_memory memory = memory_of(&made);
    made.orientations = sn_allocate(&memory, count, sizeof *made.orientations);
    if (!reserve(&made) || !made.orientations) {
        sn_blend_free(&made);
        return SN_ERROR_MEMORY;
    }
    copy_surface(surface, &made);
    memcpy(made.rest, positions, count * sizeof *positions);
    for (size_t i = 0; i < count; i++) {
        double q[4] = {0, 0, 0, 1};
        if (orientations) find_unit(orientations[i], q);
        made.orientations[i] =
            (sn_quat){(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]};
    }
    for (size_t i = 0; i < made.count; i++) bind_vertex(&made, i);
    *blend = made;
    return SN_OK;
}

/* The shares and corners are those of an embedding. */
static void copy_embedding(const sn_embedding *from, const sn_mesh *tets, sn_blend *blend) {
    for (size_t i = 0; i < blend->count; i++)
        for (size_t k = 0; k < 4; k++) {
            blend->particles[4 * i + k] = from->vertices[i][k];
            blend->weights[4 * i + k] = from->weights[i][k];
        }
    memcpy(blend->rest, tets->positions, tets->vertex_count * sizeof *blend->rest);
    memcpy(blend->tets, tets->tets, tets->tet_count * sizeof *blend->tets);
}

sn_result sn_blend_bind_tets(const sn_mesh *surface, const sn_mesh *tets, sn_blend *blend) {
    SN_TRY(expect_empty(blend));
    sn_embedding embedding = sn_embedding_default();
    embedding.allocator = blend->allocator;
    SN_TRY(sn_embed(surface, tets, &embedding));
    sn_blend made = *blend;
    made.count = surface->vertex_count;
    made.most = 4;
    made.particle_count = tets->vertex_count;
    made.tet_count = tets->tet_count;
    sn_memory memory = memory_of(&made);
    made.tets = sn_allocate(&memory, made.tet_count, sizeof *made.tets);
    bool there = reserve(&made) && made.tets;
    if (there) {
        copy_surface(surface, &made);
        copy_embedding(&embedding, tets, &made);
        *blend = made;
    } else {
        sn_blend_free(&made);
    }
    sn_embedding_free(&embedding);
    return there ? SN_OK : SN_ERROR_MEMORY;
}

/* ---- Applying ---- */

static sn_result expect_filled(const sn_blend *blend, bool tets, const void *positions,
                               const void *points) {
    SN_TRY(expect(blend));
    if (!positions || !points)
        return sn_fail(SN_ERROR_NULL, "blend: %s is null", positions ? "points" : "positions");
    if (tets == (blend->tet_count > 0)) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "blend: it follows %s, expected %s",
                   blend->tet_count > 0 ? "tets" : "particles", tets ? "tets" : "particles");
}

/* A vertex and its normal by what each particle does, which `carry` of a context says; relative to
   the first particle, so that far from the origin nothing is lost. */
typedef sn_point carry(const void *context, uint32_t particle, sn_point a);

static void blend_vertex(const sn_blend *blend, const sn_vec3 *positions, size_t i, carry *vertex,
                         carry *normal, const void *context, sn_vec3 *points, sn_vec3 *normals) {
    const uint32_t *p = blend->particles + blend->most * i;
    const sn_real *w = blend->weights + blend->most * i;
    sn_point v = sn_point_of(blend->vertices[i]), n = sn_point_of(blend->normals[i]);
    sn_point origin = sn_point_of(positions[p[0]]), sum = {0, 0, 0}, turned = {0, 0, 0};
    for (size_t k = 0; k < blend->most; k++) {
        sn_point arm = vertex(context, p[k], sn_point_sub(v, sn_point_of(blend->rest[p[k]])));
        sn_point at = sn_point_sub(sn_point_of(positions[p[k]]), origin);
        sum = sn_point_add(sum, sn_point_scaled(sn_point_add(at, arm), (double)w[k]));
        turned = sn_point_add(turned, sn_point_scaled(normal(context, p[k], n), (double)w[k]));
    }
    points[i] = sn_point_vec3(sn_point_add(origin, sum));
    if (normals) normals[i] = sn_point_vec3(unit(turned));
}

typedef struct turning {
    const sn_quat *rest, *now;
    const sn_vec3 *scales; /* along the axes of the particles; null: 1 */
} turning;

/* Scaled by the power 1, or -1 for normals. */
static sn_point turn_scaled(const turning *t, uint32_t particle, sn_point a, bool inverse) {
    double from[4], to[4];
    find_unit(t->rest[particle], from);
    find_unit(t->now[particle], to);
    for (int k = 0; k < 3; k++) from[k] = -from[k];
    sn_point own = sn_point_rotated(from, a);
    if (t->scales) {
        sn_point s = sn_point_of(t->scales[particle]);
        own = inverse ? (sn_point){own.x / s.x, own.y / s.y, own.z / s.z}
                      : (sn_point){own.x * s.x, own.y * s.y, own.z * s.z};
    }
    return sn_point_rotated(to, own);
}

static sn_point turn(const void *context, uint32_t particle, sn_point a) {
    return turn_scaled(context, particle, a, false);
}

static sn_point turn_normal(const void *context, uint32_t particle, sn_point a) {
    return turn_scaled(context, particle, a, true);
}

sn_result sn_blend_apply_scaled(const sn_blend *blend, const sn_vec3 *positions,
                                const sn_quat *orientations, const sn_vec3 *scales, sn_vec3 *points,
                                sn_vec3 *normals) {
    SN_TRY(expect_filled(blend, false, positions, points));
    if (!orientations) return sn_fail(SN_ERROR_NULL, "blend: orientations is null");
    for (size_t i = 0; scales && i < blend->particle_count; i++)
        if (!(scales[i].x > 0 && scales[i].y > 0 && scales[i].z > 0))
            return sn_fail(SN_ERROR_VALUE, "blend: scale %zu is %g %g %g, expected above 0", i,
                           (double)scales[i].x, (double)scales[i].y, (double)scales[i].z);
    turning t = {blend->orientations, orientations, scales};
    for (size_t i = 0; i < blend->count; i++)
        blend_vertex(blend, positions, i, turn, turn_normal, &t, points, normals);
    return SN_OK;
}

sn_result sn_blend_apply(const sn_blend *blend, const sn_vec3 *positions,
                         const sn_quat *orientations, sn_vec3 *points, sn_vec3 *normals) {
    return sn_blend_apply_scaled(blend, positions, orientations, NULL, points, normals);
}

/* ---- Tets ---- */

/* Of a vertex: the sums of volume times F and of volume times the cofactors of F, which turn
   normals, column by column, and of the volumes. */
typedef struct stretch {
    sn_point f[3], cofactor[3];
    double volume;
} stretch;

static sn_point apply_columns(const sn_point column[3], sn_point a) {
    return sn_point_add(
        sn_point_add(sn_point_scaled(column[0], a.x), sn_point_scaled(column[1], a.y)),
        sn_point_scaled(column[2], a.z));
}

/* F of a tet, by columns, and its volume at rest. */
static double gradient_of(const sn_blend *blend, const sn_vec3 *positions, size_t tet,
                          sn_point f[3]) {
    const uint32_t *v = blend->tets[tet];
    sn_point rest[3], now[3];
    for (int k = 0; k < 3; k++) {
        rest[k] = sn_point_sub(sn_point_of(blend->rest[v[k + 1]]), sn_point_of(blend->rest[v[0]]));
        now[k] = sn_point_sub(sn_point_of(positions[v[k + 1]]), sn_point_of(positions[v[0]]));
    }
    sn_point row[3] = {sn_point_cross(rest[1], rest[2]), sn_point_cross(rest[2], rest[0]),
                       sn_point_cross(rest[0], rest[1])};
    double six = sn_point_dot(rest[0], row[0]);
    /* F = sum now_k row_k^T / det, whose columns are by the parts of the rows. */
    for (int c = 0; c < 3; c++) {
        f[c] = (sn_point){0, 0, 0};
        for (int k = 0; k < 3; k++) {
            double part = c == 0 ? row[k].x : c == 1 ? row[k].y : row[k].z;
            f[c] = sn_point_add(f[c], sn_point_scaled(now[k], part / six));
        }
    }
    return six < 0 ? -six : six;
}

static void gather(const sn_blend *blend, const sn_vec3 *positions, stretch *at) {
    for (size_t t = 0; t < blend->tet_count; t++) {
        sn_point f[3];
        double volume = gradient_of(blend, positions, t, f);
        const sn_point cofactor[3] = {sn_point_cross(f[1], f[2]), sn_point_cross(f[2], f[0]),
                                      sn_point_cross(f[0], f[1])};
        for (int k = 0; k < 4; k++) {
            stretch *s = &at[blend->tets[t][k]];
            s->volume += volume;
            for (int c = 0; c < 3; c++) {
                s->f[c] = sn_point_add(s->f[c], sn_point_scaled(f[c], volume));
                s->cofactor[c] = sn_point_add(s->cofactor[c], sn_point_scaled(cofactor[c], volume));
            }
        }
    }
}

static sn_point stretch_arm(const void *context, uint32_t particle, sn_point a) {
    const stretch *s = (const stretch *)context + particle;
    return sn_point_scaled(apply_columns(s->f, a), 0.5 / s->volume);
}

static sn_point stretch_normal(const void *context, uint32_t particle, sn_point a) {
    const stretch *s = (const stretch *)context + particle;
    return sn_point_scaled(apply_columns(s->cofactor, a), 1 / s->volume);
}

sn_result sn_blend_apply_tets(const sn_blend *blend, const sn_vec3 *positions, sn_vec3 *points,
                              sn_vec3 *normals) {
    SN_TRY(expect_filled(blend, true, positions, points));
    sn_memory memory = memory_of(blend);
    stretch *at = sn_allocate(&memory, blend->particle_count, sizeof *at);
    if (!at) return SN_ERROR_MEMORY;
    gather(blend, positions, at);
    for (size_t i = 0; i < blend->count; i++)
        blend_vertex(blend, positions, i, stretch_arm, stretch_normal, at, points, normals);
    sn_free(&memory, at, blend->particle_count, sizeof *at);
    return SN_OK;
}
