#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/driver/driver.h"
#include "emulator/driver/grid_barrier.h"
#include "emulator/driver/jit_log.h"
#include "emulator/fatbin/fatbin.h"
#include "emulator/fatbin/linked_image.h"
#include "emulator/fatbin/object_code.h"
#include "emulator/ptx/module.h"

// Linking: units of PTX become one image, which a module is loaded from. Names are resolved when it
// is loaded; here each unit is parsed, so that a mistake in one is reported where it was added.
// Results are those of an H200 with CUDA 13's driver, but for what contains machine code only.

using namespace warpsim::driver;
namespace fatbin = warpsim::fatbin;
namespace ptx = warpsim::ptx;

// An opaque type in CUDA's headers.
struct CUlinkState_st {
  JitOptions options;
  unsigned target = 0;
  std::vector<fatbin::Image> units;
  std::map<std::string, std::string> definitions;  // visible ones, and the unit of each
  std::set<std::string> declarations;  // of functions that another unit defines
  bool has_device_runtime = false;
  std::string image;  // of cuLinkComplete(), the caller's until cuLinkDestroy()
};

namespace {

using Bytes = std::span<const std::byte>;

struct States {
  std::mutex mutex;
  std::vector<std::unique_ptr<CUlinkState_st>> all;

  /// Never destroyed: threads may use it until the end.
  static States& get() {
    static auto& states = *new States;
    return states;
  }
};

/// A call on a link that exists.
template <class Body>
CUresult on_state(CUlinkState state, Body body) {
  return in_context([&](const RuntimeLibrary&) -> CUresult {
    States& states = States::get();
    const std::lock_guard lock(states.mutex);
    const bool known = std::any_of(states.all.begin(), states.all.end(),
                                   [&](const auto& one) { return one.get() == state; });
    return known ? body(*state) : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult fail(CUlinkState_st& state, CUresult result, const std::string& message) {
  state.options.add_error("error: " + message + "\n");
  return result;
}

CUresult add_definition(CUlinkState_st& state, std::string_view name, ptx::Linkage linkage,
                        const std::string& unit) {
  if (linkage != ptx::Linkage::visible) return CUDA_SUCCESS;
  const auto [first, added] = state.definitions.emplace(name, unit);
  if (added) return CUDA_SUCCESS;
  return fail(state, CUDA_ERROR_INVALID_SOURCE,
              "'" + std::string(name) + "' is defined in " + unit + " and in " + first->second +
                  "; remove one of the two");
}

CUresult add_unit(CUlinkState_st& state, fatbin::Image unit) {
  ptx::ParseError error;
  const auto module = ptx::parse(unit.ptx, error);
  if (!module) {
    state.options.add_error(error.render(unit.name, unit.ptx));
    return CUDA_ERROR_INVALID_PTX;
  }
  for (const ptx::Function& function : module->functions) {
    if (function.is_declaration) {
      state.declarations.emplace(function.name);
    } else if (const CUresult result =
                   add_definition(state, function.name, function.linkage, unit.name);
               result != CUDA_SUCCESS) {
      return result;
    }
  }
  for (const ptx::Variable& variable : module->variables) {
    const CUresult result = add_definition(state, variable.name, variable.linkage, unit.name);
    if (result != CUDA_SUCCESS) return result;
  }
  unit.architecture = module->target;
  state.units.push_back(std::move(unit));
  return CUDA_SUCCESS;
}

CUresult add_ptx(CUlinkState_st& state, Bytes data, const std::string& name) {
  std::string text(reinterpret_cast<const char*>(data.data()), data.size());
  text.resize(text.find_last_not_of('\0') + 1);
  return add_unit(state, {.ptx = std::move(text), .name = name});
}

/// A container, or the image of another link.
CUresult add_container(CUlinkState_st& state, Bytes data, const std::string& name) {
  fatbin::Images images = fatbin::read_fatbin(data, state.target);
  if (images.images.empty()) {
    return fail(
        state, CUDA_ERROR_NO_BINARY_FOR_GPU,
        name + ": " + (images.problems.empty() ? "it contains no PTX" : images.problems.front()));
  }
  for (fatbin::Image& unit : images.images) {
    if (unit.name.empty()) unit.name = name;
    const CUresult result = add_unit(state, std::move(unit));
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

CUresult add_objects(CUlinkState_st& state, Bytes data, const std::string& name) {
  const fatbin::ObjectCode code = fatbin::read_object_code(data);
  if (!code.problem.empty()) {
    return fail(state, CUDA_ERROR_INVALID_IMAGE, name + ": " + code.problem);
  }
  if (code.containers.empty()) {
    return fail(state, CUDA_ERROR_NO_BINARY_FOR_GPU,
                name + ": it contains no device code; compile it with nvcc -dc");
  }
  for (const fatbin::ObjectCode::Container& container : code.containers) {
    // Of the device runtime the emulator has its own.
    if (fatbin::is_prebuilt_for(container.bytes, state.target)) {
      state.has_device_runtime = true;
      continue;
    }
    const CUresult result =
        add_container(state, container.bytes,
                      container.member.empty() ? name : name + "(" + container.member + ")");
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}

CUresult add(CUlinkState_st& state, CUjitInputType type, Bytes data, const std::string& name) {
  switch (type) {
    case CU_JIT_INPUT_PTX:
      return add_ptx(state, data, name);
    case CU_JIT_INPUT_FATBINARY:
    case CU_JIT_INPUT_CUBIN:
      if (fatbin::container_size(data)) return add_container(state, data, name);
      if (!fatbin::is_object(data)) {
        return fail(state, CUDA_ERROR_INVALID_IMAGE,
                    name + ": it is neither a fat binary nor a cubin");
      }
      return fail(state, CUDA_ERROR_NO_BINARY_FOR_GPU,
                  name +
                      ": it contains machine code and no PTX, which the emulator requires; add "
                      "the PTX, or a fat binary with PTX");
    case CU_JIT_INPUT_OBJECT:
    case CU_JIT_INPUT_LIBRARY:
      return add_objects(state, data, name);
    default:
      return fail(state, CUDA_ERROR_NOT_SUPPORTED,
                  name + ": the emulator links PTX, fat binaries, objects and libraries, not " +
                      "inputs of type " + std::to_string(type));
  }
}

/// The grid's barrier, if a unit calls it and the device runtime was added.
CUresult add_grid_barrier(CUlinkState_st& state) {
  for (const char* name : {kGridHandleFunction, kGridBarrierFunction}) {
    if (!state.declarations.contains(name) || state.definitions.contains(name)) continue;
    if (state.has_device_runtime) {
      return add_unit(state, {.ptx = kGridBarrierPtx, .name = "the device runtime"});
    }
    return fail(state, CUDA_ERROR_INVALID_SOURCE,
                std::string("'") + name + "' is declared and not defined; add libcudadevrt.a");
  }
  return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

CUresult cuLinkCreate_v2(unsigned count, CUjit_option* options, void** values, CUlinkState* state) {
  return in_context([&](const RuntimeLibrary&) {
    if (state == nullptr || (count != 0 && (options == nullptr || values == nullptr))) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    auto made = std::make_unique<CUlinkState_st>();
    made->options = JitOptions(count, options, values);
    made->target = current_target();
    *state = made.get();
    States& states = States::get();
    const std::lock_guard lock(states.mutex);
    states.all.push_back(std::move(made));
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void* data, size_t bytes,
                          const char* name, unsigned, CUjit_option*, void**) {
  return on_state(state, [&](CUlinkState_st& link) {
    if (data == nullptr || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    const std::string shown =
        name != nullptr && *name != '\0' ? name : "input " + std::to_string(link.units.size() + 1);
    return add(link, type, {static_cast<const std::byte*>(data), bytes}, shown);
  });
}

CUresult cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char* path, unsigned,
                          CUjit_option*, void**) {
  return on_state(state, [&](CUlinkState_st& link) {
    if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream contents;
    if (!file || !(contents << file.rdbuf())) {
      return fail(link, CUDA_ERROR_FILE_NOT_FOUND, std::string(path) + " cannot be read");
    }
    const std::string data = contents.str();
    return add(link, type, std::as_bytes(std::span(data)), path);
  });
}

CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
  return on_state(state, [&](CUlinkState_st& link) {
    if (image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    if (link.units.empty()) {
      (void)add_unit(link, {.ptx = ".version 7.0\n.target sm_70\n", .name = "nothing"});
    }
    if (const CUresult result = add_grid_barrier(link); result != CUDA_SUCCESS) return result;
    link.image = fatbin::write_linked_image(link.units, link.options.max_registers());
    *image = link.image.data();
    if (bytes != nullptr) *bytes = link.image.size();
    return CUDA_SUCCESS;
  });
}

CUresult cuLinkDestroy(CUlinkState state) {
  return initialized([&](const RuntimeLibrary&) {
    States& states = States::get();
    const std::lock_guard lock(states.mutex);
    const auto erased =
        std::erase_if(states.all, [&](const auto& one) { return one.get() == state; });
    return erased == 0 ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS;
  });
}

}  // extern "C"
