/*
 * What a scene looks like: a shape per body, and one for all single nodes. Arrays of positions are
 * filled anew for each frame; what lies between the vertices stays that of the mesh, but for sheets
 * that tear and solids that are cut: they are followed from frame to frame.
 */
#include "io/scene/scene_children.h"
#include "io/scene/scene_foam.h"
#include "io/scene/scene_split.h"

#include "io/scene/point.h"

#include <sinew/skinning.h>
#include <sinew/support.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALONE UINT32_MAX

/* Chains of lines that keep their whole length alone. */
typedef struct shape_laces {
    uint32_t *of;       /* the chain of a line, as a vertex of it; null where there are none, and
                           ALONE of what is left of one that was cut */
    double *rest, *now; /* m, the length of a chain, by that vertex */
} shape_laces;

/* One body as it is drawn. */
typedef struct shape {
    sn_vec3 *positions, *velocities;
    sn_real *strain, *radii;
    sn_vec3 *inner; /* positions of the nodes, where a skin is drawn */
    sn_real *inner_strain;
    uint32_t (*pairs)[2]; /* edges, for the strain */
    size_t pair_count, pair_room;
    sn_real *lengths;          /* m, of the edges at rest */
    double length;             /* at rest now, over these */
    struct scene_lines *lines; /* of a body whose lines may come apart, else null */
    shape_laces laces;         /* of a rope that slides */
    uint32_t *touching;        /* how many edges a vertex has */
    /* Of a sheet or solid that came apart: its nodes and triangles, and room for so many nodes. */
    sn_node *nodes;
    uint32_t (*triangles)[3];
    size_t node_count, room, triangle_room;
    sn_real (*uvs)[2];      /* null where the body is not flat at rest */
    sn_vec3 *colours;       /* of a sheet that came apart, where its file has some */
    sn_vec3 *tints;         /* of the nodes, by what they carry; null where nothing says */
    uint64_t plain, tinted; /* topology without these colours, and with those of the last frame */
    scene_split *split;     /* of a solid that was cut */
    sn_io_pose pose;        /* of a collider, and what it has in that frame */
    sn_io_rigid rigid;
    bool hidden; /* it was removed; `whole` is what was seen of it */
    sn_io_shape whole;
} shape;

struct scene_shapes {
    shape *shapes; /* of the bodies, then of the single nodes */
    sn_io_shape *views;
    size_t count;
    sn_vec3 *shown;    /* points of constraints that are drawn, which come next; null without */
    sn_io_shape *foam; /* of liquids, which comes last */
};

/* ---- Edges ---- */

static const uint32_t *elements_of(const sn_mesh *mesh, size_t *count, size_t *corners) {
    *corners = mesh->tet_count > 0 ? 4 : 3;
    *count = mesh->tet_count > 0 ? mesh->tet_count : mesh->triangle_count;
    if (*count == 0) return NULL;
    return mesh->tet_count > 0 ? *mesh->tets : *mesh->triangles;
}

static int compare_keys(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The edges of elements with three or four corners, each once, by their lower vertex and then by
   the other; `pairs` has room for those of all elements. How many, or SIZE_MAX without memory. */
static size_t list_edges(const uint32_t *elements, size_t count, size_t corners,
                         uint32_t (*pairs)[2]) {
    size_t total = 0, kept = 0;
    uint64_t *keys = malloc((6 * count + 1) * sizeof *keys);
    if (!keys) return SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < corners; j++)
            for (size_t k = j + 1; k < corners; k++) {
                uint64_t a = elements[corners * i + j], b = elements[corners * i + k];
                keys[total++] = a < b ? a << 32 | b : b << 32 | a;
            }
    qsort(keys, total, sizeof *keys, compare_keys);
    for (size_t i = 0; i < total; i++) {
        if (i > 0 && keys[i] == keys[i - 1]) continue;
        pairs[kept][0] = (uint32_t)(keys[i] >> 32);
        pairs[kept++][1] = (uint32_t)keys[i];
    }
    free(keys);
    return kept;
}

/* The same for a shape. */
static sn_result find_edges(sn_scene *s, const uint32_t *elements, size_t count, size_t corners,
                            shape *sh) {
    /* What comes apart gets more of them, but never more than all of each element. */
    size_t most = corners == 3 ? 3 * count : 6 * count;
    if (!sh->pairs || most > sh->pair_room) {
        size_t room = sh->pairs ? 2 * most : most;
        sh->pairs = sn_scene_take(s, room + 1, sizeof *sh->pairs);
        sh->pair_room = room;
    }
    if (!sh->pairs) return SN_ERROR_MEMORY;
    sh->pair_count = list_edges(elements, count, corners, sh->pairs);
    if (sh->pair_count < SIZE_MAX) return SN_OK;
    sh->pair_count = 0;
    return sn_fail(SN_ERROR_MEMORY, "no memory for the edges of %zu elements", count);
}

