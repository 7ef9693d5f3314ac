/*
 * Where bodies are when they strike each other.
 *
 * Sweeps put what strikes to where it touches when the substep ends, and with x' = p + h v' that is
 * the motion which makes it stick. What bounces has another velocity, of which no place knows: L
 * changed by the impulses of the sweeps times the way in the substep, 1 % of it for two balls that
 * met at 3 m/s beside their middles at 20 substeps, or both spun. And the normal was that of the
 * end, along which one of them never came.
 *
 * So what strikes freely is put to where both first touch, s before the substep ends. There it is
 * struck, with the normal and the lever arms of that place, and from there it goes on:
 *
 *   y = p + (h - s) v,    x' = y + s v',    L' = sum y x m v' = L
 *
 * since all impulses are opposite and at one place. The same for frames, whose angular momentum
 * stays in the world. All that strike together in a substep do so at one time, which is that of the
 * first two: a row that touches passes the impact on at once.
 *
 * That is for those alone which nothing but impacts has moved in the substep: where joints or
 * others have, or what lies on something, where two were in each other or are carried along,
 * everything stays where sweeps have put it.
 */
#include "base/union_find.h"
#include "collision/collider_pose.h"
#include "contact/contacts.h"
#include "contact/recovery.h"
#include "contact/rigid/rigid_impacts.h"

enum { KIND = SN_CONTACT_RIGID };

/* How often the time is looked for; and of the way in a substep, how far apart both may be then. */
enum { MOST_LOOKS = 16 };
static const sn_real NEAR = SN_R(1e-6);
/* Of what is left of the substep when sweeps say that two met: what is left when they have. */
static const sn_real SOON = SN_R(0.9);
/* rad: what a frame is turned by at once, and how often. */
enum { MOST_BITS = 64 };
static const sn_real A_BIT = SN_R(0.03);
/* Of impulses, what is no other force; of a motion, what is rounding. */
static const sn_real OTHERS = SN_R(1e-3), ROUNDING = SN_R(1e-5);

/* ---- Bodies ---- */

static sn_rigid_flight *flight_of(const sn_world *world, uint32_t node) {
    return &sn_rigid_contacts_of(world)->flight[node];
}

static bool moves(const sn_world *world, uint32_t node) {
    return world->nodes.w[node] > 0;
}

/* The first of all that strike together with a node. */
static sn_rigid_flight *set_of(const sn_world *world, uint32_t node) {
    return flight_of(world, sn_sets_root(sn_rigid_contacts_of(world)->chain, node));
}

/* rad/s: how a frame turns where it is turned to q, given its angular momentum. What nothing turns
   about an axis has the same inertia about all. */
static sn_v4 spin_of(const sn_world *world, size_t frame, sn_v4 q, sn_v4 momentum) {
    sn_v4 spin =
        sn_quat_rotate(q, sn_v4_load(&world->frames.w[frame]) * sn_quat_rotate_back(q, momentum));
    spin[3] = 0;
    return spin;
}

/* Turns q freely for some time (s), bit by bit, each by the spin in the middle of it. */
static sn_v4 turned(const sn_world *world, size_t frame, sn_v4 q, sn_v4 momentum, sn_real time) {
    const sn_v4 first = time * spin_of(world, frame, q, momentum);
    const sn_real square = sn_v4_dot(first, first);
    int bits = 1;
    while (bits < MOST_BITS && square > (sn_real)(bits * bits) * (A_BIT * A_BIT)) bits++;
    const sn_real each = time / (sn_real)bits;
    for (int i = 0; i < bits; i++) {
        sn_v4 half = SN_R(0.5) * each * spin_of(world, frame, q, momentum);
        sn_v4 middle = sn_quat_turn(q, sn_quat_rotate_back(q, half));
        sn_v4 all = each * spin_of(world, frame, middle, momentum);
        q = sn_quat_turn(q, sn_quat_rotate_back(q, all));
    }
    return q;
}

