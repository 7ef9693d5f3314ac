/*
 * A frame made ready to be drawn: points near the origin, normals, radii, and all elements numbered
 * through as items. Shadows and the picture go over the same items with another projector.
 */
#ifndef SN_PICTURE_PICTURE_STAGE_H
#define SN_PICTURE_PICTURE_STAGE_H

#include "picture/picture_fabric.h"
#include "picture/picture_fill.h"

#include <sinew_picture/picture.h>

/* One shape. Its items are its triangles, then its lines, then a ball for each vertex. */
typedef struct stage_part {
    const sn_io_shape *shape;
    const sn_io_look *look;                /* its own, or that of a material of it; may be null */
    struct stage_part *skins;              /* itself with each of its materials; null without */
    size_t first_vertex;                   /* in the arrays of the stage */
    uint32_t triangles, lines, balls, end; /* the first item of each kind, and that after all */
    vec front, back;                       /* colours of the two sides, linear */
    bool painted;                          /* vertices have colours, in place of the front */
    bool has_back;                         /* the back is not the front, duller */
    float opacity, sheen;                  /* as in sn_io_look */
    bool smoke;                            /* likewise */
    float power, shine;                    /* how narrow and how bright highlights are */
    fabric fabric;                         /* plain where there are no uvs */
    bool has_value;                        /* of the colouring; else it has its colours */
    int level;                             /* how often its triangles were divided into four */
    bool closed; /* its triangles enclose a volume, so that no light comes through */
} stage_part;

typedef struct stage {
    size_t vertex_count, part_count;
    uint32_t item_count;
    double origin[3]; /* m, where the points below have their zero */
    stage_part *parts;
    vec *points;       /* m; NaN where a vertex cannot be drawn */
    vec *normals;      /* unit vectors, or zero where there are no triangles */
    float *radii;      /* m, of balls; less than 0 where there is none */
    float *values;     /* of the colouring; null where shapes have one colour each */
    float (*uvs)[2];   /* m, of shapes with a fabric; null where none has one */
    vec *colours;      /* linear, of parts that are painted; null where none is */
    stage_part *skins; /* of all parts */
    texture *textures; /* of parts and skins, each once */
    size_t skin_count, texture_count;
    /* Triangles at edges to be seen have normals of their own at their corners. */
    vec (*corners)[3];
    size_t corner_count;
    uint32_t *corners_of; /* per item, or STAGE_NOTHING */
    /* Per item: those with the same number are one surface, whose edges are not to be seen. */
    uint32_t *surface;
    vec *places;     /* of the points as the last projector saw them, with keys; z is NaN where
                        an element has to be cut */
    vec least, most; /* the box of what is drawn, m */
    int threads;
    bool any_clear; /* something can be seen through */
} stage;

/* Which items are drawn: all that hide what is behind them, those that can be seen through, or
   those that cast shadows. */
typedef enum stage_choice { STAGE_OPAQUE, STAGE_CLEAR, STAGE_SHADOW } stage_choice;

static inline bool stage_has(const stage_part *part, stage_choice choice) {
    if (choice == STAGE_SHADOW) return part->opacity >= 0.5f;
    return (part->opacity < 1) == (choice == STAGE_CLEAR);
}

/* The part as an item of it looks. */
static inline const stage_part *stage_skin(const stage_part *part, uint32_t item) {
    if (!part->skins || item >= part->lines) return part;
    return &part->skins[part->shape->triangle_materials[item - part->triangles]];
}

/* The surface of nothing, and what those have that are of one item each. */
#define STAGE_NOTHING UINT32_MAX
#define STAGE_ALONE (UINT32_C(1) << 31)

static inline bool stage_is_alone(uint32_t surface) {
    return surface >= STAGE_ALONE && surface != STAGE_NOTHING;
}

/* Which items the bands of a picture or a map may show, in the order of their numbers. A band is
   `height` rows and a row more on either side. */
typedef struct stage_bins {
    int bands, height;
    stage_choice choice;
    int coarse;    /* four triangles that were one are taken for it again, so often */
    size_t *start; /* of the items of a band; bands + 1 of them */
    uint32_t *items;
    uint32_t *thin; /* room for those that a band has to look at again */
} stage_bins;

/* Checks the frame, whose shapes were divided so often, and makes the arrays. `view` says the
   colours and how many threads there are; radii that are missing or too small to be seen are made
   larger, for a camera. */
sn_result sn_stage_make(stage *s, const sn_io_frame *frame, const int *levels,
                        const sn_picture_view *view, const projector *camera);
void sn_stage_free(stage *s);

/* A position relative to the origin of the stage. */
vec sn_stage_local(const double origin[3], sn_vec3 position);

/* Twice the area of a triangle as a vector along its normal; zero where it cannot be drawn. */
static inline vec stage_area(const vec *points, const uint32_t t[3]) {
    vec a = points[t[0]], n = cross(sub(points[t[1]], a), sub(points[t[2]], a));
    return dot(n, n) < INFINITY ? n : (vec){0, 0, 0};
}

/* The inside of a thing is seldom as clean as its outside. */
static inline vec stage_duller(vec front) {
    return mix(front, (vec){0.42f, 0.40f, 0.37f}, 0.35f);
}

/* Sees all points through a projector, into `places`. */
void sn_stage_project(stage *s, const projector *p);

/* Sorts the items into bands as they were projected; `rows` of them in all. Of a map, triangles may
   be as coarse as they were some divisions ago. False when there is no memory. */
bool sn_bins_make(stage_bins *bins, const stage *s, const projector *p, int rows, int height,
                  stage_choice choice, int coarse);
void sn_bins_free(stage_bins *bins);

/* Draws the items of a band. */
void sn_bins_fill(const stage_bins *bins, int band, const stage *s, const projector *p,
                  fill_buffer *buffer);

/* The part that an item belongs to; `guess` is tried first. */
const stage_part *sn_stage_part_of(const stage *s, uint32_t item, const stage_part *guess);

#endif
