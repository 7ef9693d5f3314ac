#include "state/object.h"

#include "base/range.h"

#include <stdio.h>
#include <string.h>

/* ---- Fields as numbers ---- */

/* A component of a field; every kind fits into a double. */
static double get(const sn_field_info *field, const void *def, size_t k) {
    const unsigned char *at = (const unsigned char *)def + field->offset;
    sn_real real;
    int whole;
    bool flag;
    uint32_t word;
    size_t count;
    if (sn_field_is_real(field)) {
        memcpy(&real, at + k * sizeof real, sizeof real);
        return (double)real;
    }
    switch (field->kind) {
    case SN_FIELD_BOOL:
        memcpy(&flag, at, sizeof flag);
        return flag;
    case SN_FIELD_WORD:
        memcpy(&word, at, sizeof word);
        return word;
    case SN_FIELD_COUNT:
        memcpy(&count, at, sizeof count);
        return (double)count;
    default:
        memcpy(&whole, at, sizeof whole);
        return whole;
    }
}

static void set(const sn_field_info *field, void *def, size_t k, double number) {
    unsigned char *at = (unsigned char *)def + field->offset;
    sn_real real = (sn_real)number;
    if (sn_field_is_real(field)) {
        memcpy(at + k * sizeof real, &real, sizeof real);
        return;
    }
    switch (field->kind) {
    case SN_FIELD_BOOL:
        memcpy(at, &(bool){number != 0}, sizeof(bool));
        break;
    case SN_FIELD_WORD:
        memcpy(at, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        break;
    case SN_FIELD_COUNT:
        memcpy(at, &(size_t){(size_t)number}, sizeof(size_t));
        break;
    default:
        memcpy(at, &(int){(int)number}, sizeof(int));
    }
}

static const sn_field_info *find_field(const sn_object *object, const char *name) {
    for (size_t i = 0; i < object->info.field_count; i++)
        if (strcmp(object->info.fields[i].name, name) == 0) return &object->info.fields[i];
    return NULL;
}

/* ---- Checks of fields ---- */

static sn_result check_number(const char *title, const sn_field_info *f, double value) {
    if (sn_field_is_real(f))
        return sn_check_real(title, f->name, (sn_real)value, f->least, f->most, f->automatic,
                             strcmp(f->unit, "1") == 0 ? "" : f->unit);
    if (value >= f->least && value <= f->most) return SN_OK;
    if (f->kind == SN_FIELD_COUNT && value < f->least)
        return sn_fail(SN_ERROR_VALUE, "%s: %s is %.0f, expected at least %.0f", title, f->name,
                       value, f->least);
    return sn_fail(f->kind == SN_FIELD_COUNT ? SN_ERROR_LIMIT : SN_ERROR_VALUE,
                   "%s: %s is %.0f, expected %.0f %s %.0f", title, f->name, value, f->least,
                   f->most == f->least + 1 ? "or" : "to", f->most);
}

sn_result sn_object_check(const sn_object *object, const void *def) {
    const sn_object_info *info = &object->info;
    size_t size;
    memcpy(&size, def, sizeof size);
    if (size != info->def_size)
        return sn_fail(SN_ERROR_DEFINITION,
                       "%s: size is %zu, expected %zu; was the definition made by its default "
                       "function?",
                       info->title, size, info->def_size);
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *f = &info->fields[i];
        for (size_t k = 0; f->kind != SN_FIELD_COUNT && k < (size_t)sn_field_numbers(f); k++)
            SN_TRY(check_number(info->title, f, get(f, def, k)));
    }
    return object->check ? object->check(def) : SN_OK;
}

sn_result sn_object_check_field(const sn_object *object, const char *title, const char *name,
                                sn_real value) {
    return check_number(title ? title : object->info.title, find_field(object, name),
                        (double)value);
}

/* ---- Arrays ---- */

const void *sn_array_get(const sn_array_info *array, const void *def) {
    const void *elements;
    memcpy(&elements, (const unsigned char *)def + array->offset, sizeof elements);
    return elements;
}

void sn_array_set(const sn_array_info *array, void *def, const void *elements) {
    memcpy((unsigned char *)def + array->offset, &elements, sizeof elements);
}

size_t sn_array_length(const sn_array_info *array, const void *def) {
    size_t count;
    memcpy(&count, (const unsigned char *)def + array->count, sizeof count);
    if (count > 0 && array->kind == SN_ELEMENT_FIRST) return count + 1;
    if (count == 0 || array->kind != SN_ELEMENT_MEMBER) return count;
    /* The array before says where the last list ends. */
    const uint32_t *first = sn_array_get(array - 1, def);
    return first ? first[count] : 0;
}

