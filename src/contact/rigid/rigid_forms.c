/*
 * What bodies and what stands in their way are to each other: points, faces and edges of colliders,
 * listed when pairs are found. Of what is carried they are in the frame of its node; of what nobody
 * carries, in its own.
 */
#include "base/memory.h"
#include "collision/collider_pose.h"
#include "collision/shapes/shape_axes.h"
#include "collision/shapes/shape_distance.h"
#include "collision/shapes/shape_points.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_crests.h"

#include <string.h>

enum { BODIES_ALONE = 256 };

bool sn_rigid_is_carried(const sn_world *world, size_t collider) {
    const sn_colliders *colliders = sn_colliders_of(world);
    return colliders->slots.alive[collider] && colliders->state[collider].carrier;
}

/* Whether points, faces and edges say what a shape is, of what stands. */
static bool is_plain(const sn_collider_def *def) {
    bool plain = sn_shape_is_round(def->shape) || sn_shape_axes_most(def) > 0;
    if (def->shape != SN_SHAPE_COMPOUND) return plain;
    for (size_t k = 0; k < def->form->part_count; k++)
        if (!is_plain(&def->form->pieces[k])) return false;
    return def->form->part_count > 0;
}

bool sn_rigid_has_form(const sn_world *world, size_t collider) {
    const sn_colliders *colliders = sn_colliders_of(world);
    const sn_collider_state *c = &colliders->state[collider];
    return colliders->slots.alive[collider] && (c->carrier || is_plain(&c->def));
}

/* From the frame of a collider to that in which its points are. */
static void frame_of(const sn_collider_state *c, sn_v4 *turn, sn_v4 *at) {
    *turn = (sn_v4){0, 0, 0, 1};
    *at = (sn_v4){0};
    if (!c->carrier) return;
    *turn = (sn_v4){c->turn.x, c->turn.y, c->turn.z, c->turn.w};
    *at = sn_v4_of(c->at);
}

static void take_points(const sn_world *world, sn_rigid_contacts *t, size_t i) {
    const sn_collider_state *c = &sn_colliders_of(world)->state[i];
    const size_t first = t->form[i].point, count = sn_shape_points(&c->def, t->point + first);
    sn_v4 turn, origin;
    frame_of(c, &turn, &origin);
    for (size_t k = first; k < first + count; k++) {
        sn_real radius = t->point[k].w;
        sn_v4 at = sn_quat_rotate(turn, sn_v4_load(&t->point[k])) + origin;
        t->point[k] = (sn_vec4){at[0], at[1], at[2], radius};
        t->own[k] = (uint32_t)i;
    }
    sn_shape_points_between(&c->def, t->half + first);
}

/* Where a box on a node is now. */
static void place_box(const sn_world *world, const sn_rigid_contacts *t, uint32_t node, sn_v4 at,
                      sn_rigid_form *form) {
    const sn_vec4 *edge = t->axis + form->axis + form->faces;
    sn_v4 q = sn_v4_load(&world->frames.q[world->nodes.frame[node] - 1]);
    for (int k = 0; k < 3; k++)
        sn_v4_store(&form->side[k], sn_quat_rotate(q, sn_v4_load(&edge[k])));
    sn_v4_store(&form->middle, sn_v4_load(&world->nodes.d[node]) + sn_quat_rotate(q, at));
}

/* The axes of a shape in the frame of the node, where it is turned and placed like this, behind
   others. */
static void take_axes(const sn_world *world, sn_rigid_contacts *t, const sn_collider_def *def,
                      uint32_t carrier, sn_v4 turn, sn_v4 at, sn_rigid_form *form, size_t *axes) {
    size_t first = *axes;
    form->faces = 0;
    if (sn_shape_axes_most(def) == 0) return;
    form->edges = sn_shape_axes(def, t->axis + first, &form->faces);
    form->axis = first;
    form->size = (sn_real)sn_shape_reach(def);
    form->reach = form->size + sn_v4_length(at);
    form->half = (sn_vec4){0, 0, 0, 0};
    *axes = first + form->faces + form->edges;
    for (; first < *axes; first++)
        sn_v4_store(&t->axis[first], sn_quat_rotate(turn, sn_v4_load(&t->axis[first])));
    if (def->shape != SN_SHAPE_BOX) return;
    form->half = (sn_vec4){def->extent.x, def->extent.y, def->extent.z, 0};
    if (carrier) place_box(world, t, carrier - 1, at, form);
}

