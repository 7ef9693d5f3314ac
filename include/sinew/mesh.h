/*
 * Meshes: vertices with triangles, tetrahedra and lines between them, and named groups of vertices.
 *
 * A mesh is where a body comes from and what pictures and files are made of. It belongs to no
 * world. Bodies are built from meshes (sinew/cloth.h and its like), files are read into meshes by
 * sinew_io.
 */
#ifndef SINEW_MESH_H
#define SINEW_MESH_H

#include <sinew/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- A mesh ---- */

/* Some vertices under a name, such as those of the left edge of a sheet. */
typedef struct sn_mesh_group {
    char *name;         /* not empty, ends with a zero */
    uint32_t *vertices; /* indices into the positions of the mesh */
    size_t count;       /* of vertices */
    size_t capacity;    /* how many the list can hold; for the library */
} sn_mesh_group;

/*
 * Made by sn_mesh_default, filled by the calls below or by those that read or generate meshes, and
 * freed by sn_mesh_free. The arrays may be read and their contents changed; their lengths only by
 * the calls. Arrays of length 0 may be null.
 */
typedef struct sn_mesh {
    size_t size;              /* set by sn_mesh_default */
    size_t vertex_count;      /* of positions */
    sn_vec3 *positions;       /* m */
    size_t triangle_count;    /* of triangles */
    uint32_t (*triangles)[3]; /* indices of vertices, anticlockwise seen from the front */
    size_t tet_count;         /* of tets */
    uint32_t (*tets)[4];      /* the last vertex is on the side from which the others are clockwise,
                                 so that (x1 - x0) x (x2 - x0) . (x3 - x0) is positive */
    size_t line_count;        /* of lines */
    uint32_t (*lines)[2];     /* of ropes and rods */
    size_t group_count;       /* of groups */
    sn_mesh_group *groups;    /* their names differ */
    sn_allocator allocator;   /* where the arrays come from */
    size_t capacity[5]; /* how much the arrays can hold, in the order above; for the library */
} sn_mesh;

/* An empty mesh whose arrays come from the C library. Another allocator may be set while it is
   empty. */
SN_API sn_mesh sn_mesh_default(void);

/* Frees what the mesh holds and leaves it empty, with its allocator. Null is allowed. */
SN_API void sn_mesh_free(sn_mesh *mesh);

/* ---- Adding; a call that fails adds nothing ---- */

/* Adds vertices; null positions mean the origin. They must be finite. At most 2^32 - 1 in all. */
SN_API sn_result sn_mesh_add_vertices(sn_mesh *mesh, const sn_vec3 *positions, size_t count);

/* Add elements. Their indices must be of vertices that are there. Whether the elements make sense
   together is for sn_mesh_check. */
SN_API sn_result sn_mesh_add_triangles(sn_mesh *mesh, const uint32_t (*triangles)[3], size_t count);
SN_API sn_result sn_mesh_add_tets(sn_mesh *mesh, const uint32_t (*tets)[4], size_t count);
SN_API sn_result sn_mesh_add_lines(sn_mesh *mesh, const uint32_t (*lines)[2], size_t count);

/* Adds vertices to the group of this name, which is made where there is none. Vertices that are in
   it already are not added again. */
SN_API sn_result sn_mesh_add_group(sn_mesh *mesh, const char *name, const uint32_t *vertices,
                                   size_t count);

/* The group of this name; null when there is none. */
SN_API const sn_mesh_group *sn_mesh_find_group(const sn_mesh *mesh, const char *name);

/* Makes `copy`, which must be empty, equal to `mesh`. */
SN_API sn_result sn_mesh_copy(const sn_mesh *mesh, sn_mesh *copy);

/* ---- Measuring; positions that are not finite and indices out of range are refused ---- */

/* The normal at each vertex, of length 1: the mean over its triangles, weighted by their angles
   there. Zero where there are none. `normals` has room for all vertices. */
