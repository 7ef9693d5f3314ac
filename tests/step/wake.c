/* What wakes a body, and what does not: every cause on a world of sleepers. */
#include "sleepers.h"

#include "state/world.h"

/* A rope and a rod that hang on pins without a body, a ball far from both, and a floor; all
   asleep. */
typedef struct scene {
    sn_world *world;
    sn_collider floor;
    sn_body rope, rod, far;
    sn_node node[ROPE_NODES], turning[ROPE_NODES], far_node, pin;
    sn_constraint tie;
} scene;

static sn_node add_pin(sn_world *world, double x) {
    sn_node pin;
    sn_node_def def = sn_node_def_default();
    def.position = (sn_vec3){(sn_real)x, 0, (sn_real)-0.01};
    def.inverse_mass = 0;
    def.oriented = true;
    def.inverse_inertia = (sn_vec3){0, 0, 0};
    REQUIRE_OK(sn_node_create(world, &def, &pin));
    return pin;
}

static scene make_scene(void) {
    scene s = {.world = sleepy_world(sleepy_settings(), 1, 0)};
    s.floor = add_floor(s.world);
    s.rope = drop_rope(s.world, 0, 0.05, s.node);
    s.rod = drop_rod(s.world, 1, 0.05, s.turning);
    s.far = drop_ball(s.world, 50, 0.1, &s.far_node);
    s.pin = add_pin(s.world, 0);
    s.tie = tie(s.world, s.pin, s.node[0]);
    let_all_sleep(s.world);
    return s;
}

typedef void act(scene *s);

/* ---- Calls that change a body ---- */

static const sn_vec3 up = {0, 1, 0}, nowhere = {0, 0, 0};

static void add_force(scene *s) {
    CHECK_OK(sn_node_add_force(s->world, s->node[3], up));
}
static void apply_impulse(scene *s) {
    CHECK_OK(sn_node_apply_impulse(s->world, s->node[3], up));
}
static void set_position(scene *s) {
    CHECK_OK(sn_node_set_position(s->world, s->node[3], up));
}
static void set_velocity(scene *s) {
    CHECK_OK(sn_node_set_velocity(s->world, s->node[3], up));
}
static void set_mass(scene *s) {
    CHECK_OK(sn_node_set_inverse_mass(s->world, s->node[3], 1));
}
static void set_radius(scene *s) {
    CHECK_OK(sn_node_set_radius(s->world, s->node[3], (sn_real)0.1));
}
static void set_group(scene *s) {
    CHECK_OK(sn_node_set_group(s->world, s->node[3], 7));
}
static void add_node(scene *s) {
    sn_node node;
    sn_node_def def = sn_node_def_default();
    def.body = s->rope;
    CHECK_OK(sn_node_create(s->world, &def, &node));
}
static void destroy_node(scene *s) {
    CHECK_OK(sn_node_destroy(s->world, s->node[3]));
}
static void add_constraint(scene *s) {
    tie(s->world, s->node[3], s->node[7]);
}
static void destroy_constraint(scene *s) {
    CHECK_OK(sn_constraint_destroy(s->world, s->tie));
}
static void set_field(scene *s) {
    const sn_real longer[3] = {1, 0, 0};
    CHECK_OK(sn_constraint_set_field(s->world, s->tie, "rest_length", longer));
}
static void set_body(scene *s) {
    sn_body_def def = sn_body_def_default();
    CHECK_OK(sn_body_set(s->world, s->rope, &def));
}
static void wake_body(scene *s) {
    CHECK_OK(sn_body_wake(s->world, s->rope));
}
static void destroy_pin(scene *s) {
    CHECK_OK(sn_node_destroy(s->world, s->pin));
}
static void join_with_another(scene *s) {
    sn_node node;
    drop_ball(s->world, 0.5, 3, &node);
    tie(s->world, node, s->node[3]);
}

/* ---- Of oriented nodes ---- */

static void add_torque(scene *s) {
    CHECK_OK(sn_node_add_torque(s->world, s->turning[3], up));
}
static void set_orientation(scene *s) {
    CHECK_OK(sn_node_set_orientation(s->world, s->turning[3], (sn_quat){1, 0, 0, 0}));
}
static void set_angular_velocity(scene *s) {
    CHECK_OK(sn_node_set_angular_velocity(s->world, s->turning[3], up));
}

