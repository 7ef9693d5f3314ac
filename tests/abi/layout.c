/*
 * The binary interface on 64-bit machines in float, as assertions. Written by abi.py --update.
 */
#include <sinew/sinew.h>

#if UINTPTR_MAX == UINT64_MAX && !defined(SN_DOUBLE)

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "the size of " #type)
#define OFFSET(type, member, bytes)                                                                \
    _Static_assert(offsetof(type, member) == (bytes), "the place of " #member " in " #type)
#define VALUE(name, number) _Static_assert((name) == (number), "the value of " #name)

SIZE(sn_version, 12);
OFFSET(sn_version, major, 0);
OFFSET(sn_version, minor, 4);
OFFSET(sn_version, patch, 8);

SIZE(sn_vec3, 12);
OFFSET(sn_vec3, x, 0);
OFFSET(sn_vec3, y, 4);
OFFSET(sn_vec3, z, 8);

SIZE(sn_vec4, 16);
OFFSET(sn_vec4, x, 0);
OFFSET(sn_vec4, y, 4);
OFFSET(sn_vec4, z, 8);
OFFSET(sn_vec4, w, 12);

SIZE(sn_quat, 16);
OFFSET(sn_quat, x, 0);
OFFSET(sn_quat, y, 4);
OFFSET(sn_quat, z, 8);
OFFSET(sn_quat, w, 12);

SIZE(sn_allocator, 16);
OFFSET(sn_allocator, reallocate, 0);
OFFSET(sn_allocator, user, 8);

SIZE(sn_task_system, 24);
OFFSET(sn_task_system, start, 0);
OFFSET(sn_task_system, finish, 8);
OFFSET(sn_task_system, user, 16);

SIZE(sn_field_info, 80);
OFFSET(sn_field_info, name, 0);
OFFSET(sn_field_info, unit, 8);
OFFSET(sn_field_info, meaning, 16);
OFFSET(sn_field_info, kind, 24);
OFFSET(sn_field_info, offset, 32);
OFFSET(sn_field_info, least, 40);
OFFSET(sn_field_info, most, 48);
OFFSET(sn_field_info, standard, 56);
OFFSET(sn_field_info, automatic, 64);
OFFSET(sn_field_info, standards, 72);

SIZE(sn_array_info, 64);
OFFSET(sn_array_info, name, 0);
OFFSET(sn_array_info, unit, 8);
OFFSET(sn_array_info, meaning, 16);
OFFSET(sn_array_info, kind, 24);
OFFSET(sn_array_info, width, 32);
OFFSET(sn_array_info, offset, 40);
OFFSET(sn_array_info, count, 48);
OFFSET(sn_array_info, optional, 56);

SIZE(sn_object_info, 64);
OFFSET(sn_object_info, name, 0);
OFFSET(sn_object_info, title, 8);
OFFSET(sn_object_info, meaning, 16);
OFFSET(sn_object_info, def_size, 24);
OFFSET(sn_object_info, field_count, 32);
OFFSET(sn_object_info, fields, 40);
OFFSET(sn_object_info, array_count, 48);
OFFSET(sn_object_info, arrays, 56);

SIZE(sn_settings, 120);
OFFSET(sn_settings, size, 0);
OFFSET(sn_settings, gravity, 8);
OFFSET(sn_settings, substeps, 20);
OFFSET(sn_settings, iterations, 24);
OFFSET(sn_settings, solver, 28);
OFFSET(sn_settings, model, 32);
OFFSET(sn_settings, integrator, 36);
OFFSET(sn_settings, relaxation, 40);
OFFSET(sn_settings, hybrid_colours, 44);
OFFSET(sn_settings, alternate, 48);
OFFSET(sn_settings, damping, 52);
OFFSET(sn_settings, speed_limit, 56);
OFFSET(sn_settings, keep_forces, 60);
OFFSET(sn_settings, friction, 64);
OFFSET(sn_settings, sleep_time, 68);
OFFSET(sn_settings, sleep_speed, 72);
OFFSET(sn_settings, air_density, 76);
OFFSET(sn_settings, wind, 80);
OFFSET(sn_settings, gust_strength, 92);
OFFSET(sn_settings, gust_length, 96);
OFFSET(sn_settings, gust_period, 100);
OFFSET(sn_settings, broad_phase, 104);
OFFSET(sn_settings, plane, 108);
OFFSET(sn_settings, split_colours, 112);
OFFSET(sn_settings, balanced_colours, 116);

SIZE(sn_world_def, 192);
OFFSET(sn_world_def, size, 0);
OFFSET(sn_world_def, settings, 8);
OFFSET(sn_world_def, threads, 128);
OFFSET(sn_world_def, simd_width, 132);
OFFSET(sn_world_def, allocator, 136);
OFFSET(sn_world_def, tasks, 152);
OFFSET(sn_world_def, log, 176);
OFFSET(sn_world_def, log_user, 184);

SIZE(sn_force_field_input, 40);
OFFSET(sn_force_field_input, count, 0);
OFFSET(sn_force_field_input, position, 8);
OFFSET(sn_force_field_input, velocity, 16);
OFFSET(sn_force_field_input, inverse_mass, 24);
OFFSET(sn_force_field_input, time, 32);

SIZE(sn_stats, 208);
OFFSET(sn_stats, nodes, 0);
OFFSET(sn_stats, constraints, 8);
OFFSET(sn_stats, colours, 16);
OFFSET(sn_stats, sequential, 24);
OFFSET(sn_stats, substeps, 32);
OFFSET(sn_stats, projections, 40);
OFFSET(sn_stats, broken, 48);
OFFSET(sn_stats, torn, 56);
OFFSET(sn_stats, contacts, 64);
OFFSET(sn_stats, candidates, 72);
OFFSET(sn_stats, detections, 80);
OFFSET(sn_stats, overlaps, 88);
OFFSET(sn_stats, overlap, 96);
OFFSET(sn_stats, truncations, 104);
OFFSET(sn_stats, breaches, 112);
OFFSET(sn_stats, crossings, 120);
OFFSET(sn_stats, penetrations, 128);
OFFSET(sn_stats, asleep, 136);
OFFSET(sn_stats, memory, 144);
OFFSET(sn_stats, time_step, 152);
OFFSET(sn_stats, time_prepare, 160);
OFFSET(sn_stats, time_find, 168);
OFFSET(sn_stats, time_predict, 176);
OFFSET(sn_stats, time_project, 184);
OFFSET(sn_stats, time_contact, 192);
OFFSET(sn_stats, time_update, 200);

SIZE(sn_measure, 96);
OFFSET(sn_measure, mass, 0);
OFFSET(sn_measure, kinetic_energy, 8);
OFFSET(sn_measure, potential_energy, 16);
OFFSET(sn_measure, elastic_energy, 24);
OFFSET(sn_measure, momentum, 32);
OFFSET(sn_measure, angular_momentum, 56);
OFFSET(sn_measure, residual_rms, 80);
OFFSET(sn_measure, residual_max, 88);

SIZE(sn_node, 8);
OFFSET(sn_node, slot, 0);
OFFSET(sn_node, generation, 4);
OFFSET(sn_node, world, 6);

SIZE(sn_body, 8);
OFFSET(sn_body, slot, 0);
OFFSET(sn_body, generation, 4);
OFFSET(sn_body, world, 6);

SIZE(sn_body_def, 40);
OFFSET(sn_body_def, size, 0);
OFFSET(sn_body_def, gravity, 8);
OFFSET(sn_body_def, damping, 20);
OFFSET(sn_body_def, rigid_damping, 24);
OFFSET(sn_body_def, material, 28);
OFFSET(sn_body_def, rolls, 32);
OFFSET(sn_body_def, may_sleep, 33);
OFFSET(sn_body_def, solver, 36);

SIZE(sn_node_def, 96);
OFFSET(sn_node_def, size, 0);
OFFSET(sn_node_def, position, 8);
OFFSET(sn_node_def, velocity, 20);
OFFSET(sn_node_def, inverse_mass, 32);
OFFSET(sn_node_def, radius, 36);
OFFSET(sn_node_def, group, 40);
OFFSET(sn_node_def, body, 44);
OFFSET(sn_node_def, oriented, 52);
OFFSET(sn_node_def, orientation, 56);
OFFSET(sn_node_def, angular_velocity, 72);
OFFSET(sn_node_def, inverse_inertia, 84);

SIZE(sn_node_view, 56);
OFFSET(sn_node_view, count, 0);
OFFSET(sn_node_view, position, 8);
OFFSET(sn_node_view, velocity, 16);
OFFSET(sn_node_view, inverse_mass, 24);
OFFSET(sn_node_view, radius, 32);
OFFSET(sn_node_view, group, 40);
OFFSET(sn_node_view, alive, 48);

SIZE(sn_frame_view, 48);
OFFSET(sn_frame_view, count, 0);
OFFSET(sn_frame_view, orientation, 8);
OFFSET(sn_frame_view, angular_velocity, 16);
OFFSET(sn_frame_view, inverse_inertia, 24);
OFFSET(sn_frame_view, node, 32);
OFFSET(sn_frame_view, alive, 40);

SIZE(sn_air_mesh, 8);
OFFSET(sn_air_mesh, slot, 0);
OFFSET(sn_air_mesh, generation, 4);
OFFSET(sn_air_mesh, world, 6);

SIZE(sn_air_mesh_def, 80);
OFFSET(sn_air_mesh_def, size, 0);
OFFSET(sn_air_mesh_def, nodes, 8);
OFFSET(sn_air_mesh_def, node_count, 16);
OFFSET(sn_air_mesh_def, triangles, 24);
OFFSET(sn_air_mesh_def, triangle_count, 32);
OFFSET(sn_air_mesh_def, edges, 40);
OFFSET(sn_air_mesh_def, edge_count, 48);
OFFSET(sn_air_mesh_def, rest, 56);
OFFSET(sn_air_mesh_def, inside, 64);
OFFSET(sn_air_mesh_def, flips, 68);
OFFSET(sn_air_mesh_def, sweeps, 72);
OFFSET(sn_air_mesh_def, recovery_speed, 76);

SIZE(sn_air_mesh_state, 24);
OFFSET(sn_air_mesh_state, elements, 0);
OFFSET(sn_air_mesh_state, inverted, 8);
OFFSET(sn_air_mesh_state, corners, 16);
OFFSET(sn_air_mesh_state, least, 20);

SIZE(sn_animation_target, 8);
OFFSET(sn_animation_target, slot, 0);
OFFSET(sn_animation_target, generation, 4);
OFFSET(sn_animation_target, world, 6);

SIZE(sn_animation_target_vertex, 36);
OFFSET(sn_animation_target_vertex, position, 0);
OFFSET(sn_animation_target_vertex, normal, 12);
OFFSET(sn_animation_target_vertex, max_distance, 24);
OFFSET(sn_animation_target_vertex, back_stop_distance, 28);
OFFSET(sn_animation_target_vertex, back_stop_radius, 32);

SIZE(sn_animation_target_def, 40);
OFFSET(sn_animation_target_def, size, 0);
OFFSET(sn_animation_target_def, nodes, 8);
OFFSET(sn_animation_target_def, node_count, 16);
OFFSET(sn_animation_target_def, vertices, 24);
OFFSET(sn_animation_target_def, compliance, 32);

SIZE(sn_suggestion, 16);
OFFSET(sn_suggestion, word, 0);
OFFSET(sn_suggestion, distance, 8);

SIZE(sn_output_path, 8192);
OFFSET(sn_output_path, written, 0);
OFFSET(sn_output_path, target, 4096);

SIZE(sn_archive, 96);
OFFSET(sn_archive, what, 0);
OFFSET(sn_archive, reading, 8);
OFFSET(sn_archive, result, 12);
OFFSET(sn_archive, from, 16);
OFFSET(sn_archive, to, 24);
OFFSET(sn_archive, size, 32);
OFFSET(sn_archive, capacity, 40);
OFFSET(sn_archive, begin, 48);
OFFSET(sn_archive, end, 56);
OFFSET(sn_archive, any_real, 64);
OFFSET(sn_archive, section, 65);
OFFSET(sn_archive, visit, 80);
OFFSET(sn_archive, context, 88);

SIZE(sn_archive_view, 280);
OFFSET(sn_archive_view, name, 0);
OFFSET(sn_archive_view, kind, 256);
OFFSET(sn_archive_view, count, 264);
OFFSET(sn_archive_view, data, 272);

SIZE(sn_collider, 8);
OFFSET(sn_collider, slot, 0);
OFFSET(sn_collider, generation, 4);
OFFSET(sn_collider, world, 6);

SIZE(sn_geometry, 56);
OFFSET(sn_geometry, vertices, 0);
OFFSET(sn_geometry, vertex_count, 8);
OFFSET(sn_geometry, triangles, 16);
OFFSET(sn_geometry, triangle_count, 24);
OFFSET(sn_geometry, heights, 32);
OFFSET(sn_geometry, points, 40);
OFFSET(sn_geometry, spacing, 48);
OFFSET(sn_geometry, two_sided, 52);

SIZE(sn_collider_part, 104);
OFFSET(sn_collider_part, shape, 0);
OFFSET(sn_collider_part, radius, 4);
OFFSET(sn_collider_part, extent, 8);
OFFSET(sn_collider_part, position, 20);
OFFSET(sn_collider_part, orientation, 32);
OFFSET(sn_collider_part, geometry, 48);

SIZE(sn_collider_def, 184);
OFFSET(sn_collider_def, size, 0);
OFFSET(sn_collider_def, shape, 8);
OFFSET(sn_collider_def, radius, 12);
OFFSET(sn_collider_def, extent, 16);
OFFSET(sn_collider_def, position, 28);
OFFSET(sn_collider_def, orientation, 40);
OFFSET(sn_collider_def, velocity, 56);
OFFSET(sn_collider_def, angular_velocity, 68);
OFFSET(sn_collider_def, static_friction, 80);
OFFSET(sn_collider_def, dynamic_friction, 84);
OFFSET(sn_collider_def, restitution, 88);
OFFSET(sn_collider_def, recovery_speed, 92);
OFFSET(sn_collider_def, material, 96);
OFFSET(sn_collider_def, mask, 100);
OFFSET(sn_collider_def, geometry, 104);
OFFSET(sn_collider_def, parts, 160);
OFFSET(sn_collider_def, part_count, 168);
OFFSET(sn_collider_def, form, 176);

SIZE(sn_collision_surface, 8);
OFFSET(sn_collision_surface, slot, 0);
OFFSET(sn_collision_surface, generation, 4);
OFFSET(sn_collision_surface, world, 6);

SIZE(sn_collision_surface_def, 96);
OFFSET(sn_collision_surface_def, size, 0);
OFFSET(sn_collision_surface_def, nodes, 8);
OFFSET(sn_collision_surface_def, node_count, 16);
OFFSET(sn_collision_surface_def, triangles, 24);
OFFSET(sn_collision_surface_def, triangle_count, 32);
OFFSET(sn_collision_surface_def, segments, 40);
OFFSET(sn_collision_surface_def, segment_count, 48);
OFFSET(sn_collision_surface_def, detail, 56);
OFFSET(sn_collision_surface_def, self, 60);
OFFSET(sn_collision_surface_def, penetration_free, 61);
OFFSET(sn_collision_surface_def, untangle, 62);
OFFSET(sn_collision_surface_def, triangle_contact, 63);
OFFSET(sn_collision_surface_def, static_friction, 64);
OFFSET(sn_collision_surface_def, dynamic_friction, 68);
OFFSET(sn_collision_surface_def, restitution, 72);
OFFSET(sn_collision_surface_def, recovery_speed, 76);
OFFSET(sn_collision_surface_def, mask, 80);
OFFSET(sn_collision_surface_def, layer, 84);
OFFSET(sn_collision_surface_def, layer_shock, 88);
OFFSET(sn_collision_surface_def, porosity, 92);

SIZE(sn_constraint, 8);
OFFSET(sn_constraint, slot, 0);
OFFSET(sn_constraint, generation, 4);
OFFSET(sn_constraint, world, 6);

SIZE(sn_distance_def, 48);
OFFSET(sn_distance_def, size, 0);
OFFSET(sn_distance_def, node, 8);
OFFSET(sn_distance_def, side, 24);
OFFSET(sn_distance_def, compliance, 28);
OFFSET(sn_distance_def, damping, 32);
OFFSET(sn_distance_def, stiffness, 36);
OFFSET(sn_distance_def, break_force, 40);
OFFSET(sn_distance_def, rest_length, 44);

SIZE(sn_attachment_def, 56);
OFFSET(sn_attachment_def, size, 0);
OFFSET(sn_attachment_def, node, 8);
OFFSET(sn_attachment_def, side, 24);
OFFSET(sn_attachment_def, compliance, 28);
OFFSET(sn_attachment_def, damping, 32);
OFFSET(sn_attachment_def, stiffness, 36);
OFFSET(sn_attachment_def, break_force, 40);
OFFSET(sn_attachment_def, offset, 44);

SIZE(sn_tet_volume_def, 64);
OFFSET(sn_tet_volume_def, size, 0);
OFFSET(sn_tet_volume_def, node, 8);
OFFSET(sn_tet_volume_def, side, 40);
OFFSET(sn_tet_volume_def, compliance, 44);
OFFSET(sn_tet_volume_def, damping, 48);
OFFSET(sn_tet_volume_def, stiffness, 52);
OFFSET(sn_tet_volume_def, break_force, 56);
OFFSET(sn_tet_volume_def, rest_volume, 60);

SIZE(sn_isometric_bending_def, 64);
OFFSET(sn_isometric_bending_def, size, 0);
OFFSET(sn_isometric_bending_def, node, 8);
OFFSET(sn_isometric_bending_def, side, 40);
OFFSET(sn_isometric_bending_def, compliance, 44);
OFFSET(sn_isometric_bending_def, damping, 48);
OFFSET(sn_isometric_bending_def, stiffness, 52);
OFFSET(sn_isometric_bending_def, break_force, 56);
OFFSET(sn_isometric_bending_def, scale, 60);

SIZE(sn_stretch_shear_def, 56);
OFFSET(sn_stretch_shear_def, size, 0);
OFFSET(sn_stretch_shear_def, node, 8);
OFFSET(sn_stretch_shear_def, side, 24);
OFFSET(sn_stretch_shear_def, compliance, 28);
OFFSET(sn_stretch_shear_def, damping, 32);
OFFSET(sn_stretch_shear_def, stiffness, 36);
OFFSET(sn_stretch_shear_def, break_force, 40);
OFFSET(sn_stretch_shear_def, rest_length, 44);
OFFSET(sn_stretch_shear_def, stretch_stiffness, 48);
OFFSET(sn_stretch_shear_def, shear_stiffness, 52);

SIZE(sn_bend_twist_def, 104);
OFFSET(sn_bend_twist_def, size, 0);
OFFSET(sn_bend_twist_def, node, 8);
OFFSET(sn_bend_twist_def, side, 24);
OFFSET(sn_bend_twist_def, compliance, 28);
OFFSET(sn_bend_twist_def, damping, 32);
OFFSET(sn_bend_twist_def, stiffness, 36);
OFFSET(sn_bend_twist_def, break_force, 40);
OFFSET(sn_bend_twist_def, rest_length, 44);
OFFSET(sn_bend_twist_def, bend_stiffness_x, 48);
OFFSET(sn_bend_twist_def, bend_stiffness_y, 52);
OFFSET(sn_bend_twist_def, twist_stiffness, 56);
OFFSET(sn_bend_twist_def, rest_darboux, 60);
OFFSET(sn_bend_twist_def, yield, 72);
OFFSET(sn_bend_twist_def, creep, 84);
OFFSET(sn_bend_twist_def, plastic_limit, 88);
OFFSET(sn_bend_twist_def, plastic_darboux, 92);

SIZE(sn_frame_attachment_def, 48);
OFFSET(sn_frame_attachment_def, size, 0);
OFFSET(sn_frame_attachment_def, node, 8);
OFFSET(sn_frame_attachment_def, side, 24);
OFFSET(sn_frame_attachment_def, compliance, 28);
OFFSET(sn_frame_attachment_def, damping, 32);
OFFSET(sn_frame_attachment_def, stiffness, 36);
OFFSET(sn_frame_attachment_def, break_force, 40);

SIZE(sn_dihedral_bending_def, 80);
OFFSET(sn_dihedral_bending_def, size, 0);
OFFSET(sn_dihedral_bending_def, node, 8);
OFFSET(sn_dihedral_bending_def, side, 40);
OFFSET(sn_dihedral_bending_def, compliance, 44);
OFFSET(sn_dihedral_bending_def, damping, 48);
OFFSET(sn_dihedral_bending_def, stiffness, 52);
OFFSET(sn_dihedral_bending_def, break_force, 56);
OFFSET(sn_dihedral_bending_def, rest_angle, 60);
OFFSET(sn_dihedral_bending_def, yield, 64);
OFFSET(sn_dihedral_bending_def, creep, 68);
OFFSET(sn_dihedral_bending_def, plastic_limit, 72);
OFFSET(sn_dihedral_bending_def, crease, 76);

SIZE(sn_triangle_area_def, 56);
OFFSET(sn_triangle_area_def, size, 0);
OFFSET(sn_triangle_area_def, node, 8);
OFFSET(sn_triangle_area_def, side, 32);
OFFSET(sn_triangle_area_def, compliance, 36);
OFFSET(sn_triangle_area_def, damping, 40);
OFFSET(sn_triangle_area_def, stiffness, 44);
OFFSET(sn_triangle_area_def, break_force, 48);
OFFSET(sn_triangle_area_def, rest_area, 52);

SIZE(sn_vertex_bending_def, 64);
OFFSET(sn_vertex_bending_def, size, 0);
OFFSET(sn_vertex_bending_def, nodes, 8);
OFFSET(sn_vertex_bending_def, node_count, 16);
OFFSET(sn_vertex_bending_def, triangles, 24);
OFFSET(sn_vertex_bending_def, triangle_count, 32);
OFFSET(sn_vertex_bending_def, side, 40);
OFFSET(sn_vertex_bending_def, compliance, 44);
OFFSET(sn_vertex_bending_def, damping, 48);
OFFSET(sn_vertex_bending_def, stiffness, 52);
OFFSET(sn_vertex_bending_def, break_force, 56);
OFFSET(sn_vertex_bending_def, area, 60);

SIZE(sn_surface_volume_def, 112);
OFFSET(sn_surface_volume_def, size, 0);
OFFSET(sn_surface_volume_def, nodes, 8);
OFFSET(sn_surface_volume_def, node_count, 16);
OFFSET(sn_surface_volume_def, triangles, 24);
OFFSET(sn_surface_volume_def, triangle_count, 32);
OFFSET(sn_surface_volume_def, side, 40);
OFFSET(sn_surface_volume_def, compliance, 44);
OFFSET(sn_surface_volume_def, damping, 48);
OFFSET(sn_surface_volume_def, stiffness, 52);
OFFSET(sn_surface_volume_def, break_force, 56);
OFFSET(sn_surface_volume_def, rest_volume, 60);
OFFSET(sn_surface_volume_def, pressure, 64);
OFFSET(sn_surface_volume_def, amount, 68);
OFFSET(sn_surface_volume_def, temperature, 72);
OFFSET(sn_surface_volume_def, ambient, 76);
OFFSET(sn_surface_volume_def, leak, 80);
OFFSET(sn_surface_volume_def, local, 84);
OFFSET(sn_surface_volume_def, opposing, 88);
OFFSET(sn_surface_volume_def, smoothing, 92);
OFFSET(sn_surface_volume_def, touching, 96);
OFFSET(sn_surface_volume_def, steady, 100);
OFFSET(sn_surface_volume_def, change, 104);

SIZE(sn_strain_triangle_def, 88);
OFFSET(sn_strain_triangle_def, size, 0);
OFFSET(sn_strain_triangle_def, node, 8);
OFFSET(sn_strain_triangle_def, side, 32);
OFFSET(sn_strain_triangle_def, compliance, 36);
OFFSET(sn_strain_triangle_def, damping, 40);
OFFSET(sn_strain_triangle_def, stiffness, 44);
OFFSET(sn_strain_triangle_def, break_force, 48);
OFFSET(sn_strain_triangle_def, rest_shape, 52);
OFFSET(sn_strain_triangle_def, warp_angle, 64);
OFFSET(sn_strain_triangle_def, warp_stiffness, 68);
OFFSET(sn_strain_triangle_def, weft_stiffness, 72);
OFFSET(sn_strain_triangle_def, shear_stiffness, 76);
OFFSET(sn_strain_triangle_def, damping_time, 80);
OFFSET(sn_strain_triangle_def, shear_form, 84);

SIZE(sn_elastic_triangle_def, 88);
OFFSET(sn_elastic_triangle_def, size, 0);
OFFSET(sn_elastic_triangle_def, node, 8);
OFFSET(sn_elastic_triangle_def, side, 32);
OFFSET(sn_elastic_triangle_def, compliance, 36);
OFFSET(sn_elastic_triangle_def, damping, 40);
OFFSET(sn_elastic_triangle_def, stiffness, 44);
OFFSET(sn_elastic_triangle_def, break_force, 48);
OFFSET(sn_elastic_triangle_def, rest_shape, 52);
OFFSET(sn_elastic_triangle_def, warp_angle, 64);
OFFSET(sn_elastic_triangle_def, warp_stiffness, 68);
OFFSET(sn_elastic_triangle_def, weft_stiffness, 72);
OFFSET(sn_elastic_triangle_def, shear_stiffness, 76);
OFFSET(sn_elastic_triangle_def, damping_time, 80);
OFFSET(sn_elastic_triangle_def, poisson, 84);

SIZE(sn_strain_limit_triangle_def, 56);
OFFSET(sn_strain_limit_triangle_def, size, 0);
OFFSET(sn_strain_limit_triangle_def, node, 8);
OFFSET(sn_strain_limit_triangle_def, side, 32);
OFFSET(sn_strain_limit_triangle_def, compliance, 36);
OFFSET(sn_strain_limit_triangle_def, damping, 40);
OFFSET(sn_strain_limit_triangle_def, stiffness, 44);
OFFSET(sn_strain_limit_triangle_def, break_force, 48);
OFFSET(sn_strain_limit_triangle_def, limit, 52);

SIZE(sn_tether_def, 48);
OFFSET(sn_tether_def, size, 0);
OFFSET(sn_tether_def, node, 8);
OFFSET(sn_tether_def, side, 24);
OFFSET(sn_tether_def, compliance, 28);
OFFSET(sn_tether_def, damping, 32);
OFFSET(sn_tether_def, stiffness, 36);
OFFSET(sn_tether_def, break_force, 40);
OFFSET(sn_tether_def, length, 44);

SIZE(sn_point_attachment_def, 72);
OFFSET(sn_point_attachment_def, size, 0);
OFFSET(sn_point_attachment_def, node, 8);
OFFSET(sn_point_attachment_def, side, 40);
OFFSET(sn_point_attachment_def, compliance, 44);
OFFSET(sn_point_attachment_def, damping, 48);
OFFSET(sn_point_attachment_def, stiffness, 52);
OFFSET(sn_point_attachment_def, break_force, 56);
OFFSET(sn_point_attachment_def, weights, 60);

SIZE(sn_edge_attachment_def, 56);
OFFSET(sn_edge_attachment_def, size, 0);
OFFSET(sn_edge_attachment_def, node, 8);
OFFSET(sn_edge_attachment_def, side, 32);
OFFSET(sn_edge_attachment_def, compliance, 36);
OFFSET(sn_edge_attachment_def, damping, 40);
OFFSET(sn_edge_attachment_def, stiffness, 44);
OFFSET(sn_edge_attachment_def, break_force, 48);
OFFSET(sn_edge_attachment_def, along, 52);

SIZE(sn_seam_def, 48);
OFFSET(sn_seam_def, size, 0);
OFFSET(sn_seam_def, node, 8);
OFFSET(sn_seam_def, side, 24);
OFFSET(sn_seam_def, compliance, 28);
OFFSET(sn_seam_def, damping, 32);
OFFSET(sn_seam_def, stiffness, 36);
OFFSET(sn_seam_def, break_force, 40);
OFFSET(sn_seam_def, closing_speed, 44);

SIZE(sn_neo_hookean_tet_def, 144);
OFFSET(sn_neo_hookean_tet_def, size, 0);
OFFSET(sn_neo_hookean_tet_def, node, 8);
OFFSET(sn_neo_hookean_tet_def, side, 40);
OFFSET(sn_neo_hookean_tet_def, compliance, 44);
OFFSET(sn_neo_hookean_tet_def, damping, 48);
OFFSET(sn_neo_hookean_tet_def, stiffness, 52);
OFFSET(sn_neo_hookean_tet_def, break_force, 56);
OFFSET(sn_neo_hookean_tet_def, rest_edge_1, 60);
OFFSET(sn_neo_hookean_tet_def, rest_edge_2, 72);
OFFSET(sn_neo_hookean_tet_def, rest_edge_3, 84);
OFFSET(sn_neo_hookean_tet_def, damping_time, 96);
OFFSET(sn_neo_hookean_tet_def, young, 100);
OFFSET(sn_neo_hookean_tet_def, poisson, 104);
OFFSET(sn_neo_hookean_tet_def, plastic_yield, 108);
OFFSET(sn_neo_hookean_tet_def, plastic_creep, 112);
OFFSET(sn_neo_hookean_tet_def, plastic_limit, 116);
OFFSET(sn_neo_hookean_tet_def, plastic_stretch, 120);
OFFSET(sn_neo_hookean_tet_def, plastic_shear, 132);

SIZE(sn_corotated_tet_def, 144);
OFFSET(sn_corotated_tet_def, size, 0);
OFFSET(sn_corotated_tet_def, node, 8);
OFFSET(sn_corotated_tet_def, side, 40);
OFFSET(sn_corotated_tet_def, compliance, 44);
OFFSET(sn_corotated_tet_def, damping, 48);
OFFSET(sn_corotated_tet_def, stiffness, 52);
OFFSET(sn_corotated_tet_def, break_force, 56);
OFFSET(sn_corotated_tet_def, rest_edge_1, 60);
OFFSET(sn_corotated_tet_def, rest_edge_2, 72);
OFFSET(sn_corotated_tet_def, rest_edge_3, 84);
OFFSET(sn_corotated_tet_def, damping_time, 96);
OFFSET(sn_corotated_tet_def, young, 100);
OFFSET(sn_corotated_tet_def, poisson, 104);
OFFSET(sn_corotated_tet_def, plastic_yield, 108);
OFFSET(sn_corotated_tet_def, plastic_creep, 112);
OFFSET(sn_corotated_tet_def, plastic_limit, 116);
OFFSET(sn_corotated_tet_def, plastic_stretch, 120);
OFFSET(sn_corotated_tet_def, plastic_shear, 132);

SIZE(sn_shape_match_def, 80);
OFFSET(sn_shape_match_def, size, 0);
OFFSET(sn_shape_match_def, nodes, 8);
OFFSET(sn_shape_match_def, node_count, 16);
OFFSET(sn_shape_match_def, triangles, 24);
OFFSET(sn_shape_match_def, triangle_count, 32);
OFFSET(sn_shape_match_def, side, 40);
OFFSET(sn_shape_match_def, compliance, 44);
OFFSET(sn_shape_match_def, damping, 48);
OFFSET(sn_shape_match_def, stiffness, 52);
OFFSET(sn_shape_match_def, break_force, 56);
OFFSET(sn_shape_match_def, deformation, 60);
OFFSET(sn_shape_match_def, beta, 64);
OFFSET(sn_shape_match_def, plastic_yield, 68);
OFFSET(sn_shape_match_def, plastic_creep, 72);
OFFSET(sn_shape_match_def, plastic_limit, 76);

SIZE(sn_elastic_tet_def, 144);
OFFSET(sn_elastic_tet_def, size, 0);
OFFSET(sn_elastic_tet_def, node, 8);
OFFSET(sn_elastic_tet_def, side, 40);
OFFSET(sn_elastic_tet_def, compliance, 44);
OFFSET(sn_elastic_tet_def, damping, 48);
OFFSET(sn_elastic_tet_def, stiffness, 52);
OFFSET(sn_elastic_tet_def, break_force, 56);
OFFSET(sn_elastic_tet_def, rest_edge_1, 60);
OFFSET(sn_elastic_tet_def, rest_edge_2, 72);
OFFSET(sn_elastic_tet_def, rest_edge_3, 84);
OFFSET(sn_elastic_tet_def, damping_time, 96);
OFFSET(sn_elastic_tet_def, young, 100);
OFFSET(sn_elastic_tet_def, poisson, 104);
OFFSET(sn_elastic_tet_def, plastic_yield, 108);
OFFSET(sn_elastic_tet_def, plastic_creep, 112);
OFFSET(sn_elastic_tet_def, plastic_limit, 116);
OFFSET(sn_elastic_tet_def, plastic_stretch, 120);
OFFSET(sn_elastic_tet_def, plastic_shear, 132);

SIZE(sn_strain_tet_def, 192);
OFFSET(sn_strain_tet_def, size, 0);
OFFSET(sn_strain_tet_def, node, 8);
OFFSET(sn_strain_tet_def, side, 40);
OFFSET(sn_strain_tet_def, compliance, 44);
OFFSET(sn_strain_tet_def, damping, 48);
OFFSET(sn_strain_tet_def, stiffness, 52);
OFFSET(sn_strain_tet_def, break_force, 56);
OFFSET(sn_strain_tet_def, rest_edge_1, 60);
OFFSET(sn_strain_tet_def, rest_edge_2, 72);
OFFSET(sn_strain_tet_def, rest_edge_3, 84);
OFFSET(sn_strain_tet_def, damping_time, 96);
OFFSET(sn_strain_tet_def, axis, 100);
OFFSET(sn_strain_tet_def, across, 112);
OFFSET(sn_strain_tet_def, stretch_stiffness, 124);
OFFSET(sn_strain_tet_def, shear_stiffness, 136);
OFFSET(sn_strain_tet_def, stretch_form, 148);
OFFSET(sn_strain_tet_def, shear_form, 152);
OFFSET(sn_strain_tet_def, plastic_yield, 156);
OFFSET(sn_strain_tet_def, plastic_creep, 160);
OFFSET(sn_strain_tet_def, plastic_limit, 164);
OFFSET(sn_strain_tet_def, plastic_stretch, 168);
OFFSET(sn_strain_tet_def, plastic_shear, 180);

SIZE(sn_fibre_tet_def, 128);
OFFSET(sn_fibre_tet_def, size, 0);
OFFSET(sn_fibre_tet_def, node, 8);
OFFSET(sn_fibre_tet_def, side, 40);
OFFSET(sn_fibre_tet_def, compliance, 44);
OFFSET(sn_fibre_tet_def, damping, 48);
OFFSET(sn_fibre_tet_def, stiffness, 52);
OFFSET(sn_fibre_tet_def, break_force, 56);
OFFSET(sn_fibre_tet_def, rest_edge_1, 60);
OFFSET(sn_fibre_tet_def, rest_edge_2, 72);
OFFSET(sn_fibre_tet_def, rest_edge_3, 84);
OFFSET(sn_fibre_tet_def, damping_time, 96);
OFFSET(sn_fibre_tet_def, direction, 100);
OFFSET(sn_fibre_tet_def, fibre_stiffness, 112);
OFFSET(sn_fibre_tet_def, activation, 116);
OFFSET(sn_fibre_tet_def, contraction, 120);

SIZE(sn_offset_attachment_def, 80);
OFFSET(sn_offset_attachment_def, size, 0);
OFFSET(sn_offset_attachment_def, node, 8);
OFFSET(sn_offset_attachment_def, side, 40);
OFFSET(sn_offset_attachment_def, compliance, 44);
OFFSET(sn_offset_attachment_def, damping, 48);
OFFSET(sn_offset_attachment_def, stiffness, 52);
OFFSET(sn_offset_attachment_def, break_force, 56);
OFFSET(sn_offset_attachment_def, weights, 60);
OFFSET(sn_offset_attachment_def, offset, 72);

SIZE(sn_edge_seam_def, 64);
OFFSET(sn_edge_seam_def, size, 0);
OFFSET(sn_edge_seam_def, node, 8);
OFFSET(sn_edge_seam_def, side, 32);
OFFSET(sn_edge_seam_def, compliance, 36);
OFFSET(sn_edge_seam_def, damping, 40);
OFFSET(sn_edge_seam_def, stiffness, 44);
OFFSET(sn_edge_seam_def, break_force, 48);
OFFSET(sn_edge_seam_def, along, 52);
OFFSET(sn_edge_seam_def, closing_speed, 56);

SIZE(sn_plate_bending_def, 80);
OFFSET(sn_plate_bending_def, size, 0);
OFFSET(sn_plate_bending_def, nodes, 8);
OFFSET(sn_plate_bending_def, node_count, 16);
OFFSET(sn_plate_bending_def, triangles, 24);
OFFSET(sn_plate_bending_def, triangle_count, 32);
OFFSET(sn_plate_bending_def, side, 40);
OFFSET(sn_plate_bending_def, compliance, 44);
OFFSET(sn_plate_bending_def, damping, 48);
OFFSET(sn_plate_bending_def, stiffness, 52);
OFFSET(sn_plate_bending_def, break_force, 56);
OFFSET(sn_plate_bending_def, area, 60);
OFFSET(sn_plate_bending_def, border, 64);
OFFSET(sn_plate_bending_def, open, 76);

SIZE(sn_ball_joint_def, 72);
OFFSET(sn_ball_joint_def, size, 0);
OFFSET(sn_ball_joint_def, node, 8);
OFFSET(sn_ball_joint_def, side, 24);
OFFSET(sn_ball_joint_def, compliance, 28);
OFFSET(sn_ball_joint_def, damping, 32);
OFFSET(sn_ball_joint_def, stiffness, 36);
OFFSET(sn_ball_joint_def, break_force, 40);
OFFSET(sn_ball_joint_def, anchor_0, 44);
OFFSET(sn_ball_joint_def, anchor_1, 56);

SIZE(sn_fixed_joint_def, 72);
OFFSET(sn_fixed_joint_def, size, 0);
OFFSET(sn_fixed_joint_def, node, 8);
OFFSET(sn_fixed_joint_def, side, 24);
OFFSET(sn_fixed_joint_def, compliance, 28);
OFFSET(sn_fixed_joint_def, damping, 32);
OFFSET(sn_fixed_joint_def, stiffness, 36);
OFFSET(sn_fixed_joint_def, break_force, 40);
OFFSET(sn_fixed_joint_def, anchor_0, 44);
OFFSET(sn_fixed_joint_def, anchor_1, 56);
OFFSET(sn_fixed_joint_def, turn_compliance, 68);

SIZE(sn_hinge_joint_def, 88);
OFFSET(sn_hinge_joint_def, size, 0);
OFFSET(sn_hinge_joint_def, node, 8);
OFFSET(sn_hinge_joint_def, side, 24);
OFFSET(sn_hinge_joint_def, compliance, 28);
OFFSET(sn_hinge_joint_def, damping, 32);
OFFSET(sn_hinge_joint_def, stiffness, 36);
OFFSET(sn_hinge_joint_def, break_force, 40);
OFFSET(sn_hinge_joint_def, anchor_0, 44);
OFFSET(sn_hinge_joint_def, anchor_1, 56);
OFFSET(sn_hinge_joint_def, axis, 68);
OFFSET(sn_hinge_joint_def, turn_compliance, 80);

SIZE(sn_slider_joint_def, 88);
OFFSET(sn_slider_joint_def, size, 0);
OFFSET(sn_slider_joint_def, node, 8);
OFFSET(sn_slider_joint_def, side, 24);
OFFSET(sn_slider_joint_def, compliance, 28);
OFFSET(sn_slider_joint_def, damping, 32);
OFFSET(sn_slider_joint_def, stiffness, 36);
OFFSET(sn_slider_joint_def, break_force, 40);
OFFSET(sn_slider_joint_def, anchor_0, 44);
OFFSET(sn_slider_joint_def, anchor_1, 56);
OFFSET(sn_slider_joint_def, axis, 68);
OFFSET(sn_slider_joint_def, turn_compliance, 80);

SIZE(sn_cylindrical_joint_def, 88);
OFFSET(sn_cylindrical_joint_def, size, 0);
OFFSET(sn_cylindrical_joint_def, node, 8);
OFFSET(sn_cylindrical_joint_def, side, 24);
OFFSET(sn_cylindrical_joint_def, compliance, 28);
OFFSET(sn_cylindrical_joint_def, damping, 32);
OFFSET(sn_cylindrical_joint_def, stiffness, 36);
OFFSET(sn_cylindrical_joint_def, break_force, 40);
OFFSET(sn_cylindrical_joint_def, anchor_0, 44);
OFFSET(sn_cylindrical_joint_def, anchor_1, 56);
OFFSET(sn_cylindrical_joint_def, axis, 68);
OFFSET(sn_cylindrical_joint_def, turn_compliance, 80);

SIZE(sn_universal_joint_def, 88);
OFFSET(sn_universal_joint_def, size, 0);
OFFSET(sn_universal_joint_def, node, 8);
OFFSET(sn_universal_joint_def, side, 24);
OFFSET(sn_universal_joint_def, compliance, 28);
OFFSET(sn_universal_joint_def, damping, 32);
OFFSET(sn_universal_joint_def, stiffness, 36);
OFFSET(sn_universal_joint_def, break_force, 40);
OFFSET(sn_universal_joint_def, anchor_0, 44);
OFFSET(sn_universal_joint_def, anchor_1, 56);
OFFSET(sn_universal_joint_def, axis, 68);
OFFSET(sn_universal_joint_def, turn_compliance, 80);

SIZE(sn_planar_joint_def, 88);
OFFSET(sn_planar_joint_def, size, 0);
OFFSET(sn_planar_joint_def, node, 8);
OFFSET(sn_planar_joint_def, side, 24);
OFFSET(sn_planar_joint_def, compliance, 28);
OFFSET(sn_planar_joint_def, damping, 32);
OFFSET(sn_planar_joint_def, stiffness, 36);
OFFSET(sn_planar_joint_def, break_force, 40);
OFFSET(sn_planar_joint_def, anchor_0, 44);
OFFSET(sn_planar_joint_def, anchor_1, 56);
OFFSET(sn_planar_joint_def, axis, 68);
OFFSET(sn_planar_joint_def, turn_compliance, 80);

SIZE(sn_turn_drive_def, 72);
OFFSET(sn_turn_drive_def, size, 0);
OFFSET(sn_turn_drive_def, node, 8);
OFFSET(sn_turn_drive_def, side, 24);
OFFSET(sn_turn_drive_def, compliance, 28);
OFFSET(sn_turn_drive_def, damping, 32);
OFFSET(sn_turn_drive_def, stiffness, 36);
OFFSET(sn_turn_drive_def, break_force, 40);
OFFSET(sn_turn_drive_def, axis, 44);
OFFSET(sn_turn_drive_def, target, 56);
OFFSET(sn_turn_drive_def, speed, 60);
OFFSET(sn_turn_drive_def, most_force, 64);

SIZE(sn_slide_drive_def, 96);
OFFSET(sn_slide_drive_def, size, 0);
OFFSET(sn_slide_drive_def, node, 8);
OFFSET(sn_slide_drive_def, side, 24);
OFFSET(sn_slide_drive_def, compliance, 28);
OFFSET(sn_slide_drive_def, damping, 32);
OFFSET(sn_slide_drive_def, stiffness, 36);
OFFSET(sn_slide_drive_def, break_force, 40);
OFFSET(sn_slide_drive_def, anchor_0, 44);
OFFSET(sn_slide_drive_def, anchor_1, 56);
OFFSET(sn_slide_drive_def, axis, 68);
OFFSET(sn_slide_drive_def, target, 80);
OFFSET(sn_slide_drive_def, speed, 84);
OFFSET(sn_slide_drive_def, most_force, 88);

SIZE(sn_distance_joint_def, 80);
OFFSET(sn_distance_joint_def, size, 0);
OFFSET(sn_distance_joint_def, node, 8);
OFFSET(sn_distance_joint_def, side, 24);
OFFSET(sn_distance_joint_def, compliance, 28);
OFFSET(sn_distance_joint_def, damping, 32);
OFFSET(sn_distance_joint_def, stiffness, 36);
OFFSET(sn_distance_joint_def, break_force, 40);
OFFSET(sn_distance_joint_def, anchor_0, 44);
OFFSET(sn_distance_joint_def, anchor_1, 56);
OFFSET(sn_distance_joint_def, rest_length, 68);
OFFSET(sn_distance_joint_def, speed, 72);
OFFSET(sn_distance_joint_def, most_force, 76);

SIZE(sn_gear_joint_def, 80);
OFFSET(sn_gear_joint_def, size, 0);
OFFSET(sn_gear_joint_def, node, 8);
OFFSET(sn_gear_joint_def, side, 32);
OFFSET(sn_gear_joint_def, compliance, 36);
OFFSET(sn_gear_joint_def, damping, 40);
OFFSET(sn_gear_joint_def, stiffness, 44);
OFFSET(sn_gear_joint_def, break_force, 48);
OFFSET(sn_gear_joint_def, axis_1, 52);
OFFSET(sn_gear_joint_def, axis_2, 64);
OFFSET(sn_gear_joint_def, ratio, 76);

SIZE(sn_rack_joint_def, 96);
OFFSET(sn_rack_joint_def, size, 0);
OFFSET(sn_rack_joint_def, node, 8);
OFFSET(sn_rack_joint_def, side, 24);
OFFSET(sn_rack_joint_def, compliance, 28);
OFFSET(sn_rack_joint_def, damping, 32);
OFFSET(sn_rack_joint_def, stiffness, 36);
OFFSET(sn_rack_joint_def, break_force, 40);
OFFSET(sn_rack_joint_def, anchor_0, 44);
OFFSET(sn_rack_joint_def, anchor_1, 56);
OFFSET(sn_rack_joint_def, axis, 68);
OFFSET(sn_rack_joint_def, direction, 80);
OFFSET(sn_rack_joint_def, radius, 92);

SIZE(sn_wheel_joint_def, 96);
OFFSET(sn_wheel_joint_def, size, 0);
OFFSET(sn_wheel_joint_def, node, 8);
OFFSET(sn_wheel_joint_def, side, 24);
OFFSET(sn_wheel_joint_def, compliance, 28);
OFFSET(sn_wheel_joint_def, damping, 32);
OFFSET(sn_wheel_joint_def, stiffness, 36);
OFFSET(sn_wheel_joint_def, break_force, 40);
OFFSET(sn_wheel_joint_def, anchor_0, 44);
OFFSET(sn_wheel_joint_def, anchor_1, 56);
OFFSET(sn_wheel_joint_def, axis, 68);
OFFSET(sn_wheel_joint_def, direction, 80);
OFFSET(sn_wheel_joint_def, turn_compliance, 92);

SIZE(sn_pulley_def, 72);
OFFSET(sn_pulley_def, size, 0);
OFFSET(sn_pulley_def, node, 8);
OFFSET(sn_pulley_def, side, 40);
OFFSET(sn_pulley_def, compliance, 44);
OFFSET(sn_pulley_def, damping, 48);
OFFSET(sn_pulley_def, stiffness, 52);
OFFSET(sn_pulley_def, break_force, 56);
OFFSET(sn_pulley_def, rest_length, 60);
OFFSET(sn_pulley_def, strands, 64);

SIZE(sn_exponential_spring_def, 56);
OFFSET(sn_exponential_spring_def, size, 0);
OFFSET(sn_exponential_spring_def, node, 8);
OFFSET(sn_exponential_spring_def, side, 24);
OFFSET(sn_exponential_spring_def, compliance, 28);
OFFSET(sn_exponential_spring_def, damping, 32);
OFFSET(sn_exponential_spring_def, stiffness, 36);
OFFSET(sn_exponential_spring_def, break_force, 40);
OFFSET(sn_exponential_spring_def, rest_length, 44);
OFFSET(sn_exponential_spring_def, hardening, 48);

SIZE(sn_orthotropic_tet_def, 200);
OFFSET(sn_orthotropic_tet_def, size, 0);
OFFSET(sn_orthotropic_tet_def, node, 8);
OFFSET(sn_orthotropic_tet_def, side, 40);
OFFSET(sn_orthotropic_tet_def, compliance, 44);
OFFSET(sn_orthotropic_tet_def, damping, 48);
OFFSET(sn_orthotropic_tet_def, stiffness, 52);
OFFSET(sn_orthotropic_tet_def, break_force, 56);
OFFSET(sn_orthotropic_tet_def, rest_edge_1, 60);
OFFSET(sn_orthotropic_tet_def, rest_edge_2, 72);
OFFSET(sn_orthotropic_tet_def, rest_edge_3, 84);
OFFSET(sn_orthotropic_tet_def, damping_time, 96);
OFFSET(sn_orthotropic_tet_def, axis, 100);
OFFSET(sn_orthotropic_tet_def, across, 112);
OFFSET(sn_orthotropic_tet_def, young, 124);
OFFSET(sn_orthotropic_tet_def, poisson, 136);
OFFSET(sn_orthotropic_tet_def, shear_modulus, 148);
OFFSET(sn_orthotropic_tet_def, plastic_yield, 160);
OFFSET(sn_orthotropic_tet_def, plastic_creep, 164);
OFFSET(sn_orthotropic_tet_def, plastic_limit, 168);
OFFSET(sn_orthotropic_tet_def, plastic_stretch, 172);
OFFSET(sn_orthotropic_tet_def, plastic_shear, 184);

SIZE(sn_quadratic_tet_def, 160);
OFFSET(sn_quadratic_tet_def, size, 0);
OFFSET(sn_quadratic_tet_def, node, 8);
OFFSET(sn_quadratic_tet_def, side, 88);
OFFSET(sn_quadratic_tet_def, compliance, 92);
OFFSET(sn_quadratic_tet_def, damping, 96);
OFFSET(sn_quadratic_tet_def, stiffness, 100);
OFFSET(sn_quadratic_tet_def, break_force, 104);
OFFSET(sn_quadratic_tet_def, rest_edge_1, 108);
OFFSET(sn_quadratic_tet_def, rest_edge_2, 120);
OFFSET(sn_quadratic_tet_def, rest_edge_3, 132);
OFFSET(sn_quadratic_tet_def, damping_time, 144);
OFFSET(sn_quadratic_tet_def, young, 148);
OFFSET(sn_quadratic_tet_def, poisson, 152);

SIZE(sn_ghost_point_def, 72);
OFFSET(sn_ghost_point_def, size, 0);
OFFSET(sn_ghost_point_def, node, 8);
OFFSET(sn_ghost_point_def, side, 32);
OFFSET(sn_ghost_point_def, compliance, 36);
OFFSET(sn_ghost_point_def, damping, 40);
OFFSET(sn_ghost_point_def, stiffness, 44);
OFFSET(sn_ghost_point_def, break_force, 48);
OFFSET(sn_ghost_point_def, rest_length, 52);
OFFSET(sn_ghost_point_def, ahead, 56);
OFFSET(sn_ghost_point_def, radius, 60);
OFFSET(sn_ghost_point_def, keeps, 64);

SIZE(sn_darboux_def, 96);
OFFSET(sn_darboux_def, size, 0);
OFFSET(sn_darboux_def, node, 8);
OFFSET(sn_darboux_def, side, 48);
OFFSET(sn_darboux_def, compliance, 52);
OFFSET(sn_darboux_def, damping, 56);
OFFSET(sn_darboux_def, stiffness, 60);
OFFSET(sn_darboux_def, break_force, 64);
OFFSET(sn_darboux_def, rest_length, 68);
OFFSET(sn_darboux_def, bend_stiffness_x, 72);
OFFSET(sn_darboux_def, bend_stiffness_y, 76);
OFFSET(sn_darboux_def, twist_stiffness, 80);
OFFSET(sn_darboux_def, rest_darboux, 84);

SIZE(sn_lace_def, 72);
OFFSET(sn_lace_def, size, 0);
OFFSET(sn_lace_def, nodes, 8);
OFFSET(sn_lace_def, node_count, 16);
OFFSET(sn_lace_def, triangles, 24);
OFFSET(sn_lace_def, triangle_count, 32);
OFFSET(sn_lace_def, side, 40);
OFFSET(sn_lace_def, compliance, 44);
OFFSET(sn_lace_def, damping, 48);
OFFSET(sn_lace_def, stiffness, 52);
OFFSET(sn_lace_def, break_force, 56);
OFFSET(sn_lace_def, rest_length, 60);
OFFSET(sn_lace_def, friction, 64);

SIZE(sn_type_info, 64);
OFFSET(sn_type_info, name, 0);
OFFSET(sn_type_info, meaning, 8);
OFFSET(sn_type_info, nodes, 16);
OFFSET(sn_type_info, list, 20);
OFFSET(sn_type_info, fixed_nodes, 24);
OFFSET(sn_type_info, frames, 28);
OFFSET(sn_type_info, rows, 32);
OFFSET(sn_type_info, external, 36);
OFFSET(sn_type_info, def_size, 40);
OFFSET(sn_type_info, field_count, 48);
OFFSET(sn_type_info, fields, 56);

SIZE(sn_break_event, 40);
OFFSET(sn_break_event, constraint, 0);
OFFSET(sn_break_event, type, 8);
OFFSET(sn_break_event, substep, 16);
OFFSET(sn_break_event, force, 24);
OFFSET(sn_break_event, node, 28);

SIZE(sn_freeze_event, 48);
OFFSET(sn_freeze_event, body, 0);
OFFSET(sn_freeze_event, node, 8);
OFFSET(sn_freeze_event, nodes, 16);
OFFSET(sn_freeze_event, constraint, 24);
OFFSET(sn_freeze_event, step, 32);
OFFSET(sn_freeze_event, substep, 40);

SIZE(sn_attach_def, 64);
OFFSET(sn_attach_def, size, 0);
OFFSET(sn_attach_def, node, 8);
OFFSET(sn_attach_def, target, 16);
OFFSET(sn_attach_def, surface, 24);
OFFSET(sn_attach_def, body, 32);
OFFSET(sn_attach_def, collider, 40);
OFFSET(sn_attach_def, compliance, 48);
OFFSET(sn_attach_def, damping, 52);
OFFSET(sn_attach_def, break_force, 56);
OFFSET(sn_attach_def, offset, 60);

SIZE(sn_sew_def, 64);
OFFSET(sn_sew_def, size, 0);
OFFSET(sn_sew_def, a, 8);
OFFSET(sn_sew_def, a_count, 16);
OFFSET(sn_sew_def, b, 24);
OFFSET(sn_sew_def, b_count, 32);
OFFSET(sn_sew_def, match, 40);
OFFSET(sn_sew_def, closing_speed, 44);
OFFSET(sn_sew_def, compliance, 48);
OFFSET(sn_sew_def, damping, 52);
OFFSET(sn_sew_def, break_force, 56);

SIZE(sn_audit, 160);
OFFSET(sn_audit, kinetic, 0);
OFFSET(sn_audit, potential, 8);
OFFSET(sn_audit, elastic, 16);
OFFSET(sn_audit, began, 24);
OFFSET(sn_audit, work_nodes, 32);
OFFSET(sn_audit, work_colliders, 40);
OFFSET(sn_audit, work_forces, 48);
OFFSET(sn_audit, work_air, 56);
OFFSET(sn_audit, work_targets, 64);
OFFSET(sn_audit, work_calls, 72);
OFFSET(sn_audit, work_bodies, 80);
OFFSET(sn_audit, lost_damping, 88);
OFFSET(sn_audit, lost_friction, 96);
OFFSET(sn_audit, lost_impact, 104);
OFFSET(sn_audit, lost_plasticity, 112);
OFFSET(sn_audit, lost_breaking, 120);
OFFSET(sn_audit, lost_sleep, 128);
OFFSET(sn_audit, lost_integrator, 136);
OFFSET(sn_audit, lost_solver, 144);
OFFSET(sn_audit, unexplained, 152);

SIZE(sn_audit_field, 24);
OFFSET(sn_audit_field, part, 0);
OFFSET(sn_audit_field, name, 8);
OFFSET(sn_audit_field, meaning, 16);

SIZE(sn_fluid, 8);
OFFSET(sn_fluid, slot, 0);
OFFSET(sn_fluid, generation, 4);
OFFSET(sn_fluid, world, 6);

SIZE(sn_fluid_def, 104);
OFFSET(sn_fluid_def, size, 0);
OFFSET(sn_fluid_def, nodes, 8);
OFFSET(sn_fluid_def, node_count, 16);
OFFSET(sn_fluid_def, rest_density, 24);
OFFSET(sn_fluid_def, reach, 28);
OFFSET(sn_fluid_def, compliance, 32);
OFFSET(sn_fluid_def, viscosity, 36);
OFFSET(sn_fluid_def, artificial_pressure, 40);
OFFSET(sn_fluid_def, vorticity, 44);
OFFSET(sn_fluid_def, buoyant, 48);
OFFSET(sn_fluid_def, ambient_drag, 52);
OFFSET(sn_fluid_def, cohesion, 56);
OFFSET(sn_fluid_def, surface_tension, 60);
OFFSET(sn_fluid_def, adhesion, 64);
OFFSET(sn_fluid_def, immiscible, 68);
OFFSET(sn_fluid_def, vorticity_kept, 72);
OFFSET(sn_fluid_def, detail_point, 76);
OFFSET(sn_fluid_def, detail_radius, 88);
OFFSET(sn_fluid_def, wall_forces, 92);
OFFSET(sn_fluid_def, coarse_depth, 96);

SIZE(sn_fluid_measures, 40);
OFFSET(sn_fluid_measures, density, 0);
OFFSET(sn_fluid_measures, density_error, 8);
OFFSET(sn_fluid_measures, density_max, 16);
OFFSET(sn_fluid_measures, pressure_max, 24);
OFFSET(sn_fluid_measures, neighbours, 32);

SIZE(sn_mesh_group, 32);
OFFSET(sn_mesh_group, name, 0);
OFFSET(sn_mesh_group, vertices, 8);
OFFSET(sn_mesh_group, count, 16);
OFFSET(sn_mesh_group, capacity, 24);

SIZE(sn_mesh, 144);
OFFSET(sn_mesh, size, 0);
OFFSET(sn_mesh, vertex_count, 8);
OFFSET(sn_mesh, positions, 16);
OFFSET(sn_mesh, triangle_count, 24);
OFFSET(sn_mesh, triangles, 32);
OFFSET(sn_mesh, tet_count, 40);
OFFSET(sn_mesh, tets, 48);
OFFSET(sn_mesh, line_count, 56);
OFFSET(sn_mesh, lines, 64);
OFFSET(sn_mesh, group_count, 72);
OFFSET(sn_mesh, groups, 80);
OFFSET(sn_mesh, allocator, 88);
OFFSET(sn_mesh, capacity, 104);

SIZE(sn_mesh_finding, 40);
OFFSET(sn_mesh_finding, count, 0);
OFFSET(sn_mesh_finding, example, 8);

SIZE(sn_mesh_piece, 72);
OFFSET(sn_mesh_piece, triangle, 0);
OFFSET(sn_mesh_piece, triangle_count, 8);
OFFSET(sn_mesh_piece, edge_count, 16);
OFFSET(sn_mesh_piece, vertex_count, 24);
OFFSET(sn_mesh_piece, boundary_edges, 32);
OFFSET(sn_mesh_piece, euler, 40);
OFFSET(sn_mesh_piece, genus, 48);
OFFSET(sn_mesh_piece, closed, 56);
OFFSET(sn_mesh_piece, volume, 64);

SIZE(sn_mesh_report, 1480);
OFFSET(sn_mesh_report, size, 0);
OFFSET(sn_mesh_report, weld_distance, 8);
OFFSET(sn_mesh_report, findings, 16);
OFFSET(sn_mesh_report, edge_count, 856);
OFFSET(sn_mesh_report, boundary_loops, 864);
OFFSET(sn_mesh_report, seam_edges, 872);
OFFSET(sn_mesh_report, tet_pieces, 880);
OFFSET(sn_mesh_report, piece_count, 888);
OFFSET(sn_mesh_report, pieces, 896);
OFFSET(sn_mesh_report, closed, 1472);

SIZE(sn_mesh_changes, 56);
OFFSET(sn_mesh_changes, vertices_removed, 0);
OFFSET(sn_mesh_changes, triangles_removed, 8);
OFFSET(sn_mesh_changes, tets_removed, 16);
OFFSET(sn_mesh_changes, lines_removed, 24);
OFFSET(sn_mesh_changes, triangles_turned, 32);
OFFSET(sn_mesh_changes, tets_turned, 40);
OFFSET(sn_mesh_changes, edges_flipped, 48);

SIZE(sn_regions, 80);
OFFSET(sn_regions, size, 0);
OFFSET(sn_regions, count, 8);
OFFSET(sn_regions, first, 16);
OFFSET(sn_regions, members, 24);
OFFSET(sn_regions, centres, 32);
OFFSET(sn_regions, allocator, 40);
OFFSET(sn_regions, capacity, 56);

SIZE(sn_shape_matching, 8);
OFFSET(sn_shape_matching, slot, 0);
OFFSET(sn_shape_matching, generation, 4);
OFFSET(sn_shape_matching, world, 6);

SIZE(sn_shape_matching_def, 136);
OFFSET(sn_shape_matching_def, size, 0);
OFFSET(sn_shape_matching_def, nodes, 8);
OFFSET(sn_shape_matching_def, node_count, 16);
OFFSET(sn_shape_matching_def, rest, 24);
OFFSET(sn_shape_matching_def, first, 32);
OFFSET(sn_shape_matching_def, members, 40);
OFFSET(sn_shape_matching_def, region_count, 48);
OFFSET(sn_shape_matching_def, centres, 56);
OFFSET(sn_shape_matching_def, oriented, 64);
OFFSET(sn_shape_matching_def, rest_orientations, 72);
OFFSET(sn_shape_matching_def, radii, 80);
OFFSET(sn_shape_matching_def, moments, 88);
OFFSET(sn_shape_matching_def, turn, 96);
OFFSET(sn_shape_matching_def, compliance, 100);
OFFSET(sn_shape_matching_def, stiffness, 104);
OFFSET(sn_shape_matching_def, mode, 108);
OFFSET(sn_shape_matching_def, beta, 112);
OFFSET(sn_shape_matching_def, damping, 116);
OFFSET(sn_shape_matching_def, plastic_yield, 120);
OFFSET(sn_shape_matching_def, plastic_creep, 124);
OFFSET(sn_shape_matching_def, plastic_limit, 128);
OFFSET(sn_shape_matching_def, sums, 132);

SIZE(sn_shape_matching_region, 88);
OFFSET(sn_shape_matching_region, rotation, 0);
OFFSET(sn_shape_matching_region, plastic, 16);

SIZE(sn_sheet, 8);
OFFSET(sn_sheet, slot, 0);
OFFSET(sn_sheet, generation, 4);
OFFSET(sn_sheet, world, 6);

SIZE(sn_sheet_def, 72);
OFFSET(sn_sheet_def, size, 0);
OFFSET(sn_sheet_def, nodes, 8);
OFFSET(sn_sheet_def, node_count, 16);
OFFSET(sn_sheet_def, triangles, 24);
OFFSET(sn_sheet_def, triangle_count, 32);
OFFSET(sn_sheet_def, drag, 40);
OFFSET(sn_sheet_def, lift, 44);
OFFSET(sn_sheet_def, tether_slack, 48);
OFFSET(sn_sheet_def, tethers, 52);
OFFSET(sn_sheet_def, tether_path, 56);
OFFSET(sn_sheet_def, buoyant, 60);
OFFSET(sn_sheet_def, tear_strain, 64);
OFFSET(sn_sheet_def, tear_force, 68);

SIZE(sn_tet_mesh, 8);
OFFSET(sn_tet_mesh, slot, 0);
OFFSET(sn_tet_mesh, generation, 4);
OFFSET(sn_tet_mesh, world, 6);

SIZE(sn_tet_mesh_def, 48);
OFFSET(sn_tet_mesh_def, size, 0);
OFFSET(sn_tet_mesh_def, nodes, 8);
OFFSET(sn_tet_mesh_def, node_count, 16);
OFFSET(sn_tet_mesh_def, tets, 24);
OFFSET(sn_tet_mesh_def, tet_count, 32);
OFFSET(sn_tet_mesh_def, fracture_stress, 40);

SIZE(sn_particles_material, 32);
OFFSET(sn_particles_material, size, 0);
OFFSET(sn_particles_material, radius, 8);
OFFSET(sn_particles_material, density, 12);
OFFSET(sn_particles_material, drag, 16);
OFFSET(sn_particles_material, cohesion, 20);
OFFSET(sn_particles_material, balls, 24);

SIZE(sn_rope_material, 48);
OFFSET(sn_rope_material, size, 0);
OFFSET(sn_rope_material, radius, 8);
OFFSET(sn_rope_material, density, 12);
OFFSET(sn_rope_material, young, 16);
OFFSET(sn_rope_material, damping, 20);
OFFSET(sn_rope_material, break_force, 24);
OFFSET(sn_rope_material, slack, 28);
OFFSET(sn_rope_material, drag, 32);
OFFSET(sn_rope_material, length, 36);
OFFSET(sn_rope_material, slides, 40);
OFFSET(sn_rope_material, friction, 44);

SIZE(sn_rod_material, 88);
OFFSET(sn_rod_material, size, 0);
OFFSET(sn_rod_material, radius, 8);
OFFSET(sn_rod_material, density, 12);
OFFSET(sn_rod_material, young, 16);
OFFSET(sn_rod_material, poisson, 20);
OFFSET(sn_rod_material, damping, 24);
OFFSET(sn_rod_material, break_force, 28);
OFFSET(sn_rod_material, drag, 32);
OFFSET(sn_rod_material, section, 36);
OFFSET(sn_rod_material, width, 40);
OFFSET(sn_rod_material, height, 44);
OFFSET(sn_rod_material, hollow, 48);
OFFSET(sn_rod_material, across, 52);
OFFSET(sn_rod_material, length, 64);
OFFSET(sn_rod_material, model, 68);
OFFSET(sn_rod_material, keeps, 72);
OFFSET(sn_rod_material, plastic_yield, 76);
OFFSET(sn_rod_material, plastic_creep, 80);
OFFSET(sn_rod_material, plastic_limit, 84);

SIZE(sn_cloth_material, 192);
OFFSET(sn_cloth_material, size, 0);
OFFSET(sn_cloth_material, area_density, 8);
OFFSET(sn_cloth_material, stretch_stiffness, 12);
OFFSET(sn_cloth_material, stretch_damping, 16);
OFFSET(sn_cloth_material, model, 20);
OFFSET(sn_cloth_material, warp_stiffness, 24);
OFFSET(sn_cloth_material, weft_stiffness, 28);
OFFSET(sn_cloth_material, shear_stiffness, 32);
OFFSET(sn_cloth_material, poisson, 36);
OFFSET(sn_cloth_material, warp, 40);
OFFSET(sn_cloth_material, area_stiffness, 52);
OFFSET(sn_cloth_material, compression, 56);
OFFSET(sn_cloth_material, strain_limit, 60);
OFFSET(sn_cloth_material, compression_limit, 64);
OFFSET(sn_cloth_material, limits, 68);
OFFSET(sn_cloth_material, tethers, 72);
OFFSET(sn_cloth_material, tether_slack, 76);
OFFSET(sn_cloth_material, tether_path, 80);
OFFSET(sn_cloth_material, bending_stiffness, 84);
OFFSET(sn_cloth_material, bending_damping, 88);
OFFSET(sn_cloth_material, bending, 92);
OFFSET(sn_cloth_material, bending_rest, 96);
OFFSET(sn_cloth_material, bending_yield, 100);
OFFSET(sn_cloth_material, bending_creep, 104);
OFFSET(sn_cloth_material, bending_limit, 108);
OFFSET(sn_cloth_material, thickness, 112);
OFFSET(sn_cloth_material, break_force, 116);
OFFSET(sn_cloth_material, tear_strain, 120);
OFFSET(sn_cloth_material, tear_force, 124);
OFFSET(sn_cloth_material, pressure, 128);
OFFSET(sn_cloth_material, gas_pressure, 132);
OFFSET(sn_cloth_material, gas_leak, 136);
OFFSET(sn_cloth_material, burst_pressure, 140);
OFFSET(sn_cloth_material, drag, 144);
OFFSET(sn_cloth_material, lift, 148);
OFFSET(sn_cloth_material, buoyant, 152);
OFFSET(sn_cloth_material, levels, 156);
OFFSET(sn_cloth_material, volume_local, 160);
OFFSET(sn_cloth_material, volume_opposing, 164);
OFFSET(sn_cloth_material, volume_touching, 168);
OFFSET(sn_cloth_material, volume_steady, 172);
OFFSET(sn_cloth_material, strut_stiffness, 176);
OFFSET(sn_cloth_material, strength, 180);
OFFSET(sn_cloth_material, volume_change, 184);
OFFSET(sn_cloth_material, volume_weight, 188);

SIZE(sn_solid_material, 144);
OFFSET(sn_solid_material, size, 0);
OFFSET(sn_solid_material, density, 8);
OFFSET(sn_solid_material, young, 12);
OFFSET(sn_solid_material, poisson, 16);
OFFSET(sn_solid_material, damping, 20);
OFFSET(sn_solid_material, radius, 24);
OFFSET(sn_solid_material, model, 28);
OFFSET(sn_solid_material, axis, 32);
OFFSET(sn_solid_material, across, 44);
OFFSET(sn_solid_material, stretch_x, 56);
OFFSET(sn_solid_material, stretch_y, 60);
OFFSET(sn_solid_material, stretch_z, 64);
OFFSET(sn_solid_material, shear_yz, 68);
OFFSET(sn_solid_material, shear_zx, 72);
OFFSET(sn_solid_material, shear_xy, 76);
OFFSET(sn_solid_material, volume_stiffness, 80);
OFFSET(sn_solid_material, fibre, 84);
OFFSET(sn_solid_material, fibre_stiffness, 96);
OFFSET(sn_solid_material, activation, 100);
OFFSET(sn_solid_material, contraction, 104);
OFFSET(sn_solid_material, fibre_slack, 108);
OFFSET(sn_solid_material, plastic_yield, 112);
OFFSET(sn_solid_material, plastic_creep, 116);
OFFSET(sn_solid_material, plastic_limit, 120);
OFFSET(sn_solid_material, fracture_stress, 124);
OFFSET(sn_solid_material, poisson_yz, 128);
OFFSET(sn_solid_material, poisson_zx, 132);
OFFSET(sn_solid_material, poisson_xy, 136);

SIZE(sn_shape_material, 72);
OFFSET(sn_shape_material, size, 0);
OFFSET(sn_shape_material, density, 8);
OFFSET(sn_shape_material, young, 12);
OFFSET(sn_shape_material, stiffness, 16);
OFFSET(sn_shape_material, damping, 20);
OFFSET(sn_shape_material, deformation, 24);
OFFSET(sn_shape_material, beta, 28);
OFFSET(sn_shape_material, plastic_yield, 32);
OFFSET(sn_shape_material, plastic_creep, 36);
OFFSET(sn_shape_material, plastic_limit, 40);
OFFSET(sn_shape_material, region, 44);
OFFSET(sn_shape_material, omega, 48);
OFFSET(sn_shape_material, spacing, 52);
OFFSET(sn_shape_material, reach, 56);
OFFSET(sn_shape_material, radius, 60);
OFFSET(sn_shape_material, sums, 64);

SIZE(sn_oriented_material, 80);
OFFSET(sn_oriented_material, size, 0);
OFFSET(sn_oriented_material, density, 8);
OFFSET(sn_oriented_material, radius, 12);
OFFSET(sn_oriented_material, fit, 16);
OFFSET(sn_oriented_material, region, 20);
OFFSET(sn_oriented_material, omega, 24);
OFFSET(sn_oriented_material, reach, 28);
OFFSET(sn_oriented_material, compliance, 32);
OFFSET(sn_oriented_material, stiffness, 36);
OFFSET(sn_oriented_material, damping, 40);
OFFSET(sn_oriented_material, turn, 44);
OFFSET(sn_oriented_material, deformation, 48);
OFFSET(sn_oriented_material, beta, 52);
OFFSET(sn_oriented_material, plastic_yield, 56);
OFFSET(sn_oriented_material, plastic_creep, 60);
OFFSET(sn_oriented_material, plastic_limit, 64);
OFFSET(sn_oriented_material, drag, 68);
OFFSET(sn_oriented_material, lift, 72);
OFFSET(sn_oriented_material, sums, 76);

SIZE(sn_fluid_material, 72);
OFFSET(sn_fluid_material, size, 0);
OFFSET(sn_fluid_material, density, 8);
OFFSET(sn_fluid_material, spacing, 12);
OFFSET(sn_fluid_material, viscosity, 16);
OFFSET(sn_fluid_material, compliance, 20);
OFFSET(sn_fluid_material, artificial_pressure, 24);
OFFSET(sn_fluid_material, vorticity, 28);
OFFSET(sn_fluid_material, surface_tension, 32);
OFFSET(sn_fluid_material, adhesion, 36);
OFFSET(sn_fluid_material, immiscible, 40);
OFFSET(sn_fluid_material, vorticity_kept, 44);
OFFSET(sn_fluid_material, detail_point, 48);
OFFSET(sn_fluid_material, detail_radius, 60);
OFFSET(sn_fluid_material, wall_forces, 64);
OFFSET(sn_fluid_material, coarse_depth, 68);

SIZE(sn_hair_material, 48);
OFFSET(sn_hair_material, size, 0);
OFFSET(sn_hair_material, radius, 8);
OFFSET(sn_hair_material, density, 12);
OFFSET(sn_hair_material, model, 16);
OFFSET(sn_hair_material, reaction, 20);
OFFSET(sn_hair_material, hold, 24);
OFFSET(sn_hair_material, friction, 28);
OFFSET(sn_hair_material, repulsion, 32);
OFFSET(sn_hair_material, cell, 36);
OFFSET(sn_hair_material, drag, 40);
OFFSET(sn_hair_material, level, 44);

SIZE(sn_gas_material, 32);
OFFSET(sn_gas_material, size, 0);
OFFSET(sn_gas_material, density, 8);
OFFSET(sn_gas_material, spacing, 12);
OFFSET(sn_gas_material, drag, 16);
OFFSET(sn_gas_material, viscosity, 20);
OFFSET(sn_gas_material, vorticity, 24);
OFFSET(sn_gas_material, compliance, 28);

SIZE(sn_kind_info, 40);
OFFSET(sn_kind_info, name, 0);
OFFSET(sn_kind_info, meaning, 8);
OFFSET(sn_kind_info, material_size, 16);
OFFSET(sn_kind_info, field_count, 24);
OFFSET(sn_kind_info, fields, 32);

SIZE(sn_preset_info, 32);
OFFSET(sn_preset_info, kind, 0);
OFFSET(sn_preset_info, name, 8);
OFFSET(sn_preset_info, meaning, 16);
OFFSET(sn_preset_info, source, 24);

SIZE(sn_material_map, 24);
OFFSET(sn_material_map, field, 0);
OFFSET(sn_material_map, values, 8);
OFFSET(sn_material_map, count, 16);

SIZE(sn_build_def, 280);
OFFSET(sn_build_def, size, 0);
OFFSET(sn_build_def, mesh, 8);
OFFSET(sn_build_def, position, 16);
OFFSET(sn_build_def, rotation, 28);
OFFSET(sn_build_def, scale, 44);
OFFSET(sn_build_def, velocity, 48);
OFFSET(sn_build_def, angular_velocity, 60);
OFFSET(sn_build_def, pins, 72);
OFFSET(sn_build_def, pin_count, 80);
OFFSET(sn_build_def, maps, 88);
OFFSET(sn_build_def, map_count, 96);
OFFSET(sn_build_def, group, 104);
OFFSET(sn_build_def, body, 112);
OFFSET(sn_build_def, collide, 152);
OFFSET(sn_build_def, surface, 160);
OFFSET(sn_build_def, visible, 256);
OFFSET(sn_build_def, step, 264);
OFFSET(sn_build_def, k_stretch, 268);
OFFSET(sn_build_def, k_bend, 272);

SIZE(sn_build, 88);
OFFSET(sn_build, body, 0);
OFFSET(sn_build, constraints, 8);
OFFSET(sn_build, mass, 16);
OFFSET(sn_build, surface, 24);
OFFSET(sn_build, sheet, 32);
OFFSET(sn_build, tet_mesh, 40);
OFFSET(sn_build, matching, 48);
OFFSET(sn_build, substep_rate, 56);
OFFSET(sn_build, edge_length, 64);
OFFSET(sn_build, tethers, 72);
OFFSET(sn_build, fluid, 76);

SIZE(sn_contact_pair_def, 32);
OFFSET(sn_contact_pair_def, size, 0);
OFFSET(sn_contact_pair_def, static_friction, 8);
OFFSET(sn_contact_pair_def, dynamic_friction, 12);
OFFSET(sn_contact_pair_def, restitution, 16);
OFFSET(sn_contact_pair_def, rolling_resistance, 20);
OFFSET(sn_contact_pair_def, collide, 24);

SIZE(sn_contact, 104);
OFFSET(sn_contact, kind, 0);
OFFSET(sn_contact, phase, 4);
OFFSET(sn_contact, nodes, 8);
OFFSET(sn_contact, weights, 40);
OFFSET(sn_contact, collider, 56);
OFFSET(sn_contact, point, 64);
OFFSET(sn_contact, normal, 76);
OFFSET(sn_contact, impulse, 88);
OFFSET(sn_contact, normal_impulse, 100);

SIZE(sn_crowd, 8);
OFFSET(sn_crowd, slot, 0);
OFFSET(sn_crowd, generation, 4);
OFFSET(sn_crowd, world, 6);

SIZE(sn_crowd_def, 64);
OFFSET(sn_crowd_def, size, 0);
OFFSET(sn_crowd_def, nodes, 8);
OFFSET(sn_crowd_def, node_count, 16);
OFFSET(sn_crowd_def, goals, 24);
OFFSET(sn_crowd_def, plane, 32);
OFFSET(sn_crowd_def, speed, 36);
OFFSET(sn_crowd_def, fastest, 40);
OFFSET(sn_crowd_def, patience, 44);
OFFSET(sn_crowd_def, foresight, 48);
OFFSET(sn_crowd_def, reach, 52);
OFFSET(sn_crowd_def, clearance, 56);
OFFSET(sn_crowd_def, avoidance, 60);

SIZE(sn_blade_def, 96);
OFFSET(sn_blade_def, size, 0);
OFFSET(sn_blade_def, kind, 8);
OFFSET(sn_blade_def, point, 12);
OFFSET(sn_blade_def, normal, 24);
OFFSET(sn_blade_def, radius, 36);
OFFSET(sn_blade_def, from, 40);
OFFSET(sn_blade_def, to, 64);
OFFSET(sn_blade_def, snap, 88);
OFFSET(sn_blade_def, split, 92);

SIZE(sn_damping_group, 8);
OFFSET(sn_damping_group, slot, 0);
OFFSET(sn_damping_group, generation, 4);
OFFSET(sn_damping_group, world, 6);

SIZE(sn_damping_group_def, 32);
OFFSET(sn_damping_group_def, size, 0);
OFFSET(sn_damping_group_def, nodes, 8);
OFFSET(sn_damping_group_def, node_count, 16);
OFFSET(sn_damping_group_def, damping, 24);
OFFSET(sn_damping_group_def, motion, 28);

SIZE(sn_diffusion, 8);
OFFSET(sn_diffusion, slot, 0);
OFFSET(sn_diffusion, generation, 4);
OFFSET(sn_diffusion, world, 6);

SIZE(sn_source, 8);
OFFSET(sn_source, slot, 0);
OFFSET(sn_source, generation, 4);
OFFSET(sn_source, world, 6);

SIZE(sn_diffusion_def, 64);
OFFSET(sn_diffusion_def, size, 0);
OFFSET(sn_diffusion_def, nodes, 8);
OFFSET(sn_diffusion_def, node_count, 16);
OFFSET(sn_diffusion_def, values, 24);
OFFSET(sn_diffusion_def, quantity, 32);
OFFSET(sn_diffusion_def, value, 36);
OFFSET(sn_diffusion_def, spacing, 40);
OFFSET(sn_diffusion_def, diffusivity, 44);
OFFSET(sn_diffusion_def, load, 48);
OFFSET(sn_diffusion_def, melting_point, 52);
OFFSET(sn_diffusion_def, latent, 56);
OFFSET(sn_diffusion_def, modulus, 60);

SIZE(sn_diffusion_measures, 56);
OFFSET(sn_diffusion_measures, mean, 0);
OFFSET(sn_diffusion_measures, least, 8);
OFFSET(sn_diffusion_measures, most, 16);
OFFSET(sn_diffusion_measures, content, 24);
OFFSET(sn_diffusion_measures, received, 32);
OFFSET(sn_diffusion_measures, liquid, 40);
OFFSET(sn_diffusion_measures, bonds, 48);

SIZE(sn_source_def, 80);
OFFSET(sn_source_def, size, 0);
OFFSET(sn_source_def, shape, 8);
OFFSET(sn_source_def, position, 12);
OFFSET(sn_source_def, orientation, 24);
OFFSET(sn_source_def, radius, 40);
OFFSET(sn_source_def, extent, 44);
OFFSET(sn_source_def, quantity, 56);
OFFSET(sn_source_def, value, 60);
OFFSET(sn_source_def, rate, 64);
OFFSET(sn_source_def, exposed, 68);
OFFSET(sn_source_def, start, 72);
OFFSET(sn_source_def, end, 76);

SIZE(sn_dough, 8);
OFFSET(sn_dough, slot, 0);
OFFSET(sn_dough, generation, 4);
OFFSET(sn_dough, world, 6);

SIZE(sn_dough_def, 64);
OFFSET(sn_dough_def, size, 0);
OFFSET(sn_dough_def, nodes, 8);
OFFSET(sn_dough_def, node_count, 16);
OFFSET(sn_dough_def, waiting, 24);
OFFSET(sn_dough_def, spacing, 28);
OFFSET(sn_dough_def, reach, 32);
OFFSET(sn_dough_def, join, 36);
OFFSET(sn_dough_def, tear, 40);
OFFSET(sn_dough_def, compliance, 44);
OFFSET(sn_dough_def, damping, 48);
OFFSET(sn_dough_def, plastic_yield, 52);
OFFSET(sn_dough_def, plastic_creep, 56);
OFFSET(sn_dough_def, plastic_limit, 60);

SIZE(sn_dough_measures, 48);
OFFSET(sn_dough_measures, particles, 0);
OFFSET(sn_dough_measures, clusters, 8);
OFFSET(sn_dough_measures, mass, 16);
OFFSET(sn_dough_measures, seeded, 24);
OFFSET(sn_dough_measures, merged, 32);
OFFSET(sn_dough_measures, pieces, 40);

SIZE(sn_drag, 8);
OFFSET(sn_drag, slot, 0);
OFFSET(sn_drag, generation, 4);
OFFSET(sn_drag, world, 6);

SIZE(sn_drag_def, 32);
OFFSET(sn_drag_def, size, 0);
OFFSET(sn_drag_def, nodes, 8);
OFFSET(sn_drag_def, element_count, 16);
OFFSET(sn_drag_def, corners, 24);
OFFSET(sn_drag_def, drag, 28);

SIZE(sn_effector, 8);
OFFSET(sn_effector, slot, 0);
OFFSET(sn_effector, generation, 4);
OFFSET(sn_effector, world, 6);

SIZE(sn_effector_def, 88);
OFFSET(sn_effector_def, size, 0);
OFFSET(sn_effector_def, kind, 8);
OFFSET(sn_effector_def, shape, 12);
OFFSET(sn_effector_def, position, 16);
OFFSET(sn_effector_def, axis, 28);
OFFSET(sn_effector_def, strength, 40);
OFFSET(sn_effector_def, per_mass, 44);
OFFSET(sn_effector_def, falloff, 48);
OFFSET(sn_effector_def, falloff_length, 52);
OFFSET(sn_effector_def, min_distance, 56);
OFFSET(sn_effector_def, max_distance, 60);
OFFSET(sn_effector_def, linear_drag, 64);
OFFSET(sn_effector_def, quadratic_drag, 68);
OFFSET(sn_effector_def, rest_length, 72);
OFFSET(sn_effector_def, eddy_size, 76);
OFFSET(sn_effector_def, eddy_period, 80);
OFFSET(sn_effector_def, mask, 84);

SIZE(sn_emitter, 8);
OFFSET(sn_emitter, slot, 0);
OFFSET(sn_emitter, generation, 4);
OFFSET(sn_emitter, world, 6);

SIZE(sn_drain, 8);
OFFSET(sn_drain, slot, 0);
OFFSET(sn_drain, generation, 4);
OFFSET(sn_drain, world, 6);

SIZE(sn_emitter_def, 112);
OFFSET(sn_emitter_def, size, 0);
OFFSET(sn_emitter_def, nodes, 8);
OFFSET(sn_emitter_def, node_count, 16);
OFFSET(sn_emitter_def, shape, 24);
OFFSET(sn_emitter_def, position, 28);
OFFSET(sn_emitter_def, orientation, 40);
OFFSET(sn_emitter_def, radius, 56);
OFFSET(sn_emitter_def, extent, 60);
OFFSET(sn_emitter_def, speed, 72);
OFFSET(sn_emitter_def, rate, 76);
OFFSET(sn_emitter_def, start, 80);
OFFSET(sn_emitter_def, end, 84);
OFFSET(sn_emitter_def, jitter, 88);
OFFSET(sn_emitter_def, points, 96);
OFFSET(sn_emitter_def, point_count, 104);

SIZE(sn_emitter_measures, 32);
OFFSET(sn_emitter_measures, emitted, 0);
OFFSET(sn_emitter_measures, volume, 8);
OFFSET(sn_emitter_measures, blocked, 16);
OFFSET(sn_emitter_measures, waiting, 24);

SIZE(sn_drain_def, 64);
OFFSET(sn_drain_def, size, 0);
OFFSET(sn_drain_def, shape, 8);
OFFSET(sn_drain_def, position, 12);
OFFSET(sn_drain_def, orientation, 24);
OFFSET(sn_drain_def, radius, 40);
OFFSET(sn_drain_def, extent, 44);
OFFSET(sn_drain_def, start, 56);
OFFSET(sn_drain_def, end, 60);

SIZE(sn_finite_elements, 8);
OFFSET(sn_finite_elements, slot, 0);
OFFSET(sn_finite_elements, generation, 4);
OFFSET(sn_finite_elements, world, 6);

SIZE(sn_finite_elements_def, 56);
OFFSET(sn_finite_elements_def, size, 0);
OFFSET(sn_finite_elements_def, nodes, 8);
OFFSET(sn_finite_elements_def, node_count, 16);
OFFSET(sn_finite_elements_def, tets, 24);
OFFSET(sn_finite_elements_def, tet_count, 32);
OFFSET(sn_finite_elements_def, young, 40);
OFFSET(sn_finite_elements_def, poisson, 44);
OFFSET(sn_finite_elements_def, density, 48);
OFFSET(sn_finite_elements_def, courant, 52);

SIZE(sn_grid_def, 32);
OFFSET(sn_grid_def, size, 0);
OFFSET(sn_grid_def, width, 8);
OFFSET(sn_grid_def, depth, 12);
OFFSET(sn_grid_def, columns, 16);
OFFSET(sn_grid_def, rows, 20);
OFFSET(sn_grid_def, pattern, 24);

SIZE(sn_sheet_mesh_def, 24);
OFFSET(sn_sheet_mesh_def, size, 0);
OFFSET(sn_sheet_mesh_def, width, 8);
OFFSET(sn_sheet_mesh_def, depth, 12);
OFFSET(sn_sheet_mesh_def, edge_length, 16);

SIZE(sn_disc_def, 24);
OFFSET(sn_disc_def, size, 0);
OFFSET(sn_disc_def, radius, 8);
OFFSET(sn_disc_def, rings, 12);
OFFSET(sn_disc_def, segments, 16);
OFFSET(sn_disc_def, edge_length, 20);

SIZE(sn_outline, 24);
OFFSET(sn_outline, points, 0);
OFFSET(sn_outline, count, 8);
OFFSET(sn_outline, hole, 16);

SIZE(sn_panel_def, 40);
OFFSET(sn_panel_def, size, 0);
OFFSET(sn_panel_def, outlines, 8);
OFFSET(sn_panel_def, outline_count, 16);
OFFSET(sn_panel_def, edge_length, 24);
OFFSET(sn_panel_def, corner_angle, 28);
OFFSET(sn_panel_def, grain, 32);

SIZE(sn_box_def, 32);
OFFSET(sn_box_def, size, 0);
OFFSET(sn_box_def, extent, 8);
OFFSET(sn_box_def, cells, 20);

SIZE(sn_sphere_def, 32);
OFFSET(sn_sphere_def, size, 0);
OFFSET(sn_sphere_def, radius, 8);
OFFSET(sn_sphere_def, level, 12);
OFFSET(sn_sphere_def, edge_length, 16);
OFFSET(sn_sphere_def, stretch, 20);

SIZE(sn_cylinder_def, 32);
OFFSET(sn_cylinder_def, size, 0);
OFFSET(sn_cylinder_def, radius, 8);
OFFSET(sn_cylinder_def, height, 12);
OFFSET(sn_cylinder_def, segments, 16);
OFFSET(sn_cylinder_def, rows, 20);
OFFSET(sn_cylinder_def, capped, 24);

SIZE(sn_torus_def, 24);
OFFSET(sn_torus_def, size, 0);
OFFSET(sn_torus_def, radius, 8);
OFFSET(sn_torus_def, tube, 12);
OFFSET(sn_torus_def, segments, 16);
OFFSET(sn_torus_def, sides, 20);

SIZE(sn_helix_def, 24);
OFFSET(sn_helix_def, size, 0);
OFFSET(sn_helix_def, radius, 8);
OFFSET(sn_helix_def, pitch, 12);
OFFSET(sn_helix_def, turns, 16);
OFFSET(sn_helix_def, segments, 20);

SIZE(sn_strands_def, 88);
OFFSET(sn_strands_def, size, 0);
OFFSET(sn_strands_def, count, 8);
OFFSET(sn_strands_def, density, 12);
OFFSET(sn_strands_def, length, 16);
OFFSET(sn_strands_def, variation, 20);
OFFSET(sn_strands_def, segments, 24);
OFFSET(sn_strands_def, comb, 28);
OFFSET(sn_strands_def, curl_radius, 40);
OFFSET(sn_strands_def, curl_pitch, 44);
OFFSET(sn_strands_def, clearance, 48);
OFFSET(sn_strands_def, direction, 52);
OFFSET(sn_strands_def, within, 64);
OFFSET(sn_strands_def, seed, 68);
OFFSET(sn_strands_def, density_map, 72);
OFFSET(sn_strands_def, length_map, 80);

SIZE(sn_block_def, 40);
OFFSET(sn_block_def, size, 0);
OFFSET(sn_block_def, extent, 8);
OFFSET(sn_block_def, cells, 20);
OFFSET(sn_block_def, pattern, 32);

SIZE(sn_hit, 108);
OFFSET(sn_hit, kind, 0);
OFFSET(sn_hit, collider, 4);
OFFSET(sn_hit, surface, 12);
OFFSET(sn_hit, element, 20);
OFFSET(sn_hit, node_count, 24);
OFFSET(sn_hit, node, 28);
OFFSET(sn_hit, weight, 52);
OFFSET(sn_hit, point, 64);
OFFSET(sn_hit, normal, 76);
OFFSET(sn_hit, velocity, 88);
OFFSET(sn_hit, distance, 100);
OFFSET(sn_hit, fraction, 104);

SIZE(sn_filter_def, 40);
OFFSET(sn_filter_def, size, 0);
OFFSET(sn_filter_def, kinds, 8);
OFFSET(sn_filter_def, groups, 12);
OFFSET(sn_filter_def, skip_inside, 16);
OFFSET(sn_filter_def, accept, 24);
OFFSET(sn_filter_def, user, 32);

SIZE(sn_cast_def, 40);
OFFSET(sn_cast_def, size, 0);
OFFSET(sn_cast_def, origin, 8);
OFFSET(sn_cast_def, direction, 20);
OFFSET(sn_cast_def, length, 32);
OFFSET(sn_cast_def, radius, 36);

SIZE(sn_grab_def, 56);
OFFSET(sn_grab_def, size, 0);
OFFSET(sn_grab_def, node, 8);
OFFSET(sn_grab_def, weight, 32);
OFFSET(sn_grab_def, compliance, 44);
OFFSET(sn_grab_def, damping, 48);
OFFSET(sn_grab_def, break_force, 52);

SIZE(sn_grab, 16);
OFFSET(sn_grab, hand, 0);
OFFSET(sn_grab, constraint, 8);

SIZE(sn_hair, 8);
OFFSET(sn_hair, slot, 0);
OFFSET(sn_hair, generation, 4);
OFFSET(sn_hair, world, 6);

SIZE(sn_hair_def, 72);
OFFSET(sn_hair_def, size, 0);
OFFSET(sn_hair_def, nodes, 8);
OFFSET(sn_hair_def, node_count, 16);
OFFSET(sn_hair_def, lengths, 24);
OFFSET(sn_hair_def, rest, 32);
OFFSET(sn_hair_def, follow, 40);
OFFSET(sn_hair_def, reaction, 44);
OFFSET(sn_hair_def, hold, 48);
OFFSET(sn_hair_def, friction, 52);
OFFSET(sn_hair_def, repulsion, 56);
OFFSET(sn_hair_def, cell, 60);
OFFSET(sn_hair_def, level, 64);

SIZE(sn_hierarchy, 8);
OFFSET(sn_hierarchy, slot, 0);
OFFSET(sn_hierarchy, generation, 4);
OFFSET(sn_hierarchy, world, 6);

SIZE(sn_hierarchy_def, 104);
OFFSET(sn_hierarchy_def, size, 0);
OFFSET(sn_hierarchy_def, nodes, 8);
OFFSET(sn_hierarchy_def, node_count, 16);
OFFSET(sn_hierarchy_def, edges, 24);
OFFSET(sn_hierarchy_def, edge_count, 32);
OFFSET(sn_hierarchy_def, lengths, 40);
OFFSET(sn_hierarchy_def, triangles, 48);
OFFSET(sn_hierarchy_def, triangle_count, 56);
OFFSET(sn_hierarchy_def, rest, 64);
OFFSET(sn_hierarchy_def, levels, 72);
OFFSET(sn_hierarchy_def, finest, 76);
OFFSET(sn_hierarchy_def, sweeps, 80);
OFFSET(sn_hierarchy_def, interval, 84);
OFFSET(sn_hierarchy_def, side, 88);
OFFSET(sn_hierarchy_def, stiffness, 92);
OFFSET(sn_hierarchy_def, slack, 96);

SIZE(sn_period_def, 32);
OFFSET(sn_period_def, size, 0);
OFFSET(sn_period_def, length, 8);
OFFSET(sn_period_def, low, 20);

SIZE(sn_difference, 257);
OFFSET(sn_difference, differs, 0);
OFFSET(sn_difference, sentence, 1);

SIZE(sn_replay_report, 56);
OFFSET(sn_replay_report, calls, 0);
OFFSET(sn_replay_report, steps, 8);
OFFSET(sn_replay_report, differs, 16);
OFFSET(sn_replay_report, step, 24);
OFFSET(sn_replay_report, expected, 32);
OFFSET(sn_replay_report, found, 40);
OFFSET(sn_replay_report, truncated, 48);

SIZE(sn_mass_properties, 48);
OFFSET(sn_mass_properties, volume, 0);
OFFSET(sn_mass_properties, mass, 4);
OFFSET(sn_mass_properties, centre, 8);
OFFSET(sn_mass_properties, moments, 20);
OFFSET(sn_mass_properties, axes, 32);

SIZE(sn_rigid_def, 32);
OFFSET(sn_rigid_def, size, 0);
OFFSET(sn_rigid_def, density, 8);
OFFSET(sn_rigid_def, mass, 12);
OFFSET(sn_rigid_def, body, 16);
OFFSET(sn_rigid_def, group, 24);

SIZE(sn_blend, 112);
OFFSET(sn_blend, size, 0);
OFFSET(sn_blend, count, 8);
OFFSET(sn_blend, most, 16);
OFFSET(sn_blend, particles, 24);
OFFSET(sn_blend, weights, 32);
OFFSET(sn_blend, vertices, 40);
OFFSET(sn_blend, normals, 48);
OFFSET(sn_blend, particle_count, 56);
OFFSET(sn_blend, rest, 64);
OFFSET(sn_blend, orientations, 72);
OFFSET(sn_blend, tet_count, 80);
OFFSET(sn_blend, tets, 88);
OFFSET(sn_blend, allocator, 96);

SIZE(sn_surface, 32);
OFFSET(sn_surface, nodes, 0);
OFFSET(sn_surface, node_count, 8);
OFFSET(sn_surface, triangles, 16);
OFFSET(sn_surface, triangle_count, 24);

SIZE(sn_tear_event, 56);
OFFSET(sn_tear_event, sheet, 0);
OFFSET(sn_tear_event, tet_mesh, 8);
OFFSET(sn_tear_event, node, 16);
OFFSET(sn_tear_event, copy, 24);
OFFSET(sn_tear_event, normal, 32);
OFFSET(sn_tear_event, cause, 44);
OFFSET(sn_tear_event, amount, 48);
OFFSET(sn_tear_event, burst, 52);

SIZE(sn_user_batch, 88);
OFFSET(sn_user_batch, count, 0);
OFFSET(sn_user_batch, x, 8);
OFFSET(sn_user_batch, origin, 16);
OFFSET(sn_user_batch, q, 24);
OFFSET(sn_user_batch, parameter, 32);
OFFSET(sn_user_batch, value, 40);
OFFSET(sn_user_batch, gradient, 48);
OFFSET(sn_user_batch, turn, 56);
OFFSET(sn_user_batch, scale, 64);
OFFSET(sn_user_batch, least, 72);
OFFSET(sn_user_batch, most, 80);

SIZE(sn_user_parameter, 40);
OFFSET(sn_user_parameter, name, 0);
OFFSET(sn_user_parameter, unit, 8);
OFFSET(sn_user_parameter, least, 16);
OFFSET(sn_user_parameter, most, 24);
OFFSET(sn_user_parameter, standard, 32);

SIZE(sn_user_type_def, 80);
OFFSET(sn_user_type_def, size, 0);
OFFSET(sn_user_type_def, name, 8);
OFFSET(sn_user_type_def, nodes, 16);
OFFSET(sn_user_type_def, fixed_nodes, 20);
OFFSET(sn_user_type_def, frames, 24);
OFFSET(sn_user_type_def, rows, 28);
OFFSET(sn_user_type_def, external, 32);
OFFSET(sn_user_type_def, parameter_count, 36);
OFFSET(sn_user_type_def, parameters, 40);
OFFSET(sn_user_type_def, formula, 48);
OFFSET(sn_user_type_def, user, 56);
OFFSET(sn_user_type_def, numerical, 64);
OFFSET(sn_user_type_def, difference, 68);
OFFSET(sn_user_type_def, unit_gradient, 72);
OFFSET(sn_user_type_def, bounded, 73);

SIZE(sn_user_def, 224);
OFFSET(sn_user_def, size, 0);
OFFSET(sn_user_def, node, 8);
OFFSET(sn_user_def, side, 136);
OFFSET(sn_user_def, compliance, 140);
OFFSET(sn_user_def, damping, 144);
OFFSET(sn_user_def, stiffness, 148);
OFFSET(sn_user_def, break_force, 152);
OFFSET(sn_user_def, parameter, 156);

SIZE(sn_sdf_def, 16);
OFFSET(sn_sdf_def, size, 0);
OFFSET(sn_sdf_def, spacing, 8);
OFFSET(sn_sdf_def, margin, 12);

SIZE(sn_sdf_view, 48);
OFFSET(sn_sdf_view, low, 0);
OFFSET(sn_sdf_view, high, 12);
OFFSET(sn_sdf_view, spacing, 24);
OFFSET(sn_sdf_view, points, 28);
OFFSET(sn_sdf_view, values, 40);

SIZE(sn_fill_def, 24);
OFFSET(sn_fill_def, size, 0);
OFFSET(sn_fill_def, kind, 8);
OFFSET(sn_fill_def, spacing, 12);
OFFSET(sn_fill_def, levels, 16);

SIZE(sn_tet_quality, 32);
OFFSET(sn_tet_quality, lowest_angle, 0);
OFFSET(sn_tet_quality, highest_angle, 8);
OFFSET(sn_tet_quality, lowest_ratio, 16);
OFFSET(sn_tet_quality, mean_ratio, 24);

SIZE(sn_embedding, 56);
OFFSET(sn_embedding, size, 0);
OFFSET(sn_embedding, count, 8);
OFFSET(sn_embedding, tets, 16);
OFFSET(sn_embedding, vertices, 24);
OFFSET(sn_embedding, weights, 32);
OFFSET(sn_embedding, allocator, 40);

SIZE(sn_wrinkle_mesh, 8);
OFFSET(sn_wrinkle_mesh, slot, 0);
OFFSET(sn_wrinkle_mesh, generation, 4);
OFFSET(sn_wrinkle_mesh, world, 6);

SIZE(sn_wrinkle_mesh_def, 72);
OFFSET(sn_wrinkle_mesh_def, size, 0);
OFFSET(sn_wrinkle_mesh_def, nodes, 8);
OFFSET(sn_wrinkle_mesh_def, node_count, 16);
OFFSET(sn_wrinkle_mesh_def, triangles, 24);
OFFSET(sn_wrinkle_mesh_def, triangle_count, 32);
OFFSET(sn_wrinkle_mesh_def, rest, 40);
OFFSET(sn_wrinkle_mesh_def, divisions, 48);
OFFSET(sn_wrinkle_mesh_def, radius, 52);
OFFSET(sn_wrinkle_mesh_def, one_sided, 56);
OFFSET(sn_wrinkle_mesh_def, iterations, 60);
OFFSET(sn_wrinkle_mesh_def, stretch, 64);
OFFSET(sn_wrinkle_mesh_def, bending, 68);

VALUE(SN_OK, 0);
VALUE(SN_ERROR_NULL, 1);
VALUE(SN_ERROR_DEFINITION, 2);
VALUE(SN_ERROR_VALUE, 3);
VALUE(SN_ERROR_ID, 4);
VALUE(SN_ERROR_STALE, 5);
VALUE(SN_ERROR_FOREIGN, 6);
VALUE(SN_ERROR_DEGENERATE, 7);
VALUE(SN_ERROR_MEMORY, 8);
VALUE(SN_ERROR_LIMIT, 9);
VALUE(SN_ERROR_LOCKED, 10);
VALUE(SN_ERROR_NAME, 11);
VALUE(SN_ERROR_DATA, 12);
VALUE(SN_ERROR_FILE, 13);

VALUE(SN_LOG_INFO, 0);
VALUE(SN_LOG_WARNING, 1);
VALUE(SN_LOG_ERROR, 2);

VALUE(SN_FIELD_REAL, 0);
VALUE(SN_FIELD_VEC3, 1);
VALUE(SN_FIELD_SIDE, 2);
VALUE(SN_FIELD_CHOICE, 3);
VALUE(SN_FIELD_INT, 4);
VALUE(SN_FIELD_BOOL, 5);
VALUE(SN_FIELD_WORD, 6);
VALUE(SN_FIELD_COUNT, 7);
VALUE(SN_FIELD_QUAT, 8);
VALUE(SN_FIELD_ENDS, 9);
VALUE(SN_FIELD_BODY, 10);

VALUE(SN_ELEMENT_NODE, 0);
VALUE(SN_ELEMENT_INDEX, 1);
VALUE(SN_ELEMENT_REAL, 2);
VALUE(SN_ELEMENT_FIRST, 3);
VALUE(SN_ELEMENT_MEMBER, 4);
VALUE(SN_ELEMENT_NUMBER, 5);
VALUE(SN_ELEMENT_RECORD, 6);

VALUE(SN_SOLVER_COLOURED, 0);
VALUE(SN_SOLVER_REFERENCE, 1);
VALUE(SN_SOLVER_JACOBI, 2);
VALUE(SN_SOLVER_AVERAGED, 3);
VALUE(SN_SOLVER_HYBRID, 4);
VALUE(SN_SOLVER_DIRECT, 5);
VALUE(SN_SOLVER_SPLIT, 6);

VALUE(SN_MODEL_XPBD, 0);
VALUE(SN_MODEL_PBD, 1);

VALUE(SN_INTEGRATOR_BDF1, 0);
VALUE(SN_INTEGRATOR_BDF2, 1);

VALUE(SN_FRICTION_POSITION, 0);
VALUE(SN_FRICTION_VELOCITY, 1);

VALUE(SN_BROAD_AUTO, 0);
VALUE(SN_BROAD_GRID, 1);
VALUE(SN_BROAD_TREE, 2);

VALUE(SN_PLANE_NONE, 0);
VALUE(SN_PLANE_YZ, 1);
VALUE(SN_PLANE_XZ, 2);
VALUE(SN_PLANE_XY, 3);

VALUE(SN_BODY_SOLVER_WORLD, 0);
VALUE(SN_BODY_SOLVER_DIRECT, 1);
VALUE(SN_BODY_SOLVER_CLOSED_FORM, 2);

VALUE(SN_ARCHIVE_U8, 1);
VALUE(SN_ARCHIVE_U16, 2);
VALUE(SN_ARCHIVE_U32, 3);
VALUE(SN_ARCHIVE_U64, 4);
VALUE(SN_ARCHIVE_F32, 5);
VALUE(SN_ARCHIVE_F64, 6);
VALUE(SN_ARCHIVE_REAL, 5);

VALUE(SN_SHAPE_PLANE, 0);
VALUE(SN_SHAPE_SPHERE, 1);
VALUE(SN_SHAPE_CAPSULE, 2);
VALUE(SN_SHAPE_BOX, 3);
VALUE(SN_SHAPE_CYLINDER, 4);
VALUE(SN_SHAPE_MESH, 5);
VALUE(SN_SHAPE_HULL, 6);
VALUE(SN_SHAPE_SDF, 7);
VALUE(SN_SHAPE_HEIGHTS, 8);
VALUE(SN_SHAPE_COMPOUND, 9);

VALUE(SN_DETAIL_SURFACE, 0);
VALUE(SN_DETAIL_POINTS, 1);

VALUE(SN_SIDE_BOTH, 0);
VALUE(SN_SIDE_AT_LEAST, 1);
VALUE(SN_SIDE_AT_MOST, 2);

VALUE(SN_LIST_NONE, 0);
VALUE(SN_LIST_RING, 1);
VALUE(SN_LIST_SURFACE, 2);
VALUE(SN_LIST_REGION, 3);
VALUE(SN_LIST_FAN, 4);
VALUE(SN_LIST_PATH, 5);

VALUE(SN_TYPE_DISTANCE, 0);
VALUE(SN_TYPE_ATTACHMENT, 1);
VALUE(SN_TYPE_TET_VOLUME, 2);
VALUE(SN_TYPE_ISOMETRIC_BENDING, 3);
VALUE(SN_TYPE_STRETCH_SHEAR, 4);
VALUE(SN_TYPE_BEND_TWIST, 5);
VALUE(SN_TYPE_FRAME_ATTACHMENT, 6);
VALUE(SN_TYPE_DIHEDRAL_BENDING, 7);
VALUE(SN_TYPE_TRIANGLE_AREA, 8);
VALUE(SN_TYPE_VERTEX_BENDING, 9);
VALUE(SN_TYPE_SURFACE_VOLUME, 10);
VALUE(SN_TYPE_STRAIN_TRIANGLE, 11);
VALUE(SN_TYPE_ELASTIC_TRIANGLE, 12);
VALUE(SN_TYPE_STRAIN_LIMIT_TRIANGLE, 13);
VALUE(SN_TYPE_TETHER, 14);
VALUE(SN_TYPE_POINT_ATTACHMENT, 15);
VALUE(SN_TYPE_EDGE_ATTACHMENT, 16);
VALUE(SN_TYPE_SEAM, 17);
VALUE(SN_TYPE_NEO_HOOKEAN_TET, 18);
VALUE(SN_TYPE_COROTATED_TET, 19);
VALUE(SN_TYPE_SHAPE_MATCH, 20);
VALUE(SN_TYPE_ELASTIC_TET, 21);
VALUE(SN_TYPE_STRAIN_TET, 22);
VALUE(SN_TYPE_FIBRE_TET, 23);
VALUE(SN_TYPE_OFFSET_ATTACHMENT, 24);
VALUE(SN_TYPE_EDGE_SEAM, 25);
VALUE(SN_TYPE_PLATE_BENDING, 26);
VALUE(SN_TYPE_BALL_JOINT, 27);
VALUE(SN_TYPE_FIXED_JOINT, 28);
VALUE(SN_TYPE_HINGE_JOINT, 29);
VALUE(SN_TYPE_SLIDER_JOINT, 30);
VALUE(SN_TYPE_CYLINDRICAL_JOINT, 31);
VALUE(SN_TYPE_UNIVERSAL_JOINT, 32);
VALUE(SN_TYPE_PLANAR_JOINT, 33);
VALUE(SN_TYPE_TURN_DRIVE, 34);
VALUE(SN_TYPE_SLIDE_DRIVE, 35);
VALUE(SN_TYPE_DISTANCE_JOINT, 36);
VALUE(SN_TYPE_GEAR_JOINT, 37);
VALUE(SN_TYPE_RACK_JOINT, 38);
VALUE(SN_TYPE_WHEEL_JOINT, 39);
VALUE(SN_TYPE_PULLEY, 40);
VALUE(SN_TYPE_EXPONENTIAL_SPRING, 41);
VALUE(SN_TYPE_ORTHOTROPIC_TET, 42);
VALUE(SN_TYPE_QUADRATIC_TET, 43);
VALUE(SN_TYPE_GHOST_POINT, 44);
VALUE(SN_TYPE_DARBOUX, 45);
VALUE(SN_TYPE_LACE, 46);
VALUE(SN_TYPE_COUNT, 47);
VALUE(SN_TYPE_USER, 1000);
VALUE(SN_TYPE_USER_LAST, 1063);

VALUE(SN_SEW_IN_ORDER, 0);
VALUE(SN_SEW_NEAREST, 1);
VALUE(SN_SEW_EDGES, 2);

VALUE(SN_AUDIT_STORED, 0);
VALUE(SN_AUDIT_BEGAN, 1);
VALUE(SN_AUDIT_WORK, 2);
VALUE(SN_AUDIT_LOSS, 3);
VALUE(SN_AUDIT_REST, 4);

VALUE(SN_MESH_VERTEX_NOT_FINITE, 0);
VALUE(SN_MESH_TRIANGLE_INDEX, 1);
VALUE(SN_MESH_TET_INDEX, 2);
VALUE(SN_MESH_LINE_INDEX, 3);
VALUE(SN_MESH_TRIANGLE_REPEATED, 4);
VALUE(SN_MESH_TET_REPEATED, 5);
VALUE(SN_MESH_LINE_REPEATED, 6);
VALUE(SN_MESH_TRIANGLE_DUPLICATE, 7);
VALUE(SN_MESH_TET_DUPLICATE, 8);
VALUE(SN_MESH_LINE_DUPLICATE, 9);
VALUE(SN_MESH_TRIANGLE_FLAT, 10);
VALUE(SN_MESH_TET_FLAT, 11);
VALUE(SN_MESH_LINE_FLAT, 12);
VALUE(SN_MESH_TET_INVERTED, 13);
VALUE(SN_MESH_EDGE_CROWDED, 14);
VALUE(SN_MESH_EDGE_WINDING, 15);
VALUE(SN_MESH_VERTEX_FANS, 16);
VALUE(SN_MESH_PIECE_INSIDE_OUT, 17);
VALUE(SN_MESH_VERTEX_COINCIDENT, 18);
VALUE(SN_MESH_VERTEX_UNUSED, 19);
VALUE(SN_MESH_EDGE_BOUNDARY, 20);
VALUE(SN_MESH_FINDING_COUNT, 21);

VALUE(SN_SHEET_REGIONS_ELEMENTS, 0);
VALUE(SN_SHEET_REGIONS_OVERLAPPING, 1);

VALUE(SN_SHAPE_MATCHING_RIGID, 0);
VALUE(SN_SHAPE_MATCHING_LINEAR, 1);

VALUE(SN_SHAPE_MATCHING_TURN_MEAN, 0);
VALUE(SN_SHAPE_MATCHING_TURN_CENTRE, 1);

VALUE(SN_REGION_SUMS_AUTO, 0);
VALUE(SN_REGION_SUMS_DIRECT, 1);
VALUE(SN_REGION_SUMS_LATTICE, 2);
VALUE(SN_REGION_SUMS_PATHS, 3);
VALUE(SN_REGION_SUMS_OCTREE, 4);

VALUE(SN_SHEET_PATH_GEODESIC, 0);
VALUE(SN_SHEET_PATH_STRAIGHT, 1);

VALUE(SN_KIND_PARTICLES, 0);
VALUE(SN_KIND_ROPE, 1);
VALUE(SN_KIND_ROD, 2);
VALUE(SN_KIND_CLOTH, 3);
VALUE(SN_KIND_SOLID, 4);
VALUE(SN_KIND_SHAPE, 5);
VALUE(SN_KIND_ORIENTED, 6);
VALUE(SN_KIND_FLUID, 7);
VALUE(SN_KIND_HAIR, 8);
VALUE(SN_KIND_GAS, 9);
VALUE(SN_KIND_COUNT, 10);

VALUE(SN_COLLIDE_NONE, 0);
VALUE(SN_COLLIDE_OTHERS, 1);
VALUE(SN_COLLIDE_ALL, 2);

VALUE(SN_CONTACT_POINT_POINT, 0);
VALUE(SN_CONTACT_POINT_SEGMENT, 1);
VALUE(SN_CONTACT_POINT_TRIANGLE, 2);
VALUE(SN_CONTACT_EDGE_EDGE, 3);
VALUE(SN_CONTACT_TRIANGLE_COLLIDER, 4);
VALUE(SN_CONTACT_NODE_COLLIDER, 5);
VALUE(SN_CONTACT_RIGID, 6);

VALUE(SN_CONTACT_BEGIN, 0);
VALUE(SN_CONTACT_STAY, 1);
VALUE(SN_CONTACT_END, 2);

VALUE(SN_BLADE_PLANE, 0);
VALUE(SN_BLADE_SWEEP, 1);

VALUE(SN_DAMPED_ALL, 0);
VALUE(SN_DAMPED_RADIAL, 1);

VALUE(SN_SOURCE_BOX, 0);
VALUE(SN_SOURCE_SPHERE, 1);
VALUE(SN_SOURCE_HALF_SPACE, 2);
VALUE(SN_SOURCE_EVERYWHERE, 3);

VALUE(SN_EFFECTOR_RADIAL, 0);
VALUE(SN_EFFECTOR_DIRECTIONAL, 1);
VALUE(SN_EFFECTOR_VORTEX, 2);
VALUE(SN_EFFECTOR_TURBULENCE, 3);
VALUE(SN_EFFECTOR_DRAG, 4);
VALUE(SN_EFFECTOR_HARMONIC, 5);

VALUE(SN_EFFECTOR_POINT, 0);
VALUE(SN_EFFECTOR_LINE, 1);
VALUE(SN_EFFECTOR_PLANE, 2);

VALUE(SN_EMITTER_DISC, 0);
VALUE(SN_EMITTER_RECTANGLE, 1);
VALUE(SN_EMITTER_BOX, 2);
VALUE(SN_EMITTER_SPHERE, 3);
VALUE(SN_EMITTER_MESH, 4);

VALUE(SN_DRAIN_BOX, 0);
VALUE(SN_DRAIN_SPHERE, 1);
VALUE(SN_DRAIN_HALF_SPACE, 2);

VALUE(SN_GRID_ALTERNATING, 0);
VALUE(SN_GRID_SAME, 1);
VALUE(SN_GRID_CROSSED, 2);
VALUE(SN_GRID_EQUILATERAL, 3);

VALUE(SN_BLOCK_FIVE, 0);
VALUE(SN_BLOCK_SIX, 1);

VALUE(SN_HIT_NONE, 0);
VALUE(SN_HIT_NODE, 1);
VALUE(SN_HIT_COLLIDER, 2);
VALUE(SN_HIT_SURFACE, 4);

VALUE(SN_TEAR_STRAIN, 0);
VALUE(SN_TEAR_FORCE, 1);
VALUE(SN_TEAR_BREAK, 2);
VALUE(SN_TEAR_LOOSE, 3);
VALUE(SN_TEAR_STRESS, 4);

VALUE(SN_FILL_LATTICE, 0);
VALUE(SN_FILL_CONFORMING, 1);
VALUE(SN_FILL_CUBES, 2);
VALUE(SN_FILL_FITTED, 3);

#endif
