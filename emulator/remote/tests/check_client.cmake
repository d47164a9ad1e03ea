# Every function that the library has must be one of the client's, too, and not only a stub that
# says that it is missing (a weak one).
# Usage: cmake -D NM=nm -D LIBRARY=lib -D CLIENT=lib -P check_client.cmake
foreach(side LIBRARY CLIENT)
  execute_process(COMMAND "${NM}" -D --defined-only "${${side}}"
    OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[Ti] (__)?cuda[A-Za-z0-9_]+" symbols "${text}")
  list(TRANSFORM symbols REPLACE "^[A-Za-z] " "")
  set(${side}_symbols ${symbols})
endforeach()
list(LENGTH LIBRARY_symbols count)
if(count LESS 200)
  message(FATAL_ERROR "only ${count} functions were read from ${LIBRARY}")
endif()
list(REMOVE_ITEM LIBRARY_symbols ${CLIENT_symbols})
if(LIBRARY_symbols)
  message(FATAL_ERROR
    "not in the client: ${LIBRARY_symbols}; add them to emulator/remote/calls.h")
endif()
message(STATUS "all ${count} functions cross")
