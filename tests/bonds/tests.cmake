# Attachments, seams and skinned cloth.
foreach(concept IN ITEMS attach sew follow switch)
    sinew_test(bonds_${concept} DOUBLE LABELS bonds SOURCES bonds/${concept}.c)
endforeach()
if(TARGET sinew_io)
    sinew_test(bonds_scene SLOW LABELS bonds SOURCES bonds/scene.c LIBRARIES sinew_io)
    target_compile_definitions(bonds_scene PRIVATE SCENES="${PROJECT_SOURCE_DIR}/scenes")
endif()
