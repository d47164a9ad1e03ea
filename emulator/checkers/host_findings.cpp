#include "emulator/checkers/host_findings.h"

#include <fmt/format.h>

#include "emulator/checkers/host_virtual_memory.h"
#include "emulator/findings/plural.h"

namespace warpsim {
namespace {

std::string describe_allocation(const GlobalMemory::Allocation& allocation) {
  return fmt::format("{}, {}", allocation.in_words(), plural(allocation.size, "byte"));
}

std::string describe_reserved(const VirtualMemory::Unusable& reserved) {
  return fmt::format("byte {} of {} ({} of addresses), {}", reserved.offset, reserved.range,
                     plural(reserved.range_bytes, "byte"), in_words(reserved));
}

/// Nothing where memory never was.
std::string end_of(const VirtualMemory::Unusable& reserved) {
  using Why = VirtualMemory::Unusable::Why;
  if (reserved.why == Why::unmapped) return fmt::format("unmapped by {}", reserved.by());
  return reserved.why == Why::freed ? fmt::format("freed by {}", reserved.by()) : "";
}

/// Why an allocation is not there.
std::string end_of(const GlobalMemory::Allocation& allocation) {
  if (allocation.freed_by) return fmt::format("freed by {}", allocation.freed_by());
  return allocation.comes_back ? "not yet allocated by a launch of its graph" : "";
}

std::string_view verb(CopyRole role) {
  return role == CopyRole::source ? "reads" : "writes";
}
std::string_view name_of(CopyRole role) {
  return role == CopyRole::source ? "source" : "destination";
}

/// "cudaMemcpyHostToDevice" wants ...
std::string wanted_pointers(std::string_view kind) {
  const bool from_device = kind.find("DeviceTo") != kind.npos;
  const bool to_device = kind.find("ToDevice") != kind.npos;
  return fmt::format("destination {} memory, source {} memory", to_device ? "device" : "host",
                     from_device ? "device" : "host");
}

/// The kind that would suit both pointers.
std::string_view fitting_kind(const PointerView& destination, const PointerView& source) {
  const bool to_device = destination.memory == PointerView::Memory::device;
  const bool from_device = source.memory == PointerView::Memory::device;
  if (to_device) return from_device ? "cudaMemcpyDeviceToDevice" : "cudaMemcpyHostToDevice";
  return from_device ? "cudaMemcpyDeviceToHost" : "cudaMemcpyHostToHost";
}

}  // namespace

std::string describe(const CallSite& site) {
  const std::string function = site.function.empty() ? "an unknown function" : site.function;
  const std::string call = site.api.empty() ? "" : fmt::format("{} called from ", site.api);
  if (site.line != 0) return fmt::format("{}:{}: {}{}", site.file, site.line, call, function);
  std::string place = function;
  if (!site.function.empty()) place += fmt::format("+{:#x}", site.offset);
  if (!site.object.empty()) place += fmt::format(" in {}", site.object);
  return call + place;
}

void place(Finding& finding, const CallSite& site) {
  finding.where = describe(site);
  // As for kernels without -lineinfo. Of code without a name there is no object to compile again.
  if (site.line == 0 && !site.function.empty()) {
    finding.where += " (compile with -Xcompiler=-g1 to see the source line)";
  }
  finding.file = site.file;
  finding.line = site.line;
}

Finding finding_at(FindingKind kind, const CallSite& site, std::string message) {
  Finding finding(kind);
  place(finding, site);
  finding.message = std::move(message);
  return finding;
}

PointerView view_pointer(const GlobalMemory& memory, const void* pointer) {
  using Memory = PointerView::Memory;
  using Kind = GlobalMemory::Kind;
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  if (address == 0) return {.address = 0, .memory = Memory::null, .allocation = nullptr};
  if (const GlobalMemory::Allocation* live = memory.find(address)) {
    const bool pinned = live->kind == Kind::pinned || live->kind == Kind::registered;
    return {.address = address,
            .memory = live->kind == Kind::managed ? Memory::managed
                      : pinned                    ? Memory::pinned
                                                  : Memory::device,
            .allocation = live};
  }
  if (!memory.in_device_range(address)) {
    return {.address = address, .memory = Memory::host, .allocation = nullptr};
  }
  if (memory.virtual_memory().has_address(address)) {
    return {.address = address,
            .memory = Memory::unallocated,
            .allocation = nullptr,
            .reserved = memory.virtual_memory().unusable(address)};
  }
  const GlobalMemory::Allocation* near = memory.nearest(address);
  if (near != nullptr && near->freed && address - near->base < near->size) {
    return {.address = address, .memory = Memory::freed, .allocation = near};
  }
  return {.address = address, .memory = Memory::unallocated, .allocation = near};
}

std::string describe(const PointerView& pointer) {
  using Memory = PointerView::Memory;
  switch (pointer.memory) {
    case Memory::device:
      return fmt::format("device memory ({})", describe_allocation(*pointer.allocation));
    case Memory::pinned:
      return fmt::format("pinned host memory ({})", describe_allocation(*pointer.allocation));
    case Memory::managed:
      return fmt::format("managed memory ({})", describe_allocation(*pointer.allocation));
    case Memory::freed:
      return fmt::format("freed device memory ({})", describe_allocation(*pointer.allocation));
    case Memory::unallocated:
      return pointer.reserved ? describe_reserved(*pointer.reserved)
                              : "device memory that is not allocated";
    case Memory::null:
      return "a null pointer";
    case Memory::host:
      return "host memory";
  }
  return "host memory";
}

Finding out_of_bounds_copy(const CallSite& site, CopyRole role, const PointerView& pointer,
                           std::uint64_t bytes) {
  const auto& allocation = *pointer.allocation;
  const std::uint64_t offset = pointer.address - allocation.base;
  Finding finding =
      finding_at(FindingKind::oob_copy, site,
                 fmt::format("{} of {} {} past the end of {} ({})", site.api, plural(bytes, "byte"),
                             verb(role), allocation.in_words(), plural(allocation.size, "byte")));
  finding.got = fmt::format("{} from offset {}", plural(bytes, "byte"), offset);
  finding.want = fmt::format("at most {} from there", plural(allocation.size - offset, "byte"));
  finding.next =
      "Sizes are in bytes: number of elements times sizeof(element), as in the "
      "allocation.";
  return finding;
}

Finding bad_copy_pointer(const CallSite& site, CopyRole role, const PointerView& pointer) {
  using Memory = PointerView::Memory;
  const std::string ended = pointer.reserved ? end_of(*pointer.reserved) : "";
  const bool freed = pointer.memory == Memory::freed || !ended.empty();
  const bool null = pointer.memory == Memory::null;
  const bool read_only = pointer.memory == Memory::device;
  Finding finding =
      finding_at(freed ? FindingKind::use_after_free : FindingKind::invalid_copy_pointer, site,
                 fmt::format("the {} of {} is {}", name_of(role), site.api, describe(pointer)));
  if (null || read_only) finding.pitfall.clear();  // null: of an allocation that failed, perhaps
  if (freed) finding.got = ended.empty() ? end_of(*pointer.allocation) : ended;
  finding.want = fmt::format("a {} inside {}", name_of(role),
                             read_only ? "memory that may be written" : "a live allocation");
  if (read_only) finding.got = "access for reading only (CU_MEM_ACCESS_FLAGS_PROT_READ)";
  finding.next =
      read_only ? "Give access with CU_MEM_ACCESS_FLAGS_PROT_READWRITE by cuMemSetAccess before."
      : freed   ? "Free memory after its last use."
      : null    ? "Check that the allocation was made and succeeded."
                : "Check how the pointer was computed.";
  return finding;
}

Finding memset_without_peer_access(const CallSite& site, const PointerView& pointer, int device) {
  const int owner = pointer.allocation->device;
  Finding finding =
      finding_at(FindingKind::no_peer_access, site,
                 fmt::format("{} by device {} of {}, which is memory of device {}", site.api,
                             device, describe_allocation(*pointer.allocation), owner));
  finding.got = fmt::format("memory that device {} may not use", device);
  finding.want = fmt::format("memory of device {}, or peer access to device {}", device, owner);
  finding.next = fmt::format(
      "Nothing was set. Call cudaSetDevice({}) before, or cudaDeviceEnablePeerAccess({}, 0) while "
      "device {} is current.",
      owner, owner, device);
  if (pointer.allocation->mapped) {
    finding.want = fmt::format("memory that device {} may access", device);
    finding.next = fmt::format(
        "Nothing was set. Call cuMemSetAccess for the mapping and device {} before.", device);
  }
  return finding;
}

Finding stream_of_other_device(const CallSite& site, const std::string& kernel, int device,
                               int current) {
  Finding finding =
      finding_at(FindingKind::stream_of_other_device, site,
                 fmt::format("{} is launched into a stream of device {} while device {} is "
                             "current",
                             kernel, device, current));
  finding.got = fmt::format("the kernel ran on device {}, as with CUDA 13", device);
  finding.want = "a stream of the current device";
  finding.next = fmt::format(
      "Call cudaSetDevice({}) before the launch: the CUDA programming guide says that a launch "
      "into "
      "another device's stream fails.",
      device);
  return finding;
}

Finding wrong_copy_direction(const CallSite& site, std::string_view kind,
                             const PointerView& destination, const PointerView& source,
                             bool fatal) {
  Finding finding = finding_at(FindingKind::wrong_copy_direction, site,
                               fmt::format("{} specifies {}, but its pointers imply {}", site.api,
                                           kind, fitting_kind(destination, source)));
  if (!fatal) finding.severity = Severity::warning;
  finding.got = fmt::format("destination {}, source {}", describe(destination), describe(source));
  finding.want = wanted_pointers(kind);
  const std::string_view fits = fitting_kind(destination, source);
  finding.next =
      fatal ? fmt::format(
                  "Nothing was copied. The order is (destination, source): swap the "
                  "pointers or use {}.",
                  fits)
            : fmt::format("The copy was made because addresses are unified; use {}.", fits);
  return finding;
}

Finding copy_of_symbol_shadow(const CallSite& site, CopyRole role, std::string_view variable) {
  Finding finding =
      finding_at(FindingKind::symbol_copied_by_address, site,
                 fmt::format("the {} of {} is the host's shadow of the device variable `{}`",
                             name_of(role), site.api, variable));
  finding.got = fmt::format("&{} taken in host code", variable);
  finding.want = "the variable's address on the device";
  finding.next = role == CopyRole::destination
                     ? fmt::format("Use cudaMemcpyToSymbol({}, ...).", variable)
                     : fmt::format("Use cudaMemcpyFromSymbol(..., {}, ...).", variable);
  return finding;
}

Finding out_of_bounds_array_copy(const CallSite& site, CopyRole role, const ArrayExtent& array,
                                 const ArrayExtent& at, const ArrayExtent& box) {
  const auto text = [](const ArrayExtent& e) {
    return fmt::format("{} bytes x {} rows x {}", e[0], e[1], e[2]);
  };
  Finding finding = finding_at(FindingKind::oob_copy, site,
                               fmt::format("{} {} outside a cudaArray", site.api, verb(role)));
  finding.got = fmt::format("{} from byte {}, row {}, slice {}", text(box), at[0], at[1], at[2]);
  finding.want = fmt::format("inside {}", text(array));
  finding.next =
      "cudaMemcpy2DToArray and FromArray take widths and offsets in bytes; cudaMemcpy3D with an "
      "array takes them in elements.";
  return finding;
}

Finding out_of_bounds_symbol_copy(const CallSite& site, std::string_view variable,
                                  std::uint64_t size, std::uint64_t offset, std::uint64_t bytes) {
  Finding finding = finding_at(FindingKind::oob_copy, site,
                               fmt::format("{} of {} goes past the end of `{}` ({})", site.api,
                                           plural(bytes, "byte"), variable, plural(size, "byte")));
  finding.got = fmt::format("{} from offset {}", plural(bytes, "byte"), offset);
  finding.want =
      fmt::format("at most {} from there", plural(offset < size ? size - offset : 0, "byte"));
  finding.next = "Sizes and offsets are in bytes: number of elements times sizeof(element).";
  return finding;
}

Finding memset_of_host_memory(const CallSite& site, const PointerView& pointer) {
  Finding finding =
      finding_at(FindingKind::invalid_copy_pointer, site,
                 fmt::format("the destination of {} is {}", site.api, describe(pointer)));
  finding.want = "device memory";
  finding.next = "Use memset for host memory.";
  return finding;
}

Finding unwritten_copy(const CallSite& site, const GlobalMemory::Allocation& allocation,
                       std::uint64_t offset) {
  Finding finding = finding_at(FindingKind::unwritten_copy, site,
                               fmt::format("{} copies uninitialized bytes of {} to the host",
                                           site.api, allocation.in_words()));
  finding.got = fmt::format("first uninitialized byte at offset {} of {}", offset, allocation.size);
  finding.want = "memory written by a copy, a memset or a kernel";
  finding.next = "Check that the kernel ran and that its threads write every element.";
  return finding;
}

Finding invalid_free(const CallSite& site, const PointerView& pointer,
                     std::string_view wanted_api) {
  Finding finding = finding_at(FindingKind::invalid_free, site,
                               fmt::format("{} of {}", site.api, describe(pointer)));
  if (pointer.allocation != nullptr && pointer.address != pointer.allocation->base) {
    finding.got = fmt::format("an address {} into it",
                              plural(pointer.address - pointer.allocation->base, "byte"));
    finding.want = "the address that the allocation returned";
  }
  finding.next =
      wanted_api.empty()
          ? "Free only memory allocated by the runtime, with the pointer that it returned."
          : fmt::format("Free such memory with {}.", wanted_api);
  return finding;
}

Finding double_free(const CallSite& site, const GlobalMemory::Allocation& allocation) {
  Finding finding = finding_at(
      FindingKind::double_free, site,
      fmt::format("{} of {}, which was freed before", site.api, describe_allocation(allocation)));
  finding.got = end_of(allocation);
  finding.want = "one free per allocation";
  finding.next = "Set a pointer to nullptr when its memory is freed; freeing nullptr is harmless.";
  return finding;
}

Finding endless_graph_loop(std::uint64_t rounds) {
  Finding finding = finding_at(FindingKind::instruction_budget, {},
                               fmt::format("the body of a conditional node ran {} times", rounds));
  finding.where = "a node of type cudaGraphCondTypeWhile";
  finding.got = "a condition that becomes 0";
  finding.want = "a kernel of the body that calls cudaGraphSetConditional(handle, 0) in the end";
  finding.next = "Check that every iteration makes progress towards the end of the loop.";
  return finding;
}

Finding leak(const GlobalMemory::Allocation& allocation, const CallSite& allocated) {
  Finding finding = finding_at(FindingKind::leak, allocated,
                               fmt::format("{} ({}) was never freed", allocation.in_words(),
                                           plural(allocation.size, "byte")));
  const bool pinned = allocation.kind == GlobalMemory::Kind::pinned;
  const bool array = allocated.api.ends_with("Array");
  finding.got = fmt::format("{} in use when the program ended", plural(allocation.size, "byte"));
  finding.want = "every allocation freed once";
  finding.next = fmt::format("Free it with {} when it is no longer used.", pinned  ? "cudaFreeHost"
                                                                           : array ? "cudaFreeArray"
                                                                                   : "cudaFree");
  return finding;
}

Finding freed_at_exit(const GlobalMemory::Allocation& allocation, const CallSite& allocated) {
  Finding finding = leak(allocation, allocated);
  finding.message = fmt::format("{} ({}) was freed only when the program ended",
                                allocation.in_words(), plural(allocation.size, "byte"));
  finding.got =
      fmt::format("{} in use when the function returned", plural(allocation.size, "byte"));
  finding.next = fmt::format(
      "{} Do so before the function returns: otherwise every call leaks as much.", finding.next);
  return finding;
}

Finding host_access(const CallSite& site, std::uint64_t address,
                    const GlobalMemory::Allocation* allocation) {
  std::string what = "device memory";
  if (allocation != nullptr) what += fmt::format(" ({})", describe_allocation(*allocation));
  Finding finding = finding_at(FindingKind::host_access_of_device_memory, site,
                               fmt::format("host code dereferences a pointer to {}", what));
  if (allocation != nullptr && address >= allocation->base) {
    finding.got = fmt::format("byte offset {}{}", address - allocation->base,
                              allocation->freed ? " of freed memory" : "");
  }
  finding.want = "a pointer to host memory";
  finding.next = "Copy the data to the host with cudaMemcpy, or use it inside a kernel.";
  return finding;
}

Finding host_access_before_sync(const CallSite& site, bool host_writes, const PendingUse& use) {
  Finding finding = finding_at(
      FindingKind::host_access_before_sync, site,
      fmt::format("host code {} {}, which {} may still {}", host_writes ? "writes" : "reads",
                  use.memory, use.user, use.writes ? "write" : "read"));
  finding.got = fmt::format("byte offset {}, with no synchronization after {}", use.offset,
                            describe(use.issued));
  finding.want = "a call in between that synchronizes with this work";
  finding.next =
      "Call cudaDeviceSynchronize, or wait for the stream or for an event recorded after the work, "
      "before host code uses the data.";
  return finding;
}

Finding stream_race(const CallSite& site, std::string_view work, const PendingUse& use,
                    bool work_writes) {
  const char* what = work_writes ? "writes" : "reads";
  if (work.starts_with("cudaFree")) what = "frees";
  const char* may = use.writes ? "still write" : "still read";
  if (use.user.starts_with("cudaMalloc")) may = "not have allocated yet";
  Finding finding = finding_at(FindingKind::stream_race, site,
                               fmt::format("{} {} {}, which {} of another stream may {}", work,
                                           what, use.memory, use.user, may));
  const auto is_copy = [](std::string_view call) { return call.starts_with("cudaMemcpy"); };
  if (is_copy(work) && is_copy(use.user) && work_writes && use.writes) {
    finding.detail = FindingDetail::copies_overlap;
  }
  finding.got = fmt::format("byte offset {}, unordered with {}", use.offset, describe(use.issued));
  finding.want = "both in one stream, or an event between the two";
  finding.next =
      "Record an event after the first and let the second stream wait for it "
      "(cudaEventRecord, cudaStreamWaitEvent), or use one stream for both.";
  return finding;
}

Finding unsupported_api(const CallSite& site, std::string_view result) {
  Finding finding = finding_at(FindingKind::unsupported_api, site,
                               fmt::format("{} is not supported by the emulator yet", site.api));
  finding.got = fmt::format("the call returned {}", result);
  finding.next = "Run this part of the program on a GPU.";
  return finding;
}

Finding driver_library(std::string_view name) {
  Finding finding(FindingKind::unsupported_api);
  finding.message = fmt::format("the program uses {}, which needs a driver and a GPU", name);
  finding.got = "its functions fail here with their own error codes";
  finding.want =
      "kernels compiled with the program, like those of CUB, Thrust and cuRAND's device API";
  finding.next = "Run this part of the program on a GPU.";
  return finding;
}

Finding unloadable_module(const CallSite& site, std::string_view why) {
  Finding finding = finding_at(FindingKind::unloadable_module, site, std::string(why));
  const bool other_card = why.find("--card") != why.npos;
  finding.want = other_card ? "device code for this card" : "device code as PTX";
  finding.next = other_card
                     ? "Choose the card with --card, or name its architecture in -gencode."
                     : "Compile with nvcc -cudart shared and without options that omit the PTX.";
  return finding;
}

}  // namespace warpsim
