#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "emulator/checkers/faults/faults.h"
#include "emulator/checkers/host_virtual_memory.h"
#include "emulator/findings/plural.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/virtual_memory.h"

// Findings of accesses to memory.

namespace warpsim {
namespace {

const char* verb(AccessType type) {
  switch (type) {
    case AccessType::load:
      return "read";
    case AccessType::store:
      return "write";
    case AccessType::atomic:
      break;
  }
  return "atomic update";
}

/// The one of two kinds that an access is.
FindingKind kind_of(AccessType type, FindingKind read, FindingKind write) {
  return type == AccessType::load ? read : write;
}

using Unusable = VirtualMemory::Unusable;

/// Why an address of a reserved range cannot be used; nothing for other addresses, and where the
/// kernel meant an array elsewhere.
std::optional<Unusable> in_reserved_range(const faults::BadGlobal& fault, std::uint64_t address) {
  const LaunchState& launch = *fault.warp.block->launch;
  const GlobalMemory& memory = *launch.memory;
  if (!memory.virtual_memory().has_address(address)) return std::nullopt;
  if (fault.near != nullptr && !fault.near->mapped) return std::nullopt;
  const bool writes = fault.type != AccessType::load;
  return memory.virtual_memory().unusable(address, writes ? launch.device : -1);
}

/// An address that a kernel may not use, by what is there.
FindingKind kind_of(const faults::BadGlobal& fault, std::uint64_t address,
                    const std::optional<Unusable>& reserved) {
  const GlobalMemory& memory = *fault.warp.block->launch->memory;
  if (fault.null) return FindingKind::null_pointer;
  if (reserved) {
    const bool ended =
        reserved->why == Unusable::Why::unmapped || reserved->why == Unusable::Why::freed;
    if (ended) return FindingKind::use_after_free;
    const bool others = reserved->why == Unusable::Why::no_access && reserved->access != 0;
    if (others) return FindingKind::no_peer_access;
    return kind_of(fault.type, FindingKind::oob_global_read, FindingKind::oob_global_write);
  }
  if (fault.no_peer_access) return FindingKind::no_peer_access;
  if (fault.near != nullptr && fault.near->freed) return FindingKind::use_after_free;
  if (fault.near == nullptr && !memory.near_device_range(address)) {
    return FindingKind::host_pointer_in_kernel;
  }
  return kind_of(fault.type, FindingKind::oob_global_read, FindingKind::oob_global_write);
}

FindingKind misaligned_kind(std::string_view space) {
  if (space == "global") return FindingKind::misaligned_global;
  if (space == "shared") return FindingKind::misaligned_shared;
  if (space == "local") return FindingKind::misaligned_local;
  if (space == "surface") return FindingKind::misaligned_surface;
  return FindingKind::misaligned_generic;
}

/// What a program does to let kernels of one device use the memory of another.
std::string enable_peer_access(int device, const GlobalMemory::Allocation& allocation) {
  if (allocation.kind != GlobalMemory::Kind::device) {
    return "Peer access does not extend to device variables: copy it with cudaMemcpyPeer.";
  }
  return fmt::format(
      "Call cudaDeviceEnablePeerAccess({}, 0) while device {} is current, after "
      "cudaDeviceCanAccessPeer allows it; or copy the data with cudaMemcpyPeer.",
      allocation.device, device);
}

std::string allocation_name(const GlobalMemory::Allocation& allocation) {
  return fmt::format("{} ({})", allocation.in_words(), plural(allocation.size, "byte"));
}

/// Counts a finding, without its texts, if one of this kind was made earlier at the same place:
/// only the earliest is shown, and an index that is wrong in a loop makes thousands.
/// @returns whether it was counted
bool only_counted(const WarpContext& context, const Inst& in, FindingKind kind) {
  const LaunchState& launch = *context.block->launch;
  if (launch.debugger != nullptr || comes_first(context, in, kind, context.executed)) return false;
  const SourcePlace place = source_place(*context.frame().program, in.index);
  if (place.line == 0) return false;
  Finding f(kind);
  f.kernel = launch.kernel_name;
  f.file = place.file;
  f.line = place.line;
  f.order = {launch.launch_number, context.block->linear, order_in_block(context)};
  log(context, std::move(f));
  return true;
}

/// Where the system puts a program's own memory differs from run to run, and a report must not.
std::string foreign_address(std::uint64_t address) {
  constexpr std::uint64_t kPrograms = 0x5500'0000'0000;
  constexpr std::uint64_t kEnd = 0x8000'0000'0000;
  return address >= kPrograms && address < kEnd
             ? "an address of host memory, or an uninitialized pointer"
             : fmt::format("address {:#x}, probably an uninitialized pointer", address);
}

/// The texts for an address of a reserved range. @param what  "4-byte read"
void describe_reserved(Finding& f, const Unusable& reserved, const std::string& what,
                       const GlobalMemory::Allocation* near, int device) {
  f.message = fmt::format("{} in {} ({} of addresses), {}", what, reserved.range,
                          plural(reserved.range_bytes, "byte"), in_words(reserved));
  f.got = fmt::format("byte offset {} of the range", reserved.offset);
  switch (reserved.why) {
    case Unusable::Why::not_mapped:
      f.got +=
          fmt::format(", of which the first {} are mapped", plural(reserved.mapped_bytes, "byte"));
      f.want = near != nullptr ? fmt::format("an address in {}", allocation_name(*near))
                               : "an address where cuMemMap has mapped memory";
      f.next =
          "Compare the index with the number of elements, or map more memory before the launch.";
      return;
    case Unusable::Why::no_access:
      f.pitfall.clear();  // no index is wrong
      f.want = fmt::format("access of device {}", device);
      f.next =
          "After cuMemMap call cuMemSetAccess for the mapping and this device, with "
          "CU_MEM_ACCESS_FLAGS_PROT_READWRITE.";
      return;
    case Unusable::Why::read_only:
      f.pitfall.clear();
      f.want = fmt::format("access of device {} for reading and writing", device);
      f.next =
          "Call cuMemSetAccess with CU_MEM_ACCESS_FLAGS_PROT_READWRITE before the launch, or write "
          "through another mapping of the memory.";
      return;
    case Unusable::Why::unmapped:
      f.got += fmt::format(", unmapped by {}", reserved.by());
      f.want = "memory that is still mapped";
      f.next = "Unmap memory only after the last kernel that uses it.";
      return;
    case Unusable::Why::freed:
      f.got += fmt::format(", freed by {}", reserved.by());
      f.want = "memory that is still mapped";
      f.next = "Unmap memory and free its addresses only after the last kernel that uses them.";
      return;
  }
}

}  // namespace

void report(const faults::BadGlobal& fault) {
  const auto& [context, in, lanes, addresses, width, type, there, near, null, no_peer_access] =
      fault;
  const std::uint64_t address = addresses[std::countr_zero(lanes)];
  const LaunchState& launch = *context.block->launch;
  const std::optional<Unusable> reserved = in_reserved_range(fault, address);
  const FindingKind kind = kind_of(fault, address, reserved);
  if (only_counted(context, in, kind)) return;
  Finding f = finding_at(context, in, lanes, kind);
  f.allocation = near != nullptr ? near->id : 0;
  const std::string what = fmt::format("{}-byte {}", width, verb(type));
  if (f.kind == FindingKind::null_pointer) {
    f.message = fmt::format("{} through a null pointer", what);
    f.got = fmt::format("address {:#x}", address);
    f.want = "an address inside an allocation";
    f.next =
        "Check that the pointer was allocated and passed to the kernel, and that the "
        "allocation's error was checked.";
  } else if (reserved) {
    if (near != nullptr && reserved->why == Unusable::Why::not_mapped) {
      f.access = {.offset = static_cast<std::int64_t>(address - near->base),
                  .width = width,
                  .bytes = near->size};
    }
    describe_reserved(f, *reserved, what, near, launch.device);
  } else if (f.kind == FindingKind::no_peer_access) {
    f.message = fmt::format("{} of {}, which is memory of device {}, by a kernel on device {}",
                            what, allocation_name(*near), near->device, launch.device);
    f.got = fmt::format("byte offset {} of memory that device {} may not use", address - near->base,
                        launch.device);
    f.want = fmt::format("memory of device {}, or peer access to device {}", launch.device,
                         near->device);
    f.next = enable_peer_access(launch.device, *near);
  } else if (f.kind == FindingKind::use_after_free) {
    const bool never = near->comes_back && near->freed_by == nullptr;
    f.message = fmt::format("{} of {} memory: {}", what, never ? "a graph's" : "freed",
                            allocation_name(*near));
    f.got = never
                ? fmt::format("byte offset {} of memory that no launch of its graph has allocated",
                              address - near->base)
                : fmt::format("byte offset {} of memory freed by {}", address - near->base,
                              near->freed_by ? near->freed_by() : std::string());
    f.want = "memory that is still allocated";
    f.next = near->comes_back
                 ? "Use a graph's memory after the node that allocates it and before the one that "
                   "frees it."
                 : "Free the buffer only after the last kernel that uses it.";
  } else if (near != nullptr) {
    f.access = {.offset = static_cast<std::int64_t>(address - near->base),
                .width = width,
                .bytes = near->size};
    f.message = fmt::format("{} {} {}", what,
                            f.access.offset >= 0 ? "past the end of" : "before the start of",
                            allocation_name(*near));
    f.got = f.access.in_words();
    if (near != there && there != nullptr && address - there->base < there->size) {
      f.got += fmt::format(", which is in {}{}", there->freed ? "freed memory, " : "",
                           there->in_words());
    }
    f.want = fmt::format("an offset of 0 to {}", near->size >= width ? near->size - width : 0);
    f.next = "Compare the index with the number of elements before the access.";
  } else if (f.kind == FindingKind::host_pointer_in_kernel) {
    f.message = fmt::format("{} at an address that is not device memory", what);
    f.got = foreign_address(address);
    f.want = "an address from cudaMalloc or another device allocation";
    f.next = "Check that the kernel gets the device pointer, not the host array.";
  } else {
    f.message = fmt::format("{} far from every allocation", what);
    f.got = fmt::format("address {:#x}", address);
    f.want = "an address inside an allocation";
    f.next = "Check the index computation: overflow, a negative index, or bytes for elements.";
  }
  log(context, std::move(f));
}

void report(const faults::BadShared& fault) {
  const auto& [context, in, lanes, offsets, width, type] = fault;
  const LaunchState& launch = *context.block->launch;
  const std::uint32_t offset = offsets[std::countr_zero(lanes)];
  const FindingKind kind =
      kind_of(type, FindingKind::oob_shared_read, FindingKind::oob_shared_write);
  if (only_counted(context, in, kind)) return;
  Finding f = finding_at(context, in, lanes, kind);
  const SharedArray* near = nullptr;
  for (const SharedArray& array : launch.shared_arrays) {
    if (array.offset <= offset) near = &array;
  }
  const std::string what = fmt::format("{}-byte {}", width, verb(type));
  // Negative indices wrap to offsets after everything.
  const bool wrapped = offset > 0x80000000u;
  if (near == nullptr || wrapped) {
    if (launch.shared_arrays.empty()) {
      f.message = fmt::format("{} of shared memory, but the block has none", what);
      f.got = fmt::format("offset {}", static_cast<std::int32_t>(offset));
      f.want = "a __shared__ array, or a dynamic size in the launch's third parameter";
    } else {
      const SharedArray& first = launch.shared_arrays.front();
      f.message = fmt::format("{} before the start of shared array `{}`", what, first.name);
      f.got = fmt::format("byte offset {}", static_cast<std::int32_t>(offset - first.offset));
      f.want = fmt::format("an offset of 0 to {}", first.bytes - std::min(first.bytes, width));
    }
  } else {
    f.message = fmt::format("{} past the end of shared array `{}` ({})", what, near->name,
                            plural(near->bytes, "byte"));
    f.access = {.offset = offset - near->offset, .width = width, .bytes = near->bytes};
    f.got = f.access.in_words();
    f.want = near->bytes >= width ? fmt::format("an offset of 0 to {}", near->bytes - width)
                                  : "dynamic shared memory: give its size in bytes as the launch's "
                                    "third parameter";
    if (near == &launch.shared_arrays.back() &&
        launch.program->kernel->shared.bytes == near->offset) {
      f.pitfall = "P48";
    }
  }
  f.next = "Compare the index with the array's size; sizes in a launch are bytes, not elements.";
  log(context, std::move(f));
}

void report(const faults::BadLocal& fault) {
  const auto& [context, in, lanes, offsets, width, type] = fault;
  Finding f = finding_at(context, in, lanes,
                         kind_of(type, FindingKind::oob_local_read, FindingKind::oob_local_write));
  const Frame& frame = context.frame();
  f.message = fmt::format("{}-byte {} outside the thread's local arrays ({})", width, verb(type),
                          plural(frame.program->local_bytes, "byte"));
  f.got = fmt::format("byte offset {}", static_cast<std::int64_t>(offsets[std::countr_zero(lanes)] -
                                                                  frame.local_base));
  f.want = fmt::format("an offset of 0 to {}",
                       frame.program->local_bytes - std::min(frame.program->local_bytes, width));
  f.next = "Compare the index with the size of the array declared in the kernel or function.";
  log(context, std::move(f));
}

void report(const faults::Misaligned& fault) {
  const auto& [context, in, lanes, address, width, space] = fault;
  Finding f = finding_at(context, in, lanes, misaligned_kind(space));
  f.message = fmt::format("{}-byte {} access at an address that is not a multiple of {}", width,
                          space, width);
  f.got = fmt::format("address {:#x}, {} past a multiple of {}", address, address % width, width);
  f.want = fmt::format("an address divisible by {}", width);
  f.next =
      "A vector type such as float4 needs a pointer aligned to its size; check casts and "
      "offsets.";
  log(context, std::move(f));
}

void report(const faults::WriteToConstant& fault) {
  const auto& [context, in, lanes, address] = fault;
  Finding f = finding_at(context, in, lanes, FindingKind::write_to_constant);
  f.message = "write to constant memory";
  f.got = fmt::format("address {:#x}", address);
  f.want = "constant memory is filled by the host with cudaMemcpyToSymbol";
  f.next = "Use a __device__ array if kernels have to write it.";
  log(context, std::move(f));
}

}  // namespace warpsim
