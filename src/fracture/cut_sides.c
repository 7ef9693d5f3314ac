/*
 * Cutting along a surface: which elements come apart, and which nodes are split for that.
 *
 * Two elements come apart where the way between their centres passes through the surface. That is
 * noted at the side that they share, and stays noted: the nodes of the side may be held together by
 * elements around it which a blade reaches only later. A node is split when the elements around it
 * fall into groups between which one cannot go without passing a side that is cut.
 *
 * An element that would be alone then stays with a neighbour: a cut should not make crumbs.
 */
#include "fracture/cut_vertex.h"

#include "base/error.h"
#include "state/system.h"
#include "systems/sheet/sheets.h"

#include <string.h>

/* ---- Elements ---- */

static sn_point point_of(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

static sn_point place_of(const sn_cut *cut, const sn_cut_mesh *m, uint32_t vertex) {
    return point_of(cut->world->nodes.x[m->node[vertex]]);
}

static sn_point centre_of(const sn_cut *cut, const sn_cut_mesh *m, uint32_t element) {
    sn_point sum = {0, 0, 0};
    for (uint32_t k = 0; k < m->corners; k++)
        sum = sn_point_add(sum, place_of(cut, m, m->element[m->corners * element + k]));
    return sn_point_scaled(sum, 1 / (double)m->corners);
}

/* m, from the centre of an element to its farthest corner. */
static double reach_of(const sn_cut *cut, const sn_cut_mesh *m, uint32_t element, sn_point centre) {
    double most = 0;
    const uint32_t *corner = &m->element[m->corners * element];
    for (const uint32_t *c = corner; c < corner + m->corners; c++) {
        double d = sn_point_length(sn_point_sub(place_of(cut, m, *c), centre));
        most = d > most ? d : most;
    }
    return most;
}

/* The side of an element that lies on a side of another; UINT32_MAX where it has none. */
static uint32_t common_side(const sn_cut_mesh *m, uint32_t element, uint32_t side, uint32_t other) {
    const uint32_t *e = &m->element[m->corners * element], *f = &m->element[m->corners * other];
    uint32_t missing = UINT32_MAX, found = 0;
    for (uint32_t k = 0; k < m->corners; k++) {
        bool shared = false;
        for (uint32_t i = 0; i < m->corners; i++) shared = shared || (i != side && e[i] == f[k]);
        found += shared;
        if (!shared) missing = k;
    }
    return found + 1 == m->corners ? missing : UINT32_MAX;
}

/* The next element beyond a side, beginning with the corner + 1 in *at, which is moved on; false
   where there is none left. Corners are those of the first vertex of the side. */
static bool next_beyond(const sn_cut *cut, const sn_cut_mesh *m, uint32_t element, uint32_t side,
                        uint32_t *at, sn_cut_side *found) {
    for (; *at; *at = cut->next[*at - 1]) {
        uint32_t other = (*at - 1) / m->corners;
        uint32_t back = other == element ? UINT32_MAX : common_side(m, element, side, other);
        if (back == UINT32_MAX) continue;
        *found = (sn_cut_side){element, other, (uint8_t)side, (uint8_t)back, false};
        *at = cut->next[*at - 1];
        return true;
    }
    return false;
}

static uint32_t first_corner(const sn_cut *cut, const sn_cut_mesh *m, uint32_t element,
                             uint32_t side) {
    uint32_t vertex = m->element[m->corners * element + (side == 0 ? 1 : 0)];
    return vertex < cut->vertices ? cut->first[vertex] : 0;
}

/* ---- Marks ---- */

static bool is_marked(const sn_cut *cut, const sn_cut_side *s) {
    const uint8_t *open = sn_cut_open_sides(cut, s->element);
    return open && (*open >> s->side & 1);
}

static void set_mark(sn_cut *cut, const sn_cut_side *s, bool on) {
    uint8_t *a = sn_cut_open_sides(cut, s->element), *b = sn_cut_open_sides(cut, s->beyond);
    *a = (uint8_t)(on ? *a | 1 << s->side : *a & ~(1 << s->side));
    *b = (uint8_t)(on ? *b | 1 << s->back : *b & ~(1 << s->back));
}

static bool add_side(sn_cut *cut, sn_cut_side side) {
    if (!sn_reserve(&cut->world->memory, (void **)&cut->side, &cut->side_capacity, cut->sides + 1,
                    sizeof *cut->side))
        return false;
    cut->side[cut->sides++] = side;
    return true;
}

static bool mark(sn_cut *cut, sn_cut_side side) {
    if (is_marked(cut, &side)) return true;
    side.fresh = true;
    if (!add_side(cut, side)) return false;
    set_mark(cut, &side, true);
    return true;
}

void sn_cut_unmark(sn_cut *cut) {
    for (size_t i = 0; i < cut->sides; i++)
        if (cut->side[i].fresh) set_mark(cut, &cut->side[i], false);
    cut->sides = 0;
    if (!cut->first_marks) return;
    sn_sheet_state *s = &sn_sheets_of(cut->world)->state[cut->sheet];
    sn_free(&cut->world->memory, s->open, s->open_capacity, sizeof *s->open);
    s->open = NULL;
    s->open_capacity = 0;
    cut->first_marks = false;
}

/* Sheets have room for marks from their first cut on. */
static bool reserve_marks(sn_cut *cut) {
    if (cut->tet_mesh != UINT32_MAX) return true;
    sn_sheet_state *s = &sn_sheets_of(cut->world)->state[cut->sheet];
    bool first = !s->open;
    if (!sn_reserve(&cut->world->memory, (void **)&s->open, &s->open_capacity,
                    s->def.triangle_count + 1, sizeof *s->open))
        return false;
    cut->first_marks = cut->first_marks || first;
    return true;
}

/* Sides that were cut before and are still held together, once. */
static bool list_marked(sn_cut *cut) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    if (cut->recalled) return true;
    cut->recalled = true;
    for (uint32_t e = 0; e < m.elements; e++) {
        uint8_t open = *sn_cut_open_sides(cut, e);
        for (uint32_t k = 0; open >> k; k++) {
            sn_cut_side found;
            if (!(open >> k & 1)) continue;
            uint32_t at = first_corner(cut, &m, e, k);
            while (next_beyond(cut, &m, e, k, &at, &found))
                if (found.beyond > e && !add_side(cut, found)) return false;
        }
    }
    return true;
}

