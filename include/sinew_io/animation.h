/*
 * Meshes that move, from files: characters and props that cloth is to meet.
 *
 *     format   extensions   what moves                                            the mesh is
 *     "glb"    .glb         skins, morph targets and nodes; STEP, LINEAR and      in the file
 *                           CUBICSPLINE samplers
 *     "gltf"   .gltf        the same, as text with buffers within or beside it    in the file
 *     "usda"   .usda        points and transforms with samples in time (text)     in the file
 *     "pc2"    .pc2         points, in frames                                     given with it
 *     "mdd"    .mdd         points, with times                                    given with it
 *
 *     sn_io_animation *walk = NULL;
 *     sn_io_animation_open("walk.glb", NULL, &walk);
 *     const sn_mesh *mesh = sn_io_animation_mesh(walk);
 *     def.shape = SN_SHAPE_MESH;             // a collider of mesh->positions and mesh->triangles
 *     ...
 *     sn_io_playback how = sn_io_playback_default();
 *     double at = sn_io_animation_time(walk, &how, time + step);
 *     sn_io_animation_sample(walk, at, positions);
 *     sn_collider_set_vertices(world, collider, positions, mesh->vertex_count);
 *     sn_world_step(world, step);            // which carries along what touches them
 *
 * An animation gives the same bits for the same time on every machine, whatever was asked before.
 * What is wrong with a file is said with its place, as in sinew_io/mesh.h, and memory stays in
 * proportion to the size of the file.
 */
#ifndef SINEW_IO_ANIMATION_H
#define SINEW_IO_ANIMATION_H

#include <sinew_io/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Opening ---- */

/* How an animation is read. Made by sn_io_animation_def_default. */
typedef struct sn_io_animation_def {
    size_t size;        /* set by sn_io_animation_def_default */
    const char *format; /* as listed above; null, the default: as the extension says */
    const char *clip;   /* of glb: the name of the animation; null, the default: the first */
    /* Of pc2 and mdd: the mesh whose vertices are the points, in their order; it is copied, and
       where it is null, the default, the animation has points alone. Others refuse it. */
    const sn_mesh *mesh;
    double fps;   /* of pc2, which has frames instead of times, 1/s; above 0, 60 by default */
    double scale; /* of one unit of the file, m; above 0, 1 by default. usda says its unit itself,
                     and this comes on top */
    sn_io_up up;  /* of the file; y by default. usda says it itself */
    /* Vertices at most this far apart, as the mesh is modelled, become the first of them, m; so
       that a surface which was cut open for texture coordinates is closed again. SN_AUTO, the
       default: none. pc2 and mdd have those of their mesh. */
    sn_real weld;
} sn_io_animation_def;

/* A definition with the defaults above. */
SN_API sn_io_animation_def sn_io_animation_def_default(void);

/* An animation that is open. It may be used by one thread at a time. */
typedef struct sn_io_animation sn_io_animation;

/* Opens the animation of a file. A null definition means the default. */
SN_API sn_result sn_io_animation_open(const char *path, const sn_io_animation_def *def,
                                      sn_io_animation **out);

/* The same from memory, which is not needed afterwards. The name is for messages, and its extension
   gives the format where the definition does not. */
SN_API sn_result sn_io_animation_open_memory(const char *name, const void *data, size_t size,
                                             const sn_io_animation_def *def, sn_io_animation **out);

/* Whether files of this extension, or this format, can have an animation. */
SN_API bool sn_io_animation_is_format(const char *path, const char *format);

/* Closes it. Null is allowed. */
SN_API void sn_io_animation_close(sn_io_animation *animation);

/* ---- What moves ---- */

/* The mesh, as it is at the beginning of the animation, in metres and with y up; the animation's.
   Vertices keep their numbers and elements stay. */
SN_API const sn_mesh *sn_io_animation_mesh(const sn_io_animation *animation);

/* The texture coordinates of its vertices, two numbers each as sn_io_mesh_read_uvs gives them; the
   animation's, null where a file has none or is a point cache. Of usda they are primvars:st, with
   a pair for each point. */
SN_API const sn_real *sn_io_animation_uvs(const sn_io_animation *animation);

/* The colours of its vertices as sn_io_mesh_read_colours gives them; the animation's, null where a
   file has none or is a point cache. Of usda they are primvars:displayColor, one for each point or
   for all of them. */
SN_API const sn_vec3 *sn_io_animation_colours(const sn_io_animation *animation);

/* The materials of its triangles as sn_io_mesh_read_materials gives them; the animation's, without
   any where a file has none or is a point cache or usda. Null where the animation is. */
SN_API const sn_io_materials *sn_io_animation_materials(const sn_io_animation *animation);

/* When it moves, by its own clock. */
typedef struct sn_io_animation_info {
    double begin, end;   /* s; equal where nothing moves */
    size_t vertex_count; /* of the mesh, or of the points without one */
} sn_io_animation_info;

/* Times and number of vertices of an animation. */
SN_API sn_io_animation_info sn_io_animation_get_info(const sn_io_animation *animation);

/* Where all vertices are at a time (s) of its own clock; before the beginning and after the end, as
   there. `positions` has room for all of them. SN_ERROR_VALUE where a place is not finite. */
SN_API sn_result sn_io_animation_sample(sn_io_animation *animation, double time,
                                        sn_vec3 *positions);

/* ---- Playing ---- */

/* When an animation plays by the clock of a world. Made by sn_io_playback_default. */
typedef struct sn_io_playback {
    double start; /* when it begins, s; below 0: it is in the midst of it at 0. Default 0 */
    double speed; /* seconds of the animation per second of the world, at least 0; default 1 */
    bool repeat;  /* after the end, begin again; otherwise, the default, stay there */
} sn_io_playback;

/* A playback with the defaults above. */
SN_API sn_io_playback sn_io_playback_default(void);

/* The time by the clock of the animation at a time (s) of the world. */
SN_API double sn_io_animation_time(const sn_io_animation *animation, const sn_io_playback *playback,
                                   double time);

/* ---- Following ---- */

/* A point that goes along with a triangle of a moving mesh. */
typedef struct sn_io_follower {
    uint32_t corners[3]; /* vertices of the triangle */
    sn_real weights[3];  /* of the point of the triangle that is nearest, 1; their sum is 1 */
    sn_vec3 offset;      /* from there, m: along the first side of the triangle, across it, and
                            along the normal */
} sn_io_follower;

/*
 * Binds points (m) to the nearest triangles of a mesh whose vertices are at `positions`, of equally
 * near ones to the first. SN_ERROR_VALUE where the mesh has no triangle with an area.
 */
SN_API sn_result sn_io_follow(const sn_mesh *mesh, const sn_vec3 *positions, const sn_vec3 *points,
                              size_t count, sn_io_follower *followers);

/* Where followers are when the vertices are at `positions`, and the normals of their triangles, of
   length 1; either may be null. */
SN_API void sn_io_follow_to(const sn_io_follower *followers, size_t count, const sn_vec3 *positions,
                            sn_vec3 *points, sn_vec3 *normals);

#ifdef __cplusplus
}
#endif

#endif
