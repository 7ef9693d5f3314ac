/*
 * A glTF animation, ready to be sampled: nodes with their places at rest, channels that change
 * them, skins, and runs of vertices that a node or a skin carries.
 */
#ifndef SN_IO_ANIMATION_ANIMATION_GLB_H
#define SN_IO_ANIMATION_ANIMATION_GLB_H

#include "io/mesh/read_glb.h"

typedef enum gltf_path {
    GLTF_TRANSLATION,
    GLTF_ROTATION,
    GLTF_SCALE,
    GLTF_WEIGHTS,
    GLTF_PATHS
} gltf_path;

typedef enum gltf_interpolation { GLTF_STEP, GLTF_LINEAR, GLTF_CUBIC } gltf_interpolation;

/* What a node is at rest. */
typedef struct gltf_node {
    size_t parent; /* SIZE_MAX: none */
    bool is_matrix;
    double matrix[16]; /* written out, where it is */
    glb_place place;   /* otherwise */
    double *weights;   /* of the morph targets of its mesh */
    size_t weight_count;
} gltf_node;

/* A value of a node over time; of a cubic one each key has a tangent in, the value, a tangent
   out. */
typedef struct gltf_channel {
    size_t node;
    gltf_path path;
    gltf_interpolation interpolation;
    size_t count, width;
    double *times, *values;
} gltf_channel;

typedef struct gltf_skin {
    size_t *joints; /* nodes */
    size_t count;
    double (*inverses)[16]; /* inverse bind matrices */
    double (*matrices)[16]; /* those of now; scratch */
} gltf_skin;

/* Vertices that follow each other. */
typedef struct gltf_run {
    size_t node, skin; /* skin SIZE_MAX: none */
    size_t first, count;
    double *x;                          /* as they are modelled */
    size_t target_count, target_stored; /* that were read so far */
    double **targets;                   /* how far each moves them */
    size_t influences;                  /* joints per vertex */
    uint32_t *joints;
    double *weights; /* their sum is 1 at every vertex, or 0 */
} gltf_run;

typedef struct gltf_motion {
    gltf_node *nodes;
    size_t node_count;
    size_t *order; /* parents before their children */
    gltf_channel *channels;
    size_t channel_count;
    gltf_skin *skins;
    size_t skin_count;
    gltf_run *runs;
    size_t run_count;
    /* Scratch of sampling. */
    glb_place *places;
    double (*worlds)[16];
    double **weights; /* per node */
} gltf_motion;

/* animation_glb_sample.c: the sampler of the format. */
void sn_gltf_sample(void *state, double time, double *x);

/* A rotation (x, y, z, w) from p to q, the shorter way, 0 to 1 of it. */
void sn_gltf_turn_between(const double p[4], const double q[4], double share, double out[4]);

/* A channel at a time, `width` numbers. */
void sn_gltf_channel_at(const gltf_channel *c, double time, double *value);

#endif
