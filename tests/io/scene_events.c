/* What frames say has happened: when, where and to whom. */
#include <math.h>
#include <sinew_io/scene.h>
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "scene_make.h"

/* Steps until an event of a kind comes; false where none does. */
static bool wait_for(sn_scene *scene, sn_scene_event_kind kind, int frames, sn_scene_event *event) {
    for (int i = 0; i < frames; i++) {
        scene_run_frames(scene, 1);
        for (size_t k = 0; sn_scene_event_at(scene, k, event); k++)
            if (event->kind == kind) return true;
    }
    return false;
}

/* A weight that becomes heavier by a force breaks its string at a known force and place. */
TEST(breaks_have_a_time_and_a_place) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0]}, \"nodes\": [{\"name\": \"top\", "
        "\"mass\": \"auto\", \"position\": [2, 1, 0]}, {\"name\": \"weight\", \"position\": [2, 0, "
        "0]}], \"constraints\": [{\"name\": \"string\", \"type\": \"distance\", \"nodes\": "
        "[\"weight\", \"top\"], \"break_force\": 51}], \"forces\": [{\"nodes\": \"weight\", "
        "\"force\": [0, \"=-100 * t\", 0]}]}");
    sn_scene_event event;
    CHECK_OK(sn_scene_watch(scene));
    if (CHECK(wait_for(scene, SN_SCENE_BROKE, 60, &event))) {
        /* In the first frame whose force is above 51 N, which begins at 31 / 60 s. */
        CHECK(event.frame == 32);
        CHECK_NEAR(event.time, 32 / 60.0, 1e-12);
        CHECK(event.body == NULL && strcmp(event.other, "string") == 0);
        CHECK(strcmp(event.cause, "distance") == 0);
        CHECK_NEAR(event.amount, 100 * 31 / 60.0, 1);
        CHECK(event.placed);
        CHECK_NEAR((double)event.place.x, 2, 1e-6);
    }
    scene_run_frames(scene, 1);
    CHECK(!sn_scene_event_at(scene, 0, &event));
    sn_scene_close(scene);
}

static const char falling[] =
    "{\"version\": 1, \"settings\": {\"substeps\": 10, \"sleep_time\": 0.2, \"damping\": 3}, "
    "\"bodies\": [{\"name\": \"box\", \"mesh\": {\"shape\": \"block\", \"extent\": [0.2, 0.2, "
    "0.2], \"cells\": [1, 1, 1]}, \"material\": {\"kind\": \"solid\", \"young\": 1e6, \"damping\": "
    "0.01}, \"position\": [1, 0.3, 0]}], \"colliders\": [{\"name\": \"floor\", \"shape\": "
    "\"plane\"}], \"actions\": [{\"time\": 3, \"velocity\": {\"nodes\": \"box\", \"value\": [0, 3, "
    "0]}}]}";

/* It falls 0.2 m in 0.2 s, comes to rest, sleeps, is thrown, wakes and leaves the floor. */
TEST(bodies_touch_sleep_and_wake) {
    sn_scene *scene = scene_make(falling);
    sn_scene_event event;
    CHECK_OK(sn_scene_watch(scene));
    if (CHECK(wait_for(scene, SN_SCENE_BEGAN, 60, &event))) {
        CHECK_NEAR(event.time, 0.21, 0.05);
        CHECK(strcmp(event.body, "box") == 0 && strcmp(event.other, "floor") == 0);
        CHECK_NEAR((double)event.place.y, 0, 0.01);
    }
    if (CHECK(wait_for(scene, SN_SCENE_SLEPT, 180, &event))) {
        CHECK(strcmp(event.body, "box") == 0 && event.time < 3);
        CHECK_NEAR((double)event.place.y, 0.1, 0.01);
    }
    if (CHECK(wait_for(scene, SN_SCENE_WOKE, 180, &event))) CHECK(event.frame == 181);
    bool ended = false;
    for (size_t k = 0; sn_scene_event_at(scene, k, &event); k++)
        ended = ended || event.kind == SN_SCENE_ENDED;
    if (CHECK(ended || wait_for(scene, SN_SCENE_ENDED, 10, &event))) CHECK(event.time < 3.2);
    sn_scene_close(scene);
}

