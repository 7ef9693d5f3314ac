/*
 * Snapshots of a stranger: every hash is right, but a number is one that no world has, a list is
 * too long, or something follows the end. Each is refused with a sentence about it, and the world
 * stays as it was.
 */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "fuzz/repair.h"

enum { MOST = 1 << 16, FILE_HEAD = 16, SECTION_HEAD = 24, COLUMN_HEAD = 9 };

/* As in base/archive.h. */
enum { KIND_U8 = 1, KIND_U16, KIND_U32, KIND_U64, KIND_F32, KIND_F64 };
static const size_t bytes_of[] = {0, 1, 2, 4, 8, 4, 8};

typedef struct bytes {
    uint8_t data[MOST];
    size_t size;
} bytes;

/* ---- A world with what can be spoilt ---- */

static sn_node add_node(sn_world *world, double x, double w, bool oriented, sn_body body) {
    sn_node_def def = sn_node_def_default();
    sn_node node;
    def.position = (sn_vec3){(sn_real)x, (sn_real)(x * x) / 8, (sn_real)(x * x * x) / 32};
    def.inverse_mass = (sn_real)w;
    def.oriented = oriented;
    def.body = body;
    REQUIRE_OK(sn_node_create(world, &def, &node));
    return node;
}

static void add_constraints(sn_world *world, const sn_node node[8]) {
    static const uint32_t tetrahedron[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    sn_constraint made;
    sn_distance_def link = sn_distance_def_default();
    link.node[0] = node[0];
    link.node[1] = node[1];
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
    sn_attachment_def attachment = sn_attachment_def_default();
    attachment.node[0] = node[0];
    attachment.node[1] = node[7];
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_ATTACHMENT, &attachment, &made));
    sn_bend_twist_def joint = sn_bend_twist_def_default();
    joint.node[0] = node[4];
    joint.node[1] = node[5];
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_BEND_TWIST, &joint, &made));
    sn_surface_volume_def volume = sn_surface_volume_def_default();
    volume.nodes = node;
    volume.node_count = 4;
    volume.triangles = tetrahedron;
    volume.triangle_count = 4;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SURFACE_VOLUME, &volume, &made));
}

/* Nodes 0 to 3 are particles, the first two of a body, 4 and 5 are oriented, 6 is gone and 7 is
   kinematic and on its way. */
static sn_world *make_world(void) {
    sn_world *world = NULL;
    sn_body_def body_def = sn_body_def_default();
    sn_body body, none = {0, 0, 0};
    sn_node node[8];
    REQUIRE_OK(sn_world_create(NULL, &world));
    REQUIRE_OK(sn_body_create(world, &body_def, &body));
    for (int i = 0; i < 8; i++)
        node[i] = add_node(world, i, i == 7 ? 0 : 1, i == 4 || i == 5, i < 2 ? body : none);
    REQUIRE_OK(sn_node_destroy(world, node[6]));
    add_constraints(world, node);
    sn_damping_group_def damping_group_def = sn_damping_group_def_default();
    sn_damping_group damping_group;
    damping_group_def.nodes = node;
    damping_group_def.node_count = 3;
    REQUIRE_OK(sn_damping_group_create(world, &damping_group_def, &damping_group));
    sn_fluid_def fluid_def = sn_fluid_def_default();
    sn_fluid fluid;
    fluid_def.nodes = node + 1;
    fluid_def.node_count = 3;
    REQUIRE_OK(sn_fluid_create(world, &fluid_def, &fluid));
    REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    REQUIRE_OK(sn_node_set_target(world, node[7], (sn_vec3){1, 2, 3}));
    return world;
}

