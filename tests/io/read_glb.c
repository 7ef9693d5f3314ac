/* GLB: scenes, transforms, modes, types of numbers, sparse accessors and instances. */
#include "gltf_make.h"
#include "read_help.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file from its JSON and its binary chunk. */
static sn_result read_glb(const char *json, const bytes *binary, sn_mesh *mesh) {
    static bytes b;
    size_t length = (strlen(json) + 3) / 4 * 4, size = binary ? (binary->size + 3) / 4 * 4 : 0;
    b.size = 0;
    put_text(&b, "glTF");
    put_u32(&b, 2);
    put_u32(&b, (uint32_t)(12 + 8 + length + (binary ? 8 + size : 0)));
    put_u32(&b, (uint32_t)length);
    put_text(&b, "JSON");
    put_text(&b, json);
    while (b.size < 20 + length) put_u8(&b, ' ');
    if (binary) {
        put_u32(&b, (uint32_t)size);
        put_text(&b, "BIN");
        put_u8(&b, 0);
        for (size_t i = 0; i < size; i++) put_u8(&b, i < binary->size ? binary->data[i] : 0);
    }
    sn_io_read_def def = sn_io_read_def_default();
    *mesh = sn_mesh_default();
    def.format = "glb";
    return sn_io_mesh_read_memory("test", b.data, b.size, &def, mesh);
}

#define HEAD "{\"asset\":{\"version\":\"2.0\"},"

