# Writes modules.c: kernels as arrays, and the list of them.
#
#     cmake -DFOLDER=. -DNAMES=integrate,distance -DOUT=modules.c -P cmake/embed_ptx.cmake
string(REPLACE "," ";" names ${NAMES})
set(arrays "")
set(rows "")
foreach(name IN LISTS names)
    file(READ ${FOLDER}/${name}.ptx bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char ${name}[] = {\n${bytes}0};\n\n")
    string(APPEND rows "    {\"${name}\", ${name}},\n")
endforeach()
list(LENGTH names count)
file(WRITE ${OUT} "#include \"backend/cuda/modules.h\"\n\n${arrays}"
     "const sn_cuda_module sn_cuda_modules[] = {\n${rows}};\n"
     "const size_t sn_cuda_module_count = ${count};\n")
