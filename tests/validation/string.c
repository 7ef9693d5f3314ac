/* V21 and V22: a hanging string and a tensioned one. V25 for a rope that resists bending. */
#include "build.h"

#include <math.h>

enum { MAX_LINKS = 40 };

typedef struct string {
    sn_world *world;
    int links;
    sn_node node[MAX_LINKS + 1];
    sn_constraint link[MAX_LINKS];
} string;

/* Nodes at the given places, the first and the last of them fixed, linked one to the next. */
static string make_string(sn_settings settings, int links, const vec *places, double mass,
                          double rest, double compliance) {
    string s = {.world = make_world(settings), .links = links};
    for (int i = 0; i <= links; i++)
        s.node[i] =
            i == 0 || i == links ? add_pin(s.world, places[i]) : add_node(s.world, places[i], mass);
    for (int i = 0; i < links; i++)
        s.link[i] = add_link(s.world, s.node[i], s.node[i + 1], rest, compliance);
    return s;
}

/*
 * The catenary of N links with the weight W = 1 spread evenly, half a share on each support: the
 * horizontal force H is the same in every link, the vertical one grows by W / N from node to node.
 * H is found by bisection so that the links span the gap.
 */
typedef struct catenary {
    double horizontal, support, sag; /* forces over W */
} catenary;

static catenary solve_catenary(int links, double span, double total) {
    double l = total / links, low = 0, high = 10;
    catenary c = {0, 0, 0};
    for (int i = 0; i < 100; i++) {
        c.horizontal = (low + high) / 2;
        double reach = 0;
        for (int k = 0; k < links; k++)
            reach += l * c.horizontal / hypot(c.horizontal, (k - (links - 1) / 2.0) / links);
        if (reach < span)
            low = c.horizontal;
        else
            high = c.horizontal;
    }
    for (int k = 0; k < links / 2; k++) {
        double vertical = ((links - 1) / 2.0 - k) / links;
        c.sag += l * vertical / hypot(c.horizontal, vertical);
    }
    c.support = hypot(c.horizontal, (links - 1) / 2.0 / links);
    return c;
}

/* V21. */
TEST(catenary_has_the_right_sag_and_tension) {
    static const struct {
        int links;
        double sag, horizontal; /* as published */
    } cases[] = {{10, 0.505946, 0.205105}, {20, 0.503447, 0.205394}, {40, 0.502836, 0.205467}};
    double span = 1, total = 1.5;
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 3; i++) {
            int n = cases[i].links;
            check_case("%s, N = %d", solver_name(solver), n);
            catenary exact = solve_catenary(n, span, total);
            CHECK_NEAR(exact.sag, cases[i].sag, 6e-7);
            CHECK_NEAR(exact.horizontal, cases[i].horizontal, 6e-7);

            /* A V at first. Eight iterations make the numerical compliance of V08, which lengthens
               40 links by some 3e-3 m with one, about eight times smaller. */
            vec places[MAX_LINKS + 1];
            double depth = sqrt(total * total - span * span) / 2;
            for (int k = 0; k <= n; k++) {
                double s = (double)k / n;
                places[k] = (vec){s * span, -depth * (1 - fabs(2 * s - 1)), 0};
            }
            sn_settings settings = plain_settings(solver);
            settings.substeps = 20;
            settings.iterations = 8;
            settings.damping = 4;
            double h = 1.0 / 1200, mass = 0.1, weight = mass * GRAVITY * n;
            string s = make_string(settings, n, places, mass, total / n, 0);
            advance(s.world, h, 8 * 1200);

            CHECK_REL(-position_of(s.world, s.node[n / 2]).y, exact.sag, 0.002);
            vec along = sub(position_of(s.world, s.node[1]), position_of(s.world, s.node[0]));
            double tension = -force_of(s.world, s.link[0]);
            CHECK_REL(tension / weight, exact.support, 0.002);
            CHECK_REL(tension * along.x / length(along) / weight, exact.horizontal, 0.003);
            sn_world_destroy(s.world);
        }
    }
}

