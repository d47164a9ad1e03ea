#include "emulator/cudart/host_watch.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>
#include <utility>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/host_program.h"

namespace warpsim::cudart {
namespace {

using Kind = GlobalMemory::Kind;

constexpr std::uint64_t kPage = 4096;
// Each protected range costs two system calls per call of the runtime.
constexpr std::size_t kMostPending = 256;
constexpr std::size_t kMostRanges = 64;

std::uint64_t page_of(std::uint64_t address) {
  return address / kPage * kPage;
}
std::uint64_t next_page(std::uint64_t address) {
  return page_of(address + kPage - 1);
}

/// The use that contains an address, or null.
const MemoryUse* use_at(const std::vector<MemoryUse>& uses, std::uint64_t address) {
  const auto next = std::upper_bound(uses.begin(), uses.end(), address,
                                     [](auto a, const MemoryUse& use) { return a < use.begin; });
  if (next == uses.begin()) return nullptr;
  const MemoryUse& use = *std::prev(next);
  return address < use.end ? &use : nullptr;
}

}  // namespace

void HostWatch::open() {
  if (!enabled_ || calls_++ != 0) return;
  const std::lock_guard lock(mutex_);
  protect(false);
}

void HostWatch::close() {
  if (!enabled_ || --calls_ != 0) return;
  const std::lock_guard lock(mutex_);
  // A program that handles faults itself would get ours.
  if (!pending_.empty() && HostProgram::get().catches_faults()) protect(true);
}

void HostWatch::protect(bool closed) {
  if (closed == closed_) return;
  closed_ = closed;
  std::vector<PageProtection> changes;
  const auto change = [&](const Pages& pages, int protection) {
    if (pages.begin < pages.end) changes.push_back({pages.begin, pages.end, protection});
  };
  for (const Pending& pending : pending_) {
    for (const Pages& pages : pending.pages) {
      if (closed && !pages.readable) continue;
      change(pages, closed ? PROT_READ : PROT_READ | PROT_WRITE);
    }
  }
  // After the others, because a page that one work item may read is protected if another one writes
  // it.
  for (const Pending& pending : pending_) {
    for (const Pages& pages : pending.pages) {
      if (closed && !pages.readable) change(pages, PROT_NONE);
    }
  }
  if (!changes.empty()) HostProgram::get().protect(changes);
}

HostWatch::Pages HostWatch::whole_pages(const GlobalMemory::Allocation& allocation) {
  const std::uint64_t end = allocation.base + allocation.size;
  if (allocation.kind != Kind::registered) return {allocation.base, next_page(end)};
  // Data of the program may share the page.
  const Pages pages = {next_page(allocation.base), page_of(end)};
  const auto [slot, is_new] = ordinary_.try_emplace(allocation.id);
  if (is_new) slot->second = HostProgram::get().is_ordinary(pages.begin, pages.end);
  return slot->second ? pages : Pages{};
}

std::vector<HostWatch::Pages> HostWatch::pages_of(const Pending& pending) {
  const GlobalMemory::Allocation& allocation = *pending.allocation;
  const Pages whole = whole_pages(allocation);
  const std::uint64_t allocation_end = allocation.base + allocation.size;
  std::vector<Pages> result;
  const auto append = [&](std::uint64_t begin, std::uint64_t end, bool readable) {
    begin = std::max(begin, whole.begin);
    end = std::min(end, whole.end);
    if (begin >= end) return;
    if (!result.empty() && result.back().readable == readable && begin <= result.back().end) {
      result.back().end = std::max(result.back().end, end);
    } else if (result.size() < kMostRanges) {
      result.push_back({begin, end, readable});
    }
  };
  const bool small = whole.end - whole.begin <= kPage;
  const auto& uses = pending.uses;
  for (std::size_t i = 0; i < uses.size();) {
    std::size_t next = i + 1;
    while (next < uses.size() && uses[next].begin == uses[next - 1].end) ++next;
    std::uint64_t begin = next_page(uses[i].begin);
    std::uint64_t end =
        uses[next - 1].end == allocation_end ? whole.end : page_of(uses[next - 1].end);
    if (small) begin = whole.begin, end = whole.end;
    append(begin, end, true);
    for (; i < next; ++i) {
      if (!uses[i].is(MemoryUse::kWritten | MemoryUse::kSignal)) continue;
      append(std::max(begin, page_of(uses[i].begin)), std::min(end, next_page(uses[i].end)), false);
    }
  }
  return result;
}

void HostWatch::put(Pending pending) {
  pending.pages = pages_of(pending);
  if (pending.pages.empty()) return;
  const std::lock_guard lock(mutex_);
  // Waiting for the later of two equal uses in one stream waits for both.
  const auto same = std::find_if(pending_.begin(), pending_.end(), [&](const Pending& other) {
    return other.stream == pending.stream && other.allocation == pending.allocation &&
           other.uses == pending.uses;
  });
  if (same != pending_.end()) {
    pending_.erase(same);
  } else if (pending_.size() == kMostPending) {
    pending_.erase(pending_.begin());
  }
  pending_.push_back(std::move(pending));
}

void HostWatch::add(const StreamWork& work, const std::vector<MemoryUse>& uses,
                    const MemoryUser& by) {
  if (!enabled_) return;
  for (std::size_t i = 0; i < uses.size();) {
    const GlobalMemory::Allocation* allocation = memory_.find(uses[i].begin);
    if (allocation == nullptr) return;
    Pending pending = {.stream = work.stream,
                       .number = work.number,
                       .allocation = allocation,
                       .uses = {},
                       .pages = {},
                       .by = by};
    const std::uint64_t end = allocation->base + allocation->size;
    constexpr std::uint8_t kCounts = MemoryUse::kRead | MemoryUse::kWritten | MemoryUse::kSignal;
    for (; i < uses.size() && uses[i].begin < end; ++i) {
      if (allocation->on_host() && uses[i].is(kCounts)) pending.uses.push_back(uses[i]);
    }
    if (!pending.uses.empty()) put(std::move(pending));
  }
}

void HostWatch::waited_for(const StreamClock& done) {
  const std::lock_guard lock(mutex_);
  std::erase_if(pending_,
                [&](const Pending& pending) { return done.has(pending.stream, pending.number); });
}

void HostWatch::waited_for_all() {
  const std::lock_guard lock(mutex_);
  pending_.clear();
}

void HostWatch::after_fork() {
  new (&mutex_) std::mutex;
  protect(false);
  pending_.clear();
  calls_ = 0;
}

void HostWatch::give_up(std::uint64_t page) {
  const PageProtection open = {page, page + kPage, PROT_READ | PROT_WRITE};
  HostProgram::get().protect({&open, 1});
  for (Pending& pending : pending_) {
    std::vector<Pages> left;
    for (const Pages& pages : pending.pages) {
      const Pages before = {pages.begin, std::min(pages.end, page), pages.readable};
      const Pages behind = {std::max(pages.begin, page + kPage), pages.end, pages.readable};
      if (before.begin < before.end) left.push_back(before);
      if (behind.begin < behind.end) left.push_back(behind);
    }
    pending.pages = std::move(left);
  }
}

bool HostWatch::on_fault(std::uint64_t address, bool host_writes, std::optional<Access>& found) {
  const GlobalMemory::Allocation* allocation = memory_.find(address);
  if (!enabled_ || allocation == nullptr) return false;
  const std::lock_guard lock(mutex_);
  const bool own = allocation->kind == Kind::pinned || allocation->kind == Kind::managed;
  const auto registered = ordinary_.find(allocation->id);
  if (!own && (registered == ordinary_.end() || !registered->second)) return false;
  if (!closed_) return true;  // another thread has opened the page in the meantime

  StreamClock told;
  bool is_signal = false;
  for (const Pending& pending : pending_) {
    const MemoryUse* use =
        pending.allocation == allocation ? use_at(pending.uses, address) : nullptr;
    if (use == nullptr) continue;
    if (use->is(MemoryUse::kSignal)) {
      is_signal = true;
      told.add(pending.stream, pending.number);
    } else if (use->is(MemoryUse::kWritten) || host_writes) {
      found = Access{.memory = describe(view_pointer(memory_, reinterpret_cast<void*>(address))),
                     .offset = address - allocation->base,
                     .pending_writes = use->is(MemoryUse::kWritten),
                     .by = pending.by};
    }
  }
  // Host code that reads a kernel's flag may thereby know that the other data are complete.
  if (is_signal) found.reset();
  if (!is_signal && !found) {
    give_up(page_of(address));
    return true;
  }
  protect(false);
  std::erase_if(pending_, [&](const Pending& pending) {
    return is_signal ? told.has(pending.stream, pending.number) : pending.allocation == allocation;
  });
  protect(true);
  return true;
}

}  // namespace warpsim::cudart
