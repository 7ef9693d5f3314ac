/* Bodies whose fibres contract. */
#include "io/scene/scene_rows.h"

static const scene_field pulse_fields[] = {
    REAL("time", scene_pulse, time, "s", 0, MAX, NULL, "when; keys are in order"),
    REAL("activation", scene_pulse, activation, "1", 0, 1, NULL, "of its fibres then")};
const scene_object sn_scene_pulse_object =
    PLAIN("pulse", "how active a muscle is at a time", pulse_fields);

static const scene_field muscle_fields[] = {
    FIELD(TEXT, "body", scene_muscle_part, body, NULL, "which has fibres"),
    PART(LIST, "keys", scene_muscle_part, keys, &sn_scene_pulse_object, NULL,
         "how active it is when"),
    CHOICE("interpolation", scene_muscle_part, interpolation, SCENE_INTERPOLATIONS, "\"linear\"",
           SCENE_INTERPOLATIONS_MEANING),
    FIELD(BOOL, "repeat", scene_muscle_part, repeat, "false", "after the last key, begin again")};
const scene_object sn_scene_muscle_object =
    PLAIN("muscle", "a body whose fibres contract over time", muscle_fields);
