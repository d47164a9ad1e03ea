#include "emulator/native/code_memory.h"

#include <asmjit/x86.h>

#include <utility>

namespace warpsim::native {
namespace {

asmjit::JitAllocator::CreateParams two_mappings() {
  asmjit::JitAllocator::CreateParams parameters;
  parameters.options = asmjit::JitAllocatorOptions::kUseDualMapping;
  return parameters;
}

}  // namespace

CodeMemory::CodeMemory()
    : runtime_([] {
        static const asmjit::JitAllocator::CreateParams parameters = two_mappings();
        return &parameters;
      }()) {
  asmjit::CodeHolder code;
  if (code.init(runtime_.environment()) != asmjit::kErrorOk) return;
  asmjit::x86::Assembler assembler(&code);
  assembler.ret();
  void* entry = nullptr;
  if (runtime_.add(&entry, &code) != asmjit::kErrorOk) return;
  runtime_.release(entry);
  allowed_ = true;
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

std::shared_ptr<const void> CodeMemory::add(asmjit::CodeHolder& code,
                                            std::function<void()> drop) {
  const std::size_t bytes = code.codeSize();
  void* entry = nullptr;
  if (is_full() || runtime_.add(&entry, &code) != asmjit::kErrorOk) return nullptr;
  used_ += bytes;
  {
    const std::lock_guard lock(mutex_);
    drops_.push_back(std::move(drop));
  }
  return {entry, [memory = shared_from_this(), bytes](void* start) {
            memory->runtime_.release(start);
            memory->used_ -= bytes;
          }};
}

}  // namespace warpsim::native
