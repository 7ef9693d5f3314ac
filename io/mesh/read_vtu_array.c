/*
 * The arrays of VTU: text, or binary as it is or in base64, each with the number of its bytes
 * before it.
 */
#include "io/mesh/read_vtu.h"
#include "io/text/base64.h"

static sn_result fail_short(const vtu_file *vtu, const vtu_array *array, uint64_t count,
                            const char *what) {
    return sn_text_fail(&vtu->text, array->place, "%llu %s are promised, but the array has fewer",
                        (unsigned long long)count, what);
}

/* ---- Base64 ---- */

/* Up to `size` bytes; how many there were. The number of bytes may be encoded by itself, so that
   padding is no end. */
static size_t decode(const char **at, const char *end, unsigned char *bytes, size_t size) {
    size_t count = 0;
    while (count < size) {
        uint32_t bits = 0;
        int digits = 0, padding = 0;
        const char *c = *at;
        for (; c < end && digits + padding < 4; c++) {
            int digit = sn_base64_digit(*c);
            if (digit >= 0 && padding == 0)
                bits = bits << 6 | (uint32_t)digit, digits++;
            else if (*c == '=' && digits >= 2)
                padding++;
            else if (!sn_text_is_blank(*c) && !sn_text_is_break(*c))
                break;
        }
        if (digits + padding < 4) break;
        *at = c;
        bits <<= 6 * padding;
        for (int k = 0; k < digits - 1 && count < size; k++)
            bytes[count++] = (unsigned char)(bits >> (16 - 8 * k));
    }
    return count;
}

/* ---- Bytes ---- */

/* A stretch of bytes, which may have to be freed. */
typedef struct vtu_bytes {
    const unsigned char *data;
    size_t size;
    unsigned char *owned;
    size_t owned_size;
} vtu_bytes;

static sn_result decode_bytes(const vtu_file *vtu, const vtu_array *array, const char *at,
                              const char *end, vtu_bytes *bytes) {
    unsigned char head[16];
    size_t head_size = vtu->has_long_heads ? 8 : 4;
    /* Groups of three: the first may have bytes of the data, so it is decoded once more. */
    const char *start = at;
    if (decode(&at, end, head, head_size) < head_size)
        return sn_text_fail(&vtu->text, array->place, "the array has no number of bytes in base64");
    uint64_t size = sn_scalar_bits(head, (unsigned)head_size, vtu->is_big);
    if (size > (uint64_t)(end - start) / 4 * 3)
        return sn_text_fail(&vtu->text, array->place,
                            "%llu bytes are promised, but the array has at most %zu",
                            (unsigned long long)size, (size_t)(end - start) / 4 * 3);
    bytes->size = (size_t)size;
    bytes->owned_size = head_size + (size_t)size;
    bytes->owned = sn_io_allocate(&vtu->build->allocator, bytes->owned_size, 1);
    if (!bytes->owned) return SN_ERROR_MEMORY;
    bytes->data = bytes->owned + head_size;
    size_t got = decode(&start, end, bytes->owned, bytes->owned_size);
    if (got == bytes->owned_size) return SN_OK;
    return sn_text_fail(&vtu->text, array->place,
                        "%llu bytes are promised, but the base64 of the array has %zu",
                        (unsigned long long)size, got - head_size);
}

static sn_result raw_bytes(const vtu_file *vtu, const vtu_array *array, const char *at,
                           const char *end, vtu_bytes *bytes) {
    size_t head_size = vtu->has_long_heads ? 8 : 4, room = (size_t)(end - at);
    uint64_t size = room < head_size ? 0 : sn_scalar_bits(at, (unsigned)head_size, vtu->is_big);
    if (room < head_size || size > room - head_size)
        return sn_text_fail(&vtu->text, array->place,
                            "%llu bytes are promised, but the file has only %zu more",
                            (unsigned long long)size, room);
    *bytes = (vtu_bytes){.data = (const unsigned char *)at + head_size, .size = (size_t)size};
    return SN_OK;
}

