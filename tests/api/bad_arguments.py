#!/usr/bin/env python3
"""Writes a C program that calls every public function with every kind of bad argument.

The functions and their parameters are read from the headers, so that none is missing: a parameter
that this script has no good argument for is an error. All arguments but one are good; the call must
fail with the result for that kind of badness, leave a sentence, and change nothing. Functions that
change a world are also called from inside a step, where they are refused.
"""

import pathlib
import re
import sys

# Parameters that may be null, by what the headers say about them.
OPTIONAL = {
    "sn_mesh_divide.embedding", "sn_rod_frames.scales",
    "sn_world_create.def", "sn_nodes_create.nodes", "sn_constraints_create.constraints",
    "sn_constraint_evaluate.gradient", "sn_surface_bend.constraints", "sn_replay_file.report",
    "sn_replay_file_part.report",
    "sn_body_set_field.count", "sn_body_scale_field.count",
    "sn_world_add_force_field.user", "sn_world_remove_force_field.user",
    "sn_world_set_wind.wind", "sn_world_set_wind.user",
    "sn_mesh_add_vertices.positions", "sn_mesh_weld.changes", "sn_mesh_clean.changes",
    "sn_build_body.nodes", "sn_sew.seams", "sn_animation_target_set_targets.normals",
    "sn_sdf_sample.gradient", "sn_tet_mesh_cut.copies", "sn_sheet_cut.copies", "sn_body_cut.lines",
    "sn_sheet_set_air.lift", "sn_grab_end.velocity", "sn_collider_set_carrier.node",
    "sn_blend_bind.orientations", "sn_blend_apply.normals",
    "sn_blend_apply_scaled.normals", "sn_blend_apply_scaled.scales", "sn_blend_apply_tets.normals",
    *(f"sn_query_{what}.filter"
      for what in "cast cast_all overlap_sphere overlap_box closest".split()),
}

