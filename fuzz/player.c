#include "player.h"

#include <math.h>

uint8_t player_byte(player *p) {
    return p->at < p->size ? p->data[p->at++] : 0;
}

size_t player_choice(player *p, size_t count) {
    return player_byte(p) % count;
}

sn_real player_real(player *p) {
    static const double values[] = {0,    1,     -1,      0.5,    2,          1e-3, 10,
                                    1e6,  1e-20, 1e30,    -1e30,  INFINITY,   NAN,  1e-40,
                                    0.25, 3,     9.81e-3, 3.4e38, -3.4028e38, 1e-10};
    size_t at = player_byte(p);
    if (at < 2 * sizeof values / sizeof *values)
        return (sn_real)values[at % (sizeof values / sizeof *values)];
    return (sn_real)((double)at / 64 - 2);
}

sn_vec3 player_vector(player *p) {
    sn_vec3 v;
    v.x = player_real(p);
    v.y = player_real(p);
    v.z = player_real(p);
    return v;
}

sn_quat player_quaternion(player *p) {
    sn_quat q;
    q.x = player_real(p);
    q.y = player_real(p);
    q.z = player_real(p);
    q.w = player_real(p);
    return q;
}

int player_whose(player *p) {
    return player_choice(p, 16) == 0 ? !p->w : p->w;
}

sn_node player_node(player *p) {
    int w = player_whose(p);
    return p->node[w][player_choice(p, IDS)];
}
