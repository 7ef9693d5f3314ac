/* Chooses the frames of a glTF file and lays out its buffer. */
#include "io/animation/export_glb.h"

#include <stdlib.h>
#include <string.h>

/* What the buffer may have, so that the file with its JSON stays below 4 GiB. */
#define MOST_BYTES 0xf0000000u

/* ---- Blocks ---- */

uint64_t sn_io_glb_block_size(const glb_node *node, glb_block block) {
    const sn_io_segment *s = node->segment;
    uint64_t vectors = 12 * (uint64_t)s->vertices, targets = node->target_count;
    bool smooth = s->triangle_count > 0;
    switch (block) {
    case GLB_POSITIONS:
        return vectors;
    case GLB_NORMALS:
        return smooth ? vectors : 0;
    case GLB_UVS:
        return s->uvs ? 8 * (uint64_t)s->vertices : 0;
    case GLB_COLOURS:
        return s->shows_colours ? vectors : 0;
    case GLB_GROUPS:
        return 4 * (uint64_t)s->vertices * s->groups.count;
    case GLB_TRIANGLES:
        return 12 * (uint64_t)s->triangle_count;
    case GLB_LINES:
        return 8 * (uint64_t)s->line_count;
    case GLB_TARGET_POSITIONS:
        return targets * vectors;
    case GLB_TARGET_NORMALS:
        return smooth ? targets * vectors : 0;
    case GLB_TIMES:
        return targets > 0 ? 4 * (uint64_t)node->key_count : 0;
    case GLB_WEIGHTS:
        return 4 * targets * node->key_count;
    case GLB_SHOW_TIMES:
        return node->is_partial ? 4 * (uint64_t)node->show_count : 0;
    case GLB_SHOW_SCALES:
        return node->is_partial ? 12 * (uint64_t)node->show_count : 0;
    case GLB_POSE_TIMES:
        return node->is_moving ? 4 * (uint64_t)node->key_count : 0;
    case GLB_PLACES:
        return node->is_moving ? 12 * (uint64_t)node->key_count : 0;
    case GLB_TURNS:
        return node->is_moving ? 16 * (uint64_t)node->key_count : 0;
    case GLB_TEXTURE:
        return sn_io_glb_image_place(node, s->surfaces.count);
    default:
        return 0;
    }
}

uint64_t sn_io_glb_image_place(const glb_node *node, size_t surface) {
    uint64_t place = 0;
    for (size_t i = 0; i < surface; i++) {
        const sn_io_surface *s = &node->segment->surfaces.items[i];
        if (s->own) place += ((uint64_t)s->texture_bytes + 3) / 4 * 4;
    }
    return place;
}

size_t sn_io_glb_image_count(const glb_node *node, size_t surface) {
    size_t count = 0;
    for (size_t i = 0; i < surface; i++) count += node->segment->surfaces.items[i].own != NULL;
    return count;
}

size_t sn_io_glb_accessor_count(const glb_node *node, glb_block block) {
    if (sn_io_glb_block_size(node, block) == 0 || block == GLB_TEXTURE) return 0;
    /* Triangles of a material are a primitive. */
    size_t parts = 0;
    const sn_io_surfaces *surfaces = &node->segment->surfaces;
    for (size_t i = 0; block == GLB_TRIANGLES && i < surfaces->count; i++)
        parts += sn_io_surface_triangles(surfaces, i) > 0;
    if (parts > 0) return parts;
    if (block == GLB_GROUPS) return node->segment->groups.count;
    bool target = block == GLB_TARGET_POSITIONS || block == GLB_TARGET_NORMALS;
    return target ? node->target_count : 1;
}

static size_t view_count(const glb_node *node, glb_block block) {
    if (block == GLB_TEXTURE) return sn_io_glb_image_count(node, node->segment->surfaces.count);
    return sn_io_glb_block_size(node, block) > 0;
}

size_t sn_io_glb_view(const glb_node *node, glb_block block) {
    size_t view = node->view;
    for (int b = 0; b < (int)block; b++) view += view_count(node, (glb_block)b);
    return view;
}

size_t sn_io_glb_accessor(const glb_node *node, glb_block block) {
    size_t accessor = node->accessor;
    for (int b = 0; b < (int)block; b++) accessor += sn_io_glb_accessor_count(node, (glb_block)b);
    return accessor;
}

/* ---- Frames ---- */

/* Every how manyth frame, and the last one. Times of a file are floats, and must grow. */
static void choose_frames(glb_plan *plan, size_t every) {
    size_t count = plan->segments->frames;
    plan->frame_count = 0;
    for (size_t i = 0; i < count; i++) {
        if (i % every != 0 && i + 1 != count) continue;
        size_t last = plan->frame_count;
        if (last > 0 && !((float)plan->times[i] > (float)plan->times[plan->frames[last - 1]]))
            continue;
        plan->frames[plan->frame_count++] = i;
    }
}

/* The samples of a segment that are in frames that were chosen. */
static void choose_keys(const glb_plan *plan, glb_node *node) {
    const sn_io_segment *s = node->segment;
    size_t frame = 0;
    node->key_count = 0;
    for (size_t i = 0; i < s->count; i++) {
        while (frame < plan->frame_count && plan->frames[frame] < s->samples[i].frame) frame++;
        if (frame < plan->frame_count && plan->frames[frame] == s->samples[i].frame)
            node->keys[node->key_count++] = i;
    }
}

