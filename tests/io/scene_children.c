/* Children of strands: where they are between their guides, what moves with them, and what a scene
   says of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "files.h"
#include "scene_make.h"

#include "io/scene/scene_children.h"

/* Hair on a flat patch, which leans and is curled, or not. */
static sn_scene *make_hair(const char *children, const char *more) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"version\": 1, \"meshes\": {\"skin\": {\"shape\": \"grid\", \"width\": 0.2, "
             "\"depth\": 0.2, \"columns\": 4, \"rows\": 4}}, \"bodies\": [{\"name\": \"hair\", "
             "\"mesh\": {\"shape\": \"strands\", \"surface\": \"skin\", \"count\": 40, "
             "\"length\": 0.1, \"segments\": 6%s}, \"material\": "
             "{\"kind\": \"hair\", \"radius\": 0.001}, \"maps\": [{\"field\": \"radius\", "
             "\"taper\": 0.5}], \"pins\": \"roots\"%s%s}]}",
             more, *children ? ", \"children\": " : "", children);
    return scene_make(text);
}

enum { STRANDS = 40, LENGTH = 7, NODES = STRANDS * LENGTH };

static const sn_io_shape *see(sn_scene *scene) {
    sn_io_frame frame;
    REQUIRE_OK(sn_scene_frame(scene, &frame));
    return &frame.shapes[0];
}

static double apart(sn_vec3 a, sn_vec3 b) {
    double x = (double)(a.x - b.x), y = (double)(a.y - b.y), z = (double)(a.z - b.z);
    return sqrt(x * x + y * y + z * z);
}

/* Every strand has as many; lines join them from root to tip; radii are those of the guide. */
TEST(every_strand_has_children) {
    sn_scene *scene = make_hair("{\"count\": 5}", "");
    const sn_io_shape *s = see(scene);
    CHECK(s->vertex_count == 6 * NODES && s->line_count == 6 * STRANDS * (LENGTH - 1));
    for (size_t i = 0; i < s->line_count; i++) {
        CHECK(s->lines[i][1] == s->lines[i][0] + 1 && s->lines[i][1] % LENGTH != 0);
        CHECK_NEAR((double)s->radii[s->lines[i][0]],
                   0.001 * (1 - 0.5 * (double)(s->lines[i][0] % LENGTH) / (LENGTH - 1)), 2e-6);
    }
    sn_scene_close(scene);
}

/* With a weight of one a child is its guide, to the bit; guides may have other numbers of
   vertices. */
TEST(a_child_with_weight_one_is_its_guide) {
    uint32_t start[] = {0, 3, 5}, vertices[] = {0, 1, 2, 3, 4};
    scene_child child = {.guide = {0, 1, 1}, .reach = {1, 1}};
    scene_children c = {.guides = {2, start, vertices},
                        .parting = 2,
                        .count = 1,
                        .items = &child,
                        .vertex_count = 3};
    sn_vec3 x[8], v[8];
    sn_real strain[8], radii[8];
    for (int i = 0; i < 5; i++) {
        x[i] =
            (sn_vec3){(sn_real)0.1 * (sn_real)i, (sn_real)1.7 / (sn_real)(i + 1), (sn_real)(i - 7)};
        v[i] = (sn_vec3){-x[i].y, x[i].x, x[i].z};
        strain[i] = radii[i] = (sn_real)(0.01 * i);
    }
    const scene_grown to = {x, v, strain, radii, 5};
    sn_scene_place_children(&c, &to);
    CHECK(memcmp(x, x + 5, 3 * sizeof *x) == 0 && memcmp(v, v + 5, 3 * sizeof *v) == 0);
    CHECK(memcmp(radii, radii + 5, 3 * sizeof *radii) == 0);
    /* In the middle of both, whose halves are vertices of one and not of the other. */
    child.weight[0] = 0.5;
    c.parting = 1000;
    sn_scene_place_children(&c, &to);
    CHECK_NEAR((double)x[5].x, 0.15, 1e-6);
    CHECK_NEAR((double)x[6].x, (0.1 + 0.35) / 2, 1e-6);
    CHECK_NEAR((double)x[7].x, (0.2 + 0.4) / 2, 1e-6);
}

/* Weights sum to one: where all strands are of the same shape, children are; and their roots are
   on the patch. Guides lie among them: of the sum of weights nothing is below 0. */
