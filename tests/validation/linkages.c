/*
 * A crank and a rocker: four bars, of which one goes round and one swings. The loop closes, and a
 * point of the coupler goes along the curve that geometry gives.
 */
#include "frame.h"

#include <math.h>

/* m: the crank, the coupler, the rocker, and how far apart their bearings are; the shortest and the
   longest are less than the others together, so that the crank goes round (Grashof). */
static const double crank = 0.15, coupler = 0.45, rocker = 0.35, ground = 0.5;
/* The point of the coupler that is looked at, off its middle, m. */
static const double off = 0.2;

/* Where the bars are when the crank is at an angle: B its end, and C that of the rocker, above. */
typedef struct linkage {
    double bx, by, cx, cy;
} linkage;

static linkage place(double angle) {
    double bx = crank * cos(angle), by = crank * sin(angle);
    double ex = ground - bx, ey = -by, e = sqrt(ex * ex + ey * ey);
    double c = (coupler * coupler + e * e - rocker * rocker) / (2 * coupler * e);
    double s = sqrt(1 - c * c);
    return (linkage){bx, by, bx + coupler * (c * ex - s * ey) / e,
                     by + coupler * (s * ex + c * ey) / e};
}

static sn_node add_bar(sn_world *world, double x, double y, double to_x, double to_y) {
    double length = sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y));
    double inertia = 2 * length * length / 12;
    return add_frame(world, (vec){(x + to_x) / 2, (y + to_y) / 2, 0}, 2,
                     turn((vec){0, 0, 1}, atan2(to_y - y, to_x - x)),
                     (vec){inertia, inertia, inertia});
}

/* A hinge about z at one end of the first bar. */
static sn_constraint add_bolt(sn_world *world, sn_node a, sn_node b, double along) {
    sn_hinge_joint_def def = sn_hinge_joint_def_default();
    sn_constraint made;
    def.node[0] = a;
    def.node[1] = b;
    def.anchor_0 = vector(along, 0, 0);
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_HINGE_JOINT, &def, &made));
    return made;
}

static double gap_of(const sn_world *world, sn_constraint joint) {
    sn_real c[SN_MAX_ROWS];
    REQUIRE_OK(sn_constraint_evaluate(world, joint, c, NULL));
    return sqrt((double)(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]));
}

/* How far the point of the coupler is off its curve, and how wide pins are open, over 2 s. */
typedef struct errors {
    double curve, gap;
} errors;

static errors run(double h) {
    sn_world *world = make_world(plain_settings(SN_SOLVER_COLOURED));
    linkage at = place(0);
    sn_node wall = add_fixed_frame(world, (vec){0, 0, 0}, unturned);
    sn_node bars[3] = {add_bar(world, 0, 0, at.bx, at.by),
                       add_bar(world, at.bx, at.by, at.cx, at.cy),
                       add_bar(world, ground, 0, at.cx, at.cy)};
    sn_constraint pins[4] = {
        add_bolt(world, wall, bars[0], 0), add_bolt(world, bars[0], bars[1], crank / 2),
        add_bolt(world, bars[1], bars[2], coupler / 2), add_bolt(world, wall, bars[2], ground)};
    sn_turn_drive_def motor = sn_turn_drive_def_default();
    sn_constraint made;
    motor.node[0] = wall;
    motor.node[1] = bars[0];
    motor.axis = vector(0, 0, 1);
    motor.speed = 5;
    motor.most_force = 10;
    REQUIRE_OK(sn_constraint_create(world, SN_TYPE_TURN_DRIVE, &motor, &made));
    errors e = {0, 0};
    double lowest = 10, highest = -10;
    for (int k = 0; k < (int)(2 / h); k++) {
        advance(world, h, 1);
        vec along = rotated(orientation_of(world, bars[0]), (vec){1, 0, 0});
        linkage now = place(atan2(along.y, along.x));
        quat turned = orientation_of(world, bars[1]);
        vec x = position_of(world, bars[1]), side = rotated(turned, (vec){0, off, 0});
        double ex = (now.cx - now.bx) / coupler, ey = (now.cy - now.by) / coupler;
        double px = (now.bx + now.cx) / 2 - off * ey, py = (now.by + now.cy) / 2 + off * ex;
        e.curve = fmax(e.curve, fmax(fabs(x.x + side.x - px), fabs(x.y + side.y - py)));
        for (int i = 0; i < 4; i++) e.gap = fmax(e.gap, gap_of(world, pins[i]));
        lowest = fmin(lowest, along.y);
        highest = fmax(highest, along.y);
    }
    CHECK(lowest < -0.99 && highest > 0.99); /* the crank has gone round */
    sn_world_destroy(world);
    return e;
}

/* What a sweep leaves open falls with the square of the substep, and so does what the curve is off
   by; in single precision until rounding shows. */
TEST(coupler_goes_along_its_curve) {
    errors coarse = run(1.0 / 1000), fine = run(1.0 / 2000);
    CHECK_NEAR(fine.curve, 0, 1e-3 * coupler);
    CHECK_NEAR(fine.gap, 0, 2e-4);
    CHECK_REL(coarse.curve / fine.curve, 4, 0.05);
}

TESTS(RUN(coupler_goes_along_its_curve))
