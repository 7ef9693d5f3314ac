/*
 * Recordings: repeating one gives the recorded hashes on any number of threads and lanes; a file
 * that was cut off is repeated up to there; damage is found; what force fields gave is given again;
 * and where two runs differ, the place is named.
 */
#define _XOPEN_SOURCE 700

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/resource.h>
#endif

#include "base/hash.h"
#include "check.h"
#include "menagerie.h"

static const sn_real dt = (sn_real)(1.0 / 60);

#ifdef SN_DOUBLE
#define FILE_A "recording_f64_a.reco"
#define FILE_B "recording_f64_b.reco"
#else
#define FILE_A "recording_a.reco"
#define FILE_B "recording_b.reco"
#endif

static int errors_logged;

static void count_errors(void *user, sn_log_level level, const char *sentence) {
    (void)user;
    errors_logged += level == SN_LOG_ERROR && strstr(sentence, "recording") != NULL;
}

static sn_world *make_world(int threads, int width) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.threads = threads;
    def.simd_width = width;
    def.log = count_errors;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* ---- Bytes of files ---- */

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static bytes read_bytes(const char *path) {
    bytes b = {malloc(1 << 24), 0};
    FILE *file = fopen(path, "rb");
    if (!CHECK(b.data && file)) exit(1);
    b.size = fread(b.data, 1, 1 << 24, file);
    fclose(file);
    return b;
}

static void write_bytes(const char *path, const unsigned char *data, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!CHECK(file != NULL)) exit(1);
    CHECK(fwrite(data, 1, size, file) == size);
    CHECK(fclose(file) == 0);
}

static uint64_t get_word(const unsigned char *from, size_t count) {
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++) word |= (uint64_t)from[i] << (8 * i);
    return word;
}

/* Makes the hash of a section, whose head is at a place, right again; returns where it ends. */
static size_t repair_section(bytes b, size_t at) {
    size_t length = (size_t)get_word(b.data + at + 8, 8), i = 0;
    const unsigned char *data = b.data + at + 24;
    uint64_t hash = length;
    for (; i + 8 <= length; i += 8) hash = sn_hash_word(hash, get_word(data + i, 8));
    hash = sn_hash_word(hash, get_word(data + i, length - i));
    for (int k = 0; k < 8; k++) b.data[at + 16 + (size_t)k] = (unsigned char)(hash >> (8 * k));
    return at + 24 + length;
}

/* ---- Runs ---- */

static void record(const char *path, int number, bool tiny, int steps) {
    sn_world *world = make_world(1, 4);
    REQUIRE_OK(sn_recording_start(world, path));
    menagerie_build(world, number, tiny);
    for (int step = 0; step < steps; step++) {
        menagerie_lead(world, number, step);
        REQUIRE_OK(sn_world_step(world, dt));
    }
    CHECK_OK(sn_recording_stop(world));
    sn_world_destroy(world);
}