SN_API sn_result sn_mesh_normals(const sn_mesh *mesh, sn_vec3 *normals);

/* The area of all triangles, m^2. */
SN_API sn_result sn_mesh_area(const sn_mesh *mesh, double *area);

/* The volume that the triangles enclose, m^3; negative where they face inward. Of a surface that is
   not closed it means nothing. */
SN_API sn_result sn_mesh_volume(const sn_mesh *mesh, double *volume);

/* The volume of all tets, m^3, and of each of them: `volumes` has room for all tets. */
SN_API sn_result sn_mesh_tet_volume(const sn_mesh *mesh, double *volume);
SN_API sn_result sn_mesh_tet_volumes(const sn_mesh *mesh, sn_real *volumes);

/* The lowest and the highest coordinates of the vertices, m. Refuses a mesh without vertices. */
SN_API sn_result sn_mesh_bounds(const sn_mesh *mesh, sn_vec3 *low, sn_vec3 *high);

/* The most sources that can be asked for at each vertex. */
enum { SN_MESH_NEAREST = 16 };

/*
 * The nearest of some source vertices at each vertex, and how far they are along the triangles (m):
 * `source` and `distance` have room for `nearest` numbers per vertex (1 to SN_MESH_NEAREST), from
 * near to far. UINT32_MAX and infinity where there are not so many, or none is connected with the
 * vertex. Exact on what is flat or unrolls, but for what the line of sight of the path leaves;
 * elsewhere within about a hundredth on meshes that are fine enough for the shape.
 */
SN_API sn_result sn_mesh_geodesics(const sn_mesh *mesh, const uint32_t *sources,
                                   size_t source_count, size_t nearest, uint32_t *source,
                                   double *distance);

/* The vertex opposite to each vertex of a closed surface: nearest to where a ray against the normal
   leaves what is inside. UINT32_MAX where it hits nothing. `opposite` has room for all vertices.
   Two vertices need not be each other's opposites. */
SN_API sn_result sn_mesh_opposites(const sn_mesh *mesh, uint32_t *opposite);

/* Makes the triangles of the mesh the surface of its tets, outward. They use the same vertices;
   triangles that were there before are gone. */
SN_API sn_result sn_mesh_surface(sn_mesh *mesh);

/* Adds the convex hull of points, which must be finite, as a closed surface outward, with those of
   them that are its corners as vertices. Refuses points that lie in a plane. */
SN_API sn_result sn_mesh_add_hull(sn_mesh *mesh, const sn_vec3 *points, size_t count);

/* ---- Checking ---- */

/*
 * What can be wrong with a mesh, worst first: name, how much it matters, the element it is about,
 * and the sentence for one and for several of them. Each defect is found once: elements that use a
 * vertex twice and elements that are there twice do not count as neighbours of others.
 */
