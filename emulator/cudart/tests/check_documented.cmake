# The table of docs/runtime-api.md lists exactly the functions that are no stubs: those that the
# library defines strongly, not counting the twins for the per-thread default stream.
# Usage: cmake -D NM=nm -D LIBRARY=lib -D PAGE=runtime-api.md -P check_documented.cmake
execute_process(COMMAND "${NM}" -D --defined-only "${LIBRARY}"
  OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[Ti] cuda[A-Za-z0-9_]+@@?libcudart" symbols "${text}")
set(defined)
foreach(symbol IN LISTS symbols)
  string(REGEX REPLACE "^[Ti] ([^@]+)@.*$" "\\1" name "${symbol}")
  string(REGEX REPLACE "_pt[ds][sz]$" "" name "${name}")
  list(APPEND defined "${name}")
endforeach()
list(REMOVE_DUPLICATES defined)

file(STRINGS "${PAGE}" rows REGEX "^\\| .*`cuda")
string(REGEX MATCHALL "`cuda[A-Za-z0-9_]+`" documented "${rows}")
list(TRANSFORM documented REPLACE "`" "")

list(LENGTH defined count)
if(count LESS 150)
  message(FATAL_ERROR "only ${count} functions were read from ${LIBRARY}")
endif()
set(undocumented ${defined})
list(REMOVE_ITEM undocumented ${documented})
set(missing ${documented})
list(REMOVE_ITEM missing ${defined})
if(undocumented OR missing)
  message(FATAL_ERROR "supported, but not in ${PAGE}: ${undocumented}\n"
    "in ${PAGE}, but not supported: ${missing}")
endif()
message(STATUS "all ${count} functions are listed")
