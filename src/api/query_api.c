/* The public calls on queries. */
#include "api/check.h"
#include "collision/query/query.h"

#include <math.h>

static const uint32_t ALL_KINDS = SN_HIT_NODE | SN_HIT_COLLIDER | SN_HIT_SURFACE;

/* ---- Life ---- */

static sn_result check_open(const sn_world *world, const char *function) {
    if (!world->scratch.locked) return SN_OK;
    return sn_fail(SN_ERROR_LOCKED, "%s: the world is inside a step", function);
}

sn_result sn_query_create(const sn_world *world, sn_query **query) {
    SN_CHECK_POINTER(query);
    *query = NULL;
    SN_CHECK_POINTER(world);
    SN_TRY(check_open(world, __func__));
    sn_memory memory = {world->memory.allocator, 0};
    sn_query *fresh = sn_allocate(&memory, 1, sizeof *fresh);
    if (!fresh) return SN_ERROR_MEMORY;
    fresh->memory = memory;
    sn_result result = sn_query_take(fresh, world);
    if (result == SN_OK)
        *query = fresh;
    else
        sn_query_destroy(fresh);
    return result;
}

sn_result sn_query_refresh(sn_query *query, const sn_world *world) {
    SN_CHECK_POINTER(query);
    SN_CHECK_POINTER(world);
    SN_TRY(check_open(world, __func__));
    return sn_query_take(query, world);
}

void sn_query_destroy(sn_query *query) {
    if (!query) return;
    sn_query_free_parts(query);
    sn_memory memory = query->memory;
    sn_free(&memory, query, 1, sizeof *query);
}

/* ---- Definitions ---- */

sn_filter_def sn_filter_def_default(void) {
    return (sn_filter_def){.size = sizeof(sn_filter_def), .kinds = ALL_KINDS, .groups = UINT32_MAX};
}

sn_cast_def sn_cast_def_default(void) {
    return (sn_cast_def){.size = sizeof(sn_cast_def), .direction = {0, -1, 0}, .length = SN_AUTO};
}

/* A null filter becomes the default one. */
static sn_result check_filter(const sn_filter_def *filter, sn_filter_def *kept) {
    *kept = sn_filter_def_default();
    if (!filter) return SN_OK;
    SN_TRY(sn_check_size("filter", filter->size, sizeof *filter));
    if (filter->kinds & ~ALL_KINDS)
        return sn_fail(SN_ERROR_VALUE, "filter: kinds is %#x, expected a sum of sn_hit_kind",
                       (unsigned)filter->kinds);
    *kept = *filter;
    return SN_OK;
}

/* A length without end is infinite. */
static double length_of(sn_real length) {
    return length == SN_AUTO ? INFINITY : (double)length;
}

static sn_result check_cast(const sn_cast_def *cast, sn_ray *ray) {
    double most = (double)SN_REAL_MAX;
    sn_vec3 d = cast->direction;
    SN_TRY(sn_check_size("cast", cast->size, sizeof *cast));
    SN_TRY(sn_check_vec3("cast", "origin", cast->origin, "m"));
    SN_TRY(sn_check_vec3("cast", "direction", d, "1"));
    SN_TRY(sn_check_real("cast", "length", cast->length, 0, most, true, "m"));
    SN_TRY(sn_check_real("cast", "radius", cast->radius, 0, most, false, "m"));
    if (d.x == 0 && d.y == 0 && d.z == 0)
        return sn_fail(SN_ERROR_VALUE, "cast: direction is 0 0 0, expected a length above 0");
    *ray = sn_ray_make(sn_point_of(cast->origin), sn_point_of(d), length_of(cast->length),
                       (double)cast->radius);
    return SN_OK;
}

static sn_result check_room(const char *function, const sn_hit *hits, size_t capacity) {
    if (hits || capacity == 0) return SN_OK;
    return sn_fail(SN_ERROR_NULL, "%s: hits is null, expected room for %zu", function, capacity);
}

/* ---- Asking ---- */

