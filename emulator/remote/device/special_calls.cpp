#include "emulator/remote/special_calls.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "emulator/cudart/api.h"
#include "emulator/cudart/chevrons.h"
#include "emulator/cudart/finish.h"
#include "emulator/cudart/graphs.h"
#include "emulator/cudart/host_fault.h"
#include "emulator/cudart/launch.h"
#include "emulator/cudart/per_thread.h"
#include "emulator/cudart/unsupported.h"
#include "emulator/remote/calls.h"
#include "emulator/remote/device/session.h"

// What special_calls.h declares, on the device's side.

namespace warpsim::remote {
namespace {

using cudart::ModuleTable;

/// The program's modules by number: the program never learns their addresses.
struct Modules {
  std::mutex mutex;
  std::unordered_map<Handle, cudart::Module*> by_handle;
  Handle next = 1;
};
Modules& modules() {
  static auto& instance = *new Modules;
  return instance;
}

cudart::Module* find_module(Handle handle) {
  const std::lock_guard lock(modules().mutex);
  const auto found = modules().by_handle.find(handle);
  return found == modules().by_handle.end() ? nullptr : found->second;
}

void copy_text(TextBuffer& to, std::string_view text) {
  const std::size_t bytes = std::min(text.size(), sizeof to.text - 1);
  std::memcpy(to.text, text.data(), bytes);
  to.text[bytes] = '\0';
}

}  // namespace

cudaError_t add_module(const void* wrapper, Handle* module) {
  if (module == nullptr) return cudaErrorInvalidValue;
  cudart::Module* made = ModuleTable::get().add_module(wrapper);
  const std::lock_guard lock(modules().mutex);
  *module = modules().next++;
  modules().by_handle[*module] = made;
  return cudaSuccess;
}

cudaError_t remove_module(Handle handle) {
  cudart::Module* module = find_module(handle);
  if (module == nullptr) return cudaErrorInvalidResourceHandle;
  ModuleTable::get().remove_module(module);
  const std::lock_guard lock(modules().mutex);
  modules().by_handle.erase(handle);
  return cudaSuccess;
}

cudaError_t add_function(Handle handle, const void* host_function, const char* name) {
  cudart::Module* module = find_module(handle);
  if (module == nullptr || name == nullptr) return cudaErrorInvalidResourceHandle;
  ModuleTable::get().add_function(module, host_function, name);
  return cudaSuccess;
}

cudaError_t add_variable(Handle handle, const void* shadow, const char* name, std::uint64_t size,
                         void** managed_pointer_address) {
  cudart::Module* module = find_module(handle);
  if (module == nullptr || name == nullptr) return cudaErrorInvalidResourceHandle;
  void** const pointer =
      managed_pointer_address == nullptr ? nullptr : static_cast<void**>(*managed_pointer_address);
  ModuleTable::get().add_variable(
      module, shadow, {.name = name, .module = nullptr, .size = size, .managed_pointer = pointer});
  return cudaSuccess;
}

cudaError_t place_managed(Handle handle) {
  const cudart::Module* module = find_module(handle);
  if (module == nullptr) return cudaErrorInvalidResourceHandle;
  return cudart::query("managed variable", [&](cudart::Call& call) {
    ModuleTable::get().place_managed(call.runtime, module);
    return cudaSuccess;
  });
}

cudaError_t launch(const Launch* launch) {
  if (launch == nullptr) return cudaErrorInvalidValue;
  const cudaLaunchConfig_t& c = launch->configuration;
  cudart::set_chevrons(launch->chevrons);
  std::optional<cudart::PerThreadCall> here;
  if (launch->per_thread) here.emplace(nullptr);
  switch (launch->form) {
    case LaunchForm::chevrons:
      // A handle is the device's own address: it is looked up like any other.
      return __cudaLaunchKernel(reinterpret_cast<cudaKernel_t>(const_cast<void*>(launch->function)),
                                c.gridDim, c.blockDim, launch->arguments, c.dynamicSmemBytes,
                                c.stream);
    case LaunchForm::plain:
      return cudaLaunchKernel(launch->function, c.gridDim, c.blockDim, launch->arguments,
                              c.dynamicSmemBytes, c.stream);
    case LaunchForm::cooperative:
      return cudaLaunchCooperativeKernel(launch->function, c.gridDim, c.blockDim, launch->arguments,
                                         c.dynamicSmemBytes, c.stream);
    case LaunchForm::configured:
      return cudaLaunchKernelExC(&c, launch->function, launch->arguments);
  }
  throw ProtocolError("sent a launch of no known form");
}

/// The sizes of a kernel's parameters, without an error if there is no such kernel: the call that
/// needs them reports it.
cudaError_t parameter_sizes(const void* function, ParameterSizeList* sizes) {
  if (sizes == nullptr) return cudaErrorInvalidValue;
  cudart::Runtime& runtime = cudart::Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  cudart::Function* found = ModuleTable::get().find_function(function);
  if (found == nullptr) return cudaErrorInvalidDeviceFunction;
  try {
    const Kernel* kernel = ModuleTable::get().resolve(runtime, *found, 0);
    if (kernel == nullptr) return cudaErrorNoKernelImageForDevice;
    const auto& known = runtime.machine.info(*kernel).parameter_sizes;
    sizes->count = static_cast<std::uint32_t>(std::min(known.size(), std::size(sizes->bytes)));
    std::copy_n(known.begin(), sizes->count, sizes->bytes);
    return cudaSuccess;
  } catch (const LoadError&) {
    return cudaErrorInvalidPtx;
  }
}

cudaError_t pci_bus_id(TextBuffer* id, int length, int device) {
  if (id != nullptr) length = std::min(length, static_cast<int>(sizeof id->text));
  return cudaDeviceGetPCIBusId(id == nullptr ? nullptr : id->text, length, device);
}

cudaError_t function_name(TextBuffer* name, const void* function) {
  const char* text = nullptr;
  const cudaError_t error = cudaFuncGetName(name == nullptr ? nullptr : &text, function);
  if (error == cudaSuccess) copy_text(*name, text);
  return error;
}

cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                         unsigned long long* id, cudaGraph_t* graph, cudaGraphNode_t* nodes,
                         size_t* count) {
  return cudart::api("cudaStreamGetCaptureInfo", [&](cudart::Call& call) {
    const cudaGraphNode_t* dependencies = nullptr;
    size_t found = 0;
    const size_t room = count == nullptr || nodes == nullptr ? 0 : *count;
    const cudaError_t error = cudart::capture_info(call, stream,
                                                   {.status = status,
                                                    .id = id,
                                                    .graph = graph,
                                                    .dependencies = &dependencies,
                                                    .count = &found});
    if (error == cudaSuccess && dependencies != nullptr && nodes != nullptr) {
      std::copy_n(dependencies, std::min(found, room), nodes);
    }
    if (error == cudaSuccess && count != nullptr) *count = std::min(found, room);
    return error;
  });
}

