#include "emulator/checkers/unused_stores/unused_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "emulator/findings/plural.h"
#include "emulator/machine/address.h"
#include "emulator/machine/context.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"

namespace warpsim {
namespace {

bool in_global_memory(std::uint64_t generic) {
  return !in_window(generic, kSharedWindow) && !in_window(generic, kLocalWindow) &&
         !in_window(generic, kParamWindow);
}

}  // namespace

Follows UnusedStores::begin_launch(LaunchState&) {
  return Follows::accesses;
}

void UnusedStores::read(std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    const std::uint64_t stop = std::min(end, (begin / kPageBytes + 1) * kPageBytes);
    if (const Page* const page = pages_.find(begin / kPageBytes)) {
      for (std::uint64_t at = begin; at < stop; ++at) {
        const Number number = (*page)[at % kPageBytes];
        if (number != kNone) sites_[number - 1u].used = true;
      }
    }
    begin = stop;
  }
}

void UnusedStores::write(std::uint64_t begin, std::uint64_t end, Number number) {
  while (begin < end) {
    const std::uint64_t stop = std::min(end, (begin / kPageBytes + 1) * kPageBytes);
    // What is not followed needs a mark only where something else was.
    const std::uint64_t page_number = begin / kPageBytes;
    Page* const page = number == kNone ? pages_.find(page_number) : &pages_.make(page_number);
    if (page != nullptr) {
      const auto first = static_cast<std::ptrdiff_t>(begin % kPageBytes);
      std::fill_n(page->begin() + first, stop - begin, number);
    }
    begin = stop;
  }
}

/// @returns kNone for a store that is not followed
UnusedStores::Number UnusedStores::number_of(WarpContext& context, const MemoryAccess& access,
                                             std::uint64_t address) {
  const Extent* const extent = context.block->launch->find(address);
  if (extent == nullptr || extent->allocation->on_host()) return kNone;
  // It may be read through another mapping.
  if (extent->allocation->mapped) return kNone;
  const auto [slot, is_new] = numbers_.try_emplace(&access.in, kNone);
  if (is_new && sites_.size() < std::numeric_limits<Number>::max()) {
    Finding finding = finding_at(context, access.in, access.lanes, FindingKind::unused_store);
    finding.message = fmt::format("nothing reads the values that are stored here in `{}`",
                                  extent->allocation->in_words());
    sites_.push_back({.finding = std::move(finding)});
    slot->second = static_cast<Number>(sites_.size());
  }
  return slot->second;
}

void UnusedStores::access(WarpContext& context, const MemoryAccess& access) {
  if (access.space != ptx::Space::global) return;
  std::uint64_t address[kWarpSize];
  access.spread(address);
  if (access.type != AccessType::store) {
    for_lanes(access.lanes,
              [&](std::size_t lane) { read(address[lane], address[lane] + access.width); });
  }
  if (access.type == AccessType::load) return;
  // An atomic's own result is not followed: counting in memory is not a store that could be left
  // out.
  const auto first = static_cast<std::size_t>(std::countr_zero(access.lanes));
  const Number number =
      access.type == AccessType::store ? number_of(context, access, address[first]) : kNone;
  for_lanes(access.lanes,
            [&](std::size_t lane) { write(address[lane], address[lane] + access.width, number); });
  if (number != kNone) {
    sites_[number - 1u].stores += static_cast<std::uint64_t>(std::popcount(access.lanes));
  }
}

void UnusedStores::transfer(WarpContext&, const Inst&, std::uint64_t address, std::uint64_t bytes,
                            AccessType type) {
  if (type != AccessType::store && in_global_memory(address)) read(address, address + bytes);
}

void UnusedStores::read_by_copy(std::uint64_t begin, std::uint64_t end) {
  read(begin, end);
}

void UnusedStores::finish(FindingLog& findings) {
  for (Site& site : sites_) {
    if (site.used) continue;
    site.finding.got = fmt::format(
        "{} stored by threads, none of them read by a load, an atomic "
        "or a copy",
        plural(site.stores, "value"));
    site.finding.want = "a store whose value something reads";
    site.finding.next =
        "If the values are a result, copy them to the host; otherwise the store only costs memory "
        "traffic and can be removed.";
    findings.add(std::move(site.finding));
  }
  sites_.clear();
  numbers_.clear();
  pages_.clear();
}

std::unique_ptr<Observer> make_unused_store_checker() {
  return std::make_unique<UnusedStores>();
}

}  // namespace warpsim
