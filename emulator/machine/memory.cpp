#include "emulator/machine/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "emulator/machine/virtual_memory.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kSmallestReserve = std::uint64_t{1} << 32;
// Fresh memory is poisoned so that reading it shows; beyond this the pages stay untouched, so that
// a huge allocation costs memory only where it is used.
constexpr std::uint64_t kPoisonLimit = std::uint64_t{64} << 20;

std::uint64_t rounded_up(std::uint64_t n, std::uint64_t to) {
  return (n + to - 1) / to * to;
}

/// The shadow of the rest of an allocation's last word, which an atomic of a byte may load and
/// write with it: never uninitialized.
void write_tail(const GlobalMemory::Allocation& allocation, std::uint8_t shadow) {
  const std::uint64_t rest = rounded_up(allocation.size, 4) - allocation.size;
  if (rest != 0) std::memset(allocation.written + allocation.size, shadow, rest);
}

void* map(void* where, std::uint64_t bytes, int protection, int extra) {
  return ::mmap(where, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | extra, -1,
                0);
}

bool host_addressed(GlobalMemory::Kind kind) {
  return kind == GlobalMemory::Kind::pinned || kind == GlobalMemory::Kind::managed;
}

class PrivatePages : public SharedPages {
 public:
  Range allocate(std::uint64_t size) override {
    const std::uint64_t bytes = rounded_up(size, kPage);
    void* pages = map(nullptr, bytes + kPage, PROT_READ | PROT_WRITE, 0);
    if (pages == MAP_FAILED) return {};
    ::mprotect(static_cast<std::byte*>(pages) + bytes, kPage, PROT_NONE);
    return {reinterpret_cast<std::uint64_t>(pages), static_cast<std::byte*>(pages)};
  }
  void release(const Range& range, std::uint64_t bytes) override {
    ::munmap(range.bytes, rounded_up(bytes, kPage) + kPage);
  }
  std::byte* adopt(std::uint64_t address, std::uint64_t) override {
    return reinterpret_cast<std::byte*>(address);
  }
  void disown(std::uint64_t, std::uint64_t) override {}
};

}  // namespace

SharedPages& private_pages() {
  static auto& pages = *new PrivatePages;  // memory may be freed after static destructors
  return pages;
}

void fill_words(std::byte* to, std::uint64_t bytes, std::uint32_t word) {
  for (std::uint64_t at = 0; at < bytes; at += sizeof word) {
    std::memcpy(to + at, &word, std::min<std::uint64_t>(sizeof word, bytes - at));
  }
}

GlobalMemory::GlobalMemory(std::uint64_t capacity_bytes, SharedPages& pages, int devices)
    : pages_(pages),
      capacity_(capacity_bytes),
      in_use_(static_cast<std::size_t>(devices)),
      peer_access_(in_use_.size() * in_use_.size()),
      virtual_memory_(std::make_unique<VirtualMemory>(*this)) {
  for (reserved_ = kLargestReserve * in_use_.size(); reserved_ >= kSmallestReserve;
       reserved_ /= 2) {
    void* range = map(reinterpret_cast<void*>(kBase), reserved_, PROT_NONE, MAP_FIXED_NOREPLACE);
    if (range == MAP_FAILED) continue;
    void* backing = map(nullptr, reserved_, PROT_READ | PROT_WRITE, 0);
    void* shadow = map(nullptr, reserved_, PROT_READ | PROT_WRITE, 0);
    if (backing != MAP_FAILED && shadow != MAP_FAILED) {
      backing_ = static_cast<std::byte*>(backing);
      shadow_ = static_cast<std::uint8_t*>(shadow);
      return;
    }
    if (backing != MAP_FAILED) ::munmap(backing, reserved_);
    if (shadow != MAP_FAILED) ::munmap(shadow, reserved_);
    ::munmap(range, reserved_);
  }
  throw std::bad_alloc();
}

GlobalMemory::~GlobalMemory() {
  for (const auto& [base, allocation] : by_base_) {
    if (host_addressed(allocation->kind) && !allocation->freed && !allocation->lent &&
        allocation->written == nullptr) {
      pages_.release({allocation->base, allocation->host}, allocation->size);
    }
  }
  ::munmap(reinterpret_cast<void*>(kBase), reserved_);
  ::munmap(backing_, reserved_);
  ::munmap(shadow_, reserved_);
}

