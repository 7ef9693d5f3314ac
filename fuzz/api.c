/*
 * Any sequence of calls: bytes choose calls, objects and values, good ones and bad ones, on two
 * worlds whose ids are mixed up now and then, and blocks of memory that are refused. Every call
 * gives a result, a world that refused one is unchanged, and positions are finite after every step.
 */
#include "player.h"

#include <math.h>
#include <string.h>

#include "fuzz.h"

enum { MOST_CALLS = 400, MOST_BYTES = 1 << 20, ALIGNMENT = 64 };

/* ---- Memory ---- */

static void *reallocate(void *user, void *pointer, size_t old_size, size_t new_size) {
    player *p = user;
    void *at = NULL;
    if (new_size > 0) {
        if (p->blocks == 0) {
            p->refused = true;
            if (p->once) p->blocks = SIZE_MAX;
            return NULL;
        }
        if (p->blocks != SIZE_MAX) p->blocks--;
        at = aligned_alloc(ALIGNMENT, (new_size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
        if (at && pointer) memcpy(at, pointer, old_size < new_size ? old_size : new_size);
        if (!at) return NULL;
    }
    free(pointer);
    return at;
}

/* One call in eight runs out of memory, if it needs that many blocks. */
static void plan_shortage(player *p) {
    p->refused = false;
    p->blocks = player_choice(p, 8) == 0 ? player_choice(p, 40) : SIZE_MAX;
    p->once = p->blocks % 2 == 0;
}

/* ---- Calls ---- */

static sn_result create_nodes(player *p) {
    sn_node_def def[4];
    size_t count = 1 + player_choice(p, 4);
    sn_node made[4];
    for (size_t i = 0; i < count; i++) {
        def[i] = sn_node_def_default();
        def[i].position = player_vector(p);
        def[i].inverse_mass = player_choice(p, 4) == 0 ? player_real(p) : 1;
        if (player_choice(p, 4) == 0) def[i].velocity = player_vector(p);
        if (player_choice(p, 4) == 0) def[i].body = p->body[player_whose(p)][player_choice(p, IDS)];
        def[i].oriented = player_choice(p, 2) == 0;
        if (player_choice(p, 4) == 0) def[i].orientation = player_quaternion(p);
        if (player_choice(p, 4) == 0) def[i].inverse_inertia = player_vector(p);
        if (player_choice(p, 16) == 0) def[i].size = player_byte(p);
    }
    sn_result result = sn_nodes_create(p->world[p->w], def, count, made);
    for (size_t i = 0; i < count && result == SN_OK; i++) p->node[p->w][p->made++ % IDS] = made[i];
    return result;
}

static void fill_fields(player *p, const sn_type_info *info, unsigned char *def) {
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *field = &info->fields[i];
        if (player_choice(p, 4) > 0) continue;
        sn_real numbers[3] = {player_real(p), player_real(p), player_real(p)};
        sn_side side = (sn_side)player_choice(p, 4);
        if (field->kind == SN_FIELD_SIDE || field->kind == SN_FIELD_CHOICE)
            memcpy(def + field->offset, &side, sizeof side);
        else
            memcpy(def + field->offset, numbers,
                   (field->kind == SN_FIELD_VEC3 ? 3 : 1) * sizeof *numbers);
    }
}

static sn_result create_constraint(player *p) {
    static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sn_type type = (sn_type)player_choice(p, SN_TYPE_COUNT + 2);
    if (p->type[p->w] && player_choice(p, 8) == 0) type = p->type[p->w];
    const sn_type_info *info = sn_world_type_info(p->world[p->w], type);
    union {
        size_t size;
        double align;
        unsigned char bytes[1024];
    } def = {0};
    sn_node nodes[SN_MAX_NODES];
    sn_constraint made;
    for (int k = 0; k < SN_MAX_NODES; k++) nodes[k] = player_node(p);
    if (!info) return sn_constraint_create(p->world[p->w], type, &def, &made);
    if ((int)type < SN_TYPE_COUNT)
        sn_type_default(type, &def);
    else
        sn_user_def_default(p->world[p->w], type, (sn_user_def *)(void *)&def);
    struct {
        const sn_node *nodes;
        size_t count;
        const uint32_t *triangles;
        size_t triangle_count;
    } list = {nodes, 4 + player_choice(p, 3), NULL, 0};
    if (info->list == SN_LIST_SURFACE) {
        list.triangles = tetrahedron;
        list.triangle_count = 4 - (player_choice(p, 8) == 0);
    }
    if (info->list == SN_LIST_NONE)
        memcpy(def.bytes + sizeof(size_t), nodes, (size_t)info->nodes * sizeof *nodes);
    else
        memcpy(def.bytes + sizeof(size_t), &list, sizeof list);
    fill_fields(p, info, def.bytes);
    sn_result result = sn_constraint_create(p->world[p->w], type, &def, &made);
    if (result == SN_OK) p->constraint[p->w][p->made++ % IDS] = made;
    return result;
}

static void formula(void *user, const sn_user_batch *batch) {
    (void)user;
    for (size_t i = 0; i < batch->count; i++)
        for (int axis = 0; axis < 3; axis++)
            batch->value[axis][i] =
                (batch->x[1][axis][i] + batch->parameter[0][i]) * batch->x[2][axis][i];
}

static sn_result add_type(player *p) {
    static const sn_user_parameter parameter = {"shift", "m", -10, 10, 0};
    sn_user_type_def def = sn_user_type_def_default();
    sn_type made;
    def.name = "fuzzed";
    def.nodes = (int)player_choice(p, 6);
    def.rows = 3;
    def.frames = (int)player_choice(p, 3);
    def.fixed_nodes = (int)player_choice(p, 2);
    def.numerical = true;
    def.parameter_count = 1;
    def.parameters = &parameter;
    def.formula = formula;
    if (def.nodes < 3) def.formula = NULL;
    sn_result result = sn_world_add_type(p->world[p->w], &def, &made);
    if (result == SN_OK) p->type[p->w] = made;
    return result;
}

static sn_result change_settings(player *p) {
    sn_settings settings = sn_settings_default();
    settings.gravity = player_vector(p);
    settings.substeps = 1 + (int)player_choice(p, 5);
    settings.iterations = (int)player_choice(p, 4);
    settings.solver = (sn_solver)player_choice(p, SN_SOLVER_COUNT + 1);
    settings.model = (sn_model)player_choice(p, 3);
    settings.integrator = (sn_integrator)player_choice(p, 3);
    settings.hybrid_colours = (int)player_choice(p, 70);
    settings.split_colours = (int)player_choice(p, 8);
    settings.balanced_colours = (int)player_choice(p, 70);
    settings.alternate = player_choice(p, 2) == 0;
    settings.keep_forces = player_choice(p, 2) == 0;
    settings.friction = (sn_friction)player_choice(p, 3);
    if (player_choice(p, 4) == 0) settings.damping = player_real(p);
    if (player_choice(p, 4) == 0) settings.speed_limit = player_real(p);
    if (player_choice(p, 2) == 0) {
        settings.sleep_time = player_choice(p, 4) ? 0 : player_real(p);
        settings.sleep_speed = player_choice(p, 4) ? 1000 : player_real(p);
    }
    return sn_world_set_settings(p->world[p->w], &settings);
}

static sn_result change_node(player *p) {
    sn_world *world = p->world[p->w];
    sn_node id = player_node(p);
    switch (player_choice(p, 13)) {
    case 0:
        return sn_node_set_position(world, id, player_vector(p));
    case 1:
        return sn_node_set_velocity(world, id, player_vector(p));
    case 2:
        return sn_node_set_inverse_mass(world, id, player_real(p));
    case 3:
        return sn_node_set_target(world, id, player_vector(p));
    case 4:
        return sn_node_add_force(world, id, player_vector(p));
    case 5:
        return sn_node_apply_impulse(world, id, player_vector(p));
    case 6:
        return sn_node_set_orientation(world, id, player_quaternion(p));
    case 7:
        return sn_node_set_angular_velocity(world, id, player_vector(p));
    case 8:
        return sn_node_set_inverse_inertia(world, id, player_vector(p));
    case 9:
        return sn_node_set_target_orientation(world, id, player_quaternion(p));
    case 10:
        return sn_node_add_torque(world, id, player_vector(p));
    case 11:
        return sn_node_set_radii(world, id, player_vector(p));
    default:
        return sn_node_set_radius(world, id, player_real(p));
    }
}

/* A constraint as it is, with some of its fields changed. */
static sn_result set_constraint(player *p, sn_constraint id) {
    sn_type type;
    sn_result result = sn_constraint_get_type(p->world[p->w], id, &type);
    if (result != SN_OK) return result;
    union {
        size_t size;
        double align;
        unsigned char bytes[1024];
    } def = {0};
    const sn_type_info *info = sn_world_type_info(p->world[p->w], type);
    def.size = info->def_size;
    sn_node nodes[SN_MAX_NODES];
    uint32_t triangles[3 * SN_MAX_NODES];
    struct {
        const sn_node *nodes;
        size_t count;
        const uint32_t *triangles;
        size_t triangle_count;
    } list = {nodes, 0, triangles, 0};
    FUZZ_EXPECT(sn_constraint_get(p->world[p->w], id, &def) == SN_OK);
    FUZZ_EXPECT(sn_constraint_get_nodes(p->world[p->w], id, nodes, SN_MAX_NODES, &list.count) ==
                SN_OK);
    FUZZ_EXPECT(sn_constraint_get_triangles(p->world[p->w], id, triangles, SN_MAX_NODES,
                                            &list.triangle_count) == SN_OK);
    if (info->list != SN_LIST_NONE) memcpy(def.bytes + sizeof(size_t), &list, sizeof list);
    if (info->list == SN_LIST_SURFACE && player_choice(p, 4) == 0) {
        sn_real weights[SN_MAX_NODES];
        size_t count = list.count < SN_MAX_NODES ? list.count : SN_MAX_NODES;
        for (size_t n = 0; n < count; n++) weights[n] = player_choice(p, 8) ? 0 : player_real(p);
        return sn_constraint_set_weights(p->world[p->w], id, weights, count);
    }
    fill_fields(p, info, def.bytes);
    return sn_constraint_set(p->world[p->w], id, &def);
}

/* A fan of triangles around a node, closed or not. */
static sn_result bend_surface(player *p) {
    enum { RIM = 5 };
    static const uint32_t fan[3 * RIM] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1};
    sn_node nodes[RIM + 1];
    for (int k = 0; k <= RIM; k++) nodes[k] = player_node(p);
    sn_surface surface = {nodes, RIM + 1, fan, RIM - (player_choice(p, 8) == 0)};
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    def.compliance = player_real(p);
    size_t count;
    return sn_surface_bend(p->world[p->w], &surface, &def, NULL, &count);
}

