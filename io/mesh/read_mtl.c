#include "io/mesh/read_mtl.h"

#include <sinew_io/file.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is left of the line, into the names. */
static sn_result take_name(mtl_library *library, sn_io_build *build, sn_text *text, size_t *at,
                           size_t *length) {
    const char *name;
    sn_io_build_list *names = &library->names;
    *at = names->count;
    *length = sn_text_rest(text, &name);
    SN_TRY(sn_io_build_list_reserve(build, names, *length + 1, 1));
    memcpy((char *)names->items + names->count, name, *length);
    names->count += *length;
    return SN_OK;
}

static sn_result begin_material(mtl_library *library, sn_io_build *build, sn_text *text) {
    mtl_material material = {.opacity = 1, .image_size = 1};
    sn_io_build_list *items = &library->items;
    SN_TRY(take_name(library, build, text, &material.name, &material.length));
    SN_TRY(sn_io_build_list_reserve(build, items, 1, sizeof material));
    ((mtl_material *)items->items)[items->count++] = material;
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

/* Numbers behind an option, at most so many; the first two of them. */
static size_t take_numbers(sn_text *text, size_t most, double numbers[2]) {
    size_t count = 0;
    for (double value; count < most; count++) {
        sn_text_skip_blanks(text);
        sn_text next = *text;
        if (!sn_text_scan_real(&next, &value) || !sn_text_is_delimited(&next)) break;
        if (count < 2) numbers[count] = value;
        *text = next;
    }
    return count;
}

/* An option before the path of an image, and what belongs to it. How often the image is repeated
   counts where it is the same both ways. */
static void read_option(sn_text *text, mtl_material *material) {
    const char *word;
    size_t length = sn_text_word(text, &word);
    double numbers[2] = {1, 1};
    text->at += length;
    bool is_scale = sn_text_is(word, length, "-s");
    if (is_scale || sn_text_is(word, length, "-o") || sn_text_is(word, length, "-t")) {
        size_t count = take_numbers(text, 3, numbers);
        bool even = count == 1 || numbers[0] == numbers[1];
        if (is_scale && even && numbers[0] > 0 && 1 / numbers[0] > 0)
            material->image_size = 1 / numbers[0];
        return;
    }
    for (int i = sn_text_is(word, length, "-mm") ? 2 : 1; i > 0; i--) {
        sn_text_skip_blanks(text);
        text->at += sn_text_word(text, &word);
    }
}

/* The image of a material: options, and then a path that may have blanks. */
static sn_result read_image(mtl_library *library, sn_io_build *build, sn_text *text) {
    if (library->items.count == 0)
        return sn_text_fail(text, text->at, "an image comes before the first material");
    mtl_material *material = (mtl_material *)library->items.items + library->items.count - 1;
    while (!sn_text_at_line_end(text) && *text->at == '-') read_option(text, material);
    return take_name(library, build, text, &material->image, &material->image_length);
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
        else if (sn_text_take(text, "map_Kd"))
            SN_TRY(read_image(library, build, text));
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
