/*
 * Colliders: shapes that nodes do not enter. They stand still or are moved by the host; nothing
 * moves them by pushing, but for those that a node carries (sinew/rigid.h).
 *
 * A node touches a collider when the ball of its radius does. The contact is solved after the
 * constraints in every sweep, with friction, and keeps nodes outside whatever their speed: a node
 * that would pass through a shape within a substep is stopped at its surface.
 */
#ifndef SINEW_COLLIDER_H
#define SINEW_COLLIDER_H

#include <sinew/node.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The id of a collider, made like that of a node. */
typedef struct sn_collider {
    uint32_t slot;       /* place + 1 */
    uint16_t generation; /* of the slot */
    uint16_t world;      /* which world it belongs to */
} sn_collider;

/* What a collider looks like, in its own frame. */
typedef enum sn_shape {
    SN_SHAPE_PLANE = 0,  /* everything below y = 0 */
    SN_SHAPE_SPHERE = 1, /* a ball of `radius` */
    SN_SHAPE_CAPSULE =
        2,            /* all within `radius` of the line from -extent.y to extent.y on the y axis */
    SN_SHAPE_BOX = 3, /* from -extent to extent, and all within `radius` of that */
    SN_SHAPE_CYLINDER = 4, /* about the y axis, of `radius`, from -extent.y to extent.y */
    SN_SHAPE_MESH = 5,     /* triangles and all within `radius` of them: the inside of a closed
                              surface, or sheets that keep both of their sides apart */
    SN_SHAPE_HULL = 6,     /* the convex hull of vertices, and all within `radius` of that */
    SN_SHAPE_SDF = 7,      /* the inside of a closed surface, and all within `radius` of that, by
                              distances on a grid: coarser than a mesh, and faster */
    SN_SHAPE_HEIGHTS = 8, /* everything below heights on a grid over x and z from -extent to extent,
                             and all within `radius` of that; two triangles between four points */
    SN_SHAPE_COMPOUND = 9 /* several parts */
} sn_shape;

/* The arrays of shapes that are made of some. A collider has a copy of its own. */
typedef struct sn_geometry {
    const sn_vec3 *vertices;        /* m, of meshes, hulls and distance fields */
    size_t vertex_count;            /* of vertices */
    const uint32_t (*triangles)[3]; /* of meshes and distance fields: indices of vertices,
                                       anticlockwise seen from outside */
    size_t triangle_count;          /* of triangles */
    const sn_real *heights;         /* m, points[0] times points[1] of them, x fastest */
    uint32_t points[2];             /* along x and z, at least 2 */
    sn_real spacing; /* m, of a distance field; SN_AUTO: 1/32 of the longest side of the bounds */
    /* Of a mesh: it need not be closed, and a node stays on the side of it where it was. */
    bool two_sided;
} sn_geometry;

/* A shape in the frame of a compound. Planes and compounds are no parts. */
typedef struct sn_collider_part {
    sn_shape shape;       /* default SN_SHAPE_SPHERE */
    sn_real radius;       /* m, as that of a collider */
    sn_vec3 extent;       /* m, as that of a collider */
    sn_vec3 position;     /* m, of its frame in that of the compound */
    sn_quat orientation;  /* from its frame to that of the compound, made unit; default none */
    sn_geometry geometry; /* where its shape needs it */
} sn_collider_part;

/* A ball of the default radius. */
SN_API sn_collider_part sn_collider_part_default(void);

/* What a world makes of a geometry. */
struct sn_collider_geometry;

/*
 * A collider. Its radius is 0.5 by default for balls, capsules and cylinders, 0.005 for two-sided
 * meshes, which need one above 0, and 0 for all others. Friction is that of Coulomb. What lies
 * inside when a substep begins comes out no faster than `recovery_speed`, and rests then, so that
 * deep overlap does not explode. Bit g of the mask says whether nodes of group g collide; groups
 * above 31 count as 31, but for SN_GROUP_NONE, which collides with nothing.
 */