/* The edges of tets, triangles or lines, in that order of preference. */
static sn_result find_pairs(sn_scene *s, const sn_mesh *mesh, shape *sh) {
    size_t count, corners;
    const uint32_t *elements = elements_of(mesh, &count, &corners);
    if (!elements) {
        sh->pair_count = mesh->line_count;
        sh->pairs = sn_scene_take(s, mesh->line_count + 1, sizeof *sh->pairs);
        if (!sh->pairs) return SN_ERROR_MEMORY;
        if (mesh->line_count > 0)
            memcpy(sh->pairs, mesh->lines, mesh->line_count * sizeof *sh->pairs);
        return SN_OK;
    }
    return find_edges(s, elements, count, corners, sh);
}

static double length_of(const sn_vec3 *x, const uint32_t pair[2]) {
    return sn_io_point_length(
        sn_io_point_sub(sn_io_point_of(x[pair[0]]), sn_io_point_of(x[pair[1]])));
}

/* Lengths at rest are those of the mesh, in the size of the body. */
static sn_result find_lengths(sn_scene *s, const scene_body *body, shape *sh) {
    sh->lengths = sn_scene_take(s, sh->pair_count + 1, sizeof *sh->lengths);
    sh->touching = sn_scene_take(s, body->mesh->mesh.vertex_count + 1, sizeof *sh->touching);
    if (!sh->lengths || !sh->touching) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < sh->pair_count; i++) {
        sh->lengths[i] =
            (sn_real)(length_of(body->mesh->mesh.positions, sh->pairs[i]) * body->scale);
        sh->touching[sh->pairs[i][0]]++;
        sh->touching[sh->pairs[i][1]]++;
    }
    return SN_OK;
}

static uint32_t find_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static sn_result find_chains(sn_scene *s, const scene_body *body, shape *sh) {
    uint32_t vertices = (uint32_t)body->mesh->mesh.vertex_count;
    shape_laces *c = &sh->laces;
    if (!body->slides) return SN_OK;
    uint32_t *parent = sn_scene_take(s, vertices + 1, sizeof *parent);
    c->of = sn_scene_take(s, sh->pair_count + 1, sizeof *c->of);
    c->rest = sn_scene_take(s, vertices + 1, sizeof *c->rest);
    c->now = sn_scene_take(s, vertices + 1, sizeof *c->now);
    if (!parent || !c->of || !c->rest || !c->now) return SN_ERROR_MEMORY;
    for (uint32_t i = 0; i < vertices; i++) parent[i] = i;
    for (size_t i = 0; i < sh->pair_count; i++)
        parent[find_root(parent, sh->pairs[i][0])] = find_root(parent, sh->pairs[i][1]);
    for (size_t i = 0; i < sh->pair_count; i++) {
        c->of[i] = find_root(parent, sh->pairs[i][0]);
        c->rest[c->of[i]] += (double)sh->lengths[i];
    }
    return SN_OK;
}

/* ---- Making ---- */

/* Hard edges, colours of vertices, and the places of a cloth on its material. */
static sn_result mark_surface(sn_scene *s, const scene_body *body, const sn_mesh *seen, shape *sh,
                              sn_io_shape *view) {
    bool cloth = body->kind == SN_KIND_CLOTH;
    SN_TRY(sn_scene_mark_creases(s, seen, cloth, view));
    if (body->look.colour.x == SN_AUTO) view->colours = body->mesh->colours;
    sn_scene_show_materials(body->mesh->materials, body->materials, view);
    if (body->mesh->uvs) {
        view->uvs = (const sn_real(*)[2])body->mesh->uvs;
        return SN_OK;
    }
    if (!cloth || body->mesh->embedding) return SN_OK;
    sh->uvs = sn_scene_take(s, seen->vertex_count + 1, sizeof *sh->uvs);
    if (!sh->uvs) return SN_ERROR_MEMORY;
    if (!sn_scene_lay_out(seen->positions, seen->vertex_count, body->scale, sh->uvs))
        sh->uvs = NULL;
    view->uvs = (const sn_real(*)[2])sh->uvs;
    return SN_OK;
}

/* Room for what a frame shows of so many nodes and vertices. */
static sn_result take_arrays(sn_scene *s, shape *sh, size_t nodes, size_t vertices) {
    size_t most = nodes > vertices ? nodes : vertices;
    sh->positions = sn_scene_take(s, most + 1, sizeof *sh->positions);
    sh->velocities = sn_scene_take(s, most + 1, sizeof *sh->velocities);
    sh->strain = sn_scene_take(s, most + 1, sizeof *sh->strain);
    sh->radii = sn_scene_take(s, most + 1, sizeof *sh->radii);
    sh->inner = sn_scene_take(s, nodes + 1, sizeof *sh->inner);
    sh->inner_strain = sn_scene_take(s, nodes + 1, sizeof *sh->inner_strain);
    return sh->positions && sh->velocities && sh->strain && sh->radii && sh->inner &&
                   sh->inner_strain
               ? SN_OK
               : SN_ERROR_MEMORY;
}

