/*
 * One to four bodies of any kind, some of them held, above a floor with up to two more colliders,
 * one of which may move; solver, integrator, substeps, damping and air are drawn as well. Nothing
 * overlaps at the start: bodies are one above the other, higher than all colliders. Those
 * with rigid bodies have up to four of them above one other body, and they may overlap each other.
 * Those of what flows have fluids, grains of one or several balls, cloth that leaks, emitters that
 * are meshes and what floats, in a basin.
 */
#include "random_scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- Numbers ---- */

static uint32_t draw(random_scene *s) {
    s->state = s->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(s->state >> 33);
}

static int pick(random_scene *s, int count) {
    return (int)(draw(s) % (uint32_t)count);
}

static bool chance(random_scene *s, double part) {
    return (double)draw(s) < part * 2147483648.0;
}

static double between(random_scene *s, double least, double most) {
    return least + (most - least) * (double)draw(s) / 2147483648.0;
}

/* Of every power of ten as many. */
static double magnitude(random_scene *s, double least, double most) {
    double value = least, factor = 1.25;
    int steps = 0;
    for (double v = least; v * factor <= most; v *= factor) steps++;
    for (int i = pick(s, steps + 1); i > 0; i--) value *= factor;
    return value;
}

/* ---- Text ---- */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
say(random_scene *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, arguments);
    va_end(arguments);
    s->length += (size_t)length;
}

static void say_number(random_scene *s, const char *key, double value) {
    say(s, ", \"%s\": %.6g", key, value);
}

static void say_vector(random_scene *s, const char *key, double size) {
    double x = between(s, -size, size), y = between(s, -size, size), z = between(s, -size, size);
    say(s, ", \"%s\": [%.6g, %.6g, %.6g]", key, x, y, z);
}

static void say_rotation(random_scene *s) {
    double x = between(s, -1, 1), y = between(s, 0.1, 1), z = between(s, -1, 1);
    say(s, ", \"rotation\": {\"axis\": [%.6g, %.6g, %.6g], \"angle\": %.6g}", x, y, z,
        between(s, 0, 6));
}

