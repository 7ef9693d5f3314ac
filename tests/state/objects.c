/*
 * Every object of the library, by its list of fields, without naming any: defaults are allowed,
 * what is outside of a range is refused with a sentence, and definitions come back from an archive.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sinew/sinew.h>

#include "api/systems.h"
#include "check.h"
#include "state/system.h"

enum { MOST_BYTES = 4096, DEFINITION = 512 };

typedef void visitor(const sn_object *object);

static void visit_all(visitor *visit) {
    for (size_t i = 0; i < SN_WORLD_OBJECTS; i++) {
        check_case("%s", sn_world_objects[i]->info.name);
        visit(sn_world_objects[i]);
    }
    sn_system_list systems = sn_systems();
    for (size_t i = 0; i < systems.count; i++)
        for (size_t k = 0; k < systems.system[i]->object_count; k++) {
            check_case("%s", systems.system[i]->objects[k]->info.name);
            visit(systems.system[i]->objects[k]);
        }
}

/* Whether it has a size, and so can be checked as a whole. */
static bool is_definition(const sn_object *object) {
    size_t size;
    memcpy(&size, object->standard, sizeof size);
    return size == object->info.def_size;
}

static void put(const sn_field_info *f, unsigned char *def, double number) {
    if (sn_field_is_real(f)) {
        sn_real real = (sn_real)number;
        memcpy(def + f->offset, &real, sizeof real);
    } else if (f->kind == SN_FIELD_BOOL) {
        bool flag = number != 0;
        memcpy(def + f->offset, &flag, sizeof flag);
    } else if (f->kind == SN_FIELD_WORD) {
        uint32_t word = (uint32_t)number;
        memcpy(def + f->offset, &word, sizeof word);
    } else if (f->kind < SN_FIELD_BOOL) {
        int whole = (int)number;
        memcpy(def + f->offset, &whole, sizeof whole);
    }
}

/* ---- Information ---- */

static void check_info(const sn_object *object) {
    const sn_object_info *info = &object->info;
    CHECK(sn_object_by_name(info->name) == info);
    CHECK(strlen(info->meaning) > 10 && strlen(info->title) >= 4);
    CHECK(info->def_size <= DEFINITION);
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *f = &info->fields[i];
        CHECK(f->offset < info->def_size && strlen(f->meaning) > 5);
        CHECK(f->least <= f->most || f->automatic);
        bool automatic = f->automatic && f->standard == (double)SN_AUTO;
        CHECK(f->kind == SN_FIELD_COUNT || automatic ||
              (f->standard >= f->least && f->standard <= f->most));
    }
    for (size_t i = 0; i < info->array_count; i++) {
        const sn_array_info *array = &info->arrays[i];
        CHECK(array->offset < info->def_size && array->width > 0 && strlen(array->meaning) > 5);
        bool counted = false;
        for (size_t k = 0; k < info->field_count; k++)
            counted |=
                info->fields[k].kind == SN_FIELD_COUNT && info->fields[k].offset == array->count;
        CHECK(counted);
    }
}

TEST(what_objects_are) {
    size_t count = 0;
    visit_all(check_info);
    while (sn_world_object_info(NULL, count)) count++;
    CHECK(count >= 10);
    CHECK(sn_object_by_name("nothing") == NULL && sn_object_by_name(NULL) == NULL);
}

/* ---- Checks ---- */

static void refuse(const sn_object *object, const sn_field_info *f, double number) {
    unsigned char def[DEFINITION];
    memcpy(def, object->standard, object->info.def_size);
    put(f, def, number);
    CHECK_FAILS(sn_object_check(object, def), SN_ERROR_VALUE);
    if (!CHECK(strstr(sn_last_error(), f->name) && strstr(sn_last_error(), object->info.title)))
        printf("      the sentence is: %s\n", sn_last_error());
}

static void check_ranges(const sn_object *object) {
    if (!is_definition(object)) return;
    CHECK_OK(sn_object_check(object, object->standard));
    for (size_t i = 0; i < object->info.field_count; i++) {
        const sn_field_info *f = &object->info.fields[i];
        bool real = sn_field_is_real(f);
        if (f->kind == SN_FIELD_COUNT || f->kind == SN_FIELD_BOOL || f->kind == SN_FIELD_BODY)
            continue;
        if (real) refuse(object, f, (double)NAN);
        if (real && f->least == 0) refuse(object, f, -1);
        if (f->most < 1e9) refuse(object, f, f->most + 1);
        if (!real && f->kind != SN_FIELD_WORD) refuse(object, f, f->least - 1);
    }
    unsigned char def[DEFINITION];
    memcpy(def, object->standard, object->info.def_size);
    memset(def, 0, sizeof(size_t));
    CHECK_FAILS(sn_object_check(object, def), SN_ERROR_DEFINITION);
}

TEST(what_is_outside_of_a_range_is_refused) {
    visit_all(check_ranges);
}

/* ---- Archives ---- */

static void serialize(const sn_object *object, sn_archive *a, unsigned char *def) {
    sn_archive_section(a, "object");
    sn_object_serialize(object, a, def, object->info.def_size, 2, 0);
    sn_archive_section_end(a);
}

/* Two definitions, of which the second has in every field what is least, or the standard of the
   first where that is the same. */
static void exchange(const sn_object *object) {
    static uint8_t bytes[MOST_BYTES];
    static unsigned char def[2 * DEFINITION], read[2 * DEFINITION];
    size_t size = object->info.def_size;
    sn_archive a;
    memset(def, 0, sizeof def);
    memset(read, 0xff, sizeof read);
    memcpy(def, object->standard, size);
    memcpy(def + size, object->standard, size);
    for (size_t i = 0; i < object->info.field_count; i++) {
        const sn_field_info *f = &object->info.fields[i];
        bool kept = f->kind == SN_FIELD_COUNT || (f->kind == SN_FIELD_INT && f->least == 1);
        /* Of those that are above 0, a float that is. */
        double least = f->least == SN_ABOVE_ZERO ? 2 * SN_ABOVE_ZERO : f->least;
        if (!kept) put(f, def + size, least == f->standard ? f->most : least);
    }
    sn_archive_write(&a, "test", 1, bytes, sizeof bytes);
    serialize(object, &a, def);
    REQUIRE_OK(sn_archive_finish(&a));
    sn_archive_read(&a, "test", 1, bytes, a.size);
    serialize(object, &a, read);
    REQUIRE_OK(sn_archive_finish(&a));
    for (size_t i = 0; i < object->info.field_count; i++) {
        const sn_field_info *f = &object->info.fields[i];
        size_t width = f->kind == SN_FIELD_BOOL ? sizeof(bool) : sizeof(uint32_t);
        if (strcmp(f->name, "corners") == 0) continue; /* beside the counts */
        for (size_t k = 0; k < 2; k++)
            if (!CHECK(memcmp(def + k * size + f->offset, read + k * size + f->offset, width) == 0))
                printf("      the field is %s\n", f->name);
    }
}

TEST(definitions_come_back) {
    visit_all(exchange);
}

TESTS(RUN(what_objects_are), RUN(what_is_outside_of_a_range_is_refused), RUN(definitions_come_back))
