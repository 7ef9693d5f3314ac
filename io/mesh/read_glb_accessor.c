/* Where the numbers of a GLB file are: accessors over views of the buffers. */
#include "io/mesh/read_glb.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sn_result sn_glb_fail(const glb_file *glb, const json_node *node, const char *format, ...) {
    char sentence[200], path[100];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!node->parent) return sn_fail(SN_ERROR_DATA, "%s: %s", glb->source->name, sentence);
    return sn_fail(SN_ERROR_DATA, "%s:%u:%u: %s: %s", glb->source->name, node->line, node->column,
                   sn_json_path(node, path, sizeof path), sentence);
}

sn_result sn_glb_integer(const glb_file *glb, const json_node *node, const char *key, uint64_t most,
                         uint64_t *value) {
    const json_node *member = sn_json_member(node, key);
    if (!member) return SN_OK;
    if (member->kind != JSON_NUMBER)
        return sn_glb_fail(glb, member, "found %s, expected a whole number",
                           sn_json_kind_name(member->kind));
    double number = member->number;
    if (!(number >= 0 && number <= (double)most && number == floor(number)))
        return sn_glb_fail(glb, member, "found %g, expected a whole number from 0 to %llu", number,
                           (unsigned long long)most);
    *value = (uint64_t)number;
    return SN_OK;
}

sn_result sn_glb_item(const glb_file *glb, const json_node *node, const char *key,
                      const json_node *list, const json_node **item) {
    uint64_t index = UINT64_MAX;
    *item = NULL;
    if (!sn_json_member(node, key)) return SN_OK;
    SN_TRY(sn_glb_integer(glb, node, key, UINT32_MAX, &index));
    size_t count = list ? list->count : 0;
    if (index >= count)
        return sn_glb_fail(glb, sn_json_member(node, key), "found %llu, but there are only %zu",
                           (unsigned long long)index, count);
    *item = &list->items[index];
    return SN_OK;
}

/* ---- Finding ---- */

/* `count` elements of `size` bytes in a view, with a stride; where they begin. */
static sn_result find_bytes(const glb_file *glb, const json_node *place, uint64_t offset,
                            uint64_t count, size_t size, bool is_strided, const char **bytes,
                            size_t *stride) {
    const json_node *view, *buffer;
    uint64_t view_offset = 0, view_length = 0, view_stride = 0;
    SN_TRY(sn_glb_item(glb, place, "bufferView", glb->views, &view));
    if (!view) return sn_glb_fail(glb, place, "it has no bufferView");
    SN_TRY(sn_glb_item(glb, view, "buffer", glb->buffers, &buffer));
    if (!buffer) return sn_glb_fail(glb, view, "it has no buffer");
    const glb_buffer *whole = &glb->buffer[buffer->index];
    if (!whole->bytes)
        return sn_glb_fail(glb, buffer,
                           "nobody says where the buffer is, expected a binary chunk or a uri");
    SN_TRY(sn_glb_integer(glb, view, "byteOffset", UINT32_MAX, &view_offset));
    SN_TRY(sn_glb_integer(glb, view, "byteLength", UINT32_MAX, &view_length));
    SN_TRY(sn_glb_integer(glb, view, "byteStride", 252, &view_stride));
    if (view_length > whole->size || view_offset > whole->size - view_length)
        return sn_glb_fail(glb, view, "it ends at byte %llu, but the buffer has %zu",
                           (unsigned long long)(view_offset + view_length), whole->size);
    if (!is_strided || view_stride == 0) view_stride = size;
    if (view_stride < size)
        return sn_glb_fail(glb, view, "its byteStride is %llu, expected at least %zu",
                           (unsigned long long)view_stride, size);
    bool fits = count == 0 || (offset <= view_length && view_length - offset >= size &&
                               count - 1 <= (view_length - offset - size) / view_stride);
    if (!fits)
        return sn_glb_fail(glb, place,
                           "%llu elements of %zu bytes are promised, but the view has %llu bytes",
                           (unsigned long long)count, size, (unsigned long long)view_length);
    *bytes = count > 0 ? whole->bytes + view_offset + offset : whole->bytes;
    *stride = (size_t)view_stride;
    return SN_OK;
}

