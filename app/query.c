/* sinew query: what a ray meets in a scene, or what is nearest to a point. */
#include "find_scene.h"
#include "log.h"
#include "memory.h"
#include "options.h"

#include <sinew_io/scene.h>

#include <stdio.h>
#include <stdlib.h>

enum { MOST_HITS = 1024 };

typedef struct query_options {
    text_list files, sets, rays, points;
    const char *length, *radius, *allow;
    int frame;
    bool all, json;
    sn_scene *scene;
    sn_query *query;
} query_options;

/* ---- Numbers ---- */

/* Numbers with commas between them, just so many. */
static bool parse_numbers(const char *text, sn_real *numbers, int count) {
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = (sn_real)strtod(text, &end);
        if (end == text || *end != (i + 1 < count ? ',' : '\0')) return false;
        text = end + 1;
    }
    return true;
}

static app_exit parse(const char *name, const char *text, sn_real *numbers, int count,
                      const char *expected) {
    if (!text || parse_numbers(text, numbers, count)) return APP_CONTINUE;
    fprintf(stderr, "sinew query: --%s is \"%s\", expected %s\n", name, text, expected);
    return APP_USAGE;
}

/* ---- Saying it ---- */

/* The body of a node and its number in it; null for a single node. */
static const char *body_of(const query_options *o, sn_node node, size_t *number) {
    sn_scene_body body;
    for (size_t i = 0; sn_scene_body_at(o->scene, i, &body); i++)
        for (*number = 0; *number < body.node_count; ++*number)
            if (body.nodes[*number].slot == node.slot) return body.name;
    return NULL;
}

static const char *kind_of(const sn_hit *hit) {
    if (hit->kind == SN_HIT_NODE) return "node";
    if (hit->kind == SN_HIT_COLLIDER) return "collider";
    return hit->node_count == 3 ? "triangle" : "segment";
}

static uint32_t number_of(const sn_hit *hit) {
    if (hit->kind == SN_HIT_NODE) return hit->node[0].slot - 1;
    return hit->kind == SN_HIT_COLLIDER ? hit->collider.slot - 1 : hit->element;
}

static void print_text(const query_options *o, const sn_hit *hit) {
    size_t number = 0;
    const char *body = hit->node_count > 0 ? body_of(o, hit->node[0], &number) : NULL;
    if (hit->kind != SN_HIT_NODE || !body) number = number_of(hit);
    printf("  %s %zu", kind_of(hit), number);
    if (body) printf(" of \"%s\"", body);
    printf(": distance %.6g m at %.6g %.6g %.6g m, normal %.4g %.4g %.4g, velocity %.4g %.4g %.4g "
           "m/s\n",
           (double)hit->distance, (double)hit->point.x, (double)hit->point.y, (double)hit->point.z,
           (double)hit->normal.x, (double)hit->normal.y, (double)hit->normal.z,
           (double)hit->velocity.x, (double)hit->velocity.y, (double)hit->velocity.z);
}

static void print_vector(const char *name, sn_vec3 a) {
    printf(", \"%s\": [%.9g, %.9g, %.9g]", name, (double)a.x, (double)a.y, (double)a.z);
}

static void print_json(const sn_hit *hit) {
    printf("{\"kind\": \"%s\", \"number\": %u, \"distance\": %.9g", kind_of(hit),
           (unsigned)number_of(hit), (double)hit->distance);
    print_vector("point", hit->point);
    print_vector("normal", hit->normal);
    print_vector("velocity", hit->velocity);
    for (int i = 0; i < hit->node_count; i++)
        printf("%s{\"node\": %u, \"weight\": %.9g}", i == 0 ? ", \"nodes\": [" : ", ",
               (unsigned)hit->node[i].slot - 1, (double)hit->weight[i]);
    printf("%s}", hit->node_count > 0 ? "]" : "");
}

/* What was asked. */
static void print_question(const query_options *o, const char *what, const sn_real *numbers,
                           int count) {
    printf(o->json ? "{\"%s\": [" : "%s ", what);
    for (int i = 0; i < count; i++)
        printf("%s%.9g", i > 0 ? o->json ? ", " : " " : "", (double)numbers[i]);
}

/* And what was answered. */
static void print_hits(const query_options *o, const sn_hit *hits, size_t shown, size_t count) {
    if (o->json)
        printf("], \"count\": %zu, \"hits\": [", count);
    else
        printf(": %zu hit%s\n", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < shown; i++) {
        if (!o->json) {
            print_text(o, &hits[i]);
            continue;
        }
        if (i > 0) printf(", ");
        print_json(&hits[i]);
    }
    if (o->json)
        printf("]}\n");
    else if (count > shown)
        printf("  and %zu more\n", count - shown);
}

/* ---- Asking ---- */

