/* Puts the values that are in the spool into the order of an OpenUSD file. */
#include "io/animation/export_names.h"
#include "io/animation/export_usda.h"

#include <stdlib.h>

/* What is thin where nothing says how thick it is, m. */
#define THIN "0.002"

static const struct {
    const char *type, *name;
    bool vertex;
} attributes[] = {
#define ATTRIBUTE(id, type, name, vertex) {type, name, vertex},
    USDA_ATTRIBUTES(ATTRIBUTE)
#undef ATTRIBUTE
};

/* An attribute as a line of a prim, or of what is within it. */
typedef struct usda_line {
    const char *indent, *type, *name;
    bool vertex; /* given per vertex */
} usda_line;

static const char per_vertex[] = " (\n            interpolation = \"vertex\"\n        )";

static void write_name(sn_io_out *out, const usda_line *line) {
    sn_io_out_text(out, line->indent);
    sn_io_out_text(out, line->type);
    sn_io_out_text(out, " ");
    sn_io_out_text(out, line->name);
}

static sn_result write_track(sn_io_out *out, usda_scene *scene, const usda_line *line,
                             const usda_track *t) {
    const char *after = line->vertex ? per_vertex : "";
    if (t->count == 0) return SN_OK;
    write_name(out, line);
    if (t->count == 1) {
        sn_io_out_text(out, " = ");
        SN_TRY(sn_io_spool_copy(&scene->spool, t->samples[0].text, out));
        sn_io_out_text(out, after);
        sn_io_out_text(out, "\n");
        return SN_OK;
    }
    /* What is said about the attribute comes before its samples, and by itself; in one line, as
       readers that go by lines lose their way where a name with a colon has no value. */
    if (line->vertex) {
        sn_io_out_text(out, " ( interpolation = \"vertex\" )\n");
        write_name(out, line);
    }
    sn_io_out_text(out, ".timeSamples = {\n");
    for (size_t i = 0; i < t->count; i++) {
        sn_io_out_text(out, line->indent);
        sn_io_out_text(out, "   ");
        sn_io_out_uint(out, ' ', (uint64_t)t->samples[i].frame);
        sn_io_out_text(out, ": ");
        SN_TRY(sn_io_spool_copy(&scene->spool, t->samples[i].text, out));
        sn_io_out_text(out, ",\n");
    }
    sn_io_out_text(out, line->indent);
    sn_io_out_text(out, "}\n");
    return SN_OK;
}

static void write_visibility(sn_io_out *out, const usda_prim *prim) {
    /* What is always there is visible without a word. */
    if (prim->visible_count < 2) return;
    sn_io_out_text(out, "        token visibility.timeSamples = {\n");
    for (size_t i = 0; i < prim->visible_count; i++) {
        sn_io_out_text(out, "           ");
        sn_io_out_uint(out, ' ', (uint64_t)prim->visible[i].frame);
        sn_io_out_text(out, prim->visible[i].here ? ": \"inherited\",\n" : ": \"invisible\",\n");
    }
    sn_io_out_text(out, "        }\n");
}

static void write_quoted(sn_io_out *out, const char *text) {
    sn_io_out_text(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') sn_io_out_text(out, "\\");
        sn_io_out_u8(out, (uint8_t)((uint8_t)*text < ' ' ? ' ' : *text));
    }
    sn_io_out_text(out, "\"");
}

/* What is the same for all prims of a kind. */
static void write_constants(sn_io_out *out, const usda_prim *prim) {
    if (prim->kind == USDA_MESH)
        sn_io_out_text(out, "        uniform bool doubleSided = 1\n"
                            "        uniform token subdivisionScheme = \"none\"\n");
    if (prim->kind == USDA_CURVES)
        sn_io_out_text(out, "        uniform token type = \"linear\"\n"
                            "        uniform token wrap = \"nonperiodic\"\n");
    if (prim->tracks[USDA_PLACE].count > 0)
        sn_io_out_text(out, "        uniform token[] xformOpOrder = [\"xformOp:translate\", "
                            "\"xformOp:orient\"]\n");
    if (prim->kind != USDA_MESH && prim->tracks[USDA_WIDTHS].count == 0)
        sn_io_out_text(out, "        float[] widths = [" THIN "] (\n"
                            "            interpolation = \"constant\"\n        )\n");
}

