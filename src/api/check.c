#include "api/check.h"
#include "collision/collision_state.h"
#include "geometry/point.h"

sn_result sn_check_size(const char *what, size_t size, size_t expected) {
    if (size == expected) return SN_OK;
    return sn_fail(
        SN_ERROR_DEFINITION,
        "%s: size is %zu, expected %zu; was the definition made by its default function?", what,
        size, expected);
}

sn_result sn_check_vec3(const char *what, const char *name, sn_vec3 value, const char *unit) {
    double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_real(what, name, value.x, -most, most, false, unit));
    SN_TRY(sn_check_real(what, name, value.y, -most, most, false, unit));
    return sn_check_real(what, name, value.z, -most, most, false, unit);
}

sn_result sn_check_node(const sn_world *world, sn_node node) {
    return sn_slots_check(&world->nodes.slots, SN_ID(node), world->tag, "node");
}

sn_result sn_check_body(const sn_world *world, sn_body body) {
    return sn_slots_check(&world->bodies.slots, SN_ID(body), world->tag, "body");
}

sn_result sn_check_collider(const sn_world *world, sn_collider collider) {
    return sn_slots_check(&sn_colliders_of(world)->slots, SN_ID(collider), world->tag, "collider");
}

sn_result sn_check_material(const char *what, sn_material material) {
    if (material < SN_MATERIALS) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "%s: material is %u, expected 0 to %d", what, material,
                   SN_MATERIALS - 1);
}

sn_result sn_check_slot(const sn_slots *slots, size_t slot, const char *what) {
    if (slot < slots->count && slots->alive[slot]) return SN_OK;
    return sn_fail(SN_ERROR_ID, "%s: slot %zu is empty, this world has %zu slots", what, slot,
                   slots->count);
}

sn_result sn_check_constraint(const sn_world *world, sn_constraint constraint) {
    return sn_slots_check(&world->constraints.slots, SN_ID(constraint), world->tag, "constraint");
}

sn_result sn_check_owned(const sn_world *world, const char *kind, const sn_node *nodes,
                         size_t count, uint32_t *owner) {
    const uint32_t mark = UINT32_MAX;
    sn_result result = SN_OK;
    size_t seen = 0;
    for (; seen < count; seen++) {
        result = sn_check_node(world, nodes[seen]);
        if (result != SN_OK) break;
        uint32_t slot = nodes[seen].slot, *mine = &owner[slot - 1];
        if (*mine == mark)
            result = sn_fail(SN_ERROR_VALUE, "%s: node %zu, in slot %u, is there twice", kind, seen,
                             slot);
        else if (*mine)
            result = sn_fail(SN_ERROR_VALUE, "%s: node %zu, in slot %u, is in %s %u already", kind,
                             seen, slot, kind, *mine);
        if (result != SN_OK) break;
        *mine = mark;
    }
    for (size_t i = 0; i < seen; i++) owner[nodes[i].slot - 1] = 0;
    return result;
}

sn_result sn_check_members(sn_world *world, const char *title, const sn_node *nodes, size_t count) {
    /* Each node once, so more than there are cannot be right, and is not read. */
    if (count > world->nodes.slots.live)
        return sn_fail(SN_ERROR_LIMIT, "%s: node_count is %zu, but the world has %zu nodes", title,
                       count, world->nodes.slots.live);
    size_t slots = world->nodes.slots.count, i = 0;
    uint8_t *seen = sn_allocate(&world->memory, slots, sizeof *seen);
    if (!seen) return SN_ERROR_MEMORY;
    sn_result result = SN_OK;
    for (; i < count && result == SN_OK; i++) {
        result = sn_check_node(world, nodes[i]);
        if (result != SN_OK)
            result = sn_fail_within(result, "%s node %zu of %zu", title, i, count);
        else if (seen[nodes[i].slot - 1]++)
            result = sn_fail(SN_ERROR_DEGENERATE,
                             "%s: node %zu of %zu is node %u again, expected each once", title, i,
                             count, nodes[i].slot - 1);
    }
    sn_free(&world->memory, seen, slots, sizeof *seen);
    return result;
}

static sn_point place_of(const sn_world *world, sn_node node) {
    sn_vec4 x = world->nodes.x[node.slot - 1];
    return (sn_point){(double)x.x, (double)x.y, (double)x.z};
}

sn_result sn_check_tets(const sn_world *world, const char *what, const sn_node *nodes,
                        const uint32_t *tets, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t *t = tets + 4 * i;
        double volume = sn_point_det(place_of(world, nodes[t[0]]), place_of(world, nodes[t[1]]),
                                     place_of(world, nodes[t[2]]), place_of(world, nodes[t[3]])) /
                        6;
        if (!(volume > 0))
            return sn_fail(SN_ERROR_DEGENERATE, "%s: tet %zu has the volume %g, expected above 0",
                           what, i, volume);
    }
    return SN_OK;
}
