/* What every object of a scene file may say. The documentation and the schema are made from this. */
#include "scene_parts.h"

#include "base/error.h"

#include <sinew/generate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX ((double)SN_REAL_MAX)
#define AT(type, member) offsetof(type, member)
#define COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))
#define PLAIN(name, meaning, fields)                                                               \
    { name, meaning, fields, COUNT(fields), false, NULL, NULL, 0 }

/* ---- Settings ---- */

static const scene_field settings_fields[] = {
    {"gravity", SCENE_VEC3, "m/s^2", -MAX, MAX, "[0, -9.81, 0]", "acceleration of all nodes",
     AT(sn_settings, gravity), NULL, false},
    {"substeps", SCENE_INT, "1", 1, 10000, "20", "per frame", AT(sn_settings, substeps), NULL,
     false},
    {"iterations", SCENE_INT, "1", 1, 10000, "1", "solver sweeps per substep",
     AT(sn_settings, iterations), NULL, false},
    {"solver", SCENE_CHOICE, "coloured|reference|jacobi|averaged|hybrid", 0, 0, "\"coloured\"",
     "in which order constraints are projected, see docs/solvers.md", AT(sn_settings, solver), NULL,
     false},
    {"model", SCENE_CHOICE, "xpbd|pbd", 0, 0, "\"xpbd\"",
     "what stiffness means: compliance, or k of the 2007 paper", AT(sn_settings, model), NULL,
     false},
    {"integrator", SCENE_CHOICE, "bdf1|bdf2", 0, 0, "\"bdf1\"",
     "how motion goes on in time, see docs/integrators.md", AT(sn_settings, integrator), NULL,
     false},
    {"relaxation", SCENE_REAL, "1", 0, 2, "1", "of the averaged solver, above 0 and below 2",
     AT(sn_settings, relaxation), NULL, false},
    {"hybrid_colours", SCENE_INT, "1", 0, 63, "8", "colours of the hybrid solver",
     AT(sn_settings, hybrid_colours), NULL, false},
    {"alternate", SCENE_BOOL, "", 0, 0, "false", "sweep backwards in every second iteration",
     AT(sn_settings, alternate), NULL, false},
    {"damping", SCENE_REAL, "1/s", 0, MAX, "0", "dv/dt = -damping v for every node",
     AT(sn_settings, damping), NULL, false},
    {"speed_limit", SCENE_REAL, "m/s", 0, MAX, "\"auto\"",
     "no node is predicted faster; automatic: no limit", AT(sn_settings, speed_limit), NULL, true},
    {"keep_forces", SCENE_BOOL, "", 0, 0, "true", "keep the forces of all constraints for reading",
     AT(sn_settings, keep_forces), NULL, false}};
const scene_object scene_settings_object =
    PLAIN("settings", "how the world is stepped", settings_fields);

static const scene_field run_fields[] = {
    {"frames", SCENE_INT, "1", 1, 1e6, "100", "how many frames to simulate", AT(scene_run, frames),
     NULL, false},
    {"fps", SCENE_INT, "1/s", 1, 10000, "60", "frames per second of simulated time",
     AT(scene_run, fps), NULL, false}};
const scene_object scene_run_object = PLAIN("run", "how long to simulate", run_fields);

/* ---- Parameters ---- */

static const scene_field parameter_fields[] = {
    {"value", SCENE_PARAMETER, "", 0, 0, NULL, "a number or a string",
     AT(scene_parameter_part, value), NULL, false},
    {"unit", SCENE_TEXT, "", 0, 0, "\"\"", "for the reader", AT(scene_parameter_part, unit), NULL,
     false},
    {"meaning", SCENE_TEXT, "", 0, 0, "\"\"", "for the reader", AT(scene_parameter_part, meaning),
     NULL, false},
    {"least", SCENE_REAL, "", -MAX, MAX, "\"auto\"", "smaller values are refused; automatic: none",
     AT(scene_parameter_part, least), NULL, true},
    {"most", SCENE_REAL, "", -MAX, MAX, "\"auto\"", "larger values are refused; automatic: none",
     AT(scene_parameter_part, most), NULL, true}};