GlobalMemory::Allocation* GlobalMemory::allocate(std::uint64_t size, Kind kind, std::string name,
                                                 int device) {
  const std::lock_guard lock(mutex_);
  if (size == 0 || size > capacity_) return nullptr;
  auto allocation = std::make_unique<Allocation>();
  allocation->size = size;
  allocation->kind = kind;
  allocation->device = device;
  allocation->name = std::move(name);
  if (host_addressed(kind)) {
    const SharedPages::Range pages = pages_.allocate(size);
    if (pages.bytes == nullptr) return nullptr;
    allocation->host = pages.bytes;
    allocation->base = pages.address;
    allocation->all_written = true;  // the host may write it at any time, unseen
  } else {
    if (in_use(device) + size > capacity_) return nullptr;
    const std::uint64_t span = rounded_up(size + guard_behind(size), kAlignment);
    if (next_ + span > kBase + reserved_) {
      allocation->base = reuse(span);
      if (allocation->base == 0) return nullptr;
    } else {
      allocation->base = next_;
      next_ += span;
    }
    allocation->host = backing_ + (allocation->base - kBase);
    allocation->written = shadow_ + (allocation->base - kBase);
    fill_unwritten(allocation->host, size, allocation->name);
    write_tail(*allocation, 1);
    in_use(device) += size;
  }
  allocation->id = next_id_++;
  Allocation* result = allocation.get();
  by_base_[result->base] = std::move(allocation);
  live_[result->base] = result;
  return result;
}

std::uint64_t GlobalMemory::reuse(std::uint64_t span) {
  // The oldest freed range that is large enough; it is forgotten, so a stale pointer into it can
  // no longer be told from a good one.
  auto best = by_base_.end();
  for (auto it = by_base_.begin(); it != by_base_.end(); ++it) {
    const Allocation& old = *it->second;
    if (!old.freed || old.comes_back || !in_device_range(old.base)) continue;
    if (rounded_up(old.size + guard_behind(old.size), kAlignment) < span) continue;
    if (best == by_base_.end() || old.id < best->second->id) best = it;
  }
  if (best == by_base_.end()) return 0;
  const std::uint64_t base = best->first;
  by_base_.erase(best);
  return base;
}

GlobalMemory::Allocation* GlobalMemory::register_host(void* pointer, std::uint64_t size,
                                                      std::string name, int device) {
  const std::lock_guard lock(mutex_);
  auto allocation = std::make_unique<Allocation>();
  allocation->base = reinterpret_cast<std::uint64_t>(pointer);
  allocation->host = pages_.adopt(allocation->base, size);
  if (allocation->host == nullptr) return nullptr;
  allocation->size = size;
  allocation->kind = Kind::registered;
  allocation->device = device;
  allocation->name = std::move(name);
  allocation->id = next_id_++;
  allocation->all_written = true;
  Allocation* result = allocation.get();
  by_base_[result->base] = std::move(allocation);
  live_[result->base] = result;
  return result;
}

GlobalMemory::Aside GlobalMemory::set_aside() {
  const std::lock_guard lock(mutex_);
  Aside aside = {
      .by_base = std::exchange(by_base_, {}), .live = std::exchange(live_, {}), .in_use = in_use_};
  std::ranges::fill(in_use_, 0);
  return aside;
}

void GlobalMemory::put_back(Aside aside) {
  const std::lock_guard lock(mutex_);
  by_base_ = std::move(aside.by_base);
  live_ = std::move(aside.live);
  in_use_ = std::move(aside.in_use);
}

GlobalMemory::Allocation* GlobalMemory::place(std::uint64_t base, std::uint64_t size, Kind kind,
                                              int device, std::byte* bytes) {
  const std::lock_guard lock(mutex_);
  const auto next = live_.lower_bound(base);
  if (next != live_.end() && next->first < base + size) return nullptr;
  if (next != live_.begin() &&
      std::prev(next)->second->base + std::prev(next)->second->size > base) {
    return nullptr;
  }
  auto allocation = std::make_unique<Allocation>();
  allocation->base = base;
  allocation->size = size;
  allocation->kind = kind;
  allocation->device = device;
  allocation->id = next_id_++;
  allocation->host = bytes;
  allocation->lent = true;
  allocation->all_written = true;
  // What the device could use when the work was done, it may use now.
  static const auto everyone = std::make_shared<const std::uint32_t>(~std::uint32_t{0});
  allocation->pool_access = everyone;
  Allocation* result = allocation.get();
  by_base_[base] = std::move(allocation);
  live_[base] = result;
  return result;
}

