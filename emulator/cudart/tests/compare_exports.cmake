# Every CUDA function that one library defines must be defined by another one, too.
# Usage: cmake -D NM=nm -D WANTED=lib -D FOUND=lib -D VERSIONS=ON|OFF [-D PREFIX=cublas] -D LEAST=n
#   -D ADVICE=text -P compare_exports.cmake
# PREFIX: of the functions; without, those of the runtime are compared.
# VERSIONS: whether symbol versions count, and weak definitions with them; without, a weak definition
# is a stub that says that the function is missing. LEAST: fewer functions in WANTED mean that it was
# not read.
if(NOT PREFIX)
  set(names "(__)?cuda")
  set(library "libcudart")
else()
  set(names "${PREFIX}")
  set(library "lib${PREFIX}")
endif()
if(VERSIONS)
  set(pattern "[TWVti] ${names}[A-Za-z0-9_]+@@?${library}\\.so\\.[0-9]+")
else()
  set(pattern "[Ti] ${names}[A-Za-z0-9_]+")
endif()
foreach(side WANTED FOUND)
  execute_process(COMMAND "${NM}" -D --defined-only "${${side}}"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "${pattern}" symbols "${text}")
  list(TRANSFORM symbols REPLACE "^[A-Za-z] " "")
  list(TRANSFORM symbols REPLACE "@@" "@")
  set(${side}_symbols ${symbols})
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
