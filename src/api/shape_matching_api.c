/* The public calls on shape matchings. */
#include "api/call.h"
#include "api/check.h"
#include "math/quaternion.h"
#include "systems/shape_matching/shape_matchings.h"

#define ID SN_ID_AS(sn_shape_matching, call->id)
#define CALLS(CALL, OWN)                                                                           \
    CALL(CREATE, "matching_create", SN_PART_DEF | SN_PART_ARRAYS, 0, &sn_shape_matching_object,    \
         sn_shape_matching_create(world, call->def, &(sn_shape_matching){0}))                      \
    CALL(DESTROY, "matching_destroy", SN_PART_ID, 0, NULL, sn_shape_matching_destroy(world, ID))   \
    CALL(SET, "matching_set", SN_PART_ID | SN_PART_DEF, 0, &sn_shape_matching_object,              \
         sn_shape_matching_set(world, ID, call->def))
SN_DEFINE_CALLS(shape_matching, CALLS, .next = NULL)

static sn_result check_matching(const sn_world *world, sn_shape_matching matching) {
    return sn_slots_check(&sn_shape_matchings_of(world)->slots, SN_ID(matching), world->tag,
                          "shape matching");
}

/* ---- Checks of a definition ---- */

static sn_result check_orientations(const sn_world *world, const sn_shape_matching_def *d) {
    for (size_t i = 0; d->oriented && i < d->node_count; i++)
        if (world->nodes.frame[d->nodes[i].slot - 1] == 0)
            return sn_fail(SN_ERROR_VALUE,
                           "shape matching: node %zu of %zu is not oriented, expected all to be "
                           "where the matching is",
                           i, d->node_count);
    return SN_OK;
}

/* ---- Checks of regions ---- */

static sn_result check_begins(const sn_shape_matching_def *d) {
    if (d->first[0] != 0)
        return sn_fail(SN_ERROR_VALUE,
                       "shape matching: the first region begins at member %u, expected 0",
                       d->first[0]);
    for (size_t r = 0; r < d->region_count; r++) {
        if (d->first[r + 1] == d->first[r])
            return sn_fail(SN_ERROR_DEGENERATE, "shape matching: region %zu has no members", r);
        if (d->first[r + 1] < d->first[r] || d->first[r + 1] - d->first[r] > d->node_count)
            return sn_fail(
                SN_ERROR_VALUE,
                "shape matching: region %zu goes from member %u to %u, expected 1 to %zu "
                "members",
                r, d->first[r], d->first[r + 1], d->node_count);
        if (d->centres && d->centres[r] >= d->node_count && d->centres[r] != UINT32_MAX)
            return sn_fail(SN_ERROR_VALUE,
                           "shape matching: region %zu has the centre %u, expected below %zu, or "
                           "UINT32_MAX",
                           r, d->centres[r], d->node_count);
    }
    return SN_OK;
}

static sn_result check_member(const sn_shape_matching_def *d, size_t r, uint32_t node,
                              uint32_t *stamp) {
    if (node >= d->node_count)
        return sn_fail(SN_ERROR_VALUE, "shape matching: region %zu has node %u, expected below %zu",
                       r, node, d->node_count);
    if (stamp[node] == r + 1)
        return sn_fail(SN_ERROR_DEGENERATE, "shape matching: region %zu has node %u twice", r,
                       node);
    stamp[node] = (uint32_t)r + 1;
    return SN_OK;
}

static sn_result check_regions(sn_world *world, const sn_shape_matching_def *d) {
    if (d->fibre_count > d->region_count)
        return sn_fail(SN_ERROR_VALUE,
                       "shape matching: fibre_count is %u, expected at most %zu, the number of "
                       "regions",
                       d->fibre_count, d->region_count);
    if (d->region_count == 0) return SN_OK;
    SN_TRY(check_begins(d));
    uint32_t *stamp = sn_allocate(&world->memory, d->node_count, sizeof *stamp);
    sn_result result = stamp ? SN_OK : SN_ERROR_MEMORY;
    for (size_t r = 0; r < d->region_count && result == SN_OK; r++)
        for (uint32_t k = d->first[r]; k < d->first[r + 1] && result == SN_OK; k++)
            result = check_member(d, r, d->members[k], stamp);
    sn_free(&world->memory, stamp, d->node_count, sizeof *stamp);
    return result;
}