const scene_object scene_parameter_object =
    PLAIN("parameter", "a value that `sinew run --set NAME=VALUE` changes", parameter_fields);

/* ---- Meshes ---- */

static const scene_field grid_fields[] = {
    {"width", SCENE_REAL, "m", 0, MAX, "1", "along x", AT(sn_grid_def, width), NULL, false},
    {"depth", SCENE_REAL, "m", 0, MAX, "1", "along z", AT(sn_grid_def, depth), NULL, false},
    {"columns", SCENE_INT, "1", 1, 1 << 24, "20", "cells along x", AT(sn_grid_def, columns), NULL,
     false},
    {"rows", SCENE_INT, "1", 1, 1 << 24, "20", "cells along z", AT(sn_grid_def, rows), NULL, false},
    {"pattern", SCENE_CHOICE, "alternating|same|crossed|equilateral", 0, 0, "\"alternating\"",
     "how cells are cut into triangles", AT(sn_grid_def, pattern), NULL, false}};
static const scene_field disc_fields[] = {
    {"radius", SCENE_REAL, "m", 0, MAX, "0.5", "of the disc", AT(sn_disc_def, radius), NULL, false},
    {"rings", SCENE_INT, "1", 1, 1 << 24, "10", "of triangles", AT(sn_disc_def, rings), NULL, false},
    {"segments", SCENE_INT, "1", 0, 1 << 24, "0", "of the rim; 0: six for each ring",
     AT(sn_disc_def, segments), NULL, false}};
static const scene_field box_fields[] = {
    {"extent", SCENE_VEC3, "m", 0, MAX, "[1, 1, 1]", "from side to side", AT(sn_box_def, extent),
     NULL, false},
    {"cells", SCENE_COUNTS, "1", 1, 1 << 24, "[8, 8, 8]", "along x, y and z", AT(sn_box_def, cells),
     NULL, false}};
static const scene_field sphere_fields[] = {
    {"radius", SCENE_REAL, "m", 0, MAX, "0.5", "of the sphere", AT(sn_sphere_def, radius), NULL,
     false},
    {"level", SCENE_INT, "1", 0, 12, "3", "10 * 4^level + 2 vertices", AT(sn_sphere_def, level),
     NULL, false},
    {"edge_length", SCENE_REAL, "m", 0, MAX, "\"auto\"",
     "about the length of edges, instead of a level; automatic: the level says",
     AT(sn_sphere_def, edge_length), NULL, true}};
static const scene_field cylinder_fields[] = {
    {"radius", SCENE_REAL, "m", 0, MAX, "0.5", "of the cylinder", AT(sn_cylinder_def, radius), NULL,
     false},
    {"height", SCENE_REAL, "m", 0, MAX, "1", "along y", AT(sn_cylinder_def, height), NULL, false},
    {"segments", SCENE_INT, "1", 3, 1 << 24, "24", "around", AT(sn_cylinder_def, segments), NULL,
     false},
    {"rows", SCENE_INT, "1", 1, 1 << 24, "8", "along", AT(sn_cylinder_def, rows), NULL, false},
    {"capped", SCENE_BOOL, "", 0, 0, "true", "closed at both ends", AT(sn_cylinder_def, capped),
     NULL, false}};
static const scene_field torus_fields[] = {
    {"radius", SCENE_REAL, "m", 0, MAX, "0.5", "of the circle in the middle of the tube",
     AT(sn_torus_def, radius), NULL, false},
    {"tube", SCENE_REAL, "m", 0, MAX, "0.2", "radius of the tube", AT(sn_torus_def, tube), NULL,
     false},
    {"segments", SCENE_INT, "1", 3, 1 << 24, "36", "around the axis", AT(sn_torus_def, segments),
     NULL, false},
    {"sides", SCENE_INT, "1", 3, 1 << 24, "16", "around the tube", AT(sn_torus_def, sides), NULL,
     false}};
