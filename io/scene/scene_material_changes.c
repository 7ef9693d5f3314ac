/*
 * Materials that change while a scene runs.
 *
 * What a field of a material becomes is in the constraints of its body, and in its sheet or tet
 * mesh: a table says where, and how it goes there. Stiffness is shared among constraints by their
 * shapes, so that they follow it by the ratio of what it is to what it was a frame ago: also those
 * that a tear has made since, and those that differ by a map.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

#include <string.h>

/* How a value of a constraint follows that of the material: it is the same, or proportional to it
   or to its inverse; and all of a body follows its length. */
typedef enum law { SAME, GROWS, SHRINKS, LENGTH } law;

typedef struct way {
    sn_kind kind;
    const char *field; /* of the material */
    sn_type type;      /* of constraints, SN_TYPE_COUNT for the sheet, tet mesh or hair */
    const char *name;  /* of their field */
    law law;
    double zero;         /* added to the value before ratios are taken */
    const char *without; /* a field of the material that must not be given, for it is there too */
} way;

#define STIFFNESS(kind, field, type, without)                                                      \
    {kind, field, type, "compliance", SHRINKS, 0, without}, {                                      \
        kind, field, type, "damping", GROWS, 0, without                                            \
    }
#define BENDING(type)                                                                              \
    STIFFNESS(SN_KIND_CLOTH, "bending_stiffness", type, NULL), {                                   \
        SN_KIND_CLOTH, "bending_damping", type, "damping", GROWS, 0, NULL                          \
    }
#define IN_PLANE(type, name)                                                                       \
    { SN_KIND_CLOTH, "stretch_stiffness", type, name, GROWS, 0, name }
#define PLANE(type)                                                                                \
    IN_PLANE(type, "warp_stiffness"), IN_PLANE(type, "weft_stiffness"),                            \
        IN_PLANE(type, "shear_stiffness"), {                                                       \
        SN_KIND_CLOTH, "stretch_damping", type, "damping_time", SAME, 0, NULL                      \
    }
#define TET(type)                                                                                  \
    {SN_KIND_SOLID, "young", type, "young", GROWS, 0, NULL}, {                                     \
        SN_KIND_SOLID, "damping", type, "damping_time", SAME, 0, NULL                              \
    }

