/*
 * Cutting a sheet or a tet mesh at a node: the node is split in two, and everything follows that
 * lies on it.
 *
 * The node keeps the elements (triangles or tets) on one side; a copy of it, at the same place and
 * with the same velocity, takes the others. Mass is shared by the areas or volumes at rest.
 * Constraints are told apart by their nodes alone, whatever their type:
 *
 *   those of the elements on one side stay, or go with the copy; nothing of them changes but a
 *   node, not even their colour, since none of the colours of a new node is taken
 *   those of an edge (or a face of tets) that lies on both sides are doubled, and share their
 *   stiffness by areas or volumes
 *   those across the cut, rings that were cut open and volumes that are not closed any more go
 *   those to somewhere else stay, but for tethers, which both sides need
 *
 * Where the border of a sheet was reached two fans may be left that hang together by one vertex.
 * They come apart as well. Which tets of a tet mesh come apart is known before (cut_faces.c): nodes
 * are split until every one of them has one fan.
 *
 * A cut of one node is made completely or, without memory, not at all.
 */
#ifndef SN_FRACTURE_CUT_VERTEX_H
#define SN_FRACTURE_CUT_VERTEX_H

#include "geometry/point.h"
#include "geometry/topology/split_vertex.h"
#include "state/object.h"
#include "state/world.h"

#include <sinew/cut.h>

/* A constraint in the list of one of its nodes. */
typedef struct sn_cut_link {
    uint32_t constraint; /* index in the table of the world */
    uint32_t next;       /* link + 1, or 0 */
    uint16_t generation; /* of the constraint, which may be gone meanwhile */
} sn_cut_link;

/* What becomes of a constraint. */
typedef enum sn_cut_fate {
    SN_CUT_STAYS,
    SN_CUT_GOES,   /* with the copy */
    SN_CUT_SHARED, /* stays, and a second one goes with the copy */
    SN_CUT_LOST
} sn_cut_fate;

typedef struct sn_cut_plan {
    uint32_t constraint;
    uint8_t fate;
    uint8_t colour; /* of the second one */
    sn_real share;  /* of its stiffness that stays; 1 where both have all of it */
    sn_real other;  /* that goes with the copy */
} sn_cut_plan;

/* A node that was split. */
typedef struct sn_cut_copy {
    uint32_t node, copy; /* slots */
} sn_cut_copy;

/* A side of an element that was cut: a face of a tet, an edge of a triangle, with what lies beyond.
   Sides have the number of the corner that they are without. */
typedef struct sn_cut_side {
    uint32_t element, beyond;
    uint8_t side, back; /* of both elements */
    bool fresh;         /* whether it was cut just now */
} sn_cut_side;

/* The walls of a vertex. */
typedef struct sn_cut_wall {
    sn_point normal; /* m^2, of all of them, outward */
    double edge;     /* m, the shortest of theirs at the vertex; 0 where it has none */
    double least;    /* 1, the least cosine between one of them and all */
} sn_cut_wall;

/* The surface of a cut. */
typedef struct sn_blade {
    sn_point point, normal; /* m; of length 1 */
    double radius;          /* m, above 0; may be infinite */
    bool sweep;             /* whether it is a quad instead */
    sn_point corner[4];     /* m, of the quad, in order around it */
    bool divides;           /* whether elements are divided along it */
    sn_point latest[4];     /* m, then the quad without what it reaches back */
    double near;            /* m, and how near to it an end of an edge counts as on it */
} sn_blade;
/* From a definition, which is checked. */
sn_result sn_blade_make(sn_blade *blade, const sn_blade_def *def);
/* What it is made of, in public. */
extern const sn_object sn_blade_object;

enum { SN_CUT_WANTED = 1, SN_CUT_LOOKED_AT = 2 };

/* What is cut: the triangles of a sheet, or the tets of a tet mesh. */
typedef struct sn_cut_mesh {
    const uint32_t *node;    /* slots, of the vertices */
    const sn_vec4 *rest;     /* m, likewise */
    uint32_t *element;       /* vertices, `corners` each */
    const uint32_t *of_node; /* per slot, `index` + 1 where the node is in it */
    const uint32_t *place;   /* per slot, the vertex */
    size_t vertices, elements, slots;
    uint32_t corners, index; /* 3 or 4; among sheets or tet meshes */
} sn_cut_mesh;

