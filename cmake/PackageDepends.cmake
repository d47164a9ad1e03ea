# Run by cpack: the packages of the libraries that the programs load, found by one call of
# dpkg-shlibdeps. CPack's own search starts a process for each file, most of which are text.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(shlibdeps dpkg-shlibdeps REQUIRED)
set(folder "${CPACK_WARPGRADE_BUILD}/package-depends")
file(MAKE_DIRECTORY "${folder}/debian")
file(WRITE "${folder}/debian/control" "")  # dpkg-shlibdeps wants one
file(GLOB programs "${CPACK_WARPGRADE_BUILD}/bin/warpgrade" "${CPACK_WARPGRADE_BUILD}/bin/warpsim"
  "${CPACK_WARPGRADE_BUILD}/lib/warpsim/*.so*" "${CPACK_WARPGRADE_BUILD}/lib/warpsim/device-*"
  "${CPACK_WARPGRADE_BUILD}/lib/golden/*.so")
execute_process(
  # Our own libraries are in no package.
  COMMAND "${shlibdeps}" -O --ignore-missing-info "-l${CPACK_WARPGRADE_BUILD}/lib/warpsim" ${programs}
  WORKING_DIRECTORY "${folder}"
  OUTPUT_VARIABLE found ERROR_VARIABLE messages RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR NOT found MATCHES "shlibs:Depends=([^\n]+)")
  message(FATAL_ERROR "dpkg-shlibdeps: ${messages}")
endif()
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${CMAKE_MATCH_1}, ${CPACK_DEBIAN_PACKAGE_DEPENDS}")
