/*
 * A character that is moved by its player and not by forces: it walks, slides along walls, climbs
 * stairs and stays off slopes that are too steep, all by asking what a ball meets on its way. What
 * it carries is a rigid shape that nothing moves, so it pushes crates.
 */
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define RADIUS 0.3     /* m, of the ball that the character feels its way with */
#define STEP 0.25      /* m, what it climbs */
#define STEEPEST 0.64f /* cosine of 50 degrees */
#define SKIN 0.005     /* m, that it keeps away */

static void expect(sn_result result) {
    if (result == SN_OK) return;
    fprintf(stderr, "%s\n", sn_last_error());
    exit(1);
}

typedef struct character {
    sn_world *world;
    sn_query *query;
    sn_node node;
    double x, y, z; /* m, of its middle */
    double fall;    /* m/s, downwards */
} character;

/* What bodies carry is pushed, and does not stop it; that is its own shape as well. */
static bool stands(void *user, const sn_hit *hit) {
    const character *c = user;
    sn_node carrier;
    if (hit->kind != SN_HIT_COLLIDER) return false;
    return sn_collider_get_carrier(c->world, hit->collider, &carrier) == SN_OK && !carrier.slot;
}

/* How far the ball gets along a way, of which it keeps a skin off; and what it meets. */
static double advance(character *c, double dx, double dy, double dz, sn_hit *hit) {
    double length = sqrt(dx * dx + dy * dy + dz * dz), part = 1;
    sn_filter_def filter = sn_filter_def_default();
    sn_cast_def cast = sn_cast_def_default();
    hit->kind = SN_HIT_NONE;
    if (length < 1e-9) return 1;
    filter.accept = stands;
    filter.user = c;
    cast.origin = (sn_vec3){(sn_real)c->x, (sn_real)c->y, (sn_real)c->z};
    cast.direction = (sn_vec3){(sn_real)dx, (sn_real)dy, (sn_real)dz};
    cast.length = (sn_real)(length + SKIN);
    cast.radius = (sn_real)RADIUS;
    expect(sn_query_cast(c->query, &cast, &filter, hit));
    if (hit->kind != SN_HIT_NONE) part = fmax(0, (double)hit->distance - SKIN) / length;
    if (part > 1) part = 1;
    c->x += part * dx;
    c->y += part * dy;
    c->z += part * dz;
    return part;
}

/* Along a way on the level, and what is left of it along walls. */
static void slide(character *c, double dx, double dz) {
    for (int i = 0; i < 4; i++) {
        sn_hit hit;
        double part = advance(c, dx, 0, dz, &hit);
        if (hit.kind == SN_HIT_NONE) return;
        double nx = (double)hit.normal.x, nz = (double)hit.normal.z, n = nx * nx + nz * nz;
        dx *= 1 - part;
        dz *= 1 - part;
        double into = n > 1e-9 ? (dx * nx + dz * nz) / n : 0;
        if (into < 0) dx -= into * nx, dz -= into * nz;
    }
}

/* Whether what the ball came down on can be stood on. On the edge of a stair the normal is that of
   the edge, so it is asked of the ground a little further on. */
static bool is_ground(character *c, const sn_hit *hit) {
    sn_filter_def filter = sn_filter_def_default();
    sn_cast_def ray = sn_cast_def_default();
    sn_hit below;
    if (hit->normal.y >= STEEPEST) return true;
    filter.accept = stands;
    filter.user = c;
    ray.origin = hit->point;
    ray.origin.x -= 0.05f * hit->normal.x;
    ray.origin.y += 0.1f;
    ray.origin.z -= 0.05f * hit->normal.z;
    ray.length = 0.2f;
    expect(sn_query_cast(c->query, &ray, &filter, &below));
    return below.kind != SN_HIT_NONE && below.normal.y >= STEEPEST;
}

/* One frame: up by a step, along, and down again, so that stairs are no walls. Where that ends on
   something too steep, it is a wall after all. */
