/*
 * Constraints to and from an archive: a section for the ids and the order of creation, then one for
 * every colour of every type that has constraints.
 *
 * Fields are columns with their names, so that a type may get new ones: what an older archive does
 * not have is the default.
 */
#include "state/fields.h"
#include "state/serialize.h"

#include <stdio.h>
#include <string.h>

/* One colour of one type, on its way. */
typedef struct transfer {
    sn_archive *a;
    sn_world *world;
    sn_store *store;
    uint8_t colour;
    size_t count;
} transfer;

static sn_colour *colour_of(const transfer *t) {
    return &t->store->colour[t->colour];
}

static sn_place place_of(const transfer *t, size_t i) {
    return (sn_place){t->colour, (uint32_t)i};
}

static bool failed(const transfer *t) {
    return t->a->result != SN_OK;
}

/* Fails the archive when there was no memory. */
static void need(transfer *t, bool room) {
    if (!room && !failed(t)) t->a->result = SN_ERROR_MEMORY;
}

/* ---- Parameters ---- */

static void fill_standard(transfer *t, const sn_field_info *field, sn_real *first, int numbers) {
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < numbers; k++)
            first[i * (size_t)t->store->parameters + (size_t)k] = (sn_real)field->standard;
}

static void serialize_parameters(transfer *t) {
    const sn_constraint_type *type = t->store->type;
    sn_real *first = colour_of(t)->parameter;
    size_t stride = (size_t)t->store->parameters * sizeof(sn_real);
    for (size_t f = 0; f < type->info.field_count && !failed(t); f++) {
        const sn_field_info *field = &type->info.fields[f];
        int numbers = sn_field_numbers(field);
        char name[80];
        snprintf(name, sizeof name, "field %s", field->name);
        if (sn_archive_has(t->a, name))
            sn_archive_member(t->a, name, SN_ARCHIVE_REAL, first, stride, numbers, t->count);
        else
            fill_standard(t, field, first, numbers);
        first += numbers;
    }
    if (type->measured > 0)
        sn_archive_member(t->a, "measured", SN_ARCHIVE_REAL, first, stride, type->measured,
                          t->count);
}

/* What was read, as if it came in definitions. */
static void check_parameters(transfer *t) {
    const sn_type_info *info = &t->store->type->info;
    for (size_t i = 0; i < t->count && !failed(t); i++) {
        const sn_real *number = sn_store_parameters(t->store, place_of(t, i));
        for (size_t f = 0; f < info->field_count && !failed(t); f++) {
            if (sn_field_check(info, &info->fields[f], number) != SN_OK)
                sn_archive_fail(t->a, "constraint %zu: %s", i, sn_last_error());
            number += sn_field_numbers(&info->fields[f]);
        }
    }
}

/* ---- Nodes: indices + 1, 0 for the origin ---- */

static void write_nodes(transfer *t) {
    int nodes = t->store->type->info.nodes;
    sn_archive_cursor cursor =
        sn_archive_open(t->a, "node", SN_ARCHIVE_U32, t->count * (size_t)nodes);
    for (size_t i = 0; i < t->count; i++) {
        sn_members members = sn_store_members(t->store, place_of(t, i));
        for (int n = 0; n < nodes; n++) {
            int32_t index = sn_member(members, n);
            uint32_t number = index < 0 ? 0 : (uint32_t)index + 1;
            sn_archive_next(t->a, &cursor, &number);
        }
    }
}

static int32_t checked_node(transfer *t, size_t i, uint32_t number) {
    const sn_slots *slots = &t->world->nodes.slots;
    if (number > 0 && number <= slots->count && slots->alive[number - 1])
        return (int32_t)number - 1;
    sn_archive_fail(t->a, "constraint %zu has node %u, which there is none of", i, number);
    return 0;
}

