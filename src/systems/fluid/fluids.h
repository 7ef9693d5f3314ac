/* Fluids: lists of nodes that keep their volume, and what a step makes of them. */
#ifndef SN_SYSTEMS_FLUID_FLUIDS_H
#define SN_SYSTEMS_FLUID_FLUIDS_H

#include "base/archive.h"
#include "math/lanes.h"
#include "state/object.h"
#include "state/step_context.h"

#include <sinew/fluid.h>

typedef struct sn_fluid_members {
    sn_node *node;
    size_t count, capacity;
    sn_fluid_def def; /* without its list */
    /* Where sizes adapt: who waits to be a part of another, and 1/kg of the finest. */
    sn_node *spare;
    size_t spares, spare_capacity;
    sn_real finest;
    /* The mean volume of a particle (m^3) when all of `equals` had the inverse mass `equal`. */
    double mean, equal;
    size_t equals;
    /* Output. */
    sn_fluid_measures measures;
    size_t first, measured; /* particles in the scratch of the last step, and how many */
} sn_fluid_members;

/* What is the same for a particle during a step. */
typedef struct sn_fluid_particle {
    uint32_t node, fluid;
    sn_real volume;     /* m^3 */
    sn_real spacing;    /* m, the side of a cube of that volume */
    sn_real half_reach; /* m */
    sn_real alpha;      /* of its row */
    sn_real viscosity;  /* Pa s */
    uint32_t turns;     /* in how many iterations of a substep it takes part */
} sn_fluid_particle;

/* The part of a collider in the density at a place. */
enum { SN_FLUID_MOST_WALLS = 6 };
typedef struct sn_fluid_wall_part {
    sn_vec3 normal;
    sn_real slope;     /* 1/m, of the density along it */
    sn_real pull;      /* N, against it: adhesion */
    sn_real turn;      /* 1/m kg^-1/2, |I^-1/2 (r x slope)| where the collider is carried */
    uint32_t collider; /* + 1; 0 behind the last */
} sn_fluid_wall_part;

/* What fluids do in an iteration to a node that carries colliders (fluid_carriers.c). */
typedef struct sn_fluid_load {
    double slope, turn; /* 1/m, 1/m kg^-1/2: sums over all parts of its colliders */
    double push[3];     /* kg m */
    double twist[3];    /* kg m^2, with the lever arms of now and of when the substep began */
    double begun[3];
    size_t places;
} sn_fluid_load;

/* Particles in pieces, whose sums and bounds do not depend on who makes them. */
enum { SN_FLUID_PIECE = 1024 };
typedef struct sn_fluid_piece {
    double reach, margin;    /* m, the largest and the least that there is to be */
    int64_t low[3], high[3]; /* cells */
    sn_fluid_measures sum;   /* of its particles, the largest of what is one */
    bool is_thick, is_detailed, is_alike;
} sn_fluid_piece;

static inline size_t sn_fluid_pieces(size_t count) {
    return (count + SN_FLUID_PIECE - 1) / SN_FLUID_PIECE;
}

/*
 * The particles of all fluids at places: ordered by the cell of a grid that they are in, so that
 * those near each other are near in memory. Where particles are farther apart than the grid has
 * room for it comes again, so that there is no end to the world; the distance tells who is meant.
 * Within a cell particles are in the order of fluids and lists.
 *
 * Places come in blocks of SN_BLOCK. A block has rows of neighbours: number k of each of its
 * places, and where a place has fewer, the place behind all, which is nowhere. So lanes are places,
 * and every sum is made in the order of rows whatever their number.
 */
