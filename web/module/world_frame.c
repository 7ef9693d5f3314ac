/*
 * What is in a world, as shapes, where no scene says what is what: sheets and solids by their
 * triangles, nodes that constraints join in pairs as lines, all others as particles, and colliders.
 */
#include "view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct drawn_shape {
    char name[24];
    uint32_t *nodes;     /* slots */
    uint32_t *triangles; /* three each, or lines with two */
    sn_vec3 *positions, *velocities;
    sn_real *radii;
    sn_mesh mesh; /* of a collider, in its frame */
    size_t node_room, triangle_room, vertex_room;
} drawn_shape;

struct view_drawn {
    drawn_shape *shapes;
    sn_io_shape *views;
    size_t room, count;
    uint8_t *taken; /* per node: drawn already */
    size_t taken_room;
};

/* One frame that is being made. */
typedef struct drawing {
    view_drawn *drawn;
    const sn_world *world;
    sn_node_view nodes;
} drawing;

sn_result view_drawn_create(view_drawn **drawn) {
    *drawn = calloc(1, sizeof **drawn);
    return *drawn ? SN_OK : SN_ERROR_MEMORY;
}

void view_drawn_destroy(view_drawn *drawn) {
    if (!drawn) return;
    for (size_t i = 0; i < drawn->room; i++) {
        drawn_shape *s = &drawn->shapes[i];
        free(s->nodes);
        free(s->triangles);
        free(s->positions);
        free(s->velocities);
        free(s->radii);
        sn_mesh_free(&s->mesh);
    }
    free(drawn->shapes);
    free(drawn->views);
    free(drawn->taken);
    free(drawn);
}

/* Makes room for `count` elements; what is there stays. */
static bool reserve(void *array, size_t *room, size_t count, size_t each) {
    void **place = array, *larger;
    if (count <= *room && *place) return true;
    size_t wanted = count + count / 2 + 1;
    if (!(larger = realloc(*place, wanted * each))) return false;
    *place = larger;
    *room = wanted;
    return true;
}

/* ---- Shapes ---- */

static sn_result add_shape(drawing *d, const char *kind, size_t number, drawn_shape **shape) {
    view_drawn *all = d->drawn;
    if (all->count == all->room) {
        size_t room = 2 * all->room + 8;
        drawn_shape *shapes = realloc(all->shapes, room * sizeof *shapes);
        if (shapes) all->shapes = shapes;
        sn_io_shape *views = realloc(all->views, room * sizeof *views);
        if (views) all->views = views;
        if (!shapes || !views) return SN_ERROR_MEMORY;
        memset(shapes + all->room, 0, (room - all->room) * sizeof *shapes);
        all->room = room;
    }
    *shape = &all->shapes[all->count];
    snprintf((*shape)->name, sizeof(*shape)->name, "%s %zu", kind, number);
    all->views[all->count++] = (sn_io_shape){0};
    return SN_OK;
}

/* Another number for other elements (FNV-1a). */
static uint64_t hash_of(const uint32_t *words, size_t count, uint64_t hash) {
    for (size_t i = 0; i < count; i++) hash = (hash ^ words[i]) * 0x100000001b3u;
    return hash;
}

static bool reserve_vertices(drawn_shape *s, size_t count) {
    size_t a = s->vertex_room, b = a, c = a;
    bool done = reserve(&s->positions, &a, count, sizeof *s->positions) &&
                reserve(&s->velocities, &b, count, sizeof *s->velocities) &&
                reserve(&s->radii, &c, count, sizeof *s->radii);
    if (done) s->vertex_room = a;
    return done;
}

static sn_vec3 vector_of(sn_vec4 x) {
    return (sn_vec3){x.x, x.y, x.z};
}

/* Nodes of a shape, which are in `nodes`, as its vertices, with elements of so many corners. */
static sn_result show_nodes(drawing *d, drawn_shape *s, size_t count, size_t elements,
                            size_t corners) {
    sn_io_shape *shown = &d->drawn->views[s - d->drawn->shapes];
    if (!reserve_vertices(s, count)) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        uint32_t node = s->nodes[i];
        s->positions[i] = vector_of(d->nodes.position[node]);
        s->velocities[i] = vector_of(d->nodes.velocity[node]);
        s->radii[i] = d->nodes.radius[node];
        d->drawn->taken[node] = 1;
    }
    *shown = (sn_io_shape){.name = s->name,
                           .vertex_count = count,
                           .positions = s->positions,
                           .velocities = s->velocities,
                           .radii = corners == 3 ? NULL : s->radii,
                           .topology = hash_of(s->triangles, corners * elements, count + 1)};
    if (corners == 3) {
        shown->triangle_count = elements;
        shown->triangles = (const uint32_t(*)[3])s->triangles;
    } else if (corners == 2) {
        shown->line_count = elements;
        shown->lines = (const uint32_t(*)[2])s->triangles;
    }
    return SN_OK;
}

