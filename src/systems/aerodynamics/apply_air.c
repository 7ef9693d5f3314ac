/*
 * Air on sheets: drag and lift of every triangle, and the lift of what is closed.
 *
 * With the velocity u of a triangle relative to the wind, c = u . n / |u| and A its area,
 *
 *   F = -1/2 rho A |u|^2 c ((C_D - C_L) c u / |u| + C_L n)
 *
 * which is C_D along u where air meets it head on, and where it glides along, nothing. Where C_L
 * is C_D it is normal to the triangle. It does not matter which side n is on. A third of it acts
 * on each node.
 *
 * A gale on a thin cloth would turn the velocity round within a substep, and more so every time.
 * So the impulse h F is at most what leaves no velocity along itself: with the inverse mass W of
 * the triangle
 *
 *   h |F| W <= -u . F / |F|
 *
 * which is
 *
 *   1/2 rho A |u|^2 <= C_D |u| / (h W (c^2 (C_D^2 - C_L^2) + C_L^2))
 *
 * and takes energy from the motion relative to the air, never gives any. W is that of the node
 * which is moved most; every node is shared by its triangles according to their areas at rest.
 *
 * A closed sheet that is buoyant feels the pressure p = rho g . (x - x0) of air at rest, with x0
 * on the sheet; over a closed surface that adds up to -rho g V exactly, as p is linear.
 *
 * Forces are worked out per triangle, four at a time, and then added up per node in the order of
 * triangles, so that the number of threads does not matter. What comes out joins the accelerations
 * of force fields.
 */
#include "systems/aerodynamics/apply_air.h"
#include "systems/aerodynamics/drags.h"
#include "systems/sheet/sheets.h"

enum { FOURS_ALONE = 512, NODES_ALONE = 2048 };

/* ---- The plan ---- */

static bool varies(const sn_world *world) {
    return sn_air_of(world)->wind || world->settings.gust_strength > 0;
}

static sn_vec4 numbers_of(sn_real drag, sn_real lift) {
    if (lift == SN_AUTO || lift > drag) lift = drag;
    return (sn_vec4){drag, lift, drag * drag - lift * lift, lift * lift};
}

/* The mean over the corners; what is automatic at one of them is so for the triangle. */
static sn_vec4 mean_numbers(const sn_sheets *sheets, const sn_air_triangle *t) {
    const sn_sheet_state *s = &sheets->state[sheets->of_node[t->node[0]] - 1];
    const sn_real *a = s->air[sheets->place[t->node[0]]], *b = s->air[sheets->place[t->node[1]]];
    const sn_real *c = s->air[sheets->place[t->node[2]]];
    const sn_real third = (sn_real)(1.0 / 3);
    sn_real drag = a[0] + ((b[0] - a[0]) + (c[0] - a[0])) * third;
    if (a[1] == SN_AUTO || b[1] == SN_AUTO || c[1] == SN_AUTO) return numbers_of(drag, SN_AUTO);
    return numbers_of(drag, a[1] + ((b[1] - a[1]) + (c[1] - a[1])) * third);
}

/* Triangles that have numbers of their own take everything else from that of their sheet. */
static void find_own_models(sn_world *world) {
    sn_air *air = sn_air_of(world);
    for (size_t i = 0; i < air->triangles && air->models > sn_sheets_of(world)->slots.count; i++) {
        const sn_air_triangle *t = &air->triangle[i];
        if (t->model < sn_sheets_of(world)->slots.count) continue;
        air->model[t->model] = air->model[sn_sheets_of(world)->of_node[t->node[0]] - 1];
        air->model[t->model].numbers = mean_numbers(sn_sheets_of(world), t);
    }
}

