/*
 * Materials of OpenUSD: of the UsdPreviewSurface that is the surface of a Material its colour, its
 * roughness and its opacity, and the image of a UsdUVTexture that is its colour.
 */
#include "io/mesh/read_usda.h"
#include "io/mesh/srgb.h"

#include <string.h>

/* The prim that an input is connected to, if it is a shader of this kind; SIZE_MAX else. */
static size_t find_shader(const usda_document *d, size_t node, const char *input, const char *id) {
    usda_word path = sn_usda_quote(d, node, input);
    size_t found = path.length > 0 ? sn_usda_at(d, path) : SIZE_MAX;
    bool fits = found != SIZE_MAX && sn_usda_is(sn_usda_quote(d, found, "info:id"), id);
    return fits ? found : SIZE_MAX;
}

/* The first numbers of an input; null where it has fewer. */
static const double *find_input(const usda_document *d, size_t node, const char *name,
                                size_t least) {
    const usda_property *p = sn_usda_find(d, node, name, strlen(name));
    if (!p || p->count == 0 || d->values.items[p->first].count < least) return NULL;
    return d->numbers.items + d->values.items[p->first].first;
}

static sn_result read_part(const usda_document *d, size_t node, const char *name, sn_real *value) {
    const double *number = find_input(d, node, name, 1);
    if (!number) return SN_OK;
    if (!(*number >= 0 && *number <= 1))
        return sn_text_fail(&d->text, sn_usda_find(d, node, name, strlen(name))->name.at,
                            "\"%s\" is %g, expected a number from 0 to 1", name, *number);
    *value = (sn_real)*number;
    return SN_OK;
}

static void read_colour(const double *light, sn_vec3 *colour) {
    sn_real srgb[3];
    for (int k = 0; light && k < 3; k++) {
        double part = light[k] > 0 ? light[k] < 1 ? light[k] : 1 : 0;
        srgb[k] = (sn_real)sn_io_srgb_of_linear(part);
    }
    if (light) *colour = (sn_vec3){srgb[0], srgb[1], srgb[2]};
}

/* The image, what its colours are multiplied by, and how much of the texture coordinates it is
   wide, where that is the same both ways. */
static sn_result read_image(const usda_geometry *g, size_t image, sn_io_look *look) {
    const usda_document *d = g->document;
    usda_word file = sn_usda_quote(d, image, "inputs:file");
    SN_TRY(sn_io_build_read_image(g->build, g->source, file.at, file.length, look));
    read_colour(find_input(d, image, "inputs:scale", 3), &look->colour);
    size_t places = find_shader(d, image, "inputs:st.connect", "UsdTransform2d");
    const double *scale = places == SIZE_MAX ? NULL : find_input(d, places, "inputs:scale", 2);
    if (scale && scale[0] == scale[1] && scale[0] > 0 && 1 / scale[0] < 1e30)
        look->texture_size = (sn_real)(1 / scale[0]);
    return SN_OK;
}

static sn_result read_look(const usda_geometry *g, size_t material, sn_io_look *look) {
    const usda_document *d = g->document;
    size_t surface = find_shader(d, material, "outputs:surface.connect", "UsdPreviewSurface");
    if (surface == SIZE_MAX) return SN_OK;
    read_colour(find_input(d, surface, "inputs:diffuseColor", 3), &look->colour);
    SN_TRY(read_part(d, surface, "inputs:roughness", &look->roughness));
    SN_TRY(read_part(d, surface, "inputs:opacity", &look->opacity));
    size_t image = find_shader(d, surface, "inputs:diffuseColor.connect", "UsdUVTexture");
    return image == SIZE_MAX ? SN_OK : read_image(g, image, look);
}

sn_result sn_usda_find_look(const usda_geometry *g, size_t node, uint32_t *look) {
    const usda_document *d = g->document;
    usda_word path = {"", 0};
    for (; path.length == 0 && node != SIZE_MAX; node = d->nodes.items[node].parent)
        path = sn_usda_quote(d, node, "material:binding");
    *look = BUILD_PLAIN;
    if (path.length == 0) return SN_OK;
    uint64_t key = sn_io_build_key(path.at, path.length);
    if (sn_io_build_find_look(g->build, key, look)) return SN_OK;
    size_t material = sn_usda_at(d, path);
    if (material == SIZE_MAX) return SN_OK;
    sn_io_look read = sn_io_look_default();
    usda_word name = d->nodes.items[material].name;
    SN_TRY(read_look(g, material, &read));
    return sn_io_build_add_look(g->build, key, &read, name.at, name.length, look);
}
