/*
 * Values that change while a scene runs: by keys (scene_curves.c), or by expressions of the time t.
 *
 * Any number may, of which a table says so (`changes` of a field). When something is built, those
 * of its members whose values depend on the time are kept. At the beginning of every frame, which
 * is a step, they are read once more, at the time of the frame by its number, and what they belong
 * to is changed by the calls that any program has. So a run that goes on from a snapshot does the
 * same, and a recording has these calls.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <string.h>

/* Characters of expressions that are read when a scene is opened, to look at its frames; a value
   that goes out of its range later is found when it does. */
enum { MOST_CHARACTERS = 1000000 };

static double time_of(const sn_scene *s, int frame) {
    return (double)frame / s->run.fps;
}

/* ---- Noting ---- */

/* Whether a value depends on the time; what is wrong with it was said when it was read. */
static bool is_timed(scene_reader *r, const json_node *item, const scene_field *f) {
    return f && f->changes && sn_scene_read_member(r, item, f, NULL) == SN_OK && r->timed;
}

static size_t length_of(const json_node *node) {
    size_t length = node->kind == JSON_STRING ? strlen(node->text) : 1;
    for (size_t i = 0; node->kind == JSON_ARRAY && i < node->count; i++)
        length += length_of(&node->items[i]);
    return length;
}

/* At every frame of the run. Of keys all were looked at, and nothing is beyond them. */
static sn_result check_frames(sn_scene *s, const scene_member *member) {
    sn_result result = SN_OK;
    if (member->node->kind == JSON_OBJECT) return SN_OK;
    size_t most = MOST_CHARACTERS / length_of(member->node);
    for (int i = 0; i <= s->run.frames && (size_t)i <= most && result == SN_OK; i++) {
        s->reader.time = time_of(s, i);
        result = sn_scene_read_member(&s->reader, member->node, member->field, NULL);
    }
    s->reader.time = 0;
    return result;
}

sn_result sn_scene_note_changes(sn_scene *s, const json_node *node, const scene_object *object,
                                const scene_object *variant, const scene_change *whom) {
    size_t count = 0;
    scene_member *members = sn_scene_take(s, node->count + 1, sizeof *members);
    if (!members) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < node->count; i++) {
        const json_node *item = &node->items[i];
        const scene_field *f = sn_scene_field_of(variant, item->key);
        if (!f) f = sn_scene_field_of(object, item->key);
        if (is_timed(&s->reader, item, f)) members[count++] = (scene_member){item, f};
    }
    if (count == 0) return SN_OK;
    sn_result result = SN_OK;
    for (size_t i = 0; i < count; i++) {
        sn_result one = check_frames(s, &members[i]);
        if (one != SN_OK) result = one;
    }
    SN_TRY(result);
    scene_change *change = SCENE_ADD(s->changes);
    if (!change) return SN_ERROR_MEMORY;
    *change = *whom;
    change->source = node;
    change->members = members;
    change->count = count;
    return SN_OK;
}

/* Files that come later have the last word on a setting. */
static void drop_overruled(const sn_scene *s, size_t file, scene_change *change) {
    size_t kept = 0;
    for (size_t i = 0; i < change->count; i++) {
        bool overruled = false;
        for (size_t f = file + 1; f < s->reader.file_count; f++)
            overruled =
                overruled || (s->roots[f].settings &&
                              sn_json_member(s->roots[f].settings, change->members[i].node->key));
        if (!overruled) change->members[kept++] = change->members[i];
    }
    change->count = kept;
}

sn_result sn_scene_note_settings(sn_scene *s) {
    for (size_t f = 0; f < s->reader.file_count; f++) {
        const json_node *node = s->roots[f].settings;
        scene_change whom = {.of = SCENE_OF_SETTINGS};
        size_t before = s->changes.count;
        if (!node) continue;
        SN_TRY(sn_scene_note_changes(s, node, &s->tables.settings, NULL, &whom));
        if (s->changes.count > before) drop_overruled(s, f, &s->changes.items[before]);
    }
    return SN_OK;
}

/* ---- Changing ---- */

