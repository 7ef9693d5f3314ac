/*
 * Restitution of bodies.
 *
 * The sweeps of a substep make what touches stick together: in a row of balls that touch, an impact
 * on the first drags all of them along. So impacts are played through, on the velocities without
 * contacts, in waves: all contacts that come together at once part with e times that speed, each
 * with the speed at which the wave found it, then those that this made come together, until none
 * does. A box that falls flat has its four corners in one wave, a row of balls one contact in each.
 * When velocities have been updated, the impulses of an impact take the place of those that the
 * sweeps gave the contact.
 *
 * Who strikes freely is put to where both met, and what was played is played again from there
 * (rigid_meeting.c).
 *
 * A light body between heavy ones would be thrown to and fro, faster each time: a contact that
 * comes together again parts no faster than the first time.
 *
 * What both are accelerated by in the substep of the impact is stopped, and not given back: the
 * impact may be at any time in it, and bodies would gain energy.
 *
 * From one thread, in the order of pairs: contacts of a wave share bodies.
 */
#include "collision/collider_pose.h"
#include "collision/shapes/shape_points.h"
#include "contact/contact_solve.h"
#include "contact/contacts.h"
#include "contact/rigid/rigid_impacts.h"
#include "contact/rigid/rigid_links.h"
#include "contact/rigid/rigid_turn.h"
#include "math/spin_energy.h"

enum { KIND = SN_CONTACT_RIGID, MOST_WAVES = 32, MOST_ROUNDS = 32, FRAMES_ALONE = 256 };
/* Of the speed of a wave: what rounds may leave of it. */
static const sn_real PRECISION = SN_R(1e-5);
/* Of the speed of the first: what comes together slower is no impact, but rounding of one. */
static const sn_real SLOW = SN_R(1e-3);

/* Of how a contact gives way by itself: where joints leave less, it is next to them, as where parts
   that meet at a hinge rub, and does not bounce. */
static const sn_real LEAST_EASE = SN_R(0.05);

/* What is more energy of a spin than before. In short substeps momentum is worth more. */
static const sn_real NOTICED = SN_R(1.01);

bool sn_rigid_restitution_reserve(sn_world *world, size_t count) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    return sn_reserve(&world->memory, (void **)&t->impact, &t->impact_capacity, count + 1,
                      sizeof *t->impact) &&
           sn_reserve(&world->memory, (void **)&t->flight, &t->flight_capacity,
                      world->nodes.slots.count + 1, sizeof *t->flight) &&
           sn_rigid_links_reserve(world);
}

void sn_rigid_restitution_free(sn_rigid_contacts *contacts, sn_memory *memory) {
    sn_free(memory, contacts->flying, contacts->flying_capacity, sizeof *contacts->flying);
    sn_free(memory, contacts->impact, contacts->impact_capacity, sizeof *contacts->impact);
    sn_free(memory, contacts->flight, contacts->flight_capacity, sizeof *contacts->flight);
    sn_rigid_links_free(contacts, memory);
}

static sn_v4 frame_of(const sn_world *world, uint32_t node) {
    return sn_v4_load(&world->frames.q[world->nodes.frame[node] - 1]);
}

static void note_flight(const sn_world *world, uint32_t i, sn_real h) {
    const sn_nodes *n = &world->nodes;
    const uint32_t frame = n->frame[i];
    sn_rigid_flight *f = &sn_rigid_contacts_of(world)->flight[i];
    sn_v4 v = (sn_v4_load(&n->d[i]) - sn_v4_load(&n->p[i])) / h;
    sn_v4_store(&f->v, v);
    sn_v4_store(&f->gained, v - sn_v4_load(&n->v[i]));
    f->d = n->d[i];
    f->x = n->x[i];
    f->left = -1;
    f->astray = (sn_vec4){0, 0, 0, 0};
    f->spin = (sn_vec4){0, 0, 0, 0};
    f->q = (sn_vec4){0, 0, 0, 1};
    if (!frame) return;
    f->q = world->frames.q[frame - 1];
    sn_v4 omega = sn_v4_load(&world->frames.omega[frame - 1]);
    sn_v4_store(&f->spin, sn_quat_rotate(frame_of(world, i), omega));
}

typedef struct flights {
    const sn_world *world;
    sn_real h;
} flights;

