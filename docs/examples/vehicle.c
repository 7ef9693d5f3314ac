/*
 * A vehicle whose wheels are rays: a rigid chassis with four springs that are felt for below it,
 * and tyres that push along the ground as far as friction lets them. The usual car of games, from
 * casts and forces alone.
 */
#include <sinew/sinew.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MASS 1200.0    /* kg */
#define SPRING 40000.0 /* N/m, of each wheel */
#define DAMPER 4000.0  /* N s/m */
#define TRAVEL 0.35    /* m, from the mount to the ground when a spring is at rest */
#define WHEEL 0.3      /* m, radius */
#define GRIP 0.9       /* of tyres */
#define DT (1.0 / 240) /* s */

static void expect(sn_result result) {
    if (result == SN_OK) return;
    fprintf(stderr, "%s\n", sn_last_error());
    exit(1);
}

typedef struct vec {
    double x, y, z;
} vec;

static vec of(sn_vec3 v) {
    return (vec){(double)v.x, (double)v.y, (double)v.z};
}
static sn_vec3 real(vec v) {
    return (sn_vec3){(sn_real)v.x, (sn_real)v.y, (sn_real)v.z};
}
static vec add(vec a, vec b) {
    return (vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static vec scale(double f, vec a) {
    return (vec){f * a.x, f * a.y, f * a.z};
}
static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vec cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static vec unit(vec a) {
    return scale(1 / sqrt(dot(a, a)), a);
}
static vec turned(sn_quat q, vec v) {
    vec u = {(double)q.x, (double)q.y, (double)q.z}, t = scale(2, cross(u, v));
    return add(v, add(scale((double)q.w, t), cross(u, t)));
}

typedef struct vehicle {
    sn_world *world;
    sn_query *query;
    sn_node chassis;
    sn_collider shape;
    double throttle, brake, steer; /* N per wheel, N per wheel, rad */
} vehicle;

static bool is_ground(void *user, const sn_hit *hit) {
    const vehicle *car = user;
    return hit->kind == SN_HIT_COLLIDER && hit->collider.slot != car->shape.slot;
}

/* What a wheel does to the chassis, at its mount; how hard it is pressed to the ground, N. */
static double press(vehicle *car, const sn_node_def *body, vec mount, bool front) {
    sn_filter_def filter = sn_filter_def_default();
    sn_cast_def ray = sn_cast_def_default();
    sn_hit hit;
    vec arm = turned(body->orientation, mount), up = turned(body->orientation, (vec){0, 1, 0});
    filter.accept = is_ground;
    filter.user = car;
    ray.origin = real(add(of(body->position), arm));
    ray.direction = real(scale(-1, up));
    ray.length = (sn_real)(TRAVEL + WHEEL);
    expect(sn_query_cast(car->query, &ray, &filter, &hit));
    if (hit.kind == SN_HIT_NONE) return 0;

    vec normal = of(hit.normal), contact = add(of(hit.point), scale(-1, of(body->position)));
    vec velocity = add(of(body->velocity), cross(of(body->angular_velocity), contact));
    double squeeze = TRAVEL + WHEEL - (double)hit.distance;
    double load = SPRING * squeeze - DAMPER * dot(velocity, normal);
    if (load < 0) load = 0;

    /* The tyre: along its direction the engine or the brakes, across it whatever stops slipping
       within a few steps; together no more than friction. */
    double angle = front ? car->steer : 0;
    vec ahead = turned(body->orientation, (vec){cos(angle), 0, -sin(angle)});
    vec side = unit(cross(ahead, normal));
    ahead = cross(normal, side);
    double along = car->throttle, speed = dot(velocity, ahead), slip = dot(velocity, side);
    if (car->brake > 0) along = fmax(-car->brake, fmin(car->brake, -speed * MASS / 4 / (4 * DT)));
    double across = -slip * MASS / 4 / (4 * DT), most = GRIP * load;
    double total = sqrt(along * along + across * across);
    if (total > most) along *= most / total, across *= most / total;
    vec force = add(scale(load, normal), add(scale(along, ahead), scale(across, side)));
    expect(sn_node_add_force(car->world, car->chassis, real(force)));
    expect(sn_node_add_torque(car->world, car->chassis, real(cross(contact, force))));
    return load;
}

static double drive(vehicle *car, double seconds, sn_node_def *body) {
    double load = 0;
    for (int i = 0; i < (int)(seconds / DT + 0.5); i++) {
        expect(sn_query_refresh(car->query, car->world));
        expect(sn_node_get(car->world, car->chassis, body));
        load = 0;
        for (int w = 0; w < 4; w++) {
            vec mount = {w < 2 ? 1.3 : -1.3, -0.2, w % 2 ? 0.75 : -0.75};
            load += press(car, body, mount, w < 2);
        }
        expect(sn_world_step(car->world, (sn_real)DT));
    }
    expect(sn_node_get(car->world, car->chassis, body));
    return load;
}

int main(void) {
    sn_world_def def = sn_world_def_default();
    sn_collider_def floor = sn_collider_def_default(), box = sn_collider_def_default();
    sn_rigid_def steel = sn_rigid_def_default();
    sn_collider made;
    vehicle car = {0};
    sn_node_def body;
    def.settings.substeps = 4;
    expect(sn_world_create(&def, &car.world));
    expect(sn_collider_create(car.world, &floor, &made));
    box.shape = SN_SHAPE_BOX;
    box.extent = (sn_vec3){1.8f, 0.25f, 0.7f};
    box.position = (sn_vec3){0, 0.8f, 0};
    steel.mass = (sn_real)MASS;
    expect(sn_rigid_create(car.world, &steel, &box, &car.chassis, &car.shape));
    expect(sn_query_create(car.world, &car.query));

    /* It rests on its springs: m g = 4 k squeeze. */
    double load = drive(&car, 3, &body);
    double rest = TRAVEL + WHEEL + 0.2 - MASS * 9.81 / (4 * SPRING);
    printf("rests %.3f m high, expected %.3f m; wheels carry %.0f N of %.0f N\n",
           (double)body.position.y, rest, load, MASS * 9.81);
    if (fabs((double)body.position.y - rest) > 0.002 || fabs(load / (MASS * 9.81) - 1) > 0.01)
        return 1;

    /* Four wheels of 900 N: v = 4 F t / m. */
    car.throttle = 900;
    drive(&car, 5, &body);
    double speed = (double)body.velocity.x, expected = 4 * 900 * 5 / MASS;
    printf("after 5 s %.2f m/s, expected %.2f m/s\n", speed, expected);
    if (fabs(speed / expected - 1) > 0.01) return 1;

    /* A curve: speed / turn = wheelbase / tan(steer), as long as tyres hold. */
    car.throttle = 0;
    car.steer = 0.08;
    drive(&car, 3, &body);
    double radius = sqrt((double)body.velocity.x * (double)body.velocity.x +
                         (double)body.velocity.z * (double)body.velocity.z) /
                    (double)body.angular_velocity.y;
    printf("a curve of %.1f m, expected %.1f m\n", radius, 2.6 / tan(0.08));
    if (fabs(radius / (2.6 / tan(0.08)) - 1) > 0.1) return 1;

    /* Brakes stop it within v^2 / (2 mu g), and a little for the springs. */
    car.steer = 0;
    sn_vec3 from = body.position;
    speed = hypot((double)body.velocity.x, (double)body.velocity.z);
    car.brake = 1e5;
    drive(&car, 4, &body);
    double way = hypot((double)(body.position.x - from.x), (double)(body.position.z - from.z));
    expected = speed * speed / (2 * GRIP * 9.81);
    printf("stops after %.1f m, expected %.1f m\n", way, expected);
    if (way < 0.9 * expected || way > 1.2 * expected) return 1;

    sn_query_destroy(car.query);
    sn_world_destroy(car.world);
    return 0;
}