static sn_result make_shape(sn_scene *s, const scene_body *body, shape *sh, sn_io_shape *view) {
    const scene_mesh *m = body->mesh;
    const sn_mesh own = sn_scene_shown_mesh(body->kind, &m->mesh);
    const sn_mesh visible = sn_scene_shown_mesh(body->kind, &m->visible);
    const sn_mesh *seen = m->embedding ? &visible : &own;
    const scene_children *c = body->children;
    size_t nodes = m->mesh.vertex_count;
    size_t vertices = seen->vertex_count + (c ? c->vertex_count : 0);
    SN_TRY(take_arrays(s, sh, nodes, vertices));
    SN_TRY(find_pairs(s, &own, sh));
    SN_TRY(find_lengths(s, body, sh));
    SN_TRY(find_chains(s, body, sh));
    SN_TRY(sn_scene_find_lines(s, body, &sh->lines));
    *view = (sn_io_shape){
        .name = body->name,
        .vertex_count = vertices,
        .positions = sh->positions,
        .velocities = sh->velocities,
        .strain = sh->pair_count > 0 ? sh->strain : NULL,
        .radii = sh->radii,
        .triangle_count = seen->triangle_count,
        .triangles = (const uint32_t(*)[3])seen->triangles,
        .line_count = c ? c->line_count : seen->line_count,
        .lines = (const uint32_t(*)[2])(c ? c->lines : seen->lines),
        .tet_count = seen->tet_count,
        .tets = (const uint32_t(*)[4])seen->tets,
    };
    SN_TRY(mark_surface(s, body, seen, sh, view));
    if (c) view->uvs = NULL; /* of which children have none */
    return m->owns_uvs && !c ? sn_scene_show_groups(s, body, view) : SN_OK;
}

static sn_result make_particles(sn_scene *s, shape *sh, sn_io_shape *view) {
    size_t count = s->nodes.count;
    sh->positions = sn_scene_take(s, count + 1, sizeof *sh->positions);
    sh->velocities = sn_scene_take(s, count + 1, sizeof *sh->velocities);
    sh->radii = sn_scene_take(s, count + 1, sizeof *sh->radii);
    if (!sh->positions || !sh->velocities || !sh->radii) return SN_ERROR_MEMORY;
    *view = (sn_io_shape){.name = "nodes",
                          .vertex_count = count,
                          .positions = sh->positions,
                          .velocities = sh->velocities,
                          .radii = sh->radii};
    return sn_scene_colour_nodes(s, view);
}

static sn_result make_collider(sn_scene *s, const scene_collider *c, shape *sh, sn_io_shape *view) {
    const sn_mesh *mesh = &c->look->mesh;
    sh->positions = sn_scene_take(s, mesh->vertex_count + 1, sizeof *sh->positions);
    sh->velocities = sn_scene_take(s, mesh->vertex_count + 1, sizeof *sh->velocities);
    if (!sh->positions || !sh->velocities) return SN_ERROR_MEMORY;
    sh->pose.orientation.w = 1;
    *view = (sn_io_shape){.name = c->name,
                          .vertex_count = mesh->vertex_count,
                          .positions = sh->positions,
                          .velocities = sh->velocities,
                          .triangle_count = mesh->triangle_count,
                          .triangles = (const uint32_t(*)[3])mesh->triangles,
                          .uvs = c->uvs,
                          .colours = c->colours,
                          .pose = c->animation ? NULL : &sh->pose,
                          .rigid = c->animation ? NULL : &sh->rigid};
    sn_scene_show_materials(c->materials, c->skins, view);
    return sn_scene_mark_creases(s, mesh, false, view);
}

/* A look is for those who have something to say. */
static const sn_io_look *look_of(const sn_io_look *look) {
    sn_io_look none = sn_io_look_default();
    bool same = look->colour.x == SN_AUTO && look->back.x == SN_AUTO && look->weave == none.weave &&
                look->pattern == none.pattern && look->opacity == none.opacity &&
                look->sheen == none.sheen && look->roughness == none.roughness &&
                look->thickness == none.thickness && !look->texture_bytes && !look->liquid &&
                !look->smoke && !look->material;
    return same ? NULL : look;
}

/* Those that are drawn come last; a plane is not. */
static sn_result make_colliders(sn_scene *s, struct scene_shapes *made) {
    for (size_t i = 0; i < s->colliders.count; i++) {
        const scene_collider *c = &s->colliders.items[i];
        if (c->look->mesh.vertex_count == 0) continue;
        SN_TRY(make_collider(s, c, &made->shapes[made->count], &made->views[made->count]));
        made->views[made->count].look = look_of(&c->drawn);
        made->count++;
    }
    return SN_OK;
}

/* What was removed keeps its place among the shapes, and has nothing to be seen; it is back where a
   snapshot brings it back. */
static void show(shape *sh, sn_io_shape *seen, bool is_there) {
    if (is_there == !sh->hidden) return;
    if (is_there) {
        *seen = sh->whole;
    } else {
        sh->whole = *seen;
        *seen = (sn_io_shape){.name = sh->whole.name,
                              .positions = sh->whole.positions,
                              .topology = ~sh->whole.topology,
                              .look = sh->whole.look};
    }
    sh->hidden = !is_there;
}

