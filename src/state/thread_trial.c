#include "state/thread_trial.h"

/* Steps in which lanes and tracks are tried; rounds that have to be won; steps until it is tried
   again. */
enum { FIRST = 32, WINS = 3, AGAIN = 1000 };

/* s: what a step would take with one thread at the most, for that to be tried: it would be seen. */
#define LONGEST 0.1
/* One thread that takes no longer than this leaves cores to others; one that takes so much longer
   has lost; and steps that have become so much longer than they were are others. */
#define AS_FAST 1.02
#define LOST 2
#define LONGER 1.5

enum { ALL, ALONE };

bool sn_thread_trial_begin(sn_thread_trial *t, size_t threads) {
    t->timed = !t->known && t->steps >= FIRST && (double)threads * t->last < LONGEST;
    const bool second = t->each[ALL] > 0 || t->each[ALONE] > 0, first = t->rounds % 2 == 0;
    t->alone = t->known ? t->best : t->timed && (second ? t->each[ALONE] == 0 : first);
    return t->alone;
}

static void decide(sn_thread_trial *t, bool alone) {
    t->known = true;
    t->best = alone;
    t->steps = 0;
}

static void end_round(sn_thread_trial *t) {
    const bool alone = t->each[ALONE] <= AS_FAST * t->each[ALL];
    t->wins[alone]++;
    t->rounds++;
    if (t->each[ALONE] > t->longest) t->longest = t->each[ALONE];
    t->each[ALL] = t->each[ALONE] = 0;
    if (t->wins[alone] == WINS) decide(t, alone);
}

void sn_thread_trial_end(sn_thread_trial *t, double took) {
    t->steps++;
    t->last = took;
    if (t->known && (t->steps == AGAIN || (t->best && took > LONGER * t->longest))) {
        *t = (sn_thread_trial){.steps = FIRST, .last = took};
        return;
    }
    if (!t->timed) return;
    t->each[t->alone] = took;
    if (t->each[ALL] > 0 && t->each[ALONE] > LOST * t->each[ALL])
        decide(t, false);
    else if (t->each[ALL] > 0 && t->each[ALONE] > 0)
        end_round(t);
}