/* ---- Kinematic nodes that are joined ---- */

static void move_pin(scene *s) {
    CHECK_OK(sn_node_set_velocity(s->world, s->pin, (sn_vec3){0, (sn_real)0.001, 0}));
}
static void aim_pin(scene *s) {
    CHECK_OK(sn_node_set_target(s->world, s->pin, up));
}
static void place_pin(scene *s) {
    CHECK_OK(sn_node_set_position(s->world, s->pin, up));
}
/* So softly that nobody is moved by it. */
static void move_pin_softly(scene *s) {
    const sn_real compliance[3] = {(sn_real)1e9};
    CHECK_OK(sn_constraint_set_field(s->world, s->tie, "compliance", compliance));
    let_all_sleep(s->world);
    CHECK_OK(sn_node_set_velocity(s->world, s->pin, up));
}
static void turn_pin(scene *s) {
    CHECK_OK(sn_node_set_target_orientation(s->world, s->pin, (sn_quat){1, 0, 0, 0}));
}
static void spin_pin(scene *s) {
    CHECK_OK(sn_node_set_angular_velocity(s->world, s->pin, up));
}

/* ---- Colliders ---- */

static sn_collider_def ball_at(double x, double y) {
    sn_collider_def def = sn_collider_def_default();
    def.shape = SN_SHAPE_SPHERE;
    def.position = (sn_vec3){(sn_real)x, (sn_real)y, (sn_real)0.5};
    return def;
}
static void add_ball(scene *s, sn_collider_def def) {
    sn_collider ball;
    CHECK_OK(sn_collider_create(s->world, &def, &ball));
}
static void drop_collider_on_it(scene *s) {
    add_ball(s, ball_at(0, 0.5));
}
static void pass_by(scene *s) {
    sn_collider_def def = ball_at(-0.6, 0.6);
    def.velocity = (sn_vec3){24, 0, 0};
    add_ball(s, def);
}
static void turn_beside_it(scene *s) {
    sn_collider_def def = ball_at(-0.505, 0.1);
    add_ball(s, def);
    let_all_sleep(s->world);
    sn_collider ball;
    REQUIRE_OK(sn_world_collider_at(s->world, 1, &ball));
    CHECK_OK(sn_collider_set_target(s->world, ball, def.position, (sn_quat){1, 0, 0, 0}));
}
static void lower_floor(scene *s) {
    sn_collider_def def = sn_collider_def_default();
    def.position.y = -10;
    CHECK_OK(sn_collider_set(s->world, s->floor, &def));
}
static void move_floor(scene *s) {
    CHECK_OK(sn_collider_set_target(s->world, s->floor, up, (sn_quat){0, 0, 0, 1}));
}
static void destroy_floor(scene *s) {
    CHECK_OK(sn_collider_destroy(s->world, s->floor));
}

/* ---- The world ---- */

static void no_force(void *user, const sn_force_field_input *input, sn_vec4 *acceleration) {
    (void)user;
    (void)input;
    (void)acceleration;
}
static void add_field(scene *s) {
    CHECK_OK(sn_world_add_force_field(s->world, no_force, NULL));
}
static void turn_gravity(scene *s) {
    sn_settings settings = sleepy_settings();
    settings.gravity = up;
    CHECK_OK(sn_world_set_settings(s->world, &settings));
}

/* ---- What does not wake ---- */

