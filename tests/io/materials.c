/* Several materials of one mesh, from a file through a scene into every export that can hold
   them. With --write FOLDER, the files of a scene are written there and stay, for programs of
   others. */
#include <sinew_io/animation.h>
#include <sinew_io/cache.h>
#include <sinew_io/export.h>
#include <sinew_io/mesh.h>
#include <sinew_io/smooth.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"
#include "gltf_make.h"
#include "scene_make.h"

static const char *scratch = "materials_scratch";

static void write_bytes(const char *path, const void *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0) abort();
}

/* One orange pixel. */
static const uint8_t png[] = {137, 80,  78,  71,  13,  10, 26, 10, 0,   0,   0,  13,  73, 72,
                              68,  82,  0,   0,   0,   1,  0,  0,  0,   1,   8,  2,   0,  0,
                              0,   144, 119, 83,  222, 0,  0,  0,  12,  73,  68, 65,  84, 120,
                              156, 99,  248, 239, 192, 0,  0,  3,  129, 1,   64, 167, 97, 170,
                              169, 0,   0,   0,   0,   73, 69, 78, 68,  174, 66, 96,  130};

enum { TRIANGLES = 8, MATERIALS = 3 };
/* Which material each triangle of the file has: red, printed, clear. */
static const uint32_t of_file[TRIANGLES] = {0, 0, 0, 1, 1, 2, 2, 2};

/* A square of 1 m of nine vertices, which three primitives share. */
static void write_flag(const char *path) {
    static gltf g;
    float x[27], uv[18];
    static const uint16_t red[9] = {0, 3, 1, 1, 3, 4, 1, 4, 2}, printed[6] = {2, 4, 5, 3, 6, 4},
                          clear[9] = {4, 6, 7, 4, 7, 5, 5, 7, 8};
    size_t size;
    for (int i = 0; i < 9; i++) {
        x[3 * i] = (float)(i % 3) / 2, x[3 * i + 1] = 0, x[3 * i + 2] = (float)(i / 3) / 2;
        uv[2 * i] = x[3 * i], uv[2 * i + 1] = 1 - x[3 * i + 2];
    }
    gltf_begin(&g);
    gltf_reals(&g, "VEC3", 9, x);
    gltf_reals(&g, "VEC2", 9, uv);
    gltf_shorts(&g, "SCALAR", 9, red);
    gltf_shorts(&g, "SCALAR", 6, printed);
    gltf_shorts(&g, "SCALAR", 9, clear);
    size_t view = gltf_bytes(&g, "SCALAR", sizeof png, png); /* of the same number */
    char json[2048];
#define PLACES "{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},"
    snprintf(json, sizeof json,
             "\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"name\":\"flag\",\"mesh\":0}],"
             "\"images\":[{\"bufferView\":%zu,\"mimeType\":\"image/png\"}],"
             "\"textures\":[{\"source\":0}],\"materials\":[{\"name\":\"unused\"},"
             "{\"name\":\"red\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[1,0.25,0,1],"
             "\"roughnessFactor\":0.25}},"
             "{\"name\":\"printed\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{"
             "\"index\":0}}},"
             "{\"name\":\"clear\",\"alphaMode\":\"BLEND\",\"pbrMetallicRoughness\":{"
             "\"baseColorFactor\":[0,1,0,0.5]}}],"
             "\"meshes\":[{\"primitives\":[" PLACES "\"indices\":2,\"material\":1}," PLACES
             "\"indices\":3,\"material\":2}," PLACES "\"indices\":4,\"material\":3}]}]",
             view);
    unsigned char *file = gltf_end(&g, json, &size);
    write_bytes(path, file, size);
    free(file);
}

/* The three looks, as far as a format has words for them. */
static void check_looks(const sn_io_look *looks, size_t count, bool images, bool shine) {
    static const char *const names[MATERIALS] = {"red", "printed", "clear"};
    if (!CHECK(count == MATERIALS)) return;
    for (size_t i = 0; i < MATERIALS; i++)
        CHECK(looks[i].material && strcmp(looks[i].material, names[i]) == 0);
    CHECK_NEAR(looks[0].colour.x, 1, 1e-5);
    CHECK_NEAR(looks[0].colour.y, 0.5370987, 1e-5); /* 0.25 of the light, in sRGB */
    CHECK_NEAR(looks[1].colour.y, 1, 1e-5);
    CHECK_NEAR(looks[2].colour.x, 0, 1e-5);
    CHECK_NEAR(looks[2].opacity, 0.5, 1e-6);
    if (shine) CHECK_NEAR(looks[0].roughness, 0.25, 1e-6);
    if (!images) return;
    CHECK(!looks[0].texture_bytes && !looks[2].texture_bytes);
    if (CHECK(looks[1].texture_byte_count == sizeof png))
        CHECK(memcmp(looks[1].texture_bytes, png, sizeof png) == 0);
}

