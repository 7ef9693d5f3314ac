/*
 * Building a body: check the material and the mesh, place the vertices, weigh them, make the nodes,
 * then the constraints, and the collision surface. Whatever fails takes the body with it, and so
 * its nodes and constraints.
 */
#include "bodies/kind.h"

#include "base/range.h"
#include "geometry/mesh_access.h"
#include "geometry/volume/fill_shares.h"
#include "state/type.h"

#include <math.h>
#include <string.h>

sn_build_def sn_build_def_default(void) {
    return (sn_build_def){.size = sizeof(sn_build_def),
                          .rotation = {0, 0, 0, 1},
                          .scale = 1,
                          .body = sn_body_def_default(),
                          .surface = sn_collision_surface_def_default(),
                          .step = SN_AUTO,
                          .k_stretch = 1,
                          .k_bend = 1};
}

/* ---- What several kinds need ---- */

sn_result sn_builder_check_masses(const sn_builder *b, const char *kind, const char *element) {
    for (size_t i = 0; i < b->mesh->vertex_count; i++)
        if (!(b->mass[i] > 0))
            return sn_fail(SN_ERROR_DEGENERATE,
                           "%s: vertex %zu belongs to no %s, so it has no mass", kind, i, element);
    return SN_OK;
}

sn_result sn_builder_check_whole(const char *kind, const char *field, sn_real value) {
    if (value == (sn_real)(uint32_t)value) return SN_OK;
    return sn_fail(SN_ERROR_VALUE, "%s: %s is %g, expected a whole number", kind, field,
                   (double)value);
}

sn_result sn_builder_add_hard(sn_builder *b, sn_type type, const void *defs, size_t count) {
    SN_TRY(sn_constraints_create(b->world, type, defs, count, NULL));
    b->constraints += count;
    return SN_OK;
}

static bool resists_bending(sn_type type) {
    return type == SN_TYPE_BEND_TWIST || type == SN_TYPE_DIHEDRAL_BENDING ||
           type == SN_TYPE_ISOMETRIC_BENDING || type == SN_TYPE_VERTEX_BENDING ||
           type == SN_TYPE_PLATE_BENDING;
}

sn_real sn_builder_k(sn_builder *b, sn_type type) {
    bool bends = resists_bending(type);
    b->has_k[bends] = true;
    return bends ? b->def->k_bend : b->def->k_stretch;
}

sn_result sn_builder_add(sn_builder *b, sn_type type, void *defs, size_t count) {
    const sn_type_info *info = sn_type_get_info(type);
    sn_real k = count > 0 ? sn_builder_k(b, type) : 1;
    for (size_t f = 0; k < 1 && f < info->field_count; f++) {
        if (strcmp(info->fields[f].name, "stiffness") != 0) continue;
        for (size_t i = 0; i < count; i++)
            memcpy((char *)defs + i * info->def_size + info->fields[f].offset, &k, sizeof k);
    }
    return sn_builder_add_hard(b, type, defs, count);
}

double sn_builder_distance(const sn_builder *b, uint32_t i, uint32_t j) {
    return sn_point_length(sn_point_sub(b->x[i], b->x[j]));
}

double sn_builder_gravity(const sn_builder *b) {
    double g = sn_point_length(sn_point_of(b->world->settings.gravity));
    return g > 0 ? g : 9.81;
}

double sn_builder_size(const sn_builder *b) {
    sn_point low = b->x[0], high = b->x[0];
    for (size_t i = 1; i < b->mesh->vertex_count; i++) {
        sn_point x = b->x[i];
        low = (sn_point){x.x < low.x ? x.x : low.x, x.y < low.y ? x.y : low.y,
                         x.z < low.z ? x.z : low.z};
        high = (sn_point){x.x > high.x ? x.x : high.x, x.y > high.y ? x.y : high.y,
                          x.z > high.z ? x.z : high.z};
    }
    sn_point size = sn_point_sub(high, low);
    double most = size.x > size.y ? size.x : size.y;
    return most > size.z ? most : size.z;
}

sn_result sn_builder_find_shares(sn_builder *b) {
    if (!b->shares) return SN_OK;
    SN_TRY(sn_mesh_expect(b->def->visible));
    return sn_fill_shares(b->def->visible, b->mesh, b->shares);
}

double sn_builder_share(const sn_builder *b, size_t tet) {
    return b->shares ? b->shares[tet] : 1;
}