/* Four corners of a square, and the indices 0 to 3. */
static bytes *square(void) {
    static bytes b;
    b.size = 0;
    static const float x[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    for (int i = 0; i < 12; i++) put_f32(&b, x[i]);
    for (unsigned i = 0; i < 4; i++) put_u16(&b, i);
    return &b;
}

#define SQUARE                                                                                     \
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"},"      \
    "{\"bufferView\":1,\"componentType\":5123,\"count\":4,\"type\":\"SCALAR\"}],"                  \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"                                           \
    "{\"buffer\":0,\"byteOffset\":48,\"byteLength\":8}],\"buffers\":[{\"byteLength\":56}]}"

TEST(every_mode) {
    static const struct {
        int mode;
        size_t triangles, lines;
    } modes[] = {{0, 0, 0}, {1, 0, 2}, {2, 0, 4}, {3, 0, 3}, {5, 2, 0}, {6, 2, 0}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++)
        for (int indexed = 0; indexed < 2; indexed++) {
            char json[2000];
            sn_mesh mesh;
            check_case("mode %d%s", modes[i].mode, indexed ? ", with indices" : "");
            snprintf(json, sizeof json,
                     HEAD "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
                          "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                          "\"mode\":%d%s}]}]," SQUARE,
                     modes[i].mode, indexed ? ",\"indices\":1" : "");
            if (!CHECK_OK(read_glb(json, square(), &mesh))) continue;
            CHECK(has_counts(&mesh, 4, modes[i].triangles, 0, modes[i].lines, 0));
            if (modes[i].mode == 5) CHECK(has_triangle(&mesh, 1, 2, 1, 3));
            if (modes[i].mode == 6) CHECK(has_triangle(&mesh, 1, 0, 2, 3));
            if (modes[i].mode == 2) CHECK(mesh.lines[3][0] == 3 && mesh.lines[3][1] == 0);
            sn_mesh_free(&mesh);
        }
}

/* A tree of nodes; two of them show the same mesh, one in a mirror. */
TEST(nodes_move_and_name_their_meshes) {
    sn_mesh mesh;
    CHECK_OK(read_glb(HEAD
                      "\"scene\":1,\"scenes\":[{\"nodes\":[4]},{\"name\":\"this\",\"nodes\":[0]}],"
                      "\"nodes\":["
                      "{\"children\":[1,2],\"translation\":[10,0,0]},"
                      "{\"name\":\"left\",\"mesh\":0,\"scale\":[-2,1,1]},"
                      "{\"children\":[3],\"matrix\":[0,1,0,0,-1,0,0,0,0,0,1,0,0,0,5,1]},"
                      "{\"mesh\":0,\"rotation\":[0,0,1,0]},"
                      "{\"mesh\":0,\"name\":\"not in the scene\"}],"
                      "\"meshes\":[{\"name\":\"square\",\"primitives\":["
                      "{\"attributes\":{\"POSITION\":0},\"mode\":6},"
                      "{\"attributes\":{\"POSITION\":0},\"mode\":3,\"indices\":1}]}]," SQUARE,
                      square(), &mesh));
    CHECK(has_counts(&mesh, 8, 4, 0, 6, 2));
    CHECK(is_at(&mesh, 2, 8, 1, 0));
    /* Turned round, since the mirror turns it. */
    CHECK(has_triangle(&mesh, 0, 0, 2, 1));
    /* By half a turn, then a quarter, then up. */
    CHECK(is_at(&mesh, 6, 11, -1, 5));
    CHECK(has_triangle(&mesh, 2, 4, 5, 6));
    static const uint32_t left[] = {0, 1, 2, 3}, other[] = {4, 5, 6, 7};
    CHECK(group_is(&mesh, "left", left, 4) && group_is(&mesh, "square", other, 4));
    sn_mesh_free(&mesh);
}

/* Positions of small types with a stride, as KHR_mesh_quantization allows, and normalised ones. */
TEST(every_type_of_numbers) {
    static const struct {
        int type, size;
        bool is_normalized;
        double scale;
    } types[] = {
        {5120, 1, false, 1},        {5121, 1, false, 1},          {5122, 2, false, 1},
        {5123, 2, false, 1},        {5126, 4, false, 1},          {5120, 1, true, 1.0 / 127},
        {5121, 1, true, 1.0 / 255}, {5122, 2, true, 1.0 / 32767}, {5123, 2, true, 1.0 / 65535}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        static bytes b;
        char json[2000];
        sn_mesh mesh;
        check_case("%d%s", types[i].type, types[i].is_normalized ? ", normalised" : "");
        b.size = 0;
        for (unsigned k = 0; k < 12; k++) {
            /* The fourth of each is padding. */
            if (types[i].size == 1) put_u8(&b, 10 * k);
            if (types[i].size == 2) put_u16(&b, 10 * k);
            if (types[i].size == 4) put_f32(&b, 10 * (float)k);
        }
        snprintf(json, sizeof json,
                 HEAD "\"extensionsRequired\":[\"KHR_mesh_quantization\"],"
                      "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
                      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                      "\"accessors\":[{\"bufferView\":0,\"componentType\":%d,\"count\":3,"
                      "\"type\":\"VEC3\",\"normalized\":%s}],"
                      "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d,\"byteStride\":%d}],"
                      "\"buffers\":[{\"byteLength\":%d}]}",
                 types[i].type, types[i].is_normalized ? "true" : "false", 12 * types[i].size,
                 4 * types[i].size, 12 * types[i].size);
        if (!CHECK_OK(read_glb(json, &b, &mesh))) continue;
        CHECK(has_counts(&mesh, 3, 1, 0, 0, 0));
        CHECK_REL(mesh.positions[2].z, 100 * types[i].scale, 1e-6);
        CHECK_REL(mesh.positions[1].x, 40 * types[i].scale, 1e-6);
        sn_mesh_free(&mesh);
    }
}

/* With and without numbers below those that are replaced. */
TEST(sparse_accessors) {
    for (int based = 0; based < 2; based++) {
        bytes *b = square();
        char json[2000];
        sn_mesh mesh;
        check_case("%s", based ? "over a view" : "over zeros");
        put_u8(b, 2), put_u8(b, 3), put_u16(b, 0);
        for (int k = 0; k < 6; k++) put_f32(b, (float)k + 7);
        snprintf(json, sizeof json,
                 HEAD
                 "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
                 "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
                 "\"accessors\":[{%s\"componentType\":5126,\"count\":4,\"type\":\"VEC3\","
                 "\"sparse\":{\"count\":2,"
                 "\"indices\":{\"bufferView\":1,\"componentType\":5121},"
                 "\"values\":{\"bufferView\":1,\"byteOffset\":4}}}],"
                 "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48},"
                 "{\"buffer\":0,\"byteOffset\":56,\"byteLength\":28}],"
                 "\"buffers\":[{\"byteLength\":84}]}",
                 based ? "\"bufferView\":0," : "");
        if (!CHECK_OK(read_glb(json, b, &mesh))) continue;
        CHECK(is_at(&mesh, 1, based, 0, 0));
        CHECK(is_at(&mesh, 2, 7, 8, 9) && is_at(&mesh, 3, 10, 11, 12));
        sn_mesh_free(&mesh);
    }
}

#define SHOWN "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"

TEST(what_is_wrong_is_named) {
    static const struct {
        const char *json, *sentence;
    } cases[] = {
        {"[]", "test: the JSON is an array, expected an object"},
        {"{}", "test: asset.version is missing or not 2.0"},
        {HEAD "\"nodes\":[]}", "test: the file has no scene"},
        {HEAD "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
         "test:1:50: extensionsRequired[0]: the file needs the extension "
         "\"KHR_draco_mesh_compression\", which cannot be read"},
        {HEAD "\"extensionsRequired\":[\"EXT_meshopt_compression\"]}",
         "test:1:50: extensionsRequired[0]: the file needs the extension "
         "\"EXT_meshopt_compression\", which cannot be read"},
        {HEAD "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}",
         "test:1:92: nodes[1].children[0]: node 0 is in the scene twice"},
        {HEAD "\"scenes\":[{\"nodes\":[7]}]}",
         "test:1:48: scenes[0].nodes[0]: it is no node; there are 0"},
        {HEAD SHOWN "\"meshes\":[]}", "test:1:70: nodes[0].mesh: found 0, but there are only 0"},
        {HEAD SHOWN "\"meshes\":[{\"primitives\":[{}]}]}",
         "test:1:99: meshes[0].primitives[0]: it has no attribute POSITION"},
        {HEAD SHOWN "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":4,"
                    "\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"
                    "\"buffers\":[{\"uri\":\"a.bin\",\"byteLength\":48}]}",
         "test:1:271: buffers[0].uri: the buffer is another file, which cannot be found from here"},
        {HEAD SHOWN "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":400000000,"
                    "\"type\":\"VEC3\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],"
                    "\"buffers\":[{\"byteLength\":48}]}",
         "test:1:145: accessors[0]: 400000000 elements of 12 bytes are promised, but the view has "
         "48 bytes"},
        {HEAD SHOWN
         "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
         "\"accessors\":[{\"componentType\":5126,\"count\":400000000,\"type\":\"VEC3\"}]}",
         "test:1:145: accessors[0]: 400000000 zeros are promised, more than the file has bytes"},
        {HEAD SHOWN "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                    "\"accessors\":[{\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"}]}",
         "test:1:99: meshes[0].primitives[0]: it has 4 corners, expected a multiple of 3"},
        {HEAD SHOWN "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":1},\"mode\":5,"
                    "\"indices\":0}]}],"
                    "\"accessors\":[{\"bufferView\":0,\"componentType\":5121,\"count\":9,"
                    "\"type\":\"SCALAR\"},{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
                    "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":48,\"byteLength\":9}],"
                    "\"buffers\":[{\"byteLength\":60}]}",
         "test:1:166: accessors[0]: index 6 is 3, but the primitive has 3 vertices"},
        {HEAD "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"translation\":[1,2]}]}",
         "test:1:77: nodes[0].translation: expected an array of 3 numbers"},
        {HEAD "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"translation\":[1,2,\"x\"]}]}",
         "test:1:82: nodes[0].translation[2]: found a string, expected a number"},
        {HEAD "\"scenes\":{}}", "test:1:37: scenes: found an object, expected an array"},
        {HEAD "\"scenes\":[", "test:1:41: the file ends here, expected a value"},
    };
    bytes *b = square();
    put_u32(b, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case("%zu", i);
        sn_mesh mesh;
        CHECK_FAILS(read_glb(cases[i].json, b, &mesh), SN_ERROR_DATA);
        if (!CHECK(strcmp(sn_last_error(), cases[i].sentence) == 0))
            printf("    %s\n    %s\n", sn_last_error(), cases[i].sentence);
    }
}

