/* The objects of a scene file as structs, as sn_scene_read fills them by the tables. */
#ifndef SN_IO_SCENE_SCENE_PARTS_H
#define SN_IO_SCENE_SCENE_PARTS_H

#include "io/scene/scene_fields.h"

#include <sinew/attach.h>
#include <sinew/rigid.h>
#include <sinew_io/look.h>
#include <sinew_io/robot.h>

/* The most bytes of a constraint definition or a material; checked where the tables are made. */
enum { SCENE_DEF_BYTES = 512 };

typedef union scene_bytes {
    max_align_t align;
    unsigned char bytes[SCENE_DEF_BYTES];
} scene_bytes;

typedef struct scene_run {
    int frames, fps;
    int quality;        /* an sn_quality, less one */
    sn_real picture_at; /* s */
} scene_run;

typedef struct scene_parameter_part {
    const json_node *value;
    const char *unit, *meaning;
    sn_real least, most;
} scene_parameter_part;

typedef struct scene_mesh_file {
    const char *path, *format;
    sn_real scale, weld;
    int up;
} scene_mesh_file;

typedef struct scene_mesh_rope {
    sn_vec3 start, end;
    int segments;
} scene_mesh_rope;

typedef struct scene_mesh_lattice {
    sn_vec3 extent;
    sn_real spacing;
    const json_node *balls, *inside;
} scene_mesh_lattice;

typedef struct scene_mesh_clumps {
    sn_vec3 extent;
    sn_real spacing, radius;
    int balls, seed;
} scene_mesh_clumps;

typedef struct scene_mesh_ring {
    sn_real radius;
    int segments;
} scene_mesh_ring;

typedef struct scene_mesh_spline {
    const json_node *points;
    bool closed;
    int segments;
} scene_mesh_spline;

typedef struct scene_mesh_strands {
    const json_node *surface, *maps;
    sn_strands_def def;
} scene_mesh_strands;

typedef struct scene_mesh_points {
    const json_node *positions, *triangles, *lines, *tets;
} scene_mesh_points;

typedef struct scene_outline_part {
    const json_node *points;
    bool hole;
} scene_outline_part;

typedef struct scene_mesh_panel {
    const json_node *outlines;
    sn_panel_def def;
} scene_mesh_panel;

typedef struct scene_mesh_fill {
    const json_node *surface;
    sn_real spacing;
    bool conform, cubes, blend;
    int32_t levels;
    sn_real grading;
    const json_node *fine;
} scene_mesh_fill;

typedef struct scene_mesh_midpoints {
    const json_node *of;
} scene_mesh_midpoints;

typedef struct scene_mesh_skinned {
    const json_node *surface, *graph;
} scene_mesh_skinned;

typedef struct scene_mesh_wrinkled {
    const json_node *surface;
    sn_wrinkle_mesh_def def;
} scene_mesh_wrinkled;

typedef struct scene_material {
    const char *preset;
    scene_bytes fields;
} scene_material;

typedef struct scene_copies {
    uint32_t count[3];
    sn_vec3 step;
} scene_copies;

struct scene_children;
typedef struct scene_body_part {
    const char *name, *surface;
    const json_node *mesh, *material, *pins, *clamps, *copies, *contact, *maps, *weak_edges,
        *children, *foam;
    sn_vec3 position, velocity, angular_velocity;
    sn_quat rotation;
    sn_real scale, k_stretch, k_bend;
    int group, collide;
    sn_body_def body;
    sn_io_look look;
    const char *texture;
    const struct scene_children *grown; /* of `children`; null without */
} scene_body_part;

typedef struct scene_children_part {
    int count;
    sn_real clump, parting;
} scene_children_part;

/* Rates are of each particle, 1/s; air in m/s, crests without unit, speeds in m/s. */
typedef struct scene_foam_part {
    sn_real air_rate, air_low, air_high;
    sn_real crest_rate, crest_low, crest_high;
    sn_real speed_low, speed_high;
    sn_real lifetime, buoyancy, drag, radius;
    int most;
} scene_foam_part;

