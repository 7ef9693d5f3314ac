/**
 * What is in the second part of the module, which a page loads when a scene asks for it: by the names of
 * source files, and of functions. What only these call follows them. A function that runs for every
 * scene must not be among them; tests/web/package.mjs looks.
 */
const SOURCES = [
    // Joints and what drives them; which of them carry more than sweeps can hold.
    /_(joint|drive)$/,
    /^tree_loads$/,
    // Types of constraints that few materials have.
    /^(strain|elastic|corotated|orthotropic|quadratic|fibre)_tet$/,
    /^(pulley|lace|frame_attachment|strain_triangle|exponential_spring|user|triangle_area|(strain_limit|neo_hookean|elastic)_triangle|ghost_point|darboux)$/,
    // Joints of what is struck and limits that are hit; corners and edges of meshes under bodies; what resists rolling, and what is no ball.
    /^(settle(_struck)?|(rigid_)?crests|rigid_(links|rolling)|ellipsoid)$/,
    // Worlds that repeat themselves, and fluids whose particles have several sizes.
    /^(image_pairs|fluid_sizes)$/,
    // Solvers that few scenes ask for.
    /^(averaged|split|reference)$/,
    // What a module with threads needs, which is in one part.
    /^t(rack_(plan|trial)|hread_trial)$/,
    // Files beside a scene: meshes, robots, animations; and caches, which are played.
    /^(read_.*|mesh_(read|glb|medit|msh|obj|off|ply|stl|tetgen|vtu)|usda|xml|base64)$/,
    /^(urdf|robot_.*|scene_robots|animation_(glb.*|points|usda|follow)|cache.*|(scene|smooth)_groups)$/,
    // Vertices of meshes that follow particles or tets with weights.
    /^blend_skinning$/,
    // Recordings, and drawing what is in a world without a scene.
    /^(replay|recording|world_frame)$/,
    // Where energy goes, for who asks.
    /^audit(_contacts|_nodes|_rows)?$/,
    // Cuts; what tears by itself stays.
    /^cut_(api|blade|divide.*)$/,
    // Systems that few scenes have: what makes one, and what it then does.
    /^(crowd_(api|neighbours)|walk_crowds|wrinkle_(mesh_api|links)|fold_wrinkles)$/,
    /^(air_mesh_(api|links|measure|tessellate)|(flip|project)_air_mesh)$/,
    /^(diffusion_(api|neighbours|sources)|diffuse|bonds)$/,
    /^(hierarchy_(api|levels)|project_hierarchy|coarsen)$/,
    /^(dough_(api|cells)|(damp|flow|match|recluster|resample)_dough)$/,
    /^(finite_elements_api|element_forces|elements_plan|match_elements)$/,
    /^(effector_api|apply_effectors|power|scene_foam_grid|emitter_api|emit)$/,
    /^(shape_matching(_api|s_plan)|match_(shapes.*|fibres)|region_sums.*|regions|fibre_strips|octree_lattice)$/,
];

/** Calls of recordings, wherever they are; sweeps that threads share; joints and torques in trees. */
const NAMES = /^(repeat_|(project_on_tracks|see_joint_turned|sn_trees_take_torques)$)/;

/** Of these files, what is asked of every scene. */
const COMMON = new Set([
    'view_is_cache', 'view_is_recording', 'sn_scene_is_robot', 'sn_path_extension',
    'sn_io_cache_close', 'view_recording_close',
    'sn_wrinkle_mesh_is_valid', 'sn_shape_matchings_are_damped', 'sn_agents_free', 'sn_carriers_free', 'free_carriers',
    'sn_settle_is_possible', 'sn_settle_may_be_struck', 'sn_settle_reserve', 'sn_settle_is_joint', 'sn_settle_is_limit',
    'sn_settle_is_motor', 'has_any', 'count_joints', 'sees_masses', 'is_joint',
    'sn_image_pairs_free', 'sn_fluids_adapt_sizes',
    'sn_ellipsoid_most_lack', 'sn_ellipsoid_limits',
    'sn_rigid_links_reserve', 'sn_rigid_links_free', 'sn_rigid_links_find',
    'sn_rigid_crests_know', 'know_all', 'sn_rigid_crests_stand', 'sn_rigid_crests_place',
    'sn_tracks_plan', 'are_possible', 'sn_thread_trial_end',
    'sn_elements_free', 'sn_io_materials_free', 'free_look', 'sn_audit_is_on',
]);

export function isSecond(source, name) {
    const file = source.replace(/[.]c$/, '');
    return !COMMON.has(name) && (NAMES.test(name) || SOURCES.some((kind) => kind.test(file)));
}
