/* Shape matching of regions: rest, rigid motion, momentum, stiffness, plasticity; and shape
   matchings as objects. */
#include "lattice_blocks.h"
#include "snapshot.h"

#include <stdio.h>

#ifdef SN_DOUBLE
#define LOW(single, other) (other)
#define FILE_NAME "solids_regions_f64.reco"
#else
#define LOW(single, other) (single)
#define FILE_NAME "solids_regions.reco"
#endif

static const block_shape cube = {{3, 3, 3}, 0.1, 0, 0, 10, 0, false, {0, 0, 0}};
static const block_shape beam = {{10, 2, 2}, 0.1, 2, 0, 10, 9.81, false, {0, 0, 0}};

/* ---- What it does ---- */

/* In double, what is left is the rounding of places of 0.1 m, over h, in each of 600 substeps. */
TEST(what_is_at_rest_stays) {
    for (int far = 0; far < 2; far++) {
        block b = block_make(&cube, NULL);
        sn_node_view n;
        if (far)
            for (size_t i = 0; i < b.count; i++) {
                b.rest[i].x += 1024;
                REQUIRE_OK(sn_node_set_position(b.world, b.node[i], b.rest[i]));
            }
        if (!far) block_match(&b, 0.1, 1);
        if (far) block_match(&b, 0.1, 0);
        block_step(b.world, 60, 1.0 / 60);
        REQUIRE_OK(sn_world_nodes(b.world, &n));
        double moved = 0, fastest = 0;
        for (size_t i = 0; i < b.count; i++) {
            double way[3] = {(double)n.position[i].x - (double)b.rest[i].x,
                             (double)n.position[i].y - (double)b.rest[i].y,
                             (double)n.position[i].z - (double)b.rest[i].z};
            double v[3] = {(double)n.velocity[i].x, (double)n.velocity[i].y,
                           (double)n.velocity[i].z};
            moved = fmax(moved, block_length(way));
            fastest = fmax(fastest, block_length(v));
        }
        check_case(far ? "a kilometre away" : "near");
        CHECK_NEAR(moved, 0, far ? 1e-9 : 1e-11);
        CHECK_NEAR(fastest, 0, far ? 1e-9 : 1e-10);
        block_free(&b, true);
    }
}

/* A block that flies and turns keeps its shape to rounding, and its centre its velocity. */
TEST(rigid_motion_keeps_the_shape) {
    block b = block_make(&cube, NULL);
    double omega = 5;
    for (size_t i = 0; i < b.count; i++) {
        double x = (double)b.rest[i].x - 0.15, y = (double)b.rest[i].y - 0.15;
        sn_vec3 v = {(sn_real)(1 - omega * y), (sn_real)(omega * x), 2};
        REQUIRE_OK(sn_node_set_velocity(b.world, b.node[i], v));
    }
    block_match(&b, 0.1, 1);
    block_step(b.world, 60, 1.0 / 60);
    sn_vec3 a = block_at(b.world, b.node[0]), c = block_at(b.world, b.node[b.count - 1]);
    double way[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y,
                     (double)c.z - (double)a.z};
    CHECK_REL(block_length(way), 0.3 * sqrt(3), LOW(1e-4, 1e-4));
    CHECK_NEAR(((double)a.x + (double)c.x) / 2, 1.15, 1e-5);
    CHECK_NEAR(((double)a.z + (double)c.z) / 2, 2.15, 1e-5);
    block_free(&b, true);
}

static block_motion drift(int kind, int substeps, block_motion *before) {
    block_shape s = cube;
    s.substeps = substeps;
    block b = block_make(&s, NULL);
    if (kind == 1) b.def.mode = SN_SHAPE_MATCHING_LINEAR;
    if (kind == 2) b.def.compliance = (sn_real)1e-4;
    if (kind == 3) b.def.plastic_yield = (sn_real)0.05;
    if (kind == 4) b.def.damping = 20;
    block_shake(&b, 1, 7);
    block_match(&b, 0.1, 1);
    *before = block_measure(b.world);
    block_step(b.world, 100, 1.0 / 60);
    block_motion after = block_measure(b.world);
    block_free(&b, true);
    return after;
}

/* V15. Angular momentum is lost to the first order of h alone, so a quarter of the substep loses a
   quarter. Of what swings, the loss goes on for as long as it does, which is longer with shorter
   substeps, by as much. */
TEST(momentum_is_kept) {
    static const char *const names[] = {"rigid", "linear", "compliant", "plastic", "damped"};
    for (int kind = 0; kind < 5; kind++) {
        block_motion before, after = drift(kind, 10, &before), fine = drift(kind, 40, &before);
        double size = block_length(before.l), coarse_off = block_off(before.l, after.l) / size;
        check_case("%s", names[kind]);
        CHECK_NEAR(block_off(before.p, after.p) / before.size, 0, LOW(1e-6, 5e-12));
        CHECK_NEAR(coarse_off, 0, 0.02);
        CHECK_NEAR(block_off(before.l, fine.l) / size / coarse_off, kind == 2 ? 1 : 0.25, 0.1);
    }
}

