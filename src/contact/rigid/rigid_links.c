/*
 * Joints of what strikes.
 *
 * An impact on a body that a joint holds is one on all that hangs on it: the joint bears its part
 * at once, and what it holds together goes on as one. So where impacts are played (and where what
 * they come to takes the place of what sweeps did) the joints of a chain are gone over behind every
 * contact, on velocities,
 *
 *   (J W J^T) j = -J v
 *
 * until they stay whole. Soft rows give no impulse in no time, nor do drives with a largest force;
 * limits push alone, if they do.
 */
#include "contact/rigid/rigid_links.h"

#include "base/union_find.h"
#include "collision/collider_pose.h"
#include "contact/contacts.h"

enum { ROWS = 6, NODES = 4 };

struct sn_rigid_link {
    uint32_t node[NODES], chain; /* chain: who hangs together there */
    int nodes, rows;
    double sign; /* of a limit, of its impulse; 0: both ways */
    double along[ROWS][NODES][3], about[ROWS][NODES][3]; /* gradients, in the world */
    double twist[ROWS][NODES][3]; /* of the second, times the inverse inertia */
    double w[NODES];              /* 1/kg */
    double factor[ROWS][ROWS];    /* L of J W J^T, with one over its pivots */
    double sum;                   /* N s, of a limit */
};

/* Rounds over joints; and of what the first changes, in m/s, what the last may. */
enum { MOST_ROUNDS = 64 };
#define LITTLE 1e-6
/* Of its row, what is rounding of a pivot. */
#define LEAST_PIVOT 1e-9

/* ---- Memory ---- */

static bool is_joint(const sn_store *store) {
    const sn_type_info *info = &store->type->info;
    return store->type->joins && info->frames > 0 && store->count > 0 && info->rows <= ROWS &&
           info->nodes <= NODES && info->list == SN_LIST_NONE;
}

bool sn_rigid_links_reserve(sn_world *world) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    size_t count = 0;
    for (size_t s = 0; s < world->store_count; s++)
        if (is_joint(&world->store[s])) count += world->store[s].count;
    return sn_reserve(&world->memory, (void **)&t->link, &t->link_capacity, count,
                      sizeof *t->link) &&
           sn_reserve(&world->memory, (void **)&t->chain, &t->chain_capacity,
                      2 * world->nodes.slots.count, sizeof *t->chain);
}

void sn_rigid_links_free(sn_rigid_contacts *contacts, sn_memory *memory) {
    sn_free(memory, contacts->link, contacts->link_capacity, sizeof *contacts->link);
    sn_free(memory, contacts->chain, contacts->chain_capacity, sizeof *contacts->chain);
}

/* ---- Who hangs together ---- */

static bool gives_way(const sn_world *world, sn_members members, int n) {
    const int32_t node = sn_member(members, n);
    return node >= 0 && world->nodes.w[node] > 0;
}

/* What a joint holds that gives way. */
static int movable(const sn_world *world, const sn_store *store, sn_place place,
                   uint32_t node[NODES]) {
    sn_members members = sn_store_members(store, place);
    int count = 0;
    for (int n = 0; n < members.nodes; n++)
        if (gives_way(world, members, n)) node[count++] = (uint32_t)sn_member(members, n);
    return count;
}

typedef void visitor(const sn_world *world, const sn_store *store, sn_place place, void *context);

static void for_joints(const sn_world *world, visitor *act, void *context) {
    for (size_t s = 0; s < world->store_count; s++) {
        const sn_store *store = &world->store[s];
        for (uint8_t c = 0; is_joint(store) && c < SN_COLOURS; c++)
            for (uint32_t i = 0; i < store->colour[c].count; i++) {
                const bool awake =
                    world->sleep.count == 0 || sn_colour_is_awake(&store->colour[c], i);
                if (awake && !sn_store_is_off(store, (sn_place){c, i}))
                    act(world, store, (sn_place){c, i}, context);
            }
    }
}

