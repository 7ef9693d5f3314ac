/* The tables of a scene that are made: with the fields of types, kinds and objects that the library
   lists. */
#include "io/scene/scene_rows.h"

#include <sinew/support.h>

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The default of a field of the library, as text. */
static void write_standard(const sn_field_info *info, const char *names, char text[24]) {
    if (info->kind == SN_FIELD_SIDE || info->kind == SN_FIELD_CHOICE) {
        for (int i = 0; i < (int)info->standard; i++) names = strchr(names, '|') + 1;
        snprintf(text, 24, "\"%.*s\"", (int)strcspn(names, "|"), names);
    } else if (info->kind == SN_FIELD_BOOL) {
        snprintf(text, 24, info->standard != 0 ? "true" : "false");
    } else if (info->automatic && info->standard == (double)SN_AUTO) {
        snprintf(text, 24, "\"auto\"");
    } else if (info->kind == SN_FIELD_VEC3 || info->kind == SN_FIELD_QUAT) {
        int numbers = info->kind == SN_FIELD_VEC3 ? 3 : 4;
        for (int i = 0, at = 0; i < numbers; i++)
            at += snprintf(text + at, 24 - (size_t)at, "%s%g%s", i == 0 ? "[" : ", ",
                           info->standards ? info->standards[i] : info->standard,
                           i + 1 == numbers ? "]" : "");
    } else {
        snprintf(text, 24, "%g", (double)(sn_real)info->standard);
    }
}

/* What a scene can say of the kinds of fields; the others are not its own. */
static const struct {
    bool said;
    scene_kind kind;
} kinds[] = {[SN_FIELD_REAL] = {true, SCENE_REAL},     [SN_FIELD_VEC3] = {true, SCENE_VEC3},
             [SN_FIELD_SIDE] = {true, SCENE_CHOICE},   [SN_FIELD_CHOICE] = {true, SCENE_CHOICE},
             [SN_FIELD_INT] = {true, SCENE_INT},       [SN_FIELD_BOOL] = {true, SCENE_BOOL},
             [SN_FIELD_QUAT] = {true, SCENE_ROTATION}, [SN_FIELD_BODY] = {false, SCENE_TEXT}};

/* A field of the library as a field of a scene. */
static scene_field field_of(const sn_field_info *info, size_t base, char standard[24]) {
    scene_field f = {.name = info->name,
                     .kind = kinds[info->kind].kind,
                     .unit = info->kind == SN_FIELD_SIDE ? "both|at_least|at_most" : info->unit,
                     .least = info->least,
                     .most = info->most,
                     .standard = standard,
                     .meaning = info->meaning,
                     .offset = base + info->offset,
                     .automatic = info->automatic};
    write_standard(info, f.unit, standard);
    return f;
}

static scene_object variant_of(scene_tables *t, size_t *used, const char *name, const char *meaning,
                               const sn_field_info *fields, size_t count, size_t base) {
    scene_object object = {
        .name = name, .meaning = meaning, .fields = t->fields + *used, .count = count};
    for (size_t i = 0; i < count; i++, (*used)++)
        t->fields[*used] = field_of(&fields[i], base, t->standards[*used]);
    return object;
}

/* ---- Objects whose definitions the library lists ---- */

/* The rows of an object, and then the fields of definitions: where they are in the struct that is
   filled, which of them a scene does not say, and which it has to. */
typedef struct listing {
    const char *object;
    size_t base;
    const char *left_out, *needed;
    const char *changing; /* which may change while a scene runs */
} listing;

/* Whether a name is one of a list, with a space after each. */
static bool is_among(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && at[length] == ' ') return true;
    return false;
}

static void add_listed(scene_tables *t, size_t *used, scene_object *to, const listing *from) {
    const sn_object_info *info = sn_object_by_name(from->object);
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *f = &info->fields[i];
        if (!kinds[f->kind].said || is_among(from->left_out, f->name)) continue;
        t->fields[*used] = field_of(f, from->base, t->standards[*used]);
        if (is_among(from->needed, f->name)) t->fields[*used].standard = NULL;
        t->fields[*used].changes = is_among(from->changing, f->name);
        (*used)++;
        to->count++;
    }
}

