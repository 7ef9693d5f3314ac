/*
 * Sheets that come apart along edges which are weaker than what is around them: perforations.
 *
 * What counts at such an edge is across it: how far the triangles on its sides are stretched away
 * from it, and the tension of the sheet in that direction. An edge is noted as cut when that is too
 * much, as a blade would have done (fracture/cut_sides.c), so a line of them opens where its edges
 * meet each other or the border, and nowhere else, whatever its direction.
 */
#include "fracture/tear.h"
#include "fracture/tearing.h"
#include "systems/sheet/sheets.h"

typedef struct work {
    sn_world *world;
    uint32_t sheet;
    sn_cut cut;
    bool begun;
    size_t first; /* of the places that are edges */
} work;

/* What an edge bears, as one of its triangles has it. */
typedef struct load {
    double stretch; /* 1, how high the triangle stands on the edge, over that at rest */
    double tension; /* N/m, per width at rest; 0 where it does not matter */
    sn_point normal;
} load;

static sn_sheet_state *sheet_of(const work *w) {
    return &sn_sheets_of(w->world)->state[w->sheet];
}

static sn_point point_of(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

/* ---- What an edge bears ---- */

/* From an edge to the corner beyond it, normal to the edge. */
static sn_point height_of(sn_point a, sn_point b, sn_point top) {
    sn_point edge = sn_point_sub(b, a), up = sn_point_sub(top, a);
    double square = sn_point_dot(edge, edge);
    double along = square > 0 ? sn_point_dot(up, edge) / square : 0;
    return sn_point_sub(up, sn_point_scaled(edge, along));
}

/* n . T n, for the mean of two vertices: within one the load wanders from edge to edge. */
static double tension_along(const work *w, uint32_t a, uint32_t b, sn_point n) {
    sn_tension t = {w->world, sn_cut_mesh_at(w->world, w->sheet, UINT32_MAX)};
    double sum = 0, all[6];
    for (int k = 0; k < 2; k++) {
        (void)sn_tension_at(&t, k ? b : a, all);
        sum += all[0] * n.x * n.x + all[1] * n.y * n.y + all[2] * n.z * n.z +
               2 * (all[3] * n.y * n.z + all[4] * n.z * n.x + all[5] * n.x * n.y);
    }
    return sum / 2;
}

static load load_of(const work *w, uint32_t triangle, uint32_t side) {
    const sn_sheet_state *s = sheet_of(w);
    const uint32_t *t = &s->triangle[(size_t)3 * triangle];
    uint32_t a = t[(side + 1) % 3], b = t[(side + 2) % 3], top = t[side];
    const sn_vec4 *x = w->world->nodes.x;
    sn_point now =
        height_of(point_of(x[s->node[a]]), point_of(x[s->node[b]]), point_of(x[s->node[top]]));
    sn_point rest = height_of(point_of(s->rest[a]), point_of(s->rest[b]), point_of(s->rest[top]));
    double high = sn_point_length(now), least = sn_point_length(rest);
    load l = {0, 0, {0, 0, 0}};
    if (!(high > 0 && least > 0)) return l;
    l.stretch = high / least;
    l.normal = sn_point_scaled(now, 1 / high);
    /* What was added up is per area, and so grows with the stretch. */
    if (s->def.tear_force != SN_AUTO) l.tension = tension_along(w, a, b, l.normal) / l.stretch;
    return l;
}

/* Whether that is too much, and then by how much and of what. */
static bool exceeds(const sn_sheet_def *def, double strength, load l, sn_tear_place *place) {
    double longest = 1 + (double)def->tear_strain * strength;
    double most = (double)def->tear_force * strength;
    if (def->tear_strain != SN_AUTO && l.stretch > longest) {
        place->cause = SN_TEAR_STRAIN;
        place->amount = (sn_real)(l.stretch - 1);
        return true;
    }
    if (def->tear_force == SN_AUTO || !(l.tension > most)) return false;
    place->cause = SN_TEAR_FORCE;
    place->amount = (sn_real)l.tension;
    return true;
}

/* ---- Noting edges ---- */

static bool begin(work *w) {
    if (w->begun) return true;
    w->begun = true;
    return sn_cut_begin(&w->cut, w->world, w->sheet);
}

/* The mean of both sides counts; where it is too much, one side alone was. */
static bool note(work *w, uint32_t triangle, uint32_t side, load l) {
    sn_sheet_state *s = sheet_of(w);
    sn_real *strength = &s->edge_strength[triangle][side];
    sn_cut_side found;
    sn_tear_place place = {.corners = 2};
    if (!begin(w)) return false;
    if (!sn_cut_beyond(&w->cut, triangle, side, &found)) {
        /* It has come apart; nobody needs to look at it again. */
        *strength = SN_AUTO;
        return true;
    }
    load other = load_of(w, found.beyond, found.back);
    load mean = {(l.stretch + other.stretch) / 2, (l.tension + other.tension) / 2, l.normal};
    if (!exceeds(&s->def, (double)*strength, mean, &place)) return true;
    place.vertex[0] = s->triangle[(size_t)3 * triangle + (side + 1) % 3];
    place.vertex[1] = s->triangle[(size_t)3 * triangle + (side + 2) % 3];
    place.vertex[2] = triangle;
    place.normal[0] = (sn_real)l.normal.x;
    place.normal[1] = (sn_real)l.normal.y;
    place.normal[2] = (sn_real)l.normal.z;
    return sn_tear_add(w->world, &place) && sn_cut_mark_side(&w->cut, &found) == SN_OK;
}

static bool note_all(work *w) {
    const sn_sheet_state *s = sheet_of(w);
    sn_tear_place place;
    for (uint32_t t = 0; t < s->def.triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            sn_real strength = s->edge_strength[t][k];
            if (strength == SN_AUTO || (s->open && (s->open[t] >> k & 1))) continue;
            load l = load_of(w, t, k);
            if (exceeds(&s->def, (double)strength, l, &place) && !note(w, t, k, l)) return false;
        }
    return true;
}

/* ---- Events ---- */

static sn_node id_of(const sn_world *world, uint32_t node) {
    return (sn_node){node + 1, world->nodes.slots.generation[node], world->tag};
}

/* The edge that a node was split for; null where it was for others. */
static const sn_tear_place *place_of(const work *w, uint32_t node) {
    const sn_tearing *t = sn_tearing_of(w->world);
    uint32_t vertex = sn_sheets_of(w->world)->place[node];
    for (size_t i = w->first; i < t->places; i++)
        if (t->place[i].vertex[0] == vertex || t->place[i].vertex[1] == vertex) return &t->place[i];
    return NULL;
}

/* 1 where the triangle that the normal points to has kept the node, -1 where it has the copy. */
static sn_real side_of(const work *w, const sn_tear_place *place, uint32_t copy) {
    const uint32_t *t = &sheet_of(w)->triangle[(size_t)3 * place->vertex[2]];
    uint32_t vertex = sn_sheets_of(w->world)->place[copy];
    return t[0] == vertex || t[1] == vertex || t[2] == vertex ? -1 : 1;
}

/* A vertex gets no more copies than it has edges that were cut. */
static bool reserve_events(const work *w) {
    sn_tearing *t = sn_tearing_of(w->world);
    return sn_reserve(&w->world->memory, (void **)&t->event, &t->event_capacity,
                      t->events + 2 * w->cut.sides, sizeof *t->event);
}

static void report(const work *w) {
    sn_world *world = w->world;
    sn_tearing *t = sn_tearing_of(world);
    for (size_t i = 0; i < w->cut.copy_count; i++) {
        const sn_cut_copy *copy = &w->cut.copies[i];
        const sn_tear_place *place = place_of(w, copy->node);
        sn_real sign = place ? side_of(w, place, copy->copy) : 0;
        t->event[t->events++] = (sn_tear_event){
            .sheet = {w->sheet + 1, sn_sheets_of(world)->slots.generation[w->sheet], world->tag},
            .node = id_of(world, copy->node),
            .copy = id_of(world, copy->copy),
            .normal = place ? (sn_vec3){sign * place->normal[0], sign * place->normal[1],
                                        sign * place->normal[2]}
                            : (sn_vec3){0, 0, 0},
            .cause = place ? place->cause : SN_TEAR_LOOSE,
            .amount = place ? place->amount : 0,
            .burst = i == 0 && w->cut.burst > 0,
        };
    }
}

/* ---- One sheet ---- */

static bool part(work *w) {
    sn_result result = reserve_events(w) ? sn_cut_part(&w->cut) : SN_ERROR_MEMORY;
    if (result != SN_OK && w->cut.copy_count == 0) sn_cut_unmark(&w->cut);
    if (result == SN_ERROR_VALUE)
        sn_world_say(w->world, SN_LOG_WARNING, "tearing: %s", sn_last_error());
    report(w);
    if (result == SN_ERROR_MEMORY) return false;
    return w->cut.copy_count == 0 || sn_cut_release(w->world, w->sheet);
}

bool sn_tear_edges(sn_world *world, uint32_t sheet) {
    const sn_sheet_state *s = &sn_sheets_of(world)->state[sheet];
    work w = {
        .world = world, .sheet = sheet, .cut.world = world, .first = sn_tearing_of(world)->places};
    if (!s->edge_strength || (s->def.tear_strain == SN_AUTO && s->def.tear_force == SN_AUTO))
        return true;
    bool room = note_all(&w);
    if (room && w.cut.sides > 0) room = part(&w);
    sn_tearing_of(world)->places = w.first;
    if (w.begun) sn_cut_free(&w.cut);
    return room;
}
