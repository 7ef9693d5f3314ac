/*
 * Shape matchings: shape matching of many regions that overlap, as one object, with or without
 * oriented particles.
 *
 * Each region finds the rigid motion that brings its shape at rest nearest to where its nodes are,
 * and every node is pulled towards the mean of the goals of its regions (survey of position based
 * methods, sections 5.11.2 and 5.11.4; Mueller et al. 2005, Rivers and James 2007, Diziol et al.
 * 2011, Mueller and Chentanez 2011). It needs no mesh, cannot be turned inside out for good, and
 * holds at any size of the step. The larger the regions, the stiffer the whole.
 *
 * A node that is in n regions counts with the n-th part of its mass in each. With that, and with
 * the mean over all its regions, momentum and angular momentum are kept, as those of each region
 * are: the sum of all pulls, weighted by masses, is the sum over the regions of what each would do
 * alone. This holds for rigid and linear regions, and for oriented nodes whose moments go with
 * their inertia and that turn by the mean of their regions.
 *
 * Kinematic nodes take part as anchors: they count as if they were a thousand times as heavy as
 * the others are in the mean, and are not moved.
 *
 * In a sweep, shape matchings come after hierarchies and before constraints, which have the last
 * word.
 */
#ifndef SINEW_SHAPE_MATCHING_H
#define SINEW_SHAPE_MATCHING_H

#include <sinew/field.h>
#include <sinew/mesh.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Regions of a mesh or of points ---- */

/*
 * Lists of indices that may overlap. Made by sn_regions_default, filled by the calls below, freed
 * by sn_regions_free. The members of region r are members[first[r]] to members[first[r + 1] - 1].
 */
typedef struct sn_regions {
    size_t size;            /* set by sn_regions_default */
    size_t count;           /* of regions */
    uint32_t *first;        /* count + 1 of them; null where there are no regions */
    uint32_t *members;      /* indices of vertices or points, in rising order within a region */
    uint32_t *centres;      /* whose region it is, one index per region */
    sn_allocator allocator; /* where the arrays come from */
    size_t capacity[3];     /* how much the arrays can hold, in the order above; for the library */
} sn_regions;

/* No regions, with arrays from the C library. Another allocator may be set while it is empty. */
SN_API sn_regions sn_regions_default(void);

/* Frees what it holds and leaves it empty, with its allocator. Null is allowed. */
SN_API void sn_regions_free(sn_regions *regions);

/*
 * One region per vertex of a mesh: all vertices that are at most `omega` edges away, along
 * triangles, tets and lines (Diziol et al. 2011). `regions` must be empty. Refuses a mesh without
 * vertices, and more than 2^31 members in all.
 */
SN_API sn_result sn_regions_rings(const sn_mesh *mesh, uint32_t omega, sn_regions *regions);

/*
 * One region per point of a regular lattice with this spacing (m, above 0): all points that are at
 * most `omega` cells away along every axis, which is a cube (Rivers and James 2007). Points are
 * finite, within a hundredth of the spacing from their places in the lattice, and no two at the
 * same one; the lattice has at most 2^20 cells along an axis. `regions` must be empty.
 */
SN_API sn_result sn_regions_cubes(const sn_vec3 *points, size_t count, sn_real spacing,
                                  uint32_t omega, sn_regions *regions);

/* One region per point: all points that are at most `radius` away (m, above 0). `regions` must be
   empty. */
SN_API sn_result sn_regions_balls(const sn_vec3 *points, size_t count, sn_real radius,
                                  sn_regions *regions);

/* What the regions of a sheet are. */
typedef enum sn_sheet_regions {
    /* Each edge and each triangle: they resist stretching and shearing, and not bending (Bender,
       Weber and Diziol 2013). */
    SN_SHEET_REGIONS_ELEMENTS = 0,
    /* Of each triangle the outer corners of its neighbours, and where it has none its own corners
       at that side: they overlap, and resist bending too (Stumpp et al. 2008). */
    SN_SHEET_REGIONS_OVERLAPPING = 1,
    /* Strips of up to four edges, each edge in one of them: they go on with the edge that lies most
       nearly ahead, with a cosine above 0.8, if no strip has it. Members are in their order along
       it, for the fibres of a matching (Stumpp et al. 2008). */
    SN_SHEET_REGIONS_FIBRES = 2
} sn_sheet_regions;

/* The regions of a mesh of triangles, for cloth. Regions have no centres. Edges come first, in the
   order of their lower and then their higher vertex, then triangles in theirs; strips in the order
   of their first edges. `regions` must be empty. */