TEST(children_are_between_their_guides) {
    sn_scene *scene = make_hair("{\"count\": 8}", ", \"variation\": 0");
    const sn_io_shape *s = see(scene);
    sn_vec3 least = s->positions[0], most = least;
    for (size_t i = 0; i < NODES; i += LENGTH) {
        sn_vec3 at = s->positions[i];
        least = (sn_vec3){at.x < least.x ? at.x : least.x, at.y, at.z < least.z ? at.z : least.z};
        most = (sn_vec3){at.x > most.x ? at.x : most.x, at.y, at.z > most.z ? at.z : most.z};
    }
    for (size_t i = NODES; i < s->vertex_count; i += LENGTH) {
        const sn_vec3 *x = s->positions + i;
        CHECK(x->x >= least.x - 1e-6 && x->x <= most.x + 1e-6);
        CHECK(x->z >= least.z - 1e-6 && x->z <= most.z + 1e-6);
        for (int k = 0; k < LENGTH; k++) {
            CHECK_NEAR((double)(x[k].y - x->y), (double)(s->positions[k].y - s->positions[0].y),
                       1e-6);
            CHECK_NEAR((double)(x[k].x - x->x), (double)(s->positions[k].x - s->positions[0].x),
                       1e-6);
        }
    }
    sn_scene_close(scene);
}

/* A quarter turn about z, and away. */
static sn_vec3 moved(sn_vec3 a) {
    return (sn_vec3){3 - a.y, 1 + a.x, a.z - 2};
}

static sn_vec3 before[9 * NODES];

TEST(a_rigid_motion_of_guides_moves_children_rigidly) {
    static const char *const says[] = {"{\"count\": 8}", "{\"count\": 8, \"clump\": 0.7}",
                                       "{\"count\": 8, \"parting\": 0}"};
    for (int k = 0; k < 3; k++) {
        sn_scene *scene = make_hair(says[k], ", \"curl_radius\": 0.01, \"comb\": [3, 0, 5]");
        const sn_io_shape *s = see(scene);
        sn_world *world = sn_scene_world(scene);
        memcpy(before, s->positions, sizeof before);
        for (size_t i = 0; i < NODES; i++) {
            sn_node node;
            REQUIRE_OK(sn_world_node_at(world, i, &node));
            REQUIRE_OK(sn_node_set_position(world, node, moved(before[i])));
        }
        s = see(scene);
        for (size_t i = 0; i < s->vertex_count; i++)
            CHECK(apart(s->positions[i], moved(before[i])) < 2e-6);
        sn_scene_close(scene);
    }
}

/* All tips are at those of guides then. */
TEST(a_clump_meets_at_the_tips) {
    sn_scene *scene = make_hair("{\"count\": 3, \"clump\": 1}", ", \"comb\": [3, 0, 5]");
    const sn_io_shape *s = see(scene);
    for (size_t i = NODES + LENGTH - 1; i < s->vertex_count; i += LENGTH) {
        size_t guide = (i - NODES) / (3 * LENGTH);
        CHECK(apart(s->positions[i], s->positions[guide * LENGTH + LENGTH - 1]) == 0);
    }
    sn_scene_close(scene);
}

/* Half of the hair bends away by twenty times its distances: roots stay, and no child is left in
   the gap, where those that always share are. */
TEST(a_parting_opens) {
    int left[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        sn_scene *scene = make_hair(k ? "{\"count\": 20, \"parting\": 1e6}" : "{\"count\": 20}",
                                    ", \"variation\": 0");
        sn_world *world = sn_scene_world(scene);
        const sn_io_shape *s = see(scene);
        memcpy(before, s->positions, sizeof before);
        for (size_t i = 0; i < NODES; i++) {
            sn_node node;
            sn_vec3 x = before[i];
            if (before[i - i % LENGTH].x > 0) x.x += (sn_real)(0.5 * (double)(i % LENGTH));
            REQUIRE_OK(sn_world_node_at(world, i, &node));
            REQUIRE_OK(sn_node_set_position(world, node, x));
        }
        s = see(scene);
        for (size_t i = NODES; i < s->vertex_count; i += LENGTH) {
            double tip = (double)s->positions[i + LENGTH - 1].x;
            left[k] += tip > 0.2 && tip < 2.8;
            CHECK(fabs((double)s->positions[i].x) < 0.11);
        }
        sn_scene_close(scene);
    }
    CHECK(left[0] == 0 && left[1] > 20);
}

/* The world is the same with them and without; so is the frame of every run. */
TEST(children_change_nothing) {
    sn_scene *with = make_hair("{}", ""), *without = make_hair("", ""),
             *again = make_hair("{}", "");
    scene_run_frames(with, 5);
    scene_run_frames(without, 5);
    scene_run_frames(again, 5);
    CHECK(sn_world_hash(sn_scene_world(with)) == sn_world_hash(sn_scene_world(without)));
    const sn_io_shape *a = see(with), *b = see(again);
    CHECK(a->vertex_count == 11 * NODES && see(without)->vertex_count == NODES);
    CHECK(memcmp(a->positions, b->positions, a->vertex_count * sizeof *a->positions) == 0);
    sn_scene_close(with);
    sn_scene_close(without);
    sn_scene_close(again);
}