static app_exit ask_ray(const query_options *o, const char *text, sn_cast_def cast) {
    static sn_hit hits[MOST_HITS];
    sn_real number[6] = {0};
    size_t count = 0;
    app_exit exit = parse("ray", text, number, 6, "six numbers: x,y,z,dx,dy,dz");
    if (exit != APP_CONTINUE) return exit;
    cast.origin = (sn_vec3){number[0], number[1], number[2]};
    cast.direction = (sn_vec3){number[3], number[4], number[5]};
    sn_result result = SN_OK;
    if (o->all) {
        result = sn_query_cast_all(o->query, &cast, NULL, hits, MOST_HITS, &count);
    } else {
        result = sn_query_cast(o->query, &cast, NULL, hits);
        count = result == SN_OK && hits[0].kind != SN_HIT_NONE;
    }
    if (result != SN_OK) return app_fail(sn_last_error());
    print_question(o, "ray", number, 6);
    print_hits(o, hits, count < MOST_HITS ? count : MOST_HITS, count);
    return APP_CONTINUE;
}

static app_exit ask_point(const query_options *o, const char *text, sn_real within) {
    sn_hit hit;
    sn_real number[3] = {0};
    app_exit exit = parse("point", text, number, 3, "three numbers: x,y,z");
    if (exit != APP_CONTINUE) return exit;
    sn_vec3 at = {number[0], number[1], number[2]};
    if (sn_query_closest(o->query, at, within, NULL, &hit) != SN_OK)
        return app_fail(sn_last_error());
    size_t count = hit.kind != SN_HIT_NONE;
    print_question(o, "point", number, 3);
    print_hits(o, &hit, count, count);
    return APP_CONTINUE;
}

static app_exit ask_all(const query_options *o) {
    sn_cast_def cast = sn_cast_def_default();
    app_exit exit = parse("length", o->length, &cast.length, 1, "a length in m");
    if (exit == APP_CONTINUE) exit = parse("radius", o->radius, &cast.radius, 1, "a radius in m");
    for (size_t i = 0; i < o->rays.count && exit == APP_CONTINUE; i++)
        exit = ask_ray(o, o->rays.items[i], cast);
    for (size_t i = 0; i < o->points.count && exit == APP_CONTINUE; i++)
        exit = ask_point(o, o->points.items[i], cast.length);
    return exit == APP_CONTINUE ? APP_OK : exit;
}

/* ---- The scene ---- */

static void print_complaint(void *user, const char *sentence) {
    (void)user;
    fprintf(stderr, "sinew: %s\n", sentence);
}

static app_exit open_scene(query_options *o) {
    char path[SCENE_PATH];
    sn_scene_def def = memory_scene_def();
    def.path = scene_path(o->files.items[0], path);
    def.sets = o->sets.items;
    def.set_count = o->sets.count;
    def.allow = o->allow;
    def.complaint = print_complaint;
    def.log = app_log;
    sn_result result = sn_scene_open(&def, &o->scene);
    if (result == SN_ERROR_DATA) return APP_FAILED;
    if (result == SN_ERROR_FILE) return scene_missing(o->files.items[0]);
    for (int i = 0; i < o->frame && result == SN_OK; i++) result = sn_scene_step(o->scene);
    if (result == SN_OK) result = sn_query_create(sn_scene_world(o->scene), &o->query);
    return result == SN_OK ? APP_CONTINUE : app_fail(sn_last_error());
}

app_exit verb_query(int argc, char **argv) {
    query_options o = {0};
    const option options[] = {
        {"frame", "N", "after this many frames (0: as the scene begins)", OPTION_INT, &o.frame, 0,
         1000000},
        {"ray", "X,Y,Z,DX,DY,DZ", "from a point (m) in a direction; may be repeated", OPTION_TEXTS,
         &o.rays, 0, 0},
        {"point", "X,Y,Z", "what is nearest to a point (m); may be repeated", OPTION_TEXTS,
         &o.points, 0, 0},
        {"length", "L", "of rays, and how near to points, m (any)", OPTION_TEXT, &o.length, 0, 0},
        {"radius", "R", "of a ball that moves along the rays, m (0)", OPTION_TEXT, &o.radius, 0, 0},
        {"all", NULL, "all hits of a ray, not only the first", OPTION_FLAG, &o.all, 0, 0},
        OPTION_SET(&o.sets),
        OPTION_ALLOW(&o.allow),
        {"json", NULL, "say the hits as one line of JSON per ray or point", OPTION_FLAG, &o.json, 0,
         0},
    };
    const verb_usage usage = {
        .name = "query",
        .operands = "SCENE",
        .operand = &o.files,
        .operand_count = 1,
        .summary = "Says what rays meet in a scene, skins, nodes and colliders, and what is\n"
                   "nearest to points.",
        .notes = "example: sinew query drop --frame 40 --ray 0,3,0,0,-1,0\n"
                 "exit codes: 0 done, 1 failed, 2 wrong usage",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    if (exit == APP_CONTINUE && o.rays.count + o.points.count == 0) {
        fprintf(stderr, "sinew query: nothing is asked, expected --ray or --point\n");
        return APP_USAGE;
    }
    if (exit == APP_CONTINUE) exit = open_scene(&o);
    if (exit == APP_CONTINUE) exit = ask_all(&o);
    sn_query_destroy(o.query);
    sn_scene_close(o.scene);
    return exit;
}
