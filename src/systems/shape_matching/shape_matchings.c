#include "systems/shape_matching/shape_matchings.h"

#include "math/matrix3.h"

#include <string.h>

/* ---- Memory ---- */

bool sn_shape_matchings_reserve(sn_shape_matchings *all, sn_memory *memory) {
    size_t needed = sn_slots_needed(&all->slots, 1);
    return sn_slots_reserve(&all->slots, memory, needed) &&
           sn_reserve(memory, (void **)&all->state, &all->capacity, needed, sizeof *all->state);
}

#define ROOM(array, room, count)                                                                   \
    sn_reserve(memory, (void **)&(array), &(room), count, sizeof *(array))

bool sn_shape_matching_reserve(sn_shape_matching_state *m, sn_memory *memory, size_t nodes,
                               size_t members, size_t regions) {
    return ROOM(m->node, m->node_room, nodes) && ROOM(m->rest, m->rest_room, nodes) &&
           ROOM(m->own, m->own_room, nodes) && ROOM(m->first, m->first_room, regions + 1) &&
           ROOM(m->member, m->member_room, members + 1) &&
           ROOM(m->centre, m->centre_room, regions) && ROOM(m->rotation, m->rotation_room, regions);
}

bool sn_shape_matching_reserve_plastic(sn_shape_matching_state *m, sn_memory *memory) {
    size_t before = m->plastic_room;
    if (!ROOM(m->plastic, m->plastic_room, m->regions)) return false;
    for (size_t r = 0; before == 0 && r < m->regions; r++)
        m->plastic[r][0] = m->plastic[r][4] = m->plastic[r][8] = 1;
    return true;
}

#define GONE(array, room) sn_free(memory, (array), room, sizeof *(array))

void sn_shape_matching_state_free(sn_shape_matching_state *m, sn_memory *memory) {
    GONE(m->node, m->node_room);
    GONE(m->rest, m->rest_room);
    GONE(m->orientation, m->orientation_room);
    GONE(m->moment, m->moment_room);
    GONE(m->first, m->first_room);
    GONE(m->member, m->member_room);
    GONE(m->centre, m->centre_room);
    GONE(m->rotation, m->rotation_room);
    GONE(m->plastic, m->plastic_room);
    GONE(m->at, m->at_room);
    GONE(m->region, m->region_room);
    GONE(m->own, m->own_room);
    GONE(m->pulled, m->pulled_room);
    GONE(m->turned, m->turned_room);
    sn_match_fibres_free(&m->fibres, memory);
    sn_region_sums_free(&m->sums, memory);
    *m = (sn_shape_matching_state){0};
}

void sn_shape_matchings_remove(sn_shape_matchings *all, sn_memory *memory, uint32_t index) {
    sn_shape_matching_state_free(&all->state[index], memory);
    sn_slots_give(&all->slots, index);
}

void sn_shape_matchings_free(sn_shape_matchings *all, sn_memory *memory) {
    for (size_t i = 0; i < all->slots.count && i < all->capacity; i++)
        sn_shape_matching_state_free(&all->state[i], memory);
    sn_free(memory, all->state, all->capacity, sizeof *all->state);
    sn_slots_free(&all->slots, memory);
    GONE(all->row, all->row_room);
    GONE(all->sum, all->sum_room);
    GONE(all->motion, all->motion_room);
}

/* ---- Questions ---- */

bool sn_shape_matching_has(const sn_shape_matching_state *m, uint32_t slot) {
    for (size_t i = 0; i < m->nodes; i++)
        if (m->node[i].slot - 1 == slot) return true;
    return false;
}

