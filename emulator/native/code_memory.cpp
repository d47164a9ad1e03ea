#include "emulator/native/code_memory.h"

#include <cstdlib>
#include <utility>

namespace warpsim::native {

asmjit::JitRuntime& CodeMemory::runtime() {
  const std::lock_guard lock(mutex_);
  if (!runtime_) {
    asmjit::JitAllocator::CreateParams parameters;
    parameters.options = asmjit::JitAllocatorOptions::kUseDualMapping;
    runtime_.emplace(&parameters);
  }
  return *runtime_;
}

void CodeMemory::drop_oldest() {
  while (is_full()) {
    std::function<void()> drop;
    {
      const std::lock_guard lock(mutex_);
      if (drops_.empty()) return;
      drop = std::move(drops_.front());
      drops_.pop_front();
    }
    drop();
  }
}

std::shared_ptr<const void> CodeMemory::add(asmjit::CodeHolder& code, std::function<void()> drop) {
  const std::size_t bytes = code.codeSize();
  void* entry = nullptr;
  if (is_full() || runtime().add(&entry, &code) != asmjit::kErrorOk) return nullptr;
  used_ += bytes;
  {
    const std::lock_guard lock(mutex_);
    drops_.push_back(std::move(drop));
  }
  return {entry, [memory = shared_from_this(), bytes](void* start) {
            memory->runtime().release(start);
            memory->used_ -= bytes;
          }};
}

}  // namespace warpsim::native

// AsmJit's functions for debugging, in the place of the library's: those are compiled for programs
// alone, since they use stderr by its address, and no shared library can be linked with them.
ASMJIT_BEGIN_NAMESPACE

namespace DebugUtils {

const char* errorAsString(Error) noexcept {
  return "an error of AsmJit";
}

void debugOutput(const char*) noexcept {}

void assertionFailed(const char*, int, const char*) noexcept {
  std::abort();
}

}  // namespace DebugUtils

ASMJIT_END_NAMESPACE
