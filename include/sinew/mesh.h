/*
 * Meshes: vertices with triangles, tetrahedra and lines between them, and named groups of vertices.
 *
 * A mesh is where a body comes from and what pictures and files are made of. It belongs to no
 * world. Bodies are built from meshes (sinew/cloth.h and its like), files are read into meshes by
 * sinew_io.
 */
#ifndef SINEW_MESH_H
#define SINEW_MESH_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A mesh ---- */

/* Some vertices under a name, such as those of the left edge of a sheet. */
typedef struct sn_mesh_group {
    char *name;         /* not empty, ends with a zero */
    uint32_t *vertices; /* indices into the positions of the mesh */
    size_t count;       /* of vertices */
    size_t capacity;    /* how many the list can hold; for the library */
} sn_mesh_group;

/*
 * Made by sn_mesh_default, filled by the calls below or by those that read or generate meshes, and
 * freed by sn_mesh_free. The arrays may be read and their contents changed; their lengths only by
 * the calls. Arrays of length 0 may be null.
 */
typedef struct sn_mesh {
    size_t size;              /* set by sn_mesh_default */
    size_t vertex_count;      /* of positions */
    sn_vec3 *positions;       /* m */
    size_t triangle_count;    /* of triangles */
    uint32_t (*triangles)[3]; /* indices of vertices, anticlockwise seen from the front */
    size_t tet_count;         /* of tets */
    uint32_t (*tets)[4];      /* the last vertex is on the side from which the others are clockwise,
                                 so that (x1 - x0) x (x2 - x0) . (x3 - x0) is positive */
    size_t line_count;        /* of lines */
    uint32_t (*lines)[2];     /* of ropes and rods */
    size_t group_count;       /* of groups */
    sn_mesh_group *groups;    /* their names differ */
    sn_allocator allocator;   /* where the arrays come from */
    size_t capacity[5]; /* how much the arrays can hold, in the order above; for the library */
} sn_mesh;

/* An empty mesh whose arrays come from the C library. Another allocator may be set while it is
   empty. */
SN_API sn_mesh sn_mesh_default(void);

/* Frees what the mesh holds and leaves it empty, with its allocator. Null is allowed. */
SN_API void sn_mesh_free(sn_mesh *mesh);

/* ---- Adding; a call that fails adds nothing ---- */

/* Adds vertices; null positions mean the origin. They must be finite. At most 2^32 - 1 in all. */
SN_API sn_result sn_mesh_add_vertices(sn_mesh *mesh, const sn_vec3 *positions, size_t count);

/* Add elements. Their indices must be of vertices that are there. Whether the elements make sense
   together is for sn_mesh_check. */
SN_API sn_result sn_mesh_add_triangles(sn_mesh *mesh, const uint32_t (*triangles)[3], size_t count);
SN_API sn_result sn_mesh_add_tets(sn_mesh *mesh, const uint32_t (*tets)[4], size_t count);
SN_API sn_result sn_mesh_add_lines(sn_mesh *mesh, const uint32_t (*lines)[2], size_t count);

/* Adds vertices to the group of this name, which is made where there is none. Vertices that are in
   it already are not added again. */
SN_API sn_result sn_mesh_add_group(sn_mesh *mesh, const char *name, const uint32_t *vertices,
                                   size_t count);

/* The group of this name; null when there is none. */
SN_API const sn_mesh_group *sn_mesh_find_group(const sn_mesh *mesh, const char *name);

/* Makes `copy`, which must be empty, equal to `mesh`. */
SN_API sn_result sn_mesh_copy(const sn_mesh *mesh, sn_mesh *copy);

/* ---- Measuring; positions that are not finite and indices out of range are refused ---- */

/* The normal at each vertex, of length 1: the mean over its triangles, weighted by their angles
   there. Zero where there are none. `normals` has room for all vertices. */
SN_API sn_result sn_mesh_normals(const sn_mesh *mesh, sn_vec3 *normals);

/* The area of all triangles, m^2. */
SN_API sn_result sn_mesh_area(const sn_mesh *mesh, double *area);

/* The volume that the triangles enclose, m^3; negative where they face inward. Of a surface that is
   not closed it means nothing. */
SN_API sn_result sn_mesh_volume(const sn_mesh *mesh, double *volume);

/* The volume of all tets, m^3, and of each of them: `volumes` has room for all tets. */
SN_API sn_result sn_mesh_tet_volume(const sn_mesh *mesh, double *volume);
SN_API sn_result sn_mesh_tet_volumes(const sn_mesh *mesh, sn_real *volumes);

/* The lowest and the highest coordinates of the vertices, m. Refuses a mesh without vertices. */
SN_API sn_result sn_mesh_bounds(const sn_mesh *mesh, sn_vec3 *low, sn_vec3 *high);

/* Makes the triangles of the mesh the surface of its tets, outward. They use the same vertices;
   triangles that were there before are gone. */
SN_API sn_result sn_mesh_surface(sn_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
