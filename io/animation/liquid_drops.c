/* What particles by themselves add to a field, between the points of its grid. */
#include "io/animation/liquid_field.h"

static const liquid_block *block_of(const liquid_field *f, const int32_t point[3]) {
    int32_t at[3];
    for (int a = 0; a < 3; a++) at[a] = sn_liquid_block_of(point[a]);
    size_t number = sn_liquid_map_find(&f->map, at);
    return number == LIQUID_NONE ? NULL : &f->blocks[number];
}

bool sn_liquid_field_has_drops(const liquid_field *field, const int32_t point[3]) {
    const liquid_block *block = block_of(field, point);
    return block && block->drop;
}

double sn_liquid_drops_at(const liquid_field *field, const int32_t point[3], const double x[3],
                          double slope[3]) {
    const liquid_block *block = block_of(field, point);
    double sum = 0;
    for (uint32_t i = block ? block->drop : 0; i; i = field->drops[i - 1].next) {
        const liquid_drop *drop = &field->drops[i - 1];
        double d[3], d2 = 0, reach2 = drop->reach * drop->reach;
        for (int a = 0; a < 3; a++) {
            d[a] = x[a] - drop->middle[a];
            d2 += d[a] * d[a];
        }
        double rest = 1 - d2 / reach2;
        if (rest <= 0) continue;
        sum += drop->weight * rest * rest * rest;
        for (int a = 0; a < 3; a++) slope[a] -= 6 * drop->weight * rest * rest * d[a] / reach2;
    }
    return sum;
}

double sn_liquid_field_bulk_at(const liquid_field *field, const int32_t point[3]) {
    double x[3], slope[3] = {0};
    for (int a = 0; a < 3; a++) x[a] = (double)point[a] * field->cell;
    return (double)sn_liquid_field_at(field, point) - sn_liquid_drops_at(field, point, x, slope);
}
