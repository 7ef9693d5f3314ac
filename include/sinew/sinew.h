/*
 * Sinew: position based dynamics as one C library. This header includes all of it.
 */
#ifndef SINEW_SINEW_H
#define SINEW_SINEW_H

#include <sinew/air_mesh.h>
#include <sinew/animation_target.h>
#include <sinew/archive.h>
#include <sinew/attach.h>
#include <sinew/audit.h>
#include <sinew/base.h>
#include <sinew/build.h>
#include <sinew/collider.h>
#include <sinew/collision_surface.h>
#include <sinew/constraint.h>
#include <sinew/contact.h>
#include <sinew/crowd.h>
#include <sinew/cut.h>
#include <sinew/damping_group.h>
#include <sinew/diffusion.h>
#include <sinew/dough.h>
#include <sinew/drag.h>
#include <sinew/effector.h>
#include <sinew/emitter.h>
#include <sinew/field.h>
#include <sinew/finite_elements.h>
#include <sinew/fluid.h>
#include <sinew/generate.h>
#include <sinew/grab.h>
#include <sinew/graph.h>
#include <sinew/hair.h>
#include <sinew/hierarchy.h>
#include <sinew/mesh.h>
#include <sinew/node.h>
#include <sinew/period.h>
#include <sinew/principal.h>
#include <sinew/query.h>
#include <sinew/recording.h>
#include <sinew/rigid.h>
#include <sinew/shape_matching.h>
#include <sinew/sheet.h>
#include <sinew/skinning.h>
#include <sinew/snapshot.h>
#include <sinew/support.h>
#include <sinew/surface.h>
#include <sinew/tear.h>
#include <sinew/tet_mesh.h>
#include <sinew/user.h>
#include <sinew/volume.h>
#include <sinew/world.h>
#include <sinew/wrinkle_mesh.h>

#endif
