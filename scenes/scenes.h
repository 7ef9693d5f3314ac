/*
 * Scenes that tests, benchmarks and the command share: cloth grids, a beam of tetrahedra, a chain,
 * a rod, boxes, and the measured scenes S1 to S6, which are these with fixed numbers.
 *
 * A builder makes nodes and constraints in tet mesh and fills a scene_mesh with what it made, for
 * export and measurement. It fails with the result of the library call that failed, whose sentence
 * is in sn_last_error(), or with SN_ERROR_VALUE for sizes outside their range and SN_ERROR_MEMORY.
 * The world may then hold a part of the scene and is best destroyed.
 */
#ifndef SCENES_H
#define SCENES_H

#include <sinew/sinew.h>

/* ---- What a scene made ---- */

/* Indices in all lists count the nodes of this mesh, from 0. */
typedef struct scene_mesh {
    size_t node_count, edge_count, triangle_count, hinge_count, tet_count;
    sn_node *nodes;
    uint32_t (*edges)[2];     /* each once: these are the distance constraints */
    sn_real *rest_lengths;    /* m, of the edges */
    uint32_t (*triangles)[3]; /* the surface; normals of a flat cloth point up, of a solid out */
    uint32_t (*hinges)[4];    /* an inner edge and the two corners beside it */
    uint32_t (*tets)[4];      /* right-handed, so that volumes are positive */
} scene_mesh;

/* Frees the lists; the world keeps the nodes. Null and an all-zero mesh are allowed. */
void scene_mesh_free(scene_mesh *mesh);

/* The present positions of the nodes, in m; `positions` has room for node_count of them. */
sn_result scene_mesh_positions(const sn_world *world, const scene_mesh *mesh, sn_vec3 *positions);

/* The mean of |l / l0 - 1| over the edges at the present positions; 0 without edges. */
double scene_mean_strain(const sn_world *world, const scene_mesh *mesh);

/* ---- Cloth ---- */

typedef enum scene_pins {
    SCENE_PINS_NONE = 0,
    SCENE_PINS_TWO_CORNERS = 1, /* both ends of the first row */
    SCENE_PINS_FIRST_ROW = 2
} scene_pins;

/*
 * A grid of nodes in the xz plane: columns along x, rows along z, node row * columns + column.
 * Every quad has one diagonal; they meet at the nodes whose row + column is even.
 */
typedef struct scene_cloth_def {
    int columns, rows;          /* nodes, 2 to 4096 each */
    sn_real spacing;            /* m */
    sn_vec3 origin;             /* m, of the first node */
    sn_real node_mass;          /* kg */
    sn_real radius;             /* m, of the nodes, for contacts */
    scene_pins pins;            /* the first row is the one at the origin */
    sn_real compliance;         /* m/N, of the edges */
    sn_real damping;            /* N s/m, of the edges */
    bool bending;               /* whether inner edges resist bending */
    sn_real bending_compliance; /* 1/(N m) */
} scene_cloth_def;

/* 20 x 20 nodes of 1 kg, 0.01 m apart, hard edges, two corners pinned, no bending. */
scene_cloth_def scene_cloth_def_default(void);

/* `mesh` may be null. */
sn_result scene_cloth(sn_world *world, const scene_cloth_def *def, scene_mesh *mesh);

/* ---- Beam ---- */

/*
 * A lattice of cubes along x, y and z, each cut into five tetrahedra that match those of its
 * neighbours. Edges and volumes are constraints; the face x = 0 is pinned.
 */
typedef struct scene_beam_def {
    int cubes[3];              /* along x, y and z, 1 to 255 each */
    sn_real spacing;           /* m */
    sn_real node_mass;         /* kg */
    sn_real compliance;        /* m/N, of the edges */
    sn_real volume_compliance; /* m^6/J */
    sn_real young;             /* Pa; above 0, Neo-Hookean elements instead of edges and volumes */
    sn_real poisson;           /* 1, of these */
} scene_beam_def;

/* 8 x 2 x 2 cubes of 0.05 m, nodes of 1 kg, hard. */
scene_beam_def scene_beam_def_default(void);

/* `mesh` may be null. */
sn_result scene_beam(sn_world *world, const scene_beam_def *def, scene_mesh *mesh);

/* ---- Chain ---- */

