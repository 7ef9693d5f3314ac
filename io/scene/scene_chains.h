/* Lines of a mesh as chains, each from where it begins to where it ends. */
#ifndef SN_IO_SCENE_SCENE_CHAINS_H
#define SN_IO_SCENE_SCENE_CHAINS_H

#include "io/scene/scene_state.h"

typedef struct scene_chains {
    size_t count;
    uint32_t *start;    /* of each in `vertices`, and one more */
    uint32_t *vertices; /* of the mesh, two or more of each */
} scene_chains;

/* Finds them; closed ones have no beginning and are none, and where lines branch there are none at
   all. The arrays belong to the scene. */
sn_result sn_scene_find_chains(sn_scene *s, const sn_mesh *mesh, scene_chains *chains);

#endif
