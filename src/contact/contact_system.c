/*
 * Contact as a system: its lines in the step.
 *
 * Candidate pairs are found for the whole step, nodes that went another way get theirs again before
 * each substep, and contacts have the last word in every iteration: surfaces, then triangles on
 * colliders, then nodes on colliders, which are hard.
 */
#include "contact/surface/surface_contact.h"
#include "contact/triangle/triangle_contact.h"
#include "state/system.h"

static bool is_needed(const sn_world *world) {
    return sn_collider_contact_is_needed(world) || sn_surface_contact_is_needed(world);
}

static bool bounces(const sn_world *world) {
    return sn_collider_contact_bounces(world) || sn_surface_contact_bounces(world);
}

static bool is_marked(const sn_world *world) {
    return sn_contact_marks_of(world) != NULL;
}

/* ---- Life ---- */

static void drop_scratch(void *state, sn_memory *memory) {
    sn_contacts *contacts = state;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
        sn_contact_set_free(&contacts->set[kind], memory);
        sn_contact_set_free(&contacts->old[kind], memory);
    }
    sn_collider_contacts_free(&contacts->collider, memory);
    sn_triangle_contacts_free(&contacts->triangle, memory);
    sn_surface_contacts_free(contacts->surface, memory);
    *contacts = (sn_contacts){.marks = contacts->marks};
}

static void free_state(void *state, sn_memory *memory) {
    sn_contact_marks *marks = &((sn_contacts *)state)->marks;
    drop_scratch(state, memory);
    sn_free(memory, marks->node, marks->capacity, sizeof *marks->node);
}

/* ---- Finding ---- */

static bool plan_marks(sn_step *step) {
    return sn_contact_marks_plan(step->world);
}

static bool find_surface_pairs(sn_step *step) {
    return sn_surface_contact_plan(step->world, step->dt, step->h);
}

static bool find_collider_pairs(sn_step *step) {
    return sn_collider_contact_plan(step->world, step->dt) &&
           sn_triangle_contact_plan(step->world, step->dt) &&
           sn_contact_events_reserve(step->world, 0);
}

static void move_colliders(sn_step *step) {
    sn_moment moment = sn_step_moment(step);
    sn_collider_contact_move(step->world, &moment);
}

static void detect(sn_step *step) {
    sn_moment moment = sn_step_moment(step);
    sn_collider_contact_substep(step->world, &moment);
    sn_triangle_contact_substep(step->world, &moment);
    sn_surface_contact_substep(step->world, &moment);
}

/* ---- Answering ---- */

static void project(sn_step *step) {
    sn_moment moment = sn_step_moment(step);
    bool first = step->iteration == 0;
    bool last = step->iteration + 1 == step->world->settings.iterations;
    sn_untangle_apply(step->world, &moment);
    sn_surface_contact_project(step->world, &moment, first, last);
    sn_triangle_contact_project(step->world, &moment);
    sn_collider_contact_project(step->world, &moment, first);
}

static void limit(sn_step *step) {
    sn_moment moment = sn_step_moment(step);
    sn_limiter_apply(step->world, &moment);
    sn_limit_separation_velocity(step->world, &moment);
}

static void mark(sn_step *step) {
    sn_contact_marks_update(step->world);
}

static void bounce(sn_step *step) {
    sn_moment moment = sn_step_moment(step);
    if (sn_surface_contact_bounces(step->world)) sn_surface_contact_bounce(step->world, &moment);
    sn_triangle_contact_bounce(step->world, &moment);
    sn_collider_contact_bounce(step->world, &moment);
}

static void end(sn_step *step) {
    sn_triangle_contact_end(step->world);
    sn_collider_contact_end(step->world, step->dt);
    sn_surface_contact_end(step->world);
    sn_contact_events_end(step->world);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OBJECTS, "contact marks", SN_TIMER(prepare), .plan = plan_marks},
    {SN_STAGE_FIND, SN_RANK_SURFACES, "find surface pairs", SN_TIMER(find),
     .plan = find_surface_pairs, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES,
     .parallel = true},
    {SN_STAGE_FIND, SN_RANK_SHAPES, "find collider pairs", SN_TIMER(find),
     .plan = find_collider_pairs,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_COLLIDERS, .parallel = true},
    {SN_STAGE_MOVE, SN_RANK_COLLIDERS, "move colliders", SN_TIMER(predict), .run = move_colliders,
     .writes = SN_STATE_COLLIDERS},
    {SN_STAGE_DETECT, 0, "detect contacts", SN_TIMER(find), is_needed, detect,
     .reads = SN_STATE_POSITIONS | SN_STATE_COLLIDERS, .writes = SN_STATE_CONTACTS,
     .parallel = true},
    {SN_STAGE_PROJECT, SN_RANK_CONTACT, "project contacts", SN_TIMER(contact), is_needed, project,
     .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_COLLIDERS | SN_STATE_CONTACTS,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_CONTACTS, .parallel = true},
    {SN_STAGE_LIMIT, 0, "limit motion", SN_TIMER(contact), is_needed, limit,
     .reads = SN_STATE_POSITIONS | SN_STATE_CONTACTS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
    {SN_STAGE_LIMIT, 1, "mark contacts", SN_TIMER(contact), is_marked, mark,
     .reads = SN_STATE_CONTACTS},
    {SN_STAGE_VELOCITIES, SN_RANK_RESTITUTION, "restitution", SN_TIMER(contact), bounces, bounce,
     .reads = SN_STATE_CONTACTS, .writes = SN_STATE_VELOCITIES, .parallel = true},
    {SN_STAGE_END, SN_RANK_CONTACTS, "contact events", SN_TIMER(contact), .run = end,
     .reads = SN_STATE_CONTACTS, .writes = SN_STATE_COLLIDERS, .parallel = true},
};

const sn_system sn_contact_system = {
    .name = "contact",
    .size = sizeof(sn_contacts),
    .free = free_state,
    .drop_scratch = drop_scratch,
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .serialize_nodes = sn_contact_marks_serialize,
};