static const scene_field rope_fields[] = {
    {"start", SCENE_VEC3, "m", -MAX, MAX, "[0, 0, 0]", "first vertex", AT(scene_mesh_rope, start),
     NULL, false},
    {"end", SCENE_VEC3, "m", -MAX, MAX, "[1, 0, 0]", "last vertex", AT(scene_mesh_rope, end), NULL,
     false},
    {"segments", SCENE_INT, "1", 1, 1 << 24, "20", "lines", AT(scene_mesh_rope, segments), NULL,
     false}};
static const scene_field block_fields[] = {
    {"extent", SCENE_VEC3, "m", 0, MAX, "[1, 1, 1]", "from side to side", AT(sn_block_def, extent),
     NULL, false},
    {"cells", SCENE_COUNTS, "1", 1, 1 << 24, "[4, 4, 4]", "along x, y and z",
     AT(sn_block_def, cells), NULL, false},
    {"pattern", SCENE_CHOICE, "five|six", 0, 0, "\"five\"", "tetrahedra per cell",
     AT(sn_block_def, pattern), NULL, false}};
static const scene_field file_fields[] = {
    {"path", SCENE_TEXT, "", 0, 0, NULL, "of the file, from the folder of the scene",
     AT(scene_mesh_file, path), NULL, false},
    {"format", SCENE_TEXT, "", 0, 0, "\"\"",
     "obj, ply, stl, off, glb, tetgen, msh, medit or vtu; empty: as the extension says",
     AT(scene_mesh_file, format), NULL, false},
    {"scale", SCENE_REAL, "m", 0, MAX, "1", "length of one unit of the file",
     AT(scene_mesh_file, scale), NULL, false},
    {"up", SCENE_CHOICE, "y|z|x", 0, 0, "\"y\"", "which axis of the file points up",
     AT(scene_mesh_file, up), NULL, false},
    {"weld", SCENE_REAL, "m", 0, MAX, "\"auto\"",
     "vertices as close as this become one; automatic: as the format wants it",
     AT(scene_mesh_file, weld), NULL, true}};
static const scene_field points_fields[] = {
    {"positions", SCENE_POINTS, "m", -MAX, MAX, NULL, "the vertices",
     AT(scene_mesh_points, positions), NULL, false},
    {"triangles", SCENE_TRIANGLES, "", 0, 0, "[]", "three vertices each",
     AT(scene_mesh_points, triangles), NULL, false},
    {"lines", SCENE_INDICES, "", 0, 0, "[]", "two vertices each, in one list",
     AT(scene_mesh_points, lines), NULL, false},
    {"tets", SCENE_INDICES, "", 0, 0, "[]", "four vertices each, in one list",
     AT(scene_mesh_points, tets), NULL, false}};
static const scene_field fill_fields[] = {
    {"surface", SCENE_NAME_OR, "", 0, 0, NULL, "a mesh with a closed surface, or its name",
     AT(scene_mesh_fill, surface), &scene_mesh_object, false},
    {"spacing", SCENE_REAL, "m", 0, MAX, NULL, "of the lattice", AT(scene_mesh_fill, spacing), NULL,
     false},
    {"conform", SCENE_BOOL, "", 0, 0, "false",
     "tetrahedra end at the surface; otherwise it is embedded in whole ones",
     AT(scene_mesh_fill, conform), NULL, false}};

static const scene_object mesh_variants[] = {
    PLAIN("grid", "a rectangle in the xz plane; groups left, right, back, front, border, corners, "
                  "corner_0 to corner_3",
          grid_fields),
    PLAIN("disc", "a disc in the xz plane; groups centre, rim", disc_fields),
    PLAIN("box", "the surface of a box; groups left, right, bottom, top, back, front", box_fields),
    PLAIN("sphere", "the surface of a sphere; groups top, bottom", sphere_fields),
    PLAIN("cylinder", "the surface of a cylinder about the y axis; groups top, bottom",
          cylinder_fields),
    PLAIN("torus", "the surface of a torus about the y axis; groups outer, inner", torus_fields),
    PLAIN("rope", "a line of segments; groups start, end", rope_fields),
    PLAIN("block", "a box of tetrahedra; groups left, right, bottom, top, back, front",
          block_fields),
    PLAIN("file", "a mesh from a file; its groups by their names", file_fields),
    PLAIN("points", "a mesh written out", points_fields),
    PLAIN("fill", "tetrahedra inside a closed surface, which is what is then seen", fill_fields)};
