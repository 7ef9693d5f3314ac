/*
 * The contract of a kind of body: one file per kind, its field list in include/sinew/kinds/, and
 * one line in the list there.
 *
 * A kind says what a material and a mesh must be, what each vertex weighs, and which constraints
 * lie between the nodes. The rest (placing the mesh, making nodes, undoing what failed) is build.c.
 */
#ifndef SN_BODIES_KIND_H
#define SN_BODIES_KIND_H

#include <sinew/build.h>
#include <sinew/shape_matching.h>

#include "base/error.h"
#include "geometry/point.h"
#include "geometry/topology/edge_elements.h"
#include "state/fields.h"
#include "state/world.h"

/* A body on its way. */
typedef struct sn_builder {
    sn_world *world;
    sn_memory *memory;    /* of the world */
    const void *material; /* as given; sn_builder_at says what it is at an element */
    const sn_kind_info *info;
    const sn_build_def *def;
    const sn_mesh *mesh;
    sn_point *x;       /* m, of the vertices in the world */
    double *mass;      /* kg, of the vertices */
    sn_node_def *defs; /* of the nodes */
    sn_node *nodes;
    size_t constraints;         /* made so far */
    sn_sheet sheet;             /* null where none was made */
    sn_tet_mesh tet_mesh;       /* likewise */
    sn_shape_matching matching; /* likewise */
    sn_fluid fluid;             /* likewise */
    bool has_k[2];              /* whether something stretches, and bends, for k_stretch, k_bend */
    double substep_rate;        /* 1/s, as in sn_build */
    double edge_length;         /* m, likewise */
    double hung_rate;           /* 1/s, of ropes and rods, as of a cloth */
    double bend_rate;           /* 1/s, of ropes, rods and cloth, as of a solid */
    double least_energy; /* J, of a solid: modulus times volume of a tet; 0 where none counts */
    int tethers;         /* of a cloth, as in sn_sheet_def */
    double tether_slack; /* likewise */
    bool apart;          /* whether every chain of lines is a collision surface */
    void *local;         /* the material at an element; null where there are no maps */
    double *shares; /* per tet: what of it is inside the visible mesh; null where there is none */
} sn_builder;

/* m, the longest side of the box around it; m/s^2, as on Earth where the world has none yet. */
double sn_builder_size(const sn_builder *b);
double sn_builder_gravity(const sn_builder *b);

/* What of its mesh a body touches others with. */
typedef enum sn_body_surface {
    SN_BODY_SKIN_NODES,
    SN_BODY_SKIN_LINES,
    SN_BODY_SKIN_TRIANGLES,
    SN_BODY_SKIN_TETS, /* their surface */
    SN_BODY_SKIN_MESH  /* the first of tets, triangles and nodes that it has */
} sn_body_surface;

typedef struct sn_body_kind {
    sn_kind_info info;
    const void *standard;
    sn_body_surface surface;
    /* The fields that maps may vary, with a space between them: those that are asked for by
       sn_builder_at wherever they are used. */
    const char *varies;
    /* Refuses what cannot be built, and gives every vertex its mass and its radius; an error names
       the element. */
    sn_result (*weigh)(sn_builder *b);
    /* More about the nodes than place, mass and velocity; may be null. */
    sn_result (*shape)(sn_builder *b);
    /* Makes the constraints; may be null. */
    sn_result (*connect)(sn_builder *b);
} sn_body_kind;

/* The list, by number. */
const sn_body_kind *sn_body_kind_at(sn_kind kind);

/* A page that loads the library has a field of a material by its name, not by what it means. */
#ifdef SN_FEW_TEXTS
#define SN_MATERIAL_ROW(kind, name, unit, least, most, standard, automatic, meaning)               \
    SN_FIELD_ROW(kind, name, unit, least, most, standard, automatic, "")
#define SN_KIND_TEXT(text) ""
#else
#define SN_MATERIAL_ROW SN_FIELD_ROW
#define SN_KIND_TEXT(text) text
#endif