static void note_flights(void *context, size_t begin, size_t end) {
    const flights *of = context;
    const sn_frames *frames = &of->world->frames;
    for (size_t i = begin; i < end; i++)
        if (frames->slots.alive[i]) note_flight(of->world, frames->node[i], of->h);
}

/* Where anything bounces, whatever it strikes takes part; where nothing does, what flies
   (rigid_flying.c). */
void sn_rigid_restitution_begin(sn_world *world, const sn_substep *substep) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    const bool bounces = sn_collider_contact_bounces(world);
    flights all = {world, (sn_real)substep->h};
    for (size_t k = 0; bounces && k < set->count; k++) {
        sn_rigid_contact c = sn_rigid_contact_at(world, set->pair[k].slot);
        sn_v4 had = sn_row_vector(c.row, SN_ROW_IMPULSE);
        had[3] = *sn_row(c.row, SN_ROW_NORMAL_IMPULSE);
        sn_v4_store(&c.aside->had, had);
    }
    sn_rigid_contacts_of(world)->meets = false;
    sn_team_run(world->bindings.team, world->frames.slots.count, FRAMES_ALONE, note_flights, &all);
    for (uint32_t i = 0; bounces && i < world->nodes.slots.count; i++)
        if (!world->nodes.frame[i]) note_flight(world, i, all.h);
}

/* What sweeps have turned and moved since is what they did to end an overlap: an impulse that is
   played, and those of the sweeps in whose place it comes, are at the lever arms of the flight.
   They begin where centres are now, since velocities change there. */
void sn_rigid_restitution_sides(const sn_world *world, const sn_rigid_contact *c, sn_v4 normal,
                                sn_rigid_side s[2]) {
    const uint32_t a = c->search->node[0], b = c->search->node[1];
    const sn_rigid_flight *f = sn_rigid_contacts_of(world)->flight;
    sn_rigid_contact_sides(world, c, normal, s);
    if (sn_rigid_meeting_has(world, c->search)) return;
    sn_v4 meet = s[1].arm - s[0].arm;
    if (c->search->point) {
        sn_v4 at = sn_v4_load(&c->search->at);
        s[0].arm +=
            sn_quat_rotate(sn_v4_load(&f[a].q), at) - sn_quat_rotate(frame_of(world, a), at);
    }
    if (a == b) return;
    const sn_real w[2] = {s[0].w, s[1].w};
    sn_v4 between =
        (sn_v4_load(&f[a].x) - sn_v4_load(&f[b].x)) + (sn_v4_load(&f[a].d) - sn_v4_load(&f[b].d));
    s[0].arm += sn_rigid_share(world, c->search, w) * (between - meet);
    s[1].arm = s[0].arm + meet;
}

/*
 * Sweeps gave them at lever arms that began where centres were when the substep began. Both have
 * moved since, and in the end the same arms would not keep angular momentum: what each has too much
 * of it is known, and is to give no energy.
 */
void sn_rigid_restitution_note(const sn_world *world, const sn_rigid_contact *c,
                               const sn_rigid_side s[2], sn_v4 swept, sn_real h) {
    const sn_real w[2] = {s[0].w, s[1].w}, share = sn_rigid_share(world, c->search, w);
    if (c->search->node[0] == c->search->node[1]) return;
    sn_v4 v[2];
    for (int k = 0; k < 2; k++) v[k] = sn_v4_load(&world->nodes.v[s[k].node]);
    sn_v4 all = sn_v4_cross(h * (v[0] - v[1]), swept);
    for (int k = 0; k < 2; k++) {
        sn_vec4 *astray = &sn_rigid_contacts_of(world)->flight[s[k].node].astray;
        sn_v4_store(astray, sn_v4_load(astray) + (k ? 1 - share : share) * all);
    }
}

/*
 * m: of the axis about which a push along the normal turns the first, what is about the axis of a
 * cylinder. A rim is as round as if it did not spin: no point of it that goes down as it turns
 * comes closer for that, and no push along the normal turns it. On what stands, where momentum
 * goes to nobody.
 */
