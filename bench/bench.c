/* sinew bench: the measured scenes and every constraint type, as a table or as JSON. */
#include "bench/bench.h"

#include "app/options.h"
#include "bench/bench_limits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct bench_options {
    bool json, quick;
    int_list threads;
    text_list scenes;
    const char *limits;
} bench_options;

/* "S1" selects S1-100 and so on, "type" all types. */
static bool is_selected(const char *name, const char *wanted) {
    size_t length = strlen(wanted);
    return strncmp(name, wanted, length) == 0 && (!name[length] || strchr("-:", name[length]));
}

static bool is_wanted(const bench_options *o, const char *name) {
    bool wanted = o->scenes.count == 0;
    for (size_t i = 0; i < o->scenes.count; i++)
        wanted = wanted || is_selected(name, o->scenes.items[i]);
    return wanted;
}

static app_exit check_names(const bench_options *o, const bench_case *cases, int count) {
    for (size_t i = 0; i < o->scenes.count; i++) {
        const char *wanted = o->scenes.items[i];
        sn_suggestion guess = {0};
        bool known = false;
        for (int k = 0; k < count; k++) {
            known = known || is_selected(cases[k].name, wanted);
            sn_suggest(&guess, wanted, cases[k].name);
        }
        if (!known) {
            fprintf(stderr, "sinew bench: there is no scene \"%s\"", wanted);
            app_print_suggestion(
                &guess,
                "S1-100, S1-300, S1-1000, S2, S3, S5, S6, balls, type:NAME, picture-131k or "
                "file:NAME");
            return APP_USAGE;
        }
    }
    return APP_CONTINUE;
}

static app_exit read_limits(const bench_options *o, limit_list *list) {
    app_exit exit = APP_CONTINUE;
    for (size_t i = 0; o->limits && i < o->threads.count && exit == APP_CONTINUE; i++) {
        /* A run for N threads has the rows for one as well. */
        if (o->threads.items[i] > 1 || o->threads.count == 1)
            exit = limits_run(o->limits, o->threads.items[i], list);
    }
    return exit;
}

/* JSON has no word for a number that is not finite. */
static void print_json_number(const char *key, const char *format, double value) {
    printf(", \"%s\": ", key);
    if (isfinite(value))
        printf(format, value);
    else
        printf("null");
}

static void print_json(const bench_options *o, const char *name, int threads, const bench_row *row,
                       double limit) {
    printf("{\"scene\": \"%s\", \"threads\": %d", name, threads);
    print_json_number("ms_per_frame", "%.6g", row->ms_per_frame);
    if (row->worst_ms > 0) print_json_number("worst_ms", "%.6g", row->worst_ms);
    print_json_number("ns_per_projection", "%.6g", row->ns_per_projection);
    print_json_number("error", "%.6g", row->error);
    print_json_number("contacts", "%.6g", row->contacts);
    print_json_number("candidates", "%.6g", row->candidates);
    printf(", \"hash\": \"%016" PRIx64 "\"", row->hash);
    if (limit > 0) {
        print_json_number("limit_ns", "%.6g", limit);
        print_json_number("ratio", "%.4g", row->ns_per_projection / limit);
    }
    printf("%s}\n", o->quick ? ", \"quick\": true" : "");
}

static void print_header(const bench_options *o) {
    if (o->quick)
        printf("quick: few frames and one repeat, so times are rough and errors early ones\n");
    printf("%-24s %7s %10s %9s %8s %10s %9s  %-16s", "scene", "threads", "ms/frame", "worst",
           "ns/proj", "error", "contacts", "hash");
    printf("%s\n", o->limits ? "    limit  ratio" : "");
}

static void print_line(const char *name, int threads, const bench_row *row, double limit) {
    printf("%-24s %7d %10.3f %9.3f %8.2f %10.3e %9.0f  %016" PRIx64, name, threads,
           row->ms_per_frame, row->worst_ms, row->ns_per_projection, row->error, row->contacts,
           row->hash);
    if (limit > 0) printf(" %8.2f %6.2f", limit, row->ns_per_projection / limit);
    printf("\n");
}

/* What the machine attains in ns per projection; 0 where that is not known. */
static double limit_of(const bench_case *c, const limit_list *limits, int threads) {
    double limit = limits_find(limits, c->limit_name, c->limit_size, threads);
    if (!c->limit_more) return limit;
    double more = limits_find(limits, c->limit_more, c->limit_size, threads);
    return (limit + c->limit_times * more) / c->substeps;
}

