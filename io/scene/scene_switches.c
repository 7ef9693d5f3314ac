/*
 * What is switched on and off at times: constraints, seams and attachments.
 *
 * A track has the times and whom they are about. Where a track stands follows from the number of
 * the frame alone, and what was switched is in snapshots, so that a run that goes on from one does
 * the same. Attachments that are made later are found by what they join (scene_bonds.c).
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

static sn_result read_switches(sn_scene *s, const json_node *list, scene_track *track) {
    track->count = list ? list->count : 0;
    if (track->count == 0) return SN_OK;
    track->items = sn_scene_take(s, track->count, sizeof *track->items);
    if (!track->items) return SN_ERROR_MEMORY;
    for (size_t i = 0; i < track->count; i++) {
        scene_switch *item = &track->items[i];
        SN_TRY(sn_scene_read(&s->reader, &list->items[i], &sn_scene_switch_object, item));
        if (i > 0 && !(item->time > track->items[i - 1].time))
            return sn_scene_complain(&s->reader, &list->items[i],
                                     "its time is %g s, expected more than the %g s before",
                                     (double)item->time, (double)track->items[i - 1].time);
    }
    return SN_OK;
}

/* What broke or was removed is passed by. */
static sn_result set_all(sn_scene *s, const scene_track *track, bool enabled) {
    if (track->attachment)
        return sn_scene_switch_attachment(s, &s->attachments.items[track->attachment - 1], enabled);
    for (size_t i = 0; i < track->constraint_count; i++)
        if (sn_constraint_is_valid(s->world, track->constraints[i]))
            SN_TRY(sn_constraint_set_enabled(s->world, track->constraints[i], enabled));
    return SN_OK;
}

sn_result sn_scene_add_track(sn_scene *s, const scene_switch_part *part, const scene_track *whom) {
    if (part->enabled && !part->switches) return SN_OK;
    scene_track *track = SCENE_ADD(s->tracks);
    if (!track) return SN_ERROR_MEMORY;
    *track = *whom;
    track->enabled = part->enabled;
    SN_TRY(read_switches(s, part->switches, track));
    return part->enabled ? SN_OK : set_all(s, track, false);
}

/* Whether something is switched in this frame, or was made in it. */
static bool is_due(const sn_scene *s, const scene_track *track, int frame) {
    for (size_t i = 0; i < track->count; i++)
        if (sn_scene_begins(s, frame, track->items[i].time)) return true;
    if (!track->attachment) return false;
    const scene_attachment_part *part = &s->attachments.items[track->attachment - 1].part;
    return part->from > 0 && sn_scene_begins(s, frame, part->from);
}

sn_result sn_scene_act_switches(sn_scene *s, int frame) {
    for (size_t k = 0; k < s->tracks.count; k++) {
        const scene_track *track = &s->tracks.items[k];
        bool enabled = track->enabled;
        if (!is_due(s, track, frame)) continue;
        for (size_t i = 0; i < track->count; i++)
            if (sn_scene_is_reached(s, frame, track->items[i].time))
                enabled = track->items[i].enabled;
        SN_TRY(set_all(s, track, enabled));
    }
    return SN_OK;
}
