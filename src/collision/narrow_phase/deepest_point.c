/*
 * The least distance to a shape over a triangle, or a segment, by local optimisation over the
 * weights of its corners (Macklin et al. 2020, Local optimization for robust signed distance field
 * collision).
 *
 * A ball is asked for once: the nearest point to its centre. Any other shape is followed downhill
 * along straight lines within the triangle. Distances have ridges, where the nearest side of a box
 * changes, and minima lie on them. Therefore
 *
 *   a line     is searched between two points, one where the distance falls and one where it rises:
 *              where their tangents meet is a ridge, where the slope would vanish a round minimum;
 *              both are tried in turn
 *   downhill   is against the shortest mixture of the slopes on both sides of the last minimum,
 *              which leads along a ridge instead of across it
 *
 * Distances of convex shapes are convex, so that every tangent, and every mixture of two, lies
 * below them: what the highest of them has at its lowest corner is a distance that no point of the
 * triangle is closer than, and where lines end early, the lowest point of several tells where to go
 * on. Of other shapes it is known that a distance changes by no more than the
 * way between two points, and what is found may be a hollow that is not the deepest one.
 */
#include "collision/narrow_phase/deepest_point.h"

#include "collision/narrow_phase/closest_weights.h"
#include "math/quaternion.h"

#include <math.h>

enum { MOST_LINES = 12, MOST_TRIES = 5, MOST_CUTS = 8, MOST_LOOKS = 16 };
/* Of the longest edge: what may be deeper than what is found along lines. */
static const sn_real CLOSE = SN_R(0.01);
/* 1: a weight that counts as none; and the slope of what is flat. */
static const sn_real none = SN_R(1e-5), flat = SN_R(1e-4);

bool sn_triangle_contact_accepts(const sn_collider_def *def) {
    return def->shape != SN_SHAPE_PLANE;
}

sn_deepest_shape sn_deepest_shape_of(const sn_collider_def *def, double time, uint32_t item,
                                     bool line) {
    bool convex = !def->form || def->shape == SN_SHAPE_HULL;
    sn_real trust = convex ? 0 : sn_shape_trust(def);
    return (sn_deepest_shape){.def = def, .time = time, .item = item, .trust = trust, .line = line};
}

/* A point that was looked at. */
typedef struct look {
    sn_real weight[3];
    sn_v4 point, slope, displacement;
    sn_real distance;
    sn_real at[3]; /* m, of its tangent at the corners */
} look;

typedef struct search {
    sn_deepest_shape *shape;
    const sn_v4 *corner;
    sn_v4 edge[2];           /* from the first corner to the others */
    sn_real square[3], area; /* of the edges and their product; of the determinant of those */
    sn_real span;            /* m, of the longest edge */
    sn_real least;           /* as of the result */
    look best, other;        /* on the other side of a ridge */
    bool paired;
} search;

static sn_real min3(const sn_real a[3]) {
    sn_real least = a[0] < a[1] ? a[0] : a[1];
    return least < a[2] ? least : a[2];
}

static sn_real ask(sn_deepest_shape *shape, look *l) {
    l->displacement = (sn_v4){0};
    shape->asked++;
    if (!shape->def->form) return sn_shape_distance_at(shape->def, l->point, &l->slope);
    sn_near near = {.time = shape->time, .within = INFINITY, .item = shape->item};
    sn_real distance = sn_shape_near_of(shape->def->shape)(shape->def, l->point, &near, &l->slope);
    if (near.item != SN_BVH_NONE) shape->item = near.item;
    l->displacement = near.displacement;
    return distance;
}

/* Looks at a point, and learns from it how close the triangle may be at most. */
static look look_at(search *s, const sn_real weight[3]) {
    look l = {.weight = {weight[0], weight[1], weight[2]}};
    sn_real far = 0;
    if (s->shape->line) {
        l.weight[1] += weight[2];
        l.weight[2] = 0;
    }
    l.point = l.weight[0] * s->corner[0] + l.weight[1] * s->corner[1] + l.weight[2] * s->corner[2];
    l.distance = ask(s->shape, &l);
    for (int k = 0; k < 3; k++) {
        sn_v4 to = s->corner[k] - l.point;
        sn_real square = sn_v4_dot(to, to);
        l.at[k] = l.distance + sn_v4_dot(l.slope, to);
        far = square > far ? square : far;
    }
    sn_real least = s->shape->trust > 0 ? l.distance - SN_ROOT(far) / s->shape->trust : min3(l.at);
    if (least > s->least) s->least = least;
    return l;
}