size_t sn_scene_list_fields(const sn_object_info *info, scene_field *fields,
                            char (*standards)[24]) {
    size_t count = 0;
    for (size_t i = 0; i < info->field_count; i++)
        if (kinds[info->fields[i].kind].said) {
            fields[count] = field_of(&info->fields[i], 0, standards[count]);
            count++;
        }
    return count;
}

/* A constraint of the scene's own: what all types have, where definitions of added types have it,
   and its formula. */
static const scene_field formula_fields[] = {
    FIELD(TEXT, "expression", scene_constraint_part, expression, NULL,
          "C of the positions of its nodes, such as \"distance(a, b) - 1\", see above"),
    FIELD(TEXTS, "names", scene_constraint_part, names, "a, b, c and so on",
          "that the nodes have in the expression, in their order")};
static const size_t formula_places[] = {AT(sn_user_def, side), AT(sn_user_def, compliance),
                                        AT(sn_user_def, damping), AT(sn_user_def, stiffness),
                                        AT(sn_user_def, break_force)};
static_assert(sizeof(sn_user_def) <= SCENE_DEF_BYTES, "a definition of an added type fits");

static size_t count_fields(void) {
    const scene_object *own[] = {&sn_scene_contact_object,        &sn_scene_damping_group_object,
                                 &sn_scene_crowd_object,          &sn_scene_dough_object,
                                 &sn_scene_fluid_object,          &sn_scene_hierarchy_object,
                                 &sn_scene_shape_matching_object, &sn_scene_animation_target_object,
                                 &sn_scene_body_object,           &sn_scene_settings_object,
                                 &sn_scene_node_object,           &sn_scene_collider_object,
                                 &sn_scene_surface_object,        &sn_scene_cut_object,
                                 &sn_scene_robot_object,          &sn_scene_emitter_object,
                                 &sn_scene_drain_object,          &sn_scene_action_object,
                                 &sn_scene_air_mesh_object,       &sn_scene_diffusion_object,
                                 &sn_scene_source_object,         &sn_scene_effector_object};
    size_t total = sn_scene_root_object.count + COUNT(formula_fields) + COUNT(formula_places);
    const sn_object_info *info;
    for (size_t i = 0; i < COUNT(own); i++) total += own[i]->count;
    /* Robots have the fields of bodies, too. */
    total += sn_object_by_name("body")->field_count;
    for (size_t i = 0; (info = sn_world_object_info(NULL, i)); i++) total += info->field_count;
    for (int i = 0; i < SN_TYPE_COUNT; i++) total += sn_type_get_info((sn_type)i)->field_count;
    for (int i = 0; i < SN_KIND_COUNT; i++) total += sn_kind_get_info((sn_kind)i)->field_count;
    return total;
}

/* Fields of numbers may change: one of them, or all. */
static void mark_changing(scene_object *object, const char *name) {
    scene_field *fields = (scene_field *)(uintptr_t)object->fields; /* of the tables */
    for (size_t i = 0; i < object->count; i++)
        if (!name || strcmp(name, fields[i].name) == 0)
            fields[i].changes = fields[i].kind == SCENE_REAL || fields[i].kind == SCENE_VEC3;
}

static scene_object formula_of(scene_tables *t, size_t *used) {
    const sn_type_info *any = sn_type_get_info((sn_type)0);
    scene_object object =
        variant_of(t, used, "formula", "a constraint of the scene's own", any->fields,
                   COUNT(formula_places), AT(scene_constraint_part, def));
    scene_field *fields = t->fields + *used - object.count;
    for (size_t i = 0; i < object.count; i++)
        fields[i].offset = AT(scene_constraint_part, def) + formula_places[i];
    mark_changing(&object, NULL);
    t->formula = object;
    memcpy(t->fields + *used, formula_fields, sizeof formula_fields);
    *used += COUNT(formula_fields);
    object.count += COUNT(formula_fields);
    return object;
}

