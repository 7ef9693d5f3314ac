/*
 * One section per kind of object, one column per quantity, in the order in which the parts refer to
 * each other: settings, bodies, nodes, frames, history of the integrator, constraints with a
 * section per constraint type, colliders, collision surfaces, contact materials, sleep, and then
 * what every system serializes of its own (state/system.h).
 *
 * Everything that can be made from the rest is left out and made anew: coefficients, colour masks,
 * drives by node, inertias. Constraints come colour by colour in the order in which they lie there,
 * so that a loaded world sums in the order of the saved one.
 */
#include "state/serialize.h"
#include "state/system.h"

#include "base/error.h"

bool sn_serialize_had(sn_archive *a, bool room) {
    if (!room && a->result == SN_OK) a->result = SN_ERROR_MEMORY;
    return room;
}

void sn_serialize_check_once(sn_world *world, sn_archive *a, const sn_slots *slots,
                             sn_nth_node *nth, const char *kind) {
    if (!a->reading || a->result != SN_OK || slots->count == 0) return;
    size_t nodes = world->nodes.slots.count;
    uint8_t *taken = sn_allocate(&world->memory, nodes + 1, sizeof *taken);
    if (!sn_serialize_had(a, taken != NULL)) return;
    sn_node node;
    for (size_t i = 0; i < slots->count; i++)
        for (size_t k = 0; slots->alive[i] && a->result == SN_OK && nth(world, i, k, &node); k++) {
            if (taken[node.slot])
                sn_archive_fail(a, "%s %zu has node %u, which is in one already", kind, i,
                                node.slot);
            taken[node.slot] = 1;
        }
    sn_free(&world->memory, taken, nodes + 1, sizeof *taken);
}

void sn_serialize_check_flags(sn_archive *a, const char *name, const uint8_t *flag, size_t count) {
    for (size_t i = 0; i < count && a->result == SN_OK; i++)
        if (flag[i] > 1) sn_archive_fail(a, "%s %zu is %u, expected 0 or 1", name, i, flag[i]);
}

void sn_serialize_nodes(sn_world *world, sn_archive *a, sn_node *node, size_t count,
                        const char *what, size_t i) {
    const sn_slots *slots = &world->nodes.slots;
    sn_archive_cursor cursor = sn_archive_open(a, "node", SN_ARCHIVE_U32, count);
    if (count > 0) sn_archive_run(a, &cursor, &node->slot, sizeof *node, 1, count);
    for (size_t k = 0; a->reading && k < count && a->result == SN_OK; k++) {
        uint32_t slot = node[k].slot;
        if (slot == 0 || slot > slots->count || !slots->alive[slot - 1])
            sn_archive_fail(a, "%s %zu has node %u, which there is none of", what, i, slot);
        else
            node[k] = (sn_node){slot, slots->generation[slot - 1], world->tag};
    }
}

/* ---- Settings and time ---- */

static void serialize_scale(sn_archive *a, sn_scale *s) {
    sn_archive_double(a, "scale_h", &s->h);
    sn_archive_int(a, "scale_model", (int *)&s->model, SN_MODEL_XPBD, SN_MODEL_PBD);
    sn_archive_int(a, "scale_iterations", &s->iterations, 1, INT32_MAX);
    sn_archive_int(a, "scale_solved_in_turn", &s->solved_in_turn, 0, SN_COLOURS);
    sn_archive_int(a, "scale_integrator", (int *)&s->integrator, 0, SN_INTEGRATOR_COUNT - 1);
    /* Where it is another, the integrator has masses of its own too, and what is made with those of
       the nodes before the next step is made anew in it. */
    if (a->reading) s->rate_h = s->damped_h = s->h;
    if (a->result == SN_OK && !(s->h > 0))
        sn_archive_fail(a, "\"scale_h\" is %g, expected above 0", s->h);
}

static void serialize_world(sn_archive *a, sn_world *world) {
    sn_archive_section(a, "world");
    sn_object_serialize(&sn_settings_object, a, &world->settings, sizeof world->settings, 1,
                        SIZE_MAX);
    sn_object_check_read(&sn_settings_object, a, &world->settings, SIZE_MAX);
    serialize_scale(a, &world->scale);
    sn_archive_double(a, "time", &world->time);
    sn_archive_double(a, "carry", &world->carry);
    sn_archive_column(a, "steps", SN_ARCHIVE_U64, &world->steps, 1);
    bool touched = a->reading ? sn_archive_has(a, "contact_time") : world->contacts.count > 0;
    if (a->reading) world->contact_time = 0;
    if (touched) sn_archive_double(a, "contact_time", &world->contact_time);
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i]->serialize_world)
            world->bindings.systems.system[i]->serialize_world(world, a);
    sn_archive_section_end(a);
    if (a->result == SN_OK && !(world->carry >= 0))
        sn_archive_fail(a, "\"carry\" is %g, expected at least 0", world->carry);
}

