/* Hair: chains of lines in the order of their strands. */
#include "bodies/lines.h"

#include <sinew/hair.h>

#define NONE UINT32_MAX

static sn_lines_section cut(const void *material) {
    const sn_hair_material *m = material;
    return (sn_lines_section){m->radius, m->density, 0};
}

static sn_result weigh(sn_builder *b) {
    const sn_hair_material *m = b->material;
    SN_TRY(sn_builder_check_whole("hair", "omega", m->omega));
    return sn_lines_weigh(b, cut);
}

/* The strands as one list of vertices, with the length before each, which is 0 at a root. */
typedef struct strands {
    uint32_t *next, *vertex; /* by vertices; in the order of strands */
    uint8_t *follows;        /* by vertices */
    sn_node *node;
    sn_real *length;
    sn_vec3 *rest;
} strands;

static sn_result find_next(const sn_builder *b, strands *s) {
    for (size_t i = 0; i < b->mesh->vertex_count; i++) s->next[i] = NONE;
    for (size_t i = 0; i < b->mesh->line_count; i++) {
        const uint32_t *line = b->mesh->lines[i];
        bool begins = s->next[line[0]] != NONE;
        if (begins || s->follows[line[1]])
            return sn_fail(SN_ERROR_DEGENERATE,
                           "hair: line %zu %s at vertex %u as another does, expected strands from "
                           "root to tip that do not branch",
                           i, begins ? "begins" : "ends", begins ? line[0] : line[1]);
        s->next[line[0]] = line[1];
        s->follows[line[1]] = 1;
    }
    return SN_OK;
}

static sn_result list_strands(const sn_builder *b, strands *s) {
    size_t count = 0, vertices = b->mesh->vertex_count;
    for (uint32_t root = 0; root < vertices; root++) {
        if (s->follows[root]) continue;
        for (uint32_t v = root, before = root; v != NONE; before = v, v = s->next[v]) {
            s->vertex[count] = v;
            s->node[count] = b->nodes[v];
            s->rest[count] = sn_point_vec3(b->x[v]);
            s->length[count++] = v == root ? 0 : (sn_real)sn_builder_distance(b, before, v);
        }
    }
    if (count == vertices) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE,
                   "hair: %zu vertices are of closed strands, expected strands with a root",
                   vertices - count);
}

static sn_result add_hair(sn_builder *b, const strands *s) {
    const sn_hair_material *m = b->material;
    sn_hair_def def = sn_hair_def_default();
    sn_hair made;
    def.nodes = s->node;
    def.node_count = b->mesh->vertex_count;
    def.lengths = s->length;
    def.rest = s->rest;
    def.follow = m->model == 0;
    def.reaction = m->reaction;
    def.hold = m->omega > 0 ? 0 : m->hold;
    def.friction = m->friction;
    def.repulsion = m->repulsion;
    def.cell = m->cell;
    def.level = m->level;
    return sn_hair_create(b->world, &def, &made);
}

/* Of strands that are no longer than their distances together, whatever the substeps. */
static sn_result add_constraints(sn_builder *b, const strands *s) {
    size_t count = b->mesh->vertex_count, distances = 0, tethers = 0;
    sn_distance_def *distance = sn_allocate(b->memory, count, sizeof *distance);
    sn_tether_def *tether = sn_allocate(b->memory, count, sizeof *tether);
    double reach = 0;
    uint32_t root = 0;
    for (size_t k = 0; distance && tether && k < count; k++) {
        if (!(s->length[k] > 0)) {
            root = s->vertex[k];
            reach = 0;
            continue;
        }
        sn_distance_def *d = &distance[distances++];
        *d = sn_distance_def_default();
        d->node[0] = s->node[k - 1];
        d->node[1] = s->node[k];
        reach += (double)s->length[k];
        if (b->defs[root].inverse_mass > 0 || !(b->defs[s->vertex[k]].inverse_mass > 0)) continue;
        sn_tether_def *t = &tether[tethers++];
        *t = sn_tether_def_default();
        t->node[0] = s->node[k];
        t->node[1] = b->nodes[root];
        t->length = (sn_real)reach;
    }
    sn_result result = distance && tether ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK) result = sn_builder_add(b, SN_TYPE_DISTANCE, distance, distances);
    if (result == SN_OK) result = sn_builder_add_hard(b, SN_TYPE_TETHER, tether, tethers);
    sn_free(b->memory, distance, count, sizeof *distance);
    sn_free(b->memory, tether, count, sizeof *tether);
    return result;
}

/* Regions along the strands, each pulled to its shape with the frequency of the hold. */
static sn_result match_regions(sn_builder *b) {
    const sn_hair_material *m = b->material;
    if (!(m->omega > 0 && m->hold > 0)) return SN_OK;
    sn_shape_matching_def def = sn_shape_matching_def_default();
    sn_regions regions = sn_regions_default();
    regions.allocator = b->memory->allocator;
    def.compliance = (sn_real)(1 / ((double)m->hold * (double)m->hold));
    sn_result result = sn_regions_rings(b->mesh, (uint32_t)m->omega, &regions);
    if (result == SN_OK) result = sn_builder_add_matching(b, &regions, 0, &def);
    sn_regions_free(&regions);
    return result;
}

static sn_result connect(sn_builder *b) {
    size_t count = b->mesh->vertex_count;
    const sn_hair_material *m = b->material;
    strands s = {.next = sn_allocate(b->memory, count, sizeof *s.next),
                 .vertex = sn_allocate(b->memory, count, sizeof *s.vertex),
                 .follows = sn_allocate(b->memory, count, sizeof *s.follows),
                 .node = sn_allocate(b->memory, count, sizeof *s.node),
                 .length = sn_allocate(b->memory, count, sizeof *s.length),
                 .rest = sn_allocate(b->memory, count, sizeof *s.rest)};
    bool had = s.next && s.vertex && s.follows && s.node && s.length && s.rest;
    sn_result result = had ? find_next(b, &s) : SN_ERROR_MEMORY;
    if (result == SN_OK) result = list_strands(b, &s);
    if (result == SN_OK && m->model != 0) result = add_constraints(b, &s);
    if (result == SN_OK) result = sn_builder_add_drag(b, m->drag, true);
    if (result == SN_OK) result = match_regions(b);
    if (result == SN_OK) result = add_hair(b, &s);
    sn_free(b->memory, s.next, count, sizeof *s.next);
    sn_free(b->memory, s.vertex, count, sizeof *s.vertex);
    sn_free(b->memory, s.follows, count, sizeof *s.follows);
    sn_free(b->memory, s.node, count, sizeof *s.node);
    sn_free(b->memory, s.length, count, sizeof *s.length);
    sn_free(b->memory, s.rest, count, sizeof *s.rest);
    return result;
}

SN_DEFINE_KIND(hair, SN_KIND_HAIR_FIELDS,
               "strands that keep their lengths, hold a hairstyle and rub against each other",
               .surface = SN_BODY_SKIN_LINES, .varies = "radius density", .weigh = weigh,
               .connect = connect)