const scene_object scene_mesh_object = {"mesh",
                                        "what bodies are built from",
                                        NULL,
                                        0,
                                        false,
                                        "shape",
                                        mesh_variants,
                                        COUNT(mesh_variants)};

/* ---- Bodies and nodes ---- */

static const scene_field copies_fields[] = {
    {"count", SCENE_COUNTS, "1", 1, 10000, NULL, "along x, y and z", AT(scene_copies, count), NULL,
     false},
    {"step", SCENE_VEC3, "m", -MAX, MAX, NULL, "from one to the next along each axis",
     AT(scene_copies, step), NULL, false}};
const scene_object scene_copies_object =
    PLAIN("copies", "the same body several times, as NAME_0, NAME_1, ...", copies_fields);

/* The material of a body is in the tables that are made, so it is named there. */
static const scene_field body_fields[] = {
    {"name", SCENE_TEXT, "", 0, 0, NULL, "unique; files and other parts of the scene use it",
     AT(scene_body_part, name), NULL, false},
    {"mesh", SCENE_NAME_OR, "", 0, 0, NULL, "a mesh, or the name of one", AT(scene_body_part, mesh),
     &scene_mesh_object, false},
    {"material", SCENE_NAME_OR, "", 0, 0, NULL,
     "a material, the name of one, or that of a preset of the kind that fits the mesh",
     AT(scene_body_part, material), NULL, false},
    {"position", SCENE_VEC3, "m", -MAX, MAX, "[0, 0, 0]", "where the origin of the mesh goes",
     AT(scene_body_part, position), NULL, false},
    {"rotation", SCENE_ROTATION, "", 0, 0, "[0, 0, 0, 1]", "of the mesh about its origin",
     AT(scene_body_part, rotation), NULL, false},
    {"scale", SCENE_REAL, "1", 0, MAX, "1", "of the mesh about its origin, above 0",
     AT(scene_body_part, scale), NULL, false},
    {"velocity", SCENE_VEC3, "m/s", -MAX, MAX, "[0, 0, 0]", "of all nodes",
     AT(scene_body_part, velocity), NULL, false},
    {"angular_velocity", SCENE_VEC3, "rad/s", -MAX, MAX, "[0, 0, 0]", "about `position`",
     AT(scene_body_part, angular_velocity), NULL, false},
    {"pins", SCENE_PINS, "", 0, 0, "[]", "vertices that are held", AT(scene_body_part, pins), NULL,
     false},
    {"group", SCENE_INT, "", 0, 2147483647, "0", "a number that all nodes get",
     AT(scene_body_part, group), NULL, false},
    {"gravity", SCENE_VEC3, "m/s^2", -MAX, MAX, "\"auto\"", "automatic: that of the world",
     AT(scene_body_part, body.gravity), NULL, true},
    {"damping", SCENE_REAL, "1/s", 0, MAX, "0", "added to that of the world",
     AT(scene_body_part, body.damping), NULL, false},
    {"rigid_damping", SCENE_REAL, "1/s", 0, MAX, "0", "of all motion that is not rigid",
     AT(scene_body_part, body.rigid_damping), NULL, false},
    {"copies", SCENE_OBJECT, "", 0, 0, "none", "several of them", AT(scene_body_part, copies),
     &scene_copies_object, false}};
const scene_object scene_body_object =
    PLAIN("body", "nodes and constraints from a mesh and a material", body_fields);