static void check_triangles(const uint32_t *of, size_t count) {
    if (!CHECK(count == TRIANGLES) || !CHECK(of != NULL)) return;
    for (size_t i = 0; i < TRIANGLES; i++) CHECK(of[i] == of_file[i]);
}

/* Those of a mesh in a file. */
static void check_file(const char *path, bool shine) {
    sn_mesh mesh = sn_mesh_default();
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    sn_io_materials m;
    check_case("%s", path);
    REQUIRE_OK(sn_io_mesh_read_materials(path, NULL, &mesh, &uvs, &colours, &m));
    check_looks(m.looks, m.count, true, shine);
    check_triangles(m.triangles, m.triangle_count);
    CHECK(mesh.triangle_count == m.triangle_count);
    CHECK(uvs != NULL);
    free(uvs);
    free(colours);
    sn_mesh_free(&mesh);
    sn_io_materials_free(&m);
    CHECK(m.count == 0 && !m.looks && !m.triangles);
}

static void check_shape(const sn_io_shape *shape) {
    check_case("%s", shape->name);
    check_looks(shape->materials, shape->material_count, true, true);
    check_triangles(shape->triangle_materials, shape->triangle_count);
}

#define FLAG "{\"shape\": \"file\", \"path\": \"flag.glb\"}"
static const char body_text[] = "{\"version\": 1, \"bodies\": [{\"name\": \"flag\", \"mesh\": " FLAG
                                ", \"material\": \"cotton\"}]}";

TEST(files_have_several) {
    write_flag("flag.glb");
    check_file("flag.glb", true);
    /* Vertices at the same place become one, and triangles that collapse take theirs along. */
    sn_mesh mesh = sn_mesh_default();
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    sn_io_materials m;
    sn_io_read_def def = sn_io_read_def_default();
    def.weld = (sn_real)0.5;
    REQUIRE_OK(sn_io_mesh_read_materials("flag.glb", &def, &mesh, &uvs, &colours, &m));
    CHECK(mesh.triangle_count < TRIANGLES && m.triangle_count == mesh.triangle_count);
    free(uvs);
    free(colours);
    sn_mesh_free(&mesh);
    sn_io_materials_free(&m);
    CHECK_FAILS(sn_io_mesh_read_materials("flag.glb", NULL, &mesh, &uvs, &colours, NULL),
                SN_ERROR_NULL);
    sn_io_materials_free(NULL);
    remove("flag.glb");
}

TEST(faces_without_one_are_plain) {
    static const char text[] = "mtllib flag.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n"
                               "usemtl silk\nf 3 2 4\nusemtl none\nf 4 2 1\nusemtl silk\nf 1 4 3\n";
    static const char library[] = "newmtl silk\nKd 0.5 0.25 1\nd 0.75\n";
    sn_mesh mesh = sn_mesh_default();
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    sn_io_materials m;
    write_bytes("flag.obj", text, sizeof text - 1);
    write_bytes("flag.mtl", library, sizeof library - 1);
    REQUIRE_OK(sn_io_mesh_read_materials("flag.obj", NULL, &mesh, &uvs, &colours, &m));
    static const uint32_t expected[4] = {2, 0, 1, 0};
    if (CHECK(m.count == 3) && CHECK(m.triangle_count == 4)) {
        for (size_t i = 0; i < 4; i++) CHECK(m.triangles[i] == expected[i]);
        CHECK(m.looks[0].colour.y == (sn_real)0.25 && m.looks[0].opacity == (sn_real)0.75);
        /* Beside a material with a colour, the others are white. */
        CHECK(m.looks[1].colour.y == 1 && m.looks[2].colour.y == 1);
        CHECK(strcmp(m.looks[1].material, "none") == 0 && !m.looks[2].material);
    }
    free(uvs);
    free(colours);
    sn_mesh_free(&mesh);
    sn_io_materials_free(&m);
    remove("flag.obj");
    remove("flag.mtl");
}