/* ---- Sheets and solids ---- */

/* Slots in place of ids, which are longer. */
static sn_result keep_slots(drawn_shape *s, const sn_node *ids, size_t count) {
    if (!reserve(&s->nodes, &s->node_room, count, sizeof *s->nodes)) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) s->nodes[i] = ids[i].slot - 1;
    return SN_OK;
}

static sn_result read_sheet(drawing *d, sn_sheet sheet, drawn_shape *s, sn_node *ids,
                            size_t counts[2]) {
    SN_TRY(sn_sheet_get_nodes(d->world, sheet, ids, counts[0], &counts[0]));
    SN_TRY(keep_slots(s, ids, counts[0]));
    return sn_sheet_get_triangles(d->world, sheet, s->triangles, counts[1], &counts[1]);
}

static sn_result add_sheet(drawing *d, sn_sheet sheet, size_t number) {
    drawn_shape *s;
    size_t counts[2] = {0, 0};
    SN_TRY(add_shape(d, "sheet", number, &s));
    SN_TRY(sn_sheet_get_nodes(d->world, sheet, NULL, 0, &counts[0]));
    SN_TRY(sn_sheet_get_triangles(d->world, sheet, NULL, 0, &counts[1]));
    sn_node *ids = malloc((counts[0] + 1) * sizeof *ids);
    bool room = ids && reserve(&s->triangles, &s->triangle_room, 3 * counts[1], sizeof(uint32_t));
    sn_result result = room ? read_sheet(d, sheet, s, ids, counts) : SN_ERROR_MEMORY;
    free(ids);
    return result == SN_OK ? show_nodes(d, s, counts[0], counts[1], 3) : result;
}

static sn_result read_solid(drawing *d, sn_tet_mesh solid, drawn_shape *s, sn_node *ids,
                            size_t counts[2]) {
    SN_TRY(sn_tet_mesh_get_nodes(d->world, solid, ids, counts[0], &counts[0]));
    SN_TRY(keep_slots(s, ids, counts[0]));
    return sn_tet_mesh_get_surface(d->world, solid, s->triangles, counts[1], &counts[1]);
}

static sn_result add_solid(drawing *d, sn_tet_mesh solid, size_t number) {
    drawn_shape *s;
    size_t counts[2] = {0, 0};
    SN_TRY(add_shape(d, "solid", number, &s));
    SN_TRY(sn_tet_mesh_get_nodes(d->world, solid, NULL, 0, &counts[0]));
    SN_TRY(sn_tet_mesh_get_surface(d->world, solid, NULL, 0, &counts[1]));
    sn_node *ids = malloc((counts[0] + 1) * sizeof *ids);
    bool room = ids && reserve(&s->triangles, &s->triangle_room, 3 * counts[1], sizeof(uint32_t));
    sn_result result = room ? read_solid(d, solid, s, ids, counts) : SN_ERROR_MEMORY;
    free(ids);
    return result == SN_OK ? show_nodes(d, s, counts[0], counts[1], 3) : result;
}

/* ---- Lines and particles ---- */

/* Pairs of nodes that a constraint joins and nothing has drawn, as slots, two each. */
static sn_result find_pairs(drawing *d, drawn_shape *s, size_t *pairs) {
    size_t left = sn_world_constraint_count(d->world, SN_TYPE_COUNT);
    for (size_t slot = 0; left > 0 && slot < SN_COUNT_MAX; slot++) {
        sn_constraint id;
        sn_node ends[2];
        size_t count = 0;
        if (sn_world_constraint_at(d->world, slot, &id) != SN_OK) continue;
        left--;
        if (sn_constraint_get_nodes(d->world, id, ends, 2, &count) != SN_OK || count != 2) continue;
        uint32_t a = ends[0].slot - 1, b = ends[1].slot - 1;
        if (ends[0].slot == 0 || ends[1].slot == 0 || d->drawn->taken[a] || d->drawn->taken[b])
            continue;
        if (!reserve(&s->triangles, &s->triangle_room, 2 * *pairs + 2, sizeof(uint32_t)))
            return SN_ERROR_MEMORY;
        s->triangles[2 * *pairs] = a;
        s->triangles[2 * (*pairs)++ + 1] = b;
    }
    return SN_OK;
}

/* Slots of the ends become numbers of vertices, each node once, in the order of their slots. */
static sn_result number_ends(drawing *d, drawn_shape *s, size_t pairs, size_t *count) {
    uint32_t *number = calloc(d->nodes.count + 1, sizeof *number);
    *count = 0;
    if (!number || !reserve(&s->nodes, &s->node_room, 2 * pairs, sizeof *s->nodes)) {
        free(number);
        return SN_ERROR_MEMORY;
    }
    for (size_t i = 0; i < 2 * pairs; i++) {
        uint32_t *at = &number[s->triangles[i]];
        if (*at == 0) {
            s->nodes[*count] = s->triangles[i];
            *at = (uint32_t)++ * count;
        }
        s->triangles[i] = *at - 1;
    }
    free(number);
    return SN_OK;
}