static void fill_colliders(const sn_scene *s, struct scene_shapes *all) {
    size_t at = s->bodies.count + (s->nodes.count > 0);
    for (size_t i = 0; i < s->colliders.count; i++) {
        const scene_collider *c = &s->colliders.items[i];
        if (c->look->mesh.vertex_count == 0) continue;
        shape *sh = &all->shapes[at];
        show(sh, &all->views[at],
             sn_scene_place_collider(s, c, &sh->pose, &sh->rigid, sh->positions, sh->velocities));
        at++;
    }
}

static sn_result make_shapes(sn_scene *s) {
    if (s->shapes) return SN_OK;
    SN_TRY(sn_scene_make_staging(s));
    struct scene_shapes *made = sn_scene_take(s, 1, sizeof *made);
    if (!made) return SN_ERROR_MEMORY;
    size_t bodies = s->bodies.count;
    made->count = bodies + (s->nodes.count > 0);
    size_t most = made->count + s->colliders.count + sn_scene_count_foam(s) + 2;
    made->shapes = sn_scene_take(s, most, sizeof *made->shapes);
    made->views = sn_scene_take(s, most, sizeof *made->views);
    if (!made->shapes || !made->views) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < bodies; i++)
        SN_TRY(make_shape(s, &s->bodies.items[i], &made->shapes[i], &made->views[i]));
    for (size_t i = 0; i < bodies; i++) made->views[i].look = look_of(&s->bodies.items[i].look);
    if (made->count > bodies)
        SN_TRY(make_particles(s, &made->shapes[bodies], &made->views[bodies]));
    SN_TRY(make_colliders(s, made));
    sn_io_shape *last = &made->views[made->count];
    SN_TRY(sn_scene_make_shown(s, last));
    made->shown = (sn_vec3 *)(uintptr_t)last->positions; /* which are the scene's */
    made->count += last->vertex_count > 0;
    made->foam = &made->views[made->count];
    made->count += sn_scene_count_foam(s);
    s->shapes = made;
    return SN_OK;
}

/* ---- Sheets that tear ---- */

/* Room for as many triangles as a sheet has now; for more than at first, with some to spare. */
static sn_result make_triangle_room(sn_scene *s, shape *sh, size_t triangles) {
    if (triangles <= sh->triangle_room) return SN_OK;
    size_t room = sh->triangle_room > 0 ? 2 * triangles : triangles;
    sh->triangles = sn_scene_take(s, room + 1, sizeof *sh->triangles);
    sh->lengths = sn_scene_take(s, 3 * room + 1, sizeof *sh->lengths);
    sh->triangle_room = room;
    return sh->triangles && sh->lengths ? SN_OK : SN_ERROR_MEMORY;
}

/* Room for as many nodes as a sheet has now, and some more. */
static sn_result make_room(sn_scene *s, shape *sh, size_t nodes, size_t triangles) {
    SN_TRY(make_triangle_room(s, sh, triangles));
    if (nodes <= sh->room) return SN_OK;
    /* There are never more than the corners of its triangles. */
    size_t room = 2 * nodes < 3 * triangles ? 2 * nodes : 3 * triangles;
    room = room < nodes ? nodes : room;
    sn_vec3 *positions = sn_scene_take(s, room + 1, sizeof *positions);
    sn_vec3 *velocities = sn_scene_take(s, room + 1, sizeof *velocities);
    sn_real *strain = sn_scene_take(s, room + 1, sizeof *strain);
    sn_real *radii = sn_scene_take(s, room + 1, sizeof *radii);
    sn_node *list = sn_scene_take(s, room + 1, sizeof *list);
    uint32_t *touching = sn_scene_take(s, room + 1, sizeof *touching);
    if (!positions || !velocities || !strain || !radii || !list || !touching)
        return SN_ERROR_MEMORY;
    sh->positions = positions;
    sh->velocities = velocities;
    sh->strain = strain;
    sh->radii = radii;
    sh->nodes = list;
    sh->touching = touching;
    sh->room = room;
    return SN_OK;
}

/* Lengths at rest are those of the vertices that the corners had in the mesh: triangles keep their
   numbers and the order of their corners. */
static void find_torn_lengths(const scene_body *body, shape *sh, uint32_t *origin) {
    const sn_mesh *mesh = &body->mesh->mesh;
    for (size_t i = 0; i < mesh->triangle_count; i++)
        for (int k = 0; k < 3; k++) origin[sh->triangles[i][k]] = mesh->triangles[i][k];
    memset(sh->touching, 0, sh->node_count * sizeof *sh->touching);
    for (size_t i = 0; i < sh->pair_count; i++) {
        uint32_t pair[2] = {origin[sh->pairs[i][0]], origin[sh->pairs[i][1]]};
        sh->lengths[i] = (sn_real)(length_of(mesh->positions, pair) * body->scale);
        sh->touching[sh->pairs[i][0]]++;
        sh->touching[sh->pairs[i][1]]++;
    }
}

