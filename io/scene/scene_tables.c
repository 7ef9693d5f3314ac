/* What every object of a scene file may say. The documentation and the schema are made from
   this. */
#include "io/scene/scene_rows.h"

#include <sinew/generate.h>

/* ---- Settings ---- */

/* The rest is listed by the library. */
static const scene_field settings_fields[] = {
    INT_OR_AUTO("substeps", sn_settings, substeps, "1", 1, 10000, "\"auto\"",
                "per frame; automatic: 20, or as many up to 200 as cloth and solids take to be as "
                "stiff as their materials")};
const scene_object sn_scene_settings_object =
    PLAIN("settings", "how the world is stepped", settings_fields);

static const scene_field run_fields[] = {
    INT("frames", scene_run, frames, "1", 1, 1e6, "100", "how many frames to simulate"),
    INT("fps", scene_run, fps, "1/s", 1, 10000, "60", "frames per second of simulated time"),
    CHOICE("quality", scene_run, quality, "draft|normal|fine", "\"normal\"",
           "draft: half the substeps; fine: twice as many"),
    REAL_OR_AUTO("picture_at", scene_run, picture_at, "s", 0, MAX, "\"auto\"",
                 "which moment the picture of a run shows; automatic: the end")};
const scene_object sn_scene_run_object =
    PLAIN("run", "how long, and how finely, to simulate", run_fields);

/* ---- Parameters ---- */

static const scene_field parameter_fields[] = {
    FIELD(PARAMETER, "value", scene_parameter_part, value, NULL, "a number or a string"),
    FIELD(TEXT, "unit", scene_parameter_part, unit, "\"\"", "for the reader"),
    FIELD(TEXT, "meaning", scene_parameter_part, meaning, "\"\"", "for the reader"),
    REAL_OR_AUTO("least", scene_parameter_part, least, "", -MAX, MAX, "\"auto\"",
                 "smaller values are refused; automatic: none"),
    REAL_OR_AUTO("most", scene_parameter_part, most, "", -MAX, MAX, "\"auto\"",
                 "larger values are refused; automatic: none")};
const scene_object sn_scene_parameter_object =
    PLAIN("parameter", "a value that `sinew run --set NAME=VALUE` changes", parameter_fields);

/* ---- Meshes ---- */

static const scene_field grid_fields[] = {
    REAL("width", sn_grid_def, width, "m", 0, MAX, "1", "along x"),
    REAL("depth", sn_grid_def, depth, "m", 0, MAX, "1", "along z"),
    INT("columns", sn_grid_def, columns, "1", 1, 1 << 24, "20", "cells along x"),
    INT("rows", sn_grid_def, rows, "1", 1, 1 << 24, "20", "cells along z"),
    CHOICE("pattern", sn_grid_def, pattern, "alternating|same|crossed|equilateral",
           "\"alternating\"", "how cells are cut into triangles")};
static const scene_field disc_fields[] = {
    REAL("radius", sn_disc_def, radius, "m", 0, MAX, "0.5", "of the disc"),
    INT("rings", sn_disc_def, rings, "1", 1, 1 << 24, "10", "of triangles"),
    INT("segments", sn_disc_def, segments, "1", 0, 1 << 24, "0",
        "of the rim; 0: six for each ring"),
    REAL_OR_AUTO("edge_length", sn_disc_def, edge_length, "m", 0, MAX, "\"auto\"",
                 "isotropic triangles with edges of this length, instead of rings and segments; "
                 "automatic: rings")};
static const scene_field sheet_fields[] = {
    REAL("width", sn_sheet_mesh_def, width, "m", 0, MAX, "1", "along x"),
    REAL("depth", sn_sheet_mesh_def, depth, "m", 0, MAX, "1", "along z"),
    REAL("edge_length", sn_sheet_mesh_def, edge_length, "m", 0, MAX, "0.05",
         "of the triangles on average")};
static const scene_field outline_fields[] = {
    FIELD(ROWS, "points", scene_outline_part, points, NULL,
          "of a closed polygon, as `[x, y]`: to the right, and upward as it is drawn"),
    FIELD(BOOL, "hole", scene_outline_part, hole, "false", "cut out of what is around it")};
const scene_object sn_scene_outline_object =
    PLAIN("outline", "a closed polygon of a panel", outline_fields);
static const scene_field panel_fields[] = {
    PART(LIST, "outlines", scene_mesh_panel, outlines, &sn_scene_outline_object, NULL,
         "and holes, which do not touch each other or themselves"),
    REAL("edge_length", scene_mesh_panel, def.edge_length, "m", 0, MAX, "0.05",
         "of the triangles on average"),
    REAL("corner_angle", scene_mesh_panel, def.corner_angle, "rad", 0, 4, "0.6",
         "a point where an outline turns by more is a corner, and others are of curves"),
    REAL("grain", scene_mesh_panel, def.grain, "rad", -4, 4, "0",
         "the direction of the warp as it is drawn, which becomes the x axis")};
static const scene_field box_fields[] = {
    VEC3("extent", sn_box_def, extent, "m", 0, MAX, "[1, 1, 1]", "from side to side"),
    COUNTS("cells", sn_box_def, cells, "1", 1, 1 << 24, "[8, 8, 8]", "along x, y and z")};
static const scene_field sphere_fields[] = {
    REAL("radius", sn_sphere_def, radius, "m", 0, MAX, "0.5", "of the sphere"),
    INT("level", sn_sphere_def, level, "1", 0, 12, "3", "10 * 4^level + 2 vertices"),
    REAL_OR_AUTO("edge_length", sn_sphere_def, edge_length, "m", 0, MAX, "\"auto\"",
                 "about the length of edges, instead of a level; automatic: the level says"),
    VEC3("stretch", sn_sphere_def, stretch, "1", 0, MAX, "[1, 1, 1]",
         "along x, y and z, above 0: an ellipsoid")};
static const scene_field cylinder_fields[] = {
    REAL("radius", sn_cylinder_def, radius, "m", 0, MAX, "0.5", "of the cylinder"),
    REAL("height", sn_cylinder_def, height, "m", 0, MAX, "1", "along y"),
    INT("segments", sn_cylinder_def, segments, "1", 3, 1 << 24, "24", "around"),
    INT("rows", sn_cylinder_def, rows, "1", 1, 1 << 24, "8", "along"),
    FIELD(BOOL, "capped", sn_cylinder_def, capped, "true", "closed at both ends")};
static const scene_field torus_fields[] = {
    REAL("radius", sn_torus_def, radius, "m", 0, MAX, "0.5",
         "of the circle in the middle of the tube"),
    REAL("tube", sn_torus_def, tube, "m", 0, MAX, "0.2", "radius of the tube"),
    INT("segments", sn_torus_def, segments, "1", 3, 1 << 24, "36", "around the axis"),
    INT("sides", sn_torus_def, sides, "1", 3, 1 << 24, "16", "around the tube")};
