/*
 * Any sequence of calls: bytes choose calls, objects and values, good ones and bad ones, on two
 * worlds whose ids are mixed up now and then, and blocks of memory that are refused. Every call
 * gives a result, a world that refused one is unchanged, and positions are finite after every step.
 */
#include <math.h>
#include <sinew/sinew.h>
#include <string.h>

#include "fuzz.h"

enum { WORLDS = 2, IDS = 32, MOST_CALLS = 400, MOST_BYTES = 1 << 20, ALIGNMENT = 64 };

/* What the bytes have led to so far. */
typedef struct player {
    const uint8_t *data;
    size_t size, at;
    sn_world *world[WORLDS];
    sn_node node[WORLDS][IDS];
    sn_body body[WORLDS][IDS];
    sn_constraint constraint[WORLDS][IDS];
    sn_cluster cluster[WORLDS][IDS];
    sn_collider collider[WORLDS][IDS];
    sn_type type[WORLDS]; /* of the user's, or 0 */
    int w;                /* the world of the present call */
    size_t made;
    sn_vec3 push;   /* m/s^2, of the force fields */
    size_t blocks;  /* how many more there are in the present call; SIZE_MAX: any number */
    bool once;      /* whether only one is refused then */
    bool refused;   /* whether one was, in the present call */
    bool colliding; /* whether there were colliders: a step then does without a second search */
} player;

/* ---- Choices ---- */

static uint8_t byte(player *p) {
    return p->at < p->size ? p->data[p->at++] : 0;
}

static size_t choice(player *p, size_t count) {
    return byte(p) % count;
}

static sn_real real(player *p) {
    static const double values[] = {0,    1,     -1,      0.5,    2,          1e-3, 10,
                                    1e6,  1e-20, 1e30,    -1e30,  INFINITY,   NAN,  1e-40,
                                    0.25, 3,     9.81e-3, 3.4e38, -3.4028e38, 1e-10};
    size_t at = byte(p);
    if (at < 2 * sizeof values / sizeof *values)
        return (sn_real)values[at % (sizeof values / sizeof *values)];
    return (sn_real)((double)at / 64 - 2);
}

static sn_vec3 vector(player *p) {
    sn_vec3 v;
    v.x = real(p);
    v.y = real(p);
    v.z = real(p);
    return v;
}

static sn_quat quaternion(player *p) {
    sn_quat q;
    q.x = real(p);
    q.y = real(p);
    q.z = real(p);
    q.w = real(p);
    return q;
}

/* One time in sixteen an id of the other world. */
static int whose(player *p) {
    return choice(p, 16) == 0 ? !p->w : p->w;
}

static sn_node node(player *p) {
    int w = whose(p);
    return p->node[w][choice(p, IDS)];
}

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
    p->blocks = choice(p, 8) == 0 ? choice(p, 40) : SIZE_MAX;
    p->once = p->blocks % 2 == 0;
}

/* ---- Calls ---- */

static sn_result create_nodes(player *p) {
    sn_node_def def[4];
    size_t count = 1 + choice(p, 4);
    sn_node made[4];
    for (size_t i = 0; i < count; i++) {
        def[i] = sn_node_def_default();
        def[i].position = vector(p);
        def[i].inverse_mass = choice(p, 4) == 0 ? real(p) : 1;
        if (choice(p, 4) == 0) def[i].velocity = vector(p);
        if (choice(p, 4) == 0) def[i].body = p->body[whose(p)][choice(p, IDS)];
        def[i].oriented = choice(p, 2) == 0;
        if (choice(p, 4) == 0) def[i].orientation = quaternion(p);
        if (choice(p, 4) == 0) def[i].inverse_inertia = vector(p);
        if (choice(p, 16) == 0) def[i].size = byte(p);
    }
    sn_result result = sn_nodes_create(p->world[p->w], def, count, made);
    for (size_t i = 0; i < count && result == SN_OK; i++) p->node[p->w][p->made++ % IDS] = made[i];
    return result;
}

static void fill_fields(player *p, const sn_type_info *info, unsigned char *def) {
    for (size_t i = 0; i < info->field_count; i++) {
        const sn_field_info *field = &info->fields[i];
        if (choice(p, 4) > 0) continue;
        sn_real numbers[3] = {real(p), real(p), real(p)};
        sn_side side = (sn_side)choice(p, 4);
        if (field->kind == SN_FIELD_SIDE || field->kind == SN_FIELD_CHOICE)
            memcpy(def + field->offset, &side, sizeof side);
        else
            memcpy(def + field->offset, numbers,
                   (field->kind == SN_FIELD_VEC3 ? 3 : 1) * sizeof *numbers);
    }
}