/* V14 with a region in place of a link: the same law. */
TEST(a_spinning_cluster_follows_its_recursion) {
    block_shape s = {{1, 0, 0}, 1, 0, 0, 1, 0, false, {0, 0, 0}};
    double omega = 10, h = 1e-3, angle = atan(omega * h);
    block b = block_make(&s, NULL);
    REQUIRE_OK(sn_node_set_velocity(b.world, b.node[0], (sn_vec3){0, (sn_real)(-omega / 2), 0}));
    REQUIRE_OK(sn_node_set_velocity(b.world, b.node[1], (sn_vec3){0, (sn_real)(omega / 2), 0}));
    block_match(&b, 1, 0);
    double start = block_measure(b.world).l[2];
    for (int k = 0; k < 1000; k++) {
        block_step(b.world, 1, h);
        if (k > 0) angle = asin(sin(angle) / sqrt(5 - 4 * cos(angle)));
    }
    CHECK_NEAR(block_measure(b.world).l[2] / start, sin(angle) / h / omega, LOW(1e-4, 1e-9));
    CHECK_NEAR(block_measure(b.world).l[2] / start, 0.9129072, 5e-8 + LOW(1e-4, 1e-9));
    block_free(&b, true);
}

/* How far the end of a clamped beam hangs down in the mean of the second second. */
static double sag(int omega, double compliance, int substeps, double damping) {
    block_shape s = beam;
    s.substeps = substeps;
    block b = block_make(&s, NULL);
    b.def.compliance = (sn_real)compliance;
    b.def.damping = (sn_real)damping;
    block_match(&b, 0.1, omega);
    block_step(b.world, 60, 1.0 / 60);
    double sum = 0;
    for (int i = 0; i < 60; i++) {
        block_step(b.world, 1, 1.0 / 60);
        sum += (double)block_at(b.world, b.node[10]).y;
    }
    block_free(&b, true);
    return -sum / 60;
}

/* Figure 27: larger regions are stiffer. */
TEST(stiffness_grows_with_the_regions) {
    double one = sag(1, 0, 4, 5), two = sag(2, 0, 4, 5), four = sag(4, 0, 4, 5);
    check_case("sags by %g, %g, %g m", one, two, four);
    CHECK(one > 1.5 * two);
    CHECK(two > 1.5 * four);
    CHECK(four > 0);
}

/* Compliance is a property of the material, not of the substeps. */
TEST(compliance_does_not_depend_on_substeps) {
    double ten = sag(2, 1e-3, 10, 5), forty = sag(2, 1e-3, 40, 5);
    check_case("sags by %g and %g m", ten, forty);
    CHECK_REL(ten, forty, 0.1);
    CHECK(forty > 1.5 * sag(2, 0, 40, 5));
}

static double energy(const sn_world *world) {
    sn_node_view n;
    double sum = 0;
    REQUIRE_OK(sn_world_nodes(world, &n));
    for (size_t i = 0; i < n.count; i++) {
        sn_vec4 v = n.velocity[i];
        sum += (double)(v.x * v.x + v.y * v.y + v.z * v.z);
    }
    return sum;
}

/* What is left of a shaken cube's energy by so much damping per substep. */
static double left_by(double damping, int steps) {
    block_shape s = cube;
    s.substeps = 1;
    block b = block_make(&s, NULL);
    b.def.compliance = (sn_real)0.1;
    b.def.damping = (sn_real)(damping / 1e-2);
    block_shake(&b, 1, 3);
    block_match(&b, 0.1, 1);
    block_step(b.world, steps, 1e-2);
    double left = energy(b.world);
    block_free(&b, true);
    return left;
}

/* Takes what is not rigid, and at most all of it. */
TEST(damping_takes_what_is_not_rigid) {
    double all = left_by(0, 30), left = left_by(0.3, 30);
    check_case("%g of %g left", left, all);
    CHECK(left < 0.2 * all);
    CHECK(left_by(1.5, 1) == left_by(1.1, 1) && left_by(50, 1) == left_by(1.1, 1));
}

/* Stretched by 1.4 for a second and let go: how long it is then. */
static double stretched(double yield, double limit, double *volume) {
    block b = block_make(&cube, NULL);
    b.def.plastic_yield = yield < 0 ? SN_AUTO : (sn_real)yield;
    b.def.plastic_limit = (sn_real)limit;
    block_match(&b, 0.1, 1);
    for (size_t i = 0; i < b.count; i++) {
        sn_vec3 to = b.rest[i];
        to.x *= (sn_real)1.4;
        REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.node[i], 0));
        REQUIRE_OK(sn_node_set_position(b.world, b.node[i], to));
    }
    block_step(b.world, 60, 1.0 / 60);
    for (size_t i = 0; i < b.count; i++)
        REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.node[i], (sn_real)b.count));
    block_step(b.world, 60, 1.0 / 60);
    double length = (double)block_at(b.world, b.node[3]).x - (double)block_at(b.world, b.node[0]).x;
    sn_shape_matching_region region;
    REQUIRE_OK(sn_shape_matching_get_region(b.world, b.matching, 21, &region));
    const double *p = region.plastic;
    *volume = p[0] * (p[4] * p[8] - p[5] * p[7]) - p[1] * (p[3] * p[8] - p[5] * p[6]) +
              p[2] * (p[3] * p[7] - p[4] * p[6]);
    block_free(&b, true);
    return length / 0.3;
}

