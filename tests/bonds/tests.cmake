# Attachments, seams and skinned cloth.
foreach(concept IN ITEMS attach sew follow)
    sinew_test(bonds_${concept} DOUBLE LABELS bonds SOURCES bonds/${concept}.c bonds/bonds.c)
endforeach()