/* ---- Downhill ---- */

/* What of a slope lies within the triangle. */
static sn_v4 within(const search *s, sn_v4 slope) {
    if (s->shape->line)
        return (sn_v4_dot(slope, s->edge[0]) / sn_v4_dot(s->edge[0], s->edge[0])) * s->edge[0];
    sn_v4 normal = sn_v4_cross(s->edge[0], s->edge[1]);
    return slope - (sn_v4_dot(slope, normal) / sn_v4_dot(normal, normal)) * normal;
}

/* The shortest mixture of the slopes on both sides, within the triangle. */
static sn_v4 mixed_slope(search *s) {
    const look *a = &s->best, *b = &s->other;
    if (!s->paired) return a->slope;
    sn_v4 one = within(s, a->slope), apart = one - within(s, b->slope);
    sn_real size = sn_v4_dot(apart, apart), part = 0;
    if (size > SN_R(1e-12)) part = sn_v4_dot(one, apart) / size;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    sn_real row[3];
    for (int k = 0; k < 3; k++) row[k] = a->at[k] + part * (b->at[k] - a->at[k]);
    if (s->shape->trust == 0 && min3(row) > s->least) s->least = min3(row);
    return a->slope + part * (b->slope - a->slope);
}

/* Whether a change of weights stays within the triangle. */
static bool is_free(const sn_real weight[3], const sn_real direction[3]) {
    for (int k = 0; k < 3; k++)
        if (weight[k] <= none && direction[k] < 0) return false;
    return true;
}

/* Along the edge opposite of a corner; returns how steeply it falls. */
static sn_real along_edge(const search *s, sn_v4 slope, int corner, sn_real direction[3]) {
    int a = (corner + 1) % 3, b = (corner + 2) % 3;
    sn_v4 edge = s->corner[b] - s->corner[a];
    sn_real square = sn_v4_dot(edge, edge), rise = sn_v4_dot(slope, edge);
    direction[corner] = 0;
    direction[b] = square > 0 ? -rise / square : 0;
    direction[a] = -direction[b];
    return square > 0 ? (rise < 0 ? -rise : rise) / SN_ROOT(square) : 0;
}

/* The steepest direction down as a change of weights; false where there is none. */
static bool find_direction(const search *s, sn_v4 slope, sn_real direction[3]) {
    const sn_real *weight = s->best.weight;
    if (s->shape->line)
        return along_edge(s, slope, 2, direction) > flat && is_free(weight, direction);
    sn_real a = sn_v4_dot(slope, s->edge[0]), b = sn_v4_dot(slope, s->edge[1]);
    direction[1] = -(s->square[1] * a - s->square[2] * b) / s->area;
    direction[2] = -(s->square[0] * b - s->square[2] * a) / s->area;
    direction[0] = -(direction[1] + direction[2]);
    sn_v4 d = direction[1] * s->edge[0] + direction[2] * s->edge[1];
    if (is_free(weight, direction)) return sn_v4_length(d) > flat;
    sn_real steepest = flat;
    bool found = false;
    for (int k = 0; k < 3; k++) {
        sn_real edge[3], fall;
        if (weight[k] > none) continue;
        fall = along_edge(s, slope, k, edge);
        if (!(fall > steepest) || !is_free(weight, edge)) continue;
        steepest = fall;
        found = true;
        for (int i = 0; i < 3; i++) direction[i] = edge[i];
    }
    return found;
}

/* ---- Lines ---- */

static look look_along(search *s, const look *from, const sn_real direction[3], sn_real t) {
    sn_real weight[3], sum = 0;
    for (int k = 0; k < 3; k++) {
        weight[k] = from->weight[k] + t * direction[k];
        if (weight[k] < none) weight[k] = 0;
        sum += weight[k];
    }
    for (int k = 0; k < 3; k++) weight[k] /= sum;
    return look_at(s, weight);
}

/* m: by how much the distance rises along a direction. */
static sn_real rise_of(const search *s, const look *l, const sn_real direction[3]) {
    sn_v4 d = direction[1] * s->edge[0] + direction[2] * s->edge[1];
    return sn_v4_dot(l->slope, d);
}

/* Where to look next between two ends: where their tangents meet, or where the slope vanishes. */
static sn_real between(sn_real a, sn_real b, sn_real fall, sn_real rise, sn_real more, bool ridge) {
    sn_real t = ridge ? (more - rise * (b - a)) / (fall - rise) : -fall * (b - a) / (rise - fall);
    sn_real low = SN_R(0.02) * (b - a), high = SN_R(0.98) * (b - a);
    return a + (t > low ? t < high ? t : high : low);
}