static void say_word(random_scene *s, const char *key, const char *const *words, int count) {
    say(s, ", \"%s\": \"%s\"", key, words[pick(s, count)]);
}
#define SAY_WORD(s, key, ...)                                                                      \
    say_word(s, key, (const char *const[]){__VA_ARGS__},                                           \
             (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

/* The extent of a shape that has just been named; a sphere has none. */
static void say_extent(random_scene *s, double radius, double x, double y, double z) {
    static const char sphere[] = "\"sphere\"";
    const size_t length = sizeof sphere - 1;
    const bool is_sphere = strcmp(s->text + s->length - length, sphere) == 0;
    say_number(s, "radius", radius);
    if (!is_sphere) say(s, ", \"extent\": [%.6g, %.6g, %.6g]", x, y, z);
}

/* ---- Materials ---- */

/* Each says the mesh and the material of a body, and returns how far it reaches from its origin. */
typedef double body_writer(random_scene *s);

static void say_stiffness(random_scene *s, const char *key, double least, double most) {
    if (chance(s, 0.6)) say_number(s, key, magnitude(s, least, most));
}

static void say_bending(random_scene *s) {
    if (chance(s, 0.4)) return;
    say_number(s, "bending_stiffness", magnitude(s, 1e-6, 1e-2));
    SAY_WORD(s, "bending", "automatic", "vertex", "isometric", "dihedral");
    if (chance(s, 0.3)) say_number(s, "bending_damping", magnitude(s, 1e-3, 0.1));
}

static void say_cloth(random_scene *s, double edge) {
    say(s, ", \"material\": {\"kind\": \"cloth\"");
    say_number(s, "area_density", magnitude(s, 0.05, 1));
    say_number(s, "thickness", between(s, 0.1, 0.6) * edge);
    say_stiffness(s, "stretch_stiffness", 50, 1e5);
    SAY_WORD(s, "model", "automatic", "edges", "strain", "elastic");
    say_bending(s);
    if (chance(s, 0.3)) say_number(s, "stretch_damping", magnitude(s, 1e-3, 0.1));
    if (chance(s, 0.2)) say_number(s, "strain_limit", between(s, 0.02, 0.2));
}

static double write_sheet(random_scene *s) {
    double width = between(s, 0.3, 0.8), depth = between(s, 0.3, 0.8);
    int columns = 4 + pick(s, 7), rows = 4 + pick(s, 7);
    say(s, ", \"mesh\": {\"shape\": \"grid\", \"width\": %.6g, \"depth\": %.6g, \"columns\": %d, ",
        width, depth, columns);
    say(s, "\"rows\": %d", rows);
    SAY_WORD(s, "pattern", "alternating", "same", "crossed");
    say(s, "}");
    say_cloth(s, fmin(width / columns, depth / rows) / 2);
    say(s, "}");
    if (chance(s, 0.25)) {
        static const char *const pins[] = {"corners", "left", "corner_0"};
        int where = pick(s, 3);
        say(s, ", \"pins\": \"%s\"", pins[where]);
        s->spanned |= where == 0;
    }
    return 0.6 * fmax(width, depth) + 0.02;
}

static double write_disc(random_scene *s) {
    double radius = between(s, 0.2, 0.4);
    int rings = 3 + pick(s, 3);
    say(s, ", \"mesh\": {\"shape\": \"disc\", \"radius\": %.6g, \"rings\": %d}", radius, rings);
    say_cloth(s, radius / rings / 2);
    say(s, "}");
    return radius + 0.02;
}

static double write_balloon(random_scene *s) {
    double radius = between(s, 0.1, 0.25);
    int level = 1 + pick(s, 2);
    say(s, ", \"mesh\": {\"shape\": \"sphere\", \"radius\": %.6g, \"level\": %d}", radius, level);
    say_cloth(s, radius / (2 << level));
    switch (pick(s, 3)) {
    case 0:
        say(s, ", \"pressure\": 1");
        break;
    case 1:
        say_number(s, "gas_pressure", magnitude(s, 1, 1000));
        s->passive = false;
        break;
    default:
        break;
    }
    say(s, "}");
    return radius + 0.02;
}

static double write_line(random_scene *s, const char *kind) {
    double length = between(s, 0.3, 0.9);
    int segments = 4 + pick(s, 17);
    say(s, ", \"mesh\": {\"shape\": \"rope\", \"start\": [%.6g, 0, 0], \"end\": [%.6g, 0, 0], ",
        -length / 2, length / 2);
    say(s, "\"segments\": %d}, \"material\": {\"kind\": \"%s\"", segments, kind);
    say_number(s, "radius", between(s, 0.1, 0.45) * length / segments);
    say_number(s, "density", magnitude(s, 100, 8000));
    say_stiffness(s, "young", 1e4, 1e9);
    if (chance(s, 0.3)) say_number(s, "damping", magnitude(s, 1e-3, 0.1));
    say(s, "}");
    if (chance(s, 0.25)) SAY_WORD(s, "pins", "start", "end");
    return length / 2 + 0.1;
}

static double write_rope(random_scene *s) {
    return write_line(s, "rope");
}

static double write_rod(random_scene *s) {
    return write_line(s, "rod");
}

static void say_solid(random_scene *s) {
    say(s, ", \"material\": {\"kind\": \"solid\"");
    say_number(s, "density", magnitude(s, 100, 4000));
    say_number(s, "young", magnitude(s, 1e3, 1e7));
    say_number(s, "poisson", between(s, 0.25, 0.49));
    SAY_WORD(s, "model", "neo_hookean", "edges", "elastic", "corotated", "strain");
    say_number(s, "radius", between(s, 0.001, 0.01));
    if (chance(s, 0.3)) say_number(s, "damping", magnitude(s, 1e-3, 0.1));
    say(s, "}");
}

static double write_block(random_scene *s) {
    double x = between(s, 0.1, 0.4), y = between(s, 0.1, 0.4), z = between(s, 0.1, 0.4);
    say(s, ", \"mesh\": {\"shape\": \"block\", \"extent\": [%.6g, %.6g, %.6g], ", x, y, z);
    say(s, "\"cells\": [%d, ", 1 + pick(s, 3));
    say(s, "%d, ", 1 + pick(s, 3));
    say(s, "%d]}", 1 + pick(s, 3));
    say_solid(s);
    return (x + y + z) / 2 + 0.02;
}

static double write_filled(random_scene *s) {
    double radius = between(s, 0.1, 0.2);
    bool torus = chance(s, 0.4);
    say(s, ", \"mesh\": {\"shape\": \"fill\", \"surface\": ");
    if (torus)
        say(s, "{\"shape\": \"torus\", \"radius\": %.6g, \"tube\": %.6g}, ", radius, 0.4 * radius);
    else
        say(s, "{\"shape\": \"sphere\", \"radius\": %.6g, \"level\": 2}, ", radius);
    say(s, "\"spacing\": %.6g}", radius * between(s, 0.4, 0.6));
    say_solid(s);
    return 2 * radius + 0.02;
}

static double write_shape(random_scene *s) {
    double size = between(s, 0.1, 0.3);
    int cells = 1 + pick(s, 3);
    say(s, ", \"mesh\": {\"shape\": \"block\", \"extent\": [%.6g, %.6g, %.6g], ", size, size, size);
    say(s, "\"cells\": [%d, %d, %d]}", cells, cells, cells);
    say(s, ", \"material\": {\"kind\": \"shape\"");
    say_number(s, "density", magnitude(s, 100, 4000));
    say_number(s, "radius", between(s, 0.001, 0.02));
    SAY_WORD(s, "deformation", "rigid", "linear");
    SAY_WORD(s, "region", "whole", "rings", "cells");
    if (chance(s, 0.3)) say_number(s, "young", magnitude(s, 1e4, 1e7));
    say(s, "}");
    return size;
}

static double write_oriented(random_scene *s) {
    double size = between(s, 0.1, 0.3);
    int cells = 1 + pick(s, 2);
    say(s, ", \"mesh\": {\"shape\": \"box\", \"extent\": [%.6g, %.6g, %.6g], ", size, size, size);
    say(s, "\"cells\": [%d, %d, %d]}, \"material\": {\"kind\": \"oriented\"", cells, cells, cells);
    say_number(s, "radius", between(s, 0.2, 0.45) * size / cells);
    say_number(s, "density", magnitude(s, 100, 4000));
    SAY_WORD(s, "turn", "mean", "centre");
    SAY_WORD(s, "deformation", "rigid", "linear");
    say(s, "}");
    return 1.4 * size;
}

static double write_particles(random_scene *s) {
    double size = between(s, 0.1, 0.3);
    int cells = 1 + pick(s, 3);
    say(s, ", \"mesh\": {\"shape\": \"block\", \"extent\": [%.6g, %.6g, %.6g], ", size, size, size);
    say(s, "\"cells\": [%d, %d, %d]}, \"material\": {\"kind\": \"particles\"", cells, cells, cells);
    say_number(s, "radius", between(s, 0.1, 0.48) * size / cells);
    say_number(s, "density", magnitude(s, 100, 8000));
    say(s, "}");
    return size + 0.1;
}

/* ---- Bodies ---- */

static void say_restitution(random_scene *s) {
    static const double bounces[] = {0, 0, 0.3, 0.8};
    double bounce = bounces[pick(s, 4)];
    s->bounce = fmax(s->bounce, bounce);
    say_number(s, "restitution", bounce);
}

static void say_contact(random_scene *s) {
    say(s, ", \"collide\": \"%s\"", s->guarded || chance(s, 0.6) ? "all" : "others");
    say(s, ", \"contact\": {\"penetration_free\": %s",
        s->guarded || chance(s, 0.2) ? "true" : "false");
    if (chance(s, 0.3)) say_number(s, "static_friction", between(s, 0, 1));
    say_restitution(s);
    say_number(s, "recovery_speed", 1);
    say(s, "}");
}

/* What is given to the body as a whole, where `reach` is that of the body. */
static void say_motion_of_body(random_scene *s, double reach) {
    double x = between(s, -0.2, 0.2), z = between(s, -0.2, 0.2);
    say(s, ", \"position\": [%.6g, %.6g, %.6g]", x, s->height + reach, z);
    say_rotation(s);
    s->height += 2 * reach;
    double speed = chance(s, 0.5) ? magnitude(s, 0.1, 8) : 0, turn = chance(s, 0.3) ? 4 : 0;
    if (speed > 0) say_vector(s, "velocity", speed);
    if (turn > 0) say_vector(s, "angular_velocity", turn);
    s->thrown = fmax(s->thrown, sqrt(3) * (speed + turn * reach));
    if (chance(s, 0.2)) say_number(s, "damping", magnitude(s, 0.1, 10));
    if (chance(s, 0.2)) say_number(s, "rigid_damping", magnitude(s, 0.1, 100));
}

static void say_body(random_scene *s, int number) {
    static body_writer *const surfaces[] = {write_sheet, write_disc, write_balloon, write_block};
    static body_writer *const writers[] = {
        write_sheet, write_sheet,  write_disc,  write_balloon,  write_rope,     write_rod,
        write_block, write_filled, write_shape, write_oriented, write_particles};
    say(s, "%s\n    {\"name\": \"body_%d\"", number > 0 ? "," : "", number);
    int kinds = (int)(sizeof writers / sizeof *writers);
    double reach = s->guarded ? surfaces[pick(s, 4)](s) : writers[pick(s, kinds)](s);
    say_motion_of_body(s, reach);
    if (s->guarded || chance(s, 0.7)) say_contact(s);
    say(s, "}");
}

/* ---- Rigid bodies ---- */

/* A node and what it carries, with the inertia of a box around it. */
static void say_node(random_scene *s, int number, double x, double y, const double size[3]) {
    double mass = magnitude(s, 0.1, 100), w[3];
    for (int k = 0; k < 3; k++) {
        double a = size[(k + 1) % 3], b = size[(k + 2) % 3];
        w[k] = 3 / (mass * (a * a + b * b));
    }
    if (chance(s, 0.2)) w[0] = w[2] = 0;
    say(s, "%s\n    {\"name\": \"rigid_%d\", \"oriented\": true, \"mass\": %.6g",
        number > 0 ? "," : "", number, mass);
    say(s, ", \"position\": [%.6g, %.6g, 0], \"inverse_inertia\": [%.6g, %.6g, %.6g]", x, y, w[0],
        w[1], w[2]);
    double speed = chance(s, 0.5) ? magnitude(s, 0.1, 100) : 0, reach = size[0] + size[1] + size[2];
    double turn = chance(s, 0.5) ? magnitude(s, 1, 1500) : 0;
    if (speed > 0) say_vector(s, "velocity", speed);
    if (turn > 0 && w[0] > 0) say_vector(s, "angular_velocity", turn);
    if (turn > 0 && !(w[0] > 0)) say(s, ", \"angular_velocity\": [0, %.6g, 0]", turn);
    s->thrown = fmax(s->thrown, sqrt(3) * (speed + turn * reach));
    say(s, "}");
}

/* Above all others, apart or deep in each other; what comes apart does not bounce. */
static void say_rigid(random_scene *s) {
    double size[4][3], place[4][2], top = s->height;
    const int count = 2 + pick(s, 3);
    bool deep = chance(s, 0.6);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) size[i][k] = between(s, 0.03, 0.2);
        place[i][0] = between(s, -0.2, 0.2);
        place[i][1] = deep ? top + between(s, 0.4, 0.6) : s->height + 0.4;
        s->height = fmax(s->height, place[i][1] + 0.4);
        say(s, ",\n    {\"name\": \"rigid_%d\", \"carrier\": \"rigid_%d\"", i, i);
        SAY_WORD(s, "shape", "box", "box", "sphere", "capsule", "cylinder");
        say_extent(s, 0.03, size[i][0], size[i][1], size[i][2]);
        say(s, ", \"position\": [%.6g, %.6g, 0]", place[i][0], place[i][1]);
        if (!deep) say_restitution(s);
        say(s, "}");
    }
    say(s, "\n  ],\n  \"nodes\": [");
    for (int i = 0; i < count; i++) say_node(s, i, place[i][0], place[i][1], size[i]);
}

