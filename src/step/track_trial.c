#include "step/track_trial.h"

#include <math.h>

/* Steps with as many tracks, the first of which makes them and is not counted; steps until it is
   tried again; and by how much constraints have to become more or fewer for that. */
enum { STEPS = 4, AGAIN = 1000, MORE = 2 };

/* Fewer tracks that take no longer than this leave a core to others. */
#define AS_FAST 1.02

static bool is_new(const sn_track_trial *t, size_t most, size_t constraints) {
    return t->most != most || constraints / MORE >= t->constraints ||
           t->constraints / MORE >= constraints;
}

static void begin_turn(sn_track_trial *t, size_t count) {
    t->count = count;
    t->steps = 0;
    t->least = INFINITY;
}

static void end_turn(sn_track_trial *t) {
    if (t->least <= AS_FAST * t->fastest) t->best = t->count;
    if (t->least < t->fastest) t->fastest = t->least;
    t->known = t->count == 1;
    begin_turn(t, t->known ? t->best : t->count / 2);
}

size_t sn_track_trial_next(sn_track_trial *t, size_t most, size_t constraints, double took) {
    if (most < 2) return most;
    if (is_new(t, most, constraints) || (t->known && t->steps == AGAIN)) {
        *t = (sn_track_trial){
            .most = most, .constraints = constraints, .best = most, .fastest = INFINITY};
        begin_turn(t, most);
        return t->count;
    }
    if (t->steps > 0 && took < t->least) t->least = took;
    t->steps++;
    if (!t->known && t->steps == STEPS) end_turn(t);
    return t->count;
}