static const scene_field node_fields[] = {
    {"name", SCENE_TEXT, "", 0, 0, "\"\"", "by which constraints and others name it",
     AT(scene_node_part, name), NULL, false},
    {"position", SCENE_VEC3, "m", -MAX, MAX, "[0, 0, 0]", "at the start",
     AT(scene_node_part, def.position), NULL, false},
    {"velocity", SCENE_VEC3, "m/s", -MAX, MAX, "[0, 0, 0]", "at the start",
     AT(scene_node_part, def.velocity), NULL, false},
    {"mass", SCENE_REAL, "kg", 0, MAX, "1", "above 0; \"auto\" makes the node kinematic",
     AT(scene_node_part, mass), NULL, true},
    {"radius", SCENE_REAL, "m", 0, MAX, "0", "for pictures and contact",
     AT(scene_node_part, def.radius), NULL, false},
    {"group", SCENE_INT, "", 0, 2147483647, "0", "any number", AT(scene_node_part, group), NULL,
     false},
    {"body", SCENE_TEXT, "", 0, 0, "\"\"", "the body whose gravity and damping it shares",
     AT(scene_node_part, body), NULL, false},
    {"oriented", SCENE_BOOL, "", 0, 0, "false", "whether it has an orientation",
     AT(scene_node_part, def.oriented), NULL, false},
    {"orientation", SCENE_ROTATION, "", 0, 0, "[0, 0, 0, 1]", "from its frame to the world's",
     AT(scene_node_part, def.orientation), NULL, false},
    {"angular_velocity", SCENE_VEC3, "rad/s", -MAX, MAX, "[0, 0, 0]", "in the frame of the world",
     AT(scene_node_part, def.angular_velocity), NULL, false},
    {"inverse_inertia", SCENE_VEC3, "1/(kg m^2)", 0, MAX, "[1, 1, 1]",
     "about its axes; 0: nothing turns it", AT(scene_node_part, def.inverse_inertia), NULL, false}};
const scene_object scene_node_object = PLAIN("node", "a single node", node_fields);

static const scene_field cluster_fields[] = {
    {"nodes", SCENE_NODES, "", 0, 0, NULL, "the members", AT(scene_cluster_part, nodes), NULL,
     false},
    {"damping", SCENE_REAL, "1/s", 0, MAX, NULL, "of motion that is not rigid",
     AT(scene_cluster_part, damping), NULL, false}};
const scene_object scene_cluster_object =
    PLAIN("cluster", "nodes whose motion among each other is damped", cluster_fields);

/* ---- What happens ---- */

static const scene_field force_fields[] = {
    {"nodes", SCENE_NODES, "", 0, 0, NULL, "on which it acts", AT(scene_force_part, nodes), NULL,
     false},
    {"force", SCENE_VEC3, "N", -MAX, MAX, "[0, 0, 0]", "on each node", AT(scene_force_part, force),
     NULL, false},
    {"torque", SCENE_VEC3, "N m", -MAX, MAX, "[0, 0, 0]", "on each node, which must be oriented",
     AT(scene_force_part, torque), NULL, false},
    {"shared", SCENE_BOOL, "", 0, 0, "false", "the force is divided among the nodes",
     AT(scene_force_part, shared), NULL, false},
    {"from", SCENE_REAL, "s", 0, MAX, "0", "when it begins", AT(scene_force_part, from), NULL,
     false},
    {"until", SCENE_REAL, "s", 0, MAX, "\"auto\"", "when it ends; automatic: never",
     AT(scene_force_part, until), NULL, true}};
const scene_object scene_force_object = PLAIN("force", "a force on some nodes", force_fields);

static const scene_field key_fields[] = {
    {"time", SCENE_REAL, "s", 0, MAX, NULL, "when; keys are in order", AT(scene_key, time), NULL,
     false},
    {"position", SCENE_VEC3, "m", -MAX, MAX, "[0, 0, 0]", "how far from where they started",
     AT(scene_key, position), NULL, false},
    {"rotation", SCENE_ROTATION, "", 0, 0, "[0, 0, 0, 1]", "about the pivot",
     AT(scene_key, rotation), NULL, false}};
const scene_object scene_key_object = PLAIN("key", "where a motion is at a time", key_fields);

static const scene_field motion_fields[] = {
    {"nodes", SCENE_NODES, "", 0, 0, NULL, "which move; they must be pinned or kinematic",
     AT(scene_motion_part, nodes), NULL, false},
    {"keys", SCENE_LIST, "", 0, 0, NULL, "where they are when", AT(scene_motion_part, keys),
     &scene_key_object, false},
    {"pivot", SCENE_VEC3, "m", -MAX, MAX, "[0, 0, 0]", "about which they turn",
     AT(scene_motion_part, pivot), NULL, false},
    {"interpolation", SCENE_CHOICE, "linear|smooth", 0, 0, "\"linear\"",
     "between keys; smooth: with speed 0 at each", AT(scene_motion_part, interpolation), NULL,
     false},
    {"repeat", SCENE_BOOL, "", 0, 0, "false", "after the last key, begin again",
     AT(scene_motion_part, repeat), NULL, false}};
