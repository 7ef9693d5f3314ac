#include "fracture/tearing.h"

void sn_tearing_free(sn_tearing *t, sn_memory *memory) {
    sn_free(memory, t->event, t->event_capacity, sizeof *t->event);
    sn_free(memory, t->place, t->place_capacity, sizeof *t->place);
    sn_free(memory, t->tension, t->tension_capacity, sizeof *t->tension);
    sn_free(memory, t->first, t->first_capacity, sizeof *t->first);
    sn_free(memory, t->next, t->next_capacity, sizeof *t->next);
    *t = (sn_tearing){0};
}
