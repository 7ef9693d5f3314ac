/*
 * Runs of frames in which a shape keeps its elements: what a format can hold in one piece that has
 * no words for elements that change. Where they change, or where a shape is missing for a while,
 * its next segment begins.
 *
 * A shape that tears goes on (export_torn.h): its segment has the last elements, and in frames
 * before a tear the copies of a vertex are where it is.
 *
 * Positions wait in the spool, as little-endian floats. Where a shape has triangles or lines, only
 * the vertices that those use are read: programs drop the others, and would then count differently.
 */
#ifndef SN_IO_ANIMATION_EXPORT_SEGMENTS_H
#define SN_IO_ANIMATION_EXPORT_SEGMENTS_H

#include "io/animation/export_groups.h"
#include "io/animation/export_spool.h"
#include "io/animation/export_surface.h"

/* The positions of a segment in a frame. */
typedef struct sn_io_sample {
    size_t frame;    /* the how manyth frame of the export, from 0 */
    int number;      /* of the frame */
    uint64_t key;    /* a hash of the positions */
    size_t vertices; /* that the shape had */
    sn_io_range positions;
    sn_io_pose pose; /* of a rigid body, whose positions are in its frame */
} sn_io_sample;

typedef struct sn_io_segment {
    char *shape;       /* its name */
    uint64_t topology; /* a hash of it */
    bool is_first;     /* of its shape */
    size_t all;        /* vertices of the shape in its last frame */
    uint32_t *origins; /* what those that tears made are copies of; null where it never tore */
    /* Of all vertices, and when it is finished of those that are kept. */
    uint32_t (*triangles)[3], (*lines)[2], (*tets)[4];
    size_t triangle_count, line_count, tet_count;
    sn_real (*uvs)[2];        /* of all vertices; null without */
    sn_vec3 *colours;         /* likewise, sRGB */
    bool is_rigid;            /* whether its samples have poses */
    bool shows_colours;       /* whether those of vertices are to be seen */
    sn_io_group_marks groups; /* of all vertices */
    sn_io_surfaces surfaces;  /* of the first frame; sorted when it is finished */
    size_t vertices;          /* that are kept */
    uint32_t *kept;           /* which ones; null for all */
    sn_io_sample *samples;
    size_t count, capacity;
    bool is_over;
    /* Of the present frame, which is not yet written. */
    bool is_here;
    sn_io_sample next;
} sn_io_segment;

typedef struct sn_io_segments {
    sn_io_spool spool;
    sn_io_segment *items;
    size_t count, capacity;
    size_t cursor; /* where the next shape of a frame is probably found */
    size_t frames;
    bool is_even; /* whether the numbers of the frames of a segment must be evenly spaced */
} sn_io_segments;

sn_result sn_io_segments_open(sn_io_segments *segments, const sn_io_export *e, const char *ending,
                              double growth);
void sn_io_segments_free(sn_io_segments *segments);

/* Adds a frame, or fails and adds nothing. */
sn_result sn_io_segments_add(sn_io_segments *segments, const sn_io_frame *frame);

/* When all frames are there: finds which vertices are kept. */
sn_result sn_io_segments_finish(sn_io_segments *segments);

/* The vertex that had the place of one of the last frame when there were so many. */
static inline uint32_t sn_io_segment_origin(const sn_io_segment *s, uint32_t vertex, size_t count) {
    while (vertex >= count) vertex = s->origins[vertex];
    return vertex;
}

/* Reads the positions of a sample into as many vectors as the segment has vertices. */
sn_result sn_io_segments_read(sn_io_segments *segments, const sn_io_segment *segment,
                              const sn_io_sample *sample, sn_vec3 *positions);

#endif