static void keep_target(scene *s) {
    sn_node_def def = sn_node_def_default();
    CHECK_OK(sn_node_get(s->world, s->pin, &def));
    CHECK_OK(sn_node_set_target(s->world, s->pin, def.position));
    CHECK_OK(sn_node_set_target_orientation(s->world, s->pin, def.orientation));
}
static void keep_floor(scene *s) {
    CHECK_OK(sn_collider_set_target(s->world, s->floor, nowhere, (sn_quat){0, 0, 0, 1}));
}
static void keep_turned_floor(scene *s) {
    sn_collider_def def = sn_collider_def_default();
    def.orientation = (sn_quat){0, (sn_real)0.6, 0, (sn_real)0.8};
    CHECK_OK(sn_collider_set(s->world, s->floor, &def));
    let_all_sleep(s->world);
    CHECK_OK(sn_collider_set_target(s->world, s->floor, nowhere, def.orientation));
}
static void move_far_away(scene *s) {
    sn_collider_def def = ball_at(20, 5);
    def.velocity = (sn_vec3){1, 0, 0};
    def.angular_velocity = up;
    add_ball(s, def);
}
static void pass_through(scene *s) {
    sn_collider_def def = ball_at(0, 0.5);
    def.mask = 2; /* group 1 alone */
    def.velocity = up;
    add_ball(s, def);
}
static void add_free_nodes(scene *s) {
    for (int i = 0; i < 40; i++) drop_ball(s->world, 10 + i, 1, NULL);
}
static void change_something_else(scene *s) {
    sn_node pin = add_pin(s->world, 7), free;
    sn_node_def def = sn_node_def_default();
    CHECK_OK(sn_node_create(s->world, &def, &free));
    tie(s->world, pin, free);
    CHECK_OK(sn_node_set_velocity(s->world, pin, up));
}

typedef struct cause {
    const char *name;
    act *act;
    bool rope, rod, far; /* who wakes */
} cause;

#define CAUSE(act, ...)                                                                            \
    { #act, act, __VA_ARGS__ }
static const cause causes[] = {
    CAUSE(add_force, true, false, false),
    CAUSE(apply_impulse, true, false, false),
    CAUSE(set_position, true, false, false),
    CAUSE(set_velocity, true, false, false),
    CAUSE(set_mass, true, false, false),
    CAUSE(set_radius, true, false, false),
    CAUSE(set_group, true, false, false),
    CAUSE(add_node, true, false, false),
    CAUSE(destroy_node, true, false, false),
    CAUSE(add_constraint, true, false, false),
    CAUSE(destroy_constraint, true, false, false),
    CAUSE(set_field, true, false, false),
    CAUSE(set_body, true, false, false),
    CAUSE(wake_body, true, false, false),
    CAUSE(destroy_pin, true, false, false),
    CAUSE(join_with_another, true, false, false),
    CAUSE(add_torque, false, true, false),
    CAUSE(set_orientation, false, true, false),
    CAUSE(set_angular_velocity, false, true, false),
    CAUSE(move_pin, true, false, false),
    CAUSE(aim_pin, true, false, false),
    CAUSE(place_pin, true, false, false),
    CAUSE(turn_pin, true, false, false),
    CAUSE(spin_pin, true, false, false),
    CAUSE(drop_collider_on_it, true, false, false),
    CAUSE(pass_by, true, false, false),
    CAUSE(turn_beside_it, true, true, false),
    CAUSE(lower_floor, true, true, true),
    CAUSE(move_floor, true, true, true),
    CAUSE(destroy_floor, true, true, true),
    CAUSE(add_field, true, true, true),
    CAUSE(turn_gravity, true, true, true),
    CAUSE(keep_target, false, false, false),
    CAUSE(keep_floor, false, false, false),
    CAUSE(keep_turned_floor, false, false, false),
    CAUSE(move_far_away, false, false, false),
    CAUSE(pass_through, false, false, false),
    CAUSE(add_free_nodes, false, false, false),
    CAUSE(change_something_else, false, false, false),
};

TEST(every_cause_wakes_whom_it_is_about) {
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        const cause *c = &causes[i];
        check_case("%s", c->name);
        scene s = make_scene();
        c->act(&s);
        advance(s.world, 1);
        CHECK(sn_body_is_asleep(s.world, s.rope) == !c->rope);
        CHECK(sn_body_is_asleep(s.world, s.rod) == !c->rod);
        CHECK(sn_body_is_asleep(s.world, s.far) == !c->far);
        sn_world_destroy(s.world);
    }
}

/* Of a body with two nodes, whether a ball in line with both that just touches the second, or just
   does not, wakes it. The first is so far away that little is missing to pass over the second. */