/* The materials of a file, which is then removed. */
static void read_looks(const char *path, sn_mesh *mesh, sn_io_materials *m) {
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    *mesh = sn_mesh_default();
    REQUIRE_OK(sn_io_mesh_read_materials(path, NULL, mesh, &uvs, &colours, m));
    free(uvs);
    free(colours);
    remove(path);
}

/* Images of an OBJ file, behind options and with blanks in their names; those that are not there,
   lie elsewhere or are none are passed over. */
TEST(libraries_have_images) {
    static const char text[] = "mtllib images.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"
                               "usemtl b\nf 1 2 3\nusemtl c\nf 1 2 3\nusemtl d\nf 1 2 3\nusemtl e\n"
                               "f 1 2 3\n";
    static const char library[] =
        "newmtl a\nmap_Kd -clamp on -s 4 4 1 -mm 0 1 -o 1 orange dot.png\nnewmtl b\nKd 0 1 0\n"
        "map_Kd orange dot.png\nnewmtl c\nmap_Kd gone.png\nnewmtl d\nmap_Kd ../orange dot.png\n"
        "newmtl e\nmap_Kd images.mtl\n";
    sn_mesh mesh;
    sn_io_materials m;
    write_bytes("orange dot.png", png, sizeof png);
    write_bytes("images.mtl", library, sizeof library - 1);
    write_bytes("images.obj", text, sizeof text - 1);
    read_looks("images.obj", &mesh, &m);
    if (CHECK(m.count == 5)) {
        CHECK(m.looks[0].texture_byte_count == sizeof png && m.looks[0].texture_size == 0.25);
        CHECK(m.looks[0].texture_bytes == m.looks[1].texture_bytes);
        CHECK(m.looks[1].colour.y == 1 && m.looks[1].colour.x == 0 && m.looks[1].texture_size == 1);
        for (int i = 2; i < 5; i++) CHECK(!m.looks[i].texture_bytes);
    }
    sn_mesh_free(&mesh);
    sn_io_materials_free(&m);
    static const char wrong[] = "# images\n  map_Kd orange dot.png\nnewmtl a\n";
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    write_bytes("images.mtl", wrong, sizeof wrong - 1);
    write_bytes("images.obj", text, sizeof text - 1);
    CHECK_FAILS(sn_io_mesh_read_materials("images.obj", NULL, &mesh, &uvs, &colours, &m),
                SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "images.mtl:2:9: an image comes before the first material"));
    remove("images.obj");
    remove("images.mtl");
    remove("orange dot.png");
}

#define SHEET                                                                                      \
    "def Mesh \"sheet\"\n{\nint[] faceVertexCounts = [3, 4]\nint[] faceVertexIndices = [0, 1, 2, " \
    "0, 2, 1, 3]\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (-1, -1, 0)]\n"
#define SURFACE "uniform token info:id = \"UsdPreviewSurface\"\n"

/* What other programs write: one material for all below a prim, connected shaders of any names, an
   image that is repeated, and materials that are not there. */
