/* Animation targets as a system: after everything else in an iteration, nodes stay near them. */
#include "state/system.h"
#include "systems/animation_target/animation_targets.h"

static bool is_needed(const sn_world *world) {
    return sn_animation_targets_of(world)->slots.live > 0;
}

static void release(void *state, sn_memory *memory) {
    sn_animation_targets_free(state, memory);
}

static void forget_nodes(sn_world *world) {
    sn_animation_targets_forget(sn_animation_targets_of(world), &world->memory,
                                world->nodes.slots.alive, SN_DOOMED);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PROJECT, SN_RANK_TARGET, "targets", SN_TIMER(project), is_needed,
     sn_animation_targets_apply, .reads = SN_STATE_POSITIONS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
    {SN_STAGE_END, SN_RANK_TARGETS, "targets", SN_TIMER(update), is_needed,
     sn_animation_targets_end, .writes = SN_STATE_PARAMETERS},
};

SN_DEFINE_OBJECT(animation_target, SN_ANIMATION_TARGET_FIELDS, "animation target",
                 "a body whose nodes stay near an animated shape",
                 .record = &sn_animation_target_vertex_object)
static const sn_object *const objects[] = {&sn_animation_target_object,
                                           &sn_animation_target_vertex_object};

const sn_system sn_animation_target_system = {
    .name = "animation_target",
    .size = sizeof(sn_animation_targets),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = sizeof objects / sizeof *objects,
    .free = release,
    .forget_nodes = forget_nodes,
    .serialize = sn_world_serialize_animation_targets,
};
