#include "recorded_session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "check.h"
#include "snapshot.h"
#include "state/sample_worlds.h"

int session_errors;

static void count_errors(void *user, sn_log_level level, const char *sentence) {
    (void)user;
    session_errors += level == SN_LOG_ERROR && strstr(sentence, "recording") != NULL;
}

sn_world *session_make_world(int threads, int width) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.simd_width = width;
    def.log = count_errors;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* ---- Bytes of files ---- */

session_bytes session_read_bytes(const char *path) {
    session_bytes b = {malloc(1 << 24), 0};
    FILE *file = fopen(path, "rb");
    if (!CHECK(b.data && file)) exit(1);
    b.size = fread(b.data, 1, 1 << 24, file);
    fclose(file);
    return b;
}

void session_write_bytes(const char *path, const unsigned char *data, size_t size) {
    /* Some file systems wait for the disk where a file is written over. */
    remove(path);
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL)) exit(1);
    CHECK(fwrite(data, 1, size, file) == size);
    CHECK(fclose(file) == 0);
}

uint64_t session_get_word(const unsigned char *from, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)from[i] << (8 * i);
    return word;
}

/* Makes the hash of a section, whose head is at a place, right again; returns where it ends. */
size_t session_repair_section(session_bytes b, size_t at) {
    size_t length = (size_t)session_get_word(b.data + at + 8, 8), i = 0;
    const unsigned char *data = b.data + at + 24;
    unsigned char *kept = b.data + at + 16;
    uint64_t hash = length;
    for (; i + 8 <= length; i += 8) hash = sn_hash_word(hash, session_get_word(data + i, 8));
    hash = sn_hash_word(hash, session_get_word(data + i, length - i));
    for (int k = 0; k < 8; k++) kept[k] = (unsigned char)(hash >> (8 * k));
    return at + 24 + length;
}

/* ---- Runs ---- */

/* What it does depends on how often it was called, and once it is no number. */
void session_moody(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    int *calls = user;
    ++*calls;
    for (size_t i = 0; i < input->count; i++) {
        acceleration[i].x += (sn_real)(*calls % 7);
        acceleration[i].z += input->velocity[i].y;
    }
    if (*calls == 20) acceleration[3].y = (sn_real)INFINITY;
}

void session_record(const char *path, int number, bool tiny, int steps) {
    sn_world *world = session_make_world(1, 4);
    REQUIRE_OK(sn_recording_start(world, path));
    sample_world_build(world, number, tiny);
    for (int step = 0; step < steps; step++) {
        sample_world_lead(world, number, step);
        REQUIRE_OK(sn_world_step(world, SESSION_DT));
    }
    CHECK_OK(sn_recording_stop(world));
    sn_world_destroy(world);
}

/* ---- Every call ---- */

