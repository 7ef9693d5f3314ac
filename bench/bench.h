/* What the parts of `sinew bench` share: a case is measured, a row is what came out. */
#ifndef SN_BENCH_BENCH_H
#define SN_BENCH_BENCH_H

#include "app/app.h"

#include <scenes.h>

enum { BENCH_NAME = 64 };

typedef struct bench_row {
    double ms_per_frame;      /* the median of a run, or the mean */
    double worst_ms;          /* the longest frame of a run */
    double ns_per_projection; /* with a mesh from the whole frame, else from the solve alone */
    double error;             /* mean strain of the edges; without edges rms of C */
    double contacts;          /* that touched, the mean over the frames */
    double candidates;        /* pairs of elements that might have met, likewise */
    uint64_t hash;
} bench_row;

typedef struct bench_case bench_case;
struct bench_case {
    char name[BENCH_NAME];
    int size;               /* nodes along a side, or the number of a type */
    int frames, repeats;    /* the best repeat counts */
    int settle;             /* frames before those that count */
    const char *limit_name; /* the row of the limits program; null when there is none */
    size_t limit_size;
    const char *limit_more; /* a row of the same size that is added so many times; null: none */
    int limit_times;
    sn_real dt;         /* s */
    size_t projections; /* per substep, of a scene without a mesh; 0 counts the solve alone */
    sn_solver solver;   /* of the world */
    sn_integrator integrator;
    int substeps;         /* 0: those of the scene */
    bool tethers, levels; /* whether S1 has them, beside its edges */
    scene_self self;      /* what the cloth of S6 meets */
    bool mean;            /* the mean over the frames counts, as they differ */
    /* One run of what is no world that is built, such as a scene file, where `frames` 0 means as
       many as it says; null elsewhere. */
    sn_result (*run)(const bench_case *c, int threads, bench_row *row);
    /* Builds the scene. One without a mesh is measured by the projections the solver counts. */
    sn_result (*build)(sn_world *world, const bench_case *c, scene_mesh *mesh);
};

/* The cases; `cases` has room for BENCH_CASES. Quick ones have few frames. */
enum {
    BENCH_SCENES = 38,
    BENCH_MATCHINGS = 17,
    BENCH_PICTURES = 2,
    BENCH_FILES = 512,
    BENCH_CASES = BENCH_SCENES + SN_TYPE_COUNT + BENCH_MATCHINGS + BENCH_PICTURES + BENCH_FILES
};
void bench_list_scenes(bench_case cases[BENCH_SCENES], bool quick);
void bench_list_types(bench_case cases[SN_TYPE_COUNT], bool quick);
void bench_list_matchings(bench_case cases[BENCH_MATCHINGS], bool quick);
void bench_list_pictures(bench_case cases[BENCH_PICTURES], bool quick);
/* How many scene files there are, at most BENCH_FILES. */
int bench_list_files(bench_case cases[BENCH_FILES], bool quick);

/* One run of a scene file, or pictures of a cloth. */
sn_result bench_run_file(const bench_case *c, int threads, bench_row *row);
sn_result bench_run_picture(const bench_case *c, int threads, bench_row *row);
double bench_median(double *values, int count);
double bench_mean(const double *values, int count);

/* APP_CONTINUE, or APP_FAILED after a message. */
app_exit bench_measure(const bench_case *c, int threads, bench_row *best);

#endif
