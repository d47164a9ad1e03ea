#include "emulator/cudart/per_thread.h"

#include <atomic>
#include <utility>

namespace warpsim::cudart {
namespace {

/// For the next call of the thread.
struct Announced {
  bool per_thread = false;
  const void* return_address = nullptr;
};
thread_local Announced announced;
thread_local bool current_is_per_thread = false;

}  // namespace

PerThreadCall::PerThreadCall(const void* return_address) {
  announced = {.per_thread = true, .return_address = return_address};
}

/// A function may return before it begins a call.
PerThreadCall::~PerThreadCall() {
  announced = {};
}

DefaultStreamOfCall::DefaultStreamOfCall(const void*& return_address)
    : outer_(current_is_per_thread) {
  const Announced call = std::exchange(announced, {});
  current_is_per_thread = call.per_thread;
  if (call.return_address != nullptr) return_address = call.return_address;
}

DefaultStreamOfCall::~DefaultStreamOfCall() {
  current_is_per_thread = outer_;
}

bool DefaultStreamOfCall::is_per_thread() {
  return current_is_per_thread;
}

std::uint64_t thread_number() {
  static std::atomic<std::uint64_t> threads = 0;
  thread_local const std::uint64_t number = ++threads;
  return number;
}

}  // namespace warpsim::cudart
