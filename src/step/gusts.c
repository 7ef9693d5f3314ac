/*
 * Gusts: turbulence as a sum of waves that the wind carries along.
 *
 *   u(x, t) = strength sum_j a_j sin 2 pi (k_j . (x - drift) / length + f_j t / period + phi_j)
 *
 * drift is the way of the wind so far, so that gusts pass by with it (Taylor's hypothesis of frozen
 * turbulence), and a wind that changes does not tear them. Each a_j is at right angles to its k_j,
 * so that nothing is blown up or sucked in anywhere. The lengths of the waves go down to a quarter
 * of `length`; their speeds go with the third root of that and their periods with the root of its
 * square, as in the cascade of Kolmogorov. Directions are such that the speeds along all axes are
 * alike; the mean of u^2 is strength^2.
 *
 * No state and no random numbers: the same place and time has the same wind on every machine.
 */
#include "step/air.h"

typedef struct wave {
    double k[3], a[3], f, phi;
} wave;

static const wave waves[SN_GUST_WAVES] = {
    {{-0.3681, -0.8971, -0.2445}, {-0.1989, -0.0759, 0.5779}, 1.0000, 0.0000},
    {{-0.5350, -0.3042, -1.0523}, {0.4981, -0.2197, -0.1898}, -1.1411, 0.6180},
    {{-0.2199, 1.1531, 0.9112}, {0.1497, -0.3036, 0.4203}, 1.3022, 0.2361},
    {{1.7646, 0.0478, -0.4066}, {0.0819, 0.3083, 0.3918}, -1.4860, 0.8541},
    {{-1.4868, -0.4589, 1.5668}, {-0.1353, 0.4531, 0.0044}, 1.6957, 0.4721},
    {{1.0558, -2.2017, 1.1329}, {-0.3536, -0.2345, -0.1262}, -1.9351, 0.0902},
    {{3.1564, -0.6032, -0.6637}, {0.0486, 0.3921, -0.1250}, 2.2082, 0.7082},
    {{0.1577, -2.8799, 2.7715}, {-0.3799, -0.0642, -0.0451}, -2.5198, 0.3262},
};

/* The part of a number of turns that is left of whole ones; 0 where nothing is left of digits. */
static double part_of_turn(double turns) {
    if (!(turns > -1e15 && turns < 1e15)) return 0;
    return turns - (double)(int64_t)turns;
}

sn_gusts sn_gusts_at(const sn_settings *settings, const double drift[3], double time) {
    sn_gusts g;
    double length = (double)settings->gust_length, strength = (double)settings->gust_strength;
    for (int j = 0; j < SN_GUST_WAVES; j++) {
        const wave *w = &waves[j];
        double carried = w->k[0] * drift[0] + w->k[1] * drift[1] + w->k[2] * drift[2];
        g.phase[j] = (sn_real)part_of_turn(w->phi + w->f * (time / (double)settings->gust_period) -
                                           carried / length);
        g.number[j] = (sn_v4){(sn_real)(w->k[0] / length), (sn_real)(w->k[1] / length),
                              (sn_real)(w->k[2] / length), 0};
        g.speed[j] = (sn_v4){(sn_real)(strength * w->a[0]), (sn_real)(strength * w->a[1]),
                             (sn_real)(strength * w->a[2]), 0};
    }
    return g;
}

/* sin 2 pi t to a thousandth: two parabolas, and a part of their square on top. */
static sn_real wave_at(sn_real t) {
    /* Adding a number whose last digit is 1 rounds to whole turns. */
    const sn_real whole = sizeof(sn_real) == 4 ? (sn_real)12582912 : (sn_real)6755399441055744;
    sn_real r = t - ((t + whole) - whole);
    if (!(r > SN_R(-0.5))) r = SN_R(-0.5);
    if (r > SN_R(0.5)) r = SN_R(0.5);
    sn_real y = r * (8 - 16 * (r < 0 ? -r : r));
    return y + SN_R(0.225) * (y * (y < 0 ? -y : y) - y);
}

sn_v4 sn_gusts_speed(const sn_gusts *gusts, sn_v4 x) {
    sn_v4 sum = {0};
    for (int j = 0; j < SN_GUST_WAVES; j++)
        sum += gusts->speed[j] * wave_at(sn_v4_dot(gusts->number[j], x) + gusts->phase[j]);
    return sum;
}
