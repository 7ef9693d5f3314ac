/* Meshes and bodies for the tests of the builders. */
#ifndef SINEW_TESTS_BODIES_MESHED_BODY_H
#define SINEW_TESTS_BODIES_MESHED_BODY_H

#include <sinew/generate.h>
#include <sinew/sinew.h>

#include "check.h"

/* A body, the nodes of its vertices, and the mesh it was built from. */
typedef struct body {
    sn_world *world;
    sn_mesh mesh;
    sn_node *nodes;
    sn_build build;
} body;

/* Meshes by formula; a failure ends the run. */
sn_mesh grid_mesh(double width, double depth, uint32_t columns, uint32_t rows,
                  sn_grid_pattern pattern);
sn_mesh block_mesh(double x, double y, double z, uint32_t cells, sn_block_pattern pattern);
sn_mesh line_mesh(double length, uint32_t segments);
sn_mesh sphere_mesh(double radius, uint32_t level);
sn_mesh points_mesh(const sn_vec3 *positions, size_t count);

/* A small mesh that a kind can be built from. */
sn_mesh mesh_for(sn_kind kind);

/* A world without gravity, with `substeps` per step, whose motion dies away at `damping` 1/s. */
sn_world *still_world(int substeps, double damping);

/* Builds a body in a world of its own, which both belong to it then; a failure ends the run. */
body body_make(sn_world *world, sn_kind kind, const void *material, sn_mesh mesh,
               const sn_build_def *def);
void body_free(body *b);

/* Vertex i at present, in double. */
void body_position(const body *b, size_t i, double x[3]);

/* Takes `steps` steps of dt seconds. */
void body_run(const body *b, int steps, double dt);

/* The warnings of a world, and the last of them: its definition has `log = hear_warnings` and a
   `heard` as `log_user`. */
typedef struct heard {
    size_t warnings;
    char sentence[300];
} heard;
void hear_warnings(void *user, sn_log_level level, const char *sentence);

/* How many constraints of a type the world has. */
size_t count_type(const sn_world *world, sn_type type);

#endif
