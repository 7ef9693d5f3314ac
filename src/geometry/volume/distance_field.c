#include <sinew/volume.h>

#include "base/error.h"
#include "geometry/volume/inside.h"

#include <math.h>

#define MOST_POINTS 134217728.0

struct sn_sdf {
    sn_memory memory;
    sn_point low;
    double spacing;
    uint32_t points[3];
    size_t count;
    sn_real *value;
};

sn_sdf_def sn_sdf_def_default(void) {
    return (sn_sdf_def){.size = sizeof(sn_sdf_def), .spacing = SN_AUTO, .margin = SN_AUTO};
}

/* ---- Making ---- */

static sn_result expect_def(const sn_sdf_def *def) {
    if (!def) return sn_fail(SN_ERROR_NULL, "distance field: the definition is null");
    if (def->size != sizeof *def)
        return sn_fail(SN_ERROR_DEFINITION,
                       "distance field: the size of the definition is %zu, expected %zu: begin "
                       "with sn_sdf_def_default",
                       def->size, sizeof *def);
    double spacing = (double)def->spacing, margin = (double)def->margin;
    if (def->spacing != SN_AUTO && !(spacing >= 1e-9 && spacing <= 1e9))
        return sn_fail(SN_ERROR_VALUE,
                       "distance field: spacing is %g, expected from 1e-9 to 1e9 m, or SN_AUTO",
                       spacing);
    if (def->margin != SN_AUTO && !(margin >= 0 && margin <= 1e9))
        return sn_fail(SN_ERROR_VALUE,
                       "distance field: margin is %g, expected from 0 to 1e9 m, or SN_AUTO",
                       margin);
    return SN_OK;
}

/* Lays out the grid: whole spacings, as much on either side. */
static sn_result lay_out(sn_sdf *field, const sn_sdf_def *def, const sn_bounds *bounds) {
    sn_point extent = sn_point_sub(bounds->high, bounds->low);
    double longest = extent.x > extent.y ? extent.x : extent.y;
    if (extent.z > longest) longest = extent.z;
    field->spacing = def->spacing == SN_AUTO ? longest / 32 : (double)def->spacing;
    double margin = def->margin == SN_AUTO ? 2 * field->spacing : (double)def->margin;
    double sides[3] = {extent.x, extent.y, extent.z}, cells[3], total = 1;
    for (int k = 0; k < 3; k++) {
        cells[k] = ceil((sides[k] + 2 * margin) / field->spacing);
        if (!(cells[k] >= 1)) cells[k] = 1;
        total *= cells[k] + 1;
    }
    if (!(total <= MOST_POINTS))
        return sn_fail(SN_ERROR_LIMIT,
                       "distance field: a spacing of %g m gives %.0f by %.0f by %.0f points, "
                       "expected at most 2^27 in all",
                       field->spacing, cells[0] + 1, cells[1] + 1, cells[2] + 1);
    for (int k = 0; k < 3; k++) field->points[k] = (uint32_t)cells[k] + 1;
    field->count = (size_t)total;
    sn_point middle = sn_point_scaled(sn_point_add(bounds->low, bounds->high), 0.5);
    sn_point half = {cells[0] * field->spacing / 2, cells[1] * field->spacing / 2,
                     cells[2] * field->spacing / 2};
    field->low = sn_point_sub(middle, half);
    return SN_OK;
}

/* Each search begins with the nearest triangle of the point before, and a row with that of the
   first point of the row before. */
static void fill(sn_sdf *field, const sn_solid *solid) {
    size_t at = 0;
    double h = field->spacing;
    uint32_t of_layer = SN_BVH_NONE, of_row, hint;
    for (uint32_t k = 0; k < field->points[2]; k++) {
        of_row = of_layer;
        for (uint32_t j = 0; j < field->points[1]; j++) {
            hint = of_row;
            for (uint32_t i = 0; i < field->points[0]; i++) {
                sn_point x = {field->low.x + i * h, field->low.y + j * h, field->low.z + k * h};
                field->value[at++] = (sn_real)sn_solid_distance(solid, x, &hint);
                if (i == 0) of_row = hint;
                if (i == 0 && j == 0) of_layer = hint;
            }
        }
    }
}