static void read_members(transfer *t, sn_archive_cursor *cursor, size_t i, sn_draft *draft) {
    const sn_type_info *info = &t->store->type->info;
    const sn_world *world = t->world;
    for (int n = 0; n < info->nodes && !failed(t); n++) {
        uint32_t number = 0;
        bool fixed = n >= info->nodes - info->fixed_nodes;
        sn_archive_next(t->a, cursor, &number);
        int32_t node = fixed && number == 0 ? SN_NODE_ORIGIN : checked_node(t, i, number);
        draft->offset[n] = node * SN_NODE_BYTES;
        for (int k = 0; k < n; k++)
            if (node >= 0 && draft->offset[k] == draft->offset[n])
                sn_archive_fail(t->a, "constraint %zu has node %u twice", i, number);
        if (fixed && node >= 0 && world->nodes.w[node] > 0)
            sn_archive_fail(t->a, "constraint %zu reads node %u, which is not kinematic", i,
                            number);
        if (n >= info->frames || failed(t)) continue;
        int32_t frame = node < 0 ? SN_NODE_ORIGIN : (int32_t)world->nodes.frame[node] - 1;
        if (node >= 0 && frame < 0)
            sn_archive_fail(t->a, "constraint %zu needs node %u to be oriented", i, number);
        draft->offset[info->nodes + n] = frame * SN_NODE_BYTES;
    }
}

/* ---- Lists ---- */

/* Sums of what all lists of a colour have. */
typedef struct totals {
    size_t nodes, triangles;
} totals;

static totals total_of(const transfer *t) {
    totals sum = {0};
    for (size_t i = 0; i < t->count; i++) {
        const sn_list *list = sn_store_list(t->store, place_of(t, i));
        sum.nodes += list->count;
        sum.triangles += list->triangles;
    }
    return sum;
}

/* Places at rest: of all regions, and of surfaces where one of the colour has them. */
static bool has_rest(const transfer *t) {
    sn_list_kind kind = t->store->type->info.list;
    if (kind != SN_LIST_SURFACE) return kind == SN_LIST_REGION;
    for (size_t i = 0; i < t->count; i++)
        if (sn_list_has_rest(sn_store_list(t->store, place_of(t, i)))) return true;
    return false;
}

static void write_rest(transfer *t, size_t nodes) {
    sn_archive *a = t->a;
    sn_archive_cursor cursor = sn_archive_open(a, "rest", SN_ARCHIVE_REAL, 3 * nodes);
    for (size_t i = 0; i < t->count; i++) {
        const sn_list *list = sn_store_list(t->store, place_of(t, i));
        for (size_t n = 0; n < list->count; n++) {
            sn_archive_next(a, &cursor, &list->rest[n].x);
            sn_archive_next(a, &cursor, &list->rest[n].y);
            sn_archive_next(a, &cursor, &list->rest[n].z);
        }
    }
}

/* Weights of the nodes of surfaces, as what is missing to 1, where one of the colour misses
   anything. */
static void write_weights(transfer *t, size_t nodes) {
    bool any = false;
    for (size_t i = 0; i < t->count; i++) {
        const sn_list *list = sn_store_list(t->store, place_of(t, i));
        for (size_t n = 0; n < list->count; n++) any |= list->rest[n].w != 0;
    }
    if (!any) return;
    sn_archive_cursor cursor = sn_archive_open(t->a, "missing", SN_ARCHIVE_REAL, nodes);
    for (size_t i = 0; i < t->count; i++) {
        const sn_list *list = sn_store_list(t->store, place_of(t, i));
        for (size_t n = 0; n < list->count; n++) sn_archive_next(t->a, &cursor, &list->rest[n].w);
    }
}

static void write_turns(transfer *t) {
    sn_archive *a = t->a;
    sn_archive_cursor cursor = sn_archive_open(a, "turn", SN_ARCHIVE_REAL, 4 * t->count);
    for (size_t i = 0; i < t->count; i++)
        for (int k = 0; k < 4; k++)
            sn_archive_next(a, &cursor, &sn_store_list(t->store, place_of(t, i))->turn[k]);
}

