/*
 * What constraints measured at rest, measured anew when a node has another place there.
 *
 * The `prepare` of a type fills automatic fields and what it measures beyond them. Which fields
 * were automatic is not known any more, so it is asked of the old place first: what has that value
 * is taken to follow the shape at rest. A constraint whose measures are others (because they
 * changed since it was made) cannot be told what it has.
 */
#include "world/cut_snap.h"

#include <math.h>
#include <string.h>

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

static bool is_near_equal(sn_real a, sn_real b) {
    return fabs((double)a - (double)b) <= 1e-3 * (fabs((double)a) + fabs((double)b)) + 1e-30;
}

/* What a constraint measures at rest. Fields that are not automatic in `parameter` stay. */
static bool measure(const sn_cut_move *s, const sn_store *store, sn_members members, bool moved,
                    sn_real *parameter) {
    sn_vec3 x[SN_MAX_NODES];
    sn_point origin = {0, 0, 0};
    for (int n = 0; n < members.nodes; n++) {
        uint32_t vertex = sn_cut_vertex_of(&s->mesh, sn_member(members, n));
        if (vertex == UINT32_MAX) return false;
        sn_point at = sn_cut_rest_of(s, vertex, moved);
        if (n == 0) origin = at;
        x[n] = sn_point_vec3(sn_point_sub(at, origin));
    }
    sn_preparation from = {.x = x};
    return !store->type->prepare || store->type->prepare(&from, parameter) == SN_OK;
}

/* Makes those fields automatic that have the value of the place at rest, and compares all that was
   measured. *scale is the first of them that is a length, an area or a volume, or -1. */
static bool find_automatic(const sn_cut_move *s, const sn_store *store, sn_members members,
                           const sn_real *stored, sn_real *open, int *scale) {
    const sn_type_info *info = &store->type->info;
    sn_real old[SN_MAX_PARAMETERS];
    size_t bytes = sizeof(sn_real) * (size_t)store->parameters;
    memcpy(old, stored, bytes);
    memcpy(open, stored, bytes);
    int at = 0;
    *scale = -1;
    for (int pass = 0; pass < 2; pass++) {
        at = 0;
        for (size_t i = 0; i < info->field_count; i++) {
            int numbers = info->fields[i].kind == SN_FIELD_VEC3 ? 3 : 1;
            bool measured = info->fields[i].automatic && at >= SN_COMMON_PARAMETERS;
            for (int k = 0; measured && k < numbers; k++) {
                if (pass == 0) {
                    old[at + k] = SN_AUTO;
                } else if (is_near_equal(old[at + k], stored[at + k])) {
                    open[at + k] = SN_AUTO;
                    bool size = numbers == 1 && stored[at] != 0 && info->fields[i].unit[0] == 'm';
                    if (*scale < 0 && size) *scale = at;
                }
            }
            at += numbers;
        }
        if (pass == 0 && !measure(s, store, members, false, old)) return false;
    }
    for (; at < store->parameters; at++)
        if (!is_near_equal(old[at], stored[at])) return false;
    return true;
}

/* What a constraint has after the move; false where it cannot be told. */
static bool remeasure(const sn_cut_move *s, const sn_store *store, sn_place place,
                      sn_real *parameter) {
    sn_members members = sn_store_members(store, place);
    const sn_real *stored = sn_store_parameters(store, place);
    int scale;
    if (store->type->info.list != SN_LIST_NONE || members.frames > 0 ||
        store->type->info.fixed_nodes > 0)
        return false;
    if (!find_automatic(s, store, members, stored, parameter, &scale) ||
        !measure(s, store, members, true, parameter))
        return false;
    double before = volume_around(s, members, false), after = volume_around(s, members, true);
    if (!(before > 0) || !(after > 0)) return false;
    double c = scale >= 0 ? (double)parameter[scale] / (double)stored[scale] : 1;
    double factor = c * c * before / after;
    if (!(factor > 0.01 && factor < 100)) return false;
    parameter[SN_PARAMETER_COMPLIANCE] =
        (sn_real)((double)stored[SN_PARAMETER_COMPLIANCE] * factor);
    parameter[SN_PARAMETER_DAMPING] = (sn_real)((double)stored[SN_PARAMETER_DAMPING] / factor);
    return true;
}

/* All constraints of the vertex: first whether they can be measured, then what they have. */
bool sn_cut_change_constraints(const sn_cut_move *s, bool apply) {
    const sn_cut *cut = s->cut;
    for (uint32_t l = cut->listed[s->vertex]; l; l = cut->link[l - 1].next) {
        uint32_t constraint = cut->link[l - 1].constraint;
        sn_store *store = sn_world_store_of(s->world, constraint);
        sn_place place = sn_world_place(s->world, constraint);
        sn_real parameter[SN_MAX_PARAMETERS];
        if (!remeasure(s, store, place, parameter)) return false;
        if (apply) sn_store_set_parameters(store, place, parameter);
    }
    return true;
}
