# The table of docs/driver-api.md lists exactly the functions that the library exports, and cuda.h
# declares them. Versions (_v2, ...) are left out.
# Usage: cmake -D NM=nm -D LIBRARY=lib -D PAGE=driver-api.md -D HEADER=cuda.h -P check_documented.cmake
execute_process(COMMAND "${NM}" -D --defined-only "${LIBRARY}" OUTPUT_VARIABLE text
  COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " T cu[A-Z][A-Za-z0-9]*" defined "${text}")
list(TRANSFORM defined REPLACE " T " "")
list(REMOVE_DUPLICATES defined)
list(LENGTH defined count)
if(count LESS 100)
  message(FATAL_ERROR "${LIBRARY} exports only ${count} functions")
endif()

file(STRINGS "${PAGE}" rows REGEX "^\\| .*`cu")
string(REGEX MATCHALL "`cu[A-Z][A-Za-z0-9]+`" documented "${rows}")
list(TRANSFORM documented REPLACE "`" "")
set(undocumented ${defined})
list(REMOVE_ITEM undocumented ${documented})
set(missing ${documented})
list(REMOVE_ITEM missing ${defined})
if(undocumented OR missing)
  message(FATAL_ERROR "exported, but not in ${PAGE}: ${undocumented}\n"
    "in ${PAGE}, but not exported: ${missing}")
endif()

file(STRINGS "${HEADER}" lines REGEX "^CUresult cu")
string(REGEX MATCHALL "CUresult cu[A-Z][A-Za-z0-9]+" declared "${lines}")
list(TRANSFORM declared REPLACE "CUresult " "")
set(undeclared ${defined})
list(REMOVE_ITEM undeclared ${declared} cuGetExportTable)
if(undeclared)
  message(FATAL_ERROR "exported, but not in ${HEADER}: ${undeclared}")
endif()
message(STATUS "all ${count} functions are listed")
