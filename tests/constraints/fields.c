/*
 * The tables that describe the types, for every type: they say what the definition structs are, and
 * what is written through them is read back.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include "rig.h"

/* ---- The tables and the structs ---- */

/* The structs of all types, from the list. */
typedef struct struct_facts {
    const char *name;
    size_t size;
} struct_facts;

static const struct_facts facts[] = {
#define SN_LIST_TYPE(lower, upper) {#lower, sizeof(sn_##lower##_def)},
#include <sinew/constraints/list.h>
#undef SN_LIST_TYPE
};

/* What comes before the fields: the size, and the nodes or the list of them. */
static size_t head_size(const sn_type_info *info) {
    size_t nodes = (size_t)info->nodes * sizeof(sn_node);
    return sizeof(size_t) + (info->list == SN_LIST_NONE ? nodes : sizeof(rig_list));
}

/* The default definition of a type as bytes. */
static void default_of(int type, rig_def *def) {
    switch (type) {
#define SN_LIST_TYPE(lower, upper)                                                                 \
    case SN_TYPE_##upper: {                                                                        \
        sn_##lower##_def made = sn_##lower##_def_default();                                        \
        memcpy(def, &made, sizeof made);                                                           \
        break;                                                                                     \
    }
#include <sinew/constraints/list.h>
#undef SN_LIST_TYPE
    default:
        break;
    }
}

TEST(tables_describe_the_structs) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        check_case("%s", facts[type].name);
        if (!CHECK(info != NULL)) {
            continue;
        }
        CHECK(strcmp(info->name, facts[type].name) == 0);
        CHECK(strlen(info->meaning) > 0);
        CHECK(info->def_size == facts[type].size);
        CHECK(info->def_size <= RIG_MAX_DEF);
        CHECK(info->fields[0].offset == head_size(info));
        CHECK(info->fixed_nodes >= 0 && info->fixed_nodes < info->nodes);
        CHECK(info->frames >= 0 && info->frames <= info->nodes);
        CHECK(info->rows >= 1 && info->rows <= SN_MAX_ROWS);
        sn_type found = SN_TYPE_COUNT;
        CHECK_OK(sn_type_by_name(info->name, &found));
        CHECK((int)found == type);
    }
    CHECK(sn_type_get_info(SN_TYPE_COUNT) == NULL);
}

TEST(default_functions_follow_the_tables) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        static const sn_node none[RIG_MAX_NODES];
        rig_def from_function;
        rig_def from_table;
        memset(&from_function, 0, sizeof from_function);
        default_of(type, &from_function);
        rig_def from_type = {0};
        CHECK_OK(sn_type_default((sn_type)type, &from_type));
        CHECK(memcmp(&from_type, &from_function, info->def_size) == 0);
        rig_def_fill(info, none, &from_table);
        CHECK(from_function.size == info->def_size);
        size_t head = head_size(info);
        CHECK(info->list != SN_LIST_NONE || memcmp(&from_function, &from_table, head) == 0);
        for (size_t i = 0; i < info->field_count; i++) {
            const sn_field_info *field = &info->fields[i];
            check_case("%s, field %s", info->name, field->name);
            size_t bytes = field->kind == SN_FIELD_SIDE     ? sizeof(sn_side)
                           : field->kind == SN_FIELD_CHOICE ? sizeof(int)
                           : field->kind == SN_FIELD_VEC3   ? sizeof(sn_vec3)
                                                            : sizeof(sn_real);
            CHECK(field->offset >= head && field->offset + bytes <= info->def_size);
            CHECK(memcmp(from_function.bytes + field->offset, from_table.bytes + field->offset,
                         bytes) == 0);
            CHECK(strlen(field->name) > 0 && strlen(field->meaning) > 0);
            CHECK(field->least < field->most);
            CHECK(field->automatic || field->standard >= field->least);
            CHECK(field->standard <= field->most);
            for (size_t j = 0; j < i; j++) {
                CHECK(strcmp(field->name, info->fields[j].name) != 0);
            }
        }
    }
}