typedef struct sn_fluid_places {
    sn_fluid_particle *particle; /* in the order of fluids and lists */
    sn_vec4 *output;             /* of each: density over that at rest, pressure (Pa), neighbours */
    uint32_t *bucket;            /* of each, the cell */
    size_t count, blocks, capacity;
    sn_fluid_piece *piece; /* scratch of those who look at particles piece by piece */
    size_t piece_capacity;

    /* Of each: m from the origin, where it was farther from all walls than it reaches, and how far
       it may go from there in this step; 0 where that is not known. */
    sn_vec4 *clear;
    size_t clear_capacity;

    uint32_t *start;  /* the first place of each cell, and the end */
    sn_vec4 *strayed; /* m, per cell: the least and the largest way that one of its places went */
    uint8_t *astray;  /* per cell, whether that is too different */
    size_t start_capacity, strayed_capacity, astray_capacity;
    int64_t low[3];     /* the first cell in which somebody is */
    uint32_t wide[3];   /* cells along each axis, with two at either end where nobody is */
    size_t cells, room; /* of all of them, and at most */
    double cell;        /* m, how wide cells are: as far as any particle reaches, and the margin */
    double reach;       /* m, that of the particle that reaches farthest */
    double margin;      /* m, by which neighbours may be farther than they reach */
    sn_vec4 origin;

    /* Per place; one block more than there are particles. */
    uint32_t *order; /* which particle */
    uint32_t *node;  /* which node */
    sn_vec4 *y;      /* m from the origin; and V, in m^3 */
    sn_vec4 *found;  /* m, where it was when neighbours were found */
    sn_vec4 *wall;   /* 1/m, 1: slope and density of what colliders there are */
    sn_vec4 *trait;  /* R / 2 in m, w in 1/kg, alpha, artificial pressure */
    sn_vec4 *change; /* y, and by how much lambda changes, over V */
    sn_vec4 *v;      /* m/s, and the viscosity in Pa s */
    sn_real *lambda, *density;
    sn_real *push;  /* artificial pressure as such, over V */
    uint8_t *aside; /* whether it was at the very place of another */
    uint32_t *busy; /* in how many iterations it or one of its neighbours takes part */

    /*
     * In a periodic world, images of the particles near its sides: places behind that of nobody,
     * ordered by cells as the others are, which are neighbours and nothing else. What neighbours
     * are asked for is copied to them.
     */
    struct sn_fluid_image *image; /* as they were found */
    uint32_t *twin;               /* of each, the place that it is an image of */
    sn_vec4 *shift;               /* m, how far it is from it */
    uint32_t *image_start;        /* as of `start`, where there are any */
    size_t images, image_room;
    double excess; /* m, how far beyond the box somebody may be */
    size_t image_capacity, twin_capacity, shift_capacity, image_start_capacity;

    /* x, y and z of `found`, each behind the other, with room for the last four. */
    sn_real *along[3];
    sn_real *alongs;
    size_t alongs_capacity;

    uint32_t *near;  /* rows of SN_BLOCK places */
    sn_real *factor; /* for each: what V_j grad W is of what is between them, when last found */
    size_t near_capacity, factor_capacity;
    size_t rows;         /* that every block has room for */
    uint32_t *row_count; /* that are used, per four places */
    sn_vec4 *drift;      /* m, per piece: sums of how far places went */
    /* Per place, where a step asks for them: of velocities that are solved for, what is missing and
       where they are looked for, in m/s; and what comes of that, or vorticity and its length, in
       1/s. Sums over blocks. */
    sn_vec4 *residual, *search, *product;
    sn_vec4 *grip;  /* N, by which colliders pull; likewise */
    sn_vec4 *rates; /* all four, behind each other */
    double *sum;
    size_t rates_capacity, sum_capacity;

    /* Where sizes adapt: m, of each place, how deep it is, twice; and the one it would join. */
    double *depth;
    uint32_t *partner;
    size_t depth_capacity, partner_capacity;
    /* Of each place, where forces on colliders are kept or bodies carry some:
       SN_FLUID_MOST_WALLS. */
    sn_fluid_wall_part *part;
    size_t part_capacity;
    /* Where bodies carry colliders: the places that are near one; by how much their denominators
       are larger for it, of all; and per frame what is done to its node. */
    uint32_t *beside;
    sn_real *give;
    sn_fluid_load *load;
    size_t besides, beside_capacity, give_capacity, load_capacity;

    bool is_found; /* whether there are lists in this step */
    bool is_asleep;
    bool is_tense;    /* whether there is artificial pressure */
    bool is_thick;    /* whether there is so much viscosity that velocities are solved for */
    bool is_cohesive; /* whether there are bridges between grains */
    bool is_confined; /* whether vorticity is put back */
    bool is_tight;    /* whether there is surface tension */
    bool is_weighed;  /* whether forces on colliders are kept */
    bool is_carried;  /* whether there are colliders that nodes with a mass carry */
    bool is_kept;     /* whether vorticity is kept */
    bool is_detailed; /* whether some take part in fewer iterations than others */
    bool is_equal;    /* whether densities that are too small count */
    bool is_smooth;   /* whether there is XSPH */
    bool is_alike;    /* whether volume, mass, reach and viscosity are the same for all */
} sn_fluid_places;

