/* What a body is defined by. */
#include "state/object.h"

#include <sinew/node.h>

static const sn_object_column columns[] = {
    {"gravity", {"gravity"}, 0, 0, NULL},
    {"damping", {"damping"}, 0, 0, NULL},
    {"rigid_damping", {"rigid_damping"}, 0, 0, NULL},
    {"material", {"material"}, 0, 1, NULL},
    {"rolls", {"rolls"}, SN_ARCHIVE_U8, 1, NULL},
    {"may_sleep", {"may_sleep"}, SN_ARCHIVE_U8, 2, NULL},
    {"solver", {"solver"}, 0, 3, NULL},
};

SN_DEFINE_OBJECT(body, SN_BODY_FIELDS, "body", "nodes that share gravity, damping and material",
                 .columns = columns, .column_count = sizeof columns / sizeof *columns)
