"""What the Python module must know beyond api.json: which of it is for C alone, and what only the
text of the headers says, such as how long an array is."""

# Functions that are not in the module, by a pattern of their names, and why.
FOR_C_ALONE = {
    r"sn_fail|sn_fail_within|sn_suggest|sn_turn|sn_principal_axes|sn_output_path_\w+|sn_archive_\w+":
        "help for libraries that are built on this one",
    r"sn_io_file_\w+": "files of C",
    r"sn_allocator_default": "the module gives worlds its own allocator",
    r"sn_last_error": "is the text of exceptions",
    r"sn_(?!user_def_|type_|kind_)\w+_default": "is what a class begins with: NodeDef()",
    r"sn_(mesh|regions|blend|embedding)_free|sn_scene_text_free": "goes with its object",
    r"sn_world_destroy|sn_query_destroy|sn_sdf_free|sn_scene_close|sn_io_animation_close|"
    r"sn_io_cache_close|sn_io_export_free|sn_io_liquid_destroy|sn_io_smoother_destroy":
        "is the method close() of its object",
    r"sn_picture_\w+|sn_plot_\w+|sn_video_\w+": "pictures are made by show() and by the command",
    r"sn_io_robot_\w+": "robots are parts of scenes",
    r"sn_io_mesh_read_materials|sn_io_materials_free|sn_io_animation_materials":
        "materials of meshes are those of the shapes of frames",
}

# Structs that are not in the module.
STRUCTS_FOR_C_ALONE = {
    "sn_archive", "sn_archive_view", "sn_output_path", "sn_suggestion", "sn_io_file",
    "sn_allocator", "sn_task_system", "sn_user_batch", "sn_force_field_input", "sn_vec3", "sn_vec4",
    "sn_quat", "sn_io_robot", "sn_io_robot_def", "sn_io_robot_link", "sn_io_robot_joint",
    "sn_io_robot_place", "sn_io_robot_parts", "sn_io_materials",
}

# Fields that are not in the module: sizes of structs, memory, threads of the host, how the library
# keeps what it owns, users of callbacks, tables of defaults by component; the length of a text, which
# Python knows; how wide leaves of a lattice may be, a function that is asked at every cube; and the
# materials of a mesh, which only C reads.
FIELDS_FOR_C_ALONE = {
    "size", "allocator", "tasks", "capacity", "form", "user", "log_user", "standards",
    ("sn_scene_def", "length"), ("sn_fill_def", "width"), ("sn_io_write_def", "materials"),
}

# What frees structs that own memory, and what closes what is used by its pointer alone.
OWNERS = {name: f"{name}_free" for name in ("sn_mesh", "sn_regions", "sn_blend", "sn_embedding")}
CLOSERS = {
    "sn_world": "sn_world_destroy", "sn_query": "sn_query_destroy", "sn_sdf": "sn_sdf_free",
    "sn_scene": "sn_scene_close", "sn_io_animation": "sn_io_animation_close",
    "sn_io_cache": "sn_io_cache_close", "sn_io_export": "sn_io_export_free",
    "sn_io_liquid": "sn_io_liquid_destroy",
    "sn_io_smoother": "sn_io_smoother_destroy",
}

# What calls Python for a callback.
TRAMPOLINES = {
    "sn_log": "snpy_call_log", "sn_scene_complaint": "snpy_call_complaint",
    "sn_query_accept": "snpy_call_accept", "sn_user_formula": "snpy_call_formula",
}

