/* What the tests of attachments, seams and animation targets share: small worlds, cloths, and ways
   to look at them. */
#ifndef SINEW_TESTS_API_ATTACHMENT_WORLDS_H
#define SINEW_TESTS_API_ATTACHMENT_WORLDS_H

#include <sinew/sinew.h>

sn_world *attachment_world(int threads, int substeps, double gravity);

/* A single node. */
sn_node attachment_node(sn_world *world, double x, double y, double z, double inverse_mass);

/* A square cloth of `cells` by `cells` over 1 m, flat in the xz plane with its middle at the point,
   whose collision surface meets nothing; `nodes` has room for (cells + 1)^2. */
sn_build attachment_cloth(sn_world *world, uint32_t cells, sn_vec3 at, bool pinned, sn_node *nodes);

sn_vec3 attachment_at(const sn_world *world, sn_node node);
double attachment_distance(sn_vec3 a, sn_vec3 b);

/* Goes on with a snapshot of the world in another one and compares the hashes after some steps. */
void attachment_check_snapshot(sn_world *world, int steps);

#endif
