# The table of docs/runtime-api.md lists exactly the functions that the library implements.
# Usage: cmake -D NM=nm -D LIBRARY=lib -D PAGE=runtime-api.md -P check_documented.cmake
include("${CMAKE_CURRENT_LIST_DIR}/defined_functions.cmake")

file(STRINGS "${PAGE}" rows REGEX "^\\| .*`cuda")
string(REGEX MATCHALL "`cuda[A-Za-z0-9_]+`" documented "${rows}")
list(TRANSFORM documented REPLACE "`" "")

set(undocumented ${defined})
list(REMOVE_ITEM undocumented ${documented})
set(missing ${documented})
list(REMOVE_ITEM missing ${defined})
if(undocumented OR missing)
  message(FATAL_ERROR "supported, but not in ${PAGE}: ${undocumented}\n"
    "in ${PAGE}, but not supported: ${missing}")
endif()
message(STATUS "all ${count} functions are listed")