/* m^2 or m, of a side at rest. */
static double size_of_side(const sn_cut_mesh *m, const sn_cut_side *s) {
    sn_point p[3] = {{0, 0, 0}};
    int n = 0;
    for (uint32_t k = 0; k < m->corners; k++)
        if (k != s->side) p[n++] = point_of(m->rest[m->element[m->corners * s->element + k]]);
    if (n == 2) return sn_point_length(sn_point_sub(p[1], p[0]));
    return sn_point_length(sn_point_normal(p[0], p[1], p[2])) / 2;
}

/* Joins an element that would be alone with its neighbour across the largest side. */
static void keep_whole(sn_cut *cut, const sn_cut_mesh *m, uint32_t element) {
    sn_cut_side best = {0}, found;
    double largest = 0;
    for (uint32_t k = 0; k < m->corners; k++) {
        uint32_t at = first_corner(cut, m, element, k);
        while (next_beyond(cut, m, element, k, &at, &found)) {
            if (!is_marked(cut, &found)) return;
            double size = size_of_side(m, &found);
            if (!(size > largest)) continue;
            largest = size;
            best = found;
        }
    }
    for (size_t i = 0; largest > 0 && i < cut->sides; i++) {
        sn_cut_side *s = &cut->side[i];
        bool same = (s->element == element && s->side == best.side) ||
                    (s->beyond == element && s->back == best.side);
        if (!same || !s->fresh) continue;
        set_mark(cut, s, false);
        cut->side[i] = cut->side[--cut->sides];
        return;
    }
}