/* ---- Colliders ---- */

static void say_collider(random_scene *s, int number) {
    double x = between(s, -0.4, 0.4), z = between(s, -0.4, 0.4), y = between(s, 0, 0.2);
    say(s, ",\n    {\"name\": \"collider_%d\"", number);
    SAY_WORD(s, "shape", "sphere", "capsule", "box", "cylinder");
    const double radius = between(s, 0.05, 0.2), wide = between(s, 0.05, 0.3);
    say_extent(s, radius, wide, 0.1, 0.15);
    say(s, ", \"position\": [%.6g, %.6g, %.6g]", x, y, z);
    if (chance(s, 0.5)) say_rotation(s);
    if (chance(s, 0.3)) say_number(s, "static_friction", between(s, 0, 1));
    say_restitution(s);
    say_number(s, "recovery_speed", 2);
    say(s, "}");
}

/* Along the floor, so that nothing is squeezed, and turning. */
static void say_motion(random_scene *s) {
    double x = between(s, -1, 1), z = between(s, -1, 1), time = magnitude(s, 0.1, 1);
    double angle = chance(s, 0.5) ? between(s, -2, 2) : 0;
    s->driven = fmax(s->driven, (sqrt(x * x + z * z) + fabs(angle) * 0.5) / time * 1.5);
    s->passive = false;
    say(s, ",\n  \"motions\": [{\"collider\": \"collider_0\"");
    SAY_WORD(s, "interpolation", "linear", "smooth");
    say(s, ", \"keys\": [{\"time\": 0}, {\"time\": %.6g, \"position\": [%.6g, 0, %.6g], ", time, x,
        z);
    say(s, "\"rotation\": {\"axis\": [0, 1, 0], \"angle\": %.6g}}]}]", angle);
}

