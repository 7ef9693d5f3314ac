/*
 * What the formats of sn_io_animation share. A format is a function that opens a source: it gives
 * the mesh, when it moves, and a function that says where the vertices of the file are at a time.
 * The rest, units, axes, welding and clamping, is the same for all of them.
 */
#ifndef SN_IO_ANIMATION_ANIMATION_H
#define SN_IO_ANIMATION_ANIMATION_H

#include "io/mesh/read.h"

#include <sinew_io/animation.h>

/* Where the vertices of the file are at a time between begin and end, three numbers each, in the
   units and axes of the file. */
typedef void sn_animation_sampler(void *state, double time, double *x);

struct sn_io_animation {
    sn_mesh mesh;
    char *name; /* of the file, for messages */
    double begin, end;
    double scale;
    sn_io_up up;
    size_t vertex_count; /* of the mesh */
    sn_real (*uvs)[2];   /* of these; null without */
    sn_vec3 *colours;    /* likewise */
    sn_io_materials materials;
    uint32_t *origins;  /* which vertex of the file each is; null: the same */
    size_t point_count; /* of the file */
    double *points;     /* where these are; scratch */
    void *state;        /* of the format */
    sn_animation_sampler *sample;
    void (*free)(void *state);
};

/* Fills an animation, of which scale, up, name and mesh.allocator are set. A mesh that is made of
   the file goes into the build, at rest, in the units of the file. Failing leaves what is to be
   freed in the animation. */
typedef sn_result sn_animation_opener(const sn_source *source, const sn_io_animation_def *def,
                                      sn_io_build *build, sn_io_animation *animation);

sn_animation_opener sn_animation_open_glb, sn_animation_open_usda, sn_animation_open_pc2,
    sn_animation_open_mdd;

/* Zeroed memory that free() frees, or null with the error set. */
void *sn_animation_take(size_t count, size_t size);

/* The last of `count` rising times that is not after a time, 0 where all are; and how far it is
   from there to the next, 0 to 1. */
size_t sn_animation_find(const double *times, size_t count, double time, double *share);

#endif
