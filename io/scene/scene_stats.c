/* The statistics of a scene: sums over the world, times of the stages, and what the scene
   measures. */
#include "io/scene/scene_foam.h"

#include <sinew/audit.h>
#include <sinew/support.h>

#include <math.h>
#include <string.h>

/* ---- What the scene measures ---- */

static const char *const quantity_units[] = {"m", "m/s", "m/s", "N", "C", "N"};

static bool is_vector(int quantity) {
    return quantity == SCENE_MEASURE_POSITION || quantity == SCENE_MEASURE_VELOCITY ||
           quantity == SCENE_MEASURE_CONTACT_FORCE;
}

static bool is_of_constraint(int quantity) {
    return quantity == SCENE_MEASURE_FORCE || quantity == SCENE_MEASURE_VALUE;
}

static sn_result add_collider(sn_scene *s, const json_node *node, scene_measure_part part) {
    if (!part.collider)
        return sn_scene_complain(&s->reader, node, "has no \"collider\" to measure");
    if (sn_scene_is_broken(s, part.collider)) return SN_ERROR_DATA;
    if (!sn_scene_find_collider(s, part.collider))
        return sn_scene_complain(&s->reader, sn_json_member(node, "collider"),
                                 "there is no collider \"%.64s\"", part.collider);
    scene_measure *measure = SCENE_ADD(s->measures);
    if (!measure) return SN_ERROR_MEMORY;
    *measure = (scene_measure){.part = part};
    return SN_OK;
}

sn_result sn_scene_build_measure(sn_scene *s, const json_node *node) {
    scene_measure_part part = {0};
    SN_TRY(sn_scene_read(&s->reader, node, &sn_scene_measure_object, &part));
    bool constraint = is_of_constraint(part.quantity);
    if (part.quantity == SCENE_MEASURE_CONTACT_FORCE) return add_collider(s, node, part);
    if (constraint && part.constraint && sn_scene_is_broken(s, part.constraint))
        return SN_ERROR_DATA;
    if (constraint && !part.constraint)
        return sn_scene_complain(&s->reader, node, "has no \"constraint\" to measure");
    if (constraint && !sn_scene_find_link(s, part.constraint))
        return sn_scene_complain(&s->reader, sn_json_member(node, "constraint"),
                                 "there is no constraint \"%.64s\"", part.constraint);
    if (!constraint && !part.nodes)
        return sn_scene_complain(&s->reader, node, "has no \"nodes\" to measure");
    scene_measure *measure = SCENE_ADD(s->measures);
    if (!measure) return SN_ERROR_MEMORY;
    *measure = (scene_measure){.part = part};
    if (constraint) return SN_OK;
    SN_TRY(sn_scene_select(s, part.nodes, false, &measure->nodes));
    if (measure->nodes.count > 0) return SN_OK;
    return sn_scene_complain(&s->reader, part.nodes, "means no nodes, expected one at least");
}

/* The mean of a vector over the nodes that are there. */
static void mean_of(const sn_scene *s, const scene_nodes *list, const sn_vec4 *values,
                    double mean[3]) {
    size_t count = 0;
    mean[0] = mean[1] = mean[2] = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!sn_node_is_valid(s->world, list->items[i])) continue;
        sn_vec4 a = values[list->items[i].slot - 1];
        mean[0] += (double)a.x;
        mean[1] += (double)a.y;
        mean[2] += (double)a.z;
        count++;
    }
    for (int k = 0; k < 3; k++) mean[k] = count ? mean[k] / (double)count : NAN;
}

static double constraint_value(sn_scene *s, const scene_measure *m) {
    const scene_link *link = sn_scene_find_link(s, m->part.constraint);
    sn_real value[SN_MAX_ROWS] = {0};
    if (!sn_constraint_is_valid(s->world, link->constraint)) return NAN;
    sn_result result = m->part.quantity == SCENE_MEASURE_FORCE
                           ? sn_constraint_force(s->world, link->constraint, value)
                           : sn_constraint_evaluate(s->world, link->constraint, value, NULL);
    int rows = sn_world_type_info(s->world, link->type)->rows;
    double square = 0;
    if (result != SN_OK) return NAN;
    if (rows == 1) return (double)value[0];
    for (int i = 0; i < rows; i++) square += (double)value[i] * (double)value[i];
    return sqrt(square);
}