/* Two bodies that are joined and sleep, and one that may not. */
static sn_world *make_sleeping_world(void) {
    sn_world *world = NULL;
    sn_world_def def = sn_world_def_default();
    sn_body_def body_def = sn_body_def_default();
    sn_body body;
    sn_node node[3];
    sn_constraint made;
    def.settings.sleep_time = 0;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_world_create(&def, &world));
    for (int i = 0; i < 3; i++) {
        body_def.may_sleep = i < 2;
        REQUIRE_OK(sn_body_create(world, &body_def, &body));
        node[i] = add_node(world, i, 1, false, body);
    }
    sn_distance_def link = sn_distance_def_default();
    link.node[0] = node[0];
    link.node[1] = node[1];
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &link, &made));
    REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    return world;
}

/* Two nodes that are bound and one that has melted; two that lie in the air around a triangle. */
static sn_world *make_wax_and_air(void) {
    static const uint32_t triangle[3] = {0, 1, 2};
    sn_world *world = NULL;
    sn_body none = {0, 0, 0};
    sn_node node[8];
    const sn_real value[3] = {1, 1, 3};
    sn_diffusion_def diffusion_def = sn_diffusion_def_default();
    sn_diffusion diffusion;
    sn_source_def source_def = sn_source_def_default();
    sn_source source;
    sn_air_mesh_def air_def = sn_air_mesh_def_default();
    sn_air_mesh air;
    REQUIRE_OK(sn_world_create(NULL, &world));
    for (int i = 0; i < 8; i++) node[i] = add_node(world, i, 1, false, none);
    diffusion_def.nodes = node;
    diffusion_def.node_count = 3;
    diffusion_def.values = value;
    diffusion_def.spacing = 1;
    diffusion_def.melting_point = 2;
    REQUIRE_OK(sn_diffusion_create(world, &diffusion_def, &diffusion));
    REQUIRE_OK(sn_source_create(world, &source_def, &source));
    air_def.nodes = node + 3;
    air_def.node_count = 5;
    air_def.triangles = triangle;
    air_def.triangle_count = 1;
    REQUIRE_OK(sn_air_mesh_create(world, &air_def, &air));
    REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    return world;
}

/* ---- Finding and changing ---- */

static bool is_name(const uint8_t *at, const char *name, size_t length) {
    return strlen(name) == length && memcmp(at, name, length) == 0;
}

/* Where the head of the column is, behind its name; 0 for none. */
static size_t column_in(const bytes *b, size_t section, const char *name) {
    size_t end = section + SECTION_HEAD + (size_t)number_at(b->data + section + 8, 8);
    for (size_t at = section + SECTION_HEAD; at < end;) {
        size_t length = b->data[at], head = at + 1 + length;
        if (is_name(b->data + at + 1, name, length)) return head;
        at =
            head + COLUMN_HEAD + (size_t)number_at(b->data + head + 1, 8) * bytes_of[b->data[head]];
    }
    return 0;
}

/* The section of this name; of those of colours, that of a type. */
static size_t find_section(const bytes *b, const char *name) {
    for (size_t at = FILE_HEAD; at < b->size;) {
        char found[9] = {0};
        memcpy(found, b->data + at, 8);
        if (strcmp(found, name) == 0) return at;
        if (strcmp(found, "colour") == 0) {
            size_t type = column_in(b, at, "type");
            size_t length = (size_t)number_at(b->data + type + 1, 8);
            if (is_name(b->data + type + COLUMN_HEAD, name, length)) return at;
        }
        at += SECTION_HEAD + (size_t)number_at(b->data + at + 8, 8);
    }
    return 0;
}

static void put(uint8_t *to, uint64_t number, size_t count) {
    for (size_t i = 0; i < count; i++) to[i] = (uint8_t)(number >> (8 * i));
}

static void put_value(uint8_t *to, int kind, double value) {
    bool real = kind == KIND_F32 || kind == KIND_F64;
    uint64_t bits = real ? 0 : (uint64_t)(int64_t)value;
    float narrow = (float)value;
    uint32_t half;
    memcpy(&half, &narrow, sizeof half);
    if (kind == KIND_F32) bits = half;
    if (kind == KIND_F64) memcpy(&bits, &value, sizeof bits);
    put(to, bits, bytes_of[kind]);
}

