/* What an energy audit of a scene found. */
#ifndef APP_AUDIT_H
#define APP_AUDIT_H

#include <sinew_io/scene.h>

/* As a table of the world and its first bodies, and as a member of JSON with all bodies. */
void audit_print(sn_scene *scene);
void audit_print_json(sn_scene *scene);

#endif