static double *measure_one(sn_scene *s, const sn_node_view *view, const scene_measure *m,
                           double *values) {
    double mean[3];
    if (is_of_constraint(m->part.quantity)) {
        *values = constraint_value(s, m);
        return values + 1;
    }
    if (m->part.quantity == SCENE_MEASURE_CONTACT_FORCE) {
        sn_vec3 force = {0, 0, 0};
        const scene_collider *of = sn_scene_find_collider(s, m->part.collider);
        bool known = sn_collider_contact_force(s->world, of->collider, &force) == SN_OK;
        const sn_real number[3] = {force.x, force.y, force.z};
        for (int k = 0; k < 3; k++) values[k] = known ? (double)number[k] : NAN;
        return values + 3;
    }
    bool position = m->part.quantity == SCENE_MEASURE_POSITION;
    mean_of(s, &m->nodes, position ? view->position : view->velocity, mean);
    if (is_vector(m->part.quantity)) {
        memcpy(values, mean, sizeof mean);
        return values + 3;
    }
    *values = sqrt(mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2]);
    return values + 1;
}

/* ---- Columns ---- */

static const char *const fixed_columns[] = {
    "frame",
    "time [s]",
    "kinetic energy [J]",
    "potential energy [J]",
    "elastic energy [J]",
    "momentum x [kg m/s]",
    "momentum y [kg m/s]",
    "momentum z [kg m/s]",
    "angular momentum x [kg m^2/s]",
    "angular momentum y [kg m^2/s]",
    "angular momentum z [kg m^2/s]",
    "mean strain [1]",
    "largest strain [1]",
    "nodes",
    "constraints",
    "broken",
    "torn",
    "contacts",
    "overlaps",
    "overlap [m]",
    "asleep",
    "truncations",
    "breaches",
    "crossings",
    "candidates",
    "detections",
    "penetrations",
    "step [ms]",
    "prepare [ms]",
    "find [ms]",
    "predict [ms]",
    "project [ms]",
    "contact [ms]",
    "update [ms]",
};
enum { FIXED = sizeof fixed_columns / sizeof fixed_columns[0] };

/* Of every fluid, behind its name. */
static const char *const fluid_columns[] = {"density error [1]", "largest density [1]",
                                            "largest pressure [Pa]", "neighbours [1]"};
enum { FLUID_COLUMNS = sizeof fluid_columns / sizeof fluid_columns[0] };

static bool is_fluid(const scene_body *body) {
    return body->build.fluid.slot > 0;
}

static sn_result measure_fluid(const sn_scene *s, const scene_body *body, double *values) {
    sn_fluid_measures m;
    SN_TRY(sn_fluid_measure(s->world, body->build.fluid, &m));
    values[0] = m.density_error;
    values[1] = m.density_max;
    values[2] = m.pressure_max;
    values[3] = m.neighbours;
    return SN_OK;
}

static sn_result add_column(sn_scene *s, char *name) {
    char **place = name ? SCENE_ADD(s->columns) : NULL;
    if (!place) return SN_ERROR_MEMORY;
    *place = name;
    return SN_OK;
}

sn_result sn_scene_name_columns(sn_scene *s) {
    for (size_t i = 0; i < FIXED; i++)
        SN_TRY(add_column(s, sn_scene_text(s, "%s", fixed_columns[i])));
    for (size_t i = 0; i < s->measures.count; i++) {
        const scene_measure_part *part = &s->measures.items[i].part;
        const char *unit = quantity_units[part->quantity];
        if (!is_vector(part->quantity)) {
            SN_TRY(add_column(s, sn_scene_text(s, "%s [%s]", part->name, unit)));
            continue;
        }
        for (int k = 0; k < 3; k++)
            SN_TRY(add_column(s, sn_scene_text(s, "%s %c [%s]", part->name, "xyz"[k], unit)));
    }
    for (size_t i = 0; i < s->probes.count; i++)
        for (int k = 0; k < SCENE_PROBE_COLUMNS; k++)
            SN_TRY(add_column(s, sn_scene_text(s, "%s %s", s->probes.items[i].part.name,
                                               sn_scene_probe_columns[k])));
    for (size_t i = 0; i < s->bodies.count; i++)
        for (size_t k = 0; k < FLUID_COLUMNS && is_fluid(&s->bodies.items[i]); k++)
            SN_TRY(add_column(
                s, sn_scene_text(s, "%s %s", s->bodies.items[i].name, fluid_columns[k])));
    for (size_t i = 0; i < sn_scene_emitter_columns(s); i++)
        SN_TRY(add_column(s, sn_scene_emitter_column(s, i)));
    for (size_t i = 0; i < sn_scene_diffusion_columns(s); i++)
        SN_TRY(add_column(s, sn_scene_diffusion_column(s, i)));
    for (size_t i = 0; i < s->bodies.count; i++)
        if (s->bodies.items[i].foam)
            SN_TRY(add_column(s, sn_scene_text(s, "%s foam [1]", s->bodies.items[i].name)));
    return SN_OK;
}

/* ---- The audit ---- */

