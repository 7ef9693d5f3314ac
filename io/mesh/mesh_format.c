#include "io/mesh/mesh_format.h"

#include <string.h>

/* What is loaded into a page writes no files. */
#ifdef SN_FEW_TEXTS
#define WRITER(write) NULL
#else
#define WRITER(write) write
#endif

/* By name, endings, reader, writers; then whether it holds triangles, tets, lines and groups. */
static const sn_mesh_format formats[] = {
    {"obj",
     {"obj"},
     sn_read_obj,
     WRITER(sn_write_obj),
     WRITER(sn_write_still_obj),
     true,
     false,
     true,
     true},
    {"ply", {"ply"}, sn_read_ply, WRITER(sn_write_ply), NULL, true, true, true, true},
    {"stl", {"stl"}, sn_read_stl, WRITER(sn_write_stl), NULL, true, false, false, false},
    {"off", {"off"}, sn_read_off, WRITER(sn_write_off), NULL, true, false, false, false},
    {"glb",
     {"glb"},
     sn_read_glb,
     WRITER(sn_write_glb),
     WRITER(sn_write_still_glb),
     true,
     false,
     true,
     true},
    {"gltf", {"gltf"}, sn_read_glb, NULL, NULL, true, false, true, false},
    {"tetgen",
     {"node", "ele", "face"},
     sn_read_tetgen,
     WRITER(sn_write_tetgen),
     NULL,
     true,
     true,
     false,
     false},
    {"msh", {"msh"}, sn_read_msh, WRITER(sn_write_msh), NULL, true, true, true, true},
    {"medit", {"mesh"}, sn_read_medit, WRITER(sn_write_medit), NULL, true, true, true, false},
    {"vtu", {"vtu"}, sn_read_vtu, WRITER(sn_write_vtu), NULL, true, true, true, true},
    {"usda",
     {"usda"},
     sn_read_usda,
     WRITER(sn_write_still_usda),
     WRITER(sn_write_still_usda),
     true,
     false,
     true,
     true},
};
enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

#define FORMAT_NAMES "obj, ply, stl, off, glb, gltf, tetgen, msh, medit, vtu or usda"

const char *sn_path_extension(const char *path) {
    const char *name = path, *point = NULL;
    for (const char *c = path; *c; c++) {
        if (*c == '/' || *c == '\\') name = c + 1, point = NULL;
        if (*c == '.' && c > name) point = c;
    }
    return point ? point + 1 : "";
}

static const sn_mesh_format *find_extension(const char *extension) {
    for (int i = 0; i < FORMAT_COUNT; i++)
        for (int k = 0; k < 4 && formats[i].extensions[k]; k++)
            if (sn_text_is(extension, strlen(extension), formats[i].extensions[k]))
                return &formats[i];
    return NULL;
}

const sn_mesh_format *sn_mesh_format_find(const char *format, const char *path) {
    for (int i = 0; format && i < FORMAT_COUNT; i++)
        if (strcmp(format, formats[i].name) == 0) return &formats[i];
    if (format) {
        sn_fail(SN_ERROR_NAME, "there is no mesh format \"%.64s\", expected " FORMAT_NAMES, format);
        return NULL;
    }
    const char *extension = sn_path_extension(path);
    const sn_mesh_format *found = find_extension(extension);
    if (!found && *extension)
        sn_fail(SN_ERROR_NAME,
                "\"%.256s\" has the extension \"%.32s\", which is none of a mesh format; name the "
                "format: " FORMAT_NAMES,
                path, extension);
    else if (!found)
        sn_fail(SN_ERROR_NAME,
                "\"%.256s\" has no extension that says its format; name the format: " FORMAT_NAMES,
                path);
    return found;
}