static const scene_field rope_fields[] = {
    VEC3("start", scene_mesh_rope, start, "m", -MAX, MAX, "[0, 0, 0]", "first vertex"),
    VEC3("end", scene_mesh_rope, end, "m", -MAX, MAX, "[1, 0, 0]", "last vertex"),
    INT("segments", scene_mesh_rope, segments, "1", 1, 1 << 24, "20", "lines")};
static const scene_field helix_fields[] = {
    REAL("radius", sn_helix_def, radius, "m", 0, MAX, "0.05", "of the vertices from the axis"),
    REAL("pitch", sn_helix_def, pitch, "m", -MAX, MAX, "0.02",
         "down by so much in a turn; below 0: a left-handed screw"),
    REAL("turns", sn_helix_def, turns, "1", 0.001, 1e6, "10", "about the y axis"),
    INT("segments", sn_helix_def, segments, "1", 1, 1 << 24, "200", "lines in all")};
static const scene_field ring_fields[] = {
    REAL("radius", scene_mesh_ring, radius, "m", 0, MAX, "0.5", "of the vertices"),
    INT("segments", scene_mesh_ring, segments, "1", 3, 1 << 24, "48", "lines")};
static const scene_field spline_fields[] = {
    FIELD(POINTS, "points", scene_mesh_spline, points, NULL, "that the curve goes through"),
    FIELD(BOOL, "closed", scene_mesh_spline, closed, "false", "whether it goes back to the first"),
    INT("segments", scene_mesh_spline, segments, "1", 1, 1 << 24, "20", "lines of even length")};
static const scene_field strands_fields[] = {
    PART(NAME_OR, "surface", scene_mesh_strands, surface, &sn_scene_mesh_object, NULL,
         "a mesh on whose triangles strands grow, or its name"),
    INT("count", scene_mesh_strands, def.count, "1", 1, 1 << 24, "1000", "strands"),
    REAL_OR_AUTO("density", scene_mesh_strands, def.density, "1/m^2", 0, 1e12, "\"auto\"",
                 "strands per area; automatic: as the count says"),
    REAL("length", scene_mesh_strands, def.length, "m", 0, MAX, "0.2", "of the longest"),
    REAL("variation", scene_mesh_strands, def.variation, "1", 0, 0.999, "0.1",
         "strands are shorter by up to this part"),
    INT("segments", scene_mesh_strands, def.segments, "1", 1, 1 << 24, "15", "lines of a strand"),
    VEC3("comb", scene_mesh_strands, def.comb, "1/m", -MAX, MAX, "[0, 0, 0]",
         "over how short a length a strand turns in which direction, from the normal"),
    REAL("curl_radius", scene_mesh_strands, def.curl_radius, "m", 0, MAX, "0",
         "of the helix about the path of a strand; 0: no curls"),
    REAL("curl_pitch", scene_mesh_strands, def.curl_pitch, "m", 0, MAX, "0.02",
         "of the path for a turn of it"),
    REAL("clearance", scene_mesh_strands, def.clearance, "m", 0, MAX, "0.002",
         "how far paths stay from the surface"),
    VEC3("direction", scene_mesh_strands, def.direction, "1", -MAX, MAX, "[0, 1, 0]",
         "strands grow where the surface faces it ..."),
    REAL("within", scene_mesh_strands, def.within, "rad", 0, 4, "4",
         "... or at most this angle from it; above pi: everywhere"),
    INT("seed", scene_mesh_strands, def.seed, "1", 0, 1 << 30, "0", "of what is random"),
    PART(LIST, "maps", scene_mesh_strands, maps, &sn_scene_map_object, "[]",
         "factors on the `density` and the `length` that differ from vertex to vertex of the "
         "surface")};
static const scene_field block_fields[] = {
    VEC3("extent", sn_block_def, extent, "m", 0, MAX, "[1, 1, 1]", "from side to side"),
    COUNTS("cells", sn_block_def, cells, "1", 1, 1 << 24, "[4, 4, 4]", "along x, y and z"),
    CHOICE("pattern", sn_block_def, pattern, "five|six", "\"five\"", "tetrahedra per cell")};
static const scene_field file_fields[] = {
    FIELD(TEXT, "path", scene_mesh_file, path, NULL, "of the file, from the folder of the scene"),
    FIELD(TEXT, "format", scene_mesh_file, format, "\"\"",
          "obj, ply, stl, off, glb, gltf, tetgen, msh, medit, vtu or usda; empty: as the extension "
          "says"),
    REAL("scale", scene_mesh_file, scale, "m", 0, MAX, "1", "length of one unit of the file"),
    CHOICE("up", scene_mesh_file, up, "y|z|x", "\"y\"", "which axis of the file points up"),
    REAL_OR_AUTO("weld", scene_mesh_file, weld, "m", 0, MAX, "\"auto\"",
                 "vertices as close as this become one; automatic: as the format wants it")};
static const scene_field points_fields[] = {
    FIELD(POINTS, "positions", scene_mesh_points, positions, NULL, "the vertices"),
    FIELD(TRIANGLES, "triangles", scene_mesh_points, triangles, "[]", "three vertices each"),
    FIELD(INDICES, "lines", scene_mesh_points, lines, "[]", "two vertices each, in one list"),
    FIELD(INDICES, "tets", scene_mesh_points, tets, "[]", "four vertices each, in one list")};
static const scene_field lattice_fields[] = {
    VEC3("extent", scene_mesh_lattice, extent, "m", 0, MAX, "[1, 1, 1]",
         "of the box, centred at the origin, from side to side"),
    REAL("spacing", scene_mesh_lattice, spacing, "m", 1e-9, MAX, NULL,
         "side of the cubes that the box is filled with, as many as fit"),
    PART(LIST, "balls", scene_mesh_lattice, balls, &sn_scene_ball_object, "[]",
         "in the frame of the mesh: points within one of them alone; empty: all"),
    PART(NAME_OR, "inside", scene_mesh_lattice, inside, &sn_scene_mesh_object, "none",
         "a mesh with a closed surface, or its name: points inside it alone, a quarter of the "
         "spacing deep or more, in the box around it, whatever the extent and the balls are")};
static const scene_field clumps_fields[] = {
    VEC3("extent", scene_mesh_clumps, extent, "m", 0, MAX, "[1, 1, 1]",
         "of the box, centred at the origin, from side to side"),
    INT("balls", scene_mesh_clumps, balls, "1", 2, 7, "4",
        "of a grain, which touch: a ring of them, and one on top or on both sides"),
    REAL("radius", scene_mesh_clumps, radius, "m", 1e-9, MAX, NULL,
         "of a ball, as the material has it"),
    REAL_OR_AUTO("spacing", scene_mesh_clumps, spacing, "m", 1e-9, MAX, "\"auto\"",
                 "side of the cubes that the box is filled with, a grain in each, as many as fit; "
                 "automatic: as large as a grain that turns"),
    INT("seed", scene_mesh_clumps, seed, "1", 0, 1 << 30, "0", "of how they are turned")};