typedef struct scene_map_part {
    const char *field, *group;
    const json_node *value, *values, *vertices;
    sn_real taper; /* 1, what is left at the end of a chain of lines */
} scene_map_part;

typedef struct scene_weak_part {
    const json_node *line, *between;
    sn_real strength;
} scene_weak_part;

typedef struct scene_contact_part {
    sn_collision_surface_def def;
    const json_node *groups;
} scene_contact_part;

typedef struct scene_node_part {
    const char *name, *body;
    sn_node_def def;
    sn_real mass;
    sn_vec3 radii, colour;
    int group;
} scene_node_part;

/* Whether something begins enabled, and the times at which that changes. */
typedef struct scene_switch_part {
    bool enabled;
    const json_node *switches;
} scene_switch_part;

typedef struct scene_switch {
    sn_real time;
    bool enabled;
} scene_switch;

typedef struct scene_constraint_part {
    const char *name;
    const json_node *nodes, *triangles;
    sn_real shown;          /* m */
    sn_vec3 colour;         /* of what is shown */
    const char *expression; /* of a formula */
    const json_node *names; /* of its nodes */
    scene_switch_part power;
    scene_bytes def;
} scene_constraint_part;

/* What a shape of a collider is made of. */
struct scene_mesh;
typedef struct scene_geometry {
    const json_node *mesh, *heights;
    const struct scene_mesh *made; /* of `mesh`; null without */
    sn_real scale, spacing;
    bool two_sided;
} scene_geometry;

typedef struct scene_collider_part {
    const char *name, *surface;
    sn_collider_def def;
    scene_geometry geometry;
    const json_node *groups, *parts, *animation, *carrier, *copies;
    sn_rigid_def rigid; /* counts where its mass or density is said */
    int group;          /* of its node then */
    sn_io_look look;
    const char *texture;
} scene_collider_part;

/* A joint of a robot, and the drive that moves it where one of the last is said. */
typedef struct scene_robot_joint_part {
    const char *name;
    sn_real start, target, speed, most_force, compliance, damping;
} scene_robot_joint_part;

typedef struct scene_robot_part {
    const char *name, *path;
    sn_io_robot_place place;
    const json_node *groups, *joints;
    int group, up, base;
    bool hold;
} scene_robot_part;

typedef struct scene_animation_part {
    const char *path, *format, *clip;
    sn_real start, speed, scale, weld, fps;
    int up;
    bool repeat;
} scene_animation_part;

typedef struct scene_surface_part {
    const json_node *between;
    sn_contact_pair_def def;
} scene_surface_part;

typedef struct scene_ignore_part {
    const json_node *between;
} scene_ignore_part;
/* One of the shapes of a compound. */
typedef struct scene_piece_part {
    int shape;
    sn_collider_part part;
    scene_geometry geometry;
} scene_piece_part;

typedef struct scene_attachment_part {
    const json_node *nodes, *node;
    const char *body, *collider;
    sn_attach_def def; /* compliance, damping, break_force and offset count */
    sn_real from, until;
    scene_switch_part power;
} scene_attachment_part;

typedef struct scene_seam_part {
    const json_node *a, *b;
    sn_sew_def def;
    scene_switch_part power;
} scene_seam_part;

typedef struct scene_animation_target_part {
    const char *body, *collider;
    sn_vec3 growth, origin;
    sn_animation_target_vertex vertex;
    sn_animation_target_def def;
} scene_animation_target_part;

typedef struct scene_hierarchy_part {
    const json_node *nodes;
    sn_hierarchy_def def;
} scene_hierarchy_part;

/* How the regions of a shape matching are made, in the order of their names. */
enum { SCENE_REGIONS_WHOLE, SCENE_REGIONS_BALLS, SCENE_REGIONS_CUBES };

typedef struct scene_shape_matching_part {
    const json_node *nodes;
    int regions, omega;
    sn_real radius, spacing;
    sn_shape_matching_def def;
} scene_shape_matching_part;

typedef struct scene_damping_group_part {
    const json_node *nodes;
    sn_damping_group_def def;
} scene_damping_group_part;

typedef struct scene_crowd_part {
    const json_node *nodes;
    sn_vec3 goal, walk;
    sn_crowd_def def;
} scene_crowd_part;