/* Whether the members of a region lie in a plane, but for a thousandth. */
static bool is_flat(const sn_shape_matching_state *m, size_t r) {
    double centre[3] = {0, 0, 0}, square[6] = {0}, unused[6];
    double per = 1 / (double)(m->first[r + 1] - m->first[r]);
    for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++) {
        sn_vec3 x = m->rest[m->member[k]];
        centre[0] += (double)x.x * per;
        centre[1] += (double)x.y * per;
        centre[2] += (double)x.z * per;
    }
    for (uint32_t k = m->first[r]; k < m->first[r + 1]; k++) {
        sn_vec3 at = m->rest[m->member[k]];
        double x = (double)at.x - centre[0], y = (double)at.y - centre[1];
        double z = (double)at.z - centre[2];
        double add[6] = {x * x, y * y, z * z, y * z, z * x, x * y};
        for (int i = 0; i < 6; i++) square[i] += add[i];
    }
    return sn_matrix3_pseudo_inverse(square, 1e-6, unused) < 3;
}

size_t sn_shape_matching_flat_regions(const sn_shape_matching_state *m) {
    size_t flat = 0;
    for (size_t r = 0; r < sn_shape_matching_shapes(m); r++) flat += is_flat(m, r);
    return flat;
}

/* ---- What goes ---- */

static bool has_doomed(const sn_shape_matching_state *m, const uint8_t *alive, uint8_t doomed) {
    for (size_t i = 0; i < m->nodes; i++)
        if (alive[m->node[i].slot - 1] == doomed) return true;
    return false;
}

/* The members that stay, still by their old numbers, and the regions that have any. */
static void forget_members(sn_shape_matching_state *m, const uint8_t *alive, uint8_t doomed) {
    size_t regions = 0, shapes = sn_shape_matching_shapes(m), kept = 0;
    uint32_t members = 0, begin = m->first[0];
    for (size_t r = 0; r < m->regions; r++) {
        uint32_t end = m->first[r + 1], before = members;
        for (uint32_t k = begin; k < end; k++)
            if (alive[m->node[m->member[k]].slot - 1] != doomed)
                m->member[members++] = m->member[k];
        begin = end;
        if (members == before) continue;
        uint32_t centre = m->centre[r];
        bool lost = centre != UINT32_MAX && alive[m->node[centre].slot - 1] == doomed;
        m->centre[regions] = lost ? UINT32_MAX : centre;
        memmove(m->rotation[regions], m->rotation[r], sizeof *m->rotation);
        if (m->plastic) memmove(m->plastic[regions], m->plastic[r], sizeof *m->plastic);
        m->first[++regions] = members;
        kept += r < shapes;
    }
    m->regions = regions;
    m->def.fibre_count = (uint32_t)(regions - kept);
}

/* Closes the gaps; a node's new number is noted where its slot is known no more. */
static void forget_nodes(sn_shape_matching_state *m, const uint8_t *alive, uint8_t doomed) {
    size_t nodes = 0;
    /* The plan has been left behind anyway, so its room can hold the new numbers. */
    for (size_t i = 0; i < m->nodes; i++) {
        m->own[i] = (uint32_t)nodes;
        if (alive[m->node[i].slot - 1] == doomed) continue;
        m->node[nodes] = m->node[i];
        m->rest[nodes] = m->rest[i];
        if (m->orientation) m->orientation[nodes] = m->orientation[i];
        if (m->moment) memmove(m->moment[nodes], m->moment[i], sizeof *m->moment);
        nodes++;
    }
    m->nodes = nodes;
    for (uint32_t k = 0; k < m->first[m->regions]; k++) m->member[k] = m->own[m->member[k]];
    for (size_t r = 0; r < m->regions; r++)
        if (m->centre[r] != UINT32_MAX) m->centre[r] = m->own[m->centre[r]];
}

void sn_shape_matchings_forget(sn_shape_matchings *all, sn_memory *memory, const uint8_t *alive,
                               uint8_t doomed) {
    for (uint32_t i = 0; i < all->slots.count; i++) {
        sn_shape_matching_state *m = &all->state[i];
        if (!all->slots.alive[i] || !has_doomed(m, alive, doomed)) continue;
        forget_members(m, alive, doomed);
        forget_nodes(m, alive, doomed);
        m->changed = all->changed = true;
        if (m->nodes == 0) sn_shape_matchings_remove(all, memory, i);
    }
}
