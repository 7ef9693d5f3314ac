/*
 * What constraints measured at rest, measured anew when their nodes have other places there.
 *
 * The `prepare` of a type fills automatic fields and what it measures beyond them. Which fields
 * were automatic is not known any more, so it is asked of the old places first: what has that value
 * is taken to follow the shape at rest, and a length, area or volume that has another (a limit, or
 * a part of the one at rest) follows in proportion. A constraint whose measures are others (because
 * they changed since it was made) cannot be told what it has.
 */
#include "fracture/cut_snap.h"

#include "math/angle.h"

#include <math.h>
#include <string.h>

/* ---- One constraint ---- */

static bool is_near_equal(sn_real a, sn_real b) {
    return fabs((double)a - (double)b) <= 1e-3 * (fabs((double)a) + fabs((double)b)) + 1e-30;
}

/* The same for some that belong together, where one may be nothing but rounding beside the
   others. */
static bool are_near_equal(const sn_real *a, const sn_real *b, int count) {
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fabs((double)a[k]) > most && a[k] != SN_AUTO ? fabs((double)a[k]) : most;
    for (int i = 0; i < count; i++)
        if (!is_near_equal(a[i], b[i]) && !(fabs((double)a[i] - (double)b[i]) < 1e-3 * most))
            return false;
    return true;
}

/* What a type measures. Fields that are not automatic in `parameter` stay. */
static bool measure(const sn_store *store, const sn_point *at, int nodes, sn_real *parameter) {
    sn_vec3 x[SN_MAX_NODES];
    for (int n = 0; n < nodes; n++) x[n] = sn_point_vec3(sn_point_sub(at[n], at[0]));
    sn_preparation from = {.x = x};
    return !store->type->prepare || store->type->prepare(&from, parameter) == SN_OK;
}

/* Goes through the numbers of fields that are measured where they are automatic. */
typedef struct field_walk {
    const sn_field_info *field;
    size_t next;
    int at, numbers; /* of the field, among the parameters */
} field_walk;

static bool next_measured(const sn_type_info *info, field_walk *w) {
    while (w->next < info->field_count) {
        w->field = &info->fields[w->next++];
        w->at += w->numbers;
        w->numbers = w->field->kind == SN_FIELD_VEC3 ? 3 : 1;
        if (w->field->automatic && w->at >= SN_COMMON_PARAMETERS) return true;
    }
    return false;
}

/* All that can be automatic is, and then measured. */
static bool measure_all(const sn_store *store, const sn_real *stored, const sn_point *at, int nodes,
                        sn_real *out) {
    memcpy(out, stored, sizeof(sn_real) * (size_t)store->parameters);
    for (field_walk w = {0}; next_measured(&store->type->info, &w);)
        for (int k = 0; k < w.numbers; k++) out[w.at + k] = SN_AUTO;
    return measure(store, at, nodes, out);
}

/* Which numbers follow, and how; false where it cannot be told. */
static bool follow(const sn_store *store, const sn_real *stored, const sn_real *before,
                   const sn_real *after, sn_real *out, double *scale) {
    for (field_walk w = {0}; next_measured(&store->type->info, &w);) {
        int i = w.at;
        bool size = w.field->unit[0] == 'm' && before[i] != SN_AUTO;
        bool plain = size && w.numbers == 1 && before[i] != 0;
        if (plain && *scale < 0) *scale = (double)after[i] / (double)before[i];
        if (are_near_equal(before + i, stored + i, w.numbers))
            for (int k = 0; k < w.numbers; k++) out[i + k] = SN_AUTO;
        else if (plain)
            out[i] = (sn_real)((double)stored[i] * ((double)after[i] / (double)before[i]));
        else if (size)
            return false;
    }
    int own = store->parameters - store->type->measured;
    return are_near_equal(before + own, stored + own, store->type->measured);
}