static sn_v4 about_own_axis(const sn_world *world, const sn_rigid_search *c, sn_v4 arm,
                            sn_v4 normal) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    if (!c->rim || c->node[0] != c->node[1]) return (sn_v4){0};
    const sn_vec4 *point = t->point + t->form[c->form[0]].point;
    const sn_v4 q = sn_v4_load(&t->flight[c->node[0]].q), from = sn_shape_rim_middle(point, 0);
    sn_v4 axis = sn_quat_rotate(q, sn_shape_rim_middle(point, 1) - from);
    sn_v4 across = sn_v4_cross(arm - sn_quat_rotate(q, from), normal);
    return sn_v4_dot(across, axis) / sn_v4_dot(axis, axis) * axis;
}

void sn_rigid_restitution_strike(const sn_world *world, const sn_rigid_contact *c,
                                 const sn_rigid_side s[2], sn_v4 normal, sn_real impulse) {
    sn_v4 astray = impulse * about_own_axis(world, c->search, s[0].arm, normal);
    sn_rigid_side_strike(world, &s[0], impulse * normal);
    sn_rigid_side_strike(world, &s[1], -impulse * normal);
    if (!s[0].turns || !(sn_v4_dot(astray, astray) > 0)) return;
    const uint32_t frame = world->nodes.frame[s[0].node] - 1;
    sn_vec4 *omega = &world->frames.omega[frame];
    sn_v4 less = sn_v4_load(&world->frames.w[frame]) *
                 sn_quat_rotate_back(frame_of(world, s[0].node), astray);
    less[3] = 0;
    sn_v4_store(omega, sn_v4_load(omega) - less);
}

static void look(const sn_world *world, uint32_t slot, sn_real h, sn_rigid_impact *b) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_rigid_contact c = sn_rigid_contact_at(world, slot);
    sn_rigid_side s[2];
    sn_v4 normal = sn_row_vector(c.row, SN_ROW_NORMAL);
    sn_rigid_restitution_sides(world, &c, normal, s);
    *b = (sn_rigid_impact){.slot = slot, .restitution = *sn_row(c.row, SN_ROW_RESTITUTION)};
    sn_v4_store(&b->normal, normal);
    for (int k = 0; k < 2; k++) {
        uint32_t node = b->node[k] = s[k].node, frame = world->nodes.frame[node];
        sn_v4 axis = {0}, twist = {0};
        b->w[k] = s[k].w;
        if (k == 1 && c.search->node[0] == c.search->node[1]) {
            b->surface = sn_v4_dot(sn_rigid_contact_motion(world, &c), normal) / h;
            continue;
        }
        if (frame) axis = sn_v4_cross(s[k].arm, normal);
        if (k == 0) axis -= about_own_axis(world, c.search, s[k].arm, normal);
        if (s[k].turns) {
            sn_v4 q = sn_v4_load(&t->flight[node].q);
            sn_v4 inverse = sn_v4_load(&world->frames.w[frame - 1]);
            twist = sn_quat_rotate(q, inverse * sn_quat_rotate_back(q, axis));
        }
        b->k_n += s[k].w + sn_v4_dot(axis, twist);
        sn_v4_store(&b->axis[k], axis);
        sn_v4_store(&b->twist[k], twist);
        b->gained += (sn_real)(k ? -1 : 1) * sn_v4_dot(sn_v4_load(&t->flight[node].gained), normal);
    }
}

/* m/s: how fast the two part. */
static sn_real speed_of(const sn_rigid_contacts *t, const sn_rigid_impact *b) {
    sn_v4 normal = sn_v4_load(&b->normal);
    sn_real sum = -b->surface;
    for (int k = 0; k < (b->node[0] == b->node[1] ? 1 : 2); k++) {
        sn_real own = sn_v4_dot(sn_v4_load(&t->flight[b->node[k]].v), normal);
        if (sn_v4_dot(sn_v4_load(&b->axis[k]), sn_v4_load(&b->axis[k])) > 0)
            own += sn_v4_dot(sn_v4_load(&t->flight[b->node[k]].spin), sn_v4_load(&b->axis[k]));
        sum += k ? -own : own;
    }
    return sum;
}

/* Changes velocities by an impulse (N s) along the normal. */
static void kick(const sn_rigid_contacts *t, const sn_rigid_impact *b, sn_real impulse) {
    for (int k = 0; k < 2; k++) {
        if (!(b->w[k] > 0)) continue;
        sn_real own = k ? -impulse : impulse;
        sn_rigid_flight *f = &t->flight[b->node[k]];
        sn_v4_store(&f->v, sn_v4_load(&f->v) + (own * b->w[k]) * sn_v4_load(&b->normal));
        sn_v4_store(&f->spin, sn_v4_load(&f->spin) + own * sn_v4_load(&b->twist[k]));
    }
}

