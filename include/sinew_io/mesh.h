/*
 * Meshes from files and into files.
 *
 *     format    extensions          holds                                    groups from
 *     "obj"     .obj                triangles, polygons, lines               g, o
 *     "ply"     .ply                triangles, polygons, lines, tets         weights of vertices
 *     "stl"     .stl                triangles                                solid (text)
 *     "off"     .off                triangles, polygons                      -
 *     "glb"     .glb                triangles, lines                         nodes with a mesh,
 *                                                                            joints, weights
 *     "gltf"    .gltf               the same; only read                      the same
 *     "tetgen"  .node .ele .face    tets, triangles; several files           -
 *     "msh"     .msh                triangles, quadrilaterals, lines, tets   physical names
 *     "medit"   .mesh               triangles, quadrilaterals, lines, tets   -
 *     "vtu"     .vtu                triangles, polygons, lines, tets         weights of points
 *     "usda"    .usda               polygons, curves as lines                prims, subsets
 *
 * Reading keeps the order and the number of the vertices, those included that nothing uses.
 * Polygons become triangles: fans where they are convex, by cutting off ears where they are not.
 * Numbers in text are rounded correctly, so that a file gives the same bits on every machine.
 * Normals are passed over; geometry that a mesh cannot
 * hold (curves, hexahedra, elements of second order) is an error and never left out.
 *
 * Weights are numbers that every vertex has and that are all from 0 to 1: properties of a ply,
 * arrays of points of a vtu, attributes of a glb whose names begin with an underscore, which their
 * groups do without. Those above a half belong to the group of the name. A joint of the skin of a
 * glb is the group of the vertices that it moves with more than half of their weight. A GeomSubset
 * of a usda is the group of its points, or of those of its faces; elements that an obj has in
 * "g default" are in none.
 *
 * Buffers of a gltf are in it, as base64, or files in its folder or below, not where it is read
 * from memory.
 *
 * What is wrong with a file is said as "bunny.obj:12:5: ..." with line and column, or as
 * "bunny.stl: byte 84: ..." where the file is not text. Memory stays in proportion to the size of
 * the file, whatever its header promises.
 */
#ifndef SINEW_IO_MESH_H
#define SINEW_IO_MESH_H

#include <sinew/mesh.h>
#include <sinew_io/look.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Reading ---- */

/* Which axis of a file points up. Sinew's is y; the others are turned, never mirrored. */
typedef enum sn_io_up {
    SN_IO_UP_Y = 0, /* as it is */
    SN_IO_UP_Z = 1, /* (x, y, z) becomes (x, z, -y) */
    SN_IO_UP_X = 2  /* (x, y, z) becomes (-y, x, z) */
} sn_io_up;

/* How a mesh is read. Made by sn_io_read_def_default. */
typedef struct sn_io_read_def {
    size_t size;        /* set by sn_io_read_def_default */
    const char *format; /* as listed above; null, the default: as the extension says */
    double scale;       /* of one unit of the file, m; above 0, 1 by default */
    sn_io_up up;        /* of the file; y by default */
    /*
     * Vertices at most this far apart become one, the first of them, m; after scaling. Elements
     * that collapse by it are left out. With 0 only vertices at the same place become one. SN_AUTO,
     * the default, is 0 for stl, which has no indices, and no welding for the other formats.
     */
    sn_real weld;
} sn_io_read_def;

/* A definition with the defaults above. */
SN_API sn_io_read_def sn_io_read_def_default(void);

/*
 * Reads a file into `mesh`, which must be empty and stays so on failure. A null definition means
 * the default. Of a tetgen mesh any of the files may be named: .node and .ele are both read, .face
 * only when it is the one that is named.
 */
SN_API sn_result sn_io_mesh_read(const char *path, const sn_io_read_def *def, sn_mesh *mesh);

/*
 * The same, with the texture coordinates of obj, glb, ply and usda: *uvs has two numbers per
 * vertex, the second upward (in glb it is turned round), to be freed with free(); null where the
 * file has none. A vertex has one pair: where a texture is cut and a vertex of an obj has several,
 * the first.
 */
SN_API sn_result sn_io_mesh_read_uvs(const char *path, const sn_io_read_def *def, sn_mesh *mesh,
                                     sn_real (**uvs)[2]);

/*
 * The same, and with the colours of vertices: *colours has one for each, red, green and blue in
 * sRGB, 0 to 1, to be freed with free(); null where the file has none.
 *
 *     ply   red, green and blue, as bytes or as numbers from 0 to 1
 *     glb   COLOR_0 times the baseColorFactor of the material, which are light, not sRGB
 *     obj   three numbers after a position, else Kd of the material, from libraries in the folder
 *           of the file or below; a library that is not there is passed over
 *     usda  primvars:displayColor, one for all points or one for each, as light
 *
 * What is beyond 0 to 1 becomes the nearer end. A vertex has one colour: where materials meet, the
 * first; white where only others have one.
 */
