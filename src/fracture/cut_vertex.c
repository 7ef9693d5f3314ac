#include "fracture/cut_vertex.h"

#include "base/error.h"
#include "geometry/point.h"
#include "state/system.h"
#include "systems/sheet/sheets.h"
#include "systems/tet_mesh/tet_meshes.h"

#include <string.h>

sn_cut_mesh sn_cut_mesh_at(const sn_world *world, uint32_t sheet, uint32_t tet_mesh) {
    const sn_sheets *sheets = sn_sheets_of(world);
    const sn_tet_meshes *tet_meshes = sn_tet_meshes_of(world);
    sn_cut_mesh m = {.corners = tet_mesh == UINT32_MAX ? 3 : 4};
    if (tet_mesh != UINT32_MAX) {
        const sn_tet_mesh_state *b = &tet_meshes->state[tet_mesh];
        m.node = b->node;
        m.rest = b->rest;
        m.element = b->tet;
        m.of_node = tet_meshes->of_node;
        m.place = tet_meshes->place;
        m.vertices = b->def.node_count;
        m.elements = b->def.tet_count;
        m.slots = tet_meshes->node_capacity;
        m.index = tet_mesh;
        return m;
    }
    const sn_sheet_state *s = &sheets->state[sheet];
    m.node = s->node;
    m.rest = s->rest;
    m.element = s->triangle;
    m.of_node = sheets->of_node;
    m.place = sheets->place;
    m.vertices = s->def.node_count;
    m.elements = s->def.triangle_count;
    m.slots = sheets->node_capacity;
    m.index = sheet;
    return m;
}

sn_cut_mesh sn_cut_mesh_of(const sn_cut *cut) {
    return sn_cut_mesh_at(cut->world, cut->sheet, cut->tet_mesh);
}

uint32_t sn_cut_vertex_of(const sn_cut_mesh *m, int32_t node) {
    if (node < 0 || (size_t)node >= m->slots || m->of_node[node] != m->index + 1) return UINT32_MAX;
    return m->place[node];
}

uint8_t *sn_cut_open_sides(const sn_cut *cut, uint32_t element) {
    if (cut->tet_mesh != UINT32_MAX)
        return &sn_tet_meshes_of(cut->world)->state[cut->tet_mesh].open[element];
    uint8_t *open = sn_sheets_of(cut->world)->state[cut->sheet].open;
    return open ? &open[element] : NULL;
}

/* ---- Lists ---- */

static bool begin(sn_cut *cut) {
    sn_memory *memory = &cut->world->memory;
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    size_t corners = m.corners * m.elements, vertices = m.vertices;
    cut->vertices = vertices;
    cut->corner_count = corners;
    cut->first = sn_allocate(memory, vertices + 1, sizeof *cut->first);
    cut->wanted = sn_allocate(memory, vertices + 1, sizeof *cut->wanted);
    cut->listed = sn_allocate(memory, vertices + 1, sizeof *cut->listed);
    cut->next = sn_allocate(memory, corners + 1, sizeof *cut->next);
    if (!cut->first || !cut->wanted || !cut->listed || !cut->next) return false;
    for (size_t i = corners; i-- > 0;) {
        cut->next[i] = cut->first[m.element[i]];
        cut->first[m.element[i]] = (uint32_t)i + 1;
    }
    return true;
}

bool sn_cut_begin(sn_cut *cut, sn_world *world, uint32_t sheet) {
    *cut = (sn_cut){.world = world, .sheet = sheet, .tet_mesh = UINT32_MAX};
    return begin(cut);
}

bool sn_cut_begin_tet_mesh(sn_cut *cut, sn_world *world, uint32_t tet_mesh) {
    *cut = (sn_cut){.world = world, .sheet = UINT32_MAX, .tet_mesh = tet_mesh};
    return begin(cut);
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
    sn_free(memory, cut->side, cut->side_capacity, sizeof *cut->side);
    sn_free(memory, cut->wall, cut->wall_capacity, sizeof *cut->wall);
}

/* Its neighbours in a sheet may have to be taken apart in turn. */
void sn_cut_want(sn_cut *cut, uint32_t vertex) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    cut->wanted[vertex] = SN_CUT_WANTED;
    for (uint32_t c = m.corners == 3 ? cut->first[vertex] : 0; c; c = cut->next[c - 1]) {
        const uint32_t *t = &m.element[(c - 1) / 3 * 3];
        for (int k = 0; k < 3; k++) cut->wanted[t[k]] = SN_CUT_WANTED;
    }
}