static sn_result read_members(sn_scene *s, const scene_change *change, void *target) {
    for (size_t i = 0; i < change->count; i++)
        SN_TRY(sn_scene_read_member(&s->reader, change->members[i].node, change->members[i].field,
                                    target));
    return SN_OK;
}

static sn_result change_settings(sn_scene *s, const scene_change *change) {
    sn_settings before = sn_settings_default(), now;
    SN_TRY(sn_world_get_settings(s->world, &before));
    memcpy(&now, &before, sizeof now);
    SN_TRY(read_members(s, change, &now));
    return memcmp(&now, &before, sizeof now) ? sn_world_set_settings(s->world, &now) : SN_OK;
}

/* What slides follows what sticks, where it is not given. */
static sn_result follow_friction(sn_scene *s, const scene_change *change, sn_real still,
                                 sn_real standard, sn_real *slides) {
    if (!sn_json_member(change->source, "dynamic_friction")) *slides = standard;
    return sn_scene_check_friction(s, change->source, still, slides);
}

/* What is drawn has another size, and as many vertices. */
static sn_result change_look(const scene_collider *c, const sn_collider_def *def) {
    sn_mesh made = sn_mesh_default();
    const sn_mesh *look = &c->look->mesh;
    sn_result result = look->vertex_count ? sn_io_collider_mesh(def, &made) : SN_OK;
    if (result == SN_OK && made.vertex_count == look->vertex_count && look->vertex_count)
        memcpy(look->positions, made.positions, made.vertex_count * sizeof *made.positions);
    sn_mesh_free(&made);
    return result;
}

static sn_result change_collider(sn_scene *s, const scene_change *change) {
    const scene_collider *c = &s->colliders.items[change->index];
    scene_collider_part part = {.def = sn_collider_def_default()};
    sn_collider_def before = sn_collider_def_default();
    sn_real standard = before.dynamic_friction;
    if (!sn_collider_is_valid(s->world, c->collider)) return SN_OK;
    SN_TRY(sn_collider_get(s->world, c->collider, &before));
    memcpy(&part.def, &before, sizeof before);
    SN_TRY(read_members(s, change, &part));
    SN_TRY(
        follow_friction(s, change, part.def.static_friction, standard, &part.def.dynamic_friction));
    if (memcmp(&part.def, &before, sizeof before) == 0) return SN_OK;
    SN_TRY(sn_collider_set(s->world, c->collider, &part.def));
    sn_vec3 a = part.def.extent, b = before.extent;
    bool same = part.def.radius == before.radius && a.x == b.x && a.y == b.y && a.z == b.z;
    return same ? SN_OK : change_look(c, &part.def);
}

static sn_result change_surface(sn_scene *s, const scene_change *change) {
    scene_surface_part part = {.def = sn_contact_pair_def_default()};
    sn_real standard = part.def.dynamic_friction;
    SN_TRY(sn_world_get_contact_pair(s->world, change->pair[0], change->pair[1], &part.def));
    SN_TRY(read_members(s, change, &part));
    SN_TRY(
        follow_friction(s, change, part.def.static_friction, standard, &part.def.dynamic_friction));
    return sn_world_set_contact_pair(s->world, change->pair[0], change->pair[1], &part.def);
}

/* Field by field, so that nothing else of it is touched. What broke is passed by. `part` is what
   the members are of. */
static sn_result change_fields(sn_scene *s, const scene_change *change, void *part) {
    sn_constraint constraint = s->links.items[change->index].constraint;
    if (!sn_constraint_is_valid(s->world, constraint)) return SN_OK;
    SN_TRY(read_members(s, change, part));
    for (size_t i = 0; i < change->count; i++) {
        const scene_field *f = change->members[i].field;
        sn_real value[3] = {0}, before[3] = {0};
        size_t size = f->kind == SCENE_VEC3 ? 3 * sizeof *value : sizeof *value;
        memcpy(value, (const char *)part + f->offset, size);
        SN_TRY(sn_constraint_get_field(s->world, constraint, f->name, before));
        if (memcmp(value, before, size) == 0) continue;
        SN_TRY(sn_constraint_set_field(s->world, constraint, f->name, value));
    }
    return SN_OK;
}