/* m/s: how fast what comes together fastest does, 0 where nothing does. */
static sn_real begin_wave(const sn_rigid_contacts *t, sn_rigid_impact *b, size_t count,
                          sn_real rest) {
    sn_real most = 0;
    for (; count > 0; count--, b++) {
        b->came = speed_of(t, b);
        b->wave = 0;
        if (!(b->came < -rest)) {
            b->came = 0;
            continue;
        }
        if (-b->came > most) most = -b->came;
        sn_real parts = -b->restitution * (b->gained < 0 ? b->came - b->gained : b->came);
        if (parts < 0) parts = 0;
        if (!(b->sum > 0) || parts < b->first) b->first = parts;
    }
    return most;
}

/* m/s: the largest change. */
static sn_real play_round(const sn_world *world, sn_rigid_impact *b, size_t count) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_real most = 0;
    for (; count > 0; count--, b++) {
        if (!(b->came < 0) || !(b->k_n > 0)) continue;
        sn_real change = (b->first - speed_of(t, b)) / b->k_n;
        if (change < -b->wave) change = -b->wave;
        b->wave += change;
        kick(t, b, change);
        if (b->linked) (void)sn_rigid_links_hold(world, b->node);
        change = (change < 0 ? -change : change) * b->k_n;
        if (change > most) most = change;
    }
    return most;
}

static bool is_pair(const sn_rigid_search *a, const sn_rigid_search *b) {
    return a->node[0] == b->node[0] && a->collider == b->collider;
}

/* Whether a contact was pushed, or would be but for the others of its pair. */
static bool touches(sn_real *row) {
    return *sn_row(row, SN_ROW_PUSH) > 0 || *sn_row(row, SN_ROW_PREDICTED) > 0;
}

/* Contacts that take part, and how many there are: of pairs that touch, all that do within another
   substep, as corners of a box that falls nearly flat. Where nothing bounces, of those that fly
   alone. */
static size_t gather(const sn_world *world, sn_real h, bool bounces) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    size_t count = 0;
    for (size_t begin = 0, end; begin < set->count; begin = end) {
        const sn_rigid_search *first = &t->search[set->pair[begin].slot];
        bool any = false;
        for (end = begin; end < set->count; end++) {
            const sn_rigid_search *next = &t->search[set->pair[end].slot];
            if (!is_pair(first, next)) break;
            sn_real *row = sn_contact_rows(set, set->pair[end].slot);
            *sn_row(row, SN_ROW_IMPACT) = SN_RIGID_NO_IMPACT;
            any = any || touches(row);
        }
        any = any && (bounces || sn_rigid_flying_strikes(world, first->node[0]));
        for (size_t k = begin; any && k < end; k++) {
            sn_real *row = sn_contact_rows(set, set->pair[k].slot);
            sn_rigid_impact *b = &t->impact[count];
            if (!touches(row) && !(*sn_row(row, SN_ROW_PREDICTED) > -SN_INFINITY)) continue;
            look(world, set->pair[k].slot, h, b);
            b->parts = speed_of(t, b);
            sn_real room = -h * b->parts;
            if (b->k_n > 0 && (touches(row) || *sn_row(row, SN_ROW_PREDICTED) + room > 0)) count++;
        }
    }
    return count;
}

/* What was played and what sweeps did, in N s, for all contacts of a run, which have one pair. */
typedef struct exchanged {
    sn_real played, swept;
} exchanged;

static size_t add_run(const sn_world *world, size_t begin, size_t count, exchanged *sum) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    size_t end = begin;
    for (; end < count; end++) {
        sn_rigid_contact c = sn_rigid_contact_at(world, t->impact[end].slot);
        if (!is_pair(&t->search[t->impact[begin].slot], c.search)) break;
        sum->played += t->impact[end].sum;
        sum->swept += *sn_row(c.row, SN_ROW_NORMAL_IMPULSE) - c.aside->had.w;
    }
    return end;
}

/* The same of the points by which the second of these touches the first, which go on from where
   impacts of the second begin: they are in the order of their first nodes. */
