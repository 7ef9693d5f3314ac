# Whether PAGE quotes the program CODE word for word, as a block of C.
file(READ "${PAGE}" page)
file(READ "${CODE}" code)
string(FIND "${page}" "```c\n${code}```" place)
if(place EQUAL -1)
    message(FATAL_ERROR "${PAGE} does not quote ${CODE} as it is")
endif()