static sn_result create_constraint(player *p) {
    static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sn_type type = (sn_type)choice(p, SN_TYPE_COUNT + 2);
    if (p->type[p->w] && choice(p, 8) == 0) type = p->type[p->w];
    const sn_type_info *info = sn_world_type_info(p->world[p->w], type);
    union {
        size_t size;
        double align;
        unsigned char bytes[1024];
    } def = {0};
    sn_node nodes[SN_MAX_NODES];
    sn_constraint made;
    for (int k = 0; k < SN_MAX_NODES; k++) nodes[k] = node(p);
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
    } list = {nodes, 4 + choice(p, 3), NULL, 0};
    if (info->list == SN_LIST_SURFACE) {
        list.triangles = tetrahedron;
        list.triangle_count = 4 - (choice(p, 8) == 0);
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
    def.nodes = (int)choice(p, 6);
    def.rows = 3;
    def.frames = (int)choice(p, 3);
    def.fixed_nodes = (int)choice(p, 2);
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
    settings.gravity = vector(p);
    settings.substeps = 1 + (int)choice(p, 5);
    settings.iterations = (int)choice(p, 4);
    settings.solver = (sn_solver)choice(p, 6);
    settings.model = (sn_model)choice(p, 3);
    settings.integrator = (sn_integrator)choice(p, 3);
    settings.hybrid_colours = (int)choice(p, 70);
    settings.alternate = choice(p, 2) == 0;
    settings.keep_forces = choice(p, 2) == 0;
    settings.friction = (sn_friction)choice(p, 3);
    if (choice(p, 4) == 0) settings.damping = real(p);
    if (choice(p, 4) == 0) settings.speed_limit = real(p);
    if (choice(p, 2) == 0) {
        settings.sleep_time = choice(p, 4) ? 0 : real(p);
        settings.sleep_speed = choice(p, 4) ? 1000 : real(p);
    }
    return sn_world_set_settings(p->world[p->w], &settings);
}

static sn_result change_node(player *p) {
    sn_world *world = p->world[p->w];
    sn_node id = node(p);
    switch (choice(p, 12)) {
    case 0:
        return sn_node_set_position(world, id, vector(p));
    case 1:
        return sn_node_set_velocity(world, id, vector(p));
    case 2:
        return sn_node_set_inverse_mass(world, id, real(p));
    case 3:
        return sn_node_set_target(world, id, vector(p));
    case 4:
        return sn_node_add_force(world, id, vector(p));
    case 5:
        return sn_node_apply_impulse(world, id, vector(p));
    case 6:
        return sn_node_set_orientation(world, id, quaternion(p));
    case 7:
        return sn_node_set_angular_velocity(world, id, vector(p));
    case 8:
        return sn_node_set_inverse_inertia(world, id, vector(p));
    case 9:
        return sn_node_set_target_orientation(world, id, quaternion(p));
    case 10:
        return sn_node_add_torque(world, id, vector(p));
    default:
        return sn_node_set_radius(world, id, real(p));
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
    fill_fields(p, info, def.bytes);
    return sn_constraint_set(p->world[p->w], id, &def);
}

/* A fan of triangles around a node, closed or not. */
static sn_result bend_surface(player *p) {
    enum { RIM = 5 };
    static const uint32_t fan[3 * RIM] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1};
    sn_node nodes[RIM + 1];
    for (int k = 0; k <= RIM; k++) nodes[k] = node(p);
    sn_surface surface = {nodes, RIM + 1, fan, RIM - (choice(p, 8) == 0)};
    sn_vertex_bending_def def = sn_vertex_bending_def_default();
    def.compliance = real(p);
    size_t count;
    return sn_surface_bend(p->world[p->w], &surface, &def, NULL, &count);
}

