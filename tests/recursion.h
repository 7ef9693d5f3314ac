/*
 * What BDF2 makes of x'' = -omega^2 (x - rest) - beta x' + g, exactly: one damped spring on a unit
 * mass. The first substep is one of BDF1; its damping acts on the velocity as far as it is known.
 */
#ifndef SINEW_TESTS_RECURSION_H
#define SINEW_TESTS_RECURSION_H

/* x and u = h v, now and a substep ago. */
typedef struct bdf2_path {
    double x, u, x_before, u_before;
    double pushed; /* u as it was before it was damped */
    bool going;    /* whether there is a substep before this one */
} bdf2_path;

/* Times h and h^2: beta h, omega^2 h^2 and g h^2. */
typedef struct bdf2_force {
    double damping, stiffness, rest, push;
    double drift; /* h times the velocity that damping is relative to */
} bdf2_force;

/* The dashpot acts on what the substep ends with, and the path goes on as if it had always come
   with that velocity. */
static inline void bdf2_next(bdf2_path *p, bdf2_force f) {
    bdf2_path next = {.x_before = p->x, .u_before = p->u, .going = true};
    if (p->going) {
        double free = (4 * p->x - p->x_before) / 3 + (8 * p->u - 2 * p->u_before) / 9;
        double known = f.push + f.stiffness * f.rest;
        next.x = (free + 4.0 / 9 * known) / (1 + 4.0 / 9 * f.stiffness);
        next.pushed = (3 * next.x - 4 * p->x + p->x_before) / 2;
    } else {
        next.x = (p->x + p->u + f.push + f.stiffness * f.rest) / (1 + f.stiffness);
        next.pushed = next.x - p->x;
    }
    next.u = (next.pushed + f.damping * f.drift) / (1 + f.damping);
    next.x_before -= next.u - next.pushed;
    next.u_before += next.u - next.pushed;
    *p = next;
}

#endif