TEST(usda_has_materials) {
    static const char text[] =
        "#usda 1.0\ndef Xform \"prop\" ( prepend apiSchemas = [\"MaterialBindingAPI\"] )\n{\n"
        "rel material:binding = </prop/_materials/Silk>\n" SHEET
        "def GeomSubset \"faces\" { uniform token familyName = \"materialBind\"\n"
        "int[] indices = [1]\nrel material:binding = </prop/_materials/Print> ( bindMaterialAs = "
        "\"weakerThanDescendants\" )\n}\n"
        "def GeomSubset \"none\" { uniform token familyName = \"materialBind\"\nint[] indices = "
        "[]\n"
        "rel material:binding = </prop/_materials/Gone> }\n}\n"
        "def Scope \"_materials\"\n{\ndef Material \"Silk\"\n{\n"
        "token outputs:surface.connect = </prop/_materials/Silk/Principled.outputs:surface>\n"
        "def Shader \"Principled\" {\n" SURFACE "color3f inputs:diffuseColor = (0.25, 2, 0)\n"
        "float inputs:roughness = 0.125\nfloat inputs:opacity = 0.5\ntoken outputs:surface\n}\n}\n"
        "def Material \"Print\"\n{\ntoken outputs:surface.connect = "
        "</prop/_materials/Print/S.outputs:surface>\ndef Shader \"S\" {\n" SURFACE
        "color3f inputs:diffuseColor.connect = </prop/_materials/Print/I.outputs:rgb>\n}\n"
        "def Shader \"I\" {\nuniform token info:id = \"UsdUVTexture\"\nasset inputs:file = "
        "@./dot.png@\nstring inputs:scale = \"no number\"\nfloat2 inputs:st.connect = "
        "</prop/_materials/Print/T.outputs:result>\n}\ndef Shader \"T\" {\nuniform token info:id = "
        "\"UsdTransform2d\"\nfloat2 inputs:scale = (2, 2)\n}\n}\n}\n}\n";
    sn_mesh mesh;
    sn_io_materials m;
    write_bytes("dot.png", png, sizeof png);
    write_bytes("looks.usda", text, sizeof text - 1);
    read_looks("looks.usda", &mesh, &m);
    if (CHECK(m.count == 2) && CHECK(m.triangle_count == 3)) {
        CHECK(strcmp(m.looks[0].material, "Silk") == 0 &&
              strcmp(m.looks[1].material, "Print") == 0);
        CHECK(m.triangles[0] == 0 && m.triangles[1] == 1 && m.triangles[2] == 1);
        CHECK_NEAR(m.looks[0].colour.x, 0.5370987, 1e-5);
        CHECK(m.looks[0].colour.y == 1 && m.looks[0].colour.z == 0);
        CHECK(m.looks[0].roughness == 0.125 && m.looks[0].opacity == 0.5);
        CHECK(m.looks[1].texture_byte_count == sizeof png && m.looks[1].texture_size == 0.5);
        CHECK(m.looks[1].colour.x == 1);
    }
    sn_mesh_free(&mesh);
    sn_io_materials_free(&m);
    remove("dot.png");
    static const char wrong[] = "#usda 1.0\n" SHEET "rel material:binding = </sheet/M>\n"
                                "def Material \"M\" {\n"
                                "token outputs:surface.connect = </sheet/M/S.outputs:surface>\n"
                                "def Shader \"S\" {\n" SURFACE "  float inputs:opacity = 2\n} } }";
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    mesh = sn_mesh_default();
    write_bytes("looks.usda", wrong, sizeof wrong - 1);
    CHECK_FAILS(sn_io_mesh_read_materials("looks.usda", NULL, &mesh, &uvs, &colours, &m),
                SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(),
                 "looks.usda:12:9: \"inputs:opacity\" is 2, expected a number from 0 to 1"));
    /* Who asks for no materials does not look at them. */
    REQUIRE_OK(sn_io_mesh_read("looks.usda", NULL, &mesh));
    sn_mesh_free(&mesh);
    remove("looks.usda");
}

/* A body, a collider and one that is animated; one that says a colour itself. */
TEST(bodies_and_colliders_have_them) {
    static const char text[] =
        "{\"version\": 1, \"meshes\": {\"flag\": " FLAG "}, \"bodies\": [{\"name\": \"flag\", "
        "\"mesh\": \"flag\", \"material\": \"cotton\"}, {\"name\": \"dyed\", \"mesh\": \"flag\", "
        "\"material\": \"cotton\", \"position\": [0, 2, 0], \"colour\": [0, 0, 1]}], "
        "\"colliders\": [{\"name\": \"wall\", \"shape\": \"mesh\", \"two_sided\": true, \"mesh\": "
        "\"flag\", \"position\": [0, -3, 0]}, {\"name\": \"actor\", \"shape\": \"mesh\", "
        "\"two_sided\": true, \"animation\": {\"path\": \"flag.glb\"}, \"position\": [0, -6, 0]}]}";
    sn_io_frame frame;
    write_flag("flag.glb");
    sn_scene *scene = scene_make(text);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    if (CHECK(frame.shape_count == 4)) {
        check_shape(&frame.shapes[0]);
        check_shape(&frame.shapes[2]);
        check_shape(&frame.shapes[3]);
        const sn_io_shape *dyed = &frame.shapes[1];
        check_case("dyed");
        check_triangles(dyed->triangle_materials, dyed->triangle_count);
        for (size_t i = 0; CHECK(dyed->material_count == MATERIALS) && i < MATERIALS; i++)
            CHECK(dyed->materials[i].colour.z == 1 && dyed->materials[i].colour.x == 0 &&
                  !dyed->materials[i].texture_bytes && dyed->materials[i].material);
    }
    sn_scene_close(scene);
    remove("flag.glb");
}