TEST(every_type_has_the_common_fields) {
    static const char *const names[] = {
#define NAME(kind, name, unit, least, most, standard, automatic, meaning) #name,
        SN_COMMON_FIELDS(NAME)
#undef NAME
    };
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        const sn_type_info *info = sn_type_get_info((sn_type)type);
        check_case("%s", info->name);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
            CHECK(i < info->field_count && strcmp(info->fields[i].name, names[i]) == 0);
        }
    }
}

/* ---- Reading and writing ---- */

/* A value inside the range of a field that is not its default; vectors in turn differ, so that
   three of them can be the edges of something. */
static sn_real another(const sn_field_info *field, int turn) {
    int component = turn % 3;
    double value = field->kind == SN_FIELD_SIDE     ? 0
                   : field->kind == SN_FIELD_CHOICE ? 1
                                                    : 0.25 + component / 8.0;
    return (sn_real)fmin(fmax(value, field->least), field->most);
}

TEST(fields_are_read_back) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        rig_options options = rig_options_default();
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        for (size_t i = 0; i < r.info->field_count; i++) {
            const sn_field_info *field = &r.info->fields[i];
            check_case("%s, field %s", r.info->name, field->name);
            int components = field->kind == SN_FIELD_VEC3 ? 3 : 1;
            int turn = components == 3 ? (int)i : 0;
            sn_real set[3] = {another(field, turn), another(field, turn + 1),
                              another(field, turn + 2)};
            sn_real got[3] = {0, 0, 0};
            rig_def def;
            CHECK_OK(sn_constraint_set_field(r.world, r.constraint, field->name, set));
            CHECK_OK(sn_constraint_get_field(r.world, r.constraint, field->name, got));
            rig_def_fill(r.info, r.node, &def);
            CHECK_OK(sn_constraint_get(r.world, r.constraint, &def));
            for (int c = 0; c < components; c++) {
                CHECK(got[c] == set[c]);
                if (field->kind != SN_FIELD_SIDE && field->kind != SN_FIELD_CHOICE) {
                    sn_real in_def;
                    memcpy(&in_def, def.bytes + field->offset + (size_t)c * sizeof in_def,
                           sizeof in_def);
                    CHECK(in_def == set[c]);
                }
            }
        }
        rig_free(&r);
    }
}

/* Gives the rig a new constraint like its own, but for one field unless that is null. */
static sn_result make_with(rig *r, const sn_field_info *field, const sn_real set[3]) {
    rig_def def;
    rig_def_fill(r->info, r->node, &def);
    REQUIRE_OK(sn_constraint_get(r->world, r->constraint, &def));
    if (field && (field->kind == SN_FIELD_SIDE || field->kind == SN_FIELD_CHOICE))
        rig_field_set(field, &def, (double)set[0]);
    else if (field)
        memcpy(def.bytes + field->offset, set,
               sizeof *set * (field->kind == SN_FIELD_VEC3 ? 3 : 1));
    REQUIRE_OK(sn_constraint_destroy(r->world, r->constraint));
    return sn_constraint_create(r->world, r->type, &def, &r->constraint);
}

/* A constraint that is told something later is the one that was made with it, whatever was measured
   when it was made. */