GlobalMemory::Allocation* GlobalMemory::reserve(std::uint64_t size, std::string name, int device) {
  Allocation* allocation = allocate(size, Kind::device, std::move(name), device);
  if (allocation == nullptr) return nullptr;
  allocation->comes_back = true;
  (void)free(allocation->base, std::function<std::string()>());
  return allocation;
}

void GlobalMemory::fill_unwritten(std::byte* host, std::uint64_t bytes,
                                  const std::string& name) const {
  bytes = std::min(bytes, kPoisonLimit);
  if (start_value_) {
    if (const auto word = start_value_(name)) {
      fill_words(host, bytes, *word);
      return;
    }
  }
  std::memset(host, kPoison, bytes);
}

bool GlobalMemory::charge(int device, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > capacity_ - in_use(device)) return false;
  in_use(device) += bytes;
  return true;
}

void GlobalMemory::discharge(int device, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  in_use(device) -= bytes;
}

void GlobalMemory::set_mapped(std::uint64_t begin, std::uint64_t end, std::vector<MappedRun> runs) {
  const std::lock_guard lock(mutex_);
  const auto run_at = [&](std::uint64_t base) {
    return std::ranges::find(runs, base, &MappedRun::base);
  };
  for (auto it = live_.lower_bound(begin); it != live_.end() && it->first < end;) {
    if (run_at(it->first) != runs.end()) {
      ++it;
      continue;
    }
    it->second->freed = true;
    const auto owned = by_base_.find(it->first);
    unmapped_.push_back(std::move(owned->second));
    by_base_.erase(owned);
    it = live_.erase(it);
  }
  for (MappedRun& run : runs) {
    Allocation*& allocation = live_[run.base];
    if (allocation == nullptr) {
      auto made = std::make_unique<Allocation>();
      made->base = run.base;
      made->id = next_id_++;
      made->name = std::move(run.name);
      made->mapped = true;
      allocation = made.get();
      by_base_[run.base] = std::move(made);
    }
    allocation->size = run.bytes;
    allocation->device = run.device;
    allocation->pool_access = std::make_shared<const std::uint32_t>(run.access);
    allocation->read_only = run.read_only;
    allocation->host = run.host;
    allocation->written = run.written;
    allocation->all_written = false;
  }
}

bool GlobalMemory::bring_back(Allocation& allocation) {
  const std::lock_guard lock(mutex_);
  std::uint64_t& used = in_use(allocation.device);
  if (!allocation.freed || used + allocation.size > capacity_) return false;
  allocation.freed = false;
  live_[allocation.base] = &allocation;
  allocation.freed_by = nullptr;
  allocation.all_written = false;
  fill_unwritten(allocation.host, allocation.size, allocation.name);
  write_tail(allocation, 1);
  used += allocation.size;
  return true;
}

GlobalMemory::FreeResult GlobalMemory::free(std::uint64_t address,
                                            std::function<std::string()> freed_by) {
  const std::lock_guard lock(mutex_);
  auto it = by_base_.upper_bound(address);
  if (it == by_base_.begin()) return FreeResult::not_found;
  --it;
  Allocation& allocation = *it->second;
  if (allocation.base != address) {
    const bool inside = !allocation.freed && address < allocation.base + allocation.size;
    return inside ? FreeResult::interior : FreeResult::not_found;
  }
  if (allocation.freed) return FreeResult::already_freed;
  allocation.freed = true;
  live_.erase(address);
  allocation.freed_by = std::move(freed_by);
  if (allocation.lent) return FreeResult::ok;
  if (host_addressed(allocation.kind)) {
    pages_.release({allocation.base, allocation.host}, allocation.size);
    by_base_.erase(it);  // the system may hand the same host address out again
  } else if (allocation.kind == Kind::registered) {
    pages_.disown(allocation.base, allocation.size);
    by_base_.erase(it);
  } else {
    in_use(allocation.device) -= allocation.size;
    write_tail(allocation, 0);
    const std::uint64_t first = rounded_up(allocation.base, kPage);
    const std::uint64_t last = (allocation.base + allocation.size) / kPage * kPage;
    if (last > first) {
      ::madvise(backing_ + (first - kBase), last - first, MADV_DONTNEED);
      ::madvise(shadow_ + (first - kBase), last - first, MADV_DONTNEED);
    }
    std::memset(allocation.written, 0, std::min(allocation.size, first - allocation.base));
    if (last > first || last >= allocation.base) {
      const std::uint64_t tail = std::max(last, allocation.base);
      std::memset(shadow_ + (tail - kBase), 0, allocation.base + allocation.size - tail);
    }
  }
  return FreeResult::ok;
}

