# Pictures, plots and videos.
if(NOT TARGET sinew_picture)
    return()
endif()

foreach(concept IN ITEMS drawing limits looks)
    sinew_test(picture/${concept} SLOW SOURCES picture/frames.c LIBRARIES sinew_picture)
endforeach()
sinew_test(picture/plot LIBRARIES sinew_picture)
sinew_test(picture/jpeg LIBRARIES sinew_picture)
# No other program can be started in WebAssembly.
if(NOT WASI)
    sinew_test(picture/video LIBRARIES sinew_picture)
endif()
