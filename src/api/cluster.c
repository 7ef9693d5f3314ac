/* The public calls on clusters. */
#include "api/call.h"
#include "api/check.h"

sn_cluster_def sn_cluster_def_default(void) {
    return (sn_cluster_def){.size = sizeof(sn_cluster_def)};
}

static sn_result check_damping(sn_real damping) {
    return sn_check_real("cluster", "damping", damping, 0, (double)SN_REAL_MAX, false, "1/s");
}

/* Nodes that there are, and each of them once. */
static sn_result check_members(sn_world *world, const sn_cluster_def *def) {
    for (size_t i = 0; i < def->node_count; i++) {
        sn_result result = sn_check_node(world, def->nodes[i]);
        if (result != SN_OK)
            return sn_fail_within(result, "cluster node %zu of %zu", i, def->node_count);
    }
    size_t slots = world->nodes.slots.count;
    uint8_t *seen = sn_allocate(&world->memory, slots, sizeof *seen);
    if (!seen) return SN_ERROR_MEMORY;
    size_t i = 0;
    while (i < def->node_count && !seen[def->nodes[i].slot - 1]++) i++;
    sn_free(&world->memory, seen, slots, sizeof *seen);
    if (i == def->node_count) return SN_OK;
    return sn_fail(SN_ERROR_DEGENERATE,
                   "cluster: node %zu of %zu is node %u again, expected each once", i,
                   def->node_count, def->nodes[i].slot - 1);
}

/* Clusters join the bodies of their nodes. */
static void wake_members(sn_world *world, uint32_t index) {
    const sn_cluster_members *members = &world->clusters.members[index];
    world->sleep.joints_changed = true;
    for (size_t i = 0; i < members->count; i++)
        sn_world_wake_body(world, world->nodes.body[members->node[i].slot - 1]);
}

sn_result sn_cluster_create(sn_world *world, const sn_cluster_def *def, sn_cluster *cluster) {
    SN_CHECK_WORLD(world);
    SN_CHECK_POINTER(def);
    SN_CHECK_POINTER(cluster);
    SN_TRY(sn_check_size("cluster", def->size, sizeof *def));
    SN_TRY(check_damping(def->damping));
    if (def->node_count == 0)
        return sn_fail(SN_ERROR_VALUE, "cluster: node_count is 0, expected at least 1");
    SN_CHECK_POINTER(def->nodes);
    /* Each node once, so more than there are cannot be right, and is not read. */
    if (def->node_count > world->nodes.slots.live)
        return sn_fail(SN_ERROR_LIMIT, "cluster: node_count is %zu, but the world has %zu nodes",
                       def->node_count, world->nodes.slots.live);
    SN_TRY(check_members(world, def));
    uint32_t index;
    if (!sn_clusters_add(&world->clusters, &world->memory, def, &index)) return SN_ERROR_MEMORY;
    wake_members(world, index);
    *cluster = (sn_cluster){index + 1, world->clusters.slots.generation[index], world->tag};
    SN_RECORD(world, CLUSTER_CREATE, .items = def->nodes, .count = def->node_count,
              .number = {def->damping});
    return SN_OK;
}

sn_result sn_cluster_destroy(sn_world *world, sn_cluster cluster) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_cluster(world, cluster));
    wake_members(world, cluster.slot - 1);
    sn_clusters_remove(&world->clusters, &world->memory, cluster.slot - 1);
    SN_RECORD(world, CLUSTER_DESTROY, .id = SN_ID(cluster));
    return SN_OK;
}

bool sn_cluster_is_valid(const sn_world *world, sn_cluster cluster) {
    return world && sn_slots_has(&world->clusters.slots, SN_ID(cluster), world->tag);
}

sn_result sn_cluster_set_damping(sn_world *world, sn_cluster cluster, sn_real damping) {
    SN_CHECK_WORLD(world);
    SN_TRY(sn_check_cluster(world, cluster));
    SN_TRY(check_damping(damping));
    world->clusters.members[cluster.slot - 1].damping = damping;
    wake_members(world, cluster.slot - 1);
    SN_RECORD(world, CLUSTER_DAMPING, .id = SN_ID(cluster), .number = {damping});
    return SN_OK;
}

sn_result sn_cluster_get(const sn_world *world, sn_cluster cluster, sn_cluster_def *def) {
    SN_CHECK_POINTER(world);
    SN_CHECK_POINTER(def);
    SN_TRY(sn_check_cluster(world, cluster));
    const sn_cluster_members *members = &world->clusters.members[cluster.slot - 1];
    *def = sn_cluster_def_default();
    def->nodes = members->node;
    def->node_count = members->count;
    def->damping = members->damping;
    return SN_OK;
}