/* What has yielded is 1.4 / 1.4^(1/3) long, as its volume is that at rest. */
TEST(what_yields_stays_stretched) {
    double volume;
    CHECK_NEAR(stretched(-1, 1, &volume), 1, 1e-3);
    CHECK_NEAR(stretched(0.5, 1, &volume), 1, 1e-3);
    CHECK_NEAR(volume, 1, 1e-12);
    CHECK_NEAR(stretched(0.1, 1, &volume), 1.2, 0.06);
    CHECK_NEAR(volume, 1, 1e-9);
    CHECK_NEAR(stretched(0.1, 0.1, &volume), 1 + 0.1 * sqrt(2.0 / 3), 0.02);
    CHECK_NEAR(volume, 1, 1e-9);
}

/* S = R^T F S_p^-1, of which a part goes over in a step; what is turned yields alike, and what is
   stretched by less than |S - I| not at all. */
TEST(a_part_of_a_stretch_yields_in_a_step) {
    const double creep = 6, dt = 1.0 / 60, c = cos(0.6), s = sin(0.6);
    for (int turned = 0; turned < 2; turned++)
        for (int k = 0; k < 2; k++) {
            check_case("turned %d, yield %d", turned, k);
            block b = block_make(&cube, NULL);
            b.def.plastic_yield = (sn_real)(k ? 0.41 : 0.1);
            b.def.plastic_creep = (sn_real)creep;
            block_match(&b, 0.1, 1);
            for (size_t i = 0; i < b.count; i++) {
                double x = 1.4 * (double)b.rest[i].x, y = (double)b.rest[i].y;
                sn_vec3 to = {(sn_real)x, (sn_real)y, b.rest[i].z};
                if (turned)
                    to = (sn_vec3){(sn_real)(c * x - s * y), (sn_real)(s * x + c * y), to.z};
                REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.node[i], 0));
                REQUIRE_OK(sn_node_set_position(b.world, b.node[i], to));
            }
            double p[3] = {1, 1, 1};
            for (int step = 0; step < 4; step++) {
                const double f[3] = {1.4, 1, 1};
                double volume = 1, norm = 0;
                sn_shape_matching_region region;
                for (int a = 0; a < 3; a++) norm += (f[a] / p[a] - 1) * (f[a] / p[a] - 1);
                for (int a = 0; a < 3 && norm > (k ? 0.41 * 0.41 : 0.01); a++) {
                    p[a] += creep * dt * (f[a] - p[a]);
                    volume *= p[a];
                }
                for (int a = 0; a < 3; a++) p[a] /= cbrt(volume);
                block_step(b.world, 1, dt);
                REQUIRE_OK(sn_shape_matching_get_region(b.world, b.matching, 21, &region));
                for (int a = 0; a < 9; a++)
                    CHECK_NEAR(region.plastic[a], a % 4 ? 0 : p[a / 4], LOW(1e-5, 1e-12));
            }
            block_free(&b, true);
        }
}

/* What is crushed or drawn out by more than a hundred times does not stay so, however fast it
   yields; nor what is inside out. */
TEST(what_is_crushed_does_not_yield) {
    static const double high[] = {0.005, 200, -1, 0.5};
    for (int k = 0; k < 4; k++) {
        check_case("%g of its height", high[k]);
        block b = block_make(&cube, NULL);
        sn_shape_matching_region region;
        b.def.plastic_yield = (sn_real)0.1;
        b.def.plastic_creep = 100;
        b.def.plastic_limit = 500;
        block_match(&b, 0.1, 1);
        for (size_t i = 0; i < b.count; i++) {
            sn_vec3 to = b.rest[i];
            to.y = (sn_real)(high[k] * (double)to.y);
            REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.node[i], 0));
            REQUIRE_OK(sn_node_set_position(b.world, b.node[i], to));
        }
        block_step(b.world, 1, 1.0 / 60);
        REQUIRE_OK(sn_shape_matching_get_region(b.world, b.matching, 21, &region));
        const double volume = k == 3 ? high[k] : 1;
        for (int a = 0; a < 9; a++) {
            double own = a == 4 ? volume / cbrt(volume) : 1 / cbrt(volume);
            CHECK_NEAR(region.plastic[a], a % 4 ? 0 : own, LOW(1e-5, 1e-12));
        }
        block_free(&b, true);
    }
}

/* What hangs on nodes that are held moves alike whatever it weighs, to the bit. */
TEST(what_is_held_may_have_any_mass) {
    uint64_t x[3];
    for (int k = 0; k < 3; k++) {
        block b = block_make(&beam, NULL);
        sn_node_view n;
        for (size_t i = 0; i < b.count; i++) {
            sn_node_def def = sn_node_def_default();
            REQUIRE_OK(sn_node_get(b.world, b.node[i], &def));
            sn_real w = (sn_real)ldexp((double)def.inverse_mass, 6 - 12 * k);
            REQUIRE_OK(sn_node_set_inverse_mass(b.world, b.node[i], w));
        }
        block_match(&b, 0.1, 2);
        block_step(b.world, 20, 1.0 / 60);
        REQUIRE_OK(sn_world_nodes(b.world, &n));
        CHECK((double)n.position[10].y < -1e-4);
        x[k] = 0;
        for (size_t i = 0; i < n.count; i++)
            for (int a = 0; a < 3; a++) {
                double at = (double)(&n.position[i].x)[a];
                uint64_t bits;
                memcpy(&bits, &at, sizeof bits);
                x[k] = x[k] * 31 + bits;
            }
        block_free(&b, true);
    }
    CHECK(x[0] == x[1] && x[1] == x[2]);
}

