#include "picture/picture_fill.h"

#include <stdlib.h>
#include <string.h>

/* Groups that a box touches. */
typedef struct range {
    int left, top, right, bottom;
} range;

static bool make(fill_buffer *buffer, bool items) {
    size_t count = (size_t)buffer->columns * (size_t)buffer->rows * FILL_SAMPLES;
    buffer->key = malloc(count * sizeof *buffer->key);
    buffer->item = items ? malloc(count * sizeof *buffer->item) : NULL;
    if (buffer->key && (buffer->item || !items)) return true;
    sn_fill_free(buffer);
    return false;
}

bool sn_fill_make_picture(fill_buffer *buffer, int width, int rows) {
    *buffer = (fill_buffer){
        .columns = width, .rows = rows, .width = 1, .height = 1, .density = FILL_SAMPLES};
    /* Every row and every column of an 8 x 8 grid has one, and no two are close. */
    static const int column[FILL_SAMPLES] = {3, 6, 1, 4, 7, 2, 5, 0};
    for (int i = 0; i < FILL_SAMPLES; i++) {
        buffer->x[i] = ((float)column[i] + 0.5f) / FILL_SAMPLES;
        buffer->y[i] = ((float)i + 0.5f) / FILL_SAMPLES;
    }
    return make(buffer, true);
}

bool sn_fill_make_map(fill_buffer *buffer, int width, int rows) {
    *buffer = (fill_buffer){
        .columns = (width + 3) / 4, .rows = (rows + 1) / 2, .width = 4, .height = 2, .density = 1};
    for (int i = 0; i < FILL_SAMPLES; i++) {
        buffer->x[i] = (float)(i % 4) + 0.5f;
        buffer->y[i] = (float)(i / 4) + 0.5f;
    }
    return make(buffer, false);
}

void sn_fill_free(fill_buffer *buffer) {
    free(buffer->key);
    free(buffer->item);
    *buffer = (fill_buffer){0};
}

void sn_fill_clear(fill_buffer *buffer) {
    size_t count = (size_t)buffer->columns * (size_t)buffer->rows * FILL_SAMPLES;
    for (size_t i = 0; i < count; i++) buffer->key[i] = -INFINITY;
    for (size_t i = 0; buffer->item && i < count; i++) buffer->item[i] = FILL_NOTHING;
}

void sn_fill_texels(const fill_buffer *map, int y, int width, float *row) {
    const float *at = map->key + (size_t)(y / 2) * (size_t)map->columns * FILL_SAMPLES + y % 2 * 4;
    for (int x = 0; x < width; x++) row[x] = -at[x / 4 * FILL_SAMPLES + x % 4];
}

/* To a whole number within the limits, whatever comes in. */
static int whole(float value, int least, int most) {
    if (!(value > (float)least)) return least;
    return value < (float)most ? (int)value : most;
}

bool sn_fill_rows(float top, float bottom, int rows, int *first, int *last) {
    if (!(bottom >= 0) || !(top < (float)rows)) return false;
    *first = whole(top, 0, rows - 1);
    *last = whole(bottom, 0, rows - 1);
    return true;
}

bool sn_fill_ball_rows(const projector *p, vec space, float radius, int rows, int *first,
                       int *last) {
    place_box box;
    return sn_project_ball(p, space, radius, &box) &&
           sn_fill_rows(box.top, box.bottom, rows, first, last);
}

/* The groups of the buffer that a box touches; empty where `left` is above `right`. */
static range range_of(const fill_buffer *buffer, const place_box *box) {
    float first = (float)buffer->first_row;
    if (!(box->right >= 0) || !(box->bottom / buffer->height >= first) ||
        !(box->left < (float)buffer->columns * buffer->width) ||
        !(box->top / buffer->height < first + (float)buffer->rows))
        return (range){.left = 0, .right = -1};
    return (range){whole(box->left / buffer->width, 0, buffer->columns - 1),
                   whole(box->top / buffer->height - first, 0, buffer->rows - 1),
                   whole(box->right / buffer->width, 0, buffer->columns - 1),
                   whole(box->bottom / buffer->height - first, 0, buffer->rows - 1)};
}

/* The samples of a group as one value. */
typedef float keys __attribute__((vector_size(FILL_SAMPLES * sizeof(float))));
typedef int32_t choices __attribute__((vector_size(FILL_SAMPLES * sizeof(int32_t))));

/* Takes over the samples with a key that is nearer. What must not be taken is infinitely far. */
static inline void take(fill_buffer *buffer, size_t group, const float new_key[FILL_SAMPLES],
                        uint32_t item) {
    keys old, new;
    memcpy(&old, buffer->key + group * FILL_SAMPLES, sizeof old);
    memcpy(&new, new_key, sizeof new);
    choices nearer = new > old, result = ((choices) new &nearer) | ((choices)old & ~nearer);
    memcpy(buffer->key + group * FILL_SAMPLES, &result, sizeof result);
    if (!buffer->item) return;
    choices items;
    memcpy(&items, buffer->item + group * FILL_SAMPLES, sizeof items);
    items = (nearer & (int32_t)item) | (items & ~nearer);
    memcpy(buffer->item + group * FILL_SAMPLES, &items, sizeof items);
}

