/* Materials of OpenUSD: a UsdPreviewSurface each, whose image is a file beside the scene. */
#include "io/animation/export_image.h"
#include "io/animation/export_look.h"
#include "io/animation/export_names.h"
#include "io/animation/export_usda.h"
#include "io/mesh/image.h"

#include <stdlib.h>
#include <string.h>

void sn_io_usda_materials_free(usda_prim *prim) {
    for (size_t i = 0; prim->materials && i < prim->surfaces.count; i++) free(prim->materials[i]);
    free(prim->materials);
    prim->materials = NULL;
    sn_io_surfaces_free(&prim->surfaces);
}

/* A name that no other material of the scene has; null without memory. */
static char *free_name(const usda_scene *scene, const char *text) {
    size_t count = 0, all = 0;
    for (size_t i = 0; i < scene->count; i++) all += scene->prims[i].surfaces.count;
    const char **taken = malloc((all + 1) * sizeof *taken);
    char *name = NULL;
    for (const usda_prim *p = scene->prims; taken && p < scene->prims + scene->count; p++)
        for (size_t k = 0; p->materials && k < p->surfaces.count; k++)
            taken[count++] = p->materials[k];
    if (taken) name = sn_io_unique_name(text, taken, count);
    free(taken);
    return name;
}

/* Whether faces have the material: that of the whole is for those without one of their own. */
static bool is_used(const usda_prim *prim, size_t surface) {
    const sn_io_surface *s = &prim->surfaces.items[surface];
    if (prim->surfaces.count == 1) return s->name || s->texture;
    return surface > 0 && sn_io_surface_triangles(&prim->surfaces, surface) > 0;
}

/* The faces of each surface, which are sorted by it. */
static bool find_faces(usda_prim *prim, size_t count) {
    uint32_t(*faces)[3] = malloc((count + 1) * sizeof *faces);
    for (size_t i = 0; faces && i < count; i++)
        faces[i][0] = faces[i][1] = faces[i][2] = (uint32_t)i;
    bool made = faces && sn_io_surfaces_sort(&prim->surfaces, faces, count);
    for (size_t i = 0; made && prim->surfaces.triangles && i < count; i++)
        prim->surfaces.triangles[i] = faces[i][0];
    free(faces);
    return made;
}

sn_result sn_io_usda_materials_make(usda_scene *scene, const sn_io_shape *shape, usda_prim *prim) {
    if (prim->kind != USDA_MESH) return SN_OK;
    if (!sn_io_surfaces_make(&prim->surfaces, shape) || !find_faces(prim, shape->triangle_count))
        return sn_io_export_no_memory();
    prim->materials = calloc(prim->surfaces.count, sizeof *prim->materials);
    if (!prim->materials) return sn_io_export_no_memory();
    for (size_t i = 0; i < prim->surfaces.count; i++) {
        const char *name = prim->surfaces.items[i].name;
        if (!is_used(prim, i)) continue;
        prim->materials[i] = free_name(scene, name ? name : shape->name);
        if (!prim->materials[i]) return sn_io_export_no_memory();
    }
    return SN_OK;
}

/* ---- Writing ---- */

/* The image is a file with the name of the first material that has it. */
static const char *image_name(const usda_prim *prim, const sn_io_surface *surface) {
    size_t owner = 0;
    while (!prim->materials[owner] || prim->surfaces.items[owner].texture != surface->texture)
        owner++;
    return prim->materials[owner];
}

sn_result sn_io_usda_write_images(sn_io_export *e, const usda_scene *scene) {
    for (const usda_prim *p = scene->prims; p < scene->prims + scene->count; p++)
        for (size_t k = 0; p->materials && k < p->surfaces.count; k++) {
            const sn_io_surface *s = &p->surfaces.items[k];
            if (p->materials[k] && s->texture && image_name(p, s) == p->materials[k])
                SN_TRY(sn_io_export_image_file(
                    e, &(sn_io_export_image){p->materials[k], s->texture, s->texture_bytes}));
        }
    return SN_OK;
}

bool sn_io_usda_is_bound(const usda_prim *prim) {
    bool bound = false;
    for (size_t k = 0; prim->materials && k < prim->surfaces.count; k++)
        bound = bound || prim->materials[k];
    return bound;
}

static void write_relation(sn_io_out *out, const char *indent, const char *root,
                           const char *material) {
    sn_io_out_text(out, indent);
    sn_io_out_printf(out, "rel material:binding = </%s/Materials/", root);
    sn_io_out_text(out, material);
    sn_io_out_text(out, ">\n");
}

void sn_io_usda_write_binding(sn_io_out *out, const usda_prim *prim, const char *root) {
    if (prim->materials && prim->materials[0])
        write_relation(out, "        ", root, prim->materials[0]);
}

void sn_io_usda_write_subsets(sn_io_out *out, const usda_prim *prim, const char *root) {
    bool any = false;
    for (size_t k = 1; prim->materials && k < prim->surfaces.count; k++) {
        if (!prim->materials[k]) continue;
        const size_t *start = &prim->surfaces.start[k];
        if (!any)
            sn_io_out_text(out, "        uniform token subsetFamily:materialBind:familyType = "
                                "\"nonOverlapping\"\n");
        any = true;
        sn_io_out_text(out, "\n        def GeomSubset \"");
        sn_io_out_text(out, prim->materials[k]);
        sn_io_out_text(out, "\" (\n            prepend apiSchemas = [\"MaterialBindingAPI\"]\n"
                            "        )\n        {\n"
                            "            uniform token elementType = \"face\"\n"
                            "            uniform token familyName = \"materialBind\"\n"
                            "            int[] indices =");
        for (size_t i = start[0]; i < start[1]; i++) {
            sn_io_out_text(out, i > start[0] ? "," : " ");
            sn_io_out_uint(out, i > start[0] ? ' ' : '[', prim->surfaces.triangles[i]);
        }
        sn_io_out_text(out, "]\n");
        write_relation(out, "            ", root, prim->materials[k]);
        sn_io_out_text(out, "        }\n");
    }
}

