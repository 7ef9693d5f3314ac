/*
 * How large a scene may become. A few digits too many in a file would otherwise fill the memory
 * before anything could be said about it.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* As in scene_meshes.c. */
enum { MOST_DEPTH = 8 };

/* ---- About how many vertices a mesh by formula is going to have ---- */

static double grid_size(const sn_grid_def *d) {
    double crossed = d->pattern == SN_GRID_CROSSED ? (double)d->columns * d->rows : 0;
    return (d->columns + 1.0) * (d->rows + 1.0) + crossed;
}

/* Of isotropic triangles in so large an area. */
static double isotropic_size(double area, sn_real edge) {
    double length = (double)edge;
    return length > 0 ? area / (0.866 * length * length) : 0;
}

static double disc_size(const sn_disc_def *d) {
    if (d->edge_length != SN_AUTO)
        return isotropic_size(3.14 * (double)d->radius * (double)d->radius, d->edge_length);
    return d->segments > 0 ? (double)d->rings * d->segments : 3.0 * d->rings * (d->rings + 1.0);
}

static double box_size(const sn_box_def *d) {
    double x = d->cells[0], y = d->cells[1], z = d->cells[2];
    return 2 * (x * y + y * z + z * x);
}

/* The edges of an icosahedron are about as long as the radius. */
static double sphere_size(const sn_sphere_def *d) {
    double parts = (double)((uint32_t)1 << (d->level < 31 ? d->level : 31));
    if (d->edge_length != SN_AUTO && d->edge_length > 0)
        parts = (double)d->radius / (double)d->edge_length;
    return 10 * parts * parts;
}

static double cylinder_size(const sn_cylinder_def *d) {
    double around = d->segments, caps = d->capped ? around * around / 6 : 0;
    return around * (d->rows + 1.0) + caps;
}

static double block_size(const sn_block_def *d) {
    return (d->cells[0] + 1.0) * (d->cells[1] + 1.0) * (d->cells[2] + 1.0);
}

/* All definitions that a mesh is made by. */
typedef union any_def {
    sn_grid_def grid;
    sn_disc_def disc;
    sn_box_def box;
    sn_sphere_def sphere;
    sn_cylinder_def cylinder;
    sn_torus_def torus;
    sn_block_def block;
    sn_sheet_mesh_def sheet;
    scene_mesh_panel panel;
    scene_mesh_rope rope;
    scene_mesh_strands strands;
    sn_helix_def helix;
    scene_mesh_ring ring;
    scene_mesh_spline spline;
    scene_mesh_fill fill;
    scene_mesh_midpoints midpoints;
    scene_mesh_skinned skinned;
    scene_mesh_wrinkled wrinkled;
    scene_mesh_file file;
    scene_mesh_points points;
} any_def;

static any_def standard_of(const char *shape) {
    any_def def;
    memset(&def, 0, sizeof def);
    if (strcmp(shape, "grid") == 0) def.grid = sn_grid_def_default();
    if (strcmp(shape, "disc") == 0) def.disc = sn_disc_def_default();
    if (strcmp(shape, "sheet") == 0) def.sheet = sn_sheet_mesh_def_default();
    if (strcmp(shape, "panel") == 0) def.panel.def = sn_panel_def_default();
    if (strcmp(shape, "box") == 0) def.box = sn_box_def_default();
    if (strcmp(shape, "sphere") == 0) def.sphere = sn_sphere_def_default();
    if (strcmp(shape, "cylinder") == 0) def.cylinder = sn_cylinder_def_default();
    if (strcmp(shape, "torus") == 0) def.torus = sn_torus_def_default();
    if (strcmp(shape, "block") == 0) def.block = sn_block_def_default();
    if (strcmp(shape, "helix") == 0) def.helix = sn_helix_def_default();
    if (strcmp(shape, "strands") == 0) def.strands.def = sn_strands_def_default();
    if (strcmp(shape, "wrinkled") == 0) def.wrinkled.def = sn_wrinkle_mesh_def_default();
    return def;
}