/* Whether everything in a group is nearer than this. */
static inline bool is_hidden(const fill_buffer *buffer, size_t group, float key) {
    const float *at = buffer->key + group * FILL_SAMPLES;
    float least = at[0];
    for (int i = 1; i < FILL_SAMPLES; i++) least = least_of(at[i], least);
    return least >= key;
}

/* ---- Triangles ---- */

/* Whether no sample lies between two coordinates: they are half a step off the multiples of one. */
static inline bool is_between_samples(const fill_buffer *buffer, float from, float to) {
    return floorf(to * buffer->density - 0.5f) < ceilf(from * buffer->density - 0.5f);
}

/* A function that is linear on the picture, and what it adds from the corner of a group to each
   sample, and at most. */
typedef struct plane {
    float x, y, base, most;
    float at[FILL_SAMPLES];
} plane;

static inline void finish_plane(plane *p, const fill_buffer *buffer) {
    p->most = most_of(p->x, 0) * buffer->width + most_of(p->y, 0) * buffer->height;
    for (int i = 0; i < FILL_SAMPLES; i++) p->at[i] = p->x * buffer->x[i] + p->y * buffer->y[i];
}

/*
 * Positive on the side of the edge where the triangle is. Both triangles of an edge compute the
 * same number but for its sign, whatever the rounding, since the ends are put in an order that does
 * not depend on the triangle; so nothing shows through between them.
 */
static inline plane edge_plane(const fill_buffer *buffer, vec a, vec b, float sign) {
    if (a.y > b.y || (a.y == b.y && a.x > b.x)) {
        vec other = a;
        a = b;
        b = other;
        sign = -sign;
    }
    plane p = {.x = sign * (a.y - b.y), .y = sign * (b.x - a.x)};
    p.base = sign * (a.x * b.y - a.y * b.x);
    finish_plane(&p, buffer);
    return p;
}

static inline plane key_plane(const fill_buffer *buffer, const vec c[3], float area) {
    vec ab = sub(c[1], c[0]), ac = sub(c[2], c[0]);
    plane p = {.x = (ab.z * ac.y - ac.z * ab.y) / area, .y = (ac.z * ab.x - ab.z * ac.x) / area};
    p.base = c[0].z - p.x * c[0].x - p.y * c[0].y;
    finish_plane(&p, buffer);
    return p;
}

static void fill_group(fill_buffer *buffer, size_t group, const plane edge[3], const float value[3],
                       const plane *key, float base, const float limit[2], uint32_t item) {
    float new_key[FILL_SAMPLES];
    for (int i = 0; i < FILL_SAMPLES; i++) {
        float a = value[0] + edge[0].at[i], b = value[1] + edge[1].at[i],
              c = value[2] + edge[2].at[i];
        float inner = least_of(a, least_of(b, c));
        float k = clamp(base + key->at[i], limit[0], limit[1]);
        new_key[i] = inner >= 0 ? k : -INFINITY;
    }
    take(buffer, group, new_key, item);
}

void sn_fill_triangle(fill_buffer *buffer, const vec corner[3], uint32_t item) {
    vec a = corner[0], b = corner[1], c = corner[2];
    float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (!(fabsf(area) > 1e-12f)) return;
    place_box box = {least_of(a.x, least_of(b.x, c.x)), least_of(a.y, least_of(b.y, c.y)),
                     most_of(a.x, most_of(b.x, c.x)), most_of(a.y, most_of(b.y, c.y))};
    /* Many triangles of a fine mesh are smaller than what is between the samples of a map. */
    if (is_between_samples(buffer, box.left, box.right) ||
        is_between_samples(buffer, box.top, box.bottom))
        return;
    range r = range_of(buffer, &box);
    if (r.left > r.right) return;
    float sign = area > 0 ? 1.0f : -1.0f;
    const plane edge[3] = {edge_plane(buffer, a, b, sign), edge_plane(buffer, b, c, sign),
                           edge_plane(buffer, c, a, sign)};
    plane key = key_plane(buffer, corner, area);
    /* Slivers have steep planes; no point of the triangle is beyond its corners. */
    const float limit[2] = {least_of(a.z, least_of(b.z, c.z)), most_of(a.z, most_of(b.z, c.z))};
    for (int row = r.top; row <= r.bottom; row++) {
        float y = (float)(row + buffer->first_row) * buffer->height;
        for (int column = r.left; column <= r.right; column++) {
            float x = (float)column * buffer->width, value[3];
            for (int k = 0; k < 3; k++) value[k] = edge[k].base + edge[k].x * x + edge[k].y * y;
            if (value[0] + edge[0].most < 0 || value[1] + edge[1].most < 0 ||
                value[2] + edge[2].most < 0)
                continue;
            size_t group = (size_t)row * (size_t)buffer->columns + (size_t)column;
            fill_group(buffer, group, edge, value, &key, key.base + key.x * x + key.y * y, limit,
                       item);
        }
    }
}

