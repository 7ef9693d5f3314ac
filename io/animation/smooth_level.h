/* One division of triangles into four: which vertices there are afterwards, and of what they are
   sums. */
#ifndef SN_IO_ANIMATION_SMOOTH_LEVEL_H
#define SN_IO_ANIMATION_SMOOTH_LEVEL_H

#include <sinew_io/frame.h>

/* The elements that are divided; also the result, whose arrays belong to the level. */
typedef struct smooth_mesh {
    size_t vertices, triangle_count, line_count, crease_count;
    const uint32_t (*triangles)[3], (*lines)[2], (*creases)[2];
    const sn_real (*uvs)[2]; /* null where there are none */
    /* Where the turns of borders are seen, with so many numbers for a vertex; null: nowhere. */
    const sn_real *places;
    int place_width;
    /* After a division: which vertices are corners, or between corners alone, and stay. */
    const bool *corners;
    size_t corner_count;
} smooth_mesh;

/* A vertex on an edge is 3/8 of its ends and 1/8 of the two that are opposite to it; on a hard edge
   or a line, the middle of its ends, and the others are SMOOTH_NONE. */
#define SMOOTH_NONE UINT32_MAX
typedef struct smooth_edge {
    uint32_t end[2], opposite[2];
} smooth_edge;

typedef struct smooth_level {
    smooth_mesh mesh; /* after the division */
    size_t before;    /* vertices before it; edges follow in their order */
    smooth_edge *edges;
    size_t edge_count;
    /* A vertex becomes `own` of itself and `share` of each of those around it, which are
       around[first[i]] to around[first[i + 1] - 1]. */
    bool *corners;
    sn_real *own, *share;
    uint32_t *around;
    size_t *first;
} smooth_level;

/* SN_ERROR_LIMIT or SN_ERROR_MEMORY; what there is must be freed all the same. Indices must be of
   vertices. */
sn_result sn_smooth_level_make(smooth_level *level, const smooth_mesh *mesh);
void sn_smooth_level_free(smooth_level *level);

/* Takes values of vertices, `width` numbers each (1 to 3), over the division. */
void sn_smooth_level_apply(const smooth_level *level, const sn_real *from, int width, sn_real *to);

#endif
