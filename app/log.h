/* What the library has to say of its own accord, on standard error. */
#ifndef APP_LOG_H
#define APP_LOG_H

#include <sinew/sinew.h>

/* An sn_log: prints "sinew: warning: <sentence>", each sentence once in the life of the command.
   The user pointer is not looked at. */
void app_log(void *user, sn_log_level level, const char *sentence);

/* Whether a sentence was not said before; it counts as said from now on. */
bool app_log_is_new(const char *sentence);

#endif
