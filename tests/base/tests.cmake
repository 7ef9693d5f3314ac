# What libraries that are built on Sinew are made with.
sinew_test(base/support DOUBLE)
# Threads of the host in place of the built-in ones.
sinew_test(base/host_threads SOURCES api/mixed_world.c
           LIBRARIES $<TARGET_NAME_IF_EXISTS:Threads::Threads>)
# The built-in ones.
sinew_test(base/team INTERNAL)
# A host that rounds otherwise.
sinew_test(base/float_environment DOUBLE INTERNAL SOURCES api/mixed_world.c)