static void say_colliders(random_scene *s) {
    int count = pick(s, 3);
    say(s, ",\n  \"colliders\": [\n    {\"name\": \"floor\", \"recovery_speed\": 2}");
    for (int i = 0; i < count; i++) say_collider(s, i);
    if (s->rigid) say_rigid(s);
    say(s, "\n  ]");
    if (count > 0 && chance(s, 0.4)) say_motion(s);
}

/* ---- What flows ---- */

/* What is between the walls is 0.6 m wide. */
static void say_basin(random_scene *s) {
    static const char *const walls[][2] = {{"-0.4, 0.6, 0", "0.1, 0.6, 0.5"},
                                           {"0.4, 0.6, 0", "0.1, 0.6, 0.5"},
                                           {"0, 0.6, -0.4", "0.5, 0.6, 0.1"},
                                           {"0, 0.6, 0.4", "0.5, 0.6, 0.1"}};
    say(s, ",\n  \"colliders\": [\n    {\"name\": \"floor\", \"static_friction\": 0}");
    for (int i = 0; i < 4; i++)
        say(s,
            ",\n    {\"name\": \"wall_%d\", \"shape\": \"box\", \"position\": [%s], "
            "\"extent\": [%s], \"static_friction\": 0}",
            i, walls[i][0], walls[i][1]);
}

