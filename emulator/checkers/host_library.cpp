#include "emulator/checkers/host_library.h"

#include <fmt/format.h>

#include "emulator/findings/plural.h"

namespace warpsim {
namespace {

/// "`A` (4 x 5 with lda 4)"
std::string in_words(const ArgumentView& argument) {
  return fmt::format("`{}` ({})", argument.name, argument.shape);
}

}  // namespace

Finding out_of_bounds_argument(const CallSite& site, const ArgumentView& argument) {
  const GlobalMemory::Allocation& allocation = *argument.pointer.allocation;
  const std::uint64_t offset = argument.pointer.address - allocation.base;
  Finding finding = finding_at(
      argument.written ? FindingKind::oob_global_write : FindingKind::oob_global_read, site,
      fmt::format("{}: {} goes past the end of {} ({})", site.api, in_words(argument),
                  allocation.in_words(), plural(allocation.size, "byte")));
  finding.allocation = allocation.id;
  finding.got = fmt::format("{} from offset {}", plural(argument.bytes, "byte"), offset);
  finding.want = fmt::format("at most {} from there", plural(allocation.size - offset, "byte"));
  finding.next =
      "Check the sizes, the leading dimension or the increment, and the order of the arguments.";
  return finding;
}

Finding bad_argument_pointer(const CallSite& site, const ArgumentView& argument) {
  using Memory = PointerView::Memory;
  FindingKind kind =
      argument.written ? FindingKind::oob_global_write : FindingKind::oob_global_read;
  std::string_view next = "Check how the pointer was computed.";
  switch (argument.pointer.memory) {
    case Memory::null:
      kind = FindingKind::null_pointer;
      next = "Check that the allocation was made and succeeded.";
      break;
    case Memory::freed:
      kind = FindingKind::use_after_free;
      next = "Free memory after its last use.";
      break;
    case Memory::host:
      kind = FindingKind::host_pointer_in_kernel;
      next = "Copy the data to device memory first, and pass the pointer to that.";
      break;
    default:
      break;
  }
  Finding finding = finding_at(
      kind, site,
      fmt::format("{}: {} is {}", site.api, in_words(argument), describe(argument.pointer)));
  if (kind == FindingKind::use_after_free && argument.pointer.allocation->freed_by) {
    finding.got = fmt::format("freed by {}", argument.pointer.allocation->freed_by());
  }
  finding.want = "a pointer to memory of the device";
  finding.next = next;
  return finding;
}

Finding misaligned_argument(const CallSite& site, const ArgumentView& argument,
                            std::uint64_t alignment) {
  Finding finding =
      finding_at(FindingKind::misaligned_global, site,
                 fmt::format("{}: the address of {} is not a multiple of {}", site.api,
                             in_words(argument), plural(alignment, "byte")));
  finding.got =
      fmt::format("address {:#x}, in {}", argument.pointer.address, describe(argument.pointer));
  finding.want = fmt::format("a multiple of {}, the size of an element", alignment);
  finding.next = "Check how the pointer was computed.";
  return finding;
}

Finding argument_of_other_device(const CallSite& site, const ArgumentView& argument, int device) {
  const int owner = argument.pointer.allocation->device;
  Finding finding = finding_at(FindingKind::no_peer_access, site,
                               fmt::format("{} on device {}: {} is memory of device {}", site.api,
                                           device, in_words(argument), owner));
  finding.got = fmt::format("memory that device {} may not use", device);
  finding.want = fmt::format("memory of device {}, or peer access to device {}", device, owner);
  finding.next = fmt::format("Call cudaDeviceEnablePeerAccess({}, 0) while device {} is current.",
                             owner, device);
  return finding;
}

Finding unwritten_argument(const CallSite& site, const ArgumentView& argument,
                           std::uint64_t offset) {
  const GlobalMemory::Allocation& allocation = *argument.pointer.allocation;
  Finding finding = finding_at(FindingKind::unwritten_global_read, site,
                               fmt::format("{} reads uninitialized bytes of {} in {}", site.api,
                                           in_words(argument), allocation.in_words()));
  finding.got = fmt::format("first uninitialized byte at offset {} of {}", offset, allocation.size);
  finding.want = "memory written by a copy, a memset or a kernel";
  finding.next = "Check what should have written it before this call.";
  return finding;
}

Finding refused_argument(const CallSite& site, std::string_view got, std::string_view want,
                         std::string_view status) {
  Finding finding = finding_at(FindingKind::library_argument, site,
                               fmt::format("{} refuses its arguments: {}", site.api, got));
  finding.got = fmt::format("the call returned {} and did nothing", status);
  finding.want = want;
  finding.next = "Check the status that the library's functions return.";
  return finding;
}

Finding wrong_contents(const CallSite& site, std::string_view got, std::string_view want) {
  Finding finding =
      finding_at(FindingKind::library_argument, site, fmt::format("{}: {}", site.api, got));
  finding.got = "the call's work was not done";
  finding.want = want;
  finding.next = "Check what wrote the indices, and the sizes and the index base of the matrix.";
  return finding;
}

Finding unsupported_argument(const CallSite& site, std::string_view got, std::string_view want,
                             std::string_view status) {
  Finding finding = finding_at(
      FindingKind::unsupported_api, site,
      fmt::format("{} is not supported by the emulator with these arguments: {}", site.api, got));
  finding.got = fmt::format("the call returned {} and did nothing", status);
  finding.want = want;
  finding.next = "Run this part of the program on a GPU.";
  return finding;
}

}  // namespace warpsim
