/* Nodes, frames and constraints in the step; what systems add is in their descriptors. */
#include "step/stages.h"

#include "step/audit.h"
#include "step/plane.h"
#include "step/step.h"
#include "step/tree_solver.h"

static bool has_frames(const sn_world *world) {
    return world->frames.slots.live > 0;
}

static bool has_drives(const sn_world *world) {
    return world->nodes.drives > 0;
}

static void begin_motion(sn_step *step) {
    sn_freeze_begin(step);
    sn_kinematics_begin(step);
    sn_rotate_begin(step);
}

static void end_motion(sn_step *step) {
    sn_kinematics_end(step);
    sn_rotate_end(step);
}

const sn_stage_entry sn_step_stages[] = {
    {SN_STAGE_PLAN, SN_RANK_STEP, "memory", SN_TIMER(prepare), .plan = sn_step_reserve},
    {SN_STAGE_PLAN, SN_RANK_STEP, "audit", SN_TIMER(prepare), sn_audit_is_on,
     .plan = sn_audit_reserve},

    {SN_STAGE_BEGIN, 0, "begin motion", SN_TIMER(prepare), .run = begin_motion,
     .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES},

    {SN_STAGE_BEGIN, 1, "torques in the plane", SN_TIMER(prepare), sn_plane_is_needed,
     sn_plane_keep_torques, .writes = SN_STATE_FRAMES},
    {SN_STAGE_BEGIN, 2, "torques without inertia", SN_TIMER(prepare), sn_trees_have_torques,
     sn_trees_take_torques, .writes = SN_STATE_FRAMES},

    {SN_STAGE_FORCES, SN_RANK_FIELDS, "force fields", SN_TIMER(predict), sn_forces_have_fields,
     sn_forces_add_fields, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES,
     .writes = SN_STATE_ACCELERATIONS},
    {SN_STAGE_FORCES, SN_RANK_RECORD, "record forces", SN_TIMER(predict), sn_forces_are_recorded,
     sn_forces_record, .reads = SN_STATE_ACCELERATIONS},

    {SN_STAGE_MOVE, SN_RANK_NODES, "move kinematic nodes", SN_TIMER(predict), has_drives,
     sn_kinematics_move, .reads = SN_STATE_COLLIDERS, .writes = SN_STATE_POSITIONS},
    {SN_STAGE_MOVE, SN_RANK_FRAMES, "predict frames", SN_TIMER(predict), has_frames,
     sn_rotate_predict, .reads = SN_STATE_FRAMES, .writes = SN_STATE_FRAMES, .parallel = true},

    {SN_STAGE_PROJECT, SN_RANK_CONSTRAINTS, "project constraints", SN_TIMER(project),
     .run = sn_project_constraints, .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_MULTIPLIERS, .parallel = true,
     .offloaded = true},
    {SN_STAGE_PROJECT, SN_RANK_BOUND, "project bounds", SN_TIMER(project), sn_project_has_bounds,
     sn_project_bounds, .reads = SN_STATE_POSITIONS,
     .writes = SN_STATE_POSITIONS | SN_STATE_MULTIPLIERS, .parallel = true, .offloaded = true},

    {SN_STAGE_PROJECT, SN_RANK_BOUND, "settle joints", SN_TIMER(project), sn_settle_is_possible,
     sn_settle_joints, .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_MULTIPLIERS,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_MULTIPLIERS},

    /* Behind contacts, and before systems of this rank: contacts relax first, then there are
       targets. */
    {SN_STAGE_PROJECT, SN_RANK_TARGET, "settle joints of what is struck", SN_TIMER(project),
     sn_settle_may_be_struck, sn_settle_struck,
     .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_MULTIPLIERS | SN_STATE_CONTACTS,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_MULTIPLIERS | SN_STATE_CONTACTS,
     .parallel = true},

    {SN_STAGE_PROJECT, SN_RANK_PLANE, "keep in the plane", SN_TIMER(project), sn_plane_is_needed,
     sn_plane_keep_positions, .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES},

    {SN_STAGE_LIMIT, SN_RANK_PLANE, "stay in the plane", SN_TIMER(update), sn_plane_is_needed,
     sn_plane_keep_positions, .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES},
    {SN_STAGE_LIMIT, 1, "find impacts", SN_TIMER(update), sn_impacts_are_possible, sn_impacts_find,
     .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_MULTIPLIERS,
     .writes = SN_STATE_VELOCITIES, .parallel = true},

    {SN_STAGE_UPDATE, SN_RANK_TURNED, "update frames", SN_TIMER(update), has_frames,
     sn_rotate_update, .reads = SN_STATE_FRAMES, .writes = SN_STATE_FRAMES | SN_STATE_VELOCITIES,
     .parallel = true},
    /* Nodes and frames are where the substep ends, and nothing has broken yet. */
    {SN_STAGE_UPDATE, SN_RANK_BREAKING, "sum up the audit", SN_TIMER(update), sn_audit_is_on,
     sn_audit_sum_up, .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_MULTIPLIERS},
    {SN_STAGE_UPDATE, SN_RANK_BREAKING, "break constraints", SN_TIMER(update),
     sn_breaking_is_possible, sn_breaking_find, .reads = SN_STATE_MULTIPLIERS,
     .writes = SN_STATE_PARAMETERS, .parallel = true},
    {SN_STAGE_UPDATE, SN_RANK_FIT, "fit forces", SN_TIMER(update), .run = sn_fit_forces_add,
     .reads = SN_STATE_MULTIPLIERS, .parallel = true},

    {SN_STAGE_VELOCITIES, SN_RANK_DASHPOTS, "dashpots", SN_TIMER(project), sn_dashpots_are_needed,
     sn_dashpots_apply, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_FRAMES,
     .writes = SN_STATE_VELOCITIES | SN_STATE_MULTIPLIERS, .parallel = true},
    {SN_STAGE_VELOCITIES, SN_RANK_PROJECTION, "velocity projection", SN_TIMER(update),
     sn_velocity_projection_is_needed, sn_velocity_projection_apply,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES, .writes = SN_STATE_VELOCITIES,
     .parallel = true},

    {SN_STAGE_VELOCITIES, SN_RANK_PLANE, "velocities in the plane", SN_TIMER(update),
     sn_plane_is_needed, sn_plane_keep_velocities, .reads = SN_STATE_VELOCITIES | SN_STATE_FRAMES,
     .writes = SN_STATE_VELOCITIES | SN_STATE_FRAMES},

    {SN_STAGE_END, SN_RANK_MOTION, "end motion", SN_TIMER(update), .run = end_motion,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES},
    {SN_STAGE_END, SN_RANK_PLASTICITY, "plasticity", SN_TIMER(update), .run = sn_plasticity_apply,
     .reads = SN_STATE_POSITIONS | SN_STATE_MULTIPLIERS, .writes = SN_STATE_PARAMETERS},
    {SN_STAGE_END, SN_RANK_PLASTICITY, "swell", SN_TIMER(update), sn_swelling_is_possible,
     sn_swelling_apply, .reads = SN_STATE_POSITIONS, .writes = SN_STATE_PARAMETERS},
    /* Others compare with where nodes were when the step began. */
    {SN_STAGE_END, SN_RANK_FORCES, "come in at the other side", SN_TIMER(update), sn_wrap_is_needed,
     sn_wrap_nodes, .reads = SN_STATE_POSITIONS, .writes = SN_STATE_POSITIONS},
    {SN_STAGE_END, SN_RANK_FORCES, "forget forces", SN_TIMER(update), .run = sn_forces_end},

    {SN_STAGE_TOPOLOGY, SN_RANK_BREAK, "remove what broke", SN_TIMER(update),
     .run = sn_breaking_end, .writes = SN_STATE_TOPOLOGY},
};
const size_t sn_step_stages_count = sizeof sn_step_stages / sizeof *sn_step_stages;