/* Keyframes with other positions than the one before have a target. */
static void choose_targets(glb_node *node) {
    const sn_io_sample *samples = node->segment->samples;
    size_t state = 0;
    node->target_count = 0;
    for (size_t i = 0; i < node->key_count; i++) {
        uint64_t key = samples[node->keys[i]].key;
        if (i > 0 && key != samples[node->keys[i - 1]].key) {
            bool base = key == samples[node->keys[0]].key;
            if (!base) node->targets[node->target_count++] = node->keys[i];
            state = base ? 0 : node->target_count;
        }
        node->states[i] = state;
    }
}

/* A rigid body that ever is elsewhere, or turned, has all its poses. */
static void choose_poses(glb_node *node) {
    const sn_io_sample *samples = node->segment->samples;
    node->is_moving = false;
    for (size_t i = 1; node->segment->is_rigid && i < node->key_count; i++) {
        const sn_io_pose *a = &samples[node->keys[0]].pose, *b = &samples[node->keys[i]].pose;
        node->is_moving |= memcmp(a, b, sizeof *a) != 0;
    }
}

/* When it is there: from the first keyframe of its own until the one after its last. */
static void choose_shows(const glb_plan *plan, glb_node *node) {
    const sn_io_segment *s = node->segment;
    size_t first = 0, after = 0;
    while (plan->frames[first] < s->samples[node->keys[0]].frame) first++;
    after = first + node->key_count;
    node->is_partial = first > 0 || after < plan->frame_count;
    node->show_count = 0;
    if (first > 0) node->shows[node->show_count++] = 0;
    node->shows[node->show_count++] = first;
    if (after < plan->frame_count) node->shows[node->show_count++] = after;
}

/* ---- Making ---- */

static bool make_node(glb_node *node, const sn_io_segment *s) {
    *node = (glb_node){.segment = s,
                       .keys = malloc((s->count + 1) * sizeof *node->keys),
                       .states = malloc((s->count + 1) * sizeof *node->states),
                       .targets = malloc((s->count + 1) * sizeof *node->targets)};
    return node->keys && node->states && node->targets;
}

static void free_node(glb_node *node) {
    free(node->keys);
    free(node->states);
    free(node->targets);
}

/* A segment between the frames that were chosen is left out. */
static void remove_empty(glb_plan *plan) {
    size_t count = 0;
    for (size_t i = 0; i < plan->node_count; i++) {
        if (plan->nodes[i].key_count > 0)
            plan->nodes[count++] = plan->nodes[i];
        else
            free_node(&plan->nodes[i]);
    }
    plan->node_count = count;
}

/* The bytes of the buffer with every how manyth frame. */
static uint64_t lay_out(glb_plan *plan, size_t every) {
    size_t accessor = 0, view = 0;
    uint64_t offset = 0;
    choose_frames(plan, every);
    for (size_t i = 0; i < plan->node_count; i++) {
        glb_node *node = &plan->nodes[i];
        choose_keys(plan, node);
        if (node->key_count == 0) continue;
        choose_targets(node);
        choose_poses(node);
        choose_shows(plan, node);
        node->accessor = accessor;
        node->view = view;
        node->offset = offset;
        for (int b = 0; b < GLB_BLOCKS; b++) {
            accessor += sn_io_glb_accessor_count(node, (glb_block)b);
            view += view_count(node, (glb_block)b);
            offset += sn_io_glb_block_size(node, (glb_block)b);
        }
    }
    return offset;
}

sn_result sn_io_glb_plan_make(glb_plan *plan, sn_io_segments *segments, const double *times,
                              size_t most) {
    *plan = (glb_plan){.segments = segments, .times = times};
    plan->frames = calloc(segments->frames + 1, sizeof *plan->frames);
    plan->nodes = calloc(segments->count + 1, sizeof *plan->nodes);
    bool made = plan->frames && plan->nodes;
    size_t count = 0;
    /* What has no vertices has no place in glTF. */
    for (size_t i = 0; made && i < segments->count; i++)
        if (segments->items[i].vertices > 0)
            made = make_node(&plan->nodes[count++], &segments->items[i]);
    plan->node_count = count;
    if (!made) {
        sn_io_glb_plan_free(plan);
        return sn_io_export_no_memory();
    }
    size_t every = (segments->frames + most - 1) / most;
    if (every == 0) every = 1;
    while ((plan->size = lay_out(plan, every)) > MOST_BYTES && every < segments->frames) every++;
    if (plan->size > MOST_BYTES) {
        sn_io_glb_plan_free(plan);
        return sn_fail(SN_ERROR_LIMIT, "glb: a frame takes %llu bytes, expected at most %u",
                       (unsigned long long)plan->size, MOST_BYTES);
    }
    remove_empty(plan);
    return SN_OK;
}

void sn_io_glb_plan_free(glb_plan *plan) {
    for (size_t i = 0; plan->nodes && i < plan->node_count; i++) free_node(&plan->nodes[i]);
    free(plan->nodes);
    free(plan->frames);
    *plan = (glb_plan){0};
}