static sn_node make_node(sn_world *world, sn_real x, sn_real w, bool oriented, sn_body body) {
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.position = (sn_vec3){x, 0, x / 2};
    def.inverse_mass = w;
    def.oriented = oriented;
    def.body = body;
    if (oriented && w == 0) def.inverse_inertia = (sn_vec3){0, 0, 0};
    /* Of a particle they mean nothing. */
    if (!oriented) def.angular_velocity.x = (sn_real)NAN;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static void stretch(void *user, const sn_user_batch *b) {
    sn_real length = user ? *(const sn_real *)user : 1;
    for (size_t i = 0; i < b->count; i++) {
        b->value[0][i] = -length * b->parameter[0][i];
        for (int a = 0; a < 3; a++) {
            b->value[0][i] += b->x[1][a][i] * b->x[1][a][i];
            b->gradient[0][a][i] = -2 * b->x[1][a][i];
            b->gradient[1][a][i] = 2 * b->x[1][a][i];
        }
    }
}

sn_type session_add_type(sn_world *world, sn_real *length) {
    static const sn_user_parameter square = {"square", "m^2", 0, 10, 0.5};
    sn_user_type_def def = sn_user_type_def_default();
    sn_type type;
    def.name = "stretch";
    def.formula = stretch;
    def.user = length;
    def.parameters = &square;
    def.parameter_count = 1;
    REQUIRE_OK(sn_world_add_type(world, &def, &type));
    return type;
}

static void change_nodes(sn_world *world, const sn_node *node) {
    sn_vec3 v = {(sn_real)0.5, 1, (sn_real)-0.25};
    sn_quat q = {0, (sn_real)0.5, 0, 1};
    CHECK_OK(sn_node_set_position(world, node[0], v));
    CHECK_OK(sn_node_set_velocity(world, node[1], v));
    CHECK_OK(sn_node_set_inverse_mass(world, node[2], 3));
    CHECK_OK(sn_node_set_radius(world, node[3], (sn_real)0.125));
    CHECK_OK(sn_node_set_group(world, node[3], 0xfffffffeu));
    CHECK_OK(sn_node_set_target(world, node[5], v));
    CHECK_OK(sn_node_add_force(world, node[0], v));
    CHECK_OK(sn_node_apply_impulse(world, node[1], v));
    CHECK_OK(sn_node_set_orientation(world, node[4], q));
    CHECK_OK(sn_node_set_angular_velocity(world, node[4], v));
    CHECK_OK(sn_node_set_inverse_inertia(world, node[4], (sn_vec3){1, 2, 3}));
    CHECK_OK(sn_node_add_torque(world, node[4], v));
    CHECK_OK(sn_node_set_target_orientation(world, node[5], q));
    CHECK_FAILS(sn_node_set_target(world, node[0], v), SN_ERROR_VALUE);
}

static void change_constraints(sn_world *world, const sn_node *node, sn_type type) {
    sn_constraint link, own, lost;
    sn_distance_def def = sn_distance_def_default();
    def.node[0] = node[0];
    def.node[1] = node[1];
    CHECK_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &link));
    def.compliance = (sn_real)1e-3;
    CHECK_OK(sn_constraint_set(world, link, &def));
    sn_real value[3] = {2, 0, 0};
    CHECK_OK(sn_constraint_set_field(world, link, "rest_length", value));
    def.node[1] = node[2];
    CHECK_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &lost));
    CHECK_OK(sn_constraint_destroy(world, lost));
    sn_user_def user = {0};
    CHECK_OK(sn_user_def_default(world, type, &user));
    user.node[0] = node[1];
    user.node[1] = node[3];
    user.parameter[0] = (sn_real)0.75;
    CHECK_OK(sn_constraint_create(world, type, &user, &own));
    sn_attachment_def held = sn_attachment_def_default();
    held.node[0] = node[3];
    CHECK_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &held, &own));
}

/* A square of nodes with one in the middle, bent there. */
static void bend(sn_world *world, sn_body body) {
    static const uint32_t fan[12] = {0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1};
    static const sn_vec3 place[5] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 0, -1}};
    sn_node node[5];
    sn_node_def def[5];
    for (int i = 0; i < 5; i++) {
        def[i] = sn_node_def_default();
        def[i].position = place[i];
        def[i].body = body;
    }
    CHECK_OK(sn_nodes_create(world, def, 5, node));
    sn_surface surface = {node, 5, fan, 4};
    sn_vertex_bending_def bending = sn_vertex_bending_def_default();
    sn_constraint made[5];
    size_t count;
    bending.compliance = (sn_real)0.5;
    CHECK_OK(sn_surface_bend(world, &surface, &bending, made, &count));
    bending.node_count = 5;
    bending.area = 1;
    sn_node ring[5];
    CHECK_OK(sn_constraint_get_nodes(world, made[0], ring, 5, &count));
    bending.nodes = ring;
    CHECK_OK(sn_constraint_set(world, made[0], &bending));
}

