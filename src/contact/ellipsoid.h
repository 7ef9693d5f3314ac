/*
 * Ellipsoids: oriented nodes with three half axes, a, b and c along their own axes.
 *
 * Towards a direction n, with n' the same in the frame of the node, an ellipsoid reaches as far as
 *
 *   s(n) = sqrt((a n'x)^2 + (b n'y)^2 + (c n'z)^2)
 *
 * from its centre (Mueller and Chentanez 2011, section 5), and touches a plane across n at the
 * point (a^2 n'x, b^2 n'y, c^2 n'z) / s. The radius of such a node is the largest half axis, so
 * that whatever asks for a ball around it is right. What the ellipsoid lacks of that ball along a
 * direction is all that contacts have to know; worlds without ellipsoids do not ask.
 */
#ifndef SN_CONTACT_ELLIPSOID_H
#define SN_CONTACT_ELLIPSOID_H

#include "collision/collider_pose.h"
#include "math/quaternion.h"

SN_INLINE bool sn_is_ellipsoid(const sn_world *world, size_t node) {
    if (world->frames.ellipsoids == 0 || world->nodes.frame[node] == 0) return false;
    return world->frames.radii[world->nodes.frame[node] - 1].x > 0;
}

/* m: how far half axes reach in a direction of unit length, given in their frame. */
SN_INLINE sn_real sn_ellipsoid_reach(sn_v4 radii, sn_v4 direction) {
    sn_v4 scaled = radii * direction;
    return SN_ROOT(sn_v4_dot(scaled, scaled));
}

/* m, at least 0: what a node lacks of a ball of its radius towards a surface with this normal. */
SN_INLINE sn_real sn_ellipsoid_lack(const sn_world *world, size_t node, sn_v4 normal) {
    if (!sn_is_ellipsoid(world, node)) return 0;
    size_t frame = world->nodes.frame[node] - 1;
    sn_v4 local = sn_quat_rotate_back(sn_v4_load(&world->frames.q[frame]), normal);
    sn_real reach = sn_ellipsoid_reach(sn_v4_load(&world->frames.radii[frame]), local);
    sn_real lack = world->nodes.radius[node] - reach;
    return lack > 0 ? lack : 0;
}

/* m: the most that a node can lack in any direction. */
sn_real sn_ellipsoid_most_lack(const sn_world *world, size_t node);

/* m, in the world: from the centre to where it touches a surface with this normal. */
sn_v4 sn_ellipsoid_arm(const sn_world *world, size_t node, sn_v4 normal);

/* Takes an ellipsoid out of a surface by `deep` (m): turns it where its body rolls, and returns how
   far its centre has to go along the normal. `w` (1/kg) is what contacts see. */
sn_real sn_ellipsoid_push(const sn_world *world, size_t node, sn_real w, sn_v4 normal,
                          sn_real deep);

/* How close pairs with ellipsoids may come in this substep, by how they are when it begins. */
void sn_ellipsoid_limits(sn_world *world);

#endif
