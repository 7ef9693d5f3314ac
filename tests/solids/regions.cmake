# Shape matching of regions: what it does, and what matchings are.
foreach(concept IN ITEMS regions oriented)
    sinew_test(solids_${concept} DOUBLE LABELS solids SOURCES solids/${concept}.c)
endforeach()