const scene_object scene_motion_object =
    PLAIN("motion", "keyframes of kinematic nodes", motion_fields);

static const scene_field change_fields[] = {
    {"nodes", SCENE_NODES, "", 0, 0, NULL, "which", AT(scene_change_part, nodes), NULL, false},
    {"value", SCENE_VEC3, "m/s or N s", -MAX, MAX, NULL, "the velocity, or the impulse on each",
     AT(scene_change_part, value), NULL, false}};
const scene_object scene_change_object =
    PLAIN("change", "a velocity or an impulse for some nodes", change_fields);

static const scene_field action_fields[] = {
    {"time", SCENE_REAL, "s", 0, MAX, NULL, "at the first frame that begins then or later",
     AT(scene_action_part, time), NULL, false},
    {"pin", SCENE_NODES, "", 0, 0, "none", "makes nodes kinematic, at rest",
     AT(scene_action_part, pin), NULL, false},
    {"release", SCENE_NODES, "", 0, 0, "none", "gives pinned nodes their mass back",
     AT(scene_action_part, release), NULL, false},
    {"remove", SCENE_TEXTS, "", 0, 0, "none", "bodies, nodes and constraints, by their names",
     AT(scene_action_part, remove), NULL, false},
    {"velocity", SCENE_OBJECT, "", 0, 0, "none", "sets the velocity of nodes",
     AT(scene_action_part, velocity), &scene_change_object, false},
    {"impulse", SCENE_OBJECT, "", 0, 0, "none", "pushes nodes", AT(scene_action_part, impulse),
     &scene_change_object, false},
    {"settings", SCENE_OBJECT, "", 0, 0, "none", "changes settings",
     AT(scene_action_part, settings), &scene_settings_object, false},
    {"constraint", SCENE_MAP, "", 0, 0, "none",
     "changes fields of constraints, by their names: {\"spring\": {\"compliance\": 0.01}}",
     AT(scene_action_part, constraint), NULL, false}};
const scene_object scene_action_object =
    PLAIN("action", "something that happens at a time", action_fields);

static const scene_field measure_fields[] = {
    {"name", SCENE_TEXT, "", 0, 0, NULL, "of the column in the statistics",
     AT(scene_measure_part, name), NULL, false},
    {"nodes", SCENE_NODES, "", 0, 0, "none", "one or more nodes; their mean is taken",
     AT(scene_measure_part, nodes), NULL, false},
    {"constraint", SCENE_TEXT, "", 0, 0, "\"\"", "or the name of a constraint",
     AT(scene_measure_part, constraint), NULL, false},
    {"quantity", SCENE_CHOICE, "position|velocity|speed|force|value", 0, 0, "\"position\"",
     "of nodes: position, velocity, speed; of a constraint: force, value",
     AT(scene_measure_part, quantity), NULL, false}};
const scene_object scene_measure_object =
    PLAIN("measurement", "a column of the statistics", measure_fields);

static const scene_field camera_fields[] = {
    {"eye", SCENE_VEC3, "m", -MAX, MAX, NULL, "where it is", AT(scene_camera_part, eye), NULL,
     false},
    {"target", SCENE_VEC3, "m", -MAX, MAX, NULL, "where it looks", AT(scene_camera_part, target),
     NULL, false},
    {"up", SCENE_VEC3, "", -MAX, MAX, "[0, 1, 0]", "what is up in the picture",
     AT(scene_camera_part, up), NULL, false},
    {"field_of_view", SCENE_REAL, "rad", 0.01, 3, "0.6", "from the bottom to the top",
     AT(scene_camera_part, field_of_view), NULL, false}};
const scene_object scene_camera_object = PLAIN("camera", "a view for pictures", camera_fields);

/* ---- The root, and what comes from the lists of the library ---- */

