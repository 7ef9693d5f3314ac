/*
 * Tearing at the end of a step (Mueller et al. 2007, section 5).
 *
 * Places that are overstrained are sorted, the worst first, and cut one by one
 * (fracture/cut_vertex.c). A cut takes the load from its surroundings, so nothing beside it is cut
 * in the same step: what is still overstrained then is cut in the next one. Otherwise a sheet would
 * fall to single triangles where it should get a slit.
 */
#include "fracture/tear.h"
#include "fracture/tearing.h"
#include "systems/sheet/sheets.h"
#include "systems/tet_mesh/tet_meshes.h"

#include <stdlib.h>
#include <string.h>

typedef struct work {
    sn_world *world;
    uint32_t sheet;
    sn_cut cut;
    uint8_t *busy; /* per vertex, whether something beside it was cut in this step */
    size_t vertices;
    uint8_t *kept; /* per break, whether the constraint goes on after all */
    size_t cuts, most;
} work;

static sn_sheet_state *sheet_of(const work *w) {
    return &sn_sheets_of(w->world)->state[w->sheet];
}

/* ---- Breaks ---- */

/* Whether the vertices are those of an edge or a triangle. */
static bool has_triangle(const work *w, const uint32_t *vertex, uint32_t count) {
    const sn_sheet_state *s = sheet_of(w);
    for (uint32_t c = w->cut.first[vertex[0]]; c; c = w->cut.next[c - 1]) {
        const uint32_t *t = &s->triangle[(c - 1) / 3 * 3];
        uint32_t found = 0;
        for (uint32_t n = 0; n < count; n++)
            found += t[0] == vertex[n] || t[1] == vertex[n] || t[2] == vertex[n];
        if (found == count) return true;
    }
    return false;
}

/* The direction of the edge that is stretched most. */
static void find_normal(const work *w, sn_tear_place *place) {
    const sn_sheet_state *s = sheet_of(w);
    double most = 0;
    for (uint32_t i = 0; i < (place->corners == 3 ? 3U : 1U); i++) {
        uint32_t a = place->vertex[i], b = place->vertex[(i + 1) % place->corners];
        sn_vec4 p = w->world->nodes.x[s->node[a]], q = w->world->nodes.x[s->node[b]];
        sn_vec4 r = s->rest[a], t = s->rest[b];
        double e[3] = {(double)q.x - (double)p.x, (double)q.y - (double)p.y,
                       (double)q.z - (double)p.z};
        double f[3] = {(double)t.x - (double)r.x, (double)t.y - (double)r.y,
                       (double)t.z - (double)r.z};
        double now2 = e[0] * e[0] + e[1] * e[1] + e[2] * e[2];
        double rest2 = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        if (!(now2 > most * rest2)) continue;
        most = rest2 > 0 ? now2 / rest2 : SN_INFINITY;
        for (int k = 0; k < 3; k++) place->normal[k] = (sn_real)(e[k] / __builtin_sqrt(now2));
    }
}

/* Whether it was not removed by a tear in another sheet. */
static bool is_there(const sn_world *world, const sn_break_event *event) {
    return sn_slots_has(&world->constraints.slots, SN_ID(event->constraint), world->tag);
}

/* A constraint that broke on an edge or a triangle of this sheet is a place to tear. */
static bool add_break(work *w, size_t number) {
    const sn_world *world = w->world;
    const sn_break_event *event = &world->output.broken[number];
    uint32_t index = event->constraint.slot - 1;
    if (!is_there(world, event)) return true;
    const sn_store *store = sn_world_store_of(world, index);
    sn_place at = sn_world_place(world, index);
    sn_members members = sn_store_members(store, at);
    if (store->type->info.list != SN_LIST_NONE || members.nodes < 2 || members.nodes > 3)
        return true;
    sn_tear_place place = {.corners = (uint32_t)members.nodes,
                           .cause = SN_TEAR_BREAK,
                           .broken = (uint32_t)number + 1,
                           .amount = event->force};
    for (int n = 0; n < members.nodes; n++) {
        int32_t node = sn_member(members, n);
        if (node < 0 || sn_sheets_at(sn_sheets_of(world), (uint32_t)node) != w->sheet + 1)
            return true;
        place.vertex[n] = sn_sheets_of(world)->place[node];
    }
    if (!has_triangle(w, place.vertex, place.corners)) return true;
    double limit = (double)sn_store_parameters(store, at)[SN_PARAMETER_BREAK_FORCE];
    place.excess = limit > 0 ? (double)event->force / limit : SN_INFINITY;
    find_normal(w, &place);
    return sn_tear_add(w->world, &place);
}