static const scene_field fill_fields[] = {
    PART(NAME_OR, "surface", scene_mesh_fill, surface, &sn_scene_mesh_object, NULL,
         "a mesh with a closed surface, or its name"),
    REAL("spacing", scene_mesh_fill, spacing, "m", 0, MAX, NULL, "of the lattice"),
    FIELD(BOOL, "conform", scene_mesh_fill, conform, "false",
          "what is seen is the surface of the tetrahedra; otherwise the given one, which they "
          "carry and whose mass, stiffness and place they have"),
    FIELD(BOOL, "cubes", scene_mesh_fill, cubes, "false",
          "cubes, with vertices in a regular lattice, for regions of shape matching"),
    INT("levels", scene_mesh_fill, levels, "1", 0, 6, "0",
        "of cubes: how many times they are joined, eight to one, where they are deep inside"),
    REAL("grading", scene_mesh_fill, grading, "1", 0, 1000, "0",
         "of levels: how many of its own widths a joined cube lies below the surface at least"),
    PART(LIST, "fine", scene_mesh_fill, fine, &sn_scene_ball_object, "[]",
         "of levels: places in the frame of the surface where cubes stay as they are, and beside "
         "which joined ones are no wider than their distance from them"),
    FIELD(BOOL, "blend", scene_mesh_fill, blend, "false",
          "the surface bends between the tetrahedra that carry it; otherwise their faces may be "
          "seen as creases")};
static const scene_field midpoints_fields[] = {PART(NAME_OR, "of", scene_mesh_midpoints, of,
                                                    &sn_scene_mesh_object, NULL,
                                                    "a mesh with tetrahedra, or its name")};
static const scene_field skinned_fields[] = {
    PART(NAME_OR, "surface", scene_mesh_skinned, surface, &sn_scene_mesh_object, NULL,
         "a mesh that is seen, or its name"),
    PART(NAME_OR, "graph", scene_mesh_skinned, graph, &sn_scene_mesh_object, NULL,
         "a mesh whose vertices become the nodes, or its name")};
static const scene_field wrinkled_fields[] = {
    PART(NAME_OR, "surface", scene_mesh_wrinkled, surface, &sn_scene_mesh_object, NULL,
         "a mesh of triangles whose vertices become the nodes, or its name"),
    INT("divisions", scene_mesh_wrinkled, def.divisions, "1", 1, 32, "4",
        "parts that each side of a triangle has in what is seen"),
    REAL_OR_AUTO("radius", scene_mesh_wrinkled, def.radius, "m", 0, MAX, "\"auto\"",
                 "how far what is seen may be from the mesh; automatic: a quarter of the mean side "
                 "of its triangles"),
    FIELD(BOOL, "one_sided", scene_mesh_wrinkled, def.one_sided, "false",
          "what is seen stays in front of the mesh, where its normals point"),
    INT("iterations", scene_mesh_wrinkled, def.iterations, "1", 1, 1000, "6", "in each step"),
    REAL("stretch", scene_mesh_wrinkled, def.stretch, "1", 0, 1, "1",
         "the part of an error of lengths that an iteration corrects"),
    REAL("bending", scene_mesh_wrinkled, def.bending, "1", 0, 1, "0.2",
         "the same of distances across sides; more makes wrinkles wider")};

static const scene_object mesh_variants[] = {
    PLAIN("grid",
          "a rectangle in the xz plane; groups left, right, back, front, border, corners, "
          "corner_0 to corner_3",
          grid_fields),
    PLAIN(
        "sheet",
        "a rectangle in the xz plane with isotropic triangles, see docs/cloth.md; groups as those "
        "of a grid",
        sheet_fields),
    PLAIN("panel",
          "outlines filled with isotropic triangles, in the xz plane as they are drawn when seen "
          "from above; groups border, corners, outline_0, hole_0, side_0 and so on: from each "
          "corner to the next",
          panel_fields),
    PLAIN("disc", "a disc in the xz plane; groups centre, rim", disc_fields),
    PLAIN("box", "the surface of a box; groups left, right, bottom, top, back, front", box_fields),
    PLAIN("sphere", "the surface of a sphere; groups top, bottom", sphere_fields),
    PLAIN("cylinder", "the surface of a cylinder about the y axis; groups top, bottom",
          cylinder_fields),
    PLAIN("torus", "the surface of a torus about the y axis; groups outer, inner", torus_fields),
    PLAIN("rope", "a line of segments; groups start, end", rope_fields),
    PLAIN("helix", "a helix of segments about the y axis; groups start (top), end", helix_fields),
    PLAIN("ring", "a closed ring of segments in the xz plane; group start", ring_fields),
    PLAIN("spline", "a smooth line of segments through points; groups start, end", spline_fields),
    PLAIN("strands",
          "strands of hair that grow on a surface; groups roots, stems (the first two vertices of "
          "each) and tips",
          strands_fields),
    PLAIN("block", "a box of tetrahedra; groups left, right, bottom, top, back, front",
          block_fields),
    PLAIN("file", "a mesh from a file; its groups by their names", file_fields),
    PLAIN("points", "a mesh written out", points_fields),
    PLAIN("lattice",
          "points in the middles of the cubes that fill a box, layer by layer from the bottom, for "
          "fluids and particles",
          lattice_fields),
    PLAIN("clumps",
          "grains of several balls that touch, turned at random, in the cubes that fill a box; for "
          "particles with as many `balls`",
          clumps_fields),
    PLAIN("fill", "tetrahedra inside a closed surface, which is what is then seen", fill_fields),
    PLAIN("midpoints",
          "another mesh with a vertex in the middle of every edge of its tetrahedra, each of which "
          "becomes eight, for solids of the model quadratic; groups as it has them",
          midpoints_fields),
    PLAIN("skinned",
          "a graph of oriented nodes, and a surface that follows their places and turns, which is "
          "what is then seen; for bodies of the kinds oriented and rod",
          skinned_fields),
    PLAIN("wrinkled",
          "a mesh with a finer one that folds on it, which is what is then seen; for cloth that "
          "does not tear. Groups are those of the surface",
          wrinkled_fields)};
const scene_object sn_scene_mesh_object = {
    "mesh", "what bodies are built from", NULL, 0, "shape", mesh_variants, COUNT(mesh_variants)};

/* ---- Bodies and nodes ---- */