static sn_result change_constraint(player *p) {
    static const char *const names[] = {"compliance",  "damping",     "stiffness", "side",
                                        "break_force", "rest_length", "area",      "pressure"};
    sn_constraint id = p->constraint[whose(p)][choice(p, IDS)];
    sn_real value[3] = {real(p), real(p), real(p)}, c[SN_MAX_ROWS];
    switch (choice(p, 6)) {
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
        return sn_constraint_set_field(p->world[p->w], id, names[choice(p, 8)], value);
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
    p->push = vector(p);
    bool add = choice(p, 2) == 0;
    return add ? sn_world_add_force_field(p->world[p->w], push, p)
               : sn_world_remove_force_field(p->world[p->w], push, p);
}

static sn_result change_group(player *p) {
    sn_world *world = p->world[p->w];
    size_t at = choice(p, IDS);
    sn_node nodes[3] = {node(p), node(p), node(p)};
    sn_body_def body = sn_body_def_default();
    sn_cluster_def cluster = sn_cluster_def_default();
    body.rolls = choice(p, 2) == 0;
    body.material = (sn_material)choice(p, 3);
    switch (choice(p, 9)) {
    case 8:
        return sn_body_wake(world, p->body[whose(p)][at]);
    case 0:
        body.rigid_damping = real(p);
        body.may_sleep = choice(p, 4) > 0;
        return sn_body_create(world, &body, &p->body[p->w][at]);
    case 5:
        body.gravity = vector(p);
        body.damping = real(p);
        return sn_body_set(world, p->body[whose(p)][at], &body);
    case 6:
        return sn_cluster_set_damping(world, p->cluster[whose(p)][at], real(p));
    case 7:
        return change_field(p);
    case 1:
        return sn_body_destroy(world, p->body[whose(p)][at]);
    case 2:
        cluster.nodes = nodes;
        cluster.node_count = choice(p, 4);
        cluster.damping = real(p);
        return sn_cluster_create(world, &cluster, &p->cluster[p->w][at]);
    case 3:
        return sn_cluster_destroy(world, p->cluster[whose(p)][at]);
    default:
        return sn_nodes_destroy(world, nodes, choice(p, 4));
    }
}

/* The state of one world becomes that of the other, which has the same ids then. */
static sn_result copy_world(player *p) {
    static uint8_t buffer[MOST_BYTES];
    size_t size = 0;
    sn_result result = sn_snapshot_save(p->world[!p->w], buffer, sizeof buffer, &size);
    FUZZ_EXPECT(result == SN_OK || result == SN_ERROR_LIMIT);
    if (result != SN_OK) return result;
    result = sn_snapshot_load(p->world[p->w], buffer, size);
    /* A type of the user's may be missing here. */
    FUZZ_EXPECT(result == SN_OK || p->type[0] || p->type[1] || p->refused);
    return result;
}

static sn_result change_collider(player *p) {
    sn_world *world = p->world[p->w];
    size_t at = choice(p, IDS);
    sn_collider id = p->collider[whose(p)][at];
    sn_collider_def def = sn_collider_def_default();
    sn_vec3 place;
    def.shape = (sn_shape)choice(p, 6);
    def.position = vector(p);
    def.radius = choice(p, 2) ? real(p) : def.radius;
    switch (choice(p, 6)) {
    case 0:
        return sn_collider_destroy(world, id);
    case 1:
        place = vector(p);
        return sn_collider_set_target(world, id, place, quaternion(p));
    case 2:
        def.velocity = vector(p);
        def.restitution = real(p);
        return sn_collider_set(world, id, &def);
    case 3:
        return sn_collider_get(world, id, &def);
    default:
        def.angular_velocity = vector(p);
        p->colliding = true;
        return sn_collider_create(world, &def, &p->collider[p->w][at]);
    }
}

static sn_result change_law(player *p) {
    sn_world *world = p->world[p->w];
    sn_body body = p->body[whose(p)][choice(p, IDS)], other = p->body[p->w][choice(p, IDS)];
    sn_contact_pair_def pair = sn_contact_pair_def_default();
    sn_material a = (sn_material)choice(p, 3), b = (sn_material)choice(p, 3);
    sn_vec3 force;
    sn_result result;
    switch (choice(p, 5)) {
    case 0:
        pair.static_friction = pair.dynamic_friction = real(p);
        pair.restitution = choice(p, 2) ? 1 : real(p);
        pair.rolling_resistance = real(p);
        pair.collide = choice(p, 4) > 0;
        return sn_world_set_contact_pair(world, a, b, &pair);
    case 1:
        return sn_world_reset_contact_pair(world, a, b);
    case 2:
        return sn_body_set_collision(world, body, other, choice(p, 2) == 0);
    case 3:
        return sn_body_set_collider_collision(world, body, p->collider[p->w][choice(p, IDS)],
                                              choice(p, 2) == 0);
    default:
        result = sn_body_contact_force(world, body, &force);
        if (result == SN_OK)
            FUZZ_EXPECT(isfinite(force.x) && isfinite(force.y) && isfinite(force.z));
        return result;
    }
}

static sn_result call(player *p) {
    switch (choice(p, 18)) {
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
        return change_collider(p);
    case 15:
        return change_law(p);
    default:
        return sn_world_step(p->world[p->w], choice(p, 16) == 0 ? real(p) : (sn_real)(1.0 / 60));
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
    uint64_t hash = sn_world_hash(world);
    size_t size = p->blocks != SIZE_MAX ? save(world, before) : 0;
    sn_result result = call(p);
    bool did_without = p->colliding && p->refused && result == SN_OK;
    FUZZ_EXPECT((result == SN_ERROR_MEMORY) == p->refused || did_without);
    if (result != SN_OK) FUZZ_EXPECT(sn_world_hash(world) == hash);
    if (p->refused && !did_without)
        FUZZ_EXPECT(save(world, after) == size && memcmp(before, after, size) == 0);
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
        def.threads = choice(&p, 16) == 0 ? 2 : 1;
        def.simd_width = w == 0 ? 4 : 0;
        def.allocator = (sn_allocator){reallocate, &p};
        FUZZ_EXPECT(sn_world_create(&def, &p.world[w]) == SN_OK);
    }
    for (int i = 0; i < MOST_CALLS && p.at < p.size; i++) {
        p.w = (int)choice(&p, WORLDS);
        call_and_check(&p);
    }
    for (int w = 0; w < WORLDS; w++) sn_world_destroy(p.world[w]);
    return 0;
}
