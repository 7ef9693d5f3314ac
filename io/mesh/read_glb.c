/*
 * glTF 2.0: JSON that describes scenes, nodes, meshes and where their numbers are. In GLB, its
 * binary form, a chunk with the numbers follows.
 *
 * All meshes of the default scene are taken, at the places that their nodes give them. A node with
 * a mesh becomes a group of its name. Skins and morph targets are not applied, and the node of a
 * mesh with a skin does not move it, as the format demands.
 */
#include "io/mesh/read_glb.h"

#include <math.h>
#include <string.h>

/* ---- The container ---- */

enum { HEAD = 12, CHUNK_HEAD = 8 };

/* The next chunk; `at` is then behind it. */
static sn_result next_chunk(const sn_source *source, size_t *at, uint32_t *type, const char **bytes,
                            size_t *size) {
    if (source->size - *at < CHUNK_HEAD)
        return sn_source_fail(source, *at, "the file ends within the head of a chunk");
    uint32_t length = sn_scalar_u32(source->data + *at, false);
    *type = sn_scalar_u32(source->data + *at + 4, false);
    if (length > source->size - *at - CHUNK_HEAD)
        return sn_source_fail(source, *at, "the chunk has %u bytes, but only %zu follow", length,
                              source->size - *at - CHUNK_HEAD);
    *bytes = source->data + *at + CHUNK_HEAD;
    *size = length;
    *at += CHUNK_HEAD + (size_t)length;
    return SN_OK;
}

/* What a file begins with that is GLB and not JSON alone. */
static const char magic[4] = "glTF";

/* The JSON and, where there is one, the binary chunk. */
static sn_result read_chunks(const sn_source *source, glb_buffer *json, glb_buffer *binary) {
    static const uint32_t json_type = 0x4e4f534a, binary_type = 0x004e4942;
    uint32_t type = 0;
    if (source->size < HEAD || memcmp(source->data, magic, sizeof magic) != 0)
        return sn_source_fail(source, 0, "the file does not begin with \"glTF\"");
    uint32_t version = sn_scalar_u32(source->data + 4, false);
    uint32_t length = sn_scalar_u32(source->data + 8, false);
    if (version != 2)
        return sn_source_fail(source, 4, "found version %u of the format, expected 2", version);
    if (length != source->size)
        return sn_source_fail(source, 8, "%u bytes are promised, but the file has %zu", length,
                              source->size);
    size_t at = HEAD;
    SN_TRY(next_chunk(source, &at, &type, &json->bytes, &json->size));
    if (type != json_type) return sn_source_fail(source, HEAD, "the first chunk is not JSON");
    /* Chunks of other types are for others. */
    while (at < source->size && !binary->bytes) {
        const char *bytes = NULL;
        size_t size = 0;
        SN_TRY(next_chunk(source, &at, &type, &bytes, &size));
        if (type == binary_type) binary->bytes = bytes, binary->size = size;
    }
    while (json->size > 0 && json->bytes[json->size - 1] == 0) json->size--;
    return SN_OK;
}

/* ---- The document ---- */

/* Extensions that say nothing about where vertices are, or that are read. */
static bool is_harmless(const char *name) {
    static const char *const known[] = {
        "KHR_materials_",        "KHR_texture_",  "EXT_texture_",   "KHR_lights_",
        "KHR_mesh_quantization", "MSFT_texture_", "KHR_animation_", "KHR_xmp"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strncmp(name, known[i], strlen(known[i])) == 0) return true;
    return false;
}

static sn_result check_document(const glb_file *glb, const json_node *root) {
    if (root->kind != JSON_OBJECT)
        return sn_glb_fail(glb, root, "the JSON is %s, expected an object",
                           sn_json_kind_name(root->kind));
    const json_node *version = sn_json_member(sn_json_member(root, "asset"), "version");
    if (!version || version->kind != JSON_STRING || strncmp(version->text, "2.", 2) != 0)
        return sn_glb_fail(glb, root, "asset.version is missing or not 2.0");
    const json_node *required = sn_json_member(root, "extensionsRequired");
    for (size_t i = 0; required && required->kind == JSON_ARRAY && i < required->count; i++) {
        const json_node *name = &required->items[i];
        if (name->kind == JSON_STRING && !is_harmless(name->text))
            return sn_glb_fail(glb, name,
                               "the file needs the extension \"%.64s\", which cannot be read",
                               name->text);
    }
    return SN_OK;
}