# Good arguments by function and parameter, by name, and by type.
GOOD = {
    "sn_user_def_default.type": "user_type", "sn_type_by_name.name": '"distance"',
    "sn_world_type_by_name.name": '"distance"', "sn_snapshot_load.data": "snapshot",
    "sn_snapshot_load.size": "snapshot_size", "sn_snapshot_save.buffer": "room",
    "sn_snapshot_save.capacity": "sizeof room", "sn_constraint_create.def": "&distance_def",
    "sn_constraint_set.def": "&distance_def", "sn_constraint_get.def": "&distance_def",
    "sn_constraints_create.defs": "&distance_def", "sn_nodes_destroy.nodes": "&node",
    "sn_rod_pin.nodes": "&node", "sn_rod_frames.nodes": "&node",
    "sn_type_default.def": "room", "path_a": '"bad_arguments.snap"',
    "path_b": '"bad_arguments.snap"', "a": "snapshot", "b": "snapshot", "size_a": "0",
    "size_b": "0", "name": '"rest_length"', "path": '"bad_arguments.snap"',
    "sn_kind_by_name.name": '"cloth"', "sn_preset_get.name": '"rubber"',
    "sn_build_body.material": "&solid", "material": "(void *)room",
    "sn_mesh_add_group.name": '"pinned"', "sn_mesh_copy.copy": "&empty",
    **{f"sn_generate_{what}.mesh": "&empty"
       for what in "grid sheet panel disc box sphere cylinder torus rope helix ring spline "
                   "strands block".split()},
    "sn_sheet_set_edge_strength.ends": "corners", "sn_sheet_set_edge_strength.edges": "1",
    "sn_lines_cut.ends": "corners", "sn_lines_cut.lines": "1",
    "sn_animation_target_get.i": "0",
    "sn_mesh_report_remark.i": "0", "sn_mesh_report_remark.text": "(char *)room",
    "sn_generate_strands.surface": "&mesh",
    "sn_generate_spline.points": "line_points", "sn_generate_spline.count": "2",
    "sn_mesh_fill.tets": "&empty", "sn_mesh_fill.surface": "&mesh",
    "sn_embed.embedding": "&unfilled",
    "sn_mesh_divide.fine": "&empty", "sn_mesh_divide.embedding": "&unfilled",
    "sn_mesh_divide.divisions": "2",
    "sn_blend_bind.blend": "&unbound", "sn_blend_bind_tets.blend": "&unbound",
    "sn_blend_apply_tets.blend": "&tet_blend", "most": "1",
    "sn_sdf_create.field": "&no_field", "sn_sdf_get.field": "distances",
    "sn_sdf_sample.field": "distances",
    "sn_query_create.query": "&no_query",
    "sn_world_set_wind.wind": "NULL", "sn_hierarchy_level_nodes.level": "1",
    "sn_shape_matching_get_region.index": "0", "sn_fluid_get_particle.index": "0",
    "sn_diffusion_set_value.index": "0", "sn_diffusion_get_value.index": "0",
    "sn_replay_file_part.from": "0", "sn_replay_file_part.steps": "1",
    "user": "NULL", "field": "force_field", "slot": "0", "count": "1", "capacity": "1",
    "source_count": "1", "nearest": "1",
}
GOOD_TYPES = {
    "sn_world *": "world", "const sn_world *": "world", "sn_node": "node", "sn_body": "body",
    "sn_constraint": "constraint", "sn_damping_group": "damping_group", "sn_collider": "collider",
    "sn_material": "1", "bool": "true",
    "const sn_contact_pair_def *": "&pair_def", "sn_contact_pair_def *": "&pair_def",
    "const sn_collider_def *": "&collider_def", "sn_collider_def *": "&collider_def",
    "sn_collision_surface": "collision_surface",
    "const sn_collision_surface_def *": "&collision_surface_def",
    "sn_collision_surface_def *": "&collision_surface_def",
    "sn_hierarchy": "hierarchy", "const sn_hierarchy_def *": "&hierarchy_def",
    "sn_hierarchy_def *": "&hierarchy_def",
    "sn_shape_matching": "shape_matching", "const sn_shape_matching_def *": "&matching_def",
    "sn_shape_matching_def *": "&matching_def", "sn_regions *": "&regions",
    "sn_crowd": "crowd", "const sn_crowd_def *": "&crowd_def", "sn_crowd_def *": "&crowd_def",
    "sn_dough": "dough", "const sn_dough_def *": "&dough_def", "sn_dough_def *": "&dough_def",
    "sn_dough_measures *": "&dough_measures",
    "sn_finite_elements": "finite_elements",
    "const sn_finite_elements_def *": "&finite_elements_def",
    "sn_finite_elements_def *": "&finite_elements_def",
    "sn_sheet_regions": "SN_SHEET_REGIONS_ELEMENTS",
    "sn_emitter": "emitter", "const sn_emitter_def *": "&emitter_def",
    "sn_emitter_def *": "&emitter_def", "sn_emitter_measures *": "&emitter_measures",
    "sn_drain": "drain", "const sn_drain_def *": "&drain_def", "sn_drain_def *": "&drain_def",
    "sn_air_mesh": "air_mesh", "const sn_air_mesh_def *": "&air_mesh_def",
    "sn_air_mesh_def *": "&air_mesh_def", "sn_air_mesh_state *": "&air_mesh_state",
    "sn_diffusion": "diffusion", "const sn_diffusion_def *": "&diffusion_def",
    "sn_diffusion_def *": "&diffusion_def", "sn_diffusion_measures *": "&diffusion_measures",
    "sn_source": "source", "const sn_source_def *": "&source_def", "sn_source_def *": "&source_def",
    "const sn_period_def *": "&period_def", "sn_period_def *": "&period_def",
    "sn_effector": "effector", "const sn_effector_def *": "&effector_def",
    "sn_effector_def *": "&effector_def",
    "sn_wrinkle_mesh": "wrinkle_mesh", "const sn_wrinkle_mesh_def *": "&wrinkle_mesh_def",
    "sn_wrinkle_mesh_def *": "&wrinkle_mesh_def",
    "sn_hair": "hair", "const sn_hair_def *": "&hair_def", "sn_hair_def *": "&hair_def",
    "const sn_strands_def *": "&strands_def", "const sn_helix_def *": "&helix_def",
    "sn_tet_mesh": "tet_mesh", "const sn_tet_mesh_def *": "&tet_mesh_def",
    "sn_tet_mesh_def *": "&tet_mesh_def",
    "const sn_blade_def *": "&blade_def",
    "sn_fluid": "fluid", "const sn_fluid_def *": "&fluid_def", "sn_fluid_def *": "&fluid_def",
    "sn_drag": "drag", "const sn_drag_def *": "&drag_def", "sn_drag_def *": "&drag_def",
    "sn_sheet": "sheet", "const sn_sheet_def *": "&sheet_def", "sn_sheet_def *": "&sheet_def",
    "sn_type": "SN_TYPE_DISTANCE",
    "sn_vec3": "(sn_vec3){1, 2, 3}", "sn_quat": "(sn_quat){0, 0, 0, 1}", "sn_real": "1",
    "uint32_t": "1", "const sn_node_def *": "&node_def", "const sn_body_def *": "&body_def",
    "sn_node_def *": "&node_def", "sn_body_def *": "&body_def",
    "sn_damping_group_def *": "&damping_group_def",
    "const sn_damping_group_def *": "&damping_group_def", "const sn_settings *": "&settings",
    "sn_settings *": "&settings", "const sn_world_def *": "&world_def",
    "const sn_user_type_def *": "&type_def", "const sn_surface *": "&surface",
    "const sn_vertex_bending_def *": "&bending_def", "const sn_real *": "reals",
    "sn_kind": "SN_KIND_SOLID", "const sn_build_def *": "&build_def",
    "const sn_build *": "&built", "double": "1",
    "sn_mesh_report *": "&report", "const sn_mesh_report *": "&report",
    "sn_mesh *": "&mesh", "const sn_mesh *": "&mesh", "const sn_vec3 *": "&origin",
    "const uint32_t *": "corner", "const sn_grid_def *": "&grid_def",
    "const sn_sheet_mesh_def *": "&sheet_mesh_def", "const sn_panel_def *": "&panel_def",
    "const sn_disc_def *": "&disc_def", "const sn_box_def *": "&box_def",
    "const sn_sphere_def *": "&sphere_def", "const sn_cylinder_def *": "&cylinder_def",
    "const sn_torus_def *": "&torus_def", "const sn_block_def *": "&block_def",
    "const sn_fill_def *": "&fill_def", "const sn_sdf_def *": "&field_def",
    "const sn_embedding *": "&embedding", "const sn_blend *": "&blend",
    "const sn_quat *": "&upright",
    "const sn_query *": "query", "sn_query *": "query", "const sn_cast_def *": "&cast_def",
    "const sn_filter_def *": "&filter_def",
    "const sn_hit *": "&hit", "const sn_grab_def *": "&grab_def", "sn_grab": "grab",
    "const sn_rigid_def *": "&rigid_def",
    "const sn_attach_def *": "&attach_def", "const sn_sew_def *": "&sew_def",
    "sn_animation_target": "animation_target",
    "const sn_animation_target_def *": "&animation_target_def",
    "const sn_animation_target_vertex *": "&animation_target_vertex",
}
IDS = {"sn_node", "sn_body", "sn_constraint", "sn_damping_group", "sn_collider",
       "sn_collision_surface", "sn_sheet",
       "sn_animation_target", "sn_hierarchy", "sn_shape_matching", "sn_tet_mesh", "sn_drag",
       "sn_fluid", "sn_hair", "sn_wrinkle_mesh", "sn_air_mesh",
       "sn_crowd", "sn_dough", "sn_finite_elements", "sn_emitter", "sn_drain",
       "sn_diffusion", "sn_source", "sn_effector"}
