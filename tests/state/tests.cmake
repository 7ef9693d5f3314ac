# A system that the library does not know.
sinew_test(state/system DOUBLE INTERNAL SOURCES state/attractor_system.c)

# World objects by their lists of fields.
sinew_test(state/objects DOUBLE INTERNAL)

# Colours and frames, while constraints and nodes come and go.
sinew_test(state/colouring DOUBLE SLOW)
sinew_test(state/frames DOUBLE)

# Which lanes are fastest is found by trying.
sinew_test(state/lane_trial INTERNAL SCENES)

# Whether steps are faster with threads, likewise.
sinew_test(state/thread_trial INTERNAL)

# Saving and loading.
sinew_test(state/snapshot DOUBLE SCENES)
sinew_test(state/snapshot_tampering DOUBLE INTERNAL)
sinew_test(state/exchange DOUBLE SCENES)
sinew_test(state/corpus DOUBLE SCENES
           DEFINITIONS CORPUS_FOLDER="${CMAKE_CURRENT_SOURCE_DIR}/corpus")

# The state as arrays, of sample worlds and scenes.
if(TARGET sinew_io)
    sinew_test(state/arrays SLOW SCENES INTERNAL SOURCES state/attractor_system.c
               LIBRARIES sinew_io DEFINITIONS SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()