static const scene_field copies_fields[] = {
    COUNTS("count", scene_copies, count, "1", 1, 10000, NULL, "along x, y and z"),
    VEC3("step", scene_copies, step, "m", -MAX, MAX, NULL, "from one to the next along each axis")};
const scene_object sn_scene_copies_object =
    PLAIN("copies", "the same body several times, as NAME_0, NAME_1, ...", copies_fields);

static const scene_field contact_fields[] = {GROUPS(
    scene_contact_part,
    "the groups of nodes that it collides with, 0 to 31, if these do with it; 31 stands for all "
    "above as well")};
const scene_object sn_scene_contact_object =
    PLAIN("contact", "how a body collides with others and itself", contact_fields);

static const scene_field box_pick_fields[] = {
    VEC3("least", scene_box, least, "m", -MAX, MAX, NULL, "lowest coordinates"),
    VEC3("most", scene_box, most, "m", -MAX, MAX, NULL, "highest coordinates")};
const scene_object sn_scene_box_object = PLAIN("box", "a box in the world", box_pick_fields);

static const scene_field ball_fields[] = {
    VEC3("centre", scene_ball, centre, "m", -MAX, MAX, NULL, "of the ball"),
    REAL("radius", scene_ball, radius, "m", 0, MAX, NULL, "of the ball")};
const scene_object sn_scene_ball_object = PLAIN("ball", "a ball in the world", ball_fields);

static const scene_field pick_fields[] = {
    FIELD(TEXT, "body", scene_pick, body, "\"\"", "whose vertices; not in the pins of a body"),
    FIELD(INDICES, "vertices", scene_pick, vertices, "none", "by their numbers, from 0"),
    FIELD(TEXT, "group", scene_pick, group, "none", "by the name of a group of the mesh"),
    PART(OBJECT, "box", scene_pick, box, &sn_scene_box_object, "none", "those inside a box"),
    PART(OBJECT, "sphere", scene_pick, sphere, &sn_scene_ball_object, "none",
         "those inside a ball"),
    FIELD(BOOL, "outside", scene_pick, outside, "false",
          "of a box or a ball: those that are not inside")};
const scene_object sn_scene_pick_object =
    PLAIN("vertices", "some vertices of a body; without any of these keys, all", pick_fields);

static const scene_field map_fields[] = {
    FIELD(TEXT, "field", scene_map_part, field, NULL,
          "of the material, such as \"stretch_stiffness\""),
    FIELD(PARAMETER, "value", scene_map_part, value, "none",
          "a number, or an expression such as \"=1000 + 500 * x\" of the place x, y, z of each "
          "vertex "
          "in the mesh"),
    FIELD(ROWS, "values", scene_map_part, values, "none",
          "instead: the numbers of all vertices, in their order, in rows of any length"),
    FIELD(INDICES, "vertices", scene_map_part, vertices, "all",
          "which vertices get `value`; others keep what they had"),
    FIELD(TEXT, "group", scene_map_part, group, "all", "or those of a group of the mesh"),
    REAL("taper", scene_map_part, taper, "1", 0, MAX, "1",
         "what is left of it at the end of a chain of lines, over what it is where that begins, "
         "and evenly in between: a lock of hair of `radius` that ends in a point")};
const scene_object sn_scene_map_object =
    PLAIN("map", "a field of the material that differs from vertex to vertex", map_fields);

static const scene_field weak_fields[] = {
    REAL("strength", scene_weak_part, strength, "1", 0, MAX, NULL,
         "factor on `tear_strain` and `tear_force` across the edges"),
    FIELD(INDICES, "line", scene_weak_part, line, "none",
          "vertices in order: the edges from each to the next"),
    FIELD(PINS, "between", scene_weak_part, between, "none",
          "or all edges with both ends among these vertices, but for the border")};
const scene_object sn_scene_weak_object =
    PLAIN("weak edges", "edges of a cloth along which it tears before the rest", weak_fields);

/* The material of a body is in the tables that are made, so it is named there. */
static const scene_field body_fields[] = {
    FIELD(TEXT, "name", scene_body_part, name, NULL,
          "unique; files and other parts of the scene use it"),
    PART(NAME_OR, "mesh", scene_body_part, mesh, &sn_scene_mesh_object, NULL,
         "a mesh, or the name of one"),
    FIELD(NAME_OR, "material", scene_body_part, material, NULL,
          "a material, the name of one, or that of a preset of the kind that fits the mesh"),
    VEC3("position", scene_body_part, position, "m", -MAX, MAX, "[0, 0, 0]",
         "where the origin of the mesh goes"),
    FIELD(ROTATION, "rotation", scene_body_part, rotation, "[0, 0, 0, 1]",
          "of the mesh about its origin"),
    REAL("scale", scene_body_part, scale, "1", 0, MAX, "1",
         "of the mesh about its origin, above 0"),
    LOOK(scene_body_part),
    FIELD(BOOL, "liquid", scene_body_part, look.liquid, "true",
          "a fluid is drawn as the surface of a liquid and a gas as smoke; false: as particles"),
    VEC3("velocity", scene_body_part, velocity, "m/s", -MAX, MAX, "[0, 0, 0]", "of all nodes"),
    VEC3("angular_velocity", scene_body_part, angular_velocity, "rad/s", -MAX, MAX, "[0, 0, 0]",
         "about `position`"),
    REAL("k_stretch", scene_body_part, k_stretch, "1", 0, 1, "1",
         "k of the 2007 paper, of all that does not resist bending; for the model pbd"),
    REAL("k_bend", scene_body_part, k_bend, "1", 0, 1, "1",
         "k of the 2007 paper, of what resists bending; for the model pbd"),
    FIELD(PINS, "pins", scene_body_part, pins, "[]", "vertices that are held"),
    FIELD(PINS, "clamps", scene_body_part, clamps, "[]",
          "ends of rods that are held in place and in direction"),
    INT("group", scene_body_part, group, "", 0, 2147483647, "0",
        "of all nodes; `groups` of colliders, contacts and probes name those that count"),
    FIELD(TEXT, "surface", scene_body_part, surface, "none",
          "the name of a surface in `surfaces`, for contacts"),
    CHOICE(
        "collide", scene_body_part, collide, "none|others|all", "\"none\"",
        "which bodies it collides with, of those that do with it; all: itself too. Colliders do in "
        "any case"),
    PART(OBJECT, "contact", scene_body_part, contact, &sn_scene_contact_object, "{}",
         "how it collides with them"),
    PART(OBJECT, "copies", scene_body_part, copies, &sn_scene_copies_object, "none",
         "several of them"),
    PART(LIST, "maps", scene_body_part, maps, &sn_scene_map_object, "[]",
         "fields of the material that differ from vertex to vertex; later ones come on top"),
    PART(LIST, "weak_edges", scene_body_part, weak_edges, &sn_scene_weak_object, "[]",
         "where a cloth tears first, as along a perforation"),
    PART(OBJECT, "children", scene_body_part, children, &sn_scene_children_object, "none",
         "of hair, ropes and rods: more strands between its own, in pictures and files"),
    PART(OBJECT, "foam", scene_body_part, foam, &sn_scene_foam_object, "none",
         "of fluids: spray, foam and bubbles, in pictures and files")};
