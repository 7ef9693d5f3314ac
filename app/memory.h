/* How much memory the command may take, and so how large a scene may be. */
#ifndef APP_MEMORY_H
#define APP_MEMORY_H

#include <sinew_io/scene.h>

/* The defaults of a scene, with as many nodes at most as could be in the memory of this machine.
   From here on, allocations beyond that memory fail, as the library can tell, where the system
   would end the command, or another program, without a word. A limit of the user is kept. */
sn_scene_def memory_scene_def(void);

#endif