/* Where triangles were divided, the sheet knows where its nodes are at rest. */
static sn_result find_divided_lengths(sn_scene *s, const scene_body *body, shape *sh) {
    size_t nodes;
    sn_vec3 *rest = calloc(sh->node_count + 1, sizeof *rest);
    if (!rest) return SN_ERROR_MEMORY;
    sn_result result = sn_sheet_get_rest(s->world, body->build.sheet, rest, sh->node_count, &nodes);
    memset(sh->touching, 0, sh->node_count * sizeof *sh->touching);
    for (size_t i = 0; result == SN_OK && i < sh->pair_count; i++) {
        sh->lengths[i] = (sn_real)length_of(rest, sh->pairs[i]);
        sh->touching[sh->pairs[i][0]]++;
        sh->touching[sh->pairs[i][1]]++;
    }
    free(rest);
    return result;
}

/* Copies of vertices have what their originals had; of triangles that were divided nobody says
   where they are on a texture. */
static sn_result follow_file_uvs(sn_scene *s, const scene_body *body, shape *sh,
                                 sn_io_shape *view) {
    const sn_mesh *mesh = &body->mesh->mesh;
    view->uvs = NULL;
    if (view->triangle_count > mesh->triangle_count) return SN_OK;
    sh->uvs = sn_scene_take(s, sh->node_count + 1, sizeof *sh->uvs);
    if (!sh->uvs) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        memcpy(sh->uvs[sh->triangles[i / 3][i % 3]], body->mesh->uvs[mesh->triangles[i / 3][i % 3]],
               sizeof *sh->uvs);
    view->uvs = (const sn_real(*)[2])sh->uvs;
    return SN_OK;
}

/* The same for their colours. */
static sn_result follow_colours(sn_scene *s, const scene_body *body, shape *sh, sn_io_shape *view) {
    const sn_mesh *mesh = &body->mesh->mesh;
    if (!view->colours) return SN_OK;
    view->colours = NULL;
    if (view->triangle_count > mesh->triangle_count) return SN_OK;
    sh->colours = sn_scene_take(s, sh->node_count + 1, sizeof *sh->colours);
    if (!sh->colours) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        sh->colours[sh->triangles[i / 3][i % 3]] =
            body->mesh->colours[mesh->triangles[i / 3][i % 3]];
    view->colours = sh->colours;
    return SN_OK;
}

/* The sheet knows where its nodes are at rest, new ones too. */
static sn_result follow_uvs(sn_scene *s, const scene_body *body, shape *sh, sn_io_shape *view) {
    size_t count;
    sn_vec3 *rest = calloc(sh->node_count + 1, sizeof *rest);
    sh->uvs = sn_scene_take(s, sh->node_count + 1, sizeof *sh->uvs);
    sn_result result = rest && sh->uvs ? SN_OK : SN_ERROR_MEMORY;
    if (result == SN_OK)
        result = sn_sheet_get_rest(s->world, body->build.sheet, rest, sh->node_count, &count);
    if (result == SN_OK && !sn_scene_lay_out(rest, sh->node_count, 1, sh->uvs)) sh->uvs = NULL;
    view->uvs = (const sn_real(*)[2])sh->uvs;
    free(rest);
    return result;
}

/* Takes over what a sheet has become since the frame before. */
static sn_result follow_sheet(sn_scene *s, const scene_body *body, shape *sh, sn_io_shape *view) {
    const sn_mesh *mesh = &body->mesh->mesh;
    size_t nodes, triangles;
    if (!sn_sheet_is_valid(s->world, body->build.sheet) || body->mesh->embedding) return SN_OK;
    SN_TRY(sn_sheet_get_nodes(s->world, body->build.sheet, NULL, 0, &nodes));
    SN_TRY(sn_sheet_get_triangles(s->world, body->build.sheet, NULL, 0, &triangles));
    size_t before = sh->nodes ? sh->node_count : mesh->vertex_count;
    /* Where nodes were removed, their vertices stay where they were; where a snapshot was loaded,
       it may be whole again. */
    bool lacks = nodes < mesh->vertex_count || triangles < mesh->triangle_count;
    if (nodes == before || lacks) return SN_OK;
    SN_TRY(make_room(s, sh, nodes, triangles));
    SN_TRY(sn_sheet_get_nodes(s->world, body->build.sheet, sh->nodes, nodes, &nodes));
    SN_TRY(
        sn_sheet_get_triangles(s->world, body->build.sheet, *sh->triangles, triangles, &triangles));
    sh->node_count = nodes;
    SN_TRY(find_edges(s, *sh->triangles, triangles, 3, sh));
    if (triangles > mesh->triangle_count) {
        SN_TRY(find_divided_lengths(s, body, sh));
    } else {
        uint32_t *origin = calloc(nodes + 1, sizeof *origin);
        if (!origin) return SN_ERROR_MEMORY;
        find_torn_lengths(body, sh, origin);
        free(origin);
    }
    view->vertex_count = nodes;
    view->triangle_count = triangles;
    view->positions = sh->positions;
    view->velocities = sh->velocities;
    view->strain = sh->strain;
    view->radii = sh->radii;
    view->triangles = (const uint32_t(*)[3])sh->triangles;
    view->topology = nodes;
    sn_scene_show_materials(body->mesh->materials, body->materials, view);
    SN_TRY(follow_colours(s, body, sh, view));
    if (view->group_count > 0) SN_TRY(sn_scene_show_groups(s, body, view));
    if (body->mesh->uvs) return follow_file_uvs(s, body, sh, view);
    return sh->uvs ? follow_uvs(s, body, sh, view) : SN_OK;
}