/* Makes a column longer by numbers that are 0. */
static void grow(bytes *b, size_t section, size_t head, size_t extra) {
    uint64_t count = number_at(b->data + head + 1, 8), length = number_at(b->data + section + 8, 8);
    size_t end = head + COLUMN_HEAD + (size_t)count * bytes_of[b->data[head]];
    size_t more = extra * bytes_of[b->data[head]];
    memmove(b->data + end + more, b->data + end, b->size - end);
    memset(b->data + end, 0, more);
    b->size += more;
    put(b->data + head + 1, count + extra, 8);
    put(b->data + section + 8, length + more, 8);
}

/* ---- Cases ---- */

typedef struct tampering {
    const char *section; /* or a type, for that of its first colour */
    const char *column;
    size_t index;
    double value;
    size_t extra;      /* numbers to be added, instead */
    const char *words; /* of the sentence */
} tampering;

static const tampering world_cases[] = {
    {"world", "scale_h", 0, 0, 0, "scale_h"},
    {"world", "scale_h", 0, (double)NAN, 0, "scale_h"},
    {"world", "carry", 0, -1, 0, "carry"},
    {"world", "substeps", 0, 20000, 0, "substeps is 20000"},
    {"world", "solver", 0, 9, 0, "solver"},
    {"world", "alternate", 0, 3, 0, "alternate"},
    {"world", "time", 0, 0, 1, "time"},
    {"bodies", "damping", 0, -1, 0, "body 0: damping is -1"},
    {"bodies", "alive", 0, 2, 0, "slot 0 is alive"},
    {"nodes", "spare", 0, 2, 0, "spare slot 0 is slot 2"},
    {"nodes", "spare", 0, 0, 40, "spare"},
    {"nodes", "w", 1, -1, 0, "node 1"},
    {"nodes", "w", 6, 1, 0, "slot 6 is empty"},
    {"nodes", "body", 2, 7, 0, "belongs to body 7"},
    {"nodes", "x", 3, INFINITY, 0, "finite"},
    {"nodes", "frame", 2, 9, 0, "frame"},
    {"nodes", "drive", 0, 2, 0, "drive"},
    {"nodes", "drive", 0, 0, 20, "21 drives"},
    {"frames", "generation", 0, 0, 20, "frames for 8 nodes"},
    {"frames", "q", 0, 5, 0, "unit quaternion"},
    {"frames", "w", 1, -1, 0, "inverse inertia"},
    {"frames", "node", 0, 1, 0, "frame 0"},
    {"cluster", "node", 0, 30, 0, "damping group 0 has node 30"},
    {"cluster", "damping", 0, -2, 0, "damping group 0: damping is -2"},
    {"fluid", "node", 0, 30, 0, "fluid 0 has node 30"},
    {"fluid", "node", 0, 3, 0, "fluid 0 has node 3, which is in one already"},
    {"fluid", "rest_density", 0, 0, 0, "fluid 0: rest_density is 0"},
    {"constr", "order", 0, 99, 0, "order"},
    {"constr", "order", 1, 0, 0, "order"},
    {"distance", "owner", 0, 50, 0, "slot 50"},
    {"distance", "node", 1, 1, 0, "twice"},
    {"distance", "node", 1, 7, 0, "node 7, which there is none of"},
    {"distance", "field compliance", 0, -1, 0, "compliance"},
    {"distance", "type", 0, 0, 70, "characters"},
    {"distance", "type", 0, 'z', 0, "zistance"},
    {"distance", "colour", 0, 64, 0, "colour"},
    {"attachment", "node", 1, 3, 0, "not kinematic"},
    {"bend_twist", "node", 0, 1, 0, "oriented"},
    {"surface_volume", "list", 0, 40, 0, "list of 40 nodes"},
    {"surface_volume", "list", 1, 0, 0, "0 triangles"},
    {"surface_volume", "triangle", 0, 4, 0, "vertex 4 of 4"},
    {"surface_volume", "node", 1, 1, 0, "shares a node"},
};