/* ---- Slots ---- */

/* Slots given back are dead, and none is there twice: marks are put on them and taken off. */
static void check_slots(sn_archive *a, sn_slots *s) {
    for (size_t i = 0; i < s->count && a->result == SN_OK; i++) {
        if (s->alive[i] > 1 || (s->alive[i] && s->generation[i] == 0))
            sn_archive_fail(a, "slot %zu is alive %u times in generation %u", i, s->alive[i],
                            s->generation[i]);
        s->live += s->alive[i] == 1;
    }
    size_t marked = 0;
    for (; marked < s->spares && a->result == SN_OK; marked++) {
        uint32_t i = s->spare[marked];
        if (i >= s->count || s->alive[i] || s->generation[i] == UINT16_MAX)
            sn_archive_fail(a, "spare slot %zu is slot %u, expected one that is free", marked, i);
        else
            s->alive[i] = 2;
    }
    for (size_t i = 0; i < s->count; i++)
        if (s->alive[i] == 2) s->alive[i] = 0;
}

void sn_serialize_slots(sn_archive *a, sn_slots *s, sn_memory *memory, size_t most) {
    if (a->reading) {
        s->count = sn_archive_count(a, "generation");
        s->spares = sn_archive_count(a, "spare");
        if (s->count > most || s->spares > s->count)
            sn_archive_fail(a, "there are %zu slots and %zu spare ones, expected at most %zu",
                            s->count, s->spares, most);
        if (a->result == SN_OK && !sn_serialize_had(a, sn_slots_reserve(s, memory, s->count + 1)))
            return;
    }
    sn_archive_column(a, "generation", SN_ARCHIVE_U16, s->generation, s->count);
    sn_archive_column(a, "alive", SN_ARCHIVE_U8, s->alive, s->count);
    sn_archive_column(a, "spare", SN_ARCHIVE_U32, s->spare, s->spares);
    if (a->reading && a->result == SN_OK) check_slots(a, s);
    if (a->result != SN_OK && a->reading) s->count = s->spares = s->live = 0;
}

bool sn_serialize_kept(sn_world *world, sn_archive *a, const char *section, sn_slots *slots,
                       void **state, size_t *capacity, size_t element) {
    if (a->reading ? !sn_archive_is_next(a, section) : slots->count == 0) return false;
    sn_archive_section(a, section);
    sn_serialize_slots(a, slots, &world->memory, UINT32_MAX - 1);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, state, capacity, slots->count + 1, element));
    sn_archive_section_end(a);
    return true;
}

void sn_serialize_waiting(sn_world *world, sn_archive *a, const sn_waiting_list *l) {
    if (a->reading ? !sn_archive_is_next(a, l->section) : *l->count == 0) return;
    sn_archive_section(a, l->section);
    if (a->reading) {
        size_t n = sn_archive_count(a, l->member[0].name);
        if (n > l->most)
            sn_archive_fail(a, "%s: %zu of %zu wait for the next step", l->section, n, l->most);
        if (a->result == SN_OK)
            sn_serialize_had(a, sn_reserve(&world->memory, l->array, l->capacity, n, l->element));
        *l->count = a->result == SN_OK ? n : 0;
    }
    const size_t count = *l->count;
    for (size_t i = 0; count > 0 && i < l->members; i++)
        sn_archive_member(a, l->member[i].name, l->member[i].kind,
                          (uint8_t *)*l->array + l->member[i].offset, l->element, 1, count);
    if (a->reading && a->result == SN_OK) l->check(world, a);
    if (a->reading && a->result != SN_OK) *l->count = 0;
    sn_archive_section_end(a);
}

/* ---- Bodies ---- */

static void serialize_bodies(sn_archive *a, sn_world *world) {
    sn_bodies *bodies = &world->bodies;
    sn_archive_section(a, "bodies");
    sn_serialize_slots(a, &bodies->slots, &world->memory, UINT32_MAX - 1);
    size_t count = bodies->slots.count, stride = sizeof *bodies->def;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&bodies->def, &bodies->capacity,
                                       count + 1, stride));
    if (a->result == SN_OK && count > 0)
        sn_object_serialize(&sn_body_object, a, bodies->def, stride, count, 0);
    sn_archive_section_end(a);
}

/* ---- Nodes ---- */