VERSIONED = re.compile(r"sn_(\w+_def|settings) \*$")


def parameters(text):
    """Type and name of each."""
    found = []
    for part in text.split(","):
        part = re.sub(r"\s+", " ", part).strip()
        # A pointer to arrays is a pointer.
        part = re.sub(r"\(\*(\w+)\)\[\d\]$", r"**\1", part)
        match = re.match(r"(.*?)(\w+)(\[\w+\])?$", part)
        kind, name, array = match.group(1).strip(), match.group(2), match.group(3)
        found.append((kind + " *" if array else kind, name))
    return found


def functions(include):
    for header in sorted(include.glob("*.h")):
        # Their calls are what failing and reading are made of; the arguments are their callers'.
        if header.name in ("support.h", "archive.h"):
            continue
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        for match in re.finditer(r"SN_API sn_result (\w+)\(([^;]*)\);", text, re.S):
            yield match.group(1), parameters(match.group(2))


def good(function, kind, name):
    if f"{function}.{name}" in GOOD:
        return GOOD[f"{function}.{name}"]
    if name in GOOD and (kind == "size_t") == GOOD[name].isdigit():
        return GOOD[name]
    if kind in GOOD_TYPES:
        return GOOD_TYPES[kind]
    if kind.endswith("*") and not kind.startswith("const "):
        return "(void *)room"
    if kind.startswith("const ") and kind.endswith("**"):
        return "(void *)room"
    sys.exit(f"{function}: there is no good argument for {kind} {name}")