static void find_models(sn_world *world) {
    const sn_settings *settings = &world->settings;
    sn_vec3 g = settings->gravity;
    for (size_t i = 0; i < sn_sheets_of(world)->slots.count; i++) {
        const sn_sheet_state *s = &sn_sheets_of(world)->state[i];
        sn_air_model *model = &sn_air_of(world)->model[i];
        if (!sn_sheets_of(world)->slots.alive[i]) continue;
        sn_real up = model->sides * settings->air_density;
        *model = (sn_air_model){.sides = model->sides, .origin = s->node[0]};
        model->numbers = numbers_of(s->def.drag, s->def.lift);
        model->pressure = (sn_vec3){up * g.x, up * g.y, up * g.z};
    }
}

static void weigh_triangles(void *context, size_t begin, size_t end) {
    const sn_world *world = context;
    for (size_t i = begin; i < end; i++) {
        const sn_air_triangle *t = &sn_air_of(world)->triangle[i];
        sn_real w = 0;
        for (int k = 0; k < 3; k++) {
            sn_real mine = world->nodes.w[t->node[k]] * t->share[k];
            if (mine > w) w = mine;
        }
        sn_air_of(world)->w[i] = i < sn_air_of(world)->triangles ? w : 0;
    }
}

/* Whether there is air, and anything for it to act on. */
static bool may_act(const sn_world *world) {
    return world->settings.air_density > 0 && !world->bindings.feeder &&
           (sn_sheets_of(world)->slots.live > 0 || sn_drags_of(world)->slots.live > 0);
}

bool sn_air_acts(const sn_world *world) {
    return may_act(world) &&
           (sn_air_of(world)->triangles > 0 || sn_drags_of(world)->slots.live > 0);
}

bool sn_air_plan(sn_step *step) {
    sn_world *world = step->world;
    sn_air *air = sn_air_of(world);
    if (!may_act(world)) return true;
    if (!sn_air_make_lists(world) || !sn_air_plan_drags(world)) return false;
    /* One more, so that a wind of the user has a place to write to. */
    if (varies(world) && !sn_reserve(&world->memory, (void **)&air->blown, &air->blown_capacity,
                                     world->nodes.slots.count + 1, sizeof *air->blown))
        return false;
    if (air->triangles == 0) return true;
    find_models(world);
    find_own_models(world);
    sn_team_run(world->bindings.team, air->triangles + 3, 4 * FOURS_ALONE, weigh_triangles, world);
    return true;
}

/* ---- Wind ---- */

static sn_v4 wind_at(const sn_blow *b, uint32_t node) {
    sn_v4 x = *(const sn_v4 *)&b->world->nodes.x[node];
    sn_v4 wind = b->wind;
    if (b->gusts) wind += sn_turbulence_speed(b->gusts, x);
    return wind;
}

static void blow_members(void *context, size_t begin, size_t end) {
    const sn_blow *b = context;
    for (size_t i = begin; i < end; i++) {
        uint32_t node = b->member[i].node;
        *(sn_v4 *)&sn_air_of(b->world)->blown[node] = wind_at(b, node);
    }
}

/* A user sees the wind at all nodes, and says what it is. */
static void blow_nodes(void *context, size_t begin, size_t end) {
    const sn_blow *b = context;
    for (size_t i = begin; i < end; i++)
        *(sn_v4 *)&sn_air_of(b->world)->blown[i] = wind_at(b, (uint32_t)i);
}

static void find_wind(const sn_step *step, sn_blow *b) {
    sn_world *world = step->world;
    const sn_air *air = sn_air_of(world);
    if (!air->wind) {
        const sn_drags *drags = sn_drags_of(world);
        b->member = air->member;
        sn_team_run(world->bindings.team, air->members, NODES_ALONE, blow_members, b);
        b->member = drags->member;
        if (drags->slots.live > 0)
            sn_team_run(world->bindings.team, drags->members, NODES_ALONE, blow_members, b);
        return;
    }
    sn_team_run(world->bindings.team, world->nodes.slots.count, NODES_ALONE, blow_nodes, b);
    sn_force_field_input input = sn_step_input(step);
    air->wind(air->user, &input, air->blown);
}