static void join(const sn_world *world, const sn_store *store, sn_place place, void *context) {
    uint32_t node[NODES];
    const int count = movable(world, store, place, node);
    (void)context;
    for (int n = 1; n < count; n++)
        sn_sets_join(sn_rigid_contacts_of(world)->chain, node[n - 1], node[n]);
}

typedef struct telling {
    sn_rigid_links_hear *hear;
    void *context;
} telling;

static void tell(const sn_world *world, const sn_store *store, sn_place place, void *context) {
    const telling *of = context;
    uint32_t node[NODES];
    const int count = movable(world, store, place, node);
    if (count > 1) of->hear(of->context, node, count);
}

void sn_rigid_links_tell(const sn_world *world, sn_rigid_links_hear *hear, void *context) {
    telling of = {hear, context};
    for_joints(world, tell, &of);
}

/* ---- A joint ---- */

static void to_doubles(sn_v4 from, double to[3]) {
    for (int k = 0; k < 3; k++) to[k] = (double)from[k];
}

static double dot(const double a[3], const double b[3]) {
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/* Whether a row takes part, by what its joint is. */
static bool takes_part(const sn_store *store, sn_place place, int row, double *sign) {
    const sn_real *parameter = sn_store_parameters(store, place);
    double (*own)(const sn_real *, int) = store->type->compliance, lambda[SN_MAX_ROWS];
    const double soft = own ? own(parameter, row) : (double)parameter[SN_PARAMETER_COMPLIANCE];
    *sign = 0;
    if (soft > 0) return false;
    if (parameter[SN_PARAMETER_SIDE] == (sn_real)SN_SIDE_BOTH) return !store->type->bounded;
    if (!store->kept) return false;
    sn_store_lambda(store, place, lambda);
    *sign = lambda[row] > 0 ? 1 : -1;
    return lambda[row] != 0;
}

/* Rows that cannot move anything, beside those before, have a pivot of 0. */
static void factorize(sn_rigid_link *l) {
    for (int j = 0; j < l->rows; j++) {
        double sum = l->factor[j][j];
        for (int k = 0; k < j; k++) sum -= l->factor[j][k] * l->factor[j][k];
        const double pivot = sum > LEAST_PIVOT * l->factor[j][j] ? 1 / __builtin_sqrt(sum) : 0;
        for (int i = j + 1; i < l->rows; i++) {
            for (int k = 0; k < j; k++) l->factor[i][j] -= l->factor[i][k] * l->factor[j][k];
            l->factor[i][j] *= pivot;
        }
        l->factor[j][j] = pivot;
    }
}

static void solve(const sn_rigid_link *l, double *x) {
    for (int i = 0; i < l->rows; i++) {
        for (int k = 0; k < i; k++) x[i] -= l->factor[i][k] * x[k];
        x[i] *= l->factor[i][i];
    }
    for (int i = l->rows - 1; i >= 0; i--) {
        for (int k = i + 1; k < l->rows; k++) x[i] -= l->factor[k][i] * x[k];
        x[i] *= l->factor[i][i];
    }
}

static void weigh(sn_rigid_link *l) {
    for (int i = 0; i < l->rows; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int n = 0; n < l->nodes; n++)
                sum += l->w[n] * dot(l->along[i][n], l->along[j][n]) +
                       dot(l->about[i][n], l->twist[j][n]);
            l->factor[i][j] = sum;
        }
    factorize(l);
}

/* The gradients of a row, which becomes the next one of a link. */
static void add_row(const sn_world *world, sn_members members, const sn_vec3 *gradient,
                    sn_rigid_link *l) {
    const int row = l->rows++;
    for (int n = 0; n < l->nodes; n++) {
        const sn_vec3 g = gradient[n];
        const int32_t frame = n < members.frames ? sn_member(members, members.nodes + n) : -1;
        sn_v4 about = {0}, twist = {0};
        if (frame >= 0) {
            const sn_vec3 t = gradient[members.nodes + n];
            const sn_v4 q = sn_v4_load(&world->frames.q[frame]), own = {t.x, t.y, t.z, 0};
            about = sn_quat_rotate(q, own);
            twist = sn_quat_rotate(q, sn_v4_load(&world->frames.w[frame]) * own);
        }
        to_doubles((sn_v4){g.x, g.y, g.z, 0}, l->along[row][n]);
        to_doubles(about, l->about[row][n]);
        to_doubles(twist, l->twist[row][n]);
    }
}

