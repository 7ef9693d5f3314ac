/* The meshes of a scene, from files or by formula; each is made once. */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <sinew/volume.h>
#include <sinew_io/mesh.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- By formula ---- */

static sn_result make_grid(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_grid_def def = sn_grid_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_grid(mesh, &def);
}

static sn_result make_disc(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_disc_def def = sn_disc_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_disc(mesh, &def);
}

static sn_result make_sheet(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_sheet_mesh_def def = sn_sheet_mesh_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_sheet(mesh, &def);
}

static sn_result make_box(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_box_def def = sn_box_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_box(mesh, &def);
}

static sn_result make_sphere(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_sphere_def def = sn_sphere_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_sphere(mesh, &def);
}

static sn_result make_cylinder(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_cylinder_def def = sn_cylinder_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_cylinder(mesh, &def);
}

static sn_result make_torus(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_torus_def def = sn_torus_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_torus(mesh, &def);
}

static sn_result make_rope(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    scene_mesh_rope def = {.end = {1, 0, 0}, .segments = 20};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_rope(mesh, def.start, def.end, (uint32_t)def.segments);
}

static sn_result make_helix(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_helix_def def = sn_helix_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_helix(mesh, &def);
}

static sn_result make_ring(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    scene_mesh_ring def = {.radius = (sn_real)0.5, .segments = 48};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_ring(mesh, def.radius, (uint32_t)def.segments);
}

static sn_result make_strands(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    scene_mesh_strands part = {.def = sn_strands_def_default()};
    const scene_mesh *surface;
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    SN_TRY(sn_scene_get_mesh(s, part.surface, &surface));
    static const char *const names[2] = {"density", "length"};
    sn_real *factors[2] = {NULL, NULL};
    sn_result result = sn_scene_read_factors(s, part.maps, &surface->mesh, names, factors);
    part.def.density_map = factors[0];
    part.def.length_map = factors[1];
    if (result == SN_OK) result = sn_generate_strands(mesh, &surface->mesh, &part.def);
    free(factors[0]);
    free(factors[1]);
    return result;
}

static sn_result make_block(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    sn_block_def def = sn_block_def_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    return sn_generate_block(mesh, &def);
}

/* ---- From a file ---- */

/* Adds the vertices whose mark is among these, unless the file has a group of that name. */
static sn_result add_marked(sn_mesh *mesh, const char *name, const uint8_t *marks, unsigned among) {
    if (sn_mesh_find_group(mesh, name)) return SN_OK;
    for (uint32_t i = 0; i < mesh->vertex_count; i++)
        if (among >> marks[i] & 1) SN_TRY(sn_mesh_add_group(mesh, name, &i, 1));
    return SN_OK;
}

/* Strands have their roots, stems and tips as those that are grown: a strand goes from its first
   vertex to its last. */
static sn_result name_strands(sn_mesh *mesh) {
    enum { BEGINS = 1, ENDS = 2, STEM = 4 }; /* 3: between two lines */
    if (mesh->line_count == 0 || mesh->triangle_count > 0 || mesh->tet_count > 0) return SN_OK;
    uint8_t *marks = calloc(mesh->vertex_count, 1);
    if (!marks) return sn_fail(SN_ERROR_MEMORY, "no memory for the ends of strands");
    for (size_t i = 0; i < mesh->line_count; i++) {
        marks[mesh->lines[i][0]] |= BEGINS;
        marks[mesh->lines[i][1]] |= ENDS;
    }
    sn_result result = add_marked(mesh, "roots", marks, 1u << BEGINS);
    if (result == SN_OK) result = add_marked(mesh, "tips", marks, 1u << ENDS);
    for (size_t i = 0; i < mesh->line_count; i++)
        if (marks[mesh->lines[i][0]] == BEGINS) marks[mesh->lines[i][1]] = STEM;
    if (result == SN_OK) result = add_marked(mesh, "stems", marks, 1u << BEGINS | 1u << STEM);
    free(marks);
    return result;
}

static sn_result make_file(sn_scene *s, const json_node *node, scene_mesh *made) {
    scene_mesh_file part = {.scale = 1, .weld = SN_AUTO};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    sn_io_read_def def = sn_io_read_def_default();
    def.format = part.format && *part.format ? part.format : NULL;
    /* As exact as it is written: a millimetre is no float. */
    const json_node *scale = sn_json_member(node, "scale");
    if (scale) SN_TRY(sn_scene_read_number(&s->reader, scale, &def.scale));
    def.up = (sn_io_up)part.up;
    def.weld = part.weld;
    char *path;
    SN_TRY(sn_scene_find_file(s, sn_json_member(node, "path"), sn_scene_folder_of(&s->reader, node),
                              part.path, &path));
    made->owns_uvs = true;
    sn_io_materials read;
    SN_TRY(sn_io_mesh_read_materials(path, &def, &made->mesh, &made->uvs, &made->colours, &read));
    sn_scene_keep_materials(&read, made);
    return name_strands(&made->mesh);
}

