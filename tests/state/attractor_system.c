/*
 * An attractor: XPBD with C = x - point, all three rows of it at once.
 *
 *   dlambda = -(C + alpha lambda) / (w + alpha),  x += w dlambda,  alpha = compliance / h^2
 *
 * Each node is there once and belongs to one thread, so their number does not matter.
 */
#include "attractor.h"

#include "api/call.h"
#include "api/check.h"
#include "math/vector.h"
#include "state/serialize.h"

/* Nodes that one thread projects before others are worth waking. */
enum { NODES_ALONE = 16 };

attractor *attractor_of(const sn_world *world) {
    for (size_t i = 0; i < world->bindings.systems.count; i++)
        if (world->bindings.systems.system[i] == &attractor_system) return world->system_state[i];
    return NULL;
}

/* ---- What it is defined by ---- */

SN_DEFINE_OBJECT(attractor, ATTRACTOR_FIELDS, "attractor", "springs from nodes to a point",
                 .check = NULL)
static const sn_object *const objects[] = {&sn_attractor_object};

/* ---- Calls ---- */

#define CALLS(CALL, OWN)                                                                           \
    CALL(SET, "attractor_set", SN_PART_DEF, 0, &sn_attractor_object,                               \
         attractor_set(world, call->def))                                                          \
    CALL(ADD, "attractor_add", SN_PART_ID, 0, NULL,                                                \
         attractor_add(world, SN_ID_AS(sn_node, call->id)))
SN_DEFINE_CALLS(attractor, CALLS, .next = NULL)

sn_result attractor_set(sn_world *world, const sn_attractor_def *def) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_object_check(&sn_attractor_object, def));
    attractor *a = attractor_of(world);
    a->def = *def;
    for (size_t k = 0; k < a->count; k++) sn_world_wake_node(world, a->node[k]);
    SN_RECORD(world, SET, .def = def);
    return SN_OK;
}

sn_result attractor_add(sn_world *world, sn_node node) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_node(world, node));
    attractor *a = attractor_of(world);
    for (size_t k = 0; k < a->count; k++)
        if (a->node[k] == node.slot - 1)
            return sn_fail(SN_ERROR_VALUE, "attractor: node %u is pulled already", node.slot - 1);
    if (!sn_reserve(&world->memory, (void **)&a->node, &a->capacity, a->count + 1, sizeof *a->node))
        return SN_ERROR_MEMORY;
    a->node[a->count++] = node.slot - 1;
    world->sleep.joints_changed = world->sleep.changed = true;
    sn_world_wake_node(world, node.slot - 1);
    SN_RECORD(world, ADD, .id = SN_ID(node));
    return SN_OK;
}

/* ---- The step ---- */

static bool is_needed(const sn_world *world) {
    const attractor *a = attractor_of(world);
    return a->count > 0 && !a->def.idle;
}

static bool reserve(sn_step *step) {
    attractor *a = attractor_of(step->world);
    return sn_reserve(&step->world->memory, (void **)&a->lambda, &a->lambda_capacity, a->count,
                      sizeof *a->lambda);
}

static void pull_range(void *context, size_t begin, size_t end) {
    const sn_step *step = context;
    const sn_world *world = step->world;
    const sn_nodes *nodes = &world->nodes;
    const sn_real *w = sn_world_masses(world).w;
    attractor *a = attractor_of(world);
    sn_real alpha = (sn_real)((double)a->def.compliance / (step->h * step->h));
    for (size_t k = begin; k < end; k++) {
        uint32_t i = a->node[k];
        sn_v4 *lambda = (sn_v4 *)&a->lambda[k], *d = (sn_v4 *)&nodes->d[i];
        if (step->iteration == 0) *lambda = (sn_v4){0, 0, 0, 0};
        if (!(w[i] > 0) || sn_sleep_has(&world->sleep, nodes->body[i])) continue;
        /* Before the small displacement, which would be lost far from the origin. */
        sn_v4 c = (*(const sn_v4 *)&nodes->x[i] - sn_v4_of(a->def.point)) + *d;
        sn_v4 change = (c + alpha * *lambda) * (-1 / (w[i] + alpha));
        *lambda += change;
        *d += w[i] * change;
    }
}