static void put(const sn_world *world, uint32_t node, sn_v4 displacement) {
    const sn_nodes *n = &world->nodes;
    const sn_rigid_flight *f = flight_of(world, node);
    sn_v4 from = sn_v4_load(&f->x), to = from + displacement;
    sn_v4 rounding = displacement - (to - from);
    to[3] = from[3];
    rounding[3] = 0;
    sn_v4_store(&n->x[node], to);
    sn_v4_store(&n->d[node], rounding);
    sn_v4_store(&n->p[node], rounding);
}

/* m: where it is in its flight, so long before the substep ends. */
static sn_v4 way_of(const sn_rigid_flight *f, sn_real left) {
    return sn_v4_load(&f->d) - left * sn_v4_load(&f->came);
}

/* Puts a node to there, with its velocities. */
static void put_back(const sn_world *world, uint32_t node, sn_real left) {
    sn_rigid_flight *f = flight_of(world, node);
    const uint32_t frame = world->nodes.frame[node];
    put(world, node, way_of(f, left));
    world->nodes.v[node] = f->came;
    if (!frame) return;
    const size_t i = frame - 1;
    sn_v4 momentum = sn_v4_load(&f->came_by);
    sn_v4 q = turned(world, i, sn_v4_load(&f->q), momentum, -left);
    sn_v4 spin = spin_of(world, i, q, momentum);
    sn_v4_store(&world->frames.q[i], q);
    sn_v4_store(&world->frames.omega[i], sn_quat_rotate_back(q, spin));
}

/* ---- Who ---- */

void sn_rigid_meeting_begin(const sn_world *world, size_t count) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (const sn_rigid_impact *b = t->impact; b < t->impact + count; b++)
        for (int k = 0; k < 2; k++) {
            sn_rigid_flight *f = flight_of(world, b->node[k]);
            const uint32_t frame = world->nodes.frame[b->node[k]];
            f->came = f->v;
            f->came_by = f->spin;
            if (!frame) continue;
            sn_v4 q = sn_v4_load(&f->q), inertia = sn_v4_load(&world->frames.inertia[frame - 1]);
            sn_v4 spin = sn_quat_rotate_back(q, sn_v4_load(&f->spin));
            sn_v4_store(&f->came_by, sn_quat_rotate(q, inertia * spin));
        }
}

static sn_v4 swept_of(const sn_rigid_contact *c) {
    sn_v4 swept = sn_row_vector(c->row, SN_ROW_IMPULSE) - sn_v4_load(&c->aside->had);
    swept[3] = 0;
    return swept;
}

/* Whether a contact takes part: it has an impact, or sweeps pushed it. */
static bool is_in(const sn_rigid_contact *c) {
    return *sn_row(c->row, SN_ROW_IMPACT) >= 0 || *sn_row(c->row, SN_ROW_PUSH) > 0;
}

static void begin(const sn_world *world, uint32_t node) {
    const sn_nodes *n = &world->nodes;
    sn_rigid_flight *f = flight_of(world, node);
    const uint32_t frame = n->frame[node];
    sn_rigid_contacts_of(world)->chain[node] = node;
    f->given = (sn_vec4){0, 0, 0, 0};
    f->listed = false;
    f->spoiled = frame && sn_rigid_contacts_of(world)->body[frame - 1].held;
    if (!frame) return;
    /* What is given to an axis that nothing turns is of no use. */
    sn_v4 w = sn_v4_load(&world->frames.w[frame - 1]);
    if (!(w[0] > 0 && w[1] > 0 && w[2] > 0)) f->spoiled = true;
}

/* Whether anything but contacts has moved a node. */
static bool is_pushed(const sn_world *world, uint32_t node) {
    const sn_rigid_flight *f = flight_of(world, node);
    sn_v4 given = sn_v4_load(&f->given), came = sn_v4_load(&f->came);
    sn_v4 change = (sn_v4_load(&world->nodes.v[node]) - came) / world->nodes.w[node] - given;
    change[3] = 0;
    const sn_real rounding = ROUNDING / world->nodes.w[node];
    return sn_v4_dot(change, change) >
           OTHERS * OTHERS * sn_v4_dot(given, given) + rounding * rounding * sn_v4_dot(came, came);
}

