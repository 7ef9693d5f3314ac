/* Particles of a dough by cells as large as a cluster reaches, in a list that is sorted. */
#include "systems/dough/doughs.h"

static double size_of(const sn_dough_state *d) {
    return (double)d->def.reach * (double)d->def.spacing;
}

static uint32_t cell_of(double x, double low, double size) {
    double at = (x - low) / size;
    return at > 0 ? at < 4e9 ? (uint32_t)at : UINT32_C(4000000000) : 0;
}

void sn_dough_sort(const sn_world *world, sn_dough_state *d) {
    double x[3], size = size_of(d);
    d->cells = 0;
    for (size_t i = 0; i < d->nodes; i++) {
        if (d->waits[i]) continue;
        sn_dough_place(world, d, i, x);
        for (int a = 0; a < 3; a++)
            if (d->cells == 0 || x[a] < d->low[a]) d->low[a] = x[a];
        d->cell[d->cells++].value = (uint32_t)i;
    }
    for (size_t k = 0; k < d->cells; k++) {
        sn_dough_place(world, d, d->cell[k].value, x);
        for (int a = 0; a < 3; a++) d->cell[k].key[2 - a] = cell_of(x[a], d->low[a], size);
    }
    sn_records_sort(d->cell, d->spare, d->cells, 3);
}

static bool is_before(const sn_record *a, const uint32_t key[3]) {
    for (int k = 0; k < 3; k++)
        if (a->key[k] != key[k]) return a->key[k] < key[k];
    return false;
}

/* The first that is not before a cell. */
static size_t find_cell(const sn_dough_state *d, uint32_t z, uint32_t y, uint32_t x) {
    const uint32_t key[3] = {z, y, x};
    size_t low = 0, high = d->cells;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&d->cell[middle], key))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t sn_dough_near(const sn_world *world, sn_dough_state *d, const double x[3], double radius) {
    double size = size_of(d), square = radius * radius, at[3];
    uint32_t from[3], to[3];
    size_t count = 0;
    for (int a = 0; a < 3; a++) {
        from[a] = cell_of(x[a] - radius, d->low[a], size);
        to[a] = cell_of(x[a] + radius, d->low[a], size);
    }
    for (uint32_t z = from[2]; z <= to[2]; z++)
        for (uint32_t y = from[1]; y <= to[1]; y++)
            for (size_t k = find_cell(d, z, y, from[0]); k < d->cells; k++) {
                const sn_record *r = &d->cell[k];
                if (r->key[0] != z || r->key[1] != y || r->key[2] > to[0]) break;
                if (d->waits[r->value]) continue;
                sn_dough_place(world, d, r->value, at);
                double e[3] = {at[0] - x[0], at[1] - x[1], at[2] - x[2]};
                if ((e[0] * e[0] + e[1] * e[1]) + e[2] * e[2] <= square)
                    d->near[count++] = r->value;
            }
    return count;
}
