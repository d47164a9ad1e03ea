# Fails when an object of OBJECTS (separated by '|') defines a weak symbol outside the namespace
# warpsim::LEVEL.
string(REPLACE "|" ";" objects "${OBJECTS}")
string(LENGTH "${LEVEL}" length)
set(namespace "7warpsim${length}${LEVEL}")
execute_process(COMMAND "${NM}" --defined-only ${objects}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]* [WVu] [^\n]*" weak "${symbols}")
# Holds the address of the exception personality: data, the same at every level.
list(FILTER weak EXCLUDE REGEX "${namespace}|DW\\.ref\\.__gxx_personality_v0")
if(weak)
  list(JOIN weak "\n" text)
  message(FATAL_ERROR "shared code compiled for ${LEVEL}:\n${text}")
endif()