/* m: what a rough search does not go on for. */
static sn_real slight_gain(const search *s) {
    const sn_real rough = s->shape->rough, part = SN_DEEPEST_DOUBT * s->best.distance;
    if (!(rough > 0) || !(s->shape->trust > 0)) return 0;
    return part > rough ? part : rough;
}

/* Goes from the best point to the lowest along a direction; false where none is lower. */
static bool follow(search *s, const sn_real direction[3]) {
    look from = s->best, high;
    sn_real a = 0, b = SN_INFINITY, fall = rise_of(s, &from, direction);
    for (int k = 0; k < 3; k++)
        if (direction[k] < 0 && -from.weight[k] / direction[k] < b)
            b = -from.weight[k] / direction[k];
    look low = from;
    high = look_along(s, &from, direction, b);
    sn_real rise = rise_of(s, &high, direction), started = from.distance;
    const sn_real slight = slight_gain(s);
    if (high.distance < started && rise <= 0) {
        s->best = high;
        s->paired = false;
        return true;
    }
    for (int k = 0; k < MOST_TRIES && rise > 0; k++) {
        if (fall > 0) fall = 0;
        if (!(rise - fall > 0) || -fall * (b - a) < slight) break;
        sn_real t = between(a, b, fall, rise, high.distance - low.distance, k % 2 == 0);
        look here = look_along(s, &from, direction, t);
        sn_real slope = rise_of(s, &here, direction);
        bool falls = slope < 0 && here.distance <= low.distance;
        if (falls) {
            low = here;
            a = t;
            fall = slope;
        } else {
            high = here;
            b = t;
            rise = slope > 0 ? slope : rise;
        }
        if (-fall < flat * s->span && falls) break;
    }
    s->paired = true;
    s->best = low.distance <= high.distance ? low : high;
    s->other = low.distance <= high.distance ? high : low;
    return s->best.distance < started;
}

/* ---- Cutting planes ---- */

/* Tangents of a convex distance, each by what it has at the corners. */
typedef struct cuts {
    sn_real at[MOST_CUTS][3];
    int count;
} cuts;

/* m: of the highest of them at a point. */
static sn_real height_of(const cuts *c, const sn_real weight[3]) {
    sn_real most = -SN_INFINITY;
    for (int i = 0; i < c->count; i++) {
        const sn_real *at = c->at[i];
        sn_real here = weight[0] * at[0] + (weight[1] * at[1] + weight[2] * at[2]);
        most = here > most ? here : most;
    }
    return most;
}

/* A point that may be the lowest, by numbers that are as its weights to each other. */
static void try_point(const cuts *c, sn_real a, sn_real b, sn_real d, sn_real *least,
                      sn_real lowest[3]) {
    const sn_real sum = a + b + d;
    const sn_real weight[3] = {a / sum, b / sum, d / sum};
    if (!(weight[0] >= 0 && weight[1] >= 0 && weight[2] >= 0)) return;
    sn_real here = height_of(c, weight);
    if (!(here < *least)) return;
    *least = here;
    for (int k = 0; k < 3; k++) lowest[k] = weight[k];
}

/* m: the lowest that the highest of them gets in the triangle: at a corner, where two meet on an
   edge, or three inside. */
static sn_real lowest_of(const cuts *c, sn_real lowest[3]) {
    sn_real least = SN_INFINITY;
    for (int k = 0; k < 3; k++) try_point(c, k == 0, k == 1, k == 2, &least, lowest);
    for (int i = 0; i < c->count; i++)
        for (int j = 0; j < i; j++) {
            const sn_v4 one = {c->at[i][0] - c->at[j][0], c->at[i][1] - c->at[j][1],
                               c->at[i][2] - c->at[j][2], 0};
            try_point(c, 0, one[2], -one[1], &least, lowest);
            try_point(c, one[2], 0, -one[0], &least, lowest);
            try_point(c, one[1], -one[0], 0, &least, lowest);
            for (int l = 0; l < j; l++) {
                const sn_v4 two = {c->at[i][0] - c->at[l][0], c->at[i][1] - c->at[l][1],
                                   c->at[i][2] - c->at[l][2], 0};
                sn_v4 both = sn_v4_cross(one, two);
                try_point(c, both[0], both[1], both[2], &least, lowest);
            }
        }
    return least;
}

/* A tangent more; where there is no room, instead of that which is lowest at the best point, or of
   the first where none has a height. */