/* Regions of one, of two and of four in a plane: nothing that is not a number, and the log says
   so; of eight in a cube it says nothing. */
static void count_warnings(void *user, sn_log_level level, const char *text) {
    if (level == SN_LOG_WARNING && strstr(text, "plane or on a line")) (*(int *)user)++;
}

TEST(flat_regions_work_and_are_named) {
    for (int size = 0; size < 4; size++) {
        block_shape s = {{size > 0, size > 2, size > 1}, 0.1, 0, 0, 10, 9.81, false, {0, 0, 0}};
        int warnings = 0;
        sn_world_def def = sn_world_def_default();
        sn_world *world;
        def.log = count_warnings;
        def.log_user = &warnings;
        REQUIRE_OK(sn_world_create(&def, &world));
        block b = block_make(&s, world);
        for (int mode = 0; mode < 2; mode++) {
            b.def.mode = (sn_shape_matching_mode)mode;
            b.def.plastic_yield = mode ? 0 : SN_AUTO;
            block_shake(&b, 1, 5);
            block_match(&b, 0.1, 0);
            block_step(world, 30, 1.0 / 60);
            REQUIRE_OK(sn_shape_matching_destroy(world, b.matching));
        }
        check_case("%zu nodes", b.count);
        CHECK(warnings == (size < 3 ? 2 : 0));
        sn_node_view n;
        REQUIRE_OK(sn_world_nodes(world, &n));
        for (size_t i = 0; i < b.count; i++)
            CHECK(fabs((double)n.position[i].y) < 100 && fabs((double)n.position[i].x) < 100);
        block_free(&b, true);
    }
}

/* ---- Objects ---- */

static uint64_t hash_after(int threads, int steps) {
    block_shape s = {{9, 9, 9}, 0.1, 1, threads, 4, 9.81, false, {0, 0, 0}};
    block b = block_make(&s, NULL);
    b.def.damping = 1;
    b.def.plastic_yield = (sn_real)0.001;
    b.def.compliance = (sn_real)1e-6;
    block_shake(&b, 0.5, 11);
    block_match(&b, 0.1, 2);
    block_step(b.world, steps, 1.0 / 60);
    uint64_t hash = snapshot_hash(b.world);
    block_free(&b, true);
    return hash;
}

TEST(threads_do_not_matter) {
    uint64_t one = hash_after(1, 4);
    for (int threads = 2; threads <= 4; threads++) CHECK(hash_after(threads, 4) == one);
}

TEST(snapshots_go_on_with_the_same_bits) {
    for (int oriented = 0; oriented < 2; oriented++) {
        block_shape s = beam;
        s.oriented = oriented == 1;
        block b = block_make(&s, NULL);
        b.def.plastic_yield = (sn_real)0.001;
        block_match(&b, 0.1, 1);
        block_step(b.world, 10, 1.0 / 60);
        size_t size;
        void *bytes = snapshot_of(b.world, &size);
        block_step(b.world, 5, 1.0 / 60);
        uint64_t straight = snapshot_hash(b.world);
        REQUIRE_OK(sn_snapshot_load(b.world, bytes, size));
        CHECK(sn_shape_matching_is_valid(b.world, b.matching));
        block_step(b.world, 5, 1.0 / 60);
        CHECK(snapshot_hash(b.world) == straight);
        /* Every cut and many changed bytes are refused or give a world that can be stepped. */
        for (size_t k = 0; k < size; k += 997) {
            uint8_t *at = (uint8_t *)bytes + k, before = *at;
            *at ^= 0x55;
            (void)sn_snapshot_load(b.world, bytes, size);
            *at = before;
            CHECK(sn_snapshot_load(b.world, bytes, k) != SN_OK);
        }
        free(bytes);
        block_free(&b, true);
    }
}

TEST(recordings_repeat_matchings) {
    block_shape s = beam;
    s.oriented = true;
    block b = block_make(&s, NULL);
    REQUIRE_OK(sn_recording_start(b.world, FILE_NAME));
    sn_vec3 *radii = calloc(b.count, sizeof *radii);
    for (size_t i = 0; i < b.count; i++) radii[i] = (sn_vec3){(sn_real)0.05, (sn_real)0.04, 0};
    b.def.radii = radii;
    b.def.rest = b.rest;
    block_match(&b, 0.1, 1);
    block_step(b.world, 3, 1.0 / 60);
    sn_shape_matching_def def;
    REQUIRE_OK(sn_shape_matching_get(b.world, b.matching, &def));
    CHECK(def.moments != NULL && def.region_count == b.count && def.centres[5] == 5);
    def.compliance = (sn_real)1e-4;
    REQUIRE_OK(sn_shape_matching_set(b.world, b.matching, &def));
    block_step(b.world, 3, 1.0 / 60);
    REQUIRE_OK(sn_shape_matching_destroy(b.world, b.matching));
    block_step(b.world, 1, 1.0 / 60);
    REQUIRE_OK(sn_recording_stop(b.world));
    sn_replay_report report;
    sn_world *repeated = block_world(&s);
    CHECK_OK(sn_replay_file(repeated, FILE_NAME, &report));
    CHECK(report.steps == 7 && !report.differs);
    CHECK(remove(FILE_NAME) == 0);
    sn_world_destroy(repeated);
    free(radii);
    block_free(&b, true);
}