/* A rigid box that floats or sinks. */
static void say_float(random_scene *s) {
    double size = between(s, 0.04, 0.09);
    say(s, ",\n    {\"name\": \"float\"");
    SAY_WORD(s, "shape", "box", "sphere", "cylinder");
    say_extent(s, size, size, size, size);
    say(s, ", \"position\": [0.1, %.6g, 0.1]", s->height + 0.2);
    say_number(s, "density", magnitude(s, 100, 4000));
    say(s, "}");
    s->height += 0.4;
}

/* What is loose above what is there, as wide as the basin; `room` is how high it is. */
static void say_loose(random_scene *s, const char *name, double room) {
    say(s, ", \"name\": \"%s\", \"position\": [0, %.6g, 0], \"collide\": \"%s\"}", name,
        s->height + room / 2, chance(s, 0.5) ? "all" : "others");
    s->height += room + 0.05;
}

static void say_fluid(random_scene *s, const char *name, double spacing) {
    say(s, "{\"mesh\": {\"shape\": \"lattice\", \"extent\": [%.6g, %.6g, %.6g], ", 6 * spacing,
        4 * spacing, 6 * spacing);
    say(s, "\"spacing\": %.6g}, \"material\": {\"kind\": \"fluid\"", spacing);
    say_number(s, "density", magnitude(s, 300, 3000));
    if (chance(s, 0.6)) say_number(s, "viscosity", magnitude(s, 1e-6, 1));
    if (chance(s, 0.3)) say_number(s, "xsph", between(s, 0, 0.5));
    if (chance(s, 0.3)) {
        say(s, ", \"equality\": \"yes\"");
        s->passive = false;
    }
    say(s, "}");
    say_loose(s, name, 4 * spacing);
}