static void add_cut(const search *s, cuts *c, const look *l) {
    int place = c->count;
    if (place == MOST_CUTS) {
        place = 0;
        sn_real least = SN_INFINITY;
        for (int i = 0; i < MOST_CUTS; i++) {
            const sn_real *at = c->at[i], *w = s->best.weight;
            sn_real here = w[0] * at[0] + (w[1] * at[1] + w[2] * at[2]);
            if (!(here < least)) continue;
            least = here;
            place = i;
        }
    }
    for (int k = 0; k < 3; k++) c->at[place][k] = l->at[k];
    if (c->count < MOST_CUTS) c->count++;
}

static bool is_known(const search *s, sn_real enough) {
    return s->least > enough || s->best.distance - s->least <= CLOSE * s->span;
}

/* Lines may end on a ridge, where only few directions lead down. Where it is not known that no
   point is deeper by CLOSE, looks where the tangents of a convex shape allow the least, and so
   learns another one (Kelley 1960): either a deeper point is found, or that there is none. */
static void cut(search *s, sn_real enough) {
    cuts c = {.count = 0};
    if (s->shape->trust > 0 || is_known(s, enough)) return;
    add_cut(s, &c, &s->best);
    if (s->paired) add_cut(s, &c, &s->other);
    for (int k = 0; k < MOST_LOOKS; k++) {
        sn_real weight[3] = {1, 0, 0}, least = lowest_of(&c, weight);
        if (least > s->least) s->least = least;
        if (is_known(s, enough)) return;
        look l = look_at(s, weight);
        add_cut(s, &c, &l);
        if (!(l.distance < s->best.distance - SN_R(0.1) * CLOSE * s->span)) continue;
        s->best = l;
        s->paired = false;
    }
}

/* ---- What is found ---- */

/* The slope across the corners that have a part in it, which is none along them where the minimum
   was found; it tells the way out also where the nearest side is not known. */
static void find_normal(const search *s, sn_deepest *d) {
    sn_v4 slope = s->best.slope, apart = s->best.point - s->other.point;
    bool ridge = s->paired && sn_v4_dot(apart, apart) < SN_R(1e-3) * s->span * s->span;
    search copy = *s;
    if (ridge) slope = mixed_slope(&copy);
    sn_v4 across = slope;
    int shares = 0, missing = 0;
    for (int k = 0; k < 3; k++) {
        if (d->weight[k] > none)
            shares++;
        else
            missing = k;
    }
    if (shares == 3) {
        sn_v4 normal = sn_v4_cross(s->edge[0], s->edge[1]);
        across = (sn_v4_dot(slope, normal) / sn_v4_dot(normal, normal)) * normal;
    } else if (shares == 2) {
        sn_v4 edge = s->corner[(missing + 2) % 3] - s->corner[(missing + 1) % 3];
        across = slope - (sn_v4_dot(slope, edge) / sn_v4_dot(edge, edge)) * edge;
    }
    d->is_corner = shares < 2;
    d->rate = sn_v4_length(across);
    d->normal = s->best.slope;
    if (d->rate > SN_R(0.3)) d->normal = across * (1 / d->rate);
    if (!(d->rate > SN_R(0.5))) d->rate = SN_R(0.5);
    if (d->rate > 1) d->rate = 1;
    d->normal[3] = 0;
}

static void tell(const search *s, sn_deepest *d) {
    for (int k = 0; k < 3; k++) d->weight[k] = s->best.weight[k];
    d->distance = s->best.distance;
    d->least = s->least < d->distance ? s->least : d->distance;
    d->point = s->best.point;
    d->displacement = s->best.displacement;
    find_normal(s, d);
}

static void nearest_on_line(const sn_v4 end[2], sn_v4 point, sn_real weight[3]) {
    sn_v4 edge = end[1] - end[0];
    sn_real square = sn_v4_dot(edge, edge), t = sn_v4_dot(point - end[0], edge);
    t = t > 0 && square > 0 ? t / square : 0;
    weight[1] = t < 1 ? t : 1;
    weight[0] = 1 - weight[1];
    weight[2] = 0;
}

static void nearest_to(const sn_v4 corner[3], sn_v4 point, sn_real weight[3]) {
    sn_lane3 x[4] = {{0, 0, 0}};
    sn_lane b[4];
    for (int k = 0; k < 3; k++) {
        sn_v4 to = corner[k] - point;
        x[k + 1] = (sn_lane3){to[0], to[1], to[2]};
    }
    sn_nearest_on_triangle(x, b);
    for (int k = 0; k < 3; k++) weight[k] = b[k + 1] < 0 ? -b[k + 1] : 0;
}

