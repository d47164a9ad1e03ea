#include "harness/worker/host_buffer.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace warpgrade::worker {

namespace {

constexpr std::size_t kGuard = std::size_t{1} << 20U;  // address space only; catches large strides
constexpr std::size_t kCanary = 256;  // at least so many bytes before the buffer
constexpr std::size_t kLarge = std::size_t{4} << 20U;  // bytes
constexpr auto kCanaryByte = std::byte{0xc9};

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

HostBuffer::HostBuffer(std::size_t size, std::size_t alignment, std::size_t offset) : size_(size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  open_size_ = round_up(size + kCanary + alignment, page);
  map_size_ = open_size_ + 2 * kGuard;
  void* map =
      mmap(nullptr, map_size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) throw std::bad_alloc();
  map_ = static_cast<std::byte*>(map);
  open_ = map_ + kGuard;
  if (mprotect(open_, open_size_, PROT_READ | PROT_WRITE) != 0) {
    munmap(map_, map_size_);
    throw std::bad_alloc();
  }
  const auto end = reinterpret_cast<std::uintptr_t>(open_ + open_size_);
  const std::uintptr_t phase = offset % alignment;
  const std::uintptr_t latest = end - size;
  data_ = open_ + open_size_ - size - (latest - phase) % alignment;
  // For large arrays, most of the time would be spent on page faults.
  if (open_size_ >= kLarge) (void)madvise(open_, open_size_, MADV_HUGEPAGE);
  std::fill(open_, data_, kCanaryByte);
  std::fill(data_ + size, open_ + open_size_, kCanaryByte);
}

HostBuffer::~HostBuffer() {
  munmap(map_, map_size_);
}

CanaryDamage HostBuffer::damage_before() const {
  CanaryDamage damage;
  for (const std::byte* at = data_; at != open_; --at) {
    if (at[-1] == kCanaryByte) continue;
    if (damage.count++ == 0) damage.distance = static_cast<std::size_t>(data_ - at + 1);
  }
  return damage;
}

CanaryDamage HostBuffer::damage_behind() const {
  CanaryDamage damage;
  const std::byte* end = data_ + size_;
  for (const std::byte* at = end; at != open_ + open_size_; ++at) {
    if (*at == kCanaryByte) continue;
    if (damage.count++ == 0) damage.distance = static_cast<std::size_t>(at - end + 1);
  }
  return damage;
}

void HostBuffer::freeze() {
  if (mprotect(open_, open_size_, PROT_READ) != 0) throw std::bad_alloc();
}

bool HostBuffer::guards(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return (at >= map_ && at < open_) || (at >= open_ + open_size_ && at < map_ + map_size_);
}

}  // namespace warpgrade::worker