/* What was in every region before and is left now is in it, in the same order, and what was its
   centre still is. */
static void check_left(const sn_shape_matching_def *before, const sn_shape_matching_def *now,
                       const sn_world *world) {
    size_t region = 0, wrong = 0;
    for (size_t r = 0; r < before->region_count; r++) {
        uint32_t at = region < now->region_count ? now->first[region] : 0, left = 0;
        for (uint32_t i = before->first[r]; i < before->first[r + 1]; i++) {
            sn_node node = before->nodes[before->members[i]];
            if (!sn_node_is_valid(world, node)) continue;
            if (!CHECK(region < now->region_count && at + left < now->first[region + 1])) return;
            wrong += now->nodes[now->members[at + left]].slot != node.slot;
            left++;
        }
        if (left == 0) continue;
        wrong += now->first[region + 1] != at + left;
        sn_node centre = before->nodes[before->centres[r]];
        if (sn_node_is_valid(world, centre))
            wrong += now->nodes[now->centres[region]].slot != centre.slot;
        else
            wrong += now->centres[region] != UINT32_MAX;
        region++;
    }
    CHECK(region == now->region_count);
    CHECK(wrong == 0);
}

TEST(nodes_leave_their_regions) {
    block b = block_make(&beam, NULL);
    sn_shape_matching found;
    sn_shape_matching_def def;
    block_match(&b, 0.1, 1);
    CHECK_OK(sn_node_shape_matching(b.world, b.node[4], &found));
    CHECK(memcmp(&found, &b.matching, sizeof found) == 0);
    /* Before and after the first step. */
    for (int k = 0; k < 2; k++) {
        REQUIRE_OK(sn_nodes_destroy(b.world, b.node + 20 * k, 20));
        REQUIRE_OK(sn_shape_matching_get(b.world, b.matching, &def));
        CHECK(def.node_count == b.count - 20 * (size_t)(k + 1));
        CHECK(def.nodes[0].slot == b.node[20 * (k + 1)].slot);
        for (size_t r = 0; r < def.region_count; r++)
            for (uint32_t i = def.first[r]; i < def.first[r + 1]; i++)
                CHECK(def.members[i] < def.node_count);
        check_left(&b.def, &def, b.world);
        block_step(b.world, 5, 1.0 / 60);
    }
    REQUIRE_OK(sn_nodes_destroy(b.world, b.node + 40, b.count - 40));
    CHECK(!sn_shape_matching_is_valid(b.world, b.matching));
    block_step(b.world, 1, 1.0 / 60);
    block_free(&b, true);
}

/* A block that flies out of the numbers, beside one that goes on as if it were alone. */
TEST(what_is_not_finite_is_contained) {
    sn_vec3 end[2];
    for (int k = 0; k < 2; k++) {
        block_shape s = cube;
        sn_body_def body = sn_body_def_default();
        s.gravity = 9.81;
        block b = block_make(&s, NULL), other = {0};
        block_match(&b, 0.1, 1);
        REQUIRE_OK(sn_body_create(b.world, &body, &s.body));
        if (k == 1) {
            other = block_make(&s, b.world);
            block_match(&other, 0.1, 1);
            for (size_t i = 0; i < other.count; i++)
                REQUIRE_OK(
                    sn_node_set_velocity(b.world, other.node[i], (sn_vec3){SN_REAL_MAX, 0, 0}));
        }
        block_step(b.world, 2, 30);
        end[k] = block_at(b.world, b.node[0]);
        if (k == 1) {
            sn_shape_matching_region region;
            sn_vec3 at = block_at(b.world, other.node[0]);
            REQUIRE_OK(sn_shape_matching_get_region(b.world, other.matching, 0, &region));
            CHECK(region.rotation.w - region.rotation.w == 0);
            CHECK(at.x == 0 && at.y == 0);
            block_free(&other, false);
        }
        block_free(&b, true);
    }
    CHECK(memcmp(&end[0], &end[1], sizeof end[0]) == 0);
}