TEST(a_scene_is_told_what_has_no_children) {
    sn_scene *scene = NULL;
    static const char ropes[] =
        "{\"version\": 1, \"parameters\": {\"n\": {\"value\": 1000000}}, \"bodies\": [{\"name\": "
        "\"a\", \"mesh\": {\"shape\": \"rope\"}, \"material\": {\"kind\": \"rope\"}, "
        "\"children\": {\"count\": \"=n\"}}]}";
    CHECK(scene_try(ropes, NULL, &scene) != SN_OK);
    CHECK(strstr(sn_last_error(), "two or more lines") != NULL);
    REQUIRE_OK(scene_try(ropes, (const char *const[]){"n=0", NULL}, &scene));
    sn_scene_close(scene);
    static const char two[] =
        "{\"version\": 1, \"parameters\": {\"clump\": {\"value\": 0}, \"n\": {\"value\": "
        "40000}}, \"bodies\": [{\"name\": \"a\", \"mesh\": {\"shape\": \"points\", "
        "\"positions\": [[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]], \"lines\": [0, 1, 2, 3]}, "
        "\"material\": {\"kind\": \"rope\"}, \"copies\": {\"count\": [9, 9, 9], \"step\": [1, 1, "
        "1]}, \"children\": {\"count\": \"=n\", \"clump\": \"=clump\"}}]}";
    CHECK(scene_try(two, (const char *const[]){"clump=2", NULL}, &scene) != SN_OK);
    CHECK(strstr(sn_last_error(), "clump") != NULL);
    CHECK(scene_try(two, NULL, &scene) != SN_OK);
    CHECK(strstr(sn_last_error(), "nodes with those before") != NULL);
    REQUIRE_OK(scene_try(two, (const char *const[]){"n=2", NULL}, &scene));
    CHECK(see(scene)->vertex_count == 12);
    sn_scene_close(scene);
}

/* Strands that were written are read again with their roots and stems, which can be held. */
TEST(strands_from_files_have_roots) {
    static const char *const formats[] = {"usda", "obj"}, *const files[] = {"strands.usda",
                                                                            "strands_0000.obj"};
    static const char scratch[] = "strands_scratch";
    for (int i = 0; i < 2; i++) {
        char text[400];
        check_case("%s", formats[i]);
        folder_clear(scratch);
        scene_write_frames(make_hair("", ""), formats[i], scratch, "strands");
        snprintf(
            text, sizeof text,
            "{\"version\": 1, \"bodies\": [{\"name\": \"hair\", \"mesh\": {\"shape\": \"file\", "
            "\"path\": \"%s/%s\"}, \"material\": {\"kind\": \"hair\"}, \"pins\": \"stems\"}]}",
            scratch, files[i]);
        sn_scene *scene = scene_make(text);
        sn_scene_body body;
        CHECK(sn_scene_body_at(scene, 0, &body) && body.node_count == NODES);
        CHECK(scene_count_kinematic(scene) == 2 * STRANDS);
        sn_scene_close(scene);
    }
    folder_clear(scratch);
}

/* Strands of distances: no node is farther from its pinned root than the strand is long, with one
   substep a frame; a root that is released falls with its strand. */
TEST(strands_of_distances_have_tethers) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"substeps\": 1}, \"meshes\": {\"skin\": {\"shape\": "
        "\"grid\", \"width\": 0.2, \"depth\": 0.2, \"columns\": 4, \"rows\": 4}}, \"bodies\": "
        "[{\"name\": \"hair\", \"mesh\": {\"shape\": \"strands\", \"surface\": \"skin\", "
        "\"count\": 10, \"length\": 0.6, \"segments\": 20}, "
        "\"material\": {\"kind\": \"hair\", \"model\": \"distance\"}, \"velocity\": [5, 0, 0], "
        "\"pins\": \"roots\"}], \"actions\": [{\"time\": 0.5, \"release\": \"hair.roots\"}]}");
    sn_world *world = sn_scene_world(scene);
    double most = 0;
    CHECK(sn_world_constraint_count(world, SN_TYPE_TETHER) == 10 * 20);
    for (int frame = 0; frame < 28; frame++) {
        scene_run_frames(scene, 1);
        const sn_io_shape *s = see(scene);
        for (size_t i = 0; i < s->vertex_count; i++) {
            double length = 0.6 / 20 * (double)(i % 21);
            double reach = apart(s->positions[i], s->positions[i - i % 21]);
            most = fmax(most, reach - length);
        }
    }
    CHECK_NEAR(most, 0, 1e-4);
    scene_run_frames(scene, 12);
    CHECK(sn_world_constraint_count(world, SN_TYPE_TETHER) == 0);
    CHECK((double)see(scene)->positions[0].y < -0.05);
    sn_scene_close(scene);
}

TESTS(RUN(strands_of_distances_have_tethers), RUN(strands_from_files_have_roots),
      RUN(every_strand_has_children), RUN(a_child_with_weight_one_is_its_guide),
      RUN(children_are_between_their_guides), RUN(a_rigid_motion_of_guides_moves_children_rigidly),
      RUN(a_clump_meets_at_the_tips), RUN(a_parting_opens), RUN(children_change_nothing),
      RUN(a_scene_is_told_what_has_no_children))
