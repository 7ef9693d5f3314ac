# Meshes: by formula, checked, mended, filled; and without memory.
foreach(concept IN ITEMS generate isotropic repair crests boundary)
    sinew_test(geometry/${concept} DOUBLE INTERNAL)
endforeach()
sinew_test(geometry/volume DOUBLE SLOW INTERNAL)
sinew_test(geometry/golden DOUBLE INTERNAL LABELS golden)
sinew_test(geometry/out_of_memory INTERNAL)

# Their topology: distances along surfaces, coarser graphs, vertices that are split.
sinew_test(geometry/geodesics DOUBLE)
sinew_test(geometry/coarsening INTERNAL)
sinew_test(geometry/split_vertex INTERNAL)

# Visible meshes that follow, and ellipsoids that fit them.
sinew_test(geometry/skinning DOUBLE)