static const way ways[] = {
    STIFFNESS(SN_KIND_CLOTH, "stretch_stiffness", SN_TYPE_DISTANCE, "strut_stiffness"),
    {SN_KIND_CLOTH, "stretch_damping", SN_TYPE_DISTANCE, "damping", GROWS, 0, NULL},
    PLANE(SN_TYPE_STRAIN_TRIANGLE),
    PLANE(SN_TYPE_ELASTIC_TRIANGLE),
    {SN_KIND_CLOTH, "stretch_stiffness", SN_TYPE_NEO_HOOKEAN_TRIANGLE, "stretch_stiffness", GROWS,
     0, NULL},
    {SN_KIND_CLOTH, "stretch_damping", SN_TYPE_NEO_HOOKEAN_TRIANGLE, "damping_time", SAME, 0, NULL},
    STIFFNESS(SN_KIND_CLOTH, "area_stiffness", SN_TYPE_TRIANGLE_AREA, NULL),
    BENDING(SN_TYPE_PLATE_BENDING),
    BENDING(SN_TYPE_DIHEDRAL_BENDING),
    BENDING(SN_TYPE_ISOMETRIC_BENDING),
    BENDING(SN_TYPE_VERTEX_BENDING),
    {SN_KIND_CLOTH, "pressure", SN_TYPE_SURFACE_VOLUME, "pressure", SAME, 0, NULL},
    {SN_KIND_CLOTH, "gas_pressure", SN_TYPE_SURFACE_VOLUME, "amount", GROWS, 101325, NULL},
    {SN_KIND_CLOTH, "gas_leak", SN_TYPE_SURFACE_VOLUME, "leak", SAME, 0, NULL},
    {SN_KIND_CLOTH, "burst_pressure", SN_TYPE_SURFACE_VOLUME, "break_force", SAME, 0, NULL},
    {SN_KIND_CLOTH, "drag", SN_TYPE_COUNT, "drag", SAME, 0, NULL},
    {SN_KIND_CLOTH, "lift", SN_TYPE_COUNT, "lift", SAME, 0, NULL},
    {SN_KIND_CLOTH, "tear_strain", SN_TYPE_COUNT, "tear_strain", SAME, 0, NULL},
    {SN_KIND_CLOTH, "tear_force", SN_TYPE_COUNT, "tear_force", SAME, 0, NULL},
    TET(SN_TYPE_NEO_HOOKEAN_TET),
    TET(SN_TYPE_ELASTIC_TET),
    TET(SN_TYPE_COROTATED_TET),
    TET(SN_TYPE_QUADRATIC_TET),
    STIFFNESS(SN_KIND_SOLID, "young", SN_TYPE_DISTANCE, "volume_stiffness"),
    STIFFNESS(SN_KIND_SOLID, "young", SN_TYPE_TET_VOLUME, "volume_stiffness"),
    {SN_KIND_SOLID, "damping", SN_TYPE_DISTANCE, "damping", GROWS, 0, NULL},
    {SN_KIND_SOLID, "damping", SN_TYPE_TET_VOLUME, "damping", GROWS, 0, NULL},
    {SN_KIND_SOLID, "damping", SN_TYPE_STRAIN_TET, "damping_time", SAME, 0, NULL},
    {SN_KIND_SOLID, "damping", SN_TYPE_ORTHOTROPIC_TET, "damping_time", SAME, 0, NULL},
    {SN_KIND_SOLID, "damping", SN_TYPE_FIBRE_TET, "damping_time", SAME, 0, NULL},
    {SN_KIND_SOLID, "fibre_stiffness", SN_TYPE_FIBRE_TET, "fibre_stiffness", GROWS, 0, NULL},
    {SN_KIND_SOLID, "activation", SN_TYPE_FIBRE_TET, "activation", SAME, 0, NULL},
    {SN_KIND_SOLID, "fracture_stress", SN_TYPE_COUNT, "fracture_stress", SAME, 0, NULL},
    STIFFNESS(SN_KIND_ROPE, "young", SN_TYPE_DISTANCE, NULL),
    {SN_KIND_ROPE, "damping", SN_TYPE_DISTANCE, "damping", GROWS, 0, NULL},
    {SN_KIND_ROPE, "break_force", SN_TYPE_DISTANCE, "break_force", SAME, 0, NULL},
    {SN_KIND_HAIR, "level", SN_TYPE_COUNT, "level", SAME, 0, NULL},
    STIFFNESS(SN_KIND_ROPE, "young", SN_TYPE_LACE, NULL),
    {SN_KIND_ROPE, "damping", SN_TYPE_LACE, "damping", GROWS, 0, NULL},
    {SN_KIND_ROPE, "break_force", SN_TYPE_LACE, "break_force", SAME, 0, NULL},
    {SN_KIND_ROPE, "friction", SN_TYPE_LACE, "friction", SAME, 0, NULL},
    {SN_KIND_ROPE, "length", SN_TYPE_COUNT, NULL, LENGTH, 0, NULL},
    {SN_KIND_ROD, "length", SN_TYPE_COUNT, NULL, LENGTH, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_STRETCH_SHEAR, "stretch_stiffness", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_STRETCH_SHEAR, "shear_stiffness", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_STRETCH_SHEAR, "damping", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_BEND_TWIST, "bend_stiffness_x", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_BEND_TWIST, "bend_stiffness_y", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_BEND_TWIST, "twist_stiffness", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_BEND_TWIST, "damping", GROWS, 0, NULL},
    STIFFNESS(SN_KIND_ROD, "young", SN_TYPE_DISTANCE, NULL),
    {SN_KIND_ROD, "young", SN_TYPE_DARBOUX, "bend_stiffness_x", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_DARBOUX, "bend_stiffness_y", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_DARBOUX, "twist_stiffness", GROWS, 0, NULL},
    {SN_KIND_ROD, "young", SN_TYPE_DARBOUX, "damping", GROWS, 0, NULL},
    {SN_KIND_ROD, "damping", SN_TYPE_DISTANCE, "damping", GROWS, 0, NULL},
    {SN_KIND_ROD, "damping", SN_TYPE_DARBOUX, "damping", GROWS, 0, NULL},
    {SN_KIND_ROD, "damping", SN_TYPE_STRETCH_SHEAR, "damping", GROWS, 0, NULL},
    {SN_KIND_ROD, "damping", SN_TYPE_BEND_TWIST, "damping", GROWS, 0, NULL},
    {SN_KIND_ROD, "break_force", SN_TYPE_STRETCH_SHEAR, "break_force", GROWS, 0, NULL},
};
enum { WAYS = sizeof ways / sizeof ways[0] };