static sn_result add_lines(drawing *d) {
    drawn_shape *s;
    size_t pairs = 0, count;
    SN_TRY(add_shape(d, "lines", 1, &s));
    SN_TRY(find_pairs(d, s, &pairs));
    SN_TRY(number_ends(d, s, pairs, &count));
    return show_nodes(d, s, count, pairs, 2);
}

static sn_result add_particles(drawing *d) {
    drawn_shape *s;
    size_t count = 0;
    SN_TRY(add_shape(d, "particles", 1, &s));
    if (!reserve(&s->nodes, &s->node_room, d->nodes.count, sizeof *s->nodes))
        return SN_ERROR_MEMORY;
    for (size_t i = 0; i < d->nodes.count; i++)
        if (d->nodes.alive[i] && !d->drawn->taken[i] && d->nodes.group[i] != SN_GROUP_NONE)
            s->nodes[count++] = (uint32_t)i;
    return show_nodes(d, s, count, 0, 1);
}

/* ---- Colliders ---- */

static sn_vec3 turned(sn_quat q, sn_vec3 x) {
    sn_vec3 t = {2 * (q.y * x.z - q.z * x.y), 2 * (q.z * x.x - q.x * x.z),
                 2 * (q.x * x.y - q.y * x.x)};
    return (sn_vec3){x.x + q.w * t.x + q.y * t.z - q.z * t.y,
                     x.y + q.w * t.y + q.z * t.x - q.x * t.z,
                     x.z + q.w * t.z + q.x * t.y - q.y * t.x};
}

/* What a node carries is drawn in its place. */
static sn_result add_collider(drawing *d, sn_collider collider, size_t number) {
    sn_collider_def def = sn_collider_def_default();
    sn_node carrier = {0};
    drawn_shape *s;
    SN_TRY(add_shape(d, "collider", number, &s));
    SN_TRY(sn_collider_get(d->world, collider, &def));
    SN_TRY(sn_collider_get_carrier(d->world, collider, &carrier));
    if (carrier.slot > 0) d->drawn->taken[carrier.slot - 1] = 1;
    sn_mesh_free(&s->mesh);
    s->mesh = sn_mesh_default();
    SN_TRY(sn_io_collider_mesh(&def, &s->mesh));
    size_t count = s->mesh.vertex_count;
    if (!reserve_vertices(s, count)) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        sn_vec3 x = turned(def.orientation, s->mesh.positions[i]);
        s->positions[i] =
            (sn_vec3){x.x + def.position.x, x.y + def.position.y, x.z + def.position.z};
    }
    const uint32_t *words = (const uint32_t *)s->mesh.triangles;
    d->drawn->views[s - d->drawn->shapes] = (sn_io_shape){
        .name = s->name,
        .vertex_count = count,
        .positions = s->positions,
        .triangle_count = s->mesh.triangle_count,
        .triangles = (const uint32_t(*)[3])s->mesh.triangles,
        .topology = hash_of(words, 3 * s->mesh.triangle_count, count + 1),
    };
    return SN_OK;
}

/* ---- All of it ---- */

enum { EMPTY_IN_A_ROW = 4096 };

/* Slots are asked one after the other; where that many are empty, there are no more. */
static sn_result add_listed(drawing *d) {
    sn_sheet sheet;
    sn_tet_mesh solid;
    sn_collider collider;
    size_t end = EMPTY_IN_A_ROW;
    for (size_t i = 0; i < end; i++) {
        bool any = false;
        if (sn_world_sheet_at(d->world, i, &sheet) == SN_OK) {
            SN_TRY(add_sheet(d, sheet, i + 1));
            any = true;
        }
        if (sn_world_tet_mesh_at(d->world, i, &solid) == SN_OK) {
            SN_TRY(add_solid(d, solid, i + 1));
            any = true;
        }
        if (sn_world_collider_at(d->world, i, &collider) == SN_OK) {
            SN_TRY(add_collider(d, collider, i + 1));
            any = true;
        }
        if (any) end = i + EMPTY_IN_A_ROW;
    }
    return SN_OK;
}

sn_result view_drawn_frame(view_drawn *drawn, const sn_world *world, sn_io_frame *frame) {
    drawing d = {.drawn = drawn, .world = world};
    drawn->count = 0;
    SN_TRY(sn_world_nodes(world, &d.nodes));
    if (!reserve(&drawn->taken, &drawn->taken_room, d.nodes.count + 1, 1)) return SN_ERROR_MEMORY;
    memset(drawn->taken, 0, d.nodes.count + 1);
    SN_TRY(add_listed(&d));
    SN_TRY(add_lines(&d));
    SN_TRY(add_particles(&d));
    frame->time = sn_world_time(world);
    frame->shape_count = drawn->count;
    frame->shapes = drawn->views;
    frame->staging = NULL;
    return SN_OK;
}