/* ---- Written out ---- */

static sn_result add_positions(sn_scene *s, const json_node *list, sn_mesh *mesh) {
    for (size_t i = 0; i < list->count; i++) {
        double x[3];
        for (size_t k = 0; k < 3; k++)
            SN_TRY(sn_scene_read_number(&s->reader, &list->items[i].items[k], &x[k]));
        sn_vec3 position = {(sn_real)x[0], (sn_real)x[1], (sn_real)x[2]};
        SN_TRY(sn_mesh_add_vertices(mesh, &position, 1));
    }
    return SN_OK;
}

/* Elements of `corners` indices each; in `nested` lists, each is an array of its own. */
static sn_result add_elements(sn_scene *s, const json_node *list, size_t corners, bool nested,
                              sn_mesh *mesh) {
    uint32_t element[4];
    size_t total = list ? list->count * (nested ? corners : 1) : 0, index;
    if (total % corners != 0)
        return sn_scene_complain(&s->reader, list, "has %zu indices, expected %zu for each element",
                                 total, corners);
    for (size_t i = 0; i < total; i++) {
        const json_node *item =
            nested ? &list->items[i / corners].items[i % corners] : &list->items[i];
        SN_TRY(sn_scene_read_index(&s->reader, item, 0, (double)mesh->vertex_count - 1, &index));
        element[i % corners] = (uint32_t)index;
        if (i % corners + 1 < corners) continue;
        if (corners == 2) SN_TRY(sn_mesh_add_lines(mesh, (const uint32_t(*)[2]) & element, 1));
        if (corners == 3) SN_TRY(sn_mesh_add_triangles(mesh, (const uint32_t(*)[3]) & element, 1));
        if (corners == 4) SN_TRY(sn_mesh_add_tets(mesh, (const uint32_t(*)[4]) & element, 1));
    }
    return SN_OK;
}

static sn_result make_points(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    scene_mesh_points part = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    SN_TRY(add_positions(s, part.positions, mesh));
    SN_TRY(add_elements(s, part.triangles, 3, true, mesh));
    SN_TRY(add_elements(s, part.lines, 2, false, mesh));
    SN_TRY(add_elements(s, part.tets, 4, false, mesh));
    return mesh->tet_count > 0 && mesh->triangle_count == 0 ? sn_mesh_surface(mesh) : SN_OK;
}

/* ---- Points in a box ---- */

enum { MOST_POINTS = 1 << 26 };

/* The balls that points have to be in; null where there are none. */
static sn_result read_balls(sn_scene *s, const json_node *list, scene_ball **balls) {
    *balls = NULL;
    if (!list || list->count == 0) return SN_OK;
    *balls = sn_scene_take(s, list->count, sizeof **balls);
    if (!*balls) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < list->count; i++)
        SN_TRY(sn_scene_read(&s->reader, &list->items[i], &sn_scene_ball_object, &(*balls)[i]));
    return SN_OK;
}

static bool is_in_ball(const scene_ball *balls, size_t count, sn_vec3 at) {
    for (size_t i = 0; i < count; i++) {
        double x = (double)at.x - (double)balls[i].centre.x;
        double y = (double)at.y - (double)balls[i].centre.y;
        double z = (double)at.z - (double)balls[i].centre.z, r = (double)balls[i].radius;
        if (x * x + y * y + z * z <= r * r) return true;
    }
    return !balls;
}

/* As deep as emitters let the outermost points of a mesh be. */
static sn_result fill_surface(sn_scene *s, const scene_mesh_lattice *part, sn_mesh *mesh) {
    const scene_mesh *surface;
    SN_TRY(sn_scene_get_mesh(s, part->inside, &surface));
    return sn_mesh_fill_points(&surface->mesh, part->spacing, part->spacing / 4, mesh);
}

