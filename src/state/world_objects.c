/* What is in every world, whatever its systems. */
#include "state/object.h"

const sn_object *const sn_world_objects[SN_WORLD_OBJECTS] = {&sn_body_object, &sn_settings_object,
                                                             &sn_node_object};
