/*
 * Air on sheets: drag and lift of every triangle, and the lift of what is closed.
 *
 * With the velocity u of a triangle relative to the wind, c = u . n / |u| and A its area,
 *
 *   F = -1/2 rho A |u|^2 c ((C_D - C_L) c u / |u| + C_L n)
 *
 * which is C_D along u where air meets it head on, and where it glides along, nothing. With C_L =
 * C_D it is normal to the triangle. It does not matter which side n is on. A third of it acts on
 * each node.
 *
 * A gale on a thin cloth would turn the velocity round within a substep, and more so every time. So
 * the impulse h F is at most what leaves no velocity along itself: with the inverse mass W of the
 * triangle h |F| W <= -u . F / |F|, which is
 *
 *   1/2 rho A |u|^2 <= C_D |u| / (h W (c^2 (C_D^2 - C_L^2) + C_L^2))
 *
 * and takes energy from the motion relative to the air, never gives any. W is that of the node
 * which is moved most; every node is shared by its triangles according to their areas at rest.
 *
 * A closed sheet that is buoyant feels the pressure p = rho g . (x - x0) of air at rest, with x0 on
 * the sheet; over a closed surface that adds up to -rho g V exactly, as p is linear.
 *
 * Forces are worked out per triangle and then added up per node in the order of triangles, so that
 * the number of threads does not matter. What comes out joins the accelerations of force fields.
 */
#include "step/air.h"

enum { TRIANGLES_ALONE = 1024, NODES_ALONE = 2048 };

typedef struct blow {
    const sn_world *world;
    const sn_gusts *gusts; /* null where there are none */
    sn_v4 wind;
    sn_real half_density, h;
} blow;

/* ---- The plan ---- */

static bool varies(const sn_world *world) {
    return world->air.wind || world->settings.gust_strength > 0;
}

bool sn_air_plan(sn_step *step) {
    sn_world *world = step->world;
    sn_air *air = &world->air;
    const sn_settings *settings = &world->settings;
    bool any = settings->air_density > 0 && world->sheets.slots.live > 0 && !world->feeder;
    step->blown = false;
    if (!any) return true;
    if (!sn_air_make_lists(world)) return false;
    /* One more, so that a wind of the user has a place to write to. */
    if (varies(world) && !sn_reserve(&world->memory, (void **)&air->blown, &air->blown_capacity,
                                     world->nodes.slots.count + 1, sizeof *air->blown))
        return false;
    step->blown = air->triangles > 0;
    for (size_t i = 0; step->blown && i < world->sheets.slots.count; i++) {
        const sn_sheet_state *s = &world->sheets.state[i];
        sn_air_law *law = &air->law[i];
        if (!world->sheets.slots.alive[i]) continue;
        sn_real lift = s->def.lift == SN_AUTO ? s->def.drag : s->def.lift, up = law->sides;
        sn_vec3 g = settings->gravity;
        *law = (sn_air_law){.drag = s->def.drag, .lift = lift, .sides = up, .origin = s->node[0]};
        law->cross = s->def.drag * s->def.drag - lift * lift;
        law->along = lift * lift;
        up *= settings->air_density;
        law->pressure = (sn_vec3){up * g.x, up * g.y, up * g.z};
    }
    return true;
}

/* ---- Wind ---- */

static sn_v4 wind_at(const blow *b, uint32_t node) {
    sn_v4 x = *(const sn_v4 *)&b->world->nodes.x[node];
    sn_v4 wind = b->wind;
    if (b->gusts) wind += sn_gusts_speed(b->gusts, x);
    return wind;
}

static void blow_members(void *context, size_t begin, size_t end) {
    const blow *b = context;
    const sn_air *air = &b->world->air;
    for (size_t i = begin; i < end; i++) {
        uint32_t node = air->member[i].node;
        *(sn_v4 *)&air->blown[node] = wind_at(b, node);
    }
}

/* A user sees the wind at all nodes, and says what it is. */
static void blow_nodes(void *context, size_t begin, size_t end) {
    const blow *b = context;
    for (size_t i = begin; i < end; i++)
        *(sn_v4 *)&b->world->air.blown[i] = wind_at(b, (uint32_t)i);
}

static void find_wind(const sn_step *step, blow *b) {
    sn_world *world = step->world;
    const sn_air *air = &world->air;
    if (!air->wind) {
        sn_team_run(world->team, air->members, NODES_ALONE, blow_members, b);
        return;
    }
    sn_team_run(world->team, world->nodes.slots.count, NODES_ALONE, blow_nodes, b);
    sn_force_field_input input = sn_forces_input(step);
    air->wind(air->user, &input, air->blown);
}

