/* To be. */
#include "check.h"
TEST(a){CHECK(1);}
TESTS(RUN(a))