/* ---- Balls ---- */

/*
 * Where rays meet a ball, told by how far (dx, dy) they are from the ray through its centre, so
 * that a small ball far away is as round as any. With w the point of a ray at the depth of the
 * centre, relative to it, and d its direction, what is needed are w . w, w . d and d . d, which are
 * polynomials.
 */
typedef struct ball {
    float x, y, depth; /* the place of the centre */
    float square;      /* of the radius */
    float w_xx, w_xy, w_yy, wd_x, wd_y, wd_xx, wd_yy, d, d_x, d_y, d_xx, d_yy;
    float inverse; /* of d . d where rays are parallel */
} ball;

static ball make_ball(const projector *p, vec place, float radius) {
    ray_fan fan = sn_project_fan(p, place);
    return (ball){
        .x = place.x,
        .y = place.y,
        .depth = place.z,
        .square = radius * radius,
        .w_xx = dot(fan.across, fan.across),
        .w_xy = 2 * dot(fan.across, fan.down),
        .w_yy = dot(fan.down, fan.down),
        .wd_x = dot(fan.across, fan.along),
        .wd_y = dot(fan.down, fan.along),
        .wd_xx = dot(fan.across, fan.turn_x),
        .wd_yy = dot(fan.down, fan.turn_y),
        .d = dot(fan.along, fan.along),
        .d_x = 2 * dot(fan.along, fan.turn_x),
        .d_y = 2 * dot(fan.along, fan.turn_y),
        .d_xx = dot(fan.turn_x, fan.turn_x),
        .d_yy = dot(fan.turn_y, fan.turn_y),
        .inverse = 1 / dot(fan.along, fan.along),
    };
}

/* The keys of the samples of a group. */
static inline void meet_ball(const fill_buffer *buffer, const ball *b, bool perspective, float near,
                             float x, float y, float key[FILL_SAMPLES]) {
    for (int i = 0; i < FILL_SAMPLES; i++) {
        float dx = x + buffer->x[i], dy = y + buffer->y[i];
        float dd = b->d + dx * (b->d_x + dx * b->d_xx) + dy * (b->d_y + dy * b->d_yy);
        float wd = dx * (b->wd_x + dx * b->wd_xx) + dy * (b->wd_y + dy * b->wd_yy);
        float ww = dx * (dx * b->w_xx + dy * b->w_xy) + dy * dy * b->w_yy;
        float inverse = perspective ? 1 / dd : b->inverse, back = wd * inverse;
        float rest = (b->square - ww + wd * back) * inverse;
        float t = b->depth - back - sqrtf(most_of(rest, 0));
        float k = perspective ? 1 / t : -t;
        bool hit = (rest >= 0) & (t > near);
        key[i] = hit ? k : -INFINITY;
    }
}

void sn_fill_ball(fill_buffer *buffer, const projector *p, vec space, float radius, uint32_t item) {
    place_box box;
    /* The centre must be in front of the eye. */
    if ((p->perspective && !(space.z > p->near)) || !sn_project_ball(p, space, radius, &box))
        return;
    ball b = make_ball(p, project_place(p, space), radius);
    range r = range_of(buffer, &box);
    float front = b.depth - radius * (p->perspective ? 1 : sqrtf(b.inverse));
    float nearest = front > p->near ? project_key(p, front) : INFINITY;
    for (int row = r.top; row <= r.bottom; row++) {
        float y = (float)(row + buffer->first_row) * buffer->height - b.y, key[FILL_SAMPLES];
        for (int column = r.left; column <= r.right; column++) {
            size_t group = (size_t)row * (size_t)buffer->columns + (size_t)column;
            if (is_hidden(buffer, group, nearest)) continue;
            float x = (float)column * buffer->width - b.x;
            if (p->perspective)
                meet_ball(buffer, &b, true, p->near, x, y, key);
            else
                meet_ball(buffer, &b, false, p->near, x, y, key);
            take(buffer, group, key, item);
        }
    }
}

/* ---- Tubes ---- */

/*
 * A piece of a cone around an axis from the point a: w is the way from a to a point, s = w . u how
 * far along the unit axis u it lies, and |w - s u| = r + m s the radius there. With w = e + t d
 * that is a quadratic equation for t.
 */