static void add_link(const sn_world *world, const sn_store *store, sn_place place, void *context) {
    (void)context;
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const uint32_t *struck = t->chain + world->nodes.slots.count;
    sn_members members = sn_store_members(store, place);
    sn_rigid_link *l = &t->link[t->links];
    sn_real value[SN_MAX_ROWS];
    sn_vec3 gradient[SN_MAX_ROWS * SN_MAX_INDICES];
    bool any = false;
    uint32_t chain = SN_RIGID_NOBODY;
    for (int n = 0; n < members.nodes; n++)
        if (gives_way(world, members, n)) {
            chain = sn_sets_root(t->chain, (uint32_t)sn_member(members, n));
            any = any || struck[chain];
        }
    if (!any) return;
    sn_batch batch = sn_store_batch(store, &world->nodes, &world->frames, place.colour);
    store->type->evaluate(&batch, place.position, value, gradient);
    *l = (sn_rigid_link){.nodes = members.nodes, .chain = chain};
    for (int n = 0; n < members.nodes; n++) {
        const int32_t node = sn_member(members, n);
        l->node[n] = node >= 0 ? (uint32_t)node : SN_RIGID_NOBODY;
        l->w[n] = node >= 0 && n < members.moved ? (double)world->nodes.w[node] : 0;
    }
    for (int row = 0; row < store->type->info.rows; row++)
        if (takes_part(store, place, row, &l->sign))
            add_row(world, members, gradient + row * (members.nodes + members.frames), l);
    if (l->rows == 0) return;
    weigh(l);
    t->links++;
}

void sn_rigid_links_join(const sn_world *world) {
    for (size_t i = 0; i < world->nodes.slots.count; i++)
        sn_rigid_contacts_of(world)->chain[i] = (uint32_t)i;
    for_joints(world, join, NULL);
}

void sn_rigid_links_find(const sn_world *world, size_t contacts,
                         const uint32_t *(*nodes_of)(const sn_rigid_contacts *t, size_t k)) {
    sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    const size_t count = world->nodes.slots.count;
    t->links = 0;
    if (t->link_capacity == 0 || contacts == 0) return;
    sn_rigid_links_join(world);
    for (size_t i = 0; i < count; i++) t->chain[count + i] = 0;
    for (size_t k = 0; k < contacts; k++)
        for (int side = 0; side < 2; side++)
            t->chain[count + sn_sets_root(t->chain, nodes_of(t, k)[side])] = 1;
    for_joints(world, add_link, NULL);
}

/* ---- Velocities ---- */

static double rate_of(const sn_rigid_contacts *t, const sn_rigid_link *l, int row) {
    double sum = 0;
    for (int n = 0; n < l->nodes; n++) {
        double v[3], spin[3];
        if (l->node[n] == SN_RIGID_NOBODY) continue;
        to_doubles(sn_v4_load(&t->flight[l->node[n]].v), v);
        to_doubles(sn_v4_load(&t->flight[l->node[n]].spin), spin);
        sum += dot(l->along[row][n], v) + dot(l->about[row][n], spin);
    }
    return sum;
}

static void give(sn_vec4 *to, const double by[3]) {
    sn_v4_store(to, sn_v4_load(to) + (sn_v4){(sn_real)by[0], (sn_real)by[1], (sn_real)by[2], 0});
}