static sn_result make_lattice(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    scene_mesh_lattice part = {.extent = {1, 1, 1}};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    double extent[3] = {(double)part.extent.x, (double)part.extent.y, (double)part.extent.z};
    double spacing = (double)part.spacing, count[3];
    scene_ball *balls;
    if (part.inside) return fill_surface(s, &part, mesh);
    SN_TRY(read_balls(s, part.balls, &balls));
    /* As many as fit, but for rounding. */
    for (int k = 0; k < 3; k++) count[k] = floor(extent[k] / spacing * (1 + 1e-6));
    if (!(count[0] >= 1 && count[1] >= 1 && count[2] >= 1 &&
          count[0] * count[1] * count[2] <= MOST_POINTS))
        return sn_scene_complain(&s->reader, node,
                                 "the lattice has %.3g times %.3g times %.3g points, expected from "
                                 "1 to %d in all",
                                 count[0], count[1], count[2], MOST_POINTS);
    for (double y = 0; y < count[1]; y++)
        for (double z = 0; z < count[2]; z++)
            for (double x = 0; x < count[0]; x++) {
                sn_vec3 at = {(sn_real)(spacing * (x + 0.5 - count[0] / 2)),
                              (sn_real)(spacing * (y + 0.5 - count[1] / 2)),
                              (sn_real)(spacing * (z + 0.5 - count[2] / 2))};
                if (!is_in_ball(balls, part.balls ? part.balls->count : 0, at)) continue;
                SN_TRY(sn_mesh_add_vertices(mesh, &at, 1));
            }
    if (mesh->vertex_count > 0) return SN_OK;
    return sn_scene_complain(&s->reader, part.balls, "no point of the lattice is in these balls");
}

/* Its points are read into a mesh, as vertices are. */
static sn_result make_spline(sn_scene *s, const json_node *node, sn_mesh *mesh) {
    scene_mesh_spline def = {.segments = 20};
    sn_mesh points = sn_mesh_default();
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &def));
    sn_result result = add_positions(s, def.points, &points);
    if (result == SN_OK)
        result = sn_generate_spline(mesh, points.positions, points.vertex_count, def.closed,
                                    (uint32_t)def.segments);
    sn_mesh_free(&points);
    return result;
}

/* ---- Filled ---- */

/* Places that stay fine. */
typedef struct fine_places {
    const scene_ball *balls;
    size_t count;
} fine_places;

static sn_real width_at(void *user, sn_vec3 place) {
    const fine_places *fine = user;
    double width = (double)SN_REAL_MAX;
    for (size_t i = 0; i < fine->count; i++) {
        double x = (double)place.x - (double)fine->balls[i].centre.x;
        double y = (double)place.y - (double)fine->balls[i].centre.y;
        double z = (double)place.z - (double)fine->balls[i].centre.z;
        double beyond = __builtin_sqrt(x * x + y * y + z * z) - (double)fine->balls[i].radius;
        if (beyond < width) width = beyond;
    }
    return (sn_real)width;
}

/* The surface is what is seen; it is carried by the tets, or is theirs where they end at it. */
static sn_result make_fill(sn_scene *s, const json_node *node, scene_mesh *made) {
    scene_mesh_fill part = {0};
    const scene_mesh *surface;
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    SN_TRY(sn_scene_get_mesh(s, part.surface, &surface));
    sn_fill_def def = sn_fill_def_default();
    if (part.conform && part.cubes)
        return sn_scene_complain(&s->reader, node, "conform and cubes are both true, expected one");
    if (part.conform && part.blend)
        return sn_scene_complain(&s->reader, node,
                                 "conform and blend are both true, expected one: what ends at the "
                                 "surface carries none");
    def.kind = part.conform ? SN_FILL_CONFORMING : part.cubes ? SN_FILL_CUBES : SN_FILL_FITTED;
    def.spacing = part.spacing;
    def.levels = (uint32_t)part.levels;
    def.grading = part.grading;
    scene_ball *balls;
    SN_TRY(read_balls(s, part.fine, &balls));
    fine_places fine = {balls, balls ? part.fine->count : 0};
    if (balls) def.width = width_at;
    def.user = &fine;
    SN_TRY(sn_mesh_fill(&surface->mesh, &def, &made->mesh));
    if (part.conform) return SN_OK;
    made->embedding = sn_scene_take(s, 1, sizeof *made->embedding);
    if (!made->embedding) return SN_ERROR_MEMORY;
    *made->embedding = sn_embedding_default();
    SN_TRY(sn_mesh_copy(&surface->mesh, &made->visible));
    made->uvs = surface->uvs;
    made->colours = surface->colours;
    made->look = surface->look;
    made->materials = surface->materials;
    SN_TRY(sn_embed(&made->visible, &made->mesh, made->embedding));
    return part.blend ? sn_scene_blend_tets(s, made) : SN_OK;
}