static sn_result change_constraint(player *p) {
    static const char *const names[] = {"compliance",  "damping",     "stiffness", "side",
                                        "break_force", "rest_length", "area",      "pressure"};
    sn_constraint id = p->constraint[player_whose(p)][player_choice(p, IDS)];
    sn_real value[3] = {player_real(p), player_real(p), player_real(p)}, c[SN_MAX_ROWS];
    switch (player_choice(p, 6)) {
    case 0:
        return sn_constraint_destroy(p->world[p->w], id);
    case 3:
        return set_constraint(p, id);
    case 4:
        return bend_surface(p);
    case 1:
        return sn_constraint_evaluate(p->world[p->w], id, c, NULL);
    case 2:
        return sn_constraint_force(p->world[p->w], id, c);
    default:
        return sn_constraint_set_field(p->world[p->w], id, names[player_choice(p, 8)], value);
    }
}

static void push(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    const player *p = user;
    for (size_t i = 0; i < input->count; i += 3) {
        acceleration[i].x += p->push.x;
        acceleration[i].y -= p->push.y * input->velocity[i].y;
        acceleration[i].z += p->push.z;
    }
}

static sn_result change_field(player *p) {
    p->push = player_vector(p);
    bool add = player_choice(p, 2) == 0;
    return add ? sn_world_add_force_field(p->world[p->w], push, p)
               : sn_world_remove_force_field(p->world[p->w], push, p);
}

