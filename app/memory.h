/* How much memory the command may take, and so how large a scene may be. */
#ifndef APP_MEMORY_H
#define APP_MEMORY_H

#include <sinew_io/scene.h>

/* From here on, allocations beyond the memory of this machine fail, as the library can tell, where
   the system would end the command, or another program, without a word; and a file that never fits
   is refused before it is read. A limit of the user is kept. */
void memory_limit(void);

/* The defaults of a scene, with as many nodes at most as could be in that memory. */
sn_scene_def memory_scene_def(void);

#endif
