#include "emulator/cudart/local/virtual_memory_calls.h"

#include "emulator/cudart/virtual_memory.h"

namespace warpsim::cudart {
namespace {

template <class Body>
cudaError_t done(Call& call, Body body) {
  try {
    return body(call);
  } catch (...) {
    return call.translate_exception();
  }
}

/// A call of the driver API, whose errors are not the runtime's.
template <class Body>
cudaError_t of_driver(const char* name, const void* from, Body body) {
  Call call(name, from);
  if (const cudaError_t refusal = call.refusal()) return refusal;
  if (const cudaError_t fault = call.runtime.errors.notice_fault()) return fault;
  return done(call, body);
}

/// The same for one that gives memory back: a kernel's fault does not prevent that (H200,
/// 2026-11-30).
template <class Body>
cudaError_t of_driver_after_faults(const char* name, const void* from, Body body) {
  Call call(name, from);
  if (const cudaError_t refusal = call.refusal()) return refusal;
  return done(call, body);
}

using From = VirtualMemoryCalls::From;

cudaError_t vmm_reserve(From from, std::uint64_t& address, std::uint64_t bytes,
                        std::uint64_t alignment, std::uint64_t hint) {
  return of_driver("cuMemAddressReserve", from, [&](Call& call) {
    return reserve_addresses(call, address, bytes, alignment, hint);
  });
}

cudaError_t vmm_free(From from, std::uint64_t address, std::uint64_t bytes) {
  return of_driver_after_faults("cuMemAddressFree", from,
                                [&](Call& call) { return free_addresses(call, address, bytes); });
}

cudaError_t vmm_create(From from, std::uint64_t& handle, std::uint64_t bytes, int device,
                       unsigned handle_types) {
  return of_driver("cuMemCreate", from, [&](Call& call) {
    return create_memory(call, handle, bytes, device, handle_types);
  });
}

cudaError_t vmm_release(From from, std::uint64_t handle) {
  return of_driver_after_faults("cuMemRelease", from,
                                [&](Call& call) { return release_memory(call, handle); });
}

cudaError_t vmm_map(From from, std::uint64_t address, std::uint64_t bytes, std::uint64_t offset,
                    std::uint64_t handle) {
  return of_driver("cuMemMap", from,
                   [&](Call& call) { return map_memory(call, address, bytes, offset, handle); });
}

cudaError_t vmm_unmap(From from, std::uint64_t address, std::uint64_t bytes) {
  return of_driver_after_faults("cuMemUnmap", from,
                                [&](Call& call) { return unmap_memory(call, address, bytes); });
}

cudaError_t vmm_set_access(From from, std::uint64_t address, std::uint64_t bytes, int device,
                           bool reads, bool writes) {
  return of_driver("cuMemSetAccess", from, [&](Call& call) {
    return set_access(call, address, bytes, device, reads, writes);
  });
}

cudaError_t vmm_retain(From from, std::uint64_t& handle, std::uint64_t address) {
  return of_driver("cuMemRetainAllocationHandle", from,
                   [&](Call& call) { return retain_memory(call, handle, address); });
}

cudaError_t vmm_export(From from, int& descriptor, std::uint64_t handle) {
  return of_driver("cuMemExportToShareableHandle", from,
                   [&](Call& call) { return export_memory(call, descriptor, handle); });
}

cudaError_t vmm_import(From from, std::uint64_t& handle, int descriptor) {
  return of_driver("cuMemImportFromShareableHandle", from,
                   [&](Call& call) { return import_memory(call, handle, descriptor); });
}

bool vmm_memory(std::uint64_t handle, VirtualMemoryCalls::Memory& memory) {
  Call call("cuMemGetAllocationPropertiesFromHandle", nullptr);
  const VirtualMemory::Physical* const found = call.runtime.memory.virtual_memory().find(handle);
  if (found == nullptr) return false;
  memory = {.device = found->device, .handle_types = found->handle_types};
  return true;
}

bool vmm_place(std::uint64_t address, VirtualMemoryCalls::Place& place) {
  Call call("cuMemGetAccess", nullptr);
  const VirtualMemory& memory = call.runtime.memory.virtual_memory();
  const VirtualMemory::Mapping* const mapping = memory.find_mapping(address);
  if (mapping == nullptr) return false;
  const VirtualMemory::Range& range = *memory.find_range(address);
  place = {.range = range.base,
           .range_bytes = range.bytes,
           .mapping = mapping->base,
           .mapping_bytes = mapping->memory->bytes,
           .access = mapping->access,
           .read_only = mapping->read_only,
           .handle_types = mapping->memory->handle_types};
  return true;
}

}  // namespace

const VirtualMemoryCalls& virtual_memory_calls() {
  static const VirtualMemoryCalls calls = {.granularity = VirtualMemory::kGranularity,
                                           .reserve = vmm_reserve,
                                           .free = vmm_free,
                                           .create = vmm_create,
                                           .release = vmm_release,
                                           .map = vmm_map,
                                           .unmap = vmm_unmap,
                                           .set_access = vmm_set_access,
                                           .retain = vmm_retain,
                                           .to_descriptor = vmm_export,
                                           .from_descriptor = vmm_import,
                                           .memory = vmm_memory,
                                           .place = vmm_place};
  return calls;
}

}  // namespace warpsim::cudart