/* The rotation of the definition as a unit quaternion. */
static void find_rotation(const sn_build_def *def, double q[4]) {
    sn_quat r = def->rotation;
    double of[4] = {(double)r.x, (double)r.y, (double)r.z, (double)r.w};
    double norm = sqrt(of[0] * of[0] + of[1] * of[1] + of[2] * of[2] + of[3] * of[3]);
    for (int i = 0; i < 4; i++) q[i] = of[i] / norm;
}

sn_point sn_builder_turned(const sn_builder *b, sn_point direction) {
    double q[4];
    find_rotation(b->def, q);
    return sn_point_rotated(q, direction);
}

sn_real sn_builder_compliance(sn_real modulus, double stiffness) {
    return modulus == SN_AUTO ? 0 : (sn_real)(1 / stiffness);
}

sn_real sn_builder_damping(sn_real modulus, double stiffness, sn_real time) {
    return modulus == SN_AUTO ? 0 : (sn_real)(stiffness * (double)time);
}

/* ---- Checks ---- */

static sn_result check_material(const sn_kind_info *info, const void *material) {
    size_t size;
    memcpy(&size, material, sizeof size);
    if (size != info->material_size)
        return sn_fail(SN_ERROR_DEFINITION,
                       "%s: the size of the material is %zu, expected %zu: begin with "
                       "sn_%s_material_default",
                       info->name, size, info->material_size, info->name);
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *field = &info->fields[i];
        const char *at = (const char *)material + field->offset;
        bool chosen = field->kind == SN_FIELD_CHOICE;
        const int numbers = chosen ? 1 : sn_field_numbers(field);
        sn_real value[3];
        if (chosen) {
            int choice;
            memcpy(&choice, at, sizeof choice);
            value[0] = (sn_real)choice;
        } else {
            memcpy(value, at, sizeof *value * (size_t)numbers);
        }
        for (int k = 0; k < numbers; k++)
            SN_TRY(sn_check_real(info->name, field->name, value[k], field->least, field->most,
                                 field->automatic, chosen ? "" : field->unit));
    }
    return SN_OK;
}

static sn_result check_vec3(const char *name, sn_vec3 value, const char *unit) {
    const sn_real part[3] = {value.x, value.y, value.z};
    for (int i = 0; i < 3; i++)
        SN_TRY(sn_check_real("body", name, part[i], -(double)SN_REAL_MAX, (double)SN_REAL_MAX,
                             false, unit));
    return SN_OK;
}

/* What only a collision surface has. */
static sn_result check_surface(const sn_build_def *def) {
    const char *key = def->surface.penetration_free   ? "penetration_free"
                      : def->surface.untangle         ? "untangle"
                      : def->surface.triangle_contact ? "triangle_contact"
                                                      : NULL;
    if (!key || def->collide != SN_COLLIDE_NONE) return SN_OK;
    return sn_fail(
        SN_ERROR_VALUE,
        "build: %s of collision surface is true, but collide is SN_COLLIDE_NONE, expected another "
        "one: without it there is no collision surface",
        key);
}

static sn_result check_def(const sn_build_def *def) {
    if (def->size != sizeof *def)
        return sn_fail(SN_ERROR_DEFINITION,
                       "build: its size is %zu, expected %zu: begin with sn_build_def_default",
                       def->size, sizeof *def);
    if (!def->mesh) return sn_fail(SN_ERROR_NULL, "build: mesh is null");
    if ((unsigned)def->collide > SN_COLLIDE_ALL)
        return sn_fail(SN_ERROR_VALUE, "build: collide is %d, expected 0 to %d", (int)def->collide,
                       SN_COLLIDE_ALL);
    SN_TRY(check_surface(def));
    if (def->pin_count > 0 && !def->pins) return sn_fail(SN_ERROR_NULL, "build: pins is null");
    /* Its arrays may have been written to since they were checked. */
    SN_TRY(sn_mesh_expect_sound(def->mesh));
    if (def->mesh->vertex_count == 0)
        return sn_fail(SN_ERROR_DEGENERATE, "build: the mesh has no vertices");
    SN_TRY(check_vec3("position", def->position, "m"));
    SN_TRY(check_vec3("velocity", def->velocity, "m/s"));
    SN_TRY(check_vec3("angular_velocity", def->angular_velocity, "rad/s"));
    const double most = (double)SN_REAL_MAX;
    SN_TRY(sn_check_real("build", "scale", def->scale, SN_ABOVE_ZERO, most, false, ""));
    SN_TRY(sn_check_real("build", "step", def->step, SN_ABOVE_ZERO, most, true, "s"));
    SN_TRY(sn_check_real("build", "k_stretch", def->k_stretch, 0, 1, false, ""));
    SN_TRY(sn_check_real("build", "k_bend", def->k_bend, 0, 1, false, ""));
    sn_quat q = def->rotation;
    double square = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                    (double)q.z * (double)q.z + (double)q.w * (double)q.w;
    if (!(square > 0) || !isfinite(square))
        return sn_fail(SN_ERROR_VALUE, "build: rotation is %g %g %g %g, expected a quaternion",
                       (double)q.x, (double)q.y, (double)q.z, (double)q.w);
    for (size_t i = 0; i < def->pin_count; i++)
        if (def->pins[i] >= def->mesh->vertex_count)
            return sn_fail(SN_ERROR_VALUE,
                           "build: pin %zu is vertex %u, but the mesh has %zu "
                           "vertices",
                           i, def->pins[i], def->mesh->vertex_count);
    return SN_OK;
}