/* Whether a constraint that broke has a node in this sheet. */
static bool has_breaks(const sn_world *world, uint32_t sheet) {
    for (size_t i = 0; i < world->output.breaks; i++) {
        uint32_t index = world->output.broken[i].constraint.slot - 1;
        if (!is_there(world, &world->output.broken[i])) continue;
        sn_members members =
            sn_store_members(sn_world_store_of(world, index), sn_world_place(world, index));
        int32_t node = sn_member(members, 0);
        if (node >= 0 && sn_sheets_at(sn_sheets_of(world), (uint32_t)node) == sheet + 1)
            return true;
    }
    return false;
}

/* ---- Cuts ---- */

int sn_tear_compare(const void *a, const void *b) {
    const sn_tear_place *p = a, *q = b;
    if (p->excess != q->excess) return p->excess > q->excess ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (p->vertex[k] != q->vertex[k]) return p->vertex[k] < q->vertex[k] ? -1 : 1;
    if (p->cause != q->cause) return p->cause < q->cause ? -1 : 1;
    if (p->broken != q->broken) return p->broken < q->broken ? -1 : 1;
    return p->found < q->found ? -1 : p->found > q->found;
}

static bool is_busy(const work *w, const sn_tear_place *place) {
    for (uint32_t n = 0; n < place->corners; n++)
        if (w->busy[place->vertex[n]]) return true;
    return false;
}

/* Its triangles were listed before the cut, so all around it are found. */
static void occupy(work *w, uint32_t vertex) {
    const sn_sheet_state *s = sheet_of(w);
    for (uint32_t c = w->cut.first[vertex]; c; c = w->cut.next[c - 1]) {
        const uint32_t *t = &s->triangle[(c - 1) / 3 * 3];
        for (int k = 0; k < 3; k++)
            if (t[k] < w->cut.vertices) w->busy[t[k]] = 1;
    }
    w->busy[vertex] = 1;
}

/* The same for what came apart along its edges before. */
static void occupy_parted(work *w, size_t first) {
    const sn_tearing *t = sn_tearing_of(w->world);
    const uint32_t *place = sn_sheets_of(w->world)->place;
    for (size_t i = first; i < t->events; i++) {
        occupy(w, place[t->event[i].node.slot - 1]);
        occupy(w, place[t->event[i].copy.slot - 1]);
    }
}

/* Where a place is cut first: at its weakest vertex, then at one on the border, where tears go on
   that have begun. */
static bool order_vertices(work *w, const sn_tear_place *place, uint32_t order[3]) {
    double key[3];
    for (uint32_t n = 0; n < place->corners; n++) {
        if (!sn_cut_look(&w->cut, place->vertex[n])) return false;
        double own = 2 * sn_tear_strength(sheet_of(w), place->vertex[n]) +
                     (sn_cut_is_inner(&w->cut) ? 1e-6 : 0);
        uint32_t at = n;
        for (; at > 0 && own < key[at - 1]; at--) {
            key[at] = key[at - 1];
            order[at] = order[at - 1];
        }
        key[at] = own;
        order[at] = place->vertex[n];
    }
    return true;
}

static sn_node id_of(const sn_world *world, uint32_t node) {
    return (sn_node){node + 1, world->nodes.slots.generation[node], world->tag};
}

