/* The particles of one liquid in cells as wide as they act on each other: who is near a place. */
#ifndef SN_IO_SCENE_SCENE_FOAM_GRID_H
#define SN_IO_SCENE_SCENE_FOAM_GRID_H

#include "io/scene/scene_state.h"

typedef struct scene_foam_grid {
    double reach; /* m */
    size_t room;  /* for so many particles */
    size_t count;
    sn_io_point *x, *v; /* m, m/s, cell by cell */
    uint32_t *vertex;   /* of the mesh of the body, likewise */
    uint64_t *cell;     /* its three numbers as one */
    uint32_t *start;    /* of buckets of cells, and the end of the last */
    uint32_t buckets;   /* a power of two */
    double fastest;     /* m/s */
} scene_foam_grid;

/* More than a few dozen are near a place only where a liquid is pressed beyond all measure. */
enum { SCENE_FOAM_NEAR = 256 };

typedef struct scene_foam_near {
    size_t particle;
    sn_io_point apart; /* m, from the particle to the place */
    double distance;   /* m */
    double weight;     /* 1 at the place, 0 from the reach on */
} scene_foam_near;

/* With memory of the scene. */
sn_result sn_scene_make_foam_grid(sn_scene *s, size_t room, double reach, scene_foam_grid *g);

/* Takes over where the particles of a body are now, without those that wait for an emitter. */
sn_result sn_scene_fill_foam_grid(const sn_scene *s, const scene_body *body, scene_foam_grid *g);

/* Who is nearer to a place than the reach, always in the same order. */
size_t sn_scene_find_foam_near(const scene_foam_grid *g, sn_io_point at,
                               scene_foam_near list[SCENE_FOAM_NEAR]);

#endif
