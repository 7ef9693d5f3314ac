/* Effectors of a scene: force fields, whose places and strengths may change while it runs. */
#include "io/scene/scene_state.h"

sn_result sn_scene_build_effector(sn_scene *s, const json_node *node) {
    scene_effector_part part = {.def = sn_effector_def_default()};
    scene_change whom = {.of = SCENE_OF_EFFECTOR};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.effector, &part));
    SN_TRY(sn_scene_read_mask(s, part.groups, &part.def.mask));
    sn_result result = sn_effector_create(s->world, &part.def, &whom.effector);
    if (result == SN_ERROR_MEMORY) return result;
    if (result != SN_OK) return sn_scene_complain_within(&s->reader, node);
    return sn_scene_note_changes(s, node, &s->tables.effector, NULL, &whom);
}
