/*
 * How deep a triangle is in a collider at the end of a substep. As node_penetration.c has it for
 * nodes:
 *
 * - A pair remembers how far its nodes could go from where it was last looked at; until then there
 *   is nothing to find.
 * - A triangle that may have passed the shape walks along its path by what is left, which is no
 * more
 *   than what its fastest corner may go, and is stopped where it enters.
 * - So is one whose way out has turned: it has come in by another side, or the shape is through it.
 * - Where that does not keep it out, it has passed: its corners go along with the shape.
 * - What was inside when the substep began comes out no faster than the recovery speed, in all
 *   turns of the substep together.
 */
#include "collision/collider_pose.h"
#include "collision/narrow_phase/deepest_point.h"
#include "contact/recovery.h"
#include "contact/triangle/triangle_contact.h"

/* Steps of a walk, of which each is at least a hundredth of the path: it comes to the end. */
enum { MOST_WALK = 100 };
/* 1: of the longest edge, and of the path: the lesser is the shortest step where shapes are dear to
   ask. */
static const sn_real STRIDE = SN_R(0.05), PART = SN_R(0.0625);
/* 1: the cosine between two ways out of a shape that are not of the same side. */
#define TURNED SN_R(0.7)

/* A triangle in a substep, in the frame of the collider. */
typedef struct path {
    const sn_collider_def *def;
    const sn_collider_pose *at;
    sn_triangle_search *search;
    bool line;      /* whether it is a segment */
    sn_real radius; /* m, the largest of its nodes */
    sn_v4 from[3], to[3];
    sn_real stretch; /* m, by how much a distance may shrink: its path and that of vertices */
    sn_real trust;
} path;

static path path_of(const sn_world *world, const sn_triangle_contact *c) {
    const sn_nodes *n = &world->nodes;
    const uint32_t collider = c->search->collider;
    const sn_collider_pose *at = &sn_collider_poses(world)[collider];
    path p = {.def = &sn_colliders_of(world)->state[collider].def,
              .at = at,
              .search = c->search,
              .line = c->node[1] == c->node[2],
              .radius = *sn_row(c->row, SN_ROW_LIMIT)};
    sn_real most = 0;
    for (int k = 0; k < 3; k++) {
        uint32_t i = c->node[k];
        sn_v4 base = sn_v4_load(&n->x[i]) - sn_v4_load(&at->x);
        p.from[k] = sn_collider_pose_into(at, &at->before,
                                          base + (sn_v4_load(&n->p[i]) - sn_v4_load(&at->p)));
        p.to[k] =
            sn_collider_pose_into(at, &at->q, base + (sn_v4_load(&n->d[i]) - sn_v4_load(&at->d)));
        sn_v4 displacement = p.to[k] - p.from[k];
        sn_real square = sn_v4_dot(displacement, displacement);
        most = square > most ? square : most;
    }
    p.stretch = SN_ROOT(most);
    if (at->flows) p.stretch += (sn_real)(p.def->form->boundary.fastest * (at->will - at->done));
    p.trust = sn_shape_trust(p.def);
    return p;
}

/* m: how far corners have gone since they were looked at. */
static sn_real gone_since(const sn_triangle_search *search, const sn_v4 to[3]) {
    sn_real most = 0;
    for (int k = 0; k < 3; k++) {
        const sn_vec4 *asked = &search->asked[k];
        sn_v4 gone = to[k] - (sn_v4){asked->x, asked->y, asked->z, 0};
        sn_real square = sn_v4_dot(gone, gone);
        most = square > most ? square : most;
    }
    return SN_ROOT(most);
}

bool sn_triangle_contact_has_moved(const sn_world *world, const sn_triangle_contact *c,
                                   sn_real far) {
    const sn_collider_pose *at = &sn_collider_poses(world)[c->search->collider];
    const sn_nodes *n = &world->nodes;
    sn_v4 to[3];
    for (int k = 0; k < 3; k++)
        to[k] = sn_collider_pose_into(at, &at->q,
                                      sn_collider_pose_relative(at, sn_v4_load(&n->x[c->node[k]]),
                                                                sn_v4_load(&n->d[c->node[k]])));
    return gone_since(c->search, to) > far;
}

