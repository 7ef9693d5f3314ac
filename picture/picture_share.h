/* Work that threads share. Who does which piece changes nothing about the result, as pieces write
   to different places. */
#ifndef SN_PICTURE_PICTURE_SHARE_H
#define SN_PICTURE_PICTURE_SHARE_H

#include <stddef.h>

enum { SHARE_MOST = 64 };

/* Does piece `index`; `worker` is from 0 to below the number of threads, and no two threads have
   the same. */
typedef void share_work(void *context, size_t index, int worker);

/* How many threads are used where so many are asked for: 0 means one per core. */
int sn_share_threads(int wanted);

/* Does the pieces 0 to `count` - 1 and returns when all are done. */
void sn_share(int threads, size_t count, share_work *work, void *context);

#endif