/* A short file that shows one mesh again and again must not fill the memory. */
TEST(instances_are_bounded) {
    static char json[7500];
    sn_mesh mesh;
    size_t length = (size_t)snprintf(json, sizeof json, HEAD "\"nodes\":[{\"mesh\":0}");
    for (int i = 1; i < 400; i++)
        length += (size_t)snprintf(json + length, sizeof json - length, ",{\"mesh\":0}");
    length += (size_t)snprintf(json + length, sizeof json - length, "],\"scenes\":[{\"nodes\":[0");
    for (int i = 1; i < 400; i++)
        length += (size_t)snprintf(json + length, sizeof json - length, ",%d", i);
    snprintf(json + length, sizeof json - length,
             "]}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":0}]}],"
             "\"accessors\":[{\"componentType\":5126,\"count\":5000,\"type\":\"VEC3\"}]}");
    CHECK_FAILS(read_glb(json, NULL, &mesh), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "repeats its meshes until it is too large for its file"));
}

/* ---- As text ---- */

static void base64(const bytes *b, char *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < b->size; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++) bits = bits << 8 | (i + k < b->size ? b->data[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            *out++ = i + k > b->size ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
    *out = 0;
}

/* A strip of two triangles: places in one buffer, indices in the other. */
static void make_text(const char *places, const char *indices, char *json, size_t size) {
    snprintf(json, size,
             "\n" HEAD "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"mode\":5,"
             "\"indices\":1}]}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,"
             "\"count\":4,\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5123,"
             "\"count\":4,\"type\":\"SCALAR\"}],\"bufferViews\":[{\"buffer\":0,"
             "\"byteLength\":48},{\"buffer\":1,\"byteLength\":8}],\"buffers\":["
             "{\"uri\":\"%s\",\"byteLength\":48},{\"uri\":\"%s\",\"byteLength\":8}]}",
             places, indices);
}

static void write_file(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!CHECK(file)) return;
    CHECK(fwrite(data, 1, size, file) == size);
    fclose(file);
}