#define SN_MESH_FINDINGS(FINDING)                                                                  \
    FINDING(SN_MESH_VERTEX_NOT_FINITE, 0, SN_LOG_ERROR, "vertex", "is not at finite numbers",      \
            "are not at finite numbers")                                                           \
    FINDING(SN_MESH_TRIANGLE_INDEX, 1, SN_LOG_ERROR, "triangle",                                   \
            "uses a vertex that is not there", "use vertices that are not there")                  \
    FINDING(SN_MESH_TET_INDEX, 2, SN_LOG_ERROR, "tet", "uses a vertex that is not there",          \
            "use vertices that are not there")                                                     \
    FINDING(SN_MESH_LINE_INDEX, 3, SN_LOG_ERROR, "line", "uses a vertex that is not there",        \
            "use vertices that are not there")                                                     \
    FINDING(SN_MESH_TRIANGLE_REPEATED, 4, SN_LOG_ERROR, "triangle", "uses a vertex twice",         \
            "use a vertex twice")                                                                  \
    FINDING(SN_MESH_TET_REPEATED, 5, SN_LOG_ERROR, "tet", "uses a vertex twice",                   \
            "use a vertex twice")                                                                  \
    FINDING(SN_MESH_LINE_REPEATED, 6, SN_LOG_ERROR, "line", "uses a vertex twice",                 \
            "use a vertex twice")                                                                  \
    FINDING(SN_MESH_TRIANGLE_DUPLICATE, 7, SN_LOG_ERROR, "triangle",                               \
            "has the vertices of an earlier one", "have the vertices of earlier ones")             \
    FINDING(SN_MESH_TET_DUPLICATE, 8, SN_LOG_ERROR, "tet", "has the vertices of an earlier one",   \
            "have the vertices of earlier ones")                                                   \
    FINDING(SN_MESH_LINE_DUPLICATE, 9, SN_LOG_ERROR, "line", "has the vertices of an earlier one", \
            "have the vertices of earlier ones")                                                   \
    FINDING(SN_MESH_TRIANGLE_FLAT, 10, SN_LOG_ERROR, "triangle", "has no area", "have no area")    \
    FINDING(SN_MESH_TET_FLAT, 11, SN_LOG_ERROR, "tet", "has no volume", "have no volume")          \
    FINDING(SN_MESH_LINE_FLAT, 12, SN_LOG_ERROR, "line", "has no length", "have no length")        \
    FINDING(SN_MESH_TET_INVERTED, 13, SN_LOG_ERROR, "tet", "has a negative volume",                \
            "have negative volumes")                                                               \
    FINDING(SN_MESH_EDGE_CROWDED, 14, SN_LOG_ERROR, "edge", "belongs to more than two triangles",  \
            "belong to more than two triangles")                                                   \
    FINDING(SN_MESH_EDGE_WINDING, 15, SN_LOG_ERROR, "edge",                                        \
            "is between two triangles that face different sides",                                  \
            "are between two triangles that face different sides")                                 \
    FINDING(SN_MESH_VERTEX_FANS, 16, SN_LOG_ERROR, "vertex",                                       \
            "joins fans of triangles that share no edge",                                          \
            "join fans of triangles that share no edge")                                           \
    FINDING(SN_MESH_PIECE_INSIDE_OUT, 17, SN_LOG_WARNING, "piece", "is closed and faces inward",   \
            "are closed and face inward")                                                          \
    FINDING(SN_MESH_VERTEX_COINCIDENT, 18, SN_LOG_WARNING, "vertex", "is where an earlier one is", \
            "are where earlier ones are")                                                          \
    FINDING(SN_MESH_VERTEX_UNUSED, 19, SN_LOG_WARNING, "vertex", "belongs to no element",          \
            "belong to no element")                                                                \
    FINDING(SN_MESH_EDGE_BOUNDARY, 20, SN_LOG_INFO, "edge", "belongs to one triangle only",        \
            "belong to one triangle only")

/* What can be found; the list above says what each means. */
typedef enum sn_mesh_finding_kind {
#define SN_MESH_FINDING_ENUM(name, number, level, element, one, several) name = number,
    SN_MESH_FINDINGS(SN_MESH_FINDING_ENUM)
#undef SN_MESH_FINDING_ENUM
        SN_MESH_FINDING_COUNT
} sn_mesh_finding_kind;

/* How many examples and pieces a report names. */
enum { SN_MESH_EXAMPLES = 4, SN_MESH_PIECES = 8 };

/* One kind of finding. */
typedef struct sn_mesh_finding {
    size_t count; /* how many there are */
    /* The first of them: its index, and that of the earlier one where there is one. Of an edge its
       two vertices, of a piece its first triangle. */
    uint32_t example[SN_MESH_EXAMPLES][2];
} sn_mesh_finding;

