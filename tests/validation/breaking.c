/* V40, tearing: a link under a growing load breaks when its force passes the limit, not before. */
#include "build.h"

#include <math.h>

/* A node of 1 kg under a link that breaks at 50 N. The link is short, so that the noise of its
   force in float is small. */
typedef struct hanging {
    sn_world *world;
    sn_node pin, node;
    sn_constraint link;
} hanging;

static const double limit = 50, rest = 0.125;

static hanging make_hanging(sn_settings settings, double compliance) {
    hanging s = {.world = make_world(settings)};
    s.pin = add_pin(s.world, (vec){0, 0, 0});
    s.node = add_node(s.world, (vec){0, -rest, 0}, 1);
    s.link = add_link(s.world, s.pin, s.node, rest, compliance);
    return s;
}

static void set_limit(sn_world *world, sn_constraint constraint) {
    sn_real value[3] = {(sn_real)limit, 0, 0};
    CHECK_OK(sn_constraint_set_field(world, constraint, "break_force", value));
}

/* Pulls with a force that grows by 4 N/s, until the link breaks; the load at that moment, and the
   event. */
static double load_at_break(hanging *s, sn_break_event *event) {
    for (int step = 0; step < 2000; step++) {
        double pull = 4 * step / 120.0;
        CHECK_OK(sn_node_add_force(s->world, s->node, vector(0, -pull, 0)));
        CHECK_OK(sn_world_step(s->world, (sn_real)(1.0 / 120)));
        const sn_break_event *events = NULL;
        size_t count = 0;
        CHECK_OK(sn_world_breaks(s->world, &events, &count));
        if (count > 0) {
            CHECK(count == 1);
            *event = events[0];
            return pull + GRAVITY;
        }
        if (!CHECK(sn_constraint_is_valid(s->world, s->link))) break;
    }
    /* No load that would pass for the limit. */
    return 0;
}

TEST(ramp_breaks_at_the_limit) {
    static const double compliances[] = {0, 1e-4};
    FOR_BOTH_SOLVERS(solver) {
        for (int i = 0; i < 2; i++) {
            for (int keep = 0; keep < 2; keep++) {
                check_case("%s, compliance %g, %s", solver_name(solver), compliances[i],
                           keep ? "forces kept" : "forces not kept");
                sn_settings settings = plain_settings(solver);
                settings.substeps = 10;
                settings.damping = 10;
                settings.keep_forces = keep;
                hanging s = make_hanging(settings, compliances[i]);
                set_limit(s.world, s.link);
                sn_break_event event = {0};
                double load = load_at_break(&s, &event);
                CHECK_REL(load, limit, 0.01);
                CHECK(event.force > (sn_real)limit);
                CHECK_REL(event.force, limit, 0.01);
                CHECK(event.type == SN_TYPE_DISTANCE);
                CHECK(event.substep < 10);
                CHECK(event.constraint.slot == s.link.slot &&
                      event.constraint.generation == s.link.generation &&
                      event.constraint.world == s.link.world);

                /* The constraint is gone and its id with it. */
                CHECK(!sn_constraint_is_valid(s.world, s.link));
                sn_real force[SN_MAX_ROWS];
                CHECK_FAILS(sn_constraint_force(s.world, s.link, force), SN_ERROR_STALE);
                CHECK_FAILS(sn_constraint_destroy(s.world, s.link), SN_ERROR_STALE);
                CHECK(sn_world_constraint_count(s.world, SN_TYPE_DISTANCE) == 0);
                sn_stats stats;
                CHECK_OK(sn_world_stats(s.world, &stats));
                CHECK(stats.broken == 1 && stats.constraints == 0);

                /* The weight falls from here on, and the event is not told twice. */
                vec before = velocity_of(s.world, s.node);
                CHECK_OK(sn_world_step(s.world, (sn_real)(1.0 / 120)));
                const sn_break_event *events = NULL;
                size_t count = 1;
                CHECK_OK(sn_world_breaks(s.world, &events, &count));
                CHECK(count == 0);
                vec after = velocity_of(s.world, s.node);
                CHECK_NEAR(after.y - before.y, -GRAVITY / 120,
                           0.1 * GRAVITY / 120 + 0.1 * fabs(before.y));
                sn_world_destroy(s.world);
            }
        }
    }
}

/* A load just below the limit is carried for good. */
TEST(load_below_the_limit_is_carried) {
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = plain_settings(solver);
        settings.substeps = 10;
        hanging s = make_hanging(settings, 0);
        set_limit(s.world, s.link);
        for (int step = 0; step < 240; step++) {
            double pull = limit * 0.999 - GRAVITY;
            CHECK_OK(sn_node_add_force(s.world, s.node, vector(0, -pull, 0)));
            CHECK_OK(sn_world_step(s.world, (sn_real)(1.0 / 120)));
        }
        if (CHECK(sn_constraint_is_valid(s.world, s.link)))
            CHECK_NEAR(force_of(s.world, s.link), -0.999 * limit,
                       limit * TOL(1e-8, 1e-4) + force_noise(rest, 1.0 / 1200, 1));
        sn_world_destroy(s.world);
    }
}