void sn_object_forget_arrays(const sn_object *object, void *def) {
    const size_t none = 0;
    for (size_t i = 0; i < object->info.array_count; i++) {
        const sn_array_info *array = &object->info.arrays[i];
        sn_array_set(array, def, NULL);
        memcpy((unsigned char *)def + array->count, &none, sizeof none);
    }
}

/* ---- Checks of arrays ---- */

/* An element of an array, in words: its name without the s of many. */
static int element_name(const sn_array_info *array) {
    int length = (int)strlen(array->name);
    return array->name[length - 1] == 's' ? length - 1 : length;
}

static sn_result check_indices(const char *title, const sn_array_info *array,
                               const uint32_t *element, size_t count, size_t nodes) {
    for (size_t i = 0; i < count; i++, element += array->width)
        for (size_t c = 0; c < array->width; c++) {
            if (element[c] >= nodes)
                return sn_fail(SN_ERROR_VALUE, "%s: %.*s %zu has node %u, expected below %zu",
                               title, element_name(array), array->name, i, element[c], nodes);
            for (size_t k = 0; k < c; k++)
                if (element[c] == element[k])
                    return sn_fail(SN_ERROR_DEGENERATE, "%s: %.*s %zu has node %u twice", title,
                                   element_name(array), array->name, i, element[c]);
        }
    return SN_OK;
}

static sn_result check_reals(const char *title, const sn_array_info *array, const sn_real *element,
                             size_t count) {
    for (size_t i = 0; i < count * array->width; i++)
        if (element[i] - element[i] != 0)
            return sn_fail(SN_ERROR_VALUE, "%s: %.*s %zu is %g %s, expected finite numbers", title,
                           element_name(array), array->name, i / array->width, (double)element[i],
                           array->unit);
    return SN_OK;
}

sn_result sn_object_check_arrays(const sn_object *object, const void *def) {
    const sn_object_info *info = &object->info;
    size_t nodes = 0;
    for (size_t i = 0; i < info->field_count; i++)
        if (info->fields[i].kind == SN_FIELD_COUNT)
            SN_TRY(check_number(info->title, &info->fields[i], get(&info->fields[i], def, 0)));
    for (size_t i = 0; i < info->array_count; i++) {
        const sn_array_info *array = &info->arrays[i];
        const void *elements = sn_array_get(array, def);
        size_t count = sn_array_length(array, def);
        if (count > 0 && !elements && !array->optional)
            return sn_fail(SN_ERROR_NULL, "%s: %s is null", info->title, array->name);
        if (array->kind == SN_ELEMENT_NODE) nodes = count;
        if (elements && array->kind == SN_ELEMENT_INDEX)
            SN_TRY(check_indices(info->title, array, elements, count, nodes));
        if (elements && array->kind == SN_ELEMENT_REAL)
            SN_TRY(check_reals(info->title, array, elements, count));
    }
    return SN_OK;
}

/* ---- Files ---- */

/* A number of a column, as the archive has it. */
static double next(sn_archive *a, sn_archive_cursor *cursor, double number) {
    if (cursor->kind == SN_ARCHIVE_U8) {
        uint8_t byte = (uint8_t)number;
        sn_archive_next(a, cursor, &byte);
        return byte;
    }
    if (cursor->kind == SN_ARCHIVE_U32) {
        uint32_t word = number < 0 ? (uint32_t)(int32_t)number : (uint32_t)number;
        sn_archive_next(a, cursor, &word);
        return word;
    }
    sn_real real = (sn_real)number;
    sn_archive_next(a, cursor, &real);
    return (double)real;
}

/* Whole numbers are read from bytes as from words. */
static sn_archive_kind kind_of(const sn_archive *a, const sn_object_column *column,
                               const sn_field_info *field) {
    sn_archive_kind standard = sn_field_is_real(field) ? SN_ARCHIVE_REAL : SN_ARCHIVE_U32;
    sn_archive_kind kind = column->kind ? column->kind : standard;
    sn_archive_view view;
    if (a->reading && kind != SN_ARCHIVE_REAL && sn_archive_view_find(a, column->name, &view) &&
        (view.kind == SN_ARCHIVE_U8 || view.kind == SN_ARCHIVE_U32))
        kind = (sn_archive_kind)view.kind;
    return kind;
}

