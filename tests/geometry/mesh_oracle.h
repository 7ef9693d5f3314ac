/* Looking at meshes without the library: an oracle for what it says about them. */
#ifndef SINEW_TESTS_GEOMETRY_MESH_ORACLE_H
#define SINEW_TESTS_GEOMETRY_MESH_ORACLE_H

#include <sinew/sinew.h>

typedef struct look {
    size_t edges, boundary;   /* edges, and those of one triangle alone */
    size_t crowded;           /* edges of more than two triangles */
    size_t turned;            /* edges that two triangles use in the same direction */
    long euler;               /* vertices - edges + triangles, of vertices that have triangles */
    double area, volume;      /* of the triangles */
    double tet_volume;        /* sum */
    double smallest_tet;      /* the least volume */
    double angle_low;         /* the smallest angle of a triangle, degrees */
    double shortest, longest; /* edges */
} look;

look look_at(const sn_mesh *mesh);

/* A fingerprint of everything in the mesh. */
uint64_t look_hash(const sn_mesh *mesh);

#endif