typedef struct scene_dough_part {
    const json_node *nodes, *reserve;
    sn_dough_def def;
} scene_dough_part;

typedef struct scene_fluid_part {
    const json_node *nodes;
    sn_fluid_def def;
} scene_fluid_part;

typedef struct scene_air_mesh_part {
    const json_node *bodies;
    sn_air_mesh_def def;
} scene_air_mesh_part;

typedef struct scene_emitter_part {
    const char *name;
    const json_node *nodes, *mesh;
    sn_emitter_def def;
} scene_emitter_part;

typedef struct scene_drain_part {
    const char *name;
    sn_drain_def def;
} scene_drain_part;

/* How what carries a quantity looks: colours in sRGB at two values; automatic: none is said. */
typedef struct scene_tint {
    sn_real low, high;
    sn_vec3 low_colour, high_colour;
} scene_tint;

typedef struct scene_diffusion_part {
    const char *name;
    const json_node *nodes;
    int quantity;
    scene_tint tint;
    sn_diffusion_def def;
} scene_diffusion_part;

typedef struct scene_source_part {
    int quantity;
    sn_source_def def;
} scene_source_part;

typedef struct scene_effector_part {
    const json_node *groups;
    sn_effector_def def;
} scene_effector_part;

typedef struct scene_force_part {
    const json_node *nodes;
    sn_vec3 force, torque;
    bool shared;
    sn_real from, until;
} scene_force_part;

typedef struct scene_motion_part {
    const json_node *nodes, *keys, *colliders;
    const char *collider, *animation_target;
    sn_vec3 pivot;
    int interpolation;
    bool repeat;
} scene_motion_part;

typedef struct scene_key {
    sn_real time;
    sn_vec3 position;
    sn_quat rotation;
} scene_key;

typedef struct scene_muscle_part {
    const char *body;
    const json_node *keys;
    int interpolation;
    bool repeat;
} scene_muscle_part;

/* A value that changes; of a number, x of the keys counts. */
typedef struct scene_curve_part {
    const json_node *keys;
    int interpolation;
    bool repeat;
} scene_curve_part;

typedef struct scene_curve_key {
    sn_real time;
    sn_vec3 value;
} scene_curve_key;

typedef struct scene_pulse {
    sn_real time, activation;
} scene_pulse;

/* A plane at a time, or a blade that moves by its keys. */
typedef struct scene_cut_part {
    const char *body;
    sn_real time;
    sn_blade_def blade;
    sn_vec3 start, end, pivot;
    const json_node *keys;
    int interpolation;
} scene_cut_part;

typedef struct scene_action_part {
    sn_real time;
    const json_node *pin, *release, *remove, *settings, *velocity, *impulse, *constraint;
} scene_action_part;

typedef struct scene_change_part {
    const json_node *nodes;
    sn_vec3 value;
} scene_change_part;

typedef struct scene_box {
    sn_vec3 least, most;
} scene_box;

typedef struct scene_ball {
    sn_vec3 centre;
    sn_real radius;
} scene_ball;

typedef struct scene_pick {
    const char *body, *group;
    const json_node *vertices, *box, *sphere;
    bool outside;
} scene_pick;

typedef struct scene_measure_part {
    const char *name;
    const json_node *nodes;
    const char *constraint, *collider;
    int quantity;
} scene_measure_part;

typedef struct scene_probe_part {
    const char *name;
    int ask, objects;
    sn_vec3 origin, direction, extent;
    sn_real length, radius;
    const json_node *groups;
    bool skip_inside;
} scene_probe_part;

/* What a probe asks, in the order of their names. */
enum { SCENE_PROBE_CAST, SCENE_PROBE_OVERLAP, SCENE_PROBE_CLOSEST };

typedef struct scene_camera_part {
    sn_vec3 eye, target, up;
    sn_real field_of_view;
    const json_node *keys;
} scene_camera_part;

