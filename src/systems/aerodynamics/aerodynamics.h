/*
 * Air: who makes the wind, and what a step knows of the triangles that it blows on.
 *
 * The lists are made of all sheets that air acts on when a sheet has changed
 * (systems/aerodynamics/air_lists.c).
 */
#ifndef SN_SYSTEMS_AERODYNAMICS_AERODYNAMICS_H
#define SN_SYSTEMS_AERODYNAMICS_AERODYNAMICS_H

#include "base/memory.h"

#include <sinew/world.h>

/* A triangle in the air. */
typedef struct sn_air_triangle {
    uint32_t node[3]; /* slots */
    uint32_t model;   /* that of its sheet, or one of its own behind those of all sheets */
    /* Of every node: a third of the area of its triangles at rest over that of this one. Times the
       inverse mass it is that of a triangle which had its share of the node alone. */
    sn_real share[3];
} sn_air_triangle;

/* A node of such triangles. */
typedef struct sn_air_member {
    uint32_t node;  /* slot */
    uint32_t first; /* of its triangles in `of`, which end where those of the next one begin */
} sn_air_member;

/* What the triangles of a sheet have in common in a step, or one has alone. */
typedef struct sn_air_model {
    sn_vec4 numbers;  /* drag, lift, drag^2 - lift^2 and lift^2 */
    sn_real sides;    /* 1 where it is closed with the outside up, -1 with the inside; 0 */
    uint32_t origin;  /* the node where its pressure is 0 */
    sn_vec3 pressure; /* Pa/m, how it grows, times sides */
} sn_air_model;

typedef struct sn_air {
    sn_wind *wind; /* of the user; null for none */
    void *user;
    double drift[3]; /* m, how far the wind has carried its gusts */

    uint32_t changes; /* of the sheets when the lists were made */
    bool made;
    /* In fours: behind the last triangle it is there again until four are full. */
    sn_air_triangle *triangle;
    sn_vec4 *force; /* N, of every triangle on each of its nodes */
    sn_real *w;     /* 1/kg, of every triangle, 0 behind the last */
    size_t triangles, triangle_capacity;
    sn_air_member *member; /* and one more, for the end of the last one's triangles */
    size_t members, member_capacity;
    uint32_t *of; /* triangles of members */
    size_t of_capacity;
    sn_air_model *model; /* of every sheet, then of triangles that have their own */
    size_t models, model_capacity;
    sn_vec4 *blown; /* m/s, the wind at every node, where it is not the same everywhere */
    size_t blown_capacity;
} sn_air;

#define SN_AIR_COLUMNS(air)                                                                        \
    {                                                                                              \
        {(void **)&(air)->triangle, sizeof *(air)->triangle},                                      \
            {(void **)&(air)->force, sizeof *(air)->force}, {                                      \
            (void **)&(air)->w, sizeof *(air)->w                                                   \
        }                                                                                          \
    }
enum { SN_AIR_COLUMN_COUNT = 3 };

void sn_air_free(sn_air *air, sn_memory *memory);

#endif