static sn_result check_model(const sn_world *world, const sn_build_def *def) {
    bool stretch = def->k_stretch < 1;
    if (world->settings.model == SN_MODEL_PBD || (!stretch && !(def->k_bend < 1))) return SN_OK;
    return sn_fail(
        SN_ERROR_VALUE,
        "build: %s is %g, but the model of the world is xpbd, where stiffness is that of "
        "the material; expected 1, or the model pbd",
        stretch ? "k_stretch" : "k_bend", (double)(stretch ? def->k_stretch : def->k_bend));
}

/* ---- Nodes ---- */

enum { FEW_VERTICES = 16 };

static void place(sn_builder *b) {
    const sn_build_def *def = b->def;
    double q[4];
    find_rotation(def, q);
    sn_point origin = sn_point_of(def->position), v = sn_point_of(def->velocity);
    sn_point omega = sn_point_of(def->angular_velocity);
    for (size_t i = 0; i < b->mesh->vertex_count; i++) {
        sn_point from = sn_point_scaled(sn_point_of(b->mesh->positions[i]), (double)def->scale);
        sn_point arm = sn_point_rotated(q, from);
        b->defs[i] = sn_node_def_default();
        b->defs[i].position = sn_point_vec3(sn_point_add(origin, arm));
        b->defs[i].velocity = sn_point_vec3(sn_point_add(v, sn_point_cross(omega, arm)));
        b->defs[i].group = def->group;
    }
    /* What is worked out from the positions must be what the nodes will have: in a loop of its own,
       as gcc 12 may leave out the rounding to float where both are at hand. */
    for (size_t i = 0; i < b->mesh->vertex_count; i++) b->x[i] = sn_point_of(b->defs[i].position);
}

static void weigh_nodes(sn_builder *b, sn_build *build) {
    for (size_t i = 0; i < b->mesh->vertex_count; i++) {
        build->mass += b->mass[i];
        b->defs[i].inverse_mass = (sn_real)(1 / b->mass[i]);
    }
}

static void pin_nodes(sn_builder *b) {
    for (size_t i = 0; i < b->def->pin_count; i++) {
        sn_node_def *node = &b->defs[b->def->pins[i]];
        node->inverse_mass = 0;
        node->inverse_inertia = (sn_vec3){0, 0, 0};
        node->velocity = (sn_vec3){0, 0, 0};
        node->angular_velocity = (sn_vec3){0, 0, 0};
    }
}

/* What is asked for and acts on nothing is refused. */
static sn_result check_k(const sn_builder *b) {
    static const char *const names[] = {"k_stretch", "k_bend"};
    const sn_real k[] = {b->def->k_stretch, b->def->k_bend};
    for (int i = 0; i < 2; i++)
        if (k[i] < 1 && !b->has_k[i])
            return sn_fail(SN_ERROR_VALUE,
                           "build: %s is %g, expected 1: this %s has nothing that it could act on",
                           names[i], (double)k[i], b->info->name);
    return SN_OK;
}

static sn_result fill_body(sn_builder *b, const sn_body_kind *kind, sn_build *build) {
    size_t count = b->mesh->vertex_count;
    for (size_t i = 0; i < count; i++) b->defs[i].body = build->body;
    SN_TRY(sn_nodes_create(b->world, b->defs, count, b->nodes));
    if (kind->connect) SN_TRY(kind->connect(b));
    SN_TRY(check_k(b));
    return sn_builder_cover(b, kind->surface, &build->surface);
}