static void drop_crumbs(sn_cut *cut) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    for (uint32_t e = 0; e < m.elements; e++) {
        if (!*sn_cut_open_sides(cut, e)) continue;
        keep_whole(cut, &m, e);
    }
}

/* Where elements are divided along a blade, both must have been passed by it, and one just now:
   what moves through its plane later is not cut by it. */
static bool is_passed(const sn_cut *cut, const sn_cut_mesh *m, const sn_blade *blade,
                      const sn_cut_side *s) {
    const uint32_t element[2] = {s->element, s->beyond};
    bool left = true;
    if (!blade->divides) return true;
    for (int i = 0; i < 2; i++) {
        sn_point x[4];
        for (uint32_t k = 0; k < m->corners; k++)
            x[k] = place_of(cut, m, m->element[m->corners * element[i] + k]);
        if (!sn_blade_has_passed(blade, x, m->corners)) return false;
        left = left && sn_blade_has_left(blade, x, m->corners);
    }
    return !left;
}

static bool mark_between(sn_cut *cut, const sn_cut_mesh *m, const sn_blade *blade, uint32_t e) {
    sn_point centre = centre_of(cut, m, e);
    sn_cut_side found;
    /* Of two elements, the surface is within twice the reach of the larger one. */
    if (sn_blade_distance(blade, centre) > 2 * reach_of(cut, m, e, centre)) return true;
    for (uint32_t k = 0; k < m->corners; k++) {
        uint32_t at = first_corner(cut, m, e, k);
        while (next_beyond(cut, m, e, k, &at, &found))
            if (sn_blade_parts(blade, centre, centre_of(cut, m, found.beyond)) &&
                is_passed(cut, m, blade, &found) && !mark(cut, found))
                return false;
    }
    return true;
}

sn_result sn_cut_mark_blade(sn_cut *cut, const sn_blade *blade) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    bool room = reserve_marks(cut) && list_marked(cut);
    for (uint32_t e = 0; room && e < m.elements; e++) room = mark_between(cut, &m, blade, e);
    if (!room) {
        sn_cut_unmark(cut);
        return SN_ERROR_MEMORY;
    }
    return SN_OK;
}

sn_result sn_cut_mark_star(sn_cut *cut, uint32_t vertex, const sn_real normal[3]) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    sn_point n = {(double)normal[0], (double)normal[1], (double)normal[2]};
    sn_point at = place_of(cut, &m, vertex);
    if (!reserve_marks(cut) || !list_marked(cut)) return SN_ERROR_MEMORY;
    for (uint32_t c = cut->first[vertex]; c; c = cut->next[c - 1]) {
        uint32_t e = (c - 1) / m.corners;
        bool above = sn_point_dot(sn_point_sub(centre_of(cut, &m, e), at), n) > 0;
        for (uint32_t k = 0; k < m.corners; k++) {
            sn_cut_side found;
            uint32_t from = first_corner(cut, &m, e, k);
            if (m.element[m.corners * e + k] == vertex) continue;
            while (next_beyond(cut, &m, e, k, &from, &found)) {
                sn_point other = sn_point_sub(centre_of(cut, &m, found.beyond), at);
                if (above == (sn_point_dot(other, n) > 0) || mark(cut, found)) continue;
                sn_cut_unmark(cut);
                return SN_ERROR_MEMORY;
            }
        }
    }
    return SN_OK;
}

bool sn_cut_beyond(const sn_cut *cut, uint32_t element, uint32_t side, sn_cut_side *found) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    uint32_t at = first_corner(cut, &m, element, side);
    return next_beyond(cut, &m, element, side, &at, found);
}

sn_result sn_cut_mark_side(sn_cut *cut, const sn_cut_side *side) {
    if (reserve_marks(cut) && list_marked(cut) && mark(cut, *side)) return SN_OK;
    sn_cut_unmark(cut);
    return SN_ERROR_MEMORY;
}

/* ---- Splitting ---- */

