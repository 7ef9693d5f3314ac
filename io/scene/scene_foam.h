/*
 * Foam, spray and bubbles of a liquid, which are seen and act on nobody: diffuse particles after
 * Ihmsen et al. 2012. They come where a liquid that is fast traps air or has a crest, a number
 *
 *     n = phi(v^2 / 2) (air_rate phi(I_ta) + crest_rate phi(I_wc)) dt
 *     I_ta = sum_j |v_ij| (1 - v_ij . x_ij / (|v_ij| |x_ij|)) W_ij
 *     I_wc = sum_j (1 - n_i . n_j) W_ij over those below, where v_i goes along n_i
 *
 * of each particle, with W = 1 - r / reach, n the normals of the surface, and phi from 0 at the
 * lower limit to 1 at the upper one. By how many particles of the liquid are around it one is spray
 * (fewer than 6), which falls, a bubble (more than 20), which rises, or foam, which goes along.
 *
 * They follow from the frames of the liquid alone. One that is born in a frame depends on that
 * frame and later ones, and none is older than the lifetime.
 */
#ifndef SN_IO_SCENE_SCENE_FOAM_H
#define SN_IO_SCENE_SCENE_FOAM_H

#include "io/scene/scene_foam_grid.h"

typedef struct scene_foam {
    const char *name; /* of its shape */
    scene_foam_part part;
    sn_io_look look;
    uint64_t seed;
    double spacing; /* m, of the particles of the liquid */
    scene_foam_grid grid;
    sn_io_point *normals; /* of the particles in the grid, of length 1; 0 inside of the liquid */
    int frame;            /* whose end it is of */
    size_t count;         /* at most part.most */
    sn_vec3 *positions, *velocities;
    sn_real *radii, *left; /* m; s, of their lifetimes */
    uint64_t born;         /* how many ever were */
} scene_foam;

/* Reads what a body that was just built says of its foam; without foam where it says nothing. */
sn_result sn_scene_make_foam(sn_scene *s, const json_node *node, scene_body *body);

/* Moves the foam of all bodies by a frame, when the world has made its step. */
sn_result sn_scene_move_foam(sn_scene *s);

/* How many there are now: none where the world is not where they were moved to. */
size_t sn_scene_foam_particles(const sn_scene *s, const scene_foam *f);

/* The shapes of all of them, in the order of bodies; and what they show now. */
size_t sn_scene_count_foam(const sn_scene *s);
void sn_scene_show_foam(const sn_scene *s, sn_io_shape *views);

#endif