/* Whether what nothing moves goes somewhere. */
static bool is_carried(const sn_world *world, const sn_rigid_impact *b, const sn_rigid_contact *c) {
    const uint32_t other = b->node[1];
    if (c->search->node[0] != c->search->node[1]) {
        sn_v4 v = sn_v4_load(&flight_of(world, other)->came),
              spin = sn_v4_load(&flight_of(world, other)->came_by);
        return !moves(world, other) && sn_v4_dot(v, v) + sn_v4_dot(spin, spin) > 0;
    }
    const sn_collider_pose *at = &sn_collider_poses(world)[c->search->collider];
    sn_v4 motion = sn_rigid_contact_motion(world, c);
    return at->flows || sn_v4_dot(motion, motion) > 0;
}

/* What goes on touching without an impact is held there. */
static bool spoils(const sn_world *world, const sn_rigid_impact *b, const sn_rigid_contact *c,
                   sn_real slight) {
    const sn_real start = *sn_row(c->row, SN_ROW_START);
    const bool lies = *sn_row(c->row, SN_ROW_IMPACT) < 0 && start > -slight;
    return lies || b->linked || !(b->k_n > 0) || is_carried(world, b, c);
}

/* Sets of what strikes together, and whether they meet. */
static bool gather(const sn_world *world, size_t count, sn_real h) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_rigid_impact *end = t->impact + count;
    const sn_real slight = sn_contact_slight(world, h);
    bool any = false;
    for (const sn_rigid_impact *b = t->impact; b < end; b++)
        for (int k = 0; k < 2; k++) begin(world, b->node[k]);
    for (const sn_rigid_impact *b = t->impact; b < end; b++) {
        const sn_rigid_contact c = sn_rigid_contact_at(world, b->slot);
        if (!is_in(&c)) continue;
        for (int k = 0; k < (b->node[0] == b->node[1] ? 1 : 2); k++) {
            sn_vec4 *given = &flight_of(world, b->node[k])->given;
            sn_v4 own = swept_of(&c);
            sn_v4_store(given, sn_v4_load(given) + (k ? -own : own));
        }
        if (moves(world, b->node[0]) && moves(world, b->node[1]))
            sn_sets_join(t->chain, b->node[0], b->node[1]);
    }
    for (const sn_rigid_impact *b = t->impact; b < end; b++) {
        const sn_rigid_contact c = sn_rigid_contact_at(world, b->slot);
        if (!is_in(&c)) continue;
        any = true;
        for (int k = 0; k < 2; k++)
            if (moves(world, b->node[k]) &&
                (spoils(world, b, &c, slight) || flight_of(world, b->node[k])->spoiled ||
                 is_pushed(world, b->node[k])))
                set_of(world, b->node[k])->spoiled = true;
    }
    return any;
}

/* The set of a contact that takes part in one that meets, or null. */
static sn_rigid_flight *meets(const sn_world *world, const sn_rigid_impact *b,
                              const sn_rigid_contact *c) {
    if (!is_in(c)) return NULL;
    sn_rigid_flight *set = set_of(world, b->node[moves(world, b->node[0]) ? 0 : 1]);
    return set->spoiled ? NULL : set;
}

/* ---- When ---- */

/* m: how deep both are in each other where they are now; and the normal there. */
static sn_real depth_of(const sn_world *world, const sn_rigid_contact *c, sn_v4 *normal) {
    const sn_v4 none = {0};
    const uint32_t frame = world->nodes.frame[c->search->node[0]];
    sn_rigid_contact_follow_one(world, c);
    return sn_rigid_contact_depth(
        world, c, false,
        c->search->point
            ? sn_quat_rotate(sn_v4_load(&world->frames.q[frame - 1]), sn_v4_load(&c->search->at))
            : none,
        normal);
}

/* The contacts of those that meet, one by one, and their sets. */
typedef void visitor(const sn_world *world, const sn_rigid_impact *b, sn_rigid_flight *set);

static void for_all(const sn_world *world, size_t count, visitor *act) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (const sn_rigid_impact *b = t->impact; b < t->impact + count; b++) {
        const sn_rigid_contact c = sn_rigid_contact_at(world, b->slot);
        sn_rigid_flight *set = meets(world, b, &c);
        if (set) act(world, b, set);
    }
}

