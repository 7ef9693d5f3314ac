# Pictures, plots and videos.
if(NOT TARGET sinew_io)
    return()
endif()

sinew_test(io_picture LABELS io SOURCES io/picture.c io/picture_parts.c LIBRARIES sinew_io)
sinew_test(io_picture_limits LABELS io SOURCES io/picture_limits.c io/picture_parts.c
           LIBRARIES sinew_io)