sn_result sn_glb_view_bytes(const glb_file *glb, const json_node *place, const char **bytes,
                            size_t *size) {
    const json_node *view;
    uint64_t length = 0;
    size_t stride;
    SN_TRY(sn_glb_item(glb, place, "bufferView", glb->views, &view));
    if (!view) return sn_glb_fail(glb, place, "it has no bufferView");
    SN_TRY(sn_glb_integer(glb, view, "byteLength", UINT32_MAX, &length));
    *size = (size_t)length;
    return find_bytes(glb, place, 0, length, 1, false, bytes, &stride);
}

static sn_result find_type(const glb_file *glb, const json_node *node, sn_scalar *type) {
    static const struct {
        uint64_t number;
        sn_scalar type;
    } types[] = {{5120, SCALAR_I8},  {5121, SCALAR_U8},  {5122, SCALAR_I16},
                 {5123, SCALAR_U16}, {5125, SCALAR_U32}, {5126, SCALAR_F32}};
    uint64_t number = 0;
    SN_TRY(sn_glb_integer(glb, node, "componentType", UINT32_MAX, &number));
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        *type = types[i].type;
        if (types[i].number == number) return SN_OK;
    }
    return sn_glb_fail(glb, node, "its componentType is %llu, expected 5120 to 5126",
                       (unsigned long long)number);
}

static sn_result find_sparse(const glb_file *glb, const json_node *sparse, glb_accessor *accessor) {
    const json_node *indices = sn_json_member(sparse, "indices");
    const json_node *values = sn_json_member(sparse, "values");
    uint64_t count = 0, offset = 0;
    size_t stride;
    if (!indices || !values)
        return sn_glb_fail(glb, sparse, "it has no %s", indices ? "values" : "indices");
    SN_TRY(sn_glb_integer(glb, sparse, "count", accessor->count, &count));
    SN_TRY(find_type(glb, indices, &accessor->index_type));
    if (sn_scalar_is_real(accessor->index_type))
        return sn_glb_fail(glb, indices, "its componentType is float, expected whole numbers");
    SN_TRY(sn_glb_integer(glb, indices, "byteOffset", UINT32_MAX, &offset));
    SN_TRY(find_bytes(glb, indices, offset, count, sn_scalar_size(accessor->index_type), false,
                      &accessor->indices, &stride));
    offset = 0;
    SN_TRY(sn_glb_integer(glb, values, "byteOffset", UINT32_MAX, &offset));
    SN_TRY(find_bytes(glb, values, offset, count,
                      accessor->components * sn_scalar_size(accessor->type), false,
                      &accessor->values, &stride));
    accessor->changed = (size_t)count;
    return SN_OK;
}

static size_t components_of(const char *type) {
    if (strcmp(type, "MAT4") == 0) return 16;
    return strncmp(type, "VEC", 3) == 0 ? (size_t)(type[3] - '0') : 1;
}

