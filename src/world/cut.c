#include "world/cut.h"

#include "base/error.h"
#include "mesh/point.h"

#include <string.h>

static sn_sheet_state *sheet_of(const sn_cut *cut) {
    return &cut->world->sheets.state[cut->sheet];
}

/* ---- Lists ---- */

bool sn_cut_begin(sn_cut *cut, sn_world *world, uint32_t sheet) {
    const sn_sheet_state *s = &world->sheets.state[sheet];
    size_t corners = 3 * s->def.triangle_count, vertices = s->def.node_count;
    *cut = (sn_cut){.world = world, .sheet = sheet, .vertices = vertices, .corner_count = corners};
    cut->first = sn_allocate(&world->memory, vertices + 1, sizeof *cut->first);
    cut->wanted = sn_allocate(&world->memory, vertices + 1, sizeof *cut->wanted);
    cut->listed = sn_allocate(&world->memory, vertices + 1, sizeof *cut->listed);
    cut->next = sn_allocate(&world->memory, corners + 1, sizeof *cut->next);
    if (!cut->first || !cut->wanted || !cut->listed || !cut->next) return false;
    for (size_t i = corners; i-- > 0;) {
        cut->next[i] = cut->first[s->triangle[i]];
        cut->first[s->triangle[i]] = (uint32_t)i + 1;
    }
    return true;
}

void sn_cut_free(sn_cut *cut) {
    sn_memory *memory = &cut->world->memory;
    sn_free(memory, cut->first, cut->vertices + 1, sizeof *cut->first);
    sn_free(memory, cut->wanted, cut->vertices + 1, sizeof *cut->wanted);
    sn_free(memory, cut->listed, cut->vertices + 1, sizeof *cut->listed);
    sn_free(memory, cut->next, cut->corner_count + 1, sizeof *cut->next);
    sn_free(memory, cut->link, cut->link_capacity, sizeof *cut->link);
    sn_free(memory, cut->corner, cut->corner_capacity, sizeof *cut->corner);
    sn_free(memory, cut->plan, cut->plan_capacity, sizeof *cut->plan);
    sn_free(memory, cut->beside, cut->beside_capacity, sizeof *cut->beside);
    sn_free(memory, cut->copies, cut->copy_capacity, sizeof *cut->copies);
}

/* Its neighbours may have to be taken apart in turn. */
void sn_cut_want(sn_cut *cut, uint32_t vertex) {
    const sn_sheet_state *s = sheet_of(cut);
    for (uint32_t c = cut->first[vertex]; c; c = cut->next[c - 1]) {
        const uint32_t *t = &s->triangle[(c - 1) / 3 * 3];
        for (int k = 0; k < 3; k++) cut->wanted[t[k]] = 1;
    }
}

/* The vertex of a node in this sheet, if its constraints are wanted; otherwise UINT32_MAX. */
static uint32_t wanted_vertex(const sn_cut *cut, int32_t node) {
    const sn_sheets *sheets = &cut->world->sheets;
    if (node < 0 || sn_sheets_of(sheets, (uint32_t)node) != cut->sheet + 1) return UINT32_MAX;
    uint32_t vertex = sheets->place[node];
    return vertex < cut->vertices && cut->wanted[vertex] ? vertex : UINT32_MAX;
}

bool sn_cut_note(sn_cut *cut, uint32_t constraint, sn_members members) {
    for (int n = 0; n < members.nodes; n++) {
        uint32_t vertex = wanted_vertex(cut, sn_member(members, n));
        if (vertex == UINT32_MAX) continue;
        if (!sn_reserve(&cut->world->memory, (void **)&cut->link, &cut->link_capacity,
                        cut->links + 1, sizeof *cut->link))
            return false;
        cut->link[cut->links] = (sn_cut_link){constraint, cut->listed[vertex],
                                              cut->world->constraints.slots.generation[constraint]};
        cut->listed[vertex] = (uint32_t)++cut->links;
    }
    return true;
}

bool sn_cut_list(sn_cut *cut) {
    sn_world *world = cut->world;
    for (size_t s = 0; s < world->store_count; s++)
        for (uint8_t colour = 0; colour < SN_COLOURS; colour++) {
            const sn_colour *c = &world->store[s].colour[colour];
            for (uint32_t i = 0; i < c->count; i++) {
                sn_place place = {colour, i};
                if (!sn_cut_note(cut, c->owner[i], sn_store_members(&world->store[s], place)))
                    return false;
            }
        }
    return true;
}

/* ---- One vertex ---- */