sn_result sn_sdf_create(const sn_mesh *mesh, const sn_sdf_def *def, sn_sdf **field) {
    SN_TRY(sn_mesh_expect(mesh));
    SN_TRY(expect_def(def));
    if (!field) return sn_fail(SN_ERROR_NULL, "distance field: where to write it is null");
    sn_solid solid;
    SN_TRY(sn_solid_create(&solid, "distance field", mesh));
    sn_memory memory = sn_mesh_memory(mesh);
    sn_sdf *made = sn_allocate(&memory, 1, sizeof *made);
    sn_result result = made ? lay_out(made, def, &solid.bounds) : SN_ERROR_MEMORY;
    if (result == SN_OK) {
        made->value = sn_allocate(&memory, made->count, sizeof *made->value);
        if (!made->value) result = SN_ERROR_MEMORY;
    }
    if (result == SN_OK) {
        made->memory = memory;
        fill(made, &solid);
        *field = made;
    } else {
        sn_free(&memory, made, 1, sizeof *made);
    }
    sn_solid_free(&solid);
    return result;
}

void sn_sdf_free(sn_sdf *field) {
    if (!field) return;
    sn_memory memory = field->memory;
    sn_free(&memory, field->value, field->count, sizeof *field->value);
    sn_free(&memory, field, 1, sizeof *field);
}

/* ---- Asking ---- */

static sn_result expect_field(const sn_sdf *field) {
    return field ? SN_OK : sn_fail(SN_ERROR_NULL, "distance field: it is null");
}

sn_result sn_sdf_get(const sn_sdf *field, sn_sdf_view *view) {
    SN_TRY(expect_field(field));
    if (!view) return sn_fail(SN_ERROR_NULL, "distance field: where to write the view is null");
    const uint32_t *n = field->points;
    double h = field->spacing;
    sn_point high = {field->low.x + (n[0] - 1) * h, field->low.y + (n[1] - 1) * h,
                     field->low.z + (n[2] - 1) * h};
    *view = (sn_sdf_view){.low = sn_point_vec3(field->low),
                          .high = sn_point_vec3(high),
                          .spacing = (sn_real)h,
                          .points = {n[0], n[1], n[2]},
                          .values = field->value};
    return SN_OK;
}

/* The cell of a coordinate in spacings, how far into it, and how far outside the grid. */
static uint32_t cell_of(double at, uint32_t points, double *part, double *outside) {
    double last = points - 1;
    *outside = at < 0 ? at : at > last ? at - last : 0;
    double inside = at - *outside;
    uint32_t cell = (uint32_t)inside;
    if (cell > points - 2) cell = points - 2;
    *part = inside - cell;
    return cell;
}

sn_result sn_sdf_sample(const sn_sdf *field, sn_vec3 position, sn_real *distance,
                        sn_vec3 *gradient) {
    SN_TRY(expect_field(field));
    if (!distance) return sn_fail(SN_ERROR_NULL, "distance field: where to write it is null");
    if (!isfinite(position.x) || !isfinite(position.y) || !isfinite(position.z))
        return sn_fail(SN_ERROR_VALUE,
                       "distance field: the position is %g %g %g, expected finite numbers",
                       (double)position.x, (double)position.y, (double)position.z);
    sn_point x =
        sn_point_scaled(sn_point_sub(sn_point_of(position), field->low), 1 / field->spacing);
    double part[3], out[3];
    size_t row = field->points[0], layer = row * field->points[1];
    size_t at = cell_of(x.x, field->points[0], &part[0], &out[0]);
    at += row * cell_of(x.y, field->points[1], &part[1], &out[1]);
    at += layer * cell_of(x.z, field->points[2], &part[2], &out[2]);

    /* Along x, then along y, then along z; with each the differences of those before. */
    double value = 0, slope[3] = {0, 0, 0};
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++) {
            const sn_real *v = field->value + at + (size_t)j * row + (size_t)k * layer;
            double along = (double)v[0] + ((double)v[1] - (double)v[0]) * part[0];
            double wy = j ? part[1] : 1 - part[1], wz = k ? part[2] : 1 - part[2];
            value += along * wy * wz;
            slope[0] += ((double)v[1] - (double)v[0]) * wy * wz;
            slope[1] += (j ? along : -along) * wz;
            slope[2] += (k ? along : -along) * wy;
        }
    double away = sn_point_length((sn_point){out[0], out[1], out[2]});
    *distance = (sn_real)(value + away * field->spacing);
    sn_point direction = {slope[0], slope[1], slope[2]};
    direction = sn_point_scaled(direction, 1 / field->spacing);
    if (away > 0) direction = (sn_point){out[0] / away, out[1] / away, out[2] / away};
    if (gradient) *gradient = sn_point_vec3(direction);
    return SN_OK;
}
