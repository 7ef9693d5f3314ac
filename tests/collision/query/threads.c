/* One picture, asked by several threads while its world is stepped: all get the same answers. */
#include <pthread.h>
#include <sinew/sinew.h>

#include "check.h"
#include "hits.h"

enum { THREADS = 4, RAYS = 2000, SIDE = 12 };

typedef struct asker {
    const sn_query *query;
    pthread_t thread;
    sn_hit hit[RAYS];
    int failed;
} asker;

static void *ask(void *user) {
    asker *a = user;
    for (int i = 0; i < RAYS; i++) {
        sn_cast_def cast = sn_cast_def_default();
        cast.origin = (sn_vec3){(sn_real)(i % 37) / 4, 20, (sn_real)(i % 41) / 4};
        cast.direction = (sn_vec3){(sn_real)(i % 3 - 1) / 8, -1, (sn_real)(i % 5 - 2) / 8};
        a->failed += sn_query_cast(a->query, &cast, NULL, &a->hit[i]) != SN_OK;
    }
    return NULL;
}

TEST(threads_get_the_same_answers) {
    sn_world *world = NULL;
    sn_query *query = NULL;
    REQUIRE_OK(sn_world_create(NULL, &world));
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        sn_node_def def = sn_node_def_default();
        sn_node node;
        def.position =
            (sn_vec3){(sn_real)(i % SIDE), (sn_real)(i / SIDE % SIDE), (sn_real)(i / SIDE / SIDE)};
        def.radius = (sn_real)0.125;
        REQUIRE_OK(sn_node_create(world, &def, &node));
    }
    REQUIRE_OK(sn_query_create(world, &query));
    static asker alone, together[THREADS];
    alone.query = query;
    ask(&alone);
    for (int i = 0; i < THREADS; i++) {
        together[i].query = query;
        if (!CHECK(!pthread_create(&together[i].thread, NULL, ask, &together[i]))) return;
    }
    for (int i = 0; i < 5; i++) CHECK_OK(sn_world_step(world, (sn_real)0.01));
    int hits = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(together[i].thread, NULL);
        CHECK(together[i].failed == 0);
        CHECK(same_hits(together[i].hit, alone.hit, RAYS));
    }
    for (int i = 0; i < RAYS; i++) hits += alone.hit[i].kind == SN_HIT_NODE;
    CHECK(hits > RAYS / 10 && hits < RAYS);
    sn_query_destroy(query);
    sn_world_destroy(world);
}

TESTS(RUN(threads_get_the_same_answers))
