/*
 * A million steps each of three worlds: cloth in a wind that never ends, a rod that is turned and a
 * balloon that is shaken with BDF2, and strands that come, break and go while solvers change and
 * snapshots are loaded. The memory they hold stays what it was, the two that nothing is added to
 * never ask for any, a step takes as long in the end as in the beginning, and all stays finite and
 * within its bounds. Time is told by steps of another world that are taken in between, so that what
 * else the machine does slows both.
 */
#include <scenes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/meter.h"
#include "check.h"

enum { STEPS = 1000000, CHUNK = 10000, CHUNKS = STEPS / CHUNK, TENTH = CHUNKS / 10 };

static const sn_real dt = (sn_real)(1.0 / 64);
static meter m;

typedef struct race {
    const char *name;
    void (*build)(sn_world *world);
    void (*lead)(sn_world *world, int step);
    bool steady;    /* whether nothing is added to it */
    double reach;   /* m, how far from the origin a node may get */
    size_t used_up; /* bytes, of slots that have no generations left */
} race;

static sn_world *make_world(void) {
    sn_world_def def = sn_world_def_default();
    sn_world *world = NULL;
    meter_init(&m);
    def.allocator = meter_allocator(&m);
    def.settings.substeps = 2;
    REQUIRE_OK(sn_world_create(&def, &world));
    return world;
}

/* ---- Cloth in the wind ---- */

/* It turns with time, in straight lines, once in 16 s. */
static void wind(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    double phase = input->time / 16;
    phase -= (double)(long)phase;
    sn_real x = (sn_real)(phase < 0.5 ? 4 * phase - 1 : 3 - 4 * phase);
    for (size_t i = 0; i < input->count; i++) {
        acceleration[i].x += 4 * x - input->velocity[i].x;
        acceleration[i].z += 2 * x * x - input->velocity[i].z;
    }
}

static void build_cloth(sn_world *world) {
    scene_cloth_def def = scene_cloth_def_default();
    def.columns = def.rows = 8;
    def.spacing = (sn_real)0.125;
    def.compliance = (sn_real)1e-5;
    def.bending = true;
    def.bending_compliance = 16;
    REQUIRE_OK(scene_cloth(world, &def, NULL));
    REQUIRE_OK(sn_world_add_force_field(world, wind, NULL));
}

/* ---- A rod and a balloon ---- */

static sn_node handle, corner[6];

static void build_balloon(sn_world *world) {
    static const uint32_t octahedron[24] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                            2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    static const sn_vec3 place[6] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                     {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    sn_body_def body = sn_body_def_default();
    sn_node_def def = sn_node_def_default();
    body.damping = 1;
    body.rigid_damping = 1;
    REQUIRE_OK(sn_body_create(world, &body, &def.body));
    for (int k = 0; k < 6; k++) {
        def.position = (sn_vec3){place[k].x + 4, place[k].y, place[k].z};
        def.inverse_mass = k == 2 ? 0 : 1;
        REQUIRE_OK(sn_node_create(world, &def, &corner[k]));
    }
    sn_surface_volume_def volume = sn_surface_volume_def_default();
    sn_constraint made;
    volume.nodes = corner;
    volume.node_count = 6;
    volume.triangles = octahedron;
    volume.triangle_count = 8;
    volume.compliance = (sn_real)1e-4;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_SURFACE_VOLUME, &volume, &made));
    for (int k = 0; k < 24; k++) {
        sn_distance_def edge = sn_distance_def_default();
        edge.node[0] = corner[octahedron[k]];
        edge.node[1] = corner[octahedron[k / 3 * 3 + (k + 1) % 3]];
        edge.compliance = (sn_real)1e-3;
        REQUIRE_OK(sn_constraint_create(world, SN_TYPE_DISTANCE, &edge, &made));
    }
}