/* A run that goes on does not say again what was there, and watching changes nothing. */
TEST(events_go_on_from_snapshots) {
    const char *path = "scene_events.snap";
    sn_scene *scene = scene_make(falling), *later = scene_make(falling);
    sn_scene_event event;
    scene_run_frames(scene, 60);
    REQUIRE_OK(sn_snapshot_save_file(sn_scene_world(scene), path));
    CHECK_OK(sn_scene_watch(later));
    CHECK_OK(sn_scene_watch(later));
    REQUIRE_OK(sn_scene_resume(later, path));
    remove(path);
    for (int i = 0; i < 10; i++) {
        scene_run_frames(later, 1);
        for (size_t k = 0; sn_scene_event_at(later, k, &event); k++)
            CHECK(event.kind != SN_SCENE_BEGAN);
    }
    scene_run_frames(scene, 10);
    CHECK(sn_world_hash(sn_scene_world(scene)) == sn_world_hash(sn_scene_world(later)));
    sn_scene_close(scene);
    sn_scene_close(later);
}

TEST(sheets_tear_and_burst) {
    sn_scene *scene = scene_make(
        "{\"version\": 1, \"settings\": {\"gravity\": [0, 0, 0], \"substeps\": 10}, \"bodies\": ["
        "{\"name\": \"paper\", \"mesh\": {\"shape\": \"grid\", \"columns\": 6, \"rows\": 6}, "
        "\"pins\": [\"left\", \"right\"], \"material\": {\"kind\": \"cloth\", "
        "\"stretch_stiffness\": 1000, \"tear_strain\": 0.1}}, {\"name\": \"ball\", \"position\": "
        "[5, 0, 0], \"mesh\": {\"shape\": \"sphere\", \"level\": 2}, \"material\": {\"kind\": "
        "\"cloth\", \"stretch_stiffness\": 1000, \"pressure\": \"=1 + t\", \"burst_pressure\": "
        "100}}], \"motions\": [{\"nodes\": \"paper.right\", \"keys\": [{\"time\": 0}, {\"time\": "
        "1, \"position\": [0.5, 0, 0]}]}]}");
    sn_scene_event event;
    bool tore = false, burst = false;
    CHECK_OK(sn_scene_watch(scene));
    for (int i = 0; i < 60; i++) {
        scene_run_frames(scene, 1);
        for (size_t k = 0; sn_scene_event_at(scene, k, &event); k++) {
            if (event.kind == SN_SCENE_TORE) {
                bool strained = strcmp(event.cause, "strain") == 0;
                CHECK(strcmp(event.body, "paper") == 0 && event.time > 0.1);
                CHECK(strained ? event.amount > 0.1 : strcmp(event.cause, "loose") == 0);
                tore = tore || strained;
            }
            if (event.kind == SN_SCENE_BURST) {
                CHECK(strcmp(event.body, "ball") == 0 && event.amount > 100);
                CHECK_NEAR((double)event.place.x, 5, 1);
                burst = true;
            }
        }
    }
    CHECK(tore && burst);
    sn_scene_close(scene);
}

TEST(kinds_have_names) {
    for (int i = 0; i < SN_SCENE_EVENT_KINDS; i++)
        CHECK(sn_scene_event_name((sn_scene_event_kind)i) != NULL);
    CHECK(sn_scene_event_name((sn_scene_event_kind)SN_SCENE_EVENT_KINDS) == NULL);
    CHECK(sn_scene_watch(NULL) == SN_ERROR_NULL);
    CHECK(!sn_scene_event_at(NULL, 0, NULL));
}

TESTS(RUN(breaks_have_a_time_and_a_place), RUN(bodies_touch_sleep_and_wake),
      RUN(events_go_on_from_snapshots), RUN(sheets_tear_and_burst), RUN(kinds_have_names))