/* The cuts of a sheet or a tet mesh in one go. Nodes that are made meanwhile are not cut again. */
typedef struct sn_cut {
    sn_world *world;
    uint32_t sheet, tet_mesh; /* one of them is UINT32_MAX */
    size_t vertices, corner_count;
    uint32_t *first;  /* per vertex, a corner + 1 of the elements */
    uint32_t *next;   /* per corner, another one of the same vertex + 1 */
    uint8_t *wanted;  /* per vertex, whether its constraints are listed: SN_CUT_WANTED */
    uint32_t *listed; /* per vertex, a link + 1 */
    sn_cut_link *link;
    size_t links, link_capacity;
    /* Of the vertex that is cut. */
    sn_corner *corner;
    size_t corners, corner_capacity, fans;
    sn_cut_plan *plan;
    size_t plans, plan_capacity;
    sn_real normal[3];   /* of the plane */
    bool planar;         /* whether there is one */
    uint32_t node, copy; /* slots */
    double part;         /* of the area or volume that stays, from 0 to 1 */
    uint32_t *beside;    /* slots of the other ends of edges that lie on both sides now */
    size_t beside_capacity;
    sn_cut_copy *copies; /* of all cuts so far */
    size_t copy_count, copy_capacity;
    size_t burst;      /* volumes that were closed before, of all cuts so far */
    sn_cut_side *side; /* cut_sides.c: those that are cut and held together still */
    size_t sides, side_capacity;
    sn_cut_wall *wall; /* cut_walls.c: per vertex */
    size_t wall_capacity;
    bool first_marks; /* whether a sheet has room for marks since this cut */
    bool recalled;    /* whether those of earlier cuts are among them */
} sn_cut;

/* Lists the elements of each vertex; false when there is no memory. Free it in any case. */
bool sn_cut_begin(sn_cut *cut, sn_world *world, uint32_t sheet);
bool sn_cut_begin_tet_mesh(sn_cut *cut, sn_world *world, uint32_t tet_mesh);
void sn_cut_free(sn_cut *cut);

/* Asks for a vertex to be cut, and then lists the constraints of all that were asked for; false
   when there is no memory. */
void sn_cut_want(sn_cut *cut, uint32_t vertex);
bool sn_cut_list(sn_cut *cut);
/* Puts a constraint into the lists of its vertices that were asked for; false likewise. */
bool sn_cut_note(sn_cut *cut, uint32_t constraint, sn_members members);

/* The corners of a vertex, in order; false when there is no memory. */
bool sn_cut_look(sn_cut *cut, uint32_t vertex);
/* Whether the vertex that was looked at is surrounded by triangles. */
bool sn_cut_is_inner(const sn_cut *cut);

/*
 * Cuts at a vertex by the plane through it with this normal, and takes apart what hangs together by
 * a vertex after it; copies are added to the list. *done is whether there was anything to cut. What
 * was cut when there was no memory for the rest is in the list as well.
 */
sn_result sn_cut_open(sn_cut *cut, uint32_t vertex, const sn_real normal[3], bool *done);

/* cut_release.c: removes tethers to parts of a sheet that are not joined with their nodes any more;
   false when there is no memory. */
bool sn_cut_release(sn_world *world, uint32_t sheet);

/* ---- Along a surface (cut_sides.c) ---- */

/* ---- The surface (cut_blade.c) ---- */

/* Whether the way from one point to another passes through; and through what is new of it. */
bool sn_blade_parts(const sn_blade *blade, sn_point from, sn_point to);
bool sn_blade_intersects(const sn_blade *blade, sn_point from, sn_point to);
/* m, no more than the distance of a point from it. */
double sn_blade_distance(const sn_blade *blade, sn_point p);
/* The plane that it lies in, or about; false where there is none. */
bool sn_blade_plane(const sn_blade *blade, sn_point *point, sn_point *normal);
/* Lets one divide elements with edges of this many m. */
void sn_blade_divide(sn_blade *blade, double edge);
/* Where its plane crosses an edge, from 0 to 1; false where it does not, or too near to an end. */
bool sn_blade_crossing(const sn_blade *blade, sn_point from, sn_point to, double *t);
/* Whether it goes through all edges of an element that its plane crosses. */
bool sn_blade_has_passed(const sn_blade *blade, const sn_point *x, uint32_t corners);
/* Whether an element is where it was before it moved on just now. */
bool sn_blade_has_left(const sn_blade *blade, const sn_point *x, uint32_t corners);

/* ---- Which elements come apart ---- */

/*
 * Notes the sides between elements that come apart: those that a blade lies between, or those of
 * the elements around a vertex on either side of a plane through it. SN_OK, or SN_ERROR_MEMORY
 * and nothing is noted.
 */
sn_result sn_cut_mark_blade(sn_cut *cut, const sn_blade *blade);
sn_result sn_cut_mark_star(sn_cut *cut, uint32_t vertex, const sn_real normal[3]);
/* The element beyond a side, the first where there are several; false where there is none. And
   notes that the two come apart: SN_OK, or SN_ERROR_MEMORY and nothing is noted any more. */
bool sn_cut_beyond(const sn_cut *cut, uint32_t element, uint32_t side, sn_cut_side *found);
sn_result sn_cut_mark_side(sn_cut *cut, const sn_cut_side *side);
/* Takes back what was noted since sn_cut_begin. */
void sn_cut_unmark(sn_cut *cut);
/*
 * Splits all nodes around which the elements do not hang together any more; copies are added to the
 * list. Refuses, with nothing changed but the marks, nodes with constraints that cannot be cut.
 * When there is no memory the rest stays noted, for the next time.
 */