/* Measures a case for every number of threads, which must not change the hash. */
static app_exit measure_case(const bench_options *o, const bench_case *c,
                             const limit_list *limits) {
    uint64_t first_hash = 0;
    for (size_t i = 0; i < o->threads.count; i++) {
        int threads = o->threads.items[i];
        bench_row row;
        app_exit exit = bench_measure(c, threads, &row);
        if (exit != APP_CONTINUE) return exit;
        double limit = limit_of(c, limits, threads);
        if (o->json)
            print_json(o, c->name, threads, &row, limit);
        else
            print_line(c->name, threads, &row, limit);
        fflush(stdout);
        first_hash = i == 0 ? row.hash : first_hash;
        if (row.hash != first_hash) {
            fprintf(stderr, "sinew: %s: the hash with %d threads differs from that with %d\n",
                    c->name, threads, o->threads.items[0]);
            return APP_FAILED;
        }
    }
    return APP_CONTINUE;
}

static app_exit bench_all(const bench_options *o) {
    static limit_list limits;
    bench_case cases[BENCH_CASES];
    bench_list_scenes(cases, o->quick);
    bench_list_types(cases + BENCH_SCENES, o->quick);
    int count = BENCH_SCENES + SN_TYPE_COUNT;
    bench_list_matchings(cases + count, o->quick);
    count += BENCH_MATCHINGS;
    bench_list_pictures(cases + count, o->quick);
    count += BENCH_PICTURES;
    count += bench_list_files(cases + count, o->quick);
    app_exit exit = check_names(o, cases, count);
    if (exit == APP_CONTINUE) exit = read_limits(o, &limits);
    if (exit == APP_CONTINUE && !o->json) print_header(o);
    for (int i = 0; i < count && exit == APP_CONTINUE; i++)
        if (is_wanted(o, cases[i].name)) exit = measure_case(o, &cases[i], &limits);
    return exit == APP_CONTINUE ? APP_OK : exit;
}

app_exit verb_bench(int argc, char **argv) {
    bench_options o = {.threads = {2, {1, 2}}};
    const option options[] = {
        {"json", NULL, "print one JSON object per row", OPTION_FLAG, &o.json, 0, 0},
        {"threads", "LIST", "numbers of threads to measure (1,2)", OPTION_INTS, &o.threads, 1, 64},
        {"scene", "NAME", "measure only this, such as S1, S1-100 or type; may be repeated",
         OPTION_TEXTS, &o.scenes, 0, 0},
        {"limits", "PROGRAM", "compare with what this program prints the machine attains",
         OPTION_TEXT, &o.limits, 0, 0},
        {"quick", NULL, "few frames, to see that it works", OPTION_FLAG, &o.quick, 0, 0},
    };
    const verb_usage usage = {
        .name = "bench",
        .summary =
            "Measures the solver. S1-W is a hanging cloth of W x W nodes, S2 a beam of 20,000\n"
            "tetrahedra, S3 a rod, S6 a cloth on a ball and on itself, S6-moving the same until "
            "it\n"
            "lies, balls a box full of them, hair 5,000 strands and hair-47000 as many, type:NAME "
            "20,000\n"
            "constraints of one type,\n"
            "matching:NAME-N shape matching with regions of N cells or rings, picture-N the "
            "drawing\n"
            "of a cloth of N triangles, file:NAME a scene that \"sinew scenes\" lists, or "
            "tests/NAME.",
        .notes =
            "ms/frame  the median over the frames, of S6 the mean; best of three runs (S1-1000: "
            "one)\n"
            "worst     the longest frame of that run, 0 of files and pictures\n"
            "ns/proj   the whole frame per edge (S2: per tetrahedron, matching: per node, balls: "
            "per\n"
            "          contact) and substep; for a type or a file the solve alone per projection;\n"
            "          for a picture the drawing per triangle\n"
            "error     mean strain of the edges at the end; for a type the rms of C\n"
            "contacts  of colliders and skins that touched, the mean over the frames\n"
            "hash      of the state at the end; it must not depend on the threads\n"
            "exit codes: 0 done, 1 failed or hashes differ, 2 wrong usage",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
    };
    app_exit exit = options_parse(&usage, argc, argv);
    return exit == APP_CONTINUE ? bench_all(&o) : exit;
}
