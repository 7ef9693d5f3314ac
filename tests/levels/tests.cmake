# Hierarchies: what they do, and what they are.
foreach(concept IN ITEMS solve objects)
    sinew_test(levels_${concept} DOUBLE SCENES LABELS levels SOURCES levels/${concept}.c)
endforeach()
sinew_test(levels_graph LABELS levels SOURCES levels/graph.c)
target_include_directories(levels_graph PRIVATE ${PROJECT_SOURCE_DIR}/src)
