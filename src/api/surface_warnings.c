#include "api/surface_warnings.h"

#include <math.h>

/* What is thinner than this part of its edges is nearly nothing: a fold of it is through itself
   before contacts see it. */
static const double least_part = 0.04;
/* What works well, docs/contact.md. */
static const double good_part = 0.3;

/* ---- Points ---- */

void sn_collision_surface_warn_of_points(const sn_world *world, uint32_t surface,
                                         const sn_collision_surface_def *before) {
    const sn_collision_surface_def *def = &sn_collision_surfaces_of(world)->state[surface].def,
                                   none = {0};
    if (def->detail != SN_DETAIL_POINTS) return;
    if (!before || before->detail != SN_DETAIL_POINTS) before = &none;
    if (def->penetration_free && !before->penetration_free)
        sn_world_say(world, SN_LOG_WARNING,
                     "collision surface: it is penetration_free, but collides as points: its nodes "
                     "are kept out of triangles of others that are, and nothing else is; detail "
                     "\"surface\" keeps all of it");
    if (def->untangle && !before->untangle)
        sn_world_say(world, SN_LOG_WARNING,
                     "collision surface: untangle means nothing, as it collides as points; detail "
                     "\"surface\" "
                     "gives it triangles");
    if (def->triangle_contact && !before->triangle_contact)
        sn_world_say(world, SN_LOG_WARNING,
                     "collision surface: triangle_contact means nothing, as it collides as points; "
                     "detail \"surface\" "
                     "gives it triangles");
}

/* ---- Thickness ---- */

/* m */
static double radius_of(const sn_world *world, const sn_collision_surface_state *s) {
    double largest = 0;
    for (size_t i = 0; i < s->def.node_count; i++)
        largest = fmax(largest, (double)world->nodes.radius[s->node[i]]);
    return largest;
}

/* m, on average and at rest; 0 without edges. */
static double edge_of(const sn_world *world, const sn_collision_surface_state *s) {
    const sn_collision_surfaces *surfaces = sn_collision_surfaces_of(world);
    double sum = 0;
    for (size_t i = 0; i < s->edges; i++) {
        const sn_vec4 *a = &surfaces->rest[s->edge[2 * i]];
        const sn_vec4 *b = &surfaces->rest[s->edge[2 * i + 1]];
        double x = (double)(a->x - b->x), y = (double)(a->y - b->y), z = (double)(a->z - b->z);
        sum += sqrt(x * x + y * y + z * z);
    }
    return s->edges > 0 ? sum / (double)s->edges : 0;
}

static bool is_thin(const sn_world *world, const sn_collision_surface_state *s) {
    double radius = radius_of(world, s);
    return radius == 0 || 2 * radius < least_part * edge_of(world, s);
}

static bool masks(const sn_world *world, const sn_collision_surface_state *s,
                  const sn_collision_surface_state *other) {
    uint32_t group = world->nodes.group[other->node[0]];
    return (s->def.mask >> (group < 31 ? group : 31) & 1) != 0;
}

/* Whether two may collide, as far as the groups of their first nodes say. The motion limiter needs
   no thickness, but there must be some. */
static bool are_concerned(const sn_world *world, const sn_collision_surface_state *a,
                          const sn_collision_surface_state *b, bool nothing) {
    if (!masks(world, a, b) || !masks(world, b, a)) return false;
    return nothing ? radius_of(world, b) == 0
                   : !(a->def.penetration_free && b->def.penetration_free) && is_thin(world, b);
}

/* The one that was made last comes first: where there is one, it is mostly like this one. */
static bool collides_with_another(const sn_world *world, uint32_t surface, bool nothing) {
    const sn_collision_surfaces *all = sn_collision_surfaces_of(world);
    for (size_t i = all->slots.count; i-- > 0;)
        if (i != surface && all->slots.alive[i] &&
            are_concerned(world, &all->state[surface], &all->state[i], nothing))
            return true;
    return false;
}

void sn_collision_surface_warn_of_thinness(const sn_world *world, uint32_t surface) {
    const sn_collision_surface_state *s = &sn_collision_surfaces_of(world)->state[surface];
    if (!world->bindings.log || !is_thin(world, s)) return;
    double thickness = 2 * radius_of(world, s), edge = edge_of(world, s);
    bool nothing = thickness == 0,
         itself = s->def.self && masks(world, s, s) && (nothing || !s->def.penetration_free);
    if (!itself && !collides_with_another(world, surface, nothing)) return;
    const char *whom = itself ? "itself" : "another collision surface that is as thin";
    if (nothing)
        sn_world_say(world, SN_LOG_WARNING,
                     "collision surface: the radii of its nodes are 0, so it passes through %s; a "
                     "radius above "
                     "0 is needed (of a cloth, its thickness)",
                     whom);
    else
        sn_world_say(
            world, SN_LOG_WARNING,
            "collision surface: it is %.3g m thick and its edges are %.3g m long, so it may pass "
            "through %s; a thickness (twice the radius) of %.2g m holds, or penetration_free",
            thickness, edge, whom, good_part * edge);
}