static void put_there(const sn_world *world, const sn_rigid_impact *b, sn_rigid_flight *set) {
    set->deep = -SN_REAL_MAX;
    for (int k = 0; k < 2; k++)
        if (moves(world, b->node[k])) put_back(world, b->node[k], set->left);
}

/* How deep those are that come together; and when sweeps say that they met. */
static void look(const sn_world *world, const sn_rigid_impact *b, sn_rigid_flight *set) {
    const sn_rigid_contact c = sn_rigid_contact_at(world, b->slot);
    const sn_real predicted = *sn_row(c.row, SN_ROW_PREDICTED);
    sn_v4 normal;
    if (!(b->parts < 0) && !(*sn_row(c.row, SN_ROW_START) < 0)) return;
    const sn_real deep = depth_of(world, &c, &normal);
    if (deep > set->deep) set->deep = deep;
    if (b->parts < 0 && predicted > -b->parts * set->passed) set->passed = predicted / -b->parts;
}

static void look_all(const sn_world *world, size_t count) {
    for_all(world, count, put_there);
    for_all(world, count, look);
}

/* Looks at all sets so long before the substep ends. */
static void look_at(const sn_world *world, size_t count, const uint32_t *first, size_t sets,
                    sn_real (*left)(const sn_rigid_flight *set)) {
    for (size_t i = 0; i < sets; i++)
        flight_of(world, first[i])->left = left(flight_of(world, first[i]));
    look_all(world, count);
}

static sn_real at_the_end(const sn_rigid_flight *set) {
    (void)set;
    return 0;
}

static sn_real at_the_beginning(const sn_rigid_flight *set) {
    return set->early;
}

static sn_real when_sweeps_say(const sn_rigid_flight *set) {
    return set->passed < set->early ? set->passed : set->early;
}

static sn_real soon_after(const sn_rigid_flight *set) {
    return SOON * when_sweeps_say(set);
}

/* It is between the beginning of the substep and its end, where they are deep in each other then.
   But what is fast may have gone through the other by its end, or be in it for a second time: it is
   soon after sweeps say that they met, where it is in the other then. */
static void begin_search(const sn_world *world, size_t count, const uint32_t *first, size_t sets,
                         sn_real h) {
    for (size_t i = 0; i < sets; i++) {
        sn_rigid_flight *set = flight_of(world, first[i]);
        set->passed = set->late = 0;
        set->early = h;
        set->touched = false;
    }
    look_at(world, count, first, sets, at_the_end);
    for (size_t i = 0; i < sets; i++)
        flight_of(world, first[i])->under = flight_of(world, first[i])->deep;
    look_at(world, count, first, sets, at_the_beginning);
    for (size_t i = 0; i < sets; i++)
        flight_of(world, first[i])->apart = flight_of(world, first[i])->deep;
    look_at(world, count, first, sets, soon_after);
    for (size_t i = 0; i < sets; i++) {
        sn_rigid_flight *set = flight_of(world, first[i]);
        if (set->left > 0 && set->deep > 0) {
            set->late = set->left;
            set->under = set->deep;
        }
        set->near = NEAR * (set->under - set->apart);
        set->found = !(set->under > 0) || !(set->apart < 0);
        set->left = set->apart < 0 ? when_sweeps_say(set) : h;
    }
}

/* Between the two, where the line between them says; where one of them stays twice, it counts half
   (the method of Illinois). */
static void narrow(sn_rigid_flight *set, bool first) {
    if (!first) {
        const bool touches = set->deep > 0, again = touches == set->touched;
        *(touches ? &set->late : &set->early) = set->left;
        *(touches ? &set->under : &set->apart) = set->deep;
        if (again) *(touches ? &set->apart : &set->under) *= SN_R(0.5);
        set->touched = touches;
    }
    set->left = (set->early * set->under - set->late * set->apart) / (set->under - set->apart);
}