static void write_lists(transfer *t) {
    totals sum = total_of(t);
    sn_archive *a = t->a;
    sn_archive_cursor cursor = sn_archive_open(a, "list", SN_ARCHIVE_U32, 2 * t->count);
    for (size_t i = 0; i < t->count; i++) {
        const sn_list *list = sn_store_list(t->store, place_of(t, i));
        uint32_t counts[2] = {(uint32_t)list->count, (uint32_t)list->triangles};
        sn_archive_next(a, &cursor, &counts[0]);
        sn_archive_next(a, &cursor, &counts[1]);
    }
    cursor = sn_archive_open(a, "node", SN_ARCHIVE_U32, sum.nodes);
    for (size_t i = 0; i < t->count; i++) {
        const sn_list *list = sn_store_list(t->store, place_of(t, i));
        for (size_t n = 0; n < list->count; n++) {
            uint32_t number = (uint32_t)(list->offset[n] / SN_NODE_BYTES) + 1;
            sn_archive_next(a, &cursor, &number);
        }
    }
    cursor = sn_archive_open(a, "triangle", SN_ARCHIVE_U32, 3 * sum.triangles);
    for (size_t i = 0; i < t->count; i++) {
        const sn_list *list = sn_store_list(t->store, place_of(t, i));
        for (size_t k = 0; k < 3 * list->triangles; k++)
            sn_archive_next(a, &cursor, &list->triangle[k]);
    }
    size_t numbers = sn_list_numbers(t->store->type->info.list);
    cursor = sn_archive_open(a, "c", SN_ARCHIVE_REAL, numbers * sum.nodes);
    for (size_t i = 0; i < t->count; i++) {
        const sn_list *list = sn_store_list(t->store, place_of(t, i));
        for (size_t n = 0; n < numbers * list->count; n++) sn_archive_next(a, &cursor, &list->c[n]);
    }
    if (has_rest(t)) write_rest(t, sum.nodes);
    if (t->store->type->info.list == SN_LIST_SURFACE) write_weights(t, sum.nodes);
    if (t->store->type->info.list == SN_LIST_REGION) write_turns(t);
}

/* Where the lists of a colour are read from. */
typedef struct list_cursors {
    sn_archive_cursor list, node, triangle, c, rest, missing, turn;
    bool rested;   /* whether there are places at rest */
    bool weighted; /* and weights of nodes */
} list_cursors;

static list_cursors open_lists(transfer *t) {
    list_cursors from = {
        .list = sn_archive_open(t->a, "list", SN_ARCHIVE_U32, 2 * t->count),
        .node = sn_archive_open(t->a, "node", SN_ARCHIVE_U32, sn_archive_count(t->a, "node")),
        .triangle =
            sn_archive_open(t->a, "triangle", SN_ARCHIVE_U32, sn_archive_count(t->a, "triangle")),
        .c = sn_archive_open(t->a, "c", SN_ARCHIVE_REAL, sn_archive_count(t->a, "c")),
    };
    bool region = t->store->type->info.list == SN_LIST_REGION;
    from.rested =
        region || (t->store->type->info.list == SN_LIST_SURFACE && sn_archive_has(t->a, "rest"));
    if (from.rested)
        from.rest = sn_archive_open(t->a, "rest", SN_ARCHIVE_REAL, 3 * from.node.count);
    from.weighted = t->store->type->info.list == SN_LIST_SURFACE && sn_archive_has(t->a, "missing");
    if (from.weighted)
        from.missing = sn_archive_open(t->a, "missing", SN_ARCHIVE_REAL, from.node.count);
    if (region) from.turn = sn_archive_open(t->a, "turn", SN_ARCHIVE_REAL, 4 * t->count);
    return from;
}

/* The counts of the next list, which what is left in the columns must suffice for. */
static bool read_counts(transfer *t, list_cursors *from, size_t i, uint32_t counts[2]) {
    sn_list_kind kind = t->store->type->info.list;
    sn_archive_next(t->a, &from->list, &counts[0]);
    sn_archive_next(t->a, &from->list, &counts[1]);
    if (failed(t)) return false;
    if (counts[0] < (uint32_t)t->store->type->info.nodes ||
        counts[0] > from->node.count - from->node.next ||
        counts[0] > (from->c.count - from->c.next) / sn_list_numbers(kind) ||
        counts[1] > (from->triangle.count - from->triangle.next) / 3 ||
        (kind == SN_LIST_SURFACE) != (counts[1] > 0))
        sn_archive_fail(t->a,
                        "constraint %zu has a list of %u nodes and %u triangles, which are "
                        "not there",
                        i, counts[0], counts[1]);
    return !failed(t);
}

/* Places at rest, and of regions the rotation. */
static void read_rest(transfer *t, list_cursors *from, size_t i, sn_list *list) {
    sn_real sum = 0, square = 0;
    bool region = list->kind == SN_LIST_REGION;
    for (size_t n = 0; !failed(t) && n < list->count; n++) {
        sn_vec4 *rest = &list->rest[n];
        *rest = (sn_vec4){0};
        sn_archive_next(t->a, &from->rest, &rest->x);
        sn_archive_next(t->a, &from->rest, &rest->y);
        sn_archive_next(t->a, &from->rest, &rest->z);
        sum += (rest->x - rest->x) + (rest->y - rest->y) + (rest->z - rest->z);
        sum += list->c[n] - list->c[n];
        if (!failed(t) && list->c[n] < 0) sum = SN_INFINITY;
    }
    for (int k = 0; region && !failed(t) && k < 4; k++) {
        sn_archive_next(t->a, &from->turn, &list->turn[k]);
        square += list->turn[k] * list->turn[k];
    }
    bool turned = !region || (square > SN_R(0.99) && square < SN_R(1.01));
    if (!failed(t) && !(sum == 0 && turned))
        sn_archive_fail(t->a, "constraint %zu has a shape that is none", i);
}

