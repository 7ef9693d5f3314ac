#include "api/call.h"

#include "api/systems.h"
#include "state/system.h"

#include <string.h>

/* ---- Tables ---- */

/* What every world has. */
extern const sn_call_table sn_world_calls, sn_snapshot_calls, sn_node_calls, sn_ride_calls,
    sn_constraint_calls, sn_field_calls;
static const sn_call_table *const core[] = {&sn_world_calls, &sn_snapshot_calls,   &sn_node_calls,
                                            &sn_ride_calls,  &sn_constraint_calls, &sn_field_calls};
enum { CORE = sizeof core / sizeof *core };

static const sn_call_type *find_in(const sn_call_table *table, const char *name) {
    for (; table; table = table->next)
        for (size_t i = 0; i < table->count; i++)
            if (strcmp(table->call[i].name, name) == 0) return &table->call[i];
    return NULL;
}

static const sn_call_type *find(const sn_world *world, const char *name) {
    const sn_call_type *found = NULL;
    for (size_t i = 0; i < CORE && !found; i++) found = find_in(core[i], name);
    for (size_t i = 0; i < world->bindings.systems.count && !found; i++)
        found = find_in(sn_system_calls(world->bindings.systems.system[i]), name);
    return found;
}

/* ---- Memory of what is read ---- */

void sn_call_keep(sn_call *call, void *at, size_t count, size_t element) {
    if (at) call->block[call->blocks++] = (sn_call_block){at, count, element};
}

void *sn_call_room(sn_archive *a, sn_world *world, sn_call *call, size_t count, size_t element) {
    if (a->result != SN_OK) return NULL;
    void *at = sn_allocate(&world->memory, count + 1, element);
    if (!at) a->result = SN_ERROR_MEMORY;
    sn_call_keep(call, at, count + 1, element);
    return at;
}

void sn_call_free(sn_world *world, sn_call *call) {
    while (call->blocks > 0) {
        sn_call_block block = call->block[--call->blocks];
        sn_free(&world->memory, block.at, block.count, block.element);
    }
}

/* ---- Ids ---- */

static void serialize_id(sn_archive *a, const sn_world *world, sn_id *id, const char *slot,
                         const char *generation) {
    sn_archive_column(a, slot, SN_ARCHIVE_U32, &id->slot, 1);
    sn_archive_column(a, generation, SN_ARCHIVE_U16, &id->generation, 1);
    if (a->reading) id->world = world->tag;
}

void sn_call_serialize_ids(sn_archive *a, const sn_world *world, sn_node *node, size_t count) {
    sn_archive_member(a, "slot", SN_ARCHIVE_U32, &node->slot, sizeof *node, 1, count);
    sn_archive_member(a, "generation", SN_ARCHIVE_U16, &node->generation, sizeof *node, 1, count);
    for (size_t i = 0; a->reading && a->result == SN_OK && i < count; i++)
        node[i] = node[i].slot ? (sn_node){node[i].slot, node[i].generation, world->tag}
                               : (sn_node){0, 0, 0};
}

/* ---- Definitions ---- */

static size_t bytes_of(const sn_object *object, const sn_array_info *array) {
    if (array->kind == SN_ELEMENT_NODE) return sizeof(sn_node);
    if (array->kind == SN_ELEMENT_RECORD) return object->record->info.def_size;
    return array->width * (array->kind == SN_ELEMENT_REAL ? sizeof(sn_real) : sizeof(uint32_t));
}

/* How many numbers of an array, or records, are there to be read. */
static size_t count_numbers(const sn_archive *a, const sn_object *object,
                            const sn_array_info *array) {
    if (array->kind == SN_ELEMENT_NODE) return sn_archive_count(a, "slot");
    if (array->kind != SN_ELEMENT_RECORD)
        return sn_archive_count(a, sn_object_array_column(object, array));
    const sn_field_info *last = &object->record->info.fields[object->record->info.field_count - 1];
    return sn_archive_count(a, last->name);
}