static void search(const sn_world *world, size_t count, const uint32_t *first, size_t sets,
                   sn_real h) {
    bool any = true;
    begin_search(world, count, first, sets, h);
    for (int i = 0; i < MOST_LOOKS && any; i++) {
        any = false;
        for (size_t k = 0; k < sets; k++) {
            sn_rigid_flight *set = flight_of(world, first[k]);
            const sn_real off = set->deep < 0 ? -set->deep : set->deep;
            set->found = set->found || (i > 0 && off <= set->near);
            if (set->found) continue;
            any = true;
            narrow(set, i == 0);
        }
        look_all(world, count);
    }
}

/* ---- All of it ---- */

static size_t list_sets(const sn_world *world, size_t count, uint32_t *first) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    size_t sets = 0;
    for (const sn_rigid_impact *b = t->impact; b < t->impact + count; b++) {
        const sn_rigid_contact c = sn_rigid_contact_at(world, b->slot);
        sn_rigid_flight *set = meets(world, b, &c);
        if (!set || set->listed) continue;
        set->listed = true;
        first[sets++] = (uint32_t)(set - t->flight);
    }
    return sets;
}

/* Their flight, from which impacts are played, is where they met. */
static void fly_from_there(const sn_world *world, const sn_rigid_impact *b, sn_rigid_flight *set) {
    for (int k = 0; k < 2; k++) {
        if (!moves(world, b->node[k])) continue;
        sn_rigid_flight *f = flight_of(world, b->node[k]);
        const uint32_t frame = world->nodes.frame[b->node[k]];
        f->left = set->left;
        f->v = f->came;
        if (!frame) continue;
        f->q = world->frames.q[frame - 1];
        sn_v4_store(&f->spin,
                    spin_of(world, frame - 1, sn_v4_load(&f->q), sn_v4_load(&f->came_by)));
    }
    const sn_rigid_contact c = sn_rigid_contact_at(world, b->slot);
    sn_v4 normal;
    (void)depth_of(world, &c, &normal);
    for (int k = 0; k < 3; k++) *sn_row(c.row, SN_ROW_NORMAL + k) = normal[k];
}

/* What does not bounce has an impact where both meet, or none. */
static size_t keep_those(const sn_world *world, size_t count) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    size_t met = 0;
    for (size_t k = 0; k < count; k++) {
        const sn_rigid_contact c = sn_rigid_contact_at(world, t->impact[k].slot);
        if (meets(world, &t->impact[k], &c))
            t->impact[met++] = t->impact[k];
        else if (t->strike)
            *sn_row(c.row, SN_ROW_IMPACT) = SN_RIGID_NO_IMPACT;
    }
    return met;
}

size_t sn_rigid_meeting_find(sn_world *world, const sn_substep *substep, size_t count) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_real h = (sn_real)substep->h;
    uint32_t *first = t->chain + world->nodes.slots.count;
    if (!gather(world, count, h)) return 0;
    const size_t sets = list_sets(world, count, first);
    if (sets == 0) return keep_those(world, count);
    t->meets = true;
    search(world, count, first, sets, h);
    for_all(world, count, fly_from_there);
    return keep_those(world, count);
}

bool sn_rigid_meeting_has(const sn_world *world, const sn_rigid_search *c) {
    return sn_rigid_contacts_of(world)->meets &&
           (flight_of(world, c->node[0])->left >= 0 || flight_of(world, c->node[1])->left >= 0);
}

void sn_rigid_meeting_end(const sn_world *world) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (uint32_t i = 0; t->meets && i < world->nodes.slots.count; i++) {
        const sn_rigid_flight *f = &t->flight[i];
        const uint32_t frame = world->nodes.frame[i];
        if ((t->strike && !frame) || f->left < 0) continue;
        put(world, i, way_of(f, f->left) + f->left * sn_v4_load(&world->nodes.v[i]));
        if (!frame) continue;
        const size_t at = frame - 1;
        sn_v4 q = sn_v4_load(&world->frames.q[at]), omega = sn_v4_load(&world->frames.omega[at]);
        sn_v4 momentum = sn_quat_rotate(q, sn_v4_load(&world->frames.inertia[at]) * omega);
        q = turned(world, at, q, momentum, f->left);
        sn_v4 spin = sn_quat_rotate_back(q, spin_of(world, at, q, momentum));
        sn_v4_store(&world->frames.q[at], q);
        sn_v4_store(&world->frames.omega[at], spin);
    }
}