static bool is_woken_at(double gap) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    sn_body_def body_def = sn_body_def_default();
    sn_node_def node = sn_node_def_default();
    sn_collider_def ball = sn_collider_def_default();
    sn_body body;
    sn_collider collider;
    add_floor(world);
    REQUIRE_OK(sn_body_create(world, &body_def, &body));
    for (int i = 0; i < 2; i++) {
        sn_node one;
        node.body = body;
        node.radius = (sn_real)0.1;
        node.position = (sn_vec3){(sn_real)(10 * i), (sn_real)0.1, 0};
        REQUIRE_OK(sn_node_create(world, &node, &one));
    }
    let_all_sleep(world);
    ball.shape = SN_SHAPE_SPHERE;
    ball.radius = (sn_real)0.1;
    ball.position = (sn_vec3){(sn_real)(10.2 + gap), (sn_real)0.1, 0};
    REQUIRE_OK(sn_collider_create(world, &ball, &collider));
    advance(world, 1);
    bool woken = !sn_body_is_asleep(world, body);
    sn_world_destroy(world);
    return woken;
}

TEST(the_farther_of_two_nodes_is_looked_at) {
    CHECK(is_woken_at(-0.01) && is_woken_at(-0.001) && !is_woken_at(0.01) && !is_woken_at(0.1));
}

/* What is disturbed without moving stays awake, instead of falling asleep for a step now and
   then. */
TEST(what_is_disturbed_stays_awake) {
    act *const lasting[] = {move_pin, move_pin_softly, spin_pin, add_field};
    for (size_t i = 0; i < sizeof lasting / sizeof lasting[0]; i++) {
        check_case("disturbance %zu", i);
        scene s = make_scene();
        lasting[i](&s);
        for (int k = 0; k < 90; k++) {
            advance(s.world, 1);
            CHECK(!sn_body_is_asleep(s.world, s.rope));
        }
        sn_world_destroy(s.world);
    }
    /* A ball without friction that turns where the rope lies. */
    scene s = make_scene();
    sn_collider_def def = ball_at(0, -0.5);
    def.static_friction = def.dynamic_friction = 0;
    def.angular_velocity = up;
    add_ball(&s, def);
    for (int k = 0; k < 90; k++) {
        advance(s.world, 1);
        CHECK(!sn_body_is_asleep(s.world, s.rope));
    }
    CHECK(sn_body_is_asleep(s.world, s.far));
    sn_world_destroy(s.world);
}

TEST(ids_that_are_none_are_refused) {
    scene s = make_scene();
    CHECK_OK(sn_body_destroy(s.world, s.rope));
    CHECK(!sn_body_is_asleep(s.world, s.rope) && !sn_body_is_asleep(NULL, s.rod));
    CHECK_FAILS(sn_body_wake(s.world, s.rope), SN_ERROR_STALE);
    CHECK(count_asleep(s.world) == 2);
    advance(s.world, 2);
    CHECK(count_asleep(s.world) == 2);
    /* A body in the same place begins awake. */
    sn_body ball = drop_ball(s.world, 20, 0.1, NULL);
    CHECK(ball.slot == s.rope.slot && !sn_body_is_asleep(s.world, ball));
    CHECK(seconds_until_asleep(s.world, ball, 5) > 0.5);
    sn_world_destroy(s.world);
}

/* ---- Contact between bodies, as the code that finds it would tell ---- */

typedef struct touching {
    sn_world *world;
    uint32_t a, b;
} touching;

/* A constraint that does nothing but say, within the step, that two bodies touch. */
static void say_touch(void *user, const sn_user_batch *batch) {
    touching *t = user;
    for (size_t i = 0; i < batch->count; i++) {
        batch->value[0][i] = 0;
        for (int axis = 0; axis < 3; axis++) batch->gradient[0][axis][i] = 0;
    }
    sn_sleep_join(&t->world->sleep, t->a, t->b);
}

static void let_touch(touching *t) {
    sn_type type;
    sn_node speaker;
    sn_constraint constraint;
    sn_user_type_def def = sn_user_type_def_default();
    def.name = "touch";
    def.nodes = 1;
    def.external = true;
    def.formula = say_touch;
    def.user = t;
    REQUIRE_OK(sn_world_add_type(t->world, &def, &type));
    sn_node_def node = sn_node_def_default();
    node.position = (sn_vec3){-100, 1, 0};
    REQUIRE_OK(sn_node_create(t->world, &node, &speaker));
    sn_user_def user;
    REQUIRE_OK(sn_user_def_default(t->world, type, &user));
    user.node[0] = speaker;
    REQUIRE_OK(sn_constraint_create(t->world, type, &user, &constraint));
}