static void build_rod(sn_world *world) {
    scene_rod_def rod = scene_rod_def_default();
    rod.segments = 12;
    REQUIRE_OK(scene_rod(world, &rod));
    REQUIRE_OK(sn_world_node_at(world, 12, &handle));
    build_balloon(world);
    sn_settings settings = sn_settings_default();
    settings.integrator = SN_INTEGRATOR_BDF2;
    settings.substeps = 2;
    settings.damping = (sn_real)0.5;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

/* The top of the balloon goes to and fro, and the end of the rod is pushed round. */
static void lead_rod(sn_world *world, int step) {
    static const sn_real wave[8] = {0, 1, 2, 1, 0, -1, -2, -1};
    sn_real a = wave[step / 16 % 8], b = wave[(step / 16 + 2) % 8];
    CHECK_OK(sn_node_set_target(world, corner[2], (sn_vec3){4 + a / 16, 1, b / 16}));
    CHECK_OK(sn_node_add_force(world, handle, (sn_vec3){0, a / 64, b / 64}));
}

/* ---- Strands that come and go ---- */

enum { STRANDS = 10, LENGTH = 8, LIFE = 10, COPY = 1 << 18 };

static sn_node strand[STRANDS][LENGTH];
static sn_body visitor;

static void add_strand(sn_world *world, int which, int step) {
    sn_node_def nodes[LENGTH];
    sn_distance_def links[LENGTH - 1];
    for (int i = 0; i < LENGTH; i++) {
        nodes[i] = sn_node_def_default();
        nodes[i].position = (sn_vec3){(sn_real)which, (sn_real)i / 8, (sn_real)(step % 7) / 16};
        nodes[i].inverse_mass = i == 0 ? 0 : 8;
        nodes[i].oriented = i % 4 == 1;
    }
    REQUIRE_OK(sn_nodes_create(world, nodes, LENGTH, strand[which]));
    for (int i = 0; i + 1 < LENGTH; i++) {
        links[i] = sn_distance_def_default();
        links[i].node[0] = strand[which][i];
        links[i].node[1] = strand[which][i + 1];
        links[i].break_force = i == 5 ? (sn_real)(1 + step % 5) : SN_AUTO;
    }
    REQUIRE_OK(sn_constraints_create(world, SN_TYPE_DISTANCE, links, LENGTH - 1, NULL));
}

/* A body of one node, for a step: there are more of them than a slot has generations. */
static void add_visitor(sn_world *world) {
    sn_body_def body = sn_body_def_default();
    sn_node_def def = sn_node_def_default();
    sn_node node;
    REQUIRE_OK(sn_body_create(world, &body, &visitor));
    def.body = visitor;
    REQUIRE_OK(sn_node_create(world, &def, &node));
}

static void build_strands(sn_world *world) {
    for (int i = 0; i < STRANDS; i++) add_strand(world, i, i);
    add_visitor(world);
}

/* The ways to solve take turns, so that all come in every chunk. */
static void change_settings(sn_world *world, int turn) {
    sn_settings settings = sn_settings_default();
    settings.substeps = 2;
    settings.solver = (sn_solver)(turn % 5);
    settings.hybrid_colours = 1;
    settings.integrator = turn % 2 ? SN_INTEGRATOR_BDF2 : SN_INTEGRATOR_BDF1;
    REQUIRE_OK(sn_world_set_settings(world, &settings));
}

static void save_and_load(sn_world *world) {
    static unsigned char copy[COPY];
    size_t size = 0;
    uint64_t hash = sn_world_hash(world);
    CHECK_OK(sn_snapshot_save(world, copy, sizeof copy, &size));
    CHECK_OK(sn_snapshot_load(world, copy, size));
    CHECK(sn_world_hash(world) == hash);
}

static void lead_strands(sn_world *world, int step) {
    REQUIRE_OK(sn_body_destroy(world, visitor));
    add_visitor(world);
    if (step % LIFE == 0) {
        int which = step / LIFE % STRANDS;
        REQUIRE_OK(sn_nodes_destroy(world, strand[which], LENGTH));
        add_strand(world, which, step);
    }
    if (step % (CHUNK / 10) == 0) change_settings(world, step / (CHUNK / 10));
    if (step % (CHUNK / 4) == 0) save_and_load(world);
}

/* ---- The race ---- */

static void check_bounds(const sn_world *world, double reach) {
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    for (size_t i = 0; i < view.count; i++) {
        sn_vec4 x = view.position[i];
        double far = (double)x.x * (double)x.x + (double)x.y * (double)x.y;
        if (view.alive[i]) CHECK(far + (double)x.z * (double)x.z < reach * reach);
    }
    const sn_freeze_event *events;
    size_t count = 0;
    REQUIRE_OK(sn_world_freezes(world, &events, &count));
    CHECK(count == 0);
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(const double *from, int count) {
    double sorted[CHUNKS];
    memcpy(sorted, from, (size_t)count * sizeof *sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    return sorted[count / 2];
}

/* Of every chunk: how many steps of the other world a step takes as long as, and bytes held at its
   end. */
typedef struct log_book {
    double ratio[CHUNKS];
    size_t bytes[CHUNKS], calls[CHUNKS];
} log_book;

/* The world that tells the time: cloth that hangs still. */
static sn_world *make_clock(void) {
    sn_world_def def = sn_world_def_default();
    scene_cloth_def cloth = scene_cloth_def_default();
    sn_world *world = NULL;
    def.settings.substeps = 2;
    REQUIRE_OK(sn_world_create(&def, &world));
    cloth.columns = cloth.rows = 8;
    REQUIRE_OK(scene_cloth(world, &cloth, NULL));
    return world;
}

static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

static void check_log(const race *r, const log_book *book) {
    check_case("%s, after all", r->name);
    double first = median(book->ratio, TENTH);
    double last = median(book->ratio + CHUNKS - TENTH, TENTH);
    printf("      %s: a step takes %.3f of the clock's at first, %.3f in the end; %zu bytes at "
           "first, %zu in the end\n",
           r->name, first, last, book->bytes[0], book->bytes[CHUNKS - 1]);
    CHECK(last < 1.2 * first);
    size_t most = 0;
    for (int i = 0; i < TENTH; i++)
        if (book->bytes[i] > most) most = book->bytes[i];
    for (int i = TENTH; i < CHUNKS; i++) {
        CHECK(book->bytes[i] <= most + r->used_up);
        if (r->steady) CHECK(book->bytes[i] == book->bytes[0] && book->calls[i] == book->calls[0]);
    }
}

/* A part of a chunk, between two of the clock. */
enum { PARTS = 10, TICKS = 4 };

static void lead(const race *r, sn_world *world, int first) {
    for (int step = first; step < first + CHUNK / PARTS; step++) {
        if (r->lead) r->lead(world, step);
        REQUIRE_OK(sn_world_step(world, dt));
    }
}

static void run(const race *r) {
    static log_book book;
    sn_world *world = make_world(), *clock_world = make_clock();
    r->build(world);
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
        check_case("%s, after %d steps", r->name, chunk * CHUNK);
        double taken = 0, told = 0;
        for (int part = 0; part < PARTS; part++) {
            double start = seconds();
            lead(r, world, chunk * CHUNK + part * (CHUNK / PARTS));
            double middle = seconds();
            for (int i = 0; i < CHUNK / PARTS / TICKS; i++)
                REQUIRE_OK(sn_world_step(clock_world, dt));
            taken += middle - start;
            told += TICKS * (seconds() - middle);
        }
        book.ratio[chunk] = taken / told;
        book.bytes[chunk] = m.bytes;
        book.calls[chunk] = m.calls;
        check_bounds(world, r->reach);
    }
    check_log(r, &book);
    sn_world_destroy(clock_world);
    sn_world_destroy(world);
    CHECK(m.blocks == 0 && m.bytes == 0 && m.mistakes == 0);
}

TEST(cloth_in_the_wind) {
    run(&(race){"cloth in the wind", build_cloth, NULL, true, 3, 0});
}

TEST(a_rod_and_a_balloon) {
    run(&(race){"a rod and a balloon", build_rod, lead_rod, true, 8, 0});
}

TEST(strands_that_come_and_go) {
    /* A node and a body for every 65535 visitors, of 300 bytes or so. */
    size_t used_up = (size_t)STEPS / 65535 * 300;
    run(&(race){"strands that come and go", build_strands, lead_strands, false, 20, used_up});
}

TESTS(RUN(cloth_in_the_wind), RUN(a_rod_and_a_balloon), RUN(strands_that_come_and_go))