/* Everything about a kind that follows from its name and its fields. */
#define SN_DEFINE_KIND(kind, FIELDS, text, ...)                                                    \
    typedef sn_##kind##_material definition;                                                       \
    static const definition standard = {.size = sizeof(definition), FIELDS(SN_STANDARD)};          \
    definition sn_##kind##_material_default(void) {                                                \
        return standard;                                                                           \
    }                                                                                              \
    static const sn_field_info fields[] = {FIELDS(SN_MATERIAL_ROW)};                               \
    extern const sn_body_kind sn_kind_##kind;                                                      \
    const sn_body_kind sn_kind_##kind = {.info.name = #kind,                                       \
                                         .info.meaning = SN_KIND_TEXT(text),                       \
                                         .info.material_size = sizeof(definition),                 \
                                         .info.field_count = sizeof fields / sizeof *fields,       \
                                         .info.fields = fields,                                    \
                                         .standard = &standard,                                    \
                                         __VA_ARGS__};

/* body_surface.c: makes the collision surface that the definition asks for, when the nodes are
   there; null where it asks for none. */
sn_result sn_builder_cover(sn_builder *b, sn_body_surface kind, sn_collision_surface *surface);

/* chain_surfaces.c: the same of lines, with a collision surface per chain. *surface is that of the
   first. */
sn_result sn_builder_cover_chains(sn_builder *b, sn_collision_surface *surface);

/* body_hierarchy.c: makes a hierarchy of the triangles with so many levels; 0 makes none. */
sn_result sn_builder_add_levels(sn_builder *b, sn_real levels);

/* body_matching.c: makes a shape matching of these regions from what else the definition says. */
sn_result sn_builder_add_matching(sn_builder *b, const sn_regions *regions, sn_real damping,
                                  sn_shape_matching_def *def);

/* body_drag.c: lets air act on the lines of the mesh, or on its vertices as balls; 0: it does
   not. */
sn_result sn_builder_add_drag(sn_builder *b, sn_real drag, bool lines);

/* cloth_sheet.c: makes the sheet of a cloth. */
sn_result sn_cloth_add_sheet(sn_builder *b);

/* solid_tet_mesh.c: makes the tet mesh of a solid, of all tets of the mesh. */
sn_result sn_solid_add_tet_mesh(sn_builder *b, sn_real fracture_stress);

/* ---- Maps (maps.c) ---- */

/* Whether the maps are what they should be. */
sn_result sn_maps_check(const sn_body_kind *kind, const sn_build_def *def);

/* The material at an element, from the mean over its vertices; that of the body where nothing
   varies. Valid until the next call. */
const void *sn_builder_at(const sn_builder *b, const uint32_t *vertices, size_t count);

/* The map of a field; null where there is none. */
const sn_material_map *sn_builder_map(const sn_builder *b, const char *field);

/* ---- What several kinds need ---- */

/* What of a tet is inside the visible mesh, and so has mass and stiffness: they are found first,
   for sound tets; 1 where there is no visible mesh. */
sn_result sn_builder_find_shares(sn_builder *b);
double sn_builder_share(const sn_builder *b, size_t tet);

/* Every vertex must have a mass; `element` is what it should belong to. */
sn_result sn_builder_check_masses(const sn_builder *b, const char *kind, const char *element);

/* A field of a material that counts something must be a whole number. */
sn_result sn_builder_check_whole(const char *kind, const char *field, sn_real value);

/* Makes `count` constraints of a type and counts them, with the k of the 2007 model that the
   definition has for it; and those that are hard in any case. */
sn_result sn_builder_add(sn_builder *b, sn_type type, void *defs, size_t count);
sn_result sn_builder_add_hard(sn_builder *b, sn_type type, const void *defs, size_t count);

/* That k, for constraints that are made otherwise. */
sn_real sn_builder_k(sn_builder *b, sn_type type);

double sn_builder_distance(const sn_builder *b, uint32_t i, uint32_t j);

/* A direction of the mesh in the world. */
sn_point sn_builder_turned(const sn_builder *b, sn_point direction);

/* What flow takes from a material: definitions have the same three fields as materials have. */
#define SN_TAKE_PLASTICITY(def, material)                                                          \
    ((def).plastic_yield = (material)->plastic_yield,                                              \
     (def).plastic_creep = (material)->plastic_creep,                                              \
     (def).plastic_limit = (material)->plastic_limit)

/* A stiffness as the compliance of a constraint; automatic is 0, as is its damping. */
sn_real sn_builder_compliance(sn_real modulus, double stiffness);
sn_real sn_builder_damping(sn_real modulus, double stiffness, sn_real time);

#endif
