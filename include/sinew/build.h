/*
 * Building bodies: a mesh and a material become nodes and constraints.
 *
 * Every kind of body (cloth, solid, rope, ...) has a header in sinew/kinds/ that lists the fields
 * of its material once, in SI units. The calls here work for every kind. Afterwards the body is
 * like any other: its nodes and constraints can be changed one by one.
 */
#ifndef SINEW_BUILD_H
#define SINEW_BUILD_H

#include <sinew/collision_surface.h>
#include <sinew/constraint.h>
#include <sinew/fluid.h>
#include <sinew/mesh.h>
#include <sinew/shape_matching.h>
#include <sinew/sheet.h>
#include <sinew/tet_mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kinds ---- */

/* Declares sn_<kind>_material and its default function from the field list of a kind. */
#define SN_DECLARE_KIND(kind, FIELDS)                                                              \
    typedef struct sn_##kind##_material {                                                          \
        size_t size; /* set by the default function */                                             \
        FIELDS(SN_MEMBER)                                                                          \
    } sn_##kind##_material;                                                                        \
    SN_API sn_##kind##_material sn_##kind##_material_default(void);

/* The kinds, in the order of sinew/kinds/list.h, which never changes but at its end. */
typedef enum sn_kind {
#define SN_LIST_KIND(lower, upper) SN_KIND_##upper,
#include <sinew/kinds/list.h>
#undef SN_LIST_KIND
    SN_KIND_COUNT
} sn_kind;

/* The materials of the kinds. */
#include <sinew/kinds/list.h>

/* What a kind is, for programs that work with any kind. */
typedef struct sn_kind_info {
    const char *name;            /* as in scene files, such as "cloth" */
    const char *meaning;         /* one sentence */
    size_t material_size;        /* bytes of the material struct */
    size_t field_count;          /* length of `fields` */
    const sn_field_info *fields; /* of the material */
} sn_kind_info;

/* What there is to know about a kind; null for a number that is none. */
SN_API const sn_kind_info *sn_kind_get_info(sn_kind kind);

/* The kind with this name; SN_ERROR_NAME when there is none. */
SN_API sn_result sn_kind_by_name(const char *name, sn_kind *kind);

/* Fills a material of any kind, of its material_size bytes, with the defaults. */
SN_API sn_result sn_kind_default(sn_kind kind, void *material);

/* ---- Presets: materials by name ---- */

/* A material that is known. */
typedef struct sn_preset_info {
    sn_kind kind;
    const char *name;    /* such as "cotton"; the same name may exist for several kinds */
    const char *meaning; /* one sentence */
    const char *source;  /* where the numbers come from */
} sn_preset_info;

/* The preset of a number, from 0; null beyond the last. They are ordered by kind, then by name. */
SN_API const sn_preset_info *sn_preset_at(size_t index);

/* Fills a material with the numbers of a preset of its kind; SN_ERROR_NAME when there is none. */
SN_API sn_result sn_preset_get(sn_kind kind, const char *name, void *material);

/* ---- Building ---- */

/* What a body touches; colliders in any case. */
typedef enum sn_collide {
    SN_COLLIDE_NONE = 0,   /* it gets no collision surface */
    SN_COLLIDE_OTHERS = 1, /* the collision surfaces of other bodies */
    SN_COLLIDE_ALL = 2     /* and itself */
} sn_collide;

/*
 * A field of the material that differs from vertex to vertex. What lies between vertices uses the
 * mean over its own; automatic at one of them is automatic for it. Fields that mean the body as a
 * whole, such as the pressure of a balloon or the choice of a model, are refused.
 */
typedef struct sn_material_map {
    const char *field;     /* its name, such as "stretch_stiffness" */
    const sn_real *values; /* one per vertex of the mesh, in the unit and the range of the field */
    size_t count;          /* of values: as many as the mesh has vertices */
} sn_material_map;

