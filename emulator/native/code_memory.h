#pragma once

#include <asmjit/core.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>

namespace warpsim::native {

/// The memory that generated code is in: pages are mapped twice, once to be written and once to be
/// executed, and never both. None is taken before there is code: a child that a program forks
/// before it uses the device would share the pages with its parent.
class CodeMemory : public std::enable_shared_from_this<CodeMemory> {
 public:
  /// Of all code together. What is beyond it is interpreted until older code is released.
  static constexpr std::size_t kMostBytes = std::size_t{8} << 20;

  [[nodiscard]] bool is_full() const { return used_ >= kMostBytes; }
  /// Lets go of code, the oldest first, until there is room. Code that is being executed stays
  /// until its launch ends.
  void drop_oldest();
  /// Makes code executable.
  /// @param drop  makes who has it let go of it; is called at most once, perhaps when it is long
  /// gone
  /// @returns its first byte, which stays as long as somebody has it; null when there is no memory
  /// for it, or the system refuses to have code generated
  [[nodiscard]] std::shared_ptr<const void> add(asmjit::CodeHolder& code,
                                                std::function<void()> drop);

 private:
  asmjit::JitRuntime& runtime();

  std::atomic<std::size_t> used_ = 0;
  std::mutex mutex_;
  std::optional<asmjit::JitRuntime> runtime_;
  std::deque<std::function<void()>> drops_;  // the oldest first
};

}  // namespace warpsim::native
