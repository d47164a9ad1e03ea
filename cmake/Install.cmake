# `cmake --install`: the layout that grader/core/installation.h looks for. bin/ has the programs,
# lib/warpgrade/ what they load and link, share/warpgrade/ the labs and all that is read.
install(TARGETS warpgrade warpsim RUNTIME DESTINATION bin)
install(TARGETS warpsim_cudart12 warpsim_cudart13 warpsim_symbols LIBRARY DESTINATION lib/warpgrade/warpsim)
install(TARGETS warpsim_client12 warpsim_client13 LIBRARY DESTINATION lib/warpgrade/warpsim/client)
install(TARGETS warpsim_device12 warpsim_device13 RUNTIME DESTINATION lib/warpgrade/warpsim)
install(TARGETS warpgrade_worker ARCHIVE DESTINATION lib/warpgrade)
install(DIRECTORY "${CMAKE_BINARY_DIR}/lib/golden" DESTINATION lib/warpgrade
  FILES_MATCHING PATTERN "*.so")
install(DIRECTORY labs reference datasets docs DESTINATION share/warpgrade
  PATTERN "CMakeLists.txt" EXCLUDE
  PATTERN "reference/gpu_bench" EXCLUDE)
# What a golden.cpp of a lab of one's own includes.
install(DIRECTORY harness DESTINATION share/warpgrade FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md DESTINATION share/warpgrade)