/* m: what every corner could go at least, by what is remembered. */
static sn_real known_clear(const path *p) {
    sn_real clear = p->search->clear - SN_R(1.0001) * gone_since(p->search, p->to);
    if (p->at->flows)
        clear -= (sn_real)p->def->form->boundary.fastest *
                 ((sn_real)p->at->will - p->search->asked[0].w);
    return clear;
}

/* Looks at the triangle at a part of its path, from where it was deepest before. */
static void look(const path *p, const sn_v4 corner[3], double part, sn_real enough, sn_real rough,
                 sn_deepest *d) {
    double time = p->at->done + part * (p->at->will - p->at->done);
    sn_deepest_shape shape = sn_deepest_shape_of(p->def, time, p->search->item, p->line);
    shape.rough = rough;
    for (int k = 0; k < 3; k++) d->weight[k] = p->search->weight[k];
    sn_deepest_point(&shape, corner, enough, d);
    p->search->item = shape.item;
    p->search->distances += shape.asked;
}

/* What is left until the surface, surely: rounding of lengths is taken off. */
static sn_real left_of(const path *p, const sn_v4 corner[3], const sn_deepest *d) {
    sn_real size = 0;
    for (int k = 0; k < 3; k++) size += sn_v4_dot(corner[k], corner[k]);
    sn_real half = SN_R(0.5) * (d->distance - p->radius), surely = d->least - p->radius;
    return p->trust * (surely > half ? surely : half) - SN_R(2e-6) * SN_ROOT(size);
}

static void keep(sn_triangle_search *search, const sn_deepest *d) {
    for (int k = 0; k < 3; k++) search->weight[k] = d->weight[k];
}

/* The surface in the substep, by its vertices, in the frame of the collider. */
static sn_v4 flow_of(const path *p, const sn_deepest *d) {
    return (sn_real)(p->at->will - p->at->done) * d->displacement;
}

/* m: the shortest step where the shape is dear to ask; 0 of others. */
static sn_real stride_of(const path *p) {
    sn_real most = 0;
    for (int k = 0; k < 3 && p->def->form; k++) {
        sn_v4 edge = p->to[(k + 1) % 3] - p->to[k];
        sn_real square = sn_v4_dot(edge, edge);
        most = square > most ? square : most;
    }
    const sn_real span = STRIDE * SN_ROOT(most), part = PART * p->stretch;
    return span < part ? span : part;
}

/* Looks at a part of the path, roughly where it is far from the shape; returns by how much (m) the
   triangle may be closer than is found. Steps that are no shorter than `stride` (m) need no more;
   0: nothing is left out. */
static sn_real look_ahead(const path *p, double part, sn_real rest, sn_real near, sn_real stride,
                          sn_deepest *d) {
    const sn_real enough = p->radius + rest / p->trust, rough = SN_R(0.5) * stride;
    sn_v4 corner[3];
    for (int k = 0; k < 3; k++) corner[k] = p->from[k] + (sn_real)part * (p->to[k] - p->from[k]);
    look(p, corner, part, enough, rough, d);
    if (!(stride > 0)) return 0;
    sn_real doubt = SN_DEEPEST_DOUBT * d->distance;
    if (doubt < rough) doubt = rough;
    if (d->distance - p->radius > near + doubt) return doubt;
    look(p, corner, part, enough, 0, d);
    return 0;
}

/* How deep the end is below the plane at which the triangle entered on its way, by more than this,
   or 0. What it was deep when it began is left to recovery. */
