/*
 * The parts of a cache, as an archive (sinew/archive.h) of these sections:
 *
 *   cache      frames per second
 *   staging    cameras and looks, where there are some (cache_staging.h)
 *   topology   what the shapes are: names, counts and elements of all, one after the other, and the
 *              vertices of rigid bodies
 *   frame      a moment of them: number, time, the values of all other vertices, and the poses and
 *              motions of rigid bodies
 *   ...        frames; another topology before the first frame that has it
 *   end
 *
 * One text writes and reads each of them.
 */
#ifndef SN_IO_CACHE_CACHE_PARTS_H
#define SN_IO_CACHE_CACHE_PARTS_H

#include <sinew/archive.h>

#include <sinew_io/cache.h>

#include "io/cache/cache_groups.h"

#include <stdio.h>

#define SN_IO_CACHE_KIND 0x48434143u /* CACH */

/* Bytes before the first section, and of the head of one: name, length, hash. */
enum { SN_IO_CACHE_HEAD = 16, SN_IO_SECTION_HEAD = 24, SN_IO_SECTION_NAME = 8 };

/* Which values a shape has beside positions. */
enum {
    SN_IO_HAS_VELOCITIES = 1,
    SN_IO_HAS_STRAIN = 2,
    SN_IO_HAS_RADII = 4,
    SN_IO_HAS_POSE = 8,
    SN_IO_HAS_OWN = 16 /* positions and velocities are what its own vertices have in the pose */
};

/* Arrays that belong to this struct; all zero at first. */
typedef struct sn_io_cache_topology {
    size_t shapes;
    char *names; /* each with a zero at its end */
    size_t name_bytes;
    uint64_t *ids;                                 /* sn_io_shape.topology, per shape */
    uint64_t *vertices, *triangles, *lines, *tets; /* counts, per shape */
    uint32_t (*triangle_corners)[3], (*line_corners)[2], (*tet_corners)[4];
    size_t vertex_total, triangle_total, line_total, tet_total;
    /* How surfaces are drawn; a cache whose shapes do not say it does not have these columns. */
    uint8_t *marks;    /* SN_IO_MARK_, per shape; null where there are none */
    uint64_t *creases; /* counts, per shape */
    uint32_t (*crease_corners)[2];
    sn_real (*uvs)[2];   /* of all shapes that have them */
    sn_vec3 *own;        /* vertices of rigid bodies in their frames */
    sn_vec3 *colours;    /* of all shapes whose vertices have some */
    uint32_t *materials; /* of the triangles of all shapes that have several */
    size_t crease_total, uv_total, own_total, colour_total, material_total;
    sn_io_cache_groups groups;
} sn_io_cache_topology;

enum {
    SN_IO_MARK_CREASED = 1,
    SN_IO_MARK_UVS = 2,
    SN_IO_MARK_OWN = 4,
    SN_IO_MARK_COLOURS = 8,
    SN_IO_MARK_MATERIALS = 16
};

/* How a rigid body moves. */
typedef struct sn_io_cache_motion {
    sn_vec3 velocity, angular_velocity; /* m/s, rad/s */
} sn_io_cache_motion;

typedef struct sn_io_cache_values {
    int number;
    double time;
    size_t shapes;
    uint8_t *has;                    /* per shape */
    sn_vec3 *positions, *velocities; /* of all shapes, or of those that have them */
    sn_real *strain, *radii;
    sn_io_pose *poses;                               /* of the shapes that have one */
    sn_io_cache_motion *motions;                     /* of those whose vertices are their own */
    size_t vertices, moving, strained, round, posed; /* how many of each */
    size_t rigid;
} sn_io_cache_values;

void sn_io_cache_topology_free(sn_io_cache_topology *t);
void sn_io_cache_values_free(sn_io_cache_values *v);

/* Opens a cache that anything may be the source of; the stream is closed with it, or at once where
   this fails. The name is for sentences. */
sn_result sn_io_cache_open_stream(FILE *stream, const char *name, sn_io_cache **out);

/* Whether a shape has vertices of its own, which are kept once. */
bool sn_io_cache_has_own(const sn_io_shape *shape);

/* Gather a frame. */
sn_result sn_io_cache_topology_of(const sn_io_frame *frame, sn_io_cache_topology *t);
sn_result sn_io_cache_values_of(const sn_io_frame *frame, sn_io_cache_values *v);

/* Write or read a section, with its head; what is read is checked, and then freed by the caller
   whether or not it failed. Values are read for a topology. */
void sn_io_cache_serialize_rate(sn_archive *a, double *fps);
void sn_io_cache_serialize_topology(sn_archive *a, sn_io_cache_topology *t);
void sn_io_cache_serialize_values(sn_archive *a, sn_io_cache_values *v,
                                  const sn_io_cache_topology *t);

#endif
