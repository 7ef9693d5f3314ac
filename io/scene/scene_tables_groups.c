/* What groups of nodes may say: damping groups, hierarchies, shape matchings, animation targets. */
#include "io/scene/scene_rows.h"

static const scene_field damping_group_fields[] = {
    FIELD(NODES, "nodes", scene_damping_group_part, nodes, NULL, "the members"),
    REAL("damping", scene_damping_group_part, damping, "1/s", 0, MAX, NULL,
         "of motion that is not rigid")};
static const scene_field hierarchy_fields[] = {
    FIELD(NODES, "nodes", scene_hierarchy_part, nodes, NULL,
          "the members, which distance constraints join"),
    INT("levels", scene_hierarchy_part, def.levels, "1", 1, 32, "32", "at most so many"),
    INT("finest", scene_hierarchy_part, def.finest, "1", 1, 32, "2",
        "the finest level whose distances are solved"),
    INT("sweeps", scene_hierarchy_part, def.sweeps, "1", 1, 64, "4",
        "over the distances of a level each time"),
    INT("interval", scene_hierarchy_part, def.interval, "1", 1, 64, "1",
        "levels are solved before one of so many sweeps over the constraints"),
    REAL("stiffness", scene_hierarchy_part, def.stiffness, "1", 0, 1, "1",
         "the part of an error that a sweep corrects"),
    REAL("slack", scene_hierarchy_part, def.slack, "1", 0, MAX, "0",
         "distances may be longer by this part")};
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
        "how many cells a cube goes each way; larger ones are stiffer"),
    FIELD(BOOL, "oriented", scene_shape_matching_part, def.oriented, "false",
          "whether orientations of the nodes take part, which must have them"),
    CHOICE("turn", scene_shape_matching_part, def.turn, "mean|centre", "\"mean\"",
           "whether oriented nodes follow all of their regions or the one around them"),
    REAL("compliance", scene_shape_matching_part, def.compliance, "s^2", 0, MAX, "0",
         "distance from the goal over acceleration towards it; 0 is as hard as can be"),
    REAL("stiffness", scene_shape_matching_part, def.stiffness, "1", 0, 1, "1",
         "k of the 2007 model; no effect in XPBD"),
    CHOICE("mode", scene_shape_matching_part, def.mode, "rigid|linear", "\"rigid\"",
           "whether regions are also stretched and sheared"),
    REAL("beta", scene_shape_matching_part, def.beta, "1", 0, 1, "0.5", "share of the linear part"),
    REAL("damping", scene_shape_matching_part, def.damping, "1/s", 0, MAX, "0",
         "of motion within the regions"),
    REAL_OR_AUTO("plastic_yield", scene_shape_matching_part, def.plastic_yield, "1", 0, MAX,
                 "\"auto\"", "stretch above which the shape at rest follows; auto: never"),
    REAL("plastic_creep", scene_shape_matching_part, def.plastic_creep, "1/s", 0, MAX, "10",
         "how fast it follows"),
    REAL("plastic_limit", scene_shape_matching_part, def.plastic_limit, "1", 0, MAX, "1",
         "how far at most"),
    CHOICE("sums", scene_shape_matching_part, def.sums, "auto|direct|lattice|paths", "\"auto\"",
           "how sums over regions are made: the fewest additions; one by one; of lattices, for "
           "cubes; of paths. The motion is the same but for rounding")};
const scene_object sn_scene_shape_matching_object =
    PLAIN("shape_matching", "shape matching of nodes of any bodies, in regions that overlap",
          shape_matching_fields);
const scene_object sn_scene_damping_group_object =
    PLAIN("damping_group", "nodes whose motion among each other is damped", damping_group_fields);

static const scene_field animation_target_fields[] = {
    FIELD(TEXT, "body", scene_animation_target_part, body, NULL,
          "whose nodes stay near their places; a motion that names it moves these"),
    REAL_OR_AUTO("max_distance", scene_animation_target_part, max_distance, "m", 0, MAX, "\"auto\"",
                 "how far a node may go; automatic: as far as it likes"),
    VEC3("growth", scene_animation_target_part, growth, "1", -MAX, MAX, "[0, 0, 0]",
         "added to max_distance for every metre from `origin` along each axis, at rest"),
    VEC3("origin", scene_animation_target_part, origin, "m", -MAX, MAX, "[0, 0, 0]",
         "where growth begins"),
    REAL_OR_AUTO("back_stop_distance", scene_animation_target_part, back_stop_distance, "m", 0, MAX,
                 "\"auto\"",
                 "how far behind its place, against the normal of the mesh, a ball begins that a "
                 "node does not enter; automatic: there is none"),
    REAL("back_stop_radius", scene_animation_target_part, back_stop_radius, "m", 0, MAX, "1",
         "of that ball, above 0"),
    REAL_OR_AUTO("compliance", scene_animation_target_part, compliance, "m/N", 0, MAX, "\"auto\"",
                 "of a spring to its place; automatic: none")};
const scene_object sn_scene_animation_target_object = PLAIN(
    "animation_target", "a body whose nodes stay near an animated shape", animation_target_fields);