static void fill_variants(scene_tables *t, size_t *used) {
    for (int i = 0; i < SN_TYPE_COUNT; i++) {
        const sn_type_info *info = sn_type_get_info((sn_type)i);
        t->types[i] = variant_of(t, used, info->name, info->meaning, info->fields,
                                 info->field_count, AT(scene_constraint_part, def));
        mark_changing(&t->types[i], NULL);
    }
    for (int i = 0; i < SN_KIND_COUNT; i++) {
        const sn_kind_info *info = sn_kind_get_info((sn_kind)i);
        t->kinds[i] = variant_of(t, used, info->name, info->meaning, info->fields,
                                 info->field_count, AT(scene_material, fields));
        for (size_t k = 0; k < t->kinds[i].count; k++)
            if (sn_scene_material_changes((sn_kind)i, t->kinds[i].fields[k].name))
                mark_changing(&t->kinds[i], t->kinds[i].fields[k].name);
    }
    t->types[SN_TYPE_COUNT] = formula_of(t, used);
    t->constraint = sn_scene_constraint_object;
    t->constraint.variant_key = "type";
    t->constraint.variants = t->types;
    t->constraint.variant_count = SN_TYPE_COUNT + 1;
    t->material = sn_scene_material_object;
    t->material.variant_key = "kind";
    t->material.variants = t->kinds;
    t->material.variant_count = SN_KIND_COUNT;
}

/* A copy of a static table, in which some fields refer to objects that are made here. */
static scene_field *copy_fields(scene_tables *t, size_t *used, const scene_field *fields,
                                size_t count) {
    scene_field *copy = t->fields + *used;
    if (count > 0) memcpy(copy, fields, count * sizeof *copy);
    *used += count;
    return copy;
}

static void point_at(scene_object *in, const char *name, const scene_object *of) {
    scene_field *fields = (scene_field *)(uintptr_t)in->fields; /* of the tables, which are ours */
    for (size_t i = 0; i < in->count; i++)
        if (strcmp(fields[i].name, name) == 0) fields[i].of = of;
}

static void begin_listed(scene_tables *t, size_t *used, scene_object *to, const scene_object *own) {
    *to = *own;
    to->fields = copy_fields(t, used, own->fields, own->count);
}

/* Where a collider is, is a matter of motions. */
#define COLLIDERS_CHANGING                                                                         \
    "radius extent velocity angular_velocity static_friction dynamic_friction restitution "        \
    "recovery_speed "
#define SETTINGS_CHANGING                                                                          \
    "gravity relaxation damping speed_limit sleep_time sleep_speed air_density wind "              \
    "gust_strength gust_length gust_period "
#define EFFECTORS_CHANGING                                                                         \
    "position axis strength falloff falloff_length min_distance max_distance linear_drag "         \
    "quadratic_drag rest_length eddy_size eddy_period "
#define SURFACES_CHANGING "static_friction dynamic_friction restitution rolling_resistance "