static sn_real passed(const path *p, sn_real slight, sn_real began, sn_deepest *d) {
    sn_real gone = 0, near = SN_R(1e-3) * p->stretch, stride = stride_of(p);
    sn_real least = SN_R(0.25) * (p->radius + p->def->radius);
    if (least < SN_R(0.01) * p->stretch) least = SN_R(0.01) * p->stretch;
    if (least < stride) least = stride;
    for (int step = 0; step < MOST_WALK && gone < p->stretch; step++) {
        sn_real part = gone / p->stretch;
        sn_real doubt = look_ahead(p, (double)part, p->stretch - gone, near, stride, d);
        sn_real left = d->distance - p->radius;
        if (left <= near) {
            sn_v4 end = d->weight[0] * p->to[0] + d->weight[1] * p->to[1] + d->weight[2] * p->to[2];
            sn_v4 surface = (1 - part) * flow_of(p, d);
            sn_real deep = -sn_v4_dot(end - (d->point + surface), d->normal);
            if (left < -began && gone > 0) deep -= left + began;
            if (deep > slight) return deep;
        }
        sn_real next = p->trust * (left - doubt);
        gone += next > least ? next : least;
    }
    return 0;
}

/* Whether the pair touched in the substep before, or in a sweep of this one. */
static bool touched_lately(const path *p) {
    return p->search->touched && p->search->pressed >= (sn_real)p->at->done - SN_R(1e-6);
}

/* Whether it did on the side where this substep began: then how it was there need not be asked. */
static bool is_as_before(const path *p, sn_v4 normal) {
    return touched_lately(p) && sn_v4_dot(sn_v4_load(&p->search->side), normal) >= TURNED;
}

/* Looks at where the substep began. What is inside there, and touched before, came in by the side
   that is remembered: another may be as near, and which of them is found is chance. But the side of
   the last push may be that of a place from which others took it back: then it is where it was in
   the substep before, by the side that it had there. */
static void look_at_start(const path *p, sn_deepest *start) {
    look(p, p->from, 0, SN_INFINITY, 0, start);
    if (!(start->distance < p->radius) || !touched_lately(p)) return;
    sn_v4 side = sn_v4_load(&p->search->side), before = sn_v4_load(&p->search->side_before);
    before = sn_collider_pose_into(p->at, &p->at->q, before);
    if (sn_v4_dot(side, side) > 0 && !(sn_v4_dot(before, start->normal) >= TURNED))
        start->normal = sn_collider_pose_into(p->at, &p->at->q, side);
}

/* Whether it is known how deep the pair was when the substep began: from an earlier turn, or since
   it was at most slightly so, by the plane that is nearest now; where that is curved, less. */
static bool is_known(const path *p, const sn_deepest *end, sn_real began, sn_real most,
                     sn_real slight) {
    sn_real deep = p->radius - end->distance;
    if (began >= 0 || deep > most) return began >= 0 && deep <= most;
    sn_v4 displacement = -flow_of(p, end);
    for (int k = 0; k < 3; k++) displacement += end->weight[k] * (p->to[k] - p->from[k]);
    return deep + sn_v4_dot(displacement, end->normal) <= slight;
}

/* What is found becomes the contact of the pair. */
static sn_real settle(const path *p, const sn_deepest *d, sn_real deep, sn_v4 *normal,
                      sn_v4 *local) {
    p->search->left = 0;
    if (!(deep > 0) || d->is_corner) return 0;
    keep(p->search, d);
    *local = d->point;
    *normal = sn_collider_pose_out(p->at, &p->at->q, d->normal);
    sn_v4_store(&p->search->flow, sn_collider_pose_out(p->at, &p->at->q, flow_of(p, d)));
    p->search->pressed = (sn_real)p->at->will;
    return deep;
}