/* Shapes that are not convex have several hollows: the corners and the middle are tried as well,
   unless all of the triangle is known to be beyond `enough`. */
static void begin(search *s, const sn_real weight[3], sn_real enough) {
    static const sn_real tries[4][3] = {
        {SN_R(1.0) / 3, SN_R(1.0) / 3, SN_R(1.0) / 3}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    s->best = look_at(s, weight);
    for (int k = 0; k < 4 && s->shape->trust > 0 && !(s->least > enough); k++) {
        look l = look_at(s, tries[k]);
        if (l.distance < s->best.distance) s->best = l;
    }
}

/* ---- One shape ---- */

static void search_one(sn_deepest_shape *shape, const sn_v4 corner[3], sn_real enough,
                       sn_deepest *d) {
    search s = {.shape = shape, .corner = corner, .least = -SN_INFINITY};
    s.edge[0] = corner[1] - corner[0];
    s.edge[1] = corner[2] - corner[0];
    sn_v4 third = s.edge[1] - s.edge[0];
    s.square[0] = sn_v4_dot(s.edge[0], s.edge[0]);
    s.square[1] = sn_v4_dot(s.edge[1], s.edge[1]);
    s.square[2] = sn_v4_dot(s.edge[0], s.edge[1]);
    s.area = s.square[0] * s.square[1] - s.square[2] * s.square[2];
    sn_real sides[3] = {-s.square[0], -s.square[1], -sn_v4_dot(third, third)};
    s.span = SN_ROOT(-min3(sides));
    if (shape->def->shape == SN_SHAPE_SPHERE)
        (shape->line ? nearest_on_line : nearest_to)(corner, (sn_v4){0}, d->weight);
    begin(&s, d->weight, enough);
    if (shape->def->shape == SN_SHAPE_SPHERE) s.least = s.best.distance;
    /* One that has no area collides with its corners and its neighbours. */
    bool thin = shape->line ? !(s.span > 0) : !(s.area > SN_R(1e-6) * s.square[0] * s.square[1]);
    for (int k = 0; k < MOST_LINES && !thin; k++) {
        sn_real direction[3];
        if (s.least > enough || s.best.distance - s.least <= SN_R(1e-5) * s.span) break;
        sn_v4 slope = mixed_slope(&s);
        bool goes = find_direction(&s, slope, direction);
        if (!goes && s.paired) {
            /* Stuck with both sides: once more with one. */
            goes = find_direction(&s, s.best.slope, direction);
        }
        const sn_real slight = slight_gain(&s), before = s.best.distance;
        if (!goes || !follow(&s, direction) || before - s.best.distance < slight) break;
    }
    if (!thin) cut(&s, enough);
    tell(&s, d);
    if (thin) d->is_corner = true;
}

/* ---- Compounds ---- */

/* The deepest of all parts, each of which is searched for itself, in its frame. */
static void search_parts(sn_deepest_shape *shape, const sn_v4 corner[3], sn_real enough,
                         sn_deepest *d) {
    sn_deepest start = *d;
    sn_real least = SN_INFINITY;
    d->distance = SN_INFINITY;
    for (size_t i = 0; i < shape->def->part_count; i++) {
        const sn_collider_def *part = &shape->def->form->pieces[i];
        sn_v4 q = {part->orientation.x, part->orientation.y, part->orientation.z,
                   part->orientation.w};
        sn_v4 from = sn_v4_of(part->position), local[3];
        for (int k = 0; k < 3; k++) local[k] = sn_quat_rotate_back(q, corner[k] - from);
        sn_deepest_shape one = sn_deepest_shape_of(part, shape->time, SN_BVH_NONE, shape->line);
        sn_deepest here = start;
        search_one(&one, local, enough < d->distance ? enough : d->distance, &here);
        shape->asked += one.asked;
        least = here.least < least ? here.least : least;
        if (i > 0 && !(here.distance < d->distance)) continue;
        *d = here;
        d->point = from + sn_quat_rotate(q, here.point);
        d->normal = sn_quat_rotate(q, here.normal);
        d->displacement = sn_quat_rotate(q, here.displacement);
    }
    d->least = least;
}

void sn_deepest_point(sn_deepest_shape *shape, const sn_v4 corner[3], sn_real enough,
                      sn_deepest *d) {
    if (shape->def->shape == SN_SHAPE_COMPOUND)
        search_parts(shape, corner, enough, d);
    else
        search_one(shape, corner, enough, d);
}