def bad(function, kind, name):
    """Pairs of a bad argument and the result it must give."""
    if kind.endswith("*"):
        if f"{function}.{name}" not in OPTIONAL:
            yield "NULL", "SN_ERROR_NULL"
        if kind.startswith("const ") and VERSIONED.search(kind):
            yield "(void *)unsized", "SN_ERROR_DEFINITION"
    elif kind in IDS:
        what = kind[3:]
        if f"{function}.{name}" not in OPTIONAL:
            yield f"({kind}){{0, 0, 0}}", "SN_ERROR_ID"
        yield f"({kind}){{1000000, 1, {what}.world}}", "SN_ERROR_ID"
        yield f"stale_{what}", "SN_ERROR_STALE"
        yield f"foreign_{what}", "SN_ERROR_FOREIGN"
    elif kind in ("sn_vec3", "sn_quat"):
        for i in range(3 if kind == "sn_vec3" else 4):
            for value in ("NAN", "INFINITY", "-INFINITY"):
                numbers = ["1"] * (3 if kind == "sn_vec3" else 4)
                numbers[i] = f"(sn_real){value}"
                yield f"({kind}){{{', '.join(numbers)}}}", "SN_ERROR_VALUE"
    elif kind == "sn_real":
        signed = f"{function}.{name}" == "sn_diffusion_set_value.value"
        for value in ("NAN", "INFINITY", "-INFINITY") + (() if signed else ("-1",)):
            yield f"(sn_real){value}", "SN_ERROR_VALUE"
    elif kind == "sn_material":
        for value in ("256", "UINT32_MAX"):
            yield value, "SN_ERROR_VALUE"
    elif kind == "sn_type":
        for value in ("-1", "SN_TYPE_COUNT", "999", "1063", "1000000"):
            yield f"(sn_type){value}", "SN_ERROR_VALUE"
    elif kind == "sn_kind":
        for value in ("-1", "SN_KIND_COUNT", "1000000"):
            yield f"(sn_kind){value}", "SN_ERROR_VALUE"
    elif name == "slot":
        yield "SIZE_MAX", "SN_ERROR_ID"


def main():
    include = pathlib.Path(sys.argv[1])
    cases, locked = [], []
    for function, params in functions(include):
        args = [good(function, kind, name) for kind, name in params]
        for i, (kind, name) in enumerate(params):
            for value, result in bad(function, kind, name):
                call = f"{function}({', '.join(args[:i] + [value] + args[i + 1:])})"
                cases.append(f"    CASE({call}, {result})")
        if params[0][0] == "sn_world *":
            locked.append(f"    CASE({function}({', '.join(args)}), SN_ERROR_LOCKED)")
    pathlib.Path(sys.argv[2]).write_text(
        "#define BAD_ARGUMENTS \\\n" + " \\\n".join(cases) + "\n"
        "#define LOCKED_CALLS \\\n" + " \\\n".join(locked) + "\n")
    print(f"{len(cases)} bad arguments, {len(locked)} calls from inside a step")


main()