/* ---- Solids that are cut ---- */

/* Room for as many nodes and vertices as there may ever be. */
static sn_result make_split_room(sn_scene *s, shape *sh) {
    const scene_split *p = sh->split;
    size_t nodes = p->most_nodes;
    if (sh->nodes && nodes <= sh->room) return SN_OK;
    sh->room = nodes;
    SN_TRY(take_arrays(s, sh, nodes, p->most_vertices));
    sh->nodes = sn_scene_take(s, nodes + 1, sizeof *sh->nodes);
    sh->touching = sn_scene_take(s, nodes + 1, sizeof *sh->touching);
    sh->lengths = sn_scene_take(s, 6 * p->most_tets + 1, sizeof *sh->lengths);
    return sh->nodes && sh->touching && sh->lengths ? SN_OK : SN_ERROR_MEMORY;
}

/* Lengths at rest, by where the bulk has its nodes then. */
static sn_result find_split_lengths(sn_scene *s, const scene_body *body, shape *sh) {
    size_t nodes;
    SN_TRY(sn_tet_mesh_get_rest(s->world, body->build.tet_mesh, sh->inner, sh->node_count, &nodes));
    memset(sh->touching, 0, sh->node_count * sizeof *sh->touching);
    for (size_t i = 0; i < sh->pair_count; i++) {
        sh->lengths[i] = (sn_real)length_of(sh->inner, sh->pairs[i]);
        sh->touching[sh->pairs[i][0]]++;
        sh->touching[sh->pairs[i][1]]++;
    }
    return SN_OK;
}

/* Takes over what a bulk has become since the frame before. */
static sn_result follow_bulk(sn_scene *s, const scene_body *body, shape *sh, sn_io_shape *view) {
    const sn_mesh *mesh = &body->mesh->mesh;
    sn_tet_mesh tet_mesh = body->build.tet_mesh;
    size_t nodes, tets;
    if (!sn_tet_mesh_is_valid(s->world, tet_mesh)) return SN_OK;
    SN_TRY(sn_tet_mesh_get_nodes(s->world, tet_mesh, NULL, 0, &nodes));
    SN_TRY(sn_tet_mesh_get_tets(s->world, tet_mesh, NULL, 0, &tets));
    /* As of a sheet. */
    bool lacks = nodes < mesh->vertex_count || tets < mesh->tet_count;
    if (nodes == (sh->nodes ? sh->node_count : mesh->vertex_count) || lacks) return SN_OK;
    SN_TRY(sn_scene_split_update(s, body, &sh->split));
    SN_TRY(make_split_room(s, sh));
    const scene_split *p = sh->split;
    SN_TRY(sn_tet_mesh_get_nodes(s->world, tet_mesh, sh->nodes, p->most_nodes, &nodes));
    sh->node_count = nodes;
    SN_TRY(find_edges(s, *p->tets, tets, 4, sh));
    SN_TRY(find_split_lengths(s, body, sh));
    view->vertex_count = p->vertex_count;
    view->positions = sh->positions;
    view->velocities = sh->velocities;
    view->strain = sh->strain;
    view->radii = sh->radii;
    view->triangle_count = p->triangle_count;
    view->triangles = (const uint32_t(*)[3])p->triangles;
    if (!body->mesh->embedding) {
        view->tets = (const uint32_t(*)[4])p->tets;
        view->tet_count = tets;
    }
    view->topology = nodes;
    /* New vertices of a solid are inside of the surface, where there is no texture. */
    view->uvs = NULL;
    view->colours = NULL;
    view->group_count = 0;
    sn_scene_show_materials(NULL, NULL, view);
    /* Those of a cut are told by their angles. */
    view->creased = false;
    view->crease_count = 0;
    return SN_OK;
}

/* ---- Filling ---- */

static sn_vec3 vec3_of(sn_vec4 a) {
    return (sn_vec3){a.x, a.y, a.z};
}

/* To be called before `stretch_of`, with the same places. */
static void measure_chains(const shape *sh, const sn_vec3 *x) {
    const shape_laces *c = &sh->laces;
    for (size_t i = 0; c->of && i < sh->pair_count; i++)
        if (c->of[i] != ALONE) c->now[c->of[i]] = 0;
    for (size_t i = 0; c->of && i < sh->pair_count; i++)
        if (c->of[i] != ALONE) c->now[c->of[i]] += length_of(x, sh->pairs[i]);
}

