/*
 * u(x, t) = strength sum_j a_j sin 2 pi (k_j . (x - drift) / length + f_j t / period + phi_j)
 *
 * Each a_j is at right angles to its k_j, so that nothing is blown up or sucked in anywhere. The
 * lengths of the waves go down to a quarter of `length`; their speeds go with the third root of
 * that and their periods with the root of its square, as in the cascade of Kolmogorov. Directions
 * are such that the speeds along all axes are alike; the mean of u^2 is strength^2.
 */
#include "math/turbulence.h"

#include "math/registers.h"

typedef struct wave {
    double k[3], a[3], f, phi;
} wave;

static const wave waves[4 * SN_TURBULENCE_QUADS] = {
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

sn_turbulence sn_turbulence_at(double strength, double length, double period, const double drift[3],
                               double time) {
    sn_turbulence g;
    for (int j = 0; j < 4 * SN_TURBULENCE_QUADS; j++) {
        const wave *w = &waves[j];
        double carried = w->k[0] * drift[0] + w->k[1] * drift[1] + w->k[2] * drift[2];
        double turns = w->phi + w->f * (time / period) - carried / length;
        g.phase[j / 4][j % 4] = (sn_real)part_of_turn(turns);
        for (int a = 0; a < 3; a++) {
            g.number[j / 4][a][j % 4] = (sn_real)(w->k[a] / length);
            g.speed[j / 4][a][j % 4] = (sn_real)(strength * w->a[a]);
        }
    }
    return g;
}

SN_INLINE sn_v4 size_of(sn_v4 a) {
    const sn_bits sign = (sn_bits)1 << (8 * sizeof(sn_bits) - 2);
    const sn_v4_bits all = (sn_v4_bits){0} + (sign - 1 + sign);
    return (sn_v4)((sn_v4_bits)a & all);
}

/* sin 2 pi t to a thousandth: two parabolas, and a part of their square on top. */
SN_INLINE sn_v4 waves_at(sn_v4 t) {
    /* Adding a number whose last digit is 1 rounds to whole turns. */
    const sn_real whole = sizeof(sn_real) == 4 ? (sn_real)12582912 : (sn_real)6755399441055744;
    sn_v4 r = t - ((t + whole) - whole);
    /* Farther away than digits reach there are no waves. */
    r = (sn_v4)((sn_v4_bits)(size_of(r) <= SN_R(0.5)) & (sn_v4_bits)r);
    sn_v4 y = r * (8 - 16 * size_of(r));
    return y + SN_R(0.225) * (y * size_of(y) - y);
}

sn_v4 sn_turbulence_speed(const sn_turbulence *t, sn_v4 x) {
    sn_v4 sum[3] = {{0}};
    for (int q = 0; q < SN_TURBULENCE_QUADS; q++) {
        const sn_v4 *k = t->number[q], *a = t->speed[q];
        sn_v4 s = waves_at(((k[0] * x[0] + k[1] * x[1]) + k[2] * x[2]) + t->phase[q]);
        for (int i = 0; i < 3; i++) sum[i] += a[i] * s;
    }
    /* {x0 + x1, x2 + x3, y0 + y1, y2 + y3}, and so on. */
    sn_v4 xy = sn_v4_pair_add(sum[0], sum[1]), z = sn_v4_pair_add(sum[2], (sn_v4){0});
    return sn_v4_pair_add(xy, z);
}
