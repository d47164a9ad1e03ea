include(Catch)

# catch_tests(<target> [LABEL <label>] [TIMEOUT <seconds>] [ENVIRONMENT NAME=value...])
# One CTest test for each test case, and a build that is quick rather than fast. catch_discover_tests would keep only the first of several
# environment variables, so `cmake -E env` stands in front of the program instead.
function(catch_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;PREFIX;TIMEOUT" "ENVIRONMENT")
  target_link_libraries(${target} PRIVATE warpgrade_unoptimized)
  set(properties "")
  if(arg_LABEL)
    list(APPEND properties LABELS ${arg_LABEL})
  endif()
  if(arg_TIMEOUT)
    list(APPEND properties TIMEOUT ${arg_TIMEOUT})
  endif()
  if(arg_ENVIRONMENT)
    set_target_properties(${target} PROPERTIES
      CROSSCOMPILING_EMULATOR "${CMAKE_COMMAND};-E;env;${arg_ENVIRONMENT}")
  endif()
  catch_discover_tests(${target}
    DISCOVERY_MODE PRE_TEST TEST_PREFIX "${arg_PREFIX}" PROPERTIES ${properties})
endfunction()