TEST(bodies_that_touch_sleep_and_wake_together) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_node node;
    sn_body a = drop_ball(world, 0, 0.1, NULL), b = drop_ball(world, 1, 0.6, &node);
    sn_body c = drop_ball(world, 2, 0.1, NULL);
    touching t = {world, a.slot, b.slot};
    let_touch(&t);
    seconds_until_asleep(world, c, 5);
    CHECK(!sn_body_is_asleep(world, a));
    let_all_sleep(world);
    /* That they touch is known without being said again. */
    t.a = t.b = 0;
    advance(world, 3);
    CHECK_OK(sn_body_wake(world, a));
    CHECK(!sn_body_is_asleep(world, a) && !sn_body_is_asleep(world, b));
    CHECK(sn_body_is_asleep(world, c));
    let_all_sleep(world);
    CHECK_OK(sn_body_wake(world, a));
    CHECK(sn_body_is_asleep(world, b));
    sn_world_destroy(world);
}

TEST(a_body_that_moves_wakes_what_it_touches_and_a_slow_one_joins_it) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_node node;
    sn_body a = drop_ball(world, 0, 0.1, NULL), b = drop_ball(world, 1, 0.1, &node);
    sn_body c = drop_ball(world, 2, 0.1, NULL);
    touching t = {world, 0, 0};
    let_touch(&t);
    let_all_sleep(world);
    /* Awake, but slow. */
    CHECK_OK(sn_body_wake(world, b));
    t = (touching){world, b.slot, a.slot};
    advance(world, 1);
    CHECK(sn_body_is_asleep(world, a) && !sn_body_is_asleep(world, b));
    let_all_sleep(world);
    CHECK_OK(sn_body_wake(world, a));
    CHECK(!sn_body_is_asleep(world, b));
    t = (touching){world, 0, 0};
    let_all_sleep(world);
    /* Fast. */
    t = (touching){world, b.slot, a.slot};
    CHECK_OK(sn_node_set_velocity(world, node, (sn_vec3){0, 1, 0}));
    CHECK(sn_body_is_asleep(world, a));
    advance(world, 1);
    CHECK(!sn_body_is_asleep(world, a) && !sn_body_is_asleep(world, b));
    CHECK(sn_body_is_asleep(world, c));
    sn_world_destroy(world);
}

/* Of two that sleep together one is touched by a third, slowly: that then sleeps with both. */
TEST(who_joins_one_sleeper_joins_all_of_them) {
    sn_world *world = sleepy_world(sleepy_settings(), 1, 0);
    add_floor(world);
    sn_body a = drop_ball(world, 0, 0.1, NULL), b = drop_ball(world, 1, 0.1, NULL);
    sn_body c = drop_ball(world, 2, 0.1, NULL), d = drop_ball(world, 3, 0.1, NULL);
    touching t = {world, a.slot, b.slot};
    let_touch(&t);
    let_all_sleep(world);
    CHECK_OK(sn_body_wake(world, c));
    t = (touching){world, c.slot, a.slot};
    let_all_sleep(world);
    t = (touching){world, 0, 0};
    advance(world, 2);
    CHECK_OK(sn_body_wake(world, c));
    CHECK(!sn_body_is_asleep(world, a) && !sn_body_is_asleep(world, b));
    CHECK(sn_body_is_asleep(world, d));
    sn_world_destroy(world);
}

TESTS(RUN(every_cause_wakes_whom_it_is_about), RUN(the_farther_of_two_nodes_is_looked_at),
      RUN(what_is_disturbed_stays_awake), RUN(ids_that_are_none_are_refused),
      RUN(bodies_that_touch_sleep_and_wake_together), RUN(who_joins_one_sleeper_joins_all_of_them),
      RUN(a_body_that_moves_wakes_what_it_touches_and_a_slow_one_joins_it))