static void write_all(const char *folder) {
    static const char *const formats[] = {"glb", "usda", "obj", "cache", "ply", "vtu"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        scene_write_frames(scene_make(body_text), formats[i], folder, "flag");
}

static char *text_of(const char *path) {
    static char text[65536];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    return text;
}

TEST(exports_have_them) {
    write_flag("flag.glb");
    folder_clear(scratch);
    write_all(scratch);
    check_file("materials_scratch/flag.glb", true);
    check_file("materials_scratch/flag_0001.obj", false);
    check_file("materials_scratch/flag.usda", true);
    sn_io_animation *moving;
    check_case("moving usda");
    REQUIRE_OK(sn_io_animation_open("materials_scratch/flag.usda", NULL, &moving));
    const sn_io_materials *of_moving = sn_io_animation_materials(moving);
    check_looks(of_moving->looks, of_moving->count, true, true);
    check_triangles(of_moving->triangles, of_moving->triangle_count);
    sn_io_animation_close(moving);
    check_case("usda");
    const char *usda = text_of("materials_scratch/flag.usda");
    static const char *const expected[] = {"def GeomSubset \"red\"",
                                           "int[] indices = [0, 1, 2]\n",
                                           "int[] indices = [3, 4]\n",
                                           "int[] indices = [5, 6, 7]\n",
                                           "uniform token familyName = \"materialBind\"",
                                           "rel material:binding = </flag/Materials/clear>",
                                           "asset inputs:file = @./flag_printed.png@"};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        if (!CHECK(strstr(usda, expected[i]) != NULL)) printf("    no %s\n", expected[i]);
    CHECK(folder_has(scratch, "flag_printed.png"));
    check_case("cache");
    sn_io_cache *cache;
    sn_io_frame frame;
    REQUIRE_OK(sn_io_cache_open("materials_scratch/flag.snc", &cache));
    REQUIRE_OK(sn_io_cache_frame(cache, 1, &frame));
    check_shape(&frame.shapes[0]);
    /* What cannot hold them has the colours of the first at each vertex. */
    CHECK(frame.shapes[0].colours != NULL);
    sn_io_cache_close(cache);
    folder_clear(scratch);
    remove("flag.glb");
}

/* From mesh to mesh, as "sinew convert" does it. */
static void copy_mesh(const char *from, const char *to) {
    sn_mesh mesh = sn_mesh_default();
    sn_io_write_def def = sn_io_write_def_default();
    sn_real(*uvs)[2];
    sn_vec3 *colours;
    sn_io_materials m;
    REQUIRE_OK(sn_io_mesh_read_materials(from, NULL, &mesh, &uvs, &colours, &m));
    def.uvs = (const sn_real(*)[2])uvs;
    def.colours = colours;
    def.materials = &m;
    REQUIRE_OK(sn_io_mesh_write(to, &def, &mesh));
    free(uvs);
    free(colours);
    sn_mesh_free(&mesh);
    sn_io_materials_free(&m);
}

TEST(meshes_are_written_with_them) {
    folder_clear(scratch);
    write_flag("flag.glb");
    copy_mesh("flag.glb", "materials_scratch/a.usda");
    copy_mesh("materials_scratch/a.usda", "materials_scratch/b.obj");
    copy_mesh("materials_scratch/b.obj", "materials_scratch/c.d.glb");
    check_file("materials_scratch/a.usda", true);
    check_file("materials_scratch/b.obj", false);
    check_file("materials_scratch/c.d.glb", false);
    file_list files;
    folder_list(scratch, &files);
    CHECK(files.count == 6 && folder_has(scratch, "a_printed.png") && folder_has(scratch, "b.mtl"));
    CHECK(folder_has(scratch, "b_printed.png"));
    /* One file, of one moment and by the name that the mesh had. */
    CHECK(strncmp(text_of("materials_scratch/b.obj"), "mtllib b.mtl\no flag\nv 0 0 0\n", 27) == 0);
    CHECK(!strstr(text_of("materials_scratch/a.usda"), "timeSamples"));
    sn_mesh mesh = sn_mesh_default();
    REQUIRE_OK(sn_io_mesh_read("materials_scratch/c.d.glb", NULL, &mesh));
    CHECK(mesh.vertex_count == 9 && mesh.group_count == 1);
    CHECK(mesh.group_count > 0 && strcmp(mesh.groups[0].name, "flag") == 0);
    CHECK(sn_io_mesh_keeps_materials("a.obj", NULL) && sn_io_mesh_keeps_materials("a", "usda"));
    CHECK(!sn_io_mesh_keeps_materials("a.ply", NULL) && !sn_io_mesh_keeps_materials(NULL, "glb"));
    /* Any name will do for a file whose format is said. */
    sn_io_write_def def = sn_io_write_def_default();
    def.format = "usda";
    REQUIRE_OK(sn_io_mesh_write("materials_scratch/plain", &def, &mesh));
    CHECK(strstr(text_of("materials_scratch/plain"), "def Mesh \"flag\""));
    sn_io_materials wrong = {.count = 1, .triangle_count = 7};
    def.materials = &wrong;
    CHECK_FAILS(sn_io_mesh_write("materials_scratch/d.usda", &def, &mesh), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "materials are for 7 triangles, and the mesh has 8"));
    def.materials = NULL;
    CHECK_FAILS(sn_io_mesh_write("no_such_folder/d.usda", &def, &mesh), SN_ERROR_FILE);
    CHECK_OK(sn_mesh_add_tets(&mesh, (const uint32_t[][4]){{0, 1, 2, 3}}, 1));
    CHECK_FAILS(sn_io_mesh_write("materials_scratch/d.usda", &def, &mesh), SN_ERROR_VALUE);
    CHECK(strstr(sn_last_error(), "the mesh has 1 tet, and usda has none"));
    sn_mesh_free(&mesh);
    folder_clear(scratch);
    remove("flag.glb");
}

