/* What a node is defined by. */
#include "state/object.h"

#include <sinew/node.h>

/* As recordings have them; the body is an id, which they write themselves. */
static const sn_object_column columns[] = {
    {"oriented", {"oriented"}, SN_ARCHIVE_U8, 0, NULL},
    {"position", {"position"}, 0, 0, NULL},
    {"velocity", {"velocity"}, 0, 0, NULL},
    {"inverse_mass", {"inverse_mass"}, 0, 0, NULL},
    {"radius", {"radius"}, 0, 0, NULL},
    {"orientation", {"orientation"}, 0, 0, "oriented"},
    {"angular_velocity", {"angular_velocity"}, 0, 0, "oriented"},
    {"inverse_inertia", {"inverse_inertia"}, 0, 0, "oriented"},
    {"group", {"group"}, 0, 0, NULL},
};

SN_DEFINE_OBJECT(node, SN_NODE_FIELDS, "node", "a particle, or a small rigid body",
                 .columns = columns, .column_count = sizeof columns / sizeof *columns)