static void read_weights(transfer *t, list_cursors *from, size_t i, sn_list *list) {
    for (size_t n = 0; !failed(t) && n < list->count; n++) {
        sn_real *missing = &list->rest[n].w;
        sn_archive_next(t->a, &from->missing, missing);
        if (!failed(t) && !(*missing >= 0 && *missing <= 1))
            sn_archive_fail(t->a, "node %zu of constraint %zu has the weight %g, expected 0 to 1",
                            n, i, 1 - (double)*missing);
    }
}

static void read_list(transfer *t, list_cursors *from, size_t i, sn_draft *draft) {
    uint32_t counts[2] = {0, 0};
    if (!read_counts(t, from, i, counts)) return;
    sn_list *list =
        sn_list_create(&t->world->memory, t->store->type->info.list, counts[0], counts[1]);
    need(t, list != NULL);
    draft->list = list;
    if (!list) return;
    for (size_t n = 0; !failed(t) && n < list->count; n++) {
        uint32_t number = 0;
        sn_archive_next(t->a, &from->node, &number);
        list->offset[n] = checked_node(t, i, number) * SN_NODE_BYTES;
    }
    for (size_t n = 0; !failed(t) && n < sn_list_numbers(list->kind) * list->count; n++)
        sn_archive_next(t->a, &from->c, &list->c[n]);
    for (size_t k = 0; !failed(t) && k < 3 * list->triangles; k++) {
        sn_archive_next(t->a, &from->triangle, &list->triangle[k]);
        if (!failed(t) && list->triangle[k] >= list->count)
            sn_archive_fail(t->a, "constraint %zu has a triangle with vertex %u of %zu", i,
                            list->triangle[k], list->count);
    }
    if (from->rested) read_rest(t, from, i, list);
    if (from->weighted) read_weights(t, from, i, list);
}

/* ---- One colour ---- */

/* A flag per constraint, where one of the colour is disabled. */
static void write_switches(transfer *t) {
    size_t off = 0;
    for (size_t i = 0; i < t->count; i++) off += sn_store_is_off(t->store, place_of(t, i));
    if (off == 0) return;
    sn_archive_cursor cursor = sn_archive_open(t->a, "off", SN_ARCHIVE_U8, t->count);
    for (size_t i = 0; i < t->count; i++) {
        uint8_t flag = sn_store_is_off(t->store, place_of(t, i));
        sn_archive_next(t->a, &cursor, &flag);
    }
}

static bool read_switch(transfer *t, sn_archive_cursor *cursor, size_t i) {
    uint8_t flag = 0;
    sn_archive_next(t->a, cursor, &flag);
    if (flag > 1)
        sn_archive_fail(t->a, "constraint %zu has the switch %u, expected 0 or 1", i, flag);
    return flag == 1;
}

static uint32_t checked_owner(transfer *t, size_t i, uint32_t owner) {
    const sn_constraints *all = &t->world->constraints;
    if (owner < all->slots.count && all->slots.alive[owner] && all->record[owner].type == UINT8_MAX)
        return owner;
    sn_archive_fail(t->a, "constraint %zu has slot %u, which is not free for it", i, owner);
    return 0;
}