bool sn_cut_look(sn_cut *cut, uint32_t vertex) {
    const sn_sheet_state *s = sheet_of(cut);
    cut->corners = cut->fans = 0;
    for (uint32_t c = vertex < cut->vertices ? cut->first[vertex] : 0; c; c = cut->next[c - 1]) {
        uint32_t at = c - 1, begin = at / 3 * 3;
        /* Those that went with a copy are in the list still. */
        if (s->triangle[at] != vertex) continue;
        if (!sn_reserve(&cut->world->memory, (void **)&cut->corner, &cut->corner_capacity,
                        cut->corners + 1, sizeof *cut->corner))
            return false;
        cut->corner[cut->corners++] =
            (sn_corner){.a = s->node[s->triangle[begin + (at + 1 - begin) % 3]],
                        .b = s->node[s->triangle[begin + (at + 2 - begin) % 3]],
                        .element = begin / 3};
    }
    cut->fans = sn_corners_arrange(cut->corner, cut->corners);
    return true;
}

bool sn_cut_is_inner(const sn_cut *cut) {
    return cut->corners > 0 && cut->fans == 1 &&
           cut->corner[cut->corners - 1].b == cut->corner[0].a;
}

static sn_point point_of(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

double sn_cut_area(const sn_cut *cut, const sn_corner *corner) {
    const sn_sheet_state *s = sheet_of(cut);
    const uint32_t *t = &s->triangle[3 * corner->element];
    return sn_point_length(sn_point_normal(point_of(s->rest[t[0]]), point_of(s->rest[t[1]]),
                                           point_of(s->rest[t[2]]))) /
           2;
}

/* How high the triangles lie above the plane, by their centres. */
static void find_heights(sn_cut *cut) {
    const sn_vec4 *x = cut->world->nodes.x;
    sn_point n = {(double)cut->normal[0], (double)cut->normal[1], (double)cut->normal[2]};
    for (size_t i = 0; i < cut->corners; i++) {
        sn_corner *c = &cut->corner[i];
        sn_point at = point_of(x[cut->node]);
        sn_point sum =
            sn_point_add(sn_point_sub(point_of(x[c->a]), at), sn_point_sub(point_of(x[c->b]), at));
        c->height = sn_point_dot(sum, n) / 3;
    }
}

unsigned sn_cut_sides(const sn_cut *cut, uint32_t node) {
    unsigned sides = 0;
    for (size_t i = 0; i < cut->corners; i++)
        if (cut->corner[i].a == node || cut->corner[i].b == node)
            sides |= cut->corner[i].copied ? 2 : 1;
    return sides;
}

unsigned sn_cut_sides_of_triangle(const sn_cut *cut, uint32_t a, uint32_t b) {
    unsigned sides = 0;
    for (size_t i = 0; i < cut->corners; i++) {
        const sn_corner *c = &cut->corner[i];
        if ((c->a == a && c->b == b) || (c->a == b && c->b == a)) sides |= c->copied ? 2 : 1;
    }
    return sides;
}

/* How much of the area stays, and how many edges lie on both sides. */
static void find_part(sn_cut *cut) {
    double stays = 0, goes = 0;
    cut->seams = 0;
    for (size_t i = 0; i < cut->corners; i++) {
        const sn_corner *c = &cut->corner[i];
        *(c->copied ? &goes : &stays) += sn_cut_area(cut, c);
        cut->seams += sn_cut_sides(cut, c->a) == 3;
    }
    cut->part = stays + goes > 0 ? stays / (stays + goes) : 0.5;
}

/* ---- Clusters ---- */

static bool is_member(const sn_cluster_members *m, uint32_t node) {
    for (size_t i = 0; i < m->count; i++)
        if (m->node[i].slot == node + 1) return true;
    return false;
}

static bool reserve_clusters(sn_cut *cut) {
    sn_clusters *all = &cut->world->clusters;
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_cluster_members *m = &all->members[i];
        if (!all->slots.alive[i] || !is_member(m, cut->node)) continue;
        if (!sn_reserve(&cut->world->memory, (void **)&m->node, &m->capacity, m->count + 1,
                        sizeof *m->node))
            return false;
    }
    return true;
}

static void join_clusters(sn_cut *cut) {
    sn_world *world = cut->world;
    sn_clusters *all = &world->clusters;
    for (size_t i = 0; i < all->slots.count; i++) {
        sn_cluster_members *m = &all->members[i];
        if (!all->slots.alive[i] || !is_member(m, cut->node)) continue;
        m->node[m->count++] =
            (sn_node){cut->copy + 1, world->nodes.slots.generation[cut->copy], world->tag};
    }
}

/* ---- The node ---- */

static uint32_t next_slot(const sn_slots *slots) {
    return slots->spares > 0 ? slots->spare[slots->spares - 1] : (uint32_t)slots->count;
}

static bool reserve(sn_cut *cut) {
    sn_world *world = cut->world;
    sn_memory *memory = &world->memory;
    sn_sheet_state *s = sheet_of(cut);
    if (!sn_world_reserve_nodes(world, 1)) return false;
    cut->copy = next_slot(&world->nodes.slots);
    size_t slots = (size_t)cut->copy + 1;
    return sn_reserve(memory, (void **)&cut->copies, &cut->copy_capacity, cut->copy_count + 1,
                      sizeof *cut->copies) &&
           sn_sheets_reserve(&world->sheets, memory, slots) &&
           sn_sheet_state_reserve(s, memory, s->def.node_count + 1, s->def.triangle_count) &&
           reserve_clusters(cut) && sn_cut_reserve_levels(cut) && sn_cut_reserve_skin(cut) &&
           sn_cut_plan_constraints(cut);
}

