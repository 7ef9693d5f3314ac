/*
 * What the generators of meshes share: a mesh with room for all that will be put into it, so that
 * only the beginning and the end can fail, and marks on vertices that become groups.
 */
#ifndef SN_GEOMETRY_GENERATE_MESH_MAKER_H
#define SN_GEOMETRY_GENERATE_MESH_MAKER_H

#include <sinew/generate.h>

#include "base/error.h"
#include "geometry/mesh_access.h"

typedef struct sn_maker {
    sn_mesh *mesh;
    sn_memory memory;
    uint32_t *mark; /* a bit per group and vertex */
    size_t marks;
} sn_maker;

/* Numbers of elements as double, since products of what users ask for do not fit elsewhere. */
typedef struct sn_maker_room {
    double vertices, triangles, tets, lines;
} sn_maker_room;

/* Refuses meshes that are not empty and more elements than a mesh can have. */
sn_result sn_maker_begin(sn_maker *maker, sn_mesh *mesh, const char *what, sn_maker_room room);

/* Makes the groups: bit i of the marks is that of names[i]. After a failure the mesh is empty. */
sn_result sn_maker_end(sn_maker *maker, const char *const *names, size_t count);

uint32_t sn_maker_vertex(sn_maker *maker, sn_point x, uint32_t mark);
void sn_maker_triangle(sn_maker *maker, uint32_t a, uint32_t b, uint32_t c);
void sn_maker_tet(sn_maker *maker, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* A quadrilateral a b c d, anticlockwise, cut from a to c or from b to d. */
void sn_maker_quad(sn_maker *maker, const uint32_t corner[4], bool from_a);

/* The definition is one, and of this version. Here, so that static analysis sees that it is. */
static inline sn_result sn_maker_expect(const void *def, size_t size, size_t expected,
                                        const char *what) {
    if (!def) return sn_fail(SN_ERROR_NULL, "%s: the definition is null", what);
    if (size != expected)
        return sn_fail(SN_ERROR_DEFINITION,
                       "%s: the size of the definition is %zu, expected %zu: begin with "
                       "sn_%s_def_default",
                       what, size, expected, what);
    return SN_OK;
}

/* A length from 1e-9 to 1e9 m, and a number of parts from `least` to 2^24. */
sn_result sn_maker_expect_length(const char *what, const char *field, sn_real value);
sn_result sn_maker_expect_parts(const char *what, const char *field, uint32_t value,
                                uint32_t least);

/* The places of the inside of a disc in the plane at height y: its centre and all rings but the
   rim. The rim has `segments` vertices, the rings between have fewer the further inside. */
uint32_t sn_maker_disc_inside(sn_maker *maker, double radius, double y, uint32_t rings,
                              uint32_t segments, uint32_t mark);
double sn_maker_disc_inside_count(uint32_t rings, uint32_t segments);

/* Its triangles, from the inside to the rim, which begins at vertex `rim`; seen anticlockwise from
   above where `up`. */
void sn_maker_disc_fill(sn_maker *maker, uint32_t inside, uint32_t rim, uint32_t rings,
                        uint32_t segments, bool up);

/* `count` vertices on a circle about the y axis, anticlockwise seen from above. */
uint32_t sn_maker_circle(sn_maker *maker, double radius, double y, uint32_t count, uint32_t mark);

#endif
