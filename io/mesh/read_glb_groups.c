/* Groups of vertices of a GLB file: attributes of its own that are weights, and the joints of a
   skin that move a vertex more than all others together. */
#include "io/mesh/read_glb.h"

#include <string.h>

/* All numbers of an attribute of so many vertices, to be freed; null where it is another. */
static sn_result read_numbers(glb_file *glb, const json_node *attributes, const char *key,
                              const char *type, size_t count, size_t width, double **values) {
    const json_node *node;
    glb_accessor accessor;
    *values = NULL;
    SN_TRY(sn_glb_item(glb, attributes, key, glb->accessors, &node));
    const json_node *own = node ? sn_json_member(node, "type") : NULL;
    if (!own || own->kind != JSON_STRING || strcmp(own->text, type) != 0) return SN_OK;
    SN_TRY(sn_glb_accessor(glb, node, type, &accessor));
    if (accessor.count != count || accessor.components != width) return SN_OK;
    SN_TRY(sn_glb_spend(glb, node, count));
    *values = sn_io_allocate(&glb->build->allocator, count, width * sizeof **values);
    if (!*values) return SN_ERROR_MEMORY;
    return sn_glb_reals(glb, &accessor, *values);
}

static void free_numbers(const glb_file *glb, double *values, size_t count, size_t width) {
    if (values) sn_io_free(&glb->build->allocator, values, count, width * sizeof *values);
}

/* Names of attributes that glTF does not know begin with an underscore. */
static sn_result add_attributes(glb_file *glb, const json_node *attributes, uint32_t first,
                                size_t count) {
    for (size_t i = 0; i < attributes->count; i++) {
        const char *key = attributes->items[i].key;
        double *values;
        if (key[0] != '_' || !key[1]) continue;
        sn_result result = read_numbers(glb, attributes, key, "SCALAR", count, 1, &values);
        if (result == SN_OK && values)
            result =
                sn_io_build_weights(glb->build, key + 1, strlen(key + 1), first, values, count);
        free_numbers(glb, values, count, 1);
        SN_TRY(result);
    }
    return SN_OK;
}

/* The vertex belongs to the joint of this number, where that has a name. */
static sn_result add_to_joint(glb_file *glb, const json_node *joints, double number,
                              uint32_t vertex) {
    uint32_t group;
    if (!(number >= 0 && number < (double)joints->count)) return SN_OK;
    const json_node *joint = &joints->items[(size_t)number];
    if (joint->kind != JSON_NUMBER || !glb->nodes || !(joint->number >= 0) ||
        !(joint->number < (double)glb->nodes->count))
        return SN_OK;
    const json_node *name = sn_json_member(&glb->nodes->items[(size_t)joint->number], "name");
    if (!name || name->kind != JSON_STRING || name->count == 0) return SN_OK;
    SN_TRY(sn_io_build_group(glb->build, name->text, name->count, &group));
    return sn_io_build_members(glb->build, group, &vertex, 1);
}

static sn_result add_joints(glb_file *glb, const json_node *attributes, const json_node *joints,
                            uint32_t first, size_t count) {
    enum { WIDTH = 4 };
    double *numbers = NULL, *weights = NULL;
    sn_result result = read_numbers(glb, attributes, "JOINTS_0", "VEC4", count, WIDTH, &numbers);
    if (result == SN_OK)
        result = read_numbers(glb, attributes, "WEIGHTS_0", "VEC4", count, WIDTH, &weights);
    for (size_t i = 0; result == SN_OK && numbers && weights && i < WIDTH * count; i++)
        if (weights[i] > 0.5)
            result = add_to_joint(glb, joints, numbers[i], first + (uint32_t)(i / WIDTH));
    free_numbers(glb, numbers, count, WIDTH);
    free_numbers(glb, weights, count, WIDTH);
    return result;
}

sn_result sn_glb_groups(glb_file *glb, const json_node *primitive, uint32_t first, size_t count) {
    const json_node *attributes = sn_json_member(primitive, "attributes"), *skin = NULL;
    if (!attributes || attributes->kind != JSON_OBJECT || count == 0) return SN_OK;
    SN_TRY(add_attributes(glb, attributes, first, count));
    if (glb->node && glb->skins) SN_TRY(sn_glb_item(glb, glb->node, "skin", glb->skins, &skin));
    const json_node *joints = skin ? sn_json_member(skin, "joints") : NULL;
    if (!joints || joints->kind != JSON_ARRAY) return SN_OK;
    return add_joints(glb, attributes, joints, first, count);
}