/* Lines between nodes, or those of a body at a plane. */
static sn_result cut(player *p) {
    sn_world *world = p->world[p->w];
    sn_blade_def blade = sn_blade_def_default();
    sn_node ends[4] = {player_node(p), player_node(p), player_node(p), player_node(p)};
    if (player_choice(p, 2) == 0) return sn_lines_cut(world, ends, player_choice(p, 3));
    blade.point = player_vector(p);
    blade.normal = player_vector(p);
    return sn_body_cut(world, p->body[player_whose(p)][player_choice(p, IDS)], &blade, NULL);
}

static sn_result change_group(player *p) {
    sn_world *world = p->world[p->w];
    size_t at = player_choice(p, IDS);
    sn_node nodes[3] = {player_node(p), player_node(p), player_node(p)};
    sn_body_def body = sn_body_def_default();
    sn_damping_group_def damping_group = sn_damping_group_def_default();
    body.rolls = player_choice(p, 2) == 0;
    body.material = (sn_material)player_choice(p, 3);
    switch (player_choice(p, 10)) {
    case 9:
        return cut(p);
    case 8:
        return sn_body_wake(world, p->body[player_whose(p)][at]);
    case 0:
        body.rigid_damping = player_real(p);
        body.may_sleep = player_choice(p, 4) > 0;
        return sn_body_create(world, &body, &p->body[p->w][at]);
    case 5:
        body.gravity = player_vector(p);
        body.damping = player_real(p);
        return sn_body_set(world, p->body[player_whose(p)][at], &body);
    case 6:
        return sn_damping_group_set_damping(world, p->damping_group[player_whose(p)][at],
                                            player_real(p));
    case 7:
        return change_field(p);
    case 1:
        return sn_body_destroy(world, p->body[player_whose(p)][at]);
    case 2:
        damping_group.nodes = nodes;
        damping_group.node_count = player_choice(p, 4);
        damping_group.damping = player_real(p);
        return sn_damping_group_create(world, &damping_group, &p->damping_group[p->w][at]);
    case 3:
        return sn_damping_group_destroy(world, p->damping_group[player_whose(p)][at]);
    default:
        return sn_nodes_destroy(world, nodes, player_choice(p, 4));
    }
}