/* By how much an edge is longer than at rest; what slides, by how much all of its chain is. */
static double stretch_of(const shape *sh, const sn_vec3 *x, size_t i) {
    const shape_laces *c = &sh->laces;
    bool slides = c->of && c->of[i] != ALONE;
    double rest = sh->length * (slides ? c->rest[c->of[i]] : (double)sh->lengths[i]);
    double now = slides ? c->now[c->of[i]] : length_of(x, sh->pairs[i]);
    return rest > 0 ? now / rest - 1 : 0;
}

static void fill_strain(const shape *sh, const sn_vec3 *x, size_t vertices, sn_real *strain) {
    memset(strain, 0, vertices * sizeof *strain);
    measure_chains(sh, x);
    for (size_t i = 0; i < sh->pair_count; i++) {
        sn_real stretch = (sn_real)stretch_of(sh, x, i);
        strain[sh->pairs[i][0]] += stretch;
        strain[sh->pairs[i][1]] += stretch;
    }
    for (size_t i = 0; i < vertices; i++)
        if (sh->touching[i] > 0) strain[i] /= (sn_real)sh->touching[i];
}

/* Vertices whose nodes are gone stay where they were last. */
static void read_nodes(const sn_scene *s, const sn_node_view *view, const sn_node *nodes,
                       size_t count, sn_vec3 *x, sn_vec3 *v, sn_real *radii) {
    for (size_t i = 0; i < count; i++) {
        if (!sn_node_is_valid(s->world, nodes[i])) continue;
        size_t slot = nodes[i].slot - 1;
        x[i] = vec3_of(view->position[slot]);
        v[i] = vec3_of(view->velocity[slot]);
        radii[i] = view->radius[slot];
    }
}

/* Replaces the values of the nodes by those of the skin that they carry. */
static sn_result dress(const sn_scene *s, const scene_body *body, shape *sh) {
    const scene_mesh *m = body->mesh;
    sn_embedding e = *m->embedding;
    size_t nodes = sh->split ? sh->node_count : m->mesh.vertex_count;
    if (sh->split) {
        e.count = sh->split->vertex_count;
        e.vertices = sh->split->vertices;
        e.weights = sh->split->weights;
    }
    memcpy(sh->inner, sh->velocities, nodes * sizeof *sh->inner);
    SN_TRY(sn_embedding_apply(&e, sh->inner, sh->velocities));
    memcpy(sh->inner_strain, sh->strain, nodes * sizeof *sh->strain);
    for (size_t i = 0; i < e.count; i++) {
        sh->strain[i] = sh->radii[i] = 0;
        for (int k = 0; k < 4; k++)
            sh->strain[i] += e.weights[i][k] * sh->inner_strain[e.vertices[i][k]];
    }
    memcpy(sh->inner, sh->positions, nodes * sizeof *sh->inner);
    if (body->blend) return sn_scene_apply_skinned(s, body, sh->inner, sh->positions);
    if (sn_wrinkle_mesh_is_valid(s->world, body->wrinkles))
        return sn_wrinkle_mesh_get_positions(s->world, body->wrinkles, sh->positions, e.count,
                                             &(size_t){0});
    /* What was cut follows the corners of its side alone. */
    if (m->blend && !sh->split)
        return sn_blend_apply_tets(m->blend, sh->inner, sh->positions, NULL);
    return sn_embedding_apply(&e, sh->inner, sh->positions);
}

/* Whether any of its nodes is left. */
static bool is_there(const sn_scene *s, const scene_body *body) {
    size_t count = body->mesh->mesh.vertex_count;
    for (size_t i = 0; i < count; i++)
        if (sn_node_is_valid(s->world, body->nodes[i])) return true;
    return count == 0;
}

/* Colours by what nodes carry, which are others in every frame: so is what they stay as long as. */
static sn_result tint(sn_scene *s, const scene_body *body, shape *sh, sn_io_shape *seen) {
    size_t count = body->mesh->mesh.vertex_count;
    bool any = false;
    if (sh->nodes || body->children || body->mesh->embedding || s->diffusions.count == 0)
        return SN_OK;
    if (!sh->tints) sh->tints = sn_scene_take(s, count + 1, sizeof *sh->tints);
    if (!sh->tints) return SN_ERROR_MEMORY;
    const sn_vec3 grey = {(sn_real)0.7, (sn_real)0.7, (sn_real)0.7}, own = body->look.colour;
    SN_TRY(
        sn_scene_tint_nodes(s, body->nodes, count, own.x == SN_AUTO ? grey : own, sh->tints, &any));
    if (!any) return SN_OK;
    if (!seen->colours || seen->topology != sh->tinted) sh->plain = seen->topology;
    sh->tinted = sn_hash_word(sh->plain, (uint64_t)sn_scene_frame_number(s) + 1);
    seen->topology = sh->tinted;
    seen->colours = sh->tints;
    return SN_OK;
}