# The field that says how many elements an array has, where its name does not follow.
COUNTS = {
    ("sn_io_shape", "triangle_materials"): "triangle_count",
    **{("sn_io_shape", name): "vertex_count"
       for name in ("positions", "velocities", "strain", "radii", "normals", "uvs", "colours")},
    ("sn_blend", "particles"): "count", ("sn_blend", "weights"): "count",
    ("sn_blend", "rest"): "particle_count", ("sn_blend", "orientations"): "particle_count",
    ("sn_mesh", "positions"): "vertex_count", ("sn_embedding", "tets"): "count",
    ("sn_io_staging", "cameras"): "camera_count", ("sn_geometry", "heights"): "points",
    ("sn_sdf_view", "values"): "points", ("sn_regions", "first"): "count",
    ("sn_regions", "members"): "count",
}
LENGTHS = {
    ("sn_geometry", "heights"): ("SNPY_GRID", "points", 2),
    ("sn_sdf_view", "values"): ("SNPY_GRID", "points", 3),
    ("sn_regions", "first"): ("SNPY_FIRSTS", None, 0),
    ("sn_regions", "members"): ("SNPY_MEMBERS", "first", 0),
    ("sn_shape_matching_def", "first"): ("SNPY_FIRSTS", None, 0),
    ("sn_shape_matching_def", "members"): ("SNPY_MEMBERS", "first", 0),
    ("sn_drag_def", "nodes"): ("SNPY_CORNERS", "corners", 0),
    ("sn_blend", "particles"): ("SNPY_CORNERS", "most", 0),
    ("sn_blend", "weights"): ("SNPY_CORNERS", "most", 0),
    ("sn_io_write_def", "uvs"): ("SNPY_GIVEN", None, 0),
    ("sn_io_write_def", "colours"): ("SNPY_GIVEN", None, 0),
}

# Arrays of definitions that are as long as a call needs them: how long, and of what.
NEEDED = {
    "sn_io_mesh_write": ("def", ("uvs", "colours"), "mesh->vertex_count", "vertex of the mesh"),
}

# Numbers per element of arrays of plain numbers.
COLUMNS = {"triangles": 3, "tets": 4, "edges": 2, "segments": 2, "lines": 2, "ends": 2}
PLAIN = {("sn_embedding", "tets"): 1}

# How long arrays of functions are: of results as an expression, of arguments that must fit.
ROOM = {
    ("sn_mesh_normals", "normals"): "mesh->vertex_count",
    ("sn_mesh_tet_volumes", "volumes"): "mesh->tet_count",
    ("sn_mesh_geodesics", "source"):
        "mesh->vertex_count * (nearest <= SN_MESH_NEAREST ? nearest : 0)",
    ("sn_mesh_geodesics", "distance"):
        "mesh->vertex_count * (nearest <= SN_MESH_NEAREST ? nearest : 0)",
    ("sn_mesh_opposites", "opposite"): "mesh->vertex_count",
    ("sn_blend_apply", "points"): "blend->count", ("sn_blend_apply", "normals"): "blend->count",
    ("sn_blend_apply_scaled", "points"): "blend->count",
    ("sn_blend_apply_scaled", "normals"): "blend->count",
    ("sn_rod_frames", "orientations"): "count", ("sn_rod_frames", "scales"): "count",
    ("sn_blend_apply_tets", "points"): "blend->count",
    ("sn_blend_apply_tets", "normals"): "blend->count",
    ("sn_fit_ellipsoids", "orientations"): "count", ("sn_fit_ellipsoids", "radii"): "count",
    ("sn_embedding_apply", "points"): "embedding->count",
    ("sn_io_follow", "followers"): "count",
    ("sn_io_follow_to", "points"): "count", ("sn_io_follow_to", "normals"): "count",
    ("sn_io_animation_sample", "positions"): "sn_io_animation_get_info(animation).vertex_count",
    ("sn_scene_measure", "values"): "sn_scene_column_count(scene)",
    ("sn_nodes_create", "nodes"): "count",
    ("sn_surface_bend", "constraints"): "surface->node_count",
}
FITTING = {
    ("sn_blend_apply", "positions"): "blend->particle_count",
    ("sn_blend_apply", "orientations"): "blend->particle_count",
    ("sn_blend_apply_scaled", "positions"): "blend->particle_count",
    ("sn_blend_apply_scaled", "orientations"): "blend->particle_count",
    ("sn_blend_apply_scaled", "scales"): "blend->particle_count",
    ("sn_blend_apply_tets", "positions"): "blend->particle_count",
    ("sn_io_follow", "positions"): "mesh->vertex_count",
    ("sn_io_smoother_frame", "levels"): "frame->shape_count",
}

# The same of arguments that must reach as far as something points, and may be longer.
ENOUGH = {
    ("sn_embedding_apply", "positions"): "snpy_embedded(embedding)",
    ("sn_io_follow_to", "positions"): "snpy_followed(followers, count)",
}

