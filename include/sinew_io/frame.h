/*
 * What a world looks like at one moment: shapes that pictures, caches and exported files are made
 * of.
 *
 * Everything here is a view: who makes a frame owns the arrays and keeps them during the call.
 */
#ifndef SINEW_IO_FRAME_H
#define SINEW_IO_FRAME_H

#include <sinew/collider.h>
#include <sinew/mesh.h>
#include <sinew_io/look.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The frame of a shape that moves as a whole: its vertices are turned, and then moved. */
typedef struct sn_io_pose {
    sn_vec3 position;    /* m */
    sn_quat orientation; /* of length 1 */
} sn_io_pose;

/* What a shape with a pose has in its own frame: its positions and velocities follow from this, to
   the bit. */
typedef struct sn_io_rigid {
    size_t vertex_count;      /* of vertices; that of the shape */
    const sn_vec3 *vertices;  /* m, in the frame of the pose */
    sn_vec3 velocity;         /* m/s, of the origin of the frame */
    sn_vec3 angular_velocity; /* rad/s, about the axes of the world */
} sn_io_rigid;

/*
 * One body: its vertices and what lies between them. A shape without triangles, lines and tets is a
 * set of particles. Triangles are what is seen of a solid; tets are for programs that look inside.
 * Arrays of length 0, and those that are said to, may be null.
 */
typedef struct sn_io_shape {
    const char *name;               /* unique in the frame, not empty */
    size_t vertex_count;            /* of all arrays with a value per vertex */
    const sn_vec3 *positions;       /* m */
    const sn_vec3 *velocities;      /* m/s; may be null */
    const sn_real *strain;          /* relative stretch, 1; may be null */
    const sn_real *radii;           /* m, of particles, and half the thickness of lines; may be
                                       null: they are then drawn thin */
    size_t triangle_count;          /* of triangles */
    const uint32_t (*triangles)[3]; /* anticlockwise seen from the front */
    size_t line_count;              /* of lines */
    const uint32_t (*lines)[2];     /* of ropes and rods */
    size_t tet_count;               /* of tets */
    const uint32_t (*tets)[4];      /* as in sn_mesh */
    uint64_t topology; /* changes when vertex count or elements do; equal means the same elements */
    /* These stay as long as the topology does. */
    /* Texture coordinates, the second upward: those of the file that the shape is from, 1, or where
       vertices are on a flat sheet of the material, m; may be null. */
    const sn_real (*uvs)[2];
    bool creased;        /* `creases` are all edges that are hard; otherwise nobody said which
                                are, and they are told by their angles */
    size_t crease_count; /* of creases; a cloth has none */
    const uint32_t (*creases)[2]; /* hard edges, as those of a box */
    const sn_vec3 *normals; /* of length 1, of a surface that is smoother than its triangles; may be
                               null: they follow from the triangles; no unit */
    const sn_io_look *look; /* how it is drawn; may be null */
    /* Of a rigid body, where its frame is, in which the vertices do not move; `positions` are in
       the world all the same. Formats that have transforms write it; may be null. */
    const sn_io_pose *pose;
    const sn_io_rigid *rigid; /* what moves with the pose, which a cache keeps once; may be null */
    /* Red, green and blue of the vertices in sRGB, in place of the colour of the look, 0 to 1; they
       stay as long as the topology does; may be null. */
    const sn_vec3 *colours;
    /*
     * Where triangles have several materials: the look of each, and which of them every triangle
     * has, in place of `look`, whose thickness is that of the whole. One whose colour is SN_AUTO
     * has the `colours` of the vertices, where there are some. They stay as long as the topology
     * does; 0 and null: all triangles look alike.
     */
    size_t material_count;              /* of materials */
    const sn_io_look *materials;        /* may be null */
    const uint32_t *triangle_materials; /* one for each triangle; may be null */
    /* Groups of its vertices, by names that differ: those of the file that it is from. They stay as
       long as the topology does. */
    size_t group_count;          /* of groups */
    const sn_mesh_group *groups; /* may be null */
} sn_io_shape;

/* All of them at a time. */
typedef struct sn_io_frame {
    int number;                   /* from 0 */
    double time;                  /* s */
    size_t shape_count;           /* of shapes */
    const sn_io_shape *shapes;    /* in the order of the scene */
    const sn_io_staging *staging; /* cameras; may be null */
} sn_io_frame;

/*
 * What a collider looks like, for who draws a world of their own: adds the surface of its shape to
 * the mesh, in the frame that `position` and `orientation` of the definition are of. A plane has no
 * end and adds nothing. The definition is one that sn_collider_create took or sn_collider_get gave.
 */
SN_API sn_result sn_io_collider_mesh(const sn_collider_def *def, sn_mesh *mesh);

#ifdef __cplusplus
}
#endif

#endif