SN_API sn_result sn_regions_sheet(const sn_mesh *mesh, sn_sheet_regions kind, sn_regions *regions);

/* ---- Shape matchings ---- */

/* The id of a matching, made like that of a node. */
typedef struct sn_shape_matching {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_shape_matching;

/* What a region may be at its goal. */
typedef enum sn_shape_matching_mode {
    SN_SHAPE_MATCHING_RIGID = 0, /* its shape at rest, moved and turned */
    SN_SHAPE_MATCHING_LINEAR =
        1 /* also stretched and sheared, by the share beta, at the same volume */
} sn_shape_matching_mode;

/* How oriented nodes turn. */
typedef enum sn_shape_matching_turn {
    SN_SHAPE_MATCHING_TURN_MEAN =
        0, /* to the mean of their regions, which keeps angular momentum */
    SN_SHAPE_MATCHING_TURN_CENTRE =
        1 /* to the rotation of the region whose centre they are, as in the
                                   paper of 2011, which does not keep it */
} sn_shape_matching_turn;

/* How sums over regions are made. Results differ by the rounding of double. */
typedef enum sn_region_sums_method {
    SN_REGION_SUMS_AUTO = 0,   /* the one with the fewest additions */
    SN_REGION_SUMS_DIRECT = 1, /* every region adds up its members */
    SN_REGION_SUMS_LATTICE =
        2, /* regions that are the cubes around all points of a lattice, at a cost that
                         does not depend on omega (Rivers and James 2007); others are direct */
    SN_REGION_SUMS_PATHS =
        3, /* any regions, by intervals of paths: of a mesh, at a cost that grows with
                         omega rather than its square (Diziol et al. 2011) */
    SN_REGION_SUMS_OCTREE =
        4 /* any regions, by cells of an octree: of nodes that are denser here than there, at a cost
                         that grows with the border of regions (Steinemann et al. 2008) */
} sn_region_sums_method;

/*
 * A matching over nodes of any bodies.
 *
 * Regions should have at least four nodes that do not lie in a plane. Where nodes have no
 * orientations, what is flat folds about nothing and what is straight may twist freely: a matching
 * of such regions works, and the log says so once. Without regions there is one of all nodes.
 *
 * Radii are three half axes of an ellipsoid per node, along the axes of its frame: its moment is
 * m/5 (a^2, b^2, c^2). Without them it is what the inertia of the node says, with which angular
 * momentum is kept; of nodes without one, that of a ball of their radius. Moments, in place of
 * radii, are the mean of y y^T over the particle in its frame.
 *
 * What is off its goal is pulled back with the acceleration distance / compliance, so alone it
 * would swing with the angular frequency 1 / sqrt(compliance). Damping takes motion within the
 * regions and leaves what is rigid in each, so that momentum and angular momentum stay. Plasticity
 * (section 5.11.5): the stretch S of a region is measured as the Frobenius norm of S - 1; above the
 * yield its shape at rest follows, with its volume kept.
 *
 * Regions may be fibres (Stumpp et al. 2008): members in their order along a strip, which is walked
 * from both ends. Each member goes to its distance at rest from the goal of the one before, and its
 * goal is the mean of both walks, or, where members are kinematic, of those that come from one.
 * Goals of a fibre without any are moved together so that momentum is kept. All of what pulls at
 * its end is then carried at once, where regions hand it on from one to the next.
 */
#define SN_SHAPE_MATCHING_FIELDS(FIELD, ARRAY)                                                     \
    ARRAY(NODES, nodes, node_count, "", false, "the members, each of them once")                   \
    FIELD(COUNT, node_count, "1", 1, SN_COUNT_MAX, 0, false, "how many members")                   \
    ARRAY(VEC3S, rest, node_count, "m", true,                                                      \
          "where each node is at rest; null: where they are now")                                  \
    ARRAY(FIRSTS, first, region_count, "", false, "as in sn_regions")                              \
    ARRAY(MEMBERS, members, region_count, "", false,                                               \
          "indices into nodes, each at most once in a region")                                     \
    FIELD(COUNT, region_count, "1", 0, SN_COUNT_MAX, 0, false,                                     \
          "how many regions; 0: one of all nodes")                                                 \
    ARRAY(NUMBERS, centres, region_count, "", true,                                                \
          "per region an index into nodes, UINT32_MAX for none")                                   \
    FIELD(BOOL, oriented, "", 0, 1, 0, false,                                                      \
          "whether orientations of the nodes take part, which must have them")                     \
    ARRAY(QUATS, rest_orientations, node_count, "1", true,                                         \
          "at rest, made unit; null: as they are now")                                             \
    ARRAY(VEC3S, radii, node_count, "m", true, "half axes of an ellipsoid, at least 0")            \
    ARRAY(SYMMETRICS, moments, node_count, "m^2", true,                                            \
          "the moment of each node over its mass, not negative in any direction")                  \
    FIELD(ENUM(sn_shape_matching_turn), turn, "mean|centre", 0, 1, 0, false,                       \
          "whether oriented nodes follow all of their regions or the one around them")             \
    FIELD(REAL, compliance, "s^2", 0, SN_REAL_MAX, 0, false,                                       \
          "distance from the goal over acceleration towards it; 0 is as hard as can be")           \
    FIELD(REAL, stiffness, "1", 0, 1, 1, false, "k of the 2007 model; no effect in XPBD")          \
    FIELD(ENUM(sn_shape_matching_mode), mode, "rigid|linear", 0, 1, 0, false,                      \
          "whether regions are also stretched and sheared")                                        \
    FIELD(REAL, beta, "1", 0, 1, 0.5, false, "share of the linear part")                           \
    FIELD(REAL, damping, "1/s", 0, SN_REAL_MAX, 0, false, "of motion within the regions")          \
    FIELD(REAL, plastic_yield, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                 \
          "stretch above which the shape at rest follows; automatic: never")                       \
    FIELD(REAL, plastic_creep, "1/s", 0, SN_REAL_MAX, 10, false, "how fast it follows")            \
    FIELD(REAL, plastic_limit, "1", 0, SN_REAL_MAX, 1, false, "how far at most")                   \
    FIELD(ENUM(sn_region_sums_method), sums, "auto|direct|lattice|paths|octree", 0, 4, 0, false,   \
          "how sums over regions are made: the fewest additions; one by one; of lattices, for "    \
          "cubes; of paths; of an octree. The motion is the same but for rounding")                \
    FIELD(WORD, fibre_count, "1", 0, 4294967295.0, 0, false,                                       \
          "how many of the regions, the last ones, are fibres")                                    \
    FIELD(REAL, fibre_share, "1", 0, 1, 0.5, false, "of fibres in the goals of nodes")

/* sn_shape_matching_def and its default. */
SN_DECLARE_OBJECT(shape_matching, SN_SHAPE_MATCHING_FIELDS)

/* Makes a matching. */
SN_API sn_result sn_shape_matching_create(sn_world *world, const sn_shape_matching_def *def,
                                          sn_shape_matching *matching);

/* Removes a matching; its nodes stay. A matching also goes with the last of its nodes. */
SN_API sn_result sn_shape_matching_destroy(sn_world *world, sn_shape_matching matching);

/* Whether the id names a living matching of this world. */
SN_API bool sn_shape_matching_is_valid(const sn_world *world, sn_shape_matching matching);

/* Takes over compliance, stiffness, mode, beta, turn, damping, plasticity, sums and fibre_share
   from a definition, whose lists are not looked at. Rotations and what has become plastic stay. */
SN_API sn_result sn_shape_matching_set(sn_world *world, sn_shape_matching matching,
                                       const sn_shape_matching_def *def);

/* The matching as a definition. Nodes that were destroyed are not in it, nor regions that have
   lost all theirs. Its lists are valid until the next call that is not const. */
SN_API sn_result sn_shape_matching_get(const sn_world *world, sn_shape_matching matching,
                                       sn_shape_matching_def *def);

/* The first matching, by slots, that a node belongs to; the null id where there is none. */
SN_API sn_result sn_node_shape_matching(const sn_world *world, sn_node node,
                                        sn_shape_matching *matching);

/* What a region has come to. */
typedef struct sn_shape_matching_region {
    sn_quat rotation;  /* from the shape at rest to the world, as the last sweep found it */
    double plastic[9]; /* 1, what has become of the shape at rest, by rows; no change is the unit
                          matrix */
} sn_shape_matching_region;

/* Says what has become of a region, from 0. */
SN_API sn_result sn_shape_matching_get_region(const sn_world *world, sn_shape_matching matching,
                                              size_t index, sn_shape_matching_region *region);

/* The method that sums are made by, as the last step had them; SN_REGION_SUMS_AUTO before the
   first. */
SN_API sn_result sn_shape_matching_get_sums(const sn_world *world, sn_shape_matching matching,
                                            sn_region_sums_method *method);

#ifdef __cplusplus
}
#endif

#endif