/* ---- Forces ---- */

/* Drag and lift of a triangle, whose normal is as long as its area. */
SN_INLINE sn_v4 push(const blow *b, const sn_air_law *law, sn_v4 normal, sn_v4 u, sn_real w) {
    sn_real area = SN_ROOT(sn_v4_dot(normal, normal)), speed = SN_ROOT(sn_v4_dot(u, u));
    if (!(area > 0) || !(speed > 0) || !(w > 0)) return (sn_v4){0};
    sn_v4 n = normal / area, along = u / speed;
    sn_real c = sn_v4_dot(n, along), square = c * c;
    sn_real strength = b->half_density * area * speed * speed;
    sn_real most = law->drag * speed, turned = b->h * w * (square * law->cross + law->along);
    if (strength * turned > most) strength = most / turned;
    return (-c * strength) * ((law->drag - law->lift) * c * along + law->lift * n);
}

static void push_triangles(void *context, size_t begin, size_t end) {
    const blow *b = context;
    const sn_world *world = b->world;
    const sn_nodes *nodes = &world->nodes;
    const sn_v4 *x = (const sn_v4 *)nodes->x, *v = (const sn_v4 *)nodes->v;
    const sn_v4 *blown = varies(world) ? (const sn_v4 *)world->air.blown : NULL;
    const sn_real third = (sn_real)(1.0 / 3);
    for (size_t i = begin; i < end; i++) {
        const sn_air_triangle *t = &world->air.triangle[i];
        sn_v4 *force = (sn_v4 *)&world->air.force[i];
        uint32_t p = t->node[0], q = t->node[1], r = t->node[2];
        if (sn_sleep_has(&world->sleep, nodes->body[p])) {
            *force = (sn_v4){0};
            continue;
        }
        const sn_air_law *law = &world->air.law[t->sheet];
        sn_v4 normal = SN_R(0.5) * sn_v4_cross(x[q] - x[p], x[r] - x[p]);
        sn_v4 wind = b->wind;
        if (blown) wind = third * ((blown[p] + blown[q]) + blown[r]);
        sn_v4 u = third * ((v[p] + v[q]) + v[r]) - wind;
        sn_real w = 0;
        for (int k = 0; k < 3; k++) {
            sn_real mine = nodes->w[t->node[k]] * t->share[k];
            if (mine > w) w = mine;
        }
        sn_v4 all = push(b, law, normal, u, w);
        if (law->sides != 0) {
            sn_v4 from = x[law->origin];
            sn_v4 centre = third * (((x[p] - from) + (x[q] - from)) + (x[r] - from));
            all -= sn_v4_dot(sn_v4_of(law->pressure), centre) * normal;
        }
        *force = third * all;
    }
}

static void add_to_nodes(void *context, size_t begin, size_t end) {
    const blow *b = context;
    const sn_world *world = b->world;
    const sn_air *air = &world->air;
    for (size_t i = begin; i < end; i++) {
        uint32_t node = air->member[i].node;
        sn_v4 sum = {0};
        for (uint32_t k = air->member[i].first; k < air->member[i + 1].first; k++)
            sum += *(const sn_v4 *)&air->force[air->of[k]];
        *(sn_v4 *)&world->acceleration[node] += world->nodes.w[node] * sum;
    }
}

void sn_air_push(sn_step *step) {
    if (!step->blown) return;
    sn_world *world = step->world;
    const sn_settings *settings = &world->settings;
    sn_gusts gusts;
    blow b = {.world = world, .wind = sn_v4_of(settings->wind), .h = (sn_real)step->h};
    b.half_density = settings->air_density / 2;
    if (settings->gust_strength > 0) {
        const double *far = world->air.drift, passed = step->h * (double)step->substep;
        const double drift[3] = {far[0] + passed * (double)settings->wind.x,
                                 far[1] + passed * (double)settings->wind.y,
                                 far[2] + passed * (double)settings->wind.z};
        gusts = sn_gusts_at(settings, drift, sn_forces_input(step).time);
        b.gusts = &gusts;
    }
    if (varies(world)) find_wind(step, &b);
    sn_team_run(world->team, world->air.triangles, TRIANGLES_ALONE, push_triangles, &b);
    sn_team_run(world->team, world->air.members, NODES_ALONE, add_to_nodes, &b);
}

void sn_air_end(sn_step *step) {
    const sn_settings *settings = &step->world->settings;
    double *drift = step->world->air.drift;
    if (!(settings->gust_strength > 0)) return;
    drift[0] += step->dt * (double)settings->wind.x;
    drift[1] += step->dt * (double)settings->wind.y;
    drift[2] += step->dt * (double)settings->wind.z;
}