/* m/s: the most that a node is changed by. */
static double push(const sn_rigid_contacts *t, const sn_rigid_link *l, const double *impulse) {
    double most = 0;
    for (int n = 0; n < l->nodes; n++) {
        double v[3] = {0, 0, 0}, spin[3] = {0, 0, 0};
        if (l->node[n] == SN_RIGID_NOBODY || !(l->w[n] > 0)) continue;
        for (int row = 0; row < l->rows; row++)
            for (int k = 0; k < 3; k++) {
                v[k] += impulse[row] * l->w[n] * l->along[row][n][k];
                spin[k] += impulse[row] * l->twist[row][n][k];
            }
        give(&t->flight[l->node[n]].v, v);
        give(&t->flight[l->node[n]].spin, spin);
        const double square = dot(v, v);
        if (square > most) most = square;
    }
    return __builtin_sqrt(most);
}

static double hold(const sn_rigid_contacts *t, sn_rigid_link *l) {
    double x[ROWS] = {0};
    for (int row = 0; row < l->rows; row++) x[row] = -rate_of(t, l, row);
    solve(l, x);
    if (l->sign != 0) {
        if (l->sign * (l->sum + x[0]) < 0) x[0] = -l->sum;
        l->sum += x[0];
    }
    return push(t, l, x);
}

/* Goes over the joints of a chain, or of all, until they stay whole. */
static void hold_all(const sn_rigid_contacts *t, uint32_t chain) {
    double first = 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double most = 0;
        for (size_t i = 0; i < t->links; i++) {
            if (chain != SN_RIGID_NOBODY && t->link[i].chain != chain) continue;
            const double change = hold(t, &t->link[i]);
            if (change > most) most = change;
        }
        if (round == 0) first = most;
        if (!(most > LITTLE * first)) break;
    }
}

bool sn_rigid_links_hold(const sn_world *world, const uint32_t node[2]) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    bool any = false;
    uint32_t before = SN_RIGID_NOBODY;
    for (int side = 0; t->links > 0 && side < 2; side++) {
        const uint32_t chain = sn_sets_root(t->chain, node[side]);
        if (!t->chain[world->nodes.slots.count + chain] || chain == before) continue;
        if (!(world->nodes.w[node[side]] > 0)) continue;
        any = true;
        before = chain;
        hold_all(t, chain);
    }
    return any;
}

void sn_rigid_links_forget(sn_world *world) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t i = 0; i < t->links; i++)
        for (int n = 0; n < t->link[i].nodes; n++)
            if (t->link[i].w[n] > 0)
                sn_history_strike(&world->history, world->nodes.body[t->link[i].node[n]]);
}

/* ---- Nodes and frames ---- */

static void copy(const sn_world *world, bool back) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t i = 0; i < t->links; i++)
        for (int n = 0; n < t->link[i].nodes; n++) {
            const uint32_t node = t->link[i].node[n];
            if (node == SN_RIGID_NOBODY) continue;
            sn_rigid_flight *f = &t->flight[node];
            sn_vec4 *v = &world->nodes.v[node];
            const uint32_t frame = world->nodes.frame[node];
            if (!back) {
                f->v = *v;
                f->spin = (sn_vec4){0, 0, 0, 0};
            } else if (world->nodes.w[node] > 0 && sn_v4_is_finite(sn_v4_load(&f->v))) {
                *v = f->v;
            }
            if (!frame) continue;
            sn_vec4 *omega = &world->frames.omega[frame - 1];
            const sn_v4 q = sn_v4_load(&world->frames.q[frame - 1]);
            if (!back) {
                sn_v4_store(&f->spin, sn_quat_rotate(q, sn_v4_load(omega)));
            } else if (world->nodes.w[node] > 0 && sn_v4_is_finite(sn_v4_load(&f->spin))) {
                sn_v4 own = sn_quat_rotate_back(q, sn_v4_load(&f->spin));
                own[3] = 0;
                sn_v4_store(omega, own);
            }
        }
}

void sn_rigid_links_apply(const sn_world *world) {
    const sn_rigid_contacts *t = sn_rigid_contacts_of(world);
    for (size_t i = 0; i < t->links; i++) t->link[i].sum = 0;
    copy(world, false);
    hold_all(t, SN_RIGID_NOBODY);
    copy(world, true);
}