static const tampering sleep_cases[] = {
    {"world", "sleep_time", 0, -1, 0, "sleep_time is -1"},
    {"world", "sleep_speed", 0, -1, 0, "sleep_speed is -1"},
    {"bodies", "may_sleep", 0, 2, 0, "may_sleep"},
    {"bodies", "may_sleep", 0, 0, 1, "may_sleep"},
    {"sleep", "asleep", 0, 2, 0, "asleep 0 is 2"},
    {"sleep", "asleep", 2, 1, 0, "expected a ring"},
    {"sleep", "asleep", 0, 0, 0, "expected a ring"},
    {"sleep", "asleep", 0, 0, 1, "asleep"},
    {"sleep", "next", 0, 0, 0, "expected a ring"},
    {"sleep", "next", 0, 2, 0, "expected a ring"},
    {"sleep", "next", 0, 3, 0, "expected a ring"},
    {"sleep", "next", 2, 1, 0, "expected a ring"},
    {"sleep", "still", 2, -1, 0, "slow for -1"},
    {"sleep", "still", 2, (double)NAN, 0, "still"},
};

static const tampering medium_cases[] = {
    {"diffuse", "node", 0, 30, 0, "diffusion 0 has node 30"},
    {"diffuse", "node", 0, 2, 0, "diffusion 0 has a node twice"},
    {"diffuse", "diffusivity", 0, -1, 0, "diffusivity is -1"},
    {"diffuse", "held", 0, INFINITY, 0, "held"},
    {"diffuse", "held", 0, 0, 1, "held"},
    {"diffuse", "liquid", 2, 1.5, 0, "a part or a mass that is none"},
    {"diffuse", "liquid", 0, -1, 0, "a part or a mass that is none"},
    {"diffuse", "unloaded", 1, -1, 0, "a part or a mass that is none"},
    {"diffuse", "solid", 0, 3, 0, "solid"},
    {"diffuse", "bond", 0, 0, 0, "bond 0, which is no distance"},
    {"diffuse", "bond", 0, 9, 0, "bond 0, which is no distance"},
    {"diffuse", "bond", 0, 0, 9, "10 bonds"},
    {"source", "rate", 0, -1, 0, "rate is -1"},
    {"source", "clock", 0, -1, 0, "source 0 has a clock"},
    {"air", "node", 0, 30, 0, "air mesh 0 has node 30"},
    {"air", "plane", 0, 4, 0, "no nodes or plane"},
    {"air", "sweeps", 0, 0, 0, "sweeps is 0"},
    {"air", "triangle", 0, 5, 0, "triangle 0 of air mesh 0 has the corner 5"},
    {"air", "room", 0, 0, 0, "room for 0"},
    {"air", "room", 0, 1e9, 0, "room for 1000000000"},
    {"air", "corner", 0, 13, 0, "does not fit"},
    {"air", "link", 0, 9999, 0, "does not fit"},
    {"air", "link", 0, 0, 0, "does not fit"},
};

static void tamper(bytes *b, const tampering *c) {
    size_t section = find_section(b, c->section);
    size_t head = section ? column_in(b, section, c->column) : 0;
    if (!CHECK(head > 0)) return;
    if (c->extra > 0)
        grow(b, section, head, c->extra);
    else
        put_value(b->data + head + COLUMN_HEAD + c->index * bytes_of[b->data[head]], b->data[head],
                  c->value);
    repair(b->data, b->size, "SNAP");
}

static void refuse_all(sn_world *world, const tampering *cases, size_t count) {
    static bytes good, bad;
    uint64_t hash = sn_world_hash(world);
    REQUIRE_OK(sn_snapshot_save(world, good.data, MOST / 2, &good.size));
    for (size_t i = 0; i < count; i++) {
        check_case("%s, %s", cases[i].section, cases[i].column);
        bad = good;
        tamper(&bad, &cases[i]);
        CHECK_FAILS(sn_snapshot_load(world, bad.data, bad.size), SN_ERROR_DATA);
        if (!CHECK(strstr(sn_last_error(), cases[i].words) != NULL))
            printf("      the sentence is: %s\n", sn_last_error());
        CHECK(sn_world_hash(world) == hash);
    }
    check_case("as it was");
    CHECK_OK(sn_snapshot_load(world, good.data, good.size));
    CHECK(sn_world_hash(world) == hash);
    sn_world_destroy(world);
}