TEST(matchings_join_bodies_that_sleep) {
    block_shape s = cube;
    sn_body_def body = sn_body_def_default();
    sn_world_def def = sn_world_def_default();
    sn_world *world;
    sn_body one, two;
    def.settings.sleep_time = (sn_real)0.2;
    def.settings.gravity = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_world_create(&def, &world));
    REQUIRE_OK(sn_body_create(world, &body, &one));
    REQUIRE_OK(sn_body_create(world, &body, &two));
    s.body = one;
    block a = block_make(&s, world);
    s.body = two;
    block b = block_make(&s, world);
    for (size_t i = 0; i < 2 * a.count; i++) {
        sn_node heavy = i < a.count ? a.node[i] : b.node[i - a.count];
        REQUIRE_OK(sn_node_set_inverse_mass(world, heavy, (sn_real)0.5));
    }
    sn_node *both = calloc(2 * a.count, sizeof *both);
    memcpy(both, a.node, a.count * sizeof *both);
    memcpy(both + a.count, b.node, b.count * sizeof *both);
    a.def.nodes = both;
    a.def.node_count = 2 * a.count;
    block_match(&a, 0.1, 0);
    /* It begins a little out of shape, so that there is something left to do when it sleeps. */
    sn_vec3 away = block_at(world, a.node[0]);
    away.x -= (sn_real)0.003;
    REQUIRE_OK(sn_node_set_position(world, a.node[0], away));
    block_step(world, 120, 1.0 / 60);
    CHECK(sn_body_is_asleep(world, one) && sn_body_is_asleep(world, two));
    /* Asleep they keep their bits, while another is awake. */
    sn_node_def awake = sn_node_def_default();
    sn_node flies;
    awake.position.x = 50;
    awake.velocity.x = 1;
    REQUIRE_OK(sn_node_create(world, &awake, &flies));
    sn_vec3 kept[64], now[64];
    if (!CHECK(a.count <= 64)) return;
    for (size_t i = 0; i < a.count; i++) kept[i] = block_at(world, a.node[i]);
    block_step(world, 10, 1.0 / 60);
    for (size_t i = 0; i < a.count; i++) now[i] = block_at(world, a.node[i]);
    CHECK(sn_body_is_asleep(world, one) && memcmp(kept, now, a.count * sizeof *now) == 0);
    REQUIRE_OK(sn_node_set_velocity(world, b.node[0], (sn_vec3){1, 0, 0}));
    block_step(world, 1, 1.0 / 60);
    CHECK(!sn_body_is_asleep(world, one) && !sn_body_is_asleep(world, two));
    free(both);
    block_free(&b, false);
    block_free(&a, true);
}

/* ---- What is refused ---- */

TEST(bad_matchings_are_refused) {
    block b = block_make(&cube, NULL);
    sn_shape_matching matching = {7, 7, 7};
    uint32_t first[3] = {0, 4, 8}, members[8] = {0, 1, 2, 3, 2, 3, 4, 5}, centres[2] = {0, 5};
    sn_quat none[64] = {{0, 0, 0, 0}};
    sn_node twice[2] = {b.node[0], b.node[0]};
    sn_shape_matching_def good = b.def;
    good.first = first;
    good.members = members;
    good.centres = centres;
    good.region_count = 2;
#define REFUSED(result, ...)                                                                       \
    do {                                                                                           \
        sn_shape_matching_def def = good;                                                          \
        __VA_ARGS__;                                                                               \
        CHECK_FAILS(sn_shape_matching_create(b.world, &def, &matching), result);                   \
    } while (0)
    uint64_t before = snapshot_hash(b.world);
    REFUSED(SN_ERROR_VALUE, def.node_count = 0);
    REFUSED(SN_ERROR_NULL, def.nodes = NULL);
    REFUSED(SN_ERROR_LIMIT, def.node_count = 65);
    REFUSED(SN_ERROR_DEGENERATE, def.nodes = twice; def.node_count = 2; def.region_count = 0);
    REFUSED(SN_ERROR_NULL, def.first = NULL);
    REFUSED(SN_ERROR_NULL, def.members = NULL);
    REFUSED(SN_ERROR_VALUE, first[0] = 1);
    first[0] = 0;
    REFUSED(SN_ERROR_DEGENERATE, first[1] = 0);
    REFUSED(SN_ERROR_VALUE, first[1] = 9);
    first[1] = 4;
    REFUSED(SN_ERROR_VALUE, members[1] = 64);
    REFUSED(SN_ERROR_DEGENERATE, members[1] = 0);
    members[1] = 1;
    REFUSED(SN_ERROR_VALUE, centres[1] = 64);
    centres[1] = UINT32_MAX;
    REFUSED(SN_ERROR_VALUE, def.oriented = true);
    REFUSED(SN_ERROR_VALUE, def.compliance = -1);
    REFUSED(SN_ERROR_VALUE, def.stiffness = 2);
    REFUSED(SN_ERROR_VALUE, def.beta = -1);
    REFUSED(SN_ERROR_VALUE, def.damping = -1);
    REFUSED(SN_ERROR_VALUE, def.plastic_yield = -1);
    REFUSED(SN_ERROR_VALUE, def.plastic_creep = -1);
    REFUSED(SN_ERROR_VALUE, def.plastic_limit = -1);
    REFUSED(SN_ERROR_VALUE, def.mode = (sn_shape_matching_mode)2);
    REFUSED(SN_ERROR_VALUE, def.turn = (sn_shape_matching_turn)2);
    REFUSED(SN_ERROR_VALUE, def.sums = (sn_region_sums_method)99);
    REFUSED(SN_ERROR_DEFINITION, def.size = 1);
    b.rest[9].y = (sn_real)NAN;
    REFUSED(SN_ERROR_VALUE, def.rest = b.rest);
    CHECK(snapshot_hash(b.world) == before);
    CHECK(matching.slot == 7);
    REQUIRE_OK(sn_shape_matching_create(b.world, &good, &matching));
    sn_shape_matching_region region;
    CHECK_FAILS(sn_shape_matching_get_region(b.world, matching, 2, &region), SN_ERROR_VALUE);
    sn_region_sums_method method = SN_REGION_SUMS_DIRECT;
    CHECK_OK(sn_shape_matching_get_sums(b.world, matching, &method));
    CHECK(method == SN_REGION_SUMS_AUTO);
    block_step(b.world, 1, 1.0 / 60);
    CHECK_OK(sn_shape_matching_get_sums(b.world, matching, &method));
    CHECK(method != SN_REGION_SUMS_AUTO);
    block_free(&b, true);
    block_shape s = cube;
    s.oriented = true;
    b = block_make(&s, NULL);
    good = b.def;
    sn_vec3 radii[64] = {{0, 0, 0}};
    sn_real moments[64][6] = {{0}};
    REFUSED(SN_ERROR_VALUE, def.radii = radii; def.moments = (const sn_real(*)[6])moments);
    REFUSED(SN_ERROR_VALUE, def.rest_orientations = none);
    radii[3].y = -1;
    REFUSED(SN_ERROR_VALUE, def.radii = radii);
    moments[5][3] = 1;
    REFUSED(SN_ERROR_VALUE, def.moments = (const sn_real(*)[6])moments);
    block_free(&b, true);
}

