/* Triangle meshes for the validation cases: sheets of three patterns, and closed surfaces. */
#ifndef SINEW_TESTS_MESH_H
#define SINEW_TESTS_MESH_H

#include "build.h"

typedef struct mesh {
    size_t vertices, triangles, edges;
    vec *x;
    uint32_t (*triangle)[3]; /* anticlockwise seen from above, or from outside */
    uint32_t (*edge)[2];     /* each once */
} mesh;

/* How the triangles of a sheet lie: rows of equilateral ones, squares with a diagonal each, all in
   one direction, or in directions that alternate like a checkerboard. */
typedef enum pattern { EQUILATERAL, RIGHT, CROSSED, PATTERNS } pattern;

const char *pattern_name(pattern kind);

/* A sheet in the plane z = 0 with this many cells along x and y. */
mesh mesh_sheet(pattern kind, int columns, int rows, double spacing);

/* The unit cube with n x n squares a side, two triangles each. */
mesh mesh_cube(int n);

/* An icosahedron whose triangles were cut into four `levels` times; vertices on the unit sphere. */
mesh mesh_sphere(int levels);

/* A torus about the z axis. */
mesh mesh_torus(double radius, double tube, int around, int across);

/* A mesh of vertices and triangles that are given, three corners each. */
mesh mesh_of(const vec *x, size_t vertices, const uint32_t *corners, size_t triangles);

void mesh_free(mesh *m);

/* Multiplies by a factor, then moves. */
void mesh_place(mesh *m, double factor, vec shift);

double mesh_area(const mesh *m);
double mesh_volume(const mesh *m);

/* ---- In a world ---- */

/* Adds the vertices as nodes of this mass each; `nodes` has room for all. */
void mesh_add_nodes(sn_world *world, const mesh *m, double mass, sn_node *nodes);

/* Adds the edges as distances of the present lengths; `links` receives them, or is null. */
void mesh_add_links(sn_world *world, const mesh *m, const sn_node *nodes, double compliance,
                    sn_constraint *links);

/* Takes the vertices from where the nodes are now. */
void mesh_read(mesh *m, const sn_world *world, const sn_node *nodes);

#endif
