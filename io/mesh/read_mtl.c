#include "io/mesh/read_mtl.h"

#include <sinew_io/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sn_result begin_material(mtl_library *library, sn_io_build *build, sn_text *text) {
    const char *name;
    size_t length = sn_text_rest(text, &name);
    sn_io_build_list *names = &library->names, *items = &library->items;
    SN_TRY(sn_io_build_list_reserve(build, names, length + 1, 1));
    SN_TRY(sn_io_build_list_reserve(build, items, 1, sizeof(mtl_material)));
    memcpy((char *)names->items + names->count, name, length);
    ((mtl_material *)items->items)[items->count++] =
        (mtl_material){.name = names->count, .length = length, .opacity = 1};
    names->count += length;
    return SN_OK;
}

/* Red, and the others where they differ; colours by their spectrum are passed over. */
static sn_result read_colour(mtl_library *library, sn_text *text) {
    sn_text_skip_blanks(text);
    const char *at = text->at;
    if (sn_text_take(text, "spectral") || sn_text_take(text, "xyz")) return SN_OK;
    if (library->items.count == 0)
        return sn_text_fail(text, at, "a colour comes before the first material");
    mtl_material *material = (mtl_material *)library->items.items + library->items.count - 1;
    sn_real part = 0;
    for (int k = 0; k < 3; k++) {
        if (k == 0 || !sn_text_at_line_end(text)) SN_TRY(sn_text_real(text, "a colour", &part));
        material->colour[k] = (double)part;
    }
    material->is_coloured = true;
    return SN_OK;
}

/* How opaque a material is; words about halos and what is beyond 0 to 1 are passed over. */
static void read_opacity(mtl_library *library, sn_text *text) {
    sn_real part;
    sn_text_skip_blanks(text);
    if (library->items.count == 0 || sn_text_real(text, "an opacity", &part) != SN_OK) return;
    mtl_material *material = (mtl_material *)library->items.items + library->items.count - 1;
    if (part >= 0 && part <= 1) material->opacity = (double)part;
}

static sn_result read_statements(mtl_library *library, sn_io_build *build, sn_text *text) {
    while (text->at < text->end) {
        sn_text_skip_blanks(text);
        if (sn_text_take(text, "newmtl"))
            SN_TRY(begin_material(library, build, text));
        else if (sn_text_take(text, "Kd"))
            SN_TRY(read_colour(library, text));
        else if (sn_text_take(text, "d"))
            read_opacity(library, text);
        sn_text_next_line(text);
    }
    return SN_OK;
}

sn_result sn_mtl_read(mtl_library *library, sn_io_build *build, const sn_source *source,
                      const char *name, size_t length, bool *found) {
    char copy[SN_PATH_LENGTH], path[2 * SN_PATH_LENGTH], *data;
    size_t size;
    *found = false;
    if (length == 0 || length >= sizeof copy) return SN_OK;
    snprintf(copy, sizeof copy, "%.*s", (int)length, name);
    if (!sn_source_beside(source, copy, path)) return SN_OK;
    if (sn_io_file_expect("the materials", path) != SN_OK) return SN_OK;
    sn_result result = sn_io_file_read("the materials", path, &data, &size);
    if (result != SN_OK) return result == SN_ERROR_MEMORY ? result : SN_OK;
    *found = true;
    sn_text text = sn_text_of(path, data, size);
    result = read_statements(library, build, &text);
    free(data);
    return result;
}

void sn_mtl_free(mtl_library *library, sn_io_build *build) {
    sn_io_build_list_free(build, &library->items);
    sn_io_build_list_free(build, &library->names);
}

const mtl_material *sn_mtl_find(const mtl_library *library, const char *name, size_t length) {
    const mtl_material *items = library->items.items;
    for (size_t i = library->items.count; i-- > 0;)
        if (items[i].length == length &&
            memcmp((const char *)library->names.items + items[i].name, name, length) == 0)
            return &items[i];
    return NULL;
}