static void fill_listed(scene_tables *t, size_t *used) {
    const struct {
        scene_object *to;
        const scene_object *own;
        listing from[2];
    } all[] = {
        {&t->settings,
         &sn_scene_settings_object,
         {{"settings", 0, "substeps ", NULL, SETTINGS_CHANGING}}},
        {&t->body, &sn_scene_body_object, {{"body", AT(scene_body_part, body), NULL, NULL, NULL}}},
        {&t->robot,
         &sn_scene_robot_object,
         {{"body", AT(scene_robot_part, place.body), "rolls ", NULL, NULL}}},
        {&t->node,
         &sn_scene_node_object,
         {{"node", AT(scene_node_part, def), "inverse_mass ", NULL, NULL}}},
        {&t->collider,
         &sn_scene_collider_object,
         {{"collider", AT(scene_collider_part, def), "orientation ", NULL, COLLIDERS_CHANGING}}},
        {&t->surface,
         &sn_scene_surface_object,
         {{"contact_pair", AT(scene_surface_part, def), NULL, NULL, SURFACES_CHANGING}}},
        {&t->cut,
         &sn_scene_cut_object,
         {{"blade", AT(scene_cut_part, blade), "kind ", NULL, NULL}}},
        {&t->emitter,
         &sn_scene_emitter_object,
         {{"emitter", AT(scene_emitter_part, def), "orientation ", NULL, NULL}}},
        {&t->drain,
         &sn_scene_drain_object,
         {{"drain", AT(scene_drain_part, def), "orientation ", NULL, NULL}}},
        {&t->diffusion,
         &sn_scene_diffusion_object,
         {{"diffusion", AT(scene_diffusion_part, def), NULL, NULL, NULL}}},
        {&t->source,
         &sn_scene_source_object,
         {{"source", AT(scene_source_part, def), "orientation ", NULL, NULL}}},
        {&t->effector,
         &sn_scene_effector_object,
         {{"effector", AT(scene_effector_part, def), NULL, NULL, EFFECTORS_CHANGING}}},
        {&t->contact,
         &sn_scene_contact_object,
         {{"collision_surface", AT(scene_contact_part, def), "self ", NULL, NULL}}},
        {&t->damping_group,
         &sn_scene_damping_group_object,
         {{"damping_group", AT(scene_damping_group_part, def), NULL, "damping ", "damping "}}},
        {&t->crowd,
         &sn_scene_crowd_object,
         {{"crowd", AT(scene_crowd_part, def), NULL, NULL, NULL}}},
        {&t->dough,
         &sn_scene_dough_object,
         {{"dough", AT(scene_dough_part, def), "waiting ", NULL, NULL}}},
        {&t->fluid,
         &sn_scene_fluid_object,
         {{"fluid", AT(scene_fluid_part, def), NULL, NULL, NULL}}},
        {&t->air_mesh,
         &sn_scene_air_mesh_object,
         {{"air_mesh", AT(scene_air_mesh_part, def), NULL, NULL, NULL}}},
        {&t->hierarchy,
         &sn_scene_hierarchy_object,
         {{"hierarchy", AT(scene_hierarchy_part, def), NULL, NULL, NULL}}},
        {&t->shape_matching,
         &sn_scene_shape_matching_object,
         {{"shape_matching", AT(scene_shape_matching_part, def), "fibre_count fibre_share ", NULL,
           NULL}}},
        {&t->animation_target,
         &sn_scene_animation_target_object,
         {{"animation_target_vertex", AT(scene_animation_target_part, vertex), "position normal ",
           NULL, NULL},
          {"animation_target", AT(scene_animation_target_part, def), NULL, NULL, NULL}}}};
    for (size_t i = 0; i < COUNT(all); i++) {
        begin_listed(t, used, all[i].to, all[i].own);
        for (size_t k = 0; k < 2 && all[i].from[k].object; k++)
            add_listed(t, used, all[i].to, &all[i].from[k]);
    }
}

sn_result sn_scene_tables_create(scene_tables *t) {
    size_t total = count_fields(), used = 0;
    *t = (scene_tables){0};
    t->fields = calloc(total, sizeof *t->fields);
    t->standards = calloc(total, sizeof *t->standards);
    if (!t->fields || !t->standards) {
        sn_scene_tables_free(t);
        return sn_fail(SN_ERROR_MEMORY, "there is no memory to read a scene");
    }
    fill_variants(t, &used);
    fill_listed(t, &used);
    point_at(&t->body, "material", &t->material);
    point_at(&t->body, "contact", &t->contact);
    begin_listed(t, &used, &t->action, &sn_scene_action_object);
    point_at(&t->action, "settings", &t->settings);
    begin_listed(t, &used, &t->root, &sn_scene_root_object);
    const struct {
        const char *name;
        const scene_object *of;
    } made[] = {{"settings", &t->settings},
                {"nodes", &t->node},
                {"colliders", &t->collider},
                {"surfaces", &t->surface},
                {"cuts", &t->cut},
                {"emitters", &t->emitter},
                {"drains", &t->drain},
                {"diffusions", &t->diffusion},
                {"sources", &t->source},
                {"effectors", &t->effector},
                {"actions", &t->action},
                {"robots", &t->robot},
                {"materials", &t->material},
                {"constraints", &t->constraint},
                {"bodies", &t->body},
                {"damping_groups", &t->damping_group},
                {"crowds", &t->crowd},
                {"doughs", &t->dough},
                {"fluids", &t->fluid},
                {"air_meshes", &t->air_mesh},
                {"hierarchies", &t->hierarchy},
                {"shape_matchings", &t->shape_matching},
                {"animation_targets", &t->animation_target}};
    for (size_t i = 0; i < COUNT(made); i++) point_at(&t->root, made[i].name, made[i].of);
    return SN_OK;
}

void sn_scene_tables_free(scene_tables *t) {
    free(t->fields);
    free(t->standards);
    *t = (scene_tables){0};
}
