/*
 * Contact as a system: its lines in the step, over the kinds of contact (contact_kind.h).
 *
 * Candidate pairs are found for the whole step, nodes that left their predicted bounds get theirs
 * again before each substep, and in every iteration contacts are solved after all constraints:
 * surfaces, then triangles on colliders, then nodes on colliders, which are hard, and at last what
 * is carried. Untangling, the
 * motion limiter and the limit of separation velocities are lines of their own, over the same sets.
 */
#include "contact/surface/surface_contact.h"
#include "state/system.h"

#define KIND_AT(NAME, name) [SN_CONTACT_##NAME] = &sn_##name##_contact_kind,
const sn_contact_kind_def *const sn_contact_kinds[SN_CONTACT_KINDS] = {
    SN_CONTACT_KIND_LIST(KIND_AT)};
#undef KIND_AT

/* The group that begins with a kind, or null. */
static const sn_contact_group *group_at(int kind) {
    const sn_contact_group *group = sn_contact_kinds[kind]->group;
    return kind > 0 && sn_contact_kinds[kind - 1]->group == group ? NULL : group;
}

static bool is_needed(const sn_world *world) {
    bool needed = false;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (group_at(kind)) needed = needed || group_at(kind)->is_needed(world);
    return needed;
}

static bool bounces(const sn_world *world) {
    bool any = false;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (group_at(kind)) any = any || group_at(kind)->bounces(world);
    return any;
}

static bool does_not_bounce(const sn_world *world) {
    bool any = false;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (group_at(kind)) any = any || group_at(kind)->strikes(world);
    return !any;
}

static bool is_marked(const sn_world *world) {
    const sn_contact_marks *marks = &sn_contacts_of(world)->marks;
    return marks->on && (marks->asked || is_needed(world));
}

/* ---- Life ---- */

static void drop_scratch(void *state, sn_memory *memory) {
    sn_contacts *contacts = state;
    sn_rigid_memory_write(contacts);
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++) {
        sn_contact_set_free(&contacts->set[kind], memory);
        sn_contact_set_free(&contacts->old[kind], memory);
    }
    sn_collider_contacts_free(&contacts->collider, memory);
    sn_triangle_contacts_free(&contacts->triangle, memory);
    sn_rigid_contacts_free(&contacts->rigid, memory);
    sn_surface_contacts_free(contacts->surface, memory);
    sn_limiter_free(&contacts->limiter, memory);
    sn_untangle_free(&contacts->untangle, memory);
    *contacts = (sn_contacts){.marks = contacts->marks, .memory = contacts->memory};
}

static void free_state(void *state, sn_memory *memory) {
    sn_contact_marks *marks = &((sn_contacts *)state)->marks;
    drop_scratch(state, memory);
    sn_rigid_memory_free(&((sn_contacts *)state)->memory, memory);
    sn_free(memory, marks->node, marks->capacity, sizeof *marks->node);
}

/* ---- Finding ---- */

static bool plan_marks(sn_step *step) {
    return sn_contact_marks_plan(step->world, step->remembers);
}

/* What is written to snapshots changes only when nothing can fail any more. */
static void planned(sn_step *step, bool success) {
    if (success) sn_contact_marks_planned(step->world);
    sn_rigid_memory_planned(step->world, success);
}

/* Nodes on colliders first: they find where the colliders are for all. */
static bool find_pairs(sn_step *step, int rank) {
    for (int kind = SN_CONTACT_KINDS - 1; kind >= 0; kind--) {
        const sn_contact_group *group = group_at(kind);
        if (group && group->find == rank && !group->plan(step->world, step->dt, step->h))
            return false;
    }
    return true;
}

static bool find_surface_pairs(sn_step *step) {
    return find_pairs(step, SN_RANK_SURFACES);
}

static bool find_collider_pairs(sn_step *step) {
    return find_pairs(step, SN_RANK_SHAPES) && sn_contact_events_reserve(step->world, 0) &&
           sn_contact_impulses_reserve(step->world);
}

static void detect(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    sn_contacts *contacts = sn_contacts_of(step->world);
    contacts->recovered =
        step->substep == 0 || atomic_load_explicit(&contacts->recovers, memory_order_relaxed);
    atomic_store_explicit(&contacts->recovers, false, memory_order_relaxed);
    for (int kind = SN_CONTACT_KINDS - 1; kind >= 0; kind--)
        if (group_at(kind)) group_at(kind)->detect(step->world, &substep);
    if (step->remembers) sn_contact_impulses_begin(step->world);
}

/* ---- Answering ---- */

static void untangle(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    sn_untangle_apply(step->world, &substep);
}

static void project(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    bool first = step->iteration == 0;
    bool last = step->iteration + 1 == step->world->settings.iterations;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (group_at(kind)) group_at(kind)->project(step->world, &substep, first, last);
}

static void relax(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    if (step->iteration + 1 == step->world->settings.iterations)
        sn_rigid_contact_end_sweep(step->world, &substep, true);
}

static void hold_triangles(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    sn_triangle_contact_hold(step->world, &substep);
}

static void limit_motion(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    sn_limiter_apply(step->world, &substep);
}

static void limit_separation(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    sn_limit_separation_velocity(step->world, &substep);
}