/* Puts the constraints into the store one by one. Parameters are where they will be already. */
static void add_all(transfer *t) {
    bool listed = t->store->type->info.list != SN_LIST_NONE;
    int nodes = t->store->type->info.nodes;
    sn_archive_cursor owners = sn_archive_open(t->a, "owner", SN_ARCHIVE_U32, t->count), node = {0};
    sn_archive_cursor switches = {0};
    bool switched = sn_archive_has(t->a, "off");
    if (switched) switches = sn_archive_open(t->a, "off", SN_ARCHIVE_U8, t->count);
    list_cursors lists = {0};
    if (listed)
        lists = open_lists(t);
    else
        node = sn_archive_open(t->a, "node", SN_ARCHIVE_U32, t->count * (size_t)nodes);
    for (size_t i = 0; i < t->count && !failed(t); i++) {
        sn_draft draft = {.list = NULL};
        uint32_t owner = 0;
        sn_archive_next(t->a, &owners, &owner);
        owner = checked_owner(t, i, owner);
        if (listed)
            read_list(t, &lists, i, &draft);
        else
            read_members(t, &node, i, &draft);
        if (!failed(t) &&
            !sn_store_take_colour(t->store, sn_draft_members(t->store->type, &draft), t->colour))
            sn_archive_fail(t->a, "constraint %zu shares a node with another of its colour", i);
        if (failed(t)) {
            sn_list_free(&t->world->memory, draft.list);
            return;
        }
        memcpy(draft.parameter, sn_store_parameters(t->store, place_of(t, i)),
               (size_t)t->store->parameters * sizeof(sn_real));
        draft.off = switched && read_switch(t, &switches, i);
        sn_world_place_constraint(t->world, owner, t->store, t->colour, &draft);
    }
}

/* What is read off a constraint as its force; what is not finite is none. (A correction that was
   not finite may be undone by a contact or a limit that comes after it.) */
static void serialize_multipliers(transfer *t) {
    size_t rows = (size_t)t->store->type->info.rows;
    sn_archive_cursor kept = sn_archive_open(t->a, "kept", SN_ARCHIVE_REAL, t->count * rows);
    sn_archive_cursor pivot;
    for (size_t i = 0; i < t->count && !failed(t); i++)
        for (size_t r = 0; r < rows; r++) {
            sn_real *mine = sn_store_kept(t->store, place_of(t, i)) + r, value = *mine;
            if (!t->a->reading && !(value - value == 0)) value = 0;
            sn_archive_next(t->a, &kept, &value);
            if (t->a->reading) *mine = value;
        }
    pivot = sn_archive_open(t->a, "pivot", SN_ARCHIVE_REAL, t->count);
    for (size_t i = 0; i < t->count && !failed(t); i++)
        sn_archive_next(t->a, &pivot, sn_store_pivot(t->store, place_of(t, i)));
}

static bool has_impulses(const transfer *t) {
    size_t rows = (size_t)sn_dashpot_rows(t->store->type);
    for (size_t i = 0; i < t->count; i++)
        for (size_t r = 0; r < rows; r++)
            if (sn_store_impulse(t->store, place_of(t, i))[r] != 0) return true;
    return false;
}

/* Of dashpots, where any acts. */
static void serialize_impulses(transfer *t) {
    size_t rows = (size_t)sn_dashpot_rows(t->store->type);
    if (!(t->a->reading ? sn_archive_has(t->a, "impulse") : has_impulses(t))) return;
    sn_archive_cursor cursor = sn_archive_open(t->a, "impulse", SN_ARCHIVE_REAL, t->count * rows);
    for (size_t i = 0; i < t->count && !failed(t); i++)
        for (size_t r = 0; r < rows; r++)
            sn_archive_next(t->a, &cursor, sn_store_impulse(t->store, place_of(t, i)) + r);
}

/* ---- Arrays ---- */

/* Of lists, one after the other. */
static void show_lists(transfer *t) {
    sn_archive *a = t->a;
    for (size_t i = 0; i < t->count; i++) {
        sn_list *list = sn_store_list(t->store, place_of(t, i));
        size_t node = sizeof *list->offset, real = sizeof(sn_real), vector = sizeof(sn_vec4);
        sn_archive_show(a, "node", SN_ARCHIVE_U32, list->offset, node, 1, list->count);
        sn_archive_show(a, "triangle", SN_ARCHIVE_U32, list->triangle, 3 * sizeof *list->triangle,
                        3, list->triangles);
        sn_archive_show(a, "c", SN_ARCHIVE_REAL, list->c, real, 1,
                        sn_list_numbers(list->kind) * list->count);
        if (has_rest(t))
            sn_archive_show(a, "rest", SN_ARCHIVE_REAL, list->rest, vector, 3, list->count);
        if (list->kind == SN_LIST_REGION)
            sn_archive_show(a, "turn", SN_ARCHIVE_REAL, list->turn, 4 * real, 4, 1);
    }
}