/* An input of a shader that is the output of another. */
static void write_link(sn_io_out *out, const char *input, const char *path, const char *output) {
    sn_io_out_text(out, "                ");
    sn_io_out_text(out, input);
    sn_io_out_text(out, ".connect = <");
    sn_io_out_text(out, path);
    sn_io_out_text(out, output);
    sn_io_out_text(out, ">\n");
}

static void write_number(sn_io_out *out, const char *before, sn_real value) {
    sn_io_out_text(out, before);
    sn_io_out_real(out, value);
    sn_io_out_text(out, "\n");
}

static void begin_shader(sn_io_out *out, const char *name, const char *id) {
    sn_io_out_printf(out,
                     "\n            def Shader \"%s\"\n            {\n"
                     "                uniform token info:id = \"%s\"\n",
                     name, id);
}

static void end_shader(sn_io_out *out, const char *output) {
    sn_io_out_printf(out, "                %s\n            }\n", output);
}

/* Where an image lies that begins again after so much of the texture coordinates. */
static void write_places(sn_io_out *out, const sn_io_surface *m, const char *path) {
    begin_shader(out, "places", "UsdPrimvarReader_float2");
    sn_io_out_text(out, "                string inputs:varname = \"st\"\n");
    end_shader(out, "float2 outputs:result");
    if (m->texture_size == 1) return;
    sn_real scale = (sn_real)(1 / (double)m->texture_size);
    begin_shader(out, "scaled", "UsdTransform2d");
    write_link(out, "float2 inputs:in", path, "/places.outputs:result");
    sn_io_out_text(out, "                float2 inputs:scale = (");
    sn_io_out_real(out, scale);
    sn_io_out_text(out, ", ");
    sn_io_out_real(out, scale);
    sn_io_out_text(out, ")\n");
    end_shader(out, "float2 outputs:result");
}

static void write_image(sn_io_out *out, const sn_io_export *e, const sn_io_surface *m,
                        const char *name, const char *path) {
    begin_shader(out, "image", "UsdUVTexture");
    sn_io_out_text(out, "                asset inputs:file = @./");
    sn_io_export_image_name(out, e, name, sn_io_image_word(m->texture, m->texture_bytes));
    sn_io_out_text(out, "@\n");
    sn_io_out_text(out, "                token inputs:wrapS = \"repeat\"\n"
                        "                token inputs:wrapT = \"repeat\"\n"
                        "                token inputs:sourceColorSpace = \"sRGB\"\n");
    if (m->is_coloured)
        sn_io_out_vec3(out, "                float4 inputs:scale = (", ", ", ", 1)\n",
                       sn_io_linear_colour(m->colour));
    write_link(out, "float2 inputs:st", path,
               m->texture_size == 1 ? "/places.outputs:result" : "/scaled.outputs:result");
    end_shader(out, "float3 outputs:rgb");
    write_places(out, m, path);
}

static void write_material(sn_io_out *out, const sn_io_export *e, const usda_prim *prim,
                           size_t surface, const char *path) {
    const sn_io_surface *m = &prim->surfaces.items[surface];
    sn_io_out_text(out, "        def Material \"");
    sn_io_out_text(out, prim->materials[surface]);
    sn_io_out_text(out, "\"\n        {\n            token outputs:surface.connect = <");
    sn_io_out_text(out, path);
    sn_io_out_text(out, "/surface.outputs:surface>\n");
    begin_shader(out, "surface", "UsdPreviewSurface");
    if (m->texture)
        write_link(out, "color3f inputs:diffuseColor", path, "/image.outputs:rgb");
    else if (m->is_coloured)
        sn_io_out_vec3(out, "                color3f inputs:diffuseColor = (", ", ", ")\n",
                       sn_io_linear_colour(m->colour));
    write_number(out, "                float inputs:roughness = ", m->roughness);
    write_number(out, "                float inputs:opacity = ", m->opacity);
    end_shader(out, "token outputs:surface");
    if (m->texture) write_image(out, e, m, image_name(prim, m), path);
    sn_io_out_text(out, "        }\n");
}

sn_result sn_io_usda_write_materials(sn_io_out *out, const sn_io_export *e, const usda_scene *scene,
                                     const char *root) {
    bool any = false;
    for (const usda_prim *p = scene->prims; p < scene->prims + scene->count; p++)
        for (size_t k = 0; p->materials && k < p->surfaces.count; k++) {
            if (!p->materials[k]) continue;
            size_t size = strlen(root) + strlen(p->materials[k]) + 16;
            char *path = malloc(size);
            if (!path) return sn_io_export_no_memory();
            snprintf(path, size, "/%s/Materials/%s", root, p->materials[k]);
            sn_io_out_text(out, any ? "\n" : "\n    def Scope \"Materials\"\n    {\n");
            write_material(out, e, p, k, path);
            any = true;
            free(path);
        }
    if (any) sn_io_out_text(out, "    }\n");
    return SN_OK;
}
