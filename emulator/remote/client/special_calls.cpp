#include "emulator/remote/special_calls.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <mutex>
#include <set>
#include <span>
#include <sstream>
#include <string>

#include "emulator/cudart/driver_entry.h"
#include "emulator/cudart/error_table.h"
#include "emulator/cudart/local/signals.h"
#include "emulator/cudart/unsupported.h"
#include "emulator/remote/client/connection.h"

// Exported functions that return a pointer, or whose arguments cannot be marshalled by type.

namespace warpsim::remote {
namespace {

/// Interns a text, which is never freed.
const char* keep(const std::string& text) {
  static auto& mutex = *new std::mutex;
  static auto& texts = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return texts.insert(text).first->c_str();
}

bool is_policy(cudaMemPoolAttr attribute) {
  return attribute >= cudaMemPoolReuseFollowEventDependencies &&
         attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

std::size_t bytes_of(cudaMemPoolAttr attribute) {
  return is_policy(attribute) ? sizeof(int) : sizeof(std::uint64_t);
}

void look_at_error(cudaError_t error) {
  if (error != cudaSuccess && is_connected()) (void)WARPSIM_DEVICE_CALL(looked_at_error)();
}

}  // namespace

}  // namespace warpsim::remote

using namespace warpsim::remote;

int warpsim::cudart::unsupported(const char* name, const void* return_address) {
  const ProgramCall here(return_address);
  return WARPSIM_DEVICE_CALL(unsupported)(name);
}

/// Records the location of the program's call, which the device may query.
#define WARPSIM_HERE()                                     \
  const ProgramCall here(__builtin_return_address(0));     \
  if (!is_connected()) return cudaErrorInsufficientDriver; \
  tell_registrations()

extern "C" {

const char* cudaGetErrorName(cudaError_t error) {
  look_at_error(error);
  return warpsim::cudart::error_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
  look_at_error(error);
  return warpsim::cudart::error_text(error);
}

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                            cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
  WARPSIM_HERE();
  TextBuffer text;
  const cudaError_t error =
      WARPSIM_DEVICE_CALL(pci_bus_id)(id == nullptr ? nullptr : &text, length, device);
  if (error == cudaSuccess) std::memcpy(id, text.text, std::strlen(text.text) + 1);
  return error;
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
  WARPSIM_HERE();
  TextBuffer text;
  const cudaError_t error =
      WARPSIM_DEVICE_CALL(function_name)(name == nullptr ? nullptr : &text, function);
  if (error == cudaSuccess) *name = keep(text.text);
  return error;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  WARPSIM_HERE();
  std::uint64_t number = 0;
  if (value != nullptr) std::memcpy(&number, value, bytes_of(attribute));
  return WARPSIM_DEVICE_CALL(set_pool_attribute)(pool, attribute,
                                                 value == nullptr ? nullptr : &number);
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  WARPSIM_HERE();
  std::uint64_t number = 0;
  const cudaError_t error = WARPSIM_DEVICE_CALL(get_pool_attribute)(
      pool, attribute, value == nullptr ? nullptr : &number);
  if (error == cudaSuccess) std::memcpy(value, &number, bytes_of(attribute));
  return error;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  WARPSIM_HERE();
  return WARPSIM_DEVICE_CALL(get_graph_memory)(device, attribute,
                                               static_cast<std::uint64_t*>(value));
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                           void* value) {
  WARPSIM_HERE();
  return WARPSIM_DEVICE_CALL(set_graph_memory)(device, attribute,
                                               static_cast<const std::uint64_t*>(value));
}

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* pointer) {
  WARPSIM_HERE();
  return WARPSIM_DEVICE_CALL(freed_by_node)(node, static_cast<void**>(pointer));
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  WARPSIM_HERE();
  DeviceList list;
  const int most = static_cast<int>(std::size(list.devices));
  if (devices != nullptr) std::copy_n(devices, std::clamp(count, 0, most), list.devices);
  return WARPSIM_DEVICE_CALL(set_valid_devices)(devices == nullptr ? nullptr : &list,
                                                std::min(count, most));
}

cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, cudaJitOption*, void**,
                                unsigned, cudaLibraryOption*, void**, unsigned) {
  WARPSIM_HERE();
  return WARPSIM_DEVICE_CALL(load_library)(library, code);
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* path, cudaJitOption*,
                                    void**, unsigned, cudaLibraryOption*, void**, unsigned) {
  WARPSIM_HERE();
  if (path == nullptr) return cudaErrorInvalidValue;
  std::ifstream file(path, std::ios::binary);
  if (!file) return cudaErrorFileNotFound;
  std::ostringstream stream;
  stream << file.rdbuf();
  return WARPSIM_DEVICE_CALL(load_library)(library, stream.str().c_str());
}

// Functions of the host that the device has no part in.

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long,
                                    cudaDriverEntryPointQueryResult* status) {
  return warpsim::cudart::driver_entry(symbol, function, status);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, unsigned long long,
                                         cudaDriverEntryPointQueryResult* status) {
  return warpsim::cudart::driver_entry(symbol, function, status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned,
                                             unsigned long long,
                                             cudaDriverEntryPointQueryResult* status) {
  return warpsim::cudart::driver_entry(symbol, function, status);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function, unsigned,
                                                  unsigned long long,
                                                  cudaDriverEntryPointQueryResult* status) {
  return warpsim::cudart::driver_entry(symbol, function, status);
}

cudaError_t __cudaHarnessCallBegins(const warpsim::cudart::HarnessCall* call) {
  WARPSIM_HERE();
  if (call != nullptr) warpsim::cudart::faults_come_through(call->fault_handler);
  return WARPSIM_DEVICE_CALL(harness_call_begins)(call);
}

cudaError_t __cudaHarnessCallEnds() {
  WARPSIM_HERE();
  return WARPSIM_DEVICE_CALL(harness_call_ends)();
}

}  // extern "C"

namespace warpsim::remote {

cudaError_t ask_capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status,
                             unsigned long long* id, cudaGraph_t* graph,
                             const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** data,
                             size_t* count, const void* return_address) {
  const ProgramCall here(return_address);
  if (!is_connected()) return cudaErrorInsufficientDriver;
  tell_registrations();
  thread_local std::vector<cudaGraphNode_t> nodes;  // valid until the program's next call
  nodes.resize(kMostList);
  std::size_t found = nodes.size();
  const bool wanted = dependencies != nullptr || count != nullptr;
  if (data != nullptr) *data = nullptr;
  const cudaError_t error = WARPSIM_DEVICE_CALL(capture_info)(
      stream, status, id, graph, wanted ? nodes.data() : nullptr, &found);
  const bool active =
      error == cudaSuccess && status != nullptr && *status == cudaStreamCaptureStatusActive;
  if (active && dependencies != nullptr) *dependencies = nodes.data();
  if (active && count != nullptr) *count = found;
  return error;
}

cudaError_t ask_update_capture(cudaStream_t stream, const cudaGraphNode_t* nodes, size_t count,
                               unsigned flags, const void* return_address) {
  const ProgramCall here(return_address);
  if (!is_connected()) return cudaErrorInsufficientDriver;
  tell_registrations();
  return WARPSIM_DEVICE_CALL(update_capture)(stream, nodes, count, flags);
}

}  // namespace warpsim::remote