/* Lines that broke or were cut are not drawn, and are strained by nothing. */
static sn_result follow_lines(const sn_scene *s, const scene_body *body, shape *sh,
                              sn_io_shape *seen) {
    scene_lines_left left;
    if (!sh->lines) return SN_OK;
    SN_TRY(sn_scene_follow_lines(s, body, sh->lines, &left));
    if (!left.changed) return SN_OK;
    seen->lines = left.line;
    seen->line_count = left.count;
    seen->topology++;
    for (size_t i = 0; i < sh->pair_count; i++) {
        double length = length_of(body->mesh->mesh.positions, sh->pairs[i]) * body->scale;
        double own = sn_scene_line_length(s, sh->lines, i);
        if (sh->laces.of && own >= 0) {
            length = own / body->length;
            sh->laces.of[i] = ALONE;
        }
        sh->lengths[i] = own == 0 ? 0 : (sn_real)length;
    }
    return SN_OK;
}

static sn_result fill_body(sn_scene *s, const sn_node_view *view, const scene_body *body, shape *sh,
                           sn_io_shape *seen) {
    const scene_mesh *m = body->mesh;
    show(sh, seen, is_there(s, body));
    if (sh->hidden) return SN_OK;
    SN_TRY(follow_sheet(s, body, sh, seen));
    SN_TRY(follow_bulk(s, body, sh, seen));
    SN_TRY(follow_lines(s, body, sh, seen));
    size_t nodes = sh->nodes ? sh->node_count : m->mesh.vertex_count;
    read_nodes(s, view, sh->nodes ? sh->nodes : body->nodes, nodes, sh->positions, sh->velocities,
               sh->radii);
    sh->length = body->length;
    fill_strain(sh, sh->positions, nodes, sh->strain);
    SN_TRY(tint(s, body, sh, seen));
    if (body->children)
        sn_scene_place_children(body->children, &(scene_grown){sh->positions, sh->velocities,
                                                               sh->strain, sh->radii, nodes});
    return m->embedding ? dress(s, body, sh) : SN_OK;
}

static void fill_particles(const sn_scene *s, const sn_node_view *view, shape *sh) {
    for (size_t i = 0; i < s->nodes.count; i++)
        read_nodes(s, view, &s->nodes.items[i].node, 1, &sh->positions[i], &sh->velocities[i],
                   &sh->radii[i]);
}

sn_result sn_scene_frame(sn_scene *s, sn_io_frame *frame) {
    if (!s || !frame)
        return sn_fail(SN_ERROR_NULL, "sn_scene_frame: %s is null", s ? "frame" : "scene");
    sn_node_view view;
    SN_TRY(make_shapes(s));
    SN_TRY(sn_world_nodes(s->world, &view));
    struct scene_shapes *all = s->shapes;
    for (size_t i = 0; i < s->bodies.count; i++)
        SN_TRY(fill_body(s, &view, &s->bodies.items[i], &all->shapes[i], &all->views[i]));
    if (s->nodes.count > 0) fill_particles(s, &view, &all->shapes[s->bodies.count]);
    fill_colliders(s, all);
    if (all->shown) sn_scene_place_shown(s, all->shown);
    sn_scene_show_foam(s, all->foam);
    *frame = (sn_io_frame){.number = sn_scene_frame_number(s),
                           .time = sn_world_time(s->world),
                           .shape_count = all->count,
                           .shapes = all->views,
                           .staging = s->staging};
    return SN_OK;
}

/* Of the shape that was made for the frame; how many edges it has. */
static size_t strain_of(const sn_scene *s, size_t body, sn_scene_strain *strain) {
    const shape *sh = &s->shapes->shapes[body];
    const sn_vec3 *x = s->bodies.items[body].mesh->embedding ? sh->inner : sh->positions;
    double sum = 0;
    *strain = (sn_scene_strain){0};
    measure_chains(sh, x);
    for (size_t i = 0; i < sh->pair_count; i++) {
        double stretch = fabs(stretch_of(sh, x, i));
        sum += stretch;
        if (!(stretch > strain->largest)) continue;
        sn_vec3 a = x[sh->pairs[i][0]], b = x[sh->pairs[i][1]];
        strain->largest = stretch;
        strain->where = (sn_vec3){(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
    }
    strain->mean = sh->pair_count ? sum / (double)sh->pair_count : 0;
    return sh->pair_count;
}

sn_result sn_scene_body_strain(sn_scene *scene, size_t index, sn_scene_strain *strain) {
    if (!scene || !strain)
        return sn_fail(SN_ERROR_NULL, "sn_scene_body_strain: %s is null",
                       scene ? "strain" : "scene");
    if (index >= scene->bodies.count)
        return sn_fail(SN_ERROR_VALUE, "scene: body %zu is none of its %zu", index,
                       scene->bodies.count);
    sn_io_frame frame;
    SN_TRY(sn_scene_frame(scene, &frame));
    strain_of(scene, index, strain);
    return SN_OK;
}

sn_result sn_scene_measure_strain(sn_scene *s, scene_strain *strain) {
    *strain = (scene_strain){0};
    sn_io_frame frame;
    SN_TRY(sn_scene_frame(s, &frame));
    for (size_t b = 0; b < s->bodies.count; b++) {
        sn_scene_strain own;
        size_t count = strain_of(s, b, &own);
        strain->sum += own.mean * (double)count;
        strain->largest = fmax(strain->largest, own.largest);
        strain->count += count;
    }
    return SN_OK;
}