/* What is thicker than it is long is all within itself, where every pair of its elements may touch.
   A few vertices may well be: what they make is short, and has few pairs. */
static sn_result check_radii(const sn_builder *b) {
    const double size = sn_builder_size(b);
    for (size_t i = 0; i < b->mesh->vertex_count && b->mesh->vertex_count > FEW_VERTICES; i++)
        if ((double)b->defs[i].radius > size && size > 0)
            return sn_fail(SN_ERROR_VALUE,
                           "%s: vertex %zu is %g m thick, expected at most %g m, twice the longest "
                           "side of the body: a smaller radius or thickness",
                           b->info->name, i, 2 * (double)b->defs[i].radius, 2 * size);
    return SN_OK;
}

static sn_result make_body(sn_builder *b, const sn_body_kind *kind, sn_build *build) {
    SN_TRY(kind->weigh(b));
    weigh_nodes(b, build);
    if (kind->shape) SN_TRY(kind->shape(b));
    SN_TRY(check_radii(b));
    pin_nodes(b);
    SN_TRY(sn_body_create(b->world, &b->def->body, &build->body));
    sn_result result = fill_body(b, kind, build);
    if (result == SN_OK) return SN_OK;
    /* All else goes with its nodes; of fluids some are without. */
    if (sn_fluid_is_valid(b->world, b->fluid)) (void)sn_fluid_destroy(b->world, b->fluid);
    (void)sn_body_destroy(b->world, build->body);
    return result;
}

/* Bars that hang or are clamped at one end, of every preset, droop by at most 0.4 q too much, with
   q = (substep_rate h)^2, as do rods and cloth that are clamped, by their bend_rate; cloth is
   strained by 0.08 q, as are ropes and rods that hang, by their hung_rate. This is the root of the
   q with which that is 5 and 1 %. */
#define NEAR_ENOUGH 0.3535

/* Of what is chosen: cloth is strained by a quarter of a percent, and by less than 10 % where it
   whips. */
#define AS_CHOSEN 0.18

/* Part of its length that an edge may move in a substep when it is stopped: some edges are strained
   by up to twice as much. */
#define MOST_IMPACT 0.05

/* Rows of a tet are without a unit, so that their compliance is one over an energy: divided by h^2
   it is bounded, and shear is up to three times as soft as the modulus says. What is so small and
   soft has no room in its numbers, and is as stiff as the bound. */
static void warn_of_small_tets(const sn_builder *b, int substeps, double h) {
    double least = b->least_energy > 0 ? sqrt(3 / (SN_MOST_ALPHA * b->least_energy)) : 0;
    if (h < least)
        sn_world_say(
            b->world, SN_LOG_WARNING,
            "%s: with %d substeps of %.3g s its smallest tet is stiffer than its material, "
            "as in all that are shorter than %.3g s; larger units of length have room for "
            "it",
            b->info->name, substeps, h, least);
}

/* The substep is that of the last step, unless a step is given. Before the first one, steps are
   taken to be of 1/60 s. */
static void warn_of_substeps(const sn_builder *b) {
    int substeps = b->world->settings.substeps;
    double h = b->def->step != SN_AUTO ? (double)b->def->step / substeps
               : b->world->steps > 0   ? b->world->scale.h
                                       : 1.0 / 60 / substeps;
    bool cloth = b->edge_length > 0;
    double strains = h * (cloth ? b->substep_rate : b->hung_rate) / NEAR_ENOUGH;
    double softens = h * (cloth ? b->bend_rate : b->substep_rate + b->bend_rate) / NEAR_ENOUGH;
    if (softens > 1)
        sn_world_say(b->world, SN_LOG_WARNING,
                     "%s: with %d substeps of %.3g s it %s softer than its material, which needs "
                     "%.0f of them on this mesh to be within 5 %%",
                     b->info->name, substeps, h, cloth ? "bends" : "is", ceil(substeps * softens));
    if (strains > 1 && (cloth || !(softens > 1)))
        sn_world_say(b->world, SN_LOG_WARNING,
                     "%s: with %d substeps of %.3g s it is strained by about %.2g %% that its "
                     "material does not have%s; %.0f of them bring that to 1 %%%s",
                     b->info->name, substeps, h, strains * strains, cloth ? "" : " where it hangs",
                     ceil(substeps * strains),
                     !cloth || b->tethers > 0 ? "" : ", and tethers halve it where it is pinned");
    warn_of_small_tets(b, substeps, h);
}

