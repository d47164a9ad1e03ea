# `cpack`: a Debian package and an archive that can be unpacked anywhere. scripts/package builds them.
set(CPACK_PACKAGE_NAME warpgrade)
# Debian's Maintainer field. Whoever publishes packages names themselves: -DCPACK_PACKAGE_CONTACT=...
set(CPACK_PACKAGE_CONTACT "The warpgrade project" CACHE STRING "Who maintains the package")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Autograder for courses in CUDA, with an emulator")
set(CPACK_PACKAGE_DESCRIPTION "Runs CUDA kernels with or without a GPU, checks their results and
memory accesses, counts what they do, and explains mistakes to students.")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_MONOLITHIC_INSTALL TRUE)
set(CPACK_VERBATIM_VARIABLES TRUE)
set(CPACK_DEB_COMPONENT_INSTALL FALSE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
# What grading runs: compilers, the linker, the sandbox. PackageDepends.cmake adds the libraries.
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/PackageDepends.cmake")
set(CPACK_WARPGRADE_BUILD "${CMAKE_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++, binutils, make, clang, bubblewrap")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "lld")
# What sign_in.so loads. Not depended on: only who serves a class by OpenID Connect needs their thirty libraries.
# Releases with 64-bit times in C libraries have other names.
if(TARGET sign_in)
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libcurl4 | libcurl4t64, libcjose0 | libcjose0t64")
endif()
if(TARGET postgresql)  # which loads libpq
  string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libpq5")
endif()
# The archive for one processor is not for another.
set(CPACK_SYSTEM_NAME "Linux-${CMAKE_SYSTEM_PROCESSOR}")
include(CPack)
