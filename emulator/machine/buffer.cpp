#include "emulator/machine/buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace warpsim {
namespace {

/// A launch makes a buffer or two for each warp of each host thread. Small ones come from the heap:
/// mapping, touching and unmapping them takes as long as running some blocks does.
constexpr std::size_t kSmallBuffer = 64 * 1024;

}  // namespace

void Unmap::operator()(std::byte* p) const {
  if (bytes <= kSmallBuffer) {
    std::free(p);
  } else {
    ::munmap(p, bytes);
  }
}

void Buffer::reserve(std::size_t bytes) {
  if (bytes <= size_) return;
  std::size_t size = (bytes + 63) / 64 * 64;
  void* p = nullptr;
  if (size <= kSmallBuffer) {
    p = std::aligned_alloc(64, size);
    if (p == nullptr) throw std::bad_alloc();
    std::memset(p, 0, size);
  } else {
    size = (bytes + 4095) / 4096 * 4096;
    p = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
               -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
  }
  data_ = std::unique_ptr<std::byte, Unmap>(static_cast<std::byte*>(p), Unmap{size});
  size_ = size;
}

}  // namespace warpsim