TEST(replays_are_the_same_runs) {
    static const int kinds[][2] = {{1, 1}, {2, 4}, {3, 8}, {4, 16}};
    for (int number = 0; number < MENAGERIE_WORLDS; number++) {
        record(FILE_A, number, false, 12);
        for (int k = 0; k < 4; k++) {
            sn_world *world = make_world(kinds[k][0], kinds[k][1]);
            sn_replay_report report;
            check_case("%s, %d threads, %d lanes", menagerie_name(number), kinds[k][0],
                       kinds[k][1]);
            CHECK_OK(sn_replay_file(world, FILE_A, &report));
            CHECK(report.steps == 12 && report.calls > 12);
            CHECK(!report.differs && !report.truncated);
            sn_world_destroy(world);
        }
    }
    CHECK(remove(FILE_A) == 0);
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

static sn_type add_type(sn_world *world, sn_real *length) {
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
    bending.nodes = node;
    bending.node_count = 5;
    bending.area = 1;
    sn_node ring[5];
    CHECK_OK(sn_constraint_get_nodes(world, made[0], ring, 5, &count));
    bending.nodes = ring;
    CHECK_OK(sn_constraint_set(world, made[0], &bending));
}

/* All calls that change a world, with steps between them. */
static void do_everything(sn_world *world, sn_type type) {
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
    CHECK_OK(sn_world_step(world, dt));
    change_constraints(world, node, type);
    change_nodes(world, node);
    sn_cluster_def cluster_def = sn_cluster_def_default();
    sn_cluster kept, lost;
    cluster_def.nodes = node;
    cluster_def.node_count = 4;
    cluster_def.damping = 1;
    CHECK_OK(sn_cluster_create(world, &cluster_def, &kept));
    CHECK_OK(sn_cluster_create(world, &cluster_def, &lost));
    CHECK_OK(sn_cluster_set_damping(world, kept, 2));
    CHECK_OK(sn_cluster_destroy(world, lost));
    CHECK_OK(sn_world_step(world, dt));
    bend(world, body);
    CHECK_OK(sn_body_destroy(world, gone));
    CHECK_OK(sn_node_destroy(world, node[2]));
    CHECK_OK(sn_world_step(world, dt / 2));
    CHECK_OK(sn_world_step(world, 0));
    CHECK_FAILS(sn_world_step(world, -1), SN_ERROR_VALUE);
    size_t size;
    CHECK_OK(sn_snapshot_save(world, NULL, 0, &size));
    void *snapshot = malloc(size);
    if (!CHECK(snapshot != NULL)) exit(1);
    CHECK_OK(sn_snapshot_save(world, snapshot, size, &size));
    CHECK_OK(sn_world_step(world, dt));
    CHECK_OK(sn_snapshot_load(world, snapshot, size));
    CHECK_OK(sn_world_step(world, dt));
    free(snapshot);
}

static void record_everything(const char *path, sn_real *length) {
    sn_world *world = make_world(1, 0);
    sn_type type = add_type(world, length);
    REQUIRE_OK(sn_recording_start(world, path));
    do_everything(world, type);
    CHECK_OK(sn_recording_stop(world));
    sn_world_destroy(world);
}

TEST(every_call_is_repeated) {
    sn_replay_report report;
    sn_world *original = make_world(1, 0), *world = make_world(2, 8), *bare = make_world(1, 0);
    sn_type type = add_type(original, NULL);
    add_type(world, NULL);
    REQUIRE_OK(sn_recording_start(original, FILE_A));
    do_everything(original, type);
    CHECK_OK(sn_recording_stop(original));
    CHECK_OK(sn_replay_file(world, FILE_A, &report));
    CHECK(report.steps == 6 && !report.differs && !report.truncated);
    CHECK(sn_world_hash(world) == sn_world_hash(original));
    CHECK_OK(sn_replay_file(world, FILE_A, NULL));
    /* A recording of a replay is the same. */
    REQUIRE_OK(sn_recording_start(world, FILE_B));
    CHECK_OK(sn_replay_file(world, FILE_A, NULL));
    CHECK_OK(sn_recording_stop(world));
    CHECK_OK(sn_replay_file(world, FILE_B, &report));
    CHECK(report.steps == 6 && !report.differs && !report.truncated);
    CHECK_FAILS(sn_replay_file(bare, FILE_A, &report), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "no constraint type \"stretch\"") != NULL);
    sn_world_destroy(original);
    sn_world_destroy(world);
    sn_world_destroy(bare);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

/* ---- Force fields ---- */

/* What it does depends on how often it was called, and once it is no number. */
static void moody(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    int *calls = user;
    ++*calls;
    for (size_t i = 0; i < input->count; i++) {
        acceleration[i].x += (sn_real)(*calls % 7);
        acceleration[i].z += input->velocity[i].y;
    }
    if (*calls == 20) acceleration[3].y = (sn_real)INFINITY;
}

static void forbidden(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    (void)input;
    acceleration[0].x = 1000;
    CHECK(false);
}

TEST(force_fields_are_given_again) {
    sn_world *world = make_world(1, 0), *other = make_world(2, 0);
    sn_replay_report report;
    const sn_freeze_event *events;
    size_t count, frozen = 0;
    int calls = 0;
    menagerie_build(world, 5, false);
    REQUIRE_OK(sn_world_add_force_field(world, moody, &calls));
    REQUIRE_OK(sn_recording_start(world, FILE_A));
    for (int step = 0; step < 10; step++) {
        menagerie_lead(world, 5, step);
        if (step == 8) REQUIRE_OK(sn_world_remove_force_field(world, moody, &calls));
        REQUIRE_OK(sn_world_step(world, dt));
        CHECK_OK(sn_world_freezes(world, &events, &count));
        frozen += count;
    }
    CHECK(frozen > 0 && calls == 24);
    CHECK_OK(sn_recording_stop(world));
    REQUIRE_OK(sn_world_add_force_field(other, forbidden, NULL));
    CHECK_OK(sn_replay_file(other, FILE_A, &report));
    CHECK(report.steps == 10 && !report.differs && !report.truncated);
    CHECK(sn_world_hash(world) == sn_world_hash(other));
    CHECK_OK(sn_world_remove_force_field(other, forbidden, NULL));
    sn_world_destroy(world);
    sn_world_destroy(other);
    CHECK(remove(FILE_A) == 0);
}

/* ---- Damage ---- */

static void record_with_field(const char *path, int number) {
    sn_world *world = make_world(1, 4);
    int calls = 0;
    if (number % 2 == 0) REQUIRE_OK(sn_world_add_force_field(world, moody, &calls));
    REQUIRE_OK(sn_recording_start(world, path));
    menagerie_build(world, number, true);
    for (int step = 0; step < 3; step++) {
        menagerie_lead(world, number, step);
        REQUIRE_OK(sn_world_step(world, dt));
    }
    CHECK_OK(sn_recording_stop(world));
    sn_world_destroy(world);
}

TEST(cut_off_files_are_repeated_up_to_there) {
    for (int number = 4; number < 9; number += 2) {
        record_with_field(FILE_A, number);
        bytes b = read_bytes(FILE_A);
        sn_world *world = make_world(1, 0);
        sn_replay_report report, last = {0};
        size_t refused = 0;
        for (size_t size = 0; size < b.size; size += size + 99 < b.size ? 1 + b.size / 150 : 1) {
            check_case("%s, %zu bytes of %zu", menagerie_name(number), size, b.size);
            write_bytes(FILE_B, b.data, size);
            sn_result result = sn_replay_file(world, FILE_B, &report);
            refused += result == SN_ERROR_DATA;
            if (result == SN_ERROR_DATA) continue;
            CHECK(result == SN_OK && report.truncated && !report.differs);
            CHECK(report.calls >= last.calls && report.steps >= last.steps);
            last = report;
        }
        CHECK(refused > 0 && last.steps == 3);
        CHECK_OK(sn_replay_file(world, FILE_A, &report));
        CHECK(!report.truncated && report.steps == 3);
        free(b.data);
        sn_world_destroy(world);
    }
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

TEST(damage_is_found) {
    for (int number = 4; number < 9; number++) {
        record_with_field(FILE_A, number);
        bytes b = read_bytes(FILE_A);
        sn_world *world = make_world(1, 0);
        sn_replay_report report;
        for (size_t i = 0; i < b.size; i += 1 + b.size / 250) {
            check_case("%s, byte %zu of %zu", menagerie_name(number), i, b.size);
            b.data[i] ^= (unsigned char)(1u << (i % 8));
            write_bytes(FILE_B, b.data, b.size);
            b.data[i] ^= (unsigned char)(1u << (i % 8));
            sn_result result = sn_replay_file(world, FILE_B, &report);
            /* A length that was damaged may say that the file should be longer. */
            CHECK(result == SN_ERROR_DATA || (result == SN_OK && report.truncated));
        }
        free(b.data);
        sn_world_destroy(world);
    }
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

/* What a stranger may have written: the hashes of sections are right, the contents are not. */
TEST(contents_are_checked) {
    sn_real length = 1;
    record_everything(FILE_A, &length);
    bytes b = read_bytes(FILE_A);
    sn_world *world = make_world(1, 0);
    sn_replay_report report;
    add_type(world, &length);
    size_t refused = 0, differs = 0;
    for (size_t at = 16, end; at + 24 <= b.size; at = end) {
        end = repair_section(b, at);
        bool call = memcmp(b.data + at, "call", 5) == 0;
        for (size_t i = at + 24; i < end; i += call ? 3 : 97) {
            check_case("byte %zu of the section at %zu", i - at, at);
            unsigned char bit = (unsigned char)(1u << (i % 8));
            b.data[i] ^= bit;
            repair_section(b, at);
            write_bytes(FILE_B, b.data, b.size);
            b.data[i] ^= bit;
            repair_section(b, at);
            sn_result result = sn_replay_file(world, FILE_B, &report);
            CHECK(result == SN_OK || result == SN_ERROR_DATA);
            refused += result == SN_ERROR_DATA;
            differs += result == SN_OK && report.differs;
        }
    }
    CHECK(refused > 300 && differs > 30);
    free(b.data);
    sn_world_destroy(world);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

/* ---- Arguments and disks ---- */

TEST(arguments) {
    sn_world *world = make_world(1, 0), *other = make_world(1, 0);
    sn_difference difference;
    CHECK_FAILS(sn_recording_start(NULL, FILE_A), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_start(world, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_stop(NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_stop(world), SN_ERROR_VALUE);
    CHECK_FAILS(sn_recording_start(world, "no_such_folder/none.reco"), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "no_such_folder/none.reco") != NULL);
    CHECK_FAILS(sn_recording_stop(world), SN_ERROR_VALUE);
    REQUIRE_OK(sn_recording_start(world, FILE_A));
    CHECK_FAILS(sn_recording_start(world, FILE_B), SN_ERROR_VALUE);
    CHECK_FAILS(sn_replay_file(NULL, FILE_A, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_replay_file(other, NULL, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_replay_file(other, "no_such_folder/none.reco", NULL), SN_ERROR_FILE);
    CHECK_FAILS(sn_recording_compare(NULL, FILE_A, other, FILE_A, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, NULL, other, FILE_A, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, FILE_A, NULL, FILE_A, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, FILE_A, other, NULL, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, FILE_A, other, FILE_A, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_recording_compare(world, FILE_A, world, FILE_A, &difference), SN_ERROR_VALUE);
    CHECK_FAILS(sn_recording_compare(world, "none.reco", other, FILE_A, &difference),
                SN_ERROR_FILE);
    CHECK_FAILS(sn_snapshot_compare(NULL, 0, "", 0, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare("", 0, NULL, 0, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare("", 0, "", 0, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare("", 0, "", 0, &difference), SN_ERROR_DATA);
    CHECK_FAILS(sn_snapshot_compare_files(NULL, FILE_A, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare_files(FILE_A, NULL, &difference), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare_files(FILE_A, FILE_A, NULL), SN_ERROR_NULL);
    CHECK_FAILS(sn_snapshot_compare_files("none.snap", FILE_A, &difference), SN_ERROR_FILE);
    CHECK_FAILS(sn_snapshot_compare_files(FILE_A, FILE_A, &difference), SN_ERROR_DATA);
    /* The end of the world is the end of its recording. */
    sn_world_destroy(world);
    sn_replay_report report;
    CHECK_OK(sn_replay_file(other, FILE_A, &report));
    CHECK(!report.truncated && report.calls == 0);
    sn_world_destroy(other);
    CHECK(remove(FILE_A) == 0);
}

/* The disk becomes full in the middle: nothing else suffers, and it is said once and at the end. */
TEST(full_disks) {
#ifdef __linux__
    sn_world *world = make_world(1, 0), *other = make_world(1, 0);
    sn_replay_report report;
    struct rlimit before, limit;
    CHECK_FAILS(sn_recording_start(world, "/dev/full"), SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), "/dev/full") != NULL);
    menagerie_build(world, 3, false);
    REQUIRE_OK(sn_recording_start(world, FILE_A));
    size_t begin = read_bytes(FILE_A).size;
    signal(SIGXFSZ, SIG_IGN);
    CHECK(getrlimit(RLIMIT_FSIZE, &before) == 0);
    limit = before;
    limit.rlim_cur = begin + 500;
    CHECK(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    errors_logged = 0;
    for (int step = 0; step < 20; step++) CHECK_OK(sn_world_step(world, dt));
    CHECK(errors_logged == 1);
    sn_result result = sn_recording_stop(world);
    CHECK(setrlimit(RLIMIT_FSIZE, &before) == 0);
    CHECK_FAILS(result, SN_ERROR_FILE);
    CHECK(strstr(sn_last_error(), FILE_A) != NULL);
    CHECK_OK(sn_replay_file(other, FILE_A, &report));
    CHECK(report.truncated && !report.differs && report.steps > 0 && report.steps < 20);
    /* And once more, with room. */
    CHECK_OK(sn_recording_start(world, FILE_A));
    CHECK_OK(sn_recording_stop(world));
    sn_world_destroy(world);
    sn_world_destroy(other);
    CHECK(remove(FILE_A) == 0);
#endif
}

/* ---- Memory ---- */

static size_t given, allowed;

static void *few(void *user, void *pointer, size_t old_size, size_t new_size) {
    (void)user;
    if (new_size > 0 && given++ >= allowed) return NULL;
    void *at = new_size > 0 ? aligned_alloc(64, (new_size + 63) / 64 * 64) : NULL;
    if (at && pointer) memcpy(at, pointer, old_size < new_size ? old_size : new_size);
    if (at || new_size == 0) free(pointer);
    return at;
}

static sn_world *make_starving_world(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    def.allocator.reallocate = few;
    allowed = SIZE_MAX;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

TEST(missing_memory) {
    sn_world *fed = make_world(1, 0);
    sn_replay_report report;
    bool done = false;
    /* A recording that cannot begin leaves the world alone; one that loses memory later ends there.
     */
    for (size_t n = 0; !done && n < 200; n++) {
        check_case("recording with %zu blocks", n);
        sn_world *world = make_starving_world();
        menagerie_build(world, 8, true);
        uint64_t hash = sn_world_hash(world);
        given = 0;
        allowed = n;
        sn_result started = sn_recording_start(world, FILE_A);
        CHECK(started == SN_OK || started == SN_ERROR_MEMORY);
        CHECK(sn_world_hash(world) == hash);
        sn_result stepped = SN_OK;
        for (int step = 0; step < 3 && started == SN_OK; step++) {
            stepped = sn_world_step(world, dt);
            CHECK(stepped == SN_OK || stepped == SN_ERROR_MEMORY);
        }
        allowed = SIZE_MAX;
        if (started == SN_OK) {
            sn_result stopped = sn_recording_stop(world);
            CHECK(stopped == SN_OK || stopped == SN_ERROR_MEMORY);
            CHECK_OK(sn_replay_file(fed, FILE_A, &report));
            CHECK(!report.differs && report.truncated == (stopped != SN_OK));
            done = stepped == SN_OK && stopped == SN_OK && report.steps == 3;
        }
        sn_world_destroy(world);
    }
    CHECK(done);
    record(FILE_A, 4, true, 2);
    done = false;
    for (size_t n = 0; !done && n < 1000; n++) {
        check_case("replay with %zu blocks", n);
        sn_world *world = make_starving_world();
        given = 0;
        allowed = n;
        sn_result result = sn_replay_file(world, FILE_A, &report);
        done = result == SN_OK;
        CHECK(done || result == SN_ERROR_MEMORY);
        CHECK(!report.differs);
        allowed = SIZE_MAX;
        sn_world_destroy(world);
    }
    CHECK(done && report.steps == 2);
    sn_world_destroy(fed);
    CHECK(remove(FILE_A) == 0);
}

/* ---- Differences ---- */

static bytes save(const sn_world *world) {
    bytes b = {NULL, 0};
    REQUIRE_OK(sn_snapshot_save(world, NULL, 0, &b.size));
    b.data = malloc(b.size);
    if (!CHECK(b.data != NULL)) exit(1);
    REQUIRE_OK(sn_snapshot_save(world, b.data, b.size, &b.size));
    return b;
}

TEST(snapshots_are_compared) {
    sn_world *world = make_world(1, 0);
    sn_difference difference;
    sn_node node;
    sn_node_def def = sn_node_def_default();
    sn_constraint link;
    menagerie_build(world, 0, false);
    for (int step = 0; step < 3; step++) REQUIRE_OK(sn_world_step(world, dt));
    bytes before = save(world);
    CHECK_OK(sn_snapshot_compare(before.data, before.size, before.data, before.size, &difference));
    CHECK(!difference.differs && difference.sentence[0] == 0);

    REQUIRE_OK(sn_world_node_at(world, 42, &node));
    REQUIRE_OK(sn_node_get(world, node, &def));
    sn_real y = def.position.y;
    def.position.y =
        sizeof y == 4 ? (sn_real)nextafterf((float)y, 9) : (sn_real)nextafter((double)y, 9);
    REQUIRE_OK(sn_node_set_position(world, node, def.position));
    bytes after = save(world);
    CHECK_OK(sn_snapshot_compare(before.data, before.size, after.data, after.size, &difference));
    char expected[256];
    snprintf(expected, sizeof expected, "nodes, x of node 42, y: %.*g against %.*g",
             sizeof y == 4 ? 9 : 17, (double)y, sizeof y == 4 ? 9 : 17, (double)def.position.y);
    if (!CHECK(difference.differs && strcmp(difference.sentence, expected) == 0))
        printf("    %s, expected %s\n", difference.sentence, expected);
    free(after.data);

    REQUIRE_OK(sn_snapshot_load(world, before.data, before.size));
    REQUIRE_OK(sn_world_constraint_at(world, 17, &link));
    sn_real value[3] = {2};
    REQUIRE_OK(sn_constraint_set_field(world, link, "break_force", value));
    after = save(world);
    CHECK_OK(sn_snapshot_compare(after.data, after.size, before.data, before.size, &difference));
    CHECK(strncmp(difference.sentence, "distance constraints, break_force of constraint 17: 2 ",
                  54) == 0);
    CHECK_OK(sn_node_create(world, &def, &node));
    free(after.data);
    after = save(world);
    CHECK_OK(sn_snapshot_compare(before.data, before.size, after.data, after.size, &difference));
    CHECK(strstr(difference.sentence, "nodes, generation: 120 numbers against 121") != NULL);
    free(before.data);
    free(after.data);
    sn_world_destroy(world);
}

/* A byte of the hash of the last step, as it is in the file. */
static unsigned char *last_hash(bytes b, size_t *section) {
    unsigned char *found = NULL;
    for (size_t at = 16; at + 24 <= b.size;) {
        size_t end = at + 24 + (size_t)get_word(b.data + at + 8, 8);
        for (size_t i = at + 24; i + 13 < end; i++)
            if (memcmp(b.data + i, "\004hash\004\001\0\0\0\0\0\0\0", 14) == 0) {
                found = b.data + i + 14;
                *section = at;
            }
        at = end;
    }
    return found;
}

TEST(recordings_are_compared) {
    sn_world *a = make_world(1, 0), *b = make_world(2, 0);
    sn_difference difference;
    sn_real long_one = 1, longer = (sn_real)1.25;
    add_type(a, &long_one);
    add_type(b, &longer);
    record_everything(FILE_A, &long_one);
    record_everything(FILE_B, &long_one);
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    CHECK(!difference.differs && difference.sentence[0] == 0);

    /* The same calls, other states: what was measured, or done by a formula, differs. */
    record_everything(FILE_B, &longer);
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    CHECK(difference.differs);
    if (!CHECK(strncmp(difference.sentence, "step 1: nodes, x of node 0, x: ", 31) == 0))
        printf("    %s\n", difference.sentence);

    /* The same states, other hashes. */
    bytes file = read_bytes(FILE_A);
    size_t section = 0;
    unsigned char *hash = last_hash(file, &section);
    if (!CHECK(hash != NULL)) return;
    *hash ^= 1;
    repair_section(file, section);
    write_bytes(FILE_B, file.data, file.size);
    sn_world *same = make_world(1, 0);
    sn_replay_report report;
    add_type(same, &long_one);
    CHECK_OK(sn_replay_file(same, FILE_B, &report));
    CHECK(report.differs && report.step == 5 && (report.expected ^ report.found) == 1);
    CHECK_OK(sn_recording_compare(a, FILE_A, same, FILE_B, &difference));
    CHECK(strstr(difference.sentence, "step 5: the hashes are ") != NULL);
    CHECK(strstr(difference.sentence, "both replays give ") != NULL);

    /* One that ends earlier. */
    write_bytes(FILE_B, file.data, section);
    CHECK_OK(sn_recording_compare(a, FILE_A, same, FILE_B, &difference));
    if (!CHECK(strstr(difference.sentence, "the second ends after call ") != NULL))
        printf("    %s\n", difference.sentence);
    free(file.data);

    /* Other calls. */
    record(FILE_A, 1, true, 2);
    record(FILE_B, 2, true, 2);
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    if (!CHECK(difference.differs && strncmp(difference.sentence, "call ", 5) == 0))
        printf("    %s\n", difference.sentence);
    sn_world_destroy(a);
    sn_world_destroy(b);
    sn_world_destroy(same);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

TEST(fields_and_beginnings_are_compared) {
    sn_world *a = make_world(1, 0), *b = make_world(1, 0);
    sn_difference difference;
    for (int k = 0; k < 2; k++) {
        sn_world *world = make_world(1, 0);
        int calls = k;
        menagerie_build(world, 3, true);
        REQUIRE_OK(sn_world_add_force_field(world, moody, &calls));
        REQUIRE_OK(sn_recording_start(world, k ? FILE_B : FILE_A));
        REQUIRE_OK(sn_world_step(world, dt));
        sn_world_destroy(world);
    }
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    if (!CHECK(strcmp(difference.sentence,
                      "step 0, substep 0: field, acceleration of node 0, x: 1 against 2") == 0))
        printf("    %s\n", difference.sentence);
    sn_node_def def = sn_node_def_default();
    sn_node node;
    REQUIRE_OK(sn_node_create(a, &def, &node));
    REQUIRE_OK(sn_recording_start(a, FILE_B));
    REQUIRE_OK(sn_recording_stop(a));
    CHECK_OK(sn_recording_compare(a, FILE_A, b, FILE_B, &difference));
    if (!CHECK(strncmp(difference.sentence, "at the beginning: ", 18) == 0))
        printf("    %s\n", difference.sentence);
    sn_world_destroy(a);
    sn_world_destroy(b);
    CHECK(remove(FILE_A) == 0 && remove(FILE_B) == 0);
}

TESTS(RUN(replays_are_the_same_runs), RUN(every_call_is_repeated),
      RUN(force_fields_are_given_again), RUN(cut_off_files_are_repeated_up_to_there),
      RUN(damage_is_found), RUN(contents_are_checked), RUN(arguments), RUN(full_disks),
      RUN(missing_memory), RUN(snapshots_are_compared), RUN(recordings_are_compared),
      RUN(fields_and_beginnings_are_compared))