static bool goes(const way *w, sn_kind kind, const char *field) {
    return w->kind == kind && strcmp(w->field, field) == 0;
}

bool sn_scene_material_changes(sn_kind kind, const char *field) {
    for (size_t i = 0; i < WAYS; i++)
        if (goes(&ways[i], kind, field)) return true;
    return false;
}

static sn_real value_of(const scene_material *material, const scene_field *f) {
    sn_real value;
    memcpy(&value, (const char *)material + f->offset, sizeof value);
    return value;
}

/* ---- Sheets, tet meshes and hair ---- */

static sn_result change_hair(sn_scene *s, const scene_body *body, sn_real level) {
    sn_hair_def def = sn_hair_def_default();
    sn_hair hair;
    SN_TRY(sn_node_hair(s->world, body->nodes[0], &hair));
    if (!sn_hair_is_valid(s->world, hair)) return SN_OK;
    SN_TRY(sn_hair_get(s->world, hair, &def));
    if (def.level == level) return SN_OK;
    def.level = level;
    return sn_hair_set(s->world, hair, &def);
}

static sn_result change_mesh(sn_scene *s, const scene_body *body, const way *w, sn_real value) {
    sn_sheet_def sheet = sn_sheet_def_default();
    sn_tet_mesh_def tets = sn_tet_mesh_def_default();
    if (body->kind == SN_KIND_HAIR) return change_hair(s, body, value);
    if (body->kind == SN_KIND_SOLID) {
        if (!sn_tet_mesh_is_valid(s->world, body->build.tet_mesh)) return SN_OK;
        SN_TRY(sn_tet_mesh_get(s->world, body->build.tet_mesh, &tets));
        if (tets.fracture_stress == value) return SN_OK;
        tets.fracture_stress = value;
        return sn_tet_mesh_set(s->world, body->build.tet_mesh, &tets);
    }
    if (!sn_sheet_is_valid(s->world, body->build.sheet)) return SN_OK;
    SN_TRY(sn_sheet_get(s->world, body->build.sheet, &sheet));
    sn_real *field = strcmp(w->name, "drag") == 0          ? &sheet.drag
                     : strcmp(w->name, "lift") == 0        ? &sheet.lift
                     : strcmp(w->name, "tear_strain") == 0 ? &sheet.tear_strain
                                                           : &sheet.tear_force;
    if (*field == value) return SN_OK;
    *field = value;
    return sn_sheet_set(s->world, body->build.sheet, &sheet);
}

/* ---- Changing ---- */

/* Adds how many constraints there are to *count. */
static sn_result follow(sn_scene *s, const scene_body *body, const way *w, sn_real before,
                        sn_real now, size_t *count) {
    sn_real value[3] = {now, 0, 0};
    size_t found = 1;
    double old = (double)before + w->zero, new = (double)now + w->zero;
    if (w->law == LENGTH)
        SN_TRY(new == old ? SN_OK
                          : sn_body_scale_length(s->world, body->build.body, (sn_real)(new / old)));
    else if (w->type == SN_TYPE_COUNT)
        SN_TRY(change_mesh(s, body, w, now));
    else if (w->law == SAME)
        SN_TRY(sn_body_set_field(s->world, body->build.body, w->type, w->name, value, &found));
    else
        SN_TRY(sn_body_scale_field(s->world, body->build.body, w->type, w->name,
                                   (sn_real)(w->law == GROWS ? new / old : old / new), &found));
    *count += found;
    return SN_OK;
}

