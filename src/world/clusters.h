/* Clusters: lists of nodes that step/damping.c damps together. */
#ifndef SN_WORLD_CLUSTERS_H
#define SN_WORLD_CLUSTERS_H

#include "base/slots.h"

#include <sinew/cluster.h>

typedef struct sn_cluster_members {
    sn_node *node;
    size_t count, capacity;
    sn_real damping; /* 1/s */
} sn_cluster_members;

typedef struct sn_clusters {
    sn_slots slots;
    sn_cluster_members *members;
    size_t capacity;
} sn_clusters;

/* Adds a cluster with a copy of the list and says where; false when there is no memory. */
bool sn_clusters_add(sn_clusters *clusters, sn_memory *memory, const sn_cluster_def *def,
                     uint32_t *index);
void sn_clusters_remove(sn_clusters *clusters, sn_memory *memory, uint32_t index);
void sn_clusters_free(sn_clusters *clusters, sn_memory *memory);

/* Takes the nodes whose `alive` is this out of all clusters. */
void sn_clusters_forget(sn_clusters *clusters, const uint8_t *alive, uint8_t doomed);

#endif