const scene_object sn_scene_body_object =
    PLAIN("body", "nodes and constraints from a mesh and a material", body_fields);

#define GEOMETRY(type)                                                                             \
    PART(NAME_OR, "mesh", type, geometry.mesh, &sn_scene_mesh_object, "none",                      \
         "of a mesh, a hull or a field: a mesh, or the name of one"),                              \
        REAL("scale", type, geometry.scale, "1", 0, MAX, "1", "of that mesh, above 0"),            \
        FIELD(BOOL, "two_sided", type, geometry.two_sided, "false",                                \
              "a mesh need not be closed, and what was on one side stays there"),                  \
        REAL_OR_AUTO("spacing", type, geometry.spacing, "m", 0, MAX, "\"auto\"",                   \
                     "of the grid of a field; automatic: 1/32 of its longest side")

static const scene_field piece_fields[] = {
    CHOICE("shape", scene_piece_part, shape, "sphere|capsule|box|cylinder|mesh|hull|field",
           "\"sphere\"", "as that of a collider"),
    REAL_OR_AUTO("radius", scene_piece_part, part.radius, "m", 0, MAX, "\"auto\"",
                 "as that of a collider"),
    VEC3("extent", scene_piece_part, part.extent, "m", 0, MAX, "[0.5, 0.5, 0.5]",
         "as that of a collider"),
    VEC3("position", scene_piece_part, part.position, "m", -MAX, MAX, "[0, 0, 0]",
         "in the frame of the compound"),
    FIELD(ROTATION, "rotation", scene_piece_part, part.orientation, "[0, 0, 0, 1]",
          "in the frame of the compound"),
    GEOMETRY(scene_piece_part)};
const scene_object sn_scene_piece_object =
    PLAIN("part", "one of the shapes of a compound", piece_fields);

static const scene_field collider_fields[] = {
    FIELD(TEXT, "name", scene_collider_part, name, NULL, "unique; pictures and motions use it"),
    GEOMETRY(scene_collider_part),
    PART(NAME_OR, "animation", scene_collider_part, animation, &sn_scene_animation_object, "none",
         "of a mesh: how its vertices move, or the name of it in `animations`"),
    LOOK(scene_collider_part),
    FIELD(ROWS, "heights", scene_collider_part, geometry.heights, "none",
          "of heights: rows along x, from -z to z, m; everything below is inside"),
    PART(LIST, "parts", scene_collider_part, parts, &sn_scene_piece_object, "none",
         "the shapes of a compound"),
    FIELD(ROTATION, "rotation", scene_collider_part, def.orientation, "[0, 0, 0, 1]",
          "of its frame"),
    FIELD(TEXT, "surface", scene_collider_part, surface, "none",
          "the name of a surface in `surfaces`"),
    FIELD(NODES, "carrier", scene_collider_part, carrier, "none",
          "an oriented node that carries it, and is pushed by what touches it"),
    REAL("density", scene_collider_part, rigid.density, "kg/m^3", SN_ABOVE_ZERO, MAX, "none",
         "makes it a rigid body: a node at its centre of mass, of its name and with the inertia of "
         "its shape, carries it"),
    REAL("mass", scene_collider_part, rigid.mass, "kg", SN_ABOVE_ZERO, MAX, "none",
         "the same by its mass, instead of the density"),
    PART(OBJECT, "copies", scene_collider_part, copies, &sn_scene_copies_object, "none",
         "several in rows; they are called name_0, name_1 and so on"),
    INT("group", scene_collider_part, group, "", 0, 2147483647, "0",
        "of the node of a rigid body, as that of other nodes"),
    GROUPS(scene_collider_part,
           "the groups of nodes that collide, 0 to 31; 31 stands for all above as well")};
const scene_object sn_scene_collider_object =
    PLAIN("collider", "a shape that nodes do not enter, with friction", collider_fields);

static const scene_field surface_fields[] = {
    FIELD(TEXTS, "between", scene_surface_part, between, NULL,
          "two names, which bodies and colliders have as their `surface`; one that none of them "
          "has is warned of")};
const scene_object sn_scene_surface_object =
    PLAIN("surfaces", "what two surfaces do to each other", surface_fields);

static const scene_field ignore_fields[] = {
    FIELD(TEXTS, "between", scene_ignore_part, between, NULL,
          "the names of two bodies, or of a body and a collider; the name of `copies` means all of "
          "them, given twice each with all others")};
const scene_object sn_scene_ignore_object =
    PLAIN("ignore", "two that pass through each other", ignore_fields);

/* ---- Bonds ---- */

static const scene_field switch_fields[] = {
    REAL("time", scene_switch, time, "s", 0, MAX, NULL, "when; switches are in order"),
    FIELD(BOOL, "enabled", scene_switch, enabled, NULL, "from then on")};
const scene_object sn_scene_switch_object =
    PLAIN("switch", "something acts from a time on, or no longer", switch_fields);

/* What can be switched has these two at its end. */
#define SWITCHES(type)                                                                             \
    FIELD(BOOL, "enabled", type, power.enabled, "true", "whether it acts from the beginning"),     \
        PART(LIST, "switches", type, power.switches, &sn_scene_switch_object, "[]",                \
             "when that changes")

static const scene_field attachment_fields[] = {
    FIELD(NODES, "nodes", scene_attachment_part, nodes, NULL, "which are attached"),
    FIELD(TEXT, "body", scene_attachment_part, body, "none",
          "to the nearest triangle or segment of this body, or its nearest node where it does not "
          "`collide`"),
    FIELD(TEXT, "collider", scene_attachment_part, collider, "none",
          "or to this collider, where they are then; with an animation, to the triangle that is "
          "nearest at the start"),
    FIELD(NODES, "node", scene_attachment_part, node, "none", "or to this node"),
    REAL("compliance", scene_attachment_part, def.compliance, "m/N", 0, MAX, "0",
         "inverse stiffness"),
    REAL("damping", scene_attachment_part, def.damping, "N s/m", 0, MAX, "0",
         "no effect where compliance is 0"),
    REAL_OR_AUTO("break_force", scene_attachment_part, def.break_force, "N", 0, MAX, "\"auto\"",
                 "of each node; automatic: never"),
    REAL_OR_AUTO("offset", scene_attachment_part, def.offset, "m", -MAX, MAX, "0",
                 "height above the triangle that they are held at, along its normal; auto: the one "
                 "they have"),
    REAL("from", scene_attachment_part, from, "s", 0, MAX, "0", "when it is attached"),
    REAL_OR_AUTO("until", scene_attachment_part, until, "s", 0, MAX, "\"auto\"",
                 "when it lets go; automatic: never"),
    SWITCHES(scene_attachment_part)};
