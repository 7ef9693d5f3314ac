/* Finds the first value in which two caches differ. */
#include <sinew/support.h>

#include <sinew_io/cache.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void differ(sn_difference *d, const char *format, ...) SN_PRINTF(2, 3);

static void differ(sn_difference *d, const char *format, ...) {
    va_list arguments;
    d->differs = true;
    va_start(arguments, format);
    vsnprintf(d->sentence, sizeof d->sentence, format, arguments);
    va_end(arguments);
}

/* One value per vertex of both, and what it is called. */
typedef struct values {
    const char *what;
    const void *a, *b; /* null where a shape has none */
    size_t components;
} values;

static void compare_values(int frame, const sn_io_shape *s, const values *v, sn_difference *d) {
    static const char *const parts[] = {"x of ", "y of ", "z of "};
    if (d->differs || (!v->a && !v->b)) return;
    if (!v->a || !v->b) {
        differ(d, "frame %d, shape \"%.80s\": the %s has %s", frame, s->name,
               v->a ? "first" : "second", v->what);
        return;
    }
    if (memcmp(v->a, v->b, s->vertex_count * v->components * sizeof(sn_real)) == 0) return;
    const sn_real *a = v->a, *b = v->b;
    size_t i = 0;
    while (memcmp(&a[i], &b[i], sizeof *a) == 0) i++;
    differ(d, "frame %d, shape \"%.80s\", vertex %zu: %s%s is %.9g against %.9g", frame, s->name,
           i / v->components, v->components == 3 ? parts[i % 3] : "", v->what, (double)a[i],
           (double)b[i]);
}

static void compare_elements(int frame, const sn_io_shape *s, const char *what,
                             const size_t count[2], const void *a, const void *b, size_t size,
                             sn_difference *d) {
    if (d->differs) return;
    if (count[0] != count[1])
        differ(d, "frame %d, shape \"%.80s\": it has %zu against %zu %ss", frame, s->name, count[0],
               count[1], what);
    else if (count[0] > 0 && memcmp(a, b, count[0] * size) != 0) {
        size_t i = 0;
        while (memcmp((const char *)a + i * size, (const char *)b + i * size, size) == 0) i++;
        differ(d, "frame %d, shape \"%.80s\": %s %zu has other vertices", frame, s->name, what, i);
    }
}

static void compare_shapes(int frame, const sn_io_shape *a, const sn_io_shape *b,
                           sn_difference *d) {
    if (strcmp(a->name, b->name) != 0)
        differ(d, "frame %d: a shape is called \"%.80s\" against \"%.80s\"", frame, a->name,
               b->name);
    else if (a->vertex_count != b->vertex_count)
        differ(d, "frame %d, shape \"%.80s\": it has %zu against %zu vertices", frame, a->name,
               a->vertex_count, b->vertex_count);
    compare_elements(frame, a, "triangle", (size_t[]){a->triangle_count, b->triangle_count},
                     a->triangles, b->triangles, sizeof *a->triangles, d);
    compare_elements(frame, a, "line", (size_t[]){a->line_count, b->line_count}, a->lines, b->lines,
                     sizeof *a->lines, d);
    compare_elements(frame, a, "tet", (size_t[]){a->tet_count, b->tet_count}, a->tets, b->tets,
                     sizeof *a->tets, d);
    if (a->vertex_count == 0 || d->differs) return;
    const values all[] = {{"the position", a->positions, b->positions, 3},
                          {"the velocity", a->velocities, b->velocities, 3},
                          {"the strain", a->strain, b->strain, 1},
                          {"the radius", a->radii, b->radii, 1}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) compare_values(frame, a, &all[i], d);
}

static void compare_poses(int frame, const sn_io_shape *a, const sn_io_shape *b, sn_difference *d) {
    if (d->differs || (!a->pose && !b->pose)) return;
    if (!a->pose || !b->pose)
        differ(d, "frame %d, shape \"%.80s\": the %s has a pose", frame, a->name,
               a->pose ? "first" : "second");
    else if (memcmp(a->pose, b->pose, sizeof *a->pose) != 0)
        differ(d, "frame %d, shape \"%.80s\": its poses differ", frame, a->name);
}

static void compare_frames(const sn_io_frame *a, const sn_io_frame *b, sn_difference *d) {
    if (a->number != b->number)
        differ(d, "a frame has the number %d against %d", a->number, b->number);
    else if (a->time != b->time)
        differ(d, "frame %d: its time is %.17g s against %.17g s", a->number, a->time, b->time);
    else if (a->shape_count != b->shape_count)
        differ(d, "frame %d: it has %zu against %zu shapes", a->number, a->shape_count,
               b->shape_count);
    for (size_t i = 0; i < a->shape_count && !d->differs; i++)
        compare_shapes(a->number, &a->shapes[i], &b->shapes[i], d);
    for (size_t i = 0; i < a->shape_count && !d->differs; i++)
        compare_poses(a->number, &a->shapes[i], &b->shapes[i], d);
}

static sn_result compare(sn_io_cache *a, sn_io_cache *b, sn_difference *d) {
    sn_io_cache_info first = sn_io_cache_get_info(a), second = sn_io_cache_get_info(b);
    size_t count = first.frame_count < second.frame_count ? first.frame_count : second.frame_count;
    for (size_t i = 0; i < count && !d->differs; i++) {
        sn_io_frame x, y;
        SN_TRY(sn_io_cache_frame(a, i, &x));
        SN_TRY(sn_io_cache_frame(b, i, &y));
        compare_frames(&x, &y, d);
    }
    if (!d->differs && first.frame_count != second.frame_count)
        differ(d, "there are %zu against %zu frames", first.frame_count, second.frame_count);
    return SN_OK;
}

sn_result sn_io_cache_compare(const char *path_a, const char *path_b, sn_difference *difference) {
    sn_io_cache *a = NULL, *b = NULL;
    if (!difference) return sn_fail(SN_ERROR_NULL, "caches: difference is null");
    *difference = (sn_difference){.differs = false};
    sn_result result = sn_io_cache_open(path_a, &a);
    if (result == SN_OK) result = sn_io_cache_open(path_b, &b);
    if (result == SN_OK) result = compare(a, b, difference);
    sn_io_cache_close(a);
    sn_io_cache_close(b);
    return result;
}