static void check_nodes(sn_archive *a, const sn_world *world) {
    const sn_nodes *n = &world->nodes;
    for (size_t i = 0; i < n->slots.count && a->result == SN_OK; i++) {
        uint32_t body = n->body[i];
        if (!(n->w[i] >= 0) || !(n->radius[i] >= 0))
            sn_archive_fail(a, "node %zu has the inverse mass %g and the radius %g", i,
                            (double)n->w[i], (double)n->radius[i]);
        else if (body > world->bodies.slots.count || (body && !world->bodies.slots.alive[body - 1]))
            sn_archive_fail(a, "node %zu belongs to body %u, which there is none of", i, body);
        else if (!n->slots.alive[i] && (body || n->frame[i] || n->w[i] > 0))
            sn_archive_fail(a, "slot %zu is empty but has a body, a frame or a mass", i);
    }
}

/* Finds the drives of the nodes. */
static void check_drives(sn_archive *a, sn_nodes *n, size_t drives) {
    for (size_t i = 0; i < drives && a->result == SN_OK; i++) {
        uint32_t node = n->drive[i].node;
        if (n->drive[i].has_target > 1 || node >= n->slots.count || !n->slots.alive[node] ||
            n->driven[node] || n->w[node] > 0)
            sn_archive_fail(a, "drive %zu is of node %u, expected a kinematic node", i, node);
        else
            n->driven[node] = (uint32_t)i + 1;
    }
    if (a->result == SN_OK) n->drives = drives;
}

static void serialize_drives(sn_archive *a, sn_world *world) {
    sn_nodes *n = &world->nodes;
    size_t drives = a->reading ? sn_archive_count(a, "drive") : n->drives,
           stride = sizeof *n->drive;
    if (a->reading && drives > n->slots.count)
        sn_archive_fail(a, "there are %zu drives for %zu nodes", drives, n->slots.count);
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_reserve(&world->memory, (void **)&n->drive, &n->drive_capacity,
                                       drives + 1, stride));
    if (a->result != SN_OK || drives == 0) return;
    sn_drive *first = n->drive;
    sn_archive_member(a, "drive", SN_ARCHIVE_U32, &first->node, stride, 1, drives);
    sn_archive_member(a, "drive_has_target", SN_ARCHIVE_U8, &first->has_target, stride, 1, drives);
    sn_archive_member(a, "drive_target", SN_ARCHIVE_REAL, &first->target, stride, 3, drives);
    sn_archive_member(a, "drive_from", SN_ARCHIVE_REAL, &first->from, stride, 3, drives);
    sn_archive_member(a, "drive_velocity", SN_ARCHIVE_REAL, &first->velocity, stride, 3, drives);
    bool rides = sn_archive_has(a, "drive_collider");
    for (size_t i = 0; !a->reading && i < drives; i++) rides = rides || n->drive[i].collider > 0;
    if (rides) {
        sn_archive_member(a, "drive_collider", SN_ARCHIVE_U32, &first->collider, stride, 1, drives);
        sn_archive_member(a, "drive_point", SN_ARCHIVE_REAL, &first->point, stride, 3, drives);
    }
    if (a->reading && a->result == SN_OK) check_drives(a, n, drives);
}

static void serialize_nodes(sn_archive *a, sn_world *world) {
    sn_nodes *n = &world->nodes;
    sn_archive_section(a, "nodes");
    sn_serialize_slots(a, &n->slots, &world->memory, SN_MOST_NODES - 1);
    size_t count = n->slots.count;
    if (a->reading && a->result == SN_OK)
        sn_serialize_had(a, sn_nodes_reserve(n, &world->memory, count + 1));
    if (a->result == SN_OK) {
        sn_archive_vectors(a, "x", n->x, count, 3);
        sn_archive_vectors(a, "d", n->d, count, 3);
        sn_archive_vectors(a, "p", n->p, count, 3);
        sn_archive_vectors(a, "v", n->v, count, 3);
        sn_archive_vectors(a, "force", n->force, count, 3);
        sn_archive_column(a, "w", SN_ARCHIVE_REAL, n->w, count);
        sn_archive_column(a, "radius", SN_ARCHIVE_REAL, n->radius, count);
        sn_archive_column(a, "group", SN_ARCHIVE_U32, n->group, count);
        sn_archive_column(a, "body", SN_ARCHIVE_U32, n->body, count);
        sn_archive_column(a, "frame", SN_ARCHIVE_U32, n->frame, count);
        sn_archive_flag(a, "has_forces", &n->has_forces);
    }
    for (size_t i = 0; i < world->bindings.systems.count && a->result == SN_OK; i++)
        if (world->bindings.systems.system[i]->serialize_nodes)
            world->bindings.systems.system[i]->serialize_nodes(world, a);
    if (a->reading && a->result == SN_OK) check_nodes(a, world);
    serialize_drives(a, world);
    sn_archive_section_end(a);
}

