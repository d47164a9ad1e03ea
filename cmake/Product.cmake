# The target `product`: everything that a user runs, and no test. Found by looking, so that a new
# program or lab needs no line here: all targets outside folders named tests or *_bench whose names
# do not end in _test.
function(product_targets folder result)
  set(found "")
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT target MATCHES "_test$" AND NOT type MATCHES "INTERFACE_LIBRARY|UTILITY")
      list(APPEND found ${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    if(NOT subfolder MATCHES "/(tests|[a-z]+_bench)$")
      product_targets("${subfolder}" inner)
      list(APPEND found ${inner})
    endif()
  endforeach()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

product_targets("${PROJECT_SOURCE_DIR}" product_parts)
add_custom_target(product DEPENDS ${product_parts})

# The target `grading`: the part of it that `warpgrade grade` and `check` use on the emulator, for scripts/demo. Golden
# functions are compiled when they are needed.
add_custom_target(grading DEPENDS warpgrade warpgrade_worker warpgrade_tensor_map warpgrade_python
  warpsim_device${cuda_major} warpsim_client${cuda_major} warpsim_cudart${cuda_major} warpsim_driver)