sn_result sn_build_substeps(const sn_build *build, double step, double speed, int *substeps) {
    if (!build || !substeps)
        return sn_fail(SN_ERROR_NULL, "sn_build_substeps: %s is null",
                       build ? "substeps" : "build");
    if (!(step > 0) || !(speed >= 0) || !isfinite(step) || !isfinite(speed))
        return sn_fail(SN_ERROR_VALUE,
                       "sn_build_substeps: step is %g s and speed %g m/s, expected above 0 and at "
                       "least 0",
                       step, speed);
    bool cloth = build->edge_length > 0;
    double needed = step * build->substep_rate / (cloth ? AS_CHOSEN : NEAR_ENOUGH);
    double stopped = cloth ? step * speed / (MOST_IMPACT * build->edge_length) : 0;
    needed = ceil(stopped > needed ? stopped : needed);
    int whole = needed < 1 ? 1 : needed < SN_MOST_SUBSTEPS ? (int)needed : SN_MOST_SUBSTEPS;
    /* Dashpots are applied in every fourth where that divides them. */
    *substeps = whole > 4 ? (whole + 3) / 4 * 4 : whole;
    return SN_OK;
}

sn_result sn_build_body(sn_world *world, sn_kind kind, const void *material,
                        const sn_build_def *def, sn_node *nodes, sn_build *build) {
    const sn_body_kind *k = sn_body_kind_at(kind);
    if (!world || !material || !def || !build)
        return sn_fail(SN_ERROR_NULL, "sn_build_body: %s is null",
                       !world      ? "world"
                       : !material ? "material"
                       : !def      ? "def"
                                   : "build");
    if (!k)
        return sn_fail(SN_ERROR_VALUE, "sn_build_body: kind is %d, expected 0 to %d", (int)kind,
                       SN_KIND_COUNT - 1);
    if (world->scratch.locked)
        return sn_fail(SN_ERROR_LOCKED, "sn_build_body: the world is inside a step");
    SN_TRY(check_material(&k->info, material));
    SN_TRY(check_def(def));
    SN_TRY(check_model(world, def));
    SN_TRY(sn_maps_check(k, def));
    size_t count = def->mesh->vertex_count, varied = def->map_count > 0 ? k->info.material_size : 0;
    size_t shared = def->visible ? def->mesh->tet_count : 0;
    sn_builder b = {.world = world,
                    .memory = &world->memory,
                    .material = material,
                    .info = &k->info,
                    .def = def,
                    .mesh = def->mesh};
    b.x = sn_allocate(b.memory, count, sizeof *b.x);
    b.mass = sn_allocate(b.memory, count, sizeof *b.mass);
    b.defs = sn_allocate(b.memory, count, sizeof *b.defs);
    b.nodes = sn_allocate(b.memory, count, sizeof *b.nodes);
    b.local = varied > 0 ? sn_allocate(b.memory, varied, 1) : NULL;
    b.shares = shared > 0 ? sn_allocate(b.memory, shared, sizeof *b.shares) : NULL;
    sn_build made = {0};
    sn_result result = SN_ERROR_MEMORY;
    if (b.x && b.mass && b.defs && b.nodes && (b.local || varied == 0) &&
        (b.shares || shared == 0)) {
        place(&b);
        result = make_body(&b, k, &made);
    }
    if (result == SN_OK) {
        made.constraints = b.constraints;
        made.sheet = b.sheet;
        made.tet_mesh = b.tet_mesh;
        made.matching = b.matching;
        made.fluid = b.fluid;
        made.substep_rate = b.substep_rate;
        made.edge_length = b.edge_length;
        made.tethers = b.tethers;
        warn_of_substeps(&b);
        *build = made;
        if (nodes) memcpy(nodes, b.nodes, count * sizeof *nodes);
    }
    sn_free(b.memory, b.x, count, sizeof *b.x);
    sn_free(b.memory, b.mass, count, sizeof *b.mass);
    sn_free(b.memory, b.defs, count, sizeof *b.defs);
    sn_free(b.memory, b.nodes, count, sizeof *b.nodes);
    if (b.local) sn_free(b.memory, b.local, varied, 1);
    if (b.shares) sn_free(b.memory, b.shares, shared, sizeof *b.shares);
    return result;
}
