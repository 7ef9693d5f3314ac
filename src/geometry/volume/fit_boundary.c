/*
 * Tetrahedra that end at a surface on average.
 *
 * Isosurface stuffing puts the outer vertices on the surface, so that where it bulges all faces are
 * inside: a ball weighs too little, and sinks into what it lies on. Here outer vertices are moved
 * along the normal of the surface until the faces around each are outside as much as inside. At
 * edges of the surface, which the faces cut off, nothing is moved: flat sides next to them stay
 * flat.
 */
#include "geometry/volume/bcc_lattice.h"

enum { ROUNDS = 4, SAMPLES = 6 };

/* Cosine of the angle between a face and the surface at it, below which there is an edge. */
static const double least_cosine = 0.8;
/* The furthest that a vertex is moved in all, over the spacing. */
static const double most_displacement = 0.15;

/* Where faces are measured: each point stands for a sixth of the area. */
static const double sample[SAMPLES][3] = {
    {2.0 / 3, 1.0 / 6, 1.0 / 6},   {1.0 / 6, 2.0 / 3, 1.0 / 6},   {1.0 / 6, 1.0 / 6, 2.0 / 3},
    {1.0 / 6, 5.0 / 12, 5.0 / 12}, {5.0 / 12, 1.0 / 6, 5.0 / 12}, {5.0 / 12, 5.0 / 12, 1.0 / 6}};

/* Of the faces around a vertex. */
typedef struct ring {
    sn_point from;   /* where it was at first */
    sn_point normal; /* sum, by area */
    double area;     /* sum */
    double outside;  /* m^3, what lies between the faces and the surface, negative inside */
    bool kept;       /* there is an edge at it, or it has to stay */
} ring;

typedef struct work {
    const sn_solid *solid;
    sn_mesh *tets;
    ring *rings;
    double reach; /* m, that a vertex may be moved */
} work;

/* ---- Moving ---- */

static void measure_face(work *w, const uint32_t *v) {
    sn_point x[3];
    for (int k = 0; k < 3; k++) x[k] = sn_mesh_point(w->tets, v[k]);
    sn_point normal = sn_point_normal(x[0], x[1], x[2]);
    double area = sn_point_length(normal), outside = 0;
    bool edge = false;
    uint32_t nearest = SN_BVH_NONE;
    for (int i = 0; i < SAMPLES; i++) {
        sn_point at = sn_point_scaled(x[0], sample[i][0]);
        at = sn_point_add(at, sn_point_scaled(x[1], sample[i][1]));
        at = sn_point_add(at, sn_point_scaled(x[2], sample[i][2]));
        outside += sn_solid_distance(w->solid, at, &nearest) / SAMPLES;
        edge |= !(sn_point_dot(normal, w->solid->face_normal[nearest]) > least_cosine * area);
    }
    for (int k = 0; k < 3; k++) {
        ring *r = &w->rings[v[k]];
        r->normal = sn_point_add(r->normal, normal);
        r->area += area;
        r->outside += outside * area;
        r->kept |= edge;
    }
}

static void move_vertex(work *w, size_t vertex) {
    ring *r = &w->rings[vertex];
    double length = sn_point_length(r->normal);
    if (r->kept || !(length > 0)) return;
    sn_point x = sn_mesh_point(w->tets, (uint32_t)vertex);
    x = sn_point_add(x, sn_point_scaled(r->normal, -r->outside / r->area / length));
    sn_point displacement = sn_point_sub(x, r->from);
    double far = sn_point_length(displacement);
    if (far > w->reach) x = sn_point_add(r->from, sn_point_scaled(displacement, w->reach / far));
    w->tets->positions[vertex] = sn_point_vec3(x);
}

static void fit_once(work *w) {
    for (size_t i = 0; i < w->tets->vertex_count; i++) {
        ring *r = &w->rings[i];
        *r = (ring){.from = r->from, .kept = r->kept};
    }
    for (size_t i = 0; i < w->tets->triangle_count; i++) measure_face(w, w->tets->triangles[i]);
    for (size_t i = 0; i < w->tets->vertex_count; i++) move_vertex(w, i);
}

/* ---- Taking back ---- */

static double volume_of(const work *w, const uint32_t *t, bool before) {
    sn_point x[4];
    for (int k = 0; k < 4; k++) x[k] = before ? w->rings[t[k]].from : sn_mesh_point(w->tets, t[k]);
    return sn_point_det(x[0], x[1], x[2], x[3]);
}

/* Vertices of tets that would become much flatter go back and stay; whether there were any. */
static bool take_back(work *w) {
    bool found = false;
    for (size_t i = 0; i < w->tets->tet_count; i++) {
        const uint32_t *t = w->tets->tets[i];
        if (volume_of(w, t, false) >= volume_of(w, t, true) / 2) continue;
        for (int k = 0; k < 4; k++) {
            ring *r = &w->rings[t[k]];
            found |= !r->kept;
            r->kept = true;
            w->tets->positions[t[k]] = sn_point_vec3(r->from);
        }
    }
    return found;
}

sn_result sn_fill_fit(const sn_solid *solid, double spacing, sn_mesh *tets) {
    sn_memory memory = solid->memory;
    work w = {.solid = solid, .tets = tets, .reach = most_displacement * spacing};
    w.rings = sn_allocate(&memory, tets->vertex_count, sizeof *w.rings);
    if (!w.rings) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < tets->vertex_count; i++)
        w.rings[i].from = sn_mesh_point(tets, (uint32_t)i);
    for (int i = 0; i < ROUNDS; i++) fit_once(&w);
    while (take_back(&w)) continue;
    sn_free(&memory, w.rings, tets->vertex_count, sizeof *w.rings);
    return SN_OK;
}
