/* A rope swings in a gusty wind and is recorded; then the run is repeated without the wind. */
#include <sinew/sinew.h>

#include <stdio.h>
#include <time.h>

static void gust(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    unsigned *state = user;
    *state = *state * 1664525u + 1013904223u;
    float wind = (float)(*state >> 24) / 25; /* m/s^2, another one in every run */
    for (size_t i = 0; i < input->count; i++) acceleration[i].z += wind;
}

static int swing(sn_world *world) {
    enum { LINKS = 20 };
    sn_node node[LINKS + 1];
    sn_constraint link;
    for (int i = 0; i <= LINKS; i++) {
        sn_node_def def = sn_node_def_default();
        def.position = (sn_vec3){0.05f * (float)i, 1, 0};
        def.inverse_mass = i == 0 ? 0 : 1 / 0.01f;
        if (sn_node_create(world, &def, &node[i]) != SN_OK) return 1;
    }
    for (int i = 0; i < LINKS; i++) {
        sn_distance_def def = sn_distance_def_default();
        def.node[0] = node[i];
        def.node[1] = node[i + 1];
        if (sn_constraint_create(world, SN_TYPE_DISTANCE, &def, &link) != SN_OK) return 1;
    }
    for (int frame = 0; frame < 60; frame++) sn_world_step(world, 1 / 60.0f);
    return 0;
}

int main(void) {
    const char *path = "rope.reco";
    sn_world *world, *again;
    sn_replay_report report;
    if (sn_world_create(NULL, &world) != SN_OK || sn_world_create(NULL, &again) != SN_OK) return 1;
    unsigned state = (unsigned)time(NULL);
    if (sn_world_add_force_field(world, gust, &state) != SN_OK) return 1;
    if (sn_recording_start(world, path) != SN_OK || swing(world) != 0 ||
        sn_recording_stop(world) != SN_OK || sn_replay_file(again, path, &report) != SN_OK) {
        printf("%s\n", sn_last_error());
        return 1;
    }
    printf("%zu steps repeated, %s\n", report.steps,
           report.differs ? "with a difference" : "the same");
    bool same = !report.differs && sn_world_hash(world) == sn_world_hash(again);
    sn_world_destroy(world);
    sn_world_destroy(again);
    remove(path);
    return same ? 0 : 1;
}