static const scene_field constraint_fields[] = {
    {"name", SCENE_TEXT, "", 0, 0, "\"\"", "by which actions and measurements name it",
     AT(scene_constraint_part, name), NULL, false},
    {"nodes", SCENE_NODES, "", 0, 0, NULL,
     "as many as the type has; null for the world where it may be",
     AT(scene_constraint_part, nodes), NULL, false},
    {"triangles", SCENE_TRIANGLES, "", 0, 0, "[]", "indices into `nodes`, of types with a surface",
     AT(scene_constraint_part, triangles), NULL, false}};

static const scene_field material_fields[] = {
    {"preset", SCENE_TEXT, "", 0, 0, "\"\"", "a known material to start from, see docs/materials.md",
     AT(scene_material, preset), NULL, false}};

static const scene_field root_fields[] = {
    {"version", SCENE_INT, "", 1, 1, NULL, "of the format", AT(scene_root, version), NULL, false},
    {"title", SCENE_TEXT, "", 0, 0, "\"\"", "a few words", AT(scene_root, title), NULL, false},
    {"about", SCENE_TEXT, "", 0, 0, "\"\"", "a sentence or two", AT(scene_root, about), NULL,
     false},
    {"include", SCENE_TEXTS, "", 0, 0, "[]",
     "scene files that are read before this one, from its folder", AT(scene_root, include), NULL,
     false},
    {"parameters", SCENE_MAP, "", 0, 0, "{}", "values that can be set from outside",
     AT(scene_root, parameters), &scene_parameter_object, false},
    {"run", SCENE_OBJECT, "", 0, 0, "{}", "how long to simulate", AT(scene_root, run),
     &scene_run_object, false},
    {"settings", SCENE_OBJECT, "", 0, 0, "{}", "how the world is stepped", AT(scene_root, settings),
     &scene_settings_object, false},
    {"materials", SCENE_MAP, "", 0, 0, "{}", "materials by name", AT(scene_root, materials), NULL,
     false},
    {"meshes", SCENE_MAP, "", 0, 0, "{}", "meshes by name", AT(scene_root, meshes),
     &scene_mesh_object, false},
    {"bodies", SCENE_LIST, "", 0, 0, "[]", "what is built from meshes", AT(scene_root, bodies),
     &scene_body_object, false},
    {"nodes", SCENE_LIST, "", 0, 0, "[]", "single nodes", AT(scene_root, nodes), &scene_node_object,
     false},
    {"constraints", SCENE_LIST, "", 0, 0, "[]", "single constraints of every type",
     AT(scene_root, constraints), NULL, false},
    {"clusters", SCENE_LIST, "", 0, 0, "[]", "nodes whose motion is damped",
     AT(scene_root, clusters), &scene_cluster_object, false},
    {"forces", SCENE_LIST, "", 0, 0, "[]", "forces on nodes", AT(scene_root, forces),
     &scene_force_object, false},
    {"motions", SCENE_LIST, "", 0, 0, "[]", "motion of kinematic nodes", AT(scene_root, motions),
     &scene_motion_object, false},
    {"actions", SCENE_LIST, "", 0, 0, "[]", "changes at a time", AT(scene_root, actions),
     &scene_action_object, false},
    {"measure", SCENE_LIST, "", 0, 0, "[]", "columns of the statistics", AT(scene_root, measure),
     &scene_measure_object, false},
    {"cameras", SCENE_MAP, "", 0, 0, "{}", "views by name; pictures use \"main\"",
     AT(scene_root, cameras), &scene_camera_object, false}};

/* A field of the library as a field of a scene. */
static scene_field field_of(const sn_field_info *info, size_t base, char standard[24]) {
    static const scene_kind kinds[] = {SCENE_REAL, SCENE_VEC3, SCENE_CHOICE, SCENE_CHOICE};
    scene_field f = {.name = info->name,
                     .kind = kinds[info->kind],
                     .unit = info->kind == SN_FIELD_SIDE ? "both|at_least|at_most" : info->unit,
                     .least = info->least,
                     .most = info->most,
                     .standard = standard,
                     .meaning = info->meaning,
                     .offset = base + info->offset,
                     .automatic = info->automatic};
    if (f.kind == SCENE_CHOICE) {
        const char *word = f.unit;
        for (int i = 0; i < (int)info->standard; i++) word = strchr(word, '|') + 1;
        snprintf(standard, 24, "\"%.*s\"", (int)strcspn(word, "|"), word);
    } else if (info->automatic && info->standard == (double)SN_AUTO) {
        snprintf(standard, 24, "\"auto\"");
    } else {
        snprintf(standard, 24, "%g", (double)(sn_real)info->standard);
    }
    return f;
}