sn_real sn_triangle_contact_depth(const sn_world *world, const sn_triangle_contact *c, double h,
                                  sn_v4 *normal, sn_v4 *local) {
    path p = path_of(world, c);
    sn_triangle_search *search = c->search;
    *local = *normal = (sn_v4){0};
    for (int k = 0; k < 3; k++) *local += search->weight[k] * p.to[k];
    sn_real left = search->left;
    if (known_clear(&p) > p.stretch) {
        search->left = 0;
        return 0;
    }
    search->turned = false;
    sn_deepest end, start;
    sn_real far = 2 * p.stretch + SN_R(1e-3), strayed = gone_since(search, p.from);
    look(&p, p.to, 1, p.radius + far / p.trust, 0, &end);
    search->clear = left_of(&p, p.to, &end);
    for (int k = 0; k < 3; k++) sn_v4_store(&search->asked[k], p.to[k]);
    search->asked[0].w = (sn_real)p.at->will;
    sn_real deep = p.radius - end.distance;
    if (!(deep > 0)) {
        search->left = 0;
        if (search->clear > p.stretch) return 0;
        deep = passed(&p, 0, 0, &start);
        search->turned = deep > 0;
        return settle(&p, &start, deep, normal, local);
    }
    sn_real most = *sn_row(c->row, SN_ROW_RECOVERY) * (sn_real)h,
            began = *sn_row(c->row, SN_ROW_START);
    sn_real slight = sn_contact_slight(world, (sn_real)h);
    *normal = sn_collider_pose_out(p.at, &p.at->q, end.normal);
    if (!is_as_before(&p, *normal) || !is_known(&p, &end, began, most, slight)) {
        look_at_start(&p, &start);
        sn_real old = p.radius - start.distance;
        sn_real facing = sn_v4_dot(start.normal, end.normal);
        sn_v4_store(&search->side, sn_collider_pose_out(p.at, &p.at->q, start.normal));
        search->turned = facing < TURNED;
        bool was_out = old <= 0 || 16 * old * old < p.stretch * p.stretch;
        /* What others have pushed it in since it had its turn was not there before; they cannot
           have by more than it has gone. */
        if (left < old - strayed) left = old - strayed;
        if (began < 0) began = old < left ? old : left;
        if (!(began > slight)) began = 0;
        if (facing < (was_out ? TURNED : SN_R(-0.5))) {
            if (was_out) began = 0;
            if (began > 0) sn_contact_note_start(world, c->row, began);
            return settle(&p, &start, passed(&p, 0, began, &start), normal, local);
        }
        sn_contact_note_start(world, c->row, began);
    }
    if (began > 0) deep = sn_contact_push(world, deep, began, most, slight, search->inertia);
    keep(search, &end);
    search->left = left = p.radius - end.distance;
    if (end.is_corner) return 0;
    deep = settle(&p, &end, deep / end.rate, normal, local);
    search->left = left > deep ? left - deep : 0;
    return deep;
}

/* m: what came in by the side where it still is must be that far in, to be told from what is
   pressed: at most half the way to the middle of the shape, behind which it would be let out. */
static sn_real far_inside(const sn_collider_def *def, sn_real most) {
    sn_v4 normal;
    if (def->form) return most;
    sn_real half = SN_R(-0.5) * sn_shape_distance_at(def, (sn_v4){0}, &normal);
    return half < most ? half : most;
}

bool sn_triangle_contact_passes(const sn_world *world, const sn_triangle_contact *c, sn_real far,
                                bool known, sn_v4 held[3]) {
    path p = path_of(world, c);
    if (known_clear(&p) > p.stretch) return false;
    /* Inside, what is clear is half of how deep it was: with that and its way below half the way to
       the middle it cannot have come beyond. */
    far = far_inside(p.def, far);
    known = known && !c->search->turned && -2 * c->search->clear < far;
    if (known && !(gone_since(c->search, p.to) > far)) return false;
    sn_deepest end, start;
    look(&p, p.to, 1, SN_INFINITY, 0, &end);
    look_at_start(&p, &start);
    sn_real facing = sn_v4_dot(start.normal, end.normal), began = *sn_row(c->row, SN_ROW_START);
    if (began < 0) began = 0;
    sn_real least = facing < 0 ? 0 : facing < TURNED ? far : far_inside(p.def, 5 * far);
    if (!(passed(&p, least, began, &start) > 0)) return false;
    sn_v4 flow = sn_collider_pose_out(p.at, &p.at->q, flow_of(&p, &start));
    for (int k = 0; k < 3; k++)
        held[k] =
            (sn_v4_load(&world->nodes.p[c->node[k]]) + sn_collider_pose_motion(p.at, p.from[k])) +
            flow;
    return true;
}