/* ---- Checks of places at rest and of particles ---- */

/* Whether a symmetric matrix is finite and has no negative eigenvalue, but for rounding. */
static bool is_moment(const sn_real s[6]) {
    double a[6], sum = 0;
    for (int k = 0; k < 6; k++) {
        a[k] = (double)s[k];
        sum += a[k] - a[k];
    }
    double trace = a[0] + a[1] + a[2], least = -1e-6 * trace;
    double minor = a[1] * a[2] - a[3] * a[3], other = a[2] * a[0] - a[4] * a[4];
    double third = a[0] * a[1] - a[5] * a[5];
    double det =
        (a[0] * minor + a[5] * (a[3] * a[4] - a[5] * a[2])) + a[4] * (a[5] * a[3] - a[1] * a[4]);
    return sum == 0 && a[0] >= least && a[1] >= least && a[2] >= least && minor >= least * trace &&
           other >= least * trace && third >= least * trace && det >= least * trace * trace;
}

static sn_result check_particles(const sn_shape_matching_def *d) {
    if (!d->oriented) return SN_OK;
    if (d->radii && d->moments)
        return sn_fail(SN_ERROR_VALUE,
                       "shape matching: there are radii and moments, expected one of them");
    for (size_t i = 0; d->radii && i < d->node_count; i++) {
        sn_vec3 r = d->radii[i];
        if (!(r.x >= 0 && r.y >= 0 && r.z >= 0 && r.x <= SN_REAL_MAX && r.y <= SN_REAL_MAX &&
              r.z <= SN_REAL_MAX))
            return sn_fail(
                SN_ERROR_VALUE,
                "shape matching: radii of node %zu are (%g, %g, %g) m, expected at least 0", i,
                (double)r.x, (double)r.y, (double)r.z);
    }
    for (size_t i = 0; d->moments && i < d->node_count; i++)
        if (!is_moment(d->moments[i]))
            return sn_fail(SN_ERROR_VALUE,
                           "shape matching: the moment of node %zu is negative in a direction", i);
    for (size_t i = 0; d->rest_orientations && i < d->node_count; i++) {
        sn_quat q = d->rest_orientations[i];
        sn_real square = (q.x * q.x + q.y * q.y) + (q.z * q.z + q.w * q.w);
        if (!(square > 0 && square <= SN_REAL_MAX))
            return sn_fail(
                SN_ERROR_VALUE,
                "shape matching: the orientation at rest of node %zu is (%g, %g, %g, %g), "
                "expected finite numbers and not all 0",
                i, (double)q.x, (double)q.y, (double)q.z, (double)q.w);
    }
    return SN_OK;
}

/* ---- Making one ---- */

static void copy_nodes(const sn_world *world, const sn_shape_matching_def *d,
                       sn_shape_matching_state *m) {
    m->nodes = d->node_count;
    for (size_t i = 0; i < m->nodes; i++) {
        sn_vec4 x = world->nodes.x[d->nodes[i].slot - 1];
        m->node[i] = d->nodes[i];
        m->rest[i] = d->rest ? d->rest[i] : (sn_vec3){x.x, x.y, x.z};
    }
}

static void copy_regions(const sn_shape_matching_def *d, sn_shape_matching_state *m,
                         size_t members) {
    for (size_t r = 0; r <= m->regions; r++)
        m->first[r] = d->region_count > 0 ? d->first[r] : (uint32_t)(r * members);
    for (size_t k = 0; k < members; k++)
        m->member[k] = d->region_count > 0 ? d->members[k] : (uint32_t)k;
    for (size_t r = 0; r < m->regions; r++) {
        m->centre[r] = d->region_count > 0 && d->centres ? d->centres[r] : UINT32_MAX;
        m->rotation[r][3] = 1;
    }
}