#define SN_COLLIDER_FIELDS(FIELD, ARRAY)                                                           \
    FIELD(ENUM(sn_shape), shape,                                                                   \
          "plane|sphere|capsule|box|cylinder|mesh|hull|field|heights|compound", 0,                 \
          SN_SHAPE_COMPOUND, SN_SHAPE_PLANE, false,                                                \
          "a plane is everything below y = 0 of its frame")                                        \
    FIELD(REAL, radius, "m", 0, SN_REAL_MAX, SN_AUTO, true,                                        \
          "of round shapes, and about boxes, meshes, hulls, fields and heights; automatic: 0.5 "   \
          "for round shapes, 0.005 for two-sided meshes, else 0")                                  \
    FIELD(VEC3, extent, "m", 0, SN_REAL_MAX, 0.5, false,                                           \
          "from the middle to the sides; of capsules and cylinders y alone, of heights x and z")   \
    FIELD(VEC3, position, "m", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "of its middle")               \
    FIELD(QUAT, orientation, "1", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                             \
          "from its frame to the world's, made unit")                                              \
    FIELD(VEC3, velocity, "m/s", -SN_REAL_MAX, SN_REAL_MAX, 0, false, "it moves on with this")     \
    FIELD(VEC3, angular_velocity, "rad/s", -SN_REAL_MAX, SN_REAL_MAX, 0, false,                    \
          "it turns on with this, in the frame of the world")                                      \
    FIELD(REAL, static_friction, "1", 0, SN_REAL_MAX, 0.5, false, "what sticks at most")           \
    FIELD(                                                                                         \
        REAL, dynamic_friction, "1", 0, SN_REAL_MAX, 0.4, false,                                   \
        "what slides; at most the static one. In scenes that do not give it: 0.4, or the static "  \
        "one where that is less")                                                                  \
    FIELD(REAL, restitution, "1", 0, 1, 0, false, "the part of the speed that a bounce keeps")     \
    FIELD(REAL, recovery_speed, "m/s", SN_ABOVE_ZERO, SN_REAL_MAX, 2, true,                        \
          "how fast what is inside comes out; automatic: at once")                                 \
    FIELD(WORD, material, "", 0, 255, 0, false, "of its surface")                                  \
    FIELD(WORD, mask, "", 0, 4294967295.0, UINT32_MAX, false, "the groups of nodes that collide")

/* A collider: the fields above, and the arrays of its shape. */
typedef struct sn_collider_def {
    SN_MEMBERS(SN_COLLIDER_FIELDS)
    sn_geometry geometry;                    /* where the shape needs it; default none */
    const sn_collider_part *parts;           /* of a compound */
    size_t part_count;                       /* of parts */
    const struct sn_collider_geometry *form; /* for the library */
} sn_collider_def;

/* A plane, everything below y = 0. */
SN_API sn_collider_def sn_collider_def_default(void);

/* Makes a collider. */
SN_API sn_result sn_collider_create(sn_world *world, const sn_collider_def *def,
                                    sn_collider *collider);
/* Removes it. */
SN_API sn_result sn_collider_destroy(sn_world *world, sn_collider collider);
/* Whether the id names a living collider of this world. */
SN_API bool sn_collider_is_valid(const sn_world *world, sn_collider collider);

/* The collider as a definition, where it is now. Its arrays are those of the world, valid until the
   collider is set or destroyed. */
SN_API sn_result sn_collider_get(const sn_world *world, sn_collider collider, sn_collider_def *def);
/* Takes a definition over from the next step on. Another place is a teleport: the jump gives
   nothing a velocity, and what it lands on comes out at its recovery speed. A geometry that
   sn_collider_get gave is kept as it is, which costs nothing. */
SN_API sn_result sn_collider_set(sn_world *world, sn_collider collider, const sn_collider_def *def);

/*
 * Sends the collider to a place (m) and an orientation: during the next step it goes there evenly
 * over all substeps, pushing and dragging along what it touches, and then stands until it is sent
 * again. Its velocities are zero afterwards.
 */
SN_API sn_result sn_collider_set_target(sn_world *world, sn_collider collider, sn_vec3 position,
                                        sn_quat orientation);

/*
 * Sends the vertices of a mesh (m, in its frame; as many as it has) to places: during the next step
 * they go there evenly over all substeps, pushing and dragging along what they touch, and then
 * stay. The triangles are the same ones, and must stay a surface that does not cut itself.
 */
SN_API sn_result sn_collider_set_vertices(sn_world *world, sn_collider collider,
                                          const sn_vec3 *vertices, size_t count);

/* The id of the collider in a slot, from 0; SN_ERROR_ID for a slot that is empty. */
SN_API sn_result sn_world_collider_at(const sn_world *world, size_t slot, sn_collider *collider);

#ifdef __cplusplus
}
#endif

#endif