/* Nodes in a straight line from a pinned first one. */
typedef struct scene_chain_def {
    int links;          /* 1 to 1,000,000; there is one node more */
    sn_real length;     /* m, of a link */
    sn_vec3 direction;  /* from node to node, of length 1 */
    sn_real node_mass;  /* kg */
    sn_real compliance; /* m/N */
} scene_chain_def;

/* 20 hard links of 0.05 m straight down, nodes of 1 kg. */
scene_chain_def scene_chain_def_default(void);

/* `mesh` may be null; it has edges only. */
sn_result scene_chain(sn_world *world, const scene_chain_def *def, scene_mesh *mesh);

/* ---- A rod ---- */

/* A Cosserat rod of round cross-section along x, held at its first node and first frame. */
typedef struct scene_rod_def {
    int segments;
    sn_real length;  /* m, of a segment */
    sn_real radius;  /* m */
    sn_real density; /* kg/m^3 */
    sn_real young;   /* Pa */
    sn_real poisson; /* 1 */
} scene_rod_def;

scene_rod_def scene_rod_def_default(void);
sn_result scene_rod(sn_world *world, const scene_rod_def *def);

/* ---- Balls ---- */

/*
 * A floor and four walls, and between them a cube of balls of 1 g and 0.005 m that touch each
 * other, 1 to 200 along an edge. 10 substeps.
 */
sn_result scene_balls(sn_world *world, int edge);

/* ---- Boxes ---- */

/*
 * S4: a pyramid of so many levels of cubes of 1 m on a floor, 2,109 in 18, with 3 substeps; and
 * 2,016 of them that are turned at random and fall between walls 12 m apart, with 4.
 */
sn_result scene_s4_pyramid(sn_world *world, int levels);
sn_result scene_s4_pile(sn_world *world);

/* ---- Water ---- */

/* A floor and four walls from the origin on, this wide along x and deep along z (m); without
   friction where they are not rough. */
sn_result scene_add_tank(sn_world *world, sn_real width, sn_real depth, bool rough);

/* S5: a block of water of 20,000 particles, or as many as are asked for, with a radius of 0.025 m
   collapses in a tank that is three times as wide; 5 substeps with one iteration each. */
sn_result scene_s5(sn_world *world, int count);

/* ---- Hair ---- */

/* Strands of 16 nodes and 0.3 m on a ball of 0.1 m, combed back, which fall on it. 4 substeps. */
sn_result scene_hair(sn_world *world, int strands);

/* ---- The measured scenes ---- */

/* The steps of S1 and S2, and of S3, in s. */
#define SCENE_DT ((sn_real)(1.0 / 60.0))
#define SCENE_S3_DT ((sn_real)0.005)

/*
 * S1: a cloth of `columns` x `columns` nodes of 1 kg, 0.01 m apart, hanging by two corners; hard
 * edges, no bending, no damping. S2: a beam of 40 x 10 x 10 cubes of 0.05 m, hard edges and
 * volumes, or Neo-Hookean elements of 1 MPa, a ratio of 0.3 and 1000 kg/m^3. Both set the world's
 * settings: gravity 9.81, 10 substeps of one iteration, no damping, forces not kept. `mesh` may be
 * null.
 */
sn_result scene_s1(sn_world *world, int columns, scene_mesh *mesh);
sn_result scene_s2(sn_world *world, scene_mesh *mesh);
sn_result scene_s2_elements(sn_world *world, scene_mesh *mesh);

/* S3: a rod of 1,000 segments of 0.01 m, 50 substeps of one iteration, forces not kept. */
sn_result scene_s3(sn_world *world);

/* What the cloth of S6 meets beside ball and floor. */
typedef enum scene_self {
    SCENE_SELF_NONE = 0,
    SCENE_SELF_POINTS = 1,  /* itself, as the balls of its nodes */
    SCENE_SELF_SURFACE = 2, /* itself, with all of its triangles */
    SCENE_SELF_GUARDED = 3  /* likewise, penetration-free */
} scene_self;

/*
 * S6: a cloth of 60 x 60 nodes, 0.01 m apart and 0.01 m thick, with hard edges as in S1, falls on a
 * ball of 0.15 m and on the floor. 10 substeps of one iteration, forces not kept. `mesh` may be
 * null.
 */
sn_result scene_s6(sn_world *world, scene_self self, scene_mesh *mesh);

#endif