bool sn_cut_note(sn_cut *cut, uint32_t constraint, sn_members members) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    for (int n = 0; n < members.nodes; n++) {
        uint32_t vertex = sn_cut_vertex_of(&m, sn_member(members, n));
        if (vertex >= cut->vertices || cut->wanted[vertex] != SN_CUT_WANTED) continue;
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

/* The corner of an element, with its others in turn. */
static sn_corner corner_at(const sn_cut *cut, const sn_cut_mesh *m, uint32_t at) {
    uint32_t n = m->corners, begin = at / n * n, turn[3] = {0, 0, 0};
    sn_corner made = {.c = UINT32_MAX, .element = begin / n};
    const uint8_t *open = sn_cut_open_sides(cut, begin / n);
    for (uint32_t k = 0; k + 1 < n; k++) {
        turn[k] = (at + 1 + k - begin) % n;
        if (open) made.shut |= (uint8_t)((*open >> turn[k] & 1) << k);
    }
    made.a = m->node[m->element[begin + turn[0]]];
    made.b = m->node[m->element[begin + turn[1]]];
    if (n == 4) made.c = m->node[m->element[begin + turn[2]]];
    return made;
}

bool sn_cut_look(sn_cut *cut, uint32_t vertex) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    cut->corners = cut->fans = 0;
    for (uint32_t c = vertex < cut->vertices ? cut->first[vertex] : 0; c; c = cut->next[c - 1]) {
        /* Those that went with a copy are in the list still. */
        if (m.element[c - 1] != vertex) continue;
        if (!sn_reserve(&cut->world->memory, (void **)&cut->corner, &cut->corner_capacity,
                        cut->corners + 1, sizeof *cut->corner))
            return false;
        cut->corner[cut->corners++] = corner_at(cut, &m, c - 1);
    }
    cut->fans = m.corners == 3 ? sn_corners_arrange(cut->corner, cut->corners)
                               : sn_corners_join(cut->corner, cut->corners);
    return true;
}

bool sn_cut_is_inner(const sn_cut *cut) {
    return cut->corners > 0 && cut->fans == 1 &&
           cut->corner[cut->corners - 1].b == cut->corner[0].a;
}

static sn_point point_of(sn_vec4 a) {
    return (sn_point){(double)a.x, (double)a.y, (double)a.z};
}

double sn_cut_size(const sn_cut_mesh *m, size_t element) {
    const uint32_t *t = &m->element[m->corners * element];
    sn_point p[4] = {{0, 0, 0}};
    for (uint32_t k = 0; k < m->corners; k++) p[k] = point_of(m->rest[t[k]]);
    if (m->corners == 4) return sn_point_det(p[0], p[1], p[2], p[3]) / 6;
    return sn_point_length(sn_point_normal(p[0], p[1], p[2])) / 2;
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
    return sn_corners_sides(cut->corner, cut->corners, node);
}

unsigned sn_cut_sides_of_triangle(const sn_cut *cut, uint32_t a, uint32_t b) {
    return sn_corners_sides_of_two(cut->corner, cut->corners, a, b);
}

/* How much of the area or volume stays. */
static void find_part(sn_cut *cut) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    double stays = 0, goes = 0;
    for (size_t i = 0; i < cut->corners; i++) {
        const sn_corner *c = &cut->corner[i];
        *(c->copied ? &goes : &stays) += sn_cut_size(&m, c->element);
    }
    cut->part = stays + goes > 0 ? stays / (stays + goes) : 0.5;
}

/* ---- Systems ---- */

static sn_split split_of(const sn_cut *cut) {
    return (sn_split){cut->node, cut->copy, cut->corner, cut->corners};
}

static bool reserve_systems(sn_cut *cut) {
    sn_system_list systems = cut->world->bindings.systems;
    sn_split split = split_of(cut);
    for (size_t i = 0; i < systems.count; i++)
        if (systems.system[i]->reserve_split &&
            !systems.system[i]->reserve_split(cut->world, &split))
            return false;
    return true;
}

static void split_systems(sn_cut *cut) {
    sn_system_list systems = cut->world->bindings.systems;
    sn_split split = split_of(cut);
    for (size_t i = 0; i < systems.count; i++)
        if (systems.system[i]->split) systems.system[i]->split(cut->world, &split);
}

/* ---- The node ---- */

static uint32_t next_slot(const sn_slots *slots) {
    return slots->spares > 0 ? slots->spare[slots->spares - 1] : (uint32_t)slots->count;
}

/* Room for the copy in the list of what is cut. */
static bool reserve_mesh(sn_cut *cut, size_t slots) {
    sn_world *world = cut->world;
    sn_memory *memory = &world->memory;
    if (cut->tet_mesh != UINT32_MAX) {
        if (!sn_tet_meshes_reserve(sn_tet_meshes_of(world), memory, slots)) return false;
        sn_tet_mesh_state *b = &sn_tet_meshes_of(world)->state[cut->tet_mesh];
        return sn_tet_mesh_state_reserve(b, memory, b->def.node_count + 1, b->def.tet_count);
    }
    if (!sn_sheets_reserve(sn_sheets_of(world), memory, slots)) return false;
    sn_sheet_state *s = &sn_sheets_of(world)->state[cut->sheet];
    return sn_sheet_state_reserve(s, memory, s->def.node_count + 1, s->def.triangle_count);
}