/* Nodes as offsets, frames behind them: a row of 16 per block for each. */
static void show_blocks(transfer *t) {
    size_t blocks = sn_colour_blocks(colour_of(t)), bytes = sn_block_bytes(t->store->type);
    size_t rows = (size_t)sn_index_rows(t->store->type);
    sn_archive_show(t->a, "node", SN_ARCHIVE_U32, colour_of(t)->block, bytes, 16 * rows, blocks);
}

/* A colour as it is in memory. Coefficients follow from it, but for the pivots, which say what the
   multipliers are. */
static void show_colour(transfer *t) {
    const sn_constraint_type *type = t->store->type;
    sn_colour *colour = colour_of(t);
    size_t blocks = sn_colour_blocks(colour), real = sizeof(sn_real), row = 16 * real;
    size_t multipliers = sn_lambda_bytes(type), parameters = (size_t)t->store->parameters;
    sn_archive_section(t->a, "colour");
    sn_archive_flag(t->a, "forces", &t->store->kept);
    sn_archive_column(t->a, "owner", SN_ARCHIVE_U32, colour->owner, t->count);
    if (t->store->off > 0)
        sn_archive_show(t->a, "off", SN_ARCHIVE_U16, colour->off, sizeof *colour->off, 1, blocks);
    if (type->info.list == SN_LIST_NONE)
        show_blocks(t);
    else
        show_lists(t);
    sn_archive_show(t->a, "parameter", SN_ARCHIVE_REAL, colour->parameter, parameters * real,
                    parameters, t->count);
    sn_archive_show(t->a, "kept", SN_ARCHIVE_REAL, colour->lambda, multipliers,
                    (size_t)type->info.rows, t->count);
    if (has_impulses(t))
        sn_archive_show(t->a, "impulse", SN_ARCHIVE_REAL, colour->impulse, sn_impulse_bytes(type),
                        (size_t)sn_dashpot_rows(type), t->count);
    /* Whole blocks, and then as many of the last one as there are. */
    sn_real *pivot = colour->soft + 16 * SN_SOFT_PIVOT;
    sn_archive_show(t->a, "pivot", SN_ARCHIVE_REAL, pivot, SN_SOFT_ROWS * row, 16, t->count / 16);
    sn_archive_show(t->a, "pivot", SN_ARCHIVE_REAL, pivot + t->count / 16 * 16 * SN_SOFT_ROWS,
                    SN_SOFT_ROWS * row, t->count % 16, t->count % 16 > 0);
    sn_archive_section_end(t->a);
}

/* ---- A colour, written and read ---- */

static void write_colour(transfer *t) {
    sn_archive *a = t->a;
    const char *name = t->store->type->info.name;
    int colour = t->colour;
    sn_archive_section(a, "colour");
    sn_archive_column(a, "type", SN_ARCHIVE_U8, (void *)(uintptr_t)name, strlen(name));
    sn_archive_int(a, "colour", &colour, 0, SN_SEQUENTIAL);
    sn_archive_flag(a, "forces", &t->store->kept);
    sn_archive_column(a, "owner", SN_ARCHIVE_U32, colour_of(t)->owner, t->count);
    write_switches(t);
    if (t->store->type->info.list == SN_LIST_NONE)
        write_nodes(t);
    else
        write_lists(t);
    serialize_parameters(t);
    serialize_multipliers(t);
    serialize_impulses(t);
    sn_archive_section_end(a);
}

