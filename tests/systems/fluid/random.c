/*
 * Random fluids: whatever is poured into a basin, everything stays finite and where it can be,
 * nothing gets faster than what moves it explains, and where gravity alone does work no energy
 * comes from nowhere.
 *
 *     fluid_random --show          a line for every one
 *     FLUID=17 fluid_random        number 17 alone
 */
#include "pool.h"

/* Of the speed that is explained, single particles may have more: a drop between two that meet. */
static const double most_speed = 4;
/* Of all energy that there can be, what may be added. */
static const double most_energy = 0.02;

enum { MOST_FLUIDS = 3, FRAMES = 30 };

typedef struct random_pool {
    uint32_t seed, more; /* the latter of what came later, so that older pools are as they were */
    sn_world *world;
    pool fluid[MOST_FLUIDS];
    int count, substeps;
    double spacing, width;
    double density; /* kg/m^3, of the lightest that there may be; others have up to ten times it */
    double thrown;  /* m/s, of the fastest fluid */
    double driven;  /* m/s, of the fastest collider */
    double lift;    /* m/s^2, by which air lifts the lightest, at most */
    double pressed; /* m/s, at which fluids that are in each other come apart */
    bool passive;   /* whether gravity alone does work */
} random_pool;

/* 0 to 1. */
static double part(random_pool *r) {
    r->seed = r->seed * 1664525u + 1013904223u;
    return (double)(r->seed >> 8) / 16777216;
}

static double between(random_pool *r, double least, double most) {
    return least + (most - least) * part(r);
}

/* As likely in every decade. */
static double decade(random_pool *r, double least, double most) {
    return least * pow(most / least, part(r));
}

static void set_traits(random_pool *r, pool *p, double density) {
    sn_fluid_def def;
    REQUIRE_OK(sn_fluid_get(p->world, p->fluid, &def));
    if (part(r) < 0.6) def.viscosity = (sn_real)decade(r, 1e-6, 10);
    if (part(r) < 0.2) def.compliance = (sn_real)decade(r, 1e-6, 1e-2);
    if (part(r) < 0.2) def.reach = (sn_real)(r->spacing * between(r, 1.8, 3));
    if (part(r) < 0.2) {
        def.artificial_pressure = (sn_real)between(r, 0, 0.01);
        r->passive = false;
    }
    if (part(r) < 0.2) {
        def.vorticity = (sn_real)between(r, 0, 0.5);
        r->passive = false;
    }
    if (part(r) < 0.15) {
        def.buoyant = true;
        def.ambient_drag = (sn_real)between(r, 0, 20);
        r->passive = false;
        r->lift = fmax(r->lift, GRAVITY * 1.2 / density);
    }
    REQUIRE_OK(sn_fluid_set(p->world, p->fluid, &def));
}

/* Surface tension with as many substeps as it takes (bodies/body_fluid.c) or more. */
static void set_later_traits(random_pool *r, pool *p) {
    sn_fluid_def def;
    uint32_t seed = r->seed;
    r->seed = r->more;
    REQUIRE_OK(sn_fluid_get(p->world, p->fluid, &def));
    double mass = 1 / (double)state_of(p, 0).inverse_mass, most = 0.35 * 60 * r->substeps / 7;
    if (part(r) < 0.2) {
        def.surface_tension = (sn_real)(mass * most * most * part(r));
        def.adhesion = (sn_real)between(r, 0, 4);
        def.immiscible = part(r) < 0.5;
        r->passive = false;
    }
    if (part(r) < 0.15) {
        def.vorticity_kept = (sn_real)part(r);
        r->passive = false;
    }
    if (part(r) < 0.2) {
        def.detail_point = (sn_vec3){(sn_real)between(r, -1, 1), (sn_real)part(r), 0};
        def.detail_radius = (sn_real)(r->spacing * decade(r, 0.1, 10));
    }
    def.wall_forces = part(r) < 0.2;
    if (part(r) < 0.2) def.coarse_depth = (sn_real)(r->spacing * between(r, 0.5, 3));
    REQUIRE_OK(sn_fluid_set(p->world, p->fluid, &def));
    r->more = r->seed;
    r->seed = seed;
}

static void add_fluid(random_pool *r, int number, double *top) {
    int size[3];
    for (int k = 0; k < 3; k++) size[k] = 2 + (int)(5 * part(r));
    double density = r->density * decade(r, 1, 10), gap = part(r) < 0.2 ? -0.5 : 0.2;
    sn_vec3 from = {(sn_real)(r->spacing * between(r, 0, 2)), (sn_real)(*top + gap * r->spacing),
                    (sn_real)(r->spacing * between(r, 0, 2))};
    if (number > 0 && gap < 0) {
        r->pressed = r->spacing * 60 * r->substeps;
        r->passive = false;
    }
    if (number == 0) from.y = (sn_real)(0.1 * r->spacing);
    pool *p = &r->fluid[r->count++];
    *p = add_block(r->world, size, r->spacing, from, density, 0);
    set_traits(r, p, density);
    set_later_traits(r, p);
    sn_vec3 v = {(sn_real)between(r, -2, 2), (sn_real)between(r, -2, 2),
                 (sn_real)between(r, -2, 2)};
    for (size_t i = 0; i < p->count; i++) REQUIRE_OK(sn_node_set_velocity(r->world, p->node[i], v));
    r->thrown = fmax(r->thrown, sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z)));
    *top = (double)from.y + size[1] * r->spacing;
}