/* ---- Regions ---- */

TEST(rings_cubes_and_balls) {
    block b = block_make(&cube, NULL);
    sn_regions r = sn_regions_default();
    REQUIRE_OK(sn_regions_cubes(b.rest, b.count, (sn_real)0.1, 1, &r));
    CHECK(r.count == 64 && r.first[1] == 8 && r.centres[63] == 63);
    CHECK(r.members[0] == 0 && r.members[1] == 1 && r.members[2] == 4 && r.members[7] == 21);
    /* Inner ones have 27, those of faces 18, of edges 12, of corners 8. */
    CHECK(r.first[64] == 8 * 27 + 24 * 18 + 24 * 12 + 8 * 8);
    CHECK_FAILS(sn_regions_cubes(b.rest, b.count, (sn_real)0.1, 1, &r), SN_ERROR_VALUE);
    sn_regions_free(&r);
    REQUIRE_OK(sn_regions_balls(b.rest, b.count, (sn_real)0.101, &r));
    CHECK(r.count == 64 && r.first[1] == 4 && r.first[64] == 64 + 2 * 3 * 48);
    sn_regions_free(&r);
    CHECK_FAILS(sn_regions_cubes(b.rest, b.count, (sn_real)0.07, 1, &r), SN_ERROR_VALUE);
    b.rest[1] = b.rest[0];
    CHECK_FAILS(sn_regions_cubes(b.rest, b.count, (sn_real)0.1, 1, &r), SN_ERROR_DEGENERATE);
    b.rest[1].z = (sn_real)NAN;
    CHECK_FAILS(sn_regions_balls(b.rest, b.count, (sn_real)0.1, &r), SN_ERROR_VALUE);
    CHECK_FAILS(sn_regions_balls(b.rest, 0, (sn_real)0.1, &r), SN_ERROR_VALUE);
    CHECK_FAILS(sn_regions_balls(NULL, 1, (sn_real)0.1, &r), SN_ERROR_NULL);
    CHECK_FAILS(sn_regions_balls(b.rest, 1, 0, &r), SN_ERROR_VALUE);
    CHECK(r.first == NULL && r.count == 0);
    block_free(&b, true);

    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    grid.columns = grid.rows = 4;
    CHECK_FAILS(sn_regions_rings(&mesh, 1, &r), SN_ERROR_VALUE);
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    REQUIRE_OK(sn_regions_rings(&mesh, 0, &r));
    CHECK(r.count == 25 && r.first[25] == 25 && r.members[7] == 7);
    sn_regions_free(&r);
    REQUIRE_OK(sn_regions_rings(&mesh, 100, &r));
    CHECK(r.first[25] == 625 && r.members[624] == 24);
    sn_regions_free(&r);
    /* The first ring is the vertex and its neighbours: both ends of every edge. */
    REQUIRE_OK(sn_regions_rings(&mesh, 1, &r));
    CHECK(r.first[25] == 25 + 2 * (4 * 5 * 2 + 16));
    sn_regions_free(&r);
    sn_mesh_free(&mesh);
}