/* Whether all definitions have the defaults in all columns that are absent together. */
static bool is_standard(const sn_object *object, int sparse, const unsigned char *def,
                        size_t stride, size_t count) {
    for (size_t c = 0; c < object->column_count; c++) {
        const sn_object_column *column = &object->columns[c];
        for (size_t f = 0; column->sparse == sparse && f < 4 && column->field[f]; f++) {
            const sn_field_info *field = find_field(object, column->field[f]);
            for (size_t i = 0; i < count; i++)
                for (size_t k = 0; k < (size_t)sn_field_numbers(field); k++)
                    if (get(field, def + i * stride, k) != get(field, object->standard, k))
                        return false;
        }
    }
    return true;
}

static void read_number(sn_archive *a, const sn_object *object, const sn_field_info *f, void *def,
                        size_t k, double number, size_t i) {
    char title[64];
    if (a->result != SN_OK) return;
    if (check_number(object->info.title, f, number) == SN_OK) {
        set(f, def, k, number);
        return;
    }
    snprintf(title, sizeof title, "%s %zu", object->info.title, i);
    (void)check_number(i == SIZE_MAX ? object->info.title : title, f, number);
    sn_archive_fail(a, "%.200s", sn_last_error());
}

/* Of which definition the numbers of a column are: those of parts that it has not got are the
   defaults. */
static const void *written(const sn_object *object, const sn_object_column *column,
                           const unsigned char *def) {
    const sn_field_info *with = column->with ? find_field(object, column->with) : NULL;
    return with && get(with, def, 0) == 0 ? object->standard : def;
}

/* Where a field is in memory. */
static void show(sn_archive *a, const char *name, const sn_field_info *field, unsigned char *def,
                 size_t stride, size_t count) {
    sn_archive_kind kind = field->kind == SN_FIELD_BOOL ? SN_ARCHIVE_U8 : SN_ARCHIVE_U32;
    sn_archive_show(a, name, sn_field_is_real(field) ? SN_ARCHIVE_REAL : kind, def + field->offset,
                    stride, (size_t)sn_field_numbers(field), count);
}

static void serialize_column(const sn_object *object, sn_archive *a, const sn_object_column *column,
                             unsigned char *def, size_t stride, size_t count, size_t first) {
    const sn_field_info *field[4];
    size_t fields = 0, width = 0;
    for (; fields < 4 && column->field[fields]; fields++) {
        field[fields] = find_field(object, column->field[fields]);
        if (!field[fields]) return; /* an array */
        width += (size_t)sn_field_numbers(field[fields]);
    }
    bool said =
        !column->sparse || a->reading || !is_standard(object, column->sparse, def, stride, count);
    if (column->sparse && !sn_archive_takes(a, column->name, said)) return;
    if (a->visit && fields == 1) {
        show(a, column->name, field[0], def, stride, count);
        return;
    }
    sn_archive_cursor cursor =
        sn_archive_open(a, column->name, kind_of(a, column, field[0]), width * count);
    for (size_t f = 0; f < fields; f++) show(a, column->name, field[f], def, stride, count);
    for (size_t i = 0; !a->visit && i < count && a->result == SN_OK; i++, def += stride)
        for (size_t f = 0; f < fields; f++)
            for (size_t k = 0; k < (size_t)sn_field_numbers(field[f]); k++) {
                double number = next(a, &cursor, get(field[f], written(object, column, def), k));
                if (a->reading)
                    read_number(a, object, field[f], def, k, number,
                                first == SIZE_MAX ? first : first + i);
            }
}

void sn_object_serialize(const sn_object *object, sn_archive *a, void *def, size_t stride,
                         size_t count, size_t first) {
    unsigned char *defs = def;
    for (size_t i = 0; a->reading && i < count; i++)
        memcpy(defs + i * stride, object->standard, object->info.def_size);
    for (size_t i = 0; i < object->column_count; i++)
        serialize_column(object, a, &object->columns[i], defs, stride, count, first);
    for (size_t i = 0; object->column_count == 0 && i < object->info.field_count; i++) {
        const sn_field_info *f = &object->info.fields[i];
        if (f->kind == SN_FIELD_COUNT || f->kind == SN_FIELD_BODY) continue;
        serialize_column(object, a, &(sn_object_column){f->name, {f->name}, 0, 0, NULL}, defs,
                         stride, count, first);
    }
}

void sn_object_check_read(const sn_object *object, sn_archive *a, const void *def, size_t i) {
    if (!a->reading || a->result != SN_OK || object->check(def) == SN_OK) return;
    if (i == SIZE_MAX)
        sn_archive_fail(a, "%.200s", sn_last_error());
    else
        sn_archive_fail(a, "number %zu: %.200s", i, sn_last_error());
}

const char *sn_object_array_column(const sn_object *object, const sn_array_info *array) {
    for (size_t i = 0; i < object->column_count; i++)
        if (strcmp(object->columns[i].field[0], array->name) == 0) return object->columns[i].name;
    return array->name;
}