static void copy_node(sn_cut *cut) {
    sn_world *world = cut->world;
    sn_nodes *nodes = &world->nodes;
    uint32_t from = cut->node;
    double mass = 1 / (double)nodes->w[from];
    sn_node_def def = {.radius = nodes->radius[from], .group = nodes->group[from]};
    def.body.slot = nodes->body[from];
    uint32_t to = sn_world_add_node(world, &def);
    nodes->x[to] = nodes->x[from];
    nodes->d[to] = nodes->d[from];
    nodes->p[to] = nodes->p[from];
    nodes->v[to] = nodes->v[from];
    sn_real stays = (sn_real)cut->part, goes = (sn_real)(1 - cut->part);
    sn_vec4 f = nodes->force[from];
    nodes->force[from] = (sn_vec4){f.x * stays, f.y * stays, f.z * stays, 0};
    nodes->force[to] = (sn_vec4){f.x * goes, f.y * goes, f.z * goes, 0};
    nodes->w[from] = (sn_real)(1 / (mass * cut->part));
    nodes->w[to] = (sn_real)(1 / (mass * (1 - cut->part)));
    world->sleep.joints_changed = true;
}

static void move_triangles(sn_cut *cut) {
    sn_sheets *sheets = &cut->world->sheets;
    sn_sheet_state *s = sheet_of(cut);
    uint32_t vertex = sheets->place[cut->node];
    uint32_t copy = sn_sheets_add_node(sheets, cut->sheet, cut->copy, s->rest[vertex]);
    if (s->strength) s->strength[copy] = s->strength[vertex];
    for (size_t i = 0; i < cut->corners; i++) {
        uint32_t *t = &s->triangle[3 * cut->corner[i].element];
        for (int k = 0; cut->corner[i].copied && k < 3; k++)
            if (t[k] == vertex) t[k] = copy;
    }
    sn_sheets_touch(sheets, cut->sheet);
}

/* ---- The cut ---- */

static bool is_free(const sn_world *world, uint32_t node) {
    return world->nodes.w[node] > 0 && world->nodes.frame[node] == 0;
}

sn_result sn_cut_vertex(sn_cut *cut, uint32_t vertex, const sn_real normal[3], uint32_t *copy) {
    sn_world *world = cut->world;
    *copy = UINT32_MAX;
    if (!sn_cut_look(cut, vertex)) return SN_ERROR_MEMORY;
    if (cut->corners == 0) return SN_OK;
    cut->node = sheet_of(cut)->node[vertex];
    cut->planar = normal && cut->fans == 1;
    if (!is_free(world, cut->node) || (!normal && cut->fans == 1)) return SN_OK;
    if (normal) memcpy(cut->normal, normal, sizeof cut->normal);
    if (cut->planar) find_heights(cut);
    if (!sn_corners_split(cut->corner, cut->corners, cut->fans)) return SN_OK;
    find_part(cut);
    if (!(cut->part > 0 && cut->part < 1)) return SN_OK;
    if (!reserve(cut)) return SN_ERROR_MEMORY;
    copy_node(cut);
    move_triangles(cut);
    sn_cut_move_constraints(cut);
    sn_cut_move_skin(cut);
    join_clusters(cut);
    sn_cut_move_levels(cut);
    cut->copies[cut->copy_count++] = (sn_cut_copy){cut->node, cut->copy};
    *copy = cut->copy;
    return SN_OK;
}

/* The ends of the edges that were cut open, where two fans may meet now. */
static bool find_beside(sn_cut *cut) {
    size_t count = 0;
    if (!sn_reserve(&cut->world->memory, (void **)&cut->beside, &cut->beside_capacity, cut->seams,
                    sizeof *cut->beside))
        return false;
    for (size_t i = 0; i < cut->corners && count < cut->seams; i++)
        if (sn_cut_sides(cut, cut->corner[i].a) == 3) cut->beside[count++] = cut->corner[i].a;
    return true;
}

sn_result sn_cut_open(sn_cut *cut, uint32_t vertex, const sn_real normal[3], bool *done) {
    uint32_t copy;
    *done = false;
    SN_TRY(sn_cut_vertex(cut, vertex, normal, &copy));
    if (copy == UINT32_MAX) return SN_OK;
    *done = true;
    if (!find_beside(cut)) return SN_ERROR_MEMORY;
    for (size_t i = 0, seams = cut->seams; i < seams; i++) do {
            SN_TRY(sn_cut_vertex(cut, cut->world->sheets.place[cut->beside[i]], NULL, &copy));
        } while (copy != UINT32_MAX);
    return SN_OK;
}
