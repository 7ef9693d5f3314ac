/*
 * What the readers of mesh formats share: where the bytes are, and the mesh that they fill.
 *
 * A reader goes through the source and adds to the build. It fails with a sentence about the place
 * in the file and leaves everything to be freed to its caller. It allocates from build->allocator
 * alone, and only what the size of the source allows.
 */
#ifndef SN_IO_MESH_READ_H
#define SN_IO_MESH_READ_H

#include <sinew/mesh.h>

#include "io/mesh/memory.h"
#include "io/text/text.h"

#include <sinew_io/file.h>
#include <sinew_io/mesh.h>

typedef struct sn_source {
    const char *name; /* for messages */
    const char *path; /* null when it comes from memory */
    const char *data;
    size_t size; /* bytes */
} sn_source;

/* The places of sn_mesh.capacity. */
enum { BUILD_VERTICES, BUILD_TRIANGLES, BUILD_TETS, BUILD_LINES, BUILD_GROUPS };

/* An element may be in so many groups, since the lists of all of them grow with it. */
enum { BUILD_GROUPS_MOST = 16 };

/* A growing array of the build. */
typedef struct sn_io_build_list {
    void *items;
    size_t count, capacity;
    size_t element; /* bytes of an item */
} sn_io_build_list;

/* The texture coordinates of a vertex, the second upward. */
typedef struct sn_io_build_uv {
    double x[2];
    bool is_set;
} sn_io_build_uv;

/* The colour of a vertex, sRGB, 0 to 1. */
typedef struct sn_io_build_colour {
    double x[3];
    bool is_set;
} sn_io_build_colour;

typedef struct sn_io_build {
    sn_mesh mesh;
    sn_allocator allocator;
    sn_io_build_list names;   /* of groups, one after the other, each with a zero */
    sn_io_build_list groups;  /* build_group of read_groups.c */
    sn_io_build_list members; /* build_member of read_groups.c */
    sn_io_build_list table;   /* from names to groups */
    sn_io_build_list corners; /* scratch of readers: those of an element, uint32_t */
    sn_io_build_list ears;    /* scratch of read_polygon.c */
    sn_io_build_list origins; /* uint32_t: after welding, which vertex of the file each was */
    sn_io_build_list uvs;     /* sn_io_build_uv of vertices, up to the last that has one */
    bool wants_uvs;           /* set by who reads; readers that know none leave the list empty */
    sn_io_build_list colours; /* sn_io_build_colour, likewise */
    bool wants_colours;
    sn_io_build_list looks;          /* build_look of read_materials.c */
    sn_io_build_list triangle_looks; /* uint32_t: which of them the first triangles have */
    sn_io_build_list images;         /* build_image of read_images.c */
    bool wants_materials;
    bool has_vertex_colours; /* the colours are not those of materials alone */
    bool is_welded;          /* set by a reader whose format has no indices */
} sn_io_build;

typedef sn_result sn_reader(const sn_source *source, sn_io_build *build);

sn_reader sn_read_obj, sn_read_ply, sn_read_stl, sn_read_off, sn_read_glb, sn_read_tetgen,
    sn_read_msh, sn_read_medit, sn_read_vtu, sn_read_usda;

void sn_io_build_free(sn_io_build *build);

/* The source as text. */
sn_text sn_source_text(const sn_source *source);

/* "<name>: byte <at>: <format>", SN_ERROR_DATA. */
sn_result sn_source_fail(const sn_source *source, size_t at, const char *format, ...)
    SN_PRINTF(3, 4);

/* The path of a file that a source names, which has to be in its folder or below, as the source may
   come from anywhere: false where it is not, is too long or the source comes from memory. */
bool sn_source_beside(const sn_source *source, const char *name, char path[2 * SN_PATH_LENGTH]);

/* Puts the place before the sentence of what failed there. */
sn_result sn_source_within(const sn_source *source, size_t at, sn_result result);

/* ---- Adding ---- */

/* Makes room for so many more of a kind, all at once, for readers that know how many come. */
sn_result sn_io_build_reserve(sn_io_build *build, int kind, size_t count);

/* Room for `count` more items of a list. */
sn_result sn_io_build_list_reserve(sn_io_build *build, sn_io_build_list *list, size_t count,
                                   size_t element);
void sn_io_build_list_free(sn_io_build *build, sn_io_build_list *list);

/* One more in build->corners. */
static inline sn_result sn_io_build_corner(sn_io_build *build, uint32_t vertex) {
    sn_io_build_list *corners = &build->corners;
    if (corners->count == corners->capacity)
        SN_TRY(sn_io_build_list_reserve(build, corners, 1, sizeof(uint32_t)));
    ((uint32_t *)corners->items)[corners->count++] = vertex;
    return SN_OK;
}

/* Coordinates are finite and indices those of vertices: the reader has checked it, since it knows
   the place in the file. */
static inline sn_result sn_io_build_vertex(sn_io_build *build, sn_vec3 x) {
    sn_mesh *mesh = &build->mesh;
    if (mesh->vertex_count == mesh->capacity[BUILD_VERTICES])
        SN_TRY(sn_io_build_reserve(build, BUILD_VERTICES, 1));
    mesh->positions[mesh->vertex_count++] = x;
    return SN_OK;
}