/* A triangle that becomes four gives them its material. */
TEST(smooth_shapes_have_them) {
    sn_io_frame frame, smooth;
    sn_io_smoother *smoother;
    write_flag("flag.glb");
    sn_scene *scene = scene_make(body_text);
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    REQUIRE_OK(sn_io_smoother_create(&smoother));
    REQUIRE_OK(sn_io_smoother_frame(smoother, &frame, 2, NULL, &smooth));
    if (CHECK(smooth.shapes[0].triangle_count == 16 * TRIANGLES))
        for (size_t i = 0; i < 16 * TRIANGLES; i++)
            CHECK(smooth.shapes[0].triangle_materials[i] == of_file[i / 16]);
    sn_io_smoother_destroy(smoother);
    sn_scene_close(scene);
    remove("flag.glb");
}

TEST(wrong_ones_are_refused) {
    const sn_vec3 x[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const uint32_t triangle[1][3] = {{0, 1, 2}}, second = 1;
    const sn_io_look look = sn_io_look_default();
    sn_io_shape shape = {.name = "sail",
                         .vertex_count = 3,
                         .positions = x,
                         .triangle_count = 1,
                         .triangles = triangle,
                         .material_count = 1,
                         .materials = &look,
                         .triangle_materials = &second};
    sn_io_frame frame = {.shape_count = 1, .shapes = &shape};
    sn_io_export_def def = sn_io_export_def_default();
    sn_io_export *e;
    folder_clear(scratch);
    def.format = "obj";
    def.folder = scratch;
    def.name = "flag";
    REQUIRE_OK(sn_io_export_open(&def, &e));
    CHECK_FAILS(sn_io_export_frame(e, &frame), SN_ERROR_VALUE);
    CHECK(
        strstr(sn_last_error(), "shape \"sail\": triangle 0 has material 1, but the shape has 1"));
    shape.triangle_materials = NULL;
    CHECK_FAILS(sn_io_export_frame(e, &frame), SN_ERROR_NULL);
    (void)sn_io_export_close(e);
    sn_io_export_free(e);
    folder_clear(scratch);
}

static const check_test tests[] = {
    RUN(libraries_have_images),
    RUN(usda_has_materials),
    RUN(files_have_several),
    RUN(faces_without_one_are_plain),
    RUN(bodies_and_colliders_have_them),
    RUN(exports_have_them),
    RUN(meshes_are_written_with_them),
    RUN(smooth_shapes_have_them),
    RUN(wrong_ones_are_refused),
};

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        write_flag("flag.glb");
        folder_clear(argv[2]);
        write_all(argv[2]);
        static const char *const endings[] = {"obj", "glb", "usda"};
        for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
            char path[1024];
            snprintf(path, sizeof path, "%s/mesh.%s", argv[2], endings[i]);
            copy_mesh("flag.glb", path);
        }
        return 0;
    }
    return check_main(argc, argv, tests, sizeof tests / sizeof *tests);
}
