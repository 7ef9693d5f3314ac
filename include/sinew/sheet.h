/*
 * Sheets: the triangles of a cloth, kept by the world.
 *
 * A sheet knows which nodes its triangles have and where these were when it was made. Constraints
 * and collision surfaces do not need it; it is for what acts on the surface as a whole, such as air
 * (sn_settings). Cloth is built with one (sn_build), and one can be made of any nodes.
 */
#ifndef SINEW_SHEET_H
#define SINEW_SHEET_H

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

/* A sheet. What the pointers point to is copied. */
typedef struct sn_sheet_def {
    size_t size;               /* set by sn_sheet_def_default */
    const sn_node *nodes;      /* each at most in one sheet */
    size_t node_count;         /* at least 3 */
    const uint32_t *triangles; /* three indices into nodes each */
    size_t triangle_count;     /* at least 1 */
    /* 1, at least 0: force along the air that meets a triangle head on, over 1/2 rho v^2 A.
       Default 1.17, a square plate (Hoerner, Fluid-Dynamic Drag, 1965, section 3-6). */
    sn_real drag;
    /* 1, 0 to drag: the part of it that stays normal to a triangle which air meets at an angle.
       Default SN_AUTO, as large as drag: all of the force is normal, as pressure is. 0: all of it
       is along the air. */
    sn_real lift;
    sn_real tether_slack; /* 1, at least 0: length of tethers over that of their path; default 1 */
    /*
     * 0 to 4: from how many of the nearest kinematic nodes of the sheet each of the others is held
     * by a tether (sinew/constraints/tether.h), so that the sheet cannot stretch as a whole.
     * Default 0. The tethers belong to the sheet: they are made when the next step begins, and anew
     * after nodes of it have become kinematic or free, were removed, or its triangles have changed.
     */
    int tethers;
    sn_sheet_path tether_path; /* default SN_SHEET_PATH_GEODESIC */
    /* Whether the air that it displaces lifts it; it must be closed then, every edge in two
       triangles which go along it in opposite directions. No more so once that has changed. Default
       false. */
    bool buoyant;
    /* 1, at least 0: length over that at rest, less 1, above which an edge tears (sinew/tear.h);
       SN_AUTO, which is the default: never. */
    sn_real tear_strain;
    /* N/m, at least 0: tension per width at rest above which a node tears, the mean of the
       triangles around it, from the forces of constraints on them and on their edges; SN_AUTO,
       which is the default: never. */
    sn_real tear_force;
} sn_sheet_def;

SN_API sn_sheet_def sn_sheet_def_default(void);

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
