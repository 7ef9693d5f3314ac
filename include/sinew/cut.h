/*
 * Cutting: tet meshes, sheets and lines that come apart along a surface, between steps.
 *
 * Elements (tets of a tet mesh, triangles of a sheet) come apart where the way from the centre of
 * one to the centre of the next passes through the surface. Nodes get a copy for each group of
 * elements around them that still hang together; both have the place and the velocity of the node
 * and share its mass by volume or area. So no element is lost or turned inside out, and no mass is
 * lost. Constraints, collision surfaces and damping groups follow as they do when a sheet tears
 * (sinew/tear.h). What lies in a cut and is not reached around yet is remembered, so that a blade
 * may go on from call to call.
 *
 * Such a cut is as jagged as the elements. Where `snap` is above 0, nodes near the surface are
 * moved onto it before, now and at rest. With `split`, elements that the surface goes through are
 * divided along it then: edges get a node where they are crossed, and what lies on them becomes
 * two. With both, a cut is as smooth as the surface nearly everywhere; it is jagged where dividing
 * would make slivers or crumbs, and where constraints do not have what they had at rest (plastic
 * ones). A blade that moves divides what it has left.
 *
 * Where the collision surface of a solid collides with itself, the walls of a cut are set back from
 * each other by a hundredth of an edge, now and at rest: contact knows their sides by that.
 *
 * A cut is made completely or, without memory, not at all: what was in the world before is kept
 * until it is done.
 *
 * Kinematic and oriented nodes are not split: both sides hang on them. Where nodes would be split
 * that are in a matching (sinew/shape_matching.h), or those of a tet mesh that have constraints on
 * many nodes at once (of types with lists), a cut is refused and nothing has changed.
 */
#ifndef SINEW_CUT_H
#define SINEW_CUT_H

#include <sinew/sheet.h>
#include <sinew/tet_mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a cut goes along. */
typedef enum sn_blade_kind {
    SN_BLADE_PLANE = 0, /* a plane, or a disc in it */
    SN_BLADE_SWEEP = 1  /* what a segment passes over on its way */
} sn_blade_kind;

/* The surface of a cut, where nodes are now: a plane, or what a segment passes over from one place
   to the next. What was near a node already is left to `snap` when elements are divided. */
#define SN_BLADE_FIELDS(FIELD, ARRAY)                                                              \
    FIELD(ENUM(sn_blade_kind), kind, "plane|sweep", 0, SN_BLADE_SWEEP, SN_BLADE_PLANE, false,      \
          "which of the fields below count")                                                       \
    FIELD(VEC3, point, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "of the plane")                   \
    FIELD(VEC3_OF(0, 1, 0), normal, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                      \
          "of the plane, of any length")                                                           \
    FIELD(REAL, radius, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "the plane is a disc about the point; automatic: no bound")                              \
    FIELD(ENDS, from, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "the segment before")              \
    FIELD(ENDS, to, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "the segment after")                 \
    FIELD(REAL, snap, "1", 0, 0.5, 0, false,                                                       \
          "nodes this near, over the shortest of their edges, are moved onto the cut first")       \
    FIELD(BOOL, split, "", 0, 1, 0, false,                                                         \
          "whether elements are divided along the cut, so that it is smooth")

/* sn_blade_def and its default, a plane through the origin. */
SN_DECLARE_OBJECT(blade, SN_BLADE_FIELDS)

/* Cuts a tet mesh. `copies`, which may be null, becomes the number of nodes that were made: 0 where
   nothing came apart yet. */
SN_API sn_result sn_tet_mesh_cut(sn_world *world, sn_tet_mesh tet_mesh, const sn_blade_def *blade,
                                 size_t *copies);

/* Cuts a sheet, likewise. */
SN_API sn_result sn_sheet_cut(sn_world *world, sn_sheet sheet, const sn_blade_def *blade,
                              size_t *copies);

/*
 * Cuts lines between two nodes, `ends` two by two: all constraints that have both ends go, but for
 * those with lists, and so do the segments of collision surfaces and the lines of drags there. The
 * nodes stay.
 */
SN_API sn_result sn_lines_cut(sn_world *world, const sn_node *ends, size_t lines);

/*
 * Cuts ropes and rods: the lines of a body that pass through the surface, each from node to node.
 * Lines are its constraints on two nodes that keep a length, other than those of sheets and tet
 * meshes; `snap` and `split` mean nothing to them. `lines`, which may be null, becomes the number
 * of those that were cut.
 *
 * A thread that slides (a lace) has no tension any more where an end of it is loose: what is left
 * of it becomes lines that keep their present share of its length, and comes out of what it went
 * through, so that all constraints between its inner nodes and other bodies go. Where an inner node
 * is kinematic, and where it is of another body, the lines on both sides of it go.
 */
SN_API sn_result sn_body_cut(sn_world *world, sn_body body, const sn_blade_def *blade,
                             size_t *lines);

#ifdef __cplusplus
}
#endif

#endif