/* The square in two parts, whose lengths leave one and two bytes in the last digits of base64. */
static void split_square(bytes *places, bytes *indices) {
    const bytes *whole = square();
    places->size = indices->size = 0;
    for (size_t i = 0; i < 48; i++) put_u8(places, whole->data[i]);
    for (size_t i = 48; i < 56; i++) put_u8(indices, whole->data[i]);
    put_u8(places, 0);
}

TEST(text_with_buffers_within_and_beside_it) {
    static bytes places, indices;
    char json[2000], within[2][100], uri[2][240];
    split_square(&places, &indices);
    base64(&places, within[0]);
    base64(&indices, within[1]);
    for (int i = 0; i < 2; i++)
        snprintf(uri[i], sizeof uri[i], "data:application/octet-stream;base64,%s", within[i]);
    write_file("read_glb places.bin", places.data, places.size);
    for (int beside = 0; beside < 2; beside++) {
        check_case("%s", beside ? "places in a file" : "all within");
        make_text(beside ? "read_glb%20places.bin" : uri[0], uri[1], json, sizeof json);
        write_file("read_glb.gltf", json, strlen(json));
        sn_mesh mesh = sn_mesh_default();
        if (!CHECK_OK(sn_io_mesh_read("read_glb.gltf", NULL, &mesh))) continue;
        CHECK(has_counts(&mesh, 4, 2, 0, 0, 0) && has_triangle(&mesh, 1, 2, 1, 3));
        CHECK(mesh.positions[2].x == 1 && mesh.positions[2].y == 1 && mesh.positions[3].x == 0);
        sn_mesh_free(&mesh);
    }
    remove("read_glb.gltf");
    remove("read_glb places.bin");
}