sn_result sn_glb_accessor(const glb_file *glb, const json_node *node, const char *type,
                          glb_accessor *accessor) {
    const json_node *named = sn_json_member(node, "type"), *sparse = sn_json_member(node, "sparse");
    const json_node *normalized = sn_json_member(node, "normalized");
    uint64_t count = 0, offset = 0;
    *accessor = (glb_accessor){.place = node, .components = components_of(type)};
    if (!named || named->kind != JSON_STRING || strcmp(named->text, type) != 0)
        return sn_glb_fail(glb, node, "its type is not %s", type);
    accessor->is_normalized = normalized && normalized->kind == JSON_BOOL && normalized->boolean;
    SN_TRY(find_type(glb, node, &accessor->type));
    SN_TRY(sn_glb_integer(glb, node, "count", UINT32_MAX, &count));
    SN_TRY(sn_glb_integer(glb, node, "byteOffset", UINT32_MAX, &offset));
    if (sn_json_member(node, "bufferView"))
        SN_TRY(find_bytes(glb, node, offset, count,
                          accessor->components * sn_scalar_size(accessor->type), true,
                          &accessor->bytes, &accessor->stride));
    else if (count > glb->source->size)
        return sn_glb_fail(glb, node, "%llu zeros are promised, more than the file has bytes",
                           (unsigned long long)count);
    accessor->count = (size_t)count;
    return sparse ? find_sparse(glb, sparse, accessor) : SN_OK;
}

/* ---- Reading ---- */

static double real_at(const glb_accessor *accessor, const char *at) {
    /* Whole numbers that stand for -1 to 1, or 0 to 1. */
    static const double largest[SCALAR_F64 + 1] = {[SCALAR_I8] = 127,
                                                   [SCALAR_U8] = 255,
                                                   [SCALAR_I16] = 32767,
                                                   [SCALAR_U16] = 65535,
                                                   [SCALAR_U32] = 4294967295.0};
    double value = sn_scalar_real(at, accessor->type, false);
    if (!accessor->is_normalized || accessor->type == SCALAR_F32) return value;
    value /= largest[accessor->type];
    return value < -1 ? -1 : value;
}

/* Which element the i-th of those is that are replaced. */
static sn_result changed_index(const glb_file *glb, const glb_accessor *accessor, size_t i,
                               size_t *index) {
    int64_t value = sn_scalar_integer(accessor->indices + i * sn_scalar_size(accessor->index_type),
                                      accessor->index_type, false);
    if (value < 0 || (uint64_t)value >= accessor->count)
        return sn_glb_fail(glb, accessor->place, "sparse index %lld is not among its %zu elements",
                           (long long)value, accessor->count);
    *index = (size_t)value;
    return SN_OK;
}

sn_result sn_glb_reals(const glb_file *glb, const glb_accessor *accessor, double *out) {
    size_t components = accessor->components, size = sn_scalar_size(accessor->type);
    for (size_t i = 0; i < accessor->count * components; i++) {
        size_t at = i / components * accessor->stride + i % components * size;
        out[i] = accessor->bytes ? real_at(accessor, accessor->bytes + at) : 0;
    }
    for (size_t i = 0; i < accessor->changed; i++) {
        size_t index = 0;
        SN_TRY(changed_index(glb, accessor, i, &index));
        for (size_t k = 0; k < components; k++)
            out[index * components + k] =
                real_at(accessor, accessor->values + (i * components + k) * size);
    }
    return SN_OK;
}

sn_result sn_glb_indices(const glb_file *glb, const glb_accessor *accessor, size_t vertices,
                         uint32_t *out) {
    size_t size = sn_scalar_size(accessor->type);
    if (sn_scalar_is_real(accessor->type))
        return sn_glb_fail(glb, accessor->place, "indices are of float, expected whole numbers");
    for (size_t i = 0; i < accessor->count; i++)
        out[i] = accessor->bytes
                     ? (uint32_t)sn_scalar_integer(accessor->bytes + i * accessor->stride,
                                                   accessor->type, false)
                     : 0;
    for (size_t i = 0; i < accessor->changed; i++) {
        size_t index = 0;
        SN_TRY(changed_index(glb, accessor, i, &index));
        out[index] =
            (uint32_t)sn_scalar_integer(accessor->values + i * size, accessor->type, false);
    }
    for (size_t i = 0; i < accessor->count; i++)
        if (out[i] >= vertices)
            return sn_glb_fail(glb, accessor->place,
                               "index %zu is %u, but the primitive has %zu vertices", i, out[i],
                               vertices);
    return SN_OK;
}
