#include "geometry/topology/split_vertex.h"

/* Whether one triangle follows the other around the vertex, and the edge between them is whole. */
static bool follows(const sn_corner *next, const sn_corner *before) {
    return next->a == before->b && !(next->shut & 2) && !(before->shut & 1);
}

/* Whether no corner from `placed` on comes before this one. */
static bool is_first(const sn_corner *corners, size_t placed, size_t count, size_t i) {
    for (size_t j = placed; j < count; j++)
        if (j != i && follows(&corners[i], &corners[j])) return false;
    return true;
}

/* Where the next fan begins: at the end of an open one, or anywhere on a closed one. */
static size_t find_start(const sn_corner *corners, size_t placed, size_t count) {
    size_t start = count, any = placed;
    for (size_t i = placed; i < count; i++) {
        if (corners[i].element < corners[any].element) any = i;
        if (!is_first(corners, placed, count, i)) continue;
        if (start == count || corners[i].element < corners[start].element) start = i;
    }
    return start < count ? start : any;
}

static size_t find_next(const sn_corner *corners, size_t placed, size_t count) {
    size_t next = count;
    for (size_t i = placed; i < count; i++)
        if (follows(&corners[i], &corners[placed - 1]) &&
            (next == count || corners[i].element < corners[next].element))
            next = i;
    return next;
}

size_t sn_corners_arrange(sn_corner *corners, size_t count) {
    size_t fans = 0;
    for (size_t placed = 0; placed < count; placed++) {
        size_t next = placed == 0 ? count : find_next(corners, placed, count);
        if (next == count) {
            next = find_start(corners, placed, count);
            fans++;
        }
        sn_corner moved = corners[next];
        corners[next] = corners[placed];
        corners[placed] = moved;
        corners[placed].fan = (uint32_t)(fans - 1);
    }
    return fans;
}

/* ---- Tets ---- */

static int place_of(const sn_corner *corner, uint32_t node) {
    return corner->a == node ? 0 : corner->b == node ? 1 : corner->c == node ? 2 : -1;
}

/* Whether one can go from a tet to the other through a face at the vertex that was not cut. */
static bool is_joined(const sn_corner *p, const sn_corner *q) {
    int common = 0, missing = 0;
    const uint32_t other[3] = {p->a, p->b, p->c};
    for (int k = 0; k < 3; k++) {
        if (place_of(q, other[k]) >= 0)
            common++;
        else
            missing = k;
    }
    return common > 2 || (common == 2 && !(p->shut >> missing & 1));
}

size_t sn_corners_join(sn_corner *corners, size_t count) {
    const uint32_t none = UINT32_MAX;
    size_t fans = 0;
    for (size_t i = 0; i < count; i++) corners[i].fan = none;
    for (size_t i = 0; i < count; i++) {
        if (corners[i].fan != none) continue;
        corners[i].fan = (uint32_t)fans;
        /* Spreads until nothing is added; the tets of a vertex are few. */
        for (bool grown = true; grown;) {
            grown = false;
            for (size_t j = 0; j < count; j++)
                for (size_t k = i + 1; corners[j].fan == fans && k < count; k++)
                    if (corners[k].fan == none && is_joined(&corners[j], &corners[k])) {
                        corners[k].fan = (uint32_t)fans;
                        grown = true;
                    }
        }
        fans++;
    }
    return fans;
}

/* ---- Triangles ---- */

/* Of all runs that leave fans on both sides the lowest one, the shortest of equals. */
static void find_lowest_run(const sn_corner *corners, size_t count, bool closed, size_t *first,
                            size_t *length) {
    double lowest = 0;
    *length = 0;
    for (size_t n = 1; n < count; n++)
        for (size_t i = 0; i < count; i++) {
            /* An open fan is cut at one edge, so that a run begins or ends it. */
            if (!closed && i > 0 && i + n != count) continue;
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += corners[(i + k) % count].height;
            if (*length > 0 && sum >= lowest) continue;
            lowest = sum;
            *first = i;
            *length = n;
        }
}

bool sn_corners_split(sn_corner *corners, size_t count, size_t fans) {
    bool above = false, below = false;
    size_t first = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        corners[i].copied = fans > 1 && corners[i].fan == fans - 1;
        above |= corners[i].height > 0;
        below |= corners[i].height < 0;
    }
    if (fans > 1) return true;
    if (!above || !below) return false;
    find_lowest_run(corners, count, follows(&corners[0], &corners[count - 1]), &first, &length);
    for (size_t k = 0; k < length; k++) corners[(first + k) % count].copied = true;
    return length > 0;
}

static bool has_vertex(const sn_corner *corner, uint32_t vertex) {
    return corner->a == vertex || corner->b == vertex || corner->c == vertex;
}

unsigned sn_corners_sides(const sn_corner *corners, size_t count, uint32_t vertex) {
    unsigned sides = 0;
    for (size_t i = 0; i < count; i++)
        if (has_vertex(&corners[i], vertex)) sides |= corners[i].copied ? 2 : 1;
    return sides;
}

unsigned sn_corners_sides_of_two(const sn_corner *corners, size_t count, uint32_t a, uint32_t b) {
    unsigned sides = 0;
    for (size_t i = 0; i < count; i++) {
        const sn_corner *c = &corners[i];
        if (a != b && has_vertex(c, a) && has_vertex(c, b)) sides |= c->copied ? 2 : 1;
    }
    return sides;
}
