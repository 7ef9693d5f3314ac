/* Compounds: every part is a collider of its own that never moves, with a tree over their boxes. */
#include "base/error.h"
#include "base/range.h"
#include "collision/collider_geometry.h"

#include <math.h>

/* Makes a quaternion unit; one that is so but for rounding keeps its bits, so that what was made
   once is the same when it is made again. */
static bool make_unit(sn_quat *q) {
    double x = (double)q->x, y = (double)q->y, z = (double)q->z, w = (double)q->w;
    double square = x * x + y * y + z * z + w * w;
    if (!(square > 0) || !(square - square == 0)) return false;
    if (fabs(square - 1) < 1e-6) return true;
    double length = sqrt(square);
    *q = (sn_quat){(sn_real)(x / length), (sn_real)(y / length), (sn_real)(z / length),
                   (sn_real)(w / length)};
    return true;
}

static sn_result check_part(size_t i, sn_collider_part *part) {
    double most = (double)SN_REAL_MAX;
    if (part->shape <= SN_SHAPE_PLANE || part->shape > SN_SHAPE_SDF)
        return sn_fail(SN_ERROR_VALUE, "collider: the shape of part %zu is %d, expected %d to %d",
                       i, (int)part->shape, SN_SHAPE_SPHERE, SN_SHAPE_SDF);
    if (part->radius == SN_AUTO)
        part->radius = sn_collider_geometry_radius(part->shape, part->geometry.two_sided);
    SN_TRY(sn_check_real("part of a collider", "radius", part->radius, 0, most, false, "m"));
    const sn_real extent[3] = {part->extent.x, part->extent.y, part->extent.z};
    const sn_real place[3] = {part->position.x, part->position.y, part->position.z};
    for (int k = 0; k < 3; k++) {
        SN_TRY(sn_check_real("part of a collider", "extent", extent[k], 0, most, false, "m"));
        SN_TRY(sn_check_real("part of a collider", "position", place[k], -most, most, false, "m"));
    }
    if (!make_unit(&part->orientation))
        return sn_fail(
            SN_ERROR_VALUE,
            "collider: the orientation of part %zu is %g %g %g %g, expected a quaternion", i,
            (double)part->orientation.x, (double)part->orientation.y, (double)part->orientation.z,
            (double)part->orientation.w);
    return SN_OK;
}

static sn_result make_piece(sn_memory *memory, sn_collider_geometry *form, size_t i) {
    sn_collider_part *part = &form->parts[i];
    sn_collider_def *piece = &form->pieces[i];
    SN_TRY(check_part(i, part));
    *piece = (sn_collider_def){.size = sizeof *piece,
                               .shape = part->shape,
                               .radius = part->radius,
                               .extent = part->extent,
                               .position = part->position,
                               .orientation = part->orientation,
                               .geometry = part->geometry};
    sn_result result = sn_collider_geometry_create(memory, piece);
    if (result == SN_ERROR_MEMORY) return result;
    if (result != SN_OK) return sn_fail_within(result, "part %zu", i);
    part->geometry = piece->geometry;
    form->interpolated |= piece->form && piece->form->interpolated;
    return SN_OK;
}

/* The box of a part in the frame of the compound. */
static sn_bounds box_of(const sn_collider_def *piece) {
    sn_bounds own = sn_collider_geometry_bounds(piece), box = sn_bounds_empty();
    double q[4] = {(double)piece->orientation.x, (double)piece->orientation.y,
                   (double)piece->orientation.z, (double)piece->orientation.w};
    for (int k = 0; k < 8; k++) {
        sn_point corner = {k & 1 ? own.high.x : own.low.x, k & 2 ? own.high.y : own.low.y,
                           k & 4 ? own.high.z : own.low.z};
        sn_point at = sn_point_add(sn_point_of(piece->position), sn_point_rotated(q, corner));
        sn_bounds_add(&box, at);
    }
    /* More than rounding may take. */
    double more = 1e-5 * (sn_bounds_diagonal(box) + sn_point_length(sn_point_of(piece->position)));
    sn_point by = {more, more, more};
    return (sn_bounds){sn_point_sub(box.low, by), sn_point_add(box.high, by)};
}

static sn_result build_tree(sn_memory *memory, sn_collider_geometry *form) {
    sn_bounds *boxes = sn_allocate(memory, form->part_count, sizeof *boxes);
    if (!boxes) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < form->part_count; i++) boxes[i] = box_of(&form->pieces[i]);
    sn_result result = sn_bvh_create(&form->tree, memory, boxes, form->part_count);
    sn_free(memory, boxes, form->part_count, sizeof *boxes);
    return result;
}

sn_result sn_collider_geometry_make_parts(sn_memory *memory, sn_collider_geometry *form,
                                          sn_collider_def *def) {
    size_t count = def->parts ? def->part_count : 0;
    if (count == 0 || count > (size_t)1 << 24)
        return sn_fail(count ? SN_ERROR_LIMIT : SN_ERROR_VALUE,
                       "collider: it has %zu parts, expected 1 to 2^24", count);
    form->parts = sn_allocate(memory, count, sizeof *form->parts);
    form->pieces = sn_allocate(memory, count, sizeof *form->pieces);
    form->part_count = count;
    if (!form->parts || !form->pieces) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        form->parts[i] = def->parts[i];
        SN_TRY(make_piece(memory, form, i));
    }
    SN_TRY(build_tree(memory, form));
    form->bounds = form->tree.nodes[0].bounds;
    def->parts = form->parts;
    return SN_OK;
}