static void add_back(const sn_world *world, size_t of, size_t count, exchanged *sum) {
    const sn_rigid_impact *b = sn_rigid_contacts_of(world)->impact;
    const uint32_t node = b[of].node[1], other = b[of].node[0];
    size_t low = 0, high = count;
    if (node == other) return;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (b[middle].node[0] < node)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < count && b[low].node[0] == node) {
        exchanged own = {0, 0};
        const bool back = b[low].node[1] == other;
        low = add_run(world, low, count, &own);
        sum->played += back ? own.played : 0;
        sum->swept += back ? own.swept : 0;
    }
}

/* All points of a pair with an impact have what was played, those that have nothing of it too. But
   a pair that the sweeps gave more, as one that others squeeze, keeps that. */
static void give(const sn_world *world, size_t count) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    for (size_t begin = 0, end; begin < count; begin = end) {
        exchanged sum = {0, 0};
        end = add_run(world, begin, count, &sum);
        add_back(world, begin, count, &sum);
        for (size_t k = begin; sum.played > 0 && sum.played > sum.swept && k < end; k++)
            *sn_contact_at(set, t->impact[k].slot, SN_ROW_IMPACT) = t->impact[k].sum;
    }
}

/* What integrators that remember have of who was struck, and hangs on that, is from before. */
static void forget(sn_world *world, size_t count) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    bool any = false;
    for (size_t k = 0; world->history.used && k < count; k++) {
        if (!(*sn_contact_at(set, t->impact[k].slot, SN_ROW_IMPACT) > 0)) continue;
        any = true;
        for (int side = 0; side < 2; side++)
            if (t->impact[k].w[side] > 0)
                sn_history_strike(&world->history, world->nodes.body[t->impact[k].node[side]]);
    }
    if (any && t->links > 0) sn_rigid_links_forget(world);
}

static const uint32_t *nodes_of(const sn_rigid_contacts *t, size_t k) {
    return t->impact[k].node;
}

/* Joints bear a part of what is given to a contact: with them, both sides give way by less. */
static void find_links(const sn_world *world, size_t count) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_rigid_links_find(world, count, nodes_of);
    for (size_t k = 0; t->links > 0 && k < count; k++) {
        sn_rigid_impact *b = &t->impact[k];
        const sn_real before = speed_of(t, b), impulse = 1 / b->k_n;
        kick(t, b, impulse);
        b->linked = sn_rigid_links_hold(world, b->node);
        const sn_real k_n = (speed_of(t, b) - before) / impulse;
        kick(t, b, -impulse);
        if (b->linked) (void)sn_rigid_links_hold(world, b->node);
        if (b->linked) b->k_n = k_n > LEAST_EASE * b->k_n ? k_n : 0;
    }
}

/* What parts as fast as it came has as much energy, if all that comes together at once does so:
   rounds that end before that leave some of it faster. Then all is pushed by less, as twice what is
   gained is

     sum of j (u + u'),   u' = u + part (u'' - u)
 */
static void keep_energy(const sn_rigid_contacts *t, sn_rigid_impact *b, size_t count) {
    sn_real came = 0, gave = 0;
    for (size_t k = 0; k < count; k++) {
        if (!(b[k].wave > 0)) continue;
        if (b[k].linked) return;
        came += b[k].wave * b[k].came;
        gave += b[k].wave * (speed_of(t, &b[k]) - b[k].came);
    }
    if (!(gave > 0) || !(gave + 2 * came > 0)) return;
    const sn_real less = 1 + 2 * came / gave;
    for (size_t k = 0; k < count; k++) {
        if (!(b[k].wave > 0)) continue;
        kick(t, &b[k], -less * b[k].wave);
        b[k].wave -= less * b[k].wave;
    }
}

static void play(const sn_world *world, size_t count, sn_real rest, bool linked) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    sn_rigid_impact *impact = t->impact;
    for (int wave = 0; wave < MOST_WAVES; wave++) {
        sn_real came = begin_wave(t, impact, count, rest);
        if (!(came > 0)) break;
        if (SLOW * came > rest) {
            rest = SLOW * came;
            came = begin_wave(t, impact, count, rest);
        }
        if (wave == 0 && linked) find_links(world, count);
        for (int i = 0; i < MOST_ROUNDS && play_round(world, impact, count) > PRECISION * came;)
            i++;
        keep_energy(t, impact, count);
        for (size_t k = 0; k < count; k++) impact[k].sum += impact[k].wave;
    }
}