/* Of two links in a row the upper one carries more and breaks alone; the rest stays whole. */
TEST(the_link_with_the_largest_force_breaks) {
    FOR_BOTH_SOLVERS(solver) {
        check_case("%s", solver_name(solver));
        sn_settings settings = plain_settings(solver);
        settings.substeps = 10;
        settings.damping = 10;
        hanging s = make_hanging(settings, 0);
        sn_node low = add_node(s.world, (vec){0, -2 * rest, 0}, 3);
        sn_constraint lower = add_link(s.world, s.node, low, rest, 0);
        /* The upper link has 4 kg to carry, the lower one 3, after the jolt of the start. */
        for (int step = 0; step < 480; step++)
            CHECK_OK(sn_world_step(s.world, (sn_real)(1.0 / 120)));
        set_limit(s.world, s.link);
        set_limit(s.world, lower);
        sn_break_event event = {0};
        double load = load_at_break(&s, &event) + 3 * GRAVITY;
        CHECK_REL(load, limit, 0.01);
        CHECK(event.constraint.slot == s.link.slot);
        for (int step = 0; step < 60; step++)
            CHECK_OK(sn_world_step(s.world, (sn_real)(1.0 / 120)));
        if (CHECK(sn_constraint_is_valid(s.world, lower)))
            CHECK_NEAR(length(sub(position_of(s.world, s.node), position_of(s.world, low))), rest,
                       1e-3);
        sn_world_destroy(s.world);
    }
}

/* When a whole row bursts, its links are told in the order of their ids, each with its force. */
TEST(breaks_are_told_in_order) {
    enum { LINKS = 40 };
    sn_node node[LINKS + 1];
    sn_constraint link[LINKS];
    const sn_break_event *event = NULL;
    size_t count = 0;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    sn_world *world = make_world(settings);
    for (int i = 0; i <= LINKS; i++) {
        node[i] = add_node(world, (vec){rest * i, 0, 0}, 1);
        /* Further apart by 10 mm in each step, and by as much more from link to link. */
        CHECK_OK(sn_node_set_velocity(world, node[i], vector(0.5 * i * (i + 1), 0, 0)));
    }
    for (int i = 0; i < LINKS; i++) {
        link[i] = add_link(world, node[i], node[i + 1], rest, 1);
        sn_real value[3] = {(sn_real)1e-3, 0, 0};
        CHECK_OK(sn_constraint_set_field(world, link[i], "break_force", value));
    }
    CHECK_OK(sn_world_step(world, (sn_real)0.01));
    CHECK_OK(sn_world_breaks(world, &event, &count));
    if (CHECK(count == LINKS))
        for (int i = 0; i < LINKS; i++) {
            check_case("link %d", i);
            CHECK(event[i].constraint.slot == link[i].slot);
            CHECK_REL(event[i].force, 0.01 * (i + 1), 1e-3);
        }
    sn_world_destroy(world);
}

/* Springs that are drawn out evenly, each at its own speed: one has its limit in the substep that
   this says, and in every substep the ids are in order. */
TEST(every_link_breaks_in_its_substep) {
    enum { LINKS = 40, SUBSTEPS = 8 };
    const double step = 1.0 / 60, h = step / SUBSTEPS, compliance = 1e-3, force = 1;
    sn_settings settings = plain_settings(SN_SOLVER_COLOURED);
    settings.gravity = vector(0, 0, 0);
    settings.substeps = SUBSTEPS;
    sn_world *world = make_world(settings);
    uint32_t slot[LINKS];
    for (int i = 0; i < LINKS; i++) {
        double turn = 7 * i % SUBSTEPS + 0.5, speed = force * compliance / (h * turn);
        sn_node pin = add_pin(world, (vec){i, 0, 0});
        sn_node node = add_node(world, (vec){i, -rest, 0}, 1000);
        sn_constraint link = add_link(world, pin, node, rest, compliance);
        sn_real value[3] = {(sn_real)force, 0, 0};
        REQUIRE_OK(sn_node_set_velocity(world, node, vector(0, -speed, 0)));
        REQUIRE_OK(sn_constraint_set_field(world, link, "break_force", value));
        slot[i] = link.slot;
    }
    const sn_break_event *event;
    size_t count;
    REQUIRE_OK(sn_world_step(world, (sn_real)step));
    REQUIRE_OK(sn_world_breaks(world, &event, &count));
    CHECK(count == LINKS);
    for (size_t k = 0; k < count; k++) {
        int link = 0;
        while (link < LINKS && slot[link] != event[k].constraint.slot) link++;
        check_case("event %zu, link %d", k, link);
        if (!CHECK(link < LINKS)) continue;
        CHECK(event[k].substep == (size_t)(7 * link % SUBSTEPS));
        if (k == 0) continue;
        bool next = event[k].substep > event[k - 1].substep;
        CHECK(next || (event[k].substep == event[k - 1].substep &&
                       event[k].constraint.slot > event[k - 1].constraint.slot));
    }
    sn_world_destroy(world);
}

TESTS(RUN(ramp_breaks_at_the_limit), RUN(load_below_the_limit_is_carried),
      RUN(the_link_with_the_largest_force_breaks), RUN(breaks_are_told_in_order),
      RUN(every_link_breaks_in_its_substep))