TEST(text_names_what_is_wrong_with_its_buffers) {
    static const struct {
        const char *places, *sentence;
        sn_result result;
    } cases[] = {
        {"../a.bin", "expected a file in the folder of this one, or below it", SN_ERROR_DATA},
        {"a/..", "expected a file in the folder of this one, or below it", SN_ERROR_DATA},
        {"%2e%2e/a.bin", "expected a file in the folder of this one, or below it", SN_ERROR_DATA},
        {"/a.bin", "expected a file in the folder of this one, or below it", SN_ERROR_DATA},
        {"http://a/b", "expected a file in the folder of this one, or below it", SN_ERROR_DATA},
        {"read_glb_none.bin", "cannot read the buffer \"read_glb_none.bin\"", SN_ERROR_FILE},
        {"data:;base64,AA!A", "byte 2 of the base64 is no digit of it", SN_ERROR_DATA},
        {"data:;base64,AAAA", "it ends at byte 48, but the buffer has 3", SN_ERROR_DATA},
    };
    char json[2000];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_case("%s", cases[i].places);
        make_text(cases[i].places, "data:;base64,AAAAAAAAAAA=", json, sizeof json);
        write_file("read_glb.gltf", json, strlen(json));
        sn_mesh mesh = sn_mesh_default();
        CHECK_FAILS(sn_io_mesh_read("read_glb.gltf", NULL, &mesh), cases[i].result);
        if (!CHECK(strstr(sn_last_error(), cases[i].sentence))) printf("    %s\n", sn_last_error());
    }
    sn_mesh mesh = sn_mesh_default();
    CHECK_FAILS(sn_io_mesh_write("read_glb.gltf", NULL, &mesh), SN_ERROR_NAME);
    remove("read_glb.gltf");
}

/* Attributes of a file's own and joints of a skin are groups; numbers beyond 0 to 1 are none. */
TEST(weights_and_joints_are_groups) {
    static gltf g;
    static const float x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, pins[3] = {1, 0, 0.75f},
                       heat[3] = {20, 1, 1},
                       weights[12] = {1, 0, 0, 0, 0.25f, 0.75f, 0, 0, 0.5f, 0.5f, 0, 0};
    static const uint8_t hem[3] = {0, 1, 1}, joints[12] = {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
    size_t size;
    gltf_begin(&g);
    gltf_reals(&g, "VEC3", 3, x);
    gltf_reals(&g, "SCALAR", 3, pins);
    gltf_reals(&g, "SCALAR", 3, heat);
    gltf_bytes(&g, "SCALAR", 3, hem);
    gltf_bytes(&g, "VEC4", 3, joints);
    gltf_reals(&g, "VEC4", 3, weights);
    unsigned char *file = gltf_end(
        &g,
        "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0,\"skin\":0},{\"name\":\"hip\"},"
        "{\"name\":\"knee\"}],\"skins\":[{\"joints\":[1,2]}],\"meshes\":[{\"primitives\":[{"
        "\"attributes\":{\"POSITION\":0,\"_pins\":1,\"_HEAT\":2,\"_hem\":3,\"JOINTS_0\":4,"
        "\"WEIGHTS_0\":5}}]}]",
        &size);
    sn_mesh mesh = read_bytes("glb", file, size);
    static const uint32_t first[] = {0}, second[] = {1}, pinned[] = {0, 2}, hemmed[] = {1, 2};
    CHECK(has_counts(&mesh, 3, 1, 0, 0, 4));
    CHECK(group_is(&mesh, "pins", pinned, 2) && group_is(&mesh, "hem", hemmed, 2));
    CHECK(group_is(&mesh, "hip", first, 1) && group_is(&mesh, "knee", second, 1));
    sn_mesh_free(&mesh);
    free(file);
}

TESTS(RUN(weights_and_joints_are_groups), RUN(every_mode), RUN(nodes_move_and_name_their_meshes),
      RUN(every_type_of_numbers), RUN(sparse_accessors), RUN(what_is_wrong_is_named),
      RUN(instances_are_bounded), RUN(text_with_buffers_within_and_beside_it),
      RUN(text_names_what_is_wrong_with_its_buffers))