/* A connected piece of the surface. Triangles are connected across edges. */
typedef struct sn_mesh_piece {
    uint32_t triangle;     /* the first */
    size_t triangle_count; /* of the piece */
    size_t edge_count;     /* of the piece */
    size_t vertex_count;   /* of the piece; a vertex counts once for each of its fans */
    size_t boundary_edges; /* edges of one triangle only */
    int64_t euler;         /* vertices - edges + triangles */
    int64_t genus;         /* number of handles; -1 where it is not closed or has no two sides */
    bool closed;           /* all edges have two triangles */
    double volume;         /* m^3, where it is closed; negative where it faces inward */
} sn_mesh_piece;

/* What sn_mesh_check finds. */
typedef struct sn_mesh_report {
    size_t size; /* set by sn_mesh_report_default */
    /* m; at what distance vertices count as coincident. SN_AUTO: 1e-5 of the diagonal of the
       bounds, but at most a tenth of the shortest edge; sn_mesh_check then writes it here. */
    sn_real weld_distance;
    sn_mesh_finding findings[SN_MESH_FINDING_COUNT]; /* by kind */
    size_t edge_count;                               /* of all triangles */
    size_t boundary_loops;                           /* closed paths of boundary edges */
    size_t seam_edges;  /* boundary edges that would vanish if coincident vertices were welded */
    size_t tet_pieces;  /* parts of the tetrahedra that share no vertex */
    size_t piece_count; /* of the surface */
    sn_mesh_piece pieces[SN_MESH_PIECES]; /* the first of them, by their first triangle */
    bool closed; /* there are triangles, and all edges have two of them, facing the same side */
} sn_mesh_report;

SN_API sn_mesh_report sn_mesh_report_default(void);

/* Looks for everything above; the mesh is not changed. Takes a second or two for two million
   triangles, and up to 64 bytes for each corner of a triangle meanwhile. */
SN_API sn_result sn_mesh_check(const sn_mesh *mesh, sn_mesh_report *report);

/* How many remarks a report comes to: kinds of findings that there are. */
SN_API size_t sn_mesh_report_remarks(const sn_mesh_report *report);

/* The i-th of them as a sentence such as "3 triangles have no area, such as triangle 12", cut where
   it does not fit the text of `capacity` bytes; 160 are enough. */
SN_API sn_result sn_mesh_report_remark(const sn_mesh_report *report, size_t i, sn_log_level *level,
                                       char *text, size_t capacity);

/* ---- Mending; a call that fails changes nothing ---- */

/* How much was changed. */
typedef struct sn_mesh_changes {
    size_t vertices_removed;  /* unused ones, or welded to others */
    size_t triangles_removed; /* used a vertex twice, were there twice, or had no area */
    size_t tets_removed;      /* used a vertex twice, were there twice, or had no volume */
    size_t lines_removed;     /* used a vertex twice, were there twice, or had no length */
    size_t triangles_turned;  /* so that they face the side that their neighbours face */
    size_t tets_turned;       /* so that their volume is positive */
    size_t edges_flipped;     /* of triangles without area, where removing them would leave a gap */
} sn_mesh_changes;

/*
 * Makes one vertex of those within `distance` (m; SN_AUTO as in sn_mesh_report) of each other: in
 * their order, each goes to the nearest earlier vertex that stays, or stays itself where none is
 * near enough. Elements that use a vertex twice then are removed. Groups follow. `changes` may be
 * null.
 */
SN_API sn_result sn_mesh_weld(sn_mesh *mesh, sn_real distance, sn_mesh_changes *changes);

/*
 * Removes elements that use a vertex twice, are there twice, or have no extent (a triangle without
 * area by flipping its longest edge, where it has a neighbour there); turns tetrahedra of negative
 * volume; turns triangles so that neighbours face the same side, the side of most of a piece, and
 * outward where it is closed, but for pieces inside the bounds of the largest one, which may be the
 * walls of cavities; and removes vertices without elements, unless there are no elements at all.
 * What belongs to more than two triangles is left alone. `changes` may be null.
 */
SN_API sn_result sn_mesh_clean(sn_mesh *mesh, sn_mesh_changes *changes);

#ifdef __cplusplus
}
#endif

#endif