# Written by hand, in own_calls.c: parameters by their names, how many are needed.
BY_HAND = {
    "sn_type_default": (("type",), 1), "sn_kind_default": (("kind",), 1),
    "sn_preset_get": (("kind", "name"), 2),
    "sn_constraint_create": (("world", "type", "definition"), 3),
    "sn_constraints_create": (("world", "type", "definitions"), 3),
    "sn_constraint_get": (("world", "constraint"), 2),
    "sn_constraint_set": (("world", "constraint", "definition"), 3),
    "sn_constraint_evaluate": (("world", "constraint"), 2),
    "sn_constraint_force": (("world", "constraint"), 2),
    "sn_build_body": (("world", "kind", "material", "definition"), 4),
    "sn_world_add_force_field": (("world", "function"), 2),
    "sn_world_remove_force_field": (("world", "function"), 2),
    "sn_world_set_wind": (("world", "function"), 2),
    "sn_scene_world": (("scene",), 1),
    "sn_mesh_report_remark": (("report", "index"), 2),
    "sn_mesh_find_group": (("mesh", "name"), 2),
    "sn_mesh_check": (("mesh", "weld_distance"), 1),
    "sn_io_animation_mesh": (("animation",), 1), "sn_io_animation_uvs": (("animation",), 1),
    "sn_io_animation_colours": (("animation",), 1),
    "sn_io_mesh_read_colours": (("path", "definition", "mesh"), 3),
    "sn_io_mesh_read_uvs": (("path", "definition", "mesh"), 3),
}

# What they take and give, for the stubs.
FUNCTION = "Callable[..., Any]"
BY_HAND_TYPES = {
    "sn_type_default": (("str | int",), "Any"), "sn_kind_default": (("str | int",), "Any"),
    "sn_preset_get": (("str | int", "str"), "Any"),
    "sn_constraint_create": (("World", "str | int", "Any"), "Constraint"),
    "sn_constraints_create": (("World", "str | int", "Sequence[Any]"), "list[Constraint]"),
    "sn_constraint_get": (("World", "Constraint"), "Any"),
    "sn_constraint_set": (("World", "Constraint", "Any"), "None"),
    "sn_constraint_evaluate": (("World", "Constraint"), "tuple[list[float], list[Any]]"),
    "sn_constraint_force": (("World", "Constraint"), "list[float]"),
    "sn_build_body": (("World", "str | int", "Any", "BuildDef"), "Build"),
    "sn_world_add_force_field": (("World", FUNCTION), "None"),
    "sn_world_remove_force_field": (("World", FUNCTION), "None"),
    "sn_world_set_wind": (("World", FUNCTION + " | None"), "None"),
    "sn_scene_world": (("Scene",), "World"),
    "sn_mesh_report_remark": (("MeshReport", "int"), "str | None"),
    "sn_mesh_find_group": (("Mesh", "str"), "list[int] | None"),
    "sn_mesh_check": (("Mesh", "float"), "MeshReport"),
    "sn_io_animation_mesh": (("IoAnimation",), "Mesh"),
    "sn_io_animation_uvs": (("IoAnimation",), "list[Sequence[float]] | None"),
    "sn_io_animation_colours": (("IoAnimation",), "list[Vec3] | None"),
    "sn_io_mesh_read_colours":
        (("str", "IoReadDef", "Mesh"), "tuple[list[Sequence[float]] | None, list[Vec3] | None]"),
    "sn_io_mesh_read_uvs": (("str", "IoReadDef", "Mesh"), "list[Sequence[float]] | None"),
}

# Calls that run without the lock of the interpreter, and those that move the arrays of nodes.
UNLOCKED = {"sn_world_step", "sn_scene_step", "sn_replay_file", "sn_replay_file_part"}
GROWING = {
    "sn_node_create", "sn_nodes_create", "sn_build_body", "sn_grab_begin", "sn_sheet_split",
    "sn_sheet_cut", "sn_tet_mesh_cut", "sn_snapshot_load", "sn_snapshot_load_file",
    "sn_replay_file", "sn_replay_file_part", "sn_scene_resume", "sn_recording_compare",
}

# Arguments that may be None although they come first.
MAY_BE_NONE = {
    ("sn_world_object_info", "world"), ("sn_scene_schema_of", "world"),
    ("sn_io_mesh_keeps_groups", "format"), ("sn_io_animation_is_format", "format"),
}