/* One event per copy that was made since there were `before` of them. */
static bool report(work *w, const sn_tear_place *place, size_t before, size_t burst) {
    sn_world *world = w->world;
    sn_tearing *t = sn_tearing_of(world);
    if (!sn_reserve(&world->memory, (void **)&t->event, &t->event_capacity,
                    t->events + w->cut.copy_count - before, sizeof *t->event))
        return false;
    for (size_t i = before; i < w->cut.copy_count; i++) {
        bool first = i == before;
        t->event[t->events++] = (sn_tear_event){
            .sheet = {w->sheet + 1, sn_sheets_of(world)->slots.generation[w->sheet], world->tag},
            .node = id_of(world, w->cut.copies[i].node),
            .copy = id_of(world, w->cut.copies[i].copy),
            .normal = {first ? place->normal[0] : 0, first ? place->normal[1] : 0,
                       first ? place->normal[2] : 0},
            .cause = first ? place->cause : SN_TEAR_LOOSE,
            .amount = first ? place->amount : 0,
            .burst = first && w->cut.burst > burst,
        };
    }
    return true;
}

static bool cut_place(work *w, const sn_tear_place *place, bool *done) {
    uint32_t order[3];
    *done = false;
    if (!order_vertices(w, place, order)) return false;
    for (uint32_t n = 0; n < place->corners && !*done; n++) {
        size_t before = w->cut.copy_count, burst = w->cut.burst;
        sn_result result = sn_cut_open(&w->cut, order[n], place->normal, done);
        if (*done) {
            occupy(w, order[n]);
            w->cuts++;
            if (!report(w, place, before, burst)) return false;
        }
        if (result != SN_OK) return false;
    }
    return true;
}

/* What broke and was torn instead goes on, on its side; so does what is beside a tear. */
static bool cut_all(work *w) {
    const sn_tearing *t = sn_tearing_of(w->world);
    for (size_t i = 0; i < t->places; i++) {
        const sn_tear_place *place = &t->place[i];
        bool done = w->cuts >= w->most || is_busy(w, place);
        if (!done && !cut_place(w, place, &done)) return false;
        if (done && place->broken) w->kept[place->broken - 1] = 1;
    }
    return true;
}

/* Asks for a vertex, or one beside it, that holds two parts of the sheet together alone. */
static bool want_loose(work *w, uint32_t vertex, bool *found) {
    const sn_sheet_state *s = sheet_of(w);
    for (uint32_t c = w->cut.first[vertex]; c; c = w->cut.next[c - 1])
        for (size_t k = 0; k < 3; k++) {
            uint32_t other = s->triangle[(c - 1) / 3 * 3 + k];
            if (!sn_cut_look(&w->cut, other)) return false;
            if (w->cut.fans < 2) continue;
            sn_cut_want(&w->cut, other);
            *found = true;
        }
    return true;
}

/* A tear beside one that was made just before it may leave such vertices, and so may edges that
   were cut and held together until now. */
static bool part_loose(work *w, const sn_cut_copy *copies, size_t count) {
    const uint32_t *place = sn_sheets_of(w->world)->place;
    bool found = false;
    for (size_t i = 0; i < count; i++)
        if (!want_loose(w, place[copies[i].node], &found) ||
            !want_loose(w, place[copies[i].copy], &found))
            return false;
    if (!found) return true;
    if (!sn_cut_list(&w->cut)) return false;
    sn_result result = SN_OK;
    for (uint32_t v = 0; v < w->cut.vertices && result == SN_OK; v++) {
        uint32_t copy = w->cut.wanted[v] == SN_CUT_WANTED ? 0 : UINT32_MAX;
        while (result == SN_OK && copy != UINT32_MAX)
            result = sn_cut_vertex(&w->cut, v, NULL, &copy);
    }
    return report(w, &(sn_tear_place){.cause = SN_TEAR_LOOSE}, 0, 0) && result == SN_OK;
}

/* Looks once more at what was cut, with everything listed anew. */
static bool finish(work *w) {
    sn_memory *memory = &w->world->memory;
    sn_cut_copy *copies = w->cut.copies;
    size_t count = w->cut.copy_count, capacity = w->cut.copy_capacity;
    w->cut.copies = NULL;
    w->cut.copy_count = w->cut.copy_capacity = 0;
    sn_cut_free(&w->cut);
    bool room = sn_cut_begin(&w->cut, w->world, w->sheet) && part_loose(w, copies, count);
    sn_free(memory, copies, capacity, sizeof *copies);
    return room;
}