/* A ball filled with cubes: regions of its lattice, which sums are made on quickly. */
TEST(cubes_fill_a_surface) {
    sn_mesh surface = sn_mesh_default(), filled = sn_mesh_default();
    sn_sphere_def ball = sn_sphere_def_default();
    sn_fill_def def = sn_fill_def_default();
    sn_regions r = sn_regions_default();
    double volume;
    REQUIRE_OK(sn_generate_sphere(&surface, &ball));
    def.kind = SN_FILL_CUBES;
    def.spacing = (sn_real)0.1;
    REQUIRE_OK(sn_mesh_fill(&surface, &def, &filled));
    REQUIRE_OK(sn_mesh_tet_volume(&filled, &volume));
    /* All of the ball of 0.524 m^3 but caps of some cubes, and what sticks out of 0.5 m. */
    CHECK(volume > 0.55 && volume < 0.95);
    CHECK(filled.tet_count % 6 == 0 && filled.triangle_count > 0);
    CHECK_NEAR(volume, (double)filled.tet_count / 6 * 0.001, 1e-6);
    REQUIRE_OK(sn_regions_cubes(filled.positions, filled.vertex_count, def.spacing, 2, &r));
    CHECK(r.count == filled.vertex_count);
    size_t most = 0;
    for (size_t i = 0; i < r.count; i++)
        if (r.first[i + 1] - r.first[i] > most) most = r.first[i + 1] - r.first[i];
    CHECK(most == 125);
    sn_regions_free(&r);
    sn_mesh_free(&surface);
    sn_mesh_free(&filled);
}

/* The sag of a beam of cubes, clamped at its left, with regions of two of the smallest. */
static double sag_of(const sn_mesh *surface, uint32_t levels, size_t *nodes) {
    sn_mesh tets = sn_mesh_default();
    sn_fill_def fill = sn_fill_def_default();
    sn_world_def world_def = sn_world_def_default();
    sn_build_def body = sn_build_def_default();
    sn_shape_material shape = sn_shape_material_default();
    sn_world *world;
    sn_build build;
    fill.kind = SN_FILL_CUBES;
    fill.spacing = (sn_real)0.05;
    fill.levels = levels;
    REQUIRE_OK(sn_mesh_fill(surface, &fill, &tets));
    world_def.settings.substeps = 4;
    world_def.settings.damping = 5;
    REQUIRE_OK(sn_world_create(&world_def, &world));
    shape.region = 2;
    shape.omega = 2;
    shape.spacing = fill.spacing;
    shape.young = 500000;
    shape.damping = (sn_real)0.02;
    shape.sums = levels > 0 ? SN_REGION_SUMS_OCTREE : SN_REGION_SUMS_LATTICE;
    body.mesh = &tets;
    size_t tip = 0, pins = 0;
    uint32_t *pin = calloc(tets.vertex_count, sizeof *pin);
    for (size_t i = 0; i < tets.vertex_count; i++) {
        if (tets.positions[i].x > tets.positions[tip].x) tip = i;
        if (tets.positions[i].x < (sn_real)-0.49) pin[pins++] = (uint32_t)i;
    }
    body.pins = pin;
    body.pin_count = pins;
    REQUIRE_OK(sn_build_body(world, SN_KIND_SHAPE, &shape, &body, NULL, &build));
    sn_node_view view;
    REQUIRE_OK(sn_world_nodes(world, &view));
    *nodes = view.count;
    double before = (double)view.position[tip].y;
    for (int i = 0; i < 45; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    REQUIRE_OK(sn_world_nodes(world, &view));
    double sag = before - (double)view.position[tip].y;
    sn_world_destroy(world);
    sn_mesh_free(&tets);
    free(pin);
    return sag;
}

/* Section 5.11.3.2: the same beam with cubes that are joined inside has regions as wide, fewer
   nodes in them, and bends as much. */
TEST(adaptive_lattices_move_like_uniform_ones) {
    sn_mesh surface = sn_mesh_default();
    sn_box_def box = sn_box_def_default();
    size_t nodes[2];
    box.extent = (sn_vec3){(sn_real)0.99, (sn_real)0.49, (sn_real)0.49};
    REQUIRE_OK(sn_generate_box(&surface, &box));
    double sag[2];
    for (uint32_t k = 0; k < 2; k++) sag[k] = sag_of(&surface, k, &nodes[k]);
    check_case("sags by %g m with %zu nodes, by %g m with %zu", sag[0], nodes[0], sag[1], nodes[1]);
    CHECK((double)nodes[1] < 0.8 * (double)nodes[0] && sag[0] > 0.01);
    CHECK_REL(sag[1], sag[0], 0.03);
    sn_mesh_free(&surface);
}

TESTS(RUN(what_is_crushed_does_not_yield), RUN(what_is_held_may_have_any_mass),
      RUN(what_is_at_rest_stays), RUN(rigid_motion_keeps_the_shape), RUN(momentum_is_kept),
      RUN(a_spinning_cluster_follows_its_recursion), RUN(stiffness_grows_with_the_regions),
      RUN(compliance_does_not_depend_on_substeps), RUN(damping_takes_what_is_not_rigid),
      RUN(what_yields_stays_stretched), RUN(a_part_of_a_stretch_yields_in_a_step),
      RUN(flat_regions_work_and_are_named), RUN(threads_do_not_matter),
      RUN(snapshots_go_on_with_the_same_bits), RUN(recordings_repeat_matchings),
      RUN(nodes_leave_their_regions), RUN(what_is_not_finite_is_contained),
      RUN(matchings_join_bodies_that_sleep), RUN(bad_matchings_are_refused),
      RUN(rings_cubes_and_balls), RUN(cubes_fill_a_surface),
      RUN(adaptive_lattices_move_like_uniform_ones))