/* Asks for a vertex if it is to be split, and counts the copies that it will get. */
static bool want_vertex(sn_cut *cut, uint32_t vertex, size_t *copies) {
    if (vertex >= cut->vertices || cut->wanted[vertex]) return true;
    if (!sn_cut_look(cut, vertex)) return false;
    cut->wanted[vertex] = cut->fans > 1 ? SN_CUT_WANTED : SN_CUT_LOOKED_AT;
    if (cut->fans > 1) *copies += cut->fans - 1;
    return true;
}

/* Also those of sides that came apart before, where there was no memory to finish. */
static bool want_vertices(sn_cut *cut, size_t *copies) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    *copies = 0;
    for (uint32_t e = 0; e < m.elements; e++) {
        uint8_t open = *sn_cut_open_sides(cut, e);
        for (uint32_t k = 0; open >> k; k++)
            for (uint32_t i = 0; i < m.corners; i++)
                if ((open >> k & 1) && i != k &&
                    !want_vertex(cut, m.element[m.corners * e + i], copies))
                    return false;
    }
    return true;
}

static bool may_split(const void *context, uint32_t node) {
    const sn_cut *cut = context;
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    uint32_t vertex = sn_cut_vertex_of(&m, (int32_t)node);
    return vertex < cut->vertices && cut->wanted[vertex] == SN_CUT_WANTED;
}

static sn_result check_systems(const sn_cut *cut) {
    sn_system_list systems = cut->world->bindings.systems;
    for (size_t i = 0; i < systems.count; i++)
        if (systems.system[i]->check_cut)
            SN_TRY(systems.system[i]->check_cut(cut->world, may_split, cut));
    return SN_OK;
}

/* Constraints that hold many nodes of a solid at once would hold both sides together. */
static sn_result check_constraints(const sn_cut *cut) {
    const sn_world *world = cut->world;
    SN_TRY(check_systems(cut));
    for (size_t i = 0; cut->tet_mesh != UINT32_MAX && i < cut->links; i++) {
        const sn_store *store = sn_world_store_of(world, cut->link[i].constraint);
        const sn_type_info *info = &store->type->info;
        bool whole = info->nodes > 4 && info->fixed_nodes == 0 && info->frames == 0;
        if (info->list != SN_LIST_NONE || whole)
            return sn_fail(
                SN_ERROR_VALUE,
                "tet mesh cut: constraint %u of type %s holds many nodes at once, expected "
                "none such where it is cut",
                cut->link[i].constraint, store->type->info.name);
    }
    return SN_OK;
}

sn_result sn_cut_try(sn_cut *cut, const sn_blade *blade, bool *finds) {
    size_t copies;
    SN_TRY(sn_cut_mark_blade(cut, blade));
    for (size_t i = 0; i < cut->sides; i++) *finds = *finds || cut->side[i].fresh;
    bool room = want_vertices(cut, &copies) && sn_cut_list(cut);
    sn_cut_unmark(cut);
    return room ? check_constraints(cut) : SN_ERROR_MEMORY;
}

sn_result sn_cut_part(sn_cut *cut) {
    size_t copies;
    if (cut->sides > 0) drop_crumbs(cut);
    if (!want_vertices(cut, &copies)) return SN_ERROR_MEMORY;
    if (copies == 0) return SN_OK;
    if (!sn_cut_list(cut)) return SN_ERROR_MEMORY;
    SN_TRY(check_constraints(cut));
    if (!sn_cut_reserve_walls(cut, copies)) return SN_ERROR_MEMORY;
    sn_result result = SN_OK;
    for (uint32_t v = 0; v < cut->vertices && result == SN_OK; v++) {
        uint32_t copy = cut->wanted[v] == SN_CUT_WANTED ? 0 : UINT32_MAX;
        while (result == SN_OK && copy != UINT32_MAX) result = sn_cut_vertex(cut, v, NULL, &copy);
    }
    sn_cut_add_walls(cut);
    if (result == SN_OK && sn_cut_collides_with_itself(cut) && !sn_cut_set_back(cut))
        return SN_ERROR_MEMORY;
    return result;
}
