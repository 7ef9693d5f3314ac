/*
 * What BDF2 makes of x'' = -omega^2 (x - rest) - beta x' + g, exactly: one damped spring on a unit
 * mass. The first substep is one of BDF1; its damping acts on the velocity as far as it is known.
 */
#ifndef SINEW_TESTS_RECURSION_H
#define SINEW_TESTS_RECURSION_H

/* x and u = h v, now and a substep ago. */
typedef struct bdf2_path {
    double x, u, x_before, u_before;
    bool going; /* whether there is a substep before this one */
} bdf2_path;

/* Times h and h^2: beta h, omega^2 h^2 and g h^2. */
typedef struct bdf2_force {
    double damping, stiffness, rest, push;
} bdf2_force;

static inline void bdf2_next(bdf2_path *p, bdf2_force f) {
    bdf2_path next = {.x_before = p->x, .u_before = p->u, .going = true};
    if (p->going) {
        double free = (4 * p->x - p->x_before) / 3 + (8 * p->u - 2 * p->u_before) / 9;
        double known = f.push + f.stiffness * f.rest + f.damping * (4 * p->x - p->x_before) / 2;
        next.x = (free + 4.0 / 9 * known) / (1 + 4.0 / 9 * (f.stiffness + 1.5 * f.damping));
        next.u = (3 * next.x - 4 * p->x + p->x_before) / 2;
    } else {
        double motion = p->u + f.push, damping = f.damping;
        double known = f.stiffness * f.rest + damping * (1.5 * p->x + 0.5 * motion);
        next.x = (p->x + motion + known) / (1 + f.stiffness + 1.5 * damping);
        next.u = next.x - p->x;
    }
    *p = next;
}

#endif
