/* What tests of contact are built from: floors, inclines, balls, blocks, and looking at them. */
#ifndef SINEW_TESTS_CONTACT_STAND_H
#define SINEW_TESTS_CONTACT_STAND_H

#include <sinew/sinew.h>

#define STAND_G 9.81
#define STAND_DT (1.0 / 60)

/* A world with gravity along -y. */
sn_world *stand_world(int substeps);
/* A plane that is turned about the z axis: it falls towards +x. */
sn_collider stand_incline(sn_world *world, double angle, double still, double slides);
/* A node without a body. */
sn_node stand_node(sn_world *world, sn_vec3 position, double mass, double radius);
/* A body with one full ball that rolls, of a material. */
sn_node stand_ball(sn_world *world, sn_vec3 position, double mass, double radius,
                   sn_material material);
/* A sheet of cloth, or a block of a solid, that lies with its middle above the origin of an
   incline. */
sn_build stand_cloth(sn_world *world, double angle, double size, int cells);
sn_build stand_block(sn_world *world, double angle, double size, int cells, double density);

/* Steps of STAND_DT. */
void stand_run(sn_world *world, double seconds);
sn_node_def stand_look(sn_world *world, sn_node node);
/* The means over all nodes, weighed by nothing: m and m/s along the incline. */
double stand_place(sn_world *world, double angle);
double stand_speed(sn_world *world, double angle);

#endif
