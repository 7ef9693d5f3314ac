/*
 * Skins: what bodies touch each other with.
 *
 * A skin is made of nodes, each a ball of its radius; of segments between two of them, each all
 * that is as close to the line as the radius there; and of triangles, likewise. Where two elements
 * of different skins come closer than their radii they push each other apart, by their masses, with
 * friction; so do elements of the same skin where it collides with itself. Colliders do not need
 * skins: every node touches them, and where a skin has `faces`, its triangles do as well.
 *
 * Elements that share a node never meet, nor do balls whose nodes an edge joins: they are left to
 * what holds them there. Within one skin, elements that are close at rest (when the skin is made)
 * may come closer than their radii: as close as they were, or half as close where segments or
 * triangles are concerned.
 */
#ifndef SINEW_COLLISION_SURFACE_H
#define SINEW_COLLISION_SURFACE_H

#include <sinew/collider.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a skin, made like that of a node. */
typedef struct sn_collision_surface {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_collision_surface;

/* What of a skin collides. */
typedef enum sn_collision_surface_detail {
    SN_DETAIL_SURFACE = 0, /* everything: nothing passes between the nodes */
    SN_DETAIL_POINTS = 1   /* only the balls of its nodes: cheap, and enough where they lie as close
                            as their diameters */
} sn_collision_surface_detail;

/* A skin. What the pointers point to is copied. */
typedef struct sn_collision_surface_def {
    size_t size;               /* set by sn_collision_surface_def_default */
    const sn_node *nodes;      /* each at most in one skin */
    size_t node_count;         /* at least 1 */
    const uint32_t *triangles; /* three indices into nodes each; may be null */
    size_t triangle_count;     /* of triangles */
    const uint32_t *segments;  /* two indices into nodes each, beside the edges of the triangles */
    size_t segment_count;      /* of segments */
    sn_collision_surface_detail detail; /* default SN_DETAIL_SURFACE */
    bool self;                          /* whether it collides with itself; default false */
    /* Whether it never passes through other skins of which this is so, nor through itself where it
       collides with itself: where contacts are not enough, nodes go only a part of their way.
       Of points only the nodes are kept, out of triangles of others; the log says so. Default
       false. */
    bool penetration_free;
    /* Whether it comes free where it passes through other skins of which this is so, or through
       itself; nothing for points, and the log says so. Default false. */
    bool untangle;
    /* Whether its triangles meet colliders, and not its nodes alone: for balls, corners and edges
       of colliders that are smaller than a triangle; nothing for points, and the log says so.
       Default false. */
    bool faces;
    /* Coulomb friction, at least 0, 1; of two skins the geometric mean counts. Default 0.5 and
       0.4. */
    sn_real static_friction;
    sn_real dynamic_friction; /* 1, at most the static one */
    sn_real restitution;      /* 0 to 1; of two skins the larger counts; default 0 */
    /* m/s, above 0: what overlaps comes apart no faster; of two skins the smaller counts; default
       1. SN_AUTO: at once. */
    sn_real recovery_speed;
    uint32_t mask; /* bit g: meets nodes of group g, if these meet it as well; groups above 31
                      count as 31; default all */
} sn_collision_surface_def;

SN_API sn_collision_surface_def sn_collision_surface_def_default(void);

/* Makes a skin. The places of the nodes now are those at rest. */
SN_API sn_result sn_collision_surface_create(sn_world *world, const sn_collision_surface_def *def,
                                             sn_collision_surface *surface);
/* Removes the skin; its nodes stay. A skin also goes with the last of its nodes. */
SN_API sn_result sn_collision_surface_destroy(sn_world *world, sn_collision_surface surface);
/* Whether the id names a living skin of this world. */
SN_API bool sn_collision_surface_is_valid(const sn_world *world, sn_collision_surface surface);

/* The skin as a definition, without its nodes, triangles and segments: those are null and their
   counts say how many there are. */
SN_API sn_result sn_collision_surface_get(const sn_world *world, sn_collision_surface surface,
                                          sn_collision_surface_def *def);
/* Takes over everything but nodes, triangles and segments, which are not looked at. */
SN_API sn_result sn_collision_surface_set(sn_world *world, sn_collision_surface surface,
                                          const sn_collision_surface_def *def);

/* The id of the skin in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_collision_surface_at(const sn_world *world, size_t slot,
                                               sn_collision_surface *surface);

/* ---- Meetings: contacts between skins ---- */

/* What has met what. */
typedef enum sn_surface_contact_kind {
    SN_SURFACE_CONTACT_POINTS = 0,         /* node and node */
    SN_SURFACE_CONTACT_POINT_SEGMENT = 1,  /* node and segment */
    SN_SURFACE_CONTACT_POINT_TRIANGLE = 2, /* node and triangle */
    SN_SURFACE_CONTACT_EDGES = 3           /* two edges or segments */
} sn_surface_contact_kind;

/* Two elements that touched in the last step. */
typedef struct sn_surface_contact {
    sn_surface_contact_kind kind;
    sn_contact_phase phase;
    sn_node nodes[4];   /* of the first element, then of the second; null ids beyond them */
    sn_real weights[4]; /* 1, where they touched: shares of the first, then of the second */
    sn_vec3 point;      /* m, between the two */
    sn_vec3 normal;     /* from the second to the first, unit length */
    sn_vec3 impulse;    /* N s on the first over the whole step; the second has the opposite */
    sn_real pressure;   /* N s, the part of it along the normals */
} sn_surface_contact;

/* The meetings of the last step, ordered by kind and then by the slots of their nodes; valid until
   the next call that is not const. */
SN_API sn_result sn_world_surface_contacts(const sn_world *world, const sn_surface_contact **events,
                                           size_t *count);

/* ---- Triangles that touched colliders ---- */

/* A triangle of a skin with `faces` that touched a collider between its nodes in the last step. */
typedef struct sn_triangle_contact {
    sn_node nodes[3];       /* of the triangle, as the skin has it */
    sn_real weights[3];     /* 1, of the nodes, where it touched */
    sn_collider collider;   /* that it touched */
    sn_contact_phase phase; /* whether it is new */
    sn_vec3 point;          /* m, on the collider, after the step */
    sn_vec3 normal;         /* from the collider to the triangle, unit length, of the last touch */
    sn_vec3 impulse;        /* N s on the triangle, of pressure and friction over the whole step; a
                               node has its weight of it */
    sn_real pressure;       /* N s, the part of it along the normals */
} sn_triangle_contact;

/* The face contacts of the last step, ordered by the slots of nodes and collider; valid until the
   next call that is not const. Where a node itself touched, that is in sn_world_contacts. */
SN_API sn_result sn_world_triangle_contacts(const sn_world *world,
                                            const sn_triangle_contact **contacts, size_t *count);

#ifdef __cplusplus
}
#endif

#endif