static void serialize_elements(sn_archive *a, const sn_world *world, const sn_object *object,
                               const sn_array_info *array, void *elements, size_t numbers) {
    if (array->kind == SN_ELEMENT_NODE)
        sn_call_serialize_ids(a, world, elements, numbers);
    else if (array->kind == SN_ELEMENT_RECORD)
        sn_object_serialize(object->record, a, elements, bytes_of(object, array), numbers, 0);
    else
        sn_archive_column(a, sn_object_array_column(object, array),
                          array->kind == SN_ELEMENT_REAL ? SN_ARCHIVE_REAL : SN_ARCHIVE_U32,
                          elements, numbers);
}

/* Whether an array before it says how many elements it has. */
static bool is_counted(const sn_object *object, const sn_array_info *array) {
    for (const sn_array_info *other = object->info.arrays; other < array; other++)
        if (other->count == array->count) return true;
    return false;
}

/* Lists that are too short would be read beyond their ends. */
static void check_length(sn_archive *a, const sn_object *object, const sn_array_info *array,
                         void *def, size_t numbers) {
    size_t count = numbers / array->width;
    const uint32_t *first = array->kind == SN_ELEMENT_MEMBER ? sn_array_get(array - 1, def) : NULL;
    if (array->kind == SN_ELEMENT_FIRST && count > 0) count--;
    if (!is_counted(object, array))
        memcpy((unsigned char *)def + array->count, &count, sizeof count);
    else if (!first && sn_array_length(array, def) != count)
        sn_archive_fail(a, "there are %zu numbers of %s", numbers, array->name);
    for (size_t r = 0; first && a->result == SN_OK && r < sn_array_length(array - 1, def); r++)
        if (first[r] > numbers)
            sn_archive_fail(a, "list %zu begins at member %u of %zu", r, first[r], numbers);
}

static void read_array(sn_archive *a, sn_world *world, sn_call *call, const sn_array_info *array,
                       void *def) {
    const sn_object *object = call->type->object;
    bool records = array->kind == SN_ELEMENT_RECORD;
    size_t numbers = count_numbers(a, object, array), bytes = bytes_of(object, array);
    if (array->optional && numbers == 0) return;
    check_length(a, object, array, def, records ? numbers * array->width : numbers);
    size_t elements = records || array->width == 1 ? numbers : numbers / array->width + 1;
    void *room = sn_call_room(a, world, call, elements, bytes);
    if (!room) return;
    serialize_elements(a, world, object, array, room, numbers);
    sn_array_set(array, def, room);
}

static void write_array(sn_archive *a, const sn_world *world, const sn_call *call,
                        const sn_array_info *array) {
    void *elements = (void *)(uintptr_t)sn_array_get(array, call->def);
    size_t count = sn_array_length(array, call->def);
    bool whole = array->kind == SN_ELEMENT_RECORD;
    if (!array->optional || (elements && count > 0))
        serialize_elements(a, world, call->type->object, array, elements,
                           whole ? count : count * array->width);
}

static void serialize_definition(sn_archive *a, sn_world *world, sn_call *call) {
    const sn_object *object = call->type->object;
    size_t size = object->info.def_size;
    if (a->reading) call->def = sn_call_room(a, world, call, 1, size);
    if (a->result != SN_OK) return;
    void *def = (void *)(uintptr_t)call->def;
    sn_object_serialize(object, a, def, size, 1, SIZE_MAX);
    if (!(call->type->parts & SN_PART_ARRAYS)) return;
    for (size_t i = 0; i < object->info.array_count && a->result == SN_OK; i++)
        if (a->reading)
            read_array(a, world, call, &object->info.arrays[i], def);
        else
            write_array(a, world, call, &object->info.arrays[i]);
}

static void serialize_records(sn_archive *a, sn_world *world, sn_call *call) {
    const sn_object_info *info = &call->type->object->info;
    if (a->reading) {
        call->count = sn_archive_count(a, info->fields[info->field_count - 1].name);
        call->items = sn_call_room(a, world, call, call->count, info->def_size);
    }
    if (a->result == SN_OK)
        sn_object_serialize(call->type->object, a, (void *)(uintptr_t)call->items, info->def_size,
                            call->count, 0);
}

/* ---- The rest ---- */