static void pull(sn_step *step) {
    sn_team_run(step->world->bindings.team, attractor_of(step->world)->count, NODES_ALONE,
                pull_range, step);
}

static const sn_stage_entry stages[] = {
    {SN_STAGE_PLAN, SN_RANK_OBJECTS, "attractor", SN_TIMER(prepare), is_needed, .plan = reserve},
    {SN_STAGE_PROJECT, SN_RANK_REGION, "attractor", SN_TIMER(project), is_needed, pull,
     .reads = SN_STATE_POSITIONS | SN_STATE_PARAMETERS, .writes = SN_STATE_POSITIONS,
     .parallel = true},
};

/* ---- Nodes that sleep and go ---- */

static void join(const sn_world *world, sn_visit_nodes *visit, void *context) {
    const attractor *a = attractor_of(world);
    for (size_t k = 1; k < a->count; k++) visit(context, a->node[0], a->node[k]);
}

static void forget_nodes(sn_world *world) {
    attractor *a = attractor_of(world);
    size_t kept = 0;
    for (size_t k = 0; k < a->count; k++)
        if (world->nodes.slots.alive[a->node[k]] != SN_DOOMED) a->node[kept++] = a->node[k];
    a->count = kept;
}

/* ---- Snapshots ---- */

/* As if a stranger had written it: nodes that are there, each once. */
static void check_read(const sn_world *world, sn_archive *archive) {
    const attractor *a = attractor_of(world);
    for (size_t k = 0; k < a->count && archive->result == SN_OK; k++) {
        uint32_t i = a->node[k];
        bool good = i < world->nodes.slots.count && world->nodes.slots.alive[i];
        for (size_t other = 0; other < k; other++) good = good && a->node[other] != i;
        if (!good) sn_archive_fail(archive, "node %u is not there, or twice", i);
    }
}

/* Worlds without anything to pull write no section, so that their bytes are those of a world that
   does not know the system. */
static void serialize(sn_world *world, sn_archive *archive) {
    attractor *a = attractor_of(world);
    if (archive->reading ? !sn_archive_is_next(archive, "attract") : a->count == 0) return;
    sn_archive_section(archive, "attract");
    size_t count = archive->reading ? sn_archive_count(archive, "node") : a->count;
    if (archive->reading && count > world->nodes.slots.count)
        sn_archive_fail(archive, "%zu nodes are pulled, of %zu", count, world->nodes.slots.count);
    if (archive->reading && archive->result == SN_OK &&
        sn_serialize_had(archive, sn_reserve(&world->memory, (void **)&a->node, &a->capacity, count,
                                             sizeof *a->node)))
        a->count = count;
    if (archive->result == SN_OK) {
        sn_archive_column(archive, "node", SN_ARCHIVE_U32, a->node, count);
        sn_object_serialize(&sn_attractor_object, archive, &a->def, sizeof a->def, 1, 0);
    }
    if (archive->reading && archive->result == SN_OK) check_read(world, archive);
    sn_archive_section_end(archive);
}

static void release(void *state, sn_memory *memory) {
    attractor *a = state;
    sn_free(memory, a->node, a->capacity, sizeof *a->node);
    sn_free(memory, a->lambda, a->lambda_capacity, sizeof *a->lambda);
}

const sn_system attractor_system = {
    .name = "attractor",
    .size = sizeof(attractor),
    .stages = stages,
    .stage_count = sizeof stages / sizeof *stages,
    .objects = objects,
    .object_count = 1,
    .calls = &sn_attractor_calls,
    .free = release,
    .join = join,
    .forget_nodes = forget_nodes,
    .serialize = serialize,
};
