#include "emulator/cudart/virtual_memory.h"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <string>
#include <utility>

#include "emulator/checkers/host_library.h"
#include "emulator/checkers/host_virtual_memory.h"
#include "emulator/cudart/finish.h"

namespace warpsim::cudart {
namespace {

constexpr std::uint64_t kGranularity = VirtualMemory::kGranularity;

/// What a call wants instead of what it got.
struct Refusal {
  std::string got, want;
};

/// What a card refuses, too.
cudaError_t refuse(Call& call, const Refusal& refusal, cudaError_t error = cudaErrorInvalidValue) {
  const char* const status =
      error == cudaErrorNotSupported ? "CUDA_ERROR_NOT_SUPPORTED" : "CUDA_ERROR_INVALID_VALUE";
  call.runtime.report(refused_argument(call.site(), refusal.got, refusal.want, status));
  return error;
}

std::string granularity() {
  return fmt::format("a multiple of {}, which cuMemGetAllocationGranularity gives", kGranularity);
}

/// A size, and an address or 0.
std::optional<Refusal> check_multiples(std::uint64_t address, std::uint64_t bytes) {
  if (bytes == 0 || bytes % kGranularity != 0) {
    return Refusal{fmt::format("the size is {}", bytes), granularity()};
  }
  if (address % kGranularity != 0) {
    return Refusal{fmt::format("the address is {} past a multiple of {}", address % kGranularity,
                               kGranularity),
                   granularity()};
  }
  if (address > UINT64_MAX - bytes) {
    return Refusal{"the range leaves the address space", "a reserved range"};
  }
  return std::nullopt;
}

/// Mappings that are exactly there.
std::optional<Refusal> check_mapped(const VirtualMemory& memory, std::uint64_t address,
                                    std::uint64_t bytes) {
  if (auto refusal = check_multiples(address, bytes)) return refusal;
  if (memory.is_mapped(address, address + bytes)) return std::nullopt;
  std::string got = "no memory is mapped at the beginning";
  if (const VirtualMemory::Mapping* const first = memory.find_mapping(address)) {
    got =
        first->base != address
            ? fmt::format("the address is {} bytes into a mapping", address - first->base)
            : "the range ends in the middle of a mapping, or memory is mapped in a part of it only";
  }
  return Refusal{std::move(got), "a range that consists of whole mappings, without gaps"};
}

VirtualMemory::Place place_of(const Call& call) {
  // Looked up when a finding needs it: that loads a library.
  return [name = call.name, frames = call.frames()] { return describe(resolve(name, frames)); };
}

Refusal unknown_handle(std::uint64_t handle) {
  return {fmt::format("{:#x} is no handle of memory", handle),
          "a handle that was not released before"};
}

/// Neither of the two that change what a kernel may use waits for those that may still run.
/// @param still_read  it may go on reading
void find_early_change(Call& call, std::uint64_t begin, std::uint64_t end, bool still_read) {
  Runtime& runtime = call.runtime;
  const auto use = runtime.stream_races.pending(begin, end);
  if (!use || (still_read && !use->earlier_writes)) return;
  runtime.report(memory_taken_away(call.site(), pending_use(*use)));
}

cudaError_t remember(Call& call, std::uint64_t number) {
  call.runtime.virtual_memory_origins[number] = {.api = call.name, .frames = call.frames()};
  return cudaSuccess;
}

}  // namespace

cudaError_t reserve_addresses(Call& call, std::uint64_t& address, std::uint64_t bytes,
                              std::uint64_t alignment, std::uint64_t hint) {
  Runtime& runtime = call.runtime;
  if (auto refusal = check_multiples(0, bytes)) return refuse(call, *refusal);
  if (alignment != 0 && !std::has_single_bit(alignment)) {
    return refuse(call, {fmt::format("the alignment is {}", alignment), "a power of two, or 0"});
  }
  const VirtualMemory::Range* const range = runtime.memory.virtual_memory().reserve(
      bytes, alignment, hint, runtime.allocations.next_name(call.name));
  if (range == nullptr) return cudaErrorMemoryAllocation;
  address = range->base;
  return remember(call, range->number);
}

cudaError_t free_addresses(Call& call, std::uint64_t address, std::uint64_t bytes) {
  VirtualMemory& memory = call.runtime.memory.virtual_memory();
  const VirtualMemory::Range* const range = memory.find_range(address);
  if (range == nullptr) {
    return refuse(call, {"there is no reserved range at the address",
                         "the address that cuMemAddressReserve returned, once"});
  }
  if (range->base != address || range->bytes != bytes) {
    return refuse(call, {fmt::format("{} bytes at offset {} of {}", bytes, address - range->base,
                                     range->name),
                         fmt::format("all of it: {} bytes at its address", range->bytes)});
  }
  if (memory.any_mapped(address, address + bytes)) {
    return refuse(call, {fmt::format("memory is mapped in {}", range->name),
                         "a range without mappings: call cuMemUnmap before"});
  }
  memory.free_range(address, place_of(call));
  return cudaSuccess;
}

cudaError_t create_memory(Call& call, std::uint64_t& handle, std::uint64_t bytes, int device,
                          unsigned handle_types) {
  Runtime& runtime = call.runtime;
  if (!runtime.has_device(device)) return cudaErrorInvalidDevice;
  if (auto refusal = check_multiples(0, bytes)) return refuse(call, *refusal);
  const VirtualMemory::Physical* const made = runtime.memory.virtual_memory().create(
      bytes, device, handle_types, runtime.allocations.next_name(call.name));
  if (made == nullptr) return cudaErrorMemoryAllocation;
  handle = made->number;
  return remember(call, handle);
}

cudaError_t release_memory(Call& call, std::uint64_t handle) {
  VirtualMemory& memory = call.runtime.memory.virtual_memory();
  if (memory.find(handle) == nullptr) return refuse(call, unknown_handle(handle));
  memory.release(handle);
  return cudaSuccess;
}

cudaError_t map_memory(Call& call, std::uint64_t address, std::uint64_t bytes, std::uint64_t offset,
                       std::uint64_t handle) {
  VirtualMemory& memory = call.runtime.memory.virtual_memory();
  const VirtualMemory::Physical* const mapped = memory.find(handle);
  if (mapped == nullptr) return refuse(call, unknown_handle(handle));
  if (auto refusal = check_multiples(address, bytes)) return refuse(call, *refusal);
  const VirtualMemory::Range* const range = memory.find_range(address);
  if (range == nullptr || range->end() - address < bytes) {
    return refuse(call,
                  {range == nullptr ? "the address is in no reserved range"
                                    : fmt::format("{} bytes at offset {} of {} ({} bytes)", bytes,
                                                  address - range->base, range->name, range->bytes),
                   "addresses in one range of cuMemAddressReserve"});
  }
  if (offset != 0 || bytes < mapped->bytes) {
    return refuse(call,
                  {fmt::format("{} bytes from offset {} of {} ({} bytes)", bytes, offset,
                               mapped->name, mapped->bytes),
                   "all of the memory, from offset 0"},
                  cudaErrorNotSupported);
  }
  if (bytes > mapped->bytes) {
    return refuse(call,
                  {fmt::format("{} bytes of {} ({} bytes)", bytes, mapped->name, mapped->bytes),
                   "the size that cuMemCreate got"});
  }
  if (memory.any_mapped(address, address + bytes)) {
    return refuse(call, {fmt::format("memory is mapped at offset {} of {} already",
                                     address - range->base, range->name),
                         "addresses without a mapping: call cuMemUnmap before"});
  }
  if (!memory.map(address, handle)) return cudaErrorMemoryAllocation;
  return remember(call, memory.find_mapping(address)->number);
}

cudaError_t unmap_memory(Call& call, std::uint64_t address, std::uint64_t bytes) {
  Runtime& runtime = call.runtime;
  VirtualMemory& memory = runtime.memory.virtual_memory();
  if (auto refusal = check_mapped(memory, address, bytes)) return refuse(call, *refusal);
  find_early_change(call, address, address + bytes, false);
  // Later memory at these addresses is unrelated.
  runtime.stream_races.forget(address, address + bytes);
  memory.unmap(address, address + bytes, place_of(call));
  return cudaSuccess;
}

cudaError_t set_access(Call& call, std::uint64_t address, std::uint64_t bytes, int device,
                       bool reads, bool writes) {
  VirtualMemory& memory = call.runtime.memory.virtual_memory();
  if (!call.runtime.has_device(device)) return cudaErrorInvalidDevice;
  if (auto refusal = check_mapped(memory, address, bytes)) return refuse(call, *refusal);
  if (!writes) find_early_change(call, address, address + bytes, reads);
  memory.set_access(address, address + bytes, device, reads, writes);
  return cudaSuccess;
}

cudaError_t retain_memory(Call& call, std::uint64_t& handle, std::uint64_t address) {
  VirtualMemory& memory = call.runtime.memory.virtual_memory();
  const VirtualMemory::Mapping* const mapping = memory.find_mapping(address);
  if (mapping == nullptr) {
    return refuse(call, {"no memory is mapped at the address", "an address in a mapping"});
  }
  handle = mapping->memory->number;
  memory.retain(handle);
  return cudaSuccess;
}

cudaError_t export_memory(Call& call, int& descriptor, std::uint64_t handle) {
  VirtualMemory& memory = call.runtime.memory.virtual_memory();
  const VirtualMemory::Physical* const exported = memory.find(handle);
  if (exported == nullptr) return refuse(call, unknown_handle(handle));
  if (exported->handle_types == 0) {
    return refuse(call, {fmt::format("{} was created without handle types", exported->name),
                         "CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR among the properties that "
                         "cuMemCreate got"});
  }
  descriptor = memory.export_file(handle);
  return descriptor < 0 ? cudaErrorOperatingSystem : cudaSuccess;
}

cudaError_t import_memory(Call& call, std::uint64_t& handle, int descriptor) {
  VirtualMemory& memory = call.runtime.memory.virtual_memory();
  const VirtualMemory::Physical* const imported = memory.imported(descriptor);
  if (imported == nullptr) {
    call.runtime.report(unsupported_argument(
        call.site(), "the descriptor is of no memory of this process",
        "a descriptor of cuMemExportToShareableHandle in the same process: each process has an "
        "emulated device of its own",
        "CUDA_ERROR_NOT_SUPPORTED"));
    return cudaErrorNotSupported;
  }
  handle = imported->number;
  return cudaSuccess;
}

void find_virtual_memory_leaks(Runtime& runtime) {
  const VirtualMemory& memory = runtime.memory.virtual_memory();
  const auto origin = [&](std::uint64_t number) {
    const auto found = runtime.virtual_memory_origins.find(number);
    return found == runtime.virtual_memory_origins.end()
               ? CallSite{}
               : resolve(found->second.api, found->second.frames);
  };
  for (const auto* handle : memory.held()) {
    runtime.report(leaked_handle(*handle, origin(handle->number)));
  }
  for (const auto* mapping : memory.mapped()) {
    runtime.report(
        leaked_mapping(*mapping, *memory.find_range(mapping->base), origin(mapping->number)));
  }
  for (const auto* range : memory.reserved()) {
    runtime.report(leaked_range(*range, origin(range->number)));
  }
}

}  // namespace warpsim::cudart
