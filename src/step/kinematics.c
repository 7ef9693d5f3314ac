/*
 * Kinematic nodes: those with inverse mass 0 that move, to a target or with a velocity.
 *
 * A target is approached evenly over the substeps, so that what hangs on the node feels a constant
 * velocity instead of a jump in the first substep. A node that rides on a collider is always where
 * that has its point, so that both go the same way within a step.
 */
#include "step/step.h"

#include "collision/collider_pose.h"
#include "math/vector.h"

void sn_kinematics_begin(sn_step *step) {
    sn_nodes *nodes = &step->world->nodes;
    for (size_t i = 0; i < nodes->drives; i++) {
        sn_vec4 x = nodes->x[nodes->drive[i].node];
        nodes->drive[i].from = (sn_vec3){x.x, x.y, x.z};
    }
}

/* m: how far the point that a node rides on is from `from`; its motion in this substep. */
static sn_v4 ride(const sn_world *world, const sn_drive *drive, sn_v4 from, sn_v4 *motion) {
    const sn_collider_pose *at = &sn_collider_poses(world)[drive->collider - 1];
    sn_v4 point = sn_v4_of(drive->point);
    *motion = sn_collider_pose_motion(at, point);
    return (sn_v4_load(&at->x) - from) +
           (sn_v4_load(&at->d) + sn_collider_pose_out(at, &at->q, point));
}

void sn_kinematics_move(sn_step *step) {
    sn_nodes *nodes = &step->world->nodes;
    sn_real part = (sn_real)((double)(step->substep + 1) / (double)step->substeps);
    sn_real h = (sn_real)step->h, dt = (sn_real)step->dt;
    for (size_t i = 0; i < nodes->drives; i++) {
        const sn_drive *drive = &nodes->drive[i];
        sn_v4 *d = (sn_v4 *)&nodes->d[drive->node], *p = (sn_v4 *)&nodes->p[drive->node];
        sn_v4 motion = h * sn_v4_of(drive->velocity);
        if (drive->collider) {
            *d = ride(step->world, drive, *(sn_v4 *)&nodes->x[drive->node], &motion);
        } else if (drive->has_target) {
            sn_v4 from = sn_v4_of(drive->from), displacement = sn_v4_of(drive->target) - from;
            *d = (from - *(sn_v4 *)&nodes->x[drive->node]) + part * displacement;
            motion = displacement * (h / dt);
        } else {
            /* The prediction has gone on with rounded velocities; exactly this one is meant. */
            *d = *p + motion;
        }
        *p = *d - motion;
        if (step->world->history.used)
            sn_history_drive(&step->world->history, drive->node, *d, *p, motion);
    }
}

void sn_kinematics_end(sn_step *step) {
    sn_nodes *nodes = &step->world->nodes;
    for (size_t i = nodes->drives; i-- > 0;) {
        sn_drive *drive = &nodes->drive[i];
        uint32_t node = drive->node;
        if (drive->collider) {
            sn_v4 motion, to = ride(step->world, drive, (sn_v4){0}, &motion);
            sn_nodes_place(nodes, node, (sn_vec3){to[0], to[1], to[2]});
            *(sn_v4 *)&nodes->v[node] = motion / (sn_real)step->h;
            continue;
        }
        if (drive->has_target) {
            /* Exactly there. It shows the velocity it came with, and stands in the next step. */
            sn_nodes_place(nodes, node, drive->target);
            sn_v4 displacement = sn_v4_of(drive->target) - sn_v4_of(drive->from);
            *(sn_v4 *)&nodes->v[node] = displacement / (sn_real)step->dt;
            *drive = (sn_drive){.node = node};
            continue;
        }
        *(sn_v4 *)&nodes->v[node] = sn_v4_of(drive->velocity);
        sn_vec3 v = drive->velocity;
        if (v.x == 0 && v.y == 0 && v.z == 0) sn_nodes_undrive(nodes, node);
    }
}