const scene_object sn_scene_attachment_object =
    PLAIN("attachment", "nodes held at a body, a collider or a node, both ways", attachment_fields);

static const scene_field seam_fields[] = {
    FIELD(NODES, "a", scene_seam_part, a, NULL, "the nodes of one side"),
    FIELD(NODES, "b", scene_seam_part, b, NULL, "the nodes of the other"),
    CHOICE("match", scene_seam_part, def.match, "in_order|nearest|edges", "\"nearest\"",
           "along both lists at the same rate, every node of a with the nearest of b, or with the "
           "nearest point of the line through the nodes of b, in their order"),
    REAL_OR_AUTO("closing_speed", scene_seam_part, def.closing_speed, "m/s", 0, MAX, "\"auto\"",
                 "by how much gaps become shorter; automatic: closed at once"),
    REAL("compliance", scene_seam_part, def.compliance, "m/N", 0, MAX, "0", "inverse stiffness"),
    REAL("damping", scene_seam_part, def.damping, "N s/m", 0, MAX, "0",
         "no effect where compliance is 0"),
    REAL_OR_AUTO("break_force", scene_seam_part, def.break_force, "N", 0, MAX, "\"auto\"",
                 "of each pair; automatic: never"),
    SWITCHES(scene_seam_part)};
const scene_object sn_scene_seam_object =
    PLAIN("seam", "two lists of nodes that are sewn together", seam_fields);

/* ---- What happens ---- */

static const scene_field force_fields[] = {
    FIELD(NODES, "nodes", scene_force_part, nodes, NULL, "on which it acts"),
    CHANGING_VEC3("force", scene_force_part, force, "N", -MAX, MAX, "[0, 0, 0]", "on each node"),
    CHANGING_VEC3("torque", scene_force_part, torque, "N m", -MAX, MAX, "[0, 0, 0]",
                  "on each node, which must be oriented"),
    FIELD(BOOL, "shared", scene_force_part, shared, "false",
          "the force is divided among the nodes"),
    REAL("from", scene_force_part, from, "s", 0, MAX, "0", "when it begins"),
    REAL_OR_AUTO("until", scene_force_part, until, "s", 0, MAX, "\"auto\"",
                 "when it ends; automatic: never")};
const scene_object sn_scene_force_object = PLAIN("force", "a force on some nodes", force_fields);

static const scene_field key_fields[] = {
    REAL("time", scene_key, time, "s", 0, MAX, NULL, "when; keys are in order"),
    VEC3("position", scene_key, position, "m", -MAX, MAX, "[0, 0, 0]",
         "how far from where they started"),
    FIELD(ROTATION, "rotation", scene_key, rotation, "[0, 0, 0, 1]", "about the pivot")};
const scene_object sn_scene_key_object = PLAIN("key", "where a motion is at a time", key_fields);

static const scene_field motion_fields[] = {
    FIELD(NODES, "nodes", scene_motion_part, nodes, "none",
          "which move; they must be pinned or kinematic"),
    FIELD(TEXT, "collider", scene_motion_part, collider, "none", "or the collider that moves"),
    FIELD(TEXTS, "colliders", scene_motion_part, colliders, "none",
          "or several that move as one, by their names"),
    FIELD(TEXT, "animation_target", scene_motion_part, animation_target, "none",
          "or a body with an animation target, whose places move; with colliders, along with them"),
    PART(LIST, "keys", scene_motion_part, keys, &sn_scene_key_object, NULL, "where they are when"),
    VEC3("pivot", scene_motion_part, pivot, "m", -MAX, MAX, "[0, 0, 0]", "about which they turn"),
    CHOICE("interpolation", scene_motion_part, interpolation, SCENE_INTERPOLATIONS, "\"linear\"",
           SCENE_INTERPOLATIONS_MEANING),
    FIELD(BOOL, "repeat", scene_motion_part, repeat, "false", "after the last key, begin again")};
const scene_object sn_scene_motion_object =
    PLAIN("motion", "keyframes of kinematic nodes or colliders", motion_fields);

static const scene_field change_fields[] = {
    FIELD(NODES, "nodes", scene_change_part, nodes, NULL, "which"),
    VEC3("value", scene_change_part, value, "m/s or N s", -MAX, MAX, NULL,
         "the velocity, or the impulse on each")};
const scene_object sn_scene_change_object =
    PLAIN("change", "a velocity or an impulse for some nodes", change_fields);

static const scene_field action_fields[] = {
    REAL("time", scene_action_part, time, "s", 0, MAX, NULL,
         "at the first frame that begins then or later"),
    FIELD(NODES, "pin", scene_action_part, pin, "none", "makes nodes kinematic, at rest"),
    FIELD(NODES, "release", scene_action_part, release, "none",
          "gives pinned nodes their mass back"),
    FIELD(TEXTS, "remove", scene_action_part, remove, "none",
          "bodies, nodes, constraints and colliders, by their names; pictures and exports have "
          "bodies and colliders where they were last"),
    PART(OBJECT, "velocity", scene_action_part, velocity, &sn_scene_change_object, "none",
         "sets the velocity of nodes"),
    PART(OBJECT, "impulse", scene_action_part, impulse, &sn_scene_change_object, "none",
         "pushes nodes"),
    PART(OBJECT, "settings", scene_action_part, settings, &sn_scene_settings_object, "none",
         "changes settings"),
    FIELD(MAP, "constraint", scene_action_part, constraint, "none",
          "changes fields of constraints, by their names: {\"spring\": {\"compliance\": 0.01}}")};
const scene_object sn_scene_action_object =
    PLAIN("action", "something that happens at a time", action_fields);

static const scene_field cut_fields[] = {
    FIELD(TEXT, "body", scene_cut_part, body, NULL,
          "a solid, a cloth, a rope or a rod, by its name"),
    REAL("time", scene_cut_part, time, "s", 0, MAX, "0",
         "of a plane: at the first frame that begins then or later"),
    PART(LIST, "keys", scene_cut_part, keys, &sn_scene_key_object, "none",
         "instead of a plane: where a blade is when; it cuts from the first to the last"),
    VEC3("start", scene_cut_part, start, "m", -MAX, MAX, "[0, 0, 0]",
         "one end of the blade, before it is moved by keys"),
    VEC3("end", scene_cut_part, end, "m", -MAX, MAX, "[0, 0, 0]", "the other end"),
    VEC3("pivot", scene_cut_part, pivot, "m", -MAX, MAX, "[0, 0, 0]", "about which it turns"),
    CHOICE("interpolation", scene_cut_part, interpolation, SCENE_INTERPOLATIONS, "\"linear\"",
           SCENE_INTERPOLATIONS_MEANING)};