/* Single balls, or grains of several. */
static void say_grains(random_scene *s, double spacing) {
    int balls = chance(s, 0.6) ? 2 + pick(s, 5) : 1;
    double radius = spacing * between(s, 0.1, 0.15);
    say(s, ",\n    {\"mesh\": {\"shape\": \"%s\"", balls > 1 ? "clumps" : "lattice");
    say(s, ", \"extent\": [%.6g, %.6g, %.6g]", 5 * spacing, 3 * spacing, 5 * spacing);
    say_number(s, "spacing", spacing);
    if (balls > 1) say(s, ", \"radius\": %.6g, \"balls\": %d", radius, balls);
    say(s, "}, \"material\": {\"kind\": \"particles\", \"radius\": %.6g", radius);
    say_number(s, "density", magnitude(s, 300, 5000));
    if (balls > 1) say(s, ", \"balls\": %d", balls);
    if (balls == 1 && chance(s, 0.4)) say_number(s, "cohesion", magnitude(s, 1e-3, 0.1));
    say(s, "}, \"rolls\": %s, \"contact\": {\"detail\": \"points\"}",
        chance(s, 0.5) ? "true" : "false");
    say_loose(s, "grains", 3 * spacing);
}

/* Across the basin, held at its corners or free, and open for a part of what meets it. */
static void say_sieve(random_scene *s) {
    static const char *const corners =
        ", \"pins\": [\"corner_0\", \"corner_1\", \"corner_2\", \"corner_3\"]";
    say(s, ",\n    {\"name\": \"sieve\", \"mesh\": {\"shape\": \"grid\", \"width\": 0.56, ");
    say(s, "\"depth\": 0.56, \"columns\": 8, \"rows\": 8}");
    /* A particle weighs up to 0.3 kg, and throws what is a hundred times lighter. */
    say(s, ", \"material\": {\"kind\": \"cloth\", \"thickness\": 0.02");
    say_number(s, "area_density", magnitude(s, 2, 8));
    say(s, "}");
    say(s, ", \"position\": [0, %.6g, 0], \"collide\": \"others\"", s->height);
    say(s, ", \"contact\": {\"porosity\": %.6g}", chance(s, 0.2) ? 1 : between(s, 0, 1));
    say(s, "%s}", chance(s, 0.7) ? corners : "");
    s->height += 0.05;
}

/* A closed surface that is filled, again and again where a rate says so. */
static void say_emitter(random_scene *s) {
    say(s, ",\n  \"emitters\": [{\"name\": \"source\", \"nodes\": \"reserve\", ");
    say(s, "\"shape\": \"mesh\", \"mesh\": \"source\"");
    say(s, ", \"position\": [0, %.6g, 0]", s->height + 0.15);
    double speed = chance(s, 0.5) ? between(s, 0, 2) : 0;
    say_number(s, "speed", speed);
    if (chance(s, 0.5))
        say_number(s, "rate", magnitude(s, 1e-4, 1e-2));
    else
        say_number(s, "end", 0.01);
    say(s, "}]");
    if (chance(s, 0.4))
        say(s, ",\n  \"drains\": [{\"shape\": \"box\", \"extent\": [0.1, 0.1, 0.1]}]");
    s->height += 0.4;
    s->thrown = fmax(s->thrown, speed);
    s->passive = false;
}