static bool reserve(sn_cut *cut) {
    sn_world *world = cut->world;
    sn_memory *memory = &world->memory;
    if (!sn_world_reserve_nodes(world, 1)) return false;
    cut->copy = next_slot(&world->nodes.slots);
    return sn_reserve(memory, (void **)&cut->copies, &cut->copy_capacity, cut->copy_count + 1,
                      sizeof *cut->copies) &&
           reserve_mesh(cut, (size_t)cut->copy + 1) && reserve_systems(cut) &&
           sn_cut_reserve_surface(cut) && sn_cut_plan_constraints(cut);
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

/* Puts the copy into the list of the sheet or tet mesh; its vertex there. */
static uint32_t add_vertex(sn_cut *cut, uint32_t vertex) {
    sn_sheets *sheets = sn_sheets_of(cut->world);
    sn_tet_meshes *tet_meshes = sn_tet_meshes_of(cut->world);
    if (cut->tet_mesh != UINT32_MAX) {
        sn_tet_mesh_state *b = &tet_meshes->state[cut->tet_mesh];
        b->changes++;
        return sn_tet_meshes_add_copy(tet_meshes, cut->tet_mesh, cut->copy, vertex);
    }
    sn_sheet_state *s = &sheets->state[cut->sheet];
    uint32_t copy = sn_sheets_add_node(sheets, cut->sheet, cut->copy, s->rest[vertex]);
    if (s->strength) s->strength[copy] = s->strength[vertex];
    for (int k = 0; s->air && k < 2; k++) s->air[copy][k] = s->air[vertex][k];
    sn_sheets_mark_changed(sheets, cut->sheet);
    return copy;
}

static void move_elements(sn_cut *cut) {
    sn_cut_mesh m = sn_cut_mesh_of(cut);
    uint32_t vertex = m.place[cut->node], copy = add_vertex(cut, vertex);
    for (size_t i = 0; i < cut->corners; i++) {
        uint32_t *t = &m.element[m.corners * cut->corner[i].element];
        for (uint32_t k = 0; cut->corner[i].copied && k < m.corners; k++)
            if (t[k] == vertex) t[k] = copy;
    }
}

/* ---- The cut ---- */

/* What is in a sheet and a tet mesh at once belongs together. */
static bool is_free(const sn_world *world, uint32_t node) {
    return world->nodes.w[node] > 0 && world->nodes.frame[node] == 0 &&
           !(sn_sheets_at(sn_sheets_of(world), node) &&
             sn_tet_meshes_at(sn_tet_meshes_of(world), node));
}

sn_result sn_cut_vertex(sn_cut *cut, uint32_t vertex, const sn_real normal[3], uint32_t *copy) {
    sn_world *world = cut->world;
    *copy = UINT32_MAX;
    if (!sn_cut_look(cut, vertex)) return SN_ERROR_MEMORY;
    if (cut->corners == 0) return SN_OK;
    cut->node = sn_cut_mesh_of(cut).node[vertex];
    cut->planar = normal && cut->fans == 1;
    if (!is_free(world, cut->node) || (!normal && cut->fans == 1)) return SN_OK;
    if (normal) memcpy(cut->normal, normal, sizeof cut->normal);
    if (cut->planar) find_heights(cut);
    if (!sn_corners_split(cut->corner, cut->corners, cut->fans)) return SN_OK;
    find_part(cut);
    if (!(cut->part > 0 && cut->part < 1)) return SN_OK;
    if (!reserve(cut)) return SN_ERROR_MEMORY;
    copy_node(cut);
    move_elements(cut);
    sn_cut_move_constraints(cut);
    sn_cut_move_surface(cut);
    split_systems(cut);
    cut->copies[cut->copy_count++] = (sn_cut_copy){cut->node, cut->copy};
    *copy = cut->copy;
    return SN_OK;
}

/* The ends of the edges that were cut open, where two fans may meet now. */
static bool find_beside(sn_cut *cut, size_t *count) {
    *count = 0;
    if (!sn_reserve(&cut->world->memory, (void **)&cut->beside, &cut->beside_capacity, cut->corners,
                    sizeof *cut->beside))
        return false;
    for (size_t i = 0; i < cut->corners; i++)
        if (sn_cut_sides(cut, cut->corner[i].a) == 3) cut->beside[(*count)++] = cut->corner[i].a;
    return true;
}

sn_result sn_cut_open(sn_cut *cut, uint32_t vertex, const sn_real normal[3], bool *done) {
    uint32_t copy;
    size_t count;
    *done = false;
    SN_TRY(sn_cut_vertex(cut, vertex, normal, &copy));
    if (copy == UINT32_MAX) return SN_OK;
    *done = true;
    if (!find_beside(cut, &count)) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) do {
            SN_TRY(
                sn_cut_vertex(cut, sn_sheets_of(cut->world)->place[cut->beside[i]], NULL, &copy));
        } while (copy != UINT32_MAX);
    return SN_OK;
}