/* A strand of four nodes that is made twice, changed and taken away. */
static void comb(sn_world *world, const sn_node *node) {
    const sn_real lengths[4] = {0, 1, 1, 1};
    sn_hair_def def = sn_hair_def_default();
    sn_hair kept, lost;
    def.nodes = node;
    def.lengths = lengths;
    def.node_count = 4;
    CHECK_OK(sn_hair_create(world, &def, &kept));
    CHECK_OK(sn_hair_create(world, &def, &lost));
    def.hold = 3;
    def.friction = 1;
    CHECK_OK(sn_hair_set(world, kept, &def));
    CHECK_OK(sn_hair_destroy(world, lost));
}

/* All calls that change a world, with steps between them. */
void session_do_everything(sn_world *world, sn_type type) {
    sn_body_def body_def = sn_body_def_default();
    sn_settings settings = sn_settings_default();
    sn_body body, gone, none = {0, 0, 0};
    settings.substeps = 2;
    settings.gravity.x = 1;
    CHECK_OK(sn_world_set_settings(world, &settings));
    CHECK_OK(sn_body_create(world, &body_def, &body));
    CHECK_OK(sn_body_create(world, &body_def, &gone));
    body_def.damping = (sn_real)0.5;
    CHECK_OK(sn_body_set(world, body, &body_def));
    sn_node node[6];
    for (int i = 0; i < 4; i++)
        node[i] = make_node(world, (sn_real)i, 1, false, i % 2 ? body : none);
    node[4] = make_node(world, 4, 1, true, none);
    node[5] = make_node(world, 5, 0, true, none);
    make_node(world, 6, 1, false, gone);
    CHECK_OK(sn_world_step(world, SESSION_DT));
    change_constraints(world, node, type);
    change_nodes(world, node);
    sn_damping_group_def damping_group_def = sn_damping_group_def_default();
    sn_damping_group kept, lost;
    damping_group_def.nodes = node;
    damping_group_def.node_count = 4;
    damping_group_def.damping = 1;
    CHECK_OK(sn_damping_group_create(world, &damping_group_def, &kept));
    CHECK_OK(sn_damping_group_create(world, &damping_group_def, &lost));
    CHECK_OK(sn_damping_group_set_damping(world, kept, 2));
    CHECK_OK(sn_damping_group_destroy(world, lost));
    sn_fluid_def fluid_def = sn_fluid_def_default();
    sn_fluid fluid, drained;
    fluid_def.nodes = node;
    fluid_def.node_count = 2;
    CHECK_OK(sn_fluid_create(world, &fluid_def, &drained));
    CHECK_OK(sn_fluid_destroy(world, drained));
    fluid_def.node_count = 4;
    CHECK_OK(sn_fluid_create(world, &fluid_def, &fluid));
    fluid_def.viscosity = (sn_real)1e-3;
    CHECK_OK(sn_fluid_set(world, fluid, &fluid_def));
    CHECK_OK(sn_world_step(world, SESSION_DT));
    comb(world, node);
    bend(world, body);
    CHECK_OK(sn_body_destroy(world, gone));
    CHECK_OK(sn_node_destroy(world, node[2]));
    CHECK_OK(sn_world_step(world, SESSION_DT / 2));
    CHECK_OK(sn_world_step(world, 0));
    CHECK_FAILS(sn_world_step(world, -1), SN_ERROR_VALUE);
    size_t size;
    void *snapshot = snapshot_of(world, &size);
    CHECK_OK(sn_world_step(world, SESSION_DT));
    CHECK_OK(sn_snapshot_load(world, snapshot, size));
    CHECK_OK(sn_world_step(world, SESSION_DT));
    free(snapshot);
}

void session_record_everything(const char *path, sn_real *length) {
    sn_world *world = session_make_world(1, 0);
    sn_type type = session_add_type(world, length);
    REQUIRE_OK(sn_recording_start(world, path));
    session_do_everything(world, type);
    CHECK_OK(sn_recording_stop(world));
    sn_world_destroy(world);
}
