/* What tests of contact are built from: floors, inclines, balls, blocks, and looking at them. */
#ifndef SINEW_TESTS_CONTACT_SETUPS_H
#define SINEW_TESTS_CONTACT_SETUPS_H

#include <sinew/sinew.h>

#define SETUP_G 9.81
#define SETUP_DT (1.0 / 60)

/* A world with gravity along -y. */
sn_world *setup_world(int substeps);
/* A plane that is turned about the z axis: it falls towards +x. */
sn_collider setup_incline(sn_world *world, double angle, double still, double slides);
/* A node without a body. */
sn_node setup_node(sn_world *world, sn_vec3 position, double mass, double radius);
/* A body with one full ball that rolls, of a material. */
sn_node setup_ball(sn_world *world, sn_vec3 position, double mass, double radius,
                   sn_material material);
/* A sheet of cloth, or a block of a solid, that lies with its middle above the origin of an
   incline. */
sn_build setup_cloth(sn_world *world, double angle, double size, int cells);
sn_build setup_block(sn_world *world, double angle, double size, int cells, double density);

/* Steps of SETUP_DT. */
void setup_run(sn_world *world, double seconds);
sn_node_def setup_look(sn_world *world, sn_node node);
/* The means over all nodes, weighed by nothing: m and m/s along the incline. */
double setup_place(sn_world *world, double angle);
double setup_speed(sn_world *world, double angle);

#endif
