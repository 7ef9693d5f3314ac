/* Where a sheet is too long, and where its tension is too large. */
#include "fracture/tear.h"

#include "fracture/tearing.h"
#include "math/principal.h"
#include "systems/sheet/sheets.h"

static sn_point point_of(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

bool sn_tear_add(sn_world *world, const sn_tear_place *place) {
    sn_tearing *t = sn_tearing_of(world);
    if (!sn_reserve(&world->memory, (void **)&t->place, &t->place_capacity, t->places + 1,
                    sizeof *t->place))
        return false;
    t->place[t->places] = *place;
    t->place[t->places].found = (uint32_t)t->places;
    t->places++;
    return true;
}

/* ---- Too long ---- */

/* An inner edge comes twice, once for each of its triangles; the second time it is torn already. */
static bool add_edge(sn_world *world, const sn_sheet_state *s, uint32_t a, uint32_t b) {
    const sn_vec4 *x = world->nodes.x;
    sn_point rest = sn_point_sub(point_of(s->rest[b]), point_of(s->rest[a]));
    sn_point now = sn_point_sub(point_of(x[s->node[b]]), point_of(x[s->node[a]]));
    double strong = sn_tear_strength(s, a), other = sn_tear_strength(s, b);
    double most = 1 + (double)s->def.tear_strain * (other < strong ? other : strong);
    double rest2 = sn_point_dot(rest, rest), now2 = sn_point_dot(now, now);
    if (!(now2 > most * most * rest2) || !(rest2 > 0)) return true;
    double stretch = __builtin_sqrt(now2 / rest2), length = __builtin_sqrt(now2);
    sn_tear_place place = {
        .excess = stretch / most,
        .vertex = {a < b ? a : b, a < b ? b : a},
        .corners = 2,
        .cause = SN_TEAR_STRAIN,
        .amount = (sn_real)(stretch - 1),
        .normal = {(sn_real)(now.x / length), (sn_real)(now.y / length), (sn_real)(now.z / length)},
    };
    return sn_tear_add(world, &place);
}

bool sn_tear_find_strain(sn_world *world, uint32_t sheet) {
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet];
    for (size_t t = 0; t < s->def.triangle_count; t++) {
        const uint32_t *v = &s->triangle[3 * t];
        for (int k = 0; k < 3; k++)
            if (!add_edge(world, s, v[k], v[(k + 1) % 3])) return false;
    }
    return true;
}

/* ---- Tension ---- */

/* Around a vertex, because within it the load wanders from edge to edge. What was added up is per
   area, and so grows with the stretch; without that it is per width at rest. */
static bool add_vertex(const sn_tension *s, const sn_sheet_state *sheet, uint32_t vertex) {
    double all[6], direction[3], area = sn_tension_at(s, vertex, all);
    double limit = (double)sheet->def.tear_force * sn_tear_strength(sheet, vertex);
    double square = all[0] * all[0] + all[1] * all[1] + all[2] * all[2] +
                    2 * (all[3] * all[3] + all[4] * all[4] + all[5] * all[5]);
    /* No eigenvalue is above the root of this; half of the limit leaves room for the stretch. */
    if (!(square > limit * limit / 4)) return true;
    double tension = sn_principal(all, direction);
    sn_point n = {direction[0], direction[1], direction[2]};
    tension /= sn_tension_stretch(s, vertex, area, n);
    if (!(tension > limit)) return true;
    sn_tear_place place = {
        .excess = limit > 0 ? tension / limit : SN_INFINITY,
        .vertex = {vertex},
        .corners = 1,
        .cause = SN_TEAR_FORCE,
        .amount = (sn_real)tension,
        .normal = {(sn_real)n.x, (sn_real)n.y, (sn_real)n.z},
    };
    return sn_tear_add(s->world, &place);
}

bool sn_tear_find_force(sn_world *world, uint32_t sheet) {
    const sn_sheet_state *state = &sn_sheets_of(world)->state[sheet];
    sn_tension s = {world, sn_cut_mesh_at(world, sheet, UINT32_MAX)};
    if (!sn_tension_find(&s)) return false;
    for (uint32_t v = 0; v < state->def.node_count; v++)
        if (!add_vertex(&s, state, v)) return false;
    return true;
}