/* The state of one world becomes that of the other, which has the same ids then. */
static sn_result copy_world(player *p) {
    static uint8_t buffer[MOST_BYTES];
    size_t size = 0;
    sn_result result = sn_snapshot_save(p->world[!p->w], buffer, sizeof buffer, &size);
    FUZZ_EXPECT(result == SN_OK || result == SN_ERROR_LIMIT);
    if (result != SN_OK) return result;
    p->stale[p->w] = true;
    result = sn_snapshot_load(p->world[p->w], buffer, size);
    /* A type of the user's may be missing here. */
    bool may = result == SN_OK || p->type[0] || p->type[1] || p->refused;
    if (!may) fprintf(stderr, "a snapshot does not load: %s\n", sn_last_error());
    FUZZ_EXPECT(may);
    return result;
}

static sn_result call(player *p) {
    p->called = player_choice(p, 29);
    switch (p->called) {
    case 0:
    case 1:
    case 2:
        return create_nodes(p);
    case 3:
    case 4:
    case 5:
    case 6:
        return create_constraint(p);
    case 7:
        return change_settings(p);
    case 8:
    case 9:
        return change_node(p);
    case 10:
        return change_constraint(p);
    case 11:
        return change_group(p);
    case 12:
        return add_type(p);
    case 13:
        return copy_world(p);
    case 14:
        return player_change_collider(p);
    case 15:
        return player_change_material(p);
    case 16:
    case 17:
        return player_change_surface(p);
    case 18:
        return player_ask(p);
    case 19:
    case 20:
        return player_build(p);
    case 21:
        return player_change_sheet(p);
    case 22:
        return player_change_follow(p);
    case 23:
        return player_choice(p, 2) ? player_change_hierarchy(p) : player_change_matching(p);
    case 25:
        return player_choice(p, 2) ? player_change_dough(p) : player_change_elements(p);
    case 24:
        return player_bind(p);
    default:
        /* Tethers that were made for a step that failed stay for the next. */
        p->untidy = p->owned;
        return sn_world_step(p->world[p->w],
                             player_choice(p, 16) == 0 ? player_real(p) : (sn_real)(1.0 / 60));
    }
}