/* What is seen of it is carried by the smaller tets. */
static sn_result make_midpoints(sn_scene *s, const json_node *node, scene_mesh *made) {
    scene_mesh_midpoints part = {0};
    const scene_mesh *of;
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_mesh_object, &part));
    SN_TRY(sn_scene_get_mesh(s, part.of, &of));
    SN_TRY(sn_mesh_add_midpoints(&of->mesh, &made->mesh));
    if (!of->embedding) return SN_OK;
    made->embedding = sn_scene_take(s, 1, sizeof *made->embedding);
    if (!made->embedding) return SN_ERROR_MEMORY;
    *made->embedding = sn_embedding_default();
    SN_TRY(sn_mesh_copy(&of->visible, &made->visible));
    made->uvs = of->uvs;
    made->colours = of->colours;
    made->look = of->look;
    made->materials = of->materials;
    return sn_embed(&made->visible, &made->mesh, made->embedding);
}

/* ---- All of them ---- */

typedef sn_result maker(sn_scene *s, const json_node *node, sn_mesh *mesh);

static const struct {
    const char *shape;
    maker *make;
} makers[] = {{"grid", make_grid},
              {"disc", make_disc},
              {"box", make_box},
              {"sphere", make_sphere},
              {"cylinder", make_cylinder},
              {"torus", make_torus},
              {"rope", make_rope},
              {"block", make_block},
              {"points", make_points},
              {"sheet", make_sheet},
              {"panel", sn_scene_make_panel},
              {"lattice", make_lattice},
              {"clumps", sn_scene_make_clumps},
              {"strands", make_strands},
              {"helix", make_helix},
              {"ring", make_ring},
              {"spline", make_spline}};

static sn_result make_mesh(sn_scene *s, const json_node *node, scene_mesh *made) {
    const scene_object *variant = sn_scene_variant(&s->reader, node, &sn_scene_mesh_object);
    if (!variant) return SN_ERROR_DATA;
    size_t before = s->reader.repeated;
    bool filled = strcmp(variant->name, "fill") == 0;
    sn_result result = filled ? make_fill(s, node, made) : SN_OK;
    if (strcmp(variant->name, "midpoints") == 0) result = make_midpoints(s, node, made);
    if (strcmp(variant->name, "file") == 0) result = make_file(s, node, made);
    if (strcmp(variant->name, "skinned") == 0) result = sn_scene_make_skinned(s, node, made);
    if (strcmp(variant->name, "wrinkled") == 0) result = sn_scene_make_wrinkled(s, node, made);
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (strcmp(makers[i].shape, variant->name) == 0)
            result = makers[i].make(s, node, &made->mesh);
    /* The reader says where itself; what the library refused has no place yet. */
    if (result != SN_OK && result != SN_ERROR_MEMORY && s->reader.repeated == before)
        return sn_scene_complain_within(&s->reader, node);
    made->ready = result == SN_OK;
    return result;
}

static scene_mesh *find_mesh(const sn_scene *s, const char *name) {
    /* Meshes that are written where they are used have none. */
    scene_mesh *m = *name ? s->meshes : NULL;
    while (m && strcmp(m->name, name) != 0) m = m->next;
    return m;
}

sn_result sn_scene_get_mesh(sn_scene *s, const json_node *node, const scene_mesh **mesh) {
    const char *name = "";
    const json_node *source = node;
    if (node->kind == JSON_STRING) {
        SN_TRY(sn_scene_read_text(&s->reader, node, &name));
        scene_mesh *made = find_mesh(s, name);
        *mesh = made;
        if (made && made->ready) return SN_OK;
        if (made && made->making)
            return sn_scene_complain(&s->reader, node, "the mesh \"%.64s\" is made from itself",
                                     name);
        /* Why it could not be made was said before. */
        if (made) return SN_ERROR_DATA;
        source = sn_scene_find(s, offsetof(scene_root, meshes), name);
        if (!source)
            return sn_scene_complain_name(s, node, name, offsetof(scene_root, meshes), "mesh");
    }
    SN_TRY(sn_scene_read(&s->reader, source, &sn_scene_mesh_object, NULL));
    SN_TRY(sn_scene_check_vertices(s, source));
    scene_mesh *made = sn_scene_take(s, 1, sizeof *made);
    if (!made) return SN_ERROR_MEMORY;
    *made = (scene_mesh){.name = name,
                         .mesh = sn_mesh_default(),
                         .visible = sn_mesh_default(),
                         .making = true,
                         .next = s->meshes};
    s->meshes = made;
    sn_result result = make_mesh(s, source, made);
    made->making = false;
    *mesh = made;
    return result;
}

void sn_scene_free_meshes(sn_scene *s) {
    for (scene_mesh *m = s->meshes; m; m = m->next) {
        sn_mesh_free(&m->mesh);
        sn_mesh_free(&m->visible);
        sn_embedding_free(m->embedding);
        if (m->owns_uvs) free(m->uvs);
        if (m->owns_uvs) free(m->colours);
        sn_io_materials_free(&m->own);
    }
}