const scene_object sn_scene_cut_object =
    PLAIN("cut", "a plane or a blade that a body is cut with", cut_fields);

static const scene_field measure_fields[] = {
    FIELD(TEXT, "name", scene_measure_part, name, NULL, "of the column in the statistics"),
    FIELD(NODES, "nodes", scene_measure_part, nodes, "none",
          "one or more nodes; their mean is taken"),
    FIELD(TEXT, "constraint", scene_measure_part, constraint, "\"\"",
          "or the name of a constraint"),
    FIELD(TEXT, "collider", scene_measure_part, collider, "\"\"", "or the name of a collider"),
    CHOICE("quantity", scene_measure_part, quantity,
           "position|velocity|speed|force|value|contact_force", "\"position\"",
           "of nodes: position, velocity, speed; of a constraint: force, value; of a collider: "
           "contact_force, what nodes do to it, with the pressure of fluids that have "
           "`wall_forces`")};
const scene_object sn_scene_measure_object =
    PLAIN("measurement", "a column of the statistics", measure_fields);

static const scene_field probe_fields[] = {
    FIELD(TEXT, "name", scene_probe_part, name, NULL, "of its columns in the statistics"),
    CHOICE("ask", scene_probe_part, ask, "cast|overlap|closest", "\"cast\"",
           "what a ray or a moving ball hits first, what touches a ball or a box, or what is "
           "nearest"),
    VEC3("origin", scene_probe_part, origin, "m", -MAX, MAX, "[0, 0, 0]",
         "where a cast begins; the middle of a region; the point"),
    VEC3("direction", scene_probe_part, direction, "", -MAX, MAX, "[0, -1, 0]",
         "of a cast, of any length above 0"),
    REAL_OR_AUTO("length", scene_probe_part, length, "m", 0, MAX, "\"auto\"",
                 "of a cast, and how near the nearest must be; automatic: without end"),
    REAL("radius", scene_probe_part, radius, "m", 0, MAX, "0",
         "of the ball that moves, or of the region"),
    VEC3("extent", scene_probe_part, extent, "m", 0, MAX, "[0, 0, 0]",
         "half the sides of a region that is a box"),
    CHOICE("objects", scene_probe_part, objects, "all|nodes|colliders|surfaces", "\"all\"",
           "what counts"),
    GROUPS(scene_probe_part,
           "the groups of nodes that count, 0 to 31; 31 stands for all above as well"),
    FIELD(BOOL, "skip_inside", scene_probe_part, skip_inside, "false",
          "a cast leaves out what it begins in")};
const scene_object sn_scene_probe_object =
    PLAIN("probe",
          "a question that is asked in every frame; its answer is columns of the "
          "statistics",
          probe_fields);

static const scene_field camera_key_fields[] = {
    REAL("time", sn_io_camera_key, time, "s", -MAX, MAX, NULL, "when"),
    VEC3("eye", sn_io_camera_key, eye, "m", -MAX, MAX, NULL, "where the camera is"),
    VEC3_OR_AUTO("target", sn_io_camera_key, target, "m", -MAX, MAX, "\"auto\"",
                 "where it looks; automatic: where the camera does"),
    REAL_OR_AUTO("field_of_view", sn_io_camera_key, field_of_view, "rad", 0.01, 3, "\"auto\"",
                 "from the bottom to the top; automatic: that of the camera")};
const scene_object sn_scene_camera_key_object =
    PLAIN("camera key", "where a camera is at a time", camera_key_fields);

static const scene_field light_fields[] = {
    VEC3("direction", sn_io_light, direction, "", -MAX, MAX, NULL,
         "in which it shines; downwards, or at most level"),
    VEC3("colour", sn_io_light, colour, "1", 0, 1, "[1, 1, 1]", "red, green and blue in sRGB"),
    REAL("strength", sn_io_light, strength, "1", 0, 100, "1",
         "1 is as bright as the sun of a scene without lights")};
const scene_object sn_scene_light_object =
    PLAIN("light", "a light of pictures that is far away; there may be four", light_fields);

static const scene_field ground_fields[] = {
    CHOICE("kind", sn_io_staging, ground, "grid|checker|plain|none", "\"grid\"",
           "with lines, with squares, with nothing on it, or no ground at all"),
    VEC3_OR_AUTO("colour", sn_io_staging, ground_colour, "1", 0, 1, "\"auto\"",
                 "red, green and blue in sRGB; automatic: grey"),
    REAL_OR_AUTO("height", sn_io_staging, ground_height, "m", -MAX, MAX, "\"auto\"",
                 "its y; automatic: that of a level plane, or 0, or below everything")};
const scene_object sn_scene_ground_object =
    PLAIN("ground", "the ground of pictures; nothing collides with it", ground_fields);

static const scene_field background_fields[] = {
    CHOICE("kind", sn_io_staging, background, "sky|plain", "\"sky\"",
           "brighter towards the horizon, or one colour"),
    VEC3("colour", sn_io_staging, background_colour, "1", 0, 1, "[0.93, 0.93, 0.93]",
         "of a plain one: red, green and blue in sRGB"),
    REAL("light", sn_io_staging, sky_light, "1", 0, 100, "1",
         "how bright the light is that comes from everywhere")};
const scene_object sn_scene_background_object =
    PLAIN("background", "what is behind everything in pictures", background_fields);

static const scene_field camera_fields[] = {
    VEC3("eye", scene_camera_part, eye, "m", -MAX, MAX, NULL, "where it is"),
    VEC3("target", scene_camera_part, target, "m", -MAX, MAX, NULL, "where it looks"),
    VEC3("up", scene_camera_part, up, "", -MAX, MAX, "[0, 1, 0]", "what is up in the picture"),
    REAL("field_of_view", scene_camera_part, field_of_view, "rad", 0.01, 3, "0.6",
         "from the bottom to the top"),
    PART(LIST, "keys", scene_camera_part, keys, &sn_scene_camera_key_object, "[]",
         "where it is at times, between which it moves smoothly")};
const scene_object sn_scene_camera_object = PLAIN("camera", "a view for pictures", camera_fields);

/* ---- The root, and what constraints and materials have beside their fields ---- */

