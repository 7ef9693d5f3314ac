# Animated export and caches.
if(NOT TARGET sinew_io)
    return()
endif()

sinew_test(io_cache LABELS io SOURCES io/cache.c io/animation.c LIBRARIES sinew_io)
sinew_test(io_export LABELS io LIBRARIES sinew_io
           SOURCES io/export.c io/export_expected.c io/files.c io/animation.c)
