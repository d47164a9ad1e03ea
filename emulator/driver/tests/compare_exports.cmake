# Every function that one driver library exports must be exported by another one, too.
# Usage: cmake -D NM=nm -D WANTED=lib -D FOUND=lib -D LEAST=n -D ADVICE=text -P compare_exports.cmake
# LEAST: fewer functions in WANTED mean that it was not read.
foreach(side WANTED FOUND)
  execute_process(COMMAND "${NM}" -D --defined-only "${${side}}"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[TWi] cu[A-Z][A-Za-z0-9_]+" ${side}_symbols "${text}")
  list(TRANSFORM ${side}_symbols REPLACE "^. " "")
endforeach()
list(LENGTH WANTED_symbols count)
if(count LESS LEAST)
  message(FATAL_ERROR "only ${count} functions were read from ${WANTED}")
endif()
list(REMOVE_ITEM WANTED_symbols ${FOUND_symbols})
if(WANTED_symbols)
  message(FATAL_ERROR "missing in ${FOUND}: ${WANTED_symbols}; ${ADVICE}")
endif()
message(STATUS "all ${count} functions are there")
