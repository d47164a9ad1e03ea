# `cmake --install`: the layout that grader/core/installation.h looks for. bin/ has the programs,
# lib/warpgrade/ what they load and link, share/warpgrade/ the labs and all that is read.
install(TARGETS warpgrade warpsim RUNTIME DESTINATION bin)
install(TARGETS warpsim_cudart12 warpsim_cudart13 warpsim_driver warpsim_symbols
  LIBRARY DESTINATION lib/warpgrade/warpsim)
install(TARGETS warpsim_client12 warpsim_client13 LIBRARY DESTINATION lib/warpgrade/warpsim/client)
install(FILES "$<TARGET_FILE:warpsim_driver>" DESTINATION lib/warpgrade/warpsim/client)
install(TARGETS warpsim_device12 warpsim_device13 RUNTIME DESTINATION lib/warpgrade/warpsim)
install(TARGETS warpgrade_worker ARCHIVE DESTINATION lib/warpgrade)
install(TARGETS warpgrade_python LIBRARY DESTINATION lib/warpgrade)
install(FILES "${CMAKE_BINARY_DIR}/lib/warpgrade_start.py" DESTINATION lib/warpgrade)
install(DIRECTORY "${CMAKE_BINARY_DIR}/lib/golden" DESTINATION lib/warpgrade
  FILES_MATCHING PATTERN "*.so")
foreach(loaded IN ITEMS sign_in postgresql)
  if(TARGET ${loaded})
    install(TARGETS ${loaded} LIBRARY DESTINATION lib/warpgrade)
  endif()
endforeach()
install(DIRECTORY labs reference datasets docs DESTINATION share/warpgrade
  PATTERN "CMakeLists.txt" EXCLUDE
  PATTERN "reference/gpu_bench" EXCLUDE)
# What a golden.cpp of a lab of one's own includes.
install(DIRECTORY harness DESTINATION share/warpgrade FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE README.md DESTINATION share/warpgrade)

# clang as a compiler of CUDA programs, for warpsim.
install(PROGRAMS scripts/clang_cuda DESTINATION bin)

# Completion for shells and man pages, made from what the programs themselves print; where they cannot
# run here, none.
if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
  set(printed_folder "${CMAKE_BINARY_DIR}/printed")
  file(MAKE_DIRECTORY "${printed_folder}")
  set(printed "${printed_folder}/warpgrade" "${printed_folder}/_warpgrade")
  add_custom_command(OUTPUT ${printed}
    COMMAND warpgrade completion bash > "${printed_folder}/warpgrade"
    COMMAND warpgrade completion zsh > "${printed_folder}/_warpgrade"
    DEPENDS warpgrade VERBATIM)
  function(add_man_page name title)
    set(page "${printed_folder}/${name}.1")
    add_custom_command(OUTPUT "${page}"
      COMMAND "${CMAKE_COMMAND}"
        "-DCOMMAND=${CMAKE_CROSSCOMPILING_EMULATOR};$<TARGET_FILE:${name}>;${ARGN}"
        "-DNAME=${name}" "-DTITLE=${title}" "-DOUTPUT=${page}"
        -P "${PROJECT_SOURCE_DIR}/cmake/ManPage.cmake"
      DEPENDS ${name} "${PROJECT_SOURCE_DIR}/cmake/ManPage.cmake" VERBATIM)
    set(printed ${printed} "${page}" PARENT_SCOPE)
    install(FILES "${page}" DESTINATION share/man/man1)
  endfunction()
  add_man_page(warpgrade "autograder for parallel programming labs" --help-all)
  add_man_page(warpsim "run a CUDA program without a GPU" --help)
  add_custom_target(printed DEPENDS ${printed})
  add_dependencies(product printed)
  install(FILES "${printed_folder}/warpgrade" DESTINATION share/bash-completion/completions)
  install(FILES "${printed_folder}/_warpgrade" DESTINATION share/zsh/vendor-completions)
endif()
