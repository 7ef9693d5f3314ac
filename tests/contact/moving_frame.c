/*
 * A sheet that is shot at another, in frames of reference that move: what happens is the same but
 * for rounding, with the motion limiter and without. Where sheets crumple, rounding grows by orders
 * from step to step, so it is the step of the impact that is looked at.
 */
#include "check.h"

#include <sinew/generate.h>
#include <sinew/sinew.h>

#include <math.h>

#ifdef SN_DOUBLE
#define GUARDED 1e-11
#define FREE 1e-11
#else
#define GUARDED 2e-3
#define FREE 0.05
#endif

enum { MOST_NODES = 512 };

typedef struct scene {
    sn_world *world;
    sn_node node[MOST_NODES];
    size_t nodes;
} scene;

static void add_sheet(scene *s, double width, uint32_t cells, sn_vec3 at, double speed,
                      bool guard) {
    sn_mesh mesh = sn_mesh_default();
    sn_grid_def grid = sn_grid_def_default();
    sn_cloth_material cloth = sn_cloth_material_default();
    sn_build_def def = sn_build_def_default();
    sn_build built;
    grid.width = grid.depth = (sn_real)width;
    grid.columns = grid.rows = cells;
    REQUIRE_OK(sn_generate_grid(&mesh, &grid));
    cloth.tethers = 0;
    def.mesh = &mesh;
    def.position = at;
    def.velocity.y = (sn_real)speed;
    def.collide = SN_COLLIDE_OTHERS;
    def.surface.penetration_free = guard;
    REQUIRE_OK(sn_build_body(s->world, SN_KIND_CLOTH, &cloth, &def, s->node + s->nodes, &built));
    s->nodes += mesh.vertex_count;
    sn_mesh_free(&mesh);
}

static scene shoot(double speed, double frame, bool guard) {
    scene s = {0};
    sn_world_def def = sn_world_def_default();
    def.settings.gravity = (sn_vec3){0, 0, 0};
    def.settings.air_density = 0;
    def.settings.substeps = 10;
    REQUIRE_OK(sn_world_create(&def, &s.world));
    add_sheet(&s, 1, 16, (sn_vec3){0, 0, 0}, frame, guard);
    add_sheet(&s, 0.3, 8, (sn_vec3){(sn_real)0.0131, (sn_real)0.5, (sn_real)0.0177}, frame - speed,
              guard);
    return s;
}

static sn_vec3 position_of(const scene *s, size_t i) {
    sn_node_def def;
    REQUIRE_OK(sn_node_get(s->world, s->node[i], &def));
    return def.position;
}

/* m: how far nodes of both are apart after a step, and how far any went from its straight way. */
static double difference(const scene *a, const scene *b, double frame, double speed, double *hit) {
    double worst = 0, dt = 1.0 / 60;
    for (size_t i = 0; i < a->nodes; i++) {
        sn_vec3 p = position_of(a, i), q = position_of(b, i);
        double x = (double)q.x - (double)p.x, z = (double)q.z - (double)p.z;
        double y = (double)q.y - frame * dt - (double)p.y;
        worst = fmax(worst, sqrt(x * x + y * y + z * z));
        double from = i < 17 * 17 ? 0 : 0.5 - speed * dt;
        *hit = fmax(*hit, fabs((double)p.y - from));
    }
    return worst;
}

TEST(an_impact_is_the_same_in_every_frame) {
    static const double frames[] = {1, 50, 100, -64}, speed = 100;
    for (int k = 0; k < 2 * 4; k++) {
        double frame = frames[k / 2], hit = 0;
        bool guard = k % 2;
        scene here = shoot(speed, 0, guard), there = shoot(speed, frame, guard);
        REQUIRE_OK(sn_world_step(here.world, (sn_real)(1.0 / 60)));
        REQUIRE_OK(sn_world_step(there.world, (sn_real)(1.0 / 60)));
        check_case("%g m/s, %s", frame, guard ? "penetration-free" : "as it comes");
        CHECK_NEAR(difference(&here, &there, frame, speed, &hit), 0, guard ? GUARDED : FREE);
        CHECK(hit > 0.1);
        sn_world_destroy(here.world);
        sn_world_destroy(there.world);
    }
}

TESTS(RUN(an_impact_is_the_same_in_every_frame))
