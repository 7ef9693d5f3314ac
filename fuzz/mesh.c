/*
 * Any bytes as a mesh: the first byte chooses the format, the second how it is read, and whether
 * with texture coordinates. Reading gives a result, never more, and takes memory in proportion to
 * the bytes. What is read is a mesh: its indices are those of vertices, its positions are finite,
 * its groups have names.
 */
#include <sinew_io/mesh.h>

#include <math.h>
#include <string.h>

#include "fuzz.h"

/* An allocator that counts, and aligns as sn_allocator asks. */
typedef struct meter {
    size_t held, most;
} meter;

static void *reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    meter *m = user;
    size_t rounded = (new_size + 63) / 64 * 64;
    void *fresh = new_size > 0 ? aligned_alloc(64, rounded) : NULL;
    if (new_size > 0 && !fresh) return NULL;
    if (fresh && old_size > 0) memcpy(fresh, pointer, old_size < new_size ? old_size : new_size);
    free(pointer);
    m->held += new_size;
    m->held -= old_size;
    if (m->held > m->most) m->most = m->held;
    return fresh;
}

static void check_indices(const uint32_t *indices, size_t count, const sn_mesh *mesh) {
    for (size_t i = 0; i < count; i++) FUZZ_EXPECT(indices[i] < mesh->vertex_count);
}

static void check_mesh(const sn_mesh *mesh) {
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        sn_vec3 x = mesh->positions[i];
        FUZZ_EXPECT(isfinite(x.x) && isfinite(x.y) && isfinite(x.z));
    }
    check_indices((uint32_t *)mesh->triangles, 3 * mesh->triangle_count, mesh);
    check_indices((uint32_t *)mesh->tets, 4 * mesh->tet_count, mesh);
    check_indices((uint32_t *)mesh->lines, 2 * mesh->line_count, mesh);
    for (size_t i = 0; i < mesh->group_count; i++) {
        const sn_mesh_group *group = &mesh->groups[i];
        FUZZ_EXPECT(group->name && group->name[0] && group->count > 0);
        check_indices(group->vertices, group->count, mesh);
    }
}

/* The files of a TetGen mesh, with zeros between them. */
static void write_parts(const uint8_t *data, size_t size) {
    static const char *const names[] = {"fuzz_mesh.node", "fuzz_mesh.ele", "fuzz_mesh.face"};
    for (int k = 0; k < 3; k++) {
        const uint8_t *end = k < 2 ? memchr(data, 0, size) : NULL;
        size_t length = end ? (size_t)(end - data) : size;
        FILE *file = fopen(names[k], "wb");
        FUZZ_EXPECT(file && fwrite(data, 1, length, file) == length && fclose(file) == 0);
        data += length;
        size -= length;
        if (size > 0) data++, size--;
    }
}

/* From a file, with its texture coordinates and colours. */
static sn_result read_looks(const uint8_t *data, size_t size, const sn_io_read_def *def,
                            sn_mesh *mesh) {
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    FILE *file = fopen("fuzz_mesh.bin", "wb");
    FUZZ_EXPECT(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
    sn_io_materials m;
    sn_result result = sn_io_mesh_read_materials("fuzz_mesh.bin", def, mesh, &uvs, &colours, &m);
    FUZZ_EXPECT(result == SN_OK || (!uvs && !colours && m.count == 0));
    FUZZ_EXPECT(m.count == 0 || m.triangle_count == mesh->triangle_count);
    for (size_t i = 0; i < m.triangle_count; i++) FUZZ_EXPECT(m.triangles[i] < m.count);
    sn_io_materials_free(&m);
    for (size_t i = 0; uvs && i < mesh->vertex_count; i++)
        FUZZ_EXPECT(isfinite(uvs[i][0]) && isfinite(uvs[i][1]));
    for (size_t i = 0; colours && i < mesh->vertex_count; i++)
        FUZZ_EXPECT(colours[i].x >= 0 && colours[i].x <= 1 && colours[i].y >= 0 &&
                    colours[i].y <= 1 && colours[i].z >= 0 && colours[i].z <= 1);
    free(uvs);
    free(colours);
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const formats[] = {"obj", "ply",   "stl", "off",    "glb",
                                          "msh", "medit", "vtu", "tetgen", "usda"};
    static const sn_real welds[] = {SN_AUTO, SN_AUTO, 0, (sn_real)0.25};
    if (size < 2) return 0;
    sn_io_read_def def = sn_io_read_def_default();
    def.format = formats[data[0] % 10];
    def.weld = welds[data[1] % 4];
    def.up = (sn_io_up)(data[1] / 4 % 3);
    meter m = {0, 0};
    sn_mesh mesh = sn_mesh_default();
    mesh.allocator = (sn_allocator){reallocate, &m};
    sn_result result;
    if (strcmp(def.format, "tetgen") == 0) {
        write_parts(data + 2, size - 2);
        result = sn_io_mesh_read("fuzz_mesh.face", &def, &mesh);
    } else if (data[1] & 16) {
        result = read_looks(data + 2, size - 2, &def, &mesh);
    } else {
        /* A copy of its own, so that reading past the end is found. */
        uint8_t *copy = malloc(size - 2);
        FUZZ_EXPECT(copy || size == 2);
        if (size > 2) memcpy(copy, data + 2, size - 2);
        result = sn_io_mesh_read_memory("mesh", copy, size - 2, &def, &mesh);
        free(copy);
    }
    if (result == SN_OK)
        check_mesh(&mesh);
    else
        FUZZ_EXPECT(sn_last_error()[0] && mesh.vertex_count == 0 && m.held == 0);
    FUZZ_EXPECT(m.most <= (1u << 16) + 400 * size || strcmp(def.format, "glb") == 0);
    FUZZ_EXPECT(m.most <= (1u << 26) + 400 * size);
    sn_mesh_free(&mesh);
    FUZZ_EXPECT(m.held == 0);
    return 0;
}