/* 0 for meshes that are in a file. */
static double size_of(const char *shape, const any_def *def) {
    if (strcmp(shape, "grid") == 0) return grid_size(&def->grid);
    if (strcmp(shape, "disc") == 0) return disc_size(&def->disc);
    if (strcmp(shape, "sheet") == 0)
        return isotropic_size((double)def->sheet.width * (double)def->sheet.depth,
                              def->sheet.edge_length);
    if (strcmp(shape, "box") == 0) return box_size(&def->box);
    if (strcmp(shape, "sphere") == 0) return sphere_size(&def->sphere);
    if (strcmp(shape, "cylinder") == 0) return cylinder_size(&def->cylinder);
    if (strcmp(shape, "torus") == 0) return (double)def->torus.segments * def->torus.sides;
    if (strcmp(shape, "block") == 0) return block_size(&def->block);
    if (strcmp(shape, "rope") == 0) return def->rope.segments + 1.0;
    if (strcmp(shape, "helix") == 0) return def->helix.segments + 1.0;
    if (strcmp(shape, "ring") == 0) return def->ring.segments;
    if (strcmp(shape, "spline") == 0) return def->spline.segments + 1.0;
    if (strcmp(shape, "strands") == 0)
        return (double)def->strands.def.count * (def->strands.def.segments + 1.0);
    return 0;
}

/* The volume of the box around a closed shape, m^3; 0 where it is in a file. */
static double box_around(const char *shape, const any_def *def) {
    double r = 0, h = 0;
    if (strcmp(shape, "box") == 0 || strcmp(shape, "block") == 0) {
        sn_vec3 e = shape[1] == 'o' ? def->box.extent : def->block.extent;
        return (double)e.x * (double)e.y * (double)e.z;
    }
    if (strcmp(shape, "sphere") == 0) r = (double)def->sphere.radius, h = 2 * r;
    if (strcmp(shape, "cylinder") == 0)
        r = (double)def->cylinder.radius, h = (double)def->cylinder.height;
    if (strcmp(shape, "torus") == 0)
        r = (double)def->torus.radius + (double)def->torus.tube, h = 2 * (double)def->torus.tube;
    return 4 * r * r * h;
}

/* ---- Limits ---- */

/* What takes more than a second or so is told before it is done: to make a mesh, or one whose edges
   are all about as long, which are found by moving vertices; or to step. */
#define MANY 1e6
#define MANY_ISOTROPIC 4e4
#define MANY_NODES 1e5

static void say_many(const sn_scene *s, const char *what, double count, const char *of) {
    char sentence[96];
    if (!s->log) return;
    snprintf(sentence, sizeof sentence, "making %s of about %.2g %s, which takes its time", what,
             count, of);
    s->log(s->log_user, SN_LOG_INFO, sentence);
}

static sn_result check_vertices(sn_scene *s, const json_node *mesh, int depth, double *box);

static bool is_isotropic(const char *shape, const any_def *def) {
    if (strcmp(shape, "disc") == 0) return def->disc.edge_length != SN_AUTO;
    if (strcmp(shape, "sphere") == 0) return def->sphere.edge_length != SN_AUTO;
    return strcmp(shape, "sheet") == 0 || strcmp(shape, "panel") == 0;
}

/* A lattice has two vertices for each of its cubes. What fills what in a circle is found when it is
   made. */
static sn_result size_of_fill(sn_scene *s, const scene_mesh_fill *fill, int depth,
                              double *vertices) {
    const json_node *surface = fill->surface;
    const char *name;
    double box = 0;
    if (surface->kind == JSON_STRING) {
        SN_TRY(sn_scene_read_text(&s->reader, surface, &name));
        surface = sn_scene_find(s, offsetof(scene_root, meshes), name);
    }
    if (!surface || depth == MOST_DEPTH) return SN_OK;
    SN_TRY(sn_scene_read(&s->reader, surface, &sn_scene_mesh_object, NULL));
    SN_TRY(check_vertices(s, surface, depth + 1, &box));
    double spacing = (double)fill->spacing;
    if (spacing > 0) *vertices = 2 * box / (spacing * spacing * spacing);
    return SN_OK;
}