static scene_object variant_of(scene_tables *t, size_t *used, const char *name, const char *meaning,
                               const sn_field_info *fields, size_t count, size_t base) {
    scene_object object = {.name = name, .meaning = meaning, .fields = t->fields + *used,
                           .count = count};
    for (size_t i = 0; i < count; i++, (*used)++)
        t->fields[*used] = field_of(&fields[i], base, t->standards[*used]);
    return object;
}

static size_t count_fields(void) {
    size_t total = COUNT(root_fields) + COUNT(body_fields);
    for (int i = 0; i < SN_TYPE_COUNT; i++) total += sn_type_get_info((sn_type)i)->field_count;
    for (int i = 0; i < SN_KIND_COUNT; i++) total += sn_kind_get_info((sn_kind)i)->field_count;
    return total;
}

static void fill_variants(scene_tables *t, size_t *used) {
    for (int i = 0; i < SN_TYPE_COUNT; i++) {
        const sn_type_info *info = sn_type_get_info((sn_type)i);
        t->types[i] = variant_of(t, used, info->name, info->meaning, info->fields,
                                 info->field_count, AT(scene_constraint_part, def));
    }
    for (int i = 0; i < SN_KIND_COUNT; i++) {
        const sn_kind_info *info = sn_kind_get_info((sn_kind)i);
        t->kinds[i] = variant_of(t, used, info->name, info->meaning, info->fields,
                                 info->field_count, AT(scene_material, fields));
    }
    t->constraint = (scene_object){"constraint", "a constraint of any type", constraint_fields,
                                   COUNT(constraint_fields), false, "type", t->types,
                                   SN_TYPE_COUNT};
    t->material = (scene_object){"material", "a material, in SI units", material_fields,
                                 COUNT(material_fields), false, "kind", t->kinds, SN_KIND_COUNT};
}

/* A copy of a static table, in which some fields refer to objects that are made here. */
static scene_field *copy_fields(scene_tables *t, size_t *used, const scene_field *fields,
                                      size_t count) {
    scene_field *copy = t->fields + *used;
    memcpy(copy, fields, count * sizeof *copy);
    *used += count;
    return copy;
}

static void point_at(scene_field *fields, size_t count, const char *name, const scene_object *of) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(fields[i].name, name) == 0) fields[i].of = of;
}

sn_result scene_tables_create(scene_tables *t) {
    size_t total = count_fields(), used = 0;
    *t = (scene_tables){0};
    t->fields = calloc(total, sizeof *t->fields);
    t->standards = calloc(total, sizeof *t->standards);
    if (!t->fields || !t->standards) {
        scene_tables_free(t);
        return sn_fail(SN_ERROR_MEMORY, "there is no memory to read a scene");
    }
    fill_variants(t, &used);
    scene_field *body = copy_fields(t, &used, body_fields,
                                                              COUNT(body_fields));
    point_at(body, COUNT(body_fields), "material", &t->material);
    t->body = scene_body_object;
    t->body.fields = body;
    scene_field *root = copy_fields(t, &used, root_fields,
                                                              COUNT(root_fields));
    point_at(root, COUNT(root_fields), "materials", &t->material);
    point_at(root, COUNT(root_fields), "constraints", &t->constraint);
    point_at(root, COUNT(root_fields), "bodies", &t->body);
    t->root = (scene_object){"scene", "a scene file", root, COUNT(root_fields), false, NULL, NULL,
                             0};
    return SN_OK;
}

void scene_tables_free(scene_tables *t) {
    free(t->fields);
    free(t->standards);
    *t = (scene_tables){0};
}