/* Which mesh becomes a body, and where. */
typedef struct sn_build_def {
    size_t size;              /* set by sn_build_def_default */
    const sn_mesh *mesh;      /* is read and not kept; each vertex becomes a node */
    sn_vec3 position;         /* m, where the origin of the mesh goes */
    sn_quat rotation;         /* of the mesh about its origin, made unit; default none */
    sn_real scale;            /* of the mesh about its origin, in 1, above 0; default 1 */
    sn_vec3 velocity;         /* m/s */
    sn_vec3 angular_velocity; /* rad/s, about `position`, in the frame of the world */
    const uint32_t *pins;     /* vertices that are kinematic; oriented nodes do not turn either */
    size_t pin_count;         /* of pins */
    /* Fields of the material that differ from vertex to vertex; each at most once. */
    const sn_material_map *maps;
    size_t map_count;   /* of maps; default 0 */
    uint32_t group;     /* of all nodes; default 0 */
    sn_body_def body;   /* gravity and damping of the body */
    sn_collide collide; /* what it touches; default SN_COLLIDE_NONE */
    /* How, where it gets a collision surface: of the triangles of a cloth, the surface of the
       tetrahedra of a solid, the lines of a rope or rod, the nodes of particles, what a shape has
       of these. What the collision surface is made of, and `self`, are filled in and not looked at.
       Without a collision surface, `penetration-free`, `untangle` and `triangle_contact` are
       refused. */
    sn_collision_surface_def surface;
    /* What is seen of the body, in the coordinates of the mesh, for kinds that fit to it; is read
       and not kept. Of tetrahedra what is inside of it has mass and stiffness; it must be closed
       there. Default null. */
    const sn_mesh *visible;
    /* s, above 0, of the world, for the warning where substeps do not do for the material. Default
       SN_AUTO: that of the last step, and 1/60 s before the first. */
    sn_real step;
    /* k of the 2007 model, 0 to 1, of what resists bending and of everything else that the body is
       made of, but for limits and volumes, which are hard; the kinds that match shapes have it in
       their materials. Refused where it would do nothing: below 1 in a world whose model is not
       SN_MODEL_PBD, and where a body has nothing of the sort. Default 1. */
    sn_real k_stretch, k_bend;
} sn_build_def;

SN_API sn_build_def sn_build_def_default(void);

/* What was built. */
typedef struct sn_build {
    sn_body body;                 /* with all nodes of the mesh */
    size_t constraints;           /* how many were made */
    double mass;                  /* kg, of all vertices, pins included */
    sn_collision_surface surface; /* null where it has none */
    sn_sheet sheet;               /* of a cloth; null for other kinds */
    sn_tet_mesh tet_mesh;         /* of a solid; null for other kinds */
    sn_shape_matching
        matching; /* of a shape with many regions, of an oriented body; null otherwise */
    /* 1/s, of a solid: c / l with the speed of sound c = sqrt(E / rho) and the least altitude l of
       its tets on this mesh, but for the flattest tenth of the volume. With substeps of h it is
       softer than its material: it droops by about 0.2 to 0.4 q too much, q = (rate h)^2. Where
       that may be more than 5 % the log says so, and how many substeps it takes. 0 for what is as
       hard as the substeps allow. Of a cloth: what one sweep per substep leaves of its weight
       strains it by about 0.08 q on average, beyond what its material says; the log says so above
       1 %, and where it bends by more than 5 % too much. Of a fluid: its foot is compressed by a
       third of q. 0 for other kinds. */
    double substep_rate;
    double edge_length; /* m, of a cloth: the mean over its edges at rest; 0 for other kinds */
    /* Of a cloth: its tethers as they are in sn_sheet_def, which is what was chosen where they are
       automatic. 0 for other kinds. */
    int tethers;
    sn_fluid fluid; /* of a fluid; null for other kinds */
} sn_build;

/*
 * Builds a body of a kind from a material of that kind, such as sn_cloth_material. `nodes` receives
 * the ids of the nodes, one per vertex; it may be null. When it fails the world has neither nodes
 * nor constraints nor collision surfaces nor sheets nor tet meshes more than before, and the
 * sentence names the element of the mesh. Where it fails late, slots that it had used are left
 * empty, and are the next to be used: the hash of the world counts them.
 */
SN_API sn_result sn_build_body(sn_world *world, sn_kind kind, const void *material,
                               const sn_build_def *def, sn_node *nodes, sn_build *build);

/*
 * Makes a rope or rod longer or shorter by a factor above 0 in the course of the next step that is
 * taken (sn_world_step carries over what is shorter than a microsecond), as a winch does: by the
 * same amount in every substep, so that what hangs on it is lifted at a speed. All its lines have
 * the factor; E A, E I and G J stay, and so do masses. Called several times before a step, factors
 * multiply. Refused (SN_ERROR_DEGENERATE) for a body that has no distances and no segments of rods.
 */
SN_API sn_result sn_body_scale_length(sn_world *world, sn_body body, sn_real factor);

/* The most substeps of a step. */
#define SN_MOST_SUBSTEPS 10000

/*
 * How many substeps a step (s) takes for a body to be as stiff as its material: a solid droops by
 * at most 5 % too much; cloth is strained by a quarter of a percent more than its material says,
 * and by less than 10 % where it whips. Where cloth is stopped, as on the floor, edges become
 * shorter or longer by what it moves in a substep: with a `speed` (m/s, 0: none) there are as many
 * as keep that below about a twentieth. From 1 to SN_MOST_SUBSTEPS.
 */
SN_API sn_result sn_build_substeps(const sn_build *build, double step, double speed, int *substeps);

#ifdef __cplusplus
}
#endif

#endif
