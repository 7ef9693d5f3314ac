/* Materials of OpenUSD: a UsdPreviewSurface each, whose image is a file beside the scene. */
#include "io/animation/export_look.h"
#include "io/animation/export_names.h"
#include "io/animation/export_usda.h"
#include "io/mesh/image.h"

#include <stdlib.h>
#include <string.h>

struct usda_material {
    char *name; /* in the file */
    bool is_coloured;
    sn_vec3 colour; /* as light */
    sn_real opacity, roughness;
    uint8_t *texture; /* a PNG or JPEG file; null without */
    size_t texture_bytes;
    sn_real texture_size; /* as in sn_io_look */
};

void sn_io_usda_material_free(usda_material *m) {
    if (!m) return;
    free(m->name);
    free(m->texture);
    free(m);
}

/* A name that no other material of the scene has; null without memory. */
static char *free_name(const usda_scene *scene, const char *text) {
    const char **taken = malloc((scene->count + 1) * sizeof *taken);
    char *name = NULL;
    for (size_t i = 0; taken && i < scene->count; i++)
        taken[i] = scene->prims[i].material ? scene->prims[i].material->name : NULL;
    if (taken) name = sn_io_unique_name(text, taken, scene->count);
    free(taken);
    return name;
}

sn_result sn_io_usda_material_make(usda_scene *scene, const sn_io_shape *shape, usda_prim *prim) {
    const sn_io_look *look = shape->look;
    bool image = look && look->texture_bytes && look->texture_byte_count > 0 && shape->uvs;
    if (prim->kind != USDA_MESH || !look || (!look->material && !image)) return SN_OK;
    usda_material *m = calloc(1, sizeof *m);
    if (!m) return sn_io_export_no_memory();
    m->name = free_name(scene, look->material ? look->material : shape->name);
    m->is_coloured = !shape->colours && sn_io_look_colour(look, &m->colour);
    if (m->is_coloured) m->colour = sn_io_linear_colour(m->colour);
    m->opacity = look->opacity;
    m->roughness = look->roughness;
    m->texture_size = look->texture_size;
    if (image) m->texture = malloc(look->texture_byte_count);
    if (!m->name || (image && !m->texture)) {
        sn_io_usda_material_free(m);
        return sn_io_export_no_memory();
    }
    if (image) {
        memcpy(m->texture, look->texture_bytes, look->texture_byte_count);
        m->texture_bytes = look->texture_byte_count;
    }
    prim->material = m;
    return SN_OK;
}

/* ---- Writing ---- */

static const char *word_of(const usda_material *m) {
    return sn_io_image_word(m->texture, m->texture_bytes);
}

static char *image_ending(const usda_material *m) {
    size_t size = strlen(m->name) + 8;
    char *ending = malloc(size);
    if (ending) snprintf(ending, size, "_%s.%s", m->name, word_of(m));
    return ending;
}

sn_result sn_io_usda_write_images(sn_io_export *e, const usda_scene *scene) {
    for (size_t i = 0; i < scene->count; i++) {
        const usda_material *m = scene->prims[i].material;
        if (!m || !m->texture) continue;
        sn_io_file file;
        char *ending = image_ending(m);
        if (!ending) return sn_io_export_no_memory();
        sn_result result = sn_io_export_begin(e, ending, &file);
        free(ending);
        SN_TRY(result);
        (void)fwrite(m->texture, 1, m->texture_bytes, file.stream);
        SN_TRY(sn_io_export_end(e, &file, NULL));
    }
    return SN_OK;
}

void sn_io_usda_write_binding(sn_io_out *out, const usda_prim *prim, const char *root) {
    if (!prim->material) return;
    sn_io_out_printf(out, "        rel material:binding = </%s/Materials/", root);
    sn_io_out_text(out, prim->material->name);
    sn_io_out_text(out, ">\n");
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
static void write_places(sn_io_out *out, const usda_material *m, const char *path) {
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

static void write_image(sn_io_out *out, const sn_io_export *e, const usda_material *m,
                        const char *path) {
    begin_shader(out, "image", "UsdUVTexture");
    sn_io_out_text(out, "                asset inputs:file = @./");
    sn_io_out_text(out, e->name);
    sn_io_out_text(out, "_");
    sn_io_out_text(out, m->name);
    sn_io_out_text(out, ".");
    sn_io_out_text(out, word_of(m));
    sn_io_out_text(out, "@\n");
    sn_io_out_text(out, "                token inputs:wrapS = \"repeat\"\n"
                        "                token inputs:wrapT = \"repeat\"\n"
                        "                token inputs:sourceColorSpace = \"sRGB\"\n");
    if (m->is_coloured)
        sn_io_out_vec3(out, "                float4 inputs:scale = (", ", ", ", 1)\n", m->colour);
    write_link(out, "float2 inputs:st", path,
               m->texture_size == 1 ? "/places.outputs:result" : "/scaled.outputs:result");
    end_shader(out, "float3 outputs:rgb");
    write_places(out, m, path);
}

static void write_material(sn_io_out *out, const sn_io_export *e, const usda_material *m,
                           const char *path) {
    sn_io_out_text(out, "        def Material \"");
    sn_io_out_text(out, m->name);
    sn_io_out_text(out, "\"\n        {\n            token outputs:surface.connect = <");
    sn_io_out_text(out, path);
    sn_io_out_text(out, "/surface.outputs:surface>\n");
    begin_shader(out, "surface", "UsdPreviewSurface");
    if (m->texture)
        write_link(out, "color3f inputs:diffuseColor", path, "/image.outputs:rgb");
    else if (m->is_coloured)
        sn_io_out_vec3(out, "                color3f inputs:diffuseColor = (", ", ", ")\n",
                       m->colour);
    write_number(out, "                float inputs:roughness = ", m->roughness);
    write_number(out, "                float inputs:opacity = ", m->opacity);
    end_shader(out, "token outputs:surface");
    if (m->texture) write_image(out, e, m, path);
    sn_io_out_text(out, "        }\n");
}

sn_result sn_io_usda_write_materials(sn_io_out *out, const sn_io_export *e, const usda_scene *scene,
                                     const char *root) {
    bool any = false;
    for (size_t i = 0; i < scene->count; i++) {
        const usda_material *m = scene->prims[i].material;
        if (!m) continue;
        size_t size = strlen(root) + strlen(m->name) + 16;
        char *path = malloc(size);
        if (!path) return sn_io_export_no_memory();
        snprintf(path, size, "/%s/Materials/%s", root, m->name);
        sn_io_out_text(out, any ? "\n" : "\n    def Scope \"Materials\"\n    {\n");
        write_material(out, e, m, path);
        any = true;
        free(path);
    }
    if (any) sn_io_out_text(out, "    }\n");
    return SN_OK;
}
