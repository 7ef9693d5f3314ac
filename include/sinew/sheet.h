/*
 * Sheets: the triangles of a cloth, kept by the world.
 *
 * A sheet knows which nodes its triangles have and where these were when it was made. Constraints
 * and collision surfaces do not need it; it is for what acts on the surface as a whole, such as air
 * (sn_settings). Cloth is built with one (sn_build), and one can be made of any nodes.
 */
#ifndef SINEW_SHEET_H
#define SINEW_SHEET_H

#include <sinew/field.h>
#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a sheet, made like that of a node. */
typedef struct sn_sheet {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_sheet;

/* How long the tethers of a sheet are. */
typedef enum sn_sheet_path {
    SN_SHEET_PATH_GEODESIC = 0, /* as the sheet at rest, along it */
    SN_SHEET_PATH_STRAIGHT = 1  /* as the straight line at rest: less, where the sheet is curved */
} sn_sheet_path;

/* The most tethers of a node. */
#define SN_SHEET_TETHERS 4
/* As many as are enough for the pins that there are when tethers are made: one for each place where
   the sheet is held, up to four of them; two where there are more. Pins beside each other are one
   place, unless they go around a corner. */
#define SN_SHEET_TETHERS_AUTO 5

/*
 * A sheet.
 *
 * The default of `drag` is that of a square plate (Hoerner, Fluid-Dynamic Drag, 1965, section 3-6),
 * over 1/2 rho v^2 A. Where `lift` is as large as `drag`, all of the force is normal, as pressure
 * is; where it is 0, all of it is along the air.
 *
 * Tethers (sinew/constraints/tether.h) hold each node at the nearest kinematic ones, so that the
 * sheet cannot stretch as a whole. They belong to the sheet: they are made when the next step
 * begins, and anew after nodes of it have become kinematic or free, were removed, or its triangles
 * have changed.
 *
 * What is `buoyant` must be closed, every edge in two triangles which go along it in opposite
 * directions. No more so once that has changed.
 *
 * The tension against `tear_force` is the mean of the triangles around a node, from the forces of
 * constraints on them and on their edges (sinew/tear.h).
 */
#define SN_SHEET_FIELDS(FIELD, ARRAY)                                                              \
    ARRAY(NODES, nodes, node_count, "", false, "each at most in one sheet")                        \
    FIELD(COUNT, node_count, "1", 3, SN_COUNT_MAX, 0, false, "how many nodes")                     \
    ARRAY(TRIANGLES, triangles, triangle_count, "", false, "of indices into nodes")                \
    FIELD(COUNT, triangle_count, "1", 1, SN_COUNT_MAX, 0, false, "how many triangles")             \
    FIELD(REAL, drag, "1", 0, SN_REAL_MAX, 1.17, false,                                            \
          "force along the air that meets a triangle head on, over that of its pressure")          \
    FIELD(REAL, lift, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                          \
          "the part of it that stays normal to a triangle which air meets at an angle, at most "   \
          "drag; automatic: all of it")                                                            \
    FIELD(REAL, tether_slack, "1", 0, SN_REAL_MAX, 1, false,                                       \
          "length of tethers over that of their path")                                             \
    FIELD(INT, tethers, "1", 0, SN_SHEET_TETHERS_AUTO, 0, false,                                   \
          "from how many of its nearest kinematic nodes each of the others is held; 5: "           \
          "automatic, from as many places as hold it")                                             \
    FIELD(ENUM(sn_sheet_path), tether_path, "geodesic|straight", 0, 1, 0, false,                   \
          "how long tethers are at rest")                                                          \
    FIELD(BOOL, buoyant, "", 0, 1, 0, false,                                                       \
          "whether the air that it displaces lifts it; it must be closed then")                    \
    FIELD(REAL, tear_strain, "1", 0, SN_REAL_MAX, SN_AUTO, true,                                   \
          "length over that at rest, less 1, above which an edge tears; automatic: never")         \
    FIELD(REAL, tear_force, "N/m", 0, SN_REAL_MAX, SN_AUTO, true,                                  \
          "tension per width at rest above which a node tears; automatic: never")

/* sn_sheet_def and its default. */
SN_DECLARE_OBJECT(sheet, SN_SHEET_FIELDS)

/* Makes a sheet. The places of the nodes now are those at rest. */
SN_API sn_result sn_sheet_create(sn_world *world, const sn_sheet_def *def, sn_sheet *sheet);
/* Removes the sheet; its nodes stay. A sheet also goes with the last of its nodes, and a triangle
   with the first of its own. */
SN_API sn_result sn_sheet_destroy(sn_world *world, sn_sheet sheet);
/* Whether the id names a living sheet of this world. */
SN_API bool sn_sheet_is_valid(const sn_world *world, sn_sheet sheet);

/* The sheet as a definition, without its nodes and triangles: those are null and their counts say
   how many there are. */
SN_API sn_result sn_sheet_get(const sn_world *world, sn_sheet sheet, sn_sheet_def *def);
/* Takes over everything but nodes and triangles, which are not looked at. */
SN_API sn_result sn_sheet_set(sn_world *world, sn_sheet sheet, const sn_sheet_def *def);

/* Makes the tethers of a sheet now, from where its nodes were at rest and which of them are
   kinematic; those that it had are removed. Without this the next step does so where it is due. */
SN_API sn_result sn_sheet_tether(sn_world *world, sn_sheet sheet);

/*
 * Drag and lift at each of its nodes, in their order, instead of those of the definition; triangles
 * have the mean over their corners, and where lift is SN_AUTO at one of them as much as drag. lift
 * is at most drag, and may be null: SN_AUTO everywhere. Copies have those of their nodes. `count`
 * is the number of nodes of the sheet; with the count 0, where both may be null, the definition
 * counts again.
 */
SN_API sn_result sn_sheet_set_air(sn_world *world, sn_sheet sheet, const sn_real *drag,
                                  const sn_real *lift, size_t count);
/* The first `capacity` of these; `count` becomes the number of nodes. With the capacity 0 both may
   be null. */
SN_API sn_result sn_sheet_get_air(const sn_world *world, sn_sheet sheet, sn_real *drag,
                                  sn_real *lift, size_t capacity, size_t *count);

/* The first `capacity` of its nodes, in the order of the definition; `count` becomes the number of
   all. With the capacity 0 nodes may be null. */
SN_API sn_result sn_sheet_get_nodes(const sn_world *world, sn_sheet sheet, sn_node *nodes,
                                    size_t capacity, size_t *count);
/* The first `capacity` of its triangles, three indices into those nodes each; `count` becomes the
   number of all triangles. With the capacity 0 triangles may be null. */
SN_API sn_result sn_sheet_get_triangles(const sn_world *world, sn_sheet sheet, uint32_t *triangles,
                                        size_t capacity, size_t *count);

/* Where the first `capacity` of its nodes are at rest (m); `count` becomes the number of all. With
   the capacity 0 positions may be null. */
SN_API sn_result sn_sheet_get_rest(const sn_world *world, sn_sheet sheet, sn_vec3 *positions,
                                   size_t capacity, size_t *count);

/* The id of the sheet in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_sheet_at(const sn_world *world, size_t slot, sn_sheet *sheet);

#ifdef __cplusplus
}
#endif

#endif