typedef struct cone {
    ray_fan fan;
    vec place; /* of a */
    vec axis;  /* u */
    float length;
    float radius, rise; /* r at a, and m */
} cone;

static inline void meet_cone(const fill_buffer *buffer, const cone *c, bool perspective, float near,
                             float x, float y, float key[FILL_SAMPLES]) {
    for (int i = 0; i < FILL_SAMPLES; i++) {
        float dx = x + buffer->x[i], dy = y + buffer->y[i];
        vec e = add(scale(c->fan.across, dx), scale(c->fan.down, dy));
        vec d = add(c->fan.along, add(scale(c->fan.turn_x, dx), scale(c->fan.turn_y, dy)));
        float es = dot(e, c->axis), ds = dot(d, c->axis), here = c->radius + c->rise * es;
        vec ep = sub(e, scale(c->axis, es)), dp = sub(d, scale(c->axis, ds));
        float square = dot(dp, dp) - c->rise * c->rise * ds * ds;
        float half = dot(ep, dp) - c->rise * ds * here;
        float rest = half * half - square * (dot(ep, ep) - here * here);
        float t = (-half - sqrtf(most_of(rest, 0))) / square, s = es + t * ds;
        float depth = c->place.z + t;
        float k = perspective ? 1 / depth : -depth;
        bool on_axis = (s >= 0) & (s <= c->length);
        bool hit = (square > 0) & (rest >= 0) & on_axis & (depth > near);
        key[i] = hit ? k : -INFINITY;
    }
}

/* A piece from `a` to `b` of a tube, which must both be in front of the eye. */
static void fill_cone(fill_buffer *buffer, const projector *p, const vec end[2],
                      const float radius[2], uint32_t item) {
    place_box one, two;
    if (!sn_project_ball(p, end[0], radius[0], &one) ||
        !sn_project_ball(p, end[1], radius[1], &two))
        return;
    place_box box = {least_of(one.left, two.left), least_of(one.top, two.top),
                     most_of(one.right, two.right), most_of(one.bottom, two.bottom)};
    range r = range_of(buffer, &box);
    if (r.left > r.right) return;
    vec way = sub(end[1], end[0]);
    float length = norm(way);
    if (!(length > 0)) return;
    cone c = {.place = project_place(p, end[0]),
              .axis = scale(way, 1 / length),
              .length = length,
              .radius = radius[0],
              .rise = (radius[1] - radius[0]) / length};
    c.fan = sn_project_fan(p, c.place);
    for (int row = r.top; row <= r.bottom; row++) {
        float y = (float)(row + buffer->first_row) * buffer->height - c.place.y;
        float key[FILL_SAMPLES];
        for (int column = r.left; column <= r.right; column++) {
            float x = (float)column * buffer->width - c.place.x;
            if (p->perspective)
                meet_cone(buffer, &c, true, p->near, x, y, key);
            else
                meet_cone(buffer, &c, false, p->near, x, y, key);
            take(buffer, (size_t)row * (size_t)buffer->columns + (size_t)column, key, item);
        }
    }
}

/* Cuts what is behind the eye off one end. */
static void cut_tube(const projector *p, vec end[2], float radius[2]) {
    for (int i = 0; i < 2; i++) {
        float here = end[i].z - 2 * p->near, there = end[1 - i].z - 2 * p->near;
        if (here < 0 && there > 0) {
            float share = here / (here - there);
            end[i] = mix(end[i], end[1 - i], share);
            radius[i] += share * (radius[1 - i] - radius[i]);
        }
    }
}

void sn_fill_tube(fill_buffer *buffer, const projector *p, const vec end[2], const float radius[2],
                  uint32_t item) {
    vec cut[2] = {end[0], end[1]};
    float wide[2] = {radius[0], radius[1]};
    if (p->perspective) {
        cut_tube(p, cut, wide);
        if (!(cut[0].z > p->near && cut[1].z > p->near)) return;
    }
    /* In pieces about as long as they are wide, since their boxes are tried as a whole. */
    enum { MOST_PIECES = 64 };
    vec a = project_place(p, cut[0]), b = project_place(p, cut[1]);
    place_box box;
    float width = sn_project_ball(p, cut[0], wide[0], &box) ? box.right - box.left : INFINITY;
    float across = least_of(fabsf(b.x - a.x), fabsf(b.y - a.y));
    int pieces = whole(across / (width + 4 * buffer->width), 1, MOST_PIECES);
    for (int i = 0; i < pieces; i++) {
        float from = (float)i / (float)pieces, to = (float)(i + 1) / (float)pieces;
        const vec part[2] = {mix(cut[0], cut[1], from), mix(cut[0], cut[1], to)};
        const float part_radius[2] = {wide[0] + from * (wide[1] - wide[0]),
                                      wide[0] + to * (wide[1] - wide[0])};
        fill_cone(buffer, p, part, part_radius, item);
    }
}