/* ---- The scene ---- */

static void say_settings(random_scene *s) {
    static const double pulls[] = {9.81, 9.81, 9.81, 0, 1.62};
    s->gravity = pulls[pick(s, 5)];
    say(s, "  \"settings\": {\"gravity\": [0, %.6g, 0], \"substeps\": %d", -s->gravity,
        5 + pick(s, 20));
    say_number(s, "iterations", chance(s, 0.8) ? 1 : 2 + pick(s, 4));
    SAY_WORD(s, "solver", "coloured", "coloured", "coloured", "reference", "jacobi", "averaged",
             "hybrid");
    say(s, ", \"integrator\": \"%s\"", chance(s, 0.5) && !s->rigid ? "bdf2" : "bdf1");
    SAY_WORD(s, "friction", "position", "position", "position", "velocity");
    if (chance(s, 0.3)) say_number(s, "damping", magnitude(s, 0.01, 10));
    if (chance(s, 0.1)) say(s, ", \"alternate\": true");
    if (chance(s, 0.2)) say_number(s, "sleep_time", between(s, 0.1, 0.5));
    if (chance(s, 0.2)) {
        double wind = magnitude(s, 0.1, 10);
        say_number(s, "air_density", 1.2);
        say_vector(s, "wind", wind);
        s->driven = fmax(s->driven, sqrt(3) * wind);
        s->passive = false;
    }
    say(s, "}");
}

static void make(random_scene *scene, unsigned seed, bool rigid) {
    *scene = (random_scene){.passive = true, .rigid = rigid, .state = seed};
    for (int i = 0; i < 4; i++) draw(scene);
    scene->guarded = chance(scene, 0.3);
    scene->height = 0.5;
    say(scene, "{\n  \"version\": 1,\n  \"title\": \"Random scene %u\",\n", seed);
    say(scene, "  \"run\": {\"frames\": 60, \"fps\": 60},\n");
    say_settings(scene);
    say(scene, ",\n  \"bodies\": [");
    int bodies = rigid ? pick(scene, 2) : 1 + pick(scene, 4);
    for (int i = 0; i < bodies; i++) say_body(scene, i);
    say(scene, "\n  ]");
    say_colliders(scene);
    say(scene, "\n}\n");
}

void random_scene_make_loose(random_scene *s, unsigned seed) {
    *s = (random_scene){.passive = true, .gravity = 9.81, .height = 0.02, .state = seed};
    for (int i = 0; i < 4; i++) draw(s);
    const double spacing = between(s, 0.04, 0.05);
    const bool fills = chance(s, 0.5);
    say(s, "{\n  \"version\": 1,\n  \"title\": \"Random scene %u of what flows\",\n", seed);
    say(s, "  \"run\": {\"frames\": 45, \"fps\": 60},\n");
    say(s, "  \"settings\": {\"substeps\": %d, \"iterations\": %d},\n", 8 + pick(s, 12),
        1 + pick(s, 3));
    say(s,
        "  \"meshes\": {\"source\": {\"shape\": \"torus\", \"radius\": 0.12, \"tube\": 0.07}},\n");
    say(s, "  \"bodies\": [\n    ");
    say_fluid(s, "pool", spacing);
    if (chance(s, 0.7)) say_sieve(s);
    if (chance(s, 0.6)) say_grains(s, spacing);
    double below = s->height;
    if (fills) {
        say(s, ",\n    ");
        say_fluid(s, "reserve", spacing);
        s->height = below;
    }
    say(s, "\n  ]");
    if (fills) say_emitter(s);
    say_basin(s);
    if (chance(s, 0.6)) say_float(s);
    say(s, "\n  ]\n}\n");
}

void random_scene_make(random_scene *scene, unsigned seed) {
    make(scene, seed, false);
}

void random_scene_make_rigid(random_scene *scene, unsigned seed) {
    make(scene, seed, true);
}