/* ---- Frames ---- */

bool sn_serialize_is_unit(sn_vec4 q) {
    double square = (double)q.x * (double)q.x + (double)q.y * (double)q.y +
                    (double)q.z * (double)q.z + (double)q.w * (double)q.w;
    return square > 0.99 && square < 1.01;
}

static void check_frame(sn_archive *a, sn_world *world, size_t i) {
    sn_frames *f = &world->frames;
    uint32_t node = f->node[i];
    bool alive = f->slots.alive[i];
    if (alive && (node >= world->nodes.slots.count || world->nodes.frame[node] != i + 1))
        sn_archive_fail(a, "frame %zu is of node %u, which has another", i, node);
    else if (!sn_serialize_is_unit(f->q[i]) || !sn_serialize_is_unit(f->start[i]) ||
             (f->aimed[i] == SN_AIMED && !sn_serialize_is_unit(f->target[i])))
        sn_archive_fail(a, "frame %zu has an orientation that is no unit quaternion", i);
    else if (f->aimed[i] > SN_ARRIVED || !(f->w[i].x >= 0) || !(f->w[i].y >= 0) ||
             !(f->w[i].z >= 0))
        sn_archive_fail(a, "frame %zu has an inverse inertia below 0 or no such aim", i);
    else
        sn_frames_set_w(f, (uint32_t)i, (sn_vec3){f->w[i].x, f->w[i].y, f->w[i].z});
}

static sn_real largest(sn_vec4 a) {
    sn_real most = a.x > a.y ? a.x : a.y;
    return most > a.z ? most : a.z;
}

/* Half axes, where nodes are ellipsoids: all three above 0, with the radius of the node the largest
   of them, or none. */
static void serialize_radii(sn_archive *a, sn_world *world, size_t count) {
    sn_frames *f = &world->frames;
    bool any = a->reading ? sn_archive_has(a, "radii") : f->ellipsoids > 0;
    for (size_t i = 0; a->reading && i < count; i++) f->radii[i] = (sn_vec4){0, 0, 0, 0};
    if (any) sn_archive_vectors(a, "radii", f->radii, count, 3);
    f->ellipsoids = a->reading ? 0 : f->ellipsoids;
    for (size_t i = 0; a->reading && a->result == SN_OK && i < count; i++) {
        sn_vec4 r = f->radii[i];
        bool none = r.x == 0 && r.y == 0 && r.z == 0;
        bool whole = r.x > 0 && r.y > 0 && r.z > 0 && f->slots.alive[i] &&
                     f->node[i] < world->nodes.slots.count &&
                     world->nodes.radius[f->node[i]] == largest(r);
        f->ellipsoids += whole;
        if (!none && !whole)
            sn_archive_fail(a, "frame %zu has the half axes %g, %g, %g, expected three above 0", i,
                            (double)r.x, (double)r.y, (double)r.z);
    }
}

static void check_frames(sn_archive *a, sn_world *world) {
    const sn_nodes *n = &world->nodes;
    for (size_t i = 0; i < n->slots.count && a->result == SN_OK; i++)
        if (n->frame[i] > world->frames.slots.count ||
            (n->frame[i] && !world->frames.slots.alive[n->frame[i] - 1]))
            sn_archive_fail(a, "node %zu has frame %u, which there is none of", i, n->frame[i]);
    for (size_t i = 0; i < world->frames.slots.count && a->result == SN_OK; i++)
        check_frame(a, world, i);
}

static void serialize_frames(sn_archive *a, sn_world *world) {
    sn_frames *f = &world->frames;
    sn_archive_section(a, "frames");
    /* Slots come last into their place: reserving frames counts from those that are there. */
    if (a->reading) {
        size_t count = sn_archive_count(a, "generation");
        if (count > world->nodes.slots.count)
            sn_archive_fail(a, "there are %zu frames for %zu nodes", count,
                            world->nodes.slots.count);
        if (a->result == SN_OK && count > 0)
            sn_serialize_had(a, sn_frames_reserve(f, &world->memory, count));
        sn_slots slots = f->slots;
        f->slots = (sn_slots){0};
        sn_slots_free(&slots, &world->memory);
    }
    sn_serialize_slots(a, &f->slots, &world->memory, SN_MOST_NODES - 1);
    size_t count = f->slots.count;
    if (a->result == SN_OK) {
        sn_archive_vectors(a, "q", f->q, count, 4);
        sn_archive_vectors(a, "start", f->start, count, 4);
        sn_archive_vectors(a, "omega", f->omega, count, 3);
        sn_archive_vectors(a, "turn", f->turn, count, 3);
        sn_archive_vectors(a, "w", f->w, count, 3);
        sn_archive_vectors(a, "torque", f->torque, count, 3);
        sn_archive_vectors(a, "target", f->target, count, 4);
        sn_archive_column(a, "aimed", SN_ARCHIVE_U8, f->aimed, count);
        sn_archive_column(a, "node", SN_ARCHIVE_U32, f->node, count);
        sn_archive_flag(a, "has_torques", &f->has_torques);
    }
    if (a->result == SN_OK) serialize_radii(a, world, count);
    if (a->reading && a->result == SN_OK) check_frames(a, world);
    sn_archive_section_end(a);
}