sn_result sn_query_cast(const sn_query *query, const sn_cast_def *cast, const sn_filter_def *filter,
                        sn_hit *hit) {
    SN_CHECK_POINTER(query);
    SN_CHECK_POINTER(cast);
    SN_CHECK_POINTER(hit);
    sn_filter_def kept;
    sn_ray ray;
    SN_TRY(check_filter(filter, &kept));
    SN_TRY(check_cast(cast, &ray));
    *hit = (sn_hit){.kind = SN_HIT_NONE};
    sn_finder finder = {.query = query, .filter = &kept, .hits = hit, .capacity = 1, .first = true};
    sn_finder_cast(&finder, &ray);
    return SN_OK;
}

sn_result sn_query_cast_all(const sn_query *query, const sn_cast_def *cast,
                            const sn_filter_def *filter, sn_hit *hits, size_t capacity,
                            size_t *count) {
    SN_CHECK_POINTER(query);
    SN_CHECK_POINTER(cast);
    SN_CHECK_POINTER(count);
    sn_filter_def kept;
    sn_ray ray;
    SN_TRY(check_room(__func__, hits, capacity));
    SN_TRY(check_filter(filter, &kept));
    SN_TRY(check_cast(cast, &ray));
    sn_finder finder = {.query = query, .filter = &kept, .hits = hits, .capacity = capacity};
    sn_finder_cast(&finder, &ray);
    *count = finder.count;
    return SN_OK;
}

sn_result sn_query_overlap_sphere(const sn_query *query, sn_vec3 center, sn_real radius,
                                  const sn_filter_def *filter, sn_hit *hits, size_t capacity,
                                  size_t *count) {
    SN_CHECK_POINTER(query);
    SN_CHECK_POINTER(count);
    sn_filter_def kept;
    SN_TRY(check_room(__func__, hits, capacity));
    SN_TRY(check_filter(filter, &kept));
    SN_TRY(sn_check_vec3("overlap", "center", center, "m"));
    SN_TRY(sn_check_real("overlap", "radius", radius, 0, (double)SN_REAL_MAX, false, "m"));
    sn_finder finder = {.query = query, .filter = &kept, .hits = hits, .capacity = capacity};
    sn_finder_overlap_ball(&finder, sn_point_of(center), (double)radius);
    *count = finder.count;
    return SN_OK;
}

sn_result sn_query_overlap_box(const sn_query *query, sn_vec3 low, sn_vec3 high,
                               const sn_filter_def *filter, sn_hit *hits, size_t capacity,
                               size_t *count) {
    SN_CHECK_POINTER(query);
    SN_CHECK_POINTER(count);
    sn_filter_def kept;
    SN_TRY(check_room(__func__, hits, capacity));
    SN_TRY(check_filter(filter, &kept));
    SN_TRY(sn_check_vec3("overlap", "low", low, "m"));
    SN_TRY(sn_check_vec3("overlap", "high", high, "m"));
    if (low.x > high.x || low.y > high.y || low.z > high.z)
        return sn_fail(SN_ERROR_VALUE,
                       "overlap: low is %g %g %g, expected at most high, which is %g %g %g",
                       (double)low.x, (double)low.y, (double)low.z, (double)high.x, (double)high.y,
                       (double)high.z);
    sn_bounds box = {sn_point_of(low), sn_point_of(high)};
    sn_finder finder = {.query = query, .filter = &kept, .hits = hits, .capacity = capacity};
    sn_finder_overlap_box(&finder, &box);
    *count = finder.count;
    return SN_OK;
}

sn_result sn_query_closest(const sn_query *query, sn_vec3 point, sn_real distance,
                           const sn_filter_def *filter, sn_hit *hit) {
    SN_CHECK_POINTER(query);
    SN_CHECK_POINTER(hit);
    sn_filter_def kept;
    SN_TRY(check_filter(filter, &kept));
    SN_TRY(sn_check_vec3("closest", "point", point, "m"));
    SN_TRY(sn_check_real("closest", "distance", distance, 0, (double)SN_REAL_MAX, true, "m"));
    *hit = (sn_hit){.kind = SN_HIT_NONE};
    sn_finder finder = {.query = query, .filter = &kept, .hits = hit, .capacity = 1, .first = true};
    sn_finder_closest(&finder, sn_point_of(point), length_of(distance));
    return SN_OK;
}