typedef struct scene_root {
    int version;
    const char *title, *about;
    const json_node *include, *parameters, *run, *settings, *materials, *meshes, *bodies, *nodes;
    const json_node *colliders, *constraints, *damping_groups, *crowds, *hierarchies,
        *shape_matchings, *forces, *motions, *actions, *measure, *cameras, *surfaces, *ignore,
        *attachments, *seams, *animation_targets, *cuts, *muscles, *probes, *animations, *lights,
        *ground, *background, *robots, *emitters, *drains, *air_meshes, *diffusions, *sources,
        *effectors, *doughs, *fluids, *period;
} scene_root;

/* Quantities of a measurement, in the order of their names. */
enum {
    SCENE_MEASURE_POSITION,
    SCENE_MEASURE_VELOCITY,
    SCENE_MEASURE_SPEED,
    SCENE_MEASURE_FORCE,
    SCENE_MEASURE_VALUE,
    SCENE_MEASURE_CONTACT_FORCE
};

/* ---- The tables ---- */

extern const scene_object sn_scene_surface_object, sn_scene_ignore_object,
    sn_scene_attachment_object, sn_scene_seam_object, sn_scene_animation_target_object,
    sn_scene_switch_object, sn_scene_cut_object, sn_scene_muscle_object, sn_scene_pulse_object,
    sn_scene_curve_object, sn_scene_vector_curve_object, sn_scene_curve_key_object,
    sn_scene_vector_key_object, sn_scene_probe_object, sn_scene_root_object,
    sn_scene_constraint_object, sn_scene_material_object, sn_scene_animation_object,
    sn_scene_robot_object, sn_scene_robot_joint_object;
extern const scene_object sn_scene_period_object, sn_scene_settings_object,
    sn_scene_collider_object, sn_scene_run_object, sn_scene_piece_object, sn_scene_body_object,
    sn_scene_node_object, sn_scene_damping_group_object, sn_scene_crowd_object,
    sn_scene_hierarchy_object, sn_scene_shape_matching_object, sn_scene_force_object,
    sn_scene_motion_object, sn_scene_key_object, sn_scene_change_object, sn_scene_measure_object,
    sn_scene_camera_object, sn_scene_camera_key_object, sn_scene_light_object,
    sn_scene_ground_object, sn_scene_background_object, sn_scene_copies_object,
    sn_scene_contact_object, sn_scene_map_object, sn_scene_weak_object, sn_scene_children_object,
    sn_scene_foam_object, sn_scene_box_object, sn_scene_ball_object, sn_scene_pick_object,
    sn_scene_parameter_object, sn_scene_mesh_object, sn_scene_outline_object,
    sn_scene_action_object, sn_scene_emitter_object, sn_scene_drain_object,
    sn_scene_air_mesh_object, sn_scene_diffusion_object, sn_scene_source_object,
    sn_scene_effector_object, sn_scene_dough_object, sn_scene_fluid_object;

/* The root object, and with it those whose fields come from the lists of the library. */
typedef struct scene_tables {
    scene_object root, constraint, material;
    scene_object body, contact, damping_group, crowd, hierarchy, shape_matching;
    scene_object animation_target, air_mesh, dough, fluid;
    scene_object settings, node, collider, surface, cut, action, robot, emitter, drain, diffusion,
        source, effector;
    scene_object formula;                                        /* what can be set of one */
    scene_object types[SN_TYPE_COUNT + 1], kinds[SN_KIND_COUNT]; /* after types the formula */
    scene_field *fields;                                         /* of all of these */
    char (*standards)[24];                                       /* their defaults as text */
} scene_tables;

/* What of a material can change while a scene runs (scene_material_changes.c). */
bool sn_scene_material_changes(sn_kind kind, const char *field);

sn_result sn_scene_tables_create(scene_tables *tables);
/* The fields of an object of the library that a scene could say, with their defaults as text, for
   which there is room; returns how many. */
size_t sn_scene_list_fields(const sn_object_info *info, scene_field *fields, char (*standards)[24]);
void sn_scene_tables_free(scene_tables *tables);

/* All objects, in the order of the documentation; `list` has room for SCENE_OBJECTS. */
enum { SCENE_OBJECTS = 64 };
size_t sn_scene_object_list(const scene_tables *tables, const scene_object *list[SCENE_OBJECTS]);

#endif