/* ---- What the integrator remembers ---- */

/* A flag per body; beyond what there is room for, it is 0. */
static void serialize_flags(sn_archive *a, const char *name, uint8_t *flag, size_t capacity,
                            size_t count) {
    sn_archive_filled(a, name, SN_ARCHIVE_U8, flag, 1, 1, capacity, count);
    if (a->reading) sn_serialize_check_flags(a, name, flag, count);
}

/* Older snapshots have none: what turned goes on as if nothing had pushed it. */
static void serialize_turns(sn_archive *a, sn_history *h, size_t frames) {
    if (a->reading && !sn_archive_has(a, "turn_s")) return;
    sn_archive_filled(a, "turn_s", SN_ARCHIVE_REAL, h->turn_s, sizeof *h->turn_s, 3,
                      h->frame_capacity, frames);
    sn_archive_filled(a, "turn_change", SN_ARCHIVE_REAL, h->turn_change, sizeof *h->turn_change, 3,
                      h->frame_capacity, frames);
}

/* Nothing, unless the next substep may go on with it. */
static void serialize_history(sn_archive *a, sn_world *world) {
    sn_history *h = &world->history;
    size_t nodes = world->nodes.slots.count, bodies = world->bodies.slots.count + 1;
    size_t frames = world->frames.slots.count;
    bool used = h->used && world->settings.integrator == world->scale.integrator;
    sn_archive_section(a, "history");
    if (a->reading) used = sn_archive_count(a, "ready") > 0;
    if (a->reading && used && a->result == SN_OK)
        sn_serialize_had(a, sn_history_reserve(h, &world->memory, nodes + 1, frames, bodies));
    if (a->reading) h->used = used;
    if (used && a->result == SN_OK) {
        sn_archive_filled(a, "ready", SN_ARCHIVE_U8, h->ready, 1, 1, h->body_capacity, bodies);
        for (size_t i = 0; a->reading && i < bodies && a->result == SN_OK; i++)
            if (h->ready[i] > SN_HISTORY_LATER)
                sn_archive_fail(a, "ready %zu is %u, expected 0 to %d", i, h->ready[i],
                                SN_HISTORY_LATER);
        serialize_flags(a, "second", h->second, h->body_capacity, bodies);
        serialize_flags(a, "before", h->before, h->body_capacity, bodies);
        sn_archive_filled(a, "s", SN_ARCHIVE_REAL, h->s, sizeof *h->s, 3, h->capacity, nodes);
        sn_archive_filled(a, "change", SN_ARCHIVE_REAL, h->change, sizeof *h->change, 3,
                          h->capacity, nodes);
        serialize_turns(a, h, frames);
        sn_archive_flag(a, "settled", &h->settled);
    }
    sn_archive_section_end(a);
}

void sn_world_serialize(sn_world *world, sn_archive *a) {
    const sn_system_list *systems = &world->bindings.systems;
    serialize_world(a, world);
    serialize_bodies(a, world);
    serialize_nodes(a, world);
    serialize_frames(a, world);
    serialize_history(a, world);
    for (size_t i = 0; i < systems->count; i++)
        if (systems->system[i]->serialize_before) systems->system[i]->serialize_before(world, a);
    sn_world_serialize_constraints(world, a);
    for (size_t i = 0; i < systems->count; i++)
        if (systems->system[i]->serialize) systems->system[i]->serialize(world, a);
    for (size_t i = 0; a->reading && i < systems->count && a->result == SN_OK; i++)
        if (systems->system[i]->check) systems->system[i]->check(world, a);
}

void sn_world_visit_arrays(sn_world *world, sn_visit_array *visit, void *context) {
    sn_archive a;
    sn_archive_visit(&a, visit, context);
    sn_world_serialize(world, &a);
}
