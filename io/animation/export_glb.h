/*
 * The plan of a glTF file: which frames it has, and where everything is in its buffer. Made once,
 * before anything is written; the JSON and the buffer both follow it.
 */
#ifndef SN_IO_ANIMATION_EXPORT_GLB_H
#define SN_IO_ANIMATION_EXPORT_GLB_H

#include "io/animation/export_segments.h"

/* A segment of a shape as a node with a mesh. */
typedef struct glb_node {
    const sn_io_segment *segment;
    size_t *keys; /* samples that are keyframes, as indices */
    size_t key_count;
    size_t *states;  /* per keyframe: 0 for the base, else 1 + its target */
    size_t *targets; /* per target: the sample */
    size_t target_count;
    size_t shows[3], show_count; /* keyframes of all frames at which it comes and goes */
    bool is_partial;             /* whether it does */
    bool is_moving;              /* whether its poses differ from each other */
    /* Where its first accessor, view and byte are. */
    size_t accessor, view;
    uint64_t offset;
} glb_node;

typedef struct glb_plan {
    sn_io_segments *segments;
    const double *times; /* of all frames, s from the first */
    size_t *frames;      /* that are keyframes */
    size_t frame_count;
    glb_node *nodes;
    size_t node_count;
    uint64_t size; /* bytes of the buffer */
} glb_plan;

/* Makes the plan with at most this many keyframes, or fewer where 4 GiB are not enough. */
sn_result sn_io_glb_plan_make(glb_plan *plan, sn_io_segments *segments, const double *times,
                              size_t most);
void sn_io_glb_plan_free(glb_plan *plan);

/* The blocks of a node in the buffer, in their order; each is a buffer view. */
typedef enum glb_block {
    GLB_POSITIONS,
    GLB_NORMALS,
    GLB_UVS,
    GLB_COLOURS,
    GLB_GROUPS, /* a number for each vertex and group */
    GLB_TRIANGLES,
    GLB_LINES,
    GLB_TARGET_POSITIONS,
    GLB_TARGET_NORMALS,
    GLB_TIMES,
    GLB_WEIGHTS,
    GLB_SHOW_TIMES,
    GLB_SHOW_SCALES,
    GLB_POSE_TIMES,
    GLB_PLACES,
    GLB_TURNS,
    GLB_TEXTURE, /* files of any length, each with zeros up to a multiple of 4, and with a view */
    GLB_BLOCKS
} glb_block;

/* Whether a surface is a material of its own: it has a colour, an image or a name, and something
   has it. What is no triangle has the first. */
static inline bool sn_io_glb_is_painted(const sn_io_segment *s, size_t surface) {
    const sn_io_surface *own = &s->surfaces.items[surface];
    bool used = sn_io_surface_triangles(&s->surfaces, surface) > 0 ||
                (surface == 0 && (s->triangle_count == 0 || s->line_count > 0));
    return used && (own->is_coloured || own->texture || own->name);
}

/* Where the image of a surface is among those of its node, in bytes; and how many are before. */
uint64_t sn_io_glb_image_place(const glb_node *node, size_t surface);
size_t sn_io_glb_image_count(const glb_node *node, size_t surface);

/* Their bytes; 0 where a node has none. */
uint64_t sn_io_glb_block_size(const glb_node *node, glb_block block);

/* Where a block is: its view, and its first accessor. Targets have an accessor each. */
size_t sn_io_glb_view(const glb_node *node, glb_block block);
size_t sn_io_glb_accessor(const glb_node *node, glb_block block);
size_t sn_io_glb_accessor_count(const glb_node *node, glb_block block);

/* Writes the JSON. It reads positions, for the bounds that glTF wants. */
sn_result sn_io_glb_write_json(const glb_plan *plan, sn_io_out *out);

/* The difference of a target from the base, as it is in the file. */
static inline sn_vec3 sn_io_glb_difference(sn_vec3 target, sn_vec3 base) {
    return (sn_vec3){target.x - base.x, target.y - base.y, target.z - base.z};
}

#endif
