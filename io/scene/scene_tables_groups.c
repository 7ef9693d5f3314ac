/* What nodes and groups of them may say beside the fields of their definitions. */
#include "io/scene/scene_rows.h"

static const scene_field node_fields[] = {
    FIELD(TEXT, "name", scene_node_part, name, "\"\"", "by which constraints and others name it"),
    REAL_OR_AUTO("mass", scene_node_part, mass, "kg", 0, MAX, "1",
                 "above 0; \"auto\" makes the node kinematic"),
    INT("group", scene_node_part, group, "", 0, 2147483647, "0",
        "any number; `groups` of colliders, contacts and probes name those that count"),
    FIELD(TEXT, "body", scene_node_part, body, "\"\"",
          "the body whose gravity and damping it shares"),
    VEC3("radii", scene_node_part, radii, "m", 0, MAX, "none",
         "half axes of an ellipsoid, of an oriented node; the radius is then the largest"),
    VEC3_OR_AUTO("colour", scene_node_part, colour, "1", 0, 1, "\"auto\"",
                 "in pictures and exports: red, green and blue in sRGB; automatic: one that all "
                 "share, or grey where others have one")};
const scene_object sn_scene_node_object = PLAIN("node", "a single node", node_fields);

static const scene_field damping_group_fields[] = {
    FIELD(NODES, "nodes", scene_damping_group_part, nodes, NULL, "the members")};
const scene_object sn_scene_damping_group_object =
    PLAIN("damping_group", "nodes whose motion among each other is damped", damping_group_fields);

static const scene_field crowd_fields[] = {
    FIELD(NODES, "nodes", scene_crowd_part, nodes, NULL,
          "the agents, with the radii that they have"),
    VEC3_OR_AUTO("goal", scene_crowd_part, goal, "m", -MAX, MAX, "\"auto\"",
                 "where all of them go; automatic: each from where it starts, as `walk` says"),
    VEC3("walk", scene_crowd_part, walk, "m", -MAX, MAX, "[0, 0, 0]",
         "from where each agent starts to where it goes")};
const scene_object sn_scene_crowd_object =
    PLAIN("crowd", "agents that walk to goals in a plane, and keep out of each other's way",
          crowd_fields);

static const scene_field dough_fields[] = {
    FIELD(NODES, "nodes", scene_dough_part, nodes, NULL, "the particles"),
    FIELD(NODES, "reserve", scene_dough_part, reserve, "[]",
          "more of them, which wait until they are needed")};
const scene_object sn_scene_dough_object =
    PLAIN("dough", "particles in clusters that flow, tear and join", dough_fields);

static const scene_field fluid_fields[] = {
    FIELD(NODES, "nodes", scene_fluid_part, nodes, NULL,
          "of any bodies that are in no other fluid, such as layers of cloth")};
const scene_object sn_scene_fluid_object =
    PLAIN("fluid", "nodes of any bodies that keep their density, see docs/methods/overlays.md",
          fluid_fields);

static const scene_field period_fields[] = {
    VEC3("length", sn_period_def, length, "m", 0, MAX, "[0, 0, 0]",
         "sides of the box; along an axis with 0 the world has no end"),
    VEC3("low", sn_period_def, low, "m", -MAX, MAX, "[0, 0, 0]",
         "the corner of the box with the least coordinates")};
const scene_object sn_scene_period_object =
    PLAIN("period", "a box whose opposite sides are one, for particles of fluids, gases and grains",
          period_fields);

static const scene_field air_mesh_fields[] = {
    FIELD(TEXTS, "bodies", scene_air_mesh_part, bodies, NULL,
          "between which and around which the air is; a name of copies means all of them")};
const scene_object sn_scene_air_mesh_object =
    PLAIN("air_mesh",
          "air between bodies, in triangles or tetrahedra that do not turn over: bodies stay on "
          "the side of each other on which they begin",
          air_mesh_fields);

static const scene_field emitter_fields[] = {
    FIELD(TEXT, "name", scene_emitter_part, name, "\"emitter\"", "of its columns in statistics"),
    FIELD(NODES, "nodes", scene_emitter_part, nodes, NULL,
          "the reserve: particles of one fluid, or loose ones, which wait until they appear"),
    FIELD(ROTATION, "rotation", scene_emitter_part, def.orientation, "[0, 0, 0, 1]",
          "particles go along y of its frame"),
    PART(NAME_OR, "mesh", scene_emitter_part, mesh, &sn_scene_mesh_object, "none",
         "of a mesh: one with a closed surface, which is filled, or with points alone, at which "
         "particles appear; or its name")};
const scene_object sn_scene_emitter_object =
    PLAIN("emitter", "a nozzle or a volume in which particles appear", emitter_fields);

static const scene_field drain_fields[] = {
    FIELD(TEXT, "name", scene_drain_part, name, "\"drain\"", "of its column in statistics"),
    FIELD(ROTATION, "rotation", scene_drain_part, def.orientation, "[0, 0, 0, 1]",
          "from its frame to the world's")};
const scene_object sn_scene_drain_object =
    PLAIN("drain", "where particles of fluids and emitters go", drain_fields);

