/*
 * Colours of the surface of a liquid: means of those of the particles around a place, each with
 * the weight (1 - r^2 / R^2)^3, as far as kernels of the surface reach.
 */
#include "io/animation/liquid_field.h"

#include <math.h>
#include <stdlib.h>

/* Particles by the cells that they are in, which are as wide as R. */
typedef struct cells {
    liquid_map map;
    double reach;
    uint32_t *head, *next; /* number + 1 */
    size_t rooms;
} cells;

enum { REACH = 4, MOST = 1 << 24 };

/* False for what is not finite, or too far away to be counted. */
static bool cell_of(const cells *c, sn_vec3 x, int32_t cell[3]) {
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    for (int k = 0; k < 3; k++) {
        double number = floor(at[k] / c->reach);
        if (!(fabs(number) < MOST)) return false;
        cell[k] = (int32_t)number;
    }
    return true;
}

static bool place_all(cells *c, const sn_io_shape *shape) {
    c->next = calloc(shape->vertex_count + 1, sizeof *c->next);
    if (!c->next) return false;
    for (size_t i = 0; i < shape->vertex_count; i++) {
        int32_t cell[3];
        if (!(shape->radii[i] > 0) || !cell_of(c, shape->positions[i], cell)) continue;
        size_t at = sn_liquid_map_add(&c->map, cell);
        if (at == LIQUID_NONE) return false;
        while (c->rooms <= at)
            if (!sn_liquid_reserve((void **)&c->head, &c->rooms, at + 1, sizeof *c->head))
                return false;
        c->next[i] = c->head[at];
        c->head[at] = (uint32_t)i + 1;
    }
    return true;
}

static sn_vec3 colour_at(const cells *c, const sn_io_shape *shape, sn_vec3 x) {
    double sum[4] = {0};
    int32_t own[3];
    if (!cell_of(c, x, own)) return shape->colours[0];
    for (int n = 0; n < 27; n++) {
        const int32_t cell[3] = {own[0] + n % 3 - 1, own[1] + n / 3 % 3 - 1, own[2] + n / 9 - 1};
        size_t at = sn_liquid_map_find(&c->map, cell);
        for (uint32_t i = at == LIQUID_NONE ? 0 : c->head[at]; i; i = c->next[i - 1]) {
            sn_vec3 p = shape->positions[i - 1], colour = shape->colours[i - 1];
            double a = (double)p.x - (double)x.x, b = (double)p.y - (double)x.y;
            double d = (double)p.z - (double)x.z;
            double left = 1 - (a * a + b * b + d * d) / (c->reach * c->reach);
            double weight = left > 0 ? left * left * left : 0;
            sum[0] += weight * (double)colour.x;
            sum[1] += weight * (double)colour.y;
            sum[2] += weight * (double)colour.z;
            sum[3] += weight;
        }
    }
    if (!(sum[3] > 0)) return shape->colours[0];
    return (sn_vec3){(sn_real)(sum[0] / sum[3]), (sn_real)(sum[1] / sum[3]),
                     (sn_real)(sum[2] / sum[3])};
}

bool sn_liquid_colours(const sn_io_shape *shape, const sn_vec3 *places, size_t count,
                       sn_vec3 *colours) {
    cells c = {0};
    for (size_t i = 0; i < shape->vertex_count; i++) {
        double r = (double)shape->radii[i];
        if (isfinite(r) && REACH * r > c.reach) c.reach = REACH * r;
    }
    bool made = !(c.reach > 0) || place_all(&c, shape);
    for (size_t i = 0; made && c.reach > 0 && i < count; i++)
        colours[i] = colour_at(&c, shape, places[i]);
    sn_liquid_map_free(&c.map);
    free(c.head);
    free(c.next);
    return made;
}