/* What does not bounce has an impact where both come together. */
static void begin_impacts(const sn_world *world, size_t count, sn_real rest) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    for (const sn_rigid_impact *b = t->impact; b < t->impact + count; b++)
        if (b->parts < -rest) *sn_contact_at(set, b->slot, SN_ROW_IMPACT) = 0;
}

/* Those that are put to where they met are played from there. */
static void play_where_they_met(sn_world *world, const sn_substep *substep, size_t count,
                                sn_real rest) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    count = sn_rigid_meeting_find(world, substep, count);
    for (size_t k = 0; k < count; k++)
        look(world, t->impact[k].slot, (sn_real)substep->h, &t->impact[k]);
    play(world, count, rest, false);
    for (size_t k = 0; k < count; k++)
        *sn_contact_at(set, t->impact[k].slot, SN_ROW_IMPACT) = t->impact[k].sum;
}

void sn_rigid_restitution_play(sn_world *world, const sn_substep *substep) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_real h = (sn_real)substep->h, rest = sn_contact_resting_speed(world, h);
    const bool bounces = sn_collider_contact_bounces(world);
    const size_t count = gather(world, h, bounces);
    t->links = 0;
    sn_rigid_meeting_begin(world, count);
    if (bounces) {
        play(world, count, rest, true);
        give(world, count);
        forget(world, count);
    } else {
        begin_impacts(world, count, rest);
    }
    if (count > 0) play_where_they_met(world, substep, count, rest);
}

/* A body with more energy (twice) than `most` is turned, if nothing holds it, to where its angular
   momentum has no more. What it has more even so is taken from it. */
static void settle(const sn_world *world, const sn_rigid_contacts *t, size_t i, sn_real most) {
    const sn_frames *frames = &world->frames;
    sn_v4 q = sn_v4_load(&frames->q[i]), w = sn_v4_load(&frames->w[i]);
    sn_v4 inertia = sn_v4_load(&frames->inertia[i]), omega = sn_v4_load(&frames->omega[i]);
    if (!t->body[i].held) {
        sn_rigid_struck struck = {.q = q, .w = w, .energy = most};
        struck.momentum = sn_quat_rotate(q, inertia * omega);
        q = sn_rigid_turn(&struck);
        omega = w * sn_quat_rotate_back(q, struck.momentum);
        if (!sn_v4_is_finite(q) || !sn_v4_is_finite(omega)) return;
        sn_v4_store(&frames->q[i], q);
    }
    sn_real now = sn_v4_dot(inertia * omega, omega);
    sn_lane3 less = {omega[0], omega[1], omega[2]};
    if (now > NOTICED * most)
        less = sn_spin_lessened(less, sn_lane3_of(w), sn_lane3_of(inertia), now, most);
    sn_v4_store(&frames->omega[i], (sn_v4){less.x, less.y, less.z, 0});
}

void sn_rigid_restitution_end(sn_world *world) {
    const sn_contact_set *set = &sn_contacts_of(world)->set[KIND];
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const sn_frames *frames = &world->frames;
    for (size_t k = 0; k < set->count; k++) {
        sn_rigid_contact c = sn_rigid_contact_at(world, set->pair[k].slot);
        if (!(*sn_row(c.row, SN_ROW_IMPACT) > 0)) continue;
        if (sn_rigid_meeting_has(world, c.search)) continue;
        for (int side = 0; side < 2; side++) {
            const uint32_t node = c.search->node[side], frame = world->nodes.frame[node];
            if (!frame) continue;
            const size_t i = frame - 1;
            sn_v4 w = sn_v4_load(&frames->w[i]), omega = sn_v4_load(&frames->omega[i]);
            if (!(w[0] > 0 && w[1] > 0 && w[2] > 0)) continue;
            sn_v4 l = sn_v4_load(&frames->inertia[i]) * omega;
            const sn_rigid_flight *f = &t->flight[node];
            sn_v4 own = sn_quat_rotate(frame_of(world, node), l) - sn_v4_load(&f->astray);
            sn_real most = sn_rigid_spin_energy(sn_v4_load(&f->q), w, own);
            if (sn_v4_dot(l, omega) > NOTICED * most) settle(world, t, i, most);
        }
    }
}