static const scene_field constraint_fields[] = {
    FIELD(TEXT, "name", scene_constraint_part, name, "\"\"",
          "by which actions and measurements name it"),
    FIELD(NODES, "nodes", scene_constraint_part, nodes, NULL,
          "as many as the type has; null for the world where it may be"),
    FIELD(TRIANGLES, "triangles", scene_constraint_part, triangles, "[]",
          "indices into `nodes`, of types with a surface; none: those of the body that `nodes` is"),
    REAL("shown_thickness", scene_constraint_part, shown, "m", 0, MAX, "0",
         "in pictures and exports: a rod between its nodes, of joints by way of their anchors; 0: "
         "none"),
    VEC3_OR_AUTO("colour", scene_constraint_part, colour, "1", 0, 1, "\"auto\"",
                 "of that rod: red, green and blue in sRGB; automatic: one that all share, or grey "
                 "where others have one"),
    SWITCHES(scene_constraint_part)};

const scene_object sn_scene_constraint_object =
    PLAIN("constraint", "a constraint of any type", constraint_fields);

static const scene_field material_fields[] = {
    FIELD(TEXT, "preset", scene_material, preset, "\"\"",
          "a known material to start from, see docs/materials.md")};
const scene_object sn_scene_material_object =
    PLAIN("material", "a material, in SI units", material_fields);

static const scene_field root_fields[] = {
    INT("version", scene_root, version, "", 1, 1, NULL, "of the format, which is 1"),
    FIELD(TEXT, "title", scene_root, title, "\"\"", "a few words"),
    FIELD(TEXT, "about", scene_root, about, "\"\"", "a sentence or two"),
    FIELD(TEXTS, "include", scene_root, include, "[]",
          "scene files that are read before this one, from its folder"),
    VALUES(MAP, "parameters", scene_root, parameters, &sn_scene_parameter_object, "{}",
           "values that can be set from outside"),
    PART(OBJECT, "run", scene_root, run, &sn_scene_run_object, "{}", "how long to simulate"),
    PART(OBJECT, "settings", scene_root, settings, &sn_scene_settings_object, "{}",
         "how the world is stepped"),
    PART(OBJECT, "period", scene_root, period, &sn_scene_period_object, "{}", "sides that are one"),
    FIELD(MAP, "materials", scene_root, materials, "{}", "materials by name"),
    PART(MAP, "meshes", scene_root, meshes, &sn_scene_mesh_object, "{}", "meshes by name"),
    PART(MAP, "animations", scene_root, animations, &sn_scene_animation_object, "{}",
         "meshes that move, by name"),
    PART(LIST, "bodies", scene_root, bodies, &sn_scene_body_object, "[]",
         "what is built from meshes"),
    PART(LIST, "nodes", scene_root, nodes, &sn_scene_node_object, "[]", "single nodes"),
    FIELD(LIST, "constraints", scene_root, constraints, "[]", "single constraints of every type"),
    PART(LIST, "colliders", scene_root, colliders, &sn_scene_collider_object, "[]",
         "shapes that nodes do not enter"),
    PART(LIST, "robots", scene_root, robots, &sn_scene_robot_object, "[]",
         "links and joints from files"),
    PART(LIST, "surfaces", scene_root, surfaces, &sn_scene_surface_object, "[]",
         "what pairs of surfaces do to each other"),
    PART(LIST, "ignore", scene_root, ignore, &sn_scene_ignore_object, "[]",
         "who passes through whom"),
    PART(LIST, "damping_groups", scene_root, damping_groups, &sn_scene_damping_group_object, "[]",
         "nodes whose motion is damped"),
    PART(LIST, "crowds", scene_root, crowds, &sn_scene_crowd_object, "[]",
         "agents that walk to goals"),
    PART(LIST, "doughs", scene_root, doughs, &sn_scene_dough_object, "[]",
         "particles that flow, tear and join"),
    PART(LIST, "fluids", scene_root, fluids, &sn_scene_fluid_object, "[]",
         "nodes of any bodies that keep their density"),
    PART(LIST, "air_meshes", scene_root, air_meshes, &sn_scene_air_mesh_object, "[]",
         "collisions by the air between bodies"),
    PART(LIST, "hierarchies", scene_root, hierarchies, &sn_scene_hierarchy_object, "[]",
         "coarser levels of large hard bodies"),
    PART(LIST, "shape_matchings", scene_root, shape_matchings, &sn_scene_shape_matching_object,
         "[]", "nodes that keep the shapes of their regions"),
    PART(LIST, "attachments", scene_root, attachments, &sn_scene_attachment_object, "[]",
         "nodes held at something"),
    PART(LIST, "seams", scene_root, seams, &sn_scene_seam_object, "[]", "what is sewn together"),
    PART(LIST, "animation_targets", scene_root, animation_targets,
         &sn_scene_animation_target_object, "[]", "bodies that follow a shape"),
    PART(LIST, "forces", scene_root, forces, &sn_scene_force_object, "[]", "forces on nodes"),
    PART(LIST, "effectors", scene_root, effectors, &sn_scene_effector_object, "[]", "force fields"),
    PART(LIST, "motions", scene_root, motions, &sn_scene_motion_object, "[]",
         "motion of kinematic nodes"),
    PART(LIST, "muscles", scene_root, muscles, &sn_scene_muscle_object, "[]",
         "bodies whose fibres contract"),
    PART(LIST, "actions", scene_root, actions, &sn_scene_action_object, "[]", "changes at a time"),
    PART(LIST, "cuts", scene_root, cuts, &sn_scene_cut_object, "[]",
         "where bodies are cut, and when"),
    PART(LIST, "emitters", scene_root, emitters, &sn_scene_emitter_object, "[]",
         "where particles appear"),
    PART(LIST, "drains", scene_root, drains, &sn_scene_drain_object, "[]", "where particles go"),
    PART(LIST, "diffusions", scene_root, diffusions, &sn_scene_diffusion_object, "[]",
         "quantities that nodes carry, such as temperatures"),
    PART(LIST, "sources", scene_root, sources, &sn_scene_source_object, "[]",
         "what gives or takes such quantities"),
    PART(LIST, "measure", scene_root, measure, &sn_scene_measure_object, "[]",
         "columns of the statistics"),
    PART(LIST, "probes", scene_root, probes, &sn_scene_probe_object, "[]",
         "what rays, regions and points hit, as columns of the statistics"),
    PART(MAP, "cameras", scene_root, cameras, &sn_scene_camera_object, "{}",
         "views by name; pictures use \"main\""),
    PART(LIST, "lights", scene_root, lights, &sn_scene_light_object, "[]",
         "of pictures, up to four; none: a sun over the left shoulder of who looks"),
    PART(OBJECT, "ground", scene_root, ground, &sn_scene_ground_object, "{}", "of pictures"),
    PART(OBJECT, "background", scene_root, background, &sn_scene_background_object, "{}",
         "of pictures")};
const scene_object sn_scene_root_object = PLAIN("scene", "a scene file", root_fields);