/* What a collider is to those with faces, and its parts. */
static void take_forms(const sn_world *world, sn_rigid_contacts *t, size_t i) {
    const sn_collider_state *c = &sn_colliders_of(world)->state[i];
    const size_t parts = c->def.shape == SN_SHAPE_COMPOUND ? c->def.form->part_count : 0;
    sn_rigid_form *all = &t->form[i];
    size_t axes = all->axis, forms = all->part;
    sn_v4 turn, origin;
    frame_of(c, &turn, &origin);
    take_axes(world, t, &c->def, c->carrier, turn, origin, all, &axes);
    all->hollow = parts == 0 && all->faces == 0;
    all->rims = c->def.shape == SN_SHAPE_CYLINDER;
    all->round = sn_shape_is_round(c->def.shape);
    all->bound = (sn_real)sn_shape_reach(&c->def) + sn_v4_length(origin);
    all->parts = parts;
    for (size_t k = 0, point = all->point; k < parts; k++) {
        const sn_collider_def *piece = &c->def.form->pieces[k];
        sn_rigid_form *form = &t->form[forms++];
        sn_quat q = piece->orientation;
        *form = (sn_rigid_form){.point = point,
                                .points = sn_shape_points(piece, NULL),
                                .round = sn_shape_is_round(piece->shape),
                                .rims = piece->shape == SN_SHAPE_CYLINDER};
        sn_v4 at = sn_quat_rotate(turn, sn_v4_of(piece->position)) + origin;
        form->bound = (sn_real)sn_shape_reach(piece) + sn_v4_length(at);
        take_axes(world, t, piece, c->carrier, sn_quat_mul(turn, (sn_v4){q.x, q.y, q.z, q.w}), at,
                  form, &axes);
        all->hollow = all->hollow || (form->faces == 0 && !sn_shape_is_round(piece->shape));
        point += form->points;
    }
}

static void take_range(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t i = begin; i < end; i++)
        if (sn_rigid_has_form(world, i)) {
            take_points(world, t, i);
            take_forms(world, t, i);
        }
}

/* How many axes and parts a collider has at most. */
static size_t most_axes(const sn_collider_def *def, size_t *parts) {
    size_t axes = sn_shape_axes_most(def);
    for (size_t k = 0; def->shape == SN_SHAPE_COMPOUND && k < def->form->part_count; k++, ++*parts)
        axes += sn_shape_axes_most(&def->form->pieces[k]);
    return axes;
}

/* How many points, axes and parts there are; points of nodes are counted at each. */
static size_t count_all(const sn_world *world, sn_rigid_contacts *t, size_t *axes, size_t *parts) {
    const sn_colliders *colliders = sn_colliders_of(world);
    size_t standing = 0;
    for (size_t i = 0; i < colliders->slots.count; i++) {
        const sn_collider_state *c = &colliders->state[i];
        if (!sn_rigid_has_form(world, i)) continue;
        *(c->carrier ? &t->point_begin[c->carrier - 1] : &standing) +=
            sn_shape_points(&c->def, NULL);
        *axes += most_axes(&c->def, parts);
    }
    return standing;
}

/* Where the points, axes and parts of each begin; those of what stands are behind all others. */
static void place_all(const sn_world *world, sn_rigid_contacts *t) {
    const sn_colliders *colliders = sn_colliders_of(world);
    size_t axes = 0, parts = colliders->slots.count, standing = t->points;
    t->reach = 0;
    for (size_t i = 0; i < colliders->slots.count; i++) {
        const sn_collider_state *c = &colliders->state[i];
        sn_rigid_form *form = &t->form[i];
        *form = (sn_rigid_form){0};
        if (!sn_rigid_has_form(world, i)) continue;
        size_t *point = c->carrier ? &t->point_begin[c->carrier - 1] : &standing;
        form->point = *point;
        form->points = sn_shape_points(&c->def, NULL);
        form->axis = axes;
        form->part = parts;
        *point += form->points;
        axes += most_axes(&c->def, &parts);
        if (c->carrier) t->reach += sn_shape_reach(&c->def) / (double)colliders->carried;
    }
}

bool sn_rigid_forms_list(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const size_t colliders = sn_colliders_of(world)->slots.count;
    size_t nodes = world->nodes.slots.count, sum = 0, axes = 0, parts = 0;
    if (!sn_rigid_crests_know(world) ||
        !sn_reserve(&world->memory, (void **)&t->point_begin, &t->point_begin_capacity, nodes + 2,
                    sizeof *t->point_begin))
        return false;
    memset(t->point_begin, 0, (nodes + 1) * sizeof *t->point_begin);
    const size_t standing = count_all(world, t, &axes, &parts);
    for (size_t i = 0; i <= nodes; i++) {
        size_t own = t->point_begin[i];
        t->point_begin[i] = sum;
        sum += own;
    }
    t->points = sum;
    sum += standing;
    if (!sn_renew(&world->memory, (void **)&t->point, &t->point_capacity, sum + 1,
                  sizeof *t->point) ||
        !sn_renew(&world->memory, (void **)&t->half, &t->half_capacity, sum + 1, sizeof *t->half) ||
        !sn_renew(&world->memory, (void **)&t->own, &t->own_capacity, sum + 1, sizeof *t->own) ||
        !sn_renew(&world->memory, (void **)&t->axis, &t->axis_capacity, axes + 1,
                  sizeof *t->axis) ||
        !sn_renew(&world->memory, (void **)&t->few, &t->few_capacity, colliders + 1,
                  sizeof *t->few) ||
        !sn_reserve(&world->memory, (void **)&t->form, &t->form_capacity, colliders + parts + 1,
                    sizeof *t->form))
        return false;
    place_all(world, t);
    sn_team_run(world->bindings.team, colliders, BODIES_ALONE, take_range, world);
    /* They are where the next ones begin. */
    for (size_t i = nodes; i > 0; i--) t->point_begin[i] = t->point_begin[i - 1];
    t->point_begin[0] = 0;
    return true;
}
