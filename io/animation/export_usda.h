/*
 * What is known of an OpenUSD scene while its frames come: for every prim and attribute, where in
 * the spool the text of its value is at each frame.
 */
#ifndef SN_IO_ANIMATION_EXPORT_USDA_H
#define SN_IO_ANIMATION_EXPORT_USDA_H

#include "io/animation/export_spool.h"
#include "io/animation/export_surface.h"

/* Attributes, with their types, their names and whether they are given per vertex. */
#define USDA_ATTRIBUTES(ATTRIBUTE)                                                                 \
    ATTRIBUTE(EXTENT, "float3[]", "extent", false)                                                 \
    ATTRIBUTE(FACE_COUNTS, "int[]", "faceVertexCounts", false)                                     \
    ATTRIBUTE(FACE_INDICES, "int[]", "faceVertexIndices", false)                                   \
    ATTRIBUTE(CURVE_COUNTS, "int[]", "curveVertexCounts", false)                                   \
    ATTRIBUTE(POSITIONS, "point3f[]", "points", false)                                             \
    ATTRIBUTE(VELOCITIES, "vector3f[]", "velocities", false)                                       \
    ATTRIBUTE(IDS, "int64[]", "ids", false)                                                        \
    ATTRIBUTE(NORMALS, "normal3f[]", "normals", true)                                              \
    ATTRIBUTE(WIDTHS, "float[]", "widths", true)                                                   \
    ATTRIBUTE(STRAIN, "float[]", "primvars:strain", true)                                          \
    ATTRIBUTE(UVS, "texCoord2f[]", "primvars:st", true)                                            \
    ATTRIBUTE(COLOUR, "color3f[]", "primvars:displayColor", false)                                 \
    ATTRIBUTE(COLOURS, "color3f[]", "primvars:displayColor", true)                                 \
    ATTRIBUTE(PLACE, "double3", "xformOp:translate", false)                                        \
    ATTRIBUTE(TURN, "quatf", "xformOp:orient", false)

typedef enum usda_attribute {
#define USDA_ENUM(name, type, text, vertex) USDA_##name,
    USDA_ATTRIBUTES(USDA_ENUM)
#undef USDA_ENUM
        USDA_ATTRIBUTE_COUNT
} usda_attribute;

typedef struct usda_sample {
    int frame;
    sn_io_range text;
} usda_sample;

/*
 * The values of an attribute. A value is written when it is another than before. Programs
 * interpolate between samples, so the last frame of the old value is then a sample as well, of the
 * same text.
 */
typedef struct usda_track {
    usda_sample *samples;
    size_t count, capacity;
    uint64_t key;   /* a hash of the last value */
    int last_frame; /* that had it */
    /* Of the present frame, which is not yet written. */
    bool is_here, is_other; /* whether it has a value, and another one */
    uint64_t new_key;
    sn_io_range text; /* of the other one */
} usda_track;

/* A group of points. */
typedef struct usda_group {
    char *group;       /* its name */
    char *name;        /* in the file */
    usda_track points; /* the numbers of its points */
} usda_group;

/* The frame at which something comes or goes. */
typedef struct usda_visibility {
    int frame;
    bool here;
} usda_visibility;

typedef enum usda_kind { USDA_MESH, USDA_CURVES, USDA_POINTS, USDA_KINDS } usda_kind;

/* A shape as one kind of geometry. A shape with triangles and lines is two of them. */
typedef struct usda_prim {
    char *shape; /* its name */
    usda_kind kind;
    usda_track tracks[USDA_ATTRIBUTE_COUNT];
    usda_visibility *visible;
    size_t visible_count, visible_capacity;
    bool is_here; /* in the present frame */
    /* Of a mesh, as they were in the first, sorted; and the names of those that are materials in
       the file, null for the others. */
    sn_io_surfaces surfaces;
    char **materials;
    usda_group *groups;
    size_t group_count, group_capacity;
} usda_prim;

/* All of its tracks: those of the attributes, and those of the groups behind them. */
static inline usda_track *sn_io_usda_track(usda_prim *prim, size_t index) {
    return index < USDA_ATTRIBUTE_COUNT ? &prim->tracks[index]
                                        : &prim->groups[index - USDA_ATTRIBUTE_COUNT].points;
}

static inline size_t sn_io_usda_track_count(const usda_prim *prim) {
    return USDA_ATTRIBUTE_COUNT + prim->group_count;
}

typedef struct usda_scene {
    sn_io_spool spool;
    usda_prim *prims;
    char **names; /* of the prims, in the file */
    size_t count, prim_capacity, name_capacity;
    size_t next; /* where the next shape of a frame is probably found */
    int first_frame, last_frame;
} usda_scene;

/* The materials of a shape that has some, for a prim that was added. */
sn_result sn_io_usda_materials_make(usda_scene *scene, const sn_io_shape *shape, usda_prim *prim);
void sn_io_usda_materials_free(usda_prim *prim);

/* The images as files, what binds a prim to its material, its faces to theirs, and all
   materials. */
sn_result sn_io_usda_write_images(sn_io_export *e, const usda_scene *scene);
bool sn_io_usda_is_bound(const usda_prim *prim);
void sn_io_usda_write_binding(sn_io_out *out, const usda_prim *prim, const char *root);
void sn_io_usda_write_subsets(sn_io_out *out, const usda_prim *prim, const char *root);
sn_result sn_io_usda_write_materials(sn_io_out *out, const sn_io_export *e, const usda_scene *scene,
                                     const char *root);

/* The group of this name, which is added where the prim has none; null without memory. */
usda_group *sn_io_usda_group(usda_prim *prim, const char *name);
void sn_io_usda_groups_free(usda_prim *prim);

/* Writes the scene as a file. */
sn_result sn_io_usda_write(sn_io_export *e, usda_scene *scene);

#endif
