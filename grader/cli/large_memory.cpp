// Arrays of cases, of megabytes each, on huge pages: getting memory in pages of 4 KiB takes longer
// than filling it, and a class needs it for each case of each submission.
#ifndef __SANITIZE_ADDRESS__  // which replaces these itself

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>

void* operator new(std::size_t size) {
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  if (size < kHugePage) {
    void* const memory = std::malloc(size > 0 ? size : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  const std::size_t whole = (size + kHugePage - 1) / kHugePage * kHugePage;
  void* const memory = whole < size ? nullptr : std::aligned_alloc(kHugePage, whole);
  if (memory == nullptr) throw std::bad_alloc();
  (void)::madvise(memory, whole, MADV_HUGEPAGE);  // where the kernel has none, nothing changes
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

#endif