typedef struct sn_fluids {
    sn_slots slots;
    sn_fluid_members *members;
    size_t capacity;
    sn_fluid_places places; /* scratch */
    /* Output: N s, of the last step, what fluids did to each collider. */
    double *push;
    size_t pushed, push_capacity; /* colliders, and numbers */
} sn_fluids;

static inline sn_fluids *sn_fluids_of(const sn_world *world) {
    return world->system_state[SN_SYSTEM_FLUID];
}

extern const sn_object sn_fluid_object;

/* ---- Lists (fluids.c) ---- */

/* Adds a fluid with a copy of the list and says where; false when there is no memory. */
bool sn_fluids_add(sn_fluids *fluids, sn_memory *memory, const sn_fluid_def *def, uint32_t *index);
void sn_fluids_remove(sn_fluids *fluids, sn_memory *memory, uint32_t index);
void sn_fluids_free(sn_fluids *fluids, sn_memory *memory);
/* Takes the nodes whose `alive` is this out of all fluids. */
void sn_fluids_forget(sn_fluids *fluids, const uint8_t *alive, uint8_t doomed);

/* ---- Who is near whom (fluid_places.c, fluid_grid.c, fluid_neighbours.c, fluid_drift.c,
   fluid_walls.c) ---- */

/* Room for all particles, and what is the same for each of them in the step. */
bool sn_fluid_places_plan(sn_step *step);
/* fluid_particles.c: adds those of a fluid. */
void sn_fluid_particles_add(const sn_step *step, size_t fluid);
void sn_fluid_places_free(sn_fluid_places *places, sn_memory *memory);
/* Of a world: where places are now, in a range of blocks; and what else is the same for a
   substep. */
void sn_fluid_places_gather(void *context, size_t begin, size_t end);
void sn_fluid_places_settle(void *context, size_t begin, size_t end);
/* m from the origin: where a particle is. */
static inline sn_vec4 sn_fluid_particle_at(const sn_world *world, const sn_fluid_places *s,
                                           size_t particle) {
    const uint32_t node = s->particle[particle].node;
    sn_vec4 x = world->nodes.x[node], d = world->nodes.d[node], o = s->origin;
    return (sn_vec4){(x.x - o.x) + d.x, (x.y - o.y) + d.y, (x.z - o.z) + d.z, 0};
}
/* Where places and their images are now, where blocks alone would do for places. */
void sn_fluid_places_refresh(sn_world *world);

/* fluid_images.c: how many images there may be in a step, with room for what is known of each;
   which there are, after places were sorted; and what of a place is that of its images as well:
   where they are, artificial pressure, or something else. */
bool sn_fluid_images_reserve(sn_world *world, double dt);
void sn_fluid_images_free(sn_fluid_places *places, sn_memory *memory);
void sn_fluid_images_find(sn_world *world);
void sn_fluid_images_place(const sn_world *world, sn_vec4 *column);
void sn_fluid_images_push(const sn_world *world);
void sn_fluid_images_copy(const sn_world *world, sn_vec4 *column);