static bool run(work *w) {
    sn_world *world = w->world;
    sn_tearing *t = sn_tearing_of(world);
    const sn_sheet_state *s = sheet_of(w);
    bool broken = has_breaks(world, w->sheet);
    size_t events = t->events;
    t->places = 0;
    if (s->def.tear_strain != SN_AUTO && !sn_tear_find_strain(world, w->sheet)) return false;
    if (s->def.tear_force != SN_AUTO && !sn_tear_find_force(world, w->sheet)) return false;
    if (!sn_tear_edges(world, w->sheet)) return false;
    if (t->places == 0 && !broken) return true;
    if (!sn_cut_begin(&w->cut, world, w->sheet)) return false;
    for (size_t i = 0; broken && i < world->output.breaks; i++)
        if (!add_break(w, i)) return false;
    if (t->places == 0) return true;
    w->vertices = w->cut.vertices;
    w->busy = sn_allocate(&world->memory, w->vertices, 1);
    if (!w->busy) return false;
    occupy_parted(w, events);
    qsort(t->place, t->places, sizeof *t->place, sn_tear_compare);
    for (size_t i = 0; i < t->places; i++)
        for (uint32_t n = 0; n < t->place[i].corners; n++)
            sn_cut_want(&w->cut, t->place[i].vertex[n]);
    if (!sn_cut_list(&w->cut)) return false;
    w->most = 1 + w->cut.vertices / 32;
    bool room = cut_all(w);
    if (w->cuts == 0) return room;
    if (sheet_of(w)->edge_strength) room = finish(w) && room;
    return sn_cut_release(world, w->sheet) && room;
}

static bool tear_sheet(sn_world *world, uint32_t sheet, uint8_t *kept) {
    work w = {.world = world, .sheet = sheet, .kept = kept, .cut.world = world};
    bool room = run(&w);
    sn_free(&world->memory, w.busy, w.vertices, 1);
    sn_cut_free(&w.cut);
    return room;
}

/* Takes those that go on out of the list of what broke, and gives them their power back. */
static void mend(sn_world *world, const uint8_t *kept) {
    size_t left = 0;
    for (size_t i = 0; i < world->output.breaks; i++) {
        uint32_t index = world->output.broken[i].constraint.slot - 1;
        if (!kept[i] || !is_there(world, &world->output.broken[i])) {
            world->output.broken[left++] = world->output.broken[i];
            continue;
        }
        sn_store_derive(sn_world_store_of(world, index), sn_world_place(world, index),
                        (sn_masses){world->nodes.w, world->frames.w}, &world->scale);
        world->scratch.constraints_changed = true;
    }
    world->output.breaks = left;
}

bool sn_tear_needs_forces(const sn_world *world) {
    const sn_sheets *sheets = sn_sheets_of(world);
    const sn_tet_meshes *tet_meshes = sn_tet_meshes_of(world);
    for (size_t i = 0; i < sheets->slots.count; i++)
        if (sheets->slots.alive[i] && sheets->state[i].def.tear_force != SN_AUTO) return true;
    for (size_t i = 0; i < tet_meshes->slots.count; i++)
        if (tet_meshes->slots.alive[i] && tet_meshes->state[i].def.fracture_stress != SN_AUTO)
            return true;
    return false;
}

void sn_tear_end(sn_step *step) {
    sn_world *world = step->world;
    const sn_sheets *sheets = sn_sheets_of(world);
    const sn_tet_meshes *tet_meshes = sn_tet_meshes_of(world);
    size_t breaks = world->output.breaks;
    uint8_t *kept = NULL;
    bool room = true;
    sn_tearing_of(world)->events = 0;
    if (sheets->slots.live == 0 && tet_meshes->slots.live == 0) return;
    if (breaks > 0) room = (kept = sn_allocate(&world->memory, breaks, 1)) != NULL;
    for (uint32_t i = 0; room && i < sheets->slots.count; i++)
        if (sheets->slots.alive[i]) room = tear_sheet(world, i, kept);
    for (uint32_t i = 0; room && i < tet_meshes->slots.count; i++)
        if (tet_meshes->slots.alive[i]) room = sn_fracture_tet_mesh(world, i);
    if (kept) {
        mend(world, kept);
        sn_free(&world->memory, kept, breaks, 1);
    }
    world->output.stats.torn = sn_tearing_of(world)->events;
    if (!room)
        sn_world_say(world, SN_LOG_WARNING,
                     "tearing: there is no memory, so something stays whole");
}