TEST(what_is_set_is_as_what_was_made) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        size_t fields = sn_type_get_info((sn_type)type)->field_count;
        for (size_t i = 0; i < fields; i++) {
            rig_options options = rig_options_default();
            options.compliance = 1e-3;
            rig told, made;
            REQUIRE_OK(rig_make(&told, (sn_type)type, &options));
            REQUIRE_OK(rig_make(&made, (sn_type)type, &options));
            const sn_field_info *field = &told.info->fields[i];
            int turn = field->kind == SN_FIELD_VEC3 ? (int)i : 0;
            sn_real set[3] = {another(field, turn), another(field, turn + 1),
                              another(field, turn + 2)};
            check_case("%s, field %s", told.info->name, field->name);
            /* Both are made where the nodes are now. */
            REQUIRE_OK(make_with(&told, NULL, NULL));
            sn_result result = make_with(&made, field, set);
            CHECK(sn_constraint_set_field(told.world, told.constraint, field->name, set) == result);
            for (int k = 0; result == SN_OK && k < 2; k++) {
                rig *r = k == 0 ? &told : &made;
                rig_deform(r, 0.2, 4);
                REQUIRE_OK(sn_world_step(r->world, (sn_real)0.01));
            }
            /* Some break, then both do. */
            bool whole = sn_constraint_is_valid(told.world, told.constraint);
            CHECK(sn_constraint_is_valid(made.world, made.constraint) == whole);
            if (result == SN_OK && whole) {
                rig_value one = rig_evaluate(&told), other = rig_evaluate(&made);
                CHECK(memcmp(one.c, other.c, sizeof one.c) == 0);
                rig_state x = rig_get_state(&made);
                CHECK(rig_moved_by(&told, &x) == 0);
            }
            rig_free(&told);
            rig_free(&made);
        }
    }
}

/* What is read can be written: nothing changes, and a second constraint made of it is the same. */
TEST(definitions_go_round) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        rig_options options = rig_options_default();
        options.compliance = 1e-3;
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        check_case("%s", r.info->name);
        rig_deform(&r, 0.2, 4);
        rig_value before = rig_evaluate(&r);
        rig_def first;
        rig_def second;
        rig_def_fill(r.info, r.node, &first);
        CHECK_OK(sn_constraint_get(r.world, r.constraint, &first));
        CHECK_OK(sn_constraint_set(r.world, r.constraint, &first));
        rig_def_fill(r.info, r.node, &second);
        CHECK_OK(sn_constraint_get(r.world, r.constraint, &second));
        CHECK(memcmp(&first, &second, r.info->def_size) == 0);
        rig_value after = rig_evaluate(&r);
        CHECK(memcmp(before.c, after.c, sizeof before.c) == 0);
        sn_type got = SN_TYPE_COUNT;
        CHECK_OK(sn_constraint_get_type(r.world, r.constraint, &got));
        CHECK((int)got == type);
        rig_free(&r);
    }
}

/* A value set from outside acts from the next substep on. */
TEST(changed_compliance_acts) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        rig_options options = rig_options_default();
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        check_case("%s", r.info->name);
        rig_deform(&r, 0.2, 4);
        sn_real soft[3] = {(sn_real)1e30, 0, 0};
        sn_real hard[3] = {0, 0, 0};
        rig_state x = rig_get_state(&r);
        CHECK_OK(sn_constraint_set_field(r.world, r.constraint, "compliance", soft));
        REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
        CHECK_NEAR(rig_moved_by(&r, &x), 0, 1e-6);
        CHECK_OK(sn_constraint_set_field(r.world, r.constraint, "compliance", hard));
        REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
        CHECK(rig_moved_by(&r, &x) > 1e-3);
        rig_free(&r);
    }
}

/* A direction is one whatever its length. */
TEST(directions_have_no_length) {
    int found = 0;
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        const sn_real once[3] = {(sn_real)0.1, (sn_real)0.2, (sn_real)-0.15};
        const sn_real often[3] = {(sn_real)3.2, (sn_real)6.4, (sn_real)-4.8};
        rig_options options = rig_options_default();
        rig r;
        REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
        check_case("%s", r.info->name);
        rig_deform(&r, 0.2, 4);
        if (sn_constraint_set_field(r.world, r.constraint, "direction", once) == SN_OK) {
            rig_value before = rig_evaluate(&r);
            CHECK_OK(sn_constraint_set_field(r.world, r.constraint, "direction", often));
            CHECK_REL(rig_evaluate(&r).c[0], before.c[0], 1e-4);
            found++;
        }
        rig_free(&r);
    }
    CHECK(found > 0);
}