/* ---- Forces ---- */

/* Three rows of four lanes. */
typedef struct rows {
    sn_v4 row[3];
} rows;

SN_INLINE rows rows_of(const sn_v4 in[4]) {
    rows r;
    sn_v4_transpose(in, r.row);
    return r;
}

SN_INLINE sn_v4 dot(const rows *a, const rows *b) {
    return (a->row[0] * b->row[0] + a->row[1] * b->row[1]) + a->row[2] * b->row[2];
}

SN_INLINE sn_v4 root(sn_v4 a) {
    return (sn_v4){SN_ROOT(a[0]), SN_ROOT(a[1]), SN_ROOT(a[2]), SN_ROOT(a[3])};
}

/* Drag and lift of four triangles, whose normals are as long as their areas. */
SN_INLINE rows push(const sn_blow *b, const sn_v4 model[4], const rows *normal, const rows *u,
                    sn_v4 w) {
    sn_v4 numbers[4];
    sn_v4_transpose_all(model, numbers);
    sn_v4 drag = numbers[0], lift = numbers[1], cross = numbers[2], along = numbers[3];
    sn_v4 area = root(dot(normal, normal)), speed = root(dot(u, u));
    sn_v4_bits acts = (sn_v4_bits)(area > 0) & (sn_v4_bits)(speed > 0) & (sn_v4_bits)(w > 0);
    sn_v4 c = dot(normal, u) / (area * speed);
    sn_v4 strength = b->half_density * area * speed * speed;
    sn_v4 most = drag * speed, turned = b->h * w * (c * c * cross + along);
    sn_v4_bits over = (sn_v4_bits)(strength * turned > most);
    strength = (sn_v4)((over & (sn_v4_bits)(most / turned)) | (~over & (sn_v4_bits)strength));
    sn_v4 of_u = -c * strength * (drag - lift) * c / speed, of_n = -c * strength * lift / area;
    of_u = (sn_v4)(acts & (sn_v4_bits)of_u);
    of_n = (sn_v4)(acts & (sn_v4_bits)of_n);
    rows force;
    for (int k = 0; k < 3; k++) force.row[k] = of_u * u->row[k] + of_n * normal->row[k];
    return force;
}

/* The pressure of air at rest on a triangle. */
static sn_v4 lift_triangle(const sn_world *world, const sn_air_triangle *t, sn_v4 normal) {
    const sn_v4 *x = (const sn_v4 *)world->nodes.x;
    const sn_air_model *model = &sn_air_of(world)->model[t->model];
    sn_v4 from = x[model->origin];
    sn_v4 arm = ((x[t->node[0]] - from) + (x[t->node[1]] - from)) + (x[t->node[2]] - from);
    return -(sn_v4_dot(sn_v4_of(model->pressure), arm) / 3) * normal;
}

/* Adds it where it acts. */
static void lift_four(const sn_world *world, size_t first, const rows *normal, sn_v4 force[4]) {
    sn_v4 normals[4];
    sn_v4_transpose_back(normal->row[0], normal->row[1], normal->row[2], normals);
    for (size_t k = 0; k < 4; k++) {
        const sn_air_triangle *t = &sn_air_of(world)->triangle[first + k];
        if (sn_air_of(world)->model[t->model].sides != 0)
            force[k] += lift_triangle(world, t, normals[k]);
    }
}