/* Directions in a triangle are angles from its first edge: the same direction from another one. */
static void turn_angle(const sn_type_info *info, const sn_point *before, const sn_point *after,
                       sn_real *parameter) {
    int at = 0;
    for (size_t i = 0; i < info->field_count; i++) {
        if (info->nodes == 3 && strcmp(info->fields[i].name, "warp_angle") == 0) {
            double sine, cosine;
            sn_point n = sn_point_normal(before[0], before[1], before[2]);
            sn_point e = sn_point_sub(before[1], before[0]), f = sn_point_sub(after[1], after[0]);
            sn_point m = sn_point_normal(after[0], after[1], after[2]);
            sn_point across = sn_point_cross(n, e), beside = sn_point_cross(m, f);
            sn_sine_cosine((double)parameter[at], &sine, &cosine);
            sn_point along = sn_point_add(sn_point_scaled(e, cosine / sn_point_length(e)),
                                          sn_point_scaled(across, sine / sn_point_length(across)));
            double x = sn_point_dot(along, f) / sn_point_length(f);
            double y = sn_point_dot(along, beside) / sn_point_length(beside);
            double angle = sn_angle(x, fabs(y));
            if (fabs(x - cosine) + fabs(y - sine) > 1e-9)
                parameter[at] = (sn_real)(y < 0 ? -angle : angle);
        }
        at += info->fields[i].kind == SN_FIELD_VEC3 ? 3 : 1;
    }
}

bool sn_cut_remeasure(const sn_store *store, const sn_real *stored, int nodes,
                      const sn_point *before, const sn_point *after, sn_real *parameter,
                      double *scale) {
    sn_real old[SN_MAX_PARAMETERS], new[SN_MAX_PARAMETERS];
    *scale = -1;
    memcpy(parameter, stored, sizeof(sn_real) * (size_t)store->parameters);
    if (!measure_all(store, stored, before, nodes, old) ||
        !measure_all(store, stored, after, nodes, new) ||
        !follow(store, stored, old, new, parameter, scale))
        return false;
    if (*scale < 0) *scale = 1;
    turn_angle(&store->type->info, before, after, parameter);
    return measure(store, after, nodes, parameter);
}

bool sn_cut_measure_fresh(const sn_store *store, const sn_real *stored, int nodes,
                          const sn_point *before, const sn_point *after, sn_real *parameter) {
    const sn_type_info *info = &store->type->info;
    sn_real old[SN_MAX_PARAMETERS];
    int at = 0;
    memcpy(parameter, stored, sizeof(sn_real) * (size_t)store->parameters);
    if (!measure_all(store, stored, before, nodes, old)) return false;
    for (field_walk w = {0}; next_measured(info, &w);)
        for (int k = 0; k < w.numbers; k++)
            if (old[w.at + k] != SN_AUTO) parameter[w.at + k] = SN_AUTO;
    for (size_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, "crease") == 0) parameter[at] = 0;
        at += info->fields[i].kind == SN_FIELD_VEC3 ? 3 : 1;
    }
    return measure(store, after, nodes, parameter);
}

bool sn_cut_rescale(sn_real *parameter, double factor, double strength) {
    if (!(factor > 1e-4 && factor < 1e4)) return false;
    sn_real *force = &parameter[SN_PARAMETER_BREAK_FORCE];
    parameter[SN_PARAMETER_COMPLIANCE] =
        (sn_real)((double)parameter[SN_PARAMETER_COMPLIANCE] * factor);
    parameter[SN_PARAMETER_DAMPING] = (sn_real)((double)parameter[SN_PARAMETER_DAMPING] / factor);
    if (*force != SN_AUTO) *force = (sn_real)((double)*force * strength);
    return true;
}

/* ---- All of a node that is moved ---- */

/* m^3, of the tets that have all nodes of a constraint. */
static double volume_around(const sn_cut_move *s, sn_members members, bool moved) {
    double sum = 0;
    for (size_t i = 0; i < s->cut->corners; i++) {
        const sn_corner *c = &s->cut->corner[i];
        bool all = true;
        for (int n = 0; n < members.nodes; n++) {
            uint32_t node = (uint32_t)sn_member(members, n);
            all = all && (node == s->node || sn_cut_has(c, node));
        }
        if (all) sum += sn_cut_volume_of(s, c->element, moved);
    }
    return sum;
}

