/*
 * Bending of a sheet as that of a plate: a plate_bending at every inner vertex, and at vertices of
 * the border beside them. Along a straight border these bend themselves; what else their area has
 * to do goes to the inner vertices beside them, and at a corner all of it.
 */
#include "bodies/body_cloth.h"
#include "geometry/topology/vertex_rings.h"
#include "math/principal.h"

/* The cosine of the angle between the edges of a border above which it has a corner. */
static const double straight = -0.9;

/* What a vertex is given by the border. */
typedef struct share {
    double area;      /* m^2, of corners */
    double border[6]; /* m^2 t t^T of straight borders along t: xx, yy, zz, yz, zx, xy */
} share;

typedef struct plate {
    sn_builder *b;
    sn_rings rings;
    double *area; /* m^2, a third of the triangles around */
    share *given;
    uint8_t *held; /* whether all triangles around are of kinematic nodes */
    sn_plate_bending_def *defs;
    sn_node *nodes; /* of the lists of all definitions, one after the other */
    size_t count, members;
} plate;

static void measure_triangles(plate *p) {
    const sn_mesh *mesh = p->b->mesh;
    for (size_t v = 0; v < mesh->vertex_count; v++) p->held[v] = 1;
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *corner = mesh->triangles[t];
        bool bends = false;
        for (int k = 0; k < 3; k++) bends = bends || p->b->defs[corner[k]].inverse_mass > 0;
        for (int k = 0; k < 3; k++) {
            p->area[corner[k]] += sn_cloth_area(p->b, t) / 3;
            if (bends) p->held[corner[k]] = 0;
        }
    }
}

static bool is_inner(const plate *p, size_t v) {
    return sn_rings_is_closed(&p->rings, v);
}

/* Whether a vertex of the border has an inner vertex beside it. */
static bool is_beside(const plate *p, size_t v) {
    for (size_t k = 0; k < sn_rings_count(&p->rings, v); k++)
        if (is_inner(p, sn_rings_at(&p->rings, v, k))) return true;
    return false;
}

static sn_point towards(const plate *p, size_t from, size_t to) {
    sn_point e = sn_point_sub(p->b->x[to], p->b->x[from]);
    return sn_point_scaled(e, 1 / sn_point_length(e));
}

/* The direction of the border at one of its vertices; false where it has a corner. */
static bool find_border(const plate *p, size_t v, sn_point *along) {
    size_t last = sn_rings_count(&p->rings, v) - 1;
    sn_point a = towards(p, v, sn_rings_at(&p->rings, v, 0));
    sn_point b = towards(p, v, sn_rings_at(&p->rings, v, last));
    sn_point t = sn_point_sub(b, a);
    double length = sn_point_length(t);
    if (last < 2 || sn_point_dot(a, b) > straight) return false;
    *along = sn_point_scaled(t, 1 / length);
    return true;
}

/* How much of what a vertex of the border gives an inner vertex is due: less where it is farther
   away, and hardly anything where it has four neighbours, which do not see all curvatures. */
static double claim_of(const plate *p, size_t v, size_t heir) {
    if (!is_inner(p, heir)) return 0;
    double distance = sn_builder_distance(p->b, (uint32_t)v, (uint32_t)heir);
    return (sn_rings_count(&p->rings, heir) > 4 ? 1 : 1e-6) / (distance * distance);
}

static void give(plate *p, size_t v) {
    sn_point t = {0, 0, 0};
    bool corner = !find_border(p, v, &t);
    size_t neighbours = sn_rings_count(&p->rings, v);
    double claims = 0;
    for (size_t k = 0; k < neighbours; k++) claims += claim_of(p, v, sn_rings_at(&p->rings, v, k));
    for (size_t k = 0; k < neighbours; k++) {
        size_t heir = sn_rings_at(&p->rings, v, k);
        double area = p->area[v] * (claim_of(p, v, heir) / claims);
        const double square[6] = {t.x * t.x, t.y * t.y, t.z * t.z, t.y * t.z, t.z * t.x, t.x * t.y};
        if (corner) p->given[heir].area += area;
        for (int i = 0; i < 6; i++) p->given[heir].border[i] += area * square[i];
    }
}

static void define(plate *p, size_t v) {
    const sn_cloth_material *m = p->b->material;
    sn_plate_bending_def *def = &p->defs[p->count++];
    sn_node *list = p->nodes + p->members;
    *def = sn_plate_bending_def_default();
    def->compliance = 1 / m->bending_stiffness;
    def->damping = m->bending_stiffness * m->bending_damping;
    def->nodes = list;
    def->node_count = 1 + sn_rings_count(&p->rings, v);
    def->open = is_inner(p, v) ? 0 : 1;
    list[0] = p->b->nodes[v];
    for (size_t k = 0; k + 1 < def->node_count; k++)
        list[1 + k] = p->b->nodes[sn_rings_at(&p->rings, v, k)];
    p->members += def->node_count;
    /* Where borders of two directions meet, what they have in common is as at a corner. */
    const share *s = &p->given[v];
    double t[3], most = sn_principal(s->border, t);
    double less = s->border[0] + s->border[1] + s->border[2] - most;
    def->area = (sn_real)(p->area[v] + s->area + less);
    def->border = (sn_vec3){(sn_real)((most - less) * t[0]), (sn_real)((most - less) * t[1]),
                            (sn_real)((most - less) * t[2])};
}

static sn_result make(plate *p) {
    size_t vertices = p->b->mesh->vertex_count;
    sn_point t;
    measure_triangles(p);
    for (size_t v = 0; v < vertices; v++)
        if (!is_inner(p, v) && !p->held[v] && is_beside(p, v)) give(p, v);
    for (size_t v = 0; v < vertices; v++)
        if (is_inner(p, v) || (is_beside(p, v) && find_border(p, v, &t))) define(p, v);
    return sn_builder_add(p->b, SN_TYPE_PLATE_BENDING, p->defs, p->count);
}

sn_result sn_cloth_bend_plate(sn_builder *b) {
    plate p = {.b = b};
    size_t vertices = b->mesh->vertex_count;
    SN_TRY(sn_rings_create(&p.rings, b->memory, "cloth", *b->mesh->triangles,
                           b->mesh->triangle_count, vertices));
    /* A list has a vertex and its neighbours, at most one more than it has triangles. */
    size_t members = 2 * vertices + p.rings.corners;
    p.area = sn_allocate(b->memory, vertices, sizeof *p.area);
    p.given = sn_allocate(b->memory, vertices, sizeof *p.given);
    p.held = sn_allocate(b->memory, vertices, sizeof *p.held);
    p.defs = sn_allocate(b->memory, vertices, sizeof *p.defs);
    p.nodes = sn_allocate(b->memory, members, sizeof *p.nodes);
    bool room = p.area && p.given && p.held && p.defs && p.nodes;
    sn_result result = room ? make(&p) : SN_ERROR_MEMORY;
    sn_free(b->memory, p.area, vertices, sizeof *p.area);
    sn_free(b->memory, p.given, vertices, sizeof *p.given);
    sn_free(b->memory, p.held, vertices, sizeof *p.held);
    sn_free(b->memory, p.defs, vertices, sizeof *p.defs);
    sn_free(b->memory, p.nodes, members, sizeof *p.nodes);
    sn_rings_free(&p.rings, b->memory);
    return result;
}