SN_API sn_result sn_io_mesh_read_colours(const char *path, const sn_io_read_def *def, sn_mesh *mesh,
                                         sn_real (**uvs)[2], sn_vec3 **colours);

/* The most materials that a mesh may have. */
#define SN_IO_MATERIALS 1024

/*
 * The materials of a mesh: how each looks, as far as the file says it, with its name as `material`
 * of the look, and which of them every triangle has. Where vertices have colours of their own, the
 * colour of looks is SN_AUTO; elsewhere, one that says none beside others that do is white.
 */
typedef struct sn_io_materials {
    size_t count;          /* of looks; 0 where the file has no materials */
    sn_io_look *looks;     /* null where there are none */
    size_t triangle_count; /* of triangles: that of the mesh, or 0 */
    uint32_t *triangles;   /* an index into looks for each; null where there are none */
} sn_io_materials;

/*
 * The same, and with the materials of glb, gltf, obj and usda, to be freed with
 * sn_io_materials_free:
 *
 *     glb   name, baseColorFactor, roughnessFactor, opacity where alphaMode is BLEND, and the image
 *           of baseColorTexture, where it is PNG or JPEG and in a buffer
 *     obj   name, Kd, d and the image of map_Kd
 *     usda  name, and of the UsdPreviewSurface diffuseColor, roughness, opacity and the image of a
 *           UsdUVTexture, of what prims and the faces of subsets are bound to
 *
 * Images of obj and usda are PNG or JPEG files in the folder of the file or below; others, and
 * those that are not there, are passed over.
 */
SN_API sn_result sn_io_mesh_read_materials(const char *path, const sn_io_read_def *def,
                                           sn_mesh *mesh, sn_real (**uvs)[2], sn_vec3 **colours,
                                           sn_io_materials *materials);

/* Frees what it holds and leaves it empty. Null is allowed. */
SN_API void sn_io_materials_free(sn_io_materials *materials);

/* The same as sn_io_mesh_read from memory. The name is for messages, and its extension gives the
   format where the definition does not. */
SN_API sn_result sn_io_mesh_read_memory(const char *name, const void *data, size_t size,
                                        const sn_io_read_def *def, sn_mesh *mesh);

/* ---- Writing ---- */

/* How a mesh is written. Made by sn_io_write_def_default. */
typedef struct sn_io_write_def {
    size_t size;        /* set by sn_io_write_def_default */
    const char *format; /* as listed above; null, the default: as the extension says */
    bool text;          /* of ply: as text instead of binary little endian */
    /* Write triangles alone: where there are tets those of their boundary, with the vertices that
       it uses, else those of the mesh. */
    bool surface;
    /* What the vertices of the mesh have beside their places, which obj, ply, glb, vtu and usda
       hold and the other formats do without; null, the default: nothing. */
    const sn_real (*uvs)[2]; /* texture coordinates, the second upward; no unit */
    const sn_vec3 *colours;  /* red, green and blue in sRGB, 0 to 1; bytes in ply, light in glb */
    /* The materials of its triangles, which obj, glb and usda hold: with a library NAME.mtl (obj)
       and images NAME_MATERIAL.png (obj, usda) beside the file. Other formats do without, and so
       does the boundary of tets; null, the default: none. */
    const sn_io_materials *materials;
} sn_io_write_def;

/* A definition with the defaults above. */
SN_API sn_io_write_def sn_io_write_def_default(void);

/*
 * Writes a mesh so that reading it back gives the same numbers; the file is there as a whole or not
 * at all. A null definition means the default. Elements that the format cannot hold are an error.
 * Groups are kept by obj, msh and usda, and by ply, vtu and glb as weights; the other formats do
 * without them. stl has no vertices but those of triangles, nor have glb with materials and usda
 * those that nothing uses; with materials, obj, glb and usda are what exports (sinew_io/export.h)
 * write of a frame, with smooth normals. ply and vtu are binary, msh is text of version 2.2. A
 * tetgen mesh is written as .node and .ele, with .face where that is the file that is named.
 */
SN_API sn_result sn_io_mesh_write(const char *path, const sn_io_write_def *def,
                                  const sn_mesh *mesh);

/* Whether the format of this path, or the one that is named, keeps groups. */
SN_API bool sn_io_mesh_keeps_groups(const char *path, const char *format);

/* The same of materials. */
SN_API bool sn_io_mesh_keeps_materials(const char *path, const char *format);

#ifdef __cplusplus
}
#endif

#endif