/* Both parts of a skinned mesh must be small enough by themselves. */
static sn_result check_part(sn_scene *s, const json_node *mesh, int depth) {
    const char *name;
    double box;
    if (mesh->kind == JSON_STRING) {
        SN_TRY(sn_scene_read_text(&s->reader, mesh, &name));
        mesh = sn_scene_find(s, offsetof(scene_root, meshes), name);
    }
    if (!mesh || depth == MOST_DEPTH) return SN_OK;
    SN_TRY(sn_scene_read(&s->reader, mesh, &sn_scene_mesh_object, NULL));
    return check_vertices(s, mesh, depth + 1, &box);
}

static sn_result check_vertices(sn_scene *s, const json_node *mesh, int depth, double *box) {
    const scene_object *variant = sn_scene_variant(&s->reader, mesh, &sn_scene_mesh_object);
    if (!variant) return SN_ERROR_DATA;
    any_def def = standard_of(variant->name);
    SN_TRY(sn_scene_read(&s->reader, mesh, &sn_scene_mesh_object, &def));
    double vertices = size_of(variant->name, &def);
    *box = box_around(variant->name, &def);
    if (strcmp(variant->name, "fill") == 0) SN_TRY(size_of_fill(s, &def.fill, depth, &vertices));
    if (strcmp(variant->name, "panel") == 0) {
        double area;
        SN_TRY(sn_scene_panel_area(s, &def.panel, &area));
        vertices = isotropic_size(area, def.panel.def.edge_length);
    }
    if (strcmp(variant->name, "midpoints") == 0) SN_TRY(check_part(s, def.midpoints.of, depth));
    if (strcmp(variant->name, "skinned") == 0) {
        SN_TRY(check_part(s, def.skinned.surface, depth));
        SN_TRY(check_part(s, def.skinned.graph, depth));
    }
    if (strcmp(variant->name, "wrinkled") == 0) SN_TRY(check_part(s, def.wrinkled.surface, depth));
    if (vertices <= (double)s->most_nodes) {
        if (vertices > (is_isotropic(variant->name, &def) ? MANY_ISOTROPIC : MANY))
            say_many(s, "a mesh", vertices, "vertices");
        return SN_OK;
    }
    return sn_scene_complain(
        &s->reader, mesh, "would have about %.2g vertices, expected at most %zu nodes in the scene",
        vertices, s->most_nodes);
}

sn_result sn_scene_check_vertices(sn_scene *s, const json_node *mesh) {
    double box;
    return check_vertices(s, mesh, 0, &box);
}

sn_result sn_scene_check_field(sn_scene *s, const json_node *collider, const sn_geometry *g) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < g->vertex_count; i++) {
        const double x[3] = {(double)g->vertices[i].x, (double)g->vertices[i].y,
                             (double)g->vertices[i].z};
        for (int k = 0; k < 3; k++) {
            low[k] = x[k] < low[k] ? x[k] : low[k];
            high[k] = x[k] > high[k] ? x[k] : high[k];
        }
    }
    /* With a margin of two spacings on either side; by itself it is never fine. */
    double spacing = (double)g->spacing, points = 1;
    if (g->spacing == SN_AUTO || !(spacing > 0)) return SN_OK;
    for (int k = 0; k < 3; k++) points *= (high[k] - low[k]) / spacing + 5;
    if (points > MANY && points <= (double)s->most_points)
        say_many(s, "a distance field", points, "points");
    if (!(points > (double)s->most_points)) return SN_OK;
    return sn_scene_complain(&s->reader, collider,
                             "its distance field would have about %.2g points, expected at most "
                             "%zu: a larger spacing",
                             points, s->most_points);
}

sn_result sn_scene_count_nodes(sn_scene *s, const json_node *node, double copies, size_t vertices) {
    double total = (double)s->node_count + copies * (double)vertices;
    if (total > (double)s->most_nodes)
        return sn_scene_complain(
            &s->reader, node,
            "%.12g times %zu vertices make %.3g nodes with those before, expected "
            "at most %zu in the scene",
            copies, vertices, total, s->most_nodes);
    if (total > MANY_NODES && (double)s->node_count <= MANY_NODES)
        say_many(s, "a scene", total, "nodes");
    s->node_count = (size_t)total;
    return SN_OK;
}