TEST(numbers_that_no_world_has) {
    refuse_all(make_world(), world_cases, sizeof world_cases / sizeof *world_cases);
}

TEST(sleep_that_no_world_has) {
    sn_world *world = make_sleeping_world();
    sn_stats stats;
    CHECK_OK(sn_world_stats(world, &stats));
    CHECK(stats.asleep == 2);
    refuse_all(world, sleep_cases, sizeof sleep_cases / sizeof *sleep_cases);
}

TEST(media_that_no_world_has) {
    refuse_all(make_wax_and_air(), medium_cases, sizeof medium_cases / sizeof *medium_cases);
}

TEST(bytes_after_the_end) {
    static bytes b;
    sn_world *world = make_world();
    REQUIRE_OK(sn_snapshot_save(world, b.data, MOST, &b.size));
    b.size += 5;
    CHECK_FAILS(sn_snapshot_load(world, b.data, b.size), SN_ERROR_DATA);
    CHECK(strstr(sn_last_error(), "5 bytes follow the end") != NULL);
    sn_world_destroy(world);
}

/* ---- What comparing says of such files ---- */

static void check_difference(const bytes *a, const bytes *b, const char *words) {
    sn_difference difference;
    CHECK_OK(sn_snapshot_compare(a->data, a->size, b->data, b->size, &difference));
    CHECK(difference.differs);
    if (!CHECK(strstr(difference.sentence, words) != NULL))
        printf("      the sentence is: %s\n", difference.sentence);
}

TEST(differences_of_form) {
    static bytes good, other;
    sn_world *world = make_world();
    REQUIRE_OK(sn_snapshot_save(world, good.data, MOST / 2, &good.size));
    size_t section = find_section(&good, "world"), head = column_in(&good, section, "carry");
    check_case("a column by another name");
    other = good;
    other.data[head - 1] = 'i';
    repair(other.data, other.size, "SNAP");
    check_difference(&good, &other, "carry is in the first only");
    check_case("a column more");
    other = good;
    grow(&other, section, column_in(&other, section, "steps"), 2);
    size_t end = section + SECTION_HEAD + (size_t)number_at(other.data + section + 8, 8);
    /* The room of two numbers becomes a column "extra" of one byte. */
    static const uint8_t extra[16] = {5, 'e', 'x', 't', 'r', 'a', KIND_U8, 1};
    put(other.data + column_in(&other, section, "steps") + 1, 1, 8);
    memcpy(other.data + end - 16, extra, sizeof extra);
    repair(other.data, other.size, "SNAP");
    check_difference(&good, &other, "extra is in the second only");
    check_case("numbers of another kind");
    other = good;
    other.data[column_in(&other, section, "carry")] = KIND_U64;
    repair(other.data, other.size, "SNAP");
    check_difference(&good, &other, "numbers of kind");
    check_case("a section by another name");
    other = good;
    other.data[find_section(&other, "bodies")] = 'z';
    repair(other.data, other.size, "SNAP");
    check_difference(&good, &other, "against");
    check_case("a column that does not fit");
    other = good;
    put(other.data + column_in(&other, section, "steps") + 1, 900, 8);
    repair(other.data, other.size, "SNAP");
    sn_difference difference;
    CHECK_FAILS(sn_snapshot_compare(other.data, other.size, other.data, other.size, &difference),
                SN_ERROR_DATA);
    sn_world_destroy(world);
}

TESTS(RUN(numbers_that_no_world_has), RUN(sleep_that_no_world_has), RUN(media_that_no_world_has),
      RUN(bytes_after_the_end), RUN(differences_of_form))
