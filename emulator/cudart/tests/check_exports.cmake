# Every function that the toolkit's runtime exports must be exported by ours under the same version.
# Usage: cmake -D NM=nm -D OURS=lib -D THEIRS=lib -P check_exports.cmake
foreach(side OURS THEIRS)
  execute_process(COMMAND "${NM}" -D --defined-only "${${side}}"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[TWVti] (__)?cuda[A-Za-z0-9_]+@@?libcudart\\.so\\.[0-9]+" symbols "${text}")
  list(TRANSFORM symbols REPLACE "^[A-Za-z] " "")
  list(TRANSFORM symbols REPLACE "@@" "@")
  set(${side}_symbols ${symbols})
endforeach()
list(LENGTH THEIRS_symbols count)
if(count LESS 300)
  message(FATAL_ERROR "only ${count} functions were read from ${THEIRS}")
endif()
list(REMOVE_ITEM THEIRS_symbols ${OURS_symbols})
if(THEIRS_symbols)
  message(FATAL_ERROR "missing in ${OURS}: ${THEIRS_symbols}; add them to exports13.txt")
endif()
message(STATUS "all ${count} functions are there")