static void push_fours(void *context, size_t begin, size_t end) {
    const sn_blow *b = context;
    const sn_world *world = b->world;
    const sn_air *air = sn_air_of(world);
    const sn_v4 *x = (const sn_v4 *)world->nodes.x, *v = (const sn_v4 *)world->nodes.v;
    const sn_v4 *blown = b->varies ? (const sn_v4 *)air->blown : NULL;
    const sn_real third = (sn_real)(1.0 / 3);
    for (size_t four = begin; four < end; four++) {
        sn_v4 first[4], second[4], moved[4], model[4], force[4];
        bool lifted = false;
        for (size_t k = 0; k < 4; k++) {
            const sn_air_triangle *t = &air->triangle[4 * four + k];
            uint32_t p = t->node[0], q = t->node[1], r = t->node[2];
            first[k] = x[q] - x[p];
            second[k] = x[r] - x[p];
            sn_v4 wind = b->wind;
            if (blown) wind = third * ((blown[p] + blown[q]) + blown[r]);
            moved[k] = third * ((v[p] + v[q]) + v[r]) - wind;
            /* Laws are not as far apart as vectors may be. */
            sn_vec4 n = air->model[t->model].numbers;
            model[k] = (sn_v4){n.x, n.y, n.z, n.w};
            lifted = lifted || air->model[t->model].sides != 0;
        }
        rows e = rows_of(first), f = rows_of(second), u = rows_of(moved), normal;
        for (int k = 0; k < 3; k++) {
            int i = (k + 1) % 3, j = (k + 2) % 3;
            normal.row[k] = SN_R(0.5) * (e.row[i] * f.row[j] - e.row[j] * f.row[i]);
        }
        rows all = push(b, model, &normal, &u, *(const sn_v4 *)&air->w[4 * four]);
        sn_v4_transpose_back(all.row[0], all.row[1], all.row[2], force);
        if (lifted) lift_four(world, 4 * four, &normal, force);
        for (size_t k = 0; k < 4; k++) *(sn_v4 *)&air->force[4 * four + k] = third * force[k];
    }
}

static void add_to_nodes(void *context, size_t begin, size_t end) {
    const sn_blow *b = context;
    const sn_world *world = b->world;
    const sn_air *air = sn_air_of(world);
    for (size_t i = begin; i < end; i++) {
        uint32_t node = air->member[i].node;
        sn_v4 sum = {0};
        for (uint32_t k = air->member[i].first; k < air->member[i + 1].first; k++)
            sum += *(const sn_v4 *)&air->force[air->of[k]];
        *(sn_v4 *)&world->scratch.acceleration[node] += world->nodes.w[node] * sum;
    }
}

void sn_air_push(sn_step *step) {
    sn_world *world = step->world;
    const sn_settings *settings = &world->settings;
    sn_turbulence gusts;
    sn_blow b = {.world = world, .wind = sn_v4_of(settings->wind), .h = (sn_real)step->h};
    b.varies = varies(world);
    b.half_density = settings->air_density / 2;
    if (settings->gust_strength > 0) {
        const double *far = sn_air_of(world)->drift, passed = step->h * (double)step->substep;
        const double drift[3] = {far[0] + passed * (double)settings->wind.x,
                                 far[1] + passed * (double)settings->wind.y,
                                 far[2] + passed * (double)settings->wind.z};
        /* They pass by with the wind (Taylor's hypothesis of frozen turbulence), and one that
           changes does not tear them. */
        gusts = sn_turbulence_at((double)settings->gust_strength, (double)settings->gust_length,
                                 (double)settings->gust_period, drift, sn_step_input(step).time);
        b.gusts = &gusts;
    }
    if (b.varies) find_wind(step, &b);
    sn_team_run(world->bindings.team, (sn_air_of(world)->triangles + 3) / 4, FOURS_ALONE,
                push_fours, &b);
    sn_team_run(world->bindings.team, sn_air_of(world)->members, NODES_ALONE, add_to_nodes, &b);
    sn_air_push_drags(&b);
}

void sn_air_end(sn_step *step) {
    const sn_settings *settings = &step->world->settings;
    double *drift = sn_air_of(step->world)->drift;
    if (!(settings->gust_strength > 0)) return;
    drift[0] += step->dt * (double)settings->wind.x;
    drift[1] += step->dt * (double)settings->wind.y;
    drift[2] += step->dt * (double)settings->wind.z;
}