/* ---- What must hold ---- */

static void check_finite(const sn_world *world) {
    sn_node_view view;
    FUZZ_EXPECT(sn_world_nodes(world, &view) == SN_OK);
    for (size_t i = 0; i < view.count; i++) {
        sn_vec4 x = view.position[i], v = view.velocity[i];
        FUZZ_EXPECT(isfinite(x.x) && isfinite(x.y) && isfinite(x.z));
        FUZZ_EXPECT(isfinite(v.x) && isfinite(v.y) && isfinite(v.z));
    }
}

static size_t save(const sn_world *world, uint8_t bytes[MOST_BYTES]) {
    size_t size = 0;
    return sn_snapshot_save(world, bytes, MOST_BYTES, &size) == SN_OK ? size : 0;
}

/* One call, and what must be as before where it is refused. */
static void call_and_check(player *p) {
    static uint8_t before[MOST_BYTES], after[MOST_BYTES];
    const sn_world *world = p->world[p->w];
    plan_shortage(p);
    p->untidy = false;
    uint64_t hash = sn_world_hash(world);
    size_t size = p->blocks != SIZE_MAX ? save(world, before) : 0;
    sn_result result = call(p);
    bool did_without = p->frugal && p->refused && result == SN_OK;
    FUZZ_EXPECT((result == SN_ERROR_MEMORY) == p->refused || did_without);
    bool same = p->untidy || result == SN_OK || sn_world_hash(world) == hash;
    if (p->refused && !did_without && !p->untidy)
        same = same && save(world, after) == size && memcmp(before, after, size) == 0;
    if (!same)
        fprintf(stderr, "call %zu was refused, and has changed something: %s\n", p->called,
                sn_last_error());
    FUZZ_EXPECT(same);
    check_finite(world);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static player p;
    memset(&p, 0, sizeof p);
    p.data = data;
    p.size = size;
    p.blocks = SIZE_MAX;
    for (int w = 0; w < WORLDS; w++) {
        sn_world_def def = sn_world_def_default();
        def.threads = player_choice(&p, 16) == 0 ? 2 : 1;
        def.simd_width = w == 0 ? 4 : 0;
        def.allocator = (sn_allocator){reallocate, &p};
        FUZZ_EXPECT(sn_world_create(&def, &p.world[w]) == SN_OK);
    }
    for (int i = 0; i < MOST_CALLS && p.at < p.size; i++) {
        p.w = (int)player_choice(&p, WORLDS);
        call_and_check(&p);
    }
    for (int w = 0; w < WORLDS; w++) {
        sn_query_destroy(p.query[w]);
        sn_world_destroy(p.world[w]);
    }
    return 0;
}