/* A ball or box in the way, which may move. */
static void add_obstacle(random_pool *r) {
    sn_collider_def def = sn_collider_def_default();
    sn_collider collider;
    double reach = r->spacing * between(r, 1.5, 3), half = 0.5 * r->width;
    def.shape = part(r) < 0.5 ? SN_SHAPE_SPHERE : SN_SHAPE_BOX;
    if (def.shape == SN_SHAPE_SPHERE) def.radius = (sn_real)reach;
    def.extent = (sn_vec3){(sn_real)reach, (sn_real)reach, (sn_real)reach};
    /* Below the floor: what begins within a fluid pushes it out as fast as may be. */
    def.position = (sn_vec3){(sn_real)half, (sn_real)(-1.2 * reach), (sn_real)half};
    def.static_friction = def.dynamic_friction = (sn_real)part(r);
    if (part(r) < 0.5) {
        double up = between(r, 0, 1);
        def.velocity = (sn_vec3){0, (sn_real)up, 0};
        def.angular_velocity = (sn_vec3){0, (sn_real)between(r, -3, 3), 0};
        r->driven = fmax(r->driven, up + 3 * 1.8 * reach);
        r->passive = false;
    }
    REQUIRE_OK(sn_collider_create(r->world, &def, &collider));
}

static void make(random_pool *r, unsigned number) {
    double top = 0;
    *r = (random_pool){.seed = number * 2654435761u + 12345u,
                       .more = number * 2246822519u + 54321u,
                       .passive = true};
    for (int k = 0; k < 8; k++) part(r);
    r->density = decade(r, 1, 1360);
    r->spacing = decade(r, 0.01, 0.08);
    /* From half of what a scene would choose for a height of eight spacings (sn_build) to twice. */
    r->substeps = (int)ceil(between(r, 0.5, 2) * sqrt(3.4 * GRAVITY * 8 / r->spacing) / 0.35 / 60);
    r->width = 9 * r->spacing;
    r->world = make_world(GRAVITY, 1);
    sn_settings settings;
    REQUIRE_OK(sn_world_get_settings(r->world, &settings));
    settings.substeps = r->substeps;
    settings.iterations = 1 + (int)(3 * part(r));
    settings.air_density = (sn_real)1.2;
    REQUIRE_OK(sn_world_set_settings(r->world, &settings));
    add_basin(r->world, r->width, r->width);
    for (int k = 0, fluids = 1 + (int)(MOST_FLUIDS * part(r)); k < fluids; k++)
        add_fluid(r, k, &top);
    if (part(r) < 0.5) add_obstacle(r);
}

/* m/s of the fastest particle, or infinity where one is not in the basin; energies in J. */
static double look(const random_pool *r, double *energy, double *all) {
    double fastest = 0, edge = 2 * r->spacing;
    *energy = *all = 0;
    for (int f = 0; f < r->count; f++)
        for (size_t i = 0; i < r->fluid[f].count; i++) {
            sn_node_def s = state_of(&r->fluid[f], i);
            /* One that waits to be a part of another is nowhere. */
            if (!(s.inverse_mass > 0)) continue;
            double v = speed_of(&r->fluid[f], i), m = 1 / (double)s.inverse_mass;
            double x = (double)s.position.x, y = (double)s.position.y, z = (double)s.position.z;
            bool within =
                y > -edge && x > -edge && z > -edge && x < r->width + edge && z < r->width + edge;
            fastest = within && v >= 0 ? fmax(fastest, v) : (double)INFINITY;
            *energy += m * (0.5 * v * v + GRAVITY * y);
            *all += m * (0.5 * v * v + GRAVITY * (y + r->spacing));
        }
    return fastest;
}

static void pour(unsigned number) {
    random_pool r;
    make(&r, number);
    double first, all, now, rest, speed = 0, added = 0;
    double fall = sqrt(2 * (GRAVITY + r.lift) * 20 * r.spacing);
    double explained = r.thrown + fall + 2 * r.driven + r.pressed + r.lift * FRAMES / 60.0;
    look(&r, &first, &all);
    for (int frame = 0; frame < FRAMES; frame++) {
        run(r.world, 1);
        speed = fmax(speed, look(&r, &now, &rest) / explained);
        added = fmax(added, (now - first) / all);
    }
    check_case("fluid %u: speed %.3g, energy %.3g", number, speed, added);
    CHECK(speed < most_speed);
    CHECK(!r.passive || added < most_energy);
    if (check_shows())
        printf("  %4u %s %d fluids, %2d substeps, speed %.3f, energy %+.4f\n", number,
               r.passive ? "passive" : "driven ", r.count, r.substeps, speed, added);
    for (int f = 1; f < r.count; f++) free(r.fluid[f].node);
    drop(&r.fluid[0]);
}

TEST(random_fluids_hold) {
    const char *one = getenv("FLUID");
    unsigned first = one ? (unsigned)strtoul(one, NULL, 10) : 0;
    bool few = check_sample() || sizeof(sn_real) == sizeof(double);
    unsigned count = one ? 1 : check_long() ? 200 : few ? 10 : 40;
    for (unsigned i = 0; i < count; i++) pour(first + i);
}

TESTS(RUN(random_fluids_hold))