/* What the stiffness of a hinge of two triangles is proportional to, unless it measures that. */
static double bend_of(const sn_type_info *info, const sn_point p[4]) {
    sn_point e = sn_point_sub(p[1], p[0]);
    double area = sn_point_length(sn_point_normal(p[0], p[1], p[2])) +
                  sn_point_length(sn_point_normal(p[0], p[1], p[3]));
    return !sn_cut_is_scaled_outside(info) ? 1 : area > 0 ? sn_point_dot(e, e) / area : 0;
}

bool sn_cut_is_scaled_outside(const sn_type_info *info) {
    for (size_t i = SN_COMMON_PARAMETERS; i < info->field_count; i++)
        if (info->fields[i].automatic) return true;
    return false;
}

/* What a constraint has after the move; false where it cannot be told. */
static bool remeasure(const sn_cut_move *s, const sn_store *store, sn_place place,
                      sn_real *parameter) {
    sn_members members = sn_store_members(store, place);
    sn_point before[SN_MAX_NODES], after[SN_MAX_NODES];
    double c;
    if (store->type->info.list != SN_LIST_NONE || members.frames > 0 ||
        store->type->info.fixed_nodes > 0)
        return false;
    for (int n = 0; n < members.nodes; n++) {
        uint32_t vertex = sn_cut_vertex_of(&s->mesh, sn_member(members, n));
        if (vertex == UINT32_MAX) return false;
        before[n] = sn_cut_rest_of(s, vertex, false);
        after[n] = sn_cut_rest_of(s, vertex, true);
    }
    if (!sn_cut_remeasure(store, sn_store_parameters(store, place), members.nodes, before, after,
                          parameter, &c))
        return false;
    double old = volume_around(s, members, false), now = volume_around(s, members, true);
    if (s->mesh.corners == 3 && members.nodes == 4) {
        old = bend_of(&store->type->info, before);
        now = bend_of(&store->type->info, after);
    }
    if (!(old > 0) || !(now > 0)) return false;
    double factor = c * c * old / now;
    return factor > 0.01 && factor < 100 && sn_cut_rescale(parameter, factor, now / (old * c));
}

/* A ring around a vertex keeps its area and measures the rest; it can, as triangles stay good. */
static bool measure_ring(sn_cut_move *s, const sn_store *store, sn_place place) {
    sn_memory *memory = &s->world->memory;
    sn_list *list = sn_store_list(store, place);
    sn_vec3 *x = sn_allocate(memory, list->count, sizeof *x);
    sn_point origin = {0, 0, 0};
    bool known = x != NULL;
    s->room = s->room && known;
    for (size_t n = 0; known && n < list->count; n++) {
        uint32_t vertex = sn_cut_vertex_of(&s->mesh, list->offset[n] / SN_NODE_BYTES);
        known = vertex != UINT32_MAX;
        if (!known) break;
        sn_point at = sn_cut_rest_of(s, vertex, true);
        if (n == 0) origin = at;
        x[n] = sn_point_vec3(sn_point_sub(at, origin));
    }
    sn_preparation from = {.x = x, .list = list, .memory = memory};
    if (known && store->type->prepare(&from, sn_store_parameters(store, place)) == SN_ERROR_MEMORY)
        s->room = known = false;
    sn_free(memory, x, list->count, sizeof *x);
    return known;
}

/* All constraints of the vertex: first whether they can be measured, then what they have. */
bool sn_cut_change_constraints(sn_cut_move *s, bool apply) {
    const sn_cut *cut = s->cut;
    for (uint32_t l = cut->listed[s->vertex]; l; l = cut->link[l - 1].next) {
        uint32_t constraint = cut->link[l - 1].constraint;
        sn_store *store = sn_world_store_of(s->world, constraint);
        sn_place place = sn_world_place(s->world, constraint);
        sn_real parameter[SN_MAX_PARAMETERS];
        /* Those of a sheet are made anew. */
        if (s->world->constraints.record[constraint].owned) continue;
        if (sn_list_is_ring(store->type->info.list) && s->mesh.corners == 3) {
            if (apply && !measure_ring(s, store, place)) return false;
            continue;
        }
        if (!remeasure(s, store, place, parameter)) return false;
        if (!apply) continue;
        sn_store_set_parameters(store, place, parameter);
        sn_store_derive(store, place, (sn_masses){s->world->nodes.w, s->world->frames.w},
                        &s->world->scale);
    }
    return true;
}