static inline sn_result sn_io_build_triangle(sn_io_build *build, uint32_t a, uint32_t b,
                                             uint32_t c) {
    sn_mesh *mesh = &build->mesh;
    if (mesh->triangle_count == mesh->capacity[BUILD_TRIANGLES])
        SN_TRY(sn_io_build_reserve(build, BUILD_TRIANGLES, 1));
    uint32_t *corners = mesh->triangles[mesh->triangle_count++];
    corners[0] = a, corners[1] = b, corners[2] = c;
    return SN_OK;
}

static inline sn_result sn_io_build_tet(sn_io_build *build, const uint32_t corners[4]) {
    sn_mesh *mesh = &build->mesh;
    if (mesh->tet_count == mesh->capacity[BUILD_TETS])
        SN_TRY(sn_io_build_reserve(build, BUILD_TETS, 1));
    uint32_t *tet = mesh->tets[mesh->tet_count++];
    for (int k = 0; k < 4; k++) tet[k] = corners[k];
    return SN_OK;
}

static inline sn_result sn_io_build_line(sn_io_build *build, uint32_t a, uint32_t b) {
    sn_mesh *mesh = &build->mesh;
    if (mesh->line_count == mesh->capacity[BUILD_LINES])
        SN_TRY(sn_io_build_reserve(build, BUILD_LINES, 1));
    uint32_t *ends = mesh->lines[mesh->line_count++];
    ends[0] = a, ends[1] = b;
    return SN_OK;
}

/*
 * A polygon of at least three corners as triangles: a fan where it is convex, else by cutting off
 * ears. A concave one has at most POLYGON_MOST corners, since that takes the square of them;
 * SN_ERROR_LIMIT where it has more, and the reader adds the place.
 */
enum { POLYGON_MOST = 4096 };
sn_result sn_io_build_polygon(sn_io_build *build, const uint32_t *corners, size_t count);

/* ---- Groups ---- */

/* A hash of a name. */
uint64_t sn_io_build_key(const char *name, size_t length);

/* The group of this name, which is made where there is none. A name ends where a zero byte is, and
   an empty one becomes "?". */
sn_result sn_io_build_group(sn_io_build *build, const char *name, size_t length, uint32_t *group);

/* The vertices belong to the group. */
sn_result sn_io_build_members(sn_io_build *build, uint32_t group, const uint32_t *vertices,
                              size_t count);

/* Numbers of vertices that follow each other, by a name: where all of them are from 0 to 1 they are
   weights, and those above a half belong to the group of the name. */
sn_result sn_io_build_weights(sn_io_build *build, const char *name, size_t length, uint32_t first,
                              const double *values, size_t count);

/* Vertex v has become map[v]. */
void sn_io_build_map_members(sn_io_build *build, const uint32_t *map);

/* Moves the groups into the mesh, each vertex once, in the order in which they were added. Groups
   without vertices are left out. */
sn_result sn_io_build_finish_groups(sn_io_build *build);

/* ---- Texture coordinates ---- */

/* Gives a vertex its texture coordinates, unless it has some: one that has several, where a texture
   is cut, keeps the first. What is not finite counts as none. */
sn_result sn_io_build_set_uv(sn_io_build *build, uint32_t vertex, double u, double v);

/* Those of all vertices after welding, 0 for vertices without; to be freed with free(). Null where
   no vertex has any. */
sn_result sn_io_build_take_uvs(const sn_io_build *build, sn_real (**uvs)[2]);

/* ---- Colours ---- */

/* Gives a vertex its colour, unless it has one: where materials meet, the first. What is beyond 0
   to 1 becomes the nearer end; what is no number counts as no colour. */
sn_result sn_io_build_set_colour(sn_io_build *build, uint32_t vertex, const double srgb[3]);

/* The same for a colour of light, not sRGB. */
sn_result sn_io_build_set_light(sn_io_build *build, uint32_t vertex, const double light[3]);

/* Those of all vertices after welding, white for vertices without; to be freed with free(). Null
   where no vertex has any. */
sn_result sn_io_build_take_colours(const sn_io_build *build, sn_vec3 **colours);

/* ---- Materials ---- */

/* The look that was added with this key; false where there is none. */
bool sn_io_build_find_look(const sn_io_build *build, uint64_t key, uint32_t *look);

/* Adds a copy of a look, with a name where its length is not 0. */
sn_result sn_io_build_add_look(sn_io_build *build, uint64_t key, const sn_io_look *look,
                               const char *name, size_t length, uint32_t *index);

/* Gives a look the image of a file beside the source. One that is not there or not in its folder or
   below, or that is none which pictures draw, is passed over: a mesh is whole without its images.
   The bytes stay until the build is freed, so that looks with the same file share them. */
sn_result sn_io_build_read_image(sn_io_build *build, const sn_source *source, const char *name,
                                 size_t length, sn_io_look *look);
void sn_io_build_free_images(sn_io_build *build);

/* All triangles that were added since the call before have this look; BUILD_PLAIN is that of
   nothing. */
#define BUILD_PLAIN UINT32_MAX
sn_result sn_io_build_give_look(sn_io_build *build, uint32_t look);

/* Moves them out, to be freed with sn_io_materials_free. */
sn_result sn_io_build_take_materials(sn_io_build *build, sn_io_materials *materials);
void sn_io_build_free_looks(sn_io_build *build);

/* ---- After reading ---- */

/* Vertices at most `distance` apart become the first of them; elements that collapse are left
   out. */
sn_result sn_io_build_weld(sn_io_build *build, double distance);

/* Turns tets inside in where their corners are in the other order. */
void sn_io_build_orient_tets(sn_io_build *build);

#endif