GlobalMemory::Allocation* GlobalMemory::find(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  auto it = by_base_.upper_bound(address);
  if (it == by_base_.begin()) return nullptr;
  --it;
  Allocation* allocation = it->second.get();
  const bool inside = address - allocation->base < allocation->size;
  return inside && !allocation->freed ? allocation : nullptr;
}

const GlobalMemory::Allocation* GlobalMemory::nearest(std::uint64_t address) const {
  const std::lock_guard lock(mutex_);
  const auto next = by_base_.upper_bound(address);
  const Allocation* after = next != by_base_.end() ? next->second.get() : nullptr;
  if (after != nullptr && after->base - address > guard_behind(after->size)) after = nullptr;
  if (next == by_base_.begin()) return after;
  const Allocation* before = std::prev(next)->second.get();
  if (address - before->base < before->size) return before;
  const std::uint64_t behind = address - before->base - before->size;
  // An index a little below zero lands before its own array, nearer to it than to the other.
  if (after != nullptr && after->base - address < behind) return after;
  // An overrun by far is most likely of the array before it.
  return behind < std::max<std::uint64_t>(before->size, 1 << 20) ? before : after;
}

bool GlobalMemory::in_device_range(std::uint64_t address) const {
  return address - kBase < reserved_ || virtual_memory_->has_address(address);
}

bool GlobalMemory::near_device_range(std::uint64_t address) const {
  constexpr std::uint64_t kReach = std::uint64_t{8} << 32;  // elements of at most 8 bytes
  return address - (kBase - kReach) < reserved_ + 2 * kReach ||
         virtual_memory_->has_address(address);
}

bool GlobalMemory::in_mapped_page(std::uint64_t address) const {
  constexpr std::uint64_t kDevicePage = std::uint64_t{2} << 20;
  return address - kBase < rounded_up(next_ - kBase, kDevicePage);
}

void GlobalMemory::mark_written(Allocation& allocation, std::uint64_t address,
                                std::uint64_t bytes) {
  if (allocation.written == nullptr || allocation.all_written) return;
  std::memset(allocation.written + (address - allocation.base), 1, bytes);
  if (bytes == allocation.size) allocation.all_written = true;
}

std::optional<std::uint64_t> GlobalMemory::first_unwritten(const Allocation& allocation,
                                                           std::uint64_t address,
                                                           std::uint64_t bytes) const {
  if (allocation.all_written || allocation.written == nullptr || bytes == 0) return std::nullopt;
  const std::uint64_t offset = address - allocation.base;
  const void* hole = std::memchr(allocation.written + offset, 0, bytes);
  if (hole == nullptr) return std::nullopt;
  return static_cast<std::uint64_t>(static_cast<const std::uint8_t*>(hole) - allocation.written);
}

std::vector<const GlobalMemory::Allocation*> GlobalMemory::leaks() const {
  const std::lock_guard lock(mutex_);
  std::vector<const Allocation*> result;
  for (const auto& [base, allocation] : live_) {
    const bool owned = allocation->kind == Kind::device || allocation->kind == Kind::pinned ||
                       allocation->kind == Kind::managed;
    // Managed variables live as long as their module; they carry the variable's name.
    if (owned && !allocation->module_owned && !allocation->mapped) result.push_back(allocation);
  }
  return result;
}

std::vector<GlobalMemory::Allocation*> GlobalMemory::live() const {
  const std::lock_guard lock(mutex_);
  std::vector<Allocation*> result;
  for (const auto& [base, allocation] : live_) result.push_back(allocation);
  return result;
}

}  // namespace warpsim
