/* sinew convert: a mesh from one file into another, in another format, unit or direction; and what
   moves likewise (convert_moving.h). */
#include "convert_moving.h"
#include "options.h"

#include <sinew_io/mesh.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct convert_options {
    text_list files;
    const char *from, *to, *scale, *weld, *up, *mesh, *clip;
    int fps, smooth;
    bool surface, text, animation, liquid;
} convert_options;

/* A number of the command line. */
static app_exit parse_real(const char *name, const char *text, const char *expected, double least,
                           double *value) {
    if (!text) return APP_CONTINUE;
    char *end;
    *value = strtod(text, &end);
    if (end != text && !*end && *value >= least && *value <= FLT_MAX) return APP_CONTINUE;
    fprintf(stderr, "sinew convert: --%s is \"%s\", expected %s\n", name, text, expected);
    return APP_USAGE;
}

static app_exit parse_up(const char *text, sn_io_up *up) {
    if (!text) return APP_CONTINUE;
    static const char letters[] = "yzx";
    const char *found = strlen(text) == 1 ? strchr(letters, text[0]) : NULL;
    if (!found) {
        fprintf(stderr, "sinew convert: --up is \"%s\", expected x, y or z\n", text);
        return APP_USAGE;
    }
    *up = (sn_io_up)(found - letters);
    return APP_CONTINUE;
}

static void print_count(const char *before, size_t count, const char *one, const char *many) {
    if (count > 0) printf("%s%zu %s", before, count, count == 1 ? one : many);
}

static void report(const char *from, const char *to, const char *format, const sn_mesh *mesh,
                   size_t materials) {
    printf("%s: %zu %s", from, mesh->vertex_count, mesh->vertex_count == 1 ? "vertex" : "vertices");
    print_count(", ", mesh->triangle_count, "triangle", "triangles");
    print_count(", ", mesh->tet_count, "tet", "tets");
    print_count(", ", mesh->line_count, "line", "lines");
    print_count(", ", mesh->group_count, "group", "groups");
    print_count(", ", materials, "material", "materials");
    printf("; written to %s\n", to);
    if (mesh->group_count > 0 && !sn_io_mesh_keeps_groups(to, format))
        fprintf(stderr, "sinew: the format of \"%s\" has no groups, they are left out\n", to);
    if (materials > 0 && !sn_io_mesh_keeps_materials(to, format))
        fprintf(stderr, "sinew: the format of \"%s\" has no materials, they are left out\n", to);
}

static app_exit convert(const convert_options *o, const sn_io_read_def *read,
                        const sn_io_write_def *write) {
    const char *from = o->files.items[0], *to = o->files.items[1];
    const moving_options moving = {.from = from,
                                   .to = to,
                                   .format = o->from,
                                   .target = o->to,
                                   .mesh = o->mesh,
                                   .clip = o->clip,
                                   .fps = o->fps,
                                   .smooth = o->smooth,
                                   .liquid = o->liquid,
                                   .asked = o->animation,
                                   .how = read};
    if (moving_is_meant(&moving)) return moving_convert(&moving);
    sn_mesh mesh = sn_mesh_default();
    app_exit exit = APP_OK;
    sn_io_write_def with = *write;
    sn_real(*uvs)[2] = NULL;
    sn_vec3 *colours = NULL;
    sn_io_materials materials = {0};
    sn_result result = sn_io_mesh_read_materials(from, read, &mesh, &uvs, &colours, &materials);
    with.uvs = (const sn_real(*)[2])uvs;
    with.colours = colours;
    with.materials = &materials;
    if (result == SN_OK) result = sn_io_mesh_write(to, &with, &mesh);
    if (result == SN_OK)
        report(from, to, write->format, &mesh, materials.count);
    else
        exit = app_fail(sn_last_error());
    free(uvs);
    free(colours);
    sn_io_materials_free(&materials);
    sn_mesh_free(&mesh);
    return exit;
}

app_exit verb_convert(int argc, char **argv) {
    convert_options o = {0};
    const option options[] = {
        {"from", "FORMAT", "of A; otherwise its extension says it", OPTION_TEXT, &o.from, 0, 0},
        {"to", "FORMAT", "of B; otherwise its extension says it", OPTION_TEXT, &o.to, 0, 0},
        {"scale", "S", "multiply by S, such as 0.001 for millimetres", OPTION_TEXT, &o.scale, 0, 0},
        {"up", "AXIS", "what points up in A: x, y (default) or z; in B it is y", OPTION_TEXT, &o.up,
         0, 0},
        {"weld", "D", "make vertices at most D metres apart one", OPTION_TEXT, &o.weld, 0, 0},
        {"surface", NULL, "write triangles alone; of tets, those of their surface", OPTION_FLAG,
         &o.surface, 0, 0},
        {"animation", NULL, "take A for something that moves: a glb with an animation", OPTION_FLAG,
         &o.animation, 0, 0},
        {"clip", "NAME", "which animation of a glb (the first)", OPTION_TEXT, &o.clip, 0, 0},
        {"mesh", "FILE", "the mesh whose points a pc2 or mdd has", OPTION_TEXT, &o.mesh, 0, 0},
        {"fps", "N", "frames per second of what moves (60; of a cache its own)", OPTION_INT, &o.fps,
         1, 10000},
        {"smooth", "N", "divide triangles of what moves N times, 0 to 3", OPTION_INT, &o.smooth, 0,
         3},
        {"liquid", NULL, "write liquids of a cache as their surface, not as particles", OPTION_FLAG,
         &o.liquid, 0, 0},
        {"text", NULL, "write text where there is a choice (ply)", OPTION_FLAG, &o.text, 0, 0},
    };
    const verb_usage usage = {
        .name = "convert",
        .operands = "A B",
        .operand = &o.files,
        .operand_count = 2,
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .summary = "Reads mesh A and writes it as mesh B. Vertices keep their order; polygons\n"
                   "become triangles. Where A moves, all of its frames are written.",
        .notes =
            "formats: obj, ply, stl, off, glb, gltf (only read), tetgen (.node .ele .face), msh,\n"
            "medit (.mesh), vtu, usda. What B cannot hold, such as tets in stl, is an error; of\n"
            "groups and materials it is said.\n"
            "what moves: caches (.snc), usda, pc2, mdd, and glb or gltf with --animation or into "
            "a\n"
            "usda, pc2, mdd or snc; into usda, glb, pvd, pc2, mdd, obj, ply or snc.",
    };
    app_exit exit = options_parse(&usage, argc, argv);
    sn_io_read_def read = sn_io_read_def_default();
    sn_io_write_def write = sn_io_write_def_default();
    double weld = 0;
    read.format = o.from;
    write.format = o.to;
    write.surface = o.surface;
    write.text = o.text;
    if (exit == APP_CONTINUE)
        exit = parse_real("scale", o.scale, "a number above 0", DBL_MIN, &read.scale);
    if (exit == APP_CONTINUE)
        exit = parse_real("weld", o.weld, "a distance in metres, at least 0", 0, &weld);
    if (o.weld) read.weld = (sn_real)weld;
    if (exit == APP_CONTINUE) exit = parse_up(o.up, &read.up);
    return exit == APP_CONTINUE ? convert(&o, &read, &write) : exit;
}
