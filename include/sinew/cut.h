/*
 * Cutting: tet meshes and sheets that come apart along a surface, between steps.
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

/* The surface of a cut, where nodes are now. */
typedef struct sn_blade_def {
    size_t size;        /* set by sn_blade_def_default */
    sn_blade_kind kind; /* which of the members below count; default SN_BLADE_PLANE */
    sn_vec3 point;      /* m, of the plane */
    sn_vec3 normal;     /* 1, of the plane, of any length; default y */
    sn_real radius;     /* m, of the disc about point, above 0; SN_AUTO, the default: no bound */
    sn_vec3 from[2];    /* m, the ends of the segment before */
    sn_vec3 to[2];      /* m, and after */
    /* 1, 0 to 0.5: how near nodes must be to be moved onto the surface, over the shortest of their
       edges at rest; default 0, which moves none. */
    sn_real snap;
    /* Whether elements that the surface goes through are divided along it, so that the cut is as
       smooth as the surface; default false. What was near a node already is left to `snap`. */
    bool split;
} sn_blade_def;

/* A plane through the origin. */
SN_API sn_blade_def sn_blade_def_default(void);

/* Cuts a tet mesh. `copies`, which may be null, becomes the number of nodes that were made: 0 where
   nothing came apart yet. */
SN_API sn_result sn_tet_mesh_cut(sn_world *world, sn_tet_mesh tet_mesh, const sn_blade_def *blade,
                                 size_t *copies);

/* Cuts a sheet, likewise. */
SN_API sn_result sn_sheet_cut(sn_world *world, sn_sheet sheet, const sn_blade_def *blade,
                              size_t *copies);

#ifdef __cplusplus
}
#endif

#endif
