#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "emulator/cudart/harness_call.h"
#include "emulator/remote/marshal.h"

// Calls to the device process besides the API's functions: registration, launches, the end of the
// program, and functions whose arguments cannot be marshalled by type. The device defines them, and
// the client marshals them like API functions.

namespace warpsim::remote {

using Handle = std::uint64_t;  // the device's number of a module

cudaError_t add_module(const void* wrapper, Handle* module);
cudaError_t remove_module(Handle module);
cudaError_t add_function(Handle module, const void* host_function, const char* name);
cudaError_t add_variable(Handle module, const void* shadow, const char* name, std::uint64_t size,
                         void** managed_pointer_address);
/// Gives the module's managed variables their addresses.
cudaError_t place_managed(Handle module);

enum class LaunchForm : std::uint32_t { chevrons, plain, cooperative, configured };

/// Any of the launch functions, selected by `form`.
struct Launch {
  LaunchForm form = LaunchForm::plain;
  bool per_thread = false;  // the default stream's handle stands for the thread's own
  const void* function = nullptr;  // a host stub or a handle
  const void* chevrons = nullptr;  // location of the `<<<>>>`; null: an ordinary call
  cudaLaunchConfig_t configuration = {};
  void** arguments = nullptr;
};
cudaError_t launch(const Launch* launch);

struct ParameterSizeList {
  std::uint32_t count = 0;
  std::uint32_t bytes[1024] = {};
};
cudaError_t parameter_sizes(const void* function, ParameterSizeList* sizes);

struct TextBuffer {
  char text[4096] = {};
};
cudaError_t pci_bus_id(TextBuffer* id, int length, int device);
cudaError_t function_name(TextBuffer* name, const void* function);
/// @param nodes  with room for `*count`; all existing ones are returned
cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                         unsigned long long* id, cudaGraph_t* graph, cudaGraphNode_t* nodes,
                         size_t* count);
cudaError_t update_capture(cudaStream_t stream, const cudaGraphNode_t* nodes, size_t count,
                           unsigned flags);
cudaError_t get_pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, std::uint64_t* value);
cudaError_t set_pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                               const std::uint64_t* value);
cudaError_t get_graph_memory(int device, cudaGraphMemAttributeType attribute, std::uint64_t* value);
cudaError_t set_graph_memory(int device, cudaGraphMemAttributeType attribute,
                             const std::uint64_t* value);
cudaError_t freed_by_node(cudaGraphNode_t node, void** pointer);
struct DeviceList {
  int devices[16] = {};
};
cudaError_t set_valid_devices(const DeviceList* devices, int count);
cudaError_t load_library(cudaLibrary_t* library, const void* code);

/// An unsupported function was called.
cudaError_t unsupported(const char* name);
/// The program queried an error's name or text.
cudaError_t looked_at_error();

constexpr std::size_t kMostFaultFrames = 32;
struct HostFault {
  std::uint64_t address = 0;
  std::uint32_t closed_page = 0;  // the page is mapped but protected
  std::uint32_t host_writes = 0;
  std::uint32_t depth = 0;
  const void* stack[kMostFaultFrames] = {};
};
/// @param goes_on  whether the access can be repeated
cudaError_t host_fault(const HostFault* fault, int* goes_on);

/// See harness_call.h. A second announcement ends the session.
cudaError_t harness_call_begins(const cudart::HarnessCall* call);
cudaError_t harness_call_ends();

/// The end of the program. @param ordered  it returned from main or called exit: `status` says with
///   what  @param exit_code  to end with instead; -1: the program's own
cudaError_t finish(int ordered, int status, int* exit_code);

template <>
struct Extra<Launch> {
  static void write(Writer& out, const Launch& launch, ParameterSizes sizes, Way way) {
    Extra<cudaLaunchConfig_t>::write(out, launch.configuration, sizes, way);
    write_arguments(out, launch.arguments, sizes(launch.function));
  }
  static void read(Reader& in, Launch& launch, Arena& arena) {
    Extra<cudaLaunchConfig_t>::read(in, launch.configuration, arena);
    launch.arguments = read_arguments(in, arena);
  }
};

// clang-format off
#define WARPSIM_SPECIAL_CALLS(CALL) \
  CALL(add_module) \
  CALL(remove_module) \
  CALL(add_function) \
  CALL(add_variable) \
  CALL(place_managed) \
  CALL(launch) \
  CALL(parameter_sizes) \
  CALL(pci_bus_id) \
  CALL(function_name) \
  CALL(capture_info) \
  CALL(update_capture) \
  CALL(get_pool_attribute) \
  CALL(set_pool_attribute) \
  CALL(get_graph_memory) \
  CALL(set_graph_memory) \
  CALL(freed_by_node) \
  CALL(set_valid_devices) \
  CALL(load_library) \
  CALL(unsupported) \
  CALL(looked_at_error) \
  CALL(host_fault) \
  CALL(harness_call_begins) \
  CALL(harness_call_ends) \
  CALL(finish)
// clang-format on

}  // namespace warpsim::remote
