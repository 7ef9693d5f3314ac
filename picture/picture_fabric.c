#include "picture/picture_fabric.h"

static float fraction(float a) {
    return a - floorf(a);
}

/* Every second stripe, from the second on, over a pixel; `at` and `wide` in stripes. */
static float stripes(float at, float wide) {
    float away = fabsf(fraction(0.5f * at - 0.25f) - 0.5f) - 0.25f;
    float sharp = clamp(0.5f - 2 * away / most_of(wide, 1e-6f), 0, 1);
    return sharp + (0.5f - sharp) * smooth(0.5f, 1.5f, wide);
}

float sn_fabric_print(const fabric *f, float u, float v, float wide) {
    float a = stripes(u / f->width, wide / f->width), b = stripes(v / f->width, wide / f->width);
    switch (f->pattern) {
    case SN_IO_PATTERN_STRIPES:
        return a;
    case SN_IO_PATTERN_CHECKS:
        return 0.5f * (a + b);
    case SN_IO_PATTERN_SQUARES:
        return a + b - 2 * a * b;
    default:
        return 0;
    }
}

/* How much is left of what has this length, 1 where pixels are much finer and 0 where they are
   not. */
static float left_of(float length, float wide) {
    return 1 - smooth(0.2f, 0.55f, wide / length);
}

/* A thread that bows up between two places where it dives under others: `across` and `along` from
   -1 to 1. Its light is less at its sides and its ends. */
static fabric_threads bow(float across, float along, bool warp) {
    float light = 1.26f - 0.5f * across * across - 0.28f * along * along;
    float side = 0.55f * across, end = 0.3f * along;
    return (fabric_threads){light, warp ? side : end, warp ? end : side};
}

/* Threads of a weave in which warp and weft cross; the warp runs along v. */
static fabric_threads crossing(float a, float b, bool twill) {
    float column = floorf(a), row = floorf(b);
    float s = 2 * (a - column) - 1, t = 2 * (b - row) - 1;
    float order = fraction((column + row) * (twill ? 0.25f : 0.5f));
    bool warp = order < 0.5f;
    if (!twill) return warp ? bow(s, t, true) : bow(t, s, false);
    /* A float is two crossings long. */
    float second = order == 0.25f || order == 0.75f ? 0.5f : -0.5f;
    return warp ? bow(s, 0.5f * t + second, true) : bow(t, 0.5f * s + second, false);
}

/* Columns of loops like a V, each two threads wide. */
static fabric_threads loops(float a, float b) {
    float s = 2 * fraction(0.5f * a) - 1, side = s < 0 ? -1.0f : 1.0f, out = fabsf(s);
    /* Across a leg of the V, which rises outwards. */
    float t = 2 * fraction(0.5f * b - 0.55f * out) - 1;
    float across = 2 * out - 1;
    float light = 1.27f - 0.45f * t * t - 0.36f * across * across;
    return (fabric_threads){light, 0.35f * side * across, 0.45f * t};
}

fabric_threads sn_fabric_threads(const fabric *f, float u, float v, float wide) {
    const fabric_threads flat = {1, 0, 0};
    if (f->weave == SN_IO_WEAVE_NONE) return flat;
    float a = u / f->thread, b = v / f->thread;
    float fine = left_of(f->thread, wide);
    float ribs = f->weave == SN_IO_WEAVE_TWILL ? left_of(4 * f->thread, wide) * (1 - fine) : 0;
    fabric_threads at = flat;
    if (fine > 0) {
        at = f->weave == SN_IO_WEAVE_KNIT ? loops(a, b)
                                          : crossing(a, b, f->weave == SN_IO_WEAVE_TWILL);
        at.light = 1 + fine * (at.light - 1);
        at.lean_u *= fine;
        at.lean_v *= fine;
    }
    if (ribs > 0) {
        /* The diagonal of a twill is seen from further away than its threads. */
        float wave = 4 * fabsf(fraction(0.25f * (a + b)) - 0.5f) - 1;
        at.light += 0.12f * ribs * wave;
    }
    return at;
}
