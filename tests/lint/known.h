/* What clang-tidy does not see from another file: sn_fail returns what it is given, so that nothing
   goes on where it was called. tidy.py has this included everywhere but where sn_fail is made. */
#if __has_include(<sinew/support.h>)
/* Before any file asks for a part of it: what a header of the system declares is known by then. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sinew/support.h>

#define sn_fail(result, ...) ((void)(sn_fail)(result, __VA_ARGS__), (result))
#endif
