#include "harness/worker/announcement.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "emulator/cudart/harness_call.h"
#include "harness/worker/bound_argument.h"
#include "harness/worker/cuda_check.h"
#include "harness/worker/guard_handler.h"

// Weak: only the emulator's client library has them.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
[[gnu::weak]] decltype(__cudaHarnessCallBegins) __cudaHarnessCallBegins;
[[gnu::weak]] decltype(__cudaHarnessCallEnds) __cudaHarnessCallEnds;
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

namespace warpgrade::worker {

bool Announcement::is_possible() {
  return __cudaHarnessCallBegins != nullptr;
}

Announcement::Announcement(const std::deque<BoundArgument>& arguments) {
  if (__cudaHarnessCallBegins == nullptr) return;
  const auto call = std::make_unique<warpsim::cudart::HarnessCall>();
  call->fault_handler = GuardHandler::address();
  for (const BoundArgument& bound : arguments) {
    const Argument& argument = bound.argument();
    if (!argument.is_array()) continue;
    if (call->count == warpsim::cudart::kMostHarnessArrays) {
      throw std::runtime_error("a function with too many arrays");
    }
    warpsim::cudart::HarnessArray& array = call->arrays[call->count++];
    argument.name.copy(array.name, sizeof array.name - 1);
    array.address = reinterpret_cast<std::uint64_t>(bound.data());
    array.bytes = argument.size_bytes();
    array.element_bytes = static_cast<std::uint32_t>(argument.element_size);
    array.is_input = argument.is_input ? 1 : 0;
    array.is_output = argument.is_output ? 1 : 0;
    array.on_host = argument.on_host() ? 1 : 0;
  }
  check(__cudaHarnessCallBegins(call.get()), "the announcement of the call");
}

void Announcement::returned() const {
  if (__cudaHarnessCallEnds != nullptr) (void)__cudaHarnessCallEnds();
}

}  // namespace warpgrade::worker