static void strike(sn_step *step) {
    sn_surface_restitution_strike(step->world, step->h);
}

static void recover(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    if (!atomic_load_explicit(&sn_contacts_of(step->world)->recovers, memory_order_relaxed)) return;
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (group_at(kind)) group_at(kind)->recover(step->world, &substep);
}

static void mark(sn_step *step) {
    sn_contact_marks_update(step->world, step->remembers, step->h);
}

static void bounce(sn_step *step) {
    sn_substep substep = sn_step_substep(step);
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (group_at(kind) && group_at(kind)->bounces(step->world))
            group_at(kind)->bounce(step->world, &substep);
}

static void end(sn_step *step) {
    for (int kind = 0; kind < SN_CONTACT_KINDS; kind++)
        if (group_at(kind) && group_at(kind)->end) group_at(kind)->end(step->world);
    sn_rigid_blocks_tell(step->world);
    sn_contact_events_end(step->world);
    sn_rigid_memory_keep(step->world);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OBJECTS, "contact marks", SN_TIMER(prepare), .plan = plan_marks},
    {SN_STAGE_FIND, SN_RANK_SURFACES, "find surface pairs", SN_TIMER(find),
     .plan = find_surface_pairs, .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES,
     .parallel = true},
    {SN_STAGE_FIND, SN_RANK_SHAPES, "find collider pairs", SN_TIMER(find),
     .plan = find_collider_pairs,
     .reads = SN_STATE_POSITIONS | SN_STATE_VELOCITIES | SN_STATE_COLLIDERS, .parallel = true},
    {SN_STAGE_DETECT, 0, "detect contacts", SN_TIMER(find), is_needed, detect,
     .reads = SN_STATE_POSITIONS | SN_STATE_COLLIDERS, .writes = SN_STATE_CONTACTS,
     .parallel = true},
    {SN_STAGE_PROJECT, SN_RANK_CONTACT, "untangle", SN_TIMER(contact), sn_surface_contact_is_needed,
     untangle, .reads = SN_STATE_POSITIONS | SN_STATE_CONTACTS, .writes = SN_STATE_POSITIONS},
    {SN_STAGE_PROJECT, SN_RANK_CONTACT, "project contacts", SN_TIMER(contact), is_needed, project,
     .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_COLLIDERS | SN_STATE_CONTACTS,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_CONTACTS, .parallel = true},
    {SN_STAGE_PROJECT, SN_RANK_TARGET, "relax contacts", SN_TIMER(contact),
     sn_rigid_contact_is_needed, relax,
     .reads = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_CONTACTS,
     .writes = SN_STATE_POSITIONS | SN_STATE_FRAMES | SN_STATE_CONTACTS, .parallel = true},
    {SN_STAGE_LIMIT, 0, "hold triangles", SN_TIMER(contact), sn_triangle_contact_is_needed,
     hold_triangles, .reads = SN_STATE_POSITIONS | SN_STATE_COLLIDERS | SN_STATE_CONTACTS,
     .writes = SN_STATE_POSITIONS, .parallel = true},
    {SN_STAGE_LIMIT, 0, "limit motion", SN_TIMER(contact), sn_surface_contact_is_needed,
     limit_motion, .reads = SN_STATE_POSITIONS | SN_STATE_CONTACTS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
    {SN_STAGE_LIMIT, 0, "limit separation velocity", SN_TIMER(contact),
     sn_surface_contact_is_needed, limit_separation,
     .reads = SN_STATE_POSITIONS | SN_STATE_CONTACTS, .writes = SN_STATE_POSITIONS},
    {SN_STAGE_LIMIT, 0, "take recovery out", SN_TIMER(contact), is_needed, recover,
     .reads = SN_STATE_POSITIONS | SN_STATE_COLLIDERS | SN_STATE_CONTACTS,
     .writes = SN_STATE_POSITIONS | SN_STATE_CONTACTS, .parallel = true},
    {SN_STAGE_LIMIT, 1, "strike", SN_TIMER(contact), sn_surface_contact_bounces, strike,
     .reads = SN_STATE_POSITIONS | SN_STATE_CONTACTS, .writes = SN_STATE_CONTACTS},
    {SN_STAGE_LIMIT, 1, "mark contacts", SN_TIMER(contact), is_marked, mark,
     .reads = SN_STATE_CONTACTS, .writes = SN_STATE_VELOCITIES},
    {SN_STAGE_VELOCITIES, SN_RANK_RESTITUTION, "restitution", SN_TIMER(contact), bounces, bounce,
     .idle = does_not_bounce, .reads = SN_STATE_CONTACTS, .writes = SN_STATE_VELOCITIES,
     .parallel = true},
    {SN_STAGE_END, SN_RANK_CONTACTS, "contact events", SN_TIMER(contact), .run = end,
     .reads = SN_STATE_CONTACTS, .parallel = true},
};

const sn_system sn_contact_system = {
    .name = "contact",
    .size = sizeof(sn_contacts),
    .free = free_state,
    .drop_scratch = drop_scratch,
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .planned = planned,
    .serialize_nodes = sn_contact_marks_serialize,
    .serialize = sn_rigid_memory_serialize,
};