/* A ratio needs both to be above 0. */
static sn_result check_ratio(sn_scene *s, const scene_member *member, const way *w, sn_real value) {
    if (w->law == SAME || (double)value + w->zero > 0) return SN_OK;
    return sn_scene_complain(&s->reader, member->node,
                             "is %g when t is %g s, expected above %g, since it changes",
                             (double)value, s->reader.time, 0 - w->zero);
}

sn_result sn_scene_change_material(sn_scene *s, const scene_change *change,
                                   const scene_material *before, const scene_material *now) {
    scene_body *body = &s->bodies.items[change->index];
    for (size_t i = 0; i < change->count; i++) {
        const scene_field *f = change->members[i].field;
        sn_real a = value_of(before, f), b = value_of(now, f);
        size_t count = 0;
        for (size_t k = 0; k < WAYS; k++) {
            if (!goes(&ways[k], body->kind, f->name)) continue;
            SN_TRY(check_ratio(s, &change->members[i], &ways[k], a));
            SN_TRY(check_ratio(s, &change->members[i], &ways[k], b));
            SN_TRY(follow(s, body, &ways[k], a, b, &count));
            if (ways[k].law == LENGTH) body->length = (double)b + ways[k].zero;
        }
    }
    return SN_OK;
}

/* ---- Whether it can ---- */

/* Whether a field of the material is there beside another: it is neither 0 nor automatic. */
static bool is_given(const sn_scene *s, sn_kind kind, const scene_material *material,
                     const char *name) {
    const scene_field *f = name ? sn_scene_field_of(&s->tables.kinds[kind], name) : NULL;
    return f && value_of(material, f) != 0 && value_of(material, f) != SN_AUTO;
}

static bool has_map(const json_node *maps, const char *field) {
    for (size_t i = 0; maps && i < maps->count; i++) {
        const json_node *name = sn_json_member(&maps->items[i], "field");
        if (name && name->kind == JSON_STRING && strcmp(name->text, field) == 0) return true;
    }
    return false;
}

/* What the values of the beginning change nothing of shows how many constraints there are. */
static sn_result check_member(sn_scene *s, const scene_change *change, const scene_member *member,
                              const scene_material *material, const json_node *maps) {
    const scene_body *body = &s->bodies.items[change->index];
    const char *field = member->field->name;
    sn_real value = value_of(material, member->field);
    size_t count = 0;
    for (size_t k = 0; k < WAYS; k++) {
        size_t found = 0;
        if (!goes(&ways[k], body->kind, field)) continue;
        if (ways[k].law == SAME && has_map(maps, field))
            return sn_scene_complain(&s->reader, member->node,
                                     "changes, and a map gives it to the body \"%.64s\", expected "
                                     "one of both",
                                     body->name);
        SN_TRY(check_ratio(s, member, &ways[k], value));
        SN_TRY(follow(s, body, &ways[k], value, value, &found));
        count += found;
        if (found && is_given(s, body->kind, material, ways[k].without))
            return sn_scene_complain(
                &s->reader, member->node,
                "changes, and the material of the body \"%.64s\" has a \"%s\", "
                "expected one of both",
                body->name, ways[k].without);
    }
    if (count > 0) return SN_OK;
    return sn_scene_complain(&s->reader, member->node,
                             "changes, and nothing of the body \"%.64s\" depends on it",
                             body->name);
}

sn_result sn_scene_check_material_change(sn_scene *s, const scene_change *change,
                                         const scene_material *material, const json_node *maps) {
    for (size_t i = 0; i < change->count; i++)
        SN_TRY(check_member(s, change, &change->members[i], material, maps));
    return SN_OK;
}
