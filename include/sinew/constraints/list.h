/*
 * The list of constraint types: the one place where a type is registered.
 *
 * Included plainly, it brings in the definitions of all types. Included with SN_LIST_TYPE(lower,
 * upper) defined, it expands that for every type in turn. New types go to the end, so that numbers
 * and snapshots stay valid.
 */
#include <sinew/constraints/distance.h>
#include <sinew/constraints/attachment.h>
#include <sinew/constraints/tet_volume.h>
#include <sinew/constraints/isometric_bending.h>
#include <sinew/constraints/stretch_shear.h>
#include <sinew/constraints/bend_twist.h>
#include <sinew/constraints/frame_attachment.h>
#include <sinew/constraints/dihedral_bending.h>
#include <sinew/constraints/triangle_area.h>
#include <sinew/constraints/vertex_bending.h>
#include <sinew/constraints/surface_volume.h>
#include <sinew/constraints/strain_triangle.h>
#include <sinew/constraints/elastic_triangle.h>
#include <sinew/constraints/strain_limit_triangle.h>
#include <sinew/constraints/tether.h>
#include <sinew/constraints/point_attachment.h>
#include <sinew/constraints/edge_attachment.h>
#include <sinew/constraints/seam.h>
#include <sinew/constraints/neo_hookean_tet.h>
#include <sinew/constraints/corotated_tet.h>
#include <sinew/constraints/shape_match.h>
#include <sinew/constraints/elastic_tet.h>
#include <sinew/constraints/strain_tet.h>
#include <sinew/constraints/fibre_tet.h>
#include <sinew/constraints/offset_attachment.h>
#include <sinew/constraints/edge_seam.h>
#include <sinew/constraints/plate_bending.h>
#include <sinew/constraints/ball_joint.h>
#include <sinew/constraints/fixed_joint.h>
#include <sinew/constraints/hinge_joint.h>
#include <sinew/constraints/slider_joint.h>
#include <sinew/constraints/cylindrical_joint.h>
#include <sinew/constraints/universal_joint.h>
#include <sinew/constraints/planar_joint.h>
#include <sinew/constraints/turn_drive.h>
#include <sinew/constraints/slide_drive.h>
#include <sinew/constraints/distance_joint.h>
#include <sinew/constraints/gear_joint.h>
#include <sinew/constraints/rack_joint.h>
#include <sinew/constraints/wheel_joint.h>
#include <sinew/constraints/pulley.h>
#include <sinew/constraints/exponential_spring.h>
#include <sinew/constraints/orthotropic_tet.h>
#include <sinew/constraints/quadratic_tet.h>
#include <sinew/constraints/ghost_point.h>
#include <sinew/constraints/darboux.h>
#include <sinew/constraints/lace.h>
#include <sinew/constraints/neo_hookean_triangle.h>