cudaError_t update_capture(cudaStream_t stream, const cudaGraphNode_t* nodes, size_t count,
                           unsigned flags) {
  return cudart::api("cudaStreamUpdateCaptureDependencies", [&](cudart::Call& call) {
    return cudart::update_capture_dependencies(call, stream, const_cast<cudaGraphNode_t*>(nodes),
                                               nodes == nullptr ? 0 : count, flags);
  });
}

cudaError_t get_pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                               std::uint64_t* value) {
  return cudaMemPoolGetAttribute(pool, attribute, value);
}

cudaError_t set_pool_attribute(cudaMemPool_t pool, cudaMemPoolAttr attribute,
                               const std::uint64_t* value) {
  return cudaMemPoolSetAttribute(pool, attribute, const_cast<std::uint64_t*>(value));
}

cudaError_t get_graph_memory(int device, cudaGraphMemAttributeType attribute,
                             std::uint64_t* value) {
  return cudaDeviceGetGraphMemAttribute(device, attribute, value);
}

cudaError_t set_graph_memory(int device, cudaGraphMemAttributeType attribute,
                             const std::uint64_t* value) {
  return cudaDeviceSetGraphMemAttribute(device, attribute, const_cast<std::uint64_t*>(value));
}

cudaError_t freed_by_node(cudaGraphNode_t node, void** pointer) {
  return cudaGraphMemFreeNodeGetParams(node, pointer);
}

cudaError_t set_valid_devices(const DeviceList* devices, int count) {
  DeviceList list = devices == nullptr ? DeviceList{} : *devices;
  const int most = static_cast<int>(std::size(list.devices));
  return cudaSetValidDevices(devices == nullptr ? nullptr : list.devices, std::min(count, most));
}

cudaError_t load_library(cudaLibrary_t* library, const void* code) {
  return cudaLibraryLoadData(library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

cudaError_t unsupported(const char* name) {
  if (name == nullptr) return cudaErrorInvalidValue;
  return static_cast<cudaError_t>(cudart::unsupported(name, nullptr));
}

cudaError_t looked_at_error() {
  if (cudart::Runtime* runtime = cudart::Runtime::existing()) {
    const std::lock_guard lock(runtime->mutex);
    runtime->errors.looked();
  }
  return cudaSuccess;
}

cudaError_t host_fault(const HostFault* fault, int* goes_on) {
  if (fault == nullptr || goes_on == nullptr) return cudaErrorInvalidValue;
  const std::size_t depth = std::min<std::size_t>(fault->depth, kMostFaultFrames);
  const auto place = [&] { return cudart::FaultStack(fault->stack, fault->stack + depth); };
  *goes_on = 0;
  if (fault->closed_page != 0) {
    *goes_on = cudart::goes_on_after_fault(fault->address, fault->host_writes != 0, place) ? 1 : 0;
  } else {
    cudart::report_host_access(fault->address, place);
  }
  return cudaSuccess;
}

cudaError_t harness_call_begins(const cudart::HarnessCall* call) {
  cudart::Runtime& runtime = cudart::Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  if (call == nullptr || !runtime.call_begins(*call)) {
    throw ProtocolError("announced a call twice, or with arrays that cannot be");
  }
  return cudaSuccess;
}

cudaError_t harness_call_ends() {
  cudart::Runtime& runtime = cudart::Runtime::get();
  const std::lock_guard lock(runtime.mutex);
  if (!runtime.call_ends()) {
    throw ProtocolError("reported the end of a call that had not begun");
  }
  return cudaSuccess;
}

cudaError_t finish(int ordered, int status, int* exit_code) {
  const auto code = cudart::finish(ordered != 0 ? std::optional(status) : std::nullopt);
  if (exit_code != nullptr) *exit_code = code.value_or(-1);
  session().note_finished();
  return cudaSuccess;
}

}  // namespace warpsim::remote