sn_result sn_glb_list(const glb_file *glb, const json_node *node, const char *key,
                      const json_node **list) {
    *list = sn_json_member(node, key);
    if (!*list || (*list)->kind == JSON_ARRAY) return SN_OK;
    return sn_glb_fail(glb, *list, "found %s, expected an array", sn_json_kind_name((*list)->kind));
}

/* ---- Matrices, column by column ---- */

void sn_glb_multiply(const double a[16], const double b[16], double out[16]) {
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++) {
            double sum = 0;
            for (int k = 0; k < 4; k++) sum += a[4 * k + row] * b[4 * column + k];
            out[4 * column + row] = sum;
        }
}

sn_result sn_glb_numbers(const glb_file *glb, const json_node *node, const char *key, size_t count,
                         double *values) {
    const json_node *list = sn_json_member(node, key);
    if (!list) return SN_OK;
    if (list->kind != JSON_ARRAY || list->count != count)
        return sn_glb_fail(glb, list, "expected an array of %zu numbers", count);
    for (size_t i = 0; i < count; i++) {
        if (list->items[i].kind != JSON_NUMBER)
            return sn_glb_fail(glb, &list->items[i], "found %s, expected a number",
                               sn_json_kind_name(list->items[i].kind));
        values[i] = list->items[i].number;
    }
    return SN_OK;
}

sn_result sn_glb_place(const glb_file *glb, const json_node *node, glb_place *place) {
    *place = (glb_place){.q = {0, 0, 0, 1}, .s = {1, 1, 1}};
    SN_TRY(sn_glb_numbers(glb, node, "translation", 3, place->t));
    SN_TRY(sn_glb_numbers(glb, node, "rotation", 4, place->q));
    return sn_glb_numbers(glb, node, "scale", 3, place->s);
}

void sn_glb_place_matrix(const glb_place *place, double m[16]) {
    const double *q = place->q;
    double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    double two = norm > 0 ? 2 / norm : 0;
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rotation[9] = {
        1 - two * (y * y + z * z), two * (x * y + z * w),     two * (x * z - y * w),
        two * (x * y - z * w),     1 - two * (x * x + z * z), two * (y * z + x * w),
        two * (x * z + y * w),     two * (y * z - x * w),     1 - two * (x * x + y * y)};
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            m[4 * column + row] = rotation[3 * column + row] * place->s[column];
        m[4 * column + 3] = 0;
        m[12 + column] = place->t[column];
    }
    m[15] = 1;
}

/* The matrix of a node: written out, or a translation, rotation and scaling. */
static sn_result read_matrix(const glb_file *glb, const json_node *node, double m[16]) {
    glb_place place;
    if (sn_json_member(node, "matrix")) return sn_glb_numbers(glb, node, "matrix", 16, m);
    SN_TRY(sn_glb_place(glb, node, &place));
    sn_glb_place_matrix(&place, m);
    return SN_OK;
}

/* ---- The scene ---- */

/* A node that is still to be visited, with the matrix of its parent. */
typedef struct glb_visit {
    const json_node *node;
    double matrix[16];
} glb_visit;

typedef struct glb_walk {
    sn_io_build_list visits; /* glb_visit, the next one last */
    uint8_t *seen;           /* per node */
    uint32_t *starts;        /* per accessor */
} glb_walk;

/* Puts nodes on the list, so that the first of them is the next. */
static sn_result push_nodes(glb_file *glb, glb_walk *walk, const json_node *list,
                            const double matrix[16]) {
    if (!list) return SN_OK;
    if (list->kind != JSON_ARRAY) return sn_glb_fail(glb, list, "expected an array of nodes");
    size_t count = glb->nodes ? glb->nodes->count : 0;
    SN_TRY(sn_io_build_list_reserve(glb->build, &walk->visits, list->count, sizeof(glb_visit)));
    for (size_t i = list->count; i-- > 0;) {
        const json_node *item = &list->items[i];
        double number = item->kind == JSON_NUMBER ? item->number : -1;
        if (!(number >= 0 && number < (double)count && number == floor(number)))
            return sn_glb_fail(glb, item, "it is no node; there are %zu", count);
        size_t index = (size_t)number;
        /* Else a loop would have no end. */
        if (walk->seen[index])
            return sn_glb_fail(glb, item, "node %zu is in the scene twice", index);
        walk->seen[index] = 1;
        glb_visit *visit = &((glb_visit *)walk->visits.items)[walk->visits.count++];
        visit->node = &glb->nodes->items[index];
        memcpy(visit->matrix, matrix, sizeof visit->matrix);
    }
    return SN_OK;
}