static const scene_field diffusion_fields[] = {
    FIELD(TEXT, "name", scene_diffusion_part, name, "\"diffusion\"",
          "of its columns in statistics"),
    FIELD(NODES, "nodes", scene_diffusion_part, nodes, NULL, "that carry the quantity"),
    INT("quantity", scene_diffusion_part, quantity, "1", 0, 1000000, "0",
        "which it is: nodes and sources of one number exchange it"),
    REAL("low", scene_diffusion_part, tint.low, "1", -MAX, MAX, "0",
         "value at which nodes have `low_colour`"),
    REAL("high", scene_diffusion_part, tint.high, "1", -MAX, MAX, "1",
         "value at which nodes have `high_colour`; between the two, colours are mixed"),
    VEC3_OR_AUTO("low_colour", scene_diffusion_part, tint.low_colour, "1", 0, 1, "\"auto\"",
                 "red, green and blue in sRGB of what has little; auto: that of the body"),
    VEC3_OR_AUTO("high_colour", scene_diffusion_part, tint.high_colour, "1", 0, 1, "\"auto\"",
                 "of what has much; auto: that of the body")};
const scene_object sn_scene_diffusion_object =
    PLAIN("diffusion", "a quantity that nodes carry, and what melts by it", diffusion_fields);

static const scene_field source_fields[] = {FIELD(ROTATION, "rotation", scene_source_part,
                                                  def.orientation, "[0, 0, 0, 1]",
                                                  "from its frame to the world's"),
                                            INT("quantity", scene_source_part, quantity, "1", 0,
                                                1000000, "0", "that of the diffusions it acts on")};
const scene_object sn_scene_source_object =
    PLAIN("source", "a place that gives or takes a quantity, such as a flame", source_fields);

static const scene_field effector_fields[] = {
    GROUPS(scene_effector_part, "of the nodes that it acts on")};
const scene_object sn_scene_effector_object =
    PLAIN("effector", "a force field, see docs/methods/effectors.md", effector_fields);

static const scene_field hierarchy_fields[] = {
    FIELD(NODES, "nodes", scene_hierarchy_part, nodes, NULL,
          "the members, which distance constraints join")};
const scene_object sn_scene_hierarchy_object =
    PLAIN("hierarchy", "coarser levels over nodes of any bodies, which carry what pulls from afar",
          hierarchy_fields);

static const scene_field shape_matching_fields[] = {
    FIELD(NODES, "nodes", scene_shape_matching_part, nodes, NULL,
          "the members, at rest where they are now"),
    CHOICE("regions", scene_shape_matching_part, regions, "whole|balls|cubes", "\"whole\"",
           "one of all nodes, or one around each: those within a radius, or within so many cells "
           "of a lattice"),
    REAL("radius", scene_shape_matching_part, radius, "m", 1e-9, 1e9, "0.1", "of balls"),
    REAL("spacing", scene_shape_matching_part, spacing, "m", 1e-9, 1e9, "0.1",
         "of the lattice that the nodes of cubes are in"),
    INT("omega", scene_shape_matching_part, omega, "1", 1, 1024, "1",
        "how many cells a cube goes each way; larger ones are stiffer")};
const scene_object sn_scene_shape_matching_object =
    PLAIN("shape_matching", "shape matching of nodes of any bodies, in regions that overlap",
          shape_matching_fields);

static const scene_field animation_target_fields[] = {
    FIELD(TEXT, "body", scene_animation_target_part, body, NULL,
          "whose nodes stay near their places; a motion that names it moves these"),
    FIELD(TEXT, "collider", scene_animation_target_part, collider, "none",
          "with an animation, which carries those places along: each goes with the triangle that "
          "is nearest to it at the start"),
    VEC3("growth", scene_animation_target_part, growth, "1", -MAX, MAX, "[0, 0, 0]",
         "added to max_distance for every metre from `origin` along each axis, at rest"),
    VEC3("origin", scene_animation_target_part, origin, "m", -MAX, MAX, "[0, 0, 0]",
         "where growth begins")};
const scene_object sn_scene_animation_target_object = PLAIN(
    "animation_target", "a body whose nodes stay near an animated shape", animation_target_fields);

static const scene_field animation_fields[] = {
    FIELD(TEXT, "path", scene_animation_part, path, NULL,
          "of the file, from the folder of the scene: glb and usda have a mesh, pc2 and mdd the "
          "points of that which the collider names"),
    FIELD(TEXT, "format", scene_animation_part, format, "\"\"",
          "glb, gltf, usda, pc2 or mdd; empty: as the extension says"),
    FIELD(TEXT, "clip", scene_animation_part, clip, "\"\"",
          "of a glb: the name of the animation; empty: the first"),
    REAL("start", scene_animation_part, start, "s", -MAX, MAX, "0",
         "when it begins; below 0: the scene begins in the midst of it"),
    REAL("speed", scene_animation_part, speed, "1", 0, MAX, "1",
         "seconds of the animation per second of the scene"),
    FIELD(BOOL, "repeat", scene_animation_part, repeat, "false",
          "after the end, begin again; otherwise it stays there"),
    REAL("scale", scene_animation_part, scale, "m", 0, MAX, "1",
         "length of one unit of the file, above 0; a usda says its unit, and this comes on top"),
    CHOICE("up", scene_animation_part, up, "y|z|x", "\"y\"",
           "which axis of the file points up; a usda says it itself"),
    REAL_OR_AUTO("weld", scene_animation_part, weld, "m", 0, MAX, "0",
                 "of glb and usda: vertices as close as this, as they are modelled, become one, so "
                 "that surfaces cut open for textures are closed; automatic: none"),
    REAL("fps", scene_animation_part, fps, "1/s", 0, MAX, "60",
         "of a pc2, which has frames instead of times, above 0")};
const scene_object sn_scene_animation_object =
    PLAIN("animation", "a mesh that moves, from a file, see docs/characters.md", animation_fields);