static sn_result write_groups(sn_io_out *out, usda_scene *scene, const usda_prim *prim) {
    static const usda_line line = {"            ", "int[]", "indices", false};
    for (const usda_group *g = prim->groups; g < prim->groups + prim->group_count; g++) {
        if (g->points.count == 0) continue;
        sn_io_out_text(out, "\n        def GeomSubset \"");
        sn_io_out_text(out, g->name);
        sn_io_out_text(out, "\" (\n            customData = {\n                string group = ");
        write_quoted(out, g->group);
        sn_io_out_text(out, "\n            }\n        )\n        {\n"
                            "            uniform token elementType = \"point\"\n"
                            "            uniform token familyName = \"groups\"\n");
        SN_TRY(write_track(out, scene, &line, &g->points));
        sn_io_out_text(out, "        }\n");
    }
    return SN_OK;
}

static sn_result write_prim(sn_io_out *out, usda_scene *scene, size_t index, const char *root) {
    static const char *const kinds[] = {"Mesh", "BasisCurves", "Points"};
    const usda_prim *prim = &scene->prims[index];
    sn_io_out_text(out, "\n    def ");
    sn_io_out_text(out, kinds[prim->kind]);
    sn_io_out_text(out, " \"");
    sn_io_out_text(out, scene->names[index]);
    /* The name that the shape really has. */
    sn_io_out_text(out, sn_io_usda_is_bound(prim)
                            ? "\" (\n        prepend apiSchemas = "
                              "[\"MaterialBindingAPI\"]\n        customData = {\n"
                              "            string shape = "
                            : "\" (\n        customData = {\n            string shape = ");
    write_quoted(out, prim->shape);
    sn_io_out_text(out, "\n        }\n    )\n    {\n");
    write_constants(out, prim);
    sn_io_usda_write_binding(out, prim, root);
    for (int k = 0; k < USDA_ATTRIBUTE_COUNT; k++) {
        const usda_line line = {"        ", attributes[k].type, attributes[k].name,
                                attributes[k].vertex};
        SN_TRY(write_track(out, scene, &line, &prim->tracks[k]));
    }
    write_visibility(out, prim);
    /* Materials last: there are readers that take every subset for one of faces with a material,
       of which the last counts. */
    SN_TRY(write_groups(out, scene, prim));
    sn_io_usda_write_subsets(out, prim, root);
    sn_io_out_text(out, "    }\n");
    return SN_OK;
}

static void write_head(sn_io_out *out, const sn_io_export *e, const usda_scene *scene,
                       const char *root) {
    char fps[SN_IO_NUMBER];
    sn_io_text_double(fps, e->fps);
    sn_io_out_printf(out,
                     "#usda 1.0\n(\n    defaultPrim = \"%s\"\n    endTimeCode = %d\n"
                     "    framesPerSecond = %s\n    metersPerUnit = 1\n    startTimeCode = %d\n"
                     "    timeCodesPerSecond = %s\n    upAxis = \"Y\"\n)\n\ndef Xform \"%s\"\n{",
                     root, scene->last_frame, fps, scene->first_frame, fps, root);
}

static sn_result write_scene(sn_io_out *out, const sn_io_export *e, usda_scene *scene,
                             const char *root) {
    write_head(out, e, scene, root);
    for (size_t i = 0; i < scene->count; i++)
        if (scene->prims[i].visible_count > 0) SN_TRY(write_prim(out, scene, i, root));
    SN_TRY(sn_io_usda_write_materials(out, e, scene, root));
    sn_io_out_text(out, "}\n");
    sn_io_out_flush(out);
    return SN_OK;
}

sn_result sn_io_usda_write(sn_io_export *e, usda_scene *scene) {
    sn_io_file file;
    sn_io_out out;
    char *root = sn_io_plain_name(e->name);
    if (!root) return sn_io_export_no_memory();
    sn_result result = sn_io_usda_write_images(e, scene);
    if (result == SN_OK) result = sn_io_export_begin(e, ".usda", &file);
    if (result == SN_OK) {
        sn_io_out_open(&out, file.stream);
        result = write_scene(&out, e, scene, root);
        if (result == SN_OK)
            result = sn_io_export_end(e, &file, NULL);
        else
            sn_io_file_discard(&file);
    }
    free(root);
    return result;
}
