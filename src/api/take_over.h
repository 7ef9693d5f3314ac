/* What attachments of every type take over from the definition of what makes them. */
#ifndef SN_TAKE_OVER_H
#define SN_TAKE_OVER_H

#define SN_TAKE_OVER(to, from)                                                                     \
    do {                                                                                           \
        (to).compliance = (from)->compliance;                                                      \
        (to).damping = (from)->damping;                                                            \
        (to).break_force = (from)->break_force;                                                    \
    } while (0)

#endif