static const double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static sn_result visit_node(glb_file *glb, glb_walk *walk, const glb_visit *visit) {
    const json_node *node = visit->node, *mesh;
    double own[16], matrix[16];
    SN_TRY(read_matrix(glb, node, own));
    sn_glb_multiply(visit->matrix, own, matrix);
    glb->node = node;
    SN_TRY(sn_glb_item(glb, node, "mesh", glb->meshes, &mesh));
    if (mesh) {
        const json_node *name = sn_json_member(node, "name");
        if (!name) name = sn_json_member(mesh, "name");
        const double *place = sn_json_member(node, "skin") ? identity : matrix;
        SN_TRY(sn_glb_mesh(glb, mesh, place, name, walk->starts));
    }
    return push_nodes(glb, walk, sn_json_member(node, "children"), matrix);
}

static sn_result walk_scene(glb_file *glb, const json_node *scene, glb_walk *walk) {
    SN_TRY(push_nodes(glb, walk, sn_json_member(scene, "nodes"), identity));
    while (walk->visits.count > 0) {
        glb_visit visit = ((glb_visit *)walk->visits.items)[--walk->visits.count];
        SN_TRY(visit_node(glb, walk, &visit));
    }
    return SN_OK;
}

static sn_result find_lists(glb_file *glb, const json_node *root) {
    SN_TRY(sn_glb_list(glb, root, "nodes", &glb->nodes));
    SN_TRY(sn_glb_list(glb, root, "meshes", &glb->meshes));
    SN_TRY(sn_glb_list(glb, root, "accessors", &glb->accessors));
    SN_TRY(sn_glb_list(glb, root, "bufferViews", &glb->views));
    SN_TRY(sn_glb_list(glb, root, "buffers", &glb->buffers));
    SN_TRY(sn_glb_list(glb, root, "skins", &glb->skins));
    if (glb->build->wants_colours) SN_TRY(sn_glb_list(glb, root, "materials", &glb->materials));
    return sn_glb_list(glb, root, "animations", &glb->animations);
}

sn_result sn_glb_scene(glb_file *glb) {
    const json_node *root = glb->document.root, *scenes, *scene;
    SN_TRY(sn_glb_list(glb, root, "scenes", &scenes));
    SN_TRY(sn_glb_item(glb, root, "scene", scenes, &scene));
    if (!scene && scenes && scenes->count > 0) scene = &scenes->items[0];
    if (!scene) return sn_glb_fail(glb, root, "the file has no scene");
    const sn_allocator *allocator = &glb->build->allocator;
    size_t nodes = glb->nodes ? glb->nodes->count : 0;
    size_t accessors = glb->accessors ? glb->accessors->count : 0;
    glb_walk walk = {.seen = sn_io_allocate(allocator, nodes, 1)};
    walk.starts = sn_io_allocate(allocator, accessors, sizeof *walk.starts);
    sn_result result = walk.seen && walk.starts ? walk_scene(glb, scene, &walk) : SN_ERROR_MEMORY;
    sn_io_build_list_free(glb->build, &walk.visits);
    sn_io_free(allocator, walk.seen, nodes, 1);
    sn_io_free(allocator, walk.starts, accessors, sizeof *walk.starts);
    return result;
}

/* Of the two forms that without chunks, whatever the file is called. */
static bool is_json(const sn_source *source) {
    size_t at = 0;
    while (at < source->size && strchr(" \t\r\n", source->data[at]) && source->data[at]) at++;
    return at < source->size && source->data[at] == '{';
}

sn_result sn_glb_begin(glb_file *glb, const sn_source *source, sn_io_build *build) {
    glb_buffer json = {.bytes = source->data, .size = source->size}, binary = {0};
    *glb = (glb_file){.source = source, .build = build};
    glb->budget = 1000000 + 16 * (uint64_t)source->size;
    if (!is_json(source)) SN_TRY(read_chunks(source, &json, &binary));
    SN_TRY(sn_json_parse(source->name, json.bytes, json.size, &glb->document));
    SN_TRY(check_document(glb, glb->document.root));
    SN_TRY(find_lists(glb, glb->document.root));
    return sn_glb_read_buffers(glb, binary.bytes, binary.size);
}

void sn_glb_end(glb_file *glb) {
    sn_glb_free_buffers(glb);
    sn_json_free(&glb->document);
}

sn_result sn_read_glb(const sn_source *source, sn_io_build *build) {
    glb_file glb;
    sn_result result = sn_glb_begin(&glb, source, build);
    if (result == SN_OK) result = sn_glb_scene(&glb);
    sn_glb_end(&glb);
    return result;
}