/* V22: the frequencies of a string of beads, and what backward Euler takes from each. */
TEST(tensioned_string_has_the_right_tones) {
    enum { MASSES = 19, LINKS = MASSES + 1, SAMPLES = 1200 };
    double mass = 0.01, spacing = 0.05, tension = 10, alpha = 1e-3, h = 1.0 / 1200;
    static const double published[] = {3.5319, 7.0420, 10.5087};
    FOR_BOTH_SOLVERS(solver) {
        for (int k = 1; k <= 3; k++) {
            check_case("%s, mode %d", solver_name(solver), k);
            double f = sqrt(tension / (mass * spacing)) / PI * sin(k * PI / (2 * (MASSES + 1)));
            CHECK_NEAR(f, published[k - 1], 6e-5);

            vec places[LINKS + 1];
            for (int i = 0; i <= LINKS; i++)
                places[i] = (vec){i * spacing, 1e-3 * sin(i * k * PI / LINKS), 0};
            sn_settings settings = plain_settings(solver);
            settings.gravity = vector(0, 0, 0);
            settings.iterations = 10;
            string s = make_string(settings, LINKS, places, mass, spacing - alpha * tension, alpha);

            double q[SAMPLES];
            for (int t = 0; t < SAMPLES; t++) {
                q[t] = 0;
                for (int i = 1; i < LINKS; i++)
                    q[t] += position_of(s.world, s.node[i]).y * sin(i * k * PI / LINKS);
                advance(s.world, h, 1);
            }
            double omega = 2 * PI * f;
            mode m = find_mode(q, SAMPLES, (int)(1 / (omega * h)));
            CHECK_REL(m.phase / (2 * PI * h), f, 0.005);
            CHECK_REL(-2 * log(m.factor) / h, omega * omega * h, 0.05);
            for (int i = 0; i < LINKS; i++)
                CHECK_REL(force_of(s.world, s.link[i]), -tension, 0.002);
            sn_world_destroy(s.world);
        }
    }
}

/* What one sweep leaves of the tension of a string that is stretched between two pins: links that
   are solved first find their nodes not yet pulled back by the others. At rest all carry the same
   force, which gives their lengths, and these add up: the compliances of all links, and h^2 / m of
   every node between them. */
TEST(one_sweep_leaves_a_string_slacker) {
    enum { LINKS = 20 };
    double mass = 0.01, spacing = 0.05, alpha = 1e-4, stretch = 1e-3, h = 1.0 / 1200;
    FOR_BOTH_SOLVERS(solver) {
        for (int iterations = 1; iterations <= 40; iterations += 39) {
            vec places[LINKS + 1];
            for (int i = 0; i <= LINKS; i++) places[i] = (vec){i * spacing, 0, 0};
            sn_settings settings = plain_settings(solver);
            settings.gravity = vector(0, 0, 0);
            settings.iterations = iterations;
            settings.damping = 20;
            string s = make_string(settings, LINKS, places, mass, spacing - stretch, alpha);
            advance(s.world, h, 2400);
            double left = iterations == 1 ? (LINKS - 1) * h * h / mass : 0;
            double tension = LINKS * stretch / (LINKS * alpha + left);
            check_case("%s, %d iterations", solver_name(solver), iterations);
            for (int i = 0; i < LINKS; i++)
                CHECK_REL(force_of(s.world, s.link[i]), -tension, TOL(1e-4, 2e-3));
            sn_world_destroy(s.world);
        }
    }
}

enum { BENDS = 10 };

static sn_result build_stiff_rope(sn_world *world, double segment, const sn_rope_material *material,
                                  sn_node nodes[BENDS + 2]) {
    sn_vec3 places[BENDS + 2];
    uint32_t lines[BENDS + 1][2], pins[] = {0, 1};
    for (int i = 0; i < BENDS + 2; i++) places[i] = (sn_vec3){(sn_real)(i * segment), 0, 0};
    for (uint32_t i = 0; i <= BENDS; i++) lines[i][0] = i, lines[i][1] = i + 1;
    sn_mesh mesh = sn_mesh_default();
    mesh.vertex_count = BENDS + 2;
    mesh.positions = places;
    mesh.line_count = BENDS + 1;
    mesh.lines = lines;
    sn_build_def def = sn_build_def_default();
    def.mesh = &mesh;
    def.pins = pins;
    def.pin_count = 2;
    sn_build made;
    return sn_build_body(world, SN_KIND_ROPE, material, &def, nodes, &made);
}

/* V25: q L^3 / B = 1, from the middle of the segment that is held at both ends, where the bend at
   its second end begins. Substeps add 2 h^2 B / (rho A l^4), here 0.4 %. */
TEST(a_rope_that_resists_bending_droops_as_a_beam) {
    double segment = 0.04, reach = (BENDS + 0.5) * segment;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.substeps = 200;
    settings.damping = 3;
    sn_rope_material material = sn_rope_material_default();
    double r = (double)material.radius, per_length = (double)material.density * PI * r * r;
    material.bending_stiffness = (sn_real)(GRAVITY * per_length * reach * reach * reach);
    sn_node nodes[BENDS + 2];
    sn_world *world = make_world(settings);
    REQUIRE_OK(build_stiff_rope(world, segment, &material, nodes));
    for (int i = 0; i < 240; i++) REQUIRE_OK(sn_world_step(world, (sn_real)(1.0 / 60)));
    CHECK_REL(-position_of(world, nodes[BENDS + 1]).y / reach, 0.123471, 0.02);
    /* One that slides has no straight line to go back to. */
    material.slides = 1;
    CHECK_FAILS(build_stiff_rope(world, segment, &material, nodes), SN_ERROR_VALUE);
    sn_world_destroy(world);
}

TESTS(RUN(a_rope_that_resists_bending_droops_as_a_beam),
      RUN(catenary_has_the_right_sag_and_tension), RUN(tensioned_string_has_the_right_tones),
      RUN(one_sweep_leaves_a_string_slacker))