static sn_result find_bytes(vtu_file *vtu, const vtu_array *array, vtu_bytes *bytes) {
    const char *at = array->begin, *end = array->end;
    if (vtu->is_compressed)
        return sn_text_fail(&vtu->text, array->place,
                            "the file is compressed by %s, expected one that is not compressed",
                            vtu->compressor);
    if (array->is_appended) {
        end = vtu->text.end;
        if (!vtu->appended)
            return sn_text_fail(&vtu->text, array->place,
                                "the array is appended, but the file has no <AppendedData>");
        if (array->offset > (uint64_t)(end - vtu->appended))
            return sn_text_fail(&vtu->text, array->place,
                                "the array is at offset %llu, but only %zu bytes are appended",
                                (unsigned long long)array->offset, (size_t)(end - vtu->appended));
        at = vtu->appended + array->offset;
    }
    SN_TRY(array->format == VTU_RAW ? raw_bytes(vtu, array, at, end, bytes)
                                    : decode_bytes(vtu, array, at, end, bytes));
    /* Else a short file could have many pieces with all of its bytes in each. */
    if (array->is_appended) vtu->used += bytes->size;
    if (vtu->used <= vtu->source->size) return SN_OK;
    return sn_text_fail(&vtu->text, array->place, "the arrays share bytes of <AppendedData>");
}

/* ---- Numbers ---- */

/* The numbers as text. */
static sn_result read_text(const vtu_file *vtu, const vtu_array *array, uint64_t count,
                           const char *what, bool is_real, sn_io_build_list *list) {
    sn_text text = vtu->text;
    text.at = array->begin;
    text.end = array->end;
    if (count > (uint64_t)(text.end - text.at) / 2 + 1) return fail_short(vtu, array, count, what);
    SN_TRY(sn_io_build_list_reserve(vtu->build, list, (size_t)count, 8));
    for (uint64_t i = 0; i < count; i++) {
        sn_text_skip_space(&text);
        if (text.at >= text.end) return fail_short(vtu, array, count, what);
        if (is_real) {
            sn_real value;
            SN_TRY(sn_text_real(&text, what, &value));
            ((double *)list->items)[list->count++] = (double)value;
        } else {
            SN_TRY(sn_text_integer(&text, what, &((int64_t *)list->items)[list->count]));
            list->count++;
        }
    }
    return SN_OK;
}

static sn_result read_numbers(vtu_file *vtu, const vtu_array *array, uint64_t count,
                              const char *what, bool is_real, sn_io_build_list *list) {
    list->count = 0;
    if (array->format == VTU_TEXT) return read_text(vtu, array, count, what, is_real, list);
    vtu_bytes bytes = {0};
    unsigned size = sn_scalar_size(array->type);
    sn_result result = find_bytes(vtu, array, &bytes);
    if (result == SN_OK && count > bytes.size / size) result = fail_short(vtu, array, count, what);
    if (result == SN_OK) result = sn_io_build_list_reserve(vtu->build, list, (size_t)count, 8);
    for (uint64_t i = 0; result == SN_OK && i < count && bytes.data; i++) {
        const unsigned char *at = bytes.data + i * size;
        if (is_real)
            ((double *)list->items)[i] = sn_scalar_real(at, array->type, vtu->is_big);
        else
            ((int64_t *)list->items)[i] = sn_scalar_integer(at, array->type, vtu->is_big);
        list->count++;
    }
    sn_io_free(&vtu->build->allocator, bytes.owned, bytes.owned_size, 1);
    return result;
}

sn_result sn_vtu_reals(vtu_file *vtu, const vtu_array *array, uint64_t count, const char *what,
                       sn_io_build_list *list) {
    return read_numbers(vtu, array, count, what, true, list);
}

sn_result sn_vtu_integers(vtu_file *vtu, const vtu_array *array, uint64_t count, const char *what,
                          sn_io_build_list *list) {
    if (sn_scalar_is_real(array->type))
        return sn_text_fail(&vtu->text, array->place,
                            "%s are of a type that is not of whole numbers", what);
    return read_numbers(vtu, array, count, what, false, list);
}
