#include "emulator/checkers/host_virtual_memory.h"

#include <fmt/format.h>

#include "emulator/findings/plural.h"

namespace warpsim {

Finding leaked_handle(const VirtualMemory::Physical& memory, const CallSite& made) {
  Finding finding = finding_at(
      FindingKind::leak, made,
      fmt::format("{} ({}) was never released", memory.name, plural(memory.bytes, "byte")));
  finding.got = fmt::format("{} not released when the program ended",
                            plural(std::uint64_t{memory.handles}, "handle"));
  finding.want = "one cuMemRelease for each handle that was created, retained or imported";
  finding.next =
      "Call cuMemRelease. It may come right after cuMemMap: the memory lives until it is unmapped.";
  return finding;
}

Finding leaked_mapping(const VirtualMemory::Mapping& mapping, const VirtualMemory::Range& range,
                       const CallSite& made) {
  Finding finding =
      finding_at(FindingKind::leak, made,
                 fmt::format("{} ({}) was never unmapped from {}", mapping.memory->name,
                             plural(mapping.memory->bytes, "byte"), range.name));
  finding.got = fmt::format("memory mapped at byte offset {} when the program ended",
                            mapping.base - range.base);
  finding.want = "every mapping removed once";
  finding.next = "Call cuMemUnmap before cuMemAddressFree: the memory is in use until then.";
  return finding;
}

Finding leaked_range(const VirtualMemory::Range& range, const CallSite& made) {
  Finding finding = finding_at(
      FindingKind::leak, made,
      fmt::format("{} ({} of addresses) was never freed", range.name, plural(range.bytes, "byte")));
  finding.got = "addresses reserved when the program ended";
  finding.want = "every range freed once";
  finding.next = "Call cuMemAddressFree with the range's address and size, after cuMemUnmap.";
  return finding;
}

Finding memory_taken_away(const CallSite& site, const PendingUse& use) {
  const bool unmaps = site.api == "cuMemUnmap";
  Finding finding = finding_at(FindingKind::stream_race, site,
                               fmt::format("{} {} {}, which {} may still {}", site.api,
                                           unmaps ? "unmaps" : "takes away access to", use.memory,
                                           use.user, use.writes ? "write" : "read"));
  finding.got = fmt::format("byte offset {}, with no synchronization after {}", use.offset,
                            describe(use.issued));
  finding.want = "a call in between that synchronizes with this work";
  finding.next = fmt::format(
      "Call cuStreamSynchronize or cudaDeviceSynchronize before: unlike cudaFree, {} does not "
      "wait, "
      "and a kernel that still uses the memory ends with an illegal address.",
      site.api);
  return finding;
}

std::string in_words(const VirtualMemory::Unusable& reserved) {
  switch (reserved.why) {
    case VirtualMemory::Unusable::Why::not_mapped:
      return "where no memory is mapped";
    case VirtualMemory::Unusable::Why::no_access:
      return fmt::format("where {} is mapped without access (cuMemSetAccess)", reserved.memory);
    case VirtualMemory::Unusable::Why::read_only:
      return fmt::format("where {} is mapped for reading only (cuMemSetAccess)", reserved.memory);
    case VirtualMemory::Unusable::Why::unmapped:
      return "where memory was unmapped";
    case VirtualMemory::Unusable::Why::freed:
      return "which was freed";
  }
  return "";
}

}  // namespace warpsim
