# Sets `defined` to the functions that the runtime library implements, and `count` to their number.
# These are its strong definitions; stubs of missing functions are weak. Variants for the per-thread
# default stream count as the function itself.
# Included by scripts that get NM and LIBRARY.
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
list(LENGTH defined count)
if(count LESS 150)
  message(FATAL_ERROR "only ${count} functions were read from ${LIBRARY}")
endif()