static sn_result change_constraint(sn_scene *s, const scene_change *change) {
    scene_constraint_part part = {.name = ""};
    return change_fields(s, change, &part);
}

static sn_result change_servo(sn_scene *s, const scene_change *change) {
    scene_robot_joint_part part = {.name = ""};
    return change_fields(s, change, &part);
}

static sn_result change_damping_group(sn_scene *s, const scene_change *change) {
    scene_damping_group_part part = {.def = sn_damping_group_def_default()};
    if (!sn_damping_group_is_valid(s->world, change->damping_group)) return SN_OK;
    SN_TRY(read_members(s, change, &part));
    return sn_damping_group_set_damping(s->world, change->damping_group, part.def.damping);
}

static sn_result change_effector(sn_scene *s, const scene_change *change) {
    scene_effector_part part = {.def = sn_effector_def_default()};
    sn_effector_def before = sn_effector_def_default();
    if (!sn_effector_is_valid(s->world, change->effector)) return SN_OK;
    SN_TRY(sn_effector_get(s->world, change->effector, &before));
    memcpy(&part.def, &before, sizeof before);
    SN_TRY(read_members(s, change, &part));
    if (memcmp(&part.def, &before, sizeof before) == 0) return SN_OK;
    return sn_effector_set(s->world, change->effector, &part.def);
}

/* By what it was a frame ago, which a run that goes on from a snapshot knows as well. */
static sn_result change_material(sn_scene *s, const scene_change *change, int frame) {
    scene_material before = {.preset = NULL}, now = {.preset = NULL};
    sn_body_def def = sn_body_def_default();
    if (sn_body_get(s->world, s->bodies.items[change->index].build.body, &def) != SN_OK)
        return SN_OK;
    SN_TRY(read_members(s, change, &now));
    s->reader.time = time_of(s, frame > 0 ? frame - 1 : 0);
    sn_result result = read_members(s, change, &before);
    s->reader.time = time_of(s, frame);
    return result == SN_OK ? sn_scene_change_material(s, change, &before, &now) : result;
}

static sn_result make_change(sn_scene *s, const scene_change *change, int frame) {
    switch (change->of) {
    case SCENE_OF_SETTINGS:
        return change_settings(s, change);
    case SCENE_OF_COLLIDER:
        return change_collider(s, change);
    case SCENE_OF_CONSTRAINT:
        return change_constraint(s, change);
    case SCENE_OF_SERVO:
        return change_servo(s, change);
    case SCENE_OF_SURFACE:
        return change_surface(s, change);
    case SCENE_OF_DAMPING_GROUP:
        return change_damping_group(s, change);
    case SCENE_OF_EFFECTOR:
        return change_effector(s, change);
    case SCENE_OF_FORCE:
        return read_members(s, change, &s->forces.items[change->index].part);
    case SCENE_OF_MATERIAL:
        return change_material(s, change, frame);
    case SCENE_OF_FORMULA:
        return sn_scene_act_formula(s, s->links.items[change->index].constraint, s->reader.time);
    }
    return SN_OK;
}

/* What the library refuses has the place of what it belongs to. */
sn_result sn_scene_settings_at(sn_scene *s, int frame, sn_settings *settings) {
    sn_result result = SN_OK;
    s->reader.time = time_of(s, frame);
    for (size_t i = 0; i < s->changes.count && result == SN_OK; i++)
        if (s->changes.items[i].of == SCENE_OF_SETTINGS)
            result = read_members(s, &s->changes.items[i], settings);
    s->reader.time = 0;
    return result;
}

sn_result sn_scene_act_changes(sn_scene *s, int frame) {
    s->reader.time = time_of(s, frame);
    for (size_t i = 0; i < s->changes.count; i++) {
        sn_result result = make_change(s, &s->changes.items[i], frame);
        if (result != SN_OK && result != SN_ERROR_MEMORY && result != SN_ERROR_DATA)
            return sn_scene_complain_within(&s->reader, s->changes.items[i].source);
        SN_TRY(result);
    }
    return SN_OK;
}
