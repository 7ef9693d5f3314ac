/* The public calls on worlds. */
#include "api/call.h"
#include "api/check.h"
#include "api/choice.h"
#include "api/systems.h"
#include "api/types.h"
#include "base/float_environment.h"
#include "contact/contact_events.h"
#include "contact/surface/surface_contact.h"
#include "state/measure.h"
#include "step/step.h"

#include <sinew/recording.h>

#include <math.h>

sn_version sn_version_get(void) {
    return (sn_version){SN_VERSION_MAJOR, SN_VERSION_MINOR, SN_VERSION_PATCH};
}

/* ---- Recordings ---- */

#define CALLS(CALL, OWN)                                                                           \
    CALL(SET_SETTINGS, "world_set_settings", SN_PART_DEF, 0, &sn_settings_object,                  \
         sn_world_set_settings(world, call->def))                                                  \
    CALL(STEP, "world_step", SN_PART_NUMBERS | SN_PART_HASH | SN_KEEPS_PAIRS, 1, NULL,             \
         sn_world_step(world, call->number[0]))
SN_DEFINE_CALLS(world, CALLS, .next = NULL)

/* ---- Definitions ---- */

sn_world_def sn_world_def_default(void) {
    return (sn_world_def){
        .size = sizeof(sn_world_def), .settings = sn_settings_default(), .threads = 1};
}

/* ---- Life ---- */

static sn_result check_world_def(const sn_world_def *def) {
    int lanes = def->simd_width;
    SN_TRY(sn_check_size("world", def->size, sizeof *def));
    SN_TRY(sn_object_check(&sn_settings_object, &def->settings));
    if (def->threads < 0 || def->threads > SN_MAX_THREADS)
        return sn_fail(SN_ERROR_VALUE, "world: threads is %d, expected 0 to %d", def->threads,
                       SN_MAX_THREADS);
    if (lanes != 0 && lanes != 1 && lanes != 4 && lanes != 8 && lanes != 16)
        return sn_fail(SN_ERROR_VALUE, "world: simd_width is %d, expected 0, 1, 4, 8 or 16", lanes);
    if (!def->tasks.start != !def->tasks.finish)
        return sn_fail(SN_ERROR_NULL, "world: tasks.%s is null, expected both or neither",
                       def->tasks.start ? "finish" : "start");
    return SN_OK;
}

sn_result sn_world_create(const sn_world_def *def, sn_world **world) {
    SN_CHECK_POINTER(world);
    *world = NULL;
    sn_world_def standard = sn_world_def_default();
    if (!def) def = &standard;
    SN_TRY(check_world_def(def));
    sn_world_def chosen = *def;
    SN_TRY(sn_choice_from_environment(&chosen));
    SN_TRY(sn_world_init(world, &chosen, sn_types(), sn_systems()));
    sn_width width = sn_choice_of_width(chosen.simd_width);
    (*world)->bindings.width = width;
    (*world)->bindings.fewer_lanes = chosen.simd_width == 0;
    if (chosen.simd_width > sn_choice_lanes(width))
        sn_world_say(*world, SN_LOG_INFO,
                     "world: this machine has no instructions for %d lanes; %d are used, with the "
                     "same results",
                     chosen.simd_width, sn_choice_lanes(width));
    return SN_OK;
}

void sn_world_destroy(sn_world *world) {
    if (!world) return;
    if (SN_IS_RECORDED(world)) sn_recording_stop(world);
    sn_world_free(world);
}

sn_result sn_world_get_settings(const sn_world *world, sn_settings *settings) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(settings);
    *settings = world->settings;
    return SN_OK;
}

sn_result sn_world_set_settings(sn_world *world, const sn_settings *settings) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(settings);
    SN_TRY(sn_object_check(&sn_settings_object, settings));
    sn_vec3 g = settings->gravity, old = world->settings.gravity;
    if (g.x != old.x || g.y != old.y || g.z != old.z) sn_history_restart_all(&world->history);
    world->settings = *settings;
    world->scratch.settings_changed = true;
    sn_world_wake_all(world);
    SN_RECORD(world, SET_SETTINGS, .def = settings);
    return SN_OK;
}

#define NAME_OF_LINE(lower, upper) #lower,

const char *sn_solver_name(sn_solver solver) {
    static const char *const name[] = {SN_SOLVERS(NAME_OF_LINE)};
    return (unsigned)solver < SN_SOLVER_COUNT ? name[solver] : NULL;
}

const char *sn_integrator_name(sn_integrator integrator) {
    static const char *const name[] = {SN_INTEGRATORS(NAME_OF_LINE)};
    return (unsigned)integrator < SN_INTEGRATOR_COUNT ? name[integrator] : NULL;
}

/* ---- The step ---- */

/* s: what falls for so long is five light hours away, and the squares of much longer steps are no
   floats. */
static const double longest_step = 1e6;

sn_result sn_world_step(sn_world *world, sn_real dt) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_real("step", "dt", dt, 0, longest_step, false, "s"));
    SN_TRY(sn_wrap_check(world));
    uint64_t before = sn_float_enter();
    sn_result result = dt > 0 ? sn_step_run(world, (double)dt) : SN_OK;
    sn_float_leave(before);
    SN_TRY(result);
    SN_RECORD(world, STEP, .number = {dt}, .hash = sn_world_fingerprint(world));
    return SN_OK;
}

double sn_world_time(const sn_world *world) {
    return world ? world->time : 0;
}

int sn_world_simd_width(const sn_world *world) {
    return world ? sn_choice_lanes(world->bindings.width) : 0;
}

int sn_world_threads(const sn_world *world) {
    return world ? sn_team_threads(world->bindings.team) : 0;
}

/* ---- Force fields ---- */

sn_result sn_world_add_force_field(sn_world *world, sn_force_field *field, void *user) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(field);
    if (world->bindings.field_count == SN_MAX_FIELDS)
        return sn_fail(SN_ERROR_LIMIT, "force field: the world has %d of them already",
                       SN_MAX_FIELDS);
    world->bindings.field[world->bindings.field_count++] = (sn_field_entry){field, user};
    return SN_OK;
}

sn_result sn_world_remove_force_field(sn_world *world, sn_force_field *field, void *user) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(field);
    for (size_t i = 0; i < world->bindings.field_count; i++) {
        if (world->bindings.field[i].field != field || world->bindings.field[i].user != user)
            continue;
        world->bindings.field_count--;
        for (; i < world->bindings.field_count; i++)
            world->bindings.field[i] = world->bindings.field[i + 1];
        return SN_OK;
    }
    return sn_fail(SN_ERROR_ID, "force field: no field was added with this function and user");
}

/* ---- Looking ---- */

uint64_t sn_world_hash(const sn_world *world) {
    return world ? sn_world_fingerprint(world) : 0;
}

sn_result sn_world_stats(const sn_world *world, sn_stats *stats) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(stats);
    *stats = world->output.stats;
    stats->nodes = world->nodes.slots.live;
    stats->constraints = world->constraints.slots.live;
    stats->memory = world->memory.held;
    stats->overlaps = sn_contact_events_depths(world, &stats->overlap);
    stats->asleep = world->sleep.count;
    return SN_OK;
}

sn_result sn_world_count_crossings(const sn_world *world, size_t *crossings) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(crossings);
    return sn_surface_crossings_count(world, crossings);
}

sn_result sn_world_measure(const sn_world *world, sn_measure *measure) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(measure);
    *measure = sn_world_take_measure(world);
    return SN_OK;
}
