/*
 * Cuts of a scene: planes at a time, and blades that move by keys. A blade cuts what it has passed
 * over since the frame before; what moved away under it meanwhile is caught by the frame before
 * that, which it passes over once more.
 */
#include "io/scene/scene_state.h"

#include <sinew/support.h>

sn_result sn_scene_build_cut(sn_scene *s, const json_node *node) {
    scene_cut_part part = {.blade = sn_blade_def_default()};
    SN_TRY(sn_scene_read(&s->reader, node, &s->tables.cut, &part));
    const scene_body *body = sn_scene_find_body(s, part.body);
    if (!body && sn_scene_is_broken(s, part.body)) return SN_ERROR_DATA;
    if (!body)
        return sn_scene_complain(&s->reader, sn_json_member(node, "body"),
                                 "there is no body \"%.64s\"", part.body);
    bool lines = body->kind == SN_KIND_ROPE || body->kind == SN_KIND_ROD;
    if (body->build.sheet.slot == 0 && body->build.tet_mesh.slot == 0 && !lines)
        return sn_scene_complain(&s->reader, sn_json_member(node, "body"),
                                 "is \"%.64s\", expected a solid, a cloth, a rod or a rope",
                                 part.body);
    scene_cut *cut = SCENE_ADD(s->cuts);
    if (!cut) return SN_ERROR_MEMORY;
    *cut = (scene_cut){.source = node, .part = part, .body = (size_t)(body - s->bodies.items)};
    cut->path.part.pivot = part.pivot;
    cut->path.part.interpolation = part.interpolation;
    cut->part.blade.kind = part.keys ? SN_BLADE_SWEEP : SN_BLADE_PLANE;
    return part.keys ? sn_scene_read_keys(s, part.keys, &cut->path) : SN_OK;
}

static sn_result cut_body(sn_scene *s, const scene_cut *cut, const sn_blade_def *blade) {
    const scene_body *body = &s->bodies.items[cut->body];
    const sn_build *build = &body->build;
    sn_result result = SN_OK;
    if (sn_tet_mesh_is_valid(s->world, build->tet_mesh))
        result = sn_tet_mesh_cut(s->world, build->tet_mesh, blade, NULL);
    else if (sn_sheet_is_valid(s->world, build->sheet))
        result = sn_sheet_cut(s->world, build->sheet, blade, NULL);
    else if (build->sheet.slot == 0 && build->tet_mesh.slot == 0)
        result = sn_body_cut(s->world, build->body, blade, NULL);
    if (result == SN_OK || result == SN_ERROR_MEMORY) return result;
    return sn_scene_complain_within(&s->reader, cut->source);
}

/* Whether the blade has moved; then what it has passed over. */
static bool sweep(const sn_scene *s, const scene_cut *cut, int frame, sn_blade_def *blade) {
    const scene_key *keys = cut->path.keys;
    double fps = s->run.fps, from = (frame - 2) / fps, to = frame / fps;
    double first = (double)keys[0].time, last = (double)keys[cut->path.key_count - 1].time;
    if (to <= first || from >= last) return false;
    const sn_vec3 ends[2] = {cut->part.start, cut->part.end};
    for (int k = 0; k < 2; k++) {
        blade->from[k] = sn_scene_point_at(&cut->path, from, ends[k]);
        blade->to[k] = sn_scene_point_at(&cut->path, to, ends[k]);
    }
    return true;
}

sn_result sn_scene_act_cuts(sn_scene *s, int frame) {
    for (size_t i = 0; i < s->cuts.count; i++) {
        const scene_cut *cut = &s->cuts.items[i];
        sn_blade_def blade = cut->part.blade;
        bool due = cut->path.keys ? sweep(s, cut, frame, &blade)
                                  : sn_scene_begins(s, frame, cut->part.time);
        if (due) SN_TRY(cut_body(s, cut, &blade));
    }
    return SN_OK;
}