/* The store of the type that is named in the section. */
static sn_store *read_type(transfer *t) {
    char name[64] = {0};
    size_t length = sn_archive_count(t->a, "type");
    if (length >= sizeof name) {
        sn_archive_fail(t->a, "the name of the type has %zu characters", length);
        return NULL;
    }
    sn_archive_column(t->a, "type", SN_ARCHIVE_U8, name, length);
    for (size_t i = 0; i < t->world->store_count && !failed(t); i++)
        if (strcmp(t->world->store[i].type->info.name, name) == 0) return &t->world->store[i];
    for (char *c = name; *c; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    sn_archive_fail(
        t->a, "the world has no constraint type \"%s\"; a type of your own is added before", name);
    return NULL;
}

static void read_colour(transfer *t) {
    int colour = 0;
    sn_archive_section(t->a, "colour");
    t->store = read_type(t);
    sn_archive_int(t->a, "colour", &colour, 0, SN_SEQUENTIAL);
    if (failed(t)) return;
    sn_archive_flag(t->a, "forces", &t->store->kept);
    t->colour = (uint8_t)colour;
    t->count = sn_archive_count(t->a, "owner");
    if (colour_of(t)->count > 0)
        sn_archive_fail(t->a, "colour %d of %s is there twice", colour, t->store->type->info.name);
    if (t->count == 0) sn_archive_fail(t->a, "the colour has no constraints");
    if (failed(t)) return;
    need(t, sn_store_reserve_nodes(t->store, &t->world->memory, t->world->nodes.slots.count + 1) &&
                sn_store_reserve(t->store, &t->world->memory, t->colour, t->count));
    if (failed(t)) return;
    serialize_parameters(t);
    if (!failed(t)) check_parameters(t);
    if (!failed(t)) add_all(t);
    if (!failed(t)) serialize_multipliers(t);
    if (!failed(t)) serialize_impulses(t);
    sn_archive_section_end(t->a);
}

/* ---- All of them ---- */

static void write_order(sn_archive *a, sn_world *world) {
    sn_constraints *all = &world->constraints;
    sn_archive_cursor order = sn_archive_open(a, "order", SN_ARCHIVE_U32, all->slots.live);
    sn_archive_show(a, "order", SN_ARCHIVE_U32, &all->oldest, sizeof all->oldest, 1, 1);
    sn_archive_show(a, "order", SN_ARCHIVE_U32, &all->newest, sizeof all->newest, 1, 1);
    if (all->slots.count > 0) {
        size_t stride = sizeof *all->record;
        sn_archive_show(a, "order", SN_ARCHIVE_U32, &all->record->older, stride, 1,
                        all->slots.count);
        sn_archive_show(a, "order", SN_ARCHIVE_U32, &all->record->newer, stride, 1,
                        all->slots.count);
    }
    for (uint32_t next = all->oldest; next; next = all->record[next - 1].newer) {
        uint32_t index = next - 1;
        sn_archive_next(a, &order, &index);
    }
}

/* Chains the records in the order of creation; each is there once. */
static void read_order(sn_archive *a, sn_world *world) {
    sn_constraints *all = &world->constraints;
    sn_archive_cursor order = sn_archive_open(a, "order", SN_ARCHIVE_U32, all->slots.live);
    for (size_t i = 0; i < all->slots.count; i++)
        all->record[i] = (sn_constraint_record){.type = UINT8_MAX};
    for (size_t i = 0; i < all->slots.live && a->result == SN_OK; i++) {
        uint32_t index = 0;
        sn_archive_next(a, &order, &index);
        if (index >= all->slots.count || !all->slots.alive[index] || all->record[index].older > 0 ||
            all->oldest == index + 1) {
            sn_archive_fail(a, "place %zu of the order is slot %u, which is not free for it", i,
                            index);
            return;
        }
        sn_constraint_record *record = &all->record[index];
        record->older = all->newest;
        *(all->newest ? &all->record[all->newest - 1].newer : &all->oldest) = index + 1;
        all->newest = index + 1;
    }
}

static void read_all(sn_world *world, sn_archive *a) {
    sn_constraints *all = &world->constraints;
    if (a->result == SN_OK && !sn_reserve(&world->memory, (void **)&all->record, &all->capacity,
                                          all->slots.count + 1, sizeof *all->record))
        a->result = SN_ERROR_MEMORY;
    if (a->result == SN_OK) read_order(a, world);
    sn_archive_section_end(a);
    size_t placed = 0;
    while (a->result == SN_OK && sn_archive_is_next(a, "colour")) {
        transfer t = {.a = a, .world = world};
        read_colour(&t);
        placed += t.count;
    }
    if (a->result == SN_OK && placed != all->slots.live)
        sn_archive_fail(a, "%zu constraints are there, expected %zu", placed, all->slots.live);
}

void sn_world_serialize_constraints(sn_world *world, sn_archive *a) {
    sn_archive_section(a, "constr");
    sn_serialize_slots(a, &world->constraints.slots, &world->memory, UINT32_MAX - 1);
    if (a->reading) {
        read_all(world, a);
        return;
    }
    write_order(a, world);
    sn_archive_section_end(a);
    for (size_t s = 0; s < world->store_count; s++)
        for (uint8_t c = 0; c < SN_COLOURS; c++) {
            transfer t = {a, world, &world->store[s], c, world->store[s].colour[c].count};
            if (t.count > 0 && a->visit) show_colour(&t);
            if (t.count > 0 && !a->visit) write_colour(&t);
        }
}