/* The first place that is an image; and whether a place is not that of nobody. */
static inline size_t sn_fluid_first_image(const sn_fluid_places *s) {
    return (s->blocks + 1) * SN_BLOCK;
}
static inline bool sn_fluid_is_somebody(const sn_fluid_places *s, size_t at) {
    return at < s->count || at >= sn_fluid_first_image(s);
}

/* Puts particles into the cells of a grid, and so into places. */
void sn_fluid_grid_sort(sn_world *world);
/* In which cell somebody at a place (m from the origin) is. */
uint32_t sn_fluid_grid_bucket(const sn_fluid_places *places, sn_vec4 y);
/* Which cell is so many along each axis from another one. */
size_t sn_fluid_grid_beside(const sn_fluid_places *places, const int64_t cell[3], int64_t x,
                            int64_t y, int64_t z);
/* How many along each axis a cell is. */
void sn_fluid_grid_cell(const sn_fluid_places *places, size_t bucket, int64_t cell[3]);
/* Whether somebody has gone so far that a neighbour may be missing in the lists. */
bool sn_fluid_places_have_drifted(sn_world *world);
/* Puts particles into places and finds their neighbours. */
void sn_fluid_neighbours_find(sn_world *world);

/* Room for as many neighbours as particles have before a step; false where there is none. */
bool sn_fluid_neighbours_reserve(sn_world *world);
/* What the substep begins with: neighbours where somebody went too far, and walls. */
void sn_fluids_detect(sn_step *step);
/* The densities of colliders, in a range of blocks of a world. */
void sn_fluid_walls_measure(void *context, size_t begin, size_t end);

/* Whether the parts of colliders in densities are kept. */
static inline bool sn_fluid_has_parts(const sn_fluid_places *s) {
    return s->is_weighed || s->is_carried;
}

/* fluid_wall_forces.c: room for forces on colliders in a step, where they are kept; those of a
   substep; and the impulse (N s) on one in the last step, added to a sum. */
bool sn_fluid_wall_forces_reserve(sn_world *world);
void sn_fluid_wall_forces_add(const sn_world *world, double h);
void sn_fluid_wall_impulse(const sn_world *world, uint32_t collider, double sum[3]);

/* fluid_carriers.c: room for what is done to nodes that carry colliders; where these are now; by
   how much denominators are larger for them; and what an iteration does to them, of which the first
   has adhesion as well, and the last of a step joins islands. */
bool sn_fluid_carriers_reserve(sn_world *world);
void sn_fluid_carriers_follow(const sn_world *world);
void sn_fluid_carriers_weigh(const sn_world *world);
void sn_fluid_carriers_push(const sn_step *step);

/* ---- What a step does (project_fluid.c) ---- */

void sn_fluids_project(sn_step *step);
/* fluid_tension.c: by how much colliders pull a particle of a volume (m^3) that reaches so far (m)
   and is at a distance (m) from their surface, in m^5 N^-1 m: times surface tension and adhesion
   it is a force. */
double sn_fluid_grip_of(double far, double spacing, double reach, double volume);

/* ---- What it does to velocities (fluid_velocities.c, fluid_solve.c) ---- */

bool sn_fluids_are_viscous(const sn_world *world);
void sn_fluids_apply_viscosity(sn_step *step);
bool sn_fluids_are_confined(const sn_world *world);
void sn_fluids_confine_vorticity(sn_step *step);
bool sn_fluids_are_smoothed(const sn_world *world);
void sn_fluids_smooth_velocities(sn_step *step);
bool sn_fluids_are_kept(const sn_world *world);
void sn_fluids_keep_vorticity(sn_step *step);
bool sn_fluids_are_in_air(const sn_world *world);
void sn_fluids_apply_air(sn_step *step);

/* ---- What it does to sizes (fluid_sizes.c) ---- */

bool sn_fluids_adapt_sizes(const sn_world *world);
bool sn_fluid_sizes_plan(sn_step *step);
void sn_fluids_adapt(sn_step *step);

/* serialize_fluids.c: the part of a snapshot. */
void sn_world_serialize_fluids(sn_world *world, sn_archive *a);

#endif
