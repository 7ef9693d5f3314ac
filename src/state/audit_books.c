#include "state/audit_books.h"

#define FIELD_OF(part, name, meaning) {SN_AUDIT_##part, #name, meaning},
static const sn_audit_field fields[] = {SN_AUDIT_FIELDS(FIELD_OF)};
enum { FIELDS = sizeof fields / sizeof *fields };

const sn_audit_field *sn_audit_fields(size_t *count) {
    if (count) *count = FIELDS;
    return fields;
}

/* ---- Memory ---- */

bool sn_audit_reserve_bodies(sn_world *world) {
    sn_audit_books *books = world->bindings.audit;
    sn_memory *memory = &world->memory;
    size_t bodies = world->bodies.slots.count + 1;
    /* Fewer where a snapshot was loaded: those that were there may still have something to say. */
    if (bodies < books->bodies) bodies = books->bodies;
    bool room = sn_reserve(memory, (void **)&books->body, &books->body_capacity, bodies,
                           sizeof *books->body) &&
                sn_reserve(memory, (void **)&books->stored, &books->stored_capacity, bodies,
                           sizeof *books->stored) &&
                sn_reserve(memory, (void **)&books->fresh, &books->fresh_capacity, bodies,
                           sizeof *books->fresh);
    if (room) books->bodies = bodies;
    return room;
}

void sn_audit_close(sn_world *world) {
    sn_audit_books *books = world->bindings.audit;
    sn_memory *memory = &world->memory;
    if (!books) return;
    sn_free(memory, books->node, books->node_capacity, sizeof *books->node);
    sn_free(memory, books->frame, books->frame_capacity, sizeof *books->frame);
    sn_free(memory, books->row, books->row_capacity, sizeof *books->row);
    sn_free(memory, books->gradient, books->gradient_capacity, sizeof *books->gradient);
    sn_free(memory, books->impulse, books->impulse_capacity, sizeof *books->impulse);
    sn_free(memory, books->body, books->body_capacity, sizeof *books->body);
    sn_free(memory, books->stored, books->stored_capacity, sizeof *books->stored);
    sn_free(memory, books->fresh, books->fresh_capacity, sizeof *books->fresh);
    sn_free(memory, books, 1, sizeof *books);
    world->bindings.audit = NULL;
}

bool sn_audit_open(sn_world *world) {
    world->bindings.audit = sn_allocate(&world->memory, 1, sizeof(sn_audit_books));
    return world->bindings.audit && sn_audit_reserve_bodies(world);
}

/* ---- Sums ---- */

static double stored(const sn_measure *m) {
    return m->kinetic_energy + m->potential_energy + m->elastic_energy;
}

static void add(sn_audit *sum, const sn_audit *more) {
    double *to = (double *)sum;
    const double *from = (const double *)more;
    for (size_t i = 0; i < FIELDS; i++) to[i] += from[i];
}

/* What is left, when all that is known is taken from what has become of the energy. */
static sn_audit closed(sn_audit sum) {
    const double *number = (const double *)&sum;
    double lacks = 0;
    for (size_t i = 0; i < FIELDS; i++) {
        if (fields[i].part == SN_AUDIT_STORED || fields[i].part == SN_AUDIT_LOSS)
            lacks += number[i];
        else if (fields[i].part != SN_AUDIT_REST)
            lacks -= number[i];
    }
    sum.unexplained = lacks;
    return sum;
}

static sn_audit open_sum(const sn_audit_books *books, size_t body) {
    sn_audit sum = books->body[body].sum;
    sum.kinetic = books->stored[body].kinetic_energy;
    sum.potential = books->stored[body].potential_energy;
    sum.elastic = books->stored[body].elastic_energy;
    return sum;
}

sn_audit sn_audit_of_body(const sn_audit_books *books, size_t body) {
    return body < books->bodies ? closed(open_sum(books, body)) : (sn_audit){0};
}

sn_audit sn_audit_of_world(const sn_audit_books *books) {
    sn_audit sum = books->gone;
    for (size_t b = 0; b < books->bodies; b++) {
        sn_audit one = open_sum(books, b);
        add(&sum, &one);
    }
    /* What bodies do to each other is no work from outside; their sum is zero but for rounding. */
    sum.work_bodies = 0;
    return closed(sum);
}

/* A body that came where another was begins with nothing. */
static void renew(sn_audit_books *books, const sn_world *world, size_t b) {
    bool there = b - 1 < world->bodies.slots.count && world->bodies.slots.alive[b - 1];
    uint16_t generation = there ? world->bodies.slots.generation[b - 1] : 0;
    if (books->body[b].generation == generation) return;
    sn_audit last = books->body[b].sum;
    last.work_calls -= stored(&books->stored[b]);
    add(&books->gone, &last);
    books->body[b] = (sn_audit_body){.generation = generation};
    books->stored[b] = (sn_measure){0};
}

void sn_audit_charge(sn_world *world, size_t member, double sign) {
    sn_audit_books *books = world->bindings.audit;
    for (size_t b = 0; b < books->bodies; b++) {
        if (b > 0) renew(books, world, b);
        double change = stored(&books->fresh[b]) - stored(&books->stored[b]);
        *sn_audit_member(&books->body[b].sum, member) += sign * change;
        books->stored[b] = books->fresh[b];
    }
}