static bool walk(character *c, double vx, double vz, double h) {
    sn_hit hit;
    character before = *c;
    expect(sn_query_refresh(c->query, c->world));
    advance(c, 0, STEP, 0, &hit);
    double up = c->y - before.y;
    slide(c, vx * h, vz * h);
    c->fall += 9.81 * h;
    advance(c, 0, -up - fmax(c->fall * h, 0.02), 0, &hit);
    bool grounded = hit.kind != SN_HIT_NONE;
    if (grounded && c->y > before.y + 1e-3 && !is_ground(c, &hit)) {
        c->x = before.x, c->y = before.y, c->z = before.z;
        slide(c, vx * h, vz * h);
        advance(c, 0, -fmax(c->fall * h, 0.02), 0, &hit);
        grounded = hit.kind != SN_HIT_NONE;
    }
    if (grounded) c->fall = 0;
    expect(sn_node_set_target(c->world, c->node,
                              (sn_vec3){(sn_real)c->x, (sn_real)c->y, (sn_real)c->z}));
    expect(sn_world_step(c->world, (sn_real)h));
    return grounded;
}

/* A box that stands, turned about z. */
static void add_box(sn_world *world, sn_vec3 at, sn_vec3 half, double angle) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider made;
    def.shape = SN_SHAPE_BOX;
    def.position = at;
    def.extent = half;
    def.orientation = (sn_quat){0, 0, (sn_real)sin(angle / 2), (sn_real)cos(angle / 2)};
    expect(sn_collider_create(world, &def, &made));
}

static character make_character(sn_world *world) {
    character c = {.world = world, .y = RADIUS + 0.05};
    sn_node_def node = sn_node_def_default();
    sn_collider_def shape = sn_collider_def_default();
    sn_collider made;
    node.oriented = true;
    node.inverse_mass = 0;
    node.inverse_inertia = (sn_vec3){0, 0, 0};
    node.position = (sn_vec3){0, (sn_real)c.y, 0};
    shape.shape = SN_SHAPE_SPHERE;
    shape.radius = (sn_real)RADIUS;
    shape.position = node.position;
    expect(sn_node_create(world, &node, &c.node));
    expect(sn_collider_create(world, &shape, &made));
    expect(sn_collider_set_carrier(world, made, c.node));
    expect(sn_query_create(world, &c.query));
    return c;
}

int main(void) {
    const double h = 1.0 / 60;
    sn_world *world;
    sn_world_def def = sn_world_def_default();
    def.settings.substeps = 10;
    expect(sn_world_create(&def, &world));

    sn_collider_def floor = sn_collider_def_default();
    sn_collider made;
    expect(sn_collider_create(world, &floor, &made));
    /* Five stairs of 0.2 m, then a slope of 60 degrees. */
    for (int i = 0; i < 5; i++)
        add_box(world, (sn_vec3){(sn_real)(2 + 0.4 * i + 2), (sn_real)(0.1 * (i + 1)), 0},
                (sn_vec3){2, (sn_real)(0.1 * (i + 1)), 1}, 0);
    add_box(world, (sn_vec3){6, 1.5f, 0}, (sn_vec3){2, 0.05f, 1}, 60 * 3.14159265 / 180);
    /* A crate in another direction. */
    sn_rigid_def wood = sn_rigid_def_default();
    sn_collider_def box = sn_collider_def_default();
    sn_node crate;
    box.shape = SN_SHAPE_BOX;
    box.extent = (sn_vec3){0.25f, 0.25f, 0.25f};
    box.position = (sn_vec3){0, 0.25f, 4};
    wood.mass = 20;
    expect(sn_rigid_create(world, &wood, &box, &crate, &made));

    character c = make_character(world);
    int feet = 0, frames = 0;
    for (; frames < 240; frames++) feet += walk(&c, 2, 0.1, h);
    printf("up the stairs: %.2f m high, on its feet in %d of %d frames\n", c.y - RADIUS, feet,
           frames);
    /* On the upper stair, at the foot of the slope that it does not climb. */
    if (fabs(c.y - RADIUS - 1) > 0.15 || c.x > 6 || feet < frames - 20) return 1;

    for (int i = 0; i < 300; i++) walk(&c, -2.5, 0, h);
    printf("down again: %.2f m high, at x = %.2f m\n", c.y - RADIUS, c.x);
    if (fabs(c.y - RADIUS) > 0.02) return 1;

    /* To the crate, and on with it. */
    c.x = c.z = 0;
    expect(sn_node_set_position(world, c.node, (sn_vec3){0, (sn_real)c.y, 0}));
    for (int i = 0; i < 240; i++) walk(&c, 0, 1.5, h);
    sn_node_def pushed;
    expect(sn_node_get(world, crate, &pushed));
    printf("the crate was pushed from 4 m to %.2f m\n", (double)pushed.position.z);
    if ((double)pushed.position.z < 5 || (double)pushed.position.z < c.z) return 1;

    sn_query_destroy(c.query);
    sn_world_destroy(world);
    return 0;
}