/* Half axes become moments over the mass. */
static sn_result copy_particles(sn_world *world, const sn_shape_matching_def *d,
                                sn_shape_matching_state *m) {
    if (!d->oriented) return SN_OK;
    if (!sn_reserve(&world->memory, (void **)&m->orientation, &m->orientation_room, m->nodes,
                    sizeof *m->orientation))
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < m->nodes; i++) {
        sn_vec4 now = world->frames.q[world->nodes.frame[d->nodes[i].slot - 1] - 1];
        sn_quat q = {now.x, now.y, now.z, now.w};
        if (d->rest_orientations) q = d->rest_orientations[i];
        sn_v4 unit = sn_quat_normalize((sn_v4){q.x, q.y, q.z, q.w});
        m->orientation[i] = (sn_quat){unit[0], unit[1], unit[2], unit[3]};
    }
    if (!d->radii && !d->moments) return SN_OK;
    if (!sn_reserve(&world->memory, (void **)&m->moment, &m->moment_room, m->nodes,
                    sizeof *m->moment))
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < m->nodes; i++)
        for (int k = 0; k < 6; k++) {
            double a[3] = {0, 0, 0};
            if (d->radii)
                a[0] = (double)d->radii[i].x, a[1] = (double)d->radii[i].y,
                a[2] = (double)d->radii[i].z;
            m->moment[i][k] = d->moments ? d->moments[i][k]
                              : k < 3    ? (sn_real)(a[k] * a[k] / 5)
                                         : 0;
        }
    return SN_OK;
}

static sn_result check_def(sn_world *world, const sn_shape_matching_def *d) {
    SN_TRY(sn_object_check(&sn_shape_matching_object, d));
    SN_TRY(sn_object_check_arrays(&sn_shape_matching_object, d));
    SN_TRY(sn_check_members(world, "shape matching", d->nodes, d->node_count));
    SN_TRY(check_orientations(world, d));
    SN_TRY(check_regions(world, d));
    return check_particles(d);
}

static sn_result make_state(sn_world *world, const sn_shape_matching_def *def,
                            sn_shape_matching_state *m) {
    SN_TRY(check_def(world, def));
    size_t regions = def->region_count > 0 ? def->region_count : 1;
    size_t members = def->region_count > 0 ? def->first[regions] : def->node_count;
    sn_result result = SN_OK;
    if (!sn_shape_matching_reserve(m, &world->memory, def->node_count, members, regions))
        result = SN_ERROR_MEMORY;
    m->regions = regions;
    if (result == SN_OK) {
        copy_nodes(world, def, m);
        copy_regions(def, m, members);
        result = copy_particles(world, def, m);
    }
    if (result == SN_OK && def->plastic_yield != SN_AUTO &&
        !sn_shape_matching_reserve_plastic(m, &world->memory))
        result = SN_ERROR_MEMORY;
    if (result != SN_OK) {
        sn_shape_matching_state_free(m, &world->memory);
        return result;
    }
    m->def = *def;
    sn_object_forget_arrays(&sn_shape_matching_object, &m->def);
    m->changed = true;
    return SN_OK;
}

/* ---- The calls ---- */

/* Shape matchings join the bodies of their nodes. */
static void wake_members(sn_world *world, const sn_shape_matching_state *m) {
    world->sleep.joints_changed = true;
    for (size_t i = 0; i < m->nodes; i++) sn_world_wake_node(world, m->node[i].slot - 1);
}

sn_result sn_shape_matching_create(sn_world *world, const sn_shape_matching_def *def,
                                   sn_shape_matching *matching) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(matching);
    sn_shape_matchings *all = sn_shape_matchings_of(world);
    sn_shape_matching_state state = {0};
    SN_TRY(make_state(world, def, &state));
    if (!sn_shape_matchings_reserve(all, &world->memory)) {
        sn_shape_matching_state_free(&state, &world->memory);
        return SN_ERROR_MEMORY;
    }
    uint32_t index = sn_slots_take(&all->slots);
    all->state[index] = state;
    all->changed = true;
    wake_members(world, &state);
    size_t flat = def->oriented ? 0 : sn_shape_matching_flat_regions(&state);
    if (flat > 0)
        sn_world_say(world, SN_LOG_WARNING,
                     "matching %u: the nodes of %zu of %zu regions lie in a plane or on a line, "
                     "about which they can turn; oriented nodes hold them",
                     index, flat, state.regions);
    *matching = (sn_shape_matching){index + 1, all->slots.generation[index], world->tag};
    SN_RECORD(world, CREATE, .def = def);
    return SN_OK;
}

