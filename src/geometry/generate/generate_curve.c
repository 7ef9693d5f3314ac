/* Lines along curves: helices, rings, and splines through points, with vertices at even steps. */
#include "geometry/generate/mesh_maker.h"

#include <sinew/support.h>

#include <math.h>

enum { START = 1, END = 2 };

/* Vertices are there in order; lines between them, and back to the first where they are closed. */
static sn_result join(sn_maker *maker, bool closed) {
    sn_mesh *mesh = maker->mesh;
    uint32_t count = (uint32_t)mesh->vertex_count;
    for (uint32_t i = 0; i < count - !closed; i++) {
        uint32_t *line = mesh->lines[mesh->line_count++];
        line[0] = i;
        line[1] = (i + 1) % count;
    }
    static const char *const names[] = {"start", "end"};
    return sn_maker_end(maker, names, closed ? 1 : 2);
}

/* ---- Helices and rings ---- */

sn_helix_def sn_helix_def_default(void) {
    return (sn_helix_def){.size = sizeof(sn_helix_def),
                          .radius = (sn_real)0.05,
                          .pitch = (sn_real)0.02,
                          .turns = 10,
                          .segments = 200};
}

sn_result sn_generate_helix(sn_mesh *mesh, const sn_helix_def *def) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect(def, def ? def->size : 0, sizeof *def, "helix"));
    SN_TRY(sn_maker_expect_length("helix", "radius", def->radius));
    SN_TRY(sn_maker_expect_parts("helix", "segments", def->segments, 1));
    double turns = (double)def->turns, pitch = (double)def->pitch;
    if (!(turns >= 1e-3 && turns <= 1e6))
        return sn_fail(SN_ERROR_VALUE, "helix: turns is %g, expected from 0.001 to 1e6", turns);
    if (!(pitch >= -1e9 && pitch <= 1e9))
        return sn_fail(SN_ERROR_VALUE, "helix: pitch is %g, expected from -1e9 to 1e9 m", pitch);
    uint32_t n = def->segments;
    if (turns > n)
        return sn_fail(SN_ERROR_VALUE, "helix: %u segments for %g turns, expected more", n, turns);
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "helix",
                          (sn_maker_room){.vertices = n + 1.0, .lines = (double)n}));
    double high = pitch * turns, radius = (double)def->radius;
    for (uint32_t i = 0; i <= n; i++) {
        double part = (double)i / n, sine, cosine;
        sn_turn((uint64_t)(part * turns * 0x1p32 + 0.5), (uint64_t)1 << 32, &sine, &cosine);
        sn_maker_vertex(&maker, (sn_point){radius * cosine, high * (0.5 - part), -radius * sine},
                        i == 0   ? START
                        : i == n ? END
                                 : 0);
    }
    return join(&maker, false);
}

sn_result sn_generate_ring(sn_mesh *mesh, sn_real radius, uint32_t segments) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    SN_TRY(sn_maker_expect_length("ring", "radius", radius));
    SN_TRY(sn_maker_expect_parts("ring", "segments", segments, 3));
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "ring",
                          (sn_maker_room){.vertices = segments, .lines = segments}));
    for (uint32_t i = 0; i < segments; i++) {
        double sine, cosine;
        sn_turn(i, segments, &sine, &cosine);
        sn_maker_vertex(&maker, (sn_point){(double)radius * cosine, 0, -(double)radius * sine},
                        i == 0 ? START : 0);
    }
    return join(&maker, true);
}

/* ---- Splines ---- */

typedef struct spline {
    const sn_vec3 *points;
    size_t count;
    bool closed;
} spline;

/* The point of a number that may lie beyond the ends: around, or as far behind the end as the one
   before it is in front of it. */
static sn_point point_at(const spline *s, int64_t i) {
    int64_t n = (int64_t)s->count;
    if (s->closed) return sn_point_of(s->points[(i + n) % n]);
    if (i < 0) return sn_point_sub(sn_point_scaled(point_at(s, 0), 2), point_at(s, 1));
    if (i >= n) return sn_point_sub(sn_point_scaled(point_at(s, n - 1), 2), point_at(s, n - 2));
    return sn_point_of(s->points[i]);
}

/* Catmull and Rom 1974, uniform: t from 0 to the number of spans. */
static sn_point curve_at(const spline *s, double t) {
    int64_t spans = (int64_t)s->count - !s->closed, i = (int64_t)t;
    if (i >= spans) i = spans - 1;
    double u = t - (double)i, weight[4] = {((2 - u) * u - 1) * u / 2, ((3 * u - 5) * u * u + 2) / 2,
                                           ((4 - 3 * u) * u + 1) * u / 2, (u - 1) * u * u / 2};
    sn_point x = {0, 0, 0};
    for (int k = 0; k < 4; k++)
        x = sn_point_add(x, sn_point_scaled(point_at(s, i + k - 1), weight[k]));
    return x;
}

/* Goes along in short steps, and puts a vertex wherever another n-th of the length is passed. */
static void walk(const spline *s, sn_maker *maker, uint32_t n, uint32_t fine, double length) {
    double spans = (double)(s->count - !s->closed), passed = 0;
    sn_point x = curve_at(s, 0);
    sn_maker_vertex(maker, x, START);
    uint32_t next = 1, last = s->closed ? n : n + 1;
    for (uint32_t i = 1; i <= fine && next < last; i++) {
        sn_point y = curve_at(s, spans * i / fine);
        double step = sn_point_length(sn_point_sub(y, x));
        while (next < last && (passed + step >= length * next / n || i == fine)) {
            double part = step > 0 ? (length * next / n - passed) / step : 1;
            sn_point at = sn_point_add(x, sn_point_scaled(sn_point_sub(y, x), part < 1 ? part : 1));
            sn_maker_vertex(maker, next == n ? y : at, next == n ? END : 0);
            next++;
        }
        passed += step;
        x = y;
    }
}

sn_result sn_generate_spline(sn_mesh *mesh, const sn_vec3 *points, size_t count, bool closed,
                             uint32_t segments) {
    SN_TRY(sn_mesh_expect_empty(mesh));
    if (!points) return sn_fail(SN_ERROR_NULL, "spline: points is null");
    if (count < (closed ? 3u : 2u) || count > 1u << 20)
        return sn_fail(SN_ERROR_VALUE, "spline: count is %zu, expected from %d to 2^20", count,
                       closed ? 3 : 2);
    SN_TRY(sn_maker_expect_parts("spline", "segments", segments, closed ? 3 : 1));
    for (size_t i = 0; i < count; i++)
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z))
            return sn_fail(SN_ERROR_VALUE, "spline: point %zu is at %g %g %g m, expected finite", i,
                           (double)points[i].x, (double)points[i].y, (double)points[i].z);
    const spline s = {points, count, closed};
    /* Sixteen steps per vertex and per span are close enough to the curve. */
    double most = 16.0 * (segments > count ? segments : (double)count), length = 0;
    uint32_t fine = (uint32_t)(most < 0x1p28 ? most : 0x1p28);
    sn_point x = curve_at(&s, 0);
    for (uint32_t i = 1; i <= fine; i++) {
        sn_point y = curve_at(&s, (double)(count - !closed) * i / fine);
        length += sn_point_length(sn_point_sub(y, x));
        x = y;
    }
    SN_TRY(sn_maker_expect_length("spline", "its length", (sn_real)length));
    sn_maker maker;
    SN_TRY(sn_maker_begin(&maker, mesh, "spline",
                          (sn_maker_room){.vertices = segments + !closed, .lines = segments}));
    walk(&s, &maker, segments, fine, length);
    return join(&maker, closed);
}