sn_result sn_cut_part(sn_cut *cut);

/* Whether the nodes that it is going to split can be: SN_OK, or why not. Nothing stays noted.
 *finds becomes whether there is anything to note. */
sn_result sn_cut_try(sn_cut *cut, const sn_blade *blade, bool *finds);

/* cut_snap.c: moves nodes of a sheet or a tet mesh, the other being UINT32_MAX, that are near the
   surface onto it, over `reach` times the shortest of their edges at most; false when there is no
   memory, then some have not moved. */
bool sn_cut_snap(sn_world *world, uint32_t sheet, uint32_t tet_mesh, const sn_blade *blade,
                 double reach);

/* m, of the edges at rest. */
double sn_cut_mean_edge(const sn_world *world, uint32_t sheet, uint32_t tet_mesh);
/* Whether the surface passes through an edge. */
bool sn_cut_crosses(const sn_world *world, uint32_t sheet, uint32_t tet_mesh,
                    const sn_blade *blade);

/* cut_divide.c: divides the elements that the surface goes through, of a sheet or a tet mesh, the
   other being UINT32_MAX; SN_ERROR_MEMORY where some are, and some not. */
sn_result sn_cut_divide(sn_world *world, uint32_t sheet, uint32_t tet_mesh, const sn_blade *blade);

/* ---- Its parts ---- */

/*
 * cut_measure.c: what a constraint has that was measured with its nodes at some places, when they
 * are at others; without lists, frames and nodes that are only read. *scale is by how much larger
 * the length, area or volume is that its C is in, or 1. False where it cannot be told.
 */
bool sn_cut_remeasure(const sn_store *store, const sn_real *stored, int nodes,
                      const sn_point *before, const sn_point *after, sn_real *parameter,
                      double *scale);
/* The same for one that is made beside it where nothing was: as flat as it is there. */
bool sn_cut_measure_fresh(const sn_store *store, const sn_real *stored, int nodes,
                          const sn_point *before, const sn_point *after, sn_real *parameter);
/* Whether a type leaves it to others how stiff it is where it is; those that measure all of it do
   not. */
bool sn_cut_is_scaled_outside(const sn_type_info *info);
/* Makes it so many times as compliant, and as strong; false where that is beyond reason. */
bool sn_cut_rescale(sn_real *parameter, double factor, double strength);

/* Which sides of an element were cut, a bit each; room for that in a sheet. */
uint8_t *sn_cut_open_sides(const sn_cut *cut, uint32_t element);

/* What is cut, as it is at the moment; and a sheet or a tet mesh, the other being UINT32_MAX. */
sn_cut_mesh sn_cut_mesh_of(const sn_cut *cut);
sn_cut_mesh sn_cut_mesh_at(const sn_world *world, uint32_t sheet, uint32_t tet_mesh);
/* The vertex of a node in it; UINT32_MAX for others. */
uint32_t sn_cut_vertex_of(const sn_cut_mesh *mesh, int32_t node);

/*
 * Splits a vertex by the plane through it with this normal, or, without one, where several fans
 * meet. *copy becomes the slot of the new node, or UINT32_MAX where there is nothing to cut, which
 * is so for nodes that are kinematic or oriented.
 */
sn_result sn_cut_vertex(sn_cut *cut, uint32_t vertex, const sn_real normal[3], uint32_t *copy);

/* cut_plan.c: the fate of every constraint of the node, and room for what is made; then what was
   planned, which cannot fail. */
bool sn_cut_plan_constraints(sn_cut *cut);
void sn_cut_move_constraints(sn_cut *cut);
/* cut_surface.c: the same for the collision surface of the node, if it has one. */
bool sn_cut_reserve_surface(sn_cut *cut);
void sn_cut_move_surface(sn_cut *cut);
/* Room in the collision surface of a tet mesh for the faces that were cut, and for this many more
   nodes in all; then those that have come apart become part of it. */
bool sn_cut_reserve_walls(sn_cut *cut, size_t copies);
void sn_cut_add_walls(sn_cut *cut);

/* Whether the collision surface of a tet mesh collides with itself. */
bool sn_cut_collides_with_itself(const sn_cut *cut);
/* cut_walls.c: whether a side has come apart; and sets the nodes of walls back from each other,
   false when there is no memory, then some are not. */
bool sn_cut_is_apart(const sn_cut_mesh *m, const sn_cut_side *side);
bool sn_cut_set_back(sn_cut *cut);

/* On which sides of the cut a node beside the vertex lies: bits 1 for the side that stays and 2 for
   that of the copy; and a triangle or tets with these two nodes. */
unsigned sn_cut_sides(const sn_cut *cut, uint32_t node);
unsigned sn_cut_sides_of_triangle(const sn_cut *cut, uint32_t a, uint32_t b);
/* m^2 or m^3, of an element at rest. */
double sn_cut_size(const sn_cut_mesh *mesh, size_t element);

#endif