sn_result sn_shape_matching_destroy(sn_world *world, sn_shape_matching matching) {
    SN_CHECK_WORLD(world);
    SN_TRY(check_matching(world, matching));
    wake_members(world, &sn_shape_matchings_of(world)->state[matching.slot - 1]);
    sn_shape_matchings_remove(sn_shape_matchings_of(world), &world->memory, matching.slot - 1);
    SN_RECORD(world, DESTROY, .id = SN_ID(matching));
    return SN_OK;
}

bool sn_shape_matching_is_valid(const sn_world *world, sn_shape_matching matching) {
    return world && sn_slots_has(&sn_shape_matchings_of(world)->slots, SN_ID(matching), world->tag);
}

sn_result sn_shape_matching_set(sn_world *world, sn_shape_matching matching,
                                const sn_shape_matching_def *def) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_matching(world, matching));
    SN_TRY(sn_object_check(&sn_shape_matching_object, def));
    sn_shape_matching_state *m = &sn_shape_matchings_of(world)->state[matching.slot - 1];
    if (def->plastic_yield != SN_AUTO && !m->plastic &&
        !sn_shape_matching_reserve_plastic(m, &world->memory))
        return SN_ERROR_MEMORY;
    bool oriented = m->def.oriented;
    uint32_t fibres = m->def.fibre_count;
    m->changed |= m->def.sums != def->sums;
    m->def = *def;
    m->def.oriented = oriented;
    m->def.fibre_count = fibres;
    sn_object_forget_arrays(&sn_shape_matching_object, &m->def);
    sn_shape_matchings_of(world)->changed = true;
    wake_members(world, m);
    SN_RECORD(world, SET, .id = SN_ID(matching), .def = def);
    return SN_OK;
}

sn_result sn_shape_matching_get(const sn_world *world, sn_shape_matching matching,
                                sn_shape_matching_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(check_matching(world, matching));
    const sn_shape_matching_state *m = &sn_shape_matchings_of(world)->state[matching.slot - 1];
    *def = m->def;
    def->nodes = m->node;
    def->node_count = m->nodes;
    def->rest = m->rest;
    def->first = m->first;
    def->members = m->member;
    def->region_count = m->regions;
    def->centres = m->centre;
    def->rest_orientations = m->orientation;
    def->moments = (const sn_symmetric *)m->moment;
    return SN_OK;
}

sn_result sn_node_shape_matching(const sn_world *world, sn_node node, sn_shape_matching *matching) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(matching);
    SN_TRY(sn_check_node(world, node));
    const sn_shape_matchings *all = sn_shape_matchings_of(world);
    *matching = (sn_shape_matching){0, 0, 0};
    for (uint32_t i = 0; i < all->slots.count; i++) {
        if (!sn_shape_matching_has(&all->state[i], node.slot - 1)) continue;
        *matching = (sn_shape_matching){i + 1, all->slots.generation[i], world->tag};
        break;
    }
    return SN_OK;
}

sn_result sn_shape_matching_get_region(const sn_world *world, sn_shape_matching matching,
                                       size_t index, sn_shape_matching_region *region) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(region);
    SN_TRY(check_matching(world, matching));
    const sn_shape_matching_state *m = &sn_shape_matchings_of(world)->state[matching.slot - 1];
    if (index >= m->regions)
        return sn_fail(SN_ERROR_VALUE, "shape matching: region is %zu, expected below %zu", index,
                       m->regions);
    const double *q = m->rotation[index];
    *region = (sn_shape_matching_region){
        .rotation = {(sn_real)q[0], (sn_real)q[1], (sn_real)q[2], (sn_real)q[3]}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            region->plastic[3 * r + c] =
                m->plastic ? m->plastic[index][3 * c + r] : (r == c ? 1 : 0);
    return SN_OK;
}

sn_result sn_shape_matching_get_sums(const sn_world *world, sn_shape_matching matching,
                                     sn_region_sums_method *method) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(method);
    SN_TRY(check_matching(world, matching));
    const sn_shape_matching_state *m = &sn_shape_matchings_of(world)->state[matching.slot - 1];
    *method = m->sums.in.first ? sn_region_sums_chosen(&m->sums) : SN_REGION_SUMS_AUTO;
    return SN_OK;
}