/* Columns are what other columns do not have. */
static bool is_column(const sn_audit_field *field) {
    return field->part == SN_AUDIT_WORK || field->part == SN_AUDIT_LOSS ||
           field->part == SN_AUDIT_REST;
}

sn_result sn_scene_audit(sn_scene *scene) {
    if (!scene) return sn_fail(SN_ERROR_NULL, "sn_scene_audit: scene is null");
    if (scene->audited) return sn_fail(SN_ERROR_VALUE, "scene: it has an audit already");
    size_t count, before = scene->columns.count;
    const sn_audit_field *field = sn_audit_fields(&count);
    for (size_t i = 0; i < count; i++) {
        if (!is_column(&field[i])) continue;
        char *name = sn_scene_text(scene, "audit %s [J]", field[i].name);
        sn_result result = add_column(scene, name);
        if (result != SN_OK) {
            scene->columns.count = before;
            return result;
        }
        for (; *name; name++)
            if (*name == '_') *name = ' ';
    }
    sn_result result = sn_world_audit_start(scene->world);
    if (result != SN_OK) scene->columns.count = before;
    scene->audited = result == SN_OK;
    return result;
}

static sn_result measure_audit(const sn_scene *s, double *values) {
    sn_audit audit;
    size_t count;
    const sn_audit_field *field = sn_audit_fields(&count);
    const double *number = (const double *)&audit;
    SN_TRY(sn_world_get_audit(s->world, &audit));
    for (size_t i = 0; i < count; i++)
        if (is_column(&field[i])) *values++ = number[i];
    return SN_OK;
}

/* ---- Reading ---- */

size_t sn_scene_column_count(const sn_scene *scene) {
    return scene ? scene->columns.count : 0;
}

const char *sn_scene_column(const sn_scene *scene, size_t index) {
    return scene && index < scene->columns.count ? scene->columns.items[index] : NULL;
}

sn_result sn_scene_measure(sn_scene *s, double *values) {
    if (!s || !values)
        return sn_fail(SN_ERROR_NULL, "sn_scene_measure: %s is null", s ? "values" : "scene");
    sn_measure m;
    sn_stats stats;
    sn_node_view view;
    scene_strain strain;
    SN_TRY(sn_world_measure(s->world, &m));
    SN_TRY(sn_world_stats(s->world, &stats));
    SN_TRY(sn_world_count_crossings(s->world, &stats.crossings));
    SN_TRY(sn_world_nodes(s->world, &view));
    SN_TRY(sn_scene_measure_strain(s, &strain));
    const double fixed[FIXED] = {
        sn_scene_frame_number(s),
        sn_world_time(s->world),
        m.kinetic_energy,
        m.potential_energy,
        m.elastic_energy,
        m.momentum[0],
        m.momentum[1],
        m.momentum[2],
        m.angular_momentum[0],
        m.angular_momentum[1],
        m.angular_momentum[2],
        strain.count ? strain.sum / (double)strain.count : 0,
        strain.largest,
        (double)stats.nodes,
        (double)stats.constraints,
        (double)stats.broken,
        (double)stats.torn,
        (double)stats.contacts,
        (double)stats.overlaps,
        stats.overlap,
        (double)stats.asleep,
        (double)stats.truncations,
        (double)stats.breaches,
        (double)stats.crossings,
        (double)stats.candidates,
        (double)stats.detections,
        (double)stats.penetrations,
        1e3 * stats.time_step,
        1e3 * stats.time_prepare,
        1e3 * stats.time_find,
        1e3 * stats.time_predict,
        1e3 * stats.time_project,
        1e3 * stats.time_contact,
        1e3 * stats.time_update,
    };
    memcpy(values, fixed, sizeof fixed);
    values += FIXED;
    for (size_t i = 0; i < s->measures.count; i++)
        values = measure_one(s, &view, &s->measures.items[i], values);
    SN_TRY(sn_scene_ask_probes(s, values));
    values += s->probes.count * SCENE_PROBE_COLUMNS;
    for (size_t i = 0; i < s->bodies.count; i++) {
        if (!is_fluid(&s->bodies.items[i])) continue;
        SN_TRY(measure_fluid(s, &s->bodies.items[i], values));
        values += FLUID_COLUMNS;
    }
    SN_TRY(sn_scene_measure_emitters(s, values));
    values += sn_scene_emitter_columns(s);
    SN_TRY(sn_scene_measure_diffusions(s, values));
    values += sn_scene_diffusion_columns(s);
    for (size_t i = 0; i < s->bodies.count; i++)
        if (s->bodies.items[i].foam)
            *values++ = (double)sn_scene_foam_particles(s, s->bodies.items[i].foam);
    return s->audited ? measure_audit(s, values) : SN_OK;
}