/* Stiffness 0 does nothing in the 2007 model, and any other value leaves 1 - k of C in one sweep
   or in ten, up to the curvature of C. */
TEST(stiffness_of_the_2007_model) {
    for (int type = 0; type < SN_TYPE_COUNT; type++) {
        for (int iterations = 1; iterations <= 10; iterations += 9) {
            check_case("%s, iterations %d", sn_type_get_info((sn_type)type)->name, iterations);
            rig_options options = rig_options_default();
            options.settings.model = SN_MODEL_PBD;
            options.settings.iterations = iterations;
            rig_state x;
            rig r;

            options.stiffness = 0;
            REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
            rig_deform(&r, 0.2, 4);
            x = rig_get_state(&r);
            REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
            CHECK(rig_moved_by(&r, &x) == 0);
            rig_free(&r);

            options.stiffness = 0.75;
            REQUIRE_OK(rig_make(&r, (sn_type)type, &options));
            if (r.lengths) {
                rig_free(&r);
                continue;
            }
            CHECK(rig_drive(&r, NULL));
            double target[SN_MAX_ROWS] = {0.01 * rig_evaluate(&r).size};
            CHECK(rig_drive(&r, target));
            REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
            CHECK_REL(rig_evaluate(&r).norm, 0.25 * target[0], 0.05);
            rig_free(&r);
        }
    }
}

/* Where a sweep with this stiffness brings what is deformed a little. */
static rig_state swept(sn_type type, uint64_t seed, double stiffness, rig_state *before) {
    rig_options options = rig_options_default();
    options.settings.model = SN_MODEL_PBD;
    options.stiffness = stiffness;
    options.seed = seed;
    rig r;
    REQUIRE_OK(rig_make(&r, type, &options));
    CHECK(rig_drive(&r, NULL));
    rig_deform(&r, 0.01, seed + 3);
    *before = rig_get_state(&r);
    REQUIRE_OK(sn_world_step(r.world, (sn_real)0.01));
    rig_state after = rig_get_state(&r);
    rig_free(&r);
    return after;
}

/* Of every row alike: half as stiff, all nodes go half as far, and turn half as far. */
TEST(stiffness_is_a_part_of_the_way) {
    for (int type = 0; type < SN_TYPE_COUNT; type++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            check_case("%s, seed %d", sn_type_get_info((sn_type)type)->name, (int)seed);
            rig_state x, all = swept((sn_type)type, seed, 1, &x);
            rig_state half = swept((sn_type)type, seed, 0.5, &x);
            double way = 0, off = 0;
            for (int n = 0; n < RIG_MAX_NODES; n++)
                for (int k = 0; k < 4; k++) {
                    double full = all.q[n][k] - x.q[n][k], part = half.q[n][k] - x.q[n][k];
                    way = fmax(way, fabs(full));
                    off = fmax(off, fabs(part - full / 2));
                    if (k == 3) continue;
                    full = all.x[n][k] - x.x[n][k];
                    part = half.x[n][k] - x.x[n][k];
                    way = fmax(way, fabs(full));
                    off = fmax(off, fabs(part - full / 2));
                }
            CHECK(way > 1e-4);
            CHECK_NEAR(off, 0, 0.01 * way);
        }
}

TESTS(RUN(tables_describe_the_structs), RUN(default_functions_follow_the_tables),
      RUN(every_type_has_the_common_fields), RUN(fields_are_read_back),
      RUN(what_is_set_is_as_what_was_made), RUN(definitions_go_round), RUN(changed_compliance_acts),
      RUN(stiffness_of_the_2007_model), RUN(directions_have_no_length),
      RUN(stiffness_is_a_part_of_the_way))