static void serialize_list(sn_archive *a, sn_world *world, sn_call *call) {
    if (a->reading) {
        call->count = sn_archive_count(a, "slot");
        call->items = sn_call_room(a, world, call, call->count, sizeof(sn_node));
    }
    if (a->result == SN_OK)
        sn_call_serialize_ids(a, world, (sn_node *)(uintptr_t)call->items, call->count);
}

static void serialize_numbers(sn_archive *a, sn_call *call) {
    int numbers = call->type->numbers;
    size_t count = (size_t)(numbers ? numbers : call->numbers);
    if (a->reading && !numbers) {
        count = sn_archive_count(a, "value");
        if (count != 1 && count != 3) sn_archive_fail(a, "the field has %zu numbers", count);
    }
    sn_archive_column(a, "value", SN_ARCHIVE_REAL, call->number, count);
}

static void serialize_field(sn_archive *a, sn_call *call) {
    if (a->reading)
        sn_archive_text(a, "field", call->text, sizeof call->text);
    else
        sn_archive_text(a, "field", (char *)call->field, sizeof call->text);
    if (a->reading) call->field = call->text;
}

/* Items of `width` reals each. */
static void serialize_reals(sn_archive *a, sn_world *world, sn_call *call, const char *name,
                            size_t width) {
    if (a->reading) {
        call->count = sn_archive_count(a, name) / width;
        call->items = sn_call_room(a, world, call, call->count, width * sizeof(sn_real));
    }
    if (a->result == SN_OK)
        sn_archive_column(a, name, SN_ARCHIVE_REAL, (void *)(uintptr_t)call->items,
                          width * call->count);
}

static void serialize_bytes(sn_archive *a, sn_call *call) {
    sn_archive_view view;
    if (!a->reading) {
        sn_archive_column(a, "snapshot", SN_ARCHIVE_U8, (void *)(uintptr_t)call->items,
                          call->count);
    } else if (sn_archive_view_find(a, "snapshot", &view) && view.kind == SN_ARCHIVE_U8) {
        call->items = view.data;
        call->count = view.count;
    } else {
        sn_archive_fail(a, "there is no snapshot");
    }
}

/* Which call it is, by its name. */
static void serialize_type(sn_archive *a, const sn_world *world, sn_call *call) {
    if (!a->reading) {
        sn_archive_text(a, "call", (char *)call->type->name, sizeof call->text);
        return;
    }
    sn_archive_text(a, "call", call->text, sizeof call->text);
    if (a->result == SN_OK) call->type = find(world, call->text);
    if (!call->type) sn_archive_fail(a, "there is no call \"%s\"", call->text);
}

void sn_call_serialize(sn_archive *a, sn_world *world, sn_call *call) {
    sn_archive_section(a, "call");
    serialize_type(a, world, call);
    if (a->result != SN_OK) return;
    unsigned parts = call->type->parts;
    if (parts & SN_PART_ID) serialize_id(a, world, &call->id, "id", "id_generation");
    if (parts & SN_PART_OTHER) serialize_id(a, world, &call->other, "other", "other_generation");
    if (parts & SN_PART_FIELD) serialize_field(a, call);
    if (parts & SN_PART_NUMBERS) serialize_numbers(a, call);
    /* Numbers are called "value" too. */
    const char *word = parts & SN_PART_NUMBERS ? "word" : "value";
    if (parts & SN_PART_WORD) sn_archive_column(a, word, SN_ARCHIVE_U32, &call->word, 1);
    if (parts & SN_PART_HASH) sn_archive_column(a, "hash", SN_ARCHIVE_U64, &call->hash, 1);
    if (parts & SN_PART_DEF) serialize_definition(a, world, call);
    if (parts & SN_PART_RECORDS) serialize_records(a, world, call);
    if (parts & SN_PART_LIST) serialize_list(a, world, call);
    if (parts & SN_PART_POINTS) serialize_reals(a, world, call, "points", 3);
    if (parts & SN_PART_REALS) serialize_reals(a, world, call, "reals", 1);
    if (parts & SN_PART_BYTES) serialize_bytes(a, call);
    if (call->type->serialize) call->type->serialize(a, world, call);
    sn_archive_section_end(a);
}
