/* What the files about shape matchings share within a step. */
#ifndef SN_SYSTEMS_SHAPE_MATCHING_MATCH_SHAPES_H
#define SN_SYSTEMS_SHAPE_MATCHING_MATCH_SHAPES_H

#include "math/matrix3.h"
#include "systems/shape_matching/shape_matchings.h"

/* A matching at work. */
typedef struct sn_match {
    sn_world *world;
    sn_shape_matchings *all;
    const sn_shape_matching_state *matching;
    double origin[3]; /* m, what positions are relative to: about the middle of all */
    size_t width;     /* of the rows of motions */
    double alpha, k;  /* 1, alpha / h^2, and the part of an error that is corrected */
    double share;     /* 1, of the inverse masses that this substep sees */
    double dt;        /* s, of the whole step */
    bool first;       /* of the sweeps of a substep */
} sn_match;

/* Of a region, from the sums: where its centre is, A, and its rotation. */
typedef struct sn_match_found {
    double centre[3], a[9], rotation[9];
} sn_match_found;

/* Whether a matching has something to do; what it works with, then. */
bool sn_match_begin(sn_match *c, sn_step *step, size_t i);
/* Sums of where the nodes are. */
void sn_match_gather(const sn_match *c);
/* Finds four regions from r on, of those before `end`, and keeps their rotations. */
void sn_match_four(const sn_match *c, size_t r, size_t end, sn_match_found *found);

/* match_fibres.c: walks along all fibres; and blends what that says of a node into its error. */
void sn_match_fibres_walk(const sn_match *c);
void sn_match_fibres_blend(const sn_match *c, size_t i, double e[3]);

/* Where a node is. */
SN_INLINE void sn_match_place(const sn_match *c, size_t slot, double out[3]) {
    sn_vec4 x = c->world->nodes.x[slot], d = c->world->nodes.d[slot];
    out[0] = ((double)x.x - c->origin[0]) + (double)d.x;
    out[1] = ((double)x.y - c->origin[1]) + (double)d.y;
    out[2] = ((double)x.z - c->origin[2]) + (double)d.z;
}

/* Brings a matrix nearer to 1, to this norm of the difference at most. */
SN_INLINE void sn_match_bound(double a[9], double limit) {
    double norm = 0;
    for (int k = 0; k < 9; k++) {
        double off = a[k] - (k % 4 == 0 ? 1 : 0);
        norm += off * off;
    }
    norm = __builtin_sqrt(norm);
    if (!(norm > limit)) return;
    for (int k = 0; k < 9; k++) {
        double one = k % 4 == 0 ? 1 : 0;
        a[k] = one + limit / norm * (a[k] - one);
    }
}

#endif
